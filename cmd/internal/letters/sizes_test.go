package letters

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
)

var dump = flag.String("letters.dump", "", "write each letter's parts into this `DIR`")

// Bounds of a letter in a game of four.
const (
	maxLines   = 102 // of a text without its list of orders
	medianText = 110 // lines of all texts of a game in the median
	maxMailTo  = 222 // letters of a mailto: line
	maxHTML    = 40 << 10
	maxPicture = 40 << 10
	maxReceipt = 6500     // octets of an answer that changes nothing on the board
	maxNotice  = 65 << 10 // octets of a turn notice in the median
)

// fourByLetters is a whole game of four, with some questions on its way.
func fourByLetters(t testing.TB) *table {
	x := newTable(t)
	who := []string{"Ann", "Bob", "Cyd", "Dan"}
	x.begin(seating.NewGameOrder{Name: "The Long Haul", Rules: "advanced", Clock: "3d bank 10d"}, who...)
	for i := range 12 {
		x.play(12, who...)
		name := who[i%4]
		x.write(name, true, [...]string{"status", "help", "rules 013", "note: remember the blue one", "say: good luck", "vacation 2026-12-24 to 2026-12-27", "settings", "help vacation"}[i%8])
	}
	x.play(2000, who...)
	return x
}

// TestSizes holds what a letter may take.
func TestSizes(t *testing.T) {
	x := fourByLetters(t)
	var lines, notices, receipts []int
	kinds := map[notice.Kind]int{}
	for i := range x.all {
		p := &x.all[i]
		kinds[p.Kind]++
		if *dump != "" {
			name := filepath.Join(*dump, fmt.Sprintf("%04d-%s", i, p.Kind))
			for end, b := range map[string]string{".txt": p.text, ".html": p.html} {
				if err := os.WriteFile(name+end, []byte(b), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		p.check(t)
		lines = append(lines, strings.Count(p.text, "\n"))
		switch {
		case p.Receipt():
			receipts = append(receipts, len(p.raw))
			if len(p.raw) > maxReceipt {
				t.Logf("receipt of %d octets: text %d, HTML %d: %.300s", len(p.raw), len(p.text), len(p.html), p.text)
			}
		case p.Kind == notice.KindTurn:
			notices = append(notices, len(p.raw))
		}
	}
	if kinds[notice.KindTurn] < 40 || kinds[notice.KindEnd] != 4 || len(receipts) < 12 {
		t.Fatalf("%v, %d receipts", kinds, len(receipts))
	}
	slices.Sort(lines)
	slices.Sort(notices)
	slices.Sort(receipts)
	t.Logf("%d letters; lines of text: median %d, most %d; turn notices: median %d octets, most %d; receipts: median %d octets, most %d",
		len(lines), lines[len(lines)/2], lines[len(lines)-1], notices[len(notices)/2], notices[len(notices)-1], receipts[len(receipts)/2], receipts[len(receipts)-1])
	if n := lines[len(lines)/2]; n >= medianText {
		t.Errorf("a text has %d lines in the median", n)
	}
	if n := notices[len(notices)/2]; n > maxNotice {
		t.Errorf("a turn notice has %d octets in the median", n)
	}
	if n := receipts[len(receipts)-1]; n > maxReceipt {
		t.Errorf("a receipt has %d octets", n)
	}
}

// check holds the bounds of one letter.
func (p *post) check(t *testing.T) {
	t.Helper()
	name := fmt.Sprintf("letter %d, %s to %s, step %d", p.ID, p.Kind, p.To, p.Step)
	count, listed, links := 0, false, 0
	for i, line := range strings.Split(strings.TrimSuffix(p.text, "\n"), "\n") {
		if line == "ALL YOUR POSSIBLE ORDERS" || line == "| legal" {
			listed = true
		}
		if !listed {
			count++
		}
		if line == "| end" {
			listed = false
		}
		switch {
		case strings.HasPrefix(line, "https://"):
			if i < 15 {
				links++
			}
		case strings.HasPrefix(line, "mailto:"):
			if len(line) > maxMailTo {
				t.Errorf("%s: a mailto: of %d letters", name, len(line))
			}
		case utf8.RuneCountInString(line) > 72 && !strings.HasPrefix(strings.TrimSpace(line), "|"):
			t.Errorf("%s: %d columns: %s", name, utf8.RuneCountInString(line), line)
		}
	}
	if p.Kind == notice.KindTurn && p.Since >= 0 {
		if count > maxLines {
			t.Errorf("%s: %d lines", name, count)
		}
		if links < 2 {
			t.Errorf("%s: %d links in the first 15 lines", name, links)
		}
	}
	if n := len(p.html); n > maxHTML {
		t.Errorf("%s: HTML of %d octets", name, n)
	}
	for id, b := range p.pictures {
		if len(b) > maxPicture {
			t.Errorf("%s: picture %s of %d octets", name, id, len(b))
		}
		if !strings.Contains(p.html, "cid:"+id) {
			t.Errorf("%s: picture %s is not shown", name, id)
		}
	}
	if n := strings.Count(p.html, "cid:"); n != len(p.pictures) {
		t.Errorf("%s: %d pictures shown, %d there", name, n, len(p.pictures))
	}
}
