// Package gate bounds the letters out that anyone can cause by writing any address into a
// From field (mail/RELIABILITY.md has the numbers), and collects answers beyond a day's
// bound into one. It also keeps what can wait for a player's daily letter.
package gate

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/match/replays"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// Collected sends the answers beyond a bound in one letter: the short ones, or those
// of a day.
func Collected(u *unit.Unit, row store.Due) error {
	id, err := strconv.ParseInt(row.Ref, 10, 64)
	if err != nil {
		return fmt.Errorf("collected letter: %w", err)
	}
	p := u.Player(id)
	brief := row.Step == collectBrief
	recipes, err := collectedFor(u, p.Address, brief)
	if err != nil || len(recipes) == 0 {
		return err
	}
	if brief {
		if ok := Spend(u, wordsKey(p.Address), wordsRate); !ok {
			row.At = u.At.Add(slotLength)
			u.Check(u.Tx.AddDue(&row))
			return nil
		}
	}
	var t *unit.Game
	ids := make([]int64, len(recipes))
	for i, r := range recipes {
		ids[i] = r.ID
		if r.Game != "" {
			if t, err = u.Game(r.Game); err != nil && !errors.Is(err, replays.ErrUnreadable) {
				return err
			}
		}
	}
	d := u.DraftFor(id, t, notice.KindAnswer)
	for _, r := range recipes {
		d.Answer.Collected = append(d.Answer.Collected, r.Answer)
	}
	if brief {
		d.Answer.Brief = true
		d.Say(notice.SayCollectedBrief, "n", strconv.Itoa(len(recipes)))
	} else {
		d.Say(notice.SayCollected, "n", strconv.Itoa(len(recipes)))
	}
	if t != nil && !brief {
		d.Since, d.Again = recipes[0].Since, true
	}
	u.Check(u.Tx.SetOutState(ids, store.OutMerged))
	return nil
}

// Anyone can write any address into a From field. What proves that a letter comes from its
// address is a token that we mailed only there, or that the receiving server found that DMARC
// passed. Every letter out that an unproven letter causes passes this gate, so that a forger
// can neither use this server to flood someone nor use up what its own players need:
//
//   - Answers to a registered address are short (no position, no picture) and
//     rationed. Those beyond the ration wait for one collected letter.
//   - Answers to a stranger, an address that no player has confirmed, are rationed
//     in total, by domain and by address; the rest get no answer. Letters that want an
//     action count apart from those that want information, and letters from addresses that
//     the host, a director or an organiser has named count apart from all others. No answer,
//     proven or not, has more than amplification times the octets of the letter that it
//     answers: we shorten it until it fits, or don't send it.
//   - Letters that only ask or warn (an unknown address used a player's token, a new game
//     needs a yes, the last notice goes out again, DMARC failed) have their own daily limits.
//   - Copies of an unproven letter are not answered again.
//
// What unproven letters use up counts apart from what proven ones do. An answer to orders that
// were carried out, which need a token, is always sent at once.

// A Rate bounds how many letters one cause may put into the queue in any hour and in a day,
// UTC; 0 means no bound.
type Rate struct{ hour, Day int }

// The limits on letters out that unproven letters cause.
var (
	wordsRate  = Rate{hour: 3} // short answers to a registered address
	AgainRate  = Rate{Day: 3}  // of its last notices sent again with an answer, for want of a token
	AskRate    = Rate{Day: 3}  // questions about a word that needs a yes, to a registered address
	AliasRate  = Rate{Day: 3}  // questions to a player about letters from unknown addresses with their token
	LetterRate = Rate{Day: 3}  // questions to a registered address whether a letter is its player's
	ForgedRate = Rate{Day: 3}  // warnings to a registered address that DMARC or DKIM failed
	// ElsewhereRate is of answers to an address, registered or not, whose letters are for another
	// server; proven letters have as many of their own.
	ElsewhereRate = Rate{Day: 3}
	strangerRate  = Rate{hour: 3, Day: 3}     // answers to a stranger's mailbox
	heardRate     = Rate{hour: 5, Day: 5}     // the same, once its letters are proven
	domainRate    = Rate{hour: 10, Day: 30}   // answers to unproven strangers of one domain
	totalRate     = Rate{hour: 30, Day: 120}  // and of all domains
	friendRate    = Rate{hour: 5, Day: 20}    // answers to an address that someone here has named, proven or not
	friendsRate   = Rate{hour: 120, Day: 480} // and to all of these, unproven
)

const (
	maxCollected  = 20        // short answers that wait for one collected letter; those beyond are not given
	collectAfter  = time.Hour // from the first of them
	amplification = 10        // octets out to a stranger for each octet in
)

// slotLength is the resolution of the counts: the window of an hour may be longer by as much.
const slotLength = 10 * time.Minute

func slot(t time.Time) string { return t.Truncate(slotLength).Format("2006-01-02T15:04") }

// spent reports whether the rate of a key is used up now.
func spent(u *unit.Unit, key string, r Rate) bool {
	for _, window := range []struct {
		most int
		from time.Time
	}{{r.hour, u.At.Add(-time.Hour)}, {r.Day, u.At.Truncate(24 * time.Hour)}} {
		if window.most == 0 {
			continue
		}
		n, err := u.Tx.Sum(key, slot(window.from), slot(u.At))
		if err != nil {
			u.Check(err)
			return true
		}
		if n >= window.most {
			return true
		}
	}
	return false
}

// count adds one to the counter of a key.
func count(u *unit.Unit, key string) {
	u.Bump(key, slot(u.At))
}

// Spend uses one of a rate, and reports whether there was one left.
func Spend(u *unit.Unit, key string, r Rate) bool {
	if none := spent(u, key, r); none {
		return false
	}
	count(u, key)
	return true
}

// Counter returns the key of a counter, a separate one for unproven letters.
func Counter(u *unit.Unit, key string) string {
	if u.Unproven {
		return "unproven " + key
	}
	return key
}

// Prove finds out whether the letter in is proven to come from its address, whose row is from;
// t is its token, nil if it has none that we made.
func Prove(u *unit.Unit, from store.Address, t *store.Token) error {
	u.Unproven = true
	switch {
	case u.Command.AuthFailed:
	case u.Command.AuthPassed:
		u.Unproven = false
	case t == nil:
	case t.Player != 0:
		u.Unproven = t.Player != from.Player
	case t.Confirm != 0:
		c, err := u.Tx.Confirm(t.Confirm)
		if err != nil {
			return err
		}
		u.Unproven = c.Address != u.Command.From
	default:
		r, err := u.Tx.MessageByToken(t.Token)
		if err != nil {
			return err
		}
		u.Unproven = r.To != u.Command.From
	}
	return nil
}

// ProveIt is Prove for a letter that is not read.
func ProveIt(u *unit.Unit) error {
	from := u.AddressOf(u.Command.From)
	t, err := u.Token()
	if err != nil {
		return err
	}
	return Prove(u, from, t)
}

// A Pass says how a letter out leaves the gate.
type Pass struct {
	State string // OutQueued, OutCollected; "" it is not written
	Brief bool
	Why   string // it is not written
}

// Admit decides how an answer to the letter in goes out.
func Admit(u *unit.Unit, d *unit.Draft) (Pass, error) {
	switch {
	case !d.Reply || d.Kind == notice.KindEnd || d.Stranger:
		return Pass{State: store.OutQueued}, nil
	case !u.Unproven:
		return admitProven(u, d)
	case d.Counted:
		return Pass{State: store.OutQueued, Brief: !d.Full}, nil
	}
	waiting, err := collectedFor(u, d.To, true)
	if err != nil {
		return Pass{}, err
	}
	if len(waiting) == 0 { // what waits already comes first
		ok := Spend(u, wordsKey(d.To), wordsRate)
		if ok {
			return Pass{State: store.OutQueued, Brief: true}, nil
		}
	}
	switch {
	case len(waiting) >= maxCollected:
		return Pass{Why: "too many letters that anyone could have written"}, nil
	case len(waiting) == 0:
		u.Check(u.Tx.AddDue(&store.Due{At: u.At.Add(collectAfter), Kind: store.DueCollect, Ref: strconv.FormatInt(d.Player, 10), Step: collectBrief}))
	}
	return Pass{State: store.OutCollected, Brief: true}, err
}

// wordsKey is the counter's key of short answers to an address.
func wordsKey(address string) string { return "words/" + address }

// MustWait reports whether a short answer to an address would have to wait.
func MustWait(u *unit.Unit, address string) (bool, error) {
	waiting, err := collectedFor(u, address, true)
	if err != nil || len(waiting) > 0 {
		return true, err
	}
	return spent(u, wordsKey(address), wordsRate), nil
}

// admitProven bounds the answers of a day to proven letters; answers to orders that were
// carried out are never delayed.
func admitProven(u *unit.Unit, d *unit.Draft) (Pass, error) {
	n := u.Bump("answers/"+d.To, u.Day())
	if n <= u.AnswersPerDay || d.Result == notice.Applied || d.Result == notice.Partial {
		return Pass{State: store.OutQueued}, nil
	}
	if d.Player == 0 { // no player yet who could get a collected letter
		return Pass{Why: "too many letters in a day"}, nil
	}
	waiting, err := collectedFor(u, d.To, false)
	if err == nil && len(waiting) == 0 {
		tomorrow := u.At.Truncate(24 * time.Hour).Add(24*time.Hour + 5*time.Minute)
		u.Check(u.Tx.AddDue(&store.Due{At: tomorrow, Kind: store.DueCollect, Ref: strconv.FormatInt(d.Player, 10)}))
	}
	return Pass{State: store.OutCollected}, err
}

// collectBrief is store.Due.Step of a collected letter of short answers.
const collectBrief = 1

// collectedFor lists the answers to an address that wait for a collected letter:
// the short ones, or the others.
func collectedFor(u *unit.Unit, address string, brief bool) ([]notice.Message, error) {
	all, err := u.Tx.CollectedFor(address)
	return slices.DeleteFunc(all, func(r notice.Message) bool { return r.Answer.Brief != brief }), err
}

// Alike returns the short collected answer with the same content as r, nil if there is none.
func Alike(u *unit.Unit, r *notice.Message) (*notice.Message, error) {
	if !r.Answer.Brief {
		return nil, nil
	}
	waiting, err := collectedFor(u, r.To, true)
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

// strangerKeys returns the counters' keys of answers to a stranger, with their rates.
func strangerKeys(u *unit.Unit) map[string]Rate {
	box := unit.Mailbox(u.Command.From)
	if u.Acts {
		box = "acts/" + box
	}
	switch {
	case u.Friend && u.Unproven:
		return map[string]Rate{"friend/" + box: friendRate, "friends": friendsRate}
	case u.Friend:
		return map[string]Rate{"friend/" + box: friendRate}
	case !u.Unproven:
		return map[string]Rate{"stranger/" + box: heardRate}
	}
	_, host, _ := strings.Cut(box, "@")
	of := "strangers"
	if u.Acts {
		of = "strangers/acts"
	}
	return map[string]Rate{"stranger/" + box: strangerRate, of + "/" + u.Domain(host): domainRate, of: totalRate}
}

// MayAnswer reports whether a stranger may get an answer now. The reader of an answer to an
// unproven letter may not have asked for it.
func MayAnswer(u *unit.Unit) (bool, error) {
	for key, r := range strangerKeys(u) {
		if none := spent(u, key, r); none {
			return false, nil
		}
	}
	if !u.Unproven || u.Friend {
		none := u.WantsNone(u.Command.From)
		return !none, nil
	}
	err := u.MayAnswer(u.Command.From)
	if notice.AsProblem(err) != nil {
		return false, nil
	}
	return err == nil, err
}

// AnswerStranger begins the answer to a stranger's letter.
func AnswerStranger(u *unit.Unit, result notice.Result) *unit.Draft {
	d := &unit.Draft{Kind: notice.KindAnswer, To: u.Command.From, Result: result, Since: unit.NoStory, Reply: true, Stranger: true}
	u.Drafts = append(u.Drafts, d)
	return d
}

// AdmitStranger counts an answer to a stranger that is about to be queued, and shortens it
// until it has at most amplification times the octets of the letter that it answers. It reports
// whether that was possible.
func AdmitStranger(u *unit.Unit, d *unit.Draft, r *notice.Message) (bool, error) {
	ok, err := lighten(u, r, amplification*len(u.Command.Raw))
	if err != nil {
		return false, err
	}
	if !ok {
		return false, withdraw(u, d.Confirm)
	}
	for key := range strangerKeys(u) {
		count(u, key)
	}
	if u.Unproven && !u.Friend {
		u.Answered(d.To)
	}
	return true, err
}

// lighten shortens a letter that is not about a game until it has at most that many octets: it
// leaves out the HTML part, then more and more of the lists, then all requested sections. It
// reports whether the letter is short enough.
func lighten(u *unit.Unit, r *notice.Message, most int) (bool, error) {
	if r.InReplyTo != "" {
		r.References = []string{r.InReplyTo} // as they will be
	}
	for {
		n, err := u.Weigh(&notice.Input{Message: *r})
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

// withdraw closes a question that will not be sent; 0 is none.
func withdraw(u *unit.Unit, confirm int64) error {
	if confirm == 0 {
		return nil
	}
	c, err := u.Tx.Confirm(confirm)
	if err != nil {
		return err
	}
	c.Open = false
	u.Check(u.Tx.SaveConfirm(c))
	return nil
}
