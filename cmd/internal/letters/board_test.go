package letters

import (
	"slices"
	"strings"
	"testing"

	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
)

// Players alone with bots or Hal get no turn notices: the answer to their turn is
// the next one, and shows the board. So does each letter with which a turn begins.
func TestEveryTurnHasABoard(t *testing.T) {
	for name, c := range map[string]struct {
		o   seating.NewGameOrder
		who []string
	}{
		"against Hal": {seating.NewGameOrder{Rules: "base", Hal: "standard"}, []string{"Ann"}},
		"with a bot":  {seating.NewGameOrder{Rules: "base"}, []string{"Ann", "bot:greedy"}},
		"with people": {seating.NewGameOrder{Rules: "advanced"}, []string{"Ann", "Bob"}},
	} {
		t.Run(name, func(t *testing.T) {
			x := newTable(t)
			x.begin(c.o, c.who...)
			x.play(60, "Ann", "Bob")
			turns, goesOn := 0, 0
			for i := range x.all {
				p := &x.all[i]
				done := slices.ContainsFunc(p.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.SayDone || r.Code == notice.TellStarted })
				asked := strings.Contains(strings.Join(strings.Fields(p.text), " "), " B: roll new dice, and the Black Angel")
				board := strings.Contains(p.text, "\nTHE FRIGATE\n") && len(p.pictures) > 0
				switch {
				case asked && (p.Kind == notice.KindTurn || done):
					if turns++; !board {
						t.Errorf("letter %d, %s, begins a turn without the board:\n%s", p.ID, p.Kind, p.text)
					}
				case p.Kind == notice.KindAnswer && !asked && len(p.legal) > 0 && !done:
					if goesOn++; board {
						t.Errorf("letter %d shows the board in the middle of a turn", p.ID)
					}
				}
			}
			if turns < 10 || goesOn == 0 {
				t.Errorf("only %d turns, %d letters within one", turns, goesOn)
			}
		})
	}
}

// Letters that promise the last notice again show it, and so do those to players who come
// back to a game or take over a seat.
func TestBoardAgain(t *testing.T) {
	x := newTable(t)
	x.begin(seating.NewGameOrder{Rules: "base", Name: "Friday"}, "Ann", "Bob", "Cyd")
	x.play(9, "Ann", "Bob", "Cyd")
	shows := func(what, who string) {
		t.Helper()
		p := &x.all[len(x.all)-1]
		for i := range x.all { // the newest to them
			if strings.HasPrefix(x.all[i].To, strings.ToLower(who)+"@") {
				p = &x.all[i]
			}
		}
		if !strings.Contains(p.text, "\nTHE FRIGATE\n") || len(p.pictures) == 0 {
			t.Errorf("%s: no board in\n%s", what, p.text)
		}
	}
	mover := ""
	for _, name := range []string{"Ann", "Bob", "Cyd"} {
		if len(x.latest(name).example) > 0 {
			mover = name
		}
	}
	x.write(mover, false, "die orange 9")
	shows("without a token", mover)
	x.write(mover, true, "mute")
	x.write(mover, true, "unmute")
	shows("unmuted", mover)
	x.write("Bob", true, "resign")
	x.write("Bob", true, "yes")
	x.write("Ann", true, "replace bob by eve@example.org")
	x.write("Eve", true, "join Eve")
	shows("a seat taken over", "Eve")
}
