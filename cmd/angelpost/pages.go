package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"angelpost/engine/league"
	"angelpost/engine/match"
	"angelpost/engine/rated"
	"angelpost/engine/statistics"
	"angelpost/web"
)

// pages is the web server's tree of addresses.
func (s *server) pages() http.Handler {
	return web.Server{Games: games{s}, Words: s.words, Log: s.log, Version: programHash(), BaseURL: strings.TrimRight(s.conf.HTTP.BaseURL, "/")}.Handler()
}

// games is the desk's host as the pages see it.
type games struct{ *server }

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

func (g games) Moved() uint64 { return g.db.Moved() }

func (g games) Look(ctx context.Context, id, key string, at int) (*web.Game, error) {
	l, err := g.desk.Host().Look(ctx, id, key, at)
	if err != nil {
		return nil, notFound(err)
	}
	return gameOf(l), nil
}

// gameOf is a glance as the pages take it.
func gameOf(l *match.Glance) *web.Game {
	return &web.Game{
		ID: l.Row.ID, Name: l.Row.Name, State: l.Row.State, Names: l.Names, Joined: l.Row.Joined, Options: l.Row.Options, Deadlines: l.Row.Deadlines, Paused: l.Row.Paused, League: l.Row.League, Parts: l.Parts, Rulings: l.Row.Rulings,
		Private: l.Row.Visibility == match.Private, Listed: l.Row.Visibility == match.Listed, Created: l.Row.Created, Changed: l.Row.Changed, Step: l.Step, Latest: l.Latest, Log: l.Tag(), View: l.View, Legal: l.Legal,
		Commitment: l.Row.Commitment, Seed: l.Row.Seed, Story: l.Story, Before: l.Before, Course: l.Course,
		JSON: func(open bool) any { return l.JSON(open) },
	}
}

func (g games) Plan(ctx context.Context, id, key string, lines []string) (*web.Game, *web.Plan, error) {
	l, p, err := g.desk.Host().Plan(ctx, id, key, lines)
	if err != nil {
		return nil, nil, notFound(err)
	}
	if p == nil {
		return gameOf(l), nil, nil
	}
	return gameOf(l), &web.Plan{Plan: p, ReplyTo: g.replyTo(p.Token)}, nil
}

func (g games) Ahead(ctx context.Context, id, key string) ([]string, error) {
	lines, err := g.desk.Host().Ahead(ctx, id, key)
	return lines, notFound(err)
}

func (g games) WhatIf(ctx context.Context, id, key string, at int, lines []string) (*web.Game, *match.WhatIf, error) {
	l, w, err := g.desk.Host().WhatIf(ctx, id, key, at, lines)
	if err != nil {
		return nil, nil, notFound(err)
	}
	return gameOf(l), w, nil
}

func (g games) Record(ctx context.Context, id, key string) (*match.Record, error) {
	rec, err := g.desk.Host().RecordFor(ctx, id, key)
	return rec, notFound(err)
}

func (g games) Upload(rec *match.Record) (*web.Upload, error) {
	set := g.desk.Sets[rec.Set]
	if set == nil {
		return nil, fmt.Errorf("%w: no component set %.40q here", match.ErrRecord, rec.Set)
	}
	wrong, err := match.Verify(rec, set)
	if err != nil {
		return nil, err
	}
	played, err := match.Open(set, rec, -1)
	if err != nil {
		return nil, err
	}
	v, story := played.View(0), played.Story(0, -1)
	return &web.Upload{View: v, Story: story, Course: match.Course(story, len(v.Players)), Difference: wrong}, nil
}

func (g games) Talk(ctx context.Context, id, key, words string, before time.Time, limit int) ([]match.Said, bool, error) {
	said, more, err := g.desk.Host().Talk(ctx, id, key, words, before, limit)
	return said, more, notFound(err)
}

func (g games) Archive(ctx context.Context, q match.Search) ([]match.Entry, bool, error) {
	entries, more, err := g.desk.Host().Archive(ctx, q)
	return entries, more, notFound(err)
}

func (g games) Sitemap(ctx context.Context, before string, limit int) ([]match.GameRow, error) {
	rows, err := g.desk.Host().Sitemap(ctx, before, limit)
	return rows, notFound(err)
}

func (g games) SitemapPages(ctx context.Context, size int) ([]string, error) {
	return g.desk.Host().SitemapPages(ctx, size)
}

func (g games) Career(ctx context.Context, player int64) (*match.Career, error) {
	c, err := g.desk.Host().Career(ctx, player)
	return c, notFound(err)
}

func (g games) Statistics(ctx context.Context) ([]statistics.Kind, error) { return g.book().Kinds(ctx) }

func (g games) StatisticsOf(ctx context.Context, key string) (statistics.Kind, error) {
	k, err := g.book().Kind(ctx, key)
	return k, notFound(err)
}

func (g games) Ratings(ctx context.Context, people int) ([]rated.Kind, error) {
	return g.ratings().Kinds(ctx, people)
}

func (g games) RatingsOf(ctx context.Context, kind string, skip int) (rated.Kind, error) {
	k, err := g.ratings().Kind(ctx, kind, skip)
	return k, notFound(err)
}

func (g games) PlayerRatings(ctx context.Context, player int64) ([]rated.Career, error) {
	return g.ratings().Player(ctx, player)
}

func (g games) League(ctx context.Context, id string, want func(*league.State) []string) (*match.LeagueLook, error) {
	l, err := g.desk.Host().LookLeague(ctx, id, want)
	return l, notFound(err)
}

func (g games) Leagues(ctx context.Context, over bool, before string, limit int) ([]*match.LeagueLook, bool, error) {
	return g.desk.Host().ListedLeagues(ctx, over, before, limit)
}

func (g games) LeaguesOf(ctx context.Context, player int64) ([]*match.LeagueLook, error) {
	return g.desk.Host().ListedLeaguesOf(ctx, player)
}

func (g games) LeagueLog(ctx context.Context, id string, after, limit int) ([]league.Line, bool, error) {
	lines, more, err := g.desk.Host().LeagueLog(ctx, id, after, limit)
	return lines, more, notFound(err)
}

func (g games) LetterTo() string { return g.conf.plain() }

func (g games) Tables(ctx context.Context) ([]web.Table, error) {
	rows, err := g.desk.Host().Tables(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]web.Table, len(rows))
	for i, r := range rows {
		out[i] = web.Table{ID: r.Game, Name: r.Name, State: r, Address: g.conf.plain()}
	}
	return out, nil
}

func (g games) Listed(ctx context.Context) ([]web.Listing, error) {
	rows, err := g.desk.Host().Listed(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]web.Listing, len(rows))
	for i, r := range rows {
		out[i] = web.Listing{ID: r.ID, Name: r.Name, State: r.State, Round: r.Round, Players: r.Names}
	}
	return out, nil
}

func (g games) ReplyTo(ctx context.Context, id, key string) (string, error) {
	token, err := g.desk.Host().MailTo(ctx, id, key)
	if err != nil {
		return "", notFound(err)
	}
	return g.replyTo(token), nil
}

func (g games) Muted(ctx context.Context, id, key string) (string, bool, error) {
	name, muted, err := g.desk.Host().Muted(ctx, id, key)
	return name, muted, notFound(err)
}

func (g games) Mute(ctx context.Context, id, key string) error {
	defer poke(g.wake) // others are told
	return notFound(g.desk.Mute(ctx, id, key))
}

func (g games) LeagueMuted(ctx context.Context, id, key string) (string, bool, error) {
	name, muted, err := g.desk.Host().LeagueMuted(ctx, id, key)
	return name, muted, notFound(err)
}

func (g games) MuteLeague(ctx context.Context, id, key string) error {
	return notFound(g.desk.MuteLeague(ctx, id, key))
}

// notFound speaks of what is not there in the pages' own words.
func notFound(err error) error {
	if errors.Is(err, match.ErrNotFound) {
		return fmt.Errorf("%w: %w", web.ErrNotFound, err)
	}
	return err
}
