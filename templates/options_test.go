package templates

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine"
	"angelpost/engine/bot"
	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
	"angelpost/templates/words"
)

// Every notice with a board names the kind of game, as do the first letter and the answer to
// `rules`, there with the topics that explain it.
func TestOptionsAreShown(t *testing.T) {
	for _, c := range []struct {
		o      game.Options
		line   string
		topics string
	}{
		{options(3, "base", "revised", ""), "Base game · revised edition · 3 players", ""},
		{options(4, "advanced", "revised", ""), "Advanced rules · revised edition · 4 players", "`rules boosts`"},
		{options(2, "base", "first", ""), "Base game · first edition · 2 players", "`rules editions`"},
		{options(1, "advanced", "first", "hard"), "Advanced rules · first edition · solo against Hal (difficult)", "`rules boosts`, `rules editions` and `rules hal`"},
	} {
		g := play(t, c.o, 0, 0, nil)
		for _, kind := range []notice.Kind{notice.KindStart, notice.KindTurn, notice.KindInfo} {
			s := sheetOf(g, 1, kind, -1)
			want := []string{c.line}
			if kind == notice.KindInfo {
				s.Message.Answer.Sections = []notice.Section{{Kind: "rules"}}
			}
			if kind != notice.KindTurn {
				want = append(want, "This game: "+c.line+".")
				if c.topics != "" {
					want = append(want, c.topics)
				}
			}
			l := render(t, s, site)
			check(t, s, l)
			for _, w := range want {
				if !strings.Contains(flat(l.Text), w) || kind != notice.KindTurn && !strings.Contains(flat(document(t, l.HTML).Text()), strings.ReplaceAll(w, "`", "")) {
					t.Errorf("%s: the letter %s does not say %q", c.line, kind, w)
				}
			}
		}
		for _, topic := range words.OptionTopics(c.o) {
			if got := words.English().For(nil, 0, nil).Rules(topic); len(got) < 2 {
				t.Errorf("rules %s: %q", topic, got)
			}
		}
	}
}

// Letters explain both sides of each tile with its boost side up, anywhere on the table.
func TestBoostsAreExplained(t *testing.T) {
	var g *game.Game
	for number := byte(0); g == nil; number++ {
		play(t, options(2, "advanced", "revised", ""), number, 1<<20, func(at *game.Game) bool {
			if slices.ContainsFunc(at.View(1).Players[0].Grid[:], func(c engine.CellView) bool { return c.Boost }) {
				g = at
			}
			return g != nil
		})
	}
	l := render(t, sheetOf(g, 1, notice.KindTurn, -1), site)
	v := g.View(1)
	voice := words.English().For(v.Set, 1, names)
	text, html := flat(l.Text), flat(document(t, l.HTML).Text())
	for _, c := range v.Players[0].Grid {
		if !c.Boost {
			continue
		}
		for _, side := range []string{voice.TileEffect(c.Tile, true), voice.TileEffect(c.Tile, false)} {
			if side == "" || !strings.Contains(text, side) || !strings.Contains(html, side) {
				t.Errorf("%v: %q is not told", c.Tile, side)
			}
		}
		if want := voice.TileSide(c.Tile, true); !slices.ContainsFunc(tiles(voice, &v.Players[0]), func(s string) bool { return strings.Contains(s, want) }) {
			t.Errorf("the page's words do not say %q", want)
		}
	}
	for _, tile := range v.Display {
		if want := voice.TileEffect(tile, true); tile != 0 && (!strings.Contains(text, want) || !strings.Contains(html, want)) {
			t.Errorf("for sale: %q is not told", want)
		}
	}
}

// Hal is shown as what he is: no board, no hand, no goods.
func TestHalIsShown(t *testing.T) {
	g := play(t, options(1, "base", "revised", "extreme"), 0, 30, nil)
	l := render(t, sheetOf(g, 1, notice.KindTurn, -1), site)
	_, part, _ := strings.Cut(l.Text, "THE OTHERS")
	part, _, _ = strings.Cut(part, "\n\n")
	if part = flat(part); !strings.Contains(part, "dice: ") || !strings.Contains(part, "Hal's cards: ") || !strings.Contains(part, "a Ravager 1, a Technology tile 1, an Advanced tile 1") || strings.Contains(part, "grid") || strings.Contains(part, "hand") {
		t.Errorf("Hal in the text:\n%s", part)
	}
	if html := flat(document(t, l.HTML).Text()); !strings.Contains(html, "Hal's cards: ") || !strings.Contains(html, "Worth to Hal, in VP: a ship 1") {
		t.Error("Hal in the HTML")
	}
}

// Of the longest list seen in 48 advanced games the HTML lists every order,
// under headings that count them, and keeps its bounds.
func TestLongestList(t *testing.T) {
	greedy, err := bot.New(bot.Greedy, "longest")
	if err != nil {
		t.Fatal(err)
	}
	var longest *notice.Input
	for k := range 48 {
		o := options(1+k%4, "advanced", []string{"revised", "first"}[k/4%2], "")
		if o.Players == 1 {
			o.Hal = "hard"
		}
		var buf []engine.Step
		look := func(g *game.Game) bool {
			for _, seat := range g.View(0).ToAct {
				if buf = g.View(seat).Legal(buf[:0]); longest == nil || len(buf) > len(longest.Legal) {
					longest = sheetOf(g, seat, notice.KindTurn, -1)
				}
			}
			return false
		}
		if k%2 == 0 {
			play(t, o, byte(k), 1<<20, look)
			continue
		}
		g := play(t, o, byte(k), 0, nil)
		for ; !g.Finished(); look(g) {
			seat := g.View(0).ToAct[0]
			v := g.View(seat)
			if _, err := g.Do(seat, game.ByBot, greedy.Choose(v, v.Legal(nil), g.Steps())); err != nil {
				t.Fatal(err)
			}
		}
	}
	l := render(t, longest, site)
	check(t, longest, l)
	t.Logf("%d orders (%v), HTML of %d bytes", len(longest.Legal), longest.View.Decision, len(l.HTML))
	v := words.English().For(longest.View.Set, longest.View.Viewer, names)
	heads, lines := map[string]bool{}, 0
	for _, g := range briefly(v, longest.Legal) {
		if heads[g.head] {
			t.Errorf("the heading %q comes twice", g.head)
		}
		heads[g.head] = true
		if !strings.Contains(l.HTML, g.count()) {
			t.Errorf("the HTML lacks the heading %q", g.count())
		}
		var orders []string
		for _, line := range g.listed {
			orders = append(orders, spelt(line)...)
		}
		if !slices.Equal(sorted(orders), sorted(v.SpellAll(g.lines))) {
			t.Errorf("%q lists %q for %q", g.head, g.listed, g.lines)
		}
		lines += len(g.listed)
	}
	t.Logf("%d orders on %d lines", len(longest.Legal), lines)
	if len(longest.Legal) < 100 {
		t.Error("no long list was met: does the search still fit?")
	}
}

// Orders of one kind are parted by what they choose first where they are many.
func TestGroups(t *testing.T) {
	g := play(t, options(1, "advanced", "first", "hard"), 0, 0, nil)
	v := words.English().For(g.View(1).Set, 1, names[:1])
	var heads []string
	for _, g := range groups(v, game.LegalOrders(g.View(1))) {
		heads = append(heads, g.count())
		for _, l := range g.lines {
			if s, err := order.Parse(l); err != nil || v.Group(s) != g.head && v.Subgroup(s) != g.head {
				t.Errorf("%s stands under %q", l, g.head)
			}
		}
	}
	cards := 0
	for _, h := range heads {
		if strings.HasPrefix(h, "Play ") && strings.HasSuffix(h, " into a slot (6)") {
			cards++
		}
	}
	if cards != 4 || !slices.Contains(heads, "Use one of your dice (2)") && !slices.Contains(heads, "Use one of your dice (3)") {
		t.Errorf("headings %q", heads)
	}
}

// A page says what is played, and lists every order once, in groups that count them,
// folded away without a script.
func TestPageFoldsLongLists(t *testing.T) {
	o := options(1, "advanced", "first", "hard")
	for _, steps := range []int{0, 1} {
		g := play(t, o, 0, steps, nil)
		v := g.View(1)
		p := &Page{Voice: words.English().For(v.Set, 1, names[:1]), View: v, Names: names[:1], State: store.GameRunning,
			Walk: NewWalk(game.Course(g.Story(1, -1), 2), g.Steps(), g.Steps(), -1, 1, 1, true), Legal: game.LegalOrders(v), Played: words.English().Options(o)}
		p.Frame = Frame{Catalogue: words.English()}
		var b strings.Builder
		if err := GamePage(p).Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		page := document(t, b.String())
		var listed []string
		page.Find("details#orders:not([open]) .orders code").Each(func(_ int, e *goquery.Selection) { listed = append(listed, e.Text()) })
		if !slices.Equal(sorted(listed), sorted(p.Voice.SpellAll(p.Legal))) {
			t.Errorf("%d orders listed of %d", len(listed), len(p.Legal))
		}
		page.Find(".orders .group").Each(func(_ int, e *goquery.Selection) {
			if n := fmt.Sprintf("(%d)", e.Find("code").Length()); n != "(1)" && !strings.HasSuffix(e.Find("h3").Text(), n) {
				t.Errorf("%q counts %s", e.Find("h3").Text(), n)
			}
		})
		if page.Find("script").Length() > 0 || !strings.Contains(page.Find(".desk").Text(), p.Played) {
			t.Error("the page needs a script, or does not say what is played")
		}
		if hal := page.Find("#others .panel"); hal.Length() != 1 || !strings.Contains(hal.Text(), "Hal's cards") || hal.Find(".tile, .slot").Length() > 0 || page.Find("#own .slot").Length() != 6 {
			t.Error("Hal has a board like a player's")
		}
	}
}
