package obey

import (
	"angelpost/engine/match/gate"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// answersOther reports whether a letter without a good token has one that may be another server's, in
// our address.
func answersOther(u *unit.Unit) bool { return u.Command.Token != "" && len(u.Command.Others) > 0 }

// elsewhere answers a letter for another server of the host. We play none of it; a remark tells
// the writer where to send it, at most three times a day. The other server's own letters never
// get here: their address is one of our own (unit.Config), and they say that a machine wrote
// them.
func elsewhere(u *unit.Unit, from store.Address, code string, args ...string) error {
	u.Mute("for another server")
	u.Log.Warn("a letter for another server came here", "its_address", args[1], "message_id", u.Command.MessageID)
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
	var d *unit.Draft
	if known {
		d = u.DraftFor(from.Player, nil, notice.KindAnswer) // about none of our games, even if they play but one
		d.Reply, d.Result, d.Counted = true, notice.Refused, true
	} else {
		d = gate.AnswerStranger(u, notice.Refused)
		defer d.Say(notice.TellNever)
	}
	d.Say(code, args...)
	return nil
}
