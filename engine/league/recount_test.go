package league

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"math/big"
	"sort"
)

// The second count of points and tie-breaks of seasons of version 0 (Counting): from
// fixtures and results alone, in other words than the first, with which it shares
// nothing. Seasons that begin now have theirs in package scorer.

// A deed is what one player did in one game.
type deed struct {
	player, place, score, own, all, bots int64
	left, away                           bool
}

func (g *runner) deeds(r *Rules, d *Division) (games [][]deed, byes map[int64]int64) {
	byes = map[int64]int64{}
	week := map[int]int{}
	for _, f := range d.Fixtures {
		switch {
		case f.Void:
			continue
		case f.Bye:
			byes[f.Players[0]]++
			continue
		case f.Result == nil:
			continue
		}
		var game []deed
		for _, x := range f.Result.Seats {
			e := deed{player: x.Player, place: int64(x.Place), score: int64(x.Score), left: true}
			for _, p := range x.Parts {
				e.all += int64(p.Turns)
				if p.Player == x.Player {
					e.own += int64(p.Turns)
					if !p.Left {
						e.left = false
					}
				}
				if p.Player == 0 {
					e.bots += int64(p.Turns)
				}
			}
			if e.all == 0 {
				e.own, e.all, e.left = 1, 1, false
			}
			game = append(game, e)
		}
		for _, p := range f.Absent {
			game = append(game, deed{player: p, place: int64(len(f.Result.Seats) + 1), all: 1, left: true, away: true})
		}
		if r.Kind == Solo {
			if i, ok := week[f.Round]; ok {
				games[i] = append(games[i], game...)
				continue
			}
			week[f.Round] = len(games)
		}
		games = append(games, game)
	}
	if r.Kind == Solo {
		for _, game := range games {
			for i := range game {
				game[i].place = 1
				for _, o := range game {
					if o.score > game[i].score {
						game[i].place++
					}
				}
			}
		}
	}
	return games, byes
}

// worths are what the places of a game are worth: the places of equals are
// listed one behind the other and their points divided.
func worths(r *Rules, game []deed) (of []*big.Rat, last *big.Rat) {
	size := len(game)
	if r.Kind == Solo {
		size = 1
	}
	at := func(i int) int64 {
		if list := r.Points[size]; i < len(list) {
			return int64(list[i])
		}
		return 0
	}
	for _, e := range game {
		sum, n := int64(0), int64(0)
		for _, o := range game {
			if o.place == e.place {
				sum += at(int(e.place + n - 1))
				n++
			}
		}
		of = append(of, big.NewRat(sum, n))
	}
	return of, new(big.Rat).SetInt64(at(len(game) - 1))
}

// ahead is 1, 0 or -1 as a came before, with or behind b.
func ahead(a, b deed) int64 {
	ka, kb := a.place, b.place
	if a.left {
		ka += 1 << 40
	}
	if b.left {
		kb += 1 << 40
	}
	if a.left && b.left {
		ka, kb = a.place, b.place
	}
	switch {
	case ka < kb:
		return 1
	case ka > kb:
		return -1
	}
	return 0
}

// recount checks the standings of all seasons but a knock-out's points, which
// TestKnockout holds.
func (g *runner) recount() {
	for _, x := range g.s.Seasons {
		r := x.Rules
		for i := range x.Divisions {
			d := &x.Divisions[i]
			games, byes := g.deeds(r, d)
			points := map[int64]*big.Rat{}
			get := func(m map[int64]*big.Rat, p int64) *big.Rat {
				if m[p] == nil {
					m[p] = new(big.Rat)
				}
				return m[p]
			}
			given, most := new(big.Rat), new(big.Rat)
			for _, game := range games {
				of, last := worths(r, game)
				for i, e := range game {
					v := new(big.Rat).Set(of[i])
					if e.left && v.Cmp(last) > 0 {
						v.Set(last)
					}
					if e.away {
						v.SetInt64(0)
					}
					v.Mul(v, big.NewRat(e.own, e.all))
					get(points, e.player).Add(get(points, e.player), v)
					given.Add(given, v)
					most.Add(most, of[i])
				}
			}
			if given.Cmp(most) > 0 {
				g.t.Fatalf("%s points given of %s", given, most)
			}
			for p, n := range byes {
				sum := int64(0)
				for _, x := range r.Points[r.Table] {
					sum += int64(x)
				}
				get(points, p).Add(get(points, p), big.NewRat(n*sum, int64(r.Table)))
			}
			rows := g.s.Standings(x.N, d.N)
			for _, row := range rows {
				if r.Kind != Knockout && row.Points.Value.String() != get(points, row.Player).RatString() {
					g.t.Fatalf("player %d: %s points, counted %s\n%s", row.Player, row.Points.Value, get(points, row.Player).RatString(), r)
				}
				sum := new(big.Rat)
				for _, term := range row.Points.Terms {
					v, _ := new(big.Rat).SetString(term.Value.String())
					sum.Add(sum, v)
				}
				if sum.RatString() != row.Points.Value.String() {
					g.t.Fatalf("the terms of %d's points are %s", row.Player, sum.RatString())
				}
			}
			for a, row := range rows {
				key := fmt.Sprint(row.Left, row.Points.Value)
				if r.Kind == Ladder {
					key = fmt.Sprint(a)
				}
				for n, tie := range r.Ties {
					var group []int64 // players equal so far
					for b, other := range rows {
						k := fmt.Sprint(other.Left, other.Points.Value)
						if r.Kind == Ladder {
							k = fmt.Sprint(b)
						}
						for m := range n {
							k += "|" + other.Ties[m].Value.String()
						}
						if k == key {
							group = append(group, other.Player)
						}
					}
					want := g.figure(x, d, tie, row.Player, group, games, rows)
					if got := row.Ties[n].Value.String(); want != "" && got != want {
						g.t.Fatalf("player %d: %s %s, counted %s\n%s", row.Player, tie, got, want, r)
					}
					key += "|" + row.Ties[n].Value.String()
				}
			}
			// The order is that of the figures.
			if r.Kind != Ladder && !sort.SliceIsSorted(rows, func(a, b int) bool { return before(rows[a], rows[b]) }) {
				g.t.Fatalf("rows out of order\n%s", r)
			}
		}
	}
}

func before(a, b Standing) bool {
	if a.Left != b.Left {
		return b.Left
	}
	if c := rat(a.Points.Value).Cmp(rat(b.Points.Value)); c != 0 {
		return c > 0
	}
	for i := range a.Ties {
		if c := rat(a.Ties[i].Value).Cmp(rat(b.Ties[i].Value)); c != 0 {
			return (c > 0) != (a.Ties[i].Of == BotTurns)
		}
	}
	return false
}

func rat(v Rational) *big.Rat {
	r, _ := new(big.Rat).SetString(v.String())
	return r
}

// figure is a tie-break of a player who is equal to group, "" what is not
// compared here.
func (g *runner) figure(x Season, d *Division, tie Tie, player int64, group []int64, games [][]deed, rows []Standing) string {
	sum := new(big.Rat)
	add := func(a, b int64) { sum.Add(sum, big.NewRat(a, b)) }
	for _, game := range games {
		for _, e := range game {
			if e.player != player {
				continue
			}
			switch tie {
			case Share:
				best := int64(0)
				for _, o := range game {
					if o.place == 1 {
						best = o.score
					}
				}
				switch {
				case e.left:
				case e.place == 1:
					add(e.own, e.all)
				case best > 0 && e.score > 0:
					add(e.score*e.own, best*e.all)
				}
			case Wins:
				n := int64(0)
				for _, o := range game {
					if o.place == 1 {
						n++
					}
				}
				if e.place == 1 && !e.left {
					add(e.own, n*e.all)
				}
			case BotTurns:
				add(e.bots, 1)
			case Head:
				for _, o := range game {
					for _, p := range group {
						if o.player == p && p != player && len(group) > 1 {
							add(ahead(e, o), 1)
						}
					}
				}
			case Berger:
				for _, o := range game {
					for _, row := range rows {
						if row.Player == o.player && o.player != player && ahead(e, o) >= 0 {
							v := rat(row.Points.Value)
							sum.Add(sum, v.Mul(v, big.NewRat(1+ahead(e, o), 2)))
						}
					}
				}
			}
		}
	}
	if tie == Lot {
		if x.Ended.IsZero() {
			return "0"
		}
		h := func(key []byte, of string) []byte {
			m := hmac.New(sha256.New, key)
			m.Write([]byte(of))
			return m.Sum(nil)
		}
		secret := h(g.s.seed[:], fmt.Sprint("season/", x.N))
		if fmt.Sprintf("%x", sha256.Sum256(secret)) != x.Commitment || fmt.Sprintf("%x", secret) != g.s.Secret(x.N) {
			g.t.Fatal("the season's secret is not the one that was promised")
		}
		return new(big.Int).SetBytes(bytes.Clone(h(secret, fmt.Sprint("lot/", player))[:6])).String()
	}
	return sum.RatString()
}
