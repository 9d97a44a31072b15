package db

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// An Outgoing is a queued letter: its recipe, how often sending it failed, and
// from when its age counts.
type Outgoing struct {
	notice.Message
	Tries  int
	Queued time.Time
}

const outColumns = `out.id, out.kind, out.version, a.text, out.player, games.id, out.seat, out.since, out.step, out.result, out.subjects, out.unlisted, out.token,
	keys.key, coalesce(keys.mute, threads.mute), leagues.id, out.format, out.answer, CASE head.thread WHEN 0 THEN head.answer END, out.date,
	out.message_id, o.text, letters.message_id, l.text, head.message_id, h.text`

const fromOut = ` FROM out JOIN texts AS a ON a.id = out.address JOIN texts AS o ON o.id = out.host
	LEFT JOIN games ON games.number = out.game LEFT JOIN keys ON keys.id = out.key
	LEFT JOIN leagues ON leagues.number = out.league LEFT JOIN league_threads AS threads ON threads.league = out.league AND threads.player = out.player
	LEFT JOIN letters ON letters.id = out.reply LEFT JOIN texts AS l ON l.id = letters.host
	LEFT JOIN out AS head ON head.id = out.thread LEFT JOIN texts AS h ON h.id = head.host`

func (t *tx) AddMessage(r *notice.Message, k store.Token, state string) error {
	var thread int64
	var head []byte
	if r.Thread != "" {
		local, host := cut(r.Thread)
		err := t.one(`SELECT id, CASE thread WHEN 0 THEN answer END FROM out WHERE message_id = ?
			AND host = (SELECT id FROM texts WHERE text = ?)`, []any{packed(local), host}, &thread, &head)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
	}
	text, err := json.Marshal(r.Answer)
	if err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	answer, err := deflate(text, head)
	if err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	var reply int64
	if r.InReplyTo != "" {
		local, host := cut(r.InReplyTo)
		err := t.one(`SELECT coalesce(max(id), 0) FROM letters WHERE substr(message_id, -12) = substr(?1, -12) AND message_id = ?1
			AND host = (SELECT id FROM texts WHERE text = ?2)`, []any{packed(local), host}, &reply)
		if err != nil {
			return err
		}
	}
	address, err := t.text(r.To)
	if err != nil {
		return err
	}
	local, host := cut(r.MessageID)
	hostID, err := t.text(host)
	if err != nil {
		return err
	}
	res, err := t.exec(`INSERT INTO out (kind, version, address, player, game, place, seat, turn, since, step, confirm, result, token,
		key, format, answer, date, message_id, host, thread, reply, state, due, entered, subjects, unlisted, league)
		VALUES (?, ?, ?, ?, coalesce((SELECT number FROM games WHERE id = ?), 0), ?, ?, ?, ?, ?, ?, ?, ?,
		coalesce((SELECT max(keys.id) FROM keys JOIN games ON games.number = keys.game WHERE games.id = ? AND place = ? AND key = ?), 0),
		?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce((SELECT number FROM leagues WHERE id = ?), 0))`,
		number(kinds, r.Kind), r.Version, address, r.Player, r.Game, k.Place, r.Seat, k.Turn, r.Since, r.Step, k.Confirm,
		number(results, r.Result), packed(r.Token), r.Game, k.Place, r.PageKey,
		r.Format, answer, ms(r.Date), packed(local), hostID, thread, reply, number(outStates, state), ms(r.Date), ms(r.Date), r.Subjects, r.Unlisted, r.League)
	if err != nil {
		return err
	}
	// From here on it is what scanRecipe makes of it.
	r.Answer = notice.Answer{}
	if err := json.Unmarshal(text, &r.Answer); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	if reply == 0 {
		r.InReplyTo = ""
	}
	if thread == 0 {
		r.Thread = ""
	}
	r.Date, r.References = at(ms(r.Date)), references(r)
	r.ID, err = res.LastInsertId()
	return err
}

// references are the letters that a recipe names, the head of its thread first.
func references(r *notice.Message) (refs []string) {
	for _, id := range []string{r.Thread, r.InReplyTo} {
		if id != "" {
			refs = append(refs, id)
		}
	}
	return refs
}

func scanRecipe(scan func(...any) error, more ...any) (r notice.Message, err error) {
	var answer, head []byte
	var date int64
	var game, key, mute, league, replyHost, headHost sql.NullString
	var host string
	err = scan(append([]any{&r.ID, word(kinds, &r.Kind), &r.Version, &r.To, &r.Player, &game, &r.Seat, &r.Since, &r.Step,
		word(results, &r.Result), &r.Subjects, &r.Unlisted, text(&r.Token), &key, &mute, &league, &r.Format, &answer, &head, &date,
		text(&r.MessageID), &host, text(&r.InReplyTo), &replyHost, text(&r.Thread), &headHost}, more...)...)
	if err != nil {
		return r, err
	}
	r.Game, r.PageKey, r.MuteKey, r.League, r.Date = game.String, key.String, mute.String, league.String, at(date)
	r.MessageID += host
	r.InReplyTo += replyHost.String
	r.Thread += headHost.String
	r.References = references(&r)
	if err := inflate(answer, head, &r.Answer); err != nil {
		return r, fmt.Errorf("answer of letter out %d: %w: %w", r.ID, store.ErrSpoilt, err)
	}
	return r, nil
}

func (t *tx) Message(id int64) (notice.Message, error) {
	return scanRecipe(func(into ...any) error {
		return t.one("SELECT "+outColumns+fromOut+" WHERE out.id = ?", []any{id}, into...)
	})
}

func (t *tx) MessageByID(id string) (notice.Message, error) {
	local, host := cut(id)
	return scanRecipe(func(into ...any) error {
		return t.one("SELECT "+outColumns+fromOut+" WHERE out.message_id = ? AND o.text = ?", []any{packed(local), host}, into...)
	})
}

func (t *tx) CollectedFor(address string) (out []notice.Message, err error) {
	err = t.each("SELECT "+outColumns+fromOut+` WHERE out.address = (SELECT id FROM texts WHERE text = ?) AND out.state = `+collected+`
		ORDER BY out.id LIMIT 500`, []any{address}, func(r *sql.Rows) error {
		c, err := scanRecipe(r.Scan)
		out = append(out, c)
		return err
	})
	return out, err
}

func (t *tx) DigestOf(player int64, limit int) (out []notice.Message, err error) {
	err = t.each("SELECT "+outColumns+fromOut+" WHERE out.player = ? AND out.state = "+digest+" ORDER BY out.id LIMIT ?", []any{player, limit},
		func(r *sql.Rows) error {
			m, err := scanRecipe(r.Scan)
			out = append(out, m)
			return err
		})
	return out, err
}

func (t *tx) Told(game string, place int, player int64, since, step int) (told bool, err error) {
	err = t.one("SELECT EXISTS (SELECT 1 FROM out WHERE game = (SELECT number FROM games WHERE id = ?) AND game <> 0 AND place = ? AND player = ? AND since <= ? AND step >= ? AND state IN ("+sent+", "+queued+"))",
		[]any{game, place, player, since, step}, &told)
	return told, err
}

func (t *tx) Requeue(id int64, when time.Time) error {
	_, err := t.exec("UPDATE out SET state = "+queued+", tries = 0, due = ?, entered = ?, unsure = 2 WHERE id = ? AND state IN ("+sent+", "+failed+")", ms(when), ms(when), id)
	return err
}

func (t *tx) SetOutState(ids []int64, state string) error {
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	_, err = t.exec("UPDATE out SET state = ? WHERE id IN (SELECT value FROM json_each(?))", number(outStates, state), string(list))
	return err
}

func (t *tx) Waiting(game string, player, also int64) (out []notice.Message, err error) {
	err = t.each("SELECT "+outColumns+fromOut+" WHERE out.game = (SELECT number FROM games WHERE id = ?) AND out.game <> 0 AND out.player = ? AND out.state = "+queued+" AND (out.unsure = 0 OR out.id = ?) ORDER BY out.id LIMIT 500",
		[]any{game, player, also}, func(r *sql.Rows) error {
			m, err := scanRecipe(r.Scan)
			out = append(out, m)
			return err
		})
	return out, err
}

func (t *tx) Unsure(id int64) (yes bool, err error) {
	err = t.one("SELECT unsure = 2 FROM out WHERE id = ?", []any{id}, &yes)
	return yes, err
}

func (t *tx) Queued(id int64) (yes bool, err error) {
	err = t.one("SELECT state = "+queued+" FROM out WHERE id = ?", []any{id}, &yes)
	return yes, err
}

func (t *tx) Give(id int64) error {
	_, err := t.exec("UPDATE out SET unsure = 1 WHERE id = ? AND state = "+queued+" AND unsure = 0", id)
	return err
}

func (t *tx) Drop(ids []int64, why string) error {
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	_, err = t.exec("UPDATE out SET state = "+dropped+", due = 0, error = ? WHERE id IN (SELECT value FROM json_each(?)) AND state = "+queued, why, string(list))
	return err
}

func (t *tx) SayAnew(id int64, a notice.Answer) error {
	var head []byte
	err := t.one("SELECT CASE head.thread WHEN 0 THEN head.answer END FROM out JOIN out AS head ON head.id = out.thread WHERE out.id = ?", []any{id}, &head)
	if err != nil {
		return err
	}
	text, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	answer, err := deflate(text, head)
	if err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	_, err = t.exec("UPDATE out SET answer = ? WHERE id = ? AND state = "+queued, answer, id)
	return err
}

// Plain reports whether a letter waits to be sent, and whether that is all there is to it: its
// reader is none whom we could not reach.
func (d *DB) Plain(ctx context.Context, id int64) (waits, plain bool, err error) {
	err = d.read(ctx, func(t *tx) error {
		return t.one("SELECT state = "+queued+", player NOT IN (SELECT player FROM unreached) FROM out WHERE id = ?", []any{id}, &waits, &plain)
	})
	return waits, plain, err
}

// MayHaveGone notes at a start which queued letters the mail server may have taken before the
// end: those that it was being given, and those that were so young that this was not noted.
func (d *DB) MayHaveGone(ctx context.Context, young time.Time) error {
	return d.write(ctx, synced, func(t *tx) error {
		_, err := t.exec("UPDATE out SET unsure = 2 WHERE state = "+queued+" AND (unsure = 1 OR unsure = 0 AND date >= ?)", ms(young))
		return err
	})
}

func (t *tx) Hurry(now time.Time) error {
	_, err := t.exec("UPDATE out SET due = min(due, ?1), entered = min(entered, ?1) WHERE state = "+queued, ms(now))
	return err
}

// MessageByToken is the letter out that bears a token; store.ErrNotFound,
// wrapped, if there is none.
func (d *DB) MessageByToken(ctx context.Context, token string) (r notice.Message, err error) {
	err = d.read(ctx, func(t *tx) (err error) {
		r, err = t.MessageByToken(token)
		return err
	})
	return r, err
}

func (t *tx) MessageByToken(token string) (notice.Message, error) {
	return scanRecipe(func(into ...any) error {
		return t.one("SELECT "+outColumns+fromOut+" WHERE "+byToken, []any{packed(token)}, into...)
	})
}

// Due lists up to limit queued letters whose time has come, the longest due
// first, and when the next of the others falls due (zero: none waits). It
// changes nothing: a letter stays due until Sent, Retry or Failed.
func (d *DB) Due(ctx context.Context, now time.Time, limit int) (out []Outgoing, next time.Time, err error) {
	err = d.read(ctx, func(t *tx) error {
		err := t.each("SELECT "+outColumns+", out.tries, out.entered"+fromOut+" WHERE out.state = "+queued+" AND out.due <= ? ORDER BY out.due, out.id LIMIT ?",
			[]any{ms(now), limit}, func(r *sql.Rows) error {
				var o Outgoing
				var entered int64
				var err error
				o.Message, err = scanRecipe(r.Scan, &o.Tries, &entered)
				o.Queued = at(entered)
				out = append(out, o)
				return err
			})
		if err != nil {
			return err
		}
		next, err = t.nextOut(now)
		return err
	})
	return out, next, err
}

// A Waiting is a queued letter as its sender sees it.
type Waiting struct {
	ID        int64
	MessageID string
	To        string
	Tries     int
	Queued    time.Time
	Made      time.Time
	Urgent    bool // an answer, a turn, or an alarm to the host
}

// Waiting lists what Due does, but nothing to the addresses and domains given, in
// lower case, and without the recipes, which take most of the time.
func (d *DB) Waiting(ctx context.Context, now time.Time, limit int, addresses, domains []string) (out []Waiting, next time.Time, err error) {
	return d.waiting(ctx, waitingNow+" due, out.id LIMIT ?", now, limit, addresses, domains)
}

// WaitingUrgentFirst is Waiting, but what is urgent comes before other letters.
func (d *DB) WaitingUrgentFirst(ctx context.Context, now time.Time, limit int, addresses, domains []string) (out []Waiting, next time.Time, err error) {
	return d.waiting(ctx, waitingNow+urgency+" DESC, due, out.id LIMIT ?", now, limit, addresses, domains)
}

// urgency is 1 for answers and turns, with which kinds begin, and for alarms: information (4) to
// an address, and not to a player. It is 0 for the rest.
const urgency = "(CASE WHEN out.kind IN (0, 1) OR out.kind = 4 AND out.player = 0 AND out.game = 0 AND out.league = 0 THEN 1 ELSE 0 END)"

// waitingNow lists what may be sent now, but its order. Addresses and domains are lists of JSON.
const waitingNow = "SELECT out.id, message_id, h.text, a.text, tries, entered, date, " + urgency + " FROM out JOIN texts AS a ON a.id = address JOIN texts AS h ON h.id = host WHERE state = " + queued + ` AND due <= ?
	AND lower(a.text) NOT IN (SELECT value FROM json_each(?) WHERE value IS NOT NULL)
	AND lower(substr(a.text, instr(a.text, '@') + 1)) NOT IN (SELECT value FROM json_each(?) WHERE value IS NOT NULL) ORDER BY `

func (d *DB) waiting(ctx context.Context, query string, now time.Time, limit int, addresses, domains []string) (out []Waiting, next time.Time, err error) {
	// As lists of JSON, null for none, so that the query is always the same.
	lists := [2][]byte{}
	for i, list := range [][]string{addresses, domains} {
		if lists[i], err = json.Marshal(list); err != nil {
			return nil, time.Time{}, err
		}
	}
	err = d.read(ctx, func(t *tx) error {
		err := t.each(query,
			[]any{ms(now), string(lists[0]), string(lists[1]), limit}, func(r *sql.Rows) error {
				var w Waiting
				var entered, date int64
				var host string
				err := r.Scan(&w.ID, text(&w.MessageID), &host, &w.To, &w.Tries, &entered, &date, &w.Urgent)
				w.MessageID += host
				w.Queued, w.Made = at(entered), at(date)
				out = append(out, w)
				return err
			})
		if err != nil {
			return err
		}
		next, err = t.nextOut(now)
		return err
	})
	return out, next, err
}

// nextOut is when the first of the letters that are not due yet will be.
func (t *tx) nextOut(now time.Time) (time.Time, error) {
	var when int64
	err := t.one("SELECT coalesce(min(due), 0) FROM out WHERE state = "+queued+" AND due > ?", []any{ms(now)}, &when)
	return at(when), err
}

// maxNotices bounds the letters of one turn that Notice looks at.
const maxNotices = 20

func (t *tx) Notice(game string, place int, player int64, turn int, before time.Time) (notice.Message, error) {
	var all []notice.Message
	err := t.each("SELECT "+outColumns+fromOut+` WHERE out.game = (SELECT number FROM games WHERE id = ?) AND out.game <> 0 AND out.place = ? AND out.player = ? AND out.turn = ?
		AND out.state = `+sent+" AND out.due > 0 AND out.due <= ? ORDER BY out.id DESC LIMIT ?", []any{game, place, player, turn, ms(before), maxNotices},
		func(r *sql.Rows) error {
			m, err := scanRecipe(r.Scan)
			all = append(all, m)
			return err
		})
	if err != nil {
		return notice.Message{}, err
	}
	i := slices.IndexFunc(all, func(m notice.Message) bool { return m.Announces() })
	if i < 0 {
		return notice.Message{}, store.ErrNotFound
	}
	return all[i], nil
}

// Sent marks letters as taken over by the mail server, no one knows when. That is on disk when
// it returns; others can write before that.
func (d *DB) Sent(ctx context.Context, ids ...int64) error {
	return d.SentAt(ctx, time.Time{}, ids...)
}

// SentAt is Sent at a time, which it keeps, and counts the letters for Sendings.
func (d *DB) SentAt(ctx context.Context, now time.Time, ids ...int64) error {
	var when int64
	err := d.write(ctx, unsynced, func(t *tx) error {
		if !now.IsZero() {
			if err := t.noteSendings(now, len(ids)); err != nil {
				return err
			}
			when = ms(now)
		}
		for _, id := range ids {
			if _, err := t.exec("UPDATE out SET state = "+sent+", due = ?, error = '' WHERE id = ? AND state = "+queued, when, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return d.Sync()
}

// Retry puts a letter off to a time, because of why. The mail server may have taken it if that
// is unsure.
func (d *DB) Retry(ctx context.Context, id int64, when time.Time, why string, unsure bool) error {
	return d.write(ctx, synced, func(t *tx) error {
		_, err := t.exec("UPDATE out SET tries = tries + 1, due = ?, error = ?, unsure = CASE WHEN ? OR unsure = 2 THEN 2 ELSE 0 END WHERE id = ? AND state = "+queued, ms(when), why, unsure, id)
		return err
	})
}

// Failed gives a letter up. The desk is told by its caller
// (desk.Desk.Undeliverable).
func (d *DB) Failed(ctx context.Context, id int64, why string) error {
	return d.write(ctx, synced, func(t *tx) error {
		_, err := t.exec("UPDATE out SET state = "+failed+", due = 0, tries = tries + 1, error = ? WHERE id = ? AND state = "+queued, why, id)
		return err
	})
}
