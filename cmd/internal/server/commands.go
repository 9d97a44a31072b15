// Package server is the program angelpost: its commands, its configuration, and the
// server that serve and demo run. It wires together engine, db, mail, web and
// templates, which know as little as possible of one another.
//
// Letters out bear X-Angelpost-Kind (notice.Kind) and X-Angelpost-Result
// (notice.Result), and those about a game X-Angelpost-Game, X-Angelpost-Seat (0:
// none) and X-Angelpost-Step (the length of its log). In their text what is legal
// stands between "| legal" and "| end", an example turn between "| example" and
// "| end", each line behind "| ".
package server

import (
	"errors"
	"fmt"
	"io"
	_ "time/tzdata" // players' zones, wherever the server runs
)

// Exit codes.
const (
	exitYes         = 0
	exitNo          = 1
	exitUsage       = 2
	exitEnvironment = 3
)

// A command is one subcommand: its name, what it does in a line, and its main
// function, which gets the arguments behind the name and returns the exit code.
type command struct {
	name, does string
	run        func(args []string, stdout, stderr io.Writer) int
}

func commands() []command {
	return []command{
		{"demo", "play a game against bots on this machine, with its own mail server and pages", runDemo},
		{"init", "write a configuration file to fill in", runInit},
		{"doctor", "check mailbox, SMTP, database and address of a configuration", runDoctor},
		{"login", "log in to Gmail or Microsoft 365 by OAuth, once", runLogin},
		{"dkim", "make a key that signs letters, and print what to enter in DNS", runDKIM},
		{"serve", "watch the mailbox, play what arrives, send notices, serve the pages", runServe},
		{"standby", "serve, or follow the machine that serves and take over when it dies", runStandby},
		{"pages", "serve pages from a replica, on another machine", runPages},
		{"new", "start a game, by invitation or at once", runNew},
		{"organiser", "give a game another organiser", runOrganiser},
		{"rule", "make a ruling: more time, a pause, another player, an earlier position, a result", runRule},
		{"league", "make leagues, show their standings, manage their players", runLeague},
		{"status", "show how the server is", surveying("status", "", 0, lookStatus)},
		{"games", "list games and their players", surveying("games", "[STATE]", 1, lookGames)},
		{"players", "list players", surveying("players", "", 0, lookPlayers)},
		{"letters", "list letters set aside, queued, held and failed", surveying("letters", "[aside|queued|held|failed]", 1, lookLetters)},
		{"letter", "show a letter, send it again, drop it or replay it", runLetter},
		{"block", "neither play nor answer letters from an address or a domain, or list these", blocking("block", block)},
		{"unblock", "take that back", blocking("unblock", unblock)},
		{"host-page", "print the address of the host's page, a new one each time, or revoke it", runHostPage},
		{"announce", "write to every active player", runAnnounce},
		{"player", "rename a player, move them to another address, export or erase what is kept about them", runPlayer},
		{"reports", "list the messages that players have reported", runReports},
		{"appeals", "list the appeals against rulings that wait for an answer", runAppeals},
		{"export", "print a game's record as JSON", runExport},
		{"verify", "replay a record, or every stored game, and compare", runVerify},
		{"show", "print the position of a record as view.json", runShow},
		{"read", "show how the server reads letters", runRead},
		{"components", "check, print or compare component sets", runComponents},
		{"sim", "let bots play games and print the results", runSim},
		{"statistics", "count finished games and print the statistics", runStatistics},
		{"ratings", "rate the players of finished games and print their ratings", runRatings},
		{"backup", "copy the database while the server runs", runBackup},
		{"restore", "read letters again that arrived after the backup that was put back", runRestore},
		{"migrate", "upgrade the database to this version's schema, as serve does", runMigrate},
		{"version", "print the version, its commit and its schema", runVersion},
		{"licences", "print the licences of the program and of everything in it", runLicences},
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
	code := exitUsage
	if len(args) > 0 && (args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
		usage, code = stdout, exitYes
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

// failure is an error with the exit code it means.
type failure struct {
	code int
	err  error
}

func (f failure) Error() string { return f.err.Error() }
func (f failure) Unwrap() error { return f.err }

func badUsage(format string, args ...any) error {
	return failure{exitUsage, fmt.Errorf(format, args...)}
}

func badEnvironment(err error) error {
	if err == nil {
		return nil
	}
	return failure{exitEnvironment, err}
}

// exit says what went wrong, if anything, and gives the exit code.
func exit(stderr io.Writer, name string, err error) int {
	if err == nil {
		return exitYes
	}
	fmt.Fprintf(stderr, "angelpost %s: %v\n", name, err)
	var f failure
	if errors.As(err, &f) {
		return f.code
	}
	return exitEnvironment
}
