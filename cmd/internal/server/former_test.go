package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFormerAddresses: a server that has moved takes letters at the addresses that it had before, and
// is known by the same names to feed readers, calendars and mail programs.
func TestFormerAddresses(t *testing.T) {
	c := &Config{Address: "games+{token}@new.example", Former: []string{"angelpost+{token}@old.example", "{token}@older.example"}}
	for address, want := range map[string]bool{
		"games+abc@new.example": true, "games@new.example": true, "Angelpost+abc@OLD.example": true, "angelpost@old.example": true,
		"abc@older.example": true, "angelpost@new.example": false, "ann@old.example": false,
	} {
		if got := c.Own(address); got != want {
			t.Errorf("%s is ours: %v", address, got)
		}
	}
	if c.Host() != "new.example" || c.NamedBy() != "old.example" {
		t.Errorf("host %s, named by %s", c.Host(), c.NamedBy())
	}
	if c := (&Config{Address: "games+{token}@new.example"}); c.NamedBy() != "new.example" {
		t.Errorf("one that has not moved is named by %s", c.NamedBy())
	}
	for _, bad := range []string{"angelpost@old.example", "{token}{token}@old.example", "no address {token}"} {
		if err := checkPattern(bad); err == nil {
			t.Errorf("%q is taken for an address", bad)
		}
	}
	for former, want := range map[string]string{
		"https://old.example": "", "old.example": "former_urls", "https://play.example.org/x": "", "https://PLAY.example.org/": "is where base_url is",
		"games+{token}@old.example": "", "Angelpost+{token}@Example.org": "is the present address", "games@old.example": "needs {token}",
	} {
		path := filepath.Join(t.TempDir(), "angelpost.toml")
		key := "former_urls"
		if strings.Contains(former, "@") {
			key = "former_addresses"
		}
		text := strings.Replace(strings.ReplaceAll(ConfigTemplate, "%[1]s", path), key+" = []", key+` = ["`+former+`"]`, 1)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadConfig(path); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", former, err)
		}
	}
}
