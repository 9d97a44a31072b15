//go:build real

package mailhost

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

const trap = "From: angelpost@demo.localhost\r\nReply-To: angelpost+tok@demo.localhost\r\nSubject: a trap\r\nMessage-ID: <trap@demo.localhost>\r\n" +
	"Content-Type: text/html\r\n\r\n<a style=\"position:fixed;inset:0;background:#eee\" href=\"mailto:angelpost%2Btok@demo.localhost?body=pass\">answer</a>" +
	"<img src=\"ORIGIN/tracked\"><div style=\"background:url(ORIGIN/tracked)\"></div><link rel=stylesheet href=\"ORIGIN/tracked\">" +
	"<svg onload=\"top.location='ORIGIN/tracked'\"></svg><img src=x onerror=\"top.location='ORIGIN/tracked'\">\r\n"

// TestInABrowser answers a letter in Chromium: from the list to the letter, by
// the mailto link in its frame to the form, and off. The letter tries to load
// and to run things, in vain; JavaScript is on.
func TestInABrowser(t *testing.T) {
	h := start(t, t.TempDir())
	tracked := make(chan string, 100)
	evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { tracked <- r.URL.Path }))
	defer evil.Close()
	server := httptest.NewServer(h.PostRoom("alpha"))
	defer server.Close()

	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.WindowSize(1280, 900))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()

	run := func(what string, steps ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		if err := chromedp.Do(ctx, steps...); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	run("an empty mailbox", chromedp.Navigate(server.URL+"/post/"), chromedp.WaitVisible(".empty"))
	if err := send(h, "angelpost@demo.localhost", "alpha@demo.localhost", strings.ReplaceAll(trap, "ORIGIN", evil.URL)); err != nil {
		t.Fatal(err)
	}
	run("the letter shows by itself", chromedp.WaitVisible(".letters li.new a"), chromedp.Click(".letters li.new a"), chromedp.WaitVisible("iframe.body"))

	type place struct{ X, Y float64 }
	box, err := chromedp.Run(ctx, chromedp.Evaluate[place](`(() => { const b = document.querySelector("iframe.body").getBoundingClientRect(); return {X: b.left + b.width/2, Y: b.top + b.height/3}; })()`))
	if err != nil {
		t.Fatal(err)
	}
	// The frame's document is out of the page's reach, as it should be: the
	// click goes by place, again until the frame has loaded.
	form := ""
	for deadline := time.Now().Add(30 * time.Second); form == "" && time.Now().Before(deadline); {
		run("the click", chromedp.MouseClickXY(box.X, box.Y), chromedp.Sleep(300*time.Millisecond))
		form, err = chromedp.Run(ctx, chromedp.Evaluate[string](`(document.querySelector("form.compose #body") || {}).value || ""`))
		if err != nil {
			t.Fatal(err)
		}
	}
	if form != "pass" {
		t.Fatalf("the form holds %q, want the link's text", form)
	}
	run("sending", chromedp.Click("form.compose button"), chromedp.WaitVisible("[role=status]"))
	if msg, body := received(t, h); body != "pass\r\n" || msg.Header.Get("In-Reply-To") != "<trap@demo.localhost>" {
		t.Errorf("arrived: %v %q", msg.Header, body)
	}
	if len(tracked) != 0 {
		t.Errorf("the letter loaded %s from elsewhere", <-tracked)
	}
}
