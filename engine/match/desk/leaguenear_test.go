package desk_test

import (
	"slices"
	"strings"
	"testing"

	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// proven is a letter that passes DMARC.
func (o *office) proven(from, token, text string) []notice.Message {
	o.t.Helper()
	c := o.letter(from, token, text)
	c.AuthPassed = true
	_, out := o.send(c)
	return out
}

// A first letter that is nearly right is answered with what would be, and the right one
// that follows is obeyed.
func TestFirstLetterNearlyRight(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"join league Irn League", "join league Iron League"},
		{"join Iron League", "join league Iron League"},
		{"joinleague Iron League", "join league Iron League"},
		{"Hello, may I play in the Iron League?", "join league Iron League"},
		{"standings Iron League", "join league Iron League"},
		{"leages", "leagues"},
		{"help!!", "help"},
		{"nwe game", "new game"},
		{"I am on holiday until Monday.", ""},
		{"Special offer for you", ""},
	} {
		o := newOffice(t)
		o.made(strings.Replace(tin, "Tin", "Iron", 1))
		o.deliver()
		_, out := o.send(o.letter("eve@far.test", "", c.text))
		var got []string
		for _, r := range out {
			for _, l := range r.Answer.Lines {
				if l.Problem != nil {
					got = append(got, l.Problem.Candidates...)
				}
			}
			for _, x := range r.Answer.Remarks {
				switch x.Code {
				case notice.TellNearest, notice.AskLeague: // the second with a yes
					got = append(got, x.List...)
				case notice.AskNew:
					got = append(got, "new game")
				case notice.TellHelp:
					got = append(got, "help")
				}
			}
		}
		if strings.Join(got, ",") != c.want || c.want == "" && len(out) > 0 {
			t.Errorf("%q: %q, want %q: %v", c.text, got, c.want, summaries(out))
		}
		if o.send(o.letter("eve@far.test", "", "join league Iron League")); !slices.Contains(remarks(o.last("eve@far.test")), notice.AskLeague) {
			t.Errorf("%q, then the right letter: %s", c.text, summary(o.last("eve@far.test")))
		}
	}
}

// A stranger gets three answers a day, five if their letters are proven, or answer ours.
func TestStrangersAreAnsweredMoreThanOnce(t *testing.T) {
	o := newOffice(t)
	o.made(strings.Replace(tin, "Tin", "Iron", 1))
	o.deliver()
	for _, c := range []struct {
		from            string
		proven, answers bool
		want            int
	}{{"un@far.test", false, false, 3}, {"pro@far.test", true, false, 5}, {"re@far.test", false, true, 5}} {
		n := 0
		for i := range 9 {
			token := ""
			if c.answers && i > 0 {
				token = o.token(c.from)
			}
			l := o.letter(c.from, token, "join league Irn League"+strings.Repeat("s", i%2))
			l.AuthPassed = c.proven
			_, out := o.send(l)
			n += len(out)
		}
		if n != c.want {
			t.Errorf("%s: %d answers, want %d", c.from, n, c.want)
		}
	}
}

// A director who has not joined as a player corrects a file until it is right: the server
// answers each letter, asks about the last one, and does not count faulty ones.
func TestDirectorsFileIsCorrected(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) { c.Directors = []string{"dora@home.test"} })
	file := strings.Replace(tin, "director: dora@home.test\n", "", 1)
	dora := "dora@home.test"
	for _, bad := range []string{"missed: 99", "clok: 3d"} {
		out := o.proven(dora, "", "new league\n"+file+bad)
		if len(out) != 1 || out[0].Result != notice.Refused {
			t.Fatalf("%s: %v", bad, summaries(out))
		}
	}
	o.proven(dora, "", "new league\n"+file)
	first := o.token(dora)
	o.proven(dora, "", "new league\n"+strings.Replace(file, "Tin", "Iron", 1))
	o.proven(dora, o.token(dora), "yes")
	if !slices.Contains(remarks(o.last(dora)), notice.SayLeagueMade) {
		t.Fatal(summary(o.last(dora)))
	}
	if out := o.proven(dora, first, "yes"); slices.ContainsFunc(out, func(r notice.Message) bool { return slices.Contains(remarks(r), notice.SayLeagueMade) }) {
		t.Error("the file that was replaced is a league, too")
	}
	for range 5 {
		o.write(dora, "new league\n"+file+"missed: 99")
	}
	if o.write(dora, "new league\n"+file); !slices.Contains(remarks(o.last(dora)), notice.SayLeagueMade) {
		t.Errorf("faulty files count: %s", summary(o.last(dora)))
	}
}

// A question put to a stranger stays open, and says so, if they answer with neither yes
// nor no.
func TestStrangerAnswersWithoutYes(t *testing.T) {
	o := newOffice(t)
	o.made(strings.Replace(tin, "Tin", "Iron", 1))
	o.deliver()
	o.send(o.letter("gil@far.test", "", "join league Iron League"))
	o.write("gil@far.test", "name Gil")
	if !slices.Contains(remarks(o.last("gil@far.test")), notice.AskYesStill) {
		t.Fatal(summary(o.last("gil@far.test")))
	}
	if o.write("gil@far.test", "yes\nname Gil"); !slices.Contains(remarks(o.last("gil@far.test")), notice.SayLeagueJoined) {
		t.Error(summary(o.last("gil@far.test")))
	}
}

// A ruling names a game as its league does, in quotation marks or not.
func TestRulingByTheGamesName(t *testing.T) {
	o := newOffice(t)
	id := o.made(strings.Replace(tin, "Tin", "Iron", 1))
	o.joins("Iron League", "ann", "bob", "cyd")
	o.until("2026-12-02")
	f := o.running(id)[0]
	name := "Iron League 1.1.1"
	for _, line := range []string{
		"extend " + name + " " + o.league(id).Names[f.Players[0]] + " by 2 days: A word first.",
		`pause "` + name + `": A word first.`,
		"resume “iron league 1.1.1”: Go on.",
		"void game iron-league 1.1.1: It began by mistake.",
	} {
		if o.decides("dora@home.test", line); !slices.Contains(remarks(o.last("dora@home.test")), notice.SayRuled) {
			t.Errorf("%s: %s", line, summary(o.last("dora@home.test")))
		}
	}
	o.write("dora@home.test", "void Iron League 1.1.9: There is none.")
	if l := o.last("dora@home.test").Answer.Lines; len(l) != 1 || l[0].Problem == nil || l[0].Problem.Code != notice.ProblemRuler {
		t.Error(summary(o.last("dora@home.test")))
	}
}

// A letter tells all faults of a league's file at once, impossible ones too, and warns of
// what is odd in one that is taken.
func TestAllFaultsOfAFile(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) { c.Directors = []string{"dora@home.test"} })
	dora := "dora@home.test"
	o.proven(dora, "", "help")
	codes := func() (out []string) {
		for _, l := range o.last(dora).Answer.Lines {
			if l.Problem != nil {
				out = append(out, l.Problem.Code+" "+l.Problem.Args["key"])
				for _, p := range l.Problem.More {
					out = append(out, p.Code+" "+p.Args["key"])
				}
			}
		}
		return out
	}
	o.proven(dora, "", "new league\nname: Bad League\nclok: 3d\ntable: 4\ndivision: 3\nleast: 1\nup: 1\ndown: 2\nstart: 2020-01-01\nclock: 20 days\nseason: 2 weeks\nset: none")
	want := []string{"league-file-key clok", "league-file-value division", "league-file-value least", "league-file-value down", "league-file-value start", "league-file-value season", "option-not-yet "}
	if got := codes(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	o.proven(dora, "", "new league\nname: Odd League\ntable: 2\ndivision: 4\nup: 1\nleast: 2\nseason: 1 week\nclock: 3 days")
	o.write(dora, "yes")
	got := remarks(o.last(dora))
	if !slices.Contains(got, notice.SayOddLeast) || !slices.Contains(got, notice.SayOddShort) {
		t.Errorf("%v", got)
	}
}
