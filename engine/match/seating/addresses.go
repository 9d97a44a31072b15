package seating

import (
	"strconv"

	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// maxAddress bounds the addresses that a player may add or remove a day, UTC.
const maxAddress = 3

// ChangeAddress adds or removes an address of the writer's. Adding is confirmed
// at both; removing at one that stays, for the other may be dead.
func ChangeAddress(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	if p := u.BadAddress(c.Word.Text); p != nil {
		return p
	}
	address := u.Address(c.Word.Text)
	row := u.AddressOf(address)
	n := u.Bump("address/"+w.Player.Address, u.Day())
	switch {
	case n > maxAddress || w.Answer.Confirm != 0:
		c.Refuse(notice.ProblemMany, "word", c.Word.Text, "n", strconv.Itoa(maxAddress))
	case c.Word.Arg == "add" && row.Player != 0:
		c.Refuse(notice.ProblemForeign, "word", c.Word.Text)
	case c.Word.Arg == "add":
		if err := u.MayInvite(w.Player, address); err != nil {
			return err
		}
		u.Invited(w.ID, address)
		theirs := &store.Confirm{Kind: store.ConfirmAddress, Player: w.ID, Address: address}
		d := u.Ask(address, 0, nil, theirs, notice.AskAdd, "address", address, "name", w.Player.Name)
		d.Say(notice.TellNever)
		own := &store.Confirm{Kind: store.ConfirmAddress, Player: w.ID, Address: address, Twin: theirs.ID}
		u.Question(own)
		theirs.Twin = own.ID
		u.Check(u.Tx.SaveConfirm(*theirs))
		c.Done()
		w.Answer.Confirm = own.ID
		w.Answer.Say(notice.SayConfirm, "address", address)
		w.Answer.Say(notice.AskAdd, "address", address, "name", w.Player.Name)
	default:
		return removeAddress(u, c, row)
	}
	return nil
}

func removeAddress(u *unit.Unit, c *unit.Call, row store.Address) error {
	w := c.Sender
	all, err := u.Tx.Addresses(w.ID)
	if err != nil {
		return err
	}
	stay := ""
	for _, a := range all {
		if a.Address != row.Address && (stay == "" || a.Address == w.Player.Address) {
			stay = a.Address
		}
	}
	if row.Player != w.ID || stay == "" {
		return notice.Refuse(notice.ProblemLast, "word", c.Word.Text)
	}
	q := &store.Confirm{Kind: store.ConfirmRemove, Player: w.ID, Address: row.Address, Lines: stay}
	u.Question(q)
	c.Done()
	w.Answer.To, w.Answer.Alone, w.Answer.Confirm = stay, true, q.ID
	w.Answer.Say(notice.AskRemove, "address", row.Address)
	return nil
}

// AddressYes is one of the two confirmations of a new address.
func AddressYes(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	c.Said = true
	u.Check(u.Tx.SaveConfirm(c))
	twin, err := u.Tx.Confirm(c.Twin)
	if err != nil {
		return err
	}
	if !twin.Said {
		return nil
	}
	row := u.AddressOf(c.Address)
	if row.Player != 0 && row.Player != c.Player {
		return notice.Refuse(notice.ProblemLapsed)
	}
	row.Player = c.Player
	w.Answer.Say(notice.SayAdded, "address", c.Address)
	u.Check(u.Tx.SaveAddress(row))
	if w.ID == c.Player {
		return nil
	}
	d := u.DraftFor(c.Player, nil, notice.KindInfo)
	d.Say(notice.SayAdded, "address", c.Address)
	return nil
}

// RemoveYes drops an address; another becomes the one that we write to.
func RemoveYes(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	row := u.AddressOf(c.Address)
	if row.Player != w.ID || c.Lines == c.Address {
		return notice.Refuse(notice.ProblemLapsed)
	}
	if w.Player.Address == c.Address {
		w.Player.Address = c.Lines
		w.Answer.To = c.Lines
	}
	row.Player = 0
	w.Answer.Say(notice.SayRemoved, "address", c.Address)
	u.Check(u.Tx.SaveAddress(row))
	return nil
}
