-- Letters in that were dealt with are condensed and packed, and forgotten after a time.

ALTER TABLE raw ADD COLUMN form INTEGER NOT NULL DEFAULT 0;   -- 0 as it came, 1 packed (retention.go)
ALTER TABLE raw ADD COLUMN hash BLOB    NOT NULL DEFAULT x''; -- of what it was before; SHA-256
CREATE INDEX raw_unpacked ON raw (letter) WHERE form = 0;

-- The letters of a thread, which are packed with its head.
CREATE INDEX out_thread ON out (thread) WHERE thread <> 0;
