package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"

	"angelpost/engine/game"
	"angelpost/engine/league"
	"angelpost/engine/match/look"
	"angelpost/engine/match/turns"
	"angelpost/engine/rated"
	"angelpost/engine/statistics"
	"angelpost/engine/store"
	"angelpost/web"
)

// Pages is the web server's tree of addresses.
func (s *Server) Pages() http.Handler {
	proxies, _ := s.Conf.trustedProxies() // checked when it was read
	return web.Server{TrustedProxies: proxies, Games: s.Games(), Now: s.time.now, Words: s.words, Log: s.log, Version: programHash(), Host: s.Conf.host(), BaseURL: strings.TrimRight(s.Conf.HTTP.BaseURL, "/")}.Handler()
}

// Games is the desk's host as the pages see it.
type Games struct {
	*look.Host
	s *Server
}

func (s *Server) Games() Games { return Games{s.Desk.Host(), s} }

// programHash names this program: another one may render other pages.
var programHash = sync.OnceValue(func() string {
	path, err := os.Executable()
	if runtime.GOOS == "linux" {
		path, err = "/proc/self/exe", nil // the file may have been replaced
	}
	h := sha256.New()
	var f *os.File
	if err == nil {
		f, err = os.Open(path)
	}
	if err == nil {
		_, err = io.Copy(h, f)
		f.Close()
	}
	if err != nil { // nothing is kept for ever, then
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
})

func (g Games) Moved() uint64 { return g.s.DB.Moved() }

func (g Games) Look(ctx context.Context, id, key string, at int) (*web.Game, error) {
	l, err := g.Host.Open(ctx, id, key, at)
	if err != nil {
		return nil, err
	}
	return gameOf(l), nil
}

// gameOf is a view as the pages take it.
func gameOf(l *look.GameView) *web.Game {
	return &web.Game{
		ID: l.Row.ID, Name: l.Row.Name, State: l.Row.State, Names: l.Names, Joined: l.Row.Joined, Options: l.Row.Options, Deadlines: l.Row.Deadlines, Paused: l.Row.Paused, League: l.Row.League, Parts: l.Parts, Rulings: l.Row.Rulings,
		Private: l.Row.Visibility == store.Private, Listed: l.Row.Visibility == store.Listed, Created: l.Row.Created, Changed: l.Row.Changed, Step: l.Step, Latest: l.Latest, Log: l.Tag(), View: l.View, Legal: l.Legal,
		Commitment: l.Row.Commitment, Seed: l.Row.Seed, Story: l.Story, Before: l.Before, Course: l.Course,
		JSON: func(open bool) any { return l.JSON(open) },
	}
}

func (g Games) Plan(ctx context.Context, id, key string, lines []string) (*web.Game, *web.Plan, error) {
	l, p, err := g.Host.Plan(ctx, id, key, lines)
	if err != nil {
		return nil, nil, err
	}
	if p == nil {
		return gameOf(l), nil, nil
	}
	return gameOf(l), &web.Plan{Plan: p, ReplyTo: g.s.ReplyTo(p.Token)}, nil
}

func (g Games) WhatIf(ctx context.Context, id, key string, at int, lines []string) (*web.Game, *turns.WhatIf, error) {
	l, w, err := g.Host.WhatIf(ctx, id, key, at, lines)
	if err != nil {
		return nil, nil, err
	}
	return gameOf(l), w, nil
}

func (g Games) Record(ctx context.Context, id, key string) (*game.Record, error) {
	return g.Host.RecordFor(ctx, id, key)
}

func (g Games) Upload(rec *game.Record) (*web.Upload, error) {
	set := g.s.Desk.Sets[rec.Set]
	if set == nil {
		return nil, fmt.Errorf("%w: no component set %.40q here", game.ErrRecord, rec.Set)
	}
	wrong, err := game.Verify(rec, set)
	if err != nil {
		return nil, err
	}
	played, err := game.Open(set, rec, -1)
	if err != nil {
		return nil, err
	}
	v, story := played.View(0), played.Story(0, -1)
	return &web.Upload{View: v, Story: story, Course: game.Course(story, len(v.Players)), Difference: wrong}, nil
}

func (g Games) Statistics(ctx context.Context) ([]statistics.Kind, error) {
	return g.s.Book().Kinds(ctx)
}

func (g Games) StatisticsOf(ctx context.Context, key string) (statistics.Kind, error) {
	return g.s.Book().Kind(ctx, key)
}

func (g Games) Ratings(ctx context.Context, people int) ([]rated.Kind, error) {
	return g.s.Ratings().Kinds(ctx, people)
}

func (g Games) RatingsOf(ctx context.Context, kind string, skip int) (rated.Kind, error) {
	return g.s.Ratings().Kind(ctx, kind, skip)
}

func (g Games) PlayerRatings(ctx context.Context, player int64) ([]rated.Career, error) {
	return g.s.Ratings().Player(ctx, player)
}

func (g Games) League(ctx context.Context, id string, want func(*league.State) []string) (*look.LeagueView, error) {
	return g.Host.LookLeague(ctx, id, want)
}

func (g Games) Leagues(ctx context.Context, over bool, before string, limit int) ([]*look.LeagueView, bool, error) {
	return g.Host.ListedLeagues(ctx, over, before, limit)
}

func (g Games) LeaguesOf(ctx context.Context, player int64) ([]*look.LeagueView, error) {
	return g.Host.ListedLeaguesOf(ctx, player)
}

func (g Games) LetterTo() string { return g.s.Conf.Plain() }

func (g Games) Tables(ctx context.Context) ([]web.Table, error) {
	rows, err := g.Host.Tables(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]web.Table, len(rows))
	for i, r := range rows {
		out[i] = web.Table{ID: r.Game, Name: r.Name, State: r, Address: g.s.Conf.Plain()}
	}
	return out, nil
}

func (g Games) Listed(ctx context.Context) ([]web.Listing, error) {
	rows, err := g.Host.Listed(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]web.Listing, len(rows))
	for i, r := range rows {
		out[i] = web.Listing{ID: r.ID, Name: r.Name, State: r.State, Round: r.Round, Players: r.Names}
	}
	return out, nil
}

func (g Games) ReplyTo(ctx context.Context, id, key string) (string, error) {
	token, err := g.Host.MailTo(ctx, id, key)
	if err != nil {
		return "", err
	}
	return g.s.ReplyTo(token), nil
}

func (g Games) Mute(ctx context.Context, id, key string) error {
	defer notify(g.s.wake) // others are told
	return g.s.Desk.Mute(ctx, id, key)
}

func (g Games) MuteLeague(ctx context.Context, id, key string) error {
	return g.s.Desk.MuteLeague(ctx, id, key)
}
