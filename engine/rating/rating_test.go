package rating

import (
	"math"
	"math/rand/v2"
	"testing"
)

// game is one of teams of n equals each, by places.
func game(r Rating, sizes, places []int) []Team {
	teams := make([]Team, len(sizes))
	for i, n := range sizes {
		teams[i].Place = places[i]
		for range n {
			teams[i].Members = append(teams[i].Members, Member{r, 1})
		}
	}
	return teams
}

// TestPublishedVectors holds the model against what openskill publishes: the
// vector of its manual, and those of the test data of its versions for Python
// (6.2.0, which makes uncertainty grow before a game) and JavaScript (whose model
// alone does not).
func TestPublishedVectors(t *testing.T) {
	manual, python := Default(), Default()
	script := Default()
	script.Tau = 0
	r := Rating{20.35125162611535, 8.33148112355601}
	for _, c := range []struct {
		name          string
		model         Model
		of            Rating
		sizes, places []int
		want          []Rating // of each team's members
	}{
		{"manual: two of two", manual, manual.Start, []int{2, 2}, []int{1, 2}, []Rating{
			{26.964294621803063, 8.177962604389991}, {23.035705378196937, 8.177962604389991}}},
		{"normal", python, r, []int{1, 2}, []int{1, 2}, []Rating{
			{23.855123082692877, 8.22447878583752}, {16.84738016953782, 8.179571171464575}}},
		{"ranks", python, r, []int{1, 2, 1, 2}, []int{2, 1, 4, 3}, []Rating{
			{22.35555943890167, 8.265434830225024}, {22.373451456616035, 8.258479912445537},
			{18.311159777900297, 8.219170401234347}, {18.364835831043397, 8.112716571808326}}},
		{"scores", python, r, []int{1, 2}, []int{2, 1}, []Rating{
			{19.4016459546452, 8.22447878583752}, {21.300857297585495, 8.179571171464575}}},
		{"three sizes", python, r, []int{1, 2, 3}, []int{2, 1, 3}, []Rating{
			{22.81664991565251, 8.28331609373364}, {22.74645120129216, 8.268148437657915}, {15.49065376140138, 8.18959307104567}}},
		{"ties", python, r, []int{1, 2, 3}, []int{1, 2, 1}, []Rating{
			{21.63766806988004, 8.310709773172306}, {19.53956360838512, 8.268148437657915}, {19.87652320008089, 8.237522411103104}}},
		{"two alone", script, script.Start, []int{1, 1}, []int{1, 2}, []Rating{
			{27.63523138347365, 8.065506316323548}, {22.36476861652635, 8.065506316323548}}},
		{"three alone", script, script.Start, []int{1, 1, 1}, []int{1, 2, 3}, []Rating{
			{27.868876552746237, 8.204837030780652}, {25.717219138186557, 8.057829747583874}, {21.413904309067206, 8.057829747583874}}},
		{"four alone", script, script.Start, []int{1, 1, 1, 1}, []int{1, 2, 3, 4}, []Rating{
			{27.795084971874736, 8.263160757613477}, {26.552824984374855, 8.179213704945203},
			{24.68943500312503, 8.083731307186588}, {20.96265504062538, 8.083731307186588}}},
		{"five alone", script, script.Start, []int{1, 1, 1, 1, 1}, []int{1, 2, 3, 4, 5}, []Rating{
			{27.666666666666668, 8.290556877154474}, {26.833333333333332, 8.240145629781066}, {25.72222222222222, 8.179996679645559},
			{24.055555555555557, 8.111796013701358}, {20.72222222222222, 8.111796013701358}}},
		{"three, one, two", script, script.Start, []int{3, 1, 2}, []int{1, 2, 3}, []Rating{
			{25.939870821784513, 8.247641552260456}, {27.21366020491262, 8.274321317985242}, {21.84646897330287, 8.213058173195341}}},
		{"one alone", manual, manual.Start, []int{2}, []int{1}, []Rating{manual.Start}},
	} {
		got := c.model.Rate(game(c.of, c.sizes, c.places))
		for i, team := range got {
			if len(team) != c.sizes[i] {
				t.Errorf("%s: team %d has %d members", c.name, i+1, len(team))
			}
			for j, x := range team {
				if math.Abs(x.Mu-c.want[i].Mu) > 1e-12 || math.Abs(x.Sigma-c.want[i].Sigma) > 1e-12 {
					t.Errorf("%s: team %d member %d: %+v, want %+v", c.name, i+1, j+1, x, c.want[i])
				}
			}
		}
	}
}

// anyGame is a game of two to four teams, of one to three members with shares
// that come to 1.
func anyGame(r *rand.Rand, m Model) []Team {
	teams := make([]Team, 2+r.IntN(3))
	for i := range teams {
		n := 1 + r.IntN(3)
		rest := 1.0
		for j := range n {
			share := rest
			if j < n-1 {
				share *= r.Float64()
			}
			rest -= share
			teams[i].Members = append(teams[i].Members, Member{Rating{m.Start.Mu + 8*r.NormFloat64(), 1 + 8*r.Float64()}, share})
		}
		teams[i].Place = 1 + r.IntN(len(teams))
	}
	return teams
}

// TestInvariants: in any game the pulls on means come to nothing, uncertainty
// falls but for its growth before, the winner gains and the last loses, a better
// place is never worse than one shared with or behind the same others, and the
// order of the teams changes no bit.
func TestInvariants(t *testing.T) {
	m, r := Default(), rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		teams := anyGame(r, m)
		pulls := m.pulls(teams)
		total := 0.0
		first, last := teams[0].Place, teams[0].Place
		for i, p := range pulls {
			total += p.mu
			first, last = min(first, teams[i].Place), max(last, teams[i].Place)
			if p.variance < 0 {
				t.Fatalf("%+v: variance grows: %+v", teams, pulls)
			}
		}
		if math.Abs(total) > 1e-14 {
			t.Fatalf("%+v: the pulls come to %g", teams, total)
		}
		for i, p := range pulls {
			if alone := count(teams, teams[i].Place) == 1; alone && (teams[i].Place == first && p.mu <= 0 || teams[i].Place == last && p.mu >= 0) {
				t.Fatalf("%+v: team %d is pulled by %g", teams, i+1, p.mu)
			}
			if l := m.last(teams, i); l.mu > p.mu+1e-15 {
				t.Fatalf("%+v: team %d gains %g by not being last, alone", teams, i+1, p.mu-l.mu)
			}
		}
		before := m.Rate(teams)
		swapped := append([]Team{}, teams...)
		r.Shuffle(len(swapped), func(i, j int) {
			swapped[i], swapped[j] = swapped[j], swapped[i]
			before[i], before[j] = before[j], before[i]
		})
		for i, team := range m.Rate(swapped) {
			for j, x := range team {
				if x != before[i][j] {
					t.Fatalf("%+v: in another order team %d is %+v, was %+v", teams, i+1, x, before[i][j])
				}
				if grown := math.Sqrt(m.variance(swapped[i].Members[j].Rating)); x.Sigma > grown {
					t.Fatalf("%+v: the uncertainty grows from %g to %g", teams, grown, x.Sigma)
				}
			}
		}
	}
}

func count(teams []Team, place int) (n int) {
	for _, t := range teams {
		if t.Place == place {
			n++
		}
	}
	return n
}

// TestTies: equals who share a place stay equal, and of unequal ones the better
// loses what the worse gains.
func TestTies(t *testing.T) {
	m := Default()
	for _, places := range [][]int{{1, 1}, {1, 1, 1}, {2, 2, 2, 2}} {
		sizes := make([]int, len(places))
		for i := range sizes {
			sizes[i] = 1
		}
		for _, team := range m.Rate(game(m.Start, sizes, places)) {
			if math.Abs(team[0].Mu-m.Start.Mu) > 1e-13 || team[0].Sigma >= m.Start.Sigma {
				t.Errorf("%d share a place: %+v", len(places), team[0])
			}
		}
	}
	got := m.Rate([]Team{{1, []Member{{Rating{35, 8}, 1}}}, {1, []Member{{Rating{15, 8}, 1}}}})
	if a, b := got[0][0].Mu-35, got[1][0].Mu-15; a >= 0 || b <= 0 || math.Abs(a+b) > 1e-13 {
		t.Errorf("the better one moves by %g, the other by %g", a, b)
	}
}

// TestExp holds the exponential function against the library's.
func TestExp(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100000 {
		x := 40 * (r.Float64() - 0.5)
		if got, want := exp(x), math.Exp(x); math.Abs(got-want) > 4e-16*want {
			t.Fatalf("exp(%v) = %v, want %v", x, got, want)
		}
	}
	for x, want := range map[float64]float64{0: 1, 800: math.Inf(1), -800: 0, math.Inf(1): math.Inf(1), math.Inf(-1): 0} {
		if exp(x) != want {
			t.Errorf("exp(%v) = %v", x, exp(x))
		}
	}
	if !math.IsNaN(exp(math.NaN())) {
		t.Error("exp of no number")
	}
}

// TestNeverFused holds bits that another machine must give, too.
func TestNeverFused(t *testing.T) {
	m := Default()
	a, b, c := m.Start, m.Start, m.Start
	for i := range 200 {
		places := [][]int{{1, 2, 3}, {2, 1, 2}, {3, 1, 2}, {1, 1, 2}}[i%4]
		got := m.Rate([]Team{{places[0], []Member{{a, 1}}}, {places[1], []Member{{b, 0.75}, {c, 0.25}}}, {places[2], []Member{{c, 1}}}})
		a, b, c = got[0][0], got[1][0], got[2][0]
	}
	const want = 0xc038dddddd99ebbb
	if h := math.Float64bits(a.Mu) ^ math.Float64bits(b.Mu)<<1 ^ math.Float64bits(c.Mu)<<2 ^ math.Float64bits(a.Sigma)<<3 ^ math.Float64bits(b.Sigma)<<4 ^ math.Float64bits(c.Sigma)<<5; h != want {
		t.Errorf("bits %#x of %+v %+v %+v", h, a, b, c)
	}
}

// Rate returns what is believed after a game of two or more teams, by team and member.
// One team alone tells nothing.
func (m Model) Rate(teams []Team) [][]Rating {
	out := make([][]Rating, len(teams))
	pulls := m.pulls(teams)
	for i, t := range teams {
		out[i] = make([]Rating, len(t.Members))
		for j, x := range t.Members {
			if out[i][j] = x.Rating; len(teams) > 1 {
				out[i][j] = m.moved(x.Rating, pulls[i], x.Share, x.Share)
			}
		}
	}
	return out
}
