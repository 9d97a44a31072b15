package season

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"maps"
	"math/rand/v2"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/inprocess"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/server"
	"angelpost/engine/match/look"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// A club is a server in this process, without mail servers, and a league whose members
// answer every letter with its example turn. Its clock stands still between steps.
type club struct {
	*server.Server
	t     *testing.T
	at    time.Time
	id    string // the league's
	n     int    // letters written
	box   map[string][]clubLetter
	todo  map[string]map[string]clubLetter // by address and game: the open question
	asked []clubLetter                     // whether their readers are there

	figures map[string]int // letters whose figures were compared with the league's, by what they tell
	matches map[string]int // letters about matches of a knock-out, by what they say of it
}

// A clubLetter is a letter as a member has it.
type clubLetter struct {
	mailclient.Received
	notice.Message
	html string
	at   time.Time
}

// formats are leagues of each kind, small enough to be played in seconds.
var formats = map[string]string{
	"divisions": "kind: divisions\ntable: 2\ndivision: 3\nleast: 6\nup: 1\ndown: 1\nseason: 6 weeks\nat once: 2\n",
	"swiss":     "kind: swiss\ntable: 2\nrounds: 3\nleast: 5\nseason: 6 weeks\nat once: 2\n",
	"knockout":  "kind: knockout\ntable: 2\nleast: 5\nseason: 6 weeks\nat once: 2\n",
	"ladder":    "kind: ladder\ntable: 2\nrounds: 3\nround: 2 weeks\nleast: 5\nat once: 2\n",
	"solo":      "kind: solo\nrounds: 2\nround: 2 weeks\nleast: 4\nat once: 2\n",
}

const clubDirector = "dora@example.org"

// openClub opens a server with a league of a file.
func openClub(t *testing.T, file string) *club {
	t.Helper()
	w := &club{t: t, at: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), box: map[string][]clubLetter{}, todo: map[string]map[string]clubLetter{}, figures: map[string]int{}, matches: map[string]int{}}
	w.Server = inprocess.Open(t, func(c *server.Config) {
		c.Start, c.Directors, c.HTTP.BaseURL = "anyone", []string{clubDirector}, "http://play.example.org"
	})
	if err := w.Rebuild(func(c *unit.Config) {
		c.Now, c.Random = func() time.Time { return w.at }, rand.NewChaCha8([32]byte{17})
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Desk.Beat(t.Context()); err != nil {
		t.Fatal(err)
	}
	var err error
	if w.id, err = w.Desk.NewLeague(t.Context(), "name: Iron League\ndirector: "+clubDirector+"\nclock: 4 days\nbreak: 1 week\nseasons: 2\n"+file); err != nil {
		t.Fatal(err)
	}
	w.collect()
	return w
}

// addressOf is the address of a member.
func addressOf(name string) string { return strings.ToLower(name) + "@example.org" }

// league is how it stands.
func (w *club) league() *look.League {
	w.t.Helper()
	l, err := w.Desk.Host().League(w.t.Context(), w.id)
	if err != nil {
		w.t.Fatal(err)
	}
	return l
}

// joins lets new players join by letter.
func (w *club) joins(names ...string) {
	w.t.Helper()
	for _, name := range names {
		w.write(addressOf(name), nil, "join league Iron League, "+name)
		w.write(addressOf(name), w.last(addressOf(name)), "yes")
	}
}

// last is the newest letter to an address.
func (w *club) last(to string) *clubLetter {
	w.t.Helper()
	if box := w.box[to]; len(box) > 0 {
		return &box[len(box)-1]
	}
	w.t.Fatalf("%s has no letter", to)
	return nil
}

// write hands in a letter, as an answer to another if that is given, and returns the
// answer to it, nil if there is none.
func (w *club) write(from string, to *clubLetter, lines ...string) *clubLetter {
	w.t.Helper()
	w.n++
	token := ""
	if to != nil {
		token = to.Token
	}
	at := inprocess.Address
	if token != "" {
		at = inprocess.TokenAddress(token)
	}
	raw := fmt.Sprintf("From: <%s>\r\nTo: <%s>\r\nSubject: orders\r\nDate: %s\r\nMessage-ID: <%d.%s>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nAuthentication-Results: %s; dmarc=pass header.from=example.org\r\n\r\n%s\r\n",
		from, at, w.at.Format(time.RFC1123Z), w.n, from, inprocess.Authserv, strings.Join(lines, "\r\n"))
	before := len(w.box[from])
	for _, h := range w.Handle(w.t.Context(), []server.Arrival{{Raw: []byte(raw), Received: w.at}}) {
		if h.Err != nil {
			w.t.Fatalf("%v\n%s", h.Err, raw)
		}
	}
	w.collect()
	for i := len(w.box[from]) - 1; i >= before; i-- {
		if k := w.box[from][i].Message.Kind; k == notice.KindAnswer || k == notice.KindEnd { // of a game that it has ended
			return &w.box[from][i]
		}
	}
	return nil
}

// collect delivers what is queued.
func (w *club) collect() {
	w.t.Helper()
	for {
		due, _, err := w.DB.Due(context.Background(), w.at.Add(time.Hour), 100)
		if err != nil {
			w.t.Fatal(err)
		}
		if len(due) == 0 {
			return
		}
		for _, d := range due {
			raw, err := w.Render(context.Background(), d.Message)
			if err != nil {
				w.t.Fatal(err)
			}
			l := clubLetter{Received: mailclient.ReadNotice(w.t, raw), Message: d.Message, html: htmlPart(w.t, raw), at: w.at}
			if hole := holes.FindString(l.Text + l.html); hole != "" {
				w.t.Errorf("a letter to %s says %s:\n%s", d.To, hole, l.Text)
			}
			for _, r := range l.Answer.Remarks[min(1, len(l.Answer.Remarks)):] {
				if slices.Contains([]string{notice.TellSeasonEnd, notice.TellSeasonUp, notice.TellSeasonDown}, r.Code) {
					w.t.Errorf("a letter to %s does not lead with the season's end:\n%s", d.To, l.Text)
				}
			}
			if strings.Contains(l.Text, "That was its last season") && (strings.Contains(l.Text, "goes up") || strings.Contains(l.Text, "goes down")) {
				w.t.Errorf("a letter to %s says who goes up after the last season:\n%s", d.To, l.Text)
			}
			w.saysTheTable(&l)
			w.saysTheMatch(&l)
			w.saysTheDates(&l)
			w.box[d.To] = append(w.box[d.To], l)
			if slices.ContainsFunc(l.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.AskHere }) {
				w.asked = append(w.asked, l)
			}
			if game := d.Game; game != "" {
				if w.todo[d.To] == nil {
					w.todo[d.To] = map[string]clubLetter{}
				}
				w.todo[d.To][game] = l
			}
			if err := w.DB.Sent(context.Background(), d.ID); err != nil {
				w.t.Fatal(err)
			}
		}
	}
}

// holes are arguments that a sentence was not given.
var holes = regexp.MustCompile(`\{[a-z0-9-]+[},]`)

// htmlPart is the HTML of a letter, "" if it has none.
func htmlPart(t *testing.T, raw []byte) string {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return partOf(t, m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body)
}

func partOf(t *testing.T, contentType, encoding string, body io.Reader) string {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(kind, "multipart/") {
		r := multipart.NewReader(body, params["boundary"])
		for {
			p, err := r.NextRawPart()
			if err != nil {
				return ""
			}
			if s := partOf(t, p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p); s != "" {
				return s
			}
		}
	}
	if kind != "text/html" {
		return ""
	}
	switch strings.ToLower(encoding) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// turns lets all players who are asked for orders, or whether they are there, answer, but
// those who are away. It reports whether anyone did.
func (w *club) turns(away ...string) (any bool) {
	w.t.Helper()
	asked := w.asked
	w.asked = nil
	for _, l := range asked {
		if !slices.Contains(away, l.To) {
			w.write(l.To, &l, "yes")
			any = true
		}
	}
	for _, to := range slices.Sorted(maps.Keys(w.todo)) {
		if slices.Contains(away, to) {
			continue
		}
		for _, game := range slices.Sorted(maps.Keys(w.todo[to])) {
			l := w.todo[to][game]
			delete(w.todo[to], game)
			if len(l.Legal) == 0 {
				continue
			}
			orders := l.Example
			if len(orders) == 0 || l.Received.Result == "refused" || l.Received.Result == "partial" {
				orders = l.Legal[:1]
			}
			w.write(to, &l, orders...)
			any = true
		}
	}
	return any
}

// run plays until over says so, or a year has passed.
func (w *club) run(over func() bool, away ...string) {
	w.t.Helper()
	for end := w.at.AddDate(1, 0, 0); w.at.Before(end) && !over(); {
		if w.turns(away...) {
			w.later(time.Minute)
			continue
		}
		w.pass()
	}
	if !over() {
		w.t.Fatal("nothing moves any more")
	}
}

// pass lets time pass up to what falls due next, and does it.
func (w *club) pass() {
	w.t.Helper()
	ctx := w.t.Context()
	next, err := w.Desk.NextDue(ctx)
	if err != nil {
		w.t.Fatal(err)
	}
	if next.IsZero() || next.After(w.at.Add(24*time.Hour)) {
		next = w.at.Add(24 * time.Hour)
	}
	for w.at.Before(next) {
		w.later(min(14*time.Minute, next.Sub(w.at)))
	}
	if _, err := w.Desk.Due(ctx); err != nil {
		w.t.Fatal(err)
	}
	w.collect()
}

// later lets a short time pass.
func (w *club) later(by time.Duration) {
	w.t.Helper()
	w.at = w.at.Add(by)
	if gap, err := w.Desk.Beat(w.t.Context()); err != nil || gap != 0 {
		w.t.Fatal("the server was away", gap, err)
	}
}

// over reports whether a season of the league is.
func (w *club) over(season int) func() bool {
	return func() bool {
		x := w.league().State.Season()
		return x != nil && (x.N > season || x.N == season && !x.Running())
	}
}

// A printed is a command that a letter or a page shows to a reader.
type printed struct {
	to   string // the reader's address
	line string
	on   *clubLetter // the letter; nil: a page
	from string      // where it is shown

	example bool // of help: the names in it are no one's
}

var (
	inTicks  = regexp.MustCompile("`([^`]+)`")
	inMailto = regexp.MustCompile(`href="(mailto:[^"]+)"`)
	inCode   = regexp.MustCompile(`(?s)<code[^>]*>(.*?)</code>`)
	aTag     = regexp.MustCompile(`<[^>]*>`)
)

// commandsIn are the commands that a text and an HTML document show: what is between
// backticks, in code, and in the bodies of mailto: links.
func commandsIn(text, document string) (out []string) {
	for _, m := range inTicks.FindAllStringSubmatch(text, -1) {
		lines := strings.Split(m[1], "\n")
		if len(lines) > 1 && !strings.HasPrefix(m[0], "`new ") && !strings.HasPrefix(m[0], "`amend ") && !strings.HasPrefix(m[0], "`plan") { // wrapped
			lines = []string{strings.Join(strings.Fields(m[1]), " ")}
		}
		out = append(out, strings.Join(lines, "\n"))
	}
	for _, m := range inMailto.FindAllStringSubmatch(document, -1) {
		u, err := url.Parse(html.UnescapeString(m[1]))
		if err != nil {
			continue
		}
		out = append(out, strings.TrimSpace(strings.ReplaceAll(u.Query().Get("body"), "\r\n", "\n")))
	}
	for _, m := range inCode.FindAllStringSubmatch(document, -1) {
		out = append(out, strings.Join(strings.Fields(html.UnescapeString(aTag.ReplaceAllString(m[1], ""))), " "))
	}
	return out
}
