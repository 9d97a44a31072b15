package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// Messages are only under a key, page after page without a gap, as page and as data.
func TestTalk(t *testing.T) {
	h := handler(newShelf(t, 2, 20))
	home := "/g/private/" + keyOf(1)
	if link := page(t, h, home).Find(`a[href="./` + keyOf(1) + `/talk"]`); link.Length() != 1 {
		t.Error("the game's page does not lead there")
	}
	if link := page(t, h, "/g/listed").Find(`a[href$="/talk"]`); link.Length() != 0 {
		t.Error("the public is led there")
	}
	var texts []string
	for path := home + "/talk.json"; path != ""; {
		_, body := get(t, h, "GET", path)
		var data talkJSON
		if err := json.Unmarshal([]byte(body), &data); err != nil || data.Game != "private" || data.Viewer != 1 {
			t.Fatalf("%s: %v %s", path, err, body)
		}
		for _, m := range data.Messages {
			texts = append(texts, m.Text)
		}
		if path = ""; data.Before != "" {
			path = home + "/talk.json?before=" + url.QueryEscape(data.Before)
		}
	}
	if len(texts) != 100 || texts[0] != "word0 <b>&" || texts[99] != "word99 <b>&" {
		t.Errorf("%d messages, %q", len(texts), texts)
	}
	d := page(t, h, home+"/talk")
	if n := d.Find(".talk li").Length(); n != talkPage {
		t.Errorf("%d messages on a page", n)
	}
	who := d.Find(".talk b")
	if got := who.Eq(0).Text() + "|" + who.Eq(1).Text() + "|" + who.Eq(2).Text() + "|" + who.Eq(3).Text(); got != "Ada says|Ada says to Bo|Ada notes|A former player in Ada's seat says" {
		t.Errorf("who: %s", got)
	}
	if text := d.Find(".talk .text").First().Text(); text != "word0 <b>&" {
		t.Errorf("text %q", text)
	}
	next := d.Find("a[rel=next]").AttrOr("href", "")
	if first := page(t, h, home+"/talk"+next).Find(".talk .text").First().Text(); first != "word40 <b>&" {
		t.Errorf("behind %s comes %q", next, first)
	}
	d = page(t, h, home+"/talk?q=word7")
	if d.Find(".talk li").Length() != 11 || d.Find("input[name=q]").AttrOr("value", "") != "word7" || d.Find(".links a").Last().AttrOr("href", "") != "talk.json?q=word7" {
		t.Errorf("looked for: %s", d.Find("main").Text())
	}
	for _, bad := range []string{"/g/private/talk", "/g/listed/talk.json", "/g/private/wrong/talk", home + "/talk?before=yesterday", home + "/talk?q=a&q=b", home + "/talk?q=" + strings.Repeat("a", 101)} {
		if res, _ := get(t, h, "GET", bad); res.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", bad, res.Status)
		}
	}
}

// Readers can ask for a player's games by that player's result; the page says whose
// they are.
func TestArchiveOfOnePlayer(t *testing.T) {
	s := newShelf(t, 3, 20)
	h := handler(s)
	d := page(t, h, "/players/7")
	if d.Find("form[action='/games'] input[name=player]").AttrOr("value", "") != "7" || d.Find("select[name=result] option").Length() != 3 {
		t.Error("the player's page does not ask")
	}
	d = page(t, h, "/games?player=7&result=lost")
	if got := d.Find("select[name=result] [selected]").AttrOr("value", ""); got != "lost" || !strings.Contains(d.Find(".status").Text(), "Ada") {
		t.Errorf("result %q, %q", got, d.Find(".status").Text())
	}
	if d := page(t, h, "/games?player=8"); d.Find("select[name=result]").Length() != 0 || strings.Contains(d.Find(".status").Text(), "games of") {
		t.Error("somebody nobody may know of is asked for")
	}
	if d := page(t, h, "/games"); d.Find("select[name=result]").Length() != 0 {
		t.Error("a result is asked for of nobody")
	}
}
