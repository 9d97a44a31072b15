-- The first schema as it was released, with a row of nearly everything. This file is
-- never changed: it is what the oldest database out there looks like.
BEGIN;
-- The first schema. A released schema is never edited: what changes comes as the next
-- file (see migrate in db.go).
--
-- Times are milliseconds since 1970 UTC, 0 for none. Durations are milliseconds.
-- Tables that belong to a game name it by its number, not by the id that players see.
-- Columns of type ANY hold words by their numbers and base32 texts as bytes (pack.go).

-- Notes about the database itself.
--   id      random, made once; every copy of the database has the same
--   beat    when the daemon last wrote that it is at work
--   beats   how often it has
--   copied  in a copy: when it was made
--   rated   the finish up to which ratings take every game into account
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value ANY  NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta VALUES ('id', lower(hex(randomblob(16)))), ('beat', 0), ('beats', 0), ('copied', 0), ('rated', 0);

-- How often something happened on a day, for limits. Past days are deleted.
CREATE TABLE counters (
  key TEXT    NOT NULL,
  day TEXT    NOT NULL, -- 2026-11-23, UTC
  n   INTEGER NOT NULL,
  PRIMARY KEY (key, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX counters_day ON counters (day);

-- What has to be done at a certain time.
CREATE TABLE due (
  id    INTEGER PRIMARY KEY,
  at    INTEGER NOT NULL,
  kind  TEXT    NOT NULL, -- match.DueRemind and so on
  game  TEXT    NOT NULL, -- id; '' none
  place INTEGER NOT NULL, -- seat row of the game
  step  INTEGER NOT NULL, -- length of the game's log when this was noted
  ref   TEXT    NOT NULL  -- what else the kind needs
) STRICT;
CREATE INDEX due_at ON due (at);
CREATE INDEX due_game ON due (game, kind, place);

-- PEOPLE

CREATE TABLE players (
  id         INTEGER PRIMARY KEY,
  name       TEXT    NOT NULL,
  address    TEXT    NOT NULL, -- where letters go
  registered INTEGER NOT NULL, -- boolean: has answered a letter of ours
  text       INTEGER NOT NULL, -- boolean: wants letters without HTML
  every      INTEGER NOT NULL, -- boolean: wants a letter for every step, not only when to move
  created    INTEGER NOT NULL,
  zone       TEXT    NOT NULL DEFAULT '', -- IANA name of the time zone; '' UTC
  days_off   TEXT    NOT NULL DEFAULT '', -- days of the week on which the player's clocks stand still
  away       TEXT    NOT NULL DEFAULT '', -- vacations: 2027-03-10/2027-03-20 ...
  reminders  TEXT    NOT NULL DEFAULT '', -- when to be reminded of a deadline; '' as usual
  quiet      TEXT    NOT NULL DEFAULT ''  -- hours without reminders; '' none
) STRICT;

CREATE TABLE addresses (
  address TEXT    PRIMARY KEY,
  player  INTEGER NOT NULL, -- 0: no player's
  never   INTEGER NOT NULL, -- boolean: wants no letters from this server
  bounced INTEGER NOT NULL  -- boolean: letters to it come back
) STRICT, WITHOUT ROWID;
CREATE INDEX addresses_player ON addresses (player) WHERE player <> 0;

-- GAMES

CREATE TABLE games (
  number     INTEGER PRIMARY KEY,
  id         TEXT    NOT NULL UNIQUE, -- random, in addresses of pages
  state      TEXT    NOT NULL,        -- match.GameRunning and so on
  name       TEXT    NOT NULL,        -- '' none
  options    TEXT    NOT NULL,        -- JSON, match.Options
  visibility TEXT    NOT NULL,        -- listed, unlisted or private: now
  wanted     TEXT    NOT NULL,        -- the visibility that was asked for and that not all have agreed to
  organiser  INTEGER NOT NULL,        -- player; 0 none
  league     TEXT    NOT NULL DEFAULT '', -- id; '' none
  sealed     INTEGER NOT NULL DEFAULT 0,  -- boolean: others play with the same seed and must not learn it
  set_hash   TEXT    NOT NULL DEFAULT '', -- of the component set; '' before the game begins
  seed       BLOB    NOT NULL,
  mixed      INTEGER NOT NULL,        -- boolean: players' words are mixed into the seed
  steps      INTEGER NOT NULL,        -- length of the log
  result     TEXT    NOT NULL,        -- JSON, match.Outcome; '' before the end
  shown      INTEGER NOT NULL DEFAULT 0, -- boolean: was ever to be seen without a key (gone, not unknown, once private)
  counted    INTEGER NOT NULL DEFAULT 0, -- batch in which statistics counted it; 0 not yet, -1 cannot be
  finish     INTEGER NOT NULL DEFAULT 0, -- order in which games were finished, from 1; 0 not finished. Ratings go by it
  paused     INTEGER NOT NULL DEFAULT 0, -- since when no clock runs; 0: they do
  created    INTEGER NOT NULL,
  started    INTEGER NOT NULL,
  changed    INTEGER NOT NULL,
  ended      INTEGER NOT NULL,
  -- What the archive finds games by.
  players    INTEGER AS (json_extract(options, '$.players')) VIRTUAL,
  rules      TEXT AS (json_extract(options, '$.rules')) VIRTUAL,
  edition    TEXT AS (json_extract(options, '$.edition')) VIRTUAL,
  ending     TEXT AS (CASE result WHEN '' THEN '' ELSE json_extract(result, '$.ending') END) VIRTUAL,
  winners    TEXT AS (CASE result WHEN '' THEN '' ELSE json_extract(result, '$.winners') END) VIRTUAL -- seats: [1,3]
) STRICT;
CREATE INDEX games_state ON games (state, changed);
CREATE INDEX games_listed ON games (changed) WHERE visibility = 'listed' AND started > 0;
CREATE INDEX games_archive ON games (number, state, players, rules, edition, ending, started) WHERE visibility = 'listed' AND started > 0;
CREATE INDEX games_league ON games (league, number) WHERE league <> '';
CREATE INDEX games_counted ON games (counted, number) WHERE state = 'finished';
CREATE INDEX games_voided ON games (number) WHERE state = 'void' AND counted > 0;
CREATE UNIQUE INDEX games_finish ON games (finish) WHERE finish > 0;

CREATE TRIGGER games_shown_first AFTER INSERT ON games WHEN new.visibility <> 'private'
BEGIN
  UPDATE games SET shown = 1 WHERE number = new.number;
END;
CREATE TRIGGER games_shown AFTER UPDATE OF visibility ON games WHEN new.visibility <> 'private' AND new.shown = 0
BEGIN
  UPDATE games SET shown = 1 WHERE number = new.number;
END;

-- A game that was adjudicated counts as finished.
CREATE TRIGGER games_finished AFTER UPDATE OF state ON games WHEN new.state IN ('finished', 'adjudicated') AND old.finish = 0
BEGIN
  UPDATE games SET finish = 1 + (SELECT coalesce(max(finish), 0) FROM games WHERE finish > 0) WHERE number = new.number;
END;
CREATE TRIGGER games_added_finished AFTER INSERT ON games WHEN new.state IN ('finished', 'adjudicated')
BEGIN
  UPDATE games SET finish = 1 + (SELECT coalesce(max(finish), 0) FROM games WHERE finish > 0) WHERE number = new.number;
END;
CREATE TRIGGER games_unfinished AFTER UPDATE OF state ON games WHEN new.state NOT IN ('finished', 'adjudicated') AND old.finish > 0
BEGIN
  UPDATE games SET finish = 0 WHERE number = new.number;
END;

-- The seats of a game. place is the order of invitation and never changes; seat is
-- where the player sits once the game begins.
CREATE TABLE seats (
  game     INTEGER NOT NULL REFERENCES games,
  place    INTEGER NOT NULL, -- from 1
  seat     INTEGER NOT NULL, -- from 1; 0 before the game begins
  player   INTEGER NOT NULL, -- 0: a bot
  heir     INTEGER NOT NULL, -- player who is asked to take the seat over; 0 none
  bot      TEXT    NOT NULL, -- the bot that plays; '' a player
  stage    TEXT    NOT NULL, -- match.SeatJoined and so on
  name     TEXT    NOT NULL,
  entropy  TEXT    NOT NULL, -- the player's word for the seed
  seen     INTEGER NOT NULL, -- length of the log that the last letter told of
  thread   TEXT    NOT NULL, -- Message-ID that heads the player's thread
  agreed   TEXT    NOT NULL, -- what the player has agreed to
  muted    INTEGER NOT NULL DEFAULT 0, -- player who wants only answers to his letters; 0 none
  deadline INTEGER NOT NULL DEFAULT 0, -- of the decision the game waits for; 0 it does not wait
  bank     INTEGER NOT NULL DEFAULT 0, -- what is left of the time bank
  missed   INTEGER NOT NULL DEFAULT 0, -- turns in a row that a bot played because time ran out
  left     INTEGER NOT NULL DEFAULT 0, -- while the game is paused: what was left until the deadline
  PRIMARY KEY (game, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_player ON seats (player, game) WHERE player <> 0;
CREATE INDEX seats_heir ON seats (heir, game) WHERE heir <> 0;
CREATE INDEX seats_deadline ON seats (deadline) WHERE deadline > 0;

-- What happened in a game, line by line: the game is its options, seed and log.
CREATE TABLE log (
  game  INTEGER NOT NULL REFERENCES games,
  n     INTEGER NOT NULL, -- from 1
  seat  INTEGER NOT NULL,
  by    ANY     NOT NULL, -- player, organiser, bot ... (pack.go)
  line  TEXT    NOT NULL, -- an order, canonical
  told  TEXT    NOT NULL, -- what chance decided, joined by "; "
  PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;

-- Who plays a seat, from after a line of the log on (0: from the start).
CREATE TABLE stints (
  game   INTEGER NOT NULL REFERENCES games,
  place  INTEGER NOT NULL,
  since  INTEGER NOT NULL,
  player INTEGER NOT NULL, -- 0: a bot
  bot    TEXT    NOT NULL, -- '' a player
  name   TEXT    NOT NULL,
  why    TEXT    NOT NULL, -- match.StintStart and so on
  PRIMARY KEY (game, place, since)
) STRICT, WITHOUT ROWID;

-- The addresses of players' pages. The newest of a game and place opens it.
CREATE TABLE keys (
  id     INTEGER PRIMARY KEY,
  game   INTEGER NOT NULL REFERENCES games,
  place  INTEGER NOT NULL,
  player INTEGER NOT NULL,
  key    TEXT    NOT NULL,
  mute   TEXT    NOT NULL DEFAULT '' -- key that can only mute
) STRICT;
CREATE INDEX keys_game ON keys (game, place);

-- Messages between players, and notes to oneself.
CREATE TABLE press (
  id     INTEGER PRIMARY KEY,
  game   INTEGER NOT NULL REFERENCES games,
  place  INTEGER NOT NULL, -- who wrote
  dest   INTEGER NOT NULL, -- place; 0 all, -1 a note
  step   INTEGER NOT NULL, -- length of the log
  text   TEXT    NOT NULL,
  at     INTEGER NOT NULL,
  writer INTEGER NOT NULL DEFAULT 0, -- player; a place may change hands, and successors do not
  reader INTEGER NOT NULL DEFAULT 0  -- read what was written or told to their predecessor alone
) STRICT;
CREATE INDEX press_game ON press (game, id);
CREATE INDEX press_at ON press (game, at);

-- The words of messages, and zzg with the number of the game.
CREATE VIRTUAL TABLE said USING fts4 (text, tokenize=unicode61, order=desc);

-- Standing orders.
CREATE TABLE standing (
  game   INTEGER NOT NULL REFERENCES games,
  place  INTEGER NOT NULL,
  player INTEGER NOT NULL,
  orders TEXT    NOT NULL, -- JSON
  PRIMARY KEY (game, place)
) STRICT, WITHOUT ROWID;

-- A player's plan for the next turn, which only that player sees, and what became of
-- the previous one, until a letter says so.
CREATE TABLE plans (
  game   INTEGER NOT NULL REFERENCES games,
  place  INTEGER NOT NULL,
  player INTEGER NOT NULL,
  turn   INTEGER NOT NULL, -- turns the seat will have completed when the plan is tried
  step   INTEGER NOT NULL, -- length of the log when it was made
  lines  TEXT    NOT NULL, -- of a letter; '' none
  told   TEXT    NOT NULL, -- JSON; '' nothing
  PRIMARY KEY (game, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE rulings (
  game   INTEGER NOT NULL REFERENCES games,
  n      INTEGER NOT NULL, -- from 1
  at     INTEGER NOT NULL,
  by     INTEGER NOT NULL, -- player; 0: the server's host
  who    TEXT    NOT NULL, -- the name then
  kind   TEXT    NOT NULL,
  args   TEXT    NOT NULL, -- JSON
  reason TEXT    NOT NULL,
  step   INTEGER NOT NULL, -- length of the log after it
  PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;

-- LETTERS

-- Texts that many letters repeat: addresses, and the hosts of Message-IDs with
-- their "@".
CREATE TABLE texts (
  id   INTEGER PRIMARY KEY,
  text TEXT    NOT NULL UNIQUE
) STRICT;

-- Letters in.
CREATE TABLE letters (
  id         INTEGER PRIMARY KEY,
  message_id ANY     NOT NULL, -- before the host
  host       INTEGER NOT NULL REFERENCES texts,
  sender     INTEGER NOT NULL REFERENCES texts,
  token      ANY     NOT NULL, -- the letter out that bears it; as given if none does
  date       INTEGER NOT NULL,
  body_hash  BLOB    NOT NULL,
  class      ANY     NOT NULL,
  state      ANY     NOT NULL,
  why        TEXT    NOT NULL, -- it is in that state
  attempts   INTEGER NOT NULL,
  repeats    INTEGER NOT NULL, -- how often it has come again
  answer     INTEGER NOT NULL, -- letter out; 0 none
  received   INTEGER NOT NULL
) STRICT;
-- Other servers' Message-IDs may be long; their ends tell them apart.
CREATE INDEX letters_message_id ON letters (substr(message_id, -12));
CREATE INDEX letters_like ON letters (sender, date);
CREATE INDEX letters_open ON letters (state, id) WHERE state IN (1, 2, 3);

-- The bytes of letters that wait or were set aside.
CREATE TABLE raw (
  letter INTEGER PRIMARY KEY REFERENCES letters,
  bytes  BLOB    NOT NULL
) STRICT;

-- Letters out, each with the token of its Reply-To. What a letter says is made from
-- its row when it is sent.
CREATE TABLE out (
  id          INTEGER PRIMARY KEY,
  kind        ANY     NOT NULL, -- of letter (pack.go)
  version     INTEGER NOT NULL, -- of the answer's JSON
  address     INTEGER NOT NULL REFERENCES texts,
  player      INTEGER NOT NULL,
  game        INTEGER NOT NULL, -- 0: none
  league      INTEGER NOT NULL DEFAULT 0, -- 0: none
  place       INTEGER NOT NULL,
  seat        INTEGER NOT NULL,
  turn        INTEGER NOT NULL, -- turns the seat had completed
  since       INTEGER NOT NULL, -- length of the log that the letter before told of
  step        INTEGER NOT NULL, -- length of the log
  confirm     INTEGER NOT NULL, -- the question that yes and no decide
  result      ANY     NOT NULL, -- what became of the letter it answers (pack.go)
  token       ANY     NOT NULL,
  key         INTEGER NOT NULL, -- of the page; 0 none
  format      TEXT    NOT NULL,
  answer      BLOB    NOT NULL, -- JSON, deflated (answer.go)
  date        INTEGER NOT NULL,
  message_id  ANY     NOT NULL UNIQUE, -- before the host
  host        INTEGER NOT NULL REFERENCES texts,
  thread      INTEGER NOT NULL, -- letter that heads the thread; 0 itself
  reply       INTEGER NOT NULL, -- letter in that it answers; 0 none
  state       ANY     NOT NULL,
  tries       INTEGER NOT NULL DEFAULT 0,
  due         INTEGER NOT NULL, -- of a queued letter: when to try next
  entered     INTEGER NOT NULL DEFAULT 0, -- from when its age counts; moves with all that waits when the clock jumps
  error       TEXT    NOT NULL DEFAULT '' -- of the last try
) STRICT;
CREATE INDEX out_due ON out (due, id) WHERE state = 1;
CREATE INDEX out_token ON out (substr(token, 1, 8)); -- half of it tells them apart
CREATE INDEX out_game ON out (game, place) WHERE game <> 0;
CREATE INDEX out_collected ON out (address, id) WHERE state = 3;

-- Questions that wait for a yes or no.
CREATE TABLE confirms (
  id      INTEGER PRIMARY KEY,
  kind    TEXT    NOT NULL,
  player  INTEGER NOT NULL,
  address TEXT    NOT NULL, -- that was asked
  game    TEXT    NOT NULL, -- id; '' none
  letter  INTEGER NOT NULL, -- letter in that led to it
  lines   TEXT    NOT NULL, -- JSON: what is done upon a yes
  twin    INTEGER NOT NULL, -- a question that is answered with this one; 0 none
  said    INTEGER NOT NULL, -- boolean: answered with yes
  open    INTEGER NOT NULL, -- boolean
  expires INTEGER NOT NULL,
  created INTEGER NOT NULL
) STRICT;
CREATE INDEX confirms_open ON confirms (kind, address) WHERE open <> 0;

-- LEAGUES

-- A league is its file, its secret and its log; all else is computed.
CREATE TABLE leagues (
  number     INTEGER PRIMARY KEY,
  id         TEXT    NOT NULL UNIQUE,
  name       TEXT    NOT NULL,
  file       TEXT    NOT NULL, -- as league.ParseRules reads it
  secret     BLOB    NOT NULL, -- seeds of seasons and rounds come from it
  visibility TEXT    NOT NULL,
  over       INTEGER NOT NULL, -- boolean: there will be no further season
  lines      INTEGER NOT NULL, -- length of its log
  created    INTEGER NOT NULL,
  changed    INTEGER NOT NULL
) STRICT;
CREATE INDEX leagues_listed ON leagues (over, number) WHERE visibility = 'listed';

CREATE TABLE league_log (
  league INTEGER NOT NULL REFERENCES leagues,
  n      INTEGER NOT NULL,
  at     INTEGER NOT NULL,
  by     INTEGER NOT NULL, -- player; 0 the server
  kind   TEXT    NOT NULL,
  args   TEXT    NOT NULL, -- JSON
  PRIMARY KEY (league, n)
) STRICT, WITHOUT ROWID;

-- Everyone who ever joined a league, to find leagues without reading their logs.
CREATE TABLE league_players (
  player INTEGER NOT NULL,
  league INTEGER NOT NULL REFERENCES leagues,
  PRIMARY KEY (player, league)
) STRICT, WITHOUT ROWID;

-- Threads of a league's letters to a player.
CREATE TABLE league_threads (
  league INTEGER NOT NULL,
  player INTEGER NOT NULL,
  season INTEGER NOT NULL,
  head   TEXT    NOT NULL, -- Message-ID that heads the thread
  mute   TEXT    NOT NULL DEFAULT '', -- key of the address that mutes the league; '' none yet
  muted  INTEGER NOT NULL DEFAULT 0,  -- boolean: wants no more of them
  PRIMARY KEY (league, player)
) STRICT, WITHOUT ROWID;

-- STATISTICS AND RATINGS

-- What the counted games of one kind came to.
CREATE TABLE statistics (
  kind    TEXT    PRIMARY KEY,
  options TEXT    NOT NULL, -- JSON
  games   INTEGER NOT NULL,
  series  TEXT    NOT NULL  -- JSON
) STRICT, WITHOUT ROWID;

-- The rating of each player and bot, by kind of game.
CREATE TABLE ratings (
  kind   TEXT    NOT NULL,
  player INTEGER NOT NULL, -- 0: a bot
  bot    TEXT    NOT NULL, -- '' a player
  name   TEXT    NOT NULL, -- in the last game
  games  INTEGER NOT NULL,
  mu     REAL    NOT NULL,
  sigma  REAL    NOT NULL,
  finish INTEGER NOT NULL, -- of the last game
  low    REAL AS (mu - 2 * sigma) VIRTUAL,
  PRIMARY KEY (kind, player, bot)
) STRICT, WITHOUT ROWID;
CREATE INDEX ratings_order ON ratings (kind, player = 0, low DESC, player, bot);
CREATE INDEX ratings_player ON ratings (player, kind) WHERE player > 0;
CREATE INDEX ratings_name ON ratings (name COLLATE NOCASE, player) WHERE player > 0;
CREATE INDEX ratings_finish ON ratings (finish);

-- What each finished game did to ratings.
CREATE TABLE rated (
  finish INTEGER NOT NULL, -- of the game
  kind   TEXT    NOT NULL,
  player INTEGER NOT NULL,
  bot    TEXT    NOT NULL,
  name   TEXT    NOT NULL,
  games  INTEGER NOT NULL, -- with this one
  mu     REAL    NOT NULL, -- after it
  sigma  REAL    NOT NULL,
  place  INTEGER NOT NULL, -- in which the seat came in
  seats  INTEGER NOT NULL, -- in the game
  turns  INTEGER NOT NULL, -- that this player took
  of     INTEGER NOT NULL, -- that the seat took
  parted TEXT    NOT NULL, -- how the player left the seat; '' played to the end
  PRIMARY KEY (finish, player, bot)
) STRICT, WITHOUT ROWID;
CREATE INDEX rated_who ON rated (kind, player, bot, finish);

-- What changes a game's result has ratings begin again before it.
CREATE TRIGGER games_rated AFTER UPDATE OF state, visibility, result ON games
  WHEN old.finish > 0 AND (old.state <> new.state OR old.result <> new.result OR (old.visibility = 'listed') <> (new.visibility = 'listed'))
BEGIN
  UPDATE meta SET value = min(value, old.finish - 1) WHERE key = 'rated';
END;
CREATE TRIGGER rulings_rated AFTER INSERT ON rulings
  WHEN new.kind IN ('adjudicate', 'correct') AND (SELECT finish FROM games WHERE number = new.game) > 0
BEGIN
  UPDATE meta SET value = min(value, (SELECT finish FROM games WHERE number = new.game) - 1) WHERE key = 'rated';
END;

-- THE ARCHIVE

-- The words by which listed games are found: names of the game and its players, and
-- made-up words for what else is asked for: zzs state, zzn players, zzr rules, zze
-- edition, zzx ending; and for each player zzp, with zzw or zzl for won or lost. No
-- one wins a void game, or with a seat left to a bot.
CREATE VIEW archive AS SELECT number,
  name || ' zzs' || state || ' zzn' || players || ' zzr' || rules || ' zze' || edition || ' zzx' || ending || ' ' || coalesce((
    SELECT group_concat(s.name || CASE WHEN s.player = 0 OR s.seat = 0 THEN '' ELSE ' zzp' || s.player ||
      CASE WHEN games.ending = '' OR games.state = 'void' THEN '' WHEN instr(games.winners, s.seat) > 0 AND s.bot = '' THEN ' zzw' || s.player ELSE ' zzl' || s.player END END, ' ')
    FROM seats AS s WHERE s.game = games.number), '') AS text
  FROM games WHERE visibility = 'listed' AND started > 0;
CREATE VIRTUAL TABLE names USING fts4 (text, tokenize=unicode61, order=desc);
CREATE TRIGGER games_named AFTER UPDATE OF name, visibility, started, state, result ON games
  WHEN (new.visibility = 'listed' OR old.visibility = 'listed') AND (old.name <> new.name OR old.visibility <> new.visibility
    OR (old.started > 0) <> (new.started > 0) OR old.state <> new.state OR old.result <> new.result)
BEGIN
  DELETE FROM names WHERE docid = new.number;
  INSERT INTO names (docid, text) SELECT number, text FROM archive WHERE number = new.number;
END;
CREATE TRIGGER seats_named AFTER UPDATE OF name, player, seat, bot ON seats
  WHEN old.name <> new.name OR old.player <> new.player OR old.seat <> new.seat OR (old.bot = '') <> (new.bot = '')
BEGIN
  DELETE FROM names WHERE docid = new.game;
  INSERT INTO names (docid, text) SELECT number, text FROM archive WHERE number = new.game;
END;
CREATE TRIGGER seats_added AFTER INSERT ON seats
BEGIN
  DELETE FROM names WHERE docid = new.game;
  INSERT INTO names (docid, text) SELECT number, text FROM archive WHERE number = new.game;
END;

DELETE FROM meta;
INSERT INTO meta (key, value) VALUES ('beat', 0);
INSERT INTO meta (key, value) VALUES ('beats', 0);
INSERT INTO meta (key, value) VALUES ('copied', 0);
INSERT INTO meta (key, value) VALUES ('id', 'b936800380099d0f3e6b0999cd2282f4');
INSERT INTO meta (key, value) VALUES ('rated', 0);
INSERT INTO counters (key, day, n) VALUES ('answers/ada@home.test', '2026-11-21', 1);
INSERT INTO due (id, at, kind, game, place, step, ref) VALUES (1, 1795249800000, 'remind', 'abcdefgh', 1, 2, '');
INSERT INTO players (id, name, address, registered, text, every, created, zone, days_off, away, reminders, quiet) VALUES (1, 'Ada', 'ada@home.test', 1, 0, 1, 1795249800000, '', '', '', '', '');
INSERT INTO addresses (address, player, never, bounced) VALUES ('ada@home.test', 1, 0, 0);
INSERT INTO texts (id, text) VALUES (1, 'ada@home.test');
INSERT INTO texts (id, text) VALUES (2, '@angelpost.test');
INSERT INTO texts (id, text) VALUES (3, '@home.test');
INSERT INTO games (number, id, state, name, options, visibility, wanted, organiser, league, sealed, set_hash, seed, mixed, steps, result, shown, counted, finish, paused, created, started, changed, ended) VALUES (1, 'abcdefgh', 'running', 'Harvest', '{"players":2,"rules":"base","edition":"revised","rules_version":1,"set":"crossing"}', 'listed', '', 1, '', 0, 'a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5', X'0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f', 1, 2, '', 1, 0, 0, 0, 1795249800000, 1795249800000, 1795249800000, 0);
INSERT INTO seats (game, place, seat, player, heir, bot, stage, name, entropy, seen, thread, agreed, muted, deadline, bank, missed, left) VALUES (1, 1, 2, 1, 0, '', 'joined', 'Ada', 'moon', -1, '', '', 0, 0, 0, 0, 0);
INSERT INTO seats (game, place, seat, player, heir, bot, stage, name, entropy, seen, thread, agreed, muted, deadline, bank, missed, left) VALUES (1, 2, 1, 0, 0, 'greedy', 'joined', 'Bot', '', -1, '', '', 0, 0, 0, 0, 0);
INSERT INTO log (game, n, seat, by, line, told) VALUES (1, 1, 1, 1, 'B', 'orange die 3; gray die 0');
INSERT INTO log (game, n, seat, by, line, told) VALUES (1, 2, 1, 1, 'done', '');
INSERT INTO keys (id, game, place, player, key, mute) VALUES (1, 1, 1, 1, 'old', 'old button');
INSERT INTO keys (id, game, place, player, key, mute) VALUES (2, 1, 1, 1, 'key', 'button');
INSERT INTO press (id, game, place, dest, step, text, at, writer, reader) VALUES (1, 1, 1, 0, 2, 'Hello', 1795249800000, 0, 0);
INSERT INTO letters (id, message_id, host, sender, token, date, body_hash, class, state, why, attempts, repeats, answer, received) VALUES (1, 'in-1', 3, 1, 1, 1795249800000, X'abababababababababababababababababababababababababababababababab', 0, 1, '', 1, 0, 0, 1795249800000);
INSERT INTO raw (letter, bytes) VALUES (1, X'7261770d0a6c6574746572');
INSERT INTO out (id, kind, version, address, player, game, league, place, seat, turn, since, step, confirm, result, token, key, format, answer, date, message_id, host, thread, reply, state, tries, due, entered, error) VALUES (1, 3, 1, 1, 1, 1, 0, 1, 2, 0, -1, 0, 0, 1, X'4101c031020f9720d6f729bef5488ace', 1, '', X'aa46a876ca2f51d251724c495442b70b661300', 1795249800000, X'2c83c704bb10f68619bc', 2, 0, 0, 1, 0, 1795249800000, 1795249800000, '');
INSERT INTO out (id, kind, version, address, player, game, league, place, seat, turn, since, step, confirm, result, token, key, format, answer, date, message_id, host, thread, reply, state, tries, due, entered, error) VALUES (2, 0, 1, 1, 1, 1, 0, 1, 2, 3, 1, 2, 0, 0, 'tok1', 2, 'text', X'c25539e3d0e704d7e88423586a0100', 1795249860000, 'out-2', 2, 1, 1, 1, 0, 1795249860000, 1795249860000, '');
INSERT INTO confirms (id, kind, player, address, game, letter, lines, twin, said, open, expires, created) VALUES (1, 'alias', 1, 'ada@work.test', 'abcdefgh', 1, '{}', 0, 0, 1, 1795249800000, 1795249800000);
INSERT INTO said (docid, text) SELECT id, text || ' zzg' || game FROM press;
COMMIT;
PRAGMA user_version = 1;
