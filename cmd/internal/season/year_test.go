package season

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/notice"
	"angelpost/engine/rated"
	"angelpost/engine/store"
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

// TestSeasonOfTwelve: a season of each format with twelve players, of whom two never play,
// three leave and one joins late, and with three substitutes, of whom one takes what they are
// offered, one declines and one does not answer, ends with no one directing it. No one has
// more than six letters outside games, and what asks for an answer, or says that a season
// begins or ends, comes when it happens.
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
			all := append(names, "Late")
			if kind != "solo" { // which has none
				for _, name := range []string{"Yes", "No", "Silent"} {
					w.write(addressOf(name), nil, "substitute Iron League")
					w.write(addressOf(name), w.last(addressOf(name)), "yes")
					all = append(all, name)
				}
			}
			w.turns()
			offers := map[string]int{} // letters read, by substitute
			answer := func() {
				for _, name := range []string{"Yes", "No"} {
					for ; offers[name] < len(w.box[addressOf(name)]); offers[name]++ {
						l := w.box[addressOf(name)][offers[name]]
						if slices.ContainsFunc(l.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.AskPlace || r.Code == notice.AskSeat }) {
							w.write(addressOf(name), &l, strings.ToLower(name))
						}
					}
				}
			}
			for i, name := range []string{names[4], names[6], names[8]} {
				w.write(addressOf(name), w.last(addressOf(name)), "leave league Iron League")
				if i == 0 {
					w.joins("Late")
				}
				for range 4 {
					w.turns(addressOf(names[5]), addressOf(names[7]))
					answer()
					w.pass()
				}
			}
			w.run(func() bool { answer(); return w.over(1)() }, addressOf(names[5]), addressOf(names[7]))
			for _, name := range all {
				if n := w.outside(addressOf(name)); total(n) > maxOutside {
					t.Errorf("%s has %d letters outside games: %v", name, total(n), n)
				}
			}
			for _, r := range w.league().State.Rulings { // the server itself replays a game that a substitute begins anew
				if r.By != 0 {
					t.Errorf("someone ruled: %+v", r)
				}
			}
			w.saysWhatIsOpen(t, kind, names[:4])
			for _, name := range []string{names[5], names[7]} {
				if kind == "knockout" && !slices.ContainsFunc(w.box[addressOf(name)], func(l clubLetter) bool {
					return strings.Contains(strings.Join(strings.Fields(l.Text), " "), "Bots took more than half of your turns, so for the league Iron League your seat comes last")
				}) {
					t.Errorf("%s does not hear that their seat comes last, as a bot ended its game", name)
				}
			}
			for to, box := range w.box {
				for _, l := range box { // what can't be there
					if kind == "solo" && strings.Contains(strings.ToLower(l.Text), "substitute") || kind == "solo" && strings.Contains(l.Text, "at the table") {
						t.Errorf("a letter of a solo league, to %s:\n%s", to, l.Text)
					}
				}
			}
			if kind == "solo" { // games that no one else may see count for their player
				for _, name := range names[:4] {
					var solo []rated.Solo
					err := w.DB.View(t.Context(), func(tx store.Tx) error {
						a, err := tx.Address(addressOf(name))
						if err == nil {
							solo, err = rated.SoloOf(tx, a.Player, w.at)
						}
						return err
					})
					if err != nil || len(solo) != 1 || solo[0].Played != 2 {
						t.Errorf("%s: %+v, %v, of two rounds", name, solo, err)
					}
				}
			}
			x := w.league().State.Season()
			for _, name := range names {
				for i := range w.box[addressOf(name)] {
					for _, r := range w.box[addressOf(name)][i].Answer.Remarks {
						at := w.box[addressOf(name)][i].at
						if (r.Code == notice.TellSeason || r.Code == notice.TellSeasonIn) && at.Sub(x.Began) > time.Minute ||
							slices.Contains([]string{notice.TellSeasonEnd, notice.TellSeasonUp, notice.TellSeasonDown}, r.Code) && at.Sub(x.Ended) > time.Minute {
							t.Errorf("%s hears of %s at %v", name, r.Code, at)
						}
					}
				}
			}
		})
	}
}

// A season in which no one plays ends, as bots play; the next, for which no one checks in,
// does not begin, and the director hears why.
func TestSilentLeague(t *testing.T) {
	for _, kind := range slices.Sorted(maps.Keys(formats)) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := openClub(t, formats[kind])
			w.joins("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")
			var all []string
			for to := range w.box {
				all = append(all, to)
			}
			w.run(w.over(1), all...)
			told := func() bool {
				return slices.ContainsFunc(w.box[clubDirector], func(l clubLetter) bool {
					return slices.ContainsFunc(l.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.TellStalled })
				})
			}
			if told() {
				t.Error("the director hears that it stands still while it goes on")
			}
			ended := w.league().State.Season().Ended
			w.run(told, all...)
			if late := w.at.Sub(ended); late > 16*24*time.Hour { // a break of a week, and time to answer
				t.Errorf("the director hears after %v", late)
			}
			if s := w.league().State; len(s.Seasons) != 1 || s.Present() >= s.Rules.Least {
				t.Errorf("%d seasons, and %d players are there", len(s.Seasons), s.Present())
			}
			w.verified()
		})
	}
}
