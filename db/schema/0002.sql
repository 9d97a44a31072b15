-- What players choose about their letters, and what keeps them apart from each other.

ALTER TABLE players ADD COLUMN zone_guessed INTEGER NOT NULL DEFAULT 0;  -- boolean: zone comes from a letter's Date
ALTER TABLE players ADD COLUMN subjects     TEXT    NOT NULL DEFAULT ''; -- steady or news; '' as usual
ALTER TABLE players ADD COLUMN digest       TEXT    NOT NULL DEFAULT ''; -- hour of the daily letter, 18:00; '' none

-- How the letter's subject was chosen. '' before players could choose.
ALTER TABLE out ADD COLUMN subjects TEXT NOT NULL DEFAULT '';

-- Letters that wait for a player's daily letter. 5 is their state (pack.go).
CREATE INDEX out_digest ON out (player, id) WHERE state = 5;

-- Players whose messages a player does not want to read.
CREATE TABLE ignored (
  player INTEGER NOT NULL, -- who ignores
  other  INTEGER NOT NULL,
  name   TEXT    NOT NULL, -- of the other, in the game then
  PRIMARY KEY (player, other)
) STRICT, WITHOUT ROWID;

-- Messages that players have reported to the host.
CREATE TABLE reports (
  id       INTEGER PRIMARY KEY,
  at       INTEGER NOT NULL,
  game     TEXT    NOT NULL, -- id
  reporter INTEGER NOT NULL, -- player; told to the host alone
  player   INTEGER NOT NULL, -- whose messages they are
  name     TEXT    NOT NULL, -- in the game then
  reason   TEXT    NOT NULL,
  messages TEXT    NOT NULL  -- JSON: the messages, oldest first
) STRICT;
