-- The first schema. Never edited: what changes comes as the next file.
-- Times are milliseconds since 1970 UTC, 0 for none. Tables that hang on a
-- game name it by its number, not by the id that players see. Columns of type
-- ANY hold words by their numbers and base32 texts as bytes, see pack.go.

-- Texts that many letters repeat: addresses, and the hosts of Message-IDs with
-- their "@".
CREATE TABLE texts (
  id   INTEGER PRIMARY KEY,
  text TEXT    NOT NULL UNIQUE
) STRICT;

CREATE TABLE players (
  id         INTEGER PRIMARY KEY,
  name       TEXT    NOT NULL,
  address    TEXT    NOT NULL,
  registered INTEGER NOT NULL,
  text       INTEGER NOT NULL,
  every      INTEGER NOT NULL,
  created    INTEGER NOT NULL
) STRICT;

CREATE TABLE addresses (
  address TEXT    PRIMARY KEY,
  player  INTEGER NOT NULL, -- 0: nobody's
  never   INTEGER NOT NULL,
  bounced INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX addresses_player ON addresses (player) WHERE player <> 0;

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
CREATE INDEX games_state ON games (state, changed);
CREATE INDEX games_listed ON games (changed) WHERE visibility = 'listed' AND started > 0;

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
CREATE INDEX seats_player ON seats (player, game) WHERE player <> 0;
CREATE INDEX seats_heir ON seats (heir, game) WHERE heir <> 0;

CREATE TABLE log (
  game  INTEGER NOT NULL REFERENCES games,
  n     INTEGER NOT NULL,
  seat  INTEGER NOT NULL,
  by    ANY     NOT NULL,
  line  TEXT    NOT NULL,
  told  TEXT    NOT NULL, -- joined by "; "
  PRIMARY KEY (game, n)
) STRICT, WITHOUT ROWID;

-- A row for each address a private page ever had; the youngest of a game and
-- place is the one that opens it.
CREATE TABLE keys (
  id     INTEGER PRIMARY KEY,
  game   INTEGER NOT NULL REFERENCES games,
  place  INTEGER NOT NULL,
  player INTEGER NOT NULL,
  key    TEXT    NOT NULL
) STRICT;
CREATE INDEX keys_game ON keys (game, place);

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
CREATE INDEX confirms_open ON confirms (kind, address) WHERE open <> 0;

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
-- Foreign Message-IDs may be long; their ends tell them apart.
CREATE INDEX letters_message_id ON letters (substr(message_id, -12));
CREATE INDEX letters_like ON letters (sender, date);
CREATE INDEX letters_open ON letters (state, id) WHERE state IN (1, 2, 3);

CREATE TABLE raw (
  letter INTEGER PRIMARY KEY REFERENCES letters,
  bytes  BLOB    NOT NULL
) STRICT;

-- The ledger of letters out, each with the token its Reply-To bears.
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
CREATE INDEX out_due ON out (due, id) WHERE state = 1;
CREATE INDEX out_token ON out (substr(token, 1, 8)); -- half of it tells them apart
CREATE INDEX out_game ON out (game, place) WHERE game <> 0;
CREATE INDEX out_collected ON out (address, id) WHERE state = 3;

CREATE TABLE press (
  id     INTEGER PRIMARY KEY,
  game   INTEGER NOT NULL REFERENCES games,
  place  INTEGER NOT NULL,
  dest   INTEGER NOT NULL, -- place; 0 all, -1 a note
  step   INTEGER NOT NULL,
  text   TEXT    NOT NULL,
  at     INTEGER NOT NULL
) STRICT;
CREATE INDEX press_game ON press (game, id);

CREATE TABLE counters (
  key TEXT    NOT NULL,
  day TEXT    NOT NULL,
  n   INTEGER NOT NULL,
  PRIMARY KEY (key, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE due (
  id    INTEGER PRIMARY KEY,
  at    INTEGER NOT NULL,
  kind  TEXT    NOT NULL,
  game  TEXT    NOT NULL,
  place INTEGER NOT NULL,
  step  INTEGER NOT NULL,
  ref   TEXT    NOT NULL
) STRICT;
CREATE INDEX due_at ON due (at);
CREATE INDEX due_game ON due (game, kind, place);
