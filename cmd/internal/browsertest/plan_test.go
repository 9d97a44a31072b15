//go:build real

package browsertest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/engine/order"
)

// TestPlanInBrowser plans a turn by clicks on a phone, without JavaScript, sends
// what the mailto: link says as a real letter, and sees the game move.
func TestPlanInBrowser(t *testing.T) {
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seed", strings.Repeat("5a", 32))...)
	alpha := mailclient.DemoClients(t, p, 1)[0]
	firstNotice(t, alpha)
	b := open(t, p)
	b.do("a phone", chromedp.EmulateViewport(360, 740))
	b.scripts(false)
	b.visit(p.Values["page1"])
	b.follow(`.desk a[href$="/plan/"]`)
	var chosen []string
	for len(chosen) < 30 {
		if wide := b.still(`(d => d.scrollWidth > d.clientWidth ? d.scrollWidth + " in " + d.clientWidth : "")(document.scrollingElement)`); wide != "" {
			t.Errorf("after %q the page is too wide: %s", chosen, wide)
		}
		href, line := b.choice()
		if href == "" {
			break
		}
		// The bar at the foot of the window would catch a click on a link behind it.
		link := fmt.Sprintf(`.next a[href=%q]`, href)
		b.still(fmt.Sprintf(`(document.querySelector(%q).scrollIntoView({block: "center"}), "")`, link))
		b.follow(link)
		if line != "" { // else an order is begun
			chosen = append(chosen, line)
		}
	}
	last := b.still(`location.href`)
	steps := b.still(`[...document.querySelectorAll(".tried > li > code")].map(c => c.textContent).join("\n")`)
	b.follow(`.onward a[href="../#told"]`) // and back again
	if got := b.still(`document.querySelectorAll(".next a").length.toString()`); len(chosen) < 3 || got == "0" {
		t.Errorf("after %q, one step back, there are %s choices", chosen, got)
	}
	b.visit(last)
	if got := b.still(`[...document.querySelectorAll(".tried > li > code")].map(c => c.textContent).join("\n")`); got != steps {
		t.Errorf("there again the plan is %q, not %q", got, steps)
	}
	mailto, text := b.still(`document.querySelector('a.button[href^="mailto:"]').href`), b.still(`document.querySelector("textarea").value`)
	b.look(b.still(`location.href`))

	u, err := url.Parse(mailto)
	if err != nil {
		t.Fatal(err)
	}
	to, err := url.PathUnescape(u.Opaque)
	if err != nil {
		t.Fatal(err)
	}
	body := u.Query().Get("body")
	if strings.TrimSuffix(body, "\r\n") != strings.ReplaceAll(text, "\n", "\r\n") {
		t.Errorf("the link writes %q, the page shows %q", body, text)
	}
	alpha.Send(to, u.Query().Get("subject"), "", body)
	answered := false
	for deadline := time.Now().Add(time.Minute); !answered; time.Sleep(50 * time.Millisecond) {
		for _, n := range alpha.Fetch() {
			answered = answered || n.Kind == "answer" && n.Result == "applied"
		}
		if time.Now().After(deadline) {
			t.Fatalf("no letter says that %q was done", body)
		}
	}
	raw, _ := mailclient.Get(t, p.Values["page1"]+"/history.json")
	var history struct {
		Lines []struct {
			Seat  int
			Order string
		}
	}
	if err := json.Unmarshal([]byte(raw), &history); err != nil {
		t.Fatal(err)
	}
	var done []string
	for _, l := range history.Lines {
		if l.Seat == 1 {
			done = append(done, order.Context{Names: []string{"Alpha", "Beta", "Gamma"}}.Spell(l.Order))
		}
	}
	if want := strings.Split(strings.TrimSuffix(body, "\r\n"), "\r\n"); !slices.Equal(done[max(0, len(done)-len(want)):], want) {
		t.Errorf("%q was sent, done is %q", want, done)
	}
}

// still asks a page that has no scripts.
func (b *browser) still(js string) string {
	b.t.Helper()
	b.scripts(true)
	defer b.scripts(false)
	return b.eval(js)
}

// choice is where a choice of the plan's page leads, rather one that rolls nothing and
// gives something, and its order, "" of one that is only begun; href is "" if there is no
// choice.
func (b *browser) choice() (href, order string) {
	b.t.Helper()
	got := b.still(`(() => { const all = [...document.querySelectorAll(".choices li")], li = all.find(l => !l.matches(".draws, .vain")) || all[0];
		return li ? [li.querySelector("a").getAttribute("href"), li.querySelector("code")?.textContent || ""].join("\n") : "" })()`)
	href, order, _ = strings.Cut(got, "\n")
	return href, order
}

// TestPlanWithoutReloading plans a turn by the script: the page stays, Back works, what
// changed is said, and the letter opens in the demo's post room.
func TestPlanWithoutReloading(t *testing.T) {
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seed", strings.Repeat("5a", 32))...)
	firstNotice(t, mailclient.DemoClients(t, p, 1)[0])
	b := open(t, p)
	b.visit(p.Values["page1"])
	b.follow(`main a[href$="/plan/"]`)
	b.eval(`(window.stayed = "yes")`)
	title := b.eval(`document.title`)
	var been []string
	for n := range 4 {
		at := b.eval(`location.href`)
		been = append(been, at)
		b.do("choose", chromedp.Click(`.choices li:not(.draws, .vain) a`))
		b.until("the next page", fmt.Sprintf(`location.href != %q && document.querySelector("main.planner") ? "yes" : ""`, at))
		if said := b.until("what changed", `document.querySelector("#said").textContent.trim()`); !strings.Contains(said, "choice") {
			t.Errorf("choice %d: it says %q", n, said)
		}
		if focus := b.eval(`document.activeElement.closest("main .next") ? "in" : document.activeElement.outerHTML`); focus != "in" {
			t.Errorf("choice %d: the focus is on %.200s", n, focus)
		}
	}
	if now := b.eval(`document.title`); now == title || !strings.HasSuffix(now, title) {
		t.Errorf("the title is %q, was %q", now, title)
	}
	for _, at := range slices.Backward(been) {
		b.eval(`(history.back(), "")`)
		b.until("back to "+at, fmt.Sprintf(`location.href == %q && document.querySelector(".planner").dataset.root == %q ? "yes" : ""`, at, upFrom(at)))
	}
	if stayed := b.eval(`window.stayed || "no"`); stayed != "yes" {
		t.Error("the page was loaded anew")
	}
	b.do("choose", chromedp.Click(`.choices li:last-child a[href$="B/#told"]`))
	b.until("the letter", `document.querySelector("textarea") ? "yes" : ""`)
	if hidden := b.eval(`(!document.querySelector("#copy")).toString()`); hidden != "false" {
		t.Error("nothing copies the orders")
	}
	text := b.eval(`document.querySelector("textarea").value`)
	b.follow(`a.button[href^="/post/compose"]`)
	if got := strings.TrimSpace(b.eval(`document.querySelector("form.compose #body").value`)); got != text {
		t.Errorf("the post room writes %q, the plan %q", got, text)
	}
	b.follow(`form.compose button`)
	b.do("sent", chromedp.WaitVisible("[role=status]"))
}

// upFrom leads from a page of a plan to its beginning.
func upFrom(at string) string {
	_, steps, _ := strings.Cut(at, "/plan/")
	if n := strings.Count(steps, "/"); n > 0 {
		return strings.Repeat("../", n)
	}
	return "./"
}

// look takes pictures of a page as a phone and as a desk show it, light and dark.
func (b *browser) look(url string) {
	b.t.Helper()
	b.scripts(true)
	for _, width := range []int{360, 1200} {
		b.do("a window", chromedp.EmulateViewport(int64(width), 800))
		for _, scheme := range []string{"dark", "light"} {
			b.prefer(scheme)
			b.visit(url)
			b.shoot(fmt.Sprintf("plan-end-%d-%s", width, scheme))
		}
	}
}
