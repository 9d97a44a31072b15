package letter

import "strings"

// authentication reads the Authentication-Results (RFC 8601) that the server
// called id added; those of other names may be forged and are not looked at.
//
// A failed DMARC is Failed. So is a failed DKIM signature, unless another one
// of the author's own domain passed. What cannot be parsed is no evidence.
func authentication(h header, id, from string) (Auth, string) {
	if id == "" {
		return NoEvidence, ""
	}
	_, domain, _ := strings.Cut(from, "@")
	var pass, dkimFail string
	aligned := false
	for _, v := range h.all("authentication-results") {
		server, results, ok := authResults(v)
		if !ok || !strings.EqualFold(server, id) {
			continue
		}
		for _, r := range results {
			switch r.method + "=" + r.value {
			case "dmarc=fail":
				return Failed, "dmarc=fail"
			case "dmarc=pass":
				pass = "dmarc=pass"
			case "dkim=fail", "dkim=hardfail":
				dkimFail = "dkim=fail"
			case "dkim=pass":
				if sameDomain(r.domain, domain) {
					aligned = true
				}
			}
		}
	}
	switch {
	case dkimFail != "" && !aligned:
		return Failed, dkimFail
	case pass != "":
		return Passed, pass
	case aligned:
		return Passed, "dkim=pass"
	}
	return NoEvidence, ""
}

// sameDomain reports whether a and b are one domain or one lies in the other
// (relaxed alignment; a public suffix alone signs no mail).
func sameDomain(a, b string) bool {
	if a == "" || b == "" || !strings.Contains(a, ".") || !strings.Contains(b, ".") {
		return false
	}
	return a == b || strings.HasSuffix(a, "."+b) || strings.HasSuffix(b, "."+a)
}

// An authResult is one method's finding, in lower case.
type authResult struct{ method, value, domain string }

// authResults parses the value of an Authentication-Results field.
func authResults(v string) (server string, results []authResult, ok bool) {
	clauses, ok := authClauses(v)
	if !ok || len(clauses) == 0 || len(clauses[0]) == 0 {
		return "", nil, false
	}
	for _, c := range clauses[1:] {
		if len(c) == 0 {
			continue
		}
		method, value, found := strings.Cut(c[0], "=")
		if !found {
			continue // "none"
		}
		method, _, _ = strings.Cut(method, "/")
		r := authResult{method: method, value: value}
		for _, p := range c[1:] {
			if d, ok := strings.CutPrefix(p, "header.d="); ok {
				r.domain = d
			} else if i, ok := strings.CutPrefix(p, "header.i="); ok && r.domain == "" {
				r.domain = i[strings.LastIndexByte(i, '@')+1:]
			}
		}
		results = append(results, r)
	}
	return clauses[0][0], results, true
}

// authClauses splits at semicolons and white space outside comments and quoted
// strings, joins what stands around "=", and drops comments. Library parsers
// stumble over a semicolon within a comment, which is where servers put what
// the sender said.
func authClauses(v string) (clauses [][]string, ok bool) {
	var clause []string
	var word []byte
	depth, quoted, joined := 0, false, false
	flush := func() {
		if len(word) > 0 && !joined {
			clause = append(clause, strings.ToLower(string(word)))
			word = nil
		}
	}
	for i := 0; i < len(v); i++ {
		c := v[i]
		switch {
		case c == '\\' && (quoted || depth > 0):
			if i++; i < len(v) && quoted {
				word = append(word, v[i])
			}
		case quoted:
			if c == '"' {
				quoted = false
			} else {
				word = append(word, c)
			}
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth < 0 {
				return nil, false
			}
		case depth > 0:
		case c == '"':
			quoted = true
			joined = false
		case c == ';':
			joined = false
			flush()
			clauses, clause = append(clauses, clause), nil
		case c == ' ' || c == '\t':
			// "dkim = pass" is one word: wait for what follows the "=".
			if rest := strings.TrimLeft(v[i:], " \t"); strings.HasPrefix(rest, "=") || joined {
				continue
			}
			flush()
		default:
			joined = c == '='
			word = append(word, c)
		}
	}
	joined = false
	flush()
	if quoted || depth != 0 {
		return nil, false
	}
	return append(clauses, clause), true
}
