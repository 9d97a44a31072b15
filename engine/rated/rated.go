// Package rated keeps the ratings of a store's people and bots, by kind of game: the number
// of players and the rules; solo, against Hal's levels, apart. Ratings are public, and so
// are the games they are based on: listed ones count, others do not. A result that a ruling
// set or corrected counts as it is now; a void game does not count.
//
// What a game counts for is settled when it begins. The desk lets only all its players
// together, and at least two, end it without a result or change whether it is listed
// (match, agree.go). Players who are alone with bots can only play on or resign, which
// means last place; a listed game without a clock that they leave unfinished counts as
// resigned, too. With two people who agree this is safe: the player who was winning has
// agreed to lose that.
//
// Games are rated in the order in which they finished, each once. A change to a rated game,
// such as a corrected result or another visibility, resets the ratings to the point before
// it, and rating goes on from there. So the ratings always equal, to the last bit, what the
// finished games up to some game make them, in any order of events; readers move that point
// on, some games at a time.
package rated

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"angelpost/engine/game"
	"angelpost/engine/match/look"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/rating"
	"angelpost/engine/store"
)

const (
	// Few is with how many games a rating is no longer provisional.
	Few    = 10
	atOnce = 200 // games in one transaction
)

// A Book is the ratings of a store.
type Book struct{ Host *look.Host }

// A LeftOut is a game that cannot be rated, and why.
type LeftOut struct {
	Game string
	Why  error
}

// KindOf is the kind of a game with these options.
func KindOf(o game.Options) string {
	if o.Players == 1 {
		return "solo-" + o.Rules
	}
	return fmt.Sprintf("%d-%s", o.Players, o.Rules)
}

// HalBot returns the name under which Hal is rated at one of his levels.
func HalBot(level string) string { return "hal:" + level }

// HalLevel is the level in a name that HalBot gave; ok reports whether it is one.
func HalLevel(bot string) (level string, ok bool) { return strings.CutPrefix(bot, "hal:") }

// BotName is another bot's name as people read it: "planner 2000".
func BotName(bot string) string { return strings.ReplaceAll(bot, ":", " ") }

// Rate brings the ratings up to date and returns how many games it rated. It calls report
// for each game that cannot be rated. It may run at the same time as the server and as
// other calls of Rate.
func (b Book) Rate(ctx context.Context, report func(LeftOut)) (rated int, err error) {
	for {
		var todo bool
		err := b.Host.Store.View(ctx, func(tx store.Tx) (err error) {
			todo, err = behind(tx)
			return err
		})
		if err != nil || !todo {
			return rated, err
		}
		var bad []LeftOut
		n := 0
		// What a power loss takes back is taken back as a whole, and rated again.
		err = b.Host.Store.UpdateUnsynced(ctx, func(tx store.Tx) (err error) {
			n, bad, err = b.some(tx)
			return err
		})
		if err != nil {
			return rated, err
		}
		for _, x := range bad {
			report(x)
		}
		rated += n
	}
}

// `Anew` makes Rate begin with the first game again.
func (b Book) Anew(ctx context.Context) error {
	return b.Host.Store.Update(ctx, func(tx store.Tx) error { return tx.RateAnew() })
}

// behind reports whether there is anything to be rated, or to be taken back.
func behind(tx store.Tx) (bool, error) {
	at, err := tx.Rated()
	if err != nil {
		return false, err
	}
	last, err := tx.LastRated()
	if err != nil || last > at {
		return last > at, err
	}
	games, err := tx.ToRate(at, 1)
	return len(games) > 0, err
}

// some takes back what must be, or rates the next games: of those without a result
// of their own, which must be replayed, one, so that others do not wait long to write.
func (b Book) some(tx store.Tx) (rated int, bad []LeftOut, err error) {
	if more, err := tx.Unrate(atOnce); more || err != nil {
		return 0, nil, err
	}
	at, err := tx.Rated()
	if err != nil {
		return 0, nil, err
	}
	rows, err := tx.ToRate(at, atOnce)
	if err != nil {
		return 0, nil, err
	}
	rulings, err := tx.RulingsOf(ids(rows))
	if err != nil {
		return 0, nil, err
	}
	var games []ratedGame
	replayed := false
	for _, r := range rows {
		if r.Visibility == store.Listed {
			var parts [][]game.Share
			if r.Result == "" {
				if replayed {
					break
				}
				replayed = true
				parts, err = b.parts(tx, r.ID)
			}
			g := ratedGame{row: r}
			if err == nil {
				err = g.read(rulings[r.ID], parts)
			}
			if err == nil {
				games = append(games, g)
			} else {
				bad = append(bad, LeftOut{r.ID, err})
			}
			err = nil
		}
		at = r.Finish
	}
	l, err := open(tx, games)
	if err != nil {
		return 0, nil, err
	}
	for _, g := range games {
		l.enter(g)
	}
	return len(games), bad, tx.SaveRated(at, l.rows)
}

func ids(rows []store.Game) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = r.ID
	}
	return out
}

// parts returns who played how much of a game. What is stored may be damaged: that is
// an error of this game and does not end the program.
func (b Book) parts(tx store.Tx, id string) (parts [][]game.Share, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return b.Host.Parts(tx, id)
}

// A game is one to be rated.
type ratedGame struct {
	row   store.Game
	seats []rating.Seat
	final []int // VP by seat, Hal's last
	names map[rating.Who]string
}

// An outcome is what of a game.Outcome counts.
type outcome struct {
	Scores  []score        `json:"scores"`
	Winners []int          `json:"winners"`
	Parts   [][]game.Share `json:"parts"`
}

type score struct {
	Final *int `json:"final"`
}

// read finds out who came where in a game: by its result, or by the last that a
// ruling gave. parts are those of a game that has no result but a ruling's.
func (g *ratedGame) read(rulings []notice.Ruling, parts [][]game.Share) error {
	o := outcome{Parts: parts}
	if g.row.Result != "" {
		if err := json.Unmarshal([]byte(g.row.Result), &o); err != nil {
			return fmt.Errorf("result: %w", err)
		}
	}
	players := g.row.Options.Players
	for _, r := range rulings {
		given := r.Kind == order.RuleAdjudicate || r.Kind == order.RuleCorrect
		if given && r.Step == g.row.Steps { // it did not go on since
			if players == 1 {
				return errors.New("a result that was given says nothing of Hal")
			}
			o.Scores = make([]score, len(r.Scores))
			for i := range r.Scores {
				o.Scores[i].Final = &r.Scores[i]
			}
		}
	}
	if len(o.Parts) != players || len(o.Scores) < max(players, 2) {
		return fmt.Errorf("%d players, parts of %d seats, %d scores", players, len(o.Parts), len(o.Scores))
	}
	for i := range o.Scores {
		g.final = append(g.final, o.final(i+1))
	}
	g.names = map[rating.Who]string{}
	for i, parts := range o.Parts {
		s := rating.Seat{Place: o.place(players, i+1)}
		for _, p := range parts {
			who := rating.Who{Player: p.Player, Bot: p.Bot}
			if g.names[who] = p.Name; who.Bot != "" {
				g.names[who] = who.Bot
			}
			part := rating.Part{Who: who, Turns: p.Turns, Held: p.Held, Left: leaving(p.Left)}
			if part.Left == rating.Replaced { // a league has no organiser: its director does that, and never plays there
				part.By = rating.Who{Player: g.row.Organiser}
			}
			s.Parts = append(s.Parts, part)
		}
		g.seats = append(g.seats, s)
	}
	if players == 1 {
		hal := rating.Who{Bot: HalBot(g.row.Options.Hal)}
		g.names[hal] = hal.Bot
		g.seats = append(g.seats, rating.Seat{Place: o.place(players, 2), Parts: []rating.Part{{Who: hal, Turns: 1, Held: 1}}})
	}
	return nil
}

// place is where a seat came in: one more than how many have more VP. Solo there
// are a winner and a loser.
func (o *outcome) place(players, seat int) (n int) {
	if players == 1 {
		if slices.Contains(o.Winners, seat) {
			return 1
		}
		return 2
	}
	n = 1
	for other := range players {
		if o.final(other+1) > o.final(seat) {
			n++
		}
	}
	return n
}

// final is what a seat came to.
func (o *outcome) final(seat int) int {
	if f := o.Scores[seat-1].Final; f != nil {
		return *f
	}
	return 0
}

func leaving(left string) rating.Leaving {
	switch left {
	case "":
		return rating.Stayed
	case game.TenureReplaced:
		return rating.Replaced
	}
	return rating.Walked
}

type key struct {
	kind string
	rating.Who
}

// A ledger is what a transaction adds to the ratings.
type ledger struct {
	known map[key]*store.Rating
	rows  []store.Rated
}

// open is a ledger that knows the ratings of all who played in games.
func open(tx store.Tx, games []ratedGame) (*ledger, error) {
	l := &ledger{known: map[key]*store.Rating{}}
	start := rating.Default().Start
	var all []store.Rating
	for _, g := range games {
		kind := KindOf(g.row.Options)
		for who := range g.names {
			r := store.Rating{Kind: kind, Player: who.Player, Bot: who.Bot, Mu: start.Mu, Sigma: start.Sigma}
			if k := (key{kind, who}); l.known[k] == nil {
				l.known[k] = &r
				all = append(all, r)
			}
		}
	}
	rows, err := tx.RatingsFor(all)
	for _, r := range rows {
		l.known[key{r.Kind, rating.Who{Player: r.Player, Bot: r.Bot}}] = &r
	}
	return l, err
}

// enter rates one game.
func (l *ledger) enter(g ratedGame) {
	kind := KindOf(g.row.Options)
	changes := rating.Default().Seats(g.seats, func(w rating.Who) rating.Rating {
		r := l.known[key{kind, w}]
		return rating.Rating{Mu: r.Mu, Sigma: r.Sigma}
	})
	for _, c := range changes {
		r := l.known[key{kind, c.Who}]
		r.Name, r.Games, r.Finish = g.names[c.Who], r.Games+1, g.row.Finish
		r.Mu, r.Sigma = c.After.Mu, c.After.Sigma
		l.rows = append(l.rows, store.Rated{Rating: *r, Place: c.Place, Seats: len(g.seats), Turns: c.Turns, Of: c.Of, Left: string(c.Left)})
	}
}
