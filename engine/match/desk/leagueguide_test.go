package desk_test

import (
	"slices"
	"strings"
	"testing"

	"angelpost/engine/league"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// TestGuide walks the example of "Run a league": each letter in it does what the guide says, and
// our letters say what it quotes.
func TestGuide(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) { c.Directors = []string{"dora@home.test"} })
	id, sent, read := "", 0, 0
	for _, p := range league.Guide() {
		text := strings.Join(p.Lines, "\n")
		switch p.Kind {
		case league.GuideSend:
			sent++
			if o.box[at(p.Who)] == nil || strings.HasPrefix(text, "new league") || strings.HasPrefix(text, "join") {
				o.send(o.letter(at(p.Who), "", text))
			} else {
				o.write(p.Who, text)
			}
			if last := o.last(p.Who); problemOf(last) != "" {
				t.Errorf("%s: %s", text, summary(last))
			}
			if strings.HasPrefix(text, "join") {
				o.write(p.Who, "yes")
			}
		case league.GuideRead:
			read++
			want, found := strings.Join(p.Lines, " "), false
			for _, r := range o.box[at(p.Who)] {
				said, _ := o.shown(r)
				found = found || strings.Contains(said, want)
			}
			if !found {
				said, _ := o.shown(o.last(p.Who))
				t.Errorf("%s does not read %q, but %s", p.Who, want, said)
			}
		case league.GuideThen:
			switch p.Lines[0] {
			case "join":
				id = "winter-cup"
				o.joins(id, p.Lines[1:]...)
			case "until":
				o.until(p.Lines[1])
			case "play":
				o.playSeason(id)
			case "here":
				for _, name := range p.Lines[1:] {
					if slices.Contains(remarks(o.last(name)), notice.AskHere) {
						o.write(name, "yes")
					}
				}
			default:
				t.Errorf("the test does not know %q", p.Lines)
			}
		case league.GuideTitle, league.GuideHead, league.GuideText, league.GuideRow:
		default:
			t.Errorf("part of kind %q", p.Kind)
		}
	}
	if sent < 10 || read < 8 {
		t.Errorf("%d letters and %d answers", sent, read)
	}
	if n := len(o.league(id).State.Seasons); n != 2 {
		t.Errorf("%d seasons", n)
	}
}
