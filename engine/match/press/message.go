// Package press carries what players write to each other, and their notes. A message never
// gives its writer's plans away: we hold back lines that read as orders or name a card of their
// hand, and ask about them.
package press

import (
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/incoming"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// Players write messages to each other and to a league, and notes to themselves. A message
// never gives away its writer's plans: we hold back lines that read as orders, or that name a
// card in the writer's hand, and the answer asks about them. The answer always shows what went
// out, and its readers.

// maxPress bounds the messages of a player in a game a day, UTC, and the notes.
const maxPress = 30

// omitted replaces lines in a message that were held back.
const omitted = "[…]"

// HoldBack removes the lines from a text that give its writer's plans away, and returns the
// reason for each. hand are the cards that only the writer sees. left is "" if all of the text
// is held back.
func HoldBack(text string, hand []engine.Card) (left string, held []notice.LineResult) {
	var out []string
	some := false
	for _, line := range strings.Split(text, "\n") {
		p := notice.Refuse(notice.ProblemHeld)
		named := slices.IndexFunc(order.CardsNamed(line), func(c engine.Card) bool { return slices.Contains(hand, c) })
		switch {
		case order.ReadsAsOrder(line):
		case named >= 0:
			p.Code, p.Args = notice.ProblemHeldCard, map[string]string{"card": order.CardsNamed(line)[named].String()}
		default:
			some = some || strings.TrimSpace(line) != ""
			out = append(out, line)
			continue
		}
		held = append(held, notice.LineResult{Text: line, Status: notice.LineAsked, Problem: p})
		if n := len(out); n == 0 || out[n-1] != omitted {
			out = append(out, omitted)
		}
	}
	if !some {
		return "", held
	}
	return strings.TrimSpace(strings.Join(out, "\n")), held
}

// Hand returns the cards of a seat that only its player sees.
func Hand(t *unit.Game, x *store.Seat) (out []engine.Card) {
	if t.Replay == nil || x.Seat == 0 || t.Replay.State.Finished() {
		return nil
	}
	v := t.Replay.State.Project(engine.Seat(x.Seat))
	p := &v.Players[x.Seat-1]
	out = append(out, p.Cards...)
	out = append(append(out, p.Rows[:]...), p.Columns[:]...)
	for _, d := range v.Owed {
		if d.Ask == engine.AskKeep {
			out = append(out, d.Card, d.Card2)
		}
	}
	return out
}

// Say delivers a message to one, some or all players of the game, without the lines that are
// held back.
func Say(u *unit.Unit, c *unit.Call) error {
	w, t := c.Sender, c.Sender.Game
	if t == nil || w.Seat == nil || w.Seat.Player != w.ID {
		return notice.Refuse(notice.ProblemNoGame)
	}
	text, held := HoldBack(naming.Clean(c.Word.Text, true), Hand(t, w.Seat))
	if len(held) == 0 {
		Deliver(u, c, text)
		return nil
	}
	c.More = held
	if text != "" {
		Deliver(u, c, text)
		if c.Line.Status == notice.LineRefused {
			return nil
		}
	} else if _, code, name := addressees(c.Sender, c.Word.To); code != "" {
		return notice.Refuse(code, "word", name)
	} else {
		c.Line.Status = notice.LineAsked
		if len(held) == 1 && strings.HasSuffix(c.Line.Text, held[0].Text) { // it is the whole line
			c.Line.Problem, c.More = held[0].Problem, nil
		}
	}
	return askSend(u, c, held)
}

// askSend asks whether to send the lines that were held back; a yes sends them.
func askSend(u *unit.Unit, c *unit.Call, held []notice.LineResult) error {
	if c.Trial {
		return nil
	}
	var lines []string
	for _, l := range held {
		lines = append(lines, l.Text)
	}
	asked, err := u.AskYes(c.Sender, unit.Meant{To: c.Word.To, Names: c.Sender.Names, Text: strings.Join(lines, "\n")})
	if err != nil || !asked {
		return err
	}
	to, _, _ := addressees(c.Sender, c.Word.To)
	if names := namesOf(to); names != "" {
		c.Sender.Answer.Say(notice.AskSend, "names", names).List = lines
	} else {
		c.Sender.Answer.Say(notice.AskSendAll).List = lines
	}
	return nil
}

func namesOf(seats []*store.Seat) string {
	var out []string
	for _, x := range seats {
		out = append(out, x.Name)
	}
	return strings.Join(out, ", ")
}

// addressees returns the seats of the players named, none for everyone; code says what is wrong
// with name.
func addressees(w *unit.Sender, names []string) (to []*store.Seat, code, name string) {
	for _, name := range names {
		x, code := w.Game.Named(name, w.Names)
		if code != "" {
			return nil, code, name
		}
		if !slices.Contains(to, x) {
			to = append(to, x)
		}
	}
	return to, "", ""
}

// Deliver delivers a text as it is; in a preview it only shows it.
func Deliver(u *unit.Unit, c *unit.Call, text string) {
	w, t := c.Sender, c.Sender.Game
	if t == nil || w.Seat == nil || w.Seat.Player != w.ID {
		c.Refuse(notice.ProblemNoGame)
		return
	}
	if text == "" || len(text) > order.MaxText {
		c.Refuse(order.LongText)
		return
	}
	to, code, name := addressees(c.Sender, c.Word.To)
	if code != "" {
		c.Refuse(code, "word", name)
		return
	}
	if !c.Trial {
		n := u.Bump("press/"+t.Row.ID+"/"+strconv.Itoa(w.Seat.Place), u.Day())
		if n > maxPress {
			c.Refuse(notice.ProblemMany, "word", order.Say.String(), "n", strconv.Itoa(maxPress))
			return
		}
	}
	private := len(to) > 0
	if !private {
		for i := range t.Seats {
			to = append(to, &t.Seats[i])
		}
		if !c.Trial {
			u.Check(u.Tx.AddPress(&store.Press{Game: t.Row.ID, Place: w.Seat.Place, Writer: w.ID, Step: t.Step(), Text: text, At: u.At}))
		}
	}
	var names []string
	for _, x := range to {
		if private && !c.Trial {
			u.Check(u.Tx.AddPress(&store.Press{Game: t.Row.ID, Place: w.Seat.Place, Writer: w.ID, To: x.Place, Reader: x.Player, Step: t.Step(), Text: text, At: u.At}))
		}
		if x.Player == w.ID || x.Player == 0 || x.Stage == store.SeatInvited {
			continue
		}
		if x.MutedBy(x.Player) {
			w.Answer.Say(notice.TellMutedAll, "name", x.Name)
			continue
		}
		names = append(names, x.Name)
		if c.Trial {
			continue
		}
		if hidden, err := ignores(u, x.Player, w.ID); err != nil {
			u.Check(err)
		} else if hidden { // the writer must not learn that
			continue
		}
		d := u.DraftFor(x.Player, t, notice.KindInfo)
		p := incoming.Press{From: w.Seat.Name, Text: text}
		if private {
			p.To = x.Name
		}
		d.Answer.Press = append(d.Answer.Press, p)
	}
	sent(c, notice.Sent{Kind: order.Say.String(), To: names, Text: text})
	switch {
	case c.Trial:
	case len(names) > 0:
		w.Answer.Say(notice.SaySaid, "names", strings.Join(names, ", "))
	default:
		w.Answer.Say(notice.SaySaidNobody)
	}
}

// sent shows the writer what they have sent, or would have.
func sent(c *unit.Call, m notice.Sent) {
	if m.Trial = c.Trial; c.Trial {
		c.Line.Status = notice.LineTried
	} else {
		c.Done()
	}
	c.Sender.Answer.Answer.Sent = append(c.Sender.Answer.Answer.Sent, m)
}

// Note keeps a text for its writer alone. No one else reads it, so no line is held back; but if
// the writer meant a line as an order, the answer says that it was not played.
func Note(u *unit.Unit, c *unit.Call) error {
	w, t := c.Sender, c.Sender.Game
	if t == nil || w.Seat == nil || w.Seat.Player != w.ID {
		return notice.Refuse(notice.ProblemNoGame)
	}
	text := naming.Clean(c.Word.Text, true)
	if text == "" || len(text) > order.MaxText {
		return notice.Refuse(order.LongText)
	}
	if !c.Trial {
		n := u.Bump("note/"+t.Row.ID+"/"+strconv.Itoa(w.Seat.Place), u.Day())
		if n > maxPress {
			return notice.Refuse(notice.ProblemMany, "word", order.Note.String(), "n", strconv.Itoa(maxPress))
		}
		u.Check(u.Tx.AddPress(&store.Press{Game: t.Row.ID, Place: w.Seat.Place, Writer: w.ID, To: -1, Step: t.Step(), Text: text, At: u.At}))
		w.Answer.Say(notice.SayNoted)
	}
	sent(c, notice.Sent{Kind: order.Note.String(), Text: text})
	if slices.ContainsFunc(strings.Split(text, "\n"), order.ReadsAsOrder) {
		w.Answer.Say(notice.SayNotedOnly)
	}
	return nil
}
