package desk_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/league"
	"angelpost/engine/match/desk"
	"angelpost/engine/notice"
)

// amends writes a league's other file as a letter.
func amends(file string) string { return "amend tin\n" + file }

// TestAmendByLetter: the director of a league gives it another file by letter, as
// the host does at the command line: the same is refused, and the same comes of it.
func TestAmendByLetter(t *testing.T) {
	o := newOffice(t)
	file := strings.Replace(tin, "director: dora@home.test\n", "director: dora@home.test\nassistant: ann@home.test\n", 1)
	id := o.made(file)
	o.deliver()
	o.joins("tin", "ada", "bo", "cy")
	lines := o.league(id).State.Lines
	// No one else can, not even an assistant.
	for _, name := range []string{"ada", "ann"} {
		if got := problemOf(o.write(name, amends(file))[0]); got != notice.ProblemAmender {
			t.Errorf("%s: %q", name, got)
		}
	}
	// What the command line refuses is refused, for the same reason.
	for _, bad := range []string{
		strings.Replace(file, "table: 2", "table: 9", 1), strings.Replace(file, "Tin League", "Another", 1), file + "kind: swiss\n",
		file + "set: nowhere\n", "clock: 3d\n", file + "assistant: no address\n", strings.Repeat("#"+strings.Repeat("x", 99)+"\n", 200), "",
	} {
		_, err := o.desk.AmendLeague(context.Background(), id, strings.TrimSpace(bad), true)
		var want desk.LeagueProblem
		if !errors.As(err, &want) {
			t.Fatalf("the host can: %v\n%s", err, bad)
		}
		out := o.write("dora", amends(bad))
		if got := out[0].Answer.Lines[0].Problem; got == nil || got.Code != want.Code || fmt.Sprint(got.Args) != fmt.Sprint(want.Args) {
			t.Errorf("by letter %+v, at the command line %+v:\n%s", got, want, summary(out[0]))
		}
	}
	if n := o.league(id).State.Lines; n != lines {
		t.Fatalf("what was refused left %d lines in the log", n-lines)
	}
	// A preview of it changes nothing, and without a token the server asks first.
	o.write("dora", "preview\n"+amends(file))
	_, out := o.send(o.letter(at("dora"), "", amends(strings.Replace(file, "clock: 3d", "clock: 9d", 1))))
	if !slices.Contains(remarks(out[0]), notice.AskLeague) || o.league(id).State.Lines != lines {
		t.Fatalf("%s", summary(out[0]))
	}
	out = o.write("dora", "yes")
	if got := mail(out, notice.SayAmended)["dora"]; got.Answer.League != "Tin League" || !slices.Equal(section(t, got, "amended").Changes, []string{"- clock: 3d", "+ clock: 9d"}) {
		t.Errorf("%s %+v", summary(out[0]), out[0].Answer.Sections)
	}
	// It is in the log as the host's would be, except for its author.
	var last league.Line
	log, err := o.desk.Host().LeagueLines(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	if last = log[len(log)-1]; last.Kind != league.Amend || last.By == 0 || !strings.Contains(last.Text, "clock: 9d") {
		t.Errorf("%+v", last)
	}
	out = o.write("dora", amends(strings.Replace(file, "clock: 3d", "clock: 9d", 1)))
	if !slices.Contains(remarks(out[0]), notice.SayAmendedNot) {
		t.Errorf("the same once more: %s", summary(out[0]))
	}
	// Those who direct from then on hear so, and a file that names no one leaves it to
	// its author.
	out = o.write("dora", amends(strings.Replace(file, "assistant: ann", "assistant: eve", 1)))
	if told := mail(out, notice.TellAssists); len(told) != 1 || told["eve"].To == "" {
		t.Errorf("%d are told that they assist", len(told))
	}
	o.write("dora", amends(strings.Replace(tin, "director: dora@home.test\n", "", 1)))
	if got := o.league(id).State.Rules.Directors; !slices.Equal(got, []string{at("dora")}) {
		t.Errorf("directors are %v", got)
	}
	for range 12 {
		out = o.write("dora", amends(tin))
	}
	if got := problemOf(out[0]); got != notice.ProblemMany {
		t.Errorf("as many as he likes: %q", got)
	}
	if n := o.league(id).State.Lines - lines; n > 10 {
		t.Errorf("%d lines in the log", n)
	}
}
