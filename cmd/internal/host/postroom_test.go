package host

import (
	"slices"
	"strings"
	"testing"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/mailclient"
	"angelpost/cmd/internal/program"
	"angelpost/cmd/internal/server"
)

// TestPostRoom: the host drops, resends and replays letters, and what cannot be done is
// refused and changes nothing.
func TestPostRoom(t *testing.T) {
	t.Parallel()
	p, config := stalled(t)
	refused := func(words ...string) {
		t.Helper()
		args := append([]string{"letter", words[0], "-config", config}, words[1:]...)
		if code, out, said := program.Outcome(t, args...); code != cli.ExitNo || out != "" || said == "" {
			t.Errorf("%v: %d %s %s", words, code, out, said)
		}
	}
	one := func(words ...string) server.LetterRow {
		t.Helper()
		list := program.Surveyed[server.LetterList](t, config, append([]string{"letter"}, words...)...)
		if len(list.Letters) != 1 || list.Letters[0].ID != words[1] {
			t.Fatalf("%v: %+v", words, list)
		}
		return list.Letters[0]
	}
	if l := one("drop", "out1"); l.State != "failed" || l.Why != droppedWhy {
		t.Errorf("%+v", l)
	}
	refused("drop", "out1")
	if l := one("resend", "out1"); l.State != "queued" || l.Why != "" || l.Tries != 0 {
		t.Errorf("%+v", l)
	}
	if l := one("drop", "out1"); l.State != "failed" {
		t.Errorf("%+v", l)
	}
	for _, words := range []string{"drop in1", "replay in1", "resend in1", "replay out1", "drop in99", "drop out99", "resend out99", "replay in99"} {
		refused(strings.Fields(words)...)
	}
	p.Stop()
	d := program.Opened(t, config)
	aside := func() {
		t.Helper()
		if _, err := d.Exec("UPDATE letters SET state = 3, attempts = 3, answer = 0, why = 'failed three times' WHERE id = 1"); err != nil {
			t.Fatal(err)
		}
	}
	aside()
	refused("drop", "in1") // nothing brings it back
	if l := one("drop", "in1", "-yes"); l.State != "mute" || l.Why != droppedWhy {
		t.Errorf("%+v", l)
	}
	before := len(program.Surveyed[server.LetterList](t, config, "letters", "queued").Letters)
	aside()
	if l := one("replay", "in1"); l.State != "done" || l.Tries != 1 {
		t.Errorf("%+v", l)
	}
	queue := program.Surveyed[server.LetterList](t, config, "letters", "queued").Letters
	if len(queue) != before+1 {
		t.Fatalf("%d letters wait, %d before", len(queue), before)
	}
	if answer := program.Surveyed[letterReport](t, config, "letter", "show", queue[len(queue)-1].ID); answer.Address != "gamma@"+program.Domain || answer.Kind != "answer" {
		t.Errorf("%+v", answer)
	}
	refused("replay", "in1")
}

// TestResendArrives: a letter that the host sends again arrives, from a server at work.
func TestResendArrives(t *testing.T) {
	t.Parallel()
	var config string
	p := program.ServeOn(t, "", func(path string) { config = path })
	gamma := mailclient.Stranger(t, p, "gamma")
	answer := gamma.AnswerTo(gamma.Write(mailclient.Post{To: p.Values["server"], Subject: "help", Body: "help\r\n"}))
	program.Until(t, "the letter is recorded as sent", func() bool {
		return program.Surveyed[letterReport](t, config, "letter", "show", "out1").State == "sent"
	})
	program.Output(t, "letter", "resend", "-config", config, "out1")
	id := answer.Header.Get("Message-Id")
	program.Until(t, "it comes again", func() bool {
		return slices.ContainsFunc(gamma.Fetch(), func(r mailclient.Received) bool { return r.Header.Get("Message-Id") == id })
	})
}
