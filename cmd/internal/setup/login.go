package setup

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"strconv"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"

	"golang.org/x/oauth2"
)

// RunLogin is the main function of login.
func RunLogin(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("login", "", stderr)
	path := cli.ConfigFlag(fs)
	browser := fs.Bool("browser", false, "agree in a browser on this machine, where a device code is usual")
	port := fs.Uint("port", 0, "the port on this machine to which the browser returns; any free one if 0")
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	c, err := server.LoadConfig(*path)
	if err != nil {
		return cli.Exit(stderr, "login", err)
	}
	if c.Token == nil {
		return cli.Exit(stderr, "login", cli.BadUsage("%s: oauth.provider is not set", c.At("oauth.provider")))
	}
	ctx, stop := cli.UntilStopped()
	defer stop()
	return cli.Exit(stderr, "login", cli.BadEnvironment(logIn(ctx, c, *browser, *port, stdout)))
}

// logIn asks the host to let Angelpost use their mailbox, and stores the refresh token.
func logIn(ctx context.Context, c *server.Config, browser bool, port uint, stdout io.Writer) error {
	p, _ := c.OAuth.Endpoints()
	user := cmp.Or(c.IMAP.User, c.SMTP.User)
	var t *oauth2.Token
	var err error
	if p.Device && !browser {
		t, err = c.Token.Device(ctx, func(url, code string) {
			fmt.Fprintf(stdout, "Open %s in any browser, enter the code %s and log in as %s.\n", url, code, user)
		})
	} else {
		var l net.Listener
		if l, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port)))); err != nil {
			return err
		}
		t, err = c.Token.Browser(ctx, l, user, func(address string) {
			fmt.Fprintf(stdout, "Open this address in a browser on this machine and log in as %s:\n\n%s\n\n", user, address)
			fmt.Fprintf(stdout, "If your browser is on another machine, run there first: ssh -L %d:%s THIS-MACHINE\n", l.Addr().(*net.TCPAddr).Port, l.Addr())
		})
	}
	if err == nil {
		err = c.Token.Keep(ctx, t)
	}
	if err == nil {
		fmt.Fprintf(stdout, "Logged in. %s keeps the refresh token. Next: angelpost doctor\n", c.Token.File)
	}
	return err
}
