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
	last := "" // link that was followed
	for len(chosen) < 30 {
		if wide := b.still(`(d => d.scrollWidth > d.clientWidth ? d.scrollWidth + " in " + d.clientWidth : "")(document.scrollingElement)`); wide != "" {
			t.Errorf("after %q the page is too wide: %s", chosen, wide)
		}
		href, line := b.choice()
		if href == "" {
			break
		}
		b.follow(fmt.Sprintf(`.next a[href=%q]`, href))
		chosen, last = append(chosen, line), href
	}
	steps := b.still(`[...document.querySelectorAll(".tried > li > code")].map(c => c.textContent).join("\n")`)
	b.follow(`.onward a[href="../"]`) // and back again
	if got := b.still(`[...document.querySelectorAll(".next code")].map(c => c.textContent).join("\n")`); len(chosen) < 3 || !slices.Contains(strings.Split(got, "\n"), chosen[len(chosen)-1]) {
		t.Errorf("after %q, one step back, there is %q", chosen, got)
	}
	b.unfold(chosen[len(chosen)-1])
	b.follow(fmt.Sprintf(`.next a[href$=%q]`, last[strings.LastIndex(strings.TrimSuffix(last, "/"), "/")+1:]))
	if got := b.still(`[...document.querySelectorAll(".tried > li > code")].map(c => c.textContent).join("\n")`); got != steps {
		t.Errorf("there again the plan is %q, not %q", got, steps)
	}
	link, text := b.still(`document.querySelector('a.button[href^="mailto:"]').href`), b.still(`document.querySelector("textarea").value`)
	b.look(b.still(`location.href`))

	u, err := url.Parse(link)
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

// choice is where a choice of the plan's page leads, rather one that rolls
// nothing; "" if there is none. What hid it is opened by a click.
func (b *browser) choice() (href, order string) {
	b.t.Helper()
	got := b.still(`(() => { const all = [...document.querySelectorAll(".choices li")], li = all.find(l => !l.querySelector(".tag")) || all[0];
		return li ? [li.querySelector("a").getAttribute("href"), li.querySelector("code").textContent].join("\n") : "" })()`)
	href, order, _ = strings.Cut(got, "\n")
	if href != "" {
		b.unfold(order)
	}
	return href, order
}

// unfold opens the group of choices in which an order stands.
func (b *browser) unfold(order string) {
	b.t.Helper()
	if n := b.still(fmt.Sprintf(`(() => { const d = [...document.querySelectorAll("details.group")]; return (d.findIndex(g => [...g.querySelectorAll("code")].some(c => c.textContent == %q)) + 1).toString() })()`, order)); n != "0" {
		b.do("unfold", chromedp.Click(`.next > :nth-child(`+b.still(fmt.Sprintf(`([...document.querySelector(".next").children].indexOf([...document.querySelectorAll("details.group")][%s - 1]) + 1).toString()`, n))+`) > summary`))
	}
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
