package server

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// oneClick is the address in a letter's List-Unsubscribe field that takes a
// POST.
func oneClick(t *testing.T, n received) string {
	t.Helper()
	m := regexp.MustCompile(`<(http[^>]*/mute)>`).FindStringSubmatch(n.header.Get("List-Unsubscribe"))
	if m == nil || n.header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" {
		t.Fatalf("List-Unsubscribe %q, List-Unsubscribe-Post %q", n.header.Get("List-Unsubscribe"), n.header.Get("List-Unsubscribe-Post"))
	}
	return m[1]
}

// request sends a request as a mail program or a scanner would: no cookies, no
// referrer.
func request(t *testing.T, method, url, form string) (string, int) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	if form != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	c := http.Client{Timeout: 10 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), res.StatusCode
}

// TestMute ends the letters about a game by one click (RFC 8058): a scanner
// changes nothing, the click resigns nothing, and playing brings the letters
// back.
func TestMute(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	all := seated(t, p)
	organiser, guest := all[0], all[1]
	playUntil := func(done func() bool) { // what is asked of the organiser is played
		t.Helper()
		for range 20 {
			if done() {
				return
			}
			orders := organiser.last.example
			if len(orders) == 0 {
				orders = organiser.last.legal[:min(1, len(organiser.last.legal))]
			}
			organiser.ask(orders...)
		}
		t.Fatal("it never came to that")
	}
	oldAddress := oneClick(t, guest.box[0])
	step := latest(t, organiser.page)
	for range 2 {
		for _, method := range []string{"GET", "HEAD"} {
			if body, status := request(t, method, oldAddress, ""); status != 200 || method == "GET" && !strings.Contains(body, "<form") {
				t.Errorf("%s: %d", method, status)
			}
		}
	}
	if _, status := request(t, "POST", oldAddress, "resign=yes"); status != 400 {
		t.Errorf("a POST that says something else: %d", status)
	}
	n := guest.ask("link") // the page's first address dies, the first letter's button does not
	if oneClick(t, n) == oldAddress {
		t.Error("link gave the same address")
	}
	if organiser.read(); len(organiser.box) != 1 {
		t.Errorf("the organiser has %d letters: a look muted something", len(organiser.box))
	}

	for range 3 {
		if body, status := request(t, "POST", oldAddress, "List-Unsubscribe=One-Click"); status != 200 || !strings.Contains(body, "no more letters") {
			t.Errorf("the click: %d\n%s", status, body)
		}
	}
	says(t, organiser.wait(1, "info"), "Beta wants no more letters", "replace Beta by bot")
	answers(t, organiser.ask("say to beta: hello?"), "applied", "Beta wants no letters about this game")
	answers(t, organiser.ask("remind Beta"), "refused")
	before := len(guest.box)
	playUntil(func() bool { return len(organiser.last.legal) == 0 })
	says(t, organiser.ask("status"), "waiting for Beta") // not resigned
	organiser.settled()
	if guest.read(); len(guest.box) != before {
		t.Errorf("%d letters to whom wants none:\n%s", len(guest.box)-before, head(guest.last.text, 20))
	}

	// The guest opens their page, answers their last letter, and plays: no more silence.
	if body, status := get(t, pageIn(t, n)); status != 200 || !strings.Contains(body, "Orders possible now") {
		t.Errorf("his page: %d", status)
	}
	back := guest.ask("unmute")
	answers(t, back, "applied", "You get letters about this game again", "WHAT HAPPENED")
	if len(back.legal) == 0 {
		t.Errorf("the letter does not say what is to be decided:\n%s", head(back.text, 40))
	}
	// The other address in the header takes a letter whose subject is the word.
	answers(t, guest.answerTo(guest.write(post{subject: "mute", body: "\r\n"})), "applied", "You get no more letters about this game")
	orders := back.example
	if len(orders) == 0 {
		orders = back.legal[:1]
	}
	answers(t, guest.ask(orders...), "applied", "You get letters about this game again")
	if now := latest(t, organiser.page); now <= step {
		t.Errorf("the game stands at %d, was at %d", now, step)
	}
	organiser.settled()
	for _, x := range []*person{organiser, guest} {
		for _, n := range x.box {
			if strings.Contains(n.text, "resigned") || strings.Contains(n.text, "bot plays") {
				t.Errorf("somebody was resigned:\n%s", head(n.text, 30))
			}
		}
	}
	p.stop()
}
