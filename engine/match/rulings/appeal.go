package rulings

import (
	"slices"
	"strconv"
	"time"

	"angelpost/engine/match/leagues"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// A player who finds a ruling wrong can appeal against it, once. The league's other
// directors are asked to look at it, or the host where there is none. What was ruled
// holds meanwhile. The answer is `uphold`, or another ruling. Appeal and answer stand with
// the rulings; because they may tell of hands, players see them once the game is over.

// appealDays are the days in which a player can appeal against a ruling.
const appealDays = 14

// appeal obeys a player who appeals against the last ruling about one of their games.
func appeal(u *unit.Unit, c *unit.Call) error {
	said, w := c.Word.Rule, c.Sender
	id, err := leagues.GameID(u, said.Game)
	if err != nil {
		return err
	}
	foreign := notice.Refuse(notice.ProblemNotSat, "word", said.Game)
	row, err := u.Tx.Game(id)
	if none, err := unit.Missing(err); err != nil {
		return err
	} else if none || w.ID == 0 {
		return foreign
	}
	t, err := u.Game(row.ID)
	if err != nil {
		return err
	}
	if sat, err := leagues.Sat(u, t, w.ID); err != nil {
		return err
	} else if !sat {
		return foreign
	}
	all, err := u.Tx.Rulings(id)
	if err != nil {
		return err
	}
	decided := slices.DeleteFunc(notice.Decided(all), func(r notice.Ruling) bool { return r.Code != "" })
	none := notice.Refuse(notice.ProblemNoAppeal, "word", said.Game, "n", strconv.Itoa(appealDays))
	if len(decided) == 0 {
		return none
	}
	ruling := decided[len(decided)-1]
	if u.At.Sub(ruling.At) > appealDays*24*time.Hour || slices.ContainsFunc(all, func(r notice.Ruling) bool {
		return r.Kind == order.RuleAppeal && r.Of == ruling.N && r.By == w.ID
	}) {
		return none
	}
	reason := naming.Unlinked(naming.Clean(u.NFC(said.Reason), false))
	if reason == "" {
		return notice.Refuse(order.NoReason, "word", string(said.Kind))
	}
	done := notice.Ruling{At: u.At, By: w.ID, Who: w.Name, Kind: said.Kind, Reason: reason, Step: t.Step()}
	done.Of = ruling.N
	tenures, err := u.Tx.Tenures([]string{id})
	if err != nil {
		return err
	}
	for _, x := range tenures[id] { // as the table knew them, though they have left
		if x.Player == w.ID && x.Name != "" {
			done.Who = x.Name
		}
	}
	if x := t.Of(w.ID); x != nil {
		done.Seat, done.Who = x.Seat, x.Name
	}
	u.Check(u.Tx.AddRuling(t.Row.ID, &done))
	t.Row.Changed = u.At
	reviewers, err := leagues.Reviewers(u, t, &ruling)
	if err != nil {
		return err
	}
	names := make([]string, len(reviewers))
	for i, p := range reviewers {
		names[i] = p.Name
		d := u.DraftFor(p.Player, t, notice.KindInfo)
		d.Asked = true
		d.Say(notice.TellAppeal, "game", t.Row.ID, "who", done.Who, "reason", done.Reason,
			"by", ruling.Who, "kind", string(ruling.Kind), "date", ruling.At.UTC().Format(time.DateOnly), "why", ruling.Reason)
		d.Offer(notice.CommandUphold, "game", t.Row.ID)
		if c, err := u.League(t.Row.League); err == nil { // or it has no reviewers
			u.Check(leagues.Needs(u, c, p.Player))
		}
	}
	c.Done()
	if len(names) == 0 {
		u.Log.Warn("a player appeals against a ruling; `angelpost appeals` shows it", "game", t.Row.ID, "ruling", ruling.N)
		w.Answer.Say(notice.SayAppealedHost, "game", t.Row.ID)
		return nil
	}
	w.Answer.Say(notice.SayAppealed, "game", t.Row.ID).List = names
	return nil
}

// uphold lets the ruling stand that players have appealed against, and tells them.
func (r *Decision) uphold() error {
	if r.against == nil {
		return r.not()
	}
	if r.Done.By != 0 && (r.against.By == 0 || r.Done.By == r.against.By) {
		return notice.Refuse(notice.ProblemOwnAppeal, "word", r.T.Row.ID)
	}
	r.Done.Of = r.against.N
	for _, a := range r.appeals {
		d := r.S.DraftFor(a.By, r.T, notice.KindInfo)
		d.Asked = true
		if r.Done.Who == "" {
			d.Say(notice.TellUpheldHost, "game", r.T.Row.ID, "reason", r.Done.Reason)
		} else {
			d.Say(notice.TellUpheld, "game", r.T.Row.ID, "who", r.Done.Who, "reason", r.Done.Reason)
		}
	}
	return nil
}
