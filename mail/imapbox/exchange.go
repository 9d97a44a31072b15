package imapbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// A line is a connection with a channel, ended, that closes when anyone closes the
// connection: we, the library or the end of a context.
type line struct {
	net.Conn
	once  sync.Once
	ended chan struct{}
}

func newLine(conn net.Conn) *line { return &line{Conn: conn, ended: make(chan struct{})} }

func (l *line) Close() error {
	l.once.Do(func() { close(l.ended) })
	return l.Conn.Close()
}

// hangUp closes the TCP connection at once. Closing TLS could first take up to five seconds
// to say goodbye.
func (l *line) hangUp() {
	l.once.Do(func() { close(l.ended) })
	if secure, ok := l.Conn.(interface{ NetConn() net.Conn }); ok {
		secure.NetConn().Close()
		return
	}
	l.Conn.Close()
}

// watch hangs up when ctx ends. The returned function stops the watch.
func (l *line) watch(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, l.hangUp)
}

// grace is how long an exchange may still take once its connection is closed.
const grace = time.Second

var errAbandoned = errors.New("the connection is closed, and the IMAP library still waits for it")

// exchange runs f, which talks to the server and passes each result to give, and calls take
// with each of them. It returns when f returns.
//
// The library supports neither contexts nor deadlines, so exchange closes the connection when
// limit has passed without a result. That normally ends f. But the library has places where
// it waits forever: if f still runs when the connection has been closed for the time of grace
// (by us, by the library or by the end of a context), exchange abandons f. So f must share
// nothing with its caller, and hands over its results by give.
func exchange[T any](k *conn, what string, limit time.Duration, f func(give func(T)) error, take func(T)) error {
	given, done, left := make(chan T), make(chan error, 1), make(chan struct{})
	defer close(left)
	go func() {
		done <- f(func(v T) {
			select {
			case given <- v:
			case <-left:
			}
		})
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	ended, late := k.line.ended, false
	for {
		select {
		case v := <-given:
			take(v)
			if ended != nil {
				timer.Reset(limit)
			}
			continue
		case <-ended:
			ended = nil
			timer.Reset(grace)
			continue
		case <-timer.C:
			if ended != nil {
				late = true
				k.line.hangUp()
				continue
			}
			return fmt.Errorf("imap: %s: %w", what, errAbandoned)
		case err := <-done:
			if err != nil && late {
				return fmt.Errorf("imap: %s: no answer within %v: %w", what, limit, err)
			}
			if err != nil {
				return fmt.Errorf("imap: %s: %w", what, err)
			}
			return nil
		}
	}
}

// ask runs an exchange with one result, and returns it.
func ask[T any](k *conn, what string, f func() (T, error)) (answer T, err error) {
	err = exchange(k, what, k.Command, func(give func(T)) error {
		v, err := f()
		if err == nil {
			give(v)
		}
		return err
	}, func(v T) { answer = v })
	return answer, err
}

// do runs an exchange without a result.
func (k *conn) do(what string, f func() error) error { return k.doWithin(k.Command, what, f) }

func (k *conn) doWithin(limit time.Duration, what string, f func() error) error {
	return exchange(k, what, limit, func(func(struct{})) error { return f() }, nil)
}

// fetch runs one FETCH, reads each message by read and passes what it returns to take. read
// must read each literal to its end, which the function named literal does.
func fetch[T any](k *conn, what string, which imap.NumSet, options *imap.FetchOptions, read func(*imapclient.FetchMessageData) (T, error), take func(T)) error {
	client, line := k.client, k.line
	return exchange(k, "fetching "+what, k.Command, func(give func(T)) error {
		cmd := client.Fetch(which, options)
		for m := cmd.Next(); m != nil; m = cmd.Next() {
			v, err := read(m)
			if err != nil {
				// A literal broke off. Don't drain the command: the library would read from
				// the connection here while its own reader does so, too.
				line.hangUp()
				return err
			}
			give(v)
		}
		return cmd.Close()
	}, take)
}

// literal reads a literal to its end and returns at most keep bytes of it.
func literal(r imap.LiteralReader, keep int64) ([]byte, error) {
	rest := &untilError{r: r}
	raw, err := io.ReadAll(io.LimitReader(rest, keep))
	n := int64(len(raw))
	if err == nil {
		var more int64
		more, err = io.Copy(io.Discard, rest)
		n += more
	}
	if err == nil && n < r.Size() {
		err = io.ErrUnexpectedEOF
	}
	return raw, err
}

// untilError reads up to the first error, EOF included. From then on the library reads the
// connection itself.
type untilError struct {
	r   io.Reader
	err error
}

func (u *untilError) Read(b []byte) (n int, err error) {
	if u.err != nil {
		return 0, u.err
	}
	n, u.err = u.r.Read(b)
	return n, u.err
}
