package desk

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"angelpost/engine"
	"angelpost/engine/incoming"
	"angelpost/engine/match/compete"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/obey"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// The host's commands about players.

// ErrRefused is wrapped by the error of a command of the host that is not possible.
var ErrRefused = errors.New("refused")

func refused(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrRefused, fmt.Sprintf(format, args...))
}

// person returns the player with an address, a number or a name; the name may be in lower case
// or with capital initials. The error is store.ErrNotFound, wrapped, if there is none.
func person(u *unit.Unit, who string) (*store.Player, error) {
	var id int64
	if a := u.Address(who); a != "" && strings.Contains(who, "@") {
		row := u.AddressOf(a)
		id = row.Player
	} else if n, err := strconv.ParseInt(who, 10, 64); err == nil {
		if _, err := u.Tx.Player(n); err != nil {
			return nil, err
		}
		id = n
	} else {
		var ids []int64
		for _, name := range []string{who, strings.ToLower(who), capitalised(who)} { // as hosts may write it
			var err error
			if ids, err = u.Tx.PlayersNamed(name); err != nil {
				return nil, err
			}
			if len(ids) > 0 {
				break
			}
		}
		if len(ids) > 1 {
			return nil, refused("%d players are called %q; use an address or a number", len(ids), who)
		}
		if len(ids) == 1 {
			id = ids[0]
		}
	}
	if id == 0 {
		return nil, fmt.Errorf("player %.80q: %w", who, store.ErrNotFound)
	}
	return u.Player(id), u.Err
}

// capitalised returns a name with capitals only at the beginning of each word.
func capitalised(name string) string {
	words := strings.Fields(strings.ToLower(name))
	for i, w := range words {
		first, n := utf8.DecodeRuneInString(w)
		words[i] = string(unicode.ToTitle(first)) + w[n:]
	}
	return strings.Join(words, " ")
}

// Announce sends a text of the host to every active player, one letter each, and returns how
// many. With dry it only counts them.
func (d *Desk) Announce(ctx context.Context, text string, dry bool) (n int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	text = naming.Clean(text, true)
	if strings.TrimSpace(text) == "" || len(text) > order.MaxText {
		return 0, refused("a text of 1 to %d bytes is needed", order.MaxText)
	}
	err = d.update(ctx, func(u *unit.Unit) error {
		ids, err := u.Tx.ActivePlayers()
		if n = len(ids); err != nil || dry {
			return err
		}
		u.LoadPlayers(ids)
		for _, id := range ids {
			letter := u.DraftFor(id, nil, notice.KindInfo)
			letter.Say(notice.TellHostSays)
			letter.Answer.Press = append(letter.Answer.Press, incoming.Press{From: u.Config.Host, Text: text})
		}
		return obey.Close(u)
	})
	return n, err
}

// RenamePlayer gives a player another name, from now on and in all their games, also those that
// are over. If another player of a game has that name, they get one like it there. It tells the
// player. was is the player before the change.
func (d *Desk) RenamePlayer(ctx context.Context, who, name string) (was, p store.Player, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err = d.update(ctx, func(u *unit.Unit) error {
		x, err := person(u, who)
		if err != nil {
			return err
		}
		proper, ok := u.ProperName(name)
		if !ok {
			return refused("%.80q can't be a player's name", name)
		}
		in, err := u.TakenInLeagues(proper, x.ID)
		if err != nil {
			return err
		}
		if in {
			return refused("another player of one of their leagues has the name %q, or one that looks like it", proper)
		}
		was = *x
		if err := rename(u, x, proper); err != nil {
			return err
		}
		p = *x
		u.DraftFor(x.ID, nil, notice.KindInfo).Say(notice.TellHostRenamed, "name", proper)
		return obey.Close(u)
	})
	return was, p, err
}

// rename changes a player's name everywhere.
func rename(u *unit.Unit, p *store.Player, name string) error {
	p.Name = name
	u.Check(u.Tx.NameAround(p.ID, name))
	games, err := u.Tx.GamesPlayed(p.ID)
	if err != nil {
		return err
	}
	seats, err := u.Tx.SeatsOf(games)
	if err != nil {
		return err
	}
	for _, id := range games {
		taken := func(name string) bool {
			for _, x := range seats[id] {
				if x.Player != p.ID && x.Name != "" && u.Replays.Namer.Alike(x.Name, name) {
					return true
				}
			}
			return false
		}
		own := name
		if taken(name) {
			own = u.FreeName(name, taken)
		}
		u.Check(u.Tx.NameIn(id, p.ID, own))
	}
	return u.Err
}

// MovePlayer moves a player who has lost their mailbox to another address: they keep their
// games, leagues and settings. A reader of the old mailbox can do nothing with its letters: the
// pages have new addresses, and a token from another address asks the player first. MovePlayer
// writes to the new address. was is the player before the change.
func (d *Desk) MovePlayer(ctx context.Context, who, to string) (was, p store.Player, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err = d.update(ctx, func(u *unit.Unit) error {
		x, err := person(u, who)
		if err != nil {
			return err
		}
		address := u.Address(to)
		if address == "" || u.Own(address) {
			return refused("%.80q is not an address to which players' letters can go", to)
		}
		row := u.AddressOf(address)
		if row.Player != 0 && row.Player != x.ID {
			played, err := u.Tx.GamesPlayed(row.Player)
			if err != nil {
				return err
			}
			leagues, err := u.Tx.LeaguesOf(row.Player)
			if err != nil {
				return err
			}
			other := u.Player(row.Player)
			if len(played)+len(leagues) > 0 || other.Registered && other.Address != address {
				return refused("%s is another player's address: number %d, who has games or leagues of their own", address, row.Player)
			}
		}
		old, err := u.Tx.Addresses(x.ID)
		if err != nil {
			return err
		}
		was = *x
		from := x.Address
		for _, a := range old {
			if a.Address == from && from != address {
				a.Player = 0
				u.Check(u.Tx.SaveAddress(a))
			}
		}
		u.Check(u.Tx.SaveAddress(store.Address{Address: address, Player: x.ID}))
		u.Check(u.Tx.Readdress(x.ID, address))
		x.Address, x.Registered = address, true
		p = *x
		if err := compete.Readdress(u, from, address); err != nil {
			return err
		}
		return errors.Join(tellMoved(u, x, from), obey.Close(u))
	})
	return was, p, err
}

// ExportPlayer returns everything that is kept about a player.
func (d *Desk) ExportPlayer(ctx context.Context, who string) (data map[string]any, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err = d.Store.View(ctx, func(tx store.Tx) error {
		p, err := person(d.Begin(tx, unit.Command{}, nil), who)
		if err != nil {
			return err
		}
		data, err = tx.Person(p.ID)
		return err
	})
	return data, err
}

// ErasePlayer removes a player from all running games and leagues, tells them, and schedules
// the erasure of their data an hour later. Their games stay, under a pseudonym. With dry it
// only finds the player.
func (d *Desk) ErasePlayer(ctx context.Context, who string, dry bool) (p store.Player, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err = d.update(ctx, func(u *unit.Unit) error {
		x, err := person(u, who)
		if err != nil {
			return err
		}
		if p = *x; dry {
			return nil
		}
		if err := obey.ForgetPlayer(u, x.ID, u.DraftFor(x.ID, nil, notice.KindInfo)); err != nil {
			return err
		}
		return obey.Close(u)
	})
	return p, err
}

// tellMoved tells a player whose address the host has changed how to go on: it gives them new
// links to their pages, and asks again for each move that they owe.
func tellMoved(u *unit.Unit, p *store.Player, from string) error {
	letter := u.DraftFor(p.ID, nil, notice.KindInfo)
	letter.Say(notice.TellMovedAddress, "address", p.Address, "old", from)
	var err error
	if letter.Answer.Home, err = u.HomeKey(p.ID, true); err != nil {
		return err
	}
	rows, err := u.Tx.GamesOf(p.ID, true)
	if err != nil {
		return err
	}
	links := notice.Section{Kind: "link"}
	for _, row := range rows {
		t, err := u.Game(row.ID)
		if errors.Is(err, replays.ErrUnreadable) {
			continue
		}
		if err != nil {
			return err
		}
		x := t.Of(p.ID)
		switch {
		case x == nil:
		case x.Player == p.ID && t.Running() && !x.Unplayed() && t.Replay.State.ToAct(engine.Seat(x.Seat)):
			turn := u.DraftFor(p.ID, t, notice.KindTurn)
			turn.Since, turn.Again, turn.Asked = x.Seen, true, true
			fallthrough
		case x.Player == p.ID:
			key, err := u.PageKey(t, x, true)
			if err != nil {
				return err
			}
			links.Games = append(links.Games, notice.GameState{Game: row.ID, Name: row.Name, State: row.State, PageKey: key.Key})
		}
	}
	if len(links.Games) > 0 {
		letter.Answer.Sections = append(letter.Answer.Sections, links)
	}
	return nil
}
