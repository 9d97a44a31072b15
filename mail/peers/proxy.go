//go:build real

package peers

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A Fault is what a Proxy does to one connection. Octets are counted in each
// direction from the first; zero values mean no fault.
type Fault struct {
	Down int64 // after so many from the server
	Up   int64 // after so many from the client
	// Silent leaves the connection half open: neither side learns of it, what comes
	// is swallowed. Otherwise the proxy hangs up on both sides.
	Silent bool
	// Reset hangs up on the client by RST, as if the server had crashed.
	Reset bool
}

// A Proxy sits between a client and a server and fails as the test wants.
type Proxy struct {
	Addr string
	// Opened counts connections, Down and Up the octets of the last one begun.
	Opened   atomic.Int64
	Down, Up atomic.Int64

	answered atomic.Int64 // when a server last said something, as UnixNano

	target atomic.Pointer[string]
	next   func(n int64) Fault // of the n-th connection, from 1
	mu     sync.Mutex
	open   map[net.Conn]bool
}

// StartProxy relays to target; next tells what happens to the n-th connection,
// from 1.
func StartProxy(t testing.TB, target string, next func(n int64) Fault) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{Addr: l.Addr().String(), next: next, open: map[net.Conn]bool{}}
	p.Redirect(target)
	t.Cleanup(func() {
		l.Close()
		p.CutAll()
	})
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go p.relay(client, p.Opened.Add(1))
		}
	}()
	return p
}

// Redirect has the next connections relayed to another server.
func (p *Proxy) Redirect(target string) { p.target.Store(&target) }

// Answered is when a server's last words had been passed on.
func (p *Proxy) Answered() time.Time { return time.Unix(0, p.answered.Load()) }

// CutAll hangs up on all connections.
func (p *Proxy) CutAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		c.Close()
	}
	clear(p.open)
}

func (p *Proxy) keep(c net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[c] = true
}

func (p *Proxy) relay(client net.Conn, n int64) {
	fault := p.next(n)
	server, err := net.Dial("tcp", *p.target.Load())
	if err != nil {
		client.Close()
		return
	}
	p.keep(client)
	p.keep(server)
	p.Down.Store(0)
	p.Up.Store(0)
	var silent atomic.Bool
	end := func() {
		if fault.Silent {
			silent.Store(true)
			server.Close() // the client is left hanging
			return
		}
		if fault.Reset {
			client.(*net.TCPConn).SetLinger(0)
		}
		client.Close()
		server.Close()
	}
	pass := func(to, from net.Conn, out io.Writer, limit int64) {
		if limit > 0 {
			_, err := io.CopyN(out, from, limit)
			if err == nil {
				end()
			}
		} else {
			io.Copy(out, from)
		}
		if silent.Load() {
			io.Copy(io.Discard, from)
			return
		}
		to.Close()
		from.Close()
	}
	go pass(client, server, timed{counted{client, &p.Down}, &p.answered}, fault.Down)
	pass(server, client, counted{server, &p.Up}, fault.Up)
}

// timed notes when something was written last.
type timed struct {
	io.Writer
	at *atomic.Int64
}

func (w timed) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	w.at.Store(time.Now().UnixNano())
	return n, err
}

// counted counts what is written.
type counted struct {
	io.Writer
	n *atomic.Int64
}

func (c counted) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.n.Add(int64(n))
	return n, err
}
