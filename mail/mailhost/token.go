package mailhost

import (
	"strings"

	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// tokenMechanisms are how clients log in by an access token, where Config.Token says
// which ones hold.
var tokenMechanisms = []string{"XOAUTH2", sasl.OAuthBearer}

// mechanisms are how clients may log in.
func (h *Host) mechanisms() []string {
	if h.config.Token == nil {
		return []string{sasl.Plain}
	}
	return append([]string{sasl.Plain}, tokenMechanisms...)
}

// authenticate is the host's side of a login by mech. took gets the account; refused is the
// error for the client if there is none.
func (h *Host) authenticate(mech string, refused error, took func(*account)) sasl.Server {
	take := func(a *account) error {
		if a == nil {
			return refused
		}
		took(a)
		return nil
	}
	if mech == sasl.Plain || h.config.Token == nil {
		return sasl.NewPlainServer(func(identity, username, password string) error {
			if identity != "" && identity != username {
				return refused
			}
			return take(h.login(username, password))
		})
	}
	return &tokenServer{refused: refused, check: func(user, token string) error {
		if !h.config.Token(user, token) {
			return refused
		}
		return take(h.login(user, h.config.Password))
	}}
}

// tokenServer is the server's side of XOAUTH2 and OAUTHBEARER (RFC 7628).
type tokenServer struct {
	refused error
	check   func(user, token string) error
	failed  bool
}

func (t *tokenServer) Next(response []byte) (challenge []byte, done bool, err error) {
	switch {
	case t.failed:
		return nil, true, t.refused
	case response == nil:
		return []byte{}, false, nil
	}
	user, token := "", ""
	for part := range strings.SplitSeq(string(response), "\x01") {
		if s, ok := strings.CutPrefix(part, "user="); ok {
			user = s
		}
		if s, ok := strings.CutPrefix(part, "n,a="); ok {
			user = strings.TrimSuffix(s, ",")
		}
		if s, ok := strings.CutPrefix(part, "auth=Bearer "); ok {
			token = s
		}
	}
	if t.check(user, token) != nil {
		t.failed = true
		return []byte(`{"status":"invalid_token"}`), false, nil
	}
	return nil, true, nil
}

func (s *imapSession) AuthenticateMechanisms() []string { return s.host.mechanisms() }

func (s *imapSession) Authenticate(mech string) (sasl.Server, error) {
	return s.host.authenticate(mech, imapserver.ErrAuthFailed, s.enter), nil
}

func (s *smtpSession) AuthMechanisms() []string { return s.host.mechanisms() }

func (s *smtpSession) Auth(mech string) (sasl.Server, error) {
	return s.host.authenticate(mech, smtp.ErrAuthFailed, func(*account) {}), nil
}
