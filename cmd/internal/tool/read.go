package tool

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"angelpost/cmd/internal/cli"
	"angelpost/engine/incoming"

	"angelpost/engine/order"
	"angelpost/mail/letter"
)

// A reading is what read prints of one letter; web/API.md has its fields.
type reading struct {
	Schema     int            `json:"schema"`
	File       string         `json:"file"`
	Kind       incoming.Class `json:"kind"`
	Answer     bool           `json:"answer"`
	From       string         `json:"from"`
	MessageID  string         `json:"message_id"`
	Token      string         `json:"token"`
	Orders     []string       `json:"orders"`
	Press      []pressLine    `json:"press"`
	Dropped    []droppedLine  `json:"dropped"`
	BarredOnly bool           `json:"barred_only"`
	Quoted     []string       `json:"quoted_choices,omitempty"`
	Reason     string         `json:"reason,omitempty"`
	Doubtful   []string       `json:"doubtful"` // of Orders, those that the writer may not have meant: the server asks first
}

type pressLine struct {
	To   string `json:"to"`
	Text string `json:"text"`
}

type droppedLine struct {
	Line string     `json:"line"`
	Why  letter.Why `json:"why"`
}

// RunRead shows how letters are read: one JSON object a file. It needs neither
// database nor secret, and no letter makes it fail: only a file that cannot be
// read does.
func RunRead(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("read", "FILE…", stderr)
	asJSON := fs.Bool("json", false, "print one JSON object per letter (the only format)")
	noticePath := fs.String("notice", "", "the notice that the letters reply to, as sent or only its text")
	if code := cli.Parse(fs, args, math.MaxInt); code != cli.GoOn {
		return code
	}
	if !*asJSON || fs.NArg() == 0 {
		return cli.Exit(stderr, "read", cli.BadUsage("usage: angelpost read -json [-notice FILE] FILE…"))
	}
	var o letter.Options
	if *noticePath != "" {
		raw, err := readSome(*noticePath)
		if err != nil {
			return cli.Exit(stderr, "read", cli.BadUsage("notice: %w", err))
		}
		o.Notice = letter.ParseNotice(raw)
	}
	code := cli.ExitYes
	out := json.NewEncoder(stdout)
	out.SetEscapeHTML(false)
	for _, file := range fs.Args() {
		raw, err := readSome(file)
		if err != nil {
			code = cli.Exit(stderr, "read", cli.BadUsage("%w", err))
			continue
		}
		if err := out.Encode(readingOf(file, letter.Read(raw, o))); err != nil {
			return cli.Exit(stderr, "read", cli.BadEnvironment(fmt.Errorf("write: %w", err)))
		}
	}
	return code
}

func readingOf(file string, l *letter.Letter) reading {
	r := reading{
		Schema: 1, File: file, Kind: l.Kind, Answer: l.Answer, From: l.From, MessageID: l.MessageID, Token: l.Token,
		Orders: []string{}, Press: []pressLine{}, Dropped: []droppedLine{}, Doubtful: []string{},
		BarredOnly: l.BarredOnly, Quoted: l.QuotedChoices, Reason: l.Reason,
	}
	// What the text says, line by line. It does not depend on the writer.
	text := order.ReadLetter(l.Text, l.FromName)
	said := map[int]bool{} // lines of messages
	doubt := map[int]bool{}
	for _, it := range text.Items {
		doubt[it.Line] = doubt[it.Line] || it.Doubt != ""
		if it.Word.Kind != order.Say {
			continue
		}
		r.Press = append(r.Press, pressLine{strings.Join(it.Word.To, ", "), it.Word.Text})
		for n := it.Line; n <= it.Last; n++ {
			said[n] = true
		}
	}
	kept := map[string]bool{} // lines that mail/letter dropped but that the report has elsewhere
	passed := map[string]bool{}
	for i, line := range l.Text {
		maybe, why := order.Unmarked(line)
		quoted := why != ""
		switch n := i + 1; {
		case line == "" || line == letter.Gap, quoted && !doubt[n]:
		case quoted:
			r.Orders, r.Doubtful = append(r.Orders, maybe), append(r.Doubtful, maybe)
		case slices.ContainsFunc(text.Unticked, func(it order.Item) bool { return it.Line == n }):
			kept[line] = true
			r.Dropped = append(r.Dropped, droppedLine{line, letter.Unticked})
		case said[n]:
			kept[line] = true
		case slices.Contains(text.Passed, n):
			passed[line] = true
		default:
			r.Orders = append(r.Orders, line)
			if doubt[n] {
				r.Doubtful = append(r.Doubtful, line)
			}
		}
	}
	for _, d := range l.Dropped {
		if !kept[d.Line] {
			r.Dropped = append(r.Dropped, droppedLine{d.Line, d.Why})
		}
		delete(passed, d.Line)
	}
	for _, line := range l.Text {
		if passed[line] {
			r.Dropped = append(r.Dropped, droppedLine{line, letter.Signature})
		}
	}
	return r
}

// readSome reads a file, of one too large for a letter no more than shows that
// it is. "-" is standard input.
func readSome(path string) ([]byte, error) {
	f := os.Stdin
	if path != "-" {
		var err error
		if f, err = os.Open(path); err != nil {
			return nil, err
		}
		defer f.Close()
	}
	return io.ReadAll(io.LimitReader(f, letter.MaxBytes+1))
}
