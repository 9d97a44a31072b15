package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"angelpost/engine/store"
)

// The pages may be served below a path of BaseURL ("https://example.org/angelpost"). Everything
// here is written as if there were none: pathOf, takesPath and withPath are all that know of it.

// pathOf is the path of the pages' address, "" for none.
func pathOf(baseURL string) string {
	u, err := url.Parse(baseURL)
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.EscapedPath(), "/")
}

// takesPath removes the pages' own path from requests. Outside of it there is nothing.
func (s Server) takesPath(next http.Handler) http.Handler {
	if s.path == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rest, ok := below(s.path, r.URL)
		switch {
		case !ok:
			s.refuse(w, r, store.ErrNotFound)
			return
		case rest == "":
			sendTo(w, "/")
			return
		}
		u := *r.URL
		u.RawPath = rest
		u.Path, _ = url.PathUnescape(rest) // it is the end of a path that could be
		r.URL = &u
		next.ServeHTTP(w, r)
	})
}

// ownAddress is what begins an address on this server in an attribute of a page.
var ownAddress = regexp.MustCompile(`([ :](?:href|src|action|data-[a-z-]+)=")/`)

// withPath puts the pages' own path before the addresses of a page.
func (s Server) withPath(kind string, body []byte) []byte {
	if s.path == "" || !strings.HasPrefix(kind, "text/html") {
		return body
	}
	return ownAddress.ReplaceAll(body, []byte("${1}"+strings.ReplaceAll(s.path, "$", "$$")+"/"))
}

// sendTo answers with another address on this server, which may not be so tomorrow.
func sendTo(w http.ResponseWriter, address string) {
	w.Header().Set("Location", address)
	w.Header().Set("Cache-Control", never)
	w.WriteHeader(http.StatusFound)
}

// appended is what programs that find links in text take for a part of them.
const appended = ".,;:!?)>]}'\"*`’”»…|"

var appendedToNumber = regexp.MustCompile(`(=[0-9]+)(?:[` + regexp.QuoteMeta(".,;:!?)>]}'\"*`|") + `]|%(?:21|22|27|29|2C|2E|3A|3B|3E|3F|5D|7C|7D))+$`)

// cutsAppended leads links that end with the sign after them, ">" or a full stop, to their page:
// no address here ends so.
func cutsAppended(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimRight(r.URL.Path, appended)
		query := appendedToNumber.ReplaceAllString(r.URL.RawQuery, "$1")
		if (r.Method != http.MethodGet && r.Method != http.MethodHead) || path == "" || strings.HasPrefix(path, "//") || path == r.URL.Path && query == r.URL.RawQuery {
			next.ServeHTTP(w, r)
			return
		}
		sendTo(w, (&url.URL{Path: path, RawQuery: query}).String())
	})
}

// cutsSlash leads an address with a slash too many to the page that has it without, if there can be
// one; mux has the pages, and next answers the rest.
func cutsSlash(mux *http.ServeMux, next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		path := strings.TrimRight(r.URL.Path, "/")
		if path != r.URL.Path && strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			if _, pattern := mux.Handler(&http.Request{Method: r.Method, URL: &url.URL{Path: path}}); pattern != "/" {
				sendTo(w, (&url.URL{Path: path, RawQuery: r.URL.RawQuery}).String())
				return
			}
		}
		next(w, r)
	}
}
