//go:build real

package browsertest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// lettersOf are the sizes in pixels of what text a page shows, the smallest first,
// with what they say: text of a drawing as its scale makes it, and letters of a letter's
// picture, which are 24 pixels high at a width of 720.
const lettersOf = `(() => { const all = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const add = (size, text) => all.push([Math.round(size * 100) / 100, text.trim().slice(0, 40)]);
	while (walk.nextNode()) { const p = walk.currentNode.parentElement;
		if (!walk.currentNode.data.trim() || p.closest("script, style, title, option") || !p.checkVisibility()) continue;
		const size = parseFloat(getComputedStyle(p).fontSize), m = p.closest("svg") && p.getScreenCTM();
		add(m ? size * Math.hypot(m.a, m.b) : size, walk.currentNode.data) }
	for (const i of document.querySelectorAll("img")) add(24 * i.getBoundingClientRect().width / 720, "picture");
	return all.sort((a, b) => a[0] - b[0]).slice(0, 5).map(x => x.join(" ")).join(", ") + " of " + all.length })()`

// smallTargets are the links, buttons and fields of a page that are lower or narrower than 44
// pixels, but for links within text and tables (WCAG 2.5.5).
const smallTargets = `(() => { const small = [];
	for (const e of document.querySelectorAll("a[href], button, summary, select, input:not([type=hidden]):not([type=range])")) {
		const r = e.getBoundingClientRect(), s = getComputedStyle(e);
		if (!e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || r.width < 2 || s.display == "inline" && !e.closest("svg") || r.bottom < 0 && e.matches(".skip, .skips *")) continue;
		const within = e.parentElement.matches("td") || getComputedStyle(e.parentElement).display == "inline" || e.parentElement.matches("li, p, dd, figcaption, .rule") && e.parentElement.textContent.trim().length > e.textContent.trim().length + 1;
		const whole = e.closest("label") ? e.closest("label").getBoundingClientRect() : r, around = getComputedStyle(e, "::after");
		const more = around.content != "none" && around.position == "absolute" ? around : { width: 0, height: 0 };
		if (!within && (Math.max(whole.height, parseFloat(more.height)) < 43.5 || Math.max(whole.width, parseFloat(more.width)) < 43.5)) small.push(e.parentElement.tagName + "." + e.parentElement.className + " > " + e.tagName + "." + (e.className.baseVal ?? e.className) + " " + (e.textContent || e.value || "").trim().slice(0, 20) + " " + Math.round(whole.width) + "x" + Math.round(whole.height)) }
	return [...new Set(small)].slice(0, 12).join("; ") })()`

// crowded are pieces of a table that lie on each other, rings of what may be touched that run
// into each other, and what stands in a line that it should not share, or has lost its own.
const crowded = `(() => { const bad = [], seen = (s) => [...document.querySelectorAll(s)].filter(e => e.checkVisibility() && !e.closest(".tip, svg"));
	const name = (e) => e.tagName + "." + (e.className.baseVal ?? e.className) + " " + (e.getAttribute("aria-label") || e.textContent).trim().slice(0, 30);
	const both = (all, box, least, what) => { const r = all.map(box);
		for (let i = 0; i < all.length; i++) for (let k = 0; k < i; k++) if (!all[i].contains(all[k]) && !all[k].contains(all[i]) &&
			Math.min(r[i].right, r[k].right) - Math.max(r[i].left, r[k].left) > least && Math.min(r[i].bottom, r[k].bottom) - Math.max(r[i].top, r[k].top) > least) bad.push(what + ": " + name(all[i]) + " and " + name(all[k])) };
	const rect = (e) => e.getBoundingClientRect();
	both(seen(".panel, .room, .tile, .slot, .dg, .mini, .stamp, .rc, .ticket, .deck, .pool .q, .dd, .ne > *, .gr3 .ar, .ways > *, .choices a"), rect, 5, "overlap"); // covered Ravagers show 4
	both(seen(".go").filter(e => getComputedStyle(e).boxShadow != "none"), (e) => { const r = rect(e), wide = Math.max(0, ...getComputedStyle(e).boxShadow.split(/,(?![^(]*\))/).filter(s => !s.includes("inset")).map(s => parseFloat(s.match(/(\S+px)\s*$/)[1])));
		return { left: r.left - wide, right: r.right + wide, top: r.top - wide, bottom: r.bottom + wide } }, 1, "rings");
	for (const a of seen(".opp .hdr h3, .ticket b")) { const n = a.closest(".hdr, .ticket").querySelector(".num"), x = rect(a), y = rect(n);
		if (a.matches("h3") && Math.abs(x.top + x.bottom - y.top - y.bottom) > 24 || n.scrollWidth > n.clientWidth + 1) bad.push("wrapped: " + name(n)) }
	for (const e of seen(".ways .at, .pool .q")) for (const s of e.parentElement.children) if (s != e && s.checkVisibility() && Math.min(rect(s).bottom, rect(e).bottom) - Math.max(rect(s).top, rect(e).top) > 3) bad.push("shares its line: " + name(e));
	for (const e of seen(".choices li > code, .choices li > .quiet")) if (rect(e).top < rect(e.parentElement.querySelector("a")).bottom - 4) bad.push("not below: " + name(e));
	for (const e of seen(".drawn, .stamps li")) if (e.querySelector(".stamp") && getComputedStyle(e).filter == "none") bad.push("no edge: " + name(e));
	return [...new Set(bad)].slice(0, 12).join("; ") })()`

// TestBoardInChromium looks at the boards as people do who see, point and read in
// different ways.
func TestBoardInChromium(t *testing.T) {
	f := startFair(t)
	b := open(t, f.Process, f.server)
	if *shots != "" {
		b.shots = *shots
	}
	for _, k := range f.kinds {
		if k.refused {
			b.gone[k.url] = true
		}
	}
	for _, k := range f.kinds {
		b.do("a phone", chromedp.EmulateViewport(360, 740))
		k.open(b)
		said := b.eval(lettersOf)
		if least, err := strconv.ParseFloat(strings.Fields(said)[0], 64); err != nil || least < 11 {
			t.Errorf("%s: letters below 11 pixels on a phone: %s", k.name, said)
		}
		if small := b.eval(smallTargets); small != "" {
			t.Errorf("%s: smaller than a finger on a phone: %s", k.name, small)
		}
		for _, width := range []int64{360, 768, 1280} {
			b.do("a window", chromedp.EmulateViewport(width, 900))
			if both := b.eval(crowded); both != "" {
				t.Errorf("%s: at %d: %s", k.name, width, both)
			}
		}
		b.do("a window of 1280 pixels at 200 %", zoomed(2, 640, 450))
		if wide := b.eval(tooWide); wide != "" {
			t.Errorf("%s: at 200 %% there is more: %s", k.name, wide)
		}
	}
	b.do("a window", zoomed(1, 1280, 900))
	for _, k := range f.kinds {
		switch k.name {
		case "page", "solo", "finished":
			b.visions(k)
			b.onPaper(k)
			b.tapped(k)
		}
	}
}

// zoomed is a window of so many CSS pixels, magnified.
func zoomed(by float64, width, height int64) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, tab, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: by})
		return chromedp.Void{}, err
	}
}

// visions keeps a picture as people see it to whom some colours look alike.
func (b *browser) visions(k kind) {
	b.t.Helper()
	k.open(b)
	seen := map[string]string{}
	for _, v := range []emulation.SetEmulatedVisionDeficiencyType{
		emulation.SetEmulatedVisionDeficiencyTypeProtanopia, emulation.SetEmulatedVisionDeficiencyTypeDeuteranopia,
		emulation.SetEmulatedVisionDeficiencyTypeTritanopia, emulation.SetEmulatedVisionDeficiencyTypeNone,
	} {
		raw := ask(b, "see", func(ctx context.Context, tab *chromedp.Target) ([]byte, error) {
			if _, err := cdp.Call(ctx, tab, emulation.SetEmulatedVisionDeficiency, emulation.SetEmulatedVisionDeficiencyParams{Type: v}); err != nil {
				return nil, err
			}
			r, err := cdp.Call(ctx, tab, page.CaptureScreenshot, page.CaptureScreenshotParams{})
			if err != nil {
				return nil, err
			}
			return r.Data, nil
		})
		if other := seen[string(raw)]; other != "" {
			b.t.Errorf("%s: with %s it looks as with %s", k.name, v, other)
		}
		seen[string(raw)] = v.String()
		if *shots != "" {
			if err := os.WriteFile(filepath.Join(b.shots, fmt.Sprintf("%s-%s.png", k.name, v)), raw, 0o644); err != nil {
				b.t.Fatal(err)
			}
		}
	}
}

// onPaper holds that what is printed is dark on light, whatever is preferred.
func (b *browser) onPaper(k kind) {
	b.t.Helper()
	b.prefer("dark")
	defer b.prefer("light")
	k.open(b)
	b.media("print")
	defer b.media("")
	raw := ask(b, "on paper", func(ctx context.Context, tab *chromedp.Target) ([]byte, error) {
		r, err := cdp.Call(ctx, tab, page.CaptureScreenshot, page.CaptureScreenshotParams{})
		if err != nil {
			return nil, err
		}
		return r.Data, nil
	})
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		b.t.Fatal(err)
	}
	if n := brightness(img); n < 170 {
		b.t.Errorf("%s: on paper its brightness is %d", k.name, n)
	}
}

// tapped taps pieces of the boards that do nothing: what they are shows, whole and in the
// window. Without JavaScript the list of kinds opens and says it.
func (b *browser) tapped(k kind) {
	b.t.Helper()
	b.do("a phone", chromedp.EmulateViewport(360, 740))
	defer b.do("a desk", chromedp.EmulateViewport(1280, 900))
	defer b.scripts(true)
	k.open(b)
	const pieces = `[...document.querySelectorAll("[data-board] [data-k]:not(a)")].filter(e => e.checkVisibility())`
	n, err := strconv.Atoi(b.eval(pieces + `.length.toString()`))
	if err != nil || n < 30 { // the other boards are folded there
		b.t.Fatalf("%s: %d pieces on the boards", k.name, n)
	}
	for i := 0; i < n; i += 1 + n/12 {
		one := fmt.Sprintf(pieces+`[%d]`, i)
		var at struct{ X, Y float64 }
		where := b.eval(`(e => { e.scrollIntoView({block: "center"}); const r = (e.querySelector(".hb") || e).getBoundingClientRect(); return JSON.stringify({X: r.x + r.width / 2, Y: r.y + r.height / 2}) })(` + one + `)`)
		if err := json.Unmarshal([]byte(where), &at); err != nil {
			b.t.Fatal(err)
		}
		b.do("close the last tip", chromedp.KeyEvent(kb.Escape))
		b.do("tap", chromedp.MouseClickXY(at.X, at.Y))
		if tip := b.until("a tip", fmt.Sprintf(inTip, one)); !strings.Contains(tip, ": ") || strings.HasSuffix(tip, ": 0") {
			b.t.Errorf("%s: the tip of %s: %s", k.name, b.eval(one+`.getAttribute("aria-label")`), tip)
		}
	}
	b.scripts(false)
	k.open(b)
	b.do("open the list", chromedp.Click("#pieces > summary"))
	if said := b.still(`[...document.querySelectorAll("#pieces dd")].filter(e => e.checkVisibility() && e.querySelector('a[href^="/rules#"]')).length.toString()`); len(said) < 2 {
		b.t.Errorf("%s: without JavaScript %s kinds are explained", k.name, said)
	}
}
