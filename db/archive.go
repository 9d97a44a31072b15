package db

import (
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode"

	"angelpost/engine/store"
)

// Without names and player the archive is read off the index games_archive,
// otherwise off the words in names, which hold what else is asked for, too: so
// that what no one fits costs as little as what everyone does.
const (
	archiveOfAll = `SELECT number FROM games INDEXED BY games_archive WHERE number < ?1 AND visibility = 'listed' AND started > 0
		AND (?2 = '' OR state = ?2) AND (?3 = 0 OR players = ?3) AND (?4 = '' OR rules = ?4)
		AND (?5 = '' OR edition = ?5) AND (?6 = '' OR ending = ?6) AND started >= ?7 AND started < ?8 ORDER BY number DESC LIMIT ?9`
	archiveOfLeague = `SELECT number FROM games INDEXED BY games_league WHERE league = ?10 AND league <> '' AND number < ?1 AND visibility = 'listed' AND started > 0
		AND (?2 = '' OR state = ?2) AND (?3 = 0 OR players = ?3) AND (?4 = '' OR rules = ?4)
		AND (?5 = '' OR edition = ?5) AND (?6 = '' OR ending = ?6) AND started >= ?7 AND started < ?8 ORDER BY number DESC LIMIT ?9`
	archiveByWords = `SELECT games.number FROM names CROSS JOIN games INDEXED BY games_archive ON games.number = names.docid
		WHERE names.text MATCH ?1 AND names.docid < ?2 AND games.visibility = 'listed' AND games.started > 0
		AND games.started >= ?3 AND games.started < ?4 AND (?6 = '' OR games.league = ?6) ORDER BY names.docid DESC LIMIT ?5`
)

// behind is the number of the game that a page begins behind: one that anyone
// may know of, for that it is found tells that it is there.
const behind = "SELECT number FROM games WHERE id = ? AND shown = 1"

// Archive finds listed games that have begun, the youngest first.
func (t *tx) Archive(q store.Search) (out []store.Game, err error) {
	before := int64(math.MaxInt64)
	if q.Before != "" {
		if err := t.one(behind, []any{q.Before}, &before); err != nil {
			return nil, err
		}
	}
	to := int64(math.MaxInt64)
	if !q.To.IsZero() {
		to = ms(q.To)
	}
	query, args := archiveOfAll, []any{before, q.State, q.Players, q.Rules, q.Edition, q.Ending, ms(q.From), to, q.Limit}
	switch {
	case q.League != "" && q.Names == "" && q.Player == 0:
		query, args = archiveOfLeague, append(args, q.League)
	case q.Names != "" || q.Player != 0:
		words := matching(q)
		if words == "" {
			return nil, nil
		}
		query, args = archiveByWords, []any{words, before, ms(q.From), to, q.Limit, q.League}
	}
	var numbers []int64
	err = t.each(query, args, func(r *sql.Rows) error {
		var n int64
		err := r.Scan(&n)
		numbers = append(numbers, n)
		return err
	})
	if err != nil || len(numbers) == 0 {
		return nil, err
	}
	list, err := json.Marshal(numbers)
	if err != nil {
		return nil, err
	}
	err = t.each("SELECT "+gameColumns+" FROM games WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number DESC", []any{string(list)},
		listed(&out))
	return out, err
}

const (
	sitemap = `SELECT id, changed FROM games INDEXED BY games_archive WHERE visibility = 'listed' AND started > 0 AND number < ?
		ORDER BY number DESC LIMIT ?`
	sitemapPage = `SELECT id, number FROM games INDEXED BY games_archive WHERE visibility = 'listed' AND started > 0 AND number < ?
		ORDER BY number DESC LIMIT 1 OFFSET ?`
)

func (t *tx) Sitemap(before string, limit int) (out []store.Game, err error) {
	from := int64(math.MaxInt64)
	if before != "" {
		if err := t.one(behind, []any{before}, &from); err != nil {
			return nil, err
		}
	}
	err = t.each(sitemap, []any{from, limit}, func(r *sql.Rows) error {
		var g store.Game
		var changed int64
		err := r.Scan(&g.ID, &changed)
		g.Changed = at(changed)
		out = append(out, g)
		return err
	})
	return out, err
}

func (t *tx) SitemapPages(size int) (out []string, err error) {
	for from := int64(math.MaxInt64); ; {
		var id string
		err := t.one(sitemapPage, []any{from, size - 1}, &id, &from)
		if errors.Is(err, store.ErrNotFound) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, id)
	}
}

// maxWords bounds the words that are asked for.
const maxWords = 8

// matching is a full text query for what has a word beginning with each of
// those asked for, and all else a Search asks but dates; "" if the names asked
// for have no word.
func matching(q store.Search) string {
	out := wordsOf(q.Names)
	if len(out) == 0 && q.Names != "" {
		return ""
	}
	player := strconv.FormatInt(q.Player, 10)
	for _, x := range []struct {
		asked      bool
		kind, word string
	}{
		{q.Player != 0, "zzp", player}, {q.Player != 0 && q.Won == "won", "zzw", player}, {q.Player != 0 && q.Won == "lost", "zzl", player},
		{q.State != "", "zzs", q.State}, {q.Players != 0, "zzn", strconv.Itoa(q.Players)},
		{q.Rules != "", "zzr", q.Rules}, {q.Edition != "", "zze", q.Edition}, {q.Ending != "", "zzx", q.Ending},
	} {
		if x.asked {
			out = append(out, x.kind+x.word)
		}
	}
	return quoted(out)
}

// wordsOf are the words of what is asked for, as a full text query has them:
// each stands for all that begin so.
func wordsOf(text string) (out []string) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len([]rune(w)) > 1 { // a single letter is a word of its own
			w += "*"
		}
		if out = append(out, w); len(out) == maxWords {
			break
		}
	}
	return out
}

func quoted(words []string) string { return `"` + strings.Join(words, `" "`) + `"` }
