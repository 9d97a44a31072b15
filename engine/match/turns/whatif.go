package turns

import (
	"errors"
	"fmt"
	"strings"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// A WhatIf is a finished game continued in another way from one of its steps, with the same
// chance. Its lines are a seat's number and a canonical order: "2 card 013 at row 2". It hides
// nothing, because the seed of a finished game is public.
type WhatIf struct {
	View    *engine.View // after Steps, as the next player sees it
	Next    engine.Seat  // who that is; 0: the game is over
	Steps   []Tried
	Options []Option           // of every seat that has something to decide, Next's first
	Was     string             // the line that came next in the game, while Steps are its own; "" otherwise
	Refused *notice.LineResult // the first line that could not be taken: Steps are those before it
}

// NewWhatIf continues from the position that at has reached in p.
func NewWhatIf(p, at *game.Replay, lines []string) *WhatIf {
	q := at.Copy()
	w := &WhatIf{}
	next := p.Lines[at.Step():]
	own := true // the lines are the game's own
	for i, line := range lines {
		seat, step, err := readWhatIf(line)
		before, from := q.State, q.Step()
		if err == nil {
			_, err = q.Do(seat, game.ByPlayer, step)
		}
		if err != nil {
			w.Refused = &notice.LineResult{N: i + 1, Text: line, Status: notice.LineRefused, Problem: unplayable(line, step, err)}
			break
		}
		s := Tried{Line: i + 1, Gain: gainOf(&before, &q.State, seat)}
		s.Seat, s.By, s.Order, s.Events = int(seat), game.ByPlayer, order.Print(step), q.Events[from+1]
		w.Steps = append(w.Steps, s)
		own = own && i < len(next) && whatIfLine(int(seat), s.Order) == whatIfLine(next[i].Seat, next[i].Order)
	}
	if n := len(w.Steps); own && w.Refused == nil && n < len(next) && !next[n].Meta() {
		w.Was = whatIfLine(next[n].Seat, next[n].Order)
	}
	acting := q.ToAct()
	for _, seat := range acting {
		if w.Next == 0 || seat == q.OnTurn() {
			w.Next = seat
		}
	}
	w.View = q.State.Reveal(w.Next)
	if w.Next == 0 {
		return w
	}
	w.Options = choices(q, q.State.Closed(w.Next), nil)
	for _, seat := range acting {
		if seat != w.Next {
			w.Options = choices(q, q.State.Closed(seat), w.Options)
		}
	}
	return w
}

func whatIfLine(seat int, order string) string { return fmt.Sprint(seat, " ", order) }

// Line is the option as a line of a WhatIf.
func (o Option) Line() string { return whatIfLine(o.Seat, o.Order) }

func readWhatIf(line string) (engine.Seat, engine.Step, error) {
	number, text, _ := strings.Cut(line, " ")
	if len(number) != 1 || number[0] < '1' || number[0] > '0'+engine.MaxPlayers {
		return 0, engine.Step{}, errors.New("no seat")
	}
	step, err := order.Parse(text)
	return engine.Seat(number[0] - '0'), step, err
}

// unplayable returns why a line could not be played.
func unplayable(line string, step engine.Step, err error) *notice.Problem {
	var ill *engine.Illegal
	if errors.As(err, &ill) {
		return &notice.Problem{Code: notice.ProblemIllegal, Rule: ill.Rule, Read: order.Print(step), Args: map[string]string{"reason": ill.Code}}
	}
	return notice.Refuse(order.Unreadable, "word", line)
}

// WhatIfIn plays on from the position after line at of a finished game replayed from its
// record: for tests, which have games without a store.
func WhatIfIn(g *game.Game, at int, lines []string) (*WhatIf, error) {
	p, err := g.Play.Past(at)
	if err != nil {
		return nil, err
	}
	return NewWhatIf(g.Play, p, lines), nil
}
