package obey

import (
	"slices"
	"strings"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/match/leagues"
	"angelpost/engine/match/naming"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// What an answer in everyday words (order.Reply) means depends on the letter that it answers:
// "sure" joins a game after an invitation, and says yes to a question. We know that letter by
// its token. Its occasion says which orders agreement and refusal mean, and which words we
// suggest if we don't understand the answer: we never refuse an everyday answer without naming
// the word that would work.

// An occasion is the situation in which letters of some kind leave their readers. The first
// that fits counts.
type occasion struct {
	// codes are those of remarks, problems and sections of which the letter has one, or its
	// kind. None: any letter.
	codes []string
	fits  func(*situation) bool // besides; nil: always

	yes, no string   // the lines that agreement and refusal mean, "" none
	does    []string // words that change something and that everyday words may ask for
	open    bool     // "ok" does not say which of several things to do
	words   []string // that a short answer names, "LEAGUE" being the letter's league
}

// A situation is what we know of a letter that was answered; it decides the occasion.
type situation struct {
	u        *unit.Unit
	w        *unit.Sender
	m        *notice.Message // that it answers
	question *store.Confirm  // that it asks, nil none; it is open
	directs  bool            // the writer directs the league that it is about
}

func (s *situation) invited() bool {
	return s.w.Invited() && (s.w.Seat.Player != s.w.ID || s.w.Seat.Stage == store.SeatInvited)
}

func (s *situation) declined() bool { return s.w.Invited() && s.w.Seat.Stage == store.SeatDeclined }

func (s *situation) unbegun() bool {
	return s.w.Game != nil && s.w.Game.Row.State == store.GameInvited
}

func (s *situation) organises() bool {
	return s.w.Game != nil && s.w.Game.Row.Organiser == s.w.ID && s.w.Game.Row.League == ""
}

func (s *situation) over() bool {
	return s.w.Game != nil && !s.w.Game.Running() && !s.unbegun()
}

func (s *situation) kept() bool {
	return s.w.Game != nil && s.w.Game.Running() && s.w.Seat != nil && s.w.Seat.Player == s.w.ID && s.w.Seat.Stage == store.SeatAbsent
}

func (s *situation) left() bool {
	return s.w.Game != nil && s.w.Game.Running() && (s.w.Seat == nil || s.w.Seat.Player != s.w.ID || s.w.Seat.Bot != "")
}

// moves reports whether the game waits for the writer.
func (s *situation) moves() bool {
	t := s.w.Game
	return t != nil && t.Running() && t.Replay != nil && s.w.Seat != nil && s.w.Seat.Player == s.w.ID && s.w.Seat.Bot == "" && t.Replay.Waits(engine.Seat(s.w.Seat.Seat))
}

// undoable reports whether the writer can take a step back.
func (s *situation) undoable() bool {
	t := s.w.Game
	if t == nil || !t.Running() || t.Replay == nil || s.w.Seat == nil || s.w.Seat.Player != s.w.ID || s.w.Seat.Bot != "" {
		return false
	}
	_, ok := t.Replay.Undoable(engine.Seat(s.w.Seat.Seat))
	return ok
}

// asksToMove reports whether the letter asks its reader for a move: a reader who answers only
// "ok" may think that they have made it.
func (s *situation) asksToMove() bool {
	m := s.m
	return s.moves() && (m.Kind == notice.KindTurn || m.Reminds() || m.Answer.Board || m.Result == notice.Refused || m.Result == notice.Partial)
}

func (s *situation) message() bool {
	return s.m.Kind == notice.KindInfo && len(s.m.Answer.Press) > 0 && len(s.m.Answer.Remarks) == 0
}

// asking matches letters that ask a question of one of the kinds, or of any kind.
func asking(kinds ...string) func(*situation) bool {
	return func(s *situation) bool {
		return s.question != nil && (kinds == nil || slices.Contains(kinds, s.question.Kind))
	}
}

// occasions are in order: first the question that the letter asks, then the state of its game
// or league.
var occasions = []occasion{
	{fits: asking(store.ConfirmJoin, store.ConfirmLeague, store.ConfirmSeat, store.ConfirmPlace), yes: "yes", no: "no", does: []string{"join", "decline", "rematch"}, words: []string{"yes", "no"}},
	{fits: asking(store.ConfirmHere), yes: "yes", no: "no", does: []string{"join", "back"}, words: []string{"yes", "no", "leave league LEAGUE"}},
	{fits: asking(store.ConfirmInTime, store.ConfirmTakeBack), yes: "yes", no: "no", does: []string{"take back"}, words: []string{"yes", "no"}},
	{fits: asking(store.ConfirmForget), yes: "yes", no: "no", does: []string{"forget me"}, words: []string{"yes", "no"}},
	{fits: asking(), yes: "yes", no: "no", words: []string{"yes", "no"}},

	{codes: []string{notice.SayNever}, words: []string{"new game", "unmute"}},
	{fits: (*situation).invited, yes: "join", no: "decline", does: []string{"rematch", "never write to me again", "decline"}, words: []string{"join", "decline", "never write to me again"}},
	{codes: []string{notice.SayMuted, notice.SayMutedInvited, notice.SayUnmuted, notice.SayMutedLeague, notice.SayUnmutedLeague}, does: []string{"unmute"}, words: []string{"unmute", "status"}},
	{fits: (*situation).declined, words: []string{"join", "new game"}},
	{codes: []string{notice.SayForgotten, notice.SayNotForgotten}, words: []string{"new game", "my data"}},
	{fits: (*situation).kept, does: []string{"back"}, words: []string{"back", "resign"}},
	{codes: []string{notice.SayDigest, notice.SayTogether}, words: []string{"say", "notify", "mute"}},
	{fits: (*situation).message, open: true, words: []string{"say", "ignore"}},

	// Answers to words, and what players set.
	{codes: []string{notice.SayPreview, notice.SayPreviewNew}, open: true, words: []string{"preview", "legal"}},
	{codes: []string{"hint"}, open: true, words: []string{"hint", "legal"}},
	{codes: []string{notice.SayNotPlanned, notice.SayPlanAhead, "plan"}, words: []string{"plan", "plan none", "help plan"}},
	{codes: []string{notice.SayStanding, notice.SayStandingGone, notice.SayStandingNone, notice.TellOffCard, notice.TellOffPaid, notice.TellOffHand, notice.TellOffBoost, notice.TellOffRobots, notice.TellOffLast, notice.TellOffUndone, notice.TellOffRolled, notice.TellOffBot, "standing"},
		words: []string{"always", "forget", "undo", "standing"}},
	{codes: []string{notice.SayDigestSet, notice.SayNotify, notice.SayZone, notice.SayReminders, notice.SayQuiet, notice.SayNoQuiet, notice.SayVacation, notice.SayDaysOff, notice.SayFormat, notice.SaySubjects, notice.SayName,
		notice.SayNameNot, notice.SayLink, notice.SayZoneGuessed, notice.SayDaysLeft, notice.SayPresent, "settings"}, words: []string{"settings", "help"}},
	{codes: []string{"help", "rules"}, words: []string{"help", "rules", "games", "join"}},
	{codes: []string{notice.SaySaid, notice.SaySaidNobody, notice.SayNoted, notice.SayNotedOnly}, words: []string{"say"}},
	{codes: []string{notice.SayIgnored, notice.SayUnignored, notice.SayUnignoredAll, notice.SayReported}, words: []string{"unignore", "say"}},
	{codes: []string{notice.SayForeign, notice.SayAuth, notice.SayElsewhere, notice.SayWhoseToken, notice.SayConflict, notice.SayAside, notice.SayBusy}, words: []string{"help", "address", "status"}},
	{codes: []string{notice.SayBarred, notice.SayQuoted, notice.SayTooLarge, notice.SayBroken, notice.SaySealed, notice.SayStruck, notice.SayUnticked}, words: []string{"legal", "help"}},
	{codes: []string{notice.SayData, notice.SayDataSent, notice.SayDataLarge, notice.SayDataNone}, does: []string{"forget me"}, words: []string{"forget me", "my data", "help"}},
	{codes: []string{notice.TellHostSays, notice.TellHostRenamed, notice.TellMovedAddress}, words: []string{"help", "name", "status"}},
	{codes: []string{notice.SayCollected, notice.SayCollectedBrief}, words: []string{"legal", "status", "help"}},
	{codes: []string{notice.TellHints}, words: []string{"ORDERS", "hint", "legal", "say", "help", "rules"}},

	// What we tell directors and the players of leagues.
	{codes: []string{notice.TellAppeal}, words: []string{"uphold", "rule", "help rule"}},
	{codes: []string{notice.TellRuled, notice.TellRuledHost, notice.RuledAsked, notice.RuledUnasked, notice.RuledAdjudicate, notice.RuledCorrect, notice.RuledReplay, notice.SayAppealed, notice.SayAppealedHost, notice.TellAppealed,
		notice.TellUpheld, notice.TellUpheldHost, notice.TellOverruled, notice.TellOverruledHost}, words: []string{"appeal", "status"}},
	{codes: []string{notice.TellNoShow, notice.TellNoShowAll, notice.TellNoShowLater}, words: []string{"join league LEAGUE", "appeal", "status"}},
	{codes: []string{notice.SayRuled, notice.SayDirected, notice.SaySkipped, notice.TellDirects, notice.TellAssists, notice.TellOffice, notice.SayOfficeAsked, notice.SayOfficeKept, notice.TellOfficeKept},
		words: []string{"rule", "help rule", "league LEAGUE", "standings LEAGUE"}},
	{codes: []string{notice.TellStalled}, words: []string{"start league LEAGUE", "announce LEAGUE", "add"}},
	{codes: []string{notice.SayLeagueMade, notice.SayAmended, notice.SayAmendedNot, notice.SayOddClock, notice.SayOddLeast, notice.SayOddShort, notice.SayOddMove}, words: []string{"amend", "league LEAGUE", "announce LEAGUE"}},
	{codes: []string{notice.SayAnnounced, notice.SayLeagueInvited}, words: []string{"announce LEAGUE", "league LEAGUE"}},
	{codes: []string{notice.TellUnbegun, notice.TellBackLeague, notice.TellMayTakeOver, notice.TellPlaceVain, notice.TellSeatRuler, notice.TellBouncedRuler, notice.TellUnreachedRuler}, words: []string{"replace", "pause", "take over league LEAGUE"}},
	{codes: []string{notice.TellWeek}, words: []string{"extend", "announce LEAGUE", "say", "close league LEAGUE", "standings LEAGUE"}},
	{codes: []string{notice.TellDirectSeason, notice.TellDirectEnd}, words: []string{"announce LEAGUE", "league LEAGUE", "close league LEAGUE"}},
	{codes: []string{notice.TellSeatOpen, notice.TellSeatNobody, notice.SaySubstitute, notice.SayNoSubstitute}, words: []string{"substitute", "leagues", "say"}},
	{codes: []string{notice.TellAnnounced}, words: []string{"substitute LEAGUE", "say", "mute", "league LEAGUE"}},
	{codes: []string{notice.SayLeagueLeft}, words: []string{"join league LEAGUE", "status"}},
	{codes: []string{notice.SayHere, notice.SayHereNot, notice.TellTakenOff}, yes: "join league LEAGUE", words: []string{"join league LEAGUE", "leave league LEAGUE"}},
	{fits: func(s *situation) bool { return s.directs }, words: []string{"announce LEAGUE", "extend", "rule", "league LEAGUE", "standings LEAGUE"}},
	{fits: func(s *situation) bool { return s.w.Game == nil && s.m.League != "" }, words: []string{"league LEAGUE", "standings LEAGUE", "leave league LEAGUE", "status", "mute", "say", "appeal"}},

	// What a game is at.
	{codes: []string{notice.TellStepIn}, words: []string{"resign", "history", "legal", "hint"}},
	{codes: []string{notice.TellExpired, notice.TellPutOff, notice.SayCancelled, notice.TellCancelled}, words: []string{"new game", "rematch", "say", "status"}},
	{fits: (*situation).over, does: []string{"rematch"}, yes: "", words: []string{"rematch", "new game", "board", "history", "say"}},
	{codes: []string{notice.SayYes, notice.SayNo, notice.SayConfirm, notice.SayAdded, notice.SayRemoved, notice.SayHeld, notice.SayLapsed, notice.SayLate, notice.SayAnswered, notice.SayVisibility, notice.TellVisibility},
		words: []string{"help", "settings", "status"}},
	{fits: (*situation).left, words: []string{"back", "new game", "say", "status"}},
	{codes: []string{notice.TellDeclined, notice.TellHeirDeclined, notice.TellHeirExpired, notice.TellBounced}, fits: (*situation).organises, open: true, words: []string{"replace", "remind", "cancel", "status", "help host"}},
	{fits: func(s *situation) bool { return s.unbegun() && s.organises() }, words: []string{"replace", "remind", "cancel", "status", "help host"}},
	{fits: (*situation).unbegun, words: []string{"status", "name", "resign", "say"}},
	{codes: []string{notice.TellResigned, notice.TellReplaced, notice.TellTakenOver, notice.TellBack, notice.TellExpelledGame, notice.TellMissedAll, notice.TellAbsentAll, notice.TellLateAll, notice.TellExtendAll, notice.RuledExtendAll,
		notice.TellInTime, notice.TellTakenBack, notice.TellTakeBackNo, notice.TellOrganiser, notice.TellBouncedAll, notice.TellBouncedLeague, notice.TellUnreached}, words: []string{"say", "status", "replace", "extend", "take back"}},
	{codes: []string{notice.TellPaused, notice.RuledPause, notice.TellResumed, notice.RuledResume}, words: []string{"resume", "pause", "status"}},
	{codes: []string{notice.SayRolled, notice.TellPutBack}, open: true, words: []string{"ORDERS", "legal", "history", "hint"}},
	{codes: []string{notice.TellReminder, notice.TellRunsOut, notice.TellLate, notice.TellNudge, notice.TellMissed}, fits: (*situation).moves, open: true, words: []string{"ORDERS", "legal", "hint", "vacation", "resign"}},
	{fits: (*situation).undoable, words: []string{"ORDERS", "undo", "legal", "hint"}},
	{fits: (*situation).moves, words: []string{"ORDERS", "legal", "hint", "say", "help"}},
	{codes: []string{notice.TellStanding, notice.TipReserve, notice.TipKeep, notice.TipDiscard, notice.TipOwner, notice.TipForced}, words: []string{"always", "forget", "standing", "legal", "hint"}},
	{fits: func(s *situation) bool { return s.w.Game != nil }, words: []string{"status", "history", "say", "help"}},
	{words: []string{"status", "settings", "help", "new game"}},
}

// has reports whether the letter has one of the codes.
func (s *situation) has(codes []string) bool {
	a := &s.m.Answer
	in := func(code string) bool { return slices.Contains(codes, code) }
	return in(string(s.m.Kind)) ||
		slices.ContainsFunc(a.Remarks, func(r notice.Remark) bool { return in(r.Code) }) ||
		slices.ContainsFunc(a.Sections, func(x notice.Section) bool { return in(x.Kind) }) ||
		slices.ContainsFunc(a.Lines, func(l notice.LineResult) bool { return l.Problem != nil && in(l.Problem.Code) })
}

// An everyday is a letter read in everyday words.
type everyday struct {
	order.Reply
	*occasion
	situation
}

// everydayOf reads the letter in everyday words. It returns nil if that is impossible, because
// the letter has none of our tokens, or has quotation that its writer may have meant.
func everydayOf(u *unit.Unit, w *unit.Sender) (*everyday, error) {
	if c := &u.Command; w.Words || w.Token == nil || w.Held || c.Quoted > 0 || c.Barred > 0 || len(c.Struck) > 0 {
		return nil, nil
	}
	m, err := answered(u)
	if m == nil || err != nil {
		return nil, err
	}
	e := &everyday{situation: situation{u: u, w: w, m: m}}
	names := w.Signs(u.Command.Name)
	if w.Game != nil {
		names = append(names, w.Game.Names()...)
	}
	if m.Answer.Invite != nil {
		names = append(names, m.Answer.Invite.Organiser)
	}
	e.Reply = order.ReadReply(u.Command.Lines, names...)
	if w.Token.Confirm != 0 {
		c, err := u.Tx.Confirm(w.Token.Confirm)
		if none, err := unit.Missing(err); none || err != nil {
			return nil, err
		}
		if e.question = &c; (!c.Open || u.At.After(c.Expires)) && !questions[c.Kind].again && !e.Yes && !e.OK && !e.No {
			e.question = nil // it is too late to say anything else
		}
	}
	if m.League != "" && w.Game == nil && w.Player != nil {
		c, err := u.League(m.League)
		if none, err := unit.Missing(err); err != nil {
			return nil, err
		} else if !none {
			if e.directs, err = leagues.Directs(u, c, w.Player); err != nil {
				return nil, err
			}
		}
	}
	for i := range occasions {
		if o := &occasions[i]; (o.codes == nil || e.has(o.codes)) && (o.fits == nil || o.fits(&e.situation)) {
			e.occasion = o
			break
		}
	}
	return e, nil
}

// asked reports whether the letter asks something, so that "ok" is a yes.
func (e *everyday) asked() bool { return e.question != nil || e.yes == order.Join.String() }

// final are words that say no for good, whatever the question.
var final = map[string]bool{"decline": true, "never write to me again": true}

// lines returns the orders that the reply means, nil if it means none.
func (e *everyday) lines() (lines []string) {
	does := slices.Contains(e.does, e.Line)
	agrees := e.Yes || e.OK && e.asked() || does && e.yes != "" && !final[e.Line] && (e.Line != "rematch" || e.unbegun())
	if e.Yes && e.No { // "I'm still here"
		here, office := e.question != nil && e.question.Kind == store.ConfirmHere, e.question != nil && e.question.Kind == store.ConfirmOffice
		agrees, e.Yes, e.No = here, here, office
	}
	switch {
	case e.Orders != nil:
		if e.No && e.no != "" {
			lines = append(lines, e.no)
		}
		return append(lines, e.Orders...)
	case agrees && e.yes == "join":
		return []string{strings.TrimSpace("join " + e.Name)}
	case agrees && e.yes != "":
		lines = append(lines, e.fill(e.yes))
		if e.Name != "" {
			lines = append(lines, "name "+e.Name)
		}
		return lines
	case (e.No || e.Word.Kind == order.Refuse) && e.no != "":
		return []string{e.no}
	case e.Word.Kind != order.NoWord && (!e.Word.Changes() || does) && e.allowed():
		if e.Line == "standings" && e.m.League != "" {
			return []string{strings.TrimSpace(e.Line + " " + e.m.Answer.League)}
		}
		return []string{e.Line}
	}
	return nil
}

// allowed reports whether the word that the reply asks for means something here.
func (e *everyday) allowed() bool {
	t, seat := e.w.Game, e.w.Seat
	switch {
	case e.Word.Kind == order.Hint:
		return e.moves() && t.Row.Options.Hints
	case words[e.Word.Kind].game && !e.Word.Changes():
		return t != nil && t.Replay != nil && seat != nil && seat.Player == e.w.ID
	case e.m.League != "" && t == nil: // when what of it begins?
		return e.Line != "status"
	}
	return true
}

// fill puts the league's name into a word.
func (e *everyday) fill(word string) string {
	return strings.ReplaceAll(word, "LEAGUE", e.m.Answer.League)
}

// silent reports whether the reply wants nothing, so that it needs no answer.
func (e *everyday) silent() bool {
	return e != nil && (e.Nothing && !e.message() || e.OK && !e.asked() && !e.open) && !e.asksToMove() && e.question == nil
}

// plain reports whether a letter has a literal word or order, other than yes and no.
func plain(items []order.Item) bool {
	return slices.ContainsFunc(items, func(it order.Item) bool {
		switch it.Word.Kind {
		case order.Yes, order.No:
			return false
		case order.NoWord:
			return it.Clause != nil && it.Clause.Readable() || it.Problem != nil && (it.Problem.Code != order.BadWord || !strings.Contains(it.Text, " ")) // "listid": what?
		}
		return it.Problem == nil && it.Doubt != order.DoubtTypo
	})
}

// unread reports whether we could read nothing in the letter, or nothing that means anything
// here, although the letter does not try to write an order. items are what we read it as; code
// says why that is nothing.
func (e *everyday) unread(items []order.Item, code string) bool {
	if e == nil || plain(items) {
		return false
	}
	word := slices.ContainsFunc(items, func(it order.Item) bool { return it.Word.Kind == order.Yes || it.Word.Kind == order.No })
	answers := (e.Yes || e.OK || e.No) && e.question == nil && !e.invited() && !word // which may be for another letter's question
	if code == notice.SayEmpty || answers {
		return true
	}
	if e.Like && e.moves() || code != "" {
		return false
	}
	whole := e.whole(items)
	for _, it := range items { // the letter was read as one that takes back
		whole = whole || it.Word.Kind == order.Undo && it.Doubt == order.DoubtTypo && len(items) == 1 && (!e.undoable() || len(e.About) > 0 && !slices.Contains(e.About, order.Undo.String()))
	}
	return whole
}

// atMove reports whether the answer to an unreadable reply must also show the legal orders: the
// writer is to move, and nothing says that they wanted something else.
func (e *everyday) atMove() bool {
	return e.moves() && e.question == nil && len(e.About) == 0 && !e.Yes && !e.OK && !e.No
}

// vain are the problems with words that have no effect in the present situation.
var vain = []string{notice.ProblemUndo, notice.ProblemNotNow, notice.ProblemNothing, notice.ProblemNoGame, notice.ProblemOff, notice.ProblemOver, notice.ProblemSeat, notice.ProblemResigned, notice.ProblemSeatPlayed, notice.ProblemSeatBot, notice.ProblemUnbegun}

// wanting reports whether we carried out nothing in the letter, so that the answer names what
// works. Orders that can't be played have their own answer.
func (e *everyday) wanting(items []order.Item) bool {
	a := e.w.Answer
	if a.Result != notice.Refused || a.Confirm != 0 || len(a.Answer.Sections) > 0 {
		return false
	}
	for _, l := range a.Answer.Lines {
		if l.Problem == nil || len(l.Problem.Suggestions)+len(l.Problem.Candidates) > 0 && len(e.About) == 0 {
			return false
		}
		if slices.Contains(vain, l.Problem.Code) {
			return true
		}
	}
	return len(e.About) > 0 && e.whole(items)
}

// whole reports whether none of the items is an order or a word.
func (e *everyday) whole(items []order.Item) bool {
	_, whole := looksAutomated(items)
	return whole
}

// maxNamed bounds the words that an answer names.
const maxNamed = 8

// name answers the reply with the words that may do what its writer wants.
func (e *everyday) name() {
	a := e.w.Answer
	var names []string
	tried := func(word string) bool {
		return slices.ContainsFunc(e.u.Command.Lines, func(line string) bool { return order.Key(line) == order.Key(word) })
	}
	add := func(word string) {
		if !slices.Contains(names, word) && len(names) < maxNamed && !tried(word) {
			names = append(names, word)
		}
	}
	words := e.words
	if e.question == nil {
		words = slices.Concat(e.About, e.words)
	}
	for _, word := range words {
		switch {
		case word == "ORDERS":
			for _, line := range e.shortest() {
				add(line)
			}
		case !e.usable(word):
			if name := e.organiser(); name != "" { // who can do it
				add("say to " + name)
			}
		case !strings.Contains(word, "LEAGUE") || e.m.Answer.League != "":
			add(e.fill(word))
		}
	}
	if e.question != nil {
		for _, word := range e.About {
			if strings.HasPrefix(word, "never") {
				add(word)
			}
		}
		if a.Confirm == 0 {
			a.Confirm = e.question.ID
		}
	}
	a.Result = notice.Refused
	a.Say(notice.SayWords).List = names
}

// unclear answers a reply that we don't understand with the words that its writer may mean.
func (e *everyday) unclear(lines []string) {
	a := &e.w.Answer.Answer
	for i, line := range lines {
		a.Lines = append(a.Lines, notice.LineResult{N: i + 1, Text: naming.Clean(line, false), Status: notice.LineSkipped})
	}
	a.Brief = true
	e.name()
}

// items returns the orders that the reply means, as its writer wrote them.
func (e *everyday) items() []order.Item {
	if e == nil {
		return nil
	}
	lines := e.lines()
	if lines == nil {
		return nil
	}
	l := order.ReadLines(lines)
	for i := range l.Items {
		l.Items[i].Line = 1
	}
	if written := unit.Bounded(e.u.Command.Lines); len(l.Items) == 1 && len(written) > 0 && e.Orders == nil {
		l.Items[0].Text = written[0]
	}
	return l.Items
}

// organiser is the name of the game's organiser, if that is another player at the table.
func (e *everyday) organiser() string {
	if t := e.w.Game; t != nil && t.Row.League == "" && t.Row.Organiser != e.w.ID {
		if x := t.Of(t.Row.Organiser); x != nil {
			return x.Name
		}
	}
	return ""
}

// usable reports whether a word can be used in answer to the letter.
func (e *everyday) usable(word string) bool {
	t := e.w.Game
	switch word {
	case "hint":
		return t == nil || t.Row.Options.Hints
	case "replace", "extend", "remind", "cancel":
		return t == nil || e.organises() || t.Row.League != ""
	}
	return true
}

// maxShort bounds the orders that an answer names.
const maxShort = 3

// shortest returns orders of one word that the writer can give now.
func (e *everyday) shortest() (lines []string) {
	if !e.moves() {
		return nil
	}
	for _, line := range game.LegalOrders(e.w.Game.Replay.State.Project(engine.Seat(e.w.Seat.Seat))) {
		if !strings.Contains(line, " ") && len(lines) < maxShort {
			lines = append(lines, line)
		}
	}
	return lines
}
