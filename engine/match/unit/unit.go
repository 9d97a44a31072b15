// Package unit is one transaction of the desk: the games, players and leagues that it has
// loaded, the letters out that it writes, and the sender of the letter in. Nothing is written
// before obey.Close, and all of it happens at one moment, Unit.At. The packages next to it do
// what letters and due rows ask for, as functions of a Unit.
package unit

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/replays"
	"angelpost/engine/order"
	"angelpost/engine/pace"
	"angelpost/engine/store"
)

// Alone reports whether a game has at most one human player. Ratings count listed games. So a
// player with only bots can neither end one without a result, nor change whether it counts once
// it has begun: no one else could agree to that.
func (t *Game) Alone() bool {
	persons := 0
	for i := range t.Seats {
		if !t.Seats[i].Unplayed() {
			persons++
		}
	}
	return persons < 2
}

// Pace returns the game's clock.
func (t *Game) Pace() pace.Control {
	if t.Row.Options.Clock == "" {
		return pace.Control{}
	}
	p, err := pace.Parse(t.Row.Options.Clock)
	if err != nil { // it was printed by a Pace
		return pace.Control{}
	}
	return p
}

// A PendingDecision is what a player has to decide before one deadline.
type PendingDecision struct {
	Waits, Own bool // its own turn
	turn       int  // turns completed
}

// PendingDecisionOf returns what a seat has to decide now.
func PendingDecisionOf(p *game.Replay, seat engine.Seat) PendingDecision {
	if p == nil || !p.Waits(seat) {
		return PendingDecision{}
	}
	return PendingDecision{true, p.OnTurn() == seat, p.Turns[seat]}
}

// Unschedule stops a seat's clock.
func (u *Unit) Unschedule(x *store.Seat) {
	x.Deadline = time.Time{}
	for _, kind := range []string{store.DueRemind, store.DueLate, store.DueMissed} {
		u.Check(u.Tx.ClearDue(kind, x.Game, x.Place))
	}
}

// Over closes a game that did not reach its end.
func (u *Unit) Over(t *Game, state string) {
	t.Row.State, t.Row.Ended = state, u.At
	u.Check(u.Tx.ClearDue(store.DueExpire, t.Row.ID, 0))
}

// Commitment is the hash of a game's seed, which its players know from the start.
func (u *Unit) Commitment(t *Game) string {
	seed, err := game.ParseSeed(t.Row.Seed)
	if err != nil {
		return ""
	}
	return engine.Commitment(seed)
}

// NewTenure returns a tenure that begins after the last line of the log.
func (t *Game) NewTenure(x *store.Seat, why string) game.Tenure {
	n := game.Tenure{Place: x.Place, Since: t.Replay.Step(), Player: x.Player, Bot: x.Bot, Name: x.Name, Why: why}
	if n.Bot != "" {
		if n.Player != 0 {
			n.Name = "" // of the player who left
		}
		n.Player = 0
	}
	return n
}

// Emptied reports whether a seat has been empty since a decision of by's.
func (t *Game) Emptied(x *store.Seat, by game.By) bool {
	for _, l := range slices.Backward(t.Replay.Lines) {
		if l.Seat == x.Seat && (strings.HasPrefix(l.Order, "replace ") || l.Order == "resign") {
			return l.By == by
		}
	}
	return false
}

// Parts returns each seat's shares of a game, as of this transaction.
func (u *Unit) Parts(t *Game) ([][]game.Share, error) {
	stored, err := u.Tx.Tenures([]string{t.Row.ID})
	if err != nil {
		return nil, err
	}
	return t.Replay.Shares(append(stored[t.Row.ID], t.Tenures...), replays.Holders(t.Seats)), nil
}

// A Unit is one transaction of the desk: the letter in, the games it
// touches, and the letters out that it causes, at most one for each game and
// address.
type Unit struct {
	*Env
	Log     *slog.Logger // of the Env; it names the letter in
	Tx      store.Tx
	At      time.Time
	Command Command
	Letter  *store.Letter // nil: no letter caused this
	Games   []*Game
	Players map[int64]*store.Player
	Loaded  map[int64]store.Player // as stored
	Drafts  []*Draft
	Attempt *Attempt

	Unproven bool // anyone could have written the letter in (package gate)
	Friend   bool // its writer has not joined as a player, but someone here has named their address
	Acts     bool // it comes from a stranger, and wants more than information
	Later    bool // its answer waits for a collected letter

	Err error // the first of the store's that was not returned: see check

	Leagues []*League
	ByHost  bool // the host acts, who may know of every league

	Regained []int64 // letters that were taken up again
	Leaves   bool    // a player leaves games or a league: others get one letter about both

	toErase map[int64]bool // nil: not loaded
}

// ToErase reports whether a player has asked to be forgotten, and will be erased soon.
func (u *Unit) ToErase(player int64) bool {
	if u.toErase == nil {
		rows, err := u.Tx.DuesOf(store.DueErase, "")
		u.Check(err)
		u.toErase = map[int64]bool{}
		for _, row := range rows {
			u.toErase[int64(row.Place)] = true
		}
	}
	return u.toErase[player]
}

// EraseAt schedules the erasure of a player.
func (u *Unit) EraseAt(player int64, at time.Time) {
	u.Check(u.Tx.ClearDue(store.DueErase, "", int(player)))
	u.Check(u.Tx.AddDue(&store.Due{At: at, Kind: store.DueErase, Place: int(player)}))
	u.toErase = nil
}

// Check records the first error of the store. The unit goes on as if there were none, and is
// rolled back at its end.
func (u *Unit) Check(err error) {
	if u.Err == nil {
		u.Err = err
	}
}

// Outcome returns the error with which a unit ends: the first of the store, else the one that
// stopped it.
func (u *Unit) Outcome(err error) error {
	if u.Err != nil {
		return u.Err
	}
	return err
}

// Bump adds one to a key's counter of a day and returns the count.
func (u *Unit) Bump(key, day string) int {
	n, err := u.Tx.Bump(key, day)
	if err != nil {
		u.Check(err)
		return 0
	}
	return n
}

// Counted returns a key's count on a day.
func (u *Unit) Counted(key, day string) int {
	n, err := u.Tx.Count(key, day)
	if err != nil {
		u.Check(err)
		return 0
	}
	return n
}

// Day is the unit's day, UTC, by which bounds are counted.
func (u *Unit) Day() string { return u.At.Format(time.DateOnly) }

// Player loads a player once.
func (u *Unit) Player(id int64) *store.Player {
	if p := u.Players[id]; p != nil {
		return p
	}
	p, err := u.Tx.Player(id)
	if err != nil {
		u.Check(fmt.Errorf("player %d: %w", id, err))
		return &store.Player{ID: id}
	}
	u.Players[id], u.Loaded[id] = &p, p
	return &p
}

// load loads the players of seats at once.
func (u *Unit) load(seats []store.Seat) {
	ids := make([]int64, len(seats))
	for i, x := range seats {
		ids[i] = x.Player
	}
	u.LoadPlayers(ids)
}

// LoadPlayers loads players at once; it skips 0.
func (u *Unit) LoadPlayers(ids []int64) {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return id == 0 || u.Players[id] != nil })
	if len(ids) == 0 {
		return
	}
	rows, err := u.Tx.Players(ids)
	if err != nil {
		u.Check(err)
		return
	}
	for id, p := range rows {
		u.Players[id], u.Loaded[id] = &p, p
	}
}

// A Game is a game in a unit of work.
type Game struct {
	Row     store.Game
	Seats   []store.Seat  // by place
	Stored  []store.Seat  // as loaded
	Replay  *game.Replay  // nil before the start
	From    int           // length of the log when loaded
	Waited  map[int]bool  // places the game waited for when loaded
	Turned  []engine.Seat // seats whose turn ended in this transaction
	Moved   map[int]bool  // places that took a step in this transaction
	keys    []store.Key
	Vacated []int         // places whose players have left in this transaction, until others are sought
	Fresh   bool          // begun in this transaction
	Ended   bool          // over since this transaction
	Ruled   bool          // a ruling of this transaction has given it a result, or made it void
	Tenures []game.Tenure // new ones

	Pending map[int]PendingDecision // what the game waited for when loaded, by place
	Ahead   any                     // what package turns keeps of it: plans and standing orders
}

// Game loads a game once.
func (u *Unit) Game(id string) (*Game, error) {
	for _, t := range u.Games {
		if t.Row.ID == id {
			return t, nil
		}
	}
	row, seats, err := u.Replays.Stored(u.Tx, id)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", id, err)
	}
	t := &Game{Row: row, Seats: seats, Moved: map[int]bool{}, Waited: map[int]bool{}, Pending: map[int]PendingDecision{}}
	t.Stored = slices.Clone(t.Seats)
	u.load(t.Seats)
	if !row.Started.IsZero() {
		p, err := u.Replays.Replay(u.Tx, row, t.Seats)
		if err != nil {
			return nil, err
		}
		t.Replay = p.Copy()
		t.From = p.Step()
		t.markWaiting()
	}
	u.Games = append(u.Games, t)
	return t, nil
}

func (t *Game) markWaiting() {
	for i := range t.Seats {
		if x := &t.Seats[i]; x.Seat > 0 {
			t.Waited[x.Place] = t.Replay.Waits(engine.Seat(x.Seat))
			t.Pending[x.Place] = PendingDecisionOf(t.Replay, engine.Seat(x.Seat))
		}
	}
}

// Running reports whether the game has begun and is not over.
func (t *Game) Running() bool { return t.Row.State == store.GameRunning }

// Place returns the seat row of a place in invitation order.
func (t *Game) Place(n int) *store.Seat {
	if n < 1 || n > len(t.Seats) {
		return nil
	}
	return &t.Seats[n-1]
}

// BySeat returns the row of a seat number.
func (t *Game) BySeat(n engine.Seat) *store.Seat {
	for i := range t.Seats {
		if t.Seats[i].Seat == int(n) && n > 0 {
			return &t.Seats[i]
		}
	}
	return nil
}

// Of returns the row of a player, nil if they have none.
func (t *Game) Of(player int64) *store.Seat {
	if t == nil {
		return nil
	}
	for i := range t.Seats {
		if x := &t.Seats[i]; player != 0 && (x.Player == player || x.Heir == player) {
			return x
		}
	}
	return nil
}

// Names returns the players' names, by seat once there are seats.
func (t *Game) Names() []string {
	out := make([]string, len(t.Seats))
	for i, x := range t.Seats {
		if x.Seat > 0 && x.Seat <= len(out) {
			out[x.Seat-1] = x.Name
		} else {
			out[i] = x.Name
		}
	}
	return out
}

// NamesOf joins the names of seats for an argument.
func (t *Game) NamesOf(seats []engine.Seat) string {
	var out []string
	for _, n := range seats {
		if x := t.BySeat(n); x != nil {
			out = append(out, x.Name)
		}
	}
	return strings.Join(out, ", ")
}

// Reading returns the context with which the order language reads names. names are the players'
// names in the letter that the lines answer; nil: the lines answer no letter.
func (t *Game) Reading(names []string) order.Context {
	if names == nil {
		return order.Context{Names: t.Names()}
	}
	return order.Context{Names: names, Now: t.Names()}
}

// Context is Reading for a seat's line, with what the seat sees.
func (t *Game) Context(seat engine.Seat, names []string) order.Context {
	ctx := t.Reading(names)
	ctx.View = t.Replay.State.Project(seat)
	return ctx
}

// PageKey returns the key of a player's page and their mute key, made if there are none
// yet or fresh ones are wanted.
func (u *Unit) PageKey(t *Game, x *store.Seat, fresh bool) (k store.Key, err error) {
	if t.keys == nil {
		if t.keys, err = u.Tx.Keys(t.Row.ID); err != nil {
			return k, err
		}
	}
	for i, k := range t.keys {
		if k.Place == x.Place && k.Player == x.Player {
			if !fresh {
				return k, nil
			}
			t.keys = slices.Delete(t.keys, i, i+1)
			break
		}
	}
	k = store.Key{Game: t.Row.ID, Place: x.Place, Player: x.Player}
	for _, key := range []*string{&k.Key, &k.Mute} {
		*key = u.RandomText(16)
	}
	t.keys = append(t.keys, k)
	u.Check(u.Tx.SetKey(k))
	return k, nil
}

// HomeKey returns the key of a player's start page. It makes one if there is none yet, or if a
// fresh one is wanted; the old one then stops working.
func (u *Unit) HomeKey(player int64, fresh bool) (key string, err error) {
	if !fresh {
		key, err = u.Tx.HomeKey(player)
		if none, err := Missing(err); err != nil || !none {
			return key, err
		}
	}
	key = u.RandomText(16)
	u.Check(u.Tx.SetHomeKey(player, key))
	return key, nil
}

// Missing distinguishes a lookup that found nothing from one that failed.
func Missing(err error) (bool, error) {
	if errors.Is(err, store.ErrNotFound) {
		return true, nil
	}
	return false, err
}

// Mute marks the letter as one that gets no answer, for good reason.
func (u *Unit) Mute(why string) { u.Letter.State, u.Letter.Why = store.LetterMute, why }

// WaitingFor returns the names of players who have yet to join.
func (t *Game) WaitingFor() string {
	var out []string
	for _, x := range t.Seats {
		if x.Stage == store.SeatInvited || x.Stage == store.SeatOpen {
			out = append(out, x.Name)
		}
	}
	return strings.Join(out, ", ")
}

// Step returns how many lines the log has, 0 before the start.
func (t *Game) Step() int {
	if t.Replay == nil {
		return 0
	}
	return t.Replay.Step()
}

// Named finds a player of the table by name or seat, in the answer to a letter with
// these names (Reading).
func (t *Game) Named(name string, names []string) (x *store.Seat, code string) {
	seat, p := t.Reading(names).Seat(name)
	if p != nil {
		return nil, p.Code
	}
	for i := range t.Seats {
		x := &t.Seats[i]
		if x.Seat == int(seat) || x.Seat == 0 && i == int(seat)-1 {
			return x, ""
		}
	}
	return nil, order.NoName
}
