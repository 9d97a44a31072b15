-- Since when mail does not flow both ways; 0: it does.
INSERT INTO meta VALUES ('stopped', 0);
