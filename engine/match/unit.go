package match

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A unit is one transaction of the desk: the letter in, the games it
// touches, and the letters out that it causes, at most one for each game and
// address.
type unit struct {
	*env
	tx      store.Tx
	now     time.Time
	cmd     Command
	letter  *store.Letter // nil: no letter caused this
	tables  []*table
	players map[int64]*store.Player
	loaded  map[int64]store.Player // as stored
	drafts  []*draft
	attempt *attempt

	unproven bool // anyone could have written the letter in (gate.go)
	later    bool // its answer waits for a collected letter

	err error // the first of the store's that was not returned: see check

	contests []*leagueUnit
	byHost   bool // the host acts, who may know of every league

	regained []int64 // letters that were taken up again
}

// An env is what all units of a desk share.
type env struct {
	Config
	cache *cache
	subs  substitutes
	waits func(address string) bool // reports whether a letter of an address waits for bots
}

// substitutes are what comes to a seat of a league's game whose player is gone; in a
// game of no league nothing does.
type substitutes interface {
	// stepsIn is the player with whom the game begins anew if the player of the seat
	// never came; 0: it goes on.
	stepsIn(*unit, *table, *store.Seat) (player int64, err error)
	// noShow begins the game anew with that player; false: it goes on.
	noShow(*unit, *table, *store.Seat) (begun bool, err error)
	// vacated sees to a seat whose player has resigned or is absent for good.
	vacated(*unit, *table, *store.Seat) error
	// declined sees to a vacant seat whose heir has said no.
	declined(*unit, *table, *store.Seat) error
}

// begin returns a unit of work. Everything in it happens at one moment.
func (d *env) begin(tx store.Tx, c Command, l *store.Letter) *unit {
	return &unit{env: d, tx: tx, now: d.Now().UTC().Truncate(time.Second), cmd: c, letter: l, players: map[int64]*store.Player{}, loaded: map[int64]store.Player{}, attempt: d.newAttempt()}
}

// check keeps the first error of the store. The unit goes on as if there were none,
// and is rolled back at its end, whatever it did meanwhile.
func (s *unit) check(err error) {
	if s.err == nil {
		s.err = err
	}
}

// outcome is what a unit ends with: the error that stopped it, unless the store had
// failed before.
func (s *unit) outcome(err error) error {
	if s.err != nil {
		return s.err
	}
	return err
}

// bump counts one of a key on a day and returns how many there are.
func (s *unit) bump(key, day string) int {
	n, err := s.tx.Bump(key, day)
	if err != nil {
		s.check(err)
		return 0
	}
	return n
}

// counted returns how many of a key a day has.
func (s *unit) counted(key, day string) int {
	n, err := s.tx.Count(key, day)
	if err != nil {
		s.check(err)
		return 0
	}
	return n
}

func (s *unit) day() string { return s.now.Format(time.DateOnly) }

// player loads a player once.
func (s *unit) player(id int64) *store.Player {
	if p := s.players[id]; p != nil {
		return p
	}
	p, err := s.tx.Player(id)
	if err != nil {
		s.check(fmt.Errorf("player %d: %w", id, err))
		return &store.Player{ID: id}
	}
	s.players[id], s.loaded[id] = &p, p
	return &p
}

// load loads the players of seats at once.
func (s *unit) load(seats []store.Seat) {
	ids := make([]int64, len(seats))
	for i, x := range seats {
		ids[i] = x.Player
	}
	s.loadPlayers(ids)
}

// loadPlayers loads players at once, 0 being none.
func (s *unit) loadPlayers(ids []int64) {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return id == 0 || s.players[id] != nil })
	if len(ids) == 0 {
		return
	}
	rows, err := s.tx.Players(ids)
	if err != nil {
		s.check(err)
		return
	}
	for id, p := range rows {
		s.players[id], s.loaded[id] = &p, p
	}
}

// A table is a game in a unit of work.
type table struct {
	row    store.Game
	seats  []store.Seat  // by place
	stored []store.Seat  // as loaded
	play   *game.Replay  // nil before the start
	from   int           // length of the log when loaded
	waited map[int]bool  // places the game waited for when loaded
	turned []engine.Seat // seats whose turn ended in this transaction
	moved  map[int]bool  // places that took a step in this transaction
	keys   []store.Key
	fresh  bool          // begun in this transaction
	ended  bool          // over since this transaction
	stints []game.Tenure // new ones

	pending map[int]pendingDecision // what the game waited for when loaded, by place
	ahead   any                     // what package turns keeps of it: plans and standing orders
}

// table loads a game once.
func (s *unit) table(id string) (*table, error) {
	for _, t := range s.tables {
		if t.row.ID == id {
			return t, nil
		}
	}
	row, seats, err := s.cache.stored(s.tx, id)
	if err != nil {
		return nil, fmt.Errorf("game %s: %w", id, err)
	}
	t := &table{row: row, seats: seats, moved: map[int]bool{}, waited: map[int]bool{}, pending: map[int]pendingDecision{}}
	t.stored = slices.Clone(t.seats)
	s.load(t.seats)
	if !row.Started.IsZero() {
		p, err := s.cache.play(s.tx, row, t.seats)
		if err != nil {
			return nil, err
		}
		t.play = p.Copy()
		t.from = p.Step()
		t.markWaiting()
	}
	s.tables = append(s.tables, t)
	return t, nil
}

func (t *table) markWaiting() {
	for i := range t.seats {
		if x := &t.seats[i]; x.Seat > 0 {
			t.waited[x.Place] = t.play.Waits(engine.Seat(x.Seat))
			t.pending[x.Place] = pendingDecisionOf(t.play, engine.Seat(x.Seat))
		}
	}
}

func (t *table) running() bool { return t.row.State == store.GameRunning }

// place is the seat row of a place in invitation order.
func (t *table) place(n int) *store.Seat {
	if n < 1 || n > len(t.seats) {
		return nil
	}
	return &t.seats[n-1]
}

// bySeat is the row of a seat number.
func (t *table) bySeat(n engine.Seat) *store.Seat {
	for i := range t.seats {
		if t.seats[i].Seat == int(n) && n > 0 {
			return &t.seats[i]
		}
	}
	return nil
}

// of returns the row of a player, nil if they have none.
func (t *table) of(player int64) *store.Seat {
	if t == nil {
		return nil
	}
	for i := range t.seats {
		if x := &t.seats[i]; player != 0 && (x.Player == player || x.Heir == player) {
			return x
		}
	}
	return nil
}

// names are the players' names, by seat once there are seats.
func (t *table) names() []string {
	out := make([]string, len(t.seats))
	for i, x := range t.seats {
		if x.Seat > 0 && x.Seat <= len(out) {
			out[x.Seat-1] = x.Name
		} else {
			out[i] = x.Name
		}
	}
	return out
}

// namesOf joins the names of seats for an argument.
func (t *table) namesOf(seats []engine.Seat) string {
	var out []string
	for _, n := range seats {
		if x := t.bySeat(n); x != nil {
			out = append(out, x.Name)
		}
	}
	return strings.Join(out, ", ")
}

// context is what the order language needs to read a seat's line.
func (t *table) context(seat engine.Seat) order.Context {
	return order.Context{Names: t.names(), View: t.play.State.Project(seat)}
}

// A draft is a letter out that is being written.
type draft struct {
	kind   notice.Kind
	to     string
	player int64
	table  *table
	league *leagueUnit // what a letter about no game is about; nil: no league
	place  int
	result notice.Result
	answer notice.Answer
	since  int  // events told are those after this line; noStory: none
	again  bool // tells once more what was told: Seen stays
	reply  bool // it answers the letter in
	asked  bool // the letter in wants it, so it is written though its reader muted the game
	whole  bool // tells all since Seen, whatever was played now

	stranger bool // it answers an address that no player has confirmed
	counted  bool // a limit of its own bounds it, if the letter in is unproven
	full     bool // and it shows the position all the same

	confirm int64
	fresh   bool // a new page key
}

// noStory stands for "no events" in draft.since until the letter is closed.
const noStory = -2

// draftFor finds or begins the letter to a player about a game (nil: none).
func (s *unit) draftFor(player int64, t *table, kind notice.Kind) *draft {
	return s.draftOf(player, t, nil, kind)
}

// draftOf is draftFor of a letter that is about no other league than this one
// (nil: whichever).
func (s *unit) draftOf(player int64, t *table, c *leagueUnit, kind notice.Kind) *draft {
	for _, d := range s.drafts {
		if d.player == player && d.table == t && (c == nil || d.league == nil || d.league == c) && (d.confirm == 0 || d.reply) && player != 0 {
			if rank(kind) > rank(d.kind) {
				d.kind = kind
			}
			return d
		}
	}
	p := s.player(player)
	d := &draft{kind: kind, to: p.Address, player: player, table: t, result: notice.None, since: noStory}
	if t != nil {
		if x := t.of(player); x != nil {
			d.place = x.Place
		}
	}
	s.drafts = append(s.drafts, d)
	return d
}

// rank orders kinds where one letter serves several causes.
func rank(k notice.Kind) int {
	return slices.Index([]notice.Kind{notice.KindInfo, notice.KindInvitation, notice.KindStart, notice.KindTurn, notice.KindAnswer, notice.KindEnd}, k)
}

// say adds a remark; args come in pairs.
func (d *draft) say(code string, args ...string) *notice.Remark {
	r := notice.Remark{Code: code}
	for i := 0; i+1 < len(args); i += 2 {
		if r.Args == nil {
			r.Args = map[string]string{}
		}
		r.Args[args[i]] = args[i+1]
	}
	d.answer.Remarks = append(d.answer.Remarks, r)
	return &d.answer.Remarks[len(d.answer.Remarks)-1]
}

// ask is a letter of its own that asks for yes or no.
func (s *unit) ask(to string, player int64, t *table, c *store.Confirm, code string, args ...string) *draft {
	s.question(c)
	d := &draft{kind: notice.KindInfo, to: to, player: player, table: t, result: notice.None, since: noStory, confirm: c.ID}
	if t != nil {
		if x := t.of(player); x != nil {
			d.place = x.Place
		}
	}
	d.say(code, args...)
	s.drafts = append(s.drafts, d)
	return d
}

// close lets the games go on as far as they can without letters, and writes
// everything back: log, rows, letters out.
func (s *unit) close() error {
	if err := s.goOn(); err != nil {
		return err
	}
	for _, d := range s.drafts { // first, so that they are rendered while the rest is written
		if err := s.closeDraft(d); err != nil {
			return fmt.Errorf("letter to player %d: %w", d.player, err)
		}
	}
	for _, t := range s.tables {
		if err := s.closeTable(t); err != nil {
			return fmt.Errorf("game %s: %w", t.row.ID, err)
		}
	}
	for _, t := range s.tables { // Seen and Thread changed with the letters
		for i, x := range t.seats {
			if i < len(t.stored) && t.stored[i] == x {
				continue
			}
			s.check(s.tx.SaveSeat(x))
		}
	}
	for id, p := range s.players {
		if s.loaded[id] == *p {
			continue
		}
		s.check(s.tx.SavePlayer(*p))
	}
	return nil
}

// goOn lets games and leagues go on until nothing more happens by itself: a game
// that ends may begin others of its league.
func (s *unit) goOn() error {
	for tables, more := 0, true; more; {
		for ; tables < len(s.tables); tables++ {
			t := s.tables[tables]
			if err := s.advance(t); err != nil {
				return fmt.Errorf("game %s: %w", t.row.ID, err)
			}
			if t.ended && t.row.League != "" {
				if err := s.leagueResult(t); err != nil {
					return fmt.Errorf("game %s: %w", t.row.ID, err)
				}
			}
		}
		for _, c := range s.contests {
			if c.moved {
				if err := s.advanceLeague(c); err != nil {
					return err
				}
			}
		}
		more = s.err == nil && (tables < len(s.tables) || slices.ContainsFunc(s.contests, func(c *leagueUnit) bool { return c.moved }))
	}
	return s.closeLeagues()
}

func (s *unit) closeTable(t *table) error {
	if err := s.saveStanding(t); err != nil {
		return err
	}
	if t.play != nil && t.play.Step() > t.from {
		t.row.Changed = s.now
		s.check(s.tx.AppendLog(t.row.ID, t.play.Lines[t.from:]))
		t.row.Steps = t.play.Step()
	}
	if err := s.savePlans(t); err != nil {
		return err
	}
	s.check(s.tx.AddTenures(t.row.ID, t.stints))
	s.check(s.tx.SaveGame(t.row))
	return nil
}

func (s *unit) closeDraft(d *draft) error {
	if s.Own(d.to) || d.to == "" {
		return nil
	}
	if t := d.table; t != nil && !d.reply && !d.asked {
		if x := t.place(d.place); x != nil && x.MutedBy(d.player) {
			return nil
		}
	}
	if muted, err := s.leagueMuted(d); muted || err != nil {
		return err
	}
	p, err := s.admit(d)
	if err != nil {
		return err
	}
	if p.state == "" {
		s.turnedAway(p.why)
		return nil
	}
	r := notice.Message{
		Kind: d.kind, Version: notice.RendererVersion, To: d.to, Player: d.player, Result: d.result, Answer: d.answer, Date: s.now,
	}
	r.Answer.Brief = r.Answer.Brief || p.brief
	if d.reply {
		r.InReplyTo = s.cmd.MessageID
	}
	if p := s.players[d.player]; p != nil && p.Text {
		r.Format = "text"
	}
	var drafted func(notice.Message, func() (*notice.Input, error))
	if s.Drafting != nil {
		var view func() *engine.View
		if r.Format != "text" && !r.Answer.Brief {
			view = d.view()
		}
		drafted = s.Drafting(view)
	}
	token := s.random(16)
	id := s.random(10)
	r.Token, r.MessageID = token, id+"@"+s.Config.Host
	row := store.Token{Confirm: d.confirm}
	if t := d.table; t != nil {
		r.Game = t.row.ID
		r.Answer.GameName, r.Answer.Names, r.Answer.Visibility = t.row.Name, t.names(), t.row.Visibility
		row.Place = d.place
		if t.play != nil {
			r.Step = t.play.Step()
		}
		if x := t.place(d.place); x != nil && (x.Player == d.player || x.Heir == d.player) {
			if err := s.seatLetter(d, t, x, &r, &row); err != nil {
				return err
			}
		}
		if d.since == noStory {
			r.Since = r.Step
		} else {
			r.Since = d.since
		}
	} else if d.league != nil && d.player != 0 {
		if err := s.leagueLetter(d.league, d.player, &r); err != nil {
			return err
		}
	}
	if d.stranger {
		if ok, err := s.admitStranger(d, &r); err != nil {
			return err
		} else if !ok {
			s.turnedAway("the shortest answer would be too long for so short a letter")
			return nil
		}
	}
	if p.state == store.OutCollected {
		s.later = true
		r.Answer.Subject = s.cmd.Subject
		if same, err := s.alike(&r); err != nil {
			return err
		} else if same != nil {
			s.letter.Answer = same.ID
			return nil
		}
	}
	if err := s.tx.AddMessage(&r, row, p.state); err != nil {
		return err
	}
	if drafted != nil && p.state == store.OutQueued {
		drafted(r, s.sheet(r, d.table))
	}
	if d.reply && s.letter != nil {
		s.letter.Answer = r.ID
	}
	return nil
}

// view makes the view that a draft's sheet will have, nil if that has none or one
// that is not just the position as it is now.
func (d *draft) view() func() *engine.View {
	t := d.table
	if t == nil || t.play == nil || t.row.Started.IsZero() || t.row.Broken() {
		return nil
	}
	x := t.place(d.place)
	if x == nil || x.Player != d.player || x.Seat == 0 {
		return nil
	}
	state, seat := &t.play.State, engine.Seat(x.Seat)
	return func() *engine.View { return state.Project(seat) }
}

// sheet makes the sheet of a recipe about a game (nil: none) as it is now.
func (s *unit) sheet(r notice.Message, t *table) func() (*notice.Input, error) {
	if t == nil {
		return func() (*notice.Input, error) { return &notice.Input{Message: r}, nil }
	}
	row, play := t.row, t.play
	return func() (*notice.Input, error) { return s.cache.sheet(r, row, play) }
}

// seatLetter fills in what a letter to a player at the table bears.
func (s *unit) seatLetter(d *draft, t *table, x *store.Seat, r *notice.Message, row *store.Token) error {
	r.Seat = x.Seat
	if x.Player != d.player { // invited to take the seat over: sees nothing of it yet
		r.Seat, r.Step = 0, 0
		return nil
	}
	if t.play != nil && x.Seat > 0 {
		row.Turn = t.play.Turns[x.Seat]
	}
	if d.since != noStory && !d.again {
		x.Seen = r.Step
	}
	if x.Thread == "" {
		x.Thread = r.MessageID
	} else {
		r.Thread = x.Thread
	}
	s.sayDeadlines(t, d, r)
	if err := s.sayStanding(t, x, r); err != nil {
		return err
	}
	key, err := s.pageKey(t, x, d.fresh)
	if err != nil {
		return err
	}
	r.PageKey, r.MuteKey = key.Key, key.Mute
	return nil
}

// pageKey returns the key of a player's page and their mute key, made if there are none
// yet or fresh ones are wanted.
func (s *unit) pageKey(t *table, x *store.Seat, fresh bool) (k store.Key, err error) {
	if t.keys == nil {
		if t.keys, err = s.tx.Keys(t.row.ID); err != nil {
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
	k = store.Key{Game: t.row.ID, Place: x.Place, Player: x.Player}
	for _, key := range []*string{&k.Key, &k.Mute} {
		*key = s.random(16)
	}
	t.keys = append(t.keys, k)
	s.check(s.tx.SetKey(k))
	return k, nil
}

// missing tells a lookup that found nothing from one that failed.
func missing(err error) (bool, error) {
	if errors.Is(err, store.ErrNotFound) {
		return true, nil
	}
	return false, err
}
