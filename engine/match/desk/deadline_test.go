package desk_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/game"
	"angelpost/engine/incoming"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// clocked is an office with a game of ada and bo, whose organiser is bo, that
// has a clock.
func clocked(t *testing.T, clock string, begin ...time.Time) (w *waiting, id string) {
	w = &waiting{office: newOffice(t)}
	for _, w.now = range begin {
	}
	w.beat()
	id, err := w.desk.NewGame(context.Background(), seating.NewGameOrder{
		Started: true, Seed: &[32]byte{1}, Organiser: at("bo"), Clock: clock,
		Players: []seating.NewPlayer{{Address: at("ada"), Name: "Ada"}, {Address: at("bo"), Name: "Bo"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.deliver()
	return w, id
}

// seat is what is stored of a place.
func (w *waiting) seat(id string, place int) (x store.Seat) {
	w.t.Helper()
	err := w.db.View(context.Background(), func(tx store.Tx) error {
		seats, err := tx.Seats(id)
		x = seats[place-1]
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return x
}

func happened(events []event) (out []string) {
	for _, e := range events {
		out = append(out, fmt.Sprintf("%v %s", e.after, e.what))
	}
	return out
}

// TestClockRunsOut lets a player's time go by again and again: reminders, the
// deadline, the grace, a turn by a bot; after the third the bot keeps the seat,
// until the player is back.
func TestClockRunsOut(t *testing.T) {
	w, id := clocked(t, "3d bank 2d +12h max 3d grace 1d")
	first := w.last("ada")
	if d := first.Answer.Deadlines; len(d) != 1 || d[0].Seat != 1 || d[0].Left != 5*86400 || d[0].Bank != 2*86400 || d[0].Time != "2026-11-06 12:00 UTC" {
		t.Fatalf("her first letter says %+v", d)
	}
	got := happened(w.pass(7 * day))
	want := []string{
		"60h0m0s ada time-runs-out", "96h0m0s ada time-runs-out", "117h0m0s ada time-runs-out",
		"120h0m0s ada time-over", "120h0m0s bo time-over-all",
		"144h0m0s ada turn-missed", "144h0m0s bo turn-missed-all",
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%q, want\n%q", got, want)
	}
	if ada, bo := w.seat(id, 1), w.seat(id, 2); ada.Missed != 1 || ada.Bank != 0 || !ada.Deadline.IsZero() || ada.Bot != "" || bo.Deadline.Sub(w.now) != 4*day || bo.Bank != 2*day {
		t.Errorf("after a turn by a bot: %+v\n%+v", ada, bo)
	}
	if r := w.last("bo"); r.Kind != notice.KindTurn || r.Since != 0 {
		t.Errorf("his turn: %s", summary(r))
	}
	if story := w.sheet(w.last("ada")).Story; len(story) == 0 || story[len(story)-1].By != game.ByBot {
		t.Errorf("she is not told what the bot did: %+v", story)
	}
	w.write("ada", first.Answer.Names[0]) // nonsense while no one's time runs
	w.plays("bo")
	if bo := w.seat(id, 2); bo.Bank != 60*time.Hour || !bo.Deadline.IsZero() { // four days less a minute of Bo's time are left, so all of the bank
		t.Errorf("who plays in time keeps his bank and gets more: %v", bo.Bank)
	}
	if d := w.seat(id, 1).Deadline; d.Sub(w.now) != 3*day {
		t.Errorf("without a bank she has %v", d.Sub(w.now))
	}
	w.pass(5 * day) // the second
	w.plays("bo")
	got = happened(w.pass(5 * day))
	if n := len(got); n < 2 || got[n-2] != "96h0m0s ada seat-kept" || got[n-1] != "96h0m0s bo seat-kept-help" {
		t.Fatalf("the third: %q", got)
	}
	if ada := w.seat(id, 1); ada.Stage != store.SeatAbsent || ada.Bot != store.ResignBot || ada.Missed != 3 {
		t.Errorf("%+v", ada)
	}
	w.plays("bo")
	w.plays("bo") // her bot has played at once
	if p := w.write("ada", "B")[0].Answer.Lines[0].Problem; p == nil || p.Code != notice.ProblemAbsent {
		t.Errorf("her order: %+v", p)
	}
	out := w.write("ada", "back")
	if len(out) != 2 || out[0].Result != notice.Applied || out[0].Since >= out[0].Step || out[1].Answer.Remarks[0].Code != notice.TellBack {
		t.Fatalf("back: %+v", out)
	}
	w.plays("bo")
	if ada := w.seat(id, 1); ada.Bot != "" || ada.Stage != store.SeatJoined || ada.Missed != 0 || ada.Deadline.Sub(w.now) != 3*day {
		t.Errorf("back: %+v", ada)
	}
	w.plays("ada")
	if ada := w.seat(id, 1); ada.Bank != 12*time.Hour {
		t.Errorf("the bank begins to fill again: %v", ada.Bank)
	}
	if p := w.write("ada", "back")[0].Answer.Lines[0].Problem; p == nil {
		t.Error("back, twice")
	}
}

// TestClockOfHalfATurn: a letter with half a turn gives no new time, and what is
// used up beyond a turn's time comes out of the bank.
func TestClockOfHalfATurn(t *testing.T) {
	w, id := clocked(t, "3d bank 2d +12h max 3d grace 1d")
	before := w.seat(id, 1).Deadline
	w.pass(4 * day)
	r := w.last("ada")
	for _, line := range w.sheet(r).Legal { // the first that is not a whole turn
		if strings.HasPrefix(line, "die ") {
			w.write("ada", line)
			break
		}
	}
	if x := w.seat(id, 1); !x.Deadline.Equal(before) || w.record(id, 0) == nil || w.last("ada").Step <= r.Step {
		t.Fatalf("half a turn: deadline %v, before %v", x.Deadline, before)
	}
	w.plays("ada")
	if x := w.seat(id, 1); x.Bank >= 36*time.Hour || x.Bank < 35*time.Hour { // 24 hours less some minutes, and 12
		t.Errorf("the bank has %v", x.Bank)
	}
}

// TestClockAndAnotherPlayer: another player takes over a kept seat and has the
// whole bank; its old player cannot come back any more.
func TestClockAndAnotherPlayer(t *testing.T) {
	w, id := clocked(t, "1d bank 2d grace 6h")
	for range 3 {
		w.pass(4 * day)
		w.plays("bo")
	}
	if x := w.seat(id, 1); x.Stage != store.SeatAbsent {
		t.Fatalf("%+v", x)
	}
	w.write("bo", "replace Ada by cy@home.test")
	w.write("cy", "join Cy, word")
	if x := w.seat(id, 1); x.Bot != "" || x.Name != "Cy" || x.Bank != 2*day || x.Missed != 0 {
		t.Errorf("%+v", x)
	}
	if p := w.write("ada", "back")[0].Answer.Lines[0].Problem; p == nil {
		t.Error("back to a seat that another has")
	}
}

// TestGameOfAbsentEnds: two who never write are bots in the end, the game is
// over, and its record is sound.
func TestGameOfAbsentEnds(t *testing.T) {
	w, id := clocked(t, "1h grace 0h")
	w.pass(2 * day)
	rec := w.record(id, 0)
	if rec.Result == nil {
		t.Fatalf("not over after %d lines", len(rec.Log))
	}
	if rec.Options.Clock != "1h grace 0d" {
		t.Errorf("the record says %q", rec.Options.Clock)
	}
	kept := 0
	for _, l := range rec.Log {
		if l.By == game.ByClock {
			kept++
		}
	}
	if bad, err := game.Verify(rec, w.conf.Sets[rec.Set]); err != nil || bad != nil || kept != 2 {
		t.Errorf("%+v, %v; %d seats kept", bad, err, kept)
	}
}

// TestClockStandsStill: time while the server is down, or that the system's clock
// jumps, counts against no one; every player hears their new deadline.
func TestClockStandsStill(t *testing.T) {
	for name, by := range map[string]func(w *waiting, d time.Duration) []string{
		"away": (*waiting).away, "jump": (*waiting).jump,
	} {
		for _, d := range []time.Duration{7 * day, 366 * day} {
			w, id := clocked(t, "3d grace 1d")
			w.pass(2 * day)
			before := w.seat(id, 1).Deadline
			if told := by(w, d); !slices.Equal(told, []string{"ada time-moved"}) {
				t.Errorf("%s of %v: %q", name, d, told)
			}
			if x := w.seat(id, 1); !x.Deadline.Equal(before.Add(d)) {
				t.Errorf("%s of %v: %v, was %v", name, d, x.Deadline, before)
			}
			got := happened(w.pass(3 * day))
			if want := "24h0m0s ada time-over"; !slices.Contains(got, want) {
				t.Errorf("%s of %v: %q, want %q", name, d, got, want)
			}
		}
	}
}

// TestDeadlinesInZones: a turn lasts as long on the days on which clocks change,
// and each player reads the time in their own zone.
func TestDeadlinesInZones(t *testing.T) {
	for _, c := range []struct {
		begin       time.Time
		berlin, own string // of the deadline three days on
	}{
		{time.Date(2027, 3, 26, 12, 0, 0, 0, time.UTC), "2027-03-29 14:01 CEST", "2027-03-29 08:01 EDT"},
		{time.Date(2027, 10, 29, 12, 0, 0, 0, time.UTC), "2027-11-01 13:01 CET", "2027-11-01 08:01 EDT"},
		{time.Date(2027, 11, 5, 12, 0, 0, 0, time.UTC), "2027-11-08 13:01 CET", "2027-11-08 07:01 EST"},
	} {
		w, id := clocked(t, "3d", c.begin)
		w.write("ada", "zone Europe/Berlin")
		if got := w.write("bo", "zone America/New_York")[0].Answer.Deadlines; got[0].Seat != 1 || got[0].Time[len(got[0].Time)-3:] != c.own[len(c.own)-3:] {
			t.Errorf("he is told %+v", got)
		}
		w.plays("ada")
		if got := w.last("bo").Answer.Deadlines; len(got) != 1 || got[0].Seat != 2 || got[0].Left != 3*86400 {
			t.Fatalf("%+v", got)
		}
		at := w.seat(id, 2).Deadline
		w.write("ada", "status")
		shown := w.last("ada").Answer.Deadlines[0].Time
		there, err := time.LoadLocation("Europe/Berlin")
		if err != nil {
			t.Fatal(err)
		}
		if want := at.In(there).Format("2006-01-02 15:04 MST"); shown != want || shown[len(shown)-4:] != c.berlin[len(c.berlin)-4:] {
			t.Errorf("she is told %s, want %s", shown, want)
		}
	}
	w, _ := clocked(t, "3d")
	for text, want := range map[string]string{"zone europe/berlin": "CET", "zone new york": "EST", "Zone: Berlin": "CET", "zone são paulo": "Sao Paulo"} {
		r := w.write("ada", text)[0]
		if said := r.Answer.Remarks; want != "" && (len(said) != 1 || said[0].Code != notice.SayZone || !strings.HasSuffix(said[0].Args["time"], " "+want)) {
			t.Errorf("%q: %s", text, summary(r))
		}
	}
	for _, bad := range []string{"zone", "zone Middle/Earth", "zone Local", "zone ../../etc/passwd", "zone /etc/localtime"} {
		if l := w.write("ada", bad)[0].Answer.Lines[0]; l.Status != notice.LineRefused {
			t.Errorf("%q: %+v", bad, l)
		}
	}
}

// TestClockByLetter: a game with a clock is started by a letter, its invitations
// say so, and a rematch has the same.
func TestClockByLetter(t *testing.T) {
	w := &waiting{office: newOffice(t, func(c *unit.Config) { c.Start = "anyone" })}
	w.beat()
	w.started(1, "ada", "bo")
	bad := w.write("ada", "new game\nplayers: bo@home.test\nclock: soon")
	if p := bad[0].Answer.Lines[0].Problem; p == nil || p.Code != notice.ProblemClock || p.Args["word"] != "soon" {
		t.Errorf("%+v", bad[0].Answer.Lines)
	}
	out := w.write("ada", "new game\nplayers: bo@home.test\nclock: 2 days, bank 5 days # and no more")
	i := slices.IndexFunc(out, func(r notice.Message) bool { return r.Kind == notice.KindInvitation })
	if i < 0 || out[i].Answer.Invite.Clock != "2d bank 5d grace 1d" {
		t.Fatalf("%+v", out)
	}
	if out := w.pass(13 * day); slices.ContainsFunc(out, func(e event) bool { return strings.Contains(e.what, "time") }) {
		t.Errorf("a clock ran before the game: %v", out)
	}
	w.write("bo", "join Bo, word")
	waits := 0
	for _, name := range []string{"ada", "bo"} {
		for _, d := range w.last(name).Answer.Deadlines {
			if waits++; d.Left != 7*86400 {
				t.Errorf("%s: %+v", name, d)
			}
		}
	}
	if waits == 0 {
		t.Error("no clock runs")
	}
}

// TestVacation: on days of vacation and days off a player's time does not go on;
// a deadline that is over is excused by neither, and there are so many days only.
func TestVacation(t *testing.T) {
	problem := func(out []notice.Message) string {
		if p := out[0].Answer.Lines[0].Problem; p != nil {
			return p.Code
		}
		return ""
	}
	w, id := clocked(t, "3d grace 1d") // Sunday, 1 November 2026
	if got := w.last("ada").Answer.Deadlines[0].Time; got != "2026-11-04 12:00 UTC" {
		t.Fatal(got)
	}
	out := w.write("ada", "vacation 2026-11-03 2026-11-09")
	if said := out[0].Answer.Remarks[0]; said.Code != notice.SayVacation || len(said.List) != 1 {
		t.Errorf("%+v", said)
	}
	left := func(out []notice.Message, want ...string) {
		t.Helper()
		var got []string
		for _, m := range out[0].Answer.Remarks {
			if m.Code == notice.SayDaysLeft {
				got = append(got, m.Args["year"]+": "+m.Args["n"])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("days left are %v, want %v", got, want)
		}
	}
	left(out, "2026: 23")
	if at := w.seat(id, 1).Deadline; at.Format(time.DateTime) != "2026-11-11 12:00:00" {
		t.Errorf("on vacation: %v", at)
	}
	if len(out) != 1 {
		t.Errorf("others are told: %+v", out)
	}
	w.write("ada", "days off tue, Sundays")
	if at := w.seat(id, 1).Deadline; at.Format(time.DateTime) != "2026-11-12 23:58:00" { // a little less than three days were left
		t.Errorf("with days off: %v", at)
	}
	w.write("ada", "vacation off")
	w.write("ada", "days off none")
	if at := w.seat(id, 1).Deadline; at.Sub(w.now) > 3*day || at.Sub(w.now) < 60*time.Hour {
		t.Errorf("without either she has %v", at.Sub(w.now))
	}
	for text, want := range map[string]string{
		"vacation 2026-10-01 2026-11-09": notice.ProblemDay,
		"vacation 2026-11-09 2026-11-03": notice.ProblemDay,
		"vacation 2027-11-09 2027-12-03": notice.ProblemDay, // beyond a year
		"vacation soon":                  notice.ProblemDay,
		"vacation 2027-02-30":            notice.ProblemDay,
		"vacation 2027-07-01 2027-07-31": notice.ProblemVacation, // 31 days
		"days off mon tue wed thu":       notice.ProblemDays,
		"days off whenever":              notice.ProblemDays,
		"extend Bo by 2 days":            notice.ProblemOrganise,
	} {
		if got := problem(w.write("ada", text)); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	left(w.write("ada", "vacation 2027-07-01 2027-07-04"), "2027: 26") // the year that was booked, not this one
	left(w.write("ada", "vacation"), "2026: 30", "2027: 26")
	left(w.write("ada", "vacation off"), "2026: 30", "2027: 30")
	left(w.write("ada", "vacation"), "2026: 30")
	left(w.write("ada", "vacation 2026-12-20 2027-01-05"), "2026: 18", "2027: 25") // 12 days of one year and 5 of the next
	if got := problem(w.write("ada", "vacation 2027-06-01 2027-06-26")); got != notice.ProblemVacation {
		t.Errorf("31 days in two parts: %q", got)
	}
	if got := problem(w.write("ada", "vacation 2027-06-01 2027-06-25")); got != "" {
		t.Errorf("30 days in two parts: %q", got)
	}
	w.pass(84 * time.Hour) // the deadline is over, the grace is not
	late := w.seat(id, 1).Deadline
	if !late.Before(w.now) {
		t.Fatalf("%v is not over at %v", late, w.now)
	}
	w.write("ada", "vacation "+w.now.Format(time.DateOnly))
	if at := w.seat(id, 1).Deadline; !at.Equal(late) {
		t.Errorf("a vacation excuses what is over: %v", at)
	}
	// The organiser can extend others' time, not their own. (Ada is on vacation.)
	if got := problem(w.write("bo", "extend Bo by 2 days")); got != notice.ProblemNoClock {
		t.Errorf("%q", got)
	}
	out = w.write("bo", "extend Ada by 2 days")
	if at := w.seat(id, 1).Deadline; !at.Equal(w.now.Truncate(day).Add(3*day)) || len(out) != 2 || out[0].Answer.Remarks[0].Code != notice.TellExtended {
		t.Errorf("two days from %v: %v\n%+v", w.now, at, out)
	}
	for _, text := range []string{"extend Ada by a lot", "extend Ada by 2d bank 3d", "extend Ada by none"} {
		if got := problem(w.write("bo", text)); got != notice.ProblemExtend {
			t.Errorf("%s: %q", text, got)
		}
	}
	if got := problem(w.write("bo", "preview\nextend Ada by 2 days")); got != "" { // the preview itself
		t.Errorf("%q", got)
	}
	if at := w.seat(id, 1).Deadline; !at.Equal(w.now.Truncate(day).Add(3 * day)) {
		t.Error("a preview gives time")
	}
	w.plays("ada")
	if got := problem(w.write("bo", "extend Bo by 2 days")); got != notice.ProblemOwnClock {
		t.Errorf("%q", got)
	}
}

// TestDaysOffAreNoTrick: a player who takes every coming day off gains time for a
// while only.
func TestDaysOffAreNoTrick(t *testing.T) {
	w, id := clocked(t, "3d grace 1d")
	first := w.seat(id, 1).Deadline
	refused := 0
	for i := range 10 {
		text := "days off sun mon tue"
		if i%2 == 1 {
			text = "days off wed thu fri"
		}
		if p := w.write("ada", text)[0].Answer.Lines[0].Problem; p != nil && p.Code == notice.ProblemDaysMany {
			refused++
		}
		w.pass(3 * day)
	}
	if x := w.seat(id, 1); x.Missed == 0 || refused == 0 {
		t.Errorf("after a month she still has time until %v, at first until %v; refused %d times", x.Deadline, first, refused)
	}
}

// TestHeirHasHisOwnTime: a player who takes over the seat of a late player has a
// whole turn's time.
func TestHeirHasHisOwnTime(t *testing.T) {
	w, id := clocked(t, "1d bank 2d grace 6h")
	w.write("bo", "replace Ada by cy@home.test")
	w.pass(73 * time.Hour) // the deadline is over, the grace is not
	if x := w.seat(id, 1); x.Deadline.IsZero() || !x.Deadline.Before(w.now) {
		t.Fatalf("%+v", x)
	}
	out := w.write("cy", "join Cy, word")
	if x := w.seat(id, 1); x.Name != "Cy" || x.Deadline.Sub(w.now) != 3*day || x.Bank != 2*day {
		t.Errorf("%+v", x)
	}
	if d := out[slices.IndexFunc(out, func(r notice.Message) bool { return r.To == at("cy") })].Answer.Deadlines; len(d) != 1 || d[0].Left != 3*86400 {
		t.Errorf("he is told %+v", d)
	}
	if r := w.last("ada"); len(r.Answer.Remarks) != 1 || r.Answer.Remarks[0].Code != notice.TellOut || r.Answer.Remarks[0].Args["seat"] != "1" { // it takes the event out of her calendar
		t.Errorf("she is told %+v", r.Answer)
	}
	for _, e := range w.pass(2 * day) {
		if strings.Contains(e.what, notice.TellMissed) || strings.Contains(e.what, notice.TellLate) {
			t.Errorf("%v %s", e.after, e.what)
		}
	}
}

// TestDueOfLongAgo: what fell due together with something that has changed the
// game meanwhile takes no player's turn.
func TestDueOfLongAgo(t *testing.T) {
	w, id := clocked(t, "3d grace 1d")
	before := w.seat(id, 1)
	for _, kind := range []string{store.DueLate, store.DueMissed} {
		if err := w.db.Update(context.Background(), func(tx store.Tx) error {
			return tx.AddDue(&store.Due{At: w.now, Kind: kind, Game: id, Place: 1})
		}); err != nil {
			t.Fatal(err)
		}
	}
	if out := w.due(time.Minute); len(out) != 0 {
		t.Errorf("%d letters", len(out))
	}
	if x := w.seat(id, 1); x.Missed != 0 || !x.Deadline.Equal(before.Deadline) || len(w.record(id, 0).Log) != 0 {
		t.Errorf("%+v", x)
	}
}

// TestRestAgrees: when the last player who had not agreed leaves, the proposal of the others
// takes effect.
func TestRestAgrees(t *testing.T) {
	w := &waiting{office: newOffice(t)}
	w.beat()
	id, err := w.desk.NewGame(context.Background(), seating.NewGameOrder{
		Started: true, Seed: &[32]byte{1}, Organiser: at("dora"), Clock: "3d grace 1d",
		Players: []seating.NewPlayer{{Address: at("ada"), Name: "Ada"}, {Address: at("bo"), Name: "Bo"}, {Address: at("cy"), Name: "Cy"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.deliver()
	paused := func(want bool) {
		t.Helper()
		if got := !w.row(id).Paused.IsZero(); got != want {
			t.Errorf("paused: %v", got)
		}
	}
	w.write("ada", "pause")
	w.write("bo", "yes")
	paused(false)
	if told := mail(w.resigns("cy"), notice.TellPaused); told["ada"].To == "" || told["bo"].To == "" {
		t.Errorf("they are told %v", told)
	}
	paused(true)
	w.write("bo", "resume")
	paused(true)
	w.resigns("ada") // though her turn stood still
	paused(false)
	if x := w.seat(id, 1); x.Bot == "" {
		t.Errorf("%+v", x)
	}
	w.verified()
}

// TestPause: the organiser stops all clocks and lets them go on with what was
// left; the players can only together.
func TestPause(t *testing.T) {
	w, id := clocked(t, "3d bank 2d grace 1d")
	w.pass(day)
	if out := w.write("bo", "pause"); len(out) != 2 || out[0].Answer.Remarks[0].Code != notice.TellPaused || out[1].Result != notice.Applied || !out[1].Answer.Paused {
		t.Fatalf("%+v", out)
	}
	if x := w.seat(id, 1); !x.Deadline.IsZero() || x.Left < 95*time.Hour || x.Left > 4*day {
		t.Errorf("paused: %+v", x)
	}
	if got := w.pass(30 * day); len(got) != 0 {
		t.Errorf("in a pause: %v", got)
	}
	w.plays("ada") // of her own will
	if a, b := w.seat(id, 1), w.seat(id, 2); a.Bank != 2*day || a.Left != 0 || !b.Deadline.IsZero() || b.Left != 0 {
		t.Errorf("played in a pause: %+v\n%+v", a, b)
	}
	if p := w.write("bo", "pause")[0].Answer.Lines[0].Problem; p == nil || p.Code != notice.ProblemNotNow {
		t.Errorf("paused twice: %+v", p)
	}
	w.write("bo", "resume")
	if x := w.seat(id, 2); x.Deadline.Sub(w.now) != 5*day {
		t.Errorf("what began in a pause has its whole time: %v", x.Deadline.Sub(w.now))
	}
	w.pass(2 * day)
	before := w.seat(id, 2).Deadline.Sub(w.now)
	out := w.write("ada", "pause") // a player who is not the organiser asks the others
	if i := slices.IndexFunc(out, func(r notice.Message) bool { return r.To == at("bo") }); i < 0 || out[i].Answer.Remarks[0].Code != notice.AskPause {
		t.Fatalf("%+v", out)
	}
	if x := w.seat(id, 2); x.Deadline.IsZero() {
		t.Error("one player pauses")
	}
	w.write("bo", "yes")
	if x := w.seat(id, 2); !x.Deadline.IsZero() || before-x.Left > 10*time.Minute {
		t.Errorf("paused by all: %+v, before %v", x, before)
	}
	w.pass(10 * day)
	w.write("ada", "resume")
	w.write("bo", "yes")
	if x := w.seat(id, 2); before-x.Deadline.Sub(w.now) > 10*time.Minute || x.Deadline.Sub(w.now) > before {
		t.Errorf("resumed: %v, before %v", x.Deadline.Sub(w.now), before)
	}
	w.write("bo", "pause") // the organiser's word after theirs
	w.write("bo", "resume")
	w.plays("bo")
	if x := w.seat(id, 2); x.Bank < 47*time.Hour {
		t.Errorf("the bank: %v", x.Bank)
	}
	o, _ := clocked(t, "none")
	if p := o.write("bo", "pause")[0].Answer.Lines[0].Problem; p == nil || p.Code != notice.ProblemNotNow {
		t.Errorf("a game without a clock: %+v", p)
	}
}

// TestQuietHours: no deadline and no reminder falls into a player's night, and
// reminders come when the player likes.
func TestQuietHours(t *testing.T) {
	w, id := clocked(t, "36h grace 1d") // Sunday noon to Tuesday midnight, UTC
	set := w.seat(id, 1).Deadline
	for range 3 { // a deadline that is set stays
		for _, text := range []string{"zone Europe/Berlin", "quiet 16:00 8:00", "zone Asia/Tokyo", "quiet 22:00 - 7:30", "zone Europe/Berlin"} {
			w.write("ada", text)
			if at := w.seat(id, 1).Deadline; !at.Equal(set) {
				t.Fatalf("%q: %v, was %v", text, at, set)
			}
		}
	}
	w.plays("ada")
	w.now = time.Date(2026, 11, 8, 11, 59, 0, 0, time.UTC)
	w.beat()
	for w.seat(id, 1).Deadline.IsZero() {
		w.plays("bo")
	}
	noon := w.now
	if at := w.seat(id, 1).Deadline; at.Format(time.DateTime) != "2026-11-10 06:30:00" {
		t.Errorf("%v, at %v", at, noon)
	}
	got := happened(w.pass(3 * day))
	want := []string{ // half of it is at one in the morning; three hours before its end the player sleeps
		"18h30m0s ada time-runs-out", "33h0m0s ada time-runs-out", "42h30m0s ada time-over", "42h30m0s bo time-over-all", "66h30m0s ada turn-missed", "66h30m0s bo turn-missed-all",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want\n%q", got, want)
	}
	w, _ = clocked(t, "3d grace 1d")
	w.write("ada", "reminders hours and half")
	if got := happened(w.pass(73 * time.Hour)); len(got) != 4 || !strings.HasPrefix(got[0], "35h59m") || !strings.HasPrefix(got[1], "68h59m") {
		t.Errorf("%q", got)
	}
	w, id = clocked(t, "3d grace 1d")
	w.write("ada", "reminders none")
	if got := happened(w.pass(73 * time.Hour)); len(got) != 2 {
		t.Errorf("%q", got)
	}
	for text, want := range map[string]string{
		"quiet": "", "quiet 22": "", "quiet 5 5": notice.ProblemQuiet, "quiet 25 7": notice.ProblemQuiet, "quiet 8 7": notice.ProblemQuiet, "quiet late early": notice.ProblemQuiet,
		"reminders": "", "reminders often": notice.ProblemReminder,
	} {
		l := w.write("ada", text)[0].Answer.Lines[0]
		if l.Status != notice.LineRefused || l.Problem == nil || want != "" && l.Problem.Code != want {
			t.Errorf("%q: %+v", text, l.Problem)
		}
	}
	if l := w.write("ada", "quiet none")[0].Answer.Lines[0]; l.Status != notice.LineApplied || w.seat(id, 1).Deadline.Hour() != 12 {
		t.Errorf("%+v", l)
	}
}

// TestNobodyPausesHisOwnDelay: an organiser who is late needs the others' consent.
func TestNobodyPausesHisOwnDelay(t *testing.T) {
	w, id := clocked(t, "2d grace 1d")
	w.plays("ada")
	w.pass(50 * time.Hour) // bo's time is over
	if out := w.write("bo", "pause"); !slices.ContainsFunc(out, func(r notice.Message) bool { return r.To == at("ada") && r.Answer.Remarks[0].Code == notice.AskPause }) {
		t.Errorf("%+v", out)
	}
	if x := w.seat(id, 2); x.Deadline.IsZero() {
		t.Error("he pauses alone")
	}
}

// TestMutedByAProgram: the server obeys, without an answer, a mail program that asks for no
// more letters and marks its letter as automatic. Other letters that a program writes have no
// effect.
func TestMutedByAProgram(t *testing.T) {
	for _, x := range []struct {
		what, subject, from string
		forged, muted       bool
	}{
		{"a mail program", "mute", "ada", false, true},
		{"a vacation", "Re: mute", "ada", false, false},
		{"another player's", "mute", "bo", false, false},
		{"someone else's", "mute", "hal", false, false},
		{"a forged one", "mute", "ada", true, false},
	} {
		w, id := clocked(t, "2d grace 1d")
		c := w.letter(at(x.from), w.token(at("ada")), "resign")
		c.Class, c.Subject, c.AuthFailed = incoming.Auto, x.subject, x.forged
		outcome, out := w.send(c)
		seat := w.seat(id, 1)
		if got := seat.Muted != 0; got != x.muted || seat.Stage == store.SeatResigned {
			t.Errorf("%s: muted %v, want %v; the seat is %s", x.what, got, x.muted, seat.Stage)
		}
		if slices.ContainsFunc(out, func(r notice.Message) bool { return r.To != at("bo") || !x.muted }) { // bo hears that ada has muted it
			t.Errorf("%s: %s, %+v", x.what, outcome, out)
		}
	}
}

// TestMutedIsToldOfHisSeat: muted players still hear that a bot played for them.
func TestMutedIsToldOfHisSeat(t *testing.T) {
	w, _ := clocked(t, "2d grace 1d")
	w.write("ada", "mute")
	got := happened(w.pass(80 * time.Hour))
	if !slices.Contains(got, "71h59m0s ada turn-missed") || slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, "ada time-") }) {
		t.Errorf("%q", got)
	}
}

// TestBackBeforeAnother: a player who comes back before the one asked for the seat
// keeps it, and that one hears so.
func TestBackBeforeAnother(t *testing.T) {
	w, id := clocked(t, "1d bank 2d grace 6h")
	for range 3 {
		w.pass(4 * day)
		w.plays("bo")
	}
	w.write("bo", "replace Ada by cy@home.test")
	out := w.write("ada", "back")
	if !slices.ContainsFunc(out, func(r notice.Message) bool { return r.To == at("cy") && r.Answer.Remarks[0].Code == notice.TellBack }) {
		t.Errorf("the invited is not told: %+v", out)
	}
	if p := w.write("cy", "join Cy, word")[0].Answer.Lines[0].Problem; p == nil {
		t.Error("two on one seat")
	}
	if x := w.seat(id, 1); x.Name != "Ada" || x.Bot != "" || x.Heir != 0 {
		t.Errorf("%+v", x)
	}
}

// TestGraceRestsToo: a grace does not run out on a day off, and a last reminder
// that would come in the night comes before it.
func TestGraceRestsToo(t *testing.T) {
	w, id := clocked(t, "5d grace 1d") // until Friday noon
	w.write("ada", "days off sat, sun")
	if at := w.seat(id, 1).Deadline; at.Weekday() != time.Friday && at.Weekday() != time.Monday {
		t.Fatalf("%v", at)
	}
	late, missed := time.Time{}, time.Time{}
	begin := w.now
	for _, e := range w.pass(12 * day) {
		switch e.what {
		case "ada time-over":
			late = begin.Add(e.after)
		case "ada turn-missed":
			missed = begin.Add(e.after)
		}
	}
	if late.IsZero() || missed.Weekday() == time.Saturday || missed.Weekday() == time.Sunday || missed.Sub(late) < day {
		t.Errorf("late %v, missed %v", late, missed)
	}
	w, _ = clocked(t, "18h grace 1d") // noon to six in the morning
	w.write("ada", "reminders hours")
	w.write("ada", "quiet 22:00 6:30")
	if got := happened(w.pass(12 * time.Hour)); len(got) != 1 || !strings.HasPrefix(got[0], "9h58m0s ada time-runs-out") {
		t.Errorf("%q", got)
	}
}
