package league

import "math/big"

// A Rational is an exact number. The zero Rational is 0. It is never changed.
type Rational struct{ of *big.Rat }

// Ratio is a/b. b is not 0.
func Ratio(a, b int) Rational { return Rational{big.NewRat(int64(a), int64(b))} }

// Whole is the number a.
func Whole(a int) Rational { return Ratio(a, 1) }

func (a Rational) rat() *big.Rat {
	if a.of == nil {
		return new(big.Rat)
	}
	return a.of
}

// Plus is a + b.
func (a Rational) Plus(b Rational) Rational { return Rational{new(big.Rat).Add(a.rat(), b.rat())} }

// Times is a · b.
func (a Rational) Times(b Rational) Rational { return Rational{new(big.Rat).Mul(a.rat(), b.rat())} }

// Cmp is -1, 0 or 1 as a is less than, equal to or greater than b.
func (a Rational) Cmp(b Rational) int { return a.rat().Cmp(b.rat()) }

// Sign is -1, 0 or 1 as a is less than, equal to or greater than 0.
func (a Rational) Sign() int { return a.rat().Sign() }

// String is a as a fraction in lowest terms: "3", "7/2".
func (a Rational) String() string { return a.rat().RatString() }

// Decimal is a with at most places digits behind the point, rounded, without
// noughts at the end: "3.5". It is for people and decides nothing.
func (a Rational) Decimal(places int) string {
	s := a.rat().FloatString(places)
	for places > 0 && s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	if s == "-0" {
		return "0"
	}
	return s
}

// Exact reports whether Decimal shows a itself, not rounded.
func (a Rational) Exact(places int) bool {
	shown, ok := new(big.Rat).SetString(a.Decimal(places))
	return ok && shown.Cmp(a.rat()) == 0
}

// MarshalText writes a as String does.
func (a Rational) MarshalText() ([]byte, error) { return []byte(a.String()), nil }
