package seating

import (
	"strconv"
	"strings"

	"angelpost/engine/match/leagues"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A player who mutes a game gets no letters about it any more but the answers to their
// own. They are in it as before: it waits for them, what they play is played, and the
// first step they take ends the muting. It is no part of the game's log.
//
// A player who mutes a league gets none about it but answers, and those that ask them
// something or tell what was decided about their own games. They are in it as before,
// and its games' letters come.

// SetMuted mutes the game for a player of the seat, and tells once a day whom
// it concerns.
func SetMuted(u *unit.Unit, t *unit.Game, x *store.Seat, player int64) error {
	if x.MutedBy(player) {
		return nil
	}
	x.Muted = player
	if t.Row.State != store.GameInvited && t.Row.State != store.GameRunning || x.Player != player || x.Bot != "" {
		return nil // no one waits for them
	}
	n := u.Bump("mute/"+t.Row.ID+"/"+strconv.Itoa(x.Place), u.Day())
	if n > 1 {
		return nil
	}
	return TellHelper(u, t, player, notice.TellMuted, notice.TellMutedAll, "name", x.Name)
}

// Unmute lets letters about the game go to the writer again; their answer tells all
// that happened meanwhile.
func Unmute(u *unit.Unit, w *unit.Sender) {
	w.Seat.Muted = 0
	w.Answer.Say(notice.SayUnmuted)
	if w.Seat.Player == w.ID && w.Game.Replay != nil {
		w.Answer.Since, w.Answer.Whole, w.Answer.Answer.Board = w.Seat.Seen, true, true
	}
}

// Mute obeys mute and unmute.
func Mute(u *unit.Unit, c *unit.Call) error {
	w, t := c.Sender, c.Sender.Game
	if t == nil {
		return leagues.Mute(u, c)
	}
	if w.Seat == nil {
		return notice.Refuse(notice.ProblemNoGame)
	}
	c.Done()
	if c.Word.Kind == order.Unmute {
		Unmute(u, w)
		return nil
	}
	code := notice.SayMuted
	if w.Invited() {
		code = notice.SayMutedInvited
	}
	w.Answer.Say(code)
	return SetMuted(u, t, w.Seat, w.ID)
}

// WantsMute reports whether a letter is what a mail program writes to the address
// of a List-Unsubscribe field: what counts is its subject.
func WantsMute(c unit.Command) bool {
	return strings.EqualFold(strings.TrimSpace(c.Subject), order.Mute.String())
}
