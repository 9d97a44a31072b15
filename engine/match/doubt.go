package match

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A line that its writer may not have meant as an order (order.Doubt) is not
// obeyed: the answer quotes it, says why, and asks. A yes to that answer does it.
// What could not be done anyway, as the initial below most letters, is skipped
// with a word and not asked about.

// meant is what a yes to an answer does, as the question keeps it.
type meant struct {
	Orders []string `json:"orders,omitempty"` // lines to obey
	To     []string `json:"to,omitempty"`     // addressees of Text, as written; none: everybody
	Text   string   `json:"text,omitempty"`   // to be sent
}

// sure takes the doubt off items that are meant: the one yes or no that answers
// a question, and whatever cannot be obeyed here and is refused for that.
func (w *writer) sure(items []order.Item) {
	asked := w.token != nil && w.token.Confirm != 0 && only(items)
	for i := range items {
		k := items[i].Word.Kind
		if w.words || asked && (k == order.Yes || k == order.No) {
			items[i].Doubt = ""
		}
	}
}

// only reports whether items have one line that can be read.
func only(items []order.Item) bool {
	line := 0
	for _, it := range items {
		if it.Problem != nil || it.Clause != nil && !it.Clause.Readable() {
			continue
		}
		if line != 0 && it.Line != line {
			return false
		}
		line = it.Line
	}
	return line != 0
}

// doubts are the lines of a letter that are in doubt.
type doubts struct {
	items [][]order.Item // by line
	lines []int          // of the answer
}

// add adds an item in doubt and answers its line.
func (d *doubts) add(a *notice.Answer, it order.Item, line string) {
	if n := len(d.items); n > 0 && d.items[n-1][0].Line == it.Line {
		d.items[n-1] = append(d.items[n-1], it)
		return
	}
	d.items, d.lines = append(d.items, []order.Item{it}), append(d.lines, len(a.Lines))
	a.Lines = append(a.Lines, notice.LineResult{N: it.Line, Text: clean(line, false), Status: notice.LineAsked, Problem: &notice.Problem{Code: string(it.Doubt)}})
}

// ask asks about the lines that could be obeyed now that the rest of the letter
// is; at is the position, if the letter could give orders at all.
func (s *unit) askMeant(w *writer, d *doubts, at *game.Replay, trial bool) error {
	var lines []string
	planned := false // what stands below a plan may have been meant for it
	for i, items := range d.items {
		l := &w.answer.answer.Lines[d.lines[i]]
		if !slices.ContainsFunc(items, func(it order.Item) bool { return s.could(w, it, at) }) {
			l.Status = notice.LineSkipped
			continue
		}
		planned = planned || items[0].Word.Kind == order.Plan
		lines = append(lines, l.Text)
	}
	if len(lines) == 0 {
		return nil
	}
	if planned || trial {
		w.answer.say(notice.SayHowMeant)
		return nil
	}
	asked, err := s.askYes(w, meant{Orders: lines})
	if err != nil {
		return err
	}
	if !asked {
		w.answer.say(notice.SayHowMeant)
		return nil
	}
	w.answer.say(notice.AskMeant).List = lines
	return nil
}

// could reports whether an item in doubt could be obeyed at all.
func (s *unit) could(w *writer, it order.Item, at *game.Replay) bool {
	switch {
	case it.Word.Kind == order.Yes || it.Word.Kind == order.No:
		return false
	case it.Word.Kind == order.Refuse && w.invited():
		return true
	case it.Clause == nil && it.Word.Kind != order.Undo:
		return true
	case at == nil:
		return false
	}
	seat := engine.Seat(w.seat.Seat)
	if it.Clause == nil {
		_, ok := at.Undoable(seat)
		return ok
	}
	legal := at.State.Legal(seat, nil)
	if len(legal) == 0 {
		return false
	}
	_, p := order.Match(*it.Clause, legal, order.Context{Names: w.table.names(), View: at.State.Project(seat)})
	return p == nil || p.Code == order.Ambiguous
}

// askYes lets a yes to the answer do m. It does not where the answer asks
// something else already.
func (s *unit) askYes(w *writer, m meant) (asked bool, err error) {
	if w.answer.confirm != 0 || w.table == nil || w.words {
		return false, nil
	}
	lines, err := json.Marshal(m)
	if err != nil {
		return false, err
	}
	q := &store.Confirm{Kind: store.ConfirmMeant, Player: w.ID, Address: w.Player.Address, Game: w.table.row.ID, Lines: string(lines)}
	s.question(q)
	w.answer.confirm = q.ID
	return true, nil
}

// meantYes does what was in doubt.
func (s *unit) meantYes(w *writer, c store.Confirm) error {
	var m meant
	if err := json.Unmarshal([]byte(c.Lines), &m); err != nil {
		return fmt.Errorf("lines in doubt: %w", err)
	}
	if m.Text == "" {
		return s.obey(w, order.ReadLines(m.Orders).Items)
	}
	line := notice.LineResult{Text: strings.ReplaceAll(m.Text, "\n", " / "), Status: notice.LineWord}
	s.deliver(&call{w: w, word: order.Word{Kind: order.Say, To: m.To}, line: &line}, m.Text)
	w.answer.answer.Lines = append(w.answer.answer.Lines, line)
	return nil
}
