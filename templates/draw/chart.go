package draw

import (
	"math"
	"strconv"
	"unicode/utf8"

	"angelpost/engine"
)

// Plots of figures. Each is an svg element, 340 units wide, for a page that has ChartCSS;
// callers provide all words. A plot fits on a phone's screen with its names and its legend:
// names are above what they name, legends below. The same figures give the same bytes.

// chart is a plot in the making.
type chart struct{ b []byte }

// Where the rows of a plot lie. Each has a line with its name and its value; below it is
// what is plotted.
const (
	chartWidth = 340
	plotLeft   = 20
	plotRight  = 318
	rowHeight  = 40
	chartTop   = 2
	inkTop     = 18 // of what is plotted, below the row's top
	legendLine = 19
)

func (c *chart) begin(label string, height int) {
	c.s(`<svg class="chart" viewBox="0 0 340 `).n(float64(height)).s(`" role="img" aria-label="`)
	c.b = escape(c.b, label)
	c.s(`">`)
}

func (c *chart) end() []byte { return append(c.b, "</svg>"...) }

func (c *chart) s(text string) *chart { c.b = append(c.b, text...); return c }

// n appends a coordinate, to a tenth.
func (c *chart) n(v float64) *chart {
	c.b = strconv.AppendFloat(c.b, math.Round(v*10)/10, 'f', -1, 64)
	return c
}

func (c *chart) text(class string, x, y float64, text string) *chart {
	c.s(` <text class="`).s(class).s(`" x="`).n(x).s(`" y="`).n(y).s(`">`)
	c.b = escape(c.b, text)
	return c.s(`</text>`)
}

// box appends a rectangle; title, which may be empty, is shown on pointing.
func (c *chart) box(class string, x, y, w, h float64, title string) *chart {
	c.s(`<rect class="`).s(class).s(`" x="`).n(x).s(`" y="`).n(y).s(`" width="`).n(max(w, 0)).s(`" height="`).n(max(h, 0))
	if title == "" {
		return c.s(`"/>`)
	}
	c.s(`"><title>`)
	c.b = escape(c.b, title)
	return c.s(`</title></rect>`)
}

func (c *chart) line(class string, x1, y1, x2, y2 float64) *chart {
	return c.s(`<line class="`).s(class).s(`" x1="`).n(x1).s(`" y1="`).n(y1).s(`" x2="`).n(x2).s(`" y2="`).n(y2).s(`"/>`)
}

// A scale maps values to the plot's width.
type scale struct{ low, high, step float64 }

// scaleOf reaches from at most low to at least high in about five round steps.
func scaleOf(low, high float64) scale {
	span := high - low
	if !(span > 0) || math.IsInf(span, 0) {
		span = 1
	}
	step := math.Pow(10, math.Floor(math.Log10(span/5)))
	for _, k := range []float64{1, 2, 5, 10} {
		if k*step*6 >= span {
			step *= k
			break
		}
	}
	s := scale{math.Floor(low/step) * step, math.Ceil(high/step) * step, step}
	if s.high <= s.low {
		s.high = s.low + step
	}
	return s
}

func (s scale) x(v float64) float64 {
	v = min(max(v, s.low), s.high)
	return plotLeft + (v-s.low)/(s.high-s.low)*(plotRight-plotLeft)
}

// axis draws the scale's lines behind the rows and its numbers below them.
func (c *chart) axis(s scale, bottom float64, unit string) {
	for i := 0; ; i++ {
		v := s.low + float64(i)*s.step
		if v > s.high+s.step/2 {
			return
		}
		class := "grid"
		if math.Abs(v) < s.step/2 {
			class = "base"
		}
		c.line(class, s.x(v), chartTop, s.x(v), bottom)
		c.text("tick", s.x(v), bottom+16, figure(v)+unit)
	}
}

// figure is a number with at most one place behind the point, or two below 1.
func figure(v float64) string {
	places := 10.0
	if math.Abs(v) < 1 {
		places = 100
	}
	v = math.Round(v*places) / places
	if v == 0 {
		return "0"
	}
	if v < 0 {
		return "−" + figure(-v)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// between is a range in figures.
func between(low, high int) string {
	if low < 0 {
		return "(" + figure(float64(low)) + " … " + figure(float64(high)) + ")"
	}
	return "(" + strconv.Itoa(low) + "–" + strconv.Itoa(high) + ")"
}

// row writes the name and the value of a row, and returns the top of what it plots.
func (c *chart) row(top float64, name, value string) float64 {
	c.text("name", 0, top+13, name)
	c.text("value", chartWidth, top+13, value)
	return top + inkTop
}

// legendColumns is the number of names in a line of a legend: two if they are short.
func legendColumns(names []string) int {
	for _, n := range names {
		if utf8.RuneCountInString(n) > 21 {
			return 1
		}
	}
	return 2
}

// legendHeight is how high the legend of names is.
func legendHeight(names []string) int {
	n := legendColumns(names)
	return (len(names) + n - 1) / n * legendLine
}

// legend names parts below a plot, each after a sample of how it is drawn.
func (c *chart) legend(top float64, names []string, sample func(k int, x, y float64)) {
	columns := legendColumns(names)
	for k, name := range names {
		x, y := float64(k%columns*chartWidth/2), top+float64(k/columns*legendLine)
		sample(k, x, y)
		c.text("legend", x+26, y+13, name)
	}
}

// colourOf draws the sample of a part's colour.
func (c *chart) colourOf(part int, x, y float64) {
	c.box("s"+strconv.Itoa(part%9), x+4, y+3, 12, 12, "")
}

// A RateRow is a share of games with its interval, from 0 to 1; Fair is what it
// should be, 0 where nothing is.
type RateRow struct {
	Label                  string
	Share, Low, High, Fair float64
}

// AppendRates plots shares with their intervals, in percent.
func AppendRates(b []byte, label string, rows []RateRow) []byte {
	high := 0.0
	for _, r := range rows {
		high = max(high, r.High, r.Fair)
	}
	s := scaleOf(0, 100*high)
	bottom := chartTop + len(rows)*rowHeight
	c := &chart{b}
	c.begin(label, bottom+24)
	c.axis(s, float64(bottom), " %")
	for i, r := range rows {
		y := c.row(float64(chartTop+i*rowHeight), r.Label, percent(r.Share)+" ("+percent(r.Low)+"–"+percent(r.High)+") %") + 9
		if r.Fair > 0 {
			c.line("fair", s.x(100*r.Fair), y-9, s.x(100*r.Fair), y+9)
		}
		c.line("whisker", s.x(100*r.Low), y, s.x(100*r.High), y)
		c.line("whisker", s.x(100*r.Low), y-5, s.x(100*r.Low), y+5)
		c.line("whisker", s.x(100*r.High), y-5, s.x(100*r.High), y+5)
		c.s(`<circle class="dot" cx="`).n(s.x(100 * r.Share)).s(`" cy="`).n(y).s(`" r="5"/>`)
	}
	return c.end()
}

func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) }

// A RangeRow is how values are spread.
type RangeRow struct {
	Label                               string
	Min, P5, P25, Median, P75, P95, Max int
	Mean                                float64
}

// AppendRanges plots spreads: a line from the 5th to the 95th percentile, a box
// from the 25th to the 75th, a bar at the median; the mean in figures.
func AppendRanges(b []byte, label string, rows []RangeRow) []byte {
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		low, high = min(low, float64(r.P5)), max(high, float64(r.P95))
	}
	s := scaleOf(min(low, 0), max(high, 0))
	if low > 0.6*high { // far from 0: leave 0 out
		s = scaleOf(low, high)
	}
	bottom := chartTop + len(rows)*rowHeight
	c := &chart{b}
	c.begin(label, bottom+24)
	c.axis(s, float64(bottom), "")
	for i, r := range rows {
		y := c.row(float64(chartTop+i*rowHeight), r.Label, figure(r.Mean)+" "+between(r.P5, r.P95)) + 9
		x := func(v int) float64 { return s.x(float64(v)) }
		c.line("whisker", x(r.P5), y, x(r.P95), y)
		c.box("box", x(r.P25)-1, y-7, x(r.P75)-x(r.P25)+2, 14, "")
		c.line("median", x(r.Median), y-9, x(r.Median), y+9)
	}
	return c.end()
}

// A StackRow is a sum of parts; negative ones lie left of 0.
type StackRow struct {
	Label string
	Parts []float64
}

// AppendStack plots sums of parts, each part with its number where there is room;
// names are the parts'. Every part has its own colour and a number in the legend.
func AppendStack(b []byte, label string, names []string, rows []StackRow, unit string) []byte {
	low, high := 0.0, 0.0
	for _, r := range rows {
		up, down := 0.0, 0.0
		for _, v := range r.Parts {
			up, down = up+max(v, 0), down+min(v, 0)
		}
		low, high = min(low, down), max(high, up)
	}
	s := scaleOf(low, high)
	bottom := chartTop + len(rows)*rowHeight
	c := &chart{b}
	c.begin(label, bottom+30+legendHeight(names))
	c.axis(s, float64(bottom), unit)
	for i, r := range rows {
		sum, value := 0.0, ""
		for _, v := range r.Parts {
			sum += v
		}
		if unit == "" {
			value = figure(sum)
		}
		y := c.row(float64(chartTop+i*rowHeight), r.Label, value)
		up, down := 0.0, 0.0
		for k, v := range r.Parts {
			from := up
			if v < 0 {
				down += v
				from = down
			} else {
				up += v
			}
			if v == 0 {
				continue
			}
			x, w := s.x(from), s.x(from+math.Abs(v))-s.x(from)
			name := ""
			if k < len(names) {
				name = names[k]
			}
			c.box("s"+strconv.Itoa(k%9), x, y, w, 18, name+": "+figure(v)+unit)
			if text := figure(v); w > float64(8*len(text)+2) {
				c.text("in", x+w/2, y+13, text)
			}
		}
	}
	c.legend(float64(bottom+26), names, c.colourOf)
	return c.end()
}

// A HistRow is a histogram: bin i holds the values from From+i*Width up.
type HistRow struct {
	Label       string
	From, Width int
	Counts      []int
	Median      int
}

const histHeight = 76

// AppendHistograms plots histograms one below the other on one scale; each is
// as high as its highest bin. A line marks the median.
func AppendHistograms(b []byte, label string, rows []HistRow) []byte {
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		low, high = min(low, float64(r.From)), max(high, float64(r.From+r.Width*len(r.Counts)))
	}
	s := scaleOf(low, high)
	bottom := chartTop + len(rows)*histHeight
	c := &chart{b}
	c.begin(label, bottom+24)
	c.axis(s, float64(bottom), "")
	for i, r := range rows {
		base, most := float64(chartTop+(i+1)*histHeight), 1
		for _, n := range r.Counts {
			most = max(most, n)
		}
		c.row(base-histHeight, r.Label, strconv.Itoa(r.Median))
		for k, n := range r.Counts {
			if n == 0 {
				continue
			}
			from := r.From + k*r.Width
			x, w := s.x(float64(from)), s.x(float64(from+r.Width))-s.x(float64(from))
			h := float64(n) / float64(most) * (histHeight - 24)
			title := strconv.Itoa(from)
			if r.Width > 1 {
				title += "–" + strconv.Itoa(from+r.Width-1)
			}
			c.box("bar", x, base-h, w-min(1, w/4), h, title+": "+strconv.Itoa(n))
		}
		c.line("base", plotLeft, base, plotRight, base)
		x := s.x(float64(r.Median) + 0.5)
		c.line("median", x, base-histHeight+inkTop, x, base)
	}
	return c.end()
}

// A UseBar is how often a thing is used; Color, if it has one, is drawn as a
// sign below it. Mark tells that it stands out.
type UseBar struct {
	Label, Title string
	Value        float64
	Color        engine.Color
	Mark         bool
}

// AppendUses plots many things side by side, in the order given, so many a line. What is not
// used has no bar.
func AppendUses(b []byte, label string, bars []UseBar) []byte {
	const (
		line, pitch   = 24, 12.6
		left, right   = 36.0, 338.0
		height, whole = 90.0, 150.0
	)
	high, used := 0.0, bars[:0:0]
	for _, u := range bars {
		if u.Value > 0 {
			high, used = max(high, u.Value), append(used, u)
		}
	}
	s := scaleOf(0, high)
	lines := max(1, (len(used)+line-1)/line)
	c := &chart{b}
	c.begin(label, int(whole)*lines)
	for n := range lines {
		bottom := whole*float64(n) + 10 + height
		for i := 0; float64(i)*s.step <= s.high+s.step/2; i++ {
			v := float64(i) * s.step
			y := bottom - v/s.high*height
			c.line("grid", left, y, right, y)
			c.text("label", left-6, y+4, figure(v))
		}
		for i, u := range used[min(n*line, len(used)):min((n+1)*line, len(used))] {
			c.use(u, left+float64(i)*pitch, bottom, u.Value/s.high*height, pitch)
		}
		c.line("base", left, bottom, right, bottom)
	}
	return c.end()
}

// use draws a thing's bar, as high as h, with its sign and its code below.
func (c *chart) use(u UseBar, x, bottom, h, pitch float64) {
	class, mid := "bar", x+pitch/2
	if u.Color <= engine.Green {
		class = "c" + strconv.Itoa(int(u.Color))
	}
	c.box(class, x+pitch*0.12, bottom-h, pitch*0.76, h, u.Title)
	name := "down"
	if u.Mark {
		name = "down mark"
		c.s(`<path class="flag" d="M`).n(mid).s(` `).n(bottom - h - 2).s(`l-4-7h8z"/>`)
	}
	switch u.Color {
	case engine.Orange:
		c.s(`<circle class="c0" cx="`).n(mid).s(`" cy="`).n(bottom + 7).s(`" r="3.6"/>`)
	case engine.Gray:
		c.box("c1", mid-3.4, bottom+3.6, 6.8, 6.8, "")
	case engine.Green:
		c.s(`<path class="c2" d="M`).n(mid).s(` `).n(bottom + 3).s(`l4 7.6h-8z"/>`)
	}
	c.s(` <text class="`).s(name).s(`" transform="translate(`).n(mid + 3.6).s(` `).n(bottom + 14).s(`)rotate(-90)">`)
	c.b = escape(c.b, u.Label)
	c.s(`</text>`)
}

// A BarRow is a thing and a number.
type BarRow struct {
	Label string
	Value float64
	Mark  bool
}

// AppendBars plots a few things in rows: each name is on its bar, and the number is at the end
// of the row.
func AppendBars(b []byte, label string, rows []BarRow, unit string) []byte {
	low, high := 0.0, 0.0
	for _, r := range rows {
		low, high = min(low, r.Value), max(high, r.Value)
	}
	s := scaleOf(low, high)
	const height, wide = 24, chartWidth - 48
	c := &chart{b}
	c.begin(label, chartTop+len(rows)*height+2)
	x := func(v float64) float64 { return (v - s.low) / (s.high - s.low) * wide }
	for i, r := range rows {
		y := float64(chartTop + i*height)
		c.box("bar", min(x(0), x(r.Value)), y+1, math.Abs(x(r.Value)-x(0)), height-4, "")
		c.text("legend", 6, y+16, r.Label)
		class := "value"
		if r.Mark {
			class = "value mark"
		}
		c.text(class, chartWidth, y+16, figure(r.Value)+unit)
	}
	return c.end()
}

// ChartCSS is the style sheet of the plots. It needs --ink, --soft, --line,
// --accent, --orange, --gray, --green, --ravager and --paper.
const ChartCSS = `.chart{display:block;width:100%;max-width:440px;height:auto;font:13px/1 Helvetica Neue,Arial,Liberation Sans,Roboto,sans-serif}
.chart text{fill:var(--ink)}
.chart .label,.chart .value{text-anchor:end}
.chart .label,.chart .tick{fill:var(--soft);font-size:12.5px}
.chart .name{font-weight:600}
.chart .value{font-variant-numeric:tabular-nums}
.chart .name,.chart .value{paint-order:stroke;stroke:var(--paper);stroke-width:3px}
.chart .tick{text-anchor:middle}
.chart .in{text-anchor:middle;fill:#10151d;font-size:12.5px}
.chart .down{text-anchor:end;font-size:12.5px;fill:var(--soft)}
.chart .mark{font-weight:700;fill:var(--ravager)}
.chart .grid{stroke:var(--line)}
.chart .base{stroke:var(--soft)}
.chart .fair{stroke:var(--soft);stroke-width:2;stroke-dasharray:4 3}
.chart .whisker{stroke:var(--accent);stroke-width:2}
.chart .median{stroke:var(--ink);stroke-width:2.5}
.chart .dot{fill:var(--accent)}
.chart .box{fill:var(--box);stroke:var(--accent);stroke-width:1.5}
.chart .bar{fill:var(--bar)}
.chart .flag{fill:var(--ravager)}
.chart .line{fill:none;stroke:var(--ink);stroke-width:2.5}
.chart .l1{stroke:#3f7fe0}.chart .l2{stroke:#e0527a;stroke-dasharray:9 4}.chart .l3{stroke:#a88400;stroke-dasharray:3 4}.chart .l4{stroke:#9a66ee;stroke-dasharray:12 4 3 4}
.chart .c0{fill:var(--orange)}.chart .c1{fill:var(--gray)}.chart .c2{fill:var(--green)}
.chart .s0{fill:#9aa6b8}.chart .s1{fill:#6f9bd1}.chart .s2{fill:#f2a154}.chart .s3{fill:#7cc4be}.chart .s4{fill:#7cc172}
.chart .s5{fill:#e8cc5e}.chart .s6{fill:#c596b8}.chart .s7{fill:#b89a86}.chart .s8{fill:#ee8384}
`

// escape appends s as XML text or attribute value. s must hold only what
// XML can carry.
func escape(b []byte, s string) []byte {
	from := 0
	for i := range len(s) {
		var e string
		switch s[i] {
		case '<':
			e = "&lt;"
		case '>':
			e = "&gt;"
		case '&':
			e = "&amp;"
		case '"':
			e = "&#34;"
		default:
			continue
		}
		b = append(append(b, s[from:i]...), e...)
		from = i + 1
	}
	return append(b, s[from:]...)
}
