package web

import (
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/templates"
	"angelpost/templates/words"
)

// TestTurningsAreOneStory: the letter about a game's end and its page name the same turning
// points.
func TestTurningsAreOneStory(t *testing.T) {
	for players := 2; players <= 4; players++ {
		s, g := finished(t, players)
		var shown []string
		page(t, handler(s), "/g/over/history").Find(".turnings li").Each(func(_ int, e *goquery.Selection) {
			shown = append(shown, strings.TrimSpace(e.Find(".n").Text())+": "+e.Find("a").Text()+".")
		})
		sheet := &notice.Input{Message: notice.Message{Game: "over", Kind: notice.KindEnd, To: "zoe@home.test", Answer: notice.Answer{Names: names[:players]}}, View: g.View(0), Course: game.Course(g.Story(0, -1), players)}
		letter, err := templates.Render(words.English(), sheet, templates.Site{})
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, l := range strings.Split(letter.Text, "\n") {
			if _, rest, ok := strings.Cut(l, "Round "); ok && strings.HasSuffix(l, ".") {
				said = append(said, "Round "+rest)
			}
		}
		if len(shown) == 0 || !slices.Equal(said, shown) {
			t.Errorf("%d players: the letter says %q, the page %q\n%s", players, said, shown, letter.Text)
		}
	}
}
