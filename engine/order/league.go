package order

import "strings"

// leagueName is a league's name as written after a word: "for league X", "X".
func leagueName(s string) string {
	return strings.Join(skip(wordsIn(s), "of", "for", "to", "in", "league"), " ")
}

// joinLeague reads the league that a player wants to join and, after a comma, what
// they want to be called there.
func joinLeague(rest, line string) (Word, *Problem, bool) {
	w := Word{Kind: JoinLeague}
	w.Name, w.Text, _ = strings.Cut(trim(strings.TrimLeft(rest, ":")), ",")
	w.Name, w.Text = trim(w.Name), trim(w.Text)
	if len(w.Text) > MaxName {
		return w, &Problem{Code: LongText, Text: clip(line, MaxLine)}, true
	}
	return nonempty(w, w.Name, line)
}

// leagueWord reads the text after a word about a league. Without a name, some words ask for
// the list; others do not count as words, because prose may end with them.
func leagueWord(w Word, words []string, line string) (Word, *Problem, bool) {
	if last := len(words) - 1; w.Kind == Substitute && last > 0 && (Key(words[last]) == "no" || Key(words[last]) == "off") {
		w.Arg, words = "no", words[:last]
	}
	if len(words) > 1 && w.Kind == League && Key(words[0]) == "leave" { // as the command line has it
		w.Kind, words = LeaveLeague, words[1:]
	}
	w.Name = leagueName(strings.Join(words, " "))
	switch {
	case w.Name != "" || w.Kind == AmendLeague:
		return nonempty(w, w.Name, line)
	case w.Kind == League || w.Kind == LeagueTable:
		return Word{Kind: Leagues}, nil, true
	}
	return Word{}, nil, false
}

// fileBelow returns the file that follows line i, up to the letter's closing, and the index
// of its last line. Barred lines count as empty lines, so that line numbers in errors stay
// right.
func fileBelow(lines []string, i int) (text string, last int) {
	var file []string
	for last = i; last+1 < len(lines) && last+1 < MaxLines; last++ {
		line := lines[last+1]
		if opens, closes := courtesy(line); opens || closes {
			break
		}
		if Barred(line) {
			line = ""
		}
		file = append(file, trim(line))
	}
	return strings.Join(file, "\n"), last
}
