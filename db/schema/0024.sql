-- Words are looked for in a game's messages themselves: an index of all games' words kept those of
-- erased ones, too.
DROP TABLE said;

-- What an erasure leaves in the file is overwritten in steps (wipe.go). wipe: the next step, 0 all
-- is done; wipe_free: 1 if pages became free before SQLite overwrote them at once.
-- secret: what hashes and keys of the database are made with.
INSERT INTO meta VALUES ('wipe', 1), ('wipe_free', 1), ('secret', new_secret());
CREATE TABLE zeros (
  id    INTEGER PRIMARY KEY,
  bytes BLOB    NOT NULL
) STRICT;

-- Addresses of erased players, as an HMAC: letters that came before are not read again.
CREATE TABLE erased_hashes (
  hash   BLOB    PRIMARY KEY,
  before INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
