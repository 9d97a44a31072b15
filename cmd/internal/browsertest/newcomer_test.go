//go:build real

package browsertest

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestNewcomer does in a browser what the demo tells a newcomer to do.
func TestNewcomer(t *testing.T) {
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seed", strings.Repeat("5a", 32))...)
	b := open(t, p)

	// The post room, as the demo names it.
	post := p.Says(regexp.MustCompile(`http://\S+/post/\S+`))
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
	legal, example := mailclient.Barred(t, text)
	if len(example) == 0 || len(legal) == 0 {
		t.Fatalf("no example turn in the newest letter:\n%s", text)
	}
	for _, o := range example {
		if !amongSlashes(o).MatchString(html) {
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
	answer := b.until("an answer", fmt.Sprintf(`[...document.querySelectorAll(".letters li.new a")].map(a => a.href).filter(h => +h.split("/").pop() > %s).pop() || ""`, path.Base(letter)))
	b.follow(fmt.Sprintf(`.letters a[href=%q]`, strings.TrimPrefix(answer, b.origin)))
	html = b.letter()
	for _, o := range example {
		if !strings.Contains(html, "“"+o+"”: done") {
			t.Errorf("the answer does not say that %q is done:\n%s", o, html)
		}
	}
	b.shoot("answer")
	if source, _ := mailclient.Get(t, answer+"/source"); mailclient.ReadNotice(t, []byte(source)).Result != "applied" {
		t.Errorf("the answer's result is %q", mailclient.ReadNotice(t, []byte(source)).Result)
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
	if got := tab.eval(`location.href`); got != p.Values["page1"]+"/plan/" {
		t.Errorf("the link leads to %s, not to %s", got, p.Values["page1"])
	}
	tab.do("the window's size", chromedp.EmulateViewport(1280, 900))
	tab.visit(p.Values["page1"]) // now that somebody listens
	tab.shoot("page")
	tab.history(example)
	tab.plain(post, letter, p.Values["page1"])
}

// amongSlashes finds an order as people read it, also in a line that stands for several:
// each of its words may be one of those between slashes.
func amongSlashes(o string) *regexp.Regexp {
	o = regexp.MustCompile(` 0\b`).ReplaceAllString(o, " star")
	o, _, _ = strings.Cut(o, " seat ") // a letter says the name
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
	now, table := b.eval(`location.href`), b.eval(`document.querySelector("#own").innerHTML`)
	b.follow(`.game nav a[href$="/history"]`)
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
	b.eval(`document.querySelector(".history details").open = true; ""`)
	b.follow(`.history a[href*="?at=0&"]`)
	if got := b.eval(`location.href`); !strings.HasPrefix(got, now+"?at=0&") {
		b.t.Errorf("a step of the history leads to %s", got)
	}
	if b.eval(`document.querySelector(".past") ? "yes" : ""`) == "" {
		b.t.Error("a position of the past does not say so")
	}
	if b.eval(`document.querySelector("#own").innerHTML`) == table {
		b.t.Error("the position of the past is that of now")
	}
	b.shoot("page-past")
	before := b.eval(`window.same = "yes"; history.length.toString()`)
	for _, press := range []struct {
		key  string
		with kb.Modifier
		way  string
	}{{kb.ArrowRight, 0, "step-on"}, {kb.ArrowRight, kb.ModifierShift, "turn-on"}, {"]", 0, "round-on"}, {kb.ArrowLeft, kb.ModifierShift, "turn-back"}, {kb.ArrowLeft, 0, "step-back"}} {
		want := b.eval(fmt.Sprintf(`document.querySelector("a[data-way=%s]")?.href ?? ""`, press.way))
		if want == "" {
			continue // the game is too short
		}
		b.do("press for "+press.way, chromedp.KeyEvent(press.key, chromedp.KeyModifiers(press.with)))
		b.until(press.way, fmt.Sprintf(`location.href === %q ? "there" : ""`, want))
	}
	at := b.eval(`location.search`)
	b.do("switch the keys off", chromedp.Click(".keys summary"), chromedp.Click(".keys input"))
	b.eval(`document.activeElement.blur(); ""`)
	b.do("a key", chromedp.KeyEvent("0"), chromedp.KeyEvent(kb.ArrowRight))
	time.Sleep(300 * time.Millisecond) // in which it would work
	if now := b.eval(`location.search`); now != at {
		b.t.Errorf("a key works that was switched off: %s, was %s", now, at)
	}
	b.do("and on", chromedp.Click(".keys input"))
	b.eval(`document.activeElement.blur(); ""`)
	b.do("to the start", chromedp.KeyEvent("9"))
	b.until("the start", `location.search.startsWith("?at=0") ? "there" : ""`)
	b.do("play", chromedp.Click(".steps .play"))
	b.until("the second step", `new URL(location.href).searchParams.get("at") === "2" ? "there" : ""`)
	if said := b.eval(`[...document.querySelectorAll("body > [role=status]")].map(e => e.textContent).join(" ")`); !strings.Contains(said, "Step 2 of ") {
		b.t.Errorf("a step is not told: %q", said)
	}
	if held := b.eval(`document.activeElement.className`); held != "play" {
		b.t.Errorf("the focus is on %q", held)
	}
	b.do("stop", chromedp.Click(".steps .play"))
	if n := b.eval(`history.length.toString()`); n != before {
		b.t.Errorf("%s pages to go back through, were %s", n, before)
	}
	if b.eval(`window.same ?? ""`) == "" {
		b.t.Error("the page was loaded anew")
	}
	b.eval(`(s => { s.value = 2; s.dispatchEvent(new Event("change")); s.closest(".steps").dataset.was = "here" })(document.querySelector(".slide input")); ""`)
	b.until("a new walk", `document.querySelector(".steps").dataset.was ? "" : "there"`) // a click on the old one would be lost
	b.until("the slider", `new URL(location.href).searchParams.get("at") === "2" ? "there" : ""`)
	if b.eval(`document.querySelector("main .ch") ? "yes" : ""`) == "" {
		b.t.Error("no change is marked after a step")
	}
	b.do("the way back", chromedp.Click(`.steps a[data-way="end"], .steps .more a`))
	b.until("the present", `document.querySelector(".past") ? "" : "there"`)
	if b.eval(`document.querySelector("#own").innerHTML`) != table {
		b.t.Error("the way back leads elsewhere")
	}
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
	b.do("the table", chromedp.WaitVisible(".map"))
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
