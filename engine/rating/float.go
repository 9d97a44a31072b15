package rating

import (
	"math"
	"slices"
)

// Go may fuse x*y+z into one rounding, and on some machines does; an explicit conversion to
// float64 forbids it. Because math.Exp has its own assembly on some machines, exp replaces
// it.

// sum adds from the least on, so that it is the same in whatever order they come.
// It sorts its argument.
func sum(of []float64) (s float64) {
	slices.Sort(of)
	for _, x := range of {
		s += x
	}
	return s
}

// The natural logarithm of 2 in two pieces: of the first the last bits are 0, so
// that it times a small whole number is exact.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// exp is e to the x, to the last bit or two: 2^k times the Taylor series of what
// remains, which is at most ln(2)/2.
func exp(x float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x > 709:
		return math.Inf(1)
	case x < -708:
		return 0
	}
	k := math.Floor(float64(x/math.Ln2) + 0.5)
	r := (x - float64(k*ln2High)) - float64(k*ln2Low)
	s := 1.0
	for n := 18.0; n >= 1; n-- {
		s = 1 + float64(r*s)/n
	}
	return math.Ldexp(s, int(k))
}
