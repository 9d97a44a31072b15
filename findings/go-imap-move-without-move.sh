#!/bin/sh
# A letter is lost when go-imap moves it on a server without MOVE and the server refuses the copy.
#
# Seen on 28 November 2026 with github.com/emersion/go-imap/v2 v2.0.0-beta.8, its client and its
# own server in memory. Client.Move says that without MOVE (RFC 6851) it falls back to COPY, STORE
# and EXPUNGE. It sends all three at once and does not wait for the answer to COPY. A server answers
# NO to a COPY into a folder that is not there, or that has no room, and then carries out the other
# two: the letter is marked \Deleted and expunged, and it is in no folder. Wait returns the error of
# the COPY, so it looks as if nothing had happened. Without UIDPLUS the third command is a plain
# EXPUNGE, which also removes what other programs had marked in that folder.
#
# Prints the error of the move and how many letters the inbox had and has; ends with 1 if the move
# succeeds, or the letter is still there.
set -eu
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
cat >main.go <<'END'
package main

import (
	"fmt"
	"net"
	"os"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
)

func main() {
	user := imapmemserver.NewUser("ada", "secret")
	check(user.Create("INBOX", nil))
	store := imapmemserver.New()
	store.AddUser(user)
	server := imapserver.New(&imapserver.Options{
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return store.NewSession(), nil, nil
		},
		Caps:         imap.CapSet{imap.CapIMAP4rev1: {}},
		InsecureAuth: true,
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	go server.Serve(l)

	c, err := imapclient.DialInsecure(l.Addr().String(), nil)
	check(err)
	check(c.Login("ada", "secret").Wait())
	letter := "From: bo@example.org\r\nSubject: hello\r\n\r\nhello\r\n"
	add := c.Append("INBOX", int64(len(letter)), nil)
	_, err = add.Write([]byte(letter))
	check(err)
	check(add.Close())
	_, err = add.Wait()
	check(err)
	before, err := c.Select("INBOX", nil).Wait()
	check(err)
	_, refused := c.Move(imap.SeqSetNum(1), "No such folder").Wait()
	check(c.Noop().Wait())
	after, err := c.Select("INBOX", nil).Wait()
	check(err)
	fmt.Printf("MOVE is announced: %t\n", c.Caps().Has(imap.CapMove))
	fmt.Printf("the move: %v\n", refused)
	fmt.Printf("letters in the inbox before and after: %d, %d\n", before.NumMessages, after.NumMessages)
	if refused == nil || before.NumMessages != 1 || after.NumMessages != 0 {
		os.Exit(1)
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
END
cat >go.mod <<'END'
module move

go 1.24

require github.com/emersion/go-imap/v2 v2.0.0-beta.8
END
GOFLAGS=-mod=mod go run .
# Output seen:
# MOVE is announced: false
# the move: imap: NO [TRYCREATE] No such mailbox
# letters in the inbox before and after: 1, 0
