package db

import (
	"database/sql"
	"encoding/base32"
	"errors"
	"fmt"
	"slices"
	"strings"

	"angelpost/engine/game"
	"angelpost/engine/incoming"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// words are stored as their places in the list, the commonest first: 0 and 1
// take no room. New ones are added at the end; a word not in the list is
// stored as it is.
type words []string

var (
	kinds = words{string(notice.KindAnswer), string(notice.KindTurn), string(notice.KindInvitation), string(notice.KindStart),
		string(notice.KindInfo), string(notice.KindEnd)}
	results = words{string(notice.Applied), string(notice.None), string(notice.Partial), string(notice.Refused)}
	writers = words{string(game.ByPlayer), string(game.ByBot), string(game.ByOrganiser), string(game.ByDirector), string(game.ByClock), "bot:planner"}
	classes = words{string(incoming.Orders), "", string(incoming.Auto), string(incoming.Bounced), string(incoming.List),
		string(incoming.Calendar), string(incoming.Receipt), string(incoming.Empty), string(incoming.TooLarge), string(incoming.Broken), string(incoming.Complained), string(incoming.Reaction)}
	letterStates = words{store.LetterDone, store.LetterNew, store.LetterHeld, store.LetterAside, store.LetterMute}
	outStates    = words{store.OutSent, store.OutQueued, store.OutFailed, store.OutCollected, store.OutMerged, store.OutDigest, store.OutDropped}
)

// The outStates as queries name them.
const (
	sent      = "0"
	queued    = "1"
	failed    = "2"
	collected = "3"
	digest    = "5"
	dropped   = "6"
)

// number is a word as stored.
func number[S ~string](w words, s S) any {
	if i := slices.Index(w, string(s)); i >= 0 {
		return i
	}
	return string(s)
}

// scanner is a sql.Scanner.
type scanner func(any) error

func (f scanner) Scan(v any) error { return f(v) }

// word scans what number stored.
func word[S ~string](w words, into *S) scanner {
	return func(v any) error {
		switch v := v.(type) {
		case int64:
			if v < 0 || v >= int64(len(w)) {
				return fmt.Errorf("no word has the number %d", v)
			}
			*into = S(w[v])
		case string:
			*into = S(v)
		default:
			return fmt.Errorf("a word of type %T", v)
		}
		return nil
	}
}

var coding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// packed is a text as stored: the bytes it spells in base32, as tokens and our
// own Message-IDs do, or itself.
func packed(s string) any {
	b, err := coding.DecodeString(s)
	if err != nil || len(b) == 0 || coding.EncodeToString(b) != s {
		return s
	}
	return b
}

// text scans what packed stored; NULL is "".
func text(into *string) scanner {
	return func(v any) error {
		switch v := v.(type) {
		case nil:
			*into = ""
		case []byte:
			*into = coding.EncodeToString(v)
		case string:
			*into = v
		default:
			return fmt.Errorf("a text of type %T", v)
		}
		return nil
	}
}

// cut parts a Message-ID into what stands before its host and the host with
// its "@", "" if it has none.
func cut(id string) (local, host string) {
	i := strings.LastIndexByte(id, '@')
	if i < 0 {
		return id, ""
	}
	return id[:i], id[i:]
}

// text is the number of a repeated text, which is stored if it is new.
func (t *tx) text(s string) (id int64, err error) {
	err = t.one("SELECT id FROM texts WHERE text = ?", []any{s}, &id)
	if !errors.Is(err, store.ErrNotFound) {
		return id, err
	}
	res, err := t.exec("INSERT INTO texts (text) VALUES (?)", s)
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// byToken finds a letter out by its packed token, through the index.
const byToken = "substr(out.token, 1, 8) = substr(?1, 1, 8) AND out.token = ?1"

// bearer is a letter's token as stored with it: the number of the letter out
// that bears it, or itself.
func (t *tx) bearer(token string) (any, error) {
	if token == "" {
		return token, nil
	}
	var id int64
	err := t.one("SELECT id FROM out WHERE "+byToken, []any{packed(token)}, &id)
	if errors.Is(err, store.ErrNotFound) {
		return token, nil
	}
	return id, err
}

var _ sql.Scanner = scanner(nil)
