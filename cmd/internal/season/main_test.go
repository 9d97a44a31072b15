package season

import (
	"testing"

	"angelpost/cmd/internal/commands"
	"angelpost/cmd/internal/program"
)

// TestMain lets the test binary be the program, for TestTenYears.
func TestMain(m *testing.M) { program.Main(m, commands.Run) }
