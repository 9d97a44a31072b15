package engine_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	. "angelpost/engine"
	"angelpost/engine/component"
)

// hidden is a position with something in every secret place; swap exchanges
// what seat 1 holds for cards of the same backs.
func hidden(t *testing.T, swap *strings.Replacer) *State {
	t.Helper()
	text := `seat 1 hand 001 021 061
seat 1 row 1 041
seat 1 column 2 063
deck orange 002 003 ...
deck gray 022 023 ...
ravager-deck 062 064 ...
advanced-deck a5 a6 ...
stack gray t17 t18 t19 ...
seat 2 hand 042 065`
	s, err := ParsePosition(swap.Replace(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func testSecrets(t *testing.T) {
	as := hidden(t, strings.NewReplacer())
	for name, swap := range map[string][]string{
		"a Mission in hand":               {"hand 001 021", "hand 004 021"},
		"a Ravager in hand":               {"021 061", "021 066"},
		"a hand and a deck":               {"hand 001", "hand 002", "orange 002", "orange 001"},
		"a face-down Mission":             {"row 1 041", "row 1 043"},
		"a face-down Ravager":             {"063", "067"},
		"the order of a Mission deck":     {"022 023", "023 022"},
		"the order of the Ravager deck":   {"062 064", "064 062"},
		"the order of the Advanced deck":  {"a5 a6", "a6 a5"},
		"the order of a Technology stack": {"t18 t19", "t19 t18"},
	} {
		other := hidden(t, strings.NewReplacer(swap...))
		ShareSet(other, as)
		for _, viewer := range []Seat{0, 2, 3} {
			if !reflect.DeepEqual(as.Project(viewer), other.Project(viewer)) {
				t.Errorf("%s shows to %d", name, viewer)
			}
		}
	}
	own := as.Project(1).Players[0]
	if !slices.Equal(own.Cards, []Card{1, 21, 61}) || own.Rows[0] != 41 || own.Columns[1] != 63 {
		t.Errorf("seat 1 sees %v, %v, %v", own.Cards, own.Rows, own.Columns)
	}
	seen := as.Project(2).Players[0]
	if seen.Cards != nil || seen.Hand != [3]int{1, 1, 0} || seen.Ravagers != 1 || seen.VP != 5 {
		t.Errorf("seat 2 sees %+v", seen)
	}
	v := as.Project(0)
	if v.Decks[PileOrange].Left != 19 || v.TopTile[Gray] != 17 || v.Decks[PileRavager].Left == 0 || v.AdvancedLeft != 12 {
		t.Errorf("counts: %+v, top %v", v.Decks, v.TopTile)
	}
}

func testShownBacks(t *testing.T) {
	for _, e := range []Event{
		{Kind: EvCardPlayed, Seat: 1, Card: 1, Slot: 2}, {Kind: EvDiscarded, Seat: 1, Card: 61},
		{Kind: EvDrewMission, Seat: 1, Card: 21}, {Kind: EvDrewRavager, Seat: 1, Card: 62}, {Kind: EvPaidCard, Seat: 1, Card: 41},
	} {
		for viewer := Seat(0); viewer <= 4; viewer++ {
			want := e.Card.Back()
			if viewer == 1 {
				want = e.Card
			}
			if got := e.For(viewer); got.Card != want || got.Slot != e.Slot || got.Seat != 1 {
				t.Errorf("%s is shown to %d as %s", printEvent(e), viewer, printEvent(got))
			}
		}
	}
	for _, e := range []Event{ // seen by all
		{Kind: EvOverflow, Card: 61}, {Kind: EvAttack, Card: 62, Loc: 2}, {Kind: EvPlaced, Seat: 1, Card: 1, Hex: HexAt(4, 1)},
		{Kind: EvTucked, Seat: 1, Card: 1}, {Kind: EvDestroyed, Seat: 1, Card: 63, Loc: 3}, {Kind: EvCollected, Seat: 1, Card: 5},
		{Kind: EvHalDrew, Seat: Hal, Card: 1}, {Kind: EvHalDropped, Seat: Hal, Card: 2}, {Kind: EvPlaced, Seat: Hal, Card: 3},
	} {
		for viewer := Seat(0); viewer <= 4; viewer++ {
			if e.For(viewer) != e {
				t.Errorf("%s is shown to %d as %s", printEvent(e), viewer, printEvent(e.For(viewer)))
			}
		}
	}
	s := hidden(t, strings.NewReplacer())
	for viewer, want := range map[Seat][2]Card{0: {BackGreen, BackRavager}, 1: {41, 63}, 2: {BackGreen, BackRavager}} {
		p := s.Project(viewer).Players[0]
		if p.Rows[0] != want[0] || p.Columns[1] != want[1] {
			t.Errorf("%d sees %s and %s in the slots", viewer, p.Rows[0], p.Columns[1])
		}
	}
}

func testRavagersInHand(t *testing.T) {
	s, err := ParsePosition("seat 1 dice green 1\nlocation 2 ravagers 062\nseat 1 hand 070")
	if err != nil {
		t.Fatal(err)
	}
	src := &scripted{next: map[Stream][]uint64{}}
	var tale Tale
	for _, st := range []Step{{Kind: TakeDie, Color: Green, Value: 1}, {Kind: Act, Action: component.Destroy, Loc: 5}, {Kind: Locations, Locs: 1 << 1}} {
		if err := s.Apply(1, st, src, &tale); err != nil {
			t.Fatal(err)
		}
	}
	if p := s.Project(2).Players[0]; p.Ravagers != 2 || p.Cards != nil {
		t.Errorf("others see %d Ravagers, %v", p.Ravagers, p.Cards)
	}
	for _, e := range tale.Events {
		if e.Kind == EvDestroyed && e.For(2).Card != 62 {
			t.Error("the history does not tell which Ravager was taken")
		}
	}
}

func testMaskedSteps(t *testing.T) {
	for _, st := range []Step{
		{Kind: PlayCard, Card: 1, Slot: 2}, {Kind: Discard, Card: 61}, {Kind: Keep, Card: 21},
		{Kind: Collect, Card: 61, Card2: 62}, {Kind: Collect, Card: 41},
	} {
		m := st.Masked()
		if m.Card != st.Card.Back() || m.Card2 != st.Card2.Back() || m.Slot != st.Slot || m.Kind != st.Kind {
			t.Errorf("%+v is masked as %+v", st, m)
		}
	}
	for _, st := range []Step{{Kind: Place, Card: 1, To: HexAt(4, 1)}, {Kind: UseCard, Card: 1}, {Kind: TakeTiles, Tiles: [3]Tile{1}}, {Kind: Reroll}} {
		if st.Masked() != st {
			t.Errorf("%+v is masked as %+v", st, st.Masked())
		}
	}
}
