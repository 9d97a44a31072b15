package desk_test

import (
	"context"
	"testing"

	"angelpost/engine/notice"
)

// The director hears once, on the day, of a season that cannot begin, and what the letter
// says works: with a smaller `least` it begins.
func TestDirectorHearsOfStall(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin + "least: 4\n")
	o.joins("tin", "ada", "bo", "cy")
	stalls := func(out []notice.Message) (n int) {
		for _, r := range out {
			if m, ok := told(r, notice.TellStalled); ok {
				if n++; r.To != at("dora") || m.Args["n"] != "3" || m.Args["of"] != "4" || m.Args["season"] != "1" {
					t.Errorf("%s: %+v", r.To, m)
				}
			}
		}
		return n
	}
	if n := stalls(o.until("2026-11-30")); n != 0 {
		t.Errorf("%d letters before the day", n)
	}
	if n := stalls(o.until("2026-12-02")); n != 1 {
		t.Errorf("%d letters on the day", n)
	}
	out := o.write("cy", "leave league tin")
	out = append(out, o.write("cy", "join league tin")...)
	if n := stalls(append(out, o.until("2026-12-09")...)); n != 0 {
		t.Errorf("%d letters more", n)
	}
	if err := o.desk.AmendLeague(context.Background(), id, tin+"least: 3\n"); err != nil {
		t.Fatal(err)
	}
	o.until("2026-12-10")
	if x := o.league(id).State.Season(); x == nil || !x.Running() {
		t.Error("the season has not begun with what the letter says")
	}
}
