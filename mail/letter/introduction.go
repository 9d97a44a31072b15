package letter

import (
	"slices"
	"strings"
)

// What programs write above quotation is recognised in any language by what it
// contains: the date, an address, our name or the author's, the subject. Words are
// known in a few languages only (client.go).

// hints are what a letter's header tells about the letters quoted in it.
type hints struct {
	topic string   // the beginning of the subject without "Re:", lower case
	ours  []string // our token and name, lower case
	own   []string // the author's address and name, lower case
}

// maxTopic is how much of a subject is compared, for programs break long ones.
const maxTopic = 24

var answerPrefix = compile(`^(?:\pL{1,4}(?:\[\d+\])?[:：]\s*)+`)

func hintsOf(l *Letter, patterns []string) hints {
	topic := strings.ToLower(clean(first(l.Subject, maxField)))
	if m := answerPrefix.find(topic); m != nil {
		topic = topic[len(m[0]):]
	}
	if r := []rune(topic); len(r) > maxTopic {
		topic = strings.TrimSpace(string(r[:maxTopic]))
	}
	if len(topic) < 6 {
		topic = ""
	}
	c := hints{topic: topic, ours: []string{"angelpost"}}
	for _, pattern := range patterns {
		if plain := strings.ToLower(tokenPlace.re.ReplaceAllString(pattern, "")); len(plain) > 4 {
			c.ours = append(c.ours, plain)
		}
	}
	if l.Token != "" {
		c.ours = append(c.ours, l.Token)
	}
	for _, s := range []string{l.From, strings.ToLower(clean(first(l.FromName, maxField)))} {
		if len(s) > 4 {
			c.own = append(c.own, s)
		}
	}
	return c
}

// index is where the first of names begins in s, or -1.
func index(s string, names []string) int {
	at := -1
	for _, n := range names {
		look(len(s))
		if i := strings.Index(s, n); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}

// mentions reports whether a line in lower case has an address, our name or the
// author's.
func (c *hints) mentions(s string) bool {
	return strings.Contains(s, "@") || index(s, c.ours) >= 0 || index(s, c.own) >= 0
}

// byAuthor reports whether an introduction says that the author of this letter
// wrote what it introduces: programs name the writer before the recipient.
func (c *hints) byAuthor(lines []line) bool {
	for _, l := range lines {
		s := strings.ToLower(first(l.text, maxField))
		own, ours := index(s, c.own), index(s, c.ours)
		if own >= 0 || ours >= 0 {
			return own >= 0 && (ours < 0 || own < ours)
		}
	}
	return false
}

var (
	when     = compile(`\b(19|20)\d\d\b|\d[:h.]\d\d\b|[٠-٩۰-۹]{4}|\d[年월日]`)
	stamped  = compile(`(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|\b(?:19|20)\d\d\b).*\d[:.]\d\d`)
	notLabel = compile(`(?i)^(say|note|announce|plan|name|rules|players|zone)\b`) // words that players write
	anyLabel = compile(`^\*?[\pL\pM][\pL\pM ./'’_-]{0,40}?\s?(:\*?(\s|$)|：)`)
)

// onDay reports whether a line has the name of a month or of a day of the week next to a
// day of the month, "sáb, 21 nov".
func onDay(s string) bool {
	day, word := -4, -4 // where the last was
	for i, w := range words(s) {
		switch n := strings.Trim(w, "0123456789"); {
		case n == "" && len(w) <= 2 && w > "0" && (len(w) == 1 || w <= "31"):
			day = i
		case dateWords[w], dateWords[strings.TrimPrefix(w, "ב")]: // Hebrew joins "in" to it
			word = i
		}
		if d := day - word; day >= 0 && word >= 0 && d >= -2 && d <= 2 {
			return true
		}
	}
	return false
}

// dateBegins reports whether a date begins with the first of fields.
func dateBegins(fields []string) bool {
	return dashed.in(fields[0]) || onDay(strings.Join(fields[:min(len(fields), 3)], " ")) && (fields[0][0] >= '0' && fields[0][0] <= '9' || dateWords[strings.Join(words(fields[0]), "")])
}

var dashed = compile(`^\d{1,4}[./-]\pL{0,9}\d{0,2}[./-]\d`)

// apart puts the text before an attribution on the same line on a line of its own, "die gray 0
// On Wed, Apr 4, 2012 at 3:59 PM, Bob wrote:", where "On" begins the attribution.
func apart(lines []line) []line {
	out := lines[:0:0]
	for i, l := range lines {
		out = append(out, l)
		if l.depth > 0 || len(l.text) > maxField || !strings.Contains(l.text, " On ") || says(l.text) != nil {
			continue
		}
		look(len(l.text))
		fields := strings.Fields(l.text)
		k := 2
		for k < len(fields) && !(fields[k-1] == "On" && dateBegins(fields[k:])) {
			k++
		}
		if k == len(fields) {
			continue
		}
		own := l
		own.text, l.text = strings.TrimRight(strings.Join(fields[:k-1], " "), "-_ "), strings.Join(fields[k-1:], " ")
		end := l.text
		for n := 1; n < 4 && i+n < len(lines) && lines[i+n].depth == 0 && !closed(end) && len(end) < maxField; n++ {
			end += " " + lines[i+n].text
		}
		if attributionEnd.in(end) {
			out[len(out)-1] = own
			out = append(out, l)
		}
	}
	return out
}

// maxSplicedWord is how many words a game word before an attribution may have.
const maxSplicedWord = 3

// spliced returns what may be an order before an attribution on its line. With a number in it,
// that is all before the date and the day of the week or before an address, with and without the
// word before ("Am", "Le", a name); without one, the first words if they are a word of the game:
// "done Bob wrote on Apr 4".
func (r *reading) spliced(s string) []string {
	fields := strings.Fields(first(s, maxField))
	k := 2
	for k < len(fields) && !dateBegins(fields[k:]) {
		k++
	}
	if k >= len(fields) {
		return nil
	}
	if day := fields[k-1]; strings.HasSuffix(day, ",") || strings.HasSuffix(day, ".") {
		k--
	}
	if at := slices.IndexFunc(fields[:k], func(f string) bool { return strings.ContainsAny(f, "<@") }); at >= 0 {
		k = at
	}
	if strings.ContainsAny(strings.Join(fields[:k], ""), "0123456789") {
		return []string{strings.Join(fields[:k], " "), strings.Join(fields[:max(k-1, 0)], " ")}
	}
	for n := min(k, maxSplicedWord); n > 0 && r.says != nil; n-- {
		if word := strings.Join(fields[:n], " "); r.says([]string{word}) {
			return []string{word}
		}
	}
	return nil
}

// A label is what a line tells as a header field in a language that is not known.
type label struct{ topic, dated, ours, addr bool }

// fieldOf reads a line as "Label: value"; ok is false if it is none.
func (c *hints) fieldOf(s string) (f label, ok bool) {
	if len(s) > maxField || !strings.ContainsAny(s, ":：") || !anyLabel.in(s) || notLabel.in(s) {
		return f, false
	}
	low := strings.ToLower(s)
	look(len(s))
	return label{topic: c.topic != "" && strings.Contains(low, c.topic), dated: when.in(s), ours: len(c.ours) > 1 && index(low, c.ours[1:]) >= 0, addr: strings.Contains(s, "@")}, true
}

// signs reports whether a line that ends (or, from right to left, begins) with a
// colon is an attribution in any language: it has a date, and names a person or has an address or a time as well.
func signs(l line) bool {
	s := first(l.text, maxField)
	return l.dated && closed(s) && (l.named || stamped.in(s)) && says(s) == nil
}

// closed reports whether a line ends as an attribution does.
func closed(s string) bool {
	return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") || strings.HasPrefix(s, ":")
}

// broken returns how many lines at the start of lines are an attribution broken
// over several, in any language, or 0. Each but a short last one has to show what
// it is, and the last must not be one alone: else an order above would be swallowed.
func broken(lines []line) int {
	dates, names := false, false
	for n := 1; n <= 4 && n <= len(lines); n++ {
		s := lines[n-1].text
		if lines[n-1].depth > 0 || s == "" || len(s) > maxField || n > 1 && signs(lines[n-1]) {
			return 0
		}
		d, m := lines[n-1].dated, lines[n-1].named
		dates, names = dates || d, names || m
		switch {
		case closed(s):
			if n > 1 && dates && names && (d || m || len(s) <= 60) {
				return n
			}
			return 0
		case !d && !m, n == 1 && !d && !strings.Contains(s, "<"):
			return 0
		}
	}
	return 0
}

// scattered returns how many lines at the start of lines are an attribution that Polymail
// breaks at its link, empty lines included: "On … Bob", "<", "mailto:Bob <b@example.org>", "> wrote:".
func scattered(lines []line) int {
	if lines[0].depth > 0 || !lines[0].dated || !attributionStart.in(first(lines[0].text, maxField)) {
		return 0
	}
	at := 0 // of its parts
	for n := 1; n < len(lines) && n < 8; n++ {
		switch s := first(lines[n].text, maxField); {
		case s == "":
		case at == 0 && s == "<":
			at = 1
		case at == 1 && strings.HasPrefix(s, "mailto:"):
			at = 2
		case at == 2 && lines[n].depth > 0 && attributionEnd.in(s):
			return n + 1
		default:
			return 0
		}
	}
	return 0
}

// An introduced is where quotation without an end begins in a letter.
type introduced struct {
	at  int  // the first line below the introduction
	own bool // the author of the letter wrote what is quoted
	// The introduction says who wrote it, and that is neither us nor the author:
	// it is a letter that has nothing to do with the game.
	foreign bool
	line    bool // it is a sentence, not a block of header fields
	ours    bool // it names us, or the letter's subject
}

// byUs reports whether an introduction names us, or the letter's subject.
func (c *hints) byUs(lines []line) bool {
	for _, l := range lines {
		s := strings.ToLower(first(l.text, maxField))
		if index(s, c.ours) >= 0 || c.topic != "" && strings.Contains(s, c.topic) {
			return true
		}
	}
	return false
}

// byOthers reports whether an introduction names a letter that is neither ours nor
// the author's. A rule alone names none, nor does a bare date.
func (c *hints) byOthers(lines []line) bool {
	if s := first(lines[0].text, maxField); len(lines) == 1 && !lines[0].named && (ruledText.in(s) || !attributionEnd.in(s)) {
		return false
	}
	for _, l := range lines {
		s := strings.ToLower(first(l.text, maxField))
		if index(s, c.own) >= 0 {
			return false
		}
	}
	return !c.byUs(lines)
}

// quotedOwn marks the lines in quotation without an end that are neither new nor unclear: what
// the author wrote before, and other text between one introduction and the next with no line of
// the notice between them. It reports whether letters are quoted within letters there: then the
// rest that is not the notice may be from any of them.
func (r *reading) quotedOwn() (nested bool) {
	for k, in := range r.intros {
		end := len(r.lines)
		if k+1 < len(r.intros) {
			end = r.intros[k+1].at
		}
		notice := false
		for i := in.at; i < end; i++ {
			if in.foreign && in.line && r.lines[i].depth > 0 {
				notice = true // its program marks quotation: what is not marked may be an answer
			}
			notice = notice || r.repeats[i] != foreign && !wordless(r.lines[i].text) || in.foreign && barred(r.lines[i].text)
		}
		nested = nested || in.own || len(r.intros) > 1
		if !notice && (in.own || in.foreign || k+1 < len(r.intros)) {
			for i := in.at; i < end; i++ {
				if r.inSoft[i] && r.why[i] == "" {
					r.why[i] = Quote
				}
			}
		}
	}
	return nested
}
