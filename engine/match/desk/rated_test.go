package desk_test

import (
	"context"
	"testing"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// listed is a listed game that has begun, which the first of names organises.
func (o *office) listed(names ...string) (id string) {
	o.t.Helper()
	id = o.started(9, names...)
	o.shows(id, store.Listed)
	return id
}

// shows gives a game another visibility.
func (o *office) shows(id, visibility string) {
	o.t.Helper()
	if err := o.db.Update(context.Background(), func(tx store.Tx) error {
		row, err := tx.Game(id)
		if err != nil {
			return err
		}
		row.Visibility, row.Organiser = visibility, o.playerOf("ada")
		return tx.SaveGame(row)
	}); err != nil {
		o.t.Fatal(err)
	}
}

// refused tells by which problem the last answer of name refuses its only line.
func (o *office) refused(name string) string {
	o.t.Helper()
	lines := o.last(name).Answer.Lines
	if len(lines) != 1 || lines[0].Problem == nil {
		return ""
	}
	return lines[0].Problem.Code
}

// TestNobodyTakesBackALossAgainstBots: a player alone with bots, or against Hal, can
// neither abandon a listed game nor hide it, nor list one after winning it. To resign
// is to come last.
func TestNobodyTakesBackALossAgainstBots(t *testing.T) {
	for _, names := range [][]string{{"ada", "bot"}, {"ada"}, {"ada", "bo", "bot"}} {
		o := newOffice(t)
		id := o.listed(names...)
		if len(names) == 3 { // when Bo has resigned Ada is alone
			o.resigns("bo")
		}
		for _, word := range []string{"abandon", "visibility: unlisted", "visibility: private"} {
			if o.write("ada", word); o.refused("ada") != notice.ProblemAlone || o.row(id).State != store.GameRunning || o.row(id).Visibility != store.Listed {
				t.Errorf("%v: %s: %s, the game is %s and %s", names, word, summary(o.last("ada")), o.row(id).State, o.row(id).Visibility)
			}
		}
		o.resigns("ada")
		if state := o.row(id).State; state != store.GameFinished {
			t.Fatalf("%v: nobody plays it, and it is %s", names, state)
		}
		if by, ok := o.ratingOf("ada"); !ok || by >= 0 {
			t.Errorf("%v: her rating changes by %g", names, by)
		}
		if o.write("ada", "visibility: private"); o.row(id).Visibility != store.Listed {
			t.Errorf("%v: once it is over she hides it", names)
		}
		if by, ok := o.ratingOf("ada"); !ok || by >= 0 {
			t.Errorf("%v: then her rating changes by %g", names, by)
		}
	}

	o := newOffice(t)
	id := o.started(9, "ada", "bot")
	o.shows(id, store.Private)
	if o.write("ada", "visibility: unlisted"); o.row(id).Visibility != store.Unlisted {
		t.Errorf("whom she shows it is hers: %s", summary(o.last("ada")))
	}
	if o.write("ada", "visibility: listed"); o.refused("ada") != notice.ProblemAlone || o.row(id).Visibility != store.Unlisted {
		t.Errorf("she has it counted once she knows how it goes: %s", summary(o.last("ada")))
	}
	if o.write("ada", "abandon"); o.row(id).State != store.GameAbandoned {
		t.Errorf("it counts nowhere: %s", summary(o.last("ada")))
	}

	o = newOffice(t) // two agree: the one who was winning, too
	id = o.listed("ada", "bo", "bot")
	o.write("ada", "abandon")
	if o.write("bo", "yes"); o.row(id).State != store.GameAbandoned {
		t.Errorf("both agree: %s", o.row(id).State)
	}
	if _, ok := o.ratingOf("ada"); ok {
		t.Error("and it is rated")
	}
}

// TestOwnSeatToABot: an organiser who gives their own seat to a bot has resigned.
func TestOwnSeatToABot(t *testing.T) {
	o := newOffice(t)
	id := o.listed("ada", "bo", "cy")
	o.resigns("bo")
	o.write("ada", "replace Bo by bot:greedy")
	o.write("ada", "replace Ada by bot")
	o.playOut(id)
	var parts [][]game.Share
	view(t, o, func(tx store.Tx) (err error) {
		parts, err = o.desk.Host().Parts(tx, id)
		return err
	})
	for _, seat := range parts {
		for _, p := range seat {
			if p.Player == o.playerOf("bo") && p.Left != game.TenureResigned {
				t.Errorf("he has resigned, even if another plays on: %q", p.Left)
			}
			if p.Player == o.playerOf("ada") && p.Left != game.TenureResigned {
				t.Errorf("she has left: %q", p.Left)
			}
		}
	}
	o.verified()
}

// TestLeftLying: a listed game without a clock that a player has with bots alone
// is lost some time after the reminder, which says so; any other waits.
func TestLeftLying(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		names      []string
		visibility string
		lost       bool
	}{{[]string{"ada", "bot"}, store.Listed, true}, {[]string{"ada", "bot"}, store.Unlisted, false}, {[]string{"ada", "bo"}, store.Listed, false}} {
		o := newOffice(t)
		id := o.started(9, c.names...)
		o.shows(id, c.visibility)
		first, _ := o.reminded(30 * day)
		if told := first.Args["then"] == "lost"; told != c.lost {
			t.Errorf("%v, %s: she reads %+v", c.names, c.visibility, first)
		}
		if o.due(59 * day); o.row(id).State != store.GameRunning {
			t.Fatalf("%v, %s: it is %s", c.names, c.visibility, o.row(id).State)
		}
		if c.lost {
			o.write("ada", "mute")
		}
		letters := o.due(2 * day)
		want := store.GameRunning
		if c.lost {
			if want = store.GameFinished; len(mail(letters, notice.TellGivenUp)) != 1 {
				t.Errorf("she is not told: %v", summaries(letters))
			}
			if by, _ := o.ratingOf("ada"); by >= 0 {
				t.Errorf("her rating changes by %g", by)
			}
		}
		if got := o.row(id).State; got != want {
			t.Errorf("%v, %s: it is %s", c.names, c.visibility, got)
		}
	}

	o := newOffice(t) // a turn is a sign of life
	id := o.listed("ada", "bot")
	o.reminded(30 * day)
	o.plays("ada")
	if o.due(61 * day); o.row(id).State != store.GameRunning {
		t.Errorf("she has played, and it is %s", o.row(id).State)
	}
}

// reminded lets time pass until the first reminder, which is returned.
func (o *office) reminded(most time.Duration) (notice.Remark, notice.Message) {
	o.t.Helper()
	for range most / (24 * time.Hour) {
		for _, r := range o.due(24 * time.Hour) {
			if m, ok := told(r, notice.TellReminder); ok {
				return m, r
			}
		}
	}
	o.t.Fatal("nobody is reminded")
	return notice.Remark{}, notice.Message{}
}
