//go:build real

package letter

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"angelpost/engine/incoming"
)

// sent is the notice as it arrives in a player's mailbox.
func sent(t *testing.T) string {
	return "From: Angelpost <angelpost@play.example>\nReply-To: Angelpost <" + server + ">\nTo: Anna Berg <anna@example.org>\n" +
		"Subject: The Long Way Home, round 4: your turn\nDate: Sat, 21 Nov 2026 07:12:00 +0000\nMessage-ID: <n4@play.example>\n" +
		"Auto-Submitted: auto-generated\nMIME-Version: 1.0\n" +
		alternative(part1(utf8Plain, "quoted-printable", readFile(t, "testdata/notice.txt")), part1(utf8HTML, "quoted-printable", readFile(t, "testdata/notice.html")))
}

// NeoMutt replies to a notice with its own quotation, the orders written above,
// below and within it by a scripted editor; what it hands to sendmail is read.
func TestNeoMutt(t *testing.T) {
	for _, tool := range []string{"neomutt", "script", "awk"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("make test-real needs %s: %v", tool, err)
		}
	}
	editors := map[string]struct {
		script string
		want   []string
	}{
		"top":    {`{ cat orders; echo; cat "$1"; } > edited && cp edited "$1"`, turn},
		"bottom": {`{ echo; cat orders; } >> "$1"`, turn},
		"inline": {fmt.Sprintf(`awk '{print} /^> ?[|] end/ {n++; if (n==2) print "\n%s\n"} /^>.*Your hand/ {print "%s"}' "$1" > edited && cp edited "$1"`, half[0], half[1]), half},
	}
	for style, e := range editors {
		for _, flow := range []string{"no", "yes"} {
			t.Run(style+"/flowed-"+flow, func(t *testing.T) {
				dir := t.TempDir()
				for _, d := range []string{"cur", "new", "tmp"} {
					if err := os.MkdirAll(filepath.Join(dir, "inbox", d), 0o700); err != nil {
						t.Fatal(err)
					}
				}
				put := func(name, s string, mode os.FileMode) {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(s), mode); err != nil {
						t.Fatal(err)
					}
				}
				put("inbox/new/1.notice.host", sent(t), 0o600)
				put("orders", lines(e.want...), 0o600)
				put("editor", "#!/bin/sh\nset -e\n"+e.script+"\n", 0o700)
				put("sendmail", "#!/bin/sh\ncat > sent.part && mv sent.part sent.eml\n", 0o700)
				put("rc", strings.Join([]string{
					`set from="Anna Berg <anna@example.org>" realname="Anna Berg" use_from=yes hostname=example.org`,
					`set mbox_type=Maildir spoolfile="` + dir + `/inbox" folder="` + dir + `" header_cache="" record=""`,
					`set editor="./editor" sendmail="./sendmail" text_flowed=` + flow,
					`set fast_reply=yes include=yes reply_to=yes copy=no recall=no abort_nosubject=no abort_unmodified=no`,
					`set quit=yes delete=no move=no confirm_append=no wait_key=no signature=""`,
				}, "\n")+"\n", 0o600)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				cmd := exec.CommandContext(ctx, "script", "-qec", `neomutt -n -F ./rc -f ./inbox -e 'push "<reply><send-message><quit>"'`, os.DevNull)
				cmd.Dir = dir
				cmd.Env = append(os.Environ(), "TERM=xterm", "HOME="+dir, "LC_ALL=C.UTF-8", "TZ=UTC")
				screen, err := cmd.CombinedOutput()
				raw, readErr := os.ReadFile(filepath.Join(dir, "sent.eml"))
				if readErr != nil {
					t.Fatalf("NeoMutt sent nothing (%v): %v\n%q", err, readErr, screen)
				}
				for name, n := range map[string]*Notice{"with the notice": ParseNotice([]byte(sent(t))), "without": nil} {
					l := Read(raw, Options{Address: "angelpost+{token}@play.example", Notice: n})
					if l.Kind != incoming.Orders || !reflect.DeepEqual(l.Orders, e.want) || l.Token != token || l.InReplyTo != "n4@play.example" || l.From != "anna@example.org" {
						t.Errorf("%s: %s %q, token %q, In-Reply-To %q, From %q of\n%s", name, l.Kind, l.Orders, l.Token, l.InReplyTo, l.From, raw)
					}
				}
			})
		}
	}
}
