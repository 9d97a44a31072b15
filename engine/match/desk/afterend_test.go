package desk_test

import (
	"testing"

	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// After a game's end, words that make no sense any more say that the game is over, in answer to
// any of its letters, and no answer speaks of orders where there were none.
func TestTheGameIsOver(t *testing.T) {
	o := newOffice(t)
	id := o.started(4, "ada", "bo")
	first := o.last("ada")
	for _, name := range []string{"bo", "ada"} {
		o.write(name, "resign")
		o.write(name, "yes")
	}
	if s := o.row(id).State; s != store.GameFinished {
		t.Fatalf("both have resigned, and the game is %s", s)
	}
	for _, m := range []notice.Message{first, o.last("ada")} {
		for _, line := range []string{"resign", "abandon", "take back", "cancel", "replace Bo by bot: gone", "remind Bo", "extend Bo by 2 days", "pause", "resume", "undo", "die gray 2", "always forced"} {
			r := o.reply("ada", m, line)
			if code := o.refused("ada"); code != notice.ProblemOver || says(r.Answer, notice.SayTurnOver) {
				t.Errorf("%q: %s", line, summary(r))
			}
		}
	}
}
