package league

import "reflect"

// Verify adds lines and returns the numbers of those whose divisions or tables are
// not what this package would make of the lines before them: another program or an
// older version made them. It skips divisions of a season whose secret is not known
// (ReplayTold). An error is Add's.
func (s *State) Verify(lines []Line) (other []int, err error) {
	for _, l := range lines {
		same := true
		switch l.Kind {
		case Begin:
			if s.running() == nil && s.knows(len(s.Seasons)+1) {
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
	return other, nil
}
