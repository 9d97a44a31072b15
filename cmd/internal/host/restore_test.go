package host_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-imap/v2"

	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
)

// TestRestoreTakesWhatIsOurs: of the letters in Angelpost/Done `restore` takes those that the
// database has never read, by their Message-ID, or without one by author and date. It leaves,
// and says so, those that name no address of the server, those that nothing tells apart, and
// those older than what the database keeps.
func TestRestoreTakesWhatIsOurs(t *testing.T) {
	var config string
	p := program.ServeOn(t, "", func(c string) { config = c })
	p.Stop()
	c := mailclient.Login(t, p.Values["imap"], program.Account, program.Password)
	defer c.Close()
	const done = "Angelpost/Done"
	if err := c.Create(done, nil).Wait(); err != nil {
		t.Log(err) // the server may have made it
	}
	now := time.Now()
	filed := 0
	file := func(arrived time.Time, head ...string) {
		t.Helper()
		filed++
		raw := strings.Join(append(head, fmt.Sprintf("Subject: letter %d", filed), "", "help", ""), "\r\n")
		cmd := c.Append(done, int64(len(raw)), &imap.AppendOptions{Time: arrived})
		if _, err := cmd.Write([]byte(raw)); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	const us, ours, other = "To: angelpost@demo.localhost", "Delivered-To: angelpost+yhzcj2aajcbihkgrw6euqxp764@demo.localhost", "To: bridge@demo.localhost"
	date := "Date: " + now.Format(time.RFC1123Z)
	file(now, us, "From: alpha@demo.localhost", "Message-ID: <1@x>", date)
	file(now, ours, "To: list@demo.localhost", "From: alpha@demo.localhost", "Message-ID: <2@x>", date)
	file(now, us, "From: beta@demo.localhost", date)
	file(now, other, "From: beta@demo.localhost", "Message-ID: <3@x>", date)
	file(now, us, "From: beta@demo.localhost")
	file(now.AddDate(0, 0, -401), us, "From: alpha@demo.localhost", "Message-ID: <4@x>", date)

	restore := func(letters int, flags ...string) string {
		t.Helper()
		code, out, talk := program.Outcome(t, append([]string{"restore", "-config", config, "-since", "2020-01-01"}, flags...)...)
		if code != program.ExitYes || strings.TrimSpace(out) != fmt.Sprint("letters=", letters) {
			t.Errorf("restore %s: exit %d, %q, want %d letters\n%s", flags, code, out, letters, talk)
		}
		return talk
	}
	said := restore(3)
	for _, want := range []string{"keep_days = 400", "left in Angelpost/Done: 1, which name no address", "left in Angelpost/Done: 1, which have neither"} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	p = program.Start(t, "serve", "-config", config)
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if s, err := c.Status("INBOX", &imap.StatusOptions{NumMessages: true}).Wait(); err != nil || *s.NumMessages == 0 {
			break
		}
		if time.Since(begin) > time.Minute {
			t.Fatal("the letters are not read")
		}
	}
	p.Stop()
	restore(0)
	if said := restore(1, "-all"); strings.Contains(said, "name no address") {
		t.Errorf("it says:\n%s", said)
	}
}
