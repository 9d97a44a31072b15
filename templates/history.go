package templates

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/store"
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
	case p.now():
		return p.Voice.Say("letter.since")
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

// recordAbout says what the record has of a game whose seed is not public.
func (p *Page) recordAbout() string {
	switch p.State {
	case store.GameVoid:
		return p.Voice.Say("page.record-void")
	case store.GameAdjudicated, store.GameAbandoned, store.GameCancelled:
		return p.Voice.Say("page.record-off")
	}
	return p.Voice.Say("page.record-running")
}

// kept reports whether the seed is the one the commitment promised.
func (p *Page) kept() bool {
	seed, err := hex.DecodeString(p.Seed)
	sum := sha256.Sum256(seed)
	return err == nil && hex.EncodeToString(sum[:]) == p.Commit
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
	c := draw.Course{Label: p.Voice.Say("page.course"), Total: p.Voice.Say("page.total")}
	for s := range engine.Sources {
		c.Sources = append(c.Sources, p.Voice.Say("source-short."+s.String()))
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

// A taleRound is the turns of a round; 0 the set-up.
type taleRound struct {
	n     int
	turns []words.Turn
	lines int
}

// taleRounds are the turns of a tale by round. What has no round of its own belongs to the round
// under way.
func (p *Page) taleRounds() (out []taleRound) {
	for i := range p.Tale {
		t := &p.Tale[i]
		n := t.Round
		if len(out) > 0 && (n == 0 || n < out[len(out)-1].n) {
			if n = out[len(out)-1].n; n == 0 { // the first turn, which is not over
				n = 1
			}
		}
		if len(out) == 0 || out[len(out)-1].n != n {
			out = append(out, taleRound{n: n})
		}
		last := &out[len(out)-1]
		last.turns = append(last.turns, *t)
		last.lines += len(t.Lines)
	}
	return out
}

// chartID is the anchor of the table of a player's VP.
func (p *Page) chartID(seat engine.Seat) string { return "course-" + strconv.Itoa(int(seat)) }

// appendTale appends turns and their lines as HTML, each with a link to the
// position after it, by hand: a game has some hundred lines.
func (p *Page) appendTale(b []byte) []byte { return p.appendTurns(b, p.Tale, false) }

// appendTurns appends turns; with whole, the order of each line is marked so that the page can
// hide it, and each line has an anchor.
func (p *Page) appendTurns(b []byte, turns []words.Turn, whole bool) []byte {
	for i := range turns {
		t := &turns[i]
		b = append(b, "<h3>"...)
		b = escape(b, t.Head)
		b = append(b, "</h3><ol>"...)
		for k := range t.Lines {
			l := &t.Lines[k]
			numbered := l.N > 0 || t.Setup
			b = append(b, "<li"...)
			if whole && l.N > 0 {
				b = strconv.AppendInt(append(b, ` id="line-`...), int64(l.N), 10)
				b = append(b, '"')
			}
			switch {
			case l.Undone:
				b = append(b, ` class="undone"`...)
			case !numbered:
				b = append(b, ` class="told"`...)
			}
			b = append(b, '>')
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
