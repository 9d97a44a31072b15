package match

// A game goes on without letters as far as it can: bots play, and what players
// have said beforehand is done.

// maxAhead bounds the steps taken without a letter in one transaction, in case plans
// and standing orders never come to an end.
const maxAhead = 200

// playAhead lets a running game go on without letters until a player must write or it
// is over.
func (s *unit) playAhead(t *table) error {
	for range maxAhead {
		if err := s.letBotsPlay(t); err != nil {
			return err
		}
		if t.play.State.Finished() {
			return nil
		}
		moved, err := s.saidBefore(t)
		if err != nil || !moved {
			return err
		}
	}
	s.Log.Error("a game plays on and on without letters", "game", t.row.ID)
	return nil
}

// saidBefore does one thing that a player has said beforehand, and reports whether
// there was any.
func (s *unit) saidBefore(t *table) (moved bool, err error) {
	if moved, err = s.playPlan(t); moved || err != nil { // what is meant for this turn comes first
		return moved, err
	}
	if moved, err = s.doStanding(t, (*standing).choose); moved || err != nil {
		return moved, err
	}
	return s.doStanding(t, (*standing).forced)
}
