-- The key that only mutes, beside each page's. Keys from before are both: their
-- letters are out, and the button in them goes on working.
ALTER TABLE keys ADD COLUMN mute TEXT NOT NULL DEFAULT '';
UPDATE keys SET mute = key;
