package templates

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/net/html"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/store"
	"angelpost/templates/words"
)

// kindsOfGames are all that differ in what lies on the table.
func kindsOfGames() []game.Options {
	return []game.Options{
		options(1, "base", "revised", "easy"), options(1, "advanced", "first", "extreme"),
		options(2, "base", "revised", ""), options(2, "advanced", "first", ""),
		options(3, "base", "first", ""), options(3, "advanced", "revised", ""),
		options(4, "base", "revised", ""), options(4, "advanced", "revised", ""),
	}
}

// pageOf is a game's page for a view's viewer.
func pageOf(t testing.TB, v *engine.View, o game.Options) *html.Node {
	t.Helper()
	all := names[:o.Players]
	p := &Page{Frame: Frame{Catalogue: words.English(), Title: "Friday"}, Voice: words.English().For(v.Set, v.Viewer, all), Game: "Friday", State: store.GameRunning,
		Names: all, View: v, Played: words.English().Options(o), Walk: NewWalk([]game.Milestone{{}}, 7, 7, -1, 0, o.Players, true)}
	var b bytes.Buffer
	if err := GamePage(p).Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

var sameView = cmp.Options{
	cmpopts.IgnoreUnexported(engine.View{}), cmpopts.IgnoreFields(engine.View{}, "Set", "Revealed"), cmpopts.EquateEmpty(),
	cmp.Comparer(func(a, b engine.Hex) bool { return a == b }),
}

// positions are some of random games of all kinds: the beginning, several on
// the way, and the end.
func positions(t *testing.T, see func(o game.Options, g *game.Game)) {
	t.Helper()
	for i, o := range kindsOfGames() {
		g := play(t, o, byte(i), 1<<20, func(g *game.Game) bool {
			if n := g.Steps(); n < 3 || n%41 < 2 {
				see(o, g)
			}
			return false
		})
		see(o, g)
	}
}

// The page's text alone is enough to set the table up: from what a screen
// reader says everything public can be put back in its place.
func TestPublicViewFromTextAlone(t *testing.T) {
	n := 0
	positions(t, func(o game.Options, g *game.Game) {
		v := g.View(0)
		lines := hear(pageOf(t, v, o))
		got, err := rebuild(lines, v.Set)
		if err != nil {
			t.Fatalf("%d players, round %d: %v", o.Players, v.Round, err)
		}
		if diff := cmp.Diff(v, got, sameView); diff != "" {
			t.Fatalf("%d players, round %d: (-is +heard)\n%s", o.Players, v.Round, diff)
		}
		if n++; n%32 != 1 {
			return
		}
		// Whatever thing is left out, something is missing.
		for i, l := range lines {
			if !strings.Contains(l.in, "table") && !strings.Contains(l.in, "board: ") {
				continue
			}
			got, err := rebuild(slices.Delete(slices.Clone(lines), i, i+1), v.Set)
			if err == nil && cmp.Diff(v, got, sameView) == "" && !strings.HasPrefix(l.text, "seat 2, Hal: ") {
				t.Errorf("%d players, round %d: nobody misses %q in %s", o.Players, v.Round, l.text, l.in)
			}
		}
	})
}

// Everything on the table is a link to what says what it is, what it does and
// by which rule, which its name includes.
func TestEverythingExplainsItself(t *testing.T) {
	rules, err := os.ReadFile("../engine/RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	number := regexp.MustCompile(`\(([RQ]\d+\.\d+[a-h]?)(?:, ([RQ]\d+\.\d+[a-h]?))*\)`)
	least := 200
	viewer := engine.Seat(0)
	positions(t, func(o game.Options, g *game.Game) {
		viewer = (viewer + 1) % engine.Seat(o.Players+1)
		doc := pageOf(t, g.View(viewer), o)
		ids, things := map[string]*html.Node{}, 0
		for n := range doc.Descendants() {
			if id := attribute(n, "id"); id != "" {
				if ids[id] != nil {
					t.Fatalf("two things are #%s", id)
				}
				ids[id] = n
			}
		}
		for n := range doc.Descendants() {
			if n.Data != "a" || n.Namespace != "svg" {
				continue
			}
			things++
			id := strings.TrimPrefix(attribute(n, "href"), "#")
			tip := ids[id]
			if tip == nil || tip.Parent != n || attribute(n, "aria-labelledby") != id || attribute(n, "tabindex") != "" {
				t.Fatalf("#%s is no link to what it says", id)
			}
			called, about, _ := strings.Cut(plainText(tip), "|")
			m := number.FindAllStringSubmatch(about, -1)
			if called == "" || len(about) < 25 || len(m) == 0 {
				t.Errorf("%q says only %q", called, about)
			}
			for _, r := range m {
				for _, r := range r[1:] {
					if r != "" && !bytes.Contains(rules, []byte(r+" ")) {
						t.Errorf("%q: there is no rule %s", called, r)
					}
				}
			}
			if n.FirstChild.Data != "rect" && n.FirstChild.Data != "use" {
				t.Errorf("%q is nowhere", called)
			}
		}
		least = min(least, things)
	})
	if least < 70 { // of a solo game
		t.Errorf("a page explains only %d things", least)
	}
}
