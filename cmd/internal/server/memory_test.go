//go:build real

package server

import (
	"database/sql"
	"encoding/base32"
	"encoding/hex"
	"flag"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/engine/match/desk"
)

var storedGames = flag.Int("games", 300, "games in TestMemory's database; a tenth of them are running")

// TestMemory lets the server work between Dovecot and smtp-sink on a database
// of many games, answer a letter in each of those that are running and show a
// page of each, and looks how much memory it took.
func TestMemory(t *testing.T) {
	p := startPipe(t, false)
	p.config = p.configure(t, "games")
	games, running := *storedGames, max(*storedGames/10, 10)
	s := p.open(t, p.config)
	last := startFour(t, s, 1)
	const played = 40
	for i := range played {
		r, order := decider(t, s, last)
		if h := s.Handle(t.Context(), []Arrival{{Raw: reply(r.To, s.ReplyTo(r.Token), fmt.Sprint("played", i), order)}}); h[0].Outcome != desk.Answered {
			t.Fatalf("%+v", h)
		}
		queued(t, s, last)
	}
	asked, order := decider(t, s, last)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	store, err := sql.Open("sqlite3", "file:"+strings.TrimSuffix(p.config, ".toml")+".db?_synchronous=OFF")
	if err != nil {
		t.Fatal(err)
	}
	copyGame(t, store, games, running)
	// A letter in every running game, from whom it waits for.
	var letters []inLetter
	var pages []string
	rows, err := store.Query(`SELECT out.game, hex(token), games.id, keys.key FROM out JOIN games ON number = out.game JOIN keys ON keys.id = out.key
		WHERE (out.id - ?) % (SELECT max(id) FROM out WHERE game = 1) = 0 AND out.game > 1 AND out.state = 0 AND games.state = 'running' ORDER BY out.game`, asked.ID)
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var game int
		var token, id, key string
		if err := rows.Scan(&game, &token, &id, &key); err != nil {
			t.Fatal(err)
		}
		raw, err := hex.DecodeString(token)
		if err != nil {
			t.Fatal(err)
		}
		to := s.ReplyTo(strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(raw)))
		letters = append(letters, inLetter{raw: reply(asked.To, to, fmt.Sprint("game", game), order)})
		pages = append(pages, "/g/"+id+"/"+key)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if len(letters) < running-1 {
		t.Fatalf("%d letters for %d running games", len(letters), running)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	p.fill(t, mailclient.ServerUser, letters)

	daemon := program.Start(t, "serve", "-config", p.config)
	atStart := memory(t, daemon)
	drain(t, p.config, played*games+len(letters))
	for _, page := range pages {
		res, err := http.Get(daemon.Values["http"] + page)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", page, res.Status)
		}
	}
	after := memory(t, daemon)
	daemon.Stop()
	store = program.Ledger(t, p.config)
	defer store.Close()
	if n := program.Column(t, store, fmt.Sprintf("SELECT count(DISTINCT game) FROM out WHERE result = 0 AND id > (SELECT %d * max(id) FROM out WHERE game = 1)", games+1)); n[0] != fmt.Sprint(len(letters)) {
		t.Errorf("orders were applied in %s games, want %d", n[0], len(letters))
	}
	t.Logf("%d games, %d running, %d letters and pages: %d MB resident at the start, %d MB after, %d MB at most",
		games, running, len(letters), atStart["VmRSS"]>>10, after["VmRSS"]>>10, after["VmHWM"]>>10)
	limit := 256
	if *soaking {
		limit = 100
	}
	if after["VmHWM"]>>10 > limit {
		t.Errorf("more than %d MB", limit)
	}
}

var memoryLine = regexp.MustCompile(`(?m)^(VmRSS|VmHWM):\s+(\d+) kB$`)

// memory is what a process has in memory now and had at most, in KiB.
func memory(t *testing.T, p *program.Process) map[string]int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for _, m := range memoryLine.FindAllStringSubmatch(string(b), -1) {
		out[m[1]], _ = strconv.Atoi(m[2])
	}
	if len(out) != 2 {
		t.Fatalf("no figures in\n%s", b)
	}
	return out
}

// copyGame makes the only game of a database n games of the same log, each with
// letters, tokens and keys of its own; all but the first running ones are over.
func copyGame(t *testing.T, store *sql.DB, n, running int) {
	t.Helper()
	number := func(query string) (n int) {
		if err := store.QueryRow(query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	outs, letters, keys := number("SELECT max(id) FROM out"), number("SELECT max(id) FROM letters"), number("SELECT max(id) FROM keys")
	shift := func(column string, by int) string {
		return fmt.Sprintf("CASE %[1]s WHEN 0 THEN 0 ELSE %[1]s + i * %[2]d END", column, by)
	}
	for _, c := range []struct {
		table, where string
		change       map[string]string
	}{
		{"games", "number = 1", map[string]string{"number": "i", "id": "lower(hex(randomblob(10)))",
			"state": fmt.Sprintf("CASE WHEN i <= %d THEN state ELSE 'finished' END", running), "ended": fmt.Sprintf("CASE WHEN i <= %d THEN 0 ELSE changed END", running)}},
		{"seats", "game = 1", map[string]string{"game": "i"}},
		{"log", "game = 1", map[string]string{"game": "i"}},
		{"keys", "game = 1", map[string]string{"id": shift("id", keys), "game": "i", "key": "lower(hex(randomblob(10)))"}},
		{"out", "game = 1", map[string]string{"id": shift("id", outs), "game": "i", "token": "randomblob(16)", "message_id": "randomblob(10)",
			"key": shift("key", keys), "thread": shift("thread", outs), "reply": shift("reply", letters)}},
		{"letters", "true", map[string]string{"id": shift("id", letters), "message_id": "randomblob(20)", "token": shift("token", outs), "answer": shift("answer", outs)}},
		{"raw", "true", map[string]string{"letter": shift("letter", letters)}},
	} {
		columns := program.Column(t, store, "SELECT name FROM pragma_table_info('"+c.table+"')")
		values := slices.Clone(columns)
		for i, name := range columns {
			if v := c.change[name]; v != "" {
				values[i] = v
			}
		}
		if _, err := store.Exec(fmt.Sprintf("WITH n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO %s (%s) SELECT %s FROM %s, n WHERE %s",
			n, c.table, strings.Join(columns, ", "), strings.Join(values, ", "), c.table, c.where)); err != nil {
			t.Fatalf("%s: %v", c.table, err)
		}
	}
}
