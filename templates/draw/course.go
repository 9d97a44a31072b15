package draw

import (
	"strconv"

	"angelpost/engine"
)

// A Course is how VP grew, milestone by milestone.
type Course struct {
	Label   string
	Total   string // what the sum of all sources is called
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
	courseLeft  = 34
	courseRight = 334
	courseTop   = 22 // below a plot's name
	courseHigh  = 130
	courseFoot  = courseTop + courseHigh + 24 // where its legend begins
)

// AppendCourse plots VP over time: all players' totals as lines, each with dashes of its own,
// and then, for each player, the sum by source, losses under the line of 0. Below each plot
// its lines or areas are named.
func AppendCourse(b []byte, x Course) []byte {
	n := len(x.Rounds)
	if n == 0 || len(x.Rows) == 0 {
		return b
	}
	at := func(i int) float64 { return courseLeft + float64(i)/float64(max(n-1, 1))*(courseRight-courseLeft) }
	b = appendTotals(b, x, at)
	for i := range x.Rows {
		b = appendParts(b, x, &x.Rows[i], at)
	}
	return b
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
	every := 1 + last/14
	for i := 1; i < len(x.Rounds); i++ {
		if r := x.Rounds[i]; r != x.Rounds[i-1] && (r-1)%every == 0 {
			c.line("grid", at(i-1), top, at(i-1), top+height)
			c.text("tick", at(i-1)+6, top+height+14, strconv.Itoa(r))
		}
	}
	return func(v int) float64 { return y(float64(v)) }
}

// appendTotals draws a line for each player.
func appendTotals(b []byte, x Course, at func(int) float64) []byte {
	n := len(x.Rounds)
	low, high := 0, 0
	var names []string
	for i := range x.Rows {
		r := &x.Rows[i]
		for k := range n {
			v := r.total(k)
			low, high = min(low, v), max(high, v)
		}
		names = append(names, figure(float64(r.total(n-1)))+" "+string(clean(nil, r.Name, 18)))
	}
	c := &chart{b}
	c.begin(x.Label, courseFoot+legendHeight(names))
	c.text("name", 0, 13, x.Total)
	y := c.plot(x, courseTop, courseHigh, low, high, at)
	for i := range x.Rows {
		r := &x.Rows[i]
		c.s(`<path class="line l`).n(float64(r.Seat)).s(`" d="`)
		for k := range n {
			c.s([2]string{"L", "M"}[b2i(k == 0)]).n(at(k)).s(" ").n(y(r.total(k)))
		}
		c.s(`"><title>`)
		c.b = escape(c.b, r.Name)
		c.s(`</title></path>`)
	}
	c.legend(courseFoot, names, func(k int, lx, ly float64) {
		c.line("line l"+strconv.Itoa(int(x.Rows[k].Seat)), lx, ly+9, lx+22, ly+9)
	})
	return c.end()
}

// appendParts draws a player's VP by source.
func appendParts(b []byte, x Course, r *CourseRow, at func(int) float64) []byte {
	n := len(x.Rounds)
	low, high := 0, 0
	var sources []int
	var names []string
	for k := range n {
		up, down := 0, 0
		for _, v := range r.By[k] {
			up, down = up+max(v, 0), down+min(v, 0)
		}
		low, high = min(low, down), max(high, up)
	}
	for s := range x.Sources {
		if r.gave(s) {
			sources = append(sources, s)
			names = append(names, figure(float64(r.By[n-1][s]))+" "+string(clean(nil, x.Sources[s], 20)))
		}
	}
	c := &chart{b}
	c.begin(x.Label+": "+r.Name, courseFoot+legendHeight(names))
	c.text("name", 0, 13, string(clean(nil, r.Name, 40)))
	y := c.plot(x, courseTop, courseHigh, low, high, at)
	up, down := make([]int, n), make([]int, n)
	for _, s := range sources {
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
	}
	c.legend(courseFoot, names, func(k int, x, y float64) { c.colourOf(sources[k], x, y) })
	return c.end()
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
