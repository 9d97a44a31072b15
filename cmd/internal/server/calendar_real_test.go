//go:build real

package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	ics "github.com/arran4/golang-ical"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// deadlines plays a game with a clock until a player has got so many calendars by letter, and
// returns these, the last of which is not a cancellation, and the address of their subscription.
func deadlines(t *testing.T, n int) (letters []*ics.Calendar, subscription string) {
	data := t.TempDir()
	p := program.Start(t, program.DemoArgs(data, "-seats", "human,human")...)
	clients := mailclient.DemoClients(t, p, 3)
	for _, c := range clients {
		c.Style = mailclient.WholeTurn
	}
	out, code := program.Output(t, "new", "-config", filepath.Join(data, "angelpost.toml"), "-player", clients[0].Address, "-player", clients[1].Address,
		"-started", "-clock", "3d bank 2d", "-name", "Ein Spiel; für zwei")
	game, ok := strings.CutPrefix(strings.TrimSpace(out), "game=")
	if !ok {
		t.Fatalf("new: %d %q", code, out)
	}
	home := regexp.MustCompile(`http://[^\s>]+/me/[a-z0-9]+`)
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d letters with a calendar, subscription %q", len(letters), subscription)
		}
		for i, c := range clients {
			for _, r := range c.Fetch() {
				if i == 0 && subscription == "" {
					subscription = home.FindString(r.Text)
				}
				if r.Header.Get("X-Angelpost-Game") != game {
					continue
				}
				if cal := calendarOf(t, r); i == 0 && cal != nil {
					letters = append(letters, cal)
					if cancelled := value(cal.Events()[0], ics.ComponentPropertyStatus) != ""; !cancelled && len(letters) >= n && subscription != "" {
						return letters, subscription + "/deadlines.ics"
					}
				}
				if len(r.Legal) > 0 {
					c.Answer(r)
				}
			}
		}
	}
}

func value(e *ics.VEvent, of ics.ComponentProperty) string {
	if p := e.GetProperty(of); p != nil {
		return p.Value
	}
	return ""
}

// TestCalendarPrograms gives letters' calendars, and the subscription to all deadlines, to khal,
// calcurse and Evolution's data server, each twice: one event moves and ends, and lasts no hour.
func TestCalendarPrograms(t *testing.T) {
	letters, subscription := deadlines(t, 5)
	res, err := http.Get(subscription)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	feed, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatal(err, res.Status)
	}
	all, err := ics.ParseCalendar(bytes.NewReader(feed))
	if err != nil || len(all.Events()) != 1 {
		t.Fatalf("%v:\n%s", err, feed)
	}
	last := letters[len(letters)-1].Events()[0]
	for _, name := range []ics.ComponentProperty{ics.ComponentPropertyUniqueId, ics.ComponentPropertySequence, ics.ComponentPropertyDtstamp, ics.ComponentPropertyDtStart, ics.ComponentPropertySummary, ics.ComponentPropertyStatus} {
		if in, out := value(last, name), value(all.Events()[0], name); in != out {
			t.Errorf("%s is %q in the last letter and %q in the subscription", name, in, out)
		}
	}

	dir := t.TempDir()
	var files []string // each letter's twice, then the subscription
	write := func(name, text string) {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	for i, cal := range letters {
		for again := range 2 {
			write(fmt.Sprintf("%d-%d.ics", i, again), cal.Serialize(ics.WithNewLineWindows))
		}
	}
	write("all.ics", string(feed))
	event := func(i int) *ics.VEvent { return slices.Concat(letters, []*ics.Calendar{all})[i/2].Events()[0] }
	cancelled := func(i int) bool { return value(event(i), ics.ComponentPropertyStatus) == "CANCELLED" }

	run := func(t *testing.T, name string, args ...string) string {
		t.Helper()
		c := exec.Command(name, args...)
		c.Env = append(os.Environ(), "HOME="+dir, "XDG_RUNTIME_DIR="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+dir, "LC_ALL=C.UTF-8", "TZ=UTC", "TMPDIR="+dir)
		var errs bytes.Buffer
		c.Stderr = &errs
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s%s", name, args, err, out, errs.Bytes())
		}
		return string(out)
	}
	t.Run("khal", func(t *testing.T) {
		config := filepath.Join(dir, "khal.conf")
		if err := os.WriteFile(config, fmt.Appendf(nil, "[calendars]\n[[own]]\npath = %s/khal\n[sqlite]\npath = %[1]s/khal.db\n[locale]\nlocal_timezone = UTC\ndefault_timezone = UTC\ntimeformat = %%H:%%M\ndateformat = %%Y-%%m-%%d\nlongdateformat = %%Y-%%m-%%d\ndatetimeformat = %%Y-%%m-%%d %%H:%%M\nlongdatetimeformat = %%Y-%%m-%%d %%H:%%M\n", dir), 0o600); err != nil {
			t.Fatal(err)
		}
		for i, file := range files {
			run(t, "khal", "-c", config, "import", "--batch", "-a", "own", file)
			at, err := event(i).GetStartAt()
			if err != nil {
				t.Fatal(err)
			}
			want := at.UTC().Format("2006-01-02 15:04 2006-01-02 15:04")
			if cancelled(i) {
				want += " CANCELLED"
			}
			got := strings.TrimSpace(run(t, "khal", "-c", config, "list", "--day-format", "", "-f", "{start-date} {start-time} {end-date} {end-time} {status}", time.Now().UTC().Format(time.DateOnly), "30d"))
			if got != want {
				t.Errorf("after %s it shows %q, want %q", filepath.Base(file), got, want)
			}
		}
	})
	t.Run("calcurse", func(t *testing.T) { // it goes by no UID: each import is an event more
		for i, file := range files {
			if got := run(t, "calcurse", "-D", filepath.Join(dir, fmt.Sprint("calcurse", i)), "-i", file); !strings.Contains(got, "1 app / 0 events / 0 todos / 0 skipped") {
				t.Errorf("of %s it says %q", filepath.Base(file), got)
			}
		}
	})
	t.Run("Evolution", func(t *testing.T) {
		script, err := filepath.Abs("testdata/evolution.py")
		if err != nil {
			t.Fatal(err)
		}
		out := strings.Split(strings.TrimSpace(run(t, "dbus-run-session", append([]string{"--", "/usr/bin/python3", script, subscription}, files[:len(files)-1]...)...)), "\n")
		if len(out) != len(files) {
			t.Fatalf("%q", out)
		}
		for i, line := range out {
			want := [][]any{}
			if e := event(i); !cancelled(i) {
				sequence := 0.0
				fmt.Sscan(value(e, ics.ComponentPropertySequence), &sequence)
				want = [][]any{{e.Id(), value(e, ics.ComponentPropertyDtStart), sequence}}
			}
			var got [][]any
			if err := json.Unmarshal([]byte(line), &got); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("after %s it holds %s, want %v", filepath.Base(files[i]), line, want)
			}
		}
	})
}
