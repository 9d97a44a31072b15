package server

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// What the mail server found about a letter is heeded however it is spelled. Where
// it cannot be read, the order waits until its player says yes, whose letter has
// such a field, too; and the host hears of it once a day.
func TestIllegibleAuthentication(t *testing.T) {
	const field = "Authentication-Results: "
	illegible := []string{
		houseAuthserv + "; dmarc=pass (p=none header.from=example.org", houseAuthserv + "; dmarc pass", houseAuthserv + " 2; dmarc=pass", houseAuthserv + `; dkim=pass reason="; dmarc=fail`,
	}
	var log bytes.Buffer
	h := newInProcess(t, 1, func(h *inProcess, c *unit.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	// written hands in an order as the player's and reports whether it was carried out.
	written := func(x turn, authentication string) bool {
		t.Helper()
		before := h.state(false)
		h.give(h.write([]string{field + authentication, "From: " + x.who.address, "To: " + tokenAddress(x.last.Token)}, x.legal[0]))
		return h.state(false) != before
	}
	for _, a := range []string{
		"; dmarc (p=none) = fail", "\r\n (a;b)\r\n ;\r\n\tdmarc\r\n = (c) fail", " 1; DMARC=Fail", `; spf=pass reason="("; dkim/1=fail`, "; dkim=pass header.d=example.org (;\r\n x=y); dmarc=fail(p=reject dis=none) header.from=example.org",
	} {
		if written(h.turn(0), houseAuthserv+a) {
			t.Errorf("%q: carried out", a)
		}
	}
	if !written(h.turn(0), houseAuthserv+";(x)dmarc(p=none)=(y)pass(z)header.from=example.org;") {
		t.Error("a letter that passed DMARC was not carried out")
	}
	log.Reset()
	for i, a := range illegible {
		x := h.turn(0)
		if written(x, a) {
			t.Fatalf("%q: carried out before its player said yes", a)
		}
		ask := x.who.got[x.last.Game][len(x.who.got[x.last.Game])-1]
		if len(ask.Answer.Remarks) == 0 || ask.Answer.Remarks[0].Code != notice.AskLetter || strings.Join(ask.Answer.Remarks[0].List, "/") != x.legal[0] {
			t.Fatalf("%q: asked %+v", a, ask.Answer.Remarks)
		}
		before := h.state(false)
		h.give(h.write([]string{field + illegible[(i+1)%len(illegible)], "From: " + x.who.address, "To: " + tokenAddress(ask.Token)}, "yes"))
		if h.state(false) == before {
			t.Errorf("%q: not carried out after a yes", a)
		}
	}
	if n := strings.Count(log.String(), "level=ERROR"); n != 1 || !strings.Contains(log.String(), "dmarc=pass (p=none") {
		t.Errorf("the host hears %d times:\n%s", n, log.String())
	}
	h.now = h.now.Add(24 * time.Hour)
	log.Reset()
	written(h.turn(0), illegible[0])
	if n := strings.Count(log.String(), "level=ERROR"); n != 1 {
		t.Errorf("the next day the host hears %d times:\n%s", n, log.String())
	}

	// Letters without a token, which anyone could have written, are asked about a few
	// times a day; those beyond are held all the same.
	x := h.turn(1)
	asked := func() (n int) {
		for _, got := range x.who.got {
			for _, r := range got {
				if len(r.Answer.Remarks) > 0 && r.Answer.Remarks[0].Code == notice.AskLetter {
					n++
				}
			}
		}
		return n
	}
	before := asked()
	for i := range 6 {
		h.give(h.write([]string{field + illegible[0], "From: " + x.who.address, "To: " + houseAddress}, fmt.Sprint("help ", i)))
	}
	if n := asked() - before; n != 3 {
		t.Errorf("asked %d times about letters that anyone could have written", n)
	}
}
