package press

import (
	"slices"
	"strconv"

	"angelpost/engine/match/naming"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// Players may hide another player's messages from themselves, and report them to the host. The
// other player notices neither: ignored messages are recorded and get the usual answer, and
// only the host learns who sent a report.

const (
	maxReports  = 5   // of a player a day
	maxReported = 10  // messages of a report, the last ones
	maxSearched = 500 // messages among which they are looked for
)

// ignores reports whether a player ignores another's messages.
func ignores(u *unit.Unit, reader, writer int64) (bool, error) {
	list, err := u.Tx.Ignores(reader)
	return slices.ContainsFunc(list, func(i store.Ignored) bool { return i.Other == writer }), err
}

// other returns the player of the writer's game that the word names.
func other(c *unit.Call) (*store.Seat, error) {
	w, t := c.Sender, c.Sender.Game
	if t == nil || w.Seat == nil || w.Seat.Player != w.ID {
		return nil, notice.Refuse(notice.ProblemNoGame)
	}
	x, code := t.Named(c.Word.Name, w.Names)
	switch {
	case code != "":
		return nil, notice.Refuse(code, "word", c.Word.Name)
	case x.Player == w.ID:
		return nil, notice.Refuse(notice.ProblemIgnoreSelf)
	case x.Player == 0:
		return nil, notice.Refuse(notice.ProblemBot, "word", x.Name)
	}
	return x, nil
}

// Ignore hides a player's messages from the writer, in all games.
func Ignore(u *unit.Unit, c *unit.Call) error {
	x, err := other(c)
	if err != nil {
		return err
	}
	u.Check(u.Tx.Ignore(store.Ignored{Player: c.Sender.ID, Other: x.Player, Name: x.Name}))
	c.Done()
	c.Sender.Answer.Say(notice.SayIgnored, "name", x.Name)
	return nil
}

// Unignore shows the writer a player's messages again, or all players' if it has no name. The
// player may be one of another game than the letter's.
func Unignore(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	list, err := u.Tx.Ignores(w.ID)
	if err != nil {
		return err
	}
	if c.Word.Name == "" {
		for _, i := range list {
			u.Check(u.Tx.Unignore(w.ID, i.Other))
		}
		c.Done()
		w.Answer.Say(notice.SayUnignoredAll)
		return nil
	}
	at := slices.IndexFunc(list, func(i store.Ignored) bool { return order.Key(i.Name) == order.Key(c.Word.Name) })
	if x, err := other(c); err == nil { // by the name of now
		at = slices.IndexFunc(list, func(i store.Ignored) bool { return i.Other == x.Player })
	}
	if at < 0 {
		return notice.Refuse(notice.ProblemNotIgnored, "word", c.Word.Name)
	}
	u.Check(u.Tx.Unignore(w.ID, list[at].Other))
	c.Done()
	w.Answer.Say(notice.SayUnignored, "name", list[at].Name)
	return nil
}

// Report stores, for the host, the last messages that a player has sent the writer in this
// game, with the reason.
func Report(u *unit.Unit, c *unit.Call) error {
	x, err := other(c)
	if err != nil {
		return err
	}
	w, t := c.Sender, c.Sender.Game
	heard, err := u.Tx.Heard(store.PressQuery{Game: t.Row.ID, Place: w.Seat.Place, Player: w.ID, Limit: maxSearched, Ignored: true})
	if err != nil {
		return err
	}
	heard = slices.DeleteFunc(heard, func(p store.Press) bool { return p.Writer != x.Player || p.To < 0 })
	if len(heard) == 0 {
		return notice.Refuse(notice.ProblemNoMessages, "word", x.Name)
	}
	if n := u.Bump("report/"+strconv.FormatInt(w.ID, 10), u.Day()); n > maxReports {
		return notice.Refuse(notice.ProblemMany, "word", c.Word.Kind.String(), "n", strconv.Itoa(maxReports))
	}
	heard = heard[:min(len(heard), maxReported)]
	slices.Reverse(heard)
	r := &store.Report{At: u.At, Game: t.Row.ID, Reporter: w.ID, Player: x.Player, Name: x.Name, Messages: heard,
		Reason: naming.Clean(u.NFC(c.Word.Text), false)}
	u.Check(u.Tx.AddReport(r))
	u.Log.Warn("a player reports another's messages; `angelpost reports` shows them", "report", r.ID, "game", t.Row.ID, "name", x.Name)
	c.Done()
	w.Answer.Say(notice.SayReported, "name", x.Name, "n", strconv.Itoa(len(heard)))
	return nil
}
