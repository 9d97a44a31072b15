package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"

	"angelpost/templates/draw"
)

// The style sheets and scripts are one of each for all pages, joined by name.
//
//go:embed style/*.css script/*.js
var parts embed.FS

//go:embed icon.svg
var iconFile string

var (
	styleSheet = joined("style") + draw.ChartCSS
	script     = joined("script")
	// The names change with what the files hold, so that browsers may keep them.
	stylePath = "/style-" + sum(styleSheet) + ".css"
	iconPath  = "/icon-" + sum(iconFile) + ".svg"
	// Keys, slider and the reader's time zone; the pages do without.
	scriptPath = "/pages-" + sum(script) + ".js"
)

// StyleSheet is the style sheet of all pages, for a stand-alone page.
func StyleSheet() string { return styleSheet }

// joined is what the files of a folder hold, in the order of their names.
func joined(folder string) string {
	files, err := parts.ReadDir(folder)
	if err != nil {
		panic(err) // they are part of the program
	}
	var b strings.Builder
	for _, f := range files {
		text, err := parts.ReadFile(folder + "/" + f.Name())
		if err != nil {
			panic(err)
		}
		b.Write(text)
	}
	return b.String()
}

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:6])
}

// assets are the answers with the files of the pages, plain and compressed, by the text:
// every server of a process has the same.
var assets sync.Map

// asset is a file of the pages, whose address changes with it.
func (s Server) asset(kind, text string) http.HandlerFunc {
	known, ok := assets.Load(text)
	if !ok {
		known, _ = assets.LoadOrStore(text, [2]*answer{newAnswer(kind, openForever, []byte(text), false), newAnswer(kind, openForever, []byte(text), true)})
	}
	plain, zipped := known.([2]*answer)[0], known.([2]*answer)[1]
	return func(w http.ResponseWriter, r *http.Request) {
		if takesGzip(r) {
			zipped.serve(w, r)
			return
		}
		plain.serve(w, r)
	}
}

// robots asks search engines to leave private pages and the past alone. Calendars and feeds are
// allowed wherever they are: what subscribes to them for a person (Google Calendar) obeys this file.
// Their X-Robots-Tag keeps them out of search results. Below a path no one asks for this file; its
// rules are for that of the host's other pages.
func (s Server) robots(w http.ResponseWriter, r *http.Request) {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for _, rule := range []string{"Allow: */*.ics$", "Allow: */*.atom$", "Disallow: */g/*/*", "Disallow: */me/", "Disallow: */host/", "Disallow: */l/*/*/mute", "Disallow: */*?", "Disallow: */what-if/"} {
		b.WriteString(strings.Replace(rule, "*", s.path, 1) + "\n")
	}
	b.WriteString("Sitemap: " + s.BaseURL + "/sitemap.xml\n")
	s.send(w, r, "text/plain; charset=utf-8", openCache, []byte(b.String()))
}
