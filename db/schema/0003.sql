-- Who wants no letters about a game any more but answers to his own: a player
-- in seats, 0 for nobody.
ALTER TABLE seats ADD COLUMN muted INTEGER NOT NULL DEFAULT 0;
