package server

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
	"angelpost/engine/store"
)

// An inProcess is a server in this process, over a real database, in which letters
// are handed to the very code that a mailbox hands them to. It has two games
// under way and one that waits for a player, and its clock stands still.
type inProcess struct {
	*server
	t      testing.TB
	rnd    *rand.Rand
	now    time.Time
	games  []string // the running two, the waiting one
	people []*resident
	n      int       // letters written
	out    int       // letters of ours read back
	moved  []applied // the last letters that moved a game
	burial string    // the text of the letter buried wrote
	tried  turn      // the turn that the last intruder is after
	loose  bool      // the guard that a test leaves out is out by now
	fault  error     // what is wrong with a letter of ours
}

// A resident is a registered player.
type resident struct {
	name, address string
	got           map[string][]notice.Message // letters received, by game, oldest first
}

const (
	houseDomain   = "play.example.org"
	houseAddress  = "angelpost@" + houseDomain
	houseAuthserv = "mx.play.example.org"
	mallory       = "mallory@evil.example"
)

// newInProcess opens a house. edit may change what its desk is made of.
func newInProcess(t testing.TB, seed uint64, edit func(*inProcess, *unit.Config)) *inProcess {
	t.Helper()
	path := filepath.Join(t.TempDir(), "angelpost.toml")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(configTemplate, "%[1]s", path)), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := loadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	c.Address, c.AuthservID, c.AnswersPerDay = "angelpost+{token}@"+houseDomain, houseAuthserv, 1<<30
	ctx := context.Background()
	s, err := openServer(ctx, c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.close() })
	h := &inProcess{server: s, t: t, rnd: rand.New(rand.NewPCG(seed, 0)), now: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
	conf := s.desk.Config
	conf.Now = func() time.Time { return h.now }
	if edit != nil {
		edit(h, &conf)
	}
	if s.desk, err = desk.New(conf); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Ann", "Bob", "Cyd", "Dan"} {
		h.people = append(h.people, &resident{name: name, address: strings.ToLower(name) + "@example.org", got: map[string][]notice.Message{}})
	}
	h.games = make([]string, 3)
	h.begin(0, 0, 1, 2)
	h.begin(1, 3, 0)
	h.games[2] = h.newGame(seating.NewGameOrder{Players: h.seats(1, 2), Organiser: h.people[1].address})
	for i := range 3 { // the picture is drawn for Dan only
		h.say(h.people[i], h.latest(i, 0).Token, "format text")
	}
	return h
}

// begin lays game i anew, between those people.
func (h *inProcess) begin(i int, who ...int) {
	var seed [32]byte
	for j := range seed {
		seed[j] = byte(h.rnd.Uint32())
	}
	h.games[i] = h.newGame(seating.NewGameOrder{Players: h.seats(who...), Organiser: h.people[who[0]].address, Started: true, Seed: &seed})
}

func (h *inProcess) seats(who ...int) (out []seating.NewPlayer) {
	for _, n := range who {
		out = append(out, seating.NewPlayer{Name: h.people[n].name, Address: h.people[n].address})
	}
	return out
}

func (h *inProcess) newGame(o seating.NewGameOrder) string {
	h.t.Helper()
	id, err := h.desk.NewGame(context.Background(), o)
	if err != nil {
		h.t.Fatal(err)
	}
	h.collect()
	return id
}

// collect renders every letter that is due, reads it back and notes it with
// who got it. What is wrong with one is the house's fault.
func (h *inProcess) collect() {
	h.t.Helper()
	ctx := context.Background()
	for {
		due, _, err := h.db.Due(ctx, h.now.Add(24*time.Hour), 100)
		if err != nil {
			h.t.Fatal(err)
		}
		if len(due) == 0 {
			return
		}
		for _, d := range due {
			raw, err := h.render(ctx, d.Message)
			if err == nil {
				err = readBack(raw, d.To)
			}
			h.out++
			p := h.resident(d.To)
			switch {
			case err != nil:
				h.fault = fmt.Errorf("letter to %s: %w\n%.3000s", d.To, err, raw)
			case p != nil:
				if got := p.got[d.Game]; len(got) == 0 || got[len(got)-1].ID < d.ID { // not one repeated
					p.got[d.Game] = append(got, d.Message)
				}
			case !strings.HasSuffix(d.To, "@guests.example"):
				h.fault = fmt.Errorf("a letter to %s, who has nothing to do here:\n%.2000s", d.To, raw)
			}
			if err := h.db.Sent(ctx, d.ID); err != nil {
				h.t.Fatal(err)
			}
		}
	}
}

func (h *inProcess) resident(address string) *resident {
	for _, p := range h.people {
		if p.address == address {
			return p
		}
	}
	return nil
}

// latest is the youngest letter to a person about game i.
func (h *inProcess) latest(person, i int) notice.Message {
	got := h.people[person].got[h.games[i]]
	if len(got) == 0 {
		h.t.Fatalf("%s has no letter about game %d", h.people[person].name, i)
	}
	return got[len(got)-1]
}

// A turn is what a player may do now.
type turn struct {
	game           int
	who            *resident
	last           notice.Message // their latest letter
	legal, example []string
}

// turn tells whose turn it is in game i; a game that is over is begun anew.
func (h *inProcess) turn(i int) turn {
	h.t.Helper()
	for range 2 {
		var youngest turn // after an undo, not that of the player asked first
		for n, p := range h.people {
			if len(p.got[h.games[i]]) == 0 {
				continue
			}
			r := h.latest(n, i)
			sheet, err := h.desk.Host().Sheet(context.Background(), r)
			if err != nil {
				h.t.Fatal(err)
			}
			if len(sheet.Legal) > 0 && (youngest.who == nil || r.Step > youngest.last.Step) {
				youngest = turn{i, p, r, sheet.Legal, sheet.Example}
			}
		}
		if youngest.who != nil {
			return youngest
		}
		h.begin(i, [][]int{{0, 1, 2}, {3, 0}}[i]...)
	}
	h.t.Fatalf("game %d waits for nobody", i)
	return turn{}
}

// give hands letters in, in one batch, and reads what goes out.
func (h *inProcess) give(raws ...[]byte) {
	h.t.Helper()
	in := make([]arrival, len(raws))
	for i, raw := range raws {
		in[i] = arrival{raw: raw, received: h.now}
	}
	for i, d := range h.handle(context.Background(), in) {
		if d.err != nil || d.outcome == desk.SetAside {
			h.t.Fatalf("%s, %v:\n%.2000s", d.outcome, d.err, raws[i])
		}
	}
	h.collect()
}

// say is a plain letter of a person's own.
func (h *inProcess) say(p *resident, token string, lines ...string) {
	h.t.Helper()
	h.give(h.write([]string{"From: " + p.address, "To: " + tokenAddress(token)}, strings.Join(lines, "\n")))
}

func tokenAddress(token string) string { return "angelpost+" + token + "@" + houseDomain }

// state is all of the games that letters can change, and who may write for
// whom. Names are left out if named.
func (h *inProcess) state(named bool) string {
	h.t.Helper()
	var all []any
	err := h.db.View(context.Background(), func(tx store.Tx) error {
		for _, id := range h.games {
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
		for i := range h.people {
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
		h.t.Fatal(err, err2)
	}
	return string(b)
}

func (h *inProcess) one(of ...string) string { return of[h.rnd.IntN(len(of))] }

// write makes a letter of header lines and a text, as one client or another
// would: Message-ID, Date and Subject are added where they are missing; the
// case of field names, folding and encodings vary.
func (h *inProcess) write(fields []string, text string) []byte {
	h.n++
	has := func(name string) bool {
		return slices.ContainsFunc(fields, func(f string) bool { return strings.HasPrefix(strings.ToLower(f), strings.ToLower(name)+":") })
	}
	if !has("Message-ID") {
		fields = append(fields, fmt.Sprintf("Message-ID: <%d.%x@client.example>", h.n, h.rnd.Uint64()))
	}
	if !has("Date") { // each letter a second later, or equal ones would be one
		fields = append(fields, "Date: "+h.now.Add(time.Duration(h.n)*time.Second).Format(time.RFC1123Z))
	}
	if !has("Subject") {
		fields = append(fields, "Subject: "+h.one("Re: First flight", "", "AW: [x]", "Re: your turn"))
	}
	fields = append(fields, "MIME-Version: 1.0")
	text = strings.ReplaceAll(text, "\n", "\r\n") + "\r\n"
	kind, body := h.encode(text)
	if has("Content-Type") {
		kind, body = nil, text
	}
	if h.rnd.IntN(4) == 0 && kind != nil {
		b := fmt.Sprintf("b%x", h.rnd.Uint64())
		body = "--" + b + "\r\n" + strings.Join(kind, "\r\n") + "\r\n\r\n" + body + "\r\n--" + b +
			"\r\nContent-Type: image/png\r\nContent-Disposition: attachment; filename=x.png\r\n\r\nx\r\n--" + b + "--\r\n"
		kind = []string{"Content-Type: multipart/mixed; boundary=" + b}
	}
	var out strings.Builder
	for range h.rnd.IntN(3) {
		out.WriteString("Received: from a.example by b.example; Sat, 21 Nov 2026 09:00:00 +0000\r\n")
	}
	for _, f := range append(fields, kind...) {
		name, value, _ := strings.Cut(f, ":")
		switch h.rnd.IntN(6) {
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

func (h *inProcess) encode(text string) (kind []string, body string) {
	switch h.rnd.IntN(4) {
	case 0:
		b := base64.StdEncoding.EncodeToString([]byte(text))
		var folded strings.Builder
		for ; len(b) > 76; b = b[76:] {
			folded.WriteString(b[:76] + "\r\n")
		}
		return []string{"Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64"}, folded.String() + b + "\r\n"
	case 1:
		return []string{"Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable"}, encoded(text)
	case 2:
		return nil, text
	}
	return []string{"Content-Type: text/plain; charset=\"UTF-8\"; format=fixed", "Content-Transfer-Encoding: 8bit"}, text
}
