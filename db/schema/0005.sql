-- The hash of the component set a game began with; '' before it begins, and for
-- games that had begun before this was noted. A set that was edited since would
-- replay to another game.
ALTER TABLE games ADD COLUMN set_hash TEXT NOT NULL DEFAULT '';
