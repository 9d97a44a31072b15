-- Appeals against rulings, of which the host lists those without an answer.
CREATE INDEX rulings_appeals ON rulings (game, n) WHERE kind = 'appeal';
