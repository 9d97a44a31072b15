-- A player's plan for his coming turn, as the lines of a letter, and what became
-- of the one before it until he was told (JSON). It is his alone.
CREATE TABLE plans (
  game   INTEGER NOT NULL REFERENCES games,
  place  INTEGER NOT NULL,
  player INTEGER NOT NULL,
  turn   INTEGER NOT NULL, -- turns the seat will have completed when it is tried
  step   INTEGER NOT NULL, -- length of the log when it was made
  lines  TEXT    NOT NULL, -- '' none
  told   TEXT    NOT NULL, -- '' nothing
  PRIMARY KEY (game, place)
) STRICT, WITHOUT ROWID;
