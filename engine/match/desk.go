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
	"angelpost/engine/incoming"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// A Config is what a Desk needs. Store, Sets, Now and Random must be
// there; New fills in the rest.
type Config struct {
	Store  store.DB
	Sets   map[string]*component.Set // by name
	Set    string                    // of new games that name none; default the built-in one
	Now    func() time.Time
	Random io.Reader // for seeds, tokens, keys and ids; crypto/rand's

	// Chance is what games draw from, nil: from their seeds (engine.NewChance).
	// It is there for the test of secrecy, which gives one stored game other
	// hidden cards and another future under the same seed; nothing else may set
	// it, for such a game cannot be verified.
	Chance func(seed [32]byte, message string) engine.Random

	// Drafting is called for each letter out before the transaction that queues it is
	// committed, even if it never is, so that the letter can be rendered meanwhile; nil: it
	// is not. view makes the View of the letter's Input, at any time; nil: it has none, or
	// is text only, or shows another position. What Drafting returns, which may be nil, is
	// called once the letter is queued: r is the message as the store will give it, and
	// sheet makes the Input that Host.Sheet will make, at any time. If the same Message-ID
	// comes twice, only the last may be committed. Both must return at once.
	Drafting func(view func() *engine.View) (drafted func(r notice.Message, sheet func() (*notice.Input, error)))

	// Adviser is the bot whose plan a hint shows, a bot.Adviser; default
	// bot.Planner.
	Adviser string

	// Host is the right side of Message-IDs.
	Host string
	// NFC normalises names and words of entropy; nil leaves them as they are.
	NFC func(string) string
	// Knows reports whether `rules` or `help`, the word, has an answer to a topic; nil
	// knows them all.
	Knows func(word, topic string) bool
	// Skeleton makes names that look alike equal (Unicode TS 39); nil leaves them as
	// they are.
	Skeleton func(string) string
	// Address brings an address into the one form in which it is compared, ""
	// if it is none; nil lowers its case.
	Address func(string) string
	// StorageDown reports whether an error of the store is the machine's, as when the
	// disk is full: no letter is blamed for it. nil knows none.
	StorageDown func(error) bool
	// Domain is the domain in which a host's owner can make up names, as example.org
	// is of mail.example.org; nil: the host itself.
	Domain func(host string) string
	// Weigh tells how many octets a letter has as it is sent, for the bound on answers
	// to strangers; nil: they are not weighed.
	Weigh func(*notice.Input) (int, error)
	// Own tells the server's own addresses: they are never written to.
	Own func(address string) bool

	Policy

	InviteFor time.Duration // until an invitation lapses; default 14 days

	// Thought hears what became of a letter whose outcome was Thinking, and of those of
	// its sender that waited for it. It must not call the desk.
	Thought func(c Command, outcome string)
	Log     *slog.Logger
}

// A Policy is what of a desk's Config may become another while it works.
type Policy struct {
	Start string   // who may start games: "anyone" (default), "known", "list"
	List  []string // for "list"

	Directors []string // addresses of those who may make leagues by mail; nil: no one

	RemindAfter   time.Duration // of silence; default 4 days
	AnswersPerDay int           // to an address, UTC; the rest is collected, but for orders carried out; default 60
	VacationDays  int           // of a player in a calendar year; default 30, below 0: none
}

// filled is p with its defaults.
func (p Policy) filled() Policy {
	if p.RemindAfter == 0 {
		p.RemindAfter = 4 * 24 * time.Hour
	}
	if p.AnswersPerDay == 0 {
		p.AnswersPerDay = 60
	}
	if p.VacationDays == 0 {
		p.VacationDays = 30
	}
	return p
}

// Reload has the desk go by another policy from the next letter on.
func (d *Desk) Reload(p Policy) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.Policy = p.filled()
}

// Bounds of the attempts at a letter in.
const (
	maxAttempts = 3  // that failed
	maxBegun    = 10 // that the program did not survive, and others
)

// A Desk works off letters in, one at a time. It is safe for concurrent use.
type Desk struct {
	env
	host *Host
	mu   sync.Mutex
	room queue

	regained []int64 // letters whose game can be read again; mu guards them
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
	if c.Knows == nil {
		c.Knows = func(string, string) bool { return true }
	}
	if c.Skeleton == nil {
		c.Skeleton = func(s string) string { return s }
	}
	if c.Address == nil {
		c.Address = plainAddress
	}
	if c.StorageDown == nil {
		c.StorageDown = func(error) bool { return false }
	}
	if c.Domain == nil {
		c.Domain = func(host string) string { return host }
	}
	if c.Weigh == nil {
		c.Weigh = func(*notice.Input) (int, error) { return 0, nil }
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
	c.Policy = c.Policy.filled()
	if c.InviteFor == 0 {
		c.InviteFor = 14 * 24 * time.Hour
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Thought == nil {
		c.Thought = func(Command, string) {}
	}
	games := newCache(cacheConfig{Sets: c.Sets, Now: c.Now, Namer: newNamer(c.Skeleton), StorageDown: c.StorageDown, Log: c.Log, Chance: c.Chance})
	d := &Desk{env: env{Config: c, cache: games, subs: leagueSubstitutes{}}, host: newHost(c.Store, games)}
	d.room = newRoom(&d.mu)
	d.waits = func(address string) bool { return len(d.room.letters[address]) > 0 }
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
func (s *unit) random(n int) string {
	b := make([]byte, n)
	if _, err := io.ReadFull(&s.attempt.drawn, b); err != nil {
		s.check(fmt.Errorf("randomness: %w", err))
		return ""
	}
	return coding.EncodeToString(b)
}

// Outcomes of Handle.
const (
	Answered  = "answered" // applied, and answered if it is to be
	Later     = "later"    // applied, but its answer waits for a collected letter
	Silent    = "silent"   // rightly not answered
	Repeated  = "repeated" // a copy of a letter known: its answer goes out once more, at most once
	Held      = "held"     // waits for a yes, or conflicts with another letter
	Thinking  = "thinking" // stored; Desk.Think does it when bots have thought
	SetAside  = "aside"    // failed three times
	StillFail = "failed"   // failed now; the letter is stored and Handle wants it again
)

// Handle takes one letter in. It commits the letter and the attempt first, then, in one
// transaction, all that follows from it. When Handle returns, its effects are durable. The
// first commit is not synced: nothing is acknowledged until the second.
//
// An error means that the letter, if it could be stored at all, is to be handled again;
// the third failure sets it aside and is no error. A letter handled before is known by its
// Message-ID and body, or by sender, date, token and body. If bots must think first,
// Handle waits for them; the desk is free meanwhile.
func (d *Desk) Handle(ctx context.Context, c Command) (outcome string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c = d.fill(c)
	letter, outcome, err := d.take(ctx, c)
	if err != nil || outcome != "" {
		return outcome, err
	}
	for st := d.newAttempt(); ; {
		outcome, err = d.finish(ctx, c, letter, st)
		q := pendingFrom(err)
		if q == nil {
			return outcome, err
		}
		if err := d.await(ctx, q); err != nil {
			d.giveBack(ctx, letter)
			return StillFail, err
		}
	}
}

// maxTogether is how many letters are applied in one transaction at most: meanwhile no
// one gets an answer.
const maxTogether = 10

// HandleAll is Handle for letters that came together, in their order; told is
// called after each. Those that are new are stored, their first attempt
// counted, in one commit; then some of them are applied at a time, in one
// transaction, each in a part of its own. Letters known before, copies among
// them, and any whose part fails, go the way of Handle one by one: so a letter
// that ends the whole program costs no other more than one attempt. One that
// bots must think about first is Thinking: it, and what else its sender writes
// meanwhile, is left to Think, which must be running. When the Store is ailing,
// or ctx has ended, the rest is not tried, and no attempt of it is counted.
func (d *Desk) HandleAll(ctx context.Context, cs []Command, told func(i int, outcome string, err error)) {
	stored := make([]*store.Letter, len(cs))
	if len(cs) > 1 { // otherwise there is nothing to save
		stored = d.storeNew(ctx, cs)
	}
	var stop error // why the rest is not tried
	var untried []store.Letter
	defer func() { d.giveBack(ctx, untried...) }()
	for i := 0; i < len(cs); i++ {
		if stop == nil {
			stop = ctx.Err()
		}
		outcome, err := StillFail, stop
		if stop != nil && stored[i] != nil {
			untried = append(untried, *stored[i])
		}
		if stop == nil {
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
		if err != nil && d.StorageDown(err) {
			stop = err
		}
		told(i, outcome, err)
	}
}

// applyTogether applies stored letters up to the first that is not stored, must
// wait behind another of its sender's, or cannot be applied so. It returns what
// became of them once that is committed. An error is the Store's that is ailing:
// none of them is applied.
func (d *Desk) applyTogether(ctx context.Context, cs []Command, stored []*store.Letter) (outcomes []string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := 0
	for n < len(cs) && stored[n] != nil && len(d.room.letters[d.fill(cs[n]).From]) == 0 {
		n++
	}
	if n < 2 {
		return nil, nil
	}
	var done []*unit
	err = d.Store.Update(ctx, func(tx store.Tx) error {
		for i, c := range cs[:n] {
			var outcome string
			s := d.begin(tx, Command{}, nil)
			s.attempt = d.newAttempt()
			err := unlessPanic(func() error {
				return tx.Part(func() (err error) {
					outcome, err = s.apply(d.fill(c), *stored[i])
					return s.outcome(err)
				})
			})
			if err != nil && d.StorageDown(err) {
				return err
			}
			if err != nil { // by itself it will fail again, or ask, and that is told
				return nil
			}
			done, outcomes = append(done, s), append(outcomes, outcome)
		}
		return nil
	})
	if err != nil && d.StorageDown(err) {
		d.giveBack(ctx, *stored[0])
		return nil, err
	}
	if err != nil {
		if ctx.Err() == nil {
			d.Log.Warn("letters could not be applied together", "letters", n, "err", err)
		}
		return nil, nil
	}
	for _, s := range done {
		s.keep()
	}
	return outcomes, nil
}

// giveBack takes back that letters were tried, when the Store is ailing or the
// server is asked to end. If even that cannot be stored it stays counted, but a
// letter is set aside for failures of its own only.
func (d *Desk) giveBack(ctx context.Context, letters ...store.Letter) {
	if len(letters) == 0 {
		return
	}
	_ = d.Store.Update(context.WithoutCancel(ctx), func(tx store.Tx) error {
		for _, l := range letters {
			state, err := tx.LetterState(l.ID)
			if err == nil && state == store.LetterNew { // no copy of it was done meanwhile
				l.Attempts--
				err = tx.SaveLetter(l)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// storeNew stores the letters not seen before in one commit. It returns their rows, nil
// where a letter was not stored.
func (d *Desk) storeNew(ctx context.Context, cs []Command) []*store.Letter {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]*store.Letter, len(cs))
	err := d.Store.UpdateUnsynced(ctx, func(tx store.Tx) error {
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
	if err != nil { // tried singly, each will show which is at fault
		if ctx.Err() == nil {
			d.Log.Warn("letters could not be stored together", "letters", len(cs), "err", err)
		}
		clear(out)
	}
	return out
}

// fill brings what a command says into the form in which it is compared.
func (d *Desk) fill(c Command) Command {
	if c.Class == "" {
		c.Class = incoming.Orders
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
func newLetter(c Command) store.Letter {
	return store.Letter{
		MessageID: c.MessageID, From: c.From, Token: c.Token, Date: c.Date, BodyHash: c.BodyHash, Class: c.Class,
		State: store.LetterNew, Attempts: 1, Received: c.Received, Raw: c.Raw,
	}
}

// known lists the letters with the Message-ID of c, and those that are like it
// but for that.
func known(tx store.Tx, c Command) (same, like []store.Letter, err error) {
	if same, err = tx.SameLetter(c.MessageID); err != nil {
		return nil, nil, err
	}
	// The body of a letter too large is not known: what else there is must do.
	if !c.Date.IsZero() && (c.BodyHash != "" || c.Class == incoming.TooLarge) {
		like, err = tx.LikeLetter(c.From, c.Date, c.Token, c.BodyHash)
	}
	return same, like, err
}

// finish applies a letter that is stored, and sets it aside at its third
// failure, or untried if the program has ended under it again and again. Its
// error may be a question; when that is answered, finish is to be called again.
func (d *Desk) finish(ctx context.Context, c Command, letter store.Letter, st *attempt) (outcome string, err error) {
	if ctx.Err() == nil && letter.Attempts > maxBegun {
		return SetAside, d.setAside(ctx, c, letter)
	}
	outcome, err = d.apply(ctx, c, letter, st)
	if err == nil || pendingFrom(err) != nil {
		return outcome, err
	}
	if d.StorageDown(err) || ctx.Err() != nil {
		d.giveBack(ctx, letter)
		return StillFail, err
	}
	if u := unreadableIn(err); u != nil {
		return SetAside, d.setUnread(ctx, c, letter, u)
	}
	d.Log.Error("letter failed", "letter", letter.ID, "attempt", letter.Attempts, "err", err)
	if letter.Attempts < maxAttempts {
		return StillFail, err
	}
	return SetAside, d.setAside(ctx, c, letter)
}

// take stores the letter and counts the attempt. outcome is "" if it is to be
// applied; until it is, what take did survives the process only.
func (d *Desk) take(ctx context.Context, c Command) (letter store.Letter, outcome string, err error) {
	err = d.Store.UpdateUnsynced(ctx, func(tx store.Tx) error {
		outcome = ""
		same, like, err := known(tx, c)
		if err != nil {
			return err
		}
		conflict := false
		for _, l := range same {
			if l.BodyHash == c.BodyHash && l.From == c.From {
				letter, outcome, err = d.again(tx, l, c)
				return err
			}
			conflict = true
		}
		if len(like) > 0 {
			letter, outcome, err = d.again(tx, like[0], c)
			return err
		}
		letter = newLetter(c)
		if conflict && answerable(c.Class) {
			letter.State, letter.Why = store.LetterHeld, "its Message-ID is another letter's"
			outcome = Held
		}
		if err := tx.AddLetter(&letter); err != nil {
			return err
		}
		if outcome == Held {
			s := d.begin(tx, c, &letter)
			if err := s.outcome(errors.Join(s.conflict(), s.close())); err != nil {
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

// again finds out what a copy c of letter l means: if l was never applied it is
// applied now, otherwise its answer goes out once more, at most once, if c is proven
// to come from its address. A copy
// with the very same bytes took no way of its own through the post, which would
// have left its traces: it is l itself, which a crash kept from being filed
// away, and its answer is in the queue or gone.
func (d *Desk) again(tx store.Tx, l store.Letter, c Command) (store.Letter, string, error) {
	switch {
	case l.State == store.LetterNew:
		l.Attempts++
		return l, "", tx.SaveLetter(l)
	case l.State == store.LetterDone && l.Answer != 0 && l.Repeats == 0:
		stored, err := tx.Letter(l.ID)
		if err != nil {
			return l, "", err
		}
		if bytes.Equal(stored.Raw, c.Raw) {
			return l, Silent, nil
		}
		s := d.begin(tx, c, &l)
		if err := s.outcome(s.proveIt()); err != nil || s.unproven {
			return l, Silent, err
		}
		l.Repeats++
		if err := tx.Requeue(l.Answer, d.Now()); err != nil {
			return l, "", err
		}
		return l, Repeated, tx.SaveLetter(l)
	}
	return l, Silent, nil
}

// answerable reports whether letters of a class may be answered at all.
func answerable(c incoming.Class) bool {
	return slices.Contains([]incoming.Class{incoming.Orders, incoming.Empty, incoming.TooLarge, incoming.Broken}, c)
}

// apply does what the letter says, in one transaction.
func (d *Desk) apply(ctx context.Context, c Command, letter store.Letter, st *attempt) (outcome string, err error) {
	err = d.try(ctx, st, func(s *unit) (err error) {
		outcome, err = s.apply(c, letter)
		return err
	})
	return outcome, err
}

// apply does what a letter says. One that was stored is done at most once,
// the first who comes to it.
func (s *unit) apply(c Command, l store.Letter) (outcome string, err error) {
	s.cmd, s.letter = c, &l
	state, err := s.tx.LetterState(l.ID)
	if err != nil {
		return "", err
	}
	if state != store.LetterNew {
		return Silent, nil
	}
	if err := s.letterIn(); err != nil {
		return "", err
	}
	if err := s.close(); err != nil {
		return "", err
	}
	switch l.State {
	case store.LetterNew, store.LetterDone:
		l.State, outcome = store.LetterDone, Answered
		if l.Answer == 0 {
			l.State, outcome = store.LetterMute, Silent
		} else if s.later {
			outcome = Later
		}
	case store.LetterMute:
		outcome = Silent
		s.Log.Info("no answer", "letter", l.ID, "why", l.Why)
	case store.LetterHeld:
		outcome = Held
	}
	s.check(s.tx.SaveLetter(l))
	return outcome, nil
}

// update runs f in one transaction, the desk's own, that no letter caused. Where
// bots must think it is tried again after each thought, so f must be fit to be
// run anew. d.mu is held, but free while they think.
func (d *Desk) update(ctx context.Context, f func(*unit) error) error {
	for st := d.newAttempt(); ; {
		err := d.try(ctx, st, f)
		q := pendingFrom(err)
		if q == nil {
			return err
		}
		if err := d.await(ctx, q); err != nil {
			return err
		}
	}
}

// try runs f in one transaction and keeps the games it moved for the next once
// it is committed. A panic of the rules is an error of this try only.
func (d *Desk) try(ctx context.Context, st *attempt, f func(*unit) error) error {
	var s *unit
	st.drawn.rewind()
	err := unlessPanic(func() error {
		return d.Store.Update(ctx, func(tx store.Tx) error {
			s = d.begin(tx, Command{}, nil)
			s.attempt = st
			return s.outcome(f(s))
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

// keep remembers the games of a unit that was committed.
func (s *unit) keep() {
	for _, t := range s.tables {
		if t.play != nil {
			s.cache.keep(t.row.ID, t.play)
		}
	}
	for _, c := range s.contests {
		s.cache.keepLeague(c.row.ID, c.state)
	}
	s.keepNames()
}

// setAside keeps a letter that failed three times, and tells its writer if known.
func (d *Desk) setAside(ctx context.Context, c Command, l store.Letter) error {
	l.State, l.Why = store.LetterAside, "failed three times"
	err := d.update(ctx, func(s *unit) error {
		s.cmd, s.letter = c, &l
		if err := s.failed(); err != nil {
			return err
		}
		if err := s.close(); err != nil {
			return err
		}
		s.check(s.tx.SaveLetter(l))
		return nil
	})
	if err == nil {
		return nil
	}
	// Not even that: keep the letter, tell no one.
	d.Log.Error("letter set aside without an answer", "letter", l.ID, "err", err)
	return d.Store.Update(ctx, func(tx store.Tx) error { l.Answer = 0; return tx.SaveLetter(l) })
}

// Pending lists letters stored but not applied yet (after a crash, or TakeUp), with their raw bytes: the caller reads them again and
// hands them to Handle.
func (d *Desk) Pending(ctx context.Context) (out []store.Letter, err error) {
	return d.letters(ctx, store.LetterNew)
}

// TakeUp makes letters Pending that wait for a game that could not be read: the
// file may be another since.
func (d *Desk) TakeUp(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.update(ctx, func(s *unit) error {
		if err := s.takeUp(""); err != nil {
			return err
		}
		return s.close()
	})
	return err
}

// Aside lists the letters set aside.
func (d *Desk) Aside(ctx context.Context) ([]store.Letter, error) {
	return d.letters(ctx, store.LetterAside)
}

func (d *Desk) letters(ctx context.Context, state string) (out []store.Letter, err error) {
	err = d.Store.View(ctx, func(tx store.Tx) error {
		rows, err := tx.Letters(state, 1000)
		if err != nil {
			return err
		}
		ids := make([]int64, len(rows))
		for i, r := range rows {
			ids[i] = r.ID
		}
		out, err = d.lettersOf(tx, ids)
		return err
	})
	return out, err
}

// lettersOf are letters with their raw bytes; damaged ones are passed over.
func (d *Desk) lettersOf(tx store.Tx, ids []int64) (out []store.Letter, err error) {
	for _, id := range ids {
		l, err := tx.Letter(id)
		if err != nil && !d.StorageDown(err) {
			d.Log.Error("a stored letter cannot be read and is passed over", "letter", id, "err", err)
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

// Replay takes a letter set aside up again: the next Handle of it applies it.
func (d *Desk) Replay(ctx context.Context, id int64) error {
	return d.Store.Update(ctx, func(tx store.Tx) error {
		l, err := tx.Letter(id)
		if err != nil {
			return err
		}
		if l.State != store.LetterAside {
			return fmt.Errorf("letter %d is not set aside", id)
		}
		l.State, l.Attempts = store.LetterNew, 0
		return tx.SaveLetter(l)
	})
}
