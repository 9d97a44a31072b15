package db

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Others have written about a player in what everyone can read: the names of games, the reasons of
// rulings, the words of a league's directors. An erased player's names there give way to their
// pseudonym.

// A pseudonym replaces names of one player.
type pseudonym struct {
	name  string
	names [][]rune // that the player has borne
	other [][]rune // of other players, which may have one of those in them
}

// pseudonymOf is for texts about a game or a league in which these names are borne: the players'
// own, and those of others.
func pseudonymOf(name string, own, others []string) pseudonym {
	p := pseudonym{name: name}
	for _, s := range own {
		if s != "" && s != name {
			p.names = append(p.names, []rune(s))
		}
	}
	for _, s := range others {
		if s != "" && !slices.Contains(own, s) {
			p.other = append(p.other, []rune(s))
		}
	}
	longest := func(a, b []rune) int { return len(b) - len(a) }
	slices.SortFunc(p.names, longest)
	slices.SortFunc(p.other, longest)
	return p
}

// sureOf is from how many runes on a name is one in any case: shorter ones are words, too.
const sureOf = 3

// in replaces the names where they are words of their own in a text.
func (p *pseudonym) in(text string) string {
	if len(p.names) == 0 || !utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	runes := []rune(text)
	for i := 0; i < len(runes); {
		own, other := found(runes, i, p.names), found(runes, i, p.other)
		switch {
		case other > own:
			b.WriteString(string(runes[i : i+other]))
			i += other
		case own > 0:
			b.WriteString(p.name)
			i += own
		default:
			b.WriteRune(runes[i])
			i++
		}
	}
	return b.String()
}

// found is the length of the longest of some names that stands at i as words of its own, 0 if none
// does.
func found(text []rune, i int, names [][]rune) int {
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
	for _, name := range names {
		end := i + len(name)
		if end > len(text) || i > 0 && word(text[i-1]) && word(name[0]) || end < len(text) && word(text[end]) && word(name[len(name)-1]) {
			continue
		}
		if got := text[i:end]; slices.Equal(got, name) || len(name) >= sureOf && strings.EqualFold(string(got), string(name)) {
			return len(name)
		}
	}
	return 0
}

// inJSON replaces the names in the texts of an object that these keys hold, at any depth.
func (p *pseudonym) inJSON(text string, keys ...string) (string, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "", err
	}
	changed := false
	var walk func(v any, named bool) any
	walk = func(v any, named bool) any {
		switch v := v.(type) {
		case map[string]any:
			for k := range v {
				v[k] = walk(v[k], slices.Contains(keys, k))
			}
		case []any:
			for i := range v {
				v[i] = walk(v[i], named)
			}
		case string:
			if now := p.in(v); named && now != v {
				changed = true
				return now
			}
		}
		return v
	}
	v = walk(v, false)
	if !changed {
		return text, nil
	}
	out, err := json.Marshal(v)
	return string(out), err
}

// texts reads the texts of a query's rows.
func (t *tx) texts(query string, args ...any) (out []string, err error) {
	err = t.each(query, args, func(r *sql.Rows) error {
		out = append(out, "")
		return r.Scan(&out[len(out)-1])
	})
	return out, err
}

// eraseNames replaces what a player was called in the texts of others about their games and
// leagues. Their own rows still have the names.
func (t *tx) eraseNames(player int64, former string) error {
	bore, err := t.texts(`SELECT name FROM players WHERE id = ?1 UNION SELECT name FROM seats WHERE player = ?1 AND player <> 0
		UNION SELECT name FROM stints WHERE player = ?1 AND player <> 0`, player)
	if err != nil {
		return err
	}
	games, err := t.numbers("SELECT game FROM seats WHERE player = ?1 AND player <> 0 UNION SELECT game FROM stints WHERE player = ?1 AND player <> 0", player)
	if err != nil {
		return err
	}
	for _, game := range games {
		if err := t.eraseNamesInGame(game, player, bore, former); err != nil {
			return fmt.Errorf("game number %d: %w", game, err)
		}
	}
	leagues, err := t.numbers(`SELECT league FROM league_players WHERE player = ?1 UNION
		SELECT leagues.number FROM seats JOIN games ON games.number = seats.game JOIN leagues ON leagues.id = games.league WHERE seats.player = ?1 AND seats.player <> 0 UNION
		SELECT leagues.number FROM stints JOIN games ON games.number = stints.game JOIN leagues ON leagues.id = games.league WHERE stints.player = ?1 AND stints.player <> 0`, player)
	if err != nil {
		return err
	}
	for _, league := range leagues {
		if err := t.eraseNamesInLeague(league, player, bore, former); err != nil {
			return fmt.Errorf("league number %d: %w", league, err)
		}
	}
	return nil
}

func (t *tx) eraseNamesInGame(game, player int64, bore []string, former string) error {
	others, err := t.texts("SELECT name FROM seats WHERE game = ?1 AND player <> ?2 UNION SELECT name FROM stints WHERE game = ?1 AND player <> ?2", game, player)
	if err != nil {
		return err
	}
	p := pseudonymOf(former, bore, others)
	var name, result string
	if err := t.one("SELECT CASE league WHEN '' THEN name ELSE '' END, result FROM games WHERE number = ?", []any{game}, &name, &result); err != nil {
		return err
	}
	if now := p.in(name); now != name {
		if _, err := t.exec("UPDATE games SET name = ? WHERE number = ?", now, game); err != nil {
			return err
		}
	}
	if result != "" {
		now, err := p.inJSON(result, "name")
		if err != nil {
			return err
		}
		if _, err := t.exec("UPDATE games SET result = ? WHERE number = ? AND result <> ?", now, game, now); err != nil {
			return err
		}
	}
	type ruling struct {
		n            int64
		args, reason string
	}
	var all []ruling
	err = t.each("SELECT n, args, reason FROM rulings WHERE game = ?", []any{game}, func(r *sql.Rows) error {
		var x ruling
		err := r.Scan(&x.n, &x.args, &x.reason)
		all = append(all, x)
		return err
	})
	for _, x := range all {
		var args string
		if err == nil {
			args, err = p.inJSON(x.args, "name")
		}
		if err == nil {
			_, err = t.exec("UPDATE rulings SET args = ?, reason = ? WHERE game = ? AND n = ?", args, p.in(x.reason), game, x.n)
		}
	}
	return err
}

func (t *tx) eraseNamesInLeague(league, player int64, bore []string, former string) error {
	others, err := t.texts("SELECT players.name FROM league_players AS l JOIN players ON players.id = l.player WHERE l.player > 0 AND l.league = ?1 AND l.player <> ?2", league, player)
	if err != nil {
		return err
	}
	p := pseudonymOf(former, bore, others)
	lines := map[int64]string{}
	err = t.each("SELECT n, args FROM league_log WHERE league = ? AND kind <> 'file'", []any{league}, func(r *sql.Rows) error { // a file says who directs, by address
		var n int64
		var args string
		err := r.Scan(&n, &args)
		lines[n] = args
		return err
	})
	for n, args := range lines {
		var now string
		if err == nil {
			now, err = p.inJSON(args, "text", "args")
		}
		if err == nil && now != args {
			_, err = t.exec("UPDATE league_log SET args = ? WHERE league = ? AND n = ?", now, league, n)
		}
	}
	return err
}
