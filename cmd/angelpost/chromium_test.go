//go:build real

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A browser is Chromium with an eye on what it asks of the network and what it
// says on its console: neither may happen beyond the demo's own pages.
type browser struct {
	t      *testing.T
	ctx    context.Context
	origin string
	shots  string // folder of screenshots
	mu     *sync.Mutex
	asked  *int
	bad    *[]string
}

// open starts a browser for the pages of a demo.
func open(t *testing.T, p *program) *browser {
	t.Helper()
	off := func(ctx context.Context, cancel context.CancelFunc) context.Context { t.Cleanup(cancel); return ctx }
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath("/usr/bin/chromium"), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("hide-scrollbars", true),
		// A letter's frame has an origin of its own. Kept in the page's process,
		// what it loads and says is heard here like the page's.
		chromedp.Flag("disable-features", "Translate,IsolateSandboxedIframes"), chromedp.Flag("disable-site-isolation-trials", true),
		chromedp.WindowSize(1280, 900))
	ctx := off(chromedp.NewExecAllocator(context.Background(), options...))
	ctx = off(chromedp.NewContext(ctx))
	ctx = off(context.WithTimeout(ctx, 5*time.Minute))
	b := &browser{t: t, ctx: ctx, origin: p.values["http"], shots: artefacts(t), mu: new(sync.Mutex), asked: new(int), bad: new([]string)}
	b.listen()
	t.Cleanup(b.check)
	return b
}

// artefacts is the folder for what a test leaves to be looked at.
func artefacts(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("ARTEFACTS")
	if dir == "" {
		dir = "../../artefacts"
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// listen notes what the tab does that it should not.
func (b *browser) listen() {
	b.t.Helper()
	note := func(format string, args ...any) { *b.bad = append(*b.bad, fmt.Sprintf(format, args...)) }
	err := chromedp.Listen(b.ctx, func(ev any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch ev := ev.(type) {
		case *network.EventRequestWillBeSent:
			switch u, err := url.Parse(ev.Request.URL); {
			case err != nil:
				note("an address nobody can read: %v", err)
			case u.Scheme == "data" || u.Scheme == "about":
			case u.Scheme+"://"+u.Host == b.origin:
				*b.asked++
			default:
				note("a request to elsewhere: %s", ev.Request.URL)
			}
		case *log.EventEntryAdded:
			if ev.Entry.Level == log.EntryLevelError || ev.Entry.Level == log.EntryLevelWarning {
				note("the browser's log: %s %s", ev.Entry.Text, ev.Entry.URL)
			}
		case *runtime.EventExceptionThrown:
			note("an exception: %s", ev.ExceptionDetails.Text)
		case *runtime.EventConsoleAPICalled:
			note("the console: %s", ev.Type)
		}
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

// check tells what was noted.
func (b *browser) check() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if *b.asked == 0 {
		b.t.Error("no request was seen at all: the ear is deaf")
	}
	for _, s := range *b.bad {
		b.t.Error(s)
	}
}

func (b *browser) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.capture("failed")
		b.t.Fatalf("%s: %v", what, err)
	}
}

// ask runs an action that has a result.
func ask[T any](b *browser, what string, a chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		b.capture("failed")
		b.t.Fatalf("%s: %v", what, err)
	}
	return v
}

func (b *browser) eval(js string) string {
	b.t.Helper()
	return ask(b, js, chromedp.Evaluate[string](js))
}

// until asks an expression, on a page that may reload meanwhile, until it says
// something.
func (b *browser) until(what, js string) string {
	b.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if s, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](js)); err == nil && s != "" {
			return s
		}
	}
	b.capture("failed")
	b.t.Fatalf("%s: it never came", what)
	return ""
}

func (b *browser) visit(url string) {
	b.t.Helper()
	b.do(url, chromedp.Navigate(url))
}

// follow clicks a link or button of the page and waits for the next page.
func (b *browser) follow(sel string) {
	b.t.Helper()
	ask(b, "follow "+sel, chromedp.WaitEvent(page.LoadEventFired, nil, chromedp.Click(sel)))
}

// letter is the text of the letter that the page shows in its frame.
func (b *browser) letter() string {
	b.t.Helper()
	b.do("the letter's frame", chromedp.WaitVisible("iframe.body"))
	var frame *chromedp.Node
	for deadline := time.Now().Add(time.Minute); frame == nil || frame.ContentDocument == nil; time.Sleep(50 * time.Millisecond) {
		frame = ask(b, "the letter's frame", chromedp.Nodes("iframe.body"))[0]
		if time.Now().After(deadline) {
			b.t.Fatal("the letter's frame stays empty")
		}
	}
	return ask(b, "the letter", chromedp.TextContent(chromedp.CSS("body"), chromedp.FromNode(frame)))
}

// picture decodes a screenshot that shows something.
func (b *browser) picture(name string, raw []byte) image.Image {
	b.t.Helper()
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		b.t.Fatalf("%s: %v", name, err)
	}
	if n := colours(img); n < 32 { // text alone, smoothed, has more
		b.t.Errorf("%s is blank: %d colours", name, n)
	}
	return img
}

// shoot keeps a picture of the whole page.
func (b *browser) shoot(name string) image.Image {
	b.t.Helper()
	raw, err := b.capture(name)
	if err != nil {
		b.t.Fatalf("a picture of %s: %v", name, err)
	}
	return b.picture(name, raw)
}

// capture tries more than once: a page that reloads itself meanwhile has no
// picture.
func (b *browser) capture(name string) (raw []byte, err error) {
	for range 3 {
		ctx, cancel := context.WithTimeout(b.ctx, 15*time.Second)
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

// TestNewcomer does in a browser what the demo tells a newcomer to do.
func TestNewcomer(t *testing.T) {
	p := start(t, demoArgs(t.TempDir(), "-seed", strings.Repeat("5a", 32))...)
	b := open(t, p)

	// The post room, as the demo names it.
	post := p.says(regexp.MustCompile(`http://\S+/post/\S+`))
	b.visit(post)
	b.until("a letter that asks for a turn", `document.querySelectorAll(".letters li.new").length > 1 ? "yes" : ""`)
	b.shoot("inbox")
	b.follow(".letters li:first-child a")

	// The letter, as sent and as text.
	letter := b.eval(`location.href`)
	html := b.letter()
	b.shoot("letter")
	b.follow(`.views a[href$="?view=text"]`)
	text := ask(b, "its text", chromedp.TextContent(".sheet pre"))
	b.shoot("letter-text")
	legal, example := barred(text)
	if len(example) == 0 || len(legal) == 0 {
		t.Fatalf("no example turn in the newest letter:\n%s", text)
	}
	for _, o := range example {
		if !strings.Contains(html, o) {
			t.Errorf("the letter as sent does not show %q", o)
		}
	}
	for _, o := range legal {
		if !amongSlashes(o).MatchString(html) {
			t.Errorf("the letter as sent does not list %q", o)
		}
	}

	// The example, copied into the form: what the mouse marks has no bars.
	if got := strings.Fields(b.copied(letter)); !slices.Equal(got, strings.Fields(strings.Join(example, " "))) {
		t.Errorf("the example, marked and copied, is %q", got)
	}
	b.visit(letter)
	b.do("write", chromedp.SendKeys("#body", strings.Join(example, "\r")))
	if got := ask(b, "the form", chromedp.Value("#body")); got != strings.Join(example, "\n") {
		t.Fatalf("the form holds %q", got)
	}
	b.follow("form.answer button")
	b.do("sent", chromedp.WaitVisible("[role=status]"))
	b.shoot("sent")

	// An answer that says so shows up by itself.
	answer := b.until("an answer", fmt.Sprintf(`[...document.querySelectorAll(".letters li.new a")].map(a => a.href).filter(h => +h.split("/").pop() > %s).pop() || ""`, lastPart(letter)))
	b.follow(fmt.Sprintf(`.letters a[href=%q]`, strings.TrimPrefix(answer, b.origin)))
	html = b.letter()
	for _, o := range example {
		if !strings.Contains(html, "“"+o+"”: done") {
			t.Errorf("the answer does not say that %q is done:\n%s", o, html)
		}
	}
	b.shoot("answer")
	if source, _ := get(t, answer+"/source"); readNotice(t, []byte(source)).result != "applied" {
		t.Errorf("the answer's result is %q", readNotice(t, []byte(source)).result)
	}

	// Its link opens the player's page in a tab of its own.
	opened := chromedp.WaitNewTarget(b.ctx, func(i *target.Info) bool { return strings.Contains(i.URL, "/g/") })
	b.do("the link to the page", chromedp.Click(`a[href*="/g/"]`)) // found in the frame, too
	tab := *b
	select {
	case id := <-opened:
		var cancel context.CancelFunc
		tab.ctx, cancel = chromedp.NewContext(b.ctx, chromedp.WithTargetID(id))
		defer cancel()
	case <-time.After(30 * time.Second):
		t.Fatal("the letter's link opens no page")
	}
	tab.listen()
	tab.until("the page", `document.readyState == "complete" && document.querySelector("svg") ? "yes" : ""`)
	if got := tab.eval(`location.href`); got != p.values["page1"] {
		t.Errorf("the link leads to %s, not to %s", got, p.values["page1"])
	}
	tab.do("the window's size", chromedp.EmulateViewport(1280, 900))
	tab.visit(p.values["page1"]) // now that somebody listens
	tab.shoot("page")
	tab.history(example)
	tab.names()
	tab.plain(post, letter, p.values["page1"])
	tab.narrow(post, letter, p.values["page1"])
	tab.dark(post, p.values["page1"])
}

// amongSlashes finds an order, also in a line that stands for several: each of
// its words may be one of those between slashes.
func amongSlashes(o string) *regexp.Regexp {
	words := strings.Fields(o)
	for i, w := range words {
		words[i] = `(\S+/)?` + regexp.QuoteMeta(w) + `(/\S+)?`
	}
	return regexp.MustCompile(strings.Join(words, " "))
}

// copied is what a letter's example is when it is marked with the mouse.
func (b *browser) copied(letter string) string {
	b.t.Helper()
	b.visit(letter + "/html")
	return b.eval(`(s => { s.selectAllChildren(document.querySelector(".o")); return s.toString() })(getSelection())`)
}

// history finds the orders among all the game's lines, goes to the position
// before the first of them, walks by keys and slider, and comes back.
func (b *browser) history(orders []string) {
	b.t.Helper()
	now, table := b.eval(`location.href`), b.eval(`document.querySelector(".board").outerHTML`)
	b.follow(`.steps a[href$="/history"]`)
	var found []string
	if err := json.Unmarshal([]byte(b.eval(`JSON.stringify([...document.querySelectorAll(".history li code")].map(c => c.textContent))`)), &found); err != nil {
		b.t.Fatal(err)
	}
	for _, o := range orders {
		if !slices.Contains(found, o) {
			b.t.Errorf("the game's history lacks %q: %q", o, found)
		}
	}
	b.shoot("history")
	b.follow(`.history a[href*="?at=0&"]`)
	if got := b.eval(`location.href`); !strings.HasPrefix(got, now+"?at=0&") {
		b.t.Errorf("a step of the history leads to %s", got)
	}
	if b.eval(`document.querySelector(".past") ? "yes" : ""`) == "" {
		b.t.Error("a position of the past does not say so")
	}
	if b.eval(`document.querySelector(".board").outerHTML`) == table {
		b.t.Error("the position of the past is that of now")
	}
	b.shoot("page-past")
	for _, press := range []struct {
		key  string
		with kb.Modifier
		way  string
	}{{kb.ArrowRight, 0, "step-on"}, {kb.ArrowRight, kb.ModifierShift, "turn-on"}, {"]", 0, "round-on"}, {kb.ArrowLeft, kb.ModifierShift, "turn-back"}, {kb.ArrowLeft, 0, "step-back"}} {
		want := b.eval(fmt.Sprintf(`document.querySelector("a[data-way=%s]")?.href ?? ""`, press.way))
		if want == "" {
			continue // the game is too short
		}
		ask(b, "press for "+press.way, chromedp.WaitEvent(page.LoadEventFired, nil, chromedp.KeyEvent(press.key, chromedp.KeyModifiers(press.with))))
		if got := b.eval(`location.href`); got != want {
			b.t.Errorf("%s: a key leads to %s, not to %s", press.way, got, want)
		}
	}
	ask(b, "the slider", chromedp.WaitEvent(page.LoadEventFired, nil,
		chromedp.Evaluate[chromedp.Void](`(s => { s.value = 2; s.dispatchEvent(new Event("change")) })(document.querySelector(".slide input"))`)))
	if got := b.eval(`new URL(location.href).searchParams.get("at")`); got != "2" {
		b.t.Errorf("the slider leads to step %s", got)
	}
	if b.eval(`document.querySelector(".board svg .n") ? "yes" : ""`) == "" {
		b.t.Error("no change is marked after a step")
	}
	b.follow(`.steps a[href="?"]`)
	if b.eval(`document.querySelector(".board").outerHTML`) != table {
		b.t.Error("the way back leads elsewhere")
	}
}

// names finds what the things on the table are called: by pointing at them and
// by going there with the Tab key.
func (b *browser) names() {
	b.t.Helper()
	const hexes = `[...document.querySelectorAll(".board svg g.t > title")].map(t => t.textContent).filter(t => /^[a-e][1-9] /.test(t))`
	if n := b.eval(hexes + `.length.toString()`); n != "35" {
		b.t.Errorf("%s hexes have names, not 35", n)
	}
	// Shown is what stands in the name's own line beneath the pointer.
	const shown = `(e => { const t = e && e.closest("g.t"); return t && getComputedStyle(t.querySelector(".tip")).display != "none" ? t.querySelector("title").textContent : "" })`
	var at struct{ X, Y float64 }
	where := b.eval(`(() => { const t = [...document.querySelectorAll("svg g.t")].find(g => /^c3 /.test(g.querySelector("title").textContent)); t.scrollIntoView({block: "center"}); const r = t.querySelector("use").getBoundingClientRect(); return JSON.stringify({X: r.x + r.width / 2, Y: r.y + r.height / 2}) })()`)
	if err := json.Unmarshal([]byte(where), &at); err != nil {
		b.t.Fatal(err)
	}
	b.do("point", chromedp.MouseEvent("mouseMoved", at.X, at.Y))
	if got := b.eval(shown + `(document.querySelector("g.t:hover"))`); !strings.HasPrefix(got, "c3 ") {
		b.t.Errorf("pointing at c3 shows %q", got)
	}
	b.shoot("page-hover")
	b.do("point elsewhere", chromedp.MouseEvent("mouseMoved", 2, 2))

	var ways, named []string
	for range 40 {
		b.do("Tab", chromedp.KeyEvent(kb.Tab))
		ways = append(ways, b.eval(`(e => e.matches(":focus-visible") ? e.className.baseVal ?? (e.className || e.localName) : "")(document.activeElement)`))
		if s := b.eval(shown + `(document.activeElement)`); s != "" {
			named = append(named, s)
		}
	}
	if len(ways) == 0 || slices.Contains(ways, "") {
		b.t.Errorf("Tab leads to places that do not show it: %q", ways)
	}
	if len(named) == 0 {
		b.t.Errorf("Tab shows no name of anything on the table: %q", ways)
	}
	b.shoot("page-focus")
}

// plain uses the pages with JavaScript switched off.
func (b *browser) plain(post, letter, page string) {
	b.t.Helper()
	b.scripts(false)
	defer b.scripts(true)
	b.visit("data:text/html,<title>off</title><script>document.title='on'</script>")
	if title := ask(b, "the title", chromedp.Title()); title != "off" {
		b.t.Fatal("JavaScript is not switched off")
	}
	b.visit(page)
	b.do("the table", chromedp.WaitVisible(".board svg"))
	b.follow(`.steps a[rel="prev"]`)
	b.do("the past", chromedp.WaitVisible(".past"))
	b.follow(`.slide button`)
	b.do("the past again", chromedp.WaitVisible(".past"))
	b.visit(letter)
	b.letter()
	b.do("a question", chromedp.SendKeys("#body", "help"))
	b.follow("form.answer button")
	b.do("sent", chromedp.WaitVisible("[role=status]"))
	b.shoot("sent-plain")
	b.visit(post)
	b.do("the letters", chromedp.WaitVisible(".letters li a"))
}

func (b *browser) scripts(on bool) {
	b.t.Helper()
	b.do("switch JavaScript", func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, tab, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on})
		return chromedp.Void{}, err
	})
}

// narrow looks at everything with the width of a small phone.
func (b *browser) narrow(post, letter, page string) {
	b.t.Helper()
	const width = 360
	b.do("a phone", chromedp.EmulateViewport(width, 740))
	for name, url := range map[string]string{
		"inbox": post, "sent": post + "/sent", "letter": letter, "letter-text": letter + "?view=text", "letter-itself": letter + "/html",
		"compose": b.origin + "/post/compose?box=" + lastPart(post), "page": page, "page-past": page + "?at=0", "history": page + "/history", "home": b.origin + "/",
	} {
		b.visit(url)
		wide := b.eval(`(() => { const d = document.scrollingElement, w = d.clientWidth;
			if (d.scrollWidth <= w) return w.toString();
			return d.scrollWidth + ": " + [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > w).map(e => e.localName + "." + e.className).slice(0, 5).join(", ") })()`)
		if wide != strconv.Itoa(width) {
			b.t.Errorf("%s is not %d wide: %s", name, width, wide)
		}
		b.shoot("narrow-" + name)
	}
	b.do("a desk again", chromedp.EmulateViewport(1280, 900))
}

// dark looks at the pages as whoever prefers dark ones sees them.
func (b *browser) dark(post, page string) {
	b.t.Helper()
	prefer := func(scheme string) {
		b.do(scheme, func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
			return chromedp.Void{}, err
		})
	}
	defer prefer("light")
	for name, url := range map[string]string{"inbox": post, "page": page, "history": page + "/history", "home": b.origin + "/"} {
		prefer("light")
		b.visit(url)
		light := brightness(b.shoot(name + "-light"))
		prefer("dark")
		b.visit(url)
		if dark := brightness(b.shoot(name + "-dark")); dark > 100 || light < 155 {
			b.t.Errorf("%s: brightness %d where dark is preferred, %d where light is", name, dark, light)
		}
	}
}

var pictureDir = flag.String("pictures", "", "where TestPictures leaves the README's pictures")

// TestPictures makes the pictures of the README from the letters and pages of
// a game whose seed is fixed, some rounds in.
func TestPictures(t *testing.T) {
	const round = 10
	p := start(t, demoArgs(t.TempDir(), "-seed", strings.Repeat("11", 32))...)
	alpha := demoClients(t, p, 1)[0]
	alpha.style = wholeTurn
	for deadline := time.Now().Add(3 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("round %d never came", round)
		}
		if notices := alpha.fetch(); len(notices) > 0 {
			n := notices[len(notices)-1]
			if v := viewOf(t, p); v.Round >= round && v.Decision == "turn" && n.kind == "turn" {
				break
			}
			for _, n := range notices {
				if alpha.lastRefused = n.result == "refused"; len(n.legal) > 0 {
					alpha.answer(n)
				}
			}
		}
	}
	b := open(t, p)
	if *pictureDir != "" {
		b.shots = *pictureDir
	}
	b.visit(p.values["page1"])
	b.clip("page.png", ".top, .spread")
	b.visit(p.says(regexp.MustCompile(`http://\S+/post/\S+`)))
	b.follow(".letters li:first-child a")
	b.do("a tall window", chromedp.EmulateViewport(1280, 1300))
	b.letter()
	b.clip("letter.png", "header, .letter")
}

func viewOf(t *testing.T, p *program) (v struct {
	Round    int
	Decision string
}) {
	t.Helper()
	body, _ := get(t, p.values["page1"]+"/view.json")
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// clip keeps a picture of the part of the page that holds some elements, as
// wide as the window.
func (b *browser) clip(name, sel string) {
	b.t.Helper()
	const most = 400 << 10 // bytes that a reader of the README should wait for
	bottom, err := strconv.ParseFloat(b.eval(fmt.Sprintf(`Math.max(...[...document.querySelectorAll(%q)].map(e => e.getBoundingClientRect().bottom)).toString()`, sel)), 64)
	if err != nil {
		b.t.Fatal(err)
	}
	raw := ask(b, name, func(ctx context.Context, tab *chromedp.Target) ([]byte, error) {
		r, err := cdp.Call(ctx, tab, page.CaptureScreenshot, page.CaptureScreenshotParams{
			Clip: &page.Viewport{Width: 1280, Height: bottom + 12, Scale: 1}, CaptureBeyondViewport: new(true)})
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
