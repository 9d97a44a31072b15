package words

import (
	"slices"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
	"angelpost/engine/notice"
)

// hex is a hex by its name.
func hex(t *testing.T, name string) engine.Hex {
	t.Helper()
	for h := range engine.Hex(200) {
		if h.String() == name {
			return h
		}
	}
	t.Fatalf("there is no hex %s", name)
	return 0
}

// News names the first and the last hex of a flight. It leaves out ships that stay or come
// back.
func TestNewsOfFlights(t *testing.T) {
	for _, c := range []struct {
		flights string // hexes, as "from-to"
		want    string
	}{
		{"d3-d4", "Bo flew from d3 to d4."},
		{"d3-d4 d4-d5", "Bo flew from d3 to d5."},
		{"d3-d3", ""},
		{"d3-d3 d4-d5", "Bo flew from d4 to d5."},
		{"d3-d4 d4-d3", ""},
		{"d3-d4 d4-d4 d4-d5", "Bo flew from d3 to d5."},
		{"d3-d4 b4-b5", "Bo flew from d3 to d4 and flew from b4 to b5."},
	} {
		var events []engine.Event
		for _, f := range strings.Fields(c.flights) {
			from, to, _ := strings.Cut(f, "-")
			events = append(events, engine.Event{Kind: engine.EvMoved, Seat: 2, Hex: hex(t, to), Hex2: hex(t, from)})
		}
		v := English().For(component.Default(), 1, []string{"Ann", "Bo"})
		if got := v.Headline(v.News([]game.Told{{N: 1, Seat: 2, Events: events}})); got != c.want {
			t.Errorf("%s: %q, want %q", c.flights, got, c.want)
		}
	}
}

// A full stop in a name ends no sentence.
func TestHeadlineOfANameWithAFullStop(t *testing.T) {
	v := English().For(component.Default(), 1, []string{"Ann", "Dr. Bob", "Cy"})
	told := []game.Told{{N: 1, Seat: 2, Events: []engine.Event{
		{Kind: engine.EvDieTaken, Seat: 2, Other: 1, Value: 2}, {Kind: engine.EvPaid, Seat: 2, Other: 1},
		{Kind: engine.EvAdvanced, Hex: hex(t, "c5")},
	}}, {N: 2, Seat: 3, Events: []engine.Event{{Kind: engine.EvLaunched, Seat: 3, Hex: hex(t, "c4")}}}}
	news := v.News(told)
	if got := v.Headline(news); got != "Dr. Bob bought your orange 2." {
		t.Errorf("%q", got)
	}
	if len(news) != 2 || !slices.Equal(news[0].Yours, []string{"Dr. Bob bought your orange 2.", "You got 1 resource."}) || !slices.Equal(news[0].Text, []string{"The Black Angel moved on to c5."}) {
		t.Errorf("%+v", news)
	}
}

// The reader's own steps are not news, but Hal's turn among them is, and they do not split
// another player's turn.
func TestNewsLeavesOutTheReader(t *testing.T) {
	v := English().For(component.Default(), 1, []string{"Ann", "Bo"})
	launched := func(seat engine.Seat) engine.Event {
		return engine.Event{Kind: engine.EvLaunched, Seat: seat, Hex: hex(t, "c4")}
	}
	got := v.News([]game.Told{
		{N: 1, Seat: 2, Events: []engine.Event{launched(2)}},
		{N: 2, Seat: 1, Order: "collect", Events: []engine.Event{launched(1)}},
		{N: 3, Seat: 2, Events: []engine.Event{{Kind: engine.EvMoved, Seat: 2, Hex: hex(t, "c5"), Hex2: hex(t, "b4")}}},
		{N: 4, Seat: 1, Order: "resign"},
	})
	if len(got) != 1 || len(got[0].Text) != 1 || got[0].Text[0] != "Bo launched a ship to c4 and flew from b4 to c5." {
		t.Errorf("%+v", got)
	}
	got = v.News([]game.Told{{N: 1, Seat: 1, Events: []engine.Event{launched(1), {Kind: engine.EvHalCard, Seat: engine.Hal, N: 1}, launched(engine.Hal)}}})
	if len(got) != 1 || got[0].Seat != engine.Hal || len(got[0].Text) != 1 || !strings.Contains(got[0].Text[0], "launched a ship") {
		t.Errorf("%+v", got)
	}
}

// The question whether to begin a game says what game it is.
func TestQuestionOfANewGame(t *testing.T) {
	v := English().For(component.Default(), 0, nil)
	game := func(others []string, args ...string) notice.Remark {
		r := notice.Remark{Code: notice.AskNew, List: others, Args: map[string]string{"rules": "base", "edition": "revised", "set": component.DefaultName, "visibility": "unlisted", "hints": "false"}}
		for i := 0; i < len(args); i += 2 {
			r.Args[args[i]] = args[i+1]
		}
		return r
	}
	for _, c := range []struct {
		r    notice.Remark
		want string
	}{
		{game([]string{"bo@example.org", "bot", "bot:planner:500"}, "players", "4", "free", "0", "name", "Friday", "clock", "1d bank 2d", "hints", "true"),
			"a new game of Black Angel called “Friday”. You play with bo@example.org, a bot and a bot (planner 500). Base game · revised edition · 4 players · 1 day a turn, and 2 days in the time bank. Anyone with the link can look at it. Players may ask the server to suggest a turn (`hint`). Reply `yes`"},
		{game(nil, "players", "3", "free", "2", "visibility", "listed", "rules", "advanced"),
			"a new game of Black Angel. You play with the first 2 players who join. Advanced rules · revised edition · 3 players. Anyone can look at it. The server suggests no turns. Reply `yes`"},
		{game(nil, "players", "1", "free", "0", "hal", "hard", "visibility", "private"),
			"a new game of Black Angel. You play alone. Base game · revised edition · solo against Hal (difficult). Only its players can look at it. The server suggests no turns. Reply `yes`"},
	} {
		if got := v.Remark(c.r); !strings.Contains(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
