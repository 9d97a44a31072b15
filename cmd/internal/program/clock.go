package program

import (
	"os"
	"time"

	"angelpost/cmd/internal/hook"
)

// ClockVariable names a file that says how far the clock of the test binary that
// runs as the program is set wrong, as in 72h.
const ClockVariable = "ANGELPOST_CLOCK"

// LookFor is how old a look at the claims on its mailbox may be for the test binary that
// runs as the program; one that replaces another's claim waits twice as long.
const LookFor = time.Second

// setClock does what the environment says.
func setClock() {
	hook.Look, hook.Wait = LookFor, 2*LookFor
	file := os.Getenv(ClockVariable)
	if file == "" {
		return
	}
	hook.Tick = 50 * time.Millisecond // a change is seen soon
	hook.Wall = func() time.Time {
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		by, err := time.ParseDuration(string(text))
		if err != nil {
			panic(err)
		}
		return time.Now().Add(by)
	}
}
