package lettertest

import (
	"fmt"
	"io"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestWorksAndEndsAfterCuts: where the connection to the mailbox ends within a letter that is
// filed, the program goes on reading letters, and SIGTERM ends it within 5 s.
func TestWorksAndEndsAfterCuts(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1 << 10, 3 << 19} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			host := program.MailFor(t, append([]string{program.Account}, program.Accounts...)...)
			c := startCutter(t, host.IMAPAddr())
			p := program.ServeAt(t, host, program.Account, host.SMTPAddr(), "host = \"alpha@"+program.Domain+"\"", func(config string) {
				text, err := os.ReadFile(config)
				if err == nil {
					text = []byte(strings.Replace(string(text), host.IMAPAddr(), c.addr, 1) + "[lmtp]\naddr = \"127.0.0.1:0\"\n")
					err = os.WriteFile(config, text, 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			})
			alpha := mailclient.Stranger(t, p, "alpha")
			for i := range 3 {
				n := int64(size / 4 * (i + 1))
				c.after.Store(n)
				raw := fmt.Sprintf("From: zeta@example.org\r\nTo: %s\r\nDate: Wed, 25 Nov 2026 12:00:0%d +0000\r\nMessage-ID: <cut%d@example.org>\r\nSubject: hello\r\n\r\n%s", p.Values["server"], i, i, strings.Repeat(strings.Repeat("x", 70)+"\r\n", size/72+1))
				if err := mailclient.SendLMTP(p.Values["lmtp"], "zeta@example.org", p.Values["server"], []byte(raw)); err != nil {
					t.Fatal(err)
				}
				for end := time.Now().Add(30 * time.Second); c.after.Load() != 0; time.Sleep(5 * time.Millisecond) {
					if time.Now().After(end) {
						t.Fatalf("no letter of %d octets was filed", n)
					}
				}
				if i < 2 {
					alpha.AnswerTo(alpha.Write(mailclient.Post{To: p.Values["server"], Subject: "hello", Body: fmt.Sprintf("help %s\r\n", []string{"say", "undo"}[i])}))
				}
			}
			p.Stop()
		})
	}
}

// A cutter passes connections to a mail server on, and ends one within the next letter that it
// files.
type cutter struct {
	addr  string
	after atomic.Int64 // so many octets of the letter; 0: none is cut
}

var literal = regexp.MustCompile(`APPEND .*\{(\d+)\+?\}\r\n`)

func startCutter(t *testing.T, server string) *cutter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	c := &cutter{addr: l.Addr().String()}
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go c.pass(client, server)
		}
	}()
	return c
}

func (c *cutter) pass(client net.Conn, server string) {
	defer client.Close()
	conn, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer conn.Close()
	go func() {
		io.Copy(client, conn)
		client.Close()
	}()
	left := int64(-1) // until the cut; -1: no letter is filed
	b := make([]byte, 4096)
	for {
		n, err := client.Read(b)
		if err != nil {
			return
		}
		filed := int64(n)
		if m := literal.FindSubmatchIndex(b[:n]); left < 0 && m != nil && c.after.Load() > 0 {
			if size, _ := strconv.ParseInt(string(b[m[2]:m[3]]), 10, 64); size > c.after.Load() {
				left, filed = c.after.Load(), int64(n-m[1])
			}
		}
		if left >= 0 && filed >= left {
			c.after.Store(0)
			return
		}
		if left >= 0 {
			left -= filed
		}
		if _, err := conn.Write(b[:n]); err != nil {
			return
		}
	}
}
