package season

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"angelpost/cmd/internal/commands"
	"angelpost/cmd/internal/program"
	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// hasWon is what a letter says of the winner of a final or of a season.
var hasWon = regexp.MustCompile(`(\w+)(?:, who has \w+'s place,)? (?:have|has) won (the final of the knock-out|it)\b`)

// A substitute who finishes a seat of a knock-out and wins the cup is the winner for all that
// tell it: each letter about the match, the season and the standings, the pages of the season
// and of the years, their data, and what `league export` prints.
func TestSubstituteWinsTheCup(t *testing.T) {
	for _, from := range []int{1, 2} { // the round in which they take over a seat
		t.Run("from round "+strconv.Itoa(from), func(t *testing.T) {
			t.Parallel()
			w := openClub(t, least.ReplaceAllString(formats["knockout"], "least: 4")+"substitutes: yes\n")
			w.joins("Ann", "Bob", "Cyd", "Dan")
			w.write(addressOf("Zoe"), nil, "substitute Iron League")
			w.write(addressOf("Zoe"), w.last(addressOf("Zoe")), "yes", "name Zoe")
			match := w.matchOf(from)
			silent := w.league().Names[match.Players[0]]
			for range 4 { // so that a turn or two are theirs
				w.turns()
			}
			read := 0
			w.run(func() bool {
				for ; read < len(w.box[addressOf("Zoe")]); read++ {
					l := w.box[addressOf("Zoe")][read]
					if slices.ContainsFunc(l.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.AskSeat }) {
						w.write(l.To, &l, "yes")
					}
				}
				rec, err := w.Desk.Host().Export(t.Context(), match.Game, 0)
				if err != nil {
					t.Fatal(err)
				}
				return slices.Contains(rec.Names, "Zoe")
			}, addressOf(silent))
			w.winsFor("Zoe", match)
			if from == 1 {
				w.winsFor("Zoe", w.matchOf(2))
			}
			w.run(w.over(1))
			w.wonBy("Zoe")
		})
	}
}

// matchOf plays until a round's first match has begun, and returns it.
func (w *club) matchOf(round int) (f *league.Fixture) {
	w.t.Helper()
	w.run(func() bool {
		if x := w.league().State.Season(); x != nil {
			i := slices.IndexFunc(x.Divisions[0].Fixtures, func(f *league.Fixture) bool { return f.Round == round && f.Game != "" })
			if i >= 0 {
				f = x.Divisions[0].Fixtures[i]
			}
		}
		return f != nil
	})
	return f
}

// winsFor lets a player take most turns of their seat in a match, and win it.
func (w *club) winsFor(name string, f *league.Fixture) {
	w.t.Helper()
	for range 12 {
		w.turns()
	}
	rec, err := w.Desk.Host().Export(w.t.Context(), f.Game, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	var scores []string
	for _, n := range rec.Names {
		scores = append(scores, n+map[bool]string{true: " 90", false: " 40"}[n == name])
	}
	r, p, ok := order.ReadRuling(fmt.Sprintf("adjudicate %s %s: all at the table ask for it.", f.Game, strings.Join(scores, ", ")))
	if !ok || p != nil {
		w.t.Fatal(p)
	}
	if _, _, err := w.Desk.Rule(w.t.Context(), r, true); err != nil {
		w.t.Fatal(err)
	}
	w.collect()
}

// wonBy holds that the league, its letters, its pages, their data and its record name one
// winner of the first season.
func (w *club) wonBy(winner string) {
	t := w.t
	t.Helper()
	l := w.league()
	id := int64(0)
	for p, name := range l.Names {
		if name == winner {
			id = p
		}
	}
	if won := l.State.Winners(1); !slices.Equal(won, []int64{id}) {
		t.Fatalf("the league has %v as winners of %v", won, l.Names)
	}

	told := map[string][]string{}
	for to, box := range w.box {
		for i := range box {
			x := &box[i]
			w.saysNoNonsense(t, x)
			forms := []string{strings.Join(strings.Fields(x.Text), " ")}
			if x.html != "" {
				forms = append(forms, strings.Join(strings.Fields(html.UnescapeString(aTag.ReplaceAllString(x.html, " "))), " "))
			}
			for i, text := range forms {
				found := hasWon.FindAllStringSubmatch(text, -1)
				for _, m := range found {
					if want := map[bool]string{true: "You", false: winner}[to == addressOf(winner)]; m[1] != want {
						t.Errorf("a letter to %s says %q\n%s", to, m[0], x.Text)
					}
					if i == 0 {
						told[m[2]] = append(told[m[2]], to)
					}
				}
				if (len(found) > 0) != hasWon.MatchString(forms[0]) {
					t.Errorf("a letter to %s says who has won in one form only:\n%s", to, x.Text)
				}
			}
		}
	}
	if n := len(told["the final of the knock-out"]); n != 2 {
		t.Errorf("%d letters say who has won the final", n)
	}
	if n := len(told["it"]); n != 4 { // who was replaced is no longer in it
		t.Errorf("%d letters say who has won the season: %v", n, told["it"])
	}
	answer := w.write(addressOf("Ann"), w.last(addressOf("Ann")), "standings Iron League")
	for _, s := range answer.Answer.Sections {
		if s.League != nil && len(s.League.Table) > 0 && s.League.Table[0].Name != winner {
			t.Errorf("the standings that are asked for begin with %+v", s.League.Table[0])
		}
	}

	doc, err := goquery.NewDocumentFromReader(strings.NewReader(w.page("/l/iron-league/1/1")))
	if err != nil {
		t.Fatal(err)
	}
	final := doc.Find(".tree .round").Last()
	if got := final.Find(".seats > li.on > :nth-child(2)").Text(); got != winner || !strings.Contains(final.Text(), "wins the season") {
		t.Errorf("the page's final is won by %q: %s", got, final.Text())
	}
	if got := doc.Find(".standings tbody[id] a").First().Text(); got != winner {
		t.Errorf("the page's table begins with %q", got)
	}
	var data struct {
		Standings []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(w.page("/l/iron-league/1/1/division.json")), &data); err != nil || len(data.Standings) == 0 || data.Standings[0].Name != winner {
		t.Errorf("the table's data: %+v, %v", data, err)
	}
	var years struct {
		Champions []struct{ Winners []int64 }
	}
	if err := json.Unmarshal([]byte(w.page("/l/iron-league/years.json")), &years); err != nil || len(years.Champions) != 1 || !slices.Equal(years.Champions[0].Winners, []int64{id}) {
		t.Errorf("the years' data: %+v, %v", years, err)
	}

	var out, talk bytes.Buffer
	run := func(args ...string) {
		t.Helper()
		out.Reset()
		if code := commands.Run(args, &out, &talk); code != program.ExitYes {
			t.Fatalf("%v: exit %d, %s", args, code, talk.String())
		}
	}
	config := filepath.Join(t.TempDir(), "angelpost.toml")
	run("init", "-config", config)
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, bytes.Replace(text, []byte(`"angelpost.db"`), []byte(strconv.Quote(w.Conf.Path(w.Conf.Database))), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	run("league", "export", "-config", config, w.id)
	var rec struct {
		File    string
		Secrets map[int]string
		Players map[int64]string
		Log     []league.Line
	}
	if err := json.Unmarshal(out.Bytes(), &rec); err != nil {
		t.Fatal(err)
	}
	rules, err := league.ParseRules(rec.File)
	if err != nil {
		t.Fatal(err)
	}
	s, err := league.ReplayTold(rules, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range rec.Log {
		if err := s.Add(line); err != nil {
			t.Fatal(err)
		}
	}
	if won := s.Winners(1); len(won) != 1 || rec.Players[won[0]] != winner {
		t.Errorf("by the record %v have won, of %v", won, rec.Players)
	}
}
