package engine_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"

	. "angelpost/engine"
	"angelpost/engine/component"
)

// rulesInGo are the numbers that no single position shows: set-up and its
// chance, what is secret, and what follows from several games.
var rulesInGo = map[string]func(*testing.T){
	"R1.1": testPlayers, "R1.2": testDice, "R1.4": testComponents,
	"R1.5": testSecrets, "Q1.5a": testShownBacks, "Q1.5b": testRavagersInHand, "Q1.5c": testMaskedSteps,
	"R2.1": testDiceSupplies, "Q2.1": testOrderOfChance, "R2.2": testSpaceBoard, "Q2.2a": testStripNumbers,
	"Q2.2b": testStripsLeftOut, "R2.3": testTechnologyStacks, "R2.4": testAdvancedSlots, "R2.5": testMissionDecks,
	"R2.6": testFirstAttacks, "R2.7": testStartOfPlayers, "R2.8": testStartingTiles, "R2.9": testFirstHand,
	"R2.10": testFirstDice, "R2.11": testAdvantages, "Q2.11": testFreeReservations,
	"R6.5": testSpesIsReached, "R13.1": testNeutralSetup, "R15.1": testHalSetup,
}

// seedOf is game i's seed of a series.
func seedOf(series string, i int) [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s/%d", series, i))
}

// listening is a Random that notes which streams are asked, in order.
type listening struct {
	Random
	asked []string
}

func (l *listening) Draw(s Stream, k uint32) uint64 {
	l.asked = append(l.asked, fmt.Sprintf("%s %d", s, k))
	return l.Random.Draw(s, k)
}

// start sets up game i for n players with the bench set.
func start(t *testing.T, n, i int) (*State, *listening, *Tale) {
	t.Helper()
	src, tale := &listening{Random: NewChance(seedOf("setup", i), "")}, &Tale{}
	s, err := New(BenchSet(), optionsFor(n), src, tale)
	if err != nil {
		t.Fatal(err)
	}
	return &s, src, tale
}

// optionsFor are the usual options for n players.
func optionsFor(n int) Options {
	o := Options{Players: n}
	if n == 1 {
		o.Hal = Standard
	}
	return o
}

// fact is what Facts says behind the words of key.
func fact(t *testing.T, s *State, key string) string {
	t.Helper()
	for _, f := range Facts(s) {
		if rest, ok := strings.CutPrefix(f, key+" "); ok {
			return rest
		}
	}
	t.Fatalf("no fact %q", key)
	return ""
}

func wantFact(t *testing.T, s *State, key, want string) {
	t.Helper()
	if got := fact(t, s, key); got != want {
		t.Errorf("%s is %q, want %q", key, got, want)
	}
}

// pile draws numbers as web/API.md (Chance) says, written anew for the tests.
type pile struct {
	src Random
	k   map[Stream]uint32
}

func (p *pile) below(s Stream, m uint64) int {
	for {
		v := p.src.Draw(s, p.k[s])
		p.k[s]++
		if whole := (^uint64(0)/m)*m + 0; ^uint64(0)%m == m-1 || v < whole {
			return int(v % m)
		}
	}
}

// shuffled is items in ascending order shuffled, top (the last place) first.
func (p *pile) shuffled(s Stream, items []string) []string {
	items = slices.Clone(items)
	for last := len(items) - 1; last >= 1; last-- {
		j := p.below(s, uint64(last+1))
		items[last], items[j] = items[j], items[last]
	}
	slices.Reverse(items)
	return items
}

func numbered(format string, first, n int) (out []string) {
	for i := range n {
		out = append(out, fmt.Sprintf(format, first+i))
	}
	return out
}

func pileOf(i int) *pile { return &pile{NewChance(seedOf("setup", i), ""), map[Stream]uint32{}} }

func testPlayers(t *testing.T) {
	for _, o := range []Options{{Players: -1}, {}, {Players: 5}, {Players: 1}, {Players: 1, Hal: Extreme + 1}, {Players: 2, Hal: Easy}} {
		n := o.Players
		if _, err := New(BenchSet(), o, NewChance(seedOf("setup", 0), ""), nil); err == nil {
			t.Errorf("%d players are accepted", n)
		}
	}
	for n := 1; n <= 4; n++ {
		s, _, _ := start(t, n, 0)
		if got := len(s.Project(0).Players); got != max(n, 2) { // Hal has a seat
			t.Errorf("%d players at a game for %d", got, n)
		}
		for seat, p := range s.Project(0).Players {
			if p.Seat != Seat(seat+1) {
				t.Errorf("seat %d stands at place %d", p.Seat, seat+1)
			}
		}
		if s.ToAct(Seat(n+1)) || s.Legal(Seat(n+1), nil) != nil {
			t.Errorf("seat %d of %d may act", n+1, n)
		}
	}
}

func testDice(t *testing.T) {
	for face, want := range []string{"0", "1", "1", "2", "3", "3"} {
		s, err := ParsePosition("seat 1 dice -\nseat 1 resources 0\nseat 1 stations 1 0 0")
		if err != nil {
			t.Fatal(err)
		}
		src := &scripted{next: map[Stream][]uint64{StreamDieOrange: {uint64(face)}}}
		if err := s.Apply(1, Step{Kind: Reroll}, src, nil); err != nil {
			t.Fatal(err)
		}
		wantFact(t, s, "seat 1 dice", "orange "+want)
	}
	for n := 1; n <= 4; n++ {
		s, _, _ := start(t, n, 1)
		v := s.Project(0)
		for c := range component.Colors {
			total := v.Supply[c].Dice
			for _, p := range v.Players {
				for _, d := range p.Standard {
					if d.Color == Color(c) {
						total++
					}
				}
			}
			if v.Neutral != nil {
				total++
			}
			if want := map[int]int{1: 4, 2: 4, 3: 5, 4: 6}[n]; total != want {
				t.Errorf("%d players: %d dice of %s, want %d", n, total, Color(c), want)
			}
		}
	}
}

func testComponents(t *testing.T) {
	for n, ravagers := range map[int]int{1: 18, 2: 18, 3: 24, 4: 30} {
		s, err := New(component.Default(), optionsFor(n), NewChance(seedOf("setup", 2), ""), nil)
		if err != nil {
			t.Fatal(err)
		}
		m, r, tech, adv := Count(&s)
		if m != 60 || r != ravagers || tech != 48 || adv != 16 {
			t.Errorf("%d players: %d Missions, %d Ravagers, %d Technology, %d Advanced tiles", n, m, r, tech, adv)
		}
		for _, p := range s.Project(0).Players[:n] {
			tiles := 0
			for _, c := range p.Grid {
				if c.Tile.Starting() {
					tiles++
				}
			}
			if tiles != 3 {
				t.Errorf("%d starting tiles", tiles)
			}
		}
	}
	set := component.Default()
	for c := range component.Colors {
		kinds := map[bool]int{}
		for n := 20*c + 1; n <= 20*c+20; n++ {
			kinds[set.Missions[n].Activation()]++
		}
		if kinds[true] != 12 || kinds[false] != 8 {
			t.Errorf("%s: %d activation and %d neutralization cards", Color(c), kinds[true], kinds[false])
		}
	}
}

func testDiceSupplies(t *testing.T) {
	for n, left := range map[int]string{1: "2", 2: "1", 3: "2", 4: "2"} {
		s, _, _ := start(t, n, 3)
		for _, c := range component.Colors {
			wantFact(t, s, "supply "+c.String()+" dice", left)
			wantFact(t, s, "supply "+c.String()+" damaged", "0")
		}
	}
}

func testOrderOfChance(t *testing.T) {
	for n := 1; n <= 4; n++ {
		_, src, _ := start(t, n, 4)
		want := []string{"strips", "sides", "tiles/orange", "tiles/gray", "tiles/green", "display", "advanced",
			"missions/orange", "missions/gray", "missions/green", "ravagers"}
		for seat := 1; seat <= n; seat++ {
			want = append(want, fmt.Sprintf("start/%d", seat))
		}
		rollers := n
		if n <= 2 {
			rollers++ // the neutral player or Hal, last
		}
		for range rollers {
			want = append(want, "die/orange", "die/gray", "die/green")
		}
		if n == 1 {
			want = append(want, "hal")
		}
		var got []string
		next := map[string]int{}
		for _, a := range src.asked {
			var stream string
			var k int
			if _, err := fmt.Sscanf(a, "%s %d", &stream, &k); err != nil {
				t.Fatal(err)
			}
			if k != next[stream] {
				t.Errorf("stream %s: draw %d after %d", stream, k, next[stream]-1)
			}
			next[stream] = k + 1
			if len(got) == 0 || got[len(got)-1] != stream {
				got = append(got, stream)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d players: chance is drawn from\n%v, want\n%v", n, got, want)
		}
	}
}

func testSpaceBoard(t *testing.T) {
	for n := 1; n <= 4; n++ {
		for i := range 20 {
			s, _, _ := start(t, n, i)
			strips := 7
			if n <= 2 {
				strips = 5
			}
			p := pileOf(i)
			order := p.shuffled(StreamStrips, numbered("%d", 1, 7))[:strips]
			for k := range order {
				if p.below(StreamSides, 2) == 1 {
					order[k] += "b"
				}
			}
			wantFact(t, s, "strips", strings.Join(order, " "))
			v := s.Project(0)
			if len(v.Strips) != strips || v.SpesToken != strips || v.SpesHex != 0 || v.BlackAngel != HexAt(strips/2+1, 2) {
				t.Errorf("%d players: %d strips, Spes on %d (%s), Black Angel on %s", n, len(v.Strips), v.SpesToken, v.SpesHex, v.BlackAngel)
			}
		}
	}
}

func testStripNumbers(t *testing.T) {
	for n, strips := range map[int]int{2: 5, 3: 7} {
		s, src, _ := start(t, n, 5)
		first := s.Project(0)
		for k, st := range first.Strips {
			if st.Number != k+1 {
				t.Errorf("strip %d bears number %d at the start", k+1, st.Number)
			}
		}
		for s.ToAct(3) && n == 3 && s.Project(0).Seat == 0 {
			s.Do(3, Step{Kind: Done}, src, nil)
		}
		advance(t, s, src)
		v := s.Project(0)
		if got := v.Strips[0].Number; got != 2 {
			t.Errorf("after an advance the nearest strip is %d", got)
		}
		if got := v.Strips[strips-1].Number; got != strips+1 {
			t.Errorf("the first strip flipped becomes %d, want %d", got, strips+1)
		}
		if a, b := first.Strips[3], v.Strips[2]; a.Number != b.Number || a.Hexes[0].At != b.Hexes[0].At {
			t.Errorf("strip %d is now %d", a.Number, b.Number)
		}
		if v.BlackAngel != HexAt(strips/2+2, 2) {
			t.Errorf("the Black Angel stands on %s", v.BlackAngel)
		}
	}
}

// advance plays B for the player on turn, to the end of that turn.
func advance(t *testing.T, s *State, src Random) {
	t.Helper()
	seat := s.Project(0).Seat
	if err := s.Apply(seat, Step{Kind: Reroll}, src, nil); err != nil {
		t.Fatal(err)
	}
	if s.Asked(seat) == AskReserve {
		if err := s.Apply(seat, Step{Kind: Done}, src, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func testStripsLeftOut(t *testing.T) {
	out := map[string]bool{}
	for i := range 40 {
		s, _, _ := start(t, 2, i)
		in := strings.Fields(strings.ReplaceAll(fact(t, s, "strips"), "b", ""))
		if len(in) != 5 {
			t.Fatalf("%d strips", len(in))
		}
		for _, id := range numbered("%d", 1, 7) {
			if !slices.Contains(in, id) {
				out[id] = true
			}
		}
	}
	if len(out) != 7 {
		t.Errorf("only the strips %v are ever left out", out)
	}
}

func testTechnologyStacks(t *testing.T) {
	orders := map[string]bool{}
	for i := range 30 {
		s, _, _ := start(t, 3, i)
		p := pileOf(i)
		var stacks [3][]string
		for c := range component.Colors {
			stacks[c] = p.shuffled(StreamTileOrange+Stream(c), numbered("t%d", 16*c+1, 16))
		}
		colors := p.shuffled(StreamDisplay, []string{"0", "1", "2"})
		display := ""
		for _, c := range colors {
			display += stacks[c[0]-'0'][0] + " "
		}
		wantFact(t, s, "display", display+"- - -")
		orders[strings.Join(colors, "")] = true
		for c, col := range component.Colors {
			wantFact(t, s, "stack "+col.String(), strings.Join(stacks[c][1:], " "))
			if got := s.Project(0).TopTile[c].String(); got != stacks[c][1] {
				t.Errorf("the top tile seen is %s, want %s", got, stacks[c][1])
			}
		}
	}
	if len(orders) != 6 {
		t.Errorf("the display comes in %d orders only", len(orders))
	}
}

func testAdvancedSlots(t *testing.T) {
	s, _, _ := start(t, 4, 6)
	deck := pileOf(6).shuffled(StreamAdvanced, numbered("a%d", 1, 16))
	wantFact(t, s, "slots", strings.Join(deck[:4], " "))
	wantFact(t, s, "advanced-deck", strings.Join(deck[4:], " "))
	if v := s.Project(0); v.AdvancedLeft != 12 || v.Slots[0].String() != deck[0] {
		t.Errorf("the view has %v and %d left", v.Slots, v.AdvancedLeft)
	}
}

func testMissionDecks(t *testing.T) {
	s, _, _ := start(t, 3, 7)
	p := pileOf(7)
	for c, col := range component.Colors {
		deck := p.shuffled(StreamMissionOrange+Stream(c), numbered("%03d", 20*c+1, 20))
		wantFact(t, s, "deck "+col.String(), strings.Join(deck[3:], " "))
		for seat := range 3 {
			if hand := fact(t, s, fmt.Sprintf("seat %d hand", seat+1)); !strings.Contains(hand, deck[seat]) {
				t.Errorf("seat %d holds %s, not %s", seat+1, hand, deck[seat])
			}
		}
	}
}

func testFirstAttacks(t *testing.T) {
	for n, left := range map[int]int{1: 18 - 2 - 1, 2: 18 - 2 - 2, 3: 24 - 2 - 3, 4: 30 - 2 - 4} {
		for i := range 20 {
			s, _, tale := start(t, n, i)
			deck := pileOf(i).shuffled(StreamRavager, numbered("%03d", 61, 30))
			got := strings.Fields(fact(t, s, "ravager-deck"))
			if len(got) != left {
				t.Fatalf("%d players: %d Ravagers in the deck, want %d", n, len(got), left)
			}
			var attacks []string
			var locs [7]int
			for _, e := range tale.Events {
				if e.Kind == EvAttack {
					attacks = append(attacks, e.Card.String())
					locs[e.Loc]++
					if int(e.Loc) != (int(e.Card)-61)%6+1 {
						t.Errorf("card %s attacks location %d", e.Card, e.Loc)
					}
				}
			}
			out := 6 * (4 - max(n, 2)) // taken out of the game, from the top
			if !slices.Equal(attacks, deck[out:out+2]) {
				t.Fatalf("%d players: %v attack of %v", n, attacks, deck)
			}
			if !slices.Equal(got, deck[out+2+n:]) {
				t.Errorf("%d players: the deck is %v, want %v", n, got, deck[out+2+n:])
			}
			for l := 1; l <= 6; l++ {
				wantFact(t, s, fmt.Sprintf("location %d damage", l), fmt.Sprint(locs[l]))
			}
		}
	}
}

func testStartOfPlayers(t *testing.T) {
	s, _, _ := start(t, 3, 8)
	for seat := 1; seat <= 3; seat++ {
		for key, want := range map[string]string{"vp": "5", "by start": "5", "break": "5", "stations": "1 1 1", "robots": "8"} {
			wantFact(t, s, fmt.Sprintf("seat %d %s", seat, key), want)
		}
	}
}

func testStartingTiles(t *testing.T) {
	seen := map[string]bool{}
	for i := range 40 {
		s, _, _ := start(t, 3, i)
		p := pileOf(i)
		for seat := range 3 {
			tiles := p.shuffled(StreamStart1+Stream(seat), []string{"s1", "s2", "s3"})
			seen[strings.Join(tiles, "")] = true
			for cell := Cell(1); cell <= 9; cell++ {
				want := "-"
				if cell.Row() == cell.Column() {
					want = tiles[cell.Row()-1]
				}
				wantFact(t, s, fmt.Sprintf("seat %d at %s", seat+1, cell), want)
			}
		}
	}
	if len(seen) != 6 {
		t.Errorf("starting tiles come in %d orders only", len(seen))
	}
}

func testFirstHand(t *testing.T) {
	s, _, _ := start(t, 2, 9)
	v := s.Project(1)
	for seat, p := range v.Players {
		if p.Hand != [3]int{1, 1, 1} || p.Ravagers != 1 || p.Debris != 1 || p.Ships != 1 {
			t.Errorf("seat %d: hand %v, %d Ravagers, %d Debris, %d ships", seat+1, p.Hand, p.Ravagers, p.Debris, p.Ships)
		}
	}
	if got := v.Players[0].Resources; got != 1 {
		t.Errorf("seat 1 has %d resources", got)
	}
}

func testFirstDice(t *testing.T) {
	s, _, tale := start(t, 3, 10)
	p := pileOf(10)
	faces := [6]int{0, 1, 1, 2, 3, 3}
	for seat := 1; seat <= 3; seat++ {
		var want []string
		for c, col := range component.Colors {
			want = append(want, fmt.Sprintf("%s %d", col, faces[p.below(StreamDieOrange+Stream(c), 6)]))
		}
		wantFact(t, s, fmt.Sprintf("seat %d dice", seat), strings.Join(want, " "))
		wantFact(t, s, fmt.Sprintf("seat %d secure", seat), "-")
	}
	rolls := 0
	for _, e := range tale.Events {
		if e.Kind == EvRolled {
			rolls++
		}
	}
	if rolls != 9 {
		t.Errorf("%d rolls told", rolls)
	}
}

func testAdvantages(t *testing.T) {
	s, src, _ := start(t, 4, 11)
	for seat, want := range map[int]string{1: "1", 2: "2", 3: "1", 4: "2"} {
		wantFact(t, s, fmt.Sprintf("seat %d resources", seat), want)
	}
	for seat := Seat(1); seat <= 4; seat++ {
		if got := s.Asked(seat) == AskReserveFree; got != (seat >= 3) {
			t.Errorf("seat %d is asked to reserve: %v", seat, got)
		}
	}
	legal := s.Legal(3, nil)
	if len(legal) < 2 || legal[0].Kind != Reserve || legal[len(legal)-1].Kind != Done {
		t.Fatalf("seat 3 may %v", printAll(legal))
	}
	if err := s.Apply(3, legal[0], src, nil); err != nil {
		t.Fatal(err)
	}
	wantFact(t, s, "seat 3 secure", fmt.Sprintf("%s %d", legal[0].Color, legal[0].Value))
	wantFact(t, s, "seat 3 resources", "1") // it is free
	if err := s.Apply(4, Step{Kind: Done}, src, nil); err != nil {
		t.Fatal(err)
	}
	wantFact(t, s, "seat 4 secure", "-")
}

func testFreeReservations(t *testing.T) {
	for _, order := range [][]Seat{{3, 4}, {4, 3}} {
		s, src, _ := start(t, 4, 12)
		if !s.ToAct(3) || !s.ToAct(4) || s.ToAct(1) || s.ToAct(2) {
			t.Fatalf("to act: %v", s.Project(0).ToAct)
		}
		if err := s.Apply(order[0], Step{Kind: Done}, src, nil); err != nil {
			t.Fatal(err)
		}
		if s.ToAct(1) || !s.ToAct(order[1]) || s.ToAct(order[0]) {
			t.Errorf("after seat %d to act: %v", order[0], s.Project(0).ToAct)
		}
		if err := s.Apply(order[1], Step{Kind: Done}, src, nil); err != nil {
			t.Fatal(err)
		}
		if v := s.Project(0); !slices.Equal(v.ToAct, []Seat{1}) || v.Round != 1 || v.Seat != 1 {
			t.Errorf("then to act: %v in round %d", v.ToAct, v.Round)
		}
	}
	if s, _, _ := start(t, 2, 12); !s.ToAct(1) {
		t.Error("two players: seat 1 does not begin")
	}
}

// testHalSetup is R15.1.
func testHalSetup(t *testing.T) {
	for level, vp := range map[Level]string{Easy: "0", Standard: "5", Hard: "10", Extreme: "15"} {
		src, tale := &listening{Random: NewChance(seedOf("setup", 15), "")}, &Tale{}
		s, err := New(BenchSet(), Options{Players: 1, Hal: level}, src, tale)
		if err != nil {
			t.Fatal(err)
		}
		p := pileOf(15)
		faces := [6]int{0, 1, 1, 2, 3, 3}
		var dice [2][]string // the player's, then Hal's
		for seat := range dice {
			for c, col := range component.Colors {
				dice[seat] = append(dice[seat], fmt.Sprintf("%s %d", col, faces[p.below(StreamDieOrange+Stream(c), 6)]))
			}
			wantFact(t, &s, fmt.Sprintf("seat %d dice", seat+1), strings.Join(dice[seat], " "))
		}
		for key, want := range map[string]string{"vp": vp, "by start": vp, "stations": "1 1 1", "break": "13", "robots": "0",
			"resources": "0", "debris": "0", "ships": "0", "hand": "-", "at 1.1": "-"} {
			wantFact(t, &s, "seat 2 "+key, want)
		}
		wantFact(t, &s, "seat 1 resources", "1") // no advantage
		for _, col := range component.Colors {
			wantFact(t, &s, "supply "+col.String()+" dice", "2") // of 4
		}
		if v := s.Project(0); len(v.Strips) != 5 || v.Decks[PileRavager].Left != 30-12-2-1 {
			t.Errorf("%d strips, %d Ravagers left", len(v.Strips), v.Decks[PileRavager].Left)
		}
		wantFact(t, &s, "hal-deck", strings.Join(p.shuffled(StreamHal, numbered("%d", 1, 12)), " "))
		v := s.Project(0)
		if v.Options.Hal != level || v.Neutral != nil || v.Decks[PileHal].Left != 12 || !slices.Equal(v.ToAct, []Seat{1}) {
			t.Errorf("level %s: %+v, neutral %v, deck %v, to act %v", level, v.Options, v.Neutral, v.Decks[PileHal], v.ToAct)
		}
	}
}

func testSpesIsReached(t *testing.T) {
	for n, want := range map[int]int{1: 7, 2: 7, 3: 10, 4: 10} {
		s, src, _ := start(t, n, 13)
		for seat := Seat(3); seat <= Seat(n); seat++ {
			if err := s.Apply(seat, Step{Kind: Done}, src, nil); err != nil {
				t.Fatal(err)
			}
		}
		for k := 1; k <= want; k++ {
			if s.Project(0).Ending != NotEnded {
				t.Fatalf("%d players: over before advance %d", n, k)
			}
			advance(t, s, src)
		}
		v := s.Project(0)
		if v.Ending != BySpes || v.SpesHex != v.BlackAngel || v.SpesToken != 0 {
			t.Errorf("%d players: after %d advances %q, Spes on %s, Black Angel on %s", n, want, v.Ending, v.SpesHex, v.BlackAngel)
		}
	}
}

func testNeutralSetup(t *testing.T) {
	s, _, tale := start(t, 2, 14)
	wantFact(t, s, "neutral robots", "orange gray green")
	n := s.Project(0).Neutral
	if n == nil || len(n.Dice) != 3 {
		t.Fatalf("the neutral player: %+v", n)
	}
	rolled := 0
	for _, e := range tale.Events {
		if e.Kind == EvRolled && e.Seat == Neutral {
			if n.Dice[rolled].Color != e.Color || n.Dice[rolled].Value != e.Value {
				t.Errorf("die %d is %v, rolled %s", rolled, n.Dice[rolled], printEvent(e))
			}
			rolled++
		}
	}
	if rolled != 3 {
		t.Errorf("the neutral player rolls %d dice", rolled)
	}
	if s, _, _ := start(t, 3, 14); s.Project(0).Neutral != nil {
		t.Error("a neutral player at a table of three")
	}
}
