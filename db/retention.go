package db

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"angelpost/engine/store"
)

// usualLetter is what condensed letters usually hold; changing it would make stored ones
// unreadable.
var usualLetter = []byte("]\n> ] lines of our letter out\nList-id: \nAuto-submitted: auto-replied\nCc: \nSender: \nReply-to: \nReferences: <\nIn-reply-to: <\n" +
	"Subject: Re: Your turn in \nMessage-id: <\nDate: Mon, Tue, Wed, Thu, Fri, Sat, Sun,  Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec 2026 +0100 +0000\nTo: Angelpost <angelpost+\nFrom: ")

func (t *tx) Unpacked(limit int) ([]int64, error) {
	return t.numbers(`SELECT raw.letter FROM raw JOIN letters ON letters.id = raw.letter WHERE form = 0 AND raw.letter > 0 AND letters.state IN (0, 4)
		AND NOT EXISTS (SELECT 1 FROM unfiled WHERE unfiled.letter = raw.letter) ORDER BY raw.letter LIMIT ?`, limit)
}

func (t *tx) Pack(letter int64, text []byte) error {
	var raw []byte
	if err := t.one("SELECT bytes FROM raw WHERE letter = ? AND form = 0", []any{letter}, &raw); err != nil {
		return err
	}
	if text == nil {
		text = raw
	}
	hash := sha256.Sum256(raw)
	small, err := pack(text, usualLetter)
	if err != nil {
		return err
	}
	// Not by UPDATE: SQLite joins pages that have become nearly empty only when it deletes.
	if _, err = t.exec("DELETE FROM raw WHERE letter = ?", letter); err != nil {
		return err
	}
	_, err = t.exec("INSERT INTO raw (letter, form, hash, bytes) VALUES (?, 1, ?, ?)", letter, hash[:], small)
	return err
}

func (t *tx) SameBytes(letter int64, raw []byte) (same bool, err error) {
	var form int
	var stored, hash []byte
	err = t.one("SELECT form, CASE form WHEN 0 THEN bytes END, hash FROM raw WHERE letter = ?", []any{letter}, &form, &stored, &hash)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return false, nil
	case form == 0:
		return bytes.Equal(stored, raw), err
	}
	sum := sha256.Sum256(raw)
	return bytes.Equal(hash, sum[:]), err
}

// forgotten is how many rows are looked at together when old ones are forgotten.
const forgotten = 1000

// olds lists the ids of rows from before a time that may go, the oldest first: those of
// query, whose parameters are the last id looked at and how many, and which gives id, time
// and whether the row may go.
func (t *tx) olds(query string, before time.Time, limit int) (out []int64, err error) {
	for last, old := int64(0), true; old && len(out) < limit; {
		n := 0
		old = false
		err := t.each(query, []any{last, forgotten}, func(r *sql.Rows) error {
			var when int64
			var may bool
			n++
			err := r.Scan(&last, &when, &may)
			if when < ms(before) {
				old = true
				if may && len(out) < limit {
					out = append(out, last)
				}
			}
			return err
		})
		if err != nil || n < forgotten {
			return out, err
		}
	}
	return out, nil
}

func (t *tx) Forget(before time.Time, limit int) (n int, err error) {
	letters, err := t.olds("SELECT id, received, state IN (0, 4) FROM letters WHERE id > ? ORDER BY id LIMIT ?", before, limit)
	if err != nil {
		return 0, err
	}
	// In games under way the last letter to each player at each seat stays, whose token is
	// good, and so do questions that are open, and what others are packed with.
	messages, err := t.olds(`SELECT out.id, out.date, out.state IN (`+sent+`, `+failed+`, 4)
		AND (coalesce(games.state NOT IN ('running', 'invited'), 1)
			OR EXISTS (SELECT 1 FROM out AS o WHERE o.game = out.game AND o.game <> 0 AND o.place = out.place AND o.player = out.player AND o.id > out.id))
		AND NOT EXISTS (SELECT 1 FROM confirms WHERE confirms.id = out.confirm AND confirms.open <> 0)
		AND NOT EXISTS (SELECT 1 FROM out AS o WHERE o.thread = out.id AND o.thread <> 0)
		FROM out LEFT JOIN games ON games.number = out.game WHERE out.id > ? ORDER BY out.id LIMIT ?`, before, limit)
	if err != nil {
		return 0, err
	}
	for query, ids := range map[string][]int64{
		"DELETE FROM raw WHERE letter IN (SELECT value FROM json_each(?))":                                letters,
		"DELETE FROM out WHERE id IN (SELECT value FROM json_each(?)) AND id < (SELECT max(id) FROM out)": messages,
	} {
		list, err := json.Marshal(ids)
		if err != nil {
			return 0, err
		}
		if _, err := t.exec(query, string(list)); err != nil {
			return 0, err
		}
	}
	list, err := json.Marshal(letters)
	if err != nil {
		return 0, err
	}
	_, err = t.exec("DELETE FROM letters WHERE id IN (SELECT value FROM json_each(?)) AND id < (SELECT max(id) FROM letters)", string(list))
	return max(len(letters), len(messages)), err
}
