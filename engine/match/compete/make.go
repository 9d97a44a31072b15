package compete

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/pace"
	"angelpost/engine/store"
)

// A league is made from a file, by letter or by the host. An error names its line.

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
	_, err = leagueRules(u, file, nil)
	return err
}

// leagueRules reads a new file of a league, and looks whether its games can be played
// here. All that is wrong is one notice.Problem. old are the rules of a league that is
// there, nil for a new one.
func leagueRules(u *unit.Unit, file string, old *league.Rules) (*league.Rules, error) {
	r, err := league.ParseNew(file, u.At, old)
	var bad league.FileErrors
	if err != nil && !errors.As(err, &bad) {
		return nil, err
	}
	var all []*notice.Problem
	if r != nil {
		r.Name = naming.Unlinked(naming.Clean(u.NFC(r.Name), false))
		bad = append(bad, clockFaults(r, file)...)
		slices.SortStableFunc(bad, func(a, b league.FileError) int { return a.Line - b.Line })
		for n := 1; n <= max(len(r.Clocks), 1) && !unfit(bad); n++ {
			row, err := seating.Options(u, leagueOptions(r, n))
			if err == nil {
				err = seating.SeatOptions(&row.Options, r.Table, r.Option("hal"))
			}
			p := notice.AsProblem(err)
			if err != nil && p == nil {
				return nil, err
			}
			if p != nil {
				all = append(all, p)
				break
			}
		}
		for _, a := range slices.Concat(r.Directors, r.Admitted) {
			if a == "" {
				continue
			}
			if p := u.BadAddress(a); p != nil {
				all = append(all, p)
			}
		}
		if r.Name != "" && LeagueID(r.Name) == "" {
			all = append(all, notice.Refuse(notice.ProblemLeagueName, "word", r.Name))
		} else if r.Name != "" && (old == nil || r.Name != old.Name) && !order.CanName(r.Name) {
			all = append(all, notice.Refuse(notice.ProblemLeagueWords, "word", r.Name))
		}
	}
	told := make([]*notice.Problem, 0, len(bad)+len(all))
	for _, e := range bad {
		told = append(told, fileProblem(e))
	}
	if told = append(told, all...); len(told) == 0 {
		return r, nil
	}
	told[0].More = told[1:min(len(told), maxFaults)]
	return nil, told[0]
}

// maxFaults bounds the errors of a file that a letter lists.
const maxFaults = 20

// unfit reports whether a file has an error in the keys that decide how many play a game.
func unfit(bad league.FileErrors) bool {
	return slices.ContainsFunc(bad, func(e league.FileError) bool { return e.Key == "table" || e.Key == "kind" || e.Key == "hal" })
}

// clockFaults returns errors for the clocks of a file with which not even one turn fits into a
// season.
func clockFaults(r *league.Rules, file string) (bad league.FileErrors) {
	if r.Season == 0 {
		return nil
	}
	for n := 1; n <= max(len(r.Clocks), 1); n++ {
		c, err := pace.Parse(r.Clock(n))
		if err != nil || c.Turn <= r.Season {
			continue
		}
		key := "season"
		if league.LineOf(file, key) == 0 {
			key = "clock"
		}
		days := strconv.Itoa(int((c.Turn + 24*time.Hour - 1) / (24 * time.Hour)))
		e := league.FileError{Line: league.LineOf(file, key), Code: league.BadValue, Key: key, Value: r.Clock(n), Can: []string{"3 days"}}
		if key == "season" {
			e.Value, e.Can = strconv.Itoa(int(r.Season/(24*time.Hour)))+" days", []string{days + " days and more"}
		}
		return append(bad, e)
	}
	return nil
}

// Odd returns the warnings about a league's file, as remarks.
func Odd(r *league.Rules) (codes []string) {
	c, err := pace.Parse(r.Clock(1))
	if err != nil {
		return nil
	}
	for _, o := range r.Odd(c.Turn) {
		codes = append(codes, map[league.Odd]string{league.OddClock: notice.SayOddClock, league.OddLeast: notice.SayOddLeast,
			league.OddShort: notice.SayOddShort, league.OddMove: notice.SayOddMove}[o])
	}
	return codes
}

// fileProblem says what is wrong with a line of a league's file.
func fileProblem(e league.FileError) *notice.Problem {
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
	r, err := leagueRules(u, file, nil)
	if err != nil {
		return nil, err
	}
	file = outspoken(file, r, true, newCheckIn)
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
	case slices.ContainsFunc(rows, func(l store.League) bool { return leagues.Called(l, id) }):
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

// tellDirectors writes to a league's new directors, except to maker, who appoints them (nil:
// the host). A director who rules by letter needs a letter from us to answer.
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
