-- How many letters the mail server took in each minute of the last day, for its limits.
CREATE TABLE sendings (
  minute  INTEGER PRIMARY KEY, -- since 1970
  letters INTEGER NOT NULL
) STRICT;
