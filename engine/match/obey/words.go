package obey

import (
	"strings"

	"angelpost/engine/match/agreements"
	"angelpost/engine/match/clock"
	"angelpost/engine/match/compete"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/press"
	"angelpost/engine/match/rulings"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/turns"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A word is a row of the table of words: what the desk does with it, and when. Its spellings
// are in engine/order/words.go, its help text is in the catalogue.
type word struct {
	// do carries the word out. A notice.Problem that it returns refuses the word; any
	// other error undoes the letter.
	do func(*unit.Unit, *unit.Call) error

	tokenless bool // also without the token of one of our letters
	decides   bool // not with the token of a turn that is over
	shows     bool // also in a preview, in which it shows what it would do
	game      bool // it is about one game

	// stranger returns what answers the word from an address that no player has, if
	// anything does; nil: nothing.
	stranger func(*unit.Unit, order.Word) (answer func() error)
}

// words has each word except those that obeyPart itself carries out: order.InGame, which names
// a game, and order.Undo, order.Hint and order.Plan, which depend on the letter's orders.
var words map[order.WordKind]word

func init() { // `yes` may obey a letter that was held, and that is obeyed by this table
	words = map[order.WordKind]word{
		order.Preview: {do: func(*unit.Unit, *unit.Call) error { return nil }, tokenless: true}, // a trial of the lines after it

		order.Status:  {do: status, tokenless: true},
		order.Games:   {do: freeSeats, tokenless: true, stranger: strangersFreeSeats},
		order.Help:    {do: topic, tokenless: true, stranger: strangersHelp},
		order.Rules:   {do: topic, tokenless: true},
		order.Legal:   {do: legal, tokenless: true, game: true},
		order.Link:    {do: link, tokenless: true},
		order.Board:   {do: board, tokenless: true, game: true},
		order.History: {do: history, tokenless: true, game: true},
		order.Rating:  {do: rating, tokenless: true},

		order.Settings: {do: settings, tokenless: true},
		order.MyData:   {do: myData, tokenless: true, stranger: strangersData},
		order.ForgetMe: {do: forgetMe, tokenless: true, stranger: strangersData},
		order.Subjects: {do: setSubjects},
		order.ListID:   {do: setListID},

		order.Ignore:   {do: press.Ignore},
		order.Unignore: {do: press.Unignore},
		order.Report:   {do: press.Report},

		order.Leagues:     {do: compete.Told, tokenless: true, stranger: strangersLeagues},
		order.League:      {do: compete.Told, tokenless: true},
		order.LeagueTable: {do: compete.Told, tokenless: true},
		order.JoinLeague:  {do: compete.Word, tokenless: true, stranger: strangersLeague},
		order.LeaveLeague: {do: compete.Word, tokenless: true},
		order.Substitute:  {do: compete.Word, tokenless: true, stranger: strangersLeague},
		order.NewLeague:   {do: compete.Word, tokenless: true},
		order.Announce:    {do: compete.Word, tokenless: true},
		order.AmendLeague: {do: compete.Word, tokenless: true},
		order.Direct:      {do: compete.Word, tokenless: true},

		order.Say:  {do: press.Say, shows: true, game: true},
		order.Note: {do: press.Note, shows: true, game: true},

		order.Name:      {do: setName},
		order.Format:    {do: setFormat},
		order.Notify:    {do: setNotify},
		order.Zone:      {do: clock.SetZone},
		order.Vacation:  {do: clock.Vacation},
		order.DaysOff:   {do: clock.DaysOff},
		order.Quiet:     {do: clock.SetQuiet},
		order.Reminders: {do: clock.SetReminders},
		order.Address:   {do: seating.ChangeAddress},
		order.Mute:      {do: seating.Mute},
		order.Unmute:    {do: seating.Mute},
		order.Never:     {do: never},

		order.Always:    {do: turns.StandingWord, decides: true, game: true},
		order.Forget:    {do: turns.StandingWord, decides: true, game: true},
		order.Standings: {do: turns.StandingWord, game: true},

		order.NewGame:  {do: seating.NewGame, tokenless: true, stranger: strangersGame},
		order.Rematch:  {do: seating.Rematch, game: true},
		order.Join:     {do: join, tokenless: true, stranger: strangersSeat, game: true},
		order.Refuse:   {do: decline, game: true},
		order.Resign:   {do: seating.Resign, decides: true, game: true},
		order.Back:     {do: clock.Back, game: true},
		order.Abandon:  {do: agreements.Abandon, decides: true, game: true},
		order.Pause:    {do: agreements.Pause, game: true},
		order.TakeBack: {do: agreements.TakeBack, game: true},
		order.Resume:   {do: agreements.Pause, game: true},

		order.Remind:  {do: seating.Remind, game: true},
		order.Extend:  {do: clock.Extend, game: true},
		order.Replace: {do: agreements.Replace, decides: true, game: true},
		order.Cancel:  {do: seating.Cancel, decides: true, game: true},
		order.Rule:    {do: rulings.Word, tokenless: true, decides: true},

		order.Yes: {do: func(u *unit.Unit, c *unit.Call) error { return confirmed(u, c.Sender, true, c.Line) }},
		order.No:  {do: func(u *unit.Unit, c *unit.Call) error { return confirmed(u, c.Sender, false, c.Line) }},
	}
}

// obeyWord carries out a word, or refuses it.
func obeyWord(u *unit.Unit, c *unit.Call, it order.Item) error {
	w := c.Sender
	if it.Problem != nil {
		if it.Problem.Code == order.LostLine && it.Problem.Word == "visibility" {
			_, value, _ := strings.Cut(it.Text, ":")
			switch {
			case c.Trial:
				return notice.Refuse(notice.ProblemPreview, "word", "visibility")
			case !w.Words && !turns.Open(w):
				return notice.Refuse(turns.Stale(w))
			}
			return agreements.SetVisibility(u, c, strings.ToLower(strings.TrimSpace(value)))
		}
		c.Line.Status, c.Line.Problem = notice.LineRefused, turns.Problem(it.Problem)
		if it.Problem.Code == order.NoOrder {
			c.Line.Status = notice.LineSkipped
		}
		return nil
	}
	row, known := words[it.Word.Kind]
	if c.Trial && it.Word.Changes() && !row.shows {
		return notice.Refuse(notice.ProblemPreview, "word", it.Word.Kind.String())
	}
	if refused, err := row.refuses(u, c); refused || err != nil {
		return err
	}
	if !known {
		return notice.Refuse(notice.ProblemNotNow, "word", it.Word.Kind.String())
	}
	return row.do(u, c)
}

// refuses refuses the word if it needs a token and the letter has none, or none that may
// decide anything.
func (row word) refuses(u *unit.Unit, c *unit.Call) (bool, error) {
	w := c.Sender
	switch {
	case w.Words && !row.tokenless:
		c.Refuse(notice.ProblemToken)
		return true, gate.NoticeAgain(u, w)
	case row.decides && !w.Words && !turns.Open(w):
		return true, notice.Refuse(turns.Stale(w))
	}
	return false, nil
}

// decline says no to an invitation, or to what a letter without a game asks.
func decline(u *unit.Unit, c *unit.Call) error {
	if turns.Asked(c.Sender) {
		return confirmed(u, c.Sender, false, c.Line)
	}
	if refused, err := (word{decides: true}).refuses(u, c); refused || err != nil {
		return err
	}
	return seating.Decline(u, c)
}

// join takes a seat of an open game, answers an invitation, or changes the name under
// which its writer has joined. Only an invitation needs a token.
func join(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	if id, rest := seating.TableID(c.Word); id != "" {
		return seating.JoinWord(u, c, id, rest)
	}
	if w.Seat != nil && w.Seat.Player == w.ID && !w.Invited() {
		return seating.JoinAgain(u, c)
	}
	if refused, err := (word{decides: true}).refuses(u, c); refused || err != nil {
		return err
	}
	return seating.Join(u, c)
}

// setName sets what the others call the writer.
func setName(u *unit.Unit, c *unit.Call) error { return seating.SetName(u, c, c.Word.Text) }

// setFormat sets whether the writer's letters are text only.
func setFormat(u *unit.Unit, c *unit.Call) error {
	c.Sender.Text = c.Word.Arg == "text"
	c.Done()
	c.Sender.Answer.Say(notice.SayFormat, "format", c.Word.Arg)
	return nil
}

// never stops all letters to the writer except those that players of their games cause. It
// declines an invitation, too.
func never(u *unit.Unit, c *unit.Call) error {
	w := c.Sender
	c.Done()
	w.Answer.Say(notice.SayNever)
	if err := u.Never(u.Command.From); err != nil || !w.Invited() || w.Seat.Player == w.ID && w.Seat.Stage != store.SeatInvited {
		return err
	}
	return seating.Decline(u, c)
}
