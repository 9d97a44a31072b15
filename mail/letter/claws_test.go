//go:build real && clients

package letter

import (
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// claws is Claws Mail, which only key presses can drive. In a long quotation it finds a line by
// counting.
type claws struct {
	e env
}

const clawsAccount = `[Account: 1]
account_name=anna
is_default=1
name=Anna Berg
address=anna@example.org
protocol=5
smtp_server=127.0.0.1
use_smtp_auth=0
set_smtpport=1
smtp_port=%s
ssl_smtp=0
set_domain=1
domain=example.org
generate_msgid=1
signature_type=0
signature_path=%s/.signature
auto_signature=1
signature_separator=-- 
`

const clawsFolders = `<?xml version="1.0" encoding="UTF-8"?>
<folderlist>
    <folder type="mh" collapsed="0" name="Mail" path="Mail">
        <folderitem type="inbox" name="inbox" path="inbox" />
        <folderitem type="outbox" name="sent" path="sent" />
        <folderitem type="draft" name="draft" path="draft" />
        <folderitem type="queue" name="queue" path="queue" />
        <folderitem type="trash" name="trash" path="trash" />
    </folder>
</folderlist>
`

func startClaws(t *testing.T, e env) mailProgram {
	_, port, _ := net.SplitHostPort(e.smtp)
	put(t, e.home, ".claws-mail/accountrc", fmt.Sprintf(clawsAccount, port, e.home))
	put(t, e.home, ".claws-mail/folderlist.xml", clawsFolders)
	put(t, e.home, ".claws-mail/clawsrc", "[Common]\nconfig_version=4\nreply_with_quote=1\nlinewrap_pastes=1\nautowrap=1\nsend_dialog_mode=2\nshow_recv_err_dialog=0\nwarn_empty_subj=0\nenable_aspell=0\ncheck_while_typing=0\ninherit_folder_props=0\nsavemsg=0\n")
	put(t, e.home, ".signature", signature+"\n")
	for _, dir := range []string{"sent", "draft", "queue", "trash"} {
		put(t, e.home, "Mail/"+dir+"/.keep", "")
	}
	put(t, e.home, "Mail/inbox/1", sent(t))
	c := &claws{e}
	e.run(t, "dbus-run-session", "--", "claws-mail", "--select", "#mh/Mail/inbox/1")
	c.window(t, "Claws Mail")
	return c
}

// xdotool runs one command of xdotool on the display.
func (c *claws) xdotool(args ...string) (string, error) {
	cmd := exec.Command("xdotool", args...)
	cmd.Env = append(cmd.Environ(), "DISPLAY="+c.e.display)
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// window waits for a window whose title has this, and gives it the keys.
func (c *claws) window(t *testing.T, title string) (id string) {
	t.Helper()
	until(t, "there is a window "+title, func() bool {
		out, err := c.xdotool("search", "--onlyvisible", "--name", title)
		id, _, _ = strings.Cut(out, "\n")
		return err == nil && id != ""
	})
	time.Sleep(time.Second)
	if out, err := c.xdotool("windowactivate", "--sync", id); err != nil {
		t.Fatalf("%s: %v %s", title, err, out)
	}
	return id
}

func (c *claws) keys(t *testing.T, keys ...string) {
	t.Helper()
	if out, err := c.xdotool(append([]string{"key", "--delay", "30"}, keys...)...); err != nil {
		t.Fatalf("%v: %v %s", keys, err, out)
	}
}

// click clicks on a place of a window.
func (c *claws) click(t *testing.T, window string, x, y int) {
	t.Helper()
	if out, err := c.xdotool("mousemove", "--window", window, strconv.Itoa(x), strconv.Itoa(y), "click", "1"); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	time.Sleep(time.Second)
}

func (c *claws) write(t *testing.T, lines ...string) {
	t.Helper()
	for i, line := range lines {
		if i > 0 {
			c.keys(t, "Return")
		}
		if out, err := c.xdotool("type", "--delay", "15", line); err != nil {
			t.Fatalf("%v %s", err, out)
		}
	}
}

func (c *claws) answer(t *testing.T, s style) {
	t.Helper()
	c.window(t, "Claws Mail")
	if s.forward {
		c.keys(t, "ctrl+alt+f")
	} else {
		c.keys(t, "ctrl+r")
	}
	id := c.window(t, "The Long Way Home, round 4")
	time.Sleep(time.Second)
	if s.forward {
		c.click(t, id, 360, 190) // the recipient's field
		c.write(t, server)
		c.click(t, id, 300, 400)
	}
	switch {
	case s.at != "":
		c.keys(t, "ctrl+Home")
		for range 42 {
			c.keys(t, "Down")
		}
		c.keys(t, "End", "Return")
		c.write(t, append(s.orders, "")...)
	case s.top:
		c.keys(t, "ctrl+Home")
		c.write(t, append(s.orders, "", "")...)
	default:
		c.write(t, s.orders...)
	}
	c.keys(t, "ctrl+Return")
	time.Sleep(2 * time.Second)
	if out, err := c.xdotool("search", "--onlyvisible", "--name", "^(Error|Fehler)$"); err == nil && out != "" {
		t.Fatal("Claws Mail complains")
	}
}
