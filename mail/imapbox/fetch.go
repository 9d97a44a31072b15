package imapbox

import (
	"bytes"
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

// sized is what we know of a letter before we fetch it.
type sized struct {
	uid  imap.UID
	size int64
	date time.Time
}

// sizes fetches UIDs, sizes and dates. It runs before a fetch of letters, because a letter
// may be of any size.
func (k *conn) sizes(uids []imap.UID) (list []sized, err error) {
	options := &imap.FetchOptions{UID: true, RFC822Size: true, InternalDate: true}
	err = fetch(k, "sizes", imap.UIDSetNum(uids...), options, func(m *imapclient.FetchMessageData) (s sized, _ error) {
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
		return s, nil
	}, func(s sized) { list = append(list, s) })
	return list, err
}

// bodies fetches one section of several letters. If a letter turns out to be larger than
// limit although the server said otherwise, bodies keeps only its header, as for any
// oversized letter.
func (k *conn) bodies(letters []sized, section *imap.FetchItemBodySection, limit int64) ([]Fetched, error) {
	byUID := make(map[imap.UID]sized, len(letters))
	uids := make([]imap.UID, len(letters))
	for i, s := range letters {
		uids[i], byUID[s.uid] = s.uid, s
	}
	type body struct {
		uid imap.UID
		raw []byte
		cut bool
	}
	var list []Fetched
	options := &imap.FetchOptions{UID: true, BodySection: []*imap.FetchItemBodySection{section}}
	err := fetch(k, "letters", imap.UIDSetNum(uids...), options, func(m *imapclient.FetchMessageData) (b body, err error) {
		b.cut = section == headerOnly
		for item := m.Next(); item != nil; item = m.Next() {
			switch item := item.(type) {
			case imapclient.FetchItemDataUID:
				b.uid = item.UID
			case imapclient.FetchItemDataBodySection:
				if item.Literal == nil {
					continue // NIL: the letter is gone, or the server cannot read it
				}
				keep := limit
				if item.Literal.Size() > limit {
					keep, b.cut = maxHeader, true
				}
				if b.raw, err = literal(item.Literal, keep); err != nil {
					return b, err
				}
			}
		}
		if i := bytes.Index(b.raw, []byte("\r\n\r\n")); b.cut && i >= 0 {
			b.raw = b.raw[:i+4]
		}
		return b, nil
	}, func(b body) {
		if s, ok := byUID[b.uid]; ok && len(b.raw) > 0 {
			list = append(list, Fetched{
				UIDValidity: k.validity, UID: uint32(b.uid), Size: s.size, Raw: b.raw,
				HeaderOnly: b.cut, InternalDate: s.date,
			})
		}
	})
	return list, err
}
