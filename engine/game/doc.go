// Package game replays games. A game is its options, its seed and its log (Record): a
// Replay takes the log line by line, by the rules, to the position after it, undoes and
// rolls back, and says what each line led to (Told) and who played how much (Share).
//
// Records are checked: Verify replays a record and reports its first difference from
// what the rules make of it, and ReadRecord bounds what it reads. What leaves a game for
// a viewer is redacted: engine.View, ViewJSON, Story and a redacted log show nothing
// hidden from that viewer (R1.5).
//
// The package is pure: it knows no clock, no letter and no database.
package game
