package desk_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"angelpost/engine/incoming"
	"angelpost/engine/match/unit"
	"angelpost/engine/notice"
)

var update = flag.Bool("update", false, "write what the desk says into testdata/talk")

// TestTalks plays whole conversations: letters in and, below each, all letters
// out in a few words. Commands of a script, one a paragraph:
//
//	started SEED NAME…          a game begins at once
//	> NAME [from=A] [token=T]   a letter; its text follows ("_" in subject=S is a blank). T: none, bad, or a name: their last;
//	                            name/N: their N-th (from 0). zone=H: of its Date. "{long}" in it is a line of 4,930 characters
//	+ HOURS                     time passes
//	click NAME                  posts to the List-Unsubscribe address of the player's last letter
//	organiser NAME              the host makes NAME organiser of the game of ada's last letter
//	restart                     the daemon is killed and started again
func TestTalks(t *testing.T) {
	files, err := filepath.Glob("testdata/talk/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no conversations", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			got := talk(t, string(want))
			if *update {
				if err := os.WriteFile(f, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(want) {
				t.Errorf("the desk says otherwise; -update writes it:\n%s", difference(string(want), got))
			}
		})
	}
}

var disclaimer = strings.Repeat("This e-mail may hold 2 or 3 confidential orders; place no card, take no 2.1, and do not pass it on. ", 50)[:4930]

func talk(t *testing.T, script string) string {
	o := newOffice(t)
	var b strings.Builder
	for _, par := range strings.Split(strings.TrimSpace(script), "\n\n") {
		var in []string
		for _, line := range strings.Split(par, "\n") {
			if !strings.HasPrefix(line, "< ") && !strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "= ") {
				in = append(in, line)
			}
		}
		for _, line := range in {
			fmt.Fprintln(&b, line)
		}
		outcome, out := o.command(in)
		if outcome != "" {
			fmt.Fprintf(&b, "= %s\n", outcome)
		}
		for _, r := range out {
			fmt.Fprintf(&b, "< %s", summary(r))
		}
		b.WriteString("\n")
	}
	return strings.TrimSpace(b.String()) + "\n"
}

func (o *office) command(in []string) (string, []notice.Message) {
	o.t.Helper()
	for len(in) > 0 && strings.HasPrefix(in[0], "#") {
		in = in[1:]
	}
	if len(in) == 0 {
		return "", nil
	}
	f := strings.Fields(in[0])
	switch f[0] {
	case "started":
		seed, err := strconv.Atoi(f[1])
		if err != nil {
			o.t.Fatal(err)
		}
		before := len(o.all())
		o.started(byte(seed), f[2:]...)
		return "", o.all()[before:]
	case "+":
		h, err := strconv.Atoi(f[1])
		if err != nil {
			o.t.Fatal(err)
		}
		return "", o.due(time.Duration(h) * time.Hour)
	case "click":
		r := o.last(f[1])
		if err := o.desk.Mute(context.Background(), r.Game, r.MuteKey); err != nil {
			o.t.Fatal(err)
		}
		return "", o.deliver()
	case "organiser":
		if _, err := o.desk.Organise(context.Background(), o.last("ada").Game, at(f[1])); err != nil {
			o.t.Fatal(err)
		}
		return "", o.deliver()
	case "restart":
		o.open()
		return "", nil
	case ">":
		address := at(f[1])
		token := o.token(address)
		from := address
		c := unit.Command{}
		zone := time.UTC
		for _, opt := range f[2:] {
			k, v, _ := strings.Cut(opt, "=")
			switch {
			case k == "from":
				from = at(v)
			case k == "barred":
				c.Barred = 1
			case k == "forged":
				c.AuthFailed = true
			case k == "illegible":
				c.AuthIllegible = "mx.angelpost.test; dmarc=pass ("
			case k == "subject":
				c.Subject = strings.ReplaceAll(v, "_", " ")
			case k == "program": // that wrote the letter
				c.Program = v + " 3.46.4"
			case k == "zone": // of the letter's Date, in hours from UTC
				h, err := strconv.Atoi(v)
				if err != nil {
					o.t.Fatal(err)
				}
				zone = time.FixedZone("", h*3600)
			case k == "to": // answers the player's last letter by In-Reply-To alone
				token, c.InReplyTo = "", o.last(v).MessageID
			case k == "class":
				c.Class = incoming.Class(v)
			case k == "bounced":
				r := notice.Message{To: at("bo"), MessageID: "aaaaaaaaaaaaaaaa@angelpost.test"} // not a letter that we sent
				if v != "none" {
					r = o.last(v)
				}
				c.Bounced = []incoming.Bounce{{Address: r.To, MessageID: r.MessageID, Permanent: true, Status: "5.1.1"}}
			case k == "signed": // by its author's domain
				c.Authentic = v == "yes"
			case k == "complaint": // of the player whose letter it names, or of another address
				name, address, other := strings.Cut(v, "/")
				r := o.last(name)
				c.Complaint = &incoming.Complaint{Address: r.To, MessageID: r.MessageID}
				if other {
					c.Complaint.Address = address
				}
			case v == "none":
				token = ""
			case v == "bad":
				token = "abcdefghijklmnopqrstuvwxyz"
			default:
				name, n, nth := strings.Cut(v, "/")
				token = o.token(at(name))
				if nth {
					i, err := strconv.Atoi(n)
					if err != nil {
						o.t.Fatal(err)
					}
					token = o.box[at(name)][i].Token
				}
			}
		}
		l := o.letter(from, token, strings.ReplaceAll(strings.Join(in[1:], "\n"), "{long}", disclaimer))
		l.Barred, l.AuthFailed, l.Bounced, l.InReplyTo = c.Barred, c.AuthFailed, c.Bounced, c.InReplyTo
		l.AuthIllegible, l.Authentic, l.Complaint, l.Program = c.AuthIllegible, c.Authentic, c.Complaint, c.Program
		l.Date = l.Date.In(zone)
		if c.Subject != "" {
			l.Subject = c.Subject
		}
		if c.Class != "" {
			l.Class = c.Class
		}
		return o.send(l)
	}
	o.t.Fatalf("script: %q", in[0])
	return "", nil
}

// all are the letters of all boxes.
func (o *office) all() []notice.Message {
	var out []notice.Message
	for _, name := range []string{"ada", "bo", "cy", "di"} {
		out = append(out, o.box[at(name)]...)
	}
	return out
}

// difference shows the first lines that differ.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		a, b := "", ""
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			return fmt.Sprintf("line %d\nwant %s\ngot  %s", i+1, a, b)
		}
	}
	return ""
}
