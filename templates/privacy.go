package templates

// A Privacy is what the server's configuration says about its players' data.
type Privacy struct {
	Host    string // the host's name; "" they have not said
	Contact string // the address at which they answer questions; "" they have not said
	Note    string // what they add; "" nothing
	Keep    int    // days for which letters are kept
	Daily   int    // backups that are kept, of days and of weeks; 0: the server makes none
	Weekly  int
	Copied  bool   // the database is also copied to another place, which keeps what it wants
	Mail    string // address of the server's own mailbox
}

// PrivacyHref is the page's address.
const PrivacyHref = "/privacy"

// A PrivacyView is the page about it.
type PrivacyView struct {
	Frame
	Privacy
}

// contact is a link that writes to the host.
func (p *PrivacyView) contact() string { return "mailto:" + AddressInURL(p.Contact) }

// Privacy is the address of the page about players' data, "" if there are no pages.
func (s Site) Privacy() string {
	if s.BaseURL == "" {
		return ""
	}
	return s.BaseURL + PrivacyHref
}

// backups says for how long copies of the database are kept.
func (p *PrivacyView) backups() string {
	if p.Daily+p.Weekly == 0 || p.Copied {
		return p.Say("privacy.long-backups-none")
	}
	return p.Say("privacy.long-backups", "days", p.Daily+7*p.Weekly)
}
