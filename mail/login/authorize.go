package login

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"golang.org/x/oauth2"
)

// authorizeTimeout is how long a person has to agree.
const authorizeTimeout = 10 * time.Minute

// Browser has a person agree in a browser on this machine (RFC 8252, with PKCE), which
// comes back to l, on loopback. show is given the address to open.
func (o *OAuth) Browser(ctx context.Context, l net.Listener, user string, show func(url string)) (*oauth2.Token, error) {
	config, err := o.config(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, authorizeTimeout)
	defer cancel()
	config.RedirectURL = "http://" + l.Addr().String() + "/"
	state, verifier := rand.Text(), oauth2.GenerateVerifier()
	type answer struct {
		code string
		err  error
	}
	answers := make(chan answer, 1)
	server := &http.Server{ReadTimeout: requestTimeout, WriteTimeout: requestTimeout, MaxHeaderBytes: 64 << 10}
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if r.URL.Path != "/" || subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(state)) != 1 {
			http.NotFound(w, r)
			return
		}
		a := answer{code: q.Get("code")}
		text := "Done. You can close this page; the terminal goes on."
		if a.code == "" {
			a.err = fmt.Errorf("access was not granted: %.200q", q.Get("error"))
			text = "No access was granted. The terminal says more."
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintln(w, text)
		select {
		case answers <- a:
		default: // it came twice
		}
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Serve(l)
	}()
	defer func() {
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		server.Shutdown(last) // the page is yet to be read
		server.Close()
		<-done
	}()
	show(config.AuthCodeURL(state, oauth2.AccessTypeOffline, oauth2.ApprovalForce, oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("login_hint", user)))
	select {
	case <-ctx.Done():
		return nil, tooLate(ctx)
	case a := <-answers:
		if a.err != nil {
			return nil, a.err
		}
		ctx, cancel := limited(ctx)
		defer cancel()
		t, err := config.Exchange(ctx, a.code, oauth2.VerifierOption(verifier))
		if err != nil {
			return nil, o.explain(err)
		}
		return t, nil
	}
}

// Device has a person agree on any machine (RFC 8628): show is given the address to open
// there and the code to type.
func (o *OAuth) Device(ctx context.Context, show func(url, code string)) (*oauth2.Token, error) {
	config, err := o.config(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, oauth2.HTTPClient, client), authorizeTimeout)
	defer cancel()
	d, err := config.DeviceAuth(ctx)
	if err != nil {
		return nil, o.explain(err)
	}
	show(plain(d.VerificationURI), plain(d.UserCode))
	t, err := config.DeviceAccessToken(ctx, d)
	switch {
	case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded): // the code has run out
		return nil, tooLate(ctx)
	case err != nil:
		return nil, o.explain(err)
	}
	return t, nil
}

func tooLate(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	return errors.New("no one agreed in time")
}
