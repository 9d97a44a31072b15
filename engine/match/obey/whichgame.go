package obey

import (
	"slices"
	"strings"

	"angelpost/engine/match/naming"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A letter may be for one of several games: it answers a daily letter with news of them, or it
// is addressed to two of our letters at once. A line that begins with a game's name says which.
// Without one, the letter is for the game of the first address, or the only one of the daily
// letter with a message. Lines after the name of another game are for that game (ingame.go). If
// the letter was sent to a game's address and has nothing for that game, the answer names the
// game.

// An own is one of the writer's games that the letter may be for.
type own struct {
	game  string // its id
	name  string // as letters show it
	token string
	talks bool // the letter that is answered has messages of its players
	twin  bool // another of them has the same name, so only the id says which is meant
}

// owns returns the games that the letter may be for: those of the daily letter that it answers,
// or of its tokens.
func owns(u *unit.Unit, w *unit.Sender) (all []own, digest bool, err error) {
	if w.Token == nil || w.Player == nil || w.ID == 0 {
		return nil, false, nil
	}
	if w.Game != nil && len(u.Command.Also) == 0 {
		return nil, false, nil
	}
	m, err := answered(u)
	if m == nil || err != nil {
		return nil, false, err
	}
	if w.Game == nil {
		for _, a := range m.Answer.Collected {
			if a.Own != nil && a.Game != "" {
				all = append(all, own{game: a.Game, name: store.GameCalled(a.Game, a.GameName), token: a.Own.Token, talks: len(a.Press) > 0})
			}
		}
		return all, len(all) > 0, nil
	}
	for _, text := range append([]string{u.Command.Token}, u.Command.Also...) {
		t, err := u.Tx.Token(text)
		if none, err := unit.Missing(err); none || err != nil {
			if err != nil {
				return nil, false, err
			}
			continue
		}
		if t.Game == "" || t.Player != w.ID || slices.ContainsFunc(all, func(x own) bool { return x.game == t.Game }) {
			continue
		}
		row, err := u.Tx.Game(t.Game)
		if err != nil {
			return nil, false, err
		}
		all = append(all, own{game: row.ID, name: row.Name, token: text})
	}
	return all, false, nil
}

// called returns the game's name for its players, with a heading to write if the name alone is
// not unique.
func (x own) called() string {
	name := naming.Clean(x.name, false)
	if x.twin {
		name += " (`" + order.InGame.String() + " " + x.game + "`)"
	}
	return name
}

// callAll marks the games that share a name, and returns the name of each.
func callAll(all []own) (called []string) {
	markTwins(all)
	for _, x := range all {
		called = append(called, x.called())
	}
	return called
}

// askWhichGame refuses a letter because it may be for any of these games.
func askWhichGame(w *unit.Sender, games []string) {
	w.Answer.Say(notice.SayWhichGame).List = games
	w.Answer.Result, w.Answer.Answer.Brief = notice.Refused, true
}

// markTwins marks the games that share a name.
func markTwins(all []own) {
	for i := range all {
		for j := range all[:i] {
			if order.Key(all[i].name) == order.Key(all[j].name) {
				all[i].twin, all[j].twin = true, true
			}
		}
	}
}

// names reports whether a line begins with the game's name or id, and returns the rest.
func (x own) names(line string) (rest string, ok bool) {
	line = strings.TrimSpace(line)
	for _, lead := range []string{"in ", "to ", "for ", "about ", "game "} {
		if len(line) > len(lead) && strings.EqualFold(line[:len(lead)], lead) {
			line = strings.TrimSpace(line[len(lead):])
		}
	}
	for _, name := range []string{x.name, x.game} {
		n := len(name)
		if n < 2 || len(line) < n || order.Key(line[:n]) != order.Key(name) || order.Says([]string{name}) { // a game called Done
			continue
		}
		rest := strings.TrimSpace(line[n:])
		if rest == "" {
			return "", true
		}
		if more, ok := strings.CutPrefix(rest, ":"); ok {
			return strings.TrimSpace(more), true
		}
		if rest = strings.TrimLeft(rest, ",-–— "); rest == "" {
			return "", true
		}
	}
	return "", false
}

// needsGame reports whether a letter has orders, or words about a game.
func needsGame(items []order.Item) bool {
	if slices.ContainsFunc(items, func(it order.Item) bool { return it.Word.Kind == order.InGame }) { // it says which
		return false
	}
	return slices.ContainsFunc(items, func(it order.Item) bool {
		_, known := words[it.Word.Kind] // those that obey itself carries out are for a turn
		return it.Problem == nil && (it.Clause != nil && it.Clause.Readable() || words[it.Word.Kind].game || it.Word.Kind != order.NoWord && !known)
	})
}

// whichGame finds out which game the letter is for, and treats it as an answer to a letter
// about that game. others are games to whose addresses it was sent, too, but for which it has
// nothing. unsaid means that the letter must name one of others.
func whichGame(u *unit.Unit, w *unit.Sender) (others []string, unsaid bool, err error) {
	all, digest, err := owns(u, w)
	if len(all) == 0 || err != nil {
		return nil, false, err
	}
	markTwins(all)
	var lines []string
	first := -1
	named := map[string]bool{}
	for _, line := range u.Command.Lines {
		twins := false
		for i, x := range all {
			rest, ok := x.names(line)
			if !ok {
				continue
			}
			if x.twin && !strings.Contains(line, x.game) && (w.Game == nil || w.Game.Row.ID != x.game) {
				twins = true
				continue
			}
			if first < 0 {
				first = i
			} else { // it is for that game: ingame.go
				lines = append(lines, order.InGame.String()+" "+x.game)
			}
			line, named[x.game], twins = rest, true, false
			break
		}
		if twins {
			return callAll(all), true, nil
		}
		lines = append(lines, line)
	}
	if first >= 0 {
		u.Command.Lines = lines
	}
	if first < 0 && digest {
		if first = theOne(all, u.Command.Lines); first < 0 {
			if needsGame(order.ReadLetter(u.Command.Lines).Items) {
				return callAll(all), true, nil
			}
			return nil, false, nil
		}
	}
	if !digest {
		first = max(first, 0)
		for i, x := range all {
			if i != first && !named[x.game] {
				others = append(others, x.called())
			}
		}
	}
	token, err := u.Tx.Token(all[first].token)
	if none, err := unit.Missing(err); none || err != nil || token.Token == w.Token.Token {
		return others, false, err
	}
	old := w.Answer
	next, err := writer(u, w.Player, &token)
	if err != nil {
		return nil, false, err
	}
	if next.Answer != old {
		u.Drafts = slices.DeleteFunc(u.Drafts, func(d *unit.Draft) bool { return d == old })
	}
	u.Command.Token = token.Token
	*w = *next
	return others, false, nil
}

// theOne returns the index of the game that a letter without a game must be for: the only one,
// or, if the letter only talks to players, the only one with messages. It returns -1 if there
// is none.
func theOne(all []own, lines []string) int {
	if len(all) == 1 {
		return 0
	}
	talks := slices.IndexFunc(all, func(x own) bool { return x.talks })
	if talks < 0 || slices.ContainsFunc(all[talks+1:], func(x own) bool { return x.talks }) {
		return -1
	}
	for _, it := range order.ReadLetter(lines).Items {
		if it.Word.Kind != order.Say && (it.Problem == nil || it.Problem.Code != order.Unreadable) && (it.Clause == nil || it.Clause.Readable()) {
			return -1
		}
	}
	return talks
}
