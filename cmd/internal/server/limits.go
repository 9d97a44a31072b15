package server

import (
	"context"
	"fmt"
	"strings"
	"time"

	"angelpost/mail/outbox"
)

// limits says how many letters may be sent; "" for any number.
func (c *Config) limits() string {
	var out []string
	if n := c.SMTP.PerMinute; n > 0 {
		out = append(out, fmt.Sprintf("smtp.per_minute = %d", n))
	}
	if n := c.SMTP.PerDay; n > 0 {
		out = append(out, fmt.Sprintf("smtp.per_day = %d", n))
	}
	return strings.Join(out, ", ")
}

// sendingLimits are the limits of the outbox, with what was sent before the start.
func (s *Server) sendingLimits(ctx context.Context) (out outbox.Limits, err error) {
	out = outbox.Limits{PerMinute: s.Conf.SMTP.PerMinute, PerDay: s.Conf.SMTP.PerDay}
	if s.Conf.limits() == "" {
		return out, nil
	}
	sendings, err := s.DB.Sendings(ctx, s.time.now())
	for _, g := range sendings {
		for range min(g.Letters, maxPerDay) {
			out.Sent = append(out.Sent, g.At)
		}
	}
	return out, err
}

// sending says how many letters were sent of those that may be; "" if any number may.
func (s *Server) sending(ctx context.Context, now time.Time) (string, error) {
	limits := s.Conf.limits()
	if limits == "" {
		return "", nil
	}
	sendings, err := s.DB.Sendings(ctx, now)
	sum := 0
	for _, g := range sendings {
		sum += g.Letters
	}
	return fmt.Sprintf("%d letters sent in 24 hours (%s)", sum, limits), err
}
