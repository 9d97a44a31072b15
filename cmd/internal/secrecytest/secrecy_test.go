package secrecytest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"angelpost/cmd/internal/inprocess"
	"angelpost/cmd/internal/server"
	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/rated"
	"angelpost/engine/sim"
	"angelpost/engine/statistics"
	"angelpost/engine/store"
	"angelpost/web"
)

// Secrecy: whatever leaves the program for a viewer is the same to the last
// byte when what they cannot see is swapped (R1.5). One stored game is set up
// twice, as it was and in another world: other seats' hidden cards, the order of
// every pile and the future of its seed differ, as far as what the viewer was told
// allows. Length of the log, commitment, tokens, keys, ids and Date are fixed.

// secretEvery is 1 in .ci/run and make soak.
var secretEvery = flag.Int("secret-every", 15, "TestSecrecyAtEveryStep swaps at every nth line of a game")

var secretGames = flag.Int("secret-games", 0, "more games at each step of which hidden things are swapped")

// secretSagas are games of four, three and two players, and more if asked for:
// in 2 Mission decks run out, in 22 the Ravagers; 202 is by the advanced rules,
// 600 by the first edition, too; 1000 is against Hal by the advanced rules.
func secretSagas() []int {
	out := []int{2, 600, 1000}
	if *secretEvery == 1 {
		out = append(out, 202)
	}
	for i := range *secretGames {
		out = append(out, 22+31*i)
	}
	return out
}

// A secrecyHarness holds one stored game on which worlds are put.
type secrecyHarness struct {
	t     testing.TB
	saga  *recordedGame
	dir   string
	game  string
	keys  []string // by seat; [0] is the public's: none
	mute  []string // the same, to mute by
	homes []string // the same, of start pages
	s     *server.Server
	log   *sql.DB      // the same database, for the game's log
	w     *alternative // that is put on
	rnd   *issued
	sent  int // letters written
	// asked are the patterns of addresses that were asked for, and whether any
	// answer was a page.
	asked map[string]bool
	// thought gets the outcome of a letter that had to be thought about.
	thought chan string
	// leak spoils an output on purpose.
	leak func(x *secrecyHarness, viewer engine.Seat, name string, b []byte) []byte
}

var stageNames = []string{"Ada", "Bo", "Cy", "Di"}

// address is a seat's.
func (x *secrecyHarness) address(seat engine.Seat) string {
	return addressOf(x.saga.head.Names[seat-1])
}

func addressOf(name string) string { return strings.ToLower(name) + "@players.example" }

var stageTime = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// recordedGameOf is game n of this test.
func recordedGameOf(t testing.TB, n, undo int) (*recordedGame, *rand.Rand) {
	t.Helper()
	players := 2 + n%3
	rnd := rand.New(rand.NewPCG(uint64(players), uint64(n)))
	options := game.Options{Players: players, Rules: "base", Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName}
	if n/800%2 == 1 {
		players, options.Players, options.Hal = 1, 1, "hard"
	}
	if n/200%2 == 1 {
		options.Rules = "advanced"
	}
	if n/400%2 == 1 {
		options.Edition = "first"
	}
	return newRecordedGame(t, game.Header{
		Options: options,
		Seed:    sim.Seed("secrecy", n), Names: stageNames[:players],
	}, habits[n/3%len(habits)], undo, rnd), rnd
}

// newSecrecyHarness stores a world's game at its start, and gives the viewer's first
// letter.
func newSecrecyHarness(t testing.TB, g *recordedGame, w *alternative, viewer engine.Seat) (*secrecyHarness, []harnessLetter) {
	t.Helper()
	x := newServer(t, g, w)
	x.newGame(true, g.head.Names)
	x.findKeys()
	x.enterLeague()
	return x, x.read(viewer)
}

var leagueSecret = strings.Repeat("5e", 32)

// leagueSecrets are what the stage's league draws from, and its first season.
func leagueSecrets() (out [2][32]byte) {
	hex.Decode(out[0][:], []byte(leagueSecret))
	season := hmac.New(sha256.New, out[0][:])
	season.Write([]byte("season/1"))
	season.Sum(out[1][:0])
	return out
}

// enterLeague makes the game one of a league.
func (x *secrecyHarness) enterLeague() {
	x.t.Helper()
	ctx, file := context.Background(), "name: Tin League\n"
	if len(x.saga.head.Names) == 1 {
		file += "kind: solo\n"
	}
	var lines []store.LeagueLine
	add := func(l league.Line) {
		args, err := json.Marshal(l)
		if err != nil {
			x.t.Fatal(err)
		}
		lines = append(lines, store.LeagueLine{N: len(lines) + 1, At: stageTime, Kind: l.Kind, Args: string(args)})
	}
	if _, err := x.log.Exec("UPDATE games SET league = 'tin' WHERE id = ?", x.game); err != nil {
		x.t.Fatal(err)
	}
	err := x.s.DB.Update(ctx, func(tx store.Tx) error {
		seats, err := tx.Seats(x.game)
		if err != nil {
			return err
		}
		table := league.Pairing{Round: 1, Players: make([]int64, len(seats))}
		for _, seat := range seats {
			table.Players[seat.Seat-1] = seat.Player
			add(league.Line{Kind: league.Join, Player: seat.Player})
		}
		if len(seats) == 1 {
			add(league.Line{Kind: league.Begin, Divisions: []league.Plan{{Players: table.Players}}})
			add(league.Line{Kind: league.NextRound, Tables: []league.Pairing{table}})
		} else {
			add(league.Line{Kind: league.Begin, Divisions: []league.Plan{{Players: table.Players, Tables: []league.Pairing{table}}}})
		}
		add(league.Line{Kind: league.Begun, Fixture: 1, Game: x.game})
		row := store.League{ID: "tin", Name: "Tin League", File: file, Secret: leagueSecret, Visibility: store.Listed, Created: stageTime, Changed: stageTime}
		return errors.Join(tx.AddLeague(row), tx.AppendLeague("tin", lines), tx.SetLeagueThread("tin", store.LeagueThread{Player: 1, Head: "x@example.org", Mute: leagueButton}))
	})
	if err != nil {
		x.t.Fatal(err)
	}
}

// leagueButton is the key that mutes the league's letters for somebody.
const leagueButton = "leaguebutton234567leaguebu"

// newServer is a stage without a game.
func newServer(t testing.TB, g *recordedGame, w *alternative) *secrecyHarness {
	t.Helper()
	x := &secrecyHarness{t: t, saga: g, dir: t.TempDir(), rnd: &issued{ChaCha8: rand.NewChaCha8([32]byte{1})}}
	text := `address = "angelpost+{token}@play.example"
database = "angelpost.db"
answers_per_day = 100000
authserv_id = "mx.play.example"
[imap]
addr = "127.0.0.1:1"
user = "angelpost"
password_file = "password"
tls = "none"
[smtp]
addr = "127.0.0.1:1"
tls = "none"
[http]
addr = "127.0.0.1:0"
base_url = "https://play.example"
`
	for name, s := range map[string]string{"angelpost.toml": text, "password": "x\n"} {
		if err := os.WriteFile(filepath.Join(x.dir, name), []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x.open()
	t.Cleanup(x.close)
	inprocess.SetTokenKey(t, x.s)
	x.put(w)
	return x
}

// newGame begins the saga's game, or invites to it the players in this order.
func (x *secrecyHarness) newGame(started bool, names []string) {
	x.t.Helper()
	g := x.saga
	order := seating.NewGameOrder{Started: started, Seed: &g.head.Seed, Visibility: store.Listed, Organiser: addressOf(names[0]), Name: "Friday", Hints: "yes",
		Rules: g.head.Options.Rules, Edition: g.head.Options.Edition, Hal: g.head.Options.Hal}
	for _, name := range names {
		order.Players = append(order.Players, seating.NewPlayer{Address: addressOf(name), Name: name})
	}
	var err error
	if x.game, err = x.s.Desk.NewGame(context.Background(), order); err != nil {
		x.t.Fatal(err)
	}
}

// findKeys looks up the keys of a game that has begun.
func (x *secrecyHarness) findKeys() {
	x.t.Helper()
	x.keys, x.mute, x.homes = make([]string, 1+len(x.saga.head.Names)), make([]string, 1+len(x.saga.head.Names)), make([]string, 1+len(x.saga.head.Names))
	err := x.s.DB.View(context.Background(), func(tx store.Tx) error {
		seats, err := tx.Seats(x.game)
		for i := 0; err == nil && i < len(seats); i++ {
			var k store.Key
			if k, err = tx.KeyOf(x.game, seats[i].Place); err == nil {
				x.keys[seats[i].Seat], x.mute[seats[i].Seat] = k.Key, k.Mute
				x.homes[seats[i].Seat], err = tx.HomeKey(seats[i].Player)
			}
		}
		return err
	})
	if err != nil {
		x.t.Fatal(err)
	}
}

func (x *secrecyHarness) open() {
	x.t.Helper()
	conf, err := server.LoadConfig(filepath.Join(x.dir, "angelpost.toml"))
	if err != nil {
		x.t.Fatal(err)
	}
	if x.s, err = server.Open(context.Background(), conf, slog.New(slog.DiscardHandler)); err != nil {
		x.t.Fatal(err)
	}
	if x.log, err = sql.Open("sqlite3", "file:"+filepath.Join(x.dir, "angelpost.db")+"?_busy_timeout=5000&_synchronous=OFF&_txlock=immediate"); err != nil {
		x.t.Fatal(err)
	}
}

func (x *secrecyHarness) close() {
	if err := errors.Join(x.log.Close(), x.s.Close()); err != nil {
		x.t.Error(err)
	}
}

// put sets a world up: its log is the game's, chance is its own, the clock
// stands still.
func (x *secrecyHarness) put(w *alternative) {
	x.t.Helper()
	if x.game != "" {
		x.write(w.lines)
	}
	c := x.s.Desk.Config
	x.w = w
	c.Adviser = "planner:200"
	x.thought = make(chan string, 1)
	c.Thought = func(_ unit.Command, outcome string) { x.thought <- outcome }
	c.Random, c.Now, c.Chance = x.rnd, func() time.Time { return stageTime }, w.chance
	var err error
	if x.s.Desk, err = desk.New(c); err != nil {
		x.t.Fatal(err)
	}
}

func (x *secrecyHarness) write(lines []game.Line) {
	x.t.Helper()
	tx, err := x.log.Begin()
	if err == nil {
		_, err = tx.Exec("DELETE FROM log WHERE game = (SELECT number FROM games WHERE id = ?)", x.game)
	}
	if err == nil { // each step is looked at on a day of its own: who says too much in vain gets no answer
		_, err = tx.Exec("DELETE FROM counters WHERE key LIKE 'babble/%'")
	}
	var insert *sql.Stmt
	if err == nil {
		insert, err = tx.Prepare("INSERT INTO log (game, n, seat, by, line, told) SELECT number, ?, ?, ?, ?, ? FROM games WHERE id = ?")
	}
	for i := 0; err == nil && i < len(lines); i++ {
		l := lines[i]
		_, err = insert.Exec(l.N, l.Seat, string(l.By), l.Order, strings.Join(l.Told, "; "), x.game)
	}
	if err == nil {
		_, err = tx.Exec("UPDATE games SET steps = ? WHERE id = ?", len(lines), x.game)
	}
	if err == nil {
		_, err = tx.Exec("UPDATE seats SET seen = min(seen, ?)", len(lines))
	}
	if err == nil {
		err = tx.Commit()
	}
	if err != nil {
		x.t.Fatal(err)
	}
}

// Outputs are what a viewer got, by what they asked for: bytes, or values whose
// every field is compared.
type outputs map[string]any

// differ names what differs, the first difference of each behind.
func differ(a, b outputs) (out []string) {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if reflect.DeepEqual(a[name], b[name]) {
			continue
		}
		p, _ := a[name].([]byte)
		q, _ := b[name].([]byte)
		at := 0
		for at < min(len(p), len(q)) && p[at] == q[at] {
			at++
		}
		part := func(s []byte) string { return fmt.Sprintf("%q", s[max(0, min(at-60, len(s))):min(len(s), at+60)]) }
		out = append(out, fmt.Sprintf("%s: %d and %d bytes, at %d\n  %s\n  %s", name, len(p), len(q), at, part(p), part(q)))
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			out = append(out, name+": only in the other world")
		}
	}
	return out
}

// Issued is randomness that remembers what it gave, as ids, tokens and keys are
// written.
type issued struct {
	*rand.ChaCha8
	text []string
}

func (r *issued) Read(p []byte) (int, error) {
	n, err := r.ChaCha8.Read(p)
	r.text = append(r.text, strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(p[:n])))
	return n, err
}

// spoilt is an output with the deliberate leak, if there is one.
func (x *secrecyHarness) spoilt(viewer engine.Seat, name string, b []byte) []byte {
	if x.leak == nil {
		return b
	}
	return x.leak(x, viewer, name, b)
}

// get is an answer to a browser: status, headers and body.
func (x *secrecyHarness) get(h http.Handler, path string) []byte {
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", path, nil)
	h.ServeHTTP(w, r)
	if x.asked == nil {
		x.asked = map[string]bool{}
	}
	x.asked[r.Pattern] = x.asked[r.Pattern] || w.Code == http.StatusOK
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d\n", w.Code)
	w.Header().Write(&b)
	b.WriteString("\r\n")
	b.Write(w.Body.Bytes())
	return b.Bytes()
}

// pages is what a viewer gets by HTTP after line n: the page and its data, now
// and after line past; if whole, everything else there is, and what is refused.
func (x *secrecyHarness) pages(out outputs, viewer engine.Seat, n, past int, whole bool) {
	h := x.s.Pages()
	base := "/g/" + x.game
	if viewer > 0 {
		base += "/" + x.keys[viewer]
	}
	paths := []string{base + "/view.json", base, fmt.Sprintf("%s/view.json?at=%d", base, past)}
	if whole {
		paths = append(paths, x.everything(viewer, base, n, past)...)
	}
	for _, p := range paths {
		out["GET "+p] = x.spoilt(viewer, "page", x.get(h, p))
	}
	if !whole {
		return
	}
	for _, from := range paths[:2] { // where the page leads: what may be kept for ever, and its picture
		for _, m := range kept.FindAllStringSubmatch(string(out["GET "+from].([]byte)), 6) {
			p := html.UnescapeString(m[1])
			if strings.HasPrefix(p, "?") {
				p = base + p
			}
			p = strings.TrimPrefix(p, "https://play.example")
			out["GET "+p] = x.spoilt(viewer, "page", x.get(h, p))
		}
	}
}

// kept finds addresses that bear a stamp.
var kept = regexp.MustCompile(`(?:href|content)="((?:\?[^"]*v=|https://play.example/pictures/)[^"]*)"`)

// everything is every address that the server answers, as a viewer would ask for
// it after line n. A pattern that is in none of the lists is an error: a new page
// is asked for here, or nobody knows what it tells.
func (x *secrecyHarness) everything(viewer engine.Seat, base string, n, past int) (out []string) {
	x.t.Helper()
	ofGame := map[string][]string{ // behind the game's address, with a key and without
		"":           {fmt.Sprintf("?at=%d", past), "?at=0", fmt.Sprintf("?at=%d&since=%d", n, past), fmt.Sprintf("?at=%d", n+1), "?at=-1", "?v=0123456789ab"},
		"/view.json": {"/view.json", fmt.Sprintf("/view.json?at=%d&open=1", past), fmt.Sprintf("/view.json?at=%d", n+1)},
		"/history":   {"/history"}, "/history.json": {"/history.json"}, "/record.json": {"/record.json"}, "/feed.atom": {"/feed.atom"},
		"/news.json": {"/news.json", fmt.Sprintf("/news.json?since=%d", past), fmt.Sprintf("/news.json?since=%d", n+1)},
	}
	ofKey := map[string][]string{
		"/talk": {"/talk", "/talk?q=o"}, "/talk.json": {"/talk.json"}, "/mute": {"/mute"}, "/deadline.ics": {"/deadline.ics"},
		"/plan/{steps...}":         {"/plan/", "/plan/plan.json", "/plan/card_099_at_row_1/", "/plan/B/plan.json"},
		"/what-if/{at}/{steps...}": {fmt.Sprintf("/what-if/%d/", past)},
	}
	kind := "/statistics/2-base-revised-" + component.DefaultName
	others := map[string][]string{
		"/{$}": {"/"}, "/what-if/{id}/{at}/{steps...}": {fmt.Sprintf("/what-if/%s/%d/what-if.json", x.game, past)},
		"/pictures/{id}/{at}/{file}": {fmt.Sprintf("/pictures/%s/%d/x.png", x.game, n), fmt.Sprintf("/pictures/%s/%d/x.png", x.game, past)},
		"/players/{player}":          {"/players/1", "/players/99"}, "/players/{player}/player.json": {"/players/1/player.json"}, "/players/{player}/feed.atom": {"/players/1/feed.atom"},
		"/cards/{part}": {"/cards/tiles", "/cards/none"}, "/statistics/{kind}": {kind}, "/statistics/{kind}/kind.json": {kind + "/kind.json"}, "/ratings/{kind}": {"/ratings/2-base"}, "/ratings/{kind}/kind.json": {"/ratings/2-base/kind.json"}, "/sitemaps/{before}": {"/sitemaps/first", "/sitemaps/" + x.game},
		"/l/{league}": {"/l/tin", "/l/tin?q=a", "/l/none"}, "/l/{league}/league.json": {"/l/tin/league.json"}, "/l/{league}/league.txt": {"/l/tin/league.txt"}, "/l/{league}/log.json": {"/l/tin/log.json"},
		"/l/{league}/feed.atom": {"/l/tin/feed.atom"}, "/l/{league}/years": {"/l/tin/years", "/l/tin/years?of=1"}, "/l/{league}/years.json": {"/l/tin/years.json"}, "/l/{league}/rulings": {"/l/tin/rulings"}, "/l/{league}/rulings.json": {"/l/tin/rulings.json"},
		"/l/{league}/{key}/mute": {"/l/tin/" + leagueButton + "/mute"},
		"/l/{league}/{season}":   {"/l/tin/1"}, "/l/{league}/{season}/season.json": {"/l/tin/1/season.json"},
		"/l/{league}/{season}/{division}": {"/l/tin/1/1", "/l/tin/1/1?of=1"}, "/l/{league}/{season}/{division}/division.json": {"/l/tin/1/1/division.json"},
	}
	ofHome := map[string][]string{"": {""}, "/me.json": {"/me.json"}, "/news.json": {"/news.json?since=x"}, "/deadlines.ics": {"/deadlines.ics"}, "/feed.atom": {"/feed.atom"}}
	for _, p := range web.Patterns() {
		p, gets := strings.CutPrefix(p, "GET ")
		// Left out: forms (mute, which has a test of its own; look, which shows only what it was
		// given; "/", which is not there), and the host's page, which shows no position.
		if !gets || strings.HasPrefix(p, "/host/") {
			continue
		}
		if rest, is := strings.CutPrefix(p, "/g/{id}/{key}"); is {
			if ofGame[rest] == nil && ofKey[rest] == nil {
				x.t.Errorf("nobody asks for %s", p)
			}
			if viewer == 0 {
				continue
			}
			for _, more := range append(ofGame[rest], ofKey[rest]...) {
				if more == "/mute" {
					out = append(out, "/g/"+x.game+"/"+x.mute[viewer]+more)
					continue
				}
				out = append(out, base+more)
			}
			continue
		}
		if rest, is := strings.CutPrefix(p, "/me/{key}"); is {
			if ofHome[rest] == nil {
				x.t.Errorf("nobody asks for %s", p)
			}
			if viewer > 0 {
				for _, more := range ofHome[rest] {
					out = append(out, "/me/"+x.homes[viewer]+more)
				}
			}
			continue
		}
		if rest, is := strings.CutPrefix(p, "/g/{id}"); is {
			if ofGame[rest] == nil {
				x.t.Errorf("nobody asks for %s", p)
			}
			if viewer > 0 {
				continue
			}
			for _, more := range ofGame[rest] {
				out = append(out, base+more)
			}
			continue
		}
		switch {
		case others[p] != nil:
			out = append(out, others[p]...)
		case strings.Contains(p, "{"):
			x.t.Errorf("nobody asks for %s", p)
		default:
			out = append(out, p)
		}
	}
	return append(out, base+"/x", base+"/x/view.json", base+"/x/y/z")
}

// export is the record that `angelpost export -seat` writes.
func (x *secrecyHarness) export(out outputs, viewer engine.Seat) {
	x.t.Helper()
	rec, err := x.s.Desk.Host().Export(context.Background(), x.game, viewer)
	if err != nil {
		x.t.Fatal(err)
	}
	var b bytes.Buffer
	if err := rec.Write(&b); err != nil {
		x.t.Fatal(err)
	}
	out["export"] = x.spoilt(viewer, "export", b.Bytes())
}

// letter is a letter about the position, header and picture included, and all
// that it is made of, down to fields that no letter shows.
func (x *secrecyHarness) letter(out outputs, viewer engine.Seat, since, n int) {
	x.t.Helper()
	ctx := context.Background()
	kinds := []notice.Kind{notice.KindStart, notice.KindTurn, notice.KindInfo, notice.KindAnswer}
	recipe := notice.Message{
		Kind: kinds[n%len(kinds)], To: x.address(viewer), Game: x.game, Seat: int(viewer), Since: since, Step: n, Date: stageTime,
		Token: strings.Repeat("t", 26), PageKey: x.keys[viewer], MuteKey: strings.Repeat("m", 26), MessageID: "letter@play.example",
		Answer: notice.Answer{Names: x.saga.head.Names, Sections: []notice.Section{{Kind: "history", From: 1}, {Kind: "legal"}}},
	}
	sheet, err := x.s.Desk.Host().Input(ctx, recipe)
	if err != nil {
		x.t.Fatal(err)
	}
	raw, err := x.s.Render(ctx, recipe)
	if err != nil {
		x.t.Fatal(err)
	}
	out["sheet"], out["letter"] = sheet, x.spoilt(viewer, "letter", raw)
}

// position is all that the page about the position is made of.
func (x *secrecyHarness) position(out outputs, viewer engine.Seat) {
	x.t.Helper()
	g, err := x.s.Desk.Host().Open(context.Background(), x.game, x.keys[viewer], -1)
	if err != nil {
		x.t.Fatal(err)
	}
	out["position, story"] = g.Story(-1)
	out["position, course"] = g.Course()
	if out["position, before"], err = g.Before(g.Step / 2); err != nil {
		x.t.Fatal(err)
	}
	out["position"] = []any{g.GameInfo, g.Names, g.Viewer, g.Step, g.Latest, g.View, g.Legal, g.Parts, g.Tag()} // pages asks for view.json
}

// plans is a plan that the viewer makes of the position, all that its pages are
// made of after each step, and, if whole, those pages.
func (x *secrecyHarness) plans(out outputs, viewer engine.Seat, n int, whole bool) {
	x.t.Helper()
	h := x.s.Pages()
	path := "/g/" + x.game + "/" + x.keys[viewer] + "/plan/"
	var lines []string
	for depth := range 12 {
		name := strings.Join(append([]string{"plan"}, lines...), "; ")
		g, plan, err := x.s.Desk.Host().Plan(context.Background(), x.game, x.keys[viewer], lines)
		if err != nil {
			x.t.Fatal(err)
		}
		if whole {
			out["GET "+path] = x.spoilt(viewer, "plan", x.get(h, path))
		}
		out[name+": game"] = g.JSON(false)
		if plan == nil {
			return
		}
		out[name] = plan
		if len(plan.Options) == 0 {
			return
		}
		lines = append(lines, plan.Options[(n*7+depth*5)%len(plan.Options)].Order)
		if words := strings.Fields(lines[depth]); whole && len(words) > 1 { // begun, and not done
			begun := path + words[0] + "_" + words[1] + "~/"
			out["GET "+begun] = x.spoilt(viewer, "plan", x.get(h, begun))
		}
		path += strings.ReplaceAll(lines[depth], " ", "_") + "/"
	}
}

// other finds a world for viewer after line n, and holds that it is one: its
// log is legal and tells them what the saga told. Where it is not, the Ravagers
// are what forbids it: which of them are drawn goes by what has room (Q5.5f).
func (x *secrecyHarness) other(viewer engine.Seat, n int, rnd *rand.Rand) (w *alternative, fallen bool) {
	x.t.Helper()
	for _, ravagers := range []bool{true, false} {
		w = x.saga.swapped(x.t, viewer, n, ravagers, rnd)
		x.put(w)
		got, err := x.s.Desk.Host().Open(context.Background(), x.game, x.keys[viewer], -1)
		if err == nil && slices.EqualFunc(got.Story(-1), x.saga.story(viewer, n), sameTold) {
			return w, !ravagers
		}
		if !ravagers {
			x.t.Fatalf("game %s, viewer %d, line %d: no world but this one: %v", hex.EncodeToString(x.saga.head.Seed[:4]), viewer, n, err)
		}
	}
	return nil, true
}

// story is what viewer was told up to line n.
func (g *recordedGame) story(viewer engine.Seat, n int) (out [][]engine.Event) {
	for _, events := range g.events[:n+1] {
		cut := make([]engine.Event, len(events))
		for i, e := range events {
			cut[i] = e.For(viewer)
		}
		out = append(out, cut)
	}
	return out
}

func sameTold(a game.Told, b []engine.Event) bool { return slices.Equal(a.Events, b) }

// eachSaga runs a test of each game, as many at a time as there are processors.
func eachSaga(t *testing.T, f func(t *testing.T, i int)) {
	t.Run("games", func(t *testing.T) {
		for _, i := range secretSagas() {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				f(t, i)
			})
		}
	})
}

// TestSecrecyAtEveryStep swaps what each seat and the public cannot see at every
// fifteenth step of whole games (each in .ci/run): pages, data, export and a letter are the same to the last
// byte.
func TestSecrecyAtEveryStep(t *testing.T) {
	var steps, worlds, fallen, moved, hal atomic.Int64
	var mu sync.Mutex
	asked := map[string]bool{}
	eachSaga(t, func(t *testing.T, i int) {
		g, rnd := recordedGameOf(t, i, 12)
		players := len(g.head.Names)
		x, _ := newSecrecyHarness(t, g, g.real(0), 0)
		y, _ := newSecrecyHarness(t, g, g.real(0), 0)
		for _, s := range []*secrecyHarness{x, y} { // for the statistics and ratings
			addFinished(t, s.s.DB, 0, 5)
			if _, err := s.s.Book().Count(context.Background(), func(statistics.LeftOut) {}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.s.Ratings().Rate(context.Background(), func(x rated.LeftOut) { t.Error(x) }); err != nil {
				t.Fatal(err)
			}
		}
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			for p, ok := range x.asked {
				asked[p] = asked[p] || ok
			}
		}()
		for n := 0; n <= g.playsLast; n += *secretEvery {
			steps.Add(1)
			x.put(g.real(n))
			for viewer := engine.Seat(0); int(viewer) <= players; viewer++ {
				w, fell := y.other(viewer, n, rnd)
				worlds.Add(1)
				moved.Add(int64(w.moved))
				for x, y := range w.swap {
					if x > 200 && x != y {
						hal.Add(1)
					}
				}
				if fell {
					fallen.Add(1)
				}
				past, whole := rnd.IntN(n+1), *secretGames > 0 || n%16 == int(viewer)*3
				ask := func(s *secrecyHarness) outputs {
					out := outputs{}
					s.pages(out, viewer, n, past, whole)
					s.position(out, viewer)
					s.export(out, viewer)
					if viewer > 0 {
						s.letter(out, viewer, past-1, n)
						s.plans(out, viewer, n, whole)
					}
					return out
				}
				if d := differ(ask(x), ask(y)); len(d) > 0 {
					t.Fatalf("game %d, line %d, viewer %d:\n%s", i, n, viewer, strings.Join(d, "\n"))
				}
			}
		}
	})
	t.Logf("%d games, %d steps, %d worlds in which %d things moved, %d without Ravagers; %d of Hal's cards moved", len(secretSagas()), steps.Load(), worlds.Load(), moved.Load(), fallen.Load(), hal.Load())
	for _, p := range web.Patterns() {
		if strings.HasPrefix(p, "GET /host/") { // it shows no position
			continue
		}
		if ok, was := asked[p]; strings.HasPrefix(p, "GET ") && !ok && (!was || !strings.Contains(p, "what-if") && !strings.HasSuffix(p, ".ics")) { // which finished games alone have, or those with a clock
			t.Errorf("%s: asked for %v, answered with a page %v", p, was, ok)
		}
	}
	if fallen.Load() > worlds.Load()/20 || moved.Load() < worlds.Load()*20 || hal.Load() < 100/int64(*secretEvery) {
		t.Error("too little is swapped")
	}
}
