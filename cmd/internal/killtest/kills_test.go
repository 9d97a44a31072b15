//go:build real

package killtest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/oracle"
	"angelpost/cmd/internal/program"
	"angelpost/db/replica/litestream"
	"angelpost/mail/peers"
)

var (
	killCount  = flag.Int("kills", 60, "how often TestKills kills the server; TestKillsByLMTP a sixth of that")
	killReport = flag.String("report", "", "a Markdown file into which they write their figures, each between its two marks")
)

const (
	fullRun    = 500 // kills; the bounds of atWorkFull and pointShare hold from there on
	pointShare = 20  // of them at each fault point; a shorter run has its share

	killTables = 8               // games under way at once
	killOpen   = 24              // letters wanted under way
	lifeLimit  = 2 * time.Second // of a server that its fault point does not meet
	drainLimit = time.Minute     // to work off the rest

	// From its start until it watches its mailbox.
	atWork     = 15 * time.Second
	atWorkFull = 5 * time.Second
)

// TestKills runs the real server between Dovecot and Postfix, plays games by
// letters with it and writes it letters of every other kind, and kills it again
// and again: mostly by itself at a fault point, else from outside at any
// moment. Then it accounts for every letter (package oracle).
func TestKills(t *testing.T) { newKiller(t, *killCount, false).run() }

// TestKillsByLMTP is TestKills with a Postfix that hands letters to the server
// itself, and keeps them while it is dead.
func TestKillsByLMTP(t *testing.T) { newKiller(t, *killCount/6, true).run() }

// TestKillsWithReplica is TestKills with a replica by Litestream. With each kill the disk is
// lost, too: the next server works on what is restored from the replica.
func TestKillsWithReplica(t *testing.T) {
	k := newKiller(t, *killCount/6, false)
	f, err := os.OpenFile(k.config, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		k.socket = filepath.Join(t.TempDir(), "socket")
		_, err = fmt.Fprintf(f, "\n[replica]\nlitestream = %q\n", k.socket)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	k.replicate()
	k.run()
}

// replicate starts Litestream on the database, with an empty place for the copy.
func (k *killer) replicate() {
	k.replica = litestream.Start(k.t, k.database, "file://"+k.t.TempDir(), "")
	k.replica.Fill(k.t)
	_ = os.Remove(k.socket)
	if err := os.Symlink(k.replica.Socket, k.socket); err != nil {
		k.t.Fatal(err)
	}
}

// loseDisk replaces the database by what the replica has.
func (k *killer) loseDisk() {
	k.replica.Kill()
	err := os.RemoveAll(filepath.Join(filepath.Dir(k.database), "."+filepath.Base(k.database)+"-litestream"))
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if e := os.Remove(k.database + suffix); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = e
		}
	}
	if err == nil {
		err = k.replica.Restore(k.t.Context(), k.database)
	}
	if err != nil {
		k.t.Fatalf("%v\n%s", err, k.replica.Log())
	}
	k.replicate()
}

// run kills as often as wanted, has the rest worked off, and holds what is found
// against what was sent.
func (k *killer) run() {
	t := k.t
	load, began := loadAverage(), time.Now()
	for len(k.deaths) < k.kills {
		k.life(true)
		if t.Failed() {
			t.FailNow()
		}
	}
	took := time.Since(began)
	k.draining = true
	k.life(false)
	tally, wrong := oracle.Check(k.sent(), k.read())
	for i, w := range wrong {
		if i == 50 {
			t.Errorf("and %d more", len(wrong)-i)
			break
		}
		t.Error(w)
	}
	if out, code := program.Output(t, "verify", "-all", "-config", k.config); code != program.ExitYes || strings.Count(out, "ok game=") < len(k.players) {
		t.Errorf("verify -all: %d\n%s", code, out)
	}
	k.checkDeaths()
	report := k.report(tally, len(wrong), took, load)
	t.Log("\n" + report)
	if *killReport != "" && !t.Failed() {
		if err := writeReport(*killReport, t.Name(), report); err != nil {
			t.Fatal(err)
		}
	}
}

// A killer writes letters, lets the server live and die, and remembers it all.
type killer struct {
	t        *testing.T
	kills    int      // wanted
	lmtp     bool     // letters come by LMTP
	points   []string // fault points on their way
	r        *rand.Rand
	dovecot  *peers.Dovecot
	postfix  *peers.Postfix
	log      *postLog
	address  string // the server's, without a token
	config   string
	database string
	draining bool // no new letters

	socket  string // of Litestream; "" without a replica
	replica *litestream.Litestream

	machines []*machine    // of TestKillsWithStandby
	copies   string        // where they keep their replicas
	pages    func() string // where the pages of a third machine are

	letters []*letterOut
	byID    map[string]*letterOut
	later   []*letterOut // to be handed over once more
	tables  []*killTable
	players map[string]map[int]string // address by game and seat
	boxes   map[string]bool           // addresses of players
	counts  map[string]int            // of what is bounded
	toAct   map[string][]int

	deaths []oracle.Death
	rising []time.Duration // from start until at work
}

func newKiller(t *testing.T, kills int, lmtp bool) *killer {
	users := []string{}
	for i := range killTables {
		for n := range mailclient.PlayersOf(i) {
			users = append(users, mailclient.PlayerName(i, n+1))
		}
	}
	d := peers.StartDovecot(t, "/", append([]string{mailclient.ServerUser}, users...)...)
	options, more, points := "", "", program.FaultPoints
	if lmtp {
		lmtp := peers.Addr(t) // Postfix must know it first
		options = fmt.Sprintf("transport_maps = inline:{ {%s@%s = lmtp:inet:%s} }\n"+
			"minimal_backoff_time = 1s\nmaximal_backoff_time = 1s\nqueue_run_delay = 1s", mailclient.ServerUser, peers.Domain, lmtp)
		more = fmt.Sprintf("\n[lmtp]\naddr = %q\n", lmtp)
		points = slices.DeleteFunc(slices.Clone(points), func(p string) bool { return slices.Contains([]string{"fetch", "file", "filed"}, p) })
	}
	x := peers.StartPostfixWith(t, d, options)
	config := mailclient.WritePlace(t, d, x)
	f, err := os.OpenFile(config, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(more)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	k := &killer{
		t: t, kills: kills, lmtp: lmtp, points: points, r: rand.New(rand.NewPCG(uint64(kills), 7)), dovecot: d, postfix: x, log: &postLog{path: x.Log, smtp: x.SMTPAddr},
		address: mailclient.ServerUser + "@" + peers.Domain, config: config, database: filepath.Join(filepath.Dir(config), "games.db"),
		byID: map[string]*letterOut{}, players: map[string]map[int]string{}, boxes: map[string]bool{},
		counts: map[string]int{}, toAct: map[string][]int{},
	}
	p := &mailclient.Place{Dovecot: d, Postfix: x, ConfigFile: config}
	for i := range killTables {
		table := &killTable{clients: p.Clients(t, i, mailclient.PlayersOf(i)), known: map[string]bool{}}
		for _, c := range table.clients {
			k.boxes[c.Address] = true
		}
		k.tables = append(k.tables, table)
		k.newGame(table)
	}
	return k
}

// newGame begins a game at the command line, beside the server or without it.
func (k *killer) newGame(table *killTable) {
	args := []string{"new", "-config", k.config, "-started", "-organiser", table.clients[0].Address, "-visibility", "unlisted"}
	table.seats = map[*mailclient.Client]*killSeat{}
	for _, c := range table.clients {
		args = append(args, "-player", c.Address)
		table.seats[c] = &killSeat{Client: c, table: table}
	}
	out, code := program.Output(k.t, args...)
	game, ok := strings.CutPrefix(strings.TrimSpace(out), "game=")
	if code != program.ExitYes || !ok {
		k.t.Fatalf("new: %d %q", code, out)
	}
	table.game, k.players[game] = game, map[int]string{}
}

// life starts the server, writes it letters until it dies, and notes what it
// left behind. Without kill it lets the server work everything off and stops it.
func (k *killer) life(kill bool) {
	if k.machines != nil {
		k.pairLife(kill)
		return
	}
	point, times, patience, early := "", 0, lifeLimit, false
	switch {
	case !kill:
	case k.r.IntN(8) == 0:
		patience, early = time.Duration(k.r.IntN(150))*time.Millisecond, true
	case k.r.IntN(8) == 0:
		patience = time.Duration(k.r.IntN(1500)) * time.Millisecond
	default:
		if point, times = k.rarest(), 1+k.r.IntN(4); point == "connect" { // once a connection
			times = 1 + k.r.IntN(2)
		}
	}
	cmd := program.Command("serve", "-config", k.config)
	if point != "" {
		cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%s:%d", program.FaultVariable, point, times))
	}
	said := &ear{began: time.Now()}
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	defer cmd.Process.Kill() // if the test ends here

	outside, ended := false, false
	var flushed time.Time
	drained := time.Now().Add(drainLimit)
	for !ended {
		select {
		case <-done:
			ended = true
			continue
		default:
		}
		busy := k.sweep()
		if !kill && time.Since(flushed) > 5*time.Second {
			flushed = time.Now()
			k.postfix.Flush(k.t) // a letter it once found locked it leaves for five minutes
		}
		switch lived, up := time.Since(said.began), said.risen(); {
		case lived > k.watchdog() && up == 0:
			k.t.Errorf("not at work %v after its start:\n%s", lived, said)
			cmd.Process.Kill()
			outside = true
		case early && lived > patience, kill && up > 0 && lived-up > patience:
			cmd.Process.Kill()
			outside = true
		case !kill && (k.drained() || time.Now().After(drained)):
			k.ask(said.http())
			cmd.Process.Signal(syscall.SIGTERM)
			if err := <-done; err != nil {
				k.t.Errorf("stopped: %v\n%s", err, said)
			}
			return
		case !busy:
			time.Sleep(5 * time.Millisecond)
		}
	}
	if up := said.risen(); up > 0 {
		k.rising = append(k.rising, up)
	}
	if s := cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGKILL {
		k.t.Fatalf("it ended by itself: %v\n%s", cmd.ProcessState, said)
	}
	if outside {
		if point = "from outside"; early {
			point = "on its way up"
		}
	}
	k.bury(point)
}

// An ear hears what the server says on both its streams.
type ear struct {
	began time.Time
	mu    sync.Mutex
	said  bytes.Buffer
	up    time.Duration // after began it watched its mailbox
}

func (e *ear) Write(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.said.Write(b)
	if e.up == 0 && bytes.Contains(e.said.Bytes(), []byte(`msg="imapbox: watching"`)) {
		e.up = time.Since(e.began)
	}
	return len(b), nil
}

func (e *ear) risen() time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.up
}

func (e *ear) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.said.String()
}

// http is where its pages are.
func (e *ear) http() string {
	_, rest, _ := strings.Cut("\n"+e.String(), "\nhttp=")
	url, _, _ := strings.Cut(rest, "\n")
	return url
}

// watchdog is how long the server may take to be at work.
func (k *killer) watchdog() time.Duration {
	if k.kills >= fullRun {
		return atWorkFull
	}
	return atWork
}

// rarest is the fault point met least often, the earliest of several.
func (k *killer) rarest() string {
	met := map[string]int{}
	for _, d := range k.deaths {
		met[d.Point]++
	}
	return slices.MinFunc(k.points, func(a, b string) int { return met[a] - met[b] })
}

// bury notes what a dead server left behind. The database is read from a copy:
// the next server is to find it as it lies.
func (k *killer) bury(point string) {
	database := k.database
	if k.machines != nil {
		database = k.restored() // before the next machine takes over
	}
	k.log.settle(k.t, len(k.deaths))
	if k.replica != nil {
		k.loseDisk()
	}
	dir := k.t.TempDir()
	defer os.RemoveAll(dir)
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(database + suffix)
		if err != nil && suffix == "" {
			k.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "db"+suffix), b, 0o600); err != nil {
			k.t.Fatal(err)
		}
	}
	d := openTables(k.t, filepath.Join(dir, "db"))
	defer d.Close()
	x := oracle.Death{Point: point, Queued: map[string]bool{}}
	for _, o := range d.out() {
		if o.State == "queued" {
			x.Queued[o.ID] = true
		}
	}
	handled := 0
	for _, l := range d.in() {
		if l.State != "new" {
			handled++
		}
	}
	x.Open = len(k.letters) - handled + len(x.Queued)
	k.deaths = append(k.deaths, x)
}

// checkDeaths holds a full run to its shares.
func (k *killer) checkDeaths() {
	met, open := map[string]int{}, 0
	for _, d := range k.deaths {
		met[d.Point]++
		if d.Open > 0 {
			open++
		}
	}
	least := k.kills * pointShare / fullRun
	for _, p := range k.points {
		if met[p] < least {
			k.t.Errorf("killed %d times at %s, want %d", met[p], p, least)
		}
	}
	if open*2 < len(k.deaths) {
		k.t.Errorf("%d of %d kills had letters under way", open, len(k.deaths))
	}
	if len(k.rising) == 0 {
		k.t.Fatal("it was never at work")
	}
}

// report is what the run showed, as Markdown.
func (k *killer) report(t oracle.Tally, wrong int, took time.Duration, load string) string {
	var b strings.Builder
	lines, open := 0, 0
	met, underWay := map[string]int{}, map[string]int{}
	for _, d := range k.deaths {
		met[d.Point]++
		if d.Open > 0 {
			open++
			underWay[d.Point]++
		}
	}
	for _, l := range k.letters {
		if l.Order != "" {
			lines++
		}
	}
	slices.Sort(k.rising)
	fmt.Fprintf(&b, "%s, %d cores (load before: %s), %s, %s, %s.\n\n", time.Now().UTC().Format(time.DateOnly),
		runtime.NumCPU(), load, runtime.Version(), version("dovecot", "--version"), version("postconf", "-h", "mail_version"))
	fmt.Fprintf(&b, "%d kills in %v, %d of them with letters under way; %d games, %d orders played.\n"+
		"Letters or orders lost, done twice, repeated without cause or with other bytes, or answered differently than expected: %d.\n"+
		"At work again after %v at the median, %v at most.\n\n",
		len(k.deaths), took.Round(time.Second), open, len(k.players), lines, wrong,
		k.rising[len(k.rising)/2].Round(time.Millisecond), k.rising[len(k.rising)-1].Round(time.Millisecond))
	b.WriteString(t.Sum())
	b.WriteString("\n| killed at | times | with letters under way |\n|---|---:|---:|\n")
	for _, p := range append(slices.Clone(k.points), "from outside", "on its way up") {
		fmt.Fprintf(&b, "| %s | %d | %d |\n", p, met[p], underWay[p])
	}
	return b.String()
}

// loadAverage is that of the last minute.
func loadAverage() string {
	b, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(b))[0]
}

// version is what a server says of itself.
func version(name string, args ...string) string {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return name
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return map[string]string{"dovecot": "Dovecot ", "postconf": "Postfix "}[name] + strings.Fields(first)[0]
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
