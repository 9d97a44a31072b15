-- Since when mail does not flow both ways; 0: it does.
INSERT INTO meta VALUES ('stopped', 0);

-- Whether the mail server may have taken a queued letter: 0 it has not; 1 it is being given the
-- letter; 2 it may have, for its answer was lost. Only letters at 0 may be dropped or made anew.
ALTER TABLE out ADD COLUMN unsure INTEGER NOT NULL DEFAULT 0;
-- Letters that were dropped; 6 is their state (pack.go).
CREATE INDEX out_dropped ON out (id) WHERE state = 6;
