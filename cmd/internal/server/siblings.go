package server

import (
	"net/url"
	"strings"

	"angelpost/cmd/internal/shards"
	"angelpost/engine/match/unit"
	"angelpost/mail/letter"
	"angelpost/templates"
)

// siblings are the other servers of the host, as the configuration in force names them.
func (s *Server) siblings() shards.List {
	if l := s.known.Load(); l != nil {
		return *l
	}
	return s.Conf.Siblings
}

// ours reports whether an address is this server's or a sibling's: the desk writes to neither,
// so two servers never answer each other.
func (s *Server) ours(address string) bool {
	return s.Conf.Own(address) || s.siblings().Owns(address)
}

// elsewhere is the sibling that a letter is for; nil: none.
func (s *Server) elsewhere(raw []byte, subject string) *unit.Elsewhere {
	all := s.siblings()
	if len(all) == 0 {
		return nil
	}
	of, ok := all.OfLetter(s.Conf.Own, subject, letter.Addressees(raw), letter.Recipients(raw))
	if !ok {
		return nil
	}
	return &unit.Elsewhere{Address: shards.Plain(of.Address), URL: of.URL}
}

// maxOthers is how many of the siblings a letter names that is about no one of them.
const maxOthers = 5

// others are addresses of siblings, for a letter that may be for any of them.
func (s *Server) others() (out []string) {
	all := s.siblings()
	for _, of := range all[:min(len(all), maxOthers)] {
		out = append(out, shards.Plain(of.Address))
	}
	return out
}

// gameElsewhere is where the pages of a sibling's game are; "" if no sibling has it.
func (s *Server) gameElsewhere(id string) string {
	of, _ := s.siblings().OfGame(id)
	return strings.TrimRight(of.URL, "/")
}

// siblingLinks lead to the first pages of the siblings.
func (s *Server) siblingLinks() (out []templates.Link) {
	for _, of := range s.siblings() {
		u, err := url.Parse(of.URL)
		if err != nil {
			continue // check refuses it
		}
		out = append(out, templates.Link{Text: u.Host + strings.TrimRight(u.Path, "/"), Href: of.URL})
	}
	return out
}
