package desk_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// remarks are the codes of what a letter says.
func remarks(r notice.Message) (codes []string) {
	for _, said := range r.Answer.Remarks {
		codes = append(codes, said.Code)
	}
	return codes
}

// problemOf is the first problem of a letter's lines.
func problemOf(r notice.Message) string {
	for _, l := range r.Answer.Lines {
		if l.Problem != nil {
			return l.Problem.Code
		}
	}
	return ""
}

// TestOpenGame: a player opens a game, others find it, a player and a stranger take
// its seats, and with the last it begins.
func TestOpenGame(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) { c.Start = "anyone" })
	o.started(1, "ada", "bo")
	out := o.write("ada", "open game\nseats: 3\nname: Evening\nclock: 2d\nrules: advanced")
	game := o.last("ada").Game
	if r := out[0]; r.Result != notice.Applied || !slices.Contains(remarks(r), notice.SayOpened) || len(out) != 1 {
		t.Fatalf("%+v", out)
	}
	tables := func(r notice.Message) []notice.GameState {
		t.Helper()
		for _, s := range r.Answer.Sections {
			if s.Kind == "tables" {
				return s.Games
			}
		}
		t.Fatalf("no tables: %s", summary(r))
		return nil
	}
	_, out = o.send(o.letter(at("bo"), o.token(at("bo")), "games"))
	if g := tables(out[0]); len(g) != 1 || g[0].Game != game || g[0].Free != 2 || !slices.Equal(g[0].ToAct, []string{"Ada"}) || g[0].Options.Clock != "2d grace 1d" {
		t.Fatalf("%+v", g)
	}
	// A stranger finds it, too, and must confirm having written.
	_, out = o.send(o.letter(at("eve"), "", "games"))
	if len(tables(out[0])) != 1 {
		t.Fatal("a stranger finds nothing")
	}
	more := 0
	for range 5 {
		_, again := o.send(o.letter(at("eve"), "", "games"))
		more += len(again)
	}
	if more != 2 {
		t.Errorf("a stranger is answered %d times a day, want 3", 1+more)
	}
	o.now = o.now.Add(24 * time.Hour)
	_, out = o.send(o.letter(at("eve"), "", "join "+game+" Eve, robin"))
	if !slices.Contains(remarks(out[0]), notice.AskJoin) || out[0].Answer.Names != nil {
		t.Fatalf("%+v", out)
	}
	_, out = o.send(o.letter(at("mallory"), o.token(at("eve")), "yes"))
	if len(out) != 0 {
		t.Errorf("another says yes: %+v", out)
	}
	out = o.write("eve", "yes")
	if i := slices.IndexFunc(out, func(r notice.Message) bool { return r.To == at("eve") }); i < 0 || out[i].Game != game || !slices.Contains(remarks(out[i]), notice.SayJoined) {
		t.Fatalf("%+v", out)
	}
	if i := slices.IndexFunc(out, func(r notice.Message) bool { return r.To == at("ada") }); i < 0 || out[i].Answer.Remarks[0].Args["name"] != "Eve" {
		t.Errorf("the organiser is not told: %+v", out)
	}
	for text, want := range map[string]string{
		"join " + game:             notice.ProblemJoined, // she has a seat
		"join aaaaaaaaaaaaaaaa":    notice.ProblemTable,
		"join " + game + " x\x00y": notice.ProblemJoined,
	} {
		if got := problemOf(o.write("eve", text)[0]); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	// She leaves, and the seat is free again.
	o.write("eve", "decline")
	_, out = o.send(o.letter(at("bo"), o.token(at("bo")), "games"))
	if g := tables(out[0]); len(g) != 1 || g[0].Free != 2 {
		t.Fatalf("%+v", g)
	}
	// A registered player without a token must confirm; with one they sit down.
	_, out = o.send(o.letter(at("bo"), "", "join "+game))
	if !slices.Contains(remarks(out[0]), notice.AskJoin) {
		t.Errorf("%+v", out)
	}
	o.write("bo", "yes")
	o.now = o.now.Add(24 * time.Hour)
	o.send(o.letter(at("cy"), "", "join "+game+", Cy, wren"))
	out = o.write("cy", "yes")
	if len(out) != 3 {
		t.Fatalf("the game begins: %+v", out)
	}
	rec := o.record(game, 0)
	names := slices.Sorted(slices.Values(rec.Names))
	if !slices.Equal(names, []string{"Ada", "Bo", "Cy"}) || !rec.Options.Open || rec.Options.Players != 3 || !slices.Contains(rec.Entropy, "wren") {
		t.Errorf("%q %+v %q", names, rec.Options, rec.Entropy)
	}
	_, out = o.send(o.letter(at("bo"), o.token(at("bo")), "games"))
	if g := tables(out[0]); len(g) != 0 {
		t.Errorf("%+v", g)
	}
	o.now = o.now.Add(24 * time.Hour)
	_, out = o.send(o.letter(at("dan"), "", "join "+game))
	if len(out) != 1 || problemOf(out[0]) != notice.ProblemTable {
		t.Errorf("a game that has begun: %+v", out)
	}
}

// TestOpenGamesAreBounded: so many a day, none of them private, all given up
// after two weeks; open seats stand among named players, too.
func TestOpenGamesAreBounded(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) { c.Start = "anyone" })
	o.started(1, "ada", "bo")
	if got := problemOf(o.write("ada", "open game\nvisibility: private")[0]); got != notice.ProblemOption {
		t.Errorf("private: %q", got)
	}
	o.write("ada", "open game\nvisibility: unlisted")
	hidden := o.last("ada").Game
	if got := problemOf(o.write("ada", "visibility: private")[0]); got != notice.ProblemOption {
		t.Errorf("private later on: %q", got)
	}
	o.write("ada", "new game\nplayers: bo@home.test, open, bot")
	if g, err := o.desk.Host().Tables(context.Background()); err != nil || len(g) != 1 || g[0].Free != 1 || g[0].Options.Players != 4 {
		t.Fatalf("%+v, %v", g, err)
	}
	o.write("ada", "open game")
	if got := problemOf(o.write("ada", "open game")[0]); got != notice.ProblemMany {
		t.Errorf("a fourth: %q", got)
	}
	if got := problemOf(o.write("ada", "open game\nseats: 5")[0]); got == "" {
		t.Error("five seats")
	}
	if out := o.write("bo", "join "+hidden); !slices.Contains(remarks(out[0]), notice.SayJoined) && !slices.ContainsFunc(out, func(r notice.Message) bool { return r.Game == hidden }) {
		t.Errorf("an unlisted one, whose id he was told: %+v", out)
	}
	if out := o.write("bo", "preview\njoin "+hidden); problemOf(out[0]) != notice.ProblemPreview {
		t.Errorf("%+v", out)
	}
	ended := 0
	for _, r := range o.due(15 * 24 * time.Hour) {
		ended += strings.Count(strings.Join(remarks(r), " "), notice.TellExpired)
	}
	if g, err := o.desk.Host().Tables(context.Background()); err != nil || len(g) != 0 || ended == 0 {
		t.Errorf("after two weeks: %+v, %v, %d told", g, err, ended)
	}
}
