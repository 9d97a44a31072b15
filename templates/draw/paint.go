package draw

import "angelpost/engine"

// paint is one of the 16 colours of a picture: an index into the PNG's palette
// and, as a letter, a class in the SVG.
type paint uint8

const (
	ground paint = iota // behind everything
	panel               // a field of a board
	line                // its border
	bright              // text and signs
	orange
	gray
	green
	orangeField // the ground of a coloured hex or tile
	grayField
	greenField
	seat1
	seat2
	seat3
	seat4
	red // Damage and Ravagers
	ink // text on a light or coloured sign
	paints

	// paper is text on red: bright in the dark, and so in a PNG's palette of 16,
	// but bright on a page in the light as well.
	paper = paints

	own  = paints + 1 // a symbol's layer in the colour it is drawn with
	none = paints + 2 // a symbol's layer that a picture leaves out
)

// A picture in a letter stands on white or on black, so it brings a dark
// ground of its own; a page has both.
var dark = [paints]uint32{
	0x0e1526, 0x1b2439, 0x6b7aa3, 0xf5f2e9,
	0xf58f29, 0xb4becb, 0x45c07a,
	0x4d2e12, 0x39434f, 0x14432d,
	0x6aa9ff, 0xff7f9f, 0xffdc4d, 0xc49cff,
	0xd92d36, 0x0b0f1a,
}

var light = [paints]uint32{
	0xf4f1e8, 0xffffff, 0x8a8474, 0x1a1e2b,
	0xf0871d, 0x8796a9, 0x3fae6c,
	0xfce4c8, 0xe0e5eb, 0xcdeeda,
	0x5b9bf5, 0xf5789a, 0xd9a400, 0xb389f5,
	0xc81e2a, 0x0b0f1a,
}

func colorPaint(c engine.Color) paint {
	if c > engine.Green {
		return line
	}
	return orange + paint(c)
}

func fieldPaint(c engine.Color) paint {
	if c > engine.Green {
		return panel
	}
	return orangeField + paint(c)
}

func seatPaint(s engine.Seat) paint {
	if s < 1 || s > engine.MaxPlayers {
		return bright
	}
	return seat1 + paint(s-1)
}

// CSS is the style sheet of every SVG of this package. A page serves it as or
// within a file of its own; all its rules are below the class "ba".
var CSS = css()

func css() string {
	const rest = `.ba{display:block;width:100%;height:auto;font:700 22px/1 Helvetica Neue,Arial,Liberation Sans,Roboto,DejaVu Sans Condensed,sans-serif}
.ba text{text-anchor:middle}
.ba .l{text-anchor:start}
.ba .r{text-anchor:end}
.ba defs path{vector-effect:non-scaling-stroke}
.ba a{cursor:help;text-decoration:none}
.ba a:focus{outline:none}
.ba a>:first-child{fill-opacity:0;rx:7px}
.ba a:hover>:first-child{stroke:var(--bd);stroke-width:3px}
.ba a:focus>:first-child,.ba a:has(:target)>:first-child{stroke:#2f7bff;stroke-width:6px}
.ba .n{fill:none;rx:7px;stroke:#d6247f;stroke-width:3px;stroke-dasharray:7 5}
.ba .w2{stroke-width:2px}
.ba .w3{stroke-width:3px}
.ba .w5{stroke-width:5px}
.ba foreignObject{display:none;x:4px;width:712px;height:300px;overflow:visible;pointer-events:none;scroll-margin:40vh}
.ba a:hover>foreignObject,.ba a:focus>foreignObject,.ba foreignObject:target{display:block}
.ba div{height:100%;display:flex;align-items:flex-end}
.ba .u div{align-items:flex-start}
.ba p{box-sizing:border-box;width:100%;margin:0;padding:14px 18px;border-radius:10px;background:var(--bd);color:var(--ba);font:400 25px/1.35 Helvetica Neue,Arial,Liberation Sans,Roboto,sans-serif;overflow-wrap:anywhere}
.ba b{display:block}
@media(min-width:700px){.ba p{font-size:18px;padding:10px 14px}}
@media print{.ba foreignObject{display:none!important}}
`
	vars := func(c *[paints]uint32) []byte {
		var b []byte
		for i, v := range c {
			b = append(b, "--b"...)
			b = append(b, paint(i).class(), ':', '#')
			for s := 20; s >= 0; s -= 4 {
				b = append(b, "0123456789abcdef"[v>>s&15])
			}
			b = append(b, ';')
		}
		return b
	}
	b := []byte(".ba{")
	b = append(append(b, vars(&light)...), "}\n@media screen and (prefers-color-scheme:dark){.ba{"...)
	b = append(append(b, vars(&dark)...), "}}\n"...)
	for i := range paper {
		b = append(b, ".ba ."...)
		b = append(b, 'p', i.class())
		b = append(b, "{fill:var(--b"...)
		b = append(b, i.class())
		b = append(b, ")}\n.ba .q"...)
		b = append(b, i.class())
		b = append(b, "{stroke:var(--b"...)
		b = append(b, i.class())
		b = append(b, ")}\n"...)
	}
	b = append(b, ".ba .pq{fill:#f5f2e9}\n"...)
	return string(append(b, rest...))
}

func (p paint) class() byte { return 'a' + byte(p) }
