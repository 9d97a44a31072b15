-- The game of which this one is a rematch, by its id; '' none.
ALTER TABLE games ADD COLUMN rematch_of TEXT NOT NULL DEFAULT '';
CREATE INDEX games_rematch ON games (rematch_of, number) WHERE rematch_of <> '';

-- Boolean: the game was broken off and made void, and its seed and hands are public, as those of
-- a finished game are.
ALTER TABLE games ADD COLUMN revealed INTEGER NOT NULL DEFAULT 0;
INSERT INTO due (at, kind, game, place, step, ref) SELECT ended + 1209600000, 'reveal', id, 0, 0, '' FROM games
WHERE state = 'void' AND started > 0 AND result = '';
