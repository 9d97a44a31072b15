package templates

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
	"angelpost/templates/words"
)

// A Site is what a letter must know of the server and of itself.
type Site struct {
	BaseURL string // of the pages, "https://host", without a slash at its end; "": there are none
	ReplyTo string // address with the letter's token; "": it cannot be answered
	// Reply returns the address with the token of another letter; nil: none can be answered.
	Reply   func(token string) string
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

// Home is the address of a player's start page.
func (s Site) Home(key string) string {
	if s.BaseURL == "" || key == "" {
		return ""
	}
	return s.BaseURL + "/me/" + url.PathEscape(key)
}

// League is the address of a league's page, "" if there are no pages.
func (s Site) League(id string) string {
	if s.BaseURL == "" || id == "" {
		return ""
	}
	return s.BaseURL + "/l/" + url.PathEscape(id)
}

// MailTo is a mailto: link (RFC 6068) that answers with these orders; without any, the
// letter it opens is empty.
func MailTo(address, subject string, orders []string) string {
	if address == "" {
		return ""
	}
	link := "mailto:" + AddressInURL(address) + "?subject=" + escapeQuery(reply+strings.TrimPrefix(subject, reply))
	if len(orders) > 0 {
		link += "&body=" + escapeQuery(strings.Join(orders, "\r\n")+"\r\n")
	}
	return link
}

// mailedLines are the lines of the letter that a mailto: link opens.
func mailedLines(mailto string) []string {
	u, err := url.Parse(mailto)
	if err != nil || u.Query().Get("body") == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(u.Query().Get("body"), "\r\n"), "\r\n")
}

// AddressInURL writes an address into a mailto: link (RFC 6068). A plus stays as it is: programs
// encode "%2B" once more, or write to the address that it spells (mail/PROGRAMS.md).
func AddressInURL(address string) string {
	return strings.NewReplacer("&", "%26", "=", "%3D").Replace(url.PathEscape(address))
}

func escapeQuery(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// What a piece of a letter is.
type kind uint8

const (
	prose   kind = iota // a paragraph
	item                // an entry of a list
	list                // a list
	head                // a heading within a section
	orders              // orders behind bars
	legal               // all orders possible, by groups
	program             // orders possible, for programs
	sample              // the example turn
	link                // text and address
	pre                 // text as it is
	picture             // Space and the frigate, drawn
	scene               // a picture of the tour
	strips              // what is printed on Space, for readers without the picture
	grid                // the reader's own grid
	scores              // the table of the end
	said                // a person's words, lines kept
)

type piece struct {
	kind   kind
	text   string
	strong string // comes before the text, in bold
	lines  []string
	groups []group
	url    string
	n      int  // of a scene
	struck bool // taken back
	whole  bool // of a list of orders: none is left out
	small  bool
	spare  bool // left out of a text part that would be too long
	dense  bool // no blank line around it in the text part
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
	head   string
	lines  []string // every order
	listed []string // the same as people read them, some on one line
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

// A header is at the top of a letter: on a phone it is the first screen.
type header struct {
	label   string // the kind of letter, if it is not a turn notice
	title   string // what is wanted
	news    string // what happened, in a sentence
	urgency urgency
	facts   []string // the game and the deadline
	scores  []score
	links   []piece // buttons
}

type score struct {
	seat  int
	place int // in a game that is over, 0 before
	name  string
	vp    int
	you   bool
}

// maxInPlace is how many legal orders the text part lists where it announces them; longer lists
// are at its end.
const maxInPlace = 16

// maxListed is the most orders between "| legal" and "| end" (web/API.md).
const maxListed = 40

// A content is a letter before it is text or HTML.
type content struct {
	*words.Voice
	sheet    *notice.Input
	site     Site
	subject  string
	news     []words.News // what others did
	head     header
	tours    bool // shows pictures of theTour
	sections []section
}

// newContent arranges a letter: the news and what is wanted first; then what the reader's
// letter did, what happened, what they must decide; then the board, links, and the list
// of orders.
func newContent(cat *words.Catalogue, sheet *notice.Input, site Site) *content {
	set := component.Default()
	reader := engine.Seat(0)
	if sheet.Message.Seat > 0 && sheet.Message.Seat <= engine.MaxPlayers {
		reader = engine.Seat(sheet.Message.Seat)
	}
	if sheet.View != nil {
		reader = sheet.View.Viewer
		if sheet.View.Set != nil {
			set = sheet.View.Set
		}
	}
	c := &content{Voice: cat.For(set, reader, sheet.Message.Answer.Names), sheet: sheet, site: site}
	if !sheet.Message.Answer.Brief {
		c.news = c.News(sheet.Story)
	}
	c.subject = c.subjectLine()
	c.header()
	c.answer(&sheet.Message.Answer)
	if sheet.Message.Answer.Brief || sheet.Message.Receipt() {
		c.collected(cat)
	}
	if sheet.Message.Answer.Brief {
		c.links()
		return c
	}
	if sheet.Message.Receipt() {
		c.name()
		c.links()
		return c
	}
	switch {
	case sheet.Message.Kind == notice.KindEnd:
		c.end()
	case sheet.Message.Kind == notice.KindStart, sheet.Message.Answer.First:
		c.primer()
	}
	c.story()
	c.decide()
	c.board()
	c.collected(cat) // news of its league
	c.links()
	c.fairness()
	c.proof()
	c.list()
	return c
}

// collected tells the answers that a letter collects. In a daily letter about several games
// they are news of each.
func (c *content) collected(cat *words.Catalogue) {
	stories, links := c.sheet.Collected, false
	for _, a := range c.sheet.Message.Answer.Collected {
		c.begin(c.collectedTitle(&a))
		var news []words.News
		if a.News != nil && len(stories) > 0 {
			s := stories[0]
			stories = stories[1:]
			news = cat.For(s.Set, engine.Seat(a.News.Seat), a.Names).News(s.Told)
		}
		if len(news) > 0 { // which say who played
			a.Remarks = slices.DeleteFunc(slices.Clone(a.Remarks), func(r notice.Remark) bool { return r.Code == notice.TellTurn })
		}
		voice := c.Voice
		if !slices.Equal(a.Names, c.sheet.Message.Answer.Names) { // an answer to this letter would read other names
			c.Voice = voice.Unnamed()
		}
		c.answer(&a)
		c.Voice = voice
		if len(news) > 0 {
			s := c.begin("")
			for _, n := range news {
				s.tell(n, maxNews/len(news))
			}
		}
		key := ""
		switch {
		case a.Own != nil:
			key = a.Own.PageKey
		case a.News != nil:
			key = a.News.PageKey
		}
		if page := c.site.Page(a.Game, key); page != "" && key != "" {
			c.begin("").add(piece{kind: link, text: c.Say("letter.page-name"), url: page})
			links = true
		}
		if a.Own != nil && c.site.Reply != nil {
			title := c.collectedTitle(&a)
			if mail := MailTo(c.site.Reply(a.Own.Token), title, nil); mail != "" {
				c.begin("").add(piece{kind: link, text: c.Say("letter.reply-about", "game", title), url: mail})
			}
		}
	}
	if links {
		c.begin("").add(piece{kind: prose, text: c.Say("letter.pages-private"), small: true})
	}
}

// maxNews bounds what a daily letter about several games tells of one, in bytes.
const maxNews = 1200

// tell adds a paragraph of news. In one longer than limit bytes the oldest sentences are
// left out, those that do not concern the reader first.
func (s *section) tell(n words.News, limit int) {
	yours, text := n.Yours, n.Text
	for len(strings.Join(yours, " "))+len(strings.Join(text, " ")) > limit && len(yours)+len(text) > 1 {
		if len(text) > 0 {
			text = text[1:]
		} else {
			yours = yours[1:]
		}
	}
	s.add(piece{kind: prose, strong: strings.Join(yours, " "), text: strings.Join(text, " "), dense: true})
}

// name calls a receipt without a title by its first section, if that says what it is.
func (c *content) name() {
	for i := range c.sections {
		if title := &c.sections[i].title; c.head.title == "" && *title != "" && *title != c.Say("letter.understood") {
			c.head.title, *title = *title, ""
		}
	}
	if c.head.title == "" {
		c.head.title = c.Say("head.asked")
	}
}

// begin starts a section; the title may be empty, and is left out if it is the letter's.
func (c *content) begin(title string) *section {
	if title == c.head.title {
		title = ""
	}
	c.sections = append(c.sections, section{title: title})
	return &c.sections[len(c.sections)-1]
}

const maxSubject = 120

func (c *content) game() string {
	return GameName(c.sheet.Message.Game, c.sheet.Message.Answer.GameName)
}

// GameName returns what a game is called, as letters and pages show it.
func GameName(id, name string) string { return words.Clean(store.GameCalled(id, name), 40) }

// wanted returns what the reader must do, or which players must move.
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
	for _, s := range v.Winners {
		vp = v.Players[s-1].Final
	}
	return v.Winners, vp
}

// victory returns the sentence that tells who has won. Hal wins ties (R15.12).
func victory(c *words.Voice, v *engine.View) string {
	seats, vp := winners(v)
	key := "end.winner"
	if v.Options.Hal != engine.NoHal && len(seats) == 1 && seats[0] == engine.Hal && v.Players[0].Final == vp {
		key = "end.tie"
	}
	return words.Sentence(c.Say(key, "names", c.Whose(seats), "vp", vp, "n", many(c, seats)))
}

func (c *content) won() string {
	seats, _ := winners(c.sheet.View)
	names := make([]string, len(seats))
	for i, s := range seats {
		names[i] = c.Name(s)
	}
	return c.Say("subject.won", "names", c.List(names), "n", len(seats))
}

// story tells what happened: the reader's own lines one by one, what others did in a
// paragraph each.
func (c *content) story() {
	if len(c.sheet.Story) == 0 {
		return
	}
	s := c.begin(c.Say("letter.since"))
	own := c.own()
	for len(own) > 0 { // a bot's lines apart from the reader's
		bot := own[0].By == game.ByBot
		n := slices.IndexFunc(own, func(t game.Told) bool { return (t.By == game.ByBot) != bot })
		if n < 0 {
			n = len(own)
		}
		if bot {
			c.tellAs(c.bot(), s, own[:n])
		} else {
			c.tell(s, own[:n])
		}
		own = own[n:]
	}
	for _, n := range c.news {
		s.tell(n, math.MaxInt)
	}
	if v := c.sheet.View; v != nil && !v.Finished {
		switch {
		case v.LastRound:
			s.add(piece{kind: prose, dense: true, text: c.Say("letter.last-round")})
		case v.Ending != engine.NotEnded:
			s.add(piece{kind: prose, dense: true, text: c.Say("letter.trigger", "ending", c.Say("ending."+v.Ending.String()))})
		}
	}
	if len(s.pieces) == 0 {
		c.sections = c.sections[:len(c.sections)-1]
	}
}

// own are the reader's own lines, and what the set-up gave them.
func (c *content) own() (out []game.Told) {
	for _, t := range c.sheet.Story {
		switch {
		case t.N == 0 && c.sheet.View != nil:
			t.Events = slices.DeleteFunc(slices.Clone(t.Events), func(e engine.Event) bool { return !c.You(e.Seat) })
			if len(t.Events) > 0 {
				out = append(out, t)
			}
		case c.You(engine.Seat(t.Seat)):
			t.Events = words.BeforeHal(&t)              // the news tells Hal's turn
			if c.sheet.Message.Kind == notice.KindEnd { // the table tells the final scoring
				t.Events = words.BeforeScoring(t.Events)
			}
			out = append(out, t)
		}
	}
	return out
}

// bot tells what a bot did at the reader's seat.
func (c *content) bot() *words.Voice {
	v := c.sheet.View
	names := slices.Clone(c.sheet.Message.Answer.Names)
	if at := int(v.Viewer) - 1; at >= 0 && at < len(names) {
		names[at] = c.Say("term.your-bot")
	}
	return c.Catalogue.For(v.Set, 0, names)
}

func (c *content) tell(s *section, told []game.Told) { c.tellAs(c.Voice, s, told) }

func (c *content) tellAs(voice *words.Voice, s *section, told []game.Told) {
	if len(told) == 0 {
		s.say(c.Say("story.nothing"))
	}
	turns := voice.Story(told)
	if v, n := c.sheet.View, len(turns); n > 0 && v != nil && turns[n-1].Round == 0 && turns[n-1].Seat == v.Seat && v.Seat != 0 {
		turns[n-1].Head = voice.Head(v.Seat, v.Round) // the turn in progress
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

// onlyB is the one legal order of a player without a card or die to use.
const onlyB = "B"

// decide says what the reader must decide, or which players must move.
func (c *content) decide() {
	v := c.sheet.View
	if v == nil || v.Finished || c.sheet.Message.Kind == notice.KindEnd {
		return
	}
	if v.Decision == engine.NoDecision {
		if len(v.ToAct) > 0 && c.sheet.Message.Kind != notice.KindInfo {
			s := c.begin("")
			s.say(c.Say("letter.waiting", "names", c.Whose(v.ToAct)))
		}
		return
	}
	s := c.begin(c.Say("letter.decide"))
	text := c.Decision(v)
	if len(c.sheet.Legal) == 1 && c.sheet.Legal[0] == onlyB {
		text = c.Say("decision.turn-b")
	}
	s.say(text)
	c.may(s)
}

// may says how to answer: an example, and the orders if they are few.
func (c *content) may(s *section) {
	if len(c.sheet.Legal) == 0 {
		return
	}
	if len(c.sheet.Example) > 0 {
		lines := clean(c.sheet.Example)
		s.pieces[0].dense = true
		s.add(piece{kind: prose, dense: true, text: c.Say("letter.example")}, piece{kind: sample, lines: lines})
		if c.site.ReplyTo != "" {
			s.add(piece{kind: link, only: onlyHTML, text: c.Say("letter.example-mail"), url: MailTo(c.site.ReplyTo, c.subject, c.SpellAll(lines))})
		}
	}
	how := c.Say("letter.may-how")
	if !c.few() {
		how += " " + c.Say("letter.may-summary", "n", len(c.sheet.Legal))
	}
	s.add(piece{kind: prose, text: how, small: true, spare: true})
	if c.few() {
		s.add(piece{kind: head, text: c.Say("letter.may-list")})
		if len(c.sheet.Legal) > maxSpelled {
			s.add(piece{kind: prose, only: onlyHTML, small: true, text: c.Say("letter.may-slashes")})
		}
		s.add(piece{kind: legal, only: onlyHTML, groups: briefly(c.Voice, c.sheet.Legal)},
			piece{kind: program, only: onlyText, lines: clean(c.sheet.Legal)})
	}
}

// few reports whether the list of orders is short enough to come right after the question.
func (c *content) few() bool { return len(c.sheet.Legal) <= maxInPlace }

// list ends a letter with all orders possible, if they are many.
func (c *content) list() {
	if c.few() {
		return
	}
	s := c.begin(c.Say("letter.may-list"))
	s.add(piece{kind: prose, small: true, text: c.Say("letter.may-slashes")})
	s.add(piece{kind: legal, groups: briefly(c.Voice, c.sheet.Legal)})
	s.add(piece{kind: program, only: onlyText, lines: clean(c.sheet.Legal), whole: c.sheet.Message.Answer.Wants("legal")})
}

// maxAlike is how many orders of one kind stand under one heading; more are
// parted by what they choose first: the card, the colour of the die.
const maxAlike = 8

// groups puts orders of one kind together, in the order of their first.
func groups(v *words.Voice, lines []string) []group {
	return parted(v, clean(lines), v.SpellAll)
}

// parted makes groups whose orders are listed as write does.
func parted(v *words.Voice, lines []string, write func([]string) []string) (out []group) {
	steps := map[string]engine.Step{}
	for _, l := range lines {
		steps[l], _ = order.Parse(l)
	}
	for _, g := range alike(lines, func(l string) string { return v.Group(steps[l]) }) {
		parts := []group{g}
		if len(write(g.lines)) > maxAlike {
			parts = alike(g.lines, func(l string) string { return v.Subgroup(steps[l]) })
		}
		for _, g := range parts {
			g.listed = write(g.lines)
			out = append(out, g)
		}
	}
	return out
}

// alike puts lines with one heading together, in the order of their first.
func alike(lines []string, head func(string) string) (out []group) {
	at := map[string]int{}
	for _, l := range lines {
		h := head(l)
		i, ok := at[h]
		if !ok {
			i = len(out)
			at[h] = i
			out = append(out, group{head: h})
		}
		out[i].lines = append(out[i].lines, l)
	}
	return out
}

// count is the heading with the number of orders under it, if it is not one.
func (g group) count() string {
	if len(g.lines) == 1 {
		return g.head
	}
	return g.head + " (" + strconv.Itoa(len(g.lines)) + ")"
}

// own is the reader's own part of a view.
func own(v *engine.View) *engine.PlayerView {
	if v == nil || v.Viewer == 0 || int(v.Viewer) > len(v.Players) {
		return nil
	}
	return &v.Players[v.Viewer-1]
}

// options say what is played.
func (c *content) options() string { return c.Options(c.sheet.Options) }

// proof ends the letter with which a game begins: by which hash its rolls can be checked.
func (c *content) proof() {
	for _, r := range c.sheet.Message.Answer.Remarks {
		if r.Code == notice.TellStarted {
			c.begin("").add(piece{kind: prose, small: true, text: c.Say("letter.proof", "commitment", words.Clean(r.Args["commitment"], 64))})
		}
	}
}

// goodsLine tells a player's VP and what they have in storage.
func (c *content) goodsLine(p *engine.PlayerView) string {
	list := []string{c.Goods(engine.VP, p.VP)}
	for _, g := range []struct {
		good engine.Good
		n    int
	}{{engine.Resource, p.Resources}, {engine.Debris, p.Debris}, {engine.Ship, p.Ships}} {
		if g.n > 0 {
			list = append(list, c.Goods(g.good, g.n))
		}
	}
	return strings.Join(list, ", ") + "."
}

// links end every letter about a game.
func (c *content) links() {
	r := &c.sheet.Message
	key := r.Answer.Home
	for i := range r.Answer.Collected { // the newest is good
		key = cmp.Or(r.Answer.Collected[i].Home, key)
	}
	if home := c.site.Home(key); home != "" {
		s := c.begin(c.Say("me.letter"))
		s.add(piece{kind: link, text: c.Say("me.letter-link"), url: home})
		s.add(piece{kind: prose, text: c.Say("me.letter-note"), small: true})
	}
	if page := c.site.Privacy(); page != "" && (r.Answer.First || r.Kind == notice.KindInvitation) {
		s := c.begin("")
		s.add(piece{kind: link, text: c.Say("privacy.letter"), url: page})
	}
	page := c.site.Page(r.Game, r.PageKey)
	if page == "" || r.PageKey == "" {
		return
	}
	if r.Kind == notice.KindInvitation {
		return
	}
	s := c.begin("")
	if c.sheet.Message.Answer.Brief || c.sheet.Message.Receipt() {
		s.add(piece{kind: link, text: c.Say("letter.page-name"), url: page})
	} else {
		if len(c.sheet.Legal) > 0 { // elsewhere the link is at the top
			s.add(piece{kind: link, text: c.Say("letter.page-name"), url: page, only: onlyHTML})
		}
	}
	note := piece{kind: prose, text: c.Say("letter.page-private"), small: true, spare: true}
	text := c.options()
	if text == "" || c.sheet.View == nil || r.Kind == notice.KindAnswer {
		s.add(note)
		return
	}
	if r.Kind == notice.KindTurn { // by ear, a notice says what players do not know
		note.only = onlyHTML
		s.add(note)
		note.only = onlyText
	}
	note.text = text + ". " + note.text
	s.add(note)
}
