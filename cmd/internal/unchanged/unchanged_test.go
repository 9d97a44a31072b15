package unchanged

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"maps"
	"math/rand/v2"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/http/httptest"
	"net/mail"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"angelpost/cmd/internal/hook"
	"angelpost/cmd/internal/inprocess"
	"angelpost/cmd/internal/server"
	"angelpost/cmd/internal/voice"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

var (
	unchangedUpdate = flag.Bool("unchanged.update", false, "write testdata/unchanged.txt")
	unchangedDump   = flag.String("unchanged.dump", "", "write each letter, page and record into this `DIR`")
)

const unchangedGolden = "testdata/unchanged.txt"

// TestUnchanged compares what people see with what they saw; doc.go says how.
func TestUnchanged(t *testing.T) {
	var got bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(unchangedScenarios)) {
		t.Run(name, func(t *testing.T) {
			x := newScript(t, name)
			unchangedScenarios[name](x)
			x.records()
			for _, line := range x.digests {
				fmt.Fprintln(&got, line)
			}
		})
	}
	if t.Failed() {
		return
	}
	if *unchangedUpdate {
		if err := os.WriteFile(unchangedGolden, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	golden, err := os.ReadFile(unchangedGolden)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(golden), "\n")
	have := strings.Split(got.String(), "\n")
	differ := 0
	for i := range max(len(want), len(have)) {
		var w, h string
		if i < len(want) {
			w = want[i]
		}
		if i < len(have) {
			h = have[i]
		}
		if w != h {
			if differ++; differ <= 10 {
				t.Errorf("line %d: %q, was %q", i+1, h, w)
			}
		}
	}
	if differ > 0 {
		t.Errorf("%d of %d differ", differ, len(have))
	}
	if len(have) < 1500 {
		t.Errorf("only %d letters, pages and records", len(have))
	}
}

var unchangedScenarios = map[string]func(*script){
	"1 two by mail": func(x *script) {
		x.say("ann", "", "new game", "players: bob@example.org", "rules: base", "clock: 3d bank 10d")
		x.say("ann", "last", "yes", "name Ann")
		x.say("bob", "last", "join Bob")
		for _, words := range [][]string{
			{"zone Europe/Berlin", "reminders half day", "quiet 22:00-07:00"}, {"status", "board", "legal", "history 1"}, {"help", "rules", "rules R5.5", "rules 999"},
			{"say: good luck", "", "note: take the blue pill"}, {"say all", "a longer", "message", "end"}, {"always keep all", "standings"}, {"days off sun"},
			{"vacation 2026-12-24 to 2026-12-27"}, {"rating", "leagues", "games"}, {"notify every", "format text"}, {"nonsense", "die purple 9"},
		} {
			x.say("ann", "last", words...)
			x.say("bob", "last", words...)
		}
		x.play(150, 0)
	},
	"2 three advanced, late": func(x *script) {
		x.begin(seating.NewGameOrder{Rules: "advanced", Edition: "first", Clock: "1d"}, "ann", "bob", "cyd")
		x.play(60, 0.15)
		x.say("cyd", "last", "resign")
		x.say("cyd", "last", "yes")
		x.play(40, 0.1)
	},
	"3 alone against Hal": func(x *script) {
		x.begin(seating.NewGameOrder{Rules: "advanced", Hal: "hard", Hints: "yes"}, "ann")
		x.say("ann", "last", "hint")
		x.play(300, 0)
	},
	"4 bots": func(x *script) {
		x.begin(seating.NewGameOrder{Rules: "base"}, "ann", "bot:greedy", "bot:planner:200")
		x.play(25, 0)
	},
	"5 four, with words of organisers": func(x *script) {
		x.begin(seating.NewGameOrder{Rules: "base", Clock: "2d"}, "ann", "bob", "cyd", "dan")
		x.play(20, 0)
		for _, words := range [][]string{{"extend bob by 1d"}, {"pause"}, {"resume"}, {"replace dan eve@example.org"}, {"cancel game"}, {"no"}} {
			x.say("ann", "last", words...)
			for _, who := range []string{"bob", "cyd", "dan"} {
				x.say(who, "last", "agree")
			}
		}
		x.say("eve", "last", "join Eve")
		x.play(40, 0.05)
	},
	"6 a league": func(x *script) {
		x.say("dir", "", append([]string{"new league"}, strings.Split(strings.TrimSpace(pairLeague), "\n")...)...)
		x.say("dir", "last", "yes")
		for _, who := range []string{"ann", "bob"} {
			x.say(who, "", "join league two-of-a-kind", "name "+strings.ToUpper(who[:1])+who[1:])
			x.say(who, "last", "yes")
		}
		x.say("dir", "last", "announce two-of-a-kind", "Welcome.", "end")
		x.say("dir", "last", "yes")
		x.say("ann", "last", "league two-of-a-kind", "substitute two-of-a-kind")
		x.play(60, 0.1)
		x.later(70 * 24 * time.Hour)
		x.play(10, 0)
	},
}

const pairLeague = `name: Two of a Kind
table: 2
division: 2
least: 2
clock: 3d
season: 8 weeks
check in: 0 days
`

// A script plays one scenario against a server in this process.
type script struct {
	*server.Server
	t       *testing.T
	name    string
	rnd     *rand.Rand
	now     time.Time
	thought chan string
	sent    int
	last    map[string]notice.Message // the newest letter to each address
	games   []string
	seen    map[string]string // what a random word is called
	digests []string
}

func newScript(t *testing.T, name string) *script {
	t.Helper()
	began := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	x := &script{
		t: t, name: name, now: began, thought: make(chan string, 1),
		rnd: rand.New(rand.NewPCG(uint64(name[0]), 7)), last: map[string]notice.Message{}, seen: map[string]string{},
	}
	wall, steady := hook.Wall, hook.Steady
	hook.Wall, hook.Steady = func() time.Time { return x.now }, func() time.Duration { return x.now.Sub(began) }
	t.Cleanup(func() { hook.Wall, hook.Steady = wall, steady })
	x.Server = inprocess.Open(t, func(c *server.Config) { c.Directors, c.Start = []string{"dir@example.org"}, "anyone" })
	err := x.Rebuild(func(c *unit.Config) {
		c.Now, c.Random, c.Adviser = func() time.Time { return x.now }, rand.NewChaCha8([32]byte{name[0]}), "planner:200"
		c.Thought = func(_ unit.Command, outcome string) { x.thought <- outcome }
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func (x *script) begin(o seating.NewGameOrder, who ...string) {
	x.t.Helper()
	o.Started, o.Seed, o.Organiser, o.Visibility, o.Name = true, &[32]byte{x.name[0]}, who[0]+"@example.org", store.Listed, "Friday"
	for _, w := range who {
		if strings.HasPrefix(w, "bot:") {
			o.Players = append(o.Players, seating.NewPlayer{Address: w})
			continue
		}
		o.Players = append(o.Players, seating.NewPlayer{Name: strings.ToUpper(w[:1]) + w[1:], Address: w + "@example.org"})
	}
	if _, err := x.Desk.NewGame(context.Background(), o); err != nil {
		x.t.Fatal(err)
	}
	x.collect()
}

// say sends a letter; with token "last" it answers the newest letter to its writer.
func (x *script) say(who, token string, lines ...string) {
	x.t.Helper()
	address := who + "@example.org"
	if token == "last" {
		token = x.last[address].Token
	}
	to := inprocess.Address
	if token != "" {
		to = inprocess.TokenAddress(token)
	}
	x.sent++
	raw := fmt.Sprintf("Authentication-Results: %s; dmarc=pass header.from=example.org\r\nFrom: %s\r\nTo: %s\r\nSubject: Re: Friday\r\nMessage-ID: <%d@example.org>\r\nDate: %s\r\n\r\n%s\r\n",
		inprocess.Authserv, address, to, x.sent, x.now.Format(time.RFC1123Z), strings.Join(lines, "\r\n"))
	done := x.Handle(context.Background(), []server.Arrival{{Raw: []byte(raw), Received: x.now}})
	if done[0].Outcome == desk.Thinking {
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error)
		go func() { ended <- x.Desk.Think(ctx) }()
		done[0].Outcome = <-x.thought
		stop()
		if err := <-ended; err != nil {
			x.t.Fatal(err)
		}
	}
	x.note("answer to "+who, []byte(done[0].Outcome))
	if done[0].Err != nil || done[0].Outcome == desk.SetAside {
		x.t.Fatalf("%q: %s, %v", lines, done[0].Outcome, done[0].Err)
	}
	x.later(20 * time.Minute)
}

// later lets time pass, and what is due be done.
func (x *script) later(by time.Duration) {
	x.t.Helper()
	ctx := context.Background()
	for end := x.now.Add(by); ; {
		next, err := x.Desk.NextDue(ctx)
		if err != nil {
			x.t.Fatal(err)
		}
		if next.IsZero() || next.After(end) {
			x.now = end
			break
		}
		if next.After(x.now) {
			x.now = next
		}
		if _, err := x.Desk.Due(ctx); err != nil {
			x.t.Fatal(err)
		}
		x.collect()
	}
	x.collect()
}

// collect notes every letter that is to be sent.
func (x *script) collect() {
	x.t.Helper()
	ctx := context.Background()
	for {
		due, _, err := x.DB.Due(ctx, x.now.Add(365*24*time.Hour), 100)
		if err != nil {
			x.t.Fatal(err)
		}
		if len(due) == 0 {
			return
		}
		for _, d := range due {
			raw, err := x.Queued(ctx, d.ID)
			if err != nil {
				x.t.Fatal(err)
			}
			x.note("letter to "+d.To, parts(x.t, raw))
			if d.Token != "" || x.last[d.To].Token == "" {
				x.last[d.To] = d.Message
			}
			if d.Game != "" && !slices.Contains(x.games, d.Game) {
				x.games = append(x.games, d.Game)
			}
			if err := x.DB.Sent(ctx, d.ID); err != nil {
				x.t.Fatal(err)
			}
		}
	}
}

// parts is a letter with its parts decoded, so that neither their encoding nor
// their boundaries count.
func parts(t *testing.T, raw []byte) []byte {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	var part func(kind, encoding string, r io.Reader)
	part = func(kind, encoding string, r io.Reader) {
		media, params, err := mime.ParseMediaType(kind)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(media, "multipart/") {
			fmt.Fprintln(&b, media)
			body, err := io.ReadAll(decoding(encoding, r))
			if err != nil {
				t.Fatal(err)
			}
			b.Write(body)
			return
		}
		for all := multipart.NewReader(r, params["boundary"]); ; {
			p, err := all.NextRawPart()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			part(p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Header)) {
		if !strings.HasPrefix(name, "Content-") {
			value, err := new(mime.WordDecoder).DecodeHeader(strings.Join(m.Header[name], ", "))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s: %s\n", name, value)
		}
	}
	part(m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body)
	return b.Bytes()
}

func decoding(encoding string, r io.Reader) io.Reader {
	switch strings.ToLower(encoding) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, r)
	case "quoted-printable":
		return quotedprintable.NewReader(r)
	}
	return r
}

// play plays n turns of all games by what their letters say is legal. late is how
// often a player lets a deadline pass instead.
func (x *script) play(n int, late float64) {
	x.t.Helper()
	for i := range n {
		type mover struct {
			who   string
			sheet *notice.Input
		}
		var movers []mover
		for _, to := range slices.Sorted(maps.Keys(x.last)) {
			sheet, err := x.Desk.Host().Input(context.Background(), x.last[to])
			if err != nil {
				x.t.Fatal(err)
			}
			if len(sheet.Legal) > 0 {
				movers = append(movers, mover{strings.TrimSuffix(to, "@example.org"), sheet})
			}
		}
		if len(movers) == 0 {
			break
		}
		m := movers[x.rnd.IntN(len(movers))]
		switch p := x.rnd.Float64(); {
		case p < late:
			x.later(26 * time.Hour)
			continue
		case p < 0.5 && len(m.sheet.Example) > 0:
			x.say(m.who, "last", m.sheet.Example...)
		case p < 0.55:
			x.say(m.who, "last", "preview", m.sheet.Legal[x.rnd.IntN(len(m.sheet.Legal))])
		case p < 0.6:
			x.say(m.who, "last", m.sheet.Legal[0], "undo", "a line that means nothing")
		default:
			x.say(m.who, "last", m.sheet.Legal[x.rnd.IntN(len(m.sheet.Legal))])
		}
		if i%25 == 7 {
			x.pages()
		}
	}
	x.pages()
}

// pages notes every page of the games, of their players and of the server.
func (x *script) pages() {
	x.t.Helper()
	h := x.Server.Pages()
	paths := []string{"/", "/games", "/ratings", "/statistics", "/leagues", "/feed.atom", "/games?q=ann"}
	for _, id := range x.games {
		bases := []string{"/g/" + id}
		err := x.DB.View(context.Background(), func(tx store.Tx) error {
			seats, err := tx.Seats(id)
			for i := 0; err == nil && i < len(seats); i++ {
				if k, none := tx.KeyOf(id, seats[i].Place); none == nil {
					bases = append(bases, "/g/"+id+"/"+k.Key)
				}
			}
			return err
		})
		if err != nil {
			x.t.Fatal(err)
		}
		for i, base := range bases {
			for _, rest := range []string{"", "/view.json", "/history", "/history.json", "/feed.atom", "?at=3", "/talk", "/plan/", "/plan/B/plan.json", "/deadline.ics"} {
				if i > 0 || rest == "" || !strings.HasPrefix(rest, "/talk") && !strings.HasPrefix(rest, "/plan") && !strings.HasPrefix(rest, "/dead") {
					paths = append(paths, base+rest)
				}
			}
		}
	}
	if strings.HasPrefix(x.name, "6") {
		for _, p := range []string{"", "/league.json", "/league.txt", "/log.json", "/feed.atom", "/rulings", "/1", "/1/season.json", "/1/1", "/1/1/division.json"} {
			paths = append(paths, "/l/two-of-a-kind"+p)
		}
	}
	for _, p := range paths {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", p, nil))
		x.note("page "+p, fmt.Appendf(nil, "%d %s %s\n%s", w.Code, w.Header().Get("Content-Type"), w.Header().Get("Location"), w.Body))
	}
}

// records notes the record of every game, for the public and for each player.
func (x *script) records() {
	x.t.Helper()
	for _, id := range x.games {
		w := httptest.NewRecorder()
		x.Server.Pages().ServeHTTP(w, httptest.NewRequest("GET", "/g/"+id+"/record.json", nil))
		x.note("record "+id, w.Body.Bytes())
	}
}

// random is what is random in letters and pages, or follows from what is: ids, tokens
// and keys in base32, hashes in hexadecimal or base64, stamps of pages.
var random = regexp.MustCompile(`\b[a-z2-7]{16,26}\b|\b[a-z2-7]{48}\b|\b[0-9a-f]{64}\b|\b[0-9a-f]{12}\b|checksum":"[^"]*"`)

// listen holds what is new in a letter or page to how Angelpost speaks (package voice).
func (x *script) listen(what, text string) {
	x.t.Helper()
	if strings.Contains(what, ".json") || strings.HasPrefix(what, "record ") {
		return
	}
	cut := func(r rune) bool { return r == '\n' || r == '<' || r == '>' }
	for s := range strings.FieldsFuncSeq(text, cut) {
		tag := strings.Contains(s, `="`) && !strings.Contains(s, `alt="`)
		like := strings.Map(sameDigit, s)
		if tag || heard[like] || strings.Count(s, " ") < 2 || !utf8.ValidString(s) {
			continue
		}
		heard[like] = true
		for _, f := range voice.Faults(html.UnescapeString(s)) {
			x.t.Errorf("%s: %v", what, f)
		}
	}
}

// sameDigit makes sentences alike that differ by numbers.
func sameDigit(r rune) rune {
	if '0' <= r && r <= '9' {
		return '0'
	}
	return r
}

// heard is what listen has heard in any script.
var heard = map[string]bool{}

// note adds the digest of one letter, page or record.
func (x *script) note(what string, b []byte) {
	x.t.Helper()
	plain := func(s string) string {
		return random.ReplaceAllStringFunc(s, func(word string) string {
			if !strings.ContainsAny(word, "0123456789") {
				return word
			}
			if x.seen[word] == "" {
				x.seen[word] = "~" + strconv.Itoa(len(x.seen)+1)
			}
			return x.seen[word]
		})
	}
	text := plain(what) + "\n" + plain(string(b))
	x.listen(what, text)
	n := len(x.digests) + 1
	x.digests = append(x.digests, fmt.Sprintf("%.1s %04d %x %s", x.name, n, sha256.Sum256([]byte(text)), plain(what)))
	if dir := *unchangedDump; dir != "" {
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, fmt.Sprintf("%.1s-%04d", x.name, n)), []byte(text), 0o600)); err != nil {
			x.t.Fatal(err)
		}
	}
}
