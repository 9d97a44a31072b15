package bot

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
)

var (
	fitGames = flag.Int("fit", 12, "TestFit: games for each number of players")
	fitNodes = flag.Int("fit-nodes", 0, "TestFit: the planner's nodes in them; 0: greedy plays")
	fitFile  = flag.String("fit-file", "", "TestFit: file for the weights it comes to, as weights.go has them; none without")
	fitSpice = flag.Float64("fit-spice", 0.1, "TestFit: share of steps taken at random")
)

// TestFit holds the planner's weights against whole games, to what players won
// from each turn's end on: they tell more than the mean does. It also fits
// weights to these games, by least squares, which must do better still on them:
// with -fit 1500 -fit-file weights.go it makes the planner's own.
func TestFit(t *testing.T) {
	var out strings.Builder
	out.WriteString("package bot\n\n// weights by number of players, those of Hal at 1, written by TestFit (fit_test.go).\nvar weights = [5][phases][factors]float32{\n")
	for i := 1; i <= engine.MaxPlayers; i++ {
		m := newModel()
		fitTo(t, m, i, *fitGames)
		w, err := m.solve(30)
		if err != nil {
			t.Fatal(err)
		}
		mean := m.sum / float64(m.n)
		spread, known, fitted := math.Sqrt(m.squares/float64(m.n)-mean*mean), m.left(flat(&weights[i])), m.left(w)
		t.Logf("%d: %d turns' ends, mean %.2f, deviation %.2f; %.2f left by the weights in use, %.2f by those fitted", i, m.n, mean, spread, known, fitted)
		if known >= spread || fitted > known {
			t.Errorf("weights %d: deviation %.2f, %.2f left by those in use, %.2f by those fitted", i, spread, known, fitted)
		}
		fmt.Fprintf(&out, "\t%d: {\n", i)
		for k := range phases {
			out.WriteString("\t\t{")
			for i := range factors {
				if i > 0 {
					out.WriteString(", ")
				}
				out.WriteString(strconv.FormatFloat(w[k*factors+i], 'f', 2, 64))
			}
			out.WriteString("},\n")
		}
		out.WriteString("\t},\n")
	}
	out.WriteString("}\n")
	if *fitFile == "" {
		return
	}
	if err := os.WriteFile(*fitFile, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

const dim = phases * factors

// flat are weights as a model has them.
func flat(w *[phases][factors]float32) []float64 {
	out := make([]float64, 0, dim)
	for _, phase := range w {
		for _, x := range phase {
			out = append(out, float64(x))
		}
	}
	return out
}

// A model is least squares under way.
type model struct {
	mu           sync.Mutex
	a            [][]float64 // lower triangle
	b            []float64
	n            int
	sum, squares float64
}

func newModel() *model {
	m := &model{b: make([]float64, dim), a: make([][]float64, dim)}
	for i := range m.a {
		m.a[i] = make([]float64, i+1)
	}
	return m
}

type sight struct {
	f    [factors]float32
	sky  engine.Sky
	seat engine.Seat
	have int
}

func (m *model) add(x *sight, target float64) {
	var at [dim]int
	var val [dim]float64
	n := 0
	put := func(k int, scale float64) {
		if scale == 0 {
			return
		}
		for i, v := range x.f {
			if v != 0 {
				at[n], val[n] = k*factors+i, float64(v)*scale
				n++
			}
		}
	}
	put(0, 1)
	put(1, float64(share(&x.sky)))
	if x.sky.Ending {
		put(2, 1)
	}
	if x.sky.Last {
		put(3, 1)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range n {
		row := m.a[at[i]]
		for k := range i + 1 {
			row[at[k]] += val[i] * val[k]
		}
		m.b[at[i]] += val[i] * target
	}
	m.n++
	m.sum += target
	m.squares += target * target
}

// left is the deviation that the weights leave.
func (m *model) left(w []float64) float64 {
	e := m.squares
	for i := range dim {
		e -= 2 * w[i] * m.b[i]
		for k := range i + 1 {
			p := w[i] * w[k] * m.a[i][k]
			if k < i {
				p *= 2
			}
			e += p
		}
	}
	return math.Sqrt(e / float64(m.n))
}

// solve is Cholesky's, with a ridge.
func (m *model) solve(ridge float64) ([]float64, error) {
	l := make([][]float64, dim)
	for i := range dim {
		l[i] = make([]float64, i+1)
		for k := range i + 1 {
			s := m.a[i][k]
			if i == k {
				s += ridge
			}
			for q := range k {
				s -= l[i][q] * l[k][q]
			}
			if i == k {
				if s <= 0 {
					return nil, fmt.Errorf("weight %d is not determined", i)
				}
				l[i][i] = math.Sqrt(s)
			} else {
				l[i][k] = s / l[k][k]
			}
		}
	}
	w := make([]float64, dim)
	for i := range dim {
		s := m.b[i]
		for k := range i {
			s -= l[i][k] * w[k]
		}
		w[i] = s / l[i][i]
	}
	for i := dim - 1; i >= 0; i-- {
		s := w[i]
		for k := i + 1; k < dim; k++ {
			s -= l[k][i] * w[k]
		}
		w[i] = s / l[i][i]
	}
	return w, nil
}

func fitTo(t *testing.T, m *model, players, games int) {
	set := component.Default()
	var wait sync.WaitGroup
	next := make(chan int)
	for range 2 {
		wait.Go(func() {
			for g := range next {
				fitGame(t, m, set, players, g)
			}
		})
	}
	for g := range games {
		next <- g
	}
	close(next)
	wait.Wait()
}

func fitGame(t *testing.T, m *model, set *component.Set, players, g int) {
	r := rand.New(rand.NewPCG(uint64(players), uint64(g)))
	var seed [32]byte
	for i := range seed {
		seed[i] = byte(r.Uint32())
	}
	src := engine.NewChance(seed, "")
	o := engine.Options{Players: players, Advanced: g%2 == 1, First: g/2%4 == 3}
	if players == 1 {
		o.Hal = engine.Level(1 + g/8%4)
	}
	s, err := engine.New(set, o, src, nil)
	if err != nil {
		t.Error(err)
		return
	}
	var b Bot = greedy{r.Uint64()}
	if *fitNodes > 0 {
		b = planner{r.Uint64(), *fitNodes}
	}
	j := judge{set: set}
	var seen []sight
	turn := 0
	for n := 0; !s.Finished(); n++ {
		seat := engine.Seat(1)
		for !s.ToAct(seat) {
			seat++
		}
		v := s.Project(seat)
		if v.Turn != turn {
			turn = v.Turn
			sky := s.Sky()
			for q := engine.Seat(1); int(q) <= max(players, 2); q++ {
				if players == 1 && q != engine.Hal {
					continue // see weightsOf
				}
				x := s.Standing(q)
				one := sight{sky: sky, seat: q, have: s.Final(q)}
				j.prospects(&x, &sky, q, nil, &one.f)
				seen = append(seen, one)
			}
		}
		legal := v.Legal(nil)
		st := legal[0]
		if r.Float64() < *fitSpice {
			st = legal[r.IntN(len(legal))]
		} else if len(legal) > 1 {
			st = b.Choose(v, legal, n)
		}
		s.Do(seat, st, src, nil)
	}
	for i := range seen {
		m.add(&seen[i], float64(s.Standing(seen[i].seat).VP-seen[i].have))
	}
}
