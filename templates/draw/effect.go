package draw

import (
	"strconv"

	"angelpost/engine"
	"angelpost/engine/component"
)

// A Sign is one part of an effect in icons: "a robot, an arrow, a seal with 3" is "pay a
// robot for 3 VP".
type Sign struct {
	Symbol Symbol
	Color  engine.Color // of a symbol that means a colour; None
	VP     int          // on a seal; may be negative
	Text   string       // instead of a symbol
	Place  int          // number of a location instead of a symbol
}

func sym(s Symbol) Sign                   { return Sign{Symbol: s, Color: engine.None} }
func symOf(s Symbol, c engine.Color) Sign { return Sign{Symbol: s, Color: c} }
func sealOf(vp int) Sign                  { return Sign{Symbol: SymSeal, VP: vp, Color: engine.None} }
func textOf(s string) Sign                { return Sign{Text: s, Color: engine.None} }
func pay(vp int, price ...Sign) []Sign    { return append(price, sym(SymArrow), sealOf(vp)) }
func dieOf(c engine.Color) Sign           { return symOf(SymDieOrange+5*Symbol(min(c, engine.Green)), c) }
func either(a, b []Sign) []Sign           { return append(append(append([]Sign{}, a...), textOf("/")), b...) }
func repeat(s Sign, n int) (out []Sign) { // n of a sign
	for range n {
		out = append(out, s)
	}
	return out
}

// Signs of Mission cards by colour (section 10): X, the second ones of M3 and M4, the
// price Y, and M14's two.
var (
	goodsX = [3]Sign{sym(SymShip), sym(SymResource), sym(SymRobot)}
	goodsB = [3]Sign{sym(SymResource), sym(SymShip), sym(SymResource)}
	goodsC = [3]Sign{sym(SymRobot), sym(SymRobot), sym(SymShip)}
	priceY = [3]Sign{sym(SymTile), sym(SymDebris), sym(SymRavager)}
	goodsR = [3][2]Sign{{sym(SymResource), sym(SymRobot)}, {sym(SymShip), sym(SymRobot)}, {sym(SymShip), sym(SymResource)}}
)

// MissionSigns are a Mission's effect: of an activation one row, of a neutralization the
// owner's and that of each ship there, which is nil where both are the same.
func MissionSigns(m *component.Mission) (owner, ships []Sign) {
	if m.Color > engine.Green {
		return nil, nil
	}
	c := m.Color
	x, y := goodsX[c], priceY[c]
	switch m.Kind {
	case 1:
		return repeat(x, 2), nil
	case 2:
		return []Sign{x, sealOf(1)}, nil
	case 3:
		return []Sign{x, goodsB[c]}, nil
	case 4:
		return []Sign{x, goodsC[c]}, nil
	case 5:
		return pay(2, x), nil
	case 6:
		return pay(3, x, x), nil
	case 7:
		return pay(2, y), nil
	case 8:
		return pay(3, y, y), nil
	case 9:
		return pay(3, sym(SymResource), y), nil
	case 10:
		return pay(3, sym(SymRobot), y), nil
	case 11:
		return pay(3, sym(SymShip), y), nil
	case 12:
		return pay(3, x, sym(SymCard)), nil
	case 13:
		return repeat(x, 3), nil
	case 14:
		return goodsR[c][:], repeat(x, 3)
	case 15:
		return []Sign{sealOf(3)}, nil
	case 16:
		return repeat(x, 3), []Sign{sealOf(3)}
	case 17, 18:
		return []Sign{sealOf(3), textOf("/"), symOf(SymCard, c.Others()[m.Kind-17])}, nil
	case 19, 20:
		return []Sign{sealOf(3), textOf("/"), symOf(SymTuck, c.Others()[m.Kind-19])}, nil
	}
	return nil, nil
}

// RewardSigns are what placing a Mission earns.
func RewardSigns(r component.Reward) (out []Sign) {
	out = append(out, repeat(sym(SymShip), int(r.Ships))...)
	out = append(out, repeat(sym(SymResource), int(r.Resources))...)
	out = append(out, repeat(sym(SymRobot), int(r.Robots))...)
	if r.VP > 0 {
		out = append(out, sealOf(int(r.VP)))
	}
	return out
}

// RavagerSigns are what a Ravager on top of a location does before the action there.
func RavagerSigns(r *component.Ravager) []Sign {
	none := []Sign{textOf("("), sealOf(-1), textOf(")")} // who has none pays, no one else
	switch r.Effect {
	case 1:
		return []Sign{sym(SymDamage), sym(SymArrow), {Place: int(r.Location)%6 + 1, Color: engine.None}}
	case 2:
		return []Sign{sym(SymDamage), sym(SymArrow), dieOf(r.Die)}
	case 3:
		return append([]Sign{textOf("−"), sym(SymCard)}, none...)
	case 4:
		return append([]Sign{textOf("−"), sym(SymRavager)}, none...)
	case 5:
		return append([]Sign{textOf("−"), sym(SymRobot)}, none...)
	}
	return nil
}

// The effects of Technology tiles by colour (section 12).
var tileSigns = [4][3][]Sign{
	component.Ta: {{sealOf(1)}, {sealOf(1)}, {sealOf(1)}},
	component.Tb: {{sym(SymPlus), sym(SymShip)}, {sym(SymPlus), sym(SymResource)}, {sym(SymPlus), sym(SymRobot)}},
	component.Tc: {{sym(SymShip), sym(SymWedges), textOf("2")}, {sym(SymPlus), sym(SymDebris)}, {sym(SymRobot), sym(SymLeftRight)}},
	component.Td: {{sym(SymTile), sym(SymUpDown)}, {sym(SymTile), sym(SymLeftRight)}, {sym(SymPlus), sym(SymCard)}},
}

// Advanced tiles score for each of these (section 12, K1 to K8).
var advancedSigns = [9]Sign{
	1: symOf(SymTile, engine.Orange), 2: symOf(SymTile, engine.Gray), 3: symOf(SymTile, engine.Green), 4: sym(SymEject),
	5: sym(SymDebris), 6: sym(SymRavager), 7: sym(SymTile), 8: sym(SymCard),
}

// TileSigns are what a tile does; with its boost side up what the boost does.
func TileSigns(set *component.Set, t engine.Tile, boost bool) []Sign {
	switch {
	case set == nil || t == 0 || t > engine.LastTile:
		return nil
	case t.Advanced():
		if k := set.Advanced[t-engine.FirstAdvanced+1]; k >= 1 && k <= 8 {
			return []Sign{sealOf(2), textOf("/"), advancedSigns[k]}
		}
		return nil
	}
	k := &set.Tiles[t]
	switch {
	case k.Color > engine.Green:
		return nil
	case boost && k.Boost > 0:
		return boostSigns(k)
	case k.Effect == component.Start:
		if k.Color == engine.Orange {
			return either([]Sign{sym(SymShip)}, []Sign{sym(SymWedges)})
		}
		return either(tileSigns[component.Tb][k.Color][1:], tileSigns[component.Tc][k.Color][1:])
	case k.Effect > component.Td:
		return nil
	}
	return tileSigns[k.Effect][k.Color]
}

// boostSigns are what a boost does (section 14).
func boostSigns(k *component.Tile) []Sign {
	die := dieOf(k.For)
	switch k.Boost {
	case 1:
		return []Sign{sealOf(2), textOf("/"), symOf(SymbolOfAction(k.Action), k.For)}
	case 2:
		return []Sign{die, textOf("=3")}
	case 3:
		return []Sign{die, sym(SymArrow), dieOf(k.For.Others()[0]), dieOf(k.For.Others()[1])}
	case 4:
		return []Sign{sym(SymLock), die}
	}
	return nil
}

// String is what a sign shows besides its symbol.
func (s Sign) String() string {
	switch {
	case s.Text != "":
		return s.Text
	case s.VP < 0:
		return "−" + strconv.Itoa(-s.VP)
	case s.VP > 0:
		return strconv.Itoa(s.VP)
	case s.Place > 0:
		return strconv.Itoa(s.Place)
	}
	return ""
}
