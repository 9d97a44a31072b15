//go:build real

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"database/sql"
	"encoding/base32"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/mail"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"angelpost/mail/peers"
)

var (
	killCount  = flag.Int("kills", 60, "how often TestKills kills the server")
	killReport = flag.String("report", "", "a Markdown file into which TestKills writes its figures, between its two marks")
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
// moment. Then it accounts for every letter (oracle_test.go).
func TestKills(t *testing.T) {
	k := newKiller(t)
	began := time.Now()
	for len(k.deaths) < *killCount {
		k.life(true)
		if t.Failed() {
			t.FailNow()
		}
	}
	took := time.Since(began)
	k.draining = true
	k.life(false)
	tally, wrong := check(k.sent(), k.read())
	for i, w := range wrong {
		if i == 50 {
			t.Errorf("and %d more", len(wrong)-i)
			break
		}
		t.Error(w)
	}
	if out, code := output(t, "verify", "-all", "-config", k.config); code != exitYes || strings.Count(out, "ok game=") < len(k.players) {
		t.Errorf("verify -all: %d\n%s", code, out)
	}
	k.checkDeaths()
	report := k.report(tally, took)
	t.Log("\n" + report)
	if *killReport != "" && !t.Failed() {
		if err := writeReport(*killReport, report); err != nil {
			t.Fatal(err)
		}
	}
}

// A killer writes letters, lets the server live and die, and remembers it all.
type killer struct {
	t        *testing.T
	r        *rand.Rand
	dovecot  *peers.Dovecot
	log      *postLog
	address  string // the server's, without a token
	config   string
	database string
	draining bool // no new letters

	letters []*letterOut
	byID    map[string]*letterOut
	later   []*letterOut // to be handed over once more
	tables  []*killTable
	players map[string]map[int]string // address by game and seat
	boxes   map[string]bool           // addresses of players
	counts  map[string]int            // of what is bounded
	toAct   map[string][]int

	deaths []death
	rising []time.Duration // from start until at work
}

// A letterOut is a written letter and what the killer needs to go on.
type letterOut struct {
	written
	to, envelope string
	raw          []byte
	answered     bool
}

// A killTable is where the same clients sit down to one game after the other.
type killTable struct {
	clients []*client
	game    string
	seats   map[*client]*killSeat
	known   map[string]bool // Message-IDs read
	frozen  *letterOut      // nobody moves until this is answered
}

// A killSeat is a client in the game at his table.
type killSeat struct {
	*client
	table *killTable
	seat  int
	last  *notice // bears the youngest token
	todo  *notice // lists what can be done now
	first *notice // of the first turn
	turns int
	step  int        // letters about earlier positions are old news
	busy  *letterOut // an order under way
	over  bool
}

func newKiller(t *testing.T) *killer {
	users := []string{}
	for i := range killTables {
		for n := range playersOf(i) {
			users = append(users, player(i, n+1))
		}
	}
	d := peers.StartDovecot(t, "/", append([]string{serverUser}, users...)...)
	x := peers.StartPostfix(t, d)
	config := writePlace(t, d, x)
	k := &killer{
		t: t, r: rand.New(rand.NewPCG(uint64(*killCount), 7)), dovecot: d, log: &postLog{path: x.Log, smtp: x.SMTPAddr},
		address: serverUser + "@" + peers.Domain, config: config, database: filepath.Join(filepath.Dir(config), "games.db"),
		byID: map[string]*letterOut{}, players: map[string]map[int]string{}, boxes: map[string]bool{},
		counts: map[string]int{}, toAct: map[string][]int{},
	}
	p := &place{dovecot: d, postfix: x, config: config}
	for i := range killTables {
		table := &killTable{clients: p.clients(t, i, playersOf(i)), known: map[string]bool{}}
		for _, c := range table.clients {
			k.boxes[c.address] = true
		}
		k.tables = append(k.tables, table)
		k.newGame(table)
	}
	return k
}

// newGame begins a game at the command line, beside the server or without it.
func (k *killer) newGame(table *killTable) {
	args := []string{"new", "-config", k.config, "-started", "-organiser", table.clients[0].address, "-visibility", "unlisted"}
	table.seats = map[*client]*killSeat{}
	for _, c := range table.clients {
		args = append(args, "-player", c.address)
		table.seats[c] = &killSeat{client: c, table: table}
	}
	out, code := output(k.t, args...)
	game, ok := strings.CutPrefix(strings.TrimSpace(out), "game=")
	if code != exitYes || !ok {
		k.t.Fatalf("new: %d %q", code, out)
	}
	table.game, k.players[game] = game, map[int]string{}
}

// life starts the server, writes it letters until it dies, and notes what it
// left behind. Without kill it lets the server work everything off and stops it.
func (k *killer) life(kill bool) {
	point, times, patience := "", 0, lifeLimit
	switch {
	case !kill:
	case k.r.IntN(8) == 0:
		patience = time.Duration(k.r.IntN(150)) * time.Millisecond // on its way up
	case k.r.IntN(8) == 0:
		patience = time.Duration(k.r.IntN(1500)) * time.Millisecond
	default:
		if point, times = k.rarest(), 1+k.r.IntN(4); point == "connect" { // once a connection
			times = 1 + k.r.IntN(2)
		}
	}
	cmd := angelpost("serve", "-config", k.config)
	if point != "" {
		cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%s:%d", faultVariable, point, times))
	}
	var mu sync.Mutex
	var said bytes.Buffer
	var http string
	began := time.Now()
	var up time.Duration
	watch := func(name string) func(b []byte) (int, error) {
		var line []byte
		return func(b []byte) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			said.Write(b)
			for _, c := range b {
				if line = append(line, c); c != '\n' {
					continue
				}
				if name == "stderr" && up == 0 && bytes.Contains(line, []byte(`msg="imapbox: watching"`)) {
					up = time.Since(began)
				}
				if v, ok := strings.CutPrefix(string(line), "http="); ok && name == "stdout" {
					http = strings.TrimSpace(v)
				}
				line = line[:0]
			}
			return len(b), nil
		}
	}
	cmd.Stdout, cmd.Stderr = writer(watch("stdout")), writer(watch("stderr"))
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	defer cmd.Process.Kill() // if the test ends here

	outside := false
	ended := false
	drained := time.Now().Add(drainLimit)
	for !ended {
		select {
		case <-done:
			ended = true
			continue
		default:
		}
		busy := k.sweep()
		mu.Lock()
		risen := up > 0
		mu.Unlock()
		switch lived := time.Since(began); {
		case lived > k.watchdog() && !risen:
			k.t.Errorf("not at work %v after its start:\n%s", lived, said.Bytes())
			cmd.Process.Kill()
			outside = true
		case kill && lived > patience:
			cmd.Process.Kill()
			outside = true
		case !kill && (k.drained() || time.Now().After(drained)):
			k.ask(http)
			cmd.Process.Signal(syscall.SIGTERM)
			if err := <-done; err != nil {
				k.t.Errorf("stopped: %v\n%s", err, said.Bytes())
			}
			return
		case !busy:
			time.Sleep(5 * time.Millisecond)
		}
	}
	if up > 0 {
		k.rising = append(k.rising, up)
	}
	if s := cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGKILL {
		k.t.Fatalf("it ended by itself: %v\n%s", cmd.ProcessState, said.Bytes())
	}
	if outside {
		if point = "from outside"; patience < 150*time.Millisecond {
			point = "on its way up"
		}
	}
	k.bury(point)
}

// watchdog is how long the server may take to be at work.
func (k *killer) watchdog() time.Duration {
	if *killCount >= fullRun {
		return atWorkFull
	}
	return atWork
}

// rarest is the fault point met least often, the earliest of several.
func (k *killer) rarest() string {
	met := map[string]int{}
	for _, d := range k.deaths {
		met[d.point]++
	}
	return slices.MinFunc(faultPoints, func(a, b string) int { return met[a] - met[b] })
}

// bury notes what a dead server left behind. The database is read from a copy:
// the next server is to find it as it lies.
func (k *killer) bury(point string) {
	k.log.settle(k.t, len(k.deaths))
	dir := k.t.TempDir()
	defer os.RemoveAll(dir)
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(k.database + suffix)
		if err != nil && suffix == "" {
			k.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "db"+suffix), b, 0o600); err != nil {
			k.t.Fatal(err)
		}
	}
	d := openTables(k.t, filepath.Join(dir, "db"))
	defer d.Close()
	x := death{point: point, queued: map[string]bool{}}
	for _, o := range d.out() {
		if o.state == "queued" {
			x.queued[o.id] = true
		}
	}
	handled := 0
	for _, l := range d.in() {
		if l.state != "new" {
			handled++
		}
	}
	x.open = len(k.letters) - handled + len(x.queued)
	k.deaths = append(k.deaths, x)
}

// sweep lets every client read and write once; it tells whether anything was
// done.
func (k *killer) sweep() bool {
	busy := false
	for _, table := range k.tables {
		over := true
		for _, c := range table.clients {
			busy = k.turn(table, table.seats[c]) || busy
			over = over && table.seats[c].over
		}
		if over && !k.draining {
			k.newGame(table)
		}
	}
	if k.draining {
		for _, l := range k.later {
			k.post(l)
		}
		k.later = nil
		return busy
	}
	open := 0
	for _, l := range k.letters {
		if !l.answered && l.fate != fateHeld && l.fate != fateSilent {
			open++
		}
	}
	for range min(3, killOpen-open) {
		k.another()
	}
	if len(k.later) > 0 && k.r.IntN(3) == 0 {
		k.post(k.later[0])
		k.later = k.later[1:]
	}
	return busy
}

// turn lets one client read his letters, and answer what he must decide.
func (k *killer) turn(table *killTable, s *killSeat) (busy bool) {
	for _, n := range s.fetch() {
		busy = true
		id := n.header.Get("Message-Id") + s.address
		if table.known[id] {
			continue
		}
		table.known[id] = true
		l := k.byID[strings.Trim(n.header.Get("In-Reply-To"), "<>")]
		if l != nil {
			l.answered = true
		}
		if table.frozen == l {
			table.frozen = nil
		}
		if n.kind == "invitation" && !k.draining {
			k.write(&letterOut{written: written{what: "join", fate: fateApplied, from: s.address}, to: replyAddress(k.t, &n)}, "join")
		}
		if n.header.Get("X-Angelpost-Game") != table.game {
			continue
		}
		var step int
		fmt.Sscan(n.header.Get("X-Angelpost-Seat"), &s.seat)
		fmt.Sscan(n.header.Get("X-Angelpost-Step"), &step)
		k.players[table.game][s.seat] = s.address
		s.last = &n
		s.over = s.over || n.kind == "end"
		if n.kind == "turn" {
			if s.turns++; s.first == nil {
				s.first = &n
			}
		}
		done := l != nil && l == s.busy
		if done {
			s.busy, s.todo = nil, nil
		}
		if (done || n.kind == "turn" || n.kind == "start") && len(n.legal) > 0 && step >= s.step {
			s.todo = &n
			s.step = step
		}
	}
	if s.todo != nil && s.busy == nil && table.frozen == nil && !k.draining {
		busy = true
		l := &letterOut{written: written{
			what: "order", fate: fateApplied, from: s.address, game: table.game, seat: s.seat, order: s.todo.legal[k.r.IntN(len(s.todo.legal))],
		}, to: replyAddress(k.t, s.todo)}
		s.busy, s.todo = l, nil
		s.step++
		k.write(l, l.order, "In-Reply-To: "+s.last.header.Get("Message-Id"))
	}
	return busy
}

func replyAddress(t *testing.T, n *notice) string {
	a, err := mail.ParseAddress(n.header.Get("Reply-To"))
	if err != nil {
		t.Fatalf("Reply-To %q: %v", n.header.Get("Reply-To"), err)
	}
	return a.Address
}

// write numbers a letter, notes it, and hands it over; one in ten comes again
// later, once or twice.
func (k *killer) write(l *letterOut, body string, head ...string) {
	n := len(k.letters) + 1
	l.id = fmt.Sprintf("%d.%s@oracle.test", n, strings.ReplaceAll(l.what, " ", "-"))
	l.envelope = cmp.Or(l.envelope, l.from)
	var b bytes.Buffer
	// Equal letters of one second would be one letter (MAIL.md, Once).
	fmt.Fprintf(&b, "From: %s\r\nTo: %s\r\nSubject: Re: %s\r\nDate: %s\r\nMessage-ID: <%s>\r\nMIME-Version: 1.0\r\n",
		l.from, l.to, l.what, time.Now().Add(time.Duration(n)*time.Second).Format(time.RFC1123Z), l.id)
	kind := "Content-Type: text/plain; charset=utf-8"
	for _, h := range head {
		if strings.HasPrefix(h, "Content-Type:") {
			kind = h
			continue
		}
		b.WriteString(h + "\r\n")
	}
	b.WriteString(kind + "\r\n\r\n" + body + "\r\n")
	l.raw = b.Bytes()
	k.letters = append(k.letters, l)
	k.byID[l.id] = l
	k.post(l)
	if k.r.IntN(10) == 0 {
		k.later = append(k.later, l)
		if k.r.IntN(2) == 0 {
			k.later = append(k.later, l)
		}
	}
}

func (k *killer) post(l *letterOut) {
	envelope := l.envelope
	if envelope == "<>" {
		envelope = ""
	}
	l.copies++
	if err := deliver(k.log.smtp, envelope, l.to, l.raw); err != nil {
		k.t.Fatalf("letter %s: %v", l.id, err)
	}
}

// another writes a letter that is no good order, of any kind.
func (k *killer) another() {
	table := k.tables[k.r.IntN(len(k.tables))]
	s := table.seats[table.clients[k.r.IntN(len(table.clients))]]
	if s.last == nil || s.over {
		return
	}
	other := table.seats[table.clients[k.r.IntN(len(table.clients))]]
	n := len(k.letters) + 1
	word := fmt.Sprintf("number %d of the oracle", n)
	token := replyAddress(k.t, s.last)
	elsewhere := func(name string) string { return fmt.Sprintf("%s%d@elsewhere.test", name, n) }
	answer := func(what string, f fate, body string) { // from the player, with his token
		k.write(&letterOut{written: written{what: what, fate: f, from: s.address}, to: token}, body)
	}
	silent := func(what, why, from, to, body string, head ...string) {
		k.write(&letterOut{written: written{what: what, fate: fateSilent, from: from, why: why}, to: to}, body, head...)
	}
	registered := s.turns > 1
	switch what := k.r.IntN(23); {
	case what == 0:
		answer("status", fateUnchanged, "status")
	case what == 1:
		answer("legal", fateUnchanged, "legal")
	case what == 2:
		answer("rules", fateUnchanged, "rules 013\r\nhelp say")
	case what == 3:
		answer("history", fateUnchanged, "history")
	case what == 4 && registered:
		k.write(&letterOut{written: written{what: "status without token", fate: fateUnchanged, from: s.address}, to: k.address}, "status")
	case what == 5 && k.babbles(s):
		answer("nonsense", fateRefused, "frobnicate "+word)
	case what == 6 && k.babbles(s):
		answer("no such card", fateRefused, fmt.Sprintf("mission %d", 1000+n))
	case what == 7 && k.once("empty", s):
		answer("empty", fateRefused, "")
	case what == 8 && registered:
		k.write(&letterOut{written: written{what: "order without token", fate: fateRefused, from: s.address}, to: k.address}, "B")
	case what == 9 && other != s:
		k.write(&letterOut{written: written{what: "foreign token", fate: fateRefused, from: other.address}, to: token}, "B")
	case what == 10 && s.turns > 2:
		k.write(&letterOut{written: written{what: "old token", fate: fateRefused, from: s.address}, to: replyAddress(k.t, s.first)}, "B")
	case what == 11 && other.todo != nil && s.todo == nil && s.busy == nil && len(s.last.legal) == 0 && table.frozen == nil:
		l := &letterOut{written: written{what: "out of turn", fate: fateRefused, from: s.address}, to: token}
		table.frozen = l
		k.write(l, "B")
	case what == 12 && k.counts["alias"+s.address] < 3:
		k.counts["alias"+s.address]++
		k.write(&letterOut{written: written{what: "alias", fate: fateHeld, from: elsewhere("alias")}, to: token}, "B")
	case what == 13 && k.babbles(s):
		k.write(&letterOut{written: written{what: "note", fate: fateApplied, from: s.address, text: word}, to: token}, "note: "+word)
	case what == 14 && k.counts["say"+table.game+s.address] < 30: // as many as it lets a player say a day
		k.counts["say"+table.game+s.address]++
		l := &letterOut{written: written{what: "say", fate: fateApplied, from: s.address, text: word}, to: token}
		for _, c := range table.clients {
			if c != s.client {
				l.readers = append(l.readers, c.address)
			}
		}
		k.write(l, "say: "+word)
	case what == 22 && other != s && k.counts["invited"+other.address] < 3:
		k.counts["invited"+other.address]++
		k.write(&letterOut{written: written{what: "new game", fate: fateApplied, from: s.address, text: word}, to: token},
			"new game\r\nplayers: "+other.address+"\r\nname: "+word)
	case what == 15:
		silent("vacation", "auto", s.address, token, "B", "Auto-Submitted: auto-replied")
	case what == 16:
		silent("list", "list", s.address, token, "B", "List-Id: <friends.elsewhere.test>")
	case what == 17:
		l := &letterOut{written: written{what: "bounce", fate: fateSilent, from: "MAILER-DAEMON@elsewhere.test", why: "a bounce"}, to: k.address, envelope: "<>"}
		k.write(l, strings.Join([]string{"--b", "", "It could not be delivered.", "--b", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; elsewhere.test", "",
			"Final-Recipient: rfc822; " + elsewhere("gone"), "Action: failed", "Status: 5.1.1", "", "--b--"}, "\r\n"),
			`Content-Type: multipart/report; report-type=delivery-status; boundary="b"`)
	case what == 18:
		silent("receipt", "receipt", s.address, token, strings.Join([]string{"--b", "", "It was displayed.", "--b", "Content-Type: message/disposition-notification", "",
			"Final-Recipient: rfc822; " + s.address, "Disposition: manual-action/MDN-sent-manually; displayed", "", "--b--"}, "\r\n"),
			`Content-Type: multipart/report; report-type=disposition-notification; boundary="b"`)
	case what == 19:
		silent("stranger", "nobody we know", elsewhere("stranger"), k.address, "status")
	case what == 20:
		silent("unknown token", "nobody we know", elsewhere("stranger"), serverUser+"+"+strings.Repeat("a", 26)+"@"+peers.Domain, "B")
	case what == 21 && k.r.IntN(10) == 0 && k.once("too large", s):
		answer("too large", fateRefused, strings.Repeat(strings.Repeat("x", 70)+"\r\n", 3<<20/72))
	}
}

// babbles counts the letters without an order that a machine might write: the
// server answers twenty a day, and none that says the same again.
func (k *killer) babbles(s *killSeat) bool {
	k.counts["babble"+s.address]++
	return k.counts["babble"+s.address] <= 15
}

func (k *killer) once(what string, s *killSeat) bool {
	k.counts[what+s.address]++
	return k.counts[what+s.address] == 1
}

// sent is what the oracle is to account for.
func (k *killer) sent() (out []written) {
	for _, l := range k.letters {
		out = append(out, l.written)
	}
	return out
}

// drained tells whether nothing is under way any more.
func (k *killer) drained() bool {
	for _, l := range k.letters {
		if !l.answered && l.fate != fateHeld && l.fate != fateSilent {
			return false
		}
	}
	if k.log.read(k.t, len(k.deaths)); !k.log.idle() {
		return false
	}
	d := openTables(k.t, k.database)
	defer d.Close()
	in, queued := d.in(), slices.ContainsFunc(d.out(), func(o rowOut) bool { return o.state == "queued" })
	if queued || len(in) < len(k.letters) || slices.ContainsFunc(in, func(l rowIn) bool { return l.state == "new" }) {
		return false
	}
	box := k.open(serverUser)
	defer box.Close()
	data, err := box.Select("INBOX", nil).Wait()
	if err != nil {
		k.t.Fatal(err)
	}
	return data.NumMessages == 0
}

// ask reads from the pages for whom the games wait.
func (k *killer) ask(http string) {
	for game := range k.players {
		body, status := get(k.t, http+"/g/"+game+"/view.json")
		var v struct {
			ToAct    []int `json:"to_act"`
			Finished bool
		}
		if err := json.Unmarshal([]byte(body), &v); err != nil || status != 200 {
			k.t.Fatalf("view.json of %s: %d %v", game, status, err)
		}
		if !v.Finished {
			k.toAct[game] = v.ToAct
		}
	}
}

// open logs in at a mailbox, apart from the clients.
func (k *killer) open(user string) *imapclient.Client {
	k.t.Helper()
	c, err := imapclient.DialInsecure(k.dovecot.IMAPAddr, nil)
	if err == nil {
		err = c.Login(user, peers.Password).Wait()
	}
	if err != nil {
		k.t.Fatalf("mailbox of %s: %v", user, err)
	}
	return c
}

// read gathers what there is to be found.
func (k *killer) read() readings {
	k.log.read(k.t, len(k.deaths))
	d := openTables(k.t, k.database)
	defer d.Close()
	r := readings{
		boxes: map[string][]delivered{}, filed: map[string]int{}, in: d.in(), out: d.out(), log: d.log(), words: d.words(), asked: d.asked(),
		posted: k.log.posted, handed: k.log.handed, deaths: k.deaths, toAct: k.toAct, players: k.players,
	}
	for address := range k.boxes {
		r.boxes[address] = k.mailbox(address)
	}
	box := k.open(serverUser)
	defer box.Close()
	folders, err := box.List("", "*", nil).Collect()
	if err != nil {
		k.t.Fatal(err)
	}
	for _, f := range folders {
		if _, err := box.Select(f.Mailbox, nil).Wait(); err != nil {
			continue // a folder that only holds others
		}
		all := imap.UIDSet{imap.UIDRange{Start: 1}}
		msgs, err := box.Fetch(all, &imap.FetchOptions{UID: true, Envelope: true}).Collect()
		if err != nil {
			k.t.Fatal(err)
		}
		for _, m := range msgs {
			if f.Mailbox == "INBOX" {
				r.unfiled = append(r.unfiled, m.Envelope.MessageID)
			} else {
				r.filed[m.Envelope.MessageID]++
			}
		}
	}
	return r
}

var oracleWords = regexp.MustCompile(`number \d+ of the oracle`)

// mailbox reads one player's letters, raw.
func (k *killer) mailbox(address string) (out []delivered) {
	user, _, _ := strings.Cut(address, "@")
	box := k.open(user)
	defer box.Close()
	if _, err := box.Select("INBOX", nil).Wait(); err != nil {
		k.t.Fatal(err)
	}
	body := &imap.FetchItemBodySection{Peek: true}
	cmd := box.Fetch(imap.UIDSet{imap.UIDRange{Start: 1}}, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{body}})
	for m := cmd.Next(); m != nil; m = cmd.Next() {
		got, err := m.Collect()
		if err != nil {
			k.t.Fatal(err)
		}
		raw := got.FindBodySection(body)
		n := readNotice(k.t, raw)
		d := delivered{
			id: strings.Trim(n.header.Get("Message-Id"), "<>"), inReplyTo: strings.Trim(n.header.Get("In-Reply-To"), "<>"),
			kind: n.kind, result: n.result, game: n.header.Get("X-Angelpost-Game"), legal: len(n.legal),
			forced: strings.Count(flatten(understood(n)), "The only possible step, done for you."),
			text:   strings.Join(oracleWords.FindAllString(flatten(n.text), -1), "; "), bytes: sha256Hex(withoutTrace(raw)),
		}
		fmt.Sscan(n.header.Get("X-Angelpost-Seat"), &d.seat)
		fmt.Sscan(n.header.Get("X-Angelpost-Step"), &d.step)
		out = append(out, d)
	}
	if err := cmd.Close(); err != nil {
		k.t.Fatal(err)
	}
	return out
}

// withoutTrace takes off what the post puts before a letter.
func withoutTrace(raw []byte) []byte {
	for {
		name, _, _ := bytes.Cut(raw, []byte(":"))
		if !slices.Contains([]string{"return-path", "delivered-to", "received"}, strings.ToLower(string(name))) {
			return raw
		}
		for first := true; first || len(raw) > 0 && (raw[0] == ' ' || raw[0] == '\t'); first = false {
			_, raw, _ = bytes.Cut(raw, []byte("\n"))
		}
	}
}

// checkDeaths holds a full run to its shares.
func (k *killer) checkDeaths() {
	met, open := map[string]int{}, 0
	for _, d := range k.deaths {
		met[d.point]++
		if d.open > 0 {
			open++
		}
	}
	least := *killCount * pointShare / fullRun
	for _, p := range faultPoints {
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
func (k *killer) report(t tally, took time.Duration) string {
	var b strings.Builder
	lines, open := 0, 0
	met, underWay := map[string]int{}, map[string]int{}
	for _, d := range k.deaths {
		met[d.point]++
		if d.open > 0 {
			open++
			underWay[d.point]++
		}
	}
	for _, l := range k.letters {
		if l.order != "" {
			lines++
		}
	}
	slices.Sort(k.rising)
	fmt.Fprintf(&b, "%s: %d kills in %v, %d of them with letters under way; %d games, %d orders. %d cores, %s, %s, %s.\n\n",
		time.Now().UTC().Format(time.DateOnly), len(k.deaths), took.Round(time.Second), open, len(k.players), lines,
		runtime.NumCPU(), runtime.Version(), version("dovecot", "--version"), version("postconf", "-h", "mail_version"))
	fmt.Fprintf(&b, "At work again after %v at the median, %v at most.\n\n",
		k.rising[len(k.rising)/2].Round(time.Millisecond), k.rising[len(k.rising)-1].Round(time.Millisecond))
	b.WriteString(t.sum())
	b.WriteString("\n| killed at | times | with letters under way |\n|---|---:|---:|\n")
	for _, p := range append(slices.Clone(faultPoints), "from outside", "on its way up") {
		fmt.Fprintf(&b, "| %s | %d | %d |\n", p, met[p], underWay[p])
	}
	return b.String()
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

const figuresBegin, figuresEnd = "<!-- figures -->\n", "<!-- end of figures -->\n"

// writeReport puts the figures between the marks of a file.
func writeReport(path, report string) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(b), figuresBegin)
	_, tail, ok2 := strings.Cut(rest, figuresEnd)
	if !ok || !ok2 {
		return fmt.Errorf("%s lacks the marks %q and %q", path, figuresBegin, figuresEnd)
	}
	return os.WriteFile(path, []byte(head+figuresBegin+"\n"+report+"\n"+figuresEnd+tail), 0o644)
}

// A postLog reads Postfix's log as it grows.
type postLog struct {
	path, smtp string
	offset     int64
	rest       string
	sessions   int
	letters    map[string]*posted // by queue id, which may come again once removed
	posted     map[string][]int   // Message-ID to the lives in which it was taken
	handed     map[string]int
	active     int
}

type posted struct {
	id    string
	life  int
	taken bool
}

var logLine = regexp.MustCompile(`postfix/(\w+)\[\d+\]: (.*)$`)

// read takes in what is new; letters begun in it belong to a life.
func (p *postLog) read(t *testing.T, life int) {
	t.Helper()
	f, err := os.Open(p.path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(p.offset, 0); err != nil {
		t.Fatal(err)
	}
	if p.letters == nil {
		p.letters, p.posted, p.handed = map[string]*posted{}, map[string][]int{}, map[string]int{}
	}
	for r := bufio.NewReader(f); ; {
		line, err := r.ReadString('\n')
		p.offset += int64(len(line))
		if p.rest += line; err != nil {
			return // the rest comes when it is written
		}
		m := logLine.FindStringSubmatch(strings.TrimSuffix(p.rest, "\n"))
		p.rest = ""
		if m == nil {
			continue
		}
		switch {
		case m[1] == "smtpd" && strings.HasPrefix(m[2], "connect from"):
			p.sessions++
			continue
		case m[1] == "smtpd" && strings.HasPrefix(m[2], "disconnect from"):
			p.sessions--
			continue
		}
		queue, what, _ := strings.Cut(m[2], ": ")
		l := p.letters[queue]
		switch {
		case m[1] == "cleanup" && strings.HasPrefix(what, "message-id=<"):
			p.letters[queue] = &posted{id: strings.TrimSuffix(strings.TrimPrefix(what, "message-id=<"), ">"), life: life}
		case l == nil:
		case m[1] == "qmgr" && strings.HasSuffix(what, "(queue active)"):
			if !l.taken {
				l.taken = true
				p.posted[l.id] = append(p.posted[l.id], l.life)
			}
		case m[1] == "lmtp" && strings.Contains(what, "status=sent"):
			p.handed[l.id]++
		case m[1] == "qmgr" && what == "removed":
			delete(p.letters, queue)
		}
	}
}

// idle tells whether Postfix has nothing to do.
func (p *postLog) idle() bool {
	for _, l := range p.letters {
		if l.taken {
			return false
		}
	}
	return true
}

// settle reads until the sessions of a dead server have ended.
func (p *postLog) settle(t *testing.T, life int) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		if p.read(t, life); p.sessions == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d SMTP sessions do not end", p.sessions)
		}
	}
}

// tables are the server's tables as the schema describes them.
type tables struct {
	*sql.DB
	t *testing.T
}

func openTables(t *testing.T, path string) *tables {
	t.Helper()
	d, err := sql.Open("sqlite3", "file:"+path+"?_busy_timeout=5000&_query_only=1")
	if err != nil {
		t.Fatal(err)
	}
	return &tables{d, t}
}

var packedText = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// id is a Message-ID as stored: before its host, in base32 as bytes.
func id(local any, host string) string {
	if b, ok := local.([]byte); ok {
		return packedText.EncodeToString(b) + host
	}
	return fmt.Sprint(local) + host
}

// word is one that is stored as its number.
func word(v any, words ...string) string {
	if n, ok := v.(int64); ok && int(n) < len(words) {
		return words[n]
	}
	return fmt.Sprint(v)
}

func (d *tables) each(query string, into []any, f func()) {
	d.t.Helper()
	rows, err := d.Query(query)
	if err != nil {
		d.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			d.t.Fatal(err)
		}
		f()
	}
	if err := rows.Err(); err != nil {
		d.t.Fatal(err)
	}
}

func (d *tables) in() (out []rowIn) {
	var local, state any
	var host string
	var l rowIn
	d.each("SELECT message_id, text, state, why, repeats FROM letters JOIN texts ON texts.id = host", []any{&local, &host, &state, &l.why, &l.repeats}, func() {
		l.id, l.state = id(local, host), word(state, "done", "new", "held", "aside", "mute")
		out = append(out, l)
	})
	return out
}

func (d *tables) out() (out []rowOut) {
	var local, state any
	var host string
	var o rowOut
	d.each("SELECT message_id, h.text, a.text, state FROM out JOIN texts AS h ON h.id = host JOIN texts AS a ON a.id = address", []any{&local, &host, &o.to, &state}, func() {
		o.id, o.state = id(local, host), word(state, "sent", "queued", "failed", "collected", "merged")
		out = append(out, o)
	})
	return out
}

func (d *tables) log() map[string][]rowLog {
	out := map[string][]rowLog{}
	var game string
	var by any
	var l rowLog
	d.each("SELECT games.id, n, seat, by, line FROM log JOIN games ON number = game ORDER BY game, n", []any{&game, &l.n, &l.seat, &by, &l.order}, func() {
		l.by = word(by, "player", "bot", "organiser", "director", "clock")
		out[game] = append(out[game], l)
	})
	return out
}

func (d *tables) words() map[string]int {
	out := map[string]int{}
	var text string
	d.each("SELECT text FROM press UNION ALL SELECT name FROM games", []any{&text}, func() { out[text]++ })
	return out
}

func (d *tables) asked() map[string]int {
	out := map[string]int{}
	var local any
	var host string
	// A question has gone out: a letter bears it.
	d.each(`SELECT letters.message_id, text FROM confirms JOIN letters ON letters.id = letter JOIN texts ON texts.id = letters.host
		JOIN out ON out.confirm = confirms.id WHERE open <> 0`, []any{&local, &host}, func() { out[id(local, host)]++ })
	return out
}
