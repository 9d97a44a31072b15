package match

import (
	"context"
	"crypto/subtle"
	"fmt"
	"strconv"
	"strings"

	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A player who mutes a game gets no letters about it any more but the answers to their
// own. They are in it as before: it waits for them, what they play is played, and the
// first step they take ends the muting. It is no part of the game's log.
//
// A player who mutes a league gets none about it but answers, and those that ask them
// something or tell what was decided about their own games. They are in it as before,
// and its games' letters come.

// setMuted mutes the game for a player of the seat, and tells once a day whom
// it concerns.
func (s *unit) setMuted(t *table, x *store.Seat, player int64) error {
	if x.MutedBy(player) {
		return nil
	}
	x.Muted = player
	if t.row.State != store.GameInvited && t.row.State != store.GameRunning || x.Player != player || x.Bot != "" {
		return nil // no one waits for them
	}
	n := s.bump("mute/"+t.row.ID+"/"+strconv.Itoa(x.Place), s.day())
	if n > 1 {
		return nil
	}
	return s.tellHelper(t, player, notice.TellMuted, notice.TellMutedAll, "name", x.Name)
}

// unmute lets letters about the game go to the writer again; their answer tells all
// that happened meanwhile.
func (s *unit) unmute(w *writer) {
	w.seat.Muted = 0
	w.answer.say(notice.SayUnmuted)
	if w.seat.Player == w.ID && w.table.play != nil {
		w.answer.since, w.answer.whole = w.seat.Seen, true
	}
}

// muteWord obeys mute and unmute.
func (s *unit) muteWord(c *call) error {
	w, t := c.w, c.w.table
	if t == nil {
		return s.muteLeague(c)
	}
	if w.seat == nil {
		return notice.Refuse(notice.ProblemNoGame)
	}
	c.done()
	if c.word.Kind == order.Unmute {
		s.unmute(w)
		return nil
	}
	code := notice.SayMuted
	if w.invited() {
		code = notice.SayMutedInvited
	}
	w.answer.say(code)
	return s.setMuted(t, w.seat, w.ID)
}

// muteLeague obeys mute and unmute in an answer to a letter about a league.
func (s *unit) muteLeague(c *call) error {
	w := c.w
	if w.token == nil || w.token.Game != "" {
		return notice.Refuse(notice.ProblemNoGame)
	}
	r, err := s.tx.MessageByToken(w.token.Token)
	if none, err := missing(err); err != nil {
		return err
	} else if none || r.League == "" {
		return notice.Refuse(notice.ProblemNoGame)
	}
	l, err := s.league(r.League)
	if err != nil {
		return err
	}
	c.done()
	code := notice.SayMutedLeague
	if c.word.Kind == order.Unmute {
		code = notice.SayUnmutedLeague
	}
	w.answer.about(l)
	w.answer.say(code, "league", l.rules().Name)
	return s.setLeagueMuted(l.row.ID, w.ID, c.word.Kind == order.Mute)
}

// setLeagueMuted mutes a league for a player, or ends that.
func (s *unit) setLeagueMuted(league string, player int64, muted bool) error {
	t, err := s.tx.LeagueThread(league, player)
	if none, err := missing(err); none || err != nil {
		return err
	}
	if t.Muted == muted {
		return nil
	}
	t.Muted = muted
	s.check(s.tx.SetLeagueThread(league, t))
	return nil
}

// leagueMuted reports whether a letter is one about a league that its reader wants
// none of.
func (s *unit) leagueMuted(d *draft) (bool, error) {
	if d.league == nil || d.table != nil || d.player == 0 || d.reply || d.asked || d.confirm != 0 {
		return false, nil
	}
	t, err := s.leagueThread(d.league, d.player)
	return t.Muted, err
}

// wantsMute reports whether a letter is what a mail program writes to the address
// of a List-Unsubscribe field: what counts is its subject.
func wantsMute(c Command) bool {
	return strings.EqualFold(strings.TrimSpace(c.Subject), order.Mute.String())
}

// mutable returns the seat, and its player or heir, to whom a mute key belongs, the
// youngest or any before: the button in an old letter works for good, as a player who
// presses it expects. A page's key never mutes, valid or not: a page can be shown
// around by mistake, and no one else may stop its owner's letters unnoticed.
func mutable(tx store.Tx, seats []store.Seat, id, key string) (x *store.Seat, player int64, err error) {
	keys, err := tx.OldKeys(id)
	if err != nil {
		return nil, 0, err
	}
	for _, k := range keys { // all are compared: time tells nothing
		if subtle.ConstantTimeCompare([]byte(k.Mute), []byte(key)) == 1 && key != "" && k.Place >= 1 && k.Place <= len(seats) && k.Player != 0 {
			if y := &seats[k.Place-1]; y.Player == k.Player || y.Heir == k.Player {
				x, player = y, k.Player
			}
		}
	}
	if x == nil {
		return nil, 0, fmt.Errorf("key: %w", store.ErrNotFound)
	}
	return x, player, nil
}

// Mute mutes a game for the player to whom the mute key from any of their letters
// belongs. It moves no game. An unknown key gives ErrNotFound, wrapped.
func (d *Desk) Mute(ctx context.Context, id, key string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.update(ctx, func(s *unit) error {
		t, err := s.table(id)
		if err != nil {
			return err
		}
		x, player, err := mutable(s.tx, t.seats, id, key)
		if err != nil {
			return err
		}
		if err := s.setMuted(t, x, player); err != nil {
			return err
		}
		return s.close()
	})
}

// Muted is what a game is called and whether the key's owner has muted it. Keys
// count as for Desk.Mute.
func (h *Host) Muted(ctx context.Context, id, key string) (name string, muted bool, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		row, err := tx.Game(id)
		if err != nil {
			return err
		}
		seats, err := tx.Seats(id)
		if err != nil {
			return err
		}
		x, player, err := mutable(tx, seats, id, key)
		if err != nil {
			return err
		}
		name, muted = row.Name, x.MutedBy(player)
		return nil
	})
	return name, muted, err
}

// leagueMutable returns the thread whose letters have that mute key of a league.
func leagueMutable(tx store.Tx, id, key string) (of store.LeagueThread, err error) {
	threads, err := tx.LeagueThreads(id)
	if err != nil {
		return of, err
	}
	found := false
	for _, t := range threads { // all are compared: time tells nothing
		if subtle.ConstantTimeCompare([]byte(t.Mute), []byte(key)) == 1 && key != "" {
			of, found = t, true
		}
	}
	if !found {
		return of, fmt.Errorf("key: %w", store.ErrNotFound)
	}
	return of, nil
}

// MuteLeague mutes a league for the player to whom the mute key from their letters
// about it belongs. It withdraws no one. An unknown key gives ErrNotFound, wrapped.
func (d *Desk) MuteLeague(ctx context.Context, id, key string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.update(ctx, func(s *unit) error {
		t, err := leagueMutable(s.tx, id, key)
		if err != nil {
			return err
		}
		return s.setLeagueMuted(id, t.Player, true)
	})
}

// LeagueMuted is what a league is called and whether the key's owner has muted it.
// Keys count as for Desk.MuteLeague.
func (h *Host) LeagueMuted(ctx context.Context, id, key string) (name string, muted bool, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		t, err := leagueMutable(tx, id, key)
		if err != nil {
			return err
		}
		row, err := tx.League(id)
		name, muted = row.Name, t.Muted
		return err
	})
	return name, muted, err
}
