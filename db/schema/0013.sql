-- Leagues. A league is its file, its secret and its log; all else is computed.
CREATE TABLE leagues (
  number     INTEGER PRIMARY KEY,
  id         TEXT    NOT NULL UNIQUE,
  name       TEXT    NOT NULL,
  file       TEXT    NOT NULL, -- as league.ParseRules reads it
  secret     BLOB    NOT NULL, -- from which the league's seed and the weeks' are made
  visibility TEXT    NOT NULL,
  over       INTEGER NOT NULL, -- no season comes any more
  lines      INTEGER NOT NULL, -- in its log
  created    INTEGER NOT NULL,
  changed    INTEGER NOT NULL
) STRICT;

CREATE TABLE league_log (
  league INTEGER NOT NULL REFERENCES leagues,
  n      INTEGER NOT NULL,
  at     INTEGER NOT NULL,
  by     INTEGER NOT NULL, -- player, 0: the server
  kind   TEXT    NOT NULL,
  args   TEXT    NOT NULL, -- JSON
  PRIMARY KEY (league, n)
) STRICT, WITHOUT ROWID;

-- Who has ever joined which, so that they are found without their logs.
CREATE TABLE league_players (
  player INTEGER NOT NULL,
  league INTEGER NOT NULL REFERENCES leagues,
  PRIMARY KEY (player, league)
) STRICT, WITHOUT ROWID;

-- A game of a league bears its id; others ''. What others play with the same seed
-- is sealed until they have done so: its seed is told to nobody.
ALTER TABLE games ADD COLUMN league TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX games_league ON games (league, number) WHERE league <> '';
