package db_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"angelpost/engine/incoming"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// Whatever stands in a letter is found and read back as it was written, though
// it may look like what is stored more tightly.
func TestOddTextsAreReadBack(t *testing.T) {
	d, _ := fresh(t)
	update(t, d, fill)
	odd := []string{"", "1", "aa", "ab", "AA", "aaaa\n", "@", "a@b@c", "@home.test", "abcdefgh@", "in-1@other.test", "IEA4AMICB6LSBVXXFG7PKSEKZY",
		firstToken, firstToken + "=", "\x00\xff", "a@\x00", "fsb4obf3cd3imgn4@angelpost.test", "fsb4obf3cd3imgn4@home.test"}
	for i, s := range odd {
		l := store.Letter{MessageID: s, From: s, Token: s, Date: then, Class: incoming.Class(s), State: s, BodyHash: fmt.Sprintf("%02x", i), Received: then}
		update(t, d, func(tx store.Tx) error { return tx.AddLetter(&l) })
		view(t, d, func(tx store.Tx) error {
			got, err := tx.Letter(l.ID)
			if err != nil || got.MessageID != s || got.From != s || got.Token != s || got.Class != incoming.Class(s) || got.State != s {
				t.Errorf("%q became %+v, %v", s, got, err)
			}
			same, err := tx.SameLetter(s)
			if err != nil {
				return err
			}
			if found := len(same) == 1 && same[0].ID == l.ID; found != (s != "") {
				t.Errorf("by the Message-ID %q: %+v", s, same)
			}
			like, err := tx.LikeLetter(s, then, s, l.BodyHash)
			if err != nil || len(like) != 1 || like[0].ID != l.ID {
				t.Errorf("like %q: %+v, %v", s, like, err)
			}
			return nil
		})
	}
	for i, s := range odd[:len(odd)-6] {
		r := notice.Message{Kind: notice.Kind(s), Result: notice.Result(s), To: s, Token: s, MessageID: fmt.Sprintf("%d%s", i, s), InReplyTo: s,
			Answer: notice.Answer{Subject: s, Names: []string{}, Preview: []string{s}}, Date: then.Add(time.Microsecond)}
		update(t, d, func(tx store.Tx) error { return tx.AddMessage(&r, store.Token{}, store.OutCollected) })
		view(t, d, func(tx store.Tx) error {
			got, err := tx.MessageByID(r.MessageID)
			if err != nil || got.Kind != notice.Kind(s) || got.Result != notice.Result(s) || got.Token != s || got.InReplyTo != s || got.MessageID != r.MessageID {
				t.Errorf("%q became %+v, %v", s, got, err)
			}
			if !reflect.DeepEqual(got, r) {
				t.Errorf("AddMessage says %+v, what is stored is %+v", r, got)
			}
			if k, err := tx.Token(s); err != nil || k.Token != s {
				t.Errorf("token %q: %+v, %v", s, k, err)
			}
			if c, err := tx.CollectedFor(s); err != nil || len(c) != 1 || c[0].To != s {
				t.Errorf("collected for %q: %+v, %v", s, c, err)
			}
			return nil
		})
	}
}

// A letter that came before its token was given out is still known again.
func TestLetterIsLikeItselfWhateverItsTokenBecomes(t *testing.T) {
	d, _ := fresh(t)
	const token = "yhzcj2aajcbihkgrw6euqxp764"
	update(t, d, func(tx store.Tx) error {
		return tx.AddLetter(&store.Letter{From: "bo@home.test", Token: token, Date: then, BodyHash: "ab", State: store.LetterDone, Received: then})
	})
	update(t, d, func(tx store.Tx) error {
		return tx.AddMessage(&notice.Message{Token: token, MessageID: "x@angelpost.test", Date: then}, store.Token{}, store.OutQueued)
	})
	view(t, d, func(tx store.Tx) error {
		if like, err := tx.LikeLetter("bo@home.test", then, token, "ab"); err != nil || len(like) != 1 || like[0].Token != token {
			t.Errorf("%+v, %v", like, err)
		}
		return nil
	})
}

// Letters that have been packed lie close together: pages that were full of unpacked ones
// are joined.
func TestPackedLettersAreDense(t *testing.T) {
	d, _ := fresh(t)
	random := rand.NewChaCha8([32]byte{})
	text := func(n int) []byte {
		b := make([]byte, n)
		random.Read(b)
		return b
	}
	size := func() int64 {
		t.Helper()
		f, err := d.Figures(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return f.Size
	}
	day := func(n int) {
		for i := range n {
			var ids []int64
			update(t, d, func(tx store.Tx) error {
				for range 5 {
					l := store.Letter{MessageID: fmt.Sprintf("%d-%d@x", i, len(ids)), From: "bo@home.test", State: store.LetterDone, Received: then, Raw: text(30_000)}
					if err := tx.AddLetter(&l); err != nil {
						return err
					}
					ids = append(ids, l.ID)
				}
				return nil
			})
			update(t, d, func(tx store.Tx) error {
				for _, id := range ids {
					if err := tx.Pack(id, text(200)); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
	day(20)
	before := size()
	const more = 100
	day(more)
	if each := (size() - before) / (5 * more); each > 1000 {
		t.Errorf("a packed letter of 200 octets takes %d bytes", each)
	}
}
