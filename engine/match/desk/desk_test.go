package desk_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/db"
	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/look"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// record is a game as a viewer may have it.
func (o *office) record(id string, viewer engine.Seat) *game.Record {
	o.t.Helper()
	r, err := o.desk.Host().Export(context.Background(), id, viewer)
	if err != nil {
		o.t.Fatal(err)
	}
	return r
}

func TestCopyOfALetterIsAppliedOnce(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	l := o.letter(at("ada"), o.token(at("ada")), "card 087 at row 3")
	if outcome, out := o.send(l); outcome != desk.Answered || len(out) != 1 {
		t.Fatalf("%s, %d letters", outcome, len(out))
	}
	first := o.last("ada")
	for i, want := range []string{desk.Silent, desk.Repeated, desk.Silent, desk.Silent} {
		c := l
		if i > 0 { // the first is the letter itself, which was not filed away
			c.Raw = fmt.Append(nil, "Received: again\n", i, l.Raw)
		}
		if i == 3 { // some server gave it another Message-ID
			c.MessageID = "other@home.test"
		}
		outcome, out := o.send(c)
		if outcome != want || (len(out) == 1) != (want == desk.Repeated) {
			t.Errorf("copy %d: %s, %d letters", i+1, outcome, len(out))
		}
		if len(out) == 1 && (out[0].MessageID != first.MessageID || out[0].Token != first.Token || !out[0].Date.Equal(first.Date)) {
			t.Errorf("copy %d: its answer is another letter", i+1)
		}
	}
	if n := len(o.record(id, 0).Log); n != 1 {
		t.Errorf("%d lines, want 1", n)
	}
	// Equal orders in another letter are a new letter.
	if out := o.write("ada", "undo\ncard 087 at row 3"); len(out) != 1 || out[0].Result != notice.Applied {
		t.Error("equal orders in a new letter were not played")
	}
}

func TestSameMessageIDOtherBodyIsHeldAndReported(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	l := o.letter(at("ada"), o.token(at("ada")), "card 087 at row 3")
	o.send(l)
	l2 := o.letter(at("ada"), o.token(at("ada")), "B")
	l2.MessageID = l.MessageID
	outcome, out := o.send(l2)
	if outcome != desk.Held || len(out) != 1 || out[0].Answer.Remarks[0].Code != notice.SayConflict {
		t.Errorf("%s, %v", outcome, out)
	}
	if n := len(o.record(id, 0).Log); n != 1 {
		t.Errorf("%d lines, want 1", n)
	}
	held, err := letters(o, store.LetterHeld)
	if err != nil || len(held) != 1 || string(held[0].Raw) != "B" {
		t.Errorf("held letters: %v %v", held, err)
	}
}

func letters(o *office, state string) (out []store.Letter, err error) {
	err = o.db.View(context.Background(), func(tx store.Tx) error {
		rows, err := tx.Letters(state, 100)
		for _, r := range rows {
			l, err := tx.Letter(r.ID)
			if err != nil {
				return err
			}
			out = append(out, l)
		}
		return err
	})
	return out, err
}

// A failing store fails when a letter out is queued, as often as told.
type failing struct {
	store.DB
	skip  int // of the letters out, before it begins
	left  int
	panic bool
	dies  bool // as a program does that ends there: none of it goes on
}

type failingTx struct {
	store.Tx
	s *failing
}

func (s *failing) Update(ctx context.Context, f func(store.Tx) error) error {
	return s.DB.Update(ctx, func(tx store.Tx) error { return f(failingTx{tx, s}) })
}

func (t failingTx) AddMessage(r *notice.Message, k store.Token, state string) error {
	if t.s.skip > 0 {
		t.s.skip--
	} else if t.s.left > 0 {
		t.s.left--
		if t.s.panic {
			panic("a bug")
		}
		if t.s.dies {
			runtime.Goexit()
		}
		return errors.New("disk full")
	}
	return t.Tx.AddMessage(r, k, state)
}

// TestDeadlyLetterIsSetAside has a letter end the program ten times: the next
// start does not try it again.
func TestDeadlyLetterIsSetAside(t *testing.T) {
	o := newOffice(t)
	o.started(1, "ada", "bo")
	conf := o.conf
	conf.Store = &failing{DB: o.db, left: 10, dies: true}
	d, err := desk.New(conf)
	if err != nil {
		t.Fatal(err)
	}
	l := o.letter(at("ada"), o.token(at("ada")), "card 087 at row 3")
	for begun := 1; ; begun++ {
		outcome, ended := "", make(chan bool)
		go func() {
			defer close(ended)
			outcome, err = d.HandleOne(context.Background(), l)
		}()
		<-ended
		if outcome == "" && begun <= 10 {
			continue
		}
		if outcome != desk.SetAside || err != nil || begun != 11 {
			t.Fatalf("start %d: %s, %v", begun, outcome, err)
		}
		break
	}
	if out := o.deliver(); len(out) != 1 || out[0].Answer.Remarks[0].Code != notice.SayAside {
		t.Errorf("its writer was told %v", out)
	}
}

func TestFailingLetterIsTriedThreeTimesAndSetAside(t *testing.T) {
	for _, panics := range []bool{false, true} {
		for fails := range 5 {
			o := newOffice(t)
			id := o.started(1, "ada", "bo")
			conf := o.conf
			store := &failing{DB: o.db, left: fails, panic: panics}
			conf.Store = store
			d, err := desk.New(conf)
			if err != nil {
				t.Fatal(err)
			}
			l := o.letter(at("ada"), o.token(at("ada")), "card 087 at row 3")
			outcome := ""
			for try := 0; try < 10 && outcome != desk.Answered && outcome != desk.SetAside; try++ {
				outcome, err = d.HandleOne(context.Background(), l)
				if (err != nil) != (outcome == desk.StillFail) {
					t.Fatalf("%s with %v", outcome, err)
				}
			}
			want, lines := desk.Answered, 1
			if fails >= 3 {
				want, lines = desk.SetAside, 0
			}
			if n := len(o.record(id, 0).Log); outcome != want || n != lines {
				t.Errorf("%d failures (panic %v): %s, %d lines", fails, panics, outcome, n)
			}
			out := o.deliver()
			switch {
			case fails == 4 && len(out) != 0, fails != 4 && len(out) != 1:
				t.Errorf("%d failures: %d letters", fails, len(out))
			case fails == 3 && out[0].Answer.Remarks[0].Code != notice.SayAside:
				t.Errorf("set aside, but told %v", out[0].Answer.Remarks)
			}
			if fails < 3 {
				continue
			}
			aside, err := d.Aside(context.Background())
			if err != nil || len(aside) != 1 || string(aside[0].Raw) != "card 087 at row 3" {
				t.Fatalf("aside: %v %v", aside, err)
			}
			if err := d.Replay(context.Background(), aside[0].ID); err != nil {
				t.Fatal(err)
			}
			if outcome, err := d.HandleOne(context.Background(), l); outcome != desk.Answered || err != nil {
				t.Errorf("taken up again: %s %v", outcome, err)
			}
			if n := len(o.record(id, 0).Log); n != 1 {
				t.Errorf("taken up again: %d lines", n)
			}
		}
	}
}

func TestStoredLetterIsAppliedAfterACrash(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	conf := o.conf
	conf.Store = &failing{DB: o.db, left: 1}
	d, err := desk.New(conf)
	if err != nil {
		t.Fatal(err)
	}
	l := o.letter(at("ada"), o.token(at("ada")), "card 087 at row 3")
	if outcome, err := d.HandleOne(context.Background(), l); outcome != desk.StillFail || err == nil {
		t.Fatal(outcome, err)
	}
	o.open()
	pending, err := o.desk.Pending(context.Background())
	if err != nil || len(pending) != 1 || string(pending[0].Raw) != "card 087 at row 3" {
		t.Fatalf("pending: %v %v", pending, err)
	}
	if outcome, out := o.send(l); outcome != desk.Answered || len(out) != 1 {
		t.Error(outcome, out)
	}
	if outcome, out := o.send(l); outcome != desk.Silent || len(out) != 0 {
		t.Error(outcome, out)
	}
	if n := len(o.record(id, 0).Log); n != 1 {
		t.Errorf("%d lines", n)
	}
}

func TestAnswersBeyondTheDaysBoundAreCollected(t *testing.T) {
	o := newOffice(t)
	o.started(1, "ada", "bo")
	token := o.token(at("ada"))
	got := 0
	for range 65 {
		_, out := o.send(o.letter(at("ada"), token, "undo"))
		got += len(out)
	}
	if got != 60 {
		t.Errorf("%d answers in a day", got)
	}
	o.now = o.now.Truncate(24 * time.Hour).Add(23 * time.Hour)
	if _, out := o.send(o.letter(at("ada"), token, "card 087 at row 3")); len(out) != 1 || out[0].Result != notice.Applied {
		t.Errorf("an order that was carried out: %v", summaries(out))
	}
	if _, out := o.send(o.letter(at("ada"), token, "status")); len(out) != 0 {
		t.Error("one more answer")
	}
	out := o.due(2 * time.Hour)
	if len(out) != 1 || len(out[0].Answer.Collected) != 6 || out[0].Answer.Collected[5].Lines[0].Status != notice.LineWord {
		t.Fatalf("collected: %v", out)
	}
	if s := o.sheet(out[0]); len(s.Legal) == 0 {
		t.Error("the collected letter does not ask what is to be decided")
	}
	if out := o.due(48 * time.Hour); len(out) != 0 {
		t.Error("collected twice")
	}
}

func manyAnswers(c *unit.Config) { c.AnswersPerDay = 1 << 20 }

// playOn plays a game by letters to its end. Each player answers their last
// letter in their own manner.
func playOn(o *office, id string, names []string, rnd *rand.Rand, seen func(notice.Message)) {
	o.t.Helper()
	for n := 0; ; n++ {
		if n > 5000 {
			o.t.Fatal("the game does not end")
		}
		wrote := false
		for i, name := range names {
			r := o.last(name)
			if r.Kind == notice.KindEnd {
				continue
			}
			s := o.sheet(r)
			if len(s.Legal) == 0 {
				continue
			}
			wrote = true
			lines := []string{s.Legal[rnd.IntN(len(s.Legal))]}
			switch {
			case i == 1 && len(s.Example) > 0:
				lines = s.Example
			case i == 2 && len(s.Example) > 0:
				lines = s.Example[:1+rnd.IntN(len(s.Example))]
			}
			before := o.record(id, 0)
			out := o.write(name, strings.Join(lines, "\n"))
			after := o.record(id, 0)
			answers := 0
			for _, a := range out {
				seen(a)
				if a.To == at(name) {
					answers++
					if a.Result != notice.Applied {
						o.t.Fatalf("%s writes %q: %s", name, lines, summary(a))
					}
				}
			}
			if answers != 1 {
				o.t.Fatalf("%s writes %q: %d answers", name, lines, answers)
			}
			for _, l := range after.Log[len(before.Log):] {
				if l.Seat != r.Seat {
					o.t.Fatalf("a letter of seat %d made %+v", r.Seat, l)
				}
			}
			break
		}
		if !wrote {
			return
		}
	}
}

func TestGamesByLetterEndAndVerify(t *testing.T) {
	t.Parallel()
	for players := 2; players <= 4; players++ {
		o := newOffice(t, manyAnswers)
		names := []string{"ada", "bo", "cy", "di"}[:players]
		id := o.started(byte(players), names...)
		type seen struct {
			recipe notice.Message
			sheet  string
		}
		var all []seen
		playOn(o, id, names, rand.New(rand.NewPCG(1, uint64(players))), func(r notice.Message) {
			all = append(all, seen{r, picture(o.sheet(r))})
		})
		rec := o.record(id, 0)
		if !rec.Finished {
			t.Fatalf("%d players: nobody must decide, but the game is not over", players)
		}
		var b bytes.Buffer
		if err := rec.Write(&b); err != nil {
			t.Fatal(err)
		}
		rec, err := game.ReadRecord(&b)
		if err != nil {
			t.Fatal(err)
		}
		if d, err := game.Verify(rec, o.conf.Sets[rec.Set]); d != nil || err != nil {
			t.Errorf("%d players: %v %v", players, d, err)
		}
		for _, name := range names {
			if r := o.last(name); r.Kind != notice.KindEnd || !o.sheet(r).View.Finished {
				t.Errorf("the last letter of %s is %s", name, summary(r))
			}
		}
		err = o.desk.Host().VerifyAll(context.Background(), func(c look.Check) error {
			if c.Difference != nil || c.Err != nil || c.Lines != len(rec.Log) {
				t.Errorf("verify --all: %+v", c)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		// Any letter renders the same later, after a restart.
		o.open()
		for _, s := range all {
			if s.recipe.Kind != notice.KindEnd && picture(o.sheet(s.recipe)) != s.sheet {
				t.Fatalf("%d players: the letter to %s at line %d renders otherwise later", players, s.recipe.To, s.recipe.Step)
			}
		}
	}
}

// picture is all of a sheet, as text.
func picture(s *notice.Input) string {
	var view *game.ViewJSON
	if s.View != nil {
		view = game.NewViewJSON(s.View, s.Message.Game, s.Options, s.Message.Answer.Names, s.Message.Step, s.Message.Step)
	}
	b, err := json.Marshal([]any{s.Message, view, s.Legal, s.Example, s.Commitment, s.Seed, s.History, s.Story})
	if err != nil {
		return err.Error()
	}
	for _, t := range s.Story {
		b = fmt.Appendf(b, "%v", t.Events)
	}
	return string(b)
}

// Whatever is in a letter: it never makes a line for another's seat, never
// shows another's hidden card, and is answered once.
func TestRandomLettersNeverMoveAnotherSeat(t *testing.T) {
	t.Parallel()
	o := newOffice(t, manyAnswers)
	names := []string{"ada", "bo", "cy"}
	id := o.started(9, names...)
	rnd := rand.New(rand.NewPCG(3, 4))
	words := []string{
		"card", "013", "at", "row", "2", "1.1", "activate", "die", "gray", "flip", "from", "seat", "3", "B", "reserve", "done",
		"undo", "preview", "take", "t12", "inject", ":", ";", "#", "say", "to", "Bo", "status", "legal", "history", "keep", "discard",
		"launch", "b4", "collect", "with", "mission", "pass", "yes", "no", "help", "replace", "by", "bot", "\x00", "é", "|", "name",
		"decline", "join", "never", "address", "add", "x@y.test", "link", "note", "format", "text", "notify", "every", "undo 3",
	}
	for n := range sample(300, 600) {
		name := names[rnd.IntN(3)]
		token := o.token(at([]string{name, name, name, names[rnd.IntN(3)]}[rnd.IntN(4)]))
		var lines []string
		sober := rnd.IntN(2) == 0
		for range 1 + rnd.IntN(3) {
			if sober || rnd.IntN(2) == 0 {
				s := o.sheet(o.last([]string{name, name, names[rnd.IntN(3)]}[rnd.IntN(3)]))
				if len(s.Legal) > 0 {
					lines = append(lines, s.Legal[rnd.IntN(len(s.Legal))])
					continue
				}
			}
			var line []string
			for range 1 + rnd.IntN(6) {
				line = append(line, words[rnd.IntN(len(words))])
			}
			lines = append(lines, strings.Join(line, " "))
		}
		before := o.record(id, 0)
		outcome, out := o.send(o.letter(at(name), token, strings.Join(lines, "\n")))
		after := o.record(id, 0)
		seat := slices.Index(after.Names, nameOf(o, id, name)) + 1
		for _, l := range after.Log[len(before.Log):] {
			if l.Seat != seat && l.By == game.ByPlayer {
				t.Fatalf("letter %d of seat %d %q made %+v", n, seat, lines, l)
			}
		}
		answers := 0
		for _, r := range out {
			if r.To == at(name) && (r.Kind == notice.KindAnswer || r.Kind == notice.KindEnd) {
				answers++
			}
			hidden(t, o, r)
		}
		if answers != 1 && outcome == desk.Answered {
			t.Fatalf("letter %d of %s %q: %d answers", n, name, lines, answers)
		}
	}
	if len(o.record(id, 0).Log) < 20 {
		t.Errorf("hardly anything was played: %d lines\n%s", len(o.record(id, 0).Log), summary(o.last("ada"))+summary(o.last("bo"))+summary(o.last("cy")))
	}
}

// nameOf is what a person is called in the game now.
func nameOf(o *office, id, name string) string {
	o.t.Helper()
	var out string
	err := o.db.View(context.Background(), func(tx store.Tx) error {
		a, err := tx.Address(at(name))
		if err != nil {
			return err
		}
		seats, err := tx.Seats(id)
		for _, x := range seats {
			if x.Player == a.Player {
				out = x.Name
			}
		}
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return out
}

// hidden fails if a letter's sheet holds what its reader may not see.
func hidden(t *testing.T, o *office, r notice.Message) {
	t.Helper()
	s := o.sheet(r)
	if s.View == nil || s.View.Finished {
		return
	}
	for _, p := range s.View.Players {
		if int(p.Seat) != r.Seat && p.Cards != nil {
			t.Fatalf("seat %d sees the hand of seat %d", r.Seat, p.Seat)
		}
	}
	for _, told := range s.Story {
		if told.Seat == r.Seat || told.N == 0 {
			continue
		}
		if step, err := order.Parse(told.Order); err == nil && step != step.Masked() {
			t.Fatalf("seat %d reads %q of seat %d", r.Seat, told.Order, told.Seat)
		}
		for _, e := range told.Events {
			if e != e.For(engine.Seat(r.Seat)) {
				t.Fatalf("seat %d is told %+v", r.Seat, e)
			}
		}
	}
}

func TestSecondProcessIsNoticed(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	before, err := o.db.Version(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	o.record(id, 0) // the host keeps the game
	second, err := db.Open(context.Background(), o.file)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	conf := o.conf
	conf.Store = second
	d, err := desk.New(conf)
	if err != nil {
		t.Fatal(err)
	}
	if outcome, err := d.HandleOne(context.Background(), o.letter(at("ada"), o.token(at("ada")), "card 087 at row 3")); outcome != desk.Answered || err != nil {
		t.Fatal(outcome, err)
	}
	after, err := o.db.Version(context.Background())
	if err != nil || after == before {
		t.Errorf("version %d as before (%v)", after, err)
	}
	if n := len(o.record(id, 0).Log); n != 1 {
		t.Errorf("the first process sees %d lines", n)
	}
	o.deliver()
	if out := o.write("ada", "undo"); out[0].Result != notice.Applied {
		t.Error(summary(out[0]))
	}
}

func TestPageKeys(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	ctx := context.Background()
	h := o.desk.Host()
	begun := o.last("ada")
	old := begun.PageKey
	g, err := h.Open(ctx, id, old, -1)
	if err != nil || g.Viewer != 1 || len(g.Legal) == 0 || g.View.Players[0].Cards == nil || g.View.Players[1].Cards != nil {
		t.Fatalf("%+v %v", g, err)
	}
	if g.Own.Token != o.token(at("ada")) {
		t.Errorf("token %q", g.Own.Token)
	}
	if g, err := h.Open(ctx, id, "", -1); err != nil || g.Viewer != 0 || len(g.Legal) != 0 {
		t.Errorf("the public: %+v %v", g, err)
	}
	for _, bad := range [][2]string{{id, "nonsense"}, {"nogame", ""}, {"nogame", old}, {id, begun.MuteKey}} {
		if _, err := h.Open(ctx, bad[0], bad[1], -1); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if _, err := h.Open(ctx, id, "", 1); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a step to come: %v", err)
	}
	out := o.write("ada", "link")
	if out[0].PageKey == old || out[0].MuteKey == begun.MuteKey {
		t.Error("a key is the old one")
	}
	if _, err := h.Open(ctx, id, old, -1); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the old key still opens: %v", err)
	}
	// A page's key, alive or dead, mutes nothing; every letter's button works.
	for _, key := range []string{old, out[0].PageKey, "", "nonsense"} {
		if _, _, err := h.Muted(ctx, id, key); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%q opens the button: %v", key, err)
		}
		if err := o.desk.Mute(ctx, id, key); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%q mutes: %v", key, err)
		}
	}
	for _, key := range []string{begun.MuteKey, out[0].MuteKey} {
		if _, muted, err := h.Muted(ctx, id, key); err != nil || muted {
			t.Errorf("before: %v, %v", muted, err)
		}
		if err := o.desk.Mute(ctx, id, key); err != nil {
			t.Error(err)
		}
		if _, muted, err := h.Muted(ctx, id, key); err != nil || !muted {
			t.Errorf("after: %v, %v", muted, err)
		}
		o.write("ada", "unmute")
	}
	o.write("ada", "visibility: private")
	if _, err := h.Open(ctx, id, "", -1); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a private game shows itself: %v", err)
	}
	if _, err := h.Open(ctx, id, out[0].PageKey, -1); err != nil {
		t.Error(err)
	}
}

// The desk understands a player who sends the whole turn again with one line
// more, wherever in the turn they are.
func TestResentTurnIsPassedOver(t *testing.T) {
	o := newOffice(t, manyAnswers)
	names := []string{"ada", "bo", "cy"}
	id := o.started(11, names...)
	rnd := rand.New(rand.NewPCG(5, 6))
	resent := 0
	for n := 0; n < 400; n++ {
		for _, name := range names {
			r := o.last(name)
			s := o.sheet(r)
			if r.Kind == notice.KindEnd || len(s.Legal) == 0 {
				continue
			}
			played := turnSoFar(o.record(id, engine.Seat(r.Seat)).Log, r.Seat)
			lines := append(slices.Clone(played), s.Legal[rnd.IntN(len(s.Legal))])
			if s.View.Seat != engine.Seat(r.Seat) || s.View.Decision == engine.AskDiscard || s.View.Decision == engine.AskOwner {
				lines, played = lines[len(played):], nil
			}
			if len(played) > 0 {
				resent++
			}
			out := o.write(name, strings.Join(lines, "\n"))
			i := slices.IndexFunc(out, func(a notice.Message) bool { return a.To == at(name) })
			if out[i].Result != notice.Applied {
				t.Fatalf("%q after %q: %s", lines, played, summary(out[i]))
			}
			for k, l := range out[i].Answer.Lines[:len(lines)] {
				want := notice.LinePassed
				if k == len(played) {
					want = notice.LineApplied
				}
				if l.Status != want {
					t.Fatalf("%q after %q: %s", lines, played, summary(out[i]))
				}
			}
		}
	}
	if resent < 100 {
		t.Errorf("only %d turns were sent again", resent)
	}
}

// turnSoFar are the lines of the seat's turn in progress. Others may have
// settled what they owed in between.
func turnSoFar(log []game.Line, seat int) []string {
	var out []string
	for i := len(log) - 1; i >= 0; i-- {
		word, _, _ := strings.Cut(log[i].Order, " ")
		if log[i].Seat == seat {
			out = append([]string{log[i].Order}, out...)
		} else if word != "discard" && word != "collect" && word != "decline" {
			break
		}
	}
	for i, l := range out {
		if word, _, _ := strings.Cut(l, " "); word == "card" || word == "die" || word == "B" {
			return out[i:]
		}
	}
	return nil
}

// BenchmarkLetter is a letter with one step: stored, applied, answered, in its
// two commits on disk. The game is in the host's memory, as while it is played.
func BenchmarkLetter(b *testing.B) {
	o := newOffice(b, manyAnswers)
	o.started(1, "ada", "bo")
	token := o.token(at("ada"))
	ctx := context.Background()
	for n := 0; b.Loop(); n++ {
		text := "card 087 at row 3"
		if n%2 == 1 {
			text = "undo"
		}
		if outcome, err := o.desk.HandleOne(ctx, o.letter(at("ada"), token, text)); outcome != desk.Answered || err != nil {
			b.Fatal(outcome, err)
		}
	}
}

// TestAilingStoreIsNoLettersFault: a letter that failed because the disk was
// full is not set aside, however often; those that came with it are not tried.
func TestAilingStoreIsNoLettersFault(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	conf := o.conf
	store := &failing{DB: o.db, left: 5}
	conf.Store = store
	conf.StorageDown = func(err error) bool { return strings.Contains(err.Error(), "disk full") }
	d, err := desk.New(conf)
	if err != nil {
		t.Fatal(err)
	}
	letters := []unit.Command{
		o.letter(at("ada"), o.token(at("ada")), "card 087 at row 3"),
		o.letter(at("ada"), o.token(at("ada")), "status"),
	}
	for left := 5; left >= 0; left-- {
		if store.left != left {
			t.Fatalf("%d failures left, want %d: the second letter was tried as well", store.left, left)
		}
		d.Handle(context.Background(), letters, func(i int, outcome string, err error) {
			if well := left == 0; (err == nil) != well || (outcome == desk.Answered) != well {
				t.Errorf("letter %d with %d failures to come: %s, %v", i+1, left, outcome, err)
			}
		})
	}
	if n := len(o.record(id, 0).Log); n != 1 {
		t.Errorf("%d lines, want 1", n)
	}
}

// A player without a name is named in all games at once; where another has the name
// the answer says so.
func TestNameEverywhere(t *testing.T) {
	o := newOffice(t)
	var games []string
	for _, other := range []string{"ann", "bo", "cy"} {
		id, err := o.desk.NewGame(context.Background(), seating.NewGameOrder{Players: []seating.NewPlayer{{Address: at("al")}, {Address: at(other), Name: other}}, Organiser: at("al"), Started: true, Name: "With " + other})
		if err != nil {
			t.Fatal(err)
		}
		games = append(games, id)
	}
	o.deliver()
	o.from(games[0], "al", "name Cy")
	if m, _ := told(o.last("al"), notice.SayNameNot); !slices.Equal(m.List, []string{"With cy"}) {
		t.Errorf("%s", summary(o.last("al")))
	}
	for i, want := range []string{"Cy", "Cy", store.StandIn(o.seats(games[2])[0].Player)} {
		if got := o.seats(games[i])[0].Name; got != want {
			t.Errorf("in game %d they are called %s, want %s", i+1, got, want)
		}
	}
	// Players with a name in that game keep it.
	o.from(games[1], "al", "name Al")
	for i, want := range []string{"Cy", "Al", "Al"} {
		if got := o.seats(games[i])[0].Name; got != want {
			t.Errorf("in game %d they are called %s then, want %s", i+1, got, want)
		}
	}
}
