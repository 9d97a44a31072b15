package letter

import (
	"regexp"
	"strings"
)

// What clients write around a reply. English is complete; of other languages
// the usual forms are known, for a player's client need not speak English.

var (
	attributionStart = regexp.MustCompile(`^On\b.*\d`)
	attributionRun   = regexp.MustCompile(`^On\b.{0,200}\d.{0,200}[>@].{0,100}\bwrote:\s+\S`) // Yahoo's app goes on behind it
	attributionEnd   = regexp.MustCompile(`(?i)\b(wrote|writes|said|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev|napisał\(a\)|napisał|kirjoitti)\b[^:]*:$`)
	dated            = regexp.MustCompile(`\b(19|20)\d\d\b|\d[:h.]\d\d\b|@`)

	headerFrom  = regexp.MustCompile(`(?i)^\*?(from|von|de|da|van|från|fra)\s?:\*?\s?\S`)
	headerOther = regexp.MustCompile(`(?i)^\*?(sent|date|to|cc|subject|reply-to|importance|gesendet|datum|an|betreff|antwort an|envoyé|date d'envoi|à|objet|enviado|fecha|para|asunto|inviato|data|a|oggetto|verzonden|aan|onderwerp|assunto|skickat|till|ämne)\s?:\*?(\s|$)`)

	ruledText = regexp.MustCompile(`^[-_]{2,}\s*\p{L}.*[-_]{2,}$`)
	original  = regexp.MustCompile(`(?i)original|message|nachricht|messaggio|mensaje|mensagem|bericht|meddelande|reply|antwort`)
	forwarded = regexp.MustCompile(`(?i)^([-_=]{3,}.*(forward|weitergeleitet|transféré|transferé|inoltrato|reenviado|doorgestuurd|encaminhada).*[-_=]{2,}|begin forwarded message:|anfang der weitergeleiteten (nachricht|e-mail):|début du message (transféré|réexpédié) ?:|---+ ?forwarded (message )?from .*)$`)

	footers = regexp.MustCompile(`(?i)^[-–—*_]*\s*(` +
		`sent (from|via|with|using|by) .*` +
		`|get outlook for .*|holen sie sich outlook .*|obtenez outlook .*|obtener outlook .*|outlook für .* beziehen.*` +
		`|(diese nachricht wurde )?(von|mit) (meine[mr]?|mein) .*(gesendet|verschickt).*|gesendet (mit|von|aus|über) .*` +
		`|envoyé (de|depuis|à partir|avec) .*|enviado (desde|de|do|con) .*|inviato da(l)? .*|verzonden (vanaf|met|via) .*|skickat från .*` +
		`|virus-free\..*|this e-?mail has been checked for viruses.*|diese e-mail wurde .* auf viren .*` +
		`|yahoo mail: search, organi[sz]e, conquer.*|(please )?(excuse|pardon) (my brevity|any typos|typos).*` +
		`|\[(external|extern|ext)\]|caution: this e-?mail originated .*` +
		`)$`)
	disclaimerStart = regexp.MustCompile(`(?i)^[*_-]*\s*(this (e-?mail|message|communication|transmission)\b|the (information|contents?) (contained |transmitted )?(in|of|with) (this|it)\b|confidential(ity)?\b|disclaimer\b|legal notice\b|diese (e-?mail|nachricht)\b|ce (message|courriel)\b)`)
	disclaimerWord  = regexp.MustCompile(`(?i)confidential|intended|recipient|privileged|disclaimer|virus|vertraulich|empfänger|destinataire|legal notice`)

	closing  = regexp.MustCompile(`(?i)^(many |best |kind |warm |with kind |with best )?(thanks|thank you|thx|cheers|regards|wishes|greetings|sincerely|yours|best|mfg|viele grüße|liebe grüße|gruß|grüße|cordialement)( again| in advance| a lot| so much)?[,.!]*$`)
	greeting = regexp.MustCompile(`(?i)^((hi|hello|hallo|hey|dear|bonjour|good (morning|evening|day))( (all|there|everyone|everybody|angelpost|team|server|folks))?[,!]|(hello|hallo|bonjour)( (all|there|everyone|everybody|angelpost|team|server|folks))?[.]?)$`)

	sayLine = regexp.MustCompile(`(?i)^say(?:\s+to\s+([^:]{1,200}?))?\s*[:：]\s*(.*)$`)
)

// says splits "say to NAME: text" into itself, name and text; nil if s is none.
func says(s string) []string {
	if !strings.EqualFold(first(s, 3), "say") {
		return nil
	}
	return sayLine.FindStringSubmatch(s)
}

// forwards reports whether a line introduces forwarded mail.
func forwards(s string) bool { return len(s) < 300 && forwarded.MatchString(s) }

// footer reports whether a line is one that apps and gateways put below.
func footer(s string) bool { return len(s) < 300 && footers.MatchString(s) }

// disclaimer reports whether lines begins with a disclaimer. It counts those
// that begin like one.
func disclaimer(lines []line, seen *int) bool {
	if len(lines[0].text) > 2*MaxOrder || !disclaimerStart.MatchString(lines[0].text) {
		return false
	}
	*seen++
	text := lines[0].text
	for _, l := range lines[1:min(len(lines), 4)] {
		if l.text == "" || len(l.text) > 2*MaxOrder {
			break
		}
		text += " " + l.text
	}
	return len(text) > 50 && disclaimerWord.MatchString(text)
}

// headerBlock returns how many lines the block "From: … Sent: … To: …
// Subject: …" at the start of lines has, in whatever order, or 0.
func headerBlock(lines []line) int {
	n, fields, from := 0, 0, false
	for i := 0; i < len(lines) && i <= n+2 && lines[i].depth == 0; i++ {
		t := lines[i].text
		isFrom := len(t) <= 1000 && headerFrom.MatchString(t)
		if !isFrom && (len(t) > 1000 || !headerOther.MatchString(t)) {
			if i == 0 {
				return 0
			}
			continue
		}
		n, fields, from = i+1, fields+1, from || isFrom
	}
	if fields < 3 || !from {
		return 0
	}
	return n
}

// attribution returns how many lines at the start of lines are an attribution
// such as "On … wrote:", or 0, and whether marked quotation follows. In a
// language not known here, a dated line that ends with a colon is one if
// marked quotation follows.
func attribution(lines []line) (n int, marked bool) {
	if attributionRun.MatchString(first(lines[0].text, 1000)) {
		return 1, quotationFollows(lines[1:])
	}
	text := ""
	known := attributionStart.MatchString(first(lines[0].text, 1000))
	for n < 4 && n < len(lines) && lines[n].depth == 0 && lines[n].text != "" && len(lines[n].text) < 1000 {
		text = strings.TrimSpace(text + " " + lines[n].text)
		// Each line of an attribution in an unknown form has to show what it is;
		// else an order above it would be swallowed.
		each := dated.MatchString(lines[n].text)
		n++
		if strings.HasSuffix(text, ":") {
			marked = quotationFollows(lines[n:])
			says := attributionEnd.MatchString(text)
			if says && (marked || dated.MatchString(text)) || marked && each {
				return n, marked
			}
			return 0, false
		}
		if !known && !each {
			return 0, false
		}
	}
	return 0, false
}

func first(s string, n int) string { return s[:min(len(s), n)] }

// quotationFollows reports whether the next line with text is marked.
func quotationFollows(lines []line) bool {
	for _, l := range lines {
		if l.depth > 0 || l.why == Quote || l.soft {
			return l.depth > 0
		}
		if l.text != "" {
			return false
		}
	}
	return false
}
