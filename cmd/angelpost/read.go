package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"

	"angelpost/mail/letter"
)

// A reading is what read prints of one letter; CONTRACT.md has its fields.
type reading struct {
	Schema     int           `json:"schema"`
	File       string        `json:"file"`
	Kind       letter.Kind   `json:"kind"`
	Answer     bool          `json:"answer"`
	From       string        `json:"from"`
	MessageID  string        `json:"message_id"`
	Token      string        `json:"token"`
	Orders     []string      `json:"orders"`
	Press      []pressLine   `json:"press"`
	Dropped    []droppedLine `json:"dropped"`
	BarredOnly bool          `json:"barred_only"`
	Quoted     []string      `json:"quoted_choices,omitempty"`
	Reason     string        `json:"reason,omitempty"`
}

type pressLine struct {
	To   string `json:"to"`
	Text string `json:"text"`
}

type droppedLine struct {
	Line string     `json:"line"`
	Why  letter.Why `json:"why"`
}

// runRead shows how letters are read: one JSON object a file. It needs neither
// database nor secret, and no letter makes it fail: only a file that cannot be
// read does.
func runRead(args []string, stdout, stderr io.Writer) int {
	fs := flags("read", "FILE…", stderr)
	asJSON := fs.Bool("json", false, "print one JSON object a letter (the only form there is)")
	noticePath := fs.String("notice", "", "the notice that the letters answer, as sent or its bare text")
	if code := parse(fs, args, math.MaxInt); code != goOn {
		return code
	}
	if !*asJSON || fs.NArg() == 0 {
		return exit(stderr, "read", badUsage("usage: angelpost read -json [-notice FILE] FILE…"))
	}
	var o letter.Options
	if *noticePath != "" {
		raw, err := readSome(*noticePath)
		if err != nil {
			return exit(stderr, "read", badUsage("notice: %w", err))
		}
		o.Notice = letter.ParseNotice(raw)
	}
	code := exitYes
	out := json.NewEncoder(stdout)
	out.SetEscapeHTML(false)
	for _, file := range fs.Args() {
		raw, err := readSome(file)
		if err != nil {
			code = exit(stderr, "read", badUsage("%w", err))
			continue
		}
		if err := out.Encode(readingOf(file, letter.Read(raw, o))); err != nil {
			return exit(stderr, "read", badEnvironment(fmt.Errorf("write: %w", err)))
		}
	}
	return code
}

func readingOf(file string, l *letter.Letter) reading {
	r := reading{
		Schema: 1, File: file, Kind: l.Kind, Answer: l.Answer, From: l.From, MessageID: l.MessageID, Token: l.Token,
		Orders: append([]string{}, l.Orders...), Press: []pressLine{}, Dropped: []droppedLine{},
		BarredOnly: l.BarredOnly, Quoted: l.QuotedChoices, Reason: l.Reason,
	}
	for _, p := range l.Press {
		r.Press = append(r.Press, pressLine{p.To, p.Text})
	}
	for _, d := range l.Dropped {
		r.Dropped = append(r.Dropped, droppedLine{d.Line, d.Why})
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
