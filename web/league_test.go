package web

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine/league"
	"angelpost/templates"
)

// leagueKinds are leagues of every kind, some way on.
func leagueKinds() []*shelvedLeague {
	return []*shelvedLeague{
		tin(),
		played("swiss", "name: Swiss Open\nkind: swiss\nleast: 8\n", 15, 9),
		played("cup", "name: The Cup\nkind: knockout\nbest of: 3\nleast: 8\n", 8, 30),
		played("final", "name: Masters\nkind: knockout\ntable: 4\ngo on: 2\nleast: 8\nvisibility: unlisted\n", 13, 3),
		played("ladder", "name: Ladder\nkind: ladder\nleast: 8\n", 12, 4),
		played("hal", "name: Hal's weeks\nkind: solo\nleast: 4\n", 7, 10),
		played("pairs", "name: Pairs\ntable: 2\ndivision: 6\nmeetings: 2\nseasons: 1\nleast: 6\n", 6, 1000),
	}
}

// pagesOfLeague are the pages of a league.
func pagesOfLeague(l *shelvedLeague) []string {
	at := templates.LeagueHref(l.look.ID)
	out := []string{at, at + "/rulings", at + "/years"}
	for _, x := range l.look.State.Seasons {
		out = append(out, templates.LeagueHref(l.look.ID, x.N))
		for _, d := range x.Divisions {
			out = append(out, templates.LeagueHref(l.look.ID, x.N, d.N))
		}
	}
	return out
}

// Every page of a league of any kind says what there is to say, with no code
// that has no words, no address of a person, and no link that leads nowhere.
func TestLeaguePages(t *testing.T) {
	s := newShelf(t, 2, 20)
	s.leagues = leagueKinds()
	h := handler(s)
	dump, bodies := os.Getenv("PAGES"), map[string]string{}
	for _, l := range s.leagues {
		for _, path := range pagesOfLeague(l) {
			res, body := get(t, h, "GET", path)
			if dump != "" {
				os.WriteFile(dump+"/"+strings.ReplaceAll(strings.Trim(path, "/"), "/", "-"), []byte(body), 0o600)
			}
			if res.StatusCode != http.StatusOK || strings.Contains(body, "example.org") || strings.Contains(body, "[") || strings.Contains(body, "{") {
				t.Errorf("%s: %s, or it names an address or a code", path, res.Status)
			}
			d, err := goquery.NewDocumentFromReader(strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			ids := map[string]bool{}
			d.Find("[id]").Each(func(_ int, e *goquery.Selection) {
				if id := e.AttrOr("id", ""); ids[id] {
					t.Errorf("%s: two elements are %q", path, id)
				} else {
					ids[id] = true
				}
			})
			d.Find("main a[href]").Each(func(_ int, a *goquery.Selection) {
				href := a.AttrOr("href", "")
				if to, ok := strings.CutPrefix(href, "#"); ok && !ids[to] {
					t.Errorf("%s: nothing is at %s", path, href)
				}
				if strings.HasPrefix(href, "/l/") {
					at, to, _ := strings.Cut(href, "#")
					body, known := bodies[at]
					if !known {
						_, body = get(t, h, "GET", at)
						bodies[at] = body
					}
					if to != "" && !strings.Contains(body, `id="`+to+`"`) {
						t.Errorf("%s: %s leads nowhere", path, href)
					}
				}
			})
			if n := len(body); n > 150_000 || len(compressed([]byte(body))) > 30_000 {
				t.Errorf("%s has %d bytes, %d compressed", path, n, len(compressed([]byte(body))))
			}
		}
	}
}

// A league's pages are found by its id in capitals, too, and lead to the address that
// they have.
func TestLeagueInAnyCase(t *testing.T) {
	s := newShelf(t, 2, 20)
	s.leagues = leagueKinds()
	h := handler(s)
	for from, to := range map[string]string{"/l/TIN": "/l/tin", "/l/Tin/1/1?from=3": "/l/tin/1/1?from=3", "/l/TIN/league.json": "/l/tin/league.json",
		"/l/TIN/log.json?after=2": "/l/tin/log.json?after=2", "/l/tIn/feed.atom": "/l/tin/feed.atom"} {
		res, _ := get(t, h, "GET", from)
		if res.StatusCode != http.StatusMovedPermanently || res.Header.Get("Location") != to {
			t.Errorf("%s: %s to %s, want %s", from, res.Status, res.Header.Get("Location"), to)
		}
	}
	if _, body := get(t, h, "GET", "/games?league=TIN"); !strings.Contains(body, "Tin League") {
		t.Error("the games of TIN are not found")
	}
}

// A ladder's pages say how it moves its players, and when its next round begins.
func TestLadderPage(t *testing.T) {
	s := newShelf(t, 2, 20)
	s.leagues = leagueKinds()
	l := s.leagues[slices.IndexFunc(s.leagues, func(l *shelvedLeague) bool { return l.look.ID == "ladder" })].look.State
	at, ok := l.NextRound()
	if !ok || at.IsZero() {
		t.Fatalf("the ladder has no round to come: %v, %v", at, ok)
	}
	_, body := get(t, handler(s), "GET", "/l/ladder")
	for _, want := range []string{"Neighbours on the ladder play at tables of 2", "one every 14 days", fmt.Sprintf("Round %d begins", l.Season().Round+1), at.UTC().Format(time.DateOnly)} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// A bracket is a tree: each match is between the two whose winners play it, also while it is
// played, if the draw has byes, and if a substitute has taken someone's place. It says who has
// won. If more than two play at a table, there is no tree.
func TestBracket(t *testing.T) {
	took := regexp.MustCompile(`for (.+), Sue took`)
	s := newShelf(t, 2, 20)
	for players := 3; players <= 33; players++ {
		for _, results := range []int{players / 2, 2 * players / 3, 100} {
			l := played(fmt.Sprintf("cup-%d-%d", players, results), "name: Cup\nkind: knockout\nseasons: 1\nleast: 3\n", players, results)
			s.leagues = []*shelvedLeague{l}
			d := page(t, handler(s), templates.LeagueHref(l.look.ID, 1, 1))
			state, division := l.look.State, &l.look.State.Seasons[0].Divisions[0]
			place := func(name string) string { // the player who has their place now
				for id, called := range l.look.Names {
					if called == name {
						return l.look.Names[state.Holder(division, id)]
					}
				}
				t.Fatalf("%d players: who is %q?", players, name)
				return ""
			}
			var before [][]string
			for n, round := range d.Find(".tree .round").EachIter() {
				var matches [][]string
				for _, m := range round.Find(".fixtures > li").EachIter() {
					matches = append(matches, m.Find(".seats > li").Map(func(_ int, e *goquery.Selection) string {
						if m := took.FindStringSubmatch(e.Text()); m != nil { // the seat, not the place
							return place(m[1])
						}
						return place(e.Find(":nth-child(2)").First().Text())
					}))
				}
				if n > 0 && 2*len(matches) != len(before) {
					t.Fatalf("%d players: %d matches after %d", players, len(matches), len(before))
				}
				for i, m := range matches {
					for _, who := range m {
						if n > 0 && !slices.Contains(before[2*i], who) && !slices.Contains(before[2*i+1], who) {
							t.Errorf("%d players: %s of match %d of round %d comes from elsewhere: %q", players, who, i+1, n+1, before)
						}
					}
				}
				before = matches
			}
			if name := d.Find(".tree h3").Last().Text(); results == 100 && (len(before) != 1 || len(before[0]) != 2 || !strings.HasSuffix(name, "the final") || !strings.Contains(d.Find(".tree .round").Last().Text(), "wins the season")) {
				t.Errorf("%d players: the tree ends with %q in %q", players, before, name)
			}
			final := d.Find(".tree .round").Last().Find(".seats > li.on > :nth-child(2)").Text()
			if won := state.Winners(1); results == 100 && (len(won) != 1 || final != l.look.Names[won[0]]) {
				t.Errorf("%d players: the page says that %q wins, the league %v", players, final, won)
			}
			if before == nil {
				t.Errorf("%d players, %d results: no tree", players, results)
			}
		}
	}
	s.leagues = leagueKinds()
	if d := page(t, handler(s), "/l/final/1/1"); d.Find(".bracket .round").Length() == 0 || d.Find(".tree").Length() != 0 {
		t.Error("tables of four are drawn as a tree")
	}
}

// fraction is a number as pages write it.
func fraction(t *testing.T, s string) *big.Rat {
	t.Helper()
	s = strings.Replace(strings.TrimSpace(s), "−", "-", 1)
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("%q is no number", s)
	}
	return r
}

// Next to a rounded decimal is its exact fraction, and below the table of a division is what
// substitutes have from its games.
func TestExactPoints(t *testing.T) {
	s := newShelf(t, 2, 20)
	s.leagues = leagueKinds()
	h := handler(s)
	d := page(t, h, "/l/tin/1/1")
	exactly := regexp.MustCompile(`^\s*([−\d.]+)\s+\(exactly (−?\d+/\d+)\)`)
	rounded := 0
	check := func(text string) {
		m := exactly.FindStringSubmatch(text)
		if m == nil {
			return
		}
		rounded++
		want, _ := new(big.Rat).SetString(strings.Replace(m[2], "−", "-", 1))
		if off := new(big.Rat).Sub(fraction(t, m[1]), want); off.Sign() == 0 || off.Abs(off).Cmp(big.NewRat(1, 2000)) > 0 {
			t.Errorf("%s is not %s rounded", m[1], m[2])
		}
	}
	d.Find(".why .term, #guests .term").Each(func(_ int, e *goquery.Selection) { check(e.Text()) })
	d.Find(".why dt").Each(func(_ int, e *goquery.Selection) {
		_, value, _ := strings.Cut(strings.TrimSpace(e.Text()), " ")
		check(value)
	})
	if rounded < 3 {
		t.Errorf("only %d figures are rounded", rounded)
	}
	if text := d.Find("main").Text(); strings.ContainsAny(text, "½⅓⅔¼¾") {
		t.Error("a figure is no decimal")
	}
	guests := d.Find("#guests")
	if text := guests.Text(); !strings.Contains(text, "Sue") || !strings.Contains(text, "10 of 23 turns") {
		t.Errorf("the substitute's points are not told: %q", text)
	}
	var data struct {
		Guests []struct {
			Player int64
			Points string
			Terms  []struct{ Value string }
		}
	}
	_, body := get(t, h, "GET", "/l/tin/1/1/division.json")
	if err := json.Unmarshal([]byte(body), &data); err != nil || len(data.Guests) != 1 || data.Guests[0].Player != substitute || len(data.Guests[0].Terms) == 0 {
		t.Fatalf("%v: %+v", err, data)
	}
	sum := new(big.Rat)
	for _, x := range data.Guests[0].Terms {
		v, _ := new(big.Rat).SetString(x.Value)
		sum.Add(sum, v)
	}
	if sum.RatString() != data.Guests[0].Points {
		t.Errorf("%s points of terms that sum to %s", data.Guests[0].Points, sum.RatString())
	}
}

// Each figure of the standings is the sum of what the page says it is made of,
// and the rows come in the order of the figures.
func TestStandingsAddUp(t *testing.T) {
	s := newShelf(t, 2, 20)
	s.leagues = leagueKinds()
	h := handler(s)
	figures := 0
	for _, path := range []string{"/l/tin/1/1", "/l/tin/1/2", "/l/swiss/1/1", "/l/cup/1/1", "/l/ladder/1/1", "/l/hal/1/1", "/l/pairs/1/1"} {
		d := page(t, h, path)
		last := big.NewRat(1000, 1)
		d.Find(".standings tbody[id]").Each(func(_ int, row *goquery.Selection) {
			shown := row.Find("tr").First().Find("td").Map(func(_ int, td *goquery.Selection) string { return td.Text() })
			points := fraction(t, shown[1])
			if points.Cmp(last) > 0 && path != "/l/ladder/1/1" {
				t.Errorf("%s: %s points stand below %s", path, points, last)
			}
			last = points
			row.Find(".why dt").Each(func(i int, dt *goquery.Selection) {
				value := fraction(t, dt.Find("b").Text())
				if got := fraction(t, shown[1+i]); got.Cmp(value) != 0 {
					t.Errorf("%s: %s is %s in the table", path, dt.Text(), shown[1+i])
				}
				sum, terms := new(big.Rat), dt.Next().Find(".term b")
				terms.Each(func(_ int, x *goquery.Selection) { sum.Add(sum, fraction(t, x.Text())) })
				if off := new(big.Rat).Sub(sum, value); off.Abs(off).Cmp(big.NewRat(int64(terms.Length()), 1000)) > 0 {
					t.Errorf("%s: %s, but its terms are %s", path, dt.Text(), sum.FloatString(3))
				}
				figures++
			})
		})
	}
	if figures < 200 {
		t.Errorf("only %d figures were looked at", figures)
	}
}

// A league's data say which players have an open check-in question, or answered no.
func TestCheckInInData(t *testing.T) {
	s := newShelf(t, 2, 20)
	l := played("pairs", "name: Pairs\ntable: 2\ndivision: 6\nseasons: 2\nleast: 6\ncheck in: 5 days\nbreak: 1 week\n", 6, 15)
	s.leagues = []*shelvedLeague{l}
	state := l.look.State
	for _, line := range []league.Line{{Kind: league.Ask, Players: []int64{7, 8, 9}}, {Kind: league.Here, Player: 7}, {Kind: league.Here, Player: 8, No: true}} {
		line.N, line.At = state.Lines+1, shelfTime
		if err := state.Add(line); err != nil {
			t.Fatal(err)
		}
	}
	var whole struct {
		Members []struct {
			Player  int64
			CheckIn string `json:"check_in"`
		}
	}
	_, body := get(t, handler(s), "GET", "/l/pairs/league.json")
	if err := json.Unmarshal([]byte(body), &whole); err != nil {
		t.Fatal(err)
	}
	want := map[int64]string{8: "no", 9: "asked"}
	for _, m := range whole.Members {
		if m.CheckIn != want[m.Player] {
			t.Errorf("player %d: %q", m.Player, m.CheckIn)
		}
	}
	if len(whole.Members) != 6 {
		t.Errorf("%d members", len(whole.Members))
	}
}

// The data of a division are enough to compute its points again, by the file.
func TestPointsFromData(t *testing.T) {
	s := newShelf(t, 2, 20)
	s.leagues = leagueKinds()
	h := handler(s)
	ask := func(path string, into any) {
		t.Helper()
		_, body := get(t, h, "GET", path)
		if err := json.Unmarshal([]byte(body), into); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	var whole struct {
		Schema int
		File   string
	}
	ask("/l/pairs/league.json", &whole)
	rules, err := league.ParseRules(whole.File)
	if err != nil || whole.Schema != 1 || strings.Contains(whole.File, "@") {
		t.Fatalf("%v\n%s", err, whole.File)
	}
	var d struct {
		Standings []struct {
			Player       int64
			Rank, Played int
			Points       string
			Terms        []struct{ Value string }
			Ties         []struct{ Of, Value string }
		}
		Games []struct {
			State   string
			Players []int64
			Seats   []struct {
				Player       int64
				Place, Score int
			}
		}
	}
	ask("/l/pairs/1/1/division.json", &d)
	points, won := map[int64]*big.Rat{}, map[int64]int{}
	for _, g := range d.Games {
		if g.State != "over" {
			t.Fatalf("a game is %s", g.State)
		}
		for _, x := range g.Seats {
			sum, shared := 0, 0
			for _, y := range g.Seats {
				if y.Place == x.Place {
					sum += rules.Points[len(g.Seats)][x.Place-1+shared]
					shared++
				}
			}
			if points[x.Player] == nil {
				points[x.Player] = new(big.Rat)
			}
			points[x.Player].Add(points[x.Player], big.NewRat(int64(sum), int64(shared)))
			if x.Place == 1 {
				won[x.Player]++
			}
		}
	}
	if len(d.Standings) != 6 || len(d.Games) != 30 {
		t.Fatalf("%d players, %d games", len(d.Standings), len(d.Games))
	}
	for _, r := range d.Standings {
		// In every fifth game a bot has taken 3 of 15 turns of the second seat,
		// and what it was worth is less by as much.
		p, _ := new(big.Rat).SetString(r.Points)
		if p == nil || p.Cmp(points[r.Player]) > 0 || r.Played != 10 || len(r.Terms) != 10 {
			t.Errorf("player %d: %s points, computed %s", r.Player, r.Points, points[r.Player])
		}
		sum := new(big.Rat)
		for _, x := range r.Terms {
			v, _ := new(big.Rat).SetString(x.Value)
			sum.Add(sum, v)
		}
		if sum.Cmp(p) != 0 {
			t.Errorf("player %d: %s points of terms that sum to %s", r.Player, p, sum)
		}
	}
}

// The log is all that a league is made of: replayed with the secret it gives the
// same standings, a page of lines at a time.
func TestLeagueLogReplays(t *testing.T) {
	s := newShelf(t, 2, 20)
	h := handler(s)
	var got struct {
		Lines []league.Line
		After int
	}
	_, body := get(t, h, "GET", "/l/tin/log.json")
	if err := json.Unmarshal([]byte(body), &got); err != nil || got.After != 0 || strings.Contains(body, "@") {
		t.Fatalf("%v: %.200s", err, body)
	}
	_, file := get(t, h, "GET", "/l/tin/league.txt")
	rules, err := league.ParseRules(file)
	if err != nil {
		t.Fatal(err)
	}
	state, err := league.Replay(rules, [32]byte{5}, got.Lines)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		if a, b := fmt.Sprint(state.Standings(1, n+1)), fmt.Sprint(tin().look.State.Standings(1, n+1)); a != b {
			t.Errorf("division %d is\n%s\n%s", n+1, a, b)
		}
	}
	_, rest := get(t, h, "GET", "/l/tin/log.json?after="+strconv.Itoa(len(got.Lines)-1))
	if err := json.Unmarshal([]byte(rest), &got); err != nil || len(got.Lines) != 1 {
		t.Errorf("%d lines behind the last but one, %v", len(got.Lines), err)
	}
}

// A league's feed is Atom and has results, rulings, seasons and announcements, newest first.
func TestLeagueFeed(t *testing.T) {
	h := newShelf(t, 2, 20).serve(Server{BaseURL: "https://play.example"})
	_, body := get(t, h, "GET", "/l/tin/feed.atom")
	var f atomFeed
	if err := xml.Unmarshal([]byte(body), &f); err != nil || f.ID == "" || f.Title != "Tin League" {
		t.Fatalf("%v: %+v", err, f)
	}
	ids, titles := map[string]bool{}, ""
	for i, e := range f.Entry {
		if _, err := time.Parse(time.RFC3339, e.Updated); err != nil || ids[e.ID] || e.Title == "" || !strings.HasPrefix(e.Link.Href, "https://play.example/") || i > 0 && e.Updated > f.Entry[i-1].Updated {
			t.Errorf("%+v", e)
		}
		ids[e.ID] = true
		titles += e.Title + "\n"
	}
	for _, want := range []string{"Season 1 has begun", "Result corrected: division 1", "Ada Lovelace says", "Division 2, "} {
		if !strings.Contains(titles, want) {
			t.Errorf("no news of %q in\n%s", want, titles)
		}
	}
	if f.Updated != f.Entry[0].Updated || strings.Contains(body, "example.org") {
		t.Error("the feed is older than its news, or names an address")
	}
}

// A league that is listed is in the list and in the sitemap, an unlisted one is reached by its
// address alone, a private one is not there; nor is an address that is not a page.
func TestWhoFindsLeagues(t *testing.T) {
	s := newShelf(t, 2, 20)
	s.leagues = leagueKinds()
	h := s.serve(Server{BaseURL: "https://play.example"})
	for path, found := range map[string]bool{"/leagues": true, "/l/tin": true, "/l/tin/1": true, "/l/tin/1/1": true, "/l/tin/rulings": true, "/l/final": false, "/l/final/1": false, "/l/final/1/1": false,
		"/l/tin?q=ada": false, "/l/tin/1/1?of=7": false, "/leagues?over=yes": false} {
		res, body := get(t, h, "GET", path)
		if got := res.Header.Get("X-Robots-Tag") == ""; res.StatusCode != http.StatusOK || got != found || strings.Contains(body, `content="noindex`) == found {
			t.Errorf("%s: %s, may be found: %v", path, res.Status, got)
		}
	}
	_, list := get(t, h, "GET", "/leagues")
	_, data := get(t, h, "GET", "/leagues.json")
	_, over := get(t, h, "GET", "/leagues.json?over=yes")
	_, sitemap := get(t, h, "GET", "/sitemap.xml")
	for _, text := range []string{list, data, sitemap} {
		if !strings.Contains(text, "/l/tin") || strings.Contains(text, "/l/final") {
			t.Errorf("listed are %.400s", text)
		}
	}
	if strings.Contains(data, "pairs") || !strings.Contains(over, "pairs") || !strings.Contains(list, "mailto:angel@play.example") {
		t.Error("what is over stands beside what is not, or nobody can join")
	}
	_, body := get(t, h, "GET", "/l/final/1/1")
	if strings.Contains(body, `href="/players/`) {
		t.Error("an unlisted league leads to pages of its players")
	}
	for _, path := range []string{"/l/none", "/l/none/rulings", "/l/none/feed.atom", "/l/none/log.json", "/l/none/league.txt", "/l/" + strings.Repeat("x", 200), "/l/tin/0", "/l/tin/9", "/l/tin/x", "/l/tin/1/0", "/l/tin/1/9", "/l/tin/1/x",
		"/l/tin/1?from=99", "/l/tin/1?from=x", "/l/tin/1/1?from=99", "/l/tin/1/1?round=99", "/l/tin/1/1?of=x", "/l/tin/1/1?of=7&of=8", "/l/tin/1/1?round=-1", "/l/tin/rulings?before=x", "/l/tin/years?from=999", "/l/tin/years?from=x", "/l/tin/years?of=x", "/l/tin/years?of=999", "/l/tin/years?of=1&of=2", "/l/tin/log.json?after=-1", "/l/", "/l", "/games?league=none"} {
		if res, _ := get(t, s.serve(Server{}), "GET", path); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, res.Status)
		}
	}
}

// A league of 150 divisions, and a division of 40 who all meet: no page is long, and each
// player's figures are there.
func TestLargeLeague(t *testing.T) {
	s := newShelf(t, 2, 20)
	s.leagues = []*shelvedLeague{played("many", "name: Many\ndivision: 14\nstart: 2026-12-01\n", 2000, 300), played("all", "name: All\ntable: 2\ndivision: 40\nat once: 40\n", 40, 700)}
	h := handler(s)
	many := s.leagues[0].look.State.Season()
	if len(many.Divisions) < 140 {
		t.Fatalf("%d divisions", len(many.Divisions))
	}
	for _, path := range []string{"/l/many", "/l/many?q=ada", "/l/many/1", "/l/many/1?from=24", "/l/many/1/1", "/l/many/1/77", "/l/all", "/l/all/1/1", "/l/all/1/1?of=7", "/l/all/1/1?round=3"} {
		_, body := get(t, h, "GET", path)
		if n, z := len(body), len(compressed([]byte(body))); n > 150_000 || z > 30_000 {
			t.Errorf("%s has %d bytes, %d compressed", path, n, z)
		} else {
			t.Logf("%s: %d bytes, %d compressed", path, n, z)
		}
	}
	d := page(t, h, "/l/many/1")
	reached := map[string]bool{}
	for _, at := range d.Find(".pager").First().Find("a").Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") }) {
		page(t, h, at).Find(".divisions h3 a").Each(func(_ int, a *goquery.Selection) { reached[a.AttrOr("href", "")] = true })
	}
	d.Find(".divisions h3 a").Each(func(_ int, a *goquery.Selection) { reached[a.AttrOr("href", "")] = true })
	if len(reached) != len(many.Divisions) {
		t.Errorf("%d divisions are reached", len(reached))
	}
	if found := page(t, h, "/l/many?q=gus+1462").Find(".find ~ .games li"); found.Length() != 1 || !strings.Contains(found.Text(), "Gus 1462") || found.Find(".quiet a").AttrOr("href", "") == "" {
		t.Errorf("looked for one player, found %q", found.Text())
	}
	d = page(t, h, "/l/all/1/1")
	if n := d.Find(".why dl").Length(); n != 0 {
		t.Errorf("%d players' figures are open", n)
	}
	more := d.Find(".why a").First().AttrOr("href", "")
	if n := page(t, h, strings.Split(more, "#")[0]).Find(".why details[open] dl").Length(); n != 1 {
		t.Errorf("%s opens %d", more, n)
	}
	if rounds := d.Find("#schedule .pager li").Length(); rounds != 39 {
		t.Errorf("%d rounds", rounds)
	}
}

// A player's leagues are on the player's page, a game's on its own.
func TestLeaguesElsewhere(t *testing.T) {
	h := handler(newShelf(t, 2, 20))
	d := page(t, h, "/players/7")
	if a := d.Find(`.plain a[href="/l/tin"]`); a.Length() != 1 || !slices.Contains(d.Find(".plain .quiet a").Map(func(_ int, a *goquery.Selection) string { return a.AttrOr("href", "") }), "/l/tin/1/1") {
		t.Errorf("his leagues are %q", d.Find(".plain").Text())
	}
	var p playerJSON
	_, body := get(t, h, "GET", "/players/7/player.json")
	if err := json.Unmarshal([]byte(body), &p); err != nil || len(p.Leagues) != 1 || p.Leagues[0].League != "tin" || len(p.Leagues[0].Seasons) != 2 || p.Leagues[0].Seasons[1].Rank < 1 {
		t.Errorf("%+v: %v", p.Leagues, err)
	}
	if a := page(t, h, "/g/listed").Find(`header a[href^="/l/tin/1/1#g"]`); a.Length() != 1 {
		t.Error("the game does not say of which league it is")
	}
	if q := page(t, h, "/games?league=tin").Find(".status"); !strings.Contains(q.Text(), "Tin League") {
		t.Errorf("games of the league: %q", q.Text())
	}
}

// TestLeaguesPageMakesOne: the page shows the file of a league with every line
// explained, and writes the letter that makes one.
func TestLeaguesPageMakesOne(t *testing.T) {
	s := newShelf(t, 2, 20)
	h := handler(s)
	_, body := get(t, h, "GET", "/leagues")
	for _, want := range []string{"# players needed to start a season", "mailto:angel@play.example?subject=Re%3A%20new%20league&amp;body=new%20league%0D%0Aname%3A%20The%20Long%20Way%0D%0A"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	if _, body := get(t, h, "GET", "/leagues?over=yes"); strings.Contains(body, "mailto:angel@play.example?subject=Re%3A%20new%20league") {
		t.Error("those that are over show it, too")
	}
}
