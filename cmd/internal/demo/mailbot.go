package demo

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"time"

	gomail "github.com/emersion/go-message/mail"

	"angelpost/mail/imapbox"
	"angelpost/mail/outbox"
)

// A mailBot is the demo's bot: a player that knows nothing but its letters. It accepts each
// invitation. It answers each other letter with the example turn that the letter has, or,
// after a refusal, with the first legal order.
type mailBot struct {
	address string
	box     imapbox.Config
	smtp    outbox.Server
	log     *slog.Logger
	sent    int
}

func (b *mailBot) run(ctx context.Context) error {
	return imapbox.Run(ctx, b.box, imapbox.Each(b.read))
}

// read answers one letter if it asks for something.
func (b *mailBot) read(ctx context.Context, f imapbox.Fetched) (imapbox.Disposition, error) {
	m, err := mail.ReadMessage(bytes.NewReader(f.Raw))
	if err != nil {
		return imapbox.Failed, nil
	}
	text, err := textOf(f.Raw)
	if err != nil {
		return imapbox.Failed, nil
	}
	legal, example := barred(text)
	if m.Header.Get("X-Angelpost-Kind") == "invitation" {
		legal, example = []string{"join"}, nil
	}
	if len(legal) == 0 {
		return imapbox.Done, nil
	}
	orders := example
	if len(orders) == 0 || m.Header.Get("X-Angelpost-Result") == "refused" {
		orders = legal[:1]
	}
	to, err := mail.ParseAddress(m.Header.Get("Reply-To"))
	if err != nil {
		return imapbox.Failed, nil
	}
	raw := b.reply(to.Address, m.Header, orders)
	return imapbox.Done, outbox.SendOne(ctx, b.smtp, outbox.Letter{From: b.address, To: to.Address}, raw)
}

// textOf is a letter's text/plain.
func textOf(raw []byte) (string, error) {
	r, err := gomail.CreateReader(bytes.NewReader(raw))
	if err != nil {
		return "", err
	}
	for {
		p, err := r.NextPart()
		if err != nil {
			return "", err
		}
		if kind, _, _ := mime.ParseMediaType(p.Header.Get("Content-Type")); kind == "text/plain" {
			b, err := io.ReadAll(io.LimitReader(p.Body, 1<<20))
			return string(b), err
		}
	}
}

// reply is a plain letter, as a person's client would write it.
func (b *mailBot) reply(to string, h mail.Header, orders []string) []byte {
	var out bytes.Buffer
	b.sent++
	subject, err := new(mime.WordDecoder).DecodeHeader(h.Get("Subject"))
	if err != nil {
		subject = "orders"
	}
	now := time.Now()
	fmt.Fprintf(&out, "From: <%s>\r\nTo: <%s>\r\nSubject: %s\r\nDate: %s\r\nMessage-ID: <%d.%d.%s>\r\nIn-Reply-To: %s\r\n",
		b.address, to, mime.QEncoding.Encode("utf-8", "Re: "+strings.TrimPrefix(subject, "Re: ")), now.Format(time.RFC1123Z), now.UnixNano(), b.sent, b.address, h.Get("Message-Id"))
	out.WriteString("MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n")
	qp := quotedprintable.NewWriter(&out)
	qp.Write([]byte(strings.Join(orders, "\r\n") + "\r\n"))
	qp.Close()
	return out.Bytes()
}

// barred reads what web/API.md promises of a letter's text: the legal orders
// and the example turn, each behind bars.
func barred(text string) (legal, example []string) {
	in := ""
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, "\r")
		order, ok := strings.CutPrefix(line, "| ")
		switch {
		case !ok:
			in = ""
		case order == "legal" || order == "example":
			in = order
		case order == "end":
			in = ""
		case strings.HasPrefix(order, "more "): // there are more than the letter lists
		case in == "legal":
			legal = append(legal, order)
		case in == "example":
			example = append(example, order)
		}
	}
	return legal, example
}
