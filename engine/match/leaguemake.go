package match

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A league is made of a file, by letter or by the host; what is wrong with one is
// told by its line.

// mayMake returns why a player cannot make a league from a file, nil if they can.
func (s *unit) mayMake(p *store.Player, file string) error {
	yes, err := s.among(s.Directors, p)
	if err != nil {
		return err
	}
	if !yes {
		return notice.Refuse(notice.ProblemDirectors)
	}
	if n := s.counted("league/"+mailbox(p.Address), s.day()); n >= maxMade {
		return notice.Refuse(notice.ProblemMany, "word", order.NewLeague.String(), "n", strconv.Itoa(maxMade))
	}
	_, err = s.leagueRules(file)
	return err
}

// leagueRules reads a league's file, and looks whether its games can be played
// here.
func (s *unit) leagueRules(file string) (*league.Rules, error) {
	r, err := league.ParseRules(file)
	if err != nil {
		return nil, fileProblem(err)
	}
	r.Name = unlinked(clean(s.NFC(r.Name), false))
	divisions := max(len(r.Clocks), 1)
	for n := 1; n <= divisions; n++ {
		row, err := s.options(leagueOptions(r, n))
		if err == nil {
			err = seatOptions(&row.Options, r.Table, r.Option("hal"))
		}
		if err != nil {
			return nil, err
		}
	}
	for _, a := range slices.Concat(r.Directors, r.Admitted) {
		if s.Address(a) == "" || s.Own(s.Address(a)) {
			return nil, notice.Refuse(notice.ProblemAddress, "word", a)
		}
	}
	if leagueID(r.Name) == "" {
		return nil, notice.Refuse(notice.ProblemLeagueName, "word", r.Name)
	}
	return r, nil
}

// fileProblem is the first of the things that are wrong with a file.
func fileProblem(err error) *notice.Problem {
	var bad league.FileErrors
	if !errors.As(err, &bad) || len(bad) == 0 {
		return notice.Refuse(notice.ProblemFileKey, "line", "0")
	}
	return FileProblem(bad[0])
}

// FileProblem says what is wrong with a line of a league's file.
func FileProblem(e league.FileError) *notice.Problem {
	can := ""
	for i, x := range e.Can {
		if len(can)+len(x) > 100 {
			can += " …"
			break
		}
		if i > 0 {
			can += ", "
		}
		can += x
	}
	return notice.Refuse(notice.ProblemFile+e.Code, "line", strconv.Itoa(e.Line), "key", e.Key, "value", e.Value, "can", can)
}

// makeLeague makes a league from a file; p is the player who wants it, nil the host. A
// file that names no director gets p as its director.
func (s *unit) makeLeague(file string, p *store.Player) (*leagueUnit, error) {
	r, err := s.leagueRules(file)
	if err != nil {
		return nil, err
	}
	if p != nil {
		file = directed(file, r, p.Address)
	}
	rows, err := s.tx.Leagues("", maxLeagues)
	if err != nil {
		return nil, err
	}
	id := leagueID(r.Name)
	switch {
	case len(rows) >= maxLeagues:
		return nil, notice.Refuse(notice.ProblemManyLeagues)
	case slices.ContainsFunc(rows, func(l store.League) bool { return l.ID == id }):
		return nil, notice.Refuse(notice.ProblemLeagueName, "word", r.Name)
	}
	var secret [32]byte
	if _, err := io.ReadFull(&s.attempt.drawn, secret[:]); err != nil {
		return nil, fmt.Errorf("randomness: %w", err)
	}
	row := store.League{ID: id, Name: r.Name, File: file, Secret: hex.EncodeToString(secret[:]), Visibility: r.Visibility, Created: s.now, Changed: s.now}
	s.check(s.tx.AddLeague(row))
	if p != nil {
		s.bump("league/"+mailbox(p.Address), s.day())
	}
	c, err := s.league(id)
	if err != nil {
		return nil, err
	}
	c.moved = true // its first season is a day of the calendar
	return c, s.tellDirectors(c, p, nil)
}
