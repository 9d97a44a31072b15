package obey

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/match/gate"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// We answer a stranger's first letter ("A friend told me about this. How do I start?") with the
// first steps. Machines write to any address, so few get that answer: see mayTellStart.

// Bounds of these answers.
const (
	firstAgain   = 90 * 24 * time.Hour // until a mailbox gets another one
	firstUnproof = 10                  // a day, UTC, to letters that anyone could have written
)

// mayTellStart reports whether a stranger's letter without another answer gets the first steps;
// wants: the letter seems to ask for them.
func mayTellStart(u *unit.Unit, wants bool) (bool, error) {
	c := &u.Command
	if c.Token != "" && !u.Unproven { // in answer to one of our letters
		return wants, nil
	}
	if c.Aside || c.Linked || len(c.Files) > 0 {
		return false, nil
	}
	n, err := u.Tx.Sum(firstKey(u), u.At.Add(-firstAgain).Format(time.DateOnly), u.Day())
	switch {
	case err != nil || n > 0:
		return false, err
	case c.AuthPassed || u.Friend:
		return true, nil
	}
	return !u.Checked && wants && u.Counted("first", u.Day()) < firstUnproof, nil
}

func firstKey(u *unit.Unit) string { return "first/" + unit.Mailbox(u.Command.From) }

// beyondASCII tells the writer that no player here can have an address like theirs. It does so
// once in 90 days, if the letter answers one that we sent or wants something. Mail servers on the
// way may not be able to deliver that; the log says so if they cannot.
func beyondASCII(u *unit.Unit) error {
	c := &u.Command
	u.Mute("its writer's address has letters beyond ASCII before the @")
	if blocked, err := u.Tx.Blocked(c.Foreign); blocked || err != nil {
		u.Mute("blocked by the host")
		return err
	}
	if c.AuthFailed {
		return nil
	}
	token, err := u.Token()
	if err != nil || token == nil && !order.Says(c.Lines) && !saysStart(c) {
		return err
	}
	c.From = c.Foreign // to which the answer goes
	if err := gate.Prove(u, u.AddressOf(c.From), token); err != nil {
		return err
	}
	if slices.ContainsFunc(order.ReadLetter(c.Lines).Items, wantsNone) {
		if !u.Unproven {
			return u.Never(c.From)
		}
		return nil
	}
	n, err := u.Tx.Sum(firstKey(u), u.At.Add(-firstAgain).Format(time.DateOnly), u.Day())
	if err != nil || n > 0 {
		return err
	}
	if may, err := gate.MayAnswer(u); err != nil || !may {
		return err
	}
	u.Bump(firstKey(u), u.Day())
	u.Letter.State = store.LetterNew
	gate.AnswerStranger(u, notice.Refused).Say(notice.SayBeyondASCII, "address", c.From)
	return nil
}

// tellStart sends a stranger the first steps.
func tellStart(u *unit.Unit) error {
	if u.Bump(firstKey(u), u.Day()); !u.Command.AuthPassed && !u.Friend {
		u.Bump("first", u.Day())
	}
	d := gate.AnswerStranger(u, notice.None)
	err := sayStart(u, d, true)
	d.Say(notice.TellNever)
	return err
}

// sayStart adds the first steps for a stranger; first: they have not asked for help.
func sayStart(u *unit.Unit, d *unit.Draft, first bool) error {
	listed, err := u.Tx.ListedLeagues(false, "", 1)
	d.Say(notice.TellHelp, "start", strconv.FormatBool(seating.MayStart(u, u.Command.From, false)),
		"leagues", strconv.FormatBool(len(listed) > 0), "first", strconv.FormatBool(first))
	return err
}

// saysStart reports whether a letter names the game, or says that its writer wants to start,
// join or play, in its subject or in its first lines.
func saysStart(c *unit.Command) bool {
	lines := []string{order.Key(c.Subject)}
	for _, l := range c.Lines {
		if _, doubt := order.Unmarked(l); doubt != "" {
			continue
		}
		if l = order.Key(l); l != "" && len(l) <= maxFirstLine {
			lines = append(lines, l)
		}
		if len(lines) > maxFirstLines {
			break
		}
	}
	return slices.ContainsFunc(lines, func(line string) bool {
		if strings.Contains(line, "black angel") || strings.Contains(line, "angelpost") {
			return true
		}
		said := strings.Fields(line)
		has := func(words string) bool {
			all := strings.Fields(words)
			return slices.ContainsFunc(said, func(w string) bool { return slices.Contains(all, w) })
		}
		return has(startVerbs) && has(startAsks)
	})
}

const (
	maxFirstLines = 10  // lines that we read
	maxFirstLine  = 400 // bytes of one
)

// A line with one word of each group says that its writer wants to begin. The words are
// English, German, French, Spanish, Italian, Dutch, Polish and Portuguese, in the form of
// order.Key.
const (
	startVerbs = `start started begin join play playing participate register part
		spielen mitspielen mitmachen anfangen beginnen anmelden
		jouer commencer participer inscrire
		jugar empezar participar apuntarme
		giocare iniziare partecipare cominciare
		spelen meespelen meedoen beginnen
		grac zagrac zaczac dolaczyc
		jogar comecar entrar`
	startAsks = `how i id we want wanna like love can could may would interested what
		wie ich wir will mochte moechte kann darf
		comment je j nous veux voudrais peux puis aimerais
		como yo quiero quisiera puedo gustaria
		come io voglio vorrei posso
		hoe ik wij wil kan graag
		jak ja chce chcialbym chcialabym moge
		eu quero gostaria`
)
