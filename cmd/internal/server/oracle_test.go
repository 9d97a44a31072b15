package server

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// The oracle of the kills (kills_test.go). It numbers the letters it sends and
// notes beforehand what must become of each; afterwards it holds what mailboxes,
// database and Postfix's log say against that. It knows web/API.md's headers
// and the tables' columns, and none of the program's code.

// A fate is what must become of a letter to the server. Each has exactly one.
type fate string

const (
	fateApplied   fate = "applied once"
	fateUnchanged fate = "answered without change"
	fateRefused   fate = "refused with a reason"
	fateHeld      fate = "held"
	fateSilent    fate = "rightly silent"
)

var fates = []fate{fateApplied, fateUnchanged, fateRefused, fateHeld, fateSilent}

// A written letter is one that was sent to the server.
type written struct {
	id     string // Message-ID without brackets; begins with the letter's number
	what   string
	fate   fate
	from   string // address
	copies int    // how often it was handed to Postfix, at least once

	game  string // of an applied order
	seat  int
	order string

	text    string   // of an applied say, note or new game: words that occur in no other letter
	readers []string // addresses at which they must arrive

	why string // of a silent letter: what the server must have noted
}

// readings are what was found afterwards.
type readings struct {
	boxes   map[string][]delivered    // by address, oldest first
	filed   map[string]int            // letters out of the server's inbox, by Message-ID; nil if they came by LMTP
	unfiled []string                  // what still lies in it
	in      []rowIn                   // table letters
	out     []rowOut                  // table out
	log     map[string][]rowLog       // table log, by game
	words   map[string]int            // tables press and games: rows by text and name
	asked   map[string]int            // table confirms: open questions by the Message-ID of the letter held
	posted  map[string][]int          // Postfix took it, in which life of the server; by Message-ID
	handed  map[string]int            // Postfix delivered it
	deaths  []death                   // of the server; death i ended life i
	toAct   map[string][]int          // view.json, by game: seats
	players map[string]map[int]string // addresses by game and seat
}

// A delivered letter is one in a player's mailbox.
type delivered struct {
	id, inReplyTo, kind, result string
	game                        string
	seat, step                  int
	legal, forced               int    // orders listed; steps told to be done as the only possible ones
	text                        string // plain
	bytes                       string // without what the post put before it
}

type rowIn struct {
	id, state, why string
	repeats        int
}

type rowOut struct{ id, to, state string }

type rowLog struct {
	n, seat   int
	by, order string
}

// A death is one kill of the server.
type death struct {
	point  string          // fault point, or how it came from outside
	open   int             // letters that had arrived and not got their last answer
	queued map[string]bool // Message-IDs of letters out that were still to be sent
}

// A tally is the equation in figures.
type tally struct {
	letters, copies map[fate]int
	silent          map[string]int // by what was noted
	owed            int            // letters out
	delivered       int            // of them, at least once
	twice           int            // arrived again
	lost            int            // of these, because the server died between the last dot and the mark
	asked           int            // of these, because the letter they answer came again
}

// check holds r against what was sent. Each violation names the letter.
func check(sent []written, r readings) (t tally, wrong []string) {
	t = tally{letters: map[fate]int{}, copies: map[fate]int{}, silent: map[string]int{}}
	fail := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }

	in := map[string][]rowIn{}
	for _, l := range r.in {
		in[l.id] = append(in[l.id], l)
	}
	answers := map[string][]delivered{} // by the letter answered, each once
	seen := map[string]bool{}
	for _, address := range slices.Sorted(maps.Keys(r.boxes)) {
		for _, d := range r.boxes[address] {
			if key := address + " " + d.id; d.inReplyTo != "" && !seen[key] {
				seen[key] = true
				answers[d.inReplyTo] = append(answers[d.inReplyTo], d)
			}
		}
	}

	copies := map[string]int{}
	for _, w := range sent {
		name := fmt.Sprintf("letter %s (%s)", w.id, w.what)
		copies[w.id] = w.copies
		t.letters[w.fate]++
		t.copies[w.fate] += w.copies
		if n := len(r.posted[w.id]); n != w.copies || r.handed[w.id] != n {
			fail("%s: sent %d times, Postfix took %d and delivered %d", name, w.copies, n, r.handed[w.id])
		}
		if n := r.filed[w.id]; r.filed != nil && n != w.copies {
			fail("%s: sent %d times, filed away %d times", name, w.copies, n)
		}
		if len(in[w.id]) != 1 {
			fail("%s: %d rows in letters", name, len(in[w.id]))
			continue
		}
		row := in[w.id][0]
		want := map[fate]string{fateHeld: "held", fateSilent: "mute"}[w.fate]
		if want == "" {
			want = "done"
		}
		if row.state != want {
			fail("%s: should be %s, is %s (%s)", name, w.fate, row.state, row.why)
		}
		if row.repeats > min(w.copies-1, 1) {
			fail("%s: sent %d times, its answer was repeated %d times", name, w.copies, row.repeats)
		}
		result := map[fate]string{fateApplied: "applied", fateUnchanged: "none", fateRefused: "refused"}[w.fate]
		got := answers[w.id]
		switch {
		case result == "" && len(got) > 0:
			fail("%s: should be %s, was answered", name, w.fate)
		case result != "" && len(got) != 1:
			fail("%s: %d answers", name, len(got))
		case result != "" && got[0].result != result:
			fail("%s: should be %s, was answered as %s", name, w.fate, got[0].result)
		}
		switch w.fate {
		case fateHeld:
			if n := r.asked[w.id]; n != 1 {
				fail("%s: held, and its owner was asked %d times", name, n)
			}
		case fateSilent:
			t.silent[row.why]++
			if row.why != w.why {
				fail("%s: silent because of %q, want %q", name, row.why, w.why)
			}
		case fateApplied:
			if w.text == "" {
				break
			}
			if n := r.words[w.text]; n != 1 {
				fail("%s: its words are stored %d times", name, n)
			}
			for _, address := range w.readers {
				if !slices.ContainsFunc(r.boxes[address], func(d delivered) bool { return strings.Contains(d.text, w.text) }) {
					fail("%s: its words did not reach %s", name, address)
				}
			}
		}
	}
	for id := range in {
		if _, ok := copies[id]; !ok {
			fail("letter %s is in the table, but nobody sent it", id)
		}
	}
	for _, id := range r.unfiled {
		fail("letter %s still lies in the inbox", id)
	}
	checkOrders(sent, r, answers, fail)
	checkOwed(r, copies, &t, fail)
	checkWaiting(r, fail)
	slices.Sort(wrong)
	return t, wrong
}

// checkOrders: each seat's log is what it sent and was told to be applied, in
// that order, and the steps it was told were done for it.
func checkOrders(sent []written, r readings, answers map[string][]delivered, fail func(string, ...any)) {
	type place struct {
		game string
		seat int
	}
	orders, forced := map[place][]written{}, map[place]int{}
	for _, w := range sent {
		if w.order == "" {
			continue
		}
		p := place{w.game, w.seat}
		orders[p] = append(orders[p], w)
		for _, d := range answers[w.id] {
			forced[p] += d.forced
		}
	}
	for game, lines := range r.log {
		by := map[place][]rowLog{}
		for i, l := range lines {
			if l.n != i+1 {
				fail("game %s: line %d of the log stands at %d", game, l.n, i+1)
			}
			p := place{game, l.seat}
			by[p] = append(by[p], l)
			if l.by != "player" {
				fail("game %s: line %d, %q, was done by %s", game, l.n, l.order, l.by)
			}
		}
		for seat := range r.players[game] {
			p := place{game, seat}
			rest := by[p]
			for _, w := range orders[p] {
				i := slices.IndexFunc(rest, func(l rowLog) bool { return l.order == w.order })
				if i < 0 {
					fail("letter %s: its order %q is not in the log of game %s where it should be", w.id, w.order, game)
					continue
				}
				rest = rest[i+1:]
			}
			if got, want := len(by[p]), len(orders[p])+forced[p]; got != want {
				fail("game %s, seat %d: the log has %d lines; %d orders were sent and %d steps done for it", game, seat, got, len(orders[p]), forced[p])
			}
		}
	}
	for p := range orders {
		if _, ok := r.log[p.game]; !ok {
			fail("game %s has no log", p.game)
		}
	}
}

// checkOwed: each letter out arrived, and again only where the server cannot
// have known that it had been taken, or its answer was asked for again; then
// with the same bytes.
func checkOwed(r readings, copies map[string]int, t *tally, fail func(string, ...any)) {
	got := map[string][]delivered{}
	for address, box := range r.boxes {
		for _, d := range box {
			got[d.id+" "+address] = append(got[d.id+" "+address], d)
		}
	}
	for _, o := range r.out {
		name := "letter out " + o.id + " to " + o.to
		t.owed++
		if o.state != "sent" {
			fail("%s is %s", name, o.state)
		}
		all := got[o.id+" "+o.to]
		delete(got, o.id+" "+o.to)
		lives := r.posted[o.id]
		if len(all) != len(lives) || r.handed[o.id] != len(lives) {
			fail("%s: Postfix took it %d times and delivered it %d times, %d are in the mailbox", name, len(lives), r.handed[o.id], len(all))
		}
		if len(all) == 0 {
			fail("%s never arrived", name)
			continue
		}
		t.delivered++
		lost := 0 // deaths before which it had been taken and after which it was still to be sent
		for i, d := range r.deaths {
			if d.queued[o.id] && slices.Contains(lives, i) {
				lost++
			}
		}
		again := 0
		if copies[all[0].inReplyTo] > 1 {
			again = 1
		}
		more := len(lives) - 1
		if more > lost+again {
			fail("%s went out %d times; its acknowledgment was lost %d times, and its answer asked for again %d times", name, len(lives), lost, again)
		}
		t.twice += more
		t.lost += min(more, lost)
		t.asked += max(0, more-lost)
		for _, d := range all[1:] {
			if d.bytes != all[0].bytes {
				fail("%s arrived with other bytes the second time", name)
			}
		}
	}
	for key := range got {
		fail("a letter arrived that nobody owed: %s", key)
	}
}

// checkWaiting: in each running game a player who must act has a letter that lists
// what they can do, later than their own last line. The next notice may ask a player
// who merely owes an activation (Q3.3).
func checkWaiting(r readings, fail func(string, ...any)) {
	for game, seats := range r.toAct {
		told := false
		for _, seat := range seats {
			last := 0
			for _, l := range r.log[game] {
				if l.seat == seat {
					last = l.n
				}
			}
			told = told || slices.ContainsFunc(r.boxes[r.players[game][seat]], func(d delivered) bool {
				return d.game == game && d.seat == seat && d.legal > 0 && d.step >= last
			})
		}
		if !told {
			fail("game %s waits for seats %d, and none of them has a letter that says so", game, seats)
		}
	}
}

// sum is the equation as Markdown.
func (t tally) sum() string {
	var b strings.Builder
	letters, copies := 0, 0
	b.WriteString("| letters in | letters | with copies |\n|---|---:|---:|\n")
	for _, f := range fates {
		fmt.Fprintf(&b, "| %s | %d | %d |\n", f, t.letters[f], t.copies[f])
		letters, copies = letters+t.letters[f], copies+t.copies[f]
	}
	fmt.Fprintf(&b, "| **sent** | **%d** | **%d** |\n\n", letters, copies)
	var why []string
	for _, w := range slices.SortedFunc(maps.Keys(t.silent), func(a, b string) int { return cmp.Or(t.silent[b]-t.silent[a], strings.Compare(a, b)) }) {
		why = append(why, fmt.Sprintf("%s %d", w, t.silent[w]))
	}
	fmt.Fprintf(&b, "Silent, as logged: %s.\n\n", strings.Join(why, ", "))
	fmt.Fprintf(&b, "| letters out | |\n|---|---:|\n| owed | %d |\n| delivered at least once | %d |\n"+
		"| repeats, same Message-ID and bytes | %d |\n| of them: acknowledgment lost | %d |\n| of them: the letter answered had come again | %d |\n",
		t.owed, t.delivered, t.twice, t.lost, t.asked)
	return b.String()
}

// soundReadings are a small world in which all is well.
func soundReadings() ([]written, readings) {
	const a, b = "a@real.localhost", "b@real.localhost"
	sent := []written{
		{id: "1.order@x", what: "order", fate: fateApplied, from: a, copies: 2, game: "g", seat: 1, order: "die gray 0"},
		{id: "2.order@x", what: "order", fate: fateApplied, from: a, copies: 1, game: "g", seat: 1, order: "B"},
		{id: "3.say@x", what: "say", fate: fateApplied, from: a, copies: 1, text: "three words here", readers: []string{b}},
		{id: "4.status@x", what: "status", fate: fateUnchanged, from: b, copies: 1},
		{id: "5.nonsense@x", what: "nonsense", fate: fateRefused, from: b, copies: 1},
		{id: "6.alias@x", what: "alias", fate: fateHeld, from: "c@else.test", copies: 1},
		{id: "7.list@x", what: "list", fate: fateSilent, from: "l@else.test", copies: 1, why: "list"},
	}
	r := readings{
		boxes: map[string][]delivered{
			a: {
				{id: "o1", kind: "turn", result: "none", game: "g", seat: 1, step: 0, legal: 3, bytes: "o1"},
				{id: "o2", inReplyTo: "1.order@x", kind: "answer", result: "applied", game: "g", seat: 1, step: 2, legal: 3, forced: 1, bytes: "o2"},
				{id: "o2", inReplyTo: "1.order@x", kind: "answer", result: "applied", game: "g", seat: 1, step: 2, legal: 3, forced: 1, bytes: "o2"},
				{id: "o3", inReplyTo: "2.order@x", kind: "answer", result: "applied", game: "g", seat: 1, step: 3, bytes: "o3"},
				{id: "o4", inReplyTo: "3.say@x", kind: "answer", result: "applied", game: "g", seat: 1, step: 3, bytes: "o4"},
			},
			b: {
				{id: "o5", kind: "turn", result: "none", game: "g", seat: 2, step: 3, legal: 9, bytes: "o5", text: "three words here"},
				{id: "o6", inReplyTo: "4.status@x", kind: "answer", result: "none", bytes: "o6"},
				{id: "o6", inReplyTo: "4.status@x", kind: "answer", result: "none", bytes: "o6"},
				{id: "o7", inReplyTo: "5.nonsense@x", kind: "answer", result: "refused", bytes: "o7"},
			},
		},
		filed: map[string]int{}, posted: map[string][]int{}, handed: map[string]int{},
		log: map[string][]rowLog{"g": {
			{1, 1, "player", "die gray 0"}, {2, 1, "player", "collect"}, {3, 1, "player", "B"},
		}},
		words: map[string]int{"three words here": 1}, asked: map[string]int{"6.alias@x": 1},
		toAct: map[string][]int{"g": {2}}, players: map[string]map[int]string{"g": {1: a, 2: b}},
		deaths: []death{{point: "dot", queued: map[string]bool{"o6": true}}, {point: "store", queued: map[string]bool{"o7": true}}},
	}
	for _, w := range sent {
		state := map[fate]string{fateHeld: "held", fateSilent: "mute"}[w.fate]
		l := rowIn{id: w.id, state: cmp.Or(state, "done"), why: w.why}
		if w.copies > 1 {
			l.repeats = 1
		}
		r.in = append(r.in, l)
		r.filed[w.id], r.handed[w.id], r.posted[w.id] = w.copies, w.copies, make([]int, w.copies)
	}
	for address, box := range r.boxes {
		for _, d := range box {
			life := len(r.posted[d.id]) // the second in the second life
			if life == 0 {
				r.out = append(r.out, rowOut{d.id, address, "sent"})
			}
			r.posted[d.id] = append(r.posted[d.id], life)
			r.handed[d.id]++
		}
	}
	return sent, r
}

// TestOracle spoils a sound world in every way the oracle must notice.
func TestOracle(t *testing.T) {
	const a, b = "a@real.localhost", "b@real.localhost"
	sent, r := soundReadings()
	got, wrong := check(sent, r)
	if len(wrong) > 0 {
		t.Fatalf("the sound world: %q", wrong)
	}
	if got.letters[fateApplied] != 3 || got.copies[fateApplied] != 4 || got.owed != 7 || got.delivered != 7 || got.twice != 2 || got.lost != 1 || got.asked != 1 {
		t.Errorf("%+v", got)
	}
	row := func(rows []rowIn, id string) *rowIn {
		return &rows[slices.IndexFunc(rows, func(l rowIn) bool { return l.id == id })]
	}
	out := func(rows []rowOut, id string) *rowOut {
		return &rows[slices.IndexFunc(rows, func(o rowOut) bool { return o.id == id })]
	}
	gone := func(box []delivered, id string) []delivered {
		return slices.DeleteFunc(box, func(d delivered) bool { return d.id == id })
	}
	for name, c := range map[string]struct {
		spoil func(r *readings)
		says  string
	}{
		"a letter was never read":          {func(r *readings) { r.in = r.in[1:] }, "letter 1.order@x (order): 0 rows"},
		"a letter was taken for two":       {func(r *readings) { r.in = append(r.in, r.in[0]) }, "letter 1.order@x (order): 2 rows"},
		"a letter nobody sent":             {func(r *readings) { r.in = append(r.in, rowIn{id: "9@x"}) }, "letter 9@x is in the table"},
		"a letter was set aside":           {func(r *readings) { row(r.in, "2.order@x").state = "aside" }, "letter 2.order@x (order): should be applied once, is aside"},
		"a held letter was done":           {func(r *readings) { row(r.in, "6.alias@x").state = "done" }, "letter 6.alias@x (alias): should be held, is done"},
		"a held letter's owner not asked":  {func(r *readings) { r.asked = nil }, "letter 6.alias@x (alias): held, and its owner was asked 0 times"},
		"an answer repeated twice":         {func(r *readings) { row(r.in, "1.order@x").repeats = 2 }, "letter 1.order@x (order): sent 2 times, its answer was repeated 2"},
		"an answer repeated for no copy":   {func(r *readings) { row(r.in, "2.order@x").repeats = 1 }, "letter 2.order@x (order): sent 1 times"},
		"no answer":                        {func(r *readings) { r.boxes[b] = gone(r.boxes[b], "o7") }, "letter 5.nonsense@x (nonsense): 0 answers"},
		"two answers":                      {func(r *readings) { r.boxes[b][0].inReplyTo = "5.nonsense@x" }, "letter 5.nonsense@x (nonsense): 2 answers"},
		"another answer":                   {func(r *readings) { r.boxes[b][3].result = "applied" }, "letter 5.nonsense@x (nonsense): should be refused with a reason, was answered as applied"},
		"a list was answered":              {func(r *readings) { r.boxes[b][3].inReplyTo = "7.list@x" }, "letter 7.list@x (list): should be rightly silent, was answered"},
		"silent for another reason":        {func(r *readings) { row(r.in, "7.list@x").why = "auto" }, `letter 7.list@x (list): silent because of "auto"`},
		"press stored twice":               {func(r *readings) { r.words["three words here"] = 2 }, "letter 3.say@x (say): its words are stored 2 times"},
		"press that did not arrive":        {func(r *readings) { r.boxes[b][0].text = "" }, "letter 3.say@x (say): its words did not reach b@"},
		"the post lost a letter":           {func(r *readings) { r.handed["4.status@x"] = 0 }, "letter 4.status@x (status): sent 1 times, Postfix took 1 and delivered 0"},
		"filed away twice":                 {func(r *readings) { r.filed["4.status@x"] = 2 }, "letter 4.status@x (status): sent 1 times, filed away 2 times"},
		"left in the inbox":                {func(r *readings) { r.unfiled = []string{"4.status@x"} }, "letter 4.status@x still lies in the inbox"},
		"an order lost":                    {func(r *readings) { r.log["g"] = r.log["g"][:2] }, `letter 2.order@x: its order "B" is not in the log`},
		"an order applied twice":           {func(r *readings) { r.log["g"] = append(r.log["g"], rowLog{4, 1, "player", "B"}) }, "game g, seat 1: the log has 4 lines; 2 orders were sent and 1 steps"},
		"orders in another order":          {func(r *readings) { l := r.log["g"]; l[0].order, l[2].order = l[2].order, l[0].order }, "letter 2.order@x: its order"},
		"a line nobody ordered":            {func(r *readings) { r.log["g"] = append(r.log["g"], rowLog{4, 2, "player", "B"}) }, "game g, seat 2: the log has 1 lines"},
		"a line by the clock":              {func(r *readings) { r.log["g"][1].by = "clock" }, "line 2, \"collect\", was done by clock"},
		"a line missing in the middle":     {func(r *readings) { r.log["g"][2].n = 4 }, "line 4 of the log stands at 3"},
		"a game without a log":             {func(r *readings) { r.log = nil }, "game g has no log"},
		"a letter out still queued":        {func(r *readings) { out(r.out, "o5").state = "queued" }, "letter out o5 to b@real.localhost is queued"},
		"a letter out that never arrived":  {func(r *readings) { r.boxes[b] = gone(r.boxes[b], "o5"); r.posted["o5"], r.handed["o5"] = nil, 0 }, "letter out o5 to b@real.localhost never arrived"},
		"lost between Postfix and mailbox": {func(r *readings) { r.boxes[b] = gone(r.boxes[b], "o5") }, "letter out o5 to b@real.localhost: Postfix took it 1 times and delivered it 1 times, 0 are"},
		"a letter nobody owed":             {func(r *readings) { r.out = slices.DeleteFunc(r.out, func(o rowOut) bool { return o.id == "o5" }) }, "a letter arrived that nobody owed: o5"},
		"a repeat without a lost answer":   {func(r *readings) { r.deaths[0].queued = nil }, "letter out o6 to b@real.localhost went out 2 times; its acknowledgment was lost 0"},
		"a repeat within one life":         {func(r *readings) { r.posted["o6"] = []int{1, 1} }, "letter out o6 to b@real.localhost went out 2 times; its acknowledgment was lost 0"},
		"a repeat with other bytes":        {func(r *readings) { r.boxes[b][2].bytes = "o6!" }, "letter out o6 to b@real.localhost arrived with other bytes"},
		"a player not told":                {func(r *readings) { r.boxes[b][0].legal = 0 }, "game g waits for seats [2]"},
		"a player told too early":          {func(r *readings) { r.toAct["g"] = []int{1} }, "game g waits for seats [1]"},
	} {
		t.Run(name, func(t *testing.T) {
			sent, r := soundReadings()
			c.spoil(&r)
			_, wrong := check(sent, r)
			if !slices.ContainsFunc(wrong, func(w string) bool { return strings.Contains(w, c.says) }) {
				t.Errorf("not noticed: %q, want one with %q", wrong, c.says)
			}
		})
	}
}
