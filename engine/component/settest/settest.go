// Package settest gives tests a second component set. No program holds it.
package settest

import (
	"embed"
	"errors"
	"io/fs"
	"sync"

	"angelpost/engine/component"
)

// SecondName is the name of the set that Second returns.
const SecondName = "second"

//go:embed testdata/second/*.txt
var embedded embed.FS

// Second is the built-in set but for one value, the length of the display. All
// callers share it; it must not be changed.
var Second = sync.OnceValue(func() *component.Set {
	files, err := fs.Sub(embedded, "testdata/second")
	if err != nil {
		panic(err)
	}
	set, err := component.Load(overlay{files, component.Files()}, SecondName)
	if err != nil {
		panic(err)
	}
	return set
})

// overlay is the files of upper, and those of lower that upper lacks.
type overlay struct{ upper, lower fs.FS }

// Open implements fs.FS.
func (o overlay) Open(name string) (fs.File, error) {
	f, err := o.upper.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return o.lower.Open(name)
	}
	return f, err
}

// Named returns the built-in set or the second one by its name, nil if there is
// none of that name.
func Named(name string) *component.Set {
	switch name {
	case component.DefaultName:
		return component.Default()
	case SecondName:
		return Second()
	}
	return nil
}
