package match

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// join takes the writer's seat: at the start, or another's later.
func (s *unit) join(c *call) error {
	w, t := c.w, c.w.table
	switch {
	case t == nil:
		return notice.Refuse(notice.ProblemNoGame)
	case w.seat == nil || !w.invited():
		return notice.Refuse(notice.ProblemJoined)
	}
	x := w.seat
	proper, word, err := s.comesAs(t, x, w.Player, c.word, s.cmd.Name)
	if err != nil {
		return err
	}
	c.done()
	x.Muted = 0
	if t.row.State != store.GameInvited {
		s.takeOver(w, t, x, proper)
		return nil
	}
	x.Name, x.Entropy, x.Stage = proper, word, store.SeatJoined
	w.answer.say(notice.SayJoined, "name", proper, "entropy", word, "waiting", t.waitingFor())
	w.answer.wantsName(x)
	if err := s.startIfJoined(t); err != nil || t.row.State != store.GameInvited {
		return err
	}
	s.tellOrganiser(t, w.ID, notice.TellJoined, "name", proper)
	return nil
}

// joinAgain takes a join from a player already seated as a request for another name.
func (s *unit) joinAgain(c *call) error {
	if c.word.Name == "" {
		return notice.Refuse(notice.ProblemInGame)
	}
	if err := s.setName(c, c.word.Name); err != nil || c.line.Problem != nil || c.word.Text == "" {
		return err
	}
	c.w.answer.say(notice.SayWordLate, "word", c.word.Text)
	return nil
}

// comesAs returns the name under which a player takes a seat (the one in their join,
// their own, or what their letter calls them) and their word of entropy.
func (s *unit) comesAs(t *table, x *store.Seat, p *store.Player, join order.Word, called string) (name, word string, no error) {
	problem := func(code, word string) (string, string, error) {
		return "", "", notice.Refuse(code, "word", word)
	}
	word = strings.TrimSpace(s.NFC(join.Text))
	if len(word) > order.MaxName || strings.ContainsFunc(word, unicode.IsControl) {
		return problem(notice.ProblemEntropy, join.Text)
	}
	taken := func(name string) bool { return s.taken(t, name, x.Place) }
	name, ok := s.properName(cmp.Or(join.Name, p.Name, called))
	if !ok && join.Name != "" {
		return "", "", s.badName(join.Name, taken)
	}
	if ok && taken(name) {
		if ok = false; join.Name != "" {
			return "", "", s.nameTaken(join.Name, taken)
		}
	} else if ok && p.Name == "" {
		p.Name = name
	}
	if !ok {
		name = store.StandIn(x.Place)
	}
	return name, word, nil
}

// takeOver seats an heir at a running game.
func (s *unit) takeOver(w *writer, t *table, x *store.Seat, name string) {
	if !t.running() {
		w.answer.say(notice.TellCancelled)
		return
	}
	old, oldName := x.Player, x.Name
	x.Player, x.Heir, x.Bot, x.Stage, x.Name = w.ID, 0, "", store.SeatJoined, name
	x.Thread, x.Seen, x.Agreed = "", -1, ""
	x.Bank, x.Missed, x.Left = t.pace().Bank, 0, 0
	s.unschedule(x)
	t.pending[x.Place] = pendingDecision{}
	by := game.ByOrganiser
	if t.row.League != "" { // it has none
		by = game.ByDirector
	}
	s.nowPlays(t, x, by, game.TenureTakeover)
	t.waited[x.Place] = false
	for _, kind := range []string{store.DueExpire, store.DueSeat} {
		s.check(s.tx.ClearDue(kind, t.row.ID, x.Place))
	}
	w.answer.say(notice.SayJoined, "name", name, "entropy", "", "waiting", "")
	w.answer.wantsName(x)
	w.answer.since = -1
	for i := range t.seats {
		y := &t.seats[i]
		if y.Place == x.Place || y.Unplayed() {
			continue
		}
		d := s.draftFor(y.Player, t, notice.KindInfo)
		d.say(notice.TellTakenOver, "name", name, "old", oldName)
	}
	if old == 0 || old == w.ID {
		return
	}
	p := s.player(old)
	if a := s.address(p.Address); !a.Bounced.IsZero() { // no one reads it
		return
	}
	d := s.draftFor(old, t, notice.KindInfo)
	d.say(notice.TellOut, "seat", strconv.Itoa(x.Seat)) // which was theirs: their calendar knows it by that
}

// decline leaves an invitation, or a seat that was offered.
func (s *unit) decline(c *call) error {
	w, t := c.w, c.w.table
	if t == nil || w.seat == nil || !w.invited() {
		return notice.Refuse(notice.ProblemNotNow, "word", c.word.Kind.String())
	}
	x := w.seat
	if x.Heir == w.ID && x.Player != w.ID {
		return s.heirDeclines(c)
	}
	name, again := x.Name, x.Stage == store.SeatDeclined
	if t.row.Options.Open && x.Player != t.row.Organiser {
		x.Leave()
	} else {
		x.Stage = store.SeatDeclined
	}
	c.done()
	w.answer.say(notice.SayDeclined)
	if again { // the organiser knows already
		return nil
	}
	s.tellOrganiser(t, w.ID, notice.TellDeclined, "name", name, "address", w.Player.Address)
	return nil
}

// heirDeclines leaves a seat that was offered, by its game's organiser or who
// rules over it, or to a substitute.
func (s *unit) heirDeclines(c *call) error {
	w, t, x := c.w, c.w.table, c.w.seat
	x.Heir = 0
	c.done()
	w.answer.say(notice.SayDeclined)
	offers, err := s.tx.DuesOf(store.DueExpire, t.row.ID)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(offers, func(d store.Due) bool { return d.Place == x.Place }) { // substitutes have none
		if err := s.tellOfferer(t, w.ID, notice.TellHeirDeclined, "name", x.Name, "address", w.Player.Address); err != nil {
			return err
		}
	}
	s.check(s.tx.ClearDue(store.DueExpire, t.row.ID, x.Place))
	return s.subs.declined(s, t, x)
}

// tellOfferer writes to who asks people to take seats of a game over.
func (s *unit) tellOfferer(t *table, about int64, code string, args ...string) error {
	if t.row.League != "" {
		_, err := s.tellRulers(t, code, args...)
		return err
	}
	s.tellOrganiser(t, about, code, args...)
	return nil
}
