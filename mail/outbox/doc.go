// Package outbox writes letters and hands them to a mail server (RFC 5321).
//
// Compose makes the bytes of one letter. A Sender works off a Queue that its
// caller keeps (rows in a database), one recipient per letter.
//
// # What happens to a letter
//
// Every try of a letter ends in one of four ways, and the Queue is told which:
//
//   - The server took responsibility for it (2xx after the final dot): Sent.
//     It is never tried again.
//   - It failed for now: Retry, with a time. A letter fails for now on a 4xx
//     reply, or one that makes no sense, to MAIL, RCPT, DATA or the final dot;
//     when the connection breaks or goes silent under it; and when its renderer
//     fails. The n-th Retry comes Backoff(n) later: 1 minute, doubled each time,
//     at most 4 hours. A letter older than Config.GiveUp (5 days) is not put off
//     again: it fails.
//   - It failed for good: Failed. A 5xx reply to MAIL, RCPT, DATA or the final
//     dot; an address or size that cannot be sent; age.
//   - The server could not be worked with before the letter was begun: it
//     could not be reached, its greeting, TLS or login failed, or it answers
//     MAIL with 421, 503, 530, 535 or 538, which speak of the session and not
//     of the letter. Then the letter is not charged with the try: the Queue
//     is told nothing, the Sender waits Backoff(n)/12 (5 seconds, 10, … at most
//     5 minutes) after the n-th such failure in a row, then asks again. A letter
//     whose MAIL was answered so goes after the others then, for it may be what
//     the server cannot bear. Age holds here too: what has grown too old is
//     failed and reported.
//
// A connection that served before and is found closed at the next MAIL is
// replaced by a new one at once, with no charge and no wait.
//
// A letter whose final dot was sent but whose reply was lost is tried again:
// a duplicate (with the same Message-ID) is better than a loss. A letter that
// was sent but could not be recorded stays in memory, unsent again, until the
// Queue takes the record. Records are made together, without waiting for more:
// what is accepted while one is being committed makes the next, and when eight
// wait for that nothing more is sent.
//
// # No letter waits for another
//
// A failing letter is put back and the next one goes out, on the same
// connection if it still stands. Two letters are with the server at once, each on
// a connection of its own, kept for up to PerConnection letters (50) and closed
// when there has been nothing to send for IdleFor (10 s). Meanwhile the next two
// are rendered. One recipient has one letter with the server at most, one domain
// two.
//
// A letter that stalls holds up no other. After 250 ms with the server it is
// stood in for: another one may be sent beside it, on another connection. After a
// second it no longer counts towards its domain's two. Both times get shorter,
// half as long for each, when two letters or more have stalled at once, so that
// thirty recipients that stall hold up the others for two seconds at most; and
// they are never shorter than three times what letters take of late, so that
// a server that is merely slow sees few connections. Config.Connections (40)
// bounds them all. Letters to recipients whose last one stalled go after the
// others. One letter keeps its connection for LetterTimeout (3 minutes) at most.
//
// A server that refuses a further connection is no outage as long as others
// stand: their letters go on.
//
// With Config.Limits letters wait in the Queue, uncharged, while the server has been given
// as many as it takes; urgent ones go first.
//
// No letter is begun while Config.May says no: it is asked before each, and all wait in
// the Queue meanwhile, uncharged. It is asked again before a letter's final dot, without
// which the server has no letter: one that took so long that it may not end now waits
// with the server, and is broken off, uncharged, once its time is over.
//
// # Promises
//
// Run returns when its context ends, within a few seconds: letters under way
// may still be accepted for two seconds, then they are broken off (and tried
// again later, without being charged with the try), and what was accepted is
// recorded first. Nothing is said in the clear except to this machine. Passwords
// and bodies are never logged.
package outbox
