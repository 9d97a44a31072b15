package server

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/smtp"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// A client is a foreign client: it knows IMAP, SMTP and web/API.md's "Letters
// out", and nothing else of Angelpost. It plays with the habits of style.
type client struct {
	t             *testing.T
	imap, smtp    string // host:port
	user, pass    string
	address       string
	style         style
	seen          imap.UID // the highest UID read
	conn          *imapclient.Client
	letters       int  // read so far
	sent          int  // written so far
	over          bool // the end has been told
	lastRefused   bool // the last answer refused something
	pick          func(n int) int
	forbidden     map[string]bool // orders that were refused at this step
	forbiddenStep string
}

// style is how a client answers.
type style int

const (
	oneStep   style = iota // one legal step a letter
	wholeTurn              // the example turn as first written
	halfTurn               // the first half of it, with the notice quoted below
)

// A received is a letter out, as far as the contract promises.
type received struct {
	header         mail.Header
	text           string
	kind, result   string
	legal, example []string
	raw            []byte
}

func (c *client) connect() {
	c.t.Helper()
	conn := login(c.t, c.imap, c.user, c.pass)
	if _, err := conn.Select("INBOX", nil).Wait(); err != nil {
		c.t.Fatalf("%s: select: %v", c.address, err)
	}
	c.conn = conn
	c.t.Cleanup(func() { conn.Close() })
}

// login opens a connection to an IMAP server without TLS; the caller closes it.
func login(t *testing.T, addr, user, password string) *imapclient.Client {
	t.Helper()
	conn, err := imapclient.DialInsecure(addr, nil)
	if err == nil {
		err = conn.Login(user, password).Wait()
	}
	if err != nil {
		t.Fatalf("mailbox of %s: %v", user, err)
	}
	return conn
}

// fetch returns the letters that came since the last call, oldest first.
func (c *client) fetch() []received {
	c.t.Helper()
	if c.conn == nil {
		c.connect()
	}
	if err := c.conn.Noop().Wait(); err != nil {
		c.t.Fatalf("%s: noop: %v", c.address, err)
	}
	set := imap.UIDSet{imap.UIDRange{Start: c.seen + 1}}
	body := &imap.FetchItemBodySection{Peek: true}
	msgs, err := c.conn.Fetch(set, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{body}}).Collect()
	if err != nil {
		c.t.Fatalf("%s: fetch: %v", c.address, err)
	}
	var out []received
	for _, m := range msgs {
		if m.UID <= c.seen { // "n:*" always names the last letter
			continue
		}
		c.seen = m.UID
		c.letters++
		raw := m.FindBodySection(body)
		checkLetter(c.t, c.address, raw)
		out = append(out, readNotice(c.t, raw))
	}
	return out
}

// readNotice reads a letter with the standard library alone.
func readNotice(t *testing.T, raw []byte) received {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("a letter nobody can read: %v\n%s", err, raw)
	}
	n := received{raw: raw, header: m.Header, kind: m.Header.Get("X-Angelpost-Kind"), result: m.Header.Get("X-Angelpost-Result")}
	n.text = plainText(t, m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body)
	in := ""
	for line := range strings.SplitSeq(n.text, "\n") {
		line = strings.TrimRight(line, "\r")
		switch {
		case line == "| legal", line == "| example":
			in = line[2:]
		case line == "| end":
			in = ""
		case in != "" && strings.HasPrefix(line, "| "):
			if in == "legal" {
				n.legal = append(n.legal, line[2:])
			} else {
				n.example = append(n.example, line[2:])
			}
		case in != "":
			t.Fatalf("a wrapped or bare line between the bars: %q", line)
		}
	}
	return n
}

func plainText(t *testing.T, contentType, encoding string, body io.Reader) string {
	t.Helper()
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatalf("content type %q: %v", contentType, err)
	}
	if strings.HasPrefix(kind, "multipart/") {
		r := multipart.NewReader(body, params["boundary"])
		for {
			p, err := r.NextRawPart()
			if err != nil {
				t.Fatalf("no text/plain part: %v", err)
			}
			if sub, _, _ := mime.ParseMediaType(p.Header.Get("Content-Type")); sub == "text/plain" || strings.HasPrefix(sub, "multipart/") {
				return plainText(t, p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p)
			}
		}
	}
	if strings.EqualFold(encoding, "quoted-printable") {
		body = quotedprintable.NewReader(body)
	}
	b, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n")
}

// answer replies to a notice in the client's own way.
func (c *client) answer(n received) {
	c.t.Helper()
	step := n.header.Get("X-Angelpost-Game") + n.header.Get("X-Angelpost-Step")
	if step != c.forbiddenStep {
		c.forbidden, c.forbiddenStep = map[string]bool{}, step
	}
	one := func() string {
		for range 1000 {
			if o := n.legal[c.pick(len(n.legal))]; !c.forbidden[o] || len(n.legal) == len(c.forbidden) {
				return o
			}
		}
		return n.legal[0]
	}
	var b strings.Builder
	switch {
	case c.style == oneStep || len(n.example) == 0 || c.lastRefused:
		b.WriteString(one() + "\r\n")
	case c.style == wholeTurn:
		b.WriteString(strings.Join(n.example, "\r\n") + "\r\n")
	case c.style == halfTurn:
		half := n.example[:(len(n.example)+1)/2]
		b.WriteString(strings.Join(half, "\r\n") + "\r\n\r\nOn " + n.header.Get("Date") + ", Angelpost wrote:\r\n")
		for line := range strings.SplitSeq(strings.TrimRight(n.text, "\n"), "\n") {
			b.WriteString("> " + line + "\r\n")
		}
	}
	c.reply(n, b.String())
}

// reply writes a text to a notice's Reply-To.
func (c *client) reply(n received, text string) {
	c.t.Helper()
	to, err := mail.ParseAddress(n.header.Get("Reply-To"))
	if err != nil {
		c.t.Fatalf("Reply-To %q: %v", n.header.Get("Reply-To"), err)
	}
	c.send(to.Address, "Re: "+n.header.Get("Subject"), n.header.Get("Message-Id"), text)
}

func (c *client) send(to, subject, inReplyTo, text string) {
	c.t.Helper()
	c.sent++
	var b bytes.Buffer
	fmt.Fprintf(&b, "From: %s\r\nTo: %s\r\nSubject: %s\r\nDate: %s\r\nMessage-ID: <%d.%d.%s>\r\n",
		c.address, to, subject, time.Now().Format(time.RFC1123Z), time.Now().UnixNano(), c.sent, c.address)
	if inReplyTo != "" {
		fmt.Fprintf(&b, "In-Reply-To: %s\r\n", inReplyTo)
	}
	b.WriteString("MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + text)
	if err := deliver(c.smtp, c.address, to, b.Bytes()); err != nil {
		c.t.Fatalf("%s: %v", c.address, err)
	}
}

// deliver hands one letter to a server without TLS or login.
func deliver(server, from, to string, msg []byte) error {
	conn, err := net.DialTimeout("tcp", server, 10*time.Second)
	if err != nil {
		return err
	}
	host, _, _ := net.SplitHostPort(server)
	s, err := smtp.NewClient(conn, host)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Mail(from); err != nil {
		return err
	}
	if err := s.Rcpt(to); err != nil {
		return err
	}
	w, err := s.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(msg); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	_ = s.Quit() // the letter is taken, whatever becomes of the server now
	return nil
}

// play answers everything until every client has been told the end.
func play(t *testing.T, clients []*client, limit time.Duration) {
	t.Helper()
	deadline := time.Now().Add(limit)
	for {
		busy, over := false, true
		for _, c := range clients {
			for _, n := range c.fetch() {
				busy = true
				if n.kind == "end" {
					c.over = true
				}
				c.lastRefused = n.result == "refused" || n.result == "partial"
				if len(n.legal) > 0 {
					c.answer(n)
				}
			}
			over = over && c.over
		}
		if over {
			return
		}
		if time.Now().After(deadline) {
			for _, c := range clients {
				t.Logf("%s: %d letters read, %d written, end told: %v", c.address, c.letters, c.sent, c.over)
			}
			t.Fatalf("the game did not end within %v", limit)
		}
		if !busy {
			time.Sleep(20 * time.Millisecond)
		}
	}
}
