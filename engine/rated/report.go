package rated

import (
	"cmp"
	"context"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/rating"
	"angelpost/engine/store"
)

// Bounds of what pages show.
const (
	PageSize = 100 // people on a page
	History  = 100 // games of one person and kind
)

// A Rating is an estimate of strength: Mu ± Margin, where Margin is two standard
// deviations, Sigma. Lists go by Low, the lower end.
type Rating struct {
	Player      int64   `json:"player,omitempty"` // 0: a bot
	Bot         string  `json:"bot,omitempty"`
	Name        string  `json:"name"`
	Games       int     `json:"games"`
	Mu          float64 `json:"mu"`
	Sigma       float64 `json:"sigma"`
	Margin      float64 `json:"margin"`
	Low         float64 `json:"low"`
	Provisional bool    `json:"provisional,omitempty"` // fewer than Few games
}

// A Kind is the ratings of one kind of game, the best first.
type Kind struct {
	Key     string   `json:"kind"`
	Players int      `json:"players"`
	Rules   string   `json:"rules"`
	Skipped int      `json:"skipped,omitempty"` // people before the first
	People  []Rating `json:"people"`
	Bots    []Rating `json:"bots"`
	More    bool     `json:"more,omitempty"` // people behind the last
}

// A Report is all kinds, as ratings.json and the command print them.
type Report struct {
	Schema int    `json:"schema"`
	Kinds  []Kind `json:"kinds"`
}

// NewReport puts kinds into a report.
func NewReport(kinds []Kind) Report { return Report{game.Schema, append([]Kind{}, kinds...)} }

// A Game is what a game did to a player's rating.
type Game struct {
	Game   string    `json:"game"`
	Name   string    `json:"name,omitempty"` // of the game
	Ended  time.Time `json:"ended"`
	Mu     float64   `json:"mu"` // after it
	Sigma  float64   `json:"sigma"`
	Change float64   `json:"change"` // of Mu
	Place  int       `json:"place"`
	Seats  int       `json:"seats"`
	Turns  int       `json:"turns"` // that the player took
	Of     int       `json:"of"`    // of the player's seat
	Left   string    `json:"left,omitempty"`
}

// A Career is a player's rating in one kind of game, and how it came about.
type Career struct {
	Key     string `json:"kind"`
	Players int    `json:"players"`
	Rules   string `json:"rules"`
	Rating
	History []Game `json:"history"` // the last of them, the oldest first
}

func ratingOf(r store.Rating) Rating {
	x := rating.Rating{Mu: r.Mu, Sigma: r.Sigma}
	return Rating{Player: r.Player, Bot: r.Bot, Name: r.Name, Games: r.Games, Mu: r.Mu, Sigma: r.Sigma, Margin: x.Margin(), Low: x.Low(), Provisional: r.Games < Few}
}

// ParseKind returns the meaning of a kind's key; ok reports whether it is one.
func ParseKind(key string) (players int, rules string, ok bool) {
	for _, k := range kinds([]string{key}) {
		return k.Players, k.Rules, true
	}
	return 0, "", false
}

// kinds are those of a list of keys, in the order in which they are shown, empty.
func kinds(keys []string) (out []Kind) {
	for _, rules := range []string{"base", "advanced"} {
		for _, players := range []int{2, 3, 4, 1} {
			k := Kind{Key: KindOf(game.Options{Players: players, Rules: rules}), Players: players, Rules: rules, People: []Rating{}, Bots: []Rating{}}
			for _, key := range keys {
				if key == k.Key {
					out = append(out, k)
				}
			}
		}
	}
	return out
}

// fill reads some people of a kind, and its bots.
func (k *Kind) fill(tx store.Tx, skip, limit int) error {
	people, err := tx.Ratings(k.Key, false, skip, limit+1)
	if err != nil {
		return err
	}
	if k.Skipped, k.More = skip, len(people) > limit; k.More {
		people = people[:limit]
	}
	if err := named(tx, people); err != nil {
		return err
	}
	bots, err := tx.Ratings(k.Key, true, 0, PageSize)
	for _, r := range people {
		k.People = append(k.People, ratingOf(r))
	}
	for _, r := range bots {
		k.Bots = append(k.Bots, ratingOf(r))
	}
	return err
}

// named gives players who had no name at their last table the one they have now.
func named(tx store.Tx, people []store.Rating) error {
	var ids []int64
	for i := range people {
		if store.IsStandIn(people[i].Name) {
			ids = append(ids, people[i].Player)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	now, err := tx.Players(ids)
	for i := range people {
		if r := &people[i]; store.IsStandIn(r.Name) {
			r.Name = cmp.Or(now[r.Player].Name, r.Name)
		}
	}
	return err
}

// Kinds are all kinds with so many of their people.
func (b Book) Kinds(ctx context.Context, people int) (out []Kind, err error) {
	err = b.Host.Store.View(ctx, func(tx store.Tx) error {
		keys, err := tx.RatingKinds()
		if err != nil {
			return err
		}
		out = kinds(keys)
		for i := range out {
			if err := out[i].fill(tx, 0, people); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// Kind returns a page of the people of one kind, after the first skip. If there is no
// such kind, or no one on the page, the error wraps store.ErrNotFound.
func (b Book) Kind(ctx context.Context, key string, skip int) (Kind, error) {
	found := kinds([]string{key})
	if len(found) == 0 {
		return Kind{}, store.ErrNotFound
	}
	k := found[0]
	err := b.Host.Store.View(ctx, func(tx store.Tx) error { return k.fill(tx, skip, PageSize) })
	if err == nil && len(k.People) == 0 && (skip > 0 || len(k.Bots) == 0) {
		err = store.ErrNotFound
	}
	return k, err
}

// Player is what is believed of a person, by kind.
func (b Book) Player(ctx context.Context, player int64) (out []Career, err error) {
	err = b.Host.Store.View(ctx, func(tx store.Tx) error {
		rows, err := tx.RatingsOf(player)
		if err != nil {
			return err
		}
		keys := map[string]store.Rating{}
		var all []string
		for _, r := range rows {
			keys[r.Kind] = r
			all = append(all, r.Kind)
		}
		for _, k := range kinds(all) {
			c := Career{Key: k.Key, Players: k.Players, Rules: k.Rules, Rating: ratingOf(keys[k.Key])}
			if c.History, err = history(tx, keys[k.Key]); err != nil {
				return err
			}
			out = append(out, c)
		}
		return nil
	})
	return out, err
}

// history returns the last games of a rating. It leaves out games that not everyone may see
// any more, although they may still be in the figures for a moment.
func history(tx store.Tx, r store.Rating) ([]Game, error) {
	rows, err := tx.RatedGames(r.Kind, r.Player, r.Bot, History+1)
	if err != nil {
		return nil, err
	}
	out := []Game{}
	was := rating.Default().Start.Mu
	for i := len(rows) - 1; i >= 0; i-- {
		x := rows[i]
		if i < History && x.Game != "" {
			out = append(out, Game{Game: x.Game, Name: x.Title, Ended: x.Ended, Mu: x.Mu, Sigma: x.Sigma, Change: x.Mu - was, Place: x.Place, Seats: x.Seats, Turns: x.Turns, Of: x.Of, Left: x.Left})
		}
		was = x.Mu
	}
	return out, nil
}
