package unit

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// Unsolicited letters are invitations, questions to an address that a player named, and
// questions to the claimed sender of a letter. Each mailbox has a limit for them, whatever
// their cause and whichever of its addresses they go to. They end when its owner wants none.

// Bounds of such letters.
const (
	maxInvitations = 20 // by one player a day, UTC
	maxInvited     = 3  // to one mailbox a day
	maxUnheard     = 6  // to one mailbox that never answered, in unheardDays
	unheardDays    = 30
)

// A spelling says which parts of a mailbox name a mail provider ignores.
type spelling struct {
	host    string // the one name we use for all its domains; a mailbox name has the same owner in each
	ignored string // characters
}

// spellings are those of providers that publish theirs, by domain.
//   - Google: "Dots don't matter in Gmail addresses", "Gmail or Googlemail?" (Gmail Help).
//   - Proton: "How to change your username" (dots, hyphens and underscores are transparent),
//     "Addresses and aliases" and "Short domain (@pm.me) addresses" (Proton Support);
//     ProtonMail/WebClients compares addresses the same way (canonicalizeInternalEmail).
var spellings = map[string]spelling{
	"gmail.com": {"gmail.com", "."}, "googlemail.com": {"gmail.com", "."},
	"proton.me": {"proton.me", ".-_"}, "protonmail.com": {"proton.me", ".-_"}, "pm.me": {"proton.me", ".-_"}, "protonmail.ch": {"proton.me", ".-_"},
}

// Mailbox returns the one form that we use for all addresses of a mailbox: without what follows
// a plus sign, and without what its provider ignores.
func Mailbox(address string) string {
	local, host, _ := strings.Cut(address, "@")
	local, _, _ = strings.Cut(local, "+")
	if s, ok := spellings[host]; ok {
		host = s.host
		local = strings.Map(func(r rune) rune {
			if strings.ContainsRune(s.ignored, r) {
				return -1
			}
			return r
		}, local)
	}
	return local + "@" + host
}

// WantsNone reports whether the owner of an address, or of its mailbox, has sent `never`.
func (u *Unit) WantsNone(address string) bool {
	for _, a := range []string{address, Mailbox(address)} {
		row := u.AddressOf(a)
		if row.Never {
			return row.Never
		}
	}
	return false
}

// Appointed reports whether an address is the host's own or that of someone who may make
// leagues.
func (u *Unit) Appointed(address string) bool {
	return address != "" && (u.Address(u.HostMail) == address || u.among(u.Directors, address))
}

// Befriended reports whether the host names the address of the letter in, or its domain, among
// friends. A domain counts only if DMARC passed.
func (u *Unit) Befriended() bool {
	address := u.Command.From
	_, host, _ := strings.Cut(address, "@")
	return address != "" && (u.among(u.Friends, address) ||
		u.Command.AuthPassed && slices.ContainsFunc(u.Friends, func(f string) bool { return strings.EqualFold(f, host) }))
}

func (u *Unit) among(list []string, address string) bool {
	return slices.ContainsFunc(list, func(a string) bool { return u.Address(a) == address })
}

// MayInvite returns why an address must not get an unsolicited letter, nil if it may. inviter
// is the player who causes the letter; others are further addresses in the same line.
func (u *Unit) MayInvite(inviter *store.Player, address string, others ...string) error {
	if inviter != nil {
		n := u.Counted("inviter/"+strconv.FormatInt(inviter.ID, 10), u.Day())
		if n+len(others) >= maxInvitations {
			return notice.Refuse(notice.ProblemMany, "word", address, "n", strconv.Itoa(maxInvitations))
		}
	}
	return u.mayWrite("invited/", address, others...)
}

// MayAnswer is MayInvite for an answer to a stranger, who may not have written the letter in.
func (u *Unit) MayAnswer(address string) error { return u.mayWrite(u.answered(), address) }

// mayWrite returns why an address must not get a letter that a kind of key counts.
func (u *Unit) mayWrite(kind, address string, others ...string) error {
	no := func(code string, n int) error {
		return notice.Refuse(code, "word", address, "n", strconv.Itoa(n))
	}
	if none := u.WantsNone(address); none {
		return notice.Refuse(notice.ProblemNever, "word", address)
	}
	to := kind + Mailbox(address)
	n := u.Counted(to, u.Day())
	for _, o := range others {
		if Mailbox(o) == Mailbox(address) {
			n++
		}
	}
	if n >= maxInvited {
		return no(notice.ProblemMany, maxInvited)
	}
	row := u.AddressOf(address)
	if row.Player != 0 && u.Registered(row.Player) {
		return nil
	}
	for d := 1; d < unheardDays && n < maxUnheard; d++ {
		before := u.Counted(to, u.At.AddDate(0, 0, -d).Format(time.DateOnly))
		n += before
	}
	if n >= maxUnheard {
		return no(notice.ProblemUnheard, maxUnheard)
	}
	return nil
}

// Invited counts an unsolicited letter.
func (u *Unit) Invited(inviter int64, address string) {
	if inviter != 0 {
		u.Bump("inviter/"+strconv.FormatInt(inviter, 10), u.Day())
	}
	u.Bump("invited/"+Mailbox(address), u.Day())
}

// Answered counts an answer to a stranger, who may not have written the letter in.
func (u *Unit) Answered(address string) { u.Bump(u.answered()+Mailbox(address), u.Day()) }

// answered returns the key that counts answers to strangers. Questions have another key than
// requests for action, so that the former don't use up the answers to the latter.
func (u *Unit) answered() string {
	if u.Acts {
		return "asked/"
	}
	return "invited/"
}

// Never records that the owner of an address wants no unsolicited letters, at any of
// their addresses.
func (u *Unit) Never(address string) error {
	row := u.AddressOf(address)
	all := []string{address, Mailbox(address)}
	if row.Player != 0 {
		rows, err := u.Tx.Addresses(row.Player)
		if err != nil {
			return err
		}
		for _, a := range rows {
			all = append(all, a.Address, Mailbox(a.Address))
		}
	}
	for _, a := range all {
		row := u.AddressOf(a)
		row.Never = true
		u.Check(u.Tx.SaveAddress(row))
	}
	return nil
}

// Reachable reports whether a player wants letters, and whether they reach the player.
func (u *Unit) Reachable(player int64) bool {
	p := u.Player(player)
	if p.Address == "" || u.ToErase(player) { // they are forgotten
		return false
	}
	a := u.AddressOf(p.Address)
	return a.Bounced.IsZero() && !u.WantsNone(p.Address)
}

// AddPlayer creates a player with an address.
func (u *Unit) AddPlayer(address, name string) *store.Player {
	name, ok := u.ProperName(name)
	if !ok {
		name = ""
	}
	p := store.Player{Name: name, Address: address, Created: u.At}
	u.Check(u.Tx.AddPlayer(&p))
	u.Players[p.ID] = &p
	return &p
}

// BadAddress returns why no player can have an address, nil if one can.
func (u *Unit) BadAddress(word string) *notice.Problem {
	local, _, _ := strings.Cut(word, "@")
	address := u.Address(word)
	switch {
	case u.Own(address):
		return notice.Refuse(notice.ProblemOurs, "word", word)
	case address != "":
		return nil
	case strings.Contains(word, "@") && strings.ContainsFunc(local, func(r rune) bool { return r > unicode.MaxASCII }):
		return notice.Refuse(notice.ProblemASCII, "word", word)
	}
	return notice.Refuse(notice.ProblemAddress, "word", word)
}

// Guest returns the player with an address to invite; others are further addresses in the same
// line. organiser nil is the host, who may invite anyone.
func (u *Unit) Guest(organiser *store.Player, a string, others ...string) (int64, error) {
	no := func(code string) (int64, error) {
		return 0, notice.Refuse(code, "word", a)
	}
	if p := u.BadAddress(a); p != nil {
		return 0, p
	}
	address := u.Address(a)
	row := u.AddressOf(address)
	if organiser != nil && row.Player == organiser.ID {
		return organiser.ID, nil
	}
	if organiser != nil {
		if err := u.MayInvite(organiser, address, others...); err != nil {
			return 0, err
		}
	} else if none := u.WantsNone(address); none {
		return no(notice.ProblemNever)
	}
	if row.Player != 0 {
		u.Player(row.Player)
		return row.Player, nil
	}
	p := u.AddPlayer(address, "")
	return p.ID, nil
}

// AddressOf returns the row of an address, empty if it is not known.
func (u *Unit) AddressOf(a string) store.Address {
	row, err := u.Tx.Address(a)
	if none, err := Missing(err); none || err != nil {
		u.Check(err)
		return store.Address{Address: a}
	}
	return row
}

// Registered reports whether a player has ever answered a letter from us.
func (u *Unit) Registered(player int64) bool {
	return u.Player(player).Registered
}
