package server

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	library "github.com/emersion/go-msgauth/dkim"

	"angelpost/mail/dkim"
	"angelpost/mail/outbox"
)

// TestSigning: letters out bear a signature that holds, and settings that cannot sign are
// refused.
func TestSigning(t *testing.T) {
	dir := t.TempDir()
	if err := dkim.Create(filepath.Join(dir, "dkim.pem")); err != nil {
		t.Fatal(err)
	}
	c, err := LoadConfig(writeConfig(t, dir, "angelpost+{token}@example.org", "angelpost+{token}@play.angelpost.org", `selector = ""`, `selector = "angel"`))
	if err != nil {
		t.Fatal(err)
	}
	s, err := c.Signer()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := outbox.Compose(outbox.Message{From: outbox.Address{Addr: c.Plain()}, To: outbox.Address{Addr: "ada@home.test"}, Subject: "Ünicode", MessageID: "1@play.angelpost.org", Text: "Hello.\n.\n", Date: time.Unix(1_800_000_000, 0)})
	if err != nil {
		t.Fatal(err)
	}
	render := signing(func(context.Context, outbox.Letter) ([]byte, error) { return raw, nil }, s)
	letter, err := render(t.Context(), outbox.Letter{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := library.VerifyWithOptions(bytes.NewReader(letter), &library.VerifyOptions{LookupTXT: func(string) ([]string, error) { return []string{s.Record()}, nil }})
	if err != nil || len(found) != 1 || found[0].Err != nil || !bytes.HasSuffix(letter, raw) {
		t.Errorf("%+v %v", found, err)
	}
	for _, wrong := range []string{`selector = "an gel"`, "selector = \"a\"\nkey_file = \"\"", "selector = \"a\"\ndomain = \"a b\""} {
		text := strings.NewReplacer(`selector = ""`, wrong, "\nkey_file = \"dkim.pem\"", "", "\ndomain = \"\"  # the one in address, if empty", "")
		bad := filepath.Join(dir, "bad.toml")
		os.WriteFile(bad, []byte(text.Replace(ConfigTemplate)), 0o600)
		if _, err := LoadConfig(bad); err == nil || !strings.Contains(err.Error(), "dkim.") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}
