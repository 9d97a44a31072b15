package desk_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// threaded checks that letters are one thread: the first heads it, all others
// refer to that and to what they answer.
func threaded(t *testing.T, letters []notice.Message) {
	t.Helper()
	if len(letters) == 0 {
		t.Fatal("no letters")
	}
	head := letters[0]
	if head.Thread != "" {
		t.Errorf("the first letter is in the thread of %s: %s", head.Thread, summary(head))
	}
	for _, r := range letters[1:] {
		if r.Thread != head.MessageID || len(r.References) == 0 || r.References[0] != head.MessageID || r.InReplyTo != "" && r.References[len(r.References)-1] != r.InReplyTo {
			t.Errorf("not in the thread of %s: %v %s", head.MessageID, r.References, summary(r))
		}
	}
}

// about returns a player's letters about a league, without those of its games and
// those from before they were a player: replies to them lead to the thread.
func (o *office) about(name, league string) (out []notice.Message) {
	for _, r := range o.box[at(name)] {
		if r.Game == "" && r.Player != 0 && r.Answer.League == league {
			out = append(out, r)
		}
	}
	return out
}

// TestLeagueThreads: a player's letters about a league are a thread, those of a
// season another, and two leagues are kept apart, though one event is about both.
func TestLeagueThreads(t *testing.T) {
	o := newOffice(t)
	first, second := o.made(tin), o.made(strings.Replace(tin, "Tin", "Brass", 1))
	names := []string{"ada", "bo", "cy", "di", "ed", "flo"}
	o.joins(first, names...)
	o.joins(second, names...)
	o.write("ada", "league tin\nstandings tin")
	if _, err := o.desk.AnnounceLeague(context.Background(), first, "Welcome.", true); err != nil {
		t.Fatal(err)
	}
	o.deliver()
	before := o.about("ada", "Tin League")
	if len(before) < 3 { // joined, asked, announced
		t.Fatalf("%d letters", len(before))
	}
	threaded(t, before)
	o.until("2026-12-02")
	if _, err := o.desk.AnnounceLeague(context.Background(), first, "Good luck.", true); err != nil {
		t.Fatal(err)
	}
	o.deliver()
	o.write("bo", "leave league tin\nleave league brass") // both of Bo's divisions learn it
	all := o.about("ada", "Tin League")
	left := func(league string) bool { // in a letter about a game of it, or about the league
		return slices.ContainsFunc(o.box[at("ada")], func(r notice.Message) bool {
			said, ok := told(r, notice.TellLeft)
			return ok && said.Args["league"] == league
		})
	}
	if len(mail(all, notice.TellSeasonIn)) == 0 || !left("Tin League") {
		t.Fatalf("ada has not heard of everything: %d letters", len(all))
	}
	threaded(t, all) // the first season is that of those who waited for it
	other := o.about("ada", "Brass League")
	if !left("Brass League") {
		t.Errorf("what happened in both leagues stands in one letter")
	}
	threaded(t, other)
	if all[0].MessageID == other[0].MessageID {
		t.Error("two leagues are one thread")
	}
	for _, r := range o.box[at("ada")] {
		if r.Game != "" && (r.Thread == all[0].MessageID || r.Thread == other[0].MessageID) {
			t.Errorf("a game's letter is in a league's thread: %s", summary(r))
		}
	}
	o.open() // as after a restart
	for range 20 {
		for _, f := range append(o.running(first), o.running(second)...) {
			o.playOut(f.Game)
		}
		o.due(0)
	}
	o.until("2027-02-01")
	all = o.about("ada", "Tin League")
	begun := 0
	for i, r := range all {
		if i > 0 && r.Thread == "" {
			begun = i
		}
	}
	if begun == 0 || len(mail(all[begun:begun+1], notice.TellSeasonIn)) == 0 || all[begun].Answer.Remarks[0].Args["season"] != "2" {
		t.Fatalf("the second season begins no thread: letter %d of %d", begun, len(all))
	}
	threaded(t, all[:begun])
	threaded(t, all[begun:])
}
