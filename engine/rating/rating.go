// Package rating estimates how strong players are from their finishing orders: the
// Plackett-Luce model of Weng and Lin, "A Bayesian Approximation Method for Online
// Ranking", Journal of Machine Learning Research 12 (2011), algorithm 4, with the
// constants, the growth of uncertainty and the treatment of ties that openskill
// has. To these it adds what a seat is that several played (Seat).
//
// It is pure, and gives the same bits on every machine: no product is fused with a
// sum, and it has an exponential function of its own.
package rating

import "math"

// A Rating is an estimate of strength: the mean Mu with the standard deviation
// Sigma.
type Rating struct{ Mu, Sigma float64 }

// Low is the lower end of the interval Mu ± Margin.
func (r Rating) Low() float64 { return r.Mu - r.Margin() }

// Margin returns two standard deviations: the strength is within Mu ± Margin with a
// probability of 95 %.
func (r Rating) Margin() float64 { return float64(2 * r.Sigma) }

// A Model holds the constants.
type Model struct {
	Start Rating  // of a new player
	Beta  float64 // standard deviation of one performance of a seat
	Kappa float64 // the least factor by which one game shrinks a variance
	Tau   float64 // by which a standard deviation grows before each game, as the square root of squares
}

// Default are openskill's constants.
func Default() Model {
	return Model{Start: Rating{25, 25.0 / 3}, Beta: 25.0 / 6, Kappa: 0.0001, Tau: 25.0 / 300}
}

// A Team is what takes a place in a game. Its strength is the sum of its members'
// strengths, each weighted by Share.
type Team struct {
	Place   int // 1 is the best; equal ones share it
	Members []Member
}

// A Member of a team, as rated before the game.
type Member struct {
	Rating
	Share float64 // 1 for a sole member, and in openskill for all
}

// A pull is what a game does to a team: the derivatives of its likelihood.
type pull struct {
	mu       float64 // by the team's strength, times which and a variance a mean moves
	variance float64 // times which and a variance that variance shrinks
}

// moved returns a rating after a pull, with given shares of it for the mean and for the
// variance.
func (m Model) moved(r Rating, p pull, mean, variance float64) Rating {
	v := m.variance(r)
	shrink := float64(float64(variance*variance) * float64(v*p.variance))
	return Rating{
		Mu:    r.Mu + float64(float64(mean*v)*p.mu),
		Sigma: math.Sqrt(float64(v * math.Max(1-shrink, m.Kappa))),
	}
}

// variance is a rating's before a game.
func (m Model) variance(r Rating) float64 {
	return float64(r.Sigma*r.Sigma) + float64(m.Tau*m.Tau)
}

// pulls are those of a game. Sums run over teams in an order that does not depend
// on theirs.
func (m Model) pulls(teams []Team) []pull {
	n := len(teams)
	mu, variance := make([]float64, n), make([]float64, n)
	all := make([]float64, n)
	for i, t := range teams {
		var a, b []float64
		for _, x := range t.Members {
			a = append(a, float64(x.Share*x.Mu))
			b = append(b, float64(float64(x.Share*x.Share)*m.variance(x.Rating)))
		}
		mu[i], variance[i] = sum(a), sum(b)
		all[i] = variance[i] + float64(m.Beta*m.Beta)
	}
	c := math.Sqrt(sum(all))
	worth := make([]float64, n)
	for i := range teams {
		worth[i] = exp(mu[i] / c)
	}
	// Of each team the worth of all that came no better, and how many share its place.
	rest, same := make([]float64, n), make([]float64, n)
	for q, t := range teams {
		var w []float64
		for i, u := range teams {
			if u.Place >= t.Place {
				w = append(w, worth[i])
			}
			if u.Place == t.Place {
				same[q]++
			}
		}
		rest[q] = sum(w)
	}
	out := make([]pull, n)
	for i, t := range teams {
		var mean, shrink []float64
		for q, u := range teams {
			if u.Place > t.Place {
				continue
			}
			p := worth[i] / rest[q]
			if q == i {
				mean = append(mean, (1-p)/same[q])
			} else {
				mean = append(mean, -p/same[q])
			}
			shrink = append(shrink, float64(p*(1-p))/same[q])
		}
		gamma := math.Sqrt(variance[i]) / c
		out[i] = pull{mu: sum(mean) / c, variance: float64(sum(shrink)*gamma) / float64(c*c)}
	}
	return out
}
