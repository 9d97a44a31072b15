package letters

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angelpost/mail/letter"
	"angelpost/templates/words"
)

// TestQuotedWithoutMarks has someone answer every kind of letter in a program that quotes it without
// an attribution and without marks, when the server no longer knows what it wrote: the news, with
// names that other players chose, is not the writer's.
func TestQuotedWithoutMarks(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	marker, seen := words.English().Marker(), 0
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		subject, text, _ := strings.Cut(string(raw), "\n\n")
		if !strings.Contains(text, marker) {
			continue
		}
		seen++
		answer := "From: Ann <ann@example.org>\nTo: post@example.org\n" + subject + "\n\nB\n\n" + text
		l := letter.Open([]byte(answer), letter.Options{Marker: marker}).Answering(nil)
		if !slices.Equal(l.Orders, []string{"B"}) || len(l.Press) > 0 {
			t.Errorf("%s: orders %q, press %v", file, l.Orders, l.Press)
		}
	}
	if seen < 20 {
		t.Errorf("only %d letters have the marker", seen)
	}
}
