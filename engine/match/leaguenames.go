package match

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"angelpost/engine/league"
	"angelpost/engine/store"
)

// A register is what the players of a league are called in it, in the order of
// league.State.Players. Of those whose names look alike the later ones bear a number.
type register struct {
	names map[int64]string
	looks map[string]int64 // who has the look-alike name
}

// enrolled is the register with those players of a league who are not in it yet,
// given their own names.
func (r register) enrolled(players []league.Player, own func(int64) string, n *namer) register {
	if len(r.names) == len(players) {
		return r
	}
	out := register{maps.Clone(r.names), maps.Clone(r.looks)}
	if out.names == nil {
		out = register{map[int64]string{}, map[string]int64{}}
	}
	for i := len(out.names); i < len(players); i++ {
		id := players[i].ID
		called := cmp.Or(own(id), store.StandIn(i+1))
		name, looks := called, n.looks(called)
		for k := 2; slices.ContainsFunc(looks, func(look string) bool { return out.looks[look] != 0 }); k++ {
			name = called + " " + strconv.Itoa(k)
			looks = n.looks(name)
		}
		out.names[id] = name
		for _, look := range looks {
			out.looks[look] = id
		}
	}
	return out
}

// namesIn are the names of a league's players, given their own.
func (h *cache) namesIn(state *league.State, own func(int64) string) map[int64]string {
	return register{}.enrolled(state.Players, own, h.Namer).names
}

// leagueNames are what the players of a league are called in it.
func (s *unit) leagueNames(c *leagueUnit) map[int64]string {
	if c.names.names == nil {
		c.names = s.cache.registered(c.row.ID)
	}
	if n := len(c.names.names); n < len(c.state.Players) {
		var ids []int64
		for _, p := range c.state.Players[n:] {
			ids = append(ids, p.ID)
		}
		s.loadPlayers(ids)
	}
	c.names = c.names.enrolled(c.state.Players, func(id int64) string { return s.players[id].Name }, s.cache.Namer)
	return c.names.names
}

// registered is the register of a league as far as it is known.
func (h *cache) registered(id string) register {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.registers[id]
}

// keepNames caches the registers of a committed unit, or none if a player's name has
// changed.
func (s *unit) keepNames() {
	renamed := false
	for id, p := range s.players {
		old, known := s.loaded[id]
		renamed = renamed || known && old.Name != p.Name
	}
	if renamed {
		s.cache.forgetNames()
		return
	}
	for _, c := range s.contests {
		if c.names.names != nil {
			s.cache.keepRegister(c.row.ID, c.names)
		}
	}
}

// keepRegister remembers a league's register.
func (h *cache) keepRegister(league string, r register) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.registers == nil {
		h.registers = map[string]register{}
	}
	h.registers[league] = r
}

// forgetNames forgets all registers, for a player's name has changed.
func (h *cache) forgetNames() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.registers = nil
}
