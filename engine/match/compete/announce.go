package compete

import (
	"slices"
	"strconv"

	"angelpost/engine"
	"angelpost/engine/incoming"
	"angelpost/engine/league"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/press"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// What its director, or the host, has to say to all of a league.

// Announce tells all players of a league what its director, or the host (nil), has to
// say; d is the answer to the director's letter, if there was one.
func Announce(u *unit.Unit, c *unit.League, p *store.Player, text string, d *unit.Draft) error {
	text = naming.Clean(text, true)
	if text == "" || len(text) > order.MaxText {
		return notice.Refuse(order.LongText)
	}
	if p != nil { // directors may play in their leagues
		hand, err := handIn(u, c, p)
		if err != nil {
			return err
		}
		var held []notice.LineResult
		if text, held = press.HoldBack(text, hand); text == "" {
			return held[0].Problem
		}
		d.Answer.Lines = append(d.Answer.Lines, held...)
	}
	n := u.Bump("announce/"+c.Row.ID, u.Day())
	if n > maxAnnounced {
		return notice.Refuse(notice.ProblemMany, "word", order.Announce.String(), "n", strconv.Itoa(maxAnnounced))
	}
	line := league.Line{Kind: league.Announce, Text: text}
	from := c.Rules().Name
	if p != nil {
		line.By = p.ID
		if name := u.NameIn(c, p); name != "" {
			from = name + ", " + from
		}
	}
	if err := u.Enter(c, line); err != nil {
		return err
	}
	readers, err := readersOf(u, c)
	if err != nil {
		return err
	}
	told := 0
	for _, id := range readers {
		if p != nil && id == p.ID {
			continue
		}
		d := tellLeague(u, c, id, notice.TellAnnounced)
		d.Answer.Press = append(d.Answer.Press, incoming.Press{From: from, Text: text})
		told++
	}
	if d != nil {
		d.About(c)
		d.Say(notice.SayAnnounced, "league", c.Rules().Name, "n", strconv.Itoa(told))
		d.Answer.Sent = append(d.Answer.Sent, notice.Sent{Kind: order.Announce.String(), Text: text})
	}
	return nil
}

// handIn returns the cards in games of a league that only the player sees.
func handIn(u *unit.Unit, c *unit.League, p *store.Player) (out []engine.Card, err error) {
	rows, err := u.Tx.GamesOf(p.ID, true)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if row.League != c.Row.ID || row.State != store.GameRunning {
			continue
		}
		t, err := u.Game(row.ID)
		if err != nil {
			return nil, err
		}
		if x := t.Of(p.ID); x != nil && x.Player == p.ID {
			out = append(out, press.Hand(t, x)...)
		}
	}
	return out, nil
}

// readersOf returns the players and substitutes of a league who get its letters: not those
// that we can't reach, or who want no unrequested letters, or none about the league.
func readersOf(u *unit.Unit, c *unit.League) (out []int64, err error) {
	for _, x := range c.State.Players {
		if x.In() || x.Substitute {
			out = append(out, x.ID)
		}
	}
	u.LoadPlayers(out)
	var addresses []string
	for _, id := range out {
		a := u.Players[id].Address
		addresses = append(addresses, a, unit.Mailbox(a))
	}
	none, err := u.Tx.Unwanted(addresses)
	if err != nil {
		return nil, err
	}
	threads, err := u.Tx.LeagueThreads(c.Row.ID)
	for _, t := range threads {
		if p := u.Players[t.Player]; t.Muted && p != nil {
			none[p.Address] = true
		}
	}
	return slices.DeleteFunc(out, func(id int64) bool {
		a := u.Players[id].Address
		return none[a] || none[unit.Mailbox(a)]
	}), err
}
