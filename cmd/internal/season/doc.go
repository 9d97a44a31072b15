// Package season proves that a league's season comes out right, and that a large one fits
// a small machine.
//
// # What it proves
//
// town_test.go runs a whole server in the test's process, with its desk, outbox and mailbox,
// and a clock that the test sets, so half a year passes in minutes. TestSeason plays a season
// by letters: players of many zones and habits drop out, come back and leave, and the director
// rules. At the end the test counts the standings, promotion and relegation a second time from
// the stored games, and accounts for every letter. TestCrowd plays a season of a large league
// and measures how long letters wait and how much memory the server takes (db/LOAD.md).
// year_test.go plays a season of each format with twelve players, without mail servers, and
// counts the letters outside games; rulings_test.go plays seasons in which games are taken back,
// voided, corrected and played again. TestDecade plays four leagues of 12 to 60 players for years,
// with no-shows, dropouts, leavers, substitutes, late joiners, vacations and clocks that fail, and
// no one to direct them: it counts what reaches the director and each player, looks for games
// and seasons that stand still, and holds all tables against the second scorer
// (engine/league/scorer).
//
// TestTenYears is for the host: the program as a process between Dovecot and Postfix, with a
// clock that the test lets run, goes on for years. It is upgraded from the first schema,
// its disk is full, it is put back to backups, players move, and each letter is accounted for
// in both directions, memory and room as well (mail/RELIABILITY.md).
//
// # How it can fail
//
// A player misses a letter or gets one twice, a deadline passes at the wrong time, the two
// counts differ, or the server and the sink disagree for two minutes about what was sent.
//
// # How to run it longer
//
// TestSeason, TestCrowd and TestTenYears need the tag real.
//
//	go test -tags real ./cmd/internal/season -run TestSeason -season -v -timeout 1h
//	go test -tags real ./cmd/internal/season -run TestCrowd -crowd 2000 -crowd.report db/LOAD.md -v -timeout 4h
//	go test -tags real ./cmd/internal/season -run TestTenYears -ten.days 3650 -ten.players 200 -ten.report mail/RELIABILITY.md -v -timeout 24h
//	go test ./cmd/internal/season -run TestDecade -years 10 -decade.report engine/league/LEAGUES.md -v -timeout 3h
package season
