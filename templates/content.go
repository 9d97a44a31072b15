package templates

import (
	"net/url"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/match"
	"angelpost/engine/order"
	"angelpost/templates/words"
)

// A Site is what a letter must know of the server and of itself.
type Site struct {
	BaseURL string // of the pages, "https://host", without a slash at its end; "": there are none
	ReplyTo string // address that bears the letter's token; "": it cannot be answered
	Picture string // Content-ID of the picture of the board; "": there is none
}

// Page is the address of a game's page: for its key's holder, or with "" for
// the public.
func (s Site) Page(game, key string) string {
	if s.BaseURL == "" || game == "" {
		return ""
	}
	u := s.BaseURL + "/g/" + url.PathEscape(game)
	if key != "" {
		u += "/" + url.PathEscape(key)
	}
	return u
}

// MailTo is a mailto: link (RFC 6068) that answers with these orders.
func MailTo(address, subject string, orders []string) string {
	if address == "" {
		return ""
	}
	user, host, _ := strings.Cut(address, "@")
	return "mailto:" + escapeQuery(user) + "@" + url.PathEscape(host) +
		"?subject=" + escapeQuery("Re: "+subject) + "&body=" + escapeQuery(strings.Join(orders, "\r\n")+"\r\n")
}

func escapeQuery(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// What a piece of a letter is.
type kind uint8

const (
	prose  kind = iota // a paragraph
	item               // an entry of a list
	head               // a heading within a section
	orders             // orders behind bars
	legal              // all orders possible, by groups
	sample             // the example turn
	link               // text and address
	pre                // text as it is
	board              // picture, frigate, Missions, tiles, goods, others
	scores             // the table of the end
	said               // somebody's words, lines kept
)

type piece struct {
	kind   kind
	text   string
	lines  []string
	groups []group
	url    string
	struck bool // taken back
	small  bool
	only   part // of the letter in which it stands
}

// part is the text part, the HTML part, or both.
type part uint8

const (
	both part = iota
	onlyText
	onlyHTML
)

type group struct {
	head  string
	lines []string
}

type section struct {
	title  string
	pieces []piece
}

func (s *section) add(p ...piece) { s.pieces = append(s.pieces, p...) }

func (s *section) say(text string) {
	if text != "" {
		s.add(piece{kind: prose, text: text})
	}
}

// maxInPlace is how many legal orders stand where they are announced in the
// text part; longer lists stand at its end.
const maxInPlace = 16

// A content is a letter before it is text or HTML.
type content struct {
	*words.Voice
	sheet    *match.Sheet
	site     Site
	subject  string
	sections []section
	last     []section // after everything else, text part only
}

// newContent arranges a letter: what the reader's letter did, what happened,
// what he must decide, what he may do, the board with goods, hand and the
// others, links.
func newContent(cat *words.Catalogue, sheet *match.Sheet, site Site) *content {
	set := component.Default()
	reader := engine.Seat(0)
	if sheet.Recipe.Seat > 0 && sheet.Recipe.Seat <= engine.MaxPlayers {
		reader = engine.Seat(sheet.Recipe.Seat)
	}
	if sheet.View != nil {
		reader = sheet.View.Viewer
		if sheet.View.Set != nil {
			set = sheet.View.Set
		}
	}
	c := &content{Voice: cat.For(set, reader, sheet.Recipe.Answer.Names), sheet: sheet, site: site}
	c.subject = c.subjectLine()
	c.answer(&sheet.Recipe.Answer)
	for i := range sheet.Recipe.Answer.Collected {
		a := &sheet.Recipe.Answer.Collected[i]
		c.begin(words.Clean(a.Subject, maxSubject))
		c.answer(a)
	}
	switch sheet.Recipe.Kind {
	case match.KindEnd:
		c.end()
	case match.KindStart:
		c.primer()
	}
	c.story()
	c.decide()
	c.may()
	c.table()
	c.links()
	return c
}

// begin starts a section; the title may be empty.
func (c *content) begin(title string) *section {
	c.sections = append(c.sections, section{title: title})
	return &c.sections[len(c.sections)-1]
}

const maxSubject = 120

func (c *content) game() string {
	a := &c.sheet.Recipe.Answer
	if name := words.Clean(a.GameName, 40); name != "" {
		return name
	}
	return c.Say("subject.game", "id", words.Clean(c.sheet.Recipe.Game, 40))
}

func (c *content) subjectLine() string {
	r, v := &c.sheet.Recipe, c.sheet.View
	key := "subject." + string(r.Kind)
	if r.Kind == match.KindAnswer {
		key += "-" + string(r.Result)
	}
	if r.Game == "" || v == nil && r.Kind != match.KindInvitation {
		if key = "subject.general-" + string(r.Result); !c.Has(key) {
			key = "subject.general"
		}
	}
	args := func(name string) (any, bool) {
		switch name {
		case "game":
			return c.game(), true
		case "round":
			return v.Round, true
		case "wanted":
			return c.wanted(), true
		case "result":
			return c.won(), true
		case "name":
			if r.Answer.Invite != nil {
				return words.Clean(r.Answer.Invite.Organiser, 40), true
			}
			return "", true
		}
		return nil, false
	}
	return words.Clean(c.SayArgs(key, args), maxSubject)
}

// wanted is what the reader must do, or for whom the game waits.
func (c *content) wanted() string {
	v := c.sheet.View
	if v == nil {
		return ""
	}
	if v.Decision != engine.NoDecision || len(v.ToAct) == 0 {
		return c.Wanted(v.Decision)
	}
	return c.Say("subject.waiting", "names", c.Whose(v.ToAct))
}

// winners of a finished game, and their VP.
func winners(v *engine.View) (seats []engine.Seat, vp int) {
	for _, p := range v.Players {
		vp = max(vp, p.Final)
	}
	for _, p := range v.Players {
		if p.Final == vp {
			seats = append(seats, p.Seat)
		}
	}
	return seats, vp
}

func (c *content) won() string {
	if c.sheet.View == nil || !c.sheet.View.Finished {
		return c.Say("page.finished")
	}
	seats, _ := winners(c.sheet.View)
	names := make([]string, len(seats))
	for i, s := range seats {
		names[i] = c.Name(s)
	}
	return c.Say("subject.won", "names", c.List(names), "n", len(seats))
}

// answer tells what became of the letter answered, and what it asked for.
func (c *content) answer(a *match.Answer) {
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
		c.lines(a.Lines)
	}
	if len(a.Preview) > 0 && c.sheet.After != nil {
		c.preview(a.Preview)
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

func (c *content) lines(lines []match.LineResult) {
	s := c.begin(c.Say("letter.understood"))
	for i := range lines {
		l := &lines[i]
		if text := words.Clean(l.Text, maxEcho); text != "" {
			s.add(piece{kind: item, text: "“" + text + "”: " + c.Status(l.Status)})
		} else {
			s.add(piece{kind: item, text: words.Sentence(c.Status(l.Status))})
		}
		if len(l.As) > 1 || len(l.As) == 1 && l.As[0] != l.Text {
			s.add(piece{kind: orders, lines: clean(l.As)})
		}
		if p := l.Problem; p != nil {
			s.say(c.Problem(p))
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

func (c *content) press(p match.Press) {
	key := "letter.press-from"
	if p.To != "" {
		key = "letter.press-private"
	}
	s := c.begin(c.Say(key, "from", words.Clean(p.From, 40)))
	var lines []string
	for _, l := range strings.Split(p.Text, "\n") {
		lines = append(lines, words.Clean(l, order.MaxText))
	}
	s.add(piece{kind: said, lines: lines})
}

// asked answers a word such as rules, status or history.
func (c *content) asked(a *match.Section) {
	switch a.Kind {
	case "rules":
		c.explain(c.begin(c.Say("letter.rules")), a.Topic, c.Rules(a.Topic))
	case "help":
		c.explain(c.begin(c.Say("letter.help")), a.Topic, c.Help(a.Topic))
	case "history":
		c.tell(c.begin(c.Say("letter.history")), c.sheet.History)
	case "status":
		c.status(a.Games)
	case "legal":
		for i := range a.Games { // of a letter without a token
			g := &a.Games[i]
			if len(g.Legal) > 0 {
				s := c.begin(c.gameName(g))
				s.add(piece{kind: legal, groups: groups(c.Voice, g.Legal)})
			}
		}
	}
}

// explain writes an explanation; without a topic it is a list of topics
// between an introduction and, perhaps, a last word.
func (c *content) explain(s *section, topic string, paragraphs []string) {
	for i, p := range paragraphs {
		if topic == "" && i > 0 && !strings.Contains(p, "`") {
			s.add(piece{kind: item, text: p})
		} else {
			s.say(p)
		}
	}
}

// primer tells whoever begins a game what it is about.
func (c *content) primer() {
	s := c.begin(c.Say("letter.primer"))
	for _, topic := range []string{"goal", "turn", "map"} {
		s.say(c.Topic(topic))
	}
	s.say(c.Say("letter.primer-more"))
}

func (c *content) gameName(g *match.GameState) string {
	if name := words.Clean(g.Name, 40); name != "" {
		return name
	}
	return c.Say("subject.game", "id", words.Clean(g.Game, 40))
}

func (c *content) status(games []match.GameState) {
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
		if g.Days > 0 {
			text += " " + c.Say("status-line.days", "n", g.Days)
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

func cleanNames(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = words.Clean(n, 40)
	}
	return out
}

func (c *content) invite(i *match.Invite) {
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
	s.say(c.Say("invite.join"))
	s.add(piece{kind: sample, lines: []string{c.Say("invite.join-example")}})
	s.say(c.Say("invite.decline"))
	s.say(c.Say("invite.expires", "date", words.Clean(i.Expires, 40)))
	s.say(c.Say("invite.commitment", "commitment", words.Clean(i.Commitment, 64)))
	s.say(c.Say("invite.never"))
}

// story tells what happened.
func (c *content) story() {
	if len(c.sheet.Story) == 0 {
		return
	}
	key := "letter.since"
	if c.sheet.Recipe.Kind == match.KindTurn {
		key = "letter.since-turn"
	}
	c.tell(c.begin(c.Say(key)), c.sheet.Story)
	if v := c.sheet.View; v != nil && !v.Finished {
		s := &c.sections[len(c.sections)-1]
		switch {
		case v.LastRound:
			s.say(c.Say("letter.last-round"))
		case v.Ending != engine.NotEnded:
			s.say(c.Say("letter.trigger", "ending", c.Say("ending."+v.Ending.String())))
		}
	}
}

func (c *content) tell(s *section, told []match.Told) {
	if len(told) == 0 {
		s.say(c.Say("story.nothing"))
	}
	turns := c.Story(told)
	if v, n := c.sheet.View, len(turns); n > 0 && v != nil && turns[n-1].Round == 0 && turns[n-1].Seat == v.Seat && v.Seat != 0 {
		turns[n-1].Head = c.Head(v.Seat, v.Round) // the turn in progress
	}
	for _, t := range turns {
		s.add(piece{kind: head, text: t.Head})
		for _, l := range t.Lines {
			text := l.Text
			if l.Undone {
				text = words.Sentence(text + " (" + c.Say("story.undone") + ")")
			}
			s.add(piece{kind: item, text: text, struck: l.Undone})
		}
	}
}

// decide says what the reader must decide, or for whom the game waits.
func (c *content) decide() {
	v := c.sheet.View
	if v == nil || v.Finished || c.sheet.Recipe.Kind == match.KindEnd {
		return
	}
	if v.Decision == engine.NoDecision {
		if len(v.ToAct) > 0 && c.sheet.Recipe.Kind != match.KindInfo {
			c.begin("").say(c.Say("letter.waiting", "names", c.Whose(v.ToAct)))
		}
		return
	}
	c.begin(c.Say("letter.decide")).say(c.Decision(v))
}

// may says what the reader may do: the example, and all that is legal.
func (c *content) may() {
	if len(c.sheet.Legal) == 0 {
		return
	}
	s := c.begin(c.Say("letter.may"))
	s.say(c.Say("letter.may-how"))
	if len(c.sheet.Example) > 0 {
		lines := clean(c.sheet.Example)
		s.add(piece{kind: head, text: c.Say("letter.example")}, piece{kind: sample, lines: lines})
		s.add(piece{kind: prose, text: c.Say("letter.example-note"), small: true})
		if c.site.ReplyTo != "" {
			s.add(piece{kind: link, only: onlyHTML, text: c.Say("letter.example-mail"), url: MailTo(c.site.ReplyTo, c.subject, lines)})
		}
	}
	list := piece{kind: legal, groups: groups(c.Voice, c.sheet.Legal)}
	s.say(c.Say("letter.may-reply"))
	if len(c.sheet.Legal) <= maxInPlace {
		s.add(piece{kind: head, text: c.Say("letter.may-list")}, list)
		return
	}
	s.add(piece{kind: prose, only: onlyText, text: c.Say("letter.may-summary", "n", len(c.sheet.Legal))})
	s.add(piece{kind: head, only: onlyHTML, text: c.Say("letter.may-list")}, list)
}

// groups puts orders of one kind together, in the order of their first.
func groups(v *words.Voice, lines []string) []group {
	var out []group
	at := map[string]int{}
	for _, l := range clean(lines) {
		step, _ := order.Parse(l)
		key := words.GroupOf(step)
		i, ok := at[key]
		if !ok {
			i = len(out)
			at[key] = i
			out = append(out, group{head: v.Say(key)})
		}
		out[i].lines = append(out[i].lines, l)
	}
	return out
}

// own is the reader's own part of a view.
func own(v *engine.View) *engine.PlayerView {
	if v == nil || v.Viewer == 0 || int(v.Viewer) > len(v.Players) {
		return nil
	}
	return &v.Players[v.Viewer-1]
}

func (c *content) goodsLine(p *engine.PlayerView) string {
	return c.Say("letter.goods-line", "vp", p.VP, "resources", c.Goods(engine.Resource, p.Resources),
		"debris", c.Goods(engine.Debris, p.Debris), "ships", c.Goods(engine.Ship, p.Ships))
}

// links end every letter about a game.
func (c *content) links() {
	r := &c.sheet.Recipe
	private := c.site.Page(r.Game, r.PageKey)
	mail := ""
	if len(c.sheet.Legal) > 0 && len(c.sheet.Example) > 0 {
		mail = MailTo(c.site.ReplyTo, c.subject, clean(c.sheet.Example))
	}
	if r.PageKey == "" {
		private = ""
	}
	if private == "" && mail == "" {
		return
	}
	s := c.begin(c.Say("letter.links"))
	if private != "" {
		s.add(piece{kind: link, text: c.Say("letter.page-name"), url: private})
		s.add(piece{kind: prose, text: c.Say("letter.page-private"), small: true})
	}
	if mail != "" {
		s.add(piece{kind: link, text: c.Say("letter.example-mail"), url: mail, only: onlyText})
	}
}

// end tells how the game ended.
func (c *content) end() {
	v := c.sheet.View
	if v == nil || !v.Finished {
		return
	}
	s := c.begin(c.Say("end.head"))
	seats, vp := winners(v)
	if v.Ending != engine.NotEnded {
		s.say(c.Say("ending." + v.Ending.String()))
	}
	s.say(words.Sentence(c.Say("end.winner", "names", c.Whose(seats), "vp", vp, "n", many(c.Voice, seats))))
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
