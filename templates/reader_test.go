package templates

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/templates/words"
)

// A heard is a line as a screen reader says it, and within which named parts.
type heard struct {
	in    string // "The other players/Board of Ada"
	text  string
	piece bool // it is what a piece is called
}

// hear reads a page as a screen reader does: what is hidden from it is not there, what
// has a label is called by it, a row of a table is a line, and what is folded stays folded.
func hear(doc *html.Node) (out []heard) {
	ids := map[string]*html.Node{}
	for n := range doc.Descendants() {
		if id := attribute(n, "id"); id != "" {
			ids[id] = n
		}
	}
	label := func(n *html.Node) string {
		if by := ids[attribute(n, "aria-labelledby")]; by != nil {
			return plainText(by)
		}
		return attribute(n, "aria-label")
	}
	var walk func(n *html.Node, in string)
	walk = func(n *html.Node, in string) {
		say := func(text string) {
			if text != "" {
				out = append(out, heard{in: in, text: text, piece: attribute(n, "data-k") != ""})
			}
		}
		switch {
		case n.Type == html.TextNode:
			say(strings.Join(strings.Fields(n.Data), " "))
			return
		case n.Type != html.ElementNode: // the document
		case attribute(n, "aria-hidden") == "true" || n.Data == "head" || n.Data == "details" && attribute(n, "class") != "fold": // folds are open, but on a phone
			return
		case label(n) != "" && (attribute(n, "role") == "img" || n.Data == "a"):
			say(label(n))
			return
		case label(n) != "":
			in = strings.TrimPrefix(in+"/"+label(n), "/")
		case slices.Contains([]string{"p", "li", "h1", "h2", "h3", "tr"}, n.Data) && !labelled(n):
			say(plainText(n))
			return
		}
		for c := range n.ChildNodes() {
			walk(c, in)
		}
	}
	walk(doc, "")
	return out
}

// labelled reports whether something in an element has its own label.
func labelled(n *html.Node) bool {
	for c := range n.Descendants() {
		if attribute(c, "aria-label") != "" {
			return true
		}
	}
	return false
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// plainText is what a screen reader says for an element; a bar separates things on their own.
func plainText(n *html.Node) string {
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if attribute(n, "aria-hidden") == "true" {
			return
		}
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
		if slices.Contains([]string{"b", "td", "th", "li"}, n.Data) {
			b.WriteString("|")
		}
	}
	walk(n)
	text := strings.Join(strings.Fields(b.String()), " ")
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "|"))
}

// A reader makes a View of what is heard. The first thing that cannot be
// understood stays.
type reader struct {
	v     engine.View
	voice *words.Voice
	named map[string]engine.Seat
	room  int // last one read out
	seen  map[string]bool
	err   error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *reader) number(s string) int {
	n, err := strconv.Atoi(strings.Replace(strings.TrimSpace(s), "−", "-", 1))
	if err != nil {
		r.fail("%q is no number", s)
	}
	return n
}

// patterns are those compiled already.
var patterns = map[string]*regexp.Regexp{}

// match are the parts of text that a pattern captures.
func (r *reader) match(pattern, text string) []string {
	p := patterns[pattern]
	if p == nil {
		p = regexp.MustCompile(`^(?:` + pattern + `)$`)
		patterns[pattern] = p
	}
	m := p.FindStringSubmatch(text)
	if m == nil {
		r.fail("%q is not %s", text, pattern)
		return make([]string, 20)
	}
	return m
}

func (r *reader) seat(name string) engine.Seat {
	s, ok := r.named[name]
	if !ok {
		r.fail("nobody is called %q", name)
	}
	return s
}

func (r *reader) color(s string) engine.Color {
	i := slices.Index([]string{"orange", "gray", "green"}, s)
	if i < 0 {
		r.fail("%q is no colour", s)
		return engine.None
	}
	return engine.Color(i)
}

// hexAt is "c4".
func (r *reader) hexAt(s string) engine.Hex {
	return engine.HexAt(r.number(s[1:]), int(s[0]-'a'))
}

// card is "gray Mission 023", "a gray Mission card", "Ravager 061", "a Ravager card".
func (r *reader) card(s string) engine.Card {
	switch w := strings.Fields(s); {
	case s == "a Ravager card":
		return engine.BackRavager
	case len(w) == 2 && w[0] == "Ravager":
		return engine.Card(r.number(w[1]))
	case len(w) == 3 && w[1] == "Mission":
		return engine.Card(r.number(w[2]))
	case len(w) == 4 && w[2] == "Mission":
		return engine.BackOrange + engine.Card(r.color(w[1]))
	}
	r.fail("%q is no card", s)
	return 0
}

// tile is "orange tile t12 (1 VP)", "Advanced tile a4 (…)".
func (r *reader) tile(s string) engine.Tile {
	m := r.match(`(?:orange|gray|green|Advanced) tile ([sta])(\d+)(?: \(.*\))?`, s)
	n := engine.Tile(r.number(m[2]))
	switch m[1] {
	case "s":
		n += engine.FirstStart - 1
	case "a":
		n += engine.FirstAdvanced - 1
	}
	return n
}

// tiles are several, as prose lists them.
func (r *reader) tiles(s string) (out []engine.Tile) {
	for _, x := range parts(s) {
		out = append(out, r.tile(x))
	}
	return out
}

// parts are the parts of a list: "a, b and c".
func parts(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(s, " and ", ", "), ", ")
}

// die is "orange 3" or "gray star".
func (r *reader) die(s string) engine.DieView {
	m := r.match(`(\w+) (\d|star)`, s)
	return engine.DieView{Color: r.color(m[1]), Value: uint8(r.number(strings.Replace(m[2], "star", "0", 1)))}
}

// count is "no", "one" or a number.
func (r *reader) count(s string) int {
	if i := slices.Index([]string{"no", "one"}, s); i >= 0 {
		return i
	}
	return r.number(s)
}

var ticket = regexp.MustCompile(`^(\w+)\| ?(.*?) ?(\d+) VP$`)

// rebuild makes a View from the text that a screen reader says for its page; only that text
// names the players.
func rebuild(lines []heard, set *component.Set) (*engine.View, error) {
	r := &reader{voice: words.English().For(set, 0, nil), named: map[string]engine.Seat{}, seen: map[string]bool{}}
	v := &r.v
	v.Die.Color, v.Display = engine.None, make([]engine.Tile, len(set.Costs))
	var names []string
	for _, l := range lines { // the players
		if m := ticket.FindStringSubmatch(l.text); m != nil && l.in == "Players in turn order" {
			names = append(names, m[1])
			p := engine.PlayerView{Seat: engine.Seat(len(names)), VP: r.number(m[3])}
			if r.named[m[1]] = p.Seat; strings.Contains(m[2], "their turn") {
				v.Seat = p.Seat
			}
			if strings.Contains(m[2], "to decide") {
				v.ToAct = append(v.ToAct, p.Seat)
			}
			v.Players = append(v.Players, p)
		}
	}
	r.voice = words.English().For(set, 0, names)
	sources := map[string]engine.Source{}
	for s := range engine.Sources {
		sources[r.voice.Say("source."+s.String())] = s
	}
	for _, l := range lines {
		part, rest, _ := strings.Cut(l.in, "/")
		switch {
		case part == "Space" && rest != "":
			r.space(l.text)
		case part == "The frigate":
			r.frigate(l.text)
		case part == "Technology":
			r.technology(l.text)
		case strings.HasPrefix(rest, "Board of "):
			if s := r.seat(strings.TrimPrefix(rest, "Board of ")); s > 0 {
				r.board(&v.Players[s-1], l.text)
			}
		default:
			r.prose(l.text, sources)
		}
		if r.err != nil {
			return nil, fmt.Errorf("%s: %q: %w", l.in, l.text, r.err)
		}
	}
	for i := range v.Players {
		if p := &v.Players[i]; v.Finished {
			p.Final = p.VP
		}
	}
	r.complete()
	return v, r.err
}

// prose is a line that is not of a board.
func (r *reader) prose(text string, sources map[string]engine.Source) {
	v := &r.v
	if strings.HasPrefix(text, "Base game · ") || strings.HasPrefix(text, "Advanced rules · ") {
		m := r.match(`(Base game|Advanced rules) · (revised|first) edition · (?:(\d) players|solo against Hal \((\w+)\))`, text)
		v.Options.Advanced, v.Options.First = m[1] == "Advanced rules", m[2] == "first"
		if v.Options.Players = 1; m[3] != "" {
			v.Options.Players = r.number(m[3])
		}
		for l := engine.Easy; l <= engine.Extreme; l++ {
			if l.String() == m[4] {
				v.Options.Hal = l
			}
		}
		r.seen["options"] = true
		return
	}
	if m := regexp.MustCompile(`^Round (\d+), turn (\d+)$`).FindStringSubmatch(text); m != nil {
		v.Round, v.Turn = r.number(m[1]), r.number(m[2])
		r.seen["round"] = true
		return
	}
	if rest, ok := strings.CutPrefix(text, "In use: "); ok {
		r.inUse(strings.TrimSuffix(rest, "."))
		return
	}
	cells := strings.Split(text, "|")
	if s, ok := sources[strings.TrimSpace(cells[0])]; ok && len(cells) == len(v.Players)+1 {
		for i := range v.Players {
			v.Players[i].By[s] = r.number(cells[i+1])
		}
		return
	}
	over := regexp.MustCompile(` VP\. The `).MatchString(text)
	if strings.HasPrefix(text, "Round ") || strings.HasPrefix(text, "Set-up") || over {
		v.Finished = over
		v.LastRound = over || strings.Contains(text, r.voice.Say("letter.last-round"))
		for d := engine.AskReserveFree; d <= engine.AskKeep; d++ {
			if v.Seat > 0 && strings.Contains(text, " "+words.Sentence(r.voice.Asked(v.Seat, d))) {
				v.Asked = d
			}
		}
		for e := engine.BySpes; e <= engine.ByRavagers; e++ {
			if strings.Contains(text, r.voice.Say("ending."+e.String())) {
				v.Ending = e
			}
		}
		r.seen["status"] = true
		r.winners(text)
	}
}

// winners finds whose victory a sentence tells.
func (r *reader) winners(text string) {
	if !r.v.Finished {
		return
	}
	n := len(r.v.Players)
	for set := 1; set < 1<<n; set++ {
		v := r.v
		v.Winners = nil
		for s := range n {
			if set>>s&1 == 1 {
				v.Winners = append(v.Winners, engine.Seat(s+1))
			}
			v.Players = slices.Clone(v.Players)
			v.Players[s].Final = v.Players[s].VP
		}
		if strings.HasPrefix(text, victory(r.voice, &v)+" ") {
			r.v.Winners = v.Winners
		}
	}
}

// inUse is "orange 3, at location 5, 2 times more".
func (r *reader) inUse(text string) {
	v := &r.v
	text, inject, _ := strings.Cut(text, ", to inject: ")
	v.ToInject = r.tiles(inject)
	for i, s := range strings.Split(text, ", ") {
		rest := func(prefix string) (string, bool) { return strings.CutPrefix(s, prefix) }
		if i == 0 {
			v.Die = r.die(s)
		} else if n, ok := rest("at location "); ok {
			v.Acting = uint8(r.number(n))
		} else if c, ok := rest("on "); ok {
			v.Using = r.card(c)
		} else if h, ok := rest("a ship at "); ok {
			v.Ship = r.hexAt(h)
		} else {
			v.Left = r.count(r.match(`(\w+) times? more`, s)[1])
		}
	}
}

// space is "c4, orange planet, the Black Angel, a Ravager icon, gray Mission 023 of Ada: …, a ship of Bo".
func (r *reader) space(text string) {
	v := &r.v
	if strings.HasPrefix(text, "The Spes token on strip ") {
		v.SpesToken = r.number(r.match(`The Spes token on strip (\d+): .*`, text)[1])
		return
	}
	m := r.match(`([a-e]\d+), (orange planet|gray station|green fleet|asteroids|the planet Spes)(, the Black Angel)?(, a comet)?(?:, (a|\d) Ravager icons?)?(?:, (\w+ Mission \d+) of (\w+): .*?)?((?:, a ship of \w+)*)`, text)
	if r.err != nil {
		return
	}
	h := engine.HexView{At: r.hexAt(m[1]), Color: engine.None, Comet: m[4] != ""}
	switch m[2] {
	case "asteroids":
		h.Asteroid = true
	case "the planet Spes":
		h.Spes, v.SpesHex = true, h.At
	default:
		color, _, _ := strings.Cut(m[2], " ")
		h.Color = r.color(color)
	}
	if m[3] != "" {
		v.BlackAngel = h.At
	}
	if m[5] != "" {
		h.Icons = r.number(strings.Replace(m[5], "a", "1", 1))
	}
	if m[6] != "" {
		h.Card, h.Owner = r.card(m[6]), r.seat(m[7])
	}
	for _, s := range strings.Split(m[8], ", a ship of ")[1:] {
		h.Ships = append(h.Ships, r.seat(s))
	}
	if n := h.At.Strip(); len(v.Strips) == 0 || v.Strips[len(v.Strips)-1].Number != n {
		v.Strips = append(v.Strips, engine.StripView{Number: n})
	}
	v.Strips[len(v.Strips)-1].Hexes[h.At.Lane()] = h
}

// frigate reads a room, a Ravager in the room last read out, or dice of the supply.
func (r *reader) frigate(text string) {
	v := &r.v
	neutral := func() *engine.NeutralView {
		if v.Neutral == nil {
			v.Neutral = &engine.NeutralView{}
		}
		return v.Neutral
	}
	switch {
	case text == "The frigate":
	case strings.HasPrefix(text, "Ravager "):
		m := r.match(`(Ravager \d+), (?:covered|on top: [^;]*)(?:; caught on it: (.*))?`, text)
		trap := engine.TrapView{Card: r.card(m[1])}
		for _, name := range parts(m[2]) {
			trap.Robots = append(trap.Robots, r.seat(name))
		}
		v.Locs[r.room].Ravagers = append(v.Locs[r.room].Ravagers, trap)
	case strings.HasPrefix(text, "a robot of the neutral player"):
		neutral().Robots[r.color(r.match(`a robot of the neutral player in the (\w+) workstation`, text)[1])%3] = true
	case strings.HasSuffix(text, " of the neutral player"):
		neutral().Dice = append(neutral().Dice, r.die(strings.TrimSuffix(text, " of the neutral player")))
	case strings.Contains(text, " supply: "):
		m := r.match(`(\w+) supply: (\w+) (?:die|dice)(?:, (\d+) damaged)?`, text)
		d := engine.SupplyView{Dice: r.count(m[2])}
		if m[3] != "" {
			d.Damaged = r.number(m[3])
		}
		v.Supply[r.color(m[1])%3] = d
		r.seen["supply "+m[1]] = true
	default:
		m := r.match(`(\d), (\w+), (\w+): [^.]*\. (?:No|(\d)) Damage\b.*`, text)
		r.room = r.number(m[1]) % 7
		l := &v.Locs[r.room]
		if l.Color, l.Action = r.color(m[3]), r.action(m[2]); m[4] != "" {
			l.Damage = r.number(m[4])
		}
	}
}

func (r *reader) action(s string) component.Action {
	for a := component.Discover; a <= component.Command; a++ {
		if a.String() == s {
			return a
		}
	}
	r.fail("%q is no action", s)
	return component.NoAction
}

// technology is a tile for sale, the top of a stack, or how much a deck has.
func (r *reader) technology(text string) {
	v := &r.v
	switch {
	case strings.HasPrefix(text, "Place "):
		m := r.match(`Place (\d): (.*); costs (\d)`, text)
		if i := r.number(m[1]) - 1; i < len(v.Display) {
			v.Display[i] = r.tile(m[2])
		}
	case strings.HasPrefix(text, "Advanced ") && strings.Contains(text, "; costs "):
		m := r.match(`Advanced (\d): (.*); costs 2`, text)
		v.Slots[(r.number(m[1])+3)%4] = r.tile(m[2])
	case strings.HasPrefix(text, "Next: "):
		m := r.match(`Next: ((\w+) tile .*); (\d+) more below(?:, (\d+) used)?`, text)
		c := r.color(m[2]) % 3
		v.TopTile[c] = r.tile(m[1])
		v.Decks[engine.PileTileOrange+engine.Pile(c)] = engine.DeckView{Left: r.number(m[3]) + 1, Discarded: r.number("0" + m[4])}
		r.seen["stack "+m[2]] = true
	case strings.Contains(text, " tiles: none left"):
		m := r.match(`(\w+) tiles: none left(?:, (\d+) used)?`, text)
		v.Decks[engine.PileTileOrange+engine.Pile(r.color(m[1])%3)].Discarded = r.number("0" + m[2])
		r.seen["stack "+m[1]] = true
	case strings.Contains(text, " to come"):
		v.AdvancedLeft = r.count(r.match(`(\w+) more Advanced tiles? to come`, text)[1])
		r.seen["advanced"] = true
	case strings.Contains(text, " deck: "):
		m := r.match(`(\w+)(?: Mission)? deck: (\d+) left, (\d+) used`, text)
		pile := engine.PileRavager
		if m[1] != "Ravager" {
			pile = engine.PileOrange + engine.Pile(r.color(m[1])%3)
		}
		v.Decks[pile] = engine.DeckView{Left: r.number(m[2]), Discarded: r.number(m[3])}
		r.seen["deck "+m[1]] = true
	}
}

// board is a line of a player's board.
func (r *reader) board(p *engine.PlayerView, text string) {
	who := fmt.Sprint(p.Seat, " ")
	switch {
	case strings.HasSuffix(text, " in storage"):
		m := r.match(`(\d+) ships?, (\d+) resources? and (\d+) Debris in storage`, text)
		p.Ships, p.Resources, p.Debris = r.number(m[1]), r.number(m[2]), r.number(m[3])
		r.seen[who+"goods"] = true
	case strings.HasPrefix(text, "Row ") || strings.HasPrefix(text, "Column "):
		m := r.match(`(Row|Column) (\d)(?:, free|: (.*))`, text)
		slots := &p.Rows
		if m[1] == "Column" {
			slots = &p.Columns
		}
		if m[3] != "" {
			slots[(r.number(m[2])+2)%3] = r.card(m[3])
		}
		r.seen[who+m[1]+m[2]] = true
	case regexp.MustCompile(`^\d\.\d: `).MatchString(text):
		m := r.match(`(\d)\.(\d): (.*?)(; Debris on it)?(; boost side up)?`, text)
		p.Grid[(r.number(m[1])*3-3+r.number(m[2])-1+9)%9] = engine.CellView{Tile: r.tile(m[3]), Debris: m[4] != "", Boost: m[5] != ""}
	case strings.HasSuffix(text, " in hand"):
		m := r.match(`(\w+) (?:(\w+) Mission|Ravager) cards? in hand`, text)
		if m[2] == "" {
			p.Ravagers = r.count(m[1])
		} else {
			p.Hand[r.color(m[2])%3] = r.count(m[1])
		}
	case strings.Contains(text, " in the break room"):
		r.crew(p, text)
		r.seen[who+"robots"] = true
	case strings.Contains(text, " tucked under the "):
		m := r.match(`(\w+) cards? tucked under the (\w+) space: (.*)`, text)
		c := r.color(m[2]) % 3
		for _, x := range parts(m[3]) {
			p.Tucked[c] = append(p.Tucked[c], r.card(x))
		}
		if len(p.Tucked[c]) != r.count(m[1]) {
			r.fail("%d cards are tucked, not %s", len(p.Tucked[c]), m[1])
		}
	case strings.Contains(text, " space: "):
		m := r.match(`(\w+) space: (.*)`, text)
		p.Spaces[r.color(m[1])%3] = r.tile(m[2])
	case strings.HasPrefix(text, "Ejected: "):
		p.Ejected = r.tiles(strings.TrimPrefix(text, "Ejected: "))
	case strings.HasPrefix(text, "Hal's cards: "):
		m := r.match(`Hal's cards: (\d+) left, (\d+) played`, text)
		r.v.Decks[engine.PileHal] = engine.DeckView{Left: r.number(m[1]), Discarded: r.number(m[2])}
		r.seen["deck Hal"] = true
	case regexp.MustCompile(`^(orange|gray|green) (\d|star)(, reserved)?$`).MatchString(text):
		face, reserved := strings.CutSuffix(text, ", reserved")
		dice := &p.Standard
		if reserved {
			dice = &p.Secure
		}
		*dice = append(*dice, r.die(face))
	case regexp.MustCompile(`^(\w+ Mission|Ravager) \d+$`).MatchString(text):
		p.Cards = append(p.Cards, r.card(text))
	}
}

// crew is "3 robots in the break room, no robots in the orange workstation, …".
func (r *reader) crew(p *engine.PlayerView, text string) {
	for s := range strings.SplitSeq(text, ", ") {
		n, where, _ := strings.Cut(s, " ")
		k := r.count(n)
		where = strings.TrimPrefix(strings.TrimPrefix(where, "robots "), "robot ")
		switch where {
		case "in the break room":
			p.Break = k
		case "in supply":
			p.RobotSupply = k
		case "pilot", "pilots":
			p.Pilots = k
		case "on Missions":
			p.OnCards = k
		case "caught":
			p.Trapped = k
		default:
			p.Stations[r.color(r.match(`in the (\w+) workstation`, where)[1])%3] = k
		}
	}
}

// complete holds that nothing was passed over in silence.
func (r *reader) complete() {
	want := []string{"options", "status", "round", "advanced", "deck Ravager"}
	for _, c := range []string{"orange", "gray", "green"} {
		want = append(want, "deck "+c, "stack "+c, "supply "+c)
	}
	for i := range r.v.Players {
		p := &r.v.Players[i]
		who := fmt.Sprint(p.Seat, " ")
		if want = append(want, who+"robots"); r.v.Options.Hal != engine.NoHal && p.Seat == engine.Hal {
			want = append(want, "deck Hal")
			continue
		}
		want = append(want, who+"goods")
		for k := range 3 {
			want = append(want, fmt.Sprint(who, "Row", k+1), fmt.Sprint(who, "Column", k+1))
		}
	}
	for _, w := range want {
		if !r.seen[w] {
			r.fail("nothing is said of %q", w)
		}
	}
}
