// Package mailclient plays by letters, as people and their mail clients do: it knows IMAP,
// SMTP, web/API.md and nothing else of Angelpost, so what its users test is what
// players get. A Client answers automatically, a Person writes what a test says. With the
// build tag real there is a Place, too: a server between Dovecot and Postfix.
package mailclient

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/mail"
	"net/smtp"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"angelpost/cmd/internal/program"
)

// A Client is a foreign client: it knows IMAP, SMTP and web/API.md's "Letters
// out", and nothing else of Angelpost. It plays with the habits of its Style.
type Client struct {
	T             *testing.T
	IMAP, SMTP    string // host:port
	User, Pass    string
	Address       string
	Style         Style
	Seen          imap.UID // the highest UID read
	Conn          *imapclient.Client
	Letters       int  // read so far
	Sent          int  // written so far
	Over          bool // the letter about the game's end has come
	LastRefused   bool // the last answer refused something
	Pick          func(n int) int
	forbidden     map[string]bool // orders that were refused at this step
	forbiddenStep string
}

// A Style is how a client answers.
type Style int

const (
	OneStep   Style = iota // one legal step a letter
	WholeTurn              // the example turn as first written
	HalfTurn               // its first half, followed by a quote of the notice
)

// A Received is a letter out, as far as the contract promises.
type Received struct {
	Header         mail.Header
	Text           string
	Kind, Result   string
	Legal, Example []string
	Raw            []byte
}

// Connect opens the client's mailbox. Fetch calls it if no one has.
func (c *Client) Connect() {
	c.T.Helper()
	conn := Login(c.T, c.IMAP, c.User, c.Pass)
	if _, err := conn.Select("INBOX", nil).Wait(); err != nil {
		c.T.Fatalf("%s: select: %v", c.Address, err)
	}
	c.Conn = conn
	c.T.Cleanup(func() { conn.Close() })
}

// Login opens a connection to an IMAP server without TLS; the caller closes it.
func Login(t *testing.T, addr, user, password string) *imapclient.Client {
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

// Fetch returns the letters that came since the last call, oldest first.
func (c *Client) Fetch() []Received {
	c.T.Helper()
	if c.Conn == nil {
		c.Connect()
	}
	if err := c.Conn.Noop().Wait(); err != nil {
		c.T.Fatalf("%s: noop: %v", c.Address, err)
	}
	set := imap.UIDSet{imap.UIDRange{Start: c.Seen + 1}}
	body := &imap.FetchItemBodySection{Peek: true}
	msgs, err := c.Conn.Fetch(set, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{body}}).Collect()
	if err != nil {
		c.T.Fatalf("%s: fetch: %v", c.Address, err)
	}
	var out []Received
	for _, m := range msgs {
		if m.UID <= c.Seen { // "n:*" always names the last letter
			continue
		}
		c.Seen = m.UID
		c.Letters++
		raw := m.FindBodySection(body)
		CheckLetter(c.T, c.Address, raw)
		out = append(out, ReadNotice(c.T, raw))
	}
	return out
}

// ReadNotice reads a letter with the standard library alone.
func ReadNotice(t *testing.T, raw []byte) Received {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("a letter no one can read: %v\n%s", err, raw)
	}
	n := Received{Raw: raw, Header: m.Header, Kind: m.Header.Get("X-Angelpost-Kind"), Result: m.Header.Get("X-Angelpost-Result")}
	n.Text = plainText(t, m.Header.Get("Content-Type"), m.Header.Get("Content-Transfer-Encoding"), m.Body)
	n.Legal, n.Example = Barred(t, n.Text)
	return n
}

// Barred returns what a letter's text lists between its bars: the legal orders and the
// example turn.
func Barred(t *testing.T, text string) (legal, example []string) {
	t.Helper()
	in := ""
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, "\r")
		switch {
		case line == "| legal", line == "| example":
			in = line[2:]
		case line == "| end":
			in = ""
		case in == "legal" && strings.HasPrefix(line, "| more "): // there are more than the letter lists
		case in != "" && strings.HasPrefix(line, "| "):
			if in == "legal" {
				legal = append(legal, line[2:])
			} else {
				example = append(example, line[2:])
			}
		case in != "":
			t.Fatalf("a wrapped or bare line between the bars: %q", line)
		}
	}
	return legal, example
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

// Answer replies to a notice in the client's own way.
func (c *Client) Answer(n Received) {
	c.T.Helper()
	step := n.Header.Get("X-Angelpost-Game") + n.Header.Get("X-Angelpost-Step")
	if step != c.forbiddenStep {
		c.forbidden, c.forbiddenStep = map[string]bool{}, step
	}
	one := func() string {
		for range 1000 {
			if o := n.Legal[c.Pick(len(n.Legal))]; !c.forbidden[o] || len(n.Legal) == len(c.forbidden) {
				return o
			}
		}
		return n.Legal[0]
	}
	var b strings.Builder
	switch {
	case c.Style == OneStep || len(n.Example) == 0 || c.LastRefused:
		b.WriteString(one() + "\r\n")
	case c.Style == WholeTurn:
		b.WriteString(strings.Join(n.Example, "\r\n") + "\r\n")
	case c.Style == HalfTurn:
		half := n.Example[:(len(n.Example)+1)/2]
		b.WriteString(strings.Join(half, "\r\n") + "\r\n\r\nOn " + n.Header.Get("Date") + ", Angelpost wrote:\r\n")
		for line := range strings.SplitSeq(strings.TrimRight(n.Text, "\n"), "\n") {
			b.WriteString("> " + line + "\r\n")
		}
	}
	c.Reply(n, b.String())
}

// Reply writes a text to a notice's Reply-To.
func (c *Client) Reply(n Received, text string) {
	c.T.Helper()
	to, err := mail.ParseAddress(n.Header.Get("Reply-To"))
	if err != nil {
		c.T.Fatalf("Reply-To %q: %v", n.Header.Get("Reply-To"), err)
	}
	c.Send(to.Address, "Re: "+n.Header.Get("Subject"), n.Header.Get("Message-Id"), text)
}

// Resign leaves the game of a notice, and says yes to the question whether that is meant.
func (c *Client) Resign(n Received) {
	c.T.Helper()
	c.Reply(n, "resign\r\n")
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		for _, asked := range c.Fetch() {
			if strings.Contains(asked.Text, "leave this game") {
				c.Reply(asked, "yes\r\n")
				return
			}
		}
	}
	c.T.Fatal("no one asks whether resign is meant")
}

// Send writes a letter of plain text.
func (c *Client) Send(to, subject, inReplyTo, text string) {
	c.T.Helper()
	c.Sent++
	var b bytes.Buffer
	fmt.Fprintf(&b, "From: %s\r\nTo: %s\r\nSubject: %s\r\nDate: %s\r\nMessage-ID: <%d.%d.%s>\r\n",
		c.Address, to, subject, time.Now().Format(time.RFC1123Z), time.Now().UnixNano(), c.Sent, c.Address)
	if inReplyTo != "" {
		fmt.Fprintf(&b, "In-Reply-To: %s\r\n", inReplyTo)
	}
	b.WriteString("MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + text)
	if err := Deliver(c.SMTP, c.Address, to, b.Bytes()); err != nil {
		c.T.Fatalf("%s: %v", c.Address, err)
	}
}

// Deliver hands one letter to a server without TLS or login.
func Deliver(server, from, to string, msg []byte) error {
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
	_ = s.Quit() // the server has accepted the letter, so an error does not matter
	return nil
}

// Play answers every letter until each client has the letter about the game's end. After
// limit the test fails.
func Play(t *testing.T, clients []*Client, limit time.Duration) {
	t.Helper()
	deadline := time.Now().Add(limit)
	for {
		busy, over := false, true
		for _, c := range clients {
			for _, n := range c.Fetch() {
				busy = true
				if n.Kind == "end" {
					c.Over = true
				}
				c.LastRefused = n.Result == "refused" || n.Result == "partial"
				if len(n.Legal) > 0 {
					c.Answer(n)
				}
			}
			over = over && c.Over
		}
		if over {
			return
		}
		if time.Now().After(deadline) {
			for _, c := range clients {
				t.Logf("%s: %d letters read, %d written, end told: %v", c.Address, c.Letters, c.Sent, c.Over)
			}
			t.Fatalf("the game did not end within %v", limit)
		}
		if !busy {
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// DemoClients are clients for the demo's human mailboxes.
func DemoClients(t *testing.T, p *program.Process, seed uint64) []*Client {
	var out []*Client
	r := rand.New(rand.NewPCG(seed, 0))
	for seat := 1; seat <= 4; seat++ {
		address, kind, ok := strings.Cut(p.Values[fmt.Sprintf("seat%d", seat)], " ")
		if !ok || kind != "human" {
			continue
		}
		out = append(out, &Client{
			T: t, IMAP: p.Values["imap"], SMTP: p.Values["smtp"],
			User: address, Pass: "demo", Address: address,
			Style: Style(len(out) % 3), Pick: r.IntN,
		})
	}
	return out
}

// Get returns the body and the status of a page.
func Get(t *testing.T, url string) (string, int) {
	t.Helper()
	c := http.Client{Timeout: time.Minute}
	res, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), res.StatusCode
}

// Next waits for a player's next letter.
func (c *Client) Next() Received {
	c.T.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if got := c.Fetch(); len(got) > 0 {
			return got[len(got)-1]
		}
	}
	c.T.Fatalf("%s: no letter", c.Address)
	return Received{}
}

// QuotedPrintable is a body in quoted-printable, for letters that need it.
func QuotedPrintable(s string) string {
	var b bytes.Buffer
	w := quotedprintable.NewWriter(&b)
	w.Write([]byte(s))
	w.Close()
	return b.String()
}

// Request sends a request as a mail program or a scanner would: no cookies, no
// referrer.
func Request(t *testing.T, method, url, form string) (string, int) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	if form != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	c := http.Client{Timeout: 10 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b), res.StatusCode
}
