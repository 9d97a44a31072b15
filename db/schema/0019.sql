-- A game that ended with a result that was given counts as one that was finished,
-- and a result that was corrected as it is now.
DROP TRIGGER games_finished;
CREATE TRIGGER games_finished AFTER UPDATE OF state ON games WHEN new.state IN ('finished', 'adjudicated') AND old.finish = 0
BEGIN
  UPDATE games SET finish = 1 + (SELECT coalesce(max(finish), 0) FROM games WHERE finish > 0) WHERE number = new.number;
END;
DROP TRIGGER games_added_finished;
CREATE TRIGGER games_added_finished AFTER INSERT ON games WHEN new.state IN ('finished', 'adjudicated')
BEGIN
  UPDATE games SET finish = 1 + (SELECT coalesce(max(finish), 0) FROM games WHERE finish > 0) WHERE number = new.number;
END;
DROP TRIGGER games_unfinished;
CREATE TRIGGER games_unfinished AFTER UPDATE OF state ON games WHEN new.state NOT IN ('finished', 'adjudicated') AND old.finish > 0
BEGIN
  UPDATE games SET finish = 0 WHERE number = new.number;
END;
CREATE TRIGGER rulings_rated AFTER INSERT ON rulings
  WHEN new.kind IN ('adjudicate', 'correct') AND (SELECT finish FROM games WHERE number = new.game) > 0
BEGIN
  UPDATE meta SET value = min(value, (SELECT finish FROM games WHERE number = new.game) - 1) WHERE key = 'rated';
END;
UPDATE games SET finish = o.n FROM (
  SELECT number, row_number() OVER (ORDER BY ended, number) + (SELECT coalesce(max(finish), 0) FROM games) AS n FROM games WHERE state = 'adjudicated') AS o
  WHERE games.number = o.number;
