package markup

import (
	"html"
	"strings"
	"testing"

	"github.com/a-h/templ"
)

// FuzzText holds Text against the library that escapes for HTML.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a", `<a href="x">'&'</a>`, "&amp;", "«é»\x00\xff<"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(Text(nil, s)), html.EscapeString(s); got != want {
			t.Errorf("%q is written %q, not %q", s, got, want)
		}
	})
}

func TestAddress(t *testing.T) {
	for href, want := range map[string]string{
		"./x?a=1&b=2":         `" href="./x?a=1&amp;b=2`,
		"javascript:alert(1)": `" href="` + string(templ.FailedSanitizationURL),
	} {
		if got := string(Address(nil, href)); got != want {
			t.Errorf("%q is written %q, not %q", href, got, want)
		}
	}
}

func TestKept(t *testing.T) {
	type key struct{ n int }
	made := 0
	make := func() templ.Component {
		made++
		return Component(func(b []byte) []byte { return append(b, "once"...) })
	}
	for range 2 {
		var b strings.Builder
		if err := Kept(key{1}, make).Render(t.Context(), &b); err != nil || b.String() != "once" {
			t.Fatalf("%q %v", b.String(), err)
		}
	}
	if made != 1 {
		t.Errorf("made %d times", made)
	}
}
