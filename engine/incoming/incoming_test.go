package incoming_test

import (
	"os"
	"strings"
	"testing"

	"angelpost/engine/incoming"
)

// web/API.md names every class.
func TestClassesAreDocumented(t *testing.T) {
	b, err := os.ReadFile("../../web/API.md")
	if err != nil {
		t.Fatal(err)
	}
	_, about, _ := strings.Cut(string(b), "`read -json")
	about, _, _ = strings.Cut(about, "`orders` are the lines")
	for _, c := range []incoming.Class{incoming.Orders, incoming.Auto, incoming.Bounced, incoming.List, incoming.Calendar, incoming.Complained, incoming.Receipt, incoming.Reaction, incoming.Empty, incoming.TooLarge, incoming.Broken} {
		if !strings.Contains(about, "`"+string(c)+"`") {
			t.Errorf("%s is missing", c)
		}
	}
}
