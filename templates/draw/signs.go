package draw

// signs are the icons that pages explain one by one, with their keys for a catalogue.
var signs = []struct {
	key   string
	icon  icon
	paint paint
}{
	{"orange", iconCircle, orange}, {"gray", iconSquare, gray}, {"green", iconTriangle, green},
	{"planet", iconPlanet, orange}, {"station", iconStation, gray}, {"fleet", iconFleet, green}, {"rocks", iconRocks, line}, {"comet", iconComet, bright},
	{"ship", iconDart, bright}, {"robot", iconHead, bright}, {"resource", iconGem, bright}, {"debris", iconCube, bright}, {"damage", iconCross, red}, {"star", iconStar, bright},
	{"ravager", iconRavager, red}, {"card", iconCard, bright}, {"tile", iconTile, bright},
	{"up-down", iconUpDown, bright}, {"left-right", iconLeftRight, bright}, {"right", iconRight, bright}, {"lock", iconLock, bright},
	{"tuck", iconTuck, bright}, {"eject", iconEject, bright}, {"dice", iconBolt, bright},
}

// Signs is how many icons pages explain.
func Signs() int { return len(signs) }

// Sign is the key of an icon, from 0.
func Sign(n int) string { return signs[n].key }

// AppendSign appends an icon alone.
func AppendSign(b []byte, n int, label string) []byte {
	return piece(b, nil, 60, 60, label, func(s *scene) { s.icon(signs[n].icon, signs[n].paint, 30, 30, 46) })
}
