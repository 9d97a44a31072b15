package sim

import (
	"maps"
	"math"
	"slices"
)

// A dist counts how often each whole number occurred.
type dist map[int]int

// A Spread is what a distribution of whole numbers looks like. Quantiles are by
// nearest rank; mean and standard deviation (of a sample) are rounded to
// hundredths.
type Spread struct {
	N         int       `json:"n"`
	Mean      float64   `json:"mean"`
	SD        float64   `json:"sd"`
	Min       int       `json:"min"`
	P5        int       `json:"p5"`
	P25       int       `json:"p25"`
	Median    int       `json:"median"`
	P75       int       `json:"p75"`
	P95       int       `json:"p95"`
	Max       int       `json:"max"`
	Histogram Histogram `json:"histogram"`
}

// A Histogram counts values in bins of one width: bin i holds the values from
// From+i*Width up to, not including, From+(i+1)*Width. There are at most 50.
type Histogram struct {
	From   int   `json:"from"`
	Width  int   `json:"width"`
	Counts []int `json:"counts"`
}

const maxBins = 50

func (d dist) spread() Spread {
	values := slices.Sorted(maps.Keys(d))
	s := Spread{Histogram: d.histogram(values)}
	if len(values) == 0 {
		return s
	}
	sum, squares := 0, 0
	for _, v := range values {
		s.N += d[v]
		sum += v * d[v]
		squares += v * v * d[v]
	}
	s.Min, s.Max = values[0], values[len(values)-1]
	n := float64(s.N)
	s.Mean = hundredths(float64(sum) / n)
	if s.N > 1 {
		s.SD = hundredths(math.Sqrt(float64(s.N*squares-sum*sum) / (n * (n - 1))))
	}
	quantile := func(percent int) int {
		rank := (s.N*percent + 99) / 100
		for _, v := range values {
			if rank -= d[v]; rank <= 0 {
				return v
			}
		}
		return s.Max
	}
	s.P5, s.P25, s.Median, s.P75, s.P95 = quantile(5), quantile(25), quantile(50), quantile(75), quantile(95)
	return s
}

func (d dist) histogram(values []int) Histogram {
	h := Histogram{Width: 1, Counts: []int{}}
	if len(values) == 0 {
		return h
	}
	low, high := values[0], values[len(values)-1]
	bins := func() int { return floor(high, h.Width) - floor(low, h.Width) + 1 }
	for i := 0; bins() > maxBins; i++ { // 1, 2, 5, 10, 20, 50, …
		h.Width = h.Width * []int{4, 5, 4}[i%3] / 2
	}
	h.From = floor(low, h.Width) * h.Width
	h.Counts = make([]int, bins())
	for _, v := range values {
		h.Counts[(v-h.From)/h.Width] += d[v]
	}
	return h
}

// floor is a/b rounded down, b above 0.
func floor(a, b int) int {
	if a < 0 {
		return -((-a + b - 1) / b)
	}
	return a / b
}

func hundredths(x float64) float64 { return math.Round(x*100) / 100 }

// A Rate is a part of all games with its 95 % interval (Wilson), all three
// rounded to a hundredth of a percent.
type Rate struct {
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// RateOf is part of n; a part of a game counts as that part of a success.
func RateOf(part float64, n int) Rate {
	if n == 0 {
		return Rate{0, 0, 1}
	}
	const z = 1.959964
	N, p := float64(n), part/float64(n)
	mid := (p + z*z/(2*N)) / (1 + z*z/N)
	half := z / (1 + z*z/N) * math.Sqrt(p*(1-p)/N+z*z/(4*N*N))
	round := func(x float64) float64 { return math.Round(min(max(x, 0), 1)*1e4) / 1e4 }
	return Rate{round(p), round(mid - half), round(mid + half)}
}
