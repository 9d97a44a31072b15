package table

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"angelpost/engine"
	"angelpost/engine/component"
	"angelpost/templates/draw"
	"angelpost/templates/markup"
	"angelpost/templates/touch"
	"angelpost/templates/words"
)

// A page has some hundred of these, and they are most of its cost.

// icon is a symbol, a line of text high. It has no label: the text around it has. class is this
// package's own.
func icon(s draw.Symbol, class string) templ.Component {
	return markup.Component(func(b []byte) []byte { return appendIcon(b, s, class) })
}

func appendIcon(b []byte, s draw.Symbol, class string) []byte {
	b = append(append(append(b, `<svg class="i `...), class...), `" aria-hidden="true"><use href="#`...)
	return append(append(b, s.ID()...), `"></use></svg>`...)
}

// appendUse draws a symbol in a square of so many units.
func appendUse(b []byte, s draw.Symbol, x, y, size int, class string) []byte {
	b = append(append(b, `<use href="#`...), s.ID()...)
	b = strconv.AppendInt(append(b, `" x="`...), int64(x), 10)
	b = strconv.AppendInt(append(b, `" y="`...), int64(y), 10)
	b = strconv.AppendInt(append(b, `" width="`...), int64(size), 10)
	b = strconv.AppendInt(append(b, `" height="`...), int64(size), 10)
	if class != "" {
		b = append(append(b, `" class="`...), class...)
	}
	return append(b, `"></use>`...)
}

// piece is a piece on the table, as a link if touching it does anything. kinds are its kinds
// for About, by which a tip finds the explanation. Its children are what it shows.
func piece(t *Table, kinds, class, label string, keys ...string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		shown := templ.GetChildren(ctx)
		ctx = templ.ClearChildren(ctx)
		var p opened
		err := markup.Component(func(b []byte) []byte {
			b, p = t.open(b, kinds, class, label, keys...)
			return b
		}).Render(ctx, w)
		if err != nil {
			return err
		}
		if err := shown.Render(ctx, w); err != nil {
			return err
		}
		return markup.Component(p.close).Render(ctx, w)
	})
}

// An opened piece has its opening tag written, not yet its children.
type opened struct {
	link   bool
	chosen string // the number of the step that used it
}

// open begins a piece: see there.
func (t *Table) open(b []byte, kinds, class, label string, keys ...string) ([]byte, opened) {
	x, key, ok := t.touched(keys...)
	p, name := opened{link: ok, chosen: t.chosen(keys...)}, t.name(class, label)
	if !ok {
		b = append(append(b, `<span class="`...), class...)
		if p.chosen != "" {
			b = append(b, " at"...)
		}
		b = markup.Attribute(append(b, `" role="img`...), "aria-label", name)
		return append(markup.Attribute(b, "data-k", kinds), `">`...), p
	}
	b = appendMarks(append(append(append(b, ` <a class="`...), class...), " go"...), x) // white space: links are apart without our style
	b = markup.Address(b, x.Href)
	b = markup.Attribute(b, "aria-label", named(x.Label, name))
	b = markup.Attribute(markup.Attribute(b, "data-touch", key), "data-k", kinds)
	return append(markup.Attribute(b, "data-name", name), `">`...), p
}

// appendMarks adds the classes of what may be touched.
func appendMarks(b []byte, x touch.Touch) []byte {
	if x.Best {
		b = append(b, " best"...)
	}
	if x.Other {
		b = append(b, " other"...)
	}
	if x.Why != "" {
		b = append(b, " dim"...)
	}
	return b
}

// close ends a piece.
func (p opened) close(b []byte) []byte {
	if p.chosen != "" {
		b = append(markup.Text(append(b, `<b class="step" aria-hidden="true">`...), p.chosen), `</b>`...)
	}
	if p.link {
		return append(b, `</a>`...)
	}
	return append(b, `</span>`...)
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

// What is the same in every game is written once, by what it depends on.

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
	return markup.Kept(aboutKey{t.Catalogue, t.View.Options.Hal != engine.NoHal, t.View.Neutral != nil, t.View.Options.Advanced}, func() templ.Component { return about(t) })
}
