package inprocess

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/server"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// A House is a server in this process, with a real database. Tests hand letters to the
// same code that the server's mailbox does. It has two running games and one that waits
// for a player. Its clock does not move.
type House struct {
	*server.Server
	T      testing.TB
	Rand   *rand.Rand
	Now    time.Time
	Games  []string // the running two, the waiting one
	People []*Resident
	N      int   // letters written
	Out    int   // the server's letters that readBack has checked
	Fault  error // what is wrong with one of the server's letters
}

// A Resident is a registered player.
type Resident struct {
	Name, Address string
	Got           map[string][]notice.Message // letters received, by game, oldest first
}

// NewHouse opens a house. edit may change what its desk is made of.
func NewHouse(t testing.TB, seed uint64, edit func(*House, *unit.Config)) *House {
	t.Helper()
	h := &House{Server: Open(t, nil), T: t, Rand: rand.New(rand.NewPCG(seed, 0)), Now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
	err := h.Rebuild(func(c *unit.Config) {
		c.Now = func() time.Time { return h.Now }
		if edit != nil {
			edit(h, c)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Ann", "Bob", "Cyd", "Dan"} {
		h.People = append(h.People, &Resident{Name: name, Address: strings.ToLower(name) + "@example.org", Got: map[string][]notice.Message{}})
	}
	h.Games = make([]string, 3)
	h.begin(0, 0, 1, 2)
	h.begin(1, 3, 0)
	h.Games[2] = h.newGame(seating.NewGameOrder{Players: h.seats(1, 2), Organiser: h.People[1].Address})
	for i := range 3 { // the picture is drawn for Dan only
		h.Say(h.People[i], h.Latest(i, 0).Token, "format text")
	}
	return h
}

// begin replaces game i by a new one between those people; the first organises it.
func (h *House) begin(i int, who ...int) {
	var seed [32]byte
	for j := range seed {
		seed[j] = byte(h.Rand.Uint32())
	}
	h.Games[i] = h.newGame(seating.NewGameOrder{Players: h.seats(who...), Organiser: h.People[who[0]].Address, Started: true, Seed: &seed})
}

func (h *House) seats(who ...int) (out []seating.NewPlayer) {
	for _, n := range who {
		out = append(out, seating.NewPlayer{Name: h.People[n].Name, Address: h.People[n].Address})
	}
	return out
}

func (h *House) newGame(o seating.NewGameOrder) string {
	h.T.Helper()
	id, err := h.Desk.NewGame(context.Background(), o)
	if err != nil {
		h.T.Fatal(err)
	}
	h.Collect()
	return id
}

// Collect renders every letter that is due, reads it back and notes it with
// who got it. What is wrong with one is the house's fault.
func (h *House) Collect() {
	h.T.Helper()
	ctx := context.Background()
	for {
		due, _, err := h.DB.Due(ctx, h.Now.Add(24*time.Hour), 100)
		if err != nil {
			h.T.Fatal(err)
		}
		if len(due) == 0 {
			return
		}
		for _, d := range due {
			raw, err := h.Render(ctx, d.Message)
			if err == nil {
				err = readBack(raw, d.To)
			}
			h.Out++
			p := h.Resident(d.To)
			switch {
			case err != nil:
				h.Fault = fmt.Errorf("letter to %s: %w\n%.3000s", d.To, err, raw)
			case p != nil:
				if got := p.Got[d.Game]; len(got) == 0 || got[len(got)-1].ID < d.ID { // not one repeated
					p.Got[d.Game] = append(got, d.Message)
				}
			case strings.ContainsFunc(d.To, func(r rune) bool { return r > '~' }) && d.Game == "": // the answer that no player can have such an address
			case !strings.HasSuffix(d.To, "@guests.example"):
				h.Fault = fmt.Errorf("a letter to %s, who has nothing to do here:\n%.2000s", d.To, raw)
			}
			if err := h.DB.Sent(ctx, d.ID); err != nil {
				h.T.Fatal(err)
			}
		}
	}
}

// Resident returns the player who writes from an address, or nil.
func (h *House) Resident(address string) *Resident {
	for _, p := range h.People {
		if p.Address == address {
			return p
		}
	}
	return nil
}

// Latest returns the newest letter to a person about game i that shows the position.
func (h *House) Latest(person, i int) notice.Message {
	got := h.People[person].Got[h.Games[i]]
	if len(got) == 0 {
		h.T.Fatalf("%s has no letter about game %d", h.People[person].Name, i)
	}
	for _, m := range slices.Backward(got) {
		if !m.Answer.Brief { // else it shows no position
			return m
		}
	}
	return got[len(got)-1]
}

// A Turn is what a player may do now.
type Turn struct {
	Game           int
	Who            *Resident
	Last           notice.Message // their latest letter
	Legal, Example []string
}

// Turn returns whose turn it is in game i. If the game is over, it begins a new one.
func (h *House) Turn(i int) Turn {
	h.T.Helper()
	for range 2 {
		var youngest Turn // after an undo two players have a letter with orders: the later step counts
		for n, p := range h.People {
			if len(p.Got[h.Games[i]]) == 0 {
				continue
			}
			r := h.Latest(n, i)
			sheet, err := h.Desk.Host().Input(context.Background(), r)
			if err != nil {
				h.T.Fatal(err)
			}
			if len(sheet.Legal) > 0 && (youngest.Who == nil || r.Step > youngest.Last.Step) {
				youngest = Turn{i, p, r, sheet.Legal, sheet.Example}
			}
		}
		if youngest.Who != nil {
			return youngest
		}
		h.begin(i, [][]int{{0, 1, 2}, {3, 0}}[i]...)
	}
	h.T.Fatalf("game %d waits for no one", i)
	return Turn{}
}

// Give hands letters in, in one batch, and reads what goes out.
func (h *House) Give(raws ...[]byte) {
	h.T.Helper()
	in := make([]server.Arrival, len(raws))
	for i, raw := range raws {
		in[i] = server.Arrival{Raw: raw, Received: h.Now}
	}
	for i, d := range h.Handle(context.Background(), in) {
		if d.Err != nil || d.Outcome == desk.SetAside {
			h.T.Fatalf("%s, %v:\n%.2000s", d.Outcome, d.Err, raws[i])
		}
	}
	h.Collect()
}

// Say is a plain letter of a person's own.
func (h *House) Say(p *Resident, token string, lines ...string) {
	h.T.Helper()
	h.Give(h.Write([]string{"From: " + p.Address, "To: " + TokenAddress(token)}, strings.Join(lines, "\n")))
}

// State returns, as JSON, everything about the games that letters can change, and each
// person's addresses. It leaves out the names of players if named is set.
func (h *House) State(named bool) string {
	h.T.Helper()
	var all []any
	err := h.DB.View(context.Background(), func(tx store.Tx) error {
		for _, id := range h.Games {
			row, err := tx.Game(id)
			if err != nil {
				return err
			}
			seats, err := tx.Seats(id)
			if err != nil {
				return err
			}
			for i := range seats {
				seats[i].Seen, seats[i].Thread = 0, ""
				if named {
					seats[i].Name = ""
				}
			}
			log, err := tx.Log(id, 0)
			if err != nil {
				return err
			}
			all = append(all, row, seats, log)
		}
		for i := range h.People {
			known, err := tx.Addresses(int64(i + 1))
			if err != nil {
				return err
			}
			all = append(all, known)
		}
		return nil
	})
	b, err2 := json.Marshal(all)
	if err != nil || err2 != nil {
		h.T.Fatal(err, err2)
	}
	return string(b)
}

// One returns one of several strings.
func (h *House) One(of ...string) string { return of[h.Rand.IntN(len(of))] }

// Write makes a letter of header lines and a text, as one client or another
// would: Message-ID, Date and Subject are added where they are missing; the
// case of field names, folding and encodings vary.
func (h *House) Write(fields []string, text string) []byte {
	h.N++
	has := func(name string) bool {
		return slices.ContainsFunc(fields, func(f string) bool { return strings.HasPrefix(strings.ToLower(f), strings.ToLower(name)+":") })
	}
	if !has("Message-ID") {
		fields = append(fields, fmt.Sprintf("Message-ID: <%d.%x@client.example>", h.N, h.Rand.Uint64()))
	}
	if !has("Date") { // each letter a second later, or equal ones would be one
		fields = append(fields, "Date: "+h.Now.Add(time.Duration(h.N)*time.Second).Format(time.RFC1123Z))
	}
	if !has("Subject") {
		fields = append(fields, "Subject: "+h.One("Re: First flight", "", "AW: [x]", "Re: your turn"))
	}
	fields = append(fields, "MIME-Version: 1.0")
	text = strings.ReplaceAll(text, "\n", "\r\n") + "\r\n"
	kind, body := h.encode(text)
	if has("Content-Type") {
		kind, body = nil, text
	}
	if h.Rand.IntN(4) == 0 && kind != nil {
		b := fmt.Sprintf("b%x", h.Rand.Uint64())
		body = "--" + b + "\r\n" + strings.Join(kind, "\r\n") + "\r\n\r\n" + body + "\r\n--" + b +
			"\r\nContent-Type: image/png\r\nContent-Disposition: attachment; filename=x.png\r\n\r\nx\r\n--" + b + "--\r\n"
		kind = []string{"Content-Type: multipart/mixed; boundary=" + b}
	}
	var out strings.Builder
	for range h.Rand.IntN(3) {
		out.WriteString("Received: from a.example by b.example; Sat, 21 Nov 2026 09:00:00 +0000\r\n")
	}
	for _, f := range append(fields, kind...) {
		name, value, _ := strings.Cut(f, ":")
		switch h.Rand.IntN(6) {
		case 0:
			name = strings.ToUpper(name)
		case 1:
			name = strings.ToLower(name)
		case 2:
			value = strings.Replace(value, " ", "\r\n\t", 1)
		}
		out.WriteString(name + ":" + value + "\r\n")
	}
	out.WriteString("\r\n" + body)
	return []byte(out.String())
}

func (h *House) encode(text string) (kind []string, body string) {
	switch h.Rand.IntN(4) {
	case 0:
		b := base64.StdEncoding.EncodeToString([]byte(text))
		var folded strings.Builder
		for ; len(b) > 76; b = b[76:] {
			folded.WriteString(b[:76] + "\r\n")
		}
		return []string{"Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64"}, folded.String() + b + "\r\n"
	case 1:
		return []string{"Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable"}, mailclient.QuotedPrintable(text)
	case 2:
		return nil, text
	}
	return []string{"Content-Type: text/plain; charset=\"UTF-8\"; format=fixed", "Content-Transfer-Encoding: 8bit"}, text
}
