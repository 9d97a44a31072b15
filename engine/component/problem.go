package component

import (
	"fmt"
	"strings"
)

// Bounds on the faults of one report, and on those that an error names.
const (
	maxProblems = 500
	maxNamed    = 20
)

// A Problem is a place in a data file that cannot be read, breaks a rule or, as
// a warning, is unusual.
type Problem struct {
	File string
	Line int    // from 1; the last line where something is missing from the file
	Rule string // the number of RULES.md section C that it is about, "C2"
	Text string
}

// String is "missions.txt:12: C2: …".
func (p Problem) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", p.File, p.Line, p.Rule, p.Text)
}

// Problems is the error that Load and Open return for a set that cannot be
// played: the faults found, at most 500, in the order of files and lines within
// each check.
type Problems []Problem

func (ps Problems) Error() string {
	var lines []string
	for _, p := range ps[:min(len(ps), maxNamed)] {
		lines = append(lines, p.String())
	}
	if more := len(ps) - maxNamed; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more; angelpost components check names them all", more))
	}
	return strings.Join(lines, "\n")
}

func (ps *Problems) add(file string, line int, rule, format string, args ...any) {
	if len(*ps) < maxProblems {
		*ps = append(*ps, Problem{file, line, rule, fmt.Sprintf(format, args...)})
	}
}
