package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"angelpost/templates"
	"angelpost/templates/calendar"
	"angelpost/templates/words"
)

// Bounds of a connection. Pages are small and made in milliseconds; a client that is
// slower than this is not reading.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	writeTimeout  = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	workTimeout   = 10 * time.Second // for a page to be made
	maxHeader     = 16 << 10
	closeTimeout  = 3 * time.Second
)

// A Server answers requests. It needs all fields up to LetterTo.
type Server struct {
	Games      Games
	Archive    Archive
	Leagues    Leagues
	Statistics Statistics
	Ratings    Ratings
	Muter      Muter // nil: the buttons say that they work elsewhere

	// Moved is a number that grows whenever anything may have changed that pages tell.
	// What another process changes it knows two seconds later.
	Moved    func() uint64
	ReplyTo  func(token string) string // the address with a token; "" for none
	LetterTo string                    // the address to which anyone may write

	Words *words.Catalogue // nil: English
	Log   *slog.Logger     // nil: slog.Default()
	Now   func() time.Time // the server's clock, for deadlines; nil: time.Now

	// Overview returns how the server is, for its host, whose key it is; nil: no one can
	// ask.
	Overview func(ctx context.Context, key string) (*templates.HostPage, error)

	Privacy func() templates.Privacy // what /privacy says

	// Elsewhere returns the address of the pages of the server that a game's id names, without a
	// slash at its end; "" if that is none but this one. Siblings returns links to the host's
	// other servers. Nil: there are none.
	Elsewhere func(game string) string
	Siblings  func() []templates.Link

	// TrustedProxies are networks of reverse proxies whose X-Forwarded-For is
	// believed; nil: this machine alone.
	TrustedProxies []netip.Prefix

	// PostRoom returns the address of a post room with a mailto: link filled in, for the
	// player of a seat, "" if they have no mailbox there. Only the demo has one; else nil.
	PostRoom func(game string, seat int, mailto string) string

	Host       string   // the server's own name, of which the ids of feeds and of events in calendars are made
	FormerURLs []string // of the pages, before the server moved: links to them lead to BaseURL
	BaseURL    string   // of the pages, without a slash at its end: feeds and the sitemap name it. It may have a path
	// Version names the program that renders: part of the addresses of what may
	// be kept forever. Without it there are none.
	Version string

	// Of the Handler:
	path           string                 // of BaseURL, below which everything is; "" none
	keyLimiter     *limiter[netip.Prefix] // clients' wrong keys
	rateLimiter    *limiter[netip.Prefix] // clients' requests
	keyRateLimiter *limiter[string]       // requests with a right key
	cache          *pageCache
	samples        func() *templates.Sample // made once

	uploads *uploads
	looking *semaphore.Weighted // one at a time for viewing an uploaded record
}

// Handler is the server's whole tree of addresses.
func (s Server) Handler() http.Handler {
	if s.Words == nil {
		s.Words = words.English()
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Log == nil {
		s.Log = slog.Default()
	}
	s.Log = slog.New(tagging{s.Log.Handler()})
	if s.TrustedProxies == nil {
		s.TrustedProxies = thisMachine
	}
	s.keyLimiter = newLimiter[netip.Prefix](keyEvery, keyBurst)
	s.rateLimiter = newLimiter[netip.Prefix](time.Second/ratePerSecond, rateBurst)
	s.keyRateLimiter = newLimiter[string](time.Second/ratePerSecond, rateBurst)
	s.cache = newPageCache()
	s.samples = sync.OnceValue(func() *templates.Sample { return templates.SampleOf(s.Words, "/letter.png") })
	if s.Host = strings.ToLower(s.Host); s.Host == "" {
		s.Host = "localhost"
	}
	s.uploads, s.looking = newUploads(), semaphore.NewWeighted(1)
	s.path = pathOf(s.BaseURL)
	mux, _ := s.tree()
	return s.guard(s.leading(s.takesPath(cutsAppended(mux))))
}

// Patterns returns all addresses there are, as http.ServeMux names them. It is for
// tests: those of secrecy in cmd/internal/secrecytest hold that they ask for each.
func Patterns() []string {
	_, patterns := Server{}.tree()
	return patterns
}

// tree is everything that answers, by pattern.
func (s Server) tree() (mux *http.ServeMux, patterns []string) {
	mux = http.NewServeMux()
	handle := func(pattern string, h http.HandlerFunc) {
		mux.HandleFunc(pattern, s.rateLimited(h))
		patterns = append(patterns, pattern)
	}
	handle("GET /{$}", s.keeping(s.home))
	handle("GET /home.json", s.keeping(s.home))
	handle("GET /rules", s.keeping(s.rules))
	handle("GET /help", s.keeping(s.help))
	handle("GET /cards", s.keeping(s.cards))
	handle("GET /cards/{part}", s.keeping(s.cards))
	handle("GET /privacy", s.keeping(s.privacy))
	handle("GET /letter", s.keeping(s.letter))
	handle("GET /letter.png", s.keeping(s.letterPicture))
	handle("GET /g/{id}", s.keyLimited(s.keeping(s.game)))
	handle("GET /g/{id}/{key}", s.keyLimited(s.keeping(s.game)))
	handle("GET /g/{id}/view.json", s.keyLimited(s.keeping(s.json)))
	handle("GET /g/{id}/{key}/view.json", s.keyLimited(s.keeping(s.json)))
	handle("GET /g/{id}/news.json", s.keyLimited(s.keeping(s.news)))
	handle("GET /g/{id}/{key}/news.json", s.keyLimited(s.keeping(s.news)))
	handle("GET /g/{id}/{key}/plan/{steps...}", s.keyLimited(s.keeping(s.plan)))
	handle("GET /g/{id}/{key}/what-if/{at}/{steps...}", s.keyLimited(s.keeping(s.whatIf)))
	handle("GET /what-if/{id}/{at}/{steps...}", s.keyLimited(s.keeping(s.whatIf)))
	handle("GET /g/{id}/{key}/mute", s.keyLimited(bounded(s.askMute)))
	handle("POST /g/{id}/{key}/mute", s.keyLimited(bounded(s.mute)))
	handle("GET /g/{id}/history", s.keyLimited(s.keeping(s.history)))
	handle("GET /g/{id}/{key}/history", s.keyLimited(s.keeping(s.history)))
	handle("GET /g/{id}/history.json", s.keyLimited(s.keeping(s.historyData)))
	handle("GET /g/{id}/{key}/history.json", s.keyLimited(s.keeping(s.historyData)))
	handle("GET /g/{id}/{key}/"+calendar.FileName, s.keyLimited(s.keeping(s.deadline)))
	handle("GET /g/{id}/{key}/talk", s.keyLimited(s.keeping(s.talk)))
	handle("GET /g/{id}/{key}/talk.json", s.keyLimited(s.keeping(s.talk)))
	handle("GET /g/{id}/record.json", s.keyLimited(s.keeping(s.record)))
	handle("GET /g/{id}/{key}/record.json", s.keyLimited(s.keeping(s.record)))
	handle("GET /g/{id}/feed.atom", s.keyLimited(s.keeping(s.gameFeed)))
	handle("GET /g/{id}/{key}/feed.atom", s.keyLimited(s.keeping(s.gameFeed)))
	handle("GET /me/{key}", s.keyLimited(s.keeping(s.me)))
	handle("GET /me/{key}/me.json", s.keyLimited(s.keeping(s.me)))
	handle("GET /me/{key}/news.json", s.keyLimited(s.keeping(s.myNews)))
	handle("GET /me/{key}/deadlines.ics", s.keyLimited(s.keeping(s.myDeadlines)))
	handle("GET /me/{key}/feed.atom", s.keyLimited(s.keeping(s.myFeed)))
	handle("GET /host/{key}/{$}", s.keyLimited(bounded(s.overview)))
	handle("GET /host/{key}/host.json", s.keyLimited(bounded(s.overview)))
	handle("GET /games", s.keeping(s.archive))
	handle("GET /games.json", s.keeping(s.archive))
	handle("GET /feed.atom", s.keeping(s.serverFeed))
	handle("GET /players/{player}", s.keeping(s.player))
	handle("GET /players/{player}/player.json", s.keeping(s.player))
	handle("GET /players/{player}/feed.atom", s.keeping(s.playerFeed))
	handle("GET /statistics", s.keeping(s.statistics))
	handle("GET /statistics.json", s.keeping(s.statistics))
	handle("GET /statistics/{kind}", s.keeping(s.kind))
	handle("GET /statistics/{kind}/kind.json", s.keeping(s.kind))
	handle("GET /ratings", s.keeping(s.ratings))
	handle("GET /ratings.json", s.keeping(s.ratings))
	handle("GET /ratings/{kind}", s.keeping(s.ratingKind))
	handle("GET /ratings/{kind}/kind.json", s.keeping(s.ratingKind))
	handle("GET /leagues", s.keeping(s.leagues))
	handle("GET /leagues.json", s.keeping(s.leagues))
	handle("GET "+templates.GuideHref, s.keeping(s.guide))
	handle("GET /l/{league}", s.keeping(s.league))
	handle("GET /l/{league}/league.json", s.keeping(s.league))
	handle("GET /l/{league}/league.txt", s.keeping(s.leagueFile))
	handle("GET /l/{league}/log.json", s.keeping(s.leagueLog))
	handle("GET /l/{league}/feed.atom", s.keeping(s.leagueFeed))
	handle("GET /l/{league}/years", s.keeping(s.leagueYears))
	handle("GET /l/{league}/years.json", s.keeping(s.leagueYears))
	handle("GET /l/{league}/rulings", s.keeping(s.rulings))
	handle("GET /l/{league}/rulings.json", s.keeping(s.rulings))
	handle("GET /l/{league}/{key}/mute", s.keyLimited(bounded(s.askMute)))
	handle("POST /l/{league}/{key}/mute", s.keyLimited(bounded(s.mute)))
	handle("GET /l/{league}/{season}", s.keeping(s.leagueSeason))
	handle("GET /l/{league}/{season}/season.json", s.keeping(s.leagueSeason))
	handle("GET /l/{league}/{season}/{division}", s.keeping(s.leagueDivision))
	handle("GET /l/{league}/{season}/{division}/division.json", s.keeping(s.leagueDivision))
	handle("GET /look", s.askRecord)
	handle("POST /look", s.showRecord)
	handle("POST /look.json", s.showRecord)
	handle("GET /pictures/{id}/{at}/{file}", s.keyLimited(s.keeping(s.picture)))
	handle("GET "+table().path, s.keeping(s.tablePicture))
	handle("GET /sitemap.xml", s.keeping(s.sitemap))
	handle("GET /sitemaps/{before}", s.keeping(s.sitePage))
	handle("GET /robots.txt", s.robots)
	handle("GET "+stylePath, s.asset("text/css; charset=utf-8", styleSheet))
	handle("GET "+iconPath, s.asset("image/svg+xml", iconFile))
	handle("GET "+scriptPath, s.asset("text/javascript; charset=utf-8", script))
	handle("/", cutsSlash(mux, s.missing))
	return mux, patterns
}

// Serve answers requests on a listener with h until ctx ends, then closes within three
// seconds, cutting off slow readers. It returns nil after such a close.
func Serve(ctx context.Context, ln net.Listener, h http.Handler, log *slog.Logger) error {
	srv := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	done := make(chan error, 1)
	go func() { done <- srv.Serve(ln) }()
	select {
	case err := <-done:
		return fmt.Errorf("serve pages: %w", err)
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if err := srv.Shutdown(closing); err != nil {
		srv.Close() // clients that still read are cut off
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve pages: %w", err)
	}
	return nil
}

// guard puts the headers on every answer, survives a panic and logs the request: its pattern and, once it is found, its game, never its
// address, of which any part may be a key.
func (s Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		for name, value := range securityHeaders {
			h[name] = value
		}
		begin := time.Now()
		plain := r
		r = identified(r)
		defer func() { plain.Pattern = r.Pattern }() // those who hold the request ask for it
		rec := &recorder{ResponseWriter: w, path: s.path}
		defer func() {
			if p := recover(); p != nil {
				s.Log.ErrorContext(r.Context(), "a page panicked", "pattern", r.Pattern, "panic", fmt.Sprint(p))
				if rec.status == 0 {
					s.fail(rec, r)
				}
			}
			if !s.Log.Enabled(r.Context(), slog.LevelInfo) {
				return
			}
			game := ""
			if rec.status == http.StatusOK {
				game = r.PathValue("id")
			}
			s.Log.LogAttrs(r.Context(), slog.LevelInfo, "request", slog.String("method", r.Method), slog.String("pattern", r.Pattern), slog.String("game", game),
				slog.Int("status", rec.status), slog.Int("bytes", rec.bytes), slog.Duration("took", time.Since(begin)))
		}()
		next.ServeHTTP(rec, r)
	})
}

// securityHeaders are set on every answer; none of them is changed in place.
var securityHeaders = http.Header{
	"Content-Security-Policy":      {policy("'none'")},
	"Referrer-Policy":              {"no-referrer"},
	"X-Content-Type-Options":       {"nosniff"},
	"X-Frame-Options":              {"DENY"},
	"X-Robots-Tag":                 {"noindex, nofollow"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
}

// bounded gives next's work a bound.
func bounded(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), workTimeout)
		defer cancel()
		next(w, r.WithContext(ctx))
	}
}

// policy is the Content-Security-Policy of a page whose forms go to forms.
func policy(forms string) string {
	return "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action " + forms + "; frame-ancestors 'none'"
}

// A recorder remembers what was answered.
type recorder struct {
	http.ResponseWriter
	path          string // of the pages' address
	status, bytes int
	keyLimited    bool          // the address asked for holds a secret
	keep          func(*answer) // nil: the answer is not kept
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	if to := r.Header().Get("Location"); strings.HasPrefix(to, "/") {
		r.Header().Set("Location", r.path+to)
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += n
	return n, err
}
