package obey

import (
	"angelpost/engine/match/gate"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// elsewhere is a letter for another server of the host: nothing of it is done, and its writer
// learns where to send it, three times a day at most. Letters of the other server never get
// here: their address is our own (unit.Config), and they say that a machine wrote them.
func elsewhere(u *unit.Unit, from store.Address) error {
	u.Mute("for another server")
	u.Log.Warn("a letter for another server came here", "its_address", u.Command.Elsewhere.Address, "message_id", u.Command.MessageID)
	known := from.Player != 0 && u.Registered(from.Player)
	if !known {
		if may, err := gate.MayAnswer(u); err != nil || !may {
			return err
		}
	}
	if !gate.Spend(u, gate.Counter(u, "elsewhere/"+unit.Mailbox(u.Command.From)), gate.ElsewhereRate) {
		return nil
	}
	u.Letter.State = store.LetterNew
	d := (*unit.Draft)(nil)
	if known {
		var err error
		if d, err = u.AnswerTo(from.Player, nil); err != nil {
			return err
		}
		d.Result, d.Counted = notice.Refused, true
	} else {
		d = gate.AnswerStranger(u, notice.Refused)
		defer d.Say(notice.TellNever)
	}
	d.Say(notice.SayElsewhere, "address", u.Command.Elsewhere.Address, "url", u.Command.Elsewhere.URL)
	return nil
}
