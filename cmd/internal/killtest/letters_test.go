//go:build real

package killtest

import (
	"bytes"
	"cmp"
	"fmt"
	"net/mail"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/oracle"
	"angelpost/mail/peers"
)

// A letterOut is a written letter and what the killer needs to go on.
type letterOut struct {
	oracle.Written
	to, envelope string
	raw          []byte
	answered     bool
}

// A killTable is where the same clients sit down to one game after the other.
type killTable struct {
	clients []*mailclient.Client
	game    string
	seats   map[*mailclient.Client]*killSeat
	known   map[string]bool // Message-IDs read
	frozen  *letterOut      // nobody moves until this is answered
}

// A killSeat is a client in the game at their table.
type killSeat struct {
	*mailclient.Client
	table *killTable
	seat  int
	last  *mailclient.Received // bears the youngest token
	todo  *mailclient.Received // lists what can be done now
	first *mailclient.Received // of the first turn
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
		if !l.answered && l.Fate != oracle.FateHeld && l.Fate != oracle.FateSilent {
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
	for _, n := range s.Fetch() {
		busy = true
		id := n.Header.Get("Message-Id") + s.Address
		if table.known[id] {
			continue
		}
		table.known[id] = true
		l := k.byID[strings.Trim(n.Header.Get("In-Reply-To"), "<>")]
		if l != nil {
			l.answered = true
		}
		if table.frozen == l {
			table.frozen = nil
		}
		if n.Kind == "invitation" && !k.draining {
			k.write(&letterOut{Written: oracle.Written{What: "join", Fate: oracle.FateApplied, From: s.Address}, to: replyAddress(k.t, &n)}, "join")
		}
		if n.Header.Get("X-Angelpost-Game") != table.game {
			continue
		}
		var step int
		fmt.Sscan(n.Header.Get("X-Angelpost-Seat"), &s.seat)
		fmt.Sscan(n.Header.Get("X-Angelpost-Step"), &step)
		k.players[table.game][s.seat] = s.Address
		s.last = &n
		s.over = s.over || n.Kind == "end"
		if n.Kind == "turn" {
			if s.turns++; s.first == nil {
				s.first = &n
			}
		}
		done := l != nil && l == s.busy
		if done {
			s.busy, s.todo = nil, nil
		}
		if (done || n.Kind == "turn" || n.Kind == "start") && len(n.Legal) > 0 && step >= s.step {
			s.todo = &n
			s.step = step
		}
	}
	if s.todo != nil && s.busy == nil && table.frozen == nil && !k.draining {
		busy = true
		l := &letterOut{Written: oracle.Written{
			What: "order", Fate: oracle.FateApplied, From: s.Address, Game: table.game, Seat: s.seat, Order: s.todo.Legal[k.r.IntN(len(s.todo.Legal))],
		}, to: replyAddress(k.t, s.todo)}
		s.busy, s.todo = l, nil
		s.step++
		k.write(l, l.Order, "In-Reply-To: "+s.last.Header.Get("Message-Id"))
	}
	return busy
}

func replyAddress(t *testing.T, n *mailclient.Received) string {
	a, err := mail.ParseAddress(n.Header.Get("Reply-To"))
	if err != nil {
		t.Fatalf("Reply-To %q: %v", n.Header.Get("Reply-To"), err)
	}
	return a.Address
}

// write numbers a letter, notes it, and hands it over; one in ten comes again
// later, once or twice.
func (k *killer) write(l *letterOut, body string, head ...string) {
	n := len(k.letters) + 1
	l.ID = fmt.Sprintf("%d.%s@oracle.test", n, strings.ReplaceAll(l.What, " ", "-"))
	l.envelope = cmp.Or(l.envelope, l.From)
	var b bytes.Buffer
	// Equal letters of one second would be one letter (mail/MAIL.md, Once).
	fmt.Fprintf(&b, "From: %s\r\nTo: %s\r\nSubject: Re: %s\r\nDate: %s\r\nMessage-ID: <%s>\r\nMIME-Version: 1.0\r\n",
		l.From, l.to, l.What, time.Now().Add(time.Duration(n)*time.Second).Format(time.RFC1123Z), l.ID)
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
	k.byID[l.ID] = l
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
	l.Copies++
	if err := mailclient.Deliver(k.log.smtp, envelope, l.to, l.raw); err != nil {
		k.t.Fatalf("letter %s: %v", l.ID, err)
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
	answer := func(what string, f oracle.Fate, body string) { // from the player, with their token
		k.write(&letterOut{Written: oracle.Written{What: what, Fate: f, From: s.Address}, to: token}, body)
	}
	silent := func(what, why, from, to, body string, head ...string) {
		k.write(&letterOut{Written: oracle.Written{What: what, Fate: oracle.FateSilent, From: from, Why: why}, to: to}, body, head...)
	}
	registered := s.turns > 1
	switch what := k.r.IntN(23); {
	case what == 0:
		answer("status", oracle.FateUnchanged, "status")
	case what == 1:
		answer("legal", oracle.FateUnchanged, "legal")
	case what == 2:
		answer("rules", oracle.FateUnchanged, "rules 013\r\nhelp say")
	case what == 3:
		answer("history", oracle.FateUnchanged, "history")
	case what == 4 && registered && k.unproven(s.Address):
		k.write(&letterOut{Written: oracle.Written{What: "status without token", Fate: oracle.FateUnchanged, From: s.Address}, to: k.address}, "status")
	case what == 5 && k.babbles(s):
		answer("nonsense", oracle.FateRefused, "frobnicate "+word)
	case what == 6 && k.babbles(s):
		answer("no such card", oracle.FateRefused, fmt.Sprintf("mission %d", 1000+n))
	case what == 7 && k.once("empty", s):
		answer("empty", oracle.FateRefused, "")
	case what == 8 && registered && k.unproven(s.Address):
		k.write(&letterOut{Written: oracle.Written{What: "order without token", Fate: oracle.FateRefused, From: s.Address}, to: k.address}, "B")
	case what == 9 && other != s && k.unproven(other.Address):
		k.write(&letterOut{Written: oracle.Written{What: "foreign token", Fate: oracle.FateRefused, From: other.Address}, to: token}, "B")
	case what == 10 && s.turns > 2:
		k.write(&letterOut{Written: oracle.Written{What: "old token", Fate: oracle.FateRefused, From: s.Address}, to: replyAddress(k.t, s.first)}, "B")
	case what == 11 && other.todo != nil && s.todo == nil && s.busy == nil && len(s.last.Legal) == 0 && table.frozen == nil:
		l := &letterOut{Written: oracle.Written{What: "out of turn", Fate: oracle.FateRefused, From: s.Address}, to: token}
		table.frozen = l
		k.write(l, "B")
	case what == 12 && k.counts["alias"+s.Address] < 3:
		k.counts["alias"+s.Address]++
		k.write(&letterOut{Written: oracle.Written{What: "alias", Fate: oracle.FateHeld, From: elsewhere("alias")}, to: token}, "B")
	case what == 13 && k.babbles(s):
		k.write(&letterOut{Written: oracle.Written{What: "note", Fate: oracle.FateApplied, From: s.Address, Text: word}, to: token}, "note: "+word)
	case what == 14 && k.counts["say"+table.game+s.Address] < 30: // as many as it lets a player say a day
		k.counts["say"+table.game+s.Address]++
		l := &letterOut{Written: oracle.Written{What: "say", Fate: oracle.FateApplied, From: s.Address, Text: word}, to: token}
		for _, c := range table.clients {
			if c != s.Client {
				l.Readers = append(l.Readers, c.Address)
			}
		}
		k.write(l, "say: "+word)
	case what == 22 && other != s && k.counts["invited"+other.Address] < 3:
		k.counts["invited"+other.Address]++
		k.write(&letterOut{Written: oracle.Written{What: "new game", Fate: oracle.FateApplied, From: s.Address, Text: word}, to: token},
			"new game\r\nplayers: "+other.Address+"\r\nname: "+word)
	case what == 15:
		silent("vacation", "auto", s.Address, token, "B", "Auto-Submitted: auto-replied")
	case what == 16:
		silent("list", "list", s.Address, token, "B", "List-Id: <friends.elsewhere.test>")
	case what == 17:
		l := &letterOut{Written: oracle.Written{What: "bounce", Fate: oracle.FateSilent, From: "MAILER-DAEMON@elsewhere.test", Why: "a bounce"}, to: k.address, envelope: "<>"}
		k.write(l, strings.Join([]string{"--b", "", "It could not be delivered.", "--b", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; elsewhere.test", "",
			"Final-Recipient: rfc822; " + elsewhere("gone"), "Action: failed", "Status: 5.1.1", "", "--b--"}, "\r\n"),
			`Content-Type: multipart/report; report-type=delivery-status; boundary="b"`)
	case what == 18:
		silent("receipt", "receipt", s.Address, token, strings.Join([]string{"--b", "", "It was displayed.", "--b", "Content-Type: message/disposition-notification", "",
			"Final-Recipient: rfc822; " + s.Address, "Disposition: manual-action/MDN-sent-manually; displayed", "", "--b--"}, "\r\n"),
			`Content-Type: multipart/report; report-type=disposition-notification; boundary="b"`)
	case what == 19:
		silent("stranger", "no one we know", elsewhere("stranger"), k.address, "status")
	case what == 20:
		silent("unknown token", "no one we know", elsewhere("stranger"), mailclient.ServerUser+"+"+strings.Repeat("a", 26)+"@"+peers.Domain, "B")
	case what == 21 && k.r.IntN(10) == 0 && k.once("too large", s):
		answer("too large", oracle.FateRefused, strings.Repeat(strings.Repeat("x", 70)+"\r\n", 3<<20/72))
	}
}

// babbles counts the letters without an order that a machine might write: the
// server answers twenty a day, and none that says the same again.
func (k *killer) babbles(s *killSeat) bool {
	k.counts["babble"+s.Address]++
	return k.counts["babble"+s.Address] <= 15
}

// unproven counts letters that anyone could have written in a player's name: three an
// hour are answered at once.
func (k *killer) unproven(address string) bool {
	k.counts["unproven "+address]++
	return k.counts["unproven "+address] <= 3
}

func (k *killer) once(what string, s *killSeat) bool {
	k.counts[what+s.Address]++
	return k.counts[what+s.Address] == 1
}

// sent is what the oracle is to account for.
func (k *killer) sent() (out []oracle.Written) {
	for _, l := range k.letters {
		out = append(out, l.Written)
	}
	return out
}
