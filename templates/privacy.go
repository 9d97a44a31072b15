package templates

// A Privacy is what the server's configuration says about its players' data.
type Privacy struct {
	Host    string // the host's name; "" they have not said
	Contact string // the address at which they answer questions; "" they have not said
	Note    string // what they add; "" nothing
	Keep    int    // days for which letters are kept
	Copies  int    // days for which copies of the database are kept; 0: no one has said
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
	if p.Copies == 0 {
		return p.Say("privacy.long-backups-none")
	}
	return p.Say("privacy.long-backups", "days", p.Copies)
}
