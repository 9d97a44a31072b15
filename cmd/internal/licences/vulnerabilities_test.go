//go:build real

package licences

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestVulnerabilities has .ci/vulnerabilities look into a database that says something of
// SQLite's driver, which the program calls, into one that says nothing, and into one that
// cannot be reached: it fails, passes, and passes but says that nothing was checked. It needs
// Go's module proxy.
func TestVulnerabilities(t *testing.T) {
	const id, module = "GO-2026-9999", "github.com/mattn/go-sqlite3"
	database := func(modules, vulns string) string {
		dir := t.TempDir()
		for name, text := range map[string]string{
			"index/db.json": `{"modified":"2026-01-01T00:00:00Z"}`, "index/modules.json": modules, "index/vulns.json": vulns,
			"ID/" + id + ".json": `{"schema_version":"1.3.1","id":"` + id + `","modified":"2026-01-01T00:00:00Z","published":"2026-01-01T00:00:00Z",
				"summary":"made up","details":"made up","affected":[{"package":{"name":"` + module + `","ecosystem":"Go"},
				"ranges":[{"type":"SEMVER","events":[{"introduced":"0"}]}],"ecosystem_specific":{"imports":[{"path":"` + module + `"}]}}]}`,
		} {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return "file://" + dir
	}
	const entry = `[{"id":"` + id + `","modified":"2026-01-01T00:00:00Z"}]`
	for name, c := range map[string]struct {
		database, says string
		fails          bool
	}{
		"one":         {database(`[{"path":"`+module+`","vulns":`+entry+`}]`, entry), id, true},
		"none":        {database("[]", "[]"), "No vulnerabilities found", false},
		"unreachable": {"https://vulnerabilities.invalid", "NOT CHECKED", false},
	} {
		cmd := exec.Command("sh", ".ci/vulnerabilities")
		cmd.Dir, cmd.Env = root, append(os.Environ(), "GOVULNDB="+c.database)
		said, err := cmd.CombinedOutput()
		if (err != nil) != c.fails || !strings.Contains(string(said), c.says) {
			t.Errorf("%s: %v\n%.2000s", name, err, said)
		}
	}
}
