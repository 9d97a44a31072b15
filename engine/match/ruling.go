package match

import (
	"context"
	"slices"
	"strconv"
	"time"

	"angelpost/engine"
	"angelpost/engine/order"
)

// A Ruling is what somebody who rules over a game did to it, for a reason that
// everybody who may see the game may read. The game's own log and result stay as
// they are.
type Ruling struct {
	N      int              `json:"n"` // of the game, from 1
	At     time.Time        `json:"at"`
	By     int64            `json:"-"`             // player; 0: the server's host, or nobody
	Who    string           `json:"who,omitempty"` // what he was called then; "" the host
	Kind   order.RulingKind `json:"kind"`
	Reason string           `json:"reason"`
	Step   int              `json:"step"` // length of the game's log behind it
	RulingArgs
}

// RulingArgs are what a ruling decided.
type RulingArgs struct {
	Seat   int       `json:"seat,omitempty"`   // extend, replace: whose
	Name   string    `json:"name,omitempty"`   // what he was called then: another may sit there later
	Until  time.Time `json:"until,omitzero"`   // extend: his deadline then
	Bot    string    `json:"bot,omitempty"`    // replace: by which bot; "" somebody was asked
	To     int       `json:"to,omitempty"`     // rollback: the line whose position the game went back to
	Scores []int     `json:"scores,omitempty"` // adjudicate, correct: by seat
	Game   string    `json:"game,omitempty"`   // replay: the new game
	Code   string    `json:"code,omitempty"`   // why, where nobody ruled but the server: RulingNoShow, RulingForfeit
}

// RulingNoShow is why a game was void and begun anew: a player never came.
const RulingNoShow = "no-show"

// broken tells whether a game ended before its own end, or counts as if it had.
func (g *GameRow) broken() bool {
	switch g.State {
	case GameCancelled, GameAbandoned, GameAdjudicated, GameVoid:
		return true
	}
	return false
}

// maxRulings bounds the rulings by letter about a game a day.
const maxRulings = 20

// A ruler is who rules: a player, or the host by command line.
type ruler struct {
	player int64  // 0: the host
	name   string // "" the host
}

// ruleWord obeys a ruling by mail.
func (s *sitting) ruleWord(c *saying) error {
	t, by, p, err := s.ruledBy(c.w.PlayerRow, c.word.Rule.Game)
	if err == nil && p == nil { // each is a letter to everybody at the table
		var n int
		if n, err = s.tx.Bump("rule/"+t.row.ID, s.day()); n > maxRulings {
			p = &Problem{Code: ProblemMany, Args: map[string]string{"word": string(c.word.Rule.Kind), "n": strconv.Itoa(maxRulings)}}
		}
	}
	if err == nil && p == nil {
		_, p, err = s.rule(t, c.word.Rule, by)
	}
	if p != nil || err != nil {
		c.line.Status, c.line.Problem = LineRefused, p
		return err
	}
	c.done()
	c.w.answer.say(SayRuled, "game", t.row.ID)
	return nil
}

// A Refusal is an error that says why something cannot be.
type Refusal struct{ Problem *Problem }

func (r *Refusal) Error() string { return problemError(r.Problem, nil).Error() }

// Rule does what the server's host decided about a game. What cannot be is a
// Refusal.
func (d *Desk) Rule(ctx context.Context, r order.Ruling) (done Ruling, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	err = d.update(ctx, func(s *sitting) error {
		t, err := s.table(r.Game)
		if err != nil {
			return err
		}
		var p *Problem
		if done, p, err = s.rule(t, r, ruler{}); err != nil {
			return err
		}
		if p != nil {
			return &Refusal{p}
		}
		return s.close()
	})
	return done, err
}

// A rule is a ruling being done.
type rule struct {
	s    *sitting
	t    *table
	said order.Ruling
	done Ruling
	told func(*SeatRow, *draft) error // what it comes to, for whoever reads it
	end  bool                         // the game is over by it
	also []int64                      // who is told though he plays no seat any more
}

// rule does what a ruling says, notes it and tells everybody at the table.
func (s *sitting) rule(t *table, said order.Ruling, by ruler) (Ruling, *Problem, error) {
	reason := unlinked(clean(s.NFC(said.Reason), false))
	r := &rule{s: s, t: t, said: said, done: Ruling{At: s.now, By: by.player, Who: by.name, Kind: said.Kind, Reason: reason}}
	if reason == "" {
		return Ruling{}, &Problem{Code: order.NoReason, Args: map[string]string{"word": string(said.Kind)}}, nil
	}
	do := map[order.RulingKind]func() (*Problem, error){
		order.RuleExtend: r.extend, order.RulePause: r.pause, order.RuleResume: r.pause, order.RuleReplace: r.replace,
		order.RuleAdjudicate: r.adjudicate, order.RuleVoid: r.void, order.RuleReplay: r.replay,
		order.RuleRollback: r.rollback, order.RuleCorrect: r.correct,
	}[said.Kind]
	if do == nil {
		return Ruling{}, r.not(), nil
	}
	if p, err := do(); p != nil || err != nil {
		return Ruling{}, p, err
	}
	return r.done, nil, r.settle()
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
	if err := r.s.tx.AddRuling(r.t.row.ID, &r.done); err != nil {
		return err
	}
	r.t.row.Changed = r.s.now
	if r.done.Kind == order.RuleReplay || r.done.Code == RulingForfeit { // done already, or none of the league's
		return nil
	}
	return r.s.leagueRuled(r.t, r.done, r.said)
}

// not is that the ruling makes no sense as the game stands.
func (r *rule) not() *Problem {
	return &Problem{Code: ProblemNotNow, Args: map[string]string{"word": string(r.said.Kind)}}
}

// sealed is why a ruling cannot be about a game of a round of a solo league, in
// which all have one seed: who has seen what comes would play on, or another in his
// place who has a game of the round himself.
func (r *rule) sealed() *Problem {
	if !r.t.row.Options.Shared {
		return nil
	}
	return &Problem{Code: ProblemSealed, Args: map[string]string{"word": string(r.said.Kind)}}
}

// running is why nothing can be done to a game that is not under way, nil if it is.
func (r *rule) running() *Problem {
	switch {
	case r.t.running():
		return nil
	case r.t.row.State == GameInvited:
		return &Problem{Code: ProblemUnbegun, Args: map[string]string{"names": r.t.waitingFor()}}
	case r.t.row.State == GameFinished:
		return &Problem{Code: ProblemOver}
	}
	return &Problem{Code: ProblemOff}
}

// tell tells everybody at the table what was ruled and why.
func (r *rule) tell() (err error) {
	s, t := r.s, r.t
	for i := range t.seats { // a bot plays for them, but it is their game
		if x := &t.seats[i]; x.Stage == SeatAbsent || r.end && x.Bot != "" {
			r.also = append(r.also, x.Player)
		}
	}
	told := s.tellAll(t, 0, func(x *SeatRow, d *draft) {
		if r.end && rank(KindEnd) > rank(d.kind) {
			d.kind = KindEnd
		}
		d.asked = true // muted or not
		if e := r.told(x, d); err == nil {
			err = e
		}
		switch {
		case r.done.Code != "":
		case r.done.Who == "":
			d.say(TellRuledHost, "reason", r.done.Reason)
		default:
			d.say(TellRuled, "who", r.done.Who, "reason", r.done.Reason)
		}
	}, r.also...)
	if told != nil {
		return told
	}
	return err
}

// says tells everybody the same.
func (r *rule) says(code string, args ...string) {
	r.told = func(_ *SeatRow, d *draft) error {
		d.say(code, args...)
		return nil
	}
}

// extend gives a player more time.
func (r *rule) extend() (*Problem, error) {
	if p := r.running(); p != nil {
		return p, nil
	}
	x, p, err := r.s.seatNamed(r.t, r.said.Name)
	if x == nil || err != nil {
		return p, err
	}
	if p, err := r.s.giveTime(r.t, x, r.said.Time); p != nil || err != nil {
		return p, err
	}
	r.done.Seat, r.done.Name, r.done.Until = x.Seat, x.Name, x.Deadline
	r.told = func(y *SeatRow, d *draft) error {
		code := RuledExtendAll
		if y == x {
			code = RuledExtend
		}
		return r.s.sayTime(d, code, x.Deadline, "name", x.Name)
	}
	return nil, nil
}

// pause stops the clocks, or lets them go on.
func (r *rule) pause() (*Problem, error) {
	pause := r.said.Kind == order.RulePause
	if p := r.running(); p != nil {
		return p, nil
	}
	if r.t.pace().Turn == 0 || r.t.row.Paused.IsZero() != pause {
		return r.not(), nil
	}
	code := RuledResume
	if pause {
		code = RuledPause
	}
	r.says(code)
	return nil, r.s.stopClocks(r.t, pause)
}

// replace gives a seat to a bot, or asks somebody to take it over.
func (r *rule) replace() (*Problem, error) {
	s, t := r.s, r.t
	if p := r.running(); p != nil {
		return p, nil
	}
	x, p, err := s.seatNamed(t, r.said.Name)
	if x == nil || err != nil {
		return p, err
	}
	r.done.Seat, r.done.Name = x.Seat, x.Name
	if !order.IsBot(r.said.Heir) {
		if p := r.sealed(); p != nil {
			return p, nil
		}
		var by *PlayerRow // nil: the host may ask anybody
		if r.done.By != 0 {
			if by, err = s.player(r.done.By); err != nil {
				return nil, err
			}
		}
		id, p, err := s.guest(by, r.said.Heir)
		if p != nil || err != nil {
			return p, err
		}
		if by != nil && by.ID == id { // he would see the hand that he decides about
			return &Problem{Code: ProblemOwnGame, Args: map[string]string{"word": t.row.ID}}, nil
		}
		if t.of(id) != nil {
			return &Problem{Code: ProblemTwice, Args: map[string]string{"word": r.said.Heir}}, nil
		}
		r.says(RuledAsked, "name", x.Name)
		return nil, s.askHeir(t, x, id, r.done.By)
	}
	name, p := askedBot(r.said.Heir)
	if p != nil {
		return p, nil
	}
	if x.Bot == name {
		return &Problem{Code: ProblemBot, Args: map[string]string{"word": x.Name}}, nil
	}
	was := x.Name
	old, err := s.seatBot(t, x, name, ByDirector, StintReplaced)
	if err != nil {
		return nil, err
	}
	r.done.Bot, r.also = asking(name), []int64{old}
	r.told = func(y *SeatRow, d *draft) error {
		if y == x && old != 0 {
			d.say(TellOut, "bot", r.done.Bot)
		} else {
			d.sayBot(TellReplaced, was, name)
		}
		return nil
	}
	return nil, nil
}

// scores are what the ruling gives, by seat: every seat one.
func (r *rule) scores() ([]int, *Problem, error) {
	out := make([]int, len(r.t.seats))
	given := make([]bool, len(out))
	for _, g := range r.said.Scores {
		x, p, err := r.s.seatNamed(r.t, g.Name)
		if x == nil || err != nil {
			return nil, p, err
		}
		if given[x.Seat-1] {
			return nil, &Problem{Code: ProblemTwice, Args: map[string]string{"word": g.Name}}, nil
		}
		given[x.Seat-1], out[x.Seat-1] = true, g.VP
	}
	if i := slices.Index(given, false); i >= 0 {
		return nil, &Problem{Code: ProblemScores, Args: map[string]string{"word": r.t.names()[i]}}, nil
	}
	return out, nil, nil
}

// results is a result as it is told.
func (r *rule) results(code string) {
	list := make([]string, len(r.done.Scores))
	for i, name := range r.t.names() {
		list[i] = name + " " + strconv.Itoa(r.done.Scores[i])
	}
	r.told = func(_ *SeatRow, d *draft) error {
		d.say(code).List = list
		return nil
	}
}

// adjudicate ends a game with a result.
func (r *rule) adjudicate() (p *Problem, err error) {
	if p := r.running(); p != nil {
		return p, nil
	}
	if r.done.Scores, p, err = r.scores(); p != nil || err != nil {
		return p, err
	}
	r.results(RuledAdjudicate)
	r.end = true
	return nil, r.s.breakOff(r.t, GameAdjudicated)
}

// correct gives a game that is over another result.
func (r *rule) correct() (p *Problem, err error) {
	if r.t.row.State != GameFinished && r.t.row.State != GameAdjudicated {
		return r.not(), nil
	}
	if r.done.Scores, p, err = r.scores(); p != nil || err != nil {
		return p, err
	}
	r.results(RuledCorrect)
	return nil, nil
}

// voids makes a game that has begun count nowhere.
func (r *rule) voids() (*Problem, error) {
	switch r.t.row.State {
	case GameInvited:
		return r.running(), nil
	case GameCancelled, GameVoid:
		return r.not(), nil
	case GameRunning:
		r.end = true
		return nil, r.s.breakOff(r.t, GameVoid)
	}
	r.t.row.State = GameVoid
	return nil, nil
}

func (r *rule) void() (*Problem, error) {
	r.says(RuledVoid)
	return r.voids()
}

// breakOff ends a running game before its end: nothing waits for anybody.
func (s *sitting) breakOff(t *table, state string) error {
	for i := range t.seats {
		x := &t.seats[i]
		x.Heir = 0
		for _, kind := range []string{DueExpire, DueSeat} {
			if err := s.tx.ClearDue(kind, t.row.ID, x.Place); err != nil {
				return err
			}
		}
		if err := s.unschedule(x); err != nil {
			return err
		}
	}
	return s.over(t, state)
}

// replay makes a game void and begins another of the same seats.
func (r *rule) replay() (*Problem, error) {
	t := r.t
	if p := r.sealed(); p != nil { // the next would have its seed, too
		return p, nil
	}
	if yes, err := r.s.playsAgain(t); err != nil || !yes {
		return r.not(), err
	}
	if t.row.State == GameVoid { // it was void already: may it be played again?
		old, err := r.s.tx.Rulings(t.row.ID)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(old, func(o Ruling) bool { return o.Kind == order.RuleReplay }) {
			return r.not(), nil
		}
	} else if p, err := r.voids(); p != nil || err != nil {
		return p, err
	}
	now, err := r.s.leagueAgain(t, r.done)
	if err != nil {
		return nil, err
	}
	if !now {
		r.says(RuledLater)
		return nil, nil
	}
	next, err := r.s.again(t, nil)
	if err != nil {
		return nil, err
	}
	r.done.Game = next.row.ID
	r.says(RuledReplay, "game", next.row.ID)
	return nil, r.s.leagueBegun(t, next)
}

// again begins another game with the seats of one that is void, by seat; change
// may put somebody else on a seat first.
func (s *sitting) again(t *table, change func(seat int, y *SeatRow)) (*table, error) {
	row := GameRow{State: GameInvited, Name: t.row.Name, Options: t.row.Options, Visibility: t.row.Visibility, Organiser: t.row.Organiser, League: t.row.League}
	row.Options.Open = false
	seats := make([]SeatRow, len(t.seats))
	for _, x := range t.seats {
		y := &seats[x.Seat-1]
		*y = SeatRow{Player: x.Player, Bot: x.Bot, Stage: x.Stage, Name: x.Name}
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

// rollback takes the game back to an earlier position. Everybody whom it then
// waits for has his time anew; of banks there is what is left now, for nobody
// noted what there was then.
func (r *rule) rollback() (*Problem, error) {
	s, t := r.s, r.t
	if p := r.running(); p != nil {
		return p, nil
	}
	if p := r.sealed(); p != nil {
		return p, nil
	}
	to, ok := t.play.rollbackTo(r.said.To)
	if !ok {
		return &Problem{Code: ProblemRollback, Args: map[string]string{"word": strconv.Itoa(r.said.To)}}, nil
	}
	if err := t.play.rollback(to); err != nil {
		return nil, err
	}
	for i := range t.seats {
		x := &t.seats[i]
		if err := s.unschedule(x); err != nil {
			return nil, err
		}
		if x.Player != 0 {
			st, err := s.standingOf(t, x)
			if err != nil {
				return nil, err
			}
			st.disarmAll(TellOffRolled)
		}
		x.Missed, x.Left = 0, 0
		t.waited[x.Place], t.stretches[x.Place] = false, stretch{}
	}
	r.done.To = to
	r.told = func(x *SeatRow, d *draft) error {
		if to == 0 {
			d.say(RuledStart)
		} else {
			d.say(RuledRollback, "n", strconv.Itoa(to))
		}
		if !t.play.waits(engine.Seat(x.Seat)) { // or his letter shows it anyway
			d.answer.Sections = append(d.answer.Sections, Section{Kind: "board"})
		}
		return nil
	}
	return nil, nil
}
