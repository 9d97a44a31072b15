//go:build real

package browsertest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/db"
	"angelpost/engine/statistics"
	"angelpost/engine/store"
)

// A fair has a page of every kind to look at: a demo, and beside it, with the
// demo's mail host, a server of its own with games of all sorts.
type fair struct {
	*program.Process // the demo
	server           *program.Process
	config           string // of the server
	alpha            *mailclient.Client
	turn             mailclient.Received // the last letter that asks alpha for a turn
	page             string              // alpha's, who must decide
	kinds            []kind
}

// A kind of page, and how to come to one.
type kind struct {
	name, url string
	then      func(b *browser) // what to do there first; nil: nothing
	refused   bool             // with an error's status
	tabbed    bool             // all that Tab comes to is of sorts that it comes to on another page
}

// startFair starts both, and plays on until much lies on the table.
func startFair(t *testing.T) *fair {
	t.Helper()
	f := &fair{Process: program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human", "-hal", "standard", "-seed", strings.Repeat("5a", 32))...)}
	f.config = writeFair(t, f.Process)
	f.server = program.Start(t, "serve", "-config", f.config)
	f.alpha = &mailclient.Client{T: t, IMAP: f.Values["imap"], SMTP: f.Values["smtp"], User: "alpha@" + program.Domain, Pass: program.Password, Address: "alpha@" + program.Domain,
		Style: mailclient.WholeTurn, Pick: rand.New(rand.NewPCG(1, 2)).IntN}
	const bots = "-player bot -player bot"
	running := f.newGame(t, "Friday", "-rules advanced -seed "+strings.Repeat("11", 32)+" -started -organiser alpha@demo.localhost -player alpha@demo.localhost -player bot "+bots)
	finished := f.newGame(t, "Long ago", "-seed "+strings.Repeat("22", 32)+" -started -organiser alpha@demo.localhost "+bots)
	waiting := f.newGame(t, "Tuesday", "-organiser alpha@demo.localhost -player alpha@demo.localhost -player gamma@demo.localhost")
	f.page = f.playOn(t, running, 7)
	f.alpha.Reply(f.turn, "say: Good luck to you all.\r\n")
	waits := f.waits(t, f.newGame(t, "Sunday", "-seed "+strings.Repeat("33", 32)+" -started -organiser alpha@demo.localhost -player alpha@demo.localhost -player gamma@demo.localhost"))
	counted := f.counted(t, "-started -organiser alpha@demo.localhost "+bots)
	f.rated(t)
	record, code := program.Output(t, "export", "-config", f.config, finished)
	if code != program.ExitYes {
		t.Fatalf("export: exit %d", code)
	}
	file := filepath.Join(t.TempDir(), "record.json")
	if err := os.WriteFile(file, []byte(record), 0o600); err != nil {
		t.Fatal(err)
	}
	long, cup, solo := f.newLeague(t, "name: The Long Way\nabout: Slow games among friends.\nclock: 3d bank 10d\nat once: 4\nup: 1\n", 14, 6),
		f.newLeague(t, "name: The Cup\nkind: knockout\nbest of: 3\nleast: 4\n", 4, 3), f.newLeague(t, "name: Hal's Weeks\nkind: solo\nleast: 3\n", 3, 2)
	base := f.server.Values["http"]
	post := f.Values["http"] + "/post/alpha"
	f.settled(t, post)
	turn := post + "/" + f.letter(t, post)
	mailclient.Get(t, turn) // now it has been read
	letter, _ := mailclient.Get(t, turn+"/html")
	upload := func(file string) func(*browser) {
		return func(b *browser) {
			b.do("a file", chromedp.SetUploadFiles(`input[type=file]`, []string{file}))
			b.follow("main form button")
		}
	}
	past := fmt.Sprintf("%s?at=%d", f.page, 20)
	f.kinds = []kind{
		{name: "home", url: base + "/"}, {name: "missing", url: base + "/nowhere", refused: true}, {name: "mute", url: f.muteLink(t)},
		{name: "rules", url: base + "/rules", tabbed: true}, {name: "rules-found", url: base + "/rules?q=damage"}, {name: "help", url: base + "/help", tabbed: true}, {name: "privacy", url: base + "/privacy"}, {name: "run-a-league", url: base + "/leagues/run"}, {name: "cards", url: base + "/cards", tabbed: true}, {name: "cards-missions", url: base + "/cards/missions"}, {name: "cards-tiles", url: base + "/cards/tiles"}, {name: "cards-boards", url: base + "/cards/boards"}, {name: "cards-none", url: base + "/cards?q=nothing+of+it"},
		{name: "me", url: f.homeLink(t)}, {name: "host", url: f.hostLink(t)},
		{name: "page", url: f.page}, {name: "past", url: past, tabbed: true}, {name: "history", url: f.page + "/history", tabbed: true},
		{name: "plan", url: f.page + "/plan/", tabbed: true}, {name: "plan-step", url: f.page + "/plan/" + planOf(t, f.page) + "/"}, {name: "plan-refused", url: f.page + "/plan/pass/fly/", tabbed: true},
		{name: "planned", url: waits}, {name: "plan-ahead", url: waits + "/plan/", tabbed: true}, {name: "plan-ahead-step", url: waits + "/plan/" + planOf(t, waits) + "/"},
		{name: "public", url: base + "/g/" + running, tabbed: true}, {name: "solo", url: f.Values["page1"], tabbed: true}, {name: "waiting", url: base + "/g/" + waiting},
		{name: "finished", url: base + "/g/" + finished}, {name: "finished-history", url: base + "/g/" + finished + "/history"},
		{name: "what-if", url: base + "/what-if/" + finished + "/30/", tabbed: true},
		{name: "games", url: base + "/games"}, {name: "games-none", url: base + "/games?q=nobody", tabbed: true}, {name: "player", url: base + "/players/1"},
		{name: "ratings", url: base + "/ratings"}, {name: "ratings-kind", url: base + "/ratings/2-base", tabbed: true},
		{name: "statistics", url: base + "/statistics"}, {name: "statistics-kind", url: base + counted}, {name: "talk", url: f.page + "/talk"},
		{name: "leagues", url: base + "/leagues"}, {name: "league", url: base + long}, {name: "league-season", url: base + long + "/1"}, {name: "league-division", url: base + long + "/1/1?of=3"},
		{name: "league-rulings", url: base + long + "/rulings"}, {name: "league-years", url: base + long + "/years?of=3"}, {name: "league-cup", url: base + cup + "/1/1"}, {name: "league-solo", url: base + solo + "/1/1"},
		{name: "look", url: base + "/look"}, {name: "record", url: base + "/look", then: upload(file)}, {name: "record-refused", url: base + "/look", then: upload(f.config), refused: true},
		{name: "post-inbox", url: post}, {name: "post-sent", url: post + "/sent"}, {name: "post-letter", url: turn}, {name: "letter", url: "data:text/html;charset=utf-8;base64," + base64.StdEncoding.EncodeToString([]byte(letter))}, {name: "post-text", url: turn + "?view=text"},
		{name: "post-compose", url: f.Values["http"] + "/post/compose?box=alpha"},
	}
	return f
}

// writeFair configures a server that takes its letters from a demo's mailbox.
func writeFair(t *testing.T, demo *program.Process) (config string) {
	t.Helper()
	dir := t.TempDir()
	config = filepath.Join(dir, "angelpost.toml")
	text := fmt.Sprintf(`address = "delta+{token}@%s"
start = "known"
database = "games.db"
answers_per_day = 100000
[imap]
addr = "%s"
user = "delta"
password_file = "password"
tls = "none"
[smtp]
addr = "%s"
tls = "none"
[http]
addr = "127.0.0.1:0"
base_url = "http://127.0.0.1:1"
`, program.Domain, demo.Values["imap"], demo.Values["smtp"])
	for name, s := range map[string]string{config: text, filepath.Join(dir, "password"): program.Password + "\n"} {
		if err := os.WriteFile(name, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return config
}

func (f *fair) newGame(t *testing.T, name, args string) (id string) {
	t.Helper()
	out, code := program.Output(t, append([]string{"new", "-config", f.config, "-visibility", "listed", "-name", name}, strings.Fields(args)...)...)
	if code != program.ExitYes {
		t.Fatalf("new: exit %d", code)
	}
	return strings.TrimSpace(strings.TrimPrefix(out, "game="))
}

// newLeague makes a league, takes so many players into it, ends so many of its
// games by ruling and voids one more. It is the address of its page.
func (f *fair) newLeague(t *testing.T, file string, players, results int) (path string) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "league")
	if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		out, code := program.Output(t, args...)
		if code != program.ExitYes {
			t.Fatalf("%q: exit %d", args, code)
		}
		return strings.TrimSpace(out)
	}
	id := strings.TrimPrefix(run("league", "create", "-config", f.config, name), "league=")
	called := strings.Fields("Alpha Bo Cyrus Di Evangelina-Papadopoulou Flo Gus Hedda Ira Jo Kim Lena Mo Nils")
	for i, c := range called[:players] {
		address := "alpha"
		if i > 0 {
			address = fmt.Sprint("player", i)
		}
		run("league", "join", "-config", f.config, id, address+"@"+program.Domain, c)
	}
	run("league", "announce", "-config", f.config, "-yes", id, "Welcome, and mind the clock.")
	for n := range results + 1 {
		var whole fairLeague
		if err := json.Unmarshal([]byte(run("league", "show", "-config", f.config, "-json", id)), &whole); err != nil {
			t.Fatal(err)
		}
		game := runningIn(t, whole)
		ruling := []string{"void"}
		if n < results {
			ruling = []string{"adjudicate"}
			for i, p := range game.Players {
				ruling = append(ruling, fmt.Sprintf("%s %d%s", p, 60+(7*n+11*i)%30, map[bool]string{true: ",", false: ""}[i < len(game.Players)-1]))
			}
		}
		run(append(append([]string{"rule", "-config", f.config, "-yes", "-reason", "The players agreed on it."}, game.Game), ruling...)...)
	}
	return "/l/" + id
}

// A fairLeague is what this test reads of "league show -json".
type fairLeague struct {
	Divisions []struct{ Games []fairGame }
}

type fairGame struct {
	Game, State string
	Players     []string // by seat
}

// runningIn is the first game of a league that runs.
func runningIn(t *testing.T, whole fairLeague) fairGame {
	t.Helper()
	for _, d := range whole.Divisions {
		for _, g := range d.Games {
			if g.State == "running" {
				return g
			}
		}
	}
	t.Fatalf("no game of the league runs: %+v", whole)
	return fairGame{}
}

// playOn has alpha continue a game of the server to a round, up to alpha's turn, and
// returns the address of alpha's page.
func (f *fair) playOn(t *testing.T, game string, round int) string {
	t.Helper()
	page := regexp.MustCompile(`/g/` + game + `/[a-z2-7]{20,}\b`)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		for _, n := range f.alpha.Fetch() {
			if n.Header.Get("X-Angelpost-Game") != game || len(n.Legal) == 0 {
				continue
			}
			at := f.server.Values["http"] + page.FindString(n.Text)
			if v := viewAt(t, at); v.Round >= round && v.Decision == "turn" {
				f.turn = n
				return at
			}
			f.alpha.LastRefused = n.Result == "refused"
			f.alpha.Answer(n)
		}
	}
	t.Fatalf("round %d never came", round)
	return ""
}

// waits has alpha continue a game of the server until it is another player's turn,
// and plan their next one; it returns the address of alpha's page.
func (f *fair) waits(t *testing.T, game string) (at string) {
	t.Helper()
	page := regexp.MustCompile(`/g/` + game + `/[a-z2-7]{20,}\b`)
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		for _, n := range f.alpha.Fetch() {
			if n.Header.Get("X-Angelpost-Game") != game {
				continue
			}
			at = f.server.Values["http"] + page.FindString(n.Text)
			switch v := viewAt(t, at); {
			case len(n.Legal) > 0:
				f.alpha.LastRefused = n.Result == "refused"
				f.alpha.Answer(n)
			case strings.Contains(n.Text, "| plan"):
				return at
			case v.Decision == "":
				f.alpha.Reply(n, "plan\r\nif last round\r\npass\r\nelse\r\nB\r\n")
			}
		}
	}
	t.Fatal("his turn did not end")
	return ""
}

// letter is the number of the letter in a mailbox of the post room that asks for
// f.turn: which came last is for the machine to say, for letters go on arriving.
func (f *fair) letter(t *testing.T, post string) string {
	t.Helper()
	body, _ := mailclient.Get(t, post)
	itself := regexp.MustCompile(`(?im)^Message-Id:\s*` + regexp.QuoteMeta(f.turn.Header.Get("Message-Id")))
	for _, m := range regexp.MustCompile(`href="/post/alpha/(\d+)"`).FindAllStringSubmatch(body, -1) {
		if source, _ := mailclient.Get(t, post+"/"+m[1]+"/source"); itself.MatchString(source) {
			return m[1]
		}
	}
	t.Fatal("the letter is not in the post room")
	return ""
}

// settled waits until nothing of the server's pages changes by itself any more:
// what is over is counted and rated, and no letter comes to alpha.
func (f *fair) settled(t *testing.T, post string) {
	t.Helper()
	for _, job := range []string{"statistics", "ratings"} {
		if _, code := program.Output(t, job, "-config", f.config); code != program.ExitYes {
			t.Fatalf("%s: exit %d", job, code)
		}
	}
	last := ""
	for since, deadline := time.Now(), time.Now().Add(patience); time.Since(since) < 4*time.Second; time.Sleep(200 * time.Millisecond) {
		if body, _ := mailclient.Get(t, post); body != last {
			last, since = body, time.Now()
		}
		if time.Now().After(deadline) {
			t.Fatal("letters keep coming")
		}
	}
}

// counted is the page of a kind of game, once as many of it as are counted
// together are over.
func (f *fair) counted(t *testing.T, more string) (path string) {
	t.Helper()
	for n := range statistics.Together - 1 {
		f.newGame(t, "Once", fmt.Sprintf("-seed %064x %s", n+1, more))
	}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(500 * time.Millisecond) {
		if _, code := program.Output(t, "statistics", "-config", f.config); code != program.ExitYes {
			t.Fatalf("statistics: exit %d", code)
		}
		body, _ := mailclient.Get(t, f.server.Values["http"]+"/statistics")
		if m := regexp.MustCompile(`href="(/statistics/[^"]+)"`).FindStringSubmatch(body); m != nil {
			return m[1]
		}
	}
	t.Fatal("games of bots are in no statistics")
	return ""
}

// rated has alpha leave some games, and waits until they are rated.
func (f *fair) rated(t *testing.T) {
	t.Helper()
	left := map[string]bool{}
	for n := range 3 {
		left[f.newGame(t, "Too hard", fmt.Sprintf("-seed %064x ", 100+n)+"-started -organiser alpha@demo.localhost -player alpha@demo.localhost -player bot")] = false
	}
	gone := 0
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		for _, n := range f.alpha.Fetch() {
			game := n.Header.Get("X-Angelpost-Game")
			done, is := left[game]
			switch {
			case !is || done:
			case strings.Contains(n.Text, "leave this game"):
				left[game] = true
				f.alpha.Reply(n, "yes\r\n")
				gone++
			case len(n.Legal) > 0:
				f.alpha.Reply(n, "resign\r\n")
			}
		}
		if gone < len(left) {
			continue
		}
		if body, _ := mailclient.Get(t, f.server.Values["http"]+"/players/1"); strings.Contains(body, "after 3 games") {
			return
		}
	}
	t.Fatalf("%d games were left, and are in no ratings", gone)
}

// muteLink is the button of alpha's last letter, at the server's own address.
func (f *fair) muteLink(t *testing.T) string {
	t.Helper()
	m := regexp.MustCompile(`<https?://[^/>]*(/[^>]*/mute)>`).FindStringSubmatch(f.turn.Header.Get("List-Unsubscribe"))
	if m == nil {
		t.Fatalf("no button in %q", f.turn.Header.Get("List-Unsubscribe"))
	}
	return f.server.Values["http"] + m[1]
}

// hostLink is the page of the server's host.
func (f *fair) hostLink(t *testing.T) string {
	t.Helper()
	out, code := program.Output(t, "host-page", "-config", f.config)
	if code != program.ExitYes {
		t.Fatalf("host-page: exit %d", code)
	}
	return f.server.Values["http"] + strings.TrimPrefix(strings.TrimSpace(out), "http://127.0.0.1:1")
}

// homeLink is the start page of a player of the server.
func (f *fair) homeLink(t *testing.T) (page string) {
	t.Helper()
	d, err := db.Open(t.Context(), filepath.Join(filepath.Dir(f.config), "games.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	err = d.View(t.Context(), func(tx store.Tx) error {
		for id := int64(1); id < 100; id++ {
			if key, err := tx.HomeKey(id); err == nil {
				page = f.server.Values["http"] + "/me/" + key
				return nil
			}
		}
		return store.ErrNotFound
	})
	if err != nil {
		t.Fatal(err)
	}
	return page
}

// planOf is the first order that a page offers, as an address has it.
func planOf(t *testing.T, page string) string {
	t.Helper()
	body, _ := mailclient.Get(t, page+"/plan/")
	m := regexp.MustCompile(`class="choices"><li[^>]*><a href="([^"#]*)/#told"`).FindStringSubmatch(body)
	if m == nil {
		t.Fatal("the plan offers nothing")
	}
	return m[1]
}

// open shows a page of the kind.
func (k kind) open(b *browser) {
	b.t.Helper()
	b.visit(k.url)
	if k.then != nil {
		k.then(b)
	}
}
