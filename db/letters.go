package db

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"angelpost/engine/store"
)

const letterColumns = `letters.id, letters.message_id, h.text, s.text,
	CASE typeof(letters.token) WHEN 'integer' THEN (SELECT out.token FROM out WHERE out.id = letters.token) ELSE letters.token END,
	letters.date, body_hash, class, letters.state, why, attempts, repeats, letters.answer, received`

const fromLetters = ` FROM letters JOIN texts AS h ON h.id = letters.host JOIN texts AS s ON s.id = sender`

func scanLetter(scan func(...any) error, more ...any) (l store.Letter, err error) {
	var date, received int64
	var hash []byte
	var host string
	err = scan(append([]any{&l.ID, text(&l.MessageID), &host, &l.From, text(&l.Token), &date, &hash, word(classes, &l.Class),
		word(letterStates, &l.State), &l.Why, &l.Attempts, &l.Repeats, &l.Answer, &received}, more...)...)
	l.MessageID += host
	l.Date, l.Received, l.BodyHash = at(date), at(received), hex.EncodeToString(hash)
	return l, err
}

// hashBytes is a hex hash as stored. What is none is stored as no hash, which
// equals none of a letter's.
func hashBytes(h string) []byte {
	b, err := hex.DecodeString(h)
	if err != nil || b == nil {
		return []byte{}
	}
	return b
}

func (t *tx) AddLetter(l *store.Letter) error {
	local, host := cut(l.MessageID)
	hostID, err := t.text(host)
	if err != nil {
		return err
	}
	sender, err := t.text(l.From)
	if err != nil {
		return err
	}
	token, err := t.bearer(l.Token)
	if err != nil {
		return err
	}
	res, err := t.exec(`INSERT INTO letters (message_id, host, sender, token, date, body_hash, class, state, why, attempts, repeats, answer, received)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		packed(local), hostID, sender, token, ms(l.Date), hashBytes(l.BodyHash), number(classes, l.Class), number(letterStates, l.State),
		l.Why, l.Attempts, l.Repeats, l.Answer, ms(l.Received))
	if err != nil {
		return err
	}
	if l.ID, err = res.LastInsertId(); err != nil || l.Raw == nil {
		return err
	}
	if _, err = t.exec("INSERT INTO raw (letter, bytes) VALUES (?, ?)", l.ID, l.Raw); err != nil || !l.Unfiled {
		return err
	}
	_, err = t.exec("INSERT INTO unfiled (letter) VALUES (?)", l.ID)
	return err
}

// Unfiled lists letters that are not in the mailbox, the oldest first.
func (d *DB) Unfiled(ctx context.Context, most int) (out []store.Letter, err error) {
	err = d.read(ctx, func(t *tx) error {
		return t.each("SELECT unfiled.letter, raw.bytes, letters.received FROM unfiled JOIN letters ON letters.id = unfiled.letter JOIN raw ON raw.letter = unfiled.letter WHERE unfiled.letter > 0 ORDER BY unfiled.letter LIMIT ?", []any{most},
			func(r *sql.Rows) error {
				var l store.Letter
				var received int64
				err := r.Scan(&l.ID, &l.Raw, &received)
				l.Received = at(received)
				out = append(out, l)
				return err
			})
	})
	return out, err
}

// FiledAway notes that letters are in the mailbox now.
func (d *DB) FiledAway(ctx context.Context, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	_, err = d.change(ctx, "DELETE FROM unfiled WHERE letter IN (SELECT value FROM json_each(?))", string(list))
	return err
}

func (t *tx) SaveLetter(l store.Letter) error {
	_, err := t.exec("UPDATE letters SET state = ?, why = ?, attempts = ?, repeats = ?, answer = ? WHERE id = ?",
		number(letterStates, l.State), l.Why, l.Attempts, l.Repeats, l.Answer, l.ID)
	return err
}

func (t *tx) Letter(id int64) (store.Letter, error) {
	var raw []byte
	var form sql.NullInt64
	l, err := scanLetter(func(into ...any) error {
		return t.one("SELECT "+letterColumns+", raw.bytes, raw.form"+fromLetters+" LEFT JOIN raw ON raw.letter = letters.id WHERE letters.id = ?", []any{id}, into...)
	}, &raw, &form)
	if err == nil && form.Int64 != 0 {
		l.Condensed = true
		if raw, err = unpack(raw, usualLetter); err != nil {
			err = fmt.Errorf("text of letter in %d: %w: %w", id, store.ErrSpoilt, err)
		}
	}
	l.Raw = raw
	return l, err
}

func (t *tx) LetterState(id int64) (state string, err error) {
	err = t.one("SELECT state FROM letters WHERE id = ?", []any{id}, word(letterStates, &state))
	return state, err
}

func (t *tx) LastLetter(player int64) (time.Time, error) {
	var last int64
	err := t.one(`SELECT coalesce(max(received), 0) FROM letters WHERE state = ? AND sender IN
		(SELECT texts.id FROM addresses JOIN texts ON texts.text = addresses.address WHERE addresses.player = ? AND addresses.player <> 0)`,
		[]any{number(letterStates, store.LetterDone), player}, &last)
	return at(last), err
}

func (t *tx) letters(query string, args ...any) (out []store.Letter, err error) {
	err = t.each(query, args, func(r *sql.Rows) error {
		l, err := scanLetter(r.Scan)
		out = append(out, l)
		return err
	})
	return out, err
}

func (t *tx) SameLetter(messageID string) ([]store.Letter, error) {
	if messageID == "" {
		return nil, nil
	}
	local, host := cut(messageID)
	return t.letters("SELECT "+letterColumns+fromLetters+` WHERE substr(letters.message_id, -12) = substr(?1, -12)
		AND letters.message_id = ?1 AND h.text = ?2 ORDER BY letters.id LIMIT 20`, packed(local), host)
}

// LetterFrom reports whether there is a letter of an author's with a date.
func (d *DB) LetterFrom(ctx context.Context, from string, date time.Time) (there bool, err error) {
	err = d.read(ctx, func(t *tx) error {
		return t.one("SELECT EXISTS (SELECT 1 FROM letters WHERE sender = (SELECT id FROM texts WHERE text = ?) AND date = ?)", []any{from, ms(date)}, &there)
	})
	return there, err
}

func (t *tx) LikeLetter(from string, date time.Time, token, bodyHash string) ([]store.Letter, error) {
	bearer, err := t.bearer(token)
	if err != nil {
		return nil, err
	}
	// The token may have been no one's when the letter came.
	return t.letters("SELECT "+letterColumns+fromLetters+` WHERE sender = (SELECT id FROM texts WHERE text = ?) AND letters.date = ?
		AND letters.token IN (?, ?) AND body_hash = ? ORDER BY letters.id LIMIT 20`, from, ms(date), bearer, token, hashBytes(bodyHash))
}

func (t *tx) Letters(state string, limit int) ([]store.Letter, error) {
	// The partial index serves these three; others are never listed by state.
	return t.letters("SELECT "+letterColumns+fromLetters+" WHERE letters.state = ? AND letters.state IN (1, 2, 3) ORDER BY letters.id LIMIT ?",
		number(letterStates, state), limit)
}
