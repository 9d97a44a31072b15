package letter

import (
	"strings"
	"testing"

	"angelpost/engine/incoming"
	"angelpost/engine/order"
)

// Letters that mail programs write for someone who taps an emoji are reactions, never orders,
// whatever they quote.
func TestReactions(t *testing.T) {
	plain, html := noticeParts(t)
	o := testOptions(t)
	o.Says = order.Says
	quoted := strings.Join(plain[:], "")
	fields := "From: Angelpost <" + server + ">\nSent: Saturday, November 21, 2026 8:12 AM\nTo: Anna Berg <anna@example.org>\nSubject: " + subject + "\n\n"
	gmail := func(json string) string {
		return "Content-Type: multipart/alternative; boundary=r\n\n--r\nContent-Type: text/plain; charset=utf-8\n\n💖\n\nAnna Berg reacted via Gmail\n<https://www.google.com/gmail/about/#app>\n\nOn Sat, Nov 21, 2026 at 8:12 AM Angelpost <" + server + "> wrote:\n\n" + prefix("> ", quoted) +
			"\n--r\nContent-Type: text/vnd.google.email-reaction+json; charset=utf-8\n\n" + json + "\n--r\nContent-Type: text/html; charset=utf-8\n\n<div><p style=\"font-size:50px\">💖</p><p>Anna Berg reacted via <a href=\"x\">Gmail</a></p></div><div class=\"gmail_quote\"><blockquote class=\"gmail_quote\">" + strings.Join(html[:], "") + "</blockquote></div>\n--r--\n"
	}
	text := func(s string) string { return "Content-Type: text/plain; charset=utf-8\n\n" + s }
	for _, tt := range []struct{ name, mime, emoji string }{
		{"Gmail", gmail(`{"emoji": "💖", "version": 1}`), "💖"},
		{"Gmail, of a version to come", gmail(`{"emoji": "👍🏽", "version": 7, "x": []}`), "👍🏽"},
		{"Gmail, broken", gmail(`{"emoji"`), "💖"},
		{"Gmail, no emoji", gmail(`{"emoji": "resign"}`), "💖"},
		{"Gmail, the part alone", "Content-Type: text/vnd.google.email-reaction+json\n\n{\"emoji\":\"🎉\",\"version\":1}", "🎉"},
		{"Gmail in Chinese", text("👍\n\nAnna 已通过 Gmail 做出回应\n\n> x"), "👍"},
		{"RFC 9078", "Content-Type: text/plain; charset=utf-8\nContent-Disposition: Reaction\n\n😢\n", "😢"},
		{"Outlook", text("Anna Berg reacted to your message:\n________________________________\n" + fields + quoted), "👍"},
		{"Outlook with the picture's name", text("[heart]  Anna Berg reacted to your message:\n________________________________\n" + fields + quoted), "❤"},
		{"Outlook, HTML", "Content-Type: text/html; charset=utf-8\n\n<div><img alt=\"like\">&nbsp; Anna Berg reacted to your message:</div><hr><div id=\"divRplyFwdMsg\"><b>From:</b> Angelpost<br><b>Sent:</b> Saturday<br><b>To:</b> Anna<br><b>Subject:</b> x</div><div>" + strings.Join(html[:], "") + "</div>", "👍"},
		{"Apple", text("Liked “Your turn, Anna”"), "👍"},
		{"Apple, loved", text("Loved “Bob: good luck”\n"), "❤"},
		{"Apple, laughed", text("Laughed at “say: hello”"), "😂"},
		{"Apple, questioned", text("Questioned \"card 013 at row 2\""), "❓"},
		{"Apple, any emoji", text("Reacted 🎉 to “Your turn”"), "🎉"},
		{"Apple in French", text("A réagi avec 🎉 à “Your turn”"), "🎉"},
		{"Apple in Polish", text("Polubił “Your turn”"), "👍"},
		{"Apple in Russian", text("Очень понравилось «Your turn»"), "❤"},
		{"Apple in Czech", text("Smál se „Your turn“"), "😂"},
		{"Apple in Hungarian", text("nem kedveli: „Your turn”"), "👎"},
	} {
		raw := []byte("From: Anna Berg <anna@example.org>\nTo: " + server + "\nSubject: " + subject + "\nIn-Reply-To: <n4@play.example>\nMessage-ID: <r@example.org>\nMIME-Version: 1.0\n" + tt.mime)
		for _, n := range []*Notice{o.Notice, nil} {
			o := o
			o.Notice = n
			if l := Read(raw, o); l.Kind != incoming.Reaction || l.Reaction != tt.emoji || l.Answer || len(l.Orders)+len(l.Press)+len(l.Text) > 0 || l.InReplyTo != "n4@play.example" {
				t.Errorf("%s, known %v: %s %q, %q (%s)", tt.name, n != nil, l.Kind, l.Reaction, l.Text, l.Reason)
			}
		}
	}
	// What only looks like one is a letter.
	for body, want := range map[string]incoming.Class{
		"Bob reacted to your message: he was angry\nB\n": incoming.Orders, "Liked “it”\nB\n": incoming.Orders, "I liked “it”\n": incoming.Orders, "👍\nB\n": incoming.Orders, "👍\n": incoming.Empty, "B\n\nAnna reacted to your message:\n": incoming.Orders,
	} {
		if l := Read(mailOf(body, fromAnna, "Content-Type: text/plain; charset=utf-8"), o); l.Kind != want || l.Reaction != "" {
			t.Errorf("%q: %s", body, l.Kind)
		}
	}
}

// FuzzReactions: no reaction has text, orders or an emoji with letters, and none is answered.
func FuzzReactions(f *testing.F) {
	for _, s := range []string{"Liked “x”", "👍\nAnna reacted via Gmail", "[like] A reacted to your message:\nFrom: x", `{"emoji":"👍"}`} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, text, part string) {
		for _, mime := range []string{"Content-Type: text/plain; charset=utf-8\n\n" + text, "Content-Type: multipart/alternative; boundary=r\n\n--r\n\n" + text + "\n--r\nContent-Type: text/vnd.google.email-reaction+json\n\n" + part + "\n--r--"} {
			l := Read([]byte("From: a@b.c\nMIME-Version: 1.0\n"+mime), Options{Says: order.Says})
			if l.Kind == incoming.Reaction && (l.Answer || len(l.Orders)+len(l.Text) > 0 || hasWord(l.Reaction) || l.Reaction == "") {
				t.Errorf("%q: %+v", l.Reaction, l)
			}
		}
	})
}
