package web

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/turns"
	"angelpost/engine/order"
	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/words"
)

// visit opens the address that a link on a page leads to.
func visit(t testing.TB, h http.Handler, from, href string) (string, *goquery.Document) {
	t.Helper()
	base, err := url.Parse("http://x" + from)
	if err != nil {
		t.Fatal(err)
	}
	to, err := base.Parse(href)
	if err != nil || to.Host != "x" {
		t.Fatalf("%q leads to %v: %v", href, to, err)
	}
	return to.EscapedPath(), page(t, h, to.RequestURI())
}

// choicesOf are the orders that a page offers, as they are or by their beginnings, and
// the address to which each leads.
func choicesOf(t testing.TB, h http.Handler, at string, d *goquery.Document) (orders, paths []string) {
	t.Helper()
	d.Find(".choices li:not(.hexes)").Each(func(_ int, li *goquery.Selection) {
		href, _ := li.Find("a").Attr("href")
		text := strings.TrimSpace(li.Find("a").Text())
		if label, hex := li.Find("a").Attr("aria-label"); hex { // one of a row, drawn as a hex alone
			if !strings.Contains(label, " "+text) {
				t.Errorf("%s: the choice %q is called %q", at, text, label)
			}
			text = label
		}
		if len(text) < 4 {
			t.Errorf("%s: a choice is called %q", at, text)
		}
		if !strings.HasSuffix(href, "~/#told") {
			base, _ := url.Parse("http://x" + at)
			to, err := base.Parse(href)
			if err != nil {
				t.Fatal(err)
			}
			orders, paths = append(orders, li.Find("code").Text()+li.Find("a").AttrOr("title", "")), append(paths, to.EscapedPath())
			return
		}
		to, next := visit(t, h, at, href)
		if next.Find("[role=alert]").Length() > 0 {
			t.Fatalf("%s begins nothing", to)
		}
		more, deeper := choicesOf(t, h, to, next)
		for i, o := range more {
			if !slices.Contains(orders, o) { // tiles may be named in any order
				orders, paths = append(orders, o), append(paths, deeper[i])
			}
		}
	})
	return orders, paths
}

// mailed is what a mailto: link writes (RFC 6068).
func mailed(t testing.TB, link string) (to, subject string, lines []string) {
	t.Helper()
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "mailto" || strings.Contains(u.RawQuery, "+") || strings.Contains(link, " ") {
		t.Fatalf("%q: %v", link, err)
	}
	if to, err = url.PathUnescape(u.Opaque); err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	return to, q.Get("subject"), strings.Split(strings.TrimSuffix(q.Get("body"), "\r\n"), "\r\n")
}

// planData are the data of a plan's page.
func planData(t testing.TB, h http.Handler, at string, d *goquery.Document) (data planJSON) {
	t.Helper()
	file, _ := d.Find(".links a").Last().Attr("href")
	res, body := get(t, h, "GET", at+file)
	if err := json.Unmarshal([]byte(body), &data); res.StatusCode != http.StatusOK || err != nil || data.Schema != game.Schema {
		t.Fatalf("%s%s: %s, %v: %s", at, file, res.Status, err, body)
	}
	return data
}

func ordersOf(options []optionJSON) (out []string) {
	for _, o := range options {
		out = append(out, o.Order)
	}
	return out
}

// A player who follows the links finds the rules' own list at every step, comes back
// by "back", and has at the end the letter that says what they chose.
func TestPlanPages(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	chance, largest := 0, 0
	for n := range 9 {
		s := newShelf(t, 2+n%3, 14*n)
		if n%2 == 0 { // else someone has another name since the letter: it has seats
			s.games["unlisted"].letter = s.games["unlisted"].names
		}
		h := handler(s)
		seat, g := toMove(s), s.games["unlisted"].game
		home := "/g/unlisted/" + keyOf(seat)
		href, _ := page(t, h, home).Find(`.desk a[href$="/plan/"]`).Attr("href")
		at, d := visit(t, h, home, href)
		if at != home+"/plan/" {
			t.Fatalf("the plan is at %q", at)
		}
		var lines []string
		for {
			if d.Find("script:not([src]), script:not(:empty), form:not(.adding), [style], input:not([name=add])").Length() > 0 {
				t.Fatalf("%s has what a page needs not", at)
			}
			if d.Find("main > #told").Length() != 1 || d.Find("#told").Text() == "" && at != home+"/plan/" {
				t.Fatalf("%s does not say what was chosen", at)
			}
			for _, a := range d.Find(".choices a, [data-touch], .tried a, .onward a").EachIter() {
				if href, _ := a.Attr("href"); !strings.HasSuffix(href, "/#told") && !strings.Contains(href, keyOf(seat)) {
					t.Fatalf("%s: %s does not lead to the news", at, href)
				}
			}
			html, _ := d.Html()
			largest = max(largest, len(html))
			plan, err := turns.PlanIn(g, seat, lines)
			if err != nil {
				t.Fatal(err)
			}
			orders, hrefs := choicesOf(t, h, at, d)
			var want []string
			for _, o := range plan.Options {
				want = append(want, o.Order)
			}
			if spelled := spelled(s.games["unlisted"].names, want); !sameStrings(orders, spelled) {
				t.Fatalf("%s offers %q, legal is %q", at, orders, spelled)
			}
			data := planData(t, h, at, d)
			if data.Complete != plan.Complete || data.Last != plan.Last || len(data.Steps) != len(plan.Steps) || len(data.May) != len(plan.May) ||
				!slices.Equal(ordersOf(data.Options), want) || data.Position.Viewer != int(seat) || !slices.Equal(data.Letter, plan.Text()) || data.Position.View == nil {
				t.Errorf("%s has other data: %+v", at, data)
			}
			if text := spelled(s.games["unlisted"].letter, plan.Text()); len(text) > 0 {
				link, _ := d.Find(`a[href^="mailto:"]`).Attr("href")
				to, subject, body := mailed(t, link)
				if to != "angel+tokentoken@play.example" || subject != "Re: Friday" || !slices.Equal(body, text) {
					t.Errorf("%s: to %q about %q: %q", at, to, subject, body)
				}
				if got := d.Find("textarea").Text(); got != strings.Join(text, "\n") {
					t.Errorf("%s: the letter reads %q", at, got)
				}
			}
			if len(orders) == 0 {
				if plan.Last != "" {
					chance++
				}
				break
			}
			i := rnd.IntN(len(hrefs))
			next, page := visit(t, h, at, hrefs[i])
			// Back, and back to the beginning.
			if back, _ := visit(t, h, next, "../"); !strings.HasPrefix(next, back) || back == next {
				t.Fatalf("back from %s is %s", next, back)
			}
			over, _ := page.Find(`.onward a`).Eq(1).Attr("href")
			if begin, _ := visit(t, h, next, over); begin != home+"/plan/" {
				t.Fatalf("the beginning of %s is %s", next, begin)
			}
			at, d = next, page
			lines = nil
			for _, l := range strings.Split(strings.Trim(strings.TrimPrefix(at, home+"/plan/"), "/"), "/") {
				lines = append(lines, strings.ReplaceAll(l, "_", " "))
			}
		}
		// Each step leads back to the board as it was then.
		steps := func(d *goquery.Document) []string {
			return d.Find(".tried li > code").Map(func(_ int, c *goquery.Selection) string { return c.Text() })
		}
		d.Find(".tried li a").Each(func(i int, a *goquery.Selection) {
			href, _ := a.Attr("href")
			to, then := visit(t, h, at, href)
			if got := steps(then); len(got) <= i || !slices.Equal(got, steps(d)[:len(got)]) { // what is forced follows
				t.Errorf("%s, step %d: %s has %q", at, i+1, to, got)
			}
		})
	}
	t.Logf("%d plans ended by chance; the largest page has %d bytes", chance, largest)
	if chance < 5 || largest > 150<<10 {
		t.Error("too little is tried, or too much is shown")
	}
}

// spelled are orders as the players with these names read them.
func spelled(names, lines []string) (out []string) {
	for _, l := range lines {
		out = append(out, order.Context{Names: names}.Spell(l))
	}
	return out
}

func sameStrings(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// A player who has to wait can plan the turn to come, and their letter says that it is
// a plan; their plan appears on their page and on no other.
func TestPlanAhead(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 5))
	guards := 0
	for n := range 9 {
		s := newShelf(t, 2+n%3, 14*n)
		h := handler(s)
		v := s.games["unlisted"].game.View(0)
		seat := v.Seat%engine.Seat(2+n%3) + 1
		if slices.Contains(v.ToAct, seat) || v.Seat == 0 {
			continue
		}
		home := "/g/unlisted/" + keyOf(seat)
		href, _ := page(t, h, home).Find(`a[href$="/plan/"]`).Attr("href")
		at, d := visit(t, h, home, href)
		for {
			orders, hrefs := choicesOf(t, h, at, d)
			if len(orders) == 0 {
				break
			}
			at, d = visit(t, h, at, hrefs[rnd.IntN(len(hrefs))])
		}
		link, _ := d.Find(`a[href^="mailto:"]`).Attr("href")
		if link == "" {
			continue // too long for one
		}
		_, _, body := mailed(t, link)
		l := order.ReadLetter(body)
		if len(l.Items) != 1 || l.Items[0].Word.Ahead == nil || l.Items[0].Word.Ahead.Problem() >= 0 || len(l.Items[0].Word.Ahead.Blocks) != 1 {
			t.Fatalf("%s: %q is no plan", at, body)
		}
		for _, g := range l.Items[0].Word.Ahead.Blocks[0].Guards {
			if guards++; !g.Holds(s.games["unlisted"].game.View(seat)) {
				t.Errorf("%s: %s does not hold", at, g)
			}
		}
		if data := planData(t, h, at, d); !data.Ahead || !slices.Equal(data.Letter, body) {
			t.Errorf("%s has other data: %+v", at, data)
		}
		s.ahead = map[string][]string{"unlisted" + keyOf(seat): {"plan", "if <tile> t12", "B"}}
		if text := page(t, h, home).Find("pre").Text(); !strings.Contains(text, "plan\nif <tile> t12\nB") {
			t.Errorf("his plan is not on his page: %q", text)
		}
		for _, path := range []string{"/g/unlisted", "/g/unlisted/" + keyOf(v.Seat)} {
			if _, body := get(t, h, "GET", path); strings.Contains(body, "t12\nB") {
				t.Errorf("%s shows his plan", path)
			}
		}
	}
	if guards < 10 {
		t.Errorf("only %d guards", guards)
	}
}

// Players who owe a decision out of turn plan that alone, and the page says when it is
// complete.
func TestPlanOwed(t *testing.T) {
	for n := range 40 {
		s := newShelf(t, 3, 20*(n%10))
		g := s.games["unlisted"].game
		rnd := rand.New(rand.NewPCG(2, uint64(n)))
		for !g.Finished() {
			for _, seat := range g.View(0).ToAct {
				if v := g.View(seat); v.Seat != seat && v.Seat != 0 {
					owed(t, s, seat)
					return
				}
			}
			seat := g.View(0).ToAct[0]
			legal := g.View(seat).Legal(nil)
			if _, err := g.Do(seat, game.ByPlayer, legal[rnd.IntN(len(legal))]); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Fatal("nobody ever owes anything")
}

func owed(t *testing.T, s *shelf, seat engine.Seat) {
	h := handler(s)
	at, d := visit(t, h, "/", "/g/unlisted/"+keyOf(seat)+"/plan/")
	var chosen []string
	for {
		orders, hrefs := choicesOf(t, h, at, d)
		if len(orders) == 0 {
			break
		}
		at, d = visit(t, h, at, hrefs[len(hrefs)-1])
		chosen = append(chosen, orders[len(orders)-1])
	}
	if got := d.Find(".lead").Text(); got != words.English().Say("plan.complete-owed") || d.Find("textarea").Text() != strings.Join(chosen, "\n") {
		t.Errorf("%s says %q and writes %q", at, got, d.Find("textarea").Text())
	}
}

// The dice of a reservation list are chosen one by one, and are in the letter.
func TestPlanReserves(t *testing.T) {
	s := newShelf(t, 2, 0)
	g := s.games["unlisted"].game
	for !slices.Contains(game.LegalOrders(g.View(toMove(s))), "B") {
		seat := toMove(s)
		if _, err := g.Do(seat, game.ByPlayer, g.View(seat).Legal(nil)[0]); err != nil {
			t.Fatal(err)
		}
	}
	h := handler(s)
	at, d := visit(t, h, "/", "/g/unlisted/"+keyOf(toMove(s))+"/plan/B/")
	for _, want := range []string{"reserve gray 3", "reserve gray 3, orange 2"} {
		die := strings.Fields(want)
		found := false
		d.Find(".chips a").EachWithBreak(func(_ int, a *goquery.Selection) bool {
			if found = a.Text() == strings.Join(die[len(die)-2:], " "); found {
				href, _ := a.Attr("href")
				at, d = visit(t, h, at, href)
			}
			return !found
		})
		if got := d.Find("textarea").Text(); !found || got != "B\n"+want {
			t.Fatalf("%s: the letter reads %q, want %q", at, got, want)
		}
	}
	href, _ := d.Find(`.onward a[href="../#told"]`).Last().Attr("href")
	if _, d := visit(t, h, at, href); d.Find("textarea").Text() != "B" {
		t.Errorf("emptied, the letter reads %q", d.Find("textarea").Text())
	}
	for _, a := range d.Find(".chips a").EachIter() {
		if a.Text() == "gray 3" || a.Text() == "orange 2" {
			t.Errorf("%s is offered twice", a.Text())
		}
	}
}

func TestPlanAddresses(t *testing.T) {
	s := newShelf(t, 3, 60)
	seat := toMove(s)
	other := seat%3 + 1
	over, g := finished(t, 2)
	s.games["over"] = over.games["over"]
	secret := *over.games["over"]
	secret.visibility = store.Private
	s.games["secret"] = &secret
	mine := "/g/unlisted/" + keyOf(seat)
	long := strings.Repeat("die_gray_1/", 65)
	for path, want := range map[string]int{
		mine + "/plan":          307, // to the address with a slash
		mine + "/plan/":         200,
		mine + "/plan/x":        308,
		mine + "/plan/x/":       200, // refused on the page
		mine + "/plan/%3Cb%3E/": 200,
		mine + "/plan/x%2Fy/":   200,
		mine + "/plan/resign/":  200,
		mine + "/plan/x~":       308,
		mine + "/plan/x~/":      200, // begins nothing: refused
		mine + "/plan/~/":       200,
		mine + "/plan/x~/B/":    200,
		mine + "/plan/B/x~/":    200,
		mine + "/plan/" + strings.Repeat("take_t1_", 600) + "~/": 404,
		"/what-if/over/0/1_card~/":                               200,
		mine + "/plan/" + long:                                   404,
		mine + "/plan/" + strings.Repeat("x", 5000) + "/":        404,
		"/g/unlisted/" + keyOf(other) + "/plan/":                 200, // of the turn to come
		"/g/unlisted/wrong/plan/":                                404,
		"/g/unlisted/plan":                                       404,
		"/g/none/" + keyOf(1) + "/plan/":                         404,
		"/g/waiting/" + keyOf(1) + "/plan/":                      303,
		"/g/over/" + keyOf(1) + "/plan/":                         303,
		"/what-if/over/0/":                                       200,
		"/what-if/over/0":                                        307,
		fmt.Sprintf("/what-if/over/%d/", g.Steps()):              200,
		fmt.Sprintf("/what-if/over/%d/", g.Steps()+1):            404,
		"/what-if/over/-1/":                                      404,
		"/what-if/over/x/":                                       404,
		"/what-if/over/0/x/":                                     200,
		"/what-if/over/0/" + long:                                404,
		"/what-if/unlisted/0/":                                   404,
		"/what-if/waiting/0/":                                    404,
		"/what-if/none/0/":                                       404,
		"/what-if/secret/0/":                                     404,
		"/g/secret/" + keyOf(1) + "/what-if/0/":                  200,
		"/g/secret/wrong/what-if/0/":                             404,
		mine + "/what-if/0/":                                     404,
	} {
		h := handler(s)
		res, body := get(t, h, "GET", path)
		if res.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, res.StatusCode, want)
		}
		if cache := res.Header.Get("Cache-Control"); want != 307 && !strings.Contains(cache, "no-store") && !strings.Contains(cache, "no-cache") && cache != openCache || strings.Contains(path, "-secret") && want == 200 && !strings.Contains(cache, "private") {
			t.Errorf("%s: Cache-Control %q", path, cache)
		}
		if robots := res.Header.Get("X-Robots-Tag"); !strings.Contains(robots, "noindex") {
			t.Errorf("%s: X-Robots-Tag %q", path, robots)
		}
		if strings.Contains(body, "<b>E") || strings.Contains(body, "<b>/") {
			t.Errorf("%s comes out as it went in", path)
		}
		for _, method := range []string{"POST", "PUT", "DELETE"} {
			if res, _ := get(t, h, method, path); res.StatusCode != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %s", method, path, res.Status)
			}
		}
	}
	if _, body := get(t, handler(s), "GET", "/robots.txt"); !strings.Contains(body, "Disallow: /what-if/\n") {
		t.Errorf("robots.txt: %q", body)
	}
}

// A finished game leads to "what if" from every step, for everyone and for players, and the
// choices there are played.
func TestWhatIfPages(t *testing.T) {
	s, g := finished(t, 2)
	h := handler(s)
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, home := range []string{"/g/over", "/g/over/" + keyOf(2)} {
		for range 2 {
			n := rnd.IntN(g.Steps() - 30)
			from := fmt.Sprintf("%s?at=%d", home, n)
			past := page(t, h, from)
			if want := fmt.Sprintf("You are viewing an earlier position (step %d of %d).", n, g.Steps()); past.Find(".past").Text() != want {
				t.Errorf("%s says %q", from, past.Find(".past").Text())
			}
			href, _ := past.Find(`.desk a[href*="what-if"]`).Attr("href")
			at, d := visit(t, h, from, href)
			if status := d.Find(".game .q").Text(); !strings.Contains(status, " to move. You choose for everyone.") || strings.Contains(status, "you.") {
				t.Errorf("%s says %q", at, status)
			}
			var lines []string
			for range 8 {
				w, err := turns.WhatIfIn(g, n, lines)
				if err != nil {
					t.Fatal(err)
				}
				orders, hrefs := choicesOf(t, h, at, d)
				var want []string
				for _, o := range w.Options {
					want = append(want, o.Order)
				}
				if spelled := spelled(s.games["over"].names, want); !sameStrings(orders, spelled) {
					t.Fatalf("%s offers %q, legal is %q", at, orders, spelled)
				}
				data := planData(t, h, at, d)
				if !sameStrings(ordersOf(data.Options), want) || data.Was != w.Was || len(data.Steps) != len(lines) || data.Step != n {
					t.Fatalf("%s has other data: %+v", at, data)
				}
				if was := d.Find(".choices .tag").FilterFunction(func(_ int, s *goquery.Selection) bool { return s.Text() == "as in the game" }).Length(); (w.Was != "") != (was == 1) {
					t.Errorf("%s marks %d choices as those that were made", at, was)
				}
				i := rnd.IntN(len(hrefs))
				at, d = visit(t, h, at, hrefs[i])
				base, _ := url.PathUnescape(at[strings.Index(at, "/what-if/"):])
				lines = nil
				for _, l := range strings.Split(strings.Trim(base, "/"), "/")[map[bool]int{true: 3, false: 2}[home == "/g/over"]:] {
					lines = append(lines, strings.ReplaceAll(l, "_", " "))
				}
			}
			if d.Find(".tried li").Length() != 8 {
				t.Errorf("%s has %d steps", at, d.Find(".tried li").Length())
			}
			back, _ := d.Find(".game .q a").Attr("href")
			if to, _ := visit(t, h, at, back); to != home {
				t.Errorf("%s leads back to %s", at, to)
			}
			if strings.Contains(at, "secret") != strings.Contains(home, "secret") {
				t.Errorf("%s gained or lost its key", at)
			}
		}
	}
}

// Every position of a finished game can be played on from, and says whose move it is.
func TestWhatIfFromEveryPosition(t *testing.T) {
	s, g := finished(t, 3)
	h := handler(s)
	for n := range g.Steps() + 1 {
		w, err := turns.WhatIfIn(g, n, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := page(t, h, fmt.Sprintf("/what-if/over/%d/", n))
		if w.Next == 0 {
			if n != g.Steps() || d.Find(".choices a").Length() > 0 {
				t.Errorf("step %d: nobody moves", n)
			}
			continue
		}
		name := s.games["over"].names[w.Next-1]
		if got := d.Find("#next").Text(); got != name+" to move" || !strings.Contains(d.Find(".game .q").Text(), name) {
			t.Errorf("step %d: it says %q, %s moves", n, got, name)
		}
		if text := d.Find(".side").Text(); strings.Contains(text, "You ") || strings.Contains(text, " you ") {
			t.Errorf("step %d: somebody is called you: %q", n, text)
		}
	}
}

// BenchmarkPlan makes the page of a plan of some steps, and of one that ends
// with a roll: the dear ones.
func BenchmarkPlan(b *testing.B) {
	s := newShelf(b, 4, 0)
	g := s.games["unlisted"].game
	for g.Steps() < 120 || !slices.Contains(game.LegalOrders(g.View(toMove(s))), "B") {
		seat := toMove(s)
		legal := g.View(seat).Legal(nil)
		if _, err := g.Do(seat, game.ByPlayer, legal[g.Steps()*7%len(legal)]); err != nil {
			b.Fatal(err)
		}
	}
	seat := toMove(s)
	lines := []string{}
	for range 6 {
		p, err := turns.PlanIn(g, seat, lines)
		if err != nil {
			b.Fatal(err)
		}
		for _, o := range p.Options {
			if !o.Draws && o.Order != "B" {
				lines = append(lines, strings.ReplaceAll(o.Order, " ", "_"))
				break
			}
		}
	}
	h := s.serve(Server{})
	for name, path := range map[string]string{"begin": "", "steps": strings.Join(lines, "/") + "/", "roll": "B/"} {
		b.Run(name, func(b *testing.B) {
			size := 0
			for b.Loop() {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest("GET", "/g/unlisted/"+keyOf(seat)+"/plan/"+path, nil))
				if size = w.Body.Len(); w.Code != 200 {
					b.Fatal(w.Code, path)
				}
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
}

// Conditions and standing orders are added by forms, are in the address and in the letter, and
// can be removed; nothing else is taken for one.
func TestPlanBesides(t *testing.T) {
	s := newShelf(t, 2, 14)
	h := handler(s)
	g := s.games["unlisted"].game
	seat := toMove(s)
	other := seat%2 + 1
	name := s.games["unlisted"].names[seat-1]
	add := func(path, line string) (to string) {
		t.Helper()
		res, _ := get(t, h, "GET", path+"?add="+url.QueryEscape(line))
		if res.StatusCode == http.StatusSeeOther {
			to, _ = strings.CutSuffix(res.Header.Get("Location"), "#besides")
			return to
		}
		return ""
	}
	ahead, now := "/g/unlisted/"+keyOf(other)+"/plan/", "/g/unlisted/"+keyOf(seat)+"/plan/"
	if slices.Contains(g.View(0).ToAct, other) {
		t.Fatal("both have something to decide")
	}
	for _, c := range []struct{ path, line, want string }{
		{ahead, "if die gray 2 from " + name, ahead + fmt.Sprintf("if_die_gray_2_from_seat_%d/", seat)},
		{ahead, "Unless  last round", ahead + "unless_last_round/"},
		{ahead + "B/", "if round at least 5", ahead + "if_round_at_least_5/B/"},
		{ahead + "if_last_round/", "if last round", ahead + "if_last_round/"},
		{now, "Never reserve.", now + "never_reserve/"},
		{now + "card~/", "always forced", now + "always_forced/card~/"},
		{now, "if last round", ""},
		{now, "B", ""},
		{now, "resign", ""},
		{now, "always", ""},
		{ahead, "if last round; resign", ""},
		{ahead, "if last round\nresign", ""},
		{ahead, "if die gray 2 from Nobody", ""},
		{ahead, "<b>", ""},
	} {
		if got := add(c.path, c.line); got != c.want {
			t.Errorf("%s and %q lead to %q, want %q", c.path, c.line, got, c.want)
		}
	}
	for range 2 { // made, and kept
		at := ahead + "never_reserve/if_last_round/B/"
		res, body := get(t, h, "GET", at)
		if csp := res.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "form-action 'self'") {
			t.Errorf("%s: the forms go nowhere: %s", at, csp)
		}
		d, err := goquery.NewDocumentFromReader(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Find("textarea").Text(); !strings.HasPrefix(got, "never reserve\nplan\nif last round\n") || !strings.HasSuffix(got, "\nB") {
			t.Errorf("%s: the letter reads %q", at, got)
		}
		l := order.ReadLetter(strings.Split(d.Find("textarea").Text(), "\n"))
		if len(l.Items) != 2 || l.Items[0].Word.Kind != order.Always || l.Items[1].Word.Ahead == nil || l.Items[1].Word.Ahead.Problem() >= 0 {
			t.Errorf("the letter is read as %+v", l.Items)
		}
		if data := planData(t, h, at, d); data.Refused != nil || data.Letter[0] != "never reserve" {
			t.Errorf("%s: data %+v", at, data)
		}
		var to []string
		for _, a := range d.Find(".given a").EachIter() {
			href, _ := a.Attr("href")
			path, _ := visit(t, h, at, href)
			to = append(to, path)
		}
		if !slices.Equal(to, []string{ahead + "never_reserve/B/", ahead + "if_last_round/B/"}) {
			t.Errorf("removing leads to %q", to)
		}
	}
	if d := page(t, h, now+"?add=%3Cb%3E"); !strings.Contains(d.Find("[role=alert]").Text(), "<b>") {
		t.Error("nothing says that the line can't be read")
	}
	if d := page(t, h, now+"never_reserve/"); d.Find("textarea").Text() != "never reserve" || d.Find(`.side a[href^="mailto:"]`).Length() != 1 {
		t.Error("a standing order cannot be sent alone")
	}
}

// A plan's letter opens in the demo's post room, and nowhere else.
func TestPlanOpensThePostRoom(t *testing.T) {
	s := newShelf(t, 2, 0)
	seat := toMove(s)
	path := "/g/unlisted/" + keyOf(seat) + "/plan/" + strings.ReplaceAll(game.LegalOrders(s.games["unlisted"].game.View(seat))[0], " ", "_") + "/"
	room := func(id string, place int, mailto string) string {
		return fmt.Sprint("/post/", id, "/", place, "?", url.QueryEscape(mailto))
	}
	with, without := page(t, s.serve(Server{PostRoom: room}), path), page(t, handler(s), path)
	mail, _ := with.Find(`.side a[href^="mailto:"]`).Attr("href")
	if got, _ := with.Find(`a[href^="/post/"]`).Attr("href"); mail == "" || got != room("unlisted", int(seat), mail) {
		t.Errorf("the post room is at %q, the letter %q", got, mail)
	}
	if without.Find(`a[href^="/post/"]`).Length() > 0 || without.Find(`.side a[href^="mailto:"]`).Length() != 1 || without.Find("textarea").Length() != 1 {
		t.Error("without a post room there is one, or no other way to send")
	}
}

// Every line that the lists of the forms can put together is a condition or a standing
// order, and what a form gives comes to the letter.
func TestPlanBesidesWithoutTyping(t *testing.T) {
	for _, players := range []int{2, 4} {
		s := newShelf(t, players, 60)
		h := handler(s)
		acting := s.games["unlisted"].game.View(0).ToAct
		seat := engine.Seat(1)
		for slices.Contains(acting, seat) {
			seat++
		}
		path := "/g/unlisted/" + keyOf(seat) + "/plan/"
		d := page(t, h, path)
		rnd := rand.New(rand.NewPCG(1, 16))
		forms, lines := 0, map[string]bool{}
		for _, form := range d.Find("form.adding").EachIter() {
			lists := form.Find("select")
			if lists.Length() == 0 {
				continue
			}
			forms++
			for _, list := range lists.EachIter() { // each of its options, with any of the others'
				if name, _ := list.Attr("aria-label"); name == "" {
					t.Error("a list has no name")
				}
				for _, option := range list.Find("option").EachIter() {
					q := url.Values{}
					for _, other := range lists.EachIter() {
						o := option
						if other.Get(0) != list.Get(0) {
							all := other.Find("option")
							o = all.Eq(rnd.IntN(all.Length()))
						}
						if strings.TrimSpace(o.Text()) == "" {
							t.Error("an option has no text")
						}
						q.Add("add", o.AttrOr("value", "none"))
					}
					if number := form.Find("input[type=number]"); number.Length() > 0 {
						q.Add("add", strconv.Itoa(rnd.IntN(30)))
					}
					line := templates.Added(q)
					if strings.Contains(line, "activate with") || strings.Contains(line, "activate leaving") || strings.HasPrefix(line, "never activate") && len(q["add"]) > 2 {
						continue // the page says that it can't be read
					}
					canonical, ok := templates.Given(line, order.Context{Names: s.games["unlisted"].names, View: s.games["unlisted"].game.View(seat)})
					if !ok {
						t.Errorf("%q is no condition and no standing order", line)
					}
					lines[canonical] = true
				}
			}
		}
		if forms != 6 || len(lines) < 150 {
			t.Errorf("%d forms put %d lines together", forms, len(lines))
		}
	}
}

// A plan for the coming turn has several tries, each with conditions of its own; one that
// the planner suggests can be left out, and put back.
func TestPlanTries(t *testing.T) {
	s := newShelf(t, 2, 14)
	h := handler(s)
	seat := toMove(s)%2 + 1
	home := "/g/unlisted/" + keyOf(seat) + "/plan/"
	letter := func(d *goquery.Document) *order.Ahead {
		t.Helper()
		l := order.ReadLetter(strings.Split(d.Find("textarea").Text(), "\n"))
		if len(l.Items) != 1 || l.Items[0].Word.Ahead == nil || l.Items[0].Word.Ahead.Problem() >= 0 {
			t.Fatalf("the letter is read as %+v", l.Items)
		}
		return l.Items[0].Word.Ahead
	}
	at, d := visit(t, h, home, "./")
	for letterless := true; letterless; { // until something is suggested
		_, hrefs := choicesOf(t, h, at, d)
		if len(hrefs) == 0 {
			t.Fatal("nothing was suggested")
		}
		at, d = visit(t, h, at, hrefs[len(hrefs)/2])
		letterless = d.Find(".given code").Length() == 0
	}
	guards := func() int { return len(letter(d).Blocks[0].Guards) }
	was := guards()
	first := d.Find(".given code").First().Text()
	out, _ := d.Find(".given a").First().Attr("href")
	at, d = visit(t, h, at, out)
	if guards() != was-1 || strings.Contains(d.Find("textarea").Text(), first) || d.Find(".given del").Text() != first {
		t.Errorf("left out, the letter reads %q", d.Find("textarea").Text())
	}
	back, _ := d.Find(".given del + a").Attr("href")
	at, d = visit(t, h, at, back)
	if guards() != was || d.Find(".given del").Length() > 0 {
		t.Errorf("put back, the letter reads %q", d.Find("textarea").Text())
	}

	one := d.Find("textarea").Text()
	other := d.Find(`.besides a.button[href$="else/#told"]`)
	href, _ := other.Attr("href")
	at, d = visit(t, h, at, href)
	if got := d.Find("textarea").Text(); got != one || d.Find(".besides pre").Length() != 1 || d.Find(`a.button[href$="else/#told"]`).Length() > 0 {
		t.Fatalf("%s: the letter reads %q, was %q", at, got, one)
	}
	res, _ := get(t, h, "GET", at+"?add=unless&add=last+round")
	at, d = visit(t, h, at, strings.TrimSuffix(res.Header.Get("Location"), "#besides"))
	_, hrefs := choicesOf(t, h, at, d)
	at, d = visit(t, h, at, hrefs[0])
	if a := letter(d); len(a.Blocks) != 2 || a.Blocks[1].Guards[0].String() != "unless last round" || !strings.HasPrefix(d.Find("textarea").Text(), one+"\nelse\nunless last round\n") {
		t.Errorf("%s: the letter reads %q", at, d.Find("textarea").Text())
	}
	if data := planData(t, h, at, d); !slices.Equal(data.Letter, strings.Split(d.Find("textarea").Text(), "\n")) {
		t.Errorf("%s: other data: %q", at, data.Letter)
	}
	if root, _ := d.Find("main").Attr("data-root"); true {
		if to, _ := visit(t, h, at, root); to != home {
			t.Errorf("the plan begins at %s", to)
		}
	}
	two := d.Find("textarea").Text()
	drop, _ := d.Find(".besides pre + p a").Attr("href")
	if _, alone := visit(t, h, at, drop); strings.Contains(alone.Find("textarea").Text(), "else") || !strings.HasSuffix(two, strings.TrimPrefix(alone.Find("textarea").Text(), "plan")) {
		t.Errorf("without the first the letter reads %q, was %q", alone.Find("textarea").Text(), two)
	}

	// A try that can no longer be is shown, and as many tries as a letter may have are
	// enough.
	to, _ := visitRedirect(t, h, home+"take_t1/else/B/")
	if to != home+"take_t1/" {
		t.Errorf("an impossible try leads to %s", to)
	}
	if res, _ := get(t, h, "GET", home+strings.Repeat("B/else/", order.MaxBlocks)); res.StatusCode != http.StatusNotFound {
		t.Errorf("%d tries: %s", order.MaxBlocks+1, res.Status)
	}
	if d := page(t, h, home+strings.Repeat("B/else/", order.MaxBlocks-1)+"B/"); d.Find(`a[href$="else/#told"]`).Length() > 0 || len(letter(d).Blocks) != order.MaxBlocks {
		t.Error("one more try than a letter may have")
	}
	// The player to move has one try.
	if d := page(t, h, "/g/unlisted/"+keyOf(toMove(s))+"/plan/B/else/B/"); d.Find("[role=alert]").Length() != 1 {
		t.Error("else is an order")
	}
}

// visitRedirect is where an address leads at once.
func visitRedirect(t testing.TB, h http.Handler, path string) (string, int) {
	t.Helper()
	res, _ := get(t, h, "GET", path)
	return res.Header.Get("Location"), res.StatusCode
}
