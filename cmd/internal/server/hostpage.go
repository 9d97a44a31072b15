package server

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strings"

	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/words"
)

// The host's page: what status and letters print, for a browser, at an address that only
// the host knows.

// hostLetters is how many letters the page lists.
const hostLetters = 100

// hostData is the page as data.
type hostData struct {
	Schema  int          `json:"schema"`
	Status  statusReport `json:"status"`
	Letters []letterRow  `json:"letters"`
}

// overview returns the host's page; store.ErrNotFound unless key is the host's.
func (s *Server) overview(ctx context.Context, key string) (*templates.HostPage, error) {
	is, err := s.DB.IsHostKey(ctx, key)
	if err == nil && !is {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	status, err := s.status(ctx)
	if err != nil {
		return nil, err
	}
	list, err := s.letterList(ctx, "")
	if err != nil {
		return nil, err
	}
	data := hostData{1, status, list.Letters[:min(len(list.Letters), hostLetters)]}
	p := &templates.HostPage{JSON: data, Facts: [][2]string{
		{"version", status.Version + ", " + status.Commit}, {"address", status.Address},
		{"database", fmt.Sprintf("%s, %d kB", status.Database, status.Bytes/1000)},
		{"at-work", told(status.AtWork)}, {"last-letter", told(status.LastIn)},
		{"queued", fmt.Sprint(status.Queued)}, {"oldest", told(status.Oldest)}, {"new", fmt.Sprint(status.New)},
		{"held", fmt.Sprint(status.Held)}, {"aside", fmt.Sprint(status.Aside)},
		{"games", fmt.Sprint(status.Running)}, {"players", fmt.Sprint(status.Players)},
	}}
	for _, a := range status.Alarms {
		p.Alarms = append(p.Alarms, notice.Remark{Code: "alarm-" + a.Kind, Args: map[string]string{
			"time": unit.When(*a.Since, a.Since.Location()), "why": a.Why, "command": a.Command}})
	}
	for _, l := range data.Letters {
		next := ""
		if l.Next != nil {
			next = told(l.Next)
		}
		p.Letters = append(p.Letters, templates.HostLetter{ID: l.ID, State: l.State, Address: words.Clean(l.Address, 100), Kind: l.Kind,
			Since: told(l.Date), Next: next, Why: words.Clean(l.Why, maxWhy)})
	}
	return p, nil
}

// A hostAddress is what host-page prints.
type hostAddress struct {
	Schema int    `json:"schema"`
	URL    string `json:"url"` // "" none
}

func (a hostAddress) lines() []string {
	if a.URL == "" {
		return []string{"The host's page is closed. angelpost host-page opens it again, at another address."}
	}
	return []string{a.URL}
}

func runHostPage(args []string, stdout, stderr io.Writer) int {
	fs := flags("host-page", "", stderr)
	path := configFlag(fs)
	revoke := fs.Bool("revoke", false, "close the page")
	asJSON := fs.Bool("json", false, "print JSON")
	if code := parse(fs, args, 0); code != goOn {
		return code
	}
	ctx, stop := untilStopped()
	defer stop()
	s, err := beside(ctx, *path, stderr)
	if err != nil {
		return exit(stderr, "host-page", err)
	}
	defer s.Close()
	key, out := "", hostAddress{Schema: 1}
	if !*revoke {
		key = strings.ToLower(rand.Text())
		out.URL = strings.TrimRight(s.Conf.HTTP.BaseURL, "/") + "/host/" + key + "/"
	}
	if err := s.DB.SetHostKey(ctx, key); err != nil {
		return exit(stderr, "host-page", badEnvironment(err))
	}
	return exit(stderr, "host-page", badEnvironment(printSurvey(stdout, out, *asJSON)))
}
