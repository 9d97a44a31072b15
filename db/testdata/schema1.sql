-- The first schema with one of everything in it (db_test.go, fill), as sqlite3's
-- .dump wrote it. Frozen: TestFirstSchemaIsUpgraded opens it with today's program.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE texts (
  id   INTEGER PRIMARY KEY,
  text TEXT    NOT NULL UNIQUE
) STRICT;
INSERT INTO texts VALUES(1,'ada@home.test');
INSERT INTO texts VALUES(2,'@angelpost.test');
INSERT INTO texts VALUES(3,'@home.test');
CREATE TABLE players (
  id         INTEGER PRIMARY KEY,
  name       TEXT    NOT NULL,
  address    TEXT    NOT NULL,
  registered INTEGER NOT NULL,
  text       INTEGER NOT NULL,
  every      INTEGER NOT NULL,
  created    INTEGER NOT NULL
) STRICT;
INSERT INTO players VALUES(1,'Ada','ada@home.test',1,0,1,1795249800000);
CREATE TABLE addresses (
  address TEXT    PRIMARY KEY,
  player  INTEGER NOT NULL, -- 0: nobody's
  never   INTEGER NOT NULL,
  bounced INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO addresses VALUES('ada@home.test',1,0,0);
CREATE TABLE games (
  number     INTEGER PRIMARY KEY,
  id         TEXT    NOT NULL UNIQUE,
  state      TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  options    TEXT    NOT NULL, -- JSON
  visibility TEXT    NOT NULL,
  wanted     TEXT    NOT NULL,
  organiser  INTEGER NOT NULL,
  seed       BLOB    NOT NULL,
  mixed      INTEGER NOT NULL,
  steps      INTEGER NOT NULL,
  result     TEXT    NOT NULL, -- JSON, '' before the end
  created    INTEGER NOT NULL,
  started    INTEGER NOT NULL,
  changed    INTEGER NOT NULL,
  ended      INTEGER NOT NULL
) STRICT;
INSERT INTO games VALUES(1,'abcdefgh','running','Harvest','{"players":2,"rules":"base","edition":"revised","rules_version":1,"set":"ours"}','listed','',1,X'0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f',1,2,'',1795249800000,1795249800000,1795249800000,0);
CREATE TABLE seats (
  game    INTEGER NOT NULL REFERENCES games,
  place   INTEGER NOT NULL,
  seat    INTEGER NOT NULL,
  player  INTEGER NOT NULL, -- 0: a bot
  heir    INTEGER NOT NULL,
  bot     TEXT    NOT NULL,
  stage   TEXT    NOT NULL,
  name    TEXT    NOT NULL,
  entropy TEXT    NOT NULL,
  seen    INTEGER NOT NULL,
  thread  TEXT    NOT NULL,
  agreed  TEXT    NOT NULL,
  PRIMARY KEY (game, place)
) STRICT, WITHOUT ROWID;
INSERT INTO seats VALUES(1,1,2,1,0,'','joined','Ada','moon',-1,'','');
INSERT INTO seats VALUES(1,2,1,0,0,'greedy','joined','Bot','',-1,'','');
CREATE TABLE log (
  game  INTEGER NOT NULL REFERENCES games,
  n     INTEGER NOT NULL,
  seat  INTEGER NOT NULL,
  by    ANY     NOT NULL,
  line  TEXT    NOT NULL,
  told  TEXT    NOT NULL, -- joined by "; "
  PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;
INSERT INTO log VALUES(1,1,1,1,'B','orange die 3; gray die 0');
INSERT INTO log VALUES(1,2,1,1,'done','');
CREATE TABLE keys (
  id     INTEGER PRIMARY KEY,
  game   INTEGER NOT NULL REFERENCES games,
  place  INTEGER NOT NULL,
  player INTEGER NOT NULL,
  key    TEXT    NOT NULL
) STRICT;
INSERT INTO keys VALUES(1,1,1,1,'old');
INSERT INTO keys VALUES(2,1,1,1,'key');
CREATE TABLE confirms (
  id      INTEGER PRIMARY KEY,
  kind    TEXT    NOT NULL,
  player  INTEGER NOT NULL,
  address TEXT    NOT NULL,
  game    TEXT    NOT NULL,
  letter  INTEGER NOT NULL,
  lines   TEXT    NOT NULL, -- JSON
  twin    INTEGER NOT NULL,
  said    INTEGER NOT NULL,
  open    INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  created INTEGER NOT NULL
) STRICT;
INSERT INTO confirms VALUES(1,'alias',1,'ada@work.test','abcdefgh',1,'{}',0,0,1,1795249800000,1795249800000);
CREATE TABLE letters (
  id         INTEGER PRIMARY KEY,
  message_id ANY     NOT NULL, -- before the host
  host       INTEGER NOT NULL REFERENCES texts,
  sender     INTEGER NOT NULL REFERENCES texts,
  token      ANY     NOT NULL, -- the letter out that bears it; if none does, as it was given
  date       INTEGER NOT NULL,
  body_hash  BLOB    NOT NULL,
  class      ANY     NOT NULL,
  state      ANY     NOT NULL,
  why        TEXT    NOT NULL,
  attempts   INTEGER NOT NULL,
  repeats    INTEGER NOT NULL,
  answer     INTEGER NOT NULL,
  received   INTEGER NOT NULL
) STRICT;
INSERT INTO letters VALUES(1,'in-1',3,1,1,1795249800000,X'abababababababababababababababababababababababababababababababab',0,1,'',1,0,0,1795249800000);
CREATE TABLE raw (
  letter INTEGER PRIMARY KEY REFERENCES letters,
  bytes  BLOB    NOT NULL
) STRICT;
INSERT INTO raw VALUES(1,X'7261770d0a6c6574746572');
CREATE TABLE out (
  id          INTEGER PRIMARY KEY,
  kind        ANY     NOT NULL,
  version     INTEGER NOT NULL,
  address     INTEGER NOT NULL REFERENCES texts,
  player      INTEGER NOT NULL,
  game        INTEGER NOT NULL, -- 0: none
  place       INTEGER NOT NULL,
  seat        INTEGER NOT NULL,
  turn        INTEGER NOT NULL, -- turns the seat had completed
  since       INTEGER NOT NULL,
  step        INTEGER NOT NULL,
  confirm     INTEGER NOT NULL, -- the question that yes and no decide
  result      ANY     NOT NULL,
  token       ANY     NOT NULL,
  key         INTEGER NOT NULL, -- of the page, 0: none
  format      TEXT    NOT NULL,
  answer      BLOB    NOT NULL, -- JSON, deflated (answer.go)
  date        INTEGER NOT NULL,
  message_id  ANY     NOT NULL UNIQUE, -- before the host
  host        INTEGER NOT NULL REFERENCES texts,
  thread      INTEGER NOT NULL, -- the letter that heads the thread, 0: itself
  reply       INTEGER NOT NULL, -- the letter in that it answers, 0: none
  state       ANY     NOT NULL,
  tries       INTEGER NOT NULL DEFAULT 0,
  due         INTEGER NOT NULL, -- of a queued letter
  error       TEXT    NOT NULL DEFAULT ''
) STRICT;
INSERT INTO out VALUES(1,3,1,1,1,1,1,2,0,-1,0,0,1,X'4101c031020f9720d6f729bef5488ace',1,'',X'aa46a876ca2f51d251724c4954c255de0200',1795249800000,X'2c83c704bb10f68619bc',2,0,0,1,0,1795249800000,'');
INSERT INTO out VALUES(2,0,1,1,1,1,1,2,3,1,2,0,0,'tok1',2,'text',X'c25539e3d0e704d7e88423586a0100',1795249860000,'out-2',2,1,1,1,0,1795249860000,'');
CREATE TABLE press (
  id     INTEGER PRIMARY KEY,
  game   INTEGER NOT NULL REFERENCES games,
  place  INTEGER NOT NULL,
  dest   INTEGER NOT NULL, -- place; 0 all, -1 a note
  step   INTEGER NOT NULL,
  text   TEXT    NOT NULL,
  at     INTEGER NOT NULL
) STRICT;
INSERT INTO press VALUES(1,1,1,0,2,'Hello',1795249800000);
CREATE TABLE counters (
  key TEXT    NOT NULL,
  day TEXT    NOT NULL,
  n   INTEGER NOT NULL,
  PRIMARY KEY (key, day)
) STRICT, WITHOUT ROWID;
INSERT INTO counters VALUES('answers/ada@home.test','2026-11-21',1);
CREATE TABLE due (
  id    INTEGER PRIMARY KEY,
  at    INTEGER NOT NULL,
  kind  TEXT    NOT NULL,
  game  TEXT    NOT NULL,
  place INTEGER NOT NULL,
  step  INTEGER NOT NULL,
  ref   TEXT    NOT NULL
) STRICT;
INSERT INTO due VALUES(1,1795249800000,'remind','abcdefgh',1,2,'');
CREATE INDEX addresses_player ON addresses (player) WHERE player <> 0;
CREATE INDEX games_state ON games (state, changed);
CREATE INDEX games_listed ON games (changed) WHERE visibility = 'listed' AND started > 0;
CREATE INDEX seats_player ON seats (player, game) WHERE player <> 0;
CREATE INDEX seats_heir ON seats (heir, game) WHERE heir <> 0;
CREATE INDEX keys_game ON keys (game, place);
CREATE INDEX confirms_open ON confirms (kind, address) WHERE open <> 0;
CREATE INDEX letters_message_id ON letters (substr(message_id, -12));
CREATE INDEX letters_like ON letters (sender, date);
CREATE INDEX letters_open ON letters (state, id) WHERE state IN (1, 2, 3);
CREATE INDEX out_due ON out (due, id) WHERE state = 1;
CREATE INDEX out_token ON out (substr(token, 1, 8));
CREATE INDEX out_game ON out (game, place) WHERE game <> 0;
CREATE INDEX out_collected ON out (address, id) WHERE state = 3;
CREATE INDEX press_game ON press (game, id);
CREATE INDEX due_at ON due (at);
CREATE INDEX due_game ON due (game, kind, place);
COMMIT;
PRAGMA user_version = 1;
