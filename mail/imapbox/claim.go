package imapbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// A Claimed is the error of a mailbox that another server works on.
type Claimed struct {
	User, Folder string    // the mailbox
	Claims       string    // the folder that holds the claim
	Server       string    // what that server says of itself, in one line of ASCII
	Since        time.Time // when it claimed the mailbox
}

func (c *Claimed) Error() string {
	return fmt.Sprintf("imap: %s of %s belongs to another server since %s: %s. If that one is gone for good, delete its letter in the folder %q",
		c.Folder, c.User, c.Since.UTC().Format("2006-01-02 15:04 MST"), c.Server, c.Claims)
}

// claimed is one claim letter that concerns the watched folder.
type claimed struct {
	uid        imap.UID
	id, server string
	since      time.Time
}

// claimState tells that something in the folder of claims has changed.
type claimState struct {
	letters  uint32
	next     imap.UID
	validity uint32
}

// Claim makes the mailbox that of c.Claim. Another server's claim gives a
// *Claimed, unless take is set: then it is removed.
func Claim(ctx context.Context, c Config, take bool) error {
	c, err := c.complete()
	if err != nil {
		return err
	}
	k, err := connect(ctx, c)
	if err != nil {
		return err
	}
	defer k.close()
	if take {
		claims, err := k.claims()
		if err != nil {
			return err
		}
		for _, l := range claims {
			if l.id == c.Claim {
				continue
			}
			if err := k.remove(l.uid); err != nil {
				return err
			}
		}
	}
	return k.claim()
}

// claim sees that the oldest claim is ours, and makes one if there is none. Of
// two that do so at once the one with the lower UID stays.
func (k *conn) claim() error {
	if k.Claim == "" {
		return nil
	}
	claims, err := k.claims()
	if err == nil && len(claims) == 0 {
		if err = k.ensure(k.filing.Claim); err == nil {
			err = k.append(k.filing.Claim, k.claimLetter())
		}
		if err == nil {
			claims, err = k.claims()
		}
		if err == nil && len(claims) == 0 {
			err = fmt.Errorf("imap: the claim put into %s is not found there", k.filing.Claim)
		}
	}
	if err != nil {
		return err
	}
	foreign := k.foreign(claims)
	if foreign == nil {
		return nil
	}
	for _, l := range claims {
		if l.id == k.Claim {
			if err := k.remove(l.uid); err != nil {
				return err
			}
		}
	}
	return foreign
}

// foreign is the error of claims of which the oldest is another server's.
func (k *conn) foreign(claims []claimed) error {
	if len(claims) == 0 || claims[0].id == k.Claim {
		return nil
	}
	l := claims[0]
	return &Claimed{User: k.User, Folder: k.folder, Claims: k.filing.Claim, Server: l.server, Since: l.since}
}

// claims lists the claims on the watched folder, the oldest first, and selects
// their folder, if there is one.
func (k *conn) claims() (list []claimed, err error) {
	var data *imap.SelectData
	err = k.do("select "+k.filing.Claim, func() error {
		data, err = k.client.Select(k.filing.Claim, nil).Wait()
		return err
	})
	if refused := new(imap.Error); errors.As(err, &refused) {
		return nil, nil // there is none yet
	}
	if err != nil {
		return nil, err
	}
	k.claimState = claimState{data.NumMessages, data.UIDNext, data.UIDValidity}
	if data.NumMessages == 0 {
		return nil, nil
	}
	fields := &imap.FetchItemBodySection{
		Specifier: imap.PartSpecifierHeader, Peek: true,
		HeaderFields: []string{"X-Angelpost-Claim", "X-Angelpost-Folder", "X-Angelpost-Server"},
	}
	options := &imap.FetchOptions{UID: true, Flags: true, InternalDate: true, BodySection: []*imap.FetchItemBodySection{fields}}
	all := imap.UIDSet{imap.UIDRange{Start: 1}} // 1:*
	err = k.fetchSet("claims", all, options, func(m *imapclient.FetchMessageData) error {
		var l claimed
		var folder string
		deleted := false
		for item := m.Next(); item != nil; item = m.Next() {
			switch item := item.(type) {
			case imapclient.FetchItemDataUID:
				l.uid = item.UID
			case imapclient.FetchItemDataInternalDate:
				l.since = item.Time
			case imapclient.FetchItemDataFlags:
				for _, f := range item.Flags {
					deleted = deleted || f == imap.FlagDeleted // by a person whose mail program does not expunge
				}
			case imapclient.FetchItemDataBodySection:
				if item.Literal == nil {
					continue
				}
				raw, err := io.ReadAll(io.LimitReader(item.Literal, maxHeader))
				if err != nil {
					return err
				}
				if msg, err := mail.ReadMessage(bytes.NewReader(raw)); err == nil {
					l.id, folder, l.server = msg.Header.Get("X-Angelpost-Claim"), msg.Header.Get("X-Angelpost-Folder"), ascii(msg.Header.Get("X-Angelpost-Server"))
				}
			}
		}
		if l.id != "" && folder == k.folder && !deleted && len(list) < maxClaims {
			list = append(list, l)
		}
		return nil
	})
	return list, err
}

const maxClaims = 100

// ascii is what may be shown of a foreign text.
func ascii(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
	return s[:min(len(s), 300)]
}

// claimsChanged reports, in one exchange, whether anyone has touched the folder of
// claims since they were listed.
func (k *conn) claimsChanged() (bool, error) {
	var now claimState
	err := k.do("status of "+k.filing.Claim, func() error {
		data, err := k.client.Status(k.filing.Claim, &imap.StatusOptions{NumMessages: true, UIDNext: true, UIDValidity: true}).Wait()
		if err == nil && data.NumMessages != nil {
			now = claimState{*data.NumMessages, data.UIDNext, data.UIDValidity}
		}
		return err
	})
	if refused := new(imap.Error); errors.As(err, &refused) {
		return true, nil // it is gone
	}
	return now != k.claimState, err
}

// claimLetter is the letter that makes the claim. A person may find it.
func (k *conn) claimLetter() string {
	return "From: angelpost@angelpost.invalid\r\nSubject: This mailbox belongs to an Angelpost server\r\n" +
		"Date: " + time.Now().Format(time.RFC1123Z) + "\r\n" +
		"Message-ID: <claim." + k.Claim + "@angelpost.invalid>\r\nAuto-Submitted: auto-generated\r\n" +
		"X-Angelpost-Claim: " + k.Claim + "\r\nX-Angelpost-Folder: " + k.folder + "\r\nX-Angelpost-Server: " + k.ClaimedBy + "\r\n" +
		"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\n" +
		"An Angelpost server reads the letters of this mailbox:\r\n\r\n  " + k.ClaimedBy + "\r\n\r\n" +
		"This letter keeps others away, for two servers with two databases would take\r\n" +
		"each other's letters. Leave it here while that server is in use; if it is\r\n" +
		"deleted, the server puts it back. If that server is gone for good and another\r\n" +
		"one should have the mailbox, delete this letter and start that one.\r\n"
}
