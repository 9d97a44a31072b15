package match

import "strconv"

// changeAddress adds or removes an address of the writer's. Adding is confirmed
// at both; removing at one that stays, for the other may be dead.
func (s *sitting) changeAddress(c *saying) error {
	w := c.w
	address := s.Address(c.word.Text)
	if address == "" || s.Own(address) {
		c.refuse(ProblemAddress, "word", c.word.Text)
		return nil
	}
	row, err := s.address(address)
	if err != nil {
		return err
	}
	n, err := s.tx.Bump("address/"+w.PlayerRow.Address, s.day())
	if err != nil {
		return err
	}
	switch {
	case n > maxNoticeAgain || w.answer.confirm != 0:
		c.refuse(ProblemMany, "word", c.word.Text, "n", strconv.Itoa(maxNoticeAgain))
	case c.word.Arg == "add" && row.Player != 0:
		c.refuse(ProblemForeign, "word", c.word.Text)
	case c.word.Arg == "add":
		if p, err := s.mayInvite(w.PlayerRow, address); p != nil || err != nil {
			c.line.Status, c.line.Problem = LineRefused, p
			return err
		}
		if err := s.invited(w.ID, address); err != nil {
			return err
		}
		theirs := &ConfirmRow{Kind: ConfirmAddress, Player: w.ID, Address: address}
		d, err := s.ask(address, 0, nil, theirs, AskAdd, "address", address, "name", w.PlayerRow.Name)
		if err != nil {
			return err
		}
		d.say(TellNever)
		own := &ConfirmRow{Kind: ConfirmAddress, Player: w.ID, Address: address, Twin: theirs.ID}
		if err := s.question(own); err != nil {
			return err
		}
		theirs.Twin = own.ID
		if err := s.tx.SaveConfirm(*theirs); err != nil {
			return err
		}
		c.done()
		w.answer.confirm = own.ID
		w.answer.say(SayConfirm, "address", address)
		w.answer.say(AskAdd, "address", address, "name", w.PlayerRow.Name)
	default:
		return s.removeAddress(c, row)
	}
	return nil
}

func (s *sitting) removeAddress(c *saying, row AddressRow) error {
	w := c.w
	all, err := s.tx.Addresses(w.ID)
	if err != nil {
		return err
	}
	stay := ""
	for _, a := range all {
		if a.Address != row.Address && (stay == "" || a.Address == w.PlayerRow.Address) {
			stay = a.Address
		}
	}
	if row.Player != w.ID || stay == "" {
		c.refuse(ProblemLast, "word", c.word.Text)
		return nil
	}
	q := &ConfirmRow{Kind: ConfirmRemove, Player: w.ID, Address: row.Address, Lines: stay}
	if err := s.question(q); err != nil {
		return err
	}
	c.done()
	w.answer.to, w.answer.confirm = stay, q.ID
	w.answer.say(AskRemove, "address", row.Address)
	return nil
}

// addressYes is one of the two confirmations of a new address.
func (s *sitting) addressYes(w *writer, c *ConfirmRow) error {
	c.Said = true
	if err := s.tx.SaveConfirm(*c); err != nil {
		return err
	}
	twin, err := s.tx.Confirm(c.Twin)
	if err != nil {
		return err
	}
	if !twin.Said {
		return nil
	}
	row, err := s.address(c.Address)
	if err != nil {
		return err
	}
	if row.Player != 0 && row.Player != c.Player {
		w.answer.say(SayLapsed)
		return nil
	}
	row.Player = c.Player
	w.answer.say(SayAdded, "address", c.Address)
	if err := s.tx.SaveAddress(row); err != nil || w.ID == c.Player {
		return err
	}
	d, err := s.draftFor(c.Player, nil, KindInfo)
	if err != nil {
		return err
	}
	d.say(SayAdded, "address", c.Address)
	return nil
}

// removeYes drops an address; another becomes the one that is written to.
func (s *sitting) removeYes(w *writer, c ConfirmRow) error {
	row, err := s.address(c.Address)
	if err != nil {
		return err
	}
	if row.Player != w.ID || c.Lines == c.Address {
		w.answer.say(SayLapsed)
		return nil
	}
	if w.PlayerRow.Address == c.Address {
		w.PlayerRow.Address = c.Lines
		w.answer.to = c.Lines
	}
	row.Player = 0
	w.answer.say(SayRemoved, "address", c.Address)
	return s.tx.SaveAddress(row)
}
