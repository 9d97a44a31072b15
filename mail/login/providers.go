package login

import (
	"strings"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/endpoints"
)

// A Provider is where one logs in by OAuth, and to what.
type Provider struct {
	Endpoint oauth2.Endpoint
	Scopes   []string
	Device   bool // a person agrees by a device code, unless they want a browser
}

// Providers by their names in a configuration.
func Providers(name, tenant string) (Provider, bool) {
	switch strings.ToLower(name) {
	case "google":
		return Provider{endpoints.Google, []string{"https://mail.google.com/"}, false}, true // its device codes give no access to mail
	case "microsoft":
		return Provider{endpoints.AzureAD(tenant), []string{
			"https://outlook.office.com/IMAP.AccessAsUser.All", "https://outlook.office.com/SMTP.Send", "offline_access",
		}, true}, true
	}
	return Provider{}, false
}
