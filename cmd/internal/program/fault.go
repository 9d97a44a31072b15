package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"angelpost/cmd/internal/hook"
	"angelpost/engine/match/unit"
	"angelpost/engine/store"
)

// The environment of the test binary that runs as the program:
//
//	ANGELPOST_FAULT=dot:3       kill it by SIGKILL at the third passing of "dot"
//	ANGELPOST_FAULT=dot:3:stop  ask it to end by SIGTERM there
//	ANGELPOST_TRACE=FILE        write each point passed to FILE, one a line
const (
	FaultVariable = "ANGELPOST_FAULT"
	TraceVariable = "ANGELPOST_TRACE"
)

// FaultPoints are the points that letters pass in every test, in that order. TESTS.md
// describes them, and some more.
var FaultPoints = strings.Fields("fetch store stored commit committed file filed claim connect mail rcpt data body dot sent")

// ThinkPoint is a point that a letter passes only if bots must think about it first. In
// most games they don't have to.
const ThinkPoint = "think"

// setFaults reads the environment and sets the hooks for faults and the trace.
func setFaults() {
	fault, trace := os.Getenv(FaultVariable), os.Getenv(TraceVariable)
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
		panic(fmt.Sprintf("%s=%s: %v", FaultVariable, fault, err))
	}
	var mu sync.Mutex // also stops the other goroutines at their next point after SIGKILL
	hook.Passing = func(point string) {
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
			time.Sleep(20 * time.Millisecond) // so that the signal arrives while the program is at this point
		} else if left == 0 {
			if point == ThinkPoint { // time for the writer to learn that the letter was taken
				time.Sleep(50 * time.Millisecond)
			}
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	hook.Storing = func(s store.DB) store.DB { return faultyStore{s} }
}

// faultyStore is a database that passes points before and after each of the two
// transactions of a letter in: the one that stores it and the one that applies it.
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
		hook.Passing(before)
		return nil
	})
	switch {
	case errors.Is(err, unit.ErrThink):
		hook.Passing(ThinkPoint)
	case err == nil && after != "":
		hook.Passing(after)
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
