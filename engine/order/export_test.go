package order

// ParseGuard reads a canonical guard and nothing else: its String is the line.
func ParseGuard(line string) (Guard, bool) {
	if len(line) > MaxLine {
		return Guard{}, false
	}
	gs, rest, _, ok := readGuards(line)
	if !ok || len(gs) != 1 || rest != "" || gs[0].who != "" || gs[0].String() != line {
		return Guard{}, false
	}
	return gs[0], true
}

// HedgeLanguages are the languages of the table of hedges that put blanks between words.
func HedgeLanguages() (all []string) {
	for l := range hedgesByLanguage {
		all = append(all, l)
	}
	return all
}
