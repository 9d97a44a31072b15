-- Who plays a seat from behind a line of its game's log on (0: from the start).
CREATE TABLE stints (
  game   INTEGER NOT NULL REFERENCES games,
  place  INTEGER NOT NULL,
  since  INTEGER NOT NULL,
  player INTEGER NOT NULL, -- 0: a bot, or nobody noted who
  bot    TEXT    NOT NULL, -- '' a player
  name   TEXT    NOT NULL,
  why    TEXT    NOT NULL,
  PRIMARY KEY (game, place, since)
) STRICT, WITHOUT ROWID;

-- Games from before: the log says when a seat changed hands, and its row who has
-- it now. Who had it before is found by the keys of its pages, in the order in
-- which they were made; without one nobody knows.
WITH changes AS (
  SELECT log.game, place, n, by, line, player AS now, line LIKE 'replace % by player' AND by = 2 AS taken
  FROM log JOIN seats ON seats.game = log.game AND seats.seat = log.seat
  WHERE log.seat > 0 AND (line = 'resign' OR line LIKE 'replace %')
), counted AS (
  SELECT *, sum(taken) OVER (PARTITION BY game, place ORDER BY n) AS takeover,
    sum(taken) OVER (PARTITION BY game, place) AS takeovers FROM changes
), begun AS (
  SELECT game, place, 0 AS n, player AS now, bot, stage, name, 0 AS takeover,
    (SELECT coalesce(sum(taken), 0) FROM changes AS c WHERE c.game = s.game AND c.place = s.place) AS takeovers
  FROM seats AS s WHERE seat > 0 AND game IN (SELECT number FROM games WHERE started > 0)
), former AS (
  SELECT game, place, player, row_number() OVER (PARTITION BY game, place ORDER BY first DESC) AS back FROM (
    SELECT k.game, k.place, k.player, min(k.id) AS first FROM keys AS k JOIN seats AS s ON s.game = k.game AND s.place = k.place
    WHERE k.player <> 0 AND k.player <> s.player GROUP BY k.game, k.place, k.player)
), all_of_them AS (
  SELECT game, place, n, now, takeover, takeovers, CASE WHEN now = 0 AND takeovers = 0 THEN CASE bot WHEN '' THEN 'greedy' ELSE bot END ELSE '' END AS bot,
    CASE takeovers WHEN 0 THEN name ELSE '' END AS name, 'start' AS why FROM begun
  UNION ALL
  SELECT game, place, n, now, takeover, takeovers,
    CASE WHEN line = 'resign' OR line LIKE '% by bot' THEN 'greedy' WHEN line LIKE '% by bot:%' THEN substr(line, instr(line, ' by bot:') + 8) ELSE '' END,
    '', CASE WHEN line = 'resign' THEN 'resigned' WHEN taken THEN 'takeover' WHEN line LIKE '% by player' THEN 'back' WHEN by = 4 THEN 'absent' ELSE 'replaced' END
  FROM counted
)
INSERT INTO stints SELECT a.game, a.place, a.n,
  CASE WHEN a.bot <> '' THEN 0 WHEN a.takeover = a.takeovers THEN a.now
    ELSE coalesce((SELECT player FROM former AS f WHERE f.game = a.game AND f.place = a.place AND f.back = a.takeovers - a.takeover), 0) END,
  a.bot, a.name, a.why
FROM all_of_them AS a;
