package seating

import (
	"cmp"
	"errors"
	"slices"

	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// JoinAgain takes a join from a player already seated as a request for another name.
func JoinAgain(u *unit.Unit, c *unit.Call) error {
	if c.Word.Name == "" {
		return notice.Refuse(notice.ProblemInGame)
	}
	if err := SetName(u, c, c.Word.Name); err != nil || c.Line.Problem != nil || c.Word.Text == "" {
		return err
	}
	c.Sender.Answer.Say(notice.SayWordLate, "word", c.Word.Text)
	return nil
}

// SetName changes the name the others see: in the letter's game, in those where they
// see a stand-in, and in games to come.
func SetName(u *unit.Unit, c *unit.Call, text string) error {
	w := c.Sender
	t := w.Game
	if w.Seat == nil || w.Seat.Player != w.ID {
		t = nil
	}
	var err error
	taken := func(name string) bool {
		if t != nil && u.Taken(t, name, w.Seat.Place) {
			return true
		}
		in, failed := u.TakenInLeagues(name, w.ID)
		err = cmp.Or(err, failed)
		return in
	}
	name, ok := u.ProperName(text)
	var no error
	if !ok {
		no = u.BadName(text, taken)
	} else if taken(name) {
		no = u.NameTaken(name, taken)
	}
	if err := cmp.Or(err, no); err != nil {
		return err
	}
	if t != nil {
		rename(t, w.Seat, name, u.Drafts)
	}
	w.Player.Name = name
	c.Done()
	w.Answer.Unsay(notice.AskName)
	w.Answer.Say(notice.SayName, "name", name)
	not, err := nameEverywhere(u, w.ID, name)
	if len(not) > 0 {
		w.Answer.Say(notice.SayNameNot).List = not
	}
	return err
}

// nameEverywhere gives a player a name in the games in which they have none; taken are those in
// which another player has it.
func nameEverywhere(u *unit.Unit, player int64, name string) (taken []string, err error) {
	rows, err := u.Tx.GamesOf(player, true)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	seats, err := u.Tx.SeatsOf(ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if !slices.ContainsFunc(seats[id], func(x store.Seat) bool { return x.Player == player && x.Nameless() }) {
			continue
		}
		if _, err := u.Game(id); err != nil && !errors.Is(err, replays.ErrUnreadable) {
			return nil, err
		}
	}
	for _, t := range u.Games { // a game of this letter's among them
		switch x := t.Of(player); {
		case x == nil || x.Player != player || !x.Nameless() || !t.Running() && t.Row.State != store.GameInvited:
		case u.Taken(t, name, x.Place):
			taken = append(taken, t.Row.Name)
		default:
			rename(t, x, name, u.Drafts)
		}
	}
	return taken, nil
}

// rename changes what the player of a seat is called, in invitations that are under
// way, too.
func rename(t *unit.Game, x *store.Seat, name string, drafts []*unit.Draft) {
	x.Name = name
	for _, d := range drafts {
		if inv := d.Answer.Invite; inv != nil && d.Game == t {
			inv.Names = t.Names()
			if x.Player == t.Row.Organiser {
				inv.Organiser = name
			}
		}
	}
}
