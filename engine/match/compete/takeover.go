package compete

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A director who does not answer what needs them is replaced by another who wants to: the
// server asks the director, who has some time to refuse.

// refuseFor is how long a director has to refuse that another takes over.
const refuseFor = 48 * time.Hour

// vacantFor is how long the row of an unanswered matter stays once others may take over.
const vacantFor = 365 * 24 * time.Hour

// UrgentDue tells a league's other directors, when its director's time to answer is over,
// that they may take over.
func UrgentDue(u *unit.Unit, row store.Due) error {
	c, err := u.League(row.Game)
	if none, err := unit.Missing(err); none || err != nil {
		return err
	}
	answered, err := leagues.Answered(u, c, row)
	if answered || err != nil || row.Step == 1 {
		return err
	}
	row.Step, row.At = 1, row.At.Add(vacantFor)
	u.Check(u.Tx.AddDue(&row))
	name := cmp.Or(u.NameIn(c, u.Player(leagues.First(u, c))), c.Rules().Directors[0])
	for _, id := range assistants(u, c) {
		d := tellLeague(u, c, id, notice.TellMayTakeOver, "name", name, "n", strconv.Itoa(int(c.Rules().TakeOver/(24*time.Hour))))
		d.Asked = true // muted or not: it is their office
		d.Offer(notice.CommandTakeOver, "league", c.Rules().Name)
	}
	return nil
}

// assistants returns a league's directors that we can write to, except the first.
func assistants(u *unit.Unit, c *unit.League) []int64 {
	first := leagues.First(u, c)
	return slices.DeleteFunc(leagues.DirectorsOf(u, c), func(p int64) bool { return p == first })
}

// mayTakeOver returns why a player can't become a league's director now, nil if they can.
func mayTakeOver(u *unit.Unit, c *unit.League, p *store.Player) error {
	directs, err := leagues.Directs(u, c, p)
	if err != nil {
		return err
	}
	first := leagues.First(u, c)
	switch {
	case !directs:
		return Problem(c, notice.ProblemDirector)
	case first == p.ID && first != 0:
		return Problem(c, notice.ProblemInOffice)
	}
	asked, err := officeAsked(u, c)
	switch {
	case err != nil:
		return err
	case asked != nil:
		return Problem(c, notice.ProblemOfficeAsked)
	case c.Rules().TakeOver == 0:
		return Problem(c, notice.ProblemNoTakeOver)
	case first == 0 || !u.Reachable(first):
		return nil
	}
	open, due, err := leagues.Unanswered(u, c)
	switch {
	case err != nil:
		return err
	case open == nil || !due:
		return notice.Refuse(notice.ProblemTakeOver, "league", c.Rules().Name, "n", strconv.Itoa(int(c.Rules().TakeOver/(24*time.Hour))))
	}
	return nil
}

// officeAsked is the open question to a league's director whether another may take over, nil
// if there is none.
func officeAsked(u *unit.Unit, c *unit.League) (*store.Confirm, error) {
	first := leagues.First(u, c)
	if first == 0 {
		return nil, nil
	}
	open, err := u.Tx.OpenConfirms(store.ConfirmOffice, u.Player(first).Address)
	for i := range open {
		if q := &open[i]; q.Game == c.Row.ID {
			return q, err
		}
	}
	return nil, err
}

// takeOver asks the director whether they refuse. If there is none that we can ask, the office
// changes hands at once.
func (x *directing) takeOver() error {
	u, c := x.u, x.c
	if x.word.Direct.No {
		return x.handBack()
	}
	first := leagues.First(u, c)
	x.changes("take-over", x.undoing(order.Direction{Kind: order.DirectTakeOver, No: true}), "name", c.Rules().Directors[0], "asked", strconv.FormatBool(first != 0 && u.Reachable(first)))
	if first == 0 || !u.Reachable(first) {
		return office(u, c, x.p.ID)
	}
	p := u.Player(first)
	name := cmp.Or(u.NameIn(c, x.p), c.Rules().Name)
	q := &store.Confirm{Kind: store.ConfirmOffice, Player: first, Address: p.Address, Game: c.Row.ID, Lines: strconv.FormatInt(x.p.ID, 10), Expires: u.At.Add(refuseFor)}
	d := u.Ask(p.Address, first, nil, q, notice.AskOffice, "league", c.Rules().Name, "name", name, "time", unit.When(q.Expires, u.ZoneOf(first)))
	d.About(c)
	d.Asked = true
	x.asked = q.Expires
	return nil
}

// handBack undoes a takeover: it closes the question, or returns the office to the previous
// director.
func (x *directing) handBack() error {
	u, c := x.u, x.c
	x.withdrawn = true
	if q, err := officeAsked(u, c); err != nil {
		return err
	} else if q != nil {
		q.Open = false
		u.Check(u.Tx.SaveConfirm(*q))
		x.changes("take-over-no", "", "name", c.Rules().Directors[0])
		d := tellLeague(u, c, q.Player, notice.SayOfficeKept)
		d.Asked = true
		return nil
	}
	before := c.Rules().Directors[1]
	x.changes("take-over-no", "", "name", before)
	return office(u, c, u.AddressOf(u.Address(before)).Player)
}

// mayHandBack returns why a director can't undo a takeover, nil if they can: they have asked
// for the office, or have taken it by the file's last change.
func (x *directing) mayHandBack() error {
	q, err := officeAsked(x.u, x.c)
	if err != nil {
		return err
	}
	if q != nil && q.Lines == strconv.FormatInt(x.p.ID, 10) {
		return nil
	}
	lines, err := x.u.Tx.LeagueLog(x.c.Row.ID, 0, -1)
	if err != nil {
		return err
	}
	for _, row := range slices.Backward(lines) {
		if row.Kind != league.Amend {
			continue
		}
		if l, err := row.Parse(); err == nil && l.By == x.p.ID && slices.Equal(l.Args, []string{"because", "take over"}) && len(x.c.Rules().Directors) > 1 {
			return nil
		}
		break
	}
	return Problem(x.c, notice.ProblemNoOffice)
}

// office makes another director of a league its first. The one before stays as an assistant.
func office(u *unit.Unit, c *unit.League, player int64) error {
	r := *c.Rules()
	i := slices.IndexFunc(r.Directors, func(a string) bool { return u.AddressOf(u.Address(a)).Player == player })
	if i < 1 {
		return notice.Refuse(notice.ProblemLapsed)
	}
	old := leagues.First(u, c)
	own := r.Directors[i]
	r.Directors = slices.Concat([]string{own}, r.Directors[:i], r.Directors[i+1:])
	if err := u.Enter(c, league.Line{Kind: league.Amend, By: player, Text: r.String(), Args: []string{"because", "take over"}}); err != nil {
		return err
	}
	u.Check(u.Tx.ClearDue(store.DueUrgent, c.Row.ID, 0))
	name := cmp.Or(u.NameIn(c, u.Player(player)), own)
	for _, id := range append(assistants(u, c), player) {
		then := ""
		switch id {
		case player:
			then = "you"
		case old:
			then = "was"
		}
		d := tellLeague(u, c, id, notice.TellOffice, "name", name, "then", then)
		d.Asked = true
	}
	return nil
}

// OfficeYes lets another director take over, OfficeNo refuses it.
func OfficeYes(u *unit.Unit, _ *unit.Sender, q store.Confirm) error {
	c, heir, err := officeOf(u, q)
	if err != nil {
		return err
	}
	return office(u, c, heir)
}

// OfficeLapsed carries out the takeover if the director does not answer.
func OfficeLapsed(u *unit.Unit, q store.Confirm) error {
	if err := OfficeYes(u, nil, q); notice.AsProblem(err) == nil {
		return err
	}
	return nil
}

// OfficeNo tells the director who wanted to take over that the first stays.
func OfficeNo(u *unit.Unit, w *unit.Sender, q store.Confirm) error {
	c, heir, err := officeOf(u, q)
	if err != nil {
		return err
	}
	w.Answer.About(c)
	w.Answer.Say(notice.SayOfficeKept, "league", c.Rules().Name)
	d := tellLeague(u, c, heir, notice.TellOfficeKept, "name", cmp.Or(u.NameIn(c, w.Player), c.Rules().Directors[0]))
	d.Asked = true
	return nil
}

// officeOf returns the league of a question, and the player who wants to take over. The
// question has lapsed if the league is gone, or has another director by now.
func officeOf(u *unit.Unit, q store.Confirm) (*unit.League, int64, error) {
	c, err := u.League(q.Game)
	if none, err := unit.Missing(err); err != nil {
		return nil, 0, err
	} else if none {
		return nil, 0, notice.Refuse(notice.ProblemLapsed)
	}
	heir, err := strconv.ParseInt(q.Lines, 10, 64)
	if err != nil {
		return nil, 0, fmt.Errorf("a league's office: %w", err)
	}
	if leagues.First(u, c) != q.Player {
		return nil, 0, notice.Refuse(notice.ProblemLapsed)
	}
	return c, heir, nil
}
