package match

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// Unsolicited letters: invitations, questions to an address that a player named,
// questions to the claimed sender of a letter. They are bounded for each mailbox,
// regardless of who causes them and of its addresses, and end when its owner wants
// none.

// Bounds of such letters.
const (
	maxInvitations = 20 // by one player a day, UTC
	maxInvited     = 3  // to one mailbox a day
	maxUnheard     = 6  // to one mailbox that never answered, in unheardDays
	unheardDays    = 30
)

// mailbox is the address that stands for all of a mailbox's: without what
// follows a plus sign, and at Google's without dots.
func mailbox(address string) string {
	local, host, _ := strings.Cut(address, "@")
	local, _, _ = strings.Cut(local, "+")
	if host == "gmail.com" || host == "googlemail.com" {
		local, host = strings.ReplaceAll(local, ".", ""), "gmail.com"
	}
	return local + "@" + host
}

// wantsNone reports whether an address, or its mailbox, said never.
func (s *unit) wantsNone(address string) bool {
	for _, a := range []string{address, mailbox(address)} {
		row := s.address(a)
		if row.Never {
			return row.Never
		}
	}
	return false
}

// mayInvite returns why no unsolicited letter may go to an address, nil if one may.
// inviter is the player who causes it, nil for a stranger; others are addresses to
// which the same line causes one.
func (s *unit) mayInvite(inviter *store.Player, address string, others ...string) error {
	no := func(code string, n int) error {
		return notice.Refuse(code, "word", address, "n", strconv.Itoa(n))
	}
	if none := s.wantsNone(address); none {
		return notice.Refuse(notice.ProblemNever, "word", address)
	}
	if inviter != nil {
		n := s.counted("inviter/"+strconv.FormatInt(inviter.ID, 10), s.day())
		if n+len(others) >= maxInvitations {
			return no(notice.ProblemMany, maxInvitations)
		}
	}
	to := "invited/" + mailbox(address)
	n := s.counted(to, s.day())
	for _, o := range others {
		if mailbox(o) == mailbox(address) {
			n++
		}
	}
	if n >= maxInvited {
		return no(notice.ProblemMany, maxInvited)
	}
	row := s.address(address)
	if row.Player != 0 && s.registered(row.Player) {
		return nil
	}
	for d := 1; d < unheardDays && n < maxUnheard; d++ {
		before := s.counted(to, s.now.AddDate(0, 0, -d).Format(time.DateOnly))
		n += before
	}
	if n >= maxUnheard {
		return no(notice.ProblemUnheard, maxUnheard)
	}
	return nil
}

// invited counts a letter that its reader did not ask for.
func (s *unit) invited(inviter int64, address string) {
	if inviter != 0 {
		s.bump("inviter/"+strconv.FormatInt(inviter, 10), s.day())
	}
	s.bump("invited/"+mailbox(address), s.day())
}

// never records that the owner of an address wants no unsolicited letters, at any of
// their addresses.
func (s *unit) never(address string) error {
	row := s.address(address)
	all := []string{address, mailbox(address)}
	if row.Player != 0 {
		rows, err := s.tx.Addresses(row.Player)
		if err != nil {
			return err
		}
		for _, a := range rows {
			all = append(all, a.Address, mailbox(a.Address))
		}
	}
	for _, a := range all {
		row := s.address(a)
		row.Never = true
		s.check(s.tx.SaveAddress(row))
	}
	return nil
}

var dotted = regexp.MustCompile(`([\pL\pN])\.([\pL\pN-]{2,})`)

// unlinked is a name of which no mail program makes a link: names stand in
// letters to people who never wrote to us.
func unlinked(s string) string {
	s = strings.NewReplacer("://", " ", "www.", "www ", "WWW.", "WWW ").Replace(s)
	return dotted.ReplaceAllString(s, "$1. $2")
}
