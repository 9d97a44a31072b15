package order

// CanName reports whether a league can have a name: every line about it, or about one of
// its games, must be read as meant. A comma or colon would end the name in some lines, and
// "player Ann" or "division 2" at its end would be read as a part of the league.
func CanName(name string) bool {
	same := func(read string) bool { return read == name || read == leagueName(name) }
	for _, w := range []Word{
		{Kind: JoinLeague}, {Kind: JoinLeague, Text: "Ann"}, {Kind: LeaveLeague}, {Kind: League}, {Kind: LeagueTable}, {Kind: Substitute}, {Kind: Substitute, Arg: "no"},
		{Kind: Announce, Text: "Welcome!"},
	} {
		line := w.Kind.String() + " " + name
		switch {
		case w.Kind == Announce:
			line += ": " + w.Text
		case w.Text != "":
			line += ", " + w.Text
		case w.Arg != "":
			line += " " + w.Arg
		}
		got, p, ok := ReadWord(line)
		if !ok || p != nil || got.Kind != w.Kind || got.Text != w.Text || got.Arg != w.Arg || !same(got.Name) {
			return false
		}
	}
	for kind, row := range directions {
		d := Direction{Kind: kind}
		switch kind {
		case DirectExtend:
			d.Time = "2 days"
		case DirectMove:
			d.Division = 2
		case DirectRename:
			d.To = "Other"
		}
		if row.player != "" {
			d.Player = "Ann"
		}
		all := []Direction{d}
		if row.parts {
			division, round, player := d, d, d
			division.Division, round.Round, player.Player = 2, 3, "Ann"
			all = append(all, division, round, player)
		}
		for _, d := range all {
			got, p, ok := ReadDirection(d.String(name) + ": rain")
			if !ok || p != nil || *got.Direct != d || got.Text != "rain" || !same(got.Name) {
				return false
			}
		}
	}
	game := name + " 1.2.3"
	r, p, ok := ReadRuling("pause " + game + ": rain")
	return ok && p == nil && r.Game == game
}
