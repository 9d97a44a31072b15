-- What the archive finds games by: listed ones that have begun.
ALTER TABLE games ADD COLUMN players INTEGER AS (json_extract(options, '$.players')) VIRTUAL;
ALTER TABLE games ADD COLUMN rules TEXT AS (json_extract(options, '$.rules')) VIRTUAL;
ALTER TABLE games ADD COLUMN edition TEXT AS (json_extract(options, '$.edition')) VIRTUAL;
ALTER TABLE games ADD COLUMN ending TEXT AS (CASE result WHEN '' THEN '' ELSE json_extract(result, '$.ending') END) VIRTUAL;
-- The winners' seats, "[1,3]".
ALTER TABLE games ADD COLUMN winners TEXT AS (CASE result WHEN '' THEN '' ELSE json_extract(result, '$.winners') END) VIRTUAL;
CREATE INDEX games_archive ON games (number, state, players, rules, edition, ending, started)
  WHERE visibility = 'listed' AND started > 0;

-- The words by which names are found: the game's and its players', and what
-- else is asked for beside them, as words nobody is called: zzs state, zzn
-- players, zzr rules, zze edition, zzx ending, and of each player zzp, with zzw
-- if he won and zzl if he lost.
CREATE VIEW archive AS SELECT number,
  name || ' zzs' || state || ' zzn' || players || ' zzr' || rules || ' zze' || edition || ' zzx' || ending || ' ' || coalesce((
    SELECT group_concat(s.name || CASE WHEN s.player = 0 OR s.seat = 0 THEN '' ELSE ' zzp' || s.player ||
      CASE WHEN games.ending = '' THEN '' WHEN instr(games.winners, s.seat) > 0 THEN ' zzw' || s.player ELSE ' zzl' || s.player END END, ' ')
    FROM seats AS s WHERE s.game = games.number), '') AS text
  FROM games WHERE visibility = 'listed' AND started > 0;
CREATE VIRTUAL TABLE names USING fts4 (text, tokenize=unicode61, order=desc);
INSERT INTO names (docid, text) SELECT number, text FROM archive;
CREATE TRIGGER games_named AFTER UPDATE OF name, visibility, started, state, result ON games
  WHEN (new.visibility = 'listed' OR old.visibility = 'listed') AND (old.name <> new.name OR old.visibility <> new.visibility
    OR (old.started > 0) <> (new.started > 0) OR old.state <> new.state OR old.result <> new.result)
BEGIN
  DELETE FROM names WHERE docid = new.number;
  INSERT INTO names (docid, text) SELECT number, text FROM archive WHERE number = new.number;
END;
CREATE TRIGGER seats_named AFTER UPDATE OF name, player, seat ON seats
  WHEN old.name <> new.name OR old.player <> new.player OR old.seat <> new.seat
BEGIN
  DELETE FROM names WHERE docid = new.game;
  INSERT INTO names (docid, text) SELECT number, text FROM archive WHERE number = new.game;
END;
CREATE TRIGGER seats_added AFTER INSERT ON seats
BEGIN
  DELETE FROM names WHERE docid = new.game;
  INSERT INTO names (docid, text) SELECT number, text FROM archive WHERE number = new.game;
END;
