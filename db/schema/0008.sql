-- The batch in which a finished game was counted into the statistics: 0 not yet,
-- -1 it cannot be.
ALTER TABLE games ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX games_counted ON games (counted, number) WHERE state = 'finished';

-- What the counted games of one kind came to.
CREATE TABLE statistics (
  kind    TEXT    PRIMARY KEY,
  options TEXT    NOT NULL, -- JSON
  games   INTEGER NOT NULL,
  series  TEXT    NOT NULL  -- JSON
) STRICT, WITHOUT ROWID;
