-- Letters that could not be delivered, which the host looks at.
CREATE INDEX out_failed ON out (id) WHERE state = 2;
