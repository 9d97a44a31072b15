package order

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/cost"
)

// What the reader knows letters to be made of: whatever it looks for stands in
// one of these lines.
var lineShapes = []string{
	// Orders, spelled out, shortened, and with what goes wrong in them.
	"card 013 at row 2: 2.1, 2.3 resource", "c 013 r2", "play 13 c1", "activate 2.1", "act 2.1 r", "2.1 resource", "die gray 2", "d g 2", "buy bob's gray 2", "buy a from", "flip gray 0", "boost 2.1",
	"discover 1", "disc", "repair 2", "destroy 2 4", "command", "comm", "use 027", "mission 027", "take t12 a4", "inject a4 row 1", "cube 3 on 2.1", "2 4", "ship b4 to b5", "b4", "launch to b4", "place 027 at b4",
	"locations 2 4", "collect with t12", "x3", "done", "discard 013, 014", "keep 031", "decline", "B", "B reserve gray 3, orange 2", "reserve none", "pass", "undo", "preview",
	"die gray 9", "card 999 at row 2", "inject a5 row 9", "launch from b4 to b77", "crad 013 at row 2", "comand", "die gray 2 pleaze", "B; unless Bob objects", "die gray 2; undo; zzz 5",
	"- die gray 2", "1) B", "My turn: die gray 2", "My turn:", "die gray 2 # mine", "# mine", "d", "c", "a a a", "card card card zzz",
	// Words, and lines that go on below.
	"status", "stat", "yes", "no", "resign", "help say", "rules 013", "history 5", "name Anna", "join Ann, word", "format html", "notify mine", "vacation 1 2", "quiet 22 to 7", "days off Sat", "zone Europe/Berlin",
	"extend Bob by 2 days", "remind Bob", "replace Bob by bot", "address add a@b.c", "rating Bob", "league X", "join league X, Anna", "substitute X", "standings X", "never write to me again",
	"new game", "open game", "players: a@b.c,", "players: a@b.c", ", a@b.c,", "a@b.c,", "clock: fast", "hal: hard", "name: x", "rules: base", "new league", "amend X", "announce X: hello", "announce",
	"void abcdefghijklmn27: a reason", "void: x", "replay", "adjudicate abcdefghijklmn27 Ann 3, Bob -4: x", "rollback abcdefghijklmn27 to 3: x", "extend abcdefghijklmn27 Ann by 2 days: x",
	"always reserve gray 3, 2 leaving 1", "always", "never activate 009", "forget 2", "standing",
	// Messages.
	"say: x", "say to Bob: x", "say to Bob and Cem & Dora, E: x", "say: I take card 013", "say", "say x", "note: x", "note", "note x", "end", "end say", "example",
	// Plans.
	"plan", "plan: B", "plan; zzz", "plan to zzz", "plan none", "end plan", "if tile t12 and hex b4 free", "if tile t12: B", "if t12 then die gray 2", "if you like", "unless damage 3", "if: zzz", "else", "else B", "or else zzz", "otherwise it rains", "or zzz",
	// All around.
	"vielleicht spiele ich", "si je jouais", "也许我出", "かもしれない", "tal vez", "en pelaa", "her er", "was a hard turn", "prevew", "undoo", "crad 013 at rwo 2: 2.1 resorce", "purchsae grya 2 form Bbo", "aaa bbb ccc ddd eee fff",
	"", " ", ">", "> x", "> die gray 2", "| die gray 2", "- | x", "Hi all,", "Dear Bob", "Thanks", "Thanks,", "Best regards, Anna", "thanks and thanks and", "Anna Berg", "Anna", "A. B.", "x", "zzz yyy", "Frobnicate.", "I hope this is right, and that you all are well.", "2026-11-21 10:00", "+49 170 123 45 67", ":", ";", "...", "\xff\u200b", "１", "é",
	strings.Repeat("zzz ", 30), strings.Repeat("It is 2 or 3. ", 40), strings.Repeat("die gray 2; ", 40), "say: " + strings.Repeat("x ", 300),
}

// What lines are made of, to be repeated in one.
var partShapes = append([]string{
	"x", "zzz ", "1", "1 ", "1. ", "a", "a ", "b", "B; ", "play ", "card ", "card 1 ", "discard 1, ", "reserve gray 2, ", "gray 2 or ", "play 013 at row ", "2.1 ", "2.1 x; ", "take a 4 ", "t12 ", "x3 ", "ship b4 to ", "b4 ", "buy a from ", "buy bob's ",
	"say: ", "say: x; ", "say to ", "a and ", "a, ", "plan ", "plan: ", "plan; ", "if ", "if t12: ", "if t12 and ", "if t12 then ", "else ", "or ", "or else ", "unless ", "not ", "no ", "always ", "always reserve ", "status; ", "undo; ", "yes ", "thanks ", "thanks and ", "hi ", "new game ",
	"players: ", "a@b.c, ", "<a@b.c> ", ": ", ";", "; ", ",", "#", "?", ".", "... ", " ", "\t", "-", "- ", ">", "|", "'", "s' ", "to ", "for ", "of league ", "void ", "void abcdefghijklmn27: ", "roll back ", " by ", " with ", "end ", "my turn: ", "é", "\xff", "\u200b", "\u00a0", "１", "ß", "İ",
}, "extend abcdefghijklmn27 ", "adjudicate abcdefghijklmn27 a 1, ", "announce x: ", "join ", "history ", "zone ", "rating of ", "substitute ", "replace a by ")

// through reads lines in every way in which the server does: as a letter, as a
// program's, as a plan, as what is said; and holds each order against the steps
// that are legal.
func through(lines []string) Letter {
	l := ReadLetter(lines, "Anna Berg", "Anna")
	for _, l := range []Letter{l, ReadLines(lines)} {
		typos := 0 // as many as a letter has mended at most
		for _, it := range l.Items {
			if it.Clause != nil {
				ctx := Context{Names: []string{"Anna", "Bob"}}
				Match(*it.Clause, someLegal, ctx)
				if typos++; typos <= 6 {
					Typos(*it.Clause, someLegal, ctx, "undo")
				}
			}
			for _, s := range strings.Split(it.Word.Text, "\n") {
				ReadsAsOrder(s)
				CardsNamed(s)
			}
		}
	}
	ReadAhead(lines)
	return l
}

var someLegal = func() (out []engine.Step) {
	for _, s := range []string{"card 013 at row 2", "activate 2.1", "die gray 2", "die gray 2 from seat 2", "reserve gray 3", "discard 013", "B", "pass"} {
		step, err := Parse(s)
		if err != nil {
			panic(err)
		}
		out = append(out, step)
	}
	return out
}()

// octets is how many octets read goes through.
func octets(read func([]string) Letter, lines []string) (n int) {
	looked = func(octets int) { n += octets }
	defer func() { looked = nil }()
	read(lines)
	return n
}

// grown makes n lines: a and b in turn, or half of them a and the others b.
func grown(a, b string, n int, inTurn bool) []string {
	lines := make([]string, n)
	for i := range lines {
		if lines[i] = a; inTurn && i%2 == 1 || !inTurn && i >= n/2 {
			lines[i] = b
		}
	}
	return lines
}

// twice fails unless twice as much costs at most two and a half times as much.
func twice(t *testing.T, what string, read func([]string) Letter, one, two []string) {
	t.Helper()
	n, m := octets(read, one), octets(read, two)
	if float64(m) > 2.5*float64(n) {
		t.Errorf("%.60q: %d octets looked at, %d for twice as much", what, n, m)
	}
}

// Whatever shape its lines have, a letter twice as long costs at most two and a
// half times as much: below the bounds on clauses, on lines, and above both.
func TestWorkGrowsAsLettersDo(t *testing.T) {
	for _, a := range lineShapes {
		if n := octets(through, []string{a}); n < len(a) {
			t.Errorf("%.60q: %d octets looked at", a, n)
		}
		for _, n := range []int{20, 190, 1000} {
			twice(t, a, through, grown(a, a, n, true), grown(a, a, 2*n, true))
		}
	}
}

// What changes how the lines around it are read.
var turners = []string{
	"", "> x", "Hi all,", "Thanks,", "Anna", "die gray 2", "B", "undo", "preview", "comand", "status", "resign", "history x", "new game", "players: a@b.c,", "void abcdefghijklmn27: a reason",
	"new league", "say: x", "say", "end", "note x", "plan", "plan: B", "plan; zzz", "if t12", "else", "Frobnicate.", strings.Repeat("It is 2 or 3. ", 40),
}

// everyPair has TestWorkGrowsWhateverIsMixed mix each shape with each turner: 20 s. By
// default a fifth of the pairs is, chosen so that every shape and every turner is in.
var everyPair = flag.Bool("work.pairs", false, "mix every shape of line with every other")

// So does one of any shape with what may turn its meaning, in turn and one below
// the other.
func TestWorkGrowsWhateverIsMixed(t *testing.T) {
	read := func(lines []string) Letter { return ReadLetter(lines, "Anna Berg") }
	mixed := func(i, j int) bool { return *everyPair || (i+j)%9 == 0 }
	for i, a := range lineShapes {
		for j, b := range turners {
			if !mixed(i, j) {
				continue
			}
			twice(t, a+"|"+b, read, grown(a, b, 20, true), grown(a, b, 40, true))
			twice(t, a+"/"+b, read, grown(a, b, 20, false), grown(a, b, 40, false))
			twice(t, b+"/"+a, read, grown(b, a, 20, false), grown(b, a, 40, false))
		}
	}
	for i, a := range turners { // up to the bound on lines
		for j, b := range turners {
			if !mixed(i, j) {
				continue
			}
			twice(t, a+"|"+b, read, grown(a, b, 190, true), grown(a, b, 380, true))
			twice(t, a+"/"+b, read, grown(a, b, 190, false), grown(a, b, 380, false))
		}
	}
}

// So does a line of any part, longer than orders may be, with and without what
// makes it a message, a plan or an option.
func TestWorkGrowsAsLinesDo(t *testing.T) {
	for _, head := range []string{"", "say: ", "plan: ", "if t12: ", "name ", "void abcdefghijklmn27: ", "players: "} {
		for _, part := range partShapes {
			line := func(n int) []string { return []string{"new game", head + strings.Repeat(part, n/len(part))} }
			twice(t, head+part, through, line(6000), line(12000)) // MaxText and MaxPlan are passed in both
		}
	}
}

// Up to MaxLine a line may cost more as it grows: tokens are gone back over. The
// bound is the proof.
func TestWorstLines(t *testing.T) {
	worst, what := 0, ""
	for _, head := range []string{"", "say: ", "plan: ", "if t12: ", "else ", "x "} {
		for _, part := range partShapes {
			for _, tail := range []string{"", "zzz 5"} {
				line := head + strings.Repeat(part, (MaxLine-len(head)-len(tail))/len(part)) + tail
				if n := octets(through, []string{line}); n > worst {
					worst, what = n, line
				}
			}
		}
	}
	t.Logf("%d octets looked at for %d of %.40q", worst, len(what), what)
	if most := 550 * MaxLine; worst > most {
		t.Errorf("%d octets looked at for %.60q, at most %d are allowed", worst, what, most)
	}
}

// Of a letter with more lines than may be nothing is read below the bound.
func TestLinesAreBounded(t *testing.T) {
	for _, a := range lineShapes {
		lines := grown(a, a, min(20000, 1<<19/(len(a)+1)), true) // mail/letter's MaxLines and MaxText
		var l Letter
		cost.Within(t, func() { l = ReadLetter(lines, "Anna Berg") })
		read, clauses := map[int]bool{}, 0
		for _, it := range l.Items {
			if read[it.Line] = true; it.Clause != nil && it.Clause.Readable() {
				clauses++
			}
		}
		if len(read) > MaxLines+1 || clauses > MaxClauses {
			t.Errorf("%.60q: %d lines and %d clauses are read", a, len(read), clauses)
		}
	}
}

// The tests above do not find code that reads text without counting.
func TestEverythingIsCounted(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{`"regexp"`, "strings.Fields"} {
			if f != "work.go" && !strings.HasSuffix(f, "_test.go") && strings.Contains(string(b), s) {
				t.Errorf("%s has %s, which is not counted", f, s)
			}
		}
	}
}

// The search for what a mistyped line was meant for costs no more than a few times what is
// legal, whatever the line is; more steps than maxCompare cost nothing.
func TestWorstTypos(t *testing.T) {
	var legal []engine.Step
	for a := 1; a <= 40 && len(legal) < 2*maxCompare; a++ {
		for b := a + 1; b <= 40; b++ {
			for c := b + 1; c <= 40; c++ {
				if s, err := Parse(fmt.Sprintf("take t%d t%d t%d", a, b, c)); err == nil {
					legal = append(legal, s)
				}
			}
		}
	}
	if len(legal) < 2*maxCompare {
		t.Fatalf("%d steps", len(legal))
	}
	ctx := Context{Names: []string{"Anna", "Bob", "Zoe", "Ian"}}
	count := func(line string, legal []engine.Step) (n int) {
		looked = func(octets int) { n += octets }
		defer func() { looked = nil }()
		for _, c := range Expand(line) {
			Typos(c, legal, ctx, append(Asks(), "undo")...)
			break
		}
		return n
	}
	lines := append([]string{"tkae t1 t2 t3", "take t1 t2 t99", "take 41 42 43", "tkae t1 t2 t3 form Bbo", strings.Repeat("tkae ", 12), "taketaketaketaketaketaketaketaketaketaketake"}, lineShapes...)
	worst, what := 0, ""
	for _, line := range lines {
		one, two, four := count(line, legal[:maxCompare/2]), count(line, legal[:maxCompare]), count(line, legal[:2*maxCompare])
		if float64(two) > 2.5*float64(one) || float64(four) > 2.5*float64(two) {
			t.Errorf("%.40q: %d, %d and %d octets looked at", line, one, two, four)
		}
		if two > worst {
			worst, what = two, line
		}
		cost.Within(t, func() { count(line, legal[:maxCompare]) })
	}
	t.Logf("%d octets looked at for %.40q among %d steps", worst, what, maxCompare)
	if most := 1100 * maxCompare; worst > most {
		t.Errorf("%d octets looked at for %.40q, at most %d are allowed", worst, what, most)
	}
}
