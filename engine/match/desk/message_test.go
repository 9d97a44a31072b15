package desk_test

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine"
	"angelpost/engine/notice"
)

// said is everything that name's letters among out say of messages.
func said(out []notice.Message, name string) string {
	var b strings.Builder
	for _, r := range out {
		if r.To == at(name) {
			for _, p := range r.Answer.Press {
				b.WriteString(p.From + ">" + p.To + ": " + p.Text + "\n")
			}
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// A message ends before the first order, which is played; the answer shows what went out, and
// its readers.
func TestMessageSwallowsNoOrders(t *testing.T) {
	o := newOffice(t)
	names := []string{"ada", "bo", "cy"}
	id := o.started(1, names...)
	sure := func(line string) bool { return strings.Count(line, " ") > 1 }
	i := slices.IndexFunc(names, func(n string) bool { return slices.ContainsFunc(o.sheet(o.last(n)).Legal, sure) })
	me, you, them := names[i], names[(i+1)%3], names[(i+2)%3]
	called := func(n string) string { return strings.ToUpper(n[:1]) + n[1:] }

	legal := o.sheet(o.last(me)).Legal
	out := o.write(me, "say: good luck\n"+legal[slices.IndexFunc(legal, sure)])
	r := own(t, out, me)
	if got := said(out, you); got != called(me)+">: good luck" || said(out, them) != got || len(o.record(id, 0).Log) != 1 {
		t.Errorf("told %q, %d lines", got, len(o.record(id, 0).Log))
	}
	if len(r.Answer.Sent) != 1 || len(r.Answer.Sent[0].To) != 2 || r.Answer.Sent[0].Text != "good luck" {
		t.Errorf("echoed %+v", r.Answer.Sent)
	}
	out = o.write(me, "say to "+you+":\nDear you,\n\nit was fun.\nA.\nend\nundo")
	if got := said(out, you); got != called(me)+">"+called(you)+": Dear you,\n\nit was fun.\nA." || said(out, them) != "" {
		t.Errorf("told %q, %q", got, said(out, them))
	}
	if r := own(t, out, me); len(r.Answer.Sent) != 1 || !slices.Equal(r.Answer.Sent[0].To, []string{called(you)}) || fate(r, "undo") == notice.LineApplied {
		t.Errorf("echoed %+v; %v", r.Answer.Sent, r.Answer.Lines) // the undo may be part of it, so the server asks
	}
	out = o.write(me, "say: first\n\nsecond paragraph\nand more of it")
	if r := own(t, out, me); said(out, you) != called(me)+">: first" || r.Answer.Lines[1].Status != notice.LineRefused || r.Answer.Lines[1].Text != "second paragraph" {
		t.Errorf("told %q; %v", said(out, you), r.Answer.Lines)
	}
}

// Nothing that gives the writer's plans away is sent unasked: orders, legal or
// not, plans, standing orders, other messages, and cards of the hand.
func TestMessagesLeakNothing(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	hand := o.sheet(o.last("ada")).View.Players[0].Cards
	card := hand[0].String()
	other := "013"
	if slices.ContainsFunc(hand, func(c engine.Card) bool { return c.String() == other }) {
		t.Fatal("another card is needed")
	}
	short := strings.TrimLeft(card, "0")
	for _, line := range []string{
		"B", "B.", "pass", "reserve gray 3, orange 3", "card " + other + " at row 2", "die gray 2; command", "c4 to b5", "plan", "plan: B", "always reserve 3",
		"if tile t12", "say to Cy: my plan is B", "note: watch row 2", "inject a1 row 9", "crad " + other + " at row 2",
		"I love " + card + "!", "my card " + short + " is great", "Mission " + short, "see #" + card + ".",
	} {
		for _, letter := range []string{"say: LINE", "say to Bo: LINE", "say:\nLINE\nend", "say to Bo:\nHello,\n\nLINE\n\nBye\nend", "say: hello\nLINE"} {
			if strings.Contains(line, " ") && strings.HasPrefix(letter, "say: hello") && strings.ContainsAny(line, "!.") {
				continue // not an order; the line goes on with the message, which the next test looks at
			}
			o.now = o.now.Add(24 * time.Hour) // messages are counted by the day
			out := o.write("ada", strings.ReplaceAll(letter, "LINE", line))
			got := said(out, "bo")
			if strings.Contains("\n"+strings.ReplaceAll(got, ": ", "\n")+"\n", "\n"+strings.TrimSuffix(line, ".")+"\n") || strings.Contains(got, short) {
				t.Errorf("%q in %q: sent %q", line, letter, got)
			}
			r := own(t, out, "ada")
			if !slices.ContainsFunc(r.Answer.Lines, func(l notice.LineResult) bool {
				return strings.Contains(l.Text, line) && l.Problem != nil || strings.HasPrefix(line, l.Text)
			}) {
				t.Errorf("%q in %q: not told of it: %v", line, letter, r.Answer.Lines)
			}
			if strings.Contains(letter, "Bye") && !strings.Contains(line, ": ") && got != "Ada>Bo: Hello,\n\n[…]\n\nBye" {
				t.Errorf("%q: sent %q", line, got)
			}
		}
	}
	for _, line := range []string{"nice, you took my die", "thanks!", "no", "Yes!", "done?", "B?", "shall we pause?", "you should take 2 of my robots", "gg", "I'd never do a B here", "card " + other + " is strong", "help", "back on Monday"} {
		o.now = o.now.Add(24 * time.Hour)
		out := o.write("ada", "say: "+line)
		if got := said(out, "bo"); got != "Ada>: "+line {
			t.Errorf("%q: sent %q; %v", line, got, own(t, out, "ada").Answer.Lines)
		}
	}
	if n := len(o.record(id, 0).Log); n > 1 { // a plan or a B may have been played below "hello"
		t.Errorf("%d lines", n)
	}
}

// A yes sends what was held back to its readers; it plays nothing.
func TestHeldLinesAreSentAfterAYes(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo", "cy")
	card := o.sheet(o.last("ada")).View.Players[0].Cards[0].String()
	out := o.write("ada", "say to bo:\nlook:\nB\nI have "+card+"\nfunny\nend")
	r := own(t, out, "ada")
	if said(out, "bo") != "Ada>Bo: look:\n[…]\nfunny" || r.Result != notice.Partial || fate(r, "B") != notice.LineAsked || fate(r, "I have "+card) != notice.LineAsked {
		t.Errorf("sent %q; %v", said(out, "bo"), r.Answer.Lines)
	}
	if i := slices.IndexFunc(r.Answer.Remarks, func(r notice.Remark) bool { return r.Code == notice.AskSend }); i < 0 || r.Answer.Remarks[i].Args["names"] != "Bo" {
		t.Errorf("remarks %v", r.Answer.Remarks)
	}
	out = o.write("ada", "yes")
	if said(out, "bo") != "Ada>Bo: B\nI have "+card || said(out, "cy") != "" || len(o.record(id, 0).Log) != 0 {
		t.Errorf("after a yes %q, %d lines", said(out, "bo"), len(o.record(id, 0).Log))
	}
	out = o.write("ada", "say: B")
	if r := own(t, out, "ada"); fate(r, "say: B") != notice.LineAsked || r.Answer.Lines[0].Problem == nil || len(out) != 1 || len(r.Answer.Sent) > 0 {
		t.Errorf("%d letters, %v", len(out), r.Answer.Lines)
	}
}

// A note ends where a message does. It leaks nothing, so no line is held back, but the answer
// says that no order in it was played.
func TestNotesKeepAll(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	r := own(t, o.write("ada", "note: watch row 2\ncard 087 at row 3\nactivate 3.3 ship"), "ada")
	if len(o.record(id, 0).Log) != 2 || len(r.Answer.Sent) != 1 || r.Answer.Sent[0].Text != "watch row 2" {
		t.Errorf("%d lines, %+v", len(o.record(id, 0).Log), r.Answer.Sent)
	}
	r = own(t, o.write("ada", "note:\nnext turn:\n\nB\nend"), "ada")
	if len(r.Answer.Sent) != 1 || r.Answer.Sent[0].Text != "next turn:\n\nB" || !slices.Contains(remarks(r), notice.SayNotedOnly) || len(o.record(id, 0).Log) != 2 {
		t.Errorf("%+v, %v", r.Answer.Sent, remarks(r))
	}
}

// A preview sends nothing, keeps nothing, changes nothing, and says first that it
// was a trial.
func TestPreviewDoesNothing(t *testing.T) {
	o := newOffice(t)
	id := o.started(1, "ada", "bo")
	o.write("ada", "status") // a first letter registers its writer
	before := o.dump()
	for _, words := range []string{
		"say: nice", "say to bo: psst", "note: he bluffs", "card 087 at row 3\nsay: nice\nnote: x", "name Zelda", "format text", "notify every", "zone Europe/Berlin", "link", "mute", "resign",
		"vacation 2026-12-01 2026-12-02", "days off sun", "quiet 22:00 7:30", "reminders none", "pause", "back", "always reserve 3", "forget 1", "plan\nB", "plan none",
		"remind bo", "replace bo by bot", "cancel", "abandon", "rematch", "address add ada@work.test", "address remove ada@home.test", "visibility: private", "yes", "no",
		"new game\nplayers: dan@home.test", "open game", "join abcdefghijklmn27", "join league Tin", "leave league Tin", "substitute Tin", "new league\nname: Tin", "announce Tin: x", "amend Tin\nname: x",
		"never write to me again", "decline", "undo", "pause abcdefghijklmn27: why",
	} {
		out := o.write("ada", "preview\n"+words)
		if len(out) != 1 || out[0].To != at("ada") {
			t.Errorf("%q: letters to %d", words, len(out))
			continue
		}
		if r := remarks(out[0]); len(r) == 0 || r[0] != notice.SayPreview || out[0].Result == notice.Applied || out[0].Result == notice.Partial {
			t.Errorf("%q: %s, remarks %v", words, out[0].Result, r)
		}
		if after := o.dump(); after != before {
			t.Errorf("%q changed\n%s\nto\n%s", words, before, after)
		}
	}
	if n := len(o.record(id, 0).Log); n != 0 {
		t.Errorf("%d lines", n)
	}
	// What it would send is shown, checks and all.
	r := own(t, o.write("ada", "preview\nsay to bo: psst"), "ada")
	if len(r.Answer.Sent) != 1 || !r.Answer.Sent[0].Trial || r.Answer.Sent[0].Text != "psst" || fate(r, "say to bo: psst") != notice.LineTried {
		t.Errorf("%+v %v", r.Answer.Sent, r.Answer.Lines)
	}
	r = own(t, o.write("ada", "preview\nsay: B"), "ada")
	if fate(r, "say: B") != notice.LineAsked || len(r.Answer.Sent) > 0 {
		t.Errorf("%+v %v", r.Answer.Sent, r.Answer.Lines)
	}
}

// dump is all that a letter may change: rows of games, of players and of what they
// said, but not the letters themselves and by what they are counted.
func (o *office) dump() string {
	o.t.Helper()
	c, err := sql.Open("sqlite3", o.file)
	if err != nil {
		o.t.Fatal(err)
	}
	defer c.Close()
	var b strings.Builder
	for _, table := range []string{"players", "addresses", "games", "log", "confirms", "press", "keys", "leagues", "league_log", "league_players", "stints", "standing", "plans", "rulings", "seats"} {
		columns := "*"
		if table == "seats" { // the rest is what its player knows
			columns = "game, place, seat, player, heir, stage, bot, name, agreed, muted"
		}
		rows, err := c.Query("SELECT " + columns + " FROM " + table)
		if err != nil {
			o.t.Fatal(err)
		}
		names, err := rows.Columns()
		if err != nil {
			o.t.Fatal(err)
		}
		row := make([]any, len(names))
		for i := range row {
			row[i] = new(any)
		}
		for rows.Next() {
			if err := rows.Scan(row...); err != nil {
				o.t.Fatal(err)
			}
			b.WriteString(table)
			for _, v := range row {
				fmt.Fprintf(&b, " %q", fmt.Sprint(*v.(*any)))
			}
			b.WriteByte('\n')
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			o.t.Fatal(err)
		}
	}
	return b.String()
}
