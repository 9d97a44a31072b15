package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"

	"angelpost/engine/match/desk"
	"angelpost/web"
)

// Pages is the web server's tree of addresses.
func (s *Server) Pages() http.Handler { return s.Web().Handler() }

// Web is the server of pages, which read from the desk's host.
func (s *Server) Web() web.Server {
	host := s.Desk.Host()
	proxies, _ := s.Conf.trustedProxies() // checked when it was read
	return web.Server{
		Games: host, Archive: host, Leagues: host, Statistics: s.Book(), Ratings: s.Ratings(), Muter: button{s.Desk, s},
		Moved: s.DB.Moved, ReplyTo: s.ReplyTo, LetterTo: s.Conf.Plain(),
		Elsewhere: s.gameElsewhere, Siblings: s.siblingLinks,
		Privacy: s.privacy, Overview: s.overview, Words: s.Words, Log: s.log, Now: s.time.now, TrustedProxies: proxies,
		Host: s.Conf.NamedBy(), FormerURLs: s.Conf.HTTP.Former, BaseURL: strings.TrimRight(s.Conf.HTTP.BaseURL, "/"), Version: programHash(),
	}
}

// A button mutes games and leagues at the desk.
type button struct {
	*desk.Desk
	s *Server
}

// Mute wakes the sender: others are told.
func (b button) Mute(ctx context.Context, id, key string) error {
	defer notify(b.s.wake)
	return b.safely(ctx, b.Desk.Mute(ctx, id, key))
}

// MuteLeague is Mute for a league.
func (b button) MuteLeague(ctx context.Context, id, key string) error {
	return b.safely(ctx, b.Desk.MuteLeague(ctx, id, key))
}

func (b button) safely(ctx context.Context, err error) error {
	if err != nil {
		return err
	}
	return b.s.replica.Wait(ctx)
}

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
	if err != nil { // nothing is kept forever, then
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
})
