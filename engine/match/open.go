package match

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"angelpost/engine/order"
)

// An open game has seats that are nobody's yet: whoever writes `join` and its id
// first gets one, and with the last it begins. If it is listed anybody finds it.

// Bounds of open games.
const (
	maxOpened = 3  // by one player a day
	maxTables = 50 // listed
)

// fill adds open seats until there are so many in all.
func fill(seats []SeatRow, n int) []SeatRow {
	for len(seats) < n {
		seats = append(seats, SeatRow{Stage: SeatOpen})
	}
	return seats
}

// opens makes a game with a free seat an open one: listed, unless its organiser
// wants otherwise, but not private.
func (s *sitting) opens(organiser int64, row *GameRow, seats []SeatRow, visibility string) (*Problem, error) {
	for _, x := range seats {
		row.Options.Open = row.Options.Open || x.Stage == SeatOpen
	}
	switch {
	case !row.Options.Open:
		return nil, nil
	case visibility == Private:
		return &Problem{Code: ProblemOption, Args: map[string]string{"word": "visibility: " + Private}}, nil
	case visibility == "":
		row.Visibility = Listed
	}
	if organiser == 0 {
		return nil, nil
	}
	n, err := s.tx.Bump("open/"+strconv.FormatInt(organiser, 10), s.day())
	if err == nil && n > maxOpened {
		return &Problem{Code: ProblemMany, Args: map[string]string{"word": "open game", "n": strconv.Itoa(maxOpened)}}, nil
	}
	return nil, err
}

// leave gives a seat of an open game free again.
func (x *SeatRow) leave() {
	x.Player, x.Stage, x.Name, x.Entropy, x.Thread = 0, SeatOpen, "Player "+strconv.Itoa(x.Place), "", ""
}

// free is a game's first free seat, nil if there is none.
func (t *table) free() *SeatRow {
	for i := range t.seats {
		if x := &t.seats[i]; t.row.State == GameInvited && x.Stage == SeatOpen {
			return x
		}
	}
	return nil
}

// tableID is the game that a join names, "" if it names none, and the join
// without it.
func tableID(w order.Word) (id string, rest order.Word) {
	id, name, _ := strings.Cut(w.Name, " ")
	if !order.IsGameID(id) {
		return "", w
	}
	if name = strings.TrimSpace(name); name == "" { // "join ID, NAME, WORD", "join ID NAME"
		name, w.Text, _ = strings.Cut(w.Text, ",")
	}
	w.Name, w.Text = strings.TrimSpace(name), strings.TrimSpace(w.Text)
	return id, w
}

// openTable is a game with a free seat, nil if it is none.
func (s *sitting) openTable(id string) (*table, error) {
	t, err := s.table(id)
	if none, err := missing(err); none || err != nil {
		return nil, err
	}
	if t.free() == nil {
		return nil, nil
	}
	return t, nil
}

// askedJoin is what a confirmation of a join keeps.
type askedJoin struct{ ID, Name, Word, Called string }

func (s *sitting) joinQuestion(player int64, address, id string, w order.Word) (*ConfirmRow, error) {
	lines, err := json.Marshal(askedJoin{id, w.Name, w.Text, s.cmd.Name})
	if err != nil {
		return nil, err
	}
	q := &ConfirmRow{Kind: ConfirmJoin, Player: player, Address: address, Lines: string(lines)}
	return q, s.question(q)
}

// askJoin asks somebody unknown whether he really wants to play.
func (s *sitting) askJoin(id string, w order.Word) error {
	d := &draft{kind: KindAnswer, to: s.cmd.From, result: None, since: noStory, reply: true}
	s.drafts = append(s.drafts, d)
	t, err := s.openTable(id)
	if err != nil {
		return err
	}
	if t == nil {
		d.result = Refused
		d.answer.Lines = []LineResult{{N: 1, Text: "join", Status: LineRefused, Problem: &Problem{Code: ProblemTable, Args: map[string]string{"word": id}}}}
		return nil
	}
	q, err := s.joinQuestion(0, s.cmd.From, id, w)
	if err != nil {
		return err
	}
	d.confirm = q.ID
	d.say(AskJoin, "game", id)
	d.say(TellNever)
	return nil
}

// joinWord takes a free seat, or asks first where the letter bore no token.
func (s *sitting) joinWord(c *saying, id string, rest order.Word) error {
	w := c.w
	if !w.words {
		p, err := s.sitDown(w.PlayerRow, id, rest, s.cmd.Name, w.answer)
		if c.line.Problem = p; p != nil {
			c.line.Status = LineRefused
		} else {
			c.done()
		}
		return err
	}
	n, err := s.tx.Bump("ask/"+w.PlayerRow.Address, s.day())
	if err != nil {
		return err
	}
	if n > maxNoticeAgain || w.answer.confirm != 0 {
		c.refuse(ProblemMany, "word", order.Join.String(), "n", strconv.Itoa(maxNoticeAgain))
		return nil
	}
	q, err := s.joinQuestion(w.ID, w.PlayerRow.Address, id, rest)
	if err != nil {
		return err
	}
	w.answer.confirm = q.ID
	c.line.Status = LineAsked
	w.answer.say(AskJoin, "game", id)
	return nil
}

// joinYes takes the seat that was asked about.
func (s *sitting) joinYes(w *writer, c ConfirmRow) error {
	var asked askedJoin
	if err := json.Unmarshal([]byte(c.Lines), &asked); err != nil {
		return fmt.Errorf("join: %w", err)
	}
	p, d, err := s.confirmer(w, c, asked.Called)
	if err != nil {
		return err
	}
	problem, err := s.sitDown(p, asked.ID, order.Word{Kind: order.Join, Name: asked.Name, Text: asked.Word}, asked.Called, d)
	if d.result = Applied; problem != nil {
		d.result = Refused
		d.answer.Lines = append(d.answer.Lines, LineResult{Text: order.Join.String(), Status: LineRefused, Problem: problem})
	}
	return err
}

// sitDown gives a player the first free seat of a game; d is the answer to him.
func (s *sitting) sitDown(p *PlayerRow, id string, w order.Word, called string, d *draft) (*Problem, error) {
	t, err := s.openTable(id)
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return &Problem{Code: ProblemTable, Args: map[string]string{"word": id}}, nil
	case t.of(p.ID) != nil:
		return &Problem{Code: ProblemJoined}, nil
	}
	x := t.free()
	name, word, problem := s.comesAs(t, x, p, w, called)
	if problem != nil {
		return problem, nil
	}
	if d.table != nil && d.table.moved[d.place] { // the answer is about another game
		if d, err = s.draftFor(p.ID, t, KindInfo); err != nil {
			return nil, err
		}
	}
	x.Player, x.Stage, x.Name, x.Entropy, x.Muted = p.ID, SeatJoined, name, word, 0
	d.table, d.place = t, x.Place
	d.say(SayJoined, "name", name, "entropy", word, "waiting", t.waitingFor())
	if err := s.startIfJoined(t); err != nil || t.row.State != GameInvited {
		return nil, err
	}
	return nil, s.tellOrganiser(t, p.ID, TellJoined, "name", name)
}

// openTables are the listed games with free seats.
func openTables(tx Tx) ([]GameState, error) {
	rows, err := tx.OpenGames(maxTables)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	seats, err := tx.SeatsOf(ids)
	if err != nil {
		return nil, err
	}
	out := make([]GameState, len(rows))
	for i, r := range rows {
		g := GameState{Game: r.ID, Name: r.Name, State: r.State, Options: r.Options}
		for _, x := range seats[r.ID] {
			switch {
			case x.Stage == SeatOpen:
				g.Free++
			case x.Stage == SeatJoined:
				g.ToAct = append(g.ToAct, x.Name)
			}
		}
		out[i] = g
	}
	return out, nil
}

// Tables are the listed games with free seats, the youngest first, at most 50;
// ToAct names who sits there already.
func (h *Host) Tables(ctx context.Context) (out []GameState, err error) {
	err = h.Store.View(ctx, func(tx Tx) error {
		out, err = openTables(tx)
		return err
	})
	return out, err
}
