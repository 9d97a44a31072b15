package secrecytest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"angelpost/cmd/internal/inprocess"
	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/token"
)

// another is the first card in the hand of a seat that is not the viewer's, 0
// if nobody has one.
func (x *secrecyHarness) another(viewer engine.Seat) engine.Card {
	x.t.Helper()
	for seat := engine.Seat(1); int(seat) < len(x.keys); seat++ {
		if seat == viewer {
			continue
		}
		g, err := x.s.Desk.Host().Open(context.Background(), x.game, x.keys[seat], -1)
		if err != nil {
			x.t.Fatal(err)
		}
		if cards := g.View.Players[seat-1].Cards; len(cards) > 0 {
			return cards[0]
		}
	}
	return 0
}

// future is a number that chance will give.
func (x *secrecyHarness) future(s engine.Stream) uint64 {
	return x.w.chance(x.saga.head.Seed, "").Draw(s, 1000)
}

// deck is a number that depends on the order of a pile of 20 alone.
func (x *secrecyHarness) deck(s engine.Stream) (sum uint64) {
	chance := x.w.chance(x.saga.head.Seed, "")
	for k := range uint64(19) {
		sum = sum*31 + chance.Draw(s, uint32(k))%(20-k)
	}
	return sum
}

// secretLog is the log as nobody may read it before the end.
func (x *secrecyHarness) secretLog() []byte {
	var b bytes.Buffer
	for _, l := range x.w.lines {
		fmt.Fprintln(&b, l.N, l.Order, l.Told)
	}
	return b.Bytes()
}

// A leak spoils the outputs of one family.
type leak struct {
	family string
	spoil  func(x *secrecyHarness, viewer engine.Seat, b []byte) []byte
}

var leaks = map[string]leak{
	"an ETag over the whole position": {"page", func(x *secrecyHarness, viewer engine.Seat, b []byte) []byte {
		return bytes.Replace(b, []byte("\r\n"), fmt.Appendf(nil, "\r\nETag: %x\r\n", sha256.Sum256(x.secretLog())), 1)
	}},
	"a size that depends on a hand": {"page", func(x *secrecyHarness, viewer engine.Seat, b []byte) []byte {
		return append(b, bytes.Repeat([]byte(" "), int(x.another(viewer)%4))...)
	}},
	"a page's Content-Length by a deck": {"page", func(x *secrecyHarness, viewer engine.Seat, b []byte) []byte {
		return bytes.Replace(b, []byte("Content-Length: "), bytes.Repeat([]byte("Content-Length:  "), 1+int(x.deck(engine.StreamMissionGray)%5)), 1)
	}},
	"legal orders in the order of a deck": {"page", func(x *secrecyHarness, viewer engine.Seat, b []byte) []byte {
		i := bytes.Index(b, []byte(`"legal":["`))
		k := bytes.Index(b, []byte(`"],"finished"`))
		if i < 0 || k < 0 {
			return b
		}
		list := strings.Split(string(b[i+10:k]), `","`)
		n := int(x.another(viewer)) % len(list)
		list = slices.Concat(list[n:], list[:n])
		return slices.Concat(b[:i+10], []byte(strings.Join(list, `","`)), b[k:])
	}},
	"a 404 that comes from the future": {"page", func(x *secrecyHarness, viewer engine.Seat, b []byte) []byte {
		if !bytes.HasPrefix(b, []byte("404")) {
			return b
		}
		return fmt.Appendf(b, "<!-- %d -->", x.future(engine.StreamDieGray)%6)
	}},
	"a plan that shows what is drawn": {"plan", func(x *secrecyHarness, viewer engine.Seat, b []byte) []byte {
		return fmt.Appendf(b, "gray die %d", x.future(engine.StreamDieGray)%6)
	}},
	"a sum over lines that are not cut": {"export", func(x *secrecyHarness, viewer engine.Seat, b []byte) []byte {
		return bytes.Replace(b, []byte(`"told"`), fmt.Appendf(nil, `"sum":%q,"told"`, game.LogHash(x.w.lines)[:16]), 1)
	}},
	"an export that is not cut": {"export", func(x *secrecyHarness, viewer engine.Seat, b []byte) []byte {
		return append(b, x.secretLog()...)
	}},
	"a header over the seed's future": {"letter", func(x *secrecyHarness, viewer engine.Seat, b []byte) []byte {
		return fmt.Appendf(nil, "X-Angelpost-Check: %x\r\n%s", x.future(engine.StreamRavager), b)
	}},
	"a Message-ID from a hand": {"letter", func(x *secrecyHarness, viewer engine.Seat, b []byte) []byte {
		return bytes.Replace(b, []byte("Message-ID: <"), fmt.Appendf(nil, "Message-ID: <%03d", x.another(viewer)), 1)
	}},
	"a refusal that names what the number is": {"letter", func(x *secrecyHarness, viewer engine.Seat, b []byte) []byte {
		return bytes.Replace(b, []byte("099"), fmt.Appendf(nil, "099 (seat 2 has %v)", x.another(viewer)), 1)
	}},
	"a picture with one dot too many": {"letter", func(x *secrecyHarness, viewer engine.Seat, b []byte) []byte {
		i := bytes.Index(b, []byte("Content-Type: image/png"))
		if i < 0 {
			return b
		}
		b[len(b)-200] = "ABCD"[x.another(viewer)%4]
		return b
	}},
	"a preview that rolls": {"letter", func(x *secrecyHarness, viewer engine.Seat, b []byte) []byte {
		if !bytes.Contains(b, []byte("X-Angelpost-Result: none")) {
			return b
		}
		return fmt.Appendf(b, "orange die %d", x.future(engine.StreamDieOrange)%6)
	}},
	"an answer longer by a card": {"letter", func(x *secrecyHarness, viewer engine.Seat, b []byte) []byte {
		return append(b, bytes.Repeat([]byte("\r\n"), int(x.deck(engine.StreamMissionGreen)%5))...)
	}},
}

// TestSecrecyBites leaks on purpose, one thing at a time, and wants every leak
// found, and none without.
func TestSecrecyBites(t *testing.T) {
	g, rnd := recordedGameOf(t, 0, 12)
	x, _ := newSecrecyHarness(t, g, g.real(0), 0)
	y, _ := newSecrecyHarness(t, g, g.real(0), 0)
	leaks := leaks
	names := []string{""}
	for name := range leaks {
		names = append(names, name)
	}
	slices.Sort(names)
	found := map[string]int{}
	points := 2
	if *secretEvery == 1 {
		points = 4
	}
	for k := range points {
		n := (k + 1) * g.playsLast / (points + 1)
		viewer := g.open(t, n).View(0).ToAct[0]
		w, _ := y.other(viewer, n, rnd)
		x.put(g.real(n))
		for _, name := range names {
			for _, s := range []*secrecyHarness{x, y} {
				s.leak = func(s *secrecyHarness, viewer engine.Seat, family string, b []byte) []byte {
					if leaks[name].family != family {
						return b
					}
					return leaks[name].spoil(s, viewer, slices.Clone(b))
				}
			}
			get := func(s *secrecyHarness) outputs {
				out := outputs{}
				if leaks[name].family == "letter" || name == "" {
					out = s.ask(viewer, [][]string{{"status", "board"}, {"card 099 at row 1"}, {"preview", "B"}})
				}
				s.pages(out, viewer, n, n/2, leaks[name].family != "letter")
				s.export(out, viewer)
				s.plans(out, viewer, n, true)
				return out
			}
			if len(differ(get(x), get(y))) > 0 {
				found[name]++
			}
		}
		if len(x.w.lines) != len(w.lines) {
			t.Fatal("the worlds are not of one length")
		}
	}
	for _, name := range names {
		switch n := found[name]; {
		case name == "" && n > 0:
			t.Errorf("without a leak %d differences are found", n)
		case name != "" && n == 0:
			t.Errorf("%s: not found", name)
		}
	}
	t.Logf("found at how many of %d points: %v", points, found)
}

// opaque is what looks like an identifier or a hash: hexadecimal, base32 or
// base64 of 16 characters and more, with a digit in it. Outlines and escaped
// signs are none.
var (
	opaque  = regexp.MustCompile(`[0-9A-Za-z]{16,}`)
	outline = regexp.MustCompile(` d="[^"]*"|%[0-9A-F]{2}`)
	moment  = regexp.MustCompile(`^\d{8}T\d{6}Z$`) // of a calendar
)

// TestSecrecyOfIdentifiers lists every string that could be a hash in all that
// a viewer gets: each is of a kind that says nothing about hidden things. Ids,
// keys and Message-IDs are random; tokens are over what their reader sees of the log; the commitment is over a secret seed
// of 32 random bytes, nothing shorter, and so are those of a league and of its
// seasons; the set's hash is over public data; MIME
// boundaries are over the Message-ID; a page's tag is over the page, and a record's
// checksum over the rest of the same record.
func TestSecrecyOfIdentifiers(t *testing.T) {
	g, rnd := recordedGameOf(t, 2, 12)
	x, _ := newSecrecyHarness(t, g, g.real(0), 0)
	found := map[string]int{}
	for k := range 3 {
		n := (k + 1) * g.playsLast / 4
		viewer := g.open(t, n).View(0).ToAct[0]
		x.put(g.real(n))
		out := x.ask(viewer, g.questions(t, viewer, n, g.swapped(t, viewer, n, true, rnd), rnd)[:8])
		x.pages(out, viewer, n, n/2, true)
		x.export(out, viewer)
		known := map[string]string{g.set.Hash: "component set", engine.Commitment(g.head.Seed): "commitment"}
		for _, secret := range leagueSecrets() {
			known[engine.Commitment(secret)] = "league's commitment"
		}
		for _, s := range x.rnd.text {
			known[s] = "random"
		}
		for name, b := range out {
			text := string(b.([]byte))
			if strings.HasPrefix(name, "letter") {
				text = readable(t, b.([]byte))
				for _, s := range x.rnd.text {
					for _, level := range []string{"alternative", "related"} {
						sum := sha256.Sum256([]byte(level + "\n" + s + "@play.example"))
						known[fmt.Sprintf("%x", sum[:16])] = "boundary"
					}
				}
			}
			body := text
			if _, after, ok := strings.Cut(text, "\r\n\r\n"); ok && strings.HasPrefix(name, "GET ") {
				body = after
				known[fmt.Sprintf("%016x", xxhash.Sum64String(body))] = "tag"
			}
			var rec game.Record
			if json.Unmarshal([]byte(body), &rec) == nil && rec.Intact() {
				known[rec.Checksum] = "record's checksum"
			}
			for _, s := range opaque.FindAllString(outline.ReplaceAllString(text, " "), -1) {
				kind := known[s]
				_, _, sealed := token.Open(s, []token.Key{inprocess.TokenKey})
				switch {
				case kind != "":
					found[kind]++
				case sealed:
					found["token"]++
				case moment.MatchString(s), s == "abcdefghijklmn27": // an example of help
				case strings.ContainsAny(s, "0123456789"):
					t.Errorf("%s: nobody knows what %q is", name, s)
				}
			}
		}
	}
	t.Logf("%v", found)
	for _, kind := range []string{"component set", "commitment", "league's commitment", "random", "token", "boundary", "tag", "record's checksum"} {
		if found[kind] == 0 {
			t.Errorf("no %s was found: the search does not see it", kind)
		}
	}
}

// TestSecrecyBetweenPlayers: keys, tokens, addresses, notes and what is said to
// one other player alone never come to a third.
func TestSecrecyBetweenPlayers(t *testing.T) {
	g, rnd := recordedGameOf(t, 202, 12) // three players
	const viewer = 2
	x, first := newSecrecyHarness(t, g, g.real(0), viewer)
	n := g.playsLast / 2
	x.put(g.real(n))
	secrets := map[string]string{"only for Cy": "what Ada says to Cy", "only for me": "Ada's note", x.address(1): "an address", x.address(3): "an address"}
	tokens := make([]string, 4)
	take := func(letters []harnessLetter) (got []byte) {
		for _, l := range letters {
			if l.to == viewer {
				got = append(got, readable(t, l.raw)...)
			} else if l.to > 0 {
				tokens[l.to] = l.token
				secrets[l.token] = "a token"
			}
		}
		return got
	}
	all := take(first)
	for _, seat := range []engine.Seat{1, 3} {
		secrets[x.keys[seat]], secrets[x.homes[seat]] = "a key", "a start page"
	}
	for _, l := range []struct {
		seat engine.Seat
		line string
	}{{1, "say to Cy: only for Cy"}, {1, "note: only for me"}, {1, "say: hello, all"}, {3, "say to Ada: only for Cy"}, {3, "link"}} {
		x.send(l.seat, tokens[l.seat], l.line)
		all = append(all, take(x.read(viewer))...)
	}
	if !bytes.Contains(all, []byte("hello, all")) {
		t.Error("what is said to all does not come")
	}
	out := x.ask(viewer, g.questions(t, viewer, n, g.swapped(t, viewer, n, true, rnd), rnd))
	x.pages(out, viewer, n, n/2, true)
	x.export(out, viewer)
	for name, b := range out {
		if strings.HasPrefix(name, "letter") {
			all = append(all, readable(t, b.([]byte))...)
			continue
		}
		all = append(all, b.([]byte)...)
	}
	talk := "GET /g/" + x.game + "/" + x.keys[viewer] + "/talk"
	for _, page := range []string{talk, talk + ".json", talk + "?q=o"} {
		if b, _ := out[page].([]byte); bytes.Contains(b, []byte("hello, all")) != !strings.HasSuffix(page, "q=o") {
			t.Errorf("%s: what was said to all is not there, or found by what it has not: %s", page, b)
		}
	}
	if !bytes.Contains(all, []byte(x.keys[viewer])) {
		t.Error("his own key is not found: the search sees nothing")
	}
	if len(secrets) < 8 {
		t.Errorf("only %d secrets", len(secrets))
	}
	for secret, what := range secrets {
		if bytes.Contains(bytes.ToLower(all), []byte(strings.ToLower(secret))) {
			t.Errorf("%s comes to another player: %q", what, secret)
		}
	}
}

// readable is a letter's header and texts without their encoding; pictures are
// compared elsewhere.
func readable(t *testing.T, raw []byte) string {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
	var b strings.Builder
	b.Write(head)
	var part func(kind string, r io.Reader)
	part = func(kind string, r io.Reader) {
		media, params, err := mime.ParseMediaType(kind)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasPrefix(media, "multipart/"):
			for parts := multipart.NewReader(r, params["boundary"]); ; {
				p, err := parts.NextPart() // decodes quoted-printable
				if err == io.EOF {
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				for name, values := range p.Header {
					fmt.Fprintln(&b, name, values)
				}
				part(p.Header.Get("Content-Type"), p)
			}
		case strings.HasPrefix(media, "text/"):
			if _, err := io.Copy(&b, r); err != nil {
				t.Fatal(err)
			}
		}
	}
	part(m.Header.Get("Content-Type"), m.Body)
	return b.String()
}
