-- What was ruled about a game, by whom and why.
CREATE TABLE rulings (
  game   INTEGER NOT NULL REFERENCES games,
  n      INTEGER NOT NULL, -- of the game, from 1
  at     INTEGER NOT NULL,
  by     INTEGER NOT NULL, -- player, 0: the server's host
  who    TEXT    NOT NULL, -- what he was called
  kind   TEXT    NOT NULL,
  args   TEXT    NOT NULL, -- JSON
  reason TEXT    NOT NULL,
  step   INTEGER NOT NULL, -- length of the game's log behind it
  PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;

-- The archive's words as before, but nobody has won or lost a game that is void.
DROP VIEW archive;
CREATE VIEW archive AS SELECT number,
  name || ' zzs' || state || ' zzn' || players || ' zzr' || rules || ' zze' || edition || ' zzx' || ending || ' ' || coalesce((
    SELECT group_concat(s.name || CASE WHEN s.player = 0 OR s.seat = 0 THEN '' ELSE ' zzp' || s.player ||
      CASE WHEN games.ending = '' OR games.state = 'void' THEN '' WHEN instr(games.winners, s.seat) > 0 THEN ' zzw' || s.player ELSE ' zzl' || s.player END END, ' ')
    FROM seats AS s WHERE s.game = games.number), '') AS text
  FROM games WHERE visibility = 'listed' AND started > 0;
