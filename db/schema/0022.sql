-- The archive's words as before, but whoever left a seat to a bot has not won with
-- it.
DROP VIEW archive;
CREATE VIEW archive AS SELECT number,
  name || ' zzs' || state || ' zzn' || players || ' zzr' || rules || ' zze' || edition || ' zzx' || ending || ' ' || coalesce((
    SELECT group_concat(s.name || CASE WHEN s.player = 0 OR s.seat = 0 THEN '' ELSE ' zzp' || s.player ||
      CASE WHEN games.ending = '' OR games.state = 'void' THEN '' WHEN instr(games.winners, s.seat) > 0 AND s.bot = '' THEN ' zzw' || s.player ELSE ' zzl' || s.player END END, ' ')
    FROM seats AS s WHERE s.game = games.number), '') AS text
  FROM games WHERE visibility = 'listed' AND started > 0;
DROP TRIGGER seats_named;
CREATE TRIGGER seats_named AFTER UPDATE OF name, player, seat, bot ON seats
  WHEN old.name <> new.name OR old.player <> new.player OR old.seat <> new.seat OR (old.bot = '') <> (new.bot = '')
BEGIN
  DELETE FROM names WHERE docid = new.game;
  INSERT INTO names (docid, text) SELECT number, text FROM archive WHERE number = new.game;
END;
DELETE FROM names WHERE docid IN (SELECT game FROM seats WHERE player <> 0 AND bot <> '');
INSERT INTO names (docid, text) SELECT number, text FROM archive WHERE number IN (SELECT game FROM seats WHERE player <> 0 AND bot <> '');
