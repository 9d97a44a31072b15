package templates

import (
	"slices"

	"angelpost/engine/league"
	"angelpost/engine/order"
)

// GuideHref is the address of the guide for directors.
const GuideHref = "/leagues/run"

// Guide is the guide for directors of leagues as a page.
type Guide struct {
	Frame
	Parts []league.GuidePart
}

// title is the guide's heading.
func (g *Guide) title() string {
	i := slices.IndexFunc(g.Parts, func(p league.GuidePart) bool { return p.Kind == league.GuideTitle })
	return g.Parts[i].Lines[0]
}

// first reports whether a row is the first of its table, which has its headings.
func (g *Guide) first(i int) bool { return i == 0 || g.Parts[i-1].Kind != league.GuideRow }

// rows are those of the table that begins with a part.
func (g *Guide) rows(i int) (out []league.GuidePart) {
	for ; i < len(g.Parts) && g.Parts[i].Kind == league.GuideRow; i++ {
		out = append(out, g.Parts[i])
	}
	return out
}

// guideTopics are the topics of help that lead to the guide.
var guideTopics = []string{"league", "leagues", "new league", "amend", "announce", "direct", "directing"}

// guideLink leads from help about leagues to the guide.
func (c *content) guideLink(s *section, topic string) {
	if c.site.BaseURL != "" && slices.Contains(guideTopics, order.Key(topic)) {
		s.add(piece{kind: link, text: c.Say("league.run"), url: c.site.BaseURL + GuideHref})
	}
}
