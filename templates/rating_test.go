package templates

import (
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// A letter tells of ratings what the pages tell, and leads to them.
func TestRatingLetters(t *testing.T) {
	answer := func(site Site, s notice.Section) string {
		return flat(render(t, &notice.Input{Message: notice.Message{Kind: notice.KindAnswer, Result: notice.None, Answer: notice.Answer{Sections: []notice.Section{s}}}}, site).Text)
	}
	sec := notice.Section{Kind: "rating", Ratings: []notice.PlayerRatings{
		{Player: 7, Name: "Ada <Lee>", You: true, Ratings: []notice.RatingPlace{{Kind: "4-advanced", Games: 12, Mu: 31.24, Sigma: 2.01, Place: 3, Of: 90}, {Kind: "solo-base", Games: 1, Mu: 25, Sigma: 8, Place: 1, Of: 1}, {Kind: "9-nothing"}}},
		{Player: 8, Name: "Ada", Ratings: []notice.RatingPlace{{Kind: "2-base", Games: 10, Mu: -1, Sigma: 1, Place: 2, Of: 2}}}}}
	text := answer(site, sec)
	for _, want := range []string{"YOUR RATINGS", "4 players · Advanced rules: 31.2 ± 4.0, at least 27.2, after 12 games; 3 of 90 on the list.", "Solo · Base game: 25.0 ± 16.0, at least 9.0, after 1 game; 1 of 1 on the list. Still provisional.",
		"ADA'S RATINGS", "2 players · Base game: −1.0 ± 2.0, at least −3.0, after 10 games; 2 of 2 on the list.", "95 %", "fewer than 10 games",
		"https://play.example/players/7", "https://play.example/players/8", "https://play.example/ratings"} {
		if !strings.Contains(text, want) {
			t.Errorf("text lacks %q:\n%s", want, text)
		}
	}
	if strings.Count(text, "provisional") != 2 || strings.Contains(text, "nothing") {
		t.Errorf("%s", text)
	}
	if text := answer(Site{}, sec); strings.Contains(text, "http") {
		t.Errorf("a server without pages has addresses:\n%s", text)
	}
	if text := answer(site, notice.Section{Kind: "rating", Ratings: []notice.PlayerRatings{{You: true}}}); !strings.Contains(text, "You have no rating yet.") || strings.Contains(text, "/players/") {
		t.Errorf("%s", text)
	}
	if text := answer(site, notice.Section{Kind: "amended", Changes: []string{"- clock: 3d", "+ clock: 9d"}}); !strings.Contains(text, "WHAT CHANGED (- BEFORE, + NOW) | - clock: 3d | + clock: 9d") {
		t.Errorf("%s", text)
	}
}
