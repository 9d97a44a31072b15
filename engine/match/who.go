package match

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"angelpost/engine/incoming"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A writer is the author of a letter and what their token is good for.
type writer struct {
	*store.Player
	token  *store.Token // nil: none, or it is not theirs
	table  *table       // the token's game; nil: none
	seat   *store.Seat  // theirs in it; nil: another has it now
	answer *draft       // the one answer to their letter
	words  bool         // without a token: only words that decide nothing
	late   bool         // their answer waits for the collected letter
	held   bool         // the letter waited for a yes
	called string       // the name that a stranger's yes gives; "" none
}

// letterIn does what the letter says: mail/MAIL.md, Who.
func (s *unit) letterIn() error {
	switch s.cmd.Class {
	case incoming.Bounced:
		s.mute("a bounce")
		return s.bounces(s.cmd.Bounced)
	case incoming.Orders, incoming.Empty, incoming.TooLarge, incoming.Broken:
	default:
		s.mute(string(s.cmd.Class))
		return nil
	}
	if s.Own(s.cmd.From) || s.Address(s.cmd.From) == "" {
		s.mute("our own address, or none")
		return nil
	}
	from := s.address(s.cmd.From)
	if s.cmd.AuthFailed {
		s.unproven = true
		return s.forged(from)
	}
	if !from.Bounced.IsZero() { // they are there again
		from.Bounced = time.Time{}
		s.check(s.tx.SaveAddress(from))
	}
	token, err := s.token()
	if err != nil {
		return err
	}
	if err := s.prove(from, token); err != nil {
		return err
	}
	var owner *store.Player
	if token != nil && token.Player != 0 {
		owner = s.player(token.Player)
	}
	if s.cmd.AuthIllegible != "" {
		if held, err := s.illegible(from, token); held || err != nil {
			return err
		}
	}
	switch {
	case token != nil && owner == nil && token.Confirm != 0: // a question to a sender who is no player yet
		return s.strangerSays(token)
	case token != nil && owner == nil: // we told them what they asked
		return s.strangerAgain()
	case token != nil && from.Player == token.Player:
		return s.good(owner, token)
	case token != nil && from.Player == 0:
		return s.alias(owner, token)
	case token != nil:
		return s.foreign(from.Player)
	case from.Player != 0 && s.registered(from.Player):
		return s.tokenless(from.Player)
	}
	return s.stranger()
}

// mute marks the letter as rightly not answered.
func (s *unit) mute(why string) { s.letter.State, s.letter.Why = store.LetterMute, why }

// address is the row of an address, empty if it is not known.
func (s *unit) address(a string) store.Address {
	row, err := s.tx.Address(a)
	if none, err := missing(err); none || err != nil {
		s.check(err)
		return store.Address{Address: a}
	}
	return row
}

// token is the letter's token, nil if it is none of ours. It is found by an
// index, which takes no constant time, and need not: a guess comes as a letter,
// waits in a mailbox, is answered in the bulk if at all and only to an address
// that is registered; of 128 random bits nothing can be learnt that way. Page
// keys, for which anybody can ask and be answered at once, are compared in
// constant time (holder).
func (s *unit) token() (*store.Token, error) {
	if s.cmd.Token == "" {
		return nil, nil
	}
	t, err := s.tx.Token(s.cmd.Token)
	if none, err := missing(err); none || err != nil {
		return nil, err
	}
	return &t, nil
}

func (s *unit) registered(player int64) bool {
	return s.player(player).Registered
}

// answerTo begins the one answer to the letter, about game t. Without one it is about
// the player's only running game, so that we can obey their next reply.
func (s *unit) answerTo(player int64, t *table) (*draft, error) {
	if t == nil {
		rows, err := s.tx.GamesOf(player, true)
		if err != nil {
			return nil, err
		}
		rows = slices.DeleteFunc(rows, func(r store.Game) bool { return r.State != store.GameRunning })
		if len(rows) == 1 {
			if t, err = s.table(rows[0].ID); err != nil && !errors.Is(err, ErrUnreadable) {
				return nil, err
			}
			if x := t.of(player); x == nil || x.Player != player || x.Bot != "" {
				t = nil
			}
		}
	}
	d := s.draftFor(player, t, notice.KindAnswer)
	d.reply = true
	return d, nil
}

// good is a letter with a token of its writer's own.
func (s *unit) good(p *store.Player, token *store.Token) (err error) {
	p.Registered = true // they have answered a letter of ours
	w := &writer{Player: p, token: token}
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
func (s *unit) read(w *writer) error {
	if !w.words && wantsMute(s.cmd) {
		return s.obey(w, []order.Item{{Line: 1, Text: order.Mute.String(), Word: order.Word{Kind: order.Mute}}})
	}
	items, code := s.items(w)
	said := []string{code}
	if code == "" {
		said = said[:0]
		for _, it := range items {
			said = append(said, it.Text)
		}
	}
	if yes, whole := looksAutomated(items); yes {
		again, err := s.repeats(w, said, whole)
		if err != nil {
			return err
		}
		if again {
			s.silence(w)
			return nil
		}
		if whole && (code == "" || slices.Contains(unread, code)) {
			defer w.answer.say(notice.SayOnce)
		}
	}
	if code != "" {
		w.answer.say(code)
		w.answer.result = notice.Refused
		return nil
	}
	return s.obey(w, items)
}

// signs are the names with which the writer may have signed.
func (w *writer) signs(name string) []string {
	names := []string{name, w.Name}
	if w.seat != nil {
		names = append(names, w.seat.Name)
	}
	return names
}

// items are what the letter says, or the code for a letter that says nothing.
func (s *unit) items(w *writer) (items []order.Item, code string) {
	switch {
	case s.cmd.Class == incoming.TooLarge:
		return nil, notice.SayTooLarge
	case s.cmd.Class == incoming.Broken:
		return nil, notice.SayBroken
	}
	l := order.ReadLetter(s.cmd.Lines, w.signs(s.cmd.Name)...)
	switch {
	case len(l.Items) > 0:
		return l.Items, ""
	case s.cmd.Quoted > 0:
		return nil, notice.SayQuoted
	case len(l.Barred) > 0 || s.cmd.Barred > 0:
		return nil, notice.SayBarred
	}
	return nil, notice.SayEmpty
}

// alias is a good token from an address that is not known: the letter is held
// and the registered address asked.
func (s *unit) alias(owner *store.Player, token *store.Token) error {
	open, err := s.tx.OpenConfirms(store.ConfirmAlias, s.cmd.From)
	if err != nil {
		return err
	}
	if len(open) >= aliasRate.day || s.askedAlready(open, owner.ID) {
		s.mute("an unknown address again")
		return nil
	}
	ok := s.spend("alias/"+owner.Address, aliasRate)
	if !ok {
		s.mute("an unknown address again")
		return nil
	}
	s.letter.State, s.letter.Why = store.LetterHeld, "from an unknown address"
	return s.askHeld(store.ConfirmAlias, owner, token.Game, notice.AskAlias)
}

// illegible is a letter of which the receiving server says what it found, but not
// so that it can be read: it is held and the registered address asked, and once a
// day the host is told. held is false if there is no one to ask or nothing to ask
// about, or if the letter only answers such a question: its token was mailed to that
// address alone.
func (s *unit) illegible(from store.Address, token *store.Token) (held bool, err error) {
	if n := s.bump("illegible", s.day()); n == 1 {
		s.Log.Error("the mail server's Authentication-Results cannot be read: players' letters with such a field are held until they say yes; is authserv_id right?",
			"field", s.cmd.AuthIllegible, "letter", s.letter.ID, "message_id", s.cmd.MessageID)
	}
	if from.Player == 0 || !s.registered(from.Player) {
		return false, nil
	}
	if token != nil && token.Player == from.Player && token.Confirm != 0 && s.onlyAnswers() {
		c, err := s.tx.Confirm(token.Confirm)
		if err != nil || c.Kind == store.ConfirmLetter || c.Kind == store.ConfirmAlias {
			return false, err
		}
	}
	if len(s.told()) == 0 {
		return false, nil // there is nothing to carry out
	}
	owner := s.player(from.Player)
	open, err := s.tx.OpenConfirms(store.ConfirmLetter, s.cmd.From)
	if err != nil {
		return false, err
	}
	for _, c := range open {
		var other Command
		if json.Unmarshal([]byte(c.Lines), &other) == nil && other.Token == s.cmd.Token && slices.Equal(other.Lines, s.cmd.Lines) {
			s.mute("the same as a letter that is held")
			return true, nil
		}
	}
	s.letter.State, s.letter.Why = store.LetterHeld, "what the mail server found cannot be read"
	r := letterRate
	if !s.unproven {
		r.day = s.AnswersPerDay
	}
	ok := s.spend(s.key("letter/"+owner.Address), r)
	if !ok {
		s.letter.Why += "; its player was not asked, after too many"
		return true, nil
	}
	game := ""
	if token != nil && token.Player == owner.ID {
		game = token.Game
	}
	return true, s.askHeld(store.ConfirmLetter, owner, game, notice.AskLetter)
}

// onlyAnswers reports whether the letter says yes or no, and no other word or order.
func (s *unit) onlyAnswers() bool {
	said := false
	for _, it := range order.ReadLetter(s.cmd.Lines).Items {
		switch {
		case it.Word.Kind == order.Yes || it.Word.Kind == order.No:
			said = true
		case it.Word.Kind != order.NoWord, it.Clause != nil && it.Clause.Readable():
			return false
		}
	}
	return said
}

// askHeld asks a player whether to obey the letter in, which is held.
func (s *unit) askHeld(kind string, owner *store.Player, game, code string) error {
	held := s.cmd
	held.Raw = nil
	lines, err := json.Marshal(held)
	if err != nil {
		return err
	}
	c := &store.Confirm{Kind: kind, Player: owner.ID, Address: s.cmd.From, Game: game, Letter: s.letter.ID, Lines: string(lines)}
	var t *table
	if game != "" {
		if t, err = s.table(game); err != nil {
			return err
		}
	}
	d := s.ask(owner.Address, owner.ID, t, c, code, "address", s.cmd.From)
	d.answer.Remarks[0].List = bounded(s.told())
	d.kind, d.asked = notice.KindAnswer, true
	return nil
}

// told is what the letter in says, line by line, to quote it.
func (s *unit) told() []string {
	lines := slices.Clone(s.cmd.Lines)
	if wantsMute(s.cmd) {
		lines = append(lines, order.Mute.String())
	}
	return lines
}

// bounded is the beginning of a letter's lines, to quote them.
func bounded(lines []string) []string {
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

// foreign is a good token in another player's hands.
func (s *unit) foreign(player int64) error {
	d, err := s.answerTo(player, nil)
	if err != nil {
		return err
	}
	d.say(notice.SayForeign)
	d.result = notice.Refused
	if s.unproven { // it shows where the player's own games stand, as the last notice does
		d.counted = s.spend(s.key("again/"+d.to), againRate)
		d.full = d.counted
	}
	return err
}

// tokenless is a registered player without a good token.
func (s *unit) tokenless(player int64) error {
	p := s.player(player)
	answer, err := s.answerTo(player, nil)
	if err != nil {
		return err
	}
	w := &writer{Player: p, words: true, answer: answer}
	if s.unproven {
		if w.late, err = s.mustWait(p.Address); err != nil {
			return err
		}
	}
	return s.read(w)
}

// strangerSays handles a stranger's answer to a question.
func (s *unit) strangerSays(token *store.Token) error {
	c, err := s.tx.Confirm(token.Confirm)
	if err != nil {
		return err
	}
	if c.Address != s.cmd.From {
		s.mute("a token from another address")
		return nil
	}
	items := order.ReadLetter(s.cmd.Lines, s.cmd.Name).Items
	called := s.cmd.Name
	for _, it := range items {
		if it.Word.Kind == order.Name {
			called = it.Word.Text
		}
	}
	for _, it := range items {
		switch it.Word.Kind {
		case order.Yes, order.No:
			if it.Doubt != "" && !only(items) {
				continue
			}
			w := &writer{Player: &store.Player{Address: c.Address}, token: token, called: called}
			if !questions[c.Kind].begins || it.Word.Kind == order.No {
				if may, err := s.mayAnswer(); err != nil || !may && !c.Open {
					s.mute("the question is no longer open, and there were too many letters")
					return err
				}
				w.answer = s.answerStranger(notice.None)
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

// strangerAgain handles a stranger's answer to a letter that told them something and
// asked nothing: their mail arrives, so the day allows them more than one letter.
func (s *unit) strangerAgain() error {
	if s.unproven {
		s.mute("a token from another address")
		return nil
	}
	for _, it := range order.ReadLetter(s.cmd.Lines).Items {
		if it.Word.Kind == order.Never {
			s.mute("wants no more letters")
			return s.never(s.cmd.From)
		}
	}
	return s.stranger()
}

// stranger handles an unknown sender: silence, but for a few answers to new game, help
// and other words open to all (gate.go).
func (s *unit) stranger() error {
	s.mute("nobody we know")
	if s.cmd.Class != incoming.Orders {
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
	if may, err := s.mayAnswer(); !may {
		s.mute("too many letters of strangers, or it wants none")
		return err
	}
	s.letter.State = store.LetterNew
	switch kind {
	case order.Help:
		d := s.answerStranger(notice.None)
		d.say(notice.TellHelp)
		d.answer.Sections = []notice.Section{{Kind: "help", Topic: unlinked(items[0].Word.Text)}}
		return nil
	case order.Games:
		tables, err := openTables(s.tx)
		if err != nil {
			return err
		}
		d := s.answerStranger(notice.None)
		d.say(notice.TellNever)
		d.answer.Sections = []notice.Section{{Kind: "tables", Games: tables}}
		return nil
	case order.Join:
		return s.askJoin(id, wish)
	case order.JoinLeague, order.Substitute, order.NewLeague:
		return s.askLeague(items[0].Word)
	case order.Leagues:
		tales, err := s.leagueTales(&store.Player{Address: s.cmd.From})
		d := s.answerStranger(notice.None)
		d.say(notice.TellNever)
		d.answer.Sections = []notice.Section{{Kind: "leagues", Leagues: tales}}
		return err
	}
	return s.askNewGame(s.cmd.From)
}

// aboutLeagues reports whether a stranger may use a word about leagues.
func aboutLeagues(k order.WordKind) bool {
	return k == order.JoinLeague || k == order.Substitute || k == order.NewLeague || k == order.Leagues
}

// forged handles a letter whose DMARC or DKIM failed: it does nothing, and tells a
// registered writer, a few times a day.
func (s *unit) forged(from store.Address) error {
	s.mute("authentication failed")
	if from.Player == 0 || !s.registered(from.Player) {
		return nil
	}
	ok := s.spend("forged/"+from.Address, forgedRate)
	if !ok {
		return nil
	}
	s.letter.State = store.LetterNew
	d, err := s.answerTo(from.Player, nil)
	if err != nil {
		return err
	}
	d.say(notice.SayAuth)
	d.result, d.counted = notice.Refused, true
	return nil
}

// conflict holds a letter whose Message-ID is another letter's, and tells its writer if
// known.
func (s *unit) conflict() error { return s.tellWriter(notice.SayConflict) }

// failed is a letter set aside.
func (s *unit) failed() error { return s.tellWriter(notice.SayAside) }

// tellWriter tells a letter's writer, if known and surely its author, what became of
// it.
func (s *unit) tellWriter(code string, args ...string) error {
	from := s.address(s.cmd.From)
	if s.cmd.AuthFailed || s.cmd.AuthIllegible != "" || from.Player == 0 || s.Own(s.cmd.From) || !answerable(s.cmd.Class) || !s.registered(from.Player) {
		return nil
	}
	d, err := s.answerTo(from.Player, nil)
	if err != nil {
		return err
	}
	d.say(code, args...)
	d.result = notice.Refused
	return s.proveIt()
}

// aliasYes adds the unknown address and obeys the letter held.
func (s *unit) aliasYes(w *writer, c store.Confirm) error {
	row := s.address(c.Address)
	if row.Player != 0 && row.Player != w.ID && s.registered(row.Player) {
		w.answer.say(notice.SayForeign)
		return nil
	}
	row.Player = w.ID
	s.check(s.tx.SaveAddress(row))
	w.answer.say(notice.SayAdded, "address", c.Address)
	return s.obeyHeld(w, c)
}

// obeyHeld obeys the letter held as if it came now; the answer to the letter in
// answers both.
func (s *unit) obeyHeld(w *writer, c store.Confirm) error {
	var held Command
	if err := json.Unmarshal([]byte(c.Lines), &held); err != nil {
		return fmt.Errorf("held letter: %w", err)
	}
	l, err := s.tx.Letter(c.Letter)
	if err != nil {
		return err
	}
	l.State, l.Why = store.LetterDone, "applied after a yes"
	s.check(s.tx.SaveLetter(l))
	now := s.cmd
	s.cmd.Token, s.cmd.Lines, s.cmd.Barred, s.cmd.Quoted, s.cmd.Class = held.Token, held.Lines, held.Barred, held.Quoted, held.Class
	defer func() { s.cmd = now }()
	token, err := s.token()
	if err != nil {
		return err
	}
	if token != nil && token.Player != w.ID {
		w.answer.say(notice.SayForeign)
		return nil
	}
	w.answer.say(notice.SayHeld, "address", c.Address)
	w2 := *w
	w2.token, w2.words, w2.held = token, token == nil, true
	return s.read(&w2)
}
