//go:build real

package browsertest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"slices"
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
	"github.com/chromedp/chromedp"

	"angelpost/cmd/internal/program"
)

// patience is for what must come, and comes at once but on a machine that has
// much else to do.
const patience = 5 * time.Minute

// A browser is Chromium with an eye on what it asks of the network and what it
// says on its console: neither may happen beyond the programs' own pages.
type browser struct {
	t      *testing.T
	ctx    context.Context
	origin string  // of the first program
	shots  string  // folder of screenshots
	faults *faults // nil: none is told again
	*witness
}

// Faults are told again, in short, when the test has ended, after all that the
// programs had to say.
type faults struct {
	mu    sync.Mutex
	lines []string
}

// toldLast is the first that a test calls: what is cleaned up last.
func toldLast(t *testing.T) *faults {
	t.Helper()
	f := &faults{}
	t.Cleanup(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if len(f.lines) > 0 {
			t.Logf("in short, %d faults:\n%s", len(f.lines), strings.Join(f.lines[:min(len(f.lines), 20)], "\n"))
		}
	})
	return f
}

// wrong tells a fault of what the browser shows.
func (b *browser) wrong(format string, args ...any) {
	b.t.Helper()
	b.t.Errorf(format, args...)
	if b.faults != nil {
		b.faults.mu.Lock()
		defer b.faults.mu.Unlock()
		line, _, _ := strings.Cut(fmt.Sprintf(format, args...), "\n  ")
		b.faults.lines = append(b.faults.lines, fmt.Sprintf("%s: %.300s", b.t.Name(), line))
	}
}

// fail is wrong, and ends the test.
func (b *browser) fail(format string, args ...any) {
	b.t.Helper()
	b.wrong(format, args...)
	b.t.FailNow()
}

// A witness is what a browser was seen to do, in all its tabs.
type witness struct {
	mu    sync.Mutex
	home  []string        // origins that may be asked
	gone  map[string]bool // addresses that are refused, as they should be
	asked int
	bad   []string
}

// open starts a browser for the pages of programs.
func open(t *testing.T, all ...*program.Process) *browser {
	t.Helper()
	seen := &witness{gone: map[string]bool{}}
	for _, p := range all {
		seen.home = append(seen.home, p.Values["http"])
	}
	off := func(ctx context.Context, cancel context.CancelFunc) context.Context { t.Cleanup(cancel); return ctx }
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath("/usr/bin/chromium"), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("hide-scrollbars", true),
		// A letter's frame has an origin of its own. Kept in the page's process,
		// what it loads and says is heard here like the page's.
		chromedp.Flag("disable-features", "Translate,IsolateSandboxedIframes"), chromedp.Flag("disable-site-isolation-trials", true),
		chromedp.WindowSize(1280, 900), chromedp.WSURLReadTimeout(patience))
	ctx := off(chromedp.NewExecAllocator(context.Background(), options...))
	ctx = off(chromedp.NewContext(ctx))
	ctx = off(context.WithTimeout(ctx, 30*time.Minute))
	b := &browser{t: t, ctx: ctx, origin: seen.home[0], shots: artefacts(t), witness: seen}
	b.listen()
	b.focused()
	t.Cleanup(b.check)
	return b
}

// focused has each page behave as in the window that has the focus. A window without
// one is given it by the first key, and until it has it nothing matches :focus.
func (b *browser) focused() {
	b.t.Helper()
	b.do("the focus", func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, tab, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return chromedp.Void{}, err
	})
}

// artefacts is the folder for what a test leaves to be looked at.
func artefacts(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("ARTEFACTS")
	if dir == "" {
		dir = "../../../artefacts"
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// listen notes what the tab does that it should not.
func (b *browser) listen() {
	b.t.Helper()
	note := func(format string, args ...any) { b.bad = append(b.bad, fmt.Sprintf(format, args...)) }
	err := chromedp.Listen(b.ctx, func(ev any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch ev := ev.(type) {
		case *network.EventRequestWillBeSent:
			switch u, err := url.Parse(ev.Request.URL); {
			case err != nil:
				note("an address nobody can read: %v", err)
			case u.Scheme == "data" || u.Scheme == "about":
			case slices.Contains(b.home, u.Scheme+"://"+u.Host):
				b.asked++
			default:
				note("a request to elsewhere: %s", ev.Request.URL)
			}
		case *log.EventEntryAdded:
			if b.gone[ev.Entry.URL] {
				break
			}
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
	if b.asked == 0 {
		b.wrong("no request was seen at all: the ear is deaf")
	}
	for _, s := range b.bad {
		b.wrong("%s", s)
	}
}

func (b *browser) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.capture("failed")
		b.fail("%.200s: %v", what, err)
	}
}

// ask runs an action that has a result.
func ask[T any](b *browser, what string, a chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		b.capture("failed")
		b.fail("%.200s: %v", what, err)
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
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if s, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](js)); err == nil && s != "" {
			return s
		}
	}
	b.capture("failed")
	b.fail("%s: it never came", what)
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
	for deadline := time.Now().Add(patience); frame == nil || frame.ContentDocument == nil; time.Sleep(50 * time.Millisecond) {
		frame = ask(b, "the letter's frame", chromedp.Nodes("iframe.body"))[0]
		if time.Now().After(deadline) {
			b.fail("the letter's frame stays empty")
		}
	}
	return ask(b, "the letter", chromedp.TextContent(chromedp.CSS("body"), chromedp.FromNode(frame)))
}

// scripts switches JavaScript on or off for the pages that come.
func (b *browser) scripts(on bool) {
	b.t.Helper()
	b.do("switch JavaScript", func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, tab, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !on})
		return chromedp.Void{}, err
	})
}

// prefer has the browser ask for light or dark pages.
func (b *browser) prefer(scheme string) {
	b.t.Helper()
	b.do(scheme, func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return chromedp.Void{}, err
	})
}

// feature has the browser ask for something else than light and dark.
func (b *browser) feature(name, value string) {
	b.t.Helper()
	b.do(name, func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: name, Value: value}}})
		return chromedp.Void{}, err
	})
}

// media has pages styled as for a medium; "" for what it is.
func (b *browser) media(medium string) {
	b.t.Helper()
	b.do("as for "+medium, func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: medium})
		return chromedp.Void{}, err
	})
}
