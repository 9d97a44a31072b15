-- What belongs to a player, found without reading whole tables.
CREATE INDEX press_writer ON press (writer);
CREATE INDEX keys_player ON keys (player);
CREATE INDEX plans_player ON plans (player);
CREATE INDEX standing_player ON standing (player);
CREATE INDEX rulings_by ON rulings (by) WHERE by <> 0;
CREATE INDEX confirms_player ON confirms (player);
CREATE INDEX confirms_address ON confirms (address);
CREATE INDEX league_players_league ON league_players (league);
CREATE INDEX league_threads_player ON league_threads (player);
CREATE INDEX ignored_other ON ignored (other);
CREATE INDEX out_stranger ON out (address) WHERE player = 0;

-- Games of one state, in their order.
CREATE INDEX games_of_state ON games (state, number);

-- Games that cannot be read.
CREATE INDEX due_unread ON due (game) WHERE kind = 'unread';
