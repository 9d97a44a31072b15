// Package letter reads one raw message: its author, its token, and which of its lines are
// orders and which are press.
//
// What it promises:
//
//   - It is pure: no clock, no network, no store. The same bytes and options
//     give the same Letter.
//   - No letter makes it fail. What cannot be decoded is read as far as it
//     goes; what cannot be read at all is Broken, what is beyond the bounds is
//     TooLarge. Size, header, parts, nesting, decoded text, lines and orders
//     are bounded (the Max constants), and so are time and memory.
//   - A line after a bar (|) is never an order, anywhere, and neither is a line
//     that repeats an unbarred line of the notice that the letter answers,
//     however a client wrapped it. A bare line equal to a barred line of the
//     notice is an order: that is how players choose.
//   - What clients mark as quotation, signature, footer or forwarded mail is
//     dropped; every dropped line is listed with the reason.
//   - An order is never lost in silence: a letter whose orders exceed the
//     bounds is TooLarge as a whole, never cut. The order language decides how
//     long a line of orders may be.
//
// The package does not know the order language: Orders are cleaned lines.
package letter

import (
	"cmp"
	"time"

	"angelpost/engine/incoming"
)

// Bounds on what is read. Beyond MaxBytes only the header is read.
const (
	MaxBytes      = 2 << 20   // octets of a raw letter
	MaxHeader     = 64 << 10  // octets of its header
	MaxPartHeader = 16 << 10  // octets of a part's header; the rest is ignored
	MaxFields     = 1000      // header fields; the rest is ignored
	MaxDepth      = 10        // nested multiparts; deeper ones are not opened
	MaxParts      = 100       // parts; the rest is ignored
	MaxText       = 512 << 10 // octets of decoded text, all parts together; more is TooLarge
	MaxLines      = 20_000    // lines of decoded text; more is TooLarge
	MaxOrders     = 500       // order lines; more is TooLarge
	MaxCompared   = 50 << 20  // comparisons of a word with one of the notice; more is TooLarge
)

// Why says why a line was dropped; the values are those of web/API.md.
type Why string

// The reasons for which a line is dropped.
const (
	Quote     Why = "quote"     // the client marks it as quotation, or it introduces one
	OfNotice  Why = "notice"    // it repeats the notice, unmarked
	Signature Why = "signature" // below "-- ", or a closing such as "Thanks"
	Footer    Why = "footer"    // "Sent from my …", disclaimers, ruled lines
	Forward   Why = "forward"   // in or below a forwarded letter
	Bar       Why = "bar"       // the player's own, but after a bar
	Struck    Why = "struck"    // the player's own, but struck through
	Faint     Why = "faint"     // of the colour of its ground: ask the writer
	Again     Why = "again"     // the player's own, above the quotation and below it
	Unticked  Why = "unticked"  // the player's own, with a box that they did not tick (order.Letter)
)

// Gap is the line of Text that replaces quoted, forwarded or barred lines.
const Gap = ">"

// joinedAbove is of a line that is a piece of the one above it.
const joinedAbove Why = "joined"

// Marks begin lines of Text about which to ask the writer (order.Perhaps and its neighbours).
const (
	Perhaps = "?> " // it may be quotation
	Unseen  = "?~ " // it has the colour of its ground
	Behind  = "?| " // it was after a bar
)

// Auth is what the receiving server found out about the sender.
type Auth string

// The values of Auth.
const (
	NoEvidence Auth = ""          // no authserv-id configured, or nothing said of it
	Passed     Auth = "pass"      // DMARC, or a DKIM signature of the author's domain
	Failed     Auth = "fail"      // DMARC or DKIM failed: refuse the letter
	Illegible  Auth = "illegible" // what it found cannot be read: ask the author
)

// Options say how letters are read.
type Options struct {
	// Address is the pattern of token addresses, "angelpost+{token}@host".
	// Only the side of the @ on which {token} stands is compared, without
	// regard to case. Empty: any "…+token@…" and "token@…".
	Address string
	// Former are patterns of addresses that the server had before: answers to its letters
	// still go there.
	Former []string
	// AuthservID names the server whose Authentication-Results count
	// (RFC 8601). Empty: none do.
	AuthservID string
	// Marker is the sentence "write above this line" of our letters, if any.
	Marker string
	// Notice is the letter that this one answers, if known.
	Notice *Notice
	// Says reports whether the author's text has an order or a word of the game: then a
	// letter is a person's although its subject is that of an out-of-office notice. Nil:
	// none has.
	Says func(text []string) bool
}

// patterns are all those of the server's addresses.
func (o *Options) patterns() []string { return append([]string{o.Address}, o.Former...) }

// A Letter is what was read of a raw message.
type Letter struct {
	Kind   incoming.Class
	Answer bool   // may be answered at all
	Reason string // what made it Kind, for the log; empty for Orders

	From      string   // the author's one address, normalised; empty if there is none
	FromName  string   // the author's display name
	Foreign   string   // if From is empty because of letters beyond ASCII before its @: the address
	Token     string   // lower case; empty if none was found
	Also      []string // tokens of other addresses of the letter
	MessageID string   // without angle brackets
	InReplyTo string   // without angle brackets
	Date      time.Time
	Subject   string
	Program   string // the mail program that wrote it, as it calls itself; empty if it does not say
	BodyHash  string // hex SHA-256 over the decoded body, whatever its transfer encoding; empty for TooLarge

	Auth       Auth
	AuthReason string // "dmarc=fail"; of Illegible the beginning of the field

	// Text is the author's own text, line by line, with greetings and closings: the text from
	// which Orders and Press were taken. An empty line means any number of them, and a Gap
	// lines that are not the author's. If a line begins with Perhaps, Unseen or Behind, ask the
	// author about it.
	Text []string

	Struck []string // the author's own lines that are struck through whole, some of them if there are many

	Orders     []string
	Press      []incoming.Press
	Dropped    []Dropped
	BarredOnly bool // Empty, but lines behind bars were sent: tell the player to take the bars away

	Sealed bool // Broken, because it is encrypted

	Addressed bool     // its author wrote it to an address of Options.Address, in To or Cc
	Linked    bool     // it has an address of the web; looked for only where there is no token
	Files     []string // names of its files, which are not read, some of them if there are many

	Reaction string // of a Reaction: the emoji

	// QuotedChoices are, for an Empty letter, listed lines without their bar in marked
	// quotation: the player removed the bar and left the client's mark. Tell them to remove
	// that, too.
	QuotedChoices []string

	Bounces   []incoming.Bounce   // of a Bounce: the recipients it names
	Complaint *incoming.Complaint // of an abuse report

	text    []line // the letter's text, kept for Answering
	hints   hints
	decided bool // Kind does not depend on the text
	away    string
	reacts  string // the emoji of a reaction that the text tells of
	says    func([]string) bool
	marker  []string
}

// Dropped is a line that is not the player's word.
type Dropped struct {
	Line string // cleaned
	Why  Why
}

// Read reads a raw letter, RFC 5322 with LF or CRLF. It never fails.
func Read(raw []byte, o Options) *Letter {
	return Open(raw, o).Answering(o.Notice)
}

// Open reads everything that does not depend on the notice answered. Its
// Token tells which notice that is; Answering then finds the orders.
func Open(raw []byte, o Options) *Letter {
	if len(raw) > MaxBytes {
		return OpenHeader(raw, o)
	}
	h, body, whole := parseHeader(raw, MaxHeader)
	if !whole {
		return OpenHeader(raw, o)
	}
	l := open(h, o)
	top := parse(h, body)
	if l.classify(h, top, o.patterns()); l.decided {
		l.BodyHash = bodyHash(top)
		return l
	}
	l.Files = files(top)
	text, trouble, sealed := openText(top)
	if trouble == incoming.TooLarge {
		return l.become(incoming.TooLarge, "text beyond the bound")
	}
	l.BodyHash = bodyHash(top)
	if trouble == incoming.Broken && sealed {
		l.Sealed = true
		return l.become(incoming.Broken, "encrypted")
	}
	if trouble == incoming.Broken {
		return l.become(incoming.Broken, "no readable text")
	}
	l.text = apart(text)
	l.Linked = l.Token == "" && linked(top, l.text)
	l.reacts = reactionText(l.text)
	l.hints = hintsOf(l, o.patterns())
	lookAhead(l.text, &l.hints)
	return l
}

// OpenHeader reads a letter of which only the beginning was fetched because
// it is too large. It needs no more than MaxHeader octets.
func OpenHeader(raw []byte, o Options) *Letter {
	h, _, _ := parseHeader(raw[:min(len(raw), MaxHeader)], MaxHeader)
	l := open(h, o)
	if l.classify(h, parse(h, nil), o.patterns()); l.decided {
		return l
	}
	return l.become(incoming.TooLarge, "letter beyond the bound")
}

// maxProgram bounds a mail program's name, in bytes.
const maxProgram = 80

// open reads the header, but for the kind.
func open(h header, o Options) *Letter {
	l := &Letter{
		says:      o.Says,
		Addressed: writtenTo(h, o.patterns()),
		MessageID: messageID(h.get("message-id")),
		InReplyTo: messageID(h.get("in-reply-to")),
		Date:      date(h.get("date")),
		Program:   clean(first(cmp.Or(h.get("user-agent"), h.get("x-mailer")), maxProgram)),
		Subject:   decodeWords(h.get("subject")),
		marker:    words(o.Marker),
	}
	l.Token, l.Also = findToken(h, o.patterns())
	l.From, l.FromName, l.Reason = author(h)
	l.Foreign = foreignAuthor(h, l.Reason)
	l.Auth, l.AuthReason = authentication(h, o.AuthservID, l.From)
	return l
}

// become settles the kind.
func (l *Letter) become(k incoming.Class, reason string) *Letter {
	if l.away != "" && (k == incoming.Empty || k == incoming.Broken || k == incoming.TooLarge || k == incoming.Orders && (l.says == nil || !l.says(l.Text))) {
		l.Orders, l.Press, l.Text = nil, nil, nil
		k, reason = incoming.Auto, l.away
	}
	if l.reacts != "" && (k == incoming.Empty || k == incoming.Orders) && onlyReacts(l.Text) {
		l.Orders, l.Press, l.Text = nil, nil, nil
		l.Reaction, k, reason = l.reacts, incoming.Reaction, "the text of a reaction"
	}
	l.Kind, l.Reason, l.decided = k, reason, true
	l.Answer = l.From != "" && (k == incoming.Orders || k == incoming.Empty || k == incoming.TooLarge || k == incoming.Broken)
	l.text = nil
	return l
}
