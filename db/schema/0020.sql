-- Games that were counted and are void now: the figures are to be made anew.
CREATE INDEX games_voided ON games (number) WHERE state = 'void' AND counted > 0;
