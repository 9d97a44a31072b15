package lettertest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/engine"
	"angelpost/engine/game"
)

// TestEveryCombination starts games of every kind in one server, by the demo,
// at the command line and by letter, and plays all of them by letters to the
// final score: what letters, pages and records say of them is the same.
func TestEveryCombination(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := program.Start(t, program.DemoArgs(data, "-seats", "human", "-rules", "advanced", "-edition", "first", "-hal", "hard", "-seed", strings.Repeat("5a", 32))...)
	config := filepath.Join(data, "angelpost.toml")
	want := map[string]game.Options{p.Values["game"]: {Players: 1, Rules: "advanced", Edition: "first", Hal: "hard"}}
	alpha := "alpha@" + program.Domain
	for _, c := range []struct {
		args string
		want game.Options
	}{
		{"-started -player alpha", game.Options{Players: 1, Rules: "base", Edition: "revised", Hal: "standard"}},
		{"-player alpha -rules advanced -hal extreme", game.Options{Players: 1, Rules: "advanced", Edition: "revised", Hal: "extreme"}},
		{"-started -player alpha -player bot -rules advanced", game.Options{Players: 2, Rules: "advanced", Edition: "revised"}},
		{"-started -player bot -player alpha -player bot -edition first", game.Options{Players: 3, Rules: "base", Edition: "first"}},
		{"-started -player bot -player bot -player alpha -player bot -rules advanced -edition first", game.Options{Players: 4, Rules: "advanced", Edition: "first"}},
	} {
		args := strings.Fields(strings.ReplaceAll(c.args, "alpha", alpha))
		out, code := program.Output(t, append([]string{"new", "-config", config, "-organiser", alpha, "-seed", strings.Repeat("5a", 32)}, args...)...)
		if code != program.ExitYes {
			t.Fatalf("new %s: exit %d %q", c.args, code, out)
		}
		want[strings.TrimSpace(strings.TrimPrefix(out, "game="))] = c.want
	}
	c := &mailclient.Client{T: t, IMAP: p.Values["imap"], SMTP: p.Values["smtp"], User: alpha, Pass: "demo", Address: alpha, Style: mailclient.WholeTurn,
		Pick: rand.New(rand.NewPCG(1, 0)).IntN}
	mails := []struct {
		lines string
		want  game.Options
	}{
		{"new game\r\nhal: easy\r\nedition: first\r\nname: alone\r\n", game.Options{Players: 1, Rules: "base", Edition: "first", Hal: "easy"}},
		{"new game\r\nplayers: " + alpha + "\r\nrules: advanced\r\nname: myself\r\n", game.Options{Players: 1, Rules: "advanced", Edition: "revised", Hal: "standard"}},
		{"new game\r\nplayers: bot\r\nrules: advanced\r\nedition: first\r\nname: a pair\r\n", game.Options{Players: 2, Rules: "advanced", Edition: "first"}},
	}
	for i, m := range mails {
		c.Send(p.Values["server"], fmt.Sprint("another ", i), "", m.lines)
	}
	over := map[string]mailclient.Received{}
	asked := 0
	for deadline := time.Now().Add(5 * time.Minute); len(over) < len(want)+len(mails); {
		if time.Now().After(deadline) {
			t.Fatalf("%d games of %d are over", len(over), len(want)+len(mails))
		}
		ns := c.Fetch()
		if len(ns) == 0 {
			time.Sleep(10 * time.Millisecond)
		}
		for _, n := range ns {
			game := n.Header.Get("X-Angelpost-Game")
			c.LastRefused = n.Result == "refused" || n.Result == "partial"
			switch {
			case n.Kind == "end":
				over[game] = n
			case n.Kind == "invitation": // made at the command line without -started
				c.Reply(n, "join Alpha\r\n")
			case len(n.Legal) > 0:
				c.Answer(n)
			case game == "" && strings.Contains(n.Text, "yes"):
				asked++
				c.Reply(n, "yes\r\n")
			}
		}
	}
	if asked != len(mails) {
		t.Errorf("asked %d times whether a game is wanted, want %d", asked, len(mails))
	}
	for gameID, end := range over {
		record, code := program.Output(t, "export", "-config", config, gameID)
		if code != program.ExitYes {
			t.Fatalf("export %s: exit %d", gameID, code)
		}
		var rec game.Record
		if err := json.Unmarshal([]byte(record), &rec); err != nil {
			t.Fatal(err)
		}
		o, known := want[gameID]
		if !known { // begun by letter
			i := slices.IndexFunc(mails, func(m struct {
				lines string
				want  game.Options
			}) bool {
				return m.want.Rules == rec.Options.Rules && m.want.Edition == rec.Options.Edition && m.want.Players == rec.Options.Players && m.want.Hal == rec.Options.Hal
			})
			if i < 0 {
				t.Errorf("nobody asked for a game of %+v", rec.Options)
				continue
			}
			o = mails[i].want
		}
		t.Run(fmt.Sprintf("%d %s %s %s", o.Players, o.Rules, o.Edition, o.Hal), func(t *testing.T) {
			o.RulesVersion, o.Set = rec.Options.RulesVersion, rec.Options.Set
			o.Hints = true // as wherever one person plays
			if rec.Options != o {
				t.Errorf("the record has %+v, want %+v", rec.Options, o)
			}
			file := filepath.Join(t.TempDir(), "record.json")
			if err := os.WriteFile(file, []byte(record), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, code := program.Output(t, "verify", file); code != program.ExitYes {
				t.Errorf("verify: exit %d %s", code, out)
			}
			body, _ := mailclient.Get(t, p.Values["http"]+"/g/"+gameID+"/view.json")
			var v game.ViewJSON
			if err := json.Unmarshal([]byte(body), &v); err != nil || v.Options != o || !v.Finished {
				t.Errorf("view.json: %v, %+v", err, v.Options)
			}
			checkVictory(t, o, v)
			// By mail, on the page and in the record the same options stand.
			level := o.Hal
			if level == "hard" {
				level = engine.Difficult // as it is printed
			}
			line := map[bool]string{true: "Advanced rules", false: "Base game"}[o.Rules == "advanced"] + " · " + o.Edition + " edition · " +
				map[bool]string{true: fmt.Sprintf("solo against Hal (%s)", level), false: fmt.Sprintf("%d players", o.Players)}[o.Players == 1]
			page, _ := mailclient.Get(t, p.Values["http"]+"/g/"+gameID)
			for what, text := range map[string]string{"the last letter": mailclient.Flatten(end.Text), "the page": page} {
				if !strings.Contains(text, line) {
					t.Errorf("%s does not say %q", what, line)
				}
				if strings.Contains(text, "can't be played yet") || strings.Contains(text, "%!") {
					t.Errorf("%s: leftovers", what)
				}
			}
		})
	}
	out, code := program.Output(t, "verify", "-all", "-config", config)
	if code != program.ExitYes {
		t.Errorf("verify -all: exit %d\n%s", code, out)
	}
	p.Stop()
}

// checkVictory holds the scores of a finished game: a line for every seat, Hal's
// among them, what adds up, and who has won (R8.7, R15.12).
func checkVictory(t *testing.T, o game.Options, v game.ViewJSON) {
	t.Helper()
	seats := max(o.Players, 2)
	if len(v.Scores) != seats {
		t.Fatalf("%d scores, want %d", len(v.Scores), seats)
	}
	best := 0
	for i, s := range v.Scores {
		sum := 0
		for _, n := range s.By {
			sum += n
		}
		if s.Seat != i+1 || s.Final == nil || sum != *s.Final || s.Name == "" {
			t.Fatalf("score %+v, its sources make %d", s, sum)
		}
		best = max(best, *s.Final)
	}
	var won []int
	for _, s := range v.Scores {
		if *s.Final == best && (o.Players > 1 || s.Seat == int(engine.Hal) || *v.Scores[1].Final < best) {
			won = append(won, s.Seat)
		}
	}
	if !slices.Equal(v.Winners, won) {
		t.Errorf("winners %v, want %v of %+v", v.Winners, won, v.Scores)
	}
	if o.Players == 1 && v.Scores[1].Name != "Hal" {
		t.Errorf("seat 2 is %q", v.Scores[1].Name)
	}
}
