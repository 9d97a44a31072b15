package words

import (
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/order"
)

// A topic is an entry of rules or help.
type topic struct {
	Name    string
	Also    []string
	Title   string
	Text    string
	Rules   []string // of rules: numbers it tells
	Group   string   // of help: the group, for an entry that is not about a word
	Example string   // of help: lines of a letter
}

// called finds the topic that has the name.
func called(topics []topic, name string) *topic {
	for i := range topics {
		if t := &topics[i]; t.Name == name || slices.Contains(t.Also, name) {
			return t
		}
	}
	return nil
}

func find(topics []topic, name string) *topic {
	if t := called(topics, name); t != nil {
		return t
	}
	for i := range topics { // a beginning that only one has
		if t := &topics[i]; len(name) > 2 && strings.HasPrefix(t.Name, name) {
			return t
		}
	}
	return nil
}

func topicNames(topics []topic) []string {
	out := make([]string, len(topics))
	for i, t := range topics {
		out[i] = t.Name
	}
	return out
}

// maxTopic bounds what is echoed of an unknown topic, in runes.
const maxTopic = 30

// Rules answers `rules [topic | number]`: paragraphs of text. Without a topic they list the
// topics, in items that begin with "- ".
func (v *Voice) Rules(ask string) []string {
	ask = strings.ToLower(Clean(ask, maxTopic))
	if ask == "" {
		out := []string{v.Say("rules.intro")}
		for _, t := range v.topics {
			out = append(out, "- "+v.Say("rules.topic-line", "name", t.Name, "title", t.Title))
		}
		return out
	}
	if t := find(v.topics, ask); t != nil && !codeLike(ask) {
		out := []string{Sentence(t.Title)}
		if t.Text != "" {
			out = append(out, t.Text)
		}
		for _, n := range t.Rules {
			if n[0] == 'C' { // without the values, which are long
				out = v.entry(out, n)
				continue
			}
			out = append(out, v.numbered(strings.ToLower(n))...)
		}
		return out
	}
	if out := v.numbered(strings.ReplaceAll(ask, " ", "")); out != nil {
		return out
	}
	return []string{v.Say("rules.unknown", "topic", ask, "list", v.List(topicNames(v.topics)))}
}

// Knows reports whether Rules, or Help if word is not "rules", has an answer to ask.
func (v *Voice) Knows(word, ask string) bool {
	ask = strings.ToLower(Clean(ask, maxTopic))
	switch {
	case ask == "":
		return true
	case word != "rules":
		return find(v.helps, ask) != nil || groupCalled(ask) != order.NoGroup
	}
	return find(v.topics, ask) != nil && !codeLike(ask) || v.numbered(strings.ReplaceAll(ask, " ", "")) != nil
}

// Topic is what a topic of the rules says in one paragraph, without numbers:
// its own text, or its first rule.
func (v *Voice) Topic(name string) string {
	t := find(v.topics, name)
	switch {
	case t == nil:
		return ""
	case t.Text == "" && len(t.Rules) > 0:
		return v.Say("rule." + t.Rules[0])
	}
	return t.Text
}

// codeLike tells a number of RULES.md or of a component from a topic.
func codeLike(s string) bool {
	return len(s) > 1 && strings.ContainsAny(s, "0123456789") && !strings.Contains(s, " ")
}

// tabled are the kinds that RULES.md numbers in a table or within a rule, and the
// rule that tells them.
var tabled = map[string]string{
	"b1": "r14.2", "b2": "r14.2", "b3": "r14.2", "b4": "r14.2",
	"ta": "r12", "tb": "r12", "tc": "r12", "td": "r12",
}

// numbered explains what has a number: a card, a tile, a location, a kind of
// card or tile, a rule. nil if there is no such thing.
func (v *Voice) numbered(s string) []string {
	if n, err := strconv.Atoi(s); err == nil {
		switch {
		case len(s) == 1 && n >= 1 && n <= 6:
			return v.location(n)
		case n >= 1 && n <= component.LastRaider:
			return v.cardRules(engine.Card(n))
		}
		return nil
	}
	if s == "" {
		return nil
	}
	n, err := strconv.Atoi(s[1:])
	if err != nil {
		n = 0
	}
	if n, ok := tabled[s]; ok {
		return v.rule(n)
	}
	switch kind := s[0]; {
	case kind == 'r' || kind == 'q':
		return v.rule(s)
	case kind == 'c': // of components
		if out := v.entry(nil, strings.ToUpper(s)); out != nil {
			return append(out, v.box(n)...)
		}
		return nil
	case kind == 'e' || kind == 'd': // of examples, of departures
		return v.entry(nil, strings.ToUpper(s))
	case kind == 't' && n >= 1 && n <= component.Tiles:
		return v.tileRules(engine.Tile(n))
	case kind == 's' && n >= 1 && n <= 3:
		return v.tileRules(engine.FirstStart + engine.Tile(n-1))
	case kind == 'a' && n >= 1 && n <= component.Advanced:
		return v.tileRules(engine.FirstAdvanced + engine.Tile(n-1))
	case kind == 'm' && n >= 1 && n <= 20:
		var out []string
		for c := range 3 {
			out = append(out, v.cardRules(engine.Card(c*20+n))...)
		}
		return out
	case kind == 'v' && n >= 1 && n <= 5:
		var out []string
		for c := component.FirstRaider + (n-1)*6; c < component.FirstRaider+n*6; c++ {
			out = append(out, v.cardRules(engine.Card(c))...)
		}
		return out
	case kind == 'k' && n >= 1 && n <= 8:
		return []string{Sentence(v.Advanced(uint8(n))), v.Say("advanced.cap")}
	}
	return nil
}

func (v *Voice) cardRules(c engine.Card) []string {
	text := v.CardText(c)
	if text == "" {
		return nil
	}
	text = Sentence(v.CardName(c)) + " " + text
	if !c.Ravager() {
		text += " " + v.Say("card.explain-slot", "color", v.Color(c.Color()))
	}
	return []string{text}
}

func (v *Voice) tileRules(t engine.Tile) []string {
	effect := v.Tile(v.set, t)
	if effect == "" {
		return nil
	}
	out := Sentence(v.TileName(t)) + " " + Sentence(effect)
	switch b := v.Boost(t); {
	case t.Advanced():
		out += " " + v.Say("advanced.cap")
	case t.Starting():
		out += " " + v.Say("rules.starting")
	case b != "":
		out += " " + v.Say("rules.boost-side", "boost", b)
	}
	return []string{out}
}

func (v *Voice) location(n int) []string {
	l := v.set.Locs[n]
	if l.Action == component.NoAction {
		return nil
	}
	return append([]string{v.Say("rules.location", "n", n, "action", v.Action(l.Action), "color", v.Color(l.Color)) +
		" " + Sentence(v.Location(v.set, n))}, v.Rules(l.Action.String())...)
}

// rulingLetters are the letters of the rulings on a rule: Q5.5, Q5.5a, Q5.5b.
var rulingLetters = [...]string{"", "a", "b", "c", "d", "e", "f", "g", "h"}

// rule explains a number of RULES.md: a ruling by its own entry ("q5.5a"), a rule
// by its entry and the rulings on it ("r5.5"), a section by all its rules ("r5").
func (v *Voice) rule(n string) []string {
	kind, n := n[0], n[1:]
	bare := strings.TrimRight(n, "abcdefgh")
	if key := "Q" + n; (kind == 'q' || n != bare) && v.Has("rule."+key) {
		return v.entry(nil, key)
	}
	n = bare
	if section, _, _ := strings.Cut(n, "."); v.Has("rule.R" + section) { // told as one
		out := v.entry(nil, "R"+section)
		for i := 1; i < 10; i++ {
			out = v.entry(out, "Q"+section+"."+strconv.Itoa(i))
		}
		return out
	}
	if strings.Contains(n, ".") {
		out := v.entry(nil, "R"+n)
		for _, letter := range rulingLetters {
			out = v.entry(out, "Q"+n+letter)
		}
		return out
	}
	var out []string
	for i := 1; v.Has("rule.R" + n + "." + strconv.Itoa(i)); i++ {
		out = append(out, v.rule("r"+n+"."+strconv.Itoa(i))...)
	}
	return out
}

// entry appends the paragraphs of a number's text, if it has one.
func (v *Voice) entry(out []string, n string) []string {
	if !v.Has("rule." + n) {
		return out
	}
	return append(out, strings.Split(v.Say("rules.number", "n", n, "text", v.Say("rule."+n)), "\n")...)
}

// Help answers `help [word | group]`: paragraphs of text. A line that begins with "- "
// is an item, and "| " an example.
func (v *Voice) Help(word string) []string {
	word = strings.ToLower(Clean(word, maxTopic))
	if word == "" {
		return v.allHelp()
	}
	t, g := called(v.helps, word), groupCalled(word)
	if t == nil && g == order.NoGroup {
		t = find(v.helps, word)
	}
	var out []string
	if t != nil {
		out = append(out, "| "+strings.ReplaceAll(t.Example, "\n", "\n| "), t.Text)
	}
	if g != order.NoGroup {
		out = append(out, v.groupHelp(g)...)
	}
	if out == nil {
		return []string{v.Say("help.unknown", "word", word)}
	}
	return out
}

// allHelp lists the words by their groups.
func (v *Voice) allHelp() []string {
	out := []string{v.Say("help.intro")}
	for g := order.NoGroup + 1; g.String() != ""; g++ {
		var names []string
		for _, t := range v.helps {
			if t.Group == g.String() {
				names = append(names, t.Name)
			}
		}
		out = append(out, "- "+v.Say("help.group", "group", g.String(), "about", v.Say("help-group."+g.String()), "words", strings.Join(names, ", ")))
	}
	return append(out, v.Say("help.more"))
}

// groupHelp lists the words of a group, an example of each first.
func (v *Voice) groupHelp(g order.Group) []string {
	out := []string{v.Say("help.of-group", "group", g.String(), "about", v.Say("help-group."+g.String()))}
	for _, t := range v.helps {
		if t.Group == g.String() {
			out = append(out, "- "+v.Say("help.line", "example", t.inShort(), "title", t.Title))
		}
	}
	return append(out, v.Say("help.more-group"))
}

// inShort is the line of the example that begins with the word, or its first.
func (t *topic) inShort() string {
	lines := strings.Split(t.Example, "\n")
	i := slices.IndexFunc(lines, func(line string) bool {
		first, _, _ := strings.Cut(line, " ")
		return first == t.Name || slices.Contains(t.Also, first)
	})
	return lines[max(i, 0)]
}

// groupCalled finds a group by its name.
func groupCalled(name string) order.Group {
	for g := order.NoGroup + 1; g.String() != ""; g++ {
		if g.String() == name {
			return g
		}
	}
	return order.NoGroup
}

// grouped gives the entries of help that are words the groups of those words.
func grouped(helps []topic) {
	groups := map[string]string{}
	for k := order.NoWord + 1; k.String() != ""; k++ {
		groups[k.String()] = k.Group().String()
	}
	for i := range helps {
		if g, word := groups[helps[i].Name]; word {
			helps[i].Group = g
		}
	}
}
