-- When the deadline last changed, in whole seconds, and later with each change: it dates the
-- event in calendars. Letters told of earlier changes by the time at which they were made.
ALTER TABLE seats ADD COLUMN revised INTEGER NOT NULL DEFAULT 0;
UPDATE seats SET revised = CAST(strftime('%s', 'now') AS INTEGER) * 1000
WHERE game IN (SELECT number FROM games WHERE state = 'running');
