-- Since when mail does not flow both ways; 0: it does.
INSERT OR IGNORE INTO meta VALUES ('mail_stopped', 0);

-- Whether the mail server may have taken a queued letter: 0 it has not; 1 it is being given the
-- letter; 2 it may have, for its answer was lost. Only letters at 0 may be dropped or made anew.
ALTER TABLE out ADD COLUMN unsure INTEGER NOT NULL DEFAULT 0;
-- Letters that were dropped; 6 is their state (pack.go).
CREATE INDEX out_dropped ON out (id) WHERE state = 6;

-- Players whose mail server refuses our letters for now.
CREATE TABLE unreached (
  player  INTEGER PRIMARY KEY,
  since   INTEGER NOT NULL, -- when the first letter that it refused was made
  until   INTEGER NOT NULL, -- their clocks stand still until then at the latest
  held    INTEGER NOT NULL, -- boolean: they do so still
  why     TEXT    NOT NULL  -- what the mail server says
) STRICT;

-- For how long the clocks of players have stood still because of that, by the year in which it
-- began.
CREATE TABLE held_time (
  player INTEGER NOT NULL,
  year   INTEGER NOT NULL,
  time   INTEGER NOT NULL, -- milliseconds
  PRIMARY KEY (year, player)
) STRICT, WITHOUT ROWID;

-- The last turn of a seat that a bot played because its time ran out.
CREATE TABLE stood_in (
  game  TEXT    NOT NULL, -- id
  place INTEGER NOT NULL,
  turn  INTEGER NOT NULL, -- turns the seat had completed
  until INTEGER NOT NULL, -- orders that had come by then were in time
  step  INTEGER NOT NULL, -- length of the log before the bot played
  PRIMARY KEY (game, place)
) STRICT, WITHOUT ROWID;
