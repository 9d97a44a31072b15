package letter

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/order"

	tag "golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// An outcome is how a letter was understood.
type outcome int

const (
	exact outcome = iota // everything, and nothing else
	asked                // its writer is asked about the rest; nothing is done that they did not mean
	wrong                // something is done that they did not mean, or left out in silence
	outcomes
)

// understood reads a letter as the server does, and says how well.
func understood(raw string, want []string, known *Notice) (outcome, string) {
	l := Open([]byte(raw), Options{Address: "angelpost+{token}@play.example", Marker: "Please write above this line."})
	if l.NeedsNotice(func(s string) bool { _, err := order.Parse(s); return err == nil }) {
		l.Answering(known)
	} else {
		l.Answering(nil)
	}
	text := order.ReadLetter(l.Text, l.FromName)
	var steps, obeyed []string
	questions, faulty := 0, false
	for _, it := range text.Items {
		switch {
		case it.Doubt != "":
			questions++
		case it.Problem != nil, it.Clause != nil && !it.Clause.Readable():
			questions++
			faulty = true // keeps the orders beside it from being played
		case it.Clause != nil || it.Word.Kind == order.Undo:
			steps = append(steps, l.Text[it.Line-1])
			obeyed = append(obeyed, l.Text[it.Line-1])
		default:
			obeyed = append(obeyed, l.Text[it.Line-1])
		}
	}
	said := fmt.Sprintf("%s, obeyed %q, %d questions, text %q", l.Kind, obeyed, questions, l.Text)
	if faulty {
		obeyed = slices.DeleteFunc(obeyed, func(s string) bool { return slices.Contains(steps, s) })
	}
	switch rest := want; {
	case questions == 0 && slices.Equal(obeyed, want):
		return exact, said
	default:
		for _, o := range obeyed {
			i := slices.Index(rest, o)
			if i < 0 {
				return wrong, said
			}
			rest = rest[i+1:]
		}
		if questions == 0 && len(obeyed) > 0 || !l.Answer {
			return wrong, said
		}
		return asked, said
	}
}

var (
	mailbench = flag.Bool("mailbench", false, "read the whole corpus and write READING.md")
	benchShow = flag.Int("mailbench.show", 5, "how many letters that are not understood exactly are listed")
)

// A tally counts outcomes, with the notice known and without.
type tally [2][outcomes]int

func (c tally) row(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d |\n", name, c[0][exact], c[0][asked], c[0][wrong], c[1][exact], c[1][asked], c[1][wrong])
}

// TestMailbench reads the corpus as `angelpost read` does: all of it with -mailbench,
// else one letter in thirteen, each place, program and language among them.
func TestMailbench(t *testing.T) {
	plain, html := noticeParts(t)
	known := NewNotice(readFile(t, "testdata/notice.txt"), HTMLText(readFile(t, "testdata/notice.html")))
	all := corpus(plain, html)
	var total tally
	byProgram, byTongue, byPlace := map[string]*tally{}, map[string]*tally{}, map[string]*tally{}
	read, shown := 0, map[outcome]int{}
	for i, r := range all {
		if !*mailbench && i%13 != 0 {
			continue
		}
		read++
		for k, n := range []*Notice{known, nil} {
			o, said := understood(r.raw, r.orders, n)
			for _, c := range []*tally{at(byProgram, r.program), at(byTongue, language(r.tongue)), at(byPlace, r.place), &total} {
				c[k][o]++
			}
			if shown[o]++; o == wrong && shown[o] <= *benchShow || o == asked && k == 0 && *mailbench && shown[o] <= *benchShow {
				t.Logf("%s, notice known %v: outcome %d, want %q\n%s", r, k == 0, o, r.orders, said)
			}
		}
	}
	if n := total[0][wrong] + total[1][wrong]; n > wrongAllowed {
		t.Errorf("%d letters of %d are read wrongly", n, read)
	}
	if !*mailbench {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# How well letters are read

`+"`make mailbench`"+` reads %d letters, made by recipes from what mail programs are known to
write around a reply (`+"`corpus_test.go`"+`): %d programs, %d languages, %d places to write in.

- exact: every order, and nothing else
- asked: we ask the writer, and do nothing that they did not mean
- wrong: anything else

The token in a letter's address nearly always tells which notice it answers, so we know the notice.

`, read, len(programs), len(tongues), len(places))
	columns := "| | known: exact | asked | wrong | unknown: exact | asked | wrong |\n|---|--:|--:|--:|--:|--:|--:|\n"
	b.WriteString(columns + total.row("all"))
	section := func(title string, names []string, of map[string]*tally) {
		fmt.Fprintf(&b, "\n## %s\n%s", title, columns)
		for _, n := range names {
			b.WriteString(at(of, n).row(n))
		}
	}
	var ps, ts []string
	for _, p := range programs {
		ps = append(ps, p.name)
	}
	for _, g := range tongues {
		ts = append(ts, language(g.code))
	}
	section("By program", ps, byProgram)
	section("By language", ts, byTongue)
	section("By place", places, byPlace)
	if err := os.WriteFile("READING.md", []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// wrongAllowed is how many readings of the corpus may be wrong.
const wrongAllowed = 0

// language is a language's name.
func language(code string) string { return display.English.Languages().Name(tag.MustParse(code)) }

func at(m map[string]*tally, key string) *tally {
	if m[key] == nil {
		m[key] = new(tally)
	}
	return m[key]
}
