package setup

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
	"angelpost/mail/dkim"
)

// RunDKIM is the main function of dkim.
func RunDKIM(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("dkim", "", stderr)
	path := cli.ConfigFlag(fs)
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	c, err := server.LoadConfig(*path)
	if err != nil {
		return cli.Exit(stderr, "dkim", err)
	}
	return cli.Exit(stderr, "dkim", cli.BadEnvironment(printDKIM(c, stdout, stderr)))
}

// printDKIM prints the DNS record to enter, and makes a key if there is none.
func printDKIM(c *server.Config, stdout, stderr io.Writer) error {
	if c.DKIM.Selector == "" {
		return cli.BadUsage("%s: set dkim.selector first, for example to \"angelpost\"", c.At("dkim.selector"))
	}
	file := c.Path(c.DKIM.KeyFile)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		if err := dkim.Create(file); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "Made a new key: %s\n", file)
	}
	s, err := c.Signer()
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, dkim.Zone(s.Name(), s.Record()))
	fmt.Fprintf(stderr, "Enter this at your DNS provider: a TXT record for %s, with the strings joined. Then: angelpost doctor\n", s.Name())
	return nil
}
