package server

import "testing"

// TestCopyWatch: files that are missing are told of at once, and copies to which nothing is added after two looks, if
// something was committed. Before there are any copies nothing is wrong.
func TestCopyWatch(t *testing.T) {
	var w copyWatch
	for i, step := range []struct {
		copies  Copies
		version int64
		want    string
	}{
		{Copies{}, 1, ""}, {Copies{}, 2, ""}, {Copies{}, 3, ""},
		{Copies{1, true}, 4, ""},
		{Copies{3, true}, 5, ""},
		{Copies{3, true}, 6, ""}, // it may come
		{Copies{3, true}, 7, copiesStopped},
		{Copies{3, true}, 8, copiesStopped},
		{Copies{4, true}, 9, ""},
		{Copies{4, true}, 9, ""}, {Copies{4, true}, 9, ""}, {Copies{4, true}, 9, ""}, // nothing to add
		{Copies{}, 10, copiesMissing},
		{Copies{}, 11, copiesMissing},
		{Copies{7, false}, 12, copiesMissing},
		{Copies{8, false}, 13, copiesMissing},
		{Copies{9, true}, 14, ""},
	} {
		if got := w.look(step.copies, step.version); got != step.want {
			t.Errorf("look %d, %+v: %q, want %q", i, step.copies, got, step.want)
		}
	}
}
