package server

import (
	"fmt"
	"mime"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/engine/store"
)

// intrusions are the ways in which an intruder may try to move a game or to write
// into our letters. Each makes letters that aim at a turn, with orders that the
// server would play if the player had written them.
var intrusions = map[string]func(h *inProcess, x turn) [][]byte{
	"wrong token": func(h *inProcess, x turn) [][]byte {
		return h.aim(x, []string{"From: " + x.who.address, "To: " + tokenAddress(h.spoilt(x.last.Token))})
	},
	"guessed token": func(h *inProcess, x turn) [][]byte {
		guess := h.one(strings.Repeat(h.one("a", "7", "z"), 26), "' or 1=1 --", "%", "*", "_", strings.Repeat("a", 52), "{token}", x.last.MessageID[:16]+"aaaaaaaaaa", x.last.Game+x.last.Game[:4], h.randomToken())
		return h.aim(x, []string{"From: " + x.who.address, "To: " + tokenAddress(guess)})
	},
	"no token": func(h *inProcess, x turn) [][]byte {
		return h.aim(x, []string{"From: " + x.who.address, "To: " + houseAddress, "In-Reply-To: <" + x.last.MessageID + ">"})
	},
	"stale token": func(h *inProcess, x turn) [][]byte {
		old := h.stale(x)
		if old == "" {
			return nil
		}
		return h.aim(x, []string{"From: " + x.who.address, "To: " + tokenAddress(old)})
	},
	"foreign token": func(h *inProcess, x turn) [][]byte {
		return h.aim(x, []string{"From: " + h.other(x).address, "To: " + tokenAddress(x.last.Token)})
	},
	"out of turn": func(h *inProcess, x turn) [][]byte {
		p := h.other(x)
		own := p.got[x.last.Game]
		if len(own) == 0 {
			return nil
		}
		return [][]byte{h.write([]string{"From: " + p.address, "To: " + tokenAddress(own[len(own)-1].Token)}, h.play(x))}
	},
	"token of another game": func(h *inProcess, x turn) [][]byte {
		own := x.who.got[h.games[1-x.game]]
		if y := h.turn(1 - x.game); len(own) == 0 || y.who == x.who {
			return nil
		}
		own = x.who.got[h.games[1-x.game]]
		return [][]byte{h.write([]string{"From: " + x.who.address, "To: " + tokenAddress(own[len(own)-1].Token)}, h.play(x))}
	},
	"token elsewhere": func(h *inProcess, x turn) [][]byte {
		// The token stands where a server or the sender may put it; the first
		// place that holds one decides, and a wrong one is not passed over.
		good, bad := tokenAddress(x.last.Token), tokenAddress(h.spoilt(x.last.Token))
		if bad == tokenAddress(x.last.Token[:26]+"a") || !tokenish.MatchString(bad) {
			bad = tokenAddress(h.randomToken())
		}
		fields := [][]string{
			{"Delivered-To: " + bad, "To: " + good}, {"X-Original-To: " + bad, "To: " + good}, {"To: " + bad, "To: " + good},
			{"To: " + bad, "Cc: " + good}, {"To: " + bad + ", " + good}, {"To: " + bad, "Subject: Re: [Angelpost " + x.last.Token + "]"},
			{"Envelope-To: " + bad, "Delivered-To: " + bad, "To: " + good, "Subject: [" + x.last.Token + "]"},
		}[h.rnd.IntN(7)]
		return h.aim(x, append([]string{"From: " + x.who.address}, fields...))
	},
	"forwarded": func(h *inProcess, x turn) [][]byte {
		from := "From: " + h.one(mallory, fmt.Sprintf("m%d@evil.example", h.rnd.IntN(1000)))
		all := h.aim(x, []string{from, "To: " + tokenAddress(x.last.Token)})
		// The forwarder's own yes confirms nothing.
		return append(all, h.write([]string{from, "To: " + tokenAddress(x.last.Token), "In-Reply-To: <" + x.last.MessageID + ">"}, h.one("yes", "yes\n"+x.legal[0], "ja\nyes")))
	},
	"another's name": func(h *inProcess, x turn) [][]byte {
		return h.aim(x, append(h.disguised(x.who.address), "To: "+tokenAddress(x.last.Token)))
	},
	"authentication failed": func(h *inProcess, x turn) [][]byte {
		return h.aim(x, append(h.failed(), "From: "+x.who.address, "To: "+tokenAddress(x.last.Token)))
	},
	"replayed": func(h *inProcess, x turn) [][]byte {
		if len(h.moved) == 0 {
			return nil
		}
		m := h.moved[len(h.moved)-1-h.rnd.IntN(min(3, len(h.moved)))]
		h.tried = m.turn
		if h.rnd.IntN(3) == 0 { // what the player took back stays undone
			m = h.moved[len(h.moved)-1]
			got := m.who.got[m.last.Game]
			h.say(m.who, got[len(got)-1].Token, "undo")
		}
		raw := string(m.raw)
		switch h.rnd.IntN(4) {
		case 0: // as it was
		case 1:
			raw = "Received: from c.example by d.example; Sat, 21 Nov 2026 10:00:00 +0000\r\nX-Spam: no\r\n" + raw
		case 2:
			raw = messageIDField.ReplaceAllString(raw, "Message-ID: <"+strconv.Itoa(h.n)+".again@evil.example>\r\n")
			h.n++
		case 3:
			raw = dateField.ReplaceAllString(raw, "Date: "+h.now.Add(9*time.Hour).Format(time.RFC1123Z)+"\r\n")
		}
		return [][]byte{[]byte(raw)}
	},
	"same Message-ID": func(h *inProcess, x turn) [][]byte {
		if len(h.moved) == 0 {
			return nil
		}
		m := h.moved[len(h.moved)-1]
		id := strings.TrimSpace(strings.SplitN(messageIDField.FindString(string(m.raw)), ":", 2)[1])
		return [][]byte{h.write([]string{"From: " + x.who.address, "To: " + tokenAddress(x.last.Token), "Message-ID: " + id}, h.orders(x)+"\n"+h.one("status", "undo", "help"))}
	},
	"old letter, all else new": func(h *inProcess, x turn) [][]byte {
		old := h.stale(x)
		if old == "" || len(h.moved) == 0 {
			return nil
		}
		return [][]byte{h.write([]string{"From: " + x.who.address, "To: " + tokenAddress(old)}, h.moved[h.rnd.IntN(len(h.moved))].order+"\n"+x.legal[0])}
	},
	"by a machine": func(h *inProcess, x turn) [][]byte {
		return h.aim(x, []string{"From: " + x.who.address, "To: " + tokenAddress(x.last.Token), h.one(
			"Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated (x)", "Precedence: bulk", "Precedence: list", "List-Id: <x.example>",
			"X-Auto-Response-Suppress: All", "X-Autoreply: yes", "X-Angelpost-Kind: turn", "Return-Path: <>", "X-Failed-Recipients: x@example.org",
			"Content-Type: multipart/report; report-type=delivery-status; boundary=b", "Content-Type: text/calendar; method=REPLY")})
	},
	"our own address": func(h *inProcess, x turn) [][]byte {
		return h.aim(x, []string{"From: " + h.one(houseAddress, tokenAddress(x.last.Token), strings.ToUpper(houseAddress)), "To: " + tokenAddress(x.last.Token)})
	},
	"not his words": func(h *inProcess, x turn) [][]byte {
		return [][]byte{h.write(append([]string{"From: " + x.who.address, "To: " + tokenAddress(x.last.Token)}, h.buried(x)...), h.burial)}
	},
	"hostile words": func(h *inProcess, x turn) [][]byte {
		p, last := x.who, x.last
		if h.rnd.IntN(2) == 0 {
			p = h.other(x)
			if own := p.got[last.Game]; len(own) > 0 {
				last = own[len(own)-1]
			}
		}
		bad := h.nasty()
		fields := []string{"From: " + h.nastyName() + " <" + p.address + ">", "To: " + tokenAddress(last.Token)}
		if h.rnd.IntN(2) == 0 {
			fields = append(fields, "Subject: "+h.headerWords(bad))
		}
		if h.rnd.IntN(3) == 0 {
			fields = append(fields, "Message-ID: <"+h.one(strings.NewReplacer("\r", "", "\n", "").Replace(bad), "a b@c", "x", "1@[10.0.0.1]", "=?utf-8?q?=0D=0A?=@x", strings.Repeat("y", 2000)+"@x", "x\x00@y")+">")
		}
		text := bad
		switch h.rnd.IntN(7) {
		case 0:
			text = "name " + bad
		case 1:
			text = "name: " + strings.NewReplacer("\r", "", "\n", "", "<", "", ">", "", "@", "", ":", "", ";", "", ",", "").Replace(bad)
		case 2:
			text = "say: " + bad
		case 3:
			text = "say to " + h.one("Ann", "Bob", "Cyd", bad) + ": " + bad
		case 4:
			text = "note: " + bad + "\n\nstatus"
		case 5:
			text = fmt.Sprintf("new game\nplayers: g%d@guests.example\nname: %s", h.rnd.IntN(10), bad)
		}
		return [][]byte{h.write(fields, text)}
	},
	"stranger": func(h *inProcess, x turn) [][]byte {
		return [][]byte{h.write([]string{"From: " + h.nastyName() + " <" + mallory + ">", "To: " + h.one(houseAddress, tokenAddress(h.randomToken()))},
			h.one(x.legal[0], "new game\nplayers: "+mallory+", ann@example.org", "status", "join Ann", "yes", "legal", "link", h.nasty()))}
	},
	"rubbish": func(h *inProcess, x turn) [][]byte {
		raw := h.write([]string{"From: " + x.who.address, "To: " + tokenAddress(h.spoilt(x.last.Token))}, h.orders(x))
		for range 1 + h.rnd.IntN(20) {
			raw[h.rnd.IntN(len(raw))] = byte(h.rnd.IntN(256))
		}
		// What was broken may by chance be a good letter again; not without From.
		return [][]byte{fromField.ReplaceAll(raw, []byte("Fron:"))}
	},
}

var (
	messageIDField = regexp.MustCompile(`(?i)Message-ID:\s[^\r]*\r\n`)
	dateField      = regexp.MustCompile(`(?i)\bDate:\s[^\r]*\r\n`)
	fromField      = regexp.MustCompile(`(?i)From\s*:`)
	tokenish       = regexp.MustCompile(`\+[a-zA-Z2-7]{26}@`)
)

// aim is one letter with orders for the turn.
func (h *inProcess) aim(x turn, fields []string) [][]byte {
	h.tried = x
	return [][]byte{h.write(fields, h.orders(x))}
}

// play is a legal order, or all of the example: what its writer may not do now.
func (h *inProcess) play(x turn) string {
	if h.rnd.IntN(3) == 0 && len(x.example) > 0 {
		return strings.Join(x.example, "\n")
	}
	return x.legal[h.rnd.IntN(len(x.legal))]
}

// orders are words that would move the game, or the seat, if they were the
// player's.
func (h *inProcess) orders(x turn) string {
	o := x.legal[h.rnd.IntN(len(x.legal))]
	switch h.rnd.IntN(8) {
	case 0:
		return "resign"
	case 1:
		return strings.Join(x.example, "\n") + "\n" + o
	case 2:
		return o + "\nresign"
	case 3:
		return h.one("replace "+x.who.name+" by bot", "cancel", "abandon", "visibility: private") + "\n" + o
	}
	return o
}

// ownLetter is the player's own, in any of the forms a good letter may have.
func (h *inProcess) ownLetter(x turn, order string) []byte {
	token := x.last.Token
	if h.rnd.IntN(3) == 0 {
		token = strings.ToUpper(token)
	}
	to := tokenAddress(token)
	fields := []string{"From: " + h.one(x.who.address, strings.ToUpper(x.who.address), x.who.name+" <"+x.who.address+">", `"mallory@evil.example" <`+x.who.address+">", x.who.address+" ("+mallory+")")}
	switch h.rnd.IntN(4) {
	case 0:
		fields = append(fields, "To: "+to)
	case 1:
		fields = append(fields, "To: bob@example.org, \"Angelpost\" <"+to+">", "Sender: "+mallory, "Reply-To: "+mallory)
	case 2:
		fields = append(fields, "Delivered-To: "+to, "To: "+houseAddress)
	case 3:
		fields = append(fields, "To: "+houseAddress, "Subject: Re: your turn [Angelpost "+token+"]")
	}
	if h.rnd.IntN(3) == 0 {
		fields = append([]string{"Authentication-Results: " + h.one(houseAuthserv+"; dmarc=pass header.from=example.org", houseAuthserv+"; none", "evil.example; dmarc=fail", houseAuthserv+" (a; dmarc=fail); dkim=pass header.d=example.org")}, fields...)
	}
	return h.write(fields, order)
}

// spoilt is a token that is nearly right.
func (h *inProcess) spoilt(token string) string {
	i := h.rnd.IntN(len(token))
	switch h.rnd.IntN(6) {
	case 0:
		return token[:i] + token[i+1:]
	case 1:
		return token + token
	case 2:
		return token[:i] + "a" + token[i:]
	case 3:
		return token + h.one("a", "=", "==", "%00", ".", "+x")
	case 4:
		return token[i:] + token[:i] + "b"
	}
	c := "abcdefghijklmnopqrstuvwxyz234567"[h.rnd.IntN(32)]
	if c == token[i] {
		c = '1'
	}
	return token[:i] + string(c) + token[i+1:]
}

func (h *inProcess) randomToken() string {
	b := make([]byte, 26)
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyz234567"[h.rnd.IntN(32)]
	}
	return string(b)
}

// other is another player, of this game or not.
func (h *inProcess) other(x turn) *resident {
	for {
		if p := h.people[h.rnd.IntN(len(h.people))]; p != x.who {
			return p
		}
	}
}

// stale is a token of the player's own for a turn that has passed, "" if there
// is none. The turn before the last one's may still be good for what they owe.
func (h *inProcess) stale(x turn) (token string) {
	err := h.db.View(h.t.Context(), func(tx store.Tx) error {
		now, err := tx.Token(x.last.Token)
		if err != nil {
			return err
		}
		got := x.who.got[x.last.Game]
		for _, i := range h.rnd.Perm(len(got)) {
			old, err := tx.Token(got[i].Token)
			if err != nil {
				return err
			}
			if old.Turn < now.Turn-1 {
				token = got[i].Token
				return nil
			}
		}
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return token
}

// disguised is From and its like by which a letter that is not the player's
// looks as if it were.
func (h *inProcess) disguised(player string) []string {
	local, domain, _ := strings.Cut(player, "@")
	from := h.one(
		`"`+player+`" <`+mallory+`>`, player+" <"+mallory+">", mallory+" ("+player+")", "("+player+") "+mallory,
		mime.QEncoding.Encode("utf-8", player+"é")+" <"+mallory+">", "=?utf-8?q?"+strings.Replace(player, "@", "=40", 1)+"?=", "=?utf-8?q?=3C"+player+"=3E?= <"+mallory+">",
		player+", "+mallory, mallory+", "+player, "players: "+player+", "+mallory+";", "<@evil.example:"+player+">", "<"+mallory+"> <"+player+">",
		player+"@evil.example", local+"%"+domain+"@evil.example", local+"@"+domain+".evil.example", `"`+player+`"@evil.example`, local+"@evil."+domain,
		strings.Replace(local, "n", "\u0578", 1)+"x@"+domain, "\u200b"+player, local+"\u00ad@"+domain, strings.Replace(strings.Replace(player, "a", "\u0430", 1), "d", "\u217e", 1),
		local+"@"+strings.Replace(domain, "e", "\u0435", 1), local+"+x@"+domain, local+"."+"@"+domain+" ", local+"@["+domain+"]",
		mallory+"\x00"+player, mallory+"\r"+player, mallory+"\rFrom: "+player,
	)
	if at := strings.LastIndexByte(from, '@'); at >= 0 && strings.Contains(from, "n\u00ad") && h.rnd.IntN(2) == 0 {
		from = "a\u212a" + from[at:]
	}
	switch h.rnd.IntN(6) {
	case 0:
		return []string{"From: " + mallory, "Sender: " + player}
	case 1:
		return []string{"From: " + mallory, "Reply-To: " + player, "Resent-From: " + player, "X-Sender: " + player}
	case 2:
		return []string{"From: " + player, h.one("From", "FROM ", "from\t") + ": " + mallory}
	case 3:
		return []string{"From: " + mallory, "X-From: x", "From : " + player}
	}
	return []string{"From: " + from, h.one("Sender: ", "Reply-To: ", "X-A: ") + player}
}

// failed are the fields of a server that found a letter forged, among others
// that the forger wrote.
func (h *inProcess) failed() []string {
	id := h.one(houseAuthserv, strings.ToUpper(houseAuthserv), houseAuthserv+" 1", "(a;b) "+houseAuthserv, houseAuthserv+" (x \\) ; dmarc=pass)")
	real := id + ";" + h.one(" dmarc=fail", " spf=pass smtp.mailfrom=example.org;\r\n\tdmarc = fail (p=none; dis=none) header.from=example.org",
		" dkim=fail (bad; signature) header.d=example.org", " dkim=fail reason=\"a;b\" header.i=@example.org; spf=pass", " DMARC=Fail", " dmarc=pass header.from=evil.example",
		" dkim=none; dmarc=fail action=none", " dkim=pass header.d=evil.example; dkim=fail header.d=example.org")
	forged := h.one(houseAuthserv+"; dmarc=pass", houseAuthserv+"; dmarc=pass header.from=example.org", houseAuthserv+"; dkim=pass header.d=example.org",
		"evil.example; dmarc=pass", strings.ToUpper(houseAuthserv)+" 1; dkim=pass header.d=example.org; dmarc=pass (really; (truly))", houseAuthserv+"; none", houseAuthserv+"; dmarc=pass (", ";;;", "")
	out := []string{"Authentication-Results: " + real}
	for range h.rnd.IntN(3) {
		f := "Authentication-Results: " + forged
		switch h.rnd.IntN(4) {
		case 0:
			f = "ARC-" + f
		case 1:
			f = "X-" + f
		}
		out = slices.Insert(out, h.rnd.IntN(len(out)+1), f)
	}
	return out
}

// buried puts the orders where they are not the player's word; the letter's
// text is left in h.burial.
func (h *inProcess) buried(x turn) (fields []string) {
	o := x.legal[h.rnd.IntN(len(x.legal))]
	part := func(head string) string {
		return "--b\nContent-Type: text/plain\n\nhello there\n--b\n" + head + "\n\n" + o + "\n--b--"
	}
	mixed := []string{"Content-Type: multipart/mixed; boundary=b"}
	h.burial = "hello there"
	switch h.rnd.IntN(11) {
	case 0:
		h.burial = "> " + o
	case 1:
		h.burial = "| " + o + "\n| resign"
	case 2:
		h.burial, fields = part("Content-Type: text/plain\nContent-Disposition: attachment; filename=orders.txt"), mixed
	case 3:
		h.burial, fields = part("Content-Type: message/rfc822\n\nFrom: "+x.who.address+"\nTo: "+tokenAddress(x.last.Token)), mixed
	case 4:
		h.burial = "BEGIN:VCALENDAR\nMETHOD:REPLY\n\n" + o
		fields = []string{"Content-Type: text/calendar"}
	case 5:
		h.burial = "-- \n" + o
	case 6:
		fields = []string{"Subject: " + o}
	case 7:
		fields = []string{"X-Orders: " + o, "Comments: resign"}
	case 8:
		h.burial, fields = "<p>hello there</p><!-- "+o+" --><script>"+o+"</script><style>"+o+"</style><blockquote type=cite>"+o+"</blockquote>", []string{"Content-Type: text/html"}
	case 9:
		h.burial, fields = part("Content-Type: application/octet-stream"), mixed
	case 10:
		h.burial = "On Friday, Angelpost <x@y> wrote:\n> " + o + "\n> resign"
	}
	return fields
}

// nasty is a text that a careless writer would repeat.
func (h *inProcess) nasty() string {
	pieces := []string{
		"\r\nBcc: victim@example.org", "\nX-Angelpost-Kind: end", "\r\n\r\nhello", "\x00", "\u202egnihtemos", "\u2066x", "\u200b\u200d", "\ufeff", "\u2028", "\u0085",
		"=?utf-8?q?=0D=0ABcc:_x@example.org?=", "=?utf-8?b?DQpCY2M6IHg=?=", "=?utf-8?q?=3D=3Futf-8=3Fq=3F=0D=0A=3F=3D?=", "\r\n.\r\nMAIL FROM:<x@y>\r\n", "\n.\n", "\r.\r",
		"<b hostile>x</b>", "</pre><script hostile>", "' onload=x hostile='", "{name}", "%s%n", "' or 1=1 --", "\x1b[31m", "\x7f", "\u009b31m", "\xff\xfe", "\U0001F468\u200d\U0001F469\u200d\U0001F467",
		"שלום", "مرحبا", "z\u0300\u0301\u0302\u0303\u0304", "Zoë", "| die gray 2", "ann@example.org", "\t\t", strings.Repeat("long ", 2000), strings.Repeat("x", 10_000), strings.Repeat("☕", 300), "Ann", "ordinary words",
	}
	var b strings.Builder
	for range 1 + h.rnd.IntN(4) {
		b.WriteString(pieces[h.rnd.IntN(len(pieces))])
	}
	return b.String()
}

// nastyName is a display name for a From field, with all of it encoded.
func (h *inProcess) nastyName() string {
	bad := h.nasty()
	if len(bad) > 300 {
		bad = bad[:300]
	}
	return h.one(mime.BEncoding.Encode("utf-8", bad+"é"), mime.QEncoding.Encode("utf-8", bad+"é"), `"plain"`)
}

// headerWords puts a text into a header field, raw as far as it then still is
// one field, or encoded.
func (h *inProcess) headerWords(bad string) string {
	if h.rnd.IntN(2) == 0 {
		return mime.BEncoding.Encode("utf-8", bad+"é")
	}
	return strings.NewReplacer("\n", " ", "\r", "\r ").Replace(bad)
}
