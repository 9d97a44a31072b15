package desk_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"angelpost/db"
	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// queue is the letters to a player that wait.
func (w *waiting) queue(name string) (out []notice.Message) {
	w.t.Helper()
	due, _, err := w.db.Due(context.Background(), w.now.Add(1000*time.Hour), 1000)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, l := range due {
		if l.To == at(name) {
			out = append(out, l.Message)
		}
	}
	return out
}

// writes hands a letter in and delivers nothing.
func (w *waiting) writes(name, token, text string) {
	w.t.Helper()
	if _, err := w.desk.HandleOne(context.Background(), w.letter(at(name), token, text)); err != nil {
		w.t.Fatal(err)
	}
}

// waits lets time pass and does what falls due, and delivers nothing.
func (w *waiting) waits(d time.Duration) {
	w.t.Helper()
	for end := w.now.Add(d); w.now.Before(end); {
		w.now = w.now.Add(min(10*time.Minute, end.Sub(w.now)))
		w.beat()
		if _, err := w.desk.Due(context.Background()); err != nil {
			w.t.Fatal(err)
		}
	}
}

// goes asks about a letter that is about to go, and delivers nothing.
func (w *waiting) goes(id int64) bool {
	w.t.Helper()
	still, err := w.desk.Anew(context.Background(), id, func(int64) bool { return false })
	if err != nil {
		w.t.Fatal(err)
	}
	return still
}

// dropped is why letters were dropped, the last first.
func (w *waiting) dropped() (out []db.Posted) {
	w.t.Helper()
	out, err := w.db.Dropped(context.Background(), 100)
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// untold is a game with a clock of which no letter has gone.
func untold(t *testing.T, clock string) (w *waiting, id string) {
	t.Helper()
	w = &waiting{office: newOffice(t)}
	w.beat()
	id, err := w.desk.NewGame(context.Background(), seating.NewGameOrder{
		Started: true, Seed: &[32]byte{1}, Organiser: at("bo"), Clock: clock,
		Players: []seating.NewPlayer{{Address: at("ada"), Name: "Ada"}, {Address: at("bo"), Name: "Bo"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return w, id
}

// TestLateLetterMovesTheDeadline: a letter that goes out 10 hours after it was made is made
// again, and the deadline in it moves by as much, once.
func TestLateLetterMovesTheDeadline(t *testing.T) {
	w, id := untold(t, "2d grace 1h")
	before := w.seat(id, 1).Deadline
	w.waits(10 * time.Hour)
	first := w.queue("ada")
	if len(first) != 1 || w.goes(first[0].ID) {
		t.Fatalf("%d letters wait, or the old one is to go", len(first))
	}
	if by := w.seat(id, 1).Deadline.Sub(before); by != 10*time.Hour {
		t.Errorf("the deadline moved by %v", by)
	}
	anew := w.queue("ada")
	if len(anew) != 1 || anew[0].MessageID == first[0].MessageID || anew[0].Kind != notice.KindTurn || anew[0].Since != -1 || !hasRemark(anew[0], notice.TellStarted) {
		t.Fatalf("made anew: %+v", anew)
	}
	if d := anew[0].Answer.Deadlines; len(d) != 1 || d[0].Left != 2*86400 {
		t.Errorf("it says %+v", d)
	}
	if gone := w.dropped(); len(gone) != 1 || gone[0].ID != first[0].ID || gone[0].Error == "" {
		t.Errorf("dropped: %+v", gone)
	}
	if !w.goes(anew[0].ID) {
		t.Error("the new one is not to go")
	}
	w.deliver()
	if sheet := w.sheet(w.last("ada")); len(sheet.Legal) == 0 {
		t.Error("her letter lists no orders")
	}
	if by := w.seat(id, 1).Deadline.Sub(before); by != 10*time.Hour {
		t.Errorf("then the deadline moved by %v", by)
	}
}

// TestManyLettersBecomeOne: what waits for a player in a game goes in one letter that says all of
// it that is true, and no message is lost.
func TestManyLettersBecomeOne(t *testing.T) {
	w, id := untold(t, "2d grace 1d")
	bo := w.queue("bo")[0].Token
	w.writes("bo", bo, "say: good luck")
	w.waits(25 * time.Hour) // a reminder
	w.writes("bo", bo, "extend ada by 1 day")
	w.writes("bo", bo, "say: still there?")
	was := w.queue("ada")
	if len(was) < 4 {
		t.Fatalf("%d letters wait", len(was))
	}
	w.goes(was[len(was)-1].ID) // whichever comes first
	is := w.queue("ada")
	if len(is) != 1 || is[0].Kind != notice.KindTurn || len(is[0].Answer.Press) != 2 || hasRemark(is[0], notice.TellRunsOut) || !hasRemark(is[0], notice.TellStarted) {
		t.Fatalf("%d letters of %d: %s", len(is), len(was), summary(is[0]))
	}
	if len(w.dropped()) != len(was) {
		t.Errorf("%d are dropped", len(w.dropped()))
	}
	w.deliver()
	w.plays("ada")
	if w.seat(id, 1).Missed != 0 {
		t.Error("a bot played for her")
	}
}

// TestWhatMayHaveGoneStays: a letter whose last reply was lost is neither dropped nor changed, nor
// is one that was under way when the server ended.
func TestWhatMayHaveGoneStays(t *testing.T) {
	ctx := context.Background()
	for name, lose := range map[string]func(*waiting, int64) error{
		"a reply was lost": func(w *waiting, id int64) error { return w.db.Retry(ctx, id, w.now, "no reply", true) },
		"a reply was lost, then it was refused": func(w *waiting, id int64) error {
			if err := w.db.Retry(ctx, id, w.now, "no reply", true); err != nil {
				return err
			}
			return w.db.Retry(ctx, id, w.now, "451", false)
		},
		"it was young at the end": func(w *waiting, id int64) error { return w.db.MayHaveGone(ctx, w.now.Add(-20*time.Minute)) },
	} {
		w, id := untold(t, "2d grace 1h")
		first := w.queue("ada")[0]
		if err := lose(w, first.ID); err != nil {
			t.Fatal(err)
		}
		w.waits(10 * time.Hour)
		if !w.goes(first.ID) || len(w.dropped()) > 0 || len(w.queue("ada")) != 1 {
			t.Errorf("%s: it has been dropped, or made anew: %+v", name, w.queue("ada"))
		}
		w.writes("bo", w.queue("bo")[0].Token, "say: hello")
		for _, m := range w.queue("ada") {
			w.goes(m.ID)
		}
		if len(w.dropped()) > 0 {
			t.Errorf("%s: another letter took its place", name)
		}
		_ = id
	}
	w, _ := untold(t, "2d grace 1h")
	first := w.queue("ada")[0]
	w.waits(time.Hour)
	w.goes(first.ID)
	old := w.queue("ada")[0]
	w.waits(time.Hour)
	w.writes("bo", w.queue("bo")[0].Token, "extend ada by 1 day") // so that it must be made again
	if err := w.db.Update(ctx, func(tx store.Tx) error { return tx.Give(old.ID) }); err != nil {
		t.Fatal(err)
	}
	if err := w.db.MayHaveGone(ctx, w.now.Add(-20*time.Minute)); err != nil {
		t.Fatal(err)
	}
	if !w.goes(old.ID) {
		t.Error("a letter that was under way when the server ended is made anew")
	}
}

// TestLettersThatAreTrueNoMore: a letter whose turn is over, whose question is closed, or whose
// reader has left does not go.
func TestLettersThatAreTrueNoMore(t *testing.T) {
	w, _ := untold(t, "2d grace 1h")
	turn := w.queue("ada")[0]
	example := strings.Join(w.sheet(turn).Example, "\n")
	w.writes("ada", turn.Token, example)
	for n := range 3 { // what her turn still asks
		last := w.queue("ada")
		if rest := w.sheet(last[len(last)-1]).Example; len(rest) > 0 && !w.seat(turn.Game, 1).Deadline.IsZero() {
			w.writes("ada", last[len(last)-1].Token, strings.Join(rest, "\n"))
		} else if n == 0 {
			t.Fatal("her turn is over at once")
		}
	}
	w.now = w.now.Add(time.Hour)
	if w.goes(turn.ID) {
		t.Error("a turn notice whose turn is over is to go")
	}
	for _, m := range w.queue("ada") {
		if m.Kind == notice.KindTurn {
			t.Errorf("in its place: %s", summary(m))
		}
	}

	w, _ = untold(t, "2d grace 1h")
	first := w.queue("ada")[0]
	w.writes("ada", first.Token, "resign")
	if !w.goes(first.ID) {
		t.Error("a letter to a player whom we have asked whether they leave is not to go")
	}
	asked := w.queue("ada")
	w.writes("ada", asked[len(asked)-1].Token, "yes")
	if w.goes(first.ID) || len(w.dropped()) == 0 || !strings.Contains(w.dropped()[0].Error, "left") {
		t.Errorf("a letter to a player who has left: %+v", w.dropped())
	}

	w, _ = clocked(t, "2d grace 1h")
	w.writes("ada", w.token(at("ada")), "pause")
	ask := w.queue("bo")
	w.writes("bo", w.token(at("bo")), "pause")
	for _, m := range ask {
		if hasRemark(m, notice.AskPause) && !w.goes(m.ID) {
			t.Error("a question that is open is not to go")
		}
	}
}

// TestAnswersThatWaitedStay: an answer reports the result of a letter, whatever has happened
// since. Only its deadlines are updated, and players get back the time by which it was late.
func TestAnswersThatWaitedStay(t *testing.T) {
	w, id := clocked(t, "2d grace 1h")
	w.writes("ada", w.token(at("ada")), "status")
	answer := w.queue("ada")
	if len(answer) != 1 || answer[0].InReplyTo == "" {
		t.Fatalf("%+v", answer)
	}
	w.writes("bo", w.token(at("bo")), "extend ada by 1 day")
	w.waits(time.Hour)
	for !w.goes(answer[0].ID) {
	}
	is := w.queue("ada")[0]
	if is.ID != answer[0].ID || is.MessageID != answer[0].MessageID || len(is.Answer.Sections) != len(answer[0].Answer.Sections) {
		t.Errorf("the answer is another: %s", summary(is))
	}
	if d := is.Answer.Deadlines; len(d) != 1 || d[0].Time != w.seat(id, 1).Deadline.UTC().Format("2006-01-02 15:04 MST") {
		t.Errorf("it says %+v", d)
	}
}

// TestALetterSaysSoMuch: the server sends all of what waits, in as many letters as it needs.
func TestALetterSaysSoMuch(t *testing.T) {
	w, _ := untold(t, "2d grace 1h")
	bo := w.queue("bo")[0].Token
	const messages = 40
	for n := range messages {
		w.writes("bo", bo, "say: "+strings.Repeat("x", 1900)+" "+string(rune('a'+n%26)))
	}
	w.waits(time.Hour)
	was := 0
	for _, m := range w.queue("ada") {
		was += len(m.Answer.Press)
	}
	for range 5 {
		for _, m := range w.queue("ada") {
			w.goes(m.ID)
		}
	}
	is := 0
	for _, m := range w.queue("ada") {
		is += len(m.Answer.Press)
		if n := len(m.Answer.Press); n*1900 > 60<<10 {
			t.Errorf("%d messages in a letter", n)
		}
	}
	if is != was || was < 20 || len(w.queue("ada")) > 4 {
		t.Errorf("%d messages of %d, in %d letters", is, was, len(w.queue("ada")))
	}
}
