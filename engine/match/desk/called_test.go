package desk_test

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/templates"
	"angelpost/templates/words"
)

// hole is a place in a text that nothing was put into.
var hole = regexp.MustCompile(`\{[a-z#]`)

// noGame is a game that players ask for and that is not there: it can have no name.
const noGame = "aaaaaaaaaaaaaaaa"

// numbered is a player or a game that has no name.
var numbered = regexp.MustCompile(`\b(Player \d|Game [a-z2-7]{16}\b)`)

// worded has the answers whose text a test of this package has checked: by what they say and
// which arguments they have.
var worded sync.Map

// whole fails if the text of a letter has a {word} in it, or a player or game without a name.
// Letters that say the same are checked once.
func (o *office) whole(r notice.Message, sheet *notice.Input) {
	o.t.Helper()
	var b strings.Builder
	fmt.Fprint(&b, r.Kind)
	said := func(code string, args map[string]string) {
		fmt.Fprint(&b, " ", code)
		for _, key := range slices.Sorted(maps.Keys(args)) {
			fmt.Fprint(&b, ",", key)
		}
		fmt.Fprint(&b, "=", args["then"], args["of"], args["by"])
	}
	for _, x := range slices.Concat(r.Answer.Remarks, r.Answer.Commands) {
		said(x.Code, x.Args)
	}
	for _, x := range r.Answer.Lines {
		if x.Problem != nil {
			said(x.Problem.Code, x.Problem.Args)
		}
	}
	for _, x := range r.Answer.Sections {
		fmt.Fprint(&b, " [", x.Kind, x.Topic)
	}
	if _, known := worded.LoadOrStore(b.String(), true); known {
		return
	}
	l, err := templates.Render(words.English(), sheet, templates.Site{BaseURL: "https://play.example"})
	if err != nil {
		o.t.Fatalf("letter to %s: %v", r.To, err)
	}
	for _, text := range []string{l.Subject, l.Text} {
		if at := hole.FindStringIndex(text); at != nil {
			o.t.Errorf("letter to %s (%s): nothing was put into %q", r.To, b.String(), text[max(0, at[0]-60):min(len(text), at[1]+40)])
		}
		if at := numbered.FindStringIndex(text); at != nil && !strings.HasSuffix(text[:at[1]], noGame) {
			o.t.Errorf("letter to %s (%s): someone has no name in %q", r.To, b.String(), text[max(0, at[0]-60):min(len(text), at[1]+40)])
		}
	}
}

// spellings are the ways in which players write a name.
func spellings(name string) []string {
	return []string{name, strings.ToUpper(name), strings.ToLower(name), `"` + name + `"`, "'" + name + "'", "„" + name + "“"}
}

// TestLeagueByAnyName: every word about a league takes its id and its name, in any case, in
// quotation marks or not.
func TestLeagueByAnyName(t *testing.T) {
	o := newOffice(t)
	six(o)
	lines := []struct{ who, line string }{
		{"ada", "league LEAGUE"}, {"ada", "standings LEAGUE"}, {"gus", "substitute LEAGUE"}, {"gus", "substitute LEAGUE no"},
		{"hal", "join league LEAGUE"}, {"gus", "leave league LEAGUE"}, {"dora", "announce LEAGUE: Hello."}, {"dora", "amend LEAGUE\nname: Tin League\nkind: solo"},
		{"dora", "extend league LEAGUE by 1 day: why"}, {"dora", "pause league LEAGUE division 2: why"}, {"dora", "resume league LEAGUE round 1: why"},
		{"dora", "extend league LEAGUE player Ada by 1 day: why"}, {"dora", "close league LEAGUE: why"}, {"dora", "start league LEAGUE: why"},
		{"dora", "rename league LEAGUE to Tin League"}, {"dora", "delete league LEAGUE: why"}, {"dora", "add ada@home.test to league LEAGUE"},
		{"dora", "expel Nobody from league LEAGUE: why"}, {"dora", "move Ada to division 1 of league LEAGUE: why"}, {"ann", "take over league LEAGUE"},
	}
	kinds := map[order.WordKind]bool{}
	directed := map[order.DirectionKind]bool{}
	for _, l := range lines {
		for _, name := range append(spellings("Tin League"), spellings("tin-league")...) {
			line := strings.ReplaceAll(l.line, "LEAGUE", name)
			items := order.ReadLetter(strings.Split(line, "\n")).Items
			if len(items) != 1 || items[0].Problem != nil {
				t.Errorf("%q is not read: %+v", line, items)
				continue
			}
			w := items[0].Word
			if kinds[w.Kind] = true; w.Direct != nil {
				directed[w.Direct.Kind] = true
			}
			if w.Kind == order.JoinLeague || w.Kind == order.LeaveLeague || w.Kind == order.Substitute { // a few a day
				if got := o.league(w.Name).Row.ID; got != "tin-league" {
					t.Errorf("%q is about %q", line, got)
				}
				continue
			}
			o.write(l.who, line)
			if got := problemOf(o.last(l.who)); got == notice.ProblemLeague || got == order.NoName && !strings.Contains(line, "Nobody") {
				t.Errorf("%q: %s", line, got)
			}
		}
	}
	for _, k := range []order.WordKind{order.League, order.LeagueTable, order.JoinLeague, order.LeaveLeague, order.Substitute, order.Announce, order.AmendLeague, order.Direct} {
		if !kinds[k] {
			t.Errorf("no line is about %s", k)
		}
	}
	for _, k := range order.DirectionKinds() {
		if !directed[k] {
			t.Errorf("no line is about %s league", k)
		}
	}
}

// TestGameByAnyName: every ruling takes a game's id and what its league calls it, in any
// case, in quotation marks or not.
func TestGameByAnyName(t *testing.T) {
	o := newOffice(t)
	id := six(o)
	f := o.running(id)[0]
	rest := map[order.RulingKind]string{order.RuleExtend: " Ada by 1 day", order.RuleReplace: " Ada by bot", order.RuleAdjudicate: " Ada 10, Bo 9", order.RuleCorrect: " Ada 10, Bo 9", order.RuleRollback: " 0"}
	for _, kind := range order.RulingKinds {
		want, p, ok := order.ReadRuling(string(kind) + " " + f.Game + rest[kind] + ": why")
		if !ok || p != nil {
			t.Fatalf("%s: %+v", kind, p)
		}
		for _, name := range slices.Concat(spellings(f.Game), spellings("Tin League 1.1.1"), spellings("tin-league 1.1.1")) {
			line := string(kind) + " " + name + rest[kind] + ": why"
			got, p, ok := order.ReadRuling(line)
			if !ok || p != nil {
				t.Errorf("%q is not read: %+v", line, p)
				continue
			}
			game, err := o.desk.Host().GameID(context.Background(), got.Game)
			if err != nil || game != f.Game {
				t.Errorf("%q is about %q: %v", line, got.Game, err)
			}
			if got.Game = want.Game; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%q reads as %+v, not %+v", line, got, want)
			}
		}
	}
	for _, name := range slices.Concat(spellings(f.Game), spellings("Tin League 1.1.1")) {
		o.write("dora", "pause "+name+": why")
		if got := problemOf(o.last("dora")); got == notice.ProblemRuler || got == order.NoGameID {
			t.Errorf("%q: %s", name, got)
		}
	}
}
