package obey

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/incoming"
	"angelpost/engine/match/clock"
	"angelpost/engine/match/gate"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// Answerable reports whether letters of a class may be answered at all.
func Answerable(c incoming.Class) bool {
	return slices.Contains([]incoming.Class{incoming.Orders, incoming.Empty, incoming.TooLarge, incoming.Broken}, c)
}

// Letter carries out a letter in: mail/MAIL.md, Who.
func Letter(u *unit.Unit) error {
	switch u.Command.Class {
	case incoming.Bounced:
		u.Mute("a bounce")
		return bounces(u, u.Command.Bounced)
	case incoming.Complained:
		u.Mute("an abuse report")
		return complains(u)
	case incoming.Orders, incoming.Empty, incoming.TooLarge, incoming.Broken:
	case incoming.Auto:
		return automatic(u)
	case incoming.Reaction:
		return reaction(u)
	default:
		u.Mute(string(u.Command.Class))
		return nil
	}
	if u.Command.Foreign != "" {
		return beyondASCII(u)
	}
	if u.Own(u.Command.From) || u.Address(u.Command.From) == "" {
		u.Mute("our own address, or none")
		return nil
	}
	if blocked, err := u.Tx.Blocked(u.Command.From); blocked || err != nil {
		u.Mute("blocked by the host")
		return err
	}
	from := u.AddressOf(u.Command.From)
	if u.Command.AuthFailed {
		u.Unproven = true
		return forged(u, from)
	}
	if !from.Bounced.IsZero() { // they are there again
		from.Bounced = time.Time{}
		u.Check(u.Tx.SaveAddress(from))
	}
	token, err := u.Token()
	if err != nil {
		return err
	}
	if err := gate.Prove(u, from, token); err != nil {
		return err
	}
	if from.Player != 0 && !u.Unproven {
		if err := clock.Reached(u, from.Player); err != nil {
			return err
		}
	}
	if token == nil && u.Command.Elsewhere != nil {
		return elsewhere(u, from, notice.SayElsewhere, "address", u.Command.Elsewhere.Address, "url", u.Command.Elsewhere.URL)
	}
	if token == nil && answersOther(u) && (from.Player == 0 || !u.Registered(from.Player)) {
		return elsewhere(u, from, notice.SayWhoseToken, "address", strings.Join(u.Command.Others, ", "))
	}
	var owner *store.Player
	if token != nil && token.Player != 0 {
		owner = u.Player(token.Player)
	}
	if u.Command.AuthIllegible != "" {
		if held, err := illegible(u, from, token); held || err != nil {
			return err
		}
	}
	switch {
	case token != nil && owner == nil && from.Player != 0 && u.Registered(from.Player) && !answersOnly(u): // a letter from before they were a player
		return tokenless(u, from.Player)
	case token != nil && owner == nil && token.Confirm != 0: // a question to a sender who has not joined yet
		return strangerSays(u, token)
	case token != nil && owner == nil: // we told them what they asked
		return strangerAgain(u)
	case token != nil && from.Player == token.Player:
		return good(u, owner, token)
	case token != nil && from.Player == 0:
		return alias(u, owner, token)
	case token != nil:
		return foreign(u, from.Player)
	case from.Player != 0 && u.Registered(from.Player):
		if asked, err := lost(u, from.Player); asked || err != nil {
			return err
		}
		return tokenless(u, from.Player)
	}
	return unconfirmed(u, from)
}

// unconfirmed handles a letter without a good token from an address that no player has
// confirmed. An address that the host or a league's file names is not a stranger's, unless its
// owner wants no letters.
func unconfirmed(u *unit.Unit, from store.Address) error {
	named := u.Appointed(from.Address)
	if !named {
		var err error
		if named, err = leagues.Names(u, from.Address); err != nil {
			return err
		}
	}
	u.Friend = named || from.Player != 0 || u.Befriended() // an organiser has named players
	if !named || u.Unproven && u.WantsNone(from.Address) {
		return stranger(u)
	}
	if !order.Says(u.Command.Lines) && saysStart(&u.Command) {
		return stranger(u)
	}
	if from.Player == 0 {
		from.Player = u.AddPlayer(from.Address, u.Command.Name).ID
	}
	return tokenless(u, from.Player)
}

// automatic handles a letter that a mail program wrote. We never answer it, and obey only one
// wish, which its owner had the program send from a List-Unsubscribe field: no more letters.
// Apple Mail marks that letter as automatic.
func automatic(u *unit.Unit) error {
	u.Mute(string(u.Command.Class))
	if !seating.WantsMute(u.Command) || u.Command.AuthFailed || u.Command.AuthIllegible != "" || u.Own(u.Command.From) || u.Address(u.Command.From) == "" {
		return nil
	}
	token, err := u.Token()
	if err != nil || token == nil || token.Player == 0 || u.AddressOf(u.Command.From).Player != token.Player {
		return err
	}
	w, err := writer(u, u.Player(token.Player), token)
	if err != nil {
		return err
	}
	if err := read(u, w); err != nil {
		return err
	}
	silence(u, w, "a mail program's request for no more letters")
	return nil
}

// good handles a letter with a token of its writer's own.
func good(u *unit.Unit, p *store.Player, token *store.Token) error {
	w, err := writer(u, p, token)
	if err != nil {
		return err
	}
	lines, unsaid, err := named(u, p.ID, token.Game, u.Command.Lines)
	if err != nil {
		return err
	}
	if len(unsaid) > 0 {
		askWhichGame(w, unsaid)
		return nil
	}
	u.Command.Lines = lines
	if held, err := inTime(u, w); held || err != nil {
		return err
	}
	return read(u, w)
}

// writer returns the sender of a letter with a token of their own.
func writer(u *unit.Unit, p *store.Player, token *store.Token) (w *unit.Sender, err error) {
	p.Registered = true // they have answered one of our letters
	w = &unit.Sender{Player: p, Token: token}
	if token.Game != "" {
		if w.Game, err = u.Game(token.Game); err != nil {
			return nil, err
		}
		if x := w.Game.Place(token.Place); x != nil && (x.Player == p.ID || x.Heir == p.ID) {
			w.Seat = x
		}
	}
	if w.Names, err = u.NamesIn(token, w.Game); err != nil {
		return nil, err
	}
	w.Answer, err = u.AnswerTo(p.ID, w.Game)
	return w, err
}

// read carries out the letter's lines for a writer who may give them.
func read(u *unit.Unit, w *unit.Sender) error {
	if !w.Words && seating.WantsMute(u.Command) {
		return obey(u, w, []order.Item{{Line: 1, Text: order.Mute.String(), Word: order.Word{Kind: order.Mute}}})
	}
	if onlyThanks(u, w) == "" {
		games, unsaid, err := whichGame(u, w)
		switch {
		case err != nil:
			return err
		case unsaid:
			askWhichGame(w, games)
			return nil
		case len(games) > 0:
			defer func() { w.Answer.Say(notice.SayOtherGames).List = games }()
		}
	}
	e, err := everydayOf(u, w)
	if err != nil {
		return err
	}
	items, unticked, code := items(u, w)
	unclear, thankful := false, false
	if meant := e.items(); meant != nil {
		items, code = meant, ""
	} else if text := onlyThanks(u, w); text != "" {
		if done, err := thanks(u, w, text); done || err != nil {
			return err
		}
		if unclear, thankful = e != nil, true; !unclear {
			items, code, w.Answer.Answer.Brief = nil, notice.SayEmpty, true
		}
	} else if e.silent() && !plain(items) {
		silence(u, w, "asks for nothing")
		return nil
	} else {
		unclear = len(unticked) == 0 && e.unread(items, code)
	}
	said := []string{code}
	brief := unclear && (thankful || !e.atMove())
	if brief {
		if code, said = "", unit.Bounded(u.Command.Lines); len(said) == 0 {
			said = []string{notice.SayEmpty}
		}
	} else if code == "" {
		said = said[:0]
		for _, it := range items {
			said = append(said, it.Text)
		}
	}
	if yes, whole := looksAutomated(items); yes {
		again, last, err := repeats(u, w, said, whole)
		if err != nil {
			return err
		}
		if last {
			defer w.Answer.Say(notice.SayLast, "who", cmp.Or(u.Contact, "none"))
		}
		if again {
			silence(u, w, "repeats itself")
			return nil
		}
		if whole && (code == "" || slices.Contains(unread, code)) {
			defer w.Answer.Say(notice.SayOnce)
		}
	}
	defer leftOut(u, w, unticked)
	if brief {
		e.unclear(unit.Bounded(u.Command.Lines))
		return nil
	}
	if code != "" {
		w.Answer.Say(code)
		w.Answer.Result = notice.Refused
		if unclear {
			e.name()
		}
		return nil
	}
	if !u.Unproven {
		unlist(u, w.Player)
		if err := clock.GuessZone(u, w); err != nil {
			return err
		}
	}
	if err := obey(u, w, items); err != nil {
		return err
	}
	if unclear && w.Answer.Result == notice.Refused || e != nil && e.wanting(items) {
		e.name()
	}
	return nil
}

// items returns what the letter says, or the code for a letter that says nothing; unticked are
// the lines with an unticked box.
func items(u *unit.Unit, w *unit.Sender) (items []order.Item, unticked []string, code string) {
	switch {
	case u.Command.Class == incoming.TooLarge:
		return nil, nil, notice.SayTooLarge
	case u.Command.Class == incoming.Broken && u.Command.Sealed:
		return nil, nil, notice.SaySealed
	case u.Command.Class == incoming.Broken:
		return nil, nil, notice.SayBroken
	}
	l := order.ReadLetter(u.Command.Lines, w.Signs(u.Command.Name)...)
	u.Check(errors.Join(familiar(u, &l), answersNo(u, w, &l)))
	for _, it := range l.Unticked {
		unticked = append(unticked, naming.Clean(it.Text, false))
	}
	switch {
	case l.Back > 0 && !saysMore(l):
		return takenBack(w, l, strings.TrimSpace(u.Command.Lines[l.Back-1])), unticked, ""
	case len(l.Items) > 0:
		return l.Items, unticked, ""
	case u.Command.Quoted > 0:
		return nil, unticked, notice.SayQuoted
	case len(l.Barred) > 0 || u.Command.Barred > 0:
		return nil, unticked, notice.SayBarred
	}
	return nil, unticked, notice.SayEmpty
}

// answersNo applies a lone "no" next to orders to the question that the letter replies to, if
// that question is open.
func answersNo(u *unit.Unit, w *unit.Sender, l *order.Letter) error {
	if l.No == 0 || w.Token == nil || w.Token.Confirm == 0 {
		return nil
	}
	c, err := u.Tx.Confirm(w.Token.Confirm)
	if none, err := unit.Missing(err); none || err != nil {
		return err
	}
	if c.Open && !u.At.After(c.Expires) {
		l.AnswersNo(u.Command.Lines[l.No-1])
	}
	return nil
}

// leftOut tells the writer which orders of their letter were not read because they are struck
// through, which lines because their box is not ticked, and that no one reads attachments.
func leftOut(u *unit.Unit, w *unit.Sender, unticked []string) {
	var struck []string
	for _, line := range u.Command.Struck {
		if order.Says([]string{line}) {
			struck = append(struck, naming.Clean(line, false))
		}
	}
	if len(struck) > 0 {
		w.Answer.Say(notice.SayStruck).List = unit.Bounded(struck)
	}
	if len(u.Command.Files) > 0 {
		names := make([]string, len(u.Command.Files))
		for i, name := range u.Command.Files {
			if names[i] = naming.Clean(name, false); u.Unproven { // others may have written it
				names[i] = naming.Unlinked(names[i])
			}
		}
		w.Answer.Say(notice.SayFiles).List = unit.Bounded(names)
	}
	if len(unticked) > 0 {
		w.Answer.Say(notice.SayUnticked).List = unit.Bounded(unticked)
	}
}

// alias handles a good token from an unknown address: it holds the letter and asks the
// registered address.
func alias(u *unit.Unit, owner *store.Player, token *store.Token) error {
	open, err := u.Tx.OpenConfirms(store.ConfirmAlias, u.Command.From)
	if err != nil {
		return err
	}
	if len(open) >= gate.AliasRate.Day || askedAlready(u, open, owner.ID) {
		u.Mute("an unknown address again")
		return nil
	}
	ok := gate.Spend(u, "alias/"+owner.Address, gate.AliasRate)
	if !ok {
		u.Mute("an unknown address again")
		return nil
	}
	u.Letter.State, u.Letter.Why = store.LetterHeld, "from an unknown address"
	return askHeld(u, store.ConfirmAlias, owner, token.Game, notice.AskAlias)
}

// illegible handles a letter in which the receiving server's authentication result cannot be
// read. It holds the letter, asks the registered address, and tells the host once a day. held
// is false if there is no one to ask or nothing to ask about, or if the letter only answers
// such a question: we mailed its token to that address alone.
func illegible(u *unit.Unit, from store.Address, token *store.Token) (held bool, err error) {
	if n := u.Bump("illegible", u.Day()); n == 1 {
		u.Log.Error("the mail server's Authentication-Results cannot be read: players' letters with such a field are held until they say yes; is authserv_id right?",
			"field", u.Command.AuthIllegible, "letter", store.InID(u.Letter.ID), "message_id", u.Command.MessageID)
	}
	if from.Player == 0 || !u.Registered(from.Player) {
		return false, nil
	}
	if token != nil && token.Player == from.Player && token.Confirm != 0 && onlyAnswers(u) {
		c, err := u.Tx.Confirm(token.Confirm)
		if err != nil || c.Kind == store.ConfirmLetter || c.Kind == store.ConfirmAlias {
			return false, err
		}
	}
	if len(told(u)) == 0 {
		return false, nil // there is nothing to carry out
	}
	owner := u.Player(from.Player)
	open, err := u.Tx.OpenConfirms(store.ConfirmLetter, u.Command.From)
	if err != nil {
		return false, err
	}
	for _, c := range open {
		var other unit.Command
		if json.Unmarshal([]byte(c.Lines), &other) == nil && other.Token == u.Command.Token && slices.Equal(other.Lines, u.Command.Lines) {
			u.Mute("the same as a letter that is held")
			return true, nil
		}
	}
	u.Letter.State, u.Letter.Why = store.LetterHeld, "what the mail server found cannot be read"
	r := gate.LetterRate
	if !u.Unproven {
		r.Day = u.AnswersPerDay
	}
	ok := gate.Spend(u, gate.Counter(u, "letter/"+owner.Address), r)
	if !ok {
		u.Letter.Why += "; we did not ask its player, after too many questions"
		return true, nil
	}
	game := ""
	if token != nil && token.Player == owner.ID {
		game = token.Game
	}
	return true, askHeld(u, store.ConfirmLetter, owner, game, notice.AskLetter)
}

// onlyAnswers reports whether the letter says yes or no, and no other word or order.
func onlyAnswers(u *unit.Unit) bool {
	said := false
	for _, it := range order.ReadLetter(u.Command.Lines).Items {
		switch {
		case it.Doubt.Marked():
		case it.Word.Kind == order.Yes || it.Word.Kind == order.No:
			said = true
		case it.Word.Kind != order.NoWord, it.Clause != nil && it.Clause.Readable():
			return false
		}
	}
	return said
}

// answersOnly reports whether the letter says only what a stranger, too, can answer to one of
// our letters: yes, no, or never again.
func answersOnly(u *unit.Unit) bool {
	return !slices.ContainsFunc(order.ReadLetter(u.Command.Lines).Items, func(it order.Item) bool {
		return !it.Doubt.Marked() && it.Word.Kind != order.NoWord && it.Word.Kind != order.Yes && it.Word.Kind != order.No && it.Word.Kind != order.Never
	})
}

// askHeld asks a player whether to obey the letter in, which is held.
func askHeld(u *unit.Unit, kind string, owner *store.Player, game, code string) error {
	held := u.Command
	held.Raw = nil
	lines, err := json.Marshal(held)
	if err != nil {
		return err
	}
	c := &store.Confirm{Kind: kind, Player: owner.ID, Address: u.Command.From, Game: game, Letter: u.Letter.ID, Lines: string(lines)}
	var t *unit.Game
	if game != "" {
		if t, err = u.Game(game); err != nil {
			return err
		}
	}
	d := u.Ask(owner.Address, owner.ID, t, c, code, "address", u.Command.From)
	d.Answer.Remarks[0].List = unit.Bounded(told(u))
	d.Kind, d.Asked = notice.KindAnswer, true
	return nil
}

// told returns the lines of the letter in, to quote them.
func told(u *unit.Unit) []string {
	lines := slices.Clone(u.Command.Lines)
	for i := range lines {
		lines[i], _ = order.Unmarked(lines[i])
	}
	if seating.WantsMute(u.Command) {
		lines = append(lines, order.Mute.String())
	}
	return lines
}

// foreign handles a letter with another player's token.
func foreign(u *unit.Unit, player int64) error {
	d, err := u.AnswerTo(player, nil)
	if err != nil {
		return err
	}
	d.Say(notice.SayForeign)
	d.Result = notice.Refused
	if u.Unproven { // it shows where the player's own games stand, as the last notice does
		d.Counted = gate.Spend(u, gate.Counter(u, "again/"+d.To), gate.AgainRate)
		d.Full = d.Counted
	}
	return err
}

// tokenless handles a letter from a registered player without a good token.
func tokenless(u *unit.Unit, player int64) error {
	p := u.Player(player)
	answer, err := u.AnswerTo(player, nil)
	if err != nil {
		return err
	}
	w := &unit.Sender{Player: p, Words: true, Answer: answer}
	if answersOther(u) {
		answer.Say(notice.SayWhoseToken, "address", strings.Join(u.Command.Others, ", "))
	}
	if u.Unproven {
		if w.Late, err = gate.MustWait(u, p.Address); err != nil {
			return err
		}
	}
	return read(u, w)
}

// strangerSays handles a stranger's answer to a question.
func strangerSays(u *unit.Unit, token *store.Token) error {
	c, err := u.Tx.Confirm(token.Confirm)
	if err != nil {
		return err
	}
	if c.Address != u.Command.From {
		u.Mute("a token from another address")
		return nil
	}
	said := order.ReadReply(u.Command.Lines, u.Command.Name)
	items := order.ReadLetter(u.Command.Lines, u.Command.Name).Items
	if yes := said.Yes || said.OK || said.Line == "join" && c.Kind != store.ConfirmAddress; yes != said.No && u.Command.Quoted+u.Command.Barred == 0 {
		answer := order.Item{Line: 1, Word: order.Word{Kind: order.Yes}}
		if !yes {
			answer.Word.Kind = order.No
		}
		if items = []order.Item{answer}; said.Name != "" {
			items = append(items, order.Item{Line: 1, Word: order.Word{Kind: order.Name, Text: said.Name}})
		}
	}
	called := u.Command.Name
	for _, it := range items {
		if it.Word.Kind == order.Name && it.Doubt == "" {
			called = it.Word.Text
		}
	}
	for _, it := range items {
		switch it.Word.Kind {
		case order.Yes, order.No:
			if it.Doubt != "" && !only(items) {
				continue
			}
			w := &unit.Sender{Player: &store.Player{Address: c.Address}, Token: token, Called: called}
			if !questions[c.Kind].begins || it.Word.Kind == order.No {
				if may, err := gate.MayAnswer(u); err != nil || !may && !c.Open {
					u.Mute("the question is no longer open, and there were too many letters")
					return err
				}
				w.Answer = gate.AnswerStranger(u, notice.None)
			}
			if err := confirmed(u, w, it.Word.Kind == order.Yes, nil); err != nil {
				return err
			}
			return guessNewcomer(u)
		case order.Never, order.Mute:
			if !wantsNone(it) {
				continue
			}
			u.Mute("wants no more letters")
			return u.Never(c.Address)
		}
	}
	u.Mute("a stranger's letter without yes or no")
	switch {
	case said.Nothing || !c.Open || u.At.After(c.Expires):
		return nil
	case len(items) > 0 && words[items[0].Word.Kind].stranger != nil: // they ask for something else
		return stranger(u)
	}
	if _, whole := looksAutomated(items); whole { // a machine may have written it
		if first, err := once(u, "still/"+strconv.FormatInt(c.ID, 10)); !first || err != nil {
			return err
		}
	}
	if may, err := gate.MayAnswer(u); err != nil || !may {
		return err
	}
	u.Letter.State = store.LetterNew
	d := gate.AnswerStranger(u, notice.None)
	d.Confirm = c.ID
	d.Say(notice.AskYesStill)
	d.Say(notice.TellNever)
	return nil
}

// guessNewcomer guesses the time zone of a sender who has just become a player by their letter.
func guessNewcomer(u *unit.Unit) error {
	id := u.AddressOf(u.Command.From).Player
	at := slices.IndexFunc(u.Drafts, func(d *unit.Draft) bool { return id != 0 && d.Player == id })
	if at < 0 {
		return nil
	}
	unlist(u, u.Player(id))
	return clock.GuessZone(u, &unit.Sender{Player: u.Player(id), Answer: u.Drafts[at]})
}

// strangerAgain handles a stranger's answer to a letter of information without a question:
// their mail arrives, so they may get more than one letter that day.
func strangerAgain(u *unit.Unit) error {
	if u.Unproven {
		u.Mute("a token from another address")
		return nil
	}
	items := order.ReadLetter(u.Command.Lines).Items
	if slices.ContainsFunc(items, wantsNone) {
		u.Mute("wants no more letters")
		return u.Never(u.Command.From)
	}
	said := order.ReadReply(u.Command.Lines, u.Command.Name)
	if said.Word.Kind != order.NoWord {
		u.Command.Lines = []string{said.Line}
	} else if _, whole := looksAutomated(items); (whole || said.Yes || said.OK) && !said.Nothing && !said.No && u.Command.Class == incoming.Orders {
		u.Mute("nothing that we know")
		m, err := answered(u)
		if m == nil || err != nil {
			return err
		}
		if first, err := once(u, "words/"+strconv.FormatInt(m.ID, 10)); !first || err != nil { // a machine may have written it
			return err
		}
		if may, err := gate.MayAnswer(u); err != nil || !may {
			return err
		}
		u.Letter.State = store.LetterNew
		gate.AnswerStranger(u, notice.None).Say(notice.SayWords).List = []string{"new game", "games", "leagues", "help"}
		return nil
	}
	return stranger(u)
}

// wantsNone reports whether a stranger asks for no more letters: they have no game to mute.
func wantsNone(it order.Item) bool {
	return (it.Word.Kind == order.Never || it.Word.Kind == order.Mute) && it.Doubt == "" && it.Problem == nil
}

// stranger handles an unknown sender. There is no answer, except a few to new game, help and
// other words open to all, and to a first letter (package gate).
func stranger(u *unit.Unit) error {
	u.Mute("no one we know")
	if u.Command.Class != incoming.Orders && u.Command.Class != incoming.Empty {
		return nil
	}
	answer, err := strangersAnswer(u)
	if answer == nil || err != nil {
		return err
	}
	if may, err := gate.MayAnswer(u); !may {
		u.Mute("too many letters of strangers, or it wants none")
		return err
	}
	u.Letter.State = store.LetterNew
	return answer()
}

// strangersAnswer returns the function that answers an unknown sender, nil if there is no
// answer.
func strangersAnswer(u *unit.Unit) (answer func() error, err error) {
	items := slices.DeleteFunc(order.ReadLetter(u.Command.Lines).Items, func(it order.Item) bool { return it.Doubt.Marked() })
	wants := saysStart(&u.Command)
	if slices.ContainsFunc(items, wantsNone) {
		if u.Command.AuthPassed { // without a token, that proves who asks
			return nil, u.Never(u.Command.From)
		}
		return nil, nil
	}
	if len(items) > 0 {
		if row := words[items[0].Word.Kind]; row.stranger != nil {
			if answer = row.stranger(u, items[0].Word); answer != nil {
				u.Acts = items[0].Word.Changes()
				return answer, nil
			}
			wants = true // a game that is not theirs to start or join
		}
		near, err := nearestWord(u)
		if err != nil {
			return nil, err
		}
		if near != "" {
			return func() error { return tellNearest(u, near) }, nil
		}
	}
	if tells, err := mayTellStart(u, wants); err != nil || !tells {
		return nil, err
	}
	return func() error { return tellStart(u) }, nil
}

// forged handles a letter whose DMARC or DKIM failed: it does nothing, and tells a
// registered writer, a few times a day.
func forged(u *unit.Unit, from store.Address) error {
	u.Mute("authentication failed")
	if from.Player == 0 || !u.Registered(from.Player) {
		return nil
	}
	ok := gate.Spend(u, "forged/"+from.Address, gate.ForgedRate)
	if !ok {
		return nil
	}
	u.Letter.State = store.LetterNew
	d, err := u.AnswerTo(from.Player, nil)
	if err != nil {
		return err
	}
	d.Say(notice.SayAuth)
	d.Result, d.Counted = notice.Refused, true
	return nil
}

// Conflict tells the writer, if known, that the letter has the Message-ID of another letter, so
// that it is held.
func Conflict(u *unit.Unit) error { return TellWriter(u, notice.SayConflict) }

// Failed tells the writer of a letter that it was set aside.
func Failed(u *unit.Unit) error { return TellWriter(u, notice.SayAside) }

// TellWriter tells a letter's writer the outcome, if they are known and surely its author.
func TellWriter(u *unit.Unit, code string, args ...string) error {
	from := u.AddressOf(u.Command.From)
	if u.Command.AuthFailed || u.Command.AuthIllegible != "" || from.Player == 0 || u.Own(u.Command.From) || !Answerable(u.Command.Class) || !u.Registered(from.Player) {
		return nil
	}
	d, err := u.AnswerTo(from.Player, nil)
	if err != nil {
		return err
	}
	d.Say(code, args...)
	d.Result = notice.Refused
	return gate.ProveIt(u)
}

// aliasYes adds the unknown address and obeys the letter held.
func aliasYes(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	row := u.AddressOf(c.Address)
	if row.Player != 0 && row.Player != w.ID && u.Registered(row.Player) {
		w.Answer.Say(notice.SayForeign)
		return nil
	}
	row.Player = w.ID
	u.Check(u.Tx.SaveAddress(row))
	w.Answer.Say(notice.SayAdded, "address", c.Address)
	return obeyHeld(u, w, c)
}

// lost handles an answer to a letter that this database, an older copy, does not have. If it
// gives orders in a game that has taken another course since, we hold it and ask its writer,
// who saw a position that is not here. asked is false if the letter is read like one without a
// token.
func lost(u *unit.Unit, player int64) (asked bool, err error) {
	l, err := u.Lost()
	if err != nil || l == nil || l.Seat.Player != player {
		return false, err
	}
	orders := slices.ContainsFunc(order.ReadLetter(u.Command.Lines).Items, func(it order.Item) bool {
		return !it.Doubt.Marked() && it.Clause != nil && it.Clause.Readable()
	})
	if !orders {
		return false, nil
	}
	u.Letter.State, u.Letter.Why = store.LetterHeld, "it answers a letter from after the time to which the database was put back"
	if !gate.Spend(u, gate.Counter(u, "lost/"+u.Command.From), gate.LetterRate) {
		u.Letter.Why += "; we did not ask its player, after too many questions"
		return true, nil
	}
	return true, askHeld(u, store.ConfirmLost, u.Player(player), l.Game.Row.ID, notice.AskLost)
}

// lostYes carries out the held letter in the game's present position, with the token of the
// question.
func lostYes(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	token := *w.Token
	token.Confirm = 0
	return obeyHeldWith(u, w, c, &token)
}

// obeyHeld carries out the held letter as if it came now; the answer to the letter in answers
// both.
func obeyHeld(u *unit.Unit, w *unit.Sender, c store.Confirm) error {
	return obeyHeldWith(u, w, c, nil)
}

// obeyHeldWith is obeyHeld with another token than the letter's; nil: the letter's.
func obeyHeldWith(u *unit.Unit, w *unit.Sender, c store.Confirm, token *store.Token) error {
	var held unit.Command
	if err := json.Unmarshal([]byte(c.Lines), &held); err != nil {
		return fmt.Errorf("held letter: %w", err)
	}
	l, err := u.Tx.Letter(c.Letter)
	if err != nil {
		return err
	}
	l.State, l.Why = store.LetterDone, "applied after a yes"
	u.Check(u.Tx.SaveLetter(l))
	now := u.Command
	u.Command.Token, u.Command.Lines, u.Command.Barred, u.Command.Quoted, u.Command.Class = held.Token, held.Lines, held.Barred, held.Quoted, held.Class
	defer func() { u.Command = now }()
	if token == nil {
		if token, err = u.Token(); err != nil {
			return err
		}
	}
	if token != nil && token.Player != w.ID {
		w.Answer.Say(notice.SayForeign)
		return nil
	}
	w.Answer.Say(notice.SayHeld, "address", c.Address)
	w2 := *w
	w2.Token, w2.Words, w2.Held = token, token == nil, true
	if w2.Names, err = u.NamesIn(token, w2.Game); err != nil {
		return err
	}
	return read(u, &w2)
}
