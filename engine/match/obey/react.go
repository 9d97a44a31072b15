package obey

import (
	"errors"
	"strconv"
	"time"

	"angelpost/engine"
	"angelpost/engine/incoming"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/press"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A reaction is an emoji tapped under one of our letters, or a letter that says only thanks. It
// goes once to the players whose messages are in our letter. It does not count as a yes, and we
// do not answer it, unless a question waits for an answer.

// reaction is a letter that a mail program wrote for someone who tapped an emoji.
func reaction(u *unit.Unit) error {
	u.Mute(string(u.Command.Class))
	if u.Own(u.Command.From) || u.Address(u.Command.From) == "" || u.Command.AuthFailed || u.Command.AuthIllegible != "" {
		return nil
	}
	if blocked, err := u.Tx.Blocked(u.Command.From); blocked || err != nil {
		return err
	}
	if err := gate.ProveIt(u); err != nil {
		return err
	}
	w, m, err := reacts(u)
	if w == nil || err != nil {
		return err
	}
	_, err = react(u, w, m, u.Command.Reaction)
	return errors.Join(err, unanswered(u, w, m))
}

// reacts finds the sender of a reaction and the letter they reacted to, one that we sent them;
// nil if we don't know. Programs that react write to our From address, which has no token, but
// say what they answer.
func reacts(u *unit.Unit) (*unit.Sender, *notice.Message, error) {
	m, err := answered(u)
	if m == nil || err != nil || m.Player == 0 || m.Token == "" || u.AddressOf(u.Command.From).Player != m.Player {
		return nil, nil, err
	}
	token, err := u.Tx.Token(m.Token)
	if none, err := unit.Missing(err); none || err != nil {
		return nil, nil, err
	}
	w, err := writer(u, u.Player(m.Player), &token)
	return w, m, err
}

// thanks handles a letter that says only thanks. done is false if we must answer it like a
// letter without orders: it had no other recipient, and its writer may think that they have
// moved.
func thanks(u *unit.Unit, w *unit.Sender, text string) (done bool, err error) {
	var m *notice.Message
	tokenless := w.Words || w.Token == nil
	if tokenless {
		silence(u, w, "thanks")
		w, m, err = reacts(u)
	} else {
		m, err = answered(u)
	}
	if w == nil || m == nil || err != nil {
		return err != nil || tokenless, err
	}
	passed, err := react(u, w, m, text)
	t := w.Game
	waits := t != nil && t.Running() && t.Replay != nil && w.Seat != nil && w.Seat.Player == w.ID && t.Replay.Waits(engine.Seat(w.Seat.Seat))
	if err == nil && !passed && waits && !tokenless && w.Token.Confirm == 0 {
		return false, nil
	}
	return true, errors.Join(err, unanswered(u, w, m))
}

// unanswered drops the answer that was begun to a reaction to letter m. If that letter asks its
// reader a question, or invites them, we say once which word answers it.
func unanswered(u *unit.Unit, w *unit.Sender, m *notice.Message) error {
	silence(u, w, "a reaction")
	if w.Token == nil || u.Unproven {
		return nil
	}
	code, list := notice.AskYesWord, []string(nil)
	switch invited := (&situation{w: w}).invited(); {
	case w.Token.Confirm != 0:
		c, err := u.Tx.Confirm(w.Token.Confirm)
		if none, err := unit.Missing(err); none || err != nil {
			return err
		}
		if !c.Open || u.At.After(c.Expires) {
			return nil
		}
	case invited:
		code, list = notice.SayWords, []string{"join", "decline"}
	default:
		return nil
	}
	if first, err := once(u, "react/"+strconv.FormatInt(m.ID, 10)+"/asked"); !first || err != nil {
		return err
	}
	d, err := u.AnswerTo(w.ID, w.Game)
	if err != nil {
		return err
	}
	u.Letter.State, u.Letter.Why = store.LetterNew, ""
	d.Answer.Brief, d.Confirm = true, w.Token.Confirm
	d.Say(code).List = list
	return nil
}

// react passes a reaction on to the writers of the messages in letter m, and reports whether
// there are any.
func react(u *unit.Unit, w *unit.Sender, m *notice.Message, text string) (passed bool, err error) {
	parts := append([]notice.Answer{m.Answer}, m.Answer.Collected...)
	parts[0].Game = m.Game
	for _, a := range parts {
		if a.Game == "" || len(a.Press) == 0 {
			continue
		}
		t, err := u.Game(a.Game)
		if errors.Is(err, replays.ErrUnreadable) {
			continue
		}
		if err != nil {
			return passed, err
		}
		seat := t.Of(w.ID)
		if seat == nil || seat.Player != w.ID {
			continue
		}
		names := w.Names
		if a.Game != m.Game {
			names = nil
		}
		for _, p := range a.Press {
			x, code := t.Named(p.From, names)
			if p.From == "" || code != "" || x.Player == 0 || x.Player == w.ID {
				continue
			}
			passed = true
			key := "react/" + strconv.FormatInt(m.ID, 10) + "/" + a.Game + "/" + strconv.Itoa(x.Place)
			if first, err := once(u, key); err != nil {
				return passed, err
			} else if !first {
				continue
			}
			var unsaid unit.Draft // the reacting player gets no receipt
			line := notice.LineResult{Text: text, Status: notice.LineWord}
			to := &unit.Sender{Player: w.Player, Game: t, Seat: seat, Names: names, Answer: &unsaid}
			press.Deliver(u, &unit.Call{Sender: to, Word: order.Word{Kind: order.Say, To: []string{p.From}}, Line: &line}, text)
		}
	}
	return passed, nil
}

// maxOnce is how many days once remembers a key.
const maxOnce = 39

// once records a key and reports whether it is new.
func once(u *unit.Unit, key string) (bool, error) {
	n, err := u.Tx.Sum(key, u.At.Add(-maxOnce*24*time.Hour).Format(time.DateOnly), u.Day())
	if n > 0 || err != nil {
		return false, err
	}
	u.Bump(key, u.Day())
	return true, nil
}

// onlyThanks returns the text of a letter that says only thanks, "" if it says more.
func onlyThanks(u *unit.Unit, w *unit.Sender) string {
	c := &u.Command
	if c.Class != incoming.Orders && c.Class != incoming.Empty || c.Quoted > 0 || c.Barred > 0 || len(c.Struck) > 0 || w.Held {
		return ""
	}
	text, _ := order.Thanks(c.Lines, w.Signs(c.Name)...)
	return text
}
