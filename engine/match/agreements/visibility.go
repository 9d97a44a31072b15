package agreements

import (
	"slices"
	"strings"

	"angelpost/engine/match/gate"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// SetVisibility lowers a game's visibility at once, and raises it, or lowers that of a
// listed one that has begun, when every player says yes. No player decides alone
// whether a game that has begun is listed.
func SetVisibility(u *unit.Unit, c *unit.Call, value string) error {
	order := []string{store.Private, store.Unlisted, store.Listed}
	if !slices.Contains(order, value) {
		return notice.Refuse(notice.ProblemOption, "word", "visibility: "+naming.Clean(value, false))
	}
	if c.Sender.Words {
		c.Refuse(notice.ProblemToken)
		return gate.NoticeAgain(u, c.Sender)
	}
	if !seating.Organises(u, c) {
		return nil
	}
	t, w := c.Sender.Game, c.Sender
	if value == store.Private && t.Row.State == store.GameInvited && t.Row.Options.Open { // anyone with its id may join
		return notice.Refuse(notice.ProblemOption, "word", "visibility: "+value)
	}
	raise := slices.Index(order, value) > slices.Index(order, t.Row.Visibility)
	if raise && t.Row.State == store.GameInvited { // the invitations have said otherwise
		return notice.Refuse(notice.ProblemNotNow, "word", "visibility")
	}
	// A listed game counts for ratings: its organiser cannot take back a loss.
	counts := value != t.Row.Visibility && t.Row.Visibility == store.Listed && !t.Row.Started.IsZero()
	if t.Alone() && (counts || raise && value == store.Listed) {
		return notice.Refuse(notice.ProblemAlone, "word", "visibility")
	}
	c.Done()
	if !raise && !counts {
		t.Row.Visibility, t.Row.Raise = value, ""
		w.Answer.Say(notice.SayVisibility, "visibility", value)
		return nil
	}
	t.Row.Raise = value
	for i := range t.Seats { // a new question: old answers are to another one
		x := &t.Seats[i]
		x.Agreed = strings.Join(slices.DeleteFunc(strings.Fields(x.Agreed), func(a string) bool { return a == value }), " ")
	}
	if w.Seat == nil { // organises, but does not play
		w.Answer.Say(notice.SayAgreed, "what", value, "names", unagreed(t, value))
	} else if err := Agree(u, w, store.ConfirmVisibility); err != nil || t.Row.Raise == "" {
		return err
	}
	askOthers(u, w, store.ConfirmVisibility, notice.AskRaise, "visibility", value, "name", w.Shown())
	return nil
}
