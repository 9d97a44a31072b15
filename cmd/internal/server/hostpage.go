package server

import (
	"context"
	"fmt"

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
	Status  StatusReport `json:"status"`
	Letters []LetterRow  `json:"letters"`
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
	status, err := s.Status(ctx)
	if err != nil {
		return nil, err
	}
	list, err := s.LetterList(ctx, "")
	if err != nil {
		return nil, err
	}
	data := hostData{1, status, list.Letters[:min(len(list.Letters), hostLetters)]}
	p := &templates.HostPage{JSON: data, Facts: [][2]string{
		{"version", status.Version + ", " + status.Commit}, {"address", status.Address},
		{"database", fmt.Sprintf("%s, %d kB", status.Database, status.Bytes/1000)},
		{"at-work", Told(status.AtWork)}, {"last-letter", Told(status.LastIn)},
		{"queued", fmt.Sprint(status.Queued)}, {"oldest", Told(status.Oldest)}, {"new", fmt.Sprint(status.New)},
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
			next = Told(l.Next)
		}
		p.Letters = append(p.Letters, templates.HostLetter{ID: l.ID, State: l.State, Address: words.Clean(l.Address, 100), Kind: l.Kind,
			Since: Told(l.Date), Next: next, Why: words.Clean(l.Why, maxWhy)})
	}
	return p, nil
}
