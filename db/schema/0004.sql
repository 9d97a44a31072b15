-- The database's own notes: a random id, made once and kept by every copy of
-- it; when the daemon was last at work and how often it said so; in a copy,
-- when it was made. Times as everywhere; NULL is never stored.
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value ANY  NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES ('id', lower(hex(randomblob(16)))), ('beat', 0), ('beats', 0), ('copied', 0);

-- From when a queued letter's age counts. It is no date: it moves with what
-- waits when the clock jumps or the server was away.
ALTER TABLE out ADD COLUMN entered INTEGER NOT NULL DEFAULT 0;
UPDATE out SET entered = date WHERE state = 1;
