package game

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
	"angelpost/engine/component"
	"angelpost/engine/jcs"
)

// RulesVersion names the rules that new games are played under.
const RulesVersion = engine.Version

// Schema is the version of every JSON object written (web/API.md), but for records.
const Schema = 1

// RecordSchema is the version of records. A record with a key that another program
// does not know is of another version: it refuses what it could not check.
const RecordSchema = 2

// BrokenSchema is the version of records of games that were broken off.
const BrokenSchema = 3

// Options are a game's options as its record names them.
type Options struct {
	Players      int    `json:"players"` // 1-4
	Rules        string `json:"rules"`   // "base" or "advanced"
	Edition      string `json:"edition"` // "revised" or "first"
	RulesVersion int    `json:"rules_version"`
	Set          string `json:"set"`               // name of the component set
	Hal          string `json:"hal,omitempty"`     // Hal's level, where Players is 1
	Hints        bool   `json:"hints,omitempty"`   // may players ask for the planner's proposal
	Open         bool   `json:"open,omitempty"`    // who liked could take a seat
	Clock        string `json:"clock,omitempty"`   // a Pace as it prints itself; "" no clock
	Present      bool   `json:"present,omitempty"` // no vacation stops a clock
	Shared       bool   `json:"shared,omitempty"`  // others have the same seed: it is published when all have played
}

// Engine is what the rules need of the options.
func (o Options) Engine() engine.Options {
	e := engine.Options{Players: o.Players, Advanced: o.Rules == "advanced", First: o.Edition == "first", Version: o.RulesVersion}
	for l := engine.Easy; l <= engine.Extreme; l++ {
		if l.String() == o.Hal {
			e.Hal = l
		}
	}
	return e
}

// known returns an *engine.UnknownVersion unless this program plays the options' version
// of the rules.
func (o Options) known() error {
	if o.RulesVersion < 1 || o.RulesVersion > RulesVersion {
		return &engine.UnknownVersion{Version: o.RulesVersion}
	}
	return nil
}

// A Line is one line of a game's log: a decision, or one of the lines that are
// none (Meta).
type Line struct {
	N     int      `json:"n"`    // from 1
	Seat  int      `json:"seat"` // 0: no seat
	By    By       `json:"by"`
	Order string   `json:"order"` // canonical
	Told  []string `json:"told"`  // what the rules told in answer, order.Told

	// Bot is the name of the bot that decided; only with ByBot.
	Bot string `json:"bot,omitempty"`

	// Sum is the beginning of a hash over all lines up to this one (chain). Only whole
	// exports have it. It lets verify find a changed line even if another legal order
	// replaced the old one. It is not stored.
	Sum string `json:"sum,omitempty"`
}

// A Record is a game to be read, shown and verified without a server
// (web/API.md, export). Seats and names go by seat.
type Record struct {
	Schema     int      `json:"schema"`
	Game       string   `json:"game"`
	Options    Options  `json:"options"`
	Set        string   `json:"set"`
	SetHash    string   `json:"set_hash"` // of the component set's data
	Commitment string   `json:"commitment"`
	Entropy    []string `json:"entropy"`           // in invitation order; empty: none was mixed in
	Invited    []int    `json:"invited,omitempty"` // by seat: the player's place in invitation order
	Seed       string   `json:"seed,omitempty"`    // hex; finished games only, and void ones
	Names      []string `json:"names"`
	Viewer     int      `json:"viewer"` // 0: the public
	Finished   bool     `json:"finished"`
	Ended      string   `json:"ended,omitempty"` // how the game was broken off: one of brokenOff
	Log        []Line   `json:"log"`
	Result     *Outcome `json:"result,omitempty"`

	// Checksum covers all the rest, so that no change of a record goes unseen:
	// what the rules cannot tell by playing it again, too (checksum).
	Checksum string `json:"checksum,omitempty"`
}

// brokenOff are the ways in which a game ends before its end.
var brokenOff = []string{"void", "adjudicated", "abandoned", "cancelled"}

// whole reports whether nothing is left out of the record: anyone may read all of the game.
func (r *Record) whole() bool { return r.Result != nil || r.Ended != "" && r.Seed != "" }

// seedless says why the record has no seed, "" if it has one.
func (r *Record) seedless() string {
	switch {
	case r.Seed != "":
		return ""
	case r.Ended == "void":
		return "the game is void, and its seed is not public yet"
	case r.Ended != "":
		return "the game was " + r.Ended + ", so its seed stays secret"
	case r.Finished:
		return "others still play with it"
	}
	return "the game is still running"
}

// An Outcome is a finished game's result.
type Outcome struct {
	Ending  string  `json:"ending"` // "spes" or "ravagers"
	Scores  []Score `json:"scores"` // by seat
	Winners []int   `json:"winners"`
	LogHash string  `json:"log_sha256"`

	// Parts is, by seat, how much each player played. A log does not say who came to a
	// seat, so verify checks the number of turns by the rules, and the rest by the
	// checksum. Games of bots that are not stored have none.
	Parts [][]Share `json:"parts,omitempty"`
}

// A Score is one seat's VP and where they came from.
type Score struct {
	Seat  int            `json:"seat"`
	Name  string         `json:"name"`
	VP    int            `json:"vp"`    // before the end's scoring
	Final *int           `json:"final"` // nil until finished
	By    map[string]int `json:"by"`    // sums to VP, or to Final once finished
}

// LogHash is web/API.md's log_sha256.
func LogHash(log []Line) string {
	h := sha256.New()
	var b []byte
	for _, l := range log {
		b = HashLine(b[:0], l)
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// HashLine appends what of a line enters LogHash.
func HashLine(b []byte, l Line) []byte {
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

// ReadRecord reads one record as export writes it: every key that a record has, no
// other, and none twice.
func ReadRecord(r io.Reader) (*Record, error) {
	b, err := TakeRecord(r, maxRecord, maxRecordLines)
	if err != nil {
		return nil, err
	}
	var version struct{ Schema int }
	if json.Unmarshal(b, &version) == nil && version.Schema != RecordSchema && version.Schema != BrokenSchema {
		return nil, fmt.Errorf("%w: schema %d, this program reads %d", ErrRecord, version.Schema, RecordSchema)
	}
	var rec Record
	if err := jcs.Unmarshal(b, &rec); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrRecord, err)
	}
	if rec.Checksum == "" {
		return nil, fmt.Errorf("%w: its checksum is missing", ErrRecord)
	}
	for i, l := range rec.Log {
		if rec.whole() && l.Sum == "" {
			return nil, fmt.Errorf("%w: log[%d].sum is missing", ErrRecord, i)
		}
	}
	return &rec, nil
}

// playable tells why the game of a record cannot be one of this program's, nil if
// it can.
func (r *Record) playable() error {
	if err := r.Options.known(); err != nil {
		return fmt.Errorf("%w that can be played here: %w", ErrRecord, err)
	}
	switch {
	case r.Options.Players < 1 || r.Options.Players > engine.MaxPlayers:
		return fmt.Errorf("%w: %d players", ErrRecord, r.Options.Players)
	case r.Options.Rules != "base" && r.Options.Rules != "advanced":
		return fmt.Errorf("%w: rules %.40q are not known", ErrRecord, r.Options.Rules)
	case r.Options.Edition != "revised" && r.Options.Edition != "first":
		return fmt.Errorf("%w: edition %.40q is not known", ErrRecord, r.Options.Edition)
	case (r.Options.Players == 1) != (r.Options.Engine().Hal != engine.NoHal):
		return fmt.Errorf("%w: %d players, Hal %.40q", ErrRecord, r.Options.Players, r.Options.Hal)
	case r.Viewer < 0 || r.Viewer > r.Options.Players:
		return fmt.Errorf("%w: viewer %d", ErrRecord, r.Viewer)
	case r.Set != r.Options.Set:
		return fmt.Errorf("%w: sets %.40q and %.40q", ErrRecord, r.Set, r.Options.Set)
	case len(r.Names) != r.Options.Players:
		return fmt.Errorf("%w: %d names of %d players", ErrRecord, len(r.Names), r.Options.Players)
	}
	return nil
}

// Write writes the record as export does: one line of JSON a field and a line
// of the log, so that two records can be compared by eye.
func (r *Record) Write(w io.Writer) error {
	var b strings.Builder
	head := *r
	head.Log, head.Result, head.Checksum = nil, nil, ""
	fields, err := json.Marshal(head)
	if err != nil {
		return fmt.Errorf("write record: %w", err)
	}
	// head ends with `"log":null}`: the log is written line by line instead.
	b.WriteString(strings.TrimSuffix(string(fields), "null}"))
	b.WriteString("[")
	for i, l := range r.Log {
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
	b.WriteString(",\n\"checksum\":\"" + r.Checksum + "\"}\n")
	_, err = io.WriteString(w, b.String())
	return err
}

// A WrongSet is the error about a game whose component set is not at hand, or
// about a set of that name which is another one.
type WrongSet struct {
	Name string // of the game's set
	Hash string // of the game's set; "" before the game has begun
	Here string // hash of the set of that name that is at hand; "" if none is
}

func (e *WrongSet) Error() string {
	s := fmt.Sprintf("it was begun with the component set %.40q", e.Name)
	if e.Hash != "" {
		s += fmt.Sprintf(" (hash %.64q)", e.Hash)
	}
	if e.Here == "" {
		return s + ", which is not at hand"
	}
	return s + ", but the set of that name here has the hash " + strconv.Quote(e.Here)
}

// fits returns an error unless set is the one the record was played with. A record
// whose hash someone has deleted goes by the name: Verify then finds it by its checksum.
func (r *Record) fits(set *component.Set) error {
	switch {
	case set == nil || set.Name != r.Set:
		return fmt.Errorf("%w that can be played here: %w", ErrRecord, &WrongSet{Name: r.Set, Hash: r.SetHash})
	case r.SetHash != "" && r.SetHash != set.Hash:
		return fmt.Errorf("%w that can be played here: %w", ErrRecord, &WrongSet{Name: r.Set, Hash: r.SetHash, Here: set.Hash})
	}
	return nil
}
