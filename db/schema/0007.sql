-- Addresses and domains whose letters the host wants neither played nor answered.
CREATE TABLE blocked (
  what  TEXT    PRIMARY KEY, -- address, or domain with all below it
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
