package words

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine/order"
)

// A Rule is one number of the rules and what it says, a paragraph each.
type Rule struct {
	N      string // "R5.4", "Q5.5a"
	Text   []string
	Ruling bool // it settles what the rulebook leaves open
}

// A Chapter is rules under one heading.
type Chapter struct {
	N     string // of the section: "5", "C", "E"
	Title string
	Rules []Rule
}

var ruleNumber = regexp.MustCompile(`^([RQCDE])(\d+)(?:\.(\d+))?([a-h]?)$`)

// RuleBook is every rule by its number, in chapters.
func (c *Catalogue) RuleBook() (out []Chapter) {
	type numbered struct {
		Rule
		chapter       string
		section, part int
		suffix        string
	}
	var all []numbered
	for _, key := range c.Keys("rule.") {
		n := strings.TrimPrefix(key, "rule.")
		m := ruleNumber.FindStringSubmatch(n)
		if m == nil {
			continue
		}
		x := numbered{Rule: Rule{N: n, Text: strings.Split(c.Say(key), "\n"), Ruling: m[1] == "Q"}, chapter: m[2], suffix: m[4]}
		x.section, _ = strconv.Atoi(m[2])
		x.part, _ = strconv.Atoi(m[3])
		if m[1] == "C" || m[1] == "D" || m[1] == "E" {
			x.chapter, x.part, x.section = m[1], x.section, 100+int(m[1][0])
		}
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b numbered) int {
		ruling := func(x numbered) int {
			if x.Ruling {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(a.section, b.section), cmp.Compare(a.part, b.part), cmp.Compare(ruling(a), ruling(b)), cmp.Compare(a.suffix, b.suffix))
	})
	for _, x := range all {
		if len(out) == 0 || out[len(out)-1].N != x.chapter {
			out = append(out, Chapter{N: x.chapter, Title: c.Say("chapter." + x.chapter)})
		}
		last := &out[len(out)-1]
		last.Rules = append(last.Rules, x.Rule)
	}
	return out
}

// A HelpWord is a word of letters, as `help` explains it.
type HelpWord struct {
	Name, Title, Example string
	Also                 []string
	Text                 string // lines that begin with "- " are items
}

// A HelpGroup is words of one kind.
type HelpGroup struct {
	Name, About string
	Words       []HelpWord
}

// HelpBook is every word of letters, by group.
func (c *Catalogue) HelpBook() (out []HelpGroup) {
	for g := order.NoGroup + 1; g.String() != ""; g++ {
		group := HelpGroup{Name: g.String(), About: c.Say("help-group." + g.String())}
		for _, t := range c.helps {
			if t.Group == g.String() {
				group.Words = append(group.Words, HelpWord{t.Name, t.Title, t.Example, t.Also, t.Text})
			}
		}
		out = append(out, group)
	}
	return out
}

// Fits reports whether a text has all words of a search, whatever their case.
func Fits(search string, texts ...string) bool {
	text := strings.ToLower(strings.Join(texts, "\n"))
	for _, w := range strings.Fields(strings.ToLower(search)) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
