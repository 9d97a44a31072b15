package rulings

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"angelpost/engine/match/leagues"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A game that was broken off and made void publishes its seed and all hands, so that anyone can
// check its dice: once its players can no longer appeal against the last ruling, and no appeal
// is open. Nothing brings it back; we tell the director so before. A game of a solo round
// publishes its seed when everyone has played (compete.roundsOver).

// revealAt returns when the seed of a void game becomes public, zero while an appeal is open.
func revealAt(all []notice.Ruling) time.Time {
	decided := notice.Decided(all)
	if against, _ := leagues.Appealed(all); against != nil || len(decided) == 0 {
		return time.Time{}
	}
	return decided[len(decided)-1].At.Add(AppealDays * 24 * time.Hour)
}

// secret reports whether a game became void before its end, and its seed is not public yet.
func secret(t *unit.Game) bool {
	return t.Row.State == store.GameVoid && t.Row.Result == "" && !t.Row.Started.IsZero() && !t.Row.Revealed
}

// scheduleReveal schedules the publication of a void game's seed. Each ruling and appeal moves
// it.
func scheduleReveal(u *unit.Unit, t *unit.Game) error {
	if !secret(t) {
		return nil
	}
	all, err := u.Tx.Rulings(t.Row.ID)
	if err != nil {
		return err
	}
	u.Check(u.Tx.ClearDue(store.DueReveal, t.Row.ID, 0))
	if at := revealAt(all); !at.IsZero() {
		u.Check(u.Tx.AddDue(&store.Due{At: at, Kind: store.DueReveal, Game: t.Row.ID}))
	}
	return nil
}

// RevealDue publishes the seed of a void game.
func RevealDue(u *unit.Unit, row store.Due) error {
	t, err := u.Game(row.Game)
	if err != nil || !secret(t) {
		return err
	}
	all, err := u.Tx.Rulings(t.Row.ID)
	if err != nil {
		return err
	}
	if at := revealAt(all); at.IsZero() || at.After(u.At) {
		return scheduleReveal(u, t)
	}
	t.Row.Revealed, t.Row.Changed = true, u.At
	return nil
}

// sayReveal says in a letter when the seed of a void game becomes public.
func (r *Decision) sayReveal(x *store.Seat, d *unit.Draft) {
	switch {
	case !secret(r.T):
	case r.T.Row.Options.Shared:
		d.Say(notice.TellReveal, "time", "", "then", "round")
	default:
		d.Say(notice.TellReveal, "time", unit.When(r.Done.At.Add(AppealDays*24*time.Hour), r.S.ZoneOf(x.Player)))
	}
}

// Final reports whether nothing can undo a ruling: it makes the game void.
func Final(k order.RulingKind) bool { return k == order.RuleVoid || k == order.RuleReplay }

// askVoid asks a director to confirm that a game becomes void, and says what follows.
func askVoid(u *unit.Unit, c *unit.Call, t *unit.Game) error {
	w := c.Sender
	if !seating.MayAsk(u, c) {
		return nil
	}
	lines, err := json.Marshal(c.Word.Rule)
	if err != nil {
		return err
	}
	q := &store.Confirm{Kind: store.ConfirmVoid, Player: w.ID, Address: w.Player.Address, Lines: string(lines)}
	u.Question(q)
	w.Answer.Confirm = q.ID
	c.Line.Status = notice.LineAsked
	then := "open" // its seed is public already
	switch {
	case t.Row.Options.Shared:
		then = "round"
	case t.Row.Result == "":
		then = "secret"
	}
	w.Answer.Say(notice.AskVoid, "game", t.Row.ID, "kind", string(c.Word.Rule.Kind), "then", then, "n", strconv.Itoa(AppealDays))
	return nil
}

// VoidYes carries out the ruling that a yes confirms.
func VoidYes(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	var said order.Ruling
	if err := json.Unmarshal([]byte(c.Lines), &said); err != nil {
		return fmt.Errorf("ruling: %w", err)
	}
	if w.Player == nil || w.ID != c.Player {
		return notice.Refuse(notice.ProblemLapsed)
	}
	t, by, err := leagues.RuledBy(u, w.Player, said.Game)
	if err != nil {
		return err
	}
	_, err = CarryOut(u, t, said, by, w.Answer)
	return err
}

// wouldVoid reports whether a ruling makes a game void, and is not refused.
func wouldVoid(u *unit.Unit, t *unit.Game, said order.Ruling) (bool, error) {
	over := []string{store.GameRunning, store.GameFinished, store.GameAdjudicated, store.GameAbandoned}
	if !Final(said.Kind) || said.Reason == "" || !slices.Contains(over, t.Row.State) {
		return false, nil
	}
	if said.Kind == order.RuleReplay {
		yes, err := leagues.PlaysAgain(u, t)
		return yes && !t.Row.Options.Shared, err
	}
	return true, nil
}
