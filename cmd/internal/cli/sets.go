package cli

import (
	"errors"
	"io/fs"
	"os"

	"angelpost/engine/component"
)

// OpenSet returns the built-in component set for its name, which a path with a
// slash never is, and for "", or else the set in a directory.
func OpenSet(path string) (*component.Set, error) {
	if path == "" {
		return component.Default(), nil
	}
	if r := component.BuiltIn(path); r != nil {
		return r.Set, nil
	}
	if err := MissingSet(path); err != nil {
		return nil, err
	}
	set, err := component.Open(path)
	if err != nil {
		return nil, BadUsage("%w", err)
	}
	return set, nil
}

// MissingSet says that there is nothing at the path of a set, where reading it
// would say so of each of its files.
func MissingSet(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return BadUsage("component set %s: there is no such directory, and the built-in set is called %s", path, component.DefaultName)
}
