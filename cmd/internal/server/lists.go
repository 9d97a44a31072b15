package server

import (
	"context"
	"fmt"
	"strings"
	"time"

	"angelpost/db"
	"angelpost/engine/store"
)

// A GameList is what games prints.
type GameList struct {
	Schema int       `json:"schema"`
	Games  []GameRow `json:"games"`
}

// A GameRow is a game, and who plays it.
type GameRow struct {
	ID         string     `json:"id"`
	Name       string     `json:"name"`
	State      string     `json:"state"`
	Visibility string     `json:"visibility"`
	League     string     `json:"league"`
	Lines      int        `json:"lines"`
	Created    *time.Time `json:"created"`
	Changed    *time.Time `json:"changed"`
	Paused     *time.Time `json:"paused"`
	Seats      []SeatRow  `json:"seats"`
}

// A SeatRow is a seat of a game; Deadline is when its player must have moved, nil if the game
// does not wait for them or has no clock.
type SeatRow struct {
	Seat     int        `json:"seat"`
	Name     string     `json:"name"`
	Address  string     `json:"address"`
	Bot      string     `json:"bot"`
	Stage    string     `json:"stage"`
	Deadline *time.Time `json:"deadline"`
}

// Lines are the list for people.
func (l GameList) Lines() (out []string) {
	for _, g := range l.Games {
		var who []string
		for _, s := range g.Seats {
			who = append(who, fmt.Sprintf("%q", s.Name))
		}
		line := fmt.Sprintf("%s, %s, %d lines, changed %s: %s", g.ID, g.State, g.Lines, Told(g.Changed), strings.Join(who, ", "))
		if g.Name != "" {
			line += fmt.Sprintf(" (%q)", g.Name)
		}
		if g.Paused != nil {
			line += ", paused since " + Told(g.Paused)
		}
		out = append(out, line)
	}
	return out
}

// GameList lists the games in a state; "" in any.
func (s *Server) GameList(ctx context.Context, state string) (GameList, error) {
	out := GameList{Schema: 1, Games: []GameRow{}}
	for after := ""; ; {
		rows, err := s.gameRows(ctx, state, after)
		out.Games = append(out.Games, rows...)
		if err != nil || len(rows) < SurveyPage {
			return out, err
		}
		after = rows[len(rows)-1].ID
	}
}

// gameRows are the next SurveyPage games.
func (s *Server) gameRows(ctx context.Context, state, after string) (out []GameRow, err error) {
	err = s.DB.View(ctx, func(tx store.Tx) error {
		games, err := tx.AllGames(state, after, SurveyPage)
		if err != nil {
			return err
		}
		ids := make([]string, len(games))
		for i, g := range games {
			ids[i] = g.ID
		}
		seats, err := tx.SeatsOf(ids)
		if err != nil {
			return err
		}
		var people []int64
		for _, of := range seats {
			for _, x := range of {
				people = append(people, x.Player)
			}
		}
		players, err := tx.Players(people)
		if err != nil {
			return err
		}
		for _, g := range games {
			row := GameRow{ID: g.ID, Name: g.Name, State: g.State, Visibility: g.Visibility, League: g.League, Lines: g.Steps,
				Created: Moment(g.Created), Changed: Moment(g.Changed), Paused: Moment(g.Paused), Seats: []SeatRow{}}
			for _, x := range seats[g.ID] {
				row.Seats = append(row.Seats, SeatRow{x.Seat, x.Name, players[x.Player].Address, x.Bot, x.Stage, Moment(x.Deadline)})
			}
			out = append(out, row)
		}
		return nil
	})
	return out, err
}

// A PlayerList is what players prints.
type PlayerList struct {
	Schema  int         `json:"schema"`
	Players []PlayerRow `json:"players"`
}

// A PlayerRow is a player, or someone who was invited.
type PlayerRow struct {
	ID       int64      `json:"id"`
	Name     string     `json:"name"`
	Address  string     `json:"address"`
	Answered bool       `json:"answered"` // at least one of our letters
	Created  *time.Time `json:"created"`
	Running  int        `json:"games_running"`
	LastMail *time.Time `json:"last_letter"`
	Bounced  *time.Time `json:"bounced"`
}

// Lines are the list for people.
func (l PlayerList) Lines() (out []string) {
	for _, p := range l.Players {
		line := fmt.Sprintf("%d %s %q: games under way: %d, last letter: %s", p.ID, p.Address, p.Name, p.Running, Told(p.LastMail))
		if p.Bounced != nil {
			line += ", letters come back since " + Told(p.Bounced)
		}
		out = append(out, line)
	}
	return out
}

func playerRow(g db.Guest) PlayerRow {
	return PlayerRow{g.ID, g.Name, g.Address, g.Registered, Moment(g.Created), g.Running, Moment(g.LastMail), Moment(g.Bounced)}
}

// PlayerList lists all players.
func (s *Server) PlayerList(ctx context.Context) (PlayerList, error) {
	out := PlayerList{Schema: 1, Players: []PlayerRow{}}
	for after := int64(0); ; {
		guests, err := s.DB.Guests(ctx, after, SurveyPage)
		for _, g := range guests {
			after = g.ID
			out.Players = append(out.Players, playerRow(g))
		}
		if err != nil || len(guests) < SurveyPage {
			return out, err
		}
	}
}
