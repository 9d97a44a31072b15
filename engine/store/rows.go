package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/bot"
	"angelpost/engine/game"
	"angelpost/engine/league"
)

// Broken reports whether a game ended before its own end, or counts as if it had.
func (g *Game) Broken() bool {
	switch g.State {
	case GameCancelled, GameAbandoned, GameAdjudicated, GameVoid:
		return true
	}
	return false
}

// SeedPublic reports whether anyone may know the game's seed, and so all hands.
func (g *Game) SeedPublic() bool {
	switch {
	case g.Sealed:
		return false
	case g.State == GameFinished || g.Result != "":
		return true
	}
	return g.State == GameVoid && (g.Revealed || g.Options.Shared)
}

// HasAgreed reports whether the seat has said yes to what, and agree adds it.
func (x *Seat) HasAgreed(what string) bool {
	return slices.Contains(strings.Fields(x.Agreed), what)
}

// MutedBy reports whether the player wants no letters about the seat's game.
func (x *Seat) MutedBy(player int64) bool { return player != 0 && x.Muted == player }

// Leave gives a seat of an open game free again.
func (x *Seat) Leave() {
	x.Player, x.Stage, x.Name, x.Entropy, x.Thread = 0, SeatOpen, FreeSeat(x.Place), "", ""
}

// Unplayed reports whether a bot plays the seat.
func (x *Seat) Unplayed() bool { return x.Player == 0 || x.Bot != "" }

// Vacant reports whether the seat waits for its player to come back, or for another.
func (x *Seat) Vacant() bool {
	return x.Bot != "" && x.Player != 0 && (x.Stage == SeatAbsent || x.Stage == SeatResigned)
}

// InID and OutID are the ids of letters as the host reads them in logs and lists: in12 for
// a letter in, out34 for a letter out. A letter that is not stored has none.
func InID(letter int64) string {
	if letter == 0 {
		return ""
	}
	return "in" + strconv.FormatInt(letter, 10)
}

// OutID: see InID.
func OutID(message int64) string { return "out" + strconv.FormatInt(message, 10) }

// Parse returns the line as engine/league replays it.
func (l LeagueLine) Parse() (out league.Line, err error) {
	if err = json.Unmarshal([]byte(l.Args), &out); err != nil {
		return out, fmt.Errorf("line %d of a league: %w", l.N, err)
	}
	out.N, out.At, out.By, out.Kind = l.N, l.At, l.By, l.Kind
	return out, nil
}

// Begin is a league before its first line.
func (l League) Begin() (*league.State, error) {
	rules, err := league.ParseRules(l.File)
	if err != nil {
		return nil, fmt.Errorf("file of league %s: %w: %w", l.ID, ErrLeague, err)
	}
	seed, err := game.ParseSeed(l.Secret)
	if err != nil {
		return nil, fmt.Errorf("secret of league %s: %w: %w", l.ID, ErrLeague, err)
	}
	return league.Replay(rules, seed, nil)
}

// Commitment is the SHA-256 of a league's secret, in hexadecimal.
func (l League) Commitment() string {
	secret, err := game.ParseSeed(l.Secret)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(secret[:])
	return hex.EncodeToString(sum[:])
}

// Key tells a league from all others, also from one of its id that was deleted.
func (l League) Key() string { return l.ID + " " + l.Secret }

// ErrLeague is wrapped by the error of a league that cannot be replayed. What is
// about others, or about all of them, goes on without it.
var ErrLeague = errors.New("the league cannot be replayed")

// A Search holds the criteria of a search in the archive; a zero field matches all games.
type Search struct {
	Names    string // words, with which those of the game's or a player's name begin
	State    string // GameRunning or how it ended
	Player   int64
	Won      string // "won" or "lost" by Player
	Players  int    // how many
	Rules    string
	Edition  string
	Ending   string    // "spes" or "ravagers"
	League   string    // id of one
	From, To time.Time // begun then or later, and before
	Before   string    // id of a game: only older ones
	Limit    int
}

// A Standing is what a player at a place of a game has said once for all.
type Standing struct {
	Game   string
	Place  int
	Player int64
	Orders string // JSON of a standing; "": nothing
}

// A Plan is a player's plan for a coming turn, and the result of the previous one until we have
// told the player.
type Plan struct {
	Game   string
	Place  int
	Player int64
	Turn   int    // turns the seat will have completed when it is tried
	Step   int    // length of the log when it was made
	Lines  string // of its letter, as order.Ahead.Text gives them; "" none
	Told   string // JSON of a Planned; "" none
}

// ResignBot is the bot that plays on for players who leave, and in seats for which players
// write just "bot".
const ResignBot = bot.Greedy
