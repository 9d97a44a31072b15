package web

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"
)

// How long an answer may be cached. Clients ask for everything again, which a tag makes
// cheap, unless its address names its content. A proxy may keep what is public for two
// seconds: then a page costs the server one request in that time, however many read it.
const (
	ownCache    = "private, no-cache"
	openCache   = "public, max-age=0, s-maxage=2, must-revalidate"
	ownForever  = "private, max-age=31536000, immutable"
	openForever = "public, max-age=31536000, immutable"
	never       = "private, no-store"
)

// minCompressed is the size from which an answer is worth compressing, in bytes.
const minCompressed = 1400

var compressors = sync.Pool{New: func() any { z, _ := gzip.NewWriterLevel(nil, 5); return z }}

func compressed(body []byte) []byte {
	var b bytes.Buffer
	z := compressors.Get().(*gzip.Writer)
	defer compressors.Put(z)
	z.Reset(&b)
	z.Write(body) // into memory: it cannot fail
	z.Close()
	return b.Bytes()
}

// takesGzip reports whether the client accepts gzip.
func takesGzip(r *http.Request) bool {
	for _, all := range r.Header["Accept-Encoding"] {
		for one := range strings.SplitSeq(all, ",") {
			name, q, _ := strings.Cut(strings.TrimSpace(one), ";")
			if strings.EqualFold(name, "gzip") {
				q = strings.ReplaceAll(q, " ", "")
				return q != "q=0" && !strings.HasPrefix(q, "q=0.000")
			}
		}
	}
	return false
}

// An answer is a page or file as it goes out: all of it is known before its
// first byte leaves, so that a failure is still an answer.
type answer struct {
	header http.Header // what is not every answer's
	tag    []string    // of the content, as the ETag field; weak: it is of all encodings
	body   []byte
	zipped bool
	length []string
}

// newAnswer makes an answer of a body of some kind. The tag does not have to resist deliberate
// collisions: all that they could do is leave a reader with the page before.
func newAnswer(kind, cache string, body []byte, zip bool) *answer {
	a := &answer{
		header: http.Header{"Content-Type": {kind}, "Cache-Control": {cache}, "Vary": {"Accept-Encoding"}},
		tag:    []string{fmt.Sprintf(`W/"%016x"`, xxhash.Sum64(body))},
		body:   body,
	}
	if zip && len(body) >= minCompressed {
		a.body, a.zipped = compressed(body), true
	}
	a.length = []string{strconv.Itoa(len(a.body))}
	return a
}

// serve answers a GET or HEAD: 304 if the client already has it, and so all its
// other fields, too (RFC 9110, section 15.4.5).
func (a *answer) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if r.Method != http.MethodPost && has(r.Header["If-None-Match"], a.tag[0]) {
		clear(h)
		h["Etag"], h["Cache-Control"], h["Vary"] = a.tag, a.header["Cache-Control"], a.header["Vary"]
		w.WriteHeader(http.StatusNotModified)
		return
	}
	for name, values := range a.header {
		h[name] = values
	}
	h["Etag"] = a.tag
	if a.zipped {
		h["Content-Encoding"] = gzipEncoding
	}
	h["Content-Length"] = a.length
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		w.Write(a.body)
	}
}

var gzipEncoding = []string{"gzip"}

// has reports whether a tag is among those the asker has, or any will do.
func has(fields []string, tag string) bool {
	for _, f := range fields {
		for one := range strings.SplitSeq(f, ",") {
			one = strings.TrimSpace(one)
			if one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/") {
				return true
			}
		}
	}
	return false
}
