package words

import (
	"slices"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/game"
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

// A flight is told from where it begins to where it ends, and not at all where the ship
// stays or comes back.
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

// The reader's own steps are no news, but Hal's turn among them is, and they do not part
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
