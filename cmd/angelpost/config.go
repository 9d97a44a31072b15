package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/BurntSushi/toml"

	"angelpost/mail/lmtp"
)

// config is the file that `init` writes and everything but the demo reads.
type config struct {
	Address       string     `toml:"address"`
	Start         string     `toml:"start"`
	Allow         []string   `toml:"allow"`
	Directors     []string   `toml:"directors"`
	AuthservID    string     `toml:"authserv_id"`
	Database      string     `toml:"database"`
	RemindDays    int        `toml:"remind_days"`
	AnswersPerDay int        `toml:"answers_per_day"`
	VacationDays  int        `toml:"vacation_days"`
	Set           string     `toml:"set"`
	Sets          []string   `toml:"sets"`
	IMAP          mailServer `toml:"imap"`
	SMTP          mailServer `toml:"smtp"`
	LMTP          struct {
		Addr string `toml:"addr"`
	} `toml:"lmtp"`
	HTTP struct {
		Addr    string `toml:"addr"`
		BaseURL string `toml:"base_url"`
	} `toml:"http"`

	file, text string // as read: for what is wrong, and relative paths start at the file
}

type mailServer struct {
	Addr         string `toml:"addr"`
	User         string `toml:"user"`
	PasswordFile string `toml:"password_file"`
	TLS          string `toml:"tls"`
	CAFile       string `toml:"ca_file"`
	Folder       string `toml:"folder"`
}

const maxConfig = 64 << 10

const configTemplate = `# Angelpost. Fill in, then: angelpost doctor -config %[1]s

# Where players write. {token} stands for what tells one letter's answer from
# another's: your mail server must deliver angelpost+anything@... into the
# mailbox below, or own the whole domain ("{token}@play.example.org").
address = "angelpost+{token}@example.org"

# Who may start games by mail: "anyone", "known" (who has played here) or
# "list" (the addresses in allow).
start = "known"
allow = []

# Who may make leagues by mail: addresses. At the command line you can always.
directors = []

# If your mail server writes Authentication-Results headers, the name it uses
# there; letters it found forged (DMARC or DKIM failed) are then refused.
authserv_id = ""

database = "angelpost.db"

# Remind who has been silent for so many days, once a turn.
remind_days = 4

# Letters a day that one address is answered; more are played all the same and
# answered together the next day.
answers_per_day = 60

# Days of vacation that a player may take in a calendar year: his clocks stand
# still then, in games that have one. 0 for none.
vacation_days = 30

# A directory with a component set of your own, which new games are played with
# unless they name another; empty for the built-in one. A game goes on with the
# set it began with: list in sets the directories of others that games may name,
# and of those that old games still need. A set is called as its directory is.
set = ""
sets = []

[imap]
addr = "imap.example.org:993"
user = "angelpost@example.org"
password_file = "password"  # a file that holds the password and nothing else
tls = "tls"                 # "tls", "starttls" or "none" (none on loopback only)
ca_file = ""                # a certificate authority of your own, if any
folder = "INBOX"

[smtp]
addr = "smtp.example.org:587"
user = "angelpost@example.org"
password_file = "password"
tls = "starttls"
ca_file = ""

[lmtp]
# Only if you run the mail server yourself: it may deliver by LMTP, too, and
# players need not wait until the mailbox is looked at. "127.0.0.1:2424" or
# "unix:/run/angelpost/lmtp"; empty for none. See the README.
addr = ""

[http]
addr = "127.0.0.1:8080"                # where to listen
base_url = "https://play.example.org"  # as players reach it, behind your proxy on this
                                       # machine, which adds X-Forwarded-For: so that who
                                       # guesses at addresses of games is told from others
`

// loadConfig reads and checks a configuration. Unknown keys are errors: a
// misspelt one must not be ignored in silence.
func loadConfig(path string) (*config, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, badUsage("configuration: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return nil, badUsage("configuration %s: %w", path, err)
	}
	if len(text) > maxConfig {
		return nil, badUsage("configuration %s: larger than %d bytes", path, maxConfig)
	}
	c := &config{file: path, text: string(text), RemindDays: 4, AnswersPerDay: 60, VacationDays: 30, Start: "known"}
	meta, err := toml.Decode(string(text), c)
	if err != nil {
		var perr toml.ParseError
		if errors.As(err, &perr) {
			return nil, badUsage("configuration %s, line %d: %s", path, perr.Position.Line, perr.Message)
		}
		return nil, badUsage("configuration %s: %w", path, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, badUsage("%s: there is no key %q", c.at(unknown[0].String()), unknown[0].String())
	}
	if err := c.check(); err != nil {
		key, _, _ := strings.Cut(err.Error(), ":")
		return nil, badUsage("%s: %w", c.at(key), err)
	}
	return c, nil
}

// at is where a key as it is told ("imap.tls") stands: file and line, or the
// file if it is not there.
func (c *config) at(key string) string {
	table, n := "", 0
	for line := range strings.SplitSeq(c.text, "\n") {
		n++
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			table = strings.Trim(line, "[] \t") + "."
		}
		name, _, ok := strings.Cut(line, "=")
		if ok && table+strings.Trim(name, " \t\"'") == key || table == key+"." {
			return fmt.Sprintf("configuration %s, line %d", c.file, n)
		}
	}
	return "configuration " + c.file
}

// Bounds of what a configuration may say.
const (
	maxRemindDays    = 365
	maxAnswersPerDay = 1_000_000
	maxVacationDays  = 365
	tokenLength      = 26 // octets of a token: 128 bits in base32
	maxLocalPart     = 64 // octets, RFC 5321 section 4.5.3.1.1
)

func (c *config) check() error {
	addr, err := mail.ParseAddress(strings.Replace(c.Address, "{token}", strings.Repeat("t", tokenLength), 1))
	switch {
	case strings.Count(c.Address, "{token}") != 1:
		return errors.New(`address: it needs {token} once, as in "angelpost+{token}@example.org"`)
	case err != nil || addr.Name != "":
		return fmt.Errorf("address: %q is no mail address", c.Address)
	case strings.LastIndexByte(addr.Address, '@') > maxLocalPart:
		return fmt.Errorf("address: with a token of %d characters the part before the @ is longer than %d", tokenLength, maxLocalPart)
	case c.Start != "anyone" && c.Start != "known" && c.Start != "list":
		return fmt.Errorf(`start: %q is none of "anyone", "known", "list"`, c.Start)
	case c.Database == "":
		return errors.New("database: it needs a file name")
	case c.RemindDays < 1 || c.RemindDays > maxRemindDays:
		return fmt.Errorf("remind_days: it must be 1 to %d", maxRemindDays)
	case c.AnswersPerDay < 1 || c.AnswersPerDay > maxAnswersPerDay:
		return fmt.Errorf("answers_per_day: it must be 1 to %d", maxAnswersPerDay)
	case c.VacationDays < 0 || c.VacationDays > maxVacationDays:
		return fmt.Errorf("vacation_days: it must be 0 to %d", maxVacationDays)
	}
	for _, m := range []struct {
		name string
		s    mailServer
	}{{"imap", c.IMAP}, {"smtp", c.SMTP}} {
		if err := m.s.check(); err != nil {
			return fmt.Errorf("%s.%w", m.name, err)
		}
	}
	if c.LMTP.Addr != "" {
		if err := lmtp.Check(c.LMTP.Addr); err != nil {
			return fmt.Errorf("lmtp.addr: %w", err)
		}
	}
	if u, err := url.Parse(c.HTTP.BaseURL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" {
		return fmt.Errorf(`http.base_url: %q is not like "https://play.example.org"`, c.HTTP.BaseURL)
	}
	if _, _, err := net.SplitHostPort(c.HTTP.Addr); err != nil {
		return fmt.Errorf("http.addr: %w", err)
	}
	return nil
}

func (m mailServer) check() error {
	host, _, err := net.SplitHostPort(m.Addr)
	if err != nil {
		return fmt.Errorf("addr: %w", err)
	}
	switch m.TLS {
	case "tls", "starttls":
	case "none":
		if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return errors.New(`tls: "none" is for this machine only; passwords must not cross a network in the clear`)
		}
	default:
		return fmt.Errorf(`tls: %q is none of "tls", "starttls", "none"`, m.TLS)
	}
	return nil
}

// path is a path in the configuration, relative to the file's own directory.
func (c *config) path(p string) string {
	if p == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(filepath.Dir(c.file), p)
}

// files checks that what the mail servers need besides the configuration can be
// read: a daemon that starts without its password would only fail in its log.
func (c *config) files() error {
	for _, f := range []struct{ key, path string }{
		{"imap.password_file", c.IMAP.PasswordFile}, {"imap.ca_file", c.IMAP.CAFile},
		{"smtp.password_file", c.SMTP.PasswordFile}, {"smtp.ca_file", c.SMTP.CAFile},
	} {
		if f.path == "" {
			continue
		}
		r, err := os.Open(c.path(f.path))
		if err != nil {
			return badEnvironment(fmt.Errorf("%s: %s: %w", c.at(f.key), f.key, err))
		}
		r.Close()
	}
	return nil
}

// flags is a flag set that talks to stderr and says what its command takes:
// flags, and behind them these words.
func flags(name, words string, stderr io.Writer) *flag.FlagSet {
	fs := flag.NewFlagSet("angelpost "+name, flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprintln(stderr, strings.TrimSpace("Usage: "+fs.Name()+" [flags] "+words))
		fs.PrintDefaults()
	}
	return fs
}

func runInit(args []string, stdout, stderr io.Writer) int {
	fs := flags("init", "", stderr)
	path := fs.String("config", "angelpost.toml", "the file to write")
	if code := parse(fs, args, 0); code != goOn {
		return code
	}
	f, err := os.OpenFile(*path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return exit(stderr, "init", badEnvironment(err))
	}
	_, err = fmt.Fprintf(f, configTemplate, *path)
	if err = errors.Join(err, f.Close()); err != nil {
		return exit(stderr, "init", badEnvironment(err))
	}
	fmt.Fprintf(stderr, "Written: %s. Fill it in, then: angelpost doctor -config %s\n", *path, *path)
	fmt.Fprintln(stdout, *path)
	return exitYes
}
