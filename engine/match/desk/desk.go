// Package desk takes in letters. A Desk applies each letter exactly once, even if it arrives
// several times or the program crashes, in one transaction of its store.DB (package obey). It
// also carries out what falls due, and makes the changes of the command line and of the pages'
// one button.
package desk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/incoming"
	"angelpost/engine/match/compete"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/look"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/obey"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// Reload makes the desk use another policy from the next letter on.
func (d *Desk) Reload(p unit.Policy) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.Policy = p.Filled()
}

// Bounds of the attempts at a letter in.
const (
	maxAttempts = 3  // that failed
	maxBegun    = 10 // that the program did not survive, and others
)

// A Desk handles letters in, one at a time. It is safe for concurrent use.
type Desk struct {
	unit.Env
	host *look.Host
	mu   sync.Mutex
	room queue

	regained []int64 // letters whose game can be read again; mu guards them

	waitsForMail bool // see WaitsForMail; mu guards it
}

// New returns a desk with the host of its games.
func New(c unit.Config) (*Desk, error) {
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
		c.Address = unit.PlainAddress
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
	if c.Provider == nil {
		c.Provider = func(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }
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
	c.Policy = c.Policy.Filled()
	if c.InviteFor == 0 {
		c.InviteFor = 14 * 24 * time.Hour
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Flowed == nil {
		c.Flowed = func(time.Time) bool { return true }
	}
	if c.Thought == nil {
		c.Thought = func(unit.Command, string) {}
	}
	games := replays.New(replays.Config{Sets: c.Sets, Now: c.Now, Namer: naming.New(c.Skeleton), StorageDown: c.StorageDown, Log: c.Log, Chance: c.Chance})
	d := &Desk{Env: unit.Env{Config: c, Replays: games, Substitutes: compete.Substitutes{}}, host: look.New(c.Store, games)}
	d.room = newRoom(&d.mu)
	d.Waits = func(address string) bool {
		return len(d.room.letters[address]) > 0 || c.Awaits != nil && c.Awaits(address)
	}
	return d, nil
}

// Made reports whether a token is one of this server's letters.
func (d *Desk) Made(ctx context.Context, token string) (made bool, err error) {
	err = d.Store.View(ctx, func(tx store.Tx) error {
		made, err = unit.Made(tx, strings.ToLower(token))
		return err
	})
	return made, err
}

// Host returns the read side of the desk's games.
func (d *Desk) Host() *look.Host { return d.host }

// Outcomes of letters.
const (
	Answered  = "answered" // applied, and answered if it needs an answer
	Later     = "later"    // applied, but its answer waits for a collected letter
	Silent    = "silent"   // rightly not answered
	Repeated  = "repeated" // a copy of a letter known: its answer goes out once more, at most once
	Held      = "held"     // waits for a yes, or conflicts with another letter
	Thinking  = "thinking" // stored; Desk.Think does it when bots have thought
	Proving   = "proving"  // stored by Keep; its caller has it handled when it is known who wrote it
	SetAside  = "aside"    // failed three times
	StillFail = "failed"   // failed now; the letter is stored and Handle wants it again
)

// maxTogether bounds the letters that are applied in one transaction: meanwhile no one gets an
// answer.
const maxTogether = 10

// Handle takes in letters that came together, in their order, sets their Stored, and calls told
// after each. It first stores the new ones and counts their first attempt, in one commit, which
// is not synced: we acknowledge nothing until the second. Then it applies some of them at a
// time, in one transaction, each in its own savepoint, with all that follows from it. Letters
// known before, copies among them, and any that fail are handled one by one: so a letter that
// crashes the whole program costs the others at most one attempt. When told gets no error, the
// letter's effects are durable.
//
// An error means that the caller must handle the letter again, if it could be stored at all;
// the third failure sets it aside and returns no error. Handle knows a repeated letter by its
// Message-ID and body, or by sender, date, token and body. If bots must think about a letter
// first, its outcome is Thinking: Think, which must be running, does it, and what else its
// sender writes meanwhile. When the storage is down, or ctx has ended, Handle does not try the
// rest, and counts no attempt of it.
func (d *Desk) Handle(ctx context.Context, cs []unit.Command, told func(i int, outcome string, err error)) {
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
				cs[i].Stored, outcome, err = d.receive(ctx, d.fill(cs[i]), stored[i])
			}
		}
		if err != nil && d.StorageDown(err) {
			stop = err
		}
		told(i, outcome, err)
	}
}

// applyTogether applies stored letters up to the first that is not stored, must wait after
// another from its sender, or cannot be applied this way. It returns their outcomes once they
// are committed. An error means that the storage is down: none of them is applied.
func (d *Desk) applyTogether(ctx context.Context, cs []unit.Command, stored []*store.Letter) (outcomes []string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := 0
	for n < len(cs) && stored[n] != nil && len(d.room.letters[d.fill(cs[n]).From]) == 0 {
		n++
	}
	if n < 2 {
		return nil, nil
	}
	var done []*unit.Unit
	err = d.Store.Update(ctx, func(tx store.Tx) error {
		for i, c := range cs[:n] {
			var outcome string
			u := d.Begin(tx, unit.Command{}, nil)
			u.Attempt = d.NewAttempt()
			err := unit.UnlessPanic(func() error {
				return tx.Part(func() (err error) {
					outcome, err = apply(u, d.fill(c), *stored[i])
					return u.Outcome(err)
				})
			})
			if err != nil && d.StorageDown(err) {
				return err
			}
			if err != nil { // tried alone it will fail again, or ask, and then we tell
				return nil
			}
			done, outcomes = append(done, u), append(outcomes, outcome)
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
	for _, u := range done {
		obey.Keep(u)
	}
	return outcomes, nil
}

// giveBack uncounts an attempt for letters after the storage went down or the server began to
// shut down. If even that cannot be stored, the attempt stays counted, but only a letter's own
// failures set it aside.
func (d *Desk) giveBack(ctx context.Context, letters ...store.Letter) {
	if len(letters) == 0 {
		return
	}
	_ = d.Store.Update(context.WithoutCancel(ctx), func(tx store.Tx) error {
		for _, l := range letters {
			state, err := tx.LetterState(l.ID)
			if err == nil && state == store.LetterNew { // no copy of it was applied meanwhile
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
func (d *Desk) storeNew(ctx context.Context, cs []unit.Command) []*store.Letter {
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
			erased, err := tx.WasErased(c.From, c.Received)
			if err != nil {
				return err
			}
			if len(same)+len(like) > 0 || erased {
				continue
			}
			l := newLetter(c)
			if err := tx.AddLetter(&l); err != nil {
				return err
			}
			out[i], cs[i].Stored = &l, l.ID
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

// Keep stores letters durably, to handle later, and returns the numbers of their rows. The number
// is 0 if Handle can settle the letter at once, because it or one with its Message-ID was here
// before, or because it is an erased player's. Handle treats kept letters like copies, and Pending
// lists those that remain after a crash.
func (d *Desk) Keep(ctx context.Context, cs []unit.Command) (ids []int64, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	ids = make([]int64, len(cs))
	err = d.Store.Update(ctx, func(tx store.Tx) error {
		for i, c := range cs {
			if ids[i], err = keep(tx, d.fill(c)); err != nil {
				return err
			}
		}
		return nil
	})
	return ids, err
}

func keep(tx store.Tx, c unit.Command) (id int64, err error) {
	same, like, err := known(tx, c)
	if err != nil {
		return 0, err
	}
	for _, l := range append(same, like...) {
		if l.State == store.LetterNew && l.From == c.From && l.BodyHash == c.BodyHash { // a copy of one that waits
			id = l.ID
		}
	}
	erased, err := tx.WasErased(c.From, c.Received)
	if err != nil || erased || len(same)+len(like) > 0 {
		return id, err
	}
	l := newLetter(c)
	l.Attempts = 0
	err = tx.AddLetter(&l)
	return l.ID, err
}

// fill normalises a command for comparisons.
func (d *Desk) fill(c unit.Command) unit.Command {
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

// newLetter returns the row of a letter at its first attempt.
func newLetter(c unit.Command) store.Letter {
	return store.Letter{
		MessageID: c.MessageID, From: c.From, Token: c.Token, Date: c.Date, BodyHash: c.BodyHash, Class: c.Class,
		State: store.LetterNew, Attempts: 1, Received: c.Received, Raw: c.Raw, Unfiled: c.Unfiled,
	}
}

// known lists the letters with the Message-ID of c, and those that equal it except for that.
func known(tx store.Tx, c unit.Command) (same, like []store.Letter, err error) {
	if same, err = tx.SameLetter(c.MessageID); err != nil {
		return nil, nil, err
	}
	// The body of a letter too large is not known: what else there is must do.
	if !c.Date.IsZero() && (c.BodyHash != "" || c.Class == incoming.TooLarge) {
		like, err = tx.LikeLetter(c.From, c.Date, c.Token, c.BodyHash)
	}
	return same, like, err
}

// finish applies a letter that is stored. It sets it aside at its third failure, or untried if
// the program has ended again and again while it was applied. Its error may be a question; call
// finish again when that is answered.
func (d *Desk) finish(ctx context.Context, c unit.Command, letter store.Letter, st *unit.Attempt) (outcome string, err error) {
	if ctx.Err() == nil && letter.Attempts > maxBegun {
		return SetAside, d.setAside(ctx, c, letter)
	}
	outcome, err = d.apply(ctx, c, letter, st)
	if err == nil || unit.PendingFrom(err) != nil {
		return outcome, err
	}
	if d.StorageDown(err) || ctx.Err() != nil {
		d.giveBack(ctx, letter)
		return StillFail, err
	}
	if u := replays.UnreadableIn(err); u != nil {
		return SetAside, d.setUnread(ctx, c, letter, u)
	}
	d.Log.Error("letter failed", "letter", store.InID(letter.ID), "attempt", letter.Attempts, "err", err)
	if letter.Attempts < maxAttempts {
		return StillFail, err
	}
	return SetAside, d.setAside(ctx, c, letter)
}

// take stores the letter and counts the attempt. outcome is "" if the letter must be applied;
// until then, take's writes survive a crash of the process only, not of the machine.
func (d *Desk) take(ctx context.Context, c unit.Command) (letter store.Letter, outcome string, err error) {
	err = d.Store.UpdateUnsynced(ctx, func(tx store.Tx) error {
		outcome = ""
		erased, err := tx.WasErased(c.From, c.Received)
		if err == nil && erased { // it is neither read nor stored, wherever it turned up again
			outcome = Silent
			err = tx.EraseAgain(c.From, c.Received)
		}
		if err != nil || erased {
			return err
		}
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
		if conflict && obey.Answerable(c.Class) {
			letter.State, letter.Why = store.LetterHeld, "its Message-ID is another letter's"
			outcome = Held
		}
		if err := tx.AddLetter(&letter); err != nil {
			return err
		}
		if outcome == Held {
			u := d.Begin(tx, c, &letter)
			if err := u.Outcome(errors.Join(obey.Conflict(u), obey.Close(u))); err != nil {
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

// again decides what a copy c of letter l means. If l was never applied, it is applied now;
// otherwise its answer goes out once more, at most once, if c is proven to come from its
// address. A copy with exactly the same bytes did not travel separately through the mail, which
// would have left its traces: it is l itself, which a crash kept from being filed, and its
// answer is in the queue or gone.
func (d *Desk) again(tx store.Tx, l store.Letter, c unit.Command) (store.Letter, string, error) {
	switch {
	case l.State == store.LetterNew:
		l.Attempts++
		return l, "", tx.SaveLetter(l)
	case l.State == store.LetterDone && l.Answer != 0 && l.Repeats == 0:
		if same, err := tx.SameBytes(l.ID, c.Raw); same || err != nil {
			return l, Silent, err
		}
		u := d.Begin(tx, c, &l)
		if err := u.Outcome(gate.ProveIt(u)); err != nil || u.Unproven {
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

// apply carries out the letter, in one transaction.
func (d *Desk) apply(ctx context.Context, c unit.Command, letter store.Letter, st *unit.Attempt) (outcome string, err error) {
	err = d.try(ctx, st, func(u *unit.Unit) (err error) {
		outcome, err = apply(u, c, letter)
		return err
	})
	return outcome, err
}

// apply carries out a letter. If several try a stored letter, only the first applies it.
func apply(u *unit.Unit, c unit.Command, l store.Letter) (outcome string, err error) {
	u.Command, u.Letter = c, &l
	u.Log = u.Log.With("letter", store.InID(l.ID))
	state, err := u.Tx.LetterState(l.ID)
	if err != nil {
		return "", err
	}
	if state != store.LetterNew {
		return Silent, nil
	}
	if err := obey.Letter(u); err != nil {
		return "", err
	}
	if err := obey.Close(u); err != nil {
		return "", err
	}
	switch l.State {
	case store.LetterNew, store.LetterDone:
		l.State, outcome = store.LetterDone, Answered
		if l.Answer == 0 {
			l.State, outcome = store.LetterMute, Silent
		} else if u.Later {
			outcome = Later
		}
	case store.LetterMute:
		outcome = Silent
		u.Log.Info("no answer", "why", l.Why)
	case store.LetterHeld:
		outcome = Held
	}
	u.Check(u.Tx.SaveLetter(l))
	return outcome, nil
}

// update runs f in one transaction that no letter caused. If bots must think, it runs f again
// after each thought, so f must be safe to repeat. Callers hold d.mu; update releases it while
// bots think.
func (d *Desk) update(ctx context.Context, f func(*unit.Unit) error) error {
	for st := d.NewAttempt(); ; {
		err := d.try(ctx, st, f)
		q := unit.PendingFrom(err)
		if q == nil {
			return err
		}
		if err := d.await(ctx, q); err != nil {
			return err
		}
	}
}

// try runs f in one transaction and, after the commit, caches the games that it moved. A panic
// of the rules is an error of this try only.
func (d *Desk) try(ctx context.Context, st *unit.Attempt, f func(*unit.Unit) error) error {
	var u *unit.Unit
	st.Drawn.Rewind()
	err := unit.UnlessPanic(func() error {
		return d.Store.Update(ctx, func(tx store.Tx) error {
			u = d.Begin(tx, unit.Command{}, nil)
			u.Attempt = st
			return u.Outcome(f(u))
		})
	})
	if err != nil {
		return err
	}
	obey.Keep(u)
	return nil
}

// setAside keeps a letter that failed three times, and tells its writer if known.
func (d *Desk) setAside(ctx context.Context, c unit.Command, l store.Letter) error {
	l.State, l.Why = store.LetterAside, "failed three times"
	err := d.update(ctx, func(u *unit.Unit) error {
		u.Command, u.Letter = c, &l
		if err := obey.Failed(u); err != nil {
			return err
		}
		if err := obey.Close(u); err != nil {
			return err
		}
		u.Check(u.Tx.SaveLetter(l))
		return nil
	})
	if err == nil {
		return nil
	}
	// Not even that: keep the letter, tell no one.
	d.Log.Error("letter set aside without an answer", "letter", store.InID(l.ID), "err", err)
	return d.Store.Update(ctx, func(tx store.Tx) error { l.Answer = 0; return tx.SaveLetter(l) })
}

// Pending lists letters stored but not applied yet (after a crash, or TakeUp), with their raw bytes: the caller reads them again and
// hands them to Handle.
func (d *Desk) Pending(ctx context.Context) (out []store.Letter, err error) {
	return d.letters(ctx, store.LetterNew)
}

// TakeUp makes letters Pending that wait for a game that could not be read, because its file
// may be fixed.
func (d *Desk) TakeUp(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err := d.update(ctx, func(u *unit.Unit) error {
		if err := takeUp(u, ""); err != nil {
			return err
		}
		return obey.Close(u)
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

// lettersOf returns letters with their raw bytes; it skips damaged ones.
func (d *Desk) lettersOf(tx store.Tx, ids []int64) (out []store.Letter, err error) {
	for _, id := range ids {
		l, err := tx.Letter(id)
		if err != nil && !d.StorageDown(err) {
			d.Log.Error("a stored letter cannot be read and is passed over", "letter", store.InID(id), "err", err)
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

// Replay makes a letter that was set aside ready again: the next Handle applies it.
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
