package words

import (
	"strings"
	"testing"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/engine/order"
)

// TestHelpNamesDirections: `help direct` shows how to write each direction, and names the
// answer that players have to a ruling.
func TestHelpNamesDirections(t *testing.T) {
	v := English().For(component.Default(), engine.Seat(1), []string{"Ada"})
	help := strings.Join(strings.Fields(strings.Join(v.Help("direct"), " ")), " ")
	for _, k := range order.DirectionKinds() {
		if !strings.Contains(help, "`"+string(k)+" ") {
			t.Errorf("help does not show %q", k)
		}
	}
	if !strings.Contains(help, "`appeal GAME: WHY`") {
		t.Error("help does not name appeal")
	}
}
