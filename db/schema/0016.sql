-- When they were erased: letters that arrived later are not theirs, or a new player's.
ALTER TABLE erased ADD COLUMN before INTEGER NOT NULL DEFAULT 0;
UPDATE erased SET before = CAST(strftime('%s', 'now') AS INTEGER) * 1000;
