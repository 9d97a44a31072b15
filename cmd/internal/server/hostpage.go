package server

import (
	"context"
	"fmt"
	"slices"
	"time"

	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
	"angelpost/templates"
	"angelpost/templates/words"
)

// The host's page: what status, letters, games and players print, for a browser, at an address
// that only the host knows.

// hostRows is how many letters, games and players the page lists.
const hostRows = 100

// hostData is the page as data.
type hostData struct {
	Schema  int          `json:"schema"`
	Status  StatusReport `json:"status"`
	Letters []LetterRow  `json:"letters"`
	Games   []GameRow    `json:"games"`   // under way, those first in which nothing has happened for longest
	Players []PlayerRow  `json:"players"` // the latest first
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
	games, err := s.GameList(ctx, store.GameRunning)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(games.Games, func(a, b GameRow) int { return orZero(a.Changed).Compare(orZero(b.Changed)) })
	guests, err := s.DB.LatestGuests(ctx, hostRows)
	if err != nil {
		return nil, err
	}
	data := hostData{1, status, list.Letters[:min(len(list.Letters), hostRows)], games.Games[:min(len(games.Games), hostRows)], []PlayerRow{}}
	for _, g := range guests {
		data.Players = append(data.Players, playerRow(g))
	}
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
			Game: l.Game, MessageID: words.Clean(l.MessageID, 200), Tries: l.Tries, Since: orZero(l.Date), Next: orZero(l.Next), Why: words.Clean(l.Why, maxWhy)})
	}
	for _, g := range data.Games {
		p.Games = append(p.Games, hostGame(&g))
	}
	for _, x := range data.Players {
		p.Players = append(p.Players, templates.HostPlayer{ID: x.ID, Name: words.Clean(x.Name, 40), Address: words.Clean(x.Address, 100), Running: x.Running,
			Last: orZero(x.LastMail), Bounced: orZero(x.Bounced)})
	}
	return p, nil
}

// hostGame is a game for the page: for whom it waits, and since when.
func hostGame(g *GameRow) templates.HostGame {
	out := templates.HostGame{ID: g.ID, Name: words.Clean(g.Name, 100), Changed: orZero(g.Changed), Paused: orZero(g.Paused)}
	for _, x := range g.Seats {
		out.Seats = append(out.Seats, words.Clean(x.Name, 40))
		if at := orZero(x.Deadline); !at.IsZero() && (out.Deadline.IsZero() || at.Before(out.Deadline)) {
			out.Deadline, out.Waits = at, words.Clean(x.Name, 40)
		}
	}
	return out
}

// orZero is a moment, or the zero time for none.
func orZero(at *time.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	return *at
}
