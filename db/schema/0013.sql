-- The keys of the MACs that tokens of letters bear. The one with the largest number is in
-- use; tokens of the others are still known.
CREATE TABLE token_keys (
  n     INTEGER PRIMARY KEY,
  key   BLOB    NOT NULL, -- 32 random bytes
  since INTEGER NOT NULL
) STRICT;
INSERT INTO token_keys VALUES (1, randomblob(32), CAST(strftime('%s', 'now') AS INTEGER) * 1000);

-- Letters that came by LMTP and are not in the mailbox's folder of done letters yet.
CREATE TABLE unfiled (
  letter INTEGER PRIMARY KEY
) STRICT;
