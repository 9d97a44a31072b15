package imapbox

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/emersion/go-imap/v2"
)

// Check tries, for a host who sets the mailbox up, everything Run will need:
// login, the watched folder, the folders for filing, and that a letter can be
// put there, found and moved. It leaves nothing behind but those folders, and
// touches no letter but its own. A mailbox that another server has claimed
// gives a *Claimed, one that a server with a copy of the database may be at work on a
// *Rival once all else is well; it claims none itself. The error says which step failed.
func Check(ctx context.Context, c Config) error {
	c, err := c.complete()
	if err != nil {
		return err
	}
	k, err := connect(ctx, c)
	if err != nil {
		return err
	}
	defer func() { k.close() }()
	err = k.check()
	select {
	case <-k.line.ended: // it broke off: some servers end a session in which a letter arrives
		if err == nil || ctx.Err() != nil {
			return err
		}
		k.close()
		again, failed := connect(ctx, c)
		if failed != nil {
			return failed
		}
		k = again
		return k.check()
	default:
		return err
	}
}

func (k *conn) check() error {
	var rival *Rival
	if k.Tenure != nil {
		if err := k.foresee(); err != nil && !errors.As(err, &rival) {
			return err
		}
	}
	if err := k.selectFolder(k.folder); err != nil {
		return err
	}
	for _, d := range []Disposition{Done, Failed, TooLarge} {
		if err := k.ensure(k.filing.of(d)); err != nil {
			return err
		}
	}

	// The probe goes from one filing folder to another: in the watched folder
	// a running daemon would take it for a letter.
	from, to := k.filing.Failed, k.filing.Done
	id, probe := newProbe()
	if err := k.append(from, probe); err != nil {
		return err
	}
	uid, err := k.find(from, id)
	if err == nil && uid == 0 {
		err = fmt.Errorf("imap: the probe put into %s is not found there", from)
	}
	if err != nil {
		return err
	}
	if err := k.move(imap.UIDSetNum(uid), to); err != nil {
		return err
	}
	if uid, err = k.find(to, id); err == nil && uid == 0 {
		err = fmt.Errorf("imap: the probe moved to %s is not found there", to)
	}
	if err != nil {
		return err
	}
	if err := k.remove(imap.UIDSetNum(uid)); err != nil || rival == nil {
		return err
	}
	return rival
}

func newProbe() (messageID, letter string) {
	id := fmt.Sprintf("probe.%d@angelpost.invalid", time.Now().UnixNano())
	return id, "From: angelpost@angelpost.invalid\r\nSubject: Angelpost tries this mailbox\r\n" +
		"Message-ID: <" + id + ">\r\nAuto-Submitted: auto-generated\r\n\r\nThis letter should be gone in a moment.\r\n"
}

// What Notice found besides.
var (
	ErrNoIdle  = errors.New("imap: the server has no IDLE")
	ErrNotTold = errors.New("imap: the server told of no letter")
)

// Notice measures, for a host, how long the server takes to tell of a letter in an IDLE, and
// waits for that for a time at most (ErrNotTold). The letter is one of its own, in
// Folders.Failed, and is removed.
func Notice(ctx context.Context, c Config, most time.Duration) (after time.Duration, err error) {
	c, err = c.complete()
	if err != nil {
		return 0, err
	}
	c.Tenure, c.Ask = nil, nil
	k, err := connect(ctx, c)
	if err != nil {
		return 0, err
	}
	defer k.close()
	if !k.canIdle {
		return 0, ErrNoIdle
	}
	folder := k.filing.Failed
	if err := k.ensure(folder); err != nil {
		return 0, err
	}
	if err := k.selectFolder(folder); err != nil {
		return 0, err
	}
	other, err := connect(ctx, c)
	if err != nil {
		return 0, err
	}
	defer other.close()
	id, probe := newProbe()
	put := make(chan error, 1)
	began := time.Now().Add(noticeDelay)
	go func() {
		time.Sleep(noticeDelay)
		put <- other.append(folder, probe)
	}()
	told, err := k.idle(ctx, noticeDelay+most)
	after = max(time.Since(began), 0)
	if err = errors.Join(<-put, err, ctx.Err()); err != nil {
		return 0, err
	}
	uid, err := k.find(folder, id)
	if err == nil && uid != 0 {
		err = k.remove(imap.UIDSetNum(uid))
	}
	if err == nil && !told {
		err = ErrNotTold
	}
	return after, err
}

// noticeDelay is how long after the request for the IDLE the letter comes.
const noticeDelay = time.Second

// find selects a folder and returns the UID of the letter with a Message-ID, or 0.
func (k *conn) find(folder, messageID string) (imap.UID, error) {
	if err := k.selectFolder(folder); err != nil {
		return 0, err
	}
	uids, err := k.searchUIDs(&imap.SearchCriteria{Header: []imap.SearchCriteriaHeaderField{{Key: "Message-ID", Value: messageID}}})
	if err != nil || len(uids) == 0 {
		return 0, err
	}
	return uids[len(uids)-1], nil
}

// Await looks for a letter with the given Message-ID (without angle brackets),
// in the watched folder and in those for filing, for a daemon may be at work,
// every two seconds until ctx ends. It returns the letter as it arrived and
// leaves it where it is.
func Await(ctx context.Context, c Config, messageID string) (Fetched, error) {
	c, err := c.complete()
	if err != nil {
		return Fetched{}, err
	}
	// The end of ctx breaks off what is under way, whose error then says so. The
	// dialer sees the deadline by a timer of its own, perhaps before ctx does.
	ended := func(err error) error {
		cause := ctx.Err()
		if deadline, ok := ctx.Deadline(); ok && err != nil && cause == nil && !time.Now().Before(deadline) {
			cause = context.DeadlineExceeded
		}
		if cause != nil {
			return fmt.Errorf("imap: no letter %s arrived: %w", strconv.Quote(messageID), cause)
		}
		return err
	}
	var broke error // why the last connection ended while it was looked at
	for {
		k, err := connect(ctx, c)
		for err == nil {
			var found []Fetched
			if found, err = k.seek(messageID); len(found) > 0 {
				k.close()
				return found[0], nil
			}
			if err == nil {
				broke = nil
				sleep(ctx, 2*time.Second)
				err = ctx.Err()
			}
		}
		if k != nil {
			k.close()
		}
		switch over := ended(err); {
		case ctx.Err() != nil && broke != nil:
			return Fetched{}, fmt.Errorf("%w: %w: %w", over, ErrBrokeOff, broke)
		case ctx.Err() != nil || k == nil && broke == nil || refused(err):
			return Fetched{}, over
		}
		broke = err // it is looked at again: some servers end a session in which a letter arrives
		sleep(ctx, time.Second)
	}
}

// ErrBrokeOff is in the error of an Await whose connection broke off each time it looked.
var ErrBrokeOff = errors.New("the connection broke off")

// seek fetches the letter with a Message-ID from wherever the daemon may have it;
// none: it is nowhere yet.
func (k *conn) seek(messageID string) ([]Fetched, error) {
	for _, folder := range []string{k.folder, k.filing.Done, k.filing.Failed, k.filing.TooLarge} {
		if folder != k.folder {
			if err := k.ensure(folder); err != nil {
				return nil, err
			}
		}
		uid, err := k.find(folder, messageID)
		if err != nil {
			return nil, err
		}
		if uid == 0 {
			continue
		}
		letters, err := k.sizes([]imap.UID{uid})
		if err != nil {
			return nil, fmt.Errorf("imap: letter %s in %s: %w", strconv.Quote(messageID), folder, err)
		}
		if len(letters) == 0 { // the daemon has just filed it: another folder has it
			continue
		}
		group, section, limit := nextGroup(letters, k.MaxLetter)
		fetched, err := k.bodies(group, section, limit)
		if err != nil || len(fetched) > 0 {
			return fetched, err
		}
	}
	return nil, nil
}
