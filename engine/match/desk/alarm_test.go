package desk_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"angelpost/engine/match/desk"
	"angelpost/engine/notice"
)

// TestAlarms: the host gets a letter about trouble when it begins, once a day while it lasts
// and when it is over, across restarts; but not while no letter can be sent.
func TestAlarms(t *testing.T) {
	o := newOffice(t)
	ctx := context.Background()
	disk := desk.Trouble{Kind: notice.AlarmDisk, Command: "df -h"}
	smtp := desk.Trouble{Kind: notice.AlarmSMTP, Command: "angelpost doctor", Mail: true}
	jump := desk.Trouble{Kind: notice.AlarmClock, Command: "timedatectl", Passes: true}
	const host = "host@home.test"
	look := func(after time.Duration, to string, want ...string) {
		t.Helper()
		o.now = o.now.Add(after)
		for range 2 { // a second look at the same says nothing
			if err := o.desk.Alarm(ctx, to, []desk.Trouble{disk, smtp, jump}); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, m := range o.deliver() {
			if m.To != host || m.Kind != notice.KindInfo || len(m.Answer.Remarks) != 1 {
				t.Errorf("%+v", m)
			}
			got = append(got, m.Answer.Remarks[0].Code)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", o.now, got, want)
		}
		o.open()
	}
	now := func(want ...string) {
		t.Helper()
		var got []string
		rows, err := o.db.Alarms(ctx)
		for _, a := range rows {
			got = append(got, a.Kind)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%v, want %v, %v", got, want, err)
		}
	}
	raise := func() {
		t.Helper()
		if err := o.db.Raise(ctx, notice.AlarmClock, "an hour", o.now); err != nil {
			t.Fatal(err)
		}
	}
	look(0, host)
	now()
	disk.Why = "/: 10 MB of 100 MB free"
	look(time.Minute, host, notice.AlarmDisk)
	r := o.last(host).Answer.Remarks[0]
	if r.Args["why"] != disk.Why || r.Args["command"] != "df -h" || r.Args["time"] != "2026-11-01 12:01 UTC" {
		t.Errorf("%+v", r)
	}
	look(23*time.Hour, host)
	now(notice.AlarmDisk)
	look(time.Hour, host, notice.AlarmDisk)
	disk.Why = ""
	look(time.Minute, host, notice.AlarmDisk+notice.AlarmOver)
	now()
	disk.Why = "again" // a second time on one day
	look(time.Minute, host)
	disk.Why = ""
	look(time.Minute, host)
	now()
	disk.Why = "again"
	look(time.Minute, host)
	look(24*time.Hour, host, notice.AlarmDisk)

	// No letter can be sent: afterwards the host learns what has ended meanwhile.
	smtp.Why = "535 5.7.8 no"
	look(25*time.Hour, host)
	now(notice.AlarmDisk, notice.AlarmSMTP)
	disk.Why = ""
	look(time.Minute, host)
	now(notice.AlarmSMTP)
	smtp.Why = ""
	look(time.Minute, host, notice.AlarmDisk+notice.AlarmOver, notice.AlarmSMTP+notice.AlarmOver)
	smtp.Why = "once more on the same day"
	look(time.Minute, host)
	smtp.Why = ""
	look(time.Minute, host)
	now()

	// The host gets one letter about trouble that ends on its own, and sees it for a day.
	raise()
	look(time.Minute, host, notice.AlarmClock)
	now(notice.AlarmClock)
	look(time.Hour, host)
	raise()
	raise()
	look(time.Minute, host)
	look(23*time.Hour, host, notice.AlarmClock)
	look(25*time.Hour, host)
	now()
	raise()
	look(time.Minute, host, notice.AlarmClock)

	// Without an address there are no letters, and what there is can be seen all the same.
	disk.Why = "full"
	look(48*time.Hour, "")
	now(notice.AlarmDisk)
	raise()
	look(time.Minute, "")
	now(notice.AlarmClock, notice.AlarmDisk)
	look(25*time.Hour, "")
	now(notice.AlarmDisk)
	disk.Why = ""
	look(time.Minute, "")
	now()
}
