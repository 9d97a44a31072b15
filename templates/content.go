package templates

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/notice"
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

// League is the address of a league's page, "" if there are no pages.
func (s Site) League(id string) string {
	if s.BaseURL == "" || id == "" {
		return ""
	}
	return s.BaseURL + "/l/" + url.PathEscape(id)
}

// MailTo is a mailto: link (RFC 6068) that answers with these orders.
func MailTo(address, subject string, orders []string) string {
	if address == "" {
		return ""
	}
	user, host, _ := strings.Cut(address, "@")
	return "mailto:" + escapeQuery(user) + "@" + url.PathEscape(host) +
		"?subject=" + escapeQuery(reply+strings.TrimPrefix(subject, reply)) + "&body=" + escapeQuery(strings.Join(orders, "\r\n")+"\r\n")
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
	said               // a person's words, lines kept
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
	head   string
	lines  []string // every order
	listed []string // what stands in the HTML for them
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
	sheet    *notice.Input
	site     Site
	subject  string
	sections []section
}

// newContent arranges a letter: what the reader's letter did, what happened,
// what they must decide, what they may do, the board with goods, hand and the
// others, links.
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
	c.subject = c.subjectLine()
	c.answer(&sheet.Message.Answer)
	for i := range sheet.Message.Answer.Collected {
		a := &sheet.Message.Answer.Collected[i]
		c.begin(c.collectedTitle(a))
		c.answer(a)
	}
	if sheet.Message.Answer.Brief || c.short() {
		c.links()
		return c
	}
	switch sheet.Message.Kind {
	case notice.KindEnd:
		c.end()
	case notice.KindStart:
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
	a := &c.sheet.Message.Answer
	if name := words.Clean(a.GameName, 40); name != "" {
		return name
	}
	return c.Say("subject.game", "id", words.Clean(c.sheet.Message.Game, 40))
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

// story tells what happened.
func (c *content) story() {
	if len(c.sheet.Story) == 0 {
		return
	}
	key := "letter.since"
	if c.sheet.Message.Kind == notice.KindTurn {
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

func (c *content) tell(s *section, told []game.Told) {
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
	if v == nil || v.Finished || c.sheet.Message.Kind == notice.KindEnd {
		return
	}
	if v.Decision == engine.NoDecision {
		if len(v.ToAct) > 0 && c.sheet.Message.Kind != notice.KindInfo {
			s := c.begin("")
			s.say(c.Say("letter.waiting", "names", c.Whose(v.ToAct)))
			c.deadlines(s)
		}
		return
	}
	s := c.begin(c.Say("letter.decide"))
	s.say(c.Decision(v))
	c.deadlines(s)
}

// deadlines says by when the game waits for whom.
func (c *content) deadlines(s *section) {
	if c.sheet.Message.Answer.Paused {
		s.say(c.Say("time.paused"))
	}
	for _, d := range c.sheet.Message.Answer.Deadlines {
		if d.Seat < 1 || d.Seat > len(c.sheet.View.Players) {
			continue
		}
		seat, at := engine.Seat(d.Seat), words.Clean(d.Time, 40)
		switch {
		case !c.You(seat):
			s.say(c.Say("time.other", "name", c.Name(seat), "time", at))
		case d.Late:
			s.say(c.Say("time.over", "time", at))
		default:
			text := c.Say("time.you", "time", at, "left", c.Span(time.Duration(d.Left)*time.Second))
			if d.Bank > 0 {
				text += " " + c.Say("time.bank", "bank", c.Span(time.Duration(d.Bank)*time.Second))
			}
			s.say(text)
		}
	}
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
	list := piece{kind: legal, groups: briefly(c.Voice, c.sheet.Legal)}
	s.say(c.Say("letter.may-reply"))
	if len(c.sheet.Legal) <= maxInPlace {
		s.add(piece{kind: head, text: c.Say("letter.may-list")}, list)
		return
	}
	s.add(piece{kind: prose, only: onlyText, text: c.Say("letter.may-summary", "n", len(c.sheet.Legal))})
	s.add(piece{kind: head, only: onlyHTML, text: c.Say("letter.may-list")},
		piece{kind: prose, only: onlyHTML, text: c.Say("letter.may-slashes"), small: true}, list)
}

// maxAlike is how many orders of one kind stand under one heading; more are
// parted by what they choose first: the card, the colour of the die.
const maxAlike = 8

// groups puts orders of one kind together, in the order of their first.
func groups(v *words.Voice, lines []string) []group {
	return parted(v, clean(lines), slices.Clone)
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

func (c *content) goodsLine(p *engine.PlayerView) string {
	return c.Say("letter.goods-line", "vp", p.VP, "resources", c.Goods(engine.Resource, p.Resources),
		"debris", c.Goods(engine.Debris, p.Debris), "ships", c.Goods(engine.Ship, p.Ships))
}

// links end every letter about a game.
func (c *content) links() {
	r := &c.sheet.Message
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
