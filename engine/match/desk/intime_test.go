package desk_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// late begins a game in which a bot plays Ada's first turn because her time ran out, and returns
// the letter that answers her turn notice with the example, which came before the deadline.
func late(t *testing.T, seed byte) (w *waiting, id string, order unit.Command) {
	t.Helper()
	w, id = clockedWith(t, seed)
	first := w.last("ada")
	deadline := w.seat(id, 1).Deadline
	lines := strings.Join(w.sheet(first).Example, "\n")
	w.pass(3 * day)
	if x := w.seat(id, 1); x.Missed != 1 {
		t.Fatalf("a bot played %d turns for her", x.Missed)
	}
	order = w.letter(at("ada"), first.Token, lines)
	order.Received = deadline.Add(30 * time.Minute) // in her grace
	return w, id, order
}

func clockedWith(t *testing.T, seed byte) (w *waiting, id string) {
	t.Helper()
	w = &waiting{office: newOffice(t)}
	w.beat()
	id, err := w.desk.NewGame(context.Background(), seating.NewGameOrder{
		Started: true, Seed: &[32]byte{seed}, Organiser: at("bo"), Clock: "2d grace 1h",
		Players: []seating.NewPlayer{{Address: at("ada"), Name: "Ada"}, {Address: at("bo"), Name: "Bo"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.deliver()
	return w, id
}

func hasRemark(r notice.Message, code string) bool {
	return slices.ContainsFunc(r.Answer.Remarks, func(x notice.Remark) bool { return x.Code == code })
}

// TestOrdersInTimeTurnUpLate: a bot has played, and then an order turns up that had come in time.
// The bot's turn ended with a card, so the organiser decides.
func TestOrdersInTimeTurnUpLate(t *testing.T) {
	for _, answer := range []string{"no", "yes"} {
		w, id, order := late(t, 1)
		steps := w.last("bo").Step
		outcome, _ := w.send(order)
		told, ask := w.last("ada"), w.last("bo")
		if outcome != "held" || !hasRemark(told, notice.SayInTimeAsked) || !hasRemark(ask, notice.AskInTime) || told.Step != steps {
			t.Fatalf("%s\n%s%s", outcome, summary(told), summary(ask))
		}
		w.write("bo", answer)
		told = w.last("ada")
		if answer == "no" {
			if !hasRemark(told, notice.TellInTimeNot) || told.Step != steps || w.seat(id, 1).Missed != 1 {
				t.Errorf("no: %s", summary(told))
			}
			continue
		}
		if !hasRemark(told, notice.SayInTime) || len(told.Answer.Lines) == 0 || told.Answer.Lines[0].Status != notice.LineApplied || told.Step <= steps || w.seat(id, 1).Missed != 0 {
			t.Errorf("yes: %s", summary(told))
		}
		if outcome, _ := w.send(w.letter(at("ada"), order.Token, "B")); outcome != "answered" || hasRemark(w.last("ada"), notice.SayInTimeAsked) {
			t.Errorf("again: %s", summary(w.last("ada")))
		}
	}
}

// TestWhatRevealedNothingIsTakenBack: what was played in a player's place and made nothing new
// known is taken back for orders that had come in time, and those are played.
func TestWhatRevealedNothingIsTakenBack(t *testing.T) {
	w, id := clockedWith(t, 1)
	first := w.last("ada")
	deadline := w.seat(id, 1).Deadline
	w.write("ada", "card 087 at row 3") // as if a bot had: turns that bots end draw a card
	if err := w.db.Update(context.Background(), func(tx store.Tx) error {
		return tx.SaveStoodIn(store.StoodIn{Game: id, Place: 1, Until: deadline})
	}); err != nil {
		t.Fatal(err)
	}
	steps := w.last("ada").Step
	order := w.letter(at("ada"), first.Token, "die gray 1")
	order.Received = deadline
	outcome, _ := w.send(order)
	answer := w.last("ada")
	if outcome != "answered" || !hasRemark(answer, notice.SayInTime) || answer.Answer.Lines[0].Status != notice.LineApplied || answer.Step != steps+2 {
		t.Errorf("%s\n%s", outcome, summary(answer))
	}
	if !hasRemark(w.last("bo"), notice.TellInTime) {
		t.Errorf("the other player reads %s", summary(w.last("bo")))
	}
	w.send(w.letter(at("ada"), first.Token, "die green 2"))
	if again := w.last("ada"); hasRemark(again, notice.SayInTime) {
		t.Errorf("taken back twice: %s", summary(again))
	}
	w.open() // the log as it is stored makes the same game
	if v := w.sheet(w.last("ada")).View; v == nil {
		t.Error("the game cannot be read again")
	}
}

// TestOrdersThatCameLateStayRefused: after the grace, with the time that its writer's Date claims,
// or without orders, a letter takes nothing back.
func TestOrdersThatCameLateStayRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*waiting, *unit.Command)
	}{
		{"after the grace", func(w *waiting, c *unit.Command) { c.Received = w.now }},
		{"by its Date", func(w *waiting, c *unit.Command) { c.Date, c.Received = c.Received, w.now }},
		{"without orders", func(w *waiting, c *unit.Command) { c.Lines = []string{"status"} }},
		{"with a later token", func(w *waiting, c *unit.Command) { c.Token = w.last("ada").Token }},
	} {
		w, id, order := late(t, 1)
		steps := w.last("bo").Step
		c.change(w, &order)
		w.send(order)
		if answer := w.last("ada"); hasRemark(answer, notice.SayInTime) || hasRemark(answer, notice.SayInTimeAsked) || answer.Step != steps {
			t.Errorf("%s: %s", c.name, summary(answer))
		}
		if x := w.seat(id, 1); x.Missed != 1 {
			t.Errorf("%s: missed %d", c.name, x.Missed)
		}
	}
}
