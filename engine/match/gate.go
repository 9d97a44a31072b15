package match

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// Anyone can write any address into a From field. A letter is proven to come from
// its address by a token that was mailed only there, or by the receiving server,
// which found that DMARC passed. Every letter out that an unproven letter causes
// passes this gate, so that a forger can neither use this server to flood someone
// nor use up what its own players need:
//
//   - Answers to a registered address are short (no position, no picture) and
//     rationed. Those beyond the ration wait for one collected letter.
//   - Answers to a stranger, an address that no player has confirmed, are rationed
//     in total, by domain and by address; what is beyond is not answered. None has
//     more than amplification times the octets of the letter it answers, proven or
//     not: it is shortened until it fits, or not sent.
//   - Letters that only ask or warn (an unknown address used a player's token, a
//     new game wants confirming, the last notice goes out again, DMARC failed) have
//     daily limits of their own.
//   - Copies of an unproven letter are not answered again.
//
// What unproven letters use up is counted apart from what proven ones do. An answer
// to orders that were carried out, which need a token, is always sent at once.

// A rate bounds how many letters one cause may put into the queue in any hour and in
// a day, UTC; 0 is no bound.
type rate struct{ hour, day int }

// The limits on letters out that unproven letters cause.
var (
	wordsRate    = rate{hour: 3}            // short answers to a registered address
	againRate    = rate{day: 3}             // of its last notices sent again with an answer, for want of a token
	askRate      = rate{day: 3}             // questions about a word that needs a yes, to a registered address
	aliasRate    = rate{day: 3}             // questions to a player about letters from unknown addresses with their token
	letterRate   = rate{day: 3}             // questions to a registered address whether a letter is its player's
	forgedRate   = rate{day: 3}             // warnings to a registered address that DMARC or DKIM failed
	strangerRate = rate{hour: 1, day: 1}    // answers to a stranger's mailbox
	heardRate    = rate{hour: 3, day: 3}    // the same, once its letters are proven
	domainRate   = rate{hour: 10, day: 30}  // answers to unproven strangers of one domain
	totalRate    = rate{hour: 30, day: 120} // and of all domains
)

const (
	maxCollected  = 20        // short answers that wait for one collected letter; those beyond are not given
	collectAfter  = time.Hour // from the first of them
	amplification = 10        // octets out to a stranger for each octet in
)

// slotLength is how fine rates are counted: the window of an hour may be longer by as
// much.
const slotLength = 10 * time.Minute

func slot(t time.Time) string { return t.Truncate(slotLength).Format("2006-01-02T15:04") }

// spent reports whether a rate leaves nothing of a key now.
func (s *unit) spent(key string, r rate) bool {
	for _, window := range []struct {
		most int
		from time.Time
	}{{r.hour, s.now.Add(-time.Hour)}, {r.day, s.now.Truncate(24 * time.Hour)}} {
		if window.most == 0 {
			continue
		}
		n, err := s.tx.Sum(key, slot(window.from), slot(s.now))
		if err != nil {
			s.check(err)
			return true
		}
		if n >= window.most {
			return true
		}
	}
	return false
}

// count counts one of a key.
func (s *unit) count(key string) {
	s.bump(key, slot(s.now))
}

// spend takes one of a rate, and reports whether there was one.
func (s *unit) spend(key string, r rate) bool {
	if none := s.spent(key, r); none {
		return false
	}
	s.count(key)
	return true
}

// key parts what unproven letters are counted by from what proven ones are.
func (s *unit) key(key string) string {
	if s.unproven {
		return "unproven " + key
	}
	return key
}

// prove finds out whether the letter in is proven to come from its address, whose
// row is from; t is its token, nil if it bears none of ours.
func (s *unit) prove(from store.Address, t *store.Token) error {
	s.unproven = true
	switch {
	case s.cmd.AuthFailed:
	case s.cmd.AuthPassed:
		s.unproven = false
	case t == nil:
	case t.Player != 0:
		s.unproven = t.Player != from.Player
	case t.Confirm != 0:
		c, err := s.tx.Confirm(t.Confirm)
		if err != nil {
			return err
		}
		s.unproven = c.Address != s.cmd.From
	default:
		r, err := s.tx.MessageByToken(t.Token)
		if err != nil {
			return err
		}
		s.unproven = r.To != s.cmd.From
	}
	return nil
}

// proveIt is prove for a letter that is not read.
func (s *unit) proveIt() error {
	from := s.address(s.cmd.From)
	t, err := s.token()
	if err != nil {
		return err
	}
	return s.prove(from, t)
}

// A pass is how a letter out leaves the gate.
type pass struct {
	state string // OutQueued, OutCollected; "" it is not written
	brief bool
	why   string // it is not written
}

// admit tells how an answer to the letter in goes out.
func (s *unit) admit(d *draft) (pass, error) {
	switch {
	case !d.reply || d.kind == notice.KindEnd || d.stranger:
		return pass{state: store.OutQueued}, nil
	case !s.unproven:
		return s.admitProven(d)
	case d.counted:
		return pass{state: store.OutQueued, brief: !d.full}, nil
	}
	waiting, err := s.collectedFor(d.to, true)
	if err != nil {
		return pass{}, err
	}
	if len(waiting) == 0 { // what waits already comes first
		ok := s.spend(wordsKey(d.to), wordsRate)
		if ok {
			return pass{state: store.OutQueued, brief: true}, nil
		}
	}
	switch {
	case len(waiting) >= maxCollected:
		return pass{why: "too many letters that anyone could have written"}, nil
	case len(waiting) == 0:
		s.check(s.tx.AddDue(&store.Due{At: s.now.Add(collectAfter), Kind: store.DueCollect, Ref: strconv.FormatInt(d.player, 10), Step: collectBrief}))
	}
	return pass{state: store.OutCollected, brief: true}, err
}

// wordsKey is what short answers to an address are counted by.
func wordsKey(address string) string { return "words/" + address }

// mustWait reports whether a short answer to an address would have to wait.
func (s *unit) mustWait(address string) (bool, error) {
	waiting, err := s.collectedFor(address, true)
	if err != nil || len(waiting) > 0 {
		return true, err
	}
	return s.spent(wordsKey(address), wordsRate), nil
}

// admitProven bounds the answers of a day to letters that are proven: those to
// orders that were carried out are never put off.
func (s *unit) admitProven(d *draft) (pass, error) {
	n := s.bump("answers/"+d.to, s.day())
	if n <= s.AnswersPerDay || d.result == notice.Applied || d.result == notice.Partial {
		return pass{state: store.OutQueued}, nil
	}
	if d.player == 0 { // no one yet to whom a collected letter could go
		return pass{why: "too many letters in a day"}, nil
	}
	waiting, err := s.collectedFor(d.to, false)
	if err == nil && len(waiting) == 0 {
		tomorrow := s.now.Truncate(24 * time.Hour).Add(24*time.Hour + 5*time.Minute)
		s.check(s.tx.AddDue(&store.Due{At: tomorrow, Kind: store.DueCollect, Ref: strconv.FormatInt(d.player, 10)}))
	}
	return pass{state: store.OutCollected}, err
}

// collectBrief is DueRow.Step of a collected letter of short answers.
const collectBrief = 1

// collectedFor lists the answers to an address that wait for a collected letter:
// the short ones, or the others.
func (s *unit) collectedFor(address string, brief bool) ([]notice.Message, error) {
	all, err := s.tx.CollectedFor(address)
	return slices.DeleteFunc(all, func(r notice.Message) bool { return r.Answer.Brief != brief }), err
}

// alike is the short collected answer that says the same as r, nil if there is none.
func (s *unit) alike(r *notice.Message) (*notice.Message, error) {
	if !r.Answer.Brief {
		return nil, nil
	}
	waiting, err := s.collectedFor(r.To, true)
	if err != nil {
		return nil, err
	}
	said := func(a notice.Answer) string {
		a.Subject = ""
		text, err := json.Marshal(a)
		if err != nil {
			return ""
		}
		return string(text)
	}
	for i := range waiting {
		if said(waiting[i].Answer) == said(r.Answer) {
			return &waiting[i], nil
		}
	}
	return nil, nil
}

// strangerKeys are what answers to a stranger are counted by, and their rates.
func (s *unit) strangerKeys() map[string]rate {
	box := mailbox(s.cmd.From)
	if !s.unproven {
		return map[string]rate{"stranger/" + box: heardRate}
	}
	_, host, _ := strings.Cut(box, "@")
	return map[string]rate{"stranger/" + box: strangerRate, "strangers/" + s.Domain(host): domainRate, "strangers": totalRate}
}

// mayAnswer reports whether a stranger may be answered now. An answer to an unproven
// letter is one that its reader may not have asked for.
func (s *unit) mayAnswer() (bool, error) {
	for key, r := range s.strangerKeys() {
		if none := s.spent(key, r); none {
			return false, nil
		}
	}
	if !s.unproven {
		none := s.wantsNone(s.cmd.From)
		return !none, nil
	}
	err := s.mayInvite(nil, s.cmd.From)
	if notice.AsProblem(err) != nil {
		return false, nil
	}
	return err == nil, err
}

// answerStranger begins the answer to a stranger's letter.
func (s *unit) answerStranger(result notice.Result) *draft {
	d := &draft{kind: notice.KindAnswer, to: s.cmd.From, result: result, since: noStory, reply: true, stranger: true}
	s.drafts = append(s.drafts, d)
	return d
}

// admitStranger counts an answer to a stranger that is about to be queued, and
// shortens it until it has at most amplification times the octets of the letter it
// answers. It reports whether that could be done.
func (s *unit) admitStranger(d *draft, r *notice.Message) (bool, error) {
	ok, err := s.lighten(r, amplification*len(s.cmd.Raw))
	if err != nil {
		return false, err
	}
	if !ok {
		return false, s.withdraw(d.confirm)
	}
	for key := range s.strangerKeys() {
		s.count(key)
	}
	if s.unproven {
		s.invited(0, d.to)
	}
	return true, err
}

// lighten shortens a letter about no game until it has at most so many octets: it
// leaves out the HTML part, then ever more of what is listed, then all that was asked
// for. It reports whether that is short enough.
func (s *unit) lighten(r *notice.Message, most int) (bool, error) {
	if r.InReplyTo != "" {
		r.References = []string{r.InReplyTo} // as they will be
	}
	for {
		n, err := s.Weigh(&notice.Input{Message: *r})
		if err != nil || n <= most {
			return err == nil, err
		}
		sections := r.Answer.Sections
		switch {
		case r.Format != "text":
			r.Format = "text"
		case len(sections) == 0:
			return false, nil
		case len(sections[0].Games)+len(sections[0].Leagues) > 1:
			x := &sections[0]
			x.Games, x.Leagues = x.Games[:len(x.Games)/2], x.Leagues[:len(x.Leagues)/2]
		default:
			r.Answer.Sections = sections[1:]
		}
	}
}

// turnedAway notes why the letter in is not answered.
func (s *unit) turnedAway(why string) {
	if s.letter != nil && s.letter.State == store.LetterNew { // a held one stays held
		s.mute(why)
	}
}

// withdraw closes a question that is not put; 0 is none.
func (s *unit) withdraw(confirm int64) error {
	if confirm == 0 {
		return nil
	}
	c, err := s.tx.Confirm(confirm)
	if err != nil {
		return err
	}
	c.Open = false
	s.check(s.tx.SaveConfirm(c))
	return nil
}
