package order

import "testing"

// TestCanName: names of leagues that some line would end too early, or take for something else,
// are none.
func TestCanName(t *testing.T) {
	for _, name := range []string{"Iron League", "Winter Cup", "Cup 2027", "Round Table", "Division of Labour", "Back to Back", "L'Équipe", "Team A/B", "Äbc", "No Limits", "Cup (Winter)", "7 Wonders"} {
		if !CanName(name) {
			t.Errorf("%q can be no league's name", name)
		}
	}
	for _, name := range []string{"Winter Cup, Second Half", "Cup: North", "Cup：North", "Cup division 2", "Cup round 3", "Cup player Ann", "Two Player Cup", "Just say no", "", "Cup to division 3"} {
		if CanName(name) {
			t.Errorf("%q can be a league's name", name)
		}
	}
}
