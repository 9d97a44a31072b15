// Package markup writes HTML into memory that is used again. The parts that a page has by
// the dozen are written with it and not with templ, which costs four times as much.
package markup

import (
	"bytes"
	"context"
	"html"
	"io"
	"strings"
	"sync"

	"github.com/a-h/templ"
)

// Component is a component of what f appends.
func Component(f func(b []byte) []byte) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		b := scratch.Get().(*[]byte)
		defer scratch.Put(b)
		*b = f((*b)[:0])
		_, err := w.Write(*b)
		return err
	})
}

var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 1<<10); return &b }}

// Text appends a text escaped for HTML, also within a quoted attribute.
func Text(b []byte, s string) []byte {
	for {
		at := strings.IndexAny(s, `&'<>"`)
		if at < 0 {
			return append(b, s...)
		}
		b = append(append(b, s[:at]...), html.EscapeString(s[at:at+1])...)
		s = s[at+1:]
	}
}

// Attribute ends the value of the attribute before it, and begins another.
func Attribute(b []byte, name, value string) []byte {
	b = append(append(append(b, `" `...), name...), `="`...)
	return Text(b, value)
}

// Address is the attribute href, like Attribute. What templ does not take for a safe
// address is written as what leads nowhere.
func Address(b []byte, href string) []byte { return Attribute(b, "href", string(templ.URL(href))) }

// kept is markup by what it depends on.
var kept sync.Map // key -> []byte

// Kept writes what c() writes, which depends on nothing but the key. It is made once and kept
// as long as the program runs, so there must be few keys.
func Kept(key any, c func() templ.Component) templ.Component {
	return Component(func(b []byte) []byte { return AppendKept(b, key, c) })
}

// AppendKept is Kept within a Component.
func AppendKept(b []byte, key any, c func() templ.Component) []byte {
	text, ok := kept.Load(key)
	if !ok {
		var f bytes.Buffer
		if err := c().Render(context.Background(), &f); err != nil {
			panic(err) // a bytes.Buffer takes everything
		}
		text, _ = kept.LoadOrStore(key, f.Bytes())
	}
	return append(b, text.([]byte)...)
}
