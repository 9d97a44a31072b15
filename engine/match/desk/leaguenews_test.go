package desk_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// newsOffice is an office with a league of six in which news waits for a week.
func newsOffice(t *testing.T) (o *office, id string) {
	o = newOffice(t, func(c *unit.Config) { c.HoldNews = 7 * 24 * time.Hour })
	id = o.made(tin + "substitutes: yes\n")
	o.joins("tin", "ada", "bo", "cy", "di", "eve", "flo")
	o.until("2026-12-02")
	return o, id
}

// tells are the letters with a remark, in themselves or in the news that came with them.
func tells(letters []notice.Message, code string) (out []notice.Message) {
	for _, r := range letters {
		all := remarks(r)
		for _, a := range r.Answer.Collected {
			for _, m := range a.Remarks {
				all = append(all, m.Code)
			}
		}
		if slices.Contains(all, code) {
			out = append(out, r)
		}
	}
	return out
}

// TestNewsWaits: that a player has left asks nothing of the others of their division, so they
// hear of it with the next letter about one of their games, or, without one, a week later;
// the question to a substitute comes at once.
func TestNewsWaits(t *testing.T) {
	o, id := newsOffice(t)
	o.send(o.letter(at("sue"), "", "substitute tin"))
	o.write("sue", "yes")
	names := o.league(id).State.Season().Divisions[0].In()
	var first []string
	for _, name := range []string{"ada", "bo", "cy", "di", "eve", "flo"} {
		if slices.Contains(names, o.playerOf(name)) {
			first = append(first, name)
		}
	}
	out := o.write(first[0], "leave league tin")
	if got := tells(out, notice.TellLeft); len(got) > 0 {
		t.Errorf("at once: %v", summaries(got))
	}
	if len(mail(out, notice.AskPlace)) != 1 {
		t.Errorf("the substitute is not asked at once: %v", summaries(out))
	}
	told := map[string]bool{}
	for range 8 {
		for _, r := range tells(o.until(o.now.AddDate(0, 0, 1).Format(time.DateOnly)), notice.TellLeft) {
			if told[r.To] {
				t.Errorf("%s hears twice: %s", r.To, summary(r))
			}
			if told[r.To] = true; r.Game == "" && o.now.Before(time.Date(2026, 12, 9, 0, 0, 0, 0, time.UTC)) {
				t.Errorf("before a week is over: %s", summary(r))
			}
			if r.Game != "" && r.Answer.Collected[0].League != "Tin League" {
				t.Errorf("%s", summary(r))
			}
		}
	}
	if !told[at(first[1])] || !told[at(first[2])] || len(told) != 2 {
		t.Errorf("told are %v", told)
	}
	for _, row := range o.duesOf(id, store.DueNews) { // what has become of the place waits now
		if row.At.Before(o.now) {
			t.Errorf("it waits still: %+v", row)
		}
	}
}

// TestNewsComesAlone: to a player who gets no other letter about the league, news comes by
// itself when it has waited for a week, twice a season; then it waits for the letter that the
// season is over. Nothing is lost when the server starts anew.
func TestNewsComesAlone(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) { c.HoldNews = 7 * 24 * time.Hour })
	id := o.made(strings.NewReplacer("clock: 3d\n", "", "division: 3", "division: 6").Replace(tin)) // no deadline sends a letter
	o.joins("tin", "ada", "bo", "cy", "di", "eve", "flo")
	o.until("2026-12-02")
	f := o.running(id)[0]
	var reader string
	var others []string
	for _, name := range []string{"ada", "bo", "cy", "di", "eve", "flo"} {
		switch {
		case !slices.Contains(f.Players, o.playerOf(name)):
			others = append(others, name)
		case reader == "":
			reader = name
		}
	}
	o.from(f.Game, reader, "mute")
	alone := 0
	for week, name := range others {
		o.write(name, "leave league tin")
		o.open()
		for _, r := range tells(o.until(o.now.AddDate(0, 0, 6).Format(time.DateOnly)), notice.TellLeft) {
			if r.To == at(reader) {
				t.Errorf("within a week: %s", summary(r))
			}
		}
		for _, r := range tells(o.until(o.now.AddDate(0, 0, 2).Format(time.DateOnly)), notice.TellLeft) {
			if r.To == at(reader) {
				alone++
			}
		}
		if alone != min(week+1, 2) {
			t.Errorf("after week %d news has come by itself %d times", week+1, alone)
		}
	}
	for range 30 {
		for _, f := range o.running(id) {
			o.playOut(f.Game)
		}
		if o.until(o.now.AddDate(0, 0, 1).Format(time.DateOnly)); !o.league(id).State.Season().Running() {
			break
		}
	}
	if got := tells(o.about(reader, "Tin League"), notice.TellLeft); len(got) < 3 {
		t.Errorf("the season's end tells no news: %v", summaries(got))
	}
}
