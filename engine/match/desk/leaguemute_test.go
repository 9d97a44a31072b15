package desk_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// TestMutedLeague: players who mute a league, by its button or by letter, stay in it and get no
// schedules or announcements, but do get their games' letters, answers and questions; joining
// again ends it.
func TestMutedLeague(t *testing.T) {
	o := newOffice(t)
	ctx := context.Background()
	league := o.made(tin + "substitutes: yes\n")
	other := o.made(strings.Replace(tin, "Tin", "Brass", 1))
	o.joins(league, "ada", "bo", "cy", "di", "ed", "flo")
	o.joins(other, "ada")
	first := o.about("ada", "Tin League")[0]
	announced := func(name, about string) (n int) {
		for _, r := range o.about(name, about) {
			if slices.Contains(remarks(r), notice.TellAnnounced) {
				n++
			}
		}
		return n
	}
	announce := func(id string) {
		t.Helper()
		o.now = o.now.AddDate(0, 0, 1)
		if _, err := o.desk.AnnounceLeague(ctx, id, "Hear me.", true); err != nil {
			t.Fatal(err)
		}
		o.deliver()
	}
	announce(league)
	if announced("ada", "Tin League") != 1 {
		t.Fatal("ada heard nothing")
	}
	// Every letter about it has one button, another's is another, and it fits no
	// other league and no game.
	bo := o.about("bo", "Tin League")[0]
	if first.League != league || first.MuteKey == "" || first.MuteKey == bo.MuteKey || first.MuteKey == o.about("ada", "Brass League")[0].MuteKey {
		t.Fatalf("buttons %+v %+v", first, bo)
	}
	for _, r := range o.about("ada", "Tin League") {
		if r.MuteKey != first.MuteKey || r.League != league {
			t.Errorf("another button: %+v", r)
		}
	}
	for _, wrong := range [][2]string{{league, ""}, {league, "x"}, {other, first.MuteKey}, {"none", first.MuteKey}, {league, first.Token}} {
		if err := o.desk.MuteLeague(ctx, wrong[0], wrong[1]); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%q mutes: %v", wrong, err)
		}
	}
	if err := o.desk.Mute(ctx, league, first.MuteKey); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("it mutes a game: %v", err)
	}
	state := func(want bool) {
		t.Helper()
		if name, muted, err := o.desk.Host().LeagueMuted(ctx, league, first.MuteKey); err != nil || name != "Tin League" || muted != want {
			t.Errorf("%q muted %v, %v", name, muted, err)
		}
	}
	state(false)
	before := o.league(league).Row.Lines
	for range 2 {
		if err := o.desk.MuteLeague(ctx, league, first.MuteKey); err != nil {
			t.Fatal(err)
		}
	}
	if got := o.deliver(); len(got) != 0 || o.league(league).Row.Lines != before {
		t.Errorf("somebody was told, or the league's log knows of it: %+v", got)
	}
	state(true)
	announce(league)
	announce(other)
	if announced("ada", "Tin League") != 1 || announced("ada", "Brass League") != 1 || announced("bo", "Tin League") != 2 {
		t.Errorf("ada heard %d times, of the other league %d times, bo %d times", announced("ada", "Tin League"), announced("ada", "Brass League"), announced("bo", "Tin League"))
	}
	o.until("2026-12-02")
	for range 20 {
		if o.last("ada").Game != "" {
			break
		} // until it is her turn to play
		for _, f := range o.running(league) {
			o.playOut(f.Game)
		}
		o.due(time.Hour)
	}
	season, games := 0, 0
	for _, r := range o.box[at("ada")] {
		if r.Game != "" {
			games++
		} else if slices.Contains(remarks(r), notice.TellSeasonIn) && r.Answer.League == "Tin League" {
			season++
		}
	}
	if season != 0 || games == 0 || len(mail(o.about("bo", "Tin League"), notice.TellSeasonIn)) != 1 {
		t.Errorf("ada heard %d times of the season and has %d letters of its games", season, games)
	}
	if d := o.league(league).State.Division(playerOf(t, o, "ada")); d == nil {
		t.Error("ada does not play")
	}

	// By letter it is ended and begun again, as answer to a letter about the league.
	says := func(name, token, subject, text, code string) {
		t.Helper()
		c := o.letter(at(name), token, text)
		c.Subject = subject
		o.send(c)
		got := o.box[at(name)]
		if !slices.ContainsFunc(got[max(0, len(got)-2):], func(r notice.Message) bool { return slices.Contains(remarks(r), code) }) { // a game may begin with it
			t.Errorf("%s %q: %s", name, text, summary(o.last(name)))
		}
	}
	says("ada", first.Token, "Re: it", "unmute", notice.SayUnmutedLeague)
	announce(league)
	says("ada", first.Token, "mute", "", notice.SayMutedLeague) // as a mail program writes it
	announce(league)
	if n := announced("ada", "Tin League"); n != 2 {
		t.Errorf("ada heard %d times", n)
	}
	state(true)

	// What asks something comes: the place of one who leaves.
	o.joins(league, "gil")
	says("gil", o.last("gil").Token, "mute", "", notice.SayMutedLeague)
	o.write("bo", "leave league tin")
	o.deliver()
	if got := o.last("gil"); !slices.Contains(remarks(got), notice.AskPlace) {
		t.Fatalf("gil is not asked: %s", summary(got))
	}
	says("gil", o.last("gil").Token, "mute", "", notice.SayMutedLeague) // no answer to that
	for i, r := range slices.Backward(o.about("gil", "Tin League")) {
		if slices.Contains(remarks(r), notice.AskPlace) {
			says("gil", o.about("gil", "Tin League")[i].Token, "Re: it", "yes", notice.SayPlaceTaken)
			break
		}
	}
	// A player who leaves and comes back gets its letters again.
	says("gil", o.last("gil").Token, "Re: it", "leave league tin", notice.SayLeagueLeft)
	o.joins(league, "gil")
	announce(league)
	if announced("gil", "Tin League") == 0 {
		t.Error("gil hears nothing")
	}

	// A letter about nothing mutes nothing.
	o.send(o.letter(at("hal"), "", "help"))
	o.send(o.letter(at("ada"), "", "mute"))
	if got := problemOf(o.last("ada")); got == "" {
		t.Errorf("muted without a token: %s", summary(o.last("ada")))
	}
}

// playerOf returns the id of a player.
func playerOf(t *testing.T, o *office, name string) int64 {
	t.Helper()
	for _, r := range o.box[at(name)] {
		if r.Player != 0 {
			return r.Player
		}
	}
	t.Fatalf("%s is nobody", name)
	return 0
}
