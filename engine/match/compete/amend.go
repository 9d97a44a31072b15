package compete

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

const (
	// maxAmended bounds the files by letter that a league is given a day: each stays
	// in its log.
	maxAmended = 10
	maxChanges = 200 // changed lines that the letter lists
)

// directed returns a file that names a director: itself if it does, otherwise with director
// added.
func directed(file string, r *league.Rules, director string) string {
	if len(r.Directors) > 0 && r.Directors[0] != "" {
		return file
	}
	return strings.TrimRight(file, "\n") + "\ndirector: " + director + "\n"
}

// outspoken returns a file that says whether seasons begin early, and how long before them
// players check in. The defaults differ: new leagues begin early and have a check-in, an
// amendment keeps the present values, and files from before those keys existed have neither. r
// is the parsed file.
func outspoken(file string, r *league.Rules, early bool, checkIn time.Duration) string {
	file = strings.TrimRight(file, "\n") + "\n"
	if early && league.LineOf(file, "early") == 0 {
		file += "early: yes\n"
	}
	if days := min(checkIn, r.Break) / (24 * time.Hour); days > 0 && league.LineOf(file, "check in") == 0 {
		file += fmt.Sprintf("check in: %d days\n", days)
	}
	return file
}

// newCheckIn is how long before a season players of new leagues check in.
const newCheckIn = 5 * 24 * time.Hour

// amendment reads the file that a league will have from its next season on.
func amendment(u *unit.Unit, c *unit.League, file string) (*league.Rules, error) {
	stays := func(key, value string) error {
		return notice.Refuse(notice.ProblemAmend, "key", key, "value", value)
	}
	r, err := leagueRules(u, file, c.Rules())
	switch {
	case err != nil:
		return nil, err
	case LeagueID(r.Name) != c.Row.ID && LeagueID(r.Name) != LeagueID(c.Rules().Name):
		return nil, stays("name", c.Rules().Name)
	case r.Kind != c.Rules().Kind:
		return nil, stays("kind", string(c.Rules().Kind))
	case c.Row.Visibility == store.Private && r.Visibility != store.Private && len(c.State.Players) > 0: // its players joined a private one
		return nil, stays("visibility", store.Private)
	}
	return r, nil
}

// mayAmend returns why a player cannot give a league that file, nil if they can. Only
// the director can: assistants could make themselves directors by it.
func mayAmend(u *unit.Unit, c *unit.League, p *store.Player, file string) error {
	all := c.Rules().Directors
	yes, err := leagues.Among(u, all[:min(1, len(all))], p)
	if err != nil {
		return err
	}
	if !yes {
		return Problem(c, notice.ProblemAmender)
	}
	n := u.Counted("amend/"+c.Row.ID, u.Day())
	if n >= maxAmended {
		return notice.Refuse(notice.ProblemMany, "word", "amend", "n", strconv.Itoa(maxAmended))
	}
	_, err = amendment(u, c, file)
	return err
}

// Amend gives a league another file from its next season on; p is the player who wants it, nil
// the host. If the file names no director, its author is the director. changes are the lines
// that differ, each with a plus or minus sign. Amend tells the directors of the new file.
func Amend(u *unit.Unit, c *unit.League, file string, p *store.Player) (changes []string, err error) {
	r, err := amendment(u, c, file)
	if err != nil {
		return nil, err
	}
	file = outspoken(file, r, c.Rules().Early, c.Rules().CheckIn)
	line := league.Line{Kind: league.Amend, Text: file}
	old := c.Rules()
	if p != nil {
		line.By, line.Text = p.ID, directed(file, r, old.Directors[0])
		u.Bump("amend/"+c.Row.ID, u.Day())
	}
	if err := u.Enter(c, line); err != nil {
		return nil, err
	}
	c.Row.Name, c.Row.Visibility = r.Name, visibility(c)
	return changed(old, c.Rules()), tellDirectors(u, c, p, old.Directors)
}

// Unamended returns the file that takes an amendment back, "" if there is none.
func Unamended(u *unit.Unit, c *unit.League, p *store.Player, w order.Word) string {
	if lost, err := Lost(u, c, p, w); lost != nil || err != nil {
		return ""
	}
	return c.Rules().String()
}

// changed returns the lines of a league's file that differ.
func changed(old, now *league.Rules) (out []string) {
	was, is := strings.Split(strings.TrimSpace(old.String()), "\n"), strings.Split(strings.TrimSpace(now.String()), "\n")
	for _, l := range was {
		if !slices.Contains(is, l) {
			out = append(out, "- "+l)
		}
	}
	for _, l := range is {
		if !slices.Contains(was, l) {
			out = append(out, "+ "+l)
		}
	}
	return out
}

// Readdress puts a player's new address in place of the old one wherever a league's file names
// it: as a director's, or on its list. Reading the old mailbox then lets no one direct.
func Readdress(u *unit.Unit, from, to string) error {
	rows, err := u.Tx.Leagues("", MaxLeagues)
	if err != nil || from == to {
		return err
	}
	all, err := Readable(u, rows)
	for _, c := range all {
		r, changed := *c.Rules(), false
		moved := func(all []string) (out []string) {
			for _, a := range all {
				if u.Address(a) == from {
					a, changed = to, true
				}
				if !slices.Contains(out, a) { // they may be there with both
					out = append(out, a)
				}
			}
			return out
		}
		r.Directors, r.Admitted = moved(r.Directors), moved(r.Admitted)
		if changed {
			u.AppendOrLog(c, league.Line{Kind: league.Amend, Text: r.String()})
		}
	}
	return err
}
