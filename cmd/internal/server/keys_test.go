package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/db"
	"angelpost/engine/store"
)

// TestLink revokes the address of a page: the old one opens nothing from then
// on, letters written later bear the new one, and the old letters are as good
// for playing as they were.
func TestLink(t *testing.T) {
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := mailclient.SitDown(t, p)
	begun, old := mover.Last, mover.Page
	button := mailclient.OneClick(t, begun)
	opens := func(page string, want int) {
		t.Helper()
		for _, path := range []string{"", "/view.json", "?at=0", "/view.json?at=0"} {
			body, status := mailclient.Get(t, page+path)
			if status != want {
				t.Errorf("%s: %d, want %d", path, status, want)
			}
			if status != 404 {
				continue
			}
			none, _ := mailclient.Get(t, strings.Replace(page, lastPart(page), strings.Repeat("a", 26), 1)+path)
			if body != none {
				t.Errorf("%s of a dead key does not look like one that never was", path)
			}
		}
	}
	opens(old, 200)
	n := mover.Ask("link")
	mailclient.Answers(t, n, "applied", "Your page has a new link")
	fresh := mailclient.PageIn(t, n)
	if fresh == old {
		t.Fatal("the page has its old address")
	}
	opens(old, 404)
	opens(fresh, 200)
	opens(other.Page, 200)
	if strings.Contains(n.Text, lastPart(old)) {
		t.Error("the letter names the old key")
	}
	// No page's key mutes, the dead one no more than one that never was.
	for _, page := range []string{old, fresh} {
		none, _ := mailclient.Request(t, "GET", strings.Replace(page, lastPart(page), strings.Repeat("a", 26), 1)+"/mute", "")
		if body, status := mailclient.Request(t, "GET", page+"/mute", ""); status != 404 || body != none {
			t.Errorf("a look at the button by a page's key: %d", status)
		}
		if _, status := mailclient.Request(t, "POST", page+"/mute", "List-Unsubscribe=One-Click"); status != 404 {
			t.Errorf("a click by a page's key: %d", status)
		}
	}
	if body, status := mailclient.Request(t, "GET", button, ""); status != 200 || !strings.Contains(body, "<form") || mailclient.OneClick(t, n) == button {
		t.Errorf("the old letter's button: %d", status)
	}
	// The old notice still plays, and what comes of it bears the new key.
	seen := len(mover.Box)
	mover.Last = begun
	mailclient.Answers(t, mover.Ask(begun.Legal[0]), "applied")
	for _, n := range mover.Box[seen:] {
		if page := mailclient.PageIn(t, n); page != fresh {
			t.Errorf("a letter written later leads to %s", page)
		}
	}
	// Without a token it goes to the registered address alone.
	mover.Write(mailclient.Post{To: p.Values["server"], Body: "link\r\n"})
	n = mover.Until("a new key", func(n mailclient.Received) bool {
		return strings.Contains(n.Text, "Your page has a new link") && mailclient.PageIn(t, n) != fresh
	})
	newest := mailclient.PageIn(t, n)
	opens(fresh, 404)
	opens(newest, 200)
	mailclient.Stranger(t, p, "gamma").Write(mailclient.Post{To: p.Values["server"], Subject: "link", Body: "link\r\n"})
	other.Settled()
	opens(newest, 200)
	opens(other.Page, 200)
	p.Stop()
}

// A blabber is a mail server that takes no letter, and says in its refusal what
// stands in it.
type blabber struct {
	mu      sync.Mutex
	letters [][]byte
}

func (b *blabber) refuse(_, _ string, raw []byte) error {
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.letters = append(b.letters, raw)
	code := []int{451, 554}[len(b.letters)%2]
	return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{code / 100, 7, 1},
		Message: "no " + m.Header.Get("Reply-To") + " and no " + pageLink.FindString(decoded(raw)) + " here"}
}

var pageLink = regexp.MustCompile(`https?://[^\s"]+/g/[a-z2-7]+/[a-z2-7]{26}`)

// decoded undoes the folding of quoted-printable, roughly.
func decoded(raw []byte) string { return strings.ReplaceAll(string(raw), "=\r\n", "") }

// TestLogsHoldNoSecrets runs the server through requests and letters of all
// kinds, good and bad, with a mail server that repeats every secret it is told,
// and reads its log.
func TestLogsHoldNoSecrets(t *testing.T) {
	t.Parallel()
	blab := &blabber{}
	addr := mailclient.Relay(t, blab.refuse)
	host := program.MailFor(t, append([]string{program.Account}, program.Accounts...)...)
	var dir string
	seed := strings.Repeat("5a", 32)
	p := program.ServeAt(t, host, program.Account, addr, "", func(config string) {
		dir = filepath.Dir(config)
		if out, code := program.Output(t, "new", "-config", config, "-started", "-organiser", "alpha@"+program.Domain, "-seed", seed,
			"-player", "alpha@"+program.Domain, "-player", "beta@"+program.Domain, "-visibility", "private"); code != cli.ExitYes {
			t.Fatalf("new: %d %s", code, out)
		}
	})
	logged := p.Said
	until := func(what string, fits func() bool) {
		t.Helper()
		for deadline := time.Now().Add(30 * time.Second); !fits(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: never\n%s", what, logged())
			}
		}
	}
	until("two letters refused", func() bool {
		blab.mu.Lock()
		defer blab.mu.Unlock()
		return len(blab.letters) >= 2
	})
	m, err := mail.ReadMessage(bytes.NewReader(blab.letters[0]))
	if err != nil {
		t.Fatal(err)
	}
	to, err := mail.ParseAddress(m.Header.Get("Reply-To"))
	if err != nil {
		t.Fatal(err)
	}
	who, err := mail.ParseAddress(m.Header.Get("To"))
	if err != nil {
		t.Fatal(err)
	}
	token, _, _ := strings.Cut(strings.TrimPrefix(to.Address, program.Account+"+"), "@")
	button, link := mailclient.OneClick(t, mailclient.Received{Header: m.Header}), ""
	for _, u := range pageLink.FindAllString(decoded(blab.letters[0]), -1) {
		if !strings.HasPrefix(button, u) {
			link = u
		}
	}
	key := lastPart(link)
	button = strings.Replace(button, "http://127.0.0.1:1", p.Values["http"], 1)
	page := strings.Replace(link, "http://127.0.0.1:1", p.Values["http"], 1)
	if len(token) != 48 || len(key) != 26 {
		t.Fatalf("token %q, key %q", token, key)
	}
	for _, path := range []string{page, page + "/view.json", page + "?at=0", page + "?at=999", page + "?at=" + key, page + "/", page + "/x", page + "/mute", button,
		page[:len(page)-1], page + "/view.json/", p.Values["http"] + "/g/" + key, p.Values["http"] + "/" + key, p.Values["http"] + "/g/" + key + "/" + token + "/view.json"} {
		mailclient.Get(t, path)
	}
	if res, err := http.PostForm(button, url.Values{"List-Unsubscribe": {"One-Click"}}); err != nil || res.StatusCode != 200 {
		t.Errorf("mute: %v, %v", res, err)
	} else {
		res.Body.Close()
	}
	for _, raw := range []string{"GET /g/" + key + " HTTP/9.9\r\n\r\n", key + " / HTTP/1.1\r\nHost: x\r\n\r\n", "GET /%zz" + key + " HTTP/1.1\r\nHost: x\r\n\r\n"} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.Values["http"], "http://"))
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(conn, raw)
		conn.SetDeadline(time.Now().Add(5 * time.Second))
		io.Copy(io.Discard, conn)
		conn.Close()
	}
	sent := 0
	write := func(from, to, id, text string) {
		sent++
		raw := fmt.Sprintf("From: %s\r\nTo: %s\r\nMessage-ID: <%s>\r\nSubject: [%s] %s\r\nDate: %s\r\n\r\n%s\r\n", from, to, id, token, key,
			time.Now().Add(time.Duration(sent)*time.Second).Format(time.RFC1123Z), text)
		if err := mailclient.Deliver(host.SMTPAddr(), from, to, []byte(raw)); err != nil {
			t.Fatal(err)
		}
	}
	write(who.Address, to.Address, token+"@x.example", "status")
	write(who.Address, to.Address, "a@x.example", "link")
	write(who.Address, to.Address, "b."+key+"@x.example", key+" "+token)
	write(who.Address, to.Address, "b."+key+"@x.example", "another body, the same Message-ID")
	write("gamma@"+program.Domain, to.Address, "c@x.example", "status")
	write(who.Address, p.Values["server"], "d@x.example", "link")
	write(who.Address, strings.Replace(to.Address, token, strings.Repeat("a", 26), 1), "e@x.example", "legal")
	until("letters read", func() bool { return strings.Count(logged(), `msg="letter in"`) >= sent })
	p.Stop()

	text := strings.ToLower(logged())
	d, err := db.Open(context.Background(), filepath.Join(dir, "games.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	secrets := map[string]bool{seed: true, program.Password + "\n": true, token: true, key: true}
	err = d.View(context.Background(), func(tx store.Tx) error {
		for id := int64(1); ; id++ {
			r, err := tx.Message(id)
			if errors.Is(err, store.ErrNotFound) {
				return nil
			}
			if err != nil {
				return err
			}
			secrets[r.Token], secrets[r.PageKey], secrets[r.MuteKey] = true, true, true
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	delete(secrets, "")
	if len(secrets) < 8 {
		t.Errorf("only %d secrets to look for", len(secrets))
	}
	for secret := range secrets {
		if i := strings.Index(text, secret); i >= 0 {
			t.Errorf("a secret stands in the log: …%s…", text[max(0, i-200):min(len(text), i+60)])
		}
	}
	for _, want := range []string{"msg=request", "status=200", "status=404", `msg="letter in"`, "put off", "failed", "(secret)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the log does not tell of %s:\n%s", want, text)
		}
	}
}

// TestLogLeavesSecretsOut: whatever a text brings along.
func TestLogLeavesSecretsOut(t *testing.T) {
	token, seed := "f7s6ndwe72ororzp3d5ohsbspa", strings.Repeat("5a", 32)
	var b strings.Builder
	log := NewLog(&b, slog.LevelInfo)
	for _, s := range []string{token, strings.ToUpper(token), "angelpost+" + token + "@play.example", "https://x/g/abc/" + token + "/view.json", "mailto:a%2B" + token + "@x",
		"<" + token + "@x>", "[" + token + "]", "x_" + token + "_y", seed, "seed=" + seed} {
		log.Info(s, "text", s, "err", fmt.Errorf("said %w", errors.New(s)), "any", []string{s}, slog.Group("in", "text", s))
	}
	if text := strings.ToLower(b.String()); strings.Contains(text, token) || strings.Contains(text, seed) {
		t.Errorf("a secret stands in the log:\n%s", text)
	}
	b.Reset()
	log.Info("letter in", "message_id", "1234.5678@mail.example", "game", "nlthqp2pxxurw3vy", "n", 3, "err", nil, "took", time.Second)
	for _, want := range []string{"1234.5678@mail.example", "nlthqp2pxxurw3vy", "n=3", "err=<nil>", "took=1s"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%s is missing in %s", want, b.String())
		}
	}
	// No log of the program is made in another way.
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") && file != "log.go" && bytes.Contains(text, []byte("slog.New")) && !bytes.Contains(text, []byte("slog.New(slog.DiscardHandler)")) {
			t.Errorf("%s makes a log of its own", file)
		}
	}
}

// lastPart is the last part of an address: of a page its key, of a letter in the
// post room its number.
func lastPart(page string) string { return page[strings.LastIndexByte(page, '/')+1:] }
