-- Since when no clock runs in a game, 0: they do; what was left of a seat's time
-- then, in milliseconds; and when players want to be reminded and when not to be
-- asked for anything.
ALTER TABLE games ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN left INTEGER NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN reminders TEXT NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN quiet TEXT NOT NULL DEFAULT '';
