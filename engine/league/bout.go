package league

import "slices"

// A Bout is the current state of a match of a knock-out.
type Bout struct {
	Round   int
	Final   bool
	Decided bool
	On      []int64 // who goes on, or has won the final; none if no one does
	Left    int     // games of the match that are to come
	Open    int     // other matches of the round that are not decided
	Late    bool    // the next round has begun: no ruling changes who went on
	By      string  // what decided between the last who goes on and the first who does not; "" if no one can lose
}

// Bout returns the state of the match of a fixture. ok is false if the fixture is not part
// of a knock-out.
func (s *State) Bout(f *Fixture) (b Bout, ok bool) {
	d := s.division(f.Season, f.Division)
	if d == nil || s.rulesOf(f.Season).Kind != Knockout {
		return b, false
	}
	all, _ := s.stages(d)
	for i, st := range all {
		if st.round != f.Round {
			continue
		}
		for _, m := range st.matches {
			v := s.judge(d, m)
			if !slices.Contains(m.legs, f) {
				if !v.over {
					b.Open++
				}
				continue
			}
			b.Round, b.Final, b.Decided, b.Late, ok = st.round, len(st.matches) == 1, v.over, i+1 < len(all), true
			if v.over {
				n := min(v.fit, s.goOn(d, st, m))
				if b.On = v.order[:n]; n > 0 && n < v.fit {
					b.By = v.by(v.order[n-1], v.order[n])
				}
				continue
			}
			for _, g := range m.legs {
				if !g.Over() {
					b.Left++
				}
			}
		}
	}
	return b, ok
}
