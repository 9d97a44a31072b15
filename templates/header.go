package templates

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"angelpost/engine"
	"angelpost/engine/notice"
	"angelpost/templates/words"
)

// header fills in the top of a letter.
func (c *content) header() {
	r, v := &c.sheet.Message, c.sheet.View
	h := &c.head
	if r.Answer.Invite != nil { // which says it itself
		return
	}
	h.title, h.label = c.title()
	h.urgency = map[string]urgency{kindReminder: reminds, kindOverdue: warns}[c.letterKind()]
	if v == nil || r.Answer.Brief {
		if r.Game != "" {
			h.facts = append(h.facts, c.game())
		}
		return
	}
	h.news = c.Headline(c.news)
	if remark := r.Reminder(); remark != nil { // what happens next, and when
		h.news = c.Remark(*remark)
	}
	if r.Kind == notice.KindEnd || c.letterKind() == kindMissed {
		h.news = ""
	}
	if v.Round > 0 && !v.Finished {
		h.facts = append(h.facts, c.Say("head.round", "game", c.game(), "round", v.Round))
	} else {
		h.facts = append(h.facts, c.game())
	}
	if !v.Finished {
		h.facts = append(h.facts, c.deadlines()...)
	}
	if r.Receipt() {
		return
	}
	for i := range v.Players {
		p := &v.Players[i]
		h.scores = append(h.scores, score{seat: int(p.Seat), name: c.Name(p.Seat), vp: total(v, *p), you: c.You(p.Seat)})
	}
	if r.Kind == notice.KindEnd && v.Finished {
		podium(v, h.scores)
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
// their letter. The label says what kind of letter it is, where the title does not. The
// title of a receipt may be empty: name fills it in.
func (c *content) title() (title, label string) {
	r, v := &c.sheet.Message, c.sheet.View
	kind := c.letterKind()
	if v == nil || r.Answer.Brief {
		return c.kindLine(), ""
	}
	switch kind {
	case kindDone, kindPartly, kindRefused, kindAnswer, kindReminder, kindOverdue, kindMessage: // the title says so
	default:
		label = c.kindLine()
	}
	wanted := capital(c.wanted())
	switch {
	case kind == kindReminder && v.Decision != engine.NoDecision:
		return c.Say("head.reminder", "wanted", wanted), ""
	case kind == kindOverdue && v.Decision != engine.NoDecision:
		return c.Say("head.overdue", "wanted", wanted), ""
	case r.Kind == notice.KindEnd && c.out():
		return c.Say("head.out"), label
	case r.Kind == notice.KindEnd && c.otherwise():
		return c.Say("head.over"), label
	case r.Kind == notice.KindEnd && v.Finished && len(v.Winners) == 1 && c.You(v.Winners[0]):
		return c.Say("head.you-won"), label
	case r.Kind == notice.KindEnd && v.Finished:
		return capital(c.won()), label
	case r.Kind == notice.KindEnd:
		return c.Say("head.over"), label
	case kind == kindMessage && len(r.Answer.Press) == 1:
		return c.Say("head.message", "name", words.Clean(r.Answer.Press[0].From, 40)), ""
	case r.Receipt() && r.Result == notice.Applied && len(r.Answer.Remarks) > 0 && short(c.Remark(r.Answer.Remarks[0])):
		return c.Remark(r.Answer.Remarks[0]), label
	case r.Receipt() && r.Result == notice.None:
		return label, ""
	case r.Receipt():
		return cmp.Or(label, c.Say("head.done")), ""
	case r.Kind == notice.KindAnswer && c.Has("head."+string(r.Result)):
		return c.Say("head."+string(r.Result), "wanted", wanted), label
	case v.Decision == engine.NoDecision && r.Kind != notice.KindStart:
		return cmp.Or(label, c.Say("head.news")), ""
	}
	return wanted, label
}

// otherwise reports whether a game that has ended is not for its league what it was at the table,
// as bots played seats of it, or as one of those who tied goes on in a knock-out: then the
// letter's remarks say who has won, and not its title.
func (c *content) otherwise() bool {
	return c.tied() || slices.ContainsFunc(c.sheet.Message.Answer.Remarks, func(x notice.Remark) bool {
		return x.Code == notice.TellIdle || x.Code == notice.TellIdleWon || x.Code == notice.TellSeatLeft
	})
}

// tied reports whether several have won a game that decides who goes on in a knock-out.
func (c *content) tied() bool {
	return c.sheet.View != nil && len(c.sheet.View.Winners) > 1 &&
		slices.ContainsFunc(c.sheet.Message.Answer.Remarks, func(x notice.Remark) bool { return x.Code == notice.TellMatch })
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

// when is a moment in its reader's zone, as people say it; "2026-12-05 20:06 CET" is how
// it is stored.
func (c *content) when(stored string) string { return c.Moment(words.Clean(stored, 40)) }

// deadlines returns each player to move with their deadline.
func (c *content) deadlines() (out []string) {
	remark := c.sheet.Message.Reminder()
	said := remark != nil && (remark.Code == notice.TellRunsOut || remark.Code == notice.TellLate)
	if c.sheet.Message.Answer.Paused {
		out = append(out, c.Say("time.paused"))
	}
	for _, d := range c.sheet.Message.Answer.Deadlines {
		if d.Seat < 1 || d.Seat > len(c.sheet.View.Players) {
			continue
		}
		switch seat, at := engine.Seat(d.Seat), c.when(d.Time); {
		case c.You(seat) && said: // at the letter's top
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

// podium puts the scores of a finished game in the order of places, winners first.
func podium(v *engine.View, scores []score) {
	for i := range scores {
		scores[i].place = place(v, engine.Seat(scores[i].seat))
	}
	lost := func(s score) int {
		if slices.Contains(v.Winners, engine.Seat(s.seat)) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(scores, func(a, b score) int { return cmp.Or(a.place-b.place, lost(a)-lost(b)) })
}

// urgency is how a letter's top looks: a reminder has a frame around its news, a warning
// that time is over a thicker one, and both a line of their own at the top.
type urgency uint8

const (
	usual urgency = iota
	reminds
	warns
)

// line is the height of the line above the letter, in pixels.
func (u urgency) line() int { return [...]int{usual: 7, reminds: 12, warns: 18}[u] }

func (u urgency) lineStyle() string {
	return "height:" + strconv.Itoa(u.line()) + "px;background:" + [...]string{usual: "#c42a3b", reminds: "#a8650a", warns: "#8c1220"}[u] + ";font-size:0;line-height:0"
}

// class names the frame for the style sheet.
func (u urgency) class() string { return [...]string{usual: "", reminds: "re", warns: "wa"}[u] }

func (u urgency) newsStyle() string {
	const text = "margin:0 0 8px;font-size:18px;line-height:1.4"
	return text + [...]string{usual: "", reminds: ";padding:10px 14px;border:2px solid #a8650a;background:#fff0cf;color:#171b33", warns: ";padding:10px 14px;border:5px solid #8c1220;background:#fbe1e1;color:#171b33"}[u]
}
