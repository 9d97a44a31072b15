package replays

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"angelpost/engine/league"
	"angelpost/engine/match/naming"
	"angelpost/engine/store"
)

// A Register has the names of a league's players in it, in the order of league.State.Players.
// If several names look alike, the later ones get a number.
type Register struct {
	Names map[int64]string
	Looks map[string]int64 // who has the look-alike name
}

// Enrolled returns the register with the players of a league who are not in it yet, under their
// own names.
func (r Register) Enrolled(players []league.Player, own func(int64) string, n *naming.Namer) Register {
	if len(r.Names) == len(players) {
		return r
	}
	out := Register{maps.Clone(r.Names), maps.Clone(r.Looks)}
	if out.Names == nil {
		out = Register{map[int64]string{}, map[string]int64{}}
	}
	for i := len(out.Names); i < len(players); i++ {
		id := players[i].ID
		called := cmp.Or(own(id), store.StandIn(id))
		name, looks := called, n.Looks(called)
		for k := 2; slices.ContainsFunc(looks, func(look string) bool { return out.Looks[look] != 0 }); k++ {
			name = called + " " + strconv.Itoa(k)
			looks = n.Looks(name)
		}
		out.Names[id] = name
		for _, look := range looks {
			out.Looks[look] = id
		}
	}
	return out
}

// NamesIn returns the names of a league's players, given their own.
func (h *Cache) NamesIn(state *league.State, own func(int64) string) map[int64]string {
	return Register{}.Enrolled(state.Players, own, h.Namer).Names
}

// Registered returns the cached register of a league, as far as it is known.
func (h *Cache) Registered(row store.League) Register {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.registers[row.Key()]
}

// KeepRegister caches a league's register.
func (h *Cache) KeepRegister(row store.League, r Register) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.registers == nil {
		h.registers = map[string]Register{}
	}
	h.registers[row.Key()] = r
}

// ForgetNames forgets all registers, for a player's name has changed.
func (h *Cache) ForgetNames() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.registers = nil
}
