package match

import (
	"cmp"
	"maps"
	"strconv"

	"angelpost/engine/league"
	"angelpost/engine/order"
)

// A register is what the players of a league are called in it, in the order of
// league.State.Players. Of those of one name the later ones bear a number.
type register struct {
	names map[int64]string
	seen  map[string]int // how many were called so, by order.Key
}

// enrolled is the register with those players of a league who are not in it yet,
// given their own names.
func (r register) enrolled(players []league.Player, own func(int64) string) register {
	if len(r.names) == len(players) {
		return r
	}
	out := register{maps.Clone(r.names), maps.Clone(r.seen)}
	if out.names == nil {
		out = register{map[int64]string{}, map[string]int{}}
	}
	for i := len(out.names); i < len(players); i++ {
		name := cmp.Or(own(players[i].ID), "Player "+strconv.Itoa(i+1))
		key := order.Key(name)
		if out.seen[key]++; out.seen[key] > 1 {
			name += " " + strconv.Itoa(out.seen[key])
		}
		out.names[players[i].ID] = name
	}
	return out
}

// namesIn are the names of a league's players, given their own.
func namesIn(state *league.State, own func(int64) string) map[int64]string {
	return register{}.enrolled(state.Players, own).names
}

// leagueNames are what the players of a league are called in it.
func (s *sitting) leagueNames(c *contest) (map[int64]string, error) {
	if c.names.names == nil {
		c.names = s.host.registered(c.row.ID)
	}
	if n := len(c.names.names); n < len(c.state.Players) {
		var ids []int64
		for _, p := range c.state.Players[n:] {
			ids = append(ids, p.ID)
		}
		if err := s.loadPlayers(ids); err != nil {
			return nil, err
		}
	}
	c.names = c.names.enrolled(c.state.Players, func(id int64) string { return s.players[id].Name })
	return c.names.names, nil
}

// registered is the register of a league as far as it is known.
func (h *Host) registered(id string) register {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.registers[id]
}

// keepNames remembers the registers of a sitting that is committed, or none any
// more if somebody is called otherwise now.
func (s *sitting) keepNames() {
	renamed := false
	for id, p := range s.players {
		old, known := s.loaded[id]
		renamed = renamed || known && old.Name != p.Name
	}
	s.host.mu.Lock()
	defer s.host.mu.Unlock()
	if renamed || s.host.registers == nil {
		s.host.registers = map[string]register{}
	}
	for _, c := range s.contests {
		if !renamed && c.names.names != nil {
			s.host.registers[c.row.ID] = c.names
		}
	}
}
