package host

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/program"
	"angelpost/cmd/internal/server"
	"angelpost/engine/notice"
)

// TestHostPage: the host's page has alarms, facts and letters behind a key that a new one
// replaces and that can be revoked; nothing keeps it, and search engines leave it alone.
func TestHostPage(t *testing.T) {
	t.Parallel()
	p, config := stalled(t)
	if _, err := program.Opened(t, config).Exec("INSERT INTO alarms VALUES (?, 1800000000000, 0, '3')", notice.AlarmBackup); err != nil {
		t.Fatal(err)
	}
	address := func(args ...string) string {
		t.Helper()
		var a hostAddress
		code, out, said := program.Outcome(t, append([]string{"host-page", "-config", config, "-json"}, args...)...)
		if code != cli.ExitYes || json.Unmarshal([]byte(out), &a) != nil || a.Schema != 1 {
			t.Fatalf("%d %s %s", code, out, said)
		}
		return p.Values["http"] + strings.TrimPrefix(a.URL, "http://127.0.0.1:1")
	}
	is := func(url string, want int) string {
		t.Helper()
		r, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		status, body := program.Get(t, url)
		if status != want {
			t.Errorf("%s: %d, want %d", url, status, want)
		}
		if c, robots := r.Header.Get("Cache-Control"), r.Header.Get("X-Robots-Tag"); !strings.Contains(c, "no-store") || !strings.Contains(robots, "noindex") {
			t.Errorf("%s: %q %q", url, c, robots)
		}
		return body
	}
	none := p.Values["http"] + "/host/" + strings.Repeat("a", 26) + "/"
	is(none, http.StatusNotFound)
	is(p.Values["http"]+"/host//", http.StatusNotFound)
	old := address()
	page := is(old, http.StatusOK)
	for _, want := range []string{"There is no recent backup", "out1", "waits to be sent", "gamma@" + program.Domain, "Games under way", "last move or letter", "The newest players", "has not written yet"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	var data struct {
		Schema  int
		Status  server.StatusReport
		Letters []server.LetterRow
		Games   []server.GameRow
		Players []server.PlayerRow
	}
	if err := json.Unmarshal([]byte(is(old+"host.json", http.StatusOK)), &data); err != nil || data.Schema != 1 || data.Status.Queued != 3 || len(data.Letters) != 3 || len(data.Status.Alarms) != 1 ||
		len(data.Games) != 1 || len(data.Games[0].Seats) < 2 || len(data.Players) < 2 {
		t.Errorf("%v %+v", err, data)
	}
	is(none, http.StatusNotFound)
	fresh := address()
	is(old, http.StatusNotFound)
	is(fresh, http.StatusOK)
	if closed := address("-revoke"); closed != p.Values["http"] {
		t.Error(closed)
	}
	is(fresh, http.StatusNotFound)
	is(fresh+"host.json", http.StatusNotFound)
	if _, robots := program.Get(t, p.Values["http"]+"/robots.txt"); !strings.Contains(robots, "Disallow: /host/\n") {
		t.Error(robots)
	}
}
