package server

import (
	"errors"
	"fmt"
	"net"
	"net/url"

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
func (o oauthConfig) Endpoints() (login.Provider, bool) {
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
	if _, ok := o.Endpoints(); !ok {
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
	p, ok := c.OAuth.Endpoints()
	if !c.OAuth.set() || !ok {
		return nil
	}
	return &login.OAuth{
		Endpoint: p.Endpoint, Scopes: p.Scopes, ClientID: c.OAuth.ClientID,
		ClientSecretFile: c.Path(c.OAuth.ClientSecret), File: c.Path(c.OAuth.TokenFile),
	}
}

// Secret is what a mail server is logged in to with; nil: nothing says.
func (c *Config) Secret(m mailServer) login.Secret {
	switch {
	case m.PasswordFile != "":
		return login.File(c.Path(m.PasswordFile))
	case m.Password != "":
		return login.Command(m.Password)
	case c.Token != nil:
		return c.Token
	}
	return nil
}

// byToken reports whether a mail server is logged in to by OAuth.
func (c *Config) byToken(m mailServer) bool {
	return c.Token != nil && m.User != "" && m.PasswordFile == "" && m.Password == ""
}

// tokenFiles are the files that logins by OAuth need.
func (c *Config) tokenFiles() []secret {
	if !c.byToken(c.IMAP.mailServer) && !c.byToken(c.SMTP.mailServer) {
		return nil
	}
	return []secret{{"oauth.client_secret_file", c.Path(c.OAuth.ClientSecret)}, {"oauth.token_file", c.Path(c.OAuth.TokenFile)}}
}
