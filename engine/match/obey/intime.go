package obey

import (
	"encoding/json"
	"fmt"
	"slices"

	"angelpost/engine"
	"angelpost/engine/incoming"
	"angelpost/engine/match/clock"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// We play no turn for anyone before we have read the mailbox once after the deadline. Orders
// sent in time may still turn up later, because a mail server was slow or because a letter was
// set aside. Then we take back what the bot played, if nothing new has been revealed since;
// otherwise we ask the organiser.

// A lateOrder is a letter in time about which we ask the organiser: to take the bot's turn back
// or not.
type lateOrder struct {
	Player  int64        `json:"player"`
	Place   int          `json:"place"`
	To      int          `json:"to"` // the line to go back to
	Command unit.Command `json:"command"`
}

// inTime takes back what a bot played for the writer of orders that had come in time. held
// reports that the letter waits for the organiser instead.
func inTime(u *unit.Unit, w *unit.Sender) (held bool, err error) {
	t, x := w.Game, w.Seat
	if t == nil || x == nil || x.Player != w.ID || t.Replay == nil || !t.Running() {
		return false, nil
	}
	s, err := u.Tx.StoodIn(t.Row.ID, x.Place)
	if none, err := unit.Missing(err); none || err != nil {
		return false, err
	}
	if w.Token.Turn != s.Turn || w.Token.Step > s.Step || w.Token.Step < t.Replay.Rolled || u.Command.Received.After(s.Until) || !gives(u, w) {
		return false, nil
	}
	to, ok := t.Replay.RollbackTo(s.Step)
	if !ok {
		return false, nil
	}
	if !revealed(t, s.Step) {
		w.Answer.Say(notice.SayInTime)
		return false, takeBotBack(u, t, x, to, w.Token)
	}
	asked, err := decides(u, t, w.ID)
	if err != nil || asked == nil {
		if err == nil {
			u.Log.Warn("orders in time turned up after a bot had played, and there is no one to ask about them", "game", t.Row.ID)
		}
		return false, err
	}
	u.Check(u.Tx.DropStoodIn(t.Row.ID, x.Place))
	late := lateOrder{w.ID, x.Place, to, u.Command}
	late.Command.Raw = nil
	lines, err := json.Marshal(late)
	if err != nil {
		return false, err
	}
	u.Letter.State, u.Letter.Why = store.LetterHeld, "it came in time, and a bot had played"
	c := &store.Confirm{Kind: store.ConfirmInTime, Player: asked.ID, Address: asked.Address, Game: t.Row.ID, Letter: u.Letter.ID, Lines: string(lines)}
	d := u.Ask(asked.Address, asked.ID, t, c, notice.AskInTime, "name", x.Name)
	d.Asked = true
	w.Answer.Say(notice.SayInTimeAsked)
	return true, nil
}

// decides returns the person to ask about a game, nil if there is none: its organiser, or a
// director of its league, but never the player in question.
func decides(u *unit.Unit, t *unit.Game, about int64) (*store.Player, error) {
	if o := t.Row.Organiser; o != 0 && o != about {
		return u.Player(o), nil
	}
	rulers, err := leagues.Rulers(u, t)
	rulers = slices.DeleteFunc(rulers, func(p *store.Player) bool { return p.ID == about })
	if err != nil || len(rulers) == 0 {
		return nil, err
	}
	return rulers[0], nil
}

// gives reports whether the letter contains orders.
func gives(u *unit.Unit, w *unit.Sender) bool {
	if u.Command.Class == incoming.TooLarge || u.Command.Class == incoming.Broken {
		return false
	}
	items := ownItems(w, order.ReadLetter(u.Command.Lines, w.Signs(u.Command.Name)...).Items)
	return slices.ContainsFunc(items, func(it order.Item) bool { return it.Doubt == "" && turns.Orderly(w, it) })
}

// revealed reports whether something new became known after a line of the log.
func revealed(t *unit.Game, step int) bool {
	for n := step + 1; n <= t.Replay.Step(); n++ {
		if slices.ContainsFunc(t.Replay.Events[n], engine.Event.New) {
			return true
		}
	}
	return false
}

// takeBotBack rolls the game back to before a turn that a bot played for a seat, tells the
// others, and makes the token of that turn valid again.
func takeBotBack(u *unit.Unit, t *unit.Game, x *store.Seat, to int, token *store.Token) error {
	if x.Stage == store.SeatAbsent {
		clock.Regain(u, t, x)
	}
	if err := t.Replay.TakeBack(engine.Seat(x.Seat), to); err != nil {
		return err
	}
	u.Check(u.Tx.DropStoodIn(t.Row.ID, x.Place))
	if err := clock.Rewound(u, t); err != nil {
		return err
	}
	u.TellAll(t, x.Player, func(_ *store.Seat, d *unit.Draft) { d.Say(notice.TellInTime, "name", x.Name) })
	token.Step = t.Replay.Step()
	return nil
}

// inTimeYes goes back to before the bot's turn, and obeys the letter that had come in time.
func inTimeYes(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	var late lateOrder
	if err := json.Unmarshal([]byte(c.Lines), &late); err != nil {
		return fmt.Errorf("orders in time: %w", err)
	}
	t, err := u.Game(c.Game)
	if err != nil {
		return err
	}
	x := t.Place(late.Place)
	if n := t.Replay.InForce(late.To); x == nil || x.Player != late.Player || !t.Running() || n < 0 || n >= len(t.Replay.Active) {
		return notice.Refuse(notice.ProblemLapsed)
	}
	l, err := u.Tx.Letter(c.Letter)
	if err != nil {
		return err
	}
	l.State, l.Why = store.LetterDone, "obeyed after a yes"
	u.Check(u.Tx.SaveLetter(l))
	now := u.Command
	u.Command.Token, u.Command.Lines, u.Command.Barred, u.Command.Quoted, u.Command.Class = late.Command.Token, late.Command.Lines, late.Command.Barred, late.Command.Quoted, late.Command.Class
	defer func() { u.Command = now }()
	token, err := u.Token()
	if err != nil || token == nil {
		return err
	}
	writes := &unit.Sender{Player: u.Player(late.Player), Token: token, Game: t, Seat: x, Held: true}
	if writes.Names, err = u.NamesIn(token, t); err != nil {
		return err
	}
	if err := takeBotBack(u, t, x, late.To, token); err != nil {
		return err
	}
	writes.Answer = u.DraftFor(late.Player, t, notice.KindAnswer)
	writes.Answer.Asked = true
	writes.Answer.Say(notice.SayInTime)
	return read(u, writes)
}

// inTimeNo leaves the game as it is, and tells the player.
func inTimeNo(u *unit.Unit, _ *unit.Sender, c store.Confirm) error {
	var late lateOrder
	if err := json.Unmarshal([]byte(c.Lines), &late); err != nil {
		return fmt.Errorf("orders in time: %w", err)
	}
	t, err := u.Game(c.Game)
	if err != nil {
		return err
	}
	d := u.DraftFor(late.Player, t, notice.KindInfo)
	d.Asked = true
	d.Say(notice.TellInTimeNot)
	return dropHeld(u, c)
}
