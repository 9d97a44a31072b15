package crashtest

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/db"
	"angelpost/engine/game"
	"angelpost/engine/store"
)

// A rebuilt is a client that plays over a restore: it answers the youngest
// letter that wants something of it, and counts what it was promised.
type rebuilt struct {
	*survivor
	promises []promise
	put      int // letters that say what was put back
}

// A promise is an answer that says applied.
type promise struct {
	answer, letter string // Message-IDs
	forced         int    // steps it says were done as the only possible ones
}

// turn reads what is new and answers the last of it that lists orders.
func (c *rebuilt) turn() (busy bool) {
	var last *mailclient.Received
	for _, n := range c.Fetch() {
		id := n.Header.Get("Message-Id")
		if c.known[id] {
			continue
		}
		c.known[id] = true
		busy = true
		if n.Result == "applied" {
			forced := strings.Count(mailclient.Flatten(mailclient.Understood(n)), "Only one legal option, so we played it for you.")
			c.promises = append(c.promises, promise{id, n.Header.Get("In-Reply-To"), forced})
		}
		if strings.Contains(mailclient.Flatten(n.Text), "works with a copy of its games") {
			c.put++
		}
		c.Over = c.Over || n.Kind == "end"
		if len(n.Legal) > 0 {
			last = &n
		}
	}
	if last != nil && !c.Over {
		c.sent1(*last, last.Legal[c.Pick(len(last.Legal))])
	}
	return busy
}

// A played is a line of a log, as anybody may see it.
type played struct {
	N, Seat int
	By      game.By
	Order   string
}

// lines is the log of a game, and how many each seat's player has in it.
func lines(t *testing.T, config, gameID string) (log []played, bySeat map[int]int) {
	t.Helper()
	record, code := program.Output(t, "export", "-config", config, gameID)
	var rec struct{ Log []played }
	if err := json.Unmarshal([]byte(record), &rec); err != nil || code != program.ExitYes {
		t.Fatalf("export: exit %d, %v", code, err)
	}
	bySeat = map[int]int{}
	for i, l := range rec.Log {
		rec.Log[i].Order, _, _ = strings.Cut(l.Order, " ") // the rest may be hidden while the game runs
		if l.By == game.ByPlayer {
			bySeat[l.Seat]++
		}
	}
	return rec.Log, bySeat
}

// TestRestore backs a game up while letters come in, plays on, kills the server,
// puts the copy in the place of the database and starts again; then the host
// moves all filed letters back into the inbox. Each player who must decide gets a
// fresh notice; no order is played twice, neither one that the copy knows nor one that
// it does not; the game goes on to its end and verifies.
func TestRestore(t *testing.T) {
	data := t.TempDir()
	args := program.DemoArgs(data, "-seats", "human,human,bot", "-seed", strings.Repeat("5a", 32))
	p := program.Start(t, args...)
	game, config := p.Values["game"], filepath.Join(data, "angelpost.toml")
	var all []*rebuilt
	for i, c := range mailclient.DemoClients(t, p, 7) {
		all = append(all, &rebuilt{survivor: &survivor{Client: c, seat: i + 1, known: map[string]bool{}, sent: map[string]string{}}})
	}
	deadline := time.Now().Add(4 * time.Minute)
	until := func(what string, done func() bool) {
		t.Helper()
		for !done() {
			busy := false
			for _, c := range all {
				busy = c.turn() || busy
			}
			if !busy {
				time.Sleep(10 * time.Millisecond)
			}
			if time.Now().After(deadline) {
				t.Fatalf("never %s", what)
			}
		}
	}
	written := func() (n int) {
		for _, c := range all {
			n += c.Client.Sent
		}
		return n
	}
	until("ten letters", func() bool { return written() >= 10 })
	copied := filepath.Join(data, "copy.db")
	made := make(chan int)
	go func() {
		_, code := program.Output(t, "backup", "-config", config, copied)
		made <- code
	}()
	until("a copy", func() bool {
		select {
		case code := <-made:
			if code != program.ExitYes {
				t.Fatalf("backup: exit %d", code)
			}
			return true
		default:
			return false
		}
	})
	behind := written()
	until("ten letters more", func() bool { return written() >= behind+10 })

	p.Kill()
	database := filepath.Join(data, program.Database)
	lost := filepath.Join(data, "lost.db")
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Rename(database+end, lost+end); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
	}
	if err := os.Rename(copied, database); err != nil {
		t.Fatal(err)
	}
	old, before := lines(t, config, game)
	done := answeredIn(t, database, all)

	p = program.Start(t, args...)
	for _, c := range all {
		c.meet(p)
	}
	again := unfile(t, p)
	if again < 10 {
		t.Errorf("only %d letters were moved back", again)
	}
	until("over", func() bool { return !slices.ContainsFunc(all, func(c *rebuilt) bool { return !c.Over }) })

	now, total := lines(t, config, game)
	if len(now) <= len(old) || !slices.Equal(old, now[:len(old)]) {
		t.Errorf("the log of the copy\n%v\nis not the beginning of\n%v", old, now)
	}
	put := 0
	for _, c := range all {
		put += c.put
		kept, answers := 0, map[string]int{}
		for _, a := range since(t, lost, c.promises) {
			kept += 1 + a.forced
			if answers[a.letter]++; answers[a.letter] > 1 {
				t.Errorf("%s: %q was answered as applied twice", c.Address, c.sent[a.letter])
			}
			if done[a.letter] {
				t.Errorf("%s: %q had been played when the copy was made, and was again", c.Address, c.sent[a.letter])
			}
		}
		if got := total[c.seat] - before[c.seat]; got != kept {
			t.Errorf("%s: %d lines since the restore, but answers tell of %d", c.Address, got, kept)
		}
		t.Logf("%s: %d letters written, %d lines in the copy, %d since", c.Address, c.Client.Sent, before[c.seat], total[c.seat]-before[c.seat])
	}
	if put == 0 {
		t.Error("nobody was told that the server was put back")
	}
	if out, code := program.Output(t, "verify", "-all", "-config", config); code != program.ExitYes || !strings.Contains(out, "ok game="+game) {
		t.Errorf("verify: exit %d\n%s", code, out)
	}
	p.Stop()
	p = program.Start(t, args...) // it is a copy no longer
	for _, c := range all {
		c.meet(p)
		told := c.put
		if c.turn(); c.put != told {
			t.Errorf("%s was told once more", c.Address)
		}
	}
	p.Stop()
}

// since leaves out the promises of the server whose database is lost.
func since(t *testing.T, lost string, all []promise) (out []promise) {
	t.Helper()
	ctx := context.Background()
	d, err := db.Open(ctx, lost)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	err = d.View(ctx, func(tx store.Tx) error {
		for _, a := range all {
			_, err := tx.MessageByID(strings.Trim(a.answer, "<>"))
			if errors.Is(err, store.ErrNotFound) {
				out = append(out, a)
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// answeredIn finds which of the players' letters a database knows as done.
func answeredIn(t *testing.T, path string, all []*rebuilt) map[string]bool {
	t.Helper()
	ctx := context.Background()
	d, err := db.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	done := map[string]bool{}
	err = d.View(ctx, func(tx store.Tx) error {
		for _, c := range all {
			for id := range c.sent {
				rows, err := tx.SameLetter(strings.Trim(id, "<>"))
				if err != nil {
					return err
				}
				for _, l := range rows {
					done[id] = done[id] || l.State == store.LetterDone
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(done) == 0 {
		t.Error("the copy knows no letter")
	}
	return done
}

// unfile moves the letters that the server has filed back into its inbox.
func unfile(t *testing.T, p *program.Process) int {
	t.Helper()
	conn := mailclient.Login(t, p.Values["imap"], program.Account, program.Password)
	defer conn.Close()
	data, err := conn.Select("Angelpost/Done", nil).Wait()
	if err != nil || data.NumMessages == 0 {
		t.Fatalf("nothing was filed: %v", err)
	}
	if _, err := conn.Move(imap.UIDSet{imap.UIDRange{Start: 1}}, "INBOX").Wait(); err != nil {
		t.Fatal(err)
	}
	return int(data.NumMessages)
}
