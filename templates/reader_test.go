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
	in   string // "board: Ada/grid"
	text string
}

// hear reads a page as a screen reader does: what is hidden from it is not
// there, a link is called by what labels it, a row of a table is a line, and what
// is folded stays folded.
func hear(doc *html.Node) (out []heard) {
	ids := map[string]*html.Node{}
	for n := range doc.Descendants() {
		if id := attribute(n, "id"); id != "" {
			ids[id] = n
		}
	}
	var walk func(n *html.Node, in string)
	walk = func(n *html.Node, in string) {
		if n.Type == html.ElementNode {
			if attribute(n, "aria-hidden") == "true" || n.Data == "head" || n.Data == "details" || n.Data == "foreignObject" {
				return
			}
			if by := attribute(n, "aria-labelledby"); n.Data == "a" && by != "" {
				text := ""
				if ids[by] != nil {
					text = plainText(ids[by])
				}
				out = append(out, heard{in, text})
				return
			}
			if label := attribute(n, "aria-label"); label != "" {
				in = strings.TrimPrefix(in+"/"+label, "/")
			}
			if slices.Contains([]string{"p", "li", "h1", "h2", "tr"}, n.Data) {
				if text := plainText(n); text != "" {
					out = append(out, heard{in, text})
				}
				return
			}
		}
		for c := range n.ChildNodes() {
			walk(c, in)
		}
	}
	walk(doc, "")
	return out
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// plainText is what is heard of an element; things that stand by themselves are
// parted by a bar.
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

func (r *reader) seats(list string) (out []engine.Seat) {
	for name := range strings.SplitSeq(list, ", ") {
		out = append(out, r.seat(name))
	}
	return out
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

// card is "Mission 023 gray", "Mission gray", "Ravager 061", "Ravager", "empty".
func (r *reader) card(s string) engine.Card {
	s, _, _ = strings.Cut(s, " (")
	s, _, _ = strings.Cut(s, ":")
	switch w := strings.Fields(s); {
	case s == "empty":
		return 0
	case s == "Ravager":
		return engine.BackRavager
	case len(w) == 2 && w[0] == "Ravager":
		return engine.Card(r.number(w[1]))
	case len(w) == 2 && w[0] == "Mission":
		return engine.BackOrange + engine.Card(r.color(w[1]))
	case len(w) == 3 && w[0] == "Mission":
		return engine.Card(r.number(w[1]))
	}
	r.fail("%q is no card", s)
	return 0
}

// tile is "t12 orange: 1 VP", "a4 Advanced: …", "empty"; what a boost side says
// begins with its boost.
func (r *reader) tile(s string) (t engine.Tile, boost bool) {
	if s == "empty" {
		return 0, false
	}
	name, _, _ := strings.Cut(s, " ")
	n := engine.Tile(r.number(name[1:]))
	switch name[0] {
	case 's':
		n += engine.FirstStart - 1
	case 'a':
		n += engine.FirstAdvanced - 1
	}
	if n.String() != name {
		r.fail("%q is no tile", s)
	}
	_, does, _ := strings.Cut(s, ": ")
	return n, strings.HasPrefix(does, "boost: ")
}

// dice are "orange 3, gray 0 (star)", "none".
func (r *reader) dice(s string) (out []engine.DieView) {
	if s == "none" {
		return nil
	}
	for d := range strings.SplitSeq(s, ", ") {
		m := r.match(`(\w+) (\d)(?: \(star\))?`, d)
		out = append(out, engine.DieView{Color: r.color(m[1]), Value: uint8(r.number(m[2]))})
	}
	return out
}

// pile is "left 12, discarded 3".
func (r *reader) pile(s string) engine.DeckView {
	m := r.match(`left (\d+)(?:, discarded (\d+))?`, s)
	d := engine.DeckView{Left: r.number(m[1])}
	if m[2] != "" {
		d.Discarded = r.number(m[2])
	}
	return d
}

var (
	standing = regexp.MustCompile(`^seat (\d)(?:, (.*))?: VP (\d+)(?:, final (\d+))?(, turn)?$`)
	seated   = regexp.MustCompile(`^\d (.*) \d+ VP( to move)?$`)
	trapped  = regexp.MustCompile(`(\d+)(?: \(robots ([^)]*)\))?`)
)

// rebuild makes a View of what is heard of its page; players are told by
// nothing else.
func rebuild(lines []heard, set *component.Set) (*engine.View, error) {
	r := &reader{voice: words.English().For(set, 0, nil), named: map[string]engine.Seat{}, seen: map[string]bool{}}
	r.v.Die.Color = engine.None
	var list []string
	for _, l := range lines { // who plays
		if m := standing.FindStringSubmatch(name(l.text)); m != nil && strings.HasSuffix(l.in, "table/players") {
			p := engine.PlayerView{Seat: engine.Seat(r.number(m[1])), VP: r.number(m[3])}
			if m[4] != "" {
				p.Final = r.number(m[4])
			}
			if m[5] != "" {
				r.v.Seat = p.Seat
			}
			r.v.Players = append(r.v.Players, p)
			r.named[m[2]] = p.Seat
			list = append(list, m[2])
		}
	}
	r.voice = words.English().For(set, 0, list)
	sources := map[string]engine.Source{}
	for s := range engine.Sources {
		sources[r.voice.Say("source."+s.String())] = s
	}
	for _, l := range lines {
		_, rest, _ := strings.Cut(l.in, "/") // within a named section of the page
		switch {
		case strings.HasPrefix(rest, "table"):
			r.table(strings.TrimPrefix(rest, "table"), name(l.text))
		case strings.HasPrefix(rest, "board: "):
			who, group, _ := strings.Cut(strings.TrimPrefix(rest, "board: "), "/")
			if s := r.seat(who); s > 0 {
				r.board(&r.v.Players[s-1], group, name(l.text))
			}
		default:
			r.prose(l.text, sources)
		}
		if r.err != nil {
			return nil, fmt.Errorf("%s: %q: %w", l.in, l.text, r.err)
		}
	}
	r.complete()
	return &r.v, r.err
}

// name is what a thing is called; behind it stands what it is about.
func name(text string) string {
	s, _, _ := strings.Cut(text, "|")
	return strings.TrimSpace(s)
}

// prose is a line that is not on a board.
func (r *reader) prose(text string, sources map[string]engine.Source) {
	if strings.HasPrefix(text, "Base game · ") || strings.HasPrefix(text, "Advanced rules · ") {
		m := r.match(`(Base game|Advanced rules) · (revised|first) edition · (?:(\d) players|solo against Hal \((\w+)\))`, text)
		r.v.Options.Advanced, r.v.Options.First = m[1] == "Advanced rules", m[2] == "first"
		if r.v.Options.Players = 1; m[3] != "" {
			r.v.Options.Players = r.number(m[3])
		}
		for l := engine.Easy; l <= engine.Extreme; l++ {
			if l.String() == m[4] {
				r.v.Options.Hal = l
			}
		}
		r.seen["options"] = true
		return
	}
	if m := seated.FindStringSubmatch(text); m != nil {
		if m[2] != "" {
			r.v.ToAct = append(r.v.ToAct, r.seat(m[1]))
		}
		return
	}
	cells := strings.Split(text, "|")
	if s, ok := sources[strings.TrimSpace(cells[0])]; ok && len(cells) == len(r.v.Players)+1 {
		for i := range r.v.Players {
			r.v.Players[i].By[s] = r.number(cells[i+1])
		}
		return
	}
	if strings.HasPrefix(text, "Round ") || strings.HasPrefix(text, "Set-up") || strings.Contains(text, " VP. The ") {
		for s := engine.Seat(1); int(s) <= len(r.v.Players); s++ {
			for d := engine.AskReserveFree; d <= engine.AskKeep; d++ {
				if s == r.v.Seat && strings.Contains(text, " "+words.Sentence(r.voice.Asked(s, d))) {
					r.v.Asked = d
				}
			}
		}
		for e := engine.BySpes; e <= engine.ByRavagers; e++ {
			if strings.Contains(text, r.voice.Say("ending."+e.String())) {
				r.v.Ending = e
			}
		}
		r.seen["status"] = true
		r.winners(text)
	}
}

// winners finds whose victory a sentence tells.
func (r *reader) winners(text string) {
	if strings.HasPrefix(text, "Round ") || strings.HasPrefix(text, "Set-up") {
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
		}
		if strings.HasPrefix(text, victory(r.voice, &v)+" ") {
			r.v.Winners = v.Winners
		}
	}
}

func (r *reader) table(group, s string) {
	v := &r.v
	colored := func(i int) engine.Pile { return engine.Pile(i) }
	switch {
	case group == "/Space" && strings.HasPrefix(s, "Ravager deck: "):
		v.Decks[engine.PileRavager] = r.pile(strings.TrimPrefix(s, "Ravager deck: "))
		r.seen["ravagers"] = true
	case group == "/Space":
		m := r.match(`round (\d+), turn (\d+)(?:, (over|last round))?`, s)
		v.Round, v.Turn, v.Finished, v.LastRound = r.number(m[1]), r.number(m[2]), m[3] == "over", m[3] != ""
		r.seen["round"] = true
	case strings.HasPrefix(group, "/Space/strip ") && strings.HasPrefix(s, "Spes token, strip "):
		v.SpesToken = r.number(strings.TrimPrefix(s, "Spes token, strip "))
	case strings.HasPrefix(group, "/Space/strip "):
		if n := r.number(strings.TrimPrefix(group, "/Space/strip ")); len(v.Strips) == 0 || v.Strips[len(v.Strips)-1].Number != n {
			v.Strips = append(v.Strips, engine.StripView{Number: n})
		}
		h := r.hex(s)
		v.Strips[len(v.Strips)-1].Hexes[h.At.Lane()] = h
	case group == "/players" && strings.HasPrefix(s, "seat "): // read before
	case group == "/players" && strings.HasPrefix(s, "Mission deck "):
		m := r.match(`Mission deck (\w+): (.*)`, s)
		v.Decks[engine.PileOrange+colored(int(r.color(m[1])))] = r.pile(m[2])
		r.seen["missions "+m[1]] = true
	case group == "/players":
		r.now(s)
	case group == "/frigate" && strings.Contains(s, " supply: "):
		m := r.match(`(\w+) supply: dice (\d+)(?:, damaged (\d+))?`, s)
		d := engine.SupplyView{Dice: r.number(m[2])}
		if m[3] != "" {
			d.Damaged = r.number(m[3])
		}
		v.Supply[r.color(m[1])] = d
		r.seen["supply "+m[1]] = true
	case group == "/frigate" && strings.HasPrefix(s, "neutral "):
		m := r.match(`neutral (\w+): (robot; )?dice (.*)`, s)
		if v.Neutral == nil {
			v.Neutral = &engine.NeutralView{}
		}
		v.Neutral.Robots[r.color(m[1])] = m[2] != ""
		v.Neutral.Dice = append(v.Neutral.Dice, r.dice(m[3])...)
		r.seen["neutral "+m[1]] = true
	case group == "/frigate" && strings.HasPrefix(s, "seat 2, Hal: "): // his dice once more
		r.seen["beside "+strconv.Itoa(len(r.seen))] = true
	case group == "/frigate":
		m := r.match(`(\d) (\w+) (\w+), Damage (\d)(?:; Ravagers (.*); on top \d+: .*)?`, s)
		l := &v.Locs[r.number(m[1])%7]
		l.Color, l.Action, l.Damage = r.color(m[2]), r.action(m[3]), r.number(m[4])
		for _, one := range trapped.FindAllStringSubmatch(m[5], -1) {
			trap := engine.TrapView{Card: engine.Card(r.number(one[1]))}
			if one[2] != "" {
				trap.Robots = r.seats(one[2])
			}
			l.Ravagers = append(l.Ravagers, trap)
		}
	case group == "/display":
		r.shop(s)
	default:
		r.fail("%s on the table", group)
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

// hex is "c4 orange, comet, Ravager icon, Black Angel; Mission 023 gray, owner Ada (…): …; ships Ada, Bo".
func (r *reader) hex(s string) engine.HexView {
	m := r.match(`([a-e]\d+) (orange|gray|green|asteroids|Spes)(, comet)?(, Ravager icon(?: (\d))?)?(, Black Angel)?(?:; Mission (\d+) \w+, owner (\w+) \(reward [^)]*\): .*?)?(?:; ships ([\w, ]+))?`, s)
	if r.err != nil {
		return engine.HexView{}
	}
	h := engine.HexView{At: r.hexAt(m[1]), Color: engine.None, Comet: m[3] != ""}
	switch m[2] {
	case "asteroids":
		h.Asteroid = true
	case "Spes":
		h.Spes, r.v.SpesHex = true, h.At
	default:
		h.Color = r.color(m[2])
	}
	if m[4] != "" {
		if h.Icons = 1; m[5] != "" {
			h.Icons = r.number(m[5])
		}
	}
	if m[6] != "" {
		r.v.BlackAngel = h.At
	}
	if m[7] != "" {
		h.Card, h.Owner = engine.Card(r.number(m[7])), r.seat(m[8])
	}
	if m[9] != "" {
		h.Ships = r.seats(m[9])
	}
	return h
}

// now is "die gray 2; acting 3; left 1; inject t12, t30".
func (r *reader) now(s string) {
	v := &r.v
	for part := range strings.SplitSeq(s, "; ") {
		what, rest, _ := strings.Cut(part, " ")
		switch what {
		case "die":
			if d := r.dice(rest); len(d) == 1 {
				v.Die = d[0]
			}
		case "acting":
			v.Acting = uint8(r.number(rest))
		case "using":
			v.Using = r.card(rest)
		case "ship":
			v.Ship = r.hexAt(rest)
		case "left":
			v.Left = r.number(rest)
		case "inject":
			for t := range strings.SplitSeq(rest, ", ") {
				tile, _ := r.tile(t)
				v.ToInject = append(v.ToInject, tile)
			}
		default:
			r.fail("%q of a turn", part)
		}
	}
}

func (r *reader) shop(s string) {
	v := &r.v
	switch {
	case strings.HasPrefix(s, "display "):
		m := r.match(`display (\d), cost (\d): (.*)`, s)
		t, _ := r.tile(m[3])
		v.Display = append(v.Display, t)
		if len(v.Display) != r.number(m[1]) {
			r.fail("display %s comes after %d", m[1], len(v.Display)-1)
		}
	case strings.HasPrefix(s, "Advanced deck: "):
		v.AdvancedLeft = r.pile(strings.TrimPrefix(s, "Advanced deck: ")).Left
		r.seen["advanced"] = true
	case strings.HasPrefix(s, "Advanced "):
		m := r.match(`Advanced (\d), cost (\d): (.*)`, s)
		v.Slots[(r.number(m[1])+3)%4], _ = r.tile(m[3])
		r.seen["slot "+m[1]] = true
	default:
		m := r.match(`(\w+) stack: (.*); (left .*)`, s)
		c := r.color(m[1]) % 3
		v.TopTile[c], _ = r.tile(m[2])
		v.Decks[engine.PileTileOrange+engine.Pile(c)] = r.pile(m[3])
		r.seen["stack "+m[1]] = true
	}
}

// board is a line of a player's board.
func (r *reader) board(p *engine.PlayerView, group, s string) {
	who := fmt.Sprint(p.Seat, " ")
	r.seen[who+group+strings.SplitN(s, ":", 2)[0]] = true
	hand := func(s string) {
		m := r.match(`hand: orange (\d+), gray (\d+), green (\d+), Ravagers (\d+)`, s)
		p.Hand, p.Ravagers = [3]int{r.number(m[1]), r.number(m[2]), r.number(m[3])}, r.number(m[4])
	}
	switch {
	case strings.HasPrefix(s, "seat ") && strings.Contains(s, "; ships "):
		m := r.match(`seat \d, \w+: VP (\d+)(?:, final \d+)?; ships (\d+), resources (\d+), Debris (\d+)`, s)
		if r.number(m[1]) != p.VP {
			r.fail("%s VP on the board, %d above", m[1], p.VP)
		}
		p.Ships, p.Resources, p.Debris = r.number(m[2]), r.number(m[3]), r.number(m[4])
		r.seen[who+"goods"] = true
	case strings.HasPrefix(s, "seat "):
		m := r.match(`seat \d, \w+: VP (\d+)(?:, final \d+)?`, s)
		if r.number(m[1]) != p.VP {
			r.fail("%s VP on the board, %d above", m[1], p.VP)
		}
		r.seen[who+"goods"] = true
	case group == "grid" && strings.HasPrefix(s, "row ") || group == "grid" && strings.HasPrefix(s, "column "):
		m := r.match(`(row|column) (\d): (.*)`, s)
		slots := &p.Rows
		if m[1] == "column" {
			slots = &p.Columns
		}
		slots[(r.number(m[2])+2)%3] = r.card(m[3])
	case group == "grid":
		m := r.match(`(\d)\.(\d): (.*?)(; Debris)?`, s)
		t, boost := r.tile(m[3])
		p.Grid[(r.number(m[1])*3-3+r.number(m[2])-1+9)%9] = engine.CellView{Tile: t, Boost: boost, Debris: m[4] != ""}
	case strings.HasPrefix(s, "break room "):
		m := r.match(`break room (\d+); workstation orange (\d+), gray (\d+), green (\d+)(?:; on Missions (\d+))?(?:; robot supply (\d+), pilots (\d+), on Missions (\d+), on Ravagers (\d+))?`, s)
		p.Break, p.Stations = r.number(m[1]), [3]int{r.number(m[2]), r.number(m[3]), r.number(m[4])}
		if r.seen[who+"robots"] = true; m[5] != "" {
			p.OnCards = r.number(m[5])
			break
		}
		p.RobotSupply, p.Pilots, p.OnCards, p.Trapped = r.number(m[6]), r.number(m[7]), r.number(m[8]), r.number(m[9])
	case strings.HasPrefix(s, "standard dice: "):
		p.Standard = r.dice(strings.TrimPrefix(s, "standard dice: "))
	case strings.HasPrefix(s, "dice: "): // Hal's
		p.Standard = r.dice(strings.TrimPrefix(s, "dice: "))
	case strings.HasPrefix(s, "secure dice: "):
		p.Secure = r.dice(strings.TrimPrefix(s, "secure dice: "))
	case strings.HasPrefix(s, "deck: "):
		r.v.Decks[engine.PileHal] = r.pile(strings.TrimPrefix(s, "deck: "))
	case strings.HasPrefix(s, "VP: "): // what things are worth to Hal stands in the set
	case group == "spaces":
		m := r.match(`(\w+): (.*); tucked \w+ (\d+)(?:: (.*))?`, s)
		c := r.color(m[1]) % 3
		p.Spaces[c], _ = r.tile(m[2])
		if m[4] != "" {
			for card := range strings.SplitSeq(m[4], ", ") {
				p.Tucked[c] = append(p.Tucked[c], engine.Card(r.number(card)))
			}
		}
		if len(p.Tucked[c]) != r.number(m[3]) {
			r.fail("%d cards are tucked, not %s", len(p.Tucked[c]), m[3])
		}
	case strings.HasPrefix(group, "hand: "):
		hand(group)
		if strings.HasPrefix(s, "hand: ") {
			hand(s)
			break
		}
		p.Cards = append(p.Cards, r.card(s))
	case group == "ejected":
		t, _ := r.tile(s)
		p.Ejected = append(p.Ejected, t)
	case group == "tucked":
		r.seen[who+"tucked "+r.card(s).String()] = true
	default:
		r.fail("%s on a board", group)
	}
}

// complete holds that nothing was passed over in silence.
func (r *reader) complete() {
	want := []string{"options", "status", "ravagers", "round", "advanced"}
	for _, c := range []string{"orange", "gray", "green"} {
		want = append(want, "missions "+c, "supply "+c, "stack "+c)
		if r.v.Neutral != nil {
			want = append(want, "neutral "+c)
		}
	}
	for i := range r.v.Slots {
		want = append(want, "slot "+strconv.Itoa(i+1))
	}
	for i := range r.v.Players {
		p := &r.v.Players[i]
		who := fmt.Sprint(p.Seat, " ")
		want = append(want, who+"goods", who+"robots")
		if r.v.Options.Hal != engine.NoHal && p.Seat == engine.Hal {
			want = append(want, who+"dice", who+"deck", who+"VP")
			continue
		}
		want = append(want, who+"standard dice", who+"secure dice")
		for k := range 9 {
			want = append(want, fmt.Sprintf("%sgrid%d.%d", who, k/3+1, k%3+1))
		}
		for k := range 3 {
			want = append(want, fmt.Sprintf("%sgridrow %d", who, k+1), fmt.Sprintf("%sgridcolumn %d", who, k+1), who+"spaces"+engine.Color(k).String())
			for _, c := range p.Tucked[k] {
				want = append(want, who+"tucked "+c.String())
			}
		}
		if len(p.Cards) == 0 && p.Hand[0]+p.Hand[1]+p.Hand[2]+p.Ravagers > 0 {
			want = append(want, who+fmt.Sprintf("hand: orange %d, gray %d, green %d, Ravagers %dhand", p.Hand[0], p.Hand[1], p.Hand[2], p.Ravagers))
		}
	}
	for _, w := range want {
		if !r.seen[w] {
			r.fail("nothing is said of %q", w)
		}
	}
}
