package table

import (
	"regexp"
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/templates/draw"
)

// Kinds of pieces, by the keys of draw.About: what a piece's tip explains.

// hexKinds returns the kinds of what is on a hex.
func (t *Table) hexKinds(h *engine.HexView) string {
	var kinds []draw.About
	switch {
	case h.Spes:
		kinds = append(kinds, draw.AboutSpes)
	case h.Asteroid || h.Color > engine.Green:
		kinds = append(kinds, draw.AboutAsteroids)
	case h.Card == 0:
		kinds = append(kinds, draw.AboutPlanet+draw.About(h.Color))
	case t.mission(h.Card) != nil && !t.mission(h.Card).Activation():
		kinds = append(kinds, draw.AboutNeutralization)
	default:
		kinds = append(kinds, draw.AboutActivation)
	}
	if t.comet(h) {
		kinds = append(kinds, draw.AboutComet)
	}
	if h.Icons > 0 {
		kinds = append(kinds, draw.AboutIcon)
	}
	if t.angel(h) {
		kinds = append(kinds, draw.AboutBlackAngel)
	}
	if len(h.Ships) > 0 {
		kinds = append(kinds, draw.AboutShips)
	}
	return keys(kinds...)
}

func (t *Table) roomKinds(n int) string {
	l := &t.View.Locs[n]
	kinds := []draw.About{draw.AboutDiscover + draw.About(l.Action-component.Discover), draw.AboutDamage}
	if len(l.Ravagers) > 0 {
		kinds = append(kinds, draw.AboutRavagers)
	}
	return keys(kinds...)
}

func (t *Table) dieKind(s engine.Seat, reserved bool) string {
	switch {
	case s == engine.Neutral:
		return keys(draw.AboutNeutral)
	case t.hal(s):
		return keys(draw.AboutHalDie)
	case reserved:
		return keys(draw.AboutSecure)
	}
	return keys(draw.AboutStandard)
}

func (t *Table) cellKinds(c engine.CellView) string {
	kinds := []draw.About{draw.AboutTechnology}
	switch {
	case c.Tile == 0:
		kinds[0] = draw.AboutCell
	case c.Tile.Advanced():
		kinds[0] = draw.AboutAdvanced
	case c.Boost:
		kinds = append(kinds, draw.AboutBoost)
	}
	if c.Debris {
		kinds = append(kinds, draw.AboutDebris)
	}
	return keys(kinds...)
}

func cardKind(c engine.Card) string {
	if c.Ravager() {
		return keys(draw.AboutRavagerCard)
	}
	return keys(draw.AboutMissionCard)
}

func keys(kinds ...draw.About) string {
	out := make([]string, len(kinds))
	for i, k := range kinds {
		out[i] = k.Key()
	}
	return strings.Join(out, " ")
}

// kinds are all that the game has.
func (t *Table) kinds() (out []draw.About) {
	hal := t.View.Options.Hal != engine.NoHal
	for k := range draw.About(draw.Abouts) {
		switch {
		case slices.Contains([]draw.About{draw.AboutComet, draw.AboutHal, draw.AboutHalDie, draw.AboutHalRobots, draw.AboutHalDeck, draw.AboutHalWorth}, k) && !hal,
			k == draw.AboutNeutral && t.View.Neutral == nil,
			k == draw.AboutBoost && !t.View.Options.Advanced:
			continue
		}
		out = append(out, k)
	}
	return out
}

var ruleNumber = regexp.MustCompile(`[RQ]\d+\.\d+[a-h]?`)

// ruleParts parts a text at the numbers of rules, which are every second part.
func ruleParts(text string) (out []string) {
	from := 0
	for _, at := range ruleNumber.FindAllStringIndex(text, -1) {
		out = append(out, text[from:at[0]], text[at[0]:at[1]])
		from = at[1]
	}
	return append(out, text[from:])
}
