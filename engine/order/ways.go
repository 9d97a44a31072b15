package order

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The ways in which people write one order. If a line can't be read as it is, the reader
// tries it without what people put around it: a list's number, words that announce the
// order or ask for it, a remark in parentheses; and then with the number words and marks
// that dictation spells out.

// said reads a line in these ways. aside is the remark that was in parentheses.
func said(n int, line string) (items []Item, aside string, ok bool) {
	if len(line) > maxSaid {
		return nil, "", false
	}
	if head, tail, found := cutRemark(line); found {
		return readLine(n, head), tail, true
	}
	rest, cut := line, false
	if in, note, found := cutAside(rest); found {
		rest, aside, cut = in, note, true
	}
	for range maxLeads {
		more, found := cutNumber(rest)
		if !found {
			more, found = cutLeads(rest)
		}
		if !found {
			break
		}
		rest, cut = more, true
	}
	if cut {
		if items = readLine(n, rest); spelledOut(items, rest) {
			return items, aside, true
		}
	}
	if plain, found := dictated(rest); found {
		if items = readLine(n, plain); readable(items) && sure(lex(plain)) {
			return items, aside, true
		}
	}
	return nil, "", false
}

// maxSaid bounds the bytes of a line that is also read in other ways than literally.
const maxSaid = 160

// spelledOut reports whether what is left of a line is orders, or words that change
// nothing: not just the beginning of a verb, and not a word such as resign, which we
// propose instead (mistyped.go).
func spelledOut(items []Item, rest string) bool {
	if !readable(items) || !sure(lex(rest)) && !isVerb(Key(rest)) && Key(rest) != "b" && Key(rest) != "undo" && items[0].Word.Kind == NoWord {
		return false
	}
	for _, it := range items {
		if it.Clause == nil && it.Word.Kind != Undo && it.Word.Changes() {
			return false
		}
	}
	return true
}

// cutListed cuts a list's number off an order that is spelled out with its verb. Otherwise
// "(1) card 013 at row 2" would be a location and a card.
func cutListed(line string) (rest string, ok bool) {
	if len(line) > maxSaid {
		return line, false
	}
	rest, ok = cutNumber(line)
	if !ok {
		if first, more := cutWord(line[opening(line):]); len(first) <= 2 && first != "" && strings.Trim(first, "0123456789") == "" {
			rest, ok = trim(more), true
		}
	}
	first, _ := cutWord(rest)
	return rest, ok && isVerb(Key(first)) && sure(lex(rest)) && readable(readLine(1, rest))
}

// cutAside cuts a remark in parentheses off a line's end.
func cutAside(line string) (rest, aside string, ok bool) {
	bare := strings.TrimRight(trim(line), ".!,; ")
	if !strings.HasSuffix(bare, ")") && !strings.HasSuffix(bare, "）") {
		return line, "", false
	}
	_, size := utf8.DecodeLastRuneInString(bare)
	at := strings.LastIndexAny(bare[:len(bare)-size], "(（")
	if at <= 0 || trim(bare[:at]) == "" {
		return line, "", false
	}
	_, open := utf8.DecodeRuneInString(bare[at:])
	return trim(bare[:at]), bare[at+open : len(bare)-size], true
}

// maxTails bounds the places at which a remark may begin after an order.
const maxTails = 4

// cutRemark cuts a remark off an order that is spelled out: "keep 034... my favourite",
// "card 032 at row 2, not sure, sorry". The remark does not belong to the order, and all of
// its words are known.
func cutRemark(line string) (head, tail string, ok bool) {
	v := wordsOfRemarks()
	at := len(line)
	for range maxTails {
		at = max(strings.LastIndex(line[:at], ", "), strings.LastIndex(line[:at], ". "), strings.LastIndex(line[:at], " - "), strings.LastIndex(line[:at], " – "),
			strings.LastIndex(line[:at], "..."), strings.LastIndex(line[:at], "…"))
		if at <= 0 {
			break
		}
		before, after := strings.TrimRight(line[:at], " .,"), line[at:]
		keys, ws := remarkTokens(after)
		m := remark{text: after, keys: keys, words: ws}
		active := v.languages([]remark{m})
		if len(ws) == 0 || v.partOfOrder(m, active) || beginsOrder(strings.TrimLeft(after, aroundMarks)) {
			break
		}
		if spelledOut(readLine(1, before), before) {
			head, tail, ok = before, after, v.weigh(m, active) != unknown
		}
	}
	return head, tail, ok
}

// listNames may precede the number of a list: "Step 1:".
var listNames = words("step order move action nr no number")

// cutNumber cuts a list's number or letter off: "(1)", "a.", "[2]", "1:", "Step 1:",
// "1st:". A bare letter counts only before an order that is spelled out, because names have
// initials.
func cutNumber(line string) (rest string, ok bool) {
	s := trim(line)
	first, more := cutWord(s)
	named := false
	if listNames[Key(first)] {
		named, s = true, trim(more)
	}
	opened := strings.TrimLeft(s, "([{#")
	bracket := len(opened) < len(s)
	label := opened
	if i := strings.IndexFunc(opened, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Me, r) && !unicode.Is(unicode.No, r)
	}); i >= 0 {
		label = opened[:i]
	}
	after := opened[len(label):]
	closed := strings.TrimLeft(after, ".:)]}/-–—, ")
	marks := strings.TrimRight(after[:len(after)-len(closed)], " ")
	key := Key(label)
	number := key != "" && strings.Trim(key, "0123456789") == "" && len(key) <= 2 || ordinals[key] != 0 ||
		named && numberWords[key] > 0 || circled(label)
	letter := len(key) == 1 && key >= "a" && key <= "h" || key == "i" || key == "ii" || key == "iii" || key == "iv" || key == "v"
	switch {
	case closed == "" || !number && !letter || marks != "" && len(marks) == len(after)-len(closed) && closed[0] >= '0' && closed[0] <= '9': // 2.1
		return line, false
	case number && (marks != "" || bracket || named || circled(label)):
	case letter && (marks != "" || bracket) && sure(lex(closed)):
	default:
		return line, false
	}
	return closed, true
}

// circled reports whether a label is a number in a circle or on a key.
func circled(label string) bool {
	r, _ := utf8.DecodeRuneInString(label)
	return r >= 0x2460 && r <= 0x2473 || strings.ContainsRune(label, 0x20e3)
}

// ordinals are the numbers of rows and columns, and of steps.
var ordinals = map[string]int{"1st": 1, "2nd": 2, "3rd": 3, "first": 1, "second": 2, "third": 3, "4th": 4, "5th": 5, "fourth": 4, "fifth": 5}

// numberWords are the number words up to nineteen, and the tens.
var numberWords = func() map[string]int {
	m := map[string]int{}
	for i, w := range wordsIn("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen") {
		m[w] = i
	}
	for i, w := range wordsIn("twenty thirty forty fifty sixty seventy eighty ninety") {
		m[w] = 20 + 10*i
	}
	m["fourty"], m["nought"] = 40, 0
	return m
}()

// spokenMarks are marks as dictation writes them out.
var spokenMarks = map[string]string{"comma": ",", "colon": ":", "semicolon": ";", "semi colon": ";", "full stop": ".", "period": ".", "new line": ";", "newline": ";", "next line": ";", "new paragraph": ";", "point": ".", "dot": "."}

// counted are words before a number whose digits are spoken one by one.
var counted = words("card mission ravager keep discard play number cards missions")

// dictated writes number words and marks of a line as figures: "card zero six two at column
// two comma die gray star". ok is false if there are none.
func dictated(line string) (plain string, ok bool) {
	var out []string
	ws := wordsIn(strings.ReplaceAll(line, "-", " "))
	digits := func(w string) (string, bool) { // of one digit, spoken or written
		if n, ok := numberWords[w]; ok && n < 10 {
			return string(rune('0' + n)), true
		}
		if w == "oh" || w == "o" {
			return "0", true
		}
		if len(w) == 1 && w[0] >= '0' && w[0] <= '9' {
			return w, true
		}
		return "", false
	}
	bare := func(i int) string { return strings.ToLower(strings.Trim(ws[i], ",.;:!")) }
	for i := 0; i < len(ws); {
		look(len(ws[i]))
		w := bare(i)
		tail := ws[i][len(strings.TrimRight(ws[i], ",.;:!")):]
		if i+1 < len(ws) && tail == "" {
			if m, is := spokenMarks[w+" "+bare(i+1)]; is {
				out, ok = append(out, m), true
				i += 2
				continue
			}
		}
		if m, is := spokenMarks[w]; is {
			out, ok = append(out, m), true
			i++
			continue
		}
		text, n := "", 0
		d, is := digits(w)
		before := ""
		if len(out) > 0 {
			before = Key(out[len(out)-1])
		}
		switch {
		case is && tail == "" && (d == "0" || counted[before]): // digit by digit
			for text, n = d, 1; n < 3 && i+n < len(ws) && strings.TrimRight(ws[i+n-1], ",.;:!") == ws[i+n-1]; n++ {
				next, is := digits(bare(i + n))
				if !is {
					if v, tens := numberWords[bare(i+n)]; tens && n == 1 && v >= 10 { // "oh sixty two"
						text += string(rune('0' + v/10))
						if v%10 != 0 || v < 20 {
							text += string(rune('0' + v%10))
							n++
						} else if more, is := digitAt(ws, i+n+1); is && v >= 20 {
							text += more
							n += 2
						} else {
							text += "0"
							n++
						}
					}
					break
				}
				text += next
			}
			tail = ws[i+n-1][len(strings.TrimRight(ws[i+n-1], ",.;:!")):]
		case is && w != "o" && w != "oh":
			text, n = d, 1
		default:
			if v, word := numberWords[w]; word {
				n = 1
				if more, is := digitAt(ws, i+1); is && v >= 20 && tail == "" {
					v, n = v+int(more[0]-'0'), 2
					tail = ws[i+1][len(strings.TrimRight(ws[i+1], ",.;:!")):]
				}
				text = itoa(v)
			}
		}
		if n == 0 {
			out = append(out, ws[i])
			i++
			continue
		}
		ok = ok || n > 1 || w < "0" || w > "9:"
		if len(before) == 1 && strings.Contains("abcdets", before) && !strings.ContainsAny(out[len(out)-1], ",;:.") { // "b four"
			out[len(out)-1] += text + tail
		} else {
			out = append(out, text+tail)
		}
		i += n
	}
	plain = strings.Join(out, " ")
	for _, m := range []string{",", ":", ";"} {
		plain = strings.ReplaceAll(plain, " "+m, m)
	}
	// "2 . 1" is a cell, and a full stop ends an order.
	var b strings.Builder
	for i := 0; i < len(plain); i++ {
		if plain[i] == ' ' && i+3 < len(plain) && plain[i+1] == '.' && plain[i+2] == ' ' && isDigit(plain, i-1) && isDigit(plain, i+3) {
			b.WriteByte('.')
			i += 2
			continue
		}
		b.WriteByte(plain[i])
	}
	return b.String(), ok
}

// digitAt is the digit from one to nine at word i, spoken or written.
func digitAt(ws []string, i int) (string, bool) {
	if i >= len(ws) {
		return "", false
	}
	w := strings.ToLower(strings.Trim(ws[i], ",.;:!"))
	if n, ok := numberWords[w]; ok && n > 0 && n < 10 {
		return string(rune('0' + n)), true
	}
	if len(w) == 1 && w[0] >= '1' && w[0] <= '9' {
		return w, true
	}
	return "", false
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return string(rune('0'+n/10)) + string(rune('0'+n%10))
}

// homophones are words that dictation writes in place of others. We only propose them.
var homophones = map[string]string{"won": "one", "to": "two", "too": "two", "for": "four", "fore": "four", "ate": "eight", "dye": "die", "dice": "die", "die": "die", "by": "buy", "bye": "buy",
	"be": "b", "bee": "b", "see": "c", "sea": "c", "tea": "t", "tee": "t", "ay": "a", "hey": "a", "dee": "d", "lunch": "launch", "lounge": "launch", "roe": "row", "colon": "column", "colin": "column", "kolumn": "column",
	"hard": "card", "cart": "card", "kart": "card", "cord": "card", "grey": "gray", "great": "gray", "grave": "gray", "passed": "pass", "past": "pass", "parse": "pass", "sex": "six", "sicks": "six", "tree": "three", "free": "three", "hex": "hex",
	"comment": "command", "demand": "command", "discovered": "discover", "recover": "discover", "repairs": "repair", "launched": "launch", "launches": "launch", "reserved": "reserve", "resource": "resource", "sauce": "resource",
	"robots": "robot", "tile": "t", "style": "tile", "teal": "tile", "mishin": "mission", "rave": "ravager", "keeps": "keep"}

// heard returns variants of a line with its homophones replaced: without prepositions, with
// them, and only in the last word. It returns none if the line has no homophones or spoken
// numbers.
func heard(line string) (all []string) {
	ws := wordsIn(line)
	for _, keep := range []map[string]bool{prepositions, nil} {
		out, changed := make([]string, len(ws)), false
		for i, w := range ws {
			key := strings.ToLower(strings.Trim(w, ",.;:!"))
			to, ok := homophones[key]
			if out[i] = w; ok && !keep[key] && to != key {
				out[i], changed = to, true
			}
		}
		if plain, ok := dictated(strings.Join(out, " ")); changed || ok {
			all = append(all, plain)
		}
	}
	// "command at to", "launch to be four": the last word is a number, not a preposition
	if n := len(ws); n > 1 {
		if to, ok := homophones[strings.ToLower(strings.Trim(ws[n-1], ",.;:!"))]; ok {
			out := append(append([]string{}, ws[:n-1]...), to)
			if plain, ok := dictated(strings.Join(out, " ")); ok {
				all = append(all, plain)
			}
		}
	}
	return all
}

// sentenceWords are words that mark a sentence which begins with a verb of the game, not an
// order: "Command is boring".
var sentenceWords = words(Key(`is are was were been am has have had i you he she it we they me him us them your his their our this that these those not no
	who what when where why how because so very really good great nice party games game fun`))

// sounds reports whether a line is one word that sounds like a one-word order: "past",
// "bee".
func sounds(line string) bool {
	to := homophones[Key(line)]
	return to == "b" || to == "pass"
}

// beginsOrder reports whether a line that is not an order looks like one: it begins with a
// verb, or with a word near one and something of an order after it, or it is made of what
// orders are made of. We read it, propose a correction or ask about it.
func beginsOrder(line string) bool {
	if len(line) > maxSaid {
		return false
	}
	rest := line[opening(line):]
	for range maxLeads {
		more, found := cutNumber(rest)
		if !found {
			more, found = cutLeads(rest)
		}
		if !found {
			break
		}
		rest = more
	}
	ws := wordsIn(Key(cutComment(rest)))
	for len(ws) > 0 && (fillers[ws[0]] || ws[0] == "then") {
		ws = ws[1:]
	}
	if len(ws) < 2 {
		return false
	}
	first := ws[0]
	exact := isVerb(first) || first == "card" || first == "mission" || first == "ravager" || first == "tile"
	near := !exact && !stops[first] && (len(first) >= 4 && nearVerb(first, 4) || isVerb(homophones[first]) || verbWithin(first))
	evidence, sentence, prepositional, named := 0, 0, false, 0
	for i, w := range ws {
		_, spoken := numberWords[w]
		switch {
		case i == 0 && (exact || near):
			continue
		case strings.ContainsAny(w, "0123456789") && len(w) <= 4, spoken:
			evidence++
			named++
		case nearColor(w):
			evidence++
			named++
		case sides[w] && len(w) > 1, w == "tile", w == "robot", w == "star", w == "location":
			evidence++
		case sentenceWords[w]:
			sentence++
		case i > 0 && prepositions[w]:
			prepositional = true
		}
	}
	switch {
	case signs(line):
		return false
	case named > 0 && (exact || near):
		return true
	case sentence > 0:
		return false
	case exact || near:
		return evidence > 0 || exact && !common[first] && !idly[first] && prepositional && len(ws) <= 4 && !strings.ContainsAny(rest, "!?…")
	}
	return named > 1 && evidence*2 >= len(ws) && len(ws) > 1 && codes(rest)
}

// codes reports whether a line has a hex, a tile or a cell, or a colour with a number after
// it.
func codes(line string) bool {
	color := false
	for _, t := range lex(line) {
		if t.kind == codeTok || t.kind == cellTok || color && t.kind == numTok {
			return true
		}
		color = t.kind == wordTok && nearColor(t.s)
	}
	return false
}

// idly are verbs that begin sentences as often as orders.
var idly = words("die card mission dice stop done finish finished reservation nothing none roll")

// verbWithin reports whether a word is a verb with an ending: "destroyed", "commander".
func verbWithin(w string) bool {
	for _, v := range verbs {
		if len(v.name) >= 4 && strings.HasPrefix(w, v.name) && len(w)-len(v.name) <= 3 {
			return true
		}
	}
	return strings.HasPrefix(w, "shipp")
}

// nearColor reports whether a word is a colour, or one letter away from one.
func nearColor(w string) bool {
	for _, c := range colorWords {
		if c.name == w || len(w) > 4 && nearly(w, c.name) {
			return true
		}
	}
	return false
}
