package match

import (
	"fmt"
	"slices"

	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// A question is one that a letter out asks and that `yes` or `no` answers. The sender
// of the answer is known by the token of the letter that asked.
type question struct {
	yes func(*unit, *writer, store.Confirm) error // does what was asked; a notice.Problem is why it can't be done any more
	no  func(*unit, *writer, store.Confirm) error // nil: dropHeld
	// late returns the notice.Problem with which an answer is refused that comes when
	// the question is closed; nil: ProblemLapsed.
	late func(*unit, *writer, store.Confirm) error

	begins bool // a yes begins something for a sender who may be no player yet, and that is the answer
}

// questions has each kind of store.Confirm.
var questions map[string]question

func init() { // a yes may obey a letter that was held, and that may hold a yes
	agreed := question{yes: (*unit).agreedYes}
	questions = map[string]question{
		store.ConfirmAlias:      {yes: (*unit).aliasYes},
		store.ConfirmLetter:     {yes: (*unit).obeyHeld},
		store.ConfirmGame:       {yes: (*unit).newGameYes, begins: true},
		store.ConfirmJoin:       {yes: (*unit).joinYes, begins: true},
		store.ConfirmLeague:     {yes: (*unit).leagueYes, begins: true},
		store.ConfirmMeant:      {yes: (*unit).meantYes},
		store.ConfirmSeat:       {yes: (*unit).seatYes, no: (*unit).seatNo, late: (*unit).seatGone},
		store.ConfirmPlace:      {yes: (*unit).placeYes, no: (*unit).placeNo, late: (*unit).placeGone},
		store.ConfirmAddress:    {yes: (*unit).addressYes},
		store.ConfirmRemove:     {yes: (*unit).removeYes},
		store.ConfirmVisibility: agreed,
		store.ConfirmAbandon:    agreed,
		store.ConfirmPause:      agreed,
		store.ConfirmResume:     agreed,
	}
}

// confirmed carries out what a token's question asked, or drops it. line is that of
// the yes or no, nil for a sender who is no player.
func (s *unit) confirmed(w *writer, yes bool, line *notice.LineResult) error {
	refuse := func(p *notice.Problem) {
		switch {
		case line != nil:
			line.Status, line.Problem = notice.LineRefused, p
		case w.answer != nil:
			w.answer.say(notice.SayLapsed)
		}
	}
	if w.token == nil || w.token.Confirm == 0 {
		refuse(notice.Refuse(notice.ProblemNothing))
		return nil
	}
	c, err := s.tx.Confirm(w.token.Confirm)
	if err != nil {
		return err
	}
	q, ok := questions[c.Kind]
	if !ok {
		return fmt.Errorf("confirmation of kind %q", c.Kind)
	}
	if !c.Open || s.now.After(c.Expires) {
		err := error(notice.Refuse(notice.ProblemLapsed))
		if q.late != nil {
			err = q.late(s, w, c)
		}
		if p := notice.AsProblem(err); p != nil {
			refuse(p)
			return nil
		}
		return err
	}
	c.Open = false
	s.check(s.tx.SaveConfirm(c))
	if !yes {
		if w.answer != nil {
			w.answer.say(notice.SayNo)
		}
		if q.no == nil {
			return s.dropHeld(c)
		}
		if err := q.no(s, w, c); notice.AsProblem(err) == nil {
			return err
		}
		return nil
	}
	said := 0
	if w.answer != nil {
		said = len(w.answer.answer.Remarks)
	}
	err = q.yes(s, w, c)
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
	if w.answer != nil {
		r := &w.answer.answer.Remarks
		*r = slices.Insert(*r, min(said, len(*r)), notice.Remark{Code: notice.SayYes})
		if c.Kind != store.ConfirmMeant {
			w.answer.result = notice.Applied
		}
	}
	return nil
}

// agreedYes counts a player's yes to what all at the table must agree to.
func (s *unit) agreedYes(w *writer, c store.Confirm) error {
	if t := w.table; t == nil || w.seat == nil || w.seat.Player != w.ID || !t.asks(c.Kind) {
		return notice.Refuse(notice.ProblemLapsed)
	}
	return s.agree(w, c.Kind)
}

// dropHeld lets a held letter go unapplied.
func (s *unit) dropHeld(c store.Confirm) error {
	if c.Letter == 0 {
		return nil
	}
	l, err := s.tx.Letter(c.Letter)
	if err != nil {
		return err
	}
	l.State, l.Why = store.LetterMute, "not confirmed"
	s.check(s.tx.SaveLetter(l))
	return nil
}
