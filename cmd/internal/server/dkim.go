package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"

	"angelpost/mail/dkim"
	"angelpost/mail/outbox"
)

// dkimConfig says with which key letters out are signed; without a selector they are not.
type dkimConfig struct {
	Selector string `toml:"selector"`
	Domain   string `toml:"domain"`
	KeyFile  string `toml:"key_file"`
}

var DNSName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?)*$`)

func (d dkimConfig) check() error {
	switch {
	case d.Selector == "":
		return nil
	case !DNSName.MatchString(d.Selector):
		return fmt.Errorf(`selector: %q is not a name in DNS, such as "angelpost"`, d.Selector)
	case d.Domain != "" && !DNSName.MatchString(d.Domain):
		return fmt.Errorf("domain: %q is not a domain", d.Domain)
	case d.KeyFile == "":
		return errors.New("key_file: it needs a file name")
	}
	return nil
}

// Signer signs letters out; nil if they are not signed.
func (c *Config) Signer() (*dkim.Signer, error) {
	if c.DKIM.Selector == "" {
		return nil, nil
	}
	return dkim.Load(cmp.Or(c.DKIM.Domain, c.Host()), c.DKIM.Selector, c.Path(c.DKIM.KeyFile))
}

// keyFiles are the files that signing needs.
func (c *Config) keyFiles() []secret {
	if c.DKIM.Selector == "" {
		return nil
	}
	return []secret{{"dkim.key_file", c.Path(c.DKIM.KeyFile)}}
}

// signing renders letters with a signature, which bears the time of the try; all else of a
// letter is the same at each.
func signing(render outbox.Render, signer *dkim.Signer) outbox.Render {
	if signer == nil {
		return render
	}
	return func(ctx context.Context, l outbox.Letter) ([]byte, error) {
		raw, err := render(ctx, l)
		if err != nil {
			return nil, err
		}
		return signer.Sign(raw)
	}
}
