package commands

import (
	"testing"

	"angelpost/cmd/internal/program"
)

// TestMain lets the test binary be the program.
func TestMain(m *testing.M) { program.Main(m, Run) }
