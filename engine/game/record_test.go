package game

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/cost"
)

// randomGame plays a whole game by uniform choice, with an undo now and then.
func randomGame(t testing.TB, players int, n uint64) *Game {
	t.Helper()
	rnd := rand.New(rand.NewPCG(n, uint64(players)))
	h := Header{
		Game:    "test",
		Options: Options{Players: players, Rules: "base", Edition: "revised", RulesVersion: RulesVersion, Set: component.DefaultName},
		Names:   []string{"Ada", "Bo", "Cy", "Di"}[:players],
		Entropy: []string{"moon", "", "sun", ""}[:players],
	}
	h.Seed[0], h.Seed[1] = byte(n), byte(players)
	for _, i := range engine.DrawSeats(engine.NewChance(h.Seed, h.Message()), players) {
		h.Invited = append(h.Invited, i+1)
	}
	g, err := New(component.Default(), h)
	if err != nil {
		t.Fatal(err)
	}
	var buf []engine.Step
	for !g.Finished() {
		acting := g.Play.ToAct()
		seat := acting[rnd.IntN(len(acting))]
		if to, ok := g.Play.Undoable(seat); ok && rnd.IntN(20) == 0 {
			if err := g.Play.Undo(seat, ByPlayer, to); err != nil {
				t.Fatal(err)
			}
			continue
		}
		buf = g.Play.State.Legal(seat, buf[:0])
		if _, err := g.Do(seat, ByPlayer, buf[rnd.IntN(len(buf))]); err != nil {
			t.Fatal(err)
		}
		if g.Steps() > 20000 {
			t.Fatal("the game does not end")
		}
	}
	return g
}

func encode(t testing.TB, r *Record) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRecordOfAFinishedGameVerifies(t *testing.T) {
	for players := 2; players <= 4; players++ {
		for n := range uint64(5) {
			g := randomGame(t, players, n)
			rec, err := ReadRecord(bytes.NewReader(encode(t, g.Record(0))))
			if err != nil {
				t.Fatal(err)
			}
			if d, err := Verify(rec, component.Default()); d != nil || err != nil {
				t.Fatalf("%d players, game %d: %v %v", players, n, d, err)
			}
			if rec.Result.LogHash != LogHash(rec.Log) {
				t.Error("log_sha256 is not the log's")
			}
			again, err := Open(component.Default(), rec, -1)
			if err != nil {
				t.Fatal(err)
			}
			a, _ := json.Marshal(g.ViewJSON(0, g.Steps()))
			b, _ := json.Marshal(again.ViewJSON(0, g.Steps()))
			if !bytes.Equal(a, b) {
				t.Error("replay gives another position than play")
			}
			if !reflect.DeepEqual(g.Story(0, -1), again.Story(0, -1)) {
				t.Error("replay tells another story than play")
			}
		}
	}
}

// Every single change of the log is found at its own line, the first where the
// record is not what the rules say.
func TestVerifyFindsAChangedLine(t *testing.T) {
	whole := encode(t, randomGame(t, 3, 7).Record(0))
	load := func() *Record {
		rec, err := ReadRecord(bytes.NewReader(whole))
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	rolls, orders := 0, 0
	for i := range load().Log {
		if rec := load(); len(rec.Log[i].Told) > 0 {
			told := rec.Log[i].Told[0]
			rec.Log[i].Told[0] = bump(told)
			want(t, rec, i+1, FieldTold)
			rolls++
		}
		if rec := load(); strings.ContainsAny(rec.Log[i].Order, "0123456789") && !rec.Log[i].Meta() {
			rec.Log[i].Order = bump(rec.Log[i].Order)
			want(t, rec, i+1, FieldOrder)
			orders++
		}
	}
	if rolls < 30 || orders < 50 {
		t.Errorf("only %d outcomes and %d orders were tried", rolls, orders)
	}
	rec := load()
	rec.Seed = bump(rec.Seed)
	want(t, rec, 0, FieldSeed)
	rec = load()
	rec.Result.Scores[1].VP++
	want(t, rec, len(rec.Log), FieldResult)
	rec = load()
	*rec.Result.Scores[0].Final++
	want(t, rec, len(rec.Log), FieldResult)
	rec = load()
	rec.Invited[0], rec.Invited[1] = rec.Invited[1], rec.Invited[0]
	want(t, rec, 0, FieldInvited)
	rec = load()
	rec.Entropy[0] = "mars" // the log is not to blame
	want(t, rec, 0, FieldChecksum)
	rec = load()
	rec.Log = append(rec.Log[:5:5], rec.Log[6:]...)
	want(t, rec, 6, FieldOrder)
	rec = load()
	rec.Log = rec.Log[:len(rec.Log)-1]
	want(t, rec, len(rec.Log), FieldResult)
}

// The rules expose a forger who also recomputes the sums and the checksum.
func TestVerifyFindsAForgedLine(t *testing.T) {
	whole := encode(t, livelyGame(t, Options{Players: 3, Rules: "base", Edition: "revised"}, 7).Record(0))
	forged := func(forge func(*Record)) *Record {
		rec, err := ReadRecord(bytes.NewReader(whole))
		if err != nil {
			t.Fatal(err)
		}
		forge(rec)
		rec.Seal()
		if rec, err = ReadRecord(bytes.NewReader(encode(t, rec))); err != nil {
			t.Fatal(err)
		}
		return rec
	}
	for i, l := range forged(func(*Record) {}).Log {
		if i%cmp.Or(*tamperFlag, 6) != 0 && !(l.Meta() && l.Order[0] == 'r') { // a sixth of the lines, and every resign and replace
			continue
		}
		if len(l.Told) > 0 {
			want(t, forged(func(r *Record) { r.Log[i].Told[0] = bump(r.Log[i].Told[0]) }), i+1, FieldTold)
		}
		want(t, forged(func(r *Record) { r.Log[i].Order = "B B" }), i+1, FieldOrder)
		want(t, forged(func(r *Record) { r.Log[i].N++ }), i+1, FieldOrder)
		want(t, forged(func(r *Record) { r.Log[i].By = "nobody" }), i+1, FieldBy)
		if l.By != ByBot {
			want(t, forged(func(r *Record) { r.Log[i].Bot = "greedy" }), i+1, FieldBot)
		}
		if word, _, _ := strings.Cut(l.Order, " "); word == "resign" || word == "replace" {
			want(t, forged(func(r *Record) { r.Log[i].Order += " " }), i+1, FieldOrder)
			want(t, forged(func(r *Record) { r.Log[i].Order = word + " seat 9" }), i+1, FieldOrder)
		}
	}
	n := len(forged(func(*Record) {}).Log)
	want(t, forged(func(r *Record) { r.Seed = bump(r.Seed) }), 0, FieldSeed)
	want(t, forged(func(r *Record) { r.Seed = "x" }), 0, FieldSeed)
	want(t, forged(func(r *Record) { r.Commitment = bump(r.Commitment) }), 0, FieldSeed)
	want(t, forged(func(r *Record) { r.Invited[0], r.Invited[1] = r.Invited[1], r.Invited[0] }), 0, FieldInvited)
	want(t, forged(func(r *Record) { r.Names[0] = "Eve" }), n, FieldResult)
	want(t, forged(func(r *Record) { r.Result.Winners = append(r.Result.Winners, 3) }), n, FieldResult)
	want(t, forged(func(r *Record) { r.Result.Scores[1].By["loss"]++ }), n, FieldResult)
	want(t, forged(func(r *Record) { delete(r.Result.Scores[1].By, "loss") }), n, FieldResult)
	want(t, forged(func(r *Record) { r.Result.LogHash = bump(r.Result.LogHash) }), n, FieldResult)
	want(t, forged(func(r *Record) { r.Result.Parts = [][]Share{{}, {}, {}} }), n, FieldResult)
	want(t, forged(func(r *Record) { r.Log = r.Log[:n-1] }), n-1, FieldResult)
}

func want(t *testing.T, rec *Record, line int, fields ...string) {
	t.Helper()
	d, err := Verify(rec, component.Default())
	if err != nil {
		t.Errorf("line %d: %v", line, err)
		return
	}
	if d == nil {
		t.Errorf("line %d, %v: the change was not found", line, fields)
		return
	}
	ok := false
	for _, f := range fields {
		ok = ok || d.Field == f
	}
	if !ok || line >= 0 && d.Line != line {
		t.Errorf("changed line %d (%v): %v", line, fields, d)
	}
}

// bump changes the last digit of s, or adds one.
func bump(s string) string {
	b := []byte(s)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] >= '0' && b[i] <= '9' {
			b[i] = '0' + (b[i]-'0'+1)%10
			return string(b)
		}
	}
	return s + "1"
}

func TestRecordOfARunningGameHidesWhatOthersHold(t *testing.T) {
	g := randomGame(t, 3, 3)
	half, err := Open(component.Default(), g.Record(0), g.Steps()/2)
	if err != nil {
		t.Fatal(err)
	}
	for viewer := range engine.Seat(4) {
		rec := half.Record(viewer)
		if rec.Seed != "" || rec.Result != nil || rec.Finished || rec.Log[0].Sum != "" || rec.Checksum == "" {
			t.Fatal("the record of a running game says what only a finished one may")
		}
		for _, l := range rec.Log {
			if strings.HasPrefix(l.Order, "card 0") && l.Seat != int(viewer) {
				t.Errorf("viewer %d reads %q of seat %d", viewer, l.Order, l.Seat)
			}
			for _, told := range l.Told {
				if strings.HasPrefix(told, "mission 0") && l.Seat != int(viewer) {
					t.Errorf("viewer %d is told %q of seat %d", viewer, told, l.Seat)
				}
			}
		}
		if _, err := Verify(rec, component.Default()); err == nil {
			t.Error("the record of a running game verifies")
		}
	}
}

func TestReadRecordRefuses(t *testing.T) {
	for _, s := range []string{
		"", "[]", "{", `{"schema":1}`, `{"schema":2}`, `{"schema":3}`, `{"schema":2,"options":{"players":9}}`, strings.Repeat(" ", maxRecord+1),
		strings.Replace(string(encode(t, randomGame(t, 2, 1).Record(0))), `"schema":2`, `"schema":1`, 1),
	} {
		if _, err := ReadRecord(strings.NewReader(s)); err == nil {
			t.Errorf("%.80q was read", s)
		}
	}
	for what, change := range map[string]func(*Record){
		"players": func(r *Record) { r.Options.Players = 9 }, "version": func(r *Record) { r.Options.RulesVersion = 99 }, "sets": func(r *Record) { r.Set = "b" },
		"viewer": func(r *Record) { r.Viewer = 7 }, "names": func(r *Record) { r.Names = r.Names[1:] }, "Hal": func(r *Record) { r.Options.Hal = "hard" },
	} {
		rec := randomGame(t, 2, 1).Record(0)
		change(rec)
		rec.Seal()
		rec, err := ReadRecord(bytes.NewReader(encode(t, rec)))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Verify(rec, component.Default())
		if d != nil || !errors.Is(err, ErrRecord) {
			t.Errorf("%s: %v, %v", what, d, err)
		}
		if later := new(engine.UnknownVersion); what == "version" && (!errors.As(err, &later) || later.Version != 99 || !strings.Contains(err.Error(), "version 99 of the rules")) {
			t.Errorf("of rules that it does not know: %v", err)
		}
		if _, err := Open(component.Default(), rec, -1); !errors.Is(err, ErrRecord) {
			t.Errorf("%s: opened, %v", what, err)
		}
	}
	if _, err := Open(nil, &Record{Seed: strings.Repeat("0", 64), Set: "x"}, -1); err == nil {
		t.Error("a game without its component set was opened")
	}
}

func TestScoresSum(t *testing.T) {
	g := randomGame(t, 4, 11)
	j := g.ViewJSON(0, g.Steps())
	for _, s := range j.Scores {
		sum := 0
		for _, n := range s.By {
			sum += n
		}
		if s.Final == nil || sum != *s.Final || sum-s.By["advanced"]-s.By["goods"] != s.VP {
			t.Errorf("%+v: sources sum to %d", s, sum)
		}
	}
	for _, p := range j.View.Players {
		r := p.Robots
		if n := r.Break + r.Orange + r.Gray + r.Green + r.Supply + r.Pilots + r.Cards + r.Ravagers; n != 16 {
			t.Errorf("seat %d has %d robots", p.Seat, n)
		}
	}
}

func BenchmarkReplay(b *testing.B) {
	g := randomGame(b, 4, 1)
	for b.Loop() {
		p, _ := NewReplay(component.Default(), g.Head.Options, g.Head.Chance)
		if err := p.ReplayAll(g.Play.Lines, len(g.Play.Lines)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(g.Steps()), "lines")
}

// Whatever a record says, reading, opening and verifying it ends without a
// panic, and a record that verifies says what the rules say.
func FuzzRecord(f *testing.F) {
	whole := encode(f, randomGame(f, 2, 1).Record(0))
	f.Add(whole)
	f.Add(bytes.Replace(whole, []byte(`"seat":1`), []byte(`"seat":0`), 1))
	f.Add(bytes.Replace(whole, []byte(`"order":"B"`), []byte(`"order":"undo 0"`), 1))
	f.Add([]byte(`{"schema":2,"options":{"players":2,"rules_version":1,"set":"crossing"},"set":"crossing","log":[{}]}`))
	cut := randomGame(f, 2, 1).Record(0)
	cut.Log, cut.Result, cut.Finished, cut.Seed = cut.Log[:6], nil, false, ""
	cut.Seal()
	short := string(encode(f, cut))
	for _, change := range [][2]string{
		{"", ""}, {`"players":2`, `"players":4`}, {`"rules":"base"`, `"rules":"advanced"`}, {`"seat":1`, `"seat":-1`}, {`"seat":1`, `"seat":9`},
		{`"n":2`, `"n":9999999999`}, {`"told":[`, `"told":["x",`}, {`"order":"`, `"order":"undo `}, {`"order":"`, `"order":"replace seat 1 by bot greedy"},{"n":1,"order":"`},
		{`{"n":3,`, `{"n":3,"seat":0,"by":"director","order":"rollback 1","told":[]},{"n":4,`},
		{`"schema":2`, `"schema":1e300`}, {`"viewer":0`, `"viewer":2`}, {`"names":[`, `"names":[null,`}, {`"log":[`, `"log":[null,`}, {`"by":"player"`, `"by":"clock"`},
		{`"entropy":[`, `"entropy":["\u0000",`}, {`"invited":[`, `"invited":[7,`}, {`"finished":false`, `"finished":true`}, {`{`, strings.Repeat(`[`, 500)},
	} {
		f.Add([]byte(strings.Replace(short, change[0], change[1], 1)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		cost.Within(t, func() { importRecord(t, b) })
	})
}

func importRecord(t *testing.T, b []byte) {
	rec, err := ReadRecord(bytes.NewReader(b))
	if err != nil {
		return
	}
	if g, err := Open(component.Default(), rec, -1); err == nil {
		for seat := range engine.Seat(rec.Options.Players + 1) {
			g.ViewJSON(seat, g.Steps())
			g.Story(seat, -1)
		}
	}
	d, err := Verify(rec, component.Default())
	rec.Seal() // the rules find what the checksum would
	if d == nil && err == nil {
		d, err = Verify(rec, component.Default())
	}
	if d == nil && err == nil && rec.Result.LogHash != LogHash(rec.Log) {
		t.Error("a record verifies whose log is not the one its result names")
	}
}

// A changed order never panics: each order of a game in turn is replaced by
// every other order that the game knows.
func TestVerifyStandsAnyOrder(t *testing.T) {
	whole := encode(t, randomGame(t, 3, 5).Record(0))
	load := func() *Record {
		rec, err := ReadRecord(bytes.NewReader(whole))
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	orders := map[string]bool{"keep 031": true, "decline": true, "discard orange": true, "place 001 at a1": true, "mission 060": true,
		"inject a16 column 3 space green": true, "cube green on 3.3 draw gray": true, "collect with 061 090": true,
		"die green 3 from seat 4 flip": true, "ship e40 to a50": true, "activate 3.3 on 1.1 ship e9 to e10": true, "undo 1": true, "undo 99999999999": true, "resign": true,
		"rollback 1": true, "rollback 99999999999": true}
	for _, l := range load().Log {
		orders[l.Order] = true
	}
	at := []int{2, 30, 80}
	if *tamperFlag == 1 {
		at = []int{1, 2, 3, 10, 20, 30, 50, 80, 100}
	}
	for o := range orders {
		for _, n := range at {
			rec := load()
			if n >= len(rec.Log) {
				continue
			}
			rec.Log[n].Order = o
			rec.Seal() // so that the rules must find it
			if _, err := Verify(rec, component.Default()); err != nil {
				t.Fatal(err)
			}
		}
	}
}
