package season

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/league/scorer"
	"angelpost/engine/match/look"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// Directors take running games back, and void, correct or play again those that are over, and
// the server's clock is set wrong and right again: all seasons end, tables are those of the second scorer after each ruling, no one plays
// more games at once than the file allows, and stored games and the league's log agree.
func TestRulingsInSeasons(t *testing.T) {
	for _, kind := range []string{"divisions", "swiss", "knockout", "ladder", "solo"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := openClub(t, strings.Replace(formats[kind], "at once: 2", "at once: 1", 1))
			draw := rand.New(rand.NewPCG(6, uint64(len(kind))))
			w.joins("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")
			did, changed := map[string]int{}, 0
			left := map[string]int{"rollback": 4, "replay": 2, "correct": 2, "void": 1, "adjudicate": 1}
			if kind == "solo" { // whose games have one seed
				left = map[string]int{"correct": 3, "void": 1, "adjudicate": 1}
			}
			w.run(func() bool {
				if x := w.league().State.Season(); x != nil && x.Running() && draw.IntN(4) == 0 {
					if kind, other := w.rules(draw, x, left); kind != "" {
						did[kind]++
						if other {
							changed++
						}
					}
				}
				if did["jump"] < 3 && draw.IntN(20) == 0 {
					did["jump"]++
					w.jumps(time.Duration(1+draw.IntN(300)) * time.Hour)
				}
				s := w.league().State
				scorer.Compare(t, s)
				scorer.AtOnce(t, s)
				if kind == "ladder" {
					lines, err := w.Desk.Host().LeagueLines(t.Context(), w.id)
					if err != nil {
						t.Fatal(err)
					}
					scorer.Order(t, s, lines)
				}
				return w.over(1)()
			}, addressOf("Fay"))
			scorer.Fair(t, w.league().State)
			scorer.Years(t, w.league().State)
			w.verified()
			if kind != "solo" && did["rollback"]*did["replay"] == 0 || did["correct"] == 0 || did["jump"] == 0 || changed == 0 {
				t.Errorf("ruled %v, of which %d changed a result", did, changed)
			}
		})
	}
}

// jumps sets the server's clock forward, and then right again.
func (w *club) jumps(by time.Duration) {
	w.t.Helper()
	for _, by := range []time.Duration{by, -by} {
		if err := w.Desk.Skip(w.t.Context(), by, func() { w.at = w.at.Add(by) }); err != nil {
			w.t.Fatal(err)
		}
		w.collect()
	}
}

// playing are the games that the players of a season play now.
func playing(x *league.Season) map[int64]int {
	busy := map[int64]int{}
	if x == nil {
		return nil
	}
	for _, d := range x.Divisions {
		for _, f := range d.Fixtures {
			if f.Game == "" || f.Over() {
				continue
			}
			for _, p := range f.Players {
				busy[p]++
			}
		}
	}
	return busy
}

// rules lets the host rule on some game of a season. It returns what was ruled, "" for
// nothing, and whether that changed a result.
func (w *club) rules(draw *rand.Rand, x *league.Season, left map[string]int) (kind string, changed bool) {
	w.t.Helper()
	var games []*league.Fixture
	for i := range x.Divisions {
		for _, f := range x.Divisions[i].Fixtures {
			if f.Game != "" && !f.Void {
				games = append(games, f)
			}
		}
	}
	if len(games) == 0 {
		return "", false
	}
	f := games[draw.IntN(len(games))]
	rec, err := w.Desk.Host().Export(w.t.Context(), f.Game, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	kind = []string{"rollback", "rollback", "adjudicate"}[draw.IntN(3)]
	if f.Over() {
		kind = []string{"correct", "correct", "void"}[draw.IntN(3)]
		busy := playing(x)
		if left["replay"] > 0 && slices.ContainsFunc(f.Players, func(p int64) bool { return busy[p] == x.Rules.AtOnce }) { // it has to wait
			kind = "replay"
		}
	}
	if left[kind] == 0 || kind == "rollback" && len(rec.Log) < 30 {
		return "", false
	}
	left[kind]--
	line := kind + " " + f.Game
	switch kind {
	case "rollback":
		line += fmt.Sprintf(" to %d", len(rec.Log)/2)
	case "correct", "adjudicate":
		var scores []string
		for _, name := range rec.Names {
			scores = append(scores, fmt.Sprintf("%s %d", name, 40+draw.IntN(30)))
		}
		line += " " + strings.Join(scores, ", ")
	}
	before := fmt.Sprint(f.Result)
	r, p, ok := order.ReadRuling(line + ": all at the table ask for it.")
	if !ok || p != nil {
		w.t.Fatalf("%q is no ruling: %v", line, p)
	}
	if _, _, err := w.Desk.Rule(w.t.Context(), r, true); err != nil { // in a knock-out whose next round has begun, say
		return "", false
	}
	w.collect()
	return kind, before != fmt.Sprint(w.league().State.Fixture(f.ID).Result) && f.Result != nil
}

// verified holds that the league's log makes the league and its games have its results, and
// that their logs make the games.
func (w *club) verified() {
	w.t.Helper()
	ctx := w.t.Context()
	if _, others, differs, err := w.Desk.Host().VerifyLeague(ctx, w.id); err != nil || len(others)+len(differs) > 0 {
		w.t.Errorf("verify: %v %v %v", others, differs, err)
	}
	if err := w.Desk.Host().VerifyAll(ctx, func(c look.Check) error {
		if c.Err != nil || c.Difference != nil {
			w.t.Errorf("game %s: %v %v", c.Game, c.Err, c.Difference)
		}
		return nil
	}); err != nil {
		w.t.Error(err)
	}
}

// A ruling that gives a game of a running season a result, or takes it away, tells those at
// the table where they stand now, with the table, as the end of the game does.
func TestRulingsTellWhereOneStands(t *testing.T) {
	for _, kind := range []string{"divisions", "swiss", "knockout", "ladder"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := openClub(t, formats[kind])
			w.joins("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")
			w.run(func() bool { return w.league().State.Season() != nil })
			var f *league.Fixture
			for _, g := range w.league().State.Season().Divisions[0].Fixtures {
				if f == nil && g.Game != "" {
					f = g
				}
			}
			for range 6 {
				w.turns()
			}
			rec, err := w.Desk.Host().Export(t.Context(), f.Game, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, ruling := range []string{
				fmt.Sprintf("adjudicate %s %s 40, %s 30", f.Game, rec.Names[0], rec.Names[1]),
				fmt.Sprintf("correct %s %s 20, %s 30", f.Game, rec.Names[0], rec.Names[1]),
				"void " + f.Game,
			} {
				r, p, ok := order.ReadRuling(ruling + ": all at the table ask for it.")
				if !ok || p != nil {
					t.Fatal(p)
				}
				before := map[string]int{}
				for _, name := range rec.Names {
					before[name] = len(w.box[addressOf(name)])
				}
				if _, _, err := w.Desk.Rule(t.Context(), r, true); err != nil {
					t.Fatal(ruling, err)
				}
				w.collect()
				if strings.HasPrefix(ruling, "void") && kind == "ladder" { // as if it had not been played
					continue
				}
				for _, name := range rec.Names {
					fresh := w.box[addressOf(name)][before[name]:]
					i := slices.IndexFunc(fresh, func(l clubLetter) bool {
						return slices.ContainsFunc(l.Answer.Remarks, func(r notice.Remark) bool { return strings.HasPrefix(r.Code, "ruled-") })
					})
					if i < 0 {
						t.Fatalf("%s: %s is not told", ruling, name)
					}
					l := &fresh[i]
					says := slices.ContainsFunc(l.Answer.Remarks, func(r notice.Remark) bool { return slices.Contains(atEnd[kind], r.Code) })
					table := slices.ContainsFunc(l.Answer.Sections, func(s notice.Section) bool { return s.Kind == "standings" && len(s.League.Table) > 0 })
					for _, r := range l.Answer.Remarks { // the match was the round's last
						if late := r.Args["then"] == "late"; r.Code == notice.TellMatch && late != (ruling[0] != 'a') {
							t.Errorf("%s: %s reads of their match %v:\n%s", ruling, name, r.Args, l.Text)
						}
					}
					if !says || !table {
						t.Errorf("%s: %s is not told where they stand:\n%s", ruling, name, l.Text)
					}
				}
			}
		})
	}
}
