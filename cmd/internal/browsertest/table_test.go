//go:build real

package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// inTip says whether the tip is shown: what it is called, and what is wrong with its place.
// at is the piece that it is about.
const inTip = `(() => { const t = document.querySelector(".tip"); if (!t || t.hidden) return "";
	const at = %s, r = t.getBoundingClientRect(), p = (at.querySelector(".hb") || at).getBoundingClientRect();
	if (r.left < p.right && p.left < r.right && r.top < p.bottom && p.top < r.bottom) return "it covers the piece";
	if (r.left < 0 || r.right > innerWidth || document.scrollingElement.scrollWidth > document.scrollingElement.clientWidth) return "it is over the edge";
	if (document.querySelectorAll(".tip").length > 1) return "there are two";
	return (t.querySelector("b") || {}).textContent + ": " + t.querySelectorAll('a[href^="/rules#"]').length })()`

// TestTableByKeys goes through the table with the keyboard: each board is one Tab stop,
// arrow keys come to all its pieces, and each shows in a tip what it is.
func TestTableByKeys(t *testing.T) {
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seed", strings.Repeat("5a", 32))...)
	firstNotice(t, mailclient.DemoClients(t, p, 1)[0])
	b := open(t, p)
	for _, size := range [][2]int64{{1280, 900}, {360, 740}, {320, 256}} { // the last as with 400 % on a desk
		b.do("a window", chromedp.EmulateViewport(size[0], size[1]))
		for _, url := range []string{p.Values["page1"], p.Values["page1"] + "/plan/"} {
			b.visit(url)
			b.eval(`window.moved = []; new PerformanceObserver(l => { for (const e of l.getEntries()) window.moved.push(e.value.toFixed(4) + " " + e.sources.map(s => s.node && (s.node.outerHTML || s.node.data).slice(0, 60)).join("; ")) }).observe({type: "layout-shift", buffered: true}); ""`)
			if wide := b.eval(tooWide); wide != "" {
				t.Errorf("%v: there is more: %s", size, wide)
			}
			b.unfolded(size)
			b.tabStops(size)
			b.reached()
			b.tips(size)
			if moved := b.eval(`window.moved.join("\n")`); moved != "" {
				t.Errorf("%v: the page moves by itself: %s", size, moved)
			}
		}
	}
}

// TestTableAsPreferred has the table still where less motion is preferred, and every box
// and link of it with an edge where colours are forced.
func TestTableAsPreferred(t *testing.T) {
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seed", strings.Repeat("5a", 32))...)
	firstNotice(t, mailclient.DemoClients(t, p, 1)[0])
	b := open(t, p)
	b.visit(p.Values["page1"] + "/plan/")
	const moving = `document.getAnimations().length.toString()`
	const bare = `[...document.querySelectorAll(".panel, .tile[data-k], .slot, .stamp, .rc, .ws, .ticket, .room, a.go:not(.gp)")].filter(e => e.checkVisibility() && parseFloat(getComputedStyle(e).borderTopWidth) < 1).map(e => e.className).slice(0, 5).join(", ")`
	if b.eval(bare) == "" {
		t.Error("every box has an edge of its own: does the search still fit?")
	}
	b.feature("forced-colors", "active")
	if found := b.eval(bare); found != "" {
		t.Errorf("with forced colours there is no edge around %s", found)
	}
	b.feature("prefers-reduced-motion", "reduce")
	if n := b.eval(moving); n != "0" {
		t.Errorf("%s things move", n)
	}
}

// tabStops presses Tab until it has been everywhere, and counts: a board is one stop, and
// what has the focus shows it.
func (b *browser) tabStops(size [2]int64) {
	b.t.Helper()
	b.eval(`document.activeElement.blur(); getSelection().collapse(document.body, 0); ""`)
	var stops []string
	boards := map[string]int{}
	for range 200 {
		b.do("Tab", chromedp.KeyEvent(kb.Tab))
		at := b.eval(`(e => e == document.body ? "" : JSON.stringify({board: e.closest("[data-board]") ? [...document.querySelectorAll("[data-board]")].indexOf(e.closest("[data-board]")).toString() : "",
			what: e.outerHTML.slice(0, 90), shown: ` + focusShown + `(e)}))(document.activeElement)`)
		if at == "" {
			break
		}
		var s struct {
			Board, What string
			Shown       bool
		}
		if err := json.Unmarshal([]byte(at), &s); err != nil {
			b.t.Fatal(err)
		}
		if stops = append(stops, s.What); s.Board != "" {
			boards[s.Board]++
		}
		if !s.Shown {
			b.wrong("%v: the focus is not shown: %s", size, s.What)
		}
	}
	all := b.eval(`[...document.querySelectorAll("[data-board]")].filter(e => e.checkVisibility()).length.toString()`)
	for n, times := range boards {
		if times != 1 {
			b.wrong("%v: board %s is %d Tab stops", size, n, times)
		}
	}
	if strconv.Itoa(len(boards)) != all || len(stops) > 60 {
		b.wrong("%v: %d Tabs come to %d boards of %s:\n%s", size, len(stops), len(boards), all, strings.Join(stops, "\n"))
	}
	b.t.Logf("%v: %d Tabs, %d boards", size, len(stops), len(boards))
}

// unfolded opens what a phone folds; elsewhere it is open, and its summaries are no Tab
// stops.
func (b *browser) unfolded(size [2]int64) {
	b.t.Helper()
	if moved := b.eval(`window.moved.join("\n")`); moved != "" {
		b.wrong("%v: the page moves by itself: %s", size, moved)
	}
	const folded = `[...document.querySelectorAll("details.fold:not([open])")].filter(d => !d.lastElementChild.checkVisibility()).length.toString()`
	const stops = `[...document.querySelectorAll(".fold > summary")].filter(s => s.checkVisibility({visibilityProperty: true})).length.toString()`
	n, all, s := b.eval(folded), b.eval(`document.querySelectorAll("details.fold").length.toString()`), b.eval(stops)
	if small := size[0] < 560; small && (n == "0" || s != all) || !small && (n != "0" || s != "0") {
		b.wrong("%v: of %s folds %s are closed and %s can be opened", size, all, n, s)
	}
	b.eval(`for (const d of document.querySelectorAll("details.fold")) d.open = true; ""`)
	b.do("wait", chromedp.Sleep(200_000_000))
	b.eval(`window.moved = []; ""`)
}

// focusShown reports whether an element that has the focus shows it: by an outline, its
// own or that of what holds it, or a hex by its ring.
const focusShown = `(e => [e, e.parentElement].some(x => { const s = getComputedStyle(x); return s.outlineStyle != "none" && parseFloat(s.outlineWidth) > 0 }) ||
	!!e.querySelector(".hb") && getComputedStyle(e.querySelector(".hb")).stroke == "rgb(255, 255, 255)")`

// reached holds that on every board the arrow keys come to every piece, wherever they
// begin.
func (b *browser) reached() {
	b.t.Helper()
	if lost := b.eval(`(() => { const lost = [];
		for (const board of document.querySelectorAll("[data-board]")) {
			const all = [...board.querySelectorAll("[tabindex]")].filter(e => e.checkVisibility()), seen = new Set(all.slice(0, 1)), queue = [...seen];
			if (!all.length) lost.push("nothing in " + board.outerHTML.slice(0, 80));
			while (queue.length) { const from = queue.pop();
				for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) { from.focus();
					from.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
					const to = document.activeElement; if (!seen.has(to)) { seen.add(to); queue.push(to) } } }
			for (const e of all) if (!seen.has(e)) lost.push(e.outerHTML.slice(0, 160)) }
		document.activeElement.blur(); return lost.slice(0, 6).join("\n") })()`); lost != "" {
		b.wrong("arrow keys do not come to\n%s", lost)
	}
}

// sight keeps a picture of what is in sight, without a change of the window.
func (b *browser) sight(name string) {
	b.t.Helper()
	raw := ask(b, name, func(ctx context.Context, tab *chromedp.Target) ([]byte, error) {
		r, err := cdp.Call(ctx, tab, page.CaptureScreenshot, page.CaptureScreenshotParams{})
		if err != nil {
			return nil, err
		}
		return r.Data, nil
	})
	b.picture(name, raw)
	if err := os.WriteFile(filepath.Join(b.shots, "chromium-"+name+".png"), raw, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// tips goes about the map by real keys and by the pointer.
func (b *browser) tips(size [2]int64) {
	b.t.Helper()
	const named = `(e => e.dataset.name || e.getAttribute("aria-label"))`
	b.eval(`document.querySelector(".map [tabindex='0']").focus(); ""`)
	b.do("Home", chromedp.KeyEvent(kb.Home))
	first := b.eval(named + `(document.activeElement)`)
	b.do("End", chromedp.KeyEvent(kb.End))
	if last := b.eval(named + `(document.activeElement)`); last == first {
		b.wrong("%v: End stays at %q", size, last)
	}
	b.do("Home", chromedp.KeyEvent(kb.Home))
	seen := map[string]bool{}
	for _, key := range []string{kb.ArrowDown, kb.ArrowDown, kb.ArrowRight, kb.ArrowRight, kb.ArrowUp, kb.ArrowLeft} {
		b.do("an arrow key", chromedp.KeyEvent(key))
		name, tip := b.eval(named+`(document.activeElement)`), b.eval(fmt.Sprintf(inTip, "document.activeElement"))
		if said, rules, ok := strings.Cut(tip, ": "); seen[name] && key != kb.ArrowLeft && key != kb.ArrowUp || !ok || !strings.HasPrefix(tip, name+": ") && said != name || rules == "0" {
			b.wrong("%v: at %q the tip is %q", size, name, tip)
		}
		seen[name] = true
	}
	if len(seen) < 4 {
		b.wrong("%v: arrow keys come to %d hexes", size, len(seen))
	}
	b.sight(fmt.Sprintf("tip-%d", size[0]))
	b.do("Escape", chromedp.KeyEvent(kb.Escape))
	if tip := b.eval(fmt.Sprintf(inTip, "document.activeElement")); tip != "" || b.eval(`document.activeElement.closest(".map") ? "yes" : ""`) == "" {
		b.wrong("%v: Escape leaves %q", size, tip)
	}

	// Every kind of piece has a tip that fits.
	if wrong := b.eval(`(() => { const wrong = [], seen = new Set();
		for (const e of document.querySelectorAll("[data-board] [data-k]")) { const kind = e.className.toString() + e.dataset.k; if (seen.has(kind) || !e.checkVisibility()) continue; seen.add(kind); e.focus();
			const said = ` + fmt.Sprintf(inTip, "e") + `; if (!/: [1-9]/.test(said)) wrong.push(said + " at " + e.outerHTML.slice(0, 120)) }
		document.activeElement.blur(); return wrong.slice(0, 5).join("\n") })()`); wrong != "" {
		b.wrong("%v: tips\n%s", size, wrong)
	}

	// The tip stays while the pointer is over it.
	b.until("no tip", `document.querySelector(".tip").hidden ? "yes" : ""`)
	at := func(js string) (x, y float64) {
		var r struct{ X, Y float64 }
		if err := json.Unmarshal([]byte(b.eval(`(r => JSON.stringify({X: r.x + r.width / 2, Y: r.y + r.height / 2}))(`+js+`.getBoundingClientRect())`)), &r); err != nil {
			b.t.Fatal(err)
		}
		return r.X, r.Y
	}
	const piece = `document.querySelector("#technology .tile[data-k]")`
	b.eval(piece + `.scrollIntoView({block: "center"}); ""`)
	x, y := at(piece)
	b.do("point", chromedp.MouseEvent("mouseMoved", x, y))
	b.until("a tip", fmt.Sprintf(`/: [1-9]/.test(`+inTip+`) ? "yes" : ""`, piece))
	if size[1] > 300 {
		x, y = at(`document.querySelector(".tip")`)
		b.do("point at the tip", chromedp.MouseEvent("mouseMoved", x, y))
		b.do("wait", chromedp.Sleep(600_000_000))
		if tip := b.eval(fmt.Sprintf(inTip, piece)); tip == "" {
			b.wrong("%v: the tip goes when the pointer comes to it", size)
		}
	}
	b.sight(fmt.Sprintf("tip-tile-%d", size[0]))
	b.do("Escape", chromedp.KeyEvent(kb.Escape))
	if tip := b.eval(fmt.Sprintf(inTip, piece)); tip != "" {
		b.wrong("%v: Escape leaves %q", size, tip)
	}
	b.do("point elsewhere", chromedp.MouseEvent("mouseMoved", 2, 2))
}
