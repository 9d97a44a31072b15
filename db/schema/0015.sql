-- Addresses of erased players whose letters are still in the mailbox.
CREATE TABLE erased (
  address TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
