package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"angelpost/engine/order"
)

// A writer is who wrote a letter and what his token is good for.
type writer struct {
	*PlayerRow
	token  *TokenRow // nil: none, or it is not his
	table  *table    // the token's game; nil: none
	seat   *SeatRow  // his in it; nil: another has it now
	answer *draft    // the one answer to his letter
	words  bool      // without a token: only words that decide nothing
	held   bool      // the letter waited for a yes
}

// letterIn does what the letter says: MAIL.md, Who.
func (s *sitting) letterIn() error {
	switch s.cmd.Class {
	case ClassBounce:
		s.mute("a bounce")
		return s.bounces(s.cmd.Bounced)
	case ClassOrders, ClassEmpty, ClassTooLarge, ClassBroken:
	default:
		s.mute(string(s.cmd.Class))
		return nil
	}
	if s.Own(s.cmd.From) || s.Address(s.cmd.From) == "" {
		s.mute("our own address, or none")
		return nil
	}
	from, err := s.address(s.cmd.From)
	if err != nil {
		return err
	}
	if s.cmd.AuthFailed {
		return s.forged(from)
	}
	if !from.Bounced.IsZero() { // he is there again
		from.Bounced = time.Time{}
		if err := s.tx.SaveAddress(from); err != nil {
			return err
		}
	}
	token, err := s.token()
	if err != nil {
		return err
	}
	var owner *PlayerRow
	if token != nil && token.Player != 0 {
		if owner, err = s.player(token.Player); err != nil {
			return err
		}
	}
	switch {
	case token != nil && owner == nil && token.Confirm != 0: // a question to somebody who is no player yet
		return s.strangerSays(token)
	case token != nil && owner == nil: // what he wanted to know was told him
		return s.strangerAgain(token)
	case token != nil && from.Player == token.Player:
		return s.good(owner, token)
	case token != nil && from.Player == 0:
		return s.alias(owner, token)
	case token != nil:
		return s.foreign(from.Player)
	case from.Player != 0 && s.registered(from.Player):
		return s.tokenless(from.Player)
	}
	return s.stranger(1)
}

// mute marks the letter as rightly not answered.
func (s *sitting) mute(why string) { s.letter.State, s.letter.Why = LetterMute, why }

// address is the row of an address, empty if it is not known.
func (s *sitting) address(a string) (AddressRow, error) {
	row, err := s.tx.Address(a)
	if none, err := missing(err); none || err != nil {
		return AddressRow{Address: a}, err
	}
	return row, nil
}

// token is the letter's token, nil if it is none of ours. It is found by an
// index, which takes no constant time, and need not: a guess comes as a letter,
// waits in a mailbox, is answered in the bulk if at all and only to an address
// that is registered; of 128 random bits nothing can be learnt that way. Page
// keys, for which anybody can ask and be answered at once, are compared in
// constant time (holder).
func (s *sitting) token() (*TokenRow, error) {
	if s.cmd.Token == "" {
		return nil, nil
	}
	t, err := s.tx.Token(s.cmd.Token)
	if none, err := missing(err); none || err != nil {
		return nil, err
	}
	return &t, nil
}

func (s *sitting) registered(player int64) bool {
	p, err := s.player(player)
	return err == nil && p.Registered
}

// answerTo begins the one answer to the letter, about game t. Without one it is
// about the player's only running game, so that his next reply can be obeyed.
func (s *sitting) answerTo(player int64, t *table) (*draft, error) {
	if t == nil {
		rows, err := s.tx.GamesOf(player, true)
		if err != nil {
			return nil, err
		}
		rows = slices.DeleteFunc(rows, func(r GameRow) bool { return r.State != GameRunning })
		if len(rows) == 1 {
			if t, err = s.table(rows[0].ID); err != nil {
				return nil, err
			}
			if x := t.of(player); x == nil || x.Player != player || x.Bot != "" {
				t = nil
			}
		}
	}
	d, err := s.draftFor(player, t, KindAnswer)
	if err == nil {
		d.reply = true
	}
	return d, err
}

// good is a letter with a token of its writer's own.
func (s *sitting) good(p *PlayerRow, token *TokenRow) (err error) {
	p.Registered = true // he has answered a letter of ours
	w := &writer{PlayerRow: p, token: token}
	if token.Game != "" {
		if w.table, err = s.table(token.Game); err != nil {
			return err
		}
		if x := w.table.place(token.Place); x != nil && (x.Player == p.ID || x.Heir == p.ID) {
			w.seat = x
		}
	}
	if w.answer, err = s.answerTo(p.ID, w.table); err != nil {
		return err
	}
	return s.read(w)
}

// read does what the letter's lines say for a writer who may say it.
func (s *sitting) read(w *writer) error {
	if !w.words && wantsMute(s.cmd) {
		return s.obey(w, []order.Item{{Line: 1, Text: order.Mute.String(), Word: order.Word{Kind: order.Mute}}})
	}
	items, code := s.items()
	said := []string{code}
	if code == "" {
		said = said[:0]
		for _, it := range items {
			said = append(said, it.Text)
		}
	}
	if yes, whole := babble(items); yes {
		again, err := s.repeats(w, said, whole)
		if err != nil {
			return err
		}
		if again {
			s.silence(w)
			return nil
		}
		if whole && (code == "" || slices.Contains(unread, code)) {
			defer w.answer.say(SayOnce)
		}
	}
	if code != "" {
		w.answer.say(code)
		w.answer.result = Refused
		return nil
	}
	return s.obey(w, items)
}

// items are what the letter says, or the code for a letter that says nothing.
func (s *sitting) items() (items []order.Item, code string) {
	switch {
	case s.cmd.Class == ClassTooLarge:
		return nil, SayTooLarge
	case s.cmd.Class == ClassBroken:
		return nil, SayBroken
	case len(s.cmd.Lines) == 0 && len(s.cmd.Press) == 0 && s.cmd.Quoted > 0:
		return nil, SayQuoted
	}
	l := order.ReadLetter(s.cmd.Lines)
	for _, p := range s.cmd.Press { // taken out of the lines by the reader
		item := order.Item{Text: "say", Word: order.Word{Kind: order.Say, Text: p.Text}}
		if p.To != "" {
			item.Text, item.Word.To = "say to "+p.To, order.Addressees(p.To)
		}
		l.Items = append(l.Items, item)
	}
	switch {
	case len(l.Items) > 0:
		return l.Items, ""
	case len(l.Barred) > 0 || s.cmd.Barred > 0:
		return nil, SayBarred
	}
	return nil, SayEmpty
}

// alias is a good token from an address that is not known: the letter is held
// and the registered address asked.
func (s *sitting) alias(owner *PlayerRow, token *TokenRow) error {
	open, err := s.tx.OpenConfirms(ConfirmAlias, s.cmd.From)
	if err != nil {
		return err
	}
	n, err := s.tx.Bump("alias/"+owner.Address, s.day())
	if err != nil {
		return err
	}
	if len(open) >= 3 || n > maxNoticeAgain || s.askedAlready(open, owner.ID) {
		s.mute("an unknown address again")
		return nil
	}
	held := s.cmd
	held.Raw = nil
	lines, err := json.Marshal(held)
	if err != nil {
		return err
	}
	c := &ConfirmRow{Kind: ConfirmAlias, Player: owner.ID, Address: s.cmd.From, Game: token.Game, Letter: s.letter.ID, Lines: string(lines)}
	var t *table
	if token.Game != "" {
		if t, err = s.table(token.Game); err != nil {
			return err
		}
	}
	d, err := s.ask(owner.Address, owner.ID, t, c, AskAlias, "address", s.cmd.From)
	if err != nil {
		return err
	}
	d.answer.Remarks[0].List = bounded(s.cmd.Lines)
	d.kind, d.asked = KindAnswer, true
	s.letter.State, s.letter.Why = LetterHeld, "from an unknown address"
	return nil
}

// bounded is the beginning of a letter's lines, to quote them.
func bounded(lines []string) []string {
	out := make([]string, 0, 12)
	for _, l := range lines {
		if len(out) == 12 {
			break
		}
		if r := []rune(l); len(r) > 100 {
			l = string(r[:100])
		}
		out = append(out, l)
	}
	return out
}

// foreign is a good token in another player's hands.
func (s *sitting) foreign(player int64) error {
	d, err := s.answerTo(player, nil)
	if err != nil {
		return err
	}
	d.say(SayForeign)
	d.result = Refused
	return nil
}

// tokenless is a registered player without a good token.
func (s *sitting) tokenless(player int64) error {
	p, err := s.player(player)
	if err != nil {
		return err
	}
	w := &writer{PlayerRow: p, words: true}
	if w.answer, err = s.answerTo(player, nil); err != nil {
		return err
	}
	return s.read(w)
}

// strangerSays is the answer to a question put to somebody who is no player.
func (s *sitting) strangerSays(token *TokenRow) error {
	c, err := s.tx.Confirm(token.Confirm)
	if err != nil {
		return err
	}
	if c.Address != s.cmd.From {
		s.mute("a token from another address")
		return nil
	}
	for _, it := range order.ReadLetter(s.cmd.Lines).Items {
		switch it.Word.Kind {
		case order.Yes, order.No:
			w := &writer{PlayerRow: &PlayerRow{Address: c.Address}, token: token}
			if c.Kind != ConfirmGame && c.Kind != ConfirmJoin && c.Kind != ConfirmLeague || it.Word.Kind == order.No {
				w.answer = &draft{kind: KindAnswer, to: c.Address, result: None, since: noStory, reply: true}
				s.drafts = append(s.drafts, w.answer)
			}
			return s.confirmed(w, it.Word.Kind == order.Yes, nil)
		case order.Never:
			s.mute("wants no more letters")
			return s.never(c.Address)
		}
	}
	s.mute("a stranger's letter without yes or no")
	return nil
}

// strangerAgain is an answer to a letter in which somebody who is no player was
// told something and asked nothing: he gets his mail, so the day has more for
// him than one letter.
func (s *sitting) strangerAgain(token *TokenRow) error {
	r, err := s.tx.RecipeByToken(token.Token)
	if err != nil {
		return err
	}
	if r.To != s.cmd.From {
		s.mute("a token from another address")
		return nil
	}
	for _, it := range order.ReadLetter(s.cmd.Lines).Items {
		if it.Word.Kind == order.Never {
			s.mute("wants no more letters")
			return s.never(r.To)
		}
	}
	return s.stranger(maxInvited)
}

// stranger is somebody unknown: silence, but for so many answers a day to new
// game, help and what else is for everybody.
func (s *sitting) stranger(most int) error {
	s.mute("nobody we know")
	if s.cmd.Class != ClassOrders {
		return nil
	}
	items := order.ReadLetter(s.cmd.Lines).Items
	if len(items) == 0 {
		return nil
	}
	kind := items[0].Word.Kind
	id, wish := "", order.Word{}
	if kind == order.Join {
		id, wish = tableID(items[0].Word)
	}
	if kind != order.NewGame && kind != order.Help && kind != order.Games && id == "" && !aboutLeagues(kind) {
		return nil
	}
	if kind != order.Help && !aboutLeagues(kind) && !s.mayStart(s.cmd.From, false) {
		return nil
	}
	if kind == order.NewLeague && !slices.ContainsFunc(s.Directors, func(a string) bool { return s.Address(a) == s.cmd.From }) {
		return nil
	}
	// It may not be him who wrote: to him it is a letter he did not ask for.
	if p, err := s.mayInvite(nil, s.cmd.From); p != nil || err != nil {
		return err
	}
	n, err := s.tx.Bump("stranger/"+mailbox(s.cmd.From), s.day())
	if err != nil || n > most {
		return err
	}
	if err := s.invited(0, s.cmd.From); err != nil {
		return err
	}
	if kind == order.Help {
		s.letter.State = LetterNew
		s.drafts = append(s.drafts, &draft{kind: KindAnswer, to: s.cmd.From, result: None, since: noStory, reply: true,
			answer: Answer{Remarks: []Remark{{Code: TellHelp}}, Sections: []Section{{Kind: "help", Topic: unlinked(items[0].Word.Text)}}}})
		return nil
	}
	s.letter.State = LetterNew
	switch kind {
	case order.Games:
		tables, err := openTables(s.tx)
		if err != nil {
			return err
		}
		s.drafts = append(s.drafts, &draft{kind: KindAnswer, to: s.cmd.From, result: None, since: noStory, reply: true,
			answer: Answer{Remarks: []Remark{{Code: TellNever}}, Sections: []Section{{Kind: "tables", Games: tables}}}})
		return nil
	case order.Join:
		return s.askJoin(id, wish)
	case order.JoinLeague, order.Substitute, order.NewLeague:
		return s.askLeague(items[0].Word)
	case order.Leagues:
		tales, err := s.leagueTales(&PlayerRow{Address: s.cmd.From})
		s.drafts = append(s.drafts, &draft{kind: KindAnswer, to: s.cmd.From, result: None, since: noStory, reply: true,
			answer: Answer{Remarks: []Remark{{Code: TellNever}}, Sections: []Section{{Kind: "leagues", Leagues: tales}}}})
		return err
	}
	return s.askNewGame(s.cmd.From)
}

// aboutLeagues tells whether somebody unknown may say a word about leagues.
func aboutLeagues(k order.WordKind) bool {
	return k == order.JoinLeague || k == order.Substitute || k == order.NewLeague || k == order.Leagues
}

// forged is a letter whose DMARC or DKIM failed: nothing is done; a registered
// writer is told, a few times a day.
func (s *sitting) forged(from AddressRow) error {
	s.mute("authentication failed")
	if from.Player == 0 || !s.registered(from.Player) {
		return nil
	}
	n, err := s.tx.Bump("forged/"+from.Address, s.day())
	if err != nil || n > maxForged {
		return err
	}
	s.letter.State = LetterNew
	d, err := s.answerTo(from.Player, nil)
	if err != nil {
		return err
	}
	d.say(SayAuth)
	d.result = Refused
	return nil
}

// conflict is a letter whose Message-ID is another letter's: held, and its
// writer told if he is known.
func (s *sitting) conflict() error { return s.tellWriter(SayConflict) }

// failed is a letter set aside.
func (s *sitting) failed() error { return s.tellWriter(SayAside) }

// tellWriter tells a letter's writer, if he is known and it is surely his, what
// became of it.
func (s *sitting) tellWriter(code string) error {
	from, err := s.address(s.cmd.From)
	if err != nil || s.cmd.AuthFailed || from.Player == 0 || s.Own(s.cmd.From) || !answerable(s.cmd.Class) || !s.registered(from.Player) {
		return err
	}
	d, err := s.answerTo(from.Player, nil)
	if err != nil {
		return err
	}
	d.say(code)
	d.result = Refused
	return nil
}

// confirmed carries out what a token's question asked, or drops it.
func (s *sitting) confirmed(w *writer, yes bool, item *LineResult) error {
	refuse := func(code string) {
		if item != nil {
			item.Status, item.Problem = LineRefused, &Problem{Code: code}
		}
	}
	if w.token == nil || w.token.Confirm == 0 {
		refuse(ProblemNothing)
		return nil
	}
	c, err := s.tx.Confirm(w.token.Confirm)
	if err != nil {
		return err
	}
	if !c.Open || s.now.After(c.Expires) {
		refuse(ProblemNothing)
		if w.answer != nil {
			w.answer.say(SayLapsed)
		}
		return nil
	}
	c.Open = false
	if !yes {
		if err := s.tx.SaveConfirm(c); err != nil {
			return err
		}
		if w.answer != nil {
			w.answer.say(SayNo)
		}
		if c.Kind == ConfirmSeat {
			return s.seatNo(w)
		}
		if c.Kind == ConfirmPlace {
			return s.placeSaid(w, c, false)
		}
		return s.dropHeld(c)
	}
	if err := s.tx.SaveConfirm(c); err != nil {
		return err
	}
	if item != nil {
		item.Status = LineApplied
	}
	if w.answer != nil {
		w.answer.say(SayYes)
		w.answer.result = Applied
	}
	switch c.Kind {
	case ConfirmAlias:
		return s.aliasYes(w, c)
	case ConfirmGame:
		return s.newGameYes(w, c)
	case ConfirmJoin:
		return s.joinYes(w, c)
	case ConfirmLeague:
		return s.leagueYes(w, c)
	case ConfirmSeat:
		return s.seatYes(w)
	case ConfirmPlace:
		return s.placeSaid(w, c, true)
	case ConfirmAddress:
		return s.addressYes(w, &c)
	case ConfirmRemove:
		return s.removeYes(w, c)
	case ConfirmVisibility, ConfirmAbandon, ConfirmPause, ConfirmResume:
		return s.agree(w, c.Kind)
	}
	return fmt.Errorf("confirmation of kind %q", c.Kind)
}

// dropHeld lets a held letter go unapplied.
func (s *sitting) dropHeld(c ConfirmRow) error {
	if c.Letter == 0 {
		return nil
	}
	l, err := s.tx.Letter(c.Letter)
	if err != nil {
		return err
	}
	l.State, l.Why = LetterMute, "not confirmed"
	return s.tx.SaveLetter(l)
}

// aliasYes adds the unknown address and applies the letter held, if its turn
// is still open.
func (s *sitting) aliasYes(w *writer, c ConfirmRow) error {
	row, err := s.address(c.Address)
	if err != nil {
		return err
	}
	if row.Player != 0 && row.Player != w.ID && s.registered(row.Player) {
		w.answer.say(SayForeign)
		return nil
	}
	row.Player = w.ID
	if err := s.tx.SaveAddress(row); err != nil {
		return err
	}
	w.answer.say(SayAdded, "address", c.Address)
	var held Command
	if err := json.Unmarshal([]byte(c.Lines), &held); err != nil {
		return fmt.Errorf("held letter: %w", err)
	}
	l, err := s.tx.Letter(c.Letter)
	if err != nil {
		return err
	}
	token, err := s.tx.Token(held.Token)
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	// The held letter is obeyed as if it came now; this letter's answer answers
	// both.
	l.State, l.Why = LetterDone, "applied after a yes"
	if err := s.tx.SaveLetter(l); err != nil {
		return err
	}
	w.answer.say(SayHeld, "address", c.Address)
	now := s.cmd
	s.cmd.Lines, s.cmd.Press, s.cmd.Barred, s.cmd.Class = held.Lines, held.Press, held.Barred, held.Class
	defer func() { s.cmd = now }()
	w2 := *w
	w2.token, w2.held = &token, true
	return s.read(&w2)
}
