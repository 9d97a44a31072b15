// Package outbox writes letters and hands them to a mail server (RFC 5321).
//
// Compose makes the bytes of one letter. A Sender works off a Queue that its caller keeps (rows
// in a database), one recipient per letter.
//
// # What happens to a letter
//
// Every try of a letter ends in one of four ways. The Sender tells the Queue about the first
// three:
//
//   - The server took responsibility for it (2xx after the final dot): Sent.
//     We never try it again.
//   - It failed for now: Retry, with a time. A letter fails for now on a 4xx
//     reply, or one that makes no sense, to MAIL, RCPT, DATA or the final dot;
//     when the connection breaks or goes silent during it; and when its renderer
//     fails. The n-th Retry comes Backoff(n) later: 1 minute, doubled each time,
//     at most 4 hours. A letter older than Config.GiveUp (5 days) gets no further
//     Retry: it fails.
//   - It failed for good: Failed. A 5xx reply to MAIL, RCPT, DATA or the final
//     dot; an address or size that cannot be sent; age.
//   - The session failed before the letter began: we could not reach the server,
//     its greeting, TLS or login failed, or it answers MAIL with 421, 503, 530,
//     535 or 538, which are about the session and not the letter. Such a try does
//     not count against the letter, and the Queue does not learn of it. The Sender
//     waits Backoff(n)/12 (5 seconds, 10, … at most 5 minutes) after the n-th such
//     failure in a row, then tries again. A letter whose MAIL got such an answer
//     goes after the others then, because it may be the cause. Age counts here
//     too: a letter that has grown too old fails, and the Queue learns of it.
//
// If a connection that worked before turns out closed at the next MAIL, the Sender opens a new
// one at once, without counting a try and without a wait.
//
// A letter whose final dot was sent but whose reply was lost is tried again: a duplicate (with
// the same Message-ID) is better than a loss. A letter that was sent but could not be recorded
// stays in memory, and is not sent again, until the Queue takes the record. Records are written
// in batches, without waiting for more: letters accepted during one commit make up the next.
// When eight wait to be recorded, the Sender sends no more.
//
// # No letter waits for another
//
// A failing letter goes back to the Queue and the next one goes out, on the same connection if
// that is still open. Two letters are with the server at once, each on its own connection, kept
// for up to PerConnection letters (50) and closed when there has been nothing to send for
// IdleFor (10 s). Meanwhile the next two are rendered. A recipient has at most one letter with
// the server, a domain two.
//
// A letter that stalls does not hold up the others. After 250 ms with the server, another one
// may go out at the same time, on another connection. After a second it no longer counts
// towards its domain's two. Both times get shorter, half as long for each, when two letters or
// more have stalled at once, so that thirty recipients that stall hold up the others for two
// seconds at most. They are never shorter than three times what letters take of late, so that a
// server that is merely slow sees few connections. Config.Connections (40) bounds them all.
// Letters to recipients whose last letter stalled go after the others. A letter keeps its
// connection for at most LetterTimeout (3 minutes).
//
// If a server refuses a further connection, that is not an outage as long as others are open:
// their letters go on.
//
// With Config.Limits, letters that exceed what the server takes wait in the Queue, and their
// tries don't count; urgent letters go first.
//
// The Sender begins no letter while Config.May says no. It calls May before each letter; all
// wait in the Queue meanwhile, and their tries don't count. It calls May again before a
// letter's final dot, without which the server does not have the letter. If May then says no,
// the letter waits with the server; when its time is over, the Sender breaks off, and the try
// does not count.
//
// # Promises
//
// Run returns within a few seconds after its context ends. Letters under way may still be
// accepted for two seconds; then the Sender breaks them off, and tries them again later without
// counting the try. It records accepted letters first. It sends nothing in the clear except to
// this machine. It never logs passwords and bodies.
package outbox
