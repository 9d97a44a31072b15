package letters

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("letters.update", false, "write the letters in testdata")

// later moves the clock and does what has fallen due.
func (x *table) later(d time.Duration) {
	x.t.Helper()
	x.now = x.now.Add(d)
	if _, err := x.Desk.Due(context.Background()); err != nil {
		x.t.Fatal(err)
	}
	x.collect()
}

// everyKind is a game in which each kind of letter is written. It marks the letters to
// keep with what they are.
func everyKind(t testing.TB) (x *table, kept []string, posts []post) {
	x = newTable(t)
	seen := 0
	// keep keeps the newest letter to a person since the last call.
	keep := func(name, who string) {
		t.Helper()
		at := -1
		for i := seen; i < len(x.all); i++ {
			if strings.HasPrefix(x.all[i].To, strings.ToLower(who)+"@") {
				at = i
			}
		}
		if at < 0 {
			t.Fatalf("%s: no letter to %s", name, who)
		}
		kept, posts, seen = append(kept, fmt.Sprintf("%02d-%s", len(kept)+1, name)), append(posts, x.all[at]), len(x.all)
	}
	x.write("Ann", false, "new game", "players: bob@example.org, cyd@example.org, bot", "name: First flight", "clock: 1d bank 2d", "hints: yes")
	keep("question", "Ann")
	x.write("Ann", true, "yes", "name Ann")
	keep("invitation", "Bob")
	x.write("Cyd", true, "join Cyd")
	keep("joined", "Cyd")
	x.write("Bob", true, "join Bob")
	who := []string{"Ann", "Bob", "Cyd"}
	for i := seen; i < len(x.all); i++ {
		if p := &x.all[i]; p.Since < 0 && p.Kind == "start" {
			kept, posts, seen = append(kept, fmt.Sprintf("%02d-first", len(kept)+1)), append(posts, *p), len(x.all)
			break
		}
	}
	x.play(20, who...)
	mover := func() string {
		for _, name := range who {
			if p := x.latest(name); len(p.example) > 0 {
				return name
			}
		}
		t.Fatal("no one is to move")
		return ""
	}
	other := func() string { return who[(slices.Index(who, mover())+1)%3] }
	one := mover()
	kept, posts, seen = append(kept, fmt.Sprintf("%02d-turn", len(kept)+1)), append(posts, *x.latest(one)), len(x.all)
	x.write(one, true, "card 999 at row 1", "die orange 9")
	keep("refused", one)
	x.write(one, true, x.latest(one).example[:1]...)
	keep("goes-on", one)
	x.play(1, one)
	for _, c := range []struct{ name, who, line string }{
		{"status", other(), "status"}, {"help", other(), "help"}, {"help-word", other(), "help vacation"}, {"rules", other(), "rules 013"},
		{"settings", other(), "settings"}, {"note", other(), "note: remember the blue one"}, {"vacation", other(), "vacation 2026-12-24 to 2026-12-27"},
		{"hint", mover(), "hint"}, {"preview", mover(), "preview\r\nB"}, {"board", mover(), "board"},
	} {
		x.write(c.who, true, strings.Split(c.line, "\r\n")...)
		keep(c.name, c.who)
	}
	one = mover()
	x.write(other(), true, "say: good luck")
	keep("message", one)
	for range 60 { // until a reminder, a warning, a bot's turn
		before := len(x.all)
		x.later(6 * time.Hour)
		for i := before; i < len(x.all); i++ {
			for _, r := range x.all[i].Answer.Remarks {
				name := "remark-" + r.Code
				if slices.ContainsFunc(posts, func(p post) bool { return p.ID == x.all[i].ID }) {
					break // one letter says both
				}
				if !slices.ContainsFunc(kept, func(k string) bool { return k[3:] == name }) {
					kept, posts = append(kept, fmt.Sprintf("%02d-%s", len(kept)+1, name)), append(posts, x.all[i])
				}
			}
		}
		if len(kept) > 22 {
			break
		}
	}
	x.play(2000, who...)
	for i := range x.all {
		if x.all[i].Kind == "end" {
			kept, posts = append(kept, fmt.Sprintf("%02d-end", len(kept)+1)), append(posts, x.all[i])
			break
		}
	}
	return x, kept, posts
}

// TestTwenty compares a letter of each kind with the one that people have read.
func TestTwenty(t *testing.T) {
	_, kept, posts := everyKind(t)
	if len(kept) < 20 {
		t.Errorf("only %d letters: %v", len(kept), kept)
	}
	for i, name := range kept {
		p := &posts[i]
		for end, got := range map[string]string{".txt": "Subject: " + p.subject + "\n\n" + p.text, ".html": p.html} {
			file := filepath.Join("testdata", name+end)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" && end == ".txt" {
				t.Errorf("%s (-was +is):\n%s", name, diff)
			} else if diff != "" {
				t.Errorf("%s: the HTML differs (go test ./cmd/internal/letters -letters.update, then look at the difference)", name)
			}
		}
	}
}
