package letter

import (
	"slices"
	"strings"
	"unicode/utf8"

	"angelpost/engine/incoming"
)

// A reading goes through a letter's lines once and says of each why it is not
// the author's, or nothing.
type reading struct {
	lines   []line
	notice  *Notice // nil: not known
	repeats []match
	why     []Why
	inSoft  []bool // line is in quotation whose end is not marked
	unsure  []bool // why is Quote, but it may be new
	intros  []introduced
	before  map[int][]string // what may come before an attribution on line i
	marker  []string
	name    string // the author's
	says    func([]string) bool
	*hints
}

// Answering finds the orders of a letter that answers the notice n; without
// one (nil) only the clients' marks tell what is quotation. It returns l.
func (l *Letter) Answering(n *Notice) *Letter {
	if l.decided {
		return l
	}
	r := reading{lines: l.text, notice: n, marker: l.marker, name: l.FromName, says: l.says, hints: &l.hints}
	var ok bool
	if r.repeats, ok = n.repeats(r.lines); !ok {
		return l.become(incoming.TooLarge, "what it repeats of the notice is beyond the bound")
	}
	r.why = make([]Why, len(r.lines))
	r.inSoft = make([]bool, len(r.lines))
	r.unsure = make([]bool, len(r.lines))
	r.before = map[int][]string{}
	r.shown()
	if n != nil && !r.between(l.InReplyTo) {
		return l.become(incoming.TooLarge, "what it repeats of the notice is beyond the bound")
	}
	r.sort()
	r.trust(n != nil)
	r.again()
	r.join()
	if !r.cut(l) {
		l.Orders, l.Press, l.Dropped, l.Text = nil, nil, nil, nil
		return l.become(incoming.TooLarge, "orders beyond the bound")
	}
	switch {
	case len(l.Orders)+len(l.Press) > 0:
		return l.become(incoming.Orders, "")
	default:
		l.QuotedChoices = n.choices(r.lines)
		for _, d := range l.Dropped {
			l.BarredOnly = l.BarredOnly || d.Why == Bar
		}
		return l.become(incoming.Empty, "nothing but what was dropped")
	}
}

// NeedsNotice reports whether the notice answered could tell something about
// the letter that it does not tell itself. It could not if everything that is
// not marked as quotation is orders, and nothing in it is: what a client leaves unmarked of a notice
// is never orders alone, though a line of it may read like one.
func (l *Letter) NeedsNotice(isOrder func(line string) bool) bool {
	if l.decided {
		return false
	}
	r := reading{lines: l.text, marker: l.marker, name: l.FromName, says: l.says, hints: &l.hints}
	orders, torn := false, false // torn: the line may be the end of a quoted one
	tried := 0
	for i := 0; i < len(r.lines); i++ {
		ln := r.lines[i]
		switch {
		case ln.soft, ln.why != "" && ln.why != Quote:
			return true
		case ln.text == "", ln.depth > 0, ln.why == Quote:
			torn = ln.text != ""
			if r.says != nil && tried < maxTried && r.typable(&ln) {
				if tried++; r.says([]string{ln.text}) {
					return true
				}
			}
			continue
		}
		if n := r.introduction(i); n > 0 {
			if !quotationFollows(r.lines[i+n:]) {
				return true
			}
			i += n - 1
			continue
		}
		if torn || !isOrder(r.own(ln.text)) {
			return true
		}
		orders = true
	}
	return !orders
}

// shown leaves out of the author's lines what is struck through, and marks those that no one
// can see. What repeats the notice stays as it is.
func (r *reading) shown() {
	for i := range r.lines {
		l := &r.lines[i]
		if l.depth > 0 || l.why != "" || r.repeats[i] == repeats {
			continue
		}
		left, struck := l.text, l.struck
		if struck {
			left = l.left
		}
		if s, too := unstruck(left); too {
			left, struck = s, true
		}
		switch {
		case struck && !hasWord(left):
			r.why[i] = Struck
		case l.faint:
			l.text, r.why[i] = left, Faint
		case struck:
			l.text = left
		}
	}
}

// sort goes from top to bottom: the author's text, quotation, signature,
// forwarded mail.
func (r *reading) sort() {
	var soft, signature, forward bool
	var small, inPress bool // within a disclaimer's paragraph, within press
	var wrote, ended bool   // the author's text, and below it a rule or an app's footer
	lastOfNotice := len(r.lines) - 1
	for lastOfNotice >= 0 && (r.repeats[lastOfNotice] != repeats || wordless(r.lines[lastOfNotice].text)) {
		lastOfNotice--
	}
	answered := -1 // the introduction above, if nothing of the notice has come since
	for i := 0; i < len(r.lines); i++ {
		l := r.lines[i]
		switch {
		case l.soft && !soft:
			soft, signature = true, false
		case l.depth > 0 && answered >= 0: // it introduces marked quotation, with an answer between
			soft, answered = false, -1
		case r.repeats[i] != foreign && !wordless(l.text):
			answered = -1
		}
		r.inSoft[i] = soft
		if l.text == "" {
			small, inPress = false, false
			continue
		}
		switch {
		case r.why[i] != "" && !forward: // struck through, or invisible
			continue
		case forward || l.why == Forward || l.depth == 0 && forwards(l.text):
			forward = forward || l.why != Forward || forwards(l.text)
			r.why[i] = Forward
			continue
		case l.depth > 0 || l.why == Quote:
			r.why[i], signature, small = Quote, false, false
			wrote, ended = false, false
			continue
		}
		if n := r.introduction(i); n > 0 {
			for j := i; j < i+n; j++ {
				if r.lines[j].text != "" {
					r.why[j] = Quote
				}
			}
			if _, field := labelled(l.text); !field && !r.marks(l.text) && !ruledText.in(first(l.text, maxField)) {
				r.before[i] = r.spliced(l.text)
			}
			if !quotationFollows(r.lines[i+n:]) {
				if !soft && !r.marks(l.text) { // below our marker is nothing but our letter, whatever it quotes
					answered = i
				}
				soft = true
				if !r.marks(l.text) {
					in := r.lines[i : i+n]
					r.intros = append(r.intros, introduced{i + n, r.byAuthor(in), r.byOthers(in), n < 3, r.byUs(in)})
				}
			}
			i, signature, small = i+n-1, false, false
			wrote, ended = false, false
			continue
		}
		switch {
		case r.repeats[i] == repeats || soft && r.repeats[i] == maybe:
			r.why[i] = OfNotice
			if soft {
				r.why[i] = Quote
			}
			if !barred(l.text) {
				signature, small = false, false
				wrote, ended = false, false
			}
		case l.why == Signature && footer(l.text):
			r.why[i] = Footer
		case l.why == Signature, signature:
			r.why[i] = Signature
		case l.text == "--" || l.text == "—" || l.text == "–":
			r.why[i], signature = Signature, !soft || i > lastOfNotice
		case listsLinks(r.lines[i:]):
			r.why[i] = Footer
		case footer(l.text):
			r.why[i], ended = Footer, ended || wrote && !fence.in(l.text)
		case wrote && !inPress && rule.in(l.text):
			ended = true
		case small || !inPress && disclaimer(r.lines[i:]):
			r.why[i], small = Footer, true
		case says(l.text) != nil:
			inPress, wrote = true, true
		case ended && !soft && !wordless(l.text):
			r.why[i], r.unsure[i] = Quote, true
		default:
			wrote = wrote || !wordless(l.text) && !barred(l.text)
		}
	}
}

// rule is a line that is nothing but a rule. Some programs write nothing else above what they
// quote, and some quote right below their footer. So text below either may be new or quoted.
var rule = compile(`^(?:[-_=*~—–] ?){3,}[^\pL\pM\pN]*$`)

// introduction returns how many lines from i on introduce quotation, or 0: an
// attribution, a header block, a ruled "Original Message", our own marker.
func (r *reading) introduction(i int) int {
	l := r.lines[i]
	if notLabel.in(first(l.text, maxField)) {
		return 0
	}
	if n := headerBlock(r.lines[i:]); n > 0 {
		return n
	}
	if ruled := strings.Trim(first(l.text, maxField), "* "); len(ruled) < 200 && ruledText.in(ruled) {
		if next := i + 1; next < len(r.lines) {
			if n := headerBlock(r.lines[next:]); n > 0 {
				return n + 1
			}
		}
		if _, known := ruledWords[ruledWord(ruled)]; known || original.in(ruled) || l.dated && (l.named || r.quoted(i+1)) {
			return 1
		}
	}
	if n, _ := attribution(r.lines[i:]); n > 0 {
		return n
	}
	if n := broken(r.lines[i:]); n > 0 {
		return n
	}
	if signs(l) {
		return 1
	}
	if r.marks(l.text) {
		return 1
	}
	if n := scattered(r.lines[i:]); n > 0 {
		return n
	}
	return r.heads(i)
}

// quoted reports whether the next line with text, from i on, is quotation.
func (r *reading) quoted(i int) bool {
	for ; i < len(r.lines); i++ {
		if look(1); r.lines[i].text != "" {
			return r.lines[i].depth > 0 || r.repeats != nil && r.repeats[i] == repeats
		}
	}
	return false
}

// heads returns how many lines from i on can only be an introduction because quotation
// follows: a few header fields, or an attribution without a colon.
func (r *reading) heads(i int) int {
	telling := false
	for n := 0; n < 4 && i+n < len(r.lines); n++ {
		l := r.lines[i+n]
		s := first(l.text, maxField)
		_, field := labelled(s)
		if l.depth > 0 || l.text == "" || len(l.text) > maxField || !field && !quoting.in(s) && !(l.dated && (addressed.in(s) || attributionEnd.in(s+":"))) {
			return 0
		}
		if telling = telling || l.dated || strings.Contains(s, "@"); telling && r.quoted(i+n+1) || n == 0 && whole(s, l) {
			return n + 1
		}
	}
	return 0
}

// whole reports whether a line without a colon at its end can be nothing but an attribution: a
// date, the verb at its end, and an address or a rule around it.
func whole(s string, l line) bool {
	bare := strings.TrimRight(s, "-_=* ")
	return l.dated && attributionEnd.in(bare+":") && (len(bare) < len(s) && ruledText.in(s) || strings.Contains(s, "<") && strings.Contains(s, "@"))
}

// quoting is the attribution of alot, which ends without a colon.
var quoting = compile(`^Quoting .{1,200} \(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\)$`)

// addressed is a line that ends with an address, whole or without its end.
var addressed = compile(`<[^<>\s]+@[^<>\s]*>?$`)

// marks reports whether a line is our own marker, "write above this line".
func (r *reading) marks(s string) bool {
	return len(r.marker) > 0 && len(s) < maxField && strings.Join(words(s), " ") == strings.Join(r.marker, " ")
}

// trust decides on the lines in quotation whose end is not marked (Outlook, Yahoo) that do not
// repeat the notice. They are the author's if the rest of that quotation is recognised as the
// notice; with orders above it, as good as all of the rest. If the text after an introduction
// that names us has no trace of the notice, the author wrote it and cut the notice away, unless
// there are bars.
//
// If that is not known, or letters are quoted within letters, we ask the writer.
func (r *reading) trust(known bool) {
	r.torn()
	r.forwarded()
	nested := r.quotedOwn()
	var repeated, others, above int
	bars, begun := false, false
	for i, l := range r.lines {
		begun = begun || r.inSoft[i]
		switch {
		case !r.inSoft[i] && r.why[i] != "":
		case wordless(l.text): // rules, links, pictures
		case !r.inSoft[i] && r.why[i] == "" && !barred(l.text):
			if !begun {
				above++
			}
		case r.inSoft[i] && r.repeats[i] != foreign:
			repeated++
		case r.inSoft[i] && r.why[i] == "":
			others++
			bars = bars || barred(l.text)
		}
	}
	ok := known && !nested && (above > 0 && repeated > 0 && others*4 <= repeated ||
		above == 0 && repeated > 0 && others <= repeated+10 ||
		above == 0 && repeated == 0 && !bars && !slices.ContainsFunc(r.intros, func(in introduced) bool { return !in.ours }))
	for i := range r.lines {
		text := r.lines[i].text
		if r.inSoft[i] && r.why[i] == "" && (!ok || barred(text) || wordless(text)) {
			r.why[i] = Quote
			r.unsure[i] = !barred(text) && !wordless(text)
		}
	}
}

// wide is from how many columns on a quoted line may have been broken in two.
const wide = 66

// torn marks lines right below a quoted one that is as wide as programs make them, and is
// not the notice's: they may be the end of it, which lost its mark, or an answer.
func (r *reading) torn() {
	for i := 1; i < len(r.lines); i++ {
		above := r.lines[i-1]
		if r.why[i] == "" && !r.inSoft[i] && r.lines[i].text != "" && above.depth > 0 && r.repeats[i-1] == foreign && r.repeats[i] == foreign &&
			len(above.text)+2*above.depth >= wide && utf8.RuneCountInString(above.text)+2*above.depth >= wide {
			r.why[i], r.unsure[i] = Quote, true
		}
	}
}

// forwarded marks text within or below the notice if the author sent the notice back as a
// forwarded letter: the text may be an answer.
func (r *reading) forwarded() {
	notice := 0
	for i, l := range r.lines {
		switch {
		case r.why[i] != Forward || wordless(l.text):
		case r.repeats[i] == repeats:
			notice++
		case notice > 0 && r.introduction(i) > 0:
			notice = 0
		default:
			r.unsure[i] = notice > 2 && l.why == "" && l.depth == 0 && !barred(l.text)
		}
	}
}

// cut makes orders, press and dropped lines of what was sorted. It reports
// whether the bounds hold.
func (r *reading) cut(l *Letter) bool {
	r.bars()
	behind := r.behind()
	var press *incoming.Press
	var said []string // the lines of press
	end := func() {
		if press != nil {
			press.Text = strings.TrimPrefix(strings.Join(said, "\n"), "\n")
		}
		press, said = nil, nil
	}
	defer end()
	drop := func(text string, why Why) { l.Dropped = append(l.Dropped, Dropped{text, why}) }
	for i, ln := range r.lines {
		if r.why[i] == joinedAbove {
			continue
		}
		text := r.own(ln.text)
		switch {
		case r.unsure[i]:
			l.Text = append(l.Text, Perhaps+text)
		case behind[i]:
			l.Text = append(l.Text, Behind+withoutBar(text))
		case r.why[i] == Faint:
			l.Text = append(l.Text, Unseen+text)
		case r.why[i] == Struck:
			if len(l.Struck) < maxStruck {
				l.Struck = append(l.Struck, text)
			}
			drop(text, Struck)
			continue
		case r.why[i] == Again:
			drop(text, Again)
			continue
		default:
			l.keep(text, r.why[i])
		}
		for _, s := range r.before[i] {
			l.Text = append(l.Text, Perhaps+s)
		}
		if ln.text == "" || r.why[i] != "" || press != nil && barred(first(text, 3)) {
			end()
			if ln.text != "" {
				drop(ln.text, or(r.why[i], Bar))
			}
			continue
		}
		switch m := says(text); {
		case press != nil && m == nil:
			said = append(said, text)
		case m != nil:
			end()
			l.Press = append(l.Press, incoming.Press{To: m[1]})
			press, said = &l.Press[len(l.Press)-1], []string{m[2]}
		case barred(text):
			drop(ln.text, Bar)
		case !hasWord(text), wordless(text):
			drop(ln.text, Footer)
		case r.closes(text):
			drop(ln.text, Signature)
		case strings.EqualFold(text, "example"), strings.EqualFold(text, "end"):
			drop(ln.text, OfNotice) // the fences around listed lines, never orders (web/API.md)
		default:
			l.Orders = append(l.Orders, text)
		}
		if len(l.Orders)+len(l.Press) > MaxOrders {
			return false
		}
	}
	return true
}

// maxStruck bounds Letter.Struck.
const maxStruck = 20

// keep adds a line to Text: what was dropped of it is an empty line or a Gap.
func (l *Letter) keep(text string, why Why) {
	switch why {
	case "":
		if barred(first(text, 3)) {
			text = Gap
		}
	case Footer, Signature:
		text = ""
	default:
		text = Gap
	}
	if n := len(l.Text); text != "" && text != Gap || n > 0 && l.Text[n-1] != text {
		l.Text = append(l.Text, text)
	}
}

// bars tells the player's own barred lines from a notice that a client quotes
// without any mark: those stand together with unbarred lines of the notice.
func (r *reading) bars() {
	for i := 0; i < len(r.lines); {
		j, ofNotice := i, false
		for ; j < len(r.lines) && (r.lines[j].text == "" || r.why[j] == OfNotice); j++ {
			ofNotice = ofNotice || r.why[j] == OfNotice && hasWord(r.lines[j].text) && !barred(r.lines[j].text)
		}
		for k := i; k < j && !ofNotice; k++ {
			if r.why[k] == OfNotice && barred(r.lines[k].text) {
				r.why[k] = Bar
			}
		}
		i = max(j, i+1)
	}
}

// own removes what clients put around the author's own words: the emphasis of
// HTML in plain text, and Outlook's "[Name]" before comments in a quotation.
func (r *reading) own(s string) string {
	if r.name != "" {
		if rest, ok := strings.CutPrefix(s, "["+r.name+"]"); ok {
			s = strings.TrimSpace(rest)
		}
	}
	for _, mark := range []string{"**", "__", "*", "_", "`"} {
		if inner := strings.TrimSuffix(strings.TrimPrefix(s, mark), mark); len(inner) == len(s)-2*len(mark) && inner != "" && !strings.ContainsAny(inner, mark+">") {
			s = strings.TrimSpace(inner)
		}
	}
	return s
}

// closes reports whether a line is a greeting, a closing or the author's name.
func (r *reading) closes(s string) bool {
	if len(s) > 80 {
		return false
	}
	firstName, _, _ := strings.Cut(r.name, " ")
	for _, n := range []string{r.name, firstName} {
		if at := len(s) - len(n); len(n) > 1 && at >= 0 && strings.EqualFold(s[at:], n) {
			if s = strings.TrimRight(s[:at], " ,"); s == "" {
				return true // nothing but their name
			}
			break
		}
	}
	return closing.in(s) || greeting.in(s)
}

func or(a, b Why) Why {
	if a != "" {
		return a
	}
	return b
}
