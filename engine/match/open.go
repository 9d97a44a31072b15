package match

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// An open game has free seats: anyone who writes `join` and its id
// first gets one, and with the last it begins. If it is listed anybody finds it.

// Bounds of open games.
const (
	maxOpened = 3  // by one player a day
	maxTables = 50 // listed
)

// fill adds open seats until there are so many in all.
func fill(seats []store.Seat, n int) []store.Seat {
	for len(seats) < n {
		seats = append(seats, store.Seat{Stage: store.SeatOpen})
	}
	return seats
}

// opens makes a game with a free seat an open one: listed, unless its organiser
// wants otherwise, but not private.
func (s *unit) opens(organiser int64, row *store.Game, seats []store.Seat, visibility string) error {
	for _, x := range seats {
		row.Options.Open = row.Options.Open || x.Stage == store.SeatOpen
	}
	switch {
	case !row.Options.Open:
		return nil
	case visibility == store.Private:
		return notice.Refuse(notice.ProblemOption, "word", "visibility: "+store.Private)
	case visibility == "":
		row.Visibility = store.Listed
	}
	if organiser == 0 {
		return nil
	}
	n := s.bump("open/"+strconv.FormatInt(organiser, 10), s.day())
	if n > maxOpened {
		return notice.Refuse(notice.ProblemMany, "word", "open game", "n", strconv.Itoa(maxOpened))
	}
	return nil
}

// free is a game's first free seat, nil if there is none.
func (t *table) free() *store.Seat {
	for i := range t.seats {
		if x := &t.seats[i]; t.row.State == store.GameInvited && x.Stage == store.SeatOpen {
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
func (s *unit) openTable(id string) (*table, error) {
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

func (s *unit) joinQuestion(player int64, address, id string, w order.Word) (*store.Confirm, error) {
	lines, err := json.Marshal(askedJoin{id, w.Name, w.Text, s.cmd.Name})
	if err != nil {
		return nil, err
	}
	q := &store.Confirm{Kind: store.ConfirmJoin, Player: player, Address: address, Lines: string(lines)}
	s.question(q)
	return q, nil
}

// askJoin asks a stranger to confirm that they want to play.
func (s *unit) askJoin(id string, w order.Word) error {
	d := s.answerStranger(notice.None)
	t, err := s.openTable(id)
	if err != nil {
		return err
	}
	if t == nil {
		d.result = notice.Refused
		d.answer.Lines = []notice.LineResult{{N: 1, Text: "join", Status: notice.LineRefused, Problem: notice.Refuse(notice.ProblemTable, "word", id)}}
		return nil
	}
	q, err := s.joinQuestion(0, s.cmd.From, id, w)
	if err != nil {
		return err
	}
	d.confirm = q.ID
	d.say(notice.AskJoin, "game", id)
	s.asksStranger(d)
	d.say(notice.TellNever)
	return nil
}

// joinWord takes a free seat, or asks first where the letter bore no token.
func (s *unit) joinWord(c *call, id string, rest order.Word) error {
	w := c.w
	if !w.words {
		err := s.sitDown(w.Player, id, rest, s.cmd.Name, w.answer)
		if err == nil {
			c.done()
		}
		return err
	}
	if !s.mayAsk(c) {
		return nil
	}
	q, err := s.joinQuestion(w.ID, w.Player.Address, id, rest)
	if err != nil {
		return err
	}
	w.answer.confirm = q.ID
	c.line.Status = notice.LineAsked
	w.answer.say(notice.AskJoin, "game", id)
	return nil
}

// joinYes takes the seat that was asked about.
func (s *unit) joinYes(w *writer, c store.Confirm) error {
	var asked askedJoin
	if err := json.Unmarshal([]byte(c.Lines), &asked); err != nil {
		return fmt.Errorf("join: %w", err)
	}
	p, d, err := s.confirmer(w, c, asked.Called)
	if err != nil {
		return err
	}
	err = s.sitDown(p, asked.ID, order.Word{Kind: order.Join, Name: asked.Name, Text: asked.Word}, asked.Called, d)
	d.settle(w, order.Join, err)
	return err
}

// sitDown gives a player the first free seat of a game; d is the answer to them.
func (s *unit) sitDown(p *store.Player, id string, w order.Word, called string, d *draft) error {
	t, err := s.openTable(id)
	switch {
	case err != nil:
		return err
	case t == nil:
		return notice.Refuse(notice.ProblemTable, "word", id)
	case t.of(p.ID) != nil:
		return notice.Refuse(notice.ProblemJoined)
	}
	x := t.free()
	name, word, err := s.comesAs(t, x, p, w, called)
	if err != nil {
		return err
	}
	if d.table != nil && d.table.moved[d.place] { // the answer is about another game
		d = s.draftFor(p.ID, t, notice.KindInfo)
	}
	x.Player, x.Stage, x.Name, x.Entropy, x.Muted = p.ID, store.SeatJoined, name, word, 0
	d.table, d.place = t, x.Place
	d.say(notice.SayJoined, "name", name, "entropy", word, "waiting", t.waitingFor())
	d.wantsName(x)
	if err := s.startIfJoined(t); err != nil || t.row.State != store.GameInvited {
		return err
	}
	s.tellOrganiser(t, p.ID, notice.TellJoined, "name", name)
	return nil
}

// openTables are the listed games with free seats.
func openTables(tx store.Tx) ([]notice.GameState, error) {
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
	out := make([]notice.GameState, len(rows))
	for i, r := range rows {
		g := notice.GameState{Game: r.ID, Name: r.Name, State: r.State, Options: r.Options}
		for _, x := range seats[r.ID] {
			switch {
			case x.Stage == store.SeatOpen:
				g.Free++
			case x.Stage == store.SeatJoined:
				g.ToAct = append(g.ToAct, x.Name)
			}
		}
		out[i] = g
	}
	return out, nil
}

// Tables are the listed games with free seats, the youngest first, at most 50;
// ToAct names who sits there already.
func (h *Host) Tables(ctx context.Context) (out []notice.GameState, err error) {
	err = h.Store.View(ctx, func(tx store.Tx) error {
		out, err = openTables(tx)
		return err
	})
	return out, err
}
