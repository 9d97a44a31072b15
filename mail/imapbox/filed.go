package imapbox

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// A Filed is a letter in Folders.Done or in the spam folder.
type Filed struct {
	Header  []byte    // Message-ID, author, date, subject and address fields, as they are
	Arrived time.Time // when the mail server received it
}

// An Owed is a letter that did not come through the mailbox but belongs into Folders.Done,
// for example one that came by LMTP.
type Owed struct {
	ID      int64 // chosen by the caller, for Config.Paid
	Raw     []byte
	Arrived time.Time
}

var filedFields = []string{
	"Message-ID", "From", "Date", "Subject", "To", "Cc", "Resent-To", "Resent-Cc", "Apparently-To", "Delivered-To", "X-Original-To",
	"Envelope-To", "X-Envelope-To", "X-Delivered-To", "X-Real-To", "X-Rcpt-To", "X-Forwarded-To",
}

const (
	filedAtOnce = 500 // headers to fetch by one command
	owedAtOnce  = 50
)

// Newest lists the letters in Folders.Done that arrived after a time. It returns the newest n
// of them, oldest first.
func Newest(ctx context.Context, c Config, since time.Time, n int) (list []Filed, err error) {
	c, err = c.complete()
	if err != nil {
		return nil, err
	}
	k, err := connect(ctx, c)
	if err != nil {
		return nil, err
	}
	defer k.close()
	uids, err := k.filedSince(since)
	if err != nil {
		return nil, err
	}
	err = k.filed(uids[max(0, len(uids)-n):], since, func(_ imap.UID, f Filed) { list = append(list, f) })
	return list, err
}

// Unfile moves letters from Folders.Done back into the watched folder: those that arrived
// after since and for which want returns true. It moves them in the order in which they
// arrived, because letters that came by LMTP are filed later than others. It returns how many
// it moved.
func Unfile(ctx context.Context, c Config, since time.Time, want func(Filed) (bool, error)) (moved int, err error) {
	c, err = c.complete()
	if err != nil {
		return 0, err
	}
	k, err := connect(ctx, c)
	if err != nil {
		return 0, err
	}
	defer k.close()
	uids, err := k.filedSince(since)
	if err != nil {
		return 0, err
	}
	type letter struct {
		uid     imap.UID
		arrived time.Time
	}
	var wanted []letter
	for some := range slices.Chunk(uids, filedAtOnce) {
		var failed error
		err := k.filed(some, since, func(uid imap.UID, f Filed) {
			yes, err := want(f)
			failed = errors.Join(failed, err)
			if yes && err == nil {
				wanted = append(wanted, letter{uid, f.Arrived})
			}
		})
		if err = errors.Join(err, failed); err != nil {
			return 0, err
		}
	}
	slices.SortFunc(wanted, func(a, b letter) int { return cmp.Or(a.arrived.Compare(b.arrived), cmp.Compare(a.uid, b.uid)) })
	k.known[k.folder] = true // it exists, because it is watched
	for moved < len(wanted) {
		// A server moves the letters of one command in the order of their UIDs, so each
		// command gets letters with rising UIDs.
		n := moved + 1
		for n < len(wanted) && n < moved+filedAtOnce && wanted[n].uid > wanted[n-1].uid {
			n++
		}
		var set imap.UIDSet
		for _, l := range wanted[moved:n] {
			set.AddNum(l.uid)
		}
		if err := k.move(set, k.folder); err != nil {
			return moved, err
		}
		moved = n
	}
	return moved, nil
}

// filedSince selects Folders.Done and lists the letters there that arrived after since, with
// some older ones, because IMAP searches by whole days. It returns none if the folder does
// not exist.
func (k *conn) filedSince(since time.Time) ([]imap.UID, error) {
	if err := k.selectFolder(k.filing.Done); err != nil {
		return nil, k.unlessMissing(k.filing.Done, err)
	}
	day := since.UTC().AddDate(0, 0, -1) // the server's days are in a time zone that we don't know
	return k.searchUIDs(&imap.SearchCriteria{Since: day, NotFlag: []imap.Flag{imap.FlagDeleted}})
}

// filed reads the headers of letters, and calls each for every letter that arrived after
// since.
func (k *conn) filed(uids []imap.UID, since time.Time, each func(imap.UID, Filed)) error {
	if len(uids) == 0 {
		return nil
	}
	return k.headers(imap.UIDSetNum(uids...), func(uid imap.UID, f Filed) {
		if f.Arrived.After(since) {
			each(uid, f)
		}
	})
}

// headers reads the filedFields and the time of arrival of letters in the selected folder,
// and calls each for every letter.
func (k *conn) headers(which imap.NumSet, each func(imap.UID, Filed)) error {
	fields := &imap.FetchItemBodySection{Specifier: imap.PartSpecifierHeader, Peek: true, HeaderFields: filedFields}
	options := &imap.FetchOptions{UID: true, InternalDate: true, BodySection: []*imap.FetchItemBodySection{fields}}
	type letter struct {
		uid imap.UID
		Filed
	}
	return fetch(k, "headers", which, options, func(m *imapclient.FetchMessageData) (l letter, err error) {
		for item := m.Next(); item != nil; item = m.Next() {
			switch item := item.(type) {
			case imapclient.FetchItemDataUID:
				l.uid = item.UID
			case imapclient.FetchItemDataInternalDate:
				l.Arrived = item.Time
			case imapclient.FetchItemDataBodySection:
				if item.Literal == nil {
					continue
				}
				if l.Header, err = literal(item.Literal, maxHeader); err != nil {
					return l, err
				}
			}
		}
		return l, nil
	}, func(l letter) { each(l.uid, l.Filed) })
}

// settle puts the letters that are owed into Folders.Done. If the server refuses one, settle
// logs that and waits before it tries again: an APPEND that is refused before its literal
// costs the connection.
func (w *watcher) settle(ctx context.Context, k *conn) error {
	if w.Owed == nil || time.Now().Before(w.owes.until) {
		return nil
	}
	for ctx.Err() == nil {
		owed, err := w.Owed(ctx, owedAtOnce)
		if err != nil || len(owed) == 0 {
			if err != nil && ctx.Err() == nil {
				w.Log.Error("imapbox: letters that came by LMTP cannot be read", "err", err)
			}
			return nil
		}
		var paid []int64
		var trouble error
		for _, o := range owed {
			if trouble = k.ensure(k.filing.Done); trouble == nil {
				trouble = k.appendAt(k.filing.Done, string(o.Raw), o.Arrived)
			}
			if refused := new(imap.Error); errors.As(trouble, &refused) {
				delete(k.known, k.filing.Done)
			}
			if trouble != nil {
				break
			}
			paid = append(paid, o.ID)
			w.At("owed")
		}
		if err := w.Paid(ctx, paid); err != nil && ctx.Err() == nil {
			w.Log.Error("imapbox: letters that came by LMTP will be put into the mailbox twice", "err", err)
			return nil
		}
		w.At("paid")
		if len(paid) > 0 {
			w.owes = setBack{}
		}
		var refused *imap.Error
		if errors.As(trouble, &refused) {
			w.owes.longer(w.Retry, maxSetBack)
			w.Log.Error("imapbox: letters that came by LMTP cannot be put into the mailbox", "folder", k.filing.Done, "again_in", w.owes.wait, "err", trouble)
			return nil
		}
		if trouble != nil || len(owed) < owedAtOnce {
			return trouble
		}
	}
	return nil
}
