package dkim_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	library "github.com/emersion/go-msgauth/dkim"

	"angelpost/mail/dkim"
)

const written = "From: Angelpost <angelpost@play.test>\r\nTo: ada@home.test\r\nSubject: Your move\r\nDate: Wed, 25 Nov 2026 12:00:00 +0000\r\nMessage-ID: <1@play.test>\r\n\r\nHello.\r\n.dot\r\n"

// TestSign holds that receivers who find the record find the signature right, as long as
// no one changes or adds what it covers.
func TestSign(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "rsa")
	if err := dkim.Create(file); err != nil {
		t.Fatal(err)
	}
	if err := dkim.Create(file); err == nil {
		t.Error("a key was written over")
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	_, other, _ := ed25519.GenerateKey(rand.Reader)
	save := func(name, kind string, key any) string {
		der, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
		return path
	}
	for _, file := range []string{file, save("ed", "PRIVATE KEY", other)} {
		s, err := dkim.Load("play.test", "post", file)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := s.Sign([]byte(written))
		if err != nil || !strings.HasSuffix(string(raw), written) {
			t.Fatalf("%v\n%s", err, raw)
		}
		verify := func(raw []byte) error {
			v, err := library.VerifyWithOptions(bytes.NewReader(raw), &library.VerifyOptions{LookupTXT: func(name string) ([]string, error) {
				if name != s.Name() || name != "post._domainkey.play.test" {
					t.Errorf("asks for %s", name)
				}
				return []string{s.Record()}, nil
			}})
			if err != nil || len(v) != 1 || v[0].Domain != "play.test" {
				t.Fatalf("%v %v", v, err)
			}
			return v[0].Err
		}
		if err := verify(raw); err != nil {
			t.Error(err)
		}
		if err := verify(bytes.Replace(raw, []byte("move"), []byte("move, now"), 1)); err == nil {
			t.Error("another subject is taken")
		}
		if err := verify(append([]byte("Subject: more\r\n"), raw...)); err == nil {
			t.Error("a second subject is taken")
		}
		if !s.Published(s.Record()) || !s.Published(strings.ReplaceAll(s.Record(), "; ", ";\t")) || s.Published("v=DKIM1; p=") || s.Published("v=spf1 -all") {
			t.Error("it does not know its record")
		}
		zone := dkim.Zone(s.Name(), s.Record())
		joined := ""
		for _, part := range regexp.MustCompile(`"([^"]*)"`).FindAllStringSubmatch(zone, -1) {
			if joined += part[1]; len(part[1]) > 255 {
				t.Errorf("a string of %d bytes", len(part[1]))
			}
		}
		if joined != s.Record() {
			t.Errorf("%s is not %s", zone, s.Record())
		}
	}
	for name, text := range map[string]string{"none": "", "no key": "hello", "broken": "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"} {
		path := filepath.Join(dir, "bad")
		os.WriteFile(path, []byte(text), 0o600)
		if _, err := dkim.Load("play.test", "post", path); err == nil {
			t.Errorf("%s is taken for a key", name)
		}
	}
	if _, err := dkim.Load("play.test", "post", filepath.Join(dir, "nowhere")); err == nil {
		t.Error("no file is taken for a key")
	}
}
