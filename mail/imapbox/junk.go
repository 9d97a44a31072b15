package imapbox

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
)

// Junk says how the watcher finds letters for this server that the mail server took for spam.
// It looks into the spam folder every Every, and moves letters that are Good to the watched
// folder. Without Judge it does not look, and only Survey finds the folder.
type Junk struct {
	Folder string        // "": the one that the server marks \Junk, or one with a usual name
	Every  time.Duration // time between looks; 30 min
	// Ours reports whether a letter with this header may be for this server. If so, the
	// watcher reads the whole letter and passes it to Judge.
	Ours func(ctx context.Context, header []byte) (bool, error)
	// Judge returns a Finding for each letter, in their order. Letters above MaxLetter have
	// HeaderOnly set.
	Judge func(ctx context.Context, letters []Fetched) ([]Finding, error)
	// The watcher calls Left after each look, with the number of Unproven letters that are
	// still in the folder.
	Left func(n int)
}

// A Finding says what a letter in the spam folder is.
type Finding uint8

const (
	Foreign  Finding = iota // not for this server; it stays
	Unproven                // for this server, but its author is not proven; it stays
	Good                    // for this server; the watcher moves it
)

const (
	junkEvery  = 30 * time.Minute
	junkNewest = 500 // letters that the first look covers
	junkAtOnce = 50  // letters that one look reads in full
)

// junkNames are usual names, in lower case, of a spam folder that the server does not mark.
var junkNames = []string{
	"junk", "spam", "junk mail", "junk email", "junk e-mail", "junk-e-mail", "bulk mail", "bulk", "spamverdacht",
	"courrier indésirable", "pourriel", "correo no deseado", "posta indesiderata", "lixo eletrônico", "lixo eletrónico",
	"ongewenste e-mail", "skräppost", "søppelpost", "uønsket mail", "roskaposti", "wiadomości-śmieci", "nevyžádaná pošta", "спам", "迷惑メール", "垃圾邮件",
}

// junkSeen is what the watcher knows of the spam folder, across connections.
type junkSeen struct {
	at       time.Time // of the last look
	validity uint32
	last     imap.UID          // the highest UID that a look has read
	left     map[imap.UID]bool // the letters that were Unproven
}

// junkFolder returns the name of the spam folder, as this server spells it, or "" if there is
// none.
func (k *conn) junkFolder(name string) (string, error) {
	if name != "" {
		return k.spell(name), nil
	}
	if k.junk != "" {
		return k.junk, nil
	}
	var options *imap.ListOptions
	if k.canMark {
		options = &imap.ListOptions{ReturnSpecialUse: true}
	}
	list, err := ask(k, "list of folders", func() ([]*imap.ListData, error) { return k.client.List("", "*", options).Collect() })
	if err != nil {
		return "", err
	}
	found, best := "", len(junkNames)
	for _, l := range list {
		switch {
		case slices.Contains(l.Attrs, imap.MailboxAttrNoSelect), slices.Contains(l.Attrs, imap.MailboxAttrNonExistent), k.uses(l.Mailbox):
		case slices.Contains(l.Attrs, imap.MailboxAttrJunk):
			k.junk = l.Mailbox
			return k.junk, nil
		default:
			own := strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(l.Mailbox, k.prefix), "INBOX"+k.delim))
			if at := slices.Index(junkNames, own); at >= 0 && at < best {
				found, best = l.Mailbox, at
			}
		}
	}
	k.junk = found
	return found, nil
}

// uses reports whether the watcher reads letters from a folder or files letters in it.
func (k *conn) uses(folder string) bool {
	return slices.Contains([]string{k.folder, k.filing.Done, k.filing.Failed, k.filing.TooLarge, k.filing.Claim}, folder)
}

// searchJunk looks into the spam folder, if it is time for that, and reports whether it moved
// letters. The caller must then select the watched folder again. If the server refuses a
// command, or Judge fails, the letters wait for the next look.
func (w *watcher) searchJunk(ctx context.Context, k *conn) (moved bool, err error) {
	if w.Junk == nil || w.Junk.Judge == nil || time.Since(w.junk.at) < cmp.Or(w.Junk.Every, junkEvery) {
		return false, nil
	}
	w.junk.at = time.Now()
	folder, err := k.junkFolder(w.Junk.Folder)
	switch {
	case err != nil:
	case folder == "":
		clear(w.junk.left)
	default:
		moved, err = w.rescue(ctx, k, folder)
	}
	if err == nil {
		w.Junk.Left(len(w.junk.left))
		return moved, nil
	}
	select {
	case <-k.line.ended:
		return moved, err
	default:
		w.Log.Warn("imapbox: the folder of spam is left alone", "folder", folder, "again_in", cmp.Or(w.Junk.Every, junkEvery), "err", err)
		return moved, ctx.Err()
	}
}

// rescue moves the letters that are Good from the spam folder to the watched folder.
func (w *watcher) rescue(ctx context.Context, k *conn, folder string) (moved bool, err error) {
	box, err := ask(k, "examine "+folder, func() (*imap.SelectData, error) {
		return k.client.Select(folder, &imap.SelectOptions{ReadOnly: true}).Wait()
	})
	if err != nil {
		k.junk = "" // someone may have renamed the folder
		return false, err
	}
	seen := &w.junk
	if seen.validity != box.UIDValidity {
		seen.validity, seen.last, seen.left = box.UIDValidity, 0, map[imap.UID]bool{}
	}
	ours, last, err := w.newInJunk(ctx, k, box)
	if err != nil || len(ours) == 0 {
		if err == nil {
			seen.last = last
		}
		return false, err
	}
	if len(ours) > junkAtOnce { // leave the others to the next look
		ours, last = ours[:junkAtOnce], ours[junkAtOnce-1]
	}
	if err := k.renew(); err != nil { // it may select another folder
		return false, err
	}
	if box, err = k.open(folder); err != nil {
		return false, err
	}
	if box.UIDValidity != seen.validity {
		return false, errors.New("the folder is another one now")
	}
	good, err := w.judgeJunk(ctx, k, ours)
	if err != nil {
		return false, err
	}
	if len(good) > 0 {
		k.known[k.folder] = true // it exists, because it is watched
		if err := k.move(imap.UIDSetNum(good...), k.folder); err != nil {
			return false, err
		}
		w.Log.Info("imapbox: letters were moved out of spam", "folder", folder, "letters", len(good))
	}
	seen.last = last
	return len(good) > 0, nil
}

// newInJunk lists letters that may be for us and that no look has read yet. It also returns
// the highest UID whose header it has read, and forgets Unproven letters that are gone. The
// first look covers only the newest letters.
func (w *watcher) newInJunk(ctx context.Context, k *conn, box *imap.SelectData) (ours []imap.UID, last imap.UID, err error) {
	seen := &w.junk
	last = seen.last
	if box.NumMessages == 0 {
		clear(seen.left)
		return nil, last, nil
	}
	var which imap.NumSet
	switch nothing := box.UIDNext != 0 && box.UIDNext <= last+1; {
	case last == 0:
		which = imap.SeqSet{{Start: max(1, box.NumMessages-min(box.NumMessages, junkNewest)+1), Stop: box.NumMessages}}
	case nothing && len(seen.left) == 0:
		return nil, last, nil
	default:
		set := imap.UIDSetNum(slices.Collect(maps.Keys(seen.left))...)
		if !nothing {
			set.AddRange(last+1, 0) // to the end
		}
		which = set
	}
	there := map[imap.UID]bool{}
	var failed error
	err = k.headers(which, func(uid imap.UID, f Filed) {
		switch {
		case seen.left[uid]:
			there[uid] = true
		case uid > seen.last && failed == nil:
			var yes bool
			if yes, failed = w.Junk.Ours(ctx, f.Header); yes {
				ours = append(ours, uid)
			}
			last = max(last, uid)
		}
	})
	if err = errors.Join(err, failed); err != nil {
		return nil, 0, err
	}
	seen.left = there
	slices.Sort(ours)
	return ours, last, nil
}

// judgeJunk fetches letters, passes them to Judge and returns those that are Good. It
// remembers those that are Unproven.
func (w *watcher) judgeJunk(ctx context.Context, k *conn, uids []imap.UID) (good []imap.UID, err error) {
	letters, err := k.sizes(uids)
	for err == nil && len(letters) > 0 {
		group, section, limit := nextGroup(letters, w.MaxLetter)
		letters = letters[len(group):]
		fetched, err := k.bodies(group, section, limit)
		if err != nil {
			return nil, err
		}
		findings, err := w.Junk.Judge(ctx, fetched)
		if err != nil {
			return nil, err
		}
		for i, f := range findings {
			switch uid := imap.UID(fetched[i].UID); f {
			case Good:
				good = append(good, uid)
			case Unproven:
				w.junk.left[uid] = true
			}
		}
	}
	return good, err
}
