package desk_test

import (
	"slices"
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// TestRematchTellsNoAddress: a player invites strangers they played to another game
// without learning their addresses, whether they can be invited or not, and when
// letters to them come back. Players only asked to take a seat invite no one.
func TestRematchTellsNoAddress(t *testing.T) {
	o := newOffice(t)
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	f := o.running(id)[0]
	o.playOut(f.Game)
	name, other := strings.ToLower(o.seats(f.Game)[0].Name), strings.ToLower(o.seats(f.Game)[1].Name)
	tokens := func(who, game string) string {
		for _, r := range slices.Backward(o.box[at(who)]) {
			if r.Game == game {
				return r.Token
			}
		}
		t.Fatalf("%s has no letter of %s", who, game)
		return ""
	}
	clean := func(out []notice.Message) {
		t.Helper()
		for _, r := range out {
			if r.To == at(name) && strings.Contains(summary(r), at(other)) {
				t.Errorf("%s", summary(r))
			}
		}
	}
	_, out := o.send(o.letter(at(name), tokens(name, f.Game), "rematch"))
	clean(out)
	made := mail(out, notice.SayCreated)[name]
	if len(mail(out, notice.SayRematch)) != 1 || !strings.Contains(summary(made), strings.ToUpper(other[:1])+other[1:]) {
		t.Fatalf("%v", summaries(out))
	}
	o.n++
	o.bounced(other)
	clean(o.deliver())
	clean(o.box[at(name)])
	o.write(other, "never write to me again")
	_, out = o.send(o.letter(at(name), tokens(name, f.Game), "rematch"))
	if clean(out); problemOf(out[0]) != notice.ProblemNever {
		t.Errorf("%v", summaries(out))
	}
}

// TestOpenGameTellsNoAddress: nor does a player who opens a game to anyone.
func TestOpenGameTellsNoAddress(t *testing.T) {
	o := newOffice(t)
	o.started(9, "ada", "bot")
	o.started(9, "bo", "bot")
	o.write("ada", "open game\nseats: 3")
	game := o.last("ada").Game
	o.write("bo", "join "+game)
	o.n++
	o.bounced("bo")
	told := false
	for _, r := range append(o.deliver(), o.box[at("ada")]...) {
		told = told || r.To == at("ada") && slices.Contains(remarks(r), notice.TellBounced)
		if r.To == at("ada") && strings.Contains(summary(r), at("bo")) {
			t.Errorf("%s", summary(r))
		}
	}
	if !told {
		t.Errorf("ada does not hear of it: %s", summary(o.last("ada")))
	}
}
