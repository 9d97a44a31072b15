package host

import (
	"crypto/rand"
	"io"
	"strings"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/server"
)

// A hostAddress is what host-page prints.
type hostAddress struct {
	Schema int    `json:"schema"`
	URL    string `json:"url"` // "" none
}

func (a hostAddress) Lines() []string {
	if a.URL == "" {
		return []string{"The host's page is closed. angelpost host-page opens it again, at another address."}
	}
	return []string{a.URL}
}

// RunHostPage is the main function of host-page.
func RunHostPage(args []string, stdout, stderr io.Writer) int {
	fs := cli.Flags("host-page", "", stderr)
	path := cli.ConfigFlag(fs)
	revoke := fs.Bool("revoke", false, "close the page")
	asJSON := fs.Bool("json", false, "print JSON")
	if code := cli.Parse(fs, args, 0); code != cli.GoOn {
		return code
	}
	ctx, stop := cli.UntilStopped()
	defer stop()
	s, err := server.Beside(ctx, *path, stderr)
	if err != nil {
		return cli.Exit(stderr, "host-page", err)
	}
	defer s.Close()
	key, out := "", hostAddress{Schema: 1}
	if !*revoke {
		key = strings.ToLower(rand.Text())
		out.URL = strings.TrimRight(s.Conf.HTTP.BaseURL, "/") + "/host/" + key + "/"
	}
	if err := s.DB.SetHostKey(ctx, key); err != nil {
		return cli.Exit(stderr, "host-page", cli.BadEnvironment(err))
	}
	return cli.Exit(stderr, "host-page", cli.BadEnvironment(printSurvey(stdout, out, *asJSON)))
}
