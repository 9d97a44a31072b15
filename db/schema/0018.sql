-- The order in which games were finished, from 1; 0 for the others. Ratings go by
-- it: two games may end at the same moment.
ALTER TABLE games ADD COLUMN finish INTEGER NOT NULL DEFAULT 0;
UPDATE games SET finish = o.n FROM (
  SELECT number, row_number() OVER (ORDER BY ended, number) AS n FROM games WHERE state = 'finished') AS o
  WHERE games.number = o.number;
CREATE UNIQUE INDEX games_finish ON games (finish) WHERE finish > 0;
CREATE TRIGGER games_finished AFTER UPDATE OF state ON games WHEN new.state = 'finished' AND old.state <> 'finished'
BEGIN
  UPDATE games SET finish = 1 + (SELECT coalesce(max(finish), 0) FROM games WHERE finish > 0) WHERE number = new.number;
END;
CREATE TRIGGER games_added_finished AFTER INSERT ON games WHEN new.state = 'finished'
BEGIN
  UPDATE games SET finish = 1 + (SELECT coalesce(max(finish), 0) FROM games WHERE finish > 0) WHERE number = new.number;
END;

-- What is believed of the strength of people and bots by kind of game, and what
-- each finished game did to that.
CREATE TABLE ratings (
  kind   TEXT    NOT NULL,
  player INTEGER NOT NULL, -- 0: a bot
  bot    TEXT    NOT NULL, -- '' a person
  name   TEXT    NOT NULL, -- in his last game
  games  INTEGER NOT NULL,
  mu     REAL    NOT NULL,
  sigma  REAL    NOT NULL,
  finish INTEGER NOT NULL, -- of his last game
  low    REAL AS (mu - 2 * sigma) VIRTUAL,
  PRIMARY KEY (kind, player, bot)
) STRICT, WITHOUT ROWID;
CREATE INDEX ratings_order ON ratings (kind, player = 0, low DESC, player, bot);
CREATE INDEX ratings_player ON ratings (player, kind) WHERE player > 0;
CREATE INDEX ratings_finish ON ratings (finish);
CREATE TABLE rated (
  finish INTEGER NOT NULL, -- of the game
  kind   TEXT    NOT NULL,
  player INTEGER NOT NULL,
  bot    TEXT    NOT NULL,
  name   TEXT    NOT NULL,
  games  INTEGER NOT NULL, -- with this one
  mu     REAL    NOT NULL, -- after it
  sigma  REAL    NOT NULL,
  place  INTEGER NOT NULL, -- where his seat came in
  seats  INTEGER NOT NULL, -- how many there were
  turns  INTEGER NOT NULL, -- that he took
  of     INTEGER NOT NULL, -- that his seat had
  parted TEXT    NOT NULL, -- how he left it
  PRIMARY KEY (finish, player, bot)
) STRICT, WITHOUT ROWID;
CREATE INDEX rated_who ON rated (kind, player, bot, finish);

-- The finish up to which every game is in the ratings, as it is now. Whatever
-- changes what a game did to them goes back to before it.
INSERT INTO meta VALUES ('rated', 0);
CREATE TRIGGER games_rated AFTER UPDATE OF state, visibility, result ON games
  WHEN old.finish > 0 AND (old.state <> new.state OR old.result <> new.result OR (old.visibility = 'listed') <> (new.visibility = 'listed'))
BEGIN
  UPDATE meta SET value = min(value, old.finish - 1) WHERE key = 'rated';
END;
CREATE TRIGGER games_unfinished AFTER UPDATE OF state ON games WHEN new.state <> 'finished' AND old.state = 'finished'
BEGIN
  UPDATE games SET finish = 0 WHERE number = new.number;
END;
