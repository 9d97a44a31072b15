package desk_test

import (
	"testing"

	"angelpost/engine/notice"
)

// TestHeirKnowsWhatTheyAreAsked: the invitation to a seat of a running game says who asks, for
// whose seat, in which game and round.
func TestHeirKnowsWhatTheyAreAsked(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	f := o.running(id)[0]
	x := o.seats(f.Game)[0]
	o.write("dora", "replace "+f.Game+" "+x.Name+" by zoe@home.test: she knows the game")
	r := o.last("zoe")
	inv := r.Answer.Invite
	if r.Kind != notice.KindInvitation || inv == nil || inv.Seat != x.Name || inv.Round != 1 || inv.Organiser == "" || r.Answer.GameName == "" {
		t.Errorf("%+v in %s", inv, summary(r))
	}
}
