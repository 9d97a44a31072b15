package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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

var dnsName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?)*$`)

func (d dkimConfig) check() error {
	switch {
	case d.Selector == "":
		return nil
	case !dnsName.MatchString(d.Selector):
		return fmt.Errorf(`selector: %q is not a name in DNS, such as "angelpost"`, d.Selector)
	case d.Domain != "" && !dnsName.MatchString(d.Domain):
		return fmt.Errorf("domain: %q is not a domain", d.Domain)
	case d.KeyFile == "":
		return errors.New("key_file: it needs a file name")
	}
	return nil
}

// signer signs letters out; nil if they are not signed.
func (c *Config) signer() (*dkim.Signer, error) {
	if c.DKIM.Selector == "" {
		return nil, nil
	}
	return dkim.Load(cmp.Or(c.DKIM.Domain, c.host()), c.DKIM.Selector, c.Path(c.DKIM.KeyFile))
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

func runDKIM(args []string, stdout, stderr io.Writer) int {
	fs := flags("dkim", "", stderr)
	path := configFlag(fs)
	if code := parse(fs, args, 0); code != goOn {
		return code
	}
	c, err := LoadConfig(*path)
	if err != nil {
		return exit(stderr, "dkim", err)
	}
	return exit(stderr, "dkim", badEnvironment(c.printDKIM(stdout, stderr)))
}

// printDKIM prints what to enter in DNS, and makes a key if there is none.
func (c *Config) printDKIM(stdout, stderr io.Writer) error {
	if c.DKIM.Selector == "" {
		return badUsage("%s: set dkim.selector first, for example to \"angelpost\"", c.at("dkim.selector"))
	}
	file := c.Path(c.DKIM.KeyFile)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		if err := dkim.Create(file); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "Made a new key: %s\n", file)
	}
	s, err := c.signer()
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, dkim.Zone(s.Name(), s.Record()))
	fmt.Fprintf(stderr, "Enter this at your DNS provider: a TXT record for %s, with the strings joined. Then: angelpost doctor\n", s.Name())
	return nil
}
