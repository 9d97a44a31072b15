-- Clocks: by when a seat must have done what its game waits for (0: it does not
-- wait), what is left of its bank in milliseconds, and how many turns in a row a
-- bot played for want of time; the time zone that a player reads times in, and
-- the days of the week and the holidays on which his clocks stand still.
ALTER TABLE seats ADD COLUMN deadline INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN bank INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN missed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX seats_deadline ON seats (deadline) WHERE deadline > 0;
ALTER TABLE players ADD COLUMN zone TEXT NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN days_off TEXT NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN away TEXT NOT NULL DEFAULT '';
