package order

import (
	"slices"
	"strings"
)

// A Letter is what a player's order lines say, in the order written.
type Letter struct {
	Items  []Item
	Barred []int // lines behind a bar or a quote mark, from 1: read as nothing
	Passed []int // greetings, and the name that closes the letter, from 1: passed over
}

// An Item is one thing a letter says: exactly one of a Word, a Clause, a Guard or
// a Problem; only "decline" is a Word and a Clause, and the game decides which.
// Guards stand in an Ahead only.
type Item struct {
	Line    int    // from 1
	Text    string // as written, at most MaxLine bytes
	Word    Word   // Kind NoWord if it is none
	Clause  *Clause
	Guard   *Guard
	Problem *Problem
}

// ReadLetter reads the cleaned lines of a letter (package mail/letter's
// Orders). Lines need no order among words and steps. A text (say, note) goes
// on to the next empty line; the options of a new game follow it.
func ReadLetter(lines []string) Letter {
	var l Letter
	clauses := 0
	signed := false // the line before closed the letter: "Cheers,"
	inGame := -1    // index of the new game whose options may follow
	fail := func(n int, line, code, word string) {
		l.Items = append(l.Items, Item{Line: n, Text: clip(line, MaxLine),
			Problem: &Problem{Code: code, Line: n, Text: clip(line, MaxLine), Word: word}})
	}
	for i := 0; i < len(lines); i++ {
		n, line := i+1, lines[i]
		if n > MaxLines {
			fail(n, line, TooMany, "")
			break
		}
		if Barred(line) {
			l.Barred = append(l.Barred, n)
			continue
		}
		if trim(line) == "" || trim(cutComment(line)) == "" {
			continue
		}
		if key, value, ok := option(line); ok && (inGame >= 0 || key != "name" && key != "rules") {
			if inGame < 0 {
				fail(n, line, LostLine, key)
				continue
			}
			for key == "players" && i+1 < len(lines) && i+1 < MaxLines && continues(value, lines[i+1]) {
				i++
				value += " " + lines[i]
			}
			if p := l.Items[inGame].Word.Game.set(key, value); p != nil {
				p.Line, p.Text = n, clip(line, MaxLine)
				l.Items[inGame].Word.Game.Bad = true
				l.Items = append(l.Items, Item{Line: n, Text: p.Text, Problem: p})
			}
			continue
		}
		inGame = -1
		if w, _, ok := ReadWord(line); ok && w.Kind == Plan {
			item := Item{Line: n, Text: clip(trim(line), MaxLine), Word: w}
			if w.Arg == "" {
				item.Word.Text, i = "", l.readPlan(&item.Word, w.Text, lines, i)
			}
			l.Items = append(l.Items, item)
			continue
		}
		if w, p, ok := ReadWord(line); ok && takesLine(w.Kind) {
			item := Item{Line: n, Text: clip(trim(line), MaxLine), Word: w, Problem: p}
			if w.Kind == NewLeague || w.Kind == AmendLeague {
				item.Word.Text, i = fileBelow(lines, i)
			}
			if w.Kind == Say || w.Kind == Note || w.Kind == Announce {
				text := []string{w.Text}
				size := len(w.Text)
				for i+1 < len(lines) && i+1 < MaxLines && trim(lines[i+1]) != "" {
					i++
					if size += len(lines[i]) + 1; size <= MaxText {
						text = append(text, trim(lines[i]))
					}
				}
				item.Word.Text = strings.TrimSpace(strings.Join(text, "\n"))
				switch {
				case p != nil:
				case size > MaxText:
					item.Problem = &Problem{Code: LongText, Line: n, Text: item.Text}
				case item.Word.Text == "":
					item.Problem = &Problem{Code: NoText, Line: n, Text: item.Text}
				}
			}
			if w.Kind == Rule && p == nil {
				for i+1 < len(lines) && i+1 < MaxLines && goesOn(lines[i+1]) {
					i++
					item.Word.Rule.Reason += " " + trim(lines[i])
				}
				if len(item.Word.Rule.Reason) > MaxReason {
					item.Problem = &Problem{Code: LongText, Line: n, Text: item.Text}
				}
			}
			if item.Problem != nil {
				item.Word, item.Problem.Line = Word{}, n
			} else if w.Kind == NewGame {
				inGame = len(l.Items)
			}
			l.Items = append(l.Items, item)
			continue
		}
		items := readLine(n, line)
		if l.passes(lines, n, items, &signed) {
			continue
		}
		if first, _ := cutWord(line[opening(line):]); Key(first) == "else" || Key(first) == "otherwise" {
			fail(n, line, LostElse, "")
			continue
		} else if _, ok := isGuard(line); ok {
			fail(n, line, LateGuard, "")
			continue
		}
		for _, it := range items {
			if it.Clause != nil {
				clauses++
			}
		}
		if clauses > MaxClauses {
			fail(n, line, TooMany, "")
			break
		}
		l.Items = append(l.Items, items...)
	}
	return l
}

// passes passes a greeting over, and the name that closes the letter. signed
// tells whether the line before closed it: "Cheers,".
func (l *Letter) passes(lines []string, n int, items []Item, signed *bool) bool {
	line := lines[n-1]
	pass, closing := courtesy(line)
	if pass || *signed && trim(strings.Join(lines[n:], "")) == "" && isName(line) && len(items) == 1 && items[0].Clause != nil && !items[0].Clause.Readable() {
		l.Passed = append(l.Passed, n)
		*signed = closing
		return true
	}
	*signed = false
	return false
}

// goesOn reports whether a line can only go on with the prose above it: clients
// wrap long lines.
func goesOn(line string) bool {
	if trim(line) == "" || Barred(line) {
		return false
	}
	if _, _, ok := ReadWord(line); ok {
		return false
	}
	if _, _, ok := option(line); ok {
		return false
	}
	pass, _ := courtesy(line)
	return !pass && !slices.ContainsFunc(readLine(1, line), func(it Item) bool { return it.Problem != nil || it.Clause == nil || it.Clause.Readable() })
}

// takesLine reports whether a word's arguments are free text, in which a
// semicolon ends nothing.
func takesLine(k WordKind) bool {
	switch k {
	case Say, Note, Name, Join, NewGame, Remind, Replace, Address, Extend, Plan, Rule, Never:
		return true
	case JoinLeague, LeaveLeague, League, LeagueTable, Substitute, NewLeague, Announce, AmendLeague, Rating:
		return true
	}
	return false
}

// readLine reads a line of orders, words without arguments among them. If a
// part of it cannot be read, none of its orders count.
func readLine(n int, line string) (items []Item) {
	if len(line) > MaxLine {
		c := Expand(line)[0]
		c.Line = n
		return []Item{{Line: n, Text: c.Text, Clause: &c}}
	}
	for _, part := range strings.FieldsFunc(cutComment(line), func(r rune) bool { return r == ';' || r == '；' }) {
		w, p, ok := ReadWord(part)
		if ok {
			it := Item{Line: n, Text: trim(part), Word: w, Problem: p}
			if p != nil {
				it.Word, p.Line = Word{}, n
			} else if w.Kind == Refuse {
				it.Clause = &Expand("decline")[0]
				it.Clause.Line, it.Clause.Text = n, it.Text
			}
			items = append(items, it)
			continue
		}
		for _, c := range Expand(part) {
			if c.Line = n; !c.Readable() {
				c.Text = clip(trim(line), MaxLine)
				return []Item{{Line: n, Text: c.Text, Clause: &c}}
			}
			items = append(items, Item{Line: n, Text: c.Text, Clause: &c})
		}
	}
	return items
}

// option reads "key: value" with one of new game's keys.
func option(line string) (key, value string, ok bool) {
	line = trim(line[opening(line):])
	i := strings.IndexAny(line, ":：")
	if i < 0 {
		return "", "", false
	}
	switch key = Key(line[:i]); key {
	case "player":
		key = "players"
	case "players", "rules", "edition", "hal", "set", "visibility", "hints", "clock", "seats", "name":
	default:
		return "", "", false
	}
	return key, trim(strings.TrimLeft(line[i:], ":： ")), true
}

// continues reports whether a line goes on with the players of the one above:
// clients wrap long lines.
func continues(value, next string) bool {
	if _, _, ok := option(next); ok || trim(next) == "" || Barred(next) {
		return false
	}
	return strings.HasSuffix(strings.TrimRight(trim(value), " "), ",") || strings.HasPrefix(trim(next), ",")
}

// set puts one option in; the last line of a key counts.
func (o *Options) set(key, value string) *Problem {
	bad := &Problem{Code: BadOption, Word: key}
	pick := func(to *string, values ...string) *Problem {
		v := choice(cutComment(value), values...)
		if v == "" {
			return bad
		}
		*to = v
		return nil
	}
	switch key {
	case "players":
		var players []string
		for _, part := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ';' || r == '，' }) {
			if trim(part) == "" {
				continue
			}
			a := address(part)
			if players = append(players, a); a == "" || len(players) > MaxPlayers {
				return &Problem{Code: BadOption, Word: clip(trim(part), MaxName)}
			}
		}
		if len(players) == 0 {
			return bad
		}
		o.Players = players
	case "rules":
		return pick(&o.Rules, "base", "advanced")
	case "edition":
		return pick(&o.Edition, "revised", "first")
	case "hal":
		return pick(&o.Hal, "easy", "standard", "hard", "extreme")
	case "visibility":
		return pick(&o.Visibility, "private", "unlisted", "listed")
	case "hints":
		return pick(&o.Hints, "yes", "no")
	case "seats":
		v := trim(cutComment(value))
		if len(v) != 1 || v[0] < '2' || v[0] > '4' {
			return bad
		}
		o.Seats = int(v[0] - '0')
	case "clock":
		v := trim(cutComment(value))
		if v == "" || len(v) > MaxName {
			return bad
		}
		o.Clock = v
	case "set":
		v := trim(cutComment(value))
		if v == "" || len(v) > MaxName || strings.Trim(strings.ToLower(v), "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return bad
		}
		o.Set = v
	case "name":
		if value == "" || len(value) > MaxName {
			return bad
		}
		o.Name = value
	}
	return nil
}
