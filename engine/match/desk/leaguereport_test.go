package desk_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/leagues"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// reports returns the weekly letters among others, by recipient.
func reports(out []notice.Message) (all []notice.Message) {
	for _, r := range out {
		if slices.Contains(remarks(r), notice.TellWeek) {
			all = append(all, r)
		}
	}
	return all
}

// TestWeeklyReport: while a season runs its director gets a weekly report about players who are
// late, absent, gone or unreachable, and about games that wait or are paused, even if the
// server restarts often. There are no letters about single things, none in a week without news,
// and none after the season.
func TestWeeklyReport(t *testing.T) {
	o := newOffice(t)
	o.started(9, "dora", "bot")
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy", "di", "eve", "flo")
	o.until("2026-12-02")
	o.bounced("ada")
	o.bounced("ada")
	f := o.running(id)[1]
	for _, x := range o.seats(f.Game) {
		name := strings.ToLower(x.Name)
		o.from(f.Game, name, "pause")
	}
	if o.row(f.Game).Paused.IsZero() {
		t.Fatal("it is not paused")
	}
	if dora := o.box[at("dora")]; len(reports(dora)) > 0 {
		t.Fatal("a weekly letter on the first day")
	}
	o.open()
	got := reports(o.until("2026-12-09"))
	if len(got) != 1 || got[0].To != at("dora") {
		t.Fatalf("in the first week: %v", summaries(got))
	}
	r := section(t, got[0], "report").Report
	if !slices.Equal(r.Bounced, []string{"Ada"}) || len(r.Paused) != 1 || !strings.HasPrefix(r.Paused[0].Game, "Tin League 1.") || len(r.Absent)+len(r.Late) == 0 || len(r.Tables) != 2 {
		t.Errorf("%+v", r)
	}
	if out := o.write("dora", o.printed("dora", notice.CommandResume)); len(mail(out, notice.SayRuled)) != 1 || !o.row(f.Game).Paused.IsZero() {
		t.Errorf("%v", summaries(out))
	}
	o.open()
	if got := reports(o.until("2026-12-14")); len(got) > 0 {
		t.Errorf("twice in a week: %v", summaries(got))
	}
	o.until("2026-12-16")
	for range 40 {
		for _, f := range o.running(id) {
			o.playOut(f.Game)
		}
		if x := o.league(id).State.Season(); !x.Running() {
			break
		}
		o.until(o.now.AddDate(0, 0, 1).Format(time.DateOnly))
	}
	if rows := o.duesOf(id, store.DueReport); len(rows) > 0 {
		t.Errorf("between seasons the next letter waits: %+v", rows)
	}
}

// TestReportOfLongest: the weekly letter names the games in which nothing has happened for a
// week, and for longer than a turn may take, with the players they wait for, the longest
// first; not those that are paused.
func TestReportOfLongest(t *testing.T) {
	o := newOffice(t)
	o.started(9, "dora", "bot")
	id := o.made(strings.NewReplacer("clock: 3d", "clock: 10 days", "season: 4 weeks", "season: 20 weeks").Replace(tin))
	o.joins("tin", "ada", "bo", "cy", "di", "eve", "flo")
	o.until("2026-11-29")
	o.joins("tin", "gil", "hob", "ivy", "mia", "nora", "otto")
	o.until("2026-12-02")
	var names, waits []string
	games := o.running(id)
	for _, f := range games {
		names = append(names, "Tin League "+leagues.Number(o.league(id).State, f))
		for _, x := range o.seats(f.Game) {
			if !x.Deadline.IsZero() {
				waits = append(waits, x.Name)
			}
		}
	}
	if len(games) != 4 || len(waits) != 4 {
		t.Fatalf("%v wait for %v", names, waits)
	}
	o.write("dora", "extend league tin by 20 days: a storm") // so that no bot plays
	o.write("dora", "pause "+games[1].Game+": a party")
	o.until("2026-12-04")
	o.write("dora", "extend "+games[0].Game+" "+waits[0]+" by 1 day: a flood")
	o.until("2026-12-07")
	o.write("dora", "extend "+games[3].Game+" "+waits[3]+" by 1 day: a flood")
	o.open()
	line := func(i int, days string) string { return names[i] + " " + waits[i] + " " + days }
	for _, c := range []struct {
		day  string
		want []string
	}{
		{"2026-12-11", nil},
		{"2026-12-17", []string{line(2, "12"), line(0, "10")}}, // a turn may take ten days
		{"2026-12-24", []string{line(2, "19"), line(0, "17"), line(3, "14")}},
	} {
		var got []string
		for _, r := range reports(o.until(c.day)) {
			for _, w := range section(t, r, "report").Report.Longest {
				got = append(got, w.Game+" "+strings.Join(w.Names, ", ")+" "+strconv.Itoa(w.Days))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("until %s: %q, want %q", c.day, got, c.want)
		}
	}
}

// TestReportAfterAGap: when the server was away, or its clock jumps, the weekly letter comes
// after a week at work, once.
func TestReportAfterAGap(t *testing.T) {
	o := newOffice(t)
	o.started(9, "dora", "bot")
	id := o.made(tin)
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	if _, err := o.desk.Beat(context.Background()); err != nil {
		t.Fatal(err)
	}
	before := o.duesOf(id, store.DueReport)
	o.now = o.now.AddDate(0, 0, 30)
	if gap, err := o.desk.Beat(context.Background()); err != nil || gap == 0 {
		t.Fatal("no gap", gap, err)
	}
	if got := reports(o.due(0)); len(got) > 0 {
		t.Errorf("at once after a gap: %v", summaries(got))
	}
	after := o.duesOf(id, store.DueReport)
	if len(before) != 1 || len(after) != 1 || after[0].At.Sub(before[0].At) != 30*24*time.Hour {
		t.Errorf("%+v, then %+v", before, after)
	}
}

// TestQuietWeek: in a week in which no one is late and nothing ends the director hears
// nothing.
func TestQuietWeek(t *testing.T) {
	o := newOffice(t)
	o.started(9, "dora", "bot")
	o.made(strings.Replace(tin, "clock: 3d", "clock: 20d", 1))
	o.joins("tin", "ada", "bo", "cy")
	o.until("2026-12-02")
	o.joins("tin", "di") // who waits for the next season
	if got := reports(o.until("2026-12-08")); len(got) > 0 {
		t.Errorf("%v", summaries(got))
	}
}

// duesOf are the rows of a kind of a game or league.
func (o *office) duesOf(of, kind string) (rows []store.Due) {
	o.t.Helper()
	if err := o.db.View(context.Background(), func(tx store.Tx) (err error) {
		rows, err = tx.DuesOf(kind, of)
		return err
	}); err != nil {
		o.t.Fatal(err)
	}
	return rows
}

// TestNewsOnce: who has left, has no working address any more, or has not checked in makes one
// weekly letter; later ones, which other news makes, list the last two again. Substitutes are
// worth asking for only while a place is free.
func TestNewsOnce(t *testing.T) {
	o := newOffice(t)
	o.started(9, "dora", "bot")
	for _, name := range []string{"ada", "bo", "cy", "di", "eve", "flo"} {
		o.started(9, name, "bot")
	}
	id := o.made(strings.NewReplacer("clock: 3d", "clock: 60d", "division: 3", "division: 5", "season: 4 weeks", "season: 20 weeks").Replace(tin) + "check in: 5 days\nleast: 3\nsubstitutes: yes\n")
	o.joins("tin", "ada", "bo", "cy", "di", "eve", "flo")
	for o.now.Before(time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC)) {
		out := o.until(o.now.AddDate(0, 0, 1).Format(time.DateOnly))
		for name, r := range mail(out, notice.AskHere) {
			if name != "flo" {
				o.send(o.letter(at(name), r.Token, "yes"))
			}
		}
	}
	if p := o.league(id).State.Player(o.playerOf("flo")); !p.Silent() {
		t.Fatalf("flo has checked in: %+v", p)
	}
	week := func(day string, left, bounced []string, asks bool) {
		t.Helper()
		out := reports(o.until(day))
		if left == nil { // nothing is new
			if len(out) > 0 {
				t.Errorf("until %s: %v", day, summaries(out))
			}
			return
		}
		if len(out) != 1 {
			t.Fatalf("until %s: %v", day, summaries(out))
		}
		r := section(t, out[0], "report").Report
		if !slices.Equal(r.Left, left) || !slices.Equal(r.Bounced, bounced) || !slices.Equal(r.Silent, []string{"Flo"}) {
			t.Errorf("until %s: %+v", day, r)
		}
		offers := slices.ContainsFunc(out[0].Answer.Commands, func(c notice.Remark) bool { return c.Code == notice.CommandSubstitutes })
		if offers != asks {
			t.Errorf("until %s: %+v", day, out[0].Answer.Commands)
		}
	}
	week("2026-12-08", nil, nil, false) // flo's absence was reported when the season began
	o.send(o.letter(at("sue"), "", "substitute tin"))
	o.write("sue", "yes")
	o.write("bo", "leave league tin")
	week("2026-12-15", []string{"Bo"}, nil, true)
	week("2026-12-22", nil, nil, false)
	o.due(time.Hour)
	o.bounced("cy")
	o.bounced("cy")

	week("2026-12-29", []string{}, []string{"Cy"}, false) // nor is the place free any more
	week("2027-01-05", nil, nil, false)
	o.playOut(o.running(id)[0].Game)
	week("2027-01-12", []string{}, []string{"Cy"}, false)
}
