-- Letters about a league bear its id, and the address at which their reader mutes it.
ALTER TABLE league_threads ADD COLUMN mute TEXT NOT NULL DEFAULT ''; -- key of that address, '' none yet
ALTER TABLE league_threads ADD COLUMN muted INTEGER NOT NULL DEFAULT 0; -- its player wants no such letters
ALTER TABLE out ADD COLUMN league INTEGER NOT NULL DEFAULT 0; -- 0: about none, or not known
