//go:build real

package mailhost

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
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

// TestLettersInTheDark: if the browser prefers dark, a letter with colours for it is on the
// room's dark paper, and one without them keeps its dark text on white.
func TestLettersInTheDark(t *testing.T) {
	h := start(t, t.TempDir())
	server := httptest.NewServer(h.PostRoom("alpha"))
	defer server.Close()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.WindowSize(1280, 900))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for n, head := range []string{"", `<style>:root{color-scheme:light dark}</style>`} {
		letter := fmt.Sprintf("From: angelpost@demo.localhost\r\nSubject: dusk\r\nMessage-ID: <dusk%d@demo.localhost>\r\nContent-Type: text/html\r\n\r\n<html><head>%s</head><body><p>Dusk</p></body></html>\r\n", n, head)
		if err := send(h, "angelpost@demo.localhost", "alpha@demo.localhost", letter); err != nil {
			t.Fatal(err)
		}
	}
	dark := func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}})
		return chromedp.Void{}, err
	}
	type frame struct{ X, Y, Left int }
	for n, want := range []string{"#ffffff", "#171c36"} {
		if err := chromedp.Do(ctx, dark, chromedp.Navigate(fmt.Sprintf("%s/post/alpha/%d", server.URL, n+1)), chromedp.WaitVisible("iframe.body")); err != nil {
			t.Fatal(err)
		}
		at, err := chromedp.Run(ctx, chromedp.Evaluate[frame](`(() => { const b = document.querySelector("iframe.body").getBoundingClientRect();
			return {X: Math.round(b.left + b.width / 2), Y: Math.round(b.top + 200), Left: Math.round(b.left)} })()`))
		if err != nil {
			t.Fatal(err)
		}
		ground, edge := "", ""
		for range 100 { // until the frame has loaded
			shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(shot))
			if err != nil {
				t.Fatal(err)
			}
			colour := func(x, y int) string {
				r, g, b, _ := img.At(x, y).RGBA()
				return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
			}
			if ground, edge = colour(at.X, at.Y), colour(at.Left, at.Y); ground == want {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		if ground != want || edge != "#363e66" {
			t.Errorf("letter %d lies on %s with the edge %s, want %s", n, ground, edge, want)
		}
	}
}
