-- What players have said once for all is to be done in a game.
CREATE TABLE standing (
  game   INTEGER NOT NULL REFERENCES games,
  place  INTEGER NOT NULL,
  player INTEGER NOT NULL,
  orders TEXT    NOT NULL, -- JSON
  PRIMARY KEY (game, place)
) STRICT, WITHOUT ROWID;
