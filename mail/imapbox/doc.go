// Package imapbox watches one mailbox by IMAP (RFC 9051, RFC 3501). It hands each letter to a
// Handler, which decides what becomes of it, and then files the letter in a folder. The Handler
// gets the bytes of each letter and needs to know nothing of IMAP.
//
// # What happens to a letter
//
// A letter in the watched folder is one that still waits for the Handler. The watcher fetches
// letters in batches (50 letters, 8 MiB), oldest first, without setting \Seen, and gives each
// batch to the Handler. The Handler returns no error for a letter only once it has committed
// what the letter means. Only then does the watcher move the letter to the folder of its
// Disposition, with one command for all letters of a batch that go there. So after a crash
// between commit and move the Handler gets the same letters again: it must recognise them by
// their content. The watcher never reads flags. It uses UIDs only within a connection,
// because a server may give the same UIDVALIDITY and UID to another message.
//
// If the Handler returns an error for a letter, the letter stays in the folder and holds up
// no other. The watcher offers it again after Retry (1 minute), then after twice as long each
// time, up to an hour. A letter that the watcher cannot fetch waits in the same way, but for
// 5 minutes at most, because the network may be at fault. To find that letter after a failed
// fetch of several, the watcher fetches letters one by one: it is the one that breaks the
// connection twice in a row. An error that wraps ErrNotNow is not about one letter: all
// letters wait for Pause (5 seconds), then for twice as long each time, up to a minute.
//
// A letter that was handled but cannot be moved is not offered again on the same connection;
// each round tries the move again. If the server keeps refusing, the watcher replaces the
// connection, at most once every IdleFor. It moves a letter only if it is still the one that
// was handled: if the fetch was more than a second ago, it selects the folder again and
// compares UIDVALIDITY, size and date of arrival. It also selects the folder again every
// IdleFor, because a session can go on without a word after its mailbox was deleted.
//
// A letter above Config.MaxLetter is not fetched: the Handler gets at most 64 KiB of its
// header.
//
// # Which server owns the mailbox
//
// Two servers that know nothing of each other would take each other's letters. Two servers
// with copies of one database would play the same games separately. So a server with
// Config.Tenure keeps a claim: a letter in Folders.Claim, which people may read, with the
// name of the database, an instance and an epoch. The claim with the highest epoch counts;
// among equals, the oldest. A server with another database is refused (*Claimed). A server
// with a copy of the database raises the epoch and takes the mailbox over. The server before
// sees that, stops (*Claimed), and takes the mailbox back only if the host forces it to.
//
// Letters in Folders.Claim are of three kinds:
//
//   - Delivered by mail, for example to user+FOLDER@: it has a field that mail servers add on
//     delivery (Received, Return-Path, Delivered-To). It does not count as a claim. The watcher
//     moves it to Folders.Failed and calls Tenant.Delivered.
//   - Written by someone with the mailbox's password (another database, an older version or a
//     person): it has no such field, and no MAC by Tenant.Key. It stops a server as any claim
//     does, but no server follows its epoch: an epoch near the highest possible (1 << 53) would
//     leave no number for later servers.
//   - Written by a server with this database or a copy of it: it has the MAC. At the highest
//     epoch a server can be replaced only by force, and the next server has the same epoch.
//
// The watcher handles and files letters, and package outbox completes the SMTP transfer of a
// letter by its final dot, only if our claim counted at the last look, and that is at most
// Look (10 seconds) ago (Tenure.May). A server that has replaced another's claim waits for
// Wait (20 seconds) before it reads or sends. So at least ten seconds pass between the last
// action of the old server and the first of the new one. Three things can take longer: a
// final dot on its way through the network, a process that is suspended between the look and
// the action, and the handling of a letter that began before. In the last case the letter
// stays in the mailbox and the server sends no answer.
//
// The watcher looks at the claims when it connects. After that one STATUS command tells it
// whether they have changed. It sends that command before it handles letters, before it files
// them and when someone asks, if the last look is older than half of Look; when idle, after
// 15 times Look. If the folder of claims exists but cannot be read, that is an error, and the
// server stops reading and sending. While the mailbox cannot be reached, sending goes on,
// unless Tenant.Standby is set. If a person deletes the claim, the watcher writes it again.
// Servers that watch different folders of one account do not disturb each other.
//
// Letters that came another way than through the mailbox are also filed in Folders.Done
// (Config.Owed); a crash may file one twice. Newest lists the letters in that folder, and
// Unfile moves letters back.
//
// # Guarantees
//
// Every 30 minutes the watcher looks for letters that the server took for spam (Config.Junk),
// in the folder that the server marks \Junk (RFC 6154) or one with a usual name. The first
// look covers the newest 500 letters. Of each letter the watcher reads the address fields
// once. It reads the whole letter only if they name us, and at most 50 letters per look. It
// moves the good ones to the watched folder, so they keep their time of arrival.
//
// The watcher notices new letters by IDLE (RFC 2177), if the server has it, and by looking.
// With IDLE it looks every IdleFor (1 minute), because a server may stop reporting letters
// without a word; without IDLE, every Poll (30 seconds). It also looks 1, 2, 4, 8, 16 and 30
// seconds after something happened, because in an IDLE not every server reports what came
// before it. Once IDLE has missed letters, the watcher no longer uses it. An idle hour takes
// at most 150 commands, including looks for spam.
//
// No command waits forever: each has a watchdog that closes the connection, and the watcher
// abandons a command that the library does not end within a second after that. It replaces a
// lost connection after 1 second, then 2, 4, … up to 5 minutes. Run returns when its context
// ends. Fetched letters take at most 8 MiB of memory, or one letter if that is larger.
// Unencrypted connections go only to this machine. Passwords and letters are never logged.
package imapbox
