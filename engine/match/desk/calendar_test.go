package desk_test

import (
	"context"
	"testing"
	"time"

	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

// calendars are what the players' calendar programs hold: they take what their letters say, and
// of two states the one that was revised later.
type calendars struct {
	*waiting
	game  string
	read  map[string]int // letters
	shows map[string]notice.Event
	keys  map[string]string // of start pages
}

// follow reads the players' new letters and holds their calendars to what is stored and to what
// their start pages offer: each deadline, revised at the same time.
func (c *calendars) follow(what string) {
	c.t.Helper()
	for name := range c.keys {
		for ; c.read[name] < len(c.box[at(name)]); c.read[name]++ {
			r := c.box[at(name)][c.read[name]]
			if r.Answer.Home != "" {
				c.keys[name] = r.Answer.Home
			}
			e, was := r.Answer.Event, c.shows[name]
			switch {
			case e == nil:
			case was.Seat != 0 && was.Seat != e.Seat:
				c.t.Errorf("%s: %s's deadline is in seat %d, was in %d", what, name, e.Seat, was.Seat)
			case e.Revised < was.Revised || e.Revised == was.Revised && *e != was:
				c.t.Errorf("%s: %s's calendar takes %+v for older than %+v", what, name, *e, was)
			default:
				c.shows[name] = *e
			}
		}
		page, err := c.desk.Host().Home(context.Background(), c.keys[name], c.now)
		if err != nil {
			c.t.Fatal(err)
		}
		shows := c.shows[name]
		for _, g := range page.Games {
			at := int64(0)
			if !g.Deadline.IsZero() {
				at = g.Deadline.Unix()
			}
			if shows.At != at || shows.Seat != 0 && (shows.Revised != g.Revised.Unix() || shows.Seat != g.Seat) {
				c.t.Errorf("%s: %s's letters say %+v, the page seat %d by %d, revised %d", what, name, shows, g.Seat, at, g.Revised.Unix())
			}
		}
		if len(page.Games) == 0 && shows.At != 0 {
			c.t.Errorf("%s: %s's game is over, their calendar has %+v", what, name, shows)
		}
	}
}

// TestCalendarsFollow: whatever sets, moves or ends a deadline is in its player's letter, in the
// order of the changes, and the page tells of the same one: reservations at set-up, turns,
// reminders, pauses, vacations, extensions, clock jumps, missed turns, the end.
func TestCalendarsFollow(t *testing.T) {
	w := &waiting{office: newOffice(t, func(c *unit.Config) { c.AnswersPerDay = 1000 })}
	w.beat()
	id, err := w.desk.NewGame(context.Background(), seating.NewGameOrder{
		Started: true, Seed: &[32]byte{1}, Organiser: at("bo"), Clock: "3d bank 2d grace 1d",
		Players: []seating.NewPlayer{{Address: at("ada"), Name: "Ada"}, {Address: at("bo"), Name: "Bo"}, {Address: at("cy"), Name: "Cy"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.deliver()
	c := &calendars{waiting: w, game: id, read: map[string]int{}, shows: map[string]notice.Event{}, keys: map[string]string{"ada": "", "bo": "", "cy": ""}}
	c.follow("the start")
	if c.shows["cy"].At == 0 || c.shows["ada"].At != 0 {
		t.Fatalf("at set-up only the third player has something to decide: %+v", c.shows)
	}
	w.write("cy", "reserve none")
	c.follow("a reservation at set-up")
	if e := c.shows["cy"]; e.At != 0 || e.Seat != 3 {
		t.Errorf("it does not end: %+v", e)
	}
	c.now = c.now.Add(-time.Minute) // four changes within a minute
	for range 2 {
		for _, done := range []string{"vacation 2026-11-03 2026-11-05", "vacation off"} {
			w.write("ada", done)
			w.now = w.now.Add(-time.Minute)
			c.follow(done)
		}
	}
	w.now = w.now.Add(10 * time.Minute)
	for _, do := range []struct {
		what string
		do   func()
	}{
		{"a question", func() { w.write("ada", "status") }},
		{"a reminder", func() { w.pass(time.Hour * 24 * 4) }},
		{"an extension", func() { w.write("bo", "extend ada by 1 day") }},
		{"a clock jump", func() { w.jump(30 * time.Minute) }},
		{"a turn", func() { w.plays("ada") }},
		{"a vacation", func() { w.write("bo", "vacation 2026-11-10 2026-11-12") }},
		{"a pause asked for", func() { w.write("ada", "pause") }},
		{"a pause agreed to", func() { w.write("bo", "pause") }},
		{"a pause", func() { w.write("cy", "pause") }},
		{"the pause goes by", func() { w.pass(day) }},
		{"the end of the pause", func() { w.write("ada", "resume"); w.write("bo", "resume"); w.write("cy", "resume") }},
		{"a missed turn", func() { w.pass(20 * day) }},
		{"another turn", func() { w.plays("cy") }},
		{"a resignation", func() { w.write("bo", "resign") }},
		{"one who is out", func() { w.write("bo", "say: bye") }},
		{"more missed turns", func() { w.pass(12 * day) }},
		{"a player comes back", func() { w.write("ada", "back") }},
		{"the end", func() { w.pass(60 * day) }},
	} {
		do.do()
		c.follow(do.what)
	}
}
