package league

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// complete fills in what the file does not say and returns what does not fit together. seen
// has the keys in the file, with their lines.
func (r *Rules) complete(seen map[string]int) (bad FileErrors) {
	if r.Kind == "" {
		r.Kind = Divisions
	}
	for name, line := range seen { // the caller sorts them by line
		if k, _ := keyOf(name); !k.fits(r.Kind) {
			var can []string
			for _, kind := range k.kinds {
				can = append(can, string(kind))
			}
			bad = append(bad, FileError{Line: line, Code: Unfit, Key: name, Can: can})
		}
	}
	if r.Name == "" {
		bad = append(bad, FileError{Code: Missing, Key: "name", Can: []string{"name: The Long Way"}})
	}
	if len(r.Directors) > 0 && r.Directors[0] == "" {
		bad = append(bad, FileError{Code: Missing, Key: "director", Can: []string{"director: ann@example.org"}})
	}
	if r.Games > 0 && r.Meetings > 0 {
		bad = append(bad, FileError{Line: seen["games"], Code: NotBoth, Key: "games", Can: []string{"meetings"}})
	}
	if r.Join != "list" && len(r.Admitted) > 0 {
		bad = append(bad, FileError{Line: seen["admit"], Code: Missing, Key: "join", Can: []string{"join: list"}})
	}
	r.defaults(seen)
	wrong := func(name string, value string, can ...string) {
		bad = append(bad, FileError{Line: seen[name], Code: BadValue, Key: name, Value: value, Can: can})
	}
	if r.Kind == Knockout && r.Advance >= r.Table {
		wrong("go on", strconv.Itoa(r.Advance), fmt.Sprintf("1 to %d", r.Table-1))
	}
	if r.Kind == Divisions && r.Meetings*(slices.Max(r.Sizes)-1) > MaxGames*(r.Table-1) {
		wrong("meetings", strconv.Itoa(r.Meetings), fmt.Sprintf("1 to %d", max(1, MaxGames*(r.Table-1)/(slices.Max(r.Sizes)-1))))
	}
	if r.CheckIn > r.Break {
		wrong("check in", fmt.Sprintf("%d days", r.CheckIn/day), fmt.Sprintf("0 to %d days", r.Break/day))
	}
	for _, n := range r.Sizes {
		if most := MaxGames * (min(r.Table, n) - 1) / (n - 1); r.Meetings > most {
			wrong("meetings", strconv.Itoa(r.Meetings), fmt.Sprintf("1 to %d in a division of %d", most, n))
			break
		}
	}
	if (r.Kind == Ladder || r.Kind == Solo) && r.Round == 0 {
		wrong("round", "0 days", "1 week")
	}
	if r.Kind == Solo && slices.Contains(r.Ties, Berger) {
		wrong("ties", string(Berger), string(Share), string(Head), string(Wins), string(BotTurns), string(Lot))
	}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		switch k, n := keyOf(name); {
		case k.name == "clock" && n > 0 && r.Kind != Divisions:
			bad = append(bad, FileError{Line: seen[name], Code: Unfit, Key: name, Can: []string{string(Divisions)}})
		case k.name == "points" && n > MaxTable: // told already
		case k.name == "points" && n > r.Table, k.name == "points" && n == 1 && r.Kind != Solo:
			wrong(name, list(r.said[n]), "points")
		case k.name == "points" && n == 0 && r.Kind != Solo && len(r.said[0]) > r.Table:
			wrong(name, list(r.said[0]), list(r.said[0][:r.Table]))
		}
	}
	r.said = [MaxTable + 1][]int{}
	slices.SortFunc(r.Options, func(a, b Option) int { return optionOrder(a) - optionOrder(b) })
	return bad
}

func optionOrder(o Option) int {
	return slices.IndexFunc(keys, func(k key) bool { return k.name == o.Key })
}

// or sets a value to its default if the file does not have it.
func or[T comparable](to *T, value T) {
	var none T
	if *to == none {
		*to = value
	}
}

func (r *Rules) defaults(seen map[string]int) {
	said := func(key string) bool { return seen[key] > 0 }
	or(&r.Visibility, "listed")
	or(&r.Placement, "joined")
	or(&r.Join, "anyone")
	or(&r.Missed, 3)
	if !said("take over") {
		r.TakeOver = 7 * day
	}
	if !said("absences") {
		r.Absences = true
	}
	if !said("substitutes") {
		r.Substitutes = r.Kind != Solo
	}
	if !said("break") {
		r.Break = 14 * day
	}
	if !said("close") {
		r.Close = day
	}
	if r.Kind == Knockout && !said("seasons") {
		r.Seasons = 1
	}
	switch r.Kind {
	case Divisions:
		or(&r.Table, 4)
		if r.Sizes == nil {
			r.Sizes = []int{7}
		}
		if r.Games == 0 {
			or(&r.Meetings, 1)
		}
		if !said("up") {
			r.Up = 2
		}
		if !said("down") {
			r.Down = r.Up
		}
		or(&r.AtOnce, 2)
		or(&r.Season, 84*day)
	case Swiss:
		or(&r.Table, 4)
		or(&r.Rounds, 5)
		or(&r.Leftover, map[bool]string{true: "bye", false: "smaller"}[r.Table == 2])
		or(&r.Season, 180*day)
	case Knockout:
		or(&r.Table, 2)
		or(&r.BestOf, 1)
		or(&r.Advance, 1)
		or(&r.Season, 180*day)
	case Ladder:
		or(&r.Table, 2)
		or(&r.Rounds, 6)
		if !said("round") {
			r.Round = 14 * day
		}
	case Solo:
		r.Table = 1
		or(&r.Rounds, 8)
		if !said("round") {
			r.Round = 7 * day
		}
	}
	or(&r.AtOnce, 1)
	if r.Kind == Ladder || r.Kind == Solo {
		r.Season = time.Duration(r.Rounds) * r.Round
	}
	if r.Least == 0 {
		r.Least = max(r.Table, 2)
		if r.Kind == Divisions && r.Start.IsZero() {
			r.Least = max(r.Least, r.Sizes[0])
		}
	}
	for n, p := range [MaxTable + 1][]int{1: {12, 10, 8, 7, 6, 5, 4, 3, 2, 1}, 2: {3, 0}, 3: {5, 2, 0}, 4: {6, 3, 1, 0}} {
		switch {
		case n == 0 || n > r.Table || n == 1 && r.Kind != Solo:
			continue
		case r.said[n] != nil:
			p = r.said[n]
		case n == r.Table && r.said[0] != nil: // "points" alone is for full tables
			p = r.said[0]
		}
		r.Points[n] = p
	}
	if r.Ties == nil {
		if r.Ties = []Tie{Share, Head, Berger, Wins, BotTurns}; r.Kind == Solo {
			r.Ties = []Tie{Share, Wins, Head, BotTurns}
		}
	}
	if i := slices.Index(r.Ties, Lot); i >= 0 { // nothing is equal behind it
		r.Ties = r.Ties[:i]
	}
	r.Ties = append(r.Ties, Lot)
}
