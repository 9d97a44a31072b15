package seating

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"angelpost/engine/match/gate"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// An open game has free seats: the first players who write `join` and its id get them, and the
// game begins with the last. If it is listed, anyone can find it.

// Bounds of open games.
const (
	maxOpened = 3  // by one player a day
	maxTables = 50 // listed
)

// fill adds open seats up to n seats in total.
func fill(seats []store.Seat, n int) []store.Seat {
	for len(seats) < n {
		seats = append(seats, store.Seat{Stage: store.SeatOpen})
	}
	return seats
}

// Opens makes a game with a free seat an open one: listed, unless its organiser
// wants otherwise, but not private.
func Opens(u *unit.Unit, organiser int64, row *store.Game, seats []store.Seat, visibility string) error {
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
	n := u.Bump("open/"+strconv.FormatInt(organiser, 10), u.Day())
	if n > maxOpened {
		return notice.Refuse(notice.ProblemMany, "word", "open game", "n", strconv.Itoa(maxOpened))
	}
	return nil
}

// free returns a game's first free seat, nil if there is none.
func free(t *unit.Game) *store.Seat {
	for i := range t.Seats {
		if x := &t.Seats[i]; t.Row.State == store.GameInvited && x.Stage == store.SeatOpen {
			return x
		}
	}
	return nil
}

// TableID returns the game that a join names, "" if it names none, and the join without that
// name.
func TableID(w order.Word) (id string, rest order.Word) {
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

// openTable returns a game if it has a free seat, else nil.
func openTable(u *unit.Unit, id string) (*unit.Game, error) {
	t, err := u.Game(id)
	if none, err := unit.Missing(err); none || err != nil {
		return nil, err
	}
	if free(t) == nil {
		return nil, nil
	}
	return t, nil
}

// askedJoin is the stored form of a join that waits for a yes.
type askedJoin struct{ ID, Name, Word, Called string }

func joinQuestion(u *unit.Unit, player int64, address, id string, w order.Word) (*store.Confirm, error) {
	lines, err := json.Marshal(askedJoin{id, w.Name, w.Text, u.Command.Name})
	if err != nil {
		return nil, err
	}
	q := &store.Confirm{Kind: store.ConfirmJoin, Player: player, Address: address, Lines: string(lines)}
	u.Question(q)
	return q, nil
}

// AskJoin asks a stranger to confirm that they want to play.
func AskJoin(u *unit.Unit, id string, w order.Word) error {
	d := gate.AnswerStranger(u, notice.None)
	t, err := openTable(u, id)
	if err != nil {
		return err
	}
	if t == nil {
		d.Result = notice.Refused
		d.Answer.Lines = []notice.LineResult{{N: 1, Text: "join", Status: notice.LineRefused, Problem: notice.Refuse(notice.ProblemTable, "word", id)}}
		return nil
	}
	q, err := joinQuestion(u, 0, u.Command.From, id, w)
	if err != nil {
		return err
	}
	d.Confirm = q.ID
	d.Say(notice.AskJoin, "game", id)
	u.AsksStranger(d)
	d.Say(notice.TellNever)
	return nil
}

// JoinWord takes a free seat, or asks first if the letter had no token.
func JoinWord(u *unit.Unit, c *unit.Call, id string, rest order.Word) error {
	w := c.Sender
	if !w.Words {
		err := sitDown(u, w.Player, id, rest, u.Command.Name, w.Answer)
		if err == nil {
			c.Done()
		}
		return err
	}
	if !MayAsk(u, c) {
		return nil
	}
	q, err := joinQuestion(u, w.ID, w.Player.Address, id, rest)
	if err != nil {
		return err
	}
	w.Answer.Confirm = q.ID
	c.Line.Status = notice.LineAsked
	w.Answer.Say(notice.AskJoin, "game", id)
	return nil
}

// JoinYes takes the seat that a yes confirms.
func JoinYes(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	var asked askedJoin
	if err := json.Unmarshal([]byte(c.Lines), &asked); err != nil {
		return fmt.Errorf("join: %w", err)
	}
	p, d, err := Confirmer(u, w, c, asked.Called)
	if err != nil {
		return err
	}
	err = sitDown(u, p, asked.ID, order.Word{Kind: order.Join, Name: asked.Name, Text: asked.Word}, asked.Called, d)
	Settle(d, w, order.Join, err)
	return err
}

// sitDown gives a player the first free seat of a game; d is the answer to them.
func sitDown(u *unit.Unit, p *store.Player, id string, w order.Word, called string, d *unit.Draft) error {
	t, err := openTable(u, id)
	switch {
	case err != nil:
		return err
	case t == nil:
		return notice.Refuse(notice.ProblemTable, "word", id)
	case t.Of(p.ID) != nil:
		return notice.Refuse(notice.ProblemJoined)
	}
	x := free(t)
	name, word, err := ComesAs(u, t, x, p, w, called)
	if err != nil {
		return err
	}
	x.Player = p.ID
	return joins(u, t, x, name, word, answerAbout(u, d, t, x))
}

// answerAbout returns the draft of an answer to a player about a seat in another game than that
// of their letter: the letter's own answer, unless they have moved in its game.
func answerAbout(u *unit.Unit, d *unit.Draft, t *unit.Game, x *store.Seat) *unit.Draft {
	if d.Game != nil && d.Game.Moved[d.Place] {
		return u.DraftFor(x.Player, t, notice.KindInfo)
	}
	d.Game, d.Place = t, x.Place
	return d
}

// OpenTables returns the listed games with free seats.
func OpenTables(tx store.Tx) ([]notice.GameState, error) {
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
