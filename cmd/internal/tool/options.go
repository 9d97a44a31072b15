package tool

import (
	"encoding/hex"
	"errors"
	"flag"

	"angelpost/cmd/internal/cli"
	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/sim"
)

// GameFlags are the options of a game that sim, demo and new take alike
// (web/API.md, sim).
type GameFlags struct{ rules, edition, hal, Set string }

func (g *GameFlags) Add(fs *flag.FlagSet) {
	fs.StringVar(&g.rules, "rules", "base", "`RULES`: base or advanced")
	fs.StringVar(&g.edition, "edition", "revised", "`EDITION`: revised or first")
	fs.StringVar(&g.hal, "hal", "", "Hal's `LEVEL` in the solo game: easy, standard, difficult (or hard) or extreme")
	fs.StringVar(&g.Set, "set", "", "`DIRECTORY` of the component set, or "+component.DefaultName+" for the built-in one; default the built-in one, or for new the server's own")
}

// HintsFlag is whether players may ask for the planner's proposal.
func HintsFlag(fs *flag.FlagSet, to *string, def, usage string) {
	*to = def
	fs.Func("hints", usage, func(v string) error {
		if v != "yes" && v != "no" {
			return errors.New("want yes or no")
		}
		*to = v
		return nil
	})
}

// Check opens the component set and reports whether the game can be played.
func (g *GameFlags) Check(players int) (*component.Set, game.Options, error) {
	set, err := cli.OpenSet(g.Set)
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
		err = cli.BadUsage("-rules %.40q: want base or advanced", g.rules)
	case g.edition != "revised" && g.edition != "first":
		err = cli.BadUsage("-edition %.40q: want revised or first", g.edition)
	case g.hal != "" && hal == engine.NoHal:
		err = cli.BadUsage("-hal %.40q: want easy, standard, difficult (or hard) or extreme", g.hal)
	case g.hal != "" && players != 1:
		err = cli.BadUsage("-hal: Hal plays against one player, not %d", players)
	default:
		if e := (sim.Setup{Set: set, Options: o}).Playable(); e != nil {
			err = cli.BadUsage("%w", e)
		}
	}
	return set, o, err
}

// ParseSeed reads the -seed flag; nil if it was not given.
func ParseSeed(s string) (*[32]byte, error) {
	if s == "" {
		return nil, nil
	}
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 32 {
		return nil, cli.BadUsage("-seed: want 64 hexadecimal digits")
	}
	return (*[32]byte)(b), nil
}
