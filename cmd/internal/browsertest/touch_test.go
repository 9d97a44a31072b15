//go:build real

package browsertest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestTurnByTouch plays the demo's first turn by the mouse alone: from the post room to the
// letter, to the plan, and there on the pieces of the board: a card, its
// slot, a die, the room that it flies from, the hex that the ship flies to, and the letter
// are six clicks. With the script the page stays, the piece touched is marked, and what
// happened is said; without it each page begins at its news.
func TestTurnByTouch(t *testing.T) {
	for _, scripts := range []bool{true, false} {
		t.Run(fmt.Sprint("scripts ", scripts), func(t *testing.T) {
			p := program.Start(t, program.DemoArgs(t.TempDir(), "-seed", strings.Repeat("5a", 32))...)
			firstNotice(t, mailclient.DemoClients(t, p, 1)[0])
			b := open(t, p)
			post := p.Says(regexp.MustCompile(`http://\S+/post/\S+`)) // where the demo sends a newcomer
			b.visit(post)
			b.scripts(scripts)
			b.visit(post)
			b.follow(".letters li.new a")
			letter, _ := mailclient.Get(t, ask(b, "the letter", chromedp.Location())+"/html")
			link := regexp.MustCompile(`href="([^"]*/g/[^"]*/plan/)"`).FindStringSubmatch(letter)
			if link == nil {
				t.Fatal("the letter has no link to the planner")
			}
			b.visit(link[1]) // TestNewcomer follows it
			var touched []string
			for _, want := range []string{"021", "row ", "die green", "room 6", "c"} {
				if len(touched) == 0 && scripts {
					b.eval(`(window.stayed = "yes")`)
				}
				touched = append(touched, b.touchPiece(want, scripts, scripts))
			}
			look := b.still
			if scripts {
				look = b.eval
				if stayed := b.eval(`window.stayed || "no"`); stayed != "yes" {
					t.Error("the page was loaded anew")
				}
			}
			text := look(`document.querySelector("textarea").value`)
			if lines := strings.Split(text, "\n"); lines[0] != "card 021 at "+touched[1] || !strings.HasPrefix(lines[1], touched[2]) || lines[2] != "command at 6" || !strings.HasSuffix(lines[3], "to "+touched[4]) {
				t.Errorf("%q was touched, the letter reads %q", touched, lines)
			}
			for _, key := range touched[1:] { // each is marked with its step, also where it went to
				if marked := look(fmt.Sprintf(`document.querySelector("main .step") ? "yes" : %q`, key)); marked != "yes" {
					t.Errorf("%s is not marked", marked)
				}
			}
			b.follow(`.doings a.button[href^="/post/compose"]`)
			b.follow(`form.compose button`)
			b.do("sent", chromedp.WaitVisible("[role=status]"))
			played := func() (out []string) {
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
				for _, l := range history.Lines {
					if l.Seat == 1 {
						out = append(out, l.Order)
					}
				}
				return out
			}
			for deadline := time.Now().Add(patience); !slices.Contains(played(), "command at 6"); time.Sleep(50 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("the turn was not played: %q", played())
				}
			}
		})
	}
}

// touchPiece clicks on the first piece of the board whose key begins so, and returns the
// key. stays: the script puts the next page in place of this one.
func (b *browser) touchPiece(begins string, scripts, stays bool) (key string) {
	b.t.Helper()
	ask := b.eval
	if !scripts {
		ask = b.still
	}
	sel := fmt.Sprintf(`.mid [data-touch^=%q]:not(.dim), .end [data-touch^=%q]:not(.dim)`, begins, begins)
	key = ask(fmt.Sprintf(`document.querySelector(%q)?.dataset.touch || ""`, sel))
	if key == "" {
		b.capture("failed")
		b.fail("no piece begins with %q; there are %s", begins, ask(`[...document.querySelectorAll("[data-touch]")].map(e => e.dataset.touch).join(", ")`))
	}
	piece := fmt.Sprintf(`:is(.mid, .end) [data-touch=%q]`, key)
	ask(fmt.Sprintf(`(document.querySelector(%q).scrollIntoView({block: "center"}), "")`, piece))
	if !stays {
		b.follow(piece)
		if at := ask(`location.hash + " " + Math.round(document.querySelector("#told").getBoundingClientRect().top)`); at != "#told 0" {
			b.t.Errorf("%s is touched, and the page begins at %s", key, at)
		}
		return key
	}
	at := b.eval(`location.href`)
	b.do("touch "+key, chromedp.Click(piece))
	b.until("the next page", fmt.Sprintf(`location.href != %q && document.querySelector("main.planner") ? "yes" : ""`, at))
	b.until("what changed", `document.querySelector("#said").textContent.trim()`)
	if focus := b.eval(`document.activeElement.closest("[data-touch], .side") ? "in" : document.activeElement.outerHTML`); focus != "in" {
		b.t.Errorf("%s is touched, and the focus is on %.200s", key, focus)
	}
	return key
}
