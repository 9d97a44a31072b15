package mailhost

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/url"
	"strings"
	"time"

	"github.com/emersion/go-smtp"
)

// draft is a letter being written in the post room.
type draft struct {
	Box, To, Subject, Body string
	InReplyTo, References  string
}

const (
	maxSubject = 200
	maxBody    = 64 << 10
)

// fromMailto reads a mailto: link (RFC 6068); fields it does not know are left
// out, for a link must not set headers its reader does not see.
func fromMailto(link string) (draft, error) {
	parsed, err := url.Parse(link)
	if err != nil || parsed.Scheme != "mailto" {
		return draft{}, fmt.Errorf("%q is not a mailto link", link)
	}
	to, err := url.PathUnescape(parsed.Opaque)
	if err != nil {
		return draft{}, fmt.Errorf("%q is not a mailto link: %w", link, err)
	}
	d := draft{To: oneLine(to)}
	for _, pair := range strings.Split(parsed.RawQuery, "&") {
		key, value, _ := strings.Cut(pair, "=")
		value, err := url.PathUnescape(value) // "+" is a plus in mailto
		if err != nil {
			continue
		}
		switch strings.ToLower(key) {
		case "subject":
			d.Subject = oneLine(value)
		case "body":
			d.Body = strings.ReplaceAll(value, "\r\n", "\n")
		}
	}
	return d, nil
}

// replySubject puts one "Re: " before a subject.
func replySubject(subject string) string {
	if strings.HasPrefix(strings.ToLower(subject), "re:") {
		return subject
	}
	return "Re: " + subject
}

// quoted is the original as mail clients put it below an answer.
func quoted(l openLetter) string {
	var out strings.Builder
	fmt.Fprintf(&out, "\n\nOn %s, %s wrote:\n", l.Date.Format("Mon, 2 Jan 2006 at 15:04"), l.From)
	for _, line := range strings.Split(strings.TrimRight(l.Text, "\n"), "\n") {
		out.WriteString(strings.TrimRight("> "+line, " ") + "\n")
	}
	return out.String()
}

// letter makes the bytes of d and the bare address it goes to.
func (d draft) letter(from string, now time.Time) (raw []byte, to string, err error) {
	parsed, err := mail.ParseAddress(d.To)
	if err != nil {
		return nil, "", fmt.Errorf("“%s” is not an address", d.To)
	}
	if len(d.Body) > maxBody || len(d.Subject) > maxSubject {
		return nil, "", fmt.Errorf("that letter is too long for this post room (%d KiB)", maxBody>>10)
	}
	var out bytes.Buffer
	header := func(name, value string) {
		if value = oneLine(value); value != "" {
			fmt.Fprintf(&out, "%s: %s\r\n", name, value)
		}
	}
	_, domain, _ := strings.Cut(from, "@")
	header("From", from)
	header("To", (&mail.Address{Address: parsed.Address}).String())
	header("Subject", mime.QEncoding.Encode("utf-8", oneLine(d.Subject)))
	header("Date", now.Format(time.RFC1123Z))
	header("Message-ID", "<"+rand.Text()+"@"+domain+">")
	header("In-Reply-To", d.InReplyTo)
	header("References", d.References)
	header("User-Agent", "Angelpost post room")
	header("MIME-Version", "1.0")
	header("Content-Type", "text/plain; charset=utf-8")
	header("Content-Transfer-Encoding", "quoted-printable")
	out.WriteString("\r\n")
	body := strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "").Replace(d.Body)
	w := quotedprintable.NewWriter(&out)
	w.Write([]byte(strings.TrimRight(body, "\n") + "\n"))
	w.Close()
	return out.Bytes(), parsed.Address, nil
}

const sendTimeout = 30 * time.Second

// send hands a letter to the host's own SMTP server, as any client would.
func (h *Host) send(ctx context.Context, from, to string, raw []byte) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", h.SMTPAddr())
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	client := smtp.NewClient(conn)
	if err := client.SendMail(from, []string{to}, bytes.NewReader(raw)); err != nil {
		return err
	}
	return client.Quit()
}
