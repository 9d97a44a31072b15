package desk_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/db"
	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/game"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

var freezeFlag = flag.Bool("freeze", false, "keep games of this program's version of the rules, if none are kept yet")

// Games of each version of the rules are kept as a program of that version stored them: a
// database, and next to it what that program wrote about the games and how it played on.
// Neither is ever overwritten.
const keptDir = "testdata/versions"

// A keptGame is one of them. Its players send what the greedy bot would, and its course
// depends on the version of the rules from decision splits on.
type keptGame struct {
	name     string
	seed     [32]byte
	rules    string
	splits   int
	until    int // decisions in force when it is kept; 0: to its end
	back, to int // when back decisions are in force, a ruling goes back to decision to
	replay   bool
}

var keptGames = []keptGame{
	{name: "finished", seed: [32]byte{45, 0, 32}, rules: "base", splits: 157, back: 170, to: 150}, // Q5.5f
	{name: "running", seed: [32]byte{20, 1, 32}, rules: "base", splits: 241, until: 236, back: 230, to: 200},
	{name: "owing", seed: [32]byte{20, 1, 32}, rules: "advanced", splits: 286, until: 281, back: 100, to: 90}, // Q3.3b
	{name: "again", seed: [32]byte{7, 1, 32}, rules: "base", until: 12, replay: true},
}

var people = []string{"ada", "bo", "cy", "di"} // by seat

// TestKeptVersions takes up the games of every earlier version: their letters are the same,
// play goes on as it would have then, and every stored line agrees with the rules.
func TestKeptVersions(t *testing.T) {
	if *freezeFlag {
		keepGames(t)
	}
	for version := 1; version < game.RulesVersion; version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			t.Parallel()
			want, err := os.ReadFile(keptFile(version, "txt"))
			if err != nil {
				t.Fatal(err)
			}
			told, goes, _ := strings.Cut(string(want), "\n\n")
			o := unkept(t, version)
			o.verified()
			ids, tokens := readKept(told)
			same(t, "as it was kept", told, o.accounts(ids)+tokens)
			same(t, "played on", goes, o.goOn(ids, tokens))
			o.verified()
		})
	}
}

// TestRulingsOnKeptVersions: a game of an earlier version goes back and on by its own rules;
// the one that is played in its place is a new game, by today's.
func TestRulingsOnKeptVersions(t *testing.T) {
	for version := 1; version < game.RulesVersion; version++ {
		o := unkept(t, version)
		told, err := os.ReadFile(keptFile(version, "txt"))
		if err != nil {
			t.Fatal(err)
		}
		ids, tokens := readKept(string(told))
		id, before := ids[1], o.log(ids[1])
		to := o.replay(id).Active[keptGames[1].until-20]
		o.ruled(fmt.Sprintf("rollback %s to %d: another misread letter", id, to))
		o.writeOn(id, keptGames[1].until, keptToken.FindAllStringSubmatch(tokens, -1))
		p := o.replay(id)
		n := 0
		for _, at := range p.Active[keptGames[1].until-19:] {
			was := slices.IndexFunc(before[to:], func(l game.Line) bool {
				return l.Order == p.Lines[at-1].Order && slices.Equal(l.Told, p.Lines[at-1].Told)
			})
			if was < 0 {
				t.Errorf("line %d, %s: the log has %q now, and had nothing before", at, p.Lines[at-1].Order, p.Lines[at-1].Told)
			}
			n++
		}
		if n < 15 {
			t.Errorf("only %d orders are the same", n)
		}
		done, _ := o.ruled("replay " + id + ": once more")
		if old, next := o.row(id).Options, o.row(done.Game).Options; old.RulesVersion != version || next.RulesVersion != game.RulesVersion {
			t.Errorf("version %d is played again by version %d", old.RulesVersion, next.RulesVersion)
		}
		o.writeOn(done.Game, 5, nil)
		o.verified()
	}
}

// same reports the first line in which the present output differs from the stored one.
func same(t *testing.T, when, then, now string) {
	t.Helper()
	was, is := strings.Split(then, "\n"), strings.Split(now, "\n")
	for i := range max(len(was), len(is)) {
		if a, b := strings.Join(was[min(i, len(was)):min(i+1, len(was))], ""), strings.Join(is[min(i, len(is)):min(i+1, len(is))], ""); a != b {
			t.Errorf("%s, line %d:\nwas %.500s\nis  %.500s", when, i+1, a, b)
			return
		}
	}
}

func keptFile(version int, ext string) string {
	return filepath.Join(keptDir, fmt.Sprintf("rules%d.%s", version, ext))
}

// keepGames plays the games and keeps them.
func keepGames(t *testing.T) {
	if _, err := os.Stat(keptFile(game.RulesVersion, "txt")); err == nil {
		return
	}
	o := newOffice(t)
	var ids []string
	for _, k := range keptGames {
		n := seating.NewGameOrder{Started: true, Seed: &k.seed, Rules: k.rules, Organiser: at(people[0])}
		for _, name := range people {
			n.Players = append(n.Players, seating.NewPlayer{Address: at(name), Name: strings.ToUpper(name[:1]) + name[1:]})
		}
		id, err := o.desk.NewGame(context.Background(), n)
		if err != nil {
			t.Fatal(err)
		}
		o.deliver()
		if k.back > 0 {
			o.writeOn(id, k.back, nil)
			o.ruled(fmt.Sprintf("rollback %s to %d: a misread letter", id, o.replay(id).Active[k.to-1]))
		}
		o.writeOn(id, k.until, nil)
		ids = append(ids, id)
		if k.replay {
			done, _ := o.ruled("replay " + id + ": no one is content")
			o.writeOn(done.Game, k.until, nil)
			ids = append(ids, done.Game)
		}
	}
	told := o.accounts(ids)
	tokens := ""
	for _, id := range ids {
		for _, name := range people {
			if r := o.inGame(name, id, func(r notice.Message) bool { return r.Token != "" }); r != nil {
				tokens += fmt.Sprintf("%s in %s writes with %s\n", name, id, r.Token)
			}
		}
	}
	b, err := os.ReadFile(o.copyFile())
	if err != nil {
		t.Fatal(err)
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(keptDir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(keptFile(game.RulesVersion, "db.gz"), z.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	told += strings.TrimSpace(tokens)
	goes := unkept(t, game.RulesVersion).goOn(ids, tokens)
	if err := os.WriteFile(keptFile(game.RulesVersion, "txt"), []byte(told+"\n\n"+goes), 0o644); err != nil {
		t.Fatal(err)
	}
}

// unkept is an office with the kept database of a version, a month later.
func unkept(t *testing.T, version int) *office {
	file, err := os.Open(keptFile(version, "db.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "kept.db")
	if err := os.WriteFile(name, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Migrate(context.Background(), name, time.Now()); err != nil {
		t.Fatal(err)
	}
	o := newOffice(t, func(c *unit.Config) { c.Random = rand.NewChaCha8([32]byte{8}) })
	o.now, o.n = o.now.Add(30*24*time.Hour), 1_000_000
	o.putBack(name)
	return o
}

var (
	keptID    = regexp.MustCompile(`(?m)^game (\S+):`)
	keptToken = regexp.MustCompile(`(?m)^(\S+) in (\S+) writes with (\S+)$`)
)

// readKept finds the games, and the lines with the players' tokens, in stored output.
func readKept(told string) (ids []string, tokens string) {
	for _, m := range keptID.FindAllStringSubmatch(told, -1) {
		ids = append(ids, m[1])
	}
	return ids, strings.Join(keptToken.FindAllString(told, -1), "\n")
}

// goOn plays the games that are running to their end and tells of them.
func (o *office) goOn(ids []string, tokens string) string {
	o.t.Helper()
	for _, id := range ids {
		if o.row(id).State == store.GameRunning {
			o.writeOn(id, 0, keptToken.FindAllStringSubmatch(tokens, -1))
		}
	}
	return o.accounts(ids)
}

// writeOn lets the players write until so many decisions are in force, 0: to the end. Those
// who are not on turn answer as late as they may. tokens are lines of the kept tokens.
func (o *office) writeOn(id string, decisions int, tokens [][]string) {
	o.t.Helper()
	var bots []bot.Bot
	for k := range people {
		b, err := bot.New(bot.Greedy, fmt.Sprint("people/", k+1))
		if err != nil {
			o.t.Fatal(err)
		}
		bots = append(bots, b)
	}
	for range 2000 {
		p := o.replay(id)
		if p.State.Finished() || decisions > 0 && len(p.Active) >= decisions {
			return
		}
		seat := p.ToAct()[0]
		if slices.Contains(p.ToAct(), p.OnTurn()) {
			seat = p.OnTurn()
		}
		v := p.View(seat)
		legal := v.Legal(nil)
		step := legal[0]
		if len(legal) > 1 {
			step = bots[seat-1].Choose(v, legal, len(p.Active))
		}
		name, token := people[seat-1], ""
		for _, m := range tokens {
			if m[1] == name && m[2] == id {
				token = m[3]
			}
		}
		if r := o.inGame(name, id, func(r notice.Message) bool { return r.Token != "" }); r != nil {
			token = r.Token
		}
		_, out := o.send(o.letter(at(name), token, order.Print(step)))
		if o.row(id).Steps == p.Step() {
			o.t.Fatalf("%s after line %d: %s is not played: %v", name, p.Step(), order.Print(step), summaries(out))
		}
	}
	o.t.Fatal("it never ends")
}

// accounts tells of games what they are, what everyone may do, and of finished ones what
// would have been.
func (o *office) accounts(ids []string) string {
	o.t.Helper()
	ctx := context.Background()
	var b strings.Builder
	hash := func(lines []string) string {
		return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(lines, "\n"))))[:16]
	}
	for i, id := range ids {
		row, p := o.row(id), o.replay(id)
		fmt.Fprintf(&b, "game %s: %s, %d lines, %s\n", id, row.State, row.Steps, game.LogHash(o.log(id)))
		for _, n := range []int{row.Steps, row.Steps / 2} {
			at, err := p.Past(n)
			if err != nil {
				o.t.Fatal(err)
			}
			fmt.Fprintf(&b, " after line %d:", n)
			for seat := range engine.Seat(row.Options.Players + 1) {
				v := at.View(seat)
				fmt.Fprintf(&b, " legal %s, decks %v,", hash(game.LegalOrders(v)), v.Decks)
				if seat > 0 {
					fmt.Fprintf(&b, " %d VP %v,", v.Players[seat-1].VP, v.Players[seat-1].By)
				}
			}
			b.WriteString("\n")
		}
		if row.State != store.GameFinished {
			continue
		}
		near := keptGames[min(i, len(keptGames)-1)].splits
		if near == 0 {
			near = len(p.Active) / 2
		}
		from := p.Active[near-3]
		var lines []string
		for range 12 { // the first of what each may do
			_, w, err := o.desk.Host().WhatIf(ctx, id, "", from, lines)
			if err != nil {
				o.t.Fatal(err)
			}
			if w.Refused != nil {
				o.t.Fatalf("%+v", w.Refused)
			}
			var said []string
			for _, x := range w.Options {
				said = append(said, fmt.Sprint(x.Line(), x.Draws, x.Gain, len(x.Chances)))
			}
			fmt.Fprintf(&b, " what if, after line %d and %d more, %q: %d options %s, was %q", from, max(len(lines)-1, 0), lines[max(len(lines)-1, 0):], len(w.Options), hash(said), w.Was)
			for _, s := range w.Steps[max(len(lines)-1, 0):] {
				for _, e := range s.Events {
					if told, ok := order.Told(e); ok {
						fmt.Fprintf(&b, ", %s", told)
					}
				}
			}
			b.WriteString("\n")
			if len(w.Options) == 0 {
				break
			}
			if lines = append(lines, w.Options[0].Line()); w.Was != "" {
				lines[len(lines)-1] = w.Was
			}
		}
	}
	return b.String()
}
