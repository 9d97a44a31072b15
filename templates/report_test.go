package templates

import (
	"bytes"
	"encoding/xml"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine/bot"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/sim"
	"angelpost/templates/words"
)

func figuresOf(t *testing.T, players int, rules, edition, hal string, games int) sim.Figures {
	t.Helper()
	su := sim.Setup{Set: component.Default(), Options: game.Options{Players: players, Rules: rules, Edition: edition, Hal: hal,
		RulesVersion: game.RulesVersion, Set: component.DefaultName}}
	for range players {
		su.Bots = append(su.Bots, bot.Random)
	}
	s := su.Series()
	for i := 1; i <= games; i++ {
		r, _, err := su.Play(i, sim.Seed("page", i))
		if err != nil {
			t.Fatal(err)
		}
		s.Add(r)
	}
	return s.Figures(5)
}

func reportOf(t *testing.T, whole bool, runs ...sim.Figures) (*goquery.Document, string) {
	t.Helper()
	var page bytes.Buffer
	if err := WriteReport(&page, words.English(), component.Default(), sim.NewReport(component.Default(), "<b>page</b>", whole, runs)); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(page.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return doc, page.String()
}

// TestReportPage holds that the page has every plot, well-formed and worded,
// and asks for nothing from outside.
func TestReportPage(t *testing.T) {
	four, solo := figuresOf(t, 4, "base", "revised", "", 5), figuresOf(t, 1, "advanced", "first", "hard", 5)
	doc, page := reportOf(t, true, four, solo)
	if n := doc.Find("script, link, img, iframe, [onload], [src]").Length(); n > 0 || strings.Contains(page, "url(") || strings.Contains(page, "<b>") {
		t.Errorf("%d things that a page by itself has not", n)
	}
	if bad := regexp.MustCompile(`\[[a-z-]+\.[^\]]*\]|NaN|Inf|%!`).FindString(page); bad != "" {
		t.Errorf("not worded, or no number: %s", bad)
	}
	titles := func(section string) string {
		return strings.Join(doc.Find(section+" figure h3").Map(func(_ int, s *goquery.Selection) string { return s.Text() }), "; ")
	}
	const run = "Who wins; Final VP by seat; Where VP come from; Final VP by place; Rounds; Turns; Decisions; The six actions; Starting tiles: activated"
	const cards = "Mission cards: placed in Space; Mission cards: activated; Mission cards: taking effect when ejected; Mission cards: put into a slot; " +
		"Ravager cards: attacking; Ravager cards: effect resolved; Ravager cards: destroyed; Technology tiles: taken by a player; Technology tiles: activated"
	for section, want := range map[string]string{
		"section:nth-of-type(1)": "What ended the games; Against Hal; Turns; Decisions; Highest score; Lead",
		"#setup1":                run + "; What the players do; " + cards + "; Advanced tiles: taken by a player; Advanced tiles: VP scored",
		"#setup2": run + "; Boosts; Hal, difficult: The six actions; What the players do; What gives Hal his VP; Hal's cards; " + cards +
			"; Technology tiles: used for its boost; Advanced tiles: taken by a player; Advanced tiles: VP scored",
	} {
		if got := titles(section); got != want {
			t.Errorf("%s: %s\nwant %s", section, got, want)
		}
	}
	doc.Find("figure").Each(func(_ int, f *goquery.Selection) {
		if f.Find("svg[role=img][aria-label]").Length() != 1 || f.Find("rect, circle").Length() == 0 && !strings.Contains(f.Text(), "Never") {
			t.Errorf("%s has no plot", f.Find("h3").Text())
		}
	})
	for i, svg := range regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(page, -1) {
		d := xml.NewDecoder(strings.NewReader(svg))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("plot %d: %v", i, err)
			}
		}
	}
	// What the plots say is what the figures say.
	for i, f := range []sim.Figures{four, solo} {
		wins := doc.Find("#setup" + strconv.Itoa(i+1) + " figure").First().Find("text.value")
		wins.Each(func(k int, s *goquery.Selection) {
			if want := strconv.FormatFloat(100*f.Seats[k].Win.Share, 'f', 1, 64) + " ("; !strings.HasPrefix(s.Text(), want) {
				t.Errorf("seat %d wins %q, want %s", k+1, s.Text(), want)
			}
		})
		if wins.Length() != len(f.Seats) {
			t.Errorf("setup %d: %d seats", i+1, wins.Length())
		}
		things := map[string]bool{}
		for _, u := range f.Unused {
			things[u.Group+" "+u.Thing] = true
		}
		if got, want := doc.Find("#setup"+strconv.Itoa(i+1)+" .never li").Length(), len(things); got != want || want == 0 {
			t.Errorf("setup %d: %d things are never used, want %d", i+1, got, want)
		}
	}
	if doc.Find("nav a").Length() != 2 || doc.Find(".stopped").Length() != 0 {
		t.Error("two setups, all played, are shown otherwise")
	}
}

// TestReportPageOfLittle holds a page of one setup, and one of no game at all.
func TestReportPageOfLittle(t *testing.T) {
	for _, games := range []int{0, 1} {
		doc, page := reportOf(t, false, figuresOf(t, 2, "advanced", "revised", "", games))
		if got, want := doc.Find(".stopped").Text(), "The run was stopped: "+strconv.Itoa(games)+" of 5 games were played."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		if bad := regexp.MustCompile(`\[[a-z-]+\.[^\]]*\]|NaN|Inf`).FindString(page); bad != "" {
			t.Errorf("%d games: %s", games, bad)
		}
		if n := doc.Find("figure").Length(); n != 24 || doc.Find("nav").Length() != 0 {
			t.Errorf("%d games: %d plots", games, n)
		}
	}
}
