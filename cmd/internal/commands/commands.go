// Package commands has the table of angelpost's subcommands. Other packages implement them:
// server the daemon, host the commands that a host uses while the daemon runs, setup the
// installation, pair the pair of machines, tool what needs no server, and demo the demo.
package commands

import (
	"fmt"
	"io"
	_ "time/tzdata" // players' zones, wherever the server runs

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/demo"
	"angelpost/cmd/internal/host"
	"angelpost/cmd/internal/pair"
	"angelpost/cmd/internal/server"
	"angelpost/cmd/internal/setup"
	"angelpost/cmd/internal/tool"
)

// A command is one subcommand: its name, what it does in one line, and its main
// function, which gets the arguments after the name and returns the exit code.
type command struct {
	name, does string
	run        func(args []string, stdout, stderr io.Writer) int
}

func commands() []command {
	return []command{
		{"demo", "play a game against bots on this machine, with its own mail server and pages", demo.RunDemo},
		{"init", "write a configuration file to fill in", setup.RunInit},
		{"doctor", "check mailbox, SMTP, database and address of a configuration", setup.RunDoctor},
		{"login", "log in to Gmail or Microsoft 365 by OAuth, once", setup.RunLogin},
		{"dkim", "make a key that signs letters, and print what to enter in DNS", setup.RunDKIM},
		{"serve", "watch the mailbox, play what arrives, send notices, serve the pages", server.RunServe},
		{"standby", "serve, or follow the machine that serves and take over when it dies", pair.RunStandby},
		{"pages", "serve pages from a replica, on another machine", pair.RunPages},
		{"new", "start a game, by invitation or at once", host.RunNew},
		{"organiser", "give a game another organiser", host.RunOrganiser},
		{"rule", "make a ruling: more time, a pause, another player, an earlier position, a result", host.RunRule},
		{"league", "make leagues, show their standings, manage their players", host.RunLeague},
		{"status", "show how the server is", host.Surveying("status", "", 0, host.LookStatus)},
		{"games", "list games and their players", host.Surveying("games", "[STATE]", 1, host.LookGames)},
		{"players", "list players", host.Surveying("players", "", 0, host.LookPlayers)},
		{"letters", "list letters set aside, queued, held and failed, or dropped ones", host.Surveying("letters", "[aside|queued|held|failed|dropped]", 1, host.LookLetters)},
		{"letter", "show a letter, send it again, drop it or replay it", host.RunLetter},
		{"block", "neither play nor answer letters from an address or a domain, or list these", host.Blocking("block", host.Block)},
		{"unblock", "take that back", host.Blocking("unblock", host.Unblock)},
		{"host-page", "print the address of the host's page, a new one each time, or revoke it", host.RunHostPage},
		{"announce", "write to every active player", host.RunAnnounce},
		{"player", "rename a player, move them to another address, export or erase what is kept about them", host.RunPlayer},
		{"reports", "list the messages that players have reported", host.RunReports},
		{"appeals", "list the appeals against rulings that wait for an answer", host.RunAppeals},
		{"export", "print a game's record as JSON", host.RunExport},
		{"verify", "replay a record, or every stored game, and compare", host.RunVerify},
		{"show", "print the position of a record as view.json", tool.RunShow},
		{"read", "show how the server reads letters", tool.RunRead},
		{"components", "check, print or compare component sets", tool.RunComponents},
		{"sim", "let bots play games and print the results", tool.RunSim},
		{"statistics", "count finished games and print the statistics", host.RunStatistics},
		{"ratings", "rate the players of finished games and print their ratings", host.RunRatings},
		{"backup", "copy the database while the server runs", host.RunBackup},
		{"restore", "read letters again that arrived after the backup that was put back", host.RunRestore},
		{"migrate", "upgrade the database to this version's schema, as serve does", server.RunMigrate},
		{"version", "print the version, its commit and its schema", server.RunVersion},
		{"licences", "print the licences of the program and of everything in it", server.RunLicences},
	}
}

// Run runs the command that args name, with what follows its name, and returns the
// program's exit code: 0 yes, 1 answered no, 2 usage or unreadable input, 3 environment.
func Run(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		for _, c := range commands() {
			if c.name == args[0] {
				return c.run(args[1:], stdout, stderr)
			}
		}
	}
	usage := stderr
	code := cli.ExitUsage
	if len(args) > 0 && (args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
		usage, code = stdout, cli.ExitYes
	} else if len(args) > 0 {
		fmt.Fprintf(stderr, "angelpost: there is no command %q.\n\n", args[0])
	}
	fmt.Fprintln(usage, "angelpost plays the board game Black Angel by e-mail.")
	fmt.Fprintln(usage, "\nTo see it on this machine: angelpost demo")
	fmt.Fprintln(usage, "\nCommands (each with -h):")
	for _, c := range commands() {
		fmt.Fprintf(usage, "  %-10s %s\n", c.name, c.does)
	}
	return code
}
