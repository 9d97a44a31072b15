package lettertest

import (
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// A monster is a letter that no mail client writes.
type monster struct {
	name   string
	post   mailclient.Post
	silent bool
	says   string // in the answer
}

// Bounds of the server, whatever comes: its memory, and how long the next letter
// waits for its answer. (A tenth of a second on a busy machine; with Postfix and
// Dovecot's own pauses less than one.)
const (
	maxResident = 256 << 20
	maxWait     = 5 * time.Second
)

// monsters are letters at and beyond every bound, all of them from a player
// with a good token and, where nothing of it may be read, an order in them.
func monsters(order string) []monster {
	crlf := func(lines ...string) string { return strings.Join(lines, "\r\n") + "\r\n" }
	wide := func(unit string, size int) string { return strings.Repeat(unit, size/len(unit)) }
	nested := func(n int, inner string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n", i, i+1)
		}
		return b.String() + crlf(fmt.Sprintf("--b%d", n), "", inner)
	}
	parts := func(n int, typ, text string) string {
		return strings.Repeat(crlf("--b", "Content-Type: "+typ, "", text), n) + "--b--\r\n"
	}
	mixed := func(boundary string) string { return `multipart/mixed; boundary="` + boundary + `"` }
	recipients := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "\r\n guest%d@example.org,", i)
		}
		return "Cc:" + b.String() + " x@example.org"
	}
	const large, broken, none = "is too large", "could not read", "no order in your letter"
	mb20 := 20 << 20
	return []monster{
		{name: "20 MB of lines", post: mailclient.Post{Body: crlf(order) + wide(wide("x", 70)+"\r\n", mb20)}, says: large},
		{name: "20 MB in one line", post: mailclient.Post{Body: order + wide(" x", mb20) + "\r\n"}, says: large},
		{name: "20 MB attached", post: mailclient.Post{Kind: mixed("b"), Body: crlf("--b", "", order, "--b", "Content-Type: video/mp4", "Content-Transfer-Encoding: base64", "") + wide(wide("QUJD", 76)+"\r\n", mb20) + "--b--\r\n"}, says: large},
		{name: "nested 1,000 deep", post: mailclient.Post{Kind: mixed("b0"), Body: nested(1000, order)}, says: broken},
		{name: "nested 20,000 deep", post: mailclient.Post{Kind: mixed("b0"), Body: nested(20_000, order)}, says: broken},
		{name: "10,000 parts", post: mailclient.Post{Kind: mixed("b"), Body: parts(10_000, "image/png", "x") + order}, says: broken},
		{name: "10,000 parts of text", post: mailclient.Post{Kind: mixed("b"), Body: parts(10_000, "text/plain", "frobnicate")}, says: "frobnicate"},
		{name: "1 MB in one line", post: mailclient.Post{Body: wide("x ", 1<<20) + order + "\r\n"}, says: large},
		{name: "1 MB in one word", post: mailclient.Post{Body: wide("x", 1<<20) + "\r\n" + order + "\r\n"}, says: large},
		{name: "1 MB in one HTML element", post: mailclient.Post{Kind: "text/html", Body: "<p title=\"" + wide("x", 1<<20) + "\">" + order + "</p>\r\n"}, says: large},
		{name: "a header of 1 MB", post: mailclient.Post{Head: []string{"X-Long: " + wide("x\r\n ", 1<<20) + "x"}, Body: crlf(order)}, says: large},
		{name: "50,000 recipients", post: mailclient.Post{Head: []string{recipients(50_000)}, Body: crlf("frobnicate")}}, // Postfix cuts such a field short
		{name: "10,000 header fields", post: mailclient.Post{Head: strings.Split(strings.TrimSuffix(strings.Repeat("X: y\n", 10_000), "\n"), "\n"), Body: crlf("frobnicate")}, says: "frobnicate"},
		{name: "much in base64", post: mailclient.Post{Head: []string{"Content-Transfer-Encoding: base64"}, Body: base64.StdEncoding.EncodeToString([]byte(order+"\r\n"+wide(" x", 1<<20))) + "\r\n"}, says: large},
		{name: "nothing in quoted-printable", post: mailclient.Post{Head: []string{"Content-Transfer-Encoding: quoted-printable"}, Body: wide("=\r\n", 1<<20)}, says: none},
		{name: "a parameter in 3,000 pieces", post: mailclient.Post{Kind: "text/plain" + pieces(3000), Body: crlf("frobnicate")}, says: "frobnicate"},
		{name: "a packed file", post: mailclient.Post{Kind: "application/gzip", Head: []string{"Content-Transfer-Encoding: base64"}, Body: "H4sIAAAAAAAAA+3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA\r\n"}, says: broken},
		{name: "20,000 open elements", post: mailclient.Post{Kind: "text/html", Body: wide("<b><p><table><td>", 400_000) + "frobnicate\r\n"}, says: ""},
		{name: "200 hops", post: mailclient.Post{Head: strings.Split(strings.TrimSuffix(strings.Repeat("Received: from a by b; Sat, 21 Nov 2026 09:00:00 +0000\n", 200), "\n"), "\n"), Body: crlf(order)}, silent: true},
	}
}

// pieces are the continuations of one parameter (RFC 2231).
func pieces(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ";\r\n charset*%d*=u", i)
	}
	return b.String()
}

// bounds has one player send monsters while another asks for their game's status:
// each monster gets a helpful answer or none, nothing moves, and the other player
// gets an answer right after it.
func bounds(t *testing.T, p *program.Process, mover, other *mailclient.Person, step func() string) {
	t.Helper()
	before := step()
	slowest, which := time.Duration(0), ""
	for _, m := range monsters(mover.Last.Legal[0]) {
		if m.silent && !strings.HasSuffix(mover.Address, "@"+program.Domain) {
			continue // Postfix brings a letter of so many hops back itself
		}
		t.Run(m.name, func(t *testing.T) {
			mover.T, other.T = t, t
			id := mover.Write(m.post)
			began := time.Now()
			mailclient.Says(t, other.Ask("status"), "round")
			took := time.Since(began)
			if took > maxWait {
				t.Errorf("the next letter was answered after %v, at most %v are allowed", took, maxWait)
			}
			if took > slowest {
				slowest, which = took, m.name
			}
			if m.silent {
				if mover.Read(); mover.Box[len(mover.Box)-1].Header.Get("In-Reply-To") == "<"+id+">" {
					t.Errorf("it was answered:\n%s", mailclient.Head(mover.Box[len(mover.Box)-1].Text, 20))
				}
			} else if n := mover.AnswerTo(id); n.Result != "refused" || !strings.Contains(mailclient.Flatten(n.Text), m.says) {
				t.Errorf("result %s, want refused and %q:\n%s", n.Result, m.says, mailclient.Head(n.Text, 30))
			}
			mover.Ask("status") // who writes nothing that can be read twice in a row is a machine
			if now := step(); now != before {
				t.Fatalf("the game moved from %s to %s", before, now)
			}
		})
	}
	mover.T, other.T = t, t
	peak := mostResident(t, p.Cmd.Process.Pid)
	t.Logf("the next letter was answered within %v at most (%s); %d MiB of memory at most", slowest.Round(time.Millisecond), which, peak>>20)
	if peak > maxResident {
		t.Errorf("%d MiB of memory, at most %d are allowed", peak>>20, maxResident>>20)
	}
}

// mostResident is the most memory that a process ever had.
func mostResident(t *testing.T, pid int) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(b), "VmHWM:")
	fields := strings.Fields(after)
	if len(fields) < 2 || fields[1] != "kB" {
		t.Fatalf("no VmHWM in %s", b)
	}
	n, err := strconv.Atoi(fields[0])
	if err != nil {
		t.Fatal(err)
	}
	return n << 10
}

// TestBounds sends monsters to the demo, whose mail host is in the same process.
func TestBounds(t *testing.T) {
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := mailclient.SitDown(t, p)
	bounds(t, p, mover, other, func() string { return strconv.Itoa(mailclient.Latest(t, mover.Page)) })
	p.Stop()
}
