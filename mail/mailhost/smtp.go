package mailhost

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/emersion/go-smtp"
)

// smtpSession takes letters in for the host's accounts.
type smtpSession struct {
	host  *Host
	helo  string
	from  string
	rcpts []recipient
}

type recipient struct {
	address string
	account *account
}

var _ smtp.AuthSession = (*smtpSession)(nil)

func (s *smtpSession) Reset()        { s.from, s.rcpts = "", nil }
func (s *smtpSession) Logout() error { return nil }

func (s *smtpSession) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	return nil
}

func (s *smtpSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	a := s.host.account(to)
	if a == nil {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such mailbox here"}
	}
	s.rcpts = append(s.rcpts, recipient{to, a})
	return nil
}

// Data accepts the letter when every recipient has it on disk. If one of several cannot get it,
// the client must try again, and the others will have it twice.
func (s *smtpSession) Data(r io.Reader) error {
	body, err := io.ReadAll(r) // bounded by the server's MaxMessageBytes
	if err != nil {
		return err
	}
	now := time.Now()
	for _, to := range s.rcpts {
		var raw bytes.Buffer
		fmt.Fprintf(&raw, "Return-Path: <%s>\r\nDelivered-To: %s\r\nReceived: from %s by %s with ESMTP id %s; %s\r\n",
			oneLine(s.from), oneLine(to.address), oneLine(s.helo), s.host.config.Domain, rand.Text(), now.Format(time.RFC1123Z))
		raw.Write(body)
		if _, err := to.account.append(inbox, raw.Bytes(), now); err != nil {
			s.host.config.Log.Error("mailhost: cannot keep a letter", "account", to.account.name, "err", err)
			return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "the letter could not be kept; try again"}
		}
	}
	return nil
}

func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}
