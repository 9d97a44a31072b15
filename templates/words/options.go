package words

import (
	"strings"

	"angelpost/engine/component"
	"angelpost/engine/match"
)

// Options says what is played, in one line: "Advanced rules · first edition ·
// solo against Hal (hard)". A set is named where it is not the built-in one;
// "" for the options of no game.
func (c *Catalogue) Options(o match.Options) string {
	if o.Players < 1 {
		return ""
	}
	word := func(kind, code string) string {
		if key := "options." + kind + "-" + code; c.Has(key) {
			return c.Say(key)
		}
		return Clean(code, maxName)
	}
	parts := []string{word("rules", o.Rules), word("edition", o.Edition)}
	if o.Players == 1 {
		parts = append(parts, c.Say("options.solo", "level", word("hal", o.Hal)))
	} else {
		parts = append(parts, c.Say("options.players", "n", o.Players))
	}
	if o.Set != component.DefaultName {
		parts = append(parts, c.Say("options.set", "set", Clean(o.Set, maxName)))
	}
	return strings.Join(parts, " · ")
}

// OptionTopics are the topics of `rules` that tell what the options change.
func OptionTopics(o match.Options) []string {
	var out []string
	if o.Rules == "advanced" {
		out = append(out, "boosts")
	}
	if o.Edition == "first" {
		out = append(out, "editions")
	}
	if o.Players == 1 {
		out = append(out, "hal")
	}
	return out
}
