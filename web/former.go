package web

import (
	"net/http"
	"net/url"
	"strings"
)

// leading redirects links to a former address of the pages to the present one. It handles what
// a mail program posts there itself, because such a program follows no redirects (RFC 8058
// section 3.1).
func (s Server) leading(next http.Handler) http.Handler {
	base, err := url.Parse(s.BaseURL)
	if err != nil {
		base = new(url.URL)
	}
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
		if _, here := below(s.path, r.URL); strings.EqualFold(r.Host, base.Host) && s.path != "" && here {
			next.ServeHTTP(w, r)
			return
		}
		for _, u := range former {
			rest, ok := below(strings.TrimRight(u.EscapedPath(), "/"), r.URL)
			if !ok || !strings.EqualFold(r.Host, u.Host) {
				continue
			}
			rest = "/" + strings.TrimLeft(rest, "/")
			if r.Method == http.MethodGet || r.Method == http.MethodHead {
				if r.URL.RawQuery != "" {
					rest += "?" + r.URL.RawQuery
				}
				http.Redirect(w, r, s.BaseURL+rest, http.StatusMovedPermanently)
				return
			}
			moved := *r.URL
			moved.RawPath = s.path + rest
			moved.Path, _ = url.PathUnescape(moved.RawPath) // it is made of paths that could be
			r.URL = &moved
			break
		}
		next.ServeHTTP(w, r)
	})
}

// below is what an address asks for below a path, escaped; ok: it is there.
func below(path string, u *url.URL) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(u.EscapedPath(), path)
	return rest, ok && (rest == "" || rest[0] == '/')
}
