//go:build real

package browsertest

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// axePath is axe-core, which finds what keeps people from using a page.
const axePath = "../../../web/testdata/node_modules/axe-core/axe.min.js"

var shots = flag.String("shots", "", "where TestKindsOfPages leaves pictures of every page, at both widths, light and dark")

// TestKindsOfPages looks at every kind of page: axe-core finds nothing, it fits
// a phone and a desk, dark is dark and light is light, all of it is reached by the
// Tab key, without JavaScript nothing is missing, and it prints.
func TestKindsOfPages(t *testing.T) {
	axe, err := os.ReadFile(axePath)
	if err != nil {
		t.Skipf("axe-core is not installed: npm ci --prefix web/testdata (%v)", err)
	}
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skipf("poppler-utils is not installed, whose pdftotext reads what is printed (%v)", err)
	}
	faults := toldLast(t)
	f := startFair(t)
	// Two browsers look, each at the next page that nobody has looked at: one
	// keeps no more than a core busy.
	kinds := make(chan kind)
	var looking sync.WaitGroup
	for range 2 {
		b := open(t, f.Process, f.server)
		b.faults = faults
		if *shots != "" {
			b.shots = *shots
		}
		for _, k := range f.kinds {
			if k.refused {
				b.gone[k.url] = true
			}
		}
		looking.Go(func() {
			for k := range kinds {
				t.Run(k.name, func(t *testing.T) {
					one := *b
					one.t = t
					k.looked(&one, string(axe))
				})
			}
		})
	}
	for _, k := range f.kinds {
		kinds <- k
	}
	close(kinds)
	looking.Wait()
}

// looked holds all that a page of the kind must be.
func (k kind) looked(b *browser, axe string) {
	b.t.Helper()
	k.open(b)
	for _, width := range []int64{360, 1280} {
		b.do("a window", chromedp.EmulateViewport(width, 800))
		if wide := b.eval(tooWide); wide != "" {
			b.wrong("%d wide, there is more: %s", width, wide)
		}
		if broken := b.eval(looksBroken); broken != "" {
			b.wrong("%d wide, this looks broken: %s", width, broken)
		}
		for _, scheme := range []string{"light", "dark"} {
			b.prefer(scheme)
			half := (width == 360) == (scheme == "light")
			if half || *shots != "" {
				k.shaded(b, width, scheme)
			}
			if half {
				k.accessible(b, axe, width > 360)
			}
		}
	}
	b.prefer("light")
	if !k.tabbed {
		b.tabbed()
	}
	b.printed(k.name)
	k.unscripted(b)
}

// tooWide is what of a page is beyond the window's right edge.
const tooWide = `(() => { const d = document.scrollingElement, w = d.clientWidth;
	return d.scrollWidth <= w ? "" : d.scrollWidth + ": " + [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > w).map(e => e.localName + "." + e.className).slice(0, 5).join(", ") })()`

// looksBroken is what looks like a mistake: text that its box cuts, text at the edge of a
// sheet of paper, sheets that touch, bars of a chart that are not there, backquotes, times for
// machines, forms beside their title, tables whose heads begin with a blank, and plots that are
// cut or cut what they say.
const looksBroken = `(() => { const wrong = [], name = e => e.localName + "." + (e.className.baseVal ?? e.className) + (e.id && "#" + e.id);
	const seen = e => e.checkVisibility({visibilityProperty: true, opacityProperty: true}), say = (what, e) => wrong.push(what + " " + name(e) + ": " + e.textContent.trim().slice(0, 40));
	for (const e of document.querySelectorAll("body *:not(svg *, .sr, .sr *)")) {
		const s = getComputedStyle(e), cut = s.overflowY === "hidden" || s.overflowX === "hidden" || s.overflowY === "clip";
		if (cut && seen(e) && s.textOverflow !== "ellipsis" && s.clipPath === "none" && e.innerText?.trim() && (e.scrollHeight > e.clientHeight + 2 || e.scrollWidth > e.clientWidth + 2) && !e.querySelector(".gh")) say("cuts", e);
	}
	for (let w = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), n; n = w.nextNode();) {
		const p = n.parentElement;
		if (!seen(p) || p.closest("pre, code, textarea, script, style, iframe")) continue;
		if (n.data.includes("\u0060")) say("backquotes", p);
		if (/\b20\d\d-\d\d-\d\d/.test(n.data)) say("a time for machines", p);
	}
	const title = document.querySelector("h1");
	for (const e of title && innerWidth > 1000 ? document.querySelectorAll("main.home > *") : [])
		if (seen(e) && Math.abs(e.getBoundingClientRect().left - title.getBoundingClientRect().left) > 2) say("not below the title", e);
	for (const t of document.querySelectorAll("main table")) {
		const heads = [...t.querySelectorAll("thead th")].filter(seen), box = t.closest(".wide") || t;
		const right = box.getBoundingClientRect().right;
		const ink = heads.filter(h => h.getBoundingClientRect().left < right).map(h => { const g = document.createRange(); g.selectNodeContents(h); return g.getBoundingClientRect().top });
		if (ink.length && Math.min(...ink) > t.tHead.getBoundingClientRect().top + 26) say("blank above the heads of", t);
	}
	for (const s of document.querySelectorAll("main svg.chart")) {
		const r = s.getBoundingClientRect(), box = s.parentElement.getBoundingClientRect();
		if (seen(s) && (r.right > box.right + 1 || r.right > innerWidth)) { say("cuts the plot", s); break; }
		const low = [...s.querySelectorAll("text")].find(x => { const q = x.getBoundingClientRect(); return q.width && (q.left < r.left - 2 || q.right > r.right + 2 || q.bottom > r.bottom + 2) });
		if (seen(s) && low) { say("a plot cuts", low); break; }
	}
	for (const e of document.querySelectorAll(".chart .bar")) if (!e.checkVisibility()) { say("no", e); break; }
	const sheets = [...document.querySelectorAll(".panel, .card")].filter(e => seen(e));
	for (const e of sheets) {
		const r = e.getBoundingClientRect();
		for (const f of sheets) {
			const q = f.getBoundingClientRect();
			if (f !== e && !e.contains(f) && !f.contains(e) && q.top >= r.top && q.top < r.bottom + 6 && q.left < r.right - 1 && q.right > r.left + 1) say("touches " + name(e), f);
		}
		const w = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
		for (let n; n = w.nextNode();) {
			if (!n.data.trim() || !seen(n.parentElement) || n.parentElement.closest(".sr, svg, .wide, pre, textarea, select")) continue;
			const g = document.createRange(); g.selectNodeContents(n);
			for (const q of g.getClientRects()) if (q.width > 1 && (q.left < r.left + 6 || q.right > r.right - 2)) { say("edge", n.parentElement); break; }
		}
	}
	return [...new Set(wrong)].slice(0, 6).join("; ") })()`

// shaded keeps a picture, which is as dark as was asked for.
func (k kind) shaded(b *browser, width int64, scheme string) {
	b.t.Helper()
	bright := brightness(b.shoot(fmt.Sprintf("%s-%d-%s", k.name, width, scheme)))
	if k.name == "post-letter" { // the letter itself is as it was sent
		return
	}
	if scheme == "light" && bright < 155 || scheme == "dark" && bright > 100 {
		b.wrong("%d wide, brightness is %d where %s is preferred", width, bright, scheme)
	}
}

// accessible has axe-core look at the page; again, where only what it looks like
// has changed, for what that decides. A letter is shown within other pages: it has
// no landmarks of its own.
func (k kind) accessible(b *browser, axe string, again bool) {
	b.t.Helper()
	options := `{iframes: false, resultTypes: ["violations"]}`
	switch {
	case again:
		options = `{iframes: false, resultTypes: ["violations"], runOnly: ["color-contrast", "link-in-text-block", "scrollable-region-focusable"]}`
	case k.name == "letter":
		options = `{resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}`
	}
	found := ask(b, "axe-core", chromedp.Evaluate[string](axe+`; `+named+`; axe.run(document, `+options+`).then(r => r.violations.map(v => ({...v, nodes: v.nodes.filter(n => !named(v, n))})).filter(v => v.nodes.length).map(v => v.id + ": " + v.help + "\n" + v.nodes.slice(0, 4).map(n => "  " + n.html.slice(0, 200) + "\n    " + (n.any[0] || n.all[0] || n.none[0] || {}).message).join("\n")).join("\n") || "nothing")`, chromedp.EvalAwaitPromise))
	if found != "nothing" {
		b.wrong("%s: axe-core finds\n%s", b.eval(`innerWidth + " wide"`), found)
	}
	if found := b.eval(pale); found != "" {
		b.wrong("%s: pale text in drawings\n%s", b.eval(`innerWidth + " wide"`), found)
	}
}

// named reports whether what axe-core finds is that a piece's name lacks some of the text on
// it, and the name has what people would say: the codes of the piece.
const named = `var named = (v, n) => { if (v.id != "label-content-name-mismatch") return false;
	const e = document.querySelector(n.target[0]); if (!e.matches("[data-k]")) return false;
	const name = e.getAttribute("aria-label").toLowerCase();
	return ([...e.querySelectorAll("*")].flatMap(x => [...x.childNodes].filter(c => c.nodeType === 3).map(c => c.data)).join(" ").match(/\b([a-e]\d+|[tsa]\d+|\d{3})\b/g) || []).every(code => name.includes(code)) }`

// pale is what text of drawings has too little contrast to what it stands on, which axe-core
// does not see: its own outline, or the shape below it.
const pale = `(() => { const out = [];
	const rgb = s => { const m = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(s); return m && (m[4] === undefined || +m[4] > .5) ? [+m[1], +m[2], +m[3]] : null };
	const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b };
	for (const t of document.querySelectorAll("main svg text")) {
		if (!t.checkVisibility() || !t.textContent.trim() || t.closest(".chart")) continue;
		t.scrollIntoView({block: "center", inline: "center"});
		const s = getComputedStyle(t), r = t.getBoundingClientRect();
		let on = s.paintOrder.startsWith("stroke") && rgb(s.stroke);
		for (const e of on ? [] : document.elementsFromPoint(r.x + r.width / 2, r.y + r.height / 2)) {
			if (e.localName == "text") continue;
			if (on = rgb(getComputedStyle(e)[e.namespaceURI.endsWith("svg") && e.localName != "svg" ? "fill" : "backgroundColor"])) break }
		const ink = rgb(s.fill);
		if (!ink || !on) { out.push("of no colour: " + t.outerHTML); continue }
		const [a, b] = [light(ink), light(on)].sort((a, b) => b - a), contrast = (a + .05) / (b + .05);
		if (contrast < 4.5) out.push(contrast.toFixed(2) + ": " + s.fill + " on " + on + ", " + t.parentElement.parentElement.outerHTML.slice(0, 200)) }
	scrollTo(0, 0);
	return out.slice(0, 5).join("\n") })()`

// tabbed goes through the page by the Tab key: everything that can be used is
// reached, shows it, and is in sight.
func (b *browser) tabbed() {
	b.t.Helper()
	// What the arrow keys come to on a board is for TestTableByKeys.
	const usable = `:is(a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]):not([tabindex="-1"])`
	b.eval(fmt.Sprintf(`window.left = new Set([...document.querySelectorAll(%q)].filter(e => e.checkVisibility({visibilityProperty: true}))); window.lost = [];
		document.activeElement.blur(); getSelection().collapse(document.body, 0);
		const what = e => e.outerHTML.slice(0, 120);
		document.addEventListener("focusin", e => { const r = e.target.getBoundingClientRect(); window.left.delete(e.target);
			if (!(`+focusShown+`)(e.target)) window.lost.push("focus is not shown: " + what(e.target));
			if (r.bottom < 0 || r.top > innerHeight || r.right < 0 || r.left > innerWidth) window.lost.push("out of sight: " + what(e.target)); });
		""`, usable))
	for n := 0; ; n++ {
		if left := b.eval(`window.left.size.toString()`); left == "0" {
			break
		}
		if n == 40 {
			b.wrong("Tab does not come to %s", b.eval(`[...window.left].slice(0, 4).map(e => e.outerHTML.slice(0, 120)).join("\n")`))
			break
		}
		for range 20 {
			b.do("Tab", chromedp.KeyEvent(kb.Tab))
		}
	}
	if lost := b.eval(`window.lost.slice(0, 6).join("\n")`); lost != "" {
		b.wrong("%s", lost)
	}
}

// unscripted reads the page with JavaScript switched off: whatever it says with
// it stands there, too.
func (k kind) unscripted(b *browser) {
	b.t.Helper()
	const read = `(() => { for (const e of document.querySelectorAll("#copy, .keys, .play")) e.remove(); for (const t of document.querySelectorAll("time")) t.textContent = t.dateTime; for (const d of document.querySelectorAll("details")) d.open = true;
		return JSON.stringify([...document.body.innerText.split("\n"), ...[...document.querySelectorAll("svg text")].map(t => t.textContent), ...[...document.querySelectorAll("[aria-label]")].map(e => e.getAttribute("aria-label"))]) })()`
	lines := func(raw string) (out []string) {
		if err := json.Unmarshal([]byte(raw), &out); err != nil {
			b.t.Fatal(err)
		}
		return out
	}
	k.open(b)
	with := lines(b.eval(read))
	b.scripts(false)
	defer b.scripts(true)
	k.open(b)
	without := strings.Join(lines(b.still(read)), "\n")
	for _, l := range with {
		if !strings.Contains(without, l) {
			b.wrong("without JavaScript this is missing: %q", l)
		}
	}
	if len(with) < 5 {
		b.wrong("the page says only %q", with)
	}
}

// TestPlanByKeys plans a turn with the keyboard alone, by what links are called, and
// counts how often it takes Tab.
func TestPlanByKeys(t *testing.T) {
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seed", strings.Repeat("5a", 32))...)
	firstNotice(t, mailclient.DemoClients(t, p, 1)[0])
	b := open(t, p)
	b.visit(p.Values["page1"])
	b.enter(`main a[href$="/plan/"]`)
	tabs := 0
	for _, name := range []string{"^Play .*Mission", "(Row|Column) [123]", "^Take the", "^(Command|Discover|Repair|Destroy)"} {
		at := b.eval(`location.href`)
		for now := ""; !regexp.MustCompile(name).MatchString(now); {
			if now = b.focusName(); regexp.MustCompile(name).MatchString(now) {
				break
			}
			b.do("Tab", chromedp.KeyEvent(kb.Tab))
			if tabs++; tabs > 60 {
				t.Fatalf("no link is called %q", name)
			}
		}
		b.do("Enter", chromedp.KeyEvent(kb.Enter))
		b.until("the page behind "+name, fmt.Sprintf(`document.readyState == "complete" && location.href != %q ? "yes" : ""`, at))
		b.until("news", `document.querySelector("#said").textContent`)
	}
	if t.Logf("%d times Tab", tabs); tabs > 25 {
		t.Errorf("a card and a die take %d times Tab", tabs)
	}
	if got := b.eval(`document.querySelectorAll(".tried li").length.toString()`); got < "3" {
		t.Errorf("the plan has %s steps", got)
	}
	at := b.eval(`location.href`)
	b.enter(`.onward a[href="../#told"]`)
	if got := b.eval(`location.href`); len(got) >= len(at) || !strings.HasPrefix(at, got) {
		t.Errorf("back from %s is %s", at, got)
	}
	b.tab(`a[href^="mailto:"]`)
	b.tab(`textarea`)
}

// focusName is the accessible name of what has the focus.
func (b *browser) focusName() string {
	b.t.Helper()
	return b.eval(`(e => e && e !== document.body ? (e.getAttribute("aria-label") || e.textContent).trim().replace(/\s+/g, " ") : "")(document.activeElement)`)
}

// firstNotice is the first letter that asks for a turn.
func firstNotice(t *testing.T, c *mailclient.Client) mailclient.Received {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		for _, n := range c.Fetch() {
			if len(n.Legal) > 0 {
				return n
			}
		}
	}
	t.Fatal("no letter asks for a turn")
	return mailclient.Received{}
}

// tab presses Tab until something that matches has the focus, and shows it.
func (b *browser) tab(sel string) {
	b.t.Helper()
	for range 300 {
		b.do("Tab", chromedp.KeyEvent(kb.Tab))
		if b.eval(fmt.Sprintf(`(e => e && e.matches(%q) ? (e.matches(":focus-visible") ? "shown" : "hidden") : "")(document.activeElement)`, sel)) == "shown" {
			return
		}
	}
	b.t.Fatalf("Tab never comes to %s", sel)
}

// enter follows a link by Tab and Enter.
func (b *browser) enter(sel string) {
	b.t.Helper()
	b.tab(sel)
	at := b.eval(`location.href`)
	b.do("Enter", chromedp.KeyEvent(kb.Enter))
	b.until("the page behind "+sel, fmt.Sprintf(`document.readyState == "complete" && location.href != %q ? "yes" : ""`, at))
}
