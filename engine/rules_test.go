package engine_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	. "angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/order"
)

// The tests of the rules are text: testdata/rules/NUMBER.txt holds the cases of
// that number of RULES.md, rulesInGo those that text cannot say. A case is
//
//	== title
//	facts of the position (ParsePosition)
//	---
//	N: step                    seat N takes the step, which must be legal
//	! N: step -> RULE          the step is refused citing RULE (or one of RULE|RULE), nothing changes
//	legal N [KIND]:            the legal steps of seat N (of one kind), exactly, indented below; or "none"
//	can N: step, cannot N: step
//	to act: N N                who owes a decision, exactly ("none": no one)
//	final: VP VP …             the final scores, by seat; winners: N …
//	gain N: step = VP          what a viewer is told the step wins at once
//	roll COLOUR V V            the dice to come
//	chance STREAM N N          other draws to come, as they are before the modulus
//	expect:                    facts (Facts) that hold now, indented below
//	changes:                   exactly the facts that changed since the case began or the last "changes:"
//	told:                      events told since the last "told:", in this order, others between them allowed
//	told not: EVENT            no such event since the last "told:"
//
// An event is its kind and those fields that matter: "Attack card=075 loc=1".
// Chance that is not scripted fails the test.

func TestRules(t *testing.T) {
	files, err := filepath.Glob("testdata/rules/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	numbers := map[string]bool{}
	for n := range rulesInGo {
		numbers[n] = true
	}
	for _, f := range files {
		numbers[strings.TrimSuffix(filepath.Base(f), ".txt")] = true
	}
	for _, n := range slices.Sorted(maps.Keys(numbers)) {
		t.Run(n, func(t *testing.T) {
			if f := rulesInGo[n]; f != nil {
				f(t)
			}
			text, err := os.ReadFile("testdata/rules/" + n + ".txt")
			if os.IsNotExist(err) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			cases := strings.Split("\n"+string(text), "\n== ")
			if len(cases) < 2 {
				t.Fatal("no cases")
			}
			line := strings.Count(cases[0], "\n")
			for _, c := range cases[1:] {
				runCase(t, c, line)
				line += strings.Count(c, "\n") + 1
			}
		})
	}
}

// scripted is a Random that gives what a test names next.
type scripted struct {
	next map[Stream][]uint64
}

func (r *scripted) Draw(s Stream, k uint32) uint64 {
	q := r.next[s]
	if len(q) == 0 {
		panic(fmt.Sprintf("chance not scripted: stream %s, draw %d", s, k))
	}
	r.next[s] = q[1:]
	return q[0]
}

// faceOf is a draw of 0-5 that shows the value (R1.2).
var faceOf = [4]uint64{0, 1, 3, 4}

type caseRun struct {
	t       *testing.T
	title   string
	line    int // in the file
	s       *State
	src     *scripted
	tale    Tale
	told    int      // events before the last "told:"
	checked []string // facts at the last "changes:"
}

func (r *caseRun) fatal(format string, a ...any) {
	r.t.Helper()
	var pos strings.Builder
	if r.s != nil {
		pos.WriteString(Drawing(r.s))
	}
	r.t.Fatalf("line %d (%s): %s\n%s", r.line, r.title, fmt.Sprintf(format, a...), pos.String())
}

func runCase(t *testing.T, text string, line int) {
	t.Helper()
	title, body, _ := strings.Cut(text, "\n")
	r := &caseRun{t: t, title: title, line: line + 1, src: &scripted{next: map[Stream][]uint64{}}}
	pos, script, ok := strings.Cut("\n"+body, "\n---\n")
	if !ok {
		r.fatal("no --- between position and script")
	}
	s, err := ParsePosition(pos)
	if err != nil {
		r.fatal("position: %v", err)
	}
	r.s, r.checked = s, Facts(s)
	if again, err := ParsePosition(strings.Join(Facts(s), "\n")); err != nil || !SamePosition(again, s) {
		r.fatal("the position does not read back as printed (%v)", err)
	}
	r.line += strings.Count(pos, "\n") + 1
	defer func() {
		if p := recover(); p != nil {
			r.fatal("panic: %v", p)
		}
		left := ""
		for s, q := range r.src.next {
			if len(q) > 0 {
				left += fmt.Sprintf(" %s×%d", s, len(q))
			}
		}
		if left != "" && !t.Failed() {
			r.fatal("scripted chance was not drawn:%s", left)
		}
	}()
	lines := strings.Split(script, "\n")
	for i := 0; i < len(lines); i++ {
		r.line++
		l, _, _ := strings.Cut(lines[i], "#")
		if l = strings.TrimRight(l, " "); l == "" {
			continue
		}
		at := r.line
		var block []string
		if strings.HasSuffix(l, ":") { // a block follows
			for i+1 < len(lines) && (strings.HasPrefix(lines[i+1], "\t") || strings.HasPrefix(lines[i+1], "  ")) {
				i++
				b, _, _ := strings.Cut(lines[i], "#")
				if b = strings.Join(strings.Fields(b), " "); b != "" {
					block = append(block, b)
				}
				at++
			}
		}
		r.command(l, block)
		r.line = at
	}
}

// kindOf is the kind a legal list is narrowed to.
var kindOf = map[string]Kind{
	"discard": Discard, "keep": Keep, "decline": Decline, "card": PlayCard, "activate": Activate, "flip": FlipDie, "die": TakeDie,
	"act": Act, "mission": UseCard, "boost": Boost, "take": TakeTiles, "inject": Inject, "cube": Cube, "ship": MoveShip,
	"place": Place, "locations": Locations, "collect": Collect, "done": Done, "B": Reroll, "reserve": Reserve, "pass": Pass,
}

var (
	stepLine = regexp.MustCompile(`^(\d): (.+)$`)
	bangLine = regexp.MustCompile(`^! (\d): (.+) -> (\S+)$`)
	canLine  = regexp.MustCompile(`^(can|cannot) (\d): (.+)$`)
	legalAt  = regexp.MustCompile(`^legal (\d)( \w+)?:$`)
	gainLine = regexp.MustCompile(`^gain (\d): (.+) = (-?\d+)$`)
)

func (r *caseRun) step(text string) Step {
	r.t.Helper()
	st, err := order.Parse(text)
	if err != nil {
		r.fatal("%q: %v", text, err)
	}
	return st
}

func (r *caseRun) legal(seat Seat) []Step {
	r.t.Helper()
	list := r.s.Legal(seat, nil)
	seen := r.s.Project(seat).Legal(nil)
	if !slices.Equal(list, seen) {
		r.fatal("the view's legal list differs from the state's: %v", diffSteps(list, seen))
	}
	return list
}

func printAll(steps []Step) (out []string) {
	for _, s := range steps {
		out = append(out, order.Print(s))
	}
	return out
}

// diffSteps says what is missing (-) and what is too much (+).
func diffSteps(want, have []Step) (out []string) {
	for _, s := range want {
		if !slices.Contains(have, s) {
			out = append(out, "-"+order.Print(s))
		}
	}
	for _, s := range have {
		if !slices.Contains(want, s) {
			out = append(out, "+"+order.Print(s))
		}
	}
	return out
}

func (r *caseRun) command(l string, block []string) {
	r.t.Helper()
	if m := stepLine.FindStringSubmatch(l); m != nil {
		seat, st := seatOf(m[1]), r.step(m[2])
		if list := r.legal(seat); !slices.Contains(list, st) {
			r.fatal("%q is not listed for seat %d: %s", m[2], seat, strings.Join(printAll(list), "; "))
		}
		if err := r.s.Apply(seat, st, r.src, &r.tale); err != nil {
			r.fatal("%q: %v", m[2], err)
		}
		if err := Check(r.s); err != nil {
			r.fatal("after %q: %v", m[2], err)
		}
		return
	}
	if m := bangLine.FindStringSubmatch(l); m != nil {
		seat, st, before, told := seatOf(m[1]), r.step(m[2]), *r.s, len(r.tale.Events)
		err := r.s.Apply(seat, st, r.src, &r.tale)
		var ill *Illegal
		if !errors.As(err, &ill) {
			r.fatal("%q was not refused: %v", m[2], err)
		}
		if !slices.Contains(strings.Split(m[3], "|"), ill.Rule) {
			r.fatal("%q is refused by %s (%s), want %s", m[2], ill.Rule, ill.Code, m[3])
		}
		if *r.s != before || len(r.tale.Events) != told {
			r.fatal("refusing %q changed something", m[2])
		}
		if ill.Seat != seat || ill.Step != st || ill.Code == "" {
			r.fatal("the refusal names another step: %+v", ill)
		}
		if slices.Contains(r.legal(seat), st) {
			r.fatal("%q is refused but listed", m[2])
		}
		return
	}
	if m := canLine.FindStringSubmatch(l); m != nil {
		seat, st := seatOf(m[2]), r.step(m[3])
		list := r.legal(seat)
		if slices.Contains(list, st) != (m[1] == "can") {
			r.fatal("want %s %q: %s", m[1], m[3], strings.Join(printAll(list), "; "))
		}
		return
	}
	if m := legalAt.FindStringSubmatch(l); m != nil {
		list := r.legal(seatOf(m[1]))
		if word := strings.TrimSpace(m[2]); word != "" {
			kind, ok := kindOf[word]
			if !ok {
				r.fatal("no kind %q", word)
			}
			list = slices.DeleteFunc(list, func(s Step) bool { return s.Kind != kind })
		}
		var want []Step
		for _, b := range block {
			if b != "none" {
				want = append(want, r.step(b))
			}
		}
		if len(block) == 0 {
			r.fatal("an empty list is written none")
		}
		if d := diffSteps(want, list); d != nil {
			r.fatal("legal steps differ: %s", strings.Join(d, "; "))
		}
		if len(list) != len(want) {
			r.fatal("a step is listed twice: %s", strings.Join(printAll(list), "; "))
		}
		return
	}
	if m := gainLine.FindStringSubmatch(l); m != nil {
		want, _ := strconv.Atoi(m[3])
		if got := r.s.Project(seatOf(m[1])).Gain(r.step(m[2])); got != want {
			r.fatal("gain %q = %d", m[2], got)
		}
		return
	}
	w := strings.Fields(l)
	switch {
	case w[0] == "to" && w[1] == "act:":
		for k := Seat(1); k <= 4; k++ {
			want := slices.Contains(w[2:], strconv.Itoa(int(k)))
			if r.s.ToAct(k) != want {
				r.fatal("seat %d to act: %v", k, !want)
			}
			if got := len(r.legal(k)) > 0; got != want {
				r.fatal("seat %d has legal steps: %v", k, got)
			}
		}
	case w[0] == "final:":
		for i, f := range w[1:] {
			p := r.s.Project(0).Players[i]
			sum := 0
			for _, n := range p.By {
				sum += n
			}
			if strconv.Itoa(p.Final) != f || sum != p.Final || !r.s.Finished() {
				r.fatal("seat %d ends with %d VP, %d by source", i+1, p.Final, sum)
			}
		}
	case w[0] == "winners:":
		if got := strings.Trim(fmt.Sprint(r.s.Winners()), "[]"); got != strings.Join(w[1:], " ") {
			r.fatal("winners: %s", got)
		}
	case w[0] == "roll":
		for i := 2; i < len(w); i++ {
			v, _ := strconv.Atoi(w[i])
			for _, c := range component.Colors {
				if c.String() == w[1] {
					s := StreamDieOrange + Stream(c)
					r.src.next[s] = append(r.src.next[s], faceOf[v])
				}
			}
		}
	case w[0] == "chance":
		for s := StreamSeats; s <= StreamHal; s++ {
			if s.String() == w[1] {
				for _, f := range w[2:] {
					n, _ := strconv.ParseUint(f, 10, 64)
					r.src.next[s] = append(r.src.next[s], n)
				}
			}
		}
	case l == "expect:":
		facts := Facts(r.s)
		for _, b := range block {
			if !slices.Contains(facts, b) {
				r.fatal("expected %q; there is: %s", b, nearest(facts, b))
			}
		}
	case l == "changes:":
		now := Facts(r.s)
		var changed []string
		for i, f := range now {
			if f != r.checked[i] && !strings.HasPrefix(f, "asked ") && !strings.Contains(f, " by ") {
				changed = append(changed, f)
			}
		}
		slices.Sort(changed)
		slices.Sort(block)
		if !slices.Equal(changed, block) {
			r.fatal("changed:\n  %s\nwant:\n  %s", strings.Join(changed, "\n  "), strings.Join(block, "\n  "))
		}
		r.checked = now
	case l == "told:":
		events := r.tale.Events[r.told:]
		i := 0
		for _, b := range block {
			for i < len(events) && !matchEvent(events[i], b) {
				i++
			}
			if i == len(events) {
				r.fatal("not told (in this order): %s; told:\n  %s", b, strings.Join(printEvents(r.tale.Events[r.told:]), "\n  "))
			}
			i++
		}
		r.told = len(r.tale.Events)
	case strings.HasPrefix(l, "told not: "):
		for _, e := range r.tale.Events[r.told:] {
			if matchEvent(e, strings.TrimPrefix(l, "told not: ")) {
				r.fatal("told: %s", printEvent(e))
			}
		}
	default:
		r.fatal("unknown command %q", l)
	}
}

// What Drawing draws of Space, ParsePosition reads.
func TestDrawnSpaceReadsBack(t *testing.T) {
	const text = `advances 7
space
 14  rock!     orange*^12  gray[021/3]^3  green   green*
 11  gray*     rock^2      green!@        orange  rock
  9  rock      green!!     gray           orange  green*[041/1]
`
	s, err := ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	_, drawn, _ := strings.Cut(Drawing(s), "\n")
	again, err := ParsePosition("advances 7\n" + drawn[:strings.Index(drawn, "\n1: damage")])
	if err != nil {
		t.Fatal(err)
	}
	if !SamePosition(s, again) {
		t.Errorf("read back as\n%s", Drawing(again))
	}
	for _, want := range []string{"hex b14 ships 1 2", "hex c14 card 021 of 3", "hex c14 ships 3", "hex b9 green!!", "hex e9 card 041 of 1"} {
		if !slices.Contains(Facts(s), want) {
			t.Errorf("%q was not read", want)
		}
	}
}

func seatOf(s string) Seat { n, _ := strconv.Atoi(s); return Seat(n) }

// nearest are the facts that share most of the wanted one's first words.
func nearest(facts []string, want string) string {
	w := strings.Fields(want)
	for n := len(w) - 1; n > 0; n-- {
		head := strings.Join(w[:n], " ") + " "
		var hits []string
		for _, f := range facts {
			if strings.HasPrefix(f, head) {
				hits = append(hits, f)
			}
		}
		if hits != nil {
			return strings.Join(hits, " | ")
		}
	}
	return "nothing like it"
}

// eventNames are the names of event.go's constants, so that tests and failures
// can spell events; the engine itself never speaks.
var eventNames = func() []string {
	src, err := os.ReadFile("event.go")
	if err != nil {
		panic(err)
	}
	consts, _, _ := strings.Cut(string(src), "\n\tEventKinds")
	names := []string{"NoEvent"}
	for _, m := range regexp.MustCompile(`(?m)^\tEv(\w+)`).FindAllStringSubmatch(consts, -1) {
		names = append(names, m[1])
	}
	if len(names) != int(EventKinds) {
		panic(fmt.Sprintf("%d event names for %d kinds", len(names), EventKinds))
	}
	return names
}()

func printEvent(e Event) string {
	out := eventNames[e.Kind]
	v := reflect.ValueOf(e)
	for i := 1; i < v.NumField(); i++ {
		if f := v.Field(i); !f.IsZero() || v.Type().Field(i).Name == "Color" {
			out += fmt.Sprintf(" %s=%v", strings.ToLower(v.Type().Field(i).Name), f.Interface())
		}
	}
	return out
}

func printEvents(events []Event) (out []string) {
	for _, e := range events {
		out = append(out, printEvent(e))
	}
	return out
}

// matchEvent reports whether the event is of the kind and has the fields of want.
func matchEvent(e Event, want string) bool {
	w := strings.Fields(want)
	if !slices.Contains(eventNames, w[0]) {
		panic("no event is called " + w[0])
	}
	if eventNames[e.Kind] != w[0] {
		return false
	}
	v := reflect.ValueOf(e)
	for _, f := range w[1:] {
		name, val, _ := strings.Cut(f, "=")
		found := false
		for i := range v.NumField() {
			if strings.EqualFold(v.Type().Field(i).Name, name) {
				found = true
				if strings.ReplaceAll(fmt.Sprint(v.Field(i).Interface()), " ", "") != val {
					return false
				}
			}
		}
		if !found {
			panic("no event field is called " + name)
		}
	}
	return true
}
