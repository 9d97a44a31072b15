package mailhost

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
)

// imapSession answers one IMAP client: the memory server speaks the protocol, and every change
// of letters or folders goes to disk as well.
type imapSession struct {
	*imapmemserver.UserSession // nil until the login
	host                       *Host
	account                    *account
	selected                   *box
}

var (
	_ imapserver.SessionIMAP4rev2   = (*imapSession)(nil)
	_ imapserver.SessionAppendLimit = (*imapSession)(nil)
	_ imapserver.SessionSASL        = (*imapSession)(nil)
)

func refuse(code imap.ResponseCode, text string) error {
	return &imap.Error{Type: imap.StatusResponseTypeNo, Code: code, Text: text}
}

func errNoSuchBox(code imap.ResponseCode) error { return refuse(code, "No such mailbox") }

// folderName gives INBOX in any case its one name (RFC 9051 section 5.1).
func folderName(name string) string {
	if strings.EqualFold(name, inbox) {
		return inbox
	}
	return strings.TrimRight(name, "/")
}

func (s *imapSession) Close() error {
	if s.UserSession == nil {
		return nil
	}
	return s.UserSession.Close()
}

func (s *imapSession) Login(username, password string) error {
	a := s.host.login(username, password)
	if a == nil {
		return imapserver.ErrAuthFailed
	}
	s.enter(a)
	return nil
}

func (s *imapSession) enter(a *account) {
	s.account = a
	s.UserSession = imapmemserver.NewUserSession(a.user)
}

func (s *imapSession) AppendLimit() uint32 { return uint32(s.host.config.MaxLetter) }

// validity makes the memory server's UIDVALIDITY, which starts again with each process, differ
// from that of every earlier process.
func (s *imapSession) validity(inner uint32) uint32 { return s.host.starts<<16 + inner }

func (s *imapSession) Select(name string, options *imap.SelectOptions) (*imap.SelectData, error) {
	s.account.mu.Lock()
	defer s.account.mu.Unlock()
	data, err := s.UserSession.Select(folderName(name), options)
	if err != nil {
		return nil, err
	}
	s.selected = s.account.boxes[folderName(name)]
	data.UIDValidity = s.validity(data.UIDValidity)
	return data, nil
}

func (s *imapSession) Unselect() error {
	s.selected = nil
	return s.UserSession.Unselect()
}

func (s *imapSession) Status(name string, options *imap.StatusOptions) (*imap.StatusData, error) {
	data, err := s.UserSession.Status(folderName(name), options)
	if err == nil && options.UIDValidity {
		data.UIDValidity = s.validity(data.UIDValidity)
	}
	return data, err
}

const flagNews = 2 * time.Second

// Idle does not use the memory server's, which keeps to itself what happened
// between the last command and its own start. Letters show at once, flags
// within flagNews.
func (s *imapSession) Idle(w *imapserver.UpdateWriter, stop <-chan struct{}) error {
	tick := time.NewTicker(flagNews)
	defer tick.Stop()
	for {
		s.account.mu.Lock()
		news := s.account.news
		s.account.mu.Unlock()
		if err := s.UserSession.Poll(w, true); err != nil {
			return err
		}
		select {
		case <-stop:
			return nil
		case <-news:
		case <-tick.C:
		}
	}
}

func (s *imapSession) List(w *imapserver.ListWriter, ref string, patterns []string, options *imap.ListOptions) error {
	if options.ReturnStatus != nil {
		// It would be the memory server's own number, not the one of SELECT.
		options.ReturnStatus.UIDValidity = false
	}
	return s.UserSession.List(w, ref, patterns, options)
}

func (s *imapSession) Append(name string, r imap.LiteralReader, options *imap.AppendOptions) (*imap.AppendData, error) {
	var raw bytes.Buffer
	if _, err := raw.ReadFrom(r); err != nil { // at most AppendLimit
		return nil, err
	}
	date := options.Time
	if date.IsZero() {
		date = time.Now()
	}
	data, err := s.account.append(folderName(name), raw.Bytes(), date)
	if err != nil {
		return nil, err
	}
	data.UIDValidity = s.validity(data.UIDValidity)
	return data, nil
}

func (s *imapSession) Create(name string, options *imap.CreateOptions) error {
	name = folderName(name)
	if name == "" || len(name) > maxFolderName {
		return refuse(imap.ResponseCodeCannot, "That can't be the name of a mailbox")
	}
	s.account.mu.Lock()
	defer s.account.mu.Unlock()
	if s.account.boxes[name] != nil {
		return refuse(imap.ResponseCodeAlreadyExists, "Mailbox already exists")
	}
	return s.account.openBox(name)
}

func (s *imapSession) Delete(name string) error {
	name = folderName(name)
	if name == inbox {
		return refuse(imap.ResponseCodeCannot, "INBOX stays")
	}
	s.account.mu.Lock()
	defer s.account.mu.Unlock()
	b := s.account.boxes[name]
	if b == nil {
		return errNoSuchBox(imap.ResponseCodeNonExistent)
	}
	if err := os.RemoveAll(b.dir); err != nil {
		return err
	}
	delete(s.account.boxes, name)
	return errors.Join(s.UserSession.Delete(name), syncDir(s.account.dir))
}

func (s *imapSession) Rename(name, newName string, options *imap.RenameOptions) error {
	name, newName = folderName(name), folderName(newName)
	if name == inbox || newName == "" || len(newName) > maxFolderName {
		return refuse(imap.ResponseCodeCannot, "That mailbox can't have that name")
	}
	s.account.mu.Lock()
	defer s.account.mu.Unlock()
	b := s.account.boxes[name]
	if b == nil {
		return errNoSuchBox(imap.ResponseCodeNonExistent)
	}
	if err := s.UserSession.Rename(name, newName, options); err != nil {
		return err
	}
	dir := filepath.Join(s.account.dir, dirName(newName))
	if err := os.Rename(b.dir, dir); err != nil {
		return err
	}
	b.dir = dir
	for _, f := range b.letters {
		f.path = filepath.Join(dir, filepath.Base(f.path))
	}
	delete(s.account.boxes, name)
	s.account.boxes[newName] = b
	return syncDir(s.account.dir)
}

func (s *imapSession) Copy(numSet imap.NumSet, name string) (*imap.CopyData, error) {
	s.account.mu.Lock()
	defer s.account.mu.Unlock()
	return s.bring(numSet, folderName(name), os.Link)
}

// bring copies in memory and links or renames on disk. The account is locked.
func (s *imapSession) bring(numSet imap.NumSet, name string, how func(old, new string) error) (*imap.CopyData, error) {
	to := s.account.boxes[name]
	if to == nil {
		return nil, errNoSuchBox(imap.ResponseCodeTryCreate)
	}
	defer s.account.notify()
	data, err := s.UserSession.Copy(numSet, name)
	if err != nil {
		return nil, err
	}
	// Both sets were filled pairwise in ascending order.
	sources, _ := data.SourceUIDs.Nums()
	dests, _ := data.DestUIDs.Nums()
	for i := range sources {
		if err := s.account.place(s.selected, sources[i], to, dests[i], how); err != nil {
			return nil, err
		}
	}
	data.UIDValidity = s.validity(data.UIDValidity)
	return data, errors.Join(syncDir(to.dir), syncDir(s.selected.dir))
}

// Move does not use the memory server's MOVE, which tells the client of every
// moved letter twice.
func (s *imapSession) Move(w *imapserver.MoveWriter, numSet imap.NumSet, name string) error {
	s.account.mu.Lock()
	data, err := s.bring(numSet, folderName(name), os.Rename)
	if err == nil && len(data.SourceUIDs) > 0 {
		err = s.UserSession.Store(nil, data.SourceUIDs, &imap.StoreFlags{
			Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagDeleted},
		}, nil)
		if err == nil {
			err = s.remove(data.SourceUIDs)
		}
	}
	s.account.mu.Unlock()
	if err != nil {
		return err
	}
	if len(data.SourceUIDs) == 0 {
		return nil
	}
	return w.WriteCopyData(data) // the EXPUNGE lines follow from the tracker's queue
}

func (s *imapSession) Expunge(w *imapserver.ExpungeWriter, uids *imap.UIDSet) error {
	s.account.mu.Lock()
	defer s.account.mu.Unlock()
	criteria := &imap.SearchCriteria{Flag: []imap.Flag{imap.FlagDeleted}}
	if uids != nil {
		criteria.UID = []imap.UIDSet{*uids}
	}
	found, err := s.UserSession.Search(imapserver.NumKindUID, criteria, &imap.SearchOptions{})
	if err != nil {
		return err
	}
	deleted := found.All.(imap.UIDSet)
	if len(deleted) == 0 {
		return nil
	}
	return s.remove(deleted)
}

// remove takes letters flagged \Deleted away, first from disk, then from memory.
// The account is locked.
func (s *imapSession) remove(uids imap.UIDSet) error {
	defer s.account.notify()
	nums, _ := uids.Nums()
	for _, uid := range nums {
		f := s.selected.letters[uid]
		if f == nil {
			continue
		}
		if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		delete(s.selected.letters, uid)
	}
	if err := syncDir(s.selected.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // a folder deleted under this session has no directory left
	}
	return s.UserSession.Expunge(nil, &uids)
}
