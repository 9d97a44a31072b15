package compete

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"angelpost/engine/league"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A league is made of a file, by letter or by the host; what is wrong with one is
// told by its line.

// mayMake returns why a player cannot make a league from a file, nil if they can.
func mayMake(u *unit.Unit, p *store.Player, file string) error {
	yes, err := leagues.Among(u, u.Directors, p)
	if err != nil {
		return err
	}
	if !yes {
		return notice.Refuse(notice.ProblemDirectors)
	}
	if n := u.Counted("league/"+unit.Mailbox(p.Address), u.Day()); n >= maxMade {
		return notice.Refuse(notice.ProblemMany, "word", order.NewLeague.String(), "n", strconv.Itoa(maxMade))
	}
	_, err = leagueRules(u, file)
	return err
}

// leagueRules reads a league's file, and looks whether its games can be played
// here.
func leagueRules(u *unit.Unit, file string) (*league.Rules, error) {
	r, err := league.ParseRules(file)
	if err != nil {
		return nil, fileProblem(err)
	}
	r.Name = naming.Unlinked(naming.Clean(u.NFC(r.Name), false))
	divisions := max(len(r.Clocks), 1)
	for n := 1; n <= divisions; n++ {
		row, err := seating.Options(u, leagueOptions(r, n))
		if err == nil {
			err = seating.SeatOptions(&row.Options, r.Table, r.Option("hal"))
		}
		if err != nil {
			return nil, err
		}
	}
	for _, a := range slices.Concat(r.Directors, r.Admitted) {
		if u.Address(a) == "" || u.Own(u.Address(a)) {
			return nil, notice.Refuse(notice.ProblemAddress, "word", a)
		}
	}
	if LeagueID(r.Name) == "" {
		return nil, notice.Refuse(notice.ProblemLeagueName, "word", r.Name)
	}
	return r, nil
}

// fileProblem is the first of the things that are wrong with a file.
func fileProblem(err error) error {
	var bad league.FileErrors
	if !errors.As(err, &bad) || len(bad) == 0 {
		return err
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

// Make makes a league from a file; p is the player who wants it, nil the host. A
// file that names no director gets p as its director.
func Make(u *unit.Unit, file string, p *store.Player) (*unit.League, error) {
	r, err := leagueRules(u, file)
	if err != nil {
		return nil, err
	}
	if p != nil {
		file = directed(file, r, p.Address)
	}
	rows, err := u.Tx.Leagues("", MaxLeagues)
	if err != nil {
		return nil, err
	}
	id := LeagueID(r.Name)
	switch {
	case len(rows) >= MaxLeagues:
		return nil, notice.Refuse(notice.ProblemManyLeagues)
	case slices.ContainsFunc(rows, func(l store.League) bool { return l.ID == id }):
		return nil, notice.Refuse(notice.ProblemLeagueName, "word", r.Name)
	}
	var secret [32]byte
	if _, err := io.ReadFull(&u.Attempt.Drawn, secret[:]); err != nil {
		return nil, fmt.Errorf("randomness: %w", err)
	}
	row := store.League{ID: id, Name: r.Name, File: file, Secret: hex.EncodeToString(secret[:]), Visibility: r.Visibility, Created: u.At, Changed: u.At}
	u.Check(u.Tx.AddLeague(row))
	if p != nil {
		u.Bump("league/"+unit.Mailbox(p.Address), u.Day())
	}
	c, err := u.League(id)
	if err != nil {
		return nil, err
	}
	c.Moved = true // its first season is a day of the calendar
	return c, tellDirectors(u, c, p, nil)
}

// tellDirectors writes to a league's new directors, except to maker, who appoints them
// (nil: the host): a director who rules by letter needs one of ours to answer.
func tellDirectors(u *unit.Unit, c *unit.League, maker *store.Player, before []string) error {
	for i, a := range c.Rules().Directors {
		if k := slices.Index(before, a); k >= 0 && (k == 0) == (i == 0) {
			continue
		}
		id, err := u.Guest(maker, a)
		switch {
		case err != nil && notice.AsProblem(err) == nil:
			return err
		case err != nil || maker != nil && id == maker.ID: // they want no letters, or have had enough
			continue
		}
		y := u.Player(id)
		if maker != nil {
			u.Invited(maker.ID, y.Address)
		}
		code := notice.TellDirects
		if i > 0 {
			code = notice.TellAssists
		}
		d := tellLeague(u, c, id, code)
		d.Asked = true // muted or not: it gives them an office
		if !y.Registered {
			d.Say(notice.TellNever)
		}
	}
	return nil
}
