package desk_test

import (
	"context"
	"strings"
	"testing"

	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// TestRatingWord: a letter tells what the pages tell of ratings, of oneself and of
// others by name, and nothing of people who are on no list.
func TestRatingWord(t *testing.T) {
	o := newOffice(t)
	o.started(1, "ada", "bo")
	first := func(out []notice.Message) []notice.PlayerRatings { return section(t, out[0], "rating").Ratings }
	if got := first(o.write("ada", "rating")); len(got) != 1 || !got[0].You || got[0].Player != 0 || len(got[0].Ratings) != 0 {
		t.Errorf("nothing was rated: %+v", got)
	}
	row := func(kind string, player int64, name string, mu float64, finish int) store.Rated {
		bot := ""
		if player == 0 {
			bot = name
		}
		return store.Rated{Rating: store.Rating{Kind: kind, Player: player, Bot: bot, Name: name, Games: 12, Mu: mu, Sigma: 2, Finish: finish}, Place: 1, Seats: 2, Turns: 9, Of: 9}
	}
	var ada int64
	err := o.db.Update(context.Background(), func(tx store.Tx) error {
		a, err := tx.Address(at("ada"))
		if err != nil {
			return err
		}
		ada = a.Player
		return tx.SaveRated(9, []store.Rated{
			row("2-base", ada, "Ada", 30, 1), row("4-base", ada, "Ada L.", 20, 2), row("2-base", 901, "Bo Lee", 31, 1), row("2-base", 902, "bo lee", 10, 3),
			row("2-base", 903, "Bo Leeward", 11, 4), row("2-base", 904, "Cyrus", 12, 5), row("2-base", 905, "Zoë", 13, 6), row("2-base", 0, "planner", 40, 7), row("2-base", 906, "100%_", 30, 8),
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	got := first(o.write("ada", "rating"))
	if len(got) != 1 || !got[0].You || got[0].Player != ada || got[0].Name != "Ada L." || len(got[0].Ratings) != 2 {
		t.Fatalf("%+v", got)
	}
	if r := got[0].Ratings[0]; r != (notice.RatingPlace{Kind: "2-base", Games: 12, Mu: 30, Sigma: 2, Place: 2, Of: 7}) { // before 100%_, who is as strong
		t.Errorf("%+v", r)
	}
	if r := got[0].Ratings[1]; r.Kind != "4-base" || r.Place != 1 || r.Of != 1 {
		t.Errorf("%+v", r)
	}
	for name, want := range map[string][]int64{
		"Ada": {ada}, "ADA l.": {ada}, "bo lee": {901, 902}, "Bo Leeward": {903}, "cy": {904}, "Zoë": {905}, "zo": {905}, "100%": {906},
	} {
		got := first(o.write("ada", "rating "+name))
		if len(got) != len(want) {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		for i, p := range want {
			if got[i].Player != p || got[i].You != (p == ada) || len(got[i].Ratings) == 0 {
				t.Errorf("%s: %+v", name, got[i])
			}
		}
	}
	for name, like := range map[string]int{"Bo": 2, "Eve": 0, "%": 0, "_o": 0, "planner": 0, "Ada@home.test": 0, strings.Repeat("x", 64): 0} {
		out := o.write("ada", "rating "+name)
		if p := out[0].Answer.Lines[0].Problem; p == nil || p.Code != notice.ProblemUnrated || len(p.Candidates) != like {
			t.Errorf("%s: %s", name, summary(out[0]))
		}
	}
	if got := o.write("bo", "rating bo"); problemOf(got[0]) != notice.ProblemUnrated { // players of unlisted games are on no list
		t.Errorf("%s", summary(got[0]))
	}
	_, out := o.send(o.letter(at("ada"), "", "rating cyrus")) // it decides nothing
	if got := first(out); len(got) != 1 || got[0].Player != 904 {
		t.Errorf("%s", summary(out[0]))
	}
	if _, out := o.send(o.letter(at("eve"), "", "rating cyrus")); len(out) != 0 {
		t.Errorf("a stranger is answered: %s", summary(out[0]))
	}
}
