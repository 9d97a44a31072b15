package imapbox

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
)

// A Claimed is the error that another server has claimed the mailbox.
type Claimed struct {
	User, Folder string    // the mailbox
	Claims       string    // the folder that holds the claim
	Server       string    // how that server describes itself, in one line of ASCII
	Since        time.Time // when it claimed the mailbox
	Copy         bool      // its claim names this server's database, so it works on a copy
	Unproven     bool      // its claim lacks a MAC by this database's key
}

func (c *Claimed) Error() string {
	since := c.Since.UTC().Format("2006-01-02 15:04 MST")
	if c.Copy {
		by := ""
		if c.Unproven {
			by = fmt.Sprintf(". Its letter in the folder %q lacks this database's key: an older version of the program wrote it, or someone else who has the mailbox's password", c.Claims)
		}
		return fmt.Sprintf("imap: another server, with a copy of this database, has taken over %s of %s since %s: %s%s. This one no longer reads or sends letters",
			c.Folder, c.User, since, c.Server, by)
	}
	return fmt.Sprintf("imap: %s of %s belongs to another server since %s: %s. If that one is gone for good, delete its letter in the folder %q",
		c.Folder, c.User, since, c.Server, c.Claims)
}

// A Rival is the warning of Check that another server, with a copy of this server's database,
// may be using the mailbox. The embedded Claimed describes that server.
type Rival struct {
	Claimed
	Ours bool // this server's claim counts, but the rival may not have stopped yet
}

func (r *Rival) Error() string {
	since := r.Since.UTC().Format("2006-01-02 15:04 MST")
	if r.Ours {
		return fmt.Sprintf("imap: another server, with a copy of this database, had %s of %s since %s and has not confirmed that it stopped: %s", r.Folder, r.User, since, r.Server)
	}
	return fmt.Sprintf("imap: another server, with a copy of this database, has %s of %s since %s: %s", r.Folder, r.User, since, r.Server)
}

// claimed is one claim, as read from its letter.
type claimed struct {
	uid                  imap.UID
	id, instance, server string
	folder               string // the folder that it claims
	epoch                int64
	mac                  string
	proven               bool // it has a MAC by this database's key
	delivered            bool // it was delivered by mail, so it doesn't count
	since                time.Time
	deleted              bool
}

// claimState identifies a state of the folder of claims: it changes when a letter is added or
// removed.
type claimState struct {
	letters  uint32
	next     imap.UID
	validity uint32
}

// Claim claims the mailbox for c.Tenure. If another server's claim counts, it returns a
// *Claimed, unless take is set: then it removes that claim.
func Claim(ctx context.Context, c Config, take bool) error {
	c, err := c.complete()
	if err != nil {
		return err
	}
	k, err := connect(ctx, c)
	if err == nil {
		defer k.close()
		err = k.claim(take)
	}
	if c.Tenure != nil && c.Tenure.Lost() == nil && err != nil {
		c.Tenure.update(func() { c.Tenure.away = true })
	}
	return err
}

// claim makes sure that our claim counts, and writes it if it is missing. If another server's
// claim counts, it removes ours and returns a *Claimed. Of two claims written at the same
// time, the one with the lower UID counts.
func (k *conn) claim(take bool) error {
	t := k.Tenure
	if t == nil {
		return nil
	}
	looked := time.Now() // before the command: its answer may arrive late
	claims, err := k.claims()
	if err == nil && !t.begun() {
		claims, err = k.begin(claims, take)
	}
	if err == nil && !slices.ContainsFunc(claims, t.ours) && (len(claims) == 0 || claims[0].epoch < t.term.Epoch) {
		if claims, err = k.putClaim(); err == nil && len(claims) == 0 {
			err = fmt.Errorf("imap: the claim put into %s is not found there", k.filing.Claim)
		}
	}
	if err != nil {
		return err
	}
	if t.ours(claims[0]) {
		t.saw(looked)
		return k.putAside()
	}
	for _, l := range claims {
		if t.ours(l) {
			if err := k.remove(imap.UIDSetNum(l.uid)); err != nil {
				return err
			}
		}
	}
	return t.yield(k.claimedBy(claims[0]), t.term)
}

// begin chooses the claim of a server that starts, writes it and removes those that it
// replaces.
func (k *conn) begin(claims []claimed, take bool) ([]claimed, error) {
	t := k.Tenure
	term, other := t.next(claims, take)
	if other != nil {
		return nil, t.yield(k.claimedBy(claims[0]), t.Was)
	}
	if err := t.start(term); err != nil {
		return nil, err
	}
	if !term.Waited {
		t.Log.Warn("imapbox: this server takes the mailbox over; a server that had it stops, and this one waits for that", "epoch", term.Epoch, "wait", t.Wait)
	}
	before := claims
	claims, err := k.putClaim() // before the others are removed, so that there is always a claim
	changed := false
	for _, l := range before {
		if err != nil {
			return nil, err
		}
		own := l.id == t.Database && (l.instance == t.Was.Instance || l.instance == "") // an empty instance: by a version without instances or MACs
		over := l.id == t.Database && term == t.Was && term.Waited && l.epoch < term.Epoch
		if !t.ours(l) && (take || own || over) {
			err, changed = k.remove(imap.UIDSetNum(l.uid)), true
		}
	}
	if changed && err == nil {
		claims, err = k.claims()
	}
	return claims, err
}

// putClaim writes our claim into the mailbox, unless it is there, and lists all claims.
func (k *conn) putClaim() ([]claimed, error) {
	claims, err := k.claims()
	if err != nil || slices.ContainsFunc(claims, k.Tenure.ours) {
		return claims, err
	}
	if err := k.ensure(k.filing.Claim); err != nil {
		return nil, err
	}
	if err := k.append(k.filing.Claim, k.claimLetter()); err != nil {
		return nil, err
	}
	k.Tenure.At("raised")
	return k.claims()
}

func (k *conn) claimedBy(l claimed) *Claimed {
	return &Claimed{User: k.User, Folder: k.folder, Claims: k.filing.Claim, Server: l.server, Since: l.since, Copy: l.id == k.Tenure.Database, Unproven: !l.proven}
}

// putAside moves letters that were delivered by mail out of the folder of claims, and reports
// them. They don't count as claims, but each look would read them again.
func (k *conn) putAside() error {
	if len(k.delivered) == 0 {
		return nil
	}
	k.Log.Error("imapbox: letters were delivered into the folder of claims; they don't count, and are moved away", "from", k.filing.Claim, "to", k.filing.Failed, "letters", len(k.delivered))
	k.Tenure.Delivered(len(k.delivered))
	err := k.move(imap.UIDSetNum(k.delivered...), k.filing.Failed)
	k.delivered = nil
	if refused(err) {
		k.Log.Error("imapbox: they cannot be moved", "err", err)
		return nil
	}
	return err
}

// renew looks whether our claim still counts, if the last look is older than half of
// Tenure.Look.
func (k *conn) renew() error {
	k.asked = false
	t := k.Tenure
	if t == nil || !t.stale() {
		return nil
	}
	looked := time.Now()
	changed, err := k.claimsChanged()
	if err != nil {
		return err
	}
	if !changed {
		t.saw(looked)
		return nil
	}
	t.update(func() { t.doubt = true })
	if err := k.claim(false); err != nil || k.validity == 0 {
		return err
	}
	before := k.validity
	if err := k.look(); err != nil { // claim has selected the folder of claims, so select the watched one
		return err
	}
	k.again()
	if k.validity != before {
		return errors.New("the folder is another one now")
	}
	return nil
}

// foresee returns the error that a server with the Tenure would get at its start, for Check,
// which does not start it.
func (k *conn) foresee() error {
	t := k.Tenure
	claims, err := k.claims()
	if err != nil || len(claims) == 0 {
		return err
	}
	if _, other := t.next(claims, false); other != nil {
		return k.claimedBy(claims[0])
	}
	for _, l := range claims {
		if l.id == t.Database && l.instance != t.Was.Instance && l.instance != "" {
			return &Rival{Claimed: *k.claimedBy(l), Ours: claims[0].instance == t.Was.Instance}
		}
	}
	return nil
}

// claims lists the claims on the watched folder, the one that counts first, and selects the
// folder of claims, if it exists.
func (k *conn) claims() (list []claimed, err error) {
	var before claimState
	k.delivered = nil
	if k.lacksNext {
		if before, err = k.claimsNow(); err != nil {
			return nil, err
		}
	}
	data, err := k.open(k.filing.Claim)
	if err == nil && data.UIDNext == 0 && !k.lacksNext {
		// SELECT on this server does not report UIDNEXT, but STATUS may. STATUS goes first,
		// or a change between the two would be missed.
		k.lacksNext = true
		return k.claims()
	}
	if err != nil {
		if err = k.unlessMissing(k.filing.Claim, err); err == nil {
			return nil, nil
		}
		if data, err = k.open(k.filing.Claim); err != nil { // else another server has made the folder meanwhile
			return nil, err
		}
	}
	k.claimState = claimState{data.NumMessages, data.UIDNext, data.UIDValidity}
	if k.lacksNext {
		k.claimState = before
	}
	if data.NumMessages == 0 {
		return nil, nil
	}
	fields := &imap.FetchItemBodySection{Specifier: imap.PartSpecifierHeader, Peek: true, HeaderFields: slices.Concat(claimFields, deliveryFields)}
	options := &imap.FetchOptions{UID: true, Flags: true, InternalDate: true, BodySection: []*imap.FetchItemBodySection{fields}}
	all := imap.UIDSet{imap.UIDRange{Start: 1}} // 1:*
	err = fetch(k, "claims", all, options, readClaim, func(l claimed) {
		switch {
		case l.deleted:
		case l.delivered:
			if len(k.delivered) < maxClaims {
				k.delivered = append(k.delivered, l.uid)
			}
		case l.id != "" && l.folder == k.folder && len(list) < maxClaims:
			l.proven = k.Tenure.wrote(l)
			list = append(list, l)
		}
	})
	slices.SortStableFunc(list, func(a, b claimed) int {
		return cmp.Or(cmp.Compare(b.epoch, a.epoch), cmp.Compare(a.uid, b.uid))
	})
	return list, err
}

const maxClaims = 100

// claimFields are the fields of a claim. deliveryFields are those that mail servers add to
// each letter that they deliver. A claim has none of these, because a server writes it by
// IMAP; but anyone can write to user+FOLDER@example.org, and some mail servers file such
// letters in that folder.
var (
	claimFields    = []string{"X-Angelpost-Claim", "X-Angelpost-Instance", "X-Angelpost-Epoch", "X-Angelpost-Folder", "X-Angelpost-Server", "X-Angelpost-MAC"}
	deliveryFields = []string{"Received", "Return-Path", "Delivered-To"}
)

func readClaim(m *imapclient.FetchMessageData) (l claimed, err error) {
	for item := m.Next(); item != nil; item = m.Next() {
		switch item := item.(type) {
		case imapclient.FetchItemDataUID:
			l.uid = item.UID
		case imapclient.FetchItemDataInternalDate:
			l.since = item.Time
		case imapclient.FetchItemDataFlags:
			l.deleted = slices.Contains(item.Flags, imap.FlagDeleted) // by a person whose mail program does not expunge
		case imapclient.FetchItemDataBodySection:
			if item.Literal == nil {
				continue
			}
			raw, err := literal(item.Literal, maxHeader)
			if err != nil {
				return l, err
			}
			if msg, err := mail.ReadMessage(bytes.NewReader(raw)); err == nil {
				h := msg.Header
				l.delivered = slices.ContainsFunc(deliveryFields, func(name string) bool { _, has := h[name]; return has })
				l.mac = h.Get("X-Angelpost-MAC")
				l.id, l.instance, l.folder, l.server = h.Get("X-Angelpost-Claim"), h.Get("X-Angelpost-Instance"), h.Get("X-Angelpost-Folder"), ascii(h.Get("X-Angelpost-Server"))
				if n, err := strconv.ParseInt(h.Get("X-Angelpost-Epoch"), 10, 64); err == nil && n > 0 && n <= maxEpoch {
					l.epoch = n // else a version without epochs wrote it
				}
			}
		}
	}
	return l, nil
}

// ascii makes a text from elsewhere safe to print: at most 300 characters, all printable
// ASCII.
func ascii(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
	return s[:min(len(s), 300)]
}

// claimsChanged reports, with one command, whether anyone has changed the folder of claims
// since they were listed.
func (k *conn) claimsChanged() (bool, error) {
	now, err := k.claimsNow()
	return now != k.claimState || now == claimState{}, err
}

// claimsNow returns the state of the folder of claims; the zero claimState if there is no
// such folder.
func (k *conn) claimsNow() (now claimState, err error) {
	data, err := ask(k, "status of "+k.filing.Claim, func() (*imap.StatusData, error) {
		return k.client.Status(k.filing.Claim, &imap.StatusOptions{NumMessages: true, UIDNext: true, UIDValidity: true}).Wait()
	})
	if refused := new(imap.Error); errors.As(err, &refused) {
		return now, nil
	}
	if err == nil && data.NumMessages != nil {
		now = claimState{*data.NumMessages, data.UIDNext, data.UIDValidity}
	}
	return now, err
}

// claimLetter returns the text of the claim, which also explains it to a person who finds it.
func (k *conn) claimLetter() string {
	t := k.Tenure
	return "From: angelpost@angelpost.invalid\r\nSubject: This mailbox belongs to an Angelpost server\r\n" +
		"Date: " + time.Now().Format(time.RFC1123Z) + "\r\n" +
		"Message-ID: <claim." + t.Database + "." + t.term.Instance + "@angelpost.invalid>\r\nAuto-Submitted: auto-generated\r\n" +
		"X-Angelpost-Claim: " + t.Database + "\r\nX-Angelpost-Instance: " + t.term.Instance +
		"\r\nX-Angelpost-Epoch: " + strconv.FormatInt(t.term.Epoch, 10) + "\r\nX-Angelpost-Folder: " + k.folder + "\r\nX-Angelpost-Server: " + t.Place + "\r\n" +
		"X-Angelpost-MAC: " + t.mac(t.term.Instance, t.term.Epoch, k.folder) + "\r\n" +
		"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\n" +
		"An Angelpost server reads the letters of this mailbox:\r\n\r\n  " + t.Place + "\r\n\r\n" +
		"This letter keeps others away: two servers would take each other's letters.\r\n" +
		"Leave it here while that server is in use; if it is deleted, the server puts\r\n" +
		"it back. If that server is gone for good and another one should have the\r\n" +
		"mailbox, delete this letter and start that one.\r\n"
}

// A Holder is the server whose claim on a mailbox counts.
type Holder struct {
	Database string // the name of its database; "" if no one has claimed the mailbox
	Instance string
	Epoch    int64
	Server   string // how it describes itself, in one line of ASCII
}

// Look returns the server whose claim on the watched folder of c counts.
func Look(ctx context.Context, c Config) (h Holder, err error) {
	if c, err = c.complete(); err != nil {
		return h, err
	}
	k, err := connect(ctx, c)
	if err != nil {
		return h, err
	}
	defer k.close()
	claims, err := k.claims()
	if err != nil || len(claims) == 0 {
		return h, err
	}
	return Holder{claims[0].id, claims[0].instance, claims[0].epoch, claims[0].server}, nil
}
