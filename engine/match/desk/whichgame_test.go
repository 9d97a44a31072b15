package desk_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
	"angelpost/templates"
	"angelpost/templates/words"
)

// called starts a game of that name, in which the first to be named moves.
func (o *office) called(name string, players ...string) string {
	o.t.Helper()
	n := seating.NewGameOrder{Started: true, Seed: &[32]byte{1}, Name: name, Organiser: at("ann")}
	for _, p := range players {
		n.Players = append(n.Players, seating.NewPlayer{Address: at(p), Name: strings.ToUpper(p[:1]) + p[1:]})
	}
	id, err := o.desk.NewGame(context.Background(), n)
	if err != nil {
		o.t.Fatal(err)
	}
	o.deliver()
	return id
}

// dailyOf is an office in which Bob reads a daily letter about two games, with a message of
// Ann's in one of them, or both. In First flight Bob is to move.
func dailyOf(t *testing.T, both bool) (o *office, first, second string, r notice.Message) {
	return dailyOfCalled(t, both, "First flight", "Night shift")
}

func dailyOfCalled(t *testing.T, both bool, names ...string) (o *office, first, second string, r notice.Message) {
	o = newOffice(t)
	first, second = o.called(names[0], "bob", "ann"), o.called(names[1], "cyd", "ann", "bob")
	o.from(first, "bob", "notify digest 18:00")
	o.from(first, "ann", "say: good luck")
	if both {
		o.from(second, "ann", "say: here too")
	} else {
		o.from(second, "cyd", "resign")
		o.write("cyd", "yes")
	}
	r = own(t, o.due(day), "bob")
	if !says(r.Answer, notice.SayDigest) || len(r.Answer.Collected) != 2 {
		t.Fatalf("no daily letter about two games: %s", summary(r))
	}
	return o, first, second, r
}

// TestDailyLetterIsAnswered: each game of a daily letter has its page and a reply address, and a
// reply to the letter itself is for the game that it names, or whose only message it can be for.
func TestDailyLetterIsAnswered(t *testing.T) {
	t.Parallel()
	o, first, second, r := dailyOf(t, false)
	site := templates.Site{BaseURL: "https://a.test", ReplyTo: "angel+daily@a.test", Reply: func(token string) string { return "angel+" + token + "@a.test" }}
	l, err := templates.Render(words.English(), o.sheet(r), site)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range r.Answer.Collected {
		if a.Own == nil || !strings.Contains(l.HTML, a.Own.Token+"@a.test?subject=Re%3A%20"+strings.ReplaceAll(a.GameName, " ", "%20")) || !strings.Contains(l.Text, a.Own.Token) {
			t.Errorf("%s has no reply address in the letter", a.GameName)
		} else if !strings.Contains(l.HTML, "/g/"+a.Game+"/"+a.Own.PageKey) || a.Own.PageKey == "" {
			t.Errorf("%s has no link in the letter", a.GameName)
		}
	}
	daily := &stage{o: o, name: "bob", token: r.Token}
	for i, c := range []struct{ text, game, does string }{
		{"First flight: B", first, "B"},
		{"First flight\nB", first, "B"},
		{"Hi Ann,\n\nin First flight: B", first, "B"},
		{"Night shift: say: nice move", second, "say: nice move"},
		{"say: you too", first, "say: you too"},
		{"say to Ann: you too", first, "say to Ann: you too"},
		{"Night shift: undo", second, "undo"},
		{"status", "", "status"},
		{"notify mine", "", "notify mine"},
	} {
		p, out := daily.answers(t, c.text)
		p.db.Close()
		to := stage{o: o, name: "bob", token: r.Token, file: daily.file}
		for _, a := range r.Answer.Collected {
			if a.Game == c.game {
				to.token = a.Own.Token
			}
		}
		q, want := to.answers(t, c.does)
		q.db.Close()
		if mine := own(t, out, "bob"); mine.Game != own(t, want, "bob").Game || plainly(out) != plainly(want) {
			t.Errorf("%d: %q:\n%s\nnot\n%s", i, c.text, plainly(out), plainly(want))
		}
	}
	for text, names := range map[string][]string{
		"B":    {"First flight", "Night shift"},
		"undo": {"First flight", "Night shift"},
	} {
		p, out := daily.answers(t, text)
		p.db.Close()
		named := false
		for _, m := range own(t, out, "bob").Answer.Remarks {
			named = named || (m.Code == notice.SayWhichGame || m.Code == notice.SayOtherGames) && slices.Equal(m.List, names)
		}
		if !named {
			t.Errorf("%q: the answer does not name %v: %s", text, names, plainly(out))
		}
	}
	for _, text := range []string{"First flight: B\nNight shift: undo", "Night shift: undo\nFirst flight\nroll"} {
		p, out := daily.answers(t, text)
		if n := len(p.log(first)); n == 0 || !slices.ContainsFunc(out, func(r notice.Message) bool { return r.To == at("bob") && r.Game == second }) {
			t.Errorf("%q: %d lines in First flight; %v", text, n, summaries(out))
		}
		p.db.Close()
	}
	p, out := daily.answers(t, "You too, Ann!")
	defer p.db.Close()
	if m := own(t, out, "bob"); m.Game != first || !names(p, m, "say") {
		t.Errorf("what is said to the only message: %s", plainly(out))
	}
	o2, _, _, both := dailyOf(t, true)
	two := &stage{o: o2, name: "bob", token: both.Token}
	p2, out := two.answers(t, "say: which of you?")
	defer p2.db.Close()
	if !says(own(t, out, "bob").Answer, notice.SayWhichGame) {
		t.Errorf("with two messages: %s", plainly(out))
	}
}

// TestLetterToTwoGames: a letter with the tokens of two games is for the first, and names the other.
func TestLetterToTwoGames(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, second := o.called("First flight", "bob", "ann"), o.called("Night shift", "bob", "ann")
	tokens := map[string]string{}
	for _, r := range o.box[at("bob")] {
		tokens[r.Game] = r.Token
	}
	s := &stage{o: o, name: "bob", token: tokens[first]}
	for text, played := range map[string]bool{"B": true, "say: good luck to all": false, "status": false} {
		p := s.fork(t)
		l := p.letter(at("bob"), tokens[first], text)
		l.Also = []string{tokens[second], tokens[second], strings.Repeat("z", 26)}
		_, out := p.send(l)
		m := own(t, out, "bob")
		named := slices.ContainsFunc(m.Answer.Remarks, func(r notice.Remark) bool {
			return r.Code == notice.SayOtherGames && slices.Equal(r.List, []string{"Night shift"})
		})
		if m.Game != first || !named || len(p.log(first)) > 0 != played || len(p.log(second)) > 0 {
			t.Errorf("%q: %s", text, summary(m))
		}
		p.db.Close()
	}
	p := s.fork(t)
	l := p.letter(at("bob"), tokens[first], "First flight: roll\nNight shift: roll")
	l.Also = []string{tokens[second]}
	if _, out := p.send(l); len(p.log(first)) == 0 || len(p.log(second)) == 0 {
		t.Errorf("orders for both: %v", summaries(out))
	}
	p.db.Close()
	l = o.letter(at("ann"), o.token(at("ann")), "status")
	l.Also = []string{tokens[first]} // another player's
	if _, out := o.send(l); says(own(t, out, "ann").Answer, notice.SayOtherGames) {
		t.Error("a token of another player's names their game")
	}
}

// TestGameCalledLikeAnOrder: a line that is an order is one, whatever the games are called.
func TestGameCalledLikeAnOrder(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, second := o.called("Roll", "bob", "ann"), o.called("Night shift", "bob", "ann")
	tokens := map[string]string{}
	for _, r := range o.box[at("bob")] {
		tokens[r.Game] = r.Token
	}
	l := o.letter(at("bob"), tokens[second], "roll")
	l.Also = []string{tokens[first]}
	if _, out := o.send(l); len(o.record(second, 0).Log) == 0 || len(o.record(first, 0).Log) > 0 {
		t.Errorf("the order is not played: %v", summaries(out))
	}
}

// TestJoinTwice: the server announces a player who joins again under the same name once.
func TestJoinTwice(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	invitedTo(o, "bob", "cyd")
	o.write("ann", "join Ann")
	for i, c := range []struct {
		text string
		told bool
	}{{"join Bob", true}, {"join Bob", false}, {"join Bob, kingfisher", false}, {"join Robert", true}} {
		out := o.write("bob", c.text)
		if told := len(mail(out, notice.TellJoined)) > 0; told != c.told || !says(own(t, out, "bob").Answer, notice.SayJoined) {
			t.Errorf("%d: %s: %v", i, c.text, summaries(out))
		}
	}
}

// TestTwoGamesOfOneName: a name that two games have means the one whose letter is answered. Elsewhere
// the answer lists both, nothing is played, and the heading that it shows says which is meant.
func TestTwoGamesOfOneName(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	first, second := o.called("Amber", "bob", "ann"), o.called("Amber", "bob", "ann")
	third := o.called("Night shift", "bob", "ann")
	tokens := map[string]string{}
	for _, r := range o.box[at("bob")] {
		tokens[r.Game] = r.Token
	}
	logs := func(o *office) [3]bool {
		return [3]bool{len(o.log(first)) > 0, len(o.log(second)) > 0, len(o.log(third)) > 0}
	}
	for _, c := range []struct {
		to, text string
		played   [3]bool
		asked    bool
	}{
		{second, "game Amber\nroll", [3]bool{false, true, false}, false},
		{first, "In game “amber”:\nroll", [3]bool{true, false, false}, false},
		{third, "game Amber\nroll", [3]bool{}, true},
		{third, "roll\n\ngame Amber:\nroll", [3]bool{}, true},
		{third, "game " + second + "\nroll", [3]bool{false, true, false}, false},
	} {
		s := &stage{o: o, name: "bob", token: tokens[c.to]}
		p, out := s.answers(t, c.text)
		m := own(t, out, "bob")
		asked := slices.ContainsFunc(m.Answer.Remarks, func(r notice.Remark) bool {
			return r.Code == notice.SayWhichGame && slices.Equal(slices.Sorted(slices.Values(r.List)), slices.Sorted(slices.Values([]string{"Amber (`game " + first + "`)", "Amber (`game " + second + "`)"})))
		})
		if got := logs(p); got != c.played || asked != c.asked {
			t.Errorf("%q: played %v, want %v; asked %t: %s", c.text, got, c.played, asked, summary(m))
		}
		p.db.Close()
	}

	o, first, second, r := dailyOfCalled(t, false, "Amber", "amber")
	daily := &stage{o: o, name: "bob", token: r.Token}
	for text, asked := range map[string]bool{"Amber: roll": true, "amber\nroll": true, "game " + first + "\nroll": false} {
		p, out := daily.answers(t, text)
		if m := own(t, out, "bob"); says(m.Answer, notice.SayWhichGame) != asked || len(p.log(first)) > 0 == asked || len(p.log(second)) != len(o.log(second)) {
			t.Errorf("to the daily letter, %q: %s", text, summary(m))
		}
		p.db.Close()
	}
}
