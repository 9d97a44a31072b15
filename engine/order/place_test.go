package order_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"angelpost/engine/order"
)

// fates are what becomes of each line of a letter: "+" it is obeyed, "?" and a
// doubt, "!" it cannot be read and keeps orders from being played, "~" it is told
// but keeps nothing, "." it is passed over. Lines of a message are "m".
func fates(l order.Letter, lines []string) []string {
	out := make([]string, len(lines))
	for _, n := range l.Passed {
		out[n-1] = "."
	}
	for _, it := range l.Items {
		fate := "+"
		switch {
		case it.Doubt != "":
			fate = "?" + strings.TrimPrefix(string(it.Doubt), "doubt-")
		case it.Problem != nil && !strings.HasPrefix(it.Problem.Code, "order-"):
			fate = "~" + it.Problem.Code
		case it.Problem != nil, it.Clause != nil && !it.Clause.Readable():
			fate = "!"
		}
		out[it.Line-1] = fate
		if k := it.Word.Kind; it.Problem == nil && (k == order.Say || k == order.Note || k == order.Announce) {
			for i := range strings.Count(it.Word.Text, "\n") + 2 {
				if n := it.Line + i; n < len(lines) && n > it.Line && strings.Contains(it.Word.Text, strings.TrimSpace(lines[n-1])) {
					out[n-1] = "m"
				}
			}
		}
	}
	return out
}

// Every short order in every place of a letter.
func TestShortOrdersByPlace(t *testing.T) {
	shorts := []string{
		"B", "b", "B.", "- B", "1) B", "pass", "Pass!", "done", "stop", "no", "undo", "yes", "no.", "resign", "decline", "rematch", "cancel", "abandon", "back", "pause",
		"2", "3", "12", "013", "27", "2 4", "2.1", "a4", "b4", "c4", "t12", "s1", "don", "Don", "Di", "Re", "Des", "La", "comm", "res", "pa",
		"card", "keep", "discard", "reserve", "command", "repair", "destroy", "discover", "launch", "activate", "collect", "green", "Green", "gray", "g",
		"B. G.", "B G", "D. Gray", "Di Green", "O. Green", "B. Green", "d g 2", "g 2", "Miss Green", "B # my move", "mute", "link", "yes please", "yes, thanks",
	}
	long := "card 013 at row 2"
	// One word spelled out is no initial and no name: it is believed after harmless prose, and
	// below a closing with nothing above.
	spelledOut := func(s string) bool {
		switch strings.ToLower(strings.Trim(s, "!.")) {
		case "pass", "done", "resign", "decline", "card", "keep", "discard", "reserve", "command", "repair", "destroy", "discover", "launch", "activate", "collect":
			return true
		}
		return false
	}
	believed := []string{"below a closing on the line after", "below a closing nobody lists", "after prose and an empty line", "after what announces a turn", "after prose, above a closing"}
	for _, s := range shorts {
		if l := order.ReadLetter([]string{s}); len(l.Items) == 0 || l.Items[0].Problem != nil || l.Items[0].Clause != nil && !l.Items[0].Clause.Readable() {
			t.Errorf("%q is no order", s)
			continue
		}
		for _, c := range []struct {
			name, letter string
			want         string // what becomes of the short line
		}{
			{"alone", "§", "+"},
			{"a greeting above", "Hi all,\n\n§", "+"},
			{"a closing below", "§\n\nThanks,\nAnn", "+"},
			{"both, in German", "Hallo Carla,\n§\nViele Grüße\nAnna", "+"},
			{"a quotation above", ">\n§\n>", "+"},
			{"with preview", "preview\n§", "+"},
			{"below a long order", long + "\n§", "+"},
			{"above a long order", "§\n" + long, "+"},
			{"between long orders", long + "\n§\nreserve gray 3", "+"},
			{"prose, and then a turn", "Here is my turn:\n§\n" + long, "+"},
			{"prose below it", "§\nSorry it took me so long.", "+"},
			{"below a closing", "status\n\nThanks,\n§", "?closing"},
			{"below a closing on the line after", "Thanks\n\n§", "?closing"},
			{"below a closing in French", long + "\n\nBien cordialement,\n§", "?closing"},
			{"below a closing nobody lists", long + "\n\nMaradok tisztelettel,\n§", "?prose"},
			{"below a name below a closing", long + "\nBest regards\nAnna Alpha\n§\n", "?closing"},
			{"after prose", "I think it is a fine day for this.\n§", "?prose"},
			{"after prose and an empty line", "My opponent is too strong for me.\n\n§", "?prose"},
			{"after what announces a turn", "here is my turn:\n§", "?prose"},
			{"after prose, above a closing", "Well, here goes:\n§\nCheers,\nAnn", "?prose"},
			{"after a message", "say: good luck\n§", "?message"},
			{"after a message and an empty line", "say: good luck\n\n§", "?message"},
			{"after a long message", "say:\ngood luck\nto you\nend\n§", "?message"},
			{"after a note", "note: he bluffs\n§", "?message"},
		} {
			lines := strings.Split(strings.ReplaceAll(c.letter, "§", s), "\n")
			i := slices.Index(strings.Split(c.letter, "\n"), "§")
			if spelledOut(s) && slices.Contains(believed, c.name) {
				c.want = "+"
			}
			if s == "cancel" && (c.name == "below a long order" || c.name == "between long orders") {
				c.want = "?beside" // the order, or the game?
			}
			if got := fates(order.ReadLetter(lines), lines); got[i] != c.want {
				t.Errorf("%q %s: %q, want %q in %q", s, c.name, got[i], c.want, lines)
			}
		}
	}
}

// What becomes of each line of a letter.
func TestPlaces(t *testing.T) {
	turn := "card 013 at row 2: 2.1, 2.3 resource\ndie gray 0 flip: command\nlaunch to b4"
	for _, c := range []struct{ name, letter, want string }{
		{"a turn among courtesies", "Dear all,\n\nthanks for waiting, here is my turn:\n\n" + turn + "\n\nBest regards\nAnna Alpha\n+49 170 123 45 67", ". . + + + . . ."},
		{"signed in German", turn + "\n\nMit freundlichen Grüßen\nAnna", "+ + + . ."},
		{"signed in French", "Bonjour,\n" + turn + "\nCordialement,\nMarie Dupont\n12, rue de la Paix\n75002 Paris", ". + + + . . . ."},
		{"signed with an address", turn + "\n\nAnna Alpha\n4 Green Lane\nLondon N1 9GU\nTel. 020 7946 0958\nwww.example.org", "+ + + . . . . ."},
		{"signed in Japanese", turn + "\n\nよろしくお願いします\n田中", "+ + + . ."},
		{"a slogan", turn + "\n\n\"Not all those who wander are lost\"\n~~~~~~~", "+ + + . ."},
		{"text directly below an order", turn + "\nFrobnicate the quux\nand more", "+ + + ~no-order ."},
		{"a few words directly below an order", turn + "\nsent from my phone", "+ + + ~no-order"},
		{"words of orders directly below one", turn + "\nfrobnicate the ship", "+ + + !"},
		{"a number directly below an order", turn + "\nfrobnicate 2", "+ + + !"},
		{"a verb directly below an order", turn + "\nrepair it all", "+ + + !"},
		{"talk directly below an order", turn + "\ntake it slowly, mate\nanna", "+ + + ~no-order ."},
		{"a few words further below", turn + "\n\nfrobnicate the quux", "+ + + ."},
		{"a few words in a letter without orders", "Hello,\nstatus\n\nfrobnicate", ". + !"},
		{"a sentence in one", "Hello,\nstatus\n\nHow is it going?", ". + ."},
		{"a friendly sentence", turn + "\n\nGood game so far! I was tempted to do a B.", "?beside ?beside ?beside ."},
		{"sentences with verbs of the game", turn + "\nTake care!\nNo idea what comes next.\nKeep it up.\nI only have 1 ship left.", "+ + + . . . ."},
		{"prose between orders", "card 013 at row 2\nI hope this is right\ndie gray 0", "+ ! +"},
		{"a mistyped first order", "crad 013 at row 2\ndie gray 0", "! +"},
		{"a mistyped last order", "die gray 0\ncommand\nlunch to b4", "+ + !"},
		{"a mistyped word below", "die gray 0\ncomand", "+ !"},
		{"a mistyped word above", "Hi,\ncomand\nlaunch to b4", ". ! +"},
		{"nearly a verb, but a signature", "die gray 0\ncommand\n\nKeeps", "+ + ."},
		{"a row that is not", "die gray 0\ninject a5 row 9", "+ !"},
		{"a sentence around an order", "I think I will play card 013 at row 2\nB", "! ?beside"},
		{"half a line", "B; unless Bob objects\ndie gray 2", "! ?beside"},
		{"an order and more", "die gray 2 pleaze", "!"},
		{"only prose", "Hello there\nhow are you today", ". !"},
		{"only courtesy", "Thanks!\nAnna", ". ."},
		{"questions of all kinds", "Here goes.\nstatus\nrules 013\nhelp\n\nThanks,\nstatus", ". + + + . +"},
		{"an order after a word", "status\nB", "+ ?word"},
		{"a turn after a word", "status\n" + turn, "+ + + +"},
		{"words after words", "format text\nnotify mine\nresign", "+ + +"},
		{"a word after prose", "I have to give up.\nresign", ". ?prose"},
		{"a word of more than one after prose", "Tell me by mail, please.\nformat html", ". +"},
		{"a name, and courtesy", "Hi,\nname Anna Alpha\nThanks,\nAnna", ". + . ."},
		{"a name above a turn", "name: Anna Alpha\n" + turn, "+ + + +"},
		{"a name after prose and an empty line", "Call me otherwise, please.\n\nname Anna Alpha", ". +"},
		{"a name directly after prose", "Call me otherwise, please.\nname Anna Alpha", ". ?prose"},
		{"a broken sentence", "Please tell me the\nname you want. I will\nbe there", ". ?prose !"},
		{"a sentence", "Name the price!", "?prose"},
		{"what goes on behind name", "name is Bob", "?prose"},
		{"a whole sentence as a name", "name Ann who was in the first round", "?prose"},
		{"a form", "Name: Bob Smith\nPhone: 123", "?prose ."},
		{"a patch", "Here it is\n\n+name = Zed", ". ?prose"},
		{"a setting", "name = Zed", "?prose"},
		{"a league's file below a mistyped word", "amned Foo\nname: The Long Way\nkind: solo", "! ?prose !"},
		{"words below a closing", "status\nRegards,\nresign\nname Anna Alpha\nzone Europe/Berlin", "+ . ?closing ?closing ?closing"},
		{"long orders below a closing", "status\nRegards,\n" + turn, "+ . ?closing ?closing ?closing"},
		{"thanks above a turn", "Thanks!\n\n" + turn, ". + + +"},
		{"thanks above a short order", "Thanks!\n\nB", ". ?closing"},
		{"wrong lines below a closing", turn + "\nBest,\nAnna\nPS: die gray 2 instead\naddress Main Street 1", "?beside ?beside ?beside . . ~closing-unread ."},
		{"initials after an empty line", turn + "\n\nB", "+ + + ?name"},
		{"initials with dots", turn + "\n\nB. G.\n+49 170 123", "+ + + ?name ."},
		{"a name that shortens a word", turn + "\n\nDon", "+ + + ?name"},
		{"a word after an empty line", turn + "\n\ndone", "+ + + +"},
		{"B after an empty line, then a closing", "keep 031\n\nB\n\nCheers,\nAnn", "+ + . ."},
		{"B below what is quoted", "keep 031\n>\nB", "+ +"},
		{"double spaced", "card 013 at row 2\n\ndie gray 0\n\ncommand", "+ + +"},
		{"somebody is written to", "Don,\nI will move tomorrow.", "?name ."},
		{"a yes to a question, in a letter", "Sure, why not.\nyes\nBest, Anna", ". ?prose ."},
		{"preview in between", "status\npreview\n" + turn, "+ + + + +"},
		{"announced on the same line", "My turn: card 013 at row 2\nTurn 3: die gray 0\ncommand", "+ + +"},
		{"announced", "My move:\n" + turn + "\nTurn 4:", ". + + + ."},
		{"plan and signature", "B\nplan\ncard 013 at row 2\ndie gray 2\n\nBest regards\nAnna Alpha\n+49 170 123", "+ + . . ."},
		{"plan and prose", "plan\ncard 013 at row 2\n\nIf you have questions, write to me.", "+ ."},
		{"plan and an initial", "plan\ncard 013 at row 2\nThanks,\nB", "+ . ?closing"},
		{"plan after prose", "Let us go on with\nplan B", ". ?prose"},
		{"if you like", turn + "\nIf you have any questions, call me.\nOtherwise I would be lost.", "?beside ?beside ?beside ~no-order ."},
		{"a guard out of place", turn + "\nif tile t12: B", "+ + + !"},
		{"below a message", "say: good luck\n\nAnd another thing.\nIt is late.\n\n" + turn, "+ ~say-rest . + + +"},
		{"a signature below a message", "say: good luck\n\nBest,\nAnn", "+ . ."},
		{"a closing in a message", "say: good luck\nBest,\nAnn\n\n" + turn, "+ m m + + +"},
		{"orders below a message", "say: good luck\nB\nreserve orange 1\ndie orange 1", "+ + + +"},
		{"a mistyped order below a message", "say: good luck\ncrad 013 at row 2\ndie gray 0", "+ ! +"},
		{"a message of several lines", "say: I would not do that if I were you, for reasons which I shall\nname at the end of the game\nstatus quo is what I want\n" + turn, "+ m m + + +"},
		{"a message with paragraphs", "say to Bob:\nDear Bob,\n\nB is bad.\nB\n\nAnn\nend\n" + turn, "+ m m m m + + +"},
		{"two messages, one with end", "say:\nhello\n\nsay to Bob:\nsecret\nend", "+ m + m"},
		{"a message without end", "say:\nhello\n\n" + turn, "+ m + + +"},
		{"a plan below a message", "say: hello\nplan\nB", "+ +"},
		{"a standing order below a message", "say: hello\nalways reserve 3", "+ +"},
		{"a long line that is no order", turn + "\n\n" + strings.Repeat("This message is confidential. ", 160), "+ + + ."},
		{"a long line of orders", strings.Repeat("die gray 2; ", 50), "!"},
	} {
		lines := strings.Split(c.letter, "\n")
		var got []string
		for i, f := range fates(order.ReadLetter(lines), lines) {
			if f != "" && strings.TrimSpace(lines[i]) != "" {
				got = append(got, f)
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s\n want %s\n%s", c.name, s, c.want, c.letter)
		}
	}
}

// Letters as people write them, made up of parts: whatever they are made of, no
// short order after prose and no order below the closing is obeyed unasked, and
// every order is that is all there is, or stands directly below another.
func TestNoSignatureIsPlayed(t *testing.T) {
	greetings := []string{"Hi all,", "Hello!", "Dear Carla,", "Hallo zusammen,", "Liebe Anna,", "Bonjour à tous,", "Hola,", "Ahoj!", "Привет!", "Hej Olof,"}
	proses := []string{"Sorry for the delay.", "What a game so far!", "Here is my turn:", "I was away over the weekend.", "Das war knapp.", "Das hat Spaß gemacht.",
		"Désolé pour le retard !", "Perdona la demora.", "Scusate il ritardo.", "Nog een fijne avond.", "Přeji hezký víkend všem.", "遅くなってすみません。", "What a turn…"}
	closings := []string{"Thanks,", "Best regards,", "Cheers", "Mit freundlichen Grüßen", "Viele Gruesse", "LG", "Cordialement,", "Bien à vous", "Saludos,", "Cari saluti,",
		"Met vriendelijke groet,", "Obrigado,", "Vänliga hälsningar", "Kiitos!", "Pozdrawiam,", "S pozdravem", "С уважением,", "Thanks a lot, and good luck to everybody!", "敬具"}
	unlisted := []string{"Maradok tisztelettel,", "Agur,", "Hwyl,", "Slán go fóill,", "Sala kahle,"}
	names := []string{"Anna", "Anna Alpha", "Bob the Bold", "Dr. med. Frieda Müller", "田中", "+49 170 123 45 67", "12, rue de la Paix", "www.example.org", "~ ~ ~"}
	shorts := []string{"B", "B.", "b", "pass", "done", "undo", "2", "3", "013", "27", "a4", "b4", "2.1", "comm", "Don", "Di", "La", "Re", "green", "command", "card", "D. Gray", "B. G.", "Di Green"}
	spelledOut := []string{"pass", "done", "command", "card"}
	longs := []string{"card 013 at row 2", "die gray 0 flip: command", "launch to b4", "mission 027", "reserve gray 3, green 3", "take t12 t30", "2.1 resource", "inject t12 column 1"}
	rnd := rand.New(rand.NewPCG(13, 1))
	pick := func(from []string) string { return from[rnd.IntN(len(from))] }

	type part struct {
		kind  byte // (g)reeting, (p)rose, (o)rders, (c)losing, (u)nlisted closing, (n)ame
		lines []string
		sure  bool
	}
	asked, played := 0, 0
	for range 10000 {
		var parts []part
		if rnd.IntN(3) == 0 {
			parts = append(parts, part{'g', []string{pick(greetings)}, false})
		}
		for range 1 + rnd.IntN(5) {
			p := part{kind: "ppoooccun"[rnd.IntN(9)]}
			switch p.kind {
			case 'p':
				p.lines = append(p.lines, pick(proses))
			case 'c':
				p.lines = append(p.lines, pick(closings))
			case 'u':
				p.lines = append(p.lines, pick(unlisted))
			case 'n':
				p.lines = append(p.lines, pick(names))
			case 'o':
				for range 1 + rnd.IntN(3) {
					if rnd.IntN(2) == 0 {
						p.lines = append(p.lines, pick(shorts))
					} else {
						p.lines, p.sure = append(p.lines, pick(longs)), true
					}
				}
			}
			if n := len(parts); n > 0 && parts[n-1].kind == 'o' && p.kind == 'o' {
				continue // two blocks would be one
			}
			parts = append(parts, p)
		}
		var lines []string
		start := make([]int, len(parts))
		for i, p := range parts {
			for range rnd.IntN(3) {
				if i > 0 {
					lines = append(lines, "")
				}
			}
			start[i] = len(lines)
			lines = append(lines, p.lines...)
		}
		got := fates(order.ReadLetter(lines), lines)
		ordered, closed, text := false, false, false // above: orders, a closing below them, anything but a greeting
		for i, p := range parts {
			if p.kind != 'o' {
				closed = closed || ordered && p.kind == 'c'
				text = text || p.kind != 'g'
				continue
			}
			doubtful := closed || text && !p.sure
			if !closed && slices.ContainsFunc(p.lines, func(s string) bool { return slices.Contains(spelledOut, s) }) {
				ordered, text = true, true
				continue // they may be believed (TestShortOrdersByPlace)
			}
			between := slices.Contains(got, "!") // prose between orders is an error, and keeps all from being played
			for k := range p.lines {
				fate := got[start[i]+k]
				switch {
				case doubtful && !strings.HasPrefix(fate, "?"):
					t.Fatalf("line %d is obeyed (%q) in\n%s", start[i]+k+1, fate, strings.Join(lines, "\n"))
				case doubtful:
					asked++
				case fate == "+":
					played++
				case !text || !ordered && !between && !slices.ContainsFunc(parts[:i], func(p part) bool { return p.kind == 'c' }):
					t.Fatalf("line %d is not obeyed (%q) in\n%s", start[i]+k+1, fate, strings.Join(lines, "\n"))
				}
			}
			ordered, text = true, true
		}
	}
	if asked < 1500 || played < 1500 {
		t.Errorf("%d lines asked about, %d obeyed", asked, played)
	}
}

// TestOwnExampleIsNoName: letters say how to change one's name, and come back whole.
func TestOwnExampleIsNoName(t *testing.T) {
	for _, line := range []string{"`name YOUR NAME`.", "name YOUR NAME", "name: your name"} {
		for _, it := range order.ReadLetter([]string{line}).Items {
			if it.Word.Kind == order.Name || it.Problem != nil {
				t.Errorf("%q is read as %+v", line, it)
			}
		}
	}
}

// After prose that is harmless B is what it says, if its author does not sign so.
func TestBAfterHarmlessProse(t *testing.T) {
	for _, c := range []struct{ letter, name, want string }{
		{"Here is my turn:/B", "Kal Winter", ". +"},
		{"The weather is fine today.//B", "Kal Winter", ".  +"},
		{"The weather is fine today.//B", "Bob Winter", ".  ?prose"},
		{"The weather is fine today.//B", "Kal Berg", ".  ?prose"},
		{"The weather is fine today.//B", "", ".  ?prose"},
		{"Enjoy the sunshine,/B", "Kal Winter", ". ?closing"},
		{"Good luck!/B", "Kal Winter", ". ?closing"},
		{"I could do that:/B", "Kal Winter", ". ?hedged"},
		{"Sunny greetings to all of you from the old garden above the sea and/pass", "Kal Winter", ". ?prose"},
		{"The weather is fine and the sun is high above the house today.//pass", "Kal Winter", ".  +"},
		{"GG everyone/resign", "Kal Winter", ". +"},
		{"keep 031/GG everyone/resign", "Kal Winter", "+ . ?closing"},
	} {
		lines := strings.Split(c.letter, "/")
		if got := strings.Join(fates(order.ReadLetter(lines, c.name), lines), " "); got != c.want {
			t.Errorf("%q by %s: %q, want %q", c.letter, c.name, got, c.want)
		}
	}
}

// The initial with which authors sign is no order, though it may read like one.
func TestInitials(t *testing.T) {
	for _, c := range []struct{ letter, name, want string }{
		{"keep 031/K", "Kal Winter", "+ ?name"},
		{"keep 031//K", "Kal Winter", "+  ?name"},
		{"keep 031/k", "Nora Winter", "+ +"},
		{"keep 031/J", "Jan Winter", "+ ."},
		{"keep 031/J. W.", "Jan Winter", "+ ."},
		{"keep 031/JW", "Jan Winter", "+ ."},
		{"Herzliche Grüße//R", "Rosa Winter", ".  ."},
		{"keep 031//Herzliche Grüße//R", "Rosa Winter", "+  .  ."},
		{"keep 031//Herzliche Grüße//B", "Rosa Winter", "+  .  ?closing"},
		{"keep 031//Thanks/K/card 013 at row 2", "Kal Winter", "+  . ?closing ?closing"},
		{"K", "Kal Winter", "+"},
		{"Hi//B", "Bob Stone", ".  +"},
		{"K/keep 031", "Kal Winter", "+ +"},
	} {
		lines := strings.Split(c.letter, "/")
		if got := strings.Join(fates(order.ReadLetter(lines, c.name), lines), " "); got != c.want {
			t.Errorf("%q by %s: %q, want %q", c.letter, c.name, got, c.want)
		}
	}
}
