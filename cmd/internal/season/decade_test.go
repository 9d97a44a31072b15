package season

import (
	"cmp"
	"container/heap"
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/inprocess"
	"angelpost/cmd/internal/server"
	"angelpost/engine/league"
	"angelpost/engine/league/scorer"
	"angelpost/engine/match/look"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

var (
	years        = flag.Int("years", 0, "years that TestDecade plays")
	decadeDir    = flag.String("decade.dir", "", "where TestDecade keeps its database: one in memory takes a third of the time")
	decadeReport = flag.String("decade.report", "", "a Markdown file into which TestDecade writes its table, between its two marks")
)

// A decadeLeague is one of the leagues of TestDecade, and what was counted of it.
type decadeLeague struct {
	name, file string
	size       int
	id         string
	letters    map[string][]string // outside games, by season and address: what each says
	codes      map[string]int      // their first remarks
	director   int                 // letters to its director
	urgent     map[string]int      // of these, those about what is urgent, by what they say
	lately     time.Time           // when the last of these came
	close      int                 // how many of these came within a day of another
	late       int                 // the number of the season that runs far beyond its plan
	slowest    float64             // how long a season took, in parts of its plan
	stalled    time.Time           // since when no season runs, though one should; zero: one does, or none is due
	told       time.Time           // when the director last heard that a season cannot begin
	ruled      map[string]int      // by kind of ruling
	untold     []string
}

// decadeLeagues are one of each format, with 12 to 60 players.
func decadeLeagues() []*decadeLeague {
	return []*decadeLeague{
		{name: "Iron League", size: 35, file: "kind: divisions\ntable: 3\ndivision: 7\nleast: 7\nup: 1\ndown: 1\nseason: 16 weeks\n"},
		{name: "Grand Swiss", size: 60, file: "kind: swiss\ntable: 4\nrounds: 4\nleast: 16\nseason: 30 weeks\n"},
		{name: "Winter Cup", size: 24, file: "kind: knockout\ntable: 2\nleast: 8\nseason: 20 weeks\n"},
		{name: "Old Ladder", size: 12, file: "kind: ladder\ntable: 2\nrounds: 6\nround: 4 weeks\nleast: 4\n"},
		{name: "Lone Stars", size: 14, file: "kind: solo\nrounds: 4\nround: 6 weeks\nleast: 4\n"},
	}
}

// How often things happen: to one person in a year, or as it says.
const (
	dropsOut      = 0.12 // is never heard of again
	goesSilent    = 0.5  // for two to seven weeks, and comes back
	takesVacation = 1.0  // books a vacation
	leavesLeague  = 0.12 // says so; half of them return after a while
	neverComes    = 0.04 // of those who join: never takes a turn
	onlyHelps     = 0.08 // of those who join: is a substitute
	rulesOn       = 0.1  // a game of a season that runs
	clockFails    = 8.0  // a year: the server is away, or its clock is set wrong and right again
)

// A person writes to the server. They look into their mailbox now and then, and answer all
// that is there.
type person struct {
	name, address string
	pace          time.Duration // mean time to the next look
	look          time.Time     // the next one; zero: nothing waits
	back          time.Time     // not before this
	gone          bool          // for ever
	last          *notice.Message
	todo          map[string]notice.Message // by game: the newest letter
	held          map[string]notice.Message // by game: it says that a bot keeps their seat
	questions     []notice.Message
	leagues       map[string]bool // ids
	index         int
}

// A decade is a server in this process with its leagues, and all who write to it.
type decade struct {
	*server.Server
	t       *testing.T
	rand    *rand.Rand
	at      time.Time
	leagues []*decadeLeague
	people  map[string]*person
	looks   looks
	in, out int // letters
	faults  map[string]int
	games   map[string]string // leagues of games
	dora    *notice.Message
	answer  *notice.Message // the last
}

// looks is a heap of players who have letters to answer, the first to read theirs on top.
type looks []*person

func (h looks) Len() int           { return len(h) }
func (h looks) Less(i, j int) bool { return h[i].look.Before(h[j].look) }
func (h looks) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}
func (h *looks) Push(x any) {
	p := x.(*person)
	p.index = len(*h)
	*h = append(*h, p)
}
func (h *looks) Pop() any {
	old := *h
	p := old[len(old)-1]
	*h = old[:len(old)-1]
	p.index = -1
	return p
}

func (w *decade) chance(perYear, days float64) bool { return w.rand.Float64() < perYear*days/365 }

func (w *decade) between(from, to int) time.Duration {
	return time.Duration(from+w.rand.IntN(to-from)) * 24 * time.Hour
}

// openDecade opens the server, its leagues and those who play at once.
func openDecade(t *testing.T, leagues []*decadeLeague) *decade {
	t.Helper()
	w := &decade{t: t, rand: rand.New(rand.NewPCG(17, 17)), at: time.Date(2027, 1, 4, 9, 0, 0, 0, time.UTC), leagues: leagues, people: map[string]*person{}, faults: map[string]int{}, games: map[string]string{}}
	w.Server = inprocess.Open(t, func(c *server.Config) {
		c.Start, c.Directors, c.HTTP.BaseURL = "anyone", []string{clubDirector}, "http://play.example.org"
	})
	if err := w.Rebuild(func(c *unit.Config) {
		c.Now, c.Random = func() time.Time { return w.at }, rand.NewChaCha8([32]byte{17})
	}); err != nil {
		t.Fatal(err)
	}
	w.beat()
	for _, l := range leagues {
		l.letters, l.codes, l.ruled, l.urgent = map[string][]string{}, map[string]int{}, map[string]int{}, map[string]int{}
		file := "name: " + l.name + "\ndirector: " + clubDirector + "\nclock: 3 days\nbreak: 2 weeks\nseasons: without end\nat once: 2\nstart: 2027-01-18\n" + l.file
		var err error
		if l.id, err = w.Desk.NewLeague(t.Context(), file); err != nil {
			t.Fatal(err)
		}
	}
	w.collect()
	for _, l := range leagues {
		for range l.size {
			w.newcomer(l)
		}
		for range 2 {
			if !l.solo() { // which has none
				w.substitute(w.person(), l)
			}
		}
	}
	return w
}

const syllables = "bakedigofulamenoprisutavezi"

// person is one more.
func (w *decade) person() *person {
	name := ""
	for n, k := len(w.people), 0; k < 3 || n > 0; k++ {
		i := n % 13 * 2
		name += syllables[i : i+2]
		n /= 13
	}
	name = strings.ToUpper(name[:1]) + name[1:] + "x" // no word that we read as a command
	p := &person{name: name, address: strings.ToLower(name) + "@example.org", index: -1,
		todo: map[string]notice.Message{}, held: map[string]notice.Message{}, leagues: map[string]bool{}}
	p.pace = []time.Duration{5, 10, 14, 20, 30}[w.rand.IntN(5)] * time.Hour
	w.people[p.address] = p
	return p
}

// newcomer joins a league; a few never come, and a few of the others join another, too.
func (w *decade) newcomer(l *decadeLeague) {
	p := w.person()
	if w.joins(p, l); w.rand.Float64() < neverComes {
		w.faults["no-shows"]++
		w.leavesUs(p)
	} else if w.rand.IntN(6) == 0 {
		w.joins(p, w.leagues[w.rand.IntN(len(w.leagues))])
	}
}

// joins lets a person join a league, and confirm it.
func (w *decade) joins(p *person, l *decadeLeague) {
	if p.leagues[l.id] {
		return
	}
	p.leagues[l.id] = true
	w.enters(p, "join league "+l.name+", "+p.name)
}

func (w *decade) substitute(p *person, l *decadeLeague) {
	w.faults["substitutes"]++
	w.enters(p, "substitute "+l.name)
}

func (w *decade) enters(p *person, line string) {
	if w.write(p, nil, line); w.answer != nil && w.answer.Result != notice.Applied {
		p.questions = nil
		w.write(p, w.answer, "yes")
	}
}

func (w *decade) leavesUs(p *person) {
	p.gone = true
	if p.index >= 0 {
		heap.Remove(&w.looks, p.index)
	}
}

// write hands in a letter, as an answer to another if that is given.
func (w *decade) write(p *person, to *notice.Message, lines ...string) {
	w.t.Helper()
	w.in++
	at := inprocess.Address
	if to != nil && to.Token != "" {
		at = inprocess.TokenAddress(to.Token)
	}
	raw := fmt.Sprintf("From: <%s>\r\nTo: <%s>\r\nSubject: orders\r\nDate: %s\r\nMessage-ID: <%d.%s>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nAuthentication-Results: %s; dmarc=pass header.from=example.org\r\n\r\n%s\r\n",
		p.address, at, w.at.Format(time.RFC1123Z), w.in, p.address, inprocess.Authserv, strings.Join(lines, "\r\n"))
	w.answer = nil
	for _, h := range w.Handle(w.t.Context(), []server.Arrival{{Raw: []byte(raw), Received: w.at}}) {
		if h.Err != nil {
			w.t.Fatalf("%v\n%s", h.Err, raw)
		}
	}
	w.collect()
}

// collect delivers what is queued.
func (w *decade) collect() {
	w.t.Helper()
	for {
		due, _, err := w.DB.Due(w.t.Context(), w.at.Add(time.Hour), 200)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(due) == 0 {
			return
		}
		ids := make([]int64, len(due))
		for i, d := range due {
			ids[i] = d.ID
			w.deliver(d.Message)
		}
		if err := w.DB.Sent(w.t.Context(), ids...); err != nil {
			w.t.Fatal(err)
		}
		w.out += len(due)
	}
}

// deliver brings a letter to its reader, who looks at it later.
func (w *decade) deliver(m notice.Message) {
	w.t.Helper()
	if m.Kind == notice.KindAnswer {
		w.answer = &m
	}
	if m.Game == "" { // letters of turns are rendered by other tests
		if _, err := w.Render(w.t.Context(), m); err != nil {
			w.t.Fatal(err)
		}
	}
	w.counts(m)
	p := w.people[m.To]
	if p == nil {
		if m.To == clubDirector && m.Token != "" {
			w.dora = &m
		}
		return
	}
	p.last = &m
	switch {
	case says(m, notice.AskHere, notice.AskPlace, notice.AskSeat):
		p.questions = append(p.questions, m)
	case m.Game == "":
		return
	case says(m, notice.TellAbsent):
		p.held[m.Game] = m
	case m.Kind == notice.KindEnd:
		delete(p.todo, m.Game)
		delete(p.held, m.Game)
		return
	default:
		p.todo[m.Game] = m
	}
	w.waits(p)
}

// says reports whether a letter says one of some things.
func says(m notice.Message, codes ...string) bool {
	return slices.ContainsFunc(m.Answer.Remarks, func(r notice.Remark) bool { return slices.Contains(codes, r.Code) })
}

// waits lets a person look into their mailbox before long.
func (w *decade) waits(p *person) {
	if p.gone || p.index >= 0 {
		return
	}
	p.look = w.at.Add(20*time.Minute + time.Duration(w.rand.ExpFloat64()*float64(p.pace)))
	if p.look.Before(p.back) {
		p.look = p.back.Add(time.Duration(w.rand.IntN(24)) * time.Hour)
	}
	heap.Push(&w.looks, p)
}

// solo reports whether a league is one of solo games.
func (l *decadeLeague) solo() bool { return strings.HasPrefix(l.file, "kind: solo") }

// calm are the letters to a director that ask for nothing, and inVain those about what goes on
// without them: bots play, and the others play for the place.
var (
	calm   = []string{notice.TellDirects, notice.TellNever, notice.TellWeek, notice.TellDirectSeason, notice.TellDirectEnd}
	inVain = []string{notice.TellSeatRuler, notice.TellPlaceVain}
)

// counts keeps account of a letter about a league that answers none.
func (w *decade) counts(m notice.Message) {
	w.t.Helper()
	if m.Kind == notice.KindAnswer {
		return
	}
	id, code := m.League, string(m.Kind)
	if len(m.Answer.Remarks) > 0 {
		code = m.Answer.Remarks[0].Code
	}
	if m.Game != "" {
		id = w.leagueOf(m.Game)
	}
	i := slices.IndexFunc(w.leagues, func(l *decadeLeague) bool { return l.id == id })
	switch {
	case i < 0:
	case m.To == clubDirector:
		l := w.leagues[i]
		l.director++
		hurry := false
		for _, r := range m.Answer.Remarks {
			switch {
			case slices.Contains(urgent, r.Code):
				l.urgent[r.Code]++
				hurry = true
			case !slices.Contains(calm, r.Code):
				w.t.Errorf("%s: the director hears %s: %v", l.name, r.Code, r.Args)
			}
		}
		if hurry {
			if w.at.Sub(l.lately) < 24*time.Hour {
				l.close++
			}
			l.lately = w.at
		}
		if says(m, notice.TellStalled) {
			l.told = w.at
		}
	case m.Game == "":
		l := w.leagues[i]
		l.codes[code]++
		key := fmt.Sprintf("season %d, %s", len(w.league(l).State.Seasons), m.To)
		if l.letters[key] = append(l.letters[key], code); len(l.letters[key]) == maxOutside+1 {
			w.t.Errorf("%s, %s: more than %d letters outside games: %v", l.name, key, maxOutside, l.letters[key])
		}
	}
}

// leagueOf is the league of a game.
func (w *decade) leagueOf(game string) string {
	id, ok := w.games[game]
	if !ok {
		if err := w.DB.View(w.t.Context(), func(tx store.Tx) error {
			row, err := tx.Game(game)
			id = row.League
			return err
		}); err != nil {
			w.t.Fatal(err)
		}
		w.games[game] = id
	}
	return id
}

func (w *decade) league(l *decadeLeague) *look.League {
	w.t.Helper()
	x, err := w.Desk.Host().League(w.t.Context(), l.id)
	if err != nil {
		w.t.Fatal(err)
	}
	return x
}

// looksIn lets a person answer what is in their mailbox.
func (w *decade) looksIn(p *person) {
	for _, q := range p.questions {
		answer := "yes"
		if n := w.rand.IntN(10); !says(q, notice.AskHere) && n > 6 || n == 9 {
			if answer = "no"; n == 8 {
				continue
			}
		}
		w.write(p, &q, answer)
	}
	p.questions = nil
	for _, game := range slices.Sorted(maps.Keys(p.held)) {
		m := p.held[game]
		delete(p.held, game)
		w.write(p, &m, "back")
		if w.answer != nil && w.answer.Result == notice.Applied {
			w.faults["returns"]++
		}
	}
	for _, game := range slices.Sorted(maps.Keys(p.todo)) {
		m := p.todo[game]
		delete(p.todo, game)
		in, err := w.Desk.Host().Input(context.Background(), m)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(in.Legal) == 0 {
			continue
		}
		orders := in.Example
		if len(orders) == 0 || m.Result == notice.Refused || m.Result == notice.Partial {
			orders = in.Legal[:1]
		}
		w.write(p, &m, orders...)
	}
}

// beat says that the server was at work up to now.
func (w *decade) beat() {
	w.t.Helper()
	if err := w.DB.Update(w.t.Context(), func(tx store.Tx) error { return tx.Heartbeat(w.at) }); err != nil {
		w.t.Fatal(err)
	}
}

// run lets time pass up to a moment.
func (w *decade) run(end time.Time) {
	w.t.Helper()
	for {
		next, err := w.Desk.NextDue(w.t.Context())
		if err != nil {
			w.t.Fatal(err)
		}
		if next.IsZero() || next.After(end) {
			next = end
		}
		if len(w.looks) > 0 && w.looks[0].look.Before(next) {
			p := heap.Pop(&w.looks).(*person)
			if p.look.After(w.at) {
				w.at = p.look
				w.beat()
			}
			w.looksIn(p)
			continue
		}
		if next.After(w.at) {
			w.at = next
			w.beat()
		}
		n, err := w.Desk.Due(w.t.Context())
		if err != nil {
			w.t.Fatal(err)
		}
		w.collect()
		if n == 0 && !w.at.Before(end) {
			return
		}
	}
}

// happens is what a day brings beside what people answer.
func (w *decade) happens() {
	w.t.Helper()
	for _, address := range slices.Sorted(maps.Keys(w.people)) {
		p := w.people[address]
		if p.gone || p.last == nil || w.at.Before(p.back) {
			continue
		}
		switch {
		case w.chance(dropsOut, 1):
			w.faults["dropouts"]++
			w.leavesUs(p)
		case w.chance(goesSilent, 1):
			w.faults["silences"]++
			w.silent(p, w.between(14, 50))
		case w.chance(takesVacation, 1):
			w.faults["vacations"]++
			d := w.between(4, 15)
			w.write(p, p.last, "vacation "+w.at.AddDate(0, 0, 1).Format(time.DateOnly)+" "+w.at.Add(d).Format(time.DateOnly))
			w.silent(p, d)
		case w.chance(leavesLeague, 1):
			w.leaves(p)
		}
	}
	for _, l := range w.leagues {
		members := 0
		for _, p := range w.league(l).State.Players {
			if p.In() {
				members++
			}
		}
		if w.chance(float64(l.size)*0.2+4*float64(max(0, l.size-members)), 1) {
			w.faults["late joiners"]++
			if w.rand.Float64() < onlyHelps && !l.solo() {
				w.substitute(w.person(), l)
			} else {
				w.newcomer(l)
			}
		}
		w.rules(l)
	}
	if w.chance(clockFails, 1) {
		w.faults["clock faults"]++
		if w.rand.IntN(2) == 0 { // away
			w.at = w.at.Add(time.Duration(1+w.rand.IntN(40)) * time.Hour)
			if _, err := w.Desk.Beat(w.t.Context()); err != nil {
				w.t.Fatal(err)
			}
		} else {
			by := time.Duration(1+w.rand.IntN(300)) * time.Hour
			for _, by := range []time.Duration{by, -by} {
				if err := w.Desk.Skip(w.t.Context(), by, func() { w.at = w.at.Add(by) }); err != nil {
					w.t.Fatal(err)
				}
				w.collect()
			}
		}
		w.collect()
	}
}

func (w *decade) silent(p *person, d time.Duration) {
	p.back = w.at.Add(d)
	if p.index >= 0 {
		heap.Remove(&w.looks, p.index)
		w.waits(p)
	}
}

// leaves lets a person leave a league; half of them come back after a while.
func (w *decade) leaves(p *person) {
	for _, l := range w.leagues {
		if !p.leagues[l.id] {
			continue
		}
		delete(p.leagues, l.id)
		w.faults["leavers"]++
		w.enters(p, "leave league "+l.name)
		return
	}
	l := w.leagues[w.rand.IntN(len(w.leagues))]
	w.faults["rejoiners"]++
	w.joins(p, l)
}

// rules lets the director rule now and then on a game of a league, running or over.
func (w *decade) rules(l *decadeLeague) {
	x := w.league(l)
	s := x.State.Season()
	if s == nil {
		return
	}
	var games []*league.Fixture
	running := w.rand.IntN(2) == 0
	for i := range s.Divisions {
		for _, f := range s.Divisions[i].Fixtures {
			if f.Game != "" && !f.Void && f.Over() != running {
				games = append(games, f)
			}
		}
	}
	if !w.chance(2*rulesOn*float64(len(games)), 1) {
		return
	}
	f := games[w.rand.IntN(len(games))]
	rec, err := w.Desk.Host().Export(w.t.Context(), f.Game, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	var scores []string
	for _, name := range rec.Names {
		scores = append(scores, fmt.Sprintf("%s %d", name, 40+w.rand.IntN(30)))
	}
	kind := []string{"extend", "rollback", "rollback", "adjudicate", "void", "replay"}[w.rand.IntN(6)]
	if f.Over() {
		kind = []string{"correct", "correct", "void", "replay"}[w.rand.IntN(4)]
	}
	what := map[string]string{"extend": " by 2 days", "rollback": fmt.Sprintf(" to %d", len(rec.Log)*(5+w.rand.IntN(5))/10),
		"adjudicate": " " + strings.Join(scores, ", "), "correct": " " + strings.Join(scores, ", ")}[kind]
	dora := &person{address: clubDirector}
	w.write(dora, w.dora, kind+" "+f.Game+what+": all at the table ask for it.")
	if w.answer != nil && (kind == "void" || kind == "replay") { // are you sure?
		w.write(dora, w.answer, "yes")
	}
	if w.answer != nil && w.answer.Result == notice.Applied {
		l.ruled[kind]++
		return
	}
	l.ruled["refused"]++
}

// maxOverdue is how many times as long as it was planned a season may take.
const maxOverdue = 3

// checks holds what must be so on every day.
func (w *decade) checks() {
	w.t.Helper()
	for _, l := range w.leagues {
		x := w.league(l)
		s := x.State.Season()
		if s != nil && s.Running() {
			l.stalled = time.Time{}
			w.plays(l, s)
			ran, plan := w.at.Sub(s.Began), s.Ends.Sub(s.Began)
			if l.slowest = max(l.slowest, float64(ran)/float64(plan)); ran > maxOverdue*plan && l.late != s.N {
				l.late = s.N
				l.untold = append(l.untold, fmt.Sprintf("season %d began on %s, was to end on %s, and still runs", s.N, s.Began.Format(time.DateOnly), s.Ends.Format(time.DateOnly)))
			}
			continue
		}
		opens, ok := x.State.Opens()
		if !ok || opens.After(w.at) {
			l.stalled = time.Time{}
			continue
		}
		if l.stalled.IsZero() {
			l.stalled = opens
		}
		if w.at.Sub(l.stalled) > 9*24*time.Hour && l.told.Before(l.stalled) { // check-in may take days
			l.untold = append(l.untold, fmt.Sprintf("no season since %s", l.stalled.Format(time.DateOnly)))
			l.told = w.at
		}
	}
}

// plays holds that a season moves: each of its games waits for a bot or for a player with a
// deadline, the calendar has a day for the league or a game runs, and no one plays more
// games at once than the file allows.
func (w *decade) plays(l *decadeLeague, s *league.Season) {
	w.t.Helper()
	running := 0
	err := w.DB.View(w.t.Context(), func(tx store.Tx) error {
		for i := range s.Divisions {
			for _, f := range s.Divisions[i].Fixtures {
				if f.Game == "" || f.Over() {
					continue
				}
				running++
				seats, err := tx.Seats(f.Game)
				if err != nil {
					return err
				}
				if !slices.ContainsFunc(seats, func(x store.Seat) bool { return !x.Deadline.IsZero() }) {
					l.untold = append(l.untold, fmt.Sprintf("game %s waits for no one: %+v", f.Game, seats))
				}
			}
		}
		due, err := tx.DuesOf(store.DueLeague, l.id)
		if running == 0 && len(due) == 0 {
			l.untold = append(l.untold, fmt.Sprintf("season %d stands still since %s", s.N, w.at.Format(time.DateOnly)))
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	scorer.AtOnce(w.t, w.league(l).State)
}

// tables holds all tables against the second scorer.
func (w *decade) tables() {
	w.t.Helper()
	for _, l := range w.leagues {
		s := w.league(l).State
		scorer.Compare(w.t, s)
		scorer.Fair(w.t, s)
		scorer.Years(w.t, s)
		lines, err := w.Desk.Host().LeagueLines(w.t.Context(), l.id)
		if err != nil {
			w.t.Fatal(err)
		}
		scorer.Order(w.t, s, lines)
	}
}

// longestYear is how long a year may take: several times what it does.
const longestYear = 3 * time.Minute

// left is how many letters asked the director for something that only they can do: but rulings,
// seasons that can't begin, appeals, and players who get no letters any more.
func (l *decadeLeague) left() (n int) {
	for code, times := range l.urgent {
		if !slices.Contains(inVain, code) {
			n += times
		}
	}
	return n
}

// TestDecade plays a league of each format with 12 to 60 players for some years, with no-shows,
// dropouts, leavers, substitutes, returns, late joiners, vacations, clocks that fail and
// now and then a ruling: no one directs them, and no one has to. Stalls are told, the director
// hears of nothing else than LEAGUES.md says, tables are
// those of the second scorer, and a season brings no player more than maxOutside letters
// outside games.
func TestDecade(t *testing.T) {
	if *years == 0 {
		t.Skip("only with -years: .ci/run plays one, make soak ten")
	}
	if *decadeDir != "" {
		t.Setenv("TMPDIR", *decadeDir)
	}
	began := time.Now()
	w := openDecade(t, decadeLeagues())
	first := w.at
	for y := range *years {
		for end := first.AddDate(y+1, 0, 0); w.at.Before(end); {
			w.run(w.at.Truncate(24 * time.Hour).Add(33 * time.Hour))
			w.happens()
			w.checks()
		}
		w.tables()
		t.Logf("year %d: %v, %d letters in, %d out", y+1, time.Since(began).Round(time.Second), w.in, w.out)
	}
	w.verify()
	took := time.Since(began)
	if most := time.Duration(*years) * longestYear; took > most {
		t.Errorf("it took %v, more than %v", took, most)
	}
	report := w.report(w.at.Sub(first), took)
	t.Log("\n" + report)
	for _, l := range w.leagues {
		for _, s := range l.untold {
			t.Errorf("%s: no one was told: %s", l.name, s)
		}
		if n := l.left(); n > 0 {
			t.Errorf("%s: %d things were left to the director: %v", l.name, n, l.urgent)
		}
	}
	if *decadeReport != "" {
		if err := writeReport(*decadeReport, t.Name(), report); err != nil {
			t.Fatal(err)
		}
	}
}

// verify holds that the logs of the leagues and of their games make what is stored.
func (w *decade) verify() {
	w.t.Helper()
	host := w.Desk.Host()
	for _, l := range w.leagues {
		if _, others, differs, err := host.VerifyLeague(w.t.Context(), l.id); err != nil || len(others)+len(differs) > 0 {
			w.t.Errorf("%s: %v %v %v", l.name, others, differs, err)
		}
	}
	if err := host.VerifyAll(w.t.Context(), func(c look.Check) error {
		if c.Err != nil || c.Difference != nil {
			w.t.Errorf("game %s: %v %v", c.Game, c.Err, c.Difference)
		}
		return nil
	}); err != nil {
		w.t.Error(err)
	}
}

// report is what the years showed, as Markdown.
func (w *decade) report(span, took time.Duration) string {
	var b strings.Builder
	weeks := span.Hours() / 24 / 7
	fmt.Fprintf(&b, "%d years: %d letters in, %d letters out, played in %d minutes on %d processors. The director ruled on some games, and did\n"+
		"nothing else. All tables are those of the second scorer.\n\n", int(weeks/52), w.in, w.out, int(took.Minutes()+0.5), runtime.NumCPU())
	b.WriteString("| league, players | seasons | games over | rulings | stalls told | stalls untold | left to the director | letters to the director a week | of these, at once | letters outside games for a player and season: mean, 99 %, most |\n|---|---|---|---|---|---|---|---|---|---|\n")
	finished, atOnce, near, slowest := 0, 0, 0, 0.0
	for _, l := range w.leagues {
		s := w.league(l).State
		over, ruled, hurry, sum := 0, 0, 0, 0
		for _, f := range s.Fixtures {
			if f.Game != "" && f.Over() {
				over++
			}
			for _, o := range s.Outcomes(f) {
				if !o.Counts {
					w.faults["seats that bots played"]++
				}
			}
		}
		finished += over
		for kind, n := range l.ruled {
			if kind != "refused" {
				ruled += n
			}
		}
		for _, n := range l.urgent {
			hurry += n
		}
		atOnce, near, slowest = atOnce+hurry, near+l.close, max(slowest, l.slowest)
		var n []int
		for _, told := range l.letters {
			n = append(n, len(told))
			sum += len(told)
		}
		slices.Sort(n)
		fmt.Fprintf(&b, "| %s, %d | %d | %d | %d | %d | %d | %d | %.1f | %.1f | %.1f, %d, %d |\n", s.Rules.Kind, l.size, len(s.Seasons), over, ruled, l.urgent[notice.TellStalled], len(l.untold), l.left(),
			float64(l.director)/weeks, float64(hurry)/weeks, float64(sum)/float64(max(len(n), 1)), n[len(n)*99/100], n[len(n)-1])
		w.t.Logf("%s: rulings %v, letters %v, to the director at once %v, %d of them within a day of another, slowest season %.1f times its plan", l.name, l.ruled, sortedCounts(l.codes), l.urgent, l.close, l.slowest)
	}
	var size int64
	for _, end := range []string{"", "-wal"} {
		if x, err := os.Stat(w.Conf.Path(w.Conf.Database) + end); err == nil {
			size += x.Size()
		}
	}
	fmt.Fprintf(&b, "\nThe database has %.0f MB, %.0f KB for each of %d games over.", float64(size)/1e6, float64(size)/1e3/float64(max(finished, 1)), finished)
	b.WriteString(" What happened: " + strings.Join(sortedCounts(w.faults), ", ") + ".\n\n")
	fmt.Fprintf(&b, "\"Left to the director\" are seasons that could not begin, appeals, and players who get no letters any more: the test\n"+
		"fails if there are any. The other %d letters at once were about seats and places for which no substitute was free; %d of them came\n"+
		"within a day of another about the same league: too few to make the others wait. A season may take %d times as long as planned\n"+
		"before the test calls it late; the slowest took %.1f times as long.\n", atOnce, near, maxOverdue, slowest)
	return b.String()
}

// sortedCounts are counts as text, the largest first.
func sortedCounts(n map[string]int) (out []string) {
	keys := slices.Sorted(maps.Keys(n))
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(n[b], n[a]) })
	for _, k := range keys {
		out = append(out, fmt.Sprintf("%d %s", n[k], k))
	}
	return out
}

// writeReport puts a test's figures between its marks in a file.
func writeReport(path, test, report string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	begin, end := "<!-- figures of "+test+" -->\n", "<!-- end of "+test+" -->\n"
	head, rest, ok := strings.Cut(string(b), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s lacks the marks %q and %q", path, begin, end)
	}
	return os.WriteFile(path, []byte(head+begin+"\n"+report+"\n"+end+tail), 0o644)
}
