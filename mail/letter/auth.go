package letter

import "strings"

// authentication reads the Authentication-Results (RFC 8601) that the server
// called id added; those of other names may be forged and are not looked at.
//
// A failed DMARC is Failed, and so is one that judged another domain than the
// author's: then that server read another author than we did. A failed DKIM
// signature is Failed, unless the same field tells of another one of the
// author's own domain that passed. A field in our server's name may be the
// sender's all the same, where the server does not take such fields away; so
// no field can mend what another one says. What cannot be parsed is no evidence.
func authentication(h header, id, from string) (Auth, string) {
	if id == "" {
		return NoEvidence, ""
	}
	_, domain, _ := strings.Cut(from, "@")
	pass := ""
	for _, v := range h.all("authentication-results") {
		server, results, ok := authResults(v)
		if !ok || !strings.EqualFold(server, id) {
			continue
		}
		dkimFailed, aligned := false, false
		for _, r := range results {
			switch r.method + "=" + r.value {
			case "dmarc=fail":
				return Failed, "dmarc=fail"
			case "dmarc=pass":
				if r.from != "" && !sameDomain(r.from, domain) {
					return Failed, "dmarc=pass of another domain"
				}
				pass = "dmarc=pass"
			case "dkim=fail", "dkim=hardfail":
				dkimFailed = true
			case "dkim=pass":
				aligned = aligned || sameDomain(r.domain, domain)
			}
		}
		switch {
		case dkimFailed && !aligned:
			return Failed, "dkim=fail"
		case aligned && pass == "":
			pass = "dkim=pass"
		}
	}
	if pass != "" {
		return Passed, pass
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

// An authResult is one method's finding, in lower case: domain is the signer's,
// from the author's (the property header.from).
type authResult struct{ method, value, domain, from string }

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
			} else if f, ok := strings.CutPrefix(p, "header.from="); ok {
				_, r.from, _ = strings.Cut(NormalAddress("x@"+f[strings.LastIndexByte(f, '@')+1:]), "@")
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
