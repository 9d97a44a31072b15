//go:build real

package browsertest

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// picture decodes a screenshot that shows something.
func (b *browser) picture(name string, raw []byte) image.Image {
	b.t.Helper()
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		b.t.Fatalf("%s: %v", name, err)
	}
	if n := colours(img); n < 32 { // text alone, smoothed, has more
		b.wrong("%s is blank: %d colours", name, n)
	}
	return img
}

// shoot keeps a picture of the whole page.
func (b *browser) shoot(name string) image.Image {
	b.t.Helper()
	raw, err := b.capture(name)
	if err != nil {
		b.fail("a picture of %s: %v", name, err)
	}
	return b.picture(name, raw)
}

// capture tries more than once: a page that reloads itself meanwhile has no
// picture.
func (b *browser) capture(name string) (raw []byte, err error) {
	for range 3 {
		ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
		raw, err = chromedp.Run(ctx, chromedp.FullScreenshot(100))
		cancel()
		if err == nil {
			return raw, os.WriteFile(filepath.Join(b.shots, "chromium-"+name+".png"), raw, 0o644)
		}
	}
	return nil, err
}

func colours(img image.Image) int {
	seen := map[color.Color]bool{}
	r := img.Bounds()
	for y := r.Min.Y; y < r.Max.Y && len(seen) < 256; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			seen[img.At(x, y)] = true
		}
	}
	return len(seen)
}

// brightness is the mean of all pixels, from 0 to 255.
func brightness(img image.Image) int {
	sum, n := 0, 0
	r := img.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y += 3 {
		for x := r.Min.X; x < r.Max.X; x += 3 {
			sum += int(color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y)
			n++
		}
	}
	return sum / n
}

var pictureDir = flag.String("pictures", "", "where TestPictures leaves the README's pictures")

// TestPictures makes the pictures of the README from the letters and pages of
// a game whose seed is fixed, some rounds in.
func TestPictures(t *testing.T) {
	const round = 10
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seed", strings.Repeat("11", 32))...)
	alpha := mailclient.DemoClients(t, p, 1)[0]
	alpha.Style = mailclient.WholeTurn
	for deadline := time.Now().Add(3 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("round %d never came", round)
		}
		if notices := alpha.Fetch(); len(notices) > 0 {
			n := notices[len(notices)-1]
			if v := viewAt(t, p.Values["page1"]); v.Round >= round && v.Decision == "turn" && n.Kind == "turn" && len(n.Legal) > 20 { // there is something to choose
				break
			}
			for _, n := range notices {
				if alpha.LastRefused = n.Result == "refused"; len(n.Legal) > 0 {
					alpha.Answer(n)
				}
			}
		}
	}
	b := open(t, p)
	if *pictureDir != "" {
		b.shots = *pictureDir
	}
	b.visit(p.Values["page1"])
	b.clip("page.png", 1280, ".top, #space")
	b.visit(p.Says(regexp.MustCompile(`http://\S+/post/\S+`)))
	b.follow(".letters li:first-child a")
	b.do("a tall window", chromedp.EmulateViewport(1280, 1300))
	b.letter()
	b.clip("letter.png", 1280, "header, .letter")
	b.letterPictures(b.eval(`document.querySelector("iframe.body").src`))
}

// letterPictures keeps pictures of a letter's HTML as phones and mail programs show it:
// narrow and wide, light and dark, and with its pictures blocked.
func (b *browser) letterPictures(url string) {
	b.t.Helper()
	b.visit(url)
	for _, width := range []int64{360, 700} {
		b.do(fmt.Sprint(width), chromedp.EmulateViewport(width, 1300))
		for _, scheme := range []string{"light", "dark"} {
			b.prefer(scheme)
			b.clip(fmt.Sprintf("letter-%d-%s.png", width, scheme), width, "body")
		}
	}
	b.prefer("light")
	b.do("360", chromedp.EmulateViewport(360, 1300))
	b.eval(`(document.querySelectorAll("img").forEach(e => e.removeAttribute("src")), "")`)
	b.clip("letter-360-blocked.png", 360, "body")
}

// viewAt is what a test must know of the view.json of a page.
func viewAt(t *testing.T, page string) (v struct {
	Round    int
	Decision string
}) {
	t.Helper()
	body, _ := mailclient.Get(t, page+"/view.json")
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// clip keeps a picture of the part of the page that holds some elements, as
// wide as the window.
func (b *browser) clip(name string, width int64, sel string) {
	b.t.Helper()
	const (
		most    = 400 << 10 // bytes that a reader of the README should wait for
		tallest = 2400      // pixels
	)
	bottom, err := strconv.ParseFloat(b.eval(fmt.Sprintf(`Math.max(...[...document.querySelectorAll(%q)].map(e => e.getBoundingClientRect().bottom)).toString()`, sel)), 64)
	if err != nil {
		b.t.Fatal(err)
	}
	raw := ask(b, name, func(ctx context.Context, tab *chromedp.Target) ([]byte, error) {
		r, err := cdp.Call(ctx, tab, page.CaptureScreenshot, page.CaptureScreenshotParams{
			Clip: &page.Viewport{Width: float64(width), Height: min(bottom+12, tallest), Scale: 1}, CaptureBeyondViewport: new(true)})
		if err != nil {
			return nil, err
		}
		return r.Data, nil
	})
	b.picture(name, raw)
	if len(raw) > most {
		b.t.Errorf("%s has %d bytes, more than %d", name, len(raw), most)
	}
	if err := os.WriteFile(filepath.Join(b.shots, name), raw, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

var pagesDir = flag.String("pages", "", "where TestEveryPageIsPictured leaves pictures of every kind of page, at four widths, light and dark")
var onlyKinds = flag.String("only", "", "with -pages: kinds of pages whose names match it")

// TestEveryPageIsPictured makes pictures to be looked at. Without -pages it makes those of
// the game's page alone, at one width.
func TestEveryPageIsPictured(t *testing.T) {
	f := startFair(t)
	b := open(t, f.Process, f.server)
	kinds, widths := f.kinds, []int64{360, 768, 1280, 1920}
	if *pagesDir != "" {
		b.shots = *pagesDir
		kinds = slices.DeleteFunc(kinds, func(k kind) bool { return !regexp.MustCompile(*onlyKinds).MatchString(k.name) })
	} else {
		kinds, widths = slices.DeleteFunc(kinds, func(k kind) bool { return k.name != "page" }), widths[:1]
	}
	for _, k := range kinds {
		b.gone[k.url] = k.refused
		for _, width := range widths {
			b.do(fmt.Sprint(width), chromedp.EmulateViewport(width, 900))
			for _, scheme := range []string{"light", "dark"} {
				b.prefer(scheme)
				k.open(b)
				b.shoot(fmt.Sprintf("%s-%d-%s", k.name, width, scheme))
			}
		}
	}
}
