package match

import (
	"strconv"

	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// maxAddress bounds the addresses that a player may add or remove a day, UTC.
const maxAddress = 3

// changeAddress adds or removes an address of the writer's. Adding is confirmed
// at both; removing at one that stays, for the other may be dead.
func (s *unit) changeAddress(c *call) error {
	w := c.w
	address := s.Address(c.word.Text)
	if address == "" || s.Own(address) {
		return notice.Refuse(notice.ProblemAddress, "word", c.word.Text)
	}
	row := s.address(address)
	n := s.bump("address/"+w.Player.Address, s.day())
	switch {
	case n > maxAddress || w.answer.confirm != 0:
		c.refuse(notice.ProblemMany, "word", c.word.Text, "n", strconv.Itoa(maxAddress))
	case c.word.Arg == "add" && row.Player != 0:
		c.refuse(notice.ProblemForeign, "word", c.word.Text)
	case c.word.Arg == "add":
		if err := s.mayInvite(w.Player, address); err != nil {
			return err
		}
		s.invited(w.ID, address)
		theirs := &store.Confirm{Kind: store.ConfirmAddress, Player: w.ID, Address: address}
		d := s.ask(address, 0, nil, theirs, notice.AskAdd, "address", address, "name", w.Player.Name)
		d.say(notice.TellNever)
		own := &store.Confirm{Kind: store.ConfirmAddress, Player: w.ID, Address: address, Twin: theirs.ID}
		s.question(own)
		theirs.Twin = own.ID
		s.check(s.tx.SaveConfirm(*theirs))
		c.done()
		w.answer.confirm = own.ID
		w.answer.say(notice.SayConfirm, "address", address)
		w.answer.say(notice.AskAdd, "address", address, "name", w.Player.Name)
	default:
		return s.removeAddress(c, row)
	}
	return nil
}

func (s *unit) removeAddress(c *call, row store.Address) error {
	w := c.w
	all, err := s.tx.Addresses(w.ID)
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
		return notice.Refuse(notice.ProblemLast, "word", c.word.Text)
	}
	q := &store.Confirm{Kind: store.ConfirmRemove, Player: w.ID, Address: row.Address, Lines: stay}
	s.question(q)
	c.done()
	w.answer.to, w.answer.confirm = stay, q.ID
	w.answer.say(notice.AskRemove, "address", row.Address)
	return nil
}

// addressYes is one of the two confirmations of a new address.
func (s *unit) addressYes(w *writer, c store.Confirm) error {
	c.Said = true
	s.check(s.tx.SaveConfirm(c))
	twin, err := s.tx.Confirm(c.Twin)
	if err != nil {
		return err
	}
	if !twin.Said {
		return nil
	}
	row := s.address(c.Address)
	if row.Player != 0 && row.Player != c.Player {
		return notice.Refuse(notice.ProblemLapsed)
	}
	row.Player = c.Player
	w.answer.say(notice.SayAdded, "address", c.Address)
	s.check(s.tx.SaveAddress(row))
	if w.ID == c.Player {
		return nil
	}
	d := s.draftFor(c.Player, nil, notice.KindInfo)
	d.say(notice.SayAdded, "address", c.Address)
	return nil
}

// removeYes drops an address; another becomes the one that is written to.
func (s *unit) removeYes(w *writer, c store.Confirm) error {
	row := s.address(c.Address)
	if row.Player != w.ID || c.Lines == c.Address {
		return notice.Refuse(notice.ProblemLapsed)
	}
	if w.Player.Address == c.Address {
		w.Player.Address = c.Lines
		w.answer.to = c.Lines
	}
	row.Player = 0
	w.answer.say(notice.SayRemoved, "address", c.Address)
	s.check(s.tx.SaveAddress(row))
	return nil
}
