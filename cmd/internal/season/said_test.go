package season

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/engine/league"
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
		sections := map[string]int{}
		for _, l := range w.box[addressOf(name)] {
			for _, s := range l.Answer.Sections {
				sections[s.Kind]++
				switch {
				case s.Kind == "schedule" && (len(s.League.Games) == 0 || s.League.Ends == "" || s.League.Options.Clock == ""):
					t.Errorf("%s, at the start: %+v", name, s.League)
				case s.Kind == "season-end" && (len(s.League.Table) == 0 || s.League.Opens == "" || len(s.League.Records) == 0):
					t.Errorf("%s, at the end: %+v", name, s.League)
				}
			}
			w.saysNoNonsense(t, &l)
			if l.Message.Kind != notice.KindEnd {
				continue
			}
			says := slices.ContainsFunc(l.Answer.Remarks, func(r notice.Remark) bool { return slices.Contains(atEnd[kind], r.Code) })
			table := slices.ContainsFunc(l.Answer.Sections, func(s notice.Section) bool { return s.Kind == "standings" && len(s.League.Table) > 0 })
			if says && table {
				ended++
			}
		}
		if sections["schedule"] != 1 || sections["season-end"] != 1 {
			t.Errorf("%s hears %d times what a season brings, and %d times how it ended", name, sections["schedule"], sections["season-end"])
		}
	}
	compared := w.figures["running"] > 0 && w.figures["season-end"] > 0
	if kind != "knockout" {
		compared = compared && slices.ContainsFunc(atEnd[kind], func(code string) bool { return w.figures[code] > 0 })
	}
	if !compared {
		t.Errorf("no letter's figures were compared: %v", w.figures)
	}
	if ended < len(names) {
		t.Errorf("%d letters at a game's end say where players stand", ended)
	}
}

// saysTheTable holds that the sentence about where a player stands after a game says what the
// table in the same letter does.
func (w *club) saysTheTable(l *clubLetter) {
	t := w.t
	t.Helper()
	for _, r := range l.Answer.Remarks {
		ladder := slices.Contains(atEnd["ladder"], r.Code)
		w.saysWhatIsLeft(l, r)
		if r.Code != notice.TellRanked && !ladder {
			continue
		}
		i := slices.IndexFunc(l.Answer.Sections, func(s notice.Section) bool { return s.Kind == "standings" })
		if i < 0 {
			t.Errorf("%s is told a rank, and no table", l.To)
			continue
		}
		table := l.Answer.Sections[i].League.Table
		at := slices.IndexFunc(table, func(x notice.LeagueRank) bool { return x.You })
		if at < 0 {
			t.Errorf("%s is not in the table of the letter", l.To)
			continue
		}
		row := table[at]
		said, want := []string{r.Args["rank"], r.Args["points"]}, []string{strconv.Itoa(row.Rank), row.Points}
		if ladder {
			said, want = said[:1], want[:1]
			old, rank := r.Args["old"], r.Args["rank"]
			if o, n := number(t, old), number(t, rank); (r.Code == notice.TellClimbs) != (n < o) || (r.Code == notice.TellFalls) != (n > o) {
				t.Errorf("%s reads %s, from %s to %s", l.To, r.Code, old, rank)
			}
		}
		if !slices.Equal(said, want) {
			t.Errorf("%s reads rank and points %q, the table has %q", l.To, said, want)
		}
	}
}

func number(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// saysWhatIsLeft holds that the figures of a letter at a game's end are those of the league: how
// many games are open, the reader's and all of the division or round, and rounds to come.
func (w *club) saysWhatIsLeft(l *clubLetter, r notice.Remark) {
	w.t.Helper()
	if r.Code != notice.TellRanked && r.Code != notice.TellSoloOpen && !slices.Contains(atEnd["ladder"], r.Code) {
		return
	}
	s := w.league().State
	f := s.Of(l.Message.Game)
	x := &s.Seasons[f.Season-1]
	if !x.Running() { // since the letter was written
		return
	}
	d := &x.Divisions[f.Division-1]
	mine, open, most := 0, 0, 0 // most: with games that ended at the same time
	for _, g := range d.Fixtures {
		in := x.Rules.Kind == league.Divisions || g.Round == f.Round
		if in && g != f && (!g.Over() || !g.Ended.Before(f.Ended)) {
			most++
		}
		if g.Over() {
			continue
		}
		if slices.Contains(g.Players, l.Message.Player) {
			mine++
		}
		if in {
			open++
		}
	}
	if n := number(w.t, r.Args["open"]); n < open || n > most {
		w.t.Errorf("a letter to %s of %s says that %d games are open, of %d to %d: %v", l.To, l.Message.Game, n, open, most, r)
	}
	want := map[string]string{}
	switch {
	case r.Code == notice.TellSoloOpen:
		want["n"] = strconv.Itoa(f.Round)
	case r.Code != notice.TellRanked:
		want["n"] = strconv.Itoa(len(d.In()))
	case x.Rules.Kind == league.Swiss && f.Round < x.Rules.Rounds: // the next round may have begun with this letter
		want["n"] = strconv.Itoa(f.Round)
		if n := r.Args["rounds"]; n != strconv.Itoa(x.Rules.Rounds-x.Round) && n != strconv.Itoa(x.Rules.Rounds-max(f.Round, x.Round-1)) {
			w.t.Errorf("a letter to %s of %s says that %s rounds follow round %d of %d", l.To, l.Message.Game, n, x.Round, x.Rules.Rounds)
		}
	default:
		want["mine"], want["of"] = strconv.Itoa(mine), strconv.Itoa(len(s.Standings(x.N, d.N)))
	}
	for name, value := range want {
		if r.Args[name] != value {
			w.t.Errorf("a letter to %s of %s says %s = %q, the league %q: %v", l.To, l.Message.Game, name, r.Args[name], value, r)
		}
	}
	w.figures[r.Code]++
}

// saysTheDates holds that the letters at a season's start and end have the league's dates,
// places and records, and that no game that has begun is to come.
func (w *club) saysTheDates(l *clubLetter) {
	t := w.t
	t.Helper()
	date := func(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }
	for _, s := range l.Answer.Sections {
		if s.Kind != "schedule" && s.Kind != "season-end" {
			continue
		}
		lg := w.league()
		x := lg.State.Season()
		if s.League.ID != w.id || x.N != s.League.Season {
			continue
		}
		if s.Kind == "schedule" {
			if s.League.Ends != date(x.Ends) {
				t.Errorf("a letter to %s says that season %d ends on %s, the league %s", l.To, x.N, s.League.Ends, date(x.Ends))
			}
			for _, g := range s.League.Games {
				if f := lg.State.Of(g.Game); f != nil && f.Game == g.Game && !f.Over() && g.State != "running" {
					t.Errorf("a letter to %s says of %s, which has begun, %q", l.To, g.Name, g.State)
				}
				if g.State == "running" {
					w.figures["running"]++
				}
			}
			continue
		}
		w.figures[s.Kind]++
		if at, ok := lg.State.Opens(); ok && s.League.Opens != date(at) {
			t.Errorf("a letter to %s says that the next season opens on %q, the league %s", l.To, s.League.Opens, date(at))
		}
		for _, r := range l.Answer.Remarks {
			if slices.Contains([]string{notice.TellSeasonEnd, notice.TellSeasonUp, notice.TellSeasonDown}, r.Code) {
				if n := strconv.Itoa(len(lg.State.Standings(x.N, s.League.Division))); r.Args["n"] != n {
					t.Errorf("a letter to %s says that %s have a place, the table has %s", l.To, r.Args["n"], n)
				}
			}
		}
		records := lg.State.Records(x.N)
		for _, r := range s.League.Records {
			best := 0
			switch r.Kind {
			case "streak":
				best = records.Streaks[0].Games
			case "closest":
				best = records.Closest[0].Margin
			case "highest":
				best = records.Highest[0].Score
			case "longest":
				best = int(records.Longest[0].Lasted / (24 * time.Hour))
			}
			if r.Value != best {
				t.Errorf("a letter to %s has the record %+v, season %d has %d", l.To, r, x.N, best)
			}
		}
	}
}

// saysTheMatch holds that a letter about a match of a knock-out says what the league makes of
// it, in these words.
func (w *club) saysTheMatch(l *clubLetter) {
	w.t.Helper()
	for _, r := range l.Answer.Remarks {
		if r.Code != notice.TellMatch {
			continue
		}
		lg := w.league()
		f := lg.State.Of(l.Message.Game)
		if l.Message.Game == "" { // to someone who has taken the place of a player of the match
			f = bout(lg.State, l.Message.Player, number(w.t, r.Args["n"]))
		}
		b, ok := lg.State.Bout(f)
		if !ok {
			w.t.Errorf("a letter to %s tells of a match that is none:\n%s", l.To, l.Text)
			continue
		}
		var on []string
		yours := false
		for _, p := range b.On {
			on = append(on, lg.Names[p])
			yours = yours || p == l.Message.Player
		}
		who := strings.Join(on, ", ")
		goes, has := who+" goes on.", who+" has won"
		if d := &lg.State.Seasons[f.Season-1].Divisions[f.Division-1]; len(on) == 1 {
			for _, p := range f.Players {
				if p != b.On[0] && lg.State.Holder(d, p) == b.On[0] {
					goes, has = who+" goes on, who has "+lg.Names[p]+"'s place.", who+", who has "+lg.Names[p]+"'s place, has won"
				}
			}
		}
		want := ""
		switch {
		case r.Args["then"] == "late":
			want = "has begun, so who goes on from your match stays as it was."
			if !b.Late {
				w.t.Errorf("a letter to %s says that it is too late:\n%s", l.To, l.Text)
			}
		case !b.Decided && b.Left == 1:
			want = "Your match in round " + strconv.Itoa(b.Round) + " of the knock-out Iron League goes on, with one more game."
		case !b.Decided:
			want = "Your match in round " + strconv.Itoa(b.Round) + " of the knock-out Iron League goes on, with " + strconv.Itoa(b.Left) + " more games."
		case len(on) == 0:
			want = "No player finished your match in the knock-out Iron League, so no one goes on from it."
		case b.Final && yours:
			want = "You have won the final of the knock-out Iron League."
		case b.Final:
			want = has + " the final of the knock-out Iron League."
		case yours:
			want = "You go on to the next round of the knock-out Iron League."
		default:
			want = "You are out of the knock-out Iron League: " + goes
		}
		if text := strings.Join(strings.Fields(l.Text), " "); !strings.Contains(text, want) {
			w.t.Errorf("a letter to %s lacks %q:\n%s", l.To, want, l.Text)
		}
		if open := strconv.Itoa(b.Open); r.Args["open"] != open {
			w.t.Errorf("a letter to %s says that %s other matches are open, the league %s", l.To, r.Args["open"], open)
		}
		tied := ""
		for _, x := range l.Answer.Remarks {
			if x.Code == notice.TellMatchTied {
				tied = x.Args["then"]
			}
		}
		if !b.Late && b.By != tied && (tied != "" || b.By != league.ByPoints) {
			w.t.Errorf("a letter to %s says that %q decided the match, the league %q", l.To, tied, b.By)
		}
		w.matches[r.Args["then"]]++
	}
}

// bout is the game of a round of the last season that brings its match to a player, by their place.
func bout(s *league.State, player int64, round int) *league.Fixture {
	d := &s.Season().Divisions[0]
	for _, f := range d.Fixtures {
		if f.Round == round && slices.ContainsFunc(f.Players, func(p int64) bool { return s.Holder(d, p) == player }) {
			return f
		}
	}
	return nil
}

// What letters said that was not so.
var (
	roundRuns = regexp.MustCompile(`This is round (\d+)`)
	roundOver = regexp.MustCompile(`Round (\d+) of the league [^.]* is over|All games of round (\d+)`)
	nothing   = regexp.MustCompile(`\b0 VP for|worth 0 VP`)
)

// saysNoNonsense holds that a letter does not contradict itself: no round is over and being
// played, only answers say that someone asked for them, nothing is won or to come that is not.
func (w *club) saysNoNonsense(t *testing.T, l *clubLetter) {
	t.Helper()
	text := strings.Join(strings.Fields(l.Text), " ")
	runs := map[string]bool{}
	for _, m := range roundRuns.FindAllStringSubmatch(text, -1) {
		runs[m[1]] = true
	}
	for _, m := range roundOver.FindAllStringSubmatch(text, -1) {
		if runs[m[1]+m[2]] {
			t.Errorf("a letter to %s says that round %s is over, and that it is being played:\n%s", l.To, m[1]+m[2], l.Text)
		}
	}
	if strings.Contains(text, "AS YOU ASKED") && l.Message.Kind != notice.KindAnswer {
		t.Errorf("%s has asked for nothing:\n%s", l.To, l.Text)
	}
	if what := nothing.FindString(text); what != "" {
		t.Errorf("a letter to %s says %q:\n%s", l.To, what, l.Text)
	}
	ends := slices.ContainsFunc(l.Answer.Sections, func(s notice.Section) bool { return s.Kind == "season-end" })
	if unsure := "it is not certain any more"; ends && strings.Contains(text, unsure) {
		t.Errorf("a letter to %s says how the season ended, and that %s:\n%s", l.To, unsure, l.Text)
	}
	for _, s := range l.Answer.Sections {
		if s.Kind != "season-end" {
			continue
		}
		rank := slices.IndexFunc(s.League.Table, func(r notice.LeagueRank) bool { return r.You })
		if rank < 0 {
			continue
		}
		you := s.League.Table[rank]
		won := regexp.MustCompile(`is over\. (You have won it|No one has won it|.* (has|have) won it)[^.]*\. You are number (\d+) of \d+( in division \d+)?( and go (up|down))?\.`).FindStringSubmatch(text)
		switch {
		case won == nil || won[3] != strconv.Itoa(you.Rank) || (won[4] != "") != (s.League.Divisions > 1) || won[6] != you.Move:
			t.Errorf("the season's end, to %s, who is %+v: %q\n%s", l.To, you, won, l.Text)
		case strings.HasPrefix(won[1], "You") != (you.Rank == 1 && !you.Unplayed && (s.League.Divisions == 1 || s.League.Division == 1)):
			t.Errorf("the season's end says to %s, who is %+v, %q", l.To, you, won[1])
		}
		if !strings.Contains(text, "The next season opens on ") || !strings.Contains(text, "RECORDS OF THE SEASON") || strings.Contains(text, "The season should end") {
			t.Errorf("the season's end, to %s:\n%s", l.To, l.Text)
		}
	}
}
