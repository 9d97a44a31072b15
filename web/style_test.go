package web

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	rule       = regexp.MustCompile(`([^{}]+)\{([^{}]*)\}`)
	textColour = regexp.MustCompile(`(?:^|;)\s*color:\s*#([0-9a-f]{6}|[0-9a-f]{3})\b`)
	ground     = regexp.MustCompile(`(?:^|;)\s*background(?:-color)?:\s*#`)
)

// brightness is that of a colour, from 0 to 255, as the W3C's formula for contrast weighs it.
func brightness(t *testing.T, hex string) float64 {
	t.Helper()
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	return 0.299*float64(n>>16) + 0.587*float64(n>>8&255) + 0.114*float64(n&255)
}

// TestPaleTextHasItsGround holds that pale text is on a ground that any browser draws. Dillo
// and NetSurf know neither var() nor gradients: they drew pale text on the pale page. Elsewhere
// a pale colour is inside var(--pale, ...), which they skip.
func TestPaleTextHasItsGround(t *testing.T) {
	rules := rule.FindAllStringSubmatch(styleSheet, -1)
	if len(rules) < 300 {
		t.Fatalf("%d rules", len(rules))
	}
	for _, r := range rules {
		m := textColour.FindStringSubmatch(r[2])
		if m == nil || brightness(t, m[1]) < 128 || ground.MatchString(r[2]) || strings.TrimSpace(r[1]) == ".map svg.vp" { // an icon
			continue
		}
		t.Errorf("%s {%s}: write color:var(--pale,#%s)", r[1], m[0], m[1])
	}
}
