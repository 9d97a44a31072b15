package server

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/engine/notice"
	"angelpost/mail/mailhost"
)

// TestMetrics: a server counts letters and requests and tells Prometheus, on
// metrics.addr alone; /readyz knows whether the mailbox is there.
func TestMetrics(t *testing.T) {
	t.Parallel()
	host, err := mailhost.Start(mailhost.Config{
		IMAPAddr: "127.0.0.1:0", SMTPAddr: "127.0.0.1:0", Dir: t.TempDir(), Domain: program.Domain,
		Accounts: []string{program.Account, "alpha"}, Password: program.Password, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	var config string
	p := program.ServeAt(t, host, program.Account, host.SMTPAddr(), "metrics.addr = \"127.0.0.1:0\"", func(path string) { config = path })
	monitor := p.Values["metrics"]
	alpha := mailclient.Stranger(t, p, "alpha")
	alpha.AnswerTo(alpha.Write(mailclient.Post{To: p.Values["server"], Subject: "help", Body: "help\r\n"}))
	program.Until(t, "the letter and its answer are counted", func() bool {
		_, text := program.Get(t, monitor+"/metrics")
		return strings.Contains(text, `angelpost_letters_out_total{result="sent"} 1`) && strings.Contains(text, `angelpost_letters_in_total{outcome="`)
	})
	program.Get(t, p.Values["http"]+"/rules")
	var text string
	program.Until(t, "the request is counted", func() bool { // a moment after it is answered
		_, text = program.Get(t, monitor+"/metrics")
		return strings.Contains(text, `angelpost_http_request_duration_seconds_count{code="200",method="get"} 1`)
	})
	for _, want := range []string{
		"angelpost_mailbox_connected 1\n", "angelpost_outbox_letters 0\n", "angelpost_outbox_oldest_seconds 0\n", "angelpost_letters_aside 0\n",
		"angelpost_games_running 0\n", "angelpost_last_letter_timestamp_seconds 1", "angelpost_database_bytes ", `angelpost_build_info{commit="`,
		`angelpost_part_working{part="writer"} 1`, "go_goroutines ", "process_resident_memory_bytes ",
	} {
		if !strings.Contains(text, "\n"+want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if _, err := program.Opened(t, config).Exec("INSERT INTO alarms VALUES (?, 1800000000000, 0, '3')", notice.AlarmRefused); err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]string{"refused": "1", "disk": "0"} {
		if _, text := program.Get(t, monitor+"/metrics"); !strings.Contains(text, fmt.Sprintf("\nangelpost_alarm{kind=%q} %s\n", kind, want)) {
			t.Errorf("no alarm %s %s in\n%s", kind, want, text)
		}
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if status, body := program.Get(t, monitor+path); status != http.StatusOK || body != "ok\n" {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	for _, path := range []string{"/metrics", "/healthz", "/readyz"} {
		if status, _ := program.Get(t, p.Values["http"]+path); status != http.StatusNotFound {
			t.Errorf("the pages answer %s with %d", path, status)
		}
	}
	if err := host.Close(); err != nil {
		t.Fatal(err)
	}
	program.Until(t, "/readyz misses the mailbox", func() bool {
		status, body := program.Get(t, monitor+"/readyz")
		return status == http.StatusServiceUnavailable && strings.HasPrefix(body, "The mailbox has not worked for ")
	})
	if status, _ := program.Get(t, monitor+"/healthz"); status != http.StatusOK {
		t.Errorf("without its mailbox, which no restart brings back, the server is unhealthy: %d", status)
	}
	p.Stop()
}

// TestNotify: systemd hears when the server is ready, that it is alive, and that it stops.
func TestNotify(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notify")
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	t.Setenv("NOTIFY_SOCKET", path)
	t.Setenv("WATCHDOG_USEC", "300000")
	hear := func() string {
		b := make([]byte, 100)
		socket.SetReadDeadline(time.Now().Add(time.Minute))
		n, err := socket.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		return string(b[:n])
	}
	p := program.ServeOn(t, "", func(string) {})
	for _, want := range []string{"READY=1", "WATCHDOG=1", "WATCHDOG=1"} {
		if said := hear(); said != want {
			t.Fatalf("%q instead of %q", said, want)
		}
	}
	p.Stop()
	said := hear()
	for said == "WATCHDOG=1" {
		said = hear()
	}
	if said != "STOPPING=1" {
		t.Errorf("%q instead of STOPPING=1", said)
	}
}
