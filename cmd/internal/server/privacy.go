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
	// Copies is for how many days copies are kept that the server does not make, as the replica's.
	Copies int `toml:"copies_days"`
}

// Bounds of what it says, in characters.
const (
	maxHostName = 100
	maxNote     = 2000
)

// maxCopies bounds for how many days copies are kept.
const maxCopies = 10000

func (p privacyConfig) check() error {
	switch {
	case p.Host != words.Clean(p.Host, maxHostName):
		return fmt.Errorf("host: a name of one line, of at most %d characters", maxHostName)
	case p.Contact != "" && NormalizeAddress(p.Contact) == "":
		return fmt.Errorf("contact: %q is not a mail address", p.Contact)
	case p.Copies < 0 || p.Copies > maxCopies:
		return fmt.Errorf("copies_days: 0 to %d", maxCopies)
	case p.Note != words.Clean(p.Note, maxNote):
		return fmt.Errorf("note: a text of one line, of at most %d characters", maxNote)
	}
	return nil
}

// privacy is what the page about players' data says.
func (s *Server) privacy() templates.Privacy {
	told := cmp.Or(s.told.Load(), &s.Conf.Privacy)
	return templates.Privacy{Host: told.Host, Contact: told.Contact, Note: told.Note, Keep: int(s.Desk.Keeps() / (24 * time.Hour)), Mail: s.Conf.Plain(),
		Copies: s.Conf.copies(told.Copies)}
}

// Copied reports whether another program copies the database.
func (c *Config) Copied() bool { return c.Replica.Litestream != "" || c.Replica.URL != "" }

// copies is for how many days copies of the database are kept, 0 if the configuration does not say.
func (c *Config) copies(others int) int {
	if others == 0 && (c.Copied() || c.Backup.Folder == "") {
		return 0
	}
	return max(others, c.ownCopies())
}

// ownCopies is for how many days the copies are kept that the server makes: backups, and those from
// before an upgrade.
func (c *Config) ownCopies() int {
	if c.Backup.Folder == "" {
		return upgradeCopies
	}
	return c.Backup.Daily + 7*c.Backup.Weekly
}

// upgradeCopies is for how many days copies from before an upgrade are kept where there are no backups.
const upgradeCopies = 35
