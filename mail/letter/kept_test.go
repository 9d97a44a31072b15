package letter

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	addLetter  = flag.String("letter", "", "a letter that was read wrongly: TestAddLetter scrubs and keeps it")
	addOrders  = flag.String("orders", "", "the orders in it, separated by semicolons")
	scrubField = regexp.MustCompile(`(?im)^(received|return-path|delivered-to|x-[^:]*|dkim-[^:]*|arc-[^:]*|authentication-results|message-id|references|in-reply-to|thread-[^:]*|user-agent|list-[^:]*):.*\r?\n(?:[ \t].*\r?\n)*`)
	scrubAddr  = regexp.MustCompile(`[\pL\d._%+=-]+@[\pL\d.-]+\.[\pL]{2,}`)
	scrubPhone = regexp.MustCompile(`\+?\d[\d ()/.-]{8,}\d`)
	scrubLink  = regexp.MustCompile(`https?://[^\s<>"')\]]+`)
	headName   = regexp.MustCompile(`(?im)(?:^|[:,;"\d][ \t]*)"?([\pL][\pL .'-]{2,40}?)"?[ \t]*<[^<>\s]+@`)
)

// kept is what was meant by a letter in testdata/kept.
type kept struct {
	Orders []string `json:"orders"`
}

// scrub takes names, addresses, numbers and links out of a letter, the same one
// always for the same other one, and keeps our own.
func scrub(raw string) string {
	var names []string
	for _, m := range headName.FindAllStringSubmatch(raw, -1) {
		if n := strings.TrimSpace(m[1]); !strings.EqualFold(n, "angelpost") && !slices.Contains(names, n) {
			names = append(names, n)
			for _, w := range strings.Fields(n) {
				if len(w) > 3 && !slices.Contains(names, w) {
					names = append(names, w)
				}
			}
		}
	}
	raw = scrubField.ReplaceAllStringFunc(raw, func(s string) string {
		if name, _, _ := strings.Cut(strings.ToLower(s), ":"); name == "x-mailer" || name == "user-agent" {
			return s // which program it was is what we want to know
		}
		return ""
	})
	seen := map[string]string{}
	raw = scrubAddr.ReplaceAllStringFunc(raw, func(s string) string {
		if strings.HasPrefix(strings.ToLower(s), "angelpost") {
			return server
		}
		if seen[s] == "" {
			seen[s] = "person" + strconv.Itoa(len(seen)+1) + "@example.org"
		}
		return seen[s]
	})
	for i, n := range names {
		raw = strings.ReplaceAll(raw, n, "Name"+string(rune('A'+i%26)))
	}
	raw = scrubPhone.ReplaceAllStringFunc(raw, func(s string) string {
		if strings.ContainsAny(s, "/.-") && len(s) <= 17 && dated.in(s) { // a date or time tells where quotation begins
			return s
		}
		return "+49 30 1234567"
	})
	return scrubLink.ReplaceAllString(raw, "https://example.org/link")
}

// TestAddLetter keeps a letter that was read wrongly, scrubbed, with what it means:
//
//	go test ./mail/letter -run TestAddLetter -letter FILE -orders 'card 013 at row 2; die gray 0'
//
// Without -letter it checks that scrubbing leaves no one's name, address or number.
func TestAddLetter(t *testing.T) {
	if *addLetter == "" {
		raw := head("z", "X-Mailer: Bluebird 3\n") + part1(utf8Plain, "8bit", lines(turn...)+"\nAnna Berg, anna@example.org\nTel. +49 170 123 45 67\nhttps://private.example/x?user=anna\nAm 20.11.2026 um 18:04 schrieb Karl Kunde <karl@kunde.example>:\n")
		got := scrub(raw)
		for _, secret := range []string{"Anna", "Berg", "anna", "Anna@Example.org", "123 45 67", "private.example", "mx.example.org", "Karl", "Kunde"} {
			if strings.Contains(got, secret) {
				t.Errorf("%q is left in\n%s", secret, got)
			}
		}
		if l := Read([]byte(got), Options{}); !slices.Equal(l.Orders[:len(turn)], turn) || !strings.Contains(got, "Bluebird 3") {
			t.Errorf("orders %q of\n%s", l.Orders, got)
		}
		return
	}
	raw, err := os.ReadFile(*addLetter)
	if err != nil {
		t.Fatal(err)
	}
	var k kept
	for _, o := range strings.Split(*addOrders, ";") {
		if o = clean(o); o != "" {
			k.Orders = append(k.Orders, o)
		}
	}
	stem := filepath.Join("testdata", "kept", strings.TrimSuffix(filepath.Base(*addLetter), filepath.Ext(*addLetter)))
	meant, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(stem), 0o777); err != nil {
		t.Fatal(err)
	}
	for ext, b := range map[string][]byte{".eml": []byte(scrub(string(raw))), ".json": append(meant, '\n')} {
		if err := os.WriteFile(stem+ext, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%s.eml: look it over before you commit it; encoded parts are not scrubbed", stem)
}

// Letters that were read wrongly once are read rightly: exactly, or with a question.
func TestKept(t *testing.T) {
	files, err := filepath.Glob("testdata/kept/*.eml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no letters (%v)", err)
	}
	notice := NewNotice(readFile(t, "testdata/notice.txt"))
	for _, f := range files {
		var k kept
		if err := json.Unmarshal([]byte(readFile(t, strings.TrimSuffix(f, ".eml")+".json")), &k); err != nil {
			t.Fatal(err)
		}
		for _, n := range []*Notice{notice, nil} {
			if o, said := understood(readFile(t, f), k.Orders, n); o == wrong {
				t.Errorf("%s, known %v: %s", f, n != nil, said)
			}
		}
	}
}

// Nothing is lost in silence: each line of a letter's own text is in Text, or dropped
// with its reason; a letter of which nothing was read is answered.
func TestNothingIsLost(t *testing.T) {
	plain, html := noticeParts(t)
	notice := NewNotice(readFile(t, "testdata/notice.txt"), HTMLText(readFile(t, "testdata/notice.html")))
	for i, r := range corpus(plain, html) {
		if i%7 != 0 {
			continue
		}
		for _, n := range []*Notice{notice, nil} {
			l := Open([]byte(r.raw), Options{Address: "angelpost+{token}@play.example"})
			all := l.text
			l.Answering(n)
			left := map[string]int{}
			for _, ln := range all {
				if ln.text != "" {
					left[ln.text]++
				}
			}
			for _, s := range l.Orders {
				left[s]--
			}
			for _, p := range l.Press {
				for s := range strings.SplitSeq(p.Text, "\n") {
					left[s]--
				}
			}
			for _, d := range l.Dropped {
				left[d.Line]--
			}
			for s, c := range left {
				if c > 0 {
					t.Errorf("%s, known %v: %q is lost", r, n != nil, s)
				}
			}
			if len(l.Orders)+len(l.Press) == 0 && !l.Answer {
				t.Errorf("%s, known %v: nothing was read, and no one hears of it", r, n != nil)
			}
		}
	}
}
