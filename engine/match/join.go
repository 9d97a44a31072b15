package match

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"angelpost/engine/order"
)

// join takes the writer's seat: at the start, or another's later.
func (s *sitting) join(c *saying) error {
	w, t := c.w, c.w.table
	switch {
	case t == nil:
		c.refuse(ProblemNoGame)
		return nil
	case w.seat == nil || !w.invited():
		c.refuse(ProblemJoined)
		return nil
	}
	x := w.seat
	proper, word, p := s.comesAs(t, x, w.PlayerRow, c.word, s.cmd.Name)
	if p != nil {
		c.line.Status, c.line.Problem = LineRefused, p
		return nil
	}
	c.done()
	x.Muted = 0
	if t.row.State != GameInvited {
		return s.takeOver(w, t, x, proper)
	}
	x.Name, x.Entropy, x.Stage = proper, word, SeatJoined
	w.answer.say(SayJoined, "name", proper, "entropy", word, "waiting", t.waitingFor())
	if err := s.startIfJoined(t); err != nil || t.row.State != GameInvited {
		return err
	}
	return s.tellOrganiser(t, w.ID, TellJoined, "name", proper)
}

// comesAs is the name under which a player takes a seat, the one he gives with
// his join, his own, or what his letter calls him, and his word of entropy.
func (s *sitting) comesAs(t *table, x *SeatRow, p *PlayerRow, join order.Word, called string) (name, word string, no *Problem) {
	problem := func(code, word string) (string, string, *Problem) {
		return "", "", &Problem{Code: code, Args: map[string]string{"word": word}}
	}
	word = strings.TrimSpace(s.NFC(join.Text))
	if len(word) > order.MaxName || strings.ContainsFunc(word, unicode.IsControl) {
		return problem(ProblemEntropy, join.Text)
	}
	name, ok := s.properName(cmp.Or(join.Name, p.Name, called))
	if !ok && join.Name != "" {
		return problem(ProblemBadName, join.Name)
	}
	if ok && t.taken(name, x.Place) {
		if ok = false; join.Name != "" {
			return problem(ProblemName, join.Name)
		}
	} else if ok && p.Name == "" {
		p.Name = name
	}
	if !ok {
		name = "Player " + strconv.Itoa(x.Place)
	}
	return name, word, nil
}

// takeOver seats an heir at a running game.
func (s *sitting) takeOver(w *writer, t *table, x *SeatRow, name string) error {
	if !t.running() {
		w.answer.say(TellCancelled)
		return nil
	}
	old, oldName := x.Player, x.Name
	x.Player, x.Heir, x.Bot, x.Stage, x.Name = w.ID, 0, "", SeatJoined, name
	x.Thread, x.Seen, x.Agreed = "", -1, ""
	x.Bank, x.Missed, x.Left = t.pace().Bank, 0, 0
	if err := s.unschedule(x); err != nil { // his time begins anew, too
		return err
	}
	t.stretches[x.Place] = stretch{}
	by := ByOrganiser
	if t.row.League != "" { // it has none
		by = ByDirector
	}
	s.nowPlays(t, x, by, StintTakeover)
	t.waited[x.Place] = false
	for _, kind := range []string{DueExpire, DueSeat} {
		if err := s.tx.ClearDue(kind, t.row.ID, x.Place); err != nil {
			return err
		}
	}
	w.answer.say(SayJoined, "name", name, "entropy", "", "waiting", "")
	w.answer.since = -1
	for i := range t.seats {
		y := &t.seats[i]
		if y.Place == x.Place || y.nobody() {
			continue
		}
		d, err := s.draftFor(y.Player, t, KindInfo)
		if err != nil {
			return err
		}
		d.say(TellTakenOver, "name", name, "old", oldName)
	}
	if old == 0 || old == w.ID {
		return nil
	}
	p, err := s.player(old)
	if err != nil {
		return err
	}
	if a, err := s.address(p.Address); err != nil || !a.Bounced.IsZero() { // nobody reads it
		return err
	}
	d, err := s.draftFor(old, t, KindInfo)
	if err != nil {
		return err
	}
	d.say(TellOut, "seat", strconv.Itoa(x.Seat)) // which was his: his calendar knows it by that
	return nil
}

// decline leaves an invitation, or a seat that was offered.
func (s *sitting) decline(c *saying) error {
	w, t := c.w, c.w.table
	if t == nil || w.seat == nil || !w.invited() {
		c.refuse(ProblemNotNow, "word", c.word.Kind.String())
		return nil
	}
	x := w.seat
	if x.Heir == w.ID && x.Player != w.ID {
		return s.heirDeclines(c)
	}
	name, again := x.Name, x.Stage == SeatDeclined
	if t.row.Options.Open && x.Player != t.row.Organiser {
		x.leave()
	} else {
		x.Stage = SeatDeclined
	}
	c.done()
	w.answer.say(SayDeclined)
	if again { // he is known to have
		return nil
	}
	return s.tellOrganiser(t, w.ID, TellDeclined, "name", name, "address", w.PlayerRow.Address)
}

// heirDeclines leaves a seat that was offered, by its game's organiser or who
// rules over it, or to a substitute.
func (s *sitting) heirDeclines(c *saying) error {
	w, t, x := c.w, c.w.table, c.w.seat
	x.Heir = 0
	c.done()
	w.answer.say(SayDeclined)
	offers, err := s.tx.DuesOf(DueExpire, t.row.ID)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(offers, func(d DueRow) bool { return d.Place == x.Place }) { // substitutes have none
		if err := s.tellOfferer(t, w.ID, TellHeirDeclined, "name", x.Name, "address", w.PlayerRow.Address); err != nil {
			return err
		}
	}
	if err := s.tx.ClearDue(DueExpire, t.row.ID, x.Place); err != nil {
		return err
	}
	return s.seekNext(t, x)
}

// tellOfferer writes to who asks people to take seats of a game over.
func (s *sitting) tellOfferer(t *table, about int64, code string, args ...string) error {
	if t.row.League != "" {
		_, err := s.tellRulers(t, code, args...)
		return err
	}
	return s.tellOrganiser(t, about, code, args...)
}
