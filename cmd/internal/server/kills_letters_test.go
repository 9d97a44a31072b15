//go:build real

package server

import (
	"bytes"
	"cmp"
	"fmt"
	"net/mail"
	"strings"
	"testing"
	"time"

	"angelpost/mail/peers"
)

// A letterOut is a written letter and what the killer needs to go on.
type letterOut struct {
	written
	to, envelope string
	raw          []byte
	answered     bool
}

// A killTable is where the same clients sit down to one game after the other.
type killTable struct {
	clients []*client
	game    string
	seats   map[*client]*killSeat
	known   map[string]bool // Message-IDs read
	frozen  *letterOut      // nobody moves until this is answered
}

// A killSeat is a client in the game at their table.
type killSeat struct {
	*client
	table *killTable
	seat  int
	last  *received // bears the youngest token
	todo  *received // lists what can be done now
	first *received // of the first turn
	turns int
	step  int        // letters about earlier positions are old news
	busy  *letterOut // an order under way
	over  bool
}

// sweep lets every client read and write once; it reports whether anything was
// done.
func (k *killer) sweep() bool {
	busy := false
	for _, table := range k.tables {
		over := true
		for _, c := range table.clients {
			busy = k.turn(table, table.seats[c]) || busy
			over = over && table.seats[c].over
		}
		if over && !k.draining {
			k.newGame(table)
		}
	}
	if k.draining {
		for _, l := range k.later {
			k.post(l)
		}
		k.later = nil
		return busy
	}
	open := 0
	for _, l := range k.letters {
		if !l.answered && l.fate != fateHeld && l.fate != fateSilent {
			open++
		}
	}
	for range min(3, killOpen-open) {
		k.another()
	}
	if len(k.later) > 0 && k.r.IntN(3) == 0 {
		k.post(k.later[0])
		k.later = k.later[1:]
	}
	return busy
}

// turn lets one client read their letters and answer what they must decide.
func (k *killer) turn(table *killTable, s *killSeat) (busy bool) {
	for _, n := range s.fetch() {
		busy = true
		id := n.header.Get("Message-Id") + s.address
		if table.known[id] {
			continue
		}
		table.known[id] = true
		l := k.byID[strings.Trim(n.header.Get("In-Reply-To"), "<>")]
		if l != nil {
			l.answered = true
		}
		if table.frozen == l {
			table.frozen = nil
		}
		if n.kind == "invitation" && !k.draining {
			k.write(&letterOut{written: written{what: "join", fate: fateApplied, from: s.address}, to: replyAddress(k.t, &n)}, "join")
		}
		if n.header.Get("X-Angelpost-Game") != table.game {
			continue
		}
		var step int
		fmt.Sscan(n.header.Get("X-Angelpost-Seat"), &s.seat)
		fmt.Sscan(n.header.Get("X-Angelpost-Step"), &step)
		k.players[table.game][s.seat] = s.address
		s.last = &n
		s.over = s.over || n.kind == "end"
		if n.kind == "turn" {
			if s.turns++; s.first == nil {
				s.first = &n
			}
		}
		done := l != nil && l == s.busy
		if done {
			s.busy, s.todo = nil, nil
		}
		if (done || n.kind == "turn" || n.kind == "start") && len(n.legal) > 0 && step >= s.step {
			s.todo = &n
			s.step = step
		}
	}
	if s.todo != nil && s.busy == nil && table.frozen == nil && !k.draining {
		busy = true
		l := &letterOut{written: written{
			what: "order", fate: fateApplied, from: s.address, game: table.game, seat: s.seat, order: s.todo.legal[k.r.IntN(len(s.todo.legal))],
		}, to: replyAddress(k.t, s.todo)}
		s.busy, s.todo = l, nil
		s.step++
		k.write(l, l.order, "In-Reply-To: "+s.last.header.Get("Message-Id"))
	}
	return busy
}

func replyAddress(t *testing.T, n *received) string {
	a, err := mail.ParseAddress(n.header.Get("Reply-To"))
	if err != nil {
		t.Fatalf("Reply-To %q: %v", n.header.Get("Reply-To"), err)
	}
	return a.Address
}

// write numbers a letter, notes it, and hands it over; one in ten comes again
// later, once or twice.
func (k *killer) write(l *letterOut, body string, head ...string) {
	n := len(k.letters) + 1
	l.id = fmt.Sprintf("%d.%s@oracle.test", n, strings.ReplaceAll(l.what, " ", "-"))
	l.envelope = cmp.Or(l.envelope, l.from)
	var b bytes.Buffer
	// Equal letters of one second would be one letter (mail/MAIL.md, Once).
	fmt.Fprintf(&b, "From: %s\r\nTo: %s\r\nSubject: Re: %s\r\nDate: %s\r\nMessage-ID: <%s>\r\nMIME-Version: 1.0\r\n",
		l.from, l.to, l.what, time.Now().Add(time.Duration(n)*time.Second).Format(time.RFC1123Z), l.id)
	kind := "Content-Type: text/plain; charset=utf-8"
	for _, h := range head {
		if strings.HasPrefix(h, "Content-Type:") {
			kind = h
			continue
		}
		b.WriteString(h + "\r\n")
	}
	b.WriteString(kind + "\r\n\r\n" + body + "\r\n")
	l.raw = b.Bytes()
	k.letters = append(k.letters, l)
	k.byID[l.id] = l
	k.post(l)
	if k.r.IntN(10) == 0 {
		k.later = append(k.later, l)
		if k.r.IntN(2) == 0 {
			k.later = append(k.later, l)
		}
	}
}

func (k *killer) post(l *letterOut) {
	envelope := l.envelope
	if envelope == "<>" {
		envelope = ""
	}
	l.copies++
	if err := deliver(k.log.smtp, envelope, l.to, l.raw); err != nil {
		k.t.Fatalf("letter %s: %v", l.id, err)
	}
}

// another writes a letter that is no good order, of any kind.
func (k *killer) another() {
	table := k.tables[k.r.IntN(len(k.tables))]
	s := table.seats[table.clients[k.r.IntN(len(table.clients))]]
	if s.last == nil || s.over {
		return
	}
	other := table.seats[table.clients[k.r.IntN(len(table.clients))]]
	n := len(k.letters) + 1
	word := fmt.Sprintf("number %d of the oracle", n)
	token := replyAddress(k.t, s.last)
	elsewhere := func(name string) string { return fmt.Sprintf("%s%d@elsewhere.test", name, n) }
	answer := func(what string, f fate, body string) { // from the player, with their token
		k.write(&letterOut{written: written{what: what, fate: f, from: s.address}, to: token}, body)
	}
	silent := func(what, why, from, to, body string, head ...string) {
		k.write(&letterOut{written: written{what: what, fate: fateSilent, from: from, why: why}, to: to}, body, head...)
	}
	registered := s.turns > 1
	switch what := k.r.IntN(23); {
	case what == 0:
		answer("status", fateUnchanged, "status")
	case what == 1:
		answer("legal", fateUnchanged, "legal")
	case what == 2:
		answer("rules", fateUnchanged, "rules 013\r\nhelp say")
	case what == 3:
		answer("history", fateUnchanged, "history")
	case what == 4 && registered && k.unproven(s.address):
		k.write(&letterOut{written: written{what: "status without token", fate: fateUnchanged, from: s.address}, to: k.address}, "status")
	case what == 5 && k.babbles(s):
		answer("nonsense", fateRefused, "frobnicate "+word)
	case what == 6 && k.babbles(s):
		answer("no such card", fateRefused, fmt.Sprintf("mission %d", 1000+n))
	case what == 7 && k.once("empty", s):
		answer("empty", fateRefused, "")
	case what == 8 && registered && k.unproven(s.address):
		k.write(&letterOut{written: written{what: "order without token", fate: fateRefused, from: s.address}, to: k.address}, "B")
	case what == 9 && other != s && k.unproven(other.address):
		k.write(&letterOut{written: written{what: "foreign token", fate: fateRefused, from: other.address}, to: token}, "B")
	case what == 10 && s.turns > 2:
		k.write(&letterOut{written: written{what: "old token", fate: fateRefused, from: s.address}, to: replyAddress(k.t, s.first)}, "B")
	case what == 11 && other.todo != nil && s.todo == nil && s.busy == nil && len(s.last.legal) == 0 && table.frozen == nil:
		l := &letterOut{written: written{what: "out of turn", fate: fateRefused, from: s.address}, to: token}
		table.frozen = l
		k.write(l, "B")
	case what == 12 && k.counts["alias"+s.address] < 3:
		k.counts["alias"+s.address]++
		k.write(&letterOut{written: written{what: "alias", fate: fateHeld, from: elsewhere("alias")}, to: token}, "B")
	case what == 13 && k.babbles(s):
		k.write(&letterOut{written: written{what: "note", fate: fateApplied, from: s.address, text: word}, to: token}, "note: "+word)
	case what == 14 && k.counts["say"+table.game+s.address] < 30: // as many as it lets a player say a day
		k.counts["say"+table.game+s.address]++
		l := &letterOut{written: written{what: "say", fate: fateApplied, from: s.address, text: word}, to: token}
		for _, c := range table.clients {
			if c != s.client {
				l.readers = append(l.readers, c.address)
			}
		}
		k.write(l, "say: "+word)
	case what == 22 && other != s && k.counts["invited"+other.address] < 3:
		k.counts["invited"+other.address]++
		k.write(&letterOut{written: written{what: "new game", fate: fateApplied, from: s.address, text: word}, to: token},
			"new game\r\nplayers: "+other.address+"\r\nname: "+word)
	case what == 15:
		silent("vacation", "auto", s.address, token, "B", "Auto-Submitted: auto-replied")
	case what == 16:
		silent("list", "list", s.address, token, "B", "List-Id: <friends.elsewhere.test>")
	case what == 17:
		l := &letterOut{written: written{what: "bounce", fate: fateSilent, from: "MAILER-DAEMON@elsewhere.test", why: "a bounce"}, to: k.address, envelope: "<>"}
		k.write(l, strings.Join([]string{"--b", "", "It could not be delivered.", "--b", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; elsewhere.test", "",
			"Final-Recipient: rfc822; " + elsewhere("gone"), "Action: failed", "Status: 5.1.1", "", "--b--"}, "\r\n"),
			`Content-Type: multipart/report; report-type=delivery-status; boundary="b"`)
	case what == 18:
		silent("receipt", "receipt", s.address, token, strings.Join([]string{"--b", "", "It was displayed.", "--b", "Content-Type: message/disposition-notification", "",
			"Final-Recipient: rfc822; " + s.address, "Disposition: manual-action/MDN-sent-manually; displayed", "", "--b--"}, "\r\n"),
			`Content-Type: multipart/report; report-type=disposition-notification; boundary="b"`)
	case what == 19:
		silent("stranger", "nobody we know", elsewhere("stranger"), k.address, "status")
	case what == 20:
		silent("unknown token", "nobody we know", elsewhere("stranger"), serverUser+"+"+strings.Repeat("a", 26)+"@"+peers.Domain, "B")
	case what == 21 && k.r.IntN(10) == 0 && k.once("too large", s):
		answer("too large", fateRefused, strings.Repeat(strings.Repeat("x", 70)+"\r\n", 3<<20/72))
	}
}

// babbles counts the letters without an order that a machine might write: the
// server answers twenty a day, and none that says the same again.
func (k *killer) babbles(s *killSeat) bool {
	k.counts["babble"+s.address]++
	return k.counts["babble"+s.address] <= 15
}

// unproven counts letters that anyone could have written in a player's name: three an
// hour are answered at once.
func (k *killer) unproven(address string) bool {
	k.counts["unproven "+address]++
	return k.counts["unproven "+address] <= 3
}

func (k *killer) once(what string, s *killSeat) bool {
	k.counts[what+s.address]++
	return k.counts[what+s.address] == 1
}

// sent is what the oracle is to account for.
func (k *killer) sent() (out []written) {
	for _, l := range k.letters {
		out = append(out, l.written)
	}
	return out
}
