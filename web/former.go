package web

import (
	"net/http"
	"net/url"
	"strings"
)

// leading leads links to a former address of the pages to where they are now. What a mail program
// posts there is done here: it follows no redirects (RFC 8058 section 3.1).
func (s Server) leading(next http.Handler) http.Handler {
	var former []*url.URL
	for _, address := range s.FormerURLs {
		if u, err := url.Parse(address); err == nil && u.Host != "" {
			former = append(former, u)
		}
	}
	if len(former) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, u := range former {
			rest, below := strings.CutPrefix(r.URL.RequestURI(), strings.TrimRight(u.EscapedPath(), "/"))
			if strings.EqualFold(r.Host, u.Host) && below && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
				http.Redirect(w, r, s.BaseURL+"/"+strings.TrimLeft(rest, "/"), http.StatusMovedPermanently)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}
