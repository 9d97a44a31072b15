package browsertest

import (
	"testing"

	"angelpost/cmd/internal/program"
	"angelpost/cmd/internal/server"
)

// TestMain lets the test binary be the program.
func TestMain(m *testing.M) { program.Main(m, server.Run) }
