package match

import (
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// What players say: to each other, to a league, to themselves. A message never
// tells what its writer is up to: lines of it that read as orders, and lines that
// name a card of the writer's hand, are held back, and the answer asks about them.
// The answer always shows what went out and to whom.

// maxPress bounds the messages of a player in a game a day, UTC, and the notes.
const maxPress = 30

// omitted stands in a message for lines that were held back.
const omitted = "[…]"

// holdBack takes the lines out of a text that give its writer's plans away, and
// says of each why. hand are the cards that only the writer sees. Nothing is
// left of a text that is held back whole.
func holdBack(text string, hand []engine.Card) (left string, held []notice.LineResult) {
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

// hand are the cards of a seat that its player alone sees.
func (t *table) hand(x *store.Seat) (out []engine.Card) {
	if t.play == nil || x.Seat == 0 || t.play.State.Finished() {
		return nil
	}
	v := t.play.State.Project(engine.Seat(x.Seat))
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

// press delivers a message to one, some or all players of the game, but for the
// lines that are held back.
func (s *unit) press(c *call) error {
	w, t := c.w, c.w.table
	if t == nil || w.seat == nil || w.seat.Player != w.ID {
		return notice.Refuse(notice.ProblemNoGame)
	}
	text, held := holdBack(clean(c.word.Text, true), t.hand(w.seat))
	if len(held) == 0 {
		s.deliver(c, text)
		return nil
	}
	c.more = held
	if text != "" {
		s.deliver(c, text)
		if c.line.Status == notice.LineRefused {
			return nil
		}
	} else if _, code, name := t.addressees(c.word.To); code != "" {
		return notice.Refuse(code, "word", name)
	} else {
		c.line.Status = notice.LineAsked
		if len(held) == 1 && strings.HasSuffix(c.line.Text, held[0].Text) { // it is the whole line
			c.line.Problem, c.more = held[0].Problem, nil
		}
	}
	return s.askSend(c, held)
}

// askSend lets a yes send the lines that were held back.
func (s *unit) askSend(c *call, held []notice.LineResult) error {
	if c.trial {
		return nil
	}
	var lines []string
	for _, l := range held {
		lines = append(lines, l.Text)
	}
	asked, err := s.askYes(c.w, meant{To: c.word.To, Text: strings.Join(lines, "\n")})
	if err != nil || !asked {
		return err
	}
	to, _, _ := c.w.table.addressees(c.word.To)
	if names := namesOf(to); names != "" {
		c.w.answer.say(notice.AskSend, "names", names).List = lines
	} else {
		c.w.answer.say(notice.AskSendAll).List = lines
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

// addressees are the seats of the players named, none for everybody; code tells
// what is wrong with name.
func (t *table) addressees(names []string) (to []*store.Seat, code, name string) {
	for _, name := range names {
		x, code := t.named(name)
		if code != "" {
			return nil, code, name
		}
		if !slices.Contains(to, x) {
			to = append(to, x)
		}
	}
	return to, "", ""
}

// deliver delivers a text as it is; in a preview it only shows it.
func (s *unit) deliver(c *call, text string) {
	w, t := c.w, c.w.table
	if t == nil || w.seat == nil || w.seat.Player != w.ID {
		c.refuse(notice.ProblemNoGame)
		return
	}
	if text == "" || len(text) > order.MaxText {
		c.refuse(order.LongText)
		return
	}
	to, code, name := t.addressees(c.word.To)
	if code != "" {
		c.refuse(code, "word", name)
		return
	}
	if !c.trial {
		n := s.bump("press/"+t.row.ID+"/"+strconv.Itoa(w.seat.Place), s.day())
		if n > maxPress {
			c.refuse(notice.ProblemMany, "word", order.Say.String(), "n", strconv.Itoa(maxPress))
			return
		}
	}
	private := len(to) > 0
	if !private {
		for i := range t.seats {
			to = append(to, &t.seats[i])
		}
		if !c.trial {
			s.check(s.tx.AddPress(&store.Press{Game: t.row.ID, Place: w.seat.Place, Writer: w.ID, Step: t.step(), Text: text, At: s.now}))
		}
	}
	var names []string
	for _, x := range to {
		if private && !c.trial {
			s.check(s.tx.AddPress(&store.Press{Game: t.row.ID, Place: w.seat.Place, Writer: w.ID, To: x.Place, Reader: x.Player, Step: t.step(), Text: text, At: s.now}))
		}
		if x.Player == w.ID || x.Player == 0 || x.Stage == store.SeatInvited {
			continue
		}
		if x.MutedBy(x.Player) {
			w.answer.say(notice.TellMutedAll, "name", x.Name)
			continue
		}
		names = append(names, x.Name)
		if c.trial {
			continue
		}
		d := s.draftFor(x.Player, t, notice.KindInfo)
		p := notice.Press{From: w.seat.Name, Text: text}
		if private {
			p.To = x.Name
		}
		d.answer.Press = append(d.answer.Press, p)
	}
	c.sent(notice.Sent{Kind: order.Say.String(), To: names, Text: text})
	switch {
	case c.trial:
	case len(names) > 0:
		w.answer.say(notice.SaySaid, "names", strings.Join(names, ", "))
	default:
		w.answer.say(notice.SaySaidNobody)
	}
}

// sent shows the writer what they have sent, or would have.
func (c *call) sent(m notice.Sent) {
	if m.Trial = c.trial; c.trial {
		c.line.Status = notice.LineTried
	} else {
		c.done()
	}
	c.w.answer.answer.Sent = append(c.w.answer.answer.Sent, m)
}

// note keeps a text for its writer alone. No one else reads it, so nothing of it is
// held back; but a writer who meant a line of it for an order must hear of that.
func (s *unit) note(c *call) error {
	w, t := c.w, c.w.table
	if t == nil || w.seat == nil || w.seat.Player != w.ID {
		return notice.Refuse(notice.ProblemNoGame)
	}
	text := clean(c.word.Text, true)
	if text == "" || len(text) > order.MaxText {
		return notice.Refuse(order.LongText)
	}
	if !c.trial {
		n := s.bump("note/"+t.row.ID+"/"+strconv.Itoa(w.seat.Place), s.day())
		if n > maxPress {
			return notice.Refuse(notice.ProblemMany, "word", order.Note.String(), "n", strconv.Itoa(maxPress))
		}
		s.check(s.tx.AddPress(&store.Press{Game: t.row.ID, Place: w.seat.Place, Writer: w.ID, To: -1, Step: t.step(), Text: text, At: s.now}))
		w.answer.say(notice.SayNoted)
	}
	c.sent(notice.Sent{Kind: order.Note.String(), Text: text})
	if slices.ContainsFunc(strings.Split(text, "\n"), order.ReadsAsOrder) {
		w.answer.say(notice.SayNotedOnly)
	}
	return nil
}
