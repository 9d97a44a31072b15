package seating

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"angelpost/engine/game"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// Join takes the writer's seat: at the start, or another's later.
func Join(u *unit.Unit, c *unit.Call) error {
	w, t := c.Sender, c.Sender.Game
	switch {
	case t == nil:
		return notice.Refuse(notice.ProblemNoGame)
	case w.Seat == nil || !w.Invited():
		return notice.Refuse(notice.ProblemJoined)
	}
	x := w.Seat
	proper, word, err := ComesAs(u, t, x, w.Player, c.Word, u.Command.Name)
	if err != nil {
		return err
	}
	c.Done()
	if t.Row.State != store.GameInvited {
		x.Muted = 0
		TakeOver(u, w, t, x, proper)
		return nil
	}
	return joins(u, t, x, proper, word, w.Answer)
}

// joins has a player take the seat to which they are invited; d is the answer to them.
func joins(u *unit.Unit, t *unit.Game, x *store.Seat, name, entropy string, d *unit.Draft) error {
	known := x.Stage == store.SeatJoined && x.Name == name // the organiser knows
	x.Name, x.Entropy, x.Stage, x.Muted = name, entropy, store.SeatJoined, 0
	d.Say(notice.SayJoined, "name", name, "entropy", entropy, "waiting", t.WaitingFor())
	d.WantsName(x)
	if err := StartIfJoined(u, t); err != nil || t.Row.State != store.GameInvited {
		return err
	}
	if !known {
		u.TellOrganiser(t, x.Player, notice.TellJoined, "name", name)
	}
	return nil
}

// ComesAs returns the name under which a player takes a seat (the one in their join,
// their own, or what their letter calls them) and their word of entropy.
func ComesAs(u *unit.Unit, t *unit.Game, x *store.Seat, p *store.Player, join order.Word, called string) (name, word string, no error) {
	problem := func(code, word string) (string, string, error) {
		return "", "", notice.Refuse(code, "word", word)
	}
	word = strings.TrimSpace(u.NFC(join.Text))
	if len(word) > order.MaxName || strings.ContainsFunc(word, unicode.IsControl) {
		return problem(notice.ProblemEntropy, join.Text)
	}
	taken := func(name string) bool { return u.Taken(t, name, x.Place) }
	name, ok := u.ProperName(cmp.Or(join.Name, p.Name, called))
	if !ok && join.Name != "" {
		return "", "", u.BadName(join.Name, taken)
	}
	if ok && taken(name) {
		if ok = false; join.Name != "" {
			return "", "", u.NameTaken(join.Name, taken)
		}
	} else if ok && p.Name == "" {
		p.Name = name
	}
	if !ok {
		name = store.StandIn(p.ID)
	}
	return name, word, nil
}

// TakeOver seats an heir at a running game.
func TakeOver(u *unit.Unit, w *unit.Sender, t *unit.Game, x *store.Seat, name string) {
	if !t.Running() {
		w.Answer.Say(notice.TellCancelled)
		return
	}
	old, oldName := x.Player, x.Name
	x.Player, x.Heir, x.Bot, x.Stage, x.Name = w.ID, 0, "", store.SeatJoined, name
	x.Thread, x.Seen, x.Agreed = "", -1, ""
	x.Bank, x.Missed, x.Left = t.Pace().Bank, 0, 0
	u.Unschedule(x)
	t.Pending[x.Place] = unit.PendingDecision{}
	by := game.ByOrganiser
	if t.Row.League != "" { // it has none
		by = game.ByDirector
	}
	turns.NowPlays(u, t, x, by, game.TenureTakeover)
	t.Waited[x.Place] = false
	for _, kind := range []string{store.DueExpire, store.DueSeat} {
		u.Check(u.Tx.ClearDue(kind, t.Row.ID, x.Place))
	}
	w.Answer.Say(notice.SayJoined, "name", name, "entropy", "", "waiting", "")
	w.Answer.WantsName(x)
	w.Answer.Since, w.Answer.Answer.Board = -1, true
	for i := range t.Seats {
		y := &t.Seats[i]
		if y.Place == x.Place || y.Unplayed() {
			continue
		}
		d := u.DraftFor(y.Player, t, notice.KindInfo)
		d.Say(notice.TellTakenOver, "name", name, "old", oldName)
	}
	if old == 0 || old == w.ID {
		return
	}
	p := u.Player(old)
	if a := u.AddressOf(p.Address); !a.Bounced.IsZero() { // no one reads it
		return
	}
	d := u.DraftFor(old, t, notice.KindInfo)
	d.Say(notice.TellOut, "seat", strconv.Itoa(x.Seat)) // which was theirs: their calendar knows it by that
}

// Decline leaves an invitation, or a seat that was offered.
func Decline(u *unit.Unit, c *unit.Call) error {
	w, t := c.Sender, c.Sender.Game
	if t == nil || w.Seat == nil || !w.Invited() {
		return notice.Refuse(notice.ProblemNotNow, "word", c.Word.Kind.String())
	}
	x := w.Seat
	if x.Heir == w.ID && x.Player != w.ID {
		return heirDeclines(u, c)
	}
	name, again := x.Name, x.Stage == store.SeatDeclined
	if t.Row.Options.Open && x.Player != t.Row.Organiser {
		x.Leave()
	} else {
		x.Stage = store.SeatDeclined
	}
	c.Done()
	w.Answer.Say(notice.SayDeclined)
	if !again { // or all know already
		tellDeclined(u, t, w.ID, name, w.Player.Address)
	}
	return nil
}

// tellDeclined tells all who are to play a game that a player does not; only the organiser
// may read the address.
func tellDeclined(u *unit.Unit, t *unit.Game, player int64, name, address string) {
	u.TellOrganiser(t, player, notice.TellDeclined, "name", name, "address", address)
	u.TellAll(t, player, func(x *store.Seat, d *unit.Draft) {
		if x.Player != t.Row.Organiser {
			d.Say(notice.TellDeclined, "name", name)
		}
	})
}

// heirDeclines leaves a seat that was offered, by its game's organiser or who
// rules over it, or to a substitute.
func heirDeclines(u *unit.Unit, c *unit.Call) error {
	w, t, x := c.Sender, c.Sender.Game, c.Sender.Seat
	x.Heir = 0
	c.Done()
	w.Answer.Say(notice.SayDeclined)
	offers, err := u.Tx.DuesOf(store.DueExpire, t.Row.ID)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(offers, func(d store.Due) bool { return d.Place == x.Place }) { // substitutes have none
		if err := tellOfferer(u, t, w.ID, notice.TellHeirDeclined, "name", x.Name, "address", w.Player.Address); err != nil {
			return err
		}
	}
	u.Check(u.Tx.ClearDue(store.DueExpire, t.Row.ID, x.Place))
	return u.Substitutes.Declined(u, t, x)
}

// tellOfferer writes to the person who asks people to take over seats of a game.
func tellOfferer(u *unit.Unit, t *unit.Game, about int64, code string, args ...string) error {
	if t.Row.League != "" {
		_, err := leagues.TellRulers(u, t, code, args...)
		return err
	}
	u.TellOrganiser(t, about, code, args...)
	return nil
}
