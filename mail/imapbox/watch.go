package imapbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/emersion/go-imap/v2"
)

// watcher is the state of a Run, across connections.
type watcher struct {
	Config
	handle Handler
	// oneByOne makes the watcher fetch letters one by one. It is set after a failed fetch of
	// several letters, until a round has succeeded.
	oneByOne bool
	suspect  letterKey // the letter that was fetched alone at the last failure
	worked   bool      // on this connection a round has succeeded or letters were filed
	setBack  map[letterKey]*setBack
	hold     setBack   // all letters wait: the Handler cannot work
	owes     setBack   // letters that came another way wait: the server refuses them
	refused  time.Time // when the connection was last replaced because of refused moves
	measured time.Time // when the quota was last read
	asking   bool      // a request for the quota got no answer
	untold   int       // how often in a row an IDLE has missed a letter
	late     bool      // the watcher no longer uses IDLE
	junk     junkSeen
}

type letterKey struct{ validity, uid uint32 }

// setBack is the time until which a letter, or all of them, must wait, and the length of that
// wait.
type setBack struct {
	until time.Time
	wait  time.Duration
}

// longer begins another wait, twice as long as the last one: at least first and at most most.
func (b *setBack) longer(first, most time.Duration) {
	b.wait = min(max(2*b.wait, first), most)
	b.until = time.Now().Add(b.wait)
}

const (
	maxSetBack = time.Hour
	maxHold    = time.Minute
)

// Run watches the mailbox of c until ctx ends, and then returns nil. It returns an error at
// once if c is unusable, or a *Claimed if the mailbox belongs to another server. It logs
// errors that may pass (a server that is down, a refused login) and tries again.
func Run(ctx context.Context, c Config, handle Handler) error {
	c, err := c.complete()
	if err != nil {
		return err
	}
	w := &watcher{Config: c, handle: handle, setBack: make(map[letterKey]*setBack)}
	c.IdleLate(false)
	wait := c.Backoff
	for ctx.Err() == nil {
		w.worked = false
		err := w.session(ctx)
		if ctx.Err() != nil {
			break
		}
		if claimed := new(Claimed); errors.As(err, &claimed) {
			c.Round(err)
			return err
		}
		if c.Tenure != nil {
			c.Tenure.update(func() { c.Tenure.away = true })
		}
		if w.worked {
			wait = c.Backoff
		}
		c.Round(err)
		c.Log.Warn("imapbox: connection lost", "err", err, "again_in", wait)
		sleep(ctx, wait)
		wait = min(2*wait, maxBackoff)
	}
	return nil
}

// session runs one connection until it ends, and returns why it ended.
func (w *watcher) session(ctx context.Context) error {
	k, err := connect(ctx, w.Config)
	if err != nil {
		return err
	}
	defer k.close()
	if err := k.claim(false); err != nil {
		return err
	}
	if err := w.await(ctx, k); err != nil {
		return err
	}
	done := w.Looking()
	if err := k.look(); err != nil {
		return err
	}
	opened := time.Now()
	k.canIdle = k.canIdle && !w.late
	w.Log.Info("imapbox: watching", "server", w.Addr, "folder", k.folder, "idle", k.canIdle)
	looks, told, idled := 0, false, time.Duration(0) // looks counts those since something happened
	for ctx.Err() == nil {
		if err := w.round(ctx, k); err != nil {
			return err
		}
		if !time.Now().Before(w.hold.until) {
			done()
		}
		if err := w.settle(ctx, k); err != nil {
			return err
		}
		if err := w.measure(k); err != nil {
			return err
		}
		w.worked = true
		w.Round(nil)
		w.judge(k, told, idled)
		if len(k.fresh) > 0 || told {
			looks = 0
		}
		pause := w.pause(k, looks)
		looks++
		told, idled = false, 0
		switch {
		case len(k.news) > 0:
			// Something arrived meanwhile.
		case k.canIdle:
			began := time.Now()
			told, err = k.idle(ctx, pause)
			idled = time.Since(began)
			if refused := new(imap.Error); errors.As(err, &refused) {
				w.Log.Warn("imapbox: the server refuses to idle, looking instead", "err", err)
				k.canIdle, err = false, nil
			}
		default:
			told = k.rest(ctx, pause)
		}
		if err == nil && (k.asked || w.Tenure.overdue()) {
			err = k.renew()
		}
		reopen := time.Since(opened) >= w.IdleFor // a session can outlive its mailbox without a word
		if err == nil && reopen {
			var moved bool
			if moved, err = w.searchJunk(ctx, k); moved {
				idled = 0 // IDLE could not report letters that we moved
			}
		}
		done = w.Looking()
		switch {
		case err != nil:
		case reopen:
			err, opened = k.look(), time.Now()
		default:
			err = k.do("noop", func() error { return k.client.Noop().Wait() })
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// pause returns how long to wait before the next look. In an IDLE not every server reports
// letters that came before it, between two commands or while letters were filed. So the looks
// come soon after something happened, and then less often.
func (w *watcher) pause(k *conn, looks int) time.Duration {
	wait := w.Poll
	if k.canIdle {
		wait = w.IdleFor
	}
	if looks < len(looksAfter) {
		wait = min(wait, looksAfter[looks])
	}
	if w.Tenure != nil { // an idle server must also notice that it was replaced
		wait = min(wait, claimLooks*w.Tenure.Look)
	}
	return min(wait, w.untilNextSetBack())
}

var looksAfter = []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 16 * time.Second, 30 * time.Second}

const (
	idleLag   = 3 * time.Second  // how late a server may report a letter
	longIdle  = 10 * time.Second // an IDLE of this length is long enough to judge
	surelyOff = 2
)

// judge decides whether IDLE is of use, by the letters that the look after an IDLE found. If
// the IDLE missed a letter that had been there for a while, by the server's clock, judge
// gives up IDLE at once, and looks every Poll replace it. If that clock can't be right, or we
// moved the letter here, the letter may have come just before the IDLE ended: then it takes
// two misses in a row.
func (w *watcher) judge(k *conn, told bool, idled time.Duration) {
	if told {
		w.untold = 0
	}
	if told || idled < longIdle {
		return
	}
	missed := 0
	for _, arrived := range k.fresh {
		switch age := time.Since(arrived); {
		case age.Abs() < idleLag:
		case age >= idleLag && age < idled+idleLag:
			missed = surelyOff
		default:
			missed = max(missed, 1)
		}
	}
	w.untold += missed
	if w.untold < surelyOff {
		return
	}
	k.canIdle = false
	if !w.late {
		w.late = true
		w.Log.Warn("imapbox: IDLE does not tell of letters in time, looking instead; see HOSTING.md", "every", w.Poll)
		w.IdleLate(true)
	}
}

// await waits until a server that had the mailbox has had time to stop.
func (w *watcher) await(ctx context.Context, k *conn) error {
	t := w.Tenure
	if t == nil {
		return nil
	}
	for left := t.left(); left > 0; left = t.left() {
		k.rest(ctx, min(left, t.Look/2))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := k.renew(); err != nil {
			return err
		}
	}
	return t.waited()
}

// round handles every letter that is in the folder now and that is not set back.
func (w *watcher) round(ctx context.Context, k *conn) error {
	clear(k.fresh)
	news := false
	select {
	case <-k.news: // news from here on needs another round
		news = true
	default:
	}
	var uids []imap.UID
	if box := k.client.Mailbox(); news || box == nil || box.NumMessages > 0 { // else the look has found the folder empty
		var err error
		if uids, err = k.searchUIDs(&imap.SearchCriteria{}); err != nil {
			return err
		}
	}
	k.notice(uids)
	w.forgetGone(k, uids)
	if err := w.fileAway(k); err != nil {
		return err
	}
	if time.Now().Before(w.hold.until) {
		return nil
	}
	uids = w.due(k, uids)
	size := batchCount
	if w.oneByOne {
		size = 1
	}
	for len(uids) > 0 {
		n := min(size, len(uids))
		if err := w.batch(ctx, k, uids[:n]); err != nil {
			return err
		}
		if time.Now().Before(w.hold.until) {
			return nil
		}
		uids = uids[n:]
	}
	w.oneByOne = false
	return nil
}

// batch fetches letters, passes them to the Handler and files them.
func (w *watcher) batch(ctx context.Context, k *conn, uids []imap.UID) error {
	letters, err := k.sizes(uids)
	for _, l := range letters {
		if _, fresh := k.fresh[l.uid]; fresh {
			k.fresh[l.uid] = l.date
		}
	}
	for err == nil && len(letters) > 0 && !time.Now().Before(w.hold.until) {
		group, section, limit := nextGroup(letters, w.MaxLetter)
		letters = letters[len(group):]
		var fetched []Fetched
		if fetched, err = k.bodies(group, section, limit); err != nil {
			break
		}
		k.sure = time.Now()
		w.At("fetch")
		got := make(map[uint32]bool)
		for _, letter := range fetched {
			got[letter.UID] = true
		}
		if err := k.renew(); err != nil {
			return err
		}
		if err := w.offer(ctx, k, fetched); err != nil {
			return err
		}
		for _, s := range group {
			if !got[uint32(s.uid)] {
				w.putBack(k, uint32(s.uid), maxBackoff, errors.New("the server did not give it"))
			}
		}
		if err := w.fileAway(k); err != nil {
			return err
		}
	}
	if err != nil && ctx.Err() == nil {
		switch key := (letterKey{k.validity, uint32(uids[0])}); {
		case len(uids) > 1:
			w.oneByOne = true
		case w.suspect == key:
			w.putBack(k, key.uid, maxBackoff, err)
		default:
			w.suspect = key // the network may be at fault: try once more
		}
	}
	return err
}

// nextGroup returns the letters from the front that one command fetches: either oversized
// ones, or others up to batchBytes.
func nextGroup(letters []sized, max int64) (group []sized, section *imap.FetchItemBodySection, limit int64) {
	if letters[0].size > max {
		n := 0
		for n < len(letters) && letters[n].size > max {
			n++
		}
		return letters[:n], headerOnly, maxHeader
	}
	total, n := int64(0), 0
	for n < len(letters) && letters[n].size <= max && (n == 0 || total+letters[n].size <= batchBytes) {
		total += letters[n].size
		n++
	}
	return letters[:n], wholeLetter, max
}

// offer passes letters to the Handler and records its verdicts. Its error is that of the
// context, or says that the Handler broke its contract.
func (w *watcher) offer(ctx context.Context, k *conn, letters []Fetched) error {
	if len(letters) == 0 {
		return nil
	}
	verdicts := w.handle(ctx, letters)
	if len(verdicts) != len(letters) {
		return fmt.Errorf("imapbox: the handler took %d letters and told of %d", len(letters), len(verdicts))
	}
	var wait error
	for i, v := range verdicts {
		uid := letters[i].UID
		switch {
		case v.Err == nil:
			delete(w.setBack, letterKey{k.validity, uid})
			k.stillThere[imap.UID(uid)] = handled{v.To, letters[i].Size, letters[i].InternalDate}
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(v.Err, ErrNotNow):
			wait = v.Err
		default:
			w.putBack(k, uid, maxSetBack, fmt.Errorf("handling: %w", v.Err))
		}
	}
	if wait == nil {
		w.hold = setBack{}
		return nil
	}
	w.hold.longer(w.Pause, maxHold)
	w.Log.Error("imapbox: letters wait in the mailbox", "again_in", w.hold.wait, "err", wait)
	return nil
}

// fileAway moves letters that have been handled. If the server refuses a move, fileAway logs
// that and tries again at the next round. Now and then it returns the error, so that the next
// attempt uses another connection: the session may be broken. A lost connection is always an
// error.
func (w *watcher) fileAway(k *conn) error {
	if len(k.stillThere) == 0 {
		return nil
	}
	// Handling may have taken long. If another server owns the mailbox by now, it must find
	// the letters there.
	if err := k.renew(); err != nil {
		return err
	}
	if err := k.recognise(); err != nil {
		return err
	}
	var trouble error
	for _, d := range []Disposition{Done, Failed, TooLarge} {
		var uids imap.UIDSet
		for uid, filed := range k.stillThere {
			if filed.to == d {
				uids.AddNum(uid)
			}
		}
		if len(uids) == 0 {
			continue
		}
		folder := k.filing.of(d)
		w.At("file")
		err := k.move(uids, folder)
		if refused := new(imap.Error); errors.As(err, &refused) && k.known[folder] {
			delete(k.known, folder) // someone may have removed the folder
			if uids, err = k.there(uids); err == nil && len(uids) > 0 {
				err = k.move(uids, folder)
			}
		}
		if err != nil {
			var refused *imap.Error
			if !errors.As(err, &refused) {
				return err
			}
			w.Log.Error("imapbox: letters cannot be filed away", "folder", folder, "err", err)
			trouble = err
			continue
		}
		w.At("filed")
		w.worked = true
		for uid, filed := range k.stillThere {
			if filed.to == d {
				delete(k.stillThere, uid)
			}
		}
	}
	if trouble != nil && time.Since(w.refused) > w.IdleFor {
		w.refused = time.Now()
		return trouble
	}
	return nil
}

// due returns the letters to offer now: without those that have been handled and those that
// are set back.
func (w *watcher) due(k *conn, uids []imap.UID) []imap.UID {
	now := time.Now()
	var due []imap.UID
	for _, uid := range uids {
		if _, handled := k.stillThere[uid]; handled {
			continue
		}
		if back := w.setBack[letterKey{k.validity, uint32(uid)}]; back != nil && now.Before(back.until) {
			continue
		}
		due = append(due, uid)
	}
	return due
}

// forgetGone forgets letters that are no longer in the folder.
func (w *watcher) forgetGone(k *conn, uids []imap.UID) {
	there := make(map[imap.UID]bool, len(uids))
	for _, uid := range uids {
		there[uid] = true
	}
	for key := range w.setBack {
		if key.validity != k.validity || !there[imap.UID(key.uid)] {
			delete(w.setBack, key)
		}
	}
	for uid := range k.stillThere {
		if !there[uid] {
			delete(k.stillThere, uid)
		}
	}
}

func (w *watcher) putBack(k *conn, uid uint32, most time.Duration, cause error) {
	key := letterKey{k.validity, uid}
	back := w.setBack[key]
	if back == nil {
		back = &setBack{}
		w.setBack[key] = back
	}
	back.longer(w.Retry, most)
	w.Log.Error("imapbox: letter set back", "uidvalidity", k.validity, "uid", uid, "again_in", back.wait, "err", cause)
}

// untilNextSetBack returns how long it is until the watcher must offer a letter again.
func (w *watcher) untilNextSetBack() time.Duration {
	wait := w.IdleFor
	if !w.hold.until.IsZero() {
		return max(min(wait, time.Until(w.hold.until)), 10*time.Millisecond)
	}
	for _, back := range w.setBack {
		wait = min(wait, time.Until(back.until))
	}
	return max(wait, 10*time.Millisecond)
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
