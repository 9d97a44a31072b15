package league

import "reflect"

// Verify replays a league and tells the numbers of those lines of its log whose
// divisions or tables are not what this package would make of the lines before
// them: somebody else made them, or an older version. An error is Replay's.
func Verify(r *Rules, seed [32]byte, lines []Line) (other []int, err error) {
	s, err := Replay(r, seed, nil)
	for _, l := range lines {
		same := true
		switch l.Kind {
		case Begin:
			if s.running() == nil {
				plans, _ := s.place(l.At)
				same = reflect.DeepEqual(plans, l.Divisions)
			}
		case NextRound:
			if x := s.running(); x != nil && x.Rules.Kind != Divisions {
				tables := s.pairRound()
				same = len(tables) == 0 && len(l.Tables) == 0 || reflect.DeepEqual(tables, l.Tables)
			}
		}
		if err := s.Add(l); err != nil {
			return other, err
		}
		if !same {
			other = append(other, l.N)
		}
	}
	return other, err
}
