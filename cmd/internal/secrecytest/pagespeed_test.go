package secrecytest

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"html/template"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/html"

	"angelpost/cmd/internal/server"
	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/desk"
	"angelpost/engine/sim"
	"angelpost/web"
)

// pagesSoak is set by make soak.
var pagesSoak = flag.Bool("soak", false, "assert speed, too")

// TestPageSpeed asks on one core, over real connections and in turns, for a
// page of this server and for the same bytes of a rival: html/template for the
// page of a running game, plain net/http for a past state and for a 304. The
// rivals write the same bytes in any case; how fast they are is asserted only in
// make soak.
func TestPageSpeed(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	x := lateGame(t)
	moved := uint64(0)
	still := restless(x.s, nil).Handler()
	var ofDesk http.Handler // of the desk that x.s has by now
	cold := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { ofDesk.ServeHTTP(w, r) })
	use := func(d *desk.Desk) http.Handler {
		x.s.Desk = d
		return restless(x.s, &moved).Handler()
	}
	ofDesk = use(x.s.Desk)
	fresh := func() *desk.Desk { // knows nothing: the position is found by replaying the log
		d, err := desk.New(x.s.Desk.Config)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	playing := func() *desk.Desk { // knows the position, as one that has just played the last line
		d := fresh()
		if _, err := d.Host().Open(t.Context(), x.game, "", -1); err != nil {
			t.Fatal(err)
		}
		return d
	}
	same := func() *desk.Desk { return x.s.Desk }
	page := "/g/" + x.game + "/" + x.keys[1]
	for _, race := range []struct {
		name, path string
		ours       http.Handler
		rival      func(path string) (h http.Handler, values int)
		desk       func() *desk.Desk // for each of our requests
		tag        bool
		least      float64 // of the rival's rate
		values     int     // at most so many values of html/template's are written in our time
		before     int     // the same of the page that was one drawing: the aim
	}{
		{"a running game's page, its position replayed, beside html/template", page, cold, func(p string) (http.Handler, int) { return templated(t, body(t, cold, p)) }, fresh, false, 1, 2600, 2000},
		{"a running game's page, its position known, beside html/template", page, cold, func(p string) (http.Handler, int) { return templated(t, body(t, cold, p)) }, playing, false, 2.2, 1150, 960},
		{"a past state beside net/http", page + "?at=60", still, func(p string) (http.Handler, int) { return plain(body(t, still, p), tagOf(still, p)), 0 }, same, false, 0.5, 0, 0},
		{"a 304 beside net/http", page, still, func(p string) (http.Handler, int) { return plain(body(t, still, p), tagOf(still, p)), 0 }, same, true, 0.7, 0, 0},
	} {
		t.Run(race.name, func(t *testing.T) {
			h, values := race.rival(race.path)
			ours, rival := newAsker(t, race.ours), newAsker(t, h)
			tag := ""
			if race.tag {
				tag = tagOf(race.ours, race.path)
			}
			if a, b := ours.ask(race.path, tag), rival.ask(race.path, tag); !bytes.Equal(a, b) {
				t.Fatalf("the rival writes other bytes:\n%s", firstDifference(a, b))
			}
			blocks, size := 1, 3
			if *pagesSoak {
				blocks, size = 20, 50
			}
			var took [2]time.Duration
			for range blocks {
				desks := make([]http.Handler, size)
				for i := range desks {
					desks[i] = use(race.desk())
				}
				for i, a := range []*asker{ours, rival} {
					runtime.GC() // what the other left is not paid for
					begin := processorTime(t)
					for n := range size {
						ofDesk = desks[n]
						a.ask(race.path, tag)
					}
					took[i] += processorTime(t) - begin
				}
			}
			times := time.Duration(blocks * size)
			ratio := float64(took[1]) / float64(took[0])
			t.Logf("%.2f of its rate; %v and %v of the processor each", ratio, (took[0] / times).Round(time.Microsecond), (took[1] / times).Round(time.Microsecond))
			if *pagesSoak && ratio < race.least {
				t.Errorf("%.2f of its rate, not %.2f", ratio, race.least)
			}
			if values > 0 {
				worth := int(float64(values) / ratio)
				t.Logf("in our time html/template writes %d values; the aim is %d", worth, race.before)
				if *pagesSoak && worth > race.values {
					t.Errorf("in our time html/template writes %d values, not %d", worth, race.values)
				}
			}
		})
	}
}

// byBots is a game as greedy bots play it, until it is enough or over.
func byBots(t testing.TB, head game.Header, enough func(*game.Game) bool) *game.Game {
	t.Helper()
	m, err := game.New(component.Default(), head)
	if err != nil {
		t.Fatal(err)
	}
	b, err := bot.New(bot.Greedy, "pages")
	if err != nil {
		t.Fatal(err)
	}
	for !m.Finished() && !enough(m) {
		seat := m.View(0).ToAct[0]
		v := m.View(seat)
		if _, err := m.Do(seat, game.ByPlayer, b.Choose(v, v.Legal(nil), m.Steps())); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// processorTime is what this process has had of the processor.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// restless is a server's pages, without a log. Everything may have changed since the last
// question, if moved is there: nothing that was answered is kept.
func restless(s *server.Server, moved *uint64) web.Server {
	pages := s.Web()
	pages.Log = slog.New(slog.DiscardHandler)
	pages.Moved = func() uint64 {
		if moved == nil {
			return 1
		}
		*moved++
		return *moved
	}
	return pages
}

// lateGame is a server with a game of four by the advanced rules, as bots play
// it, nine turns in; seat 1 must decide.
func lateGame(t testing.TB) *secrecyHarness {
	t.Helper()
	o := game.Options{Players: 4, Rules: "advanced", Edition: "revised", RulesVersion: game.RulesVersion, Set: component.DefaultName}
	g := &recordedGame{set: component.Default(), head: game.Header{Options: o, Seed: sim.Seed("late", 4), Names: stageNames}}
	turns := 0
	m := byBots(t, g.head, func(m *game.Game) bool {
		if m.View(1).Decision == engine.AskTurn {
			turns++
		}
		return turns == 9
	})
	x := newServer(t, g, &alternative{})
	x.newGame(true, g.head.Names)
	x.findKeys()
	x.write(m.Log())
	return x
}

// body is what a handler answers.
func body(t *testing.T, h http.Handler, path string) string {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d", path, w.Code)
	}
	return w.Body.String()
}

func tagOf(h http.Handler, path string) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w.Header().Get("ETag")
}

// plain is net/http writing a page it has.
func plain(page, tag string) http.Handler {
	length := strconv.Itoa(len(page))
	bytes := []byte(page)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Length", length)
		w.Write(bytes)
	})
}

// templated is html/template writing a page from data it has: every text and
// name, every address, and of each shape where it stands and how it is painted is
// a value; the rest is the template's. There are no loops and no choices in
// it, which would cost it more.
func templated(t *testing.T, page string) (h http.Handler, count int) {
	t.Helper()
	text, values := templateOf(page)
	made, err := template.New("page").Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d values on a page of %d bytes", len(values), len(page))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var b bytes.Buffer
		if err := made.Execute(&b, values); err != nil {
			t.Error(err)
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Length", strconv.Itoa(b.Len()))
		w.Write(b.Bytes())
	}), len(values)
}

var (
	tagged = regexp.MustCompile(`<[^>]*>|[^<]+`)
	// attributes whose value depends on the position.
	placed = regexp.MustCompile(` (class|href|aria-label|datetime|x|y|width|height|rx|transform)="([^"]*)"`)
	number = regexp.MustCompile(`-?\d+(\.\d+)?|\.\d+`)
)

// templateOf makes a template and its values of a page.
func templateOf(page string) (text string, values map[string]any) {
	values = map[string]any{}
	var b strings.Builder
	value := func(v any) {
		name := "V" + strconv.Itoa(len(values))
		values[name] = v
		b.WriteString("{{." + name + "}}")
	}
	words := func(s string) { // html/template writes these three otherwise
		for s != "" {
			at := strings.IndexAny(s, `'+"`)
			if at < 0 {
				at = len(s)
			}
			if at > 0 {
				value(html.UnescapeString(s[:at]))
			}
			b.WriteString(s[at:min(at+1, len(s))])
			s = s[min(at+1, len(s)):]
		}
	}
	numbers := func(s string) {
		for s != "" {
			at := number.FindStringIndex(s)
			if at == nil {
				break
			}
			b.WriteString(s[:at[0]])
			if n, err := strconv.Atoi(s[at[0]:at[1]]); err == nil && strconv.Itoa(n) == s[at[0]:at[1]] {
				value(n)
			} else {
				value(s[at[0]:at[1]])
			}
			s = s[at[1]:]
		}
		b.WriteString(s)
	}
	inHead := true
	for _, part := range tagged.FindAllString(page, -1) {
		switch {
		case inHead || strings.HasPrefix(part, "<!") || strings.HasPrefix(part, "</") || strings.HasPrefix(part, "<path") || strings.TrimSpace(part) == "":
			b.WriteString(part)
			inHead = inHead && part != "<body>"
		case part[0] != '<':
			words(part)
		default:
			at := 0
			for _, m := range placed.FindAllStringSubmatchIndex(part, -1) {
				b.WriteString(part[at:m[4]])
				switch name, was := part[m[2]:m[3]], part[m[4]:m[5]]; {
				case name == "transform" || strings.HasPrefix(was, "#ba"):
					numbers(was)
				case number.FindString(was) == was:
					numbers(was)
				default:
					words(was)
				}
				at = m[5]
			}
			b.WriteString(part[at:])
		}
	}
	return b.String(), values
}

// An asker asks a server over one connection, reading as little as it can.
type asker struct {
	t    *testing.T
	conn net.Conn
	in   *bufio.Reader
	body []byte
}

func newAsker(t *testing.T, h http.Handler) *asker {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &asker{t: t, conn: c, in: bufio.NewReaderSize(c, 1<<17), body: make([]byte, 1<<20)}
}

// ask is the body of an answer, until the next one; tag is what the asker has.
func (a *asker) ask(path, tag string) []byte {
	a.t.Helper()
	has := ""
	if tag != "" {
		has = "If-None-Match: " + tag + "\r\n"
	}
	if _, err := fmt.Fprintf(a.conn, "GET %s HTTP/1.1\r\nHost: x\r\n%s\r\n", path, has); err != nil {
		a.t.Fatal(err)
	}
	length, status := 0, ""
	for {
		line, err := a.in.ReadSlice('\n')
		if err != nil {
			a.t.Fatal(err)
		}
		if len(line) <= 2 {
			break
		}
		if status == "" {
			status = string(line[9:12])
		}
		if n, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			length, _ = strconv.Atoi(string(bytes.TrimSpace(n)))
		}
	}
	if want := map[bool]string{false: "200", true: "304"}[tag != ""]; status != want || (length > 0) != (tag == "") {
		a.t.Fatalf("%s: status %s, %d bytes", path, status, length)
	}
	if _, err := io.ReadFull(a.in, a.body[:length]); err != nil {
		a.t.Fatal(err)
	}
	return a.body[:length]
}

// firstDifference shows where two pages part.
func firstDifference(a, b []byte) string {
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	return fmt.Sprintf("%d and %d bytes, at %d: %q, %q", len(a), len(b), at, a[max(0, at-60):min(len(a), at+60)], b[max(0, at-60):min(len(b), at+60)])
}
