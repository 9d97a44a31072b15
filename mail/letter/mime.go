package letter

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"mime"
	"strings"
)

// The MIME reader is our own because it has to be bounded and to go on where
// libraries stop: after a missing final boundary, an illegal "=" in
// quoted-printable, a stray character in base64. It works on slices of the raw
// letter and copies only what it decodes.

// A part is a message or body part; multiparts have kids, others a body.
type part struct {
	head header
	media
	body []byte // still encoded
	kids []*part

	alone bool // nothing else in the letter can be read: it may be inline with a file's name, or TNEF
}

// media is a content type: "text/plain" and its parameters, names lower case.
type media struct {
	typ    string
	params map[string]string
}

var mediaParam = compile(`(?i);\s*(boundary|charset|format|delsp|method|report-type)\s*=\s*(?:"([^"]*)"|([^\s;"]+))`)

// mediaType reads a Content-Type, as far as it is legible.
func mediaType(h header) media {
	v := h.get("content-type")
	if v == "" {
		return media{typ: "text/plain"}
	}
	typ, params, err := mime.ParseMediaType(v)
	if err == nil && strings.Contains(typ, "/") {
		return media{typ, params}
	}
	typ, _, _ = strings.Cut(v, ";")
	typ = strings.ToLower(strings.TrimSpace(typ))
	if !strings.Contains(typ, "/") {
		typ = "text/plain"
	}
	params = map[string]string{}
	for _, m := range mediaParam.all(v, 20) {
		if name := strings.ToLower(m[1]); params[name] == "" {
			params[name] = m[2] + m[3]
		}
	}
	return media{typ, params}
}

// parse reads a message of the given header.
func parse(h header, body []byte) *part {
	n := 0
	return parsePart(h, body, 0, &n)
}

func parsePart(h header, body []byte, depth int, n *int) *part {
	*n++
	p := &part{head: h, media: mediaType(h), body: body}
	if depth < MaxDepth && *n < MaxParts {
		if in := p.signedContent(); in != nil {
			kh, kbody, _ := parseHeader(in, MaxPartHeader)
			if len(kh) == 0 {
				kbody = in
			}
			p.typ = "multipart/signed"
			p.kids = []*part{parsePart(kh, kbody, depth+1, n)}
			return p
		}
	}
	if !strings.HasPrefix(p.typ, "multipart/") || depth >= MaxDepth {
		return p
	}
	for _, raw := range split(body, p.params["boundary"], MaxParts-*n) {
		kh, kbody, _ := parseHeader(raw, MaxPartHeader)
		if len(kh) == 0 {
			kbody = raw
		}
		p.kids = append(p.kids, parsePart(kh, kbody, depth+1, n))
		if *n >= MaxParts {
			break
		}
	}
	if p.kids == nil {
		p.typ = "text/plain" // a multipart in name only
	}
	return p
}

// split cuts a multipart body at its delimiter lines, into at most limit
// parts. Without a boundary the first line that looks like one is taken; a
// missing final delimiter ends the last part with the body.
func split(body []byte, boundary string, limit int) (parts [][]byte) {
	start, ended := -1, false
	for rest := body; len(rest) > 0 && len(parts) < limit && !ended; {
		at := len(body) - len(rest)
		var ln []byte
		ln, rest = cutLine(rest)
		if !bytes.HasPrefix(ln, []byte("--")) {
			continue
		}
		mark := string(bytes.TrimRight(ln[2:], " \t"))
		if boundary == "" && len(mark) > 3 && !strings.ContainsAny(mark, " \t") {
			boundary = mark
		}
		if boundary == "" || mark != boundary && mark != boundary+"--" {
			continue
		}
		if start >= 0 {
			parts = append(parts, trimBreak(body[start:at]))
		}
		start, ended = len(body)-len(rest), mark != boundary
	}
	if start >= 0 && !ended && len(parts) < limit {
		parts = append(parts, body[start:])
	}
	return parts
}

// trimBreak removes the line break that belongs to the delimiter.
func trimBreak(b []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
}

// attached reports whether the part is a file rather than text to be read.
func (p *part) attached() bool {
	d := strings.ToLower(p.head.get("content-disposition"))
	return strings.HasPrefix(d, "attachment") || !p.alone && strings.Contains(d, "filename")
}

// decoded returns the body without its transfer encoding, as far as it can be
// decoded.
func (p *part) decoded() []byte {
	enc, _, _ := strings.Cut(strings.ToLower(p.head.get("content-transfer-encoding")), " ")
	switch strings.Trim(enc, `";`) {
	case "quoted-printable":
		return unquote(p.body)
	case "base64":
		return unbase64(p.body)
	}
	return p.body
}

// unquote decodes quoted-printable. An "=" that introduces nothing stays.
func unquote(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		ln, rest := cutLine(b)
		broken := len(b) != len(rest)+len(ln) // the line ended with a break
		b = rest
		ln = bytes.TrimRight(ln, " \t")
		soft := bytes.HasSuffix(ln, []byte("="))
		if soft {
			ln = ln[:len(ln)-1]
		}
		for i := 0; i < len(ln); i++ {
			if ln[i] == '=' && i+2 < len(ln) {
				if hi, lo := unhex(ln[i+1]), unhex(ln[i+2]); hi >= 0 && lo >= 0 {
					out = append(out, byte(hi<<4|lo))
					i += 2
					continue
				}
			}
			out = append(out, ln[i])
		}
		if broken && !soft {
			out = append(out, '\n')
		}
	}
	return out
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// unbase64 decodes base64, passing over foreign characters. Programs that join
// texts leave the padding of each (RFC 4648, section 3.3, lets a reader go on):
// what follows it counts if it is whole lines of nothing but base64, for a
// mailing list's footer may follow, too.
func unbase64(b []byte) []byte {
	look(len(b))
	out := make([]byte, 0, base64.RawStdEncoding.DecodedLen(len(b)))
	piece := make([]byte, 0, len(b))
	end := func() {
		if len(piece)%4 == 1 { // cut off in the middle of an octet
			piece = piece[:len(piece)-1]
		}
		n := len(out)
		out = append(out, make([]byte, base64.RawStdEncoding.DecodedLen(len(piece)))...)
		got, _ := base64.RawStdEncoding.Decode(out[n:], piece)
		out, piece = out[:n+got], piece[:0]
	}
	padded := false
	for len(b) > 0 {
		var ln []byte
		if ln, b = cutLine(b); padded {
			ln = bytes.TrimSpace(ln)
			if len(ln)%4 != 0 || bytes.ContainsFunc(ln, func(r rune) bool { return r != '=' && (r > 0x7f || !isBase64(byte(r))) }) {
				break
			}
		}
		for i, c := range ln {
			switch {
			case isBase64(c):
				piece = append(piece, c)
			case c == '=':
				end()
				padded = true
				if i+1 < len(ln) && !isBase64(ln[i+1]) && ln[i+1] != '=' && ln[i+1] != '\r' {
					return out
				}
			}
		}
	}
	end()
	return out
}

// leaves calls f for every part that is not a multipart, in order.
func (p *part) leaves(f func(*part)) {
	if p.kids == nil {
		f(p)
	}
	for _, k := range p.kids {
		k.leaves(f)
	}
}

// bodyHash is the identity of what was written: it does not depend on
// boundaries, transfer encoding, charset, line ends and spaces before them.
func bodyHash(top *part) string {
	sum := sha256.New()
	top.leaves(func(p *part) {
		b := p.decoded()
		if strings.HasPrefix(p.typ, "text/") {
			b = []byte(utf8Text(b, p.params["charset"]))
			b = hashedText(b)
		}
		fmt.Fprintf(sum, "%s %d\n", p.typ, len(b))
		sum.Write(b)
	})
	return hex.EncodeToString(sum.Sum(nil))
}

func hashedText(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		var ln []byte
		ln, b = cutLine(b)
		out = append(append(out, bytes.TrimRight(ln, " \t\r")...), '\n')
	}
	return bytes.TrimRight(out, "\n")
}
