-- Addresses that were a player's once: the letters in and out up to these numbers are
-- still about that player.
CREATE TABLE former (
  player  INTEGER NOT NULL,
  address TEXT    NOT NULL,
  letter  INTEGER NOT NULL,
  sent    INTEGER NOT NULL,
  PRIMARY KEY (player, address)
) STRICT, WITHOUT ROWID;
CREATE INDEX former_address ON former (address);

-- One that another player takes over at once was a guest's who is the same person.
CREATE TRIGGER addresses_former AFTER UPDATE OF player ON addresses WHEN old.player <> 0 AND new.player = 0
BEGIN
  INSERT OR REPLACE INTO former SELECT old.player, old.address, (SELECT coalesce(max(id), 0) FROM letters), (SELECT coalesce(max(id), 0) FROM out);
END;

INSERT INTO former SELECT out.player, texts.text,
    (SELECT coalesce(max(letters.id), 0) FROM letters WHERE letters.sender = texts.id AND letters.received <= max(out.date)), max(out.id)
  FROM out JOIN texts ON texts.id = out.address
  WHERE out.player <> 0 AND NOT EXISTS (SELECT 1 FROM addresses WHERE addresses.address = texts.text AND addresses.player = out.player)
  GROUP BY out.player, texts.text;

CREATE INDEX players_address ON players (address) WHERE address <> '';
