package web

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"net/http"

	"angelpost/templates/draw"
)

//go:embed style.css
var ownStyle string

//go:embed walk.js
var script string

//go:embed icon.svg
var iconFile string

var (
	styleSheet = ownStyle + draw.CSS + draw.ChartCSS
	// The names change with what the files hold, so that browsers may keep them.
	stylePath = "/style-" + sum(styleSheet) + ".css"
	iconPath  = "/icon-" + sum(iconFile) + ".svg"
	// Keys, slider and the reader's time zone; the pages do without.
	scriptPath = "/walk-" + sum(script) + ".js"
)

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:6])
}

func style(w http.ResponseWriter, _ *http.Request) { asset(w, "text/css; charset=utf-8", styleSheet) }
func icon(w http.ResponseWriter, _ *http.Request)  { asset(w, "image/svg+xml", iconFile) }

func scripts(w http.ResponseWriter, _ *http.Request) {
	asset(w, "text/javascript; charset=utf-8", script)
}

func asset(w http.ResponseWriter, kind, body string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	w.Write([]byte(body))
}

// robots asks search engines to leave games alone.
func robots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Write([]byte("User-agent: *\nDisallow: /g/\nDisallow: /what-if/\n"))
}
