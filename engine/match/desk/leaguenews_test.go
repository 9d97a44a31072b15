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

// TestOffersAreFew: however many players leave, a season offers a substitute only so many
// places that with news, the season's end and the check-in they have at most six letters. The
// director learns that no one takes the next place; in the next season the server asks the
// substitute again.
func TestOffersAreFew(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) { c.HoldNews = 7 * 24 * time.Hour })
	id := o.made(strings.Replace(tin, "division: 3", "division: 9", 1) + "substitutes: yes\n")
	names := []string{"ada", "bo", "cy", "di", "eve", "flo", "gil", "hob", "ivo"}
	o.joins("tin", names...)
	o.until("2026-12-02")
	o.send(o.letter(at("sue"), "", "substitute tin"))
	o.write("sue", "yes")
	offers := func(leaver string) (n int) {
		out := o.write(leaver, "leave league tin")
		if len(mail(out, notice.TellPlaceVain)) == 0 {
			n = len(mail(out, notice.AskPlace))
			if n > 0 {
				o.write("sue", "no")
			}
		}
		return n
	}
	total, vain := 0, 0
	for _, name := range names[:6] {
		if n := offers(name); n == 0 {
			vain++
		} else {
			total += n
		}
	}
	if total != 4 || vain != 2 {
		t.Errorf("%d offers, and %d places that no one is asked to take", total, vain)
	}
	o.playSeason(id)
	o.joins("tin", names[:6]...)
	for range 60 {
		if o.league(id).State.Season().N == 2 {
			break
		}
		o.until(o.now.AddDate(0, 0, 1).Format(time.DateOnly))
	}
	if n := offers("ivo"); n != 1 {
		t.Errorf("in the next season: %d offers", n)
	}
}

// TestRoundQuestionsAreFew: a player who is silent in each round of a solo league, and says
// each time that they are there, gets the question only as often as leaves room for what must
// come; they play on, and have at most six letters in the season.
func TestRoundQuestionsAreFew(t *testing.T) {
	o := newOffice(t, func(c *unit.Config) { c.HoldNews = 7 * 24 * time.Hour })
	id := o.made("name: Tin League\ndirector: dora@home.test\nkind: solo\nrounds: 9\nround: 3 weeks\nleast: 4\nstart: 2026-12-01\nclock: 12h\ncheck in: 5 days\nbreak: 3 weeks\n")
	o.until("2026-11-20")
	o.joins("tin", "ada", "bo", "cy", "di")
	began, asked := o.now, 0
	for range 300 {
		x := o.league(id).State.Season()
		if x != nil && x.N == 2 {
			break
		}
		if x != nil && x.N == 1 && began.Before(x.Began) {
			began = x.Began
		}
		out := o.until(o.now.AddDate(0, 0, 1).Format(time.DateOnly))
		for name, r := range mail(out, notice.AskHere) {
			o.send(o.letter(at(name), r.Token, "yes"))
			if m, _ := told(r, notice.AskHere); name == "ada" && m.Args["then"] == "round" {
				asked++
			}
		}
		for _, f := range o.running(id) {
			o.playOut(f.Game)
		}
	}
	played := 0
	for _, f := range o.league(id).State.Fixtures {
		if f.Season == 1 && slices.Contains(f.Players, o.playerOf("ada")) {
			played++
		}
	}
	if asked != 2 || played != 9 { // one round's news came in its own letter
		t.Errorf("asked before %d rounds, and played %d", asked, played)
	}
	end := o.league(id).State.Seasons[1].Began
	n := 0
	for _, r := range o.about("ada", "Tin League") {
		if r.Game == "" && r.Kind != notice.KindAnswer && !r.Date.Before(began) && r.Date.Before(end) {
			n++
		}
	}
	if n != 6 {
		t.Errorf("%d letters outside games", n)
	}
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

// TestNewsWaits: that a player has left asks nothing of the others in their division, so they
// learn it with the next letter about one of their games, or, without one, a week later; the
// question to a substitute comes at once.
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

// TestNewsComesAlone: if a player gets no other letter about the league, news comes in its own
// letter when it has waited for a week, twice a season; then it waits for the letter about the
// season's end. A restart of the server loses nothing.
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
