package season

import (
	"slices"
	"testing"

	"angelpost/engine/notice"
)

// atEnd are what the letter at a game's end says of its league, by format.
var atEnd = map[string][]string{
	"divisions": {notice.TellRanked}, "swiss": {notice.TellRanked}, "knockout": {notice.TellMatch}, "solo": {notice.TellSoloOpen},
	"ladder": {notice.TellClimbs, notice.TellFalls, notice.TellStays},
}

// saysWhatIsOpen holds that letters to players say what they must: at the season's start the
// opponents, dates, clock and substitutes, at a game's end where the player stands and what is
// open, at the season's end the table and the next date.
func (w *club) saysWhatIsOpen(t *testing.T, kind string, names []string) {
	t.Helper()
	ended := 0
	for _, name := range names {
		for _, l := range w.box[addressOf(name)] {
			for _, s := range l.Answer.Sections {
				switch {
				case s.Kind == "schedule" && (len(s.League.Games) == 0 || s.League.Ends == "" || s.League.Options.Clock == ""):
					t.Errorf("%s, at the start: %+v", name, s.League)
				case s.Kind == "season-end" && (len(s.League.Table) == 0 || s.League.Opens == "" || len(s.League.Records) == 0):
					t.Errorf("%s, at the end: %+v", name, s.League)
				}
			}
			if l.Message.Kind != notice.KindEnd {
				continue
			}
			says := slices.ContainsFunc(l.Answer.Remarks, func(r notice.Remark) bool { return slices.Contains(atEnd[kind], r.Code) })
			table := slices.ContainsFunc(l.Answer.Sections, func(s notice.Section) bool { return s.Kind == "standings" && len(s.League.Table) > 0 })
			if says && table {
				ended++
			}
		}
	}
	if ended < len(names) {
		t.Errorf("%d letters at a game's end say where players stand", ended)
	}
}
