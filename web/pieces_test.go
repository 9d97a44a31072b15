package web

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine"
	"angelpost/templates"
)

// The list of things on the table leads from each card and tile that its reader sees to its
// explanation, on their own page and in their plan.
func TestPiecesLeadToCards(t *testing.T) {
	s := newShelf(t, 3, 70)
	h := handler(s)
	seat := toMove(s)
	home := "/g/unlisted/" + keyOf(seat)
	v := s.games["unlisted"].game.View(seat)
	want := map[string]string{}
	card := func(where string, list ...engine.Card) {
		for _, c := range list {
			if c != 0 && !c.Hidden() {
				want[templates.CardHref(c.String())] = where
			}
		}
	}
	tile := func(where string, list ...engine.Tile) {
		for _, x := range list {
			if x != 0 {
				want[templates.CardHref(x.String())] = where
			}
		}
	}
	own := v.Players[seat-1]
	card("hand", own.Cards...)
	card("slot", own.Rows[:]...)
	card("slot", own.Columns[:]...)
	for i := range v.Players {
		for _, c := range v.Players[i].Grid {
			tile("grid", c.Tile)
		}
		tile("ejected", v.Players[i].Ejected...)
	}
	tile("display", v.Display...)
	for i := range v.Strips {
		for _, x := range v.Strips[i].Hexes {
			card("Space", x.Card)
		}
	}
	for n := range v.Locs {
		if k := len(v.Locs[n].Ravagers); k > 0 {
			card("location", v.Locs[n].Ravagers[k-1].Card)
		}
	}
	cards := map[string]*goquery.Document{}
	for _, part := range templates.Parts {
		cards[templates.PiecesHref(part)] = page(t, h, templates.PiecesHref(part))
	}
	places := map[string]int{}
	for _, path := range []string{home, home + "/plan/"} {
		d := page(t, h, path)
		for href, where := range want {
			if d.Find(`#words a[href="`+href+`"]`).Length() == 0 {
				t.Errorf("%s: nothing leads to %s (%s)", path, href, where)
			}
			places[where]++
		}
		for _, a := range d.Find(`#words a[href^="/cards"]`).EachIter() {
			href, _ := a.Attr("href")
			path, id, _ := strings.Cut(href, "#")
			if cards[path] == nil || cards[path].Find(`[id="`+id+`"]`).Length() != 1 {
				t.Fatalf("%s leads to %s, which is not there", path, href)
			}
		}
	}
	if places["hand"] == 0 || places["slot"] == 0 || places["Space"] == 0 || places["location"] == 0 || places["display"] == 0 {
		t.Errorf("too little lies there: %v", places)
	}
}
