package season

import (
	"maps"
	"regexp"
	"slices"
	"testing"

	"angelpost/engine/notice"
)

// outside are the letters to an address about the league that are about no game and
// answer nothing that its player wrote, by what each says first.
func (w *club) outside(to string) map[string]int {
	n := map[string]int{}
	for i := range w.box[to] {
		l := &w.box[to][i]
		if l.League != w.id || l.Game != "" || l.Message.Kind == notice.KindAnswer {
			continue
		}
		code := string(l.Message.Kind)
		if len(l.Answer.Remarks) > 0 {
			code = l.Answer.Remarks[0].Code
		}
		n[code]++
	}
	return n
}

// maxOutside is how many such letters a player may have in a season.
const maxOutside = 6

var least = regexp.MustCompile(`least: \d+`)

func total(n map[string]int) (all int) {
	for _, k := range n {
		all += k
	}
	return all
}

// A season of each format with twelve players, of whom one never plays, one leaves and
// one joins late, ends with no one directing it.
func TestSeasonOfTwelve(t *testing.T) {
	for _, kind := range slices.Sorted(maps.Keys(formats)) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := openClub(t, least.ReplaceAllString(formats[kind], "least: 12"))
			var names []string
			for i := range 12 {
				names = append(names, "Player"+string(rune('a'+i)))
			}
			w.joins(names...)
			w.run(func() bool { return w.league().State.Season() != nil })
			seated := 0
			for _, d := range w.league().State.Season().Divisions {
				seated += len(d.In())
			}
			if seated != 12 {
				t.Fatalf("%d players are seated", seated)
			}
			w.turns()
			w.write(addressOf(names[4]), w.last(addressOf(names[4])), "leave league Iron League")
			w.joins("Late")
			w.run(w.over(1), addressOf(names[5]))
			for _, name := range append(names, "Late") {
				if n := w.outside(addressOf(name)); total(n) > maxOutside {
					t.Errorf("%s has %d letters outside games: %v", name, total(n), n)
				}
			}
			if l := w.league(); len(l.State.Rulings) > 0 {
				t.Errorf("someone ruled: %+v", l.State.Rulings)
			}
		})
	}
}
