package draw

import (
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
)

// A tone is how a layer of a symbol is filled.
type tone uint8

const (
	toneBody  tone = iota // the colour of what contains the symbol
	toneHalf              // the same, half as strong
	toneShade             // a shadow on it
	toneShine             // a light on it
	toneEdge              // its outline
	toneGleam             // an edge in the light
	toneDark              // eyes and pips
	toneSeal
	toneNight
	tonePlanet
	toneBands
	toneRingBehind
	toneRing
	toneStation
	toneHall
	toneLamp
	toneWindow
	toneStrut
	tonePod
	toneFleet
	toneFleetShade
	toneRock
	toneRockShade
	toneHaze
	toneSea
	toneLand
	toneRim
	toneTail
	toneTailCore
	toneGilt
	toneEngineFire
	toneWhite
	tones
)

// tonesOf are a tone's attributes in SVG, and its paint in a picture of 16 colours,
// where none leaves the layer out.
var tonesOf = [tones]struct {
	svg   string
	paint paint
	mix   bool // half of it, half of what is there
}{
	toneBody:       {``, own, false},
	toneHalf:       {` opacity=".5"`, own, true},
	toneShade:      {` fill="#000" opacity=".27"`, ink, true},
	toneShine:      {` fill="#fff" opacity=".4"`, none, false},
	toneEdge:       {` fill="#0b0f1a"`, ink, false},
	toneGleam:      {` fill="#fff" opacity=".55"`, none, false},
	toneDark:       {` fill="#0b0f1a"`, ink, false},
	toneSeal:       {` fill="#fff" opacity=".25"`, none, false},
	toneNight:      {` fill="#04050d"`, ink, false},
	tonePlanet:     {` fill="url(#gO)"`, orange, false},
	toneBands:      {` fill="#7a2f0a" opacity=".35"`, orangeField, false},
	toneRingBehind: {` fill="#f6c892"`, bright, false},
	toneRing:       {` fill="#ffe3bd"`, bright, false},
	toneStation:    {` fill="url(#gG)"`, gray, false},
	toneHall:       {` fill="#222d40"`, grayField, false},
	toneLamp:       {` fill="#ffdf9a"`, seat3, false},
	toneWindow:     {` fill="#8fd4ff"`, seat1, false},
	toneStrut:      {` fill="#5c6f8a"`, line, false},
	tonePod:        {` fill="#c5d2e2"`, gray, false},
	toneFleet:      {` fill="url(#gN)"`, green, false},
	toneFleetShade: {` fill="#0b2a1b" opacity=".45"`, none, false},
	toneRock:       {` fill="#8d8a9b"`, line, false},
	toneRockShade:  {` fill="#5a5768"`, ink, true},
	toneHaze:       {` fill="#9fe8ff" opacity=".14"`, none, false},
	toneSea:        {` fill="url(#gS)"`, seat1, false},
	toneLand:       {` fill="#2f9a72"`, green, false},
	toneRim:        {` fill="#fff" opacity=".7"`, bright, false},
	toneTail:       {` fill="#bfe9ff" opacity=".55"`, line, false},
	toneTailCore:   {` fill="#bfe9ff" opacity=".8"`, bright, false},
	toneGilt:       {` fill="#d9ad4c"`, seat3, false},
	toneEngineFire: {` fill="#ffe09a"`, seat3, false},
	toneWhite:      {` fill="#fff"`, bright, false},
}

// gradients are those that symbols and Space are filled with.
const gradients = `<linearGradient id="gO" x2="1" y2="1"><stop stop-color="#ffc98a"/><stop offset=".5" stop-color="#ea7a1f"/><stop offset="1" stop-color="#7d3008"/></linearGradient>` +
	`<linearGradient id="gG" x2="1" y2="1"><stop stop-color="#e6edf6"/><stop offset="1" stop-color="#71839c"/></linearGradient>` +
	`<linearGradient id="gN" x2="1" y2="1"><stop stop-color="#9df5c8"/><stop offset="1" stop-color="#25a869"/></linearGradient>` +
	`<radialGradient id="gS" cx=".35" cy=".3"><stop stop-color="#eafcff"/><stop offset=".5" stop-color="#5fc4ee"/><stop offset="1" stop-color="#14508f"/></radialGradient>` +
	`<radialGradient id="gB"><stop stop-color="#fff3cf"/><stop offset=".5" stop-color="#dba644"/><stop offset="1" stop-color="#6b4512"/></radialGradient>` +
	`<linearGradient id="sky" x2="1" y2="1"><stop stop-color="#0a0e24"/><stop offset=".6" stop-color="#151a45"/><stop offset="1" stop-color="#0a0e24"/></linearGradient>` +
	`<radialGradient id="nb1"><stop stop-color="#6a3fa8" stop-opacity=".42"/><stop offset="1" stop-color="#6a3fa8" stop-opacity="0"/></radialGradient>` +
	`<radialGradient id="nb2"><stop stop-color="#1c7f93" stop-opacity=".36"/><stop offset="1" stop-color="#1c7f93" stop-opacity="0"/></radialGradient>`

// Sheet holds every symbol under its ID, for a page whose drawings use them: once a page.
var Sheet = sheet()

func sheet() string {
	var b strings.Builder
	b.WriteString(`<svg class="sheet" width="0" height="0" aria-hidden="true"><defs>` + gradients + `</defs>`)
	for s := range symbolCount {
		x := &symbols[s]
		b.WriteString(`<symbol id="` + s.ID() + `" viewBox="` + x.box + `">`)
		for _, l := range x.layers {
			b.WriteString(`<path` + tonesOf[l.tone].svg + ` d="` + l.d + `"/>`)
		}
		b.WriteString(`</symbol>`)
	}
	b.WriteString(`</svg>`)
	return b.String()
}

// ID is what a page calls a symbol.
func (s Symbol) ID() string { return symbolIDs[s] }

var symbolIDs = func() (all [symbolCount]string) {
	for s := range all {
		all[s] = "i-" + symbols[s].id
	}
	return all
}()

// SymbolOfColor is the sign of a colour: circle, square, triangle; without one, a tile.
func SymbolOfColor(c engine.Color) Symbol {
	if c > engine.Green {
		return SymTile
	}
	return SymCircle + Symbol(c)
}

// SymbolOfDie is a die with its face up.
func SymbolOfDie(d engine.DieView) Symbol {
	if d.Color > engine.Green || d.Value > 3 {
		return SymSquare
	}
	return SymDieOrange + 5*Symbol(d.Color) + 1 + Symbol(d.Value)
}

// SymbolOfShip is a ship of a seat; seats that there are not have the first one's.
func SymbolOfShip(s engine.Seat) Symbol { return SymShip1 + crew(s) }

// SymbolOfRobot is a robot of a seat; seats that there are not have the first one's.
func SymbolOfRobot(s engine.Seat) Symbol { return SymRobot1 + crew(s) }

func crew(s engine.Seat) Symbol {
	if s < 1 || s > engine.MaxPlayers {
		return 0
	}
	return Symbol(s - 1)
}

// SymbolOfAction is an action's sign; a tile's where there is none.
func SymbolOfAction(a component.Action) Symbol {
	if a < component.Discover || a > component.Command {
		return SymTile
	}
	return [...]Symbol{component.Discover: SymDiscover, component.Repair: SymRepair, component.Destroy: SymDestroy, component.Command: SymCommand}[a]
}
