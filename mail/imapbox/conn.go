package imapbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"angelpost/mail/internal/wire"
	"angelpost/mail/login"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-sasl"
)

// conn is one IMAP connection, logged in. Every command goes through exchange.
type conn struct {
	Config
	line   *line
	client *imapclient.Client
	stop   func() bool   // ends the watch over the context
	news   chan struct{} // the server told of letters

	folder     string // the watched one, as this server spells it
	filing     Folders
	validity   uint32
	delim      string
	junk       string // the folder of spam; "": not known
	prefix     string // of personal folders, e.g. "INBOX."
	canIdle    bool
	canMove    bool
	canExpunge bool // letters by their UIDs
	canQuota   bool
	canMark    bool            // say what folders are for
	known      map[string]bool // folders known to exist
	sure       time.Time       // when UIDs were last known to mean the letters they meant before
	stillThere map[imap.UID]handled
	delivered  []imap.UID             // letters in the folder of claims that came by post, when the claims were listed
	claimState claimState             // when the claims were listed
	lacksNext  bool                   // SELECT does not tell the next UID
	asked      bool                   // someone waits for a look at the claims
	seen       map[imap.UID]bool      // the letters that the last look found
	fresh      map[imap.UID]time.Time // those that the one before had not; when they arrived, once that is known
}

// handled is a letter that is to be filed away, and what tells it from another
// with its UID.
type handled struct {
	to   Disposition
	size int64
	date time.Time
}

// connect dials, logs in and learns how the server spells folders. c must be
// complete. The connection closes when ctx ends.
func connect(ctx context.Context, c Config) (*conn, error) {
	k, err := connectOnce(ctx, c)
	if errors.Is(err, errOldToken) {
		k, err = connectOnce(ctx, c) // with another
	}
	if err != nil {
		return nil, err
	}
	return k, nil
}

func connectOnce(ctx context.Context, c Config) (_ *conn, err error) {
	netConn, err := c.wire().Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("imap: %w", err)
	}
	l := newLine(netConn)
	k := &conn{
		Config:     c,
		line:       l,
		stop:       l.watch(ctx),
		news:       make(chan struct{}, 1),
		known:      make(map[string]bool),
		stillThere: make(map[imap.UID]handled),
		fresh:      make(map[imap.UID]time.Time),
	}
	defer func() {
		if err != nil {
			k.close()
		}
	}()
	options := &imapclient.Options{UnilateralDataHandler: &imapclient.UnilateralDataHandler{
		Mailbox: func(data *imapclient.UnilateralDataMailbox) {
			if data.NumMessages != nil {
				select {
				case k.news <- struct{}{}:
				default: // never block here: the library reads nothing meanwhile
				}
			}
		},
	}}
	k.client, err = ask(k, "greeting", func() (*imapclient.Client, error) {
		if c.TLS != wire.StartTLS {
			client := imapclient.New(l, options)
			return client, client.WaitGreeting()
		}
		config, err := c.wire().ClientConfig()
		if err != nil {
			return nil, err
		}
		options.TLSConfig = config
		return imapclient.NewStartTLS(l, options)
	})
	if err != nil {
		return nil, err
	}
	if err = k.login(ctx); err != nil {
		return nil, err
	}
	return k, k.learn()
}

// errOldToken is a refusal of an access token.
var errOldToken = errors.New("the access token was refused")

func (k *conn) login(ctx context.Context) error {
	secret, err := k.Secret.Get(ctx)
	if err != nil {
		return fmt.Errorf("imap: %w", err)
	}
	return k.do("login as "+k.User, func() error {
		caps := k.client.Caps()
		switch {
		case k.Secret.Token():
			client, err := login.Client(k.User, secret, k.Addr, func(m string) bool { return caps.Has(imap.AuthCap(m)) })
			if err != nil {
				return err
			}
			err = k.client.Authenticate(client)
			if refusal := new(imap.Error); errors.As(err, &refusal) {
				k.Secret.Refused(secret)
				err = fmt.Errorf("%w: %w", errOldToken, err)
			}
			return err
		case caps.Has(imap.CapLoginDisabled):
			return k.client.Authenticate(sasl.NewPlainClient("", k.User, secret))
		}
		return k.client.Login(k.User, secret).Wait()
	})
}

// learn asks what the server can do and how it names folders.
func (k *conn) learn() error {
	type spelling struct {
		caps          imap.CapSet
		delim, prefix string
	}
	client := k.client
	s, err := ask(k, "capabilities and namespace", func() (s spelling, err error) {
		s.caps, s.delim = client.Caps(), "/"
		list, err := client.List("", "", nil).Collect()
		if err != nil {
			return s, err
		}
		if len(list) > 0 && list[0].Delim != 0 {
			s.delim = string(list[0].Delim)
		}
		if s.caps.Has(imap.CapNamespace) {
			spaces, err := client.Namespace().Wait()
			if err != nil {
				return s, err
			}
			if len(spaces.Personal) > 0 {
				s.prefix = spaces.Personal[0].Prefix
				if d := spaces.Personal[0].Delim; d != 0 {
					s.delim = string(d)
				}
			}
		}
		return s, nil
	})
	if err != nil {
		return err
	}
	k.canIdle, k.canMove, k.canExpunge = s.caps.Has(imap.CapIdle), s.caps.Has(imap.CapMove), s.caps.Has(imap.CapUIDPlus)
	k.canQuota = s.caps.Has(imap.CapQuota)
	k.canMark = s.caps.Has(imap.CapSpecialUse) && s.caps.Has(imap.CapListExtended)
	k.delim, k.prefix = s.delim, s.prefix
	k.folder = k.spell(k.Folder)
	k.filing = Folders{Done: k.spell(k.Folders.Done), Failed: k.spell(k.Folders.Failed), TooLarge: k.spell(k.Folders.TooLarge), Claim: k.spell(k.Folders.Claim)}
	return nil
}

// spell turns a name with "/" into this server's: with its own sign between
// levels and beneath its prefix for personal folders.
func (k *conn) spell(name string) string {
	if strings.EqualFold(name, "INBOX") {
		return "INBOX"
	}
	name = strings.ReplaceAll(name, "/", k.delim)
	if !strings.HasPrefix(name, k.prefix) {
		name = k.prefix + name
	}
	return name
}

func (k *conn) selectFolder(name string) error {
	data, err := k.open(name)
	if err == nil {
		k.validity = data.UIDValidity
	}
	return err
}

func (k *conn) open(name string) (*imap.SelectData, error) {
	return ask(k, "select "+name, func() (*imap.SelectData, error) { return k.client.Select(name, nil).Wait() })
}

// unlessMissing returns nil if a folder could not be opened because it is not there, and
// otherwise err: a server may refuse for a while, or for good, what is there. Not every
// server says which by a code, so the folder is looked for.
func (k *conn) unlessMissing(name string, err error) error {
	refused := new(imap.Error)
	if !errors.As(err, &refused) {
		return err
	}
	if refused.Code == imap.ResponseCodeNonExistent {
		return nil
	}
	found, failed := ask(k, "list "+name, func() ([]*imap.ListData, error) { return k.client.List("", name, nil).Collect() })
	if failed != nil || slices.ContainsFunc(found, func(l *imap.ListData) bool {
		return l.Mailbox == name && !slices.Contains(l.Attrs, imap.MailboxAttrNonExistent)
	}) {
		return err
	}
	return nil
}

// look opens the watched folder anew, as NOOP does not: a session may go on
// without end on a mailbox that was deleted and made anew beneath it.
func (k *conn) look() error {
	before := k.validity
	err := k.selectFolder(k.folder)
	if k.validity != before {
		clear(k.stillThere) // these UIDs mean other letters now, or none
		clear(k.seen)
	}
	return err
}

// notice notes which letters a look has found.
func (k *conn) notice(uids []imap.UID) {
	seen := make(map[imap.UID]bool, len(uids))
	for _, uid := range uids {
		seen[uid] = true
		if !k.seen[uid] {
			k.fresh[uid] = time.Time{}
		}
	}
	k.seen = seen
}

// sureFor is how long UIDs are trusted to mean the letters that were fetched.
const sureFor = time.Second

// recognise makes sure, if some time has passed since the letters were fetched,
// that those to be filed away are still the ones that were handled.
func (k *conn) recognise() error {
	if time.Since(k.sure) < sureFor {
		return nil
	}
	err := k.look()
	k.again() // what had arrived was counted by the SELECT and is no news any more
	if err != nil || len(k.stillThere) == 0 {
		return err
	}
	now, err := k.sizes(slices.Collect(maps.Keys(k.stillThere)))
	if err != nil {
		return err
	}
	for _, s := range now {
		if h := k.stillThere[s.uid]; h.size != s.size || !h.date.Equal(s.date) {
			delete(k.stillThere, s.uid)
		}
	}
	k.sure = time.Now()
	return nil
}

// ensure creates a folder if it is not there.
func (k *conn) ensure(name string) error {
	if k.known[name] {
		return nil
	}
	if k.lacks(name) {
		err := k.do("create "+name, func() error { return k.client.Create(name, nil).Wait() })
		if err != nil && k.lacks(name) { // no other client has just made it
			return err
		}
		// So that the person's own mail client shows it; not all servers care.
		_ = k.do("subscribe "+name, func() error { return k.client.Subscribe(name).Wait() })
	}
	k.known[name] = true
	return nil
}

// lacks reports whether a folder cannot be asked for.
func (k *conn) lacks(name string) bool {
	return k.do("status of "+name, func() error {
		_, err := k.client.Status(name, &imap.StatusOptions{NumMessages: true}).Wait()
		return err
	}) != nil
}

// append puts a letter into a folder.
func (k *conn) append(folder, letter string) error { return k.appendAt(folder, letter, time.Time{}) }

// appendAt is append of a letter that arrived at a time; zero: now.
func (k *conn) appendAt(folder, letter string, arrived time.Time) error {
	return k.do("append to "+folder, func() error {
		cmd := k.client.Append(folder, int64(len(letter)), &imap.AppendOptions{Time: arrived})
		_, err := io.WriteString(cmd, letter)
		if closed := cmd.Close(); err == nil { // always: it gives back the library's lock
			err = closed
		}
		if err != nil {
			k.line.hangUp() // the server waits for the rest of the letter, or takes what comes next for it
			return err
		}
		_, err = cmd.Wait()
		return err
	})
}

// refused reports whether an error is the server's answer, after which the connection is well.
func refused(err error) bool { return errors.As(err, new(*imap.Error)) }

// move files letters of the selected folder away. Where the server has no MOVE they are
// copied, and removed only once that is done: the library would not wait for the answer.
func (k *conn) move(uids imap.UIDSet, folder string) error {
	if err := k.ensure(folder); err != nil {
		return err
	}
	if k.canMove {
		return k.do("move to "+folder, func() error {
			_, err := k.client.Move(uids, folder).Wait()
			return err
		})
	}
	err := k.do("copy to "+folder, func() error {
		_, err := k.client.Copy(uids, folder).Wait()
		return err
	})
	if err != nil {
		return err
	}
	return k.remove(uids)
}

// there returns which letters the selected folder still has: a server may refuse to move them
// all because one is gone.
func (k *conn) there(uids imap.UIDSet) (left imap.UIDSet, err error) {
	found, err := k.searchUIDs(&imap.SearchCriteria{UID: []imap.UIDSet{uids}})
	left.AddNum(found...)
	return left, err
}

// remove deletes letters of the selected folder. Without UIDPLUS a server can only expunge
// all that is flagged there, also by others.
func (k *conn) remove(uids imap.UIDSet) error {
	return k.do("delete letters", func() error {
		flag := &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted}}
		if err := k.client.Store(uids, flag, nil).Close(); err != nil {
			return err
		}
		if !k.canExpunge {
			return k.client.Expunge().Close()
		}
		return k.client.UIDExpunge(uids).Close()
	})
}

func (k *conn) searchUIDs(criteria *imap.SearchCriteria) ([]imap.UID, error) {
	return ask(k, "search", func() ([]imap.UID, error) {
		data, err := k.client.UIDSearch(criteria, nil).Wait()
		if err != nil {
			return nil, err
		}
		return data.AllUIDs(), nil
	})
}

// idle waits until the server tells of letters, for d at most.
func (k *conn) idle(ctx context.Context, d time.Duration) (told bool, err error) {
	idle, err := ask(k, "idle", k.client.Idle)
	if err != nil {
		return false, err
	}
	told = k.rest(ctx, d)
	return told, k.do("end of idle", func() error {
		if err := idle.Close(); err != nil {
			return err
		}
		return idle.Wait()
	})
}

// rest waits for news, the end of the connection, or until d has passed.
func (k *conn) rest(ctx context.Context, d time.Duration) (told bool) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	var ask chan struct{}
	if k.Tenure != nil {
		ask = k.Tenure.ask
	}
	select {
	case <-ctx.Done():
	case <-k.client.Closed():
	case <-ask: // and what has come is looked for a little early
		k.asked = true
	case <-k.Ask:
	case <-k.news:
		k.again() // the letters are yet to be searched for
		return true
	case <-timer.C:
	}
	return false
}

// again notes that there may be letters to search for.
func (k *conn) again() {
	select {
	case k.news <- struct{}{}:
	default:
	}
}

const logoutTimeout = 2 * time.Second

// close says goodbye if the server listens, and hangs up.
func (k *conn) close() {
	k.stop()
	select {
	case <-k.line.ended:
	default:
		if k.client != nil {
			_ = k.doWithin(logoutTimeout, "logout", func() error { return k.client.Logout().Wait() })
		}
	}
	k.line.hangUp()
}
