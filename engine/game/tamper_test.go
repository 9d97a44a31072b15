package game

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
)

var tamperFlag = flag.Int("tamper.every", 0, "change every nth line of the records' logs; 0: a few of each kind, and of all changes a sixth")

// livelyGame is a whole game in which everything happens that a log has lines
// for: people and bots, undo, a rollback, a seat that a bot takes and gives back.
func livelyGame(t testing.TB, o Options, n uint64) *Game {
	t.Helper()
	rnd := rand.New(rand.NewPCG(n, 11))
	o.RulesVersion, o.Set = RulesVersion, component.DefaultName
	h := Header{Game: "lively", Options: o, Seed: [32]byte{byte(n), 3}}
	for i := range o.Players {
		h.Names = append(h.Names, [...]string{"Żółw <b>&", "Bo", "Cy", "Di"}[i])
		h.Entropy = append(h.Entropy, [...]string{"moon", "", "\u2028\t\"sun\"", "a b"}[i])
	}
	for _, i := range engine.DrawSeats(engine.NewChance(h.Seed, h.Message()), o.Players) {
		h.Invited = append(h.Invited, i+1)
	}
	g, err := New(component.Default(), h)
	if err != nil {
		t.Fatal(err)
	}
	away := map[engine.Seat]bool{}
	for !g.Finished() {
		p := g.Play
		acting := p.ToAct()
		seat := acting[rnd.IntN(len(acting))]
		switch n := g.Steps(); {
		case n == 20:
			p.Note(seat, ByPlayer, "resign")
			away[seat] = true
			continue
		case n == 30:
			for seat := range away {
				p.Note(seat, ByOrganiser, "replace seat "+strconv.Itoa(int(seat))+" by player")
			}
			away = map[engine.Seat]bool{}
			continue
		case n == 40:
			if to, ok := p.RollbackTo(33); ok && p.Rollback(to) == nil {
				continue
			}
		}
		if to, ok := p.Undoable(seat); ok && !away[seat] && rnd.IntN(10) == 0 {
			if err := p.Undo(seat, ByPlayer, to); err != nil {
				t.Fatal(err)
			}
			continue
		}
		legal := p.State.Legal(seat, nil)
		step := legal[rnd.IntN(len(legal))]
		switch {
		case away[seat]:
			_, err = g.DoBot(seat, "greedy", step)
		case rnd.IntN(30) == 0:
			_, err = g.Do(seat, ByClock, step)
		default:
			_, err = g.Do(seat, ByPlayer, step)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return g
}

// storedRecord is the record of a game as one that is stored is exported: with who
// played how much.
func storedRecord(g *Game, viewer engine.Seat) *Record {
	r := g.Play.Record(g.Head, viewer)
	if r.Result != nil {
		var tenures []Tenure
		var seats []Holder
		for i, name := range g.Head.Names {
			seats = append(seats, Holder{Place: i + 1, Seat: i + 1, Player: int64(i + 1), Name: name})
			tenures = append(tenures, Tenure{Place: i + 1, Player: int64(i + 1), Name: name, Why: TenureStart})
		}
		for _, l := range r.Log {
			switch word, _, _ := strings.Cut(l.Order, " "); word {
			case "resign":
				tenures = append(tenures, Tenure{Place: l.Seat, Since: l.N, Bot: "greedy", Why: TenureResigned})
			case "replace":
				tenures = append(tenures, Tenure{Place: l.Seat, Since: l.N, Player: 9, Name: "Eve", Why: TenureTakeover})
			}
		}
		r.Result.Parts = WithoutPlayerIDs(g.Play.Shares(tenures, seats))
	}
	r.Seal()
	return r
}

// A change is a record with one thing of its JSON that is not as it was.
type change struct {
	path string // as in log[3].told[0]
	what string
	doc  []byte
}

// optional are keys that a record can do without at some place, with values that
// change nothing and others; and one that it never has.
var optional = map[string][]any{
	"more": {json.Number("0"), "x"}, "bot": {"", "x"}, "sum": {"", "x"}, "hal": {"", "hard"}, "clock": {"", "3d"}, "hints": {false, true},
	"present": {false, true}, "parts": {[]any{}}, "left": {""}, "name": {""}, "invited": {[]any{}}, "seed": {""},
}

// changes are records that differ from a document in one value or one key. some
// tells which elements of a list to go into.
func changes(t testing.TB, doc []byte, some func(path string, i, n int) bool, each func(change)) {
	t.Helper()
	var root any
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	same, err := json.Marshal(root)
	if err != nil {
		t.Fatal(err)
	}
	tell := func(path, what string) {
		out, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out, same) {
			each(change{path, what, out})
		}
	}
	var walk func(path string, v any, set func(any))
	walk = func(path string, v any, set func(any)) {
		try := func(x any, what string) {
			set(x)
			tell(path, what)
			set(v)
		}
		switch x := v.(type) {
		case string:
			try(x+"x", "longer")
			if x != "" {
				try("", "emptied")
				try(x[:len(x)-1], "shorter")
			}
			if y := bump(x); y != x+"1" {
				try(y, "another digit")
			}
			try(json.Number("1"), "a number")
		case json.Number:
			n, err := x.Int64()
			if err != nil {
				t.Fatal(err)
			}
			try(json.Number(strconv.FormatInt(n+1, 10)), "one more")
			try(json.Number(strconv.FormatInt(n-1, 10)), "one less")
			try(json.Number(x+".5"), "a half more")
			try(json.Number("1"+strings.Repeat("0", 30)), "huge")
			try(string(x), "a text")
		case bool:
			try(!x, "the opposite")
		case []any:
			for i := range x {
				if some(path, i, len(x)) {
					walk(fmt.Sprintf("%s[%d]", path, i), x[i], func(v any) { x[i] = v })
					try(slices.Delete(slices.Clone(x), i, i+1), fmt.Sprint("without ", i))
					try(slices.Insert(slices.Clone(x), i, x[i]), fmt.Sprint("twice ", i))
				}
			}
			try(append(slices.Clone(x), "more"), "one more")
			try([]any{}, "emptied")
			try(map[string]any{}, "an object")
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(x)) {
				v := x[k]
				walk(strings.TrimPrefix(path+"."+k, "."), v, func(v any) { x[k] = v })
				delete(x, k)
				tell(path, "without "+k)
				x[strings.ToUpper(k)] = v
				tell(path, "in capitals "+k)
				x[k] = v
				tell(path, "also in capitals "+k)
				delete(x, strings.ToUpper(k))
			}
			for k, values := range optional {
				if _, has := x[k]; !has {
					for _, v := range values {
						x[k] = v
						tell(path, "one more key "+k)
					}
					delete(x, k)
				}
			}
		}
		try(nil, "null")
	}
	walk("", root, func(v any) { root = v })
}

// keyed are the fields that a change of a key may be told as; others only by the
// checksum.
var keyed = []struct {
	path   *regexp.Regexp
	fields []string
}{
	{regexp.MustCompile(`^options\.(players|rules|edition|hal|rules_version|set|hints|open|present|shared)$`), []string{FieldOptions}},
	{regexp.MustCompile(`^(commitment|viewer|finished)$`), nil}, // by its own name
	{regexp.MustCompile(`^(invited|names)(\[\d+\])?$`), nil},
	{regexp.MustCompile(`^seed$`), nil},
	{regexp.MustCompile(`^result\.(ending|winners|scores|log_sha256)`), []string{FieldResult}},
	{regexp.MustCompile(`^result\.parts\[\d+\]\[\d+\]\.turns$`), []string{FieldResult}},
	{regexp.MustCompile(`^log\[\d+\]\.(n|seat|by|order|told|sum)`), nil},
}

// Every change of a record is refused: of each value, each key taken away or added,
// at every depth. What tells it names the key, where that follows from the rest.
func TestEveryChangeIsRefused(t *testing.T) {
	base, advanced := Options{Rules: "base", Edition: "revised"}, Options{Rules: "advanced", Edition: "first", Hints: true, Clock: "3d"}
	with := func(o Options, players int, hal string) Options {
		o.Players, o.Hal = players, hal
		return o
	}
	for name, o := range map[string]Options{"solo": with(advanced, 1, "hard"), "2": with(base, 2, ""), "3 advanced": with(advanced, 3, "")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := livelyGame(t, o, uint64(o.Players))
			has := map[string]int{}
			for _, l := range g.Log() {
				word, _, _ := strings.Cut(l.Order, " ")
				has[word]++
				has[string(l.By)]++
			}
			for _, word := range []string{"undo", "rollback", "resign", "replace", "bot", "clock"} {
				if has[word] == 0 {
					t.Errorf("no %s in the game", word)
				}
			}
			// Some lines of a log stand for all: those of a kind that there is
			// only here, and now and then one.
			some := func(path string, i, n int) bool {
				if path != "log" {
					return true
				}
				if *tamperFlag > 0 && i%*tamperFlag == 0 {
					return true
				}
				l := g.Log()[i]
				return i == 0 || i == n-1 || l.Meta() && l.Order[0] == 'r'
			}
			if !t.Run("finished", func(t *testing.T) { refuses(t, encode(t, storedRecord(g, 0)), some) }) || o.Players != 2 {
				return
			}
			t.Run("seat", func(t *testing.T) {
				refuses(t, encode(t, storedRecord(g, 1)), func(path string, i, n int) bool { return path != "log" || i == n/2 })
			})
			half, err := Open(component.Default(), g.Record(0), 35)
			if err != nil {
				t.Fatal(err)
			}
			t.Run("running", func(t *testing.T) { refuses(t, encode(t, storedRecord(half, 1)), some) })
		})
	}
}

func refuses(t *testing.T, doc []byte, some func(string, int, int) bool) {
	t.Helper()
	whole, err := ReadRecord(bytes.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	if d, err := Verify(whole, component.Default()); d != nil || (err == nil) != whole.Finished || err != nil && strings.Contains(err.Error(), "exported") {
		t.Fatalf("unchanged: %v, %v", d, err)
	}
	line := regexp.MustCompile(`^differs line=\d+ field=[a-z_]+ want="[^{}]*" got="[^{}]*"$`)
	told, n, tried := map[string]int{}, 0, 0
	changes(t, doc, some, func(c change) {
		if n++; *tamperFlag == 0 && n%6 != 0 {
			return
		}
		tried++
		fail := func(format string, args ...any) {
			t.Helper()
			t.Errorf("%s, %s: %s", c.path, c.what, fmt.Sprintf(format, args...))
		}
		rec, err := ReadRecord(bytes.NewReader(c.doc))
		if err != nil {
			if !errors.Is(err, ErrRecord) || len(err.Error()) > 300 || strings.Contains(err.Error(), "Go ") {
				fail("%v", err)
			}
			told["unreadable"]++
			return
		}
		d, err := Verify(rec, component.Default())
		switch {
		case d == nil && err == nil:
			fail("accepted")
		case err != nil:
			if told["error"]++; !errors.Is(err, ErrRecord) || !strings.Contains(err.Error(), "not as it was exported") || len(err.Error()) > 400 {
				fail("%v", err)
			}
			if whole.Finished && c.path != "set" && c.path != "set_hash" && rec.Seed != "" && rec.Result != nil {
				fail("%v", err)
			}
		default:
			told[d.Field]++
			if s := d.String(); !line.MatchString(s) || len(s) > 500 {
				fail("%s", s)
			}
			if why := wrongField(c, d); whole.Finished && why != "" {
				fail("%s: %v", why, d)
			}
		}
	})
	t.Logf("%d changes: %v", tried, told)
	if n < 300 {
		t.Errorf("only %d changes", n)
	}
}

// wrongField says what is wrong with how a change was told, "" nothing.
func wrongField(c change, d *Difference) string {
	number, _, _ := strings.Cut(strings.TrimPrefix(c.path, "log["), "]")
	n, err := strconv.Atoi(number)
	inLog := err == nil && strings.HasPrefix(c.path, "log[")
	if d.Field == FieldChecksum {
		if d.Line != 0 {
			return "the checksum has a line"
		}
		for _, k := range keyed {
			if k.path.MatchString(c.path) && slices.Contains([]string{"longer", "another digit", "the opposite", "one more", "one less"}, c.what) && !inLog && c.path != "names" && c.path != "invited" {
				return "only the checksum tells it"
			}
		}
		if inLog {
			return "only the checksum tells of a line"
		}
		return ""
	}
	if inLog {
		key := strings.TrimPrefix(c.path[strings.Index(c.path, "]")+1:], ".")
		key, _, _ = strings.Cut(key, "[")
		if d.Line != n+1 {
			return "another line"
		}
		if key != "" && key != d.Field {
			return "another key"
		}
		return ""
	}
	for _, k := range keyed {
		if k.path.MatchString(c.path) {
			want := k.fields
			if want == nil {
				key, _, _ := strings.Cut(c.path, "[")
				want = []string{key}
			}
			if !slices.Contains(want, d.Field) {
				return "another key"
			}
		}
	}
	return ""
}
