//go:build real && clients

package letter

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"angelpost/mail/peers"
)

// roundcube is Roundcube in Chromium, between Dovecot and the SMTP server.
type roundcube struct {
	ctx  context.Context
	site string
}

const roundcubeConfig = `<?php
$config['db_dsnw'] = 'sqlite:///%[1]s/roundcube.db?mode=0600';
$config['imap_host'] = '%[2]s';
$config['smtp_host'] = '%[3]s';
$config['smtp_user'] = '';
$config['smtp_pass'] = '';
$config['username_domain'] = 'example.org';
$config['mail_domain'] = 'example.org';
$config['des_key'] = 'abcdefghijklmnopqrstuvwx';
$config['language'] = '%[4]s';
$config['log_dir'] = '%[1]s/';
$config['temp_dir'] = '%[1]s/';
$config['plugins'] = [];
$config['skin'] = 'elastic';
$config['sent_mbox'] = '';
`

func startRoundcube(t *testing.T, e env) mailProgram {
	d := peers.StartDovecot(t, "/", "anna")
	if err := d.Deliver("anna", strings.ReplaceAll(sent(t), "\n", "\r\n")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"defaults.inc.php", "mimetypes.php"} {
		if err := os.Symlink("/etc/roundcube/"+name, filepath.Join(e.home, name)); err != nil {
			t.Fatal(err)
		}
	}
	put(t, e.home, "config.inc.php", fmt.Sprintf(roundcubeConfig, e.home, d.IMAPAddr, e.smtp, map[string]string{"en": "en_US", "de": "de_DE"}[e.tongue]))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	t.Setenv("ROUNDCUBE_CONFIG_DIR", e.home)
	e.run(t, "php", "-S", addr, "-t", "/var/lib/roundcube")
	off := func(ctx context.Context, cancel context.CancelFunc) context.Context { t.Cleanup(cancel); return ctx }
	ctx := off(chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath("/usr/bin/chromium"), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(filepath.Join(e.home, "chromium")), chromedp.WSURLReadTimeout(time.Minute))...))
	ctx = off(chromedp.NewContext(ctx))
	rc := &roundcube{off(context.WithTimeout(ctx, 5*time.Minute)), "http://" + addr + "/"}
	until(t, "PHP answers", func() bool {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	rc.do(t, chromedp.Navigate(rc.site), chromedp.WaitVisible("#rcmloginuser"),
		chromedp.SendKeys("#rcmloginuser", "anna"), chromedp.SendKeys("#rcmloginpwd", peers.Password), chromedp.Click("#rcmloginsubmit"),
		chromedp.WaitVisible("#messagelist"),
		// The signature, on the settings page of the identity.
		chromedp.Navigate(rc.site+"?_task=settings&_action=edit-identity&_iid=1&_framed=1"), chromedp.WaitVisible("#rcmfd_signature"),
		chromedp.SetValue("#rcmfd_name", "Anna Berg"), chromedp.SetValue("#rcmfd_signature", signature),
		script(`rcmail.command('save')`), chromedp.Sleep(2*time.Second))
	return rc
}

// script runs one on the page.
func script(js string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Evaluate[string](js+"; ''")(ctx, tab)
		return chromedp.Void{}, err
	}
}

func (rc *roundcube) do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(rc.ctx, actions...); err != nil {
		at, _ := chromedp.Run(rc.ctx, chromedp.Location())
		text, _ := chromedp.Run(rc.ctx, chromedp.Text("body"))
		t.Fatalf("%v at %s:\n%.2000s", err, at, text)
	}
}

func (rc *roundcube) answer(t *testing.T, s style) {
	t.Helper()
	address := rc.site + "?_task=mail&_action=compose&_mbox=INBOX&_reply_uid=1"
	if s.forward {
		address = strings.Replace(address, "_reply_uid", "_forward_uid", 1)
	}
	text := strings.Join(s.orders, "\n")
	where := `let at = e.selectionStart, text = ` + fmt.Sprintf("%q", text) + `;`
	switch {
	case s.at != "":
		where += fmt.Sprintf(`at = e.value.indexOf("\n", e.value.toUpperCase().indexOf(%q)); text = "\n\n" + text + "\n";`, strings.ToUpper(s.at))
	case s.top:
		where += `at = 0; text += "\n\n";`
	}
	rc.do(t, chromedp.Navigate(address), chromedp.WaitVisible("#composebody"), chromedp.Sleep(time.Second),
		script(`(() => { const e = document.querySelector("#composebody"); `+where+` e.setSelectionRange(at, at); e.focus(); })()`),
		script(`(() => { const e = document.querySelector("#composebody"); `+where+` e.setSelectionRange(at, at); document.execCommand("insertText", false, text); })()`))
	if s.forward {
		rc.do(t, script(fmt.Sprintf(`(() => { const e = document.querySelector("#_to"); e.value = %q; e.dispatchEvent(new Event("change")); })()`, server)))
	}
	rc.do(t, script(`rcmail.command('send', '', document.querySelector('button.send'))`), chromedp.Sleep(2*time.Second))
}
