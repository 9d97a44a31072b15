package mailhost

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/PuerkitoBio/goquery"
)

const notice = "From: \"Angel=?x\" <angelpost@demo.localhost>\r\nReply-To: angelpost+tok234@demo.localhost\r\nTo: alpha@demo.localhost\r\n" +
	"Subject: =?utf-8?q?Round_3_=E2=80=93_your_turn?=\r\nMessage-ID: <n1@demo.localhost>\r\nReferences: <n0@demo.localhost>\r\n" +
	"Date: Sat, 21 Nov 2026 08:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=o\r\n\r\n" +
	"--o\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nIt is your turn <b>.\r\n| legal\r\n| pass\r\n| end\r\n\r\n" +
	"--o\r\nContent-Type: multipart/related; boundary=i\r\n\r\n" +
	"--i\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" +
	"<style>p{color:red}</style><p>Your <a href=\"https://example.org/g/1\">page</a> and <a href=\"mailto:angelpost%2Btok234@demo.localhost?subject=Re%3A%20x&body=pass%0D%0A&bcc=a@b\">pass</a>" +
	"<img src=\"cid:board@x\" alt=board><img src=\"https://evil.example/track.gif\">" +
	"<script>alert(1)</script><a href=\"javascript:alert(1)\" onclick=\"alert(1)\">x</a><meta http-equiv=refresh content=\"0;url=https://evil.example\">" +
	"<form action=\"/post/send\" method=post><button>y</button></form><base href=\"https://evil.example/\"><iframe src=\"/\"></iframe></p>\r\n" +
	"--i\r\nContent-Type: image/png\r\nContent-ID: <board@x>\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n" +
	"--i\r\nContent-Type: image/svg+xml\r\nContent-ID: <svg@x>\r\n\r\n<svg onload=alert(1)>\r\n--i--\r\n--o--\r\n"

// room is a post room for alpha with the notice in its mailbox.
func room(t *testing.T) (*Host, *httptest.Server) {
	t.Helper()
	h := start(t, t.TempDir())
	if err := send(h, "angelpost@demo.localhost", "alpha@demo.localhost", notice); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h.PostRoom("alpha", "nobody"))
	t.Cleanup(server.Close)
	return h, server
}

func page(t *testing.T, url string, status int) (*goquery.Document, http.Header) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != status {
		t.Fatalf("%s: status %d, want %d", url, resp.StatusCode, status)
	}
	doc, err := goquery.NewDocumentFromReader(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return doc, resp.Header
}

func href(t *testing.T, s *goquery.Selection, name string) string {
	t.Helper()
	if s.Length() != 1 {
		t.Fatalf("%d elements where one was expected", s.Length())
	}
	value, ok := s.Attr(name)
	if !ok {
		t.Fatalf("no %s", name)
	}
	return value
}

func TestLetterIsShownAsAClientWould(t *testing.T) {
	_, server := room(t)
	list, _ := page(t, server.URL+"/post/", 200) // redirected to the only mailbox
	if from := href(t, list.Find("#live"), "data-from"); from != "/post/alpha" || list.Find("script[src]").Length() != 1 {
		t.Errorf("the list looks for new letters at %q", from)
	}
	if !strings.Contains(list.Find("noscript").Text(), `<a href="/post/alpha">`) {
		t.Error("who has no JavaScript cannot look for new letters")
	}
	row := list.Find(".letters li.new")
	if got := row.Find(".subject").Text(); got != "Round 3 – your turn" {
		t.Errorf("subject %q", got)
	}
	if got := row.Find(".preview").Text(); !strings.HasPrefix(got, "Your page and pass") || utf8.RuneCountInString(got) > maxPreview {
		t.Errorf("preview %q", got)
	}
	letterURL := server.URL + href(t, row.Find("a"), "href")
	doc, _ := page(t, letterURL, 200)
	if got := doc.Find("h1").Text(); got != "Round 3 – your turn" {
		t.Errorf("h1 %q", got)
	}
	if doc.Find("script:not([src='/post/post.js'])").Length() != 0 {
		t.Error("the room has another script")
	}
	if again, _ := page(t, server.URL+"/post/alpha", 200); again.Find(".new").Length() != 0 {
		t.Error("an opened letter still looks new")
	}

	text, _ := page(t, letterURL+"?view=text", 200)
	if got, want := text.Find("pre").Text(), "It is your turn <b>.\n| legal\n| pass\n| end\n"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}

	body, header := page(t, server.URL+href(t, doc.Find("iframe.body"), "src"), 200)
	want := "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n"))
	if got := href(t, body.Find("img[alt=board]"), "src"); got != want {
		t.Errorf("the picture is %q", got)
	}
	link := body.Find("a[href^=https]")
	if href(t, link, "target") != "_blank" {
		t.Error("a link replaces the letter")
	}
	for _, policy := range []string{header.Get("Content-Security-Policy"), href(t, doc.Find("iframe.body"), "sandbox")} {
		for _, never := range []string{"allow-scripts", "allow-same-origin", "allow-forms", "allow-top-navigation "} {
			if strings.Contains(policy+" ", never) {
				t.Errorf("the frame's policy has %s: %s", never, policy)
			}
		}
	}
	if policy := header.Get("Content-Security-Policy"); !strings.Contains(policy, "sandbox") || !strings.HasPrefix(policy, "default-src 'none'; img-src data:;") {
		t.Errorf("policy %q", policy)
	}
	for _, unwelcome := range []string{"script", "meta", "form", "base", "iframe", "[onclick]", "a[href^=javascript]"} {
		if body.Find(unwelcome).Length() != 0 {
			t.Errorf("%s reached the frame", unwelcome)
		}
	}
}

// post sends the form of a page, with what the person filled in.
func post(t *testing.T, server *httptest.Server, form *goquery.Selection, fill map[string]string) *http.Response {
	t.Helper()
	values := url.Values{}
	form.Find("input, textarea").Each(func(_ int, field *goquery.Selection) {
		if kind, _ := field.Attr("type"); kind == "checkbox" {
			return
		}
		name, _ := field.Attr("name")
		value, ok := field.Attr("value")
		if !ok {
			value = field.Text()
		}
		values.Set(name, value)
	})
	for name, value := range fill {
		values.Set(name, value)
	}
	resp, err := http.PostForm(server.URL+href(t, form, "action"), values)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// received returns the only letter in the server's IMAP inbox.
func received(t *testing.T, h *Host) (*mail.Message, string) {
	t.Helper()
	texts, _ := contents(t, login(t, h.IMAPAddr(), "angelpost"), "INBOX")
	if len(texts) != 1 {
		t.Fatalf("the server's inbox holds %d letters", len(texts))
	}
	msg, err := mail.ReadMessage(strings.NewReader(texts[0]))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(msg.Body)
	if err != nil {
		t.Fatal(err)
	}
	return msg, string(body)
}

func TestAnswerIsARealLetter(t *testing.T) {
	h, server := room(t)
	doc, _ := page(t, server.URL+"/post/alpha/1", 200)
	resp := post(t, server, doc.Find("form.answer"), map[string]string{"body": "pass\r\n", "quote": "1"})
	if resp.StatusCode != 200 || resp.Request.URL.Path != "/post/alpha" {
		t.Fatalf("after sending: %d at %s", resp.StatusCode, resp.Request.URL)
	}
	msg, body := received(t, h)
	for name, want := range map[string]string{
		"From": "alpha@demo.localhost", "To": "<angelpost+tok234@demo.localhost>", "Delivered-To": "angelpost+tok234@demo.localhost",
		"In-Reply-To": "<n1@demo.localhost>", "References": "<n0@demo.localhost> <n1@demo.localhost>",
		"Auto-Submitted": "", "Return-Path": "<alpha@demo.localhost>",
	} {
		if got := msg.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if want := "pass\r\n\r\nOn Sat, 21 Nov 2026 at 08:00, "; !strings.HasPrefix(body, want) || !strings.Contains(body, "\r\n> | pass\r\n") {
		t.Errorf("body %q", body)
	}
	sent, _ := page(t, server.URL+"/post/alpha/sent", 200)
	if sent.Find(".letters li").Length() != 1 {
		t.Error("no copy among the sent letters")
	}
}

func TestMailtoLinkOpensAFilledForm(t *testing.T) {
	h, server := room(t)
	body, _ := page(t, server.URL+"/post/alpha/1/html", 200)
	link := body.Find("a[href^='/post/compose']")
	if href(t, link, "target") != "_top" {
		t.Error("the compose page would open within the letter's frame")
	}
	doc, _ := page(t, server.URL+href(t, link, "href"), 200)
	form := doc.Find("form.compose")
	if to := href(t, form.Find("#to"), "value"); to != "angelpost+tok234@demo.localhost" {
		t.Errorf("to %q", to)
	}
	if text := form.Find("#body").Text(); text != "pass\n" {
		t.Errorf("body %q", text)
	}
	post(t, server, form, nil)
	msg, text := received(t, h)
	if msg.Header.Get("In-Reply-To") != "<n1@demo.localhost>" || msg.Header.Get("Bcc") != "" || text != "pass\r\n" {
		t.Errorf("arrived: %v %q", msg.Header, text)
	}
}

func TestRefusedAddressKeepsWhatWasWritten(t *testing.T) {
	_, server := room(t)
	doc, _ := page(t, server.URL+"/post/compose", 200)
	for _, to := range []string{"nobody@demo.localhost", "not an address", "a@b.example\r\nBcc: c@d.example", ""} {
		resp := post(t, server, doc.Find("form.compose"), map[string]string{"to": to, "body": "a long letter"})
		again, err := goquery.NewDocumentFromReader(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != http.StatusUnprocessableEntity || again.Find("[role=alert]").Length() != 1 || again.Find("#body").Text() != "a long letter" {
			t.Errorf("to %q: status %d, %q", to, resp.StatusCode, again.Find("#body").Text())
		}
	}
}

func TestForeignSitesCannotSend(t *testing.T) {
	h, server := room(t)
	form := url.Values{"box": {"alpha"}, "to": {"angelpost@demo.localhost"}, "body": {"resign"}}
	for _, headers := range []map[string]string{{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {"Origin": "null"}} {
		req, err := http.NewRequest("POST", server.URL+"/post/send", strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for name, value := range headers {
			req.Header.Set(name, value)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusForbidden {
			t.Errorf("%v: status %d", headers, resp.StatusCode)
		}
	}
	if texts, _ := contents(t, login(t, h.IMAPAddr(), "angelpost"), "INBOX"); len(texts) != 0 {
		t.Errorf("letters went out: %q", texts)
	}
}

func TestOtherMailboxesAndLettersAreNotThere(t *testing.T) {
	_, server := room(t)
	for _, path := range []string{"/post/beta", "/post/angelpost", "/post/beta/1", "/post/alpha/2", "/post/alpha/x", "/post/alpha/-1/html", "/post/alpha/1/else", "/post/compose?box=beta"} {
		page(t, server.URL+path, http.StatusNotFound)
	}
	page(t, server.URL+"/post/compose?mailto=javascript:x", http.StatusBadRequest)
}

func TestLetterTellsOfNewOnes(t *testing.T) {
	h, server := room(t)
	doc, _ := page(t, server.URL+"/post/alpha/1", 200)
	from := server.URL + href(t, doc.Find("#live"), "data-from")
	if news, _ := page(t, from, 200); news.Find("#live a").Length() != 0 {
		t.Error("the open letter is told of as new")
	}
	if err := send(h, "x@example.org", "alpha@demo.localhost", "Subject: the answer\r\n\r\nx\r\n"); err != nil {
		t.Fatal(err)
	}
	news, _ := page(t, from, 200)
	if got := href(t, news.Find("#live a"), "href"); got != "/post/alpha/2" {
		t.Errorf("the news lead to %q", got)
	}
}

// FuzzReadLetter: whatever arrives can be shown, and nothing that acts gets into
// the frame.
func FuzzReadLetter(f *testing.F) {
	f.Add([]byte(notice))
	f.Add([]byte("no header at all"))
	f.Add([]byte("Content-Type: text/html\r\n\r\n<svg><a xlink:href=javascript:x><style><img src=x onerror=y>"))
	f.Add([]byte("Content-Type: multipart/mixed; boundary=a\r\n\r\n" + strings.Repeat("--a\r\nContent-Type: multipart/mixed; boundary=a\r\n\r\n", 50)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		l := readLetter(raw)
		page, err := l.framed(func(link string) string { return "/post/compose" })
		if err != nil {
			t.Fatal(err)
		}
		doc, err := goquery.NewDocumentFromReader(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		if n := doc.Find("script, iframe, object, embed, form, base, meta, svg, [onclick], [onerror]").Length(); n != 0 {
			t.Errorf("%d unwelcome elements: %q", n, page)
		}
		if d, err := fromMailto(string(raw)); err == nil {
			if _, _, err := d.letter("a@b.example", l.Date); err == nil && strings.ContainsAny(d.To, "\r\n") {
				t.Error("a line end in an address")
			}
		}
		_ = fmt.Sprint(quoted(l))
	})
}

// TestOwnHostsOnly: a name that another site has given this machine's address
// opens nothing, to read or to write.
func TestOwnHostsOnly(t *testing.T) {
	h, server := room(t)
	ask := func(method, path, host string) (int, string) {
		t.Helper()
		form := url.Values{"box": {"alpha"}, "to": {"angelpost@demo.localhost"}, "subject": {"x"}, "body": {"x"}}
		r, err := http.NewRequest(method, server.URL+path, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(b)
	}
	for host, want := range map[string]int{
		"": 200, "localhost": 200, "localhost:8080": 200, "LocalHost.:8080": 200, "demo.localhost:80": 200, "127.0.0.1:8080": 200, "127.0.0.1": 200, "[::1]:8080": 200, "[::1]": 200, "192.168.1.7:8080": 200,
		"evil.example": 421, "evil.example:8080": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example:8080": 421, "evillocalhost": 421, ".example": 421, "127.1:8080": 421,
	} {
		for _, path := range []string{"/post/alpha", "/post/alpha/news?after=0"} {
			code, body := ask("GET", path, host)
			if code != want || strings.Contains(body, "your turn") != (want == 200) {
				t.Errorf("%s of %q: %d, want %d\n%s", path, host, code, want, body)
			}
		}
	}
	if code, body := ask("POST", "/post/send", "evil.example:8080"); code != 421 || !strings.Contains(body, "localhost") {
		t.Errorf("a form of another site: %d %s", code, body)
	}
	if n := len(h.accounts["angelpost"].list(inbox)); n != 0 {
		t.Errorf("another site sent %d letters", n)
	}
}

// The lines of a map are kept together, apart from prose, and nothing is lost.
func TestBlocks(t *testing.T) {
	const text = "SPACE\n    /b6 g    /b7 o    /b8 n!   /\n    \\036/4>4 \\013/4   \\        \\\nThe ship: see http://host/g/a/b/plan/.\n/me waves.\n"
	all, drawn := "", ""
	for _, b := range blocks(text) {
		all += b.text
		if b.drawn {
			drawn += b.text
		}
	}
	if lines := strings.Split(text, "\n"); all != text || drawn != lines[1]+"\n"+lines[2]+"\n" {
		t.Errorf("drawn %q of %q", drawn, all)
	}
}
