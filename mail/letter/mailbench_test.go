package letter

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/order"

	tag "golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/tools/txtar"
)

// An outcome is how a letter was understood.
type outcome int

const (
	exact outcome = iota // everything, and nothing else
	asked                // asks the writer about the rest; plays nothing that they did not mean
	wrong                // plays something that they did not mean, or leaves it out in silence
	outcomes
)

// understood reads a letter as the server does, and says how well.
func understood(raw string, want []string, known *Notice) (outcome, string) {
	l := Open([]byte(raw), Options{Address: "angelpost+{token}@play.example", Marker: "Please write above this line.", Says: order.Says})
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
		case it.Doubt != "", it.Beside != "":
			questions++
		case it.Problem != nil, it.Clause != nil && !it.Clause.Readable():
			questions++
			faulty = true // keeps the orders next to it from being played
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

// TestMailbench reads the letters of testdata/corpus as `angelpost read` does, and so one
// in thirteen of all that the recipes make: each place, program and language is among them.
// With -mailbench it reads all.
func TestMailbench(t *testing.T) {
	plain, html := noticeParts(t)
	known := NewNotice(readFile(t, "testdata/notice.txt"), HTMLText(readFile(t, "testdata/notice.html")), ShownText(readFile(t, "testdata/notice.html")))
	tables := map[string]map[string]*tally{"program": {}, "language": {}, "place": {}, "structure": {}}
	var total, every tally
	shown := map[outcome]int{}
	read := func(r recipe, count ...*tally) {
		for k, n := range []*Notice{known, nil} {
			o, said := understood(r.raw, r.orders, n)
			for _, c := range count {
				c[k][o]++
			}
			if shown[o]++; o == wrong && shown[o] <= *benchShow || o == asked && k == 0 && *mailbench && shown[o] <= *benchShow {
				t.Logf("%s, notice known %v: outcome %d, want %q\n%s", r, k == 0, o, r.orders, said)
			}
		}
	}
	files := archived(t)
	for _, r := range files {
		read(r, &total, at(tables["program"], r.program), at(tables["language"], language(r.tongue)), at(tables["place"], r.place), at(tables["structure"], r.structure))
	}
	all := corpus(plain, html)
	for i, r := range all {
		if *mailbench || i%13 == 0 {
			read(r, &every)
		}
	}
	if n := total[0][wrong] + total[1][wrong] + every[0][wrong] + every[1][wrong]; n > wrongAllowed {
		t.Errorf("%d letters are read wrongly", n)
	}
	if !*mailbench {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, `# How well letters are read

`+"`make mailbench`"+` reads the %d letters of testdata/corpus, made by recipes from what mail
programs are known to write around a reply (`+"`corpus_test.go`"+`): %d programs, %d languages,
%d places to write in, %d ways to pack the text. `+"`make corpus`"+` writes the files again. The
last line is of every combination that the recipes make, %d letters.

- exact: every order, and nothing else
- asked: we ask the writer, and do nothing that they did not mean
- wrong: anything else; `+"`make test`"+` fails if a letter is read so

The token in a letter's address nearly always tells which notice it answers, so we know the notice.

`, len(files), len(programs), len(tongues), len(places), len(structures), len(all))
	columns := "| | known: exact | asked | wrong | unknown: exact | asked | wrong |\n|---|--:|--:|--:|--:|--:|--:|\n"
	b.WriteString(columns + total.row("the files") + every.row("every combination"))
	section := func(name string, rows []string) {
		fmt.Fprintf(&b, "\n## By %s\n%s", name, columns)
		for _, n := range rows {
			b.WriteString(at(tables[name], n).row(n))
		}
	}
	var ps, ts []string
	for _, p := range programs {
		ps = append(ps, p.name)
	}
	for _, g := range tongues {
		ts = append(ts, language(g.code))
	}
	section("program", ps)
	section("language", ts)
	section("place", places)
	section("structure", structures)
	b.WriteString(others)
	if err := os.WriteFile("READING.md", []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// others is what the letters of other people showed, which are not ours to keep here.
const others = `
## Words next to orders
What a letter says besides orders decides whether they are meant (engine/order/ORDERS.md 4). The rule has two
prices: orders played that their writer did not mean, and questions that a plain letter did not need. TestRemarks
(engine/order) counts both on letters made of remarks as people type them in 25 languages, one in each letter: in the
"unmeant" ones it takes the order back, doubts it, puts it off or asks, in the "plain" ones it says nothing about it. The rule
asks about every letter with a question mark outside messages: ten of the first 1,958 plain letters, which we count apart.

- *First*: written and committed before the rule. One half of them was only counted at first: then 65 of 1007 letters still
  played, with 170 questions in 993 plain ones. Later we read all of them to improve the rule.
- *Practice*: 1,762 more, written and committed before we changed the rule with them.
- *Fresh* and *aside*: 1,100 letters of each. We counted them about 25 times, and have read them since to improve the rule.
- *Blind*: 1,200 remarks by someone who had seen neither the rule, nor its words, nor another set. No one has read them. We
  counted them eight times while the rule improved, from 62 and 313. These are the figures to expect of letters that we have
  never seen.

| remarks | | before the rule | before the practice | now | aim |
|---|---|--:|--:|--:|--:|
| first | unmeant orders played, of 2000 letters | 939 | 17 | 0 | 0 |
| | of them what can't be undone | 594 | 7 | 0 | 0 |
| | plain letters asked about, of 1948 | 405 | 94 | 42 | 58 |
| practice | unmeant orders played, of 2000 letters | | 270 | 0 | 0 |
| | of them what can't be undone | | 152 | 0 | 0 |
| | plain letters asked about, of 2000 | | 735 | 233 | 60 |
| fresh | unmeant orders played, of 1100 letters | 701 | 30 | 0 | 0 |
| | of them what can't be undone | 451 | 15 | 0 | 0 |
| | plain letters asked about, of 1040 | 247 | 231 | 152 | 31 |
| aside | unmeant orders played, of 1100 letters | | 78 | 0 | 0 |
| | of them what can't be undone | | 37 | 0 | 0 |
| | plain letters asked about, of 1100 | | 369 | 47 | 33 |
| blind | unmeant orders played, of 1200 letters | | | 45 | 0 |
| | of them what can't be undone | | | 26 | 0 |
| | plain letters asked about, of 1140 | | | 276 | 34 |

The figures before the rule are those of all plain letters, with those that hold a question mark.

Most letters hold no such remark: of the replies above, with their greetings, closings, signatures and footers, one in
872 brings a question.

## Letters of others
On 25 November 2026 we read 1,226 letters from the public tests of 38 other programs: libraries that
read replies, mail programs, ticket systems and mailing lists. Orders took the place of what their
writers wrote, and our notice the place of what they quoted. We used one half to improve the reader; of
the other we only counted, apart from two letters that it read wrongly (TestSplicedAttributions).

| notice known | exact | asked | wrong |
|---|--:|--:|--:|
| the half we used, before | 589 | 10 | 0 |
| the half we used, after | 593 | 6 | 0 |
| the other half, before | 616 | 9 | 2 |
| the other half, after | 618 | 9 | 0 |

## Typed into quotations
On 27 November 2026 we typed two orders into 525 places of our 41 kinds of letters, as iOS Mail, Proton and Gmail
quote them without ending the quotation there: 519 are read exactly, 6 asked about (TestTypedIntoQuotation in
cmd/internal/letters). Quoted in answers to each of the 41 kinds, 6,724 in all, none of them has an order.

On 26 November we read the 832 letters of a public test of bounces: 716 are read as bounces, 14 as abuse
reports, 19 as other letters of machines or lists. 79 are broken: their only line ends are CR, which no mail
server passes on. Four are answered, all from people: two forward a bounce, two have nothing to do with one.
`

var writeCorpus = flag.Bool("corpus", false, "make the files of testdata/corpus anew")

// archive is a program's letters as one file of testdata/corpus: each letter, then its orders.
func archive(p int, all []recipe) []byte {
	a := txtar.Archive{Comment: fmt.Appendf(nil, "%s. Made by go test ./mail/letter -run TestCorpus -corpus from corpus_test.go.\n", programs[p].name)}
	for j := range tongues {
		for k := range places {
			if r := all[(p*len(tongues)+j)*len(places)+k]; inFiles(p, j, k) {
				name := r.tongue + ", " + r.place + ", " + r.structure
				a.Files = append(a.Files, txtar.File{Name: name + ".eml", Data: []byte(strings.ReplaceAll(r.raw, "\r\n", "\n"))},
					txtar.File{Name: name + ".orders", Data: []byte(lines(r.orders...))})
			}
		}
	}
	return txtar.Format(&a)
}

// TestCorpus holds that testdata/corpus is what the recipes make.
func TestCorpus(t *testing.T) {
	plain, html := noticeParts(t)
	all := corpus(plain, html)
	for i, p := range programs {
		name, want := filepath.Join("testdata/corpus", p.file()+".txtar"), archive(i, all)
		if *writeCorpus {
			if err := os.WriteFile(name, want, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got := readFile(t, name); got != string(want) {
			t.Errorf("%s is not what the recipes make: run make corpus", name)
		}
	}
	if n := len(archived(t)); n < 600 {
		t.Errorf("%d letters", n)
	}
}

// archived are the letters of testdata/corpus.
func archived(t *testing.T) (rs []recipe) {
	for _, p := range programs {
		a := txtar.Parse([]byte(readFile(t, filepath.Join("testdata/corpus", p.file()+".txtar"))))
		for i := 0; i+1 < len(a.Files); i += 2 {
			what := strings.Split(strings.TrimSuffix(a.Files[i].Name, ".eml"), ", ")
			if len(what) != 3 {
				t.Fatalf("%s: %q", p.name, a.Files[i].Name)
			}
			r := recipe{program: p.name, tongue: what[0], place: what[1], structure: what[2], raw: strings.ReplaceAll(string(a.Files[i].Data), "\n", "\r\n")}
			if orders := strings.TrimSuffix(string(a.Files[i+1].Data), "\n"); orders != "" {
				r.orders = strings.Split(orders, "\n")
			}
			rs = append(rs, r)
		}
	}
	return rs
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
