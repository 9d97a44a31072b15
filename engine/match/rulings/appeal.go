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

// A player who thinks that a ruling is wrong can appeal against it, once. The league's other
// directors review it, or the host if there is none. The ruling holds meanwhile. The answer is
// `uphold`, or another ruling. Appeal and answer are kept with the rulings. They may mention
// hands, so others see them only once the game is over, and the appeal only once it has an
// answer.

// AppealDays is for how many days a player can appeal against a ruling.
const AppealDays = 14

// appeal carries out a player's appeal against the last ruling about one of their games.
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
	none := notice.Refuse(notice.ProblemNoAppeal, "word", said.Game, "n", strconv.Itoa(AppealDays))
	if len(decided) == 0 {
		return none
	}
	ruling := decided[len(decided)-1]
	if u.At.Sub(ruling.At) > AppealDays*24*time.Hour || slices.ContainsFunc(all, func(r notice.Ruling) bool {
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
	if err := scheduleReveal(u, t); err != nil {
		return err
	}
	reviewers, author, err := leagues.Reviewers(u, t, &ruling)
	if err != nil {
		return err
	}
	names := make([]string, len(reviewers))
	for i, p := range reviewers {
		names[i] = p.Name
		d := u.DraftFor(p.Player, t, notice.KindInfo)
		d.Asked = true
		d.Say(notice.TellAppeal, append(which(t, &ruling), "who", done.Who, "reason", done.Reason, "by", ruling.Who, "why", ruling.Reason)...)
		d.Offer(notice.CommandUphold, "game", t.Row.ID)
		if c, err := u.League(t.Row.League); err == nil { // or it has no reviewers
			u.Check(leagues.Needs(u, c, p.Player))
		}
	}
	if author != 0 {
		d := u.DraftFor(author, t, notice.KindInfo)
		d.Asked = true
		d.Say(notice.TellAppealed, append(which(t, &ruling), "who", done.Who, "reason", done.Reason, "host", strconv.FormatBool(len(names) == 0))...).List = names
	}
	c.Done()
	code := notice.SayAppealed
	if len(names) == 0 {
		code = notice.SayAppealedHost
		u.Log.Warn("a player appeals against a ruling; `angelpost appeals` shows it", "game", t.Row.ID, "ruling", ruling.N)
		u.Check(u.Tx.RaiseAlarm(notice.AlarmAppeal, t.Row.ID, u.At))
	}
	w.Answer.Say(code, which(t, &ruling)...).List = names
	return nil
}

// which returns arguments that identify a ruling, because others may have followed.
func which(t *unit.Game, ruling *notice.Ruling) []string {
	return []string{"game", t.Row.ID, "kind", string(ruling.Kind), "date", ruling.At.UTC().Format(time.DateOnly)}
}

// uphold confirms the ruling that players have appealed against, and tells them.
func (r *Decision) uphold() error {
	if r.against == nil {
		return r.not()
	}
	if r.Done.By != 0 && (r.against.By == 0 || r.Done.By == r.against.By) {
		return notice.Refuse(notice.ProblemOwnAppeal, "word", r.T.Row.ID)
	}
	r.Done.Of = r.against.N
	for _, id := range r.appealed {
		r.answers(id, notice.TellUpheld)
	}
	return nil
}

// answers tells a player the result of the appeal.
func (r *Decision) answers(to int64, code string, args ...string) {
	d := r.S.DraftFor(to, r.T, notice.KindInfo)
	d.Asked = true
	if r.Done.Who == "" {
		code += notice.ByHost
	}
	d.Say(code, append(append(which(r.T, r.against), "who", r.Done.Who, "reason", r.Done.Reason), args...)...)
}
