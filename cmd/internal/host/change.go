package host

import (
	"flag"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"angelpost/cmd/internal/server"
	"angelpost/engine/component"
	"angelpost/engine/notice"
	"angelpost/engine/order"
)

// What a command changed, and the command that takes it back, go to stderr, for people: scripts read
// stdout.

// takenBack is the reason of a command that takes another back.
const takenBack = "taken back"

// A change is what was and is now, and the command line that takes it back, "" if none does.
type change struct {
	Now  []string `json:"now,omitempty"`
	Back string   `json:"back,omitempty"`
}

// changeOf puts what the desk says of a change into words.
func changeOf(s *server.Server, now notice.Answer) (c change) {
	v := s.Words.For(component.Default(), 0, nil)
	for _, r := range now.Remarks {
		if r.Code == notice.SayChanged || r.Code == notice.SayRuledNow || r.Code == notice.SaySkipped {
			c.Now = append(c.Now, v.Remark(r))
		}
	}
	for _, x := range now.Sections {
		c.Now = append(c.Now, x.Changes...)
	}
	return c
}

// tell prints a change.
func (c change) tell(w io.Writer) {
	for _, line := range c.Now {
		fmt.Fprintln(w, line)
	}
	if c.Back != "" {
		fmt.Fprintf(w, "To take this back: %s\n", c.Back)
	}
}

// tellBack prints the command that takes another back.
func tellBack(fs *flag.FlagSet, name string, args ...string) {
	change{Back: commandLine(fs, name, args...)}.tell(fs.Output())
}

// commandLine is a command with the configuration of the one that was given, as a shell takes it.
func commandLine(fs *flag.FlagSet, name string, args ...string) string {
	words := append([]string{"angelpost"}, strings.Fields(name)...)
	if given(fs, "config") {
		words = append(words, "-config", fs.Lookup("config").Value.String())
	}
	words = append(words, args...)
	for i, w := range words {
		words[i] = shellWord(w)
	}
	return strings.Join(words, " ")
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9@%+=:,./_-]+$`)

// shellWord is a word as a shell takes it.
func shellWord(w string) string {
	if plainWord.MatchString(w) {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// directionBack is the command that a direction's answer offers, to take it back.
func directionBack(fs *flag.FlagSet, now notice.Answer) string {
	w, p, ok := order.ReadDirection(offered(now))
	if !ok || p != nil {
		return ""
	}
	d := w.Direct
	var args []string
	switch {
	case d.Kind == order.DirectRename:
		args = []string{w.Name, d.To}
	case d.Kind == order.DirectAdd:
		args = []string{w.Name, d.Player}
	case d.Kind == order.DirectExpel:
		args = []string{"-yes", w.Name, d.Player, takenBack}
	case d.Kind == order.DirectMove && d.No:
		args = []string{w.Name, d.Player, "none", takenBack}
	case d.Kind == order.DirectMove:
		args = []string{w.Name, d.Player, strconv.Itoa(d.Division), takenBack}
	case d.No:
		args = []string{w.Name, "no"}
	default:
		part := strings.TrimPrefix(d.String(w.Name), string(d.Kind)+" league "+w.Name)
		args = append(append([]string{w.Name}, strings.Fields(part)...), takenBack)
	}
	return commandLine(fs, "league "+string(d.Kind), args...)
}

// rulingBack is the command that a ruling's answer offers, to take it back.
func rulingBack(fs *flag.FlagSet, now notice.Answer) string {
	r, p, ok := order.ReadRuling(offered(now))
	if !ok || p != nil {
		return ""
	}
	words := strings.TrimSuffix(strings.TrimPrefix(r.String(), string(r.Kind)+" "+r.Game), ": "+r.Reason)
	args := append([]string{"-yes", "-reason", takenBack, r.Game, string(r.Kind)}, strings.Fields(words)...)
	return commandLine(fs, "rule", args...)
}

// offered is the line with which an answer can be taken back, "" if there is none.
func offered(now notice.Answer) string {
	for _, r := range now.Commands {
		if r.Code == notice.CommandBack {
			if r.Args["why"] == "true" {
				return r.Args["line"] + ": " + takenBack
			}
			return r.Args["line"]
		}
	}
	return ""
}
