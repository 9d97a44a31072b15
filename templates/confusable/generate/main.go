// Command generate makes templates/confusable/table.txt from Unicode's confusables.txt, which
// it is given.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run() error {
	if len(os.Args) != 2 {
		return errors.New("use: go run ./templates/confusable/generate confusables.txt >templates/confusable/table.txt")
	}
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		return err
	}
	return write(os.Stdout, data)
}

// A mapping is a character and those it looks like.
type mapping struct {
	from uint64
	line string
}

var version = regexp.MustCompile(`(?m)^# Version: (\S+)`)

// write writes the table of confusables.txt: its mappings, by their first character.
func write(w io.Writer, data []byte) error {
	v := version.FindSubmatch(data)
	if v == nil {
		return errors.New("this is not a confusables.txt: it has no version")
	}
	var all []mapping
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(strings.TrimPrefix(lines.Text(), "\ufeff"), "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		fields := strings.Split(line, ";") // from; to; type
		if len(fields) != 3 || strings.TrimSpace(fields[2]) != "MA" {
			return fmt.Errorf("line %d: %q", n, line)
		}
		m := mapping{line: strings.Join(strings.Fields(fields[0]+" "+fields[1]), " ")}
		for i, point := range strings.Fields(m.line) {
			c, err := strconv.ParseUint(point, 16, 21)
			if err != nil {
				return fmt.Errorf("line %d: %w", n, err)
			}
			if i == 0 {
				m.from = c
			}
		}
		all = append(all, m)
	}
	if err := lines.Err(); err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b mapping) int { return cmp.Compare(a.from, b.from) })
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# Generated from confusables.txt of Unicode %s (SHA-256 %x); see confusable.go and LICENSE-UNICODE.\n", v[1], sha256.Sum256(data))
	for _, m := range all {
		fmt.Fprintln(out, m.line)
	}
	return out.Flush()
}
