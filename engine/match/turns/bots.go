package turns

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/game"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// MaxSeatNodes is the largest budget of a planner that takes a seat, in
// positions a choice (bot.MaxNodes is what sim can give it).
const MaxSeatNodes = 48_000

// BotSteps bounds the steps of bots on their own, in case they never come to an end.
const BotSteps = 4000

// ReadBot returns the name of the bot that players ask for: "bot", or "bot:" and one of the
// names that its error lists. bot.Random is not among them: its moves have no purpose, so a
// game against it is not practice.
func ReadBot(asked string) (name string, err error) {
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

// AskedBot is ReadBot with the error as a letter needs it.
func AskedBot(asked string) (name string, p error) {
	name, err := ReadBot(asked)
	if err != nil {
		return "", notice.Refuse(notice.ProblemNoBot, "word", asked, "n", strconv.Itoa(MaxSeatNodes))
	}
	return name, nil
}

// Asking returns the word that ReadBot reads as the bot of that name.
func Asking(name string) string {
	if name == store.ResignBot {
		return "bot"
	}
	return "bot:" + name
}

// BotKind returns what letters add to "bot": "planner 500", or "" for the default bot.
func BotKind(name string) string {
	if name == store.ResignBot {
		return ""
	}
	return strings.ReplaceAll(name, ":", " ")
}

// BotName is what the players call a seat that belongs to a bot: "Bot 2
// (planner)". number is "" for the only one.
func BotName(number, name string) string {
	called := strings.TrimSpace("Bot " + number)
	if kind := BotKind(name); kind != "" {
		called += " (" + kind + ")"
	}
	return called
}

// BotNumber returns the number in a name that BotName made.
func BotNumber(called string) string {
	before, _, _ := strings.Cut(called, " (")
	return strings.TrimSpace(strings.TrimPrefix(before, "Bot"))
}

// thinks reports whether a bot takes its time, so that it must not think in a
// transaction.
func thinks(name string) bool { return strings.HasPrefix(name, bot.Planner) }

// Bots play the seats of a game that no person plays. They see what a person there would see.
// What they choose depends on that, on the length of the log and on the game's commitment,
// which is public: so they always play the same position of a game alike, but games differ.
type Bots struct {
	Log   *slog.Logger
	Game  string
	Seats [engine.MaxPlayers + 1]bot.Bot
	Names [engine.MaxPlayers + 1]string
	Play  *game.Replay
}

// A BotMove is a step of a bot's.
type BotMove struct {
	seat engine.Seat
	step engine.Step
}

// botsOf returns the bots of a game in position p; nil if there are none.
func botsOf(u *unit.Unit, t *unit.Game, p *game.Replay) (b *Bots) {
	key := ""
	for _, x := range t.Seats {
		if x.Bot == "" || x.Seat == 0 {
			continue
		}
		if b == nil {
			b, key = &Bots{Play: p, Log: u.Log, Game: t.Row.ID}, u.Commitment(t)
		}
		known, err := bot.New(x.Bot, key)
		if err != nil {
			x.Bot = store.ResignBot
			known, _ = bot.New(store.ResignBot, key)
		}
		b.Seats[x.Seat], b.Names[x.Seat] = known, x.Bot
	}
	return b
}

// toAct is the first bot that must decide, 0 if there is none.
func (b *Bots) toAct() engine.Seat {
	for seat := engine.Seat(1); int(seat) <= b.Play.Options.Players; seat++ {
		if b.Seats[seat] != nil && b.Play.State.ToAct(seat) {
			return seat
		}
	}
	return 0
}

// Choose returns the bot's step at seat. If the bot fails, it is the first legal step.
func (b *Bots) Choose(seat engine.Seat) (m BotMove) {
	view := b.Play.State.Project(seat)
	legal := view.Legal(nil)
	defer func() {
		if r := recover(); r != nil {
			b.Log.Error("a bot failed", "game", b.Game, "bot", b.Names[seat], "step", b.Play.Step(), "panic", r)
			m = BotMove{seat, legal[0]}
		}
	}()
	step := b.Seats[seat].Choose(view, legal, b.Play.Step())
	for _, l := range legal {
		if l == step {
			return BotMove{seat, step}
		}
	}
	b.Log.Error("a bot's step is illegal", "game", b.Game, "bot", b.Names[seat], "step", order.Print(step))
	return BotMove{seat, legal[0]}
}

// Do takes a bot's step.
func (b *Bots) Do(m BotMove) error {
	if _, err := b.Play.Do(m.seat, game.ByBot, m.step); err != nil {
		return fmt.Errorf("bot %s: %w", b.Names[m.seat], err)
	}
	b.Play.Lines[b.Play.Step()-1].Bot = b.Names[m.seat]
	return nil
}

// letBotsPlay lets bots play until a person must decide.
func letBotsPlay(u *unit.Unit, t *unit.Game) error {
	b := botsOf(u, t, t.Replay)
	if b == nil {
		return nil
	}
	for n := 0; n < BotSteps; {
		seat := b.toAct()
		if seat == 0 {
			return nil
		}
		moves := make([]BotMove, 1)
		if !thinks(b.Names[seat]) {
			moves[0] = b.Choose(seat)
		} else {
			var err error
			about := unit.JobKey{Game: t.Row.ID, Step: t.Replay.Step(), State: t.Replay.State}
			if moves, err = unit.Ponder(u, about, botsOf(u, t, t.Replay.Copy()).playOn()); err != nil {
				return err
			}
		}
		for _, m := range moves {
			if err := b.Do(m); err != nil {
				return err
			}
		}
		n += len(moves)
	}
	b.Log.Error("bots play on and on", "game", b.Game)
	return nil
}

// playOn is the work of playing until a person must decide, in pieces of one
// step.
func (b *Bots) playOn() func() ([]BotMove, bool) {
	var moves []BotMove
	return func() ([]BotMove, bool) {
		seat := b.toAct()
		if seat == 0 || len(moves) >= BotSteps {
			return moves, true
		}
		m := b.Choose(seat)
		moves = append(moves, m)
		if err := b.Do(m); err != nil {
			panic(err)
		}
		return moves, false
	}
}

// NowPlays records that from now on a seat has its row's player or bot: a line of the log, and
// a tenure.
func NowPlays(u *unit.Unit, t *unit.Game, x *store.Seat, by game.By, why string) {
	text := "replace seat " + strconv.Itoa(x.Seat) + " by player"
	switch {
	case why == game.TenureResigned && by == game.ByPlayer:
		text = "resign"
	case x.Bot != "":
		text = "replace seat " + strconv.Itoa(x.Seat) + " by " + Asking(x.Bot)
	}
	t.Replay.Note(engine.Seat(x.Seat), by, text)
	t.Tenures = append(t.Tenures, t.NewTenure(x, why))
}
