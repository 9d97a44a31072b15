package imapbox

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

var (
	wholeLetter = &imap.FetchItemBodySection{Peek: true}
	headerOnly  = &imap.FetchItemBodySection{
		Specifier: imap.PartSpecifierHeader,
		Partial:   &imap.SectionPartial{Offset: 0, Size: maxHeader},
		Peek:      true,
	}
)

// sized is what is known of a letter before it is fetched.
type sized struct {
	uid  imap.UID
	size int64
	date time.Time
}

// sizes asks for sizes first, for a letter may be of any.
func (k *conn) sizes(uids []imap.UID) (list []sized, err error) {
	err = k.fetch("sizes", uids, &imap.FetchOptions{UID: true, RFC822Size: true, InternalDate: true}, func(m *imapclient.FetchMessageData) error {
		var s sized
		for item := m.Next(); item != nil; item = m.Next() {
			switch item := item.(type) {
			case imapclient.FetchItemDataUID:
				s.uid = item.UID
			case imapclient.FetchItemDataRFC822Size:
				s.size = item.Size
			case imapclient.FetchItemDataInternalDate:
				s.date = item.Time
			}
		}
		list = append(list, s)
		return nil
	})
	return list, err
}

// bodies fetches one section of several letters. Of a letter that turns out to
// be larger than limit, which is more than the server said, it keeps the header
// as for any other oversized letter.
func (k *conn) bodies(letters []sized, section *imap.FetchItemBodySection, limit int64) ([]Fetched, error) {
	byUID := make(map[imap.UID]sized, len(letters))
	uids := make([]imap.UID, len(letters))
	for i, s := range letters {
		uids[i], byUID[s.uid] = s.uid, s
	}
	var list []Fetched
	err := k.fetch("letters", uids, &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{section}}, func(m *imapclient.FetchMessageData) error {
		var uid imap.UID
		var raw []byte
		cut := section == headerOnly
		for item := m.Next(); item != nil; item = m.Next() {
			switch item := item.(type) {
			case imapclient.FetchItemDataUID:
				uid = item.UID
			case imapclient.FetchItemDataBodySection:
				if item.Literal == nil {
					continue // NIL: gone, or not readable by the server
				}
				keep := limit
				if item.Literal.Size() > limit {
					keep, cut = maxHeader, true
				}
				var err error
				if raw, err = io.ReadAll(io.LimitReader(item.Literal, keep)); err != nil {
					return err
				}
			}
		}
		if i := bytes.Index(raw, []byte("\r\n\r\n")); cut && i >= 0 {
			raw = raw[:i+4]
		}
		if s, ok := byUID[uid]; ok && len(raw) > 0 {
			list = append(list, Fetched{
				UIDValidity: k.validity, UID: uint32(uid), Size: s.size, Raw: raw,
				HeaderOnly: cut, InternalDate: s.date,
			})
		}
		return nil
	})
	return list, err
}

// fetch runs one UID FETCH and gives each message to f; the watchdog is fed
// with each.
func (k *conn) fetch(what string, uids []imap.UID, options *imap.FetchOptions, f func(*imapclient.FetchMessageData) error) error {
	return k.fetchSet(what, imap.UIDSetNum(uids...), options, f)
}

func (k *conn) fetchSet(what string, uids imap.UIDSet, options *imap.FetchOptions, f func(*imapclient.FetchMessageData) error) error {
	dog := time.AfterFunc(k.Command, func() { k.net.Close() })
	defer dog.Stop()
	cmd := k.client.Fetch(uids, options)
	var failed error
	for m := cmd.Next(); m != nil; m = cmd.Next() {
		dog.Reset(k.Command)
		if failed == nil {
			failed = f(m)
		}
	}
	if err := cmd.Close(); err != nil && failed == nil {
		failed = err
	}
	if failed != nil {
		return fmt.Errorf("imap: fetching %s: %w", what, failed)
	}
	return nil
}
