package letter

import (
	"bytes"
	"mime"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// A header is the fields of a message or part, names in lower case, values
// unfolded.
type header []field

type field struct{ name, value string }

// get returns the first field of that name, or "".
func (h header) get(name string) string {
	for _, f := range h {
		if f.name == name {
			return f.value
		}
	}
	return ""
}

// all returns every field of that name, topmost first.
func (h header) all(name string) []string {
	var vs []string
	for _, f := range h {
		if f.name == name {
			vs = append(vs, f.value)
		}
	}
	return vs
}

// has reports whether there is a field of one of the names.
func (h header) has(names ...string) bool {
	for _, f := range h {
		for _, n := range names {
			if f.name == n {
				return true
			}
		}
	}
	return false
}

// parseHeader reads fields up to the first empty line or limit octets, and returns the rest of
// the letter. It skips lines that are not fields. It reports whether the header ended within
// the limit.
func parseHeader(raw []byte, limit int) (h header, body []byte, whole bool) {
	var name string
	var value []byte // of the field being read
	flush := func() {
		if name != "" && len(h) < MaxFields {
			h = append(h, field{name, string(bytes.TrimSpace(value))})
		}
		name, value = "", nil
	}
	for rest := raw; len(rest) > 0; {
		if len(raw)-len(rest) > limit {
			flush()
			return h, rest, false
		}
		var ln []byte
		ln, rest = cutLine(rest)
		if len(ln) == 0 {
			flush()
			return h, rest, true
		}
		if ln[0] == ' ' || ln[0] == '\t' {
			value = append(append(value, ' '), bytes.TrimSpace(ln)...)
			continue
		}
		flush()
		before, after, ok := bytes.Cut(ln, []byte(":"))
		if before = bytes.TrimRight(before, " \t"); ok && !bytes.ContainsAny(before, " \t") {
			name, value = strings.ToLower(string(before)), bytes.Clone(bytes.TrimSpace(after))
		}
	}
	flush()
	return h, nil, len(raw) <= limit
}

// cutLine splits off the first line, without its LF or CRLF. A bare CR ends none (RFC 5321,
// section 2.3.8): the servers that vouch for an author see no field after one.
func cutLine(b []byte) (ln, rest []byte) {
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		look(len(b))
		return bytes.TrimSuffix(b, []byte("\r")), nil
	}
	look(i + 1)
	return bytes.TrimSuffix(b[:i], []byte("\r")), b[i+1:]
}

var wordDecoder = mime.WordDecoder{CharsetReader: charsetReader}

// decodeWords decodes RFC 2047 words; what cannot be decoded stays as it is.
func decodeWords(s string) string {
	s = utf8Text([]byte(s), "")
	if d, err := wordDecoder.DecodeHeader(s); err == nil {
		s = d
	}
	return clean(s)
}

var angle = compile(`<([^<>@\s]+@[^<>@\s]+)>`)

// author returns the one address of the From field and its display name, or the reason why
// there is none. Sender and Reply-To play no part: the From address decides whose orders the
// letter contains.
func author(h header) (addr, name, reason string) {
	from := h.all("from")
	switch {
	case len(from) == 0:
		return "", "", "no From"
	case len(from) > 1:
		return "", "", "several From fields"
	}
	raw := utf8Text([]byte(from[0]), "")
	if len(raw) > 4096 || strings.ContainsAny(raw, "\x00\r") {
		return "", "", "From illegible"
	}
	p := mail.AddressParser{WordDecoder: &wordDecoder}
	list, err := p.ParseList(raw)
	switch {
	case err == nil && len(list) != 1:
		return "", "", "several authors"
	case err == nil:
		addr, name = list[0].Address, clean(list[0].Name)
	default:
		// Clients write display names with bare commas and colons. What they
		// mean is clear only if there is one address and one @.
		m := angle.all(raw, 2)
		if len(m) != 1 || strings.Count(raw, "@") != 1 {
			return "", "", "From illegible"
		}
		addr, name = m[0][1], clean(strings.Trim(raw[:strings.IndexByte(raw, '<')], `" `))
	}
	if plain := NormalAddress(addr); plain != "" {
		return plain, name, ""
	}
	if ForeignAddress(addr) != "" {
		return "", name, fromBeyondASCII
	}
	return "", "", "From is not an address"
}

const fromBeyondASCII = "From has letters beyond ASCII before its @"

// foreignAuthor is the address of the From field if its author has one that NormalAddress refuses for its
// letters beyond ASCII alone: an answer can be sent there if all mail servers on the way have
// SMTPUTF8 (RFC 6531).
func foreignAuthor(h header, reason string) string {
	if reason != fromBeyondASCII {
		return ""
	}
	list, err := (&mail.AddressParser{WordDecoder: &wordDecoder}).ParseList(utf8Text([]byte(h.get("from")), ""))
	if err != nil || len(list) != 1 {
		return ""
	}
	return ForeignAddress(list[0].Address)
}

// ForeignAddress is the one form of an address with letters beyond ASCII before its @, which no
// player can have; "" if it is none.
func ForeignAddress(addr string) string {
	at := strings.LastIndexByte(addr, '@')
	if at < 0 {
		return ""
	}
	local := norm.NFC.String(strings.ToLower(norm.NFC.String(addr[:at])))
	_, domain, _ := strings.Cut(NormalAddress("x"+addr[at:]), "@")
	strange := func(r rune) bool {
		return r > unicode.MaxASCII && !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
	}
	if domain == "" || !norm.NFKC.IsNormalString(local) || strings.IndexFunc(local, func(r rune) bool { return r > unicode.MaxASCII }) < 0 || len(local) > 64 || len(local)+len(domain) > 253 || !utf8.ValidString(local) || strings.ContainsFunc(local, strange) || !plainAddress.in(local+"@x") {
		return ""
	}
	return local + "@" + domain
}

var plainAddress = compile(`^[^\s\x00-\x1f\x7f"<>()\[\],;:\\@]{1,64}@[a-z0-9_-]+(\.[a-z0-9_-]+)*$`)

// NormalAddress returns the one form in which we compare an address: lower case, the domain in
// its ASCII form without a final dot. It returns "" for anything but a plain mailbox: for
// quoted local parts, for address literals, and for a local part beyond ASCII, whose letters
// may look or fold like another's (the Kelvin sign's lower case is k).
func NormalAddress(addr string) string {
	local, domain, ok := strings.Cut(strings.TrimSpace(addr), "@")
	if !ok {
		return ""
	}
	domain = strings.TrimSuffix(domain, ".")
	if ascii, err := idna.Lookup.ToASCII(domain); err == nil {
		domain = ascii
	}
	addr = local + "@" + domain
	if strings.IndexFunc(addr, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
		return ""
	}
	if addr = strings.ToLower(addr); len(addr) > 320 || !plainAddress.in(addr) {
		return ""
	}
	return addr
}

// messageID returns the first id of a field, without angle brackets.
func messageID(s string) string {
	if _, after, ok := strings.Cut(s, "<"); ok {
		s, _, _ = strings.Cut(after, ">")
	} else if f := strings.Fields(s); len(f) > 0 {
		s = f[0]
	}
	s = clean(s)
	if len(s) > 998 {
		return ""
	}
	return s
}

// date reads a Date field; the zero time if it is illegible.
func date(s string) time.Time {
	t, err := mail.ParseDate(s)
	if err != nil {
		return time.Time{}
	}
	return t
}

// Fields that may have a token address. Envelope fields come first, because they have the
// address by which the letter came; the author's own fields may name several.
var tokenFields = []string{
	"delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-delivered-to",
	"x-real-to", "x-rcpt-to", "x-forwarded-to", "apparently-to", "to", "cc", "resent-to", "resent-cc",
}

// A token is base32 (RFC 4648) of at least 100 bits.
var (
	tokenForm  = compile(`^[a-z2-7]{20,52}$`)
	tokenTag   = compile(`\[(?:[^\[\]]*[ #:=])?([a-z2-7]{20,52})\]`)
	addressish = compile(`[^\s<>(),;:"\[\]\\]+@[^\s<>(),;:"\[\]\\]+`)
)

// maxAlso bounds the tokens of a letter's other addresses.
const maxAlso = 8

// findToken looks for a token in the recipients, with those of the other ones, and, as the last resort, in
// the subject: "[… token]".
func findToken(h header, patterns []string) (token string, also []string) {
	for _, name := range tokenFields {
		for _, v := range h.all(name) {
			for _, a := range addressish.all(v, MaxParts) {
				switch t := tokenIn(a[0], patterns); {
				case t == "", t == token, slices.Contains(also, t):
				case token == "":
					token = t
				case len(also) < maxAlso:
					also = append(also, t)
				}
			}
		}
	}
	if token != "" {
		return token, also
	}
	subject := strings.ToLower(decodeWords(h.get("subject")))
	if m := tokenTag.find(subject); m != nil {
		return m[1], nil
	}
	// Encoders fold long subjects in the middle of a word.
	if m := tokenTag.find(strings.ReplaceAll(subject, " ", "")); m != nil {
		return m[1], nil
	}
	return "", nil
}

// Recipients lists the addresses that a header names as those the letter came to.
func Recipients(header []byte) []string { return addresses(header, tokenFields) }

// Addressees lists the addresses to which its author wrote a letter.
func Addressees(header []byte) []string { return addresses(header, addresseeFields) }

// addresseeFields are the fields in which a letter's author names its recipients.
var addresseeFields = []string{"to", "cc", "resent-to", "resent-cc"}

func addresses(header []byte, fields []string) []string {
	h, _, _ := parseHeader(header[:min(len(header), MaxHeader)], MaxHeader)
	return addressesIn(h, fields)
}

func addressesIn(h header, fields []string) (list []string) {
	for _, name := range fields {
		for _, v := range h.all(name) {
			for _, a := range addressish.all(v, MaxParts) {
				list = append(list, a[0])
			}
		}
	}
	return list
}

// tokenIn returns the token in an address that matches one of the patterns, or "".
func tokenIn(addr string, patterns []string) string {
	for _, pattern := range patterns {
		if t := tokenBy(addr, pattern); t != "" {
			return t
		}
	}
	return ""
}

// tokenBy returns the token in an address that matches the pattern, or "". Only the side of the
// @ with the token counts, because hosts may rename themselves on the way in.
func tokenBy(addr, pattern string) string {
	addr, pattern = strings.ToLower(addr), strings.ToLower(pattern)
	local, domain, _ := strings.Cut(addr, "@")
	var candidate string
	switch plocal, pdomain, _ := strings.Cut(pattern, "@"); {
	case pattern == "":
		candidate = local[strings.LastIndexAny(local, "+-=")+1:]
	case strings.Contains(plocal, "{token}"):
		candidate = between(local, plocal)
	default:
		candidate = between(domain, pdomain)
	}
	if !tokenForm.in(candidate) {
		return ""
	}
	return candidate
}

// between returns the part of s where pattern has "{token}".
func between(s, pattern string) string {
	before, after, ok := strings.Cut(pattern, "{token}")
	if !ok || len(s) < len(before)+len(after) || !strings.HasPrefix(s, before) || !strings.HasSuffix(s, after) {
		return ""
	}
	return s[len(before) : len(s)-len(after)]
}
