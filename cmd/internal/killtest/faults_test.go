package killtest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"angelpost/cmd/internal/program"
)

// TestFaultPoints kills a demo in which two bots play at each point once.
func TestFaultPoints(t *testing.T) {
	for _, point := range program.FaultPoints {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			trace := filepath.Join(t.TempDir(), "trace")
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			cmd := program.Command(program.DemoArgs(t.TempDir(), "-seats", "bot,bot")...)
			cmd.Env = append(cmd.Env, program.FaultVariable+"="+point+":2", program.TraceVariable+"="+trace)
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			context.AfterFunc(ctx, func() { cmd.Process.Signal(syscall.SIGTERM) })
			_ = cmd.Wait() // killed, as wanted: the next line sees to it
			if s := cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGKILL {
				t.Errorf("it ended by itself: %v", cmd.ProcessState)
			}
			passed, err := os.ReadFile(trace)
			if err != nil {
				t.Fatal(err)
			}
			points := strings.Fields(string(passed))
			n := 0
			for _, p := range points {
				if !slices.Contains(program.FaultPoints, p) {
					t.Errorf("it passed a point %q", p)
				}
				if p == point {
					n++
				}
			}
			if n != 2 || points[len(points)-1] != point {
				t.Errorf("it passed the point %d times, the last of all was %q", n, points[len(points)-1])
			}
		})
	}
}

// TestStopAtFaultPoints asks a demo in which two bots play to end, at each point
// where a letter's way can be cut: it ends in time and without an error in its
// log, nothing is held against a letter that was under way, and the next start
// goes on with it as if it came for the first time.
func TestStopAtFaultPoints(t *testing.T) {
	for _, point := range append(slices.Clone(program.FaultPoints), program.ThinkPoint) {
		for _, times := range []int{2, 9} {
			if point == "connect" && times > 2 { // sessions last
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", point, times), func(t *testing.T) {
				t.Parallel()
				data, seats := t.TempDir(), "bot,bot"
				if point == program.ThinkPoint {
					seats = "bot,bot:planner"
				}
				args := program.DemoArgs(data, "-seats", seats, "-seed", strings.Repeat("5a", 32))
				cmd := program.Command(args...)
				cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%s:%d:stop", program.FaultVariable, point, times))
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				ended := make(chan error, 1)
				go func() { ended <- cmd.Wait() }()
				select {
				case err := <-ended:
					if err != nil {
						t.Errorf("it ended with %v", err)
					}
				case <-time.After(time.Minute):
					cmd.Process.Kill()
					t.Fatal("it does not end")
				}
				untroubled(t, data)
				p := program.Start(t, args...)
				time.Sleep(300 * time.Millisecond)
				p.Stop()
				untroubled(t, data)
			})
		}
	}
}

// untroubled holds that a demo that has ended in good order has logged no error
// and holds nothing against a letter.
func untroubled(t *testing.T, data string) {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(data, "log"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(log)) {
		if strings.Contains(line, "level=ERROR") {
			t.Errorf("it logged %s", line)
		}
	}
	d, err := sql.Open("sqlite3", filepath.Join(data, program.Database))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, q := range []struct{ what, query string }{
		{"letters in that were tried and are not done", "SELECT count(*) FROM letters WHERE state = 1 AND attempts > 0"},
		{"letters in that were tried more than once", "SELECT count(*) FROM letters WHERE attempts > 1"},
		{"letters out that failed once", "SELECT count(*) FROM out WHERE tries > 0"},
	} {
		var n int
		if err := d.QueryRow(q.query).Scan(&n); err != nil || n > 0 {
			t.Errorf("%d %s (%v)", n, q.what, err)
		}
	}
}
