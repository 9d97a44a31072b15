package mailclient

import (
	"bytes"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// CheckLetter holds every letter the server writes to web/API.md and mail/MAIL.md.
func CheckLetter(t *testing.T, to string, raw []byte) {
	t.Helper()
	for i, c := range raw {
		if c == '\n' && (i == 0 || raw[i-1] != '\r') || c == '\r' && (i+1 == len(raw) || raw[i+1] != '\n') {
			t.Errorf("a bare %q at octet %d", c, i)
			break
		}
	}
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	h := m.Header
	for _, name := range []string{"Message-Id", "Date", "From", "To", "Subject", "Auto-Submitted", "X-Angelpost-Kind", "X-Angelpost-Result", "Mime-Version", "Content-Type"} {
		if len(h[name]) != 1 {
			t.Errorf("header %s is there %d times", name, len(h[name]))
		}
	}
	for name, values := range h {
		for _, v := range values {
			if len(name)+2+len(v) > 998 && name != "References" {
				t.Errorf("header %s has %d octets", name, len(v))
			}
		}
	}
	if v := h.Get("Auto-Submitted"); v != "auto-generated" && v != "auto-replied" {
		t.Errorf("Auto-Submitted: %q", v)
	}
	if !slices.Contains([]string{"invitation", "start", "turn", "answer", "info", "end"}, h.Get("X-Angelpost-Kind")) {
		t.Errorf("X-Angelpost-Kind: %q", h.Get("X-Angelpost-Kind"))
	}
	if !slices.Contains([]string{"applied", "partial", "refused", "none"}, h.Get("X-Angelpost-Result")) {
		t.Errorf("X-Angelpost-Result: %q", h.Get("X-Angelpost-Result"))
	}
	if a, err := mail.ParseAddress(h.Get("To")); err != nil || a.Address != to {
		t.Errorf("To: %q, want %s", h.Get("To"), to)
	}
	reply, err := mail.ParseAddress(h.Get("Reply-To"))
	if err != nil {
		t.Errorf("Reply-To: %q: %v", h.Get("Reply-To"), err)
	} else if local, _, _ := strings.Cut(reply.Address, "@"); len(local) > 64 || !strings.Contains(local, "+") || len(local)-strings.IndexByte(local, '+')-1 < 20 {
		t.Errorf("Reply-To %q: want a token of 100 bits or more in at most 64 octets", reply.Address)
	}
	if (h.Get("X-Angelpost-Game") == "") != (h.Get("X-Angelpost-Step") == "") || (h.Get("X-Angelpost-Game") == "") != (h.Get("List-Id") == "" || ofLeague.MatchString(h.Get("List-Id"))) {
		t.Errorf("X-Angelpost-Game %q, X-Angelpost-Step %q, List-Id %q: want all or none", h.Get("X-Angelpost-Game"), h.Get("X-Angelpost-Step"), h.Get("List-Id"))
	}
	checkUnsubscribe(t, h)
	if in := h.Get("In-Reply-To"); in != "" && !strings.Contains(h.Get("References"), in) {
		t.Errorf("In-Reply-To %q does not end References %q", in, h.Get("References"))
	}
	if hole := regexp.MustCompile(`\{[a-z]+\}`).FindString(plainText(t, h.Get("Content-Type"), h.Get("Content-Transfer-Encoding"), m.Body) + h.Get("Subject")); hole != "" {
		t.Errorf("%s is in a letter in place of a word", hole)
	}
	for part := range strings.SplitSeq(string(raw), "\r\n") {
		if len(part) > 998 {
			t.Errorf("a line of %d octets", len(part))
			break
		}
	}
}

// CheckThreads holds a mailbox to one thread a game, and to Message-IDs of
// their own.
func CheckThreads(t *testing.T, p *Person) {
	t.Helper()
	first := map[string]string{}
	seen := map[string]bool{}
	for _, n := range p.Box {
		id, game := n.Header.Get("Message-Id"), n.Header.Get("X-Angelpost-Game")
		if seen[id] {
			t.Errorf("%s: two letters are %s", p.Address, id)
		}
		seen[id] = true
		if game == "" {
			continue
		}
		if first[game] == "" {
			first[game] = id
		} else if !strings.Contains(n.Header.Get("References"), first[game]) {
			t.Errorf("%s: %s is not in the thread of %s: References %q", p.Address, id, first[game], n.Header.Get("References"))
		}
	}
}

// ofLeague is the List-Id of letters about a league.
var ofLeague = regexp.MustCompile(`^<[a-z0-9-]+\.league\.[a-z.]+>$`)

// checkUnsubscribe holds a letter to RFC 2369 and 8058: letters about a game or a
// league tell the reader where to end them, and with one click if they also name the
// reader's own page.
func checkUnsubscribe(t *testing.T, h mail.Header) {
	t.Helper()
	field, reply := h.Get("List-Unsubscribe"), h.Get("Reply-To")
	about := h.Get("List-Id") != ""
	if about != (field != "") || about && !strings.HasSuffix(field, "<mailto:"+reply+"?subject=mute>") {
		t.Errorf("List-Id %q, Reply-To %q, List-Unsubscribe %q", h.Get("List-Id"), reply, field)
	}
	click := regexp.MustCompile(`^<http://127\.0\.0\.1:\d+/(?:g/[a-z2-7]+|l/[a-z0-9-]+)/[a-z2-7]+/mute>, `).MatchString(field)
	if post := h.Get("List-Unsubscribe-Post"); click != (post == "List-Unsubscribe=One-Click") || !click && post != "" {
		t.Errorf("List-Unsubscribe %q, List-Unsubscribe-Post %q", field, post)
	}
}
