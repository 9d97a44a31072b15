package component

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

//go:embed crossing/*.txt
var embedded embed.FS

// DefaultName is the name of the built-in set, which new games are played with
// unless they name another.
const DefaultName = "crossing"

// The data files of a set, and the constraint each stands under first.
const (
	fileAdvanced   = "advanced.txt"
	fileBoard      = "board.txt"
	fileHal        = "hal.txt"
	fileMissions   = "missions.txt"
	fileRavagers   = "ravagers.txt"
	fileStrips     = "strips.txt"
	fileTechnology = "technology.txt"
)

// Default is the built-in set. All callers share the one value, which must not
// be changed. It panics if the embedded files are broken, which a build whose
// tests pass cannot be.
var Default = sync.OnceValue(func() *Set { return BuiltIn(DefaultName).Set })

// Open loads the set in a directory. The set has the directory's name.
func Open(dir string) (*Set, error) {
	r, err := Check(dir)
	if err == nil {
		err = r.err()
	}
	if err != nil {
		return nil, fmt.Errorf("component set %s: %w", dir, err)
	}
	return r.Set, nil
}

// Load is for tests, whose sets are not in a directory (settest); the program uses Open. It
// reads a set's data files from the root of fsys and checks that the game can be played
// with it by RULES.md. A set with a fault gives Problems, each with file and line. A file
// that is missing, too large or unreadable, or a bad name, gives another error. It ignores
// other files.
func Load(fsys fs.FS, name string) (*Set, error) {
	r, err := load(fsys, name)
	if err == nil {
		err = r.err()
	}
	if err != nil {
		return nil, err
	}
	return r.Set, nil
}

// A Report is what reading a set's data files found.
type Report struct {
	Set     *Set    // nil if there are faults
	Origins Origins // of all that could be read

	Faults   Problems // what the rules do not allow
	Warnings Problems // what they do, but a box would hardly have
}

func (r *Report) err() error {
	if len(r.Faults) > 0 {
		return r.Faults
	}
	return nil
}

// Check reads the set in a directory as Open does and reports the line of each thing and
// every fault. An error means that the directory's name cannot name a set or that files
// could not be read; Check still reports the faults of the other files.
func Check(dir string) (*Report, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return &Report{}, err
	}
	return load(os.DirFS(abs), filepath.Base(abs))
}

// BuiltIn reports on the built-in set, which is free of faults; nil if it has
// another name.
func BuiltIn(name string) *Report {
	if name != DefaultName {
		return nil
	}
	r, err := load(Files(), name)
	if err == nil {
		err = r.err()
	}
	if err != nil {
		panic(fmt.Errorf("built-in component set: %w", err))
	}
	return r
}

// Files are the data files of the built-in set.
func Files() fs.FS {
	files, err := fs.Sub(embedded, DefaultName)
	if err != nil {
		panic(err) // the name is not a valid path
	}
	return files
}

func load(fsys fs.FS, name string) (*Report, error) {
	r := &Report{Origins: Origins{}}
	if !validName(name) {
		return r, fmt.Errorf("%.40q cannot name a component set: a name has 1 to 40 of A-Z, a-z, 0-9 and -", name)
	}
	set := &Set{Name: name}
	sum := sha256.New()
	var unread []error
	for _, f := range []struct {
		file, rule string
		check      func(*Set, *table)
	}{
		{fileAdvanced, "C4", readAdvanced},
		{fileBoard, "C8", readBoard}, // before Ravagers, which look at locations
		{fileHal, "C6", readHal},
		{fileMissions, "C2", readMissions},
		{fileRavagers, "C5", readRavagers},
		{fileStrips, "C1", readStrips},
		{fileTechnology, "C3", readTechnology},
	} {
		t, err := readTable(fsys, f.file, f.rule, r)
		if err != nil {
			unread = append(unread, err)
			continue
		}
		before := len(r.Faults)
		f.check(set, t)
		if len(r.Faults) == before {
			hashTable(sum, t)
		}
	}
	if len(unread) == 0 && len(r.Faults) == 0 {
		set.Hash = hex.EncodeToString(sum.Sum(nil))
		r.Set = set
	}
	return r, errors.Join(unread...)
}

// hashTable adds a file's entries to the set's hash, in an order that does not
// depend on the file's.
func hashTable(w io.Writer, t *table) {
	lines := make([]string, len(t.rows))
	for i, e := range t.rows {
		lines[i] = e.text()
	}
	slices.Sort(lines)
	fmt.Fprintf(w, "%s %d\n%s\n", t.file, len(lines), strings.Join(lines, "\n"))
}

func validName(name string) bool {
	return name != "" && len(name) <= 40 && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
