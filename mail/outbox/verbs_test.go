package outbox

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const (
	soft = "451 not now"
	hard = "554 not ever"
	bye  = "421 going down"
)

// verbs are all places at which a server can fail, and how.
var verbs = []struct {
	key    string
	faults []string
	letter bool // the fault is one letter's, a's
}{
	{"connect", []string{"hang", "drop"}, false},
	{"greet", []string{"hang", "drop", bye, soft, hard}, false},
	{"ehlo", []string{"hang", "drop", bye, soft, hard}, false},
	{"starttls", []string{"hang", "drop", bye, soft, hard}, false},
	{"auth", []string{"hang", "drop", bye, soft, hard, "535 no"}, false},
	{"quit", []string{"hang", "drop", bye, soft, hard}, false},
	{"mail a", []string{"hang", "drop", bye, soft, hard, "nonsense"}, true},
	{"rcpt a", []string{"hang", "drop", bye, soft, hard, "nonsense"}, true},
	{"data a", []string{"hang", "drop", bye, soft, hard, "250 what"}, true},
	{"body a", []string{"hang", "drop", bye, soft, hard}, true},
	{"dot a", []string{"hang", "drop", bye, soft, hard, "taken, hang", "taken, drop", "nonsense"}, true},
	{"rset", []string{"hang", "drop", bye, soft, hard}, true},
}

// body is more than any buffer on the way, with a line that begins with a dot.
var body = "Subject: x\r\n\r\n.dots\r\n" + strings.Repeat(strings.Repeat("x", 70)+"\r\n", 1000)

// faulty plays letters a to d against a server that fails n times at a verb.
func faulty(t *testing.T, key, fault string, n, connections int, long time.Duration) (*journal, *script) {
	t.Helper()
	config, ca := selfSigned(t)
	server := &script{
		offer: []string{"8BITMIME", "STARTTLS", "AUTH PLAIN"}, tls: config,
		replies: map[string][]string{key: slices.Repeat([]string{fault}, n)},
	}
	if key == "rset" { // said after a refusal only
		server.replies["rcpt a"] = slices.Repeat([]string{soft}, n)
	}
	password := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(password, []byte("p\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	to := Server{TLS: "starttls", CAFile: ca, User: "u", PasswordFile: password}
	render := func(ctx context.Context, l Letter) ([]byte, error) { return []byte(body), nil }
	return playWith(t, &queue{}, server, to, "a b c d", connections, long, render)
}

// refuses reports whether a fault ends a letter for good.
func refuses(key, fault string) bool {
	return fault == hard && strings.HasSuffix(key, " a")
}

// TestFaultAtEveryVerbPasses: once the server is well again, every letter that
// it did not refuse for good goes out, once; again, with the same bytes, only
// if the reply to the last dot was lost.
func TestFaultAtEveryVerbPasses(t *testing.T) {
	for _, v := range verbs {
		for _, fault := range v.faults {
			t.Run(v.key+"/"+fault, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					const times = 3
					log, server := faulty(t, v.key, fault, times, 2, time.Hour)
					for _, who := range []string{"a", "b", "c", "d"} {
						taken, result, want := 0, "", "sent"
						for _, line := range log.lines {
							switch words := strings.Fields(line); {
							case words[1] == "server" && words[3] == who:
								taken++
							case (words[1] == "sent" || words[1] == "failed") && words[2] == who:
								result += words[1]
							}
						}
						copies := 1
						switch {
						case who == "a" && refuses(v.key, fault):
							copies, want = 0, "failed"
						case who == "a" && strings.HasPrefix(fault, "taken"):
							copies += times
						}
						if taken != copies || result != want {
							t.Errorf("%s was taken %d times and is %q, want %d and %q", who, taken, result, copies, want)
						}
						for _, b := range server.bodies[who] {
							if b != strings.Replace(body, "\r\n.dots", "\r\n..dots", 1)+".\r\n" {
								t.Errorf("%s arrived changed: %d octets", who, len(b))
							}
						}
					}
					if t.Failed() {
						t.Log(strings.Join(log.lines, "\n"))
					}
				})
			})
		}
	}
}

// TestLettersArriveAsTheyAre: of lines with dots, and of such as need the
// library's care, whether the session is in TLS or not.
func TestLettersArriveAsTheyAre(t *testing.T) {
	long := strings.Repeat(strings.Repeat("y", 70)+"\r\n", 300)
	for name, c := range map[string]struct{ letter, want string }{
		"dots":            {".a\r\n.\r\n..b\r\n" + long + ".\r\n", "..a\r\n..\r\n...b\r\n" + long + "..\r\n.\r\n"},
		"a line":          {"x\r\n", "x\r\n.\r\n"},
		"no end":          {long + ".x", long + "..x\r\n.\r\n"},
		"a bare LF":       {"a\n.\nb\r\n" + long, "a\r\n..\r\nb\r\n" + long + ".\r\n"},
		"a bare LF, last": {long + ".\nb\n", long + "..\r\nb\r\n.\r\n"},
	} {
		for _, mode := range []string{"starttls", "none"} {
			t.Run(name+"/"+mode, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					config, ca := selfSigned(t)
					server := &script{offer: []string{"8BITMIME", "STARTTLS"}, tls: config}
					render := func(context.Context, Letter) ([]byte, error) { return []byte(c.letter), nil }
					playWith(t, &queue{}, server, Server{TLS: mode, CAFile: ca}, "a b", 1, time.Minute, render)
					for _, who := range []string{"a", "b"} {
						if got := server.bodies[who]; len(got) != 1 || got[0] != c.want {
							t.Errorf("%s: %d letters, %.60q, want %.60q", who, len(got), got, c.want)
						}
					}
				})
			})
		}
	}
}

// TestFaultAtEveryVerbLasts: while the fault lasts, the Sender neither hammers
// the server nor lets the letters wait that have no part in it.
func TestFaultAtEveryVerbLasts(t *testing.T) {
	const day = 24 * time.Hour
	for _, v := range verbs {
		for _, fault := range v.faults {
			for connections := range 3 {
				if connections == 0 {
					continue
				}
				t.Run(v.key+"/"+fault+"/"+strings.Repeat("w", connections), func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) {
						log, server := faulty(t, v.key, fault, 1_000_000, connections, day)
						var tries []time.Duration
						sent := map[string]time.Duration{}
						for _, line := range log.lines {
							words := strings.Fields(line)
							at, err := time.ParseDuration(words[0])
							if err != nil {
								t.Fatal(err)
							}
							switch words[1] {
							case "retry":
								if words[2] != "a" {
									t.Errorf("a letter with no part in it was put off: %s", line)
								}
								tries = append(tries, at)
							case "sent":
								sent[words[2]] = at
							}
						}
						// One outage after another: 5 s, 10, … 5 minutes apart.
						calls := 1_000_000 - len(server.replies["connect"])
						if v.key != "connect" {
							calls = server.connects
						}
						if calls > 310*connections {
							t.Errorf("%d connections in a day", calls)
						}
						for i := 2; i < len(tries); i++ {
							if before, now := tries[i-1]-tries[i-2], tries[i]-tries[i-1]; now < before && now < 4*time.Hour {
								t.Errorf("the pauses do not grow: %v after %v", now, before)
							}
						}
						if len(tries) > 20 {
							t.Errorf("%d tries of one letter in a day", len(tries))
						}
						if !v.letter && v.key != "quit" {
							if len(sent) > 0 || len(tries) > 0 {
								t.Errorf("letters were charged or sent without a server: %v, %v", tries, sent)
							}
							return
						}
						for _, who := range []string{"b", "c", "d"} {
							// a may hold its worker for LetterTimeout, and be in doubt for an outage.
							if at, ok := sent[who]; !ok || at > 4*time.Minute {
								t.Errorf("%s was sent %v after the start (%v)", who, at, ok)
							}
						}
						if t.Failed() {
							t.Logf("%d connections\n%s", server.connects, strings.Join(log.lines, "\n"))
						}
					})
				})
			}
		}
	}
}

// TestStopsAtEveryVerb: whatever the server leaves unanswered, Run returns soon
// after its context has ended.
func TestStopsAtEveryVerb(t *testing.T) {
	for _, v := range verbs {
		t.Run(v.key, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				faulty(t, v.key, "hang", 100, 2, 11*time.Second)
				if took := time.Since(start); took > 16*time.Second {
					t.Errorf("Run returned %v after the start, 11s were given", took)
				}
			})
		})
	}
}

// selfSigned is a certificate for mail.x.example, and the file to trust it by.
func selfSigned(t *testing.T) (*tls.Config, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"mail.x.example"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(100 * 24 * time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, ca
}
