package obey

import (
	"strings"

	"angelpost/engine/match/compete"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// We answer a first letter that is nearly right with the right word: one that names a league,
// or that begins like a word open to strangers. Others get no answer, because they may come
// from machines or by mistake.

const (
	maxNearLines = 5   // lines of a letter that we try
	maxNearLine  = 120 // bytes of one
)

// nearestWord returns the word most similar to a stranger's letter, "" if none is.
func nearestWord(u *unit.Unit) (string, error) {
	var lines []string
	for _, l := range u.Command.Lines {
		if _, doubt := order.Unmarked(l); doubt != "" {
			continue
		}
		if l = order.Key(l); l != "" && len(l) <= maxNearLine {
			lines = append(lines, l)
		}
		if len(lines) == maxNearLines {
			break
		}
	}
	rows, err := u.Tx.ListedLeagues(false, "", compete.MaxLeagues)
	if err != nil {
		return "", err
	}
	for _, l := range lines {
		spaced := "-" + compete.LeagueID(l) + "-"
		for _, row := range rows {
			if strings.Contains(spaced, "-"+row.ID+"-") {
				return order.JoinLeague.String() + " " + row.Name, nil
			}
		}
	}
	if len(lines) == 0 {
		return "", nil
	}
	near := []string{order.Help.String(), order.Leagues.String()}
	if seating.MayStart(u, u.Command.From, false) {
		near = append(near, order.NewGame.String(), order.Games.String())
	}
	said := strings.Fields(lines[0])
	for _, name := range near {
		n := len(strings.Fields(name))
		if len(said) < n || n == 1 && len(said) > 2 {
			continue
		}
		if order.Distance(strings.Join(said[:n], " "), name) <= max(1, len(name)/4) {
			return name, nil
		}
	}
	return "", nil
}

// tellNearest answers a stranger with the word that their letter comes nearest to.
func tellNearest(u *unit.Unit, word string) error {
	d := gate.AnswerStranger(u, notice.None)
	d.Say(notice.TellNearest).List = []string{word}
	d.Say(notice.TellNever)
	return nil
}
