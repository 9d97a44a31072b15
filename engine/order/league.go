package order

import "strings"

// leagueName is a league's name as it stands behind a word: "for league X", "X".
func leagueName(s string) string {
	return strings.Join(skip(strings.Fields(s), "of", "for", "to", "in", "league"), " ")
}

// leagueWord reads what stands behind a word about a league. Without a name some
// ask for the list, and the others are no words: prose may end so.
func leagueWord(w Word, words []string, line string) (Word, *Problem, bool) {
	if last := len(words) - 1; w.Kind == Substitute && last > 0 && (Key(words[last]) == "no" || Key(words[last]) == "off") {
		w.Arg, words = "no", words[:last]
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

// fileBelow is the file that follows line i, up to where the letter's closing
// begins, and its last line. Barred lines are no part of it but empty ones, so
// that what is said of a line finds it.
func fileBelow(lines []string, i int) (text string, last int) {
	var file []string
	for last = i; last+1 < len(lines) && last+1 < MaxLines; last++ {
		line := lines[last+1]
		if pass, _ := courtesy(line); pass {
			break
		}
		if Barred(line) {
			line = ""
		}
		file = append(file, trim(line))
	}
	return strings.Join(file, "\n"), last
}
