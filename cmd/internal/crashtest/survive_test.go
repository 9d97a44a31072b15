package crashtest

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// A survivor is a client that answers each letter once, however often it
// comes, with one order, and remembers what it was promised.
type survivor struct {
	*mailclient.Client
	seat   int
	known  map[string]bool // Message-IDs of letters read
	sent   map[string]string
	done   []string // orders that were answered as applied, in the order sent
	queue  []string // Message-IDs sent, in order
	forced int      // steps the answers say were done as the only possible ones
	copies int      // letters that came again
	silent bool     // answers no more
}

// meet points the survivor to a server that has started anew. Its mailbox may
// have forgotten flags and numbers, so it reads everything again.
func (c *survivor) meet(p *program.Process) {
	c.IMAP, c.SMTP, c.Seen = p.Values["imap"], p.Values["smtp"], 0
	if c.Conn != nil {
		c.Conn.Close()
		c.Conn = nil
	}
}

// turn reads what is new and answers it; it reports whether anything was.
func (c *survivor) turn() bool {
	busy := false
	for _, n := range c.Fetch() {
		id := n.Header.Get("Message-Id")
		if c.known[id] {
			c.copies++
			continue
		}
		c.known[id] = true
		busy = true
		if order, ok := c.sent[n.Header.Get("In-Reply-To")]; ok {
			if n.Result == "applied" {
				c.done = append(c.done, order)
			} else {
				c.T.Errorf("%s: %q was answered as %s:\n%s", c.Address, order, n.Result, mailclient.Head(n.Text, 30))
			}
			c.forced += strings.Count(mailclient.Flatten(mailclient.Understood(n)), "Only one legal option, so we played it for you.")
		}
		c.Over = c.Over || n.Kind == "end"
		if len(n.Legal) > 0 && !c.silent {
			order := n.Legal[c.Pick(len(n.Legal))]
			c.sent1(n, order)
		}
	}
	return busy
}

// sent1 answers a letter with one order and remembers under which Message-ID.
func (c *survivor) sent1(n mailclient.Received, order string) {
	p := &mailclient.Person{Client: c.Client, Last: n, N: c.Client.Sent}
	c.Client.Sent++
	id := "<" + p.Write(mailclient.Post{Body: order + "\r\n"}) + ">"
	c.sent[id] = order
	c.queue = append(c.queue, id)
}

var kills = flag.Int("crash.kills", 7, "how often TestKilled kills the demo")

// TestKilled kills the demo again and again, between letters and right after
// one was accepted, and starts it with the same folder: the game is played to
// its end, and its log has exactly what the players sent.
func TestKilled(t *testing.T) {
	data := t.TempDir()
	args := program.DemoArgs(data, "-seats", "human,human,bot", "-seed", strings.Repeat("c3", 32))
	p := program.Start(t, args...)
	game := p.Values["game"]
	const seed = 20261121
	r := rand.New(rand.NewPCG(seed, 0))
	var all []*survivor
	for i, c := range mailclient.DemoClients(t, p, seed) {
		all = append(all, &survivor{Client: c, seat: i + 1, known: map[string]bool{}, sent: map[string]string{}})
	}
	killed := 0
	again := func(d time.Duration) {
		time.Sleep(d)
		p.Kill()
		killed++
		for r.IntN(3) == 0 { // killed on its way up
			half := program.Command(args...)
			if err := half.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(r.IntN(150)) * time.Millisecond)
			half.Process.Kill()
			_ = half.Wait() // killed, as wanted
		}
		p = program.Start(t, args...)
		if p.Values["game"] != game {
			t.Fatalf("after kill %d another game began", killed)
		}
		for _, c := range all {
			c.meet(p)
		}
	}
	for deadline := time.Now().Add(5 * time.Minute); ; {
		over, busy := true, false
		for _, c := range all {
			before := c.Client.Sent
			busy = c.turn() || busy
			over = over && c.Over
			if c.Client.Sent > before && killed < *kills && r.IntN(3) == 0 && !c.Over {
				// From at once to when the answer is on its way.
				again(time.Duration(r.IntN(40)) * time.Millisecond)
				for killed < *kills && r.IntN(4) == 0 { // and again before it has found its feet
					again(0)
				}
			}
		}
		if over {
			break
		}
		if time.Now().After(deadline) {
			for _, c := range all {
				t.Logf("%s: %d letters read, %d written, end told: %v", c.Address, c.Letters, c.Client.Sent, c.Over)
			}
			t.Fatalf("the game did not end; %d kills (seed %d)", killed, seed)
		}
		if !busy {
			time.Sleep(10 * time.Millisecond)
		}
	}
	if killed < *kills {
		t.Errorf("only %d kills (seed %d)", killed, seed)
	}

	config := filepath.Join(data, "angelpost.toml")
	record, code := program.Output(t, "export", "-config", config, game)
	if code != program.ExitYes {
		t.Fatalf("export: exit %d", code)
	}
	program.CheckRecord(t, record)
	var rec struct {
		Log []struct {
			Seat      int
			By, Order string
		}
	}
	if err := json.Unmarshal([]byte(record), &rec); err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		var lines []string
		for _, l := range rec.Log {
			if l.Seat == c.seat {
				lines = append(lines, l.Order)
			}
			if l.Seat == c.seat && l.By != "player" {
				t.Errorf("%s: %q was done by %s", c.Address, l.Order, l.By)
			}
		}
		var sent []string
		for _, id := range c.queue {
			sent = append(sent, c.sent[id])
		}
		if !slices.Equal(sent, c.done) {
			t.Errorf("%s: %d orders were sent, %d answered in that order", c.Address, len(sent), len(c.done))
		}
		if len(lines) != len(sent)+c.forced {
			t.Errorf("%s: the log has %d lines; %d orders were sent and %d steps done as the only possible ones", c.Address, len(lines), len(sent), c.forced)
		}
		if !subsequence(sent, lines) {
			t.Errorf("%s: the log does not hold the orders as sent:\n%q\n%q", c.Address, sent, lines)
		}
		t.Logf("%s: %d orders, %d forced, %d copies of letters after %d kills", c.Address, len(sent), c.forced, c.copies, killed)
	}
	p.Stop()
}

// TestKilledAtItsFirstStart kills the demo on its way up, wherever it is: there
// is one game in the end.
func TestKilledAtItsFirstStart(t *testing.T) {
	data := t.TempDir()
	args := program.DemoArgs(data, "-seats", "human,human")
	for i := range 40 {
		half := program.Command(args...)
		if err := half.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i) * 3 * time.Millisecond)
		half.Process.Kill()
		_ = half.Wait() // killed, as wanted
	}
	p := program.Start(t, args...)
	p.Stop()
	out, code := program.Output(t, "verify", "-all", "-config", filepath.Join(data, "angelpost.toml"))
	if code != program.ExitYes || strings.Count(out, "ok game=") != 1 || !strings.Contains(out, p.Values["game"]) {
		t.Errorf("verify -all: %d %s, want game %s alone", code, out, p.Values["game"])
	}
}

// subsequence reports whether all of a stand in b in a's order.
func subsequence(a, b []string) bool {
	for _, x := range b {
		if len(a) > 0 && a[0] == x {
			a = a[1:]
		}
	}
	return len(a) == 0
}

// TestStop asks the demo to end in the middle of its work: exit code 0 within
// 5 s (p.stop), and what had been accepted is done after the next start.
func TestStop(t *testing.T) {
	args := program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))
	p := program.Start(t, args...)
	mover, _ := mailclient.SitDown(t, p)
	step := mailclient.Latest(t, mover.Page)
	id := mover.Write(mailclient.Post{Body: mover.Last.Legal[0] + "\r\n"})
	p.Stop() // with an IMAP connection open and a letter just accepted
	p = program.Start(t, args...)
	mover.IMAP, mover.SMTP, mover.Conn = p.Values["imap"], p.Values["smtp"], nil
	mover.Seen, mover.Box = 0, nil
	if n := mover.AnswerTo(id); n.Result != "applied" {
		t.Errorf("the letter accepted before the stop: %s\n%s", n.Result, mailclient.Head(n.Text, 30))
	}
	for _, k := range []string{"page1", "page2"} { // the same pages, maybe at another port
		if now := mailclient.Latest(t, p.Values[k]); now == step {
			t.Errorf("%s shows the position before the stop", k)
		}
	}
	p.Stop()
}

// TestBackup copies the database while letters come in, and works from the copy.
func TestBackup(t *testing.T) {
	data := t.TempDir()
	p := program.Start(t, program.DemoArgs(data, "-seats", "human,human,bot", "-seed", strings.Repeat("5a", 32))...)
	config := filepath.Join(data, "angelpost.toml")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan bool)
	played := make(chan int)
	var all []*survivor
	for i, c := range mailclient.DemoClients(t, p, 7) {
		all = append(all, &survivor{Client: c, seat: i + 1, known: map[string]bool{}, sent: map[string]string{}})
	}
	go func() {
		n := 0
		for {
			select {
			case <-stop:
				played <- n
				return
			default:
			}
			for _, c := range all {
				if c.turn() {
					n++
				}
			}
		}
	}()
	type record struct {
		Game string
		Log  []map[string]any
	}
	var old record
	over := false // lines of a game that is over bear sums, and no more come
	for i := range 3 {
		time.Sleep(100 * time.Millisecond)
		copied := filepath.Join(data, fmt.Sprintf("copy%d.db", i))
		if out, code := program.Output(t, "backup", "-config", config, copied); code != program.ExitYes || strings.TrimSpace(out) != copied {
			t.Fatalf("backup: exit %d, %q", code, out)
		}
		if i, err := os.Stat(copied); err != nil || i.Mode().Perm() != 0o600 {
			t.Errorf("the copy holds hidden cards: mode %v, %v", i.Mode(), err)
		}
		other := filepath.Join(data, fmt.Sprintf("copy%d.toml", i))
		if err := os.WriteFile(other, []byte(strings.Replace(string(text), `"angelpost.db"`, fmt.Sprintf("%q", copied), 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, code := program.Output(t, "verify", "-all", "-config", other); code != program.ExitYes || !strings.HasPrefix(out, "ok game="+p.Values["game"]) {
			t.Errorf("verify -all: exit %d, %q", code, out)
		}
		out, code := program.Output(t, "export", "-config", other, p.Values["game"])
		var rec record
		if err := json.Unmarshal([]byte(out), &rec); err != nil || code != program.ExitYes || rec.Game != p.Values["game"] {
			t.Fatalf("export: exit %d, %v", code, err)
		}
		if len(rec.Log) <= len(old.Log) && !over {
			t.Errorf("backup %d has %d lines, the one before it %d", i, len(rec.Log), len(old.Log))
		}
		for _, l := range rec.Log {
			over = over || l["sum"] != nil
			delete(l, "sum")
		}
		for j, l := range old.Log {
			if !reflect.DeepEqual(l, rec.Log[j]) {
				t.Errorf("line %d of backup %d was %s, is %s", j+1, i, l, rec.Log[j])
				break
			}
		}
		old = rec
	}
	if out, code := program.Output(t, "backup", "-config", config, filepath.Join(data, "copy0.db")); code == program.ExitYes {
		t.Errorf("backup wrote over an older one: %q", out)
	}
	close(stop)
	if n := <-played; n == 0 {
		t.Error("nothing was played meanwhile")
	}
	p.Stop()
}

// TestTwice sends letters twice (mail/MAIL.md, Once).
func TestTwice(t *testing.T) {
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, _ := mailclient.SitDown(t, p)
	notice := mover.Last
	order := notice.Legal[0]
	l := mailclient.Post{To: mailclient.AddressIn(t, notice), Id: "twice@" + program.Domain, Date: time.Now().Format(time.RFC1123Z), Body: order + "\r\n"}
	count := func() (n int) {
		mover.Read()
		for _, x := range mover.Box {
			if x.Header.Get("In-Reply-To") == "<"+l.Id+">" {
				n++
			}
		}
		return n
	}
	mover.Write(l)
	answer := mover.AnswerTo(l.Id)
	if answer.Result != "applied" {
		t.Fatalf("%s: %s", order, answer.Result)
	}
	step := mailclient.Latest(t, mover.Page)
	for range 3 {
		mover.Write(l)
		mover.Last = answer
		mover.Settled()
	}
	if n := count(); n != 2 {
		t.Errorf("a letter that came four times has %d answers, want 2", n)
	}
	if now := mailclient.Latest(t, mover.Page); now != step {
		t.Errorf("a letter that came again moved the game from %d to %d", step, now)
	}

	// The same letter under another Message-ID: same author, date, token, body.
	again := l
	again.Id = "moved@" + program.Domain
	mover.Write(again)
	mover.Last = answer
	mover.Settled()
	if now := mailclient.Latest(t, mover.Page); now != step || count() != 2 {
		t.Errorf("the same letter under another Message-ID: step %d to %d, %d answers", step, now, count())
	}

	// Another letter under the same Message-ID.
	other := l
	other.To, other.Body = mailclient.AddressIn(t, answer), answer.Legal[0]+"\r\n"
	before := len(mover.Box)
	mover.Write(other)
	held := mover.Wait(before, "answer")
	mailclient.Says(t, held, "with the same Message-ID", "send it again as a new letter")
	if held.Result != "refused" {
		t.Errorf("result %s", held.Result)
	}
	mover.Settled()
	if now := mailclient.Latest(t, mover.Page); now != step {
		t.Errorf("a letter with another's Message-ID moved the game from %d to %d", step, now)
	}
	p.Stop()
}
