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

// conn is one IMAP connection after login. Every command goes through exchange.
type conn struct {
	Config
	line   *line
	client *imapclient.Client
	stop   func() bool   // stops watching the context
	news   chan struct{} // the server has reported letters

	folder     string // the watched folder, as this server spells it
	filing     Folders
	validity   uint32
	delim      string
	junk       string // the spam folder; "" until it is known
	prefix     string // of the names of personal folders, e.g. "INBOX."
	canIdle    bool
	canMove    bool
	canExpunge bool // it can expunge single letters by UID
	canQuota   bool
	canMark    bool            // it can mark what folders are for
	known      map[string]bool // folders that are known to exist
	sure       time.Time       // when the UIDs in stillThere were last known to name the handled letters
	stillThere map[imap.UID]handled
	delivered  []imap.UID             // letters in the folder of claims that were delivered by mail, as of the last list
	claimState claimState             // of the folder of claims, as of the last list
	lacksNext  bool                   // SELECT does not report UIDNEXT
	asked      bool                   // someone waits for a look at the claims
	seen       map[imap.UID]bool      // the letters that the last look found
	fresh      map[imap.UID]time.Time // those of them that are new, with their time of arrival once it is known
}

// handled is a letter to file away. If another letter has got its UID, size or date differ.
type handled struct {
	to   Disposition
	size int64
	date time.Time
}

// connect dials, logs in and learns how the server spells folders. c must have its defaults
// filled in. The connection closes when ctx ends.
func connect(ctx context.Context, c Config) (*conn, error) {
	k, err := connectOnce(ctx, c)
	if errors.Is(err, errOldToken) {
		k, err = connectOnce(ctx, c) // with a new access token
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

// errOldToken means that the server refused an access token.
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

// learn asks the server what it can do and how it names folders.
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

// spell translates a folder name with "/" for this server: with its separator between levels
// and its prefix for personal folders.
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

// unlessMissing takes the error of a failed attempt to select a folder. It returns nil if the
// folder does not exist, and otherwise err: a server may also refuse, for a while or forever,
// to select a folder that exists. Not every server names the reason by a code, so
// unlessMissing lists the folder.
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

// look selects the watched folder again. NOOP would not do: a session can go on forever after
// its mailbox was deleted and created again.
func (k *conn) look() error {
	before := k.validity
	err := k.selectFolder(k.folder)
	if k.validity != before {
		clear(k.stillThere) // these UIDs now name other letters, or none
		clear(k.seen)
	}
	return err
}

// notice remembers which letters a look has found, and which of them are new.
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

// sureFor is how long after a fetch UIDs are trusted to name the same letters.
const sureFor = time.Second

// recognise checks, if the letters were fetched longer than sureFor ago, that those to file
// away are still the ones that were handled. It forgets the others.
func (k *conn) recognise() error {
	if time.Since(k.sure) < sureFor {
		return nil
	}
	err := k.look()
	k.again() // look has used up the news of letters that arrived; the next round must search for them
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

// ensure creates a folder, and subscribes to it, if it does not exist.
func (k *conn) ensure(name string) error {
	if k.known[name] {
		return nil
	}
	if k.lacks(name) {
		err := k.do("create "+name, func() error { return k.client.Create(name, nil).Wait() })
		if err != nil && k.lacks(name) { // unless another client has just created it
			return err
		}
		// Subscribe, so that people's mail programs show the folder; not all servers need it.
		_ = k.do("subscribe "+name, func() error { return k.client.Subscribe(name).Wait() })
	}
	k.known[name] = true
	return nil
}

// lacks reports whether the server refuses the STATUS of a folder: it is missing or unusable.
func (k *conn) lacks(name string) bool {
	return k.do("status of "+name, func() error {
		_, err := k.client.Status(name, &imap.StatusOptions{NumMessages: true}).Wait()
		return err
	}) != nil
}

// append puts a letter into a folder.
func (k *conn) append(folder, letter string) error { return k.appendAt(folder, letter, time.Time{}) }

// appendAt puts a letter into a folder with a time of arrival; the zero time means now.
func (k *conn) appendAt(folder, letter string, arrived time.Time) error {
	return k.do("append to "+folder, func() error {
		cmd := k.client.Append(folder, int64(len(letter)), &imap.AppendOptions{Time: arrived})
		_, err := io.WriteString(cmd, letter)
		if closed := cmd.Close(); err == nil { // always, because Close releases the library's lock
			err = closed
		}
		if err != nil {
			k.line.hangUp() // the server would take the next command for the rest of the letter
			return err
		}
		_, err = cmd.Wait()
		return err
	})
}

// refused reports whether an error is the server's answer; if so, the connection is still
// usable.
func refused(err error) bool { return errors.As(err, new(*imap.Error)) }

// move moves letters from the selected folder to another. If the server has no MOVE, it
// copies them and waits for the answer before it deletes them; the library's own fallback
// does not wait.
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

// there returns which of the letters are still in the selected folder. A server may refuse to
// move letters if one of them is gone.
func (k *conn) there(uids imap.UIDSet) (left imap.UIDSet, err error) {
	found, err := k.searchUIDs(&imap.SearchCriteria{UID: []imap.UIDSet{uids}})
	left.AddNum(found...)
	return left, err
}

// remove deletes letters from the selected folder. On a server without UIDPLUS that expunges
// every letter there with the \Deleted flag, also those that others have flagged.
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

// idle waits until the server reports letters, for d at most, and returns whether it did.
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

// rest waits until the server reports letters, the connection ends, someone asks for a look,
// or d has passed. It returns whether the server reported letters.
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
	case <-ask: // someone needs a look at the claims; the look at the folder comes early, too
		k.asked = true
	case <-k.Ask:
	case <-k.news:
		k.again() // keep the news until someone has searched for the letters
		return true
	case <-timer.C:
	}
	return false
}

// again records that there may be letters to search for.
func (k *conn) again() {
	select {
	case k.news <- struct{}{}:
	default:
	}
}

const logoutTimeout = 2 * time.Second

// close logs out, if the server still answers, and hangs up.
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
