-- Which player wrote, and to which one: who comes to a seat later reads what was
-- said to the table, not what its former player wrote or was told alone. Of rows
-- from before nobody knows where a place has changed hands: 0.
ALTER TABLE press ADD COLUMN writer INTEGER NOT NULL DEFAULT 0;
ALTER TABLE press ADD COLUMN reader INTEGER NOT NULL DEFAULT 0;
UPDATE press SET
  writer = coalesce((SELECT min(player) FROM keys WHERE keys.game = press.game AND keys.place = press.place HAVING min(player) = max(player)), 0),
  reader = coalesce((SELECT min(player) FROM keys WHERE keys.game = press.game AND keys.place = press.dest HAVING min(player) = max(player)), 0);
CREATE INDEX press_at ON press (game, at);

-- The words of what was said, and of which game: zzg and its number.
CREATE VIRTUAL TABLE said USING fts4 (text, tokenize=unicode61, order=desc);
INSERT INTO said (docid, text) SELECT id, text || ' zzg' || game FROM press;
