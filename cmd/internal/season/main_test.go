package season

import (
	"testing"

	"angelpost/cmd/internal/program"
	"angelpost/cmd/internal/server"
)

// TestMain lets the test binary be the program, for TestTenYears.
func TestMain(m *testing.M) { program.Main(m, server.Run) }
