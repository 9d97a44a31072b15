-- The addresses of players' start pages: one each, which a new one replaces.

CREATE TABLE homes (
  player INTEGER PRIMARY KEY,
  key    TEXT    NOT NULL,
  hash   BLOB    NOT NULL UNIQUE -- SHA-256 of the key: how long a search takes tells nothing about keys
) STRICT;
