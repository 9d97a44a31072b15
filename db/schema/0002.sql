-- Counters of days gone by are deleted by their day.
CREATE INDEX counters_day ON counters (day);
