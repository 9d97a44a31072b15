package imapbox

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
)

// forgetTogether is how many letters one command deletes at most.
const forgetTogether = 500

// Forget deletes letters from Folders.Done and Folders.TooLarge that the mail server received
// before the day of a time, and returns how many. Letters in Folders.Failed stay, because a
// person should check them. It opens its own connection.
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

// ForgetFrom deletes the letters of one author that the mail server received before a time,
// and returns how many. It searches all folders for filing, including Folders.Failed. author
// returns a letter's author from its header, in the form in which address is given: lower
// case, an international domain in its ASCII form. ForgetFrom opens its own connection.
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
	like := &imap.SearchCriteria{NotFlag: []imap.Flag{imap.FlagDeleted}, Before: before.UTC().AddDate(0, 0, 2)} // the server's days are in a time zone that we don't know
	// An international domain may appear in letters in Unicode, encoded or not: then check
	// every letter.
	if !strings.Contains(address, "xn--") {
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
