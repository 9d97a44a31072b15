// Package replica waits until a replica of the database has what was committed.
//
// Litestream (0.5) copies the database to another place. It serves a Unix socket, and
// POST /sync there returns once all that was committed before is at that place. A Replica
// asks for that when something is about to be acknowledged: a letter filed away, taken by
// LMTP, or sent. The copy includes what this process or another has committed meanwhile, so
// one request serves all goroutines that wait. If nothing was committed since the last
// request, a Replica sends none.
//
// The default is to acknowledge nothing while the replica is away. With GoOn,
// Litestream still copies what it can, some seconds late at most once it is back.
package replica

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// ErrAway is what Wait's errors wrap: the replica does not have what was committed yet, so
// nothing may be acknowledged. It may have it soon.
var ErrAway = errors.New("the replica does not have it yet")

// Config is what a Replica needs.
type Config struct {
	Socket string // Litestream's control socket
	Path   string // of the database, as Litestream's configuration has it
	// Version is a number that grows when anyone has committed.
	Version func(context.Context) (int64, error)
	// GoOn has Wait return nil at once while the replica is away.
	GoOn bool

	Patience time.Duration // for one exchange; 10 s
	Again    time.Duration // between exchanges while the replica is away; 2 s

	// Round gets the result of each exchange, and must not block; nil for none.
	Round func(error)
	Log   *slog.Logger // nil: slog.Default
}

// A Replica is safe for concurrent use. A nil Replica never makes anyone wait.
type Replica struct {
	Config
	client http.Client
	turn   chan struct{} // a semaphore of size 1: one request to Litestream at a time

	mu   sync.Mutex
	has  int64     // the last Version that is on the replica
	away time.Time // since when requests fail; zero: they do not
}

// unknown is before the first exchange.
const unknown = -1

// New returns a Replica that knows nothing yet of what is on it.
func New(c Config) *Replica {
	if c.Patience == 0 {
		c.Patience = 10 * time.Second
	}
	if c.Again == 0 {
		c.Again = 2 * time.Second
	}
	if c.Round == nil {
		c.Round = func(error) {}
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", c.Socket)
	}
	return &Replica{
		Config: c, has: unknown, turn: make(chan struct{}, 1),
		client: http.Client{Transport: &http.Transport{DialContext: dial, MaxIdleConns: 1, IdleConnTimeout: time.Minute}},
	}
}

// Assume has Wait ask for what is committed after version v only.
func (r *Replica) Assume(v int64) {
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.has = v
	}
}

// Close closes the idle connection to Litestream.
func (r *Replica) Close() {
	if r != nil {
		r.client.CloseIdleConnections()
	}
}

// Wait returns nil when the replica has all that was committed before the call, or if the
// Replica goes on without it. Otherwise its error wraps ErrAway.
func (r *Replica) Wait(ctx context.Context) error {
	if r == nil || r.GoOn && r.isAway() {
		return nil
	}
	v, err := r.Version(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrAway, err)
	}
	err = r.sync(ctx, v)
	if err != nil && r.GoOn && ctx.Err() == nil {
		return nil
	}
	return err
}

// Run asks again while the replica is away, and once at the start, until ctx ends.
func (r *Replica) Run(ctx context.Context) error {
	if r == nil {
		<-ctx.Done()
		return nil
	}
	for first := true; ctx.Err() == nil; first = false {
		if first || r.isAway() {
			if v, err := r.Version(ctx); err == nil {
				_ = r.sync(ctx, v) // Round gets the error
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(r.Again):
		}
	}
	return nil
}

func (r *Replica) isAway() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.away.IsZero()
}

// sync waits until the replica has version v. One of the goroutines that wait makes the
// request for all.
func (r *Replica) sync(ctx context.Context, v int64) error {
	ctx, cancel := context.WithTimeout(ctx, r.Patience)
	defer cancel()
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", ErrAway, ctx.Err())
	}
	r.mu.Lock()
	has := r.has
	r.mu.Unlock()
	if v <= has { // another asked after this was committed
		return nil
	}
	v, err := r.Version(ctx) // the copy includes what was committed meanwhile
	if err == nil {
		err = r.ask(ctx)
	}
	if err != nil && errors.Is(context.Cause(ctx), context.Canceled) {
		return fmt.Errorf("%w: %w", ErrAway, err) // the caller cancelled it, which says nothing about the replica
	}
	r.note(v, err)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrAway, err)
	}
	return nil
}

// note keeps how an exchange went, and tells the log when that changes.
func (r *Replica) note(v int64, err error) {
	r.mu.Lock()
	was := r.away
	switch {
	case err == nil:
		r.has, r.away = v, time.Time{}
	case was.IsZero():
		r.away = time.Now()
	}
	r.mu.Unlock()
	switch {
	case err != nil && was.IsZero():
		r.Log.Error("the replica is away", "goes_on", r.GoOn, "err", err)
	case err == nil && !was.IsZero():
		r.Log.Info("the replica is back", "after", time.Since(was).Round(time.Second))
	}
	r.Round(err)
}

const (
	maxAnswer = 64 << 10 // bytes of one of Litestream's
	maxAsks   = 5        // Litestream also copies on its own; then its two positions may differ for a moment
)

// ask returns nil once Litestream has copied all that is committed.
func (r *Replica) ask(ctx context.Context) error {
	for i := 1; ; i++ {
		var p position
		if err := r.post(ctx, "/sync", map[string]any{"path": r.Path, "wait": true, "timeout": max(1, int(r.Patience.Seconds()))}, &p); err != nil {
			return err
		}
		switch {
		case p.Local == p.Copied && p.Local > 0:
			return nil
		case i < maxAsks:
		case p.Copied > p.Local:
			return fmt.Errorf("litestream: what is there (%d) is not this database's (%d); give it a place of its own", p.Copied, p.Local)
		default:
			return fmt.Errorf("litestream: copied %d of %d", p.Copied, p.Local)
		}
	}
}

// position is how far Litestream has come, in transactions of its own count.
type position struct {
	Local  uint64 `json:"txid"`
	Copied uint64 `json:"replicated_txid"`
}

// post sends a request to Litestream and reads what it answers with 200.
func (r *Replica) post(ctx context.Context, to string, what, into any) error {
	body, err := json.Marshal(what)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://litestream"+to, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := r.client.Do(req)
	if err != nil {
		return fmt.Errorf("litestream: %w", err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("litestream: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		var refusal struct{ Error string }
		if json.Unmarshal(text, &refusal) != nil || refusal.Error == "" {
			refusal.Error = res.Status
		}
		return fmt.Errorf("litestream: %.300s", refusal.Error)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("litestream: its answer: %w", err)
	}
	return nil
}
