package desk_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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

// again is a game of these players that is over, with the token that each has of its last letter.
func (o *office) again(names ...string) (id string, tokens map[string]string) {
	o.t.Helper()
	id = o.started(1, names...)
	scores := make([]string, len(names))
	for i, x := range o.seats(id) {
		scores[i] = fmt.Sprint(x.Name, " ", 10*i)
	}
	o.ruled("adjudicate " + id + " " + strings.Join(scores, ", ") + ": it is late")
	tokens = map[string]string{}
	for _, name := range names {
		tokens[name] = o.last(name).Token
	}
	return id, tokens
}

// TestRematchesAtOnceAreOne: players who ask for a rematch before they have read that another
// has, join that.
func TestRematchesAtOnceAreOne(t *testing.T) {
	o := newOffice(t)
	_, tokens := o.again("ada", "bo", "cy")
	asks := func(name string) []notice.Message {
		t.Helper()
		_, out := o.send(o.letter(at(name), tokens[name], "rematch"))
		return out
	}
	made := mail(asks("ada"), notice.SayCreated)["ada"]
	if made.Game == "" {
		t.Fatalf("ada: %s", summary(o.last("ada")))
	}
	out := asks("bo")
	joined, ok := told(mail(out, notice.SayJoined)["bo"], notice.SayRematchBy)
	if !ok || joined.Args["name"] != "Ada" || mail(out, notice.SayJoined)["bo"].Game != made.Game || len(mail(out, notice.TellJoined)) != 1 {
		t.Errorf("bo asks, too: %v", summaries(out))
	}
	if out := asks("bo"); len(out) != 1 || problemOf(out[0]) != notice.ProblemRematch {
		t.Errorf("bo asks once more: %v", summaries(out))
	}
	if out := asks("cy"); len(mail(out, notice.TellStarted)) != 3 {
		t.Errorf("cy is the last: %v", summaries(out))
	}
	if out := asks("ada"); len(out) != 1 || problemOf(out[0]) != notice.ProblemRematch {
		t.Errorf("ada asks when it has begun: %v", summaries(out))
	}
	if n := len(o.games()); n != 2 {
		t.Errorf("there are %d games, not the old one and one rematch", n)
	}
	o.verified()
}

// TestRefusalIsToldOnce: all players of a rematch learn once that a player refuses, and not
// again when the invitations expire; after that a new request for a rematch works.
func TestRefusalIsToldOnce(t *testing.T) {
	o := newOffice(t)
	_, tokens := o.again("ada", "bo", "cy")
	_, out := o.send(o.letter(at("ada"), tokens["ada"], "rematch"))
	invited := mail(out, notice.SayCreated)["ada"].Game
	out = o.write("bo", "decline")
	declined := mail(out, notice.TellDeclined)
	if len(declined) != 2 || declined["ada"].Game != invited || declined["cy"].Game != invited {
		t.Fatalf("bo declines: %v", summaries(out))
	}
	if r, _ := told(declined["cy"], notice.TellDeclined); r.Args["name"] != "Bo" || r.Args["address"] != "" {
		t.Errorf("cy reads %+v", r)
	}
	if out := o.write("bo", "decline"); len(out) != 1 {
		t.Errorf("bo declines again: %v", summaries(out))
	}
	o.write("cy", "join")
	out = o.due(30 * 24 * time.Hour)
	for name, r := range mail(out, notice.TellExpired) {
		if r, _ := told(r, notice.TellExpired); r.Args["then"] != "vacant" {
			t.Errorf("%s reads once more that bo did not reply: %+v", name, r)
		}
	}
	if len(mail(out, notice.TellExpired)) != 2 || len(mail(out, notice.TellDeclined)) > 0 {
		t.Errorf("the invitations expire: %v", summaries(out))
	}
	if _, out := o.send(o.letter(at("cy"), tokens["cy"], "rematch")); len(mail(out, notice.SayCreated)) != 1 {
		t.Errorf("anew: %v", summaries(out))
	}
}

// TestNoTimeDeclines: everyday words decline a rematch and an invitation; the others learn it
// once.
func TestNoTimeDeclines(t *testing.T) {
	for _, no := range []string{"no thanks, I have no time", "No thanks, I have no time.\n\nBest,\nBo", "sorry, no time", "Sorry, I can't. No time at the moment."} {
		o := newOffice(t)
		_, tokens := o.again("ada", "bo", "cy")
		o.send(o.letter(at("ada"), tokens["ada"], "rematch"))
		out := o.write("bo", no)
		if declined := mail(out, notice.TellDeclined); len(declined) != 2 || !slices.Contains(remarks(own(t, out, "bo")), notice.SayDeclined) {
			t.Errorf("a rematch, %q: %v", no, summaries(out))
		}
		o.started(1, "dan", "bot")
		for _, guest := range []string{"bo", "eve@far.test"} { // a player, and someone new
			o.write("dan", "new game\nplayers: "+at(guest)+", cy@home.test")
			out = o.write(guest, no)
			if declined := mail(out, notice.TellDeclined); declined["dan"].To == "" || problemOf(own(t, out, guest)) != "" {
				t.Errorf("an invitation of %s, %q: %v", guest, no, summaries(out))
			}
		}
	}
}
