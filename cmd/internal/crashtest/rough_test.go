package crashtest

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

	"angelpost/cmd/internal/mailclient"
)

// A rough is a mail server that fails at one verb as long as it is broken: for
// every letter, or, after RCPT, for those to one address. What it takes it
// passes on.
type rough struct {
	to          string // the mail host
	verb, how   string
	victim      string        // "" all; it may be the beginning of several
	stall       time.Duration // how long it says nothing before it goes away
	mu          sync.Mutex
	broken      bool
	connections int
	open, most  int // connections, and how many of them there were at once
	failed      int
	taken       map[string][]byte // by Message-ID
	copies      map[string]int
}

// startRough starts it, broken, and gives its address.
func startRough(t *testing.T, r *rough) string {
	t.Helper()
	r.broken, r.taken, r.copies = true, map[string][]byte{}, map[string]int{}
	if r.stall == 0 {
		r.stall = 20 * time.Second
	}
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
			r.open++
			r.most = max(r.most, r.open)
			r.mu.Unlock()
			go func() {
				defer func() {
					conn.Close()
					r.mu.Lock()
					r.open--
					r.mu.Unlock()
				}()
				conn.SetDeadline(time.Now().Add(2 * time.Minute))
				r.serve(conn)
			}()
		}
	}()
	return ln.Addr().String()
}

// fails tells what to do at a verb: reply as if nothing were ("", true), reply
// something else, or end the connection.
func (r *rough) fails(verb, to string) (reply string, goOn bool) {
	r.mu.Lock()
	hit := r.broken && verb == r.verb && strings.HasPrefix(to, r.victim)
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
		time.Sleep(r.stall)
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
	if err := mailclient.Deliver(r.to, from, to, raw); err != nil {
		r.mu.Lock()
		r.copies["not passed on: "+err.Error()]++
		r.mu.Unlock()
	}
}
