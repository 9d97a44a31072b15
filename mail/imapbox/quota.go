package imapbox

import (
	"context"
	"time"

	"github.com/emersion/go-imap/v2/imapclient"
)

// Unknown is the quota of a mailbox whose server does not report it.
const Unknown = -1

// Facts are what a host should know about a mail server.
type Facts struct {
	UIDPlus bool // it can expunge single letters
	Used    int  // percentage of the mailbox's quota, or Unknown
	// Junk is the spam folder that Config.Junk uses, or "" if there is none or the server
	// does not report it.
	Junk string
}

// Survey asks the server of c for its Facts.
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

// used returns what percentage of its quota the mailbox uses: the highest, if it has several
// quotas.
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

// measure calls Quota, every hour, with the percentage that the mailbox uses. If the answer
// of a server ends the connection, measure never asks again.
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
