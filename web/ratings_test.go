package web

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"angelpost/engine/store"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine/game"
	"angelpost/engine/rated"
)

// Ratings show how strong each player is, with a margin, by kind, bots apart; a player's page
// plots how theirs developed, with a table of the games; the data say the same.
func TestRatings(t *testing.T) {
	h := handler(newShelf(t, 2, 20))
	d := page(t, h, "/ratings")
	if heads := d.Find("section h2 a"); heads.Length() != 2 || heads.First().AttrOr("href", "") != "/ratings/2-base" || !strings.Contains(heads.Last().Text(), "Solo") {
		t.Errorf("kinds: %q", heads.Text())
	}
	rows := d.Find("section").First().Find("table")
	people, bots := rows.First().Find("tbody tr"), rows.Last().Find("tbody tr")
	first := strings.Join(people.First().Children().Map(func(_ int, s *goquery.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }), " ")
	if people.Length() != 2 || first != "1 Ada <b> 27.1 ± 5.0 22.1 12" || people.First().Find("a").AttrOr("href", "") != "/players/7" || people.Last().Find(".tag").Text() != "provisional" {
		t.Errorf("people: %q", people.Text())
	}
	if bots.Length() != 1 || bots.Find("a").Length() != 0 || !strings.Contains(bots.Text(), "Bot (planner 2000)") || !strings.Contains(d.Find("section").Eq(1).Text(), "Hal (difficult)") {
		t.Errorf("bots: %q", bots.Text())
	}
	d = page(t, h, "/ratings/2-base?from=101")
	if no := d.Find("tbody th .soft").First().Text(); no != "101" || d.Find("a[rel=prev]").AttrOr("href", "") != "/ratings/2-base?from=1" || d.Find("a[rel=next]").AttrOr("href", "") != "/ratings/2-base?from=103" {
		t.Errorf("the second page begins with number %s", no)
	}
	d = page(t, h, "/players/7")
	card := d.Find("#ratings")
	if card.Find("svg circle").Length() != 12 || !strings.Contains(card.Find("svg").AttrOr("aria-label", ""), "2 players") || !strings.Contains(card.Text(), "27.1 ± 5.0 after 12 games") {
		t.Errorf("a player's ratings: %q", card.Text())
	}
	last := card.Find("tbody tr").First()
	if card.Find("tbody tr").Length() != 12 || last.Find("a").AttrOr("href", "") != "/g/game11" || !strings.Contains(last.Text(), "left after 8 of 9 turns") || !strings.Contains(last.Text(), "2 of 2") || !strings.Contains(last.Text(), "+0.5") {
		t.Errorf("his last game: %q", last.Text())
	}
	var all rated.Report
	if _, body := get(t, h, "GET", "/ratings.json"); json.Unmarshal([]byte(body), &all) != nil || all.Schema != 1 || len(all.Kinds) != 2 || all.Kinds[0].People[0].Low != all.Kinds[0].People[0].Mu-5 {
		t.Errorf("%s", body)
	}
	var one ratingKindJSON
	if _, body := get(t, h, "GET", "/ratings/2-base/kind.json?from=201"); json.Unmarshal([]byte(body), &one) != nil || one.Schema != 1 || one.Skipped != 200 || one.More || !strings.Contains(body, `"provisional":true`) {
		t.Errorf("%s", body)
	}
	var player playerJSON
	if _, body := get(t, h, "GET", "/players/7/player.json"); json.Unmarshal([]byte(body), &player) != nil || len(player.Ratings) != 1 || player.Ratings[0].Games != 12 || len(player.Ratings[0].History) != 12 || player.Ratings[0].History[11].Left != "walked" {
		t.Errorf("%s", body)
	}
	for _, path := range []string{"/ratings/9-base", "/ratings/" + strings.Repeat("x", 200), "/ratings/2-base?from=0", "/ratings/2-base?from=-1", "/ratings/2-base?from=x", "/ratings/2-base?from=99999999999999999999", "/ratings/2-base?from=1001", "/ratings/2-base/kind.js"} {
		if res, _ := get(t, h, "GET", path); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, res.Status)
		}
	}
	if res, _ := get(t, h, "GET", "/ratings"); res.Header.Get("X-Robots-Tag") != "noindex, nofollow" {
		t.Errorf("robots may list it: %v", res.Header)
	}
}

// A game's page says who played a seat that several played, of the others nothing.
func TestSharedSeats(t *testing.T) {
	s := newShelf(t, 2, 20)
	s.games["listed"].parts = [][]game.Share{
		{{Name: "Ada <b>", Turns: 12, Held: 24, Left: game.TenureResigned}, {Bot: store.ResignBot, Turns: 3, Held: 12}, {Bot: "planner:500", Turns: 1, Held: 12}, {Turns: 0, Held: 8, Left: game.TenureAbsent}, {Name: "Ben", Turns: 8, Held: 8}},
		{{Name: "Bo", Turns: 24, Held: 24}},
	}
	h := handler(s)
	const want = "12 turns, then left, the bot 3 turns, the bot (planner 500) 1 turn, a former player 0 turns, then left, Ben 8 turns"
	if text := page(t, h, "/g/listed").Text(); !strings.Contains(text, want) || strings.Contains(text, "24 turns") {
		t.Errorf("the page says %q", text)
	}
	if text := page(t, h, "/g/listed?at=3").Text(); strings.Contains(text, "then left") {
		t.Errorf("the page of the past says %q", text)
	}
}
