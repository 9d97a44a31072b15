package templates

import (
	"angelpost/engine"
	"angelpost/engine/notice"
	"angelpost/templates/words"
)

// This is how readers distinguish letters (mail/MAIL.md, Threads): by their subjects, or, if
// all letters about a game have the same one, by a short line at their top.

// reply begins the subject of a letter that does not head its thread. It is never
// translated: programs that group letters by subject take off this, and not its like in
// another language.
const reply = "Re: "

// The kinds of letters with a label of their own, as the keys of the labels.
const (
	kindDigest   = "letter.kind-digest"
	kindTogether = "letter.kind-together"
	kindReminder = "letter.kind-reminder"
	kindOverdue  = "letter.kind-overdue"
	kindMissed   = "letter.kind-missed"
	kindOffer    = "letter.kind-offer"
	kindRuling   = "letter.kind-ruling"
	kindQuestion = "letter.kind-question"
	kindMessage  = "letter.kind-message"
	kindNews     = "letter.kind-news"
	kindRules    = "letter.kind-rules"
	kindHelp     = "letter.kind-help"
	kindHint     = "letter.kind-hint"
	kindSettings = "letter.kind-settings"
	kindDone     = "letter.kind-done"
	kindPartly   = "letter.kind-partly"
	kindRefused  = "letter.kind-refused"
	kindAnswer   = "letter.kind-answer"
)

// remarkKinds are the kinds of letters that say one of these; the first that fits counts.
var remarkKinds = []struct {
	kind  string
	codes []string
}{
	{kindDigest, []string{notice.SayDigest}},
	{kindTogether, []string{notice.SayTogether}},
	{kindOverdue, []string{notice.TellLate}},
	{kindReminder, []string{notice.TellRunsOut, notice.TellReminder, notice.TellNudge}},
	{kindMissed, []string{notice.TellMissed, notice.TellAbsent}},
	{kindOffer, []string{notice.AskSeat, notice.AskPlace}},
	{kindRuling, []string{notice.TellRuled, notice.TellRuledHost}},
	{kindQuestion, []string{notice.AskAlias, notice.AskLetter, notice.AskInTime, notice.AskLost, notice.AskNew, notice.AskAdd, notice.AskRemove, notice.AskForget,
		notice.AskRaise, notice.AskJoin, notice.AskAbandon, notice.AskPause, notice.AskResume, notice.AskTakeBack, notice.AskLeague, notice.AskSure, notice.AskVoid, notice.AskRule, notice.AskEnlist, notice.AskOffice, notice.AskHere}},
}

// sectionKinds are the kinds of answers to a word, by the section that holds them.
var sectionKinds = map[string]string{"rules": kindRules, "help": kindHelp, "hint": kindHint, "settings": kindSettings}

// resultKinds are the kinds of other answers.
var resultKinds = map[notice.Result]string{notice.Applied: kindDone, notice.Partial: kindPartly, notice.Refused: kindRefused}

// letterKind returns what kind of letter it is, "" for those that need no label: turn
// notices, invitations, and letters that begin or end a game.
func (c *content) letterKind() string {
	r := &c.sheet.Message
	for _, k := range remarkKinds {
		for _, remark := range r.Answer.Remarks {
			for _, code := range k.codes {
				if remark.Code == code {
					return k.kind
				}
			}
		}
	}
	switch r.Kind {
	case notice.KindAnswer:
		for _, s := range r.Answer.Sections {
			if kind := sectionKinds[s.Kind]; kind != "" && r.Result == notice.None {
				return kind
			}
		}
		if kind := resultKinds[r.Result]; kind != "" {
			return kind
		}
		return kindAnswer
	case notice.KindInfo:
		if len(r.Answer.Press) > 0 && len(r.Answer.Remarks) == 0 {
			return kindMessage
		}
		return kindNews
	}
	return ""
}

// kindLine returns a label of a word or two that distinguishes a letter from others with the
// same subject; "" if it needs no label.
func (c *content) kindLine() string {
	kind := c.letterKind()
	if kind == "" {
		return ""
	}
	return c.Say(kind)
}

// collectedTitle is the heading of one of the answers that a letter collects: the subject
// of the letter it answers or, in a daily letter, the game or league it is about.
func (c *content) collectedTitle(a *notice.Answer) string {
	switch {
	case a.Subject != "":
		return words.Clean(a.Subject, maxSubject)
	case a.GameName != "" || a.Game != "":
		return GameName(a.Game, a.GameName)
	}
	return words.Clean(a.League, 60)
}

// inThread reports whether the letter belongs to its reader's thread of a game, and all
// letters of that have one subject. An invitation says what it is: its reader may not know
// the game.
func (c *content) inThread() bool {
	r := &c.sheet.Message
	return r.Subjects == notice.SubjectsSteady && r.Game != "" && r.PageKey != "" && r.Kind != notice.KindInvitation
}

func (c *content) subjectLine() string {
	if c.inThread() {
		if c.sheet.Message.Thread == "" {
			return words.Clean(c.game(), maxSubject)
		}
		return reply + words.Clean(c.game(), maxSubject-len(reply))
	}
	r, v := &c.sheet.Message, c.sheet.View
	key := c.subjectKey()
	args := func(name string) (any, bool) {
		switch name {
		case "game":
			return c.game(), true
		case "league":
			return words.Clean(r.Answer.League, 60), true
		case "round":
			return v.Round, true
		case "wanted":
			return c.wanted(), true
		case "result":
			return c.won(), true
		case "label":
			return c.kindLine(), true
		case "time":
			return c.when(c.ownDeadline()), true
		case "news":
			return c.Headline(c.news), true
		case "name":
			if r.Answer.Invite != nil {
				return words.Clean(r.Answer.Invite.Organiser, 40), true
			}
			return "", true
		}
		return nil, false
	}
	return words.Clean(c.SayArgs(key, args), maxSubject)
}

// subjectKey chooses the subject by what the letter is about.
func (c *content) subjectKey() string {
	r, v := &c.sheet.Message, c.sheet.View
	if key := c.newsKey(); key != "" {
		return key
	}
	key := "subject." + string(r.Kind)
	switch {
	case r.Kind == notice.KindInvitation:
	case r.Game == "" && r.Answer.League != "":
		switch key = "subject.league"; {
		case len(r.Answer.Remarks) > 0 && c.Has("subject."+r.Answer.Remarks[0].Code):
			key = "subject." + r.Answer.Remarks[0].Code
		case r.Kind == notice.KindAnswer:
			key = "subject.league-answer"
		}
	case r.Game == "" && len(r.Answer.Remarks) > 0 && c.Has("subject."+r.Answer.Remarks[0].Code):
		key = "subject." + r.Answer.Remarks[0].Code
	case r.Game == "":
		if key = "subject.general-" + string(r.Result); !c.Has(key) {
			key = "subject.general"
		}
	case v == nil: // before the start
		if key = "subject.before-" + string(r.Result); !c.Has(key) {
			key = "subject.news"
		}
	case r.Kind == notice.KindAnswer:
		key += "-" + string(r.Result)
	case r.Kind == notice.KindEnd && !v.Finished && c.out():
		key = "subject.out"
	case r.Kind == notice.KindEnd && !v.Finished:
		key = "subject.end-unscored"
	case r.Kind == notice.KindInfo && len(r.Answer.Sections) == 0:
		if key = "subject.news"; v.Decision != engine.NoDecision {
			key = "subject.turn" // a reminder, or the letter once more
		}
	}
	if !c.Has(key) {
		return "subject.news"
	}
	return key
}

// newsKey chooses the subject by the kind of letter; "" if that says nothing, and for
// letters from before there were kinds.
func (c *content) newsKey() string {
	r, v := &c.sheet.Message, c.sheet.View
	if r.Subjects == "" || r.Game == "" && r.Answer.League != "" {
		return ""
	}
	switch kind := c.letterKind(); kind {
	case kindOverdue, kindReminder:
		if v != nil {
			return map[string]string{kindOverdue: "subject.overdue", kindReminder: "subject.reminder"}[kind]
		}
	case "":
		switch news := r.Kind == notice.KindTurn && v != nil && c.Headline(c.news) != ""; {
		case news && c.ownDeadline() != "":
			return "subject.turn-news-by"
		case news:
			return "subject.turn-news"
		case r.Kind == notice.KindTurn && v != nil && c.ownDeadline() != "":
			return "subject.turn-by"
		}
	case kindDone, kindPartly, kindRefused, kindAnswer, kindNews: // what it comes to says more
	default:
		if r.Game == "" {
			return "subject.label-general"
		}
		return "subject.label"
	}
	return ""
}

// ownDeadline is the reader's deadline, "" if there is none or it is over.
func (c *content) ownDeadline() string {
	r := &c.sheet.Message
	for _, d := range r.Answer.Deadlines {
		if d.Seat == r.Seat && r.Seat > 0 && !d.Late {
			return words.Clean(d.Time, 40)
		}
	}
	return ""
}
