-- Games without a name get one, and players without one a stand-in that is the same in all their
-- games: both were shown by numbers. game_name, stand_in and renamed: db/called.go.

UPDATE games SET name = game_name(id) WHERE name = '';
CREATE INDEX games_name ON games (name COLLATE NOCASE);

-- No player could choose a name that begins so.
CREATE TEMP TABLE numbered AS SELECT game, json_group_object(name, stand_in(player)) AS names
  FROM (SELECT game, name, player FROM stints UNION SELECT game, name, player FROM seats) WHERE player > 0 AND name GLOB 'Player [0-9]*' GROUP BY game;
UPDATE games SET result = renamed(result, n.names) FROM numbered AS n WHERE n.game = number AND result <> '';
UPDATE rulings SET args = renamed(args, n.names) FROM numbered AS n WHERE n.game = rulings.game;
DROP TABLE numbered;

UPDATE rulings SET who = stand_in(by) WHERE by > 0 AND who GLOB 'Player [0-9]*';
UPDATE stints SET name = stand_in(player) WHERE player > 0 AND name GLOB 'Player [0-9]*';
UPDATE seats SET name = CASE player WHEN 0 THEN 'Seat ' || place ELSE stand_in(player) END WHERE name GLOB 'Player [0-9]*';
UPDATE ratings SET name = stand_in(player) WHERE player > 0 AND name GLOB 'Player [0-9]*';
UPDATE rated SET name = stand_in(player) WHERE player > 0 AND name GLOB 'Player [0-9]*';
UPDATE ignored SET name = stand_in(other) WHERE name GLOB 'Player [0-9]*';
UPDATE reports SET name = stand_in(player) WHERE name GLOB 'Player [0-9]*';
