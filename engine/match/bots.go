package match

import (
	"fmt"
	"strings"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/order"
)

// ResignBot is the bot that plays on for whoever leaves, and in a seat for
// which just a bot was asked.
const ResignBot = bot.Greedy

// MaxSeatNodes is the largest budget of a planner that takes a seat, in
// positions a choice (bot.MaxNodes is what sim can give it).
const MaxSeatNodes = 48_000

// thinks tells whether a bot takes its time, so that it must not think in a
// transaction.
func thinks(name string) bool { return strings.HasPrefix(name, bot.Planner) }

// bots play the seats of a game that no person plays. They see what a person
// there would see. What they choose depends on that, on the length of the log
// and on the game's commitment, which is no secret: so the same position of one
// game is always played alike, and games differ.
type bots struct {
	log   func(msg string, args ...any)
	seats [engine.MaxPlayers + 1]bot.Bot
	names [engine.MaxPlayers + 1]string
	play  *play
}

// A botMove is a step of a bot's.
type botMove struct {
	seat engine.Seat
	step engine.Step
}

func (s *sitting) botsOf(t *table, p *play) *bots {
	b := &bots{play: p, log: s.Log.With("game", t.row.ID).Error}
	key := s.commitment(t)
	for _, x := range t.seats {
		if x.Bot == "" || x.Seat == 0 {
			continue
		}
		known, err := bot.New(x.Bot, key)
		if err != nil {
			x.Bot = ResignBot
			known, _ = bot.New(ResignBot, key)
		}
		b.seats[x.Seat], b.names[x.Seat] = known, x.Bot
	}
	return b
}

// toAct is the first bot that must decide, 0 if there is none.
func (b *bots) toAct() engine.Seat {
	for seat := engine.Seat(1); int(seat) <= b.play.options.Players; seat++ {
		if b.seats[seat] != nil && b.play.state.ToAct(seat) {
			return seat
		}
	}
	return 0
}

// choose is what the bot at seat does now. One that fails does the first thing
// that is legal.
func (b *bots) choose(seat engine.Seat) (m botMove) {
	view := b.play.state.Project(seat)
	legal := view.Legal(nil)
	defer func() {
		if r := recover(); r != nil {
			b.log("a bot failed", "bot", b.names[seat], "step", b.play.step(), "panic", r)
			m = botMove{seat, legal[0]}
		}
	}()
	step := b.seats[seat].Choose(view, legal, b.play.step())
	for _, l := range legal {
		if l == step {
			return botMove{seat, step}
		}
	}
	b.log("a bot's step is illegal", "bot", b.names[seat], "step", order.Print(step))
	return botMove{seat, legal[0]}
}

// do takes a bot's step.
func (b *bots) do(m botMove) error {
	if _, err := b.play.do(m.seat, ByBot, m.step); err != nil {
		return fmt.Errorf("bot %s: %w", b.names[m.seat], err)
	}
	return nil
}

// letBotsPlay lets bots play until a person must decide.
func (s *sitting) letBotsPlay(t *table) error {
	b := s.botsOf(t, t.play)
	for n := 0; n < botSteps; {
		seat := b.toAct()
		if seat == 0 {
			return nil
		}
		moves := []botMove{}
		if !thinks(b.names[seat]) {
			moves = append(moves, b.choose(seat))
		} else {
			var err error
			about := subject{game: t.row.ID, step: t.play.step(), state: t.play.state}
			if moves, err = ponder(s, about, s.botsOf(t, t.play.copy()).playOn()); err != nil {
				return err
			}
		}
		for _, m := range moves {
			if err := b.do(m); err != nil {
				return err
			}
		}
		n += len(moves)
	}
	b.log("bots play on and on")
	return nil
}

// playOn is the work of playing until a person must decide, in pieces of one
// step.
func (b *bots) playOn() func() ([]botMove, bool) {
	var moves []botMove
	return func() ([]botMove, bool) {
		seat := b.toAct()
		if seat == 0 || len(moves) >= botSteps {
			return moves, true
		}
		m := b.choose(seat)
		moves = append(moves, m)
		if err := b.do(m); err != nil {
			panic(err)
		}
		return moves, false
	}
}
