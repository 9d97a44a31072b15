// Package seating decides which players have which seats: new games and open games,
// invitations, joining, names and addresses, replacing and resigning.
package seating

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/replays"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/pace"
	"angelpost/engine/store"
)

// MayStart reports whether this server lets the writer start games; known: they have played
// here.
func MayStart(u *unit.Unit, address string, known bool) bool {
	switch u.Start {
	case "known":
		return known || u.Appointed(address) || address == u.Command.From && u.Befriended()
	case "list":
		return slices.ContainsFunc(u.List, func(a string) bool { return u.Address(a) == address })
	}
	return true
}

// NewGame starts a game, or asks first if the letter had no token.
func NewGame(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	if !MayStart(u, w.Player.Address, w.Registered) {
		return notice.Refuse(notice.ProblemStart)
	}
	if c.Word.Game.Bad {
		return notice.Refuse(notice.ProblemNewGame)
	}
	if !w.Words {
		_, err := create(u, w.Player, c.Word.Game, "", w.Answer)
		if err == nil {
			c.Done()
		}
		return err
	}
	if w.Answer.Confirm != 0 {
		return notice.Refuse(notice.ProblemMany, "word", order.NewGame.String(), "n", "1")
	}
	if !MayAsk(u, c) {
		return nil
	}
	q, err := gameQuestion(u, w.ID, w.Player.Address, c.Word.Game)
	if err != nil {
		return err
	}
	w.Answer.Confirm = q.ID
	c.Line.Status = notice.LineAsked
	w.Answer.Answer.Remarks = append(w.Answer.Answer.Remarks, askNew(u, w.Player.Address, c.Word.Game))
	return nil
}

// askedGame is the stored form of a new game that waits for a yes.
type askedGame struct {
	Game order.Options
	Name string
}

func gameQuestion(u *unit.Unit, player int64, address string, o order.Options) (*store.Confirm, error) {
	lines, err := json.Marshal(askedGame{o, u.Command.Name})
	if err != nil {
		return nil, err
	}
	q := &store.Confirm{Kind: store.ConfirmGame, Player: player, Address: address, Lines: string(lines)}
	u.Question(q)
	return q, nil
}

// MayAsk reports whether we can ask the writer to confirm a word that needs a yes, and
// refuses the word if not.
func MayAsk(u *unit.Unit, c *unit.Call) bool {
	w := c.Sender
	if w.Answer.Confirm != 0 {
		c.Refuse(notice.ProblemApart, "word", c.Word.Kind.String())
		return false
	}
	ok := gate.Spend(u, gate.Counter(u, "ask/"+w.Player.Address), gate.AskRate)
	if !ok {
		c.Refuse(notice.ProblemMany, "word", c.Word.Kind.String(), "n", strconv.Itoa(gate.AskRate.Day))
		return false
	}
	w.Answer.Counted = ok
	return ok
}

// AskNewGame asks a stranger to confirm that they want to start a game.
func AskNewGame(u *unit.Unit, address string) error {
	var o order.Options
	var seats *notice.Problem
	for _, it := range order.ReadLetter(u.Command.Lines).Items {
		if it.Word.Kind == order.NewGame {
			o = it.Word.Game
		}
		if it.Problem != nil && it.Problem.Code == order.SeatsOption {
			seats = turns.Problem(it.Problem)
		}
	}
	if o.Bad {
		d := gate.AnswerStranger(u, notice.Refused)
		d.Answer.Lines = []notice.LineResult{{Text: order.NewGame.String(), Status: notice.LineRefused, Problem: notice.Refuse(notice.ProblemNewGame)}}
		if seats != nil {
			d.Answer.Lines = append(d.Answer.Lines, notice.LineResult{Text: "players: " + seats.Args["word"], Status: notice.LineRefused, Problem: seats})
		}
		d.Say(notice.TellNever)
		return nil
	}
	q, err := gameQuestion(u, 0, address, o)
	if err != nil {
		return err
	}
	d := gate.AnswerStranger(u, notice.None)
	d.Confirm = q.ID
	d.Answer.Remarks = append(d.Answer.Remarks, askNew(u, address, o))
	u.AsksStranger(d)
	d.Say(notice.TellNever)
	return nil
}

// askNew tells the writer from an address which game o describes. It repeats only words that we
// know: addresses, the name, and our own words.
func askNew(u *unit.Unit, address string, o order.Options) notice.Remark {
	known := func(s string, all ...string) string {
		if slices.Contains(all, s) {
			return s
		}
		return ""
	}
	o.Rules, o.Edition = known(o.Rules, "base", "advanced"), known(o.Edition, "revised", "first")
	o.Visibility, o.Hints = known(o.Visibility, "private", "unlisted", "listed"), known(o.Hints, "yes", "no")
	if u.Sets[o.Set] == nil {
		o.Set = ""
	}
	if _, err := pace.Parse(o.Clock); err != nil {
		o.Clock = ""
	}
	row, err := Options(u, o)
	if err != nil { // nothing is left that it refuses
		row.Name = ""
	}
	var others []string
	people, free := 1, 0
	for _, a := range o.Players {
		switch name, err := turns.AskedBot(a); {
		case order.IsBot(a) && err == nil:
			others = append(others, turns.Asking(name))
		case order.IsBot(a): // said after the yes
			others = append(others, "bot")
		case a == order.Anyone:
			free++
		case u.Address(a) != u.Address(address):
			others = append(others, a)
			people++
		}
	}
	free += max(0, o.Seats-1-len(others)-free)
	players := min(1+len(others)+free, engine.MaxPlayers)
	hal := ""
	if players == 1 {
		hal = known(engine.LevelNamed(o.Hal).Name(), "easy", "standard", engine.Difficult, "extreme")
		hal = engine.LevelNamed(cmp.Or(hal, "standard")).String()
	}
	hints := o.Hints == "yes" || o.Hints == "" && people+free == 1
	return notice.Remark{Code: notice.AskNew, List: unit.Bounded(others), Args: map[string]string{
		"name": row.Name, "free": strconv.Itoa(free), "players": strconv.Itoa(players), "rules": row.Options.Rules, "edition": row.Options.Edition,
		"set": row.Options.Set, "hal": hal, "clock": row.Options.Clock, "visibility": row.Visibility, "hints": strconv.FormatBool(hints),
	}}
}

// NewGameYes starts the game that a yes confirms.
func NewGameYes(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	var asked askedGame
	if err := json.Unmarshal([]byte(c.Lines), &asked); err != nil {
		return fmt.Errorf("new game: %w", err)
	}
	p, d, err := Confirmer(u, w, c, asked.Name)
	if err != nil {
		return err
	}
	_, err = create(u, p, asked.Game, "", d)
	Settle(d, w, order.NewGame, err)
	return err
}

// Settle records in the answer to a yes whether the word succeeded. An error is at the line of
// the yes, if we read the letter as a player's.
func Settle(d *unit.Draft, w *unit.Sender, k order.WordKind, err error) {
	p := notice.AsProblem(err)
	if d.Result = notice.Applied; p == nil {
		return
	}
	if d.Result = notice.Refused; w.Answer == nil {
		d.Answer.Lines = append(d.Answer.Lines, notice.LineResult{Text: k.String(), Status: notice.LineRefused, Problem: p})
	}
}

// Confirmer returns the player who said yes to a question that may have gone to a
// stranger, and the answer to them; called is the name their letter gives.
func Confirmer(u *unit.Unit, w *unit.Sender, c store.Confirm, called string) (*store.Player, *unit.Draft, error) {
	row := u.AddressOf(c.Address)
	if row.Player == 0 {
		if _, ok := u.ProperName(w.Called); ok {
			called = w.Called
		}
		p := u.AddPlayer(c.Address, called)
		row.Player = p.ID
	}
	p := u.Player(row.Player)
	p.Registered = true
	if w.Answer != nil {
		return p, w.Answer, nil
	}
	d, err := u.AnswerTo(p.ID, nil)
	return p, d, err
}

// create makes a game with its invitations; it is the rematch of another game unless that is
// "". d is the answer to its organiser. If the game is not possible, the error is a
// notice.Problem.
func create(u *unit.Unit, organiser *store.Player, o order.Options, rematchOf string, d *unit.Draft) (*unit.Game, error) {
	row, err := Options(u, o)
	if err != nil {
		return nil, err
	}
	seats, err := guests(u, organiser, o.Players)
	if err != nil {
		return nil, err
	}
	seats = fill(seats, o.Seats)
	if err := Opens(u, organiser.ID, &row, seats, o.Visibility); err != nil {
		return nil, err
	}
	row.Organiser, row.RematchOf = organiser.ID, rematchOf
	if err := SeatOptions(&row.Options, len(seats), o.Hal); err != nil {
		return nil, err
	}
	AllowHints(&row.Options, o.Hints, seats)
	t, err := Lay(u, row, seats)
	if err != nil {
		return nil, err
	}
	d = answerAbout(u, d, t, t.Of(organiser.ID))
	created := d.Say(notice.SayCreated, "game", t.Row.Name, "commitment", u.Commitment(t))
	for i := range t.Seats {
		x := &t.Seats[i]
		if x.Stage != store.SeatInvited {
			continue
		}
		p := u.Player(x.Player)
		created.List = append(created.List, p.Address)
		Invite(u, t, x.Place, x.Player, t.Row.Organiser)
	}
	if t.Row.Options.Open {
		d.Say(notice.SayOpened, "game", t.Row.ID)
	}
	d.WantsName(t.Of(organiser.ID))
	return t, StartIfJoined(u, t)
}

// Options checks the organiser's options for a game.
func Options(u *unit.Unit, o order.Options) (row store.Game, p error) {
	row = store.Game{State: store.GameInvited, Visibility: store.Unlisted, Options: game.Options{
		Rules: "base", Edition: "revised", RulesVersion: game.RulesVersion, Set: u.Set}}
	not := func(word string) error {
		return notice.Refuse(notice.ProblemOption, "word", word)
	}
	switch {
	case o.Rules != "" && o.Rules != "base" && o.Rules != "advanced":
		return row, not("rules: " + o.Rules)
	case o.Edition != "" && o.Edition != "revised" && o.Edition != "first":
		return row, not("edition: " + o.Edition)
	case o.Set != "" && u.Sets[o.Set] == nil:
		return row, not("set: " + o.Set)
	}
	if o.Rules != "" {
		row.Options.Rules = o.Rules
	}
	if o.Edition != "" {
		row.Options.Edition = o.Edition
	}
	if o.Set != "" {
		row.Options.Set = o.Set
	}
	if o.Visibility != "" {
		row.Visibility = o.Visibility
	}
	if o.Clock != "" {
		pace, err := pace.Parse(o.Clock)
		if err != nil {
			return row, notice.Refuse(notice.ProblemClock, "word", o.Clock)
		}
		if pace.Turn > 0 {
			row.Options.Clock = pace.String()
		}
	}
	row.Name = naming.Unlinked(naming.Clean(u.NFC(o.Name), false))
	return row, nil
}

// SeatOptions sets the number of players and, for one player, Hal's level.
func SeatOptions(o *game.Options, players int, hal string) error {
	o.Players = players
	switch {
	case players == 1 && hal == "":
		o.Hal = engine.Standard.String()
	case players == 1:
		o.Hal = hal
	case hal != "":
		return notice.Refuse(notice.ProblemHal, "n", strconv.Itoa(players))
	}
	return nil
}

// AllowHints sets whether players may ask for the planner's proposal: as wanted, or, if that is
// not set, only if one person plays.
func AllowHints(o *game.Options, want string, seats []store.Seat) {
	people := 0
	for _, x := range seats {
		if x.Bot == "" {
			people++
		}
	}
	o.Hints = want == "yes" || want == "" && people == 1
}

// guests returns the seats in invitation order; the organiser has one of them.
func guests(u *unit.Unit, organiser *store.Player, players []string) (seats []store.Seat, err error) {
	own := false
	bots := 0
	var asked []string // those to be invited
	for _, a := range players {
		if order.IsBot(a) {
			name, err := turns.AskedBot(a)
			if err != nil {
				return nil, err
			}
			bots++
			seats = append(seats, store.Seat{Bot: name, Stage: store.SeatJoined, Name: turns.BotName(nth(bots), name)})
			continue
		}
		if a == order.Anyone {
			seats = append(seats, store.Seat{Stage: store.SeatOpen})
			continue
		}
		id, err := u.Guest(organiser, a, asked...)
		if err != nil {
			return nil, err
		}
		if id != organiser.ID {
			asked = append(asked, u.Address(a))
		}
		for _, x := range seats {
			if x.Player == id {
				return nil, notice.Refuse(notice.ProblemTwice, "word", a)
			}
		}
		own = own || id == organiser.ID
		seats = append(seats, store.Seat{Player: id, Stage: store.SeatInvited, Name: u.Players[id].Name})
	}
	if !own {
		seats = append([]store.Seat{{Player: organiser.ID, Stage: store.SeatInvited, Name: organiser.Name}}, seats...)
	}
	if len(seats) > engine.MaxPlayers {
		return nil, notice.Refuse(notice.ProblemPlayers, "n", strconv.Itoa(len(seats)))
	}
	for i := range seats {
		if seats[i].Player == organiser.ID {
			seats[i].Stage = store.SeatJoined
		}
	}
	return seats, nil
}

// nth returns the number of bot n in its name.
func nth(n int) string {
	if n == 1 {
		return ""
	}
	return strconv.Itoa(n)
}

// Lay stores a new game and adds it to the unit's games.
func Lay(u *unit.Unit, row store.Game, seats []store.Seat) (*unit.Game, error) {
	id := u.RandomText(10)
	id = u.Shard + id[min(len(u.Shard), len(id)):]
	row.ID, row.Name, row.Created, row.Changed = id, store.GameCalled(id, row.Name), u.At, u.At
	if row.Seed == "" {
		var seed [32]byte
		if _, err := io.ReadFull(&u.Attempt.Drawn, seed[:]); err != nil {
			return nil, fmt.Errorf("randomness: %w", err)
		}
		row.Seed = hex.EncodeToString(seed[:])
	}
	for i := range seats {
		x := &seats[i]
		x.Game, x.Place, x.Seen = id, i+1, -1
		taken := func(name string) bool {
			return slices.ContainsFunc(seats[:i], func(y store.Seat) bool { return u.Replays.Namer.Alike(y.Name, name) })
		}
		if x.Name != "" && taken(x.Name) { // two friends of one name
			x.Name = u.FreeName(x.Name, taken)
		}
		switch {
		case x.Name != "":
		case x.Stage == store.SeatOpen:
			x.Name = store.FreeSeat(x.Place)
		default: // until they say it
			x.Name = store.StandIn(x.Player)
		}
	}
	u.Check(u.Tx.AddGame(row, seats))
	t := &unit.Game{Row: row, Seats: seats, Stored: slices.Clone(seats), Moved: map[int]bool{}, Waited: map[int]bool{}, Pending: map[int]unit.PendingDecision{}}
	u.Games = append(u.Games, t)
	if row.State == store.GameInvited {
		u.Check(u.Tx.AddDue(&store.Due{At: u.At.Add(u.InviteFor), Kind: store.DueExpire, Game: id}))
	}
	return t, nil
}

// Invite writes an invitation to a player for a place, as its player or heir; by is the player
// who wants that, 0 the host.
func Invite(u *unit.Unit, t *unit.Game, place int, player, by int64) *notice.Invite {
	p := u.Player(player)
	u.Invited(by, p.Address)
	d := u.DraftFor(player, t, notice.KindInvitation)
	d.Place = place
	d.Kind = notice.KindInvitation
	inv := &notice.Invite{
		Players: t.Row.Options.Players, Names: t.Names(), Rules: t.Row.Options.Rules, Edition: t.Row.Options.Edition,
		Set: t.Row.Options.Set, Hints: t.Row.Options.Hints, Visibility: t.Row.Visibility, Commitment: u.Commitment(t),
		Clock: t.Row.Options.Clock, Expires: u.At.Add(u.InviteFor).Format(time.DateOnly),
	}
	if x := t.Of(t.Row.Organiser); x != nil {
		inv.Organiser = x.Name
	}
	d.Answer.Invite = inv
	return inv
}

// StartIfJoined begins the game once everyone has joined: it mixes their random words into the
// seed and draws the seats.
func StartIfJoined(u *unit.Unit, t *unit.Game) error {
	if t.Row.State != store.GameInvited {
		return nil
	}
	for _, x := range t.Seats {
		if x.Stage != store.SeatJoined {
			return nil
		}
	}
	t.Row.Mixed = true
	return Begin(u, t)
}

// Begin starts the game; without Mixed the seats are in invitation order.
func Begin(u *unit.Unit, t *unit.Game) error {
	for i := range t.Seats {
		t.Seats[i].Seat = i + 1
	}
	head, err := replays.Header(t.Row, t.Seats)
	if err != nil {
		return err
	}
	if t.Row.Mixed {
		for seat, place := range engine.DrawSeats(u.Replays.ChanceOf(head)(), len(t.Seats)) {
			t.Seats[place].Seat = seat + 1
		}
	}
	var set *component.Set
	err = u.Replays.Reading(t.Row.ID, func() (err error) {
		if set, err = u.Replays.SetOf(t.Row); err == nil {
			t.Replay, err = game.NewReplay(set, t.Row.Options, u.Replays.ChanceOf(head))
		}
		return err
	})
	if err != nil {
		return err
	}
	for i := range t.Seats {
		t.Tenures = append(t.Tenures, t.NewTenure(&t.Seats[i], game.TenureStart))
	}
	t.Row.State, t.Row.Started, t.Row.SetHash = store.GameRunning, u.At, set.Hash
	t.Fresh = true
	u.Check(u.Tx.ClearDue(store.DueExpire, t.Row.ID, 0))
	return nil
}

// A NewPlayer is one seat of a game made at the command line.
type NewPlayer struct {
	Address string // "": a bot; or one as SeatBot reads it
	Name    string
}

// A NewGameOrder is a game made at the command line or by the demo.
type NewGameOrder struct {
	Players    []NewPlayer // in invitation order; with Started: by seat
	Organiser  string      // address; "" no one
	Name       string
	Visibility string
	Rules      string
	Edition    string
	Hal        string // Hal's level where he plays; "" standard
	Set        string
	Hints      string    // yes or no; "": yes where one person plays
	Clock      string    // as ParsePace reads it; "" none
	Seed       *[32]byte // nil: random
	Started    bool      // begin at once, without invitations and entropy
}

// Places returns the seats of a game made at the command line.
func Places(u *unit.Unit, n NewGameOrder) (seats []store.Seat, err error) {
	if len(n.Players) < 1 || len(n.Players) > engine.MaxPlayers {
		return nil, fmt.Errorf("%d players: 1 to %d can play", len(n.Players), engine.MaxPlayers)
	}
	if np := n.Players[0]; len(n.Players) == 1 && (np.Address == "" || order.IsBot(np.Address)) {
		return nil, fmt.Errorf("a bot alone against Hal: one player must be a person")
	}
	bots := 0
	for _, np := range n.Players {
		if np.Address == order.Anyone && !n.Started {
			seats = append(seats, store.Seat{Stage: store.SeatOpen})
			continue
		}
		if np.Address == "" || order.IsBot(np.Address) {
			bot, err := turns.ReadBot(cmp.Or(np.Address, "bot"))
			if err != nil {
				return nil, err
			}
			bots++
			if name, ok := u.ProperName(np.Name); ok {
				np.Name = name
			} else {
				np.Name = turns.BotName(nth(bots), bot)
			}
			seats = append(seats, store.Seat{Bot: bot, Stage: store.SeatJoined, Name: np.Name})
			continue
		}
		id, err := u.Guest(nil, np.Address)
		if err != nil {
			return nil, fmt.Errorf("player: %w", err)
		}
		if slices.ContainsFunc(seats, func(x store.Seat) bool { return x.Player == id }) {
			return nil, fmt.Errorf("player %s is named twice", np.Address)
		}
		pl := u.Players[id]
		switch name, ok := u.ProperName(np.Name); {
		case ok:
			np.Name, pl.Name = name, cmp.Or(pl.Name, name)
		case np.Name != "":
			return nil, fmt.Errorf("player %s: %w", np.Address, u.BadName(np.Name, func(string) bool { return false }))
		default:
			np.Name = pl.Name
		}
		x := store.Seat{Player: id, Stage: store.SeatInvited, Name: np.Name}
		if n.Started {
			x.Stage, pl.Registered = store.SeatJoined, true
		}
		seats = append(seats, x)
	}
	return seats, nil
}
