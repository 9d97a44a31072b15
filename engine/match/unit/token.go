package unit

import (
	"fmt"
	"hash/fnv"
	"io"
	"time"

	"angelpost/engine"
	"angelpost/engine/notice"
	"angelpost/engine/store"
	"angelpost/engine/token"
)

// How long keys of tokens last: a new one is made each year, and an old one is kept for as long
// again.
const tokenKeyFor = 365 * 24 * time.Hour

// sealed returns the token of a letter about game t (nil: none); random makes it unlike any
// other. Addresses without room for the full token contain random alone.
func (u *Unit) sealed(r *notice.Message, row store.Token, t *Game, random string) (string, error) {
	if u.TokenRoom > 0 && u.TokenRoom < token.Size {
		return random, nil
	}
	keys, err := u.Tx.TokenKeys()
	if err != nil {
		return "", err
	}
	if len(keys) == 0 {
		return "", fmt.Errorf("no key for tokens: %w", store.ErrSpoilt)
	}
	salt, err := token.Coding.DecodeString(random)
	if err != nil {
		return "", err
	}
	s := token.Slip{Game: token.Game(r.Game), Place: row.Place, Turn: row.Turn, Step: r.Step, Salt: uint16(salt[0])<<8 | uint16(salt[1])}
	if s.Letter, err = u.Tx.NextMessage(); err != nil {
		return "", err
	}
	s.Seen = seen(t, r.Player, engine.Seat(r.Seat), r.Step)
	return keys[0].Seal(s), nil
}

// seen returns a fingerprint of a letter's reader and of a game as they know it after step
// lines. It covers how the game was dealt, too, by the public values that decide about that.
func seen(t *Game, player int64, seat engine.Seat, step int) uint32 {
	h := fnv.New32a()
	fmt.Fprintln(h, player)
	if t == nil || t.Replay == nil {
		return h.Sum32()
	}
	o := t.Replay.Options
	fmt.Fprintln(h, o.Players, o.Rules, o.Edition, o.Hal, o.Set, t.Replay.Seen(seat, step))
	for _, x := range t.Seats {
		fmt.Fprintf(h, "%q\n", x.Entropy)
	}
	return h.Sum32()
}

// SealToken gives a letter its token.
func (u *Unit) SealToken(r *notice.Message, row store.Token, t *Game, random string) (err error) {
	r.Token, err = u.sealed(r, row, t, random)
	return err
}

// NewTokenKey makes the key for new tokens, and deletes keys that have expired.
func (u *Unit) NewTokenKey() error {
	keys, err := u.Tx.TokenKeys()
	if err != nil {
		return err
	}
	k := store.TokenKey{Since: u.At}
	for i, old := range keys {
		k.N = max(k.N, old.N)
		if i > 0 && u.At.Sub(keys[i-1].Since) > tokenKeyFor { // it has not been in use since then
			u.Check(u.Tx.DropTokenKeys(old.N + 1))
			break
		}
	}
	k.N++
	if _, err := io.ReadFull(&u.Attempt.Drawn, k.Key.Key[:]); err != nil {
		return fmt.Errorf("randomness: %w", err)
	}
	return u.Tx.AddTokenKey(k)
}

// RenewTokenKey makes a new key if the one in use is old.
func (u *Unit) RenewTokenKey() error {
	keys, err := u.Tx.TokenKeys()
	if err != nil || len(keys) > 0 && u.At.Sub(keys[0].Since) < tokenKeyFor {
		return err
	}
	return u.NewTokenKey()
}

// A Lost is what a token says that we made but that no letter here has: the database is an
// older copy of the one that sent the letter.
type Lost struct {
	Game *Game
	Seat *store.Seat // of the letter's writer
	Same bool        // the game has come again to the position that the writer knew
	slip token.Slip
}

// Lost returns what the letter's token says, if its letter is lost and was about a game of the
// writer's; else nil. Such a token shows that the database is an older copy; Lost acts on that
// if nothing else has yet.
func (u *Unit) Lost() (*Lost, error) {
	keys, err := u.Tx.TokenKeys()
	if err != nil {
		return nil, err
	}
	player := u.AddressOf(u.Command.From).Player
	slip, by, ok := openToken(u.Command.Token, keys)
	if !ok || player == 0 {
		return nil, nil
	}
	if by.N == keys[0].N { // else it was noticed: then the key changed
		if err := u.behind(slip); err != nil {
			return nil, err
		}
	}
	rows, err := u.Tx.GamesOf(player, true)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if token.Game(row.ID) != slip.Game {
			continue
		}
		t, err := u.Game(row.ID)
		if err != nil {
			return nil, err
		}
		x := t.Place(slip.Place)
		if x == nil || x.Player != player && x.Heir != player {
			continue
		}
		l := &Lost{Game: t, Seat: x, slip: slip}
		seat := engine.Seat(0)
		if x.Player == player {
			seat = engine.Seat(x.Seat)
		}
		l.Same = (t.Replay == nil || slip.Step <= t.Replay.Step()) && seen(t, player, seat, slip.Step) == slip.Seen
		return l, nil
	}
	return nil, nil
}

// Made reports whether we made a token, also if no letter here has it: the database is an older
// copy of the one that sent the letter.
func Made(tx store.Tx, text string) (bool, error) {
	_, err := tx.Token(text)
	if none, err := Missing(err); !none || err != nil {
		return err == nil, err
	}
	keys, err := tx.TokenKeys()
	if err != nil {
		return false, err
	}
	_, _, ok := openToken(text, keys)
	return ok, nil
}

func openToken(text string, keys []store.TokenKey) (token.Slip, token.Key, bool) {
	all := make([]token.Key, len(keys))
	for i, k := range keys {
		all[i] = k.Key
	}
	return token.Open(text, all)
}

// behind schedules letters to everyone, as after a restore, if a slip without a letter shows
// that this database has lost it: its number is not reached yet, or belongs to another letter.
func (u *Unit) behind(slip token.Slip) error {
	next, err := u.Tx.NextMessage()
	if err != nil {
		return err
	}
	if slip.Letter < next {
		_, err := u.Tx.Message(slip.Letter)
		if none, err := Missing(err); none || err != nil {
			return err // it may have been deleted since
		}
	}
	rows, err := u.Tx.DuesOf(store.DueBehind, "")
	if err != nil || len(rows) > 0 {
		return err
	}
	u.Log.Warn("a letter answers one that this database has never sent: it is an older copy")
	return u.Tx.AddDue(&store.Due{At: u.At, Kind: store.DueBehind})
}

// revived returns a token for a lost letter if it is as good as if its letter were not lost,
// else nil.
func (u *Unit) revived() (*store.Token, error) {
	l, err := u.Lost()
	if err != nil || l == nil || !l.Same {
		return nil, err
	}
	return &store.Token{Token: u.Command.Token, Player: u.AddressOf(u.Command.From).Player, Game: l.Game.Row.ID, Place: l.Seat.Place,
		Turn: l.slip.Turn, Step: l.slip.Step}, nil
}
