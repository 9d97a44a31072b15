// Package unchanged proves that a change of the code changes nothing that people see.
//
// # What it proves
//
// TestUnchanged plays six scripted scenarios with fixed seeds and a fixed clock. Players
// write letters, miss deadlines, plan ahead and resign; bots and Hal play; a league runs.
// The test compares a digest of every letter, page and record with testdata/unchanged.txt.
// It replaces ids, tokens and keys by the order in which they first appear, so code may
// draw them in another order.
//
// # How it can fail
//
// A sentence, a page, a record or the order of letters is not what it was. The test names
// the first ten that differ, by scenario and number. If you meant to change them, look at
// the difference, then write new digests:
//
//	go test ./cmd/internal/unchanged -unchanged.dump DIR     (before and after)
//	diff -r BEFORE AFTER
//	go test ./cmd/internal/unchanged -unchanged.update
//
// # How to run it longer
//
// The scenarios have a fixed length. Add one to the table unchangedScenarios, or raise the
// number of turns that one plays, and update the digests.
package unchanged
