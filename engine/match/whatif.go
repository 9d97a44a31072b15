package match

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"angelpost/engine"
	"angelpost/engine/order"
)

// A WhatIf is a finished game taken up at one of its steps and played on
// otherwise, by the chance that was. A line of it is a seat's number and a
// canonical order: "2 card 013 at row 2". Nothing is hidden in it: the seed of a
// finished game is published.
type WhatIf struct {
	View    *engine.View // after Steps, as whoever is next sees it
	Next    engine.Seat  // who that is; 0: the game is over
	Steps   []Tried
	Options []Option    // of every seat that has something to decide, Next's first
	Was     string      // the line that came next in the game, while Steps are its own; "" otherwise
	Refused *LineResult // the first line that could not be taken: Steps are those before it
}

// WhatIf plays on from the position after line at of a finished game, for
// whoever may look at it. The Glance is of that position. Beside Look's errors,
// a game that is not finished gives ErrNotFound, wrapped.
func (h *Host) WhatIf(ctx context.Context, id, key string, at int, lines []string) (*Glance, *WhatIf, error) {
	g, err := h.Look(ctx, id, key, at)
	switch {
	case err != nil:
		return nil, nil, err
	case g.Row.State != GameFinished || g.whole == nil:
		return nil, nil, fmt.Errorf("game %s is not finished: %w", id, ErrNotFound)
	}
	return g, g.whole.whatIf(g.play, lines), nil
}

// whatIf goes on from the position that at has reached in p.
func (p *play) whatIf(at *play, lines []string) *WhatIf {
	q := at.copy()
	w := &WhatIf{}
	next := p.lines[at.step():]
	own := true // the lines are the game's own
	for i, line := range lines {
		seat, step, err := readWhatIf(line)
		before, from := q.state, q.step()
		if err == nil {
			_, err = q.do(seat, ByPlayer, step)
		}
		if err != nil {
			w.Refused = &LineResult{N: i + 1, Text: line, Status: LineRefused, Problem: unplayable(line, step, err)}
			break
		}
		s := Tried{Line: i + 1, Gain: gainOf(&before, &q.state, seat)}
		s.Seat, s.By, s.Order, s.Events = int(seat), ByPlayer, order.Print(step), q.events[from+1]
		w.Steps = append(w.Steps, s)
		own = own && i < len(next) && whatIfLine(int(seat), s.Order) == whatIfLine(next[i].Seat, next[i].Order)
	}
	if n := len(w.Steps); own && w.Refused == nil && n < len(next) && !next[n].meta() {
		w.Was = whatIfLine(next[n].Seat, next[n].Order)
	}
	acting := q.toAct()
	for _, seat := range acting {
		if w.Next == 0 || seat == q.onTurn() {
			w.Next = seat
		}
	}
	w.View = q.state.Reveal(w.Next)
	if w.Next == 0 {
		return w
	}
	w.Options = q.choices(w.Next, nil)
	for _, seat := range acting {
		if seat != w.Next {
			w.Options = q.choices(seat, w.Options)
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

// unplayable is why a line could not be taken.
func unplayable(line string, step engine.Step, err error) *Problem {
	var ill *engine.Illegal
	if errors.As(err, &ill) {
		return &Problem{Code: ProblemIllegal, Rule: ill.Rule, Read: order.Print(step), Args: map[string]string{"reason": ill.Code}}
	}
	return &Problem{Code: order.Unreadable, Args: map[string]string{"word": line}}
}

// WhatIf plays on from the position after line at of a record that is finished.
func (g *Game) WhatIf(at int, lines []string) (*WhatIf, error) {
	p, err := g.play.past(at)
	if err != nil {
		return nil, err
	}
	return g.play.whatIf(p, lines), nil
}
