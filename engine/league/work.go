package league

// Work is what the search for schedules may cost, so that its time is bounded and
// what is found is the same on every machine, however fast. A unit is about as much
// as it takes to look at one seat of one table; 100 million are less than half a second
// of a processor of 2020.
const (
	tableWork = 100_000_000   // for the schedule of one size of division
	maxWork   = 4 * tableWork // for all sizes of a season: the desk does nothing else meanwhile
)

// sizeWork is what the schedule of one of so many sizes may cost.
func sizeWork(sizes int) int { return min(tableWork, maxWork/max(sizes, 1)) }

// A purse is what is left of some work.
type purse struct{ left int }

// spend takes something out of a purse and reports whether that was there.
func (p *purse) spend(n int) bool {
	p.left -= n
	return p.left >= 0
}

// part lets something be done for no more than some of what is left.
func (p *purse) part(most int, do func(*purse)) {
	most = max(0, min(most, p.left))
	q := purse{most}
	do(&q)
	p.left -= most - q.left
}
