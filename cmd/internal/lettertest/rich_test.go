package lettertest

import (
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// htmlOf is the HTML of a letter.
func htmlOf(t *testing.T, n mailclient.Received) string {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(string(n.Raw)))
	if err != nil {
		t.Fatal(err)
	}
	var find func(typ string, body io.Reader, encoding string) string
	find = func(typ string, body io.Reader, encoding string) string {
		kind, params, _ := mime.ParseMediaType(typ)
		if strings.HasPrefix(kind, "multipart/") {
			for r := multipart.NewReader(body, params["boundary"]); ; {
				p, err := r.NextRawPart()
				if err != nil {
					return ""
				}
				if s := find(p.Header.Get("Content-Type"), p, p.Header.Get("Content-Transfer-Encoding")); s != "" {
					return s
				}
			}
		}
		if kind != "text/html" {
			return ""
		}
		if strings.EqualFold(encoding, "quoted-printable") {
			body = quotedprintable.NewReader(body)
		}
		b, err := io.ReadAll(body)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	html := find(m.Header.Get("Content-Type"), m.Body, m.Header.Get("Content-Transfer-Encoding"))
	_, html, _ = strings.Cut(html, "<body")
	_, html, _ = strings.Cut(html, ">")
	html, _, _ = strings.Cut(html, "</body>")
	if html == "" {
		t.Fatal("a letter without HTML")
	}
	return html
}

// What a rich letter says besides its words, through a server: strokes, boxes, what is typed
// into the quotation, reactions.
func TestRichLetters(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := mailclient.SitDown(t, p)
	step := func() int { return mailclient.Latest(t, mover.Page) }
	before := step()
	notice := mover.Last
	quoted := htmlOf(t, notice)
	post := func(x *mailclient.Person, body string) mailclient.Received {
		return x.AnswerTo(x.Write(mailclient.Post{Kind: "text/html; charset=utf-8", Body: body}))
	}

	// The struck order is the one thing that is not tried.
	order := mover.Last.Legal[0]
	n := post(mover, "<div><s>resign</s></div><div><input type=checkbox> undo</div><div><input type=checkbox checked> "+order+"</div><div>preview</div>")
	mailclient.Says(t, n, "We left out", order)
	if !strings.Contains(n.Text, "struck through: “resign”") || !strings.Contains(n.Text, "did not tick: “undo”") || step() != before {
		t.Errorf("step %v:\n%s", step(), n.Text)
	}

	// A reaction and thanks to a notice: nothing, and a few lines.
	reaction := mailclient.Post{Kind: "multipart/alternative; boundary=r", Body: "--r\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n👍\r\n\r\nA reacted via Gmail\r\n\r\n--r\r\nContent-Type: text/vnd.google.email-reaction+json; charset=utf-8\r\n\r\n{\"emoji\": \"👍\", \"version\": 1}\r\n--r--\r\n"}
	mover.Last = notice
	mover.Write(reaction)
	n = mover.Ask("Thanks!")
	if lines := strings.Count(n.Text, "\n"); lines > 25 {
		t.Errorf("thanks are answered with %d lines:\n%s", lines, n.Text)
	}

	// To a message it goes to its writer.
	mover.Ask("say: good luck")
	other.Until("the message", func(n mailclient.Received) bool { return strings.Contains(n.Text, "good luck") })
	other.Write(reaction)
	n = mover.Until("the reaction", func(n mailclient.Received) bool { return n.Kind == "info" && strings.Contains(n.Text, "👍") })
	if lines := strings.Count(n.Text, "\n"); lines > 25 {
		t.Errorf("a reaction comes as %d lines:\n%s", lines, n.Text)
	}
	got := len(other.Box)
	other.Settled()
	if len(other.Box) != got+2 {
		t.Errorf("the player who reacted got %d letters", len(other.Box)-got-2)
	}

	// Typed into the quotation of the notice, which the program did not end there.
	i := strings.Index(quoted, "</h2>")
	if i < 0 {
		i = strings.LastIndex(quoted, "</p>")
	}
	mover.Last = notice
	n = post(mover, `<div><br></div><blockquote type="cite"><div>On `+time.Now().Format("2 Jan 2006")+`, at 08:12, Angelpost wrote:<br></div>`+quoted[:i]+"<div><br></div><div>"+order+"</div>"+quoted[i:]+"</blockquote>")
	if step() == before {
		t.Errorf("what was typed into the quotation is not played:\n%s", n.Text)
	}
	p.Stop()
}
