// Package rulings carries out what a league's director or the server's host decides about a
// game. Each ruling has a reason that everyone who sees the game may read. Rulings only append
// to the game's log and its league's.
package rulings

import (
	"cmp"
	"slices"
	"strconv"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/clock"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// maxRulings bounds the rulings by letter about a game a day.
const maxRulings = 20

// May returns why a player can neither rule nor appeal in this way, nil if they can, as far as
// we know before they say yes.
func May(u *unit.Unit, p *store.Player, r order.Ruling) error {
	switch {
	case r.Reason == "":
		return notice.Refuse(order.NoReason, "word", string(r.Kind))
	case r.Kind == order.RuleAppeal:
		return nil
	}
	_, _, err := leagues.RuledBy(u, p, r.Game)
	return err
}

// Word obeys a ruling by mail.
func Word(u *unit.Unit, c *unit.Call) error {
	if c.Sender.Words { // we ask first, if they may
		if err := May(u, c.Sender.Player, c.Word.Rule); err != nil {
			return err
		}
		return notice.Refuse(notice.ProblemToken)
	}
	if c.Word.Rule.Kind == order.RuleAppeal {
		return appeal(u, c)
	}
	t, by, err := leagues.RuledBy(u, c.Sender.Player, c.Word.Rule.Game)
	if err != nil {
		return err
	}
	if n := u.Bump("rule/"+t.Row.ID, u.Day()); n > maxRulings { // each is a letter to everyone at the table
		return notice.Refuse(notice.ProblemMany, "word", string(c.Word.Rule.Kind), "n", strconv.Itoa(maxRulings))
	}
	if void, err := wouldVoid(u, t, c.Word.Rule); void || err != nil {
		return cmp.Or(err, askVoid(u, c, t))
	}
	if asked, err := asks(u, c, t); asked || err != nil {
		return err
	}
	if _, err := CarryOut(u, t, c.Word.Rule, by, c.Sender.Answer); err != nil {
		return err
	}
	c.Done()
	return nil
}

// A Decision is a ruling while it is carried out.
type Decision struct {
	S    *unit.Unit
	T    *unit.Game
	said order.Ruling
	Done notice.Ruling
	Told func(*store.Seat, *unit.Draft) error // what it comes to, for each reader
	End  bool                                 // the game is over by it
	also []int64                              // former players to tell, too

	against *notice.Ruling  // what was appealed against, nil: nothing
	appeals []notice.Ruling // the appeals

	appealed []int64 // who hears the answer: the director who ruled, and those who appealed
}

// Rule carries out a ruling, records it and tells all players of the game.
func Rule(u *unit.Unit, t *unit.Game, said order.Ruling, by leagues.Ruler) (notice.Ruling, error) {
	reason := naming.Unlinked(naming.Clean(u.NFC(said.Reason), false))
	r := &Decision{S: u, T: t, said: said, Done: notice.Ruling{At: u.At, By: by.Player, Who: by.Name, Kind: said.Kind, Reason: reason}}
	if reason == "" {
		return notice.Ruling{}, notice.Refuse(order.NoReason, "word", string(said.Kind))
	}
	do := map[order.RulingKind]func() error{
		order.RuleExtend: r.extend, order.RulePause: r.pause, order.RuleResume: r.pause, order.RuleReplace: r.replace,
		order.RuleAdjudicate: r.adjudicate, order.RuleVoid: r.void, order.RuleReplay: r.replay,
		order.RuleRollback: r.rollback, order.RuleCorrect: r.correct, order.RuleUphold: r.uphold,
	}[said.Kind]
	if do == nil {
		return notice.Ruling{}, r.not()
	}
	all, err := u.Tx.Rulings(t.Row.ID)
	if err != nil {
		return notice.Ruling{}, err
	}
	if r.against, r.appeals = leagues.Appealed(all); r.Done.Rules() {
		for _, a := range r.appeals { // they hear the answer, though they have left
			r.also = append(r.also, a.By)
		}
	}
	if r.against != nil {
		_, author, err := leagues.Reviewers(u, t, r.against)
		if err != nil {
			return notice.Ruling{}, err
		}
		if author != 0 {
			r.appealed = append(r.appealed, author)
		}
		for _, a := range r.appeals {
			r.appealed = append(r.appealed, a.By)
		}
	}
	if err := do(); err != nil {
		return notice.Ruling{}, err
	}
	return r.Done, r.Settle()
}

// Settle records a finished ruling, and tells everyone in the game.
func (r *Decision) Settle() error {
	if err := r.note(); err != nil {
		return err
	}
	return r.tell()
}

// note stores the ruling, also in the log of the game's league.
func (r *Decision) note() error {
	r.Done.Step = r.T.Step()
	r.S.Check(r.S.Tx.AddRuling(r.T.Row.ID, &r.Done))
	r.T.Row.Changed = r.S.At
	if err := scheduleReveal(r.S, r.T); err != nil {
		return err
	}
	if r.Done.Kind == order.RuleReplay || r.Done.Code == Forfeit || !r.Done.Rules() { // done already, or none of the league's
		return nil
	}
	return leagueRuled(r.S, r.T, r.Done, r.said)
}

// not returns the problem that the ruling makes no sense in the game's present state.
func (r *Decision) not() error {
	return notice.Refuse(notice.ProblemNotNow, "word", string(r.said.Kind))
}

// sealed returns why a game of a solo league's round cannot have a certain ruling. All games of
// a round share a seed: a player who has seen what comes could play on, or a substitute with
// another game of the round could take the seat.
func (r *Decision) sealed() error {
	if !r.T.Row.Options.Shared {
		return nil
	}
	return notice.Refuse(notice.ProblemSealed, "word", string(r.said.Kind))
}

// running returns a problem if the game is not running, else nil.
func (r *Decision) running() error {
	switch {
	case r.T.Running():
		return nil
	case r.T.Row.State == store.GameInvited:
		return notice.Refuse(notice.ProblemUnbegun, "names", r.T.WaitingFor())
	case r.T.Row.State == store.GameFinished:
		return notice.Refuse(notice.ProblemOver)
	}
	return notice.Refuse(notice.ProblemOff)
}

// tell tells all players of the game the ruling and its reason.
func (r *Decision) tell() (err error) {
	if !r.Done.Rules() { // it has told those it concerns
		return nil
	}
	u, t := r.S, r.T
	for i := range t.Seats { // a bot plays for them, but it is their game
		if x := &t.Seats[i]; x.Stage == store.SeatAbsent || r.End && x.Bot != "" {
			r.also = append(r.also, x.Player)
		}
	}
	u.TellAll(t, 0, func(x *store.Seat, d *unit.Draft) {
		if r.End && unit.Rank(notice.KindEnd) > unit.Rank(d.Kind) {
			d.Kind = notice.KindEnd
		}
		d.Asked = true // muted or not
		if e := r.Told(x, d); err == nil {
			err = e
		}
		switch {
		case r.Done.Code != "":
		case r.Done.Who == "":
			d.Say(notice.TellRuledHost, "reason", r.Done.Reason)
		default:
			d.Say(notice.TellRuled, "who", r.Done.Who, "reason", r.Done.Reason)
		}
		r.sayReveal(x, d)
	}, r.also...)
	for _, id := range r.appealed {
		if t.Of(id) == nil { // they are not at the table, or no longer
			r.answers(id, notice.TellOverruled, "word", string(r.Done.Kind))
		}
	}
	return err
}

// Says sets one remark for all readers.
func (r *Decision) Says(code string, args ...string) {
	r.Told = func(_ *store.Seat, d *unit.Draft) error {
		d.Say(code, args...)
		return nil
	}
}

// extend gives a player more time.
func (r *Decision) extend() error {
	if err := r.running(); err != nil {
		return err
	}
	x, err := seating.SeatNamed(r.S, r.T, nil, r.said.Name)
	if x == nil {
		return err
	}
	by, err := clock.TimeChanged(r.said.Time)
	if err != nil {
		return err
	}
	if err := clock.GiveTime(r.S, r.T, x, by); err != nil {
		return err
	}
	r.Done.Seat, r.Done.Name, r.Done.Until = x.Seat, x.Name, x.Deadline
	r.Told = func(y *store.Seat, d *unit.Draft) error {
		code := notice.RuledExtendAll
		if y == x {
			code = notice.RuledExtend
		}
		r.S.SayTime(d, code, x.Deadline, "name", x.Name, "less", strconv.FormatBool(by < 0))
		return nil
	}
	return nil
}

// pause stops the clocks, or restarts them.
func (r *Decision) pause() error {
	pause := r.said.Kind == order.RulePause
	if err := r.running(); err != nil {
		return err
	}
	if r.T.Pace().Turn == 0 || r.T.Row.Paused.IsZero() != pause {
		return r.not()
	}
	code := notice.RuledResume
	if pause {
		code = notice.RuledPause
	}
	r.Says(code)
	return clock.StopClocks(r.S, r.T, pause)
}

// replace gives a seat to a bot, or asks another player to take it over.
func (r *Decision) replace() error {
	u, t := r.S, r.T
	if err := r.running(); err != nil {
		return err
	}
	x, err := seating.SeatNamed(u, t, nil, r.said.Name)
	if x == nil {
		return err
	}
	r.Done.Seat, r.Done.Name = x.Seat, x.Name
	if !order.IsBot(r.said.Heir) {
		if err := r.sealed(); err != nil {
			return err
		}
		var by *store.Player // nil: the host may ask anyone
		if r.Done.By != 0 {
			by = u.Player(r.Done.By)
		}
		id, err := u.Guest(by, r.said.Heir)
		if err != nil {
			return err
		}
		if err := r.heirFits(); err != nil {
			return err
		}
		r.Says(notice.RuledAsked, "name", x.Name)
		seating.AskHeir(u, t, x, id, r.Done.By)
		return nil
	}
	name, err := turns.AskedBot(r.said.Heir)
	if err != nil {
		return err
	}
	switch {
	case x.Bot == name && x.Heir == 0:
		return notice.Refuse(notice.ProblemBot, "word", x.Name)
	case x.Bot == name: // the invited player comes too late
		x.Heir, r.Done.Bot = 0, turns.Asking(name)
		u.Check(u.Tx.ClearDue(store.DueExpire, t.Row.ID, x.Place))
		r.Says(notice.RuledUnasked, "name", x.Name)
		return nil
	}
	was := x.Name
	old, err := seating.SeatBot(u, t, x, name, game.ByDirector, game.TenureReplaced)
	if err != nil {
		return err
	}
	r.Done.Bot, r.also = turns.Asking(name), append(r.also, old)
	r.Told = func(y *store.Seat, d *unit.Draft) error {
		if y == x && old != 0 {
			d.Say(notice.TellOut, "bot", r.Done.Bot)
		} else {
			seating.SayBot(d, notice.TellReplaced, was, name)
		}
		return nil
	}
	return nil
}

// heirFits returns why we can't offer the seat to the player of an address, nil if we can.
func (r *Decision) heirFits() error {
	switch id := r.S.AddressOf(r.S.Address(r.said.Heir)).Player; {
	case id == 0:
		return nil
	case id == r.Done.By: // they would see the hand they decide about
		return notice.Refuse(notice.ProblemOwnGame, "word", r.T.Row.ID)
	case r.T.Of(id) != nil:
		return notice.Refuse(notice.ProblemTwice, "word", r.said.Heir)
	}
	return nil
}

// scores returns the VP that the ruling gives, by seat; every seat must have one.
func (r *Decision) scores() ([]int, error) {
	out := make([]int, len(r.T.Seats))
	given := make([]bool, len(out))
	for _, g := range r.said.Scores {
		x, err := seating.SeatNamed(r.S, r.T, nil, g.Name)
		if x == nil {
			return nil, err
		}
		if given[x.Seat-1] {
			return nil, notice.Refuse(notice.ProblemTwice, "word", g.Name)
		}
		given[x.Seat-1], out[x.Seat-1] = true, g.VP
	}
	if i := slices.Index(given, false); i >= 0 {
		return nil, notice.Refuse(notice.ProblemScores, "word", r.T.Names()[i])
	}
	return out, nil
}

// results adds the new scores to the letters that tell of the ruling.
func (r *Decision) results(code string) {
	list := make([]string, len(r.Done.Scores))
	for i, name := range r.T.Names() {
		list[i] = name + " " + strconv.Itoa(r.Done.Scores[i])
	}
	r.Told = func(_ *store.Seat, d *unit.Draft) error {
		d.Say(code).List = list
		return nil
	}
}

// adjudicate ends a game with a result.
func (r *Decision) adjudicate() (err error) {
	if err := r.running(); err != nil {
		return err
	}
	if r.Done.Scores, err = r.scores(); err != nil {
		return err
	}
	r.results(notice.RuledAdjudicate)
	r.End, r.T.Ruled = true, true
	BreakOff(r.S, r.T, store.GameAdjudicated)
	return nil
}

// correct gives a game that is over another result.
func (r *Decision) correct() (err error) {
	if r.T.Row.State != store.GameFinished && r.T.Row.State != store.GameAdjudicated {
		return r.not()
	}
	if r.Done.Scores, err = r.scores(); err != nil {
		return err
	}
	r.results(notice.RuledCorrect)
	r.T.Ruled = true
	return nil
}

// voids makes a game that has begun void, so that it counts nowhere.
func (r *Decision) voids() error {
	switch r.T.Row.State {
	case store.GameInvited:
		return r.running()
	case store.GameCancelled, store.GameVoid:
		return r.not()
	case store.GameRunning:
		r.End = true
		BreakOff(r.S, r.T, store.GameVoid)
		return nil
	}
	r.T.Row.State = store.GameVoid
	return nil
}

func (r *Decision) void() error {
	r.Says(notice.RuledVoid)
	r.T.Ruled = true
	return r.voids()
}

// BreakOff ends a running game before its end and removes its timers.
func BreakOff(u *unit.Unit, t *unit.Game, state string) {
	for i := range t.Seats {
		x := &t.Seats[i]
		x.Heir = 0
		for _, kind := range []string{store.DueExpire, store.DueSeat} {
			u.Check(u.Tx.ClearDue(kind, t.Row.ID, x.Place))
		}
		u.Unschedule(x)
	}
	u.Over(t, state)
}

// replay makes a game void and begins another with the same seats.
func (r *Decision) replay() error {
	t := r.T
	if err := r.sealed(); err != nil { // the next would have its seed, too
		return err
	}
	if yes, err := leagues.PlaysAgain(r.S, t); err != nil {
		return err
	} else if !yes {
		return r.not()
	}
	if t.Row.State == store.GameVoid { // it was void already: may it be played again?
		old, err := r.S.Tx.Rulings(t.Row.ID)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(old, func(o notice.Ruling) bool { return o.Kind == order.RuleReplay }) {
			return r.not()
		}
	} else if err := r.voids(); err != nil {
		return err
	}
	now, err := LeagueAgain(r.S, t, r.Done)
	if err != nil {
		return err
	}
	if !now {
		r.Says(notice.RuledLater)
		return nil
	}
	next, err := Again(r.S, t, nil)
	if err != nil {
		return err
	}
	r.Done.Game = next.Row.ID
	r.Says(notice.RuledReplay, "game", next.Row.ID)
	return LeagueBegun(r.S, t, next)
}

// Again begins another game with the seats of a void one, by seat; change may first put another
// player on a seat.
func Again(u *unit.Unit, t *unit.Game, change func(seat int, y *store.Seat)) (*unit.Game, error) {
	row := store.Game{State: store.GameInvited, Name: t.Row.GivenName(), Options: t.Row.Options, Visibility: t.Row.Visibility, Organiser: t.Row.Organiser, League: t.Row.League}
	row.Options.Open, row.Options.RulesVersion = false, game.RulesVersion
	seats := make([]store.Seat, len(t.Seats))
	for _, x := range t.Seats {
		y := &seats[x.Seat-1]
		*y = store.Seat{Player: x.Player, Bot: x.Bot, Stage: x.Stage, Name: x.Name}
		if change != nil {
			change(x.Seat, y)
		}
	}
	next, err := seating.Lay(u, row, seats)
	if err != nil {
		return nil, err
	}
	return next, seating.Begin(u, next)
}

// rollback takes the game back to an earlier position.
func (r *Decision) rollback() error {
	u, t := r.S, r.T
	if err := r.running(); err != nil {
		return err
	}
	if err := r.sealed(); err != nil {
		return err
	}
	to, ok := t.Replay.RollbackTo(r.said.To)
	if !ok {
		return notice.Refuse(notice.ProblemRollback, "word", strconv.Itoa(r.said.To))
	}
	if err := t.Replay.Rollback(to); err != nil {
		return err
	}
	if err := clock.Rewound(u, t); err != nil {
		return err
	}
	r.Done.To = to
	r.Told = func(x *store.Seat, d *unit.Draft) error {
		if to == 0 {
			d.Say(notice.RuledStart)
		} else {
			d.Say(notice.RuledRollback, "n", strconv.Itoa(to))
		}
		if !t.Replay.Waits(engine.Seat(x.Seat)) { // or their letter shows it anyway
			d.Answer.Sections = append(d.Answer.Sections, notice.Section{Kind: "board"})
		}
		return nil
	}
	return nil
}
