package obey

import (
	"errors"
	"slices"

	"angelpost/engine/match/replays"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/store"
)

// maxComplaints bounds the abuse reports a day that the host reads; the others are logged.
const maxComplaints = 50

// believed reports whether an abuse report counts: its sender is one that the host trusts, or
// it passes DMARC or DKIM and comes from the provider of the address it is about. A Message-ID
// is not enough, because anyone who has read a letter knows it.
func believed(u *unit.Unit, address string) bool {
	c := u.Command
	if slices.ContainsFunc(u.Reporters, func(a string) bool { return u.Address(a) == c.From }) {
		return c.Authentic || !u.Checked && !c.AuthFailed
	}
	return c.Authentic && u.Provider(c.From) == u.Provider(address)
}

// complains carries out an abuse report (RFC 5965). One that is believed and holds the Message-ID
// of a letter that we sent to the person who complains mutes its game for them. Any other
// does nothing but reach the host: a forged one must not silence a player.
func complains(u *unit.Unit) error {
	c := u.Command.Complaint
	if c == nil {
		return nil
	}
	row := store.Report{At: u.At, Name: c.Address, Reason: "an abuse report that names none of the letters we sent"}
	if c.MessageID != "" {
		r, err := u.Tx.MessageByID(c.MessageID)
		switch none, err := unit.Missing(err); {
		case err != nil:
			return err
		case none:
		case c.Address != "" && u.Address(c.Address) != r.To:
			row.Game, row.Reason = r.Game, "an abuse report about a letter that went to another address"
		case !believed(u, r.To):
			row.Game, row.Reason = r.Game, "an abuse report about a letter we sent, by an address that may be forged"
		default:
			row.Game, row.Name, row.Player = r.Game, r.To, r.Player
			row.Reason = "an abuse report about a letter we sent"
			if r.Game == "" {
				break
			}
			t, err := u.Game(r.Game)
			if errors.Is(err, replays.ErrUnreadable) {
				break
			}
			if err != nil {
				return err
			}
			if x := t.Of(r.Player); x != nil {
				row.Reason += "; the game is muted for them"
				if err := seating.SetMuted(u, t, x, r.Player); err != nil {
					return err
				}
			}
		}
	}
	u.Log.Warn("an abuse report", "address", row.Name, "game", row.Game, "what", row.Reason, "message_id", c.MessageID)
	if n := u.Bump("complaint", u.Day()); n > maxComplaints {
		return nil
	}
	u.Check(u.Tx.AddReport(&row))
	return nil
}
