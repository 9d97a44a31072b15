-- Solo games by who began them: whoever hands one on has lost it.
CREATE INDEX games_solo ON games (organiser) WHERE players = 1 AND organiser <> 0;
