package match

import (
	"slices"
	"strconv"

	"angelpost/engine"
	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// What its director, or the host, has to say to all of a league.

// announce tells all players of a league what its director, or the host (nil), has to
// say; d is the answer to the director's letter, if there was one.
func (s *unit) announce(c *leagueUnit, p *store.Player, text string, d *draft) error {
	text = clean(text, true)
	if text == "" || len(text) > order.MaxText {
		return notice.Refuse(order.LongText)
	}
	if p != nil { // directors may play in their leagues
		hand, err := s.handIn(c, p)
		if err != nil {
			return err
		}
		var held []notice.LineResult
		if text, held = holdBack(text, hand); text == "" {
			return held[0].Problem
		}
		d.answer.Lines = append(d.answer.Lines, held...)
	}
	n := s.bump("announce/"+c.row.ID, s.day())
	if n > maxAnnounced {
		return notice.Refuse(notice.ProblemMany, "word", order.Announce.String(), "n", strconv.Itoa(maxAnnounced))
	}
	line := league.Line{Kind: league.Announce, Text: text}
	from := c.rules().Name
	if p != nil {
		line.By = p.ID
		if p.Name != "" {
			from = p.Name + ", " + from
		}
	}
	if err := s.enter(c, line); err != nil {
		return err
	}
	readers, err := s.readersOf(c)
	if err != nil {
		return err
	}
	told := 0
	for _, id := range readers {
		if p != nil && id == p.ID {
			continue
		}
		d := s.tellLeague(c, id, notice.TellAnnounced)
		d.answer.Press = append(d.answer.Press, notice.Press{From: from, Text: text})
		told++
	}
	if d != nil {
		d.about(c)
		d.say(notice.SayAnnounced, "league", c.rules().Name, "n", strconv.Itoa(told))
		d.answer.Sent = append(d.answer.Sent, notice.Sent{Kind: order.Announce.String(), Text: text})
	}
	return nil
}

// handIn are the cards that a player alone sees in games of a league.
func (s *unit) handIn(c *leagueUnit, p *store.Player) (out []engine.Card, err error) {
	rows, err := s.tx.GamesOf(p.ID, true)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if row.League != c.row.ID || row.State != store.GameRunning {
			continue
		}
		t, err := s.table(row.ID)
		if err != nil {
			return nil, err
		}
		if x := t.of(p.ID); x != nil && x.Player == p.ID {
			out = append(out, t.hand(x)...)
		}
	}
	return out, nil
}

// readersOf are those in a league, and its substitutes, who can be written to: not
// those who want no letters that they did not ask for, or none about the league.
func (s *unit) readersOf(c *leagueUnit) (out []int64, err error) {
	for _, x := range c.state.Players {
		if x.In() || x.Substitute {
			out = append(out, x.ID)
		}
	}
	s.loadPlayers(out)
	var addresses []string
	for _, id := range out {
		a := s.players[id].Address
		addresses = append(addresses, a, mailbox(a))
	}
	none, err := s.tx.Unwanted(addresses)
	if err != nil {
		return nil, err
	}
	threads, err := s.tx.LeagueThreads(c.row.ID)
	for _, t := range threads {
		if p := s.players[t.Player]; t.Muted && p != nil {
			none[p.Address] = true
		}
	}
	return slices.DeleteFunc(out, func(id int64) bool {
		a := s.players[id].Address
		return none[a] || none[mailbox(a)]
	}), err
}
