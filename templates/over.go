package templates

import (
	"cmp"
	"slices"

	"angelpost/engine"
)

// A podiumPlace is a player's place at the end.
type podiumPlace struct {
	Place int    // from 1; tied players share it
	Said  string // "1st"
	Name  string
	Href  string // of the player's page; "" if there is none
	VP    int
}

// podium is the players by their places, the winners first.
func (p *Page) podium() []podiumPlace {
	var out []podiumPlace
	for _, q := range p.View.Players {
		x := podiumPlace{Name: p.Name(q.Seat), VP: total(p.View, q), Place: 1}
		if i := int(q.Seat) - 1; i < len(p.People) && p.People[i] != 0 {
			x.Href = PlayerHref(p.People[i])
		}
		for _, o := range p.View.Players {
			if beats(p, o.Seat, q.Seat) {
				x.Place++
			}
		}
		x.Said = p.Voice.Say("over.place", "n", x.Place)
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b podiumPlace) int { return cmp.Compare(a.Place, b.Place) })
	return out
}

// beats reports whether a seat ended before another: a winner before others, then by VP.
func beats(p *Page, a, b engine.Seat) bool {
	won := func(s engine.Seat) bool { return slices.Contains(p.View.Winners, s) }
	if won(a) != won(b) {
		return won(a)
	}
	vp := func(s engine.Seat) int { return total(p.View, p.View.Players[s-1]) }
	return !won(a) && vp(a) > vp(b)
}
