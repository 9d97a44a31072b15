package crashtest

import (
	"testing"

	"angelpost/cmd/internal/commands"
	"angelpost/cmd/internal/program"
)

// TestMain lets the test binary be the program.
func TestMain(m *testing.M) { program.Main(m, commands.Run) }
