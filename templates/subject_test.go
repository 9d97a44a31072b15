package templates

import (
	"strconv"
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/game"
	"angelpost/engine/incoming"
	"angelpost/engine/notice"
	"angelpost/templates/words"
)

// All letters of a thread have one subject, whatever they say, except for the invitation and
// for letters to players without a seat. If subjects tell the news, kinds of letters differ by
// them; letters from before players could choose keep theirs.
func TestSubjectsByChoice(t *testing.T) {
	g := playGame(t, 2, 40, nil)
	must := g.View(0).ToAct[0]
	remark := func(code string) notice.Answer {
		return notice.Answer{Remarks: []notice.Remark{{Code: code, Args: map[string]string{"days": "4", "time": "2026-12-05 20:06 UTC", "next": "2026-12-06 20:06 UTC"}}}}
	}
	section := func(kind string) notice.Answer {
		return notice.Answer{Sections: []notice.Section{{Kind: kind, Hint: &notice.Hint{}, Settings: &notice.Settings{}}}}
	}
	message := notice.Answer{Press: []incoming.Press{{From: "Bo", Text: "hello"}}}
	deadline := notice.Answer{Deadlines: []notice.Deadline{{Seat: int(must), Time: "2026-12-05 20:06 UTC", Left: 3600}}}
	for _, c := range []struct {
		kind   notice.Kind
		result notice.Result
		answer notice.Answer
		label  string
		news   string // N: the round, WANTED: what must be decided
	}{
		{notice.KindTurn, notice.None, notice.Answer{}, "", "Friday, round N: WANTED"},
		{notice.KindTurn, notice.None, deadline, "", "Friday, round N: WANTED by Sat 5 Dec, 20:06 UTC"},
		{notice.KindTurn, notice.None, remark(notice.TellReminder), "Reminder", "Friday: reminder, WANTED"},
		{notice.KindTurn, notice.None, remark(notice.TellRunsOut), "Reminder", "Friday: reminder, WANTED"},
		{notice.KindTurn, notice.None, remark(notice.TellLate), "Overdue", "Friday: your time is over, WANTED"},
		{notice.KindInfo, notice.None, remark(notice.AskSeat), "A seat for you", "Friday: A seat for you"},
		{notice.KindInfo, notice.None, remark(notice.TellRuled), "Ruling", "Friday: Ruling"},
		{notice.KindInfo, notice.None, remark(notice.AskPause), "Please answer", "Friday: Please answer"},
		{notice.KindInfo, notice.None, message, "Message", "Friday: Message"},
		{notice.KindAnswer, notice.None, section("rules"), "Rules", "Friday: Rules"},
		{notice.KindAnswer, notice.None, section("help"), "Help", "Friday: Help"},
		{notice.KindAnswer, notice.None, section("hint"), "Hint", "Friday: Hint"},
		{notice.KindAnswer, notice.None, section("settings"), "Settings", "Friday: Settings"},
		{notice.KindAnswer, notice.Applied, section("settings"), "Done", "Friday, round N: done, WANTED"},
		{notice.KindAnswer, notice.Refused, notice.Answer{}, "Not done", "Friday, round N: not done, WANTED"},
		{notice.KindAnswer, notice.None, notice.Answer{}, "Your letter", "Friday, round N: WANTED"},
		{notice.KindEnd, notice.None, notice.Answer{}, "", "Friday: the game is over"},
	} {
		s := sheetOf(g, must, c.kind, 40)
		s.Message.Game, s.Message.Result, s.Message.Answer = "x", c.result, c.answer
		s.Message.Answer.GameName, s.Message.Answer.Names = "Friday", names
		subject := func(subjects, key, thread string) string {
			s.Message.Subjects, s.Message.PageKey, s.Message.Thread = subjects, key, thread
			return render(t, s, site).Subject
		}
		old := subject("", "key", "head@x")
		v := words.English().For(s.View.Set, must, names)
		want := strings.NewReplacer("round N", "round "+strconv.Itoa(s.View.Round), "WANTED", v.Wanted(s.View.Decision)).Replace(c.news)
		if got := subject(notice.SubjectsNews, "key", "head@x"); got != want {
			t.Errorf("news: %q, want %q", got, want)
		}
		if got := subject(notice.SubjectsSteady, "", ""); got != want {
			t.Errorf("to a stranger of the game: %q, want %q", got, want)
		}
		if got := subject(notice.SubjectsSteady, "key", ""); got != "Friday" {
			t.Errorf("head of the thread: %q", got)
		}
		if got := subject(notice.SubjectsSteady, "key", "head@x"); got != "Re: Friday" {
			t.Errorf("steady: %q", got)
		}
		if c.label != "" && old == want && c.kind == notice.KindTurn {
			t.Errorf("before there was a choice: %q", old)
		}
		if got := newContent(words.English(), s, site).kindLine(); got != c.label {
			t.Errorf("%s: label %q, want %q", want, got, c.label)
		}
	}
}

// The link that answers with the example has one "Re: ", too.
func TestOneReInMailTo(t *testing.T) {
	for _, subject := range []string{"Friday", "Re: Friday"} {
		if got := MailTo("a+b@example.org", subject, []string{"B"}); !strings.Contains(got, "?subject=Re%3A%20Friday&") {
			t.Errorf("%q: %s", subject, got)
		}
	}
}

// A link that answers with nothing gives no body: a mail program would show an empty line.
func TestMailToWithoutOrders(t *testing.T) {
	if got := MailTo("a@example.org", "Friday", nil); got != "mailto:a@example.org?subject=Re%3A%20Friday" {
		t.Error(got)
	}
}

// A reminder says what happens next at its top, wherever its remark stands, and looks
// unlike a turn notice. It says its reader's deadline once.
func TestReminders(t *testing.T) {
	g := playGame(t, 2, 40, nil)
	must := g.View(0).ToAct[0]
	args := map[string]string{"name": "Bo", "days": "4", "time": "2026-12-05 20:06 UTC", "next": "2026-12-06 20:06 UTC"}
	for _, c := range []struct{ code, class string }{
		{notice.TellRunsOut, ".re"}, {notice.TellLate, ".wa"}, {notice.TellReminder, ".re"}, {notice.TellNudge, ".re"}, {"", ""},
	} {
		s := sheetOf(g, must, notice.KindTurn, 40)
		s.Message.Game, s.Message.PageKey, s.Message.Subjects = "x", "key", notice.SubjectsSteady
		s.Message.Answer.Deadlines = []notice.Deadline{{Seat: int(must), Time: "2026-12-05 20:06 UTC", Left: 3600}}
		s.Message.Answer.Remarks = []notice.Remark{{Code: notice.TellMutedAll, Args: args}}
		v := words.English().For(s.View.Set, must, names)
		title, news := capital(v.Wanted(s.View.Decision)), ""
		if c.code != "" {
			remark := notice.Remark{Code: c.code, Args: args}
			s.Message.Answer.Remarks = append(s.Message.Answer.Remarks, remark)
			title, news = map[string]string{".re": "Reminder: ", ".wa": "Overdue: "}[c.class]+title, v.Remark(remark)
		}
		l := render(t, s, site)
		d := document(t, l.HTML)
		text := flat(l.Text)
		if got := d.Find("h1").Text(); got != title {
			t.Errorf("%s: title %q, want %q", c.code, got, title)
		}
		if n := d.Find(".re,.wa").Length(); c.class == "" && n > 0 || c.class != "" && (n != 1 || d.Find(c.class).Text() != news) {
			t.Errorf("%s: %d boxes, %q, want %q", c.code, n, d.Find(".re,.wa").Text(), news)
		}
		if n := strings.Count(text, "Sat 5 Dec, 20:06 UTC"); n != 1 {
			t.Errorf("%s: the deadline stands there %d times:\n%s", c.code, n, l.Text)
		}
		if news != "" && strings.Count(text, flat(news)) != 1 {
			t.Errorf("%s: %q in\n%s", c.code, news, l.Text)
		}
	}
}

// The answer to `settings` tells each setting with the order that changes it, and shows
// no board.
func TestSettingsLetter(t *testing.T) {
	g := playGame(t, 2, 40, nil)
	seat := engine.Seat(1)
	s := sheetOf(g, seat, notice.KindAnswer, g.Steps())
	ask := func(x *notice.Settings, lacks string, wants ...string) {
		t.Helper()
		s.Message.Answer.Sections = []notice.Section{{Kind: "settings", Settings: x}}
		l := render(t, s, site)
		text := flat(l.Text)
		for _, want := range wants {
			if !strings.Contains(text, want) || !strings.Contains(flat(document(t, l.HTML).Text()), strings.ReplaceAll(want, "`", "")) {
				t.Errorf("no %q in\n%s", want, l.Text)
			}
		}
		if lacks != "" && strings.Contains(text, lacks) || strings.Contains(l.HTML, "<img") || len(l.Text)+len(l.HTML) > 12<<10 {
			t.Errorf("the letter has %d and %d bytes:\n%s", len(l.Text), len(l.HTML), l.Text)
		}
	}
	s.Legal, s.Example = nil, nil
	ask(&notice.Settings{Format: "html", Notify: "mine", Subjects: "steady", Zone: "UTC"}, "mail program",
		"Name: none yet. `name YOUR NAME`", "Letters: with pictures. `format text`", "When we write: when it is your move.",
		"Subjects: one for each game. `subjects news`", "Time zone: UTC. `zone Europe/Berlin`", "Quiet hours: none.", "Reminders: none. `reminders all`",
		"Vacation: none.", "Days off: none.", "Standing orders: none. `help always`", "Muted games: none.", "Ignored players: none. `ignore NAME`")
	ask(&notice.Settings{Name: "Ada", Format: "text", Notify: "digest", Digest: "18:00", Subjects: "news", Zone: "UTC+01:00", Guessed: true,
		Quiet: []string{"22:00", "07:30"}, Reminders: []string{"half", "day"}, DaysOff: []string{"sat", "sun"}, Away: []string{"2027-07-01 – 2027-07-14"},
		Standing: 2, Muted: []string{"First flight"}, Ignored: []string{"Bo\r\nX", "Cy"}}, "YOUR HAND",
		"Name: Ada. `name NEW NAME`", "Letters: text only. `format html`", "all other news once a day, at 18:00.", "Subjects: they say what happened. `subjects steady`",
		"Time zone: UTC+01:00, from your mail program.", "Quiet hours: 22:00 to 07:30. `quiet none`", "Reminders: at half of your time and a day before its end.", "Days off: sat and sun. `days off none`",
		"Vacation: 2027-07-01 – 2027-07-14. `vacation off`", "Standing orders: 2. `standing`", "Muted: First flight.", "Ignored players: Bo X and Cy. `unignore NAME`")
}

// A daily letter has a section for each game and league.
func TestDailyLetter(t *testing.T) {
	turn := []notice.Remark{{Code: notice.TellTurn, Args: map[string]string{"names": "Bo"}}}
	s := &notice.Input{Message: notice.Message{Kind: notice.KindInfo, Result: notice.None, Subjects: notice.SubjectsSteady, Answer: notice.Answer{
		Remarks: []notice.Remark{{Code: notice.SayDigest}},
		Collected: []notice.Answer{{Game: "g1", GameName: "Friday", Remarks: turn, Press: []incoming.Press{{From: "Cy", Text: "hello there"}}},
			{Game: "g2\r\n", Remarks: turn}, {League: "Tin"}},
	}}}
	l := render(t, s, site)
	check(t, s, l)
	if l.Subject != "Angelpost: Your daily letter" {
		t.Errorf("subject %q", l.Subject)
	}
	for _, part := range []string{flat(l.Text), flat(document(t, l.HTML).Text())} {
		at := 0
		for _, want := range []string{"the news we have collected", "Friday", "Bo played.", "Cy says:", "hello there", GameName("g2\r\n", ""), "Bo played.", "Tin"} {
			i := strings.Index(strings.ToLower(part[at:]), strings.ToLower(want))
			if i < 0 {
				t.Fatalf("no %q after %q in\n%s", want, part[:at], part)
			}
			at += i + len(want)
		}
	}
}

// A subject that tells the news says what others did, and by when the reader must move.
func TestNewsInSubject(t *testing.T) {
	g := playGame(t, 3, 500, func(g *game.Game) bool {
		v := g.View(0)
		return v.Round == 3 && v.Asked == engine.AskTurn && len(v.ToAct) == 1
	})
	seat := g.View(0).Seat
	s := sheetOf(g, seat, notice.KindTurn, g.Steps()-12)
	s.Message.Subjects = notice.SubjectsNews
	v := words.English().For(s.View.Set, seat, names)
	news := v.Headline(v.News(s.Story))
	if got := render(t, s, site).Subject; news == "" || got != words.Clean("Friday: "+news+" your turn", maxSubject) {
		t.Errorf("%q, the news is %q", got, news)
	}
	s.Message.Answer.Deadlines = []notice.Deadline{{Seat: int(seat), Time: "2026-12-05 20:06 UTC", Left: 3600}}
	if got := render(t, s, site).Subject; got != words.Clean("Friday: "+news+" your turn by Sat 5 Dec, 20:06 UTC", maxSubject) {
		t.Errorf("%q, the news is %q", got, news)
	}
}

// A plus in an address stays as it is (RFC 6068): ELinks encodes "%2B" once more. In subject and
// body, where some programs read a plus as a space, it is encoded.
func TestAddressesInLinks(t *testing.T) {
	for address, want := range map[string]string{
		"angelpost+abc@play.example": "angelpost+abc@play.example",
		"a&b=c@x.example":            "a%26b%3Dc@x.example",
		"a?b#c%d/e;f,g@x.example":    "a%3Fb%23c%25d%2Fe%3Bf%2Cg@x.example",
	} {
		if got := AddressInURL(address); got != want {
			t.Errorf("%s: %s", address, got)
		}
		if got := MailTo(address, "a+b", []string{"say: 1+1"}); got != "mailto:"+want+"?subject=Re%3A%20a%2Bb&body=say%3A%201%2B1%0D%0A" {
			t.Errorf("%s: %s", address, got)
		}
	}
}
