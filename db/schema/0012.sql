-- Was it ever to be seen without a key? What was shown and is private now is
-- gone; what never was is not there.
ALTER TABLE games ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;
UPDATE games SET shown = 1 WHERE visibility <> 'private';
CREATE TRIGGER games_shown_first AFTER INSERT ON games WHEN new.visibility <> 'private'
BEGIN
  UPDATE games SET shown = 1 WHERE number = new.number;
END;
CREATE TRIGGER games_shown AFTER UPDATE OF visibility ON games WHEN new.visibility <> 'private' AND new.shown = 0
BEGIN
  UPDATE games SET shown = 1 WHERE number = new.number;
END;
