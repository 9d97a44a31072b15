// Package health tells a host's monitoring how the server is: metrics for Prometheus,
// /healthz and /readyz on a listener of their own, and systemd's watchdog.
//
// Five parts of the server report here whenever they have come round, with what they
// could not do: the writer of the database, the watcher of the mailbox, the clock, the
// sender of letters, the replica. A
// part that has not come round for longer than its patience hangs: then /healthz fails
// and the watchdog hears nothing, so that systemd restarts the server. A part that
// comes round with an error is at work and waits for something outside, a mail server or
// room on the disk, which no restart brings: only /readyz fails.
package health

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"angelpost/db"
)

// A Part is something that must keep coming round for the server to be alive.
type Part int

// The parts.
const (
	Writer Part = iota
	Mailbox
	Clock
	Sender  // of letters; it is silent while there are none to send
	Replica // of the database, if there is one
)

// parts names each Part and says how long it may take to come round. A mailbox with
// thousands of new letters, or a server that answers slowly, takes minutes. 0: as long as
// it likes.
var parts = []struct {
	name     string
	patience time.Duration
}{
	Writer:  {"writer", 5 * time.Minute},
	Mailbox: {"mailbox", 15 * time.Minute},
	Clock:   {"clock", 5 * time.Minute},
	Sender:  {"sender", 0},
	Replica: {"replica", 0},
}

// Config is what a Health needs.
type Config struct {
	Figures func(context.Context) (db.Figures, error)
	Kinds   []string // of alarms
	Version string   // of the program
	Commit  string
	Now     func() time.Time // the server's clock, by which rows are dated
	Steady  func() time.Time // for how long parts are silent; nil: time.Now
	Log     *slog.Logger
}

// A Health records what the parts of the server report, for metrics and alarms. It is safe
// for concurrent use.
type Health struct {
	Config
	registry *prometheus.Registry
	in, out  *prometheus.CounterVec
	requests *prometheus.HistogramVec

	mu       sync.Mutex
	parts    []part
	idleLate bool
}

type part struct {
	came  time.Time // when it last came round
	err   error
	since time.Time // when err first occurred
}

func (x *part) hangs(p Part, now time.Time) bool {
	return parts[p].patience > 0 && now.Sub(x.came) > parts[p].patience
}

// New returns the Health of a server that starts now.
func New(c Config) *Health {
	if c.Steady == nil {
		c.Steady = time.Now
	}
	h := &Health{
		Config:   c,
		registry: prometheus.NewRegistry(),
		in: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "angelpost_letters_in_total", Help: "Letters read, by what became of them."}, []string{"outcome"}),
		out: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "angelpost_letters_out_total", Help: "Letters that were sent, put off or given up."}, []string{"result"}),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "angelpost_http_request_duration_seconds", Help: "Requests for pages and data.",
			Buckets: []float64{.001, .005, .025, .1, .5, 2, 10}}, []string{"code", "method"}),
		parts: make([]part, len(parts)),
	}
	now := c.Steady()
	for i := range h.parts {
		h.parts[i].came = now
	}
	h.parts[Mailbox].err, h.parts[Mailbox].since = errNotYet, now
	for _, result := range []string{Sent, PutOff, GivenUp} {
		h.out.WithLabelValues(result)
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "angelpost_build_info", Help: "Always 1; its labels say which program runs.", ConstLabels: prometheus.Labels{"version": c.Version, "commit": c.Commit}})
	build.Set(1)
	liveHeap := collectors.GoRuntimeMetricsRule{Matcher: regexp.MustCompile("^/gc/heap/live:bytes$")} // a leak makes it grow
	h.registry.MustRegister(h.in, h.out, h.requests, build, gauges{h}, collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(liveHeap)),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return h
}

var errNotYet = fmt.Errorf("not connected yet")

// What becomes of letters out, for LettersOut.
const (
	Sent    = "sent"
	PutOff  = "put off"
	GivenUp = "given up"
)

// Round says that a part has come round, and what it could not do; nil: nothing.
func (h *Health) Round(p Part, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	x := &h.parts[p]
	x.came = h.Steady()
	if err != nil && x.err == nil {
		x.since = x.came
	}
	x.err = err
}

// Busy says that a part is at work and has not come round yet.
func (h *Health) Busy(p Part) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.parts[p].came = h.Steady()
}

// IdleLate says whether the mail server fails to tell of letters by IDLE.
func (h *Health) IdleLate(late bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.idleLate = late
}

// Trouble returns why a part cannot work, and for how long; nil if it can. One that hangs
// cannot.
func (h *Health) Trouble(p Part) (lasts time.Duration, why error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	x, now := &h.parts[p], h.Steady()
	switch silent := now.Sub(x.came); {
	case x.hangs(p, now):
		return silent, fmt.Errorf("the %s hangs", parts[p].name)
	case x.err != nil:
		return now.Sub(x.since), x.err
	}
	return 0, nil
}

// LetterIn counts a letter that was read.
func (h *Health) LetterIn(outcome string) { h.in.WithLabelValues(outcome).Inc() }

// LettersOut counts n letters that were Sent, PutOff or GivenUp.
func (h *Health) LettersOut(result string, n int) { h.out.WithLabelValues(result).Add(float64(n)) }

// Requests counts and times what next answers.
func (h *Health) Requests(next http.Handler) http.Handler {
	return promhttp.InstrumentHandlerDuration(h.requests, next)
}

// troubles says in a line each which parts hang, and, of the others, which cannot work.
func (h *Health) troubles() (hanging, waiting []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.Steady()
	for i, x := range h.parts {
		switch silent := now.Sub(x.came); {
		case x.hangs(Part(i), now):
			hanging = append(hanging, fmt.Sprintf("The %s has hung for %v.\n", parts[i].name, silent.Round(time.Second)))
		case x.err != nil: // it may quote addresses: the log has it
			waiting = append(waiting, fmt.Sprintf("The %s has not worked for %v; the log says why.\n", parts[i].name, now.Sub(x.since).Round(time.Second)))
		}
	}
	return hanging, waiting
}

// Handler answers for metrics.addr: /metrics, /healthz (200 unless a part hangs) and
// /readyz (200 if all parts work).
func (h *Health) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(h.registry, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(h.Log.Handler(), slog.LevelError), ErrorHandling: promhttp.ContinueOnError, MaxRequestsInFlight: 2}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		hanging, _ := h.troubles()
		say(w, hanging)
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		hanging, waiting := h.troubles()
		say(w, append(hanging, waiting...))
	})
	return mux
}

func say(w http.ResponseWriter, troubles []string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	if len(troubles) > 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, strings.Join(troubles, ""))
		return
	}
	fmt.Fprintln(w, "ok")
}

// Notify tells systemd, if it started the program, that the server is ready, until ctx
// ends that it is alive, as often as the unit's WatchdogSec wants to hear, and then that
// it stops.
func (h *Health) Notify(ctx context.Context) error {
	defer tell(h.Log, daemon.SdNotifyStopping)
	return h.Alive(ctx)
}

// Alive is Notify for a server whose program goes on after it.
func (h *Health) Alive(ctx context.Context) error {
	return Alive(ctx, h.Log, func() []string { hanging, _ := h.troubles(); return hanging })
}

// Alive tells systemd, if it started the program, that this is ready, and until ctx ends that it
// is alive unless something hangs.
func Alive(ctx context.Context, log *slog.Logger, hangs func() []string) error {
	tell(log, daemon.SdNotifyReady)
	every, err := daemon.SdWatchdogEnabled(false)
	if err != nil {
		log.Warn("could not read the watchdog's interval", "err", err)
	}
	if err != nil || every <= 0 {
		<-ctx.Done()
		return nil
	}
	ticks := time.NewTicker(every / 3)
	defer ticks.Stop()
	for {
		if hanging := hangs(); len(hanging) == 0 {
			tell(log, daemon.SdNotifyWatchdog)
		} else {
			log.Error("the server hangs; systemd's watchdog gets no signal and will restart it", "why", strings.TrimSpace(strings.Join(hanging, "")))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
		}
	}
}

func tell(log *slog.Logger, state string) {
	if _, err := daemon.SdNotify(false, state); err != nil {
		log.Warn("could not notify systemd", "state", state, "err", err)
	}
}
