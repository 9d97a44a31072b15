package server

import (
	"context"

	"angelpost/cmd/internal/cli"
	"angelpost/engine/component"
)

// maxSets bounds the component sets of a server.
const maxSets = 100

// OpenSets opens the component sets that a configuration names, and adds the
// built-in one. standard is the one of new games that name none.
func (c *Config) OpenSets() (sets map[string]*component.Set, standard string, err error) {
	standard = component.DefaultName
	sets = map[string]*component.Set{standard: component.Default()}
	add := func(key, dir string) error {
		if dir == "" {
			return cli.BadUsage("%s: it does not name a directory", c.At(key))
		}
		if component.BuiltIn(dir) == nil {
			dir = c.Path(dir)
		}
		set, err := cli.OpenSet(dir)
		if err != nil {
			return cli.BadUsage("%s: %w", c.At(key), err)
		}
		if other := sets[set.Name]; other != nil && other.Hash != set.Hash {
			return cli.BadUsage("%s: %s: another set, built in or listed before, has the name %q, too. Rename the directory: games know their set by its name", c.At(key), dir, set.Name)
		}
		sets[set.Name] = set
		if key == "set" {
			standard = set.Name
		}
		return nil
	}
	if c.Set != "" {
		err = add("set", c.Set)
	}
	if err == nil && len(c.Sets) > maxSets {
		err = cli.BadUsage("%s: %d sets; %d at most", c.At("sets"), len(c.Sets), maxSets)
	}
	for _, dir := range c.Sets {
		if err == nil {
			err = add("sets", dir)
		}
	}
	return sets, standard, err
}

// playable holds that every game under way finds its component set: better no
// server than one that fails at each letter of a game.
func (s *Server) playable(ctx context.Context) error {
	game, why, err := s.Desk.Host().Stranded(ctx)
	if err != nil {
		return cli.BadEnvironment(err)
	}
	if why != nil {
		return cli.BadUsage("game %s cannot go on: %w. Name the directory of that set, as it was then, under sets in %s; angelpost components check prints a directory's name and hash", game, why, s.Conf.file)
	}
	return nil
}
