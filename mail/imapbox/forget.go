package imapbox

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
)

// forgetTogether is how many letters are deleted by one command.
const forgetTogether = 500

// Forget deletes the letters in Folders.Done and Folders.TooLarge that the mail server got
// on a day before that of a time, and returns how many. Letters set aside stay: a person
// is to look at them. It opens a connection of its own.
func Forget(ctx context.Context, c Config, before time.Time) (n int, err error) {
	c, err = c.complete()
	if err != nil {
		return 0, err
	}
	k, err := connect(ctx, c)
	if err != nil {
		return 0, err
	}
	defer k.close()
	for _, folder := range []string{k.filing.Done, k.filing.TooLarge} {
		if err := k.ensure(folder); err != nil {
			return n, err
		}
		if err := k.selectFolder(folder); err != nil {
			return n, err
		}
		uids, err := k.searchUIDs(&imap.SearchCriteria{Before: before, NotFlag: []imap.Flag{imap.FlagDeleted}})
		if err != nil {
			return n, err
		}
		for some := range slices.Chunk(uids, forgetTogether) {
			if err := k.remove(imap.UIDSetNum(some...)); err != nil {
				return n, err
			}
			n += len(some)
		}
	}
	return n, nil
}

// ForgetFrom deletes the letters of one author in the folders for filing, also those set
// aside, that the mail server got before a time, and returns how many. author returns a
// letter's author by its header, in the form in which the address is given: lower case, an
// international domain in its ASCII form. It opens a connection of its own.
func ForgetFrom(ctx context.Context, c Config, address string, before time.Time, author func(header []byte) string) (n int, err error) {
	c, err = c.complete()
	if err != nil {
		return 0, err
	}
	k, err := connect(ctx, c)
	if err != nil {
		return 0, err
	}
	defer k.close()
	like := &imap.SearchCriteria{NotFlag: []imap.Flag{imap.FlagDeleted}, Before: before.UTC().AddDate(0, 0, 2)} // days are the server's, in whatever zone
	if !strings.Contains(address, "xn--") {                                                                     // else letters may write its domain in Unicode, encoded or not: all are looked at
		like.Header = []imap.SearchCriteriaHeaderField{{Key: "From", Value: address}}
	}
	for _, folder := range []string{k.filing.Done, k.filing.TooLarge, k.filing.Failed} {
		if err := k.ensure(folder); err != nil {
			return n, err
		}
		if err := k.selectFolder(folder); err != nil {
			return n, err
		}
		uids, err := k.searchUIDs(like)
		if err != nil {
			return n, err
		}
		for some := range slices.Chunk(uids, forgetTogether) {
			var theirs []imap.UID
			err := k.filed(some, time.Time{}, func(uid imap.UID, f Filed) {
				if f.Arrived.Before(before) && author(f.Header) == address {
					theirs = append(theirs, uid)
				}
			})
			if err == nil && len(theirs) > 0 {
				err = k.remove(imap.UIDSetNum(theirs...))
			}
			if err != nil {
				return n, err
			}
			n += len(theirs)
		}
	}
	return n, nil
}
