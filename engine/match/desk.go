package match

import (
	"bytes"
	"context"
	"encoding/base32"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/mail"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/component"
)

// A Config is what a Desk needs. Store, Sets, Now and Random must be
// there; New fills in the rest.
type Config struct {
	Store  Store
	Sets   map[string]*component.Set // by name
	Set    string                    // of new games that name none; default the built-in one
	Now    func() time.Time
	Random io.Reader // for seeds, tokens, keys and ids; crypto/rand's

	// Chance is what games draw from, nil: from their seeds (engine.NewChance).
	// It is there for the test of secrecy, which gives one stored game other
	// hidden cards and another future under the same seed; nothing else may set
	// it, for such a game cannot be verified.
	Chance func(seed [32]byte, message string) engine.Random

	// Drafting is told of each letter out that will be queued, or collected, before
	// that is committed and even if it never is; nil: nobody is. view makes the View
	// that its Sheet will have, at any time; nil: it has none, or not the position as
	// it is now, or is text only. What Drafting returns, which may be nil, is told of
	// the letter once it is queued: the recipe is as the Store will give it, and sheet
	// makes the Sheet that Host.Sheet will make of it, at any time. If the same
	// Message-ID is told of twice, only the last may be committed. Both must return
	// at once.
	Drafting func(view func() *engine.View) (drafted func(r Recipe, sheet func() (*Sheet, error)))

	// Adviser is the bot whose plan a hint shows, a bot.Adviser; default
	// bot.Planner.
	Adviser string

	// Host is the right side of Message-IDs.
	Host string
	// NFC normalises names and words of entropy; nil leaves them as they are.
	NFC func(string) string
	// Address brings an address into the one form in which it is compared, ""
	// if it is none; nil lowers its case.
	Address func(string) string
	// Ailing tells errors of the Store that are the machine's, as when the disk
	// is full: no letter is blamed for them. nil knows none.
	Ailing func(error) bool
	// Own tells the server's own addresses: they are never written to.
	Own func(address string) bool

	Start string   // who may start games: "anyone" (default), "known", "list"
	List  []string // for "list"

	Directors []string // addresses of those who may make leagues by mail; nil: nobody

	RemindAfter   time.Duration // of silence; default 4 days
	InviteFor     time.Duration // until an invitation lapses; default 14 days
	AnswersPerDay int           // to an address, UTC; the rest is collected; default 60
	VacationDays  int           // of a player in a calendar year; default 30, below 0: none

	// Thought hears what became of a letter whose outcome was Thinking, and of
	// those of its sender that stood behind it. It must not call the desk.
	Thought func(c Command, outcome string)
	Log     *slog.Logger
}

// Bounds a day, UTC, unless said otherwise.
const (
	maxNoticeAgain = 3    // the last notice sent again for want of a token
	maxPress       = 30   // messages of a player in a game
	maxForged      = 3    // answers about failed authentication
	maxAttempts    = 3    // of a letter in, ever
	maxBegun       = 10   // attempts that the program did not survive, and others
	maxHints       = 20   // hints to a player
	botSteps       = 4000 // of bots on their own
)

// A Desk works off letters in, one at a time. It is safe for concurrent use.
type Desk struct {
	Config
	host *Host
	mu   sync.Mutex
	room room
}

// New is a desk and the host of its games.
func New(c Config) (*Desk, error) {
	switch {
	case c.Store == nil || c.Now == nil || c.Random == nil:
		return nil, errors.New("desk: store, clock and randomness are needed")
	case len(c.Sets) == 0:
		return nil, errors.New("desk: no component set")
	}
	if c.Set == "" {
		c.Set = component.DefaultName
	}
	if c.Sets[c.Set] == nil {
		return nil, fmt.Errorf("desk: component set %q is not among the sets", c.Set)
	}
	if c.NFC == nil {
		c.NFC = func(s string) string { return s }
	}
	if c.Address == nil {
		c.Address = plainAddress
	}
	if c.Ailing == nil {
		c.Ailing = func(error) bool { return false }
	}
	if c.Own == nil {
		c.Own = func(string) bool { return false }
	}
	if c.Adviser == "" {
		c.Adviser = bot.Planner
	}
	if b, err := bot.New(c.Adviser, ""); err != nil {
		return nil, fmt.Errorf("desk: adviser: %w", err)
	} else if _, ok := b.(bot.Adviser); !ok {
		return nil, fmt.Errorf("desk: %q gives no advice", c.Adviser)
	}
	if c.Host == "" {
		c.Host = "angelpost.invalid"
	}
	if c.RemindAfter == 0 {
		c.RemindAfter = 4 * 24 * time.Hour
	}
	if c.InviteFor == 0 {
		c.InviteFor = 14 * 24 * time.Hour
	}
	if c.AnswersPerDay == 0 {
		c.AnswersPerDay = 60
	}
	if c.VacationDays == 0 {
		c.VacationDays = 30
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Thought == nil {
		c.Thought = func(Command, string) {}
	}
	d := &Desk{Config: c, host: newHost(c)}
	d.room = newRoom(&d.mu)
	return d, nil
}

// Host is where the desk's games can be looked at.
func (d *Desk) Host() *Host { return d.host }

// plainAddress is an address in lower case, "" if it is none.
func plainAddress(s string) string {
	a, err := mail.ParseAddress(s)
	if err != nil || len(a.Address) > 254 || strings.ContainsAny(a.Address, "\r\n\"<> ") {
		return ""
	}
	return strings.ToLower(a.Address)
}

// base32 in one case survives clients that change it.
var coding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// random is n random bytes as text.
func (s *sitting) random(n int) (string, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(&s.study.drawn, b); err != nil {
		return "", fmt.Errorf("randomness: %w", err)
	}
	return coding.EncodeToString(b), nil
}

// Outcomes of Handle.
const (
	Answered  = "answered" // applied, and answered if it is to be
	Silent    = "silent"   // rightly not answered
	Repeated  = "repeated" // a copy of a letter known: its answer goes out once more, at most once
	Held      = "held"     // waits for a yes, or conflicts with another letter
	Thinking  = "thinking" // stored; Desk.Think does it when bots have thought
	SetAside  = "aside"    // failed three times
	StillFail = "failed"   // failed now; the letter is stored and Handle wants it again
)

// Handle takes one letter in. First the letter and the attempt are committed,
// then, in one transaction, all that follows from it; once it returns that
// survives a power loss, and before nobody has heard that the letter was taken:
// so the first commit need only survive the process. An error means that the
// letter, if it could be stored at all, is to be handled again: the third
// failure sets it aside, which is no error. A letter handled before is known
// by its Message-ID and body, or by sender, date, token and body. If bots must
// think first, Handle waits for them; the desk is free meanwhile.
func (d *Desk) Handle(ctx context.Context, c Command) (outcome string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c = d.fill(c)
	letter, outcome, err := d.take(ctx, c)
	if err != nil || outcome != "" {
		return outcome, err
	}
	for st := d.study(); ; {
		outcome, err = d.finish(ctx, c, letter, st)
		q := asked(err)
		if q == nil {
			return outcome, err
		}
		if err := d.ponder(ctx, q); err != nil {
			return StillFail, err
		}
	}
}

// maxTogether is how many letters are applied in one transaction at most: as
// long as it takes nobody is answered.
const maxTogether = 10

// HandleAll is Handle for letters that came together, in their order; told is
// called after each. Those that are new are stored, their first attempt
// counted, in one commit; then some of them are applied at a time, in one
// transaction, each in a part of its own. Letters known before, copies among
// them, and any whose part fails, go the way of Handle one by one: so a letter
// that ends the whole program costs no other more than one attempt. One that
// bots must think about first is Thinking: it, and what else its sender writes
// meanwhile, is left to Think, which must be running. When the Store is ailing
// the rest is not tried.
func (d *Desk) HandleAll(ctx context.Context, cs []Command, told func(i int, outcome string, err error)) {
	stored := make([]*LetterRow, len(cs))
	if len(cs) > 1 { // otherwise there is nothing to save
		stored = d.storeNew(ctx, cs)
	}
	var ailing error
	for i := 0; i < len(cs); i++ {
		outcome, err := StillFail, ailing
		if ailing == nil {
			var done []string
			n := min(len(cs), i+maxTogether)
			done, err = d.applyTogether(ctx, cs[i:n], stored[i:n])
			for _, outcome := range done {
				told(i, outcome, nil)
				i++
			}
			if i == len(cs) {
				return
			}
			if err == nil {
				outcome, err = d.receive(ctx, d.fill(cs[i]), stored[i])
			}
		}
		if err != nil && d.Ailing(err) {
			ailing = err
		}
		told(i, outcome, err)
	}
}

// applyTogether applies stored letters up to the first that is not stored, must
// wait behind another of its sender's, or cannot be applied so. It returns what
// became of them once that is committed. An error is the Store's that is ailing:
// none of them is applied.
func (d *Desk) applyTogether(ctx context.Context, cs []Command, stored []*LetterRow) (outcomes []string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := 0
	for n < len(cs) && stored[n] != nil && len(d.room.letters[d.fill(cs[n]).From]) == 0 {
		n++
	}
	if n < 2 {
		return nil, nil
	}
	var done []*sitting
	err = d.Store.Update(ctx, func(tx Tx) error {
		for i, c := range cs[:n] {
			var outcome string
			s := d.sit(tx, Command{}, nil)
			s.study = d.study()
			err := unlessPanic(func() error {
				return tx.Part(func() (err error) {
					outcome, err = s.apply(d.fill(c), *stored[i])
					return err
				})
			})
			if err != nil && d.Ailing(err) {
				return err
			}
			if err != nil { // by itself it will fail again, or ask, and that is told
				return nil
			}
			done, outcomes = append(done, s), append(outcomes, outcome)
		}
		return nil
	})
	if err != nil && d.Ailing(err) {
		d.giveBack(ctx, *stored[0])
		return nil, err
	}
	if err != nil {
		d.Log.Warn("letters could not be applied together", "letters", n, "err", err)
		return nil, nil
	}
	for _, s := range done {
		s.keep()
	}
	return outcomes, nil
}

// giveBack takes back that a letter was tried when the Store is ailing. If even
// that cannot be stored it stays counted, but a letter is set aside for failures
// of its own only.
func (d *Desk) giveBack(ctx context.Context, l LetterRow) {
	l.Attempts--
	_ = d.Store.Update(ctx, func(tx Tx) error { return tx.SaveLetter(l) })
}

// storeNew stores the letters that nobody has seen yet in one commit. It
// returns their rows, nil where a letter was not stored.
func (d *Desk) storeNew(ctx context.Context, cs []Command) []*LetterRow {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]*LetterRow, len(cs))
	err := d.Store.UpdateUnsynced(ctx, func(tx Tx) error {
		for i, c := range cs {
			c = d.fill(c)
			same, like, err := known(tx, c)
			if err != nil {
				return err
			}
			if len(same)+len(like) > 0 {
				continue
			}
			l := newLetter(c)
			if err := tx.AddLetter(&l); err != nil {
				return err
			}
			out[i] = &l
		}
		return nil
	})
	if err != nil { // each by itself will tell whose fault it is
		d.Log.Warn("letters could not be stored together", "letters", len(cs), "err", err)
		clear(out)
	}
	return out
}

// fill brings what a command says into the form in which it is compared.
func (d *Desk) fill(c Command) Command {
	if c.Class == "" {
		c.Class = ClassOrders
	}
	if a := d.Address(c.From); a != "" {
		c.From = a
	}
	c.Token = strings.ToLower(c.Token)
	if c.Received.IsZero() {
		c.Received = d.Now()
	}
	return c
}

// newLetter is the row of a letter at its first attempt.
func newLetter(c Command) LetterRow {
	return LetterRow{
		MessageID: c.MessageID, From: c.From, Token: c.Token, Date: c.Date, BodyHash: c.BodyHash, Class: c.Class,
		State: LetterNew, Attempts: 1, Received: c.Received, Raw: c.Raw,
	}
}

// known lists the letters with the Message-ID of c, and those that are like it
// but for that.
func known(tx Tx, c Command) (same, like []LetterRow, err error) {
	if same, err = tx.SameLetter(c.MessageID); err != nil {
		return nil, nil, err
	}
	// The body of a letter too large is not known: what else there is must do.
	if !c.Date.IsZero() && (c.BodyHash != "" || c.Class == ClassTooLarge) {
		like, err = tx.LikeLetter(c.From, c.Date, c.Token, c.BodyHash)
	}
	return same, like, err
}

// finish applies a letter that is stored, and sets it aside at its third
// failure, or untried if the program has ended under it again and again. Its
// error may be a question; when that is answered, finish is to be called again.
func (d *Desk) finish(ctx context.Context, c Command, letter LetterRow, st *study) (outcome string, err error) {
	if letter.Attempts > maxBegun {
		return SetAside, d.setAside(ctx, c, letter)
	}
	outcome, err = d.apply(ctx, c, letter, st)
	if err == nil || asked(err) != nil {
		return outcome, err
	}
	if d.Ailing(err) {
		d.giveBack(ctx, letter)
		return StillFail, err
	}
	d.Log.Error("letter failed", "letter", letter.ID, "attempt", letter.Attempts, "err", err)
	if letter.Attempts < maxAttempts {
		return StillFail, err
	}
	return SetAside, d.setAside(ctx, c, letter)
}

// take stores the letter and counts the attempt. outcome is "" if it is to be
// applied; until it is, what take did survives the process only.
func (d *Desk) take(ctx context.Context, c Command) (letter LetterRow, outcome string, err error) {
	err = d.Store.UpdateUnsynced(ctx, func(tx Tx) error {
		outcome = ""
		same, like, err := known(tx, c)
		if err != nil {
			return err
		}
		conflict := false
		for _, l := range same {
			if l.BodyHash == c.BodyHash && l.From == c.From {
				letter, outcome, err = d.again(tx, l, c.Raw)
				return err
			}
			conflict = true
		}
		if len(like) > 0 {
			letter, outcome, err = d.again(tx, like[0], c.Raw)
			return err
		}
		letter = newLetter(c)
		if conflict && answerable(c.Class) {
			letter.State, letter.Why = LetterHeld, "its Message-ID is another letter's"
			outcome = Held
		}
		if err := tx.AddLetter(&letter); err != nil {
			return err
		}
		if outcome == Held {
			s := d.sit(tx, c, &letter)
			if err := errors.Join(s.conflict(), s.close()); err != nil {
				return err
			}
			return tx.SaveLetter(letter)
		}
		return nil
	})
	if err == nil && outcome != "" {
		err = d.Store.Sync()
	}
	if err != nil {
		return letter, "", fmt.Errorf("store letter: %w", err)
	}
	return letter, outcome, nil
}

// again finds out what a copy of letter l means: if l was never applied it is
// applied now, otherwise its answer goes out once more, at most once. A copy
// with the very same bytes took no way of its own through the post, which would
// have left its traces: it is l itself, which a crash kept from being filed
// away, and its answer is in the queue or gone.
func (d *Desk) again(tx Tx, l LetterRow, raw []byte) (LetterRow, string, error) {
	switch {
	case l.State == LetterNew:
		l.Attempts++
		return l, "", tx.SaveLetter(l)
	case l.State == LetterDone && l.Answer != 0 && l.Repeats == 0:
		stored, err := tx.Letter(l.ID)
		if err != nil {
			return l, "", err
		}
		if bytes.Equal(stored.Raw, raw) {
			return l, Silent, nil
		}
		l.Repeats++
		if err := tx.Requeue(l.Answer, d.Now()); err != nil {
			return l, "", err
		}
		return l, Repeated, tx.SaveLetter(l)
	}
	return l, Silent, nil
}

// answerable tells whether letters of a class may be answered at all.
func answerable(c Class) bool {
	return slices.Contains([]Class{ClassOrders, ClassEmpty, ClassTooLarge, ClassBroken}, c)
}

// apply does what the letter says, in one transaction.
func (d *Desk) apply(ctx context.Context, c Command, letter LetterRow, st *study) (outcome string, err error) {
	err = d.try(ctx, st, func(s *sitting) (err error) {
		outcome, err = s.apply(c, letter)
		return err
	})
	return outcome, err
}

// apply does what a letter says. One that was stored is done at most once,
// whoever comes to it first.
func (s *sitting) apply(c Command, l LetterRow) (outcome string, err error) {
	s.cmd, s.letter = c, &l
	state, err := s.tx.LetterState(l.ID)
	if err != nil {
		return "", err
	}
	if state != LetterNew {
		return Silent, nil
	}
	if err := s.letterIn(); err != nil {
		return "", err
	}
	if err := s.close(); err != nil {
		return "", err
	}
	switch l.State {
	case LetterNew, LetterDone:
		l.State, outcome = LetterDone, Answered
		if l.Answer == 0 {
			l.State, outcome = LetterMute, Silent
		}
	case LetterMute:
		outcome = Silent
		s.Log.Info("no answer", "letter", l.ID, "why", l.Why)
	case LetterHeld:
		outcome = Held
	}
	return outcome, s.tx.SaveLetter(l)
}

// update runs f in one transaction, the desk's own, that no letter caused. Where
// bots must think it is tried again after each thought, so f must be fit to be
// run anew. d.mu is held, but free while they think.
func (d *Desk) update(ctx context.Context, f func(*sitting) error) error {
	for st := d.study(); ; {
		err := d.try(ctx, st, f)
		q := asked(err)
		if q == nil {
			return err
		}
		if err := d.ponder(ctx, q); err != nil {
			return err
		}
	}
}

// try runs f in one transaction and keeps the games it moved for the next once
// it is committed. A panic of the rules is an error of this try only.
func (d *Desk) try(ctx context.Context, st *study, f func(*sitting) error) error {
	var s *sitting
	st.drawn.rewind()
	err := unlessPanic(func() error {
		return d.Store.Update(ctx, func(tx Tx) error {
			s = d.sit(tx, Command{}, nil)
			s.study = st
			return f(s)
		})
	})
	if err != nil {
		return err
	}
	s.keep()
	return nil
}

// unlessPanic is f, a panic of which is an error.
func unlessPanic(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}

// keep remembers the games of a sitting that is committed.
func (s *sitting) keep() {
	for _, t := range s.tables {
		if t.play != nil {
			s.host.keep(t.row.ID, t.play)
		}
	}
	for _, c := range s.contests {
		s.host.keepLeague(c.row.ID, c.state)
	}
	s.keepNames()
}

// setAside keeps a letter that failed three times, and tells its writer if he
// is known.
func (d *Desk) setAside(ctx context.Context, c Command, l LetterRow) error {
	l.State, l.Why = LetterAside, "failed three times"
	err := d.update(ctx, func(s *sitting) error {
		s.cmd, s.letter = c, &l
		if err := s.failed(); err != nil {
			return err
		}
		if err := s.close(); err != nil {
			return err
		}
		return s.tx.SaveLetter(l)
	})
	if err == nil {
		return nil
	}
	// Not even that: keep the letter, tell nobody.
	d.Log.Error("letter set aside without an answer", "letter", l.ID, "err", err)
	return d.Store.Update(ctx, func(tx Tx) error { l.Answer = 0; return tx.SaveLetter(l) })
}

// Pending lists letters stored but not applied yet (after a crash), with their
// raw bytes: the caller reads them again and hands them to Handle.
func (d *Desk) Pending(ctx context.Context) (out []LetterRow, err error) {
	return d.letters(ctx, LetterNew)
}

// Aside lists the letters set aside.
func (d *Desk) Aside(ctx context.Context) ([]LetterRow, error) { return d.letters(ctx, LetterAside) }

func (d *Desk) letters(ctx context.Context, state string) (out []LetterRow, err error) {
	err = d.Store.View(ctx, func(tx Tx) error {
		rows, err := tx.Letters(state, 1000)
		if err != nil {
			return err
		}
		for _, r := range rows {
			l, err := tx.Letter(r.ID)
			if err != nil {
				return err
			}
			out = append(out, l)
		}
		return nil
	})
	return out, err
}

// Replay takes a letter set aside up again: the next Handle of it applies it.
func (d *Desk) Replay(ctx context.Context, id int64) error {
	return d.Store.Update(ctx, func(tx Tx) error {
		l, err := tx.Letter(id)
		if err != nil {
			return err
		}
		if l.State != LetterAside {
			return fmt.Errorf("letter %d is not set aside", id)
		}
		l.State, l.Attempts = LetterNew, 0
		return tx.SaveLetter(l)
	})
}
