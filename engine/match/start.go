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
	"angelpost/engine/order"
)

// mayStart tells whether this server lets the writer start games.
func (s *sitting) mayStart(address string, known bool) bool {
	switch s.Start {
	case "known":
		return known
	case "list":
		return slices.ContainsFunc(s.List, func(a string) bool { return s.Address(a) == address })
	}
	return true
}

// newGameWord starts a game, or asks first where the letter bore no token.
func (s *sitting) newGameWord(c *saying) error {
	w := c.w
	if !s.mayStart(w.PlayerRow.Address, true) {
		c.refuse(ProblemStart)
		return nil
	}
	if c.word.Game.Bad {
		c.refuse(ProblemNewGame)
		return nil
	}
	if !w.words {
		_, p, err := s.create(w.PlayerRow, c.word.Game, w.answer)
		if p != nil {
			c.line.Status, c.line.Problem = LineRefused, p
		} else {
			c.done()
		}
		return err
	}
	if w.answer.confirm != 0 {
		c.refuse(ProblemMany, "word", order.NewGame.String(), "n", "1")
		return nil
	}
	n, err := s.tx.Bump("ask/"+w.PlayerRow.Address, s.day())
	if err != nil {
		return err
	}
	if n > maxNoticeAgain {
		c.refuse(ProblemMany, "word", order.NewGame.String(), "n", strconv.Itoa(maxNoticeAgain))
		return nil
	}
	q, err := s.gameQuestion(w.ID, w.PlayerRow.Address, c.word.Game)
	if err != nil {
		return err
	}
	w.answer.confirm = q.ID
	c.line.Status = LineAsked
	w.answer.say(AskNew).List = bounded(s.cmd.Lines)
	return nil
}

// askedGame is what a confirmation of a new game keeps.
type askedGame struct {
	Game order.Options
	Name string
}

func (s *sitting) gameQuestion(player int64, address string, o order.Options) (*ConfirmRow, error) {
	lines, err := json.Marshal(askedGame{o, s.cmd.Name})
	if err != nil {
		return nil, err
	}
	q := &ConfirmRow{Kind: ConfirmGame, Player: player, Address: address, Lines: string(lines)}
	return q, s.question(q)
}

// question stores a confirmation and when it lapses.
func (s *sitting) question(c *ConfirmRow) error {
	c.Open, c.Created, c.Expires = true, s.now, s.now.Add(s.InviteFor)
	if err := s.tx.AddConfirm(c); err != nil {
		return err
	}
	return s.tx.AddDue(&DueRow{At: c.Expires, Kind: DueConfirm, Ref: strconv.FormatInt(c.ID, 10)})
}

// askNewGame asks somebody unknown whether he really wants to start a game.
func (s *sitting) askNewGame(address string) error {
	var o order.Options
	for _, it := range order.ReadLetter(s.cmd.Lines).Items {
		if it.Word.Kind == order.NewGame {
			o = it.Word.Game
		}
	}
	if o.Bad {
		d := &draft{kind: KindAnswer, to: address, result: Refused, since: noStory, reply: true}
		d.answer.Lines = []LineResult{{Text: order.NewGame.String(), Status: LineRefused, Problem: &Problem{Code: ProblemNewGame}}}
		d.say(TellNever)
		s.drafts = append(s.drafts, d)
		return nil
	}
	q, err := s.gameQuestion(0, address, o)
	if err != nil {
		return err
	}
	d := &draft{kind: KindAnswer, to: address, result: None, since: noStory, confirm: q.ID, reply: true}
	// Nothing of the letter is repeated to him but what the game would be.
	asked := []string{order.NewGame.String()}
	if len(o.Players) > 0 {
		players := slices.Clone(o.Players)
		for i, a := range players {
			if name, p := askedBot(a); order.IsBot(a) && p == nil {
				players[i] = asking(name)
			} else if order.IsBot(a) { // he is told when he says yes
				players[i] = "bot"
			}
		}
		asked = append(asked, "players: "+strings.Join(players, ", "))
	}
	if o.Name != "" {
		asked = append(asked, "name: "+unlinked(clean(s.NFC(o.Name), false)))
	}
	for _, x := range []struct {
		key, is string
		known   []string
	}{{"rules", o.Rules, []string{"base", "advanced"}}, {"edition", o.Edition, []string{"revised", "first"}}, {"hal", o.Hal, []string{"easy", "standard", "hard", "extreme"}}} {
		if slices.Contains(x.known, x.is) {
			asked = append(asked, x.key+": "+x.is)
		}
	}
	d.say(AskNew).List = bounded(asked)
	d.say(TellNever)
	s.drafts = append(s.drafts, d)
	return nil
}

// newGameYes starts the game that was asked about.
func (s *sitting) newGameYes(w *writer, c ConfirmRow) error {
	var asked askedGame
	if err := json.Unmarshal([]byte(c.Lines), &asked); err != nil {
		return fmt.Errorf("new game: %w", err)
	}
	p, d, err := s.confirmer(w, c, asked.Name)
	if err != nil {
		return err
	}
	_, problem, err := s.create(p, asked.Game, d)
	if problem != nil {
		d.result = Refused
		d.answer.Lines = append(d.answer.Lines, LineResult{Text: order.NewGame.String(), Status: LineRefused, Problem: problem})
	} else {
		d.result = Applied
	}
	return err
}

// confirmer is the player who has said yes to a question that may have been put
// to somebody unknown, whose letter calls him so, and the answer to him.
func (s *sitting) confirmer(w *writer, c ConfirmRow, called string) (*PlayerRow, *draft, error) {
	row, err := s.address(c.Address)
	if err != nil {
		return nil, nil, err
	}
	if row.Player == 0 {
		p, err := s.addPlayer(c.Address, called)
		if err != nil {
			return nil, nil, err
		}
		row.Player = p.ID
	}
	p, err := s.player(row.Player)
	if err != nil {
		return nil, nil, err
	}
	p.Registered = true
	d := w.answer
	if d == nil {
		d, err = s.answerTo(p.ID, nil)
	}
	return p, d, err
}

// addPlayer makes a player of an address.
func (s *sitting) addPlayer(address, name string) (*PlayerRow, error) {
	name, ok := s.properName(name)
	if !ok {
		name = ""
	}
	p := PlayerRow{Name: name, Address: address, Created: s.now}
	if err := s.tx.AddPlayer(&p); err != nil {
		return nil, err
	}
	s.players[p.ID] = &p
	return &p, nil
}

// create makes a game with its invitations; d is the answer to its organiser.
// What cannot be is a Problem.
func (s *sitting) create(organiser *PlayerRow, o order.Options, d *draft) (*table, *Problem, error) {
	row, p := s.options(o)
	if p != nil {
		return nil, p, nil
	}
	seats, p, err := s.guests(organiser, o.Players)
	if p != nil || err != nil {
		return nil, p, err
	}
	seats = fill(seats, o.Seats)
	if p, err := s.opens(organiser.ID, &row, seats, o.Visibility); p != nil || err != nil {
		return nil, p, err
	}
	row.Organiser = organiser.ID
	if p := row.Options.seat(len(seats), o.Hal); p != nil {
		return nil, p, nil
	}
	row.Options.hints(o.Hints, seats)
	t, err := s.lay(row, seats)
	if err != nil {
		return nil, nil, err
	}
	if d.table == nil || !d.table.moved[d.place] { // the answer is about the new game
		d.table, d.place = t, t.of(organiser.ID).Place
	} else if d, err = s.draftFor(organiser.ID, t, KindInfo); err != nil {
		return nil, nil, err
	}
	created := d.say(SayCreated, "game", t.row.ID, "commitment", s.commitment(t))
	if t.row.Options.Open {
		d.say(SayOpened, "game", t.row.ID)
	}
	for i := range t.seats {
		x := &t.seats[i]
		if x.Stage != SeatInvited {
			continue
		}
		p, err := s.player(x.Player)
		if err != nil {
			return nil, nil, err
		}
		created.List = append(created.List, p.Address)
		if err := s.invite(t, x.Place, x.Player, t.row.Organiser); err != nil {
			return nil, nil, err
		}
	}
	return t, nil, s.startIfJoined(t)
}

// options checks what the organiser wants against what can be played.
func (s *sitting) options(o order.Options) (row GameRow, p *Problem) {
	row = GameRow{State: GameInvited, Visibility: Unlisted, Options: Options{
		Rules: "base", Edition: "revised", RulesVersion: RulesVersion, Set: s.Set}}
	not := func(word string) *Problem {
		return &Problem{Code: ProblemOption, Args: map[string]string{"word": word}}
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
		pace, err := ParsePace(o.Clock)
		if err != nil {
			return row, &Problem{Code: ProblemClock, Args: map[string]string{"word": o.Clock}}
		}
		if pace.Turn > 0 {
			row.Options.Clock = pace.String()
		}
	}
	row.Name = unlinked(clean(s.NFC(o.Name), false))
	return row, nil
}

// seat sets how many play and, where one does, Hal's level.
func (o *Options) seat(players int, hal string) *Problem {
	o.Players = players
	switch {
	case players == 1 && hal == "":
		o.Hal = engine.Standard.String()
	case players == 1:
		o.Hal = hal
	case hal != "":
		return &Problem{Code: ProblemHal, Args: map[string]string{"n": strconv.Itoa(players)}}
	}
	return nil
}

// hints sets whether players may ask for the planner's proposal: as wanted, or
// else where one person plays.
func (o *Options) hints(want string, seats []SeatRow) {
	people := 0
	for _, x := range seats {
		if x.Bot == "" {
			people++
		}
	}
	o.Hints = want == "yes" || want == "" && people == 1
}

// guests are the seats in invitation order; the organiser is one of them.
func (s *sitting) guests(organiser *PlayerRow, players []string) (seats []SeatRow, p *Problem, err error) {
	own := false
	bots := 0
	var asked []string // those to be invited
	for _, a := range players {
		if order.IsBot(a) {
			name, p := askedBot(a)
			if p != nil {
				return nil, p, nil
			}
			bots++
			seats = append(seats, SeatRow{Bot: name, Stage: SeatJoined, Name: botName(nth(bots), name)})
			continue
		}
		if a == order.Anyone {
			seats = append(seats, SeatRow{Stage: SeatOpen})
			continue
		}
		id, p, err := s.guest(organiser, a, asked...)
		if p != nil || err != nil {
			return nil, p, err
		}
		if id != organiser.ID {
			asked = append(asked, s.Address(a))
		}
		for _, x := range seats {
			if x.Player == id {
				return nil, &Problem{Code: ProblemTwice, Args: map[string]string{"word": a}}, nil
			}
		}
		own = own || id == organiser.ID
		seats = append(seats, SeatRow{Player: id, Stage: SeatInvited, Name: s.players[id].Name})
	}
	if !own {
		seats = append([]SeatRow{{Player: organiser.ID, Stage: SeatInvited, Name: organiser.Name}}, seats...)
	}
	if len(seats) > engine.MaxPlayers {
		return nil, &Problem{Code: ProblemPlayers, Args: map[string]string{"n": strconv.Itoa(len(seats))}}, nil
	}
	for i := range seats {
		if seats[i].Player == organiser.ID {
			seats[i].Stage = SeatJoined
		}
	}
	return seats, nil, nil
}

// nth is the number of bot n in its name.
func nth(n int) string {
	if n == 1 {
		return ""
	}
	return strconv.Itoa(n)
}

// guest is the player behind an address that is to be invited, as others are by
// the same line; organiser nil is the host, who may invite anybody.
func (s *sitting) guest(organiser *PlayerRow, a string, others ...string) (int64, *Problem, error) {
	no := func(code string) (int64, *Problem, error) {
		return 0, &Problem{Code: code, Args: map[string]string{"word": a}}, nil
	}
	address := s.Address(a)
	if address == "" || s.Own(address) {
		return no(ProblemAddress)
	}
	row, err := s.address(address)
	if err != nil {
		return 0, nil, err
	}
	if organiser != nil && row.Player == organiser.ID {
		return organiser.ID, nil, nil
	}
	if organiser != nil {
		if p, err := s.mayInvite(organiser, address, others...); p != nil || err != nil {
			return 0, p, err
		}
	} else if none, err := s.wantsNone(address); err != nil {
		return 0, nil, err
	} else if none {
		return no(ProblemNever)
	}
	if row.Player != 0 {
		_, err := s.player(row.Player)
		return row.Player, nil, err
	}
	p, err := s.addPlayer(address, "")
	if err != nil {
		return 0, nil, err
	}
	return p.ID, nil, nil
}

// lay stores a new game and puts it on the sitting's tables.
func (s *sitting) lay(row GameRow, seats []SeatRow) (*table, error) {
	id, err := s.random(10)
	if err != nil {
		return nil, err
	}
	row.ID, row.Created, row.Changed = id, s.now, s.now
	if row.Seed == "" {
		var seed [32]byte
		if _, err := io.ReadFull(&s.study.drawn, seed[:]); err != nil {
			return nil, fmt.Errorf("randomness: %w", err)
		}
		row.Seed = hex.EncodeToString(seed[:])
	}
	for i := range seats {
		x := &seats[i]
		x.Game, x.Place, x.Seen = id, i+1, -1
		for j, y := range seats[:i] { // two friends of one name
			if x.Name != "" && order.Key(x.Name) == order.Key(y.Name) {
				x.Name = fmt.Sprint(x.Name, " ", j+2)
			}
		}
		if x.Name == "" { // until he says it
			x.Name = "Player " + strconv.Itoa(x.Place)
		}
	}
	if err := s.tx.AddGame(row, seats); err != nil {
		return nil, err
	}
	t := &table{row: row, seats: seats, stored: slices.Clone(seats), moved: map[int]bool{}, waited: map[int]bool{}, stretches: map[int]stretch{}}
	s.tables = append(s.tables, t)
	if row.State == GameInvited {
		err = s.tx.AddDue(&DueRow{At: s.now.Add(s.InviteFor), Kind: DueExpire, Game: id})
	}
	return t, err
}

func (s *sitting) commitment(t *table) string {
	seed, err := ParseSeed(t.row.Seed)
	if err != nil {
		return ""
	}
	return engine.Commitment(seed)
}

// invite writes an invitation to a player for a place, as its player or heir; by is
// who wants that, 0 the host.
func (s *sitting) invite(t *table, place int, player, by int64) error {
	p, err := s.player(player)
	if err != nil {
		return err
	}
	if err := s.invited(by, p.Address); err != nil {
		return err
	}
	d, err := s.draftFor(player, t, KindInvitation)
	if err != nil {
		return err
	}
	d.place = place
	d.kind = KindInvitation
	inv := &Invite{
		Players: t.row.Options.Players, Names: t.names(), Rules: t.row.Options.Rules, Edition: t.row.Options.Edition,
		Set: t.row.Options.Set, Hints: t.row.Options.Hints, Visibility: t.row.Visibility, Commitment: s.commitment(t),
		Clock: t.row.Options.Clock, Expires: s.now.Add(s.InviteFor).Format(time.DateOnly),
	}
	if x := t.of(t.row.Organiser); x != nil {
		inv.Organiser = x.Name
	}
	d.answer.Invite = inv
	return nil
}

// tellOrganiser writes to a game's organiser, unless it is him it is about.
func (s *sitting) tellOrganiser(t *table, about int64, code string, args ...string) error {
	if t.row.Organiser == 0 || t.row.Organiser == about {
		return nil
	}
	d, err := s.draftFor(t.row.Organiser, t, KindInfo)
	if err != nil {
		return err
	}
	d.say(code, args...)
	return nil
}

// startIfJoined begins the game once everybody has joined: the words given are
// mixed into the seed and the seats are drawn.
func (s *sitting) startIfJoined(t *table) error {
	if t.row.State != GameInvited {
		return nil
	}
	for _, x := range t.seats {
		if x.Stage != SeatJoined {
			return nil
		}
	}
	t.row.Mixed = true
	return s.begin(t)
}

// begin starts the game; without Mixed the seats are those of the invitation.
func (s *sitting) begin(t *table) error {
	for i := range t.seats {
		t.seats[i].Seat = i + 1
	}
	head, err := header(t.row, t.seats)
	if err != nil {
		return err
	}
	if t.row.Mixed {
		for seat, place := range engine.DrawSeats(s.chance(head)(), len(t.seats)) {
			t.seats[place].Seat = seat + 1
		}
	}
	set, err := s.setOf(t.row)
	if err != nil {
		return err
	}
	if t.play, err = newPlay(set, t.row.Options, s.chance(head)); err != nil {
		return err
	}
	for i := range t.seats {
		t.stints = append(t.stints, t.stint(&t.seats[i], StintStart))
	}
	t.row.State, t.row.Started, t.row.SetHash = GameRunning, s.now, set.Hash
	t.fresh = true
	return s.tx.ClearDue(DueExpire, t.row.ID, 0)
}

// A NewPlayer is one seat of a game made at the command line.
type NewPlayer struct {
	Address string // "": a bot; or one as SeatBot reads it
	Name    string
}

// A NewGameOrder is a game made at the command line or by the demo.
type NewGameOrder struct {
	Players    []NewPlayer // in invitation order; with Started: by seat
	Organiser  string      // address; "" nobody
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
	err = d.update(ctx, func(s *sitting) error {
		row, p := s.options(order.Options{Rules: n.Rules, Edition: n.Edition, Set: n.Set, Visibility: n.Visibility, Name: n.Name, Clock: n.Clock})
		if p != nil {
			return fmt.Errorf("%s: %s", p.Code, p.Args["word"])
		}
		if n.Seed != nil {
			row.Seed = hex.EncodeToString(n.Seed[:])
		}
		if n.Organiser != "" {
			id, p, err := s.guest(nil, n.Organiser)
			if err != nil || p != nil {
				return fmt.Errorf("organiser: %w", problemError(p, err))
			}
			s.players[id].Registered = true
			row.Organiser = id
		}
		seats, err := s.places(n)
		if err != nil {
			return err
		}
		if p, err := s.opens(0, &row, seats, n.Visibility); p != nil || err != nil {
			return problemError(p, err)
		}
		if p := row.Options.seat(len(seats), n.Hal); p != nil {
			return problemError(p, nil)
		}
		row.Options.hints(n.Hints, seats)
		t, err := s.lay(row, seats)
		if err != nil {
			return err
		}
		id = t.row.ID
		if row.Organiser != 0 && t.of(row.Organiser) == nil { // his token for the organiser's words
			o, err := s.draftFor(row.Organiser, t, KindInfo)
			if err != nil {
				return err
			}
			created := o.say(SayCreated, "game", id, "commitment", s.commitment(t))
			for i := range t.seats {
				if x := &t.seats[i]; x.Stage == SeatInvited {
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
			if x := &t.seats[i]; x.Stage == SeatInvited {
				if err := s.invite(t, x.Place, x.Player, t.row.Organiser); err != nil {
					return err
				}
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

func problemError(p *Problem, err error) error {
	if err != nil || p == nil {
		return err
	}
	return fmt.Errorf("%s: %s", p.Code, p.Args["word"])
}

// places are the seats of a game made at the command line.
func (s *sitting) places(n NewGameOrder) (seats []SeatRow, err error) {
	if len(n.Players) < 1 || len(n.Players) > engine.MaxPlayers {
		return nil, fmt.Errorf("%d players: 1 to %d can play", len(n.Players), engine.MaxPlayers)
	}
	if np := n.Players[0]; len(n.Players) == 1 && (np.Address == "" || order.IsBot(np.Address)) {
		return nil, fmt.Errorf("a bot alone against Hal: one player must be a person")
	}
	bots := 0
	for _, np := range n.Players {
		if np.Address == order.Anyone && !n.Started {
			seats = append(seats, SeatRow{Stage: SeatOpen})
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
			seats = append(seats, SeatRow{Bot: bot, Stage: SeatJoined, Name: np.Name})
			continue
		}
		id, p, err := s.guest(nil, np.Address)
		if err != nil || p != nil {
			return nil, fmt.Errorf("player: %w", problemError(p, err))
		}
		if slices.ContainsFunc(seats, func(x SeatRow) bool { return x.Player == id }) {
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
		x := SeatRow{Player: id, Stage: SeatInvited, Name: np.Name}
		if n.Started {
			x.Stage, pl.Registered = SeatJoined, true
		}
		seats = append(seats, x)
	}
	return seats, nil
}
