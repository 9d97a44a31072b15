package draw

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"angelpost/engine"
)

var titles = regexp.MustCompile(`<p><b>([^<]*)`)

// called is what the things of a page are called.
func called(svg string) (out []string) {
	for _, m := range titles.FindAllStringSubmatch(svg, -1) {
		out = append(out, m[1])
	}
	return out
}

// marked are the things a page marks, without the mark's own word.
func marked(t *testing.T, svg string) (out []string) {
	t.Helper()
	for _, s := range called(svg) {
		if name, ok := strings.CutSuffix(s, ", changed"); ok {
			out = append(out, name)
		}
	}
	if n := strings.Count(svg, `class="n"`); n != len(out) {
		t.Errorf("%d things say that they changed, %d are outlined", len(out), n)
	}
	return out
}

// What is marked is what is not called what it was called, and nothing else;
// but for the marks the picture is the same.
func TestChangesAreMarked(t *testing.T) {
	for players := 2; players <= 4; players++ {
		views := randomGame(t, engine.Options{Players: players}, 3)
		for i := 1; i < len(views); i++ {
			before, v := views[i-1], views[i]
			for _, part := range []func(v, before *engine.View) string{
				func(v, before *engine.View) string { return string(AppendTableSince(nil, v, before, Plain)) },
				func(v, before *engine.View) string { return string(AppendBoardSince(nil, v, before, 2, Plain)) },
			} {
				was, is := called(part(before, nil)), called(part(v, nil))
				var want []string
				for _, s := range is {
					if at := slices.Index(was, s); at >= 0 {
						was = slices.Delete(was, at, at+1)
					} else {
						want = append(want, s)
					}
				}
				got := marked(t, part(v, before))
				if !slices.Equal(got, want) {
					t.Fatalf("%d players, view %d: marked\n%q\nwant\n%q", players, i, got, want)
				}
				if players == 3 && i == 2 && len(got) == 0 {
					t.Error("nothing is marked after 40 steps")
				}
			}
		}
		if m := marked(t, string(AppendTableSince(nil, views[1], views[1], Plain))); len(m) > 0 {
			t.Errorf("nothing has changed, and yet %q", m)
		}
	}
}
