package desk_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// TestTakeBackPlaysOn lets friends play at random and take turns back, each time with
// everyone's yes. The position is then the one before the asker's turn, as every seat and
// the public see it; the same orders tell the same again; and the stored game replays.
func TestTakeBackPlaysOn(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		rnd := rand.New(rand.NewPCG(seed, 3))
		o := newOffice(t)
		o.rules = []string{"base", "advanced"}[seed%2]
		names := []string{"ada", "bo", "cy"}[:2+seed%2]
		id := o.started(byte(seed+9), names...)
		backs := 0
		for range 60 {
			name := names[rnd.IntN(len(names))]
			if rnd.IntN(4) > 0 {
				o.plays(name)
				continue
			}
			p := o.replay(id)
			me := engine.Seat(o.last(name).Seat)
			to, may := p.BeforeTurn(me)
			o.write(name, "take back")
			if asked := o.refused(name) == ""; asked != may {
				if o.refused(name) != notice.ProblemMany {
					t.Fatalf("seed %d: %s may take back: %v; %s", seed, name, may, summary(o.last(name)))
				}
				o.now = o.now.AddDate(0, 0, 1)
				continue
			} else if !may {
				continue
			}
			var told []notice.Message
			for _, other := range names {
				if other != name {
					told = o.write(other, "yes")
				}
			}
			want, err := p.At(to)
			if err != nil {
				t.Fatal(err)
			}
			now := o.replay(id)
			for seat := engine.Seat(0); int(seat) <= len(names); seat++ {
				if got := now.State.Project(seat); !reflect.DeepEqual(got, want.State.Project(seat)) {
					t.Fatalf("seed %d: seat %d sees another position than after line %d", seed, seat, to)
				}
			}
			for _, r := range told {
				if !says(r.Answer, notice.TellTakenBack) {
					t.Errorf("seed %d: %s", seed, summary(r))
				}
			}
			if len(told) != len(names) || now.OnTurn() != me || !strings.HasPrefix(now.Lines[now.Step()-1].Order, "rollback ") {
				t.Fatalf("seed %d: %d letters; it is the turn of seat %d", seed, len(told), now.OnTurn())
			}
			if next := p.Active[p.InForce(to):]; rnd.IntN(2) == 0 { // the same once more
				for i, n := range next {
					played := func() []int { p := o.replay(id); return p.Active[p.InForce(to):] }
					if p.Lines[n-1].Seat != int(me) {
						break
					}
					if len(played()) <= i { // it was not forced
						o.write(name, p.Lines[n-1].Order)
					}
					at := played()
					if len(at) <= i {
						t.Fatalf("seed %d: %+v is not played again: %s", seed, p.Lines[n-1], summary(o.last(name)))
					}
					if l := o.replay(id).Lines[at[i]-1]; l.Order != p.Lines[n-1].Order || !reflect.DeepEqual(l.Told, p.Lines[n-1].Told) {
						t.Fatalf("seed %d: %+v was taken back, and told again %+v", seed, p.Lines[n-1], l)
					}
				}
			}
			backs++
		}
		if backs < 3 {
			t.Errorf("seed %d: only %d turns were taken back", seed, backs)
		}
		o.verified()
	}
}

// TestTakeBackRefused: no turn is taken back if ratings or a league count the game, nor if no
// other person could refuse.
func TestTakeBackRefused(t *testing.T) {
	ask := func(o *office, want string) {
		t.Helper()
		if o.write("ada", "take back"); o.refused("ada") != want {
			t.Errorf("want %s: %s", want, summary(o.last("ada")))
		}
	}
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	o.plays("ada")
	o.shows(id, store.Listed)
	ask(o, notice.ProblemTakeBackRated)
	o.shows(id, store.Unlisted)
	ask(o, "")
	o.shows(id, store.Listed) // between the question and the yes
	steps := len(o.log(id))
	if o.write("bo", "yes"); o.refused("bo") != notice.ProblemTakeBackRated || len(o.log(id)) != steps {
		t.Errorf("a yes in a game that counts by now: %s", summary(o.last("bo")))
	}

	o = newOffice(t)
	o.started(1, "ada", "bot")
	o.plays("ada")
	ask(o, notice.ProblemTakeBackAlone)

	o, _, f, name, _ := leaving(t)
	out := o.from(f.Game, name, "take back")
	if lines := out[0].Answer.Lines; len(out) != 1 || lines[0].Problem == nil || lines[0].Problem.Code != notice.ProblemLeagueGame {
		t.Errorf("in a league's game: %v", summaries(out))
	}
}
