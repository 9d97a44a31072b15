package desk

import (
	"context"
	"fmt"
	"strings"

	"angelpost/engine/match/compete"
	"angelpost/engine/match/look"
	"angelpost/engine/match/obey"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// contestNamed returns a league by id or name.
func contestNamed(u *unit.Unit, name string) (*unit.League, error) {
	row, err := look.LeagueMeant(u.Tx, name)
	if err != nil {
		return nil, fmt.Errorf("league %s: %w", name, err)
	}
	return u.League(row.ID)
}

// A LeagueProblem says why a league could not be made or changed.
type LeagueProblem struct {
	*notice.Problem
	Whom string // address of the player it is about, as given; "" if none
}

func (p LeagueProblem) Error() string { return p.Code + ": " + p.Args["word"] + p.Args["league"] }

// NewLeague makes a league from a file, as the host. All errors in the file are one
// LeagueProblem.
func (d *Desk) NewLeague(ctx context.Context, file string) (id string, err error) {
	return id, d.leagues(ctx, func(u *unit.Unit) error {
		c, err := compete.Make(u, file, nil)
		if c != nil {
			id = c.Row.ID
		}
		return err
	})
}

// AmendLeague gives a league another file from its next season on, as the host; now says what
// changed, and what takes it back. Its name and kind stay.
func (d *Desk) AmendLeague(ctx context.Context, id, file string, sure bool) (now notice.Answer, err error) {
	err = d.leagues(ctx, func(u *unit.Unit) error {
		c, err := contestNamed(u, id)
		if err != nil {
			return err
		}
		w := order.Word{Kind: order.AmendLeague, Name: id, Text: file}
		if err := surely(u, c, w, sure); err != nil {
			return err
		}
		back := compete.Unamended(u, c, nil, w)
		changes, err := compete.Amend(u, c, file, nil)
		if len(changes) > 0 {
			now.Sections = []notice.Section{{Kind: "amended", Changes: changes}}
			now.Commands = []notice.Remark{{Code: notice.CommandBack, List: strings.Split(strings.TrimSpace(back), "\n")}}
		}
		return err
	})
	return now, err
}

// surely returns a problem if the host must confirm a word because of what it changes; nil if
// they have, or if it needs no confirmation.
func surely(u *unit.Unit, c *unit.League, w order.Word, sure bool) error {
	lost, err := compete.Lost(u, c, nil, w)
	if sure || lost == nil || err != nil {
		return err
	}
	return notice.Refuse(notice.ProblemSure, lost...)
}

// JoinLeague adds a player to a league as the host, even if its file does not let them in, and
// tells them.
func (d *Desk) JoinLeague(ctx context.Context, id, address, name string) error {
	return d.leaguesOf(ctx, address, func(u *unit.Unit) error {
		c, err := contestNamed(u, id)
		if err != nil {
			return err
		}
		player, err := u.Guest(nil, address)
		if err != nil {
			return err
		}
		x := u.Players[player]
		if in := c.State.Player(player); in != nil && in.In() && !in.Silent() {
			return compete.Problem(c, notice.ProblemMember)
		}
		draft := u.DraftFor(player, nil, notice.KindInfo)
		if err := compete.Join(u, c, x, name, "", draft); err != nil {
			return err
		}
		if !x.Registered {
			draft.Say(notice.TellNever)
		}
		return nil
	})
}

// LeaveLeague removes a player from a league as the host, and tells them.
func (d *Desk) LeaveLeague(ctx context.Context, id, address string) error {
	return d.leagueWordOf(ctx, address, order.Word{Kind: order.LeaveLeague, Name: id})
}

// SubstituteLeague records that a player is, or no longer is, ready to take over seats
// of a league.
func (d *Desk) SubstituteLeague(ctx context.Context, id, address string, no bool) error {
	w := order.Word{Kind: order.Substitute, Name: id}
	if no {
		w.Arg = "no"
	}
	return d.leagueWordOf(ctx, address, w)
}

// leagueWordOf carries out a word as if the player had written it.
func (d *Desk) leagueWordOf(ctx context.Context, address string, w order.Word) error {
	return d.leaguesOf(ctx, address, func(u *unit.Unit) error {
		c, err := contestNamed(u, w.Name)
		if err != nil {
			return err
		}
		w.Name = c.Row.ID
		row := u.AddressOf(u.Address(address))
		if row.Player == 0 {
			return compete.Problem(c, notice.ProblemNoMember)
		}
		p := u.Player(row.Player)
		draft := u.DraftFor(p.ID, nil, notice.KindInfo)
		return compete.Do(u, p, w, "", draft)
	})
}

// DirectLeague carries out a director's line about a league, as the host; now says what was and
// is now, and what takes it back. If we would ask a director first, the host must be sure.
func (d *Desk) DirectLeague(ctx context.Context, w order.Word, sure bool) (now notice.Answer, err error) {
	err = d.leagues(ctx, func(u *unit.Unit) error {
		c, err := contestNamed(u, w.Name)
		if err != nil {
			return err
		}
		if err := surely(u, c, w, sure); err != nil {
			return err
		}
		said := new(unit.Draft)
		err = compete.Direct(u, c, w, nil, said)
		now = said.Answer
		return err
	})
	return now, err
}

// AnnounceLeague sends a text of the host to all players of a league; the host must be sure.
func (d *Desk) AnnounceLeague(ctx context.Context, id, text string, sure bool) (now notice.Answer, err error) {
	err = d.leagues(ctx, func(u *unit.Unit) error {
		c, err := contestNamed(u, id)
		if err != nil {
			return err
		}
		if err := surely(u, c, order.Word{Kind: order.Announce, Name: id, Text: text}, sure); err != nil {
			return err
		}
		said := new(unit.Draft)
		err = compete.Announce(u, c, nil, text, said)
		now = said.Answer
		return err
	})
	return now, err
}

// leagues runs f for the host in one transaction; a problem rolls it back.
func (d *Desk) leagues(ctx context.Context, f func(*unit.Unit) error) error {
	return d.leaguesOf(ctx, "", f)
}

// leaguesOf is leagues for words about the player of an address.
func (d *Desk) leaguesOf(ctx context.Context, address string, f func(*unit.Unit) error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.update(ctx, func(u *unit.Unit) error {
		u.ByHost = true
		err := f(u)
		if p := notice.AsProblem(err); p != nil {
			return LeagueProblem{p, address}
		}
		if err != nil {
			return err
		}
		return obey.Close(u)
	})
}
