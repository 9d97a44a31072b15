package damage

import (
	"bytes"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/commands"
	"angelpost/cmd/internal/inprocess"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

var (
	damages    = flag.Int("damages", 12, "how often TestDamagedPages damages a database")
	damageSeed = flag.Uint64("damages.seed", 0, "seed of that; 0: a new one each time")
)

// pageSize is that of a new database.
const pageSize = 4096

// playedFile is a database of several games that were played, as its server leaves
// it.
func playedFile(t *testing.T) []byte {
	t.Helper()
	h := inprocess.NewHouse(t, 13, nil)
	for n := range 40 {
		x := h.Turn(n % 2)
		h.Give(h.Write([]string{"From: " + x.Who.Address, "To: " + inprocess.TokenAddress(x.Last.Token)}, x.Legal[h.Rand.IntN(len(x.Legal))]))
	}
	path := h.Conf.Path(h.Conf.Database)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil || len(file) < 50*pageSize {
		t.Fatalf("%d bytes, %v", len(file), err)
	}
	return file
}

// quickCheck asks SQLite about a file, with nothing of ours between.
func quickCheck(path string) string {
	c, err := sql.Open("sqlite3", "file:"+path+"?mode=ro&immutable=1")
	if err != nil {
		return err.Error()
	}
	defer c.Close()
	var said string
	if err := c.QueryRow("PRAGMA quick_check(1)").Scan(&said); err != nil {
		return err.Error()
	}
	return said
}

func ran(t *testing.T, f func() int) (code int) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("panic: %v", p)
		}
	}()
	return f()
}

// TestDamagedPages damages two pages of a database, again and again. Whenever
// SQLite or a replay of the games finds that, doctor says so; and backup never says
// that it has made a copy that SQLite finds damaged, nor leaves one.
func TestDamagedPages(t *testing.T) {
	seed := *damageSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	whole := playedFile(t)
	dir := t.TempDir()
	config, path := filepath.Join(dir, "angelpost.toml"), filepath.Join(dir, "games.db")
	text := `address = "angelpost+{token}@example.org"
database = "games.db"
[imap]
addr = "127.0.0.1:1"
user = "angelpost"
password_file = "password"
tls = "none"
[smtp]
addr = "127.0.0.1:1"
tls = "none"
[http]
addr = "127.0.0.1:0"
base_url = "http://127.0.0.1:1"
`
	for name, s := range map[string]string{config: text, filepath.Join(dir, "password"): "x\n"} {
		if err := os.WriteFile(name, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lay := func(file []byte) {
		t.Helper()
		for _, end := range []string{"-wal", "-shm"} {
			os.Remove(path + end)
		}
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	good := regexp.MustCompile(`(?m)^(?:database|file|games)=ok `)
	bad := regexp.MustCompile(`(?m)^(?:database|file|games)=fail .*$`)
	doctor := func() string {
		var out, log bytes.Buffer
		ran(t, func() int { return commands.Run([]string{"doctor", "-config", config, "-wait", "1s"}, &out, &log) })
		return out.String()
	}
	backup := func(to string) (code int, said string) {
		var out, log bytes.Buffer
		code = ran(t, func() int { return commands.Run([]string{"backup", "-config", config, to}, &out, &log) })
		return code, log.String()
	}
	lay(whole)
	if out := doctor(); len(good.FindAllString(out, -1)) != 3 {
		t.Fatalf("doctor of a file that is whole:\n%s", out)
	}
	if code, said := backup(filepath.Join(dir, "whole.db")); code != program.ExitYes || quickCheck(filepath.Join(dir, "whole.db")) != "ok" {
		t.Fatalf("backup of a file that is whole: exit %d, %s", code, said)
	}
	found, refused := 0, 0
	for trial := range *damages {
		r := rand.New(rand.NewPCG(seed, uint64(trial)))
		file := bytes.Clone(whole)
		for range 2 {
			page := file[pageSize*r.IntN(len(file)/pageSize):][:pageSize]
			switch r.IntN(3) {
			case 0: // all of it is noise
				for i := range page {
					page[i] = byte(r.Uint32())
				}
			case 1: // a sector was never written
				clear(page[512*r.IntN(8):][:512])
			case 2: // a few bytes
				for range 8 {
					page[r.IntN(pageSize)] ^= byte(1 + r.IntN(255))
				}
			}
		}
		lay(file)
		check := quickCheck(path)
		var out, log bytes.Buffer
		verified := ran(t, func() int { return commands.Run([]string{"verify", "-all", "-config", config}, &out, &log) })
		lay(file) // migrations and the like may have written
		said := doctor()
		mended := bad.FindString(said)
		if (check != "ok" || verified != program.ExitYes) && mended == "" {
			t.Errorf("-damages.seed %d, trial %d: SQLite says %q, verify -all says %d, and doctor:\n%s", seed, trial, check, verified, said)
		}
		if mended != "" {
			found++
			if !strings.Contains(mended, path) || !strings.Contains(mended, "backup") || len(mended) > 1500 {
				t.Errorf("trial %d: doctor says no better what to do than %s", trial, mended)
			}
		}
		to := filepath.Join(dir, fmt.Sprintf("copy%d.db", trial))
		lay(file)
		code, why := backup(to)
		_, err := os.Stat(to)
		switch {
		case code == program.ExitYes:
			if check := quickCheck(to); check != "ok" {
				t.Errorf("-damages.seed %d, trial %d: backup has made a copy of which SQLite says %s", seed, trial, check)
			}
		case err == nil:
			t.Errorf("trial %d: backup failed and left a copy", trial)
		default:
			refused++
		}
		if code == program.ExitYes && check != "ok" {
			t.Errorf("-damages.seed %d, trial %d: backup passes over %s", seed, trial, check)
		}
		if code != program.ExitYes && code != program.ExitEnvironment {
			t.Errorf("trial %d: backup: exit %d, %s", trial, code, why)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*.part*"))
	if err != nil || len(left) > 0 {
		t.Errorf("backup left %v, %v", left, err)
	}
	t.Logf("seed %d: of %d files doctor found %d damaged, backup refused %d", seed, *damages, found, refused)
	if found == 0 || refused == 0 {
		t.Error("nothing was damaged")
	}
}

// TestServeDamagedGame spoils the log of one of two games, and a page of the
// database that no game needs, under a server that is down. It starts again, tells
// the host of both, answers letters to the spoilt game and shows an error for its
// pages, and the other game is played on. Once the log is right again, the server
// does what it was written.
func TestServeDamagedGame(t *testing.T) {
	var config, spoilt, other string
	p := program.ServeOn(t, "answers_per_day = 1000", func(c string) {
		config = c
		begin := func(players ...string) string {
			args := []string{"new", "-config", config, "-started", "-visibility", "listed", "-clock", "3 days", "-organiser", players[0] + "@" + program.Domain, "-seed", strings.Repeat("5a", 32)}
			for _, x := range players {
				args = append(args, "-player", x+"@"+program.Domain)
			}
			out, code := program.Output(t, args...)
			if code != program.ExitYes {
				t.Fatalf("new: %d %s", code, out)
			}
			return strings.TrimSpace(strings.TrimPrefix(out, "game="))
		}
		spoilt, other = begin("alpha", "beta"), begin("gamma", "alpha")
	})
	alpha, beta, gamma := mailclient.Stranger(t, p, "alpha"), mailclient.Stranger(t, p, "beta"), mailclient.Stranger(t, p, "gamma")
	// asked is who must decide in a game, and the letter that says so, which may still be
	// on its way.
	asked := func(game string, people ...*mailclient.Person) (who *mailclient.Person, n mailclient.Received) {
		t.Helper()
		for end := time.Now().Add(time.Minute); who == nil; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("game %s asks nobody", game)
			}
			for _, x := range people {
				x.Read()
				for _, l := range slices.Backward(x.Box) {
					if l.Header.Get("X-Angelpost-Game") == game {
						if len(l.Legal) > 0 && (who == nil || step(l) > step(n)) {
							who, n = x, l
						}
						break
					}
				}
			}
		}
		return who, n
	}
	plays := func(game string, people ...*mailclient.Person) {
		t.Helper()
		who, n := asked(game, people...)
		if a := who.AnswerTo(who.Write(mailclient.Post{To: mailclient.AddressIn(t, n), Body: n.Legal[0] + "\r\n"})); a.Result != "applied" {
			t.Errorf("game %s does not go on: %s\n%s", game, a.Result, mailclient.Head(a.Text, 20))
		}
	}
	for _, x := range []*mailclient.Person{alpha, beta, gamma} {
		x.Until("the start", func(mailclient.Received) bool { return true })
	}
	alpha.Until("both games", func(mailclient.Received) bool { return len(alpha.Box) >= 2 })
	plays(spoilt, alpha, beta)
	plays(other, alpha, gamma)
	who, last := asked(spoilt, alpha, beta)
	p.Stop()

	path := filepath.Join(filepath.Dir(config), "games.db")
	in := func(query string, into ...any) {
		t.Helper()
		c, err := sql.Open("sqlite3", path+"?_busy_timeout=5000")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if len(into) > 0 {
			err = c.QueryRow(query).Scan(into...)
		} else {
			_, err = c.Exec(query)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	line := "WHERE n = 1 AND game = (SELECT number FROM games WHERE id = '" + spoilt + "')"
	in("UPDATE log SET line = 'B ' || line " + line)
	var page int64
	in("SELECT rootpage FROM sqlite_schema WHERE name = 'statistics'", &page)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		_, err = file.WriteAt(bytes.Repeat([]byte{0x55}, pageSize), (page-1)*pageSize)
		file.Close()
	}
	if err != nil {
		t.Fatal(err)
	}

	p = program.Start(t, "serve", "-config", config)
	p.Says(regexp.MustCompile(`level=ERROR msg="the database is damaged[^\n]*games\.db`))
	id := who.Write(mailclient.Post{To: mailclient.AddressIn(t, last), Body: last.Legal[0] + "\r\n"})
	answer := who.AnswerTo(id)
	mailclient.Says(t, answer, "can't read game "+spoilt, "keeps your letter", "We have told the host")
	p.Says(regexp.MustCompile(`level=ERROR msg="a stored game cannot be read[^\n]*game=` + spoilt))
	for _, page := range []string{"", "/view.json", "/history.json", "/feed.atom"} {
		if text, status := mailclient.Get(t, p.Values["http"]+"/g/"+spoilt+page); status != 503 {
			t.Errorf("/g/%s%s: %d\n%.300s", spoilt, page, status, text)
		}
		if _, status := mailclient.Get(t, p.Values["http"]+"/g/"+other+page); status != 200 {
			t.Errorf("/g/%s%s: %d", other, page, status)
		}
	}
	for _, page := range []string{"/", "/home.json", "/games", "/games.json", "/feed.atom", "/leagues", "/ratings", "/sitemap.xml"} {
		if _, status := mailclient.Get(t, p.Values["http"]+page); status != 200 {
			t.Errorf("%s: %d", page, status)
		}
	}
	for range 3 {
		plays(other, alpha, gamma)
	}
	if out, code := program.Output(t, "verify", "-all", "-config", config); code == program.ExitYes || !strings.Contains(out, "unreadable game="+spoilt) && !strings.Contains(out, "line=1") || !strings.Contains(out, "ok game="+other) {
		t.Errorf("verify -all: exit %d\n%s", code, out)
	}
	if _, code := program.Output(t, "export", "-config", config, spoilt); code != program.ExitEnvironment {
		t.Errorf("export of the spoilt game: exit %d", code)
	}
	if _, code := program.Output(t, "export", "-config", config, other); code != program.ExitYes {
		t.Errorf("export of the other game: exit %d", code)
	}
	p.Stop()

	in("UPDATE log SET line = substr(line, 3) " + line)
	before := who.N
	p = program.Start(t, "serve", "-config", config)
	if n := who.Until("the answer to what was kept", func(n mailclient.Received) bool {
		return n.Header.Get("In-Reply-To") == "<"+id+">" && n.Header.Get("Message-Id") != answer.Header.Get("Message-Id")
	}); n.Result != "applied" || who.N != before {
		t.Errorf("what was kept: %s\n%s", n.Result, mailclient.Head(n.Text, 20))
	}
	plays(spoilt, alpha, beta)
	if _, status := mailclient.Get(t, p.Values["http"]+"/g/"+spoilt); status != 200 {
		t.Errorf("the page of the game that was mended: %d", status)
	}
	p.Stop()
}

// step is the line of its game's log at which a letter was written.
func step(n mailclient.Received) (step int) {
	fmt.Sscan(n.Header.Get("X-Angelpost-Step"), &step)
	return step
}
