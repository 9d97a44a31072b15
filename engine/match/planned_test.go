package match_test

import (
	"fmt"
	"strings"
	"testing"

	"angelpost/engine/match"
)

// planOf is what a letter says of its reader's plan, nil if nothing.
func planOf(r match.Recipe) *match.Planned {
	for _, s := range r.Answer.Sections {
		if s.Plan != nil {
			return s.Plan
		}
	}
	return nil
}

func planned(r match.Recipe) string {
	p := planOf(r)
	if p == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(p.State)
	for i, x := range p.Blocks {
		fmt.Fprintf(&b, "; %d %s", i+1, x.Status)
		if x.Guard != "" {
			fmt.Fprintf(&b, " %s", x.Guard)
		}
		for _, l := range x.Lines {
			if l.Problem != nil {
				fmt.Fprintf(&b, " %q %s", l.Text, l.Problem.Code)
			}
		}
	}
	return b.String()
}

// A plan is kept, tried when the turn comes, played, and told in the next letter;
// nothing of it is seen before.
func TestPlanIsPlayedWhenTheTurnComes(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	o.plays("ada")
	if got := planned(o.write("ada", "plan\nif last round\nB\nelse\nB reserve gray 3")[0]); got != "kept; 1 guard if last round; 2 fits" {
		t.Errorf("%s", got)
	}
	if got := planned(o.write("ada", "plan")[0]); got != "asked; 1 guard if last round; 2 fits" {
		t.Errorf("%s", got)
	}
	n, letters := len(o.record(id, 0).Log), len(o.box[at("ada")])
	o.plays("bo")
	var hers []string
	for _, l := range o.record(id, 0).Log[n:] {
		if l.Seat == 1 {
			hers = append(hers, string(l.By)+" "+l.Order)
		}
	}
	if got := strings.Join(hers, "; "); got != "player B; player done" { // no gray 3 was rolled
		t.Errorf("played: %s", got)
	}
	if len(o.box[at("ada")]) != letters {
		t.Errorf("told at once: %s", summary(o.last("ada")))
	}
	o.plays("bo")
	if got := planned(o.last("ada")); got != "played; 1 guard if last round; 2 fits" || o.last("ada").Kind != match.KindTurn {
		t.Errorf("%s\n%s", got, summary(o.last("ada")))
	}
	if got := planned(o.write("ada", "plan")[0]); got != "none" {
		t.Errorf("%s", got)
	}
}
