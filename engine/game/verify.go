package game

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/jcs"
)

// Fields a record can differ in (web/API.md, verify): keys of a log's line, keys
// of the record itself, and the checksum where only that shows that something is
// not as it was.
const (
	FieldOrder = "order"
	FieldTold  = "told"
	FieldN     = "n"
	FieldSeat  = "seat"
	FieldBy    = "by"
	FieldBot   = "bot"
	FieldSum   = "sum"

	FieldSeed       = "seed"
	FieldResult     = "result"
	FieldOptions    = "options"
	FieldCommitment = "commitment"
	FieldInvited    = "invited"
	FieldNames      = "names"
	FieldViewer     = "viewer"
	FieldFinished   = "finished"
	FieldEnded      = "ended"
	FieldChecksum   = "checksum"
)

// A Difference is the first place where a record is not what the rules say, or not
// what was exported.
type Difference struct {
	Line  int // 0: before the first
	Field string
	Want  string // as recomputed; "legal" where any legal order would do
	Got   string // as the record has it
}

func (d *Difference) String() string {
	return fmt.Sprintf("differs line=%d field=%s want=%s got=%s", d.Line, d.Field, strconv.Quote(d.Want), strconv.Quote(d.Got))
}

// maxDiffers bounds what a Difference tells of a value, in octets.
const maxDiffers = 300

func differs(line int, field, want, got string) *Difference {
	clip := func(s string) string {
		if len(s) > maxDiffers {
			s = strings.ToValidUTF8(s[:maxDiffers], "") + "…"
		}
		return s
	}
	return &Difference{line, field, clip(want), clip(got)}
}

// Verify replays a finished game and compares all that the record says, and its
// checksum. nil means it is right. A record that cannot be verified (running, cut
// to a viewer, another component set) gives an error that wraps ErrRecord.
//
// A change that fits the checksum is found by the rules, at the first line that is
// not what they say. Of one that does not, the key is named where one of the few
// values that it can have, or the one that follows from the rest, fits.
func Verify(rec *Record, set *component.Set) (*Difference, error) {
	v := verifier{rec: rec, set: set, log: logForm(rec.Log)}
	sum := rec.checksum(v.log)
	v.whole = sum == rec.Checksum
	if !v.whole {
		if d := v.header(); d != nil {
			return d, nil
		}
	}
	d, err := v.verify()
	changed := differs(0, FieldChecksum, sum, rec.Checksum)
	switch {
	case v.whole || d != nil:
		return d, err
	case err == nil, rec.Finished != (rec.Result != nil): // no export is so
		return changed, nil
	}
	return nil, fmt.Errorf("%w; and it is not as it was exported: its checksum is another", err)
}

// A verifier verifies one record.
type verifier struct {
	rec   *Record
	set   *component.Set
	log   []byte // canonical form of the record's
	whole bool   // the checksum is right
}

func (v *verifier) verify() (*Difference, error) {
	rec := v.rec
	switch {
	case rec.Ended != "" && (rec.Finished || rec.Result != nil || rec.Schema != BrokenSchema || !slices.Contains(brokenOff, rec.Ended)):
		return differs(0, FieldEnded, "none", rec.Ended), nil
	case rec.Ended == "" && (!rec.Finished || rec.Result == nil):
		return nil, fmt.Errorf("%w to verify: the game is still running", ErrRecord)
	case rec.Seed == "":
		return nil, fmt.Errorf("%w to verify: it has no seed, because %s", ErrRecord, rec.seedless())
	}
	if err := rec.fits(v.set); err != nil {
		return nil, err
	}
	if err := rec.playable(); err != nil {
		if !v.whole {
			return nil, nil
		}
		return nil, err
	}
	seed, err := ParseSeed(rec.Seed)
	if err != nil {
		return differs(0, FieldSeed, rec.Commitment, "of no seed: not 64 hexadecimal digits"), nil
	}
	if c := engine.Commitment(seed); c != rec.Commitment {
		return differs(0, FieldSeed, rec.Commitment, c), nil
	}
	p, err := NewReplay(v.set, rec.Options, Header{Seed: seed, Entropy: rec.Entropy}.Chance)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrRecord, err)
	}
	if want := drawn(rec, p.Src); v.whole && len(rec.Invited) > 0 && !slices.Equal(want, rec.Invited) {
		return differs(0, FieldInvited, fmt.Sprint(want), fmt.Sprint(rec.Invited)), nil
	}
	last := ""
	for i, l := range rec.Log {
		sum := chain(last, l)
		d := p.verifyLine(l, i+1)
		switch {
		case sum != l.Sum:
			return v.line(i, last, d, p), nil
		case d != nil && v.whole:
			return d, nil
		case d != nil: // the log is as it was: what it is played with is not
			return nil, nil
		}
		last = sum
	}
	return p.verifyResult(rec), nil
}

// drawn are the seats that the seed and the entropy draw.
func drawn(rec *Record, src engine.Random) []int {
	seats := engine.DrawSeats(src, rec.Options.Players)
	for i := range seats {
		seats[i]++
	}
	return seats
}

// verifyLine replays one line and compares what the rules say of it.
func (p *Replay) verifyLine(l Line, n int) *Difference {
	if l.N != n {
		return differs(n, FieldOrder, "n "+strconv.Itoa(n), "n "+strconv.Itoa(l.N))
	}
	if !slices.Contains(everyBy, l.By) {
		return differs(n, FieldBy, "", string(l.By))
	}
	if (l.Bot != "") && l.By != ByBot {
		return differs(n, FieldBot, "", l.Bot)
	}
	if err := p.Replay(l); err != nil {
		want := "legal"
		if ill, ok := err.(*engine.Illegal); ok {
			want = "legal by " + ill.Rule
		}
		return differs(n, FieldOrder, want, l.Order)
	}
	switch want := p.Lines[n-1]; {
	case want.Order != l.Order:
		return differs(n, FieldOrder, want.Order, l.Order)
	case !slices.Equal(want.Told, l.Told):
		for i := 0; ; i++ {
			if a, b := at(want.Told, i), at(l.Told, i); a != b || i >= len(l.Told) {
				return differs(n, FieldTold, a, b)
			}
		}
	}
	return nil
}

// at is element i of a list, "" behind its end.
func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// line says what of line i is not as its sum has it: what makes the sum right
// again, or is all that is left. d is what the rules say of the line, and p has
// replayed it if it is legal; last is the sum of the line before.
func (v *verifier) line(i int, last string, d *Difference, p *Replay) *Difference {
	l, n := v.rec.Log[i], i+1
	try := func(field, want, got string, change func(*Line)) *Difference {
		c := l
		if change(&c); chain(last, c) != l.Sum {
			return nil
		}
		return differs(n, field, want, got)
	}
	if d := try(FieldN, strconv.Itoa(n), strconv.Itoa(l.N), func(c *Line) { c.N = n }); d != nil {
		return d
	}
	if p.Step() == n { // it was legal, and produced these events
		told, want, got := append([]string{}, p.Lines[i].Told...), "[]", "null"
		if d != nil {
			want, got = d.Want, d.Got
		}
		if d := try(FieldTold, want, got, func(c *Line) { c.Told = told }); d != nil {
			return d
		}
	}
	for _, by := range everyBy {
		if d := try(FieldBy, string(by), string(l.By), func(c *Line) { c.By = by }); d != nil {
			return d
		}
	}
	for seat := range engine.MaxPlayers + 1 {
		if d := try(FieldSeat, strconv.Itoa(seat), strconv.Itoa(l.Seat), func(c *Line) { c.Seat = seat }); d != nil {
			return d
		}
	}
	if d := try(FieldBot, "", l.Bot, func(c *Line) { c.Bot = "" }); d != nil {
		return d
	}
	sum := chain(last, l)
	repaired := *v.rec
	repaired.Log = slices.Clone(v.rec.Log)
	repaired.Log[i].Sum = sum
	switch {
	case repaired.checksum(logForm(repaired.Log)) == v.rec.Checksum:
		return differs(n, FieldSum, sum, l.Sum)
	case d == nil && LogHash(v.rec.Log) == v.rec.Result.LogHash: // it covers the other keys
		return differs(n, FieldBot, "the bot of the sum "+l.Sum, l.Bot)
	case d != nil && d.Field == FieldOrder:
		return d
	}
	return differs(n, FieldOrder, "the order of the sum "+l.Sum, l.Order)
}

// header finds the key before the log that was changed, if a value that it can
// have makes the checksum right.
func (v *verifier) header() *Difference {
	try := func(field, want, got string, change func(*Record)) *Difference {
		r := *v.rec
		if change(&r); r.checksum(v.log) != v.rec.Checksum {
			return nil
		}
		return differs(0, field, want, got)
	}
	for _, c := range v.candidates() {
		if d := try(c.field, c.want, c.got, c.change); d != nil {
			return d
		}
	}
	return nil
}

// A candidate is a record with another value of one key.
type candidate struct {
	field, want, got string
	change           func(*Record)
}

func (v *verifier) candidates() (list []candidate) {
	rec := v.rec
	add := func(field string, want, got any, change func(*Record)) {
		list = append(list, candidate{field, fmt.Sprint(want), fmt.Sprint(got), change})
	}
	option := func(key string, want, got any, change func(*Options)) {
		add(FieldOptions, fmt.Sprint(key, " ", want), fmt.Sprint(key, " ", got), func(r *Record) { change(&r.Options) })
	}
	o := rec.Options
	for n := 1; n <= engine.MaxPlayers; n++ {
		option("players", n, o.Players, func(o *Options) { o.Players = n })
	}
	for _, rules := range []string{"base", "advanced"} {
		option("rules", rules, o.Rules, func(o *Options) { o.Rules = rules })
	}
	for _, edition := range []string{"revised", "first"} {
		option("edition", edition, o.Edition, func(o *Options) { o.Edition = edition })
	}
	for hal := engine.NoHal; hal <= engine.Extreme; hal++ {
		option("hal", hal, o.Hal, func(o *Options) { o.Hal = hal.String() })
	}
	for n := 1; n <= RulesVersion; n++ {
		option("rules_version", n, o.RulesVersion, func(o *Options) { o.RulesVersion = n })
	}
	option("set", rec.Set, o.Set, func(o *Options) { o.Set = rec.Set })
	option("hints", !o.Hints, o.Hints, func(o *Options) { o.Hints = !o.Hints })
	option("open", !o.Open, o.Open, func(o *Options) { o.Open = !o.Open })
	option("present", !o.Present, o.Present, func(o *Options) { o.Present = !o.Present })
	option("shared", !o.Shared, o.Shared, func(o *Options) { o.Shared = !o.Shared })
	option("clock", "", o.Clock, func(o *Options) { o.Clock = "" })
	for n := range engine.MaxPlayers + 1 {
		add(FieldViewer, n, rec.Viewer, func(r *Record) { r.Viewer = n })
	}
	over := rec.Result != nil
	add(FieldFinished, over, rec.Finished, func(r *Record) { r.Finished = over })
	for _, ended := range append([]string{""}, brokenOff...) {
		add(FieldEnded, ended, rec.Ended, func(r *Record) { r.Ended = ended })
	}
	if seed, err := ParseSeed(rec.Seed); err == nil {
		commitment := engine.Commitment(seed)
		add(FieldCommitment, commitment, rec.Commitment, func(r *Record) { r.Commitment = commitment })
		if o.Players >= 1 && o.Players <= engine.MaxPlayers {
			seats := drawn(rec, Header{Seed: seed, Entropy: rec.Entropy}.Chance())
			add(FieldInvited, seats, rec.Invited, func(r *Record) { r.Invited = seats })
			add(FieldInvited, "none", rec.Invited, func(r *Record) { r.Invited = nil })
		}
	}
	if rec.Result != nil {
		var names []string
		for _, s := range rec.Result.Scores[:min(len(rec.Result.Scores), max(o.Players, 0))] { // Hal has no name of his own
			names = append(names, s.Name)
		}
		add(FieldNames, strings.Join(names, ", "), strings.Join(rec.Names, ", "), func(r *Record) { r.Names = names })
	}
	return list
}

func (p *Replay) verifyResult(rec *Record) *Difference {
	n := len(rec.Log)
	if rec.Ended != "" {
		if p.State.Finished() {
			return differs(n, FieldResult, p.State.Project(0).Ending.String(), "none: "+rec.Ended)
		}
		return nil
	}
	if !p.State.Finished() {
		return differs(n, FieldResult, "none: the game is not over", rec.Result.Ending)
	}
	result := *rec.Result
	result.Parts = nil
	d, err := jcs.Diff(form(p.Outcome(rec.Names)), form(result))
	switch {
	case err != nil: // a number beyond bounds
		return differs(n, FieldResult, "a result", err.Error())
	case d != nil:
		return differs(n, FieldResult, strings.TrimSpace(d.Path+" "+d.Want), strings.TrimSpace(d.Path+" "+d.Got))
	}
	return p.verifyParts(rec.Result.Parts, n)
}

// verifyParts compares who played how much with the turns that there were: those
// who came to a seat later held it for fewer.
func (p *Replay) verifyParts(parts [][]Share, n int) *Difference {
	if len(parts) == 0 {
		return nil
	}
	if len(parts) != p.Options.Players {
		return differs(n, FieldResult, fmt.Sprintf("parts of %d seats", p.Options.Players), fmt.Sprintf("parts of %d seats", len(parts)))
	}
	for i, seat := range parts {
		turns, sum, held := p.Turns[i+1], 0, 0
		for _, x := range seat {
			sum += x.Turns
			held = max(held, x.Held)
		}
		if sum != turns {
			return differs(n, FieldResult, fmt.Sprintf("parts[%d] %d turns", i, turns), fmt.Sprintf("parts[%d] %d turns", i, sum))
		}
		if held != turns {
			return differs(n, FieldResult, fmt.Sprintf("parts[%d] held %d turns", i, turns), fmt.Sprintf("parts[%d] held %d turns", i, held))
		}
	}
	return nil
}

// Summary is the line that verify prints for a record that is right.
func (r *Record) Summary() string { return fmt.Sprintf("ok game=%s lines=%d", r.Game, len(r.Log)) }

// VerifyLog replays a stored log, finished or not, and compares what it told:
// what verify --all does before an upgrade.
func VerifyLog(set *component.Set, h Header, log []Line) (*Difference, error) {
	p, err := NewReplay(set, h.Options, h.Chance)
	if err != nil {
		return nil, err
	}
	for i, l := range log {
		if d := p.verifyLine(l, i+1); d != nil {
			return d, nil
		}
	}
	return nil, nil
}
