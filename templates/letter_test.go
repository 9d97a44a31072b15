package templates

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/incoming"
	"angelpost/engine/notice"
	"angelpost/engine/store"
	"angelpost/templates/words"
)

func document(t testing.TB, html string) *goquery.Document {
	t.Helper()
	d, err := goquery.NewDocumentFromReader(strings.NewReader(html))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// check holds what every letter keeps.
func check(t testing.TB, s *notice.Input, l Letter) {
	t.Helper()
	if l.Subject == "" || strings.ContainsAny(l.Subject, "\r\n\x00") || utf8.RuneCountInString(l.Subject) > maxSubject {
		t.Errorf("subject %q", l.Subject)
	}
	_, body, _ := strings.Cut(l.HTML, "</style>")
	_, body, _ = strings.Cut(body, "<body")
	for _, part := range []string{l.Subject, l.Text, body} {
		if i := strings.Index(part, "{"); i >= 0 {
			t.Errorf("an argument is missing: %q", part[i:min(len(part), i+60)])
		}
		if i := strings.Index(strings.NewReplacer("[if mso]", "", "[endif]", "").Replace(part), "["); i >= 0 {
			t.Errorf("a code is unknown: %q", part[i:min(len(part), i+60)])
		}
	}
	if s.Message.Format != "text" && (l.HTML == "" || len(l.HTML) >= MaxHTML) {
		t.Errorf("HTML of %d bytes", len(l.HTML))
	}
	for _, line := range strings.Split(l.Text, "\n") {
		if strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "  | ") || strings.HasPrefix(line, "mailto:") || strings.HasPrefix(line, "http") {
			continue
		}
		if n := utf8.RuneCountInString(line); n > columns {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	some := fenced(l.Text, "legal")
	more := 0
	if n := len(some); n > 0 {
		if left, ok := strings.CutPrefix(some[n-1], "more "); ok {
			more, _ = strconv.Atoi(left)
			some = some[:n-1]
		}
	}
	if len(s.Legal) > 0 && (len(some) > maxListed || len(some)+more != len(s.Legal) || more > 0 && len(some) < maxListed) {
		t.Errorf("the text lists %d legal orders and %d more, of %d", len(some), more, len(s.Legal))
	}
	for _, o := range some {
		if len(s.Legal) > 0 && !slices.Contains(s.Legal, o) {
			t.Errorf("%q is listed and not legal", o)
		}
	}
	if got := fenced(l.Text, "example"); s.Message.Answer.Invite == nil && !slices.Equal(got, s.Example) {
		t.Errorf("example %q, want %q", got, s.Example)
	}
	if l.HTML != "" {
		// In HTML too every order has a bar before it.
		html := document(t, l.HTML)
		html.Find("div.o").Each(func(_ int, e *goquery.Selection) {
			if !strings.HasPrefix(strings.TrimSpace(e.Text()), "| ") || strings.Count(e.Text(), "| ") != e.Find("br").Length()+1 {
				t.Errorf("not all behind bars: %q", e.Text())
			}
		})
		if s.Message.Answer.Invite == nil {
			listed(t, s, html)
		}
		if len(s.Message.Answer.Collected) == 0 {
			headings(t, html, l.Text)
		}
		html.Find("script, link, iframe, form").Each(func(_ int, e *goquery.Selection) { t.Errorf("HTML contains %s", goquery.NodeName(e)) })
	}
}

// headings holds that something follows each heading, in both parts.
func headings(t testing.TB, html *goquery.Document, text string) {
	t.Helper()
	titles := map[string]bool{}
	html.Find("h2").Each(func(_ int, e *goquery.Selection) {
		titles[strings.ToUpper(e.Text())] = true
		if next := e.Next(); next.Length() == 0 || next.Is("h2") {
			t.Errorf("nothing follows the heading %q", e.Text())
		}
	})
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		if titles[lines[i-1]] && titles[lines[i]] {
			t.Errorf("the heading %q follows %q", lines[i], lines[i-1])
		}
	}
}

// The answer to `board` has each board once: the text as a list, the HTML in its sections.
func TestBoardLetter(t *testing.T) {
	g := playGame(t, 4, 60, nil)
	s := sheetOf(g, g.View(0).ToAct[0], notice.KindAnswer, 60)
	s.Message.Answer.Sections = []notice.Section{{Kind: "board"}}
	l := render(t, s, site)
	if !strings.Contains(l.Text, "\nALL BOARDS\n") || strings.Contains(l.Text, "\nYOUR HAND\n") || strings.Contains(l.HTML, "All boards") || !strings.Contains(l.HTML, ">Your hand</h2>") {
		t.Error(l.Text)
	}
}

// phone is how many lines of orders a letter's HTML may list.
const phone = 30

// listed holds that the HTML lists every legal order, and no other one by
// words between slashes, so shortly that it can be read on a phone.
func listed(t testing.TB, s *notice.Input, html *goquery.Document) {
	t.Helper()
	all := map[string]bool{}
	lines := 0
	voice := words.English().For(nil, 0, s.Message.Answer.Names)
	legal := voice.SpellAll(s.Legal)
	html.Find(".o").Each(func(_ int, e *goquery.Selection) {
		for _, l := range strings.Split(e.Text(), "| ")[1:] {
			lines++
			orders := spelt(strings.TrimSpace(l))
			for _, o := range orders {
				if len(orders) > 1 && !slices.Contains(legal, o) {
					t.Errorf("%q stands for %q, which is not legal", l, o)
				}
				all[o] = true
			}
		}
	})
	for _, o := range slices.Concat(legal, voice.SpellAll(s.Example)) {
		if !all[o] {
			t.Errorf("the HTML does not list %q", o)
		}
	}
	if lines > phone {
		t.Errorf("the HTML lists %d lines for %d orders (%v)", lines, len(s.Legal), s.View.Decision)
	}
}

// spelt are the orders that a line means: one word between slashes at a time is taken.
func spelt(line string) (out []string) {
	for _, w := range strings.Fields(line) {
		if before, after, ok := strings.Cut(line, w); strings.Contains(w, "/") && ok {
			for _, x := range strings.Split(w, "/") {
				out = append(out, spelt(before+x+after)...)
			}
			return out
		}
	}
	return []string{line}
}

// flat is a text without its line breaks.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

func sorted(s []string) []string { return slices.Sorted(slices.Values(s)) }

// Every letter of whole games keeps what letters must keep, however long its
// list of orders is.
func TestLettersOfWholeGames(t *testing.T) {
	for _, o := range []game.Options{options(1, "base", "revised", "easy"), options(1, "advanced", "first", "extreme"), options(2, "base", "first", ""),
		options(2, "advanced", "revised", ""), options(3, "base", "revised", ""), options(4, "base", "revised", ""), options(4, "advanced", "first", "")} {
		n := 0
		play(t, o, 0, 1<<20, func(g *game.Game) bool {
			if n++; n%29 == 0 {
				for _, seat := range g.View(0).ToAct {
					s := sheetOf(g, seat, notice.KindTurn, g.Steps()-40)
					check(t, s, render(t, s, site))
				}
			}
			return t.Failed()
		})
	}
}

func TestTurnLetter(t *testing.T) {
	g := playGame(t, 3, 500, func(g *game.Game) bool {
		v := g.View(0)
		return v.Round == 3 && v.Asked == engine.AskTurn && len(v.ToAct) == 1
	})
	seat := g.View(0).Seat
	s := sheetOf(g, seat, notice.KindTurn, g.Steps()-12)
	l := render(t, s, site)
	check(t, s, l)
	if want := "Friday, round 3: your turn"; l.Subject != want {
		t.Errorf("subject %q, want %q", l.Subject, want)
	}
	// In this order (mail/MAIL.md, Out).
	last := -1
	for _, part := range []string{words.English().Marker(), "YOUR TURN", "Friday, round 3", " VP", "https://play.example/g/g4k2q/keykeykey/plan/", "WHAT HAPPENED", "YOUR MOVE", "| example", "\nSPACE\n", "THE FRIGATE", "YOUR HAND", "YOUR BOARD", "THE OTHERS", "ALL YOUR POSSIBLE ORDERS", "| legal"} {
		at := strings.Index(l.Text, part)
		if at <= last {
			t.Errorf("%q stands at %d, after %d", part, at, last)
		}
		last = at
	}
	if !strings.HasPrefix(l.Text, words.English().Marker()+"\n\nYOUR TURN. ") {
		t.Errorf("the text begins %q", l.Text[:60])
	}
	if n := strings.Count(l.Text, "Your turn"); n > 0 { // the title says it
		t.Errorf("the text says %d times more that the turn is the reader's", n)
	}
	// A long list is at the end, with its heading.
	if len(s.Legal) <= maxInPlace {
		t.Fatalf("only %d orders: no list that is long", len(s.Legal))
	}
	if !strings.Contains(flat(l.Text), "Your "+strconv.Itoa(len(s.Legal))+" possible orders are at the end") {
		t.Error("the list at the end is not announced")
	}
	html := document(t, l.HTML)
	if n, want := html.Find("p:contains('For sale')").Next().Filter("ul").Find("li").Length(), slices.IndexFunc(append(s.View.Display[:], 0), func(x engine.Tile) bool { return x == 0 }); want == 0 || n < want {
		t.Errorf("%d tiles for sale are a list of %d", want, n)
	}
	for _, strip := range html.Find("div[aria-hidden] div").EachIter() {
		if text := strip.Text(); strings.ContainsAny(text, "*!") {
			t.Errorf("signs without words: %q", text)
		}
	}
	img := html.Find("img")
	if src, _ := img.Attr("src"); src != "cid:board@play" || !l.Picture {
		t.Errorf("picture %q", src)
	}
	if alt, _ := img.Attr("alt"); alt != words.English().For(g.View(seat).Set, seat, names).Say("board.alt") {
		t.Errorf("alt %q", alt)
	}
	v := words.English().For(g.View(seat).Set, seat, names)
	for _, card := range own(g.View(seat)).Cards {
		if line := v.CardLine(card); !strings.Contains(l.Text, card.String()) || !card.Ravager() && (!strings.Contains(html.Text(), line) || !strings.Contains(flat(l.Text), line)) {
			t.Errorf("card %v is not explained", card)
		}
	}
}

// An answer that brings the next turn does not say that the turn is complete, too.
func TestTurnAfterTurn(t *testing.T) {
	g := playGame(t, 3, 500, func(g *game.Game) bool {
		v := g.View(0)
		return v.Round == 3 && v.Asked == engine.AskTurn && len(v.ToAct) == 1
	})
	seat := g.View(0).Seat
	for who, want := range map[engine.Seat]bool{seat: false, seat%3 + 1: true} {
		s := sheetOf(g, who, notice.KindAnswer, g.Steps()-12)
		s.Message.Result, s.Message.Answer.Remarks = notice.Applied, []notice.Remark{{Code: notice.SayDone}}
		s.Message.Answer.Board = !want
		if l := render(t, s, site); strings.Contains(l.Text, "Your turn is complete.") != want {
			t.Errorf("seat %d, of whose turn it is %v: %s", who, !want, l.Text)
		}
	}
}

func TestSubjects(t *testing.T) {
	g := playGame(t, 2, 40, nil)
	must := g.View(0).ToAct[0]
	rest := 3 - must
	rules := []notice.Section{{Kind: "rules"}}
	for _, c := range []struct {
		game     string
		seat     engine.Seat // 0: before the start
		kind     notice.Kind
		result   notice.Result
		sections []notice.Section
		want     string
	}{
		{"", 0, notice.KindInfo, notice.None, nil, "Angelpost: your letter"},
		{"", 0, notice.KindAnswer, notice.Applied, nil, "Angelpost: done"},
		{"x", 0, notice.KindAnswer, notice.Applied, nil, "Friday: done"},
		{"x", 0, notice.KindAnswer, notice.Refused, nil, "Friday: that did not work"},
		{"x", 0, notice.KindInfo, notice.None, nil, "Friday: news"},
		{"x", rest, notice.KindInfo, notice.None, nil, "Friday: news"},
		{"x", rest, notice.KindInfo, notice.None, rules, "Friday: news"},
		{"x", must, notice.KindInfo, notice.None, nil, "Friday, round N: WANTED"},
		{"x", must, notice.KindTurn, notice.None, nil, "Friday, round N: WANTED"},
		{"x", must, notice.KindAnswer, notice.Refused, nil, "Friday, round N: not done, WANTED"},
		{"x", must, notice.KindAnswer, notice.Partial, nil, "Friday, round N: partly done, WANTED"},
		{"x", rest, notice.KindAnswer, notice.Applied, nil, "Friday, round N: done, waiting for " + names[must-1]},
		{"x", must, notice.KindEnd, notice.None, nil, "Friday: the game is over"},
		{"x", must, notice.Kind("later"), notice.None, nil, "Friday: news"},
	} {
		s := &notice.Input{}
		if c.seat != 0 {
			s = sheetOf(g, c.seat, c.kind, 40)
		}
		s.Message.Game, s.Message.Kind, s.Message.Result = c.game, c.kind, c.result
		s.Message.Answer.GameName, s.Message.Answer.Names, s.Message.Answer.Sections = "Friday", names, c.sections
		want := c.want
		if v := s.View; v != nil {
			wanted := words.English().For(v.Set, c.seat, names).Wanted(v.Decision)
			want = strings.NewReplacer("round N", "round "+strconv.Itoa(v.Round), "WANTED", wanted).Replace(want)
		}
		if got := render(t, s, site).Subject; got != want {
			t.Errorf("%s %s of seat %d: %q, want %q", c.kind, c.result, c.seat, got, want)
		}
	}
}

func TestMailToAnswersWithTheExample(t *testing.T) {
	g := playGame(t, 2, 10, nil)
	seat := g.View(0).ToAct[0]
	s := sheetOf(g, seat, notice.KindTurn, 0)
	s.Example = []string{"die gray 2 from seat 2", "repair at 3"}
	html := document(t, render(t, s, site).HTML)
	href := ""
	html.Find("a").Each(func(_ int, a *goquery.Selection) {
		if h, _ := a.Attr("href"); strings.HasPrefix(h, "mailto:") {
			href = h
		}
	})
	u, err := url.Parse(href)
	if err != nil {
		t.Fatal(err)
	}
	to, err := url.PathUnescape(u.Opaque)
	if err != nil || to != site.ReplyTo {
		t.Errorf("to %q, %v", to, err)
	}
	if body := u.Query().Get("body"); body != "die gray 2 from Bo\r\nrepair at 3\r\n" {
		t.Errorf("body %q", body)
	}
	if _, query, _ := strings.Cut(href, "?"); strings.Contains(query, "+") {
		t.Errorf("%s: a plus is a blank to some clients", href)
	}
}

func TestLetterWithoutTokenCannotBeAnswered(t *testing.T) {
	g := playGame(t, 2, 10, nil)
	s := sheetOf(g, 1, notice.KindInfo, 0)
	s.Message.PageKey = ""
	l := render(t, s, Site{BaseURL: site.BaseURL})
	if strings.Contains(l.Text+l.HTML, words.English().Marker()) || strings.Contains(l.Text+l.HTML, "mailto:") || strings.Contains(l.Text+l.HTML, "/g/g4k2q") {
		t.Error("it asks for an answer, or names a page that was not given")
	}
}

func TestFormatText(t *testing.T) {
	g := playGame(t, 2, 10, nil)
	s := sheetOf(g, 1, notice.KindTurn, 0)
	s.Message.Format = "text"
	if l := render(t, s, site); l.HTML != "" || l.Picture || l.Text == "" {
		t.Error("HTML was written")
	}
}

func TestAnswerTellsEveryLine(t *testing.T) {
	g := playGame(t, 3, 30, nil)
	seat := g.View(0).ToAct[0]
	s := sheetOf(g, seat, notice.KindAnswer, g.Steps()-3)
	s.Message.Result = notice.Partial
	s.Message.Answer.Lines = []notice.LineResult{
		{N: 1, Text: "card 13 row 2", As: []string{"card 013 at row 2"}, Status: notice.LineApplied},
		{N: 0, As: []string{"done"}, Status: notice.LineForced},
		{N: 2, Text: "die grey 9", Status: notice.LineRefused, Problem: &notice.Problem{Code: notice.ProblemIllegal, Rule: "R4.4", Args: map[string]string{"reason": "no-such-die"},
			Read: "die gray 3", Suggestions: []string{"die gray 2", "die gray 1"}}},
		{N: 3, Text: "ship b", Status: notice.LineRefused, Problem: &notice.Problem{Code: "order-ambiguous", Candidates: []string{"ship b4 to b5", "ship b6 to b7"}}},
		{N: 4, Text: "launch to b4", Status: notice.LineUnread},
	}
	s.Message.Answer.Remarks = []notice.Remark{{Code: notice.SayStood}}
	s.Message.Answer.Press = []incoming.Press{{From: "Bo", Text: "nice move\n| die gray 2\n"}}
	l := render(t, s, site)
	check(t, s, l)
	if want := "Friday, round 3: partly done"; !strings.HasPrefix(l.Subject, "Friday, round") || !strings.Contains(l.Subject, "partly done") {
		t.Errorf("subject %q, want like %q", l.Subject, want)
	}
	for _, want := range []string{"“card 13 row 2”: done", "  | card 013 at row 2\n", "Only one legal option, so we played it for you.", "“die grey 9”: not done", "(R4.4)", "We read it as: take the gray 3.", "  | die gray 2", "Did you mean", "  | ship b6 to b7", "“launch to b4”: skipped", "nice move"} {
		if !strings.Contains(l.Text, want) && !strings.Contains(flat(l.Text), want) {
			t.Errorf("text lacks %q", want)
		}
	}
	text := document(t, l.HTML).Text()
	for _, want := range []string{"card 13 row 2", "there is no such die", "ship b6 to b7", "nice move"} {
		if !strings.Contains(strings.ToLower(text), want) {
			t.Errorf("HTML lacks %q", want)
		}
	}
}

// A new player has no rulebook: the first letter says what it is about.
func TestStartLetter(t *testing.T) {
	g := playGame(t, 3, 0, nil)
	s := sheetOf(g, 2, notice.KindStart, -1)
	s.Options.Clock = "1d bank 2d"
	s.Message.Answer.Remarks = []notice.Remark{{Code: notice.TellStarted, Args: map[string]string{"commitment": strings.Repeat("ab", 32), "mixed": "yes"}}}
	l := render(t, s, site)
	check(t, s, l)
	v := words.English().For(s.View.Set, 2, names)
	for _, want := range []string{v.Topic("goal"), v.Topic("turn"), "A hex is a lane from a to e and the number of its strip: c4.", "Your time bank is for turns that take longer.", strings.Repeat("ab", 32), "Setup", "You start with"} {
		if want == "" || !strings.Contains(flat(l.Text), want) || !strings.Contains(document(t, l.HTML).Text(), want) {
			t.Errorf("the letter lacks %q", want)
		}
	}
	if v.Topic("xyzzy") != "" {
		t.Error("a topic that is none")
	}
}

func TestInvitation(t *testing.T) {
	s := &notice.Input{Message: notice.Message{Kind: notice.KindInvitation, Game: "g4k2q", Token: "x", Answer: notice.Answer{
		GameName: "Friday", Invite: &notice.Invite{Organiser: "Ada", Players: 3, Names: []string{"Ada", "", "Cy"}, Rules: "base", Edition: "revised",
			Set: "my-box", Visibility: "unlisted", Commitment: strings.Repeat("ab", 32), Expires: "2026-12-01"}}}}
	l := render(t, s, site)
	check(t, s, l)
	if want := "Friday: Ada invites you to a game of Black Angel"; l.Subject != want {
		t.Errorf("%q, want %q", l.Subject, want)
	}
	for _, want := range []string{"join", "decline", "never write to me again", strings.Repeat("ab", 32), "Tue 1 Dec 2026", "a player without a name yet"} {
		if !strings.Contains(flat(l.Text), want) || !strings.Contains(document(t, l.HTML).Text(), want) {
			t.Errorf("the invitation does not say %q", want)
		}
	}
	if strings.Contains(l.Text+l.HTML, "/g/g4k2q") {
		t.Error("the invitation shows a page")
	}
}

func TestEndLetter(t *testing.T) {
	g := playGame(t, 4, 1<<20, nil)
	s := sheetOf(g, 2, notice.KindEnd, g.Steps()-10)
	s.Seed, s.Commitment = strings.Repeat("0f", 32), strings.Repeat("ab", 32)
	l := render(t, s, site)
	check(t, s, l)
	v := g.View(2)
	seats, vp := winners(v)
	for _, want := range []string{"WHERE THE POINTS CAME FROM", fmt.Sprintf("with %d VP", vp), s.Seed, s.Commitment, "angelpost verify FILE", "rematch"} {
		if !strings.Contains(l.Text, want) && !strings.Contains(flat(l.Text), want) {
			t.Errorf("text lacks %q", want)
		}
	}
	if len(seats) == 0 || !strings.Contains(l.Subject, "the game is over") {
		t.Errorf("subject %q", l.Subject)
	}
	// If the league's result is another, its remarks say who has won.
	other := s
	other.Message.Answer.Remarks = []notice.Remark{{Code: notice.TellSeatLeft, Args: map[string]string{"league": "Tin", "names": "Ada", "n": "1"}}}
	for text, otherwise := range map[string]bool{render(t, other, site).Text: true, l.Text: false} {
		if strings.Contains(flat(text), fmt.Sprintf("with %d VP", vp)) == otherwise || strings.Contains(text, "THE GAME IS OVER") != otherwise {
			t.Errorf("otherwise for the league: %v:\n%s", otherwise, text)
		}
	}
	// If players tie in a knock-out, one of them goes on: no one "wins".
	draw := *s
	drawn := *v
	drawn.Winners = []engine.Seat{1, 2}
	draw.View, draw.Message.Answer.Remarks = &drawn, []notice.Remark{{Code: notice.TellMatch, Args: map[string]string{"league": "Tin", "then": "out", "who": "Ada", "n": "1", "open": "0"}}}
	if text := flat(render(t, &draw, site).Text); strings.Contains(text, "win with") || !strings.Contains(text, "The game is a tie: Ada and you have") || !strings.Contains(text, "You are out of the knock-out Tin") {
		t.Errorf("a tied match:\n%s", text)
	}
	scores := newContent(words.English(), s, site).head.scores
	for i, x := range scores { // in the order of places, the winner first
		if x.vp != v.Players[x.seat-1].Final || x.place != place(v, engine.Seat(x.seat)) || i > 0 && x.vp > scores[i-1].vp || i < len(seats) && !slices.Contains(seats, engine.Seat(x.seat)) {
			t.Errorf("scores %+v", scores)
		}
		if want := fmt.Sprintf("%d. %s %d VP", x.place, x.name, x.vp); !strings.Contains(flat(l.Text), want) || !strings.Contains(flat(document(t, l.HTML).Find(".sc").Text()), want) {
			t.Errorf("no %q in\n%s", want, l.Text)
		}
	}
	for _, p := range v.Players { // the table's columns add up
		sum := 0
		for _, r := range scoreRows(words.English().For(v.Set, 0, names), v) {
			sum += r.VP[p.Seat-1]
		}
		if sum != p.Final {
			t.Errorf("seat %d: the rows make %d, final %d", p.Seat, sum, p.Final)
		}
	}
}

func TestInfoLetters(t *testing.T) {
	g := playGame(t, 3, 1<<20, nil)
	base := func(sections ...notice.Section) *notice.Input {
		s := sheetOf(g, 1, notice.KindInfo, g.Steps())
		s.Message.Answer.Sections = sections
		return s
	}
	s := base(notice.Section{Kind: "rules", Topic: "013"}, notice.Section{Kind: "rules"}, notice.Section{Kind: "help"}, notice.Section{Kind: "board"},
		notice.Section{Kind: "status", Games: []notice.GameState{
			{Game: "g4k2q", Name: "Friday", State: store.GameRunning, Round: 3, ToAct: []string{"Bo"}, PageKey: "keykeykey", Days: 1, Options: options(1, "advanced", "first", "easy")},
			{Game: "g5", State: store.GameRunning, Round: 1, You: true}, {Game: "g6", State: store.GameInvited, Waiting: []string{"Cy", "Di"}, Muted: true},
			{Game: "g7", State: store.GameFinished}, {Game: "g8", State: store.GameCancelled}, {Game: "g9", State: store.GameAbandoned}}})
	l := render(t, s, site)
	check(t, s, l)
	for _, want := range []string{"its owner, and any other player with", "- Friday: round 3, waiting for Bo. Advanced rules · first edition · solo against Hal (easy). Nothing has happened for 1 day.", GameName("g5", "") + ": round 1, your move.", GameName("g6", "") + ": not started; waiting for Cy and Di. You have muted it. To get letters again, reply `unmute` to any earlier one.", "ALL BOARDS", "- play (your turn): orders, boost, wishes, preview, game, undo"} {
		if !strings.Contains(l.Text, want) && !strings.Contains(flat(l.Text), want) {
			t.Errorf("text lacks %q", want)
		}
	}
	// A whole game's history: all of it in the text, the end of it in the HTML.
	s = base(notice.Section{Kind: "history"})
	s.History = g.Story(1, -1)
	l = render(t, s, site)
	check(t, s, l)
	if !strings.Contains(l.Text, "SETUP") && !strings.Contains(l.Text, "Setup") {
		t.Error("the text does not begin with the set-up")
	}
	// Of a letter without a token: a list for each game.
	s = &notice.Input{Message: notice.Message{Kind: notice.KindAnswer, Result: notice.None, Answer: notice.Answer{Sections: []notice.Section{{Kind: "legal",
		Games: []notice.GameState{{Game: "g5", State: store.GameRunning, Legal: []string{"B", "pass"}}}}}}}}
	l = render(t, s, Site{})
	if got := fenced(l.Text, "legal"); !slices.Equal(got, []string{"B", "pass"}) || l.Subject != "Angelpost: your letter" {
		t.Errorf("%q, subject %q", got, l.Subject)
	}
}

// A hint has bars before its lines, but clients don't find orders to play in it.
func TestHintLetters(t *testing.T) {
	g := playGame(t, 3, 1<<20, nil)
	hint := notice.Hint{Orders: []string{"die orange 2", "command at 2"}, VP: 7, Lead: -3, Other: "B", Less: 2}
	letter := func(players int, h notice.Hint) Letter {
		s := sheetOf(g, 1, notice.KindAnswer, g.Steps())
		s.Options.Players = players
		s.Message.Answer.Sections = []notice.Section{{Kind: "hint", Hint: &h}}
		l := render(t, s, site)
		check(t, s, l)
		return l
	}
	l := letter(3, hint)
	for _, want := range []string{"A SUGGESTION FOR YOUR TURN", "  | die orange 2\n  | command at 2\n", "You have 7 VP now. The bot expects you to finish about 3 VP behind the others' average.",
		"Next best (about 2 VP worse): | B", "what is best next depends on", "?subject=Re%3A%20"} {
		if !strings.Contains(l.Text, want) && !strings.Contains(flat(l.Text), want) {
			t.Errorf("text lacks %q:\n%s", want, l.Text)
		}
	}
	whole := hint
	whole.Whole, whole.Lead, whole.Less = true, 0, 0
	for want, l := range map[string]Letter{
		"about level with": letter(3, whole), "about as good": letter(3, whole),
		"3 VP ahead of Hal":           letter(1, notice.Hint{Orders: hint.Orders, Lead: 3}),
		"3 VP ahead of your opponent": letter(2, notice.Hint{Orders: hint.Orders, Lead: 3}),
	} {
		if !strings.Contains(strings.ToLower(flat(l.Text)), strings.ToLower(want)) {
			t.Errorf("text lacks %q", want)
		}
	}
	if l := letter(3, whole); strings.Contains(flat(l.Text), "depends on what you roll") {
		t.Error("a whole turn is said to go on")
	}
}

// A plan has bars before its lines, with the result of each of its parts.
func TestPlanLetters(t *testing.T) {
	g := playGame(t, 3, 1<<20, nil)
	blocks := []notice.PlannedBlock{
		{Guards: []string{"if tile t12", "unless last round"}, Orders: []string{"card 013 at row 2: 2.1"}, Status: notice.BlockGuard, Guard: "if tile t12"},
		{Orders: []string{"pass"}, Status: notice.BlockLine, Lines: []notice.LineResult{
			{N: 1, Text: "pass", Status: notice.LineRefused, Problem: &notice.Problem{Code: notice.ProblemIllegal, Rule: "R4.1", Read: "card 013 at row 2", Args: map[string]string{"reason": "slot-taken"}}}}},
		{Orders: []string{"B <b>"}, Status: notice.BlockFits, Random: "B", Lines: []notice.LineResult{{N: 1, Text: "B", As: []string{"B"}, Status: notice.LineApplied}}},
	}
	lines := "  | plan\n  | if tile t12\n  | unless last round\n  | card 013 at row 2: 2.1\n  | else\n  | pass\n  | else\n  | B <b>\n"
	would := []string{"As the game stands now", "Part 1 would be skipped: `if tile t12` does not hold.", "Part 2 would be skipped:", "“pass”: not done", "Part 3 would be possible; from `B` on, dice or cards decide."}
	was := []string{"We skipped part 1: `if tile t12` did not hold.", "We skipped part 2:", "“pass”: not done", "Part 3:", "“B”: done"}
	for state, c := range map[string]struct{ want, lack []string }{
		notice.PlanKept:    {append(would, lines, "This is your plan for your next turn.", "No one else sees it."), []string{"We skipped"}},
		notice.PlanTried:   {append(would, lines, "We have not kept it"), []string{"No one else sees it."}},
		notice.PlanAsked:   {append(would, lines, "Your plan for your next turn:"), nil},
		notice.PlanPlayed:  {append(was, "we played your plan."), []string{"| plan", "would"}},
		notice.PlanPart:    {append(was, "until dice or cards decided"), []string{"| plan"}},
		notice.PlanFailed:  {append(was, "none of your plan was possible"), []string{"| plan"}},
		notice.PlanNone:    {[]string{"You have no plan for your next turn."}, nil},
		notice.PlanDropped: {[]string{"You no longer have a plan."}, nil},
		notice.PlanVoid:    {[]string{"We have dropped your plan"}, nil},
	} {
		s := sheetOf(g, 1, notice.KindAnswer, g.Steps())
		p := &notice.Planned{State: state, Blocks: blocks}
		if len(c.want) == 1 {
			p.Blocks = nil
		}
		s.Message.Answer.Sections = []notice.Section{{Kind: "plan", Plan: p}}
		l := render(t, s, site)
		check(t, s, l)
		for _, want := range append(c.want, "YOUR PLAN") {
			if !strings.Contains(l.Text, want) && !strings.Contains(flat(l.Text), want) {
				t.Errorf("%s: text lacks %q:\n%s", state, want, l.Text)
			}
		}
		for _, bad := range c.lack {
			if strings.Contains(l.Text, bad) {
				t.Errorf("%s: text has %q", state, bad)
			}
		}
		if strings.Contains(l.HTML, "B <b>") {
			t.Errorf("%s: a line comes out as it went in", state)
		}
	}
}

// Text from players never breaks out of its place.
func TestHostileNames(t *testing.T) {
	evil := "<script>alert(1)</script>\r\nBcc: victim@example.org\u202e\"'&| end"
	g := playGame(t, 4, 60, nil)
	for seat := engine.Seat(1); seat <= 4; seat++ {
		for _, kind := range []notice.Kind{notice.KindTurn, notice.KindAnswer, notice.KindStart, notice.KindInfo, notice.KindEnd, notice.KindInvitation} {
			s := sheetOf(g, seat, kind, -1)
			a := &s.Message.Answer
			a.GameName, a.Names, a.Subject = evil, []string{evil, evil, evil, evil}, evil
			a.Lines = []notice.LineResult{{N: 1, Text: evil, As: []string{evil}, Status: notice.Status(evil), Problem: &notice.Problem{Code: evil, Rule: evil, Read: evil, Args: map[string]string{"word": evil}, Candidates: []string{evil}, Suggestions: []string{evil}}}}
			a.Remarks = []notice.Remark{{Code: notice.TellJoined, Args: map[string]string{"name": evil}}, {Code: evil}}
			a.Press = []incoming.Press{{From: evil, To: evil, Text: evil}}
			a.Sections = []notice.Section{{Kind: "rules", Topic: evil}, {Kind: "help", Topic: evil}, {Kind: "status", Games: []notice.GameState{{Game: evil, Name: evil, State: evil, ToAct: []string{evil}, Legal: []string{evil}}}}}
			a.Invite = &notice.Invite{Organiser: evil, Names: []string{evil}, Rules: evil, Edition: evil, Set: evil, Visibility: evil, Commitment: evil, Expires: evil}
			a.Collected = []notice.Answer{{Subject: evil, Lines: a.Lines}}
			s.Message.Game, s.Message.PageKey = evil, evil
			l := render(t, s, site)
			if strings.ContainsAny(l.Subject, "\r\n") {
				t.Errorf("%s: subject %q", kind, l.Subject)
			}
			if strings.Contains(l.HTML, "<script") || strings.Contains(l.HTML, "\u202e") || strings.Contains(l.Text, "\u202e") {
				t.Errorf("%s: markup came through", kind)
			}
			for _, line := range strings.Split(l.Text, "\n") {
				if strings.HasPrefix(line, "Bcc") {
					t.Errorf("%s: a line of the player's own: %q", kind, line)
				}
			}
			if got := fenced(l.Text, "legal"); kind != notice.KindEnd && len(s.Legal) > 0 && len(got) != len(s.Legal) {
				t.Errorf("%s: %d legal orders listed of %d", kind, len(got), len(s.Legal))
			}
		}
	}
}

func TestSameSheetSameLetter(t *testing.T) {
	g := playGame(t, 3, 80, nil)
	s := sheetOf(g, g.View(0).ToAct[0], notice.KindTurn, -1)
	if a, b := render(t, s, site), render(t, s, site); a.Text != b.Text || a.HTML != b.HTML || a.Subject != b.Subject {
		t.Error("the same sheet gave two letters")
	}
}

func TestWrap(t *testing.T) {
	long := strings.Repeat("x", 100)
	for in, want := range map[string]string{
		"":                           "",
		"  a  b ":                    "a b",
		long + " b":                  long + "\n  b",
		strings.Repeat("abcde ", 13): strings.TrimSpace(strings.Repeat("abcde ", 12)) + "\n  abcde",
	} {
		if got := wrap(in, 2); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func BenchmarkLetter(b *testing.B) {
	g := playGame(b, 4, 120, nil)
	s := sheetOf(g, g.View(0).ToAct[0], notice.KindTurn, g.Steps()-30)
	l := render(b, s, site)
	b.ReportMetric(float64(len(l.HTML)), "HTML-bytes")
	for b.Loop() {
		render(b, s, site)
	}
}

// A fault that several lines have is reported once, at the first, or by a remark alone.
func TestOneFaultOnce(t *testing.T) {
	over := func(n int) notice.LineResult {
		return notice.LineResult{N: n, Text: "B", Status: notice.LineRefused, Problem: &notice.Problem{Code: notice.ProblemRolled}}
	}
	a := notice.Answer{Lines: []notice.LineResult{over(1), over(2), over(3)}}
	s := &notice.Input{Message: notice.Message{Kind: notice.KindAnswer, Result: notice.Refused, Answer: a}}
	if text := render(t, s, site).Text; strings.Count(text, "gone back") != 1 {
		t.Errorf("%s", text)
	}
	s.Message.Answer.Remarks = []notice.Remark{{Code: notice.SayRolled, Args: map[string]string{"n": "12"}}}
	if text := flat(render(t, s, site).Text); strings.Count(text, "gone back") != 1 || !strings.Contains(text, "back to line 12 of its history") {
		t.Errorf("%s", text)
	}
}
