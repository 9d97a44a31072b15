package main

import (
	"context"
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

	"angelpost/engine/match"
)

// The environment of the test binary that runs as the program:
//
//	ANGELPOST_FAULT=dot:3       kill it by SIGKILL at the third passing of "dot"
//	ANGELPOST_TRACE=FILE        write each point passed to FILE, one a line
const (
	faultVariable = "ANGELPOST_FAULT"
	traceVariable = "ANGELPOST_TRACE"
)

// faultPoints are all points in the order of a letter's way; ARCHITECTURE.md
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
		if left--; left == 0 {
			if point == thinkPoint { // who wrote the letter has heard that it was taken
				time.Sleep(50 * time.Millisecond)
			}
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	storing = func(s match.Store) match.Store { return faultyStore{s} }
}

// faultyStore passes the points around the two transactions of a letter in:
// the one that stores it and the one that does what it says.
type faultyStore struct{ match.Store }

func (s faultyStore) Update(ctx context.Context, f func(match.Tx) error) error {
	return pass(ctx, s.Store.Update, f)
}

func (s faultyStore) UpdateUnsynced(ctx context.Context, f func(match.Tx) error) error {
	return pass(ctx, s.Store.UpdateUnsynced, f)
}

func pass(ctx context.Context, update func(context.Context, func(match.Tx) error) error, f func(match.Tx) error) error {
	before, after := "", ""
	err := update(ctx, func(tx match.Tx) error {
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
	case errors.Is(err, match.ErrThink):
		passing(thinkPoint)
	case err == nil && after != "":
		passing(after)
	}
	return err
}

type faultyTx struct {
	match.Tx
	stored, applied bool
}

func (t *faultyTx) AddLetter(l *match.LetterRow) error {
	t.stored = true
	return t.Tx.AddLetter(l)
}

func (t *faultyTx) SaveLetter(l match.LetterRow) error {
	if l.State == match.LetterNew { // another try of it
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
