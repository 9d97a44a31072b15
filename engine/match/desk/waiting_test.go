package desk_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// thinkers lets the desk's thinkers work until n letters are finished, and records the outcome
// of each, by Message-ID, in the order in which they finished.
type thinkers struct {
	mu   sync.Mutex
	done []string
	news chan bool
}

func (w *thinkers) heard(c unit.Command, outcome string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done = append(w.done, c.MessageID+" "+outcome)
	select {
	case w.news <- true:
	default:
	}
}

func (w *thinkers) work(t *testing.T, d *desk.Desk, n int) []string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan bool)
	go func() {
		defer close(ended)
		if err := d.Think(ctx); err != nil {
			t.Error(err)
		}
	}()
	defer func() { stop(); <-ended }()
	for deadline := time.After(time.Minute); ; {
		w.mu.Lock()
		done := slices.Clone(w.done)
		w.mu.Unlock()
		if len(done) >= n {
			return done
		}
		select {
		case <-w.news:
		case <-deadline:
			t.Fatalf("%d letters are done, want %d", len(done), n)
		}
	}
}

func thinkingOffice(t *testing.T) (*office, *thinkers) {
	w := &thinkers{news: make(chan bool, 1)}
	return newOffice(t, func(c *unit.Config) { c.Thought = w.heard }), w
}

// turn returns a letter that ends name's turn: the example of their last one.
func (o *office) turn(name string) unit.Command {
	o.t.Helper()
	r := o.last(name)
	text := ""
	for _, line := range o.sheet(r).Example {
		text += line + "\n"
	}
	return o.letter(at(name), r.Token, text)
}

// untilThinking lets those who must decide play until a planner must think
// about a letter, which is returned.
func (o *office) untilThinking(names ...string) unit.Command {
	o.t.Helper()
	for n := range 40 {
		name := names[n%len(names)]
		if len(o.sheet(o.last(name)).Example) == 0 {
			continue
		}
		c := o.turn(name)
		switch got := outcomes(o.desk, c)[0]; got {
		case desk.Thinking:
			return c
		case desk.Answered:
			o.deliver()
		default:
			o.t.Fatalf("outcome %q", got)
		}
	}
	o.t.Fatal("no planner comes to think")
	return unit.Command{}
}

// TestNobodyWaitsForThinkers has a letter after which a planner must play: it and
// its sender's next one wait for thinkers, in their order; those of others do
// not.
func TestNobodyWaitsForThinkers(t *testing.T) {
	o, w := thinkingOffice(t)
	other := o.started(2, "bo", "cy")
	id := o.started(1, "ada", "bot:planner:200")
	ada := o.untilThinking("ada")
	before := len(o.record(id, 0).Log)
	after, bo := o.letter(at("ada"), o.token(at("ada")), "note: that was it"), o.turn("bo")
	got := outcomes(o.desk, after, bo)
	if want := []string{desk.Thinking, desk.Answered}; !slices.Equal(got, want) {
		t.Fatalf("outcomes %q, want %q", got, want)
	}
	if n := len(o.record(other, 0).Log); n == 0 {
		t.Error("the other game has not moved")
	}
	if n := len(o.record(id, 0).Log); n != before {
		t.Errorf("the game went on without the planner: %d lines, %d before", n, before)
	}
	for _, r := range o.deliver() {
		if r.Game == id {
			t.Errorf("a letter too early: %s", summary(r))
		}
	}
	done := w.work(t, o.desk, 2)
	if want := []string{ada.MessageID + " answered", after.MessageID + " answered"}; !slices.Equal(done, want) {
		t.Errorf("done %q, want %q", done, want)
	}
	// One letter tells the player's turn and the planner's, as with a bot that is quick.
	out := o.deliver()
	if len(out) != 2 || out[0].To != at("ada") || out[0].Result != notice.Applied || len(o.sheet(out[0]).Legal) == 0 {
		t.Fatalf("%d letters", len(out))
	}
	log := o.record(id, 0).Log
	bots := map[string]int{}
	for _, l := range log {
		bots[string(l.By)+l.Bot]++
	}
	if bots["player"] == 0 || bots["botplanner:200"] == 0 || len(bots) != 2 || out[0].Step != len(log) {
		t.Errorf("the log has %v; told up to %d of %d", bots, out[0].Step, len(log))
	}
	if got := outcomes(o.desk, ada, after); !slices.Equal(got, []string{desk.Silent, desk.Silent}) {
		t.Errorf("once more: %q", got)
	}
}

// TestThoughtsSurviveTheirDesk kills the desk while letters wait: the next one
// finds them, and plays what the first would have played.
func TestThoughtsSurviveTheirDesk(t *testing.T) {
	var logs [2]string
	for run, killed := range []bool{false, true} {
		o, w := thinkingOffice(t)
		id := o.started(1, "bot", "ada", "bot:planner:200")
		ada := o.untilThinking("ada")
		if killed {
			o.open()
			rows, err := o.desk.Pending(context.Background())
			if err != nil || len(rows) != 1 {
				t.Fatalf("%d letters pending, %v", len(rows), err)
			}
			if got := outcomes(o.desk, ada); got[0] != desk.Thinking {
				t.Fatalf("after the restart: %q", got)
			}
		}
		w.work(t, o.desk, 1)
		if out := o.deliver(); len(out) != 1 || out[0].Result != notice.Applied {
			t.Fatalf("%d letters", len(out))
		}
		logs[run] = game.LogHash(o.record(id, 0).Log)
	}
	if logs[0] != logs[1] {
		t.Error("after a restart the bots played otherwise")
	}
}

// TestPlannerThinksAnew moves the position while a planner thinks: what it had
// found is of no use any more.
func TestPlannerThinksAnew(t *testing.T) {
	o, w := thinkingOffice(t)
	id := o.started(1, "ada", "bo", "bot:planner:200")
	bo := o.untilThinking("ada", "bo")
	o.write("ada", "resign")
	if got := outcomes(o.desk, o.letter(at("ada"), o.token(at("ada")), "yes")); got[0] != desk.Answered {
		t.Fatalf("outcome %q", got)
	}
	before := len(o.record(id, 0).Log)
	if done := w.work(t, o.desk, 1); done[0] != bo.MessageID+" answered" {
		t.Errorf("done %q", done)
	}
	log := o.record(id, 0).Log
	if log[before-1].Order != "resign" || log[before].By != game.ByPlayer || log[len(log)-1].By != game.ByBot {
		t.Errorf("the log goes on with %+v", log[before-1:])
	}
	seats := map[string]bool{}
	for _, l := range log[before:] {
		seats[fmt.Sprint(l.Seat, l.Bot)] = true
	}
	if !seats["3planner:200"] || !seats["1greedy"] {
		t.Errorf("it was played on by %v", seats)
	}
}

// TestAllIsThoughtAboutInOneTurn has hint and orders in one letter: first the
// orders, then the hint, then the planner, then the answer.
func TestAllIsThoughtAboutInOneTurn(t *testing.T) {
	o, w := thinkingOffice(t)
	o.started(1, "ada", "bot:planner:200")
	first := o.sheet(o.last("ada")).Legal[0]
	if got := outcomes(o.desk, o.letter(at("ada"), o.token(at("ada")), first+"\nhint")); got[0] != desk.Thinking {
		t.Fatalf("outcome %q", got)
	}
	w.work(t, o.desk, 1)
	if out := o.deliver(); len(out) != 1 || out[0].Result != notice.Applied || len(out[0].Answer.Sections) != 1 || out[0].Answer.Sections[0].Hint == nil {
		t.Errorf("%d letters: %+v", len(out), out)
	}
}

// TestFailingLetterWaitsInOrder has a letter fail while it waits: it is tried three times in
// all and set aside, and then the later letters of its sender are applied.
func TestFailingLetterWaitsInOrder(t *testing.T) {
	for fails, want := range map[int]string{1: desk.Answered, 2: desk.Answered, 3: desk.SetAside} {
		o, w := thinkingOffice(t)
		id := o.started(1, "ada", "bot:planner:200")
		conf := o.conf
		store := &failing{DB: o.db}
		conf.Store = store
		d, err := desk.New(conf)
		if err != nil {
			t.Fatal(err)
		}
		o.desk = d
		ada := o.untilThinking("ada")
		before := len(o.record(id, 0).Log)
		after := o.letter(at("ada"), o.token(at("ada")), "status")
		if got := outcomes(d, after); got[0] != desk.Thinking {
			t.Fatalf("outcome %q", got)
		}
		store.left = fails
		done := w.work(t, d, 2)
		if done[0] != ada.MessageID+" "+want || done[1] != after.MessageID+" answered" {
			t.Errorf("%d failures: %q, want %s first", fails, done, want)
		}
		if played := len(o.record(id, 0).Log) > before; played != (want == desk.Answered) {
			t.Errorf("%d failures: %s, played %v", fails, want, played)
		}
	}
}

// TestRoomIsBounded has a player write on and on while a planner thinks: the server
// tells them, and others are unaffected.
func TestRoomIsBounded(t *testing.T) {
	o, w := thinkingOffice(t)
	o.started(1, "ada", "bot:planner:200")
	other := o.started(2, "bo", "cy")
	o.untilThinking("ada")
	var got []string
	for range 25 {
		got = append(got, outcomes(o.desk, o.letter(at("ada"), o.token(at("ada")), "status"))...)
	}
	for i, outcome := range got {
		if want := map[bool]string{true: desk.Thinking, false: desk.Answered}[i < 19]; outcome != want {
			t.Errorf("letter %d: %s, want %s", i+2, outcome, want)
		}
	}
	out := o.deliver()
	if len(out) != 6 || out[0].Answer.Remarks[0].Code != notice.SayBusy || out[0].Result != notice.Refused {
		t.Errorf("%d letters", len(out))
	}
	if got := outcomes(o.desk, o.turn("bo")); got[0] != desk.Answered || len(o.record(other, 0).Log) == 0 {
		t.Errorf("another's letter: %q", got)
	}
	o.deliver()
	if done := w.work(t, o.desk, 20); len(done) != 20 {
		t.Errorf("%d letters are done", len(done))
	}
	if out := o.deliver(); len(out) != 20 {
		t.Errorf("%d answers", len(out))
	}
}

// TestBotsPlayAlikeInOneGame replays a game: the same position of the same game
// is played alike, and two games are not.
func TestBotsPlayAlikeInOneGame(t *testing.T) {
	for _, bots := range [][]string{{"bot"}, {"bot:planner:20", "bot"}} {
		var logs []string
		for _, seed := range []byte{1, 1, 2} {
			o := newOffice(t)
			id := o.started(seed, append([]string{"ada"}, bots...)...)
			o.resigns("ada")
			log := o.record(id, 0).Log
			if log[len(log)-1].By != game.ByBot || len(log) < 100 {
				t.Fatalf("%d lines", len(log))
			}
			logs = append(logs, game.LogHash(log))
		}
		if logs[0] != logs[1] || logs[0] == logs[2] {
			t.Errorf("%v: logs %.8s", bots, logs)
		}
	}
}
