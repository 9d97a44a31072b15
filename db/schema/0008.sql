-- Trouble that the host hears of, by its kind.
CREATE TABLE alarms (
  kind  TEXT    PRIMARY KEY, -- notice.AlarmMailbox and so on
  since INTEGER NOT NULL,    -- when it began; 0: all is well
  told  INTEGER NOT NULL,    -- when the host had the last letter about it; 0 none yet
  why   TEXT    NOT NULL     -- what was found last
) STRICT, WITHOUT ROWID;
