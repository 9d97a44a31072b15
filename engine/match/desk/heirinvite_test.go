package desk_test

import (
	"strings"
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
	o.write("dora", "name Dora")
	o.decides("dora", "replace "+f.Game+" "+x.Name+" by zoe@home.test: she knows the game")
	r := o.last("zoe")
	inv := r.Answer.Invite
	if r.Kind != notice.KindInvitation || inv == nil || inv.Seat != x.Name || inv.Round != 1 || inv.Organiser == "" || r.Answer.GameName == "" {
		t.Errorf("%+v in %s", inv, summary(r))
	}
	text, html := o.shown(r)
	for _, want := range []string{"Dora asks you to take over " + x.Name + "'s seat", "The game is called " + r.Answer.GameName + ". It is running, in round 1: you would play on from there"} {
		if !strings.Contains(strings.ToLower(text), strings.ToLower(want)) || !strings.Contains(strings.ReplaceAll(html, "&#39;", "'"), want) {
			t.Errorf("the invitation lacks %q:\n%s", want, text)
		}
	}
}
