package match

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/pace"
	"angelpost/engine/store"
)

// mayStart reports whether this server lets the writer start games.
func (s *unit) mayStart(address string, known bool) bool {
	switch s.Start {
	case "known":
		return known
	case "list":
		return slices.ContainsFunc(s.List, func(a string) bool { return s.Address(a) == address })
	}
	return true
}

// newGameWord starts a game, or asks first where the letter bore no token.
func (s *unit) newGameWord(c *call) error {
	w := c.w
	if !s.mayStart(w.Player.Address, true) {
		return notice.Refuse(notice.ProblemStart)
	}
	if c.word.Game.Bad {
		return notice.Refuse(notice.ProblemNewGame)
	}
	if !w.words {
		_, err := s.create(w.Player, c.word.Game, w.answer)
		if err == nil {
			c.done()
		}
		return err
	}
	if w.answer.confirm != 0 {
		return notice.Refuse(notice.ProblemMany, "word", order.NewGame.String(), "n", "1")
	}
	if !s.mayAsk(c) {
		return nil
	}
	q, err := s.gameQuestion(w.ID, w.Player.Address, c.word.Game)
	if err != nil {
		return err
	}
	w.answer.confirm = q.ID
	c.line.Status = notice.LineAsked
	w.answer.say(notice.AskNew).List = bounded(s.cmd.Lines)
	return nil
}

// askedGame is what a confirmation of a new game keeps.
type askedGame struct {
	Game order.Options
	Name string
}

func (s *unit) gameQuestion(player int64, address string, o order.Options) (*store.Confirm, error) {
	lines, err := json.Marshal(askedGame{o, s.cmd.Name})
	if err != nil {
		return nil, err
	}
	q := &store.Confirm{Kind: store.ConfirmGame, Player: player, Address: address, Lines: string(lines)}
	s.question(q)
	return q, nil
}

// mayAsk reports whether we can ask the writer to confirm a word that needs a yes, and
// refuses the word if not.
func (s *unit) mayAsk(c *call) bool {
	w := c.w
	ok := s.spend(s.key("ask/"+w.Player.Address), askRate)
	if !ok || w.answer.confirm != 0 {
		c.refuse(notice.ProblemMany, "word", c.word.Kind.String(), "n", strconv.Itoa(askRate.day))
		return false
	}
	w.answer.counted = ok
	return ok
}

// question stores a confirmation and when it lapses.
func (s *unit) question(c *store.Confirm) {
	c.Open, c.Created, c.Expires = true, s.now, s.now.Add(s.InviteFor)
	s.check(s.tx.AddConfirm(c))
	s.check(s.tx.AddDue(&store.Due{At: c.Expires, Kind: store.DueConfirm, Ref: strconv.FormatInt(c.ID, 10)}))
}

// askNewGame asks a stranger to confirm that they want to start a game.
func (s *unit) askNewGame(address string) error {
	var o order.Options
	for _, it := range order.ReadLetter(s.cmd.Lines).Items {
		if it.Word.Kind == order.NewGame {
			o = it.Word.Game
		}
	}
	if o.Bad {
		d := s.answerStranger(notice.Refused)
		d.answer.Lines = []notice.LineResult{{Text: order.NewGame.String(), Status: notice.LineRefused, Problem: notice.Refuse(notice.ProblemNewGame)}}
		d.say(notice.TellNever)
		return nil
	}
	q, err := s.gameQuestion(0, address, o)
	if err != nil {
		return err
	}
	d := s.answerStranger(notice.None)
	d.confirm = q.ID
	d.say(notice.AskNew).List = bounded(s.askedLines(o))
	s.asksStranger(d)
	d.say(notice.TellNever)
	return nil
}

// askedLines writes the game that o asks for as the lines to ask for it. Of what
// was written nothing is repeated but that: the names, and words of ours.
func (s *unit) askedLines(o order.Options) []string {
	lines := []string{order.NewGame.String()}
	if len(o.Players) > 0 {
		players := slices.Clone(o.Players)
		for i, a := range players {
			if name, err := askedBot(a); order.IsBot(a) && err == nil {
				players[i] = asking(name)
			} else if order.IsBot(a) { // said after the yes
				players[i] = "bot"
			}
		}
		lines = append(lines, "players: "+strings.Join(players, ", "))
	}
	if o.Seats > 0 {
		lines = append(lines, "seats: "+strconv.Itoa(o.Seats))
	}
	if name := unlinked(clean(s.NFC(o.Name), false)); name != "" {
		lines = append(lines, "name: "+name)
	}
	clock := ""
	if c, err := pace.Parse(o.Clock); err == nil {
		clock = c.String()
	}
	for _, x := range []struct {
		key, is string
		known   bool
	}{
		{"rules", o.Rules, slices.Contains([]string{"base", "advanced"}, o.Rules)},
		{"edition", o.Edition, slices.Contains([]string{"revised", "first"}, o.Edition)},
		{"hal", engine.LevelNamed(o.Hal).Name(), slices.Contains([]string{"easy", "standard", engine.Difficult, "extreme"}, engine.LevelNamed(o.Hal).Name())},
		{"set", o.Set, s.Sets[o.Set] != nil},
		{"visibility", o.Visibility, slices.Contains([]string{"private", "unlisted", "listed"}, o.Visibility)},
		{"clock", clock, o.Clock != "" && clock != ""},
		{"hints", o.Hints, slices.Contains([]string{"yes", "no"}, o.Hints)},
	} {
		if x.known {
			lines = append(lines, x.key+": "+x.is)
		}
	}
	return lines
}

// newGameYes starts the game that was asked about.
func (s *unit) newGameYes(w *writer, c store.Confirm) error {
	var asked askedGame
	if err := json.Unmarshal([]byte(c.Lines), &asked); err != nil {
		return fmt.Errorf("new game: %w", err)
	}
	p, d, err := s.confirmer(w, c, asked.Name)
	if err != nil {
		return err
	}
	_, err = s.create(p, asked.Game, d)
	d.settle(w, order.NewGame, err)
	return err
}

// settle notes in the answer to a yes whether what was asked is done. That it is not
// stands at the line of the yes, if the letter was read as a player's.
func (d *draft) settle(w *writer, k order.WordKind, err error) {
	p := notice.AsProblem(err)
	if d.result = notice.Applied; p == nil {
		return
	}
	if d.result = notice.Refused; w.answer == nil {
		d.answer.Lines = append(d.answer.Lines, notice.LineResult{Text: k.String(), Status: notice.LineRefused, Problem: p})
	}
}

// confirmer returns the player who said yes to a question that may have gone to a
// stranger, and the answer to them; called is the name their letter gives.
func (s *unit) confirmer(w *writer, c store.Confirm, called string) (*store.Player, *draft, error) {
	row := s.address(c.Address)
	if row.Player == 0 {
		if _, ok := s.properName(w.called); ok {
			called = w.called
		}
		p := s.addPlayer(c.Address, called)
		row.Player = p.ID
	}
	p := s.player(row.Player)
	p.Registered = true
	if w.answer != nil {
		return p, w.answer, nil
	}
	d, err := s.answerTo(p.ID, nil)
	return p, d, err
}

// addPlayer makes a player of an address.
func (s *unit) addPlayer(address, name string) *store.Player {
	name, ok := s.properName(name)
	if !ok {
		name = ""
	}
	p := store.Player{Name: name, Address: address, Created: s.now}
	s.check(s.tx.AddPlayer(&p))
	s.players[p.ID] = &p
	return &p
}

// create makes a game with its invitations; d is the answer to its organiser.
// What cannot be is a Problem.
func (s *unit) create(organiser *store.Player, o order.Options, d *draft) (*table, error) {
	row, err := s.options(o)
	if err != nil {
		return nil, err
	}
	seats, err := s.guests(organiser, o.Players)
	if err != nil {
		return nil, err
	}
	seats = fill(seats, o.Seats)
	if err := s.opens(organiser.ID, &row, seats, o.Visibility); err != nil {
		return nil, err
	}
	row.Organiser = organiser.ID
	if err := seatOptions(&row.Options, len(seats), o.Hal); err != nil {
		return nil, err
	}
	allowHints(&row.Options, o.Hints, seats)
	t, err := s.lay(row, seats)
	if err != nil {
		return nil, err
	}
	if d.table == nil || !d.table.moved[d.place] { // the answer is about the new game
		d.table, d.place = t, t.of(organiser.ID).Place
	} else {
		d = s.draftFor(organiser.ID, t, notice.KindInfo)
	}
	created := d.say(notice.SayCreated, "game", t.row.ID, "commitment", s.commitment(t))
	for i := range t.seats {
		x := &t.seats[i]
		if x.Stage != store.SeatInvited {
			continue
		}
		p := s.player(x.Player)
		created.List = append(created.List, p.Address)
		s.invite(t, x.Place, x.Player, t.row.Organiser)
	}
	if t.row.Options.Open {
		d.say(notice.SayOpened, "game", t.row.ID)
	}
	d.wantsName(t.of(organiser.ID))
	return t, s.startIfJoined(t)
}

// options checks what the organiser wants against what can be played.
func (s *unit) options(o order.Options) (row store.Game, p error) {
	row = store.Game{State: store.GameInvited, Visibility: store.Unlisted, Options: game.Options{
		Rules: "base", Edition: "revised", RulesVersion: game.RulesVersion, Set: s.Set}}
	not := func(word string) error {
		return notice.Refuse(notice.ProblemOption, "word", word)
	}
	switch {
	case o.Rules != "" && o.Rules != "base" && o.Rules != "advanced":
		return row, not("rules: " + o.Rules)
	case o.Edition != "" && o.Edition != "revised" && o.Edition != "first":
		return row, not("edition: " + o.Edition)
	case o.Set != "" && s.Sets[o.Set] == nil:
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
	row.Name = unlinked(clean(s.NFC(o.Name), false))
	return row, nil
}

// seat sets how many play and, where one does, Hal's level.
func seatOptions(o *game.Options, players int, hal string) error {
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

// hints sets whether players may ask for the planner's proposal: as wanted, or
// else where one person plays.
func allowHints(o *game.Options, want string, seats []store.Seat) {
	people := 0
	for _, x := range seats {
		if x.Bot == "" {
			people++
		}
	}
	o.Hints = want == "yes" || want == "" && people == 1
}

// guests are the seats in invitation order; the organiser is one of them.
func (s *unit) guests(organiser *store.Player, players []string) (seats []store.Seat, err error) {
	own := false
	bots := 0
	var asked []string // those to be invited
	for _, a := range players {
		if order.IsBot(a) {
			name, err := askedBot(a)
			if err != nil {
				return nil, err
			}
			bots++
			seats = append(seats, store.Seat{Bot: name, Stage: store.SeatJoined, Name: botName(nth(bots), name)})
			continue
		}
		if a == order.Anyone {
			seats = append(seats, store.Seat{Stage: store.SeatOpen})
			continue
		}
		id, err := s.guest(organiser, a, asked...)
		if err != nil {
			return nil, err
		}
		if id != organiser.ID {
			asked = append(asked, s.Address(a))
		}
		for _, x := range seats {
			if x.Player == id {
				return nil, notice.Refuse(notice.ProblemTwice, "word", a)
			}
		}
		own = own || id == organiser.ID
		seats = append(seats, store.Seat{Player: id, Stage: store.SeatInvited, Name: s.players[id].Name})
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

// nth is the number of bot n in its name.
func nth(n int) string {
	if n == 1 {
		return ""
	}
	return strconv.Itoa(n)
}

// guest returns the player with an address to invite, as the same line invites others;
// organiser nil is the host, who may invite anyone.
func (s *unit) guest(organiser *store.Player, a string, others ...string) (int64, error) {
	no := func(code string) (int64, error) {
		return 0, notice.Refuse(code, "word", a)
	}
	address := s.Address(a)
	if address == "" || s.Own(address) {
		return no(notice.ProblemAddress)
	}
	row := s.address(address)
	if organiser != nil && row.Player == organiser.ID {
		return organiser.ID, nil
	}
	if organiser != nil {
		if err := s.mayInvite(organiser, address, others...); err != nil {
			return 0, err
		}
	} else if none := s.wantsNone(address); none {
		return no(notice.ProblemNever)
	}
	if row.Player != 0 {
		s.player(row.Player)
		return row.Player, nil
	}
	p := s.addPlayer(address, "")
	return p.ID, nil
}

// lay stores a new game and puts it on the unit's tables.
func (s *unit) lay(row store.Game, seats []store.Seat) (*table, error) {
	id := s.random(10)
	row.ID, row.Created, row.Changed = id, s.now, s.now
	if row.Seed == "" {
		var seed [32]byte
		if _, err := io.ReadFull(&s.attempt.drawn, seed[:]); err != nil {
			return nil, fmt.Errorf("randomness: %w", err)
		}
		row.Seed = hex.EncodeToString(seed[:])
	}
	for i := range seats {
		x := &seats[i]
		x.Game, x.Place, x.Seen = id, i+1, -1
		taken := func(name string) bool {
			return slices.ContainsFunc(seats[:i], func(y store.Seat) bool { return s.cache.Namer.alike(y.Name, name) })
		}
		if x.Name != "" && taken(x.Name) { // two friends of one name
			x.Name = s.freeName(x.Name, taken)
		}
		if x.Name == "" { // until they say it
			x.Name = store.StandIn(x.Place)
		}
	}
	s.check(s.tx.AddGame(row, seats))
	t := &table{row: row, seats: seats, stored: slices.Clone(seats), moved: map[int]bool{}, waited: map[int]bool{}, pending: map[int]pendingDecision{}}
	s.tables = append(s.tables, t)
	if row.State == store.GameInvited {
		s.check(s.tx.AddDue(&store.Due{At: s.now.Add(s.InviteFor), Kind: store.DueExpire, Game: id}))
	}
	return t, nil
}

func (s *unit) commitment(t *table) string {
	seed, err := game.ParseSeed(t.row.Seed)
	if err != nil {
		return ""
	}
	return engine.Commitment(seed)
}

// invite writes an invitation to a player for a place, as its player or heir; by is
// who wants that, 0 the host.
func (s *unit) invite(t *table, place int, player, by int64) {
	p := s.player(player)
	s.invited(by, p.Address)
	d := s.draftFor(player, t, notice.KindInvitation)
	d.place = place
	d.kind = notice.KindInvitation
	inv := &notice.Invite{
		Players: t.row.Options.Players, Names: t.names(), Rules: t.row.Options.Rules, Edition: t.row.Options.Edition,
		Set: t.row.Options.Set, Hints: t.row.Options.Hints, Visibility: t.row.Visibility, Commitment: s.commitment(t),
		Clock: t.row.Options.Clock, Expires: s.now.Add(s.InviteFor).Format(time.DateOnly),
	}
	if x := t.of(t.row.Organiser); x != nil {
		inv.Organiser = x.Name
	}
	d.answer.Invite = inv
}

// tellOrganiser writes to a game's organiser, unless it is about them.
func (s *unit) tellOrganiser(t *table, about int64, code string, args ...string) {
	if t.row.Organiser == 0 || t.row.Organiser == about {
		return
	}
	d := s.draftFor(t.row.Organiser, t, notice.KindInfo)
	d.say(code, args...)
}

// startIfJoined begins the game once everybody has joined: the words given are
// mixed into the seed and the seats are drawn.
func (s *unit) startIfJoined(t *table) error {
	if t.row.State != store.GameInvited {
		return nil
	}
	for _, x := range t.seats {
		if x.Stage != store.SeatJoined {
			return nil
		}
	}
	t.row.Mixed = true
	return s.begin(t)
}

// begin starts the game; without Mixed the seats are those of the invitation.
func (s *unit) begin(t *table) error {
	for i := range t.seats {
		t.seats[i].Seat = i + 1
	}
	head, err := header(t.row, t.seats)
	if err != nil {
		return err
	}
	if t.row.Mixed {
		for seat, place := range engine.DrawSeats(s.cache.chance(head)(), len(t.seats)) {
			t.seats[place].Seat = seat + 1
		}
	}
	set, err := s.cache.setOf(t.row)
	if err != nil {
		return err
	}
	if t.play, err = game.NewReplay(set, t.row.Options, s.cache.chance(head)); err != nil {
		return err
	}
	for i := range t.seats {
		t.stints = append(t.stints, t.stint(&t.seats[i], game.TenureStart))
	}
	t.row.State, t.row.Started, t.row.SetHash = store.GameRunning, s.now, set.Hash
	t.fresh = true
	s.check(s.tx.ClearDue(store.DueExpire, t.row.ID, 0))
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
	Hal        string // his level where one plays; "" standard
	Set        string
	Hints      string    // yes or no; "": yes where one person plays
	Clock      string    // as ParsePace reads it; "" none
	Seed       *[32]byte // nil: random
	Started    bool      // begin at once, without invitations and entropy
}

// NewGame makes a game. What cannot be gives an error that names the problem's
// code.
func (d *Desk) NewGame(ctx context.Context, n NewGameOrder) (id string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err = d.update(ctx, func(s *unit) error {
		row, err := s.options(order.Options{Rules: n.Rules, Edition: n.Edition, Set: n.Set, Visibility: n.Visibility, Name: n.Name, Clock: n.Clock})
		if err != nil {
			return err
		}
		if n.Seed != nil {
			row.Seed = hex.EncodeToString(n.Seed[:])
		}
		if n.Organiser != "" {
			id, err := s.guest(nil, n.Organiser)
			if err != nil {
				return fmt.Errorf("organiser: %w", err)
			}
			s.players[id].Registered = true
			row.Organiser = id
		}
		seats, err := s.places(n)
		if err != nil {
			return err
		}
		if err := s.opens(0, &row, seats, n.Visibility); err != nil {
			return err
		}
		if err := seatOptions(&row.Options, len(seats), n.Hal); err != nil {
			return err
		}
		allowHints(&row.Options, n.Hints, seats)
		t, err := s.lay(row, seats)
		if err != nil {
			return err
		}
		id = t.row.ID
		if row.Organiser != 0 && t.of(row.Organiser) == nil { // the token for the organiser's words
			o := s.draftFor(row.Organiser, t, notice.KindInfo)
			created := o.say(notice.SayCreated, "game", id, "commitment", s.commitment(t))
			for i := range t.seats {
				if x := &t.seats[i]; x.Stage == store.SeatInvited {
					created.List = append(created.List, s.players[x.Player].Address)
				}
			}
		}
		if n.Started {
			if err := s.begin(t); err != nil {
				return err
			}
			return s.close()
		}
		for i := range t.seats {
			if x := &t.seats[i]; x.Stage == store.SeatInvited {
				s.invite(t, x.Place, x.Player, t.row.Organiser)
			}
		}
		if err := s.startIfJoined(t); err != nil {
			return err
		}
		return s.close()
	})
	if err != nil {
		return "", fmt.Errorf("new game: %w", err)
	}
	return id, nil
}

// places are the seats of a game made at the command line.
func (s *unit) places(n NewGameOrder) (seats []store.Seat, err error) {
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
			bot, err := SeatBot(cmp.Or(np.Address, "bot"))
			if err != nil {
				return nil, err
			}
			bots++
			if name, ok := s.properName(np.Name); ok {
				np.Name = name
			} else {
				np.Name = botName(nth(bots), bot)
			}
			seats = append(seats, store.Seat{Bot: bot, Stage: store.SeatJoined, Name: np.Name})
			continue
		}
		id, err := s.guest(nil, np.Address)
		if err != nil {
			return nil, fmt.Errorf("player: %w", err)
		}
		if slices.ContainsFunc(seats, func(x store.Seat) bool { return x.Player == id }) {
			return nil, fmt.Errorf("player %s is named twice", np.Address)
		}
		pl := s.players[id]
		if name, ok := s.properName(np.Name); ok {
			np.Name = name
			if pl.Name == "" {
				pl.Name = name
			}
		} else {
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
