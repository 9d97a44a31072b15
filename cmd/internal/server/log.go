package server

import (
	"fmt"
	"io"
	"log/slog"
	"regexp"
)

// logLevels are the levels that log.level may name.
var logLevels = map[string]slog.Level{"": slog.LevelInfo, "debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}

// ServeLog is the log of a server at work, as its configuration wants it.
func (c *Config) ServeLog(w io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: logLevels[c.Log.Level], ReplaceAttr: unsecret}
	if c.Log.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

// NewLog writes what the program says of itself to w. Tokens, page keys and
// seeds never stand in it: nothing here hands one to a log, and what looks like
// one in a text from elsewhere, such as a mail server's reason for a refusal,
// is left out.
func NewLog(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: unsecret}))
}

// A token or key is 128 bits in base32, in a link behind %2B perhaps; a seed is
// 256 bits in hexadecimal.
var secretText = regexp.MustCompile(`(?i)(\b|%2b|_)(?:[a-z2-7]{26}|[a-z2-7]{48}|[0-9a-f]{64})(\b|_)`)

func unsecret(_ []string, a slog.Attr) slog.Attr {
	var text string
	switch a.Value.Kind() {
	case slog.KindString:
		text = a.Value.String()
	case slog.KindAny:
		text = fmt.Sprintf("%+v", a.Value.Any())
	default:
		return a
	}
	if secretText.MatchString(text) {
		a.Value = slog.StringValue(secretText.ReplaceAllString(text, "$1(secret)$2"))
	}
	return a
}
