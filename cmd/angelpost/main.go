// Command angelpost plays the board game Black Angel by e-mail. Its output
// (web/API.md): stdout is data, stderr is talk; exit 0 yes, 1 answered no, 2 usage or
// unreadable input, 3 environment.
package main

import (
	"os"

	"angelpost/cmd/internal/commands"
)

func main() { os.Exit(commands.Run(os.Args[1:], os.Stdout, os.Stderr)) }
