// Package imapbox watches one mailbox by IMAP (RFC 9051, 3501) and hands every
// letter in it to a Handler, which decides; then the letter is filed away in a
// folder. IMAP ends here: a letter leaves as its bytes.
//
// # What happens to a letter
//
// Whatever lies in the watched folder has not been dealt with yet. Letters are
// fetched in batches (50 letters, 8 MiB) without setting \Seen, oldest first,
// and given to the Handler a batch at a time. Of each letter that the Handler
// returns without an error it has committed what the letter means, and only
// then is the letter moved to the folder of the Disposition it returned, those
// of a batch by one command. So a crash between commit and move offers the same
// letters again: the Handler must know letters it has had, by their content.
// Flags are never read, and UIDs only name a letter within a connection: a
// server may give the same UIDVALIDITY and UID to another message.
//
// A Handler's error leaves the letter where it is; it is offered again after
// Retry (1 minute), doubled each time up to an hour, and holds up no other. The
// same holds for a letter that cannot be fetched: after a fault while several
// were fetched at once they are fetched one by one, so that the one that kills
// the connection, twice in a row, is found and set back, for 5 minutes at most:
// it may have been the network. An error that wraps ErrNotNow is no letter's own:
// all letters stay for Pause (5 seconds), doubled each time up to a minute.
//
// A letter that was handled but cannot be moved is not offered again on the same
// connection; the move is tried again at each round. When the server goes on
// refusing, the connection is replaced, once every IdleFor at most. A letter is
// moved only if it is still the one that was handled: later than a second after
// the fetch the folder is opened anew, and UIDVALIDITY, size and date of arrival
// are compared. The folder is also opened anew every
// IdleFor, for a session can outlive its mailbox without a word.
//
// A letter above Config.MaxLetter is not fetched: the Handler gets at most 64
// KiB of its header.
//
// # Whose mailbox it is
//
// Two servers that know nothing of each other would take each other's letters, and two
// with copies of one database would play the same games apart. So a server with
// Config.Tenure keeps a claim, a letter in Folders.Claim (which people may read), with
// the database's name, an instance and an epoch. The claim with the highest epoch counts,
// of several the oldest. A server with another database is refused (*Claimed). One with a
// copy of the database raises the epoch and takes the mailbox over; the one before sees
// that, stops (*Claimed), and does not take it back unless it is told to.
//
// Letters in Folders.Claim are of three kinds. One with a field that mail servers add as they deliver
// (Received, Return-Path, Delivered-To) came by post, to user+FOLDER@ perhaps. It is no claim; it is
// moved to Folders.Failed, and Tenant.Delivered hears of it. One without such a field and without a MAC by
// Tenant.Key was written by someone with the mailbox's password: another database, an older
// version, or a person. It stops a server as any claim does, but its epoch is not followed: with
// an epoch near the end of all (1 << 53), no number would be left. One with the MAC is of this database. At the
// last epoch a server is replaced by force alone, and the next one has the same.
//
// No letter is handled, filed away or ended (package outbox asks before the final dot, too)
// unless a look at the claims, at most Look (10 seconds) old, has found that ours counts
// (Tenure.May), and a server that has replaced another's claim waits for Wait (20 seconds)
// before it reads or sends. So between the last that the one does and the first that the
// other does there are ten seconds. What can outlast these: a final dot that is on its way
// in the network, a process that is suspended between the look and what it allows, and the
// handling of letters that were begun before; these stay in the mailbox then, and their
// answers are not sent. The watcher looks when it connects, and then, by one STATUS, before
// letters are handled, before they are filed away, and when someone asks, if the last look
// is older than half of Look; with nothing to do, after 15 times Look. A folder of claims that is there and cannot be read is an
// error: nothing goes on then. While the mailbox
// cannot be reached, sending goes on, unless Tenant.Standby is set. A claim that a person
// has deleted is made anew. Servers that watch different folders of one account do not
// mind each other.
//
// Letters that came another way are filed in Folders.Done, too (Config.Owed); a crash may
// file one twice. Newest lists what is there, and Unfile moves letters back.
//
// # Promises
//
// Letters that the server took for spam are looked for every 30 minutes (Config.Junk), in the folder that
// it marks \Junk (RFC 6154) or one with a usual name. The first look is about the newest 500. Of each
// letter the fields that name its addressees are read, once; only if these are ours, the whole of it, of 50
// letters at a time. The watched folder gets the good ones by a move, so they keep the time at which they arrived.
//
// New letters are noticed by IDLE (RFC 2177) where the server has it, and by
// looking: every IdleFor (1 minute) with IDLE, for a server may cease to tell of
// letters without a word, every Poll (30 seconds) without, and 1, 2, 4, 8, 16 and 30 seconds after something
// happened, for not every server tells in an IDLE of what came before it. An IDLE that did not tell
// of a letter is not used again. An idle hour takes 150 commands at most, looks at spam included. No command waits
// forever: each has a watchdog that closes the connection, and a command that the library
// does not end within a second of that is abandoned. A lost connection is
// replaced after 1 second, 2, 4, … at most 5 minutes. Run returns when its context
// ends. Memory for fetched letters is bounded by 8 MiB or one letter, whichever is
// more. Nothing is said in the clear except to this machine; passwords and letters
// are never logged.
package imapbox
