package table

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/a-h/templ"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/templates/draw"
	"angelpost/templates/words"
)

// A page has some hundred of these, and they are most of its cost: they are written
// without templ's lists of classes.

// icon is a symbol, a line of text high. It says nothing: what stands around it does.
// class is this package's own.
func icon(s draw.Symbol, class string) templ.Component {
	return markup(func(b []byte) []byte {
		b = append(append(append(b, `<svg class="i `...), class...), `" aria-hidden="true"><use href="#`...)
		return append(append(b, s.ID()...), `"></use></svg>`...)
	})
}

// use draws a symbol in a square of so many units.
func use(s draw.Symbol, x, y, size int, class string) templ.Component {
	return markup(func(b []byte) []byte {
		b = append(append(b, `<use href="#`...), s.ID()...)
		b = strconv.AppendInt(append(b, `" x="`...), int64(x), 10)
		b = strconv.AppendInt(append(b, `" y="`...), int64(y), 10)
		b = strconv.AppendInt(append(b, `" width="`...), int64(size), 10)
		b = strconv.AppendInt(append(b, `" height="`...), int64(size), 10)
		if class != "" {
			b = append(append(b, `" class="`...), class...)
		}
		return append(b, `"></use>`...)
	})
}

// piece is something that lies on the table. Where touching it does anything it is a link.
// kinds are of what About explains, by which a tip finds it. What it shows are its
// children.
func piece(t *Table, kinds, class, label string, keys ...string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		shown := templ.GetChildren(ctx)
		ctx = templ.ClearChildren(ctx)
		x, key, ok := t.touched(keys...)
		chosen, name := t.chosen(keys...), t.name(class, label)
		end := "</span>"
		err := markup(func(b []byte) []byte {
			if !ok {
				b = append(append(b, `<span class="`...), class...)
				if chosen != "" {
					b = append(b, " at"...)
				}
				b = attribute(append(b, `" role="img`...), "aria-label", name)
				return append(attribute(b, "data-k", kinds), `">`...)
			}
			end = "</a>"
			b = append(append(append(b, `<a class="`...), class...), " go"...)
			for _, c := range []struct {
				is   bool
				name string
			}{{x.Best, " best"}, {x.Other, " other"}, {x.Why != "", " dim"}} {
				if c.is {
					b = append(b, c.name...)
				}
			}
			b = attribute(b, "href", string(templ.URL(x.Href)))
			b = attribute(b, "aria-label", named(x.Label, name))
			b = attribute(attribute(b, "data-touch", key), "data-k", kinds)
			return append(attribute(b, "data-name", name), `">`...)
		}).Render(ctx, w)
		if err != nil {
			return err
		}
		if err := shown.Render(ctx, w); err != nil {
			return err
		}
		if err := step(chosen).Render(ctx, w); err != nil {
			return err
		}
		_, err = io.WriteString(w, end)
		return err
	})
}

// classes is the attribute class of these names, without the empty ones. What templ makes
// of class={ ... } costs more than all else of a piece: it keeps each list of names in a map.
func classes(names ...string) templ.OrderedAttributes {
	list := slices.DeleteFunc(names, func(n string) bool { return n == "" })
	return templ.OrderedAttributes{{Key: "class", Value: strings.Join(list, " ")}}
}

// ofKind is the attribute that makes an element a piece of a kind; none if there is none.
func ofKind(kind string) templ.OrderedAttributes {
	if kind == "" {
		return nil
	}
	return templ.OrderedAttributes{{Key: "data-k", Value: kind}}
}

// when is a name if it applies.
func when(applies bool, name string) string {
	if applies {
		return name
	}
	return ""
}

// attribute ends the value before it and begins another attribute's.
func attribute(b []byte, name, value string) []byte {
	b = append(append(append(b, `" `...), name...), `="`...)
	return append(b, templ.EscapeString(value)...)
}

// markup is a component of what f appends.
func markup(f func(b []byte) []byte) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		b := scratch.Get().(*[]byte)
		defer scratch.Put(b)
		*b = f((*b)[:0])
		_, err := w.Write(*b)
		return err
	})
}

var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 1<<10); return &b }}

// faces are the markup that is the same in every game, by what it depends on: an aboutKey or a
// faceKey. Catalogues and component sets are read once, when the server starts.
var faces sync.Map // -> []byte

type aboutKey struct {
	words                  *words.Catalogue
	hal, neutral, advanced bool
}

// A faceKey is a card, or a side of a tile.
type faceKey struct {
	words *words.Catalogue
	set   *component.Set
	card  engine.Card
	onMap bool // of the card
	tile  engine.Tile
	boost bool // of the tile
}

// About explains every kind of piece that is on the table.
func About(t *Table) templ.Component {
	return kept(aboutKey{t.Catalogue, t.View.Options.Hal != engine.NoHal, t.View.Neutral != nil, t.View.Options.Advanced}, about(t))
}

// kept writes what c writes, which depends on nothing but the key.
func kept(key any, c templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		text, ok := faces.Load(key)
		if !ok {
			var b bytes.Buffer
			if err := c.Render(ctx, &b); err != nil {
				return err
			}
			text, _ = faces.LoadOrStore(key, b.Bytes())
		}
		_, err := w.Write(text.([]byte))
		return err
	})
}
