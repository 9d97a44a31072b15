package templates

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine"
	"angelpost/engine/incoming"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/templates/words"
)

// answer tells what became of the letter answered, and what it asked for.
func (c *content) answer(a *notice.Answer) {
	if len(a.Remarks) > 0 {
		s := c.begin("")
		for _, r := range a.Remarks {
			s.say(c.Remark(r))
		}
	}
	if a.Invite != nil {
		c.invite(a.Invite)
	}
	if len(a.Lines) > 0 {
		c.lines(a.Lines, a.Remarks)
	}
	if len(a.Preview) > 0 && c.sheet.After != nil {
		c.preview(a.Preview)
	}
	for i := range a.Sent {
		c.sent(&a.Sent[i])
	}
	for _, p := range a.Press {
		c.press(p)
	}
	for i := range a.Sections {
		c.asked(&a.Sections[i])
	}
}

// maxEcho bounds what is echoed of a line, in runes.
const maxEcho = 120

// lines tells what became of each line. A fault that a remark tells is not told again.
func (c *content) lines(lines []notice.LineResult, remarks []notice.Remark) {
	var told []string
	for _, r := range remarks {
		told = append(told, r.Code)
	}
	c.lineResults(c.begin(c.Say("letter.understood")), lines, told...)
}

// lineResults tells what became of each line, and each fault once; told are codes of
// those that the letter tells elsewhere.
func (c *content) lineResults(s *section, lines []notice.LineResult, told ...string) {
	said := map[string]bool{}
	for i := range lines {
		l := &lines[i]
		if text := words.Clean(l.Text, maxEcho); text != "" {
			s.add(piece{kind: item, text: c.Say("letter.line", "text", text, "status", c.Status(l.Status))})
		} else {
			s.add(piece{kind: item, text: words.Sentence(c.Status(l.Status))})
		}
		if len(l.As) > 1 || len(l.As) == 1 && l.As[0] != l.Text {
			s.add(piece{kind: orders, lines: clean(l.As)})
		}
		if p := l.Problem; p != nil {
			if text := c.Problem(p); !said[text] && !slices.Contains(told, p.Code) {
				said[text] = true
				s.say(text)
			}
			if p.Read != "" && len(l.As) == 0 {
				s.say(words.Sentence(c.Say("letter.line-read", "order", c.Order(p.Read))))
			}
			c.offer(s, "letter.line-candidates", p.Candidates)
			c.offer(s, "letter.line-legal", p.Suggestions)
		}
	}
}

// offer lists orders that would work.
func (c *content) offer(s *section, key string, lines []string) {
	if len(lines) > 0 {
		s.add(piece{kind: prose, text: c.Say(key) + ":"}, piece{kind: orders, lines: clean(lines)})
	}
}

// clean are orders to be listed: canonical lines, but nothing stored is
// trusted to be one.
func clean(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = words.Clean(l, order.MaxLine)
	}
	return out
}

func (c *content) preview(lines []string) {
	s := c.begin(c.Say("letter.preview"))
	s.add(piece{kind: orders, lines: clean(lines)})
	if p := own(c.sheet.After); p != nil {
		s.say(c.Say("letter.preview-after", "goods", c.goodsLine(p)))
	}
}

func (c *content) press(p incoming.Press) {
	key := "letter.press-from"
	if p.To != "" {
		key = "letter.press-private"
	}
	c.quote(c.begin(c.Say(key, "from", words.Clean(p.From, 40))), p.Text)
}

// quote adds a text as it was written.
func (c *content) quote(s *section, text string) {
	var lines []string
	for _, l := range strings.Split(text, "\n") {
		lines = append(lines, words.Clean(l, order.MaxText))
	}
	s.add(piece{kind: said, lines: lines})
}

// sent shows the reader a message or note of their own.
func (c *content) sent(m *notice.Sent) {
	key, trial := "letter.sent-kept", "letter.sent-kept-trial"
	switch {
	case m.Kind == order.Note.String():
		key, trial = "letter.sent-note", "letter.sent-note-trial"
	case m.Kind == order.Announce.String():
		key = "letter.sent-announce"
	case len(m.To) > 0:
		key, trial = "letter.sent-say", "letter.sent-say-trial"
	}
	if m.Trial {
		key = trial
	}
	c.quote(c.begin(c.Say(key, "names", c.List(cleanNames(m.To)))), m.Text)
}

// asked answers a word such as rules, status or history.
func (c *content) asked(a *notice.Section) {
	switch a.Kind {
	case "rules":
		s := c.begin(c.Say("letter.rules"))
		c.sayOptions(s)
		c.explain(s, a.Topic, c.Rules(a.Topic))
	case "help":
		c.explain(c.begin(c.Say("letter.help")), a.Topic, c.Help(a.Topic))
	case "history":
		c.tell(c.begin(c.Say("letter.history")), c.sheet.History)
	case "status":
		c.status(a.Games)
	case "tables":
		c.tables(a.Games)
	case "rating":
		if len(a.Ratings) > 0 {
			c.ratings(a.Ratings)
		}
	case "settings":
		if a.Settings != nil {
			c.settings(a.Settings)
		}
	case "amended":
		s := c.begin(c.Say("league.changes"))
		s.add(piece{kind: orders, lines: clean(a.Changes)})
	case "standing":
		c.standing(a.Standing)
	case "leagues":
		c.leagues(a.Leagues)
	case "league", "schedule", "standings", "season-end", "forfeit":
		if a.League != nil {
			c.league(a.Kind, a.League)
		}
	case "hint":
		if a.Hint != nil {
			c.hint(a.Hint)
		}
	case "plan":
		if a.Plan != nil {
			c.planned(a.Plan)
		}
	case "legal":
		for i := range a.Games { // of a letter without a token
			g := &a.Games[i]
			if len(g.Legal) > 0 {
				s := c.begin(c.gameName(g))
				s.add(piece{kind: legal, groups: briefly(c.Voice, g.Legal)})
			}
		}
	}
}

// standing lists the reader's standing orders.
func (c *content) standing(orders []notice.StandingOrder) {
	s := c.begin(c.Say("standing.head"))
	if len(orders) == 0 {
		s.say(c.Say("standing.none"))
		return
	}
	for _, o := range orders {
		key := "standing.line"
		if o.Off != "" {
			key = "standing.off"
		}
		s.add(piece{kind: item, text: c.Say(key, "n", o.N, "order", words.Clean(o.Line, order.MaxLine))})
	}
	s.say(c.Say("standing.how"))
}

// hint shows a proposed turn behind bars like any other orders, so that a
// client that quotes it plays nothing.
func (c *content) hint(h *notice.Hint) {
	s := c.begin(c.Say("hint.head"))
	lines := clean(h.Orders)
	s.add(piece{kind: prose, text: c.Say("hint.intro")}, piece{kind: orders, lines: lines})
	key := "hint.lead"
	switch {
	case h.Lead < 0:
		key = "hint.behind"
	case h.Lead == 0:
		key = "hint.level"
	}
	whom := "hint.others"
	switch c.sheet.Options.Players {
	case 1:
		whom = "hint.hal"
	case 2:
		whom = "hint.opponent"
	}
	s.say(c.Say("hint.now", "vp", h.VP) + " " + c.Say(key, "n", max(h.Lead, -h.Lead), "whom", c.Say(whom)))
	if other := clean([]string{h.Other}); len(other) == 1 && other[0] != "" {
		key := "hint.other"
		if h.Less < 1 {
			key = "hint.other-like"
		}
		s.add(piece{kind: prose, text: c.Say(key, "n", h.Less)}, piece{kind: orders, lines: other})
	}
	if !h.Whole {
		s.say(c.Say("hint.rest"))
	}
	s.add(piece{kind: prose, text: c.Say("hint.note"), small: true})
	if c.site.ReplyTo != "" {
		s.add(piece{kind: link, text: c.Say("hint.mail"), url: MailTo(c.site.ReplyTo, c.subject, lines)})
	}
}

// explain writes an explanation. Without a topic it is a list of topics between an
// introduction and, perhaps, a last word. In a text of several lines each line is a
// paragraph, "- " begins an item and "| " an order of an example.
func (c *content) explain(s *section, topic string, paragraphs []string) {
	for i, p := range paragraphs {
		if topic == "" && i > 0 && !strings.Contains(p, "`") {
			s.add(piece{kind: item, text: p})
		} else {
			for line := range strings.Lines(p) {
				line = strings.TrimSpace(line)
				if text, ok := strings.CutPrefix(line, "- "); ok {
					s.add(piece{kind: item, text: text})
				} else if text, ok := strings.CutPrefix(line, "| "); !ok {
					s.say(line)
				} else if last := len(s.pieces) - 1; last >= 0 && s.pieces[last].kind == orders {
					s.pieces[last].lines = append(s.pieces[last].lines, text)
				} else {
					s.add(piece{kind: orders, lines: []string{text}})
				}
			}
		}
	}
}

// primer tells players new to a game what it is about.
func (c *content) primer() {
	s := c.begin(c.Say("letter.primer"))
	c.sayOptions(s)
	for _, topic := range []string{"goal", "turn", "map"} {
		s.say(c.Topic(topic))
	}
	s.say(c.Say("letter.primer-more"))
}

// sayOptions says what is played, and where the rules tell what that means.
func (c *content) sayOptions(s *section) {
	text := c.options()
	if text == "" {
		return
	}
	text = c.Say("letter.options", "options", text)
	if topics := words.OptionTopics(c.sheet.Options); len(topics) > 0 {
		for i := range topics {
			topics[i] = "`rules " + topics[i] + "`"
		}
		text += " " + c.Say("letter.options-rules", "list", c.List(topics))
	}
	s.say(text)
}

func (c *content) gameName(g *notice.GameState) string {
	if name := words.Clean(g.Name, 40); name != "" {
		return name
	}
	return c.Say("subject.game", "id", words.Clean(g.Game, 40))
}

func (c *content) status(games []notice.GameState) {
	s := c.begin(c.Say("letter.status"))
	if len(games) == 0 {
		s.say(c.Say("status-line.none"))
	}
	for i := range games {
		g := &games[i]
		key := "status-line." + g.State
		if g.You && c.Has(key+"-you") {
			key += "-you"
		}
		text := c.Say(key, "name", c.gameName(g), "round", g.Round,
			"toact", c.List(cleanNames(g.ToAct)), "waiting", c.List(cleanNames(g.Waiting)))
		if o := c.Options(g.Options); o != "" {
			text += " " + words.Sentence(o)
		}
		if g.Until != "" {
			text += " " + c.Say("status-line.until", "time", words.Clean(g.Until, 40))
		}
		if r := g.Ruling; r != nil {
			text += " " + c.Say("status-line.ruled", "kind", string(r.Kind), "date", r.At.UTC().Format(time.DateOnly), "reason", words.Clean(r.Reason, order.MaxReason))
		}
		if g.Days > 0 {
			text += " " + c.Say("status-line.days", "n", g.Days)
		}
		if g.Muted {
			text += " " + c.Say("status-line.muted")
		}
		s.add(piece{kind: item, text: text})
		if u := c.site.Page(g.Game, g.PageKey); u != "" {
			key := "letter.page-name"
			if g.PageKey == "" {
				key = "page.public-name"
			}
			s.add(piece{kind: link, text: c.Say(key), url: u})
		}
	}
}

// tables lists games with free seats.
func (c *content) tables(games []notice.GameState) {
	s := c.begin(c.Say("tables.title"))
	if len(games) == 0 {
		s.say(c.Say("tables.none"))
		return
	}
	s.say(c.Say("tables.how"))
	for i := range games {
		g := &games[i]
		s.add(piece{kind: item, text: c.Table(c.gameName(g), g)})
	}
}

func cleanNames(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = words.Clean(n, 40)
	}
	return out
}

func (c *content) invite(i *notice.Invite) {
	s := c.begin("")
	s.say(c.Say("invite.intro", "organiser", words.Clean(i.Organiser, 40), "players", i.Players))
	names := cleanNames(i.Names)
	for k := range names {
		if names[k] == "" {
			names[k] = c.Say("invite.unknown")
		}
	}
	s.say(c.Say("invite.who", "names", c.List(names)))
	word := func(code string) string {
		if c.Has("invite." + code) {
			return c.Say("invite." + code)
		}
		return words.Clean(code, 40)
	}
	s.say(c.Say("invite.options", "rules", word(i.Rules), "edition", word(i.Edition),
		"set", words.Clean(i.Set, 40), "visibility", word(i.Visibility)))
	if i.Hints {
		s.say(c.Say("invite.hints"))
	}
	if i.Clock != "" {
		s.say(c.Say("invite.clock", "clock", c.Pace(i.Clock)))
	}
	s.say(c.Say("invite.join"))
	s.add(piece{kind: sample, lines: []string{c.Say("invite.join-example")}})
	s.say(c.Say("invite.decline"))
	s.say(c.Say("invite.expires", "date", words.Clean(i.Expires, 40)))
	s.say(c.Say("invite.commitment", "commitment", words.Clean(i.Commitment, 64)))
	s.say(c.Say("invite.never"))
}

// end tells how the game ended.
func (c *content) end() {
	v := c.sheet.View
	if v == nil || !v.Finished {
		return
	}
	s := c.begin(c.Say("end.head"))
	if v.Ending != engine.NotEnded {
		s.say(c.Say("ending." + v.Ending.String()))
	}
	s.say(victory(c.Voice, v))
	s.add(piece{kind: scores, only: onlyHTML})
	for i := range v.Players {
		p := &v.Players[i]
		var from []string
		for src, n := range p.By {
			if n != 0 {
				from = append(from, c.Say("source."+engine.Source(src).String())+" "+strconv.Itoa(n))
			}
		}
		s.add(piece{kind: item, only: onlyText, text: words.Sentence(c.Say("end.row", "name", c.Name(p.Seat), "vp", p.Final) + " (" + strings.Join(from, ", ") + ")")})
	}
	if c.sheet.Seed != "" {
		s.say(c.Say("end.seed", "seed", words.Clean(c.sheet.Seed, 64), "commitment", words.Clean(c.sheet.Commitment, 64)))
		s.say(c.Say("end.verify"))
	}
	s.say(c.Say("end.rematch"))
}
