package server

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/BurntSushi/toml"

	"angelpost/cmd/internal/cli"
	"angelpost/cmd/internal/shards"
	"angelpost/mail/lmtp"
	"angelpost/mail/login"
)

// Config is the file that `init` writes and everything but the demo reads.
type Config struct {
	Address       string      `toml:"address"`
	Former        []string    `toml:"former_addresses"`
	Alarms        string      `toml:"host"`
	Start         string      `toml:"start"`
	Allow         []string    `toml:"allow"`
	Directors     []string    `toml:"directors"`
	Friends       []string    `toml:"friends"`
	Reporters     []string    `toml:"abuse_reporters"`
	AuthservID    string      `toml:"authserv_id"`
	CheckSenders  bool        `toml:"check_senders"`
	ReceivedBy    []string    `toml:"received_by"`
	Database      string      `toml:"database"`
	Standby       bool        `toml:"standby"`
	RemindDays    int         `toml:"remind_days"`
	AnswersPerDay int         `toml:"answers_per_day"`
	VacationDays  int         `toml:"vacation_days"`
	KeepDays      int         `toml:"keep_days"`
	Set           string      `toml:"set"`
	Sets          []string    `toml:"sets"`
	IMAP          imapServer  `toml:"imap"`
	SMTP          smtpServer  `toml:"smtp"`
	OAuth         oauthConfig `toml:"oauth"`
	DKIM          dkimConfig  `toml:"dkim"`
	LMTP          struct {
		Addr string `toml:"addr"`
	} `toml:"lmtp"`
	HTTP struct {
		Addr           string   `toml:"addr"`
		BaseURL        string   `toml:"base_url"`
		Former         []string `toml:"former_urls"`
		TrustedProxies []string `toml:"trusted_proxies"`
	} `toml:"http"`

	Metrics struct {
		Addr string `toml:"addr"`
	} `toml:"metrics"`

	Backup struct {
		Folder string `toml:"folder"`
		Daily  int    `toml:"daily"`
		Weekly int    `toml:"weekly"`
	} `toml:"backup"`
	Replica  ReplicaConfig `toml:"replica"`
	Privacy  privacyConfig `toml:"privacy"`
	Shard    string        `toml:"shard"`
	Siblings shards.List   `toml:"sibling"`
	Log      struct {
		Format string `toml:"format"`
		Level  string `toml:"level"`
	} `toml:"log"`

	file, text string       // as read: for what is wrong, and relative paths start at the file
	Token      *login.OAuth // of [oauth]; nil if nothing uses it
}

type mailServer struct {
	Addr         string `toml:"addr"`
	User         string `toml:"user"`
	PasswordFile string `toml:"password_file"`
	Password     string `toml:"password_command"`
	TLS          string `toml:"tls"`
	CAFile       string `toml:"ca_file"`
	Folder       string `toml:"folder"`
}

type imapServer struct {
	mailServer
	Junk string `toml:"junk"`
}

type smtpServer struct {
	mailServer
	Connections int `toml:"connections"`
	PerMinute   int `toml:"per_minute"`
	PerDay      int `toml:"per_day"`
}

const maxConfig = 64 << 10

const ConfigTemplate = `# Angelpost. Fill in this file, then run: angelpost doctor -config %[1]s
#
# On SIGHUP a running server reads this file again. It applies host, start, allow,
# directors, friends, abuse_reporters, remind_days, answers_per_day, vacation_days, keep_days, [privacy],
# [[sibling]], and the password and certificate files; everything else needs a restart. If
# anything is wrong, the server keeps its old settings and says so in its log.

# The address that players write to. The server replaces {token} in each letter, so
# your mail server must deliver angelpost+anything@... into the mailbox below, or
# own the whole domain ("{token}@play.example.org").
address = "angelpost+{token}@example.org"

# If the server has moved: the addresses that it had before, each with {token}, the oldest
# first. Answers to its letters still go there, so have that mail delivered here, too.
former_addresses = []

# Players who may start games by mail: "anyone", "known" (if they have played here, or you
# name them in host, directors or friends) or "list" (the addresses in allow).
start = "known"
allow = []

# Your own address: if something goes wrong, the server writes to you, once a day for
# each kind of trouble, and tells you when it is over. "" for no letters. Your first letter
# from there can be "new game".
host = ""

# Addresses that may make leagues by mail. You can always do so at the command line.
directors = []

# Addresses of people you know, such as the members of your club: the server answers more of
# their letters, even before they have played. "club.example.org" means all addresses of
# that domain; it counts only for letters that pass DMARC. Orders need a reply to a letter
# of the server all the same.
friends = []

# If a player presses "spam", some mail providers report that to you, and the server mutes the game
# for that player. It believes reports that pass DMARC or DKIM and come from the domain of the
# player's address, or from an address that you name here, such as "staff@hotmail.com". It only
# lists all others ("angelpost reports").
abuse_reporters = []

# If your mail server adds Authentication-Results headers, the name it uses in them.
# Angelpost then refuses letters that failed DMARC or DKIM, and does not limit
# letters that passed DMARC as strictly as letters that anyone could forge. If it
# can't read the result for a player's letter, it asks the player first.
authserv_id = ""

# If it adds none, Angelpost can check DKIM signatures and DMARC itself, by DNS.
check_senders = false

# Orders are in time if they are in the mailbox by the deadline. If your mail server may
# bring letters there late, the names that it writes after "by" in the Received field that
# it adds as the last one. Then the time in that field counts. Name no host that adds none:
# anyone could write such a field.
received_by = []

database = "angelpost.db"

# If another machine stands by with a copy of the database, set this to true on both.
# This server then sends nothing while it cannot reach the mailbox, because it could
# not notice that the other one has taken over. See HOSTING.md.
standby = false

# Remind a player once per turn after this many silent days.
remind_days = 4

# Answers a day to one address. Angelpost still reads further letters; it answers
# those that move a game at once, the others together the next day.
answers_per_day = 60

# Days of vacation per player and calendar year; the player's clocks stand still
# on these days. 0 for none.
vacation_days = 30

# Days for which letters are kept, in the database and in the mailbox's folder
# Angelpost/Done (60 at least): first packed, without what they quote, and then deleted.
keep_days = 400

# A directory with your own component set, which new games use unless they name
# another; empty for the built-in one. A game keeps the set it began with. In sets,
# list the directories of other sets that games may name or still need. A set has
# the name of its directory.
set = ""
sets = []

[imap]
addr = "imap.example.org:993"
user = "angelpost@example.org"
password_file = "password"  # a file with only the password, which no one but
                            # the server's user can read; or "" and password_command,
                            # a command line that prints it, as in "pass show mail";
                            # or neither of them and [oauth] below
tls = "tls"                 # "tls", "starttls" or "none" (none on loopback only)
ca_file = ""                # your own certificate authority, if you have one
folder = "INBOX"
# The folder into which your mail server puts spam. If a letter there answers one of Angelpost's
# and passed the check of its sender (authserv_id or check_senders), Angelpost moves it to folder.
# "auto" finds the folder; "off" leaves all letters there.
junk = "auto"

[smtp]
addr = "smtp.example.org:587"
user = "angelpost@example.org"
password_file = "password"
tls = "starttls"
ca_file = ""
connections = 40            # at most; it needs two unless letters stall
per_minute = 0              # letters that your provider lets you send; 0 for any
per_day = 0                 # number. Others wait, answers and turns go first

[oauth]
# For Gmail and Microsoft 365, which take no passwords: "google" or "microsoft". Log in
# with angelpost login, which keeps the refresh token in token_file, for imap and smtp.
# mailboxes.md says where to get client_id and the file with the client's secret.
provider = ""
client_id = ""
client_secret_file = ""
token_file = "oauth"
tenant = ""  # of Microsoft 365, if your organisation's app needs it

[dkim]
# If your mail server does not sign letters, Angelpost can: choose a selector, such as
# "angelpost", and angelpost dkim makes the key and prints what to enter in DNS.
selector = ""
domain = ""  # the one in address, if empty
key_file = "dkim.pem"

[lmtp]
# Only if you run the mail server yourself: it can also deliver by LMTP, and
# Angelpost gets letters at once. "127.0.0.1:2424" or "unix:/run/angelpost/lmtp";
# empty for none. See HOSTING.md.
addr = ""

[http]
addr = "127.0.0.1:8080"                # where to listen
base_url = "https://play.example.org"  # the public address of your proxy
former_urls = []                       # those it had before; links to them lead to base_url
# The addresses or networks of your proxies, which add X-Forwarded-For. Angelpost
# trusts no one else's, and uses it to slow down clients that ask too often or
# guess addresses of games.
trusted_proxies = ["127.0.0.0/8", "::1"]

[metrics]
# Where to answer /metrics (for Prometheus), /healthz and /readyz, for example
# "127.0.0.1:9090"; empty for nowhere. Keep it private. See HOSTING.md.
addr = ""

[backup]
# Once a day the server copies its database to this folder and checks the copy; "" for
# no backups. It keeps the last so many days and, of the weeks before them, the first
# copy of each. Copies hold hidden cards and keys: keep them as secret as the database,
# and copy them to another machine.
folder = "backups"
daily = 7
weekly = 4

[replica]
# If Litestream (0.5) copies the database to another place, the path of its control socket.
# The server then answers no letter, and files none away, before the copy has what the
# letter did: if this machine dies, no move that we answered is lost. See HOSTING.md.
litestream = ""
away = "wait"  # while the copy cannot be reached: "wait" answers nothing; "go on" answers,
               # and what is played meanwhile is on this machine only. The alarm is replica

# For two machines that run angelpost standby: where both keep the replica. They run Litestream
# themselves, with litestream above as its socket.
url = ""

[privacy]
# What the page /privacy says besides what this file says already.
host = ""     # your name
contact = ""  # an address at which you answer questions about players' data
note = ""     # a sentence or two of your own, such as what your proxy logs
copies_days = 0  # for how many days a replica, snapshots of the disk and other copies are kept. 0: the
                 # page names the days of [backup]; with a replica it has players ask you

# If you run several servers that share your players, name this one at the top of this file, with
# 2 to 4 of the characters a-z and 2-7, as in shard = "ea". Its games' ids begin with that. Then
# list the others, each like this. Letters and visitors that come to the wrong server learn
# which one is right. See HOSTING.md.
# [[sibling]]
# shard = "we"
# address = "angelpost+{token}@west.example.org"
# url = "https://west.example.org"

[log]
format = "text"  # "text" or "json": one line or one JSON object an entry
level = "info"   # "debug", "info", "warn" or "error": leave out what matters less
`

// LoadConfig reads and checks a configuration. Unknown keys are errors: a
// misspelt one must not be ignored in silence.
func LoadConfig(path string) (*Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, cli.BadUsage("configuration: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return nil, cli.BadUsage("configuration %s: %w", path, err)
	}
	if len(text) > maxConfig {
		return nil, cli.BadUsage("configuration %s: larger than %d bytes", path, maxConfig)
	}
	c := &Config{file: path, text: string(text), RemindDays: 4, AnswersPerDay: 60, VacationDays: 30, KeepDays: 400, Start: "known", IMAP: imapServer{Junk: junkAuto}, SMTP: smtpServer{Connections: 40}, OAuth: oauthConfig{TokenFile: "oauth"}, DKIM: dkimConfig{KeyFile: "dkim.pem"}}
	c.Backup.Daily, c.Backup.Weekly = 7, 4
	c.Replica.Away = awayWait
	meta, err := toml.Decode(string(text), c)
	if err != nil {
		var perr toml.ParseError
		if errors.As(err, &perr) {
			return nil, cli.BadUsage("configuration %s, line %d: %s", path, perr.Position.Line, perr.Message)
		}
		return nil, cli.BadUsage("configuration %s: %w", path, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, cli.BadUsage("%s: there is no key %q", c.At(unknown[0].String()), unknown[0].String())
	}
	if err := c.check(); err != nil {
		key, _, _ := strings.Cut(err.Error(), ":")
		return nil, cli.BadUsage("%s: %w", c.At(key), err)
	}
	return c, c.asOwner()
}

// asOwner refuses to work as root on the database of another user, who could not open files
// that root makes next to it.
func (c *Config) asOwner() error {
	path := c.Path(c.Database)
	if !cli.Exists(path) {
		path = filepath.Dir(path) // where it will be
	}
	info, err := os.Stat(path)
	if err != nil || os.Geteuid() != 0 {
		return nil // opening it says what is wrong
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || stat.Uid == 0 {
		return nil
	}
	name := strconv.Itoa(int(stat.Uid))
	if u, err := user.LookupId(name); err == nil {
		name = u.Username
	}
	return cli.BadUsage("the database belongs to the user %s, and root must not work on it: sudo -u %[1]s angelpost ...", name)
}

// At says where a key such as "imap.tls" is set: the file and the line, or only the file
// if it is not set.
func (c *Config) At(key string) string {
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
	minKeepDays      = 60 // questions are open and directors may be silent for weeks: by their letters we know
	maxKeepDays      = 36500
	maxConnections   = 1000
	maxPerDay        = 100_000 // letters; beyond that the limit is the machine's
	tokenLength      = 26      // octets of a token without room for more: 128 bits in base32
	maxLocalPart     = 64      // octets, RFC 5321 section 4.5.3.1.1
)

// basePath is the path below which the pages may be.
var basePath = regexp.MustCompile(`^(/[A-Za-z0-9_~-]+)*/?$`)

// checkPattern says what is wrong with an address that has a place for tokens.
func checkPattern(pattern string) error {
	addr, err := mail.ParseAddress(strings.Replace(pattern, "{token}", strings.Repeat("t", tokenLength), 1))
	switch {
	case strings.Count(pattern, "{token}") != 1:
		return errors.New(`it needs {token} once, as in "angelpost+{token}@example.org"`)
	case err != nil || addr.Name != "":
		return fmt.Errorf("%q is not a mail address", pattern)
	case strings.LastIndexByte(addr.Address, '@') > maxLocalPart:
		return fmt.Errorf("with a token of %d characters the part before the @ is longer than %d", tokenLength, maxLocalPart)
	}
	return nil
}

func (c *Config) check() error {
	for _, former := range c.Former {
		if err := checkPattern(former); err != nil {
			return fmt.Errorf("former_addresses: %w", err)
		}
		if strings.EqualFold(former, c.Address) {
			return fmt.Errorf("former_addresses: %q is the present address", former)
		}
	}
	switch err := checkPattern(c.Address); {
	case err != nil:
		return fmt.Errorf("address: %w", err)
	case c.Alarms != "" && (NormalizeAddress(c.Alarms) == "" || c.Own(NormalizeAddress(c.Alarms))):
		return fmt.Errorf("host: %q is not an address at which you read letters", c.Alarms)
	case c.Start != "anyone" && c.Start != "known" && c.Start != "list":
		return fmt.Errorf(`start: %q is none of "anyone", "known", "list"`, c.Start)
	case slices.ContainsFunc(c.Reporters, func(a string) bool { return NormalizeAddress(a) == "" }):
		return errors.New("abuse_reporters: write mail addresses, such as \"staff@hotmail.com\"")
	case c.checkFriends() != nil:
		return c.checkFriends()
	case slices.ContainsFunc(c.ReceivedBy, func(host string) bool { return host == "" || strings.ContainsAny(host, " \t@;()") }):
		return errors.New("received_by: it takes names of hosts, such as \"mx.example.org\"")
	case c.CheckSenders && c.AuthservID != "":
		return errors.New("check_senders: your mail server checks letters, as authserv_id says; use one of the two")
	case c.IMAP.Junk == "":
		return errors.New(`imap.junk: write "auto", "off" or the name of a folder`)
	case c.Database == "":
		return errors.New("database: it needs a file name")
	case c.RemindDays < 1 || c.RemindDays > maxRemindDays:
		return fmt.Errorf("remind_days: it must be 1 to %d", maxRemindDays)
	case c.AnswersPerDay < 1 || c.AnswersPerDay > maxAnswersPerDay:
		return fmt.Errorf("answers_per_day: it must be 1 to %d", maxAnswersPerDay)
	case c.VacationDays < 0 || c.VacationDays > maxVacationDays:
		return fmt.Errorf("vacation_days: it must be 0 to %d", maxVacationDays)
	case c.KeepDays < minKeepDays || c.KeepDays > maxKeepDays:
		return fmt.Errorf("keep_days: it must be %d to %d", minKeepDays, maxKeepDays)
	}
	for _, m := range []struct {
		name string
		s    mailServer
	}{{"imap", c.IMAP.mailServer}, {"smtp", c.SMTP.mailServer}} {
		if err := m.s.check(); err != nil {
			return fmt.Errorf("%s.%w", m.name, err)
		}
	}
	if err := c.OAuth.check(); err != nil {
		return fmt.Errorf("oauth.%w", err)
	}
	c.Token = c.oauth()
	if err := c.DKIM.check(); err != nil {
		return fmt.Errorf("dkim.%w", err)
	}
	if err := c.Privacy.check(); err != nil {
		return fmt.Errorf("privacy.%w", err)
	}
	if c.SMTP.Connections < 1 || c.SMTP.Connections > maxConnections {
		return fmt.Errorf("smtp.connections: it must be 1 to %d", maxConnections)
	}
	if n := c.SMTP.PerMinute; n < 0 || n > maxPerDay {
		return fmt.Errorf("smtp.per_minute: it must be 0 to %d", maxPerDay)
	}
	if n := c.SMTP.PerDay; n < 0 || n > maxPerDay {
		return fmt.Errorf("smtp.per_day: it must be 0 to %d", maxPerDay)
	}
	if c.LMTP.Addr != "" {
		if err := lmtp.Check(c.LMTP.Addr); err != nil {
			return fmt.Errorf("lmtp.addr: %w", err)
		}
	}
	if u, err := url.Parse(c.HTTP.BaseURL); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" {
		return fmt.Errorf(`http.base_url: %q is not like "https://play.example.org"`, c.HTTP.BaseURL)
	} else if !basePath.MatchString(u.EscapedPath()) || u.Fragment != "" {
		return fmt.Errorf(`http.base_url: after the host, %q may have only a path of letters, digits, "-", "_" and "~", like "/angelpost"`, c.HTTP.BaseURL)
	}
	for _, former := range c.HTTP.Former {
		base, _ := url.Parse(c.HTTP.BaseURL)
		switch u, err := url.Parse(former); {
		case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "":
			return fmt.Errorf(`http.former_urls: %q is not like "https://play.example.org"`, former)
		case strings.EqualFold(u.Host, base.Host) && strings.TrimRight(u.EscapedPath(), "/") == strings.TrimRight(base.EscapedPath(), "/"):
			return fmt.Errorf("http.former_urls: %q is where base_url is", former)
		}
	}
	if _, _, err := net.SplitHostPort(c.HTTP.Addr); err != nil {
		return fmt.Errorf("http.addr: %w", err)
	}
	if c.Metrics.Addr != "" {
		if _, _, err := net.SplitHostPort(c.Metrics.Addr); err != nil {
			return fmt.Errorf("metrics.addr: %w", err)
		}
	}
	if _, err := c.trustedProxies(); err != nil {
		return fmt.Errorf("http.trusted_proxies: %w", err)
	}
	switch {
	case c.Backup.Daily < 1 || c.Backup.Daily > maxBackups:
		return fmt.Errorf("backup.daily: it must be 1 to %d", maxBackups)
	case c.Backup.Weekly < 0 || c.Backup.Weekly > maxBackups:
		return fmt.Errorf("backup.weekly: it must be 0 to %d", maxBackups)
	}
	if err := c.Replica.check(); err != nil {
		return fmt.Errorf("replica.%w", err)
	}
	if err := shards.Check(c.Shard, c.Address, c.Siblings); err != nil {
		return err
	}
	switch _, known := logLevels[c.Log.Level]; {
	case !known:
		return fmt.Errorf(`log.level: %q is none of "debug", "info", "warn", "error"`, c.Log.Level)
	case c.Log.Format != "" && c.Log.Format != "text" && c.Log.Format != "json":
		return fmt.Errorf(`log.format: %q is neither "text" nor "json"`, c.Log.Format)
	}
	return nil
}

// trustedProxies are the networks whose X-Forwarded-For is believed; nil if the
// configuration does not say.
func (c *Config) trustedProxies() (out []netip.Prefix, err error) {
	if c.HTTP.TrustedProxies == nil {
		return nil, nil
	}
	out = []netip.Prefix{}
	for _, text := range c.HTTP.TrustedProxies {
		network, err := netip.ParsePrefix(text)
		if at, e := netip.ParseAddr(text); e == nil && at.Zone() == "" {
			at = at.Unmap()
			network, err = netip.PrefixFrom(at, at.BitLen()), nil
		}
		if err != nil || network.Addr().Is4In6() {
			return nil, fmt.Errorf(`%q is neither an address nor a network such as "10.0.0.0/8"`, text)
		}
		out = append(out, network)
	}
	return out, nil
}

func (m mailServer) check() error {
	host, _, err := net.SplitHostPort(m.Addr)
	if err != nil {
		return fmt.Errorf("addr: %w", err)
	}
	if m.PasswordFile != "" && m.Password != "" {
		return errors.New("password_command: set it or password_file, not both")
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

// Path is a path in the configuration, relative to the file's own directory.
func (c *Config) Path(p string) string {
	if p == "" || filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(filepath.Dir(c.file), p)
}

// Files checks that what the mail servers need besides the configuration can be
// used: a daemon without its password would only fail in its log.
func (c *Config) Files() error {
	for _, f := range c.Secrets() {
		if err := firstLine(f.Path); err != nil {
			if f.Key == "oauth.token_file" {
				err = fmt.Errorf("%w; %w", err, login.ErrLogin)
			}
			return cli.BadEnvironment(fmt.Errorf("%s: %s: %w", c.At(f.Key), f.Key, err))
		}
	}
	_, err := c.Signer()
	for _, f := range []struct {
		table string
		err   error
	}{{"dkim", err}, {"imap", c.Mailbox(nil).Check()}, {"smtp", c.OutboxServer().Check()}} {
		if f.err != nil {
			return cli.BadEnvironment(fmt.Errorf("%s: %w", c.At(f.table), f.err))
		}
	}
	return nil
}

// A secret is a file that holds a password or a token.
type secret struct{ Key, Path string }

// Secrets are the files that hold passwords, each once.
func (c *Config) Secrets() (out []secret) {
	for _, s := range append([]secret{{"imap.password_file", c.Path(c.IMAP.PasswordFile)}, {"smtp.password_file", c.Path(c.SMTP.PasswordFile)}}, append(c.tokenFiles(), c.keyFiles()...)...) {
		if s.Path != "" && !slices.ContainsFunc(out, func(o secret) bool { return o.Path == s.Path }) {
			out = append(out, s)
		}
	}
	return out
}

// firstLine holds that a file has one, which is the password.
func firstLine(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	switch line, err := bufio.NewReader(f).ReadSlice('\n'); {
	case err != nil && err != io.EOF && err != bufio.ErrBufferFull:
		return err
	case len(bytes.TrimSpace(line)) == 0:
		return fmt.Errorf("the first line of %s is empty", path)
	}
	return nil
}
