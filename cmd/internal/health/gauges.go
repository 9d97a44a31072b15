package health

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"angelpost/db"
)

// figuresWait is how long the database may take to be counted.
const figuresWait = 5 * time.Second

// gauges are what is read when Prometheus asks.
type gauges struct{ *Health }

// A gauge is one figure of the database.
type gauge struct {
	desc  *prometheus.Desc
	value func(db.Figures, time.Time) float64
}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("angelpost_"+name, help, labels, nil)
}

var figures = []gauge{
	{describe("outbox_letters", "Letters that wait to be sent."), func(f db.Figures, _ time.Time) float64 { return float64(f.Queued) }},
	{describe("outbox_oldest_seconds", "Age of the oldest letter that waits to be sent; 0 if none waits."),
		func(f db.Figures, now time.Time) float64 {
			if f.OldestQueued.IsZero() {
				return 0
			}
			return max(0, now.Sub(f.OldestQueued).Seconds())
		}},
	{describe("letters_aside", "Letters that were set aside because they failed three times."), func(f db.Figures, _ time.Time) float64 { return float64(f.Aside) }},
	{describe("letters_held", "Letters that wait for a confirmation."), func(f db.Figures, _ time.Time) float64 { return float64(f.Held) }},
	{describe("letters_unapplied", "Letters that are stored and not applied yet."), func(f db.Figures, _ time.Time) float64 { return float64(f.New) }},
	{describe("last_letter_timestamp_seconds", "When the last letter was received; 0 if none was."),
		func(f db.Figures, _ time.Time) float64 {
			if f.LastIn.IsZero() {
				return 0
			}
			return float64(f.LastIn.UnixMilli()) / 1000
		}},
	{describe("games_running", "Games under way."), func(f db.Figures, _ time.Time) float64 { return float64(f.Running) }},
	{describe("players", "Players known."), func(f db.Figures, _ time.Time) float64 { return float64(f.Players) }},
	{describe("database_bytes", "Size of the database, without its WAL."), func(f db.Figures, _ time.Time) float64 { return float64(f.Size) }},
}

var (
	connected = describe("mailbox_connected", "1 if the mailbox could be read when it was last tried.")
	idleLate  = describe("mailbox_idle_late", "1 if the mail server does not tell of letters by IDLE; then the server looks every 30 seconds.")
	alarm     = describe("alarm", "1 while there is an alarm of this kind.", "kind")
	working   = describe("part_working", "1 if a part of the server works, 0 if it hangs or cannot work.", "part")
)

func (g gauges) Describe(to chan<- *prometheus.Desc) {
	to <- connected
	to <- idleLate
	to <- working
	to <- alarm
	for _, f := range figures {
		to <- f.desc
	}
}

func (g gauges) Collect(to chan<- prometheus.Metric) {
	bit := map[bool]float64{true: 1}
	g.mu.Lock()
	now := g.Steady()
	for i, x := range g.parts {
		works := x.err == nil && !x.hangs(Part(i), now)
		to <- prometheus.MustNewConstMetric(working, prometheus.GaugeValue, bit[works], parts[i].name)
		if Part(i) == Mailbox {
			to <- prometheus.MustNewConstMetric(connected, prometheus.GaugeValue, bit[works])
		}
	}
	to <- prometheus.MustNewConstMetric(idleLate, prometheus.GaugeValue, bit[g.idleLate])
	g.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), figuresWait)
	defer cancel()
	found, err := g.Figures(ctx)
	for _, kind := range g.Kinds {
		to <- prometheus.MustNewConstMetric(alarm, prometheus.GaugeValue, bit[slices.Contains(found.Alarms, kind)], strings.TrimPrefix(kind, "alarm-"))
	}
	for _, f := range figures {
		if err != nil {
			to <- prometheus.NewInvalidMetric(f.desc, err)
			continue
		}
		to <- prometheus.MustNewConstMetric(f.desc, prometheus.GaugeValue, f.value(found, g.Now()))
	}
}
