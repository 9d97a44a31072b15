package templates

import (
	"strings"
	"testing"

	"angelpost/engine/match/compete"
	"angelpost/engine/notice"
)

// leagueLetter is a letter about a league, as it comes out.
func leagueLetter(t *testing.T, site Site, kind string, tale *notice.League, tales []notice.League, said ...notice.Remark) Letter {
	t.Helper()
	s := &notice.Input{Message: notice.Message{Kind: notice.KindInfo, Result: notice.None, Answer: notice.Answer{League: "Tin & <Brass>", Remarks: said,
		Sections: []notice.Section{{Kind: kind, League: tale, Leagues: tales}}}}}
	return render(t, s, site)
}

// Letters about leagues say all that a reader needs, and what follows.
func TestLeagueLetters(t *testing.T) {
	tale := notice.League{ID: "tin-brass", Name: "Tin & <Brass>", About: "Slow games.", Kind: "divisions", Page: true, Season: 2, Running: true,
		Ends: "2027-03-01 00:00 UTC", Players: 14, Least: 7, Join: "known", You: compete.LeaguePlaying, Division: 2, Divisions: 2, Options: options(3, "base", "revised", ""),
		Games: []notice.LeagueGame{
			{Name: "Tin 2.2.1", Names: []string{"Ada", "Bo", "Cy"}, Seat: 2, State: "open"},
			{Name: "Tin 2.2.2", Game: "abc", Names: []string{"Ada", "Bo", "Cy"}, Seat: 1, State: "running"},
			{Name: "Tin 2.2.3", Game: "abd", Names: []string{"Bo", "Ada", "Cy"}, Seat: 2, State: "over", VP: []int{70, 88, 70}, Place: 1},
			{Name: "Tin 2.2.4", Names: []string{"Bo", "Ada"}, Seat: 2, State: "void"},
			{Name: "Tin 2.2.5", Names: []string{"Ada", "Bo"}, Seat: 1, State: "forfeit"},
			{Name: "Hal 1.1.1", Names: []string{"Ada"}, Seat: 1, State: "over", VP: []int{51, 44}},
			{Name: "Hal 1.1.2", Names: []string{"Ada"}, Seat: 1, State: "running"},
		},
		Table:  []notice.LeagueRank{{Rank: 1, Name: "Ada", Points: "4.5", Played: 2, Games: 3, Move: "up", You: true}, {Rank: 2, Name: "Bo", Points: "1", Played: 1, Games: 1, Left: true}},
		Guests: []notice.LeagueRank{{Name: "Ada", Points: "1", Played: 1, Games: 1, You: true, Division: 1}, {Name: "Sue", Points: "5.87", Played: 2, Games: 2}}}
	l := leagueLetter(t, site, "league", &tale, nil)
	for _, want := range []string{"Slow games.", "season 2 is running; 14 players", "You play in it.", "Base game · revised edition · 3 players", "The season should end on Mon 1 Mar, 00:00 UTC",
		"Tin 2.2.1: seat 2, against Ada and Cy. It begins as soon as all its players have room", "Tin 2.2.2: seat 1, against Bo and Cy. It is running.",
		"Tin 2.2.3: place 1 against Bo and Cy; Bo 70, Ada 88 and Cy 70.", "Tin 2.2.4: against Bo. It does not count.", "Tin 2.2.5: won, because Bo did not show up.", "Hal 1.1.1: 51 VP, Hal 44.", "Hal 1.1.2: against Hal. It is running.",
		"STANDINGS OF DIVISION 2", "1. Ada (you): 4.5 points, 2 of 3 games played, goes up.", "2. Bo: 1 point, 1 of 1 game played, left.",
		"SUBSTITUTES", "Ada (you): 1 point from 1 game, in division 1.", "Sue: 5.87 points from 2 games.",
		"https://play.example/l/tin-brass", "https://play.example/g/abd"} {
		if !strings.Contains(flat(l.Text), want) {
			t.Errorf("text lacks %q:\n%s", want, l.Text)
		}
	}
	if strings.Contains(flat(l.Text), "[") || strings.Contains(l.HTML, "<Brass>") {
		t.Errorf("%s\n%s", l.Text, l.HTML)
	}
	tale.Page = false
	if l := leagueLetter(t, site, "league", &tale, nil); strings.Contains(l.Text, "/l/") || strings.Contains(l.Text, "/g/") {
		t.Errorf("a private league has pages:\n%s", l.Text)
	}
	tale.Page = true
	if l := leagueLetter(t, Site{}, "league", &tale, nil); strings.Contains(l.Text, "http") {
		t.Errorf("a server without pages has addresses:\n%s", l.Text)
	}
	tale.Running, tale.Games, tale.Secret, tale.Opens = false, nil, strings.Repeat("ab", 32), "2027-03-15 00:00 UTC"
	l = leagueLetter(t, site, "season-end", &tale, nil, notice.Remark{Code: notice.TellSeasonUp, Args: map[string]string{"league": "Tin & <Brass>", "season": "2", "rank": "1", "n": "2", "won": "others", "w": "1", "who": "Eve"}})
	for _, want := range []string{"Season 2 of the league Tin & <Brass> is over. Eve has won it. You are number 1 of 2 and go up.", "The next season opens on Mon 15 Mar, 00:00 UTC.", tale.Secret} {
		if !strings.Contains(flat(l.Text), want) {
			t.Errorf("text lacks %q:\n%s", want, l.Text)
		}
	}
	if want := "Tin & <Brass>: the season is over, you go up"; l.Subject != want {
		t.Errorf("subject %q, want %q", l.Subject, want)
	}
	tale.Opens = ""
	if l := leagueLetter(t, site, "season-end", &tale, nil); !strings.Contains(flat(l.Text), "begins as soon as it has 7 players") {
		t.Errorf("%s", l.Text)
	}
	tale.Over = true
	if l := leagueLetter(t, site, "season-end", &tale, nil); !strings.Contains(flat(l.Text), "That was its last season.") {
		t.Errorf("%s", l.Text)
	}
	l = leagueLetter(t, site, "leagues", nil, []notice.League{tale, {ID: "a", Name: "A", Players: 1, Least: 4, Join: "list"}, {ID: "b", Name: "B", Season: 1, Opens: "2027-04-01 00:00 UTC", Join: "anyone", You: compete.LeagueReady}})
	for _, want := range []string{"Tin & <Brass>: finished.", "A: not started; 1 player so far, it starts with 4. Only players on its list can join it.", "B: season 2 opens on Thu 1 Apr, 00:00 UTC; 0 players. You are a substitute."} {
		if !strings.Contains(flat(l.Text), want) {
			t.Errorf("text lacks %q:\n%s", want, l.Text)
		}
	}
	if l := leagueLetter(t, site, "leagues", nil, nil); !strings.Contains(flat(l.Text), "There is no league you can join") {
		t.Errorf("%s", l.Text)
	}
	// With any text in it, a letter stays one.
	evil := "<script>alert(1)</script>\r\nBcc: victim@example.org\u202e\"'&| end"
	tale = notice.League{ID: evil, Name: evil, About: evil, Kind: evil, Page: true, Running: true, Ends: evil, Opens: evil, Join: evil, You: evil, Secret: evil,
		Games: []notice.LeagueGame{{Name: evil, Game: evil, Names: []string{evil, evil}, State: evil, Seat: 9}}, Table: []notice.LeagueRank{{Name: evil, Points: evil, Move: evil}}}
	for _, kind := range []string{"league", "schedule", "standings", "season-end", "forfeit", "leagues"} {
		l := leagueLetter(t, site, kind, &tale, []notice.League{tale})
		if strings.Contains(l.HTML, "<script") || strings.Contains(l.HTML+l.Text, "\u202e") || strings.Contains(l.Text, "\nBcc") || strings.ContainsAny(l.Subject, "\r\n") {
			t.Errorf("%s: markup came through:\n%s", kind, l.Text)
		}
	}
}

// A ladder's letter says how it moves its players, and lists no points.
func TestLadderLetter(t *testing.T) {
	tale := notice.League{ID: "rungs", Name: "Rungs", Kind: "ladder", Season: 1, Running: true, Round: 1, Rounds: 4, Next: "2026-12-15 00:00 UTC", Ends: "2027-03-01 00:00 UTC", You: compete.LeaguePlaying, Aside: true, Divisions: 1,
		Table: []notice.LeagueRank{{Rank: 1, Name: "Ada", Points: "3", Played: 1, Games: 2, You: true}, {Rank: 2, Name: "Bo", Points: "6", Played: 2, Games: 2}}}
	text := flat(leagueLetter(t, site, "league", &tale, nil).Text)
	for _, want := range []string{"This is round 1 of 4. The next round begins on Tue 15 Dec, 00:00 UTC.", "You have no game in this round", "share out the places they held", "THE LADDER", "1. Ada (you): 1 of 2 games played.", "2. Bo: 2 of 2 games played."} {
		if !strings.Contains(text, want) {
			t.Errorf("text lacks %q:\n%s", want, text)
		}
	}
	tale = notice.League{ID: "swiss", Name: "Swiss", Kind: "swiss", Season: 1, Running: true, Round: 1, Rounds: 4, After: true,
		Games: []notice.LeagueGame{{Name: "Swiss 1.1.2", Names: []string{"Ada"}, Seat: 1, State: "bye"}, {Name: "Swiss 1.1.3", Names: []string{"Ada", "Bo"}, Seat: 1, State: "unneeded"}}}
	if text := flat(leagueLetter(t, site, "league", &tale, nil).Text); !strings.Contains(text, "The next round begins when all games of this one are over.") || strings.Contains(text, "ladder") ||
		!strings.Contains(text, "Swiss 1.1.2: you have a bye") || !strings.Contains(text, "Swiss 1.1.3: against Bo. Not needed") {
		t.Error(text)
	}
}
