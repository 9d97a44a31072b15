-- Whoever had an opponent replaced does not gain from that seat: all games are rated
-- anew.
UPDATE meta SET value = 0 WHERE key = 'rated';
