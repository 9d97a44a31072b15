package intrusions

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/inprocess"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// What the mail server found about a letter is heeded however it is spelled. Where
// it cannot be read, the order waits until its player says yes, whose letter has
// such a field, too; and the host hears of it once a day.
func TestIllegibleAuthentication(t *testing.T) {
	const field = "Authentication-Results: "
	illegible := []string{
		inprocess.Authserv + "; dmarc=pass (p=none header.from=example.org", inprocess.Authserv + "; dmarc pass", inprocess.Authserv + " 2; dmarc=pass", inprocess.Authserv + `; dkim=pass reason="; dmarc=fail`,
	}
	var log bytes.Buffer
	h := inprocess.NewHouse(t, 1, func(h *inprocess.House, c *unit.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	// written hands in an order as the player's and reports whether it was carried out.
	written := func(x inprocess.Turn, authentication string) bool {
		t.Helper()
		before := h.State(false)
		h.Give(h.Write([]string{field + authentication, "From: " + x.Who.Address, "To: " + inprocess.TokenAddress(x.Last.Token)}, x.Legal[0]))
		return h.State(false) != before
	}
	for _, a := range []string{
		"; dmarc (p=none) = fail", "\r\n (a;b)\r\n ;\r\n\tdmarc\r\n = (c) fail", " 1; DMARC=Fail", `; spf=pass reason="("; dkim/1=fail`, "; dkim=pass header.d=example.org (;\r\n x=y); dmarc=fail(p=reject dis=none) header.from=example.org",
	} {
		if written(h.Turn(0), inprocess.Authserv+a) {
			t.Errorf("%q: carried out", a)
		}
	}
	if !written(h.Turn(0), inprocess.Authserv+";(x)dmarc(p=none)=(y)pass(z)header.from=example.org;") {
		t.Error("a letter that passed DMARC was not carried out")
	}
	log.Reset()
	for i, a := range illegible {
		x := h.Turn(0)
		if written(x, a) {
			t.Fatalf("%q: carried out before its player said yes", a)
		}
		ask := x.Who.Got[x.Last.Game][len(x.Who.Got[x.Last.Game])-1]
		if len(ask.Answer.Remarks) == 0 || ask.Answer.Remarks[0].Code != notice.AskLetter || strings.Join(ask.Answer.Remarks[0].List, "/") != x.Legal[0] {
			t.Fatalf("%q: asked %+v", a, ask.Answer.Remarks)
		}
		before := h.State(false)
		h.Give(h.Write([]string{field + illegible[(i+1)%len(illegible)], "From: " + x.Who.Address, "To: " + inprocess.TokenAddress(ask.Token)}, "yes"))
		if h.State(false) == before {
			t.Errorf("%q: not carried out after a yes", a)
		}
	}
	if n := strings.Count(log.String(), "level=ERROR"); n != 1 || !strings.Contains(log.String(), "dmarc=pass (p=none") {
		t.Errorf("the host hears %d times:\n%s", n, log.String())
	}
	h.Now = h.Now.Add(24 * time.Hour)
	log.Reset()
	written(h.Turn(0), illegible[0])
	if n := strings.Count(log.String(), "level=ERROR"); n != 1 {
		t.Errorf("the next day the host hears %d times:\n%s", n, log.String())
	}

	// Letters without a token, which anyone could have written, are asked about a few
	// times a day; those beyond are held all the same.
	x := h.Turn(1)
	asked := func() (n int) {
		for _, got := range x.Who.Got {
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
		h.Give(h.Write([]string{field + illegible[0], "From: " + x.Who.Address, "To: " + inprocess.Address}, fmt.Sprint("help ", i)))
	}
	if n := asked() - before; n != 3 {
		t.Errorf("asked %d times about letters that anyone could have written", n)
	}
}
