package draw

import "strconv"

// A RatingPoint is a player's rating after a game: Mean ± Margin.
type RatingPoint struct{ Mean, Margin float64 }

// Top and height of the plot of a rating.
const (
	ratingTop    = 10
	ratingHeight = 150
)

// AppendRating plots how a rating came about, game by game: the mean as a line
// with a dot for each game, the margin as an area around it. first is the number
// of the first game.
func AppendRating(b []byte, label string, points []RatingPoint, first int) []byte {
	n := len(points)
	if n == 0 {
		return b
	}
	c := &chart{b}
	c.begin(label, ratingTop+ratingHeight+24)
	low, high := points[0].Mean, points[0].Mean
	for _, p := range points {
		low, high = min(low, p.Mean-p.Margin), max(high, p.Mean+p.Margin)
	}
	s := scaleOf(low, high)
	y := func(v float64) float64 { return ratingTop + ratingHeight - (v-s.low)/(s.high-s.low)*ratingHeight }
	x := func(i int) float64 {
		if n == 1 {
			return (courseLeft + courseRight) / 2
		}
		return courseLeft + 10 + float64(i)/float64(n-1)*(courseRight-courseLeft-20)
	}
	for i := 0; ; i++ {
		v := s.low + float64(i)*s.step
		if v > s.high+s.step/2 {
			break
		}
		c.line("grid", courseLeft, y(v), courseRight, y(v))
		c.text("label", courseLeft-6, y(v)+4, figure(v))
	}
	every := 1 + (n-1)/12
	for i := 0; i < n; i += every {
		c.text("tick", x(i), ratingTop+ratingHeight+17, strconv.Itoa(first+i))
	}
	if n > 1 {
		c.s(`<path class="bar" d="`)
		for i, p := range points {
			c.s([2]string{"L", "M"}[b2i(i == 0)]).n(x(i)).s(" ").n(y(p.Mean + p.Margin))
		}
		for i := n - 1; i >= 0; i-- {
			c.s("L").n(x(i)).s(" ").n(y(points[i].Mean - points[i].Margin))
		}
		c.s(`z"/><path class="line" d="`)
		for i, p := range points {
			c.s([2]string{"L", "M"}[b2i(i == 0)]).n(x(i)).s(" ").n(y(p.Mean))
		}
		c.s(`"/>`)
	} else {
		c.line("whisker", x(0), y(points[0].Mean-points[0].Margin), x(0), y(points[0].Mean+points[0].Margin))
	}
	for i, p := range points {
		c.s(`<circle class="median" cx="`).n(x(i)).s(`" cy="`).n(y(p.Mean)).s(`" r="2.5"/>`)
	}
	return c.end()
}
