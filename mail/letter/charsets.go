package letter

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf16"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// Browsers know the charsets of pages (WHATWG). Letters have older ones, which
// browsers refuse because scripts could hide in them; here there are only lines.

// The names that mail programs use for charsets that others name otherwise.
var charsetNames = map[string]string{
	"cp932": "shift_jis", "x-ms-cp932": "shift_jis", "windows-932": "shift_jis",
	"cp50220": "iso-2022-jp", "cp50221": "iso-2022-jp", "cp50222": "iso-2022-jp", "x-iso-2022-jp": "iso-2022-jp", "iso-2022-jp-1": "iso-2022-jp", "iso-2022-jp-ms": "iso-2022-jp",
	"cp936": "gbk", "cp949": "euc-kr", "cp950": "big5", "ks_c_5601": "euc-kr",
}

// The code pages of DOS, without the "cp", "ibm" or "dos-" before their number.
var codePages = map[string]*charmap.Charmap{
	"437": charmap.CodePage437, "850": charmap.CodePage850, "852": charmap.CodePage852, "855": charmap.CodePage855, "858": charmap.CodePage858,
	"860": charmap.CodePage860, "862": charmap.CodePage862, "863": charmap.CodePage863, "865": charmap.CodePage865, "866": charmap.CodePage866,
}

var codePage = compile(`^(?:cs)?(?:cp|ibm|dos|pc)?[-_]?0?0?(\d{3})$`)

// charsetText decodes a charset other than UTF-8; ok is false if it is unknown.
func charsetText(b []byte, label string) (text string, ok bool) {
	if other := charsetNames[label]; other != "" {
		label = other
	}
	switch label {
	case "utf-7", "unicode-1-1-utf-7", "x-unicode-2-0-utf-7", "csutf7":
		return utf7(b), true
	case "iso-2022-kr", "csiso2022kr":
		b, label = shiftedKorean(b), "euc-kr"
	}
	enc, _ := charset.Lookup(label)
	switch label {
	case "hz-gb-2312", "hz":
		enc = simplifiedchinese.HZGB2312
	case "euc-kr":
		enc = korean.EUCKR
	}
	if m := codePage.find(label); enc == nil && m != nil && codePages[m[1]] != nil {
		enc = codePages[m[1]]
	}
	if enc == nil {
		return "", false
	}
	out, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\uFFFD"), true
	}
	return strings.ToValidUTF8(string(out), "\uFFFD"), true
}

// utf7 decodes UTF-7 (RFC 2152); what is not, stays.
func utf7(b []byte) string {
	var out strings.Builder
	out.Grow(len(b))
	for len(b) > 0 {
		before, after, plus := bytes.Cut(b, []byte("+"))
		for _, c := range before {
			if c < 0x80 {
				out.WriteByte(c)
			} else {
				out.WriteRune('\uFFFD')
			}
		}
		if b = after; !plus {
			break
		}
		n := 0
		for n < len(b) && isBase64(b[n]) {
			n++
		}
		units := make([]byte, base64.RawStdEncoding.DecodedLen(n))
		got, _ := base64.RawStdEncoding.Decode(units, b[:n])
		switch {
		case n == 0 && len(b) > 0 && b[0] == '-':
			out.WriteByte('+')
		case n == 0 || got < 2:
			out.WriteByte('+')
			out.Write(b[:n])
		default:
			u := make([]uint16, 0, got/2)
			for k := 0; k+1 < got; k += 2 {
				u = append(u, uint16(units[k])<<8|uint16(units[k+1]))
			}
			out.WriteString(string(utf16.Decode(u)))
		}
		if b = b[n:]; len(b) > 0 && b[0] == '-' {
			b = b[1:]
		}
	}
	return out.String()
}

// shiftedKorean makes EUC-KR of ISO-2022-KR (RFC 1557): between SO and SI each
// octet lacks its high bit.
func shiftedKorean(b []byte) []byte {
	out := make([]byte, 0, len(b))
	b = bytes.ReplaceAll(b, []byte("\x1b$)C"), nil)
	shifted := false
	for _, c := range b {
		switch {
		case c == 0x0e || c == 0x0f:
			shifted = c == 0x0e
		case c == '\n': // a line begins unshifted
			shifted = false
			out = append(out, c)
		case shifted && c > ' ' && c < 0x7f:
			out = append(out, c|0x80)
		default:
			out = append(out, c)
		}
	}
	return out
}

func isBase64(c byte) bool {
	return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/'
}
