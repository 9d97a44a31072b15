package letter

import (
	"encoding/base64"
	"fmt"
	"mime/quotedprintable"
	"os"
	"strings"
	"testing"

	"angelpost/engine/incoming"

	"golang.org/x/text/encoding/charmap"
)

// The letters of testdata/clients are written by this file, each in the form that its client
// documents or is known for: attribution, quotation marks or elements, wrapping, transfer
// encoding, footers. The orders expected of each are here, not in the reader.

const (
	token   = "k7q2m4n6p3r5s7tbucvdwexf"
	server  = "angelpost+" + token + "@play.example"
	subject = "Re: The Long Way Home, round 4: your turn"
)

var (
	turn = []string{"card 013 at row 2", "activate 2.1 resource", "die gray 0 flip", "command at 4", "keep 031"}
	half = []string{"card 013 at row 2", "die gray 0 flip"}
)

// An example is one letter and the reading that we expect.
type example struct {
	name   string
	raw    string
	orders []string
	press  []incoming.Press
	kind   incoming.Class // Orders if empty
	barred bool
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// noticeParts returns the notice's text and HTML, each cut where a player
// writes their answer: below the legal steps, and below the board.
func noticeParts(t testing.TB) (plain, html [3]string) {
	p, h := readFile(t, "testdata/notice.txt"), readFile(t, "testdata/notice.html")
	h = h[strings.Index(h, "<p style"):strings.Index(h, "</body>")]
	i, j := strings.Index(p, "Space\n"), strings.Index(p, "The others\n")
	plain = [3]string{p[:i], p[i:j], p[j:]}
	i, j = strings.Index(h, "<h2>Space"), strings.Index(h, "<h2>Your goods")
	html = [3]string{h[:i], h[i:j], h[j:]}
	return plain, html
}

// asText is what HTML clients make of quoted HTML in their plain part.
func asText(html string, width int) string {
	s := strings.NewReplacer(
		`<img src="cid:space" alt="Space, three strips: Black Angel on c1">`, "[image: Space, three strips: Black Angel on c1]",
		`">Your page</a>`, `">Your page &lt;https://play.example/g/k3v9/s7kq2m4n6p8r&gt;</a>`,
	).Replace(html)
	return wrap(joined(htmlLines(s)), width)
}

func wrap(s string, width int) string {
	var out strings.Builder
	for _, l := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		for len(l) > width {
			i := strings.LastIndex(l[:width], " ")
			if i <= 0 {
				break
			}
			out.WriteString(l[:i] + "\n")
			l = l[i+1:]
		}
		out.WriteString(l + "\n")
	}
	return out.String()
}

func prefix(mark, s string) string {
	ls := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i, l := range ls {
		ls[i] = mark + l
		if l == "" {
			ls[i] = strings.TrimRight(mark, " ")
		}
	}
	return strings.Join(ls, "\n") + "\n"
}

func lines(ss ...string) string { return strings.Join(ss, "\n") + "\n" }

// divs is one div a line, as most editors write them.
func divs(ss ...string) string {
	var b strings.Builder
	for _, s := range ss {
		if s == "" {
			s = "<br>"
		}
		b.WriteString("<div>" + s + "</div>")
	}
	return b.String()
}

// mso is one Outlook paragraph a line.
func mso(ss ...string) string {
	var b strings.Builder
	for _, s := range ss {
		if s == "" {
			s = "&nbsp;"
		}
		b.WriteString(`<p class="MsoNormal"><span lang="EN-GB">` + s + "<o:p></o:p></span></p>\r\n")
	}
	return b.String()
}

// head is a letter's header; extra fields end with a line break each.
func head(client, extra string) string {
	return "Return-Path: <anna@example.org>\n" +
		"Delivered-To: angelpost@play.example\n" +
		"Received: from mx.example.org by play.example; Sat, 21 Nov 2026 08:30:02 +0000\n" +
		"From: Anna Berg <Anna@Example.org>\n" +
		"To: Angelpost <" + server + ">\n" +
		"Subject: " + subject + "\n" +
		"Date: Sat, 21 Nov 2026 09:30:00 +0100\n" +
		"Message-ID: <" + client + "@example.org>\n" +
		"In-Reply-To: <n4@play.example>\n" +
		"MIME-Version: 1.0\n" + extra
}

// agent is the field in which a client names itself, if it does.
func agent(name string) string {
	for _, a := range [][2]string{
		{"outlook-desktop", "X-Mailer: Microsoft Outlook 16.0\nContent-Language: en-gb\n"},
		{"outlook-web", "Thread-Topic: The Long Way Home, round 4: your turn\nAccept-Language: en-GB, en-US\nContent-Language: en-GB\nX-MS-Has-Attach:\nX-MS-TNEF-Correlator:\n"},
		{"apple-mail", "X-Mailer: Apple Mail (2.3826.200.121)\n"},
		{"ios-mail", "X-Mailer: iPhone Mail (22F76)\n"},
		{"thunderbird", "User-Agent: Mozilla Thunderbird\n"},
		{"yahoo-android", ""},
		{"yahoo", "X-Mailer: WebService/1.1.22876 YMailNorrin\n"},
		{"k9", "User-Agent: K-9 Mail for Android\n"},
		{"mutt", "User-Agent: Mutt/2.2.13 (2024-03-09)\n"},
	} {
		if strings.HasPrefix(name, a[0]) {
			return a[1]
		}
	}
	return ""
}

func part1(typ, encoding, body string) string {
	h := "Content-Type: " + typ + "\n"
	if encoding != "" {
		h += "Content-Transfer-Encoding: " + encoding + "\n"
	}
	switch encoding {
	case "base64":
		e := base64.StdEncoding.EncodeToString([]byte(strings.ReplaceAll(body, "\n", "\r\n")))
		body = ""
		for len(e) > 76 {
			body, e = body+e[:76]+"\n", e[76:]
		}
		body += e + "\n"
	case "quoted-printable":
		var b strings.Builder
		w := quotedprintable.NewWriter(&b)
		fmt.Fprint(w, body)
		w.Close()
		body = strings.ReplaceAll(b.String(), "\r\n", "\n")
	}
	return h + "\n" + body
}

func alternative(plain, html string) string {
	return "Content-Type: multipart/alternative; boundary=\"=_alt\"\n\n" +
		"--=_alt\n" + plain + "\n--=_alt\n" + html + "\n--=_alt--\n"
}

func latin1(t testing.TB, s string) string {
	out, err := charmap.Windows1252.NewEncoder().String(s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

const (
	utf8Plain = `text/plain; charset="UTF-8"`
	utf8HTML  = `text/html; charset="UTF-8"`
	flowed    = "text/plain; charset=UTF-8; format=flowed"
)

// clients writes every example.
func clients(t testing.TB) []example {
	plain, html := noticeParts(t)
	allPlain, allHTML := strings.Join(plain[:], ""), strings.Join(html[:], "")
	var es []example
	add := func(name, body string, orders []string, press ...incoming.Press) {
		raw := head(name, agent(name)) + body
		es = append(es, example{name: name, raw: strings.ReplaceAll(strings.ReplaceAll(raw, "\r\n", "\n"), "\n", "\r\n"), orders: orders, press: press})
	}
	addKind := func(name, extra, body string, kind incoming.Class, barred bool) {
		raw := head(name, extra) + body
		es = append(es, example{name: name, raw: strings.ReplaceAll(raw, "\n", "\r\n"), kind: kind, barred: barred})
	}
	greet := incoming.Press{To: "Bob", Text: "schöne Grüße, your die was mine anyway"}
	say := "say to Bob: schöne Grüße, your die was mine anyway"

	// Gmail, web. The attribution is wrapped, the HTML in div.gmail_quote.
	gOn := "On Sat, Nov 21, 2026 at 8:12 AM Angelpost <\n" + server + "> wrote:\n"
	gAttr := `<div dir="ltr" class="gmail_attr">On Sat, Nov 21, 2026 at 8:12 AM Angelpost &lt;<a href="mailto:` + server + `">` + server + `</a>&gt; wrote:<br></div>`
	gOpen, gClose := `<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">`, `</blockquote>`
	gHTML := func(inner string) string {
		return `<div dir="ltr">` + inner + `</div>`
	}
	add("gmail-web-top", alternative(
		part1(utf8Plain, "quoted-printable", lines(turn...)+"\n"+lines(say)+"\n"+gOn+"\n"+prefix("> ", asText(allHTML, 72))),
		part1(utf8HTML, "quoted-printable", gHTML(divs(append(turn, "", say)...))+`<br><div class="gmail_quote gmail_quote_container">`+gAttr+gOpen+allHTML+gClose+`</div>`)), turn, greet)
	add("gmail-web-bottom", alternative(
		part1(utf8Plain, "", gOn+"\n"+prefix("> ", asText(allHTML, 72))+"\n"+lines(turn...)),
		part1(utf8HTML, "quoted-printable", gHTML(`<div class="gmail_quote">`+gAttr+gOpen+allHTML+gClose+divs(append([]string{""}, turn...)...)+`</div>`))), turn)
	gInline := gHTML(`<div class="gmail_quote">` + gAttr + gOpen + html[0] + gClose + divs(half[0]) + gOpen + html[1] + gClose + divs("", half[1]) + gOpen + html[2] + gClose + `</div>`)
	add("gmail-web-inline", alternative(
		part1(utf8Plain, "", gOn+"\n"+prefix("> ", asText(html[0], 72))+half[0]+"\n"+prefix("> ", asText(html[1], 72))+"\n"+half[1]+"\n\n"+prefix("> ", asText(html[2], 72))),
		part1(utf8HTML, "quoted-printable", gInline)), half)
	add("gmail-web-inline-html-only", part1(utf8HTML, "quoted-printable", gInline), half)
	add("gmail-web-top-html-only", part1(utf8HTML, "base64", gHTML(divs(turn...)+`<div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature">Anna Berg<br>resign from nothing</div>`)+`<br><div class="gmail_quote">`+gAttr+gOpen+allHTML+gClose+`</div>`), turn)
	// Plain text mode breaks long quoted lines and marks only their beginning.
	add("gmail-plain-mode-top", part1(utf8Plain, "", lines(turn...)+"\n"+gOn+"\n"+breakUnmarked(prefix("> ", allPlain), 72)), turn)
	add("gmail-plain-mode-inline", part1(utf8Plain, "", gOn+"\n"+breakUnmarked(prefix("> ", plain[0]), 72)+half[0]+"\n"+half[1]+"\n"+breakUnmarked(prefix("> ", plain[1]+plain[2]), 72)), half)
	add("gmail-german-top", alternative(
		part1(utf8Plain, "base64", lines(turn...)+"\nAm Sa., 21. Nov. 2026 um 08:12 Uhr schrieb Angelpost <\n"+server+">:\n\n"+prefix("> ", asText(allHTML, 72))),
		part1(utf8HTML, "quoted-printable", gHTML(divs(turn...)))), turn)
	add("gmail-web-forward-top", alternative(
		part1(utf8Plain, "", lines(turn...)+"\n---------- Forwarded message ---------\nFrom: Angelpost <"+server+">\nDate: Sat, Nov 21, 2026 at 8:12 AM\nSubject: The Long Way Home\nTo: Anna Berg <anna@example.org>\n\n\n"+strings.ReplaceAll(asText(allHTML, 72), "| ", "")),
		part1(utf8HTML, "", gHTML(divs(turn...)))), turn)

	// Gmail, app: a comma after the name, dates in the reader's form.
	aOn := "On Sat, 21 Nov 2026, 08:12 Angelpost, <" + server + ">\nwrote:\n"
	add("gmail-app-top", alternative(
		part1(utf8Plain, "", lines(turn...)+"\n"+aOn+"\n"+prefix("> ", asText(allHTML, 72))),
		part1(utf8HTML, "quoted-printable", `<div dir="auto">`+strings.Join(turn, `</div><div dir="auto">`)+`</div><br><div class="gmail_quote">`+strings.Replace(gAttr, "AM Angelpost", "Angelpost,", 1)+gOpen+allHTML+gClose+`</div>`)), turn)
	add("gmail-app-top-html-only", part1(utf8HTML, "quoted-printable", `<p dir="ltr">`+strings.Join(turn, "<br>\n")+`</p>`+"\n"+`<div class="gmail_quote">On Sat, 21 Nov 2026, 08:12 Angelpost, &lt;`+server+`&gt; wrote:<br type="attribution">`+gOpen+allHTML+gClose+`</div>`), turn)
	// "Respond inline" makes the quotation editable; every line is a div.
	aHTML := func(inner string) string {
		return `<div dir="auto"><div class="gmail_quote" dir="auto">` + strings.Replace(gAttr, "AM Angelpost", "Angelpost,", 1) + inner + `</div></div>`
	}
	auto := func(ss ...string) string { return strings.ReplaceAll(divs(ss...), "<div>", `<div dir="auto">`) }
	add("gmail-app-bottom", alternative(
		part1(utf8Plain, "", aOn+"\n"+prefix("> ", asText(allHTML, 72))+"\n"+lines(turn...)),
		part1(utf8HTML, "quoted-printable", aHTML(gOpen+allHTML+gClose)+auto(append([]string{""}, turn...)...))), turn)
	add("gmail-app-inline", alternative(
		part1(utf8Plain, "", aOn+"\n"+prefix("> ", asText(html[0], 72))+"\n"+half[0]+"\n\n"+prefix("> ", asText(html[1], 72))+half[1]+"\n\n"+prefix("> ", asText(html[2], 72))),
		part1(utf8HTML, "quoted-printable", aHTML(gOpen+html[0]+gClose+auto("", half[0], "")+gOpen+html[1]+gClose+auto(half[1], "")+gOpen+html[2]+gClose))), half)

	// Outlook, desktop: nothing marks the quotation but the lines above it.
	oPlain := "-----Original Message-----\nFrom: Angelpost <" + server + "> \nSent: Saturday, November 21, 2026 8:12 AM\nTo: Anna Berg <anna@example.org>\nSubject: The Long Way Home, round 4: your turn\n\n"
	oRule := `<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b><span lang="EN-US">From:</span></b> Angelpost &lt;` + server + `&gt; <br><b>Sent:</b> Saturday, November 21, 2026 8:12 AM<br><b>To:</b> Anna Berg &lt;anna@example.org&gt;<br><b>Subject:</b> The Long Way Home, round 4: your turn<o:p></o:p></p></div></div>`
	word := func(inner string) string {
		return `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal{margin:0cm} --></style></head><body lang="EN-GB"><div class="WordSection1">` + inner + `</div></body></html>`
	}
	add("outlook-desktop-top", alternative(
		part1(`text/plain; charset="us-ascii"`, "7bit", lines(turn...)+"\n\n"+oPlain+asText(allHTML, 200)),
		part1(`text/html; charset="us-ascii"`, "quoted-printable", word(mso(append(turn, "")...)+oRule+allHTML))), turn)
	add("outlook-desktop-inline", part1(`text/plain; charset="us-ascii"`, "7bit", oPlain+asText(html[0], 200)+"[Anna Berg] "+half[0]+"\n"+asText(html[1], 200)+"\n"+half[1]+"\n\n"+asText(html[2], 200)), half)
	add("outlook-desktop-top-html-only", part1(`text/html; charset="windows-1252"`, "quoted-printable", latin1(t, word(mso(append(turn, "", say, "")...)+oRule+allHTML))), turn, greet)
	add("outlook-desktop-inline-html-only", part1(`text/html; charset="us-ascii"`, "quoted-printable", word(oRule+html[0]+mso(`<span style="color:#C00000">`+half[0]+`</span>`)+html[1]+mso("", half[1])+html[2])), half)
	add("outlook-desktop-bottom", alternative(
		part1(`text/plain; charset="us-ascii"`, "7bit", oPlain+asText(allHTML, 200)+"\n"+lines(turn...)),
		part1(`text/html; charset="us-ascii"`, "quoted-printable", word(oRule+allHTML+mso(append([]string{""}, turn...)...)))), turn)
	add("outlook-desktop-prefix-bottom", part1(`text/plain; charset="iso-8859-1"`, "8bit", latin1(t, prefix("> ", oPlain+allPlain)+"\n"+lines(turn...)+"\n"+lines(say))), turn, greet)
	add("outlook-german-top", part1(`text/plain; charset="iso-8859-1"`, "quoted-printable", latin1(t, lines(turn...)+"\nViele Grüße\nAnna\n\n________________________________\nVon: Angelpost <"+server+">\nGesendet: Samstag, 21. November 2026 08:12\nAn: Anna Berg\nBetreff: The Long Way Home, round 4: your turn\n\n"+allPlain)), turn)

	// Outlook on the web and on phones: divRplyFwdMsg below a rule.
	wPlain := "________________________________\nFrom: Angelpost <" + server + ">\nSent: Saturday, November 21, 2026 8:12 AM\nTo: Anna Berg <anna@example.org>\nSubject: The Long Way Home, round 4: your turn\n\n"
	wHTML := `<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" color="#000000"><b>From:</b> Angelpost &lt;` + server + `&gt;<br><b>Sent:</b> Saturday, November 21, 2026 8:12 AM<br><b>To:</b> Anna Berg<br><b>Subject:</b> The Long Way Home</font><div>&nbsp;</div></div>`
	proof := func(ss ...string) string {
		return `<div class="elementToProof" style="font-family:Aptos">` + strings.Join(ss, `</div><div class="elementToProof" style="font-family:Aptos">`) + `</div>`
	}
	add("outlook-web-top", alternative(
		part1(`text/plain; charset="iso-8859-1"`, "quoted-printable", latin1(t, lines(append(turn, "", say)...)+"\n"+wPlain+asText(allHTML, 300))),
		part1(`text/html; charset="iso-8859-1"`, "quoted-printable", latin1(t, proof(append(turn, "<br>", say)...)+wHTML+allHTML))), turn, greet)
	add("outlook-web-inline-html-only", part1(`text/html; charset="utf-8"`, "base64", wHTML+`<div>`+html[0]+proof(half[0])+html[1]+proof("", half[1])+html[2]+`</div>`), half)
	add("outlook-web-bottom", alternative(
		part1(`text/plain; charset="us-ascii"`, "quoted-printable", "\n"+wPlain+asText(allHTML, 300)+"\n"+lines(turn...)),
		part1(`text/html; charset="us-ascii"`, "quoted-printable", proof("<br>")+wHTML+`<div>`+allHTML+proof(append([]string{"<br>"}, turn...)...)+`</div>`)), turn)
	add("outlook-web-inline", alternative(
		part1(`text/plain; charset="us-ascii"`, "quoted-printable", "\n"+wPlain+asText(html[0], 300)+half[0]+"\n"+asText(html[1], 300)+"\n"+half[1]+"\n"+asText(html[2], 300)),
		part1(`text/html; charset="us-ascii"`, "quoted-printable", proof("<br>")+wHTML+`<div>`+html[0]+proof(half[0])+html[1]+proof("<br>", half[1])+html[2]+`</div>`)), half)
	add("outlook-mobile-top", alternative(
		part1(`text/plain; charset="us-ascii"`, "", lines(turn...)+"\nGet Outlook for Android<https://aka.ms/AAb9ysg>\n"+wPlain+asText(allHTML, 300)),
		part1(`text/html; charset="us-ascii"`, "", proof(turn...))), turn)
	add("outlook-mobile-top-html-only", part1(`text/html; charset="utf-8"`, "base64", `<html><body><div dir="ltr">`+divs(turn...)+`</div><div id="ms-outlook-mobile-body-separator-line" dir="ltr"><br></div><div id="ms-outlook-mobile-signature" dir="ltr">Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div><div id="mail-editor-reference-message-container" class="ms-outlook-mobile-reference-message"><div class="ms-outlook-mobile-reference-message" style="border:none;border-top:1px solid #ccc"><b>From: </b>Angelpost &lt;`+server+`&gt;<br><b>Date: </b>Saturday, 21 November 2026 at 8:12<br><b>To: </b>Anna Berg<br><b>Subject: </b>The Long Way Home</div>`+allHTML+`</div></body></html>`), turn)

	// Apple Mail: the attribution is quoted, too.
	mOn := "On 21. Nov 2026, at 08:12, Angelpost <" + server + "> wrote:"
	mOpen := `<blockquote type="cite">`
	mAttr := mOpen + `<div>` + strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(mOn) + `</div><br class="Apple-interchange-newline"><div>`
	add("apple-mail-top", alternative(
		part1("text/plain;\n\tcharset=utf-8", "quoted-printable", lines(turn...)+"\n"+lines(say)+"\n"+prefix("> ", mOn+"\n\n"+asText(allHTML, 500))),
		part1("text/html;\n\tcharset=utf-8", "quoted-printable", `<html><body style="overflow-wrap: break-word;">`+divs(append(turn, "", say)...)+`<br>`+mAttr+allHTML+`</div></blockquote></body></html>`)), turn, greet)
	add("apple-mail-bottom", part1("text/plain;\n\tcharset=us-ascii;\n\tformat=flowed;\n\tdelsp=yes", "7bit", mOn+"\n\n"+prefix("> ", flow(allPlain, true))+"\n"+lines(turn...)), turn)
	mInline := `<html><body style="overflow-wrap: break-word;">` + mAttr + html[0] + `</div></blockquote><div><br></div><div>` + half[0] + `</div><br>` + mOpen + `<div>` + html[1] + `</div></blockquote><div>` + half[1] + `</div>` + mOpen + `<div>` + html[2] + `</div></blockquote></body></html>`
	add("apple-mail-inline", alternative(
		part1("text/plain;\n\tcharset=us-ascii", "quoted-printable", prefix("> ", mOn+"\n\n"+asText(html[0], 500))+"\n"+half[0]+"\n\n"+prefix("> ", asText(html[1], 500))+half[1]+"\n"+prefix("> ", asText(html[2], 500))),
		part1("text/html;\n\tcharset=us-ascii", "quoted-printable", mInline)), half)
	add("apple-mail-inline-html-only", part1("text/html;\n\tcharset=us-ascii", "7bit", mInline), half)

	// iOS Mail.
	iOn := "On 21 Nov 2026, at 08:12, Angelpost <" + server + "> wrote:"
	// Its signature is above the quotation, even if the answer is not.
	iHTML := func(above, inner string) string {
		return `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">` + above + `<div dir="ltr"><br></div><div id="AppleMailSignature" dir="ltr">Sent from my iPhone</div><div dir="ltr"><br><blockquote type="cite">` + strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(iOn) + `<br><br></blockquote></div>` + inner + `</body></html>`
	}
	iOpen, iClose := `<blockquote type="cite"><div dir="ltr">`, `</div></blockquote>`
	add("ios-mail-top", alternative(
		part1("text/plain;\n\tcharset=utf-8", "base64", "\uFEFF"+lines(turn...)+"\nSent from my iPhone\n\n"+prefix("> ", iOn+"\n\n\uFEFF"+asText(allHTML, 500))),
		part1("text/html;\n\tcharset=utf-8", "base64", iHTML(divs(turn...), iOpen+"\uFEFF"+allHTML+iClose))), turn)
	add("ios-mail-top-html-only", part1("text/html;\n\tcharset=utf-8", "base64", `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">`+divs(append(turn, "")...)+`<div id="AppleMailSignature" dir="ltr">Sent from my iPad</div><div dir="ltr"><br><blockquote type="cite">`+strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(iOn)+`<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">`+allHTML+`</div></blockquote></body></html>`), turn)
	add("ios-mail-bottom", alternative(
		part1("text/plain;\n\tcharset=utf-8", "quoted-printable", "\uFEFF\nSent from my iPhone\n\n"+prefix("> ", iOn+"\n\n\uFEFF"+asText(allHTML, 500))+"\n"+lines(turn...)),
		part1("text/html;\n\tcharset=utf-8", "quoted-printable", iHTML("", iOpen+"\uFEFF"+allHTML+iClose+`<div dir="ltr"><br></div>`+divs(turn...)))), turn)
	add("ios-mail-inline", alternative(
		part1("text/plain;\n\tcharset=utf-8", "base64", "\uFEFF\nSent from my iPhone\n\n"+prefix("> ", iOn+"\n\n\uFEFF"+asText(html[0], 500))+half[0]+"\n"+prefix("> ", asText(html[1], 500))+"\n"+half[1]+"\n\n"+prefix("> ", asText(html[2], 500))),
		part1("text/html;\n\tcharset=utf-8", "base64", iHTML("", iOpen+"\uFEFF"+html[0]+iClose+`<div dir="ltr">`+half[0]+`</div>`+iOpen+html[1]+iClose+`<div dir="ltr"><br></div>`+half[1]+`<br>`+iOpen+html[2]+iClose))), half)

	// Thunderbird: format=flowed, an empty line below a mark.
	tOn := "On 21/11/2026 08:12, Angelpost wrote:\n"
	add("thunderbird-bottom", part1(flowed, "8bit", tOn+prefix("> ", flow(allPlain, false))+"\n"+lines(turn...)+"\n"+lines(say)+"\n-- \nAnna Berg\nresign yourself to it\n"), turn, greet)
	add("thunderbird-inline", part1(flowed, "7bit", tOn+prefix("> ", flow(plain[0], false))+"\n"+half[0]+"\n\n"+prefix("> ", flow(plain[1], false))+half[1]+"\n"+prefix("> ", flow(plain[2], false))), half)
	add("thunderbird-top", part1(flowed, "7bit", lines(turn...)+"\n"+tOn+prefix("> ", flow(allPlain, false))), turn)
	add("thunderbird-top-html-only", part1(utf8HTML, "8bit", `<!DOCTYPE html><html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head><body><p>`+strings.Join(turn, "<br>\n")+`</p><div class="moz-signature">-- <br>Anna<br>resign</div><div class="moz-cite-prefix">On 21/11/2026 08:12, Angelpost wrote:<br></div><blockquote type="cite" cite="mid:n4@play.example">`+allHTML+`</blockquote></body></html>`), turn)
	add("thunderbird-french-bottom", part1(flowed, "8bit", "Le 21/11/2026 à 08:12, Angelpost a écrit :\n"+prefix("> ", flow(allPlain, false))+"\n"+lines(turn...)), turn)

	// Yahoo: the quotation in plain text has no marks but a space.
	yOn := "On Saturday, November 21, 2026 at 08:12:00 AM GMT+1, Angelpost <" + server + "> wrote:"
	yHTML := func(inner string) string {
		return `<div id="ydp6fe1yahoo_quoted_9128" class="ydp6fe1yahoo_quoted"><div style="font-family:'Helvetica Neue';color:#26282a;"><div>` + strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(yOn) + `</div><div><br></div><div><br></div><div><div dir="ltr">` + inner + `</div></div></div></div>`
	}
	add("yahoo-top", alternative(
		part1("text/plain; charset=UTF-8", "quoted-printable", prefix(" ", lines(turn...)+"\n    "+yOn+"  \n \n"+asText(allHTML, 300))),
		part1("text/html; charset=UTF-8", "quoted-printable", divs(turn...)+yHTML(allHTML))), turn)
	add("yahoo-inline-html-only", part1("text/html; charset=UTF-8", "quoted-printable", yHTML(html[0]+divs(half[0])+html[1]+divs("", half[1])+html[2])), half)
	add("yahoo-bottom", alternative(
		part1("text/plain; charset=UTF-8", "quoted-printable", prefix(" ", "    "+yOn+"  \n \n"+asText(allHTML, 300)+"\n"+lines(turn...))),
		part1("text/html; charset=UTF-8", "quoted-printable", divs("")+yHTML(allHTML+divs(append([]string{""}, turn...)...)))), turn)
	add("yahoo-inline", alternative(
		part1("text/plain; charset=UTF-8", "quoted-printable", prefix(" ", "    "+yOn+"  \n \n"+asText(html[0], 300)+half[0]+"\n"+asText(html[1], 300)+"\n"+half[1]+"\n"+asText(html[2], 300))),
		part1("text/html; charset=UTF-8", "quoted-printable", divs("")+yHTML(html[0]+divs(half[0])+html[1]+divs("", half[1])+html[2]))), half)
	add("yahoo-android-top", part1("text/plain; charset=UTF-8", "", lines(turn...)+"\nSent from Yahoo Mail on Android \n \n  On Sat, 21 Nov 2026 at 8:12, Angelpost<"+server+"> wrote:   "+allPlain), turn)

	// K-9 and FairEmail: the signature is above the quotation.
	kOn := "On November 21, 2026 8:12:00 AM GMT+01:00, Angelpost <" + server + "> wrote:\n"
	add("k9-top", part1("text/plain;\n charset=utf-8", "quoted-printable", lines(turn...)+"\n-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.\n\n"+kOn+prefix(">", allPlain)), turn)
	add("k9-bottom", part1("text/plain;\n charset=utf-8", "quoted-printable", kOn+prefix(">", allPlain)+"\n"+lines(turn...)+"-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.\n"), turn)
	add("k9-signature-inline", part1("text/plain; charset=utf-8", "", "-- \nAnna\nresign\n\n"+kOn+prefix("> ", plain[0])+half[0]+"\n"+prefix("> ", plain[1])+half[1]+"\n"), half)
	add("k9-inline", part1("text/plain;\n charset=utf-8", "quoted-printable", kOn+prefix(">", plain[0])+half[0]+"\n"+prefix(">", plain[1])+"\n"+half[1]+"\n\n"+prefix(">", plain[2])+"-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.\n"), half)
	add("fairemail-top", alternative(
		part1("text/plain; charset=utf-8", "", lines(turn...)+"\n21 Nov 2026 08:12:00 Angelpost <"+server+">:\n\n"+prefix("> ", asText(allHTML, 300))),
		part1("text/html; charset=utf-8", "", `<p dir="auto">`+strings.Join(turn, "<br>")+`</p>`)), turn)
	add("fairemail-top-html-only", part1("text/html; charset=utf-8", "8bit", `<html><head></head><body><div dir="auto">`+strings.Join(turn, "<br>")+`</div><br><div fairemail="signature">Anna</div><div><p>21 Nov 2026 08:12:00 Angelpost &lt;`+server+`&gt;:</p><blockquote style="margin:0;padding:0 0 0 5px;border-left:3px solid #ccc">`+allHTML+`</blockquote></div></body></html>`), turn)

	// Text clients.
	uOn := "On Sat, Nov 21, 2026 at 08:12:00AM +0100, Angelpost wrote:\n"
	add("mutt-bottom", part1("text/plain; charset=us-ascii", "", uOn+prefix("> ", allPlain)+"\n"+lines(turn...)), turn)
	add("mutt-top", part1("text/plain; charset=us-ascii\nContent-Disposition: inline", "", lines(turn...)+"\n"+uOn+prefix("> ", allPlain)), turn)
	add("mutt-inline", part1("text/plain; charset=us-ascii\nContent-Disposition: inline", "", uOn+prefix("> ", plain[0])+"\n"+half[0]+"\n\n"+prefix("> ", plain[1])+"\n"+half[1]+"\n\n"+prefix("> ", plain[2])+"\n-- \nAnna\n"), half)
	add("neomutt-inline", part1("text/plain; charset=iso-8859-1", "8bit", latin1(t, uOn+prefix("> ", plain[0])+half[0]+"\n\n"+say+"\n"+prefix("> ", plain[1])+half[1]+"\n"+prefix("> ", plain[2]))), half, greet)
	add("claws-bottom", part1("text/plain; charset=US-ASCII", "7bit", "On Sat, 21 Nov 2026 08:12:00 +0100\nAngelpost <"+server+"> wrote:\n\n"+prefix("> ", allPlain)+"\n"+lines(turn...)+"\n\n\n-- \nAnna\n"), turn)
	add("kmail-inline", part1(`text/plain; charset="utf-8"`, "quoted-printable", "On Samstag, 21. November 2026 08:12:00 Mitteleuropäische Normalzeit Angelpost wrote:\n"+prefix("> ", plain[0])+half[0]+"\n"+prefix("> ", plain[1])+half[1]+"\n"+prefix("> ", plain[2])), half)
	add("alpine-bottom", part1("text/plain; format=flowed; charset=US-ASCII", "", "On Sat, 21 Nov 2026, Angelpost wrote:\n\n"+prefix("> ", flow(allPlain, false))+"\n"+lines(turn...)), turn)

	// Others.
	add("proton-top", alternative(
		part1("text/plain; charset=utf-8", "base64", lines(turn...)+"\nSent with [Proton Mail](https://proton.me/mail/home) secure email.\n\nOn Saturday, November 21st, 2026 at 08:12, Angelpost <"+server+"> wrote:\n\n"+prefix("> ", asText(allHTML, 300))),
		part1("text/html; charset=utf-8", "base64", divs(turn...))), turn)
	add("proton-top-html-only", part1("text/html; charset=utf-8", "base64", `<div style="font-family: Arial">`+strings.Join(turn, `</div><div style="font-family: Arial">`)+`</div><div class="protonmail_signature_block"><div class="protonmail_signature_block-proton">Sent with <a href="https://proton.me">Proton Mail</a> secure email.</div></div><div class="protonmail_quote">On Saturday, November 21st, 2026 at 08:12, Angelpost &lt;`+server+`&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">`+allHTML+`</blockquote></div>`), turn)
	add("gmx-top-html-only", part1("text/html; charset=UTF-8", "quoted-printable", `<html><body><div style="font-family: Verdana">`+divs(turn...)+`<div>&nbsp;<div style="margin: 10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5;" name="quote"><div style="margin:0 0 10px 0;"><b>Gesendet:</b>&nbsp;Samstag, 21. November 2026 um 08:12 Uhr<br/><b>Von:</b>&nbsp;Angelpost &lt;`+server+`&gt;<br/><b>An:</b>&nbsp;anna@example.org<br/><b>Betreff:</b>&nbsp;The Long Way Home</div><div name="quoted-content">`+allHTML+`</div></div></div></div></body></html>`), turn)
	add("samsung-top", part1("text/plain; charset=utf-8", "base64", lines(turn...)+"\n\nSent from my Galaxy\n\n-------- Original message --------\nFrom: Angelpost <"+server+"> \nDate: 21/11/2026  08:12  (GMT+01:00) \nTo: Anna Berg <anna@example.org> \nSubject: The Long Way Home, round 4: your turn \n\n"+allPlain), turn)
	add("samsung-cut-bottom", part1("text/plain; charset=utf-8", "base64", "-------- Original message --------\nFrom: Angelpost <"+server+"> \nDate: 21/11/2026  08:12  (GMT+01:00) \nTo: Anna Berg <anna@example.org> \nSubject: The Long Way Home, round 4: your turn \n\n"+lines(half...)), half)
	add("disclaimer-bottom", part1("text/plain; charset=utf-8", "", lines(half...)+"\nThis e-mail and any attachments are confidential and intended solely for the\naddressee. If you are not the intended recipient, resign\nand delete it.\n"), half)
	add("no-charset-latin1", part1("text/plain", "8bit", latin1(t, lines(append(half, "", say)...))), half, greet)
	add("bare-unmarked-below", part1("text/plain; charset=utf-8", "", lines(turn...)+"\n\n"+wrap(allPlain, 60)), turn)
	add("bare-unmarked-above", part1("text/plain; charset=utf-8", "", allPlain+"\n\n"+lines(turn...)), turn)
	add("unknown-charset", part1("text/plain; charset=x-martian", "", lines(half...)), half)
	add("attached-picture", "Content-Type: multipart/mixed; boundary=m\n\n--m\n"+part1(utf8Plain, "", lines(half...))+"\n--m\n"+part1("image/png; name=\"x.png\"", "base64", "no picture")+"\n--m\n"+part1("text/plain; name=\"orders.txt\"\nContent-Disposition: attachment; filename=\"orders.txt\"", "", "resign\n")+"\n--m--\n", half)

	addKind("bars-only", "", part1(utf8Plain, "", "| card 013 at row 2\n| die gray 0 flip\n\n"+gOn+"\n"+prefix("> ", asText(allHTML, 72))), incoming.Empty, true)
	addKind("nothing-added", "", part1(utf8Plain, "", "\n\nSent from my iPhone\n\n"+prefix("> ", iOn+"\n\n"+allPlain)), incoming.Empty, false)
	addKind("nothing-added-unmarked", "", part1(utf8Plain, "", allPlain), incoming.Empty, false)
	return es
}

// breakUnmarked breaks marked lines at width and marks only their beginning.
func breakUnmarked(s string, width int) string {
	var out strings.Builder
	for _, l := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		out.WriteString(strings.TrimRight(wrap(l, width), "\n") + "\n")
	}
	return out.String()
}

// flow breaks long lines softly, as format=flowed has it.
func flow(s string, delsp bool) string {
	var out strings.Builder
	for _, l := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		w := strings.TrimRight(wrap(l, 66), "\n")
		soft := " \n"
		if delsp {
			soft = "  \n" // the space between the words, and the one that is deleted
		}
		out.WriteString(strings.ReplaceAll(w, "\n", soft) + "\n")
	}
	return out.String()
}
