package league

import (
	"maps"
	"slices"
)

// Clone returns an independent copy of the state: lines added to one do not affect the
// other.
func (s *State) Clone() *State {
	c := *s
	c.Players = slices.Clone(s.Players)
	c.Said, c.Rulings = slices.Clip(s.Said), slices.Clip(s.Rulings)
	c.Pauses, c.Stops, c.placed = slices.Clip(s.Pauses), slices.Clone(s.Stops), maps.Clone(s.placed)
	c.Directs = slices.Clip(s.Directs)
	c.player = maps.Clone(s.player)
	c.Fixtures = slices.Clone(s.Fixtures)
	all := make([]Fixture, len(s.Fixtures))
	for i, f := range s.Fixtures {
		all[i] = *f
		all[i].Players, all[i].Absent, all[i].Earlier = slices.Clone(f.Players), slices.Clone(f.Absent), slices.Clone(f.Earlier)
		all[i].seats = slices.Clone(f.seats)
		c.Fixtures[i] = &all[i]
	}
	c.game = make(map[string]*Fixture, len(s.game))
	for id, f := range s.game {
		c.game[id] = c.Fixtures[f.ID-1]
	}
	c.Seasons = slices.Clone(s.Seasons)
	for i := range c.Seasons {
		x := &c.Seasons[i]
		x.Divisions = slices.Clone(x.Divisions)
		for k := range x.Divisions {
			d := &x.Divisions[k]
			d.Players, d.Left = slices.Clone(d.Players), slices.Clone(d.Left)
			d.Fixtures, d.climbed = slices.Clone(d.Fixtures), slices.Clone(d.climbed)
			for j, f := range d.Fixtures {
				d.Fixtures[j] = c.Fixtures[f.ID-1]
			}
			for j, up := range d.climbed {
				if up.fixture != nil {
					d.climbed[j].fixture = c.Fixtures[up.fixture.ID-1]
				}
			}
		}
	}
	return &c
}
