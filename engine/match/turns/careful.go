package turns

import (
	"slices"

	"angelpost/engine/match/naming"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// If a letter has orders next to words that may take them back (engine/order/remark.go), we
// play them as far as `undo` could take them back. We hold the rest for a yes: what reveals
// dice or cards, what ends the turn, and all that comes after it.

// besides returns the other words in the letter of the items, "" if they are harmless.
func besides(items []order.Item) string {
	for _, it := range items {
		if it.Beside != "" {
			return it.Beside
		}
	}
	return ""
}

// careful plays a letter's orders up to the first that can't be undone. The lines of a letter
// succeed or fail together (engine/order/ORDERS.md 1): if one of them can't be played, none is.
func careful(w *unit.Sender, items []order.Item, beside string) (*Block, error) {
	tried, err := newBlock(w.Game, w.Seat, w.Names, w.Token.Step, items, true)
	if err != nil {
		return nil, err
	}
	if tried.fail {
		return newBlock(w.Game, w.Seat, w.Names, w.Token.Step, items, false)
	}
	return playBlock(w.Game, w.Seat, w.Names, w.Token.Step, items, false, beside)
}

// final reports whether the step just tried can't be undone: it revealed something, or ended
// the turn.
func (b *Block) final() bool {
	_, undoable := b.Cur.Undoable(b.seat)
	return b.news || !undoable || b.Cur.Turns[b.seat] > b.turn
}

// hold holds back items from i on, and the wishes that wait for them. The first of them begins
// at the answer's line first.
func (b *Block) hold(items []order.Item, i, first int) {
	asked := &notice.Problem{Code: string(order.DoubtBeside), Args: map[string]string{"remark": naming.Clean(b.beside, false)}}
	b.Lines = append(b.Lines[:first], slices.DeleteFunc(slices.Clone(b.Lines[first:]), func(l notice.LineResult) bool { return len(l.As) == 0 })...)
	held := map[int]bool{}
	for _, want := range b.wants {
		held[b.Lines[want.line].N] = true
		b.Lines[want.line].Status, b.Lines[want.line].Problem = notice.LineAsked, asked
	}
	b.wants = nil
	for k, it := range items {
		if k >= i || it.Clause != nil && it.Clause.Wish && held[it.Line] {
			b.Held = append(b.Held, it)
		}
		if k >= i {
			b.Lines = append(b.Lines, notice.LineResult{N: it.Line, Text: it.Text, Status: notice.LineAsked, Problem: asked})
		}
	}
}

// HeldLines are the lines that wait for a yes, each with its number in the letter.
func (b *Block) HeldLines() (numbers []int, lines []string) {
	lines = mendable(b.Held)
	for i, it := range b.Held {
		if i == 0 || it.Line != b.Held[i-1].Line {
			numbers = append(numbers, it.Line)
		}
	}
	return numbers, lines
}
