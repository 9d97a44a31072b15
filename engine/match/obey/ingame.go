package obey

import (
	"errors"
	"slices"

	"angelpost/engine"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A line "game ID" says that the lines after it are for that game of the writer's, even if the
// letter answers one about another game. The token does not show what the writer knew of that
// game. So we play such orders only if the mail server had accepted that game's notice for this
// turn before they wrote, and nothing has been revealed since. Otherwise we ask.

// A part is what a letter says about one game.
type part struct {
	game  string // id; "" the game of the letter answered, if it has any
	head  order.Item
	items []order.Item
}

// parts splits a letter by its lines "game ID": one part for each game, that of the token's game
// first. Without a token nothing can be decided in any game.
func parts(w *unit.Sender, items []order.Item) []part {
	all := []part{{}}
	at := 0
	for _, it := range items {
		if it.Word.Kind != order.InGame {
			all[at].items = append(all[at].items, it)
			continue
		}
		id := it.Word.Name
		if w.Words || w.Game != nil && w.Game.Row.ID == id {
			id = ""
		}
		if at = slices.IndexFunc(all, func(p part) bool { return p.game == id }); at < 0 {
			at = len(all)
			all = append(all, part{game: id, head: it})
		}
		if it.Doubt != "" { // so is what follows
			all[at].head.Doubt = it.Doubt
		}
	}
	return all
}

// named inserts the id of the writer's game into each line that names a game at its beginning.
// If two games share the name, it takes the game of the letter answered; if that is neither,
// unsaid lists them, and the letter must say which.
func named(u *unit.Unit, player int64, answered string, lines []string) (_ []string, unsaid []string, err error) {
	var games map[string][]own // by the key of the name
	cloned := false
	for i, line := range lines {
		name, ok := order.GameNamed(line)
		if !ok || order.IsGameID(name) {
			continue
		}
		if games == nil {
			rows, err := u.Tx.GamesOf(player, true)
			if err != nil {
				return nil, nil, err
			}
			games = map[string][]own{}
			for _, row := range rows {
				key := order.Key(row.Name)
				games[key] = append(games[key], own{game: row.ID, name: row.Name})
			}
		}
		all := games[order.Key(name)]
		if len(all) == 0 {
			continue
		}
		x := all[0]
		if len(all) > 1 {
			j := slices.IndexFunc(all, func(x own) bool { return x.game == answered })
			if j < 0 {
				return lines, callAll(all), nil
			}
			x = all[j]
		}
		if !cloned {
			cloned, lines = true, slices.Clone(lines)
		}
		lines[i] = order.InGame.String() + " " + x.game
	}
	return lines, nil, nil
}

// ownItems returns the items for the game of the letter answered.
func ownItems(w *unit.Sender, items []order.Item) []order.Item { return parts(w, items)[0].items }

// obey carries out what a letter says, in each game that it is about.
func obey(u *unit.Unit, w *unit.Sender, items []order.Item) error {
	trial := slices.ContainsFunc(items, func(it order.Item) bool { return it.Word.Kind == order.Preview })
	all := parts(w, items)
	own := len(all) == 1 || len(all[0].items) > 0
	if len(all) == 1 && len(all[0].items) == 0 && len(items) > 0 { // a heading, and nothing below it
		w.Answer.Say(notice.SayEmpty)
		w.Answer.Result = notice.Refused
		return nil
	}
	if own {
		if err := obeyPart(u, w, all[0].items, trial); err != nil {
			return err
		}
	}
	for _, p := range all[1:] {
		t, err := gameOf(u, w.ID, p.game)
		if err != nil {
			return err
		}
		if t == nil {
			refusePart(w, p)
			judge(u, w)
			continue
		}
		if own {
			d := u.DraftFor(w.ID, t, notice.KindAnswer)
			d.Reply = true
			err = obeyInGame(u, w, d, t, p, trial)
		} else {
			own = true
			w.Answer.Game = t
			err = obeyInGame(u, w, w.Answer, t, p, trial)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// gameOf returns the player's game with an id: one in which they have a seat or an invitation,
// or that they organise. It returns nil if there is none.
func gameOf(u *unit.Unit, player int64, id string) (*unit.Game, error) {
	row, err := u.Tx.Game(id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	seats, err := u.Tx.SeatsOf([]string{id})
	if err != nil {
		return nil, err
	}
	t := &unit.Game{Row: row, Seats: seats[id]}
	if row.Organiser != player && t.Of(player) == nil {
		return nil, nil
	}
	return u.Game(id)
}

// refusePart refuses lines for a game in which the writer has no part.
func refusePart(w *unit.Sender, p part) {
	a := &w.Answer.Answer
	a.Lines = append(a.Lines, notice.LineResult{N: p.head.Line, Text: p.head.Text, Status: notice.LineRefused, Problem: notice.Refuse(notice.ProblemNotYours, "word", p.game)})
	for _, it := range p.items {
		a.Lines = append(a.Lines, notice.LineResult{N: it.Line, Text: it.Text, Status: notice.LineUnread})
	}
}

// obeyInGame carries out lines for another game than that of the letter answered; d answers it.
func obeyInGame(u *unit.Unit, w *unit.Sender, d *unit.Draft, t *unit.Game, p part, trial bool) error {
	in := *w
	in.Game, in.Seat, in.Names, in.Answer = t, t.Of(w.ID), nil, d
	in.Token = &store.Token{Token: w.Token.Token, Player: w.ID, Game: t.Row.ID}
	d.Place = 0
	if x := in.Seat; x != nil {
		d.Place, in.Token.Place = x.Place, x.Place
	}
	knew, err := knows(u, &in)
	if err != nil {
		return err
	}
	if !knew || p.head.Doubt != "" {
		if err := doubtPart(u, &in, p.items, trial); err != nil {
			return err
		}
	}
	return obeyPart(u, &in, p.items, trial)
}

// knows reports whether the writer, when they wrote, had the notice for their turn in a game
// and knew all that is known now. Then the letter's token is as good as the notice's.
func knows(u *unit.Unit, in *unit.Sender) (bool, error) {
	t, x := in.Game, in.Seat
	if t.Replay == nil || x == nil || x.Player != in.ID {
		return false, nil
	}
	in.Token.Turn, in.Token.Step = t.Replay.Turns[x.Seat], t.Replay.Step()
	written := u.Command.Date
	if u.Command.Received.Before(written) {
		written = u.Command.Received
	}
	if in.Held || written.IsZero() { // the letter in is the one that let it be obeyed
		return false, nil
	}
	m, err := u.Tx.Notice(t.Row.ID, x.Place, in.ID, in.Token.Turn, written)
	if none, err := unit.Missing(err); none || err != nil {
		return false, err
	}
	if m.Step < t.Replay.Rolled || revealed(t, m.Step) {
		return false, nil
	}
	in.Token.Step = m.Step
	if len(m.Answer.Names) == len(t.Seats) {
		in.Names = m.Answer.Names
	}
	return true, nil
}

// doubtPart puts items that play or decide in doubt. It leaves orders that could not be played
// anyway, so that they are refused with the reason.
func doubtPart(u *unit.Unit, in *unit.Sender, items []order.Item, trial bool) error {
	var block []order.Item
	for _, it := range items {
		if turns.Orderly(in, it) && it.Doubt == "" {
			block = append(block, it)
		}
	}
	b, err := turns.Orders(u, in, block, true)
	if err != nil {
		return err
	}
	for i := range items {
		it := &items[i]
		if orderly := turns.Orderly(in, *it); it.Doubt == "" && it.Problem == nil && !trial && (orderly && !b.Fails() || !orderly && words[it.Word.Kind].decides) {
			it.Doubt = order.DoubtGame
			in.Answer.Answer.Board = in.Game.Replay != nil && in.Seat != nil && in.Game.Replay.Waits(engine.Seat(in.Seat.Seat))
		}
	}
	return nil
}
