package desk_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/incoming"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// A stage is an office in which a letter of some kind waits for an answer.
type stage struct {
	o     *office
	name  string // of the letter's reader
	token string
	vars  []string // placeholders in testdata/answers.tsv, and their values here
	file  []byte   // its database
}

// fork returns an office like the stage's; changes in it do not affect the stage.
func (s *stage) fork(t testing.TB) *office {
	t.Helper()
	o := s.o
	if s.file == nil {
		copied, err := os.ReadFile(o.copyFile())
		if err != nil {
			t.Fatal(err)
		}
		s.file = copied
	}
	n := closedOffice(t, func(c *unit.Config) { c.Start = "anyone" })
	if err := os.WriteFile(n.file, s.file, 0o600); err != nil {
		t.Fatal(err)
	}
	*n.random = *rand.NewChaCha8([32]byte{8}) // new Message-IDs
	n.open()
	n.now, n.n, n.box, n.drafts = o.now, o.n, map[string][]notice.Message{}, maps.Clone(o.drafts)
	for a, box := range o.box {
		n.box[a] = slices.Clone(box)
	}
	return n
}

// seated starts a game of Ann and Bob in which Bob has to move, or Ann.
func seated(o *office, moves bool) (id string) {
	o.t.Helper()
	last := "ann"
	n := seating.NewGameOrder{Started: true, Seed: &[32]byte{1}, Hints: "yes", Clock: o.clock, Organiser: at("ann")}
	for _, name := range []string{"Ann", "Bob"} {
		n.Players = append(n.Players, seating.NewPlayer{Address: at(strings.ToLower(name)), Name: name})
	}
	if moves {
		slices.Reverse(n.Players)
		last = "bob"
	}
	id, err := o.desk.NewGame(context.Background(), n)
	if err != nil {
		o.t.Fatal(err)
	}
	o.deliver()
	if !slices.Contains(o.sheet(o.last(last)).Legal, "B") {
		o.t.Fatalf("it is not for %s to move", last)
	}
	return id
}

// invitedTo has Ann invite others to a game.
func invitedTo(o *office, names ...string) (id string) {
	o.t.Helper()
	n := seating.NewGameOrder{Organiser: at("ann"), Players: []seating.NewPlayer{{Address: at("ann"), Name: "Ann"}}}
	for _, name := range names {
		n.Players = append(n.Players, seating.NewPlayer{Address: at(name)})
	}
	id, err := o.desk.NewGame(context.Background(), n)
	if err != nil {
		o.t.Fatal(err)
	}
	o.deliver()
	return id
}

// autumn is a league of two, Ann, its director, and Bob.
func autumn(o *office) string {
	o.t.Helper()
	o.started(40, "bob", "bot")
	id := o.made(strings.NewReplacer("Tin League", "Autumn", "dora@", "ann@").Replace(tin))
	o.deliver()
	o.joins("Autumn", "bob")
	o.started(41, "ann", "bot")
	return id
}

// forged puts a letter with a code of its kind into a box, as if we had sent it. The letters of
// many kinds are hard to come by, and what they leave to say depends on little else.
func (o *office) forged(name, game, league, code, question string) string {
	o.t.Helper()
	o.n++
	token := strings.Repeat("q", 20) + fmt.Sprintf("%06d", o.n)[:6]
	token = strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return 'a' + r - '0'
		}
		return r
	}, token)
	err := o.db.Update(context.Background(), func(tx store.Tx) error {
		a, err := tx.Address(at(name))
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		r := notice.Message{Kind: notice.KindInfo, Version: notice.RendererVersion, To: at(name), Player: a.Player, Game: game, Token: token, League: league,
			Date: o.now, MessageID: token + "@angelpost.test"}
		k := store.Token{Token: token, Player: a.Player, Game: game}
		switch {
		case slices.Contains(notice.Remarks, code):
			r.Answer.Remarks = []notice.Remark{{Code: code}}
		case slices.Contains(notice.Problems, code):
			r.Kind, r.Result = notice.KindAnswer, notice.Refused
			r.Answer.Lines = []notice.LineResult{{N: 1, Text: "x", Status: notice.LineRefused, Problem: notice.Refuse(code)}}
		default:
			r.Kind = notice.Kind(code)
		}
		if code == string(notice.KindInfo) {
			r.Answer.Press = []incoming.Press{{From: "Ann", Text: "Good luck!"}}
		}
		if slices.Contains([]string{notice.TellOwe, notice.SayAgain, notice.SayRolled}, code) {
			r.Kind = notice.KindTurn
		}
		if league != "" {
			r.Answer.League = "Autumn"
		}
		if game != "" {
			g, err := tx.Game(game)
			if err != nil {
				return err
			}
			seats, err := tx.Seats(game)
			for _, x := range seats {
				if x.Player == a.Player {
					k.Place, r.Seat = x.Place, x.Seat
				}
			}
			log, failed := tx.Log(game, 0)
			r.Step, r.Since, k.Step = len(log), len(log), len(log)
			r.Answer.GameName, err = g.Name, errors.Join(err, failed)
			if err != nil {
				return err
			}
		}
		if question != "" {
			c := &store.Confirm{Kind: question, Player: a.Player, Address: at(name), Game: game, Lines: "{}", Open: true, Created: o.now, Expires: o.now.Add(1e15)}
			if question == store.ConfirmMeant {
				c.Lines = `{"orders":["settings"]}`
			} else if league != "" {
				c.Game = league
			}
			if err := tx.AddConfirm(c); err != nil {
				return err
			}
			k.Confirm = c.ID
		}
		return tx.AddMessage(&r, k, store.OutSent)
	})
	if err != nil {
		o.t.Fatal(err)
	}
	return token
}

// read is a stage at which a person has just read their last letter.
func read(o *office, name string, vars ...string) stage {
	return stage{o: o, name: name, token: o.token(at(name)), vars: vars}
}

// withCode is a stage at which a person has read their last letter with a remark.
func withCode(o *office, name, code string) stage {
	o.t.Helper()
	for _, r := range slices.Backward(o.box[at(name)]) {
		if slices.Contains(remarks(r), code) {
			return stage{o: o, name: name, token: r.Token}
		}
	}
	o.t.Fatalf("%s has no letter with %s", name, code)
	return stage{}
}

// askedOf makes a question of a kind.
func askedOf(question string, game bool) func(*office, naturalAnswer) stage {
	return func(o *office, a naturalAnswer) stage {
		if game {
			id := seated(o, true)
			return stage{o: o, name: "bob", token: o.forged("bob", id, "", a.letter[0], question), vars: []string{"g1", id}}
		}
		id := autumn(o)
		return stage{o: o, name: "bob", token: o.forged("bob", "", id, a.letter[0], question), vars: nil}
	}
}

// naturalStages has the letters that are made as they are in life; the others are forged.
var naturalStages = map[string]func(*office, naturalAnswer) stage{
	"invitation": func(o *office, _ naturalAnswer) stage { invitedTo(o, "bob"); return read(o, "bob") },
	"invitation-player": func(o *office, _ naturalAnswer) stage {
		o.started(3, "bob", "bot")
		invitedTo(o, "bob")
		return read(o, "bob")
	},
	"invitation-heir": func(o *office, _ naturalAnswer) stage {
		id := o.started(3, "ann", "cyd")
		o.from(id, "ann", "replace Cyd by bob@home.test")
		return read(o, "bob")
	},
	"invitation-rematch": func(o *office, _ naturalAnswer) stage {
		o.started(3, "ann", "bob")
		o.write("ann", "abandon")
		o.write("bob", "yes")
		o.write("ann", "rematch")
		return read(o, "bob")
	},
	"start":      func(o *office, _ naturalAnswer) stage { seated(o, false); return read(o, "bob") },
	"start-turn": func(o *office, _ naturalAnswer) stage { seated(o, true); return read(o, "bob") },
	"undo-window": func(o *office, _ naturalAnswer) stage {
		seated(o, true)
		o.write("bob", o.sheet(o.last("bob")).Example[0])
		return read(o, "bob")
	},
	"turn-goes-on": func(o *office, _ naturalAnswer) stage {
		seated(o, true)
		o.write("bob", "B")
		return read(o, "bob")
	},
	"applied": func(o *office, _ naturalAnswer) stage { seated(o, true); o.plays("bob"); return read(o, "bob") },
	"refused": func(o *office, _ naturalAnswer) stage {
		seated(o, true)
		o.write("bob", "card 999 at row 1")
		return read(o, "bob")
	},
	"not-your-turn": func(o *office, _ naturalAnswer) stage {
		seated(o, false)
		o.write("bob", "B")
		return read(o, "bob")
	},
	"hint": func(o *office, _ naturalAnswer) stage {
		o.started(3, "bob", "bot")
		o.write("bob", "hint")
		return read(o, "bob")
	},
	"standing-order": func(o *office, _ naturalAnswer) stage {
		seated(o, true)
		o.write("bob", "always forced")
		return read(o, "bob")
	},
	"preview": func(o *office, _ naturalAnswer) stage {
		seated(o, true)
		o.write("bob", "preview\n"+o.sheet(o.last("bob")).Example[0])
		return read(o, "bob")
	},
	"ask-meant": func(o *office, _ naturalAnswer) stage {
		seated(o, true)
		o.write("bob", "I'll decide tomorrow, maybe this:\nB")
		return read(o, "bob")
	},
	"ask-new-game": func(o *office, _ naturalAnswer) stage {
		o.started(3, "ann", "bot")
		o.send(o.letter(at("bob"), "", "new game\nplayers: ann@home.test"))
		return read(o, "bob")
	},
	"ask-join": func(o *office, _ naturalAnswer) stage {
		o.started(3, "ann", "bot")
		o.write("ann", "new game\nplayers: open, open")
		o.send(o.letter(at("bob"), "", "join "+o.newest().ID))
		return read(o, "bob")
	},
	"ask-enlist": func(o *office, _ naturalAnswer) stage {
		o.made(strings.NewReplacer("Tin League", "Autumn", "dora@", "ann@").Replace(tin))
		o.started(3, "ann", "bot")
		o.write("ann", "add bob@home.test to league Autumn: a friend")
		return read(o, "bob")
	},
	"ask-abandon": func(o *office, _ naturalAnswer) stage {
		id := seated(o, false)
		o.from(id, "ann", "abandon")
		return read(o, "bob")
	},
	"ask-takeback": func(o *office, _ naturalAnswer) stage {
		id := seated(o, false)
		o.plays("ann")
		o.from(id, "ann", "take back")
		return read(o, "bob")
	},
	"ask-visibility": func(o *office, _ naturalAnswer) stage {
		id := seated(o, false)
		o.from(id, "ann", "visibility: listed")
		return read(o, "bob")
	},
	"ask-forget": func(o *office, _ naturalAnswer) stage {
		seated(o, true)
		o.write("bob", "forget me")
		return withCode(o, "bob", notice.AskForget)
	},
	"ask-resign": func(o *office, _ naturalAnswer) stage {
		seated(o, true)
		o.write("bob", "resign")
		return read(o, "bob")
	},
	"ask-pause": func(o *office, _ naturalAnswer) stage {
		o.clock = "3d"
		o.from(seated(o, false), "bob", "pause")
		return read(o, "ann")
	},
	"ask-resume": func(o *office, _ naturalAnswer) stage {
		o.clock = "3d"
		id := seated(o, false)
		o.from(id, "bob", "pause")
		o.write("ann", "yes")
		o.from(id, "bob", "resume")
		return read(o, "ann")
	},
	"message-your-turn": func(o *office, _ naturalAnswer) stage {
		o.from(seated(o, false), "bob", "say: good luck")
		return read(o, "ann")
	},
	"ask-remove": func(o *office, a naturalAnswer) stage {
		return askedOf(store.ConfirmMeant, false)(o, a)
	},
	"message": func(o *office, _ naturalAnswer) stage {
		o.started(3, "bob", "ann", "cyd")
		o.write("bob", "say to Ann: good luck")
		return read(o, "ann")
	},
	"message-private": func(o *office, _ naturalAnswer) stage {
		o.started(3, "bob", "ann", "cyd")
		o.write("bob", "say to Ann: shall we?")
		return read(o, "ann")
	},
	"joined": func(o *office, _ naturalAnswer) stage {
		invitedTo(o, "bob", "cyd")
		o.write("bob", "join Bob")
		return read(o, "bob")
	},
	"declined": func(o *office, _ naturalAnswer) stage {
		invitedTo(o, "bob", "cyd")
		o.write("bob", "decline")
		return read(o, "bob")
	},
	"never-again": func(o *office, _ naturalAnswer) stage {
		invitedTo(o, "bob", "cyd")
		o.write("bob", "never write to me again")
		return read(o, "bob")
	},
	"created": func(o *office, _ naturalAnswer) stage {
		o.started(3, "ann", "bot")
		o.write("ann", "new game\nplayers: bob@home.test, cyd@home.test")
		return read(o, "ann")
	},
	"resigned": func(o *office, _ naturalAnswer) stage {
		id := seated(o, true)
		o.write("bob", "resign")
		o.write("bob", "yes")
		return stage{o: o, name: "bob", token: o.forged("bob", id, "", notice.SayResigned, ""), vars: nil}
	},
	"seat-lost": func(o *office, _ naturalAnswer) stage {
		id := seated(o, false)
		o.from(id, "ann", "replace Bob by bot")
		return read(o, "bob")
	},
	"end": func(o *office, _ naturalAnswer) stage {
		o.started(3, "ann", "bob")
		o.write("ann", "abandon")
		o.write("bob", "yes")
		return read(o, "bob")
	},
	"stranger": func(o *office, _ naturalAnswer) stage {
		o.send(o.letter(at("bob"), "", "help"))
		return read(o, "bob")
	},
}

// questionKinds are those of the questions that are forged.
var questionKinds = map[string]func(*office, naturalAnswer) stage{
	"ask-send": askedOf(store.ConfirmMeant, true), "ask-mute-all": askedOf(store.ConfirmMeant, true), "ask-league": askedOf(store.ConfirmMeant, false), "ask-here": askedOf(store.ConfirmHere, false),
	"ask-seat": askedOf(store.ConfirmLeague, false), "ask-place": askedOf(store.ConfirmLeague, false), "ask-sure": askedOf(store.ConfirmMeant, false), "ask-office": askedOf(store.ConfirmMeant, false),
	"ask-in-time": askedOf(store.ConfirmTakeBack, true), "ask-alias": askedOf(store.ConfirmMeant, false), "ask-letter": askedOf(store.ConfirmMeant, false), "ask-address": askedOf(store.ConfirmMeant, false),
}

// overKinds are letters about games that are over, idleKinds those to players who have nothing
// to decide.
var (
	overKinds   = kindsOf("end-unscored rematch-made seat-kept-end invite-expired cancelled ruling-result")
	movingKinds = kindsOf("turn turn-owe turn-asked-back rolled could-not-read not-from-you refused-candidates reminder reminder-lost overdue missed back more-time hints-on standing-order-off plan collected message-your-turn invitation-league-seat start-turn")
)

func kindsOf(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// staged makes a letter of the kind.
func staged(t testing.TB, rows []naturalAnswer) stage {
	a := rows[0]
	o := newOffice(t, func(c *unit.Config) { c.Start = "anyone" })
	if f := naturalStages[a.kind]; f != nil {
		return f(o, a)
	}
	if f := questionKinds[a.kind]; f != nil {
		return f(o, a)
	}
	code := a.letter[0]
	if len(a.letter) > 1 && slices.Contains([]string{"answer", "turn"}, code) && !movingKinds[a.kind] {
		code = a.letter[1]
	}
	reader := "bob"
	if a.whom == "organiser" || a.whom == "director" || slices.ContainsFunc(rows, func(a naturalAnswer) bool { return len(a.answer) > 1 && a.answer[len(a.answer)-1] == "Ann" }) {
		reader = "ann"
	}
	switch {
	case overKinds[a.kind]:
		id := o.started(3, "ann", "bob")
		o.write("ann", "abandon")
		o.write("bob", "yes")
		return stage{o: o, name: reader, token: o.forged(reader, id, "", code, ""), vars: []string{"g1", id}}
	case a.kind == "seat-kept":
		id := seated(o, true)
		o.in("UPDATE seats SET stage = 'absent', bot = 'planner:2000' WHERE player = ?", o.player("bob"))
		return stage{o: o, name: reader, token: o.forged(reader, id, "", code, ""), vars: nil}
	case strings.HasPrefix(a.kind, "league-"), strings.HasPrefix(a.kind, "director-"), a.kind == "ruled-done", strings.HasPrefix(a.kind, "appeal"), a.kind == "seat-open", a.kind == "no-show":
		id := autumn(o)
		return stage{o: o, name: reader, token: o.forged(reader, "", id, code, ""), vars: nil}
	case a.whom == "organiser", a.kind == "created-alone", a.kind == "open-game":
		id := invitedTo(o, "bob", "cyd")
		o.write("bob", "join Bob")
		reader = "ann"
		o.write("ann", "join Ann")
		return stage{o: o, name: reader, token: o.forged(reader, id, "", code, ""), vars: []string{"g1", id}}
	case slices.Contains([]string{"host-says", "host-changed", "data", "forgotten", "settled-question"}, a.kind):
		seated(o, false)
		return stage{o: o, name: reader, token: o.forged(reader, "", "", code, ""), vars: nil}
	}
	id := seated(o, movingKinds[a.kind])
	return stage{o: o, name: reader, token: o.forged(reader, id, "", code, ""), vars: []string{"g1", id}}
}

// answers sends a text in answer to a stage's letter, in an office of its own.
func (s *stage) answers(t testing.TB, text string) (o *office, out []notice.Message) {
	o = s.fork(t)
	l := o.letter(at(s.name), s.token, strings.NewReplacer(append([]string{"Ann.", "Ann."}, s.vars...)...).Replace(text))
	l.Name = strings.ToUpper(s.name[:1]) + s.name[1:]
	_, out = o.send(l)
	return o, out
}

// plainly is what letters say but for the lines that they quote.
func plainly(out []notice.Message) string {
	var b strings.Builder
	for _, r := range out {
		for i := range r.Answer.Lines {
			r.Answer.Lines[i].Text, r.Answer.Lines[i].N = "", 0
		}
		b.WriteString(summary(r))
	}
	return b.String()
}

// TestNaturalAnswers answers a letter of each kind in everyday words. It does what its writer
// means, as the plain word does, or a short answer names that word.
func TestNaturalAnswers(t *testing.T) {
	t.Parallel()
	kinds := map[string][]naturalAnswer{}
	var inOrder []string
	for _, a := range naturalAnswers(t) {
		if kinds[a.kind] == nil {
			inOrder = append(inOrder, a.kind)
		}
		kinds[a.kind] = append(kinds[a.kind], a)
	}
	for _, kind := range inOrder {
		if strings.HasPrefix(kind, "alarm") || strings.HasPrefix(kind, "digest") || kind == "two-games" { // tests of their own
			continue
		}
		t.Run(kind, func(t *testing.T) {
			s := staged(t, kinds[kind])
			if s.token == "" {
				t.Fatal("there is no letter")
			}
			for _, a := range kinds[kind] {
				o, out := s.answers(t, strings.Join(a.answer, "\n"))
				if fault := s.fault(t, o, a, out); fault != "" {
					said := ""
					for _, r := range out {
						said += summary(r)
					}
					t.Errorf("%q, which means %s: %s\n%s", strings.Join(a.answer, " / "), a.meant, fault, said)
				}
				o.db.Close()
			}
		})
	}
}

// fault says why the letters out are a bad answer, "" if they are good.
func (s *stage) fault(t testing.TB, o *office, a naturalAnswer, out []notice.Message) string {
	var mine []notice.Message
	for _, r := range out {
		if r.To == at(s.name) {
			mine = append(mine, r)
		}
	}
	switch a.meant {
	case "silent":
		if len(out) > 0 {
			return "there is an answer"
		}
		return ""
	case "thanks":
		for _, r := range mine {
			_, plain := map[string]bool{"yes": true, "no": true, "no thanks": true, "Yeah!": true}[a.answer[0]]
			if typed(a) && r.Result == notice.Applied {
				continue
			}
			if !slices.Contains(remarks(r), notice.SayWords) || !plain && !strings.Contains(a.answer[0], "?") && !names(o, r, "legal") {
				return "there is an answer"
			}
		}
		for _, r := range out {
			if r.To != at(s.name) && len(r.Answer.Press) == 0 {
				return "something is done"
			}
		}
		return ""
	}
	if named, ok := strings.CutPrefix(a.meant, "names "); ok {
		for _, word := range strings.Split(named, ", ") {
			if !slices.ContainsFunc(mine, func(r notice.Message) bool { return names(o, r, word) }) && !s.does(t, out, word) {
				return "the answer does not name " + word
			}
		}
		return ""
	}
	literal := strings.ReplaceAll(a.meant, "; ", "\n")
	if s.does(t, out, literal) || typed(a) && slices.ContainsFunc(mine, func(r notice.Message) bool { return r.Result == notice.Applied }) {
		return ""
	}
	if strings.HasPrefix(a.meant, "say") && len(mine) == 0 && len(out) > 0 { // thanks are passed on
		return ""
	}
	if a.meant == "no; B" && slices.ContainsFunc(mine, func(r notice.Message) bool {
		return r.Result == notice.Applied && slices.Contains(remarks(r), notice.SayNo)
	}) {
		return ""
	}
	word := strings.Split(literal, "\n")[0]
	if strings.HasPrefix(word, "say") {
		word = "say"
	}
	if slices.ContainsFunc(mine, func(r notice.Message) bool { return names(o, r, word) }) {
		return ""
	}
	return "it is not done, and the answer does not name it"
}

// does reports whether the letters are those with which the plain words are answered.
func (s *stage) does(t testing.TB, out []notice.Message, words string) bool {
	p, want := s.answers(t, words)
	p.db.Close()
	return plainly(out) == plainly(want) && len(out) > 0
}

// typed reports whether an answer is a word or an order as it is.
func typed(a naturalAnswer) bool {
	l := order.ReadLines(a.answer)
	return len(l.Items) == 1 && l.Items[0].Problem == nil && (l.Items[0].Clause == nil || l.Items[0].Clause.Readable())
}

// names reports whether a letter names a word.
func names(o *office, r notice.Message, word string) bool {
	if word == "organiser" || word == "extend" || word == "replace" {
		if names(o, r, "say to Ann") {
			return true
		}
	}
	for _, m := range r.Answer.Remarks { // a question that a yes answers
		if r.Kind == notice.KindAnswer && slices.Contains([]string{notice.AskMeant, notice.AskWord, notice.AskBeside}, m.Code) && (word == "legal" || word == "say" || word == "done") {
			return true
		}
	}
	for _, m := range r.Answer.Remarks {
		if slices.ContainsFunc(m.List, func(l string) bool { return l == word || strings.HasPrefix(l, word+" ") || word == "no" && l == "no" }) {
			return true
		}
	}
	for _, l := range r.Answer.Lines { // orders that would work: what `legal` and `hint` are for
		if l.Problem != nil && (len(l.Problem.Suggestions) > 0 && (word == "legal" || word == "hint") || slices.Contains(l.Problem.Suggestions, word) || slices.Contains(l.Problem.Candidates, word)) {
			return true
		}
	}
	text, _ := o.shown(r)
	return regexp.MustCompile("`" + regexp.QuoteMeta(word) + "\\b").MatchString(text)
}
