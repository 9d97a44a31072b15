//go:build real

package server

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	lite "angelpost/db/replica/litestream"
	"angelpost/mail/peers"
)

// TestPipelineWithReplica works off a backlog of letters with a replica by Litestream and
// without one, in turn, and compares how fast that goes; and by LMTP, one letter at a time,
// how long a letter takes to be acknowledged. What is asserted is that the replica has all
// of it; db/SCALE.md has the figures.
func TestPipelineWithReplica(t *testing.T) {
	n := *pipelineLetters
	single := min(n/4, 100)
	var rates [2][]float64
	var waits [2][]time.Duration
	for round := range 2 * max(1, n/200) { // by turns, for the machine may do other things
		with := round % 2
		p := newPipe(t, n+single, false)
		if with == 1 {
			dir := filepath.Dir(p.config)
			l := lite.Start(t, filepath.Join(dir, "games.db"), "file://"+filepath.Join(dir, "replica"), "")
			p.shadow = strings.Replace(p.config, "games.toml", "restored.toml", 1)
			extend(t, p.config, p.shadow, fmt.Sprintf("\n[replica]\nlitestream = %q\n", l.Socket))
			defer func() {
				if err := l.Restore(t.Context(), filepath.Join(dir, "restored.db")); err != nil {
					t.Fatal(err)
				}
				p.check(t)
			}()
		}
		p.fill(t, mailclient.ServerUser, p.backlog[:n])
		begin := time.Now()
		daemon := program.Start(t, "serve", "-config", p.config)
		ready := time.Since(begin)
		took := drain(t, p.config, n).Sub(begin) - ready
		rates[with] = append(rates[with], float64(n)/took.Seconds())
		store := program.Ledger(t, p.config)
		for i, l := range p.backlog[n:] {
			waits[with] = append(waits[with], mailclient.DeliverLMTP(t, daemon.Values["lmtp"], "a@example.org", mailclient.ServerUser+"@"+peers.Domain, l.raw))
			drained(t, store, n+i+1)
		}
		store.Close()
		daemon.Stop()
	}
	for i, name := range []string{"without a replica", "with a replica"} {
		t.Logf("%s: turns a second %.0f; by LMTP %v to the acknowledgment (median)", name, rates[i], median(waits[i]))
	}
	var sums [2]float64
	for i := range sums {
		for _, r := range rates[i] {
			sums[i] += r
		}
	}
	t.Logf("ratio: %.2f", sums[1]/sums[0])
}

// TestReplicaIsTried: a server notices by itself that its replica can't be restored, and that
// a new one can.
func TestReplicaIsTried(t *testing.T) {
	t.Setenv("PATH", filepath.Dir(lite.Program(t))+":"+os.Getenv("PATH"))
	dir := t.TempDir()
	copies := filepath.Join(dir, "copies")
	c, err := LoadConfig(writeConfig(t, dir, "angelpost.db", "games.db"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l := lite.Start(t, c.Path(c.Database), "file://"+filepath.Join(copies, "0"), "")
	c.Replica = ReplicaConfig{Litestream: l.Socket, Away: awayWait, URL: "file://" + copies}
	look := func(what string, bad bool) {
		t.Helper()
		wait := s.restoreDue(t.Context())
		if why := s.replicaSpoilt(nil, time.Time{}); strings.Contains(why, "litestream restore: ") != bad || why == "" == bad || wait == restoreAgain != bad {
			t.Errorf("%s: %q, again in %v", what, why, wait)
		}
	}
	l.Fill(t)
	look("a good one", false)
	l.Kill()
	lite.Spoil(t, copies)
	look("a damaged one", true)
	if err := errors.Join(os.RemoveAll(copies), os.RemoveAll(filepath.Join(dir, ".games.db-litestream"))); err != nil {
		t.Fatal(err)
	}
	l.Begin(t)
	l.Fill(t)
	look("a new one", false)
	t.Setenv("PATH", "")
	lite.Spoil(t, copies)
	look("a damaged one that can't be tried", false)
}

// extend adds to a configuration, and makes one for the database restored beside it.
func extend(t *testing.T, config, restored, more string) {
	t.Helper()
	text, err := os.ReadFile(config)
	if err == nil {
		err = os.WriteFile(config, append(text, more...), 0o600)
	}
	if err == nil {
		err = os.WriteFile(restored, []byte(strings.Replace(string(text), "games.db", "restored.db", 1)), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
