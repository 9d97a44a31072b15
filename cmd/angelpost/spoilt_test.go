package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
)

// TestSpoiltNotice answers a notice whose row nobody can read any more: the
// letter cannot be held against it, and is read and answered all the same.
func TestSpoiltNotice(t *testing.T) {
	data := t.TempDir()
	args := demoArgs(data, "-seats", "human,human", "-seed", strings.Repeat("5a", 32))
	p := start(t, args...)
	mover, _ := sitDown(t, p)
	p.stop()
	raw, err := sql.Open("sqlite3", filepath.Join(data, "angelpost.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := raw.Exec("UPDATE out SET answer = x'00'"); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	p = start(t, args...)
	mover.imap, mover.smtp, mover.conn, mover.seen, mover.box = p.values["imap"], p.values["smtp"], nil, 0, nil
	if n := mover.answerTo(mover.write(post{body: mover.last.legal[0] + "\r\n"})); n.result != "applied" {
		t.Errorf("%s\n%s", n.result, head(n.text, 30))
	}
	p.stop()
}
