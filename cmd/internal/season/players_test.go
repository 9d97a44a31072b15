package season

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// Letters tell players where they stand: at the season's start with whom they play, how
// and until when, and at a game's end what it brought.
func TestLettersTellWhereOneStands(t *testing.T) {
	w := openClub(t, formats["divisions"])
	w.write(addressOf("Gil"), nil, "substitute Iron League")
	w.write(addressOf("Gil"), w.last(addressOf("Gil")), "yes")
	w.joins("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")
	w.run(w.over(1))
	flat := func(l *clubLetter) string { return strings.Join(strings.Fields(l.Text), " ") }
	find := func(to, code string) (found []*clubLetter) {
		for i := range w.box[to] {
			l := &w.box[to][i]
			if slices.ContainsFunc(l.Answer.Remarks, func(r notice.Remark) bool { return r.Code == code }) {
				found = append(found, l)
			}
		}
		return found
	}
	for _, name := range []string{"Ann", "Bob", "Cyd", "Dan", "Eve", "Fay"} {
		begin := find(addressOf(name), notice.TellSeasonIn)
		if len(begin) != 1 {
			t.Fatalf("%s: %d letters about the season", name, len(begin))
		}
		for _, want := range []string{"against", "The season should end on", "Rules: Base game", "4 days a turn", "1 substitute is ready to take over a seat"} {
			if !strings.Contains(flat(begin[0]), want) {
				t.Errorf("%s is not told %q:\n%s", name, want, begin[0].Text)
			}
		}
		ends := find(addressOf(name), notice.TellRanked)
		if len(ends) != 2 {
			t.Errorf("%s hears of %d games where it puts them", name, len(ends))
		}
		for i, l := range ends {
			if !strings.Contains(flat(l), "STANDINGS OF DIVISION") || !strings.Contains(flat(l), []string{"You have 1 more game", "You have no more games"}[i]) {
				t.Errorf("%s:\n%s", name, l.Text)
			}
			seats := 0 // in games that are open, of two each
			for _, row := range l.Answer.Sections[slices.IndexFunc(l.Answer.Sections, func(s notice.Section) bool { return s.Kind == "standings" })].League.Table {
				seats += row.Games - row.Played
			}
			for _, r := range l.Answer.Remarks {
				if r.Code == notice.TellRanked && r.Args["open"] != strconv.Itoa(seats/2) {
					t.Errorf("%s is told that %s games are open, not %d", name, r.Args["open"], seats/2)
				}
			}
		}
	}
	for _, name := range []string{"Ann", "Fay"} { // the last letter has the season's records
		var last []*clubLetter
		for _, code := range []string{notice.TellSeasonEnd, notice.TellSeasonUp, notice.TellSeasonDown} {
			last = append(last, find(addressOf(name), code)...)
		}
		if len(last) != 1 {
			t.Fatalf("%s: %d letters about the season's end", name, len(last))
		}
		for _, want := range []string{"RECORDS OF THE SEASON", "Closest game: ", "VP apart.", "Highest score: ", "/l/iron-league/years"} {
			if !strings.Contains(flat(last[0]), want) {
				t.Errorf("%s is not told %q:\n%s", name, want, last[0].Text)
			}
		}
	}
	l := w.league()
	for _, d := range l.State.Seasons[0].Divisions {
		to := addressOf(l.Names[d.Players[0]])
		text := w.write(to, w.last(to), "standings Iron League").Text
		for n := 1; n <= 2; n++ {
			if linked := strings.Contains(text, "/l/iron-league/1/"+string(rune('0'+n))); linked == (n == d.N) {
				t.Errorf("%s, of division %d, division %d linked: %v\n%s", to, d.N, n, linked, text)
			}
		}
	}
	w.run(w.over(2)) // whose letters are held against the league, too (club.collect)
}

// Letters of a knock-out say who goes on, who is out, who has a bye and why, and who has won,
// also where no one goes on from a match, as bots played it.
func TestKnockoutLetters(t *testing.T) {
	t.Parallel()
	w := openClub(t, strings.Replace(formats["knockout"], "least: 5", "least: 6", 1))
	w.joins("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")
	w.run(func() bool { return w.league().State.Season() != nil })
	l := w.league()
	var away, silent []string // two who play each other, and never come
	for _, f := range l.State.Fixtures {
		if !f.Bye && away == nil {
			for _, p := range f.Players {
				away, silent = append(away, addressOf(l.Names[p])), append(silent, l.Names[p])
			}
		}
	}
	w.run(w.over(1), away...)
	said := map[string][]string{}
	for _, name := range []string{"Ann", "Bob", "Cyd", "Dan", "Eve", "Fay"} {
		for i := range w.box[addressOf(name)] {
			x := &w.box[addressOf(name)][i]
			w.saysNoNonsense(t, x)
			text := strings.Join(strings.Fields(x.Text), " ")
			for sentence, kind := range map[string]string{
				"you have a bye, because the number of players did not come out even": "drawn", "you have a bye: no one has come through to play against you": "empty",
				"You go on to the next round of the knock-out Iron League.": "on", "You are out of the knock-out Iron League: ": "out",
				"No player finished your match in the knock-out Iron League, so no one goes on from it.": "none",
				"You have won the final of the knock-out Iron League.":                                   "won", " has won the final of the knock-out Iron League.": "lost",
				"Season 1 of the league Iron League is over. You have won it.": "season", " has won it. You are ": "season-lost",
			} {
				if strings.Contains(text, sentence) {
					said[kind] = append(said[kind], name)
				}
			}
		}
	}
	names := w.league().Names
	winner := names[w.league().State.Winners(1)[0]]
	for kind, n := range map[string]int{"drawn": 2, "empty": 1, "on": 2, "out": 2, "won": 1, "lost": 1, "season": 1, "season-lost": 5} {
		if got := slices.Compact(said[kind]); len(got) != n {
			t.Errorf("%q is said to %v, not to %d players", kind, got, n)
		}
	}
	if none := slices.Compact(said["none"]); !slices.Equal(slices.Sorted(slices.Values(none)), slices.Sorted(slices.Values(silent))) {
		t.Errorf("that no one goes on is said to %v, not to %v", none, silent)
	}
	if !slices.Equal(said["season"], []string{winner}) || !slices.Equal(said["won"], []string{winner}) {
		t.Errorf("%s has won, which is said to %v and %v", winner, said["season"], said["won"])
	}
}

// Players who join late hear when and where they begin, in every format as LEAGUES.md promises.
func TestLateJoinersHearWhen(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string][]string{
		"divisions": {"Season 1 has already been scheduled, so you wait for the next: it should open on ", "on the waiting list. If a player leaves before that, we may offer you the place."},
		"knockout":  {"Season 1 has already been scheduled, so you wait for the next: it should open on ", "on the waiting list. If a player leaves before that, we may offer you the place."},
		"swiss":     {"and play from its next round on.", "The next round begins when all games of this one are over."},
		"ladder":    {"and play from its next round on.", "The next round begins on "},
		"solo":      {"and play from its next round on.", "The next round begins on "},
	} {
		w := openClub(t, formats[kind])
		w.joins("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")
		w.run(func() bool { return w.league().State.Season() != nil })
		w.joins("Gil")
		text := strings.Join(strings.Fields(w.last(addressOf("Gil")).Text), " ")
		for _, sentence := range want {
			if !strings.Contains(text, sentence) {
				t.Errorf("%s: %q is not said:\n%s", kind, sentence, text)
			}
		}
		switch kind { // that those who wait play in the next season, TestLateEntry holds for all
		case "divisions":
			w.run(func() bool { return w.league().State.Season().N == 2 })
		case "knockout":
			continue
		default: // bots play the round, which is faster
			all := []string{addressOf("Ann"), addressOf("Bob"), addressOf("Cyd"), addressOf("Dan"), addressOf("Eve"), addressOf("Fay"), addressOf("Gil")}
			w.run(func() bool { return w.league().State.Season().Round == 2 }, all...)
		}
		id := int64(0)
		l := w.league()
		for p, name := range l.Names {
			if name == "Gil" {
				id = p
			}
		}
		d := l.State.Division(id)
		if d == nil {
			t.Errorf("%s: Gil does not play when the letter said so", kind)
			continue
		}
		if kind == "divisions" && d.N != len(l.State.Season().Divisions) {
			t.Errorf("Gil begins in division %d", d.N)
		}
	}
}

// TestAddressesStayAfterARename: the pages of a league and of its seasons, and their data, keep
// their addresses when the director renames it, and have the new name.
func TestAddressesStayAfterARename(t *testing.T) {
	t.Parallel()
	w := openClub(t, formats["divisions"])
	w.joins("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")
	w.run(func() bool { return w.league().State.Season() != nil })
	answer := w.write(clubDirector, w.last(clubDirector), "rename league Iron League to Zinc League: the sponsor")
	for _, path := range []string{"/l/iron-league", "/l/iron-league/years", "/l/iron-league/1/2", "/l/iron-league/league.json", "/l/iron-league/years.json", "/l/iron-league/feed.atom"} {
		if body := w.page(path); path != "/l/iron-league/years.json" && !strings.Contains(body, "Zinc League") {
			t.Errorf("%s does not have the new name:\n%s", path, answer.Text)
		}
	}
}

// The letter at a season's start tells what is played, also where that differs from the usual.
func TestSeasonLetterTellsTheRules(t *testing.T) {
	w := openClub(t, formats["divisions"]+"rules: advanced\nedition: first\n")
	w.joins("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")
	w.run(func() bool { return w.league().State.Season() != nil })
	told := 0
	for _, l := range w.box[addressOf("Ann")] {
		if !slices.ContainsFunc(l.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.TellSeasonIn }) {
			continue
		}
		told++
		for _, want := range []string{"Advanced rules", "first edition", "4 days a turn"} {
			if !strings.Contains(strings.Join(strings.Fields(l.Text), " "), want) {
				t.Errorf("the letter lacks %q:\n%s", want, l.Text)
			}
		}
	}
	if told != 1 {
		t.Errorf("%d letters", told)
	}
}

// Letters about a match of several games say while it is open how many are to come, and who
// goes on once that is decided, also before its last game: saysTheMatch compares each letter.
func TestMatchesOfThreeGames(t *testing.T) {
	t.Parallel()
	w := openClub(t, least.ReplaceAllString(formats["knockout"], "least: 4")+"best of: 3\n")
	w.joins("Ann", "Bob", "Cyd", "Dan")
	w.run(w.over(1))
	for then, n := range map[string]int{"open": 6, "on": 2, "out": 2, "won": 1, "lost": 1} {
		if w.matches[then] < n {
			t.Errorf("%d letters say %q of a match", w.matches[then], then)
		}
	}
}
