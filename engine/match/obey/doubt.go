package obey

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/press"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A line that its writer may not have meant as an order (order.Doubt) is not
// obeyed: the answer quotes it, says why, and asks. A yes to that answer does it.
// What could not be done anyway, as the initial below most letters, is skipped
// with a word and not asked about.

// sure takes the doubt off items that are meant: the one yes or no that answers
// a question, and whatever cannot be obeyed here and is refused for that.
func sure(w *unit.Sender, items []order.Item) {
	asked := w.Token != nil && w.Token.Confirm != 0 && only(items)
	for i := range items {
		k := items[i].Word.Kind
		if items[i].Doubt != order.DoubtTypo && (w.Words || asked && !items[i].Doubt.Marked() && (k == order.Yes || k == order.No)) {
			items[i].Doubt = ""
		}
	}
}

// only reports whether items have one line that can be read.
func only(items []order.Item) bool {
	line := 0
	for _, it := range items {
		if it.Problem != nil || it.Doubt.Marked() || it.Clause != nil && !it.Clause.Readable() {
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
	a.Lines = append(a.Lines, notice.LineResult{N: it.Line, Text: naming.Clean(line, false), Status: notice.LineAsked, Problem: &notice.Problem{Code: string(it.Doubt), Candidates: it.Meant}})
}

// ask asks about the lines that could be obeyed now that the rest of the letter
// is; at is the position, if the letter could give orders at all.
func askMeant(u *unit.Unit, w *unit.Sender, d *doubts, at *game.Replay, trial bool) error {
	var lines []string
	planned := false // what stands below a plan may have been meant for it
	mended := false  // so may what comes after a mistyped plan, once a yes reads them together
	plain := true    // it is plain what all were meant for: they are mistyped, or behind a bar
	n := 0
	begun := false // an order behind a bar could be obeyed, and so perhaps those below it
	for i, items := range d.items {
		l := &w.Answer.Answer.Lines[d.lines[i]]
		barred := items[0].Doubt == order.DoubtBar
		if !slices.ContainsFunc(items, func(it order.Item) bool {
			return could(u, w, it, at) || barred && begun && it.Clause != nil
		}) {
			l.Status = notice.LineSkipped
			continue
		}
		n, begun = n+1, begun || barred
		if meant := items[0].Meant; meant != nil {
			mended = mended || items[0].Word.Kind == order.Plan
			lines = append(lines, meant...)
			continue
		}
		planned, plain = planned || items[0].Word.Kind == order.Plan, plain && barred
		lines = append(lines, l.Text)
	}
	if len(lines) == 0 {
		return nil
	}
	if planned || trial || mended && n > 1 {
		w.Answer.Say(notice.SayHowMeant)
		return nil
	}
	bounded := w.Words && u.Unproven // anyone may have written; a collected answer asks nothing
	if bounded && !gate.Spend(u, gate.Counter(u, "ask/"+w.Player.Address), gate.AskRate) {
		w.Answer.Say(notice.SayHowMeant)
		return nil
	}
	asked, err := u.AskYes(w, unit.Meant{Orders: lines, Names: w.Names})
	if err != nil {
		return err
	}
	w.Answer.Counted = w.Answer.Counted || asked && bounded
	if !asked {
		w.Answer.Say(notice.SayHowMeant)
		return nil
	}
	ask := notice.AskMeant
	if plain {
		ask = notice.AskWord
	}
	w.Answer.Say(ask).List = lines
	return nil
}

// askTypos asks whether orders that a typo kept from being played are meant as
// the legal ones that come nearest. A yes plays these.
func askTypos(u *unit.Unit, w *unit.Sender, m *turns.Mended) error {
	asked, err := u.AskYes(w, unit.Meant{Orders: m.Lines, Names: w.Names})
	if err != nil || !asked {
		return err
	}
	m.Asked()
	w.Answer.Say(notice.AskTypo, "more", strconv.FormatBool(len(m.Lines) > len(m.Typos))).List = m.Typos
	return nil
}

// could reports whether an item in doubt could be obeyed at all.
func could(u *unit.Unit, w *unit.Sender, it order.Item, at *game.Replay) bool {
	switch {
	case it.Word.Kind == order.Yes || it.Word.Kind == order.No:
		return false
	case it.Word.Kind == order.Refuse && w.Invited():
		return true
	case it.Clause == nil && it.Word.Kind != order.Undo:
		return true
	case at == nil:
		return false
	}
	seat := engine.Seat(w.Seat.Seat)
	if it.Clause == nil {
		_, ok := at.Undoable(seat)
		return ok
	}
	legal := at.State.Legal(seat, nil)
	if len(legal) == 0 {
		return false
	}
	ctx := w.Game.Reading(w.Names)
	ctx.View = at.State.Project(seat)
	_, p := order.Match(*it.Clause, legal, ctx)
	return p == nil || p.Code == order.Ambiguous
}

// meantYes does what was in doubt.
func meantYes(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	var m unit.Meant
	if err := json.Unmarshal([]byte(c.Lines), &m); err != nil {
		return fmt.Errorf("lines in doubt: %w", err)
	}
	w.Names = m.Names
	if m.Text == "" {
		return obey(u, w, order.ReadLines(m.Orders).Items)
	}
	line := notice.LineResult{Text: strings.ReplaceAll(m.Text, "\n", " / "), Status: notice.LineWord}
	press.Deliver(u, &unit.Call{Sender: w, Word: order.Word{Kind: order.Say, To: m.To}, Line: &line}, m.Text)
	w.Answer.Answer.Lines = append(w.Answer.Answer.Lines, line)
	return nil
}
