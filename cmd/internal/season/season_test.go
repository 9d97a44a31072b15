//go:build real

package season

import (
	"cmp"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/look"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

var wholeSeason = flag.Bool("season", false, "a season of half a year: three divisions of seven at tables of four")

const day = 24 * time.Hour

// A member is a league player who plays by letters. They answer each letter that asks
// for an order, with the example turn in it, after a while.
type member struct {
	townsman
	id      int64
	todo    map[string]waiting // by game: the open question
	slow    time.Duration      // longest time to answer
	away    [2]time.Time       // does nothing between these
	letters map[string]int     // received, by kind
	steps   bool               // in for players who are gone: says yes to every question,
	spares  string             // except about this player's seat
	gone    bool               // leaves some of their games to others
	returns bool               // comes back on hearing that a bot keeps their seat
	backs   int
	took    int // seats and places taken so
}

type waiting struct {
	mailclient.Received
	at time.Time // when the member answers
}

// A seasonTown is a town with a league.
type seasonTown struct {
	*testServer
	rand    *rand.Rand
	id      string // the league's
	members []*member
	ruled   map[string][]int // games whose result was ruled: scores by seat
	events  []event
	left    int64 // who left early
}

// An event is something that happens at a time.
type event struct {
	at time.Time
	do func()
}

func (w *seasonTown) in(d time.Duration, do func()) {
	w.events = append(w.events, event{w.now().Add(d), do})
}

// league is how it stands.
func (w *seasonTown) league() *look.League {
	w.t.Helper()
	l, err := w.s.Desk.Host().League(w.t.Context(), w.id)
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

// enters lets a member write a word about the league; the server first asks them to
// confirm it.
func (w *seasonTown) enters(m *member, word string) mailclient.Received {
	w.t.Helper()
	n := w.says(&m.townsman, word)
	if n.Result != "applied" {
		n = w.replies(&m.townsman, n, "yes")
	}
	if n.Result != "applied" {
		w.t.Fatalf("%s: %s\n%s", m.name, word, n.Text)
	}
	return n
}

// read takes in what has come to a member.
func (w *seasonTown) read(m *member) {
	for _, n := range w.fetch(&m.townsman) {
		m.letters[n.Kind]++
		text := strings.Join(strings.Fields(n.Text), " ")
		if m.returns && m.backs == 0 && strings.Contains(text, "a bot plays your seat for now. Reply `back`") {
			w.in(2*time.Hour, func() { w.comesBack(m, n) })
		}
		if m.steps && strings.Contains(text, "eply `yes`") {
			if m.spares != "" && strings.Contains(n.Text, m.spares) { // that player will be back
				w.in(3*time.Hour, func() { w.replies(&m.townsman, n, "no") })
			} else {
				w.in(3*time.Hour, func() {
					if n := w.replies(&m.townsman, n, "yes"); n.Result == "applied" {
						m.took++
					}
				})
			}
		}
		game := n.Header.Get("X-Angelpost-Game")
		if game == "" {
			continue
		}
		if len(n.Legal) == 0 {
			if n.Kind == "end" {
				delete(m.todo, game)
			}
			continue
		}
		at := w.now().Add(time.Duration(w.rand.Int64N(int64(m.slow))))
		if was, ok := m.todo[game]; ok && was.at.After(w.now()) {
			at = was.at
		}
		m.todo[game] = waiting{n, at}
	}
}

// answer answers a letter.
func (w *seasonTown) play(m *member, n mailclient.Received) {
	orders := n.Example
	if len(orders) == 0 || n.Result == "refused" || n.Result == "partial" {
		orders = n.Legal[:1]
	}
	w.give(&m.townsman, w.letter(&m.townsman, replyTo(w.t, n), n.Header.Get("Message-Id"), orders...))
}

// run lets time pass until over says so.
func (w *seasonTown) run(end time.Time, over func() bool) {
	w.t.Helper()
	for w.now().Before(end) && !over() {
		next := w.now().Add(day)
		for _, m := range w.members {
			w.read(m)
			for game, n := range m.todo {
				if !n.at.Before(m.away[0]) && n.at.Before(m.away[1]) {
					n.at = m.away[1]
					m.todo[game] = n
				}
				if n.at.Before(next) {
					next = n.at
				}
			}
		}
		for _, e := range w.events {
			if e.at.Before(next) {
				next = e.at
			}
		}
		next = next.Add(30 * time.Minute) // what comes close together is brought together
		w.until(next)
		for _, m := range w.members { // what the time has brought may have changed what is asked
			w.read(m)
		}
		for _, m := range w.members {
			for _, game := range slices.Sorted(func(yield func(string) bool) {
				for game := range m.todo {
					if !yield(game) {
						return
					}
				}
			}) {
				if n := m.todo[game]; !n.at.After(w.now()) {
					delete(m.todo, game)
					w.play(m, n.Received)
				}
			}
		}
		w.settle()
		for i := 0; i < len(w.events); i++ {
			if e := w.events[i]; !e.at.After(w.now()) {
				w.events = slices.Delete(w.events, i, i+1)
				i--
				e.do()
				w.settle()
			}
		}
	}
}

// rules lets the host rule.
func (w *seasonTown) rules(line string) {
	w.t.Helper()
	r, p, ok := order.ReadRuling(line)
	if p != nil || !ok {
		w.t.Fatalf("%q is no ruling: %v", line, p)
	}
	if _, _, err := w.s.Desk.Rule(w.t.Context(), r, true); err != nil {
		w.t.Fatalf("%q: %v", line, err)
	}
}

// TestSeason plays a season of a league by letters: the real server with its
// desk, its outbox and its mailbox, and a clock that the test sets. Players of
// many zones and habits drop out, come back, leave, and are ruled upon. In the
// end the standings are those that the stored games come to by another count,
// who goes up and down is right, and every letter is accounted for.
func TestSeason(t *testing.T) {
	divisions, size, table, weeks := 2, 3, 2, 8
	if *wholeSeason {
		divisions, size, table, weeks = 3, 7, 4, 25
	}
	w := &seasonTown{testServer: openTown(t, true, ""), rand: rand.New(rand.NewPCG(4, 7)), ruled: map[string][]int{}}
	began := w.now()
	start := began.Add(20 * day).Truncate(day)
	file := fmt.Sprintf(`name: The Long Way
table: %d
division: %d
start: %s
season: %d weeks
break: 1 week
seasons: 2
up: 1
check in: 0 days
clock: 3 days
clock 2: 2d bank 4d
clock 3: 1d bank 6d +6h max 8d grace 1d
at once: 2
`, table, size, start.Format(time.DateOnly), weeks)
	var err error
	if w.id, err = w.s.Desk.NewLeague(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	zones := []string{"Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney", "America/Sao_Paulo", "UTC", "Asia/Kolkata"}
	names := []string{"Ann", "Bob", "Cyd", "Dan", "Eva", "Fay", "Gus", "Hal Smith", "Ida", "Jon", "Kim", "Leo", "Mia", "Ned", "Oda", "Pip", "Quy", "Rex", "Sue", "Tom", "Una"}
	for i := range divisions * size {
		m := &member{townsman: townsman{name: names[i], address: fmt.Sprintf("p%d@example.org", i+1)}, todo: map[string]waiting{}, letters: map[string]int{}}
		m.slow = []time.Duration{4 * time.Hour, 20 * time.Hour, 40 * time.Hour}[i%3]
		w.members = append(w.members, m)
		n := w.enters(m, "join league The Long Way")
		if n := w.replies(&m.townsman, n, "zone "+zones[i%len(zones)]); n.Result != "applied" {
			t.Fatalf("%s: %s", m.name, n.Text)
		}
	}
	for i, p := range w.league().State.Players {
		w.members[i].id = p.ID
	}
	zoe := &member{townsman: townsman{name: "Zoe", address: "zoe@example.org"}, todo: map[string]waiting{}, letters: map[string]int{}, slow: 10 * time.Hour, steps: true}
	w.enters(zoe, "join league The Long Way") // a stranger's list would be anybody's
	w.enters(zoe, "leave league The Long Way")
	w.enters(zoe, "substitute The Long Way")
	w.members = append(w.members, zoe)
	w.until(start.Add(time.Hour))
	x := w.league().State.Season()
	if x == nil || len(x.Divisions) != divisions {
		t.Fatalf("the season: %+v", x)
	}

	// Who does what.
	back := w.members[1] // is away until they hear that a bot keeps their seat
	back.away = [2]time.Time{start.Add(2 * day), start.Add(1000 * day)}
	back.returns, zoe.spares = true, back.name
	silent := w.members[size+1] // is never heard of again
	silent.away = [2]time.Time{start.Add(6 * day), start.Add(1000 * day)}
	leaves := w.members[divisions*size-1] // leaves the league and their games
	w.left = leaves.id
	zoe.gone, silent.gone, leaves.gone = true, true, true
	w.in(8*day, func() { w.leaves(leaves) })
	var rolled string
	w.in(10*day, func() { rolled = w.rollsBack() })
	var tied string
	w.in(time.Duration(weeks)*4*day, func() { tied = w.ties() })

	season := func() *league.Season { return &w.league().State.Seasons[0] }
	w.run(start.Add(time.Duration(weeks)*7*day), func() bool { return len(w.events) == 0 && !season().Running() })
	x = season()
	if x.Running() {
		for _, d := range x.Divisions {
			for _, f := range d.Fixtures {
				if !f.Over() {
					t.Errorf("%+v", *f)
				}
			}
		}
		t.Fatal("the season is not over")
	}
	t.Logf("the season took %d days of %d letters in and %d out", int(x.Ended.Sub(x.Began)/day), w.wrote, w.post.count())
	if rolled == "" || tied == "" {
		t.Error("nothing was rolled back or tied", rolled, tied)
	}
	if zoe.took == 0 || back.backs == 0 {
		t.Errorf("the substitute took %d seats and places, and %s came back to %d games", zoe.took, back.name, back.backs)
	}
	t.Logf("the substitute took %d seats and places", zoe.took)
	for _, d := range x.Divisions {
		if !d.Design.Exact || d.Design.Seats.Max-d.Design.Seats.Min > (d.Design.Games.Max%table+table-1)/table {
			t.Errorf("division %d: %+v", d.N, d.Design)
		}
		w.recount(x, d)
	}

	// The next season opens by itself; whose place is where follows.
	w.until(x.Ends.Add(9 * day))
	w.promoted()
	w.accounted()
}

// comesBack takes a seat again that a bot has played, and answers from then on.
func (w *seasonTown) comesBack(m *member, told mailclient.Received) {
	m.away = [2]time.Time{}
	n := w.replies(&m.townsman, told, "back")
	if n.Result != "applied" {
		w.t.Errorf("%s could not come back:\n%s", m.name, n.Text)
		return
	}
	m.backs++
	if len(n.Legal) > 0 {
		m.todo[n.Header.Get("X-Angelpost-Game")] = waiting{n, w.now()}
	}
}

// leaves takes a member out of the league and their games.
func (w *seasonTown) leaves(m *member) {
	for _, f := range w.league().State.Fixtures {
		if f.Game == "" || f.Over() || !slices.Contains(f.Players, m.id) {
			continue
		}
		for _, raw := range slices.Backward(w.post.of(m.address)) {
			if n := mailclient.ReadNotice(w.t, raw); n.Header.Get("X-Angelpost-Game") == f.Game {
				n = w.replies(&m.townsman, n, "resign")
				for range 2 {
					if strings.Contains(n.Text, "yes") && n.Result != "applied" {
						n = w.replies(&m.townsman, n, "yes")
					}
				}
				break
			}
		}
		delete(m.todo, f.Game)
	}
	w.enters(m, "leave league The Long Way")
}

// rollsBack takes the running game with the longest log back by some lines.
func (w *seasonTown) rollsBack() string {
	best, steps := "", 0
	for _, f := range w.league().State.Fixtures {
		if f.Game == "" || f.Over() {
			continue
		}
		rec, err := w.s.Desk.Host().Export(w.t.Context(), f.Game, 0)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(rec.Log) > steps {
			best, steps = f.Game, len(rec.Log)
		}
	}
	if best != "" {
		w.rules(fmt.Sprintf("rollback %s to %d: a misread letter", best, steps*2/3))
	}
	return best
}

// ties makes the result of the first game that is over one in which all are
// equal.
func (w *seasonTown) ties() string {
	for _, f := range w.league().State.Fixtures {
		if f.Result == nil || f.Game == "" {
			continue
		}
		rec, err := w.s.Desk.Host().Export(w.t.Context(), f.Game, 0)
		if err != nil {
			w.t.Fatal(err)
		}
		var line []string
		for _, name := range rec.Names {
			line = append(line, name+" 77")
			w.ruled[f.Game] = append(w.ruled[f.Game], 77)
		}
		w.rules("correct " + f.Game + " " + strings.Join(line, ", ") + ": all agree that the ending was misread")
		return f.Game
	}
	return ""
}

// recount counts a division's points from its stored games and compares them, and
// the order, with its standings.
func (w *seasonTown) recount(x *league.Season, d league.Division) {
	w.t.Helper()
	worth := map[int][]int64{2: {3, 0}, 3: {5, 2, 0}, 4: {6, 3, 1, 0}}
	type row struct{ points, share *big.Rat }
	rows := map[int64]*row{}
	for _, p := range d.Players {
		rows[p] = &row{new(big.Rat), new(big.Rat)}
	}
	for _, f := range d.Fixtures {
		if f.Void { // at tables of two, nothing counts for a player who leaves early
			if w.left == 0 || len(f.Players) != 2 || !slices.Contains(f.Players, w.left) {
				w.t.Errorf("fixture %d does not count: %+v", f.ID, f)
			}
			continue
		}
		places := worth[len(f.Players)+len(f.Absent)]
		if f.Game == "" { // nobody came but one
			if len(f.Players) != 1 {
				w.t.Errorf("fixture %d was not played: %+v", f.ID, f)
				continue
			}
			rows[f.Players[0]].points.Add(rows[f.Players[0]].points, big.NewRat(places[0], 1))
			rows[f.Players[0]].share.Add(rows[f.Players[0]].share, big.NewRat(1, 1))
			continue
		}
		rec, err := w.s.Desk.Host().Export(w.t.Context(), f.Game, 0)
		if err != nil || rec.Result == nil {
			w.t.Fatalf("game %s: %v", f.Game, err)
		}
		var parts [][]game.Share
		if err := w.s.DB.View(w.t.Context(), func(tx store.Tx) (err error) {
			parts, err = w.s.Desk.Host().Parts(tx, f.Game)
			return err
		}); err != nil {
			w.t.Fatal(err)
		}
		var vp []int
		for _, s := range rec.Result.Scores {
			vp = append(vp, *s.Final)
		}
		if ruled := w.ruled[f.Game]; ruled != nil {
			vp = ruled
		}
		idle, best := make([]bool, len(vp)), 0 // seats of which bots took most turns; the best of the others
		for seat := range f.Players {
			bots, all := 0, 0
			for _, part := range parts[seat] {
				if all += part.Turns; part.Player == 0 {
					bots += part.Turns
				}
			}
			if idle[seat] = 2*bots > all; !idle[seat] {
				best = max(best, vp[seat])
			}
		}
		for seat, p := range f.Players {
			first, equal := 0, 0 // who is better, and who is equal
			for i, v := range vp {
				if v > vp[seat] && !idle[i] {
					first++
				} else if v == vp[seat] && !idle[i] {
					equal++
				}
			}
			sum := int64(0)
			for i := range equal {
				sum += places[first+i]
			}
			if idle[seat] {
				sum, equal = places[len(places)-1], 1
			}
			own, all, his := 0, 0, false
			for _, part := range parts[seat] {
				all += part.Turns
				if part.Player == p {
					own, his = part.Turns, part.Left == ""
				}
			}
			if all == 0 {
				own, all, his = 1, 1, true
			}
			if !his {
				sum, equal = places[len(places)-1], 1
			} else {
				if best > 0 {
					rows[p].share.Add(rows[p].share, big.NewRat(int64(min(vp[seat], best)*own), int64(best*all)))
				}
			}
			rows[p].points.Add(rows[p].points, big.NewRat(sum*int64(own), int64(equal*all)))
		}
	}
	standings := w.league().State.Standings(x.N, d.N)
	for _, got := range standings {
		want := rows[got.Player]
		if got.Points.Value.String() != want.points.RatString() || got.Ties[0].Value.String() != want.share.RatString() {
			w.t.Errorf("division %d, player %d: %s points and %s, counted %s and %s", d.N, got.Player, got.Points.Value, got.Ties[0].Value, want.points.RatString(), want.share.RatString())
		}
	}
	if !slices.IsSortedFunc(standings, func(a, b league.Standing) int {
		left := map[bool]int{true: 1}
		return cmp.Or(left[a.Left]-left[b.Left], rows[b.Player].points.Cmp(rows[a.Player].points), rows[b.Player].share.Cmp(rows[a.Player].share))
	}) {
		w.t.Errorf("division %d is out of order", d.N)
	}
}

// promoted checks that in the second season all play where the first has brought
// them.
func (w *seasonTown) promoted() {
	w.t.Helper()
	state := w.league().State
	if len(state.Seasons) != 2 {
		w.t.Fatalf("%d seasons", len(state.Seasons))
	}
	was, is := map[int64]int{}, map[int64]int{}
	for _, d := range state.Seasons[1].Divisions {
		for _, p := range d.Players {
			is[p] = d.N
		}
	}
	last := len(state.Seasons[0].Divisions)
	for _, d := range state.Seasons[0].Divisions {
		rows := state.Standings(1, d.N)
		in := len(d.In())
		for i, row := range rows {
			was[row.Player] = d.N
			want := d.N
			switch {
			case row.Left:
				want = 0
			case i == 0 && d.N > 1:
				want--
			case i == in-1 && d.N < last:
				want++
			}
			if is[row.Player] != want {
				w.t.Errorf("player %d was %d. of %d in division %d, and is in %d", row.Player, i+1, len(rows), d.N, is[row.Player])
			}
		}
	}
}

// accounted holds that every letter that came was done and answered, and every
// letter that was written came.
func (w *seasonTown) accounted() {
	w.t.Helper()
	var wrong, out, sent int
	if err := w.ledger.QueryRow("SELECT (SELECT count(*) FROM letters WHERE state <> 0 OR answer = 0), (SELECT count(*) FROM out), (SELECT count(*) FROM out WHERE state = 0)").Scan(&wrong, &out, &sent); err != nil {
		w.t.Fatal(err)
	}
	if wrong != 0 || out != w.post.count() || sent != out {
		w.t.Errorf("%d letters in were not answered; of %d out %d were sent and %d came", wrong, out, sent, w.post.count())
	}
	ids := map[string]bool{}
	dates := regexp.MustCompile(`(?m)^Message-ID: <([^>]+)>\r?$`)
	for _, m := range w.members {
		for _, raw := range w.post.of(m.address) {
			id := dates.FindSubmatch(raw)
			if id == nil || ids[string(id[1])] {
				w.t.Fatalf("a letter came twice, or without its id: %.300s", raw)
			}
			ids[string(id[1])] = true
		}
		if !m.gone && (m.letters["start"] == 0 || m.letters["end"] == 0) {
			w.t.Errorf("%s was told of %v", m.name, m.letters)
		}
	}
	if len(ids) != out {
		w.t.Errorf("%d letters out, %d to the players", out, len(ids))
	}
}
