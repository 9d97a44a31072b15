package outbox

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// stalls are the places at which a server can stall under a letter, and how.
var stalls = map[string]string{"mail": "hang", "rcpt": "hang", "data": "hang", "body": "hang", "dot": "hang"}

func init() {
	for _, verb := range []string{"mail", "rcpt", "dot"} {
		stalls[verb+", dripping"] = "drip, 250 ok"
	}
	stalls["data, dripping"] = "drip, 354 go on"
}

// took is when the server took a letter, which it did once.
func took(t *testing.T, log *journal, to string) time.Duration {
	t.Helper()
	at, n := time.Duration(0), 0
	for _, line := range log.lines {
		if when, ok := strings.CutSuffix(line, " server took "+to); ok {
			at, _ = time.ParseDuration(when)
			n++
		}
	}
	if n != 1 {
		t.Errorf("%s was taken %d times", to, n)
	}
	return at
}

// crowded is how many of the letters that want says so of were with the server
// at once, those left out that had been for longer than a while (0: none are).
func crowded(flights []flight, want func(to string) bool, counts time.Duration) (most int) {
	for _, at := range flights {
		n := 0
		for _, f := range flights {
			begun := !f.begin.After(at.begin)
			over := !f.end.IsZero() && !f.end.After(at.begin)
			if want(f.to) && begun && !over && (counts == 0 || at.begin.Sub(f.begin) < counts) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// TestStalledRecipientsHoldNobodyUp: wherever and however the server stalls for
// thirty recipients, whose letters are the first in the queue, the others' leave
// within two seconds, those to the same domains included, and so do those queued
// later.
func TestStalledRecipientsHoldNobodyUp(t *testing.T) {
	const bad, good = 30, 10
	for where, how := range stalls {
		for _, perHost := range []int{1, 3, bad} { // stalling recipients of a domain
			t.Run(fmt.Sprintf("%s/%d a domain", where, perHost), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					verb, _, _ := strings.Cut(where, ",")
					replies := map[string][]string{}
					var letters []string
					for i := range bad {
						to := fmt.Sprintf("bad%d", i)
						replies[verb+" "+to] = slices.Repeat([]string{how}, 100)
						letters = append(letters, fmt.Sprintf("%s@d%d.example", to, i/perHost))
					}
					queued := map[string]time.Duration{}
					for i := range good {
						for _, after := range []string{"0s", "500ms", "1.3s", "29s", "61s", "121s", "200s"} {
							to := fmt.Sprintf("good%d-%s", i, strings.ReplaceAll(after, ".", "_"))
							queued[to], _ = time.ParseDuration(after)
							domain := i % (bad / perHost)
							if i >= good/2 {
								domain += 100
							}
							letters = append(letters, fmt.Sprintf("%s@d%d.example/%s", to, domain, after))
						}
					}
					log, server := playOn(t, &queue{}, strings.Join(letters, " "), replies, 0, 210*time.Second, nil)
					late := time.Duration(0)
					for to, after := range queued {
						late = max(late, took(t, log, to)-after)
					}
					if late > 2*time.Second {
						t.Errorf("a letter left %v after it was queued", late)
					}
					if server.most > 40 {
						t.Errorf("%d connections at once", server.most)
					}
					for i := range bad {
						if n := crowded(server.underWay, func(to string) bool { return to == fmt.Sprintf("bad%d", i) }, 0); n != 1 {
							t.Errorf("bad%d had %d letters with the server at once", i, n)
						}
					}
				})
			})
		}
	}
}

// TestAStalledLetterCountsForASecond: a letter that stalls counts towards its
// domain's two for a second, and no longer; those to other domains wait less.
func TestAStalledLetterCountsForASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log, server := playOn(t, &queue{}, "a b c/1ms d@y.example/1ms", map[string][]string{"rcpt a": {"hang"}, "rcpt b": {"hang"}}, 0, time.Minute, nil)
		if at := took(t, log, "c"); at != time.Second {
			t.Errorf("the third letter to the domain left after %v", at)
		}
		if at := took(t, log, "d"); at != stoodInAfter {
			t.Errorf("the letter to another domain left after %v", at)
		}
		if server.most > 4 {
			t.Errorf("%d connections", server.most)
		}
	})
}

// TestTwoToADomainOneToARecipient: while connections enough are open, because
// many have stalled.
func TestTwoToADomainOneToARecipient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		replies := map[string][]string{}
		var letters []string
		for i := range 30 {
			to := fmt.Sprintf("bad%d", i)
			replies["rcpt "+to] = []string{"hang"}
			letters = append(letters, fmt.Sprintf("%s@d%d.example", to, i))
		}
		for i := range 50 {
			letters = append(letters, fmt.Sprintf("one@y.example/%dms", 5000+i), fmt.Sprintf("z%d@z.example/5s", i))
		}
		for to, n := range map[string]int{"one": 50} {
			replies["dot "+to] = slices.Repeat([]string{"slow, 250 ok"}, n)
		}
		for i := range 50 {
			replies[fmt.Sprintf("dot z%d", i)] = []string{"slow, 250 ok"}
		}
		server := &script{replies: replies, slow: 400 * time.Millisecond}
		log, _ := playWith(t, &queue{}, server, Server{TLS: "none"}, strings.Join(letters, " "), 0, 50*time.Second, nil)
		if n := len(server.bodies["one"]); n != 50 {
			t.Errorf("%d letters to one, want 50: %q", n, log.lines)
		}
		if n := crowded(server.underWay, func(to string) bool { return to == "one" }, 0); n != 1 {
			t.Errorf("%d letters to one recipient at once", n)
		}
		if n := crowded(server.underWay, func(to string) bool { return to[0] == 'z' }, 0); n != 2 {
			t.Errorf("%d letters to one domain at once", n)
		}
	})
}

// TestConnectionsStayFew: as long as nothing stalls, two connections do the work,
// and as many again while those say QUIT, however many letters there are; the letters of
// a server that is slow do not open many more. One that opens sessions at once
// and is slow to take letters is known for that after the first.
func TestConnectionsStayFew(t *testing.T) {
	for _, c := range []struct {
		opening, letter time.Duration
		most, later     int
	}{
		{0, 0, 4, 4}, {0, 20 * time.Millisecond, 4, 4}, {0, 200 * time.Millisecond, 4, 4}, {150 * time.Millisecond, 400 * time.Millisecond, 4, 4},
		{350 * time.Millisecond, 900 * time.Millisecond, 4, 4}, {400 * time.Millisecond, 1500 * time.Millisecond, 5, 5},
		{0, 500 * time.Millisecond, 40, 4},
	} {
		synctest.Test(t, func(t *testing.T) {
			var letters []string
			for i := range 400 {
				letters = append(letters, fmt.Sprintf("p%d@d%d.example", i, i%100))
			}
			server := &script{all: c.letter, slow: c.opening, replies: map[string][]string{"greet": slices.Repeat([]string{"slow, 220 fake"}, 100)}}
			playWith(t, &queue{}, server, Server{TLS: "none"}, strings.Join(letters, " "), 0, 10*time.Minute, nil)
			if server.most > c.most {
				t.Errorf("letters that take %v: %d connections at once, want %d at most", c.letter, server.most, c.most)
			}
			settled := slices.DeleteFunc(server.underWay, func(f flight) bool { return f.begin.Sub(server.log.start) < 100*c.letter })
			if n := crowded(settled, func(string) bool { return true }, 0); n > c.later {
				t.Errorf("letters that take %v: %d of them at once after a while, want %d at most", c.letter, n, c.later)
			}
			if len(server.bodies) != 400 {
				t.Errorf("%d letters were taken", len(server.bodies))
			}
		})
	}
}

// TestFewerConnectionsThanWanted: a server that takes no further connection is not an outage:
// those that are open go on.
func TestFewerConnectionsThanWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		letters := "a@a.example c@c.example"
		for i := range 20 {
			letters += fmt.Sprintf(" p%d@p.example/%ds", i, 2*i)
		}
		replies := map[string][]string{"rcpt a": {"hang"}, "greet": append([]string{"220 one", "220 two"}, slices.Repeat([]string{"421 too many connections"}, 100)...)}
		log, server := playOn(t, &queue{}, letters, replies, 0, time.Minute, nil)
		for i := range 20 {
			if at, want := took(t, log, fmt.Sprintf("p%d", i)), time.Duration(2*i)*time.Second; at-want > 2*time.Second {
				t.Errorf("a letter left %v after it was queued", at-want)
			}
		}
		if server.connects > 10 {
			t.Errorf("%d connections were tried in a minute", server.connects)
		}
	})
}

// TestBacklogOfStalledRecipients: letters to recipients that stall are passed
// over, however many of them are due before the others.
func TestBacklogOfStalledRecipients(t *testing.T) {
	for _, recipients := range []int{1, 20} {
		synctest.Test(t, func(t *testing.T) {
			replies := map[string][]string{}
			var letters []string
			for i := range 1000 {
				to := fmt.Sprintf("bad%d", i%recipients)
				replies["rcpt "+to] = append(replies["rcpt "+to], "hang")
				letters = append(letters, to+"@s.example")
			}
			letters = append(letters, "a@s.example", "b@b.example", "c@s.example/3s", "d@d.example/3s", "e@s.example/63s")
			log, server := playOn(t, &queue{}, strings.Join(letters, " "), replies, 0, 70*time.Second, nil)
			for to, after := range map[string]time.Duration{"a": 0, "b": 0, "c": 3 * time.Second, "d": 3 * time.Second, "e": 63 * time.Second} {
				if late := took(t, log, to) - after; late > 2*time.Second {
					t.Errorf("%d recipients stall: %s left %v after it was queued", recipients, to, late)
				}
			}
			if server.most > recipients+3 {
				t.Errorf("%d recipients stall: %d connections at once", recipients, server.most)
			}
		})
	}
}
