package server

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"
	"github.com/emersion/go-message"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/engine/notice"
	"angelpost/templates"
)

// calendarOf is the calendar in a letter, nil if there is none.
func calendarOf(t *testing.T, n mailclient.Received) *ics.Calendar {
	t.Helper()
	e, err := message.Read(bytes.NewReader(n.Raw))
	if err != nil {
		t.Fatal(err)
	}
	var found *ics.Calendar
	if err := e.Walk(func(_ []int, part *message.Entity, err error) error {
		kind, params, _ := part.Header.ContentType()
		if err != nil || kind != "text/calendar" {
			return err
		}
		b, err := io.ReadAll(part.Body)
		if err != nil {
			return err
		}
		if found, err = ics.ParseCalendar(bytes.NewReader(b)); err == nil && !strings.Contains(string(b), "METHOD:"+params["method"]+"\r\n") {
			t.Errorf("its part says method %q", params["method"])
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

// TestDeadlineInTheCalendar plays a game with a clock by mail: each letter that
// sets, moves or ends the reader's deadline does so in their calendar, by one event.
func TestDeadlineInTheCalendar(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := program.Start(t, program.DemoArgs(data, "-seats", "human,human")...)
	clients := mailclient.DemoClients(t, p, 3)
	for _, c := range clients {
		c.Style = mailclient.WholeTurn
	}
	out, code := program.Output(t, "new", "-config", filepath.Join(data, "angelpost.toml"), "-player", clients[0].Address, "-player", clients[1].Address,
		"-organiser", clients[0].Address, "-started", "-clock", "3d bank 2d", "-name", "Ein Spiel; für zwei")
	game, ok := strings.CutPrefix(strings.TrimSpace(out), "game=")
	if code != cli.ExitYes || !ok {
		t.Fatalf("new: %d %q", code, out)
	}
	sequence, uid := map[*mailclient.Client]string{}, map[*mailclient.Client]string{}
	set, ended := 0, 0
	for deadline := time.Now().Add(time.Minute); (set < 4 || ended < 2) && !t.Failed(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d letters set a deadline, %d end one", set, ended)
		}
		for _, c := range clients {
			for _, n := range c.Fetch() {
				cal := calendarOf(t, n)
				if n.Header.Get("X-Angelpost-Game") != game {
					if cal != nil {
						t.Errorf("a game without a clock has an event:\n%s", cal.Serialize())
					}
					continue
				}
				waits := strings.Contains(n.Text, "Please move by ")
				if done := strings.Contains(n.Text, "Your turn is complete."); cal == nil {
					if waits && n.Kind != "answer" || done {
						t.Errorf("no event in\n%s", n.Text)
					}
				} else {
					e := cal.Events()[0]
					at, err := e.GetStartAt()
					seq := e.GetProperty(ics.ComponentPropertySequence).Value
					if err != nil || uid[c] != "" && uid[c] != e.Id() || len(seq) < len(sequence[c]) || len(seq) == len(sequence[c]) && seq < sequence[c] {
						t.Errorf("%v %s %s after %s", err, e.Id(), seq, sequence[c])
					}
					uid[c], sequence[c] = e.Id(), seq
					title := ics.FromText(e.GetProperty(ics.ComponentPropertySummary).Value)
					switch {
					case title != "Ein Spiel; für zwei: your time ends":
						t.Errorf("%q", title)
					case waits:
						set++
						if e.GetProperty(ics.ComponentPropertyStatus) != nil || !strings.Contains(mailclient.Flatten(n.Text), at.UTC().Format("by Mon 2 Jan, 15:04 UTC")) {
							t.Errorf("%v in\n%s", at, n.Text)
						}
					case done:
						ended++
						if e.GetProperty(ics.ComponentPropertyStatus).Value != "CANCELLED" {
							t.Errorf("not ended:\n%s", cal.Serialize())
						}
					}
				}
				if len(n.Legal) > 0 {
					c.Answer(n)
				}
			}
		}
	}
	if uid[clients[0]] == uid[clients[1]] {
		t.Error("two players have one event")
	}
	p.Stop()
}

// TestEventOfALetter: a letter's .ics bears the seat, the time and the date of the change that the
// letter was written with, whenever it is made.
func TestEventOfALetter(t *testing.T) {
	s := &Server{Conf: &Config{Address: "angelpost+{token}@home.test"}}
	sheet := &notice.Input{Message: notice.Message{Kind: notice.KindAnswer, Game: "g", Date: time.Unix(1800000000, 0)}}
	if c, err := s.calendar(sheet, &templates.Letter{Event: "x"}); c != nil || err != nil {
		t.Errorf("%+v %v", c, err)
	}
	for at, want := range map[int64][]string{
		1800009000: {"METHOD:PUBLISH\r\n", "DTSTART:20270115T103000Z\r\n", "UID:deadline.g.2@home.test\r\n", "SEQUENCE:32774300\r\n", "DTSTAMP:20270115T075820Z\r\n", "DURATION:PT1S\r\n"},
		0:          {"METHOD:CANCEL\r\n", "STATUS:CANCELLED\r\n", "DTSTART:20270115T075820Z\r\n", "SEQUENCE:32774300\r\n"},
	} {
		sheet.Message.Answer.Event = &notice.Event{Seat: 2, At: at, Revised: 1799999900}
		c, err := s.calendar(sheet, &templates.Letter{Event: "x"})
		if err != nil || c == nil {
			t.Fatal(err)
		}
		for _, line := range want {
			if !strings.Contains(c.Text, line) {
				t.Errorf("no %q in\n%s", line, c.Text)
			}
		}
	}
}
