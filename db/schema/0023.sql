-- The letter that heads the thread of what a player is told of a league's season.
CREATE TABLE league_threads (
  league INTEGER NOT NULL,
  player INTEGER NOT NULL,
  season INTEGER NOT NULL,
  head   TEXT    NOT NULL, -- its Message-ID
  PRIMARY KEY (league, player)
) STRICT, WITHOUT ROWID;
