package lettertest

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// smugglers are ends of a letter's data that some server takes for one and
// another does not.
var smugglers = []string{
	"\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r", "\r\n.\r", "\r.\r\n", "\n.\r", "\r.\n", "\r\n\x00.\r\n", "\r\n.\x00\r\n", "\r\n.\r\r\n", "\r\n . \r\n",
}

// smuggle sends a letter from one address whose text holds a second letter
// from another, with all that SMTP would say between them. It tells how the
// server replied to the data.
func smuggle(t *testing.T, server, from, victim, to, order, end string) string {
	t.Helper()
	conn, err := net.DialTimeout("tcp", server, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(30 * time.Second))
	in := bufio.NewReader(conn)
	reply := func() string {
		for {
			line, err := in.ReadString('\n')
			if err != nil || len(line) < 4 || line[3] == ' ' {
				return line
			}
		}
	}
	say := func(line string) string {
		fmt.Fprint(conn, line+"\r\n")
		return reply()
	}
	reply()
	say("EHLO client.example")
	say("MAIL FROM:<" + from + ">")
	say("RCPT TO:<" + to + ">")
	if r := say("DATA"); !strings.HasPrefix(r, "354") {
		t.Fatalf("DATA: %s", r)
	}
	head := func(who string) string {
		return fmt.Sprintf("From: %s\r\nTo: %s\r\nSubject: hello\r\nDate: %s\r\nMessage-ID: <%d.%s>\r\n\r\n",
			who, to, time.Now().Format(time.RFC1123Z), time.Now().UnixNano(), who)
	}
	// All at once: a server that sees two letters takes the commands between.
	fmt.Fprint(conn, head(from)+"status\r\n"+end+
		"MAIL FROM:<"+victim+">\r\nRCPT TO:<"+to+">\r\nDATA\r\n"+head(victim)+order+"\r\n.\r\n")
	r := reply()
	say("QUIT")
	return r
}

// TestSmuggledLetter sends letters within letters to the demo's host: each
// arrives as one, and is its sender's.
func TestSmuggledLetter(t *testing.T) {
	t.Parallel()
	p := program.Start(t, program.DemoArgs(t.TempDir(), "-seats", "human,human", "-seed", strings.Repeat("5a", 32))...)
	mover, other := mailclient.SitDown(t, p)
	step := mailclient.Latest(t, mover.Page)
	for _, end := range smugglers {
		if r := smuggle(t, p.Values["smtp"], other.Address, mover.Address, mailclient.AddressIn(t, mover.Last), mover.Last.Legal[0], end); !strings.HasPrefix(r, "250") {
			t.Errorf("%q: %s", end, r)
		}
		other.N++
		mover.Settled()
		if now := mailclient.Latest(t, mover.Page); now != step {
			t.Fatalf("%q: a smuggled letter moved the game from %d to %d", end, step, now)
		}
	}
	mailclient.Filed(t, p, mover.N+other.N)
	p.Stop()
}
