package letter

import (
	"strings"
	"unicode"
)

// authentication reads the Authentication-Results (RFC 8601) that the server called id added;
// fields with other names may be forged, so it ignores them.
//
// A failed DMARC is Failed, and so is one about another domain than the author's: then that
// server took another author from the letter than we did. A failed DKIM signature is Failed,
// unless the same field has one of the author's own domain that passed. A field that cannot be
// read may say any of this: it is Illegible, which only Failed outweighs. Even a field in our
// server's name may be the sender's, if the server does not remove such fields; so a field
// never improves what another one says.
func authentication(h header, id, from string) (Auth, string) {
	if id == "" {
		return NoEvidence, ""
	}
	_, domain, _ := strings.Cut(from, "@")
	auth, reason := NoEvidence, ""
	undecided := false // by DMARC, in any field
	for _, v := range h.all("authentication-results") {
		server, results, ok := authResults(v)
		if !strings.EqualFold(server, id) {
			continue
		}
		passed, dkimFailed, aligned := false, false, false
		for _, r := range results {
			switch {
			case r.method == "dmarc" && r.result == "fail":
				return Failed, "dmarc=fail"
			case r.method == "dmarc" && r.result == "pass" && r.from != "" && !sameDomain(r.from, domain):
				return Failed, "dmarc=pass of another domain"
			case r.method == "dmarc" && r.result == "pass":
				passed = true
			case r.method == "dkim" && (r.result == "fail" || r.result == "hardfail"):
				dkimFailed = true
			case r.method == "dkim" && r.result == "pass":
				aligned = aligned || sameDomain(r.domain, domain)
			case r.method == "dmarc":
				undecided = true
			}
		}
		switch {
		case dkimFailed && !aligned:
			return Failed, "dkim=fail"
		case !ok:
			auth, reason = Illegible, clean(first(v, 200))
		case auth == Illegible:
		case passed:
			auth, reason = Passed, "dmarc=pass"
		case aligned && auth == NoEvidence:
			auth, reason = Passed, "dkim=pass"
		}
	}
	if undecided && reason == "dmarc=pass" {
		return NoEvidence, ""
	}
	return auth, reason
}

// Judge takes what a check of our own found of the letter, written as the server called id
// would have added it in an Authentication-Results field.
func (l *Letter) Judge(id, results string) {
	l.Auth, l.AuthReason = authentication(header{{name: "authentication-results", value: results}}, id, l.From)
}

// sameDomain reports whether a and b are one domain, or one is a subdomain of the other
// (relaxed alignment; a public suffix alone signs no mail).
func sameDomain(a, b string) bool {
	if a == "" || b == "" || !strings.Contains(a, ".") || !strings.Contains(b, ".") {
		return false
	}
	return a == b || strings.HasSuffix(a, "."+b) || strings.HasSuffix(b, "."+a)
}

// An authResult is what DMARC or DKIM found, in lower case: domain is the
// signer's, from the author's (the property header.from).
type authResult struct{ method, result, domain, from string }

// authResults reads the value of an Authentication-Results field: the name of the server that
// added it, if readable, and the results for DMARC and DKIM. Other methods may have any syntax.
// If something in the field cannot be read, the whole field has no result: ok is false.
func authResults(v string) (server string, results []authResult, ok bool) {
	toks, ok := authTokens(v)
	head, rest := cutClause(toks)
	if len(head) == 0 {
		return "", nil, false
	}
	// OpenDKIM can add the number of its job: "mx.example.org/4BxY1".
	server, _, _ = strings.Cut(head[0].text, "/")
	// What another version means is not ours to guess (RFC 8601, section 2.2).
	if version := head[1:]; !ok || len(version) > 1 || len(version) == 1 && version[0].text != "1" {
		return server, nil, false
	}
	for len(rest) > 0 {
		var clause []authToken
		clause, rest = cutClause(rest)
		if len(clause) == 0 {
			continue
		}
		method, _, _ := strings.Cut(strings.ToLower(clause[0].text), "/")
		if method != "dmarc" && method != "dkim" {
			continue
		}
		r, ok := authMethod(method, clause)
		if !ok {
			return server, nil, false
		}
		results = append(results, r)
	}
	return server, results, true
}

// authMethod reads "dkim/1 = pass reason = "x" header.d = example.org".
func authMethod(method string, clause []authToken) (r authResult, ok bool) {
	r.method = method
	for first := true; len(clause) > 0; first = false {
		var name, value string
		if name, value, clause, ok = authPair(clause); !ok {
			return r, false
		}
		switch {
		case first:
			if r.result = strings.ToLower(value); r.result == "" {
				return r, false
			}
		case name == "header.d":
			r.domain = domainOf(value)
		case name == "header.i" && r.domain == "":
			r.domain = domainOf(value)
		case name == "header.from":
			if r.from = domainOf(value); r.from == "" {
				return r, false
			}
		}
	}
	return r, true
}

// domainOf is the domain of an address, or one alone, in its normal form; "" if it
// is none.
func domainOf(s string) string {
	_, domain, _ := strings.Cut(NormalAddress("x@"+s[strings.LastIndexByte(s, '@')+1:]), "@")
	return domain
}

// authPair reads a name, which may be in several pieces around "." and "/", "="
// and a value, whose pieces are together.
func authPair(toks []authToken) (name, value string, rest []authToken, ok bool) {
	var b strings.Builder
	n := 0
	for ; n < len(toks) && toks[n].kind == authWord; n++ {
		piece := toks[n].text
		if n > 0 && !strings.ContainsAny(toks[n-1].text[len(toks[n-1].text)-1:]+piece[:1], "./") {
			return "", "", nil, false // two words
		}
		b.WriteString(piece)
	}
	if n == 0 || n == len(toks) || toks[n].kind != authEquals {
		return "", "", nil, false
	}
	name = strings.ToLower(b.String())
	b.Reset()
	rest = toks[n+1:]
	for i := 0; len(rest) > 0 && (!rest[0].apart || i == 0); i++ {
		if i == 0 && rest[0].kind == authEquals {
			return "", "", nil, false
		}
		b.WriteString(rest[0].text)
		rest = rest[1:]
	}
	return name, b.String(), rest, true
}

// cutClause cuts off the tokens before the first semicolon.
func cutClause(toks []authToken) (clause, rest []authToken) {
	for i, t := range toks {
		if t.kind == authEnd {
			return toks[:i], toks[i+1:]
		}
	}
	return toks, nil
}

// An authToken is a piece of an Authentication-Results field. apart tells that
// white space or a comment is before it.
type authToken struct {
	kind  authKind
	text  string
	apart bool
}

type authKind byte

const (
	authWord   authKind = iota
	authString          // was quoted
	authEquals          // "="
	authEnd             // ";"
)

// authTokens cuts a field into tokens, without its white space and comments. ok is
// false if a comment or string has no end, or a comment no beginning.
func authTokens(v string) (toks []authToken, ok bool) {
	look(len(v))
	apart, ok := false, true
	put := func(kind authKind, text string) {
		toks = append(toks, authToken{kind, text, apart})
		apart = false
	}
	for i := 0; i < len(v); {
		switch c := v[i]; c {
		case ' ', '\t', '\r', '\n':
			apart = true
			i++
		case '(':
			n := commentEnd(v[i:])
			if n == 0 {
				return toks, false
			}
			apart = true
			i += n
		case ')':
			ok, apart = false, true
			i++
		case '"':
			text, n := quotedString(v[i:])
			if n == 0 {
				return toks, false
			}
			put(authString, text)
			i += n
		case ';':
			put(authEnd, ";")
			i++
		case '=':
			put(authEquals, "=")
			i++
		default:
			n := strings.IndexFunc(v[i:], func(r rune) bool {
				return strings.ContainsRune(" \t\r\n()\";=", r) || unicode.IsControl(r)
			})
			switch {
			case n == 0: // a control character
				ok = false
				i++
				continue
			case n < 0:
				n = len(v) - i
			}
			put(authWord, v[i:i+n])
			i += n
		}
	}
	return toks, ok
}

// commentEnd is the length of the comment at the start of s, comments within it
// included; 0 if it has no end.
func commentEnd(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// quotedString is what the quoted string at the start of s says, and its length; 0
// if it has no end.
func quotedString(s string) (text string, n int) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			if i++; i < len(s) {
				b.WriteByte(s[i])
			}
		case '"':
			return b.String(), i + 1
		default:
			b.WriteByte(s[i])
		}
	}
	return "", 0
}
