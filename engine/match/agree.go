package match

import (
	"slices"
	"strings"

	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// alone reports whether a game has at most one human player. Ratings count listed
// games, so a player with only bots can neither end one without a result nor change
// what it counts for once it has begun: no one else could agree.
func (t *table) alone() bool {
	persons := 0
	for i := range t.seats {
		if !t.seats[i].Unplayed() {
			persons++
		}
	}
	return persons < 2
}

// abandon ends a running game once every person in it has said so.
func (s *unit) abandon(c *call) error {
	w, t := c.w, c.w.table
	if t == nil {
		return notice.Refuse(notice.ProblemNoGame)
	}
	counts, err := s.counts(t)
	switch {
	case err != nil:
		return err
	case counts:
		return notice.Refuse(notice.ProblemLeagueGame, "word", c.word.Kind.String())
	case w.seat == nil || w.seat.Player != w.ID || w.seat.Bot != "" || !t.running():
		return notice.Refuse(notice.ProblemNotNow, "word", c.word.Kind.String())
	case t.row.Visibility == store.Listed && t.alone():
		return notice.Refuse(notice.ProblemAlone, "word", c.word.Kind.String())
	case w.seat.HasAgreed(store.ConfirmAbandon):
		return notice.Refuse(notice.ProblemSpent, "names", t.unagreed(store.ConfirmAbandon))
	}
	c.done()
	first := !slices.ContainsFunc(t.seats, func(x store.Seat) bool { return x.HasAgreed(store.ConfirmAbandon) })
	if err := s.agree(w, store.ConfirmAbandon); err != nil || !first || !t.running() {
		return err
	}
	s.askOthers(w, store.ConfirmAbandon, notice.AskAbandon, "name", w.seat.Name)
	return nil
}

// askOthers asks every other person of the game for a yes.
func (s *unit) askOthers(w *writer, kind, code string, args ...string) {
	for i := range w.table.seats {
		x := &w.table.seats[i]
		if x.Unplayed() || x.Player == w.ID || x.Stage != store.SeatJoined {
			continue
		}
		p := s.player(x.Player)
		c := &store.Confirm{Kind: kind, Player: x.Player, Address: p.Address, Game: w.table.row.ID}
		s.ask(p.Address, x.Player, w.table, c, code, args...)
	}
}

// unagreed names the people who have not yet agreed to what.
func (t *table) unagreed(what string) string {
	var out []string
	for _, x := range t.seats {
		if !x.Unplayed() && !x.HasAgreed(what) {
			out = append(out, x.Name)
		}
	}
	return strings.Join(out, ", ")
}

// asks reports whether what all must agree to is still to be decided.
func (t *table) asks(kind string) bool {
	switch kind {
	case store.ConfirmVisibility:
		return t.row.Raise != ""
	case store.ConfirmPause:
		return t.running() && t.row.Paused.IsZero()
	case store.ConfirmResume:
		return t.running() && !t.row.Paused.IsZero()
	}
	return t.running()
}

// agree records the writer's yes, and carries out the request once everyone has agreed.
func (s *unit) agree(w *writer, kind string) error {
	t := w.table
	if t == nil || w.seat == nil || w.seat.Player != w.ID || !t.asks(kind) {
		return nil
	}
	what := kind
	if kind == store.ConfirmVisibility {
		what = t.row.Raise
	}
	if !w.seat.HasAgreed(what) {
		w.seat.Agreed = strings.TrimSpace(w.seat.Agreed + " " + what)
	}
	left := t.unagreed(what)
	if left != "" {
		w.answer.say(notice.SayAgreed, "what", what, "names", left)
		return nil
	}
	if kind == store.ConfirmVisibility {
		t.row.Visibility, t.row.Raise = what, ""
		s.tellAll(t, 0, func(_ *store.Seat, d *draft) { d.say(notice.TellVisibility, "visibility", what) })
		return nil
	}
	if kind == store.ConfirmPause || kind == store.ConfirmResume {
		return s.setPaused(t, kind == store.ConfirmPause, "")
	}
	s.over(t, store.GameAbandoned)
	s.tellAll(t, 0, func(_ *store.Seat, d *draft) {
		if rank(notice.KindEnd) > rank(d.kind) {
			d.kind = notice.KindEnd
		}
		d.say(notice.TellAbandoned)
	})
	return nil
}

// agreedByRest pauses a game, or lets it go on, if all who still play it have agreed
// to that: the last who had not has left.
func (s *unit) agreedByRest(t *table) error {
	for _, kind := range []string{store.ConfirmPause, store.ConfirmResume} {
		one := slices.ContainsFunc(t.seats, func(x store.Seat) bool { return !x.Unplayed() && x.HasAgreed(kind) })
		if one && t.asks(kind) && t.unagreed(kind) == "" {
			return s.setPaused(t, kind == store.ConfirmPause, "")
		}
	}
	return nil
}

// setVisibility lowers a game's visibility at once, and raises it, or lowers that of a
// listed one that has begun, when every player says yes. No player decides alone
// whether a game that has begun is listed.
func (s *unit) setVisibility(c *call, value string) error {
	order := []string{store.Private, store.Unlisted, store.Listed}
	if !slices.Contains(order, value) {
		return notice.Refuse(notice.ProblemOption, "word", "visibility: "+clean(value, false))
	}
	if c.w.words {
		c.refuse(notice.ProblemToken)
		return s.noticeAgain(c.w)
	}
	if !s.organises(c) {
		return nil
	}
	t, w := c.w.table, c.w
	if value == store.Private && t.row.State == store.GameInvited && t.row.Options.Open { // anyone with its id may join
		return notice.Refuse(notice.ProblemOption, "word", "visibility: "+value)
	}
	raise := slices.Index(order, value) > slices.Index(order, t.row.Visibility)
	if raise && t.row.State == store.GameInvited { // the invitations have said otherwise
		return notice.Refuse(notice.ProblemNotNow, "word", "visibility")
	}
	// A listed game counts for ratings: its organiser cannot take back a loss.
	counts := value != t.row.Visibility && t.row.Visibility == store.Listed && !t.row.Started.IsZero()
	if t.alone() && (counts || raise && value == store.Listed) {
		return notice.Refuse(notice.ProblemAlone, "word", "visibility")
	}
	c.done()
	if !raise && !counts {
		t.row.Visibility, t.row.Raise = value, ""
		w.answer.say(notice.SayVisibility, "visibility", value)
		return nil
	}
	t.row.Raise = value
	for i := range t.seats { // a new question: old answers are to another one
		x := &t.seats[i]
		x.Agreed = strings.Join(slices.DeleteFunc(strings.Fields(x.Agreed), func(a string) bool { return a == value }), " ")
	}
	if w.seat == nil { // organises, but does not play
		w.answer.say(notice.SayAgreed, "what", value, "names", t.unagreed(value))
	} else if err := s.agree(w, store.ConfirmVisibility); err != nil || t.row.Raise == "" {
		return err
	}
	s.askOthers(w, store.ConfirmVisibility, notice.AskRaise, "visibility", value, "name", w.shown())
	return nil
}
