package obey

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"angelpost/engine"
	"angelpost/engine/match/agreements"
	"angelpost/engine/match/clock"
	"angelpost/engine/match/compete"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// finishGame stores the result of a game that is over.
func finishGame(u *unit.Unit, t *unit.Game) error {
	o := t.Replay.Outcome(t.Names())
	var err error
	if o.Parts, err = u.Parts(t); err != nil {
		return err
	}
	result, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("result: %w", err)
	}
	t.Row.State, t.Row.Ended, t.Row.Result = store.GameFinished, u.At, string(result)
	return nil
}

// advance plays what a game can play without letters, ends it if it is over, and notifies the
// players to move.
func advance(u *unit.Unit, t *unit.Game) error {
	if t.Replay == nil {
		return nil
	}
	if err := compete.Forfeited(u, t); err != nil {
		return err
	}
	if err := agreements.AgreedByRest(u, t); err != nil {
		return err
	}
	if t.Running() {
		if err := turns.DropPlans(u, t); err != nil {
			return err
		}
		if err := turns.PlayAhead(u, t); err != nil {
			return err
		}
		if t.Replay.State.Finished() {
			if err := finishGame(u, t); err != nil {
				return err
			}
			t.Ended = true
		}
	}
	if err := clock.Tick(u, t); err != nil {
		return err
	}
	if t.Replay.Step() == t.From && !t.Ended && !t.Fresh && !turns.PlanTried(t) {
		return nil
	}
	for i := range t.Replay.Lines[t.From:] {
		for _, e := range t.Replay.Events[t.From+i+1] {
			if e.Kind == engine.EvTurnEnded {
				t.Turned = append(t.Turned, e.Seat)
			}
		}
	}
	for i := range t.Seats {
		x := &t.Seats[i]
		if x.Unplayed() && t.Row.State != store.GameFinished || x.Player == 0 {
			continue
		}
		if err := writeTo(u, t, x); err != nil {
			return err
		}
		if err := turns.TellPlan(u, t, x); err != nil {
			return err
		}
	}
	return nil
}

// tellAhead is after how many turns we tell a player that they can plan the next.
const tellAhead = 2

// sayUndo says how long a player can take back what they have just played: until their
// turn ends, if it is under way, and else until another player moves. Chance ends it at once.
func sayUndo(u *unit.Unit, t *unit.Game, x *store.Seat, own *unit.Draft) {
	seat := engine.Seat(x.Seat)
	n := t.Replay.Undos(seat)
	revealed := false
	for i, l := range t.Replay.Lines[t.From:] {
		revealed = revealed || l.Seat == x.Seat && slices.ContainsFunc(t.Replay.Events[t.From+i+1], engine.Event.New)
	}
	switch {
	case n == 0 && revealed && t.Replay.Waits(seat) && !slices.Contains(t.Turned, seat):
		own.Say(notice.SayUndoNot)
	case n == 0:
	case t.Replay.Waits(seat):
		timed, at := x.Deadline.After(u.At), ""
		if timed {
			at = unit.When(x.Deadline, u.ZoneOf(x.Player))
		}
		own.Say(notice.SayUndoUntil, "n", strconv.Itoa(n), "timed", strconv.FormatBool(timed), "time", at)
	default:
		own.Say(notice.SayUndoNext, "n", strconv.Itoa(n), "names", t.NamesOf(t.Replay.ToAct()))
	}
}

// onceOver replaces remarks about a seat that a bot got in this transaction, if the game is
// over by its end: no one can come back, and no bot plays on.
var onceOver = map[string]string{
	notice.SayResigned: notice.SayResignedEnd, notice.TellResigned: notice.TellResignedEnd, notice.TellExpelledGame: notice.TellExpelledEnd,
	notice.TellAbsent: notice.TellAbsentEnd, notice.TellAbsentAll: notice.TellAbsentAllEnd, notice.TellOut: notice.TellOutEnd,
}

// seekOthers looks for players to take the seats of players who have left, after the game has
// played all it can without letters. If the game is over, letters say so.
func seekOthers(u *unit.Unit, t *unit.Game) error {
	places := t.Vacated
	t.Vacated = nil
	if !t.Running() {
		for _, d := range u.Drafts {
			for i := range d.Answer.Remarks {
				r := &d.Answer.Remarks[i]
				if d.Game == t && onceOver[r.Code] != "" && (r.Code != notice.TellOut || r.Args["bot"] != "") {
					r.Code = onceOver[r.Code]
				}
			}
		}
		return nil
	}
	for _, place := range places {
		x := t.Place(place)
		if x.Stage == store.SeatAbsent && t.Row.League == "" && t.Row.Organiser != x.Player {
			u.TellOrganiser(t, x.Player, notice.TellAbsentHelp, "name", x.Name)
		}
		if err := u.Substitutes.Vacated(u, t, x); err != nil {
			return err
		}
	}
	return nil
}

// writeTo writes one player what happened, if they need to know.
func writeTo(u *unit.Unit, t *unit.Game, x *store.Seat) error {
	seat := engine.Seat(x.Seat)
	p := u.Player(x.Player)
	own := u.ReplyTo(x.Player, t) // the answer they get anyway
	since := x.Seen
	if own != nil && t.Moved[x.Place] && !own.Whole {
		since = t.From
	}
	switch {
	case t.Fresh && t.Row.State == store.GameRunning:
		kind := notice.KindStart
		if t.Replay.Waits(seat) {
			kind = notice.KindTurn
		}
		d := u.DraftFor(x.Player, t, kind)
		d.Since = -1
		if d.Answer.First = u.FirstGame(x.Player, t.Row.ID); d.Answer.First {
			key, err := u.HomeKey(x.Player, false)
			if err != nil {
				return err
			}
			d.Answer.Home = key
		}
		mixed := "no"
		if t.Row.Mixed {
			mixed = "yes"
		}
		d.Say(notice.TellStarted, "commitment", u.Commitment(t), "mixed", mixed)
		if t.Row.Options.Hints {
			d.Say(notice.TellHints)
		}
		d.WantsName(x)
	case t.Row.State == store.GameFinished:
		d := u.DraftFor(x.Player, t, notice.KindEnd)
		d.Since = since
	case own != nil:
		if t.Replay.Step() > t.From {
			own.Since, own.Again = since, !t.Moved[x.Place]
		}
		begins := t.Replay.Waits(seat) && (!t.Waited[x.Place] || slices.Contains(t.Turned, seat))
		own.Answer.Board = own.Answer.Board || begins // no other letter shows it
		if len(t.Moved) > 0 && t.Moved[x.Place] && own.Kind == notice.KindAnswer {
			if t.Replay.Turns[seat] > 0 && slices.Contains(t.Turned, seat) {
				own.Say(notice.SayDone)
				if planned, err := turns.Planned(u, t, x); err != nil {
					return err
				} else if t.Replay.Turns[seat] <= tellAhead && t.Running() && !planned {
					own.Say(notice.SayPlanAhead)
				}
				if t.Replay.Turns[seat] <= tellAhead && agreements.MayTakeBack(u, t) {
					own.Say(notice.SayTakeBack)
				}
			} else if t.Replay.Waits(seat) {
				own.Say(notice.SayMore)
			}
			sayUndo(u, t, x, own)
			if t.Replay.State.ToAct(seat) && t.Replay.Owes(seat) {
				own.Say(notice.TellOwe)
			}
		}
	case t.Replay.Waits(seat) && (!t.Waited[x.Place] || t.Moved[x.Place]):
		d := u.DraftFor(x.Player, t, notice.KindTurn)
		d.Since, d.Again = since, true
	case p.Every && slices.ContainsFunc(t.Turned, func(e engine.Seat) bool { return e != seat }):
		d := u.DraftFor(x.Player, t, notice.KindInfo)
		d.Since, d.Again = since, true
		d.Say(notice.TellTurn, "names", t.NamesOf(t.Turned))
	}
	return nil
}
