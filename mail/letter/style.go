package letter

import (
	"strconv"
	"strings"
)

// What a rich letter says besides its words: which of them are struck through, which are not
// shown, and which have the colour of their ground. The letter's own styles say so: the
// attributes of elements, and simple rules of its <style> elements.

// A shown is how the text of an element is shown.
type shown struct {
	struck bool   // a line goes through it
	unseen bool   // visibility: hidden
	tiny   bool   // its size is 0
	ink    colour // of the text, as far as the letter states it
	ground colour // of what is behind it
}

// faint reports whether text is of the colour of its ground, both stated.
func (s shown) faint() bool {
	return s.ink == transparent || s.ink != "" && s.ground != "" && s.ink.near(s.ground)
}

// within is how the text of an element is shown that says d and is in one shown as s.
func (s shown) within(d declared) shown {
	if d.apart && d.struck <= 0 {
		s.struck = false // lines are not drawn through boxes of their own
	}
	s.struck = s.struck || d.struck > 0
	s.unseen = d.unseen.or(s.unseen)
	s.tiny = d.tiny.or(s.tiny)
	if d.ink != "" {
		s.ink = d.ink
	}
	if d.ground != "" {
		s.ground = d.ground
	}
	if s.ink == unstated {
		s.ink = ""
	}
	if s.ground == unstated {
		s.ground = ""
	}
	return s
}

// A tri is whether a style says yes (1) or no (-1), or nothing.
type tri int8

func yes(is bool) tri {
	if is {
		return 1
	}
	return -1
}

func (t tri) or(otherwise bool) bool {
	if t == 0 {
		return otherwise
	}
	return t > 0
}

// A declared is what a style says of how text is shown, as far as it is of use.
type declared struct {
	struck, gone, hidden, unseen, tiny tri // gone: display none; hidden: by other means
	apart                              bool
	ink, ground                        colour
}

// add has d say what e says, too; e comes later.
func (d *declared) add(e declared) {
	for _, t := range []struct{ to, from *tri }{{&d.struck, &e.struck}, {&d.gone, &e.gone}, {&d.hidden, &e.hidden}, {&d.unseen, &e.unseen}, {&d.tiny, &e.tiny}} {
		if *t.from != 0 {
			*t.to = *t.from
		}
	}
	d.apart = d.apart || e.apart
	if e.ink != "" {
		d.ink = e.ink
	}
	if e.ground != "" {
		d.ground = e.ground
	}
}

// declarations reads a style attribute, or the text between the braces of a rule, in lower
// case.
func declarations(s string) (d declared) {
	look(len(s))
	flat, cut := false, false
	for s != "" {
		var one string
		one, s, _ = strings.Cut(s, ";")
		name, value, ok := strings.Cut(one, ":")
		if !ok {
			continue
		}
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		value = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(strings.TrimSuffix(value, "important")), "!"))
		switch name {
		case "text-decoration", "text-decoration-line":
			d.struck = yes(strings.Contains(value, "line-through"))
		case "text-line-through":
			d.struck = yes(value != "none")
		case "display":
			d.gone = yes(value == "none")
			d.apart = strings.HasPrefix(value, "inline-")
		case "mso-hide":
			d.hidden = yes(value == "all")
		case "opacity":
			if n, ok := amount(value); ok && n == 0 {
				d.hidden = 1
			}
		case "max-height", "height":
			n, ok := amount(value)
			flat = flat || ok && n == 0
		case "overflow":
			cut = value == "hidden"
		case "visibility":
			d.unseen = yes(value == "hidden" || value == "collapse")
		case "font-size":
			d.tiny = sized(value)
		case "font":
			size, _, _ := strings.Cut(value, "/")
			if i := strings.LastIndexByte(size, ' '); i >= 0 {
				size = size[i+1:]
			}
			d.tiny = sized(size)
		case "color":
			d.ink = colourOf(value)
		case "background-color", "background":
			d.ground = groundOf(value)
		}
	}
	if flat && cut {
		d.hidden = 1
	}
	return d
}

// sized reports whether a font of that size is too small to read. A relative size does not
// tell, unless it is zero.
func sized(value string) tri {
	n, ok := amount(value)
	switch unit := strings.TrimLeft(value, "0123456789.+ "); {
	case !ok && (strings.HasSuffix(value, "small") || value == "medium" || strings.HasSuffix(value, "large")):
		return -1
	case !ok:
		return 0
	case n == 0:
		return 1
	case unit == "px" || unit == "pt":
		return yes(n <= 1)
	case unit == "rem":
		return -1
	}
	return 0
}

// amount is the number with which a value begins.
func amount(value string) (n float64, ok bool) {
	end := 0
	for end < len(value) && end < 20 && strings.IndexByte("0123456789.", value[end]) >= 0 {
		end++
	}
	n, err := strconv.ParseFloat(value[:end], 64)
	return n, err == nil
}

// A colour is one that a style states: "#rrggbb", or its name if that is not known here;
// "" if it states none.
type colour string

// What a style can say instead of a colour.
const (
	transparent colour = "transparent" // of text
	unstated    colour = "?"           // it is stated, but not so that we can tell which
)

// named are common names of colours.
var named = map[string]colour{
	"white": "#ffffff", "black": "#000000", "red": "#ff0000", "lime": "#00ff00", "blue": "#0000ff", "yellow": "#ffff00", "aqua": "#00ffff", "cyan": "#00ffff",
	"fuchsia": "#ff00ff", "magenta": "#ff00ff", "silver": "#c0c0c0", "gray": "#808080", "grey": "#808080", "maroon": "#800000", "green": "#008000", "navy": "#000080",
	"olive": "#808000", "purple": "#800080", "teal": "#008080", "orange": "#ffa500", "whitesmoke": "#f5f5f5", "snow": "#fffafa", "ivory": "#fffff0", "ghostwhite": "#f8f8ff",
	"lightgray": "#d3d3d3", "lightgrey": "#d3d3d3", "darkgray": "#a9a9a9", "darkgrey": "#a9a9a9", "gainsboro": "#dcdcdc",
}

// colourOf reads the colour of text.
func colourOf(value string) colour {
	switch value {
	case "", "inherit", "unset", "currentcolor":
		return ""
	case "transparent":
		return transparent
	}
	if c, ok := named[value]; ok {
		return c
	}
	if hex, ok := strings.CutPrefix(value, "#"); ok && strings.Trim(hex, "0123456789abcdef") == "" {
		switch len(hex) {
		case 4, 8:
			if strings.Trim(hex[len(hex)*3/4:], "0") == "" {
				return transparent
			}
			hex = hex[:len(hex)*3/4]
		}
		if len(hex) == 3 {
			hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
		}
		if len(hex) == 6 {
			return colour("#" + hex)
		}
		return unstated
	}
	if args, ok := strings.CutPrefix(value, "rgb"); ok {
		args = strings.TrimPrefix(args, "a")
		parts := strings.FieldsFunc(first(args, 60), func(r rune) bool { return strings.ContainsRune("(), /", r) })
		if len(parts) == 4 {
			if n, ok := amount(parts[3]); ok && n == 0 {
				return transparent
			}
			parts = parts[:3]
		}
		if len(parts) != 3 {
			return unstated
		}
		var b strings.Builder
		b.WriteByte('#')
		for _, p := range parts {
			n, err := strconv.ParseUint(p, 10, 8)
			if err != nil {
				return unstated
			}
			if n < 16 {
				b.WriteByte('0')
			}
			b.WriteString(strconv.FormatUint(n, 16))
		}
		return colour(b.String())
	}
	if len(value) > 30 || strings.Trim(value, "abcdefghijklmnopqrstuvwxyz") != "" {
		return unstated
	}
	switch value {
	case "initial", "revert", "windowtext", "window", "canvas", "canvastext", "auto":
		return unstated
	}
	return colour(value)
}

// groundOf reads the colour of a background, "" if what is behind it shows.
func groundOf(value string) colour {
	switch value {
	case "", "none", "inherit", "unset", "initial", "transparent":
		return ""
	}
	if strings.Contains(value, "url(") || strings.Contains(value, "gradient") || strings.Contains(value, "var(") {
		return unstated
	}
	c := colourOf(value)
	if c == unstated {
		word, _, _ := strings.Cut(value, " ")
		c = colourOf(word)
	}
	if c == transparent {
		return ""
	}
	return c
}

// near reports whether no one could tell two colours apart.
func (c colour) near(d colour) bool {
	if c == d {
		return c != unstated
	}
	if len(c) != 7 || len(d) != 7 || c[0] != '#' || d[0] != '#' {
		return false
	}
	for i := 1; i < 7; i += 2 {
		a, errA := strconv.ParseInt(string(c[i:i+2]), 16, 32)
		b, errB := strconv.ParseInt(string(d[i:i+2]), 16, 32)
		if errA != nil || errB != nil || a-b > 8 || b-a > 8 {
			return false
		}
	}
	return true
}

// rules are what a letter's <style> elements say, by a selector's last part: "p", ".x",
// "p.x", "#x".
type rules map[string]declared

// readRules reads the rules of <style> elements. Rules for some media only are left out.
func readRules(css string) rules {
	look(len(css))
	css = strings.ToLower(css)
	found := rules{}
	for css != "" {
		css = strings.TrimLeft(css, " \t\r\n\f")
		if rest, ok := strings.CutPrefix(css, "/*"); ok {
			_, css, _ = strings.Cut(rest, "*/")
			continue
		}
		if rest, ok := strings.CutPrefix(css, "<!--"); ok {
			css = rest
			continue
		}
		if rest, ok := strings.CutPrefix(css, "-->"); ok {
			css = rest
			continue
		}
		i := strings.IndexAny(css, "{};")
		if i < 0 {
			break
		}
		prelude, after := css[:i], css[i+1:]
		if css[i] != '{' {
			css = after
			continue
		}
		if strings.HasPrefix(prelude, "@") {
			css = after
			for deep := 1; deep > 0 && css != ""; {
				j := strings.IndexAny(css, "{}")
				if j < 0 {
					return found
				}
				if css[j] == '{' {
					deep++
				} else {
					deep--
				}
				css = css[j+1:]
			}
			continue
		}
		var body string
		body, css, _ = strings.Cut(after, "}")
		if d := declarations(body); d != (declared{}) {
			for sel := range strings.SplitSeq(prelude, ",") {
				if key := selector(sel); key != "" {
					all := found[key]
					all.add(d)
					found[key] = all
				}
			}
		}
	}
	return found
}

// selector is the last part of a selector, "" if it is of no use: where more than the
// element counts, only if that has a class or a name.
func selector(s string) string {
	s = strings.TrimSpace(s)
	last := s
	if i := strings.LastIndexAny(s, " >+~\t\n"); i >= 0 {
		last = s[i+1:]
	}
	if last == "" || len(last) > 200 || strings.ContainsAny(last, ":[*\\") || last != s && !strings.ContainsAny(last, ".#") {
		return ""
	}
	if i := strings.LastIndexByte(last, '#'); i >= 0 {
		return last[i:]
	}
	if tag, classes, ok := strings.Cut(last, "."); ok && strings.Contains(classes, ".") {
		return tag + classes[strings.LastIndexByte(classes, '.'):]
	}
	return last
}

// of is what rules and an element's own attributes say of it.
func (r rules) of(n *node) (d declared) {
	if len(r) > 0 {
		d = r[n.tag]
		for class := range strings.FieldsSeq(n.attrs.class) {
			look(len(class))
			d.add(r["."+class])
			d.add(r[n.tag+"."+class])
		}
		if n.attrs.id != "" {
			d.add(r["#"+n.attrs.id])
		}
	}
	switch n.tag {
	case "s", "del", "strike":
		if d.struck == 0 {
			d.struck = 1
		}
	}
	if n.attrs.style != "" {
		d.add(declarations(n.attrs.style))
	}
	return d
}

// overlaid is a character below a stroke that is a character itself, and tildes what is
// between the marks with which people strike out in plain text.
var (
	overlaid = compile("[^\u0335\u0336][\u0335\u0336]+")
	tildes   = compile(`~~[^~\s](?:[^~]*[^~\s])?~~`)
)

// unstruck removes what is struck through in plain text.
func unstruck(s string) (left string, struck bool) {
	if !strings.ContainsAny(s, "~\u0335\u0336") {
		return s, false
	}
	look(len(s))
	left = tildes.re.ReplaceAllString(overlaid.re.ReplaceAllString(s, ""), "")
	if left == s {
		return s, false
	}
	return clean(left), true
}
