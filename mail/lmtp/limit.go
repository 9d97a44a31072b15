package lmtp

import (
	"log/slog"
	"net"
	"sync"
	"time"
)

// patience is how long a client may be silent while another one waits for its connection.
const patience = 10 * time.Second

// A limited listener has at most a number of connections open. If another client comes, the one
// that has been silent for the longest gives way to it, once it has been so for patience. A client
// that waits for our answer is not silent.
type limited struct {
	net.Listener
	most int
	log  *slog.Logger

	mu     sync.Mutex
	open   map[*connection]bool
	change chan struct{} // has one if a connection was closed
	closed chan struct{}
	once   sync.Once
}

func limit(l net.Listener, most int, log *slog.Logger) *limited {
	return &limited{Listener: l, most: most, log: log, open: map[*connection]bool{}, change: make(chan struct{}, 1), closed: make(chan struct{})}
}

// Accept accepts a connection and waits for room for it.
func (l *limited) Accept() (net.Conn, error) {
	nc, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: nc, of: l}
	for {
		wait := l.enter(c)
		if wait == 0 {
			return c, nil
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-l.change:
		case <-l.closed:
			timer.Stop()
			nc.Close()
			return nil, net.ErrClosed
		}
		timer.Stop()
	}
}

// enter takes a connection in, or returns for how long there may be no room for it.
func (l *limited) enter(c *connection) time.Duration {
	l.mu.Lock()
	var longest *connection
	var since time.Time
	if len(l.open) >= l.most {
		for o := range l.open {
			if at, silent := o.silentSince(); silent && (longest == nil || at.Before(since)) {
				longest, since = o, at
			}
		}
		if longest == nil {
			l.mu.Unlock()
			return patience
		}
		if wait := patience - time.Since(since); wait > 0 {
			l.mu.Unlock()
			return wait
		}
		delete(l.open, longest)
	}
	l.open[c] = true
	l.mu.Unlock()
	if longest != nil {
		l.log.Warn("lmtp: closed a silent connection, because another client waits", "silent", time.Since(since).Round(time.Second))
		longest.Conn.Close()
	}
	return 0
}

// Close closes the listener. Connections stay.
func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// A connection knows since when it has been waiting for its client.
type connection struct {
	net.Conn
	of *limited

	mu      sync.Mutex
	waiting time.Time // zero: it does not
}

func (c *connection) silentSince() (at time.Time, silent bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waiting, !c.waiting.IsZero()
}

func (c *connection) wait(at time.Time) {
	c.mu.Lock()
	c.waiting = at
	c.mu.Unlock()
}

func (c *connection) Read(b []byte) (int, error) {
	c.wait(time.Now())
	defer c.wait(time.Time{})
	return c.Conn.Read(b)
}

func (c *connection) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	select {
	case c.of.change <- struct{}{}:
	default:
	}
	return c.Conn.Close()
}
