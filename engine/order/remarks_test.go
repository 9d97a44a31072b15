package order_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/order"
)

// The remarks of testdata/remarks were written, and committed, before the rule that they
// measure. unmeant.tsv has what people type next to an order that they do not want played
// yet, or ever; harmless.tsv has what says nothing about it. Columns:
//
//	language  its code, or "und" for signs of no language
//	kind      what the writer wants with it
//	where     where it can stand: (a)bove the orders, (b)elow, before the first (p) or after the
//	          last (q) on its line; as a (g)reeting, (c)losing, (f)ooter, (s)ignature, (d)isclaimer
//	issue     of unmeant ones: printed in the issue that asked for the rule, so not counted
//	plain     of harmless ones: "yes" if a reader would say that the writer surely means the order
//	remark    the text; " / " is a line break
//
// No list of the reader may be made from these files.

var (
	updateFigures = flag.Bool("update", false, "write testdata/remarks/figures.txt again")
	showRemarks   = flag.Int("remarks.show", 0, "print this many letters that were read wrongly")
)

// A remark is a row of a file, by the names of its columns.
type remark map[string]string

func readRows(t *testing.T, name string) (rows []remark) {
	t.Helper()
	data, err := os.ReadFile("testdata/remarks/" + name)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	columns := strings.Split(lines[0], "\t")
	for _, line := range lines[1:] {
		fields := strings.Split(line, "\t")
		if len(fields) != len(columns) {
			t.Fatalf("%s: %q has %d columns", name, line, len(fields))
		}
		row := remark{}
		for i, c := range columns {
			row[c] = fields[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// An ordered line is an order; final if it reveals something, ends the turn or cannot be undone.
type ordered struct {
	text  string
	final bool
}

// A remarked letter is orders with remarks around them.
type remarked struct {
	lines  []string
	author string
	orders map[int]bool // by line, from 1: whether it is final
}

// isAsked reads a letter and reports whether orders of it would be played before a yes, final
// ones or others, and whether one would not. It is all that the measurement knows of the rule:
// beside words that are not harmless, a final order and all below it wait.
func isAsked(l remarked) (playedIrrevocable, playedUndoable, asked bool) {
	letter := order.ReadLetter(l.lines, l.author)
	obeyed, careful := map[int]bool{}, false
	for _, it := range letter.Items {
		switch {
		case it.Doubt != "", it.Word.Kind == order.Say: // a message plays nothing
			obeyed[it.Line] = false
		case it.Problem != nil && !strings.HasPrefix(it.Problem.Code, "order-"):
		case it.Problem != nil, it.Clause != nil && !it.Clause.Readable():
			return false, false, true // the letter is refused
		default:
			obeyed[it.Line] = true
		}
		careful = careful || it.Beside != ""
	}
	held := false
	for _, line := range slices.Sorted(maps.Keys(l.orders)) {
		final := l.orders[line]
		held = held || careful && final
		plays := obeyed[line] && !held
		playedIrrevocable = playedIrrevocable || final && plays
		playedUndoable = playedUndoable || !final && plays
		asked = asked || !plays
	}
	return playedIrrevocable, playedUndoable, asked
}

// readTurns reads turns.txt: turns of random games, kept so that the letters stay the same
// when the engine changes. A line with "final" behind a tab is final.
func readTurns(t *testing.T) (turns [][]ordered) {
	t.Helper()
	data, err := os.ReadFile("testdata/remarks/turns.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(strings.TrimSpace(string(data)), "\n\n")[1:] {
		var turn []ordered
		for line := range strings.SplitSeq(block, "\n") {
			text, mark, _ := strings.Cut(line, "\t")
			turn = append(turn, ordered{text, mark == "final"})
		}
		turns = append(turns, turn)
	}
	return turns
}

// shortFinals are words that end or reveal something, as people send them most.
var shortFinals = []string{"B", "B", "b", "pass", "done", "resign"}

// A scribe writes letters.
type scribe struct {
	rng           *rand.Rand
	turns         [][]ordered
	undone, final []ordered // single orders
}

func newScribe(t *testing.T, seed uint64) *scribe {
	s := &scribe{rng: rand.New(rand.NewPCG(seed, 32)), turns: readTurns(t)}
	seen := map[string]bool{}
	for _, turn := range s.turns {
		for _, o := range turn {
			if seen[o.text] {
				continue
			}
			if seen[o.text] = true; o.final {
				s.final = append(s.final, o)
			} else {
				s.undone = append(s.undone, o)
			}
		}
	}
	if len(s.turns) < 200 || len(s.undone) < 200 || len(s.final) < 50 {
		t.Fatalf("%d turns, %d orders to undo, %d final ones", len(s.turns), len(s.undone), len(s.final))
	}
	return s
}

func (s *scribe) one(of ...string) string { return of[s.rng.IntN(len(of))] }

// orders are one order, or a whole turn.
func (s *scribe) orders() []ordered {
	switch s.rng.IntN(6) {
	case 0, 1:
		return []ordered{s.undone[s.rng.IntN(len(s.undone))]}
	case 2:
		return []ordered{s.final[s.rng.IntN(len(s.final))]}
	case 3:
		return []ordered{{s.one(shortFinals...), true}}
	}
	return s.turns[s.rng.IntN(len(s.turns))]
}

// authors sign as the signatures of their language do.
var authors = map[string]string{
	"en": "Ann Lee", "fr": "Anne Lefèvre", "de": "Anna Müller", "es": "Ana Ruiz", "pl": "Anna Nowak", "pt": "Ana Souza", "it": "Anna Rossi", "nl": "Anneke de Vries",
	"sv": "Anna Lind", "no": "Anne Berg", "da": "Anne Holm", "fi": "Anna Virtanen", "cs": "Anna Nováková", "sk": "Anna Kováčová", "hu": "Kovács Anna", "ro": "Ana Popescu",
	"el": "Άννα Παπαδοπούλου", "ru": "Анна Иванова", "uk": "Анна Коваль", "tr": "Ayşe Yılmaz", "ar": "آنا حداد", "he": "אנה לוי", "ja": "田中花子", "zh": "李安娜", "ko": "김안나",
	"und": "Ann Lee",
}

// givenName is how the author in a language signs.
func givenName(language string) string {
	parts := strings.Fields(authors[language])
	if language == "hu" { // the family name comes first
		return parts[1]
	}
	return parts[0]
}

// letter writes orders and a remark where it can stand, and what else there is around them.
func (s *scribe) letter(r remark, greeting, closing string) remarked {
	l := remarked{author: authors[r["language"]], orders: map[int]bool{}}
	orders := slices.Clone(s.orders())
	text := strings.Split(r["remark"], " / ")
	gap := func() {
		if len(l.lines) > 0 && s.rng.IntN(2) == 0 {
			l.lines = append(l.lines, "")
		}
	}
	write := func(lines ...string) { l.lines = append(l.lines, lines...) }
	where := r["where"][s.rng.IntN(len(r["where"]))]
	if where == 'g' {
		greeting = r["remark"]
	}
	if greeting != "" {
		write(greeting)
		gap()
	}
	if where == 'a' {
		write(text...)
		if s.rng.IntN(3) == 0 {
			write("")
		}
	}
	first, last := &orders[0], &orders[len(orders)-1]
	switch where {
	case 'p':
		first.text = r["remark"] + " " + first.text
	case 'q':
		last.text += fmt.Sprintf(s.one(" %s", " - %s", " (%s)", ", %s", "... %s", ". %s"), r["remark"])
	}
	for _, o := range orders {
		write(o.text)
		l.orders[len(l.lines)] = o.final
	}
	place := s.rng.IntN(6) // of what stands below
	if where == 'b' && place < 4 {
		for range []int{0, 0, 1, 2}[place] {
			write("")
		}
		write(text...)
	}
	if where == 'c' {
		closing = r["remark"]
	}
	if where == 'b' && place == 4 { // in the signature's place
		write("", r["remark"])
		return l
	}
	if closing != "" || strings.ContainsRune("sfd", rune(where)) && s.rng.IntN(2) == 0 {
		if closing == "" {
			closing = "Best,"
		}
		write("", closing)
		gap()
		if sign := givenName(r["language"]); !strings.Contains(closing, sign) {
			write(sign)
		}
	}
	switch {
	case where == 's':
		write(s.one("-- ", "--", "", "", ""))
		write(text...)
	case where == 'f', where == 'd':
		write("")
		write(text...)
	case where == 'b' && place == 5: // after the signature
		write(s.one("", "PS:", "P.S."))
		write(text...)
	}
	return l
}

// counts are what became of letters.
type counts struct{ letters, irrevocable, undoable, asked int }

func (c *counts) add(l remarked) (played, asked bool) {
	irrevocable, undoable, asked := isAsked(l)
	c.letters++
	switch {
	case irrevocable:
		c.irrevocable++
	case undoable:
		c.undoable++
	}
	if asked {
		c.asked++
	}
	return irrevocable || undoable, asked
}

func (c *counts) row(name string) string {
	return fmt.Sprintf("%-22s%8d%12d%9d%7d\n", name, c.letters, c.irrevocable, c.undoable, c.asked)
}

// tally counts by kind and by language, too.
type tally struct {
	all  counts
	rows map[string]*counts
}

func (y *tally) add(r remark, l remarked) (played, asked bool) {
	played, asked = y.all.add(l)
	for _, k := range []string{"kind " + r["kind"], "language " + r["language"]} {
		if y.rows[k] == nil {
			y.rows[k] = &counts{}
		}
		y.rows[k].add(l)
	}
	return played, asked
}

func (y *tally) String() string {
	b := fmt.Sprintf("%-22s%8s%12s%9s%7s\n", "", "letters", "irrevocable", "undoable", "asked") + y.all.row("all")
	for _, k := range slices.Sorted(maps.Keys(y.rows)) {
		b += y.rows[k].row(k)
	}
	return b
}

// remarkSets are the sets of remarks and how many letters are made of each. All but the blind ones
// were read to improve the rule. The writer of the
// blind ones had seen neither the rule, nor its words, nor another set: no letter of them is printed.
var remarkSets = []struct {
	name, files string
	letters     int
	counted     bool // and never printed
}{
	{"read", "", 2000, false},
	{"practice", "practice-", 2000, false},
	{"fresh", "fresh-", 1100, false},
	{"aside", "aside-", 1100, false},
	{"blind", "blind-", 1200, true},
}

// TestRemarks measures the rule for remarks by its two prices: orders that are played though
// their writer did not mean them, and letters asked about though their writer surely did. The
// aims are 0 of 2,000 and at most 3 of 100. The test compares with the recorded figures; -update
// writes them anew.
func TestRemarks(t *testing.T) {
	var got string
	for _, set := range remarkSets {
		got += measureRemarks(t, set.name, set.files, set.letters, set.counted)
	}
	const file = "testdata/remarks/figures.txt"
	if *updateFigures {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != got {
		t.Errorf("figures differ from %s: %v\n%s", file, err, got)
	}
}

// measureRemarks makes letters of a set and counts.
func measureRemarks(t *testing.T, set, files string, letters int, counted bool) string {
	s := newScribe(t, 32)
	shown := 0
	show := func(what string, r remark, l remarked) {
		if counted {
			return
		}
		if shown++; shown <= *showRemarks {
			why := ""
			for _, it := range order.ReadLetter(l.lines, l.author).Items {
				if it.Doubt != "" || it.Beside != "" || it.Problem != nil || it.Clause != nil && !it.Clause.Readable() {
					why = fmt.Sprintf("line %d: %q %s %q", it.Line, it.Text, it.Doubt, it.Beside)
					break
				}
			}
			t.Logf("%s (%s, %s), %s:\n%s", what, r["language"], r["kind"], why, strings.Join(l.lines, "\n"))
		}
	}

	unmeant := slices.DeleteFunc(readRows(t, files+"unmeant.tsv"), func(r remark) bool { return r["issue"] != "" })
	if len(unmeant) < 250 {
		t.Fatalf("%s: %d remarks that the issue doesn't print", set, len(unmeant))
	}
	s.rng.Shuffle(len(unmeant), func(i, j int) { unmeant[i], unmeant[j] = unmeant[j], unmeant[i] })
	one := tally{rows: map[string]*counts{}}
	for n := range letters {
		r := unmeant[n%len(unmeant)]
		l := s.letter(r, s.one("", "", "Hi,", "Hello all,"), s.one("", "", "Thanks,", "Best regards"))
		if played, _ := one.add(r, l); played {
			show("played", r, l)
		}
	}

	harmless := readRows(t, files+"harmless.tsv")
	frames := map[string][]string{}
	for _, r := range harmless {
		if k := r["language"] + " " + r["kind"]; r["kind"] == "greeting" || r["kind"] == "closing" {
			frames[k] = append(frames[k], r["remark"])
		}
	}
	frame := func(kind string) string {
		if all := frames[kind]; len(all) > 0 && s.rng.IntN(3) == 0 {
			return s.one(all...)
		}
		return ""
	}
	s.rng.Shuffle(len(harmless), func(i, j int) { harmless[i], harmless[j] = harmless[j], harmless[i] })
	two := tally{rows: map[string]*counts{}}
	plain, questions := counts{}, counts{}
	for n := range letters {
		r := harmless[n%len(harmless)]
		greeting := frame(r["language"] + " greeting")
		l := s.letter(r, greeting, frame(r["language"]+" closing"))
		_, asked := two.add(r, l)
		if asked {
			show("asked", r, l)
		}
		switch {
		case r["plain"] != "yes":
		case strings.ContainsAny(strings.Join(l.lines, ""), "?？؟"): // asked by the rule's own words
			questions.add(l)
		default:
			plain.add(l)
		}
	}
	if plain.letters < letters/2 {
		t.Errorf("%d plain letters", plain.letters)
	}

	t.Logf("%s: %d of %d letters with unmeant orders play one, %d of them one that can't be undone; %d of %d plain letters are asked about",
		set, one.all.irrevocable+one.all.undoable, letters, one.all.irrevocable, plain.asked, plain.letters)
	return fmt.Sprintf("Unmeant orders, %s\n\n%s\nHarmless remarks, %[1]s (irrevocable and undoable: played, as meant)\n\n%[3]s%[4]s\n", set, &one, &two, plain.row("plain")+questions.row("plain, with ?"))
}

func TestRemarksStayRead(t *testing.T) {
	data, err := os.ReadFile("testdata/remarks/figures.txt")
	if err != nil {
		t.Fatal(err)
	}
	figure := func(in, row string) (f counts) {
		t.Helper()
		for line := range strings.Lines(in) {
			if rest, ok := strings.CutPrefix(line, row+" "); ok {
				if _, err := fmt.Sscan(rest, &f.letters, &f.irrevocable, &f.undoable, &f.asked); err != nil {
					t.Fatal(err)
				}
				return f
			}
		}
		t.Fatalf("no %q", row)
		return f
	}
	rest := string(data)
	for _, c := range []struct {
		set                          string
		irrevocable, undoable, asked int // at most
	}{
		{"read", 0, 0, 42},
		{"practice", 0, 0, 233},
		{"fresh", 0, 0, 152},
		{"aside", 0, 0, 47},
		{"blind", 26, 19, 276},
	} {
		var unmeant, plain string
		unmeant, rest, _ = strings.Cut(rest, "Harmless remarks")
		plain, rest, _ = strings.Cut(rest, "Unmeant orders")
		if f := figure(unmeant, "all"); f.irrevocable > c.irrevocable || f.undoable > c.undoable {
			t.Errorf("%s: %d of %d letters with unmeant orders play one that can't be undone, %d another; want at most %d and %d", c.set, f.irrevocable, f.letters, f.undoable, c.irrevocable, c.undoable)
		}
		if f := figure(plain, "plain"); f.asked > c.asked {
			t.Errorf("%s: %d of %d plain letters are asked about, want at most %d", c.set, f.asked, f.letters, c.asked)
		}
	}
}
