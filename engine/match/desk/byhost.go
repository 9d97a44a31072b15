package desk

import (
	"context"
	"encoding/hex"
	"fmt"

	"angelpost/engine/match/leagues"
	"angelpost/engine/match/look"
	"angelpost/engine/match/obey"
	"angelpost/engine/match/rulings"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// Mute mutes a game for the player who owns the mute key, which is in each of their letters. It
// moves no game. An unknown key gives ErrNotFound, wrapped.
func (d *Desk) Mute(ctx context.Context, id, key string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.update(ctx, func(u *unit.Unit) error {
		t, err := u.Game(id)
		if err != nil {
			return err
		}
		x, player, err := look.Mutable(u.Tx, t.Seats, id, key)
		if err != nil {
			return err
		}
		if err := seating.SetMuted(u, t, x, player); err != nil {
			return err
		}
		return obey.Close(u)
	})
}

// MuteLeague mutes a league for the player who owns the mute key, which is in each of their
// letters about it. It withdraws no one. An unknown key gives ErrNotFound, wrapped.
func (d *Desk) MuteLeague(ctx context.Context, id, key string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.update(ctx, func(u *unit.Unit) error {
		t, err := look.LeagueMutable(u.Tx, id, key)
		if err != nil {
			return err
		}
		return leagues.SetMuted(u, id, t.Player, true)
	})
}

// Organise makes another player (of the game, or with an address that we know) the organiser
// of a game that is not over, and tells all its players. The host uses it if a game's
// organiser cannot be reached. was is the address of the organiser before, "" if there was
// none.
func (d *Desk) Organise(ctx context.Context, id, address string) (was string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err = d.update(ctx, func(u *unit.Unit) error {
		t, err := u.Game(id)
		if err != nil {
			return err
		}
		if t.Row.Organiser != 0 {
			was = u.Player(t.Row.Organiser).Address
		}
		row := u.AddressOf(u.Address(address))
		switch {
		case row.Player == 0 || !u.Registered(row.Player):
			return fmt.Errorf("%s has never written to this server", address)
		case t.Row.State != store.GameInvited && t.Row.State != store.GameRunning:
			return fmt.Errorf("game %s is over", id)
		}
		p := u.Player(row.Player)
		t.Row.Organiser = p.ID
		name := p.Name
		if x := t.Of(p.ID); x != nil {
			name = x.Name
		}
		own := u.DraftFor(p.ID, t, notice.KindInfo)
		own.Say(notice.TellOrganise)
		if name == "" {
			return obey.Close(u)
		}
		u.TellAll(t, p.ID, func(_ *store.Seat, d *unit.Draft) { d.Say(notice.TellOrganiser, "name", name) })
		return obey.Close(u)
	})
	return was, err
}

// Rule carries out a ruling of the host about a game; now says what was and is now, and what
// takes it back. If we would ask a director first, the host must be sure. A ruling that is not
// possible returns a notice.Problem.
func (d *Desk) Rule(ctx context.Context, r order.Ruling, sure bool) (done notice.Ruling, now notice.Answer, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err = d.update(ctx, func(u *unit.Unit) error {
		id, err := leagues.GameID(u, r.Game)
		if err != nil {
			return err
		}
		t, err := u.Game(id)
		if err != nil {
			return err
		}
		if !sure {
			if err := rulings.Unsure(u, t, r); err != nil {
				return err
			}
		}
		said := new(unit.Draft)
		if done, err = rulings.CarryOut(u, t, r, leagues.Ruler{}, said); err != nil {
			return err
		}
		now = said.Answer
		return obey.Close(u)
	})
	return done, now, err
}

// NewGame makes a game. The error of one that is not possible names the problem's code.
func (d *Desk) NewGame(ctx context.Context, n seating.NewGameOrder) (id string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err = d.update(ctx, func(u *unit.Unit) error {
		row, err := seating.Options(u, order.Options{Rules: n.Rules, Edition: n.Edition, Set: n.Set, Visibility: n.Visibility, Name: n.Name, Clock: n.Clock})
		if err != nil {
			return err
		}
		if n.Seed != nil {
			row.Seed = hex.EncodeToString(n.Seed[:])
		}
		if n.Organiser != "" {
			id, err := u.Guest(nil, n.Organiser)
			if err != nil {
				return fmt.Errorf("organiser: %w", err)
			}
			u.Players[id].Registered = true
			row.Organiser = id
		}
		seats, err := seating.Places(u, n)
		if err != nil {
			return err
		}
		if err := seating.Opens(u, 0, &row, seats, n.Visibility); err != nil {
			return err
		}
		if err := seating.SeatOptions(&row.Options, len(seats), n.Hal); err != nil {
			return err
		}
		seating.AllowHints(&row.Options, n.Hints, seats)
		t, err := seating.Lay(u, row, seats)
		if err != nil {
			return err
		}
		id = t.Row.ID
		if row.Organiser != 0 && t.Of(row.Organiser) == nil { // the token for the organiser's words
			o := u.DraftFor(row.Organiser, t, notice.KindInfo)
			created := o.Say(notice.SayCreated, "game", t.Row.Name, "commitment", u.Commitment(t))
			for i := range t.Seats {
				if x := &t.Seats[i]; x.Stage == store.SeatInvited {
					created.List = append(created.List, u.Players[x.Player].Address)
				}
			}
		}
		if n.Started {
			if err := seating.Begin(u, t); err != nil {
				return err
			}
			return obey.Close(u)
		}
		for i := range t.Seats {
			if x := &t.Seats[i]; x.Stage == store.SeatInvited {
				seating.Invite(u, t, x.Place, x.Player, t.Row.Organiser)
			}
		}
		if err := seating.StartIfJoined(u, t); err != nil {
			return err
		}
		return obey.Close(u)
	})
	if err != nil {
		return "", fmt.Errorf("new game: %w", err)
	}
	return id, nil
}
