package letters

import (
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
)

// playIn answers a person's newest letter about a game with its example turn, if it has
// one.
func (x *table) playIn(game, who string) bool {
	x.t.Helper()
	to := strings.ToLower(who) + "@example.org"
	for i := len(x.all) - 1; i >= 0; i-- {
		p := &x.all[i]
		if p.To != to || p.Answer.GameName != game || p.token == "" || p.Receipt() {
			continue
		}
		if len(p.example) == 0 {
			return false
		}
		x.last[to] = i
		x.write(who, true, p.example...)
		return true
	}
	return false
}

// A daily letter about several games tells what happened in each, with a link to it, and
// stays as small as any other letter.
func TestDailyLetterOfTwoGames(t *testing.T) {
	x := newTable(t)
	x.begin(seating.NewGameOrder{Rules: "base", Name: "Friday"}, "Bob", "Ann", "Cyd")
	x.write("Ann", true, "notify digest 18:00")
	x.begin(seating.NewGameOrder{Rules: "advanced", Name: "Sunday"}, "Dan", "Eve", "Ann", "Fay")
	for _, who := range [][]string{{"Bob", "Cyd", "Dan", "Eve", "Fay"}, {"Ann"}, {"Cyd", "Dan"}} { // a turn notice to Ann would tell it
		for moved := true; moved; {
			moved = false
			for _, name := range who {
				moved = x.playIn("Friday", name) || x.playIn("Sunday", name) || moved
			}
		}
	}
	x.later(24 * time.Hour)
	at := slices.IndexFunc(x.all, func(p post) bool {
		return slices.ContainsFunc(p.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.SayDigest })
	})
	if at < 0 {
		t.Fatal("there is no daily letter")
	}
	p := &x.all[at]
	p.check(t)
	told := p.Answer.Collected
	if len(told) != 2 {
		t.Fatalf("%d games are told of:\n%s", len(told), p.text)
	}
	for i, a := range told {
		_, part, _ := strings.Cut(p.text, "\n"+strings.ToUpper(a.GameName)+"\n")
		part, _, _ = strings.Cut(part, "\n\n")
		if who := []string{"Cyd", "Dan"}[i]; !strings.HasPrefix(part, who+" took Advanced tile a") {
			t.Errorf("of %s it tells %q", a.GameName, part)
		}
		if a.News == nil || !strings.Contains(p.text, "\nhttps://play.example.org/g/"+a.Game+"/"+a.News.PageKey+"\n") {
			t.Errorf("no link to %s in\n%s", a.GameName, p.text)
		}
		if !strings.Contains(p.html, "/g/"+a.Game+"/"+a.News.PageKey+`"`) {
			t.Errorf("the HTML has no link to %s", a.GameName)
		}
	}
	again, err := x.Render(t.Context(), p.Message)
	if err != nil || string(again) != string(p.raw) {
		t.Errorf("rendered again, it differs: %v", err)
	}
}

// A daily letter about one game tells a turn from its beginning, whatever news came while
// it was under way.
func TestDailyLetterTellsWholeTurns(t *testing.T) {
	x := newTable(t)
	x.begin(seating.NewGameOrder{Rules: "base", Name: "Friday"}, "Bob", "Ann", "Cyd")
	x.write("Ann", true, "notify digest 18:00")
	for _, name := range []string{"Bob", "Cyd", "Bob", "Ann"} {
		for x.playIn("Friday", name) {
		}
	}
	lines := x.latest("Cyd").example
	x.write("Cyd", true, lines[:2]...)
	if p := x.latest("Cyd"); len(p.example) == 0 || len(lines) < 4 || !strings.HasPrefix(lines[3], "take a") {
		t.Fatalf("Cyd's turn is not under way: %q", lines)
	}
	x.write("Cyd", true, lines[2:]...)
	x.write("Bob", true, "say: well done")
	for x.playIn("Friday", "Cyd") {
	}
	x.later(24 * time.Hour)
	for _, p := range x.all {
		if slices.ContainsFunc(p.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.SayDigest }) {
			if want := "\nCyd took Advanced tile a"; !strings.Contains(p.text, want) || !strings.Contains(p.text, "well done") {
				t.Errorf("no %q in\n%s", want, p.text)
			}
			return
		}
	}
	t.Error("there is no daily letter")
}
