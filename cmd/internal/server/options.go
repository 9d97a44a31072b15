package server

import (
	"errors"
	"flag"
	"fmt"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/sim"
)

// gameFlags are the options of a game that sim, demo and new take alike
// (web/API.md, sim).
type gameFlags struct{ rules, edition, hal, set string }

func (g *gameFlags) add(fs *flag.FlagSet) {
	fs.StringVar(&g.rules, "rules", "base", "`RULES`: base or advanced")
	fs.StringVar(&g.edition, "edition", "revised", "`EDITION`: revised or first")
	fs.StringVar(&g.hal, "hal", "", "Hal's `LEVEL` in the solo game: easy, standard, difficult (or hard) or extreme")
	fs.StringVar(&g.set, "set", "", "`DIRECTORY` of the component set, or "+component.DefaultName+" for the built-in one; default the built-in one, or for new the server's own")
}

// hintsFlag is whether players may ask for the planner's proposal.
func hintsFlag(fs *flag.FlagSet, to *string, def, usage string) {
	*to = def
	fs.Func("hints", usage, func(v string) error {
		if v != "yes" && v != "no" {
			return errors.New("want yes or no")
		}
		*to = v
		return nil
	})
}

// check opens the component set and reports whether the game can be played.
func (g *gameFlags) check(players int) (*component.Set, game.Options, error) {
	set, err := openSet(g.set)
	if err != nil {
		return nil, game.Options{}, err
	}
	hal := engine.LevelNamed(g.hal)
	o := game.Options{Players: players, Rules: g.rules, Edition: g.edition, RulesVersion: game.RulesVersion, Set: set.Name, Hal: hal.String()}
	if players == 1 && g.hal == "" {
		o.Hal = engine.Standard.String()
	}
	switch {
	case g.rules != "base" && g.rules != "advanced":
		err = badUsage("-rules %.40q: want base or advanced", g.rules)
	case g.edition != "revised" && g.edition != "first":
		err = badUsage("-edition %.40q: want revised or first", g.edition)
	case g.hal != "" && hal == engine.NoHal:
		err = badUsage("-hal %.40q: want easy, standard, difficult (or hard) or extreme", g.hal)
	case g.hal != "" && players != 1:
		err = badUsage("-hal: Hal plays against one player, not %d", players)
	default:
		if e := (sim.Setup{Set: set, Options: o}).Playable(); e != nil {
			err = badUsage("%w", e)
		}
	}
	return set, o, err
}

// serves reports whether the server of a configuration plays with the set.
func (c *Config) serves(set *component.Set) error {
	sets, _, err := c.openSets()
	if err != nil {
		return err
	}
	if own := sets[set.Name]; own != nil && own.Hash == set.Hash {
		return nil
	}
	return badUsage("-set: the server of this configuration does not play with %q (hash %s); name its directory under sets there first", set.Name, set.Hash)
}

// goOn is what parse returns when the command is to be done.
const goOn = -1

// parse reads a command's flags, behind which at most words arguments may
// stand. Any code but goOn ends the command: help was asked for, or what was
// given is not understood and has been talked about.
func parse(fs *flag.FlagSet, args []string, words int) (code int) {
	err := fs.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitYes
	case err != nil:
		return exitUsage
	case fs.NArg() > words:
		fmt.Fprintf(fs.Output(), "%s: %.40q is one word too many; %s -h shows its usage\n", fs.Name(), fs.Arg(words), fs.Name())
		return exitUsage
	}
	return goOn
}
