package seating

import (
	"errors"
	"strconv"
	"strings"

	"angelpost/engine/match/leagues"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A player who mutes a game gets no more letters about it except answers to their own. They are
// in it as before: it waits for them, they can play, and the first step they take ends the
// muting. The game's log does not record it.
//
// A player who mutes a league gets no more letters about it except answers, questions to them,
// and decisions about their own games. They are in it as before, and its games' letters come.

// SetMuted mutes the game for a player of the seat, and tells the players concerned once a day.
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

// Mute obeys mute and unmute. To words of their own in which people want no more letters, it
// asks whether their other games are meant, too.
func Mute(u *unit.Unit, c *unit.Call) error {
	w, t := c.Sender, c.Sender.Game
	all := c.Word.Arg == order.AllGames
	if t == nil && !all {
		err := leagues.Mute(u, c)
		if c.Word.Arg != order.Unsubscribe || notice.AsProblem(err) == nil {
			return err
		}
		all = true // a letter about none in particular
	}
	if all {
		return muteAll(u, c)
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
	if err := SetMuted(u, t, w.Seat, w.ID); err != nil || c.Word.Arg != order.Unsubscribe {
		return err
	}
	others, err := mutable(u, w.ID, order.Mute)
	if err != nil || len(others) == 0 {
		return err
	}
	asked, err := u.AskYes(w, unit.Meant{Orders: []string{order.Mute.String() + " " + order.AllGames}, Names: w.Names})
	if asked {
		w.Answer.Say(notice.AskMuteAll, "n", strconv.Itoa(len(others)))
	}
	return err
}

// muteAll mutes, or unmutes, all games in which the writer has a seat.
func muteAll(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	games, err := mutable(u, w.ID, c.Word.Kind)
	if err != nil {
		return err
	}
	c.Done()
	code, muted := notice.SayMutedAll, w.ID
	if c.Word.Kind == order.Unmute {
		code, muted = notice.SayUnmutedAll, 0
	}
	for _, t := range games {
		x := t.Of(w.ID)
		if muted == 0 {
			x.Muted = 0
		} else if err := SetMuted(u, t, x, w.ID); err != nil {
			return err
		}
	}
	w.Answer.Say(code, "n", strconv.Itoa(len(games)))
	return nil
}

// maxMuted bounds the games that one letter mutes.
const maxMuted = 50

// mutable are the games in which a player has a seat, and that a word would mute or unmute.
func mutable(u *unit.Unit, player int64, k order.WordKind) (all []*unit.Game, err error) {
	rows, err := u.Tx.GamesOf(player, true)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		t, err := u.Game(row.ID)
		if errors.Is(err, replays.ErrUnreadable) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if x := t.Of(player); x != nil && x.MutedBy(player) == (k == order.Unmute) && len(all) < maxMuted {
			all = append(all, t)
		}
	}
	return all, nil
}

// WantsMute reports whether a letter is what a mail program writes to the address
// of a List-Unsubscribe field: what counts is its subject.
func WantsMute(c unit.Command) bool {
	return strings.EqualFold(strings.TrimSpace(c.Subject), order.Mute.String())
}
