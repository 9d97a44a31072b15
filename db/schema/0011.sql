-- News of a league that waits for the next letter about it.
ALTER TABLE league_threads ADD COLUMN news TEXT NOT NULL DEFAULT '';         -- JSON of notice.Answer; '' none waits
ALTER TABLE league_threads ADD COLUMN letters INTEGER NOT NULL DEFAULT 0;    -- of news alone, in the season
