package draw

import (
	"strconv"

	"angelpost/engine"
)

// A Course is how VP grew, milestone by milestone.
type Course struct {
	Label   string
	Sources []string
	Rounds  []int // by milestone, never falling
	Rows    []CourseRow
}

// A CourseRow is what a player had by milestone and source.
type CourseRow struct {
	Name string
	Seat engine.Seat
	By   [][]int
}

func (r *CourseRow) total(i int) (sum int) {
	for _, n := range r.By[i] {
		sum += n
	}
	return sum
}

// Where a course's plots lie.
const (
	courseLeft   = 40
	courseRight  = 545
	courseTotals = 190 // height of the plot of all players
	courseParts  = 130 // and of one player's
)

// AppendCourse plots VP over time: all players' totals as lines, each with its
// name and its own dashes, and below each player's sum by source, losses under
// the line of 0. Next to each plot its areas are named, in their colours.
func AppendCourse(b []byte, x Course) []byte {
	n := len(x.Rounds)
	if n == 0 || len(x.Rows) == 0 {
		return b
	}
	c := &chart{b}
	c.begin(x.Label, courseTotals+44+len(x.Rows)*(courseParts+36))
	at := func(i int) float64 { return courseLeft + float64(i)/float64(max(n-1, 1))*(courseRight-courseLeft) }
	c.totals(x, at)
	y := float64(courseTotals + 44)
	for i := range x.Rows {
		c.parts(x, &x.Rows[i], y, at)
		y += courseParts + 36
	}
	return c.end()
}

// plot draws the ground of a plot between low and high and gives the height of
// a value in it.
func (c *chart) plot(x Course, top, height float64, low, high int, at func(int) float64) func(v int) float64 {
	s := scaleOf(float64(low), float64(max(high, low+1)))
	y := func(v float64) float64 { return top + height - (v-s.low)/(s.high-s.low)*height }
	for v := s.low; v <= s.high+s.step/2; v += s.step {
		class := "grid"
		if v == 0 {
			class = "base"
		}
		c.line(class, courseLeft, y(v), courseRight, y(v))
		c.text("label", courseLeft-6, y(v)+4, figure(v))
	}
	last := x.Rounds[len(x.Rounds)-1]
	every := 1 + last/24
	for i := 1; i < len(x.Rounds); i++ {
		if r := x.Rounds[i]; r != x.Rounds[i-1] && (r-1)%every == 0 {
			c.line("grid", at(i-1), top, at(i-1), top+height)
			c.text("tick", at(i-1)+6, top+height+14, strconv.Itoa(r))
		}
	}
	return func(v int) float64 { return y(float64(v)) }
}

// totals draws a line for each player; names stand at the lines' ends, apart
// from each other.
func (c *chart) totals(x Course, at func(int) float64) {
	n := len(x.Rounds)
	low, high := 0, 0
	for i := range x.Rows {
		for k := range n {
			v := x.Rows[i].total(k)
			low, high = min(low, v), max(high, v)
		}
	}
	y := c.plot(x, 14, courseTotals-14, low, high, at)
	taken := make([]float64, 0, len(x.Rows))
	for i := range x.Rows {
		r := &x.Rows[i]
		c.s(`<path class="line l`).n(float64(r.Seat)).s(`" d="`)
		for k := range n {
			c.s([2]string{"L", "M"}[b2i(k == 0)]).n(at(k)).s(" ").n(y(r.total(k)))
		}
		c.s(`"><title>`)
		c.b = escape(c.b, r.Name)
		c.s(`</title></path>`)
		end := y(r.total(n - 1))
		ly := end
		for again := true; again; { // down until there is room
			again = false
			for _, t := range taken {
				if ly > t-16 && ly < t+16 {
					ly, again = t+16, true
				}
			}
		}
		taken = append(taken, ly)
		c.line("grid", courseRight, end, courseRight+8, ly)
		c.text("legend", courseRight+10, ly+4, strconv.Itoa(r.total(n-1))+" "+string(clean(nil, r.Name, 14)))
	}
}

// parts draws a player's VP by source.
func (c *chart) parts(x Course, r *CourseRow, top float64, at func(int) float64) {
	n := len(x.Rounds)
	low, high := 0, 0
	for k := range n {
		up, down := 0, 0
		for _, v := range r.By[k] {
			up, down = up+max(v, 0), down+min(v, 0)
		}
		low, high = min(low, down), max(high, up)
	}
	c.text("legend", courseLeft, top-4, string(clean(nil, r.Name, 40)))
	y := c.plot(x, top+4, courseParts-4, low, high, at)
	up, down, named := make([]int, n), make([]int, n), 0
	for s := range x.Sources {
		if !r.gave(s) {
			continue
		}
		from := append([]int(nil), up...)
		sum := up
		if r.By[n-1][s] < 0 {
			from, sum = append([]int(nil), down...), down
		}
		c.s(`<path class="s`).n(float64(s % 9)).s(`" d="`)
		for k := range n {
			sum[k] += r.By[k][s]
			c.s([2]string{"L", "M"}[b2i(k == 0)]).n(at(k)).s(" ").n(y(sum[k]))
		}
		for k := n - 1; k >= 0; k-- {
			c.s("L").n(at(k)).s(" ").n(y(from[k]))
		}
		c.s(`z"><title>`)
		c.b = escape(c.b, x.Sources[s]+": "+strconv.Itoa(r.By[n-1][s]))
		c.s(`</title></path>`)
		ly := top + 14 + float64(named)*16
		c.box("s"+strconv.Itoa(s%9), courseRight+10, ly-9, 10, 10, "")
		c.text("legend", courseRight+25, ly, figure(float64(r.By[n-1][s]))+" "+string(clean(nil, x.Sources[s], 20)))
		named++
	}
}

// gave reports whether a source gave the player anything, or took it.
func (r *CourseRow) gave(s int) bool {
	for _, by := range r.By {
		if by[s] != 0 {
			return true
		}
	}
	return false
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
