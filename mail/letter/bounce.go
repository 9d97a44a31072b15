package letter

import (
	"slices"
	"strings"

	"angelpost/engine/incoming"
)

// maxRecipients bounds the recipients that a report names, maxExplained the octets of its
// explanation that we look at.
const (
	maxRecipients = 20
	maxExplained  = 64 << 10
)

// An account is what a letter says about another letter.
type account struct {
	status    bool // there is a part for programs (RFC 3464), even an empty one
	reached   bool // it names a recipient that was reached
	bounces   []incoming.Bounce
	feedback  header // of an abuse report (RFC 5965)
	returned  header // of the letter that it returns
	explained string // its text, up to the letter that it returns
}

var (
	// Senders that write about other people's letters.
	mailSystem = compile(`^(mailer-?daemon|post[-_.]?master|mail-daemon|double-bounce|mail[-_.]delivery[-_.](system|subsystem))@`)
	daemonName = compile(`(?i)\bmailer-daemon\b|^\W*mail delivery (sub)?system\b`)
	// Where the returned letter begins in a text.
	returnedAt = compile(`(?im)^[>\t ]*(return-path|received|message-id|x-original-to|mime-version): |^[- ]*(below this line is a copy|original message follows|message headers follow|original headers follow|message header follows|this is a copy of (the|your) message)`)
	idLine     = compile(`(?im)^[>\t ]*message-id:\s*<([^<>\s]+)>`)
	toLine     = compile(`(?im)^[>\t ]*to:[^\r\n]*?([^\s<>(),;:"\[\]\\]+@[^\s<>(),;:"\[\]\\]+)`)
	replyLine  = compile(`(?im)^[>\t ]*reply-to:[^\r\n]*?([^\s<>(),;:"\[\]\\]+@[^\s<>(),;:"\[\]\\]+)`)
	// How explanations name recipients, the surest first.
	namedAs = []matcher{
		compile(`(?i)(?:original|final)-recipient:\s*(?:[a-z0-9]+\s*;)?\s*<?([^\s<>(),;:"\[\]\\]+@[^\s<>(),;:"\[\]\\]+)`),
		compile(`(?i)rcpt to:\s*<([^<>@\s]+@[^<>@\s]+)>`),
		compile(`<(?:mailto:)?([^<>@\s]+@[^<>@\s]+)>`),
		compile(`(?m)^[\s*•>"'-]*([^\s<>(),;:"'\[\]\\]+@[^\s<>(),;:"'\[\]\\]+)`),
		compile(`([^\s<>(),;:"'\[\]\\=]+@[^\s<>(),;:"'\[\]\\]+)`),
	}
	statusCode = compile(`\b([45]\.[0-9]{1,3}\.[0-9]{1,3})\b`)
	replyCode  = compile(`(?m)(?:^|[\s:(#])([45])[0-9]{2}[\s-]`)
	late       = compile(`(?i)\bdelay(ed)?\b|^warning\b|\bstill (being )?(trying|retried)|\bno action is required|not (yet )?been delivered yet`)
)

// readAccount collects what a report consists of.
func readAccount(h header, top *part) account {
	var r account
	var text strings.Builder
	top.leaves(func(p *part) {
		switch p.typ {
		case "message/delivery-status", "message/global-delivery-status":
			r.status = true
			r.deliveries(p.decoded())
		case "message/feedback-report":
			r.feedback, _, _ = parseHeader(p.decoded(), MaxPartHeader)
			if r.feedback == nil {
				r.feedback = header{}
			}
		case "message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers", "message/rfc822-headers":
			if r.returned == nil {
				r.returned, _, _ = parseHeader([]byte(strings.TrimLeft(string(p.decoded()), "\r\n")), MaxPartHeader)
			}
		default:
			if (strings.HasPrefix(p.typ, "text/") || p.typ == "") && text.Len() < maxExplained {
				b := p.decoded()
				text.Write(b[:min(len(b), maxExplained)])
				text.WriteByte('\n')
			}
		}
	})
	r.explained = text.String()
	if at := returnedAt.index(r.explained); at >= 0 {
		if r.returned == nil {
			r.returned = inText(r.explained[at:])
		}
		r.explained = r.explained[:at]
	}
	return r
}

// inText reads the fields that matter of a letter returned within a text.
func inText(s string) (h header) {
	if m := idLine.find(s); m != nil {
		h = append(h, field{"message-id", "<" + m[1] + ">"})
	}
	if m := toLine.find(s); m != nil {
		h = append(h, field{"to", m[1]})
	}
	if m := replyLine.find(s); m != nil {
		h = append(h, field{"reply-to", m[1]})
	}
	return h
}

// deliveries reads the groups of fields of a message/delivery-status part. A group without an
// action counts by its status; one that says only a recipient has failed.
func (r *account) deliveries(b []byte) {
	for rest, n := b, 0; len(rest) > 0 && n < MaxParts; n++ {
		var group header
		group, rest, _ = parseHeader(rest, len(rest))
		to := group.get("original-recipient") // ours, before any forwarding
		if recipient(to) == "" {
			if v := group.get("final-recipient"); v != "" {
				to = v
			}
		}
		action, status := keyword(group.get("action")), keyword(group.get("status"))
		switch {
		case action == "failed", action == "delayed", action == "expired":
		case action == "delivered", action == "relayed", action == "expanded", strings.HasPrefix(status, "2"):
			r.reached = true
			continue
		case to == "" && status == "":
			continue
		}
		if len(r.bounces) < MaxParts {
			d := incoming.Bounce{Address: recipient(to), Status: status}
			d.Permanent = action != "delayed" && !strings.HasPrefix(status, "4") && (action != "expired" || strings.HasPrefix(status, "5"))
			r.bounces = append(r.bounces, d)
		}
	}
}

// recipient returns the address of a recipient field, "rfc822; <bob@example.org>".
func recipient(v string) string {
	if _, after, ok := strings.Cut(v, ";"); ok {
		v = after
	}
	return NormalAddress(strings.Trim(v, " <>"))
}

// bounced reports whether a letter says that another was not delivered.
func (r *account) bounced(h header, top *part, from string) bool {
	subject := subjectOf(h)
	switch said := bounceSubject.in(subject); {
	case len(r.bounces) > 0, h.has("x-failed-recipients"):
		return true
	case r.status, strings.EqualFold(top.params["report-type"], "delivery-status"):
		return !r.reached
	case strings.HasPrefix(from, "mailer-daemon@"), from == "" && daemonName.in(h.get("from")):
		return true
	case mailSystem.in(from):
		return said || nullReturnPath(h) || top.contains("message/rfc822") || statusCode.in(r.explained) || replyCode.in(r.explained)
	case from != "" && h.has("in-reply-to") && !nullReturnPath(h) && r.returned == nil:
		return false
	case (nullReturnPath(h) || noReply.in(from)) && r.returned != nil && len(r.said(h, from, nil)) > 0:
		return true
	default:
		return said && (nullReturnPath(h) || r.returned != nil || len(r.said(h, from, nil)) > 0)
	}
}

// name fills in what the report leaves to its explanation and to the letter that it returns:
// who was not reached, which letter it was, and whether that is final.
func (r *account) name(h header, from string, patterns []string) []incoming.Bounce {
	if len(r.bounces) == 0 {
		d := incoming.Bounce{Permanent: !late.in(subjectOf(h)) && !late.in(r.explained)}
		if m := statusCode.find(r.explained); m != nil {
			d.Status = m[1]
			d.Permanent = d.Permanent && d.Status[0] == '5'
		} else if m := replyCode.find(r.explained); m != nil {
			d.Permanent = d.Permanent && m[1] == "5"
		}
		r.bounces = []incoming.Bounce{d}
	}
	if !slices.ContainsFunc(r.bounces, func(b incoming.Bounce) bool { return b.Address != "" }) {
		d := r.bounces[0]
		r.bounces = r.bounces[:0]
		for _, d.Address = range r.recipients(h, from, patterns) {
			r.bounces = append(r.bounces, d)
		}
		if len(r.bounces) == 0 {
			r.bounces = append(r.bounces, d)
		}
	}
	id := messageID(r.returned.get("message-id"))
	if id == "" {
		id = messageID(h.get("in-reply-to"))
	}
	if id == "" {
		id = messageID(h.get("references"))
	}
	for i := range r.bounces {
		r.bounces[i].MessageID = id
	}
	return r.bounces
}

// recipients returns the addresses that fields, the explanation or the returned letter name.
func (r *account) recipients(h header, from string, patterns []string) []string {
	var all []string
	for _, v := range h.all("x-failed-recipients") {
		for _, a := range addressish.all(v, MaxParts) {
			all = r.also(all, a[0])
		}
	}
	if len(all) == 0 {
		all = r.said(h, from, patterns)
	}
	for _, name := range []string{"x-original-to", "to"} {
		for _, v := range r.returned.all(name) {
			for _, a := range addressish.all(v, MaxParts) {
				if len(all) == 0 {
					all = r.also(all, a[0])
				}
			}
		}
	}
	return all
}

// said are the recipients that the explanation names; our own addresses and those of mail
// systems are none.
func (r *account) said(h header, from string, patterns []string) (all []string) {
	var own []string
	for _, v := range append(h.all("to"), h.all("delivered-to")...) {
		for _, a := range addressish.all(v, MaxParts) {
			own = append(own, NormalAddress(a[0]))
		}
	}
	for i, as := range namedAs {
		for _, m := range as.all(r.explained, MaxParts) {
			a := NormalAddress(strings.Trim(m[1], ".'`*"))
			if a == "" || a == from || slices.Contains(own, a) || mailSystem.in(a) || ours(a, patterns) {
				continue
			}
			all = r.also(all, a)
			if i == len(namedAs)-1 {
				return all
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	return nil
}

func (r *account) also(all []string, address string) []string {
	if a := NormalAddress(strings.Trim(address, ".")); a != "" && len(all) < maxRecipients && !slices.Contains(all, a) {
		all = append(all, a)
	}
	return all
}

// token returns the token in the returned letter, if we made it.
func (r *account) token(patterns []string) string {
	for _, name := range []string{"reply-to", "from", "return-path"} {
		for _, a := range addressish.all(r.returned.get(name), MaxParts) {
			if t := tokenIn(a[0], patterns); t != "" {
				return t
			}
		}
	}
	return ""
}

// complaint reads an abuse report: RFC 5965, or Microsoft's older form, which is only the
// letter with an extra field. It returns nil for reports about authentication and those that
// say that a letter was not spam.
func (r *account) complaint() *incoming.Complaint {
	c := &incoming.Complaint{MessageID: messageID(r.returned.get("message-id"))}
	to := r.returned.get("x-hmxmroriginalrecipient")
	switch {
	case r.feedback != nil:
		switch keyword(r.feedback.get("feedback-type")) {
		case "auth-failure", "not-spam", "dmarc":
			return nil
		}
		if to = r.feedback.get("original-rcpt-to"); recipient(to) == "" {
			to = r.returned.get("to")
		}
	case to == "":
		to = r.returned.get("to")
	}
	if m := addressish.find(to); m != nil {
		c.Address = NormalAddress(m[0])
	}
	return c
}
