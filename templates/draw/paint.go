package draw

import "angelpost/engine"

// paint is one of the 16 colours of a picture: an index into its palette.
type paint uint8

const (
	ground paint = iota // Space, behind everything
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
	sea // around Spes
	paints

	ink  = ground // text and signs on what is light
	gold = seat3  // the Black Angel's light, Victory Points

	own  = paints + 1 // a layer in the colour that its symbol is drawn with
	none = paints + 2 // a layer that a picture leaves out
)

// palette is dark, as Space is, in mail programs with a light ground, too.
var palette = [paints]uint32{
	0x0b0f26, 0x1b2140, 0x6a7199, 0xfdf8ec,
	0xee8a30, 0xb9c6d8, 0x4cc98a,
	0x4d2e12, 0x313c52, 0x14432d,
	0x57a3ff, 0xff86b1, 0xffd447, 0xab90ff,
	0xe0394a, 0x14508f,
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
