package templates

import (
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/templates/words"
)

// header fills in what stands above everything else.
func (c *content) header() {
	r, v := &c.sheet.Message, c.sheet.View
	h := &c.head
	h.label = c.kindLine()
	switch c.letterKind() {
	case kindDone, kindPartly, kindRefused, kindAnswer, kindReminder, kindOverdue, kindMessage:
		h.label = "" // the title says so
	}
	switch {
	case r.Answer.Invite != nil:
		return
	case v == nil || r.Answer.Brief:
		h.title, h.label = c.kindLine(), ""
		if r.Game != "" {
			h.facts = append(h.facts, c.game())
		}
		return
	}
	h.title = c.title()
	if asked := h.title == c.Say("head.asked") || h.title == c.Say("head.done"); h.label != "" && (asked || h.title == c.Say("head.news")) {
		h.title, h.label = h.label, ""
	}
	h.news = c.Headline(c.news)
	if r.Reminds() && len(r.Answer.Remarks) > 0 { // what happens next, and when
		h.news = c.Remark(r.Answer.Remarks[0])
	}
	if r.Kind == notice.KindEnd || c.letterKind() == kindMissed {
		h.news = ""
	}
	if v.Round > 0 && !v.Finished {
		h.facts = append(h.facts, c.Say("head.round", "game", c.game(), "round", v.Round))
	} else {
		h.facts = append(h.facts, c.game())
	}
	if !v.Finished && !r.Reminds() { // a reminder says it at its top
		h.facts = append(h.facts, c.deadlines()...)
	}
	if r.Receipt() {
		return
	}
	for i := range v.Players {
		p := &v.Players[i]
		h.scores = append(h.scores, score{seat: int(p.Seat), name: c.Name(p.Seat), vp: total(v, *p), you: c.You(p.Seat)})
	}
	page := ""
	if r.PageKey != "" {
		page = c.site.Page(r.Game, r.PageKey)
	}
	if page != "" && len(c.sheet.Legal) > 0 {
		h.links = append(h.links, piece{text: c.Say("letter.plan"), url: page + "/plan/"})
	}
	if page != "" && len(c.sheet.Legal) == 0 {
		h.links = append(h.links, piece{text: c.Say("letter.page-name"), url: page})
	}
	if mail := MailTo(c.site.ReplyTo, c.subject, nil); mail != "" && len(c.sheet.Legal) > 0 {
		h.links = append(h.links, piece{text: c.Say("letter.reply"), url: mail, only: onlyHTML})
	}
	if page != "" && len(c.sheet.Legal) > 0 {
		h.links = append(h.links, piece{text: c.Say("letter.page-name"), url: page, only: onlyText})
	}
}

// title says what the letter is about: what its reader must decide, or what became of
// their letter.
func (c *content) title() string {
	r, v := &c.sheet.Message, c.sheet.View
	wanted := capital(c.wanted())
	switch kind := c.letterKind(); {
	case kind == kindReminder && v.Decision != engine.NoDecision:
		return c.Say("head.reminder", "wanted", wanted)
	case kind == kindOverdue && v.Decision != engine.NoDecision:
		return c.Say("head.overdue", "wanted", wanted)
	case r.Kind == notice.KindEnd && v.Finished && len(v.Winners) == 1 && c.You(v.Winners[0]):
		return c.Say("head.you-won")
	case r.Kind == notice.KindEnd && v.Finished:
		return capital(c.won())
	case r.Kind == notice.KindEnd:
		return c.Say("head.over")
	case kind == kindMessage && len(r.Answer.Press) == 1:
		return c.Say("head.message", "name", words.Clean(r.Answer.Press[0].From, 40))
	case r.Receipt() && r.Result == notice.Applied && len(r.Answer.Remarks) > 0 && short(c.Remark(r.Answer.Remarks[0])):
		return c.Remark(r.Answer.Remarks[0])
	case r.Receipt() && r.Result == notice.None:
		return c.Say("head.asked")
	case r.Receipt():
		return c.Say("head.done")
	case r.Kind == notice.KindAnswer && c.Has("head."+string(r.Result)):
		return c.Say("head."+string(r.Result), "wanted", wanted)
	case v.Decision == engine.NoDecision && r.Kind != notice.KindStart:
		return c.Say("head.news")
	}
	return wanted
}

// maxTitle bounds a sentence that is a letter's title, in bytes.
const maxTitle = 60

func short(s string) bool { return len(s) <= maxTitle }

// capital is s with a big first letter.
func capital(s string) string {
	s = words.Sentence(s)
	if n := len(s); n > 0 && s[n-1] == '.' {
		s = s[:n-1]
	}
	return s
}

// preheader is what a list of letters shows beside the subject: the news, and by when
// the reader must move.
func (c *content) preheader() string {
	text := c.head.news
	for _, s := range c.sections {
		if text == "" && len(s.pieces) > 0 && s.pieces[0].kind == prose {
			text = words.Clean(s.pieces[0].text, maxSubject)
		}
	}
	if text == "" {
		text = c.head.title
	}
	for _, d := range c.sheet.Message.Answer.Deadlines {
		if c.You(engine.Seat(d.Seat)) && !d.Late {
			text += " " + c.Say("head.until", "time", c.when(d.Time))
		}
	}
	return text
}

// when is a moment in its reader's zone, as people say it; "2026-12-05 20:06 CET" is how
// it is stored.
func (c *content) when(stored string) string { return c.Moment(words.Clean(stored, 40)) }

// deadlines says by when the game waits for whom.
func (c *content) deadlines() (out []string) {
	if c.sheet.Message.Answer.Paused {
		out = append(out, c.Say("time.paused"))
	}
	for _, d := range c.sheet.Message.Answer.Deadlines {
		if d.Seat < 1 || d.Seat > len(c.sheet.View.Players) {
			continue
		}
		switch seat, at := engine.Seat(d.Seat), c.when(d.Time); {
		case !c.You(seat) && c.sheet.Message.Receipt():
		case !c.You(seat) && d.Late:
			out = append(out, c.Say("time.other-over", "name", c.Name(seat), "time", at))
		case !c.You(seat):
			out = append(out, c.Say("time.other", "name", c.Name(seat), "time", at))
		case d.Late:
			out = append(out, c.Say("time.over", "time", at))
		default:
			left := c.Span(time.Duration(d.Left) * time.Second)
			switch {
			case d.Bank >= d.Left && d.Bank > 0:
				out = append(out, c.Say("time.you-all-bank", "time", at, "left", left))
				continue
			case d.Bank > 0:
				out = append(out, c.Say("time.you-bank", "time", at, "left", left, "bank", c.Span(time.Duration(d.Bank)*time.Second)))
				continue
			}
			out = append(out, c.Say("time.you", "time", at, "left", left))
		}
	}
	return out
}

// halToo reports whether Hal's turn follows a line (section 15).
func halToo(t *game.Told) bool {
	for _, e := range t.Events {
		if e.Kind == engine.EvHalCard {
			return true
		}
	}
	return false
}
