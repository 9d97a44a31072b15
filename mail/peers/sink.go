//go:build real

package peers

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Sink is Postfix's smtp-sink: it takes every letter for everyone and keeps
// none.
type Sink struct {
	Addr string // SMTP in the clear
	dump string // "" unless it writes what it is sent to a file
}

// StartSink starts a sink with further options of smtp-sink(1). With dump it
// writes what it takes to a file, which slows it down; see Letters.
func StartSink(t testing.TB, dump bool, options ...string) *Sink {
	t.Helper()
	dir := folder(t, "sink")
	s := &Sink{Addr: local(port(t))}
	options = append([]string{"-4", "-u", "postfix", "-m", "64"}, options...)
	if dump {
		s.dump = filepath.Join(subfolder(t, dir, "dump", "postfix"), "letters")
		options = append(options, "-D", s.dump)
	}
	// A test may make it send no greeting.
	start(t, "", exec.Command("smtp-sink", append(options, s.Addr, "64")...), accepts, s.Addr)
	return s
}

// Letters returns how often each Message-ID, as in the header, was taken, in a letter whose
// data arrived whole.
func (s *Sink) Letters(t testing.TB) map[string]int {
	t.Helper()
	raw, err := os.ReadFile(s.dump)
	if err != nil && !os.IsNotExist(err) { // there is none before the first letter
		t.Fatal(err)
	}
	out := map[string]int{}
	for line := range bytes.Lines(raw) {
		if id, ok := bytes.CutPrefix(line, []byte("Message-ID: ")); ok {
			out[string(bytes.TrimSpace(id))]++
		}
	}
	return out
}
