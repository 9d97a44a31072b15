// Package agreements has the decisions that all players of a game must agree to: to abandon or
// pause it, to take a turn back, to show the game to more people, and to give an opponent's
// seat away.
package agreements

import (
	"slices"
	"strings"

	"angelpost/engine/match/clock"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// Abandon ends a running game once every person in it has said so.
func Abandon(u *unit.Unit, c *unit.Call) error {
	w, t := c.Sender, c.Sender.Game
	if t == nil {
		return notice.Refuse(notice.ProblemNoGame)
	}
	counts, err := leagues.Counts(u, t)
	switch {
	case err != nil:
		return err
	case counts:
		return notice.Refuse(notice.ProblemLeagueGame, "word", c.Word.Kind.String())
	case w.Seat == nil || w.Seat.Player != w.ID || w.Seat.Bot != "" || !t.Running():
		return notice.Refuse(notice.ProblemNotNow, "word", c.Word.Kind.String())
	case t.Row.Visibility == store.Listed && t.Alone():
		return notice.Refuse(notice.ProblemAlone, "word", c.Word.Kind.String())
	case w.Seat.HasAgreed(store.ConfirmAbandon):
		return notice.Refuse(notice.ProblemSpent, "names", unagreed(t, store.ConfirmAbandon))
	}
	c.Done()
	first := !slices.ContainsFunc(t.Seats, func(x store.Seat) bool { return x.HasAgreed(store.ConfirmAbandon) })
	if err := Agree(u, w, store.ConfirmAbandon); err != nil || !first || !t.Running() {
		return err
	}
	askOthers(u, w, store.ConfirmAbandon, notice.AskAbandon, "name", w.Seat.Name)
	return nil
}

// askOthers asks every other person of the game for a yes.
func askOthers(u *unit.Unit, w *unit.Sender, kind, code string, args ...string) {
	askOthersFor(u, w, kind, "", code, args...)
}

// askOthersFor is askOthers with what the question is about in lines (store.Confirm).
func askOthersFor(u *unit.Unit, w *unit.Sender, kind, lines, code string, args ...string) {
	for i := range w.Game.Seats {
		x := &w.Game.Seats[i]
		if x.Unplayed() || x.Player == w.ID || x.Stage != store.SeatJoined {
			continue
		}
		p := u.Player(x.Player)
		c := &store.Confirm{Kind: kind, Player: x.Player, Address: p.Address, Game: w.Game.Row.ID, Lines: lines}
		u.Ask(p.Address, x.Player, w.Game, c, code, args...)
	}
}

// unagreed names the people who have not yet agreed to what.
func unagreed(t *unit.Game, what string) string {
	var out []string
	for _, x := range t.Seats {
		if !x.Unplayed() && !x.HasAgreed(what) {
			out = append(out, x.Name)
		}
	}
	return strings.Join(out, ", ")
}

// Asks reports whether a request of a kind still makes sense in the game's state.
func Asks(t *unit.Game, kind string) bool {
	switch kind {
	case store.ConfirmVisibility:
		return t.Row.Raise != ""
	case store.ConfirmPause:
		return t.Running() && t.Row.Paused.IsZero()
	case store.ConfirmResume:
		return t.Running() && !t.Row.Paused.IsZero()
	}
	return t.Running()
}

// Agree records the writer's yes, and carries out the request once everyone has agreed.
func Agree(u *unit.Unit, w *unit.Sender, kind string) error {
	t := w.Game
	if t == nil || w.Seat == nil || w.Seat.Player != w.ID || !Asks(t, kind) {
		return nil
	}
	what := kind
	if kind == store.ConfirmVisibility {
		what = t.Row.Raise
	}
	if !w.Seat.HasAgreed(what) {
		w.Seat.Agreed = strings.TrimSpace(w.Seat.Agreed + " " + what)
	}
	left := unagreed(t, what)
	if left != "" {
		w.Answer.Say(notice.SayAgreed, "what", what, "names", left)
		return nil
	}
	if kind == store.ConfirmVisibility {
		t.Row.Visibility, t.Row.Raise = what, ""
		u.TellAll(t, 0, func(_ *store.Seat, d *unit.Draft) { d.Say(notice.TellVisibility, "visibility", what) })
		return nil
	}
	if kind == store.ConfirmPause || kind == store.ConfirmResume {
		return clock.SetPaused(u, t, kind == store.ConfirmPause, "")
	}
	u.Over(t, store.GameAbandoned)
	u.TellAll(t, 0, func(_ *store.Seat, d *unit.Draft) {
		if unit.Rank(notice.KindEnd) > unit.Rank(d.Kind) {
			d.Kind = notice.KindEnd
		}
		d.Say(notice.TellAbandoned)
	})
	return nil
}

// AgreedByRest pauses a game, or resumes it, if the last player who had not agreed to that has
// left.
func AgreedByRest(u *unit.Unit, t *unit.Game) error {
	for _, kind := range []string{store.ConfirmPause, store.ConfirmResume} {
		one := slices.ContainsFunc(t.Seats, func(x store.Seat) bool { return !x.Unplayed() && x.HasAgreed(kind) })
		if one && Asks(t, kind) && unagreed(t, kind) == "" {
			return clock.SetPaused(u, t, kind == store.ConfirmPause, "")
		}
	}
	return nil
}
