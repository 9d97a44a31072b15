// Package dkim signs letters (RFC 6376), says what to publish in DNS for that, and checks
// signatures of others.
package dkim

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/emersion/go-msgauth/dkim"
)

// A Signer signs letters for a domain.
type Signer struct {
	domain, selector string
	key              crypto.Signer
}

const (
	keyBits = 2048
	minBits = 1024 // what receivers still accept (RFC 8301)
	maxFile = 64 << 10
)

// signed are the fields that a signature covers. Those that matter most are there once
// more than letters have them, so that no one can add another.
var signed = []string{
	"From", "From", "To", "To", "Subject", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "Reply-To", "Reply-To",
	"MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Auto-Submitted", "List-Id", "List-Unsubscribe", "List-Unsubscribe-Post",
}

// Load reads a private key, RSA or Ed25519, in PEM.
func Load(domain, selector, file string) (*Signer, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s holds no PEM key", file)
	}
	s := &Signer{domain: domain, selector: selector}
	var key any
	if block.Type == "RSA PRIVATE KEY" {
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	} else {
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	switch k := key.(type) {
	case *rsa.PrivateKey:
		if k.N.BitLen() < minBits {
			return nil, fmt.Errorf("%s: a key of %d bits is too short", file, k.N.BitLen())
		}
		s.key = k
	case ed25519.PrivateKey:
		s.key = k
	default:
		return nil, fmt.Errorf("%s: the key is neither RSA nor Ed25519", file)
	}
	return s, nil
}

// Create makes a new RSA key in a file that is not there yet, which only its user may read.
func Create(file string) error {
	key, err := rsa.GenerateKey(rand.Reader, keyBits)
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = pem.Encode(f, &pem.Block{Type: "PRIVATE KEY", Bytes: der})
	return errors.Join(err, f.Sync(), f.Close())
}

// Sign returns a letter with its signature.
func (s *Signer) Sign(letter []byte) ([]byte, error) {
	signer, err := dkim.NewSigner(&dkim.SignOptions{
		Domain: s.domain, Selector: s.selector, Signer: s.key, HeaderKeys: signed,
		HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed,
	})
	if err != nil {
		return nil, fmt.Errorf("dkim: %w", err)
	}
	_, err = signer.Write(letter)
	if err = errors.Join(err, signer.Close()); err != nil {
		return nil, fmt.Errorf("dkim: %w", err)
	}
	return append([]byte(signer.Signature()), letter...), nil
}

// Name is where the key is published.
func (s *Signer) Name() string { return s.selector + "._domainkey." + s.domain }

// Record is the TXT record to publish there.
func (s *Signer) Record() string {
	switch k := s.key.Public().(type) {
	case ed25519.PublicKey:
		return "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(k)
	default:
		der, _ := x509.MarshalPKIXPublicKey(k) // an RSA key always can
		return "v=DKIM1; k=rsa; p=" + base64.StdEncoding.EncodeToString(der)
	}
}

// Published reports whether a TXT record publishes this key.
func (s *Signer) Published(record string) bool {
	want, _ := Key(s.Record())
	got, ok := Key(record)
	return ok && got == want
}

// Key is the key in a TXT record; "" if it is revoked.
func Key(record string) (key string, ok bool) {
	for tag := range strings.SplitSeq(record, ";") {
		name, value, found := strings.Cut(tag, "=")
		if found && strings.TrimSpace(name) == "p" {
			return strings.Join(strings.Fields(value), ""), true
		}
	}
	return "", false
}

// Zone returns a TXT record as a line of a zone file, in strings of at most 255 bytes (RFC 1035).
func Zone(name, record string) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s. IN TXT (", name)
	for len(record) > 0 {
		n := min(len(record), 255)
		fmt.Fprintf(&b, " %q", record[:n])
		record = record[n:]
	}
	b.WriteString(" )")
	return b.String()
}
