package letters

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/hook"
	"angelpost/cmd/internal/inprocess"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/server"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// A post is a letter of ours, taken apart as a mail program does.
type post struct {
	notice.Message
	raw        []byte
	subject    string
	text, html string
	pictures   map[string][]byte // by Content-ID
	legal      []string
	example    []string
	token      string
}

// A table is a server in this process and the letters that it has written.
type table struct {
	*server.Server
	t       testing.TB
	now     time.Time
	n       int
	all     []post
	thought chan string    // how a letter ended for which bots had to think
	last    map[string]int // index in all of the latest letter that can be answered, by address
}

func newTable(t testing.TB) *table {
	t.Helper()
	x := &table{t: t, now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), thought: make(chan string, 1), last: map[string]int{}}
	x.Server = inprocess.Open(t, func(c *server.Config) { c.HTTP.BaseURL, c.Start = "https://play.example.org", "anyone" })
	wall, steady := hook.Wall, hook.Steady
	began := x.now
	hook.Wall, hook.Steady = func() time.Time { return x.now }, func() time.Duration { return x.now.Sub(began) }
	t.Cleanup(func() { hook.Wall, hook.Steady = wall, steady })
	err := x.Rebuild(func(c *unit.Config) {
		c.Now = func() time.Time { return x.now }
		c.Adviser, c.Thought = "planner:50", func(_ unit.Command, outcome string) { x.thought <- outcome }
		c.Random = rand.NewChaCha8([32]byte{1})
		c.Log = slog.New(slog.DiscardHandler)
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// begin starts a game between people at example.org.
func (x *table) begin(o seating.NewGameOrder, who ...string) {
	x.t.Helper()
	seed := [32]byte{7, byte(len(who))}
	o.Seed, o.Started = &seed, true
	for _, name := range who {
		if strings.HasPrefix(name, "bot") {
			o.Players = append(o.Players, seating.NewPlayer{Address: name})
			continue
		}
		o.Players = append(o.Players, seating.NewPlayer{Name: name, Address: strings.ToLower(name) + "@example.org"})
	}
	o.Organiser = o.Players[0].Address
	if _, err := x.Desk.NewGame(context.Background(), o); err != nil {
		x.t.Fatal(err)
	}
	x.collect()
}

// collect takes all letters that are due, as their readers get them.
func (x *table) collect() {
	x.t.Helper()
	ctx := context.Background()
	for {
		due, _, err := x.DB.Due(ctx, x.now.Add(time.Hour), 100)
		if err != nil {
			x.t.Fatal(err)
		}
		if len(due) == 0 {
			return
		}
		for _, d := range due {
			raw, err := x.Render(ctx, d.Message)
			if err == nil {
				err = x.DB.Sent(ctx, d.ID)
			}
			if err != nil {
				x.t.Fatal(err)
			}
			p := read(x.t, raw)
			p.Message = d.Message
			if x.all = append(x.all, p); p.token != "" && !p.Receipt() {
				x.last[d.To] = len(x.all) - 1
			}
		}
	}
}

// write answers a person's latest letter; with token "" it is a letter of their own.
func (x *table) write(who string, answers bool, lines ...string) {
	x.t.Helper()
	x.n++
	from, to := strings.ToLower(who)+"@example.org", inprocess.Address
	if answers {
		to = inprocess.TokenAddress(x.all[x.last[from]].token)
	}
	raw := fmt.Sprintf("Authentication-Results: %s; dmarc=pass header.from=example.org\r\nFrom: %s <%s>\r\nTo: %s\r\nMessage-ID: <%d@example.org>\r\nDate: %s\r\nSubject: Re: our game\r\n\r\n%s\r\n",
		inprocess.Authserv, who, from, to, x.n, x.now.Format(time.RFC1123Z), strings.Join(lines, "\r\n"))
	for _, d := range x.Handle(context.Background(), []server.Arrival{{Raw: []byte(raw), Received: x.now}}) {
		if d.Outcome == desk.Thinking {
			ctx, stop := context.WithCancel(context.Background())
			ended := make(chan error)
			go func() { ended <- x.Desk.Think(ctx) }()
			d.Outcome = <-x.thought
			stop()
			if err := <-ended; err != nil {
				x.t.Fatal(err)
			}
		}
		if d.Err != nil || d.Outcome == desk.SetAside {
			x.t.Fatalf("%s, %v:\n%s", d.Outcome, d.Err, raw)
		}
	}
	x.collect()
	x.now = x.now.Add(7 * time.Minute)
}

// latest is a person's latest letter that can be answered.
func (x *table) latest(who string) *post {
	return &x.all[x.last[strings.ToLower(who)+"@example.org"]]
}

// play answers for the players to move with the example turn of their letter, until the
// game ends or so many letters were written.
func (x *table) play(letters int, who ...string) {
	x.t.Helper()
	for range letters {
		moved := false
		for _, name := range who {
			if _, plays := x.last[strings.ToLower(name)+"@example.org"]; !plays {
				continue
			}
			if p := x.latest(name); len(p.example) > 0 {
				x.write(name, true, p.example...)
				moved = true
				break
			}
		}
		if !moved {
			return
		}
	}
}

// read takes a letter apart.
func read(t testing.TB, raw []byte) post {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	p := post{raw: raw, pictures: map[string][]byte{}}
	p.subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil {
		t.Fatal(err)
	}
	if _, token, ok := strings.Cut(m.Header.Get("Reply-To"), "+"); ok {
		p.token, _, _ = strings.Cut(token, "@")
	}
	p.part(t, m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), "", m.Body)
	if tt, ok := t.(*testing.T); ok {
		p.legal, p.example = mailclient.Barred(tt, p.text)
	}
	return p
}

func (p *post) part(t testing.TB, contentType, encoding, id string, body io.Reader) {
	t.Helper()
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatal(err)
	}
	switch strings.ToLower(encoding) {
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	}
	if strings.HasPrefix(kind, "multipart/") {
		r := multipart.NewReader(body, params["boundary"])
		for {
			part, err := r.NextRawPart()
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			p.part(t, part.Header.Get("Content-Type"), part.Header.Get("Content-Transfer-Encoding"), part.Header.Get("Content-Id"), part)
		}
	}
	b, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	switch kind {
	case "text/plain":
		p.text = strings.ReplaceAll(string(b), "\r\n", "\n")
	case "text/html":
		p.html = strings.ReplaceAll(string(b), "\r\n", "\n")
	case "image/png":
		p.pictures[strings.Trim(id, "<>")] = b
	}
}
