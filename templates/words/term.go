package words

import (
	"strconv"

	"angelpost/templates/draw"
)

var _ draw.Words = (*Voice)(nil)

// Term is the word for a label of a board (draw.Words): message "draw.N" for
// term N, "" (which is the term of RULES.md, English) where there is none.
func (v *Voice) Term(t draw.Term) string {
	if int(t) < len(v.terms) {
		return v.terms[t]
	}
	return ""
}

// About is what a kind of thing on the table is or does: message
// "about.KEY".
func (v *Voice) About(a draw.About) string {
	if int(a) < len(v.abouts) {
		return v.abouts[a]
	}
	return ""
}

// drawTerms looks the terms up once.
func (c *Catalogue) drawTerms() {
	for t := 0; ; t++ {
		key := "draw." + strconv.Itoa(t)
		if !c.Has(key) {
			return
		}
		c.terms = append(c.terms, c.Say(key))
	}
}
