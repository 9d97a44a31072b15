// Package oracle accounts for every letter of TestKills (cmd/internal/killtest).
//
// # What it proves
//
// The test notes before it sends a letter what must become of it: its Fate. Afterwards it
// hands Check what it sent and what it read in the mailboxes, the database and Postfix's
// log. Check shows for every letter by name that
//
//	sent = applied once + answered without change + refused with a reason
//	     + held + rightly silent
//	owed = delivered at least once
//
// It knows the headers of web/API.md and the columns of the tables, and imports none of
// the program's code.
//
// # How it can fail
//
// Each violation is a sentence that names the letter. TestOracle spoils a small sound
// world in every way that Check must notice, and fails if Check does not.
//
// # How to run it longer
//
// Check is as thorough on one letter as on a thousand. Run TestKills longer.
package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Fate is what must become of a letter to the server. Each has exactly one.
type Fate string

// The fates.
const (
	FateApplied   Fate = "applied once"
	FateUnchanged Fate = "answered without change"
	FateRefused   Fate = "refused with a reason"
	FateHeld      Fate = "held"
	FateSilent    Fate = "rightly silent"
)

var fates = []Fate{FateApplied, FateUnchanged, FateRefused, FateHeld, FateSilent}

// A Written letter is one that was sent to the server.
type Written struct {
	ID     string // Message-ID without brackets; begins with the letter's number
	What   string
	Fate   Fate
	From   string // address
	Copies int    // how often it was handed to Postfix, at least once

	Game  string // of an applied order
	Seat  int
	Order string

	Text    string   // of an applied say, note or new game: words that occur in no other letter
	Readers []string // addresses at which they must arrive

	Why string // of a silent letter: what the server must have noted
}

// Readings are what was found afterwards.
type Readings struct {
	Boxes   map[string][]Delivered    // by address, oldest first
	Filed   map[string]int            // letters out of the server's inbox, by Message-ID; nil if they came by LMTP
	Unfiled []string                  // what is still in it
	In      []RowIn                   // table letters
	Out     []RowOut                  // table out
	Log     map[string][]RowLog       // table log, by game
	Words   map[string]int            // tables press and games: rows by text and name
	Asked   map[string]int            // table confirms: open questions by the Message-ID of the letter held
	Posted  map[string][]int          // Postfix took it, in which life of the server; by Message-ID
	Handed  map[string]int            // Postfix delivered it
	Deaths  []Death                   // of the server; death i ended life i
	ToAct   map[string][]int          // view.json, by game: seats
	Players map[string]map[int]string // addresses by game and seat
}

// A Delivered letter is one in a player's mailbox.
type Delivered struct {
	ID, InReplyTo, Kind, Result string
	Game                        string
	Seat, Step                  int
	Legal, Forced               int    // orders that it lists; steps that it says the server played because nothing else was legal
	Text                        string // plain
	Bytes                       string // without the header fields that the mail servers added
}

// A RowIn is a row of the table letters.
type RowIn struct {
	ID, State, Why string
	Repeats        int
}

// A RowOut is a row of the table out.
type RowOut struct{ ID, To, State string }

// A RowLog is a row of the table log.
type RowLog struct {
	N, Seat   int
	By, Order string
}

// A Death is one kill of the server.
type Death struct {
	Point  string          // fault point, or how the test killed it
	Open   int             // letters that had arrived and were still without their last answer
	Queued map[string]bool // Message-IDs of letters out that were still in the queue
}

// A Tally is the equation in figures.
type Tally struct {
	letters, copies map[Fate]int
	silent          map[string]int // by what was noted
	owed            int            // letters out
	delivered       int            // of them, at least once
	twice           int            // arrived again
	lost            int            // of these, because the server died after Postfix took the letter and before it recorded that
	asked           int            // of these, because the letter they answer came again
}

// Check holds r against what was sent. Each violation names the letter.
func Check(sent []Written, r Readings) (t Tally, wrong []string) {
	t = Tally{letters: map[Fate]int{}, copies: map[Fate]int{}, silent: map[string]int{}}
	fail := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }

	in := map[string][]RowIn{}
	for _, l := range r.In {
		in[l.ID] = append(in[l.ID], l)
	}
	answers := map[string][]Delivered{} // by the Message-ID of the letter they answer, without copies
	seen := map[string]bool{}
	for _, address := range slices.Sorted(maps.Keys(r.Boxes)) {
		for _, d := range r.Boxes[address] {
			if key := address + " " + d.ID; d.InReplyTo != "" && !seen[key] {
				seen[key] = true
				answers[d.InReplyTo] = append(answers[d.InReplyTo], d)
			}
		}
	}

	copies := map[string]int{}
	for _, w := range sent {
		name := fmt.Sprintf("letter %s (%s)", w.ID, w.What)
		copies[w.ID] = w.Copies
		t.letters[w.Fate]++
		t.copies[w.Fate] += w.Copies
		if n := len(r.Posted[w.ID]); n != w.Copies || r.Handed[w.ID] != n {
			fail("%s: sent %d times, Postfix took %d and delivered %d", name, w.Copies, n, r.Handed[w.ID])
		}
		if n := r.Filed[w.ID]; r.Filed != nil && n != w.Copies {
			fail("%s: sent %d times, filed away %d times", name, w.Copies, n)
		}
		if len(in[w.ID]) != 1 {
			fail("%s: %d rows in letters", name, len(in[w.ID]))
			continue
		}
		row := in[w.ID][0]
		want := map[Fate]string{FateHeld: "held", FateSilent: "mute"}[w.Fate]
		if want == "" {
			want = "done"
		}
		if row.State != want {
			fail("%s: should be %s, is %s (%s)", name, w.Fate, row.State, row.Why)
		}
		if row.Repeats > min(w.Copies-1, 1) {
			fail("%s: sent %d times, its answer was repeated %d times", name, w.Copies, row.Repeats)
		}
		result := map[Fate]string{FateApplied: "applied", FateUnchanged: "none", FateRefused: "refused"}[w.Fate]
		got := answers[w.ID]
		switch {
		case result == "" && len(got) > 0:
			fail("%s: should be %s, was answered", name, w.Fate)
		case result != "" && len(got) != 1:
			fail("%s: %d answers", name, len(got))
		case result != "" && got[0].Result != result:
			fail("%s: should be %s, was answered as %s", name, w.Fate, got[0].Result)
		}
		switch w.Fate {
		case FateHeld:
			if n := r.Asked[w.ID]; n != 1 {
				fail("%s: held, with %d questions to its owner", name, n)
			}
		case FateSilent:
			t.silent[row.Why]++
			if row.Why != w.Why {
				fail("%s: silent because of %q, want %q", name, row.Why, w.Why)
			}
		case FateApplied:
			if w.Text == "" {
				break
			}
			if n := r.Words[w.Text]; n != 1 {
				fail("%s: its words are stored %d times", name, n)
			}
			for _, address := range w.Readers {
				if !slices.ContainsFunc(r.Boxes[address], func(d Delivered) bool { return strings.Contains(d.Text, w.Text) }) {
					fail("%s: its words did not reach %s", name, address)
				}
			}
		}
	}
	for id := range in {
		if _, ok := copies[id]; !ok {
			fail("letter %s is in the table, but no one sent it", id)
		}
	}
	for _, id := range r.Unfiled {
		fail("letter %s is still in the inbox", id)
	}
	checkOrders(sent, r, answers, fail)
	checkOwed(r, copies, &t, fail)
	checkWaiting(r, fail)
	slices.Sort(wrong)
	return t, wrong
}

// checkOrders checks each seat's log. It has the orders that the seat sent and an answer
// called applied, in that order, and the forced steps that the answers report. It has
// nothing else.
func checkOrders(sent []Written, r Readings, answers map[string][]Delivered, fail func(string, ...any)) {
	type place struct {
		game string
		seat int
	}
	orders, forced := map[place][]Written{}, map[place]int{}
	for _, w := range sent {
		if w.Order == "" {
			continue
		}
		p := place{w.Game, w.Seat}
		orders[p] = append(orders[p], w)
		for _, d := range answers[w.ID] {
			forced[p] += d.Forced
		}
	}
	for game, lines := range r.Log {
		by := map[place][]RowLog{}
		for i, l := range lines {
			if l.N != i+1 {
				fail("game %s: line %d of the log is at %d", game, l.N, i+1)
			}
			p := place{game, l.Seat}
			by[p] = append(by[p], l)
			if l.By != "player" {
				fail("game %s: line %d, %q, came from %s", game, l.N, l.Order, l.By)
			}
		}
		for seat := range r.Players[game] {
			p := place{game, seat}
			rest := by[p]
			for _, w := range orders[p] {
				i := slices.IndexFunc(rest, func(l RowLog) bool { return l.Order == w.Order })
				if i < 0 {
					fail("letter %s: its order %q is not in the log of game %s where it should be", w.ID, w.Order, game)
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
		if _, ok := r.Log[p.game]; !ok {
			fail("game %s has no log", p.game)
		}
	}
}

// checkOwed checks that each letter out arrived. A second copy is fine only if the server
// died before it recorded that Postfix had taken the first, or if the player sent the same
// letter again. All copies have the same bytes.
func checkOwed(r Readings, copies map[string]int, t *Tally, fail func(string, ...any)) {
	got := map[string][]Delivered{}
	for address, box := range r.Boxes {
		for _, d := range box {
			got[d.ID+" "+address] = append(got[d.ID+" "+address], d)
		}
	}
	for _, o := range r.Out {
		name := "letter out " + o.ID + " to " + o.To
		t.owed++
		if o.State != "sent" {
			fail("%s is %s", name, o.State)
		}
		all := got[o.ID+" "+o.To]
		delete(got, o.ID+" "+o.To)
		lives := r.Posted[o.ID]
		if len(all) != len(lives) || r.Handed[o.ID] != len(lives) {
			fail("%s: Postfix took it %d times and delivered it %d times, %d are in the mailbox", name, len(lives), r.Handed[o.ID], len(all))
		}
		if len(all) == 0 {
			fail("%s never arrived", name)
			continue
		}
		t.delivered++
		lost := 0 // deaths after Postfix took the letter and before the server recorded that
		for i, d := range r.Deaths {
			if d.Queued[o.ID] && slices.Contains(lives, i) {
				lost++
			}
		}
		again := 0
		if copies[all[0].InReplyTo] > 1 {
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
			if d.Bytes != all[0].Bytes {
				fail("%s arrived with other bytes the second time", name)
			}
		}
	}
	for key := range got {
		fail("a letter arrived that no one owed: %s", key)
	}
}

// checkWaiting: in each running game a player who must act has a letter that lists
// what they can do, later than their own last line. The next notice may ask a player
// who merely owes an activation (Q3.3).
func checkWaiting(r Readings, fail func(string, ...any)) {
	for game, seats := range r.ToAct {
		told := false
		for _, seat := range seats {
			last := 0
			for _, l := range r.Log[game] {
				if l.Seat == seat {
					last = l.N
				}
			}
			told = told || slices.ContainsFunc(r.Boxes[r.Players[game][seat]], func(d Delivered) bool {
				return d.Game == game && d.Seat == seat && d.Legal > 0 && d.Step >= last
			})
		}
		if !told {
			fail("game %s waits for seats %d, and none of them has a letter that says so", game, seats)
		}
	}
}

// Sum is the equation as Markdown.
func (t Tally) Sum() string {
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
