package lmtp

import (
	"io"
	"log/slog"
	"net"
	"testing"
	"testing/synctest"
	"time"
)

// A pipeListener hands out one end of each pipe that it is given.
type pipeListener struct {
	net.Listener
	conns chan net.Conn
}

func (l pipeListener) Accept() (net.Conn, error) {
	c, ok := <-l.conns
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (l pipeListener) Close() error { return nil }

// TestSilentConnectionsGiveWay: a client that says nothing gives way to another one after a while, the
// most silent first; one whose letter is being handled does not.
func TestSilentConnectionsGiveWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from := pipeListener{conns: make(chan net.Conn)}
		l := limit(from, 3, slog.New(slog.DiscardHandler))
		accepted := make(chan net.Conn, 10)
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					close(accepted)
					return
				}
				accepted <- c
			}
		}()
		open := func() (server, client net.Conn) {
			server, client = net.Pipe()
			from.conns <- server
			return server, client
		}
		ended := make([]chan error, 3) // of each read
		var clients []net.Conn
		for i := range 3 {
			_, client := open()
			clients = append(clients, client)
			c := <-accepted
			ended[i] = make(chan error, 1)
			if i == 0 {
				continue // it is busy: no one reads from it
			}
			go func() {
				_, err := io.Copy(io.Discard, c)
				ended[i] <- err
			}()
			time.Sleep(time.Second)
		}
		start := time.Now()
		clients[1].Write([]byte("NOOP\r\n"))
		open()
		<-accepted
		if waited := time.Since(start); waited != patience-time.Second {
			t.Errorf("another client waited for %v", waited)
		}
		synctest.Wait()
		if len(ended[1]) != 0 || len(ended[2]) != 1 {
			t.Errorf("%d and %d reads ended, want that of the client that has been silent for longer", len(ended[1]), len(ended[2]))
		}
		clients[1].Close()
		<-ended[1]
		open()
		time.Sleep(time.Minute)
		if len(accepted) != 0 {
			t.Error("a busy client gave way")
		}
		l.Close()
		close(from.conns)
		for range accepted {
		}
	})
}
