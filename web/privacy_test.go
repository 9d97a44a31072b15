package web

import (
	"strings"
	"testing"

	"angelpost/templates"
)

// TestPrivacy: the page says what the configuration does, and every page leads to it.
func TestPrivacy(t *testing.T) {
	s := newShelf(t, 2, 4)
	facts := templates.Privacy{Host: "Ada <Lovelace>", Contact: "ada@example.org", Note: "The proxy logs for a week.", Keep: 123, Copies: 17, Mail: "angelpost@example.org"}
	h := s.serve(Server{Privacy: func() templates.Privacy { return facts }})
	text := func() string { return strings.Join(strings.Fields(page(t, h, "/privacy").Find("main").Text()), " ") }
	for _, want := range []string{"Ada <Lovelace> runs this server.", "ada@example.org", "The proxy logs for a week.", "123 days", "17 days at most", "my data", "forget me", "angelpost@example.org"} {
		if !strings.Contains(text(), want) {
			t.Errorf("no %q in %s", want, text())
		}
	}
	doc := page(t, h, "/privacy")
	if to, _ := doc.Find(`main a[href^="mailto:"]`).Attr("href"); to != "mailto:ada@example.org" {
		t.Errorf("the link writes to %q", to)
	}
	if doc.Find("[style]").Length() > 0 || doc.Find("header h1").Length() != 1 || doc.Find("main h2").Length() != 6 {
		t.Errorf("%d headings", doc.Find("main h2").Length())
	}
	for _, path := range []string{"/", "/help", "/games", "/g/listed", "/privacy"} {
		if page(t, h, path).Find(`footer a[href="/privacy"]`).Length() != 1 {
			t.Errorf("%s does not lead to the page", path)
		}
	}
	facts = templates.Privacy{Keep: 60}
	for _, want := range []string{"has not given a name", "has not given an address", "60 days", "ask the host how long"} {
		if !strings.Contains(text(), want) {
			t.Errorf("no %q in %s", want, text())
		}
	}
}
