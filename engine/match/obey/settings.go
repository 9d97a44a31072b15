package obey

import (
	"strings"

	"angelpost/engine/match/gate"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/pace"
	"angelpost/engine/store"
)

// maxListed bounds the games and players that the answer to `settings` names of a kind.
const maxListed = 20

// settings answers with all that the writer has chosen.
func settings(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	s := unit.Settings(w.Player, u.At)
	var err error
	if w.Answer.Answer.Home, err = u.HomeKey(w.ID, false); err != nil {
		return err
	}
	rows, err := u.Tx.GamesOf(w.ID, true)
	if err != nil {
		return err
	}
	if err := ofGames(u, w.Player, rows, s); err != nil {
		return err
	}
	if err := mutedLeagues(u, w.Player, s); err != nil {
		return err
	}
	ignored, err := u.Tx.Ignores(w.ID)
	if err != nil {
		return err
	}
	for _, i := range ignored[:min(len(ignored), maxListed)] {
		s.Ignored = append(s.Ignored, i.Name)
	}
	addresses, err := u.Tx.Addresses(w.ID)
	if err != nil {
		return err
	}
	s.Addresses = []string{w.Player.Address}
	for _, a := range addresses {
		if a.Address != w.Player.Address && len(s.Addresses) < maxListed {
			s.Addresses = append(s.Addresses, a.Address)
		}
	}
	section(c, notice.Section{Settings: s})
	return nil
}

// ofGames adds what a player has chosen for single games.
func ofGames(u *unit.Unit, p *store.Player, rows []store.Game, s *notice.Settings) error {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	seats, err := u.Tx.SeatsOf(ids)
	if err != nil {
		return err
	}
	for _, row := range rows {
		n, err := turns.StandingOrders(u, row.ID, p.ID)
		if err != nil {
			return err
		}
		s.Standing += n
		of := seats[row.ID]
		for _, known := range u.Games { // muted in this letter
			if known.Row.ID == row.ID {
				of = known.Seats
			}
		}
		for i := range of {
			if of[i].MutedBy(p.ID) && len(s.Muted) < maxListed {
				s.Muted = append(s.Muted, row.Name)
			}
		}
	}
	return nil
}

// mutedLeagues adds the leagues that a player has muted.
func mutedLeagues(u *unit.Unit, p *store.Player, s *notice.Settings) error {
	rows, err := u.Tx.LeaguesOf(p.ID)
	if err != nil {
		return err
	}
	for _, row := range rows {
		t, err := u.Tx.LeagueThread(row.ID, p.ID)
		if none, err := unit.Missing(err); none || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		if t.Muted && len(s.Muted) < maxListed {
			s.Muted = append(s.Muted, row.Name)
		}
	}
	return nil
}

// digestHour is when the daily letter goes out if its reader names no hour.
const digestHour = "18:00"

// setNotify sets whether we notify the writer of every turn, and whether at once or once a day.
// If there is no daily letter any more, it sends now what waited for it.
func setNotify(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	if c.Word.Arg != order.NotifyDigest {
		w.Every, w.Digest = c.Word.Arg == order.NotifyEvery, ""
		c.Done()
		w.Answer.Say(notice.SayNotify, "notify", c.Word.Arg)
		return gate.SendDigest(u, w.ID, notice.SayDigest)
	}
	hour := c.Word.Text
	if hour == "" {
		hour = w.Digest
	}
	if hour == "" {
		hour = digestHour
	}
	minute := pace.ParseMinute(hour)
	if minute < 0 {
		return notice.Refuse(notice.ProblemHour, "word", hour)
	}
	w.Every, w.Digest = true, pace.FormatMinute(minute)
	c.Done()
	w.Answer.Say(notice.SayDigestSet, "time", w.Digest)
	return gate.ScheduleDigest(u, w.Player)
}

// setSubjects sets how the subjects of the writer's letters are chosen.
func setSubjects(_ *unit.Unit, c *unit.Call) error {
	c.Sender.Subjects = c.Word.Arg
	c.Done()
	c.Sender.Answer.Say(notice.SaySubjects, "subjects", c.Word.Arg)
	return nil
}

// setListID sets whether the writer's letters name their game as a list.
func setListID(_ *unit.Unit, c *unit.Call) error {
	c.Sender.ListID = c.Word.Arg
	c.Done()
	c.Sender.Answer.Say(notice.SayListID, "list_id", c.Word.Arg)
	return nil
}

// evolution is how Evolution calls itself: it takes letters with a List-Id for those of a mailing
// list, and asks before each reply (mail/PROGRAMS.md).
const evolution = "Evolution "

// unlist leaves the List-Id out of the letters of a writer who has not chosen, if their mail
// program asks because of it.
func unlist(u *unit.Unit, p *store.Player) {
	if p.ListID == "" && strings.HasPrefix(u.Command.Program, evolution) {
		p.ListID = order.Off
	}
}
