package desk_test

import (
	"slices"
	"testing"
	"time"

	"angelpost/engine/notice"
)

// TestTheEndIsToldOnce: players who write about a finished game get the usual answer, and no
// one gets the end again.
func TestTheEndIsToldOnce(t *testing.T) {
	w, _ := clocked(t, "1h grace 0h")
	ends := 0
	for _, e := range w.pass(48 * time.Hour) {
		if e.what == "ada "+string(notice.KindEnd) || e.what == "bo "+string(notice.KindEnd) {
			ends++
		}
	}
	for _, name := range []string{"ada", "bo"} {
		if r := w.last(name); r.Kind != notice.KindEnd {
			t.Fatalf("%s: %s", name, summary(r))
		}
	}
	if ends > 2 {
		t.Errorf("the end is told %d times", ends)
	}
	for text, want := range map[string][]notice.Kind{"status": {notice.KindAnswer}, "say: well played": {notice.KindAnswer, notice.KindInfo}, "B": {notice.KindAnswer}} {
		var got []notice.Kind
		for _, r := range w.write("ada", text) {
			got = append(got, r.Kind)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
