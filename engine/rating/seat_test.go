package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// known are what is believed of people by number and of bots by name.
type known map[Who]Rating

func (k known) of(w Who) Rating {
	if r, ok := k[w]; ok {
		return r
	}
	return Default().Start
}

func person(n int64) Who { return Who{Player: n} }

// whole is a seat that one played alone.
func whole(place int, w Who, turns int) Seat {
	return Seat{place, []Part{{Who: w, Turns: turns, Held: turns}}}
}

func changeOf(t *testing.T, changes []Change, w Who) Change {
	t.Helper()
	i := slices.IndexFunc(changes, func(c Change) bool { return c.Who == w })
	if i < 0 {
		t.Fatalf("%+v is not among %+v", w, changes)
	}
	return changes[i]
}

func (c Change) gain() float64 { return c.After.Mu - c.Before.Mu }

// anySeats is a game of two to four seats in which person 1 has had the first
// from the start, with what else may come to pass in one: bots that help out or
// stand in, a substitute, leavings.
func anySeats(r *rand.Rand) ([]Seat, known) {
	k := known{}
	next := int64(1)
	who := func() Who {
		w := person(next)
		next++
		k[w] = Rating{25 + 8*r.NormFloat64(), 0.8 + 8*r.Float64()}
		return w
	}
	bot := func() Who {
		w := Who{Bot: []string{"greedy", "planner"}[r.IntN(2)]}
		k[w] = Rating{map[string]float64{"greedy": 18, "planner": 30}[w.Bot], 1.5}
		return w
	}
	seats := make([]Seat, 2+r.IntN(3))
	for i := range seats {
		of := 5 + r.IntN(12)
		first := Part{Who: who(), Held: of, Left: []Leaving{Stayed, Walked, Replaced}[r.IntN(3)]}
		first.Turns = r.IntN(of + 1)
		parts := []Part{first}
		if rest := of - first.Turns; rest > 0 {
			helper := Part{Who: bot(), Turns: rest, Held: rest}
			if first.Left != Stayed && r.IntN(2) == 0 {
				helper.Turns = r.IntN(rest)
				sub := Part{Who: who(), Turns: rest - helper.Turns, Held: rest - helper.Turns}
				if parts = append(parts, sub); helper.Turns > 0 {
					parts = append(parts, helper)
				}
			} else {
				parts = append(parts, helper)
			}
		}
		seats[i] = Seat{1 + r.IntN(len(seats)), parts}
	}
	return seats, k
}

// TestLeavingNeverHelps: players who leave never gain, and lose at least what they
// would have lost, or not gained, had they stayed, whether they would have played all
// the turns or only those that they did, whatever the others are, no matter who plays
// on for them and where their seat comes in. Players who walk out lose as the last
// one does.
func TestLeavingNeverHelps(t *testing.T) {
	m, r := Default(), rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		seats, k := anySeats(r)
		me := person(1)
		mine := &seats[0].Parts[0]
		if mine.Left == Stayed {
			continue
		}
		left := changeOf(t, m.Seats(seats, k.of), me)
		if left.gain() > 0 || left.Left != mine.Left {
			t.Fatalf("%+v: who left gains %g", seats, left.gain())
		}
		game := func(place int, parts ...Part) []Seat {
			other := slices.Clone(seats)
			other[0] = Seat{place, parts}
			return other
		}
		places := []int{seats[0].Place}
		if mine.Left == Walked {
			places = []int{1, 2, 3, 4, 5}
		}
		of := mine.Held
		stayed := *mine
		stayed.Left = Stayed
		for _, place := range places {
			alone := changeOf(t, m.Seats(game(place, Part{Who: me, Turns: of, Held: of}), k.of), me)
			same := changeOf(t, m.Seats(game(place, append([]Part{stayed}, seats[0].Parts[1:]...)...), k.of), me)
			if left.gain() > alone.gain()+1e-12 || left.gain() > same.gain()+1e-12 {
				t.Fatalf("%+v of %+v, place %d: who left has %g, had he stayed %g, or with those turns %g", seats, k, place, left.gain(), alone.gain(), same.gain())
			}
		}
	}
}

// TestTurnsLeftToBots: a player who lets bots play turns gains no more and loses
// no less than if they had played them to the same end.
func TestTurnsLeftToBots(t *testing.T) {
	m, r := Default(), rand.New(rand.NewPCG(7, 8))
	for range 20000 {
		seats, k := anySeats(r)
		seats[0].Parts[0].Left = Stayed
		seats[0].Parts = seats[0].Parts[:min(2, len(seats[0].Parts))]
		if len(seats[0].Parts) == 2 && seats[0].Parts[1].Bot == "" {
			continue
		}
		of := seats[0].Parts[0].Held
		lazy := changeOf(t, m.Seats(seats, k.of), person(1))
		seats[0].Parts = []Part{{Who: person(1), Turns: of, Held: of}}
		if own := changeOf(t, m.Seats(seats, k.of), person(1)); lazy.gain() > own.gain()+1e-12 {
			t.Fatalf("%+v: %g with bots, %g alone", seats, lazy.gain(), own.gain())
		}
	}
}

// TestSubstitutes: a substitute moves by their share of the seat's turns at most,
// as if that was all there was of it; what is left of the seat's share is the
// bot's that stood in.
func TestSubstitutes(t *testing.T) {
	m := Default()
	for place := 1; place <= 2; place++ {
		seat := Seat{place, []Part{
			{Who: person(1), Turns: 4, Held: 10, Left: Walked}, {Who: Who{Bot: "greedy"}, Turns: 1, Held: 6}, {Who: person(2), Turns: 5, Held: 5}}}
		got := m.Seats([]Seat{seat, whole(3-place, person(3), 10)}, known{}.of)
		all := m.Seats([]Seat{whole(place, person(2), 10), whole(3-place, person(3), 10)}, known{}.of)
		sub, one, bot := changeOf(t, got, person(2)), changeOf(t, all, person(2)), changeOf(t, got, Who{Bot: "greedy"})
		if sub.Turns != 5 || sub.Of != 10 || sub.gain()*one.gain() <= 0 || math.Abs(sub.gain()) > 0.6*math.Abs(one.gain()) ||
			math.Abs(sub.gain()-5*bot.gain()) > 1e-12 || sub.After.Sigma <= one.After.Sigma {
			t.Errorf("place %d: the substitute %+v, had he played it all %+v, the bot %+v", place, sub, one, bot)
		}
		walked := changeOf(t, got, person(1))
		if walked.gain() >= 0 {
			t.Errorf("place %d: who left %+v", place, walked)
		}
	}
}

// TestSeatsOfOneAreTeams: where all play their seats alone nothing is added to
// the model; a bot in two seats is pulled by both.
func TestSeatsOfOneAreTeams(t *testing.T) {
	m := Default()
	k := known{person(2): {31, 2}, {Bot: "greedy"}: {20, 3}}
	got := m.Seats([]Seat{whole(2, person(1), 9), whole(1, person(2), 9), whole(3, Who{Bot: "greedy"}, 9)}, k.of)
	want := m.Rate([]Team{{2, []Member{{m.Start, 1}}}, {1, []Member{{Rating{31, 2}, 1}}}, {3, []Member{{Rating{20, 3}, 1}}}})
	for i, w := range []Who{person(1), person(2), {Bot: "greedy"}} {
		c := changeOf(t, got, w)
		if math.Abs(c.After.Mu-want[i][0].Mu) > 1e-12 || math.Abs(c.After.Sigma-want[i][0].Sigma) > 1e-12 {
			t.Errorf("%+v: %+v, want %+v", w, c.After, want[i][0])
		}
	}
	twice := m.Seats([]Seat{whole(1, person(1), 9), whole(2, Who{Bot: "greedy"}, 9), whole(3, Who{Bot: "greedy"}, 9)}, k.of)
	if c := changeOf(t, twice, Who{Bot: "greedy"}); len(twice) != 2 || c.gain() >= 0 || c.Place != 2 || c.Of != 18 {
		t.Errorf("%+v", twice)
	}
	if alone := m.Seats([]Seat{whole(1, person(1), 9)}, k.of); alone != nil {
		t.Errorf("a game of one seat: %+v", alone)
	}
}

// TestOrderOfSeats: it changes no bit.
func TestOrderOfSeats(t *testing.T) {
	m, r := Default(), rand.New(rand.NewPCG(9, 10))
	for range 2000 {
		seats, k := anySeats(r)
		want := m.Seats(seats, k.of)
		r.Shuffle(len(seats), func(i, j int) { seats[i], seats[j] = seats[j], seats[i] })
		if got := m.Seats(seats, k.of); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v:\n%+v\n%+v", seats, got, want)
		}
	}
}

// TestStrengthIsFound: players of known strengths, who meet in games of two to
// four, end in the order of these, or nearly.
func TestStrengthIsFound(t *testing.T) {
	const players, games = 20, 6000
	m, r := Default(), rand.New(rand.NewPCG(11, 12))
	k := known{}
	strength := func(n int64) float64 { return 15 + float64(n) }
	for g := range games {
		n := 2 + g%3
		var seats []Seat
		shown := map[int64]float64{}
		for _, p := range r.Perm(players)[:n] {
			id := int64(p + 1)
			// Gumbel noise makes the Plackett-Luce model true.
			shown[id] = strength(id) - 25.0/6*math.Log(-math.Log(r.Float64()))
		}
		for id, s := range shown {
			place := 1
			for _, o := range shown {
				if o > s {
					place++
				}
			}
			seats = append(seats, whole(place, person(id), 10))
		}
		for _, c := range m.Seats(seats, k.of) {
			k[c.Who] = c.After
		}
	}
	var order []int64
	sumXY, sumXX, sumYY := 0.0, 0.0, 0.0
	for id := int64(1); id <= players; id++ {
		order = append(order, id)
		x, y := strength(id)-25.5, k[person(id)].Mu-25.5
		sumXY, sumXX, sumYY = sumXY+x*y, sumXX+x*x, sumYY+y*y
	}
	slices.SortFunc(order, func(a, b int64) int { return int(math.Copysign(1, k[person(b)].Mu-k[person(a)].Mu)) })
	if r := sumXY / math.Sqrt(sumXX*sumYY); r < 0.97 {
		t.Errorf("correlation %.3f of strength and rating: %v", r, k)
	}
	for i, id := range order {
		if d := i - int(players-id); d < -3 || d > 3 {
			t.Errorf("player %d of strength %.0f is number %d: %s", id, strength(id), i+1, fmt.Sprint(order))
		}
	}
}

// TestReplacedByAnOpponent: a player who had an opponent replaced does not gain from
// that seat, no matter who played on in it; they lose as ever, and it affects no one
// else's rating.
func TestReplacedByAnOpponent(t *testing.T) {
	m, r := Default(), rand.New(rand.NewPCG(7, 8))
	gained, less := 0, 0
	for range 3000 {
		seats, k := anySeats(r)
		me := person(1)
		victim := 1 + r.IntN(len(seats)-1)
		plain := m.Seats(seats, k.of)
		given := slices.Clone(seats)
		given[victim].Parts = slices.Clone(seats[victim].Parts)
		given[victim].Parts[0].By = me
		marked := m.Seats(given, k.of)
		was, is := changeOf(t, plain, me), changeOf(t, marked, me)
		without := 0.0 // alone
		if len(seats) > 2 {
			without = changeOf(t, m.Seats(slices.Delete(slices.Clone(seats), victim, victim+1), k.of), me).gain()
		}
		if want := min(was.gain(), without); math.Abs(is.gain()-want) > 1e-9 {
			t.Fatalf("%+v: he gains %g, want %g: %g with that seat, %g without it", given, is.gain(), want, was.gain(), without)
		}
		if was.gain() > 0 {
			gained++
		}
		if is.gain() < was.gain() {
			less++
		}
		for i, c := range plain {
			if c.Who != me && marked[i] != c {
				t.Fatalf("%+v: another has %+v, had %+v", given, marked[i], c)
			}
		}
	}
	if gained < 200 || less < 200 {
		t.Errorf("he gained %d times, less by it %d times", gained, less)
	}
}
