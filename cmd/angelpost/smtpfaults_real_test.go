//go:build real

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"
)

// A rough is a mail server that fails at one verb as long as it is broken: for
// every letter, or, after RCPT, for those to one address. What it takes it
// passes on.
type rough struct {
	to          string // the mail host
	verb, how   string
	victim      string // "" all
	mu          sync.Mutex
	broken      bool
	connections int
	failed      int
	taken       map[string][]byte // by Message-ID
	copies      map[string]int
}

// startRough starts it, broken, and gives its address.
func startRough(t *testing.T, r *rough) string {
	t.Helper()
	r.broken, r.taken, r.copies = true, map[string][]byte{}, map[string]int{}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			r.mu.Lock()
			r.connections++
			r.mu.Unlock()
			go func() {
				defer conn.Close()
				conn.SetDeadline(time.Now().Add(2 * time.Minute))
				r.serve(conn)
			}()
		}
	}()
	return ln.Addr().String()
}

// stall is how long a stalled server says nothing before it goes away.
const stall = 20 * time.Second

// fails tells what to do at a verb: reply as if nothing were ("", true), reply
// something else, or end the connection.
func (r *rough) fails(verb, to string) (reply string, goOn bool) {
	r.mu.Lock()
	hit := r.broken && verb == r.verb && (r.victim == "" || r.victim == to)
	if hit {
		r.failed++
	}
	r.mu.Unlock()
	switch {
	case !hit:
		return "", true
	case r.how == "cut" || r.how == "taken, cut":
		return "", false
	case r.how == "stall":
		time.Sleep(stall)
		return "", false
	}
	return r.how, true
}

func (r *rough) serve(conn net.Conn) {
	in := bufio.NewReader(conn)
	var from, to string
	answer := func(verb, well string) bool {
		reply, goOn := r.fails(verb, to)
		if reply == "" {
			reply = well
		}
		if goOn {
			fmt.Fprintf(conn, "%s\r\n", reply)
		}
		return goOn && !strings.HasPrefix(reply, "421")
	}
	if !answer("greet", "220 rough.test") {
		return
	}
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(line)), " ")
		path := ""
		if i, k := strings.IndexByte(line, '<'), strings.IndexByte(line, '>'); i >= 0 && k > i {
			path = line[i+1 : k]
		}
		well := "250 fine"
		switch word {
		case "mail":
			from, to = path, ""
		case "rcpt":
			to = path
		case "data":
			well = "354 go on"
		case "quit":
			well = "221 bye"
		}
		reply, goOn := r.fails(word, to)
		if !goOn {
			return
		}
		if reply == "" {
			reply = well
		}
		fmt.Fprintf(conn, "%s\r\n", reply)
		if word == "quit" || strings.HasPrefix(reply, "421") {
			return
		}
		if !strings.HasPrefix(reply, "354") {
			continue
		}
		raw, whole := r.data(in, to)
		if !whole {
			return
		}
		if r.how == "taken, cut" {
			r.take(from, to, raw)
		}
		if reply, goOn = r.fails("dot", to); !goOn {
			return
		}
		if reply == "" {
			reply = "250 taken"
			if r.how != "taken, cut" {
				r.take(from, to, raw)
			}
		}
		fmt.Fprintf(conn, "%s\r\n", reply)
		if strings.HasPrefix(reply, "421") {
			return
		}
	}
}

// data reads a letter; not to its end if that is where it fails.
func (r *rough) data(in *bufio.Reader, to string) (raw []byte, whole bool) {
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return nil, false
		}
		if string(line) == ".\r\n" {
			return raw, true
		}
		if len(raw) < 4096 && len(raw)+len(line) >= 4096 {
			if _, goOn := r.fails("body", to); !goOn {
				return nil, false
			}
		}
		raw = append(raw, bytes.TrimPrefix(line, []byte("."))...)
	}
}

// take notes a letter and passes it on.
func (r *rough) take(from, to string, raw []byte) {
	id := "none"
	if m, err := mail.ReadMessage(bytes.NewReader(raw)); err == nil {
		id = m.Header.Get("Message-Id")
	}
	r.mu.Lock()
	if before := r.taken[id]; before != nil && !bytes.Equal(before, raw) {
		id += " with other bytes"
	}
	r.taken[id] = raw
	r.copies[id]++
	r.mu.Unlock()
	if err := deliver(r.to, from, to, raw); err != nil {
		r.mu.Lock()
		r.copies["not passed on: "+err.Error()]++
		r.mu.Unlock()
	}
}

// TestMailServerFails runs the server against a mail server that stalls, cuts or
// refuses for now at each verb, for half a minute: the others' letters flow
// meanwhile, it is not hammered, and once it is well again everything is
// delivered, once; again, the same bytes, only if the acknowledgment was lost.
// It takes as long as a letter's first pause, a minute; all cases at once.
func TestMailServerFails(t *testing.T) {
	const lasts = 30 * time.Second
	for _, c := range []struct {
		verb, how string
		all       bool // the fault is the server's, not one recipient's
	}{
		{"greet", "cut", true}, {"greet", "stall", true}, {"greet", "421 not now", true}, {"ehlo", "421 not now", true}, {"mail", "451 not now", true}, {"mail", "cut", true},
		{"rcpt", "450 not now", false}, {"rcpt", "421 not now", false}, {"rcpt", "cut", false}, {"rcpt", "stall", false},
		{"data", "451 not now", false}, {"data", "421 not now", false}, {"data", "cut", false}, {"body", "cut", false}, {"body", "stall", false},
		{"dot", "451 not now", false}, {"dot", "421 not now", false}, {"dot", "cut", false}, {"dot", "stall", false}, {"dot", "taken, cut", false},
	} {
		t.Run(c.verb+"/"+c.how, func(t *testing.T) {
			t.Parallel()
			host := mailFor(t, append([]string{demoServer}, demoAccounts...)...)
			r := &rough{to: host.SMTPAddr(), verb: c.verb, how: c.how}
			if !c.all {
				r.victim = "beta@" + demoDomain
			}
			began := time.Now()
			p := serveAt(t, host, demoServer, startRough(t, r), "", func(config string) {
				if out, code := output(t, "new", "-config", config, "-started", "-organiser", "alpha@"+demoDomain, "-seed", strings.Repeat("5a", 32), "-name", "First flight",
					"-player", "alpha@"+demoDomain, "-player", "beta@"+demoDomain, "-player", "gamma@"+demoDomain); code != exitYes {
					t.Fatalf("new: %d %s", code, out)
				}
			})
			alpha, beta, gamma := stranger(t, p, "alpha"), stranger(t, p, "beta"), stranger(t, p, "gamma")
			letters := 3
			if !c.all { // the others' letters flow
				any := func(notice) bool { return true }
				alpha.until("his first letter", any)
				gamma.until("his first letter", any)
				for time.Since(began) < lasts {
					alpha.ask("status")
					letters++
					time.Sleep(5 * time.Second)
				}
			}
			time.Sleep(time.Until(began.Add(lasts)))
			if beta.read(); len(beta.box) > 0 && c.how != "taken, cut" {
				t.Errorf("the letter came through a server that fails")
			}
			r.mu.Lock()
			r.broken = false
			// Every letter has a pause of a minute after a try; a server that is
			// down is asked after 5, 10, 20 seconds by each of two workers.
			if most := 2; c.all && r.failed > 8 || !c.all && r.failed > most || r.failed == 0 {
				t.Errorf("it failed %d times in half a minute", r.failed)
			}
			if r.connections > 8+letters {
				t.Errorf("%d connections for %d letters", r.connections, letters)
			}
			t.Logf("%d failures, %d connections, %d letters", r.failed, r.connections, letters)
			r.mu.Unlock()
			for _, x := range []*person{alpha, beta, gamma} {
				want := 1
				if x == beta && c.how == "taken, cut" {
					want = 2
				}
				for deadline := time.Now().Add(4 * time.Minute); len(x.box) < want; time.Sleep(100 * time.Millisecond) {
					if x.read(); time.Now().After(deadline) {
						t.Fatalf("nothing came to %s when all was well again", x.address)
					}
				}
			}
			for _, x := range []*person{alpha, beta, gamma} {
				x.settled()
			}
			p.stop()
			r.mu.Lock()
			defer r.mu.Unlock()
			twice := 0
			for id, n := range r.copies {
				switch {
				case n == 2 && c.how == "taken, cut":
					twice++
				case n != 1 || strings.Contains(id, " "):
					t.Errorf("%s was taken %d times", id, n)
				}
			}
			if (twice == 1) != (c.how == "taken, cut") {
				t.Errorf("%d letters came twice", twice)
			}
			if n := len(r.taken); n != letters+6 {
				t.Errorf("%d letters, want %d", n, letters+6)
			}
		})
	}
}
