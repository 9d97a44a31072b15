package agreements

import (
	"fmt"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/match/clock"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// In a game that counts for neither ratings nor a league, a player may take back their last
// turn, if all others agree. The agreement names the asker's place and the line that the game
// goes back to, so that an old yes never counts for another turn. The others may play on
// meanwhile; their steps are undone, too. Once the asker has played on, the question is void.

// maxTakeBacks bounds how often a player asks in a game a day: each is a letter to all.
const maxTakeBacks = 3

// takeBack is the prefix of the agreement to take a turn back: "take-back/PLACE/LINE".
const takeBack = store.ConfirmTakeBack + "/"

// takesBack returns why no turn of a game can be taken back, nil if one can.
func takesBack(u *unit.Unit, t *unit.Game) error {
	counts, err := leagues.Counts(u, t)
	switch {
	case err != nil:
		return err
	case counts || t.Row.League != "":
		return notice.Refuse(notice.ProblemLeagueGame, "word", "take back")
	case t.Row.Visibility == store.Listed:
		return notice.Refuse(notice.ProblemTakeBackRated)
	case t.Alone():
		return notice.Refuse(notice.ProblemTakeBackAlone)
	case !t.Running() || t.Row.Options.Shared:
		return notice.Refuse(notice.ProblemNotNow, "word", "take back")
	}
	return nil
}

// MayTakeBack reports whether turns of a game can be taken back if all players agree.
func MayTakeBack(u *unit.Unit, t *unit.Game) bool { return takesBack(u, t) == nil }

// TakeBack asks the others whether the game may go back to before the writer's last turn.
func TakeBack(u *unit.Unit, c *unit.Call) error {
	w, t := c.Sender, c.Sender.Game
	if t == nil {
		return notice.Refuse(notice.ProblemNoGame)
	}
	if t.Row.State == store.GameInvited {
		return notice.Refuse(notice.ProblemNotNow, "word", c.Word.Kind.String())
	}
	if err := takesBack(u, t); err != nil {
		return err
	}
	if w.Seat == nil || w.Seat.Player != w.ID || w.Seat.Bot != "" {
		return notice.Refuse(w.Unseated())
	}
	to, ok := t.Replay.BeforeTurn(engine.Seat(w.Seat.Seat))
	if !ok {
		return notice.Refuse(notice.ProblemTakeBack)
	}
	what := takeBack + fmt.Sprintf("%d/%d", w.Seat.Place, to)
	left := unagreed(t, what)
	if w.Seat.HasAgreed(what) && left != "" {
		return notice.Refuse(notice.ProblemSpent, "names", left)
	}
	if w.Seat.HasAgreed(what) { // the last who had not has left
		c.Done()
		return takeTurnBack(u, t, w.Seat, to)
	}
	if n := u.Bump(takeBack+t.Row.ID+"/"+strconv.Itoa(w.Seat.Place), u.Day()); n > maxTakeBacks {
		return notice.Refuse(notice.ProblemMany, "word", c.Word.Kind.String(), "n", strconv.Itoa(maxTakeBacks))
	}
	c.Done()
	drop(t, takeBack)
	agreeTo(w.Seat, what)
	w.Answer.Say(notice.SayAgreed, "what", c.Word.Kind.String(), "names", unagreed(t, what))
	askOthersFor(u, w, store.ConfirmTakeBack, what, notice.AskTakeBack, "name", w.Seat.Name)
	return nil
}

// TakeBackYes counts a player's yes, and takes the turn back once all have agreed.
func TakeBackYes(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	t := w.Game
	asker, to := takenBack(t, c.Lines)
	if asker == nil || w.Seat == nil || w.Seat.Player != w.ID || w.Seat.Bot != "" {
		return notice.Refuse(notice.ProblemLapsed)
	}
	if err := takesBack(u, t); err != nil {
		return err
	}
	agreeTo(w.Seat, c.Lines)
	if left := unagreed(t, c.Lines); left != "" {
		w.Answer.Say(notice.SayAgreed, "what", "take back", "names", left)
		return nil
	}
	return takeTurnBack(u, t, asker, to)
}

// takeTurnBack takes the game back, and tells everyone.
func takeTurnBack(u *unit.Unit, t *unit.Game, asker *store.Seat, to int) error {
	drop(t, takeBack)
	if err := t.Replay.TakeBack(engine.Seat(asker.Seat), to); err != nil {
		return err
	}
	if err := clock.Rewound(u, t); err != nil {
		return err
	}
	u.TellAll(t, 0, func(x *store.Seat, d *unit.Draft) {
		d.Say(notice.TellTakenBack, "name", asker.Name)
		if !t.Replay.Waits(engine.Seat(x.Seat)) { // or their letter shows it anyway
			d.Answer.Sections = append(d.Answer.Sections, notice.Section{Kind: "board"})
		}
	})
	return nil
}

// TakeBackNo ends the question, and tells the player who asked.
func TakeBackNo(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	asker, _ := takenBack(w.Game, c.Lines)
	if asker == nil || w.Seat == nil || w.Seat.Player != w.ID {
		return nil
	}
	drop(w.Game, takeBack)
	u.DraftFor(asker.Player, w.Game, notice.KindInfo).Say(notice.TellTakeBackNo, "name", w.Seat.Name)
	return nil
}

// takenBack returns the seat of the player who wants to take a turn back, and the line before
// that turn. It returns nil if the question is closed, or if they have played on.
func takenBack(t *unit.Game, what string) (asker *store.Seat, to int) {
	var place int
	if t == nil || t.Replay == nil || !t.Running() {
		return nil, 0
	}
	if n, err := fmt.Sscanf(what, takeBack+"%d/%d", &place, &to); n != 2 || err != nil {
		return nil, 0
	}
	x := t.Place(place)
	if x == nil || x.Unplayed() || !x.HasAgreed(what) {
		return nil, 0
	}
	if now, ok := t.Replay.BeforeTurn(engine.Seat(x.Seat)); !ok || now != to {
		return nil, 0
	}
	return x, to
}

// agreeTo records a seat's yes.
func agreeTo(x *store.Seat, what string) {
	if !x.HasAgreed(what) {
		x.Agreed = strings.TrimSpace(x.Agreed + " " + what)
	}
}
