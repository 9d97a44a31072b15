package season

import (
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/notice"
)

// What a league's director may hear: at once, at a season's beginning and end, and weekly.
var (
	urgent   = []string{notice.TellStalled, notice.TellSeatRuler, notice.TellPlaceVain, notice.TellAppeal, notice.TellBouncedRuler}
	seasonal = []string{notice.TellDirectSeason, notice.TellDirectEnd}
)

// elsewhere are the commands that other tests send back as they are printed, of package desk:
// TestAppeal, TestWeeklyReport, TestRulerIsTold and TestTakeOver.
var elsewhere = []string{notice.CommandUphold, notice.CommandResume, notice.CommandBot, notice.CommandTakeOver}

// TestDirectorHears: over a season with a player who never plays, leavers and one who
// resigns, the director hears at once of what needs them, of the rest at most once a week and
// only while a season runs, of each season's beginning and end, and of nothing else. All
// these letters end with commands, and each command works when it is sent back as it is.
func TestDirectorHears(t *testing.T) {
	heard, worked := map[string]int{}, map[string]int{}
	for _, kind := range []string{"divisions", "swiss", "knockout", "ladder"} {
		t.Run(kind, func(t *testing.T) {
			w := openClub(t, formats[kind])
			read := len(w.box[clubDirector]) // that they direct it
			var weekly time.Time
			news := func() {
				for ; read < len(w.box[clubDirector]); read++ {
					l := w.box[clubDirector][read]
					code, over := l.Answer.Remarks[0].Code, false
					heard[code]++
					switch {
					case slices.Contains(urgent, code), slices.Contains(seasonal, code):
					case code == notice.TellWeek:
						if l.at.Sub(weekly) < 7*24*time.Hour {
							t.Errorf("two weekly letters within %v", l.at.Sub(weekly))
						}
						weekly = l.at
						x := w.league().State.Season()
						if over = !x.Running(); over && l.at.After(x.Ended) {
							t.Error("a weekly letter between seasons")
						}
						if r := reportOf(&l); r == nil || r.Ended == 0 && len(r.Late)+len(r.Absent)+len(r.Paused)+len(r.Longest)+len(r.Left)+len(r.Bounced)+len(r.Silent) == 0 {
							t.Errorf("a weekly letter without news:\n%s", l.Text)
						}
					default:
						t.Errorf("the director hears %s:\n%s", code, l.Text)
					}
					if !over { // since it came
						w.sendsCommands(&l, worked)
					}
				}
			}
			w.run(func() bool { news(); return w.at.After(time.Date(2026, 11, 5, 0, 0, 0, 0, time.UTC)) })
			w.joins("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")
			w.run(func() bool { news(); return w.league().State.Season() != nil })
			w.turns()
			if kind == "ladder" {
				w.write(addressOf("Gil"), nil, "substitute Iron League") // who answers nothing else
				w.write(addressOf("Gil"), w.last(addressOf("Gil")), "yes")
			}
			w.write(addressOf("Eve"), w.last(addressOf("Eve")), "leave league Iron League")
			news()
			for i := range w.box[addressOf("Bob")] {
				if l := &w.box[addressOf("Bob")][i]; l.Game != "" {
					w.write(addressOf("Bob"), w.write(addressOf("Bob"), l, "resign"), "yes")
					break
				}
			}
			w.run(func() bool { news(); return w.over(1)() }, addressOf("Fay"))
			w.run(func() bool { news(); return heard[notice.TellStalled] > 0 }, addressOf("Fay"))
			w.joins("Hob", "Ida")
			w.run(func() bool { news(); return w.league().State.Season().N == 2 })
			news()
			if begun, over := count(w.box[clubDirector], notice.TellDirectSeason), count(w.box[clubDirector], notice.TellDirectEnd); begun != 2 || over != 1 {
				t.Errorf("%d letters that a season begins, and %d that one is over", begun, over)
			}
		})
	}
	for _, code := range []string{notice.TellWeek, notice.TellSeatRuler, notice.TellPlaceVain, notice.TellStalled} {
		if heard[code] == 0 {
			t.Errorf("the director never heard %s: %v", code, heard)
		}
	}
	for _, code := range notice.Commands {
		if worked[code] == 0 && !slices.Contains(elsewhere, code) {
			t.Errorf("no letter had the command %s: %v", code, worked)
		}
	}
}

func count(box []clubLetter, code string) (n int) {
	for i := range box {
		if slices.ContainsFunc(box[i].Answer.Remarks, func(r notice.Remark) bool { return r.Code == code }) {
			n++
		}
	}
	return n
}

func reportOf(l *clubLetter) *notice.LeagueReport {
	for _, s := range l.Answer.Sections {
		if s.Kind == "report" {
			return s.Report
		}
	}
	return nil
}

// sendsCommands answers a letter to the director, on a copy of the server, with each command
// that it ends with.
func (w *club) sendsCommands(l *clubLetter, worked map[string]int) {
	w.t.Helper()
	_, text, ok := strings.Cut(l.Text, "COMMANDS YOU CAN SEND")
	if !ok || len(l.Answer.Commands) == 0 {
		w.t.Errorf("a letter to the director has no commands:\n%s", l.Text)
		return
	}
	lines := examples(text)
	if len(lines) != len(l.Answer.Commands) {
		w.t.Fatalf("%d commands of %d are in the text:\n%s", len(lines), len(l.Answer.Commands), l.Text)
	}
	new := slices.ContainsFunc(l.Answer.Commands, func(r notice.Remark) bool { return worked[l.Answer.Remarks[0].Code+" "+r.Code] == 0 })
	if !new { // the same ones worked before
		return
	}
	x := w.copy()
	for i, line := range lines {
		code := l.Answer.Commands[i].Code
		if code == notice.CommandClose || code == notice.CommandStart { // after which others do not work
			x = w.copy()
		}
		a := x.write(clubDirector, l, line)
		if a != nil && slices.ContainsFunc(a.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.AskSure }) {
			a = x.write(clubDirector, a, "yes")
		}
		if a == nil || slices.ContainsFunc(a.Answer.Lines, func(r notice.LineResult) bool { return r.Problem != nil }) ||
			slices.ContainsFunc(a.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.AskLeague }) {
			text := "silence"
			if a != nil {
				text = a.Text
			}
			w.t.Errorf("%q does not work:\n%s", line, text)
			continue
		}
		worked[code]++
		worked[l.Answer.Remarks[0].Code+" "+code]++
	}
}
