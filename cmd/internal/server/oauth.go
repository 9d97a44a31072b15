package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strconv"

	"golang.org/x/oauth2"

	"angelpost/mail/login"
)

// oauthConfig says how to log in by OAuth 2.0. The addresses and scopes are for providers
// that we do not know.
type oauthConfig struct {
	Provider     string   `toml:"provider"`
	Tenant       string   `toml:"tenant"`
	ClientID     string   `toml:"client_id"`
	ClientSecret string   `toml:"client_secret_file"`
	TokenFile    string   `toml:"token_file"`
	AuthURL      string   `toml:"auth_url"`
	TokenURL     string   `toml:"token_url"`
	DeviceURL    string   `toml:"device_url"`
	Scopes       []string `toml:"scopes"`
}

func (o oauthConfig) set() bool { return o.Provider != "" || o.TokenURL != "" }

// provider is where one logs in.
func (o oauthConfig) provider() (login.Provider, bool) {
	if o.Provider == "" {
		return login.Provider{
			Endpoint: oauth2.Endpoint{AuthURL: o.AuthURL, TokenURL: o.TokenURL, DeviceAuthURL: o.DeviceURL},
			Scopes:   o.Scopes, Device: o.DeviceURL != "",
		}, true
	}
	return login.Providers(o.Provider, o.Tenant)
}

func (o oauthConfig) check() error {
	if !o.set() {
		return nil
	}
	if _, ok := o.provider(); !ok {
		return fmt.Errorf(`provider: %q is neither "google" nor "microsoft"; leave it empty and set auth_url, token_url and scopes for another`, o.Provider)
	}
	switch {
	case o.Provider != "" && o.TokenURL+o.AuthURL+o.DeviceURL != "":
		return errors.New("provider: set it or token_url, not both")
	case o.Provider == "" && o.AuthURL+o.DeviceURL == "":
		return errors.New("token_url: it needs auth_url or device_url, too")
	case o.ClientID == "":
		return errors.New("client_id: your provider gives you one when you register Angelpost there; see mailboxes.md")
	case o.TokenFile == "":
		return errors.New("token_file: it needs a file name")
	}
	for _, a := range []struct{ key, url string }{{"auth_url", o.AuthURL}, {"token_url", o.TokenURL}, {"device_url", o.DeviceURL}} {
		u, err := url.Parse(a.url)
		ip := net.ParseIP("")
		if err == nil {
			ip = net.ParseIP(u.Hostname())
		}
		if a.url != "" && (err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && ip.IsLoopback())) {
			return fmt.Errorf("%s: %q is not an https address", a.key, a.url)
		}
	}
	return nil
}

// oauth is what [oauth] says; nil if it says nothing.
func (c *Config) oauth() *login.OAuth {
	p, ok := c.OAuth.provider()
	if !c.OAuth.set() || !ok {
		return nil
	}
	return &login.OAuth{
		Endpoint: p.Endpoint, Scopes: p.Scopes, ClientID: c.OAuth.ClientID,
		ClientSecretFile: c.Path(c.OAuth.ClientSecret), File: c.Path(c.OAuth.TokenFile),
	}
}

// secret is what a mail server is logged in to with; nil: nothing says.
func (c *Config) secret(m mailServer) login.Secret {
	switch {
	case m.PasswordFile != "":
		return login.File(c.Path(m.PasswordFile))
	case m.Password != "":
		return login.Command(m.Password)
	case c.token != nil:
		return c.token
	}
	return nil
}

// byToken reports whether a mail server is logged in to by OAuth.
func (c *Config) byToken(m mailServer) bool {
	return c.token != nil && m.User != "" && m.PasswordFile == "" && m.Password == ""
}

// tokenFiles are the files that logins by OAuth need.
func (c *Config) tokenFiles() []secret {
	if !c.byToken(c.IMAP) && !c.byToken(c.SMTP.mailServer) {
		return nil
	}
	return []secret{{"oauth.client_secret_file", c.Path(c.OAuth.ClientSecret)}, {"oauth.token_file", c.Path(c.OAuth.TokenFile)}}
}

func runLogin(args []string, stdout, stderr io.Writer) int {
	fs := flags("login", "", stderr)
	path := configFlag(fs)
	browser := fs.Bool("browser", false, "agree in a browser on this machine, where a device code is usual")
	port := fs.Uint("port", 0, "the port on this machine to which the browser returns; any free one if 0")
	if code := parse(fs, args, 0); code != goOn {
		return code
	}
	c, err := LoadConfig(*path)
	if err != nil {
		return exit(stderr, "login", err)
	}
	if c.token == nil {
		return exit(stderr, "login", badUsage("%s: oauth.provider is not set", c.at("oauth.provider")))
	}
	ctx, stop := untilStopped()
	defer stop()
	return exit(stderr, "login", badEnvironment(c.logIn(ctx, *browser, *port, stdout)))
}

// logIn has the host agree that Angelpost uses their mailbox, and keeps the refresh token.
func (c *Config) logIn(ctx context.Context, browser bool, port uint, stdout io.Writer) error {
	p, _ := c.OAuth.provider()
	user := cmp.Or(c.IMAP.User, c.SMTP.User)
	var t *oauth2.Token
	var err error
	if p.Device && !browser {
		t, err = c.token.Device(ctx, func(url, code string) {
			fmt.Fprintf(stdout, "Open %s in any browser, enter the code %s and log in as %s.\n", url, code, user)
		})
	} else {
		var l net.Listener
		if l, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port)))); err != nil {
			return err
		}
		t, err = c.token.Browser(ctx, l, user, func(address string) {
			fmt.Fprintf(stdout, "Open this address in a browser on this machine and log in as %s:\n\n%s\n\n", user, address)
			fmt.Fprintf(stdout, "If your browser is on another machine, run there first: ssh -L %d:%s THIS-MACHINE\n", l.Addr().(*net.TCPAddr).Port, l.Addr())
		})
	}
	if err == nil {
		err = c.token.Keep(ctx, t)
	}
	if err == nil {
		fmt.Fprintf(stdout, "Logged in. %s keeps the refresh token. Next: angelpost doctor\n", c.token.File)
	}
	return err
}
