package draw

// icon is one of the signs a scene is made of.
type icon uint8

const (
	iconHex      icon = iota
	iconCircle        // orange; the three follow each other as the colours do
	iconSquare        // gray
	iconTriangle      // green
	iconPlanet        // an orange hex
	iconStation       // a gray one
	iconFleet         // a green one
	iconRocks         // asteroids
	iconComet
	iconAngel // the wings beside the Black Angel's name
	iconShip  // a player's, with room for their number
	iconRobot // a player's
	iconDisc  // a player
	iconDart  // ships as goods
	iconHead  // robots as goods
	iconGem   // resources
	iconCube  // Debris
	iconCross // Damage
	iconStar
	iconRavager
	iconCard
	iconCards
	iconUpDown
	iconLeftRight
	iconRight
	iconPlus
	iconLock
	iconTuck
	iconEject
	iconTile
	iconBolt // a Mission used with dice
	iconVP
	icons
)

const circle = "M50 0C50 28 28 50 0 50C-28 50-50 28-50 0C-50-28-28-50 0-50C28-50 50-28 50 0Z"

// iconPaths are the icons' outlines as SVG path data (absolute M, L, H, V, C
// and Z only) in a square of 100 units around 0 0. A hole runs the other way
// round.
var iconPaths = [icons]string{
	iconHex:       "M0-57.7L50-28.9V28.9L0 57.7L-50 28.9V-28.9Z",
	iconCircle:    circle,
	iconSquare:    "M-36-44H36C40-44 44-40 44-36V36C44 40 40 44 36 44H-36C-40 44-44 40-44 36V-36C-44-40-40-44-36-44Z",
	iconTriangle:  "M5-50L57 40C59 44 57 46 53 46H-53C-57 46-59 44-57 40L-5-50C-3-54 3-54 5-50Z",
	iconPlanet:    "M36 0C36 4 35 9 34 12L62-4C70-10 66-18 56-15L33-14C28-27 15-36 0-36C-20-36-36-20-36 0C-36 3-36 6-35 9L-62 24C-72 31-66 38-56 35L-27 24C-20 32-11 36 0 36C20 36 36 20 36 0Z",
	iconStation:   "M-12-50H12V-32H32V-12H50V12H32V32H12V50H-12V32H-32V12H-50V-12H-32V-32H-12ZM-14-14V14H14V-14Z",
	iconFleet:     "M0-52L24-6H-24ZM-30 2L-6 48H-54ZM30 2L54 48H6Z",
	iconRocks:     "M-44-10L-30-32L-6-30L0-10L-14 6L-36 6ZM8-24L28-38L46-22L40-2L16-4ZM-14 18L8 8L26 18L22 38L-4 42ZM34 14L46 12L48 26L36 28ZM-40 20L-28 18L-26 32L-38 34Z",
	iconComet:     "M44 22C44 38 34 46 20 46C6 46-4 38-4 24L-48 0L-2 8L-46-36L14-2L-20-50L38 8C42 12 44 16 44 22Z",
	iconAngel:     "M0-57L17-47L49-28L49-5L36-16L27-19L-27-19L-36-16L-49-5L-49-28L-17-47Z",
	iconShip:      "M54 0L24 36H-50L-38 0L-50-36H24Z",
	iconRobot:     "M-38-26H-8V-44H8V-26H38C42-26 46-22 46-18V42C46 46 42 48 38 48H-38C-42 48-46 46-46 42V-18C-46-22-42-26-38-26Z",
	iconDisc:      circle,
	iconDart:      "M54 0L-46 42L-26 0L-46-42Z",
	iconHead:      "M-38-26H-8V-46H8V-26H38C42-26 46-22 46-18V38C46 42 42 46 38 46H-38C-42 46-46 42-46 38V-18C-46-22-42-26-38-26ZM-28-6V14H-8V-6ZM8-6V14H28V-6ZM-24 24V34H24V24Z",
	iconGem:       "M-28-40H28L50-10L0 48L-50-10ZM-24-30L-36-12H-18ZM24-30L18-12H36ZM0-28L-8-12H8ZM-14-2L0 28L14-2Z",
	iconCube:      "M0-52L46-26V26L0 52L-46 26V-26ZM-36-20V20L-5 38V-2ZM36-20L5-2V38L36 20Z",
	iconCross:     "M-46-28L-28-46L0-18L28-46L46-28L18 0L46 28L28 46L0 18L-28 46L-46 28L-18 0Z",
	iconStar:      "M0-52L13-18L50-16L21 7L31 43L0 22L-31 43L-21 7L-50-16L-13-18Z",
	iconRavager:   "M-48-50L-18-32H18L48-50L40 4L24 22L18 48L8 30H-8L-18 48L-24 22L-40 4ZM-30-14L-24 4L-8 8ZM30-14L8 8L24 4Z",
	iconCard:      "M-28-50H28C33-50 36-47 36-42V42C36 47 33 50 28 50H-28C-33 50-36 47-36 42V-42C-36-47-33-50-28-50Z",
	iconCards:     "M-40-38H6C10-38 14-34 14-30V40C14 44 10 48 6 48H-40C-44 48-48 44-48 40V-30C-48-34-44-38-40-38ZM-16-50H38C42-50 46-46 46-42V30C46 34 42 38 38 38H24V-36C24-44 20-46 14-46H-20C-20-48-18-50-16-50Z",
	iconUpDown:    "M0-52L34-16H11V16H34L0 52L-34 16H-11V-16H-34Z",
	iconLeftRight: "M52 0L16 34V11H-16V34L-52 0L-16-34V-11H16V-34Z",
	iconRight:     "M50 0L8 40V14H-48V-14H8V-40Z",
	iconPlus:      "M-12-46H12V-12H46V12H12V46H-12V12H-46V-12H-12Z",
	iconLock:      "M-40-8H-30V-24C-30-42-18-52 0-52C18-52 30-42 30-24V-8H40V48H-40ZM-14-8H14V-24C14-32 9-37 0-37C-9-37-14-32-14-24Z",
	iconTuck:      "M-28-50H28V-2H46L0 50L-46-2H-28Z",
	iconEject:     "M0-50L48 8H-48ZM-48 22H48V46H-48Z",
	iconTile:      "M-40-40H40C44-40 48-36 48-32V32C48 36 44 40 40 40H-40C-44 40-48 36-48 32V-32C-48-36-44-40-40-40ZM-34-26V26H34V-26Z",
	iconBolt:      "M14-54L-36 8H-6L-18 54L36-14H4Z",
	iconVP:        "M-48-44H-16L0 10L16-44H48L14 46H-14Z",
}

// outline calls move, straight, curve and end for every part of an icon's
// path. It trusts the table above, which a test reads through.
func outline(d string, move, straight func(x, y float32), curve func(a, b, c, d, e, f float32), end func()) {
	var cmd byte
	var x, y float32
	i := 0
	number := func() float32 {
		for i < len(d) && d[i] == ' ' {
			i++
		}
		sign, scale := float32(1), float32(0)
		if i < len(d) && d[i] == '-' {
			sign, i = -1, i+1
		}
		var v float32
		for ; i < len(d); i++ {
			if d[i] == '.' {
				scale = 1
				continue
			}
			if d[i] < '0' || d[i] > '9' {
				break
			}
			v = v*10 + float32(d[i]-'0')
			scale *= 10
		}
		if scale > 1 {
			v /= scale
		}
		return sign * v
	}
	for i < len(d) {
		if d[i] >= 'A' {
			cmd = d[i]
			i++
			if cmd == 'Z' {
				end()
				continue
			}
		}
		switch cmd {
		case 'M':
			x, y = number(), number()
			move(x, y)
		case 'L':
			x, y = number(), number()
			straight(x, y)
		case 'H':
			x = number()
			straight(x, y)
		case 'V':
			y = number()
			straight(x, y)
		case 'C':
			a, b, e, f := number(), number(), number(), number()
			x, y = number(), number()
			curve(a, b, e, f, x, y)
		default:
			panic("draw: unknown path command in an icon")
		}
	}
}
