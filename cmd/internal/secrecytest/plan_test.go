package secrecytest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"angelpost/cmd/internal/server"
	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/look"
	"angelpost/engine/sim"
	"angelpost/templates/words"
)

// TestPlanByMail plays games in which every turn is planned on the page, link
// by link, and sent as its mailto: link says: the desk does what the page showed,
// up to the step that chance decides.
func TestPlanByMail(t *testing.T) {
	for name, o := range map[string]game.Options{
		"three":    {Players: 3, Rules: "base", Edition: "revised"},
		"advanced": {Players: 2, Rules: "advanced", Edition: "first"},
		"alone":    {Players: 1, Rules: "advanced", Edition: "revised", Hal: "standard"},
	} {
		t.Run(name, func(t *testing.T) {
			o.RulesVersion, o.Set = game.RulesVersion, component.DefaultName
			x := newServer(t, &recordedGame{set: component.Default(), head: game.Header{Options: o, Seed: sim.Seed("plan", o.Players), Names: stageNames[:o.Players]}}, &alternative{})
			x.newGame(true, x.saga.head.Names)
			x.findKeys()
			m := &mailPlanner{x, x.s.Pages(), rand.New(rand.NewPCG(8, uint64(o.Players))), map[string]int{}}
			for m.met["letters"] < 40 {
				v := m.look(0).View
				if len(v.ToAct) == 0 {
					break
				}
				x.read(0)
				m.turn(v.ToAct[m.rnd.IntN(len(v.ToAct))])
			}
			t.Log(m.met)
			if m.met["letters"] < 15 || m.met["by chance"] < 10 || m.met["steps"] < 20 || m.met["begun"] < 5 {
				t.Error("too little was played")
			}
		})
	}
}

type mailPlanner struct {
	*secrecyHarness
	pages http.Handler
	rnd   *rand.Rand
	met   map[string]int
}

func (m *mailPlanner) look(seat engine.Seat) *look.GameView {
	m.t.Helper()
	g, err := m.s.Desk.Host().Open(context.Background(), m.game, m.keys[seat], -1)
	if err != nil {
		m.t.Fatal(err)
	}
	return g
}

func (m *mailPlanner) visit(path string) *goquery.Document {
	m.t.Helper()
	w := httptest.NewRecorder()
	m.pages.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	d, err := goquery.NewDocumentFromReader(w.Body)
	if w.Code != http.StatusOK || err != nil {
		m.t.Fatalf("%s: %d, %v", path, w.Code, err)
	}
	return d
}

// turn plans for a seat and sends what came of it.
func (m *mailPlanner) turn(seat engine.Seat) {
	m.t.Helper()
	path := "/g/" + m.game + "/" + m.keys[seat] + "/plan/"
	before := m.look(seat)
	var d *goquery.Document
	for n := 0; ; n++ {
		d = m.visit(path)
		links := d.Find(".choices a, .chips a")
		begun := strings.HasSuffix(path, "~/")
		if links.Length() == 0 || n > 0 && !begun && m.rnd.IntN(12) == 0 || d.Find(".chips a").Not(".choices a").Length() > 0 && m.rnd.IntN(6) == 0 {
			if n > 0 {
				break
			}
			m.t.Fatalf("%s offers nothing", path)
		}
		link := links.Eq(m.rnd.IntN(links.Length()))
		if b := d.Find(`.choices a[href="B/#told"]`); b.Length() > 0 && m.rnd.IntN(3) == 0 {
			link = b
		}
		href, _ := link.Attr("href")
		base, err := url.Parse(path)
		if err != nil {
			m.t.Fatal(err)
		}
		if base, err = base.Parse(href); err != nil {
			m.t.Fatal(err)
		}
		if path = base.EscapedPath(); strings.HasSuffix(path, "~/") {
			m.met["begun"]++
		}
	}
	link, _ := d.Find(`a[href^="mailto:"]`).Attr("href")
	u, err := url.Parse(link)
	if err != nil {
		m.t.Fatal(err)
	}
	to, err := url.PathUnescape(u.Opaque)
	if err != nil {
		m.t.Fatal(err)
	}
	body := u.Query().Get("body")
	m.sent++
	raw := fmt.Sprintf("From: %s\r\nTo: %s\r\nSubject: %s\r\nMessage-ID: <%d@players.example>\r\nDate: %s\r\n\r\n%s",
		m.address(seat), to, u.Query().Get("subject"), m.sent, stageTime.Add(time.Duration(m.sent)*time.Second).Format(time.RFC1123Z), body)
	done := m.s.Handle(context.Background(), []server.Arrival{{Raw: []byte(raw), Received: stageTime}})
	if done[0].Err != nil || done[0].Outcome != desk.Answered {
		m.t.Fatalf("%q: %s, %v", body, done[0].Outcome, done[0].Err)
	}
	m.met["letters"]++
	m.compare(seat, before, d, body)
}

// compare holds the log that the letter has written against the page.
func (m *mailPlanner) compare(seat engine.Seat, before *look.GameView, d *goquery.Document, body string) {
	m.t.Helper()
	after := m.look(seat)
	story := after.Story(before.Latest)
	shown := d.Find(".tried > li").Map(func(_ int, s *goquery.Selection) string { return s.Find("code").Text() })
	if len(story) < len(shown) {
		m.t.Fatalf("%q: the page shows %q, the desk did %+v", body, shown, story)
	}
	v := words.English().For(after.View.Set, seat, after.Names)
	chance := d.Find(".tried > li > .tag").Length()
	for i, order := range shown {
		if v.Spell(story[i].Order) != order || story[i].Seat != int(seat) {
			m.t.Fatalf("%q: the page shows %q, the desk did %+v", body, shown, story)
		}
		news := slices.ContainsFunc(story[i].Events, engine.Event.New)
		if last := i == len(shown)-1 && chance == 1; last != news {
			m.t.Errorf("%q: %q tells something new: %v; the page says so: %v", body, order, news, last)
		} else if last {
			m.met["by chance"]++
			continue
		}
		if text := strings.TrimSpace(d.Find(".tried > li").Eq(i).Find(".told").Text()); !strings.HasPrefix(text, v.Told(&story[i])) {
			m.t.Errorf("%q: the page says %q, what happened is %q", order, text, v.Told(&story[i]))
		}
		m.met["steps"]++
	}
	for _, t := range story[len(shown):] { // what the desk did beyond it
		if chance == 0 && t.Seat == int(seat) {
			m.t.Errorf("%q: the page shows %q, the desk went on with %+v", body, shown, t)
		}
		if strings.Contains(body, "reserve") && strings.HasPrefix(t.Order, "reserve") {
			m.met["wishes"]++
		}
	}
	if steps := len(shown) - chance; steps > 0 && chance == 0 { // else the board shows some of the last step, too
		m.board(seat, before, d, steps)
	}
}

// board holds the goods that the page showed against those after the same
// steps of the real game.
func (m *mailPlanner) board(seat engine.Seat, before *look.GameView, d *goquery.Document, steps int) {
	m.t.Helper()
	at, err := m.s.Desk.Host().Open(context.Background(), m.game, m.keys[seat], before.Latest+steps)
	if err != nil {
		m.t.Fatal(err)
	}
	d2 := m.visit(fmt.Sprintf("/g/%s/%s?at=%d&since=%d", m.game, m.keys[seat], at.Step, before.Latest))
	d2.Find(".hop").Remove() // over the boards, where other things follow them
	for _, what := range []string{".board", ".scores", ".hand"} {
		a := d.Find(what).Map(func(_ int, s *goquery.Selection) string { return s.Text() })
		b := d2.Find(what).Map(func(_ int, s *goquery.Selection) string { return s.Text() })
		if !slices.Equal(a, b) {
			m.t.Errorf("%s after step %d is not as planned:\n%q\n%q", what, at.Step, a, b)
		}
	}
}
