package pace

import (
	"math/rand/v2"
	"testing"
	"time"
	_ "time/tzdata"
)

// TestRest: what goes on outside a rest and only there, on days on which clocks
// change as on others; after and between undo one another.
func TestRest(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(s string) time.Time {
		v, err := time.ParseInLocation("2006-01-02 15:04", s, berlin)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	weekend := NewCalendar(Settings{Zone: "Europe/Berlin", DaysOff: "sat sun", Away: "2027-05-03/2027-05-09"})
	for _, c := range []struct {
		from string
		time time.Duration
		want string
	}{
		{"2027-01-07 12:00", 6 * time.Hour, "2027-01-07 18:00"},  // a Thursday
		{"2027-01-07 12:00", 36 * time.Hour, "2027-01-09 00:00"}, // all of Friday
		{"2027-01-07 12:00", 37 * time.Hour, "2027-01-11 01:00"},
		{"2027-01-09 12:00", time.Hour, "2027-01-11 01:00"},       // begun on a day off
		{"2027-03-26 12:00", 24 * time.Hour, "2027-03-29 12:00"},  // the clocks change in between, on a day off
		{"2027-10-29 12:00", 24 * time.Hour, "2027-11-01 12:00"},  //
		{"2027-04-30 12:00", 24 * time.Hour, "2027-05-10 12:00"},  // a weekend, a vacation and its weekend
		{"2027-05-05 12:00", 120 * time.Hour, "2027-05-15 00:00"}, // a week
	} {
		if got := weekend.After(at(c.from), c.time); !got.Equal(at(c.want)) {
			t.Errorf("%v after %s: %v, want %s", c.time, c.from, got.In(berlin), c.want)
		}
	}
	if d := NewCalendar(Settings{Zone: "Europe/Berlin"}).After(at("2027-03-27 12:00"), 24*time.Hour); !d.Equal(at("2027-03-28 13:00")) {
		t.Errorf("a day over the change of clocks: %v", d)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, zone := range []string{"", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "America/Havana"} { // Havana changes at midnight
		for range 300 {
			p := Settings{Zone: zone, DaysOff: []string{"", "sat sun", "fri", "mon wed fri"}[rnd.IntN(4)]}
			if rnd.IntN(2) == 0 {
				p.Away = "2027-03-10/2027-03-20 2027-10-25/2027-11-15"
			}
			r := NewCalendar(p)
			from := time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(rnd.IntN(300*24*60)) * time.Minute)
			d := time.Duration(1+rnd.IntN(60*24*60)) * time.Minute
			to := r.After(from, d)
			if got := r.Between(from, to); got != d {
				t.Fatalf("%+v: %v after %v is %v, between them %v", p, d, from, to, got)
			}
			if more := r.After(to, time.Hour); r.After(from, d+time.Hour) != more {
				t.Fatalf("%+v: two steps lead to %v", p, more)
			}
			if r.Between(to, from) != 0 {
				t.Fatal("time goes back")
			}
		}
	}
}

func TestHolidays(t *testing.T) {
	today := time.Date(2027, 6, 1, 0, 0, 0, 0, time.UTC)
	list := []Vacation{{"2025-12-30", "2025-12-31"}, {"2026-12-24", "2027-01-02"}, {"2027-07-01", "2027-07-05"}}
	got := AddVacation(list, Vacation{"2027-07-04", "2027-07-10"}, today)
	if text := FormatVacations(got); text != "2026-12-24/2027-01-02 2027-07-01/2027-07-10" {
		t.Errorf("%q", text)
	}
	if VacationDays(got, 2026) != 8 || VacationDays(got, 2027) != 12 || VacationDays(got, 2028) != 0 {
		t.Errorf("days: %d, %d, %d", VacationDays(got, 2026), VacationDays(got, 2027), VacationDays(got, 2028))
	}
	if text := FormatVacations(CutVacations(got, time.Date(2027, 7, 3, 0, 0, 0, 0, time.UTC))); text != "2026-12-24/2027-01-02 2027-07-01/2027-07-02" {
		t.Errorf("%q", text)
	}
}
