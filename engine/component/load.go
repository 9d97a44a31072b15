package component

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

//go:embed set/*.txt
var embedded embed.FS

// DefaultName is the name of the embedded set.
const DefaultName = "ours"

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

// Default is the embedded set. All callers share the one value, which must not
// be changed. It panics if the embedded files are broken, which a build whose
// tests pass cannot be.
var Default = sync.OnceValue(func() *Set {
	sub, err := fs.Sub(embedded, "set")
	if err != nil {
		panic(err)
	}
	set, err := Load(sub, DefaultName)
	if err != nil {
		panic(fmt.Errorf("embedded component set: %w", err))
	}
	return set
})

// Open loads the set in a directory. The set bears the directory's name.
func Open(dir string) (*Set, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("component set %s: %w", dir, err)
	}
	set, err := Load(os.DirFS(abs), filepath.Base(abs))
	if err != nil {
		return nil, fmt.Errorf("component set %s: %w", dir, err)
	}
	return set, nil
}

// Load reads a set's data files from the root of fsys and checks them against
// every constraint of RULES.md section C. A set that breaks one gives Problems,
// each with file and line; a file that is missing, too large or unreadable, or
// a bad name, gives another error. Other files beside the set's are ignored.
func Load(fsys fs.FS, name string) (*Set, error) {
	if !validName(name) {
		return nil, fmt.Errorf("component set %.40q: a name has 1 to 40 of A-Z, a-z, 0-9 and -", name)
	}
	set := &Set{Name: name}
	var ps Problems
	sum := sha256.New()
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
		t, err := readTable(fsys, f.file, f.rule, &ps)
		if err != nil {
			return nil, err
		}
		before := len(ps)
		f.check(set, t)
		if len(ps) == before {
			hashTable(sum, t)
		}
	}
	if len(ps) > 0 {
		return nil, ps
	}
	set.Hash = hex.EncodeToString(sum.Sum(nil))
	return set, nil
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
