package match

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"angelpost/engine/store"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// MaxSeatNodes is the largest budget of a planner that takes a seat, in
// positions a choice (bot.MaxNodes is what sim can give it).
const MaxSeatNodes = 48_000

// botSteps bounds the steps of bots on their own, in case they never come to an end.
const botSteps = 4000

// SeatBot is the name of the bot that is asked to a seat as players write it:
// "bot", or "bot:" and one of the names that its error lists. bot.Random is not
// among them: a game against it is no practice, for it never means anything.
func SeatBot(asked string) (name string, err error) {
	if asked == "bot" {
		return store.ResignBot, nil
	}
	name, _ = strings.CutPrefix(asked, "bot:")
	nodes, counted := strings.CutPrefix(name, bot.Planner+":")
	n, bad := strconv.Atoi(nodes)
	switch {
	case name == asked: // no bot: at all
	case name == bot.Greedy:
		return bot.Greedy, nil
	case name == bot.Planner, counted && n == bot.DefaultNodes:
		return bot.Planner, nil
	case counted && bad == nil && n >= 1 && n <= MaxSeatNodes:
		return bot.Planner + ":" + strconv.Itoa(n), nil
	}
	return "", fmt.Errorf("no bot %.40q for a seat; there are bot, bot:%s (the same), bot:%s, and bot:%s:N with N from 1 to %d",
		asked, bot.Greedy, bot.Planner, bot.Planner, MaxSeatNodes)
}

// askedBot is SeatBot for a letter.
func askedBot(asked string) (name string, p error) {
	name, err := SeatBot(asked)
	if err != nil {
		return "", notice.Refuse(notice.ProblemNoBot, "word", asked, "n", strconv.Itoa(MaxSeatNodes))
	}
	return name, nil
}

// asking is the word that SeatBot reads as the bot of that name.
func asking(name string) string {
	if name == store.ResignBot {
		return "bot"
	}
	return "bot:" + name
}

// botKind is what letters call a bot beside "bot": "planner 500", or "" for the
// one that plays when just a bot was asked.
func botKind(name string) string {
	if name == store.ResignBot {
		return ""
	}
	return strings.ReplaceAll(name, ":", " ")
}

// botName is what the players call a seat that belongs to a bot: "Bot 2
// (planner)". number is "" for the only one.
func botName(number, name string) string {
	called := strings.TrimSpace("Bot " + number)
	if kind := botKind(name); kind != "" {
		called += " (" + kind + ")"
	}
	return called
}

// botNumber is what botName was made with.
func botNumber(called string) string {
	before, _, _ := strings.Cut(called, " (")
	return strings.TrimSpace(strings.TrimPrefix(before, "Bot"))
}

// thinks reports whether a bot takes its time, so that it must not think in a
// transaction.
func thinks(name string) bool { return strings.HasPrefix(name, bot.Planner) }

// bots play the seats of a game that no person plays. They see what a person
// there would see. What they choose depends on that, on the length of the log
// and on the game's commitment, which is no secret: so the same position of one
// game is always played alike, and games differ.
type bots struct {
	log   *slog.Logger
	game  string
	seats [engine.MaxPlayers + 1]bot.Bot
	names [engine.MaxPlayers + 1]string
	play  *game.Replay
}

// A botMove is a step of a bot's.
type botMove struct {
	seat engine.Seat
	step engine.Step
}

// botsOf are the bots of a game that is played on as p; nil: there is none.
func (s *unit) botsOf(t *table, p *game.Replay) (b *bots) {
	key := ""
	for _, x := range t.seats {
		if x.Bot == "" || x.Seat == 0 {
			continue
		}
		if b == nil {
			b, key = &bots{play: p, log: s.Log, game: t.row.ID}, s.commitment(t)
		}
		known, err := bot.New(x.Bot, key)
		if err != nil {
			x.Bot = store.ResignBot
			known, _ = bot.New(store.ResignBot, key)
		}
		b.seats[x.Seat], b.names[x.Seat] = known, x.Bot
	}
	return b
}

// toAct is the first bot that must decide, 0 if there is none.
func (b *bots) toAct() engine.Seat {
	for seat := engine.Seat(1); int(seat) <= b.play.Options.Players; seat++ {
		if b.seats[seat] != nil && b.play.State.ToAct(seat) {
			return seat
		}
	}
	return 0
}

// choose is what the bot at seat does now. One that fails does the first thing
// that is legal.
func (b *bots) choose(seat engine.Seat) (m botMove) {
	view := b.play.State.Project(seat)
	legal := view.Legal(nil)
	defer func() {
		if r := recover(); r != nil {
			b.log.Error("a bot failed", "game", b.game, "bot", b.names[seat], "step", b.play.Step(), "panic", r)
			m = botMove{seat, legal[0]}
		}
	}()
	step := b.seats[seat].Choose(view, legal, b.play.Step())
	for _, l := range legal {
		if l == step {
			return botMove{seat, step}
		}
	}
	b.log.Error("a bot's step is illegal", "game", b.game, "bot", b.names[seat], "step", order.Print(step))
	return botMove{seat, legal[0]}
}

// do takes a bot's step.
func (b *bots) do(m botMove) error {
	if _, err := b.play.Do(m.seat, game.ByBot, m.step); err != nil {
		return fmt.Errorf("bot %s: %w", b.names[m.seat], err)
	}
	b.play.Lines[b.play.Step()-1].Bot = b.names[m.seat]
	return nil
}

// letBotsPlay lets bots play until a person must decide.
func (s *unit) letBotsPlay(t *table) error {
	b := s.botsOf(t, t.play)
	if b == nil {
		return nil
	}
	for n := 0; n < botSteps; {
		seat := b.toAct()
		if seat == 0 {
			return nil
		}
		moves := make([]botMove, 1)
		if !thinks(b.names[seat]) {
			moves[0] = b.choose(seat)
		} else {
			var err error
			about := jobKey{game: t.row.ID, step: t.play.Step(), state: t.play.State}
			if moves, err = ponder(s, about, s.botsOf(t, t.play.Copy()).playOn()); err != nil {
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
	b.log.Error("bots play on and on", "game", b.game)
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
