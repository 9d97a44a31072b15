package match

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"angelpost/engine"
)

// RulesVersion names the rules that new games are played under.
const RulesVersion = 1

// Schema is the version of every JSON object written (CONTRACT.md).
const Schema = 1

// Options are a game's options as its record names them.
type Options struct {
	Players      int    `json:"players"` // 1-4
	Rules        string `json:"rules"`   // "base" or "advanced"
	Edition      string `json:"edition"` // "revised" or "first"
	RulesVersion int    `json:"rules_version"`
	Set          string `json:"set"`               // name of the component set
	Hal          string `json:"hal,omitempty"`     // his level, where Players is 1
	Hints        bool   `json:"hints,omitempty"`   // may players ask for the planner's proposal
	Open         bool   `json:"open,omitempty"`    // who liked could take a seat
	Clock        string `json:"clock,omitempty"`   // a Pace as it prints itself; "" no clock
	Present      bool   `json:"present,omitempty"` // no vacation stops a clock
	Shared       bool   `json:"shared,omitempty"`  // others have the same seed: it is published when all have played
}

// Engine is what the rules need of the options.
func (o Options) Engine() engine.Options {
	e := engine.Options{Players: o.Players, Advanced: o.Rules == "advanced", First: o.Edition == "first"}
	for l := engine.Easy; l <= engine.Extreme; l++ {
		if l.String() == o.Hal {
			e.Hal = l
		}
	}
	return e
}

// A Line is one line of a game's log: a decision, or one of the lines that are
// none (Meta).
type Line struct {
	N     int      `json:"n"`    // from 1
	Seat  int      `json:"seat"` // 0: nobody's
	By    By       `json:"by"`
	Order string   `json:"order"` // canonical
	Told  []string `json:"told"`  // what the rules told in answer, order.Told

	// Bot is the name of the bot that decided; only with ByBot.
	Bot string `json:"bot,omitempty"`

	// Sum is the beginning of a hash over the lines up to this one and the names
	// of their bots. Only whole exports bear it, so that verify finds an order
	// that was changed into another legal one, or another bot's name; it is not
	// stored.
	Sum string `json:"sum,omitempty"`
}

// A Record is a game to be read, shown and verified without a server
// (CONTRACT.md, export). Seats and names go by seat.
type Record struct {
	Schema     int      `json:"schema"`
	Game       string   `json:"game"`
	Options    Options  `json:"options"`
	Set        string   `json:"set"`
	SetHash    string   `json:"set_hash"` // of the component set's data
	Commitment string   `json:"commitment"`
	Entropy    []string `json:"entropy"`           // in invitation order; empty: none was mixed in
	Invited    []int    `json:"invited,omitempty"` // by seat: the player's place in invitation order
	Seed       string   `json:"seed,omitempty"`    // hex; finished games only
	Names      []string `json:"names"`
	Viewer     int      `json:"viewer"` // 0: the public
	Finished   bool     `json:"finished"`
	Log        []Line   `json:"log"`
	Result     *Outcome `json:"result,omitempty"`
}

// An Outcome is a finished game's result.
type Outcome struct {
	Ending  string  `json:"ending"` // "spes" or "ravagers"
	Scores  []Score `json:"scores"` // by seat
	Winners []int   `json:"winners"`
	LogHash string  `json:"log_sha256"`

	// Parts is by seat who played how much of it. A log does not say who came to
	// a seat, so that verify cannot tell. Results from before they were kept have
	// none.
	Parts [][]Part `json:"parts,omitempty"`
}

// A Score is one seat's VP and where they came from.
type Score struct {
	Seat  int            `json:"seat"`
	Name  string         `json:"name"`
	VP    int            `json:"vp"`    // before the end's scoring
	Final *int           `json:"final"` // nil until finished
	By    map[string]int `json:"by"`    // sums to VP, or to Final once finished
}

// LogHash is CONTRACT.md's log_sha256.
func LogHash(log []Line) string {
	h := sha256.New()
	var b []byte
	for _, l := range log {
		b = hashLine(b[:0], l)
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashLine appends what of a line enters LogHash.
func hashLine(b []byte, l Line) []byte {
	b = strconv.AppendInt(b, int64(l.N), 10)
	b = append(b, '\t')
	b = strconv.AppendInt(b, int64(l.Seat), 10)
	b = append(b, '\t')
	b = append(b, l.Order...)
	b = append(b, '\t')
	for i, t := range l.Told {
		if i > 0 {
			b = append(b, "; "...)
		}
		b = append(b, t...)
	}
	return append(b, '\n')
}

// ParseSeed reads a seed of 64 hexadecimal digits.
func ParseSeed(s string) (seed [32]byte, err error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != len(seed) {
		return seed, fmt.Errorf("seed: want 64 hexadecimal digits")
	}
	copy(seed[:], b)
	return seed, nil
}

// maxRecord bounds a record read from outside; a four-player game has about
// 800 lines of 60 bytes.
const maxRecord = 8 << 20

// ErrRecord is wrapped by all errors about a record that cannot be used.
var ErrRecord = errors.New("not a record of a game")

// ReadRecord reads one record as export writes it.
func ReadRecord(r io.Reader) (*Record, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxRecord+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read record: %w", err)
	case len(b) > maxRecord:
		return nil, fmt.Errorf("%w: larger than %d bytes", ErrRecord, maxRecord)
	}
	var rec Record
	if err := json.Unmarshal(b, &rec); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrRecord, err)
	}
	switch {
	case rec.Schema != Schema:
		return nil, fmt.Errorf("%w: schema %d, this program reads %d", ErrRecord, rec.Schema, Schema)
	case rec.Options.Players < 1 || rec.Options.Players > engine.MaxPlayers:
		return nil, fmt.Errorf("%w: %d players", ErrRecord, rec.Options.Players)
	case rec.Options.Rules != "base" && rec.Options.Rules != "advanced":
		return nil, fmt.Errorf("%w: rules %.40q are not known", ErrRecord, rec.Options.Rules)
	case rec.Options.Edition != "revised" && rec.Options.Edition != "first":
		return nil, fmt.Errorf("%w: edition %.40q is not known", ErrRecord, rec.Options.Edition)
	case rec.Options.RulesVersion != RulesVersion:
		return nil, fmt.Errorf("%w: rules version %d is not known", ErrRecord, rec.Options.RulesVersion)
	case (rec.Options.Players == 1) != (rec.Options.Engine().Hal != engine.NoHal):
		return nil, fmt.Errorf("%w: %d players, Hal %.40q", ErrRecord, rec.Options.Players, rec.Options.Hal)
	case rec.Viewer < 0 || rec.Viewer > rec.Options.Players:
		return nil, fmt.Errorf("%w: viewer %d", ErrRecord, rec.Viewer)
	case rec.Set != rec.Options.Set:
		return nil, fmt.Errorf("%w: sets %q and %q", ErrRecord, rec.Set, rec.Options.Set)
	case len(rec.Names) > rec.Options.Players:
		return nil, fmt.Errorf("%w: %d names", ErrRecord, len(rec.Names))
	}
	for i, l := range rec.Log {
		switch l.By {
		case ByPlayer, ByBot, ByOrganiser, ByDirector, ByClock:
		default:
			return nil, fmt.Errorf("%w: line %d: by %.40q", ErrRecord, i+1, l.By)
		}
	}
	for len(rec.Names) < rec.Options.Players {
		rec.Names = append(rec.Names, "")
	}
	return &rec, nil
}

// Write writes the record as export does: one line of JSON a field and a line
// of the log, so that two records can be compared by eye.
func (r *Record) Write(w io.Writer) error {
	var b strings.Builder
	head := *r
	head.Log, head.Result = nil, nil
	fields, err := json.Marshal(head)
	if err != nil {
		return fmt.Errorf("write record: %w", err)
	}
	// head ends with `"log":null}`: the log is written line by line instead.
	b.WriteString(strings.TrimSuffix(string(fields), "null}"))
	b.WriteString("[")
	for i, l := range r.Log {
		if l.Told == nil {
			l.Told = []string{}
		}
		line, err := json.Marshal(l)
		if err != nil {
			return fmt.Errorf("write record: %w", err)
		}
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n")
		b.Write(line)
	}
	b.WriteString("]")
	if r.Result != nil {
		res, err := json.Marshal(r.Result)
		if err != nil {
			return fmt.Errorf("write record: %w", err)
		}
		b.WriteString(",\n\"result\":")
		b.Write(res)
	}
	b.WriteString("}\n")
	_, err = io.WriteString(w, b.String())
	return err
}
