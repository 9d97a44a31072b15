package match

import (
	"slices"
	"strings"
)

// agreed tells whether the seat has said yes to what, and agree adds it.
func (x *SeatRow) agreed(what string) bool {
	return slices.Contains(strings.Fields(x.Agreed), what)
}

// alone tells whether no two persons play a game. Ratings count listed games, so
// who plays one with bots can neither end it without a result nor settle what it
// counts for once it has begun: nobody else could agree.
func (t *table) alone() bool {
	persons := 0
	for i := range t.seats {
		if !t.seats[i].nobody() {
			persons++
		}
	}
	return persons < 2
}

// abandon ends a running game once every person in it has said so.
func (s *sitting) abandon(c *saying) error {
	w, t := c.w, c.w.table
	if t == nil {
		c.refuse(ProblemNoGame)
		return nil
	}
	counts, err := s.counts(t)
	switch {
	case err != nil:
		return err
	case counts:
		c.refuse(ProblemLeagueGame, "word", c.word.Kind.String())
		return nil
	case w.seat == nil || w.seat.Player != w.ID || w.seat.Bot != "" || !t.running():
		c.refuse(ProblemNotNow, "word", c.word.Kind.String())
		return nil
	case t.row.Visibility == Listed && t.alone():
		c.refuse(ProblemAlone, "word", c.word.Kind.String())
		return nil
	case w.seat.agreed(ConfirmAbandon):
		c.refuse(ProblemSpent, "names", t.unagreed(ConfirmAbandon))
		return nil
	}
	c.done()
	first := !slices.ContainsFunc(t.seats, func(x SeatRow) bool { return x.agreed(ConfirmAbandon) })
	if err := s.agree(w, ConfirmAbandon); err != nil || !first || !t.running() {
		return err
	}
	return s.askOthers(w, ConfirmAbandon, AskAbandon, "name", w.seat.Name)
}

// askOthers asks every other person of the game for a yes.
func (s *sitting) askOthers(w *writer, kind, code string, args ...string) error {
	for i := range w.table.seats {
		x := &w.table.seats[i]
		if x.nobody() || x.Player == w.ID || x.Stage != SeatJoined {
			continue
		}
		p, err := s.player(x.Player)
		if err != nil {
			return err
		}
		c := &ConfirmRow{Kind: kind, Player: x.Player, Address: p.Address, Game: w.table.row.ID}
		if _, err := s.ask(p.Address, x.Player, w.table, c, code, args...); err != nil {
			return err
		}
	}
	return nil
}

// unagreed names the persons who have not said yes to what.
func (t *table) unagreed(what string) string {
	var out []string
	for _, x := range t.seats {
		if !x.nobody() && !x.agreed(what) {
			out = append(out, x.Name)
		}
	}
	return strings.Join(out, ", ")
}

// asks tells whether what all must agree to is still to be decided.
func (t *table) asks(kind string) bool {
	switch kind {
	case ConfirmVisibility:
		return t.row.Raise != ""
	case ConfirmPause:
		return t.running() && t.row.Paused.IsZero()
	case ConfirmResume:
		return t.running() && !t.row.Paused.IsZero()
	}
	return t.running()
}

// agree notes the writer's yes, and does what was asked once it is everybody's.
func (s *sitting) agree(w *writer, kind string) error {
	t := w.table
	if t == nil || w.seat == nil || w.seat.Player != w.ID || !t.asks(kind) {
		if w.answer != nil {
			w.answer.say(SayLapsed)
		}
		return nil
	}
	what := kind
	if kind == ConfirmVisibility {
		what = t.row.Raise
	}
	if !w.seat.agreed(what) {
		w.seat.Agreed = strings.TrimSpace(w.seat.Agreed + " " + what)
	}
	left := t.unagreed(what)
	if left != "" {
		w.answer.say(SayAgreed, "what", what, "names", left)
		return nil
	}
	if kind == ConfirmVisibility {
		t.row.Visibility, t.row.Raise = what, ""
		return s.tellAll(t, 0, func(_ *SeatRow, d *draft) { d.say(TellVisibility, "visibility", what) })
	}
	if kind == ConfirmPause || kind == ConfirmResume {
		return s.setPaused(t, kind == ConfirmPause, "")
	}
	if err := s.over(t, GameAbandoned); err != nil {
		return err
	}
	return s.tellAll(t, 0, func(_ *SeatRow, d *draft) {
		if rank(KindEnd) > rank(d.kind) {
			d.kind = KindEnd
		}
		d.say(TellAbandoned)
	})
}

// agreedByRest pauses a game, or lets it go on, if all who still play it have agreed
// to that: the last who had not has left.
func (s *sitting) agreedByRest(t *table) error {
	for _, kind := range []string{ConfirmPause, ConfirmResume} {
		one := slices.ContainsFunc(t.seats, func(x SeatRow) bool { return !x.nobody() && x.agreed(kind) })
		if one && t.asks(kind) && t.unagreed(kind) == "" {
			return s.setPaused(t, kind == ConfirmPause, "")
		}
	}
	return nil
}

// setVisibility lowers a game's visibility at once, and raises it, or lowers that of
// a listed one that has begun, when every player says yes. Whether a game that has
// begun is listed nobody settles alone.
func (s *sitting) setVisibility(c *saying, value string) error {
	order := []string{Private, Unlisted, Listed}
	if !slices.Contains(order, value) {
		c.refuse(ProblemOption, "word", "visibility: "+clean(value, false))
		return nil
	}
	if c.w.words {
		c.refuse(ProblemToken)
		return s.noticeAgain(c.w)
	}
	if !s.organises(c) {
		return nil
	}
	t, w := c.w.table, c.w
	if value == Private && t.row.State == GameInvited && t.row.Options.Open { // whoever has its id may join
		c.refuse(ProblemOption, "word", "visibility: "+value)
		return nil
	}
	raise := slices.Index(order, value) > slices.Index(order, t.row.Visibility)
	if raise && t.row.State == GameInvited { // the invitations have said otherwise
		c.refuse(ProblemNotNow, "word", "visibility")
		return nil
	}
	// A listed game counts for ratings: who organises it does not take his loss back.
	counts := value != t.row.Visibility && t.row.Visibility == Listed && !t.row.Started.IsZero()
	if t.alone() && (counts || raise && value == Listed) {
		c.refuse(ProblemAlone, "word", "visibility")
		return nil
	}
	c.done()
	if !raise && !counts {
		t.row.Visibility, t.row.Raise = value, ""
		w.answer.say(SayVisibility, "visibility", value)
		return nil
	}
	t.row.Raise = value
	for i := range t.seats { // a new question: old answers are to another one
		x := &t.seats[i]
		x.Agreed = strings.Join(slices.DeleteFunc(strings.Fields(x.Agreed), func(a string) bool { return a == value }), " ")
	}
	if w.seat == nil { // organises, but does not play
		w.answer.say(SayAgreed, "what", value, "names", t.unagreed(value))
	} else if err := s.agree(w, ConfirmVisibility); err != nil || t.row.Raise == "" {
		return err
	}
	return s.askOthers(w, ConfirmVisibility, AskRaise, "visibility", value, "name", w.shown())
}
