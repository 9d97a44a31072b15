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
	"angelpost/engine/match/rulings"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// We do not carry out a line that its writer may not have meant as an order (order.Doubt). The
// answer quotes it, says why, and asks; a yes carries it out. We skip a line that could not be
// carried out anyway, such as the initial below most letters, with a remark and without a
// question.

// These lines are clear, but we ask first all the same; the question gives the reason.
const (
	doubtFinal order.Doubt = "final" // it is too much to do it at a word
	doubtToken order.Doubt = "token" // the letter does not reply to one we sent, so anyone could have written it
)

// sure clears the doubt from items that need no question: the one yes or no that answers a
// question, a preview, and items that cannot be carried out here. The last are refused, so that
// the writer reads why, instead of a question that a yes could not answer.
//
// It adds a doubt to items that are clear but need a question: to resign, and rulings in a
// letter that anyone could have written.
func sure(u *unit.Unit, w *unit.Sender, items []order.Item, trial bool) error {
	code, _ := turns.MayOrder(u, w)
	asked := w.Token != nil && w.Token.Confirm != 0 && only(items)
	for i := range items {
		it := &items[i]
		answers := asked && (it.Word.Kind == order.Yes || it.Word.Kind == order.No)
		switch {
		case it.Doubt == order.DoubtTypo:
		case w.Words, it.Doubt == order.DoubtBeside && (trial || code != "" && it.Clause != nil), answers && it.Doubt != order.DoubtBeside && !it.Doubt.Marked():
			it.Doubt = ""
		}
		if it.Problem != nil || it.Doubt != "" || trial {
			continue
		}
		switch it.Word.Kind {
		case order.Resign:
			if !w.Words && !w.Sure && !w.Held && turns.Open(w) && seating.MayResign(w) == nil {
				it.Doubt, it.Meant = doubtFinal, []string{order.Resign.String()}
			}
		case order.Rule:
			if !w.Words {
				continue
			}
			switch err := rulings.May(u, w.Player, it.Word.Rule); {
			case err == nil:
				it.Doubt, it.Meant = doubtToken, []string{strings.ReplaceAll(it.Word.Rule.String(), "\n", " ")}
			case notice.AsProblem(err) == nil:
				return err
			}
		}
	}
	return nil
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

	held   []string // lines that wait for what else the letter says (turns.Block)
	heldAt []int    // their numbers in the letter
	beside string   // what that is
}

// hold adds the lines that a block holds back.
func (d *doubts) hold(b *turns.Block) {
	if len(b.Held) > 0 {
		d.heldAt, d.held = b.HeldLines()
		d.beside = b.Held[0].Beside
	}
}

// saysMore reports whether a letter that takes something back has anything else in it that
// can be read.
func saysMore(l order.Letter) bool {
	return slices.ContainsFunc(l.Items, func(it order.Item) bool {
		return it.Problem == nil && (it.Clause == nil || it.Clause.Readable())
	})
}

// takenBack returns the item of a letter that only takes back or refuses: no to a question, or
// probably undo.
func takenBack(w *unit.Sender, l order.Letter, text string) []order.Item {
	it := order.Item{Line: l.Back, Text: text, Word: order.Word{Kind: order.No}}
	if w.Token == nil || w.Token.Confirm == 0 {
		it.Word.Kind, it.Doubt, it.Meant = order.Undo, order.DoubtTypo, []string{order.Undo.String()}
	}
	return []order.Item{it}
}

// add adds an item in doubt, and its line to the answer.
func (d *doubts) add(a *notice.Answer, it order.Item, line string) {
	if n := len(d.items); n > 0 && d.items[n-1][0].Line == it.Line {
		d.items[n-1] = append(d.items[n-1], it)
		return
	}
	d.items, d.lines = append(d.items, []order.Item{it}), append(d.lines, len(a.Lines))
	a.Lines = append(a.Lines, notice.LineResult{N: it.Line, Text: naming.Clean(line, false), Status: notice.LineAsked, Problem: &notice.Problem{Code: string(it.Doubt), Candidates: it.Meant}})
	switch it.Doubt {
	case doubtFinal, doubtToken:
		a.Lines[len(a.Lines)-1].Problem = nil
	case order.DoubtBeside:
		a.Lines[len(a.Lines)-1].Problem.Args = map[string]string{"remark": naming.Clean(it.Beside, false)}
	}
}

// askMeant asks about the lines that could still be carried out after the rest of the letter;
// at is the position, nil if the letter could not give orders.
func askMeant(u *unit.Unit, w *unit.Sender, d *doubts, at *game.Replay, trial bool) error {
	type askedLine struct {
		n     int
		lines []string
	}
	var all []askedLine
	for i, n := range d.heldAt {
		all = append(all, askedLine{n, d.held[i : i+1]})
	}
	beside := d.beside
	planned := false       // lines after a plan may have been meant for it
	mended := false        // so may what comes after a mistyped plan, once a yes reads them together
	plain := len(all) == 0 // all lines are clearly orders: mistyped, or after a quote bar
	just := map[order.Doubt]bool{}
	n := 0
	begun := false // an order after a quote bar could be obeyed, so those after it perhaps too
	for i, items := range d.items {
		l := &w.Answer.Answer.Lines[d.lines[i]]
		barred := items[0].Doubt == order.DoubtBar
		if !slices.ContainsFunc(items, func(it order.Item) bool {
			return could(u, w, it, at) || barred && begun && it.Clause != nil
		}) {
			switch {
			case items[0].Word.Kind == order.Yes && items[0].Doubt == order.DoubtBeside: // the question stays open
			case items[0].Word.Kind == order.Undo && items[0].Meant != nil:
				l.Status, l.Problem = notice.LineRefused, notice.Refuse(notice.ProblemUndo)
			default:
				l.Status = notice.LineSkipped
			}
			continue
		}
		n, begun = n+1, begun || barred
		just[items[0].Doubt] = true
		if meant := items[0].Meant; meant != nil {
			mended = mended || items[0].Word.Kind == order.Plan
			all = append(all, askedLine{items[0].Line, meant})
			continue
		}
		if items[0].Doubt == order.DoubtBeside {
			beside = items[0].Beside
		}
		planned, plain = planned || items[0].Word.Kind == order.Plan, plain && barred
		all = append(all, askedLine{items[0].Line, []string{l.Text}})
	}
	slices.SortStableFunc(all, func(a, b askedLine) int { return a.n - b.n })
	var lines []string
	for _, a := range all {
		lines = append(lines, a.lines...)
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
		if just[doubtToken] {
			for _, i := range d.lines {
				l := &w.Answer.Answer.Lines[i]
				l.Status, l.Problem = notice.LineRefused, notice.Refuse(notice.ProblemMany, "word", l.Text, "n", strconv.Itoa(gate.AskRate.Day))
			}
			return nil
		}
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
	switch {
	case just[doubtToken] && plain:
		ask, lines = notice.AskLeague, unit.Bounded(lines)
	case slices.ContainsFunc(d.items, func(items []order.Item) bool { return items[0].Doubt == order.DoubtGame }):
		ask = notice.AskInGame
	case just[doubtFinal] && len(lines) == 1:
		ask = notice.AskResign
	case plain:
		ask = notice.AskWord
	case beside != "":
		w.Answer.Say(notice.AskBeside, "remark", naming.Clean(beside, false)).List = lines
		return nil
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

// meantYes carries out the lines in doubt.
func meantYes(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	var m unit.Meant
	if err := json.Unmarshal([]byte(c.Lines), &m); err != nil {
		return fmt.Errorf("lines in doubt: %w", err)
	}
	w.Names, w.Sure = m.Names, true
	if m.Text == "" {
		return obey(u, w, order.ReadLines(m.Orders).Items)
	}
	line := notice.LineResult{Text: strings.ReplaceAll(m.Text, "\n", " / "), Status: notice.LineWord}
	press.Deliver(u, &unit.Call{Sender: w, Word: order.Word{Kind: order.Say, To: m.To}, Line: &line}, m.Text)
	w.Answer.Answer.Lines = append(w.Answer.Answer.Lines, line)
	return nil
}
