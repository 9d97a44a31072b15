//go:build real && clients

package letter

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// thunderbird is driven by Marionette, the protocol by which Mozilla tests its programs.
type thunderbird struct {
	conn net.Conn
	in   *bufio.Reader
	n    int
}

const thunderbirdPrefs = `
user_pref("marionette.port", %[1]d);
user_pref("app.donation.eoy.version.viewed", 999);
user_pref("app.update.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("extensions.autoDisableScopes", 0);
user_pref("intl.locale.requested", "%[2]s");
user_pref("mail.account.account1.identities", "id1");
user_pref("mail.account.account1.server", "server1");
user_pref("mail.account.account2.server", "server2");
user_pref("mail.accountmanager.accounts", "account1,account2");
user_pref("mail.accountmanager.defaultaccount", "account1");
user_pref("mail.accountmanager.localfoldersserver", "server2");
user_pref("mail.compose.max_recycled_windows", 0);
user_pref("mail.identity.id1.fullName", "Anna Berg");
user_pref("mail.identity.id1.useremail", "anna@example.org");
user_pref("mail.identity.id1.htmlSigText", "%[3]s");
user_pref("mail.identity.id1.fcc", false);
user_pref("mail.identity.id1.smtpServer", "smtp1");
user_pref("mail.identity.id1.valid", true);
user_pref("mail.provider.suppress_dialog_on_startup", true);
user_pref("mail.rights.version", 1);
user_pref("mail.server.server1.check_new_mail", false);
user_pref("mail.server.server1.directory-rel", "[ProfD]Mail/anna");
user_pref("mail.server.server1.hostname", "127.0.0.1");
user_pref("mail.server.server1.login_at_startup", false);
user_pref("mail.server.server1.name", "anna@example.org");
user_pref("mail.server.server1.type", "pop3");
user_pref("mail.server.server1.userName", "anna");
user_pref("mail.server.server2.directory-rel", "[ProfD]Mail/Local Folders");
user_pref("mail.server.server2.hostname", "Local Folders");
user_pref("mail.server.server2.name", "Local Folders");
user_pref("mail.server.server2.type", "none");
user_pref("mail.server.server2.userName", "nobody");
user_pref("mail.shell.checkDefaultClient", false);
user_pref("mail.smtpserver.smtp1.authMethod", 1);
user_pref("mail.smtpserver.smtp1.hostname", "127.0.0.1");
user_pref("mail.smtpserver.smtp1.port", %[4]s);
user_pref("mail.smtpserver.smtp1.try_ssl", 0);
user_pref("mail.smtpservers", "smtp1");
user_pref("mail.smtp.defaultserver", "smtp1");
user_pref("mail.spellcheck.inline", false);
user_pref("mail.spotlight.firstRunDone", true);
user_pref("mail.winsearch.firstRunDone", true);
user_pref("mailnews.start_page.enabled", false);
user_pref("mailnews.start_page_override.mstone", "ignore");
`

func startThunderbird(t *testing.T, e env) mailProgram {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	_, smtpPort, _ := net.SplitHostPort(e.smtp)
	locale := map[string]string{"en": "en-US", "de": "de"}[e.tongue]
	put(t, e.home, "profile/user.js", fmt.Sprintf(thunderbirdPrefs, port, locale, strings.ReplaceAll(signature, "\n", `\n`), smtpPort))
	put(t, e.home, "profile/Mail/anna/Inbox", "From - Sat Nov 21 07:12:00 2026\nX-Mozilla-Status: 0000\nX-Mozilla-Status2: 00000000\n"+sent(t)+"\n")
	e.run(t, "dbus-run-session", "--", "thunderbird", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", filepath.Join(e.home, "profile"))
	b := &thunderbird{}
	until(t, "Thunderbird answers", func() bool {
		b.conn, err = net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(port))
		return err == nil
	})
	t.Cleanup(func() { b.conn.Close() })
	b.in = bufio.NewReader(b.conn)
	b.read(t) // who it is
	b.call(t, "WebDriver:NewSession", map[string]any{})
	b.call(t, "Marionette:SetContext", map[string]any{"value": "chrome"})
	b.call(t, "WebDriver:SetTimeouts", map[string]any{"script": 120000})
	return b
}

// read reads a message: its length, a colon, JSON.
func (b *thunderbird) read(t *testing.T) (out []json.RawMessage) {
	t.Helper()
	size, err := b.in.ReadString(':')
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSuffix(size, ":"))
	if err != nil {
		t.Fatal(err)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(b.in, text); err != nil {
		t.Fatal(err)
	}
	json.Unmarshal(text, &out) // the greeting is not a list
	return out
}

func (b *thunderbird) call(t *testing.T, name string, args any) json.RawMessage {
	t.Helper()
	b.n++
	text, err := json.Marshal([]any{0, b.n, name, args})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(b.conn, "%d:%s", len(text), text)
	m := b.read(t)
	if len(m) != 4 || string(m[2]) != "null" {
		t.Fatalf("%s: %s", name, m)
	}
	return m[3]
}

// thunderbirdAnswer opens the window for an answer, writes where the style says, and sends.
const thunderbirdAnswer = `
const [forward, top, at, lines, to, done] = arguments;
const { MailServices } = ChromeUtils.importESModule("resource:///modules/MailServices.sys.mjs");
const { MailUtils } = ChromeUtils.importESModule("resource:///modules/MailUtils.sys.mjs");
const wait = ms => new Promise(r => setTimeout(r, ms));
const poll = async (what, f) => { for (let i = 0; i < 600; i++) { const x = f(); if (x) return x; await wait(100); } throw new Error("no " + what); };
(async () => {
  const main = await poll("main window", () => Services.wm.getMostRecentWindow("mail:3pane"));
  const account = await poll("account", () => MailServices.accounts.accounts.find(a => a.incomingServer.type == "pop3"));
  const inbox = account.incomingServer.rootFolder.getChildNamed("Inbox");
  const headers = () => { try { return [...inbox.msgDatabase.enumerateMessages()]; } catch (e) { try { inbox.updateFolder(null); } catch (e) {} return []; } };
  const header = (await poll("letter", () => { const h = headers(); return h.length && h; }))[0];
  const uri = inbox.getUriForMsg(header);
  const type = forward ? Ci.nsIMsgCompType.ForwardInline : Ci.nsIMsgCompType.ReplyToSender;
  const identity = account.defaultIdentity;
  const opened = new Set([...Services.wm.getEnumerator("msgcompose")]);
  await main.ComposeMessage(type, Ci.nsIMsgCompFormat.Default, inbox, [uri], null, null, true);
  const win = await poll("window", () => [...Services.wm.getEnumerator("msgcompose")].find(w => !opened.has(w) && w.gMsgCompose && w.gMsgCompose.editor && w.composeEditorReady !== false));
  const editor = await poll("editor", () => { try { const e = win.GetCurrentEditor(); return e && e.document.body && e.document.body.textContent.trim() && e; } catch (e) { return null; } });
  await wait(1500);
  const doc = editor.document;
  const type_ = async text => {
    const html = win.gMsgCompose.composeHTML;
    const list = text.split("\n");
    list.forEach((line, i) => { if (i) { html ? editor.QueryInterface(Ci.nsIHTMLEditor) && editor.insertLineBreak() : editor.insertLineBreak(); } editor.insertText(line); });
  };
  if (at) {
    const walker = doc.createTreeWalker(doc.body, 4);
    let node; while ((node = walker.nextNode()) && !node.data.includes(at));
    if (!node) throw new Error("the quotation has no " + at);
    const end = node.data.indexOf("\n", node.data.indexOf(at));
    const sel = doc.getSelection();
    sel.collapse(node, end < 0 ? node.length : end);
    editor.insertLineBreak ? editor.insertLineBreak() : 0;
    await type_("\n" + lines.join("\n") + "\n");
  } else {
    if (top) editor.beginningOfDocument();
    await type_(lines.join("\n") + (top ? "\n" : ""));
  }
  if (forward) { win.gMsgCompose.compFields.to = to; await win.CompFields2Recipients(win.gMsgCompose.compFields); }
  await wait(500);
  win.goDoCommand("cmd_sendNow");
  await poll("end of the window", () => win.closed);
  return "sent";
})().then(done, e => done("failed: " + e + " " + e.stack));
`

func (b *thunderbird) answer(t *testing.T, s style) {
	t.Helper()
	out := b.call(t, "WebDriver:ExecuteAsyncScript", map[string]any{
		"script": thunderbirdAnswer, "sandbox": "system", "newSandbox": true, "args": []any{s.forward, s.top, s.at, s.orders, server},
	})
	var said struct{ Value string }
	if err := json.Unmarshal(out, &said); err != nil || said.Value != "sent" {
		t.Fatalf("%s: %s %v", s.name, out, err)
	}
}
