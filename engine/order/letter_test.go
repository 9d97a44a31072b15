package order_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"angelpost/engine/order"
)

// show prints what a letter was read as, an item a line.
func show(l order.Letter) string {
	var b strings.Builder
	for _, it := range l.Items {
		fmt.Fprintf(&b, "%d ", it.Line)
		if w := it.Word; w.Kind != order.NoWord {
			fmt.Fprintf(&b, "word %s", w.Kind)
			for _, s := range []string{w.Name, strings.Join(w.To, "+"), w.Arg, w.Text} {
				if s != "" {
					fmt.Fprintf(&b, " [%s]", s)
				}
			}
			if w.N != 0 {
				fmt.Fprintf(&b, " %d", w.N)
			}
			if !reflect.DeepEqual(w.Game, order.Options{}) {
				fmt.Fprintf(&b, " %v", w.Game)
			}
		}
		if it.Doubt != "" {
			fmt.Fprintf(&b, " %s:", it.Doubt)
		}
		if it.Clause != nil {
			if it.Clause.Line != it.Line {
				fmt.Fprintf(&b, "LINE %d ", it.Clause.Line)
			}
			fmt.Fprintf(&b, " clause %s", it.Clause.Text)
			if it.Clause.Wish {
				b.WriteString(" (wish)")
			}
			if !it.Clause.Readable() {
				b.WriteString(" (unreadable)")
			}
		}
		if it.Problem != nil {
			fmt.Fprintf(&b, "problem %s [%s]", it.Problem.Code, it.Problem.Word)
		}
		b.WriteByte('\n')
	}
	if l.Passed != nil {
		fmt.Fprintf(&b, "passed %v\n", l.Passed)
	}
	if l.Barred != nil {
		fmt.Fprintf(&b, "barred %v\n", l.Barred)
	}
	s := strings.TrimSpace(b.String())
	return strings.ReplaceAll(s, "  ", " ")
}

func TestReadLetter(t *testing.T) {
	for _, c := range []struct{ name, letter, want string }{
		{"a turn", `
card 013 at row 2: 2.1, 2.3 resource
die gray 0 flip: command   # a comment
launch to b4; mission 027
keep 031
B reserve gray 3, orange 3`, `
2 clause card 013 at row 2
2 clause 2.1
2 clause 2.3 resource
3 clause die gray 0 flip
3 clause command
4 clause launch to b4
4 clause mission 027
5 clause keep 031 (wish)
6 clause B
6 clause reserve gray 3, orange 3 (wish)`},
		{"words about leagues", `
Leagues.
league Tin & Brass
standings of tin
join league Tin
join league: Tin & Brass, Ada Lee
join league
leave league Tin
leave Tin
substitute Tin
substitute for league Tin no
announce Tin: The season
begins on Monday; be ready

announce Tin

announce: all

league`, `
2 word leagues
3 word league [Tin & Brass]
4 word standings [tin]
5 word join league [Tin]
6 word join league [Tin & Brass] [Ada Lee]
7 problem text-empty []
8 word leave league [Tin]
9 word leave league [Tin]
10 word substitute [Tin]
11 word substitute [Tin] [no]
12 word announce [Tin] [The season
begins on Monday; be ready]
15 problem say-colon []
17 problem say-colon []
19 word leagues`},
		{"a league's file", `
status
new league
name: Tin # what it is called
rules: advanced

| start: 2026-12-01
players: nobody
seats: 99
Cheers,
Ada`, `
2 word status
3 word new league [name: Tin # what it is called
rules: advanced


players: nobody
seats: 99]
passed [10 11]`},
		{"a league's other file", `
amend Tin
name: Tin
clock: 4 days

Best regards,
Dora`, `
2 word amend [Tin] [name: Tin
clock: 4 days
]
passed [6 7]`},
		{"a file of no league", `
amend league
name: Tin`, `
2 problem text-empty []`},
		{"ratings", `
rating
Ratings.
rating Ada Lee
ratings of Ada & Bo; Cy
rating: Ada`, `
2 word rating
3 word rating
4 word rating [Ada Lee]
5 word rating [Ada & Bo; Cy]
6 word rating [Ada]`},
		{"words", `
Preview
UNDO.
status
board
history
history from 12
log 3
legal
rules
rules M12
rules: hand limit
help reserve
link
format HTML
format t
notify mine
notify every
resign
rematch
cancel
abandon
yes
no
remind Zoë
replace Bob Smith by bot
replace Bob with <new@example.org>
replace Bob by bot:planner
replace Bot 2 (planner) by Bot (Planner 500).
replace Bob by bot:planner:-5
replace Bot by bot@example.org
address add second@example.org
address remove second@example.org <mailto:second@example.org>
name Ann Lee
name: Ann Lee
join
join Ann
join Ann sesame
join Ann Lee, open #sesame; now
never write to me again
decline`, `
2 word preview
3 word undo
4 word status
5 word board
6 word history
7 word history 12
8 word history 3
9 word legal
10 word rules
11 word rules [M12]
12 word rules [hand limit]
13 word help [reserve]
14 word link
15 word format [html]
16 word format [text]
17 word notify [mine]
18 word notify [every]
19 word resign
20 word rematch
21 word cancel
22 word abandon
23 word yes
24 word no
25 word remind [Zoë]
26 word replace [Bob Smith] [bot]
27 word replace [Bob] [new@example.org]
28 word replace [Bob] [bot:planner]
29 word replace [Bot 2 (planner)] [bot:planner:500]
30 word replace [Bob] [bot:planner:minus:5]
31 word replace [Bot] [bot@example.org]
32 word address [add] [second@example.org]
33 word address [remove] [second@example.org]
34 word name [Ann Lee]
35 word name [Ann Lee]
36 word join
37 word join [Ann]
38 word join [Ann] [sesame]
39 word join [Ann Lee] [open #sesame; now]
40 word never
41 word decline doubt-word: clause decline (wish)`},
		{"shortened words", "prev; stat\nhist 4\nleg\nhel\nrul 5.1", `
1 word preview
1 word status
2 word history 4
3 word legal
4 word help
5 word rules [5.1]`},
		{"words that decide are spelled out", "resi\naband\ncanc\nund\nrema\nye", `
1 clause resi (unreadable)
2 clause aband (unreadable)
3 clause canc (unreadable)
4 clause und (unreadable)
5 clause rema (unreadable)
6 clause ye (unreadable)`},
		{"press", "say to Bob, Zoë and Ann: Hello; all.\nB is what I would do: # 1\n\ndie gray 2\nSay: to everybody\n\nsay to all: hi\n\nnote: watch row 2\nand column 3\n\nnote later\n", `
1 word say [Bob+Zoë+Ann] [Hello; all.
B is what I would do: # 1]
4 clause die gray 2
5 word say [to everybody]
7 word say [hi]
9 word note [watch row 2
and column 3]
12 word note [later]`},
		{"press without its colon is never spread", "say to Bob I attack\nB\n\nsay Bob: I attack\n\nsay hello\n\nsay to : hello\n\nsay:", `
1 problem say-colon []
2 doubt-message: clause B
4 word say [Bob] [I attack]
6 problem say-colon []
8 problem say-to []
10 problem text-empty []`},
		{"press needs no to", "say all: hello\n\nsay Bob and Ann: hello\n\nsay , : hello", `
1 word say [hello]
3 word say [Bob+Ann] [hello]
5 problem say-to []`},
		{"a new game", "new game\nplayers: Ann <ann@example.org>, bob@example.org <mailto:bob@example.org>,\n  bot\nrules: base\n\nedition: first # the old one\nset: ours-2\nvisibility: un\nhints: yes\nname: Friday; night\nstatus", `
1 word new game {[ann@example.org bob@example.org bot] 0 base first ours-2 unlisted yes Friday; night false}
11 word status`},
		{"a new game that cannot be", "New game!\nplayers: ann\nrules: mild\nvisibility:\nset: ../etc\nedition: 3\nname:\nhints: some", `
1 word new game {[] 0     true}
2 problem new-game-option [ann]
3 problem new-game-option [rules]
4 problem new-game-option [visibility]
5 problem new-game-option [set]
6 problem new-game-option [edition]
7 problem new-game-option [name]
8 problem new-game-option [hints]`},
		{"options of no game", "players: ann@example.org, bot\nvisibility: listed", `
1 problem new-game-line [players]
2 problem new-game-line [visibility]`},
		{"arguments that cannot be", "history tomorrow\nformat pdf\nnotify\nreplace Bob\nreplace Bob by Ann\naddress add ann\nresign tomorrow\nundo 3\nremind\nname", `
1 problem word-argument [tomorrow]
2 problem word-argument [pdf]
3 problem word-argument []
4 problem word-argument [Bob]
5 problem word-argument [Bob by Ann]
6 problem word-argument [add ann]
7 problem word-argument [tomorrow]
8 problem word-argument [3]
9 problem text-empty []
10 problem text-empty []`},
		{"bars and quotes", "| legal\n| die gray 2\n> die gray 2\n | end\n| example", "barred [1 2 3 4 5]"},
		{"words and orders on one line", "preview; die gray 2; command", `
1 word preview
1 clause die gray 2
1 clause command`},
		{"half a line is never played", "B; unless Bob objects\ndie gray 2", `
1 clause B; unless Bob objects (unreadable)
2 doubt-beside: clause die gray 2`},
		{"courtesy", "Hi all,\n\ndie gray 2\nThanks a lot!\nGood luck\nCheers,\nAnn", "3 clause die gray 2\npassed [1 4 5 6 7]"},
		{"no courtesy", "hello die gray 2\nthanks,\nAnn\nhello 2.1\nthanks for the fish\n\nBest,\nB\nAnn\nend", `
1 clause die gray 2
4 problem closing-unread []
8 doubt-closing: clause B
passed [2 3 5 7 9 10]`},
		{"orders that look like words", "no mission\nboard meeting", `
1 clause no mission
2 problem no-order []`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := show(order.ReadLetter(strings.Split(c.letter, "\n")))
			if want := strings.TrimSpace(c.want); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestLettersAreBounded(t *testing.T) {
	many := make([]string, 5000)
	for i := range many {
		many[i] = "die gray 2; command"
	}
	l := order.ReadLetter(many)
	if n := len(l.Items); n > order.MaxClauses+2 || l.Items[n-1].Problem == nil || l.Items[n-1].Problem.Code != order.TooMany {
		t.Errorf("%d items, the last %+v", n, l.Items[n-1])
	}
	for i := range many {
		many[i] = "status"
	}
	l = order.ReadLetter(many)
	if n := len(l.Items); n != order.MaxLines+1 || l.Items[n-1].Problem == nil || l.Items[n-1].Problem.Code != order.TooMany {
		t.Errorf("%d items of %d lines", n, len(many))
	}
	text := append([]string{"say:"}, make([]string, 300)...)
	for i := range text[1:] {
		text[i+1] = strings.Repeat("blah ", 10)
	}
	l = order.ReadLetter(append(text, "", "die gray 2"))
	if len(l.Items) != 3 || l.Items[0].Problem == nil || l.Items[0].Problem.Code != order.LongText || l.Items[0].Word.Text != "" || l.Items[1].Problem == nil || l.Items[1].Problem.Code != order.Unsaid {
		t.Errorf("a press text too long: %s", show(l))
	}
	l = order.ReadLetter([]string{"die gray 2 " + strings.Repeat("é", 5000)})
	if l.Items[0].Clause == nil || l.Items[0].Clause.Readable() || len(l.Items[0].Text) > order.MaxLine {
		t.Errorf("a line too long: %s", show(l))
	}
}

func TestNames(t *testing.T) {
	ctx := order.Context{Names: []string{"Ann", "Anna Bell", "Zoë O'Neil", "李雷"}}
	for name, want := range map[string]int{
		"Ann": 1, "ANN": 1, "anna": 2, "bell": 2, "zoe o’neil": 3, "zo": 3, "李雷": 4, "李": 4, "seat 3": 3, "Player 2": 2, "3": 3,
		"an": 0, "": 0, "Bob": 0, "seat 5": 0, "7": 0, "l": 0,
	} {
		seat, p := ctx.Seat(name)
		if int(seat) != want || (p == nil) != (want != 0) {
			t.Errorf("%q is seat %d, %v; want %d", name, seat, p, want)
		}
	}
}

// Hal's level has the rulebook's word for people and one of its own for data;
// letters may use either, or the beginning of one.
func TestHalsLevel(t *testing.T) {
	for word, want := range map[string]string{
		"easy": "easy", "standard": "standard", "hard": "hard", "difficult": "hard", "Difficult": "hard", "diff": "hard", "extreme": "extreme", "brutal": "",
	} {
		l := order.ReadLetter([]string{"new game", "hal: " + word})
		if l.Items[0].Word.Game.Hal != want || l.Items[0].Word.Game.Bad != (want == "") {
			t.Errorf("hal: %s: %+v", word, l.Items)
		}
	}
}
