package templates

import (
	"bytes"
	"context"
	"os"
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

// kindsOfGames are all kinds that differ in what is on the table.
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
	cmpopts.IgnoreUnexported(engine.View{}), cmpopts.IgnoreFields(engine.View{}, "Set", "Revealed", "Options.Version"), cmpopts.EquateEmpty(),
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

// uncometed takes comets out of a view, which matter to Hal alone (R15.10).
func uncometed(v *engine.View) {
	for i := range v.Strips {
		for lane := range v.Strips[i].Hexes {
			v.Strips[i].Hexes[lane].Comet = false
		}
	}
}

// The page's text alone is enough to set the table up: from what a screen
// reader says everything public can be put back in its place.
func TestPublicViewFromTextAlone(t *testing.T) {
	n := 0
	positions(t, func(o game.Options, g *game.Game) {
		v := g.View(0)
		if o.Hal == "" {
			uncometed(v)
		}
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
		// Whatever piece is left out, something is missing.
		for i, l := range lines {
			if !l.piece {
				continue
			}
			got, err := rebuild(slices.Delete(slices.Clone(lines), i, i+1), v.Set)
			if err == nil && cmp.Diff(v, got, sameView) == "" {
				t.Errorf("%d players, round %d: nobody misses %q in %s", o.Players, v.Round, l.text, l.in)
			}
		}
	})
}

// Every piece on the table has a name, and is of kinds that the page explains once, each
// by the rules that matter. No name repeats what its kind explains.
func TestEverythingExplainsItself(t *testing.T) {
	rules, err := os.ReadFile("../engine/RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	least := 200
	viewer := engine.Seat(0)
	positions(t, func(o game.Options, g *game.Game) {
		viewer = (viewer + 1) % engine.Seat(o.Players+1)
		doc := pageOf(t, g.View(viewer), o)
		kinds, ids, pieces := map[string]string{}, map[string]bool{}, 0
		for n := range doc.Descendants() {
			id := attribute(n, "id")
			if id == "" {
				continue
			}
			if ids[id] {
				t.Fatalf("two things are #%s", id)
			}
			ids[id] = true
			kind, ok := strings.CutPrefix(id, "k-")
			if !ok {
				continue
			}
			kinds[kind] = plainText(n)
			numbers := 0
			for a := range n.Descendants() {
				number, ok := strings.CutPrefix(attribute(a, "href"), "/rules#")
				if numbers++; !ok || a.Data != "a" || plainText(a) != number || !bytes.Contains(rules, []byte(number+" ")) {
					numbers--
				}
			}
			if len(kinds[kind]) < 25 || numbers == 0 {
				t.Errorf("%s says only %q, with %d rules", kind, kinds[kind], numbers)
			}
		}
		for n := range doc.Descendants() {
			if attribute(n, "data-k") == "" {
				continue
			}
			pieces++
			name := attribute(n, "aria-label")
			if role := attribute(n, "role"); name == "" || n.Data != "a" && role != "img" {
				t.Errorf("a piece is called %q, its role is %q", name, role)
			}
			for kind := range strings.FieldsSeq(attribute(n, "data-k")) {
				about, ok := kinds[kind]
				if about, _, _ = strings.Cut(about, " ("); !ok || strings.Contains(name, about) {
					t.Errorf("%q is of kind %s, which is %q", name, kind, about)
				}
			}
		}
		least = min(least, pieces)
	})
	if least < 70 { // of a solo game
		t.Errorf("a page explains only %d pieces", least)
	}
}
