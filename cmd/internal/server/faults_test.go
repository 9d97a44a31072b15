package server

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"angelpost/engine/match/unit"
	"angelpost/engine/store"
)

// The environment of the test binary that runs as the program:
//
//	ANGELPOST_FAULT=dot:3       kill it by SIGKILL at the third passing of "dot"
//	ANGELPOST_FAULT=dot:3:stop  ask it to end by SIGTERM there
//	ANGELPOST_TRACE=FILE        write each point passed to FILE, one a line
const (
	faultVariable = "ANGELPOST_FAULT"
	traceVariable = "ANGELPOST_TRACE"
)

// faultPoints are all points in the order of a letter's way; TESTS.md
// says where each lies.
var faultPoints = strings.Fields("fetch store stored commit committed file filed claim connect mail rcpt data body dot sent")

// thinkPoint is passed where bots think, which they do not in most games.
const thinkPoint = "think"

// setFaults does what the environment says.
func setFaults() {
	fault, trace := os.Getenv(faultVariable), os.Getenv(traceVariable)
	if fault == "" && trace == "" {
		return
	}
	var file *os.File
	if trace != "" {
		var err error
		if file, err = os.OpenFile(trace, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
			panic(err)
		}
	}
	at, times, _ := strings.Cut(fault, ":")
	times, stop := strings.CutSuffix(times, ":stop")
	left, err := strconv.Atoi(times)
	if fault != "" && err != nil {
		panic(fmt.Sprintf("%s=%s: %v", faultVariable, fault, err))
	}
	var mu sync.Mutex // also keeps the others from passing anything after the end
	passing = func(point string) {
		mu.Lock()
		defer mu.Unlock()
		if file != nil {
			fmt.Fprintln(file, point)
		}
		if point != at {
			return
		}
		if left--; left == 0 && stop {
			syscall.Kill(os.Getpid(), syscall.SIGTERM)
			time.Sleep(20 * time.Millisecond) // the signal is heard while this is under way
		} else if left == 0 {
			if point == thinkPoint { // who wrote the letter has heard that it was taken
				time.Sleep(50 * time.Millisecond)
			}
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	storing = func(s store.DB) store.DB { return faultyStore{s} }
}

// faultyStore passes the points around the two transactions of a letter in:
// the one that stores it and the one that does what it says.
type faultyStore struct{ store.DB }

func (s faultyStore) Update(ctx context.Context, f func(store.Tx) error) error {
	return pass(ctx, s.DB.Update, f)
}

func (s faultyStore) UpdateUnsynced(ctx context.Context, f func(store.Tx) error) error {
	return pass(ctx, s.DB.UpdateUnsynced, f)
}

func pass(ctx context.Context, update func(context.Context, func(store.Tx) error) error, f func(store.Tx) error) error {
	before, after := "", ""
	err := update(ctx, func(tx store.Tx) error {
		t := &faultyTx{Tx: tx}
		if err := f(t); err != nil {
			return err
		}
		switch {
		case t.applied:
			before, after = "commit", "committed"
		case t.stored:
			before, after = "store", "stored"
		default:
			return nil
		}
		passing(before)
		return nil
	})
	switch {
	case errors.Is(err, unit.ErrThink):
		passing(thinkPoint)
	case err == nil && after != "":
		passing(after)
	}
	return err
}

type faultyTx struct {
	store.Tx
	stored, applied bool
}

func (t *faultyTx) AddLetter(l *store.Letter) error {
	t.stored = true
	return t.Tx.AddLetter(l)
}

func (t *faultyTx) SaveLetter(l store.Letter) error {
	if l.State == store.LetterNew { // another try of it
		t.stored = true
	} else {
		t.applied = true
	}
	return t.Tx.SaveLetter(l)
}

// TestFaultPoints kills a demo in which two bots play at each point once.
func TestFaultPoints(t *testing.T) {
	for _, point := range faultPoints {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			trace := filepath.Join(t.TempDir(), "trace")
			ctx, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			cmd := angelpost(demoArgs(t.TempDir(), "-seats", "bot,bot")...)
			cmd.Env = append(cmd.Env, faultVariable+"="+point+":2", traceVariable+"="+trace)
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
				if !slices.Contains(faultPoints, p) {
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
	for _, point := range append(slices.Clone(faultPoints), thinkPoint) {
		for _, times := range []int{2, 9} {
			if point == "connect" && times > 2 { // sessions last
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", point, times), func(t *testing.T) {
				t.Parallel()
				data, seats := t.TempDir(), "bot,bot"
				if point == thinkPoint {
					seats = "bot,bot:planner"
				}
				args := demoArgs(data, "-seats", seats, "-seed", strings.Repeat("5a", 32))
				cmd := angelpost(args...)
				cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%s:%d:stop", faultVariable, point, times))
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
				p := start(t, args...)
				time.Sleep(300 * time.Millisecond)
				p.stop()
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
	d, err := sql.Open("sqlite3", filepath.Join(data, demoDatabase))
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
