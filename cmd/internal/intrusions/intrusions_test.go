package intrusions

import (
	"fmt"
	"mime"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"angelpost/cmd/internal/inprocess"
	"angelpost/engine/store"
)

const mallory = "mallory@evil.example"

// intrusions are the ways in which an intruder may try to move a game or to write
// into our letters. Each makes letters that aim at a turn, with orders that the
// server would play if the player had written them.
var intrusions = map[string]func(h *intruder, x inprocess.Turn) [][]byte{
	"wrong token": func(h *intruder, x inprocess.Turn) [][]byte {
		return h.aim(x, []string{"From: " + x.Who.Address, "To: " + inprocess.TokenAddress(h.spoilt(x.Last.Token))})
	},
	"guessed token": func(h *intruder, x inprocess.Turn) [][]byte {
		guess := h.One(strings.Repeat(h.One("a", "7", "z"), 26), "' or 1=1 --", "%", "*", "_", strings.Repeat("a", 52), "{token}", x.Last.MessageID[:16]+"aaaaaaaaaa", x.Last.Game+x.Last.Game[:4], h.randomToken())
		return h.aim(x, []string{"From: " + x.Who.Address, "To: " + inprocess.TokenAddress(guess)})
	},
	"no token": func(h *intruder, x inprocess.Turn) [][]byte {
		return h.aim(x, []string{"From: " + x.Who.Address, "To: " + inprocess.Address, "In-Reply-To: <" + x.Last.MessageID + ">"})
	},
	"stale token": func(h *intruder, x inprocess.Turn) [][]byte {
		old := h.stale(x)
		if old == "" {
			return nil
		}
		return h.aim(x, []string{"From: " + x.Who.Address, "To: " + inprocess.TokenAddress(old)})
	},
	"foreign token": func(h *intruder, x inprocess.Turn) [][]byte {
		return h.aim(x, []string{"From: " + h.other(x).Address, "To: " + inprocess.TokenAddress(x.Last.Token)})
	},
	"out of turn": func(h *intruder, x inprocess.Turn) [][]byte {
		p := h.other(x)
		own := p.Got[x.Last.Game]
		if len(own) == 0 {
			return nil
		}
		return [][]byte{h.Write([]string{"From: " + p.Address, "To: " + inprocess.TokenAddress(own[len(own)-1].Token)}, h.play(x))}
	},
	"token of another game": func(h *intruder, x inprocess.Turn) [][]byte {
		own := x.Who.Got[h.Games[1-x.Game]]
		if y := h.Turn(1 - x.Game); len(own) == 0 || y.Who == x.Who {
			return nil
		}
		own = x.Who.Got[h.Games[1-x.Game]]
		return [][]byte{h.Write([]string{"From: " + x.Who.Address, "To: " + inprocess.TokenAddress(own[len(own)-1].Token)}, h.play(x))}
	},
	"token elsewhere": func(h *intruder, x inprocess.Turn) [][]byte {
		// The token stands where a server or the sender may put it; the first
		// place that holds one decides, and a wrong one is not passed over.
		good, bad := inprocess.TokenAddress(x.Last.Token), inprocess.TokenAddress(h.spoilt(x.Last.Token))
		if bad == inprocess.TokenAddress(x.Last.Token[:26]+"a") || !tokenish.MatchString(bad) {
			bad = inprocess.TokenAddress(h.randomToken())
		}
		fields := [][]string{
			{"Delivered-To: " + bad, "To: " + good}, {"X-Original-To: " + bad, "To: " + good}, {"To: " + bad, "To: " + good},
			{"To: " + bad, "Cc: " + good}, {"To: " + bad + ", " + good}, {"To: " + bad, "Subject: Re: [Angelpost " + x.Last.Token + "]"},
			{"Envelope-To: " + bad, "Delivered-To: " + bad, "To: " + good, "Subject: [" + x.Last.Token + "]"},
		}[h.Rand.IntN(7)]
		return h.aim(x, append([]string{"From: " + x.Who.Address}, fields...))
	},
	"forwarded": func(h *intruder, x inprocess.Turn) [][]byte {
		from := "From: " + h.One(mallory, fmt.Sprintf("m%d@evil.example", h.Rand.IntN(1000)))
		all := h.aim(x, []string{from, "To: " + inprocess.TokenAddress(x.Last.Token)})
		// The forwarder's own yes confirms nothing.
		return append(all, h.Write([]string{from, "To: " + inprocess.TokenAddress(x.Last.Token), "In-Reply-To: <" + x.Last.MessageID + ">"}, h.One("yes", "yes\n"+x.Legal[0], "ja\nyes")))
	},
	"another's name": func(h *intruder, x inprocess.Turn) [][]byte {
		return h.aim(x, append(h.disguised(x.Who.Address), "To: "+inprocess.TokenAddress(x.Last.Token)))
	},
	"authentication failed": func(h *intruder, x inprocess.Turn) [][]byte {
		return h.aim(x, append(h.failed(), "From: "+x.Who.Address, "To: "+inprocess.TokenAddress(x.Last.Token)))
	},
	"replayed": func(h *intruder, x inprocess.Turn) [][]byte {
		if len(h.moved) == 0 {
			return nil
		}
		m := h.moved[len(h.moved)-1-h.Rand.IntN(min(3, len(h.moved)))]
		h.tried = m.Turn
		if h.Rand.IntN(3) == 0 { // what the player took back stays undone
			m = h.moved[len(h.moved)-1]
			got := m.Who.Got[m.Last.Game]
			h.Say(m.Who, got[len(got)-1].Token, "undo")
		}
		raw := string(m.raw)
		switch h.Rand.IntN(4) {
		case 0: // as it was
		case 1:
			raw = "Received: from c.example by d.example; Sat, 21 Nov 2026 10:00:00 +0000\r\nX-Spam: no\r\n" + raw
		case 2:
			raw = messageIDField.ReplaceAllString(raw, "Message-ID: <"+strconv.Itoa(h.N)+".again@evil.example>\r\n")
			h.N++
		case 3:
			raw = dateField.ReplaceAllString(raw, "Date: "+h.Now.Add(9*time.Hour).Format(time.RFC1123Z)+"\r\n")
		}
		return [][]byte{[]byte(raw)}
	},
	"same Message-ID": func(h *intruder, x inprocess.Turn) [][]byte {
		if len(h.moved) == 0 {
			return nil
		}
		m := h.moved[len(h.moved)-1]
		id := strings.TrimSpace(strings.SplitN(messageIDField.FindString(string(m.raw)), ":", 2)[1])
		return [][]byte{h.Write([]string{"From: " + x.Who.Address, "To: " + inprocess.TokenAddress(x.Last.Token), "Message-ID: " + id}, h.orders(x)+"\n"+h.One("status", "undo", "help"))}
	},
	"old letter, all else new": func(h *intruder, x inprocess.Turn) [][]byte {
		old := h.stale(x)
		if old == "" || len(h.moved) == 0 {
			return nil
		}
		return [][]byte{h.Write([]string{"From: " + x.Who.Address, "To: " + inprocess.TokenAddress(old)}, h.moved[h.Rand.IntN(len(h.moved))].order+"\n"+x.Legal[0])}
	},
	"by a machine": func(h *intruder, x inprocess.Turn) [][]byte {
		return h.aim(x, []string{"From: " + x.Who.Address, "To: " + inprocess.TokenAddress(x.Last.Token), h.One(
			"Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated (x)", "Precedence: bulk", "Precedence: list", "List-Id: <x.example>",
			"X-Auto-Response-Suppress: All", "X-Autoreply: yes", "X-Angelpost-Kind: turn", "Return-Path: <>", "X-Failed-Recipients: x@example.org",
			"Content-Type: multipart/report; report-type=delivery-status; boundary=b", "Content-Type: text/calendar; method=REPLY")})
	},
	"our own address": func(h *intruder, x inprocess.Turn) [][]byte {
		return h.aim(x, []string{"From: " + h.One(inprocess.Address, inprocess.TokenAddress(x.Last.Token), strings.ToUpper(inprocess.Address)), "To: " + inprocess.TokenAddress(x.Last.Token)})
	},
	"not his words": func(h *intruder, x inprocess.Turn) [][]byte {
		return [][]byte{h.Write(append([]string{"From: " + x.Who.Address, "To: " + inprocess.TokenAddress(x.Last.Token)}, h.buried(x)...), h.burial)}
	},
	"hostile words": func(h *intruder, x inprocess.Turn) [][]byte {
		p, last := x.Who, x.Last
		if h.Rand.IntN(2) == 0 {
			p = h.other(x)
			if own := p.Got[last.Game]; len(own) > 0 {
				last = own[len(own)-1]
			}
		}
		bad := h.nasty()
		fields := []string{"From: " + h.nastyName() + " <" + p.Address + ">", "To: " + inprocess.TokenAddress(last.Token)}
		if h.Rand.IntN(2) == 0 {
			fields = append(fields, "Subject: "+h.headerWords(bad))
		}
		if h.Rand.IntN(3) == 0 {
			fields = append(fields, "Message-ID: <"+h.One(strings.NewReplacer("\r", "", "\n", "").Replace(bad), "a b@c", "x", "1@[10.0.0.1]", "=?utf-8?q?=0D=0A?=@x", strings.Repeat("y", 2000)+"@x", "x\x00@y")+">")
		}
		text := bad
		switch h.Rand.IntN(7) {
		case 0:
			text = "name " + bad
		case 1:
			text = "name: " + strings.NewReplacer("\r", "", "\n", "", "<", "", ">", "", "@", "", ":", "", ";", "", ",", "").Replace(bad)
		case 2:
			text = "say: " + bad
		case 3:
			text = "say to " + h.One("Ann", "Bob", "Cyd", bad) + ": " + bad
		case 4:
			text = "note: " + bad + "\n\nstatus"
		case 5:
			text = fmt.Sprintf("new game\nplayers: g%d@guests.example\nname: %s", h.Rand.IntN(10), bad)
		}
		return [][]byte{h.Write(fields, text)}
	},
	"stranger": func(h *intruder, x inprocess.Turn) [][]byte {
		return [][]byte{h.Write([]string{"From: " + h.nastyName() + " <" + mallory + ">", "To: " + h.One(inprocess.Address, inprocess.TokenAddress(h.randomToken()))},
			h.One(x.Legal[0], "new game\nplayers: "+mallory+", ann@example.org", "status", "join Ann", "yes", "legal", "link", h.nasty()))}
	},
	"rubbish": func(h *intruder, x inprocess.Turn) [][]byte {
		raw := h.Write([]string{"From: " + x.Who.Address, "To: " + inprocess.TokenAddress(h.spoilt(x.Last.Token))}, h.orders(x))
		for range 1 + h.Rand.IntN(20) {
			raw[h.Rand.IntN(len(raw))] = byte(h.Rand.IntN(256))
		}
		// What was broken may by chance be a good letter again; not without From.
		return [][]byte{fromField.ReplaceAll(raw, []byte("Fron:"))}
	},
}

var (
	messageIDField = regexp.MustCompile(`(?i)Message-ID:\s[^\r]*\r\n`)
	dateField      = regexp.MustCompile(`(?i)\bDate:\s[^\r]*\r\n`)
	fromField      = regexp.MustCompile(`(?i)From\s*:`)
	tokenish       = regexp.MustCompile(`\+(?:[a-zA-Z2-7]{26}|[a-zA-Z2-7]{48})@`)
)

// aim is one letter with orders for the turn.
func (h *intruder) aim(x inprocess.Turn, fields []string) [][]byte {
	h.tried = x
	return [][]byte{h.Write(fields, h.orders(x))}
}

// play is a legal order, or all of the example: what its writer may not do now.
func (h *intruder) play(x inprocess.Turn) string {
	if h.Rand.IntN(3) == 0 && len(x.Example) > 0 {
		return strings.Join(x.Example, "\n")
	}
	return x.Legal[h.Rand.IntN(len(x.Legal))]
}

// orders are words that would move the game, or the seat, if they were the
// player's.
func (h *intruder) orders(x inprocess.Turn) string {
	o := x.Legal[h.Rand.IntN(len(x.Legal))]
	switch h.Rand.IntN(8) {
	case 0:
		return "resign"
	case 1:
		return strings.Join(x.Example, "\n") + "\n" + o
	case 2:
		return o + "\nresign"
	case 3:
		return h.One("replace "+x.Who.Name+" by bot", "cancel", "abandon", "visibility: private") + "\n" + o
	}
	return o
}

// ownLetter is the player's own, in any of the forms a good letter may have.
func (h *intruder) ownLetter(x inprocess.Turn, order string) []byte {
	token := x.Last.Token
	if h.Rand.IntN(3) == 0 {
		token = strings.ToUpper(token)
	}
	to := inprocess.TokenAddress(token)
	fields := []string{"From: " + h.One(x.Who.Address, strings.ToUpper(x.Who.Address), x.Who.Name+" <"+x.Who.Address+">", `"mallory@evil.example" <`+x.Who.Address+">", x.Who.Address+" ("+mallory+")")}
	switch h.Rand.IntN(4) {
	case 0:
		fields = append(fields, "To: "+to)
	case 1:
		fields = append(fields, "To: bob@example.org, \"Angelpost\" <"+to+">", "Sender: "+mallory, "Reply-To: "+mallory)
	case 2:
		fields = append(fields, "Delivered-To: "+to, "To: "+inprocess.Address)
	case 3:
		fields = append(fields, "To: "+inprocess.Address, "Subject: Re: your turn [Angelpost "+token+"]")
	}
	if h.Rand.IntN(3) == 0 {
		fields = append([]string{"Authentication-Results: " + h.One(inprocess.Authserv+"; dmarc=pass header.from=example.org", inprocess.Authserv+"; none", "evil.example; dmarc=fail", inprocess.Authserv+" (a; dmarc=fail); dkim=pass header.d=example.org")}, fields...)
	}
	return h.Write(fields, order)
}

// spoilt is a token that is nearly right.
func (h *intruder) spoilt(token string) string {
	i := h.Rand.IntN(len(token))
	switch h.Rand.IntN(6) {
	case 0:
		return token[:i] + token[i+1:]
	case 1:
		return token + token
	case 2:
		return token[:i] + "a" + token[i:]
	case 3:
		return token + h.One("a", "=", "==", "%00", ".", "+x")
	case 4:
		return token[i:] + token[:i] + "b"
	}
	c := "abcdefghijklmnopqrstuvwxyz234567"[h.Rand.IntN(32)]
	if c == token[i] {
		c = '1'
	}
	return token[:i] + string(c) + token[i+1:]
}

func (h *intruder) randomToken() string {
	b := make([]byte, 26)
	for i := range b {
		b[i] = "abcdefghijklmnopqrstuvwxyz234567"[h.Rand.IntN(32)]
	}
	return string(b)
}

// other is another player, of this game or not.
func (h *intruder) other(x inprocess.Turn) *inprocess.Resident {
	for {
		if p := h.People[h.Rand.IntN(len(h.People))]; p != x.Who {
			return p
		}
	}
}

// stale is a token of the player's own for a turn that has passed, "" if there
// is none. The turn before the last one's may still be good for what they owe.
func (h *intruder) stale(x inprocess.Turn) (token string) {
	err := h.DB.View(h.T.Context(), func(tx store.Tx) error {
		now, err := tx.Token(x.Last.Token)
		if err != nil {
			return err
		}
		got := x.Who.Got[x.Last.Game]
		for _, i := range h.Rand.Perm(len(got)) {
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
		h.T.Fatal(err)
	}
	return token
}

// disguised is From and its like by which a letter that is not the player's
// looks as if it were.
func (h *intruder) disguised(player string) []string {
	local, domain, _ := strings.Cut(player, "@")
	from := h.One(
		`"`+player+`" <`+mallory+`>`, player+" <"+mallory+">", mallory+" ("+player+")", "("+player+") "+mallory,
		mime.QEncoding.Encode("utf-8", player+"é")+" <"+mallory+">", "=?utf-8?q?"+strings.Replace(player, "@", "=40", 1)+"?=", "=?utf-8?q?=3C"+player+"=3E?= <"+mallory+">",
		player+", "+mallory, mallory+", "+player, "players: "+player+", "+mallory+";", "<@evil.example:"+player+">", "<"+mallory+"> <"+player+">",
		player+"@evil.example", local+"%"+domain+"@evil.example", local+"@"+domain+".evil.example", `"`+player+`"@evil.example`, local+"@evil."+domain,
		strings.Replace(local, "n", "\u0578", 1)+"x@"+domain, "\u200b"+player, local+"\u00ad@"+domain, strings.Replace(strings.Replace(player, "a", "\u0430", 1), "d", "\u217e", 1),
		local+"@"+strings.Replace(domain, "e", "\u0435", 1), local+"+x@"+domain, local+"."+"@"+domain+" ", local+"@["+domain+"]",
		mallory+"\x00"+player, mallory+"\r"+player, mallory+"\rFrom: "+player,
	)
	if at := strings.LastIndexByte(from, '@'); at >= 0 && strings.Contains(from, "n\u00ad") && h.Rand.IntN(2) == 0 {
		from = "a\u212a" + from[at:]
	}
	switch h.Rand.IntN(6) {
	case 0:
		return []string{"From: " + mallory, "Sender: " + player}
	case 1:
		return []string{"From: " + mallory, "Reply-To: " + player, "Resent-From: " + player, "X-Sender: " + player}
	case 2:
		return []string{"From: " + player, h.One("From", "FROM ", "from\t") + ": " + mallory}
	case 3:
		return []string{"From: " + mallory, "X-From: x", "From : " + player}
	}
	return []string{"From: " + from, h.One("Sender: ", "Reply-To: ", "X-A: ") + player}
}

// failed are the fields of a server that found a letter forged, among others
// that the forger wrote.
func (h *intruder) failed() []string {
	id := h.One(inprocess.Authserv, strings.ToUpper(inprocess.Authserv), inprocess.Authserv+" 1", "(a;b) "+inprocess.Authserv, inprocess.Authserv+" (x \\) ; dmarc=pass)")
	real := id + ";" + h.One(" dmarc=fail", " spf=pass smtp.mailfrom=example.org;\r\n\tdmarc = fail (p=none; dis=none) header.from=example.org",
		" dkim=fail (bad; signature) header.d=example.org", " dkim=fail reason=\"a;b\" header.i=@example.org; spf=pass", " DMARC=Fail", " dmarc=pass header.from=evil.example",
		" dkim=none; dmarc=fail action=none", " dkim=pass header.d=evil.example; dkim=fail header.d=example.org")
	forged := h.One(inprocess.Authserv+"; dmarc=pass", inprocess.Authserv+"; dmarc=pass header.from=example.org", inprocess.Authserv+"; dkim=pass header.d=example.org",
		"evil.example; dmarc=pass", strings.ToUpper(inprocess.Authserv)+" 1; dkim=pass header.d=example.org; dmarc=pass (really; (truly))", inprocess.Authserv+"; none", inprocess.Authserv+"; dmarc=pass (", ";;;", "")
	out := []string{"Authentication-Results: " + real}
	for range h.Rand.IntN(3) {
		f := "Authentication-Results: " + forged
		switch h.Rand.IntN(4) {
		case 0:
			f = "ARC-" + f
		case 1:
			f = "X-" + f
		}
		out = slices.Insert(out, h.Rand.IntN(len(out)+1), f)
	}
	return out
}

// buried puts the orders where they are not the player's word; the letter's
// text is left in h.burial.
func (h *intruder) buried(x inprocess.Turn) (fields []string) {
	o := x.Legal[h.Rand.IntN(len(x.Legal))]
	part := func(head string) string {
		return "--b\nContent-Type: text/plain\n\nhello there\n--b\n" + head + "\n\n" + o + "\n--b--"
	}
	mixed := []string{"Content-Type: multipart/mixed; boundary=b"}
	h.burial = "hello there"
	switch h.Rand.IntN(11) {
	case 0:
		h.burial = "> " + o
	case 1:
		h.burial = "| " + o + "\n| resign"
	case 2:
		h.burial, fields = part("Content-Type: text/plain\nContent-Disposition: attachment; filename=orders.txt"), mixed
	case 3:
		h.burial, fields = part("Content-Type: message/rfc822\n\nFrom: "+x.Who.Address+"\nTo: "+inprocess.TokenAddress(x.Last.Token)), mixed
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
func (h *intruder) nasty() string {
	pieces := []string{
		"\r\nBcc: victim@example.org", "\nX-Angelpost-Kind: end", "\r\n\r\nhello", "\x00", "\u202egnihtemos", "\u2066x", "\u200b\u200d", "\ufeff", "\u2028", "\u0085",
		"=?utf-8?q?=0D=0ABcc:_x@example.org?=", "=?utf-8?b?DQpCY2M6IHg=?=", "=?utf-8?q?=3D=3Futf-8=3Fq=3F=0D=0A=3F=3D?=", "\r\n.\r\nMAIL FROM:<x@y>\r\n", "\n.\n", "\r.\r",
		"<b hostile>x</b>", "</pre><script hostile>", "' onload=x hostile='", "{name}", "%s%n", "' or 1=1 --", "\x1b[31m", "\x7f", "\u009b31m", "\xff\xfe", "\U0001F468\u200d\U0001F469\u200d\U0001F467",
		"שלום", "مرحبا", "z\u0300\u0301\u0302\u0303\u0304", "Zoë", "| die gray 2", "ann@example.org", "\t\t", strings.Repeat("long ", 2000), strings.Repeat("x", 10_000), strings.Repeat("☕", 300), "Ann", "ordinary words",
	}
	var b strings.Builder
	for range 1 + h.Rand.IntN(4) {
		b.WriteString(pieces[h.Rand.IntN(len(pieces))])
	}
	return b.String()
}

// nastyName is a display name for a From field, with all of it encoded.
func (h *intruder) nastyName() string {
	bad := h.nasty()
	if len(bad) > 300 {
		bad = bad[:300]
	}
	return h.One(mime.BEncoding.Encode("utf-8", bad+"é"), mime.QEncoding.Encode("utf-8", bad+"é"), `"plain"`)
}

// headerWords puts a text into a header field, raw as far as it then still is
// one field, or encoded.
func (h *intruder) headerWords(bad string) string {
	if h.Rand.IntN(2) == 0 {
		return mime.BEncoding.Encode("utf-8", bad+"é")
	}
	return strings.NewReplacer("\n", " ", "\r", "\r ").Replace(bad)
}
