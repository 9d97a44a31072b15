package templates

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"angelpost/engine"
	"angelpost/engine/notice"
	"angelpost/templates/words"
)

// out reports whether the game has ended for the letter's reader alone: the others have agreed
// that a bot plays their seat.
func (c *content) out() bool {
	return slices.ContainsFunc(c.sheet.Message.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.TellOutVoted })
}

// end tells how a game ended: who came where, where each point came from, the turning
// points, and what can be done next.
func (c *content) end() {
	v := c.sheet.View
	if v == nil || !v.Finished {
		return
	}
	s := c.begin("")
	var said []string
	switch {
	case c.tied():
		said = append(said, c.Say("end.tied", "names", c.Whose(v.Winners), "vp", v.Players[v.Winners[0]-1].Final))
	case !c.otherwise():
		said = append(said, victory(c.Voice, v))
		if p := own(v); p != nil && len(v.Players) > 1 && !slices.Contains(v.Winners, p.Seat) {
			said = append(said, c.Say("end.you", "place", place(v, p.Seat), "vp", p.Final))
		}
	}
	if v.Ending != engine.NotEnded {
		said = append(said, c.Say("ending."+v.Ending.String()))
	}
	s.say(strings.Join(said, " "))

	s = c.begin(c.Say("end.points"))
	s.add(piece{kind: scores, only: onlyHTML}, piece{kind: pre, only: onlyText, text: scoreText(c.Voice, v)})
	if all := turnings(c.Voice, c.sheet.Course); len(all) > 0 {
		var said []string
		for _, t := range all {
			said = append(said, c.Say("end.turn", "round", t.Round, "text", t.Text))
		}
		c.begin(c.Say("course.turning")).list(said)
	}
	c.begin("").say(c.Say("end.rematch"))
}

// place is a seat's place in a finished game: tied players share one.
func place(v *engine.View, seat engine.Seat) int {
	n := 1
	for i := range v.Players {
		if v.Players[i].Final > v.Players[seat-1].Final {
			n++
		}
	}
	return n
}

// scoreText is scoresHTML in letters: a column for each player.
func scoreText(v *words.Voice, view *engine.View) string {
	rows := scoreRows(v, view)
	last := scoreRow{Name: v.Say("page.total")}
	wide, columnsWide := utf8.RuneCountInString(last.Name), 4
	for _, p := range view.Players {
		last.VP = append(last.VP, total(view, p))
	}
	rows = append(rows, last)
	for _, r := range rows {
		wide = max(wide, utf8.RuneCountInString(r.Name))
	}
	names := make([]string, len(view.Players))
	room := (columns-wide)/max(len(names), 1) - 1
	for i, p := range view.Players {
		names[i] = words.Clean(v.Name(p.Seat), max(room, 1))
		columnsWide = max(columnsWide, utf8.RuneCountInString(names[i]))
	}
	var b strings.Builder
	fill := func(s string, n int) { b.WriteString(strings.Repeat(" ", max(n-utf8.RuneCountInString(s), 0))) }
	fill("", wide)
	for _, n := range names {
		b.WriteByte(' ')
		fill(n, columnsWide)
		b.WriteString(n)
	}
	b.WriteByte('\n')
	for _, r := range rows {
		b.WriteString(r.Name)
		fill(r.Name, wide)
		for _, n := range r.VP {
			s := strings.Replace(strconv.Itoa(n), "-", "−", 1)
			b.WriteByte(' ')
			fill(s, columnsWide)
			b.WriteString(s)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// fairness ends the letter about a game's end: the seed, and how to check every roll.
func (c *content) fairness() {
	if c.sheet.Message.Kind != notice.KindEnd || c.sheet.View == nil || !c.sheet.View.Finished || c.sheet.Seed == "" {
		return
	}
	s := c.begin(c.Say("end.check"))
	s.add(piece{kind: prose, small: true, text: c.Say("end.seed", "seed", words.Clean(c.sheet.Seed, 64), "commitment", words.Clean(c.sheet.Commitment, 64))},
		piece{kind: prose, small: true, text: c.Say("end.verify")})
	if page := c.site.Page(c.sheet.Message.Game, c.sheet.Message.PageKey); page != "" && c.sheet.Message.PageKey != "" {
		s.add(piece{kind: link, text: c.Say("end.record"), url: page + "/record.json"})
	}
}
