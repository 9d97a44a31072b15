package match

import (
	"slices"
	"strconv"

	"angelpost/engine/league"
	"angelpost/engine/order"
)

// What its director, or the host, has to say to all of a league.

// announce tells all players of a league what its director, or the host (nil),
// has to say; d is the answer to him, if it was a letter.
func (s *sitting) announce(c *contest, p *PlayerRow, text string, d *draft) (*Problem, error) {
	text = clean(text, true)
	if text == "" || len(text) > order.MaxText {
		return &Problem{Code: order.LongText}, nil
	}
	n, err := s.tx.Bump("announce/"+c.row.ID, s.day())
	if err != nil {
		return nil, err
	}
	if n > maxAnnounced {
		return &Problem{Code: ProblemMany, Args: map[string]string{"word": order.Announce.String(), "n": strconv.Itoa(maxAnnounced)}}, nil
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
		return nil, err
	}
	readers, err := s.readersOf(c)
	if err != nil {
		return nil, err
	}
	told := 0
	for _, id := range readers {
		if p != nil && id == p.ID {
			continue
		}
		d, err := s.tellLeague(c, id, TellAnnounced)
		if err != nil {
			return nil, err
		}
		d.answer.Press = append(d.answer.Press, Press{From: from, Text: text})
		told++
	}
	if d != nil {
		d.about(c)
		d.say(SayAnnounced, "league", c.rules().Name, "n", strconv.Itoa(told))
	}
	return nil, nil
}

// readersOf are those in a league, and its substitutes, who can be written to: not
// those who want no letters that they did not ask for, or none about the league.
func (s *sitting) readersOf(c *contest) (out []int64, err error) {
	for _, x := range c.state.Players {
		if x.In() || x.Substitute {
			out = append(out, x.ID)
		}
	}
	if err := s.loadPlayers(out); err != nil {
		return nil, err
	}
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
