//go:build real

package season

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/db"
)

// statusLine is a line of /proc/self/status that tells of memory.
var statusLine = regexp.MustCompile(`(?m)^(VmRSS|VmHWM):\s+(\d+) kB$`)

var (
	crowdSize   = flag.Int("crowd", 6, "players of TestCrowd")
	crowdGames  = flag.Int("crowd.games", 4, "games of each of them")
	crowdFor    = flag.Duration("crowd.for", 0, "stop in the middle of the season after so long; 0: play it to its end")
	crowdReport = flag.String("crowd.report", "", "file for the figures of TestCrowd")
)

// statements are what the database did.
type statements struct {
	mu sync.Mutex
	of map[string]*statement
}

type statement struct {
	query    string
	n        int
	all, max time.Duration
	slow     int // took more than maxStatement
}

const maxStatement = 50 * time.Millisecond

func (x *statements) watch(query string, took time.Duration) {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.of[query]
	if s == nil {
		s = &statement{query: query}
		x.of[query] = s
	}
	s.n++
	s.all += took
	s.max = max(s.max, took)
	if took > maxStatement {
		s.slow++
	}
}

// TestCrowd plays a season of a large league: everybody answers each letter with
// the example turn in it. Letters go in through the desk and out through the
// outbox to a sink. make soak does it with 2,000 players and writes down what it
// came to.
func TestCrowd(t *testing.T) {
	seen := &statements{of: map[string]*statement{}}
	db.Watch = seen.watch
	t.Cleanup(func() { db.Watch = nil })
	w := openTown(t, false, "answers_per_day = 1000000\n")
	table, size := 4, 13
	switch {
	case *crowdSize < 100:
		table, size = 2, 3
	case *crowdGames < 4: // of 13 at tables of four nobody can have fewer
		size = 12
	}
	id, err := w.s.Desk.NewLeague(t.Context(), fmt.Sprintf("name: The Crowd\ntable: %d\ndivision: %d\ngames: %d\nleast: %d\nat once: 2\nclock: 10 days\nseasons: 1\nseason: 26 weeks", table, size, *crowdGames, *crowdSize))
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for i := range *crowdSize {
		address := fmt.Sprintf("p%d@example.org", i+1)
		if err := w.s.Desk.JoinLeague(t.Context(), id, address, fmt.Sprintf("Crow %04d", i+1)); err != nil {
			t.Fatal(err)
		}
	}
	joined := time.Since(began)
	var rounds int
	for {
		w.settle()
		var letters [][]byte
		got := w.post.take()
		for _, to := range slices.Sorted(maps.Keys(got)) {
			games := map[string]mailclient.Received{} // of each the letter that knows most
			for _, raw := range got[to] {             // which need not have come last
				n := mailclient.ReadNotice(t, raw)
				game := n.Header.Get("X-Angelpost-Game")
				if old, ok := games[game]; !ok || stepOf(n) >= stepOf(old) {
					games[game] = n
				}
			}
			delete(games, "")
			p := &townsman{name: "P", address: to}
			for _, game := range slices.Sorted(maps.Keys(games)) {
				n := games[game]
				if len(n.Legal) == 0 {
					continue
				}
				orders := n.Example
				if len(orders) == 0 || n.Result == "refused" || n.Result == "partial" {
					orders = n.Legal[:1]
				}
				letters = append(letters, w.letter(p, replyTo(t, n), n.Header.Get("Message-Id"), orders...))
			}
		}
		for batch := range slices.Chunk(letters, 50) {
			w.give(nil, batch...)
		}
		rounds++
		l, err := w.s.Desk.Host().League(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if x := l.State.Season(); x != nil && !x.Running() {
			break
		}
		if *crowdFor > 0 && time.Since(began) > *crowdFor {
			break
		}
		if len(letters) == 0 {
			w.settle()
			if len(w.post.take()) == 0 && rounds > 3 {
				t.Fatal("nobody has anything to do, and the season is not over")
			}
		}
		w.until(w.now().Add(6 * time.Hour))
		if rounds%20 == 0 {
			t.Logf("%d rounds, %d letters in, %d out, %v", rounds, w.wrote, w.post.count(), time.Since(began).Round(time.Second))
		}
	}
	w.settle()
	took := time.Since(began)

	l, err := w.s.Desk.Host().League(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	x := l.State.Season()
	games := 0
	for _, d := range x.Divisions {
		if !d.Design.Exact && *crowdGames == 4 && size == 13 && len(d.Players) == 13 {
			t.Errorf("division %d: %+v", d.N, d.Design)
		}
		for _, row := range l.State.Standings(1, d.N) {
			if x.Ended.IsZero() {
				continue // stopped in its middle
			}
			if row.Played != row.Games || row.Games == 0 {
				t.Errorf("player %d played %d of %d", row.Player, row.Played, row.Games)
			}
		}
		games += len(d.Fixtures)
	}
	var wrong, out, stored, under, lines int
	if err := w.ledger.QueryRow("SELECT (SELECT count(*) FROM letters WHERE state <> 0 OR answer = 0), (SELECT count(*) FROM out WHERE state = 0), (SELECT count(*) FROM games WHERE state = 'finished'), (SELECT count(*) FROM games WHERE state = 'running'), (SELECT count(*) FROM log)").Scan(&wrong, &out, &stored, &under, &lines); err != nil {
		t.Fatal(err)
	}
	if wrong != 0 || out != w.post.count() || stored != games && !x.Ended.IsZero() {
		t.Errorf("%d letters in were not answered; %d out of %d came; %d games of %d ended", wrong, w.post.count(), out, stored, games)
	}
	var octets, free int64
	if err := w.ledger.QueryRow("SELECT page_count * page_size, freelist_count * page_size FROM pragma_page_count, pragma_page_size, pragma_freelist_count").Scan(&octets, &free); err != nil {
		t.Fatal(err)
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	memory := map[string]uint64{}
	for _, m := range statusLine.FindAllSubmatch(status, -1) {
		var kb uint64
		fmt.Sscan(string(m[2]), &kb)
		memory[string(m[1])] = kb >> 10
	}

	seen.mu.Lock()
	all := slices.Collect(maps.Values(seen.of))
	seen.mu.Unlock()
	n, slow := 0, 0
	for _, s := range all {
		n, slow = n+s.n, slow+s.slow
	}
	var b bytes.Buffer
	course := fmt.Sprintf("The season took %d days.", int(x.Ended.Sub(x.Began)/day))
	if x.Ended.IsZero() {
		course = fmt.Sprintf("It was stopped after %d days, in the middle of the season: %d games were over, %d under way.", int(w.now().Sub(x.Began)/day), stored, under)
	}
	fmt.Fprintf(&b, `# A large league

`+"`make soak`"+` plays it (TestCrowd, -crowd %d -crowd.games %d) and writes this file. All players answer
every letter with its example turn; letters go in through the
desk and out through the outbox to an SMTP sink in the same process. The clock is
the test's. %s

| | |
|---|---|
| players, divisions, games | %d, %d, %d at tables of up to %d |
| letters in, letters out | %d, %d (%.1f KB each) |
| lines of the games' logs | %d |
| time on %d processors | %v, of which joining %v |
| database | %.1f MB, %.1f MB of it free |
| memory of the whole test, at most | %d MB |
| statements | %d, %.2f ms each; %d took more than %v |

The slowest statements, of which the longest may be those that another process
kept waiting:

| longest | mean | times | statement |
|---|---|---|---|
`, *crowdSize, *crowdGames, course, *crowdSize, len(x.Divisions), games, table, w.wrote, w.post.count(), float64(w.post.octets)/float64(max(1, w.post.count()))/1000,
		lines, runtime.NumCPU(), took.Round(time.Second), joined.Round(time.Second), float64(octets)/1e6, float64(free)/1e6, memory["VmHWM"], n, meanOf(all), slow, maxStatement)
	slices.SortFunc(all, func(a, b *statement) int { return cmp.Compare(b.max, a.max) })
	for _, s := range all[:min(8, len(all))] {
		fmt.Fprintf(&b, "| %.1f ms | %.3f ms | %d | `%s` |\n", ms(s.max), ms(s.all)/float64(s.n), s.n, brief(s.query))
	}
	slices.SortFunc(all, func(a, b *statement) int {
		return cmp.Compare(b.all/time.Duration(b.n), a.all/time.Duration(a.n))
	})
	b.WriteString("\nThe slowest on the average:\n\n| mean | longest | times | statement |\n|---|---|---|---|\n")
	for _, s := range all[:min(8, len(all))] {
		fmt.Fprintf(&b, "| %.3f ms | %.1f ms | %d | `%s` |\n", ms(s.all)/float64(s.n), ms(s.max), s.n, brief(s.query))
	}
	t.Log("\n" + b.String())
	if *crowdReport != "" {
		if err := os.WriteFile(*crowdReport, b.Bytes(), 0o644); err != nil {
			t.Error(err)
		}
		if memory["VmHWM"] > 512 {
			t.Errorf("%d MB of memory", memory["VmHWM"])
		}
		for _, s := range all {
			if s.all > maxStatement*time.Duration(s.n) {
				t.Errorf("%v on the average: %s", s.all/time.Duration(s.n), s.query)
			}
		}
	}
}

// stepOf is the step after which a letter about a game was written.
func stepOf(n mailclient.Received) (step int) {
	fmt.Sscan(n.Header.Get("X-Angelpost-Step"), &step)
	return step
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

func meanOf(all []*statement) float64 {
	sum, n := time.Duration(0), 0
	for _, s := range all {
		sum, n = sum+s.all, n+s.n
	}
	return ms(sum) / float64(max(1, n))
}

// brief is the head of a statement.
func brief(query string) string {
	query = strings.Join(strings.Fields(query), " ")
	query = strings.ReplaceAll(query, "|", "\\|")
	return query[:min(len(query), 110)]
}
