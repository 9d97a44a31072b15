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

// asset is a file of the pages, whose address changes with it.
func (s Server) asset(kind, text string) http.HandlerFunc {
	plain, zipped := newAnswer(kind, openForever, []byte(text), false), newAnswer(kind, openForever, []byte(text), true)
	return func(w http.ResponseWriter, r *http.Request) {
		if takesGzip(r) {
			zipped.serve(w, r)
			return
		}
		plain.serve(w, r)
	}
}

// robots asks search engines to leave private pages and the past alone.
func (s Server) robots(w http.ResponseWriter, r *http.Request) {
	s.send(w, r, "text/plain; charset=utf-8", openCache, []byte("User-agent: *\nDisallow: /g/*/*\nDisallow: /*?\nDisallow: /what-if/\nSitemap: "+s.BaseURL+"/sitemap.xml\n"))
}
