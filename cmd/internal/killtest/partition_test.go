//go:build real

package killtest

import (
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"angelpost/cmd/internal/program"
	"angelpost/db/replica/litestream"
)

var partitions = flag.Int("partitions", 4, "how often TestPartitions cuts a link")

// A link is the network between a machine and a server. While it is cut nothing passes, as if
// a cable were pulled: no one hears of it, and what was on its way arrives once it is whole.
type link struct {
	addr  string
	whole sync.RWMutex // held while it is cut
	cuts  bool
}

func newLink(t *testing.T, target string) *link {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	k := &link{addr: l.Addr().String()}
	t.Cleanup(func() { l.Close(); k.heal() })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				far, err := net.Dial("tcp", target)
				if err != nil {
					near.Close()
					return
				}
				go k.pass(near, far)
				k.pass(far, near)
			}()
		}
	}()
	return k
}

func (k *link) pass(to, from net.Conn) {
	b := make([]byte, 32<<10)
	for {
		n, err := from.Read(b)
		k.whole.RLock()
		if n > 0 {
			if _, e := to.Write(b[:n]); e != nil {
				err = e
			}
		}
		if err != nil { // the end is news, too
			to.Close()
			from.Close()
		}
		k.whole.RUnlock()
		if err != nil {
			return
		}
	}
}

func (k *link) cut() { k.whole.Lock(); k.cuts = true }
func (k *link) heal() {
	if k.cuts {
		k.cuts = false
		k.whole.Unlock()
	}
}

// TestPartitions cuts, in turn, each link that two machines with `angelpost standby` have: of
// the one that serves and of the one that follows, to the mailbox and to the replica, a store
// that speaks S3. Letters come before, meanwhile and after. If the one that serves was cut off,
// the other one takes over; it gives way when it hears of that, and what it had on its way to the
// replica arrives where no one reads it. If the other one was cut off, nothing happens. Each letter is
// answered by one of them and filed once.
func TestPartitions(t *testing.T) {
	t.Setenv("PATH", filepath.Dir(litestream.Program(t))+":"+os.Getenv("PATH"))
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_CA_BUNDLE": ""} {
		t.Setenv(name, value)
	}
	host := program.MailFor(t, program.Account, "alpha")
	store := litestream.StartS3(t)
	var mailboxes, replicas []*link
	for range 2 {
		mailboxes, replicas = append(mailboxes, newLink(t, host.IMAPAddr())), append(replicas, newLink(t, store))
	}
	p := newPair(t, host, func(i int) (imap, url string) {
		return mailboxes[i].addr, fmt.Sprintf("s3://%s/games?endpoint=http://%s&region=us-east-1&forcePathStyle=true", litestream.Bucket, replicas[i].addr)
	}, "")
	mailbox := map[*machine]*link{p.machines[0]: mailboxes[0], p.machines[1]: mailboxes[1]}
	replica := map[*machine]*link{p.machines[0]: replicas[0], p.machines[1]: replicas[1]}
	silence := 12 * program.LookFor
	if *standbyWaits {
		silence = 15 * time.Second
	}
	serving, other := p.machines[0], p.machines[1]
	for n := range *partitions {
		p.write()
		time.Sleep(time.Duration(n*37%150) * time.Millisecond) // among these letters
		stood, followed := len(serving.said.String()), len(other.said.String())
		switch n % 4 {
		case 0, 1:
			cut, to := mailbox[serving], "mailbox"
			if n%4 == 1 {
				cut, to = replica[serving], "replica"
			}
			cut.cut()
			began := time.Now()
			p.write()
			p.wait("the other machine serves without the first one's "+to, func() bool { return len(other.said.String()) > followed && other.serves() })
			if took := time.Since(began); *standbyWaits && took > 40*time.Second {
				t.Errorf("%v passed until another machine served, want 40 s at most", took)
			}
			t.Logf("%d: without its %s: the other machine serves after %v", n, to, time.Since(began).Round(time.Millisecond))
			p.write()
			for _, id := range p.written[len(p.written)-12:] {
				p.alpha.AnswerTo(id) // by the other one
			}
			cut.heal()
			p.wait("the first one gives way", func() bool { return strings.Contains(serving.said.String()[stood:], giveWay) })
			serving, other = other, serving
			p.wait("it follows", other.follows(stood))
		default:
			cut, to := replica[other], "replica"
			if n%4 == 3 {
				cut, to = mailbox[other], "mailbox"
			}
			cut.cut()
			p.write()
			for _, id := range p.written[len(p.written)-8:] {
				p.alpha.AnswerTo(id) // by the one that serves: it does not wait
			}
			time.Sleep(silence) // longer than a silence that the other one takes for a death
			cut.heal()
			p.write()
			for _, id := range p.written[len(p.written)-4:] {
				p.alpha.AnswerTo(id)
			}
			if said := other.said.String()[followed:]; other.serves() || strings.Contains(serving.said.String()[stood:], giveWay) {
				t.Fatalf("%d: the other machine took over without its %s\n%s", n, to, said)
			}
		}
	}
	p.once()
}
