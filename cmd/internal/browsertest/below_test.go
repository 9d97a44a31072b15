//go:build real

package browsertest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"golang.org/x/net/html"

	"angelpost/cmd/internal/inprocess"
	"angelpost/cmd/internal/program"
	"angelpost/mail/peers"
)

// TestBelowAPathBehindProxies serves pages below a path behind Caddy and nginx, which pass it on as
// cmd/angelpost/HOSTING.md says. What the pages name is there: links, styles, scripts, forms, feeds
// and pictures. In Chromium the planner's script plans a turn there.
func TestBelowAPathBehindProxies(t *testing.T) {
	const below = "/games/angel"
	for _, proxy := range []struct {
		name  string
		start func(dir, addr, pages string) *exec.Cmd
	}{
		{"Caddy", func(dir, addr, pages string) *exec.Cmd {
			config := filepath.Join(dir, "Caddyfile")
			put(t, config, fmt.Sprintf("{\n\tadmin off\n}\nhttp://%s {\n\thandle %s* {\n\t\treverse_proxy %s\n\t}\n}\n", addr, below, pages))
			cmd := exec.Command("caddy", "run", "--config", config)
			cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
			return cmd
		}},
		{"nginx", func(dir, addr, pages string) *exec.Cmd {
			config := filepath.Join(dir, "nginx.conf")
			put(t, config, fmt.Sprintf("daemon off;\nuser root;\npid %[1]s/pid;\nerror_log %[1]s/error.log notice;\nevents {}\nhttp {\naccess_log off;\nserver {\nlisten %[2]s;\n"+
				"location %[3]s/ { proxy_pass http://%[4]s; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; }\n}\n}\n", dir, addr, below, pages))
			return exec.Command("nginx", "-p", dir, "-e", dir+"/error.log", "-c", config)
		}},
	} {
		t.Run(proxy.name, func(t *testing.T) {
			addr := peers.Addr(t)
			base := "http://" + addr + below
			h := inprocess.NewHouse(t, 1, nil)
			h.Conf.HTTP.BaseURL = base
			pages := httptest.NewServer(h.Pages())
			t.Cleanup(pages.Close)
			cmd := proxy.start(t.TempDir(), addr, strings.TrimPrefix(pages.URL, "http://"))
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { cmd.Process.Signal(os.Interrupt); cmd.Wait() })

			game := base + "/g/" + h.Games[0] + "/" + h.Turn(0).Last.PageKey
			followBelow(t, base, base+"/", game, game+"/plan/", base+"/robots.txt")

			b := open(t, &program.Process{Values: map[string]string{"http": "http://" + addr}})
			b.visit(game)
			b.follow(`main a[href$="/plan/"]`)
			b.eval(`(window.stayed = "yes")`)
			at := b.eval(`location.href`)
			b.do("choose", chromedp.Click(`.choices li a`))
			b.until("the next page", fmt.Sprintf(`location.href != %q && location.href.startsWith(%q) && document.querySelector("main.planner") ? "yes" : ""`, at, at))
			b.eval(`(history.back(), "")`)
			b.until("back again", fmt.Sprintf(`location.href == %q && document.querySelectorAll(".choices li").length > 1 ? "yes" : ""`, at))
			if stayed := b.eval(`window.stayed || "no"`); stayed != "yes" {
				t.Error("the page was loaded anew")
			}
		})
	}
}

// followBelow asks for addresses and for what their pages name on the same host: all of it is below
// base, and there.
func followBelow(t *testing.T, base string, from ...string) {
	t.Helper()
	kinds := map[string]int{}
	type step struct {
		at string
		on bool
	}
	var todo []step
	for _, at := range from {
		todo = append(todo, step{at, true})
	}
	for asked := map[string]bool{}; len(todo) > 0; todo = todo[1:] {
		at := todo[0].at
		if asked[at] {
			continue
		}
		asked[at] = true
		w, err := http.Get(at)
		for begin := time.Now(); err != nil && len(asked) == 1 && time.Since(begin) < time.Minute; time.Sleep(50 * time.Millisecond) { // the proxy starts
			w, err = http.Get(at)
		}
		if err != nil {
			t.Fatal(err)
		}
		if final := w.Request.URL.String(); w.StatusCode != http.StatusOK || !strings.HasPrefix(final, base) {
			t.Errorf("%s: %d at %s", at, w.StatusCode, final)
		}
		kind, _, _ := strings.Cut(w.Header.Get("Content-Type"), ";")
		kinds[kind]++
		if kind != "text/html" || !todo[0].on {
			w.Body.Close()
			continue
		}
		root, err := html.Parse(io.LimitReader(w.Body, 8<<20))
		w.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		for n := range root.Descendants() {
			for _, a := range n.Attr {
				if a.Key != "href" && a.Key != "src" && a.Key != "action" || strings.HasPrefix(a.Val, "#") {
					continue
				}
				u, err := w.Request.URL.Parse(a.Val)
				if err != nil {
					t.Fatal(err)
				}
				if u.Host != w.Request.URL.Host || a.Key == "action" && strings.HasSuffix(u.Path, "/mute") {
					continue
				}
				if !strings.HasPrefix(u.String(), base+"/") {
					t.Errorf("%s names %s", at, a.Val)
					continue
				}
				u.Fragment = ""
				todo = append(todo, step{at: u.String()})
			}
		}
	}
	for _, kind := range []string{"text/html", "text/css", "text/javascript", "application/atom+xml", "image/svg+xml"} {
		if kinds[kind] == 0 {
			t.Errorf("the pages name nothing of %s: %v", kind, kinds)
		}
	}
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
