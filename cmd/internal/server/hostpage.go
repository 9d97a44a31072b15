package server

import (
	"context"
	"fmt"
	"time"

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
	text := func(key, s string) templates.HostFact { return templates.HostFact{Key: key, Text: s} }
	moment := func(key string, at *time.Time) templates.HostFact {
		return templates.HostFact{Key: key, At: orZero(at)}
	}
	p := &templates.HostPage{JSON: data, Facts: []templates.HostFact{
		text("games", fmt.Sprint(status.Running)), text("players", fmt.Sprint(status.Players)),
		moment("at-work", status.AtWork), moment("last-letter", status.LastIn),
		text("queued", fmt.Sprint(status.Queued)), moment("oldest", status.Oldest), text("new", fmt.Sprint(status.New)),
		text("held", fmt.Sprint(status.Held)), text("aside", fmt.Sprint(status.Aside)),
		text("address", status.Address), text("database", fmt.Sprintf("%s, %d kB", status.Database, status.Bytes/1000)),
		text("version", status.Version+", "+status.Commit),
	}}
	for _, a := range status.Alarms {
		p.Alarms = append(p.Alarms, notice.Remark{Code: "alarm-" + a.Kind, Args: map[string]string{
			"time": unit.When(*a.Since, a.Since.Location()), "why": a.Why, "command": a.Command}})
	}
	for _, l := range data.Letters {
		p.Letters = append(p.Letters, templates.HostLetter{ID: l.ID, State: l.State, Address: words.Clean(l.Address, 100), Kind: l.Kind,
			Since: orZero(l.Date), Next: orZero(l.Next), Why: words.Clean(l.Why, maxWhy)})
	}
	return p, nil
}

// orZero is a moment, or the zero time for none.
func orZero(at *time.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	return *at
}
