package turns

import (
	"slices"
	"strings"

	"angelpost/engine/game"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// maxMends bounds the typos that `Mend` corrects in a letter.
const maxMends = 3

// A `Mended` is a proposed correction of orders that could not be played because of typos. All of
// its lines can be played, as far as that can be known before dice or cards are revealed.
type Mended struct {
	Lines []string // the orders that were not played, to be obeyed after a yes
	Typos []string // those of Lines that we corrected

	problem *notice.Problem // of the first line at fault
}

// Asked removes the proposal from the answer to the line, because the question has it.
func (m *Mended) Asked() { m.problem.Candidates = nil }

// `Mend` tries to read each line at fault as the legal order nearest to it (order.Typos). It
// returns nil if there is none, or several: it adds those to the line's Problem. It plays
// nothing and reveals nothing hidden.
func (b *Block) Mend(w *unit.Sender, items []order.Item) (*Mended, error) {
	if !b.fail || b.seat == 0 {
		return nil, nil
	}
	if b.Cur != nil { // the lines before the one at fault were played
		items = items[b.bad:]
	}
	m := Mended{Lines: mendable(items)}
	for n := 0; ; n++ {
		items = order.ReadLines(m.Lines).Items
		i, at, err := b.fault(w, items)
		if err != nil {
			return nil, err
		}
		if i < 0 {
			if n == 0 {
				return nil, nil
			}
			b.mended = true
			return &m, nil
		}
		if n == maxMends || items[i].Clause == nil {
			return nil, nil
		}
		var typos []string
		for _, p := range at {
			if len(typos) == 0 {
				typos = b.typos(*items[i].Clause, p)
			}
		}
		if n == 0 {
			m.problem = b.propose(typos)
		}
		if len(typos) != 1 {
			return nil, nil
		}
		line := items[i].Line
		items[i].Text = typos[0]
		m.Lines[line-1] = mendable(slices.DeleteFunc(items, func(it order.Item) bool { return it.Line != line }))[0]
		m.Typos = append(m.Typos, typos[0])
	}
}

// propose adds the possible meanings of the line at fault to its answer, which then lists no
// other orders for an unreadable line.
func (b *Block) propose(typos []string) *notice.Problem {
	for i := range b.Lines {
		if p := b.Lines[i].Problem; p != nil && b.Lines[i].Status == notice.LineRefused && len(typos) > 0 {
			p.Candidates = typos
			p.Suggestions = slices.DeleteFunc(p.Suggestions, func(s string) bool { return p.Read == "" || slices.Contains(typos, s) })
			return p
		}
	}
	return &notice.Problem{}
}

// typos are the orders that a clause may have been meant for in a position.
func (b *Block) typos(c order.Clause, at *game.Replay) []string {
	ctx := b.table.Reading(b.names)
	ctx.View = at.State.Project(b.seat)
	extras := order.Asks()
	if _, ok := at.Undoable(b.seat); ok {
		extras = append(extras, order.Undo.String())
	}
	return order.Typos(c, at.State.Legal(b.seat, nil), ctx, extras...)
}

// fault returns the first of the items that cannot be played, -1 if all can, and the positions
// for which it may have been written: none after a step that depends on chance.
func (b *Block) fault(w *unit.Sender, items []order.Item) (i int, at []*game.Replay, err error) {
	var block []order.Item
	var which []int
	for i, it := range items {
		if Orderly(w, it) {
			block, which = append(block, it), append(which, i)
		}
	}
	bad := unreadable(block)
	read := block
	if bad >= 0 {
		read = block[:bad]
	}
	tried, err := newBlock(w.Game, w.Seat, b.names, w.Token.Step, read, true)
	switch {
	case err != nil:
		return 0, nil, err
	case tried.fail:
		return which[tried.bad], []*game.Replay{tried.at}, nil
	case bad < 0:
		return -1, nil, nil
	case tried.stop:
		return which[bad], nil, nil
	}
	return which[bad], []*game.Replay{tried.at, tried.Cur}, nil
}

// mendable returns the lines of items, each as its items write it.
func mendable(items []order.Item) (lines []string) {
	last := -1
	for i, it := range items {
		if it.Line != last {
			lines, last = append(lines, it.Text), it.Line
			continue
		}
		apart := ", "
		if it.Clause == nil || items[i-1].Clause == nil {
			apart = "; "
		}
		lines[len(lines)-1] = strings.Join([]string{lines[len(lines)-1], it.Text}, apart)
	}
	return lines
}
