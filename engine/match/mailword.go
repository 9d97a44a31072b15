package match

import (
	"strings"

	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A mailWord is what the desk does with a word of a letter. A notice.Problem that it
// returns refuses the word; any other error undoes the letter.
type mailWord struct {
	do func(*unit, *call) error

	tokenless bool // also without the token of one of our letters
	decides   bool // not with the token of a turn that is over
}

// mailWords has each word but those that obey itself carries out: order.Undo,
// order.Hint and order.Plan, which depend on the letter's orders.
var mailWords map[order.WordKind]mailWord

func init() { // `yes` may obey a letter that was held, and that is obeyed by this table
	mailWords = map[order.WordKind]mailWord{
		order.Preview: {do: func(*unit, *call) error { return nil }, tokenless: true}, // what stands below it is tried

		order.Status:  {do: (*unit).tell, tokenless: true},
		order.Games:   {do: (*unit).tell, tokenless: true},
		order.Help:    {do: (*unit).tell, tokenless: true},
		order.Rules:   {do: (*unit).tell, tokenless: true},
		order.Legal:   {do: (*unit).tell, tokenless: true},
		order.Link:    {do: (*unit).tell, tokenless: true},
		order.Board:   {do: (*unit).tell, tokenless: true},
		order.History: {do: (*unit).tell, tokenless: true},
		order.Rating:  {do: (*unit).rating, tokenless: true},

		order.Leagues:     {do: (*unit).leagueTold, tokenless: true},
		order.League:      {do: (*unit).leagueTold, tokenless: true},
		order.LeagueTable: {do: (*unit).leagueTold, tokenless: true},
		order.JoinLeague:  {do: (*unit).leagueWord, tokenless: true},
		order.LeaveLeague: {do: (*unit).leagueWord, tokenless: true},
		order.Substitute:  {do: (*unit).leagueWord, tokenless: true},
		order.NewLeague:   {do: (*unit).leagueWord, tokenless: true},
		order.Announce:    {do: (*unit).leagueWord, tokenless: true},
		order.AmendLeague: {do: (*unit).leagueWord, tokenless: true},

		order.Say:  {do: (*unit).press},
		order.Note: {do: (*unit).note},

		order.Name:      {do: func(s *unit, c *call) error { return s.setName(c, c.word.Text) }},
		order.Format:    {do: (*unit).setFormat},
		order.Notify:    {do: (*unit).setNotify},
		order.Zone:      {do: (*unit).setZone},
		order.Vacation:  {do: (*unit).vacation},
		order.DaysOff:   {do: (*unit).daysOff},
		order.Quiet:     {do: (*unit).setQuiet},
		order.Reminders: {do: (*unit).setReminders},
		order.Address:   {do: (*unit).changeAddress},
		order.Mute:      {do: (*unit).muteWord},
		order.Unmute:    {do: (*unit).muteWord},
		order.Never:     {do: (*unit).neverWord},

		order.Always:    {do: (*unit).standingWord, decides: true},
		order.Forget:    {do: (*unit).standingWord, decides: true},
		order.Standings: {do: (*unit).standingWord},

		order.NewGame: {do: (*unit).newGameWord, tokenless: true},
		order.Rematch: {do: (*unit).rematch},
		order.Join:    {do: (*unit).join, decides: true}, // see obeyWord
		order.Refuse:  {do: (*unit).decline, decides: true},
		order.Resign:  {do: (*unit).resign, decides: true},
		order.Back:    {do: (*unit).back},
		order.Abandon: {do: (*unit).abandon, decides: true},
		order.Pause:   {do: (*unit).pauseWord},
		order.Resume:  {do: (*unit).pauseWord},

		order.Remind:  {do: (*unit).remind},
		order.Extend:  {do: (*unit).extend},
		order.Replace: {do: (*unit).replace, decides: true},
		order.Cancel:  {do: (*unit).cancel, decides: true},
		order.Rule:    {do: (*unit).ruleWord, decides: true},

		order.Yes: {do: func(s *unit, c *call) error { return s.confirmed(c.w, true, c.line) }},
		order.No:  {do: func(s *unit, c *call) error { return s.confirmed(c.w, false, c.line) }},
	}
}

// obeyWord carries out a word, or refuses it.
func (s *unit) obeyWord(c *call, it order.Item) error {
	w := c.w
	if it.Problem != nil {
		if it.Problem.Code == order.LostLine && it.Problem.Word == "visibility" {
			_, value, _ := strings.Cut(it.Text, ":")
			switch {
			case c.trial:
				return notice.Refuse(notice.ProblemPreview, "word", "visibility")
			case !w.words && !w.open():
				return notice.Refuse(w.stale())
			}
			return s.setVisibility(c, strings.ToLower(strings.TrimSpace(value)))
		}
		c.line.Status, c.line.Problem = notice.LineRefused, problem(it.Problem)
		if it.Problem.Code == order.NoOrder {
			c.line.Status = notice.LineSkipped
		}
		return nil
	}
	k := it.Word.Kind
	if c.trial && it.Word.Changes() && k != order.Say && k != order.Note { // those it shows
		return notice.Refuse(notice.ProblemPreview, "word", k.String())
	}
	if k == order.Join {
		if id, rest := tableID(it.Word); id != "" {
			return s.joinWord(c, id, rest)
		}
		if w.seat != nil && w.seat.Player == w.ID && !w.invited() {
			return s.joinAgain(c)
		}
	}
	word, known := mailWords[k]
	switch {
	case w.words && !word.tokenless:
		c.refuse(notice.ProblemToken)
		return s.noticeAgain(w)
	case word.decides && !w.open():
		return notice.Refuse(w.stale())
	case !known:
		return notice.Refuse(notice.ProblemNotNow, "word", k.String())
	}
	return word.do(s, c)
}

// setFormat sets whether the writer's letters are text only.
func (s *unit) setFormat(c *call) error {
	c.w.Text = c.word.Arg == "text"
	c.done()
	c.w.answer.say(notice.SayFormat, "format", c.word.Arg)
	return nil
}

// setNotify sets whether the writer hears of every turn.
func (s *unit) setNotify(c *call) error {
	c.w.Every = c.word.Arg == "every"
	c.done()
	c.w.answer.say(notice.SayNotify, "notify", c.word.Arg)
	return nil
}

// neverWord stops all letters to the writer that no one at a table of theirs caused. It
// declines an invitation, too.
func (s *unit) neverWord(c *call) error {
	w := c.w
	c.done()
	w.answer.say(notice.SayNever)
	if err := s.never(s.cmd.From); err != nil || !w.invited() || w.seat.Player == w.ID && w.seat.Stage != store.SeatInvited {
		return err
	}
	return s.decline(c)
}
