-- People on the lists of ratings are found by the beginning of their name.
CREATE INDEX ratings_name ON ratings (name COLLATE NOCASE, player) WHERE player > 0;
