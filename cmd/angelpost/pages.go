package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"angelpost/engine/match"
	"angelpost/web"
)

// pages is the web server's tree of addresses.
func (s *server) pages() http.Handler {
	return web.Server{Games: games{s}, Words: s.words, Log: s.log}.Handler()
}

// games is the desk's host as the pages see it.
type games struct{ *server }

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
		ID: l.Row.ID, Name: l.Row.Name, State: l.Row.State, Names: l.Names, Joined: l.Row.Joined, Options: l.Row.Options,
		Private: l.Row.Visibility == match.Private, Step: l.Step, Latest: l.Latest, View: l.View, Legal: l.Legal,
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

// notFound speaks of what is not there in the pages' own words.
func notFound(err error) error {
	if errors.Is(err, match.ErrNotFound) {
		return fmt.Errorf("%w: %w", web.ErrNotFound, err)
	}
	return err
}
