package desk_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/notice"
	"angelpost/engine/order"
	"angelpost/engine/store"
)

// stands is how a league stands, as far as directions change it: what is taken back leaves it as
// it was.
func (o *office) stands(id string) string {
	o.t.Helper()
	l := o.league(id)
	st := l.State
	var b strings.Builder
	starts, _ := st.Starting()
	fmt.Fprintln(&b, l.Row.Name, l.Row.Visibility, l.Row.Over, st.Closed, st.Archived(), st.Paused.IsZero(), starts != nil, len(st.Rules.Directors), st.Rules.Directors)
	for _, p := range st.Players {
		if !p.In() { // banned or not: only a director lets them in
			continue
		}
		d := st.Division(p.ID)
		n := 0
		if d != nil {
			n = d.N
		}
		fmt.Fprintln(&b, l.Names[p.ID], p.In(), n, st.MovesTo(p.ID))
	}
	if x := st.Season(); x != nil {
		fmt.Fprintln(&b, x.Ends.Truncate(24*time.Hour)) // a pause of minutes moves it by as much
	}
	seats := o.clocked(id)
	for _, key := range slices.Sorted(maps.Keys(seats)) {
		x := seats[key]
		fmt.Fprintln(&b, key, !x.Deadline.IsZero(), x.Bot)
	}
	return b.String()
}

// TestDirectionsAreTakenBack: of each direction its director reads what was and what is now, and
// the line that takes it back; that works as it is printed. Before one that nothing takes back
// we say what will be lost, and ask.
func TestDirectionsAreTakenBack(t *testing.T) {
	type row struct {
		line string
		asks string // what the question says will be lost
		says string // of what was and is now
	}
	rows := []row{
		{line: "extend league tin by 2 days: a storm", says: " → "},
		{line: "pause league tin: a storm", says: "Now the whole league is paused."},
		{line: "pause league tin division 2: a storm", says: "Now they are paused."},
		{line: "close league tin: no time", says: "Now no further season begins."},
		{line: "rename league tin to Zinc League", says: "The league was called Tin League. Now it is called Zinc League."},
		{line: "expel ada from league tin: rude", asks: "This takes Ada out at once, and a bot plays on in one running game", says: "Ada played in division 1. Now Ada is out, and a bot plays on in one running game."},
		{line: "move ada to division 2 of league tin: asked for", says: "Now it is division 2."},
		{line: "add gil@home.test to league tin", says: "Now they are invited"},
		{line: "add hob@home.test to league tin", says: "Now Hob is in it."},
	}
	kinds := map[order.DirectionKind]bool{order.DirectResume: true, order.DirectStart: true, order.DirectDelete: true, order.DirectTakeOver: true} // below
	for _, c := range rows {
		o := newOffice(t)
		o.started(3, "hob", "bot")
		o.write("hob", "name Hob")
		id := six(o)
		w, _, _ := order.ReadDirection(c.line)
		kinds[w.Direct.Kind] = true
		o.takenBack(id, c.line, c.asks, c.says)
	}
	for _, k := range order.DirectionKinds() {
		if !kinds[k] {
			t.Errorf("no row for %q", k)
		}
	}

	// A changed file has the old one as the lines that take it back; what is announced, a league made
	// private and an office given away come after a yes.
	for _, c := range []struct{ line, asks, now string }{
		{"amend tin\n" + strings.Replace(tin, "season: 4 weeks", "season: 5 weeks\nearly: yes\ncheck in: 3 days", 1), "", "- season: 4 weeks"},
		{"amend tin\n" + tin + "visibility: private\n", "private for its 6 players, and no command makes it visible again", ""},
		{"amend tin\n" + strings.Replace(tin, "director: dora@home.test", "director: ada@home.test", 1), "only ada@home.test can", ""},
		{"announce tin: The hall is open.", "6 players would get it, and no command takes it back.", "Your announcement goes to 6 players"},
	} {
		o := newOffice(t)
		id := six(o)
		before := o.league(id).State.Rules.String()
		out := o.write("dora", c.line)
		text, _ := o.shown(o.last("dora"))
		if c.asks != "" {
			if !strings.Contains(text, c.asks) || o.league(id).State.Rules.String() != before || len(out) != 1 {
				t.Errorf("%s: %d letters: %s", c.line, len(out), text)
			}
			o.write("dora", "yes")
			text, _ = o.shown(o.last("dora"))
		} else if slices.Contains(remarks(o.last("dora")), notice.AskSure) {
			t.Errorf("%s: asked: %s", c.line, text)
		}
		if !strings.Contains(text, c.now) {
			t.Errorf("%s: %s", c.line, text)
		}
		if c.asks != "" {
			if len(o.last("dora").Answer.Commands) > 0 {
				t.Errorf("%s: %+v takes it back", c.line, o.last("dora").Answer.Commands)
			}
			continue
		}
		if o.league(id).State.Rules.String() == before {
			t.Errorf("%s changes nothing: %s", c.line, text)
		}
		o.write("dora", o.printed("dora", notice.CommandBack))
		if now := o.league(id).State.Rules.String(); now != before {
			t.Errorf("%s, taken back:\n%s\nbefore:\n%s\n%s", c.line, now, before, summary(o.last("dora")))
		}
	}

	// What goes on is stopped again, as it was.
	o := newOffice(t)
	id := six(o)
	for _, stop := range []string{"pause league tin: a storm", "pause league tin division 1: a storm", "close league tin: no time"} {
		o.write("dora", stop)
		part := ""
		if strings.Contains(stop, "division") {
			part = " division 1"
		}
		o.takenBack(id, "resume league tin"+part+": it is over", "", "Now")
		o.write("dora", "resume league tin"+part+": it is over")
	}

	// Between seasons.
	o = newOffice(t)
	id = o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	o.takenBack(id, "start league tin: all are here", "", "Season 1 would have begun on Tue 1 Dec, 00:00 UTC. Now it begins on")
	if out := o.due(3 * time.Hour); len(mail(out, notice.TellStarts)) > 0 || o.league(id).State.Season() != nil {
		t.Error("what was taken back begins")
	}
	o.write("dora", "start league tin: all are here")
	if o.league(id).State.Season() != nil {
		t.Error("it begins at once: there is no time to take it back")
	}
	if out := o.due(time.Hour); len(mail(out, notice.TellStarts)) != 3 || o.league(id).State.Season() == nil {
		t.Errorf("it does not begin in an hour: %v", summaries(out))
	}
	o.playSeason(id)
	o.takenBack(id, "delete league tin: enough", "", "Now it is archived")

	// Nothing takes back that a league is deleted.
	o = newOffice(t)
	o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	o.write("dora", "delete league tin: enough")
	if text, _ := o.shown(o.last("dora")); !strings.Contains(text, "The file and the log of the league Tin League will be lost, and 3 players lose their places.") {
		t.Errorf("before it is deleted: %s", text)
	}
	o.write("dora", "yes")
	if text, _ := o.shown(o.last("dora")); !strings.Contains(text, "There was a league Tin League with 3 players. Now it is gone") || len(o.last("dora").Answer.Commands) > 0 {
		t.Errorf("deleted: %s", text)
	}

	// The office.
	o = newOffice(t)
	id = o.stalled("")
	o.until("2026-12-08")
	o.takenBackBy("ann", id, "take over league tin", "", "You will be its director unless they refuse.")
	if !slices.Contains(remarks(o.last("dora")), notice.SayOfficeKept) {
		t.Errorf("dora hears %s", summary(o.last("dora")))
	}
	o.write("ann", "take over league tin")
	o.write("dora", "yes")
	o.write("ann", "take over league tin no")
	if d := o.league(id).State.Rules.Directors; d[0] != "dora@home.test" {
		t.Errorf("handed back: %v: %s", d, summary(o.last("ann")))
	}
}

// takenBack gives a direction and takes it back by the line that the answer prints.
func (o *office) takenBack(id, line, asks, says string) {
	o.t.Helper()
	o.takenBackBy("dora", id, line, asks, says)
}

func (o *office) takenBackBy(name, id, line, asks, says string) {
	o.t.Helper()
	before := o.stands(id)
	o.write(name, line)
	text, _ := o.shown(o.last(name))
	if asked := slices.Contains(remarks(o.last(name)), notice.AskSure); asked != (asks != "") || !strings.Contains(text, asks) {
		o.t.Errorf("%s: asked %v: %s", line, asked, text)
	} else if asked {
		o.write(name, "yes")
		text, _ = o.shown(o.last(name))
	}
	if o.stands(id) == before && !strings.HasPrefix(line, "extend") && !strings.Contains(says, "invited") && !strings.HasPrefix(line, "take over") {
		o.t.Errorf("%s changes nothing: %s", line, text)
	}
	if !strings.Contains(text, says) {
		o.t.Errorf("%s: the answer does not say %q: %s", line, says, text)
	}
	back := o.printed(name, notice.CommandBack)
	o.write(name, back)
	if slices.Contains(remarks(o.last(name)), notice.AskSure) {
		o.write(name, "yes")
	}
	if now := o.stands(id); now != before {
		o.t.Errorf("%s, then %s:\n%s\nbefore:\n%s\n%s", line, back, now, before, summary(o.last(name)))
	}
	if !slices.Contains(remarks(o.last(name)), notice.SayChanged) {
		o.t.Errorf("%s: nothing is said of it: %s", back, summary(o.last(name)))
	}
}

// TestRenamedOnce: of several new names within an hour players hear once, and of none if the
// last is the first.
func TestRenamedOnce(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"Zink League", "Zinc League"}, "Zinc League"},
		{[]string{"Zinc League", "Tin League"}, ""},
	} {
		o := newOffice(t)
		id := o.made(tin)
		o.joins("tin", "ada", "bo", "cy")
		var out []notice.Message
		for _, name := range c.names {
			out = append(out, o.write("dora", "rename league tin-league to "+name)...)
		}
		if len(mail(out, notice.TellRenamed)) > 0 || o.league(id).Row.Name != c.names[1] {
			t.Errorf("at once: %v", summaries(out))
		}
		told := mail(o.due(61*time.Minute), notice.TellRenamed)
		if c.want == "" {
			if len(told) > 0 || len(o.duesOf(id, store.DueRenamed)) > 0 {
				t.Errorf("%v: %d are told", c.names, len(told))
			}
			continue
		}
		if a := told["ada"].Answer.Remarks; len(told) != 3 || len(a) != 1 || a[0].Args["old"] != "Tin League" || a[0].Args["league"] != c.want {
			t.Errorf("%v: %d are told, %+v", c.names, len(told), a)
		}
	}
}

// TestExpelTakenBack: a player that a director lets in again has the place again. If no season
// runs any more, they start the next in the division in which they were.
func TestExpelTakenBack(t *testing.T) {
	for _, later := range []string{"at once", "in a week and a day", "after the season"} {
		o := newOffice(t)
		id := six(o)
		top := o.league(id).State.Season().Divisions[0].Players[0]
		name := strings.ToLower(o.league(id).Names[top])
		o.write("dora", "expel "+name+" from league tin: a mistake")
		o.write("dora", "yes")
		switch later {
		case "in a week and a day":
			o.until("2026-12-11")
		case "after the season":
			o.playSeason(id)
		}
		o.write("dora", "add "+name+" to league tin")
		st := o.league(id).State
		if d := st.Division(top); later == "at once" && (d == nil || d.N != 1) {
			t.Errorf("%s: the place is not given back: %s", later, summary(o.last("dora")))
		}
		if later != "after the season" {
			o.playSeason(id)
		}
		before := len(o.league(id).State.Seasons)
		o.until("2027-02-20")
		if all := o.league(id).State.Seasons; len(all) == before {
			t.Fatalf("%s: no further season", later)
		} else if d := all[before].Divisions; !slices.Contains(d[0].Players, top) && (later != "at once" || !slices.Contains(d[1].Players, top)) {
			t.Errorf("%s: they are not in the first division: %+v", later, d)
		}
		o.holds(id)
	}
}

// decides writes a ruling as a director, and yes if we ask about it.
func (o *office) decides(name, line string) []notice.Message {
	o.t.Helper()
	out := o.write(name, line)
	if said := remarks(o.last(name)); slices.Contains(said, notice.AskRule) || slices.Contains(said, notice.AskVoid) {
		out = o.write(name, "yes")
	}
	return out
}

// TestRulingsAreTakenBack: of each ruling its director reads what was and what is now, and the
// line that takes it back; before one that nothing takes back, and before a result changes, we
// say what it comes to, and ask.
func TestRulingsAreTakenBack(t *testing.T) {
	o := newOffice(t)
	o.started(9, "dora", "bot")
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy", "di", "eve", "fay")
	o.until("2026-12-02")
	games := o.running(id)
	f := games[0]
	name := func(i int) string { return o.league(id).Names[f.Players[i]] }
	one, two := name(0), name(1)
	for _, x := range o.seats(f.Game) {
		if !x.Deadline.IsZero() {
			o.plays(strings.ToLower(x.Name))
		}
	}
	mover := one
	for _, x := range o.seats(f.Game) {
		if !x.Deadline.IsZero() {
			mover = x.Name
		}
	}
	over := games[1]
	o.playOut(over.Game)
	a, b := o.league(id).Names[over.Players[0]], o.league(id).Names[over.Players[1]]
	seats := o.league(id).State.Fixture(over.ID).Result.Seats
	was := fmt.Sprintf("%s %d, %s %d", a, seats[0].Score, b, seats[1].Score)
	deadline := func() string {
		for _, x := range o.seats(f.Game) {
			if x.Name == mover {
				return x.Deadline.String()
			}
		}
		return ""
	}
	result := func() string {
		s := o.league(id).State.Fixture(over.ID).Result.Seats
		return fmt.Sprint(s[0].Score, s[0].Place, s[1].Score, s[1].Place)
	}
	heir := func() (out string) {
		for _, x := range o.seats(f.Game) {
			out += fmt.Sprint(x.Bot, x.Heir, " ")
		}
		return out
	}
	paused := func() string { return fmt.Sprint(o.row(f.Game).Paused.IsZero()) }
	kinds := map[order.RulingKind]bool{order.RuleAppeal: true, order.RuleUphold: true} // a player's; the answer to it: TestAppeal
	for _, c := range []struct {
		line       string
		asks, says string
		state      func() string // that is taken back; nil: nothing takes it back
	}{
		{"extend " + f.Game + " " + mover + " by 3 days: ill", "", mover + " had until ", deadline},
		{"pause " + f.Game + ": ill", "", "The clocks ran. Now they are paused.", paused},
		{"correct " + over.Game + " " + a + " 90, " + b + " 12: misread", "is " + was + ". Your ruling makes it " + a + " 90, " + b + " 12.", "The result was " + was + ". Now it is " + a + " 90, " + b + " 12.", result},
		{"rollback " + f.Game + " to 0: a mistake", "takes the game " + f.Game + " back by", "Now players have to send them again.", nil},
		{"replace " + f.Game + " " + one + " by hob@home.test: he asked", "from " + one + ", who still plays, once hob@home.test accepts.", "A player had the seat of " + one + ". We are asking", nil},
		{"replace " + f.Game + " " + one + " by bot: away", "takes the seat in the game " + f.Game + " from " + one, "A player had the seat of " + one + ". Now ", nil},
		{"replace " + f.Game + " SEAT1 by gil@home.test: she is free", "", "A bot had the seat of ", heir},
		{"adjudicate " + f.Game + " SEAT1 50, " + two + " 40: agreed", "ends the game " + f.Game + " now, with the result ", "The game was running. Now it is over, with the result ", nil},
		{"void " + f.Game + ": a mistake", "nothing can undo that.", "The game counted. Now it is void.", nil},
		{"replay " + over.Game + ": a mistake", "nothing can undo that.", "is played again.", nil},
		{"resume " + f.Game + ": on", "", "", nil},
	} {
		r, p, ok := order.ReadRuling(strings.Replace(c.line, "SEAT1", "x", 1)) // the bot's seat
		if !ok || p != nil {
			t.Fatalf("%s: %+v", c.line, p)
		}
		kinds[r.Kind] = true
		if r.Kind == order.RuleResume { // with pause
			continue
		}
		line := c.line
		for _, x := range o.seats(f.Game) {
			if x.Bot != "" {
				line = strings.Replace(line, "SEAT1", x.Name, 1)
			}
		}
		before := ""
		if c.state != nil {
			before = c.state()
		}
		o.write("dora", line)
		text, _ := o.shown(o.last("dora"))
		said := remarks(o.last("dora"))
		if asked := slices.Contains(said, notice.AskRule) || slices.Contains(said, notice.AskVoid); asked != (c.asks != "") || !strings.Contains(text, c.asks) {
			t.Errorf("%s: asked %v: %s", line, asked, text)
		} else if asked {
			if c.state != nil && c.state() != before {
				t.Errorf("%s: done before the yes", line)
			}
			o.write("dora", "yes")
			text, _ = o.shown(o.last("dora"))
		}
		if !strings.Contains(text, c.says) {
			t.Errorf("%s: the answer does not say %q: %s", line, c.says, text)
		}
		if c.state == nil {
			if len(o.last("dora").Answer.Commands) > 0 {
				t.Errorf("%s: %+v takes it back", line, o.last("dora").Answer.Commands)
			}
			continue
		}
		if c.state() == before {
			t.Errorf("%s changes nothing: %s", line, text)
		}
		back := o.printed("dora", notice.CommandBack)
		if o.decides("dora", back); c.state() != before {
			t.Errorf("%s: %s, before %s: %s", back, c.state(), before, summary(o.last("dora")))
		}
	}
	for _, k := range order.RulingKinds {
		if !kinds[k] {
			t.Errorf("no row for %q", k)
		}
	}
}

// TestRulingAskedOnce: two rulings in a letter are one question; a ruling whose game has
// changed since the question is not carried out, and the director learns why.
func TestRulingAskedOnce(t *testing.T) {
	o := newOffice(t)
	o.started(9, "dora", "bot")
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy", "di", "eve", "fay")
	o.until("2026-12-02")
	games := o.running(id)
	end := func(f *league.Fixture) string {
		return fmt.Sprintf("adjudicate %s %s 50, %s 40: agreed", f.Game, o.league(id).Names[f.Players[0]], o.league(id).Names[f.Players[1]])
	}
	o.write("dora", end(games[0])+"\n\n"+end(games[1]))
	asked := o.last("dora")
	if n := len(slices.DeleteFunc(remarks(asked), func(code string) bool { return code != notice.AskRule })); n != 2 {
		t.Fatalf("%d questions: %s", n, summary(asked))
	}
	o.write("dora", "yes")
	for _, f := range games[:2] {
		if o.row(f.Game).State != store.GameAdjudicated {
			t.Errorf("%s is %s: %s", f.Game, o.row(f.Game).State, summary(o.last("dora")))
		}
	}

	o.until("2026-12-05")
	f := o.running(id)[0]
	o.playOut(f.Game)
	a, b := o.league(id).Names[f.Players[0]], o.league(id).Names[f.Players[1]]
	o.write("dora", fmt.Sprintf("correct %s %s 90, %s 12: misread", f.Game, a, b))
	token := o.last("dora").Token
	o.rule(fmt.Sprintf("correct %s %s 10, %s 12: the host knows better", f.Game, a, b))
	o.send(o.letter(at("dora"), token, "yes"))
	if got := problemOf(o.last("dora")); got != notice.ProblemMoved {
		t.Errorf("%q: %s", got, summary(o.last("dora")))
	}
	if s := o.league(id).State.Fixture(f.ID).Result.Seats; s[0].Score != 10 {
		t.Errorf("%+v", s)
	}
}
