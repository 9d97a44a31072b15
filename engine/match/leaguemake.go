package match

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"angelpost/engine/league"
	"angelpost/engine/order"
)

// A league is made of a file, by letter or by the host; what is wrong with one is
// told by its line.

// mayMake is why a player cannot make a league of a file, nil if he can.
func (s *sitting) mayMake(p *PlayerRow, file string) (*Problem, error) {
	yes, err := s.among(s.Directors, p)
	if err != nil {
		return nil, err
	}
	if !yes {
		return &Problem{Code: ProblemDirectors}, nil
	}
	if n, err := s.tx.Count("league/"+mailbox(p.Address), s.day()); err != nil {
		return nil, err
	} else if n >= maxMade {
		return &Problem{Code: ProblemMany, Args: map[string]string{"word": order.NewLeague.String(), "n": strconv.Itoa(maxMade)}}, nil
	}
	_, problem := s.leagueRules(file)
	return problem, nil
}

// leagueRules reads a league's file, and looks whether its games can be played
// here.
func (s *sitting) leagueRules(file string) (*league.Rules, *Problem) {
	r, err := league.ParseRules(file)
	if err != nil {
		return nil, fileProblem(err)
	}
	r.Name = unlinked(clean(s.NFC(r.Name), false))
	divisions := max(len(r.Clocks), 1)
	for n := 1; n <= divisions; n++ {
		row, p := s.options(leagueOptions(r, n))
		if p == nil {
			p = row.Options.seat(r.Table, r.Option("hal"))
		}
		if p != nil {
			return nil, p
		}
	}
	for _, a := range slices.Concat(r.Directors, r.Admitted) {
		if s.Address(a) == "" || s.Own(s.Address(a)) {
			return nil, &Problem{Code: ProblemAddress, Args: map[string]string{"word": a}}
		}
	}
	if leagueID(r.Name) == "" {
		return nil, &Problem{Code: ProblemLeagueName, Args: map[string]string{"word": r.Name}}
	}
	return r, nil
}

// fileProblem is the first of the things that are wrong with a file.
func fileProblem(err error) *Problem {
	var bad league.FileErrors
	if !errors.As(err, &bad) || len(bad) == 0 {
		return &Problem{Code: ProblemFileKey, Args: map[string]string{"line": "0"}}
	}
	return FileProblem(bad[0])
}

// FileProblem says what is wrong with a line of a league's file.
func FileProblem(e league.FileError) *Problem {
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
	return &Problem{Code: ProblemFile + e.Code, Args: map[string]string{"line": strconv.Itoa(e.Line), "key": e.Key, "value": e.Value, "can": can}}
}

// makeLeague makes a league of a file; p is who wants it, nil the host. A file
// that names no director has him as its director.
func (s *sitting) makeLeague(file string, p *PlayerRow) (*contest, *Problem, error) {
	r, problem := s.leagueRules(file)
	if problem != nil {
		return nil, problem, nil
	}
	if p != nil {
		file = directed(file, r, p.Address)
	}
	rows, err := s.tx.Leagues("", maxLeagues)
	if err != nil {
		return nil, nil, err
	}
	id := leagueID(r.Name)
	switch {
	case len(rows) >= maxLeagues:
		return nil, &Problem{Code: ProblemManyLeagues}, nil
	case slices.ContainsFunc(rows, func(l LeagueRow) bool { return l.ID == id }):
		return nil, &Problem{Code: ProblemLeagueName, Args: map[string]string{"word": r.Name}}, nil
	}
	var secret [32]byte
	if _, err := io.ReadFull(&s.study.drawn, secret[:]); err != nil {
		return nil, nil, fmt.Errorf("randomness: %w", err)
	}
	row := LeagueRow{ID: id, Name: r.Name, File: file, Secret: hex.EncodeToString(secret[:]), Visibility: r.Visibility, Created: s.now, Changed: s.now}
	if err := s.tx.AddLeague(row); err != nil {
		return nil, nil, err
	}
	if p != nil {
		if _, err := s.tx.Bump("league/"+mailbox(p.Address), s.day()); err != nil {
			return nil, nil, err
		}
	}
	c, err := s.contest(id)
	if err != nil {
		return nil, nil, err
	}
	c.moved = true // its first season is a day of the calendar
	return c, nil, s.tellDirectors(c, p, nil)
}
