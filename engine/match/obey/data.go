package obey

import (
	"encoding/json"
	"strconv"

	"angelpost/engine/match/gate"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// Bounds of the word `my data`: letters a day to one player, and octets of what one brings.
const (
	maxDataADay = 2
	maxData     = 256 << 10
)

// myData mails the writer what is kept about them, to their own address. Anyone could have
// written an unproven letter, and the answer is long.
func myData(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	if u.Unproven {
		c.Refuse(notice.ProblemToken)
		return gate.NoticeAgain(u, w)
	}
	if u.Bump("data/"+strconv.FormatInt(w.ID, 10), u.Day()) > maxDataADay {
		return notice.Refuse(notice.ProblemMany, "word", c.Word.Kind.String(), "n", strconv.Itoa(maxDataADay))
	}
	kept, err := u.Tx.Person(w.ID)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(kept, "", "  ")
	if err != nil {
		return err
	}
	d := &unit.Draft{Kind: notice.KindAnswer, To: w.Player.Address, Player: w.ID, Result: notice.None, Since: unit.NoStory, Asked: true}
	numbers := []string{"contact", u.Contact, "asks", strconv.FormatBool(u.Contact != "")}
	for arg, table := range map[string]string{"games": "games", "letters": "letters_in", "sent": "letters_out", "messages": "messages"} {
		rows, _ := kept[table].([]map[string]any)
		numbers = append(numbers, arg, strconv.Itoa(len(rows)))
	}
	if len(text) > maxData {
		d.Say(notice.SayDataLarge, numbers...)
	} else {
		d.Answer.Data = string(text) + "\n"
		d.Say(notice.SayData, numbers...)
	}
	u.Drafts = append(u.Drafts, d)
	c.Done()
	w.Answer.Say(notice.SayDataSent, "address", w.Player.Address)
	return nil
}
