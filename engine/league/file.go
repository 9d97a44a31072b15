package league

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"angelpost/engine"
)

//go:embed sample.txt
var sample string

// Sample returns a file to start from, with a comment on everything. ParseRules accepts it
// unchanged.
func Sample() string { return sample }

// Codes of a FileError.
const (
	NoKey    = "key"    // there is no such Key; it could be one of Can
	BadValue = "value"  // the value is not valid for Key; one of Can would do, or something like it
	Twice    = "twice"  // the file has Key twice
	Missing  = "needed" // Key is needed
	Unfit    = "kind"   // Key has no meaning in a league of this kind, only in those of Can
	NotBoth  = "both"   // Key and one of Can are there
	TooLong  = "long"   // the file is longer than Can[0] bytes
	AsSample = "sample" // Key and the director are still the sample's
)

// A FileError is what is wrong with a line of a file.
type FileError struct {
	Line  int // from 1; 0: no line, but all of it
	Code  string
	Key   string
	Value string
	Can   []string // what would do: values, or examples of them
}

func (e FileError) Error() string {
	at := ""
	if e.Line > 0 {
		at = fmt.Sprintf("line %d: ", e.Line)
	}
	can := strings.Join(e.Can, ", ")
	switch e.Code {
	case NoKey:
		return fmt.Sprintf("%sthere is no %q; there are: %s", at, e.Key, can)
	case BadValue:
		return fmt.Sprintf("%s%s: %q cannot be; what can: %s", at, e.Key, e.Value, can)
	case Twice:
		return fmt.Sprintf("%s%s is there twice", at, e.Key)
	case Missing:
		return fmt.Sprintf("%s%s is needed, like: %s", at, e.Key, can)
	case Unfit:
		return fmt.Sprintf("%s%s is for leagues of these kinds: %s", at, e.Key, can)
	case NotBoth:
		return fmt.Sprintf("%s%s and %s exclude each other", at, e.Key, can)
	case AsSample:
		return fmt.Sprintf("%s%s and director are the sample's yet", at, e.Key)
	}
	return fmt.Sprintf("%sthe file is longer than %s bytes", at, can)
}

// FileErrors are all the errors in a file, in the order of its lines.
type FileErrors []FileError

func (e FileErrors) Error() string {
	lines := make([]string, len(e))
	for i, x := range e {
		lines[i] = x.Error()
	}
	return strings.Join(lines, "\n")
}

// maxErrors bounds the errors reported for one file.
const maxErrors = 20

// A key is one of the file's keys.
type key struct {
	name  string
	kinds []Kind   // it is for; nil: all
	can   []string // values, or examples
	// set takes a value. n is the number between key and colon ("clock 2"), 0 if there is
	// none. It reports whether the value is valid.
	set func(r *Rules, n int, value string) bool
	// get returns the value as String writes it, "" for none; there may be several.
	get      func(r *Rules) []string
	numbered bool // may have a number
	often    bool // may be there several times
}

var (
	paired = []Kind{Divisions, Swiss, Knockout, Ladder}
	timed  = []Kind{Swiss, Ladder, Solo}
)

// keys are all keys, in the order String writes them.
var keys = []key{
	words("name", MaxName, func(r *Rules) *string { return &r.Name }),
	words("about", 500, func(r *Rules) *string { return &r.About }),
	{name: "director", can: []string{"ann@example.org"},
		set: func(r *Rules, _ int, v string) bool {
			if !address(v) || len(r.Directors) > 0 && r.Directors[0] != "" {
				return false
			}
			if len(r.Directors) == 0 {
				r.Directors = []string{""}
			}
			r.Directors[0] = strings.ToLower(v)
			return true
		},
		get: func(r *Rules) []string { return r.Directors[:min(1, len(r.Directors))] }},
	{name: "assistant", can: []string{"bob@example.org"}, often: true,
		set: func(r *Rules, _ int, v string) bool {
			if len(r.Directors) == 0 {
				r.Directors = []string{""}
			}
			return addresses(&r.Directors, v, 10)
		},
		get: func(r *Rules) []string { return r.Directors[min(1, len(r.Directors)):] }},
	days("take over", nil, 0, 60, func(r *Rules) *time.Duration { return &r.TakeOver }),
	pick("visibility", nil, func(r *Rules) *string { return &r.Visibility }, "listed", "unlisted", "private"),
	pick("kind", nil, func(r *Rules) *Kind { return &r.Kind }, Divisions, Swiss, Knockout, Ladder, Solo),
	count("table", paired, 2, MaxTable, func(r *Rules) *int { return &r.Table }),
	{name: "division", kinds: []Kind{Divisions}, can: []string{fmt.Sprintf("2 to %d", MaxSize), "6, 7, 8"},
		set: func(r *Rules, _ int, v string) (ok bool) {
			r.Sizes, ok = numbers(v, 2, MaxSize, 20)
			return ok
		},
		get: func(r *Rules) []string { return []string{list(r.Sizes)} }},
	count("meetings", []Kind{Divisions}, 1, MaxGames, func(r *Rules) *int { return &r.Meetings }),
	count("games", []Kind{Divisions}, 1, MaxGames, func(r *Rules) *int { return &r.Games }),
	count("rounds", timed, 1, MaxRounds, func(r *Rules) *int { return &r.Rounds }),
	{name: "best of", kinds: []Kind{Knockout}, can: []string{"1", "3", "5"},
		set: func(r *Rules, _ int, v string) bool { return number(&r.BestOf, v, 1, 15) && r.BestOf%2 == 1 },
		get: func(r *Rules) []string { return []string{strconv.Itoa(r.BestOf)} }},
	count("go on", []Kind{Knockout}, 1, MaxTable-1, func(r *Rules) *int { return &r.Advance }),
	pick("left over", []Kind{Swiss}, func(r *Rules) *string { return &r.Leftover }, "smaller", "bye"),
	count("at once", nil, 1, MaxGames, func(r *Rules) *int { return &r.AtOnce }),
	{name: "start", can: []string{"2027-01-10", "when full"},
		set: func(r *Rules, _ int, v string) bool {
			if strings.EqualFold(v, "when full") {
				return true
			}
			t, err := time.Parse(time.DateOnly, v)
			r.Start = t
			return err == nil && t.Year() >= 2000 && t.Year() < 2200
		},
		get: func(r *Rules) []string {
			if r.Start.IsZero() {
				return []string{"when full"}
			}
			return []string{r.Start.Format(time.DateOnly)}
		}},
	days("season", []Kind{Divisions, Swiss, Knockout}, 7, 730, func(r *Rules) *time.Duration { return &r.Season }),
	days("round", timed, 0, 366, func(r *Rules) *time.Duration { return &r.Round }),
	days("break", nil, 0, 366, func(r *Rules) *time.Duration { return &r.Break }),
	yesNo("early", func(r *Rules) *bool { return &r.Early }),
	days("check in", nil, 0, 60, func(r *Rules) *time.Duration { return &r.CheckIn }),
	days("close", nil, 0, 60, func(r *Rules) *time.Duration { return &r.Close }),
	{name: "seasons", can: []string{"1", "4", "without end"},
		set: func(r *Rules, _ int, v string) bool {
			if strings.EqualFold(v, "without end") {
				r.Seasons = 0
				return true
			}
			return number(&r.Seasons, v, 1, 1000)
		},
		get: func(r *Rules) []string {
			if r.Seasons == 0 {
				return []string{"without end"}
			}
			return []string{strconv.Itoa(r.Seasons)}
		}},
	count("least", nil, 1, MaxPlayers, func(r *Rules) *int { return &r.Least }),
	{name: "most", can: []string{"24", "no limit"},
		set: func(r *Rules, _ int, v string) bool {
			if strings.EqualFold(v, "no limit") {
				r.Most = 0
				return true
			}
			return number(&r.Most, v, 2, MaxPlayers)
		},
		get: func(r *Rules) []string {
			if r.Most == 0 {
				return nil
			}
			return []string{strconv.Itoa(r.Most)}
		}},
	pick("place", nil, func(r *Rules) *string { return &r.Placement }, "joined", "lot"),
	count("up", []Kind{Divisions}, 0, MaxDivision, func(r *Rules) *int { return &r.Up }),
	count("down", []Kind{Divisions}, 0, MaxDivision, func(r *Rules) *int { return &r.Down }),
	{name: "points", can: []string{"6, 3, 1, 0", "points 3: 5, 2, 0"}, numbered: true, set: setPoints, get: getPoints},
	{name: "ties", can: tieWords(), set: setTies, get: func(r *Rules) []string {
		var t []string
		for _, x := range r.Ties {
			t = append(t, string(x))
		}
		return []string{strings.Join(t, ", ")}
	}},
	yesNo("absences", func(r *Rules) *bool { return &r.Absences }),
	yesNo("substitutes", func(r *Rules) *bool { return &r.Substitutes }),
	count("missed", nil, 1, 20, func(r *Rules) *int { return &r.Missed }),
	pick("join", nil, func(r *Rules) *string { return &r.Join }, "anyone", "known", "list"),
	{name: "admit", can: []string{"ann@example.org", "ann@example.org, bob@example.org"}, often: true,
		set: func(r *Rules, _ int, v string) bool { return addresses(&r.Admitted, v, MaxPlayers) },
		get: func(r *Rules) []string { return r.Admitted }},
	option("rules", "base", "advanced"),
	option("edition", "revised", "first"),
	hal(),
	option("set"),
	option("hints", "yes", "no"),
	{name: "clock", can: []string{"3 days", "2d bank 5d", "none", "clock 2: 4 days"}, numbered: true,
		set: setClock, get: getClock},
}

// MaxName bounds a league's name, in bytes.
const MaxName = 60

// ParseRules reads a file. Errors in the file are FileErrors.
func ParseRules(text string) (*Rules, error) {
	r, _, bad := parse(text)
	if len(bad) > 0 {
		return nil, bad
	}
	return r, nil
}

// parse reads a file as far as possible. r is nil if that is not enough to check how its
// lines fit together. seen has its keys as written, with their lines.
func parse(text string) (r *Rules, seen map[string]int, bad FileErrors) {
	if len(text) > MaxFile {
		return nil, nil, FileErrors{{Code: TooLong, Can: []string{strconv.Itoa(MaxFile)}}}
	}
	r, seen = &Rules{}, map[string]int{}
	for i, line := range strings.Split(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line = uncommented(line)
		if line == "" {
			continue
		}
		name, value, colon := strings.Cut(line, ":")
		name, value = plain(name), strings.TrimSpace(value)
		k, n := keyOf(name)
		switch {
		case !colon || k == nil:
			bad = append(bad, FileError{Line: i + 1, Code: NoKey, Key: clip(name), Can: nearest(name)})
		case seen[name] > 0 && !k.often:
			bad = append(bad, FileError{Line: i + 1, Code: Twice, Key: name})
		case value == "" || !utf8.ValidString(value) || strings.Contains(" "+plain(value), " #") || !k.set(r, n, value):
			bad = append(bad, FileError{Line: i + 1, Code: BadValue, Key: name, Value: clip(value), Can: k.can})
		}
		if k != nil && seen[name] == 0 {
			seen[name] = i + 1
		}
		if len(bad) == maxErrors {
			return nil, seen, bad
		}
	}
	bad = append(bad, r.complete(seen)...)
	sortErrors(bad)
	return r, seen, bad
}

func sortErrors(bad FileErrors) {
	slices.SortStableFunc(bad, func(a, b FileError) int { return a.Line - b.Line })
}

// String returns the file of r with all values, in a fixed order and without comments.
// ParseRules reads it back as r.
func (r *Rules) String() string {
	var b strings.Builder
	for _, k := range keys {
		if k.fits(r.Kind) {
			for _, v := range k.get(r) {
				switch {
				case v == "" || v == "0" && (k.name == "games" || k.name == "meetings"):
				case k.numbered && strings.HasPrefix(v, "#"): // "#2 …" is "clock 2: …"
					n, v, _ := strings.Cut(v[1:], " ")
					fmt.Fprintf(&b, "%s %s: %s\n", k.name, n, v)
				default:
					fmt.Fprintf(&b, "%s: %s\n", k.name, v)
				}
			}
		}
	}
	return b.String()
}

func (k key) fits(kind Kind) bool { return k.kinds == nil || slices.Contains(k.kinds, kind) }

// keyOf is the key of a name, which may end in a number.
func keyOf(name string) (*key, int) {
	for i := range keys {
		k := &keys[i]
		if name == k.name {
			return k, 0
		}
		if rest, ok := strings.CutPrefix(name, k.name+" "); ok && k.numbered {
			n := 0
			if number(&n, rest, 1, 999) {
				return k, n
			}
		}
	}
	return nil, 0
}

// nearest are the keys that a name could have been meant for.
func nearest(name string) []string {
	var near, all []string
	for _, k := range keys {
		all = append(all, k.name)
		if len(name) >= 2 && (strings.HasPrefix(k.name, name[:2]) || strings.Contains(k.name, name) || strings.Contains(name, k.name)) {
			near = append(near, k.name)
		}
	}
	if near == nil {
		return all
	}
	return near
}

// uncommented returns a line without its comment and the blanks around it.
func uncommented(line string) string {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			line = line[:i]
			break
		}
	}
	return strings.TrimSpace(line)
}

// plain is a key in small letters with single blanks.
func plain(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }

func clip(s string) string {
	if len(s) <= 60 {
		return strings.ToValidUTF8(s, "?")
	}
	return strings.ToValidUTF8(s[:60], "") + "…"
}

// words is a key whose value is a text for people.
func words(name string, most int, of func(*Rules) *string) key {
	return key{name: name, can: []string{"words"},
		set: func(r *Rules, _ int, v string) bool {
			v = strings.Join(strings.Fields(v), " ")
			*of(r) = v
			return len(v) <= most && !strings.ContainsFunc(v, func(c rune) bool { return !unicode.IsPrint(c) })
		},
		get: func(r *Rules) []string { return []string{*of(r)} }}
}

func pick[T ~string](name string, kinds []Kind, of func(*Rules) *T, values ...T) key {
	can := make([]string, len(values))
	for i, v := range values {
		can[i] = string(v)
	}
	return key{name: name, kinds: kinds, can: can,
		set: func(r *Rules, _ int, v string) bool {
			i := slices.Index(can, plain(v))
			if i >= 0 {
				*of(r) = values[i]
			}
			return i >= 0
		},
		get: func(r *Rules) []string { return []string{string(*of(r))} }}
}

func yesNo(name string, of func(*Rules) *bool) key {
	return key{name: name, can: []string{"yes", "no"},
		set: func(r *Rules, _ int, v string) bool {
			*of(r) = plain(v) == "yes"
			return plain(v) == "yes" || plain(v) == "no"
		},
		get: func(r *Rules) []string {
			if *of(r) {
				return []string{"yes"}
			}
			return []string{"no"}
		}}
}

func count(name string, kinds []Kind, least, most int, of func(*Rules) *int) key {
	return key{name: name, kinds: kinds, can: []string{fmt.Sprintf("%d to %d", least, most)},
		set: func(r *Rules, _ int, v string) bool { return number(of(r), v, least, most) },
		get: func(r *Rules) []string { return []string{strconv.Itoa(*of(r))} }}
}

const day = 24 * time.Hour

// days is a key whose value is a time of whole days.
func days(name string, kinds []Kind, least, most int, of func(*Rules) *time.Duration) key {
	return key{name: name, kinds: kinds, can: []string{fmt.Sprintf("%d to %d days", least, most), "2 weeks"},
		set: func(r *Rules, _ int, v string) bool {
			v = plain(v)
			digits := strings.TrimRightFunc(v, func(c rune) bool { return c < '0' || c > '9' })
			n, in := 0, 1
			switch strings.TrimSpace(v[len(digits):]) {
			case "days", "day", "d":
			case "weeks", "week", "w":
				in = 7
			default:
				return false
			}
			if !number(&n, digits, 0, most) || n*in < least || n*in > most {
				return false
			}
			*of(r) = time.Duration(n*in) * day
			return true
		},
		get: func(r *Rules) []string {
			n := int(*of(r) / day)
			switch {
			case n == 1:
				return []string{"1 day"}
			case n == 7:
				return []string{"1 week"}
			case n > 0 && n%7 == 0:
				return []string{strconv.Itoa(n/7) + " weeks"}
			}
			return []string{strconv.Itoa(n) + " days"}
		}}
}

// option is a key that is an option of the games.
func option(name string, values ...string) key {
	return key{name: name, can: values,
		set: func(r *Rules, _ int, v string) bool {
			if v = strings.Join(strings.Fields(v), " "); values != nil {
				v = strings.ToLower(v)
			}
			if len(v) > 64 || values != nil && !slices.Contains(values, v) {
				return false
			}
			r.Options = append(r.Options, Option{name, v})
			return true
		},
		get: func(r *Rules) []string { return []string{r.Option(name)} }}
}

// hal sets Hal's level in solo leagues.
func hal() key {
	k := option("hal", "easy", "standard", engine.Difficult, "extreme")
	k.kinds = []Kind{Solo}
	k.set = func(r *Rules, _ int, v string) bool {
		level := engine.LevelNamed(strings.ToLower(v))
		if level != engine.NoHal {
			r.Options = append(r.Options, Option{k.name, level.String()})
		}
		return level != engine.NoHal
	}
	k.get = func(r *Rules) []string { return []string{engine.LevelNamed(r.Option(k.name)).Name()} }
	return k
}

func number(to *int, v string, least, most int) bool {
	if v == "" || len(v) > 6 || strings.Trim(v, "0123456789") != "" {
		return false
	}
	n, _ := strconv.Atoi(v)
	*to = n
	return n >= least && n <= most
}

// numbers reads numbers with commas or blanks between them.
func numbers(v string, least, most, many int) ([]int, bool) {
	var list []int
	for _, f := range fields(v) {
		n := 0
		if !number(&n, f, least, most) || len(list) == many {
			return nil, false
		}
		list = append(list, n)
	}
	return list, len(list) > 0
}

func fields(v string) []string {
	return strings.FieldsFunc(v, func(c rune) bool { return c == ',' || c == ';' || unicode.IsSpace(c) })
}

func list(n []int) string {
	var s []string
	for _, x := range n {
		s = append(s, strconv.Itoa(x))
	}
	return strings.Join(s, ", ")
}

// address reports whether v can be an address; the mail packages check it more closely.
func address(v string) bool {
	local, host, at := strings.Cut(v, "@")
	return at && local != "" && host != "" && len(v) <= 254 && !strings.ContainsFunc(v, func(c rune) bool {
		return unicode.IsSpace(c) || !unicode.IsPrint(c) || strings.ContainsRune("<>,;:\"()#", c)
	}) && !strings.Contains(host, "@")
}

func addresses(to *[]string, v string, most int) bool {
	all := fields(v)
	for _, a := range all {
		if a = strings.ToLower(a); !address(a) || len(*to) > most {
			return false
		}
		if !slices.Contains(*to, a) {
			*to = append(*to, a)
		}
	}
	return len(all) > 0
}

func setPoints(r *Rules, n int, v string) bool {
	p, ok := numbers(v, 0, 1000, 60)
	if !ok || n > MaxTable || !slices.IsSortedFunc(p, func(a, b int) int { return b - a }) {
		return false
	}
	if n > 1 && len(p) > n {
		return false
	}
	r.said[n] = p
	return true
}

func getPoints(r *Rules) []string {
	var s []string
	for n := MaxTable; n >= 1; n-- {
		switch {
		case r.Points[n] == nil:
		case n == r.Table:
			s = append(s, list(r.Points[n]))
		default:
			s = append(s, fmt.Sprintf("#%d %s", n, list(r.Points[n])))
		}
	}
	return s
}

func tieWords() []string {
	return []string{string(Share), string(Head), string(Berger), string(Wins), string(BotTurns), string(Lot)}
}

func setTies(r *Rules, _ int, v string) bool {
	r.Ties = nil
	for _, f := range fields(strings.ToLower(v)) {
		if !slices.Contains(tieWords(), f) || slices.Contains(r.Ties, Tie(f)) {
			return false
		}
		r.Ties = append(r.Ties, Tie(f))
	}
	return len(r.Ties) > 0
}

func setClock(r *Rules, n int, v string) bool {
	v = strings.Join(strings.Fields(v), " ")
	if len(v) > 64 || n > 40 {
		return false
	}
	if n == 0 {
		r.Options = append(r.Options, Option{"clock", v})
		return true
	}
	for len(r.Clocks) < n {
		r.Clocks = append(r.Clocks, "")
	}
	r.Clocks[n-1] = v
	return true
}

func getClock(r *Rules) []string {
	s := []string{r.Option("clock")}
	for i, c := range r.Clocks {
		if c != "" {
			s = append(s, fmt.Sprintf("#%d %s", i+1, c))
		}
	}
	return s
}
