package templates

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/templates/draw"
	"angelpost/templates/words"
)

// taleHead is the heading over what happened.
func (p *Page) taleHead() string {
	w := &p.Walk
	switch {
	case w.Step == 0:
		return p.Voice.Say("page.setup")
	case w.Since == w.Step-1:
		return p.Voice.Say("page.tale-step", "n", w.Step)
	case p.now() && p.Viewer() > 0 && !p.View.Finished:
		return p.Voice.Say("letter.since-turn")
	}
	return p.Voice.Say("page.tale-steps", "from", w.Since+1, "to", w.Step)
}

// news is what others did, for the present; positions of the past tell every line.
func (p *Page) news() []words.News {
	if !p.now() {
		return nil
	}
	return p.Voice.News(p.Told)
}

// kept reports whether the seed is the one the commitment promised.
func (p *Page) kept() bool {
	seed, err := hex.DecodeString(p.Seed)
	sum := sha256.Sum256(seed)
	return err == nil && hex.EncodeToString(sum[:]) == p.Commit
}

// rounds are the milestones at which a round ended, the setup before them and
// the last one behind.
func (p *Page) rounds() []game.Milestone {
	var out []game.Milestone
	for i, m := range p.Course {
		if i+1 == len(p.Course) || p.Course[i+1].Round != m.Round {
			out = append(out, m)
		}
	}
	return out
}

func (p *Page) roundName(round int) string {
	if round == 0 {
		return p.Voice.Say("page.setup")
	}
	return strconv.Itoa(round)
}

// sourcesOf are the sources that gave a seat anything.
func (p *Page) sourcesOf(course []game.Milestone, seat engine.Seat) []engine.Source {
	var out []engine.Source
	for s := range engine.Sources {
		for i := range course {
			if course[i].By[seat-1][s] != 0 {
				out = append(out, s)
				break
			}
		}
	}
	return out
}

// appendCourse plots the course.
func (p *Page) appendCourse(b []byte) []byte {
	c := draw.Course{Label: p.Voice.Say("page.course")}
	for s := range engine.Sources {
		c.Sources = append(c.Sources, p.Voice.Say("source."+s.String()))
	}
	for _, m := range p.Course {
		c.Rounds = append(c.Rounds, m.Round)
	}
	for _, q := range p.View.Players {
		row := draw.CourseRow{Name: p.Name(q.Seat), Seat: q.Seat}
		for _, m := range p.Course {
			row.By = append(row.By, m.By[q.Seat-1][:])
		}
		c.Rows = append(c.Rows, row)
	}
	return draw.AppendCourse(b, c)
}

// appendTale appends turns and their lines as HTML, each with a link to the
// position after it, by hand: a game has some hundred lines.
func (p *Page) appendTale(b []byte) []byte {
	for i := range p.Tale {
		t := &p.Tale[i]
		b = append(b, "<h3>"...)
		b = escape(b, t.Head)
		b = append(b, "</h3><ol>"...)
		for k := range t.Lines {
			l := &t.Lines[k]
			numbered := l.N > 0 || t.Setup
			switch {
			case l.Undone:
				b = append(b, `<li class="undone">`...)
			case !numbered:
				b = append(b, `<li class="told">`...)
			default:
				b = append(b, "<li>"...)
			}
			if numbered && p.Loose {
				b = append(b, `<span class="n">`...)
				b = strconv.AppendInt(b, int64(l.N), 10)
				b = append(b, "</span> "...)
			} else if numbered {
				b = append(append(b, `<a href="`...), p.Home...)
				b = escape(b, p.Walk.address(to(l.N, l.N-1)))
				b = append(b, `">`...)
				b = strconv.AppendInt(b, int64(l.N), 10)
				b = append(b, "</a> "...)
			}
			if l.Order != "" {
				b = append(b, "<code>"...)
				b = escape(b, l.Order)
				b = append(b, "</code> "...)
			}
			if l.Undone {
				b = append(b, "<s>"...)
			}
			b = escape(b, l.Text)
			if l.Undone {
				b = append(b, "</s>"...)
			}
			b = append(b, "</li>"...)
		}
		b = append(b, "</ol>"...)
	}
	return b
}
