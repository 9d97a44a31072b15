-- The leagues that anybody may find, those that are over apart.
CREATE INDEX leagues_listed ON leagues (over, number) WHERE visibility = 'listed';
