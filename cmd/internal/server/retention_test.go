package server_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-message/mail"

	"angelpost/cmd/internal/inprocess"
	"angelpost/engine/match/unit"
	"angelpost/engine/store"
)

// The soak test makes a whole year of it.
var (
	retentionDays    = flag.Int("retention.days", 24, "days that TestRetention simulates")
	retentionKeep    = flag.Int("retention.keep", 6, "days for which it keeps letters")
	retentionLetters = flag.Int("retention.letters", 8, "letters a day")
)

// parts returns the text and the HTML of a letter of ours.
func parts(t *testing.T, raw []byte) (text, html string) {
	t.Helper()
	r, err := mail.CreateReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	for {
		p, err := r.NextPart()
		if err == io.EOF {
			return text, html
		}
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(p.Body)
		if err != nil {
			t.Fatal(err)
		}
		switch kind := p.Header.Get("Content-Type"); {
		case strings.HasPrefix(kind, "text/plain") && text == "":
			text = string(b)
		case strings.HasPrefix(kind, "text/html"):
			html = string(b)
		}
	}
}

// TestRetention simulates players whose mail programs quote some 10 KB of our letters in
// theirs: letters stay at most 2 KB each, those whose time is over are gone, and the
// database no longer grows once the first are.
func TestRetention(t *testing.T) {
	ctx := context.Background()
	h := inprocess.NewHouse(t, 5, func(h *inprocess.House, c *unit.Config) {
		c.KeepLetters = time.Duration(*retentionKeep) * 24 * time.Hour
	})
	if err := h.Desk.Tidies(ctx); err != nil {
		t.Fatal(err)
	}
	due := func() {
		t.Helper()
		if _, err := h.Desk.Due(ctx); err != nil {
			t.Fatal(err)
		}
		h.Collect()
	}
	bytesNow := func() int64 {
		t.Helper()
		f, err := h.DB.Figures(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return f.Size
	}
	n := 0
	kept := func() (kept int) {
		t.Helper()
		err := h.DB.View(ctx, func(tx store.Tx) error {
			for id := int64(1); id <= int64(h.N+n); id++ {
				if l, err := tx.Letter(id); err == nil && l.Raw != nil {
					kept++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return kept
	}
	who := h.People[3] // who reads HTML
	notice := h.Latest(3, 1)
	raw, err := h.Render(ctx, notice)
	if err != nil {
		t.Fatal(err)
	}
	text, html := parts(t, raw)
	quote := "> " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n> ")
	words := []string{"status", "board", "help turn", "rules 5", "history"}
	write := func(n int) []byte {
		own := words[n%len(words)] + "\r\n\r\nThanks, and see you on day " + fmt.Sprint(n) + "!\r\n"
		body := "--x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + own + "\r\nOn Mon, Angelpost wrote:\r\n" + strings.ReplaceAll(quote, "\n", "\r\n") +
			"\r\n--x\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte("<p>"+own+"</p><blockquote>"+html+"</blockquote>")) + "\r\n--x--\r\n"
		return []byte("Received: from relay.example.org by mx.example.org with ESMTPS id " + fmt.Sprint(n) + "; " + h.Now.Format(time.RFC1123Z) + "\r\n" +
			"DKIM-Signature: v=1; a=rsa-sha256; d=example.org; b=" + strings.Repeat(fmt.Sprintf("%08x", n*2654435761), 40) + "\r\n" +
			"From: " + who.Address + "\r\nTo: " + inprocess.TokenAddress(notice.Token) + "\r\nSubject: Re: your turn\r\nDate: " + h.Now.Format(time.RFC1123Z) +
			"\r\nMessage-ID: <" + fmt.Sprintf("%020d", n) + "@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=x\r\n\r\n" + body)
	}
	if n := len(write(0)); n < 10_000 {
		t.Fatalf("a letter has %d octets only", n)
	}
	due()
	before := bytesNow()
	var full, sized int64                    // when the first letters are forgotten, and how many there are
	together := max(1, *retentionLetters/40) // come at once; the file keeps the room that they take unpacked
	for day := range *retentionDays {
		for left := *retentionLetters; left > 0; left -= together {
			var batch [][]byte
			for range min(left, together) {
				batch = append(batch, write(n))
				n++
			}
			h.Give(batch...)
			h.Now = h.Now.Add(24 * time.Hour * time.Duration(len(batch)) / time.Duration(*retentionLetters))
			due()
		}
		if day == *retentionKeep+1 {
			full, sized = bytesNow(), int64(kept())
		}
		if day%30 == 29 {
			t.Logf("day %d: %d KB", day+1, bytesNow()>>10)
		}
	}
	each := (full - before) / sized
	t.Logf("%d letters of %d octets; %d KB, %d a letter, when the first were forgotten, %d KB at the end; %d are kept", n, len(write(0)), full>>10, each, bytesNow()>>10, kept())
	if each > 2000 {
		t.Errorf("a letter takes %d bytes", each)
	}
	if grown := bytesNow() - full; grown > (full-before)/10+64<<10 {
		t.Errorf("after the time of retention the database grew by %d bytes", grown)
	}
	if got, most := kept(), (*retentionKeep+2)**retentionLetters; got == 0 || got > most {
		t.Errorf("%d letters are kept, at most %d should be", got, most)
	}
	// What is kept can be read: what the player wrote, and which letter they quoted.
	err = h.DB.View(ctx, func(tx store.Tx) error {
		same, err := tx.SameLetter(fmt.Sprintf("%020d@example.org", n-*retentionLetters-1))
		if err != nil || len(same) != 1 {
			return fmt.Errorf("%d letters, %w", len(same), err)
		}
		l, err := tx.Letter(same[0].ID)
		if err != nil {
			return err
		}
		kept := string(l.Raw)
		if !l.Condensed || !strings.Contains(kept, "Thanks, and see you on day "+fmt.Sprint(n-*retentionLetters-1)) || !strings.Contains(kept, "lines of our letter out") ||
			!strings.Contains(kept, "From: "+who.Address) || strings.Contains(kept, "DKIM") || strings.Contains(kept, "Received:") || len(kept) > 1500 {
			t.Errorf("condensed %v, %d bytes:\n%s", l.Condensed, len(kept), kept)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
