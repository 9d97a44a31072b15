package intrusions

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"angelpost/cmd/internal/inprocess"
	"angelpost/engine/match/unit"
	"angelpost/engine/store"
)

var (
	tries    = flag.Int("tries", 4000, "letters of TestNobodyElseMoves")
	trySeed  = flag.Uint64("try-seed", 20261121, "what they are drawn from")
	tryClass = flag.String("try-class", "", "one class of them only, one at a time")
)

// TestNobodyElseMoves sends generated letters of everybody who may not move,
// in every way intrusions_test.go lists, each with orders that would be legal: no
// game, seat or address changes, nobody is written to but the players, and
// every letter written reads back by a second parser. Between them the player
// whose turn it is moves by letters of the same make.
func TestNobodyElseMoves(t *testing.T) {
	h := newIntruder(t, *trySeed, nil)
	classes, batch := slices.Sorted(maps.Keys(intrusions)), 8
	if *tryClass != "" {
		classes, batch = []string{*tryClass}, 1
	}
	count := map[string]int{}
	moves := 0
	for n := 0; n < *tries; {
		if moves <= n/40 {
			h.move(h.Rand.IntN(2))
			moves++
		}
		var names []string
		var raws [][]byte
		for range 1 + h.Rand.IntN(batch) {
			class := classes[h.Rand.IntN(len(classes))]
			for _, raw := range intrusions[class](h, h.Turn(h.Rand.IntN(2))) {
				names, raws = append(names, class), append(raws, raw)
				count[class]++
				n++
			}
		}
		if len(raws) == 0 { // nothing is old enough yet
			h.move(h.Rand.IntN(2))
			moves++
			continue
		}
		if broke := h.intrude(raws); broke != "" {
			for i, raw := range raws {
				t.Logf("%s:\n%.1500s", names[i], raw)
			}
			t.Fatalf("after %d tries (-try-seed %d): %s", n, *trySeed, broke)
		}
		h.Now = h.Now.Add(time.Duration(h.Rand.IntN(60)) * time.Minute)
	}
	t.Logf("%d moves, %d letters read back, tries: %v", moves, h.Out, count)
}

// An intruder writes to a house what may not move its games.
type intruder struct {
	*inprocess.House
	moved  []applied      // the last letters that moved a game
	burial string         // the text of the letter buried wrote
	tried  inprocess.Turn // the turn that the last intruder is after
	loose  bool           // the guard that a test leaves out is out by now
}

// newIntruder opens a house. edit may change what its desk is made of.
func newIntruder(t testing.TB, seed uint64, edit func(*intruder, *unit.Config)) *intruder {
	t.Helper()
	h := &intruder{}
	inprocess.NewHouse(t, seed, func(house *inprocess.House, c *unit.Config) {
		h.House = house
		if edit != nil {
			edit(h, c)
		}
	})
	return h
}

// intrude hands letters in and says what they broke, or nothing.
func (h *intruder) intrude(raws [][]byte) string {
	h.T.Helper()
	before := h.State(true)
	h.Give(raws...)
	if h.Fault != nil {
		return h.Fault.Error()
	}
	if after := h.State(true); after != before {
		i := 0
		for i < min(len(before), len(after)) && before[i] == after[i] {
			i++
		}
		return fmt.Sprintf("a game moved:\n…%.300s\n…%.300s", before[max(0, i-100):], after[max(0, i-100):])
	}
	return ""
}

// move lets the player whose turn it is move: the harness must see that.
func (h *intruder) move(game int) {
	h.T.Helper()
	x := h.Turn(game)
	order := x.Legal[h.Rand.IntN(len(x.Legal))]
	if len(x.Example) > 0 && h.Rand.IntN(2) == 0 {
		order = x.Example[0]
	}
	before := h.State(true)
	raw := h.ownLetter(x, order)
	h.Give(raw)
	if h.Fault != nil {
		h.T.Fatal(h.Fault)
	}
	if h.State(true) == before {
		got := x.Who.Got[x.Last.Game]
		answer, _ := json.Marshal(got[len(got)-1].Answer)
		h.T.Fatalf("%q of %s moved nothing:\n%s\n%s", order, x.Who.Name, raw, answer)
	}
	h.moved = append(h.moved, applied{x, order, raw})
	if len(h.moved) > 50 {
		h.moved = h.moved[1:]
	}
}

// An applied letter is one that moved a game.
type applied struct {
	inprocess.Turn
	order string
	raw   []byte
}

// Each guard on its own is needed: without it the same letters soon move a
// game, and the harness sees it.
func TestIntrudersAreNoticed(t *testing.T) {
	for name, c := range map[string]struct {
		class string
		edit  func(*intruder, *unit.Config)
	}{
		"who writes": {"foreign token", func(h *intruder, c *unit.Config) {
			address := c.Address
			c.Address = func(a string) string {
				if a = address(a); h.loose && h.Resident(a) != nil {
					a = h.tried.Who.Address
				}
				return a
			}
		}},
		"which token": {"wrong token", func(h *intruder, c *unit.Config) {
			c.Store = looseStore{c.Store, looseTx{token: func(tx store.Tx, token string) (store.Token, error) {
				if !h.loose {
					return tx.Token(token)
				}
				return tx.Token(h.tried.Last.Token)
			}}}
		}},
		"which turn": {"stale token", func(h *intruder, c *unit.Config) {
			c.Store = looseStore{c.Store, looseTx{token: func(tx store.Tx, token string) (store.Token, error) {
				row, err := tx.Token(token)
				if err != nil {
					return row, err
				}
				young, err := tx.LastToken(row.Game, row.Place, row.Player)
				row.Turn = young.Turn
				return row, err
			}}}
		}},
		"whether known": {"forwarded", func(h *intruder, c *unit.Config) {
			c.Store = looseStore{c.Store, looseTx{address: func(tx store.Tx, a string) (store.Address, error) {
				row, err := tx.Address(a)
				if h.loose && errors.Is(err, store.ErrNotFound) {
					return tx.Address(h.tried.Who.Address)
				}
				return row, err
			}}}
		}},
		"once": {"replayed", func(h *intruder, c *unit.Config) {
			c.Store = looseStore{c.Store, looseTx{forgetful: true}}
		}},
		"authentication": {"authentication failed", func(h *intruder, _ *unit.Config) { h.Conf.AuthservID = "" }},
	} {
		t.Run(name, func(t *testing.T) {
			h := newIntruder(t, 1, c.edit)
			for range 400 {
				h.loose = false
				h.move(h.Rand.IntN(2))
				raws := intrusions[c.class](h, h.Turn(h.Rand.IntN(2)))
				h.loose = true
				if h.intrude(raws) != "" {
					return
				}
			}
			t.Error("400 intruders were not noticed")
		})
	}
}

// A looseStore is a store that leaves one guard out.
type looseStore struct {
	store.DB
	loose looseTx
}

func (s looseStore) Update(ctx context.Context, f func(store.Tx) error) error {
	return s.DB.Update(ctx, s.let(f))
}

func (s looseStore) UpdateUnsynced(ctx context.Context, f func(store.Tx) error) error {
	return s.DB.UpdateUnsynced(ctx, s.let(f))
}

func (s looseStore) let(f func(store.Tx) error) func(store.Tx) error {
	return func(tx store.Tx) error {
		loose := s.loose
		loose.Tx = tx
		return f(loose)
	}
}

type looseTx struct {
	store.Tx
	token     func(store.Tx, string) (store.Token, error)
	address   func(store.Tx, string) (store.Address, error)
	forgetful bool
}

func (tx looseTx) Token(token string) (store.Token, error) {
	if tx.token != nil {
		return tx.token(tx.Tx, token)
	}
	return tx.Tx.Token(token)
}

func (tx looseTx) Address(a string) (store.Address, error) {
	if tx.address != nil {
		return tx.address(tx.Tx, a)
	}
	return tx.Tx.Address(a)
}

func (tx looseTx) SameLetter(id string) ([]store.Letter, error) {
	if tx.forgetful {
		return nil, nil
	}
	return tx.Tx.SameLetter(id)
}

func (tx looseTx) LikeLetter(from string, date time.Time, token, hash string) ([]store.Letter, error) {
	if tx.forgetful {
		return nil, nil
	}
	return tx.Tx.LikeLetter(from, date, token, hash)
}
