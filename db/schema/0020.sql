-- Whether letters name their game as a list (List-Id): on or off; '' as usual, which is on. Evolution
-- takes such letters for those of a mailing list, and asks before each reply.
ALTER TABLE players ADD COLUMN list_id TEXT NOT NULL DEFAULT '';
ALTER TABLE out ADD COLUMN unlisted INTEGER NOT NULL DEFAULT 0; -- boolean: the letter has none
