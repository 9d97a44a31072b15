package server

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestLogSettings: a server logs JSON if its configuration says so, leaves out what is
// below its level, and hides secrets in either form.
func TestLogSettings(t *testing.T) {
	load := func(edit ...string) (*Config, error) {
		path := filepath.Join(t.TempDir(), "angelpost.toml")
		text := strings.NewReplacer(edit...).Replace(strings.ReplaceAll(ConfigTemplate, "%[1]s", path))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return LoadConfig(path)
	}
	secret := strings.Repeat("a", 26)
	for _, format := range []string{"text", "json"} {
		c, err := load(`format = "text"`, `format = "`+format+`"`, `level = "info"`, `level = "warn"`)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		log := c.ServeLog(&out)
		log.Info("left out")
		log.Warn("kept", "err", "refused "+secret)
		line := out.String()
		if strings.Contains(line, "left out") || strings.Contains(line, secret) || !strings.Contains(line, "(secret)") {
			t.Errorf("%s: %s", format, line)
		}
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); (err == nil) != (format == "json") || format == "json" && entry["msg"] != "kept" {
			t.Errorf("%s: %v, %s", format, err, line)
		}
	}
	for _, wrong := range []string{`format = "xml"`, `level = "loud"`} {
		key, _, _ := strings.Cut(wrong, " ")
		was := map[string]string{"format": `format = "text"`, "level": `level = "info"`}[key]
		if _, err := load(was, wrong); err == nil || !strings.Contains(err.Error(), "log."+key) || !strings.Contains(err.Error(), "line ") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

// TestServeLogsJSON: the program's log is as its configuration says, and entries about a
// letter or a request bear its id.
func TestServeLogsJSON(t *testing.T) {
	t.Parallel()
	p := program.ServeOn(t, "log.format = \"json\"\n", func(string) {})
	p.Says(regexp.MustCompile(`"level":"INFO","msg":"imapbox: watching"`))
	gamma := mailclient.Stranger(t, p, "gamma")
	gamma.AnswerTo(gamma.Write(mailclient.Post{To: p.Values["server"], Subject: "help", Body: "help\r\n"}))
	p.Says(regexp.MustCompile(`"msg":"letter in","letter":"in1"`))
	program.Get(t, p.Values["http"]+"/rules")
	p.Says(regexp.MustCompile(`"msg":"request",.*"request":"[A-Z2-7]{8}"`))
}
