package match

import (
	"context"
	"slices"
	"strconv"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// maxRulings bounds the rulings by letter about a game a day.
const maxRulings = 20

// A ruler is who rules: a player, or the host by command line.
type ruler struct {
	player int64  // 0: the host
	name   string // "" the host
}

// ruleWord obeys a ruling by mail.
func (s *unit) ruleWord(c *call) error {
	t, by, err := s.ruledBy(c.w.Player, c.word.Rule.Game)
	if err != nil {
		return err
	}
	if n := s.bump("rule/"+t.row.ID, s.day()); n > maxRulings { // each is a letter to everybody at the table
		return notice.Refuse(notice.ProblemMany, "word", string(c.word.Rule.Kind), "n", strconv.Itoa(maxRulings))
	}
	if _, err := s.rule(t, c.word.Rule, by); err != nil {
		return err
	}
	c.done()
	c.w.answer.say(notice.SayRuled, "game", t.row.ID)
	return nil
}

// Rule does what the server's host decided about a game. What cannot be is a
// notice.Problem.
func (d *Desk) Rule(ctx context.Context, r order.Ruling) (done notice.Ruling, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err = d.update(ctx, func(s *unit) error {
		t, err := s.table(r.Game)
		if err != nil {
			return err
		}
		if done, err = s.rule(t, r, ruler{}); err != nil {
			return err
		}
		return s.close()
	})
	return done, err
}

// A rule is a ruling being done.
type rule struct {
	s    *unit
	t    *table
	said order.Ruling
	done notice.Ruling
	told func(*store.Seat, *draft) error // what it comes to, for each reader
	end  bool                            // the game is over by it
	also []int64                         // former players who are told, too
}

// rule does what a ruling says, notes it and tells everybody at the table.
func (s *unit) rule(t *table, said order.Ruling, by ruler) (notice.Ruling, error) {
	reason := unlinked(clean(s.NFC(said.Reason), false))
	r := &rule{s: s, t: t, said: said, done: notice.Ruling{At: s.now, By: by.player, Who: by.name, Kind: said.Kind, Reason: reason}}
	if reason == "" {
		return notice.Ruling{}, notice.Refuse(order.NoReason, "word", string(said.Kind))
	}
	do := map[order.RulingKind]func() error{
		order.RuleExtend: r.extend, order.RulePause: r.pause, order.RuleResume: r.pause, order.RuleReplace: r.replace,
		order.RuleAdjudicate: r.adjudicate, order.RuleVoid: r.void, order.RuleReplay: r.replay,
		order.RuleRollback: r.rollback, order.RuleCorrect: r.correct,
	}[said.Kind]
	if do == nil {
		return notice.Ruling{}, r.not()
	}
	if err := do(); err != nil {
		return notice.Ruling{}, err
	}
	return r.done, r.settle()
}

// settle notes a ruling that is done, and tells everybody at the table.
func (r *rule) settle() error {
	if err := r.note(); err != nil {
		return err
	}
	return r.tell()
}

// note stores the ruling, also in the log of the game's league.
func (r *rule) note() error {
	r.done.Step = r.t.step()
	r.s.check(r.s.tx.AddRuling(r.t.row.ID, &r.done))
	r.t.row.Changed = r.s.now
	if r.done.Kind == order.RuleReplay || r.done.Code == RulingForfeit { // done already, or none of the league's
		return nil
	}
	return r.s.leagueRuled(r.t, r.done, r.said)
}

// not is that the ruling makes no sense as the game stands.
func (r *rule) not() error {
	return notice.Refuse(notice.ProblemNotNow, "word", string(r.said.Kind))
}

// sealed returns why a ruling cannot be about a game of a round of a solo league, in
// which all have one seed: a player who has seen what comes would play on, or be
// replaced by one with a game of the same round.
func (r *rule) sealed() error {
	if !r.t.row.Options.Shared {
		return nil
	}
	return notice.Refuse(notice.ProblemSealed, "word", string(r.said.Kind))
}

// running is why nothing can be done to a game that is not under way, nil if it is.
func (r *rule) running() error {
	switch {
	case r.t.running():
		return nil
	case r.t.row.State == store.GameInvited:
		return notice.Refuse(notice.ProblemUnbegun, "names", r.t.waitingFor())
	case r.t.row.State == store.GameFinished:
		return notice.Refuse(notice.ProblemOver)
	}
	return notice.Refuse(notice.ProblemOff)
}

// tell tells everybody at the table what was ruled and why.
func (r *rule) tell() (err error) {
	s, t := r.s, r.t
	for i := range t.seats { // a bot plays for them, but it is their game
		if x := &t.seats[i]; x.Stage == store.SeatAbsent || r.end && x.Bot != "" {
			r.also = append(r.also, x.Player)
		}
	}
	s.tellAll(t, 0, func(x *store.Seat, d *draft) {
		if r.end && rank(notice.KindEnd) > rank(d.kind) {
			d.kind = notice.KindEnd
		}
		d.asked = true // muted or not
		if e := r.told(x, d); err == nil {
			err = e
		}
		switch {
		case r.done.Code != "":
		case r.done.Who == "":
			d.say(notice.TellRuledHost, "reason", r.done.Reason)
		default:
			d.say(notice.TellRuled, "who", r.done.Who, "reason", r.done.Reason)
		}
	}, r.also...)
	return err
}

// says tells everybody the same.
func (r *rule) says(code string, args ...string) {
	r.told = func(_ *store.Seat, d *draft) error {
		d.say(code, args...)
		return nil
	}
}

// extend gives a player more time.
func (r *rule) extend() error {
	if err := r.running(); err != nil {
		return err
	}
	x, err := r.s.seatNamed(r.t, r.said.Name)
	if x == nil {
		return err
	}
	if err := r.s.giveTime(r.t, x, r.said.Time); err != nil {
		return err
	}
	r.done.Seat, r.done.Name, r.done.Until = x.Seat, x.Name, x.Deadline
	r.told = func(y *store.Seat, d *draft) error {
		code := notice.RuledExtendAll
		if y == x {
			code = notice.RuledExtend
		}
		r.s.sayTime(d, code, x.Deadline, "name", x.Name)
		return nil
	}
	return nil
}

// pause stops the clocks, or lets them go on.
func (r *rule) pause() error {
	pause := r.said.Kind == order.RulePause
	if err := r.running(); err != nil {
		return err
	}
	if r.t.pace().Turn == 0 || r.t.row.Paused.IsZero() != pause {
		return r.not()
	}
	code := notice.RuledResume
	if pause {
		code = notice.RuledPause
	}
	r.says(code)
	return r.s.stopClocks(r.t, pause)
}

// replace gives a seat to a bot, or asks another player to take it over.
func (r *rule) replace() error {
	s, t := r.s, r.t
	if err := r.running(); err != nil {
		return err
	}
	x, err := s.seatNamed(t, r.said.Name)
	if x == nil {
		return err
	}
	r.done.Seat, r.done.Name = x.Seat, x.Name
	if !order.IsBot(r.said.Heir) {
		if err := r.sealed(); err != nil {
			return err
		}
		var by *store.Player // nil: the host may ask anybody
		if r.done.By != 0 {
			by = s.player(r.done.By)
		}
		id, err := s.guest(by, r.said.Heir)
		if err != nil {
			return err
		}
		if by != nil && by.ID == id { // they would see the hand they decide about
			return notice.Refuse(notice.ProblemOwnGame, "word", t.row.ID)
		}
		if t.of(id) != nil {
			return notice.Refuse(notice.ProblemTwice, "word", r.said.Heir)
		}
		r.says(notice.RuledAsked, "name", x.Name)
		s.askHeir(t, x, id, r.done.By)
		return nil
	}
	name, err := askedBot(r.said.Heir)
	if err != nil {
		return err
	}
	if x.Bot == name {
		return notice.Refuse(notice.ProblemBot, "word", x.Name)
	}
	was := x.Name
	old, err := s.seatBot(t, x, name, game.ByDirector, game.TenureReplaced)
	if err != nil {
		return err
	}
	r.done.Bot, r.also = asking(name), []int64{old}
	r.told = func(y *store.Seat, d *draft) error {
		if y == x && old != 0 {
			d.say(notice.TellOut, "bot", r.done.Bot)
		} else {
			d.sayBot(notice.TellReplaced, was, name)
		}
		return nil
	}
	return nil
}

// scores are what the ruling gives, by seat: every seat one.
func (r *rule) scores() ([]int, error) {
	out := make([]int, len(r.t.seats))
	given := make([]bool, len(out))
	for _, g := range r.said.Scores {
		x, err := r.s.seatNamed(r.t, g.Name)
		if x == nil {
			return nil, err
		}
		if given[x.Seat-1] {
			return nil, notice.Refuse(notice.ProblemTwice, "word", g.Name)
		}
		given[x.Seat-1], out[x.Seat-1] = true, g.VP
	}
	if i := slices.Index(given, false); i >= 0 {
		return nil, notice.Refuse(notice.ProblemScores, "word", r.t.names()[i])
	}
	return out, nil
}

// results is a result as it is told.
func (r *rule) results(code string) {
	list := make([]string, len(r.done.Scores))
	for i, name := range r.t.names() {
		list[i] = name + " " + strconv.Itoa(r.done.Scores[i])
	}
	r.told = func(_ *store.Seat, d *draft) error {
		d.say(code).List = list
		return nil
	}
}

// adjudicate ends a game with a result.
func (r *rule) adjudicate() (err error) {
	if err := r.running(); err != nil {
		return err
	}
	if r.done.Scores, err = r.scores(); err != nil {
		return err
	}
	r.results(notice.RuledAdjudicate)
	r.end = true
	r.s.breakOff(r.t, store.GameAdjudicated)
	return nil
}

// correct gives a game that is over another result.
func (r *rule) correct() (err error) {
	if r.t.row.State != store.GameFinished && r.t.row.State != store.GameAdjudicated {
		return r.not()
	}
	if r.done.Scores, err = r.scores(); err != nil {
		return err
	}
	r.results(notice.RuledCorrect)
	return nil
}

// voids makes a game that has begun count nowhere.
func (r *rule) voids() error {
	switch r.t.row.State {
	case store.GameInvited:
		return r.running()
	case store.GameCancelled, store.GameVoid:
		return r.not()
	case store.GameRunning:
		r.end = true
		r.s.breakOff(r.t, store.GameVoid)
		return nil
	}
	r.t.row.State = store.GameVoid
	return nil
}

func (r *rule) void() error {
	r.says(notice.RuledVoid)
	return r.voids()
}

// breakOff ends a running game before its end: nothing waits for anybody.
func (s *unit) breakOff(t *table, state string) {
	for i := range t.seats {
		x := &t.seats[i]
		x.Heir = 0
		for _, kind := range []string{store.DueExpire, store.DueSeat} {
			s.check(s.tx.ClearDue(kind, t.row.ID, x.Place))
		}
		s.unschedule(x)
	}
	s.over(t, state)
}

// replay makes a game void and begins another of the same seats.
func (r *rule) replay() error {
	t := r.t
	if err := r.sealed(); err != nil { // the next would have its seed, too
		return err
	}
	if yes, err := r.s.playsAgain(t); err != nil {
		return err
	} else if !yes {
		return r.not()
	}
	if t.row.State == store.GameVoid { // it was void already: may it be played again?
		old, err := r.s.tx.Rulings(t.row.ID)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(old, func(o notice.Ruling) bool { return o.Kind == order.RuleReplay }) {
			return r.not()
		}
	} else if err := r.voids(); err != nil {
		return err
	}
	now, err := r.s.leagueAgain(t, r.done)
	if err != nil {
		return err
	}
	if !now {
		r.says(notice.RuledLater)
		return nil
	}
	next, err := r.s.again(t, nil)
	if err != nil {
		return err
	}
	r.done.Game = next.row.ID
	r.says(notice.RuledReplay, "game", next.row.ID)
	return r.s.leagueBegun(t, next)
}

// again begins another game with the seats of one that is void, by seat; change may put
// another player on a seat first.
func (s *unit) again(t *table, change func(seat int, y *store.Seat)) (*table, error) {
	row := store.Game{State: store.GameInvited, Name: t.row.Name, Options: t.row.Options, Visibility: t.row.Visibility, Organiser: t.row.Organiser, League: t.row.League}
	row.Options.Open = false
	seats := make([]store.Seat, len(t.seats))
	for _, x := range t.seats {
		y := &seats[x.Seat-1]
		*y = store.Seat{Player: x.Player, Bot: x.Bot, Stage: x.Stage, Name: x.Name}
		if change != nil {
			change(x.Seat, y)
		}
	}
	next, err := s.lay(row, seats)
	if err != nil {
		return nil, err
	}
	return next, s.begin(next)
}

// rollback takes the game back to an earlier position. All players to move there get
// their time anew; of banks there is what is left now, for no record tells what there
// was then.
func (r *rule) rollback() error {
	s, t := r.s, r.t
	if err := r.running(); err != nil {
		return err
	}
	if err := r.sealed(); err != nil {
		return err
	}
	to, ok := t.play.RollbackTo(r.said.To)
	if !ok {
		return notice.Refuse(notice.ProblemRollback, "word", strconv.Itoa(r.said.To))
	}
	if err := t.play.Rollback(to); err != nil {
		return err
	}
	for i := range t.seats {
		x := &t.seats[i]
		s.unschedule(x)
		if x.Player != 0 {
			st, err := s.standingOf(t, x)
			if err != nil {
				return err
			}
			st.disarmAll(notice.TellOffRolled)
		}
		x.Missed, x.Left = 0, 0
		t.waited[x.Place], t.pending[x.Place] = false, pendingDecision{}
	}
	r.done.To = to
	r.told = func(x *store.Seat, d *draft) error {
		if to == 0 {
			d.say(notice.RuledStart)
		} else {
			d.say(notice.RuledRollback, "n", strconv.Itoa(to))
		}
		if !t.play.Waits(engine.Seat(x.Seat)) { // or their letter shows it anyway
			d.answer.Sections = append(d.answer.Sections, notice.Section{Kind: "board"})
		}
		return nil
	}
	return nil
}
