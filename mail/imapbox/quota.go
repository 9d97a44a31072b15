package imapbox

import (
	"context"
	"time"

	"github.com/emersion/go-imap/v2/imapclient"
)

// Unknown is a quota that the server does not tell.
const Unknown = -1

// Facts are what a host should know of a mail server.
type Facts struct {
	UIDPlus bool // it can expunge single letters
	Used    int  // of the mailbox's quota, in percent; or Unknown
	// Junk is the folder that Config.Junk means; "": there is none, or it does not say.
	Junk string
}

// Survey asks the server of c for the Facts.
func Survey(ctx context.Context, c Config) (f Facts, err error) {
	if c, err = c.complete(); err != nil {
		return f, err
	}
	k, err := connect(ctx, c)
	if err != nil {
		return f, err
	}
	defer k.close()
	f.UIDPlus = k.canExpunge
	if f.Used, err = k.used(); err != nil || c.Junk == nil {
		return f, err
	}
	if f.Junk, err = k.junkFolder(c.Junk.Folder); err == nil && f.Junk != "" && k.lacks(f.Junk) {
		f.Junk = ""
	}
	return f, err
}

// used is how much of its quota the mailbox uses, in percent, of the fullest of several.
func (k *conn) used() (percent int, err error) {
	percent = Unknown
	if !k.canQuota {
		return percent, nil
	}
	roots, err := ask(k, "quota", func() ([]imapclient.QuotaData, error) { return k.client.GetQuotaRoot(k.folder).Wait() })
	if refused(err) {
		return percent, nil
	}
	for _, root := range roots {
		for _, r := range root.Resources {
			if r.Limit > 0 {
				percent = max(percent, int(min(float64(r.Usage)/float64(r.Limit)*100, 1000)))
			}
		}
	}
	return percent, err
}

const quotaEvery = time.Hour

// measure tells Quota, every hour, how full the mailbox is. A server whose answer ends the
// connection is not asked again.
func (w *watcher) measure(k *conn) error {
	if w.Quota == nil || w.asking || time.Since(w.measured) < quotaEvery {
		return nil
	}
	w.asking = true
	percent, err := k.used()
	if err != nil {
		return err
	}
	w.asking, w.measured = false, time.Now()
	w.Quota(percent)
	return nil
}
