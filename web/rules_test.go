package web

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/templates"
	"angelpost/templates/words"
)

// TestRulesByNumber: every rule, card and tile has an anchor, and every link between them
// leads to one.
func TestRulesByNumber(t *testing.T) {
	h := handler(newShelf(t, 2, 4))
	ids, links := map[string]bool{}, 0
	pages := []string{"/rules", "/cards", "/help", "/cards/missions", "/cards/tiles", "/cards/boards"}
	docs := map[string]*goquery.Document{}
	for _, path := range pages {
		docs[path] = page(t, h, path)
		if docs[path].Find("[style]").Length() > 0 || docs[path].Find("header h1").Length() != 1 {
			t.Errorf("%s has a style attribute, or its heading is outside all landmarks", path)
		}
		docs[path].Find("[id]").Each(func(_ int, e *goquery.Selection) {
			id, _ := e.Attr("id")
			if ids[path+"#"+id] {
				t.Errorf("%s has %s twice", path, id)
			}
			ids[path+"#"+id] = true
		})
	}
	for _, key := range words.English().Keys("rule.") {
		if id := "/rules#" + strings.TrimPrefix(key, "rule."); !ids[id] {
			t.Errorf("no %s", id)
		}
	}
	for c := engine.Card(1); c <= component.LastRaider; c++ {
		if !ids["/cards#"+c.String()] || !ids[templates.CardHref(c.String())] {
			t.Errorf("no card %v", c)
		}
	}
	for tile := engine.Tile(1); tile < engine.FirstAdvanced+component.Advanced; tile++ {
		if !ids["/cards#"+tile.String()] || !ids[templates.CardHref(tile.String())] {
			t.Errorf("no tile %v", tile)
		}
	}
	for _, path := range pages {
		docs[path].Find("a[href*='#']").Each(func(_ int, e *goquery.Selection) {
			to, _ := e.Attr("href")
			if strings.HasPrefix(to, "#") {
				to = path + to
			}
			if links++; !ids[to] {
				t.Errorf("%s leads to %s", path, to)
			}
		})
	}
	if links < 400 {
		t.Errorf("only %d links", links)
	}
	if href, _ := docs["/cards"].Find("#thing-repair a").Attr("href"); href != "/rules#R5.4" {
		t.Errorf("what is said of repair leads to %q", href)
	}
}

// TestFind: a search shows what has all its words, says how much that is, and helps when
// it is nothing.
func TestFind(t *testing.T) {
	h := handler(newShelf(t, 2, 4))
	for _, c := range []struct {
		path, one string
		not       string
	}{
		{"/rules?q=damage+CUBE", "#R5\\.4", "#R1\\.1"}, {"/rules?q=R5.4", "#R5\\.4", "#R5\\.5"}, {"/cards?q=mission+045", "#\\30 45", "#\\30 46"}, {"/cards?q=robot", "#\\30 45", "#\\30 02"}, {"/cards/tiles?q=t12", "#t12", "#t13"}, {"/help?q=mute", "#mute", "#status"},
	} {
		doc := page(t, h, c.path)
		n := doc.Find("main .rule, main .thing, main .pieces li, main article, main .signs li, main .abouts li").Length()
		if doc.Find(c.one).Length() != 1 || doc.Find(c.not).Length() != 0 || n == 0 {
			t.Errorf("%s: %d entries", c.path, n)
		}
		if said := regexp.MustCompile(`\d+`).FindString(doc.Find(".count").Text()); said != strconv.Itoa(n) {
			t.Errorf("%s: the page says %q, there are %d", c.path, doc.Find(".count").Text(), n)
		}
	}
	for _, path := range []string{"/rules?q=zzz%3Cb%3E", "/help?q=zzz%3Cb%3E", "/cards?q=zzz%3Cb%3E"} {
		if _, body := get(t, h, "GET", path); !strings.Contains(body, `Nothing has &#34;zzz&lt;b&gt;&#34;`) {
			t.Errorf("%s does not say that there is nothing", path)
		}
	}
	for _, path := range []string{"/rules?q=" + strings.Repeat("a", maxQuery+1), "/help?q=a&q=b"} {
		if res, _ := get(t, h, "GET", path); res.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", path[:20], res.Status)
		}
	}
}
