package desk_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"angelpost/engine/match/desk"
	"angelpost/engine/match/unit"
	"angelpost/engine/store"
)

// outcomes hands letters to a desk together.
func outcomes(d *desk.Desk, cs ...unit.Command) []string {
	out := make([]string, len(cs))
	d.Handle(context.Background(), cs, func(i int, outcome string, err error) {
		if out[i] = outcome; err != nil && outcome == "" {
			out[i] = err.Error()
		}
	})
	return out
}

func TestLettersTogether(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	first := o.letter(at("ada"), o.token(at("ada")), "card 087 at row 3")
	status := o.letter(at("bo"), o.token(at("bo")), "status")
	undo := o.letter(at("ada"), o.token(at("ada")), "undo")
	again := undo
	again.Raw = []byte("undo ")
	thief := o.letter(at("bo"), o.token(at("bo")), "legal")
	thief.MessageID = status.MessageID
	copied := first
	copied.Raw = []byte("Received: again\n" + string(first.Raw))
	got := outcomes(o.desk, first, status, copied, undo, again, thief)
	want := []string{desk.Answered, desk.Answered, desk.Repeated, desk.Answered, desk.Repeated, desk.Held}
	if !slices.Equal(got, want) {
		t.Errorf("outcomes %q, want %q", got, want)
	}
	log := o.record(id, 0).Log
	if len(log) != 2 || log[0].Order != "card ravager at row 3" || log[1].Order != "undo 0" {
		t.Errorf("log: %+v", log)
	}
	if got := outcomes(o.desk, copied, status); !slices.Equal(got, []string{desk.Silent, desk.Silent}) {
		t.Errorf("a third and a second time: %q", got)
	}
	if got := outcomes(o.desk); len(got) != 0 {
		t.Errorf("no letters: %q", got)
	}
}

// A failing letter among others is tried again alone, in vain; the others are applied. None of
// its effects stay.
func TestOneLettersFaultAmongOthers(t *testing.T) {
	for _, panics := range []bool{false, true} {
		o := newOffice(t)
		id := o.started(1, "ada", "bo")
		conf := o.conf
		store := &failing{DB: o.db, panic: panics}
		conf.Store = store
		d, err := desk.New(conf)
		if err != nil {
			t.Fatal(err)
		}
		bad := o.letter(at("ada"), o.token(at("ada")), "card 087 at row 3")
		var letters []unit.Command
		for range 3 {
			letters = append(letters, o.letter(at("bo"), o.token(at("bo")), "status"))
		}
		letters = slices.Insert(letters, 1, bad)
		letters = append(letters, o.letter(at("ada"), o.token(at("ada")), "undo"))
		store.skip, store.left = 1, 2 // the second letter, with others and alone
		want := []string{desk.Answered, desk.StillFail, desk.Answered, desk.Answered, desk.Answered}
		if got := outcomes(d, letters...); !slices.Equal(got, want) {
			t.Errorf("panic %v: %q", panics, got)
		}
		if log := o.record(id, 0).Log; len(log) != 0 {
			t.Errorf("panic %v: log %+v", panics, log)
		}
		want = []string{desk.Silent, desk.Answered, desk.Silent, desk.Silent, desk.Silent}
		if got := outcomes(d, letters...); !slices.Equal(got, want) {
			t.Errorf("panic %v, again: %q", panics, got)
		}
		if log := o.record(id, 0).Log; len(log) != 1 {
			t.Errorf("panic %v, again: log %+v", panics, log)
		}
	}
}

// unstorable lets no two letters be stored in one transaction.
type unstorable struct{ store.DB }

type unstorableTx struct {
	store.Tx
	n *int
}

func (s unstorable) UpdateUnsynced(ctx context.Context, f func(store.Tx) error) error {
	return s.DB.UpdateUnsynced(ctx, func(tx store.Tx) error { return f(unstorableTx{tx, new(int)}) })
}

func (t unstorableTx) AddLetter(l *store.Letter) error {
	if *t.n++; *t.n > 1 {
		return errors.New("too much at once")
	}
	return t.Tx.AddLetter(l)
}

func TestLettersThatCannotBeStoredTogether(t *testing.T) {
	o := newOffice(t)
	o.started(1, "ada", "bo")
	conf := o.conf
	conf.Store = unstorable{o.db}
	d, err := desk.New(conf)
	if err != nil {
		t.Fatal(err)
	}
	got := outcomes(d, o.letter(at("ada"), o.token(at("ada")), "undo"), o.letter(at("bo"), o.token(at("bo")), "status"))
	if !slices.Equal(got, []string{desk.Answered, desk.Answered}) {
		t.Errorf("outcomes %q", got)
	}
}

// While letters wait for their turn another worker may process one of them: the
// letter is processed once.
func TestALetterOfABatchIsDoneOnce(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	var letters []unit.Command
	for range desk.MaxTogether {
		letters = append(letters, o.letter(at("bo"), o.token(at("bo")), "status"))
	}
	first := o.letter(at("ada"), o.token(at("ada")), "card 087 at row 3")
	var got []string
	o.desk.Handle(context.Background(), append(letters, first), func(i int, outcome string, err error) {
		if i == 0 {
			if between, err := o.desk.HandleOne(context.Background(), first); between != desk.Answered || err != nil {
				t.Errorf("between: %s %v", between, err)
			}
		}
		got = append(got, outcome)
	})
	if want := append(slices.Repeat([]string{desk.Answered}, desk.MaxTogether), desk.Silent); !slices.Equal(got, want) {
		t.Errorf("outcomes %q", got)
	}
	if n := len(o.record(id, 0).Log); n != 1 {
		t.Errorf("%d lines", n)
	}
}

// If the server shuts down while the desk applies letters, those not begun or broken
// off count as never tried.
func TestStopAmongLetters(t *testing.T) {
	o := newOffice(t)
	o.started(1, "ada", "bo")
	var letters []unit.Command
	for range desk.MaxTogether + 3 {
		letters = append(letters, o.letter(at("bo"), o.token(at("bo")), "status"))
	}
	ctx, stop := context.WithCancel(context.Background())
	done := 0
	o.desk.Handle(ctx, letters, func(i int, outcome string, err error) {
		stop()
		if outcome == desk.Answered {
			done++
		} else if !errors.Is(err, context.Canceled) {
			t.Errorf("letter %d: %s, %v", i, outcome, err)
		}
	})
	if done != desk.MaxTogether {
		t.Errorf("%d letters were done, want the %d that were committed together", done, desk.MaxTogether)
	}
	left, err := o.desk.Pending(context.Background())
	if err != nil || len(left) != len(letters)-done {
		t.Fatalf("%d letters are left (%v)", len(left), err)
	}
	for _, l := range left {
		if l.Attempts != 0 {
			t.Errorf("letter %d has %d attempts", l.ID, l.Attempts)
		}
	}
	for i, outcome := range outcomes(o.desk, letters...) {
		if want := []string{desk.Silent, desk.Answered}[min(1, i/done)]; outcome != want {
			t.Errorf("letter %d again: %s, want %s", i, outcome, want)
		}
	}
}
