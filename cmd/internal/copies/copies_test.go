package copies

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/quotedprintable"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/inprocess"
	"angelpost/cmd/internal/program"
	"angelpost/cmd/internal/server"
	"angelpost/engine/match/desk"
	"angelpost/engine/match/seating"
	"angelpost/engine/notice"
)

var (
	copiesSequences = flag.Int("copies.sequences", 30, "sequences of letters TestCopies plays")
	copiesSeed      = flag.Uint64("copies.seed", 0, "seed of the first of them; 0: a new one each time")
)

// TestCopies plays sequences of letters on two servers. One gets each letter
// once. The other gets it one to five times: shuffled, some after the turn or
// the game has gone on, through other relays (Received lines, another transfer
// encoding), under another Message-ID, and beside letters with another body
// under a Message-ID that was used before. Both must write the same letters to
// the players and end with the same logs; what is more on the second server is
// one repeat of an answer at most, and one report for each letter that is held.
func TestCopies(t *testing.T) {
	seed := *copiesSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	once, often := newMailroom(t), newMailroom(t)
	var total copyCounts
	for i := range *copiesSequences {
		s := &copySequence{t: t, r: rand.New(rand.NewPCG(seed, uint64(i))), n: i, once: once, often: often, index: map[string]tokenPlace{}}
		s.play()
		if t.Failed() {
			t.Fatalf("sequence %d of -copies.seed %d", i, seed)
		}
		total.add(s.copyCounts)
	}
	t.Logf("seed %d, %d sequences: %+v", seed, *copiesSequences, total)
	if total.Repeats == 0 || total.Held == 0 || total.Late == 0 || total.Moved == 0 {
		t.Errorf("some kind of copy never happened: %+v", total)
	}
}

// copyCounts say what happened, so that the test cannot pass by doing nothing.
type copyCounts struct{ Letters, Copies, Moved, Held, Repeats, Late, Lines int }

func (c *copyCounts) add(o copyCounts) {
	c.Letters += o.Letters
	c.Copies += o.Copies
	c.Moved += o.Moved
	c.Held += o.Held
	c.Repeats += o.Repeats
	c.Late += o.Late
	c.Lines += o.Lines
}

// mailroom is a server without network: letters are handed in, and those it
// writes are kept by address.
type mailroom struct {
	*server.Server
	box  map[string][]notice.Message
	sent map[int64]notice.Message
}

func newMailroom(t *testing.T) *mailroom {
	t.Helper()
	s := inprocess.Open(t, func(c *server.Config) { c.Address, c.AuthservID = program.Account+"+{token}@"+program.Domain, "" })
	return &mailroom{Server: s, box: map[string][]notice.Message{}, sent: map[int64]notice.Message{}}
}

// collect marks what is due as sent and returns it; again are the letters that
// went out before.
func (m *mailroom) collect(t *testing.T) (fresh, again []notice.Message) {
	t.Helper()
	due, _, err := m.DB.Due(t.Context(), time.Now().Add(time.Hour), 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range due {
		if err := m.DB.Sent(t.Context(), o.ID); err != nil {
			t.Fatal(err)
		}
		if old, ok := m.sent[o.ID]; ok {
			again = append(again, o.Message)
			if a, b := asJSON(t, old), asJSON(t, o.Message); a != b {
				t.Errorf("an answer sent again is another letter:\n%s\n%s", a, b)
			}
			continue
		}
		m.sent[o.ID] = o.Message
		fresh = append(fresh, o.Message)
	}
	return fresh, again
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// copySequence is one game on both servers.
type copySequence struct {
	t           *testing.T
	r           *rand.Rand
	n           int
	once, often *mailroom
	players     []string
	games       [2]string
	index       map[string]tokenPlace // token on often -> the same letter's on once
	wire        []copyOf
	known       []identity // letters often has had
	held        []identity
	wrote       int
	copyCounts
}

type tokenPlace struct {
	address string
	n       int
}

// identity is what makes a letter that letter (mail/MAIL.md, Once).
type identity struct {
	messageID, from, date, token, body string
	repeated                           bool
}

func (a identity) is(b identity) bool {
	return a.from == b.from && a.body == b.body && (a.messageID == b.messageID || a.date == b.date && a.token == b.token)
}

// copyOf is one delivery to come.
type copyOf struct {
	identity
	raw        []byte
	headerOnly bool
}

func (s *copySequence) play() {
	s.begin()
	for range 14 {
		s.write()
		for len(s.wire) > 0 && s.r.IntN(3) > 0 {
			s.deliver()
		}
	}
	// What is left has been on its way for the whole sequence.
	s.Late += len(s.wire)
	for len(s.wire) > 0 {
		s.deliver()
	}
	logs := [2]string{}
	for i, m := range []*mailroom{s.once, s.often} {
		rec, err := m.Desk.Host().Export(s.t.Context(), s.games[i], 0)
		if err != nil {
			s.t.Fatal(err)
		}
		logs[i] = asJSON(s.t, rec.Log)
		s.Lines += len(rec.Log)
	}
	if logs[0] != logs[1] {
		s.t.Errorf("the logs differ:\n%s\n%s", logs[0], logs[1])
	}
	s.Lines /= 2
}

func (s *copySequence) begin() {
	seed := [32]byte{byte(s.n), byte(s.n >> 8), 1}
	order := seating.NewGameOrder{Name: "Copies", Started: true, Seed: &seed}
	for i := range 2 + s.r.IntN(2) {
		a := fmt.Sprintf("p%d.g%d@home.test", i+1, s.n)
		s.players = append(s.players, a)
		order.Players = append(order.Players, seating.NewPlayer{Address: a, Name: []string{"Ann", "Bob", "Cy", "Dot"}[i]})
	}
	order.Organiser = s.players[0]
	for i, m := range []*mailroom{s.once, s.often} {
		var err error
		if s.games[i], err = m.Desk.NewGame(s.t.Context(), order); err != nil {
			s.t.Fatal(err)
		}
	}
	s.compare(0)
}

// write has a player answer one of their letters and puts the copies on the wire.
func (s *copySequence) write() {
	from := s.players[s.r.IntN(len(s.players))]
	box := s.often.box[from]
	notice := box[len(box)-1]
	for _, a := range s.players { // mostly the player to move
		b := s.often.box[a]
		if sheet := s.sheet(b[len(b)-1]); len(sheet.Legal) > 0 && s.r.IntN(4) > 0 {
			from, notice = a, b[len(b)-1]
		}
	}
	if s.r.IntN(6) == 0 { // an old notice
		notice = s.often.box[from][s.r.IntN(len(s.often.box[from]))]
	}
	sheet := s.sheet(notice)
	lines := []string{[]string{"status", "help", "say all: hello\n\nstatus", "", "nonsense", "undo"}[s.r.IntN(6)]}
	if len(sheet.Legal) > 0 && s.r.IntN(5) > 0 {
		lines = []string{sheet.Legal[s.r.IntN(len(sheet.Legal))]}
		if len(sheet.Example) > 0 && s.r.IntN(2) == 0 {
			lines = sheet.Example
		}
	}
	s.wrote++
	id := identity{
		messageID: fmt.Sprintf("l%d.g%d@home.test", s.wrote, s.n), from: from, token: notice.Token,
		date: time.Unix(1_800_000_000+int64(s.wrote), 0).UTC().Format(time.RFC1123Z), body: strings.Join(lines, "\r\n") + "\r\n",
	}
	large := s.r.IntN(10) == 0 // of such a letter only the header is fetched
	if large {
		id.body = "too large"
	}
	moves := s.r.IntN(2) == 0
	for i := range 1 + s.r.IntN(5) {
		c := id
		if i > 0 && moves && s.r.IntN(2) == 0 { // a relay gave it a new one
			c.messageID = fmt.Sprintf("moved%d.%d.g%d@relay.test", s.wrote, i, s.n)
		}
		s.wire = append(s.wire, copyOf{c, s.raw(c), large})
	}
	// A broken client uses the Message-ID once more. Not if a relay changes it as
	// well: then it depends on who comes first whether there is a conflict at all.
	if !moves && s.r.IntN(2) == 0 {
		c := id
		c.body, c.date = "status\r\nhelp\r\n", time.Unix(1_900_000_000+int64(s.wrote), 0).UTC().Format(time.RFC1123Z)
		for range 1 + s.r.IntN(2) {
			s.wire = append(s.wire, copyOf{c, s.raw(c), false})
		}
	}
}

func (s *copySequence) sheet(r notice.Message) *notice.Input {
	sheet, err := s.often.Desk.Host().Input(s.t.Context(), r)
	if err != nil {
		s.t.Fatal(err)
	}
	return sheet
}

// raw is a letter as it arrives: each time another way.
func (s *copySequence) raw(c identity) []byte {
	var b bytes.Buffer
	for range s.r.IntN(4) {
		fmt.Fprintf(&b, "Received: from relay%d.test by mx.test with ESMTP id %x;\r\n\tSat, 21 Nov 2026 %02d:00:00 +0000\r\n", s.r.IntN(9), s.r.Uint64(), s.r.IntN(24))
	}
	if s.r.IntN(2) == 0 {
		b.WriteString("Delivered-To: " + program.Account + "@" + program.Domain + "\r\nX-Spam-Score: 0.1\r\n")
	}
	fmt.Fprintf(&b, "From: %s\r\nTo: %s+%s@%s\r\nMessage-ID: <%s>\r\nDate: %s\r\nSubject: Re: game\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n",
		c.from, program.Account, c.token, program.Domain, c.messageID, c.date)
	switch s.r.IntN(3) {
	case 0:
		b.WriteString("Content-Transfer-Encoding: quoted-printable\r\n\r\n")
		w := quotedprintable.NewWriter(&b)
		io.WriteString(w, c.body)
		w.Close()
	case 1:
		b.WriteString("Content-Transfer-Encoding: base64\r\n\r\n" + base64.StdEncoding.EncodeToString([]byte(c.body)) + "\r\n")
	default:
		b.WriteString("\r\n" + c.body)
	}
	return b.Bytes()
}

// deliver hands some copies to often, as one fetch finds them, and those that
// are the first of their letter to once.
func (s *copySequence) deliver() {
	var batch []copyOf
	var in []server.Arrival
	for n := 1 + s.r.IntN(4); n > 0 && len(s.wire) > 0; n-- {
		i := s.r.IntN(len(s.wire))
		c := s.wire[i]
		s.wire = slices.Delete(s.wire, i, i+1)
		batch, in = append(batch, c), append(in, server.Arrival{Raw: c.raw, HeaderOnly: c.headerOnly, Received: time.Now()})
	}
	repeats := s.Repeats
	for i, h := range s.often.Handle(s.t.Context(), in) {
		if h.Err != nil {
			s.t.Fatal(h.Err)
		}
		s.delivered(batch[i], h.Outcome)
	}
	s.compare(s.Repeats - repeats)
}

// delivered judges what the server made of one copy.
func (s *copySequence) delivered(c copyOf, outcome string) {
	s.Copies++
	same := slices.IndexFunc(s.known, c.is)
	conflict := slices.ContainsFunc(s.known, func(k identity) bool { return k.messageID == c.messageID })
	if slices.ContainsFunc(s.held, c.is) {
		if outcome != desk.Silent {
			s.t.Errorf("a copy of a held letter: %s", outcome)
		}
		return
	}
	switch {
	case same >= 0:
		if outcome != desk.Repeated && outcome != desk.Silent {
			s.t.Errorf("a copy of a letter known: %s", outcome)
		}
		if s.known[same].messageID != c.messageID {
			s.Moved++ // and forgotten: the letter keeps the one it came with first
		}
		if outcome == desk.Repeated {
			if s.known[same].repeated {
				s.t.Errorf("a letter's answer was repeated twice")
			}
			s.known[same].repeated = true
			s.Repeats++
		}
	case conflict:
		s.held = append(s.held, c.identity)
		s.Held++
		if outcome != desk.Held {
			s.t.Errorf("another body under a known Message-ID: %s", outcome)
		}
	default:
		s.known = append(s.known, c.identity)
		s.Letters++
		twin := bytes.ReplaceAll(c.raw, []byte(c.token), []byte(s.twin(c.token)))
		h := s.once.Handle(s.t.Context(), []server.Arrival{{Raw: twin, HeaderOnly: c.headerOnly, Received: time.Now()}})[0]
		if h.Err != nil || outcome != h.Outcome {
			s.t.Errorf("a new letter: %s, on the server without copies %s, %v", outcome, h.Outcome, h.Err)
		}
	}
}

// twin is the token of the same letter on the server without copies.
func (s *copySequence) twin(token string) string {
	p, ok := s.index[token]
	if !ok {
		s.t.Fatalf("a letter bears a token that was never sent")
	}
	return s.once.box[p.address][p.n].Token
}

// compare collects what both wrote and checks that it is the same.
func (s *copySequence) compare(repeats int) {
	s.t.Helper()
	want, twice := s.once.collect(s.t)
	got, again := s.often.collect(s.t)
	if len(twice) > 0 || len(again) > repeats { // less if the answer itself was still to be sent
		s.t.Errorf("%d letters were sent again, %d answers repeated", len(again), repeats)
	}
	for _, r := range want {
		s.once.box[r.To] = append(s.once.box[r.To], r)
	}
	for _, r := range got {
		if len(r.Answer.Remarks) > 0 && r.Answer.Remarks[0].Code == notice.SayConflict {
			continue
		}
		n := len(s.often.box[r.To])
		s.often.box[r.To] = append(s.often.box[r.To], r)
		s.index[r.Token] = tokenPlace{r.To, n}
		if n >= len(s.once.box[r.To]) {
			s.t.Fatalf("%s got a letter that he gets only with copies: %s", r.To, asJSON(s.t, r))
		}
		a, b := s.plain(s.once.box[r.To][n]), s.plain(r)
		if a != b {
			s.t.Errorf("%s got another letter:\n%s\nwithout copies:\n%s", r.To, b, a)
		}
	}
	for _, a := range s.players {
		if len(s.once.box[a]) != len(s.often.box[a]) {
			s.t.Errorf("%s got %d letters, without copies %d", a, len(s.often.box[a]), len(s.once.box[a]))
		}
	}
}

// plain is a letter without what differs between two servers.
func (s *copySequence) plain(r notice.Message) string {
	r.ID, r.Player, r.Token, r.PageKey, r.MuteKey, r.Date, r.MessageID, r.Thread, r.References = 0, 0, "", "", "", time.Time{}, "", "", nil
	if r.Answer.Home != "" {
		r.Answer.Home = "a key"
	}
	return strings.ReplaceAll(strings.ReplaceAll(asJSON(s.t, r), s.games[0], "GAME"), s.games[1], "GAME")
}
