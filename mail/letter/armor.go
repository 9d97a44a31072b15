package letter

import "strings"

var (
	armorBegin = compile(`^-----BEGIN PGP ([A-Z ]+?)-----$`)
	armorLine  = compile(`^(?:[A-Za-z0-9+/]{1,76}={0,2}|=[A-Za-z0-9+/]{4}|(?:Version|Comment|Hash|Charset|MessageID|NotDashEscaped): .*|)$`)
	fence      = compile("^(?:`{3,}|~{3,})[\\w -]{0,20}$")
)

// unarmored returns lines without what PGP puts around signed text (RFC 9580, 7): the
// headers, the signature, keys, and the dashes before lines. sealed is set if there is
// encrypted text, which it takes out, too.
func unarmored(lines []line) (out []line, sealed bool) {
	signed := false
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		m := armorBegin.find(l.text)
		switch {
		case m == nil && signed && strings.HasPrefix(l.text, "- -"):
			l.text = l.text[2:]
			out = append(out, l)
			continue
		case m == nil:
			out = append(out, l)
			continue
		case m[1] == "SIGNED MESSAGE":
			signed = true
			for i+1 < len(lines) && lines[i+1].text != "" && armorLine.in(lines[i+1].text) {
				i++
			}
		default:
			signed = false
			sealed = sealed || m[1] == "MESSAGE" && l.depth == 0
			for i+1 < len(lines) && armorLine.in(lines[i+1].text) {
				i++
			}
			if i+1 < len(lines) && lines[i+1].text == "-----END PGP "+m[1]+"-----" {
				i++
			}
		}
		out = append(out, line{depth: l.depth})
	}
	return out, sealed
}
