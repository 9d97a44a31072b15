package db

import (
	"database/sql"
	"encoding/hex"
	"time"

	"angelpost/engine/match"
)

const letterColumns = "id, message_id, sender, token, date, body_hash, class, state, why, attempts, repeats, answer, received"

func scanLetter(scan func(...any) error, more ...any) (l match.LetterRow, err error) {
	var date, received int64
	var hash []byte
	err = scan(append([]any{&l.ID, &l.MessageID, &l.From, &l.Token, &date, &hash, &l.Class, &l.State, &l.Why,
		&l.Attempts, &l.Repeats, &l.Answer, &received}, more...)...)
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

func (t *tx) AddLetter(l *match.LetterRow) error {
	res, err := t.exec(`INSERT INTO letters (message_id, sender, token, date, body_hash, class, state, why, attempts, repeats, answer, received)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		l.MessageID, l.From, l.Token, ms(l.Date), hashBytes(l.BodyHash), l.Class, l.State, l.Why, l.Attempts, l.Repeats, l.Answer, ms(l.Received))
	if err != nil {
		return err
	}
	if l.ID, err = res.LastInsertId(); err != nil || l.Raw == nil {
		return err
	}
	_, err = t.exec("INSERT INTO raw (letter, bytes) VALUES (?, ?)", l.ID, l.Raw)
	return err
}

func (t *tx) SaveLetter(l match.LetterRow) error {
	_, err := t.exec("UPDATE letters SET state = ?, why = ?, attempts = ?, repeats = ?, answer = ? WHERE id = ?",
		l.State, l.Why, l.Attempts, l.Repeats, l.Answer, l.ID)
	return err
}

func (t *tx) Letter(id int64) (match.LetterRow, error) {
	var raw []byte
	l, err := scanLetter(func(into ...any) error {
		return t.one("SELECT "+letterColumns+", (SELECT bytes FROM raw WHERE letter = id) FROM letters WHERE id = ?", []any{id}, into...)
	}, &raw)
	l.Raw = raw
	return l, err
}

func (t *tx) letters(query string, args ...any) (out []match.LetterRow, err error) {
	err = t.each("SELECT "+letterColumns+" FROM letters WHERE "+query, args, func(r *sql.Rows) error {
		l, err := scanLetter(r.Scan)
		out = append(out, l)
		return err
	})
	return out, err
}

func (t *tx) SameLetter(messageID string) ([]match.LetterRow, error) {
	return t.letters("message_id = ? AND message_id <> '' ORDER BY id LIMIT 20", messageID)
}

func (t *tx) LikeLetter(from string, date time.Time, token, bodyHash string) ([]match.LetterRow, error) {
	return t.letters("sender = ? AND date = ? AND token = ? AND body_hash = ? ORDER BY id LIMIT 20", from, ms(date), token, hashBytes(bodyHash))
}

func (t *tx) Letters(state string, limit int) ([]match.LetterRow, error) {
	// The partial index serves these three; others are never listed by state.
	return t.letters("state = ? AND state IN ('new', 'held', 'aside') ORDER BY id LIMIT ?", state, limit)
}
