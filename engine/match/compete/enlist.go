package compete

import (
	"cmp"
	"encoding/json"
	"errors"
	"strconv"

	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/clock"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// What a director decides about one player: who is in the league, and where they play.

// add takes a player in, whatever the file's line "join" says. We ask players who have never
// written to us.
func (x *directing) add() error {
	u, c := x.u, x.c
	id := u.MemberNamed(c, x.word.Direct.Player)
	if id == 0 {
		var err error
		if id, err = u.Guest(x.p, x.word.Direct.Player); err != nil {
			return err
		}
	}
	p := u.Player(id)
	if in := c.State.Player(id); in != nil && in.In() && !in.Silent() {
		return notice.Refuse(notice.ProblemThere, "league", c.Rules().Name, "name", u.LeagueNames(c)[id])
	}
	if err := mayEnter(u, c, p); err != nil {
		return err
	}
	if !p.Registered {
		x.changes("invite", x.undoing(order.Direction{Kind: order.DirectExpel, Player: p.Address}), "name", p.Address)
		return x.invite(p)
	}
	expelled := c.State.Player(id) != nil && c.State.Player(id).Expelled
	_, back := c.State.Takes(id)
	line := x.line(league.Join)
	line.Player = id
	if in := c.State.Player(id); in != nil && in.In() { // they had not answered whether they are there
		line.Kind = league.Here
	}
	if err := u.Enter(c, line); err != nil {
		return full(c, err)
	}
	if err := leagues.SetMuted(u, c.Row.ID, id, false); err != nil {
		return err
	}
	seats := 0
	if expelled {
		var err error
		if seats, err = seatsBack(u, c, id); err != nil {
			return err
		}
	}
	name, place := u.LeagueNames(c)[id], "new"
	switch n := c.State.MovesTo(id); {
	case back:
		place = "back"
	case expelled && n > 0:
		place = "next"
	case expelled && c.State.Season() != nil && c.State.Season().Running():
		place = "gone"
	}
	x.changes("add", x.undoing(order.Direction{Kind: order.DirectExpel, Player: name}), "name", name, "place", place, "n", strconv.Itoa(seats), "in", strconv.Itoa(c.State.MovesTo(id)))
	x.concern([]int64{id})
	x.tell(notice.TellEnlisted, append(whenPlays(u, c, p, back), "name", name)...)
	return offerPlaces(u, c, id)
}

// seatsBack gives a player the seats again that a director has taken from them and that no
// one else has, and returns how many.
func seatsBack(u *unit.Unit, c *unit.League, player int64) (n int, err error) {
	for _, f := range c.State.Fixtures {
		if f.Game == "" || f.Over() {
			continue
		}
		t, err := u.Game(f.Game)
		if err != nil {
			return n, err
		}
		y := t.Of(player)
		if !t.Running() || y == nil || y.Player != player || y.Stage != store.SeatResigned || !t.Emptied(y, game.ByDirector) {
			continue
		}
		clock.Regain(u, t, y)
		u.TellAll(t, 0, func(_ *store.Seat, d *unit.Draft) { d.Say(notice.TellBack, "name", y.Name) })
		n++
	}
	return n, nil
}

// full is an error of a line that lets a player in, as players read it.
func full(c *unit.League, err error) error {
	if errors.Is(err, league.ErrFull) {
		return Problem(c, notice.ProblemFull)
	}
	return err
}

// mayEnter returns why not even a director can let a player in, nil if they can.
func mayEnter(u *unit.Unit, c *unit.League, p *store.Player) error {
	_, next := c.State.Opens()
	switch takes, _ := c.State.Takes(p.ID); {
	case c.Row.Over:
		return Problem(c, notice.ProblemClosed)
	case !next && !takes:
		return Problem(c, notice.ProblemLastSeason)
	}
	err := secondSeat(u, c, p)
	if p := notice.AsProblem(err); p != nil {
		p.Code = notice.ProblemThere
	}
	return err
}

// invite asks a player who has never written to us whether they want to play.
func (x *directing) invite(p *store.Player) error {
	w := order.Word{Kind: order.JoinLeague, Name: x.c.Row.ID}
	asked := askedLeague{Word: w, Invited: true}
	if x.p != nil {
		asked.By = x.p.ID
		x.u.Invited(x.p.ID, p.Address)
	}
	lines, err := json.Marshal(asked)
	if err != nil {
		return err
	}
	q := &store.Confirm{Kind: store.ConfirmLeague, Player: p.ID, Address: p.Address, Lines: string(lines)}
	args := append([]string{"league", x.c.Rules().Name}, x.said()...)
	d := x.u.Ask(p.Address, p.ID, nil, q, notice.AskEnlist, args...)
	d.About(x.c)
	d.Say(notice.TellNever)
	x.invited = true
	return nil
}

// enlisted lets a player in who has accepted a director's invitation.
func enlisted(u *unit.Unit, p *store.Player, asked askedLeague, called string, d *unit.Draft) error {
	c, err := u.League(asked.Word.Name)
	if none, err := unit.Missing(err); err != nil {
		return err
	} else if none {
		return notice.Refuse(notice.ProblemLapsed)
	}
	if in := c.State.Player(p.ID); in != nil && (in.In() || in.Expelled) { // meanwhile
		return mayJoin(u, c, p)
	}
	if err := mayEnter(u, c, p); err != nil {
		return err
	}
	return Join(u, c, p, "", called, d)
}

// expel removes a player from the league and from its games; only a director can let them in
// again. Substitutes get an offer of the place, as when a player leaves.
func (x *directing) expel() error {
	u, c := x.u, x.c
	if q, err := x.invitation(); err != nil || q != nil {
		return cmp.Or(err, x.uninvite(q))
	}
	id, err := x.member()
	if err != nil {
		return err
	}
	seats, err := x.seatsOf(id)
	if err != nil {
		return err
	}
	division := c.State.Division(id)
	line := x.line(league.Expel)
	line.Player = id
	if err := u.Enter(c, line); err != nil {
		return err
	}
	if division != nil { // as it is now
		division = divisionOf(c.State.Season(), id)
	}
	u.Leaves = true
	name := u.LeagueNames(c)[id]
	x.concern([]int64{id})
	x.tell(notice.TellExpelled, "then", "you")
	in := 0
	if division != nil {
		in = division.N
	}
	x.changes("expel", x.undoing(order.Direction{Kind: order.DirectAdd, Player: name}), "name", name, "in", strconv.Itoa(in), "n", strconv.Itoa(len(seats)))
	for _, t := range seats {
		seating.Vacate(u, t, t.Of(id), game.ByDirector, notice.TellExpelledGame, "name", name)
	}
	return gone(u, c, id, division, notice.TellExpelled, append(x.said(), "name", name)...)
}

// seatsOf returns the running games in which the player loses a seat by the expulsion.
func (x *directing) seatsOf(id int64) (seats []*unit.Game, err error) {
	u, c := x.u, x.c
	x.skipped = nil
	for _, f := range c.State.Fixtures {
		if f.Game == "" || f.Over() {
			continue
		}
		t, err := u.Game(f.Game)
		if err != nil {
			return nil, err
		}
		y := t.Of(id)
		if !t.Running() || y == nil || y.Bot != "" {
			continue
		}
		if x.p != nil {
			if sat, err := leagues.Sat(u, t, x.p.ID); err != nil {
				return nil, err
			} else if sat { // no one rules over their own game
				x.skipped = append(x.skipped, fixtureName(c, f))
				continue
			}
		}
		seats = append(seats, t)
	}
	return seats, nil
}

// invitation returns the open question to a player that a director has added, if the direction
// is about them; nil if there is none.
func (x *directing) invitation() (*store.Confirm, error) {
	address := x.u.Address(x.word.Direct.Player)
	if address == "" {
		return nil, nil
	}
	open, err := x.u.Tx.OpenConfirms(store.ConfirmLeague, address)
	for i := range open {
		var asked askedLeague
		if json.Unmarshal([]byte(open[i].Lines), &asked) == nil && asked.Invited && asked.Word.Name == x.c.Row.ID {
			return &open[i], err
		}
	}
	return nil, err
}

// uninvite takes an invitation back: a yes to it comes too late.
func (x *directing) uninvite(q *store.Confirm) error {
	q.Open = false
	x.u.Check(x.u.Tx.SaveConfirm(*q))
	x.changes("uninvite", x.undoing(order.Direction{Kind: order.DirectAdd, Player: q.Address}), "name", q.Address)
	return nil
}

// mayExpel returns why the player can't be expelled, nil if they can.
func (x *directing) mayExpel() error {
	if q, err := x.invitation(); err != nil || q != nil {
		return err
	}
	id, err := x.member()
	if err == nil && x.p != nil && id == x.p.ID {
		return Problem(x.c, notice.ProblemExpelSelf)
	}
	return err
}

// member returns the player that a direction is about, if they are in the league or one of its
// substitutes.
func (x *directing) member() (int64, error) {
	id := x.u.MemberNamed(x.c, x.word.Direct.Player)
	if in := x.c.State.Player(id); id == 0 || !in.In() && !in.Substitute {
		return 0, notice.Refuse(order.NoName, "word", x.word.Direct.Player)
	}
	return id, nil
}

// move puts a player into a division, from the next season on.
func (x *directing) move() error {
	c, d := x.c, x.word.Direct
	id, err := x.member()
	if err != nil {
		return err
	}
	n := c.State.DivisionsNext()
	_, next := c.State.Opens()
	switch {
	case c.Rules().Kind != league.Divisions || !c.State.Player(id).In():
		return Problem(c, notice.ProblemNoDivision)
	case !next:
		return Problem(c, notice.ProblemClosed)
	case d.Division > n:
		return notice.Refuse(notice.ProblemDivision, "league", c.Rules().Name, "n", strconv.Itoa(n))
	}
	line := x.line(league.Transfer)
	line.Player, line.Division, line.No = id, d.Division, d.No
	was, name := c.State.MovesTo(id), x.u.LeagueNames(c)[id]
	if err := x.u.Enter(c, line); err != nil {
		return err
	}
	x.changes("move", x.undoing(order.Direction{Kind: order.DirectMove, Player: name, Division: was, No: was == 0}), "name", name, "was", strconv.Itoa(was), "n", strconv.Itoa(d.Division))
	x.concern([]int64{id})
	x.tell(notice.TellMoves, "n", strconv.Itoa(d.Division))
	return nil
}
