package imapbox_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"angelpost/mail/imapbox"
)

// script is an IMAP server with one mailbox that can fall silent: it keeps reading but writes
// nothing more, like a peer after its router has died.
type script struct {
	mu    sync.Mutex
	inbox map[int]string
	done  map[int]string
	conns int
	// silent is the point at which a connection falls silent, usually a command; times is how
	// often that will still happen.
	silent string
	times  int
	hurt   int // connections that fell silent
	// stale makes a session see only the letters that were there when it selected the
	// mailbox, as if someone had deleted and created the index meanwhile. With noise above 0
	// it still reports letters after that much of an IDLE.
	stale bool
	noise time.Duration
	full  bool // refuse APPEND before the literal
	// prompt makes an IDLE report letters, after lag. Otherwise only NOOP and SELECT report
	// them.
	prompt bool
	lag    time.Duration
	lacks  string        // a capability that the server does not have
	skew   time.Duration // of the server's clock
	dates  map[int]time.Time
	open   []net.Conn
	claim  string   // the letter in the folder of claims
	next   int      // UIDNEXT of the folder of claims, less 1000
	noNext bool     // SELECT does not report UIDNEXT
	quota  string   // the answer to GETQUOTAROOT; "": no quotas
	junk   []string // the letters in the spam folder; nil: no such folder
	moved  int      // letters moved out of the spam folder
	heard  []heard  // the commands, in the order in which they came
}

// heard is a command that the script received.
type heard struct {
	verb string
	at   time.Time
}

// commands returns the names of the commands that came since a time.
func (s *script) commands(since time.Time) (verbs []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.heard {
		if !h.at.Before(since) {
			verbs = append(verbs, h.verb)
		}
	}
	return verbs
}

func (s *script) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	client, server := net.Pipe()
	s.mu.Lock()
	s.conns++
	s.open = append(s.open, server)
	s.mu.Unlock()
	go s.serve(server)
	return client, nil
}

// claims returns how many letters are in the folder of claims.
func (s *script) claims() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.claim == "" {
		return 0
	}
	return 1
}

func (s *script) nextUID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return 1000 + s.next
}

// spam returns the letters in the spam folder.
func (s *script) spam() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.junk)
}

// hangUp closes all connections.
func (s *script) hangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.open {
		c.Close()
	}
	s.open = nil
}

// fails reports whether the connection must fall silent at this point.
func (s *script) fails(at string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.silent != at || s.times == 0 {
		return false
	}
	s.times--
	s.hurt++
	return true
}

// uids returns the UIDs of the letters in the inbox that a set names, in order.
func (s *script) uids(set string) (out []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for uid := range s.inbox {
		for part := range strings.SplitSeq(set, ",") {
			first, last, ok := strings.Cut(part, ":")
			if !ok {
				last = first
			}
			a, _ := strconv.Atoi(first)
			b, err := strconv.Atoi(last)
			if err != nil { // "*"
				b = 1 << 30
			}
			if a <= uid && uid <= b {
				out = append(out, uid)
				break
			}
		}
	}
	slices.Sort(out)
	return out
}

// counts returns the number of connections so far, of those that fell silent, and of filed
// letters.
func (s *script) counts() (conns, hurt, done int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns, s.hurt, len(s.done)
}

func (s *script) add(uid int, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inbox[uid] = text
	if s.dates == nil {
		s.dates = map[int]time.Time{}
	}
	s.dates[uid] = time.Now()
}

const capabilities = "CAPABILITY IMAP4rev1 IDLE MOVE NAMESPACE UIDPLUS"

func (s *script) serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	hang := func() { io.Copy(io.Discard, in) }
	say := func(format string, args ...any) { fmt.Fprintf(conn, format+"\r\n", args...) }
	if s.fails("greeting") {
		hang()
		return
	}
	capabilities := capabilities
	if s.lacks != "" {
		capabilities = strings.Replace(capabilities, " "+s.lacks, "", 1)
	}
	if s.quota != "" {
		capabilities += " QUOTA"
	}
	say("* OK [%s] ready", capabilities)
	selects, exists, claims, spam := 0, 0, false, false
	tell := func() {
		if n := len(s.uids("1:*")); n != exists && !s.stale {
			exists = n
			say("* %d EXISTS", n)
		}
	}
	var opened []int // what was in the inbox at SELECT
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		words := strings.Fields(line)
		tag, verb := words[0], strings.ToUpper(words[1])
		if verb == "UID" {
			verb = "UID " + words[2]
		}
		state := map[string]string{"LIST": "list", "LOGIN": "login", "UID SEARCH": "search", "STATUS": "status", "NOOP": "noop", "LOGOUT": "logout", "IDLE": "idle", "UID MOVE": "move"}[verb]
		switch {
		case verb == "SELECT":
			state = "select"
			if selects++; selects > 1 {
				state = "select again"
			}
		case verb == "UID FETCH" && strings.Contains(line, "RFC822.SIZE"):
			state = "sizes"
		case verb == "UID FETCH":
			state = "fetch"
		}
		if s.fails(state) {
			hang()
			return
		}
		s.mu.Lock()
		s.heard = append(s.heard, heard{verb, time.Now()})
		s.mu.Unlock()
		switch verb {
		case "NOOP":
			tell()
		case "CAPABILITY":
			say("* %s", capabilities)
		case "LIST":
			say(`* LIST (\Noselect) "/" ""`)
			if s.spam() != nil {
				say(`* LIST () "/" "Spam"`)
			}
		case "EXAMINE":
			spam, claims = true, false
			n := len(s.spam())
			say("* FLAGS (\\Seen)\r\n* %d EXISTS\r\n* OK [UIDVALIDITY 9] ok\r\n* OK [UIDNEXT %d] ok", n, s.moved+n+1)
		case "NAMESPACE":
			say(`* NAMESPACE (("" "/")) NIL NIL`)
		case "SELECT":
			if spam = strings.Contains(line, "Spam"); spam {
				say("* FLAGS (\\Seen)\r\n* %d EXISTS\r\n* OK [UIDVALIDITY 9] ok", len(s.spam()))
				break
			}
			if claims = strings.Contains(line, "Claim"); claims {
				say("* FLAGS (\\Seen)\r\n* %d EXISTS\r\n* OK [UIDVALIDITY 7] ok", s.claims())
				if !s.noNext {
					say("* OK [UIDNEXT %d] ok", s.nextUID())
				}
				break
			}
			opened = s.uids("1:*")
			exists = len(opened)
			say("* FLAGS (\\Seen)\r\n* %d EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 1000] ok", len(s.uids("1:*")))
		case "UID SEARCH":
			out := "* SEARCH"
			uids := s.uids("1:*")
			if s.stale {
				uids = slices.DeleteFunc(uids, func(uid int) bool { return !slices.Contains(opened, uid) })
			}
			for _, uid := range uids {
				out += fmt.Sprintf(" %d", uid)
			}
			say("%s", out)
		case "FETCH":
			for i, text := range s.spam() {
				say("* %d FETCH (UID %d INTERNALDATE \"21-Nov-2026 08:00:00 +0000\" BODY[HEADER.FIELDS (TO)] {%d}\r\n%s)", i+1, s.moved+i+1, len(text), text)
			}
		case "UID FETCH":
			if spam { // every set names the last letter here
				all := s.spam()
				n, text := len(all), all[len(all)-1]
				uid := s.moved + n
				switch {
				case state == "sizes":
					say("* %d FETCH (UID %d RFC822.SIZE %d INTERNALDATE \"21-Nov-2026 08:00:00 +0000\")", n, uid, len(text))
				case strings.Contains(line, "HEADER.FIELDS"):
					say("* %d FETCH (UID %d INTERNALDATE \"21-Nov-2026 08:00:00 +0000\" BODY[HEADER.FIELDS (TO)] {%d}\r\n%s)", n, uid, len(text), text)
				default:
					say("* %d FETCH (UID %d BODY[] {%d}\r\n%s)", n, uid, len(text), text)
				}
				break
			}
			if claims {
				s.mu.Lock()
				text := s.claim
				s.mu.Unlock()
				say("* 1 FETCH (UID 1 FLAGS () INTERNALDATE \"21-Nov-2026 08:00:00 +0000\" BODY[HEADER.FIELDS (X-Angelpost-Claim X-Angelpost-Instance X-Angelpost-Epoch X-Angelpost-Folder X-Angelpost-Server)] {%d}\r\n%s)", len(text), text)
				break
			}
			for i, uid := range s.uids(words[3]) {
				s.mu.Lock()
				text := s.inbox[uid]
				s.mu.Unlock()
				if state == "sizes" {
					s.mu.Lock()
					date := s.dates[uid].Add(s.skew).UTC().Format("_2-Jan-2006 15:04:05 -0700")
					s.mu.Unlock()
					say(`* %d FETCH (UID %d RFC822.SIZE %d INTERNALDATE "%s")`, i+1, uid, len(text), date)
					continue
				}
				fmt.Fprintf(conn, "* %d FETCH (UID %d BODY[] {%d}\r\n%s", i+1, uid, len(text), text[:len(text)/2])
				if s.fails("literal") {
					hang()
					return
				}
				say("%s)", text[len(text)/2:])
			}
		case "STATUS":
			n := 0
			if strings.Contains(line, "Claim") {
				n = s.claims()
			}
			say(`* STATUS %s (MESSAGES %d UIDNEXT %d UIDVALIDITY 7)`, words[2], n, s.nextUID())
		case "UID MOVE":
			if spam { // every set names the last letter here
				s.mu.Lock()
				n := len(s.junk)
				s.moved++
				s.inbox[500+s.moved], s.dates[500+s.moved] = s.junk[n-1], time.Now().Add(-30*time.Second)
				s.junk = s.junk[:n-1]
				s.mu.Unlock()
				say("* %d EXPUNGE", n)
				break
			}
			uids := s.uids(words[3])
			s.mu.Lock()
			for _, uid := range uids {
				s.done[uid] = s.inbox[uid]
				delete(s.inbox, uid)
			}
			s.mu.Unlock()
			if s.fails("moved") {
				hang()
				return
			}
			for range uids {
				say("* 1 EXPUNGE")
				exists--
			}
		case "GETQUOTAROOT":
			if s.quota == "NO" {
				say("%s NO not here", tag)
				continue
			}
			say(`* QUOTAROOT INBOX ""`)
			say("* QUOTA %s", s.quota)
		case "APPEND":
			s.mu.Lock()
			full := s.full
			s.mu.Unlock()
			if full {
				say("%s NO [OVERQUOTA] the mailbox is full", tag)
				continue
			}
			say("+ go on")
			_, size, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), "}"), "{")
			n, _ := strconv.ParseInt(size, 10, 64)
			text, err := io.ReadAll(io.LimitReader(in, n+2)) // with the end of the line
			if err != nil {
				return
			}
			s.mu.Lock()
			if strings.Contains(line, "Claim") {
				s.claim, _, _ = strings.Cut(string(text), "\r\n\r\n")
				s.claim += "\r\n\r\n"
				s.next++
			} else {
				s.done[1000+len(s.done)] = string(text)
			}
			s.mu.Unlock()
		case "IDLE":
			say("+ idling")
			if s.noise > 0 {
				time.Sleep(s.noise)
				say("* %d EXISTS", len(opened))
			}
			ended := make(chan error, 1)
			go func() {
				_, err := in.ReadString('\n')
				ended <- err
			}()
			for idles := true; idles; {
				select {
				case err := <-ended:
					if err != nil {
						return
					}
					idles = false
				case <-time.After(100 * time.Millisecond):
					s.mu.Lock()
					due := s.prompt
					for uid := range s.inbox {
						due = due && time.Since(s.dates[uid]) >= s.lag
					}
					s.mu.Unlock()
					if due {
						tell()
					}
				}
			}
			if s.fails("idle done") {
				hang()
				return
			}
		}
		say("%s OK done", tag)
		if verb == "LOGOUT" {
			return
		}
	}
}

// raceDetector is true if the tests were built with -race (race_test.go).
var raceDetector bool

// TestHalfOpenAtEveryCommand: at whichever command the server falls silent, the watchdog ends
// the connection, the next connection continues and no letter is lost. While the fault lasts,
// the watcher connects only now and then. Run ends with its context.
func TestHalfOpenAtEveryCommand(t *testing.T) {
	for _, state := range []string{"greeting", "login", "list", "select", "search", "sizes", "fetch", "literal", "status", "move", "moved", "idle", "idle done", "select again"} {
		for _, times := range []int{1, 1000} {
			t.Run(fmt.Sprintf("%s, %d times", state, times), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { halfOpen(t, state, times) })
			})
		}
	}
}

func halfOpen(t *testing.T, state string, times int) {
	s := &script{inbox: map[int]string{}, done: map[int]string{}, silent: state, times: times}
	l := &ledger{}
	sent := map[string]string{}
	add := func(uid int) {
		name := fmt.Sprintf("nr%d", uid)
		sent[name] = letter(name)
		s.add(uid, letter(name))
	}
	for uid := range 3 {
		add(uid + 1)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- imapbox.Run(ctx, imapbox.Config{
			Addr: "imap.example.org:143", TLS: "none", User: "u", PasswordFile: secret(t, "p"), Dial: s.dial, Log: slog.New(slog.DiscardHandler),
		}, l.handle)
	}()
	filed := func() bool {
		_, _, done := s.counts()
		return done == len(sent)
	}
	within := func(what string, limit time.Duration) {
		t.Helper()
		for start := time.Now(); !filed(); time.Sleep(time.Second) {
			if time.Since(start) > limit {
				conns, _, done := s.counts()
				t.Fatalf("%s: %d of %d letters are filed after %v; %d connections", what, done, len(sent), limit, conns)
			}
		}
		if lacking := l.lacks(sent); len(lacking) > 0 {
			t.Errorf("%s: filed without being handled: %q", what, lacking)
		}
	}
	// The watchdog takes a minute; the end of an IDLE or another look at the folder takes a
	// second one.
	const round = time.Minute + time.Minute
	if times > 1 {
		time.Sleep(3 * time.Hour)
		// Each connection takes at least a minute, then a wait of 1 s, 2 s, … up to 5
		// minutes. At "moved" the server has already moved the letters, so few connections
		// fail.
		if conns, hurt, _ := s.counts(); conns > 3*60 || hurt < 20 && state != "moved" {
			t.Errorf("%d connections in 3 hours, %d of them fell silent", conns, hurt)
		}
		s.mu.Lock()
		s.times = 0
		s.mu.Unlock()
		// The next connection may be 5 minutes away. So may the next try of a letter that was
		// being fetched when the last connection ended.
		within("the fault is over", 5*time.Minute+2*round)
	} else {
		within("at first", round)
		time.Sleep(round) // so that a fault at a command of an idle watcher can happen
	}
	add(4)
	within("another letter", 2*round)
	if _, hurt, _ := s.counts(); hurt == 0 {
		t.Error("the server never fell silent")
	}

	s.mu.Lock()
	s.silent, s.times = "logout", 1
	s.mu.Unlock()
	start := time.Now()
	cancel()
	if err := <-ended; err != nil || time.Since(start) > 5*time.Second {
		t.Errorf("Run ended %v after it was told: %v", time.Since(start), err)
	}
}

// TestDeafIdle: if the server no longer reports letters, or reports letters and then shows
// none, the watcher still finds them within a minute.
func TestDeafIdle(t *testing.T) {
	for _, noise := range []time.Duration{0, 7 * time.Second} {
		t.Run(noise.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{inbox: map[int]string{}, done: map[int]string{}, stale: true, noise: noise}
				l := &ledger{}
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() {
					ended <- imapbox.Run(ctx, imapbox.Config{
						Addr: "imap.example.org:143", TLS: "none", User: "u", PasswordFile: secret(t, "p"), Dial: s.dial, Log: slog.New(slog.DiscardHandler),
					}, l.handle)
				}()
				for uid := 1; uid <= 20 && !t.Failed(); uid++ {
					time.Sleep(time.Duration(uid) * 7 * time.Second)
					s.add(uid, letter(fmt.Sprintf("nr%d", uid)))
					start := time.Now()
					for done := 0; done < uid && !t.Failed(); _, _, done = s.counts() {
						time.Sleep(100 * time.Millisecond)
						if time.Since(start) > time.Minute+noise+time.Second {
							t.Errorf("letter %d is not filed after %v", uid, time.Since(start))
						}
					}
				}
				if conns, _, _ := s.counts(); conns != 1 {
					t.Errorf("%d connections", conns)
				}
				cancel()
				if err := <-ended; err != nil {
					t.Error(err)
				}
				time.Sleep(noise + time.Second) // until the server has noticed
			})
		})
	}
}

// TestRefusedAppend: a full mailbox refuses letters that came by LMTP before it has read
// them. That stops nothing else, the watcher tries again only now and then, and it files the
// letters once there is room.
func TestRefusedAppend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{inbox: map[int]string{}, done: map[int]string{}, full: true}
		o := &owing{list: []imapbox.Owed{{ID: 1, Raw: []byte(letter("lmtp"))}}}
		l := &ledger{}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- imapbox.Run(ctx, imapbox.Config{
				Addr: "imap.example.org:143", TLS: "none", User: "u", PasswordFile: secret(t, "p"), Dial: s.dial, Log: slog.New(slog.DiscardHandler),
				Owed: o.owed, Paid: o.paid,
			}, l.handle)
		}()
		for uid := 1; uid <= 10; uid++ {
			s.add(uid, letter(fmt.Sprintf("nr%d", uid)))
			time.Sleep(3 * time.Minute)
			if _, _, done := s.counts(); done != uid {
				t.Errorf("%d letters are filed of %d", done, uid)
			}
		}
		if conns, _, _ := s.counts(); conns < 2 || conns > 12 {
			t.Errorf("%d connections in half an hour", conns)
		}
		s.mu.Lock()
		s.full = false
		s.mu.Unlock()
		time.Sleep(time.Hour)
		if list, _ := o.owed(ctx, 1); len(list) > 0 {
			t.Error("there is room, and the letter is not filed")
		}
		cancel()
		start := time.Now()
		if err := <-ended; err != nil || time.Since(start) > 5*time.Second {
			t.Errorf("Run ended %v after it was told: %v", time.Since(start), err)
		}
	})
}
