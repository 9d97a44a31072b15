package match

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
)

// Fields a record can differ in (CONTRACT.md, verify).
const (
	FieldOrder  = "order"
	FieldTold   = "told"
	FieldSeed   = "seed"
	FieldResult = "result"
)

// A Difference is the first place where a record is not what the rules say.
type Difference struct {
	Line  int // 0: before the first
	Field string
	Want  string // as recomputed; "legal" where any legal order would do
	Got   string // as the record has it
}

func (d *Difference) String() string {
	return fmt.Sprintf("differs line=%d field=%s want=%s got=%s", d.Line, d.Field, strconv.Quote(d.Want), strconv.Quote(d.Got))
}

// Verify replays a finished game and compares all that the record says. nil
// means it is right. A record that cannot be verified (running, cut to a
// viewer, another component set) gives an error that wraps ErrRecord.
func Verify(rec *Record, set *component.Set) (*Difference, error) {
	switch {
	case !rec.Finished || rec.Result == nil:
		return nil, fmt.Errorf("%w to verify: the game is still running", ErrRecord)
	case rec.Seed == "":
		return nil, fmt.Errorf("%w to verify: it bears no seed", ErrRecord)
	}
	if err := rec.fits(set); err != nil {
		return nil, err
	}
	seed, err := ParseSeed(rec.Seed)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrRecord, err)
	}
	if c := engine.Commitment(seed); c != rec.Commitment {
		return &Difference{0, FieldSeed, rec.Commitment, c}, nil
	}
	p, err := newPlay(set, rec.Options, Header{Seed: seed, Entropy: rec.Entropy}.chance)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrRecord, err)
	}
	if d := verifySeats(rec, p.src); d != nil {
		return d, nil
	}
	sum := newSummer()
	for i, l := range rec.Log {
		if d := p.verifyLine(l, i+1, sum); d != nil {
			return d, nil
		}
	}
	return p.verifyResult(rec), nil
}

// verifySeats compares who was drawn to which seat.
func verifySeats(rec *Record, src engine.Random) *Difference {
	if len(rec.Invited) == 0 {
		return nil
	}
	want := engine.DrawSeats(src, rec.Options.Players)
	for i := range want {
		want[i]++
	}
	if slices.Equal(want, rec.Invited) {
		return nil
	}
	return &Difference{0, FieldSeed, fmt.Sprint("seats ", want), fmt.Sprint("seats ", rec.Invited)}
}

// verifyLine replays one line. A line's sum, if it has one, tells a changed
// order from a changed outcome, and finds a changed order that is legal too.
func (p *play) verifyLine(l Line, n int, sum *summer) *Difference {
	if l.N != n {
		return &Difference{n, FieldOrder, "n " + strconv.Itoa(n), "n " + strconv.Itoa(l.N)}
	}
	if err := p.replay(l); err != nil {
		want := "legal"
		if ill, ok := err.(*engine.Illegal); ok {
			want = "legal by " + ill.Rule
		}
		return &Difference{n, FieldOrder, want, l.Order}
	}
	want := p.lines[n-1]
	right := sum.add(want)
	switch {
	case want.Order != l.Order:
		return &Difference{n, FieldOrder, want.Order, l.Order}
	case l.Sum != "" && l.Sum != right:
		return &Difference{n, FieldOrder, "sum " + l.Sum, "sum " + right + " of " + l.Order}
	case !slices.Equal(want.Told, l.Told):
		return &Difference{n, FieldTold, strings.Join(want.Told, "; "), strings.Join(l.Told, "; ")}
	}
	return nil
}

func (p *play) verifyResult(rec *Record) *Difference {
	n := len(rec.Log)
	result := *rec.Result
	result.Parts = nil
	got, err := json.Marshal(result)
	if err != nil {
		return &Difference{n, FieldResult, "a result", err.Error()}
	}
	if !p.state.Finished() {
		return &Difference{n, FieldResult, "unfinished", string(got)}
	}
	want, err := json.Marshal(p.outcome(rec.Names))
	if err != nil || string(want) != string(got) {
		return &Difference{n, FieldResult, string(want), string(got)}
	}
	return nil
}

// A summer makes the running sums of log lines: the first 16 digits of
// log_sha256 over the lines so far, in which the line of a bot with a name is
// followed by that name.
type summer struct{ h hash.Hash }

func newSummer() *summer { return &summer{sha256.New()} }

func (s *summer) add(l Line) string {
	s.h.Write(hashLine(nil, l))
	s.h.Write([]byte(l.Bot))
	return hex.EncodeToString(s.h.Sum(nil)[:8])
}

// sums gives every line its running sum.
func sums(log []Line) {
	s := newSummer()
	for i := range log {
		log[i].Sum = s.add(log[i])
	}
}

// Summary is the line that verify prints for a record that is right.
func (r *Record) Summary() string { return fmt.Sprintf("ok game=%s lines=%d", r.Game, len(r.Log)) }

// VerifyLog replays a stored log, finished or not, and compares what it told:
// what verify --all does before an upgrade.
func VerifyLog(set *component.Set, h Header, log []Line) (*Difference, error) {
	p, err := newPlay(set, h.Options, h.chance)
	if err != nil {
		return nil, err
	}
	sum := newSummer()
	for i, l := range log {
		if d := p.verifyLine(l, i+1, sum); d != nil {
			return d, nil
		}
	}
	return nil, nil
}
