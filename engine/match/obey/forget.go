package obey

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"angelpost/engine/match/compete"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// eraseAfter is how long we still know a player who has asked to be forgotten: their last
// letter must go out. Within the hour we then delete their letters in the mailbox.
const eraseAfter = 40 * time.Minute

// forgetOpen is how long players can answer the question whether to forget them.
const forgetOpen = 48 * time.Hour

// forgetMe asks the writer to confirm that we erase all that we keep about them.
func forgetMe(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	if !seating.MayAsk(u, c) {
		return nil
	}
	games := 0
	err := eachGame(u, w.ID, func(t *unit.Game) error {
		if takesPart(t, w.ID) || invited(t, w.ID) {
			games++
		}
		return nil
	})
	if err != nil {
		return err
	}
	in, err := compete.Joined(u, w.ID)
	if err != nil {
		return err
	}
	q := &store.Confirm{Kind: store.ConfirmForget, Player: w.ID, Address: w.Player.Address, Expires: u.At.Add(forgetOpen)}
	u.Question(q)
	w.Answer.Confirm = q.ID
	w.Answer.Answer.Brief = true
	c.Line.Status = notice.LineAsked
	w.Answer.Say(notice.AskForget, "games", strconv.Itoa(games), "leagues", strconv.Itoa(len(in)))
	return nil
}

// forgetYes schedules the erasure of the writer; the answer is their last letter.
func forgetYes(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	if c.Player != w.ID {
		return notice.Refuse(notice.ProblemLapsed)
	}
	w.Answer.Answer.Brief = true
	return ForgetPlayer(u, w.ID, w.Answer)
}

// ForgetPlayer removes a player from all running games and leagues, says so in d, the last
// letter to them, and schedules the erasure of all their data within the hour. Their games
// stay, under a pseudonym.
func ForgetPlayer(u *unit.Unit, player int64, d *unit.Draft) error {
	u.Leaves = true
	if err := leaveGames(u, player); err != nil {
		return err
	}
	if err := compete.LeaveAll(u, player); err != nil {
		return err
	}
	d.Say(notice.SayForgotten)
	u.EraseAt(player, u.At.Add(eraseAfter))
	return nil
}

// afterLast reports whether a letter that answers none would come after our last one to a
// player who has asked to be forgotten. All do, except that last one and those about games that
// they have joined since.
func afterLast(u *unit.Unit, player int64, t *unit.Game, a *notice.Answer) bool {
	if player == 0 || !u.ToErase(player) || slices.ContainsFunc(a.Remarks, func(r notice.Remark) bool { return r.Code == notice.SayForgotten }) {
		return false
	}
	return t == nil || !(t.Running() || t.Row.State == store.GameInvited) || !takesPart(t, player)
}

// EraseDue erases a player who has asked to be forgotten. If they have joined a game since, it
// tells them instead that we keep their data.
func EraseDue(u *unit.Unit, row store.Due) error {
	id := int64(row.Place)
	back, asked := false, false
	err := eachGame(u, id, func(t *unit.Game) error {
		back, asked = back || takesPart(t, id), asked || invited(t, id)
		return nil
	})
	if err != nil {
		return err
	}
	in, err := compete.Joined(u, id)
	if err != nil {
		return err
	}
	switch {
	case back || len(in) > 0:
		u.DraftFor(id, nil, notice.KindInfo).Say(notice.SayNotForgotten)
		return nil
	case asked: // others have invited them meanwhile
		err := leaveGames(u, id)
		u.EraseAt(id, u.At.Add(time.Minute)) // the games are saved first
		return err
	}
	u.Replays.DropLeagues() // their files had the address
	return u.Tx.Erase(id, u.At, "Former player "+strconv.FormatInt(id, 10), unit.Mailbox)
}

func leaveGames(u *unit.Unit, player int64) error {
	return eachGame(u, player, func(t *unit.Game) error {
		seating.LeaveGame(u, t, player)
		return nil
	})
}

// eachGame calls do for each game of a player's that goes on and can be read.
func eachGame(u *unit.Unit, player int64, do func(*unit.Game) error) error {
	rows, err := u.Tx.GamesOf(player, true)
	if err != nil {
		return err
	}
	for _, row := range rows {
		t, err := u.Game(row.ID)
		if errors.Is(err, replays.ErrUnreadable) {
			continue
		}
		if err == nil {
			err = do(t)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// takesPart reports whether a player has a seat in a game that they play themselves.
func takesPart(t *unit.Game, player int64) bool {
	x := t.Of(player)
	return x != nil && x.Player == player && x.Bot == "" && x.Stage == store.SeatJoined
}

// invited reports whether a player has an open invitation to a seat.
func invited(t *unit.Game, player int64) bool {
	x := t.Of(player)
	return x != nil && (x.Player != player || t.Row.State == store.GameInvited && x.Stage == store.SeatInvited)
}
