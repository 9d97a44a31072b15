// Package hook holds what tests take hold of in the program. The test binary can be the
// program itself (cmd/internal/program); it sets these before the program starts. In
// the real program they stay as they are.
package hook

import (
	"time"

	"angelpost/engine/store"
)

// The program calls Passing at each fault point; cmd/angelpost/TESTS.md lists
// them. It may be nil.
var Passing func(point string)

// Storing wraps the database that the server's desk uses. Tests replace it to pass fault
// points at each commit.
var Storing = func(s store.DB) store.DB { return s }

// Wall is the clock that people set.
var Wall = time.Now

var began = time.Now()

// Steady is the clock that only runs: the time since the program began.
var Steady = func() time.Duration { return time.Since(began) }

// Tick is how often the clock of a server looks at the time and at the database, at
// least.
var Tick = func() time.Duration { return 2 * time.Second }

// Look is how old a server's last look at the claims on its mailbox may be, Wait how long
// one that has replaced another's claim waits; 0: as long as imapbox does.
var Look, Wait time.Duration

// Quiet is for how long nothing new must have come from the server that a standby follows
// before it takes over; 0: as long as the program says.
var Quiet time.Duration
