package desk_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// dice are the orders of a letter that buy a die or show a star.
func dice(legal []string) (out []string) {
	for _, l := range legal {
		if strings.Contains(l, " seat ") || strings.HasSuffix(l, " 0") || strings.Contains(l, " 0 ") {
			out = append(out, l)
		}
	}
	return out
}

// readsBack holds that a letter's orders, as its reader sees them, mean the same in an
// answer to it.
func (o *office) readsBack(name string, r notice.Message) (names int) {
	o.t.Helper()
	ctx := order.Context{Names: r.Answer.Names}
	for _, l := range dice(o.sheet(r).Legal) {
		spelled := ctx.Spell(l)
		if !strings.Contains(spelled, " seat ") {
			names++
		}
		_, out := o.send(o.letter(at(name), r.Token, "preview\n"+spelled))
		if len(out) != 1 || len(out[0].Answer.Lines) < 2 || !slices.Equal(out[0].Answer.Lines[1].As, []string{l}) {
			o.t.Fatalf("of %q now %q, %q is spelled %q: %+v", r.Answer.Names, o.last(name).Answer.Names, l, spelled, out)
		}
	}
	return names
}

// Names in orders are those of the letter that is answered, even if other players have them
// now.
func TestNamesMeanTheirBearersThen(t *testing.T) {
	people := []string{"ada", "bo", "cy", "di"}
	named := 0
	for seed := range byte(4) {
		o := newOffice(t)
		id := o.started(seed, people...)
		for turn := range 4 + seed {
			o.plays(strings.ToLower(o.record(id, 0).Names[turn%4]))
		}
		mover := strings.ToLower(o.record(id, 0).Names[seed])
		first := o.last(mover)
		named += o.readsBack(mover, first)
		// Two others change names, by way of a third name; the last new name is a word of
		// orders.
		others := slices.DeleteFunc(slices.Clone(people), func(name string) bool { return name == mover })
		a, b, c := others[0], others[1], others[2]
		for _, rename := range [][2]string{{a, "Zed"}, {b, a}, {a, b}, {c, "Gray Flip"}} {
			o.write(rename[0], "name "+strings.ToUpper(rename[1][:1])+rename[1][1:])
		}
		o.readsBack(mover, first)
		o.write(mover, "status")
		now := o.last(mover)
		if slices.Equal(now.Answer.Names, first.Answer.Names) {
			t.Fatalf("the names are still %q", now.Answer.Names)
		}
		o.readsBack(mover, now)
		o.resigns(b) // and a bot plays for one of them
		o.readsBack(mover, first)
		named += o.readsBack(mover, now)
	}
	if named < 12 {
		t.Errorf("only %d orders were tried by name", named)
	}
}

// A plan keeps the players that its names meant when it was written.
func TestPlanKeepsItsPlayers(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo", "cy")
	names := o.record(id, 0).Names
	planner, other, third := strings.ToLower(names[1]), names[0], names[2]
	o.write(planner, fmt.Sprintf("plan\nif die gray 1 from %s\ndie gray 1 from %s\nelse\nbuy %s's orange star; B", third, third, strings.ToLower(other)))
	for _, rename := range [][2]string{{third, "Zed"}, {other, third}, {third, other}} {
		o.write(strings.ToLower(rename[0]), "name "+rename[1])
	}
	p := planOf(o.write(planner, "plan")[0])
	if p == nil || len(p.Blocks) != 2 {
		t.Fatalf("%+v", p)
	}
	got := fmt.Sprint(p.Blocks[0].Guards, p.Blocks[0].Orders, p.Blocks[1].Orders)
	if want := "[if die gray 1 from seat 3] [die gray 1 from seat 3] [buy from seat 1 orange star; B]"; got != want {
		t.Errorf("the plan is %s, want %s", got, want)
	}
	// An unknown name is an error at once.
	out := o.write(planner, "plan\ndie gray 1 from Nobody Atall")[0].Answer
	if len(out.Lines) != 2 || out.Lines[1].Problem == nil && out.Lines[0].Problem == nil {
		t.Errorf("%+v", out.Lines)
	}
}
