-- What belongs to a player, to rename, move, export or erase it.
CREATE INDEX players_name ON players (name);
CREATE INDEX stints_player ON stints (player, game) WHERE player <> 0;
CREATE INDEX out_player ON out (player, id) WHERE player <> 0;
