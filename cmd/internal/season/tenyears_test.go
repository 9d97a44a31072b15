//go:build real

package season

import (
	"bytes"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/mail"
	"net/smtp"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"golang.org/x/sync/errgroup"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/db"
	"angelpost/mail/peers"
)

var (
	tenDays    = flag.Int("ten.days", 20, "days that TestTenYears simulates")
	tenPlayers = flag.Int("ten.players", 16, "players of TestTenYears")
	tenFor     = flag.Duration("ten.for", 0, "end it after so long, whatever has been simulated; 0: do not")
	tenReport  = flag.String("ten.report", "", "a Markdown file into which TestTenYears writes its figures, between its two marks")
)

const (
	tenQuarterDays = 91

	tenKeep     = 60 // days for which letters are kept: the least
	tenStep     = 12 * time.Hour
	tenAuthserv = "years.test"
	tenCrew     = "crew" // the mailbox of all players, whose addresses begin with it
	tenPatience = 4 * time.Minute
	tenFolder   = "/dev/shm" // for queues and mailboxes
	tenLines    = 8          // connections to Postfix, each with its own players
)

// A sailor is a player of TestTenYears.
type sailor struct {
	name, address string
	line          int           // by which their letters go
	pace          time.Duration // mean time to the next look into the mailbox
	look, back    time.Time     // the next look; not before this
	gone          bool          // for ever
	moves         int           // to other addresses
	last          *tenLetter
	todo, held    map[string]tenLetter // by game: the newest that asks for orders; that a bot keeps their seat
	questions     []tenLetter
}

// A tenLetter is what a player needs of a letter to answer it.
type tenLetter struct {
	to, id string
	step   int
	orders []string
}

// tenYears is a server between Dovecot and Postfix, and all who write to it.
type tenYears struct {
	t       *testing.T
	rand    *rand.Rand
	time    *program.Time
	dovecot *peers.Dovecot
	postfix *peers.Postfix
	config  string
	disk    string // the database's
	proc    *program.Process
	ledger  *sql.DB
	lines   [tenLines]*tenLine
	inbox   *imapclient.Client // of the server
	appends []*imapclient.AppendCommand
	box     *imapclient.Client // of the players
	seen    imap.UID
	crew    []*sailor
	by      map[string]*sailor // by address

	tenMark                   // before this step
	settled          *tenMark // when settle last returned; nil: it never has
	stepIn, stepOut  int      // in this step: written; received that were not received before
	got              map[string]bool
	in, out, repeats int
	results          map[string]int
	did              map[string]int
	quarters         []tenQuarter
	samples          map[string][]int // of the quarter, by what is measured
	batches          int              // of letters
	silent           bool             // the server may be behind: nothing is counted
}

// A tenMark is how far the database had come at a moment.
type tenMark struct {
	inMark, outMark int // the newest letters in and out
	waiting         int // letters out that were not sent yet
}

// A tenQuarter is what there was in a quarter of a year, or in what was played of it.
type tenQuarter struct {
	days, in, out, games        int
	rss, most                   int // kB: median, most
	heap, goroutines, openFiles int // medians; the heap in bytes: what lives after a collection
	filed                       int // letters in the mailbox's folder for those that were dealt with
	size                        int64
	took                        time.Duration
}

// tenFlat is what must not grow as time goes on, with how much more than in the second quarter it may be;
// in the first, all that is kept in memory fills up. Each game that is over may add to the live heap,
// as the state of a league holds all its seasons.
var tenFlat = []struct {
	what    string
	of      func(tenQuarter) int
	spare   int
	perGame int
}{
	{"kB resident", func(q tenQuarter) int { return q.rss }, 12 << 10, 0},
	{"bytes of live heap", func(q tenQuarter) int { return q.heap }, 4 << 20, 2 << 10},
	{"goroutines", func(q tenQuarter) int { return q.goroutines }, 12, 0},
	{"open files", func(q tenQuarter) int { return q.openFiles }, 12, 0},
	{"letters in the folder of those dealt with", func(q tenQuarter) int { return q.filed }, 5000, 0},
}

// TestTenYears: leagues and single games go on for years, with all that happens to hosts and
// players: the program as a process, Dovecot, Postfix, and a clock that the test lets run. It
// begins with a database of the first schema. Players drop out, move to other mailboxes, go
// on vacation, live in zones with summer time; the server is upgraded, its disk is full
// twice, and twice it is put back to a backup, after which it reads the letters since again.
// No letter is lost in either direction, what is stored replays, memory stays flat, and a
// finished game takes the room that is promised.
//
// By default it takes the better part of a minute; `make soak` has it go on for ten years of
// 200 players.
func TestTenYears(t *testing.T) {
	began := time.Now()
	w := openTenYears(t)
	days := *tenDays
	// What happens to the host, by the part of the time that is over.
	host := map[int]func(){}
	for at, f := range map[float64]func(){0.2: w.diskFull, 0.4: w.restored, 0.6: w.diskFull, 0.8: w.restored} {
		host[int(at*float64(days))] = f
	}
	quarterBegan, inBefore, outBefore := time.Now(), 0, 0
	played := 0
	for day := range days {
		if f := host[day]; f != nil {
			f()
		}
		if day%90 == 45 || day == days/2 {
			w.upgraded()
		}
		w.happens()
		for range int(24 * time.Hour / tenStep) {
			w.step()
		}
		if day%7 == 3 {
			w.sample()
		}
		played = day + 1
		over := *tenFor > 0 && time.Since(began) > *tenFor
		if day%tenQuarterDays == tenQuarterDays-1 || day == days-1 || over {
			if over || day == days-1 || day%(4*tenQuarterDays) == 4*tenQuarterDays-1 {
				w.replays()
			}
			if len(w.samples) == 0 {
				w.sample()
			}
			rss := w.samples["VmRSS"]
			w.quarters = append(w.quarters, tenQuarter{day%tenQuarterDays + 1, w.in - inBefore, w.out - outBefore, w.count("SELECT count(*) FROM games WHERE state = 'finished'"),
				median(rss), slices.Max(rss), median(w.samples["go_gc_heap_live_bytes"]), median(w.samples["go_goroutines"]), median(w.samples["process_open_fds"]), w.filed(), w.size(), time.Since(quarterBegan)})
			t.Logf("quarter %d: %+v, %v, %v", len(w.quarters), w.quarters[len(w.quarters)-1], w.did, w.results)
			quarterBegan, inBefore, outBefore, w.samples = time.Now(), w.in, w.out, map[string][]int{}
		}
		if over {
			break
		}
	}
	w.proc.Stop()
	for _, bad := range []string{"set aside", "panic"} {
		if strings.Contains(w.proc.Said(), bad) {
			t.Errorf("the log says %q", bad)
		}
	}
	last := w.quarters[len(w.quarters)-1]
	for i, q := range w.quarters {
		for _, f := range tenFlat {
			if i > 1 && q.days == tenQuarterDays && f.of(q) > f.of(w.quarters[1])+f.spare+f.perGame*q.games {
				t.Errorf("quarter %d: %d %s; the second had %d", i+1, f.of(q), f.what, f.of(w.quarters[1]))
			}
		}
	}
	letters, games := program.Room(t, w.ledger)
	t.Logf("letters take %d KB, games %d KB", letters>>10, games>>10)
	each := int64(0)
	if last.games > 0 {
		if each = games / int64(last.games); last.games > 50 && each > mostPerGame {
			t.Errorf("a finished game takes %d bytes", each)
		}
	}
	if *tenReport != "" {
		var b strings.Builder
		fmt.Fprintf(&b, "%s, %d days (%.1f years) of %d players in %v, on %d processors shared with other work; Dovecot and Postfix; %s.\n\n", time.Now().UTC().Format(time.DateOnly), played, float64(played)/365, *tenPlayers, time.Since(began).Round(time.Minute), runtime.NumCPU(), runtime.Version())
		fmt.Fprintf(&b, "Letters in %d, out %d. Lost: 0. Sent twice with the same Message-ID: %d. Answers: %s.\nWhat happened: %s.\n\n", w.in, w.out, w.repeats, counted(w.results), counted(w.did))
		b.WriteString("| quarter | days | letters in | out | games over, in all | resident, median | most | live heap | goroutines | open files | letters filed | database | took |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
		for i, q := range w.quarters {
			fmt.Fprintf(&b, "| %d | %d | %d | %d | %d | %d MB | %d MB | %.1f MB | %d | %d | %d | %d MB | %v |\n", i+1, q.days, q.in, q.out, q.games, q.rss>>10, q.most>>10, float64(q.heap)/(1<<20), q.goroutines, q.openFiles, q.filed, q.size>>20, q.took.Round(time.Minute))
		}
		fmt.Fprintf(&b, "\nAt the end letters (kept for %d days) take %d KB of the database, packed; games and players %d KB, %d KB for each finished game, with those under way.\n", tenKeep, letters>>10, games>>10, each>>10)
		if err := writeReport(*tenReport, t.Name(), b.String()); err != nil {
			t.Fatal(err)
		}
	}
}

// mostPerGame is how many bytes a finished game takes at most, with its share of the games
// under way; TestRoomOfAGame counts those that are over alone.
const mostPerGame = 24 << 10

// counted lists counts, the largest first.
func counted(n map[string]int) string {
	var parts []string
	for _, what := range slices.SortedFunc(maps.Keys(n), func(a, b string) int {
		if n[a] != n[b] {
			return n[b] - n[a]
		}
		return strings.Compare(a, b)
	}) {
		parts = append(parts, fmt.Sprintf("%d %s", n[what], what))
	}
	return strings.Join(parts, ", ")
}

func openTenYears(t *testing.T) *tenYears {
	t.Helper()
	if _, err := os.Stat(tenFolder); err == nil { // no disk that waits: what a power loss leaves others test
		t.Setenv("TMPDIR", tenFolder)
	}
	w := &tenYears{t: t, rand: rand.New(rand.NewPCG(10, 10)), by: map[string]*sailor{}, got: map[string]bool{}, samples: map[string][]int{}, results: map[string]int{}, did: map[string]int{}}
	for i := range w.lines {
		w.lines[i] = new(tenLine)
	}
	// Summer time begins soon. All is in the past: Dovecot keeps no date to come.
	start := time.Date(time.Now().Year(), 3, 15, 9, 0, 0, 0, time.UTC)
	for start.AddDate(0, 0, *tenDays+10).After(time.Now()) {
		start = start.AddDate(-1, 0, 0)
	}
	w.time = program.NewTime(t, start)
	lmtp := peers.Addr(t) // Postfix must know it first
	w.dovecot = peers.StartDovecot(t, "/", mailclient.ServerUser, tenCrew)
	w.postfix = peers.StartPostfixWith(t, w.dovecot, fmt.Sprintf("transport_maps = inline:{ {%s@%s = lmtp:inet:%s} }\nvirtual_alias_maps = regexp:{ {/^crew\\./ crew@"+peers.Domain+"} }\n"+
		"minimal_backoff_time = 1s\nmaximal_backoff_time = 1s\nqueue_run_delay = 1s\nsmtpd_client_connection_rate_limit = 0\nin_flow_delay = 0\ninitial_destination_concurrency = 15\nlmtp_destination_concurrency_limit = 15", mailclient.ServerUser, peers.Domain, lmtp))
	w.disk = t.TempDir()
	if err := syscall.Mount("tmpfs", w.disk, "tmpfs", 0, fmt.Sprintf("size=%dm", 24+*tenPlayers*2+*tenDays**tenPlayers/1000)); err != nil {
		t.Fatalf("a disk that can be full needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(w.disk, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	w.config = mailclient.WritePlace(t, w.dovecot, w.postfix)
	text, err := os.ReadFile(w.config)
	if err != nil {
		t.Fatal(err)
	}
	write := func(path, database string) {
		t.Helper()
		changed := strings.Replace(string(text), `"games.db"`, strconv.Quote(database), 1)
		changed = fmt.Sprintf("authserv_id = %q\nkeep_days = %d\n", tenAuthserv, tenKeep) + changed + fmt.Sprintf("\n[lmtp]\naddr = %q\n[metrics]\naddr = \"127.0.0.1:0\"\n", lmtp)
		if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// A database of the first schema, with two games.
	today := filepath.Join(t.TempDir(), "today.toml")
	write(today, today+".db")
	for i := range *tenPlayers {
		w.hire(i)
	}
	for i := range 2 {
		w.command("new", "-config", today, "-started", "-organiser", w.crew[2*i].address, "-player", w.crew[2*i].address, "-player", w.crew[2*i+1].address)
	}
	write(w.config, w.database())
	program.OldDatabase(t, w.database(), today+".db", 1)

	w.box = w.login(tenCrew)
	if _, err := w.box.Select("INBOX", nil).Wait(); err != nil {
		t.Fatal(err)
	}
	w.inbox = w.login(mailclient.ServerUser)
	w.serve()
	w.did["upgrades from the first schema"]++
	w.mark()
	w.settle()

	n := *tenPlayers
	begins := "start: " + w.time.Now().AddDate(0, 0, 4).Format(time.DateOnly) + "\n"
	for _, l := range []struct {
		file string
		from int
		to   int
	}{
		{"name: Iron League\nkind: divisions\ntable: 2\ndivision: 6\ngames: 2\nleast: 4\nseason: 48 weeks\nbreak: 2 weeks\n", 0, n * 6 / 10},
		{"name: Grand Swiss\nkind: swiss\ntable: 3\nrounds: 2\nleast: 6\nseason: 48 weeks\nbreak: 2 weeks\n", n * 6 / 10, n * 9 / 10},
		{"name: Winter Cup\nkind: knockout\ntable: 2\nleast: 2\nseason: 40 weeks\nbreak: 4 weeks\n", n * 9 / 10, n},
	} {
		file := filepath.Join(t.TempDir(), "league")
		if err := os.WriteFile(file, []byte(l.file+begins+"clock: 5 days\nseasons: without end\nat once: 2\ncheck in: 0 days\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		w.command("league", "create", "-config", w.config, file)
		name, _, _ := strings.Cut(strings.TrimPrefix(l.file, "name: "), "\n")
		w.mark()
		for _, p := range w.crew[l.from:l.to] {
			w.joins(p, name)
		}
		w.settle()
	}
	w.mark()
	zones := []string{"Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney", "America/Sao_Paulo", "UTC", "Asia/Kolkata"}
	for i, p := range w.crew {
		if p.last != nil {
			w.write(p, p.last, "zone "+zones[i%len(zones)], []string{"format text", "format text", "format text", "format html"}[i%4])
		}
	}
	w.settle()
	return w
}

// joins has the host let a player into a league.
func (w *tenYears) joins(p *sailor, league string) {
	w.t.Helper()
	w.command("league", "join", "-config", w.config, league, p.address, p.name)
}

func (w *tenYears) database() string { return filepath.Join(w.disk, "games.db") }

// hire makes one more player.
func (w *tenYears) hire(i int) *sailor {
	name := ""
	for n, k := i, 0; k < 3 || n > 0; k++ {
		name += syllables[n%13*2 : n%13*2+2]
		n /= 13
	}
	name = strings.ToUpper(name[:1]) + name[1:] + "x" // no word that we read as a command
	p := &sailor{line: i, name: name, address: fmt.Sprintf("%s.%s@%s", tenCrew, strings.ToLower(name), peers.Domain), pace: []time.Duration{12, 20, 30, 40, 56}[i%5] * time.Hour,
		todo: map[string]tenLetter{}, held: map[string]tenLetter{}}
	w.crew = append(w.crew, p)
	w.by[p.address] = p
	return p
}

// command runs a command of the program.
func (w *tenYears) command(args ...string) string {
	w.t.Helper()
	code, out, talk := program.Outcome(w.t, args...)
	if code != program.ExitYes {
		w.t.Fatalf("angelpost %s: %d\n%s%s", strings.Join(args, " "), code, out, talk)
	}
	return out
}

func (w *tenYears) login(user string) *imapclient.Client {
	w.t.Helper()
	c := mailclient.Login(w.t, w.dovecot.IMAPAddr, user, peers.Password)
	w.t.Cleanup(func() { c.Close() })
	return c
}

// serve starts the server.
func (w *tenYears) serve() {
	w.t.Helper()
	w.proc = program.Start(w.t, "serve", "-config", w.config)
	if w.ledger != nil {
		w.ledger.Close()
	}
	var err error
	if w.ledger, err = sql.Open("sqlite3", "file:"+w.database()+"?mode=ro&_busy_timeout=10000"); err != nil {
		w.t.Fatal(err)
	}
	w.postfix.Flush(w.t)
}

func (w *tenYears) count(query string, args ...any) (n int) {
	w.t.Helper()
	if err := w.ledger.QueryRow(query, args...).Scan(&n); err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
	return n
}

// mark begins a step: what comes from here on is counted.
func (w *tenYears) mark() {
	if w.settled == nil {
		w.settled = &tenMark{w.count("SELECT coalesce(max(id), 0) FROM letters"), w.count("SELECT coalesce(max(id), 0) FROM out"), w.count("SELECT count(*) FROM out WHERE state = 1")}
	}
	w.tenMark = *w.settled
	w.stepIn, w.stepOut = 0, 0
}

// write brings a letter of a player's to the server: to the address that another bears, or to
// its own. They go by Postfix, which hands them over by LMTP, or in every eighth batch into the mailbox.
func (w *tenYears) write(p *sailor, to *tenLetter, lines ...string) {
	w.t.Helper()
	w.letter(p, to, "text/plain; charset=utf-8", strings.Join(lines, "\r\n")+"\r\n")
}

func (w *tenYears) letter(p *sailor, to *tenLetter, kind, body string) {
	w.t.Helper()
	at, reply := mailclient.ServerUser+"@"+peers.Domain, ""
	if to != nil {
		at, reply = to.to, "In-Reply-To: "+to.id+"\r\n"
	}
	w.in++
	w.stepIn++
	now := w.time.Now()
	raw := fmt.Appendf(nil, "From: %s <%s>\r\nTo: <%s>\r\nSubject: orders\r\nDate: %s\r\nMessage-ID: <%d.%s>\r\n%sAuthentication-Results: %s; dmarc=pass header.from=%s\r\nMIME-Version: 1.0\r\nContent-Type: %s\r\n\r\n%s",
		p.name, p.address, at, now.Format(time.RFC1123Z), w.in, p.address, reply, tenAuthserv, peers.Domain, kind, body)
	if w.batches%8 == 0 { // Dovecot says that letters are there half a second later
		c := w.inbox.Append("INBOX", int64(len(raw)), &imap.AppendOptions{Time: now})
		_, err := c.Write(raw)
		if err = errors.Join(err, c.Close()); err != nil {
			w.t.Fatal(err)
		}
		w.appends = append(w.appends, c)
		return
	}
	line := w.lines[p.line%tenLines]
	line.letters = append(line.letters, tenPosted{p.address, at, raw})
}

// A tenLine is a connection to Postfix, and the letters that wait to go there.
type tenLine struct {
	conn    *smtp.Client
	letters []tenPosted
}

type tenPosted struct {
	from, to string
	raw      []byte
}

// posts hands all letters to Postfix that were written, those of a player one after the
// other, and waits until those that were put into the mailbox are there.
func (w *tenYears) posts() {
	w.t.Helper()
	any := len(w.appends) > 0
	var group errgroup.Group
	for _, line := range w.lines {
		any = any || len(line.letters) > 0
		group.Go(func() error {
			for _, l := range line.letters {
				if err := line.post(w.postfix.SMTPAddr, l); err != nil {
					return err
				}
			}
			line.letters = nil
			return nil
		})
	}
	if any {
		w.batches++
	}
	err := group.Wait()
	for _, c := range w.appends {
		_, e := c.Wait()
		err = errors.Join(err, e)
	}
	w.appends = nil
	if err != nil {
		w.t.Fatal(err)
	}
}

// post hands over a letter.
func (x *tenLine) post(addr string, l tenPosted) (err error) {
	for range 2 { // Postfix ends a connection now and then
		if x.conn == nil {
			conn, err := net.Dial("tcp", addr)
			if err != nil {
				return err
			}
			if x.conn, err = smtp.NewClient(conn, "127.0.0.1"); err != nil {
				return err
			}
		}
		if err = x.conn.Mail(l.from); err == nil {
			break
		}
		x.conn.Close()
		x.conn = nil
	}
	if err != nil {
		return err
	}
	if err := x.conn.Rcpt(l.to); err != nil {
		return err
	}
	data, err := x.conn.Data()
	if err != nil {
		return err
	}
	_, err = data.Write(l.raw)
	return errors.Join(err, data.Close())
}

var eplyYes = regexp.MustCompile("eply `yes`")

// read takes in what has come to the players.
func (w *tenYears) read() {
	w.t.Helper()
	if err := w.box.Noop().Wait(); err != nil {
		w.t.Fatal(err)
	}
	body := &imap.FetchItemBodySection{Peek: true}
	msgs, err := w.box.Fetch(imap.UIDSet{imap.UIDRange{Start: w.seen + 1}}, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{body}}).Collect()
	if err != nil {
		w.t.Fatal(err)
	}
	var read imap.UIDSet
	for _, m := range msgs {
		if m.UID <= w.seen {
			continue
		}
		w.seen = m.UID
		read.AddNum(m.UID)
		w.receive(m.FindBodySection(body))
	}
	if len(read) == 0 {
		return
	}
	if err := w.box.Store(read, &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}, nil).Close(); err != nil {
		w.t.Fatal(err)
	}
	if err := w.box.Expunge().Close(); err != nil {
		w.t.Fatal(err)
	}
}

func (w *tenYears) receive(raw []byte) {
	w.t.Helper()
	n := mailclient.ReadNotice(w.t, raw)
	id := n.Header.Get("Message-Id")
	if w.got[id] {
		w.repeats++
		return
	}
	w.got[id] = true
	w.out++
	w.stepOut++
	to, err := mail.ParseAddress(n.Header.Get("To"))
	if err != nil {
		w.t.Fatal(err)
	}
	p := w.by[to.Address]
	if p == nil {
		w.t.Fatalf("a letter to %s:\n%.2000s", to.Address, n.Text)
	}
	mailclient.CheckLetter(w.t, to.Address, raw)
	reply, err := mail.ParseAddress(n.Header.Get("Reply-To"))
	if err != nil {
		w.t.Fatal(err)
	}
	if n.Kind == "answer" {
		w.results[n.Result]++
	}
	l := tenLetter{to: reply.Address, id: id, step: stepOf(n), orders: n.Example}
	if len(l.orders) == 0 || n.Result == "refused" || n.Result == "partial" {
		l.orders = n.Legal[:min(1, len(n.Legal))]
	}
	p.last = &l
	game, text := n.Header.Get("X-Angelpost-Game"), strings.Join(strings.Fields(n.Text), " ")
	switch {
	case n.Kind == "end":
		delete(p.todo, game)
		delete(p.held, game)
		return
	case strings.Contains(text, "a bot plays your seat for now. Reply `back`"):
		p.held[game] = l
	case eplyYes.MatchString(text):
		p.questions = append(p.questions, l)
	}
	if old, ok := p.todo[game]; game != "" && len(l.orders) > 0 && (!ok || l.step >= old.step) { // the newest need not have come last
		p.todo[game] = l
	}
	if now := w.time.Now(); !p.look.After(now) {
		if p.look = now.Add(20*time.Minute + time.Duration(w.rand.ExpFloat64()*float64(p.pace))); p.look.Before(p.back) {
			p.look = p.back.Add(time.Duration(w.rand.IntN(24)) * time.Hour)
		}
	}
}

// answers has a player answer what is in their mailbox.
func (w *tenYears) answers(p *sailor) {
	for _, q := range p.questions {
		w.write(p, &q, "yes")
	}
	p.questions = nil
	for _, game := range slices.Sorted(maps.Keys(p.held)) {
		l := p.held[game]
		w.did["returns"]++
		w.write(p, &l, "back")
	}
	clear(p.held)
	for _, game := range slices.Sorted(maps.Keys(p.todo)) {
		l := p.todo[game]
		w.write(p, &l, l.orders...)
	}
	clear(p.todo)
}

// step lets half a day pass: those whose time has come write, and all that comes of it is
// waited for.
func (w *tenYears) step() {
	w.t.Helper()
	w.mark()
	now := w.time.Now()
	for _, p := range w.crew {
		if !p.gone && !p.look.After(now) && len(p.todo)+len(p.held)+len(p.questions) > 0 {
			w.answers(p)
		}
	}
	w.posts()
	w.time.Pass(now.Add(tenStep))
	w.settle()
}

// settle waits until nothing moves any more: the time is there, each letter written is
// stored and handled, each letter out is sent, and has come to its reader.
func (w *tenYears) settle() {
	w.t.Helper()
	w.posts()
	looks, flushed := int64(0), time.Now()
	const surplus = 5 * time.Second
	for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		var there bool
		var mark tenMark
		there, looks = w.time.There(looks)
		var in, fresh, queued, sent, late int
		err := errors.New("the time is not there")
		if there {
			err = w.ledger.QueryRow(`SELECT (SELECT count(*) FROM letters WHERE id > ?1), (SELECT count(*) FROM letters WHERE state = 1),
				(SELECT count(*) FROM out WHERE state = 1 AND due <= ?3), (SELECT count(*) FROM out WHERE id > ?2 AND state = 0), (SELECT count(*) FROM out WHERE id <= ?2 AND state = 1),
				(SELECT coalesce(max(id), 0) FROM letters), (SELECT coalesce(max(id), 0) FROM out), (SELECT count(*) FROM out WHERE state = 1)`,
				w.inMark, w.outMark, w.time.Now().UnixMilli()).Scan(&in, &fresh, &queued, &sent, &late, &mark.inMark, &mark.outMark, &mark.waiting)
		}
		if err == nil && fresh == 0 && queued == 0 && (w.silent || in >= w.stepIn) {
			w.read()
			if w.silent && w.drained() {
				w.settled = &mark
				return
			}
			extra := in > w.stepIn || w.stepOut > sent+w.waiting-late // it may have been sent since, as after a bot has thought
			if !w.silent && w.stepOut >= sent+w.waiting-late && (!extra || time.Since(begin) > surplus) {
				if extra {
					w.t.Errorf("%d letters written, %d stored; %d sent, %d received", w.stepIn, in, sent+w.waiting-late, w.stepOut)
				}
				w.settled = &mark
				return
			}
		}
		if time.Since(flushed) > 2*time.Second { // what Postfix could not hand over
			w.postfix.Flush(w.t)
			flushed = time.Now()
		}
		if time.Since(begin) > tenPatience {
			w.t.Fatalf("%v: %d letters written, %d stored, %d not handled; %d wait to go out, %d sent, %d were waiting, %d of these do, %d received: %v", w.time.Now(), w.stepIn, in, fresh, queued, sent, w.waiting, late, w.stepOut, err)
		}
	}
}

// drained reports whether no letter is in the server's mailbox or with Postfix.
func (w *tenYears) drained() bool {
	w.t.Helper()
	s, err := w.inbox.Status("INBOX", &imap.StatusOptions{NumMessages: true}).Wait()
	if err != nil {
		w.t.Fatal(err)
	}
	if *s.NumMessages > 0 {
		return false
	}
	before := w.out + w.repeats
	time.Sleep(1500 * time.Millisecond)
	w.read()
	return before == w.out+w.repeats
}

// filed is how many letters the mailbox keeps that were dealt with.
func (w *tenYears) filed() int {
	w.t.Helper()
	s, err := w.inbox.Status("Angelpost/Done", &imap.StatusOptions{NumMessages: true}).Wait()
	if err != nil {
		w.t.Fatal(err)
	}
	return int(*s.NumMessages)
}

// happens is what a day brings beside what people answer.
func (w *tenYears) happens() {
	w.t.Helper()
	w.mark()
	now := w.time.Now()
	chance := func(perYear float64) bool { return w.rand.Float64() < perYear/365 }
	for i, p := range slices.Clone(w.crew) {
		if p.gone || p.last == nil || now.Before(p.back) {
			continue
		}
		switch {
		case chance(0.1): // and someone new comes in their place
			w.did["dropouts"]++
			p.gone = true
			q := w.hire(len(w.crew))
			w.joins(q, []string{"Iron League", "Grand Swiss", "Winter Cup"}[i%3])
		case chance(0.5):
			w.did["silences"]++
			p.back = now.AddDate(0, 0, 14+w.rand.IntN(30))
		case chance(1):
			w.did["vacations"]++
			p.back = now.AddDate(0, 0, 4+w.rand.IntN(10))
			w.write(p, p.last, "vacation "+now.AddDate(0, 0, 1).Format(time.DateOnly)+" "+p.back.Format(time.DateOnly))
		}
	}
	w.settle()
	w.mark()
	for _, p := range w.crew {
		if p.last != nil && !p.gone && chance(0.1) || w.did["moves"] == 0 && p == w.crew[len(w.crew)/2] && p.last != nil {
			w.did["moves"]++
			p.moves++
			old := p.address
			p.address = fmt.Sprintf("%s.%s.%d@%s", tenCrew, strings.ToLower(p.name), p.moves, peers.Domain)
			w.by[p.address] = p
			w.command("player", "address", "-config", w.config, old, p.address)
		}
	}
	for range 2 { // single games
		if a, b := w.crew[w.rand.IntN(len(w.crew))], w.crew[w.rand.IntN(len(w.crew))]; a != b && !a.gone && !b.gone && chance(float64(*tenPlayers)/10) {
			w.did["single games"]++
			w.command("new", "-config", w.config, "-started", "-organiser", a.address, "-player", a.address, "-player", b.address)
		}
	}
	w.settle()
}

// undo takes back the newest steps of the schema, of which nothing is lost here: no player is
// erased.
var undo = map[int]string{
	24: "CREATE VIRTUAL TABLE said USING fts4 (text, tokenize=unicode61, order=desc); DROP TABLE zeros; DROP TABLE erased_hashes; DELETE FROM meta WHERE key IN ('wipe', 'wipe_free', 'secret')",
	23: "DROP INDEX games_name",
}

// upgraded ends the server, and starts it on the database as an older version would have left
// it: one or two steps of the schema ago, by turns. The server copies that before it changes it.
func (w *tenYears) upgraded() {
	w.t.Helper()
	w.did["upgrades"]++
	w.mark()
	w.proc.Stop()
	from := db.Schema() - 1 - w.did["upgrades"]%2
	c, err := sql.Open("sqlite3", w.database()+"?_journal_mode=WAL")
	if err != nil {
		w.t.Fatal(err)
	}
	for v := db.Schema(); v > from; v-- {
		if undo[v] == "" {
			w.t.Fatalf("say in undo how schema %d is taken back", v)
		}
		if _, err := c.Exec(undo[v] + fmt.Sprintf("; PRAGMA user_version = %d", v-1)); err != nil {
			w.t.Fatal(err)
		}
	}
	if err := c.Close(); err != nil {
		w.t.Fatal(err)
	}
	w.serve()
	if copies, err := filepath.Glob(fmt.Sprintf("%s.schema%04d-*", w.database(), from)); err != nil || len(copies) == 0 {
		w.t.Errorf("no copy of schema %d from before: %v", from, err)
	}
	if v := w.count("SELECT * FROM pragma_user_version"); v != db.Schema() {
		w.t.Errorf("after an upgrade from schema %d the database has schema %d", from, v)
	}
	w.settle()
}

// diskFull fills the database's disk for a while in which letters come and time goes on.
func (w *tenYears) diskFull() {
	w.t.Helper()
	w.did["times the disk was full"]++
	w.mark()
	filler := filepath.Join(w.disk, "filler")
	f, err := os.Create(filler)
	if err != nil {
		w.t.Fatal(err)
	}
	for size := 1 << 20; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
	f.Close()
	now := w.time.Now()
	for _, p := range w.crew {
		if !p.gone && !now.Before(p.back) && p.last != nil {
			w.answers(p)
		}
	}
	// The WAL still has room for some megabytes: these letters need more.
	picture := strings.Repeat(strings.Repeat("QUJD", 19)+"\r\n", 1<<20/78)
	for i := range 8 {
		w.letter(w.crew[0], w.crew[0].last, "multipart/mixed; boundary=x", fmt.Sprintf("--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nrules %d\r\n--x\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n%s--x--\r\n", i+1, picture))
	}
	w.posts()
	w.time.Pass(now.Add(tenStep))
	w.proc.Says(regexp.MustCompile("disk is full|disk full|database or disk"))
	time.Sleep(2 * time.Second)
	if err := os.Remove(filler); err != nil {
		w.t.Fatal(err)
	}
	w.settle()
}

// restored puts the server back to a backup, as after a disk that broke, and has it read the
// letters since again.
func (w *tenYears) restored() {
	w.t.Helper()
	w.did["restores"]++
	backup := filepath.Join(w.t.TempDir(), "backup.db")
	w.command("backup", "-config", w.config, backup)
	made := w.time.Now()
	before := w.in
	for range 3 { // a day and a half
		w.step()
	}
	logs := w.logs()
	// A letter that came by LMTP is in the database alone until it is filed, a moment later.
	for begin := time.Now(); w.count("SELECT count(*) FROM unfiled") > 0; time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > tenPatience {
			w.t.Fatal("letters that came by LMTP are not filed")
		}
	}
	w.proc.Kill()
	w.ledger.Close()
	w.ledger = nil
	for _, end := range []string{"-wal", "-shm"} {
		if err := os.Remove(w.database() + end); err != nil && !errors.Is(err, os.ErrNotExist) {
			w.t.Fatal(err)
		}
	}
	b, err := os.ReadFile(backup)
	if err == nil {
		err = os.WriteFile(w.database(), b, 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.silent = true
	w.serve()
	w.proc.Says(regexp.MustCompile("put back to an earlier time"))
	w.settle()
	out := w.command("restore", "-config", w.config, "-since", made.Add(-time.Second).Format(time.RFC3339))
	w.settle()
	w.silent = false
	if n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(out), "letters=")); err != nil || n != w.in-before {
		w.t.Errorf("%s were read again, %d had come since the backup", strings.TrimSpace(out), w.in-before)
	}
	same, other := 0, 0
	now := w.logs()
	for game, was := range logs {
		if strings.HasPrefix(now[game], was) {
			same++
		} else {
			other++
		}
	}
	w.did["games as before after a restore"] += same
	if other > 0 {
		w.did["games that went on differently"] += other
	}
	if same < other {
		w.t.Errorf("after a restore %d games have gone differently, %d as before", other, same)
	}
	w.did["letters read again"] += w.in - before
}

// logs are the orders of all games.
func (w *tenYears) logs() map[string]string {
	w.t.Helper()
	rows, err := w.ledger.Query("SELECT game, seat || ' ' || line || ' ' || told FROM log ORDER BY game, n")
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	all := map[string]*bytes.Buffer{}
	for rows.Next() {
		var game, line string
		if err := rows.Scan(&game, &line); err != nil {
			w.t.Fatal(err)
		}
		if all[game] == nil {
			all[game] = &bytes.Buffer{}
		}
		fmt.Fprintln(all[game], line)
	}
	out := map[string]string{}
	for game, b := range all {
		out[game] = b.String()
	}
	return out
}

// median is the middle one; 0: there is none.
func median(of []int) int {
	if len(of) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(of))[len(of)/2]
}

var tenFigure = regexp.MustCompile(`(?m)^(go_gc_heap_live_bytes|go_goroutines|process_open_fds) ([0-9.e+]+)$`)

// sample notes how much memory the server takes, and how many goroutines and files it has.
func (w *tenYears) sample() {
	w.t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", w.proc.Cmd.Process.Pid))
	if err != nil {
		w.t.Fatal(err)
	}
	_, figures := program.Get(w.t, w.proc.Values["metrics"]+"/metrics")
	found := 0
	for _, m := range append(statusLine.FindAllStringSubmatch(string(b), -1), tenFigure.FindAllStringSubmatch(figures, -1)...) {
		n, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			w.t.Fatal(err)
		}
		w.samples[m[1]] = append(w.samples[m[1]], int(n))
		found++
	}
	if found != 5 { // with VmHWM
		w.t.Fatalf("%d figures in %s\n%s", found, b, figures)
	}
}

// replays holds that all that is stored can be replayed.
func (w *tenYears) replays() {
	w.t.Helper()
	w.command("verify", "-all", "-config", w.config)
	w.command("league", "verify", "-config", w.config, "-all")
	if n := w.count("SELECT count(*) FROM letters WHERE state IN (1, 3)"); n > 0 {
		w.t.Errorf("%d letters are not handled or set aside", n)
	}
}

func (w *tenYears) size() int64 {
	w.t.Helper()
	i, err := os.Stat(w.database())
	if err != nil {
		w.t.Fatal(err)
	}
	return i.Size()
}
