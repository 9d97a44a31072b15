package mailhost

import (
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-smtp"
)

// Config says what a Host is. Dir and Accounts must be set; each comment gives the default for
// a zero value.
type Config struct {
	IMAPAddr  string   // host:port, loopback; "127.0.0.1:0"
	SMTPAddr  string   // likewise
	Dir       string   // where letters are kept, one folder an account; created if missing
	Domain    string   // "demo.localhost"
	Accounts  []string // local parts in lower case, e.g. "alpha"
	Password  string   // of every account; "demo"
	MaxLetter int64    // octets of one letter; 40 MiB
	Log       *slog.Logger
	// Token reports whether an access token holds for a user; nil: there are none.
	Token func(user, token string) bool
}

// Host is a running mail server.
type Host struct {
	config   Config
	starts   uint32 // how often this folder's host was started, this time included
	accounts map[string]*account

	imapListener, smtpListener net.Listener
	imapServer                 *imapserver.Server
	smtpServer                 *smtp.Server
	serving                    sync.WaitGroup
}

var localPart = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,40}$`)

// Start reads the letters kept in c.Dir and serves them until Close. It fails
// when an address is taken or not on loopback, or the folder cannot be used.
func Start(c Config) (_ *Host, err error) {
	setDefault(&c.IMAPAddr, "127.0.0.1:0")
	setDefault(&c.SMTPAddr, "127.0.0.1:0")
	setDefault(&c.Domain, "demo.localhost")
	setDefault(&c.Password, "demo")
	setDefault(&c.MaxLetter, 40<<20)
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Dir == "" || len(c.Accounts) == 0 || c.MaxLetter > math.MaxUint32 {
		return nil, errors.New("mailhost: a folder, an account and a letter size below 4 GiB are needed")
	}
	h := &Host{config: c, accounts: make(map[string]*account)}
	defer func() {
		if err != nil {
			h.Close()
			err = fmt.Errorf("mailhost: %w", err)
		}
	}()
	if h.imapListener, err = listen(c.IMAPAddr); err != nil {
		return nil, err
	}
	if h.smtpListener, err = listen(c.SMTPAddr); err != nil {
		return nil, err
	}
	if err = makeDir(c.Dir); err != nil {
		return nil, err
	}
	if h.starts, err = countStart(filepath.Join(c.Dir, "starts")); err != nil {
		return nil, err
	}
	for _, name := range c.Accounts {
		if !localPart.MatchString(name) || strings.Contains(name, "..") {
			return nil, fmt.Errorf("%q is not a local part", name)
		}
		if h.accounts[name], err = openAccount(c.Dir, name); err != nil {
			return nil, err
		}
	}
	h.serveIMAP()
	h.serveSMTP()
	return h, nil
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	if tcp := l.Addr().(*net.TCPAddr); !tcp.IP.IsLoopback() {
		l.Close()
		return nil, fmt.Errorf("%s is not a loopback address, and this host has no TLS", addr)
	}
	return l, nil
}

func countStart(path string) (uint32, error) {
	raw, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return 0, err
	}
	n, _ := strconv.ParseUint(strings.TrimSpace(string(raw)), 10, 16) // unreadable: count from 0
	n = n%math.MaxUint16 + 1
	return uint32(n), writeDurably(path, []byte(strconv.FormatUint(n, 10)+"\n"))
}

// logPrintf lets both servers' own complaints go to the log.
type logPrintf struct{ log *slog.Logger }

func (l logPrintf) Printf(format string, args ...any) {
	l.log.Debug("mailhost: " + fmt.Sprintf(format, args...))
}
func (l logPrintf) Println(args ...any) { l.log.Debug("mailhost: " + fmt.Sprint(args...)) }

func (h *Host) serveIMAP() {
	h.imapServer = imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return &imapSession{host: h}, nil, nil
		},
		Caps:         imap.CapSet{imap.CapIMAP4rev1: {}, imap.CapIMAP4rev2: {}},
		InsecureAuth: true, // loopback only
		Logger:       logPrintf{h.config.Log},
	})
	h.serving.Go(func() { h.imapServer.Serve(h.imapListener) })
}

func (h *Host) serveSMTP() {
	h.smtpServer = smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &smtpSession{host: h, helo: c.Hostname()}, nil
	}))
	h.smtpServer.Domain = h.config.Domain
	h.smtpServer.MaxMessageBytes = h.config.MaxLetter
	h.smtpServer.MaxLineLength = int(h.config.MaxLetter) // beyond it the connection ends without a reply
	h.smtpServer.MaxRecipients = 50
	h.smtpServer.ReadTimeout = time.Minute
	h.smtpServer.WriteTimeout = time.Minute
	h.smtpServer.AllowInsecureAuth = true // loopback only
	h.smtpServer.ErrorLog = logPrintf{h.config.Log}
	h.serving.Go(func() { h.smtpServer.Serve(h.smtpListener) })
}

// IMAPAddr is where IMAP is served, as host:port.
func (h *Host) IMAPAddr() string { return h.imapListener.Addr().String() }

// SMTPAddr is where SMTP is served, as host:port.
func (h *Host) SMTPAddr() string { return h.smtpListener.Addr().String() }

// Address is the mail address of an account.
func (h *Host) Address(account string) string { return account + "@" + h.config.Domain }

// Close hangs up on all clients. What was acknowledged is on disk.
func (h *Host) Close() error {
	var errs []error
	hangUp := func(c io.Closer) {
		if err := c.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	// The listeners end first: if a server closes while it begins to serve, it registers its
	// listener after Close (imapserver), which then never closes it.
	if h.imapListener != nil {
		hangUp(h.imapListener)
	}
	if h.smtpListener != nil {
		hangUp(h.smtpListener)
	}
	h.serving.Wait()
	if h.imapServer != nil {
		hangUp(h.imapServer)
	}
	if h.smtpServer != nil {
		hangUp(h.smtpServer)
	}
	return errors.Join(errs...)
}

// account returns the account that gets letters to address, or nil: the local part
// up to the first "+", in any case, at this host's domain.
func (h *Host) account(address string) *account {
	at := strings.LastIndexByte(address, '@')
	if at < 0 || !strings.EqualFold(address[at+1:], h.config.Domain) {
		return nil
	}
	name, _, _ := strings.Cut(strings.ToLower(address[:at]), "+")
	return h.accounts[name]
}

// login returns the account when the password is right, or nil.
func (h *Host) login(username, password string) *account {
	if subtle.ConstantTimeCompare([]byte(password), []byte(h.config.Password)) != 1 {
		return nil
	}
	if !strings.Contains(username, "@") {
		username = h.Address(username)
	}
	return h.account(username)
}
