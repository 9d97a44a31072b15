// Package shards knows the other servers of the same host, its siblings. Each has its own
// mailbox, database, players, leagues and ratings. A server knows of its siblings only which
// addresses and games are theirs: so a letter that came to the wrong one is sent back with the
// right address, and a page about another's game leads there. Nothing passes between them.
package shards

import (
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"angelpost/engine/order"
)

// A Sibling is another server of the host, as the configuration names it.
type Sibling struct {
	Shard   string `toml:"shard"`   // with which the ids of its games begin
	Address string `toml:"address"` // as in its own configuration, with {token}
	URL     string `toml:"url"`     // of its pages, its http.base_url
}

// maxSiblings bounds how many a configuration may name.
const maxSiblings = 100

// A shard's name begins a game's id, which has 16 characters, all others random.
var shardForm = regexp.MustCompile(`^[a-z2-7]{2,4}$`)

// Check returns what is wrong with a server's name and with its siblings.
func Check(shard, address string, siblings []Sibling) error {
	if shard != "" && !shardForm.MatchString(shard) {
		return fmt.Errorf("shard: %q is not 2 to 4 of the characters a-z and 2-7", shard)
	}
	if len(siblings) > maxSiblings {
		return fmt.Errorf("sibling: there are more than %d", maxSiblings)
	}
	if len(siblings) > 0 && shard == "" {
		return errors.New(`shard: name this server, too, as in shard = "ab"`)
	}
	names, addresses := []string{shard}, []string{address}
	for _, s := range siblings {
		u, err := url.Parse(s.URL)
		_, bad := mail.ParseAddress(Plain(s.Address))
		switch {
		case !shardForm.MatchString(s.Shard):
			return fmt.Errorf("sibling: shard: %q is not 2 to 4 of the characters a-z and 2-7", s.Shard)
		case strings.Count(s.Address, "{token}") != 1 || bad != nil:
			return fmt.Errorf(`sibling: address: %q is not like "angelpost+{token}@example.org"`, s.Address)
		case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil:
			return fmt.Errorf(`sibling: url: %q is not like "https://play.example.org"`, s.URL)
		}
		for _, n := range names {
			if strings.HasPrefix(n, s.Shard) || strings.HasPrefix(s.Shard, n) {
				return fmt.Errorf("sibling: shard: %q and %q are too much alike: neither may begin with the other", n, s.Shard)
			}
		}
		for _, a := range addresses {
			if Own(a, Plain(s.Address)) || Own(s.Address, Plain(a)) {
				return fmt.Errorf("sibling: address: a letter to %s may be one to %s", a, s.Address)
			}
		}
		names, addresses = append(names, s.Shard), append(addresses, s.Address)
	}
	return nil
}

// Own reports whether an address is a server's, with any token or none; pattern is the server's
// with {token}.
func Own(pattern, address string) bool {
	before, after, _ := strings.Cut(strings.ToLower(pattern), "{token}")
	address = strings.ToLower(address)
	return address == strings.TrimRight(before, "+-=")+after ||
		strings.HasPrefix(address, before) && strings.HasSuffix(address, after) && len(address) >= len(before)+len(after)
}

// Plain is a server's address without a token: where strangers write, and what letters come
// from.
func Plain(pattern string) string {
	before, after, _ := strings.Cut(pattern, "{token}")
	if before == "" {
		before = "angelpost"
	}
	return strings.TrimRight(before, "+-=") + after
}

// A List is the siblings of a server.
type List []Sibling

// Owns reports whether an address is a sibling's.
func (l List) Owns(address string) bool {
	_, ok := l.at(address)
	return ok
}

func (l List) at(address string) (Sibling, bool) {
	for _, s := range l {
		if Own(s.Address, address) {
			return s, true
		}
	}
	return Sibling{}, false
}

// OfGame returns the sibling that a game's id names.
func (l List) OfGame(id string) (Sibling, bool) {
	if order.IsGameID(id) {
		for _, s := range l {
			if strings.HasPrefix(id, s.Shard) {
				return s, true
			}
		}
	}
	return Sibling{}, false
}

// OfLetter returns the sibling that a letter is for: its subject names one of its games, or it
// is addressed to that one and not to the server whose own addresses these are. What the author wrote
// counts before what brought it here; each is a list of addresses.
func (l List) OfLetter(own func(address string) bool, subject string, written, delivered []string) (Sibling, bool) {
	for word := range strings.FieldsFuncSeq(strings.ToLower(subject), notOfID) {
		if s, ok := l.OfGame(word); ok {
			return s, true
		}
	}
	for _, addresses := range [][]string{written, delivered} {
		if slices.ContainsFunc(addresses, own) {
			return Sibling{}, false
		}
		if i := slices.IndexFunc(addresses, l.Owns); i >= 0 {
			return l.at(addresses[i])
		}
	}
	return Sibling{}, false
}

// notOfID reports whether r cannot be part of a game's id, and so separates words of a subject.
func notOfID(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }
