package imapbox

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/emersion/go-imap/v2"
)

// Check tries everything that Run will need, for a host who sets up the mailbox: the login,
// the watched folder, the folders for filing, and whether a letter can be put there, found
// and moved. It claims nothing, touches no letter but its own probe, and leaves only those
// folders behind. The error names the step that failed. It is a *Claimed if another server
// has claimed the mailbox. If everything works, but a server with a copy of the database may
// be using the mailbox, it is a *Rival.
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
	case <-k.line.ended: // the connection broke off: some servers end a session in which a letter arrives
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

	// The probe goes from one filing folder to another: a running daemon would take a probe
	// in the watched folder for a letter.
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

// The reasons why Notice has no time to return, besides a failure of the connection.
var (
	ErrNoIdle  = errors.New("imap: the server has no IDLE")
	ErrNotTold = errors.New("imap: the server told of no letter")
)

// Notice measures, for a host, how long the server takes to report a new letter in an IDLE.
// If the server reports nothing within most, Notice returns ErrNotTold. The letter is a
// probe, which Notice puts into Folders.Failed and removes.
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

// noticeDelay is the time between the request for the IDLE and the arrival of the probe.
const noticeDelay = time.Second

// find selects a folder and returns the UID of the letter with a Message-ID, or 0 if there is
// none.
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

// Await looks for a letter with the given Message-ID (without angle brackets) every two
// seconds until ctx ends. It looks in the watched folder and in those for filing, because a
// daemon may have filed the letter. It returns the letter as it arrived and leaves it where
// it is.
func Await(ctx context.Context, c Config, messageID string) (Fetched, error) {
	c, err := c.complete()
	if err != nil {
		return Fetched{}, err
	}
	// ended returns the error of Await: that ctx has ended, if it has, because its end breaks
	// off the command under way; otherwise err. The dialler has its own timer for the
	// deadline and may see it before ctx does.
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
	var broke error // what broke the last connection during a look; nil if it is fine
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
		broke = err // try again: some servers end a session in which a letter arrives
		sleep(ctx, time.Second)
	}
}

// ErrBrokeOff is wrapped in the error of an Await whose connection kept breaking off.
var ErrBrokeOff = errors.New("the connection broke off")

// seek fetches the letter with a Message-ID from the watched folder or a folder for filing.
// It returns none if the letter has not arrived yet.
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
		if len(letters) == 0 { // the daemon has just filed it in another folder
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
