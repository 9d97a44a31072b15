-- A checksum over seed, options and log (logsum.go); NULL until the upgrade has read the log.
ALTER TABLE games ADD COLUMN log_sum INTEGER;
