// Package cli has what all commands of the program share: exit codes, flags and error
// messages.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"angelpost/engine/component"
	"angelpost/engine/notice"
	"angelpost/templates/words"
)

// GoOn is what Parse returns if the command must run. It is not an exit code.
const GoOn = -1

// Parse reads a command's flags and its other arguments, at most words of them, in any
// order. Negative numbers and what follows "--" are not flags. Any code but GoOn is the
// exit code of the command: the user wanted help, or Parse has printed what is wrong.
func Parse(fs *flag.FlagSet, args []string, words int) (code int) {
	var others []string
	err := fs.Parse(args)
	for err == nil && fs.NArg() > 0 {
		if end := len(args) - fs.NArg(); end > 0 && args[end-1] == "--" {
			others = append(others, fs.Args()...)
			break
		}
		args = fs.Args()
		for first := true; len(args) > 0 && (first || isNegative(args[0])); first = false {
			others, args = append(others, args[0]), args[1:]
		}
		err = fs.Parse(args)
	}
	if err == nil {
		err = fs.Parse(append([]string{"--"}, others...))
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return ExitYes
	case err != nil:
		return ExitUsage
	case fs.NArg() > words:
		fmt.Fprintf(fs.Output(), "%s: %.40q is one word too many; %s -h shows its usage\n", fs.Name(), fs.Arg(words), fs.Name())
		return ExitUsage
	}
	return GoOn
}

func isNegative(word string) bool {
	n, err := strconv.Atoi(word)
	return err == nil && n < 0
}

// Flags is a flag set that talks to stderr and says what its command takes:
// flags, and behind them these words.
func Flags(name, words string, stderr io.Writer) *flag.FlagSet {
	fs := flag.NewFlagSet("angelpost "+name, flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintln(stderr, strings.TrimSpace("Usage: "+fs.Name()+" [flags] "+words))
		fs.PrintDefaults()
	}
	return fs
}

// The default paths of the configuration: in the working directory, or, if there is none,
// where a package of an operating system installs it.
const (
	ConfigHere    = "angelpost.toml"
	configOfHosts = "/etc/angelpost/angelpost.toml"
)

// ConfigFlag is the flag that names the configuration.
func ConfigFlag(fs *flag.FlagSet) *string {
	path := ConfigHere
	if !Exists(ConfigHere) && Exists(configOfHosts) {
		path = configOfHosts
	}
	return fs.String("config", path, "the configuration")
}

// Exists reports whether there is a file, as far as this user can tell: one in a folder
// that is closed to them may be there.
func Exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, os.ErrNotExist)
}

// UntilStopped ends with SIGTERM or SIGINT.
func UntilStopped() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
}

// Exit codes.
const (
	ExitYes         = 0
	ExitNo          = 1
	ExitUsage       = 2
	ExitEnvironment = 3
)

// failure is an error with the exit code it means.
type failure struct {
	code int
	err  error
}

func (f failure) Error() string { return f.err.Error() }

func (f failure) Unwrap() error { return f.err }

// BadUsage is an error for what the user has to write differently: exit code 2.
func BadUsage(format string, args ...any) error {
	return failure{ExitUsage, fmt.Errorf(format, args...)}
}

// BadEnvironment is an error for what failed around the program, such as files and servers: exit
// code 3. It returns nil for nil.
func BadEnvironment(err error) error {
	if err == nil {
		return nil
	}
	return failure{ExitEnvironment, err}
}

// Exit says what went wrong, if anything, and gives the exit code.
func Exit(stderr io.Writer, name string, err error) int {
	if err == nil {
		return ExitYes
	}
	fmt.Fprintf(stderr, "angelpost %s: %s\n", name, said(err))
	var f failure
	switch {
	case errors.As(err, &f):
		return f.code
	case notice.AsProblem(err) != nil:
		return ExitNo
	}
	return ExitEnvironment
}

// said tells an error in words. What the desk refuses is a code and its arguments, as in a letter.
func said(err error) string {
	text := err.Error()
	if p := notice.AsProblem(err); p != nil {
		text = strings.Replace(text, p.Error(), words.English().For(component.Default(), 0, nil).Problem(p), 1)
	}
	return text
}

// PrintJSON writes one value as one line.
func PrintJSON(w io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return errors.Join(errors.New("cannot write JSON"), err)
	}
	_, err = fmt.Fprintf(w, "%s\n", b)
	return BadEnvironment(err)
}

// OneLine keeps a line of output a line.
func OneLine(err error) string {
	return strings.TrimRight(strings.Join(strings.Fields(err.Error()), " "), ".")
}

// AnsweredNo is the error of a command whose answer is no.
func AnsweredNo(err error) error { return failure{ExitNo, err} }
