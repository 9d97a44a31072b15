package mailhost

import (
	"bytes"
	"os"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapserver"
)

// isOdd reports whether the memory server would not return a letter byte for byte: it parses
// the header and writes it again, and returns nothing of a broken one. A mailbox must return
// what it got.
func isOdd(raw []byte) bool {
	return !bytes.Equal(raw, imapserver.ExtractBodySection(bytes.NewReader(raw), &imap.FetchItemBodySection{}))
}

// Fetch leaves ordinary letters to the memory server.
func (s *imapSession) Fetch(w *imapserver.FetchWriter, numSet imap.NumSet, options *imap.FetchOptions) error {
	criteria := &imap.SearchCriteria{}
	switch set := numSet.(type) {
	case imap.UIDSet:
		criteria.UID = []imap.UIDSet{set}
	case imap.SeqSet:
		criteria.SeqNum = []imap.SeqSet{set}
	}
	uids, err := s.searchUIDs(criteria)
	if err != nil {
		return err
	}
	s.account.mu.Lock()
	odd := make(map[imap.UID]letterFile)
	for _, uid := range uids {
		if f := s.selected.letters[uid]; f != nil && f.odd {
			odd[uid] = *f
		}
	}
	s.account.mu.Unlock()
	if len(odd) == 0 {
		return s.UserSession.Fetch(w, numSet, options)
	}
	for _, uid := range uids {
		if f, ok := odd[uid]; ok {
			err = s.fetchOdd(w, uid, f, options)
		} else {
			err = s.UserSession.Fetch(w, imap.UIDSetNum(uid), options)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *imapSession) searchUIDs(criteria *imap.SearchCriteria) ([]imap.UID, error) {
	found, err := s.UserSession.Search(imapserver.NumKindUID, criteria, &imap.SearchOptions{})
	if err != nil {
		return nil, err
	}
	uids, _ := found.All.(imap.UIDSet).Nums()
	return uids, nil
}

var systemFlags = []imap.Flag{imap.FlagSeen, imap.FlagAnswered, imap.FlagFlagged, imap.FlagDeleted, imap.FlagDraft}

func (s *imapSession) fetchOdd(w *imapserver.FetchWriter, uid imap.UID, f letterFile, options *imap.FetchOptions) error {
	this := []imap.UIDSet{imap.UIDSetNum(uid)}
	found, err := s.UserSession.Search(imapserver.NumKindSeq, &imap.SearchCriteria{UID: this}, &imap.SearchOptions{})
	if err != nil || found.Max == 0 {
		return err // gone meanwhile
	}
	raw, err := os.ReadFile(f.path)
	if os.IsNotExist(err) {
		return nil // gone meanwhile
	} else if err != nil {
		return err
	}
	for _, section := range options.BodySection {
		if !section.Peek {
			seen := &imap.StoreFlags{Op: imap.StoreFlagsAdd, Silent: true, Flags: []imap.Flag{imap.FlagSeen}}
			if err := s.UserSession.Store(nil, this[0], seen, nil); err != nil {
				return err
			}
		}
	}
	var flags []imap.Flag
	if options.Flags {
		for _, flag := range systemFlags {
			with, err := s.searchUIDs(&imap.SearchCriteria{UID: this, Flag: []imap.Flag{flag}})
			if err != nil {
				return err
			}
			if len(with) > 0 {
				flags = append(flags, flag)
			}
		}
	}

	out := w.CreateMessage(found.Max)
	out.WriteUID(uid)
	if options.Flags {
		out.WriteFlags(flags)
	}
	if options.InternalDate {
		out.WriteInternalDate(f.date)
	}
	if options.RFC822Size {
		out.WriteRFC822Size(int64(len(raw)))
	}
	if options.Envelope {
		out.WriteEnvelope(&imap.Envelope{})
	}
	if options.BodyStructure != nil {
		out.WriteBodyStructure(&imap.BodyStructureSinglePart{Type: "text", Subtype: "plain", Encoding: "8bit", Size: uint32(len(raw)), Text: &imap.BodyStructureText{}})
	}
	for _, section := range options.BodySection {
		part := oddSection(raw, section)
		body := out.WriteBodySection(section, int64(len(part)))
		if _, err := body.Write(part); err != nil {
			return err
		}
		if err := body.Close(); err != nil {
			return err
		}
	}
	return out.Close()
}

// oddSection cuts a section out of a letter at its first empty line, without checking whether
// the text before it is a header.
func oddSection(raw []byte, section *imap.FetchItemBodySection) []byte {
	header, text := raw, []byte(nil)
	for _, gap := range []string{"\r\n\r\n", "\n\n"} {
		if i := bytes.Index(raw, []byte(gap)); i >= 0 && i+len(gap) <= len(header) {
			header, text = raw[:i+len(gap)], raw[i+len(gap):]
		}
	}
	part := raw
	switch section.Specifier {
	case imap.PartSpecifierHeader, imap.PartSpecifierMIME:
		part = header
	case imap.PartSpecifierText:
		part = text
	}
	if p := section.Partial; p != nil {
		part = part[min(p.Offset, int64(len(part))):]
		part = part[:min(p.Size, int64(len(part)))]
	}
	return part
}
