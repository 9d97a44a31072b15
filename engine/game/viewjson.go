package game

import (
	"strconv"
	"time"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/order"
)

// ViewJSON is view.json (web/API.md): a position as one viewer may see it.
type ViewJSON struct {
	Schema   int        `json:"schema"`
	Game     string     `json:"game"`
	Viewer   int        `json:"viewer"`
	Step     int        `json:"step"`
	Latest   int        `json:"latest"`
	Round    int        `json:"round"`
	Turn     int        `json:"turn"`
	ToAct    []int      `json:"to_act"`
	Decision string     `json:"decision"`
	Legal    []string   `json:"legal"`
	Finished bool       `json:"finished"`
	Ending   string     `json:"ending"`
	Options  Options    `json:"options"`
	Scores   []Score    `json:"scores"`
	Winners  []int      `json:"winners"`
	View     *TableJSON `json:"view"`
	// Deadlines has those of the players to move, if the game has a clock; only in the
	// present.
	Deadlines []Until `json:"deadlines,omitempty"`
	Paused    bool    `json:"paused,omitempty"` // no clock runs now
	// Parts is by seat who played how much; only of the end of a stored game.
	Parts [][]Share `json:"parts,omitempty"`
}

// TableJSON is the table in view.json.
type TableJSON struct {
	Space      []StripJSON           `json:"space"`
	BlackAngel string                `json:"black_angel"`
	SpesToken  *int                  `json:"spes_token"`
	Locations  []LocationJSON        `json:"locations"`
	Supply     map[string]SupplyJSON `json:"supply"`
	Display    []*TileJSON           `json:"display"`
	Advanced   []*AdvancedJSON       `json:"advanced"`
	Decks      map[string]DeckJSON   `json:"decks"`
	Neutral    *NeutralJSON          `json:"neutral"`
	Hal        *HalJSON              `json:"hal,omitempty"` // solo: Hal's cards; Hal is seat 2
	Players    []PlayerJSON          `json:"players"`
}

// The parts of TableJSON; web/API.md names their fields.
type (
	StripJSON struct {
		Strip int       `json:"strip"`
		Hexes []HexJSON `json:"hexes"`
	}
	HexJSON struct {
		At    string       `json:"at"`
		Kind  string       `json:"kind"`
		Comet bool         `json:"comet"`
		Icons int          `json:"icons"`
		Card  *HexCardJSON `json:"card"`
		Ships []int        `json:"ships"`
	}
	HexCardJSON struct {
		ID    string `json:"id"`
		Owner int    `json:"owner"`
	}
	LocationJSON struct {
		N        int        `json:"n"`
		Action   string     `json:"action"`
		Color    string     `json:"color"`
		Damage   int        `json:"damage"`
		Ravagers []TrapJSON `json:"ravagers"`
	}
	TrapJSON struct {
		ID     string `json:"id"`
		Robots []int  `json:"robots"`
	}
	SupplyJSON struct {
		Dice    int `json:"dice"`
		Damaged int `json:"damaged"`
	}
	TileJSON struct {
		ID     string `json:"id"`
		Color  string `json:"color"`
		Effect string `json:"effect"`
		Cost   int    `json:"cost"`
	}
	AdvancedJSON struct {
		ID   string `json:"id"`
		Kind string `json:"kind"`
	}
	DeckJSON struct {
		Left      int `json:"left"`
		Discarded int `json:"discarded"`
	}
	NeutralJSON struct {
		Robots map[string]bool `json:"robots"`
		Dice   []DieJSON       `json:"dice"`
	}
	HalJSON struct {
		Level     string `json:"level"`
		Left      int    `json:"left"`
		Discarded int    `json:"discarded"`
	}
	DieJSON struct {
		Color string `json:"color"`
		Value int    `json:"value"`
	}
	RobotsJSON struct {
		Break    int `json:"break"`
		Orange   int `json:"orange"`
		Gray     int `json:"gray"`
		Green    int `json:"green"`
		Supply   int `json:"supply"`
		Pilots   int `json:"pilots"`
		Cards    int `json:"cards"`
		Ravagers int `json:"ravagers"`
	}
	DiceJSON struct {
		Standard []DieJSON `json:"standard"`
		Secure   []DieJSON `json:"secure"`
	}
	HandJSON struct {
		Orange  int      `json:"orange"`
		Gray    int      `json:"gray"`
		Green   int      `json:"green"`
		Ravager int      `json:"ravager"`
		Cards   []string `json:"cards"`
	}
	SlotsJSON struct {
		Rows    []*string `json:"rows"`
		Columns []*string `json:"columns"`
	}
	CellJSON struct {
		ID     string `json:"id"`
		Color  string `json:"color"`
		Effect string `json:"effect"`
		Debris bool   `json:"debris"`
		Boost  bool   `json:"boost"`
	}
	PlayerJSON struct {
		Seat      int                      `json:"seat"`
		Name      string                   `json:"name"`
		VP        int                      `json:"vp"`
		Resources int                      `json:"resources"`
		Debris    int                      `json:"debris"`
		Ships     int                      `json:"ships"`
		Robots    RobotsJSON               `json:"robots"`
		Dice      DiceJSON                 `json:"dice"`
		Hand      HandJSON                 `json:"hand"`
		Slots     SlotsJSON                `json:"slots"`
		Grid      [3][3]*CellJSON          `json:"grid"`
		Spaces    map[string]*AdvancedJSON `json:"spaces"`
		Ejected   []string                 `json:"ejected"`
		Tucked    map[string][]string      `json:"tucked"`
	}
)

// NewViewJSON writes a View as view.json: the position after line step of a
// log of latest lines.
func NewViewJSON(v *engine.View, game string, o Options, names []string, step, latest int) *ViewJSON {
	j := &ViewJSON{
		Schema: Schema, Game: game, Viewer: int(v.Viewer), Step: step, Latest: latest,
		Round: v.Round, Turn: v.Turn, ToAct: seats(v.ToAct), Decision: v.Decision.String(),
		Legal: LegalOrders(v), Finished: v.Finished, Ending: v.Ending.String(),
		Options: o, Scores: Scores(v, names), Winners: []int{}, View: tableJSON(v, names),
	}
	for _, s := range v.Winners {
		j.Winners = append(j.Winners, int(s))
	}
	return j
}

// LegalOrders is the viewer's legal list as canonical orders; never nil.
func LegalOrders(v *engine.View) []string {
	out := []string{}
	if v.Viewer == 0 {
		return out
	}
	for _, s := range v.Legal(make([]engine.Step, 0, 64)) {
		out = append(out, order.Print(s))
	}
	return out
}

func tableJSON(v *engine.View, names []string) *TableJSON {
	t := &TableJSON{
		BlackAngel: v.BlackAngel.String(),
		Space:      make([]StripJSON, 0, len(v.Strips)),
		Supply:     map[string]SupplyJSON{},
		Display:    make([]*TileJSON, len(v.Display)),
		Advanced:   make([]*AdvancedJSON, len(v.Slots)),
		Decks:      map[string]DeckJSON{},
	}
	if v.SpesToken != 0 {
		t.SpesToken = &v.SpesToken
	}
	for _, s := range v.Strips {
		sj := StripJSON{Strip: s.Number, Hexes: make([]HexJSON, 0, 5)}
		for _, h := range s.Hexes {
			sj.Hexes = append(sj.Hexes, hexJSON(h))
		}
		t.Space = append(t.Space, sj)
	}
	for n := 1; n <= 6; n++ {
		l := v.Locs[n]
		lj := LocationJSON{N: n, Action: l.Action.String(), Color: l.Color.String(), Damage: l.Damage, Ravagers: []TrapJSON{}}
		for _, r := range l.Ravagers {
			lj.Ravagers = append(lj.Ravagers, TrapJSON{r.Card.String(), seats(r.Robots)})
		}
		t.Locations = append(t.Locations, lj)
	}
	for _, c := range component.Colors {
		t.Supply[c.String()] = SupplyJSON(v.Supply[c])
	}
	for i, tile := range v.Display {
		if tile != 0 {
			print := v.Set.Tiles[tile]
			t.Display[i] = &TileJSON{tile.String(), print.Color.String(), effectName(print.Effect), int(v.Set.Costs[i])}
		}
	}
	for i, tile := range v.Slots {
		t.Advanced[i] = advancedJSON(v.Set, tile)
	}
	for p := range engine.PileHal {
		t.Decks[order.PileName(p)] = DeckJSON(v.Decks[p])
	}
	if h := v.Decks[engine.PileHal]; v.Options.Hal != engine.NoHal {
		t.Hal = &HalJSON{v.Options.Hal.String(), h.Left, h.Discarded}
	}
	if v.Neutral != nil {
		t.Neutral = &NeutralJSON{Robots: map[string]bool{}, Dice: dice(v.Neutral.Dice)}
		for _, c := range component.Colors {
			t.Neutral.Robots[c.String()] = v.Neutral.Robots[c]
		}
	}
	for i := range v.Players {
		t.Players = append(t.Players, playerJSON(v.Set, &v.Players[i], nameOf(v, names, i)))
	}
	return t
}

// HalName is what Hal is called in records and view.json.
const HalName = "Hal"

// nameOf is what the player at index i of a View is called.
func nameOf(v *engine.View, names []string, i int) string {
	switch {
	case i < len(names):
		return names[i]
	case v.Options.Hal != engine.NoHal && i == int(engine.Hal)-1:
		return HalName
	}
	return ""
}

func hexJSON(h engine.HexView) HexJSON {
	j := HexJSON{At: h.At.String(), Kind: h.Color.String(), Comet: h.Comet, Icons: h.Icons, Ships: seats(h.Ships)}
	switch {
	case h.Spes:
		j.Kind = "spes"
	case h.Asteroid:
		j.Kind = "asteroid"
	}
	if h.Card != 0 {
		j.Card = &HexCardJSON{h.Card.String(), int(h.Owner)}
	}
	return j
}

func playerJSON(set *component.Set, p *engine.PlayerView, name string) PlayerJSON {
	j := PlayerJSON{
		Seat: int(p.Seat), Name: name, VP: p.VP, Resources: p.Resources, Debris: p.Debris, Ships: p.Ships,
		Robots: RobotsJSON{p.Break, p.Stations[0], p.Stations[1], p.Stations[2], p.RobotSupply, p.Pilots, p.OnCards, p.Trapped},
		Dice:   DiceJSON{dice(p.Standard), dice(p.Secure)},
		Hand:   HandJSON{Orange: p.Hand[0], Gray: p.Hand[1], Green: p.Hand[2], Ravager: p.Ravagers},
		Slots:  SlotsJSON{slots(p.Rows), slots(p.Columns)},
		Spaces: map[string]*AdvancedJSON{}, Ejected: []string{}, Tucked: map[string][]string{},
	}
	if p.Cards != nil {
		j.Hand.Cards = cards(p.Cards)
	}
	for i, c := range p.Grid {
		if c.Tile == 0 {
			continue
		}
		cj := &CellJSON{ID: c.Tile.String(), Debris: c.Debris, Boost: c.Boost}
		if c.Tile.Advanced() {
			cj.Color, cj.Effect = component.None.String(), kindName(set, c.Tile)
		} else {
			cj.Color, cj.Effect = set.Tiles[c.Tile].Color.String(), effectName(set.Tiles[c.Tile].Effect)
		}
		j.Grid[i/3][i%3] = cj
	}
	for _, c := range component.Colors {
		j.Spaces[c.String()] = advancedJSON(set, p.Spaces[c])
		j.Tucked[c.String()] = cards(p.Tucked[c])
	}
	for _, t := range p.Ejected {
		j.Ejected = append(j.Ejected, t.String())
	}
	return j
}

func advancedJSON(set *component.Set, t engine.Tile) *AdvancedJSON {
	if t == 0 {
		return nil
	}
	return &AdvancedJSON{t.String(), kindName(set, t)}
}

// kindName is an Advanced tile's kind: K1-K8.
func kindName(set *component.Set, t engine.Tile) string {
	return "K" + strconv.Itoa(int(set.Advanced[t-engine.FirstAdvanced+1]))
}

// effectName is a Technology tile's effect: Ta-Td, or start.
func effectName(e uint8) string {
	return [...]string{"Ta", "Tb", "Tc", "Td", "start"}[e]
}

func seats(in []engine.Seat) []int {
	out := make([]int, len(in))
	for i, s := range in {
		out[i] = int(s)
	}
	return out
}

func cards(in []engine.Card) []string {
	out := make([]string, len(in))
	for i, c := range in {
		out[i] = c.String()
	}
	return out
}

func slots(in [3]engine.Card) []*string {
	out := make([]*string, len(in))
	for i, c := range in {
		if c != 0 {
			s := c.String()
			out[i] = &s
		}
	}
	return out
}

func dice(in []engine.DieView) []DieJSON {
	out := make([]DieJSON, len(in))
	for i, d := range in {
		out[i] = DieJSON{d.Color.String(), int(d.Value)}
	}
	return out
}

// An Until is a seat's deadline.
type Until struct {
	Seat int       `json:"seat"`
	At   time.Time `json:"at"`
}
