package obey

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"angelpost/engine/match/agreements"
	"angelpost/engine/match/compete"
	"angelpost/engine/match/rulings"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// Lapse closes an unanswered question.
func Lapse(u *unit.Unit, row store.Due) error {
	id, err := strconv.ParseInt(row.Ref, 10, 64)
	if err != nil {
		return fmt.Errorf("confirmation: %w", err)
	}
	c, err := u.Tx.Confirm(id)
	if err != nil || !c.Open {
		return err
	}
	c.Open = false
	u.Check(u.Tx.SaveConfirm(c))
	if q := questions[c.Kind]; q.lapse != nil {
		return q.lapse(u, c)
	}
	return dropHeld(u, c)
}

// A question is one that a letter out asks and that `yes` or `no` answers. The token of the
// letter that asked identifies the sender of the answer.
type question struct {
	yes func(*unit.Unit, *unit.Sender, store.Confirm) error // carries out the question; a notice.Problem says why that is no longer possible
	no  func(*unit.Unit, *unit.Sender, store.Confirm) error // nil: dropHeld
	// late returns the notice.Problem with which an answer is refused that comes when
	// the question is closed; nil: ProblemLapsed.
	late func(*unit.Unit, *unit.Sender, store.Confirm) error
	// lapse does what follows if there is no answer; nil: dropHeld.
	lapse func(*unit.Unit, store.Confirm) error

	again  bool // it may be answered late, and once more
	begins bool // a yes begins something for a sender who may be no player yet, and that is the answer
}

// questions has a row for each kind of store.Confirm.
var questions map[string]question

func init() { // a yes may obey a letter that was held, and that may hold a yes
	agreed := question{yes: agreedYes}
	questions = map[string]question{
		store.ConfirmAlias:      {yes: aliasYes},
		store.ConfirmLetter:     {yes: obeyHeld},
		store.ConfirmLost:       {yes: lostYes},
		store.ConfirmGame:       {yes: seating.NewGameYes, begins: true},
		store.ConfirmJoin:       {yes: seating.JoinYes, begins: true},
		store.ConfirmRule:       {yes: rulings.Yes},
		store.ConfirmLeague:     {yes: compete.Yes, begins: true},
		store.ConfirmMeant:      {yes: meantYes},
		store.ConfirmSeat:       {yes: compete.SeatYes, no: compete.SeatNo, late: compete.SeatGone},
		store.ConfirmPlace:      {yes: compete.PlaceYes, no: compete.PlaceNo, late: compete.PlaceGone},
		store.ConfirmInTime:     {yes: inTimeYes, no: inTimeNo},
		store.ConfirmHere:       {yes: compete.HereYes, no: compete.HereNo, again: true},
		store.ConfirmVoid:       {yes: rulings.VoidYes},
		store.ConfirmOffice:     {yes: compete.OfficeYes, no: compete.OfficeNo, lapse: compete.OfficeLapsed},
		store.ConfirmAddress:    {yes: seating.AddressYes},
		store.ConfirmRemove:     {yes: seating.RemoveYes},
		store.ConfirmForget:     {yes: forgetYes},
		store.ConfirmVisibility: agreed,
		store.ConfirmAbandon:    agreed,
		store.ConfirmPause:      agreed,
		store.ConfirmResume:     agreed,
		store.ConfirmReplace:    {yes: agreements.ReplaceYes, no: agreements.ReplaceNo},
		store.ConfirmTakeBack:   {yes: agreements.TakeBackYes, no: agreements.TakeBackNo},
	}
}

// confirmed carries out what a token's question asked, or drops it. line is the yes or no in
// the letter, nil for a sender who has not joined as a player.
func confirmed(u *unit.Unit, w *unit.Sender, yes bool, line *notice.LineResult) error {
	refuse := func(p *notice.Problem) {
		switch {
		case line != nil:
			line.Status, line.Problem = notice.LineRefused, p
		case w.Answer != nil:
			switch p.Code {
			case notice.ProblemLate:
				w.Answer.Say(notice.SayLate, "time", p.Args["time"])
			case notice.ProblemAnswered:
				w.Answer.Say(notice.SayAnswered)
			default:
				w.Answer.Say(notice.SayLapsed)
			}
		}
	}
	id, err := asks(u, w, yes)
	if err != nil {
		return err
	}
	if id == 0 {
		refuse(notice.Refuse(notice.ProblemNothing))
		return nil
	}
	c, err := u.Tx.Confirm(id)
	if err != nil {
		return err
	}
	q, ok := questions[c.Kind]
	if !ok {
		return fmt.Errorf("confirmation of kind %q", c.Kind)
	}
	if !q.again && (!c.Open || u.At.After(c.Expires)) {
		err := error(notice.Refuse(notice.ProblemAnswered))
		if u.At.After(c.Expires) {
			err = notice.Refuse(notice.ProblemLate, "time", unit.When(c.Expires, zoneOf(u, w)))
		}
		if q.late != nil {
			err = q.late(u, w, c)
		}
		if p := notice.AsProblem(err); p != nil {
			refuse(p)
			return nil
		}
		return err
	}
	c.Open = false
	u.Check(u.Tx.SaveConfirm(c))
	if !yes {
		if w.Answer != nil {
			w.Answer.Say(notice.SayNo)
		}
		if q.no == nil {
			return dropHeld(u, c)
		}
		if err := q.no(u, w, c); notice.AsProblem(err) == nil {
			return err
		}
		return nil
	}
	said := 0
	if w.Answer != nil {
		said = len(w.Answer.Answer.Remarks)
	}
	err = q.yes(u, w, c)
	if p := notice.AsProblem(err); p != nil {
		refuse(p)
		return nil
	}
	if err != nil {
		return err
	}
	if line != nil && c.Kind != store.ConfirmMeant { // of that the lines say what became of it
		line.Status = notice.LineApplied
	}
	if w.Answer != nil {
		r := &w.Answer.Answer.Remarks
		*r = slices.Insert(*r, min(said, len(*r)), notice.Remark{Code: notice.SayYes})
		if c.Kind != store.ConfirmMeant {
			w.Answer.Result = notice.Applied
		}
	}
	return nil
}

// zoneOf returns the sender's time zone, UTC if they have not joined as a player.
func zoneOf(u *unit.Unit, w *unit.Sender) *time.Location {
	if w.Player == nil || w.ID == 0 {
		return time.UTC
	}
	return u.ZoneOf(w.ID)
}

// asks returns the question that a yes or no answers, 0 if there is none: the one in the letter
// answered. A director who refuses a takeover can do so in answer to any of our letters,
// because there is little time for it.
func asks(u *unit.Unit, w *unit.Sender, yes bool) (int64, error) {
	switch {
	case w.Token == nil:
		return 0, nil
	case w.Token.Confirm != 0:
		return w.Token.Confirm, nil
	case yes || w.Player == nil || w.ID == 0:
		return 0, nil
	}
	open, err := u.Tx.OpenConfirms(store.ConfirmOffice, w.Player.Address)
	if len(open) != 1 || err != nil {
		return 0, err
	}
	return open[0].ID, nil
}

// agreedYes counts a player's yes to a proposal that all players of the game must accept.
func agreedYes(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	if t := w.Game; t == nil || w.Seat == nil || w.Seat.Player != w.ID || !agreements.Asks(t, c.Kind) {
		return notice.Refuse(notice.ProblemLapsed)
	}
	return agreements.Agree(u, w, c.Kind)
}

// dropHeld drops a held letter without applying it.
func dropHeld(u *unit.Unit, c store.Confirm) error {
	if c.Letter == 0 {
		return nil
	}
	l, err := u.Tx.Letter(c.Letter)
	if err != nil {
		return err
	}
	l.State, l.Why = store.LetterMute, "not confirmed"
	u.Check(u.Tx.SaveLetter(l))
	return nil
}
