package unit

import (
	"errors"
	"slices"

	"angelpost/engine/game"
	"angelpost/engine/match/replays"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A Call is one word of a letter while it is carried out.
type Call struct {
	Sender *Sender
	Word   order.Word
	Line   *notice.LineResult
	Trial  bool                // in a preview: changes nothing
	More   []notice.LineResult // about parts of the word
}

// Refuse refuses the word; args come in pairs.
func (c *Call) Refuse(code string, args ...string) {
	c.Line.Status, c.Line.Problem = notice.LineRefused, notice.Refuse(code, args...)
}

// Refused refuses the word if err is a notice.Problem, and returns any other error.
func (c *Call) Refused(err error) error {
	if p := notice.AsProblem(err); p != nil {
		c.Line.Status, c.Line.Problem = notice.LineRefused, p
		return nil
	}
	return err
}

// Done marks the word as one that changed something.
func (c *Call) Done() { c.Line.Status = notice.LineApplied }

// Invited reports whether the writer's seat still waits for their join or decline.
func (w *Sender) Invited() bool {
	if w.Seat == nil {
		return false
	}
	return w.Seat.Heir == w.ID && w.Seat.Player != w.ID || w.Game.Row.State == store.GameInvited
}

// ReplyTo returns this transaction's answer to a player about the game, nil if there is none.
func (u *Unit) ReplyTo(player int64, t *Game) *Draft {
	for _, d := range u.Drafts {
		if d.Player == player && d.Game == t && d.Reply {
			return d
		}
	}
	return nil
}

// Shown returns the writer's name as the game's players know it.
func (w *Sender) Shown() string {
	if w.Seat != nil {
		return w.Seat.Name
	}
	return w.Player.Name
}

// A Sender is the author of a letter, with what their token allows.
type Sender struct {
	*store.Player
	Token  *store.Token // nil: none, or it is not theirs
	Game   *Game        // the token's game; nil: none
	Seat   *store.Seat  // theirs in it; nil: another has it now
	Names  []string     // of the game's players in the letter answered, by seat; nil: as they are now
	Answer *Draft       // the one answer to their letter
	Words  bool         // without a token: only words that decide nothing
	Late   bool         // their answer waits for the collected letter
	Held   bool         // the letter waited for a yes
	Sure   bool         // they have said yes to what is being done
	Called string       // the name that a stranger's yes gives; "" none
}

// Unseated returns why the sender can't act for the seat of their token: another player or a
// bot has it.
func (w *Sender) Unseated() (code string) {
	x := w.Seat
	if x == nil && w.Token != nil {
		x = w.Game.Place(w.Token.Place)
	}
	switch {
	case x == nil || x.Bot == "":
		return notice.ProblemSeat
	case x.Player == w.ID && x.Stage == store.SeatResigned && !w.Game.Emptied(x, game.ByDirector):
		return notice.ProblemResigned
	}
	return notice.ProblemSeatPlayed
}

// Token returns the letter's token, nil if we did not make it. Looking it up in an index does
// not take constant time, and that is safe: a guess comes as a letter, waits in a mailbox, gets
// an answer in the bulk if at all and only to a registered address. No one can learn any of 128
// random bits that way. Page keys, which anyone can try with an immediate answer, are compared
// in constant time (holder).
func (u *Unit) Token() (*store.Token, error) {
	if u.Command.Token == "" {
		return nil, nil
	}
	t, err := u.Tx.Token(u.Command.Token)
	if none, err := Missing(err); none && err == nil {
		return u.revived()
	} else if err != nil {
		return nil, err
	}
	return &t, nil
}

// NamesIn returns the names of the players of game t, by seat, in the letter with the token. It
// returns nil if that letter was about no game, or one that had not begun, or if it cannot be
// read any more.
func (u *Unit) NamesIn(token *store.Token, t *Game) ([]string, error) {
	if token == nil || t == nil || token.Game != t.Row.ID {
		return nil, nil
	}
	letter, err := u.Tx.MessageByToken(token.Token)
	if errors.Is(err, store.ErrSpoilt) {
		return nil, nil
	}
	if none, err := Missing(err); none || err != nil {
		return nil, err
	}
	if names := letter.Answer.Names; letter.Seat != 0 && len(names) == len(t.Seats) {
		return names, nil
	}
	return nil, nil
}

// AnswerTo begins the one answer to the letter, about game t. Without one it is about
// the player's only running game, so that we can obey their next reply.
func (u *Unit) AnswerTo(player int64, t *Game) (*Draft, error) {
	if t == nil {
		rows, err := u.Tx.GamesOf(player, true)
		if err != nil {
			return nil, err
		}
		rows = slices.DeleteFunc(rows, func(r store.Game) bool { return r.State != store.GameRunning })
		if len(rows) == 1 {
			if t, err = u.Game(rows[0].ID); err != nil && !errors.Is(err, replays.ErrUnreadable) {
				return nil, err
			}
			if x := t.Of(player); x == nil || x.Player != player || x.Bot != "" {
				t = nil
			}
		}
	}
	d := u.DraftFor(player, t, notice.KindAnswer)
	d.Reply = true
	return d, nil
}

// Signs returns the names with which the writer may have signed.
func (w *Sender) Signs(name string) []string {
	names := []string{name, w.Name}
	if w.Seat != nil {
		names = append(names, w.Seat.Name)
	}
	return names
}

// Bounded returns the beginning of a letter's lines, to quote them.
func Bounded(lines []string) []string {
	out := make([]string, 0, 12)
	for _, l := range lines {
		if len(out) == 12 {
			break
		}
		if l == "" || order.Barred(l) {
			continue
		}
		if r := []rune(l); len(r) > 100 {
			l = string(r[:100])
		}
		out = append(out, l)
	}
	return out
}

// FirstGame reports whether this is the only game that a player has begun.
func (u *Unit) FirstGame(player int64, game string) bool {
	rows, err := u.Tx.GamesOf(player, false)
	u.Check(err)
	for _, g := range rows {
		if g.ID != game && !g.Started.IsZero() {
			return false
		}
	}
	return true
}
