package templates

import (
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/incoming"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/pace"
	"angelpost/templates/words"
)

// answer tells what became of the letter answered, and what it asked for.
func (c *content) answer(a *notice.Answer) {
	if len(a.Remarks) > 0 {
		s := c.begin("")
		top := a == &c.sheet.Message.Answer
		for _, r := range a.Remarks {
			if top && r.Code == notice.SayDone && c.sheet.View != nil && c.sheet.View.Decision == engine.AskTurn {
				continue // the title says that the next turn has come
			}
			if text := c.Remark(r); !top || text != c.head.news && text != c.head.title { // said at the top
				s.say(text)
			}
		}
	}
	if a.Invite != nil {
		c.invite(a.Invite)
	}
	if len(a.Lines) > 0 && !(c.sheet.Message.Receipt() && onlyAsked(a)) {
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
	c.commands(a.Commands)
}

// onlyAsked reports whether an answer's letter had nothing but words, all understood,
// whose answers follow.
func onlyAsked(a *notice.Answer) bool {
	for i := range a.Lines {
		if s := a.Lines[i].Status; s != notice.LineWord && s != notice.LineApplied || a.Lines[i].Problem != nil {
			return false
		}
	}
	return len(a.Sections)+len(a.Sent)+len(a.Remarks) > 0
}

// maxEcho bounds what is echoed of a line, in runes.
const maxEcho = 120

// lines writes the result of each line. It leaves out faults that a remark mentions.
func (c *content) lines(lines []notice.LineResult, remarks []notice.Remark) {
	var told []string
	for _, r := range remarks {
		told = append(told, r.Code)
		switch r.Code {
		case notice.AskBeside:
			told = append(told, string(order.DoubtBeside))
		case notice.AskInGame:
			told = append(told, string(order.DoubtGame))
		}
	}
	c.lineResults(c.begin(c.Say("letter.understood")), lines, told...)
}

// lineResults tells what became of each line, and each fault once; told are codes of
// those that the letter tells elsewhere.
func (c *content) lineResults(s *section, lines []notice.LineResult, told ...string) {
	said := map[string]bool{}
	var offered []string
	for i := range lines {
		l := &lines[i]
		text := words.Clean(l.Text, maxEcho)
		if l.Status == notice.LineAlways { // our line, from a standing order
			text = c.Spell(l.Text)
		}
		if text != "" {
			s.add(piece{kind: item, text: c.Say("letter.line", "text", text, "status", c.Status(l.Status))})
		} else {
			s.add(piece{kind: item, text: words.Sentence(c.Status(l.Status))})
		}
		if as := c.SpellAll(l.As); len(as) > 1 || len(as) == 1 && l.As[0] != l.Text && as[0] != l.Text {
			s.add(piece{kind: orders, lines: as})
		}
		if p := l.Problem; p != nil {
			if text := c.Problem(p); !said[text] && !slices.Contains(told, p.Code) {
				said[text] = true
				s.say(text)
				c.hand(s, p)
			}
			for _, more := range p.More {
				s.say(c.Problem(more))
			}
			if p.Read != "" && len(l.As) == 0 {
				s.say(words.Sentence(c.Say("letter.line-read", "order", c.Order(p.Read))))
			}
			c.offer(s, "letter.line-candidates", p.Candidates)
			if !slices.Equal(p.Suggestions, offered) { // the same orders are offered once
				c.offer(s, "letter.line-legal", p.Suggestions)
				offered = p.Suggestions
			}
		}
	}
}

// hand lists the reader's cards after a problem with one that is not among them.
func (c *content) hand(s *section, p *notice.Problem) {
	player := own(c.sheet.View)
	if player == nil || len(player.Cards) == 0 || p.Code != order.NoCard && p.Args["reason"] != notInHand {
		return
	}
	cards := make([]string, len(player.Cards))
	for i, card := range player.Cards {
		cards[i] = card.String()
	}
	s.say(c.Say("card.hand", "list", c.List(cards)))
}

// notInHand is the rules' reason that a card is not in the hand.
const notInHand = "not-in-hand"

// offer lists orders that would work.
func (c *content) offer(s *section, key string, lines []string) {
	if len(lines) > 0 {
		s.add(piece{kind: prose, text: c.Say(key) + ":"}, piece{kind: orders, lines: c.SpellAll(lines)})
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
	s.add(piece{kind: orders, lines: c.SpellAll(lines)})
	if p := own(c.sheet.After); p != nil {
		s.say(c.Say("letter.preview-after", "goods", c.goodsLine(p)))
	}
}

func (c *content) press(p incoming.Press) {
	key := "letter.press-from"
	if p.To != "" {
		key = "letter.press-private"
	}
	from := words.Clean(p.From, 40)
	s := c.begin(c.Say(key, "from", from))
	c.quote(s, p.Text)
	if c.site.ReplyTo != "" && c.sheet.Message.Receipt() && c.sheet.Message.Kind == notice.KindInfo {
		s.add(piece{kind: prose, small: true, text: c.Say("letter.press-how", "name", from)})
	}
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
		c.explain(s, c.Rules(a.Topic))
	case "help":
		s := c.begin(c.Say("letter.help"))
		c.explain(s, c.Help(a.Topic))
		c.guideLink(s, a.Topic)
	case "history":
		s := c.begin(c.Say("letter.history"))
		if len(c.sheet.History) == 0 && a.From > 1 {
			s.say(c.Say("story.nothing-new"))
			break
		}
		c.tell(s, c.sheet.History)
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
	case "report":
		if a.League != nil && a.Report != nil {
			c.report(a.League, a.Report)
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
				s := c.begin(GameName(g.Game, g.Name))
				v := c.Voice
				if g.Game != c.sheet.Message.Game {
					v = v.Unnamed()
				}
				s.add(piece{kind: legal, groups: briefly(v, g.Legal)}, piece{kind: program, only: onlyText, lines: clean(g.Legal), whole: true})
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
		s.add(piece{kind: item, text: c.Say(key, "n", o.N, "order", c.Spell(o.Line))})
	}
	s.say(c.Say("standing.how"))
}

// hint shows a proposed turn behind bars like any other orders, so that a
// client that quotes it plays nothing.
func (c *content) hint(h *notice.Hint) {
	s := c.begin(c.Say("hint.head"))
	lines := c.SpellAll(h.Orders)
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
	if other := c.SpellAll([]string{h.Other}); other[0] != "" {
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

// explain writes an explanation. In a text of several lines each line is a paragraph,
// "- " begins an item and "| " an order of an example.
func (c *content) explain(s *section, paragraphs []string) {
	for _, p := range paragraphs {
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

// primer tells players new to a game what it is about.
func (c *content) primer() {
	s := c.begin(c.Say("letter.primer"))
	c.sayOptions(s)
	for _, topic := range []string{"goal", "turn"} {
		s.say(c.Topic(topic))
	}
	s.say(c.Say("letter.primer-names"))
	if p, err := pace.Parse(c.sheet.Options.Clock); err == nil && p.Most > 0 {
		s.say(c.Say("letter.primer-bank"))
	}
	s.say(c.Say("letter.primer-more"))
	if c.sheet.Message.Answer.First {
		c.tour()
	}
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
		text := c.Say(key, "name", GameName(g.Game, g.Name), "round", g.Round,
			"toact", c.List(cleanNames(g.ToAct)), "waiting", c.List(cleanNames(g.Waiting)))
		if o := c.Options(g.Options); o != "" {
			text += " " + words.Sentence(o)
		}
		if g.Until != "" {
			text += " " + c.Say("status-line.until", "time", c.when(g.Until))
		}
		if r := g.Ruling; r != nil {
			text += " " + c.Say("status-line.ruled", "kind", string(r.Kind), "date", c.Date(r.At), "reason", words.Clean(r.Reason, order.MaxReason))
		}
		if g.Days > 0 {
			text += " " + c.Say("status-line.days", "n", g.Days)
		}
		if g.Muted {
			text += " " + c.Say("status-line.muted")
		}
		if len(games) > 1 {
			text += " " + c.Say("status-line.id", "id", words.Clean(g.Game, 40))
		}
		s.add(piece{kind: item, text: text})
		if u := c.site.Page(g.Game, g.PageKey); u != "" && (g.PageKey != "" || !g.Private) {
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
		s.add(piece{kind: item, text: c.Table(GameName(g.Game, g.Name), g)})
	}
}

func cleanNames(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = words.Clean(n, 40)
	}
	return out
}

// invite is all that a newcomer to the game and to this server needs.
func (c *content) invite(i *notice.Invite) {
	organiser := words.Clean(i.Organiser, 40)
	if organiser == "" {
		organiser = c.Say("invite.host")
	}
	c.head.title = c.Say("invite.title", "organiser", organiser)
	c.head.news = c.Say("invite.news", "players", i.Players, "date", c.when(i.Expires))
	if i.Seat != "" {
		c.head.title = c.Say("invite.title-heir", "organiser", organiser, "name", words.Clean(i.Seat, 40))
		c.head.news = c.Say("invite.news-heir", "game", c.game(), "round", i.Round, "date", c.when(i.Expires))
	}
	if c.site.ReplyTo != "" {
		c.head.links = []piece{
			{text: c.Say("invite.button-join"), url: MailTo(c.site.ReplyTo, c.subject, []string{"join"})},
			{text: c.Say("invite.button-decline"), url: MailTo(c.site.ReplyTo, c.subject, []string{"decline"})},
		}
	}
	s := c.begin("")
	s.say(c.Say("invite.join"))
	s.add(piece{kind: sample, lines: []string{c.Say("invite.join-example")}})
	s.say(c.Say("invite.decline"))

	s = c.begin(c.Say("invite.about"))
	s.say(c.Say("invite.game"))
	if t := theTour(); t != nil {
		c.tours = true
		s.add(piece{kind: scene, only: onlyHTML, text: c.Say("invite.alt")})
	}
	s.say(c.Say("invite.mail"))
	s.say(c.Say("invite.long"))

	s = c.begin(c.Say("invite.this"))
	names := cleanNames(i.Names)
	for k := range names {
		if names[k] == "" {
			names[k] = c.Say("invite.unknown")
		}
	}
	list := []string{c.Say("invite.who", "names", c.List(names))}
	word := func(code string) string {
		if c.Has("invite." + code) {
			return c.Say("invite." + code)
		}
		return words.Clean(code, 40)
	}
	if i.Clock != "" {
		p, _ := pace.Parse(i.Clock) // which was valid when the game was made
		list = append(list, c.Say("invite.clock", "clock", c.Pace(i.Clock), "bank", strconv.FormatBool(p.Most > 0), "grace", c.Span(p.Grace)))
	}
	list = append(list, c.Say("invite.options", "rules", word(i.Rules), "edition", word(i.Edition),
		"visibility", word(i.Visibility)))
	if i.Set != component.DefaultName {
		list = append(list, c.Say("invite.set", "set", words.Clean(i.Set, 40)))
	}
	if i.Hints {
		list = append(list, c.Say("invite.hints"))
	}
	s.list(list)
	s.add(piece{kind: prose, small: true, text: c.Say("invite.commitment", "commitment", words.Clean(i.Commitment, 64))},
		piece{kind: prose, small: true, text: c.Say("invite.never", "organiser", organiser)})
}
