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

// FaultPoints are all points in the order of a letter's way; TESTS.md
// says where each lies.
var FaultPoints = strings.Fields("fetch store stored commit committed file filed claim connect mail rcpt data body dot sent")

// ThinkPoint is passed where bots think, which they do not in most games.
const ThinkPoint = "think"

// setFaults does what the environment says.
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
	var mu sync.Mutex // also keeps the others from passing anything after the end
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
			time.Sleep(20 * time.Millisecond) // the signal is heard while this is under way
		} else if left == 0 {
			if point == ThinkPoint { // who wrote the letter has heard that it was taken
				time.Sleep(50 * time.Millisecond)
			}
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	hook.Storing = func(s store.DB) store.DB { return faultyStore{s} }
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
