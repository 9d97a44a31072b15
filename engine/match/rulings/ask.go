package rulings

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/match/clock"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// Before a ruling that no other order can fully undo, and before one that changes a result, we
// say what follows from it, and ask.

// askedRuling is a ruling that waits for its director's yes.
type askedRuling struct {
	Ruling order.Ruling
	Step   int    // up to which the game had been played
	Was    string // the result that the game had; "" none
}

// maxAsked bounds the rulings of one question.
const maxAsked = 10

// resultOf returns the result of a game that is over, by seat: from the last ruling with a
// result, else from its log.
func resultOf(u *unit.Unit, t *unit.Game) ([]int, error) {
	if t.Row.State != store.GameFinished && t.Row.State != store.GameAdjudicated {
		return nil, nil
	}
	all, err := u.Tx.Rulings(t.Row.ID)
	if err != nil {
		return nil, err
	}
	for _, r := range slices.Backward(notice.Decided(all)) {
		if r.Scores != nil && r.Code == "" {
			return r.Scores, nil
		}
	}
	return t.Replay.Finals(), nil
}

// scored returns names with their VP, in the form of a ruling.
func scored(t *unit.Game, vp []int) string {
	var out []string
	for i, name := range t.Names() {
		if i < len(vp) {
			out = append(out, name+" "+strconv.Itoa(vp[i]))
		}
	}
	return strings.Join(out, ", ")
}

// comesTo returns the arguments of the question before a ruling, nil if we ask nothing. The
// error says why the ruling is not possible, as far as we know that beforehand. For a ruling
// that makes a game void askVoid asks.
func (r *Decision) comesTo() (args []string, err error) {
	was, err := resultOf(r.S, r.T)
	if err != nil {
		return nil, err
	}
	args = []string{"then", string(r.said.Kind), "game", r.T.Row.ID, "was", scored(r.T, was)}
	switch r.said.Kind {
	case order.RuleCorrect:
		if was == nil {
			return nil, r.not()
		}
	case order.RuleAdjudicate:
		if err := r.running(); err != nil {
			return nil, err
		}
	case order.RuleRollback:
		if err := r.running(); err != nil {
			return nil, err
		}
		to, ok := r.T.Replay.RollbackTo(r.said.To)
		if !ok {
			return nil, notice.Refuse(notice.ProblemRollback, "word", strconv.Itoa(r.said.To))
		}
		return append(args, "n", strconv.Itoa(len(r.T.Replay.Active)-r.T.Replay.InForce(to))), r.sealed()
	case order.RuleReplace:
		x, err := seating.SeatNamed(r.S, r.T, nil, r.said.Name)
		if x == nil || err != nil || !r.T.Running() || x.Bot != "" || !r.S.AddressOf(r.S.Player(x.Player).Address).Bounced.IsZero() {
			return nil, err
		}
		heir := "bot"
		if !order.IsBot(r.said.Heir) {
			heir = r.said.Heir
			if err := cmp.Or(r.sealed(), r.heirFits()); err != nil {
				return nil, err
			}
		}
		return append(args, "name", x.Name, "heir", heir), nil
	case order.RuleUphold:
		all, err := r.S.Tx.Rulings(r.T.Row.ID)
		if err != nil {
			return nil, err
		}
		against, appeals := leagues.Appealed(all)
		if against == nil {
			return nil, r.not()
		}
		var who []string
		for _, a := range appeals {
			who = append(who, a.Who)
		}
		return append(args, "kind", string(against.Kind), "who", strings.Join(who, ", ")), nil
	default:
		return nil, nil
	}
	now, err := r.scores()
	return append(args, "now", scored(r.T, now)), err
}

// asks asks the director about a ruling, if we ask about it; asked reports that.
func asks(u *unit.Unit, c *unit.Call, t *unit.Game) (asked bool, err error) {
	r := &Decision{S: u, T: t, said: c.Word.Rule, Done: notice.Ruling{By: c.Sender.ID}}
	args, err := r.comesTo()
	if args == nil || err != nil {
		return false, err
	}
	was, err := resultOf(u, t)
	if err != nil {
		return false, err
	}
	w := c.Sender
	all := []askedRuling{{c.Word.Rule, t.Step(), scored(t, was)}}
	q, err := openRulings(u, w)
	if err != nil {
		return false, err
	}
	if q == nil {
		if w.Answer.Confirm != 0 { // about something else in this letter
			return false, notice.Refuse(notice.ProblemApart, "word", string(c.Word.Rule.Kind))
		}
		q = &store.Confirm{Kind: store.ConfirmRule, Player: w.ID, Address: w.Player.Address}
		u.Question(q)
		w.Answer.Confirm = q.ID
	} else {
		var before []askedRuling
		if err := json.Unmarshal([]byte(q.Lines), &before); err != nil {
			return false, fmt.Errorf("rulings asked about: %w", err)
		}
		if all = append(before, all...); len(all) > maxAsked {
			return false, notice.Refuse(notice.ProblemMany, "word", string(c.Word.Rule.Kind), "n", strconv.Itoa(maxAsked))
		}
	}
	lines, err := json.Marshal(all)
	if err != nil {
		return false, err
	}
	q.Lines = string(lines)
	u.Check(u.Tx.SaveConfirm(*q))
	c.Line.Status = notice.LineAsked
	w.Answer.Say(notice.AskRule, args...)
	return true, nil
}

// Unsure returns a problem if the host must confirm a ruling, with its consequences; nil if
// not.
func Unsure(u *unit.Unit, t *unit.Game, said order.Ruling) error {
	args, err := (&Decision{S: u, T: t, said: said}).comesTo()
	if args == nil || err != nil {
		return err
	}
	return notice.Refuse(notice.ProblemRuleSure, args...)
}

// openRulings returns the question about rulings that the answer to this letter already has,
// nil if none.
func openRulings(u *unit.Unit, w *unit.Sender) (*store.Confirm, error) {
	if w.Answer.Confirm == 0 {
		return nil, nil
	}
	q, err := u.Tx.Confirm(w.Answer.Confirm)
	if err != nil || q.Kind != store.ConfirmRule {
		return nil, err
	}
	return &q, nil
}

// Yes carries out the rulings that a yes confirms. If the game has gone on, or has another
// result by now, it is not what the director agreed to, so we ask again.
func Yes(u *unit.Unit, w *unit.Sender, q store.Confirm) error {
	var all []askedRuling
	if err := json.Unmarshal([]byte(q.Lines), &all); err != nil {
		return fmt.Errorf("rulings asked about: %w", err)
	}
	if w.Player == nil || w.ID != q.Player {
		return notice.Refuse(notice.ProblemLapsed)
	}
	for _, x := range all {
		t, by, err := leagues.RuledBy(u, w.Player, x.Ruling.Game)
		if err != nil {
			return err
		}
		was, err := resultOf(u, t)
		if err != nil {
			return err
		}
		if scored(t, was) != x.Was || x.Ruling.Kind == order.RuleRollback && t.Step() != x.Step {
			return notice.Refuse(notice.ProblemMoved, "word", string(x.Ruling.Kind), "game", t.Row.ID)
		}
		if _, err := CarryOut(u, t, x.Ruling, by, w.Answer); err != nil {
			return err
		}
	}
	return nil
}

// CarryOut carries out a ruling, and tells its director what was, what is now, and the line
// that takes it back, if there is one.
func CarryOut(u *unit.Unit, t *unit.Game, said order.Ruling, by leagues.Ruler, d *unit.Draft) (done notice.Ruling, err error) {
	was, err := resultOf(u, t)
	if err != nil {
		return done, err
	}
	zone := time.UTC
	if by.Player != 0 {
		zone = u.ZoneOf(by.Player)
	}
	args := []string{"then", string(said.Kind), "was", scored(t, was)}
	var seat *store.Seat
	if said.Name != "" {
		if seat, err = seating.SeatNamed(u, t, nil, said.Name); seat != nil && !seat.Deadline.IsZero() {
			args = append(args, "from", unit.When(seat.Deadline, zone))
		}
		if err != nil {
			return done, err
		}
	}
	held := "" // the bot that had the seat
	if seat != nil {
		held = seat.Bot
	}
	done, err = Rule(u, t, said, by)
	if err != nil {
		return done, err
	}
	d.Say(notice.SayRuled, "game", t.Row.ID)
	back := order.Ruling{Game: said.Game, Kind: said.Kind}
	switch said.Kind {
	case order.RuleExtend:
		args = append(args, "name", done.Name, "until", unit.When(done.Until, zone))
		back.Name, back.Time = done.Name, clock.Reversed(said.Time)
	case order.RulePause:
		back.Kind = order.RuleResume
	case order.RuleResume:
		back.Kind = order.RulePause
	case order.RuleCorrect:
		args = append(args, "now", scored(t, done.Scores))
		for i, name := range t.Names() {
			back.Scores = append(back.Scores, order.Scored{Name: name, VP: was[i]})
		}
	case order.RuleAdjudicate:
		args = append(args, "now", scored(t, done.Scores))
		back.Kind = ""
	case order.RuleReplace:
		args = append(args, "name", done.Name, "bot", cmp.Or(done.Bot, "none"), "bots", strconv.FormatBool(held != ""))
		if back.Name, back.Heir = done.Name, turns.Asking(held); held == "" {
			back.Kind = ""
		}
	default:
		back.Kind = ""
	}
	d.Say(notice.SayRuledNow, args...)
	if back.Kind != "" {
		d.Offer(notice.CommandBack, "line", strings.TrimSuffix(back.String(), ": "), "why", "true")
	}
	return done, nil
}
