//go:build real

package killtest

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/oracle"
	"angelpost/mail/peers"
)

// drained reports whether nothing is under way any more.
func (k *killer) drained() bool {
	for _, l := range k.letters {
		if !l.answered && l.Fate != oracle.FateHeld && l.Fate != oracle.FateSilent {
			return false
		}
	}
	if k.log.read(k.t, len(k.deaths)); !k.log.idle() {
		return false
	}
	d := openTables(k.t, k.database)
	defer d.Close()
	in, queued := d.in(), slices.ContainsFunc(d.out(), func(o oracle.RowOut) bool { return o.State == "queued" })
	if queued || len(in) < len(k.letters) || slices.ContainsFunc(in, func(l oracle.RowIn) bool { return l.State == "new" }) {
		return false
	}
	box := k.open(mailclient.ServerUser)
	defer box.Close()
	data, err := box.Select("INBOX", nil).Wait()
	if err != nil {
		k.t.Fatal(err)
	}
	return data.NumMessages == 0
}

// ask reads from the pages for whom the games wait.
func (k *killer) ask(http string) {
	for game := range k.players {
		body, status := mailclient.Get(k.t, http+"/g/"+game+"/view.json")
		var v struct {
			ToAct    []int `json:"to_act"`
			Finished bool
		}
		if err := json.Unmarshal([]byte(body), &v); err != nil || status != 200 {
			k.t.Fatalf("view.json of %s: %d %v", game, status, err)
		}
		if !v.Finished {
			k.toAct[game] = v.ToAct
		}
	}
}

// open logs in at a mailbox, apart from the clients.
func (k *killer) open(user string) *imapclient.Client {
	k.t.Helper()
	return mailclient.Login(k.t, k.dovecot.IMAPAddr, user, peers.Password)
}

// read gathers what there is to be found.
func (k *killer) read() oracle.Readings {
	k.log.read(k.t, len(k.deaths))
	d := openTables(k.t, k.database)
	defer d.Close()
	r := oracle.Readings{
		Boxes: map[string][]oracle.Delivered{}, Filed: map[string]int{}, In: d.in(), Out: d.out(), Log: d.log(), Words: d.words(), Asked: d.asked(),
		Posted: k.log.posted, Handed: k.log.handed, Deaths: k.deaths, ToAct: k.toAct, Players: k.players,
	}
	if k.lmtp {
		r.Filed = nil
	}
	for address := range k.boxes {
		r.Boxes[address] = k.mailbox(address)
	}
	box := k.open(mailclient.ServerUser)
	defer box.Close()
	folders, err := box.List("", "*", nil).Collect()
	if err != nil {
		k.t.Fatal(err)
	}
	for _, f := range folders {
		if _, err := box.Select(f.Mailbox, nil).Wait(); err != nil {
			continue // a folder that only holds others
		}
		all := imap.UIDSet{imap.UIDRange{Start: 1}}
		msgs, err := box.Fetch(all, &imap.FetchOptions{UID: true, Envelope: true}).Collect()
		if err != nil {
			k.t.Fatal(err)
		}
		for _, m := range msgs {
			if f.Mailbox == "INBOX" {
				r.Unfiled = append(r.Unfiled, m.Envelope.MessageID)
			} else if !k.lmtp {
				r.Filed[m.Envelope.MessageID]++
			}
		}
	}
	return r
}

var oracleWords = regexp.MustCompile(`number \d+ of the oracle`)

// mailbox reads one player's letters, raw.
func (k *killer) mailbox(address string) (out []oracle.Delivered) {
	user, _, _ := strings.Cut(address, "@")
	box := k.open(user)
	defer box.Close()
	if _, err := box.Select("INBOX", nil).Wait(); err != nil {
		k.t.Fatal(err)
	}
	body := &imap.FetchItemBodySection{Peek: true}
	cmd := box.Fetch(imap.UIDSet{imap.UIDRange{Start: 1}}, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{body}})
	for m := cmd.Next(); m != nil; m = cmd.Next() {
		got, err := m.Collect()
		if err != nil {
			k.t.Fatal(err)
		}
		raw := got.FindBodySection(body)
		n := mailclient.ReadNotice(k.t, raw)
		d := oracle.Delivered{
			ID: strings.Trim(n.Header.Get("Message-Id"), "<>"), InReplyTo: strings.Trim(n.Header.Get("In-Reply-To"), "<>"),
			Kind: n.Kind, Result: n.Result, Game: n.Header.Get("X-Angelpost-Game"), Legal: len(n.Legal),
			Forced: strings.Count(mailclient.Flatten(mailclient.Understood(n)), "Only one legal option, so we played it for you."),
			Text:   strings.Join(oracleWords.FindAllString(mailclient.Flatten(n.Text), -1), "; "), Bytes: fmt.Sprintf("%x", sha256.Sum256(withoutTrace(raw))),
		}
		fmt.Sscan(n.Header.Get("X-Angelpost-Seat"), &d.Seat)
		fmt.Sscan(n.Header.Get("X-Angelpost-Step"), &d.Step)
		out = append(out, d)
	}
	if err := cmd.Close(); err != nil {
		k.t.Fatal(err)
	}
	return out
}

// withoutTrace takes off what the post puts before a letter.
func withoutTrace(raw []byte) []byte {
	for {
		name, _, _ := bytes.Cut(raw, []byte(":"))
		if !slices.Contains([]string{"return-path", "delivered-to", "received"}, strings.ToLower(string(name))) {
			return raw
		}
		for first := true; first || len(raw) > 0 && (raw[0] == ' ' || raw[0] == '\t'); first = false {
			_, raw, _ = bytes.Cut(raw, []byte("\n"))
		}
	}
}

// A postLog reads Postfix's log as it grows.
type postLog struct {
	path, smtp string
	offset     int64
	rest       string
	sessions   int
	letters    map[string]*posted // by queue id, which may come again once removed
	posted     map[string][]int   // Message-ID to the lives in which it was taken
	handed     map[string]int
}

type posted struct {
	id    string
	life  int
	taken bool
}

var logLine = regexp.MustCompile(`postfix/(\w+)\[\d+\]: (.*)$`)

// read takes in what is new; letters begun in it belong to a life.
func (p *postLog) read(t *testing.T, life int) {
	t.Helper()
	if p.letters == nil {
		p.letters, p.posted, p.handed = map[string]*posted{}, map[string][]int{}, map[string]int{}
	}
	f, err := os.Open(p.path)
	if errors.Is(err, fs.ErrNotExist) {
		return // nothing to log yet
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Seek(p.offset, 0); err != nil {
		t.Fatal(err)
	}
	for r := bufio.NewReader(f); ; {
		line, err := r.ReadString('\n')
		p.offset += int64(len(line))
		if p.rest += line; err != nil {
			return // the rest comes when it is written
		}
		m := logLine.FindStringSubmatch(strings.TrimSuffix(p.rest, "\n"))
		p.rest = ""
		if m == nil {
			continue
		}
		switch {
		case m[1] == "smtpd" && strings.HasPrefix(m[2], "connect from"):
			p.sessions++
			continue
		case m[1] == "smtpd" && strings.HasPrefix(m[2], "disconnect from"):
			p.sessions--
			continue
		}
		queue, what, _ := strings.Cut(m[2], ": ")
		l := p.letters[queue]
		switch {
		case m[1] == "cleanup" && strings.HasPrefix(what, "message-id=<"):
			p.letters[queue] = &posted{id: strings.TrimSuffix(strings.TrimPrefix(what, "message-id=<"), ">"), life: life}
		case l == nil:
		case m[1] == "qmgr" && strings.HasSuffix(what, "(queue active)"):
			if !l.taken {
				l.taken = true
				p.posted[l.id] = append(p.posted[l.id], l.life)
			}
		case m[1] == "lmtp" && strings.Contains(what, "status=sent"):
			p.handed[l.id]++
		case m[1] == "qmgr" && what == "removed":
			delete(p.letters, queue)
		}
	}
}

// idle reports whether Postfix has nothing to do.
func (p *postLog) idle() bool {
	for _, l := range p.letters {
		if l.taken {
			return false
		}
	}
	return true
}

// settle reads until the sessions of a dead server have ended.
func (p *postLog) settle(t *testing.T, life int) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		if p.read(t, life); p.sessions == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d SMTP sessions do not end", p.sessions)
		}
	}
}

// tables are the server's tables as the schema describes them.
type tables struct {
	*sql.DB
	t *testing.T
}

func openTables(t *testing.T, path string) *tables {
	t.Helper()
	d, err := sql.Open("sqlite3", "file:"+path+"?_busy_timeout=5000&_query_only=1")
	if err != nil {
		t.Fatal(err)
	}
	return &tables{d, t}
}

var packedText = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// id is a Message-ID as stored: before its host, in base32 as bytes.
func id(local any, host string) string {
	if b, ok := local.([]byte); ok {
		return packedText.EncodeToString(b) + host
	}
	return fmt.Sprint(local) + host
}

// word is one that is stored as its number.
func word(v any, words ...string) string {
	if n, ok := v.(int64); ok && int(n) < len(words) {
		return words[n]
	}
	return fmt.Sprint(v)
}

func (d *tables) each(query string, into []any, f func()) {
	d.t.Helper()
	rows, err := d.Query(query)
	if err != nil {
		d.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			d.t.Fatal(err)
		}
		f()
	}
	if err := rows.Err(); err != nil {
		d.t.Fatal(err)
	}
}

func (d *tables) in() (out []oracle.RowIn) {
	var local, state any
	var host string
	var l oracle.RowIn
	d.each("SELECT message_id, text, state, why, repeats FROM letters JOIN texts ON texts.id = host", []any{&local, &host, &state, &l.Why, &l.Repeats}, func() {
		l.ID, l.State = id(local, host), word(state, "done", "new", "held", "aside", "mute")
		out = append(out, l)
	})
	return out
}

func (d *tables) out() (out []oracle.RowOut) {
	var local, state any
	var host string
	var o oracle.RowOut
	d.each("SELECT message_id, h.text, a.text, state FROM out JOIN texts AS h ON h.id = host JOIN texts AS a ON a.id = address", []any{&local, &host, &o.To, &state}, func() {
		o.ID, o.State = id(local, host), word(state, "sent", "queued", "failed", "collected", "merged")
		out = append(out, o)
	})
	return out
}

func (d *tables) log() map[string][]oracle.RowLog {
	out := map[string][]oracle.RowLog{}
	var game string
	var by any
	var l oracle.RowLog
	d.each("SELECT games.id, n, seat, by, line FROM log JOIN games ON number = game ORDER BY game, n", []any{&game, &l.N, &l.Seat, &by, &l.Order}, func() {
		l.By = word(by, "player", "bot", "organiser", "director", "clock")
		out[game] = append(out[game], l)
	})
	return out
}

func (d *tables) words() map[string]int {
	out := map[string]int{}
	var text string
	d.each("SELECT text FROM press UNION ALL SELECT name FROM games", []any{&text}, func() { out[text]++ })
	return out
}

func (d *tables) asked() map[string]int {
	out := map[string]int{}
	var local any
	var host string
	// A question has gone out: a letter bears it, as do answers to what is said to it instead of yes or no.
	d.each(`SELECT letters.message_id, text FROM confirms JOIN letters ON letters.id = letter JOIN texts ON texts.id = letters.host
		JOIN out ON out.confirm = confirms.id AND out.reply = 0 WHERE open <> 0`, []any{&local, &host}, func() { out[id(local, host)]++ })
	return out
}
