package web

import (
	"bufio"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// BenchmarkBesidePlain asks over real connections for a past state, and for its
// 304, in turns of this package and of plain net/http that writes the same
// bytes, and tells the ratio of their rates.
func BenchmarkBesidePlain(b *testing.B) {
	s := newShelf(b, 3, 100)
	s.still = true
	ours := httptest.NewServer(Server{Games: s, Log: slog.New(slog.DiscardHandler)}.Handler())
	defer ours.Close()
	path := "/g/unlisted/" + keyOf(1) + "?at=60"
	first := with(handler(s), "GET", path)
	body, tag := first.Body.Bytes(), first.Header().Get("ETag")
	plain := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Length", fmt.Sprint(len(body)))
		w.Write(body)
	}))
	defer plain.Close()
	for name, has := range map[string]string{"page": "", "304": tag} {
		b.Run(name, func(b *testing.B) {
			var took [2]time.Duration
			for b.Loop() {
				for i, server := range []*httptest.Server{ours, plain} {
					begin := time.Now()
					hammer(b, server, path, has, 200)
					took[i] += time.Since(begin)
				}
			}
			b.ReportMetric(float64(took[1])/float64(took[0]), "of-plain")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// hammer asks over one connection, reading as little as it can.
func hammer(b *testing.B, server *httptest.Server, path, has string, times int) {
	c, err := net.Dial("tcp", strings.TrimPrefix(server.URL, "http://"))
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	r := bufio.NewReaderSize(c, 1<<17)
	ask := "GET " + path + " HTTP/1.1\r\nHost: x\r\n"
	if has != "" {
		ask += "If-None-Match: " + has + "\r\n"
	}
	for range times {
		if _, err := fmt.Fprint(c, ask+"\r\n"); err != nil {
			b.Fatal(err)
		}
		length := 0
		for {
			line, err := r.ReadSlice('\n')
			if err != nil {
				b.Fatal(err)
			}
			if len(line) <= 2 {
				break
			}
			if n := len("Content-Length: "); len(line) > n && string(line[:n]) == "Content-Length: " {
				fmt.Sscan(string(line[n:]), &length)
			}
		}
		if has == "" && length == 0 || has != "" && length != 0 {
			b.Fatalf("%d bytes", length)
		}
		if _, err := r.Discard(length); err != nil {
			b.Fatal(err)
		}
	}
}
