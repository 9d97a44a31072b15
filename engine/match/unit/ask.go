package unit

import (
	"encoding/json"
	"strconv"

	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// Meant is the stored form of what a yes to an answer does.
type Meant struct {
	Orders []string `json:"orders,omitempty"` // lines to obey
	Names  []string `json:"names,omitempty"`  // of the players, as their writer read them
	To     []string `json:"to,omitempty"`     // addressees of Text, as written; none: everyone
	Text   string   `json:"text,omitempty"`   // to be sent
}

// AskYes makes a yes to the answer carry out m. It does not if the answer already asks
// something else.
func (u *Unit) AskYes(w *Sender, m Meant) (asked bool, err error) {
	if w.Answer.Confirm != 0 {
		return false, nil
	}
	game := ""
	if w.Game != nil {
		game = w.Game.Row.ID
	}
	lines, err := json.Marshal(m)
	if err != nil {
		return false, err
	}
	q := &store.Confirm{Kind: store.ConfirmMeant, Player: w.ID, Address: w.Player.Address, Game: game, Lines: string(lines)}
	u.Question(q)
	w.Answer.Confirm = q.ID
	return true, nil
}

// Question stores a confirmation and schedules its end: by default like an invitation's.
func (u *Unit) Question(c *store.Confirm) {
	if c.Open, c.Created = true, u.At; c.Expires.IsZero() {
		c.Expires = u.At.Add(u.InviteFor)
	}
	u.Check(u.Tx.AddConfirm(c))
	u.Check(u.Tx.AddDue(&store.Due{At: c.Expires, Kind: store.DueConfirm, Ref: strconv.FormatInt(c.ID, 10)}))
}

// Ask writes a separate letter that asks for yes or no.
func (u *Unit) Ask(to string, player int64, t *Game, c *store.Confirm, code string, args ...string) *Draft {
	u.Question(c)
	d := &Draft{Kind: notice.KindInfo, To: to, Player: player, Game: t, Result: notice.None, Since: NoStory, Confirm: c.ID}
	if t != nil {
		if x := t.Of(player); x != nil {
			d.Place = x.Place
		}
	}
	d.Say(code, args...)
	u.Drafts = append(u.Drafts, d)
	return d
}
