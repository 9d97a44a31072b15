package web

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// finished is a shelf with one game, which is over.
func finished(t testing.TB, players int) (*shelf, *game.Game) {
	g := playGreedy(t, players)
	return &shelf{games: map[string]*shelved{"over": {game: g, names: names[:players], name: "Last light", visibility: store.Listed}}}, g
}

// wayOf is where a link of the walk leads; "" nowhere.
func wayOf(d *goquery.Document, way string) string {
	href, _ := d.Find(`.steps a[data-way="` + way + `"]`).Attr("href")
	return href
}

// Links lead through a whole game by steps, turns and rounds, there and back, and each page has
// exactly the events between the last one and itself.
func TestWalk(t *testing.T) {
	s, g := finished(t, 2)
	h := handler(s)
	course := game.Course(g.Story(0, -1), 2)
	for _, by := range []string{"round", "turn", "step"} {
		var stops, back []string
		for at := "?at=0"; at != ""; {
			stops = append(stops, at)
			if by == "step" && len(stops) == 40 {
				break
			}
			d := page(t, h, "/g/over"+at)
			if n := d.Find(".at").Text(); !strings.HasPrefix(n, "Step "+strings.TrimPrefix(strings.Split(at, "&")[0], "?at=")+" of ") {
				t.Fatalf("%s says %q", at, n)
			}
			at = wayOf(d, by+"-on")
		}
		for at := stops[len(stops)-1]; at != ""; {
			back = append(back, at)
			at = wayOf(page(t, h, "/g/over"+at), by+"-back")
		}
		slices.Reverse(back)
		if !slices.Equal(stops, back) {
			t.Errorf("by %s: there %q, back %q", by, stops, back)
		}
		last := fmt.Sprintf("?at=%d", g.Steps())
		if by != "step" && !strings.HasPrefix(stops[len(stops)-1], last) {
			t.Errorf("by %s it ends at %s, not at %s", by, stops[len(stops)-1], last)
		}
		if want := len(course); by == "turn" && len(stops) != want {
			t.Errorf("%d stops at %d ends of turns", len(stops), want)
		}
		if want := course[len(course)-1].Round + 1; by == "round" && len(stops) != want {
			t.Errorf("%d stops in %d rounds", len(stops), want-1)
		}
	}
	for _, m := range course[1:6] {
		d := page(t, h, fmt.Sprintf("/g/over?at=%d&since=%d", m.N, m.N-3))
		var told []string
		d.Find(".tale li a").Each(func(_ int, a *goquery.Selection) { told = append(told, a.Text()) })
		if want := []string{strconv.Itoa(m.N - 2), strconv.Itoa(m.N - 1), strconv.Itoa(m.N)}; !slices.Equal(told, want) {
			t.Errorf("since %d up to %d it tells %q", m.N-3, m.N, told)
		}
		if d.Find(".ch").Length() == 0 {
			t.Errorf("nothing is marked after step %d", m.N)
		}
	}
	for _, bad := range []string{"?at=3&since=4", "?since=x", "?since=-1", "?at=3&since=1&since=2"} {
		if res, _ := get(t, h, "GET", "/g/over"+bad); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", bad, res.Status)
		}
	}
}

// What a player sees first begins after their last turn; the public's present
// begins a round ago.
func TestPresentBeginsAfterTheLastTurn(t *testing.T) {
	s := newShelf(t, 3, 120)
	g := s.games["unlisted"].game
	h := handler(s)
	course := game.Course(g.Story(0, -1), 3)
	for viewer := engine.Seat(0); viewer <= 3; viewer++ {
		path, since, turns := "/g/unlisted", 0, 0
		if viewer > 0 {
			path += "/" + keyOf(viewer)
		}
		for _, m := range course {
			if m.Seat != 0 {
				turns++
			}
		}
		seen := 0
		for _, m := range course {
			if m.Seat == 0 {
				continue
			}
			seen++
			if viewer > 0 && m.Seat == viewer && m.N < g.Steps() || viewer == 0 && seen <= turns-3 {
				since = m.N
			}
		}
		if since == 0 {
			t.Fatalf("seat %d has had no turn", viewer)
		}
		d := page(t, h, path)
		if got := d.Find(".tale li a").First().Text(); got != strconv.Itoa(since+1) {
			t.Errorf("viewer %d: the tale begins at step %s, not %d", viewer, got, since+1)
		}
		if d.Find("svg .n").Length() == 0 {
			t.Errorf("viewer %d: nothing is marked", viewer)
		}
		if v := d.Find("input[type=range]"); v.AttrOr("max", "") != strconv.Itoa(g.Steps()) || v.AttrOr("name", "") != "at" || v.Closest("form").AttrOr("method", "") != "get" {
			t.Error("the slider asks for no step")
		}
	}
}

// The history of a finished game tells every line and every VP by source, has
// its seed checked, and gives the record.
func TestHistoryPage(t *testing.T) {
	s, g := finished(t, 4)
	h := handler(s)
	d := page(t, h, "/g/over/history")
	if n := d.Find(".history details:not(#round-0) li a").Length(); n != g.Steps() {
		t.Errorf("%d lines have links, of %d", n, g.Steps())
	}
	if n := d.Find(".history li[id]").Length(); n != g.Steps() || d.Find("#line-1").Length() != 1 {
		t.Errorf("%d lines have anchors, of %d", n, g.Steps())
	}
	v := g.View(0)
	tables := d.Find("#course table")
	if tables.Length() != 4 {
		t.Fatalf("%d tables", tables.Length())
	}
	tables.Each(func(i int, table *goquery.Selection) {
		var heads, last []string
		table.Find("thead th").Each(func(_ int, c *goquery.Selection) { heads = append(heads, c.Text()) })
		table.Find("tbody tr").Last().Find("th, td").Each(func(_ int, c *goquery.Selection) { last = append(last, c.Text()) })
		sum := 0
		for _, n := range last[2:] {
			k, err := strconv.Atoi(strings.Replace(n, "−", "-", 1))
			if err != nil || strings.Contains(n, "-") {
				t.Fatalf("%q: %v", n, err)
			}
			sum += k
		}
		if last[1] != strconv.Itoa(v.Players[i].Final) || sum != v.Players[i].Final || len(heads) != len(last) {
			t.Errorf("seat %d ends with %q under %q, not with %d", i+1, last, heads, v.Players[i].Final)
		}
		if rows := table.Find("tbody tr").Length(); rows != v.Round+1 {
			t.Errorf("%d rows for %d rounds", rows, v.Round)
		}
	})
	if d.Find("svg.chart path.line").Length() != 4 || d.Find("svg.chart").AttrOr("aria-label", "") == "" {
		t.Error("the plot lacks a player or a name")
	}
	if text := d.Find(".check").Text(); !strings.Contains(text, "✗") { // the shelf's seed is none of its commitment
		t.Errorf("a seed that does not fit passes: %q", text)
	}
	res, body := get(t, h, "GET", "/g/over/"+d.Find("a[download]").AttrOr("href", ""))
	rec, err := game.ReadRecord(strings.NewReader(body))
	if err != nil || len(rec.Log) != g.Steps() || !strings.Contains(res.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("the record: %v, %v", err, res.Header)
	}
	var data historyJSON
	_, body = get(t, h, "GET", "/g/over/history.json")
	if err := json.Unmarshal([]byte(body), &data); err != nil || len(data.Lines) != g.Steps()+1 || len(data.Course) != len(game.Course(g.Story(0, -1), 4)) {
		t.Fatalf("%d lines and %d milestones in JSON: %v", len(data.Lines), len(data.Course), err)
	}
	for i, q := range v.Players {
		if by := data.Course[len(data.Course)-1].By[i]; by["reward"] != q.By[engine.ByReward] || by["advanced"] != q.By[engine.ByAdvanced] {
			t.Errorf("seat %d: %v in JSON", i+1, by)
		}
	}
	for i, l := range data.Lines {
		if l.N != i || l.Text == "" || i > 0 && l.Order != g.Log()[i-1].Order {
			t.Fatalf("line %d in JSON: %+v", i, l)
		}
	}
}

// TestHistoryByRounds: the rounds of a history are folded, each under its own anchor and with
// how many lines it has; orders are hidden until the reader opens them; charts name their
// areas.
func TestHistoryByRounds(t *testing.T) {
	s, g := finished(t, 4)
	d := page(t, handler(s), "/g/over/history")
	rounds := d.Find(".history details.round")
	if n := g.View(0).Round + 1; rounds.Length() != n || d.Find(".history details[open]").Length() != 0 {
		t.Errorf("%d rounds, want %d", rounds.Length(), n)
	}
	lines := 0
	rounds.Each(func(i int, e *goquery.Selection) {
		if id, _ := e.Attr("id"); id != "round-"+strconv.Itoa(i) {
			t.Errorf("round %d is %s", i, id)
		}
		n := e.Find("li").Length()
		if said := e.Find("summary .q").Text(); !strings.HasPrefix(said, strconv.Itoa(n)+" line") {
			t.Errorf("round %d: %q, and has %d lines", i, said, n)
		}
		lines += n
	})
	if lines < g.Steps() || d.Find(".history input[type=checkbox].codes").Length() != 1 {
		t.Errorf("%d lines", lines)
	}
	chart := d.Find("svg.chart").Text()
	if !strings.Contains(chart, "Missions placed") || strings.Contains(chart, "1: ") {
		t.Errorf("the chart says %s", chart)
	}
	if n := d.Find("#course-1, #course-2, #course-3, #course-4").Length(); n != 4 {
		t.Errorf("%d tables have addresses", n)
	}
}

// TestTurningPoints: what is marked as a turning point is where the lead changed between
// the ends of rounds, and the turn that brought most, each with a link to its position.
func TestTurningPoints(t *testing.T) {
	s, g := finished(t, 4)
	d := page(t, handler(s), "/g/over/history")
	course := game.Course(g.Story(0, -1), 4)
	leader := func(m game.Milestone) (seat int) {
		most := -1
		for i := range m.By {
			switch vp := m.VP(engine.Seat(i + 1)); {
			case vp > most:
				most, seat = vp, i+1
			case vp == most:
				seat = 0
			}
		}
		return seat
	}
	var want []string // in any order
	led, gain, by := 0, 0, 0
	inPlay := func(m game.Milestone, s engine.Seat) int {
		return m.VP(s) - m.By[s-1][engine.ByAdvanced] - m.By[s-1][engine.ByGoods]
	}
	for i, m := range course {
		if i > 0 && m.Seat > 0 {
			if n := inPlay(m, m.Seat) - inPlay(course[i-1], m.Seat); n > gain {
				gain, by = n, int(m.Seat)
			}
		}
		if i+1 < len(course) && course[i+1].Round == m.Round || m.Round == 0 {
			continue
		}
		if now := leader(m); now != 0 {
			if led != 0 && led != now {
				want = append(want, names[now-1]+" took the lead")
			}
			led = now
		}
	}
	if want = append(want, names[by-1]+" gained "+strconv.Itoa(gain)+" VP in one turn"); gain < 4 {
		t.Fatalf("the best turn brings %d VP: take another game", gain)
	}
	var got []string
	d.Find(".turnings li").Each(func(_ int, e *goquery.Selection) {
		got = append(got, e.Find("a").Text())
		if href, _ := e.Find("a").Attr("href"); !strings.HasPrefix(href, "../over?at=") {
			t.Errorf("%s leads to %s", e.Text(), href)
		}
	})
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("turning points %q, want %q", got, want)
	}
	if n := d.Find(".history summary .tag").Length(); n != len(want) {
		t.Errorf("%d are marked in the history, of %d", n, len(want))
	}
}

// Rulings about a game are on its page and in its history.
func TestRulings(t *testing.T) {
	s := newShelf(t, 4, 120)
	h := handler(s)
	for _, path := range []string{"/g/listed", "/g/listed/history"} {
		if _, body := get(t, h, "GET", path); strings.Contains(body, "rulings") {
			t.Errorf("%s has rulings", path)
		}
	}
	s.games["listed"].rulings = []notice.Ruling{
		{N: 1, At: shelfTime, Who: "Dora", Kind: order.RuleRollback, Reason: "a <b>misread</b> letter", Step: 9, By: 4711, RulingArgs: notice.RulingArgs{To: 3}},
		{N: 2, At: shelfTime, Kind: order.RuleAdjudicate, Reason: "all agree", Step: 9, RulingArgs: notice.RulingArgs{Scores: []int{10, 20, 30, 40}}},
	}
	date := shelfTime.UTC().Format("2 Jan 2006")
	want := []string{date + ", by Dora: the game was taken back to the position after line 3. Reason: a <b>misread</b> letter.",
		date + ", by the host of this server: the game was ended with this result:"}
	for _, path := range []string{"/g/listed", "/g/listed/history"} {
		d := page(t, h, path)
		items := d.Find("#rulings li")
		if items.Length() != 2 || items.Eq(0).Text() != want[0] || !strings.HasPrefix(items.Eq(1).Text(), want[1]) {
			t.Errorf("%s says %q", path, items.Text())
		}
	}
	if d := page(t, h, "/g/listed?at=2"); d.Find("#rulings").Length() != 0 {
		t.Error("rulings stand beside an earlier position")
	}
	_, body := get(t, h, "GET", "/g/listed/history.json")
	var data historyJSON
	if err := json.Unmarshal([]byte(body), &data); err != nil || len(data.Rulings) != 2 || data.Rulings[0].Text != want[0] || data.Rulings[0].To != 3 || strings.Contains(body, "4711") {
		t.Errorf("%+v, %v", data.Rulings, err)
	}
	res, body := get(t, h, "GET", "/g/listed/feed.atom")
	var f atomFeed
	if err := xml.Unmarshal([]byte(body), &f); err != nil || len(f.Entry) != 3 || f.Entry[2].Content.Text != want[0] || f.Entry[2].Content.Type != "text" ||
		!strings.HasPrefix(f.Entry[1].Content.Text, want[1]) || !strings.HasSuffix(f.Entry[1].Link.Href, "/g/listed#rulings") || strings.Contains(body, "4711") {
		t.Errorf("feed: %+v, %v", f.Entry, err)
	}
	s.games["listed"].rulings = append(s.games["listed"].rulings, notice.Ruling{N: 3, At: shelfTime.Add(time.Hour), Who: "Dora", Kind: order.RulePause, Reason: "ask dora@home.test why"})
	again, body := get(t, h, "GET", "/g/listed/feed.atom")
	if again.Header.Get("ETag") == res.Header.Get("ETag") || again.Header.Get("ETag") == "" || !strings.Contains(body, "<updated>"+shelfTime.Add(time.Hour).UTC().Format(time.RFC3339)) {
		t.Errorf("one ruling more: ETag %q, before %q", again.Header.Get("ETag"), res.Header.Get("ETag"))
	}
	for _, path := range []string{"/g/listed", "/g/listed/history", "/g/listed/history.json", "/g/listed/feed.atom"} {
		if _, body := get(t, h, "GET", path); strings.Contains(body, "dora@") || !strings.Contains(body, "ask … why") {
			t.Errorf("%s shows an address, or no reason", path)
		}
	}
	// An appeal and its answer stand with the ruling.
	s.games["listed"].rulings = append(s.games["listed"].rulings,
		notice.Ruling{N: 4, At: shelfTime, Who: "Ada Lovelace", Kind: order.RuleAppeal, Reason: "no one asked me", RulingArgs: notice.RulingArgs{Of: 3}},
		notice.Ruling{N: 5, At: shelfTime, Who: "Al", Kind: order.RuleUphold, Reason: "they did", RulingArgs: notice.RulingArgs{Of: 3}})
	both := []string{date + ", by Ada Lovelace: an appeal against the ruling \"pause\" of " + date + ". Reason: no one asked me.", date + ", by Al: the ruling \"pause\" of " + date + " was confirmed. Reason: they did."}
	for _, path := range []string{"/g/listed", "/g/listed/history"} {
		items := page(t, h, path).Find("#rulings li")
		if items.Length() != 5 || items.Eq(3).Text() != both[0] || items.Eq(4).Text() != both[1] {
			t.Errorf("%s says %q", path, items.Text())
		}
	}
	_, body = get(t, h, "GET", "/g/listed/history.json")
	data = historyJSON{}
	if err := json.Unmarshal([]byte(body), &data); err != nil || len(data.Rulings) != 5 || data.Rulings[3].Text != both[0] || data.Rulings[4].Text != both[1] {
		t.Errorf("%+v, %v", data.Rulings, err)
	}
	s.games["listed"].rulings = s.games["listed"].rulings[:3]
	s.games["private"].rulings = s.games["listed"].rulings
	if _, body := get(t, h, "GET", "/g/private/"+keyOf(1)+"/feed.atom"); strings.Contains(body, keyOf(1)) || strings.Contains(body, "/g/private") || strings.Count(body, "<entry>") != 4 {
		t.Errorf("feed of a private game: %s", body)
	}
}

// A running game's record is redacted for its reader.
func TestRecordIsCut(t *testing.T) {
	s := newShelf(t, 2, 60)
	h := handler(s)
	for path, viewer := range map[string]int{"/g/unlisted/record.json": 0, "/g/unlisted/" + keyOf(2) + "/record.json": 2} {
		_, body := get(t, h, "GET", path)
		var rec game.Record
		if err := json.Unmarshal([]byte(body), &rec); err != nil || rec.Viewer != viewer || rec.Seed != "" || len(rec.Log) != 60 {
			t.Errorf("%s: viewer %d, %d lines, %v", path, rec.Viewer, len(rec.Log), err)
		}
	}
	for _, path := range []string{"/g/private/record.json", "/g/waiting/record.json", "/g/waiting/history", "/g/private/history", "/g/unlisted/wrong/record.json", "/g/unlisted/history?at=1"} {
		if res, _ := get(t, h, "GET", path); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, res.Status)
		}
	}
}
