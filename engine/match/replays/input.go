package replays

import (
	"errors"
	"fmt"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// Input returns the renderer's input for a letter about a game; p is its whole replay once it
// has begun.
func (h *Cache) Input(r notice.Message, row store.Game, p *game.Replay) (*notice.Input, error) {
	sheet := &notice.Input{Message: r, Options: row.Options}
	if seed, err := game.ParseSeed(row.Seed); err == nil {
		sheet.Commitment = engine.Commitment(seed)
		if r.Kind == notice.KindEnd && row.Result != "" && !row.Options.Shared { // it may be sealed, or was when this was written
			sheet.Seed = row.Seed
		}
	}
	if row.Started.IsZero() || r.Seat == 0 {
		return sheet, nil
	}
	p, err := p.At(r.Step)
	if err != nil {
		return nil, err
	}
	if err := h.fill(sheet, p); err != nil {
		return nil, err
	}
	if row.Broken() && row.Result == "" && !r.Date.Before(row.Ended) {
		sheet.View.ToAct, sheet.View.Decision = nil, engine.NoDecision // no more decisions
		sheet.Legal, sheet.Example = nil, nil
	}
	return sheet, nil
}

// Collect adds to the input of a daily letter what happened in each of its games; play reads a
// game and its whole replay, for a seat. A game that cannot be read has no story: the letter
// only names the players who moved.
func (h *Cache) Collect(sheet *notice.Input, play func(id string, seat int) (store.Game, *game.Replay, error)) error {
	for i := range sheet.Message.Answer.Collected {
		a := &sheet.Message.Answer.Collected[i]
		if a.News == nil {
			continue
		}
		var s notice.Story
		row, p, err := play(a.Game, a.News.Seat)
		if err != nil && !errors.Is(err, ErrUnreadable) {
			return err
		}
		if err == nil && p != nil {
			if p, err = p.At(a.News.Step); err != nil {
				return err
			}
			if s.Set, err = h.SetOf(row); err != nil {
				return err
			}
			s.Told = p.Story(engine.Seat(a.News.Seat), a.News.Since)
		}
		sheet.Collected = append(sheet.Collected, s)
	}
	return nil
}

// fill sets the position after the message's step in an input.
func (h *Cache) fill(sheet *notice.Input, p *game.Replay) error {
	r := sheet.Message
	seat := engine.Seat(r.Seat)
	sheet.View = p.State.Project(seat)
	if r.Answer.Brief {
		return nil
	}
	if r.Since < r.Step {
		sheet.Story = p.Story(seat, r.Since)
	}
	sheet.Legal = game.LegalOrders(sheet.View)
	if r.Kind == notice.KindEnd {
		sheet.Course = p.Course()
	}
	if len(sheet.Legal) > 0 && r.Kind != notice.KindEnd {
		sheet.Example = h.example(p, seat)
	}
	for _, sec := range r.Answer.Sections {
		if sec.Kind == "history" {
			sheet.History = p.Story(seat, sec.From-1)
		}
	}
	if len(r.Answer.Preview) > 0 {
		q := p.Copy()
		for _, line := range r.Answer.Preview {
			if err := q.Replay(game.Line{Seat: r.Seat, By: game.ByPlayer, Order: line}); err != nil {
				return fmt.Errorf("preview %q: %w", line, err)
			}
		}
		sheet.After = q.State.Closed(seat)
	}
	return nil
}

// example returns a whole turn as the greedy bot would play it, up to the first step that rolls
// or draws.
func (h *Cache) example(p *game.Replay, seat engine.Seat) []string {
	greedy, err := bot.New(store.ResignBot, "") // a recipe gives the same letter always
	if err != nil {
		return nil
	}
	q := p.Scratch()
	var out []string
	for len(out) < order.MaxClauses && q.State.ToAct(seat) {
		v := q.State.Project(seat)
		step := greedy.Choose(v, v.Legal(nil), v.Turn)
		events, err := q.Do(seat, game.ByPlayer, step)
		if err != nil {
			break
		}
		out = append(out, order.Print(step))
		for _, e := range events {
			if e.New() || e.Kind == engine.EvTurnEnded {
				return out
			}
		}
	}
	return out
}
