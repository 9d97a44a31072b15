package order_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"angelpost/engine/order"
)

// Sentences around an order (§) that do not give it. "/" is where programs wrap them.
var notMeant = strings.Split(strings.TrimSpace(`
Please don't / §
Do not / § / please
I would never / §
I won't / § / this time
I'd rather not / §
Not / § / , that is for sure
I decided against it: no / §
Should I / §?
Should I / § / or what do you think?
Is it possible to / §?
Can I / §?
Could I / §?
May I / § / now?
What if I / §?
Why would anyone / §?
I wonder whether I should / §
If Beta passes I will / §
If that is legal, / §
Unless Beta objects I will / §
When the orange die comes back I will / §
Once Beta has moved, I want to / §
I will / § / if Beta passes
I will / § / unless that is impossible
I'd like to / § / when I can afford it
I would like to / § / but I can't
Last turn I wanted to / §
Yesterday I did / §
I already played / §
Earlier I thought I would / §
I was going to / §
I had planned to / §
Last time it was / §
I should have played / §
Beta played / §
Beta will surely / §
Beta is going to / §
Beta takes / §
I fear that Beta will / §
Your best move is to / §
You should / §
You could / §
They want to / §
My opponents always / §
She said: / §
He told me to / §
The hint suggests: / §
Beta wrote: / §
Either / § / or I pass
Either I pass, or / §
I could / § / or wait
Maybe I'll / §
Perhaps / §
I might / §
I think about whether to / §
I am tempted to / §
I wish I could / §
It would be nice to / §
Imagine I could / § / , would that be legal?
Suppose I / §
Tomorrow I will perhaps / §
Later I may / §
For example: / §
`), "\n")

// Sentences that give it, and nothing else.
var meantSo = strings.Split(strings.TrimSpace(`
I'd like to §
I'd like to § please
I’d like to §, please.
I would like to §.
I want to §
I'll §
I will §!
Please §
OK, §
Okay, so I'd like to §
First §
First, I want to §
Let me §
I am going to §
I'm going to §
My move is to §
My move: §
§ please
§, thanks
Could you please §
I have decided to §
`), "\n")

var plainOrders = []string{"play card 13 at row 2", "play card 27 at column 1", "take die orange 2", "buy die gray 1 from Beta", "take the green die", "launch to b4", "launch to c3",
	"keep 31", "discard 12", "activate 2.1", "play card 013 at row 1; die orange 2"}

// played are the lines of a letter that would be carried out: none if one of them cannot be
// read.
func played(l order.Letter) (out []string) {
	for _, it := range l.Items {
		switch {
		case it.Doubt != "":
		case it.Problem != nil && !strings.HasPrefix(it.Problem.Code, "order-"):
		case it.Problem != nil, it.Clause != nil && !it.Clause.Readable():
			return nil
		default:
			out = append(out, it.Text)
		}
	}
	return out
}

// TestNothingIsPlayedThatWasNotMeant writes 10,000 letters about orders that their writer does
// not give, wrapped and not, some with orders that are given: only these are played.
func TestNothingIsPlayedThatWasNotMeant(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := range 10_000 {
		sentence := notMeant[n%len(notMeant)]
		about := plainOrders[rng.IntN(len(plainOrders))]
		switch rng.IntN(3) {
		case 0:
			sentence = strings.ReplaceAll(sentence, " / ", " ")
		case 1:
			sentence = strings.ReplaceAll(sentence, " / ", "\n")
		case 2:
			sentence = strings.Replace(sentence, " / ", " ", 1)
			sentence = strings.ReplaceAll(sentence, " / ", "\n")
		}
		sentence = strings.ReplaceAll(sentence, "§", about)
		var lines []string
		if rng.IntN(3) == 0 {
			lines = append(lines, "Hi all,", "")
		}
		given := rng.IntN(3)
		if given == 1 {
			lines = append(lines, "collect 3.2", "")
		}
		lines = append(lines, strings.Split(sentence, "\n")...)
		if given == 2 {
			lines = append(lines, "", "collect 3.2")
		}
		if rng.IntN(3) == 0 {
			lines = append(lines, "", "Thanks,", "Anna")
		}
		for _, p := range played(order.ReadLetter(lines, "Anna")) {
			if p != "collect 3.2" || given == 0 {
				t.Fatalf("plays %q of\n%s", p, strings.Join(lines, "\n"))
			}
		}
	}
}

// TestOrdersAsPeopleSayThem reads every way to say an order as the order alone.
func TestOrdersAsPeopleSayThem(t *testing.T) {
	read := func(line string) (n int) {
		for _, it := range order.ReadLetter([]string{line}).Items {
			if it.Doubt != "" || it.Clause == nil || !it.Clause.Readable() {
				return 0
			}
			n++
		}
		return n
	}
	for _, s := range meantSo {
		for _, o := range plainOrders {
			line := strings.ReplaceAll(s, "§", o)
			if got, want := read(line), strings.Count(o, ";")+1; got != want {
				t.Errorf("%q: %d orders", line, got)
			}
		}
	}
	if n := read("I'd like to play card 13 at row 2, then the orange die please"); n != 2 {
		t.Errorf("%d orders", n)
	}
}

// A question is no order, and no word that changes something either.
func TestQuestionsAreAsked(t *testing.T) {
	for _, line := range []string{"undo?", "resign?", "pause?", "Resign?!"} {
		l := order.ReadLetter([]string{line})
		if len(played(l)) > 0 {
			t.Errorf("%q plays %q", line, played(l))
		}
	}
	for _, line := range []string{"status?", "help?", "hint?"} {
		if len(played(order.ReadLetter([]string{line}))) != 1 {
			t.Errorf("%q is not answered", line)
		}
	}
}

// What people say below their orders is no part of their sentence.
func TestTalkBelowOrdersTakesNothingBack(t *testing.T) {
	for _, talk := range []string{
		"sorry it took so long, I was away", "thanks, see you later", "frobnicate the quux", "was a hard turn", "had fun with this one", "you were quick this time", "has been a good game so far",
	} {
		if got := played(order.ReadLetter([]string{"card 013 row 2", "die orange 2", talk}, "Anna")); len(got) != 2 {
			t.Errorf("plays %q above %q", got, talk)
		}
	}
	for _, more := range []string{"if Beta passes", "unless that is illegal", "would be nice", "but I can't", "or die gray 1?", "maybe", "perhaps not", "not sure about that", "think I'd rather wait", "did Beta pass?", "falls Beta passt", "vielleicht doch nicht"} {
		if got := played(order.ReadLetter([]string{"die orange 2", more}, "Anna")); len(got) != 0 {
			t.Errorf("plays %q above %q", got, more)
		}
	}
}

// A sentence above quotation says nothing of the orders below it.
func TestHedgeAboveQuotation(t *testing.T) {
	for _, c := range []struct{ letter, want string }{
		{"I was away\n>\nlaunch to b4", "+"},
		{"I do not know\n>\nlaunch to b4", "?beside"},
		{"I would not do this:\n>\nlaunch to b4", "?hedged"},
		{"I do not want to\nlaunch to b4", "?hedged"},
	} {
		lines := strings.Split(c.letter, "\n")
		if got := fates(order.ReadLetter(lines), lines); got[len(lines)-1] != c.want {
			t.Errorf("%q: %q, want %s", c.letter, got, c.want)
		}
	}
}
