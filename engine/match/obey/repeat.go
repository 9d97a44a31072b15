package obey

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"

	"angelpost/engine/match/gate"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A machine whose letters lack the headers of automatic mail (RFC 3834) answers whatever we
// write, and we would answer that, forever. Two things give it away: something in its letters
// is not an order, and it repeats itself. We answer such a letter only once for each of our
// letters, not counting our answers to such letters. We always answer a person who tries other
// words, and one who repeats readable orders.

// maxUnreadable bounds the letters of one address a day that are answered though
// nothing in them could be read, in case a machine finds new words each time.
const maxUnreadable = 21

// looksAutomated reports whether a letter is mostly unreadable, like an autoresponder's reply.
// One line that is not an order keeps us from playing any of it, and what looks like a word
// ("Note that I am away") is carried out once. whole reports whether we could read nothing in
// it.
func looksAutomated(items []order.Item) (yes, whole bool) {
	unread, word, clause := len(items) == 0, false, false
	whole = true
	for _, it := range items {
		switch {
		case it.Clause != nil && it.Clause.Readable():
			clause, whole = true, false
		case it.Clause != nil, it.Problem != nil && it.Problem.Code != order.LostLine:
			unread = true
		default:
			word = word || it.Word.Kind == order.Note || it.Word.Kind == order.Name
			whole = false
		}
	}
	return unread || word && !clause, whole
}

// repeats reports whether a letter that fails, with these words or this code, repeats the one
// before. If not, it records it. last reports that no other unreadable letter is answered
// today.
func repeats(u *unit.Unit, w *unit.Sender, said []string, whole bool) (again, last bool, err error) {
	if w.Held {
		return false, false, nil
	}
	if whole {
		n := u.Bump(gate.Counter(u, "unreadable/"+u.Command.From), u.Day())
		if last = n == maxUnreadable; n > maxUnreadable {
			return true, false, nil
		}
	}
	w.Answer.Answer.Subject = clipped(u.Command.Subject) // to know the letter by
	print := gist(said, w.Answer.Answer.Subject)
	r, err := answered(u)
	if err != nil {
		return false, false, err
	}
	if r != nil {
		return r.InReplyTo != "" && r.Kind == notice.KindAnswer && gist(wordsOf(&r.Answer), r.Answer.Subject) == print, last, nil
	}
	sum := sha256.Sum256([]byte(print))
	n := u.Bump("unreadable/"+u.Command.From+"/"+hex.EncodeToString(sum[:8]), u.Day())
	return n > 1, last, err
}

// answered returns the letter, one that we sent, that the incoming letter answers, by its token
// or its In-Reply-To field; nil if neither names one.
func answered(u *unit.Unit) (*notice.Message, error) {
	if u.Command.Token != "" {
		r, err := u.Tx.MessageByToken(u.Command.Token)
		if errors.Is(err, store.ErrSpoilt) { // what it said is unknown
			return nil, nil
		}
		if none, err := unit.Missing(err); !none || err != nil {
			return &r, err
		}
	}
	if u.Command.InReplyTo == "" {
		return nil, nil
	}
	r, err := u.Tx.MessageByID(u.Command.InReplyTo)
	if errors.Is(err, store.ErrSpoilt) {
		return nil, nil
	}
	if none, err := unit.Missing(err); none || err != nil {
		return nil, err
	}
	return &r, nil
}

// unread are the codes for letters without a readable line, as machines write them. Letters
// that are too large, or have quote bars before their orders, come from people: they may try
// again and need the same answer again.
var unread = []string{notice.SayEmpty, notice.SayQuoted, notice.SayBroken, notice.SaySealed}

// wordsOf returns the words of the letter that a answers: its lines as they were written, or
// the code for a letter without any. An answer that only names usable words (natural.go) has
// none for it, but says that it is the only one.
func wordsOf(a *notice.Answer) (out []string) {
	for _, l := range a.Lines {
		if l.Text != "" { // not a forced step
			out = append(out, l.Text)
		}
	}
	for _, r := range a.Remarks {
		if len(out) == 0 && slices.Contains(unread, r.Code) {
			return []string{r.Code}
		}
	}
	if len(out) == 0 && slices.ContainsFunc(a.Remarks, func(r notice.Remark) bool { return r.Code == notice.SayOnce }) {
		return []string{notice.SayEmpty}
	}
	return out
}

// gist is what stays the same when a machine says the same about another letter: the words
// without the subject they are about and, in sentences, only the letters, because they may
// contain a date or a number. A short line stays whole: a misspelt order with another number is
// a new try.
func gist(said []string, subject string) string {
	const sentence = 8 // words
	out := make([]string, len(said))
	for i, line := range said {
		for about := subject; ; {
			if len(about) >= 8 {
				line = strings.ReplaceAll(line, about, "")
			}
			_, rest, more := strings.Cut(about, ": ") // "Re: ", "Automatic reply: "
			if !more {
				break
			}
			about = rest
		}
		words := strings.Fields(strings.ToLower(line))
		out[i] = strings.Join(words, " ")
		if len(words) >= sentence {
			out[i] = strings.Map(func(r rune) rune {
				if unicode.IsLetter(r) {
					return r
				}
				return -1
			}, out[i])
		}
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// clipped is the beginning of a subject.
func clipped(s string) string {
	if r := []rune(s); len(r) > 200 {
		return string(r[:200])
	}
	return s
}

// silence drops the answer that was begun, and records why.
func silence(u *unit.Unit, w *unit.Sender, why string) {
	u.Drafts = slices.DeleteFunc(u.Drafts, func(d *unit.Draft) bool { return d == w.Answer })
	u.Mute(why)
}

// askedAlready reports whether we have already asked the player about a letter with the same
// words from that address, and wait for the answer.
func askedAlready(u *unit.Unit, open []store.Confirm, player int64) bool {
	for _, c := range open {
		var held unit.Command
		if c.Player == player && json.Unmarshal([]byte(c.Lines), &held) == nil && gist(held.Lines, held.Subject) == gist(u.Command.Lines, u.Command.Subject) {
			return true
		}
	}
	return false
}
