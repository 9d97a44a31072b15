package server

import (
	"cmp"
	"fmt"
	"time"

	"angelpost/templates"
	"angelpost/templates/words"
)

// privacyConfig is what the host says on the page about players' data.
type privacyConfig struct {
	Host    string `toml:"host"`
	Contact string `toml:"contact"`
	Note    string `toml:"note"`
}

// Bounds of what it says, in characters.
const (
	maxHostName = 100
	maxNote     = 2000
)

func (p privacyConfig) check() error {
	switch {
	case p.Host != words.Clean(p.Host, maxHostName):
		return fmt.Errorf("host: a name of one line, of at most %d characters", maxHostName)
	case p.Contact != "" && NormalizeAddress(p.Contact) == "":
		return fmt.Errorf("contact: %q is not a mail address", p.Contact)
	case p.Note != words.Clean(p.Note, maxNote):
		return fmt.Errorf("note: a text of one line, of at most %d characters", maxNote)
	}
	return nil
}

// privacy is what the page about players' data says.
func (s *Server) privacy() templates.Privacy {
	told := cmp.Or(s.told.Load(), &s.Conf.Privacy)
	p := templates.Privacy{Host: told.Host, Contact: told.Contact, Note: told.Note, Keep: int(s.Desk.Keeps() / (24 * time.Hour)), Mail: s.Conf.Plain(), Copied: s.Conf.Replica.Litestream != ""}
	if s.Conf.Backup.Folder != "" {
		p.Daily, p.Weekly = s.Conf.Backup.Daily, s.Conf.Backup.Weekly
	}
	return p
}
