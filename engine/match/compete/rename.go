package compete

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"angelpost/engine/league"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// rename changes the league's name. Its id stays, and with it the addresses of its pages; words
// may use either.
func (x *directing) rename() error {
	u, c := x.u, x.c
	old := c.Rules().Name
	name := naming.Unlinked(naming.Clean(u.NFC(x.word.Direct.To), false))
	rows, err := u.Tx.Leagues("", MaxLeagues)
	if err != nil {
		return err
	}
	id := LeagueID(name)
	if name == old || id == "" || slices.ContainsFunc(rows, func(l store.League) bool { return l.ID != c.Row.ID && leagues.Called(l, id) }) {
		return notice.Refuse(notice.ProblemLeagueName, "word", name)
	}
	r := *c.Rules()
	r.Name = name
	if _, err := leagueRules(u, r.String(), c.Rules()); err != nil {
		return err
	}
	line := x.line(league.Amend)
	line.Text = r.String()
	if x.word.Text != "" {
		line.Args = []string{"because", x.word.Text}
	}
	if err := u.Enter(c, line); err != nil {
		return err
	}
	c.Row.Name = name
	x.changes("rename", x.undoing(order.Direction{Kind: order.DirectRename, To: old}), "old", old)
	return x.tellLater(old)
}

// renamed is a league's new name that its players learn later. Several changes are one message.
type renamed struct {
	Old  string // as they know it
	By   int64  // who has given the last; 0 the host
	Text string // why
}

// tellLater schedules the message about the league's new name, so that the director has time to
// correct it.
func (x *directing) tellLater(old string) error {
	u, c := x.u, x.c
	row := store.Due{At: u.At.Add(regret), Kind: store.DueRenamed, Game: c.Row.ID}
	rows, err := u.Tx.DuesOf(row.Kind, row.Game)
	if err != nil {
		return err
	}
	news := renamed{Old: old, Text: x.word.Text}
	if x.p != nil {
		news.By = x.p.ID
	}
	for _, r := range rows {
		var before renamed
		if err := json.Unmarshal([]byte(r.Ref), &before); err != nil {
			return fmt.Errorf("a league's new name: %w", err)
		}
		news.Old = before.Old
		u.Check(u.Tx.DropDue(r.ID))
	}
	text, err := json.Marshal(news)
	if row.Ref = string(text); news.Old != c.Rules().Name {
		u.Check(u.Tx.AddDue(&row))
	}
	return err
}

// RenamedDue tells all players of a league that it has a new name.
func RenamedDue(u *unit.Unit, row store.Due) error {
	c, err := u.League(row.Game)
	if none, err := unit.Missing(err); none || err != nil {
		return err
	}
	var news renamed
	if err := json.Unmarshal([]byte(row.Ref), &news); err != nil {
		return fmt.Errorf("a league's new name: %w", err)
	}
	x := &directing{u: u, c: c, word: order.Word{Direct: &order.Direction{Kind: order.DirectRename}, Text: news.Text}, of: map[int64][]told{}}
	if news.By != 0 {
		x.p = u.Player(news.By)
	}
	readers, err := readersOf(u, c)
	if err != nil {
		return err
	}
	x.concern(readers)
	x.tell(notice.TellRenamed, "old", news.Old)
	return nil
}

// mayDelete returns why the league can't be deleted, nil if it can.
func (x *directing) mayDelete() error {
	if s := x.c.State.Season(); s != nil && s.Running() {
		return Problem(x.c, notice.ProblemSeasonRuns)
	}
	if x.c.State.Archived() {
		return Problem(x.c, notice.ProblemArchived)
	}
	return nil
}

// delete removes a league that has never begun. One that has been played is archived: its
// pages stay, and no list shows it.
func (x *directing) delete() error {
	u, c := x.u, x.c
	readers, err := readersOf(u, c)
	if err != nil {
		return err
	}
	x.concern(readers)
	name, members := c.Rules().Name, strconv.Itoa(c.State.Members())
	if len(c.State.Seasons) > 0 {
		x.changes("delete", x.undoing(order.Direction{Kind: order.DirectResume}))
		if err := u.Enter(c, x.line(league.Archive)); err != nil {
			return err
		}
		c.Row.Over, c.Row.Visibility = true, visibility(c)
		x.tell(notice.TellArchived)
		return nil
	}
	x.gone = true // the letters belong to no league
	x.changes("gone", "", "name", name, "n", members)
	x.tell(notice.TellDeleted)
	u.DeleteLeague(c)
	return nil
}
