package desk_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/incoming"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// helloFriend is a first letter of someone who learned about the server from a friend.
const helloFriend = "Hi,\n\na friend told me about this. How do I start?\n\nBest, Eve"

// tellsStart are the arguments of the remark that tells a stranger what to do, nil if the
// letters have none.
func tellsStart(out []notice.Message) map[string]string {
	for _, r := range out {
		for _, m := range r.Answer.Remarks {
			if m.Code == notice.TellHelp {
				return m.Args
			}
		}
	}
	return nil
}

// A stranger's first letter is answered with what to do, where it seems to be a person's who
// wants that.
func TestFirstLetter(t *testing.T) {
	passed := func(c *unit.Command) { c.AuthPassed = true }
	for name, c := range map[string]struct {
		text    string
		checked bool // the host checks letters in
		change  func(*unit.Command)
		want    bool
	}{
		"passed DMARC":                         {helloFriend, true, passed, true},
		"passed DMARC, and says little":        {"Hello, what is this?", true, passed, true},
		"passed DMARC, and has no text":        {"", true, passed, true},
		"passed DMARC, our address is in Bcc":  {helloFriend, true, func(c *unit.Command) { passed(c); c.Aside = true }, false},
		"passed DMARC, with a link":            {helloFriend, true, func(c *unit.Command) { passed(c); c.Linked = true }, false},
		"passed DMARC, with an attachment":     {helloFriend, true, func(c *unit.Command) { passed(c); c.Files = []string{"a.pdf"} }, false},
		"passed DMARC, of a list":              {helloFriend, true, func(c *unit.Command) { passed(c); c.Class = incoming.List }, false},
		"passed DMARC, of a machine":           {helloFriend, true, func(c *unit.Command) { passed(c); c.Class = incoming.Auto }, false},
		"checked, and nothing passed":          {helloFriend, true, nil, false},
		"checked, and failed":                  {helloFriend, true, func(c *unit.Command) { c.AuthFailed = true }, false},
		"unchecked":                            {helloFriend, false, nil, true},
		"unchecked, names the game":            {"I have been told about Black Angel here", false, nil, true},
		"unchecked, says it in the subject":    {"Hello!", false, func(c *unit.Command) { c.Subject = "How can I play?" }, true},
		"unchecked, in German":                 {"Hallo,\nwie kann ich mitspielen?", false, nil, true},
		"unchecked, says something else":       {"Please send me your price list", false, nil, false},
		"unchecked, plays something else":      {"Casino night: play now!", false, nil, false},
		"unchecked, with a link":               {helloFriend, false, func(c *unit.Command) { c.Linked = true }, false},
		"unchecked, with an attachment":        {helloFriend, false, func(c *unit.Command) { c.Files = []string{"a.pdf"} }, false},
		"unchecked, our address stands in Bcc": {helloFriend, false, func(c *unit.Command) { c.Aside = true }, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t, func(u *unit.Config) { u.Checked = c.checked })
			l := o.letter("eve@far.test", "", c.text)
			l.Subject = "Hello"
			if c.change != nil {
				c.change(&l)
			}
			_, out := o.send(l)
			if got := tellsStart(out) != nil; got != c.want || !got && len(out) != 0 {
				t.Errorf("answered is %v: %v", got, summaries(out))
			}
		})
	}
}

// A mailbox gets what to do once in 90 days, and unproven letters get it ten times a day.
func TestFirstLettersAreBounded(t *testing.T) {
	o := newOffice(t)
	asks := func(from string) bool {
		l := o.letter(from, "", helloFriend)
		o.now = o.now.Add(30 * time.Minute) // no hour is full
		_, out := o.send(l)
		return tellsStart(out) != nil
	}
	if !asks("eve@far.test") || asks("eve@far.test") || asks("eve+2@far.test") {
		t.Error("a mailbox was not told once")
	}
	o.now = o.now.Add(89 * 24 * time.Hour)
	if asks("eve@far.test") {
		t.Error("a mailbox was told again after 89 days")
	}
	o.now = o.now.Add(48 * time.Hour)
	if !asks("eve@far.test") {
		t.Error("a mailbox was not told again after 91 days")
	}
	o.now = o.now.Truncate(24 * time.Hour).Add(24 * time.Hour)
	n := 0
	for i := range 20 {
		if asks(fmt.Sprintf("x@d%d.test", i)) {
			n++
		}
	}
	if n != 10 {
		t.Errorf("%d unproven first letters of a day were answered, want 10", n)
	}
	l := o.letter("proven@far.test", "", helloFriend)
	l.AuthPassed = true
	if _, out := o.send(l); tellsStart(out) == nil {
		t.Error("a proven one was not")
	}
	o.send(o.letter("fay@far.test", "", "help"))
	o.write("fay@far.test", "never write to me again")
	l = o.letter("fay@far.test", "", helloFriend)
	l.AuthPassed = true
	if _, out := o.send(l); len(out) != 0 {
		t.Errorf("who wants no letters: %v", summaries(out))
	}
}

// What we tell strangers to send is what they can send: where only players start games, an
// invitation is the way, and each word of a start that is not theirs is answered with it.
func TestStrangersAreToldWhatWorks(t *testing.T) {
	for _, first := range []string{"help", helloFriend, "new game\nplayers: bo@home.test", "games", "open game"} {
		for start, can := range map[string]string{"anyone": "true", "known": "false", "list": "false"} {
			o := newOffice(t, func(u *unit.Config) { u.Start = start })
			_, out := o.send(o.letter("eve@far.test", "", first))
			told := tellsStart(out)
			if start == "anyone" && strings.Contains(first, "game") {
				if len(out) != 1 {
					t.Errorf("%s, %q: %v", start, first, summaries(out))
				}
				continue
			}
			if told["start"] != can || told["leagues"] != "false" {
				t.Errorf("%s, %q: told %v", start, first, told)
				continue
			}
			out = o.write("eve@far.test", "new game\nplayers: bo@home.test")
			if can == "true" && !slices.Contains(remarks(out[0]), notice.AskNew) || can == "false" && tellsStart(out)["start"] != "false" {
				t.Errorf("%s, %q, then new game: %v", start, first, summaries(out))
			}
		}
	}
}

// The README's first letter, from the host's own address or a director's, begins a game after
// a yes, in a letter of its own or in answer to help; anyone else's does not.
func TestHostsFirstGame(t *testing.T) {
	for who, can := range map[string]bool{"host@far.test": true, "dora@far.test": true, "eve@far.test": false} {
		for _, first := range []string{"", "help", helloFriend, "nonsense"} {
			o := newOffice(t, func(u *unit.Config) {
				u.Start, u.HostMail, u.Directors = "known", "Host@far.test", []string{"dora@far.test"}
			})
			var out []notice.Message
			if first != "" {
				if _, out = o.send(o.letter(who, "", first)); len(out) != 1 && can {
					t.Errorf("%s, %q: %v", who, first, summaries(out))
				}
				if !can {
					continue
				}
				out = o.write(who, "new game\nplayers: ann@home.test, bo@home.test, bot")
			} else {
				_, out = o.send(o.letter(who, "", "new game\nplayers: ann@home.test, bo@home.test, bot"))
			}
			if !can {
				if tellsStart(out)["start"] != "false" {
					t.Errorf("%s: %v", who, summaries(out))
				}
				continue
			}
			invited := func() bool {
				return slices.ContainsFunc(out, func(r notice.Message) bool { return r.To == at("ann") && r.Kind == notice.KindInvitation })
			}
			if !invited() { // a letter with our token begins it at once
				if len(out) != 1 || !slices.Contains(remarks(out[0]), notice.AskNew) {
					t.Fatalf("%s, %q: %v", who, first, summaries(out))
				}
				out = o.write(who, "yes")
			}
			if !invited() {
				t.Errorf("%s, %q, and yes: %v", who, first, summaries(out))
			}
		}
	}
}

// Letters that want something done are answered whatever their writer asked before, those of
// an address in directors or in a league's file as if they were a player's.
func TestDirectorIsNoStranger(t *testing.T) {
	for _, passed := range []bool{false, true} {
		o := newOffice(t, func(u *unit.Config) { u.Start, u.Directors = "known", []string{"dora@far.test"} })
		for _, asked := range []string{"help", "help league", "help direct", "games", "help rule"} {
			l := o.letter("dora@far.test", "", asked)
			l.AuthPassed = passed
			o.send(l)
		}
		l := o.letter("dora@far.test", "", "new league\n"+tin)
		l.AuthPassed = passed
		if _, out := o.send(l); len(out) != 1 || !slices.Contains(remarks(out[0]), notice.AskLeague) {
			t.Fatalf("passed %v: %v", passed, summaries(out))
		}
		if out := o.write("dora@far.test", "yes"); !slices.Contains(remarks(out[0]), notice.SayLeagueMade) {
			t.Fatalf("passed %v, yes: %v", passed, summaries(out))
		}
	}
}

// A stranger who has used up what is answered of questions is answered all the same if a letter wants
// something done, whatever it is; and such letters are bounded by counts of their own.
func TestActsAreAnswered(t *testing.T) {
	for what, letter := range map[string]string{
		"new game": "new game\nplayers: bo@home.test", "open game": "open game\nseats: 2", "join": "join GAME", "join league": "join league tin",
		"substitute": "substitute tin",
	} {
		o := newOffice(t, func(u *unit.Config) { u.Start = "anyone" })
		o.started(9, "dora", "bot")
		o.made(tin)
		o.write("dora", "open game\nseats: 2")
		game := o.last("dora").Game
		for range 5 {
			for _, asked := range []string{"help", "help league", "games", "leagues"} {
				o.send(o.letter("eve@far.test", "", asked))
			}
		}
		if _, out := o.send(o.letter("eve@far.test", "", "help")); len(out) != 0 {
			t.Fatalf("questions have no end: %v", summaries(out))
		}
		letter = strings.ReplaceAll(letter, "GAME", game)
		_, out := o.send(o.letter("eve@far.test", "", letter))
		if len(out) != 1 || !slices.Contains([]string{notice.AskNew, notice.AskJoin, notice.AskLeague}, remarks(out[0])[0]) {
			t.Errorf("%s: %v", what, summaries(out))
		}
		answered := 0
		for range 30 {
			_, out := o.send(o.letter("eve@far.test", "", letter))
			answered += len(out)
		}
		if answered > 20 {
			t.Errorf("%s: %d of 30 are answered", what, answered)
		}
	}
}

// A ruling in a letter without a token is answered to the registered address with what would be
// done, and only a yes to that does it.
func TestRulingWithoutToken(t *testing.T) {
	w, _, f, left, _ := leaving(t)
	game, dora := f.Game, at("dora")
	rulings := func() (n int) {
		view(t, w, func(tx store.Tx) error {
			all, err := tx.Rulings(game)
			n = len(all)
			return err
		})
		return n
	}
	line := "pause " + game + ": Dan is ill"
	_, out := w.send(w.letter(dora, "", line))
	if len(out) != 1 || out[0].To != dora || !slices.Contains(remarked(out[0], notice.AskLeague), line) || rulings() != 0 {
		t.Fatalf("without a token: %v", summaries(out))
	}
	if out := w.write("dora", "yes"); !slices.Contains(remarks(own(t, out, "dora")), notice.SayRuled) || rulings() != 1 {
		t.Fatalf("yes: %v", summaries(out))
	}
	// Someone else's ruling is refused, and asked about by no one.
	_, out = w.send(w.letter(at(left), "", "resume "+game+": I want to"))
	if r := own(t, out, left); len(remarked(r, notice.AskLeague)) != 0 || r.Result != notice.Refused || rulings() != 1 {
		t.Errorf("of a player: %s", summary(r))
	}
	// A reply to a refusal works.
	_, out = w.send(w.letter(dora, "", "resume "+game))
	if r := own(t, out, "dora"); r.Result != notice.Refused {
		t.Errorf("without a reason: %s", summary(r))
	}
	if out := w.write("dora", "resume "+game+": Dan is well again"); !slices.Contains(remarks(own(t, out, "dora")), notice.SayRuled) || rulings() != 2 {
		t.Errorf("a reply to a refusal: %v", summaries(out))
	}
}

// A club whose members share a domain gets its answers once someone here has named them; a
// domain counts only if DMARC passed; and naming them lets no letter do more.
func TestFriendsAreAnswered(t *testing.T) {
	answered := func(passed bool, change func(*unit.Config), ready func(*office)) (n int) {
		o := newOffice(t, func(u *unit.Config) { u.Start = "known" }, change)
		o.now = o.now.Truncate(24 * time.Hour).Add(8 * time.Hour)
		if ready != nil {
			ready(o)
		}
		for i := range 27 {
			l := o.letter(fmt.Sprintf("m%d@club.test", i), "", "help")
			o.now = o.now.Add(-50 * time.Second)
			l.AuthPassed = passed
			_, out := o.send(l)
			n += len(out)
		}
		return n
	}
	addresses := make([]string, 27)
	for i := range addresses {
		addresses[i] = fmt.Sprintf("m%d@club.test", i)
	}
	nothing := func(*unit.Config) {}
	for name, c := range map[string]struct {
		passed bool
		change func(*unit.Config)
		ready  func(*office)
		want   int
	}{
		"unnamed":                   {false, nothing, nil, 10},
		"addresses the host named":  {false, func(u *unit.Config) { u.Friends = addresses }, nil, 27},
		"a domain, unproven":        {false, func(u *unit.Config) { u.Friends = []string{"club.test"} }, nil, 10},
		"a domain, proven":          {true, func(u *unit.Config) { u.Friends = []string{"club.test"} }, nil, 27},
		"in a league's file":        {false, nothing, func(o *office) { o.made("name: Club\njoin: list\nadmit: " + strings.Join(addresses, ", ")) }, 27},
		"invited by an organiser":   {false, nothing, func(o *office) { o.named(addresses) }, 27},
		"never, and named a friend": {false, func(u *unit.Config) { u.Friends = addresses }, func(o *office) { o.never(addresses[:5]) }, 22},
	} {
		t.Run(name, func(t *testing.T) {
			if n := answered(c.passed, c.change, c.ready); n != c.want {
				t.Errorf("%d of 27 are answered, want %d", n, c.want)
			}
		})
	}
	o := newOffice(t, func(u *unit.Config) { u.Friends = []string{at("ada"), at("bo")} })
	id := o.started(1, "ada", "bo")
	if o.send(o.letter(at("ada"), "", "card 087 at row 3\nresign\nmute")); len(o.record(id, 0).Log) != 0 || o.seats(id)[0].Muted != 0 {
		t.Error("a friend's letter without a token did something")
	}
}

// named has addresses invited to games by the host's command line.
func (o *office) named(addresses []string) {
	o.t.Helper()
	for all := range slices.Chunk(addresses, 3) {
		n := seating.NewGameOrder{Players: []seating.NewPlayer{{Address: "bot"}}}
		for _, a := range all {
			n.Players = append(n.Players, seating.NewPlayer{Address: a})
		}
		if _, err := o.desk.NewGame(o.t.Context(), n); err != nil {
			o.t.Fatal(err)
		}
	}
	o.deliver()
}

// never has the owners of addresses want no letters.
func (o *office) never(addresses []string) {
	o.t.Helper()
	for _, a := range addresses {
		o.send(o.letter(a, "", "help"))
		o.write(a, "never write to me again")
	}
}

// A player who has resigned comes back while a bot has the seat, and the server tells the
// substitutes that it had asked.
func TestBackAfterResigning(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo", "cy")
	out := o.write("ada", "resign")
	if got := own(t, out, "ada"); !slices.Contains(remarks(got), notice.AskResign) || o.seats(id)[0].Bot != "" {
		t.Fatalf("resign: %s", summary(got))
	}
	if o.write("ada", "no"); o.seats(id)[0].Bot != "" {
		t.Fatal("resigned after a no")
	}
	if o.resigns("ada"); o.seats(id)[0].Bot == "" {
		t.Fatal("not resigned after a yes")
	}
	out = o.write("ada", "back")
	if r := own(t, out, "ada"); !slices.Contains(remarks(r), notice.SayBack) || o.seats(id)[0].Bot != "" || len(mail(out, notice.TellBack)) != 2 {
		t.Errorf("back: %v", summaries(out))
	}
	o.resigns("cy")
	o.write("bo", "status")
	o.resigns("bo") // Ada alone, with bots
	o.resigns("ada")
	if r := own(t, o.write("ada", "back"), "ada"); r.Result != notice.Refused {
		t.Errorf("back to a game that is over: %s", summary(r))
	}
}

// The answer to orders of a player who no longer has the seat says which player has it now: a
// bot that leaves the seat again after back, a bot to the end, or another player.
func TestWhoHasTheSeatNow(t *testing.T) {
	for by, want := range map[string]string{"resign": notice.ProblemResigned, "bot": notice.ProblemSeatPlayed, "eli@home.test": notice.ProblemSeat} {
		o := newOffice(t)
		id := o.started(1, "ada", "bo", "cy")
		token := o.token(at("bo"))
		if by == "resign" {
			o.resigns("bo")
		} else if o.write("ada", "replace Bo by "+by); by != "bot" {
			o.write("eli", "join Eli")
		}
		if x := o.seatsOf(id)[1]; by != "eli@home.test" && x.Bot == "" || by == "eli@home.test" && x.Player != o.playerOf("eli") {
			t.Fatalf("%s: %+v", by, x)
		}
		for _, line := range []string{"B", "pass", "hint", "plan:\nB", "take back"} {
			o.send(o.letter(at("bo"), token, line))
			if got := o.refused("bo"); got != want && got != notice.ProblemTakeBack {
				t.Errorf("%s, then %q: %s, want %s", by, line, summary(o.last("bo")), want)
			}
		}
	}
}

// What people write who want no more letters mutes the game at once, and asks about their other
// games; a yes mutes these.
func TestUnsubscribe(t *testing.T) {
	for _, said := range []string{"unsubscribe", "Unsubscribe!", "stop sending me this", "Please stop these mails", "Please unsubscribe me.", "remove me from this list"} {
		o := newOffice(t)
		first := o.started(1, "ada", "bo")
		muted := func(id string) bool { return o.seats(id)[0].Muted != 0 }
		r := own(t, o.write("ada", said), "ada")
		if !muted(first) || !slices.Contains(remarks(r), notice.SayMuted) || slices.Contains(remarks(r), notice.AskMuteAll) {
			t.Fatalf("%q in her only game: muted %v, %s", said, muted(first), summary(r))
		}
		second, third := o.started(2, "ada", "bo"), o.started(3, "ada", "bo")
		r = own(t, o.write("ada", said), "ada")
		if !muted(third) || muted(second) || !slices.Contains(remarks(r), notice.AskMuteAll) {
			t.Fatalf("%q in one of several: %s", said, summary(r))
		}
		if r = own(t, o.write("ada", "yes"), "ada"); !muted(second) || !slices.Contains(remarks(r), notice.SayMutedAll) {
			t.Errorf("%q and yes: %s", said, summary(r))
		}
		if r = own(t, o.write("ada", "unmute all"), "ada"); muted(first) || muted(second) || muted(third) || !slices.Contains(remarks(r), notice.SayUnmutedAll) {
			t.Errorf("the way back: %s", summary(r))
		}
		if o.write("ada", "mute"); muted(first) && muted(second) && muted(third) {
			t.Error("mute is about one game")
		}
	}
}

// Everyday words for resigning lead to the same question as resign.
func TestResignsInOwnWords(t *testing.T) {
	for _, said := range []string{"resign", "I quit", "I want to resign", "I resign.", "I give up!", "leave this game"} {
		o := newOffice(t)
		id := o.started(1, "ada", "bo", "cy")
		if r := own(t, o.write("ada", said), "ada"); !slices.Contains(remarks(r), notice.AskResign) || o.seats(id)[0].Bot != "" {
			t.Errorf("%q: %s", said, summary(r))
			continue
		}
		if r := own(t, o.write("ada", "yes"), "ada"); !slices.Contains(remarks(r), notice.SayResigned) || o.seats(id)[0].Bot == "" {
			t.Errorf("%q and yes: %s", said, summary(r))
		}
	}
}

// A number of players is answered with seats, which takes it, to players and strangers.
func TestPlayersByNumber(t *testing.T) {
	o := newOffice(t)
	o.started(1, "ada", "bo")
	_, out := o.send(o.letter("eve@far.test", "", "open game\nplayers: 3"))
	for who, r := range map[string]notice.Message{"a player": own(t, o.write("ada", "open game\nplayers: 3"), "ada"), "a stranger": out[0]} {
		if !slices.ContainsFunc(r.Answer.Lines, func(l notice.LineResult) bool {
			return l.Problem != nil && l.Problem.Code == order.SeatsOption && l.Problem.Args["word"] == "3"
		}) {
			t.Errorf("%s: %s", who, summary(r))
		}
	}
	if out := o.write("ada", "open game\nseats: 3"); !slices.Contains(remarks(own(t, out, "ada")), notice.SayOpened) {
		t.Errorf("seats: %v", summaries(out))
	}
}

// The answer names attachments, which no one reads.
func TestAttachmentsAreNamed(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	for _, text := range []string{"card 087 at row 3", "see the attachment", ""} {
		l := o.letter(at("ada"), o.token(at("ada")), text)
		l.Files = []string{"orders.txt", "www.spam.example"}
		_, out := o.send(l)
		if got := remarked(own(t, out, "ada"), notice.SayFiles); len(got) != 2 || got[0] != "orders.txt" {
			t.Errorf("%q: named %q", text, got)
		}
	}
	if n := len(o.record(id, 0).Log); n != 1 {
		t.Errorf("%d orders were played", n)
	}
}

// What we say of letters that repeat themselves is true: a reply with the same words is not
// answered, and the last answer of a day says that it is.
func TestLastAnswersSaySo(t *testing.T) {
	o := newOffice(t, func(u *unit.Config) { u.Contact = "host@angelpost.example" })
	o.started(1, "ada", "bo")
	first := o.token(at("ada"))
	for i := range 3 {
		text := fmt.Sprint("frobnicate the quux ", strings.Repeat("x", i))
		_, out := o.send(o.letter(at("ada"), first, text))
		if r := own(t, out, "ada"); !slices.Contains(remarks(r), notice.SayOnce) {
			t.Fatalf("%q: %s", text, summary(r))
		}
		if out := o.write("ada", text); len(out) != 0 {
			t.Errorf("%q again: %v", text, summaries(out))
		}
	}
	o.now = o.now.Add(24 * time.Hour)
	answers := 0
	for i := range 30 {
		_, out := o.send(o.letter(at("ada"), first, fmt.Sprint("frobnicate the wombat ", strings.Repeat("y", i+9))))
		if answers += len(out); len(out) == 0 {
			continue
		}
		said := ""
		for _, m := range out[0].Answer.Remarks {
			if m.Code == notice.SayLast {
				said = m.Args["who"]
			}
		}
		if want := map[bool]string{true: "host@angelpost.example"}[answers == 21]; said != want {
			t.Errorf("answer %d names %q, want %q", answers, said, want)
		}
	}
	if answers != 21 {
		t.Errorf("%d answers, want 21", answers)
	}
}
