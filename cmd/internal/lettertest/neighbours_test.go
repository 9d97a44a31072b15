package lettertest

import (
	"net/http"
	"strings"
	"testing"

	"angelpost/cmd/internal/program"
)

// TestRightKeyAmongGuesses: a player's page opens however many wrong keys were
// tried from the same address, behind a proxy or not.
func TestRightKeyAmongGuesses(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human")...)
	ask := func(url, forwarded string) int {
		t.Helper()
		r, err := http.NewRequest("GET", url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if forwarded != "" {
			r.Header.Set("X-Forwarded-For", forwarded)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	right := p.Values["page1"]
	wrong := right[:strings.LastIndexByte(right, '/')] + "/aaaaaaaaaaaaaaaaaaaaaaaaaa"
	for _, from := range []string{"", "203.0.113.9"} {
		codes := map[int]int{}
		for range 500 {
			codes[ask(wrong, from)]++
		}
		if codes[404] < 30 || codes[404] > 60 || codes[404]+codes[429] != 500 {
			t.Errorf("guesses from %q are answered %v", from, codes)
		}
		for _, path := range []string{"", "/view.json", "/history", "/record.json", "/talk"} {
			if code := ask(right+path, from); code != 200 {
				t.Errorf("%q asks for %s with the right key: %d", from, path, code)
			}
		}
	}
	if code := ask(wrong, "203.0.113.10"); code != 404 {
		t.Errorf("another client's first guess: %d", code)
	}
	p.Stop()
}
