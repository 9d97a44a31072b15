package season

import (
	"slices"
	"strings"
	"testing"

	"angelpost/engine/notice"
)

// Letters tell players where they stand: at the season's start with whom they play, how
// and until when, and at a game's end what it brought.
func TestLettersTellWhereOneStands(t *testing.T) {
	w := openClub(t, formats["divisions"])
	w.joins("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")
	w.write(addressOf("Gil"), nil, "substitute Iron League")
	w.write(addressOf("Gil"), w.last(addressOf("Gil")), "yes")
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
		for _, want := range []string{"against", "The season should end on", "4 days"} {
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
}
