// Package web shows games over HTTP. No request moves a game. Every address
// answers GET and HEAD, which change nothing at all; two take a POST as well: with
// one the owner of a key stops their letters (RFC 8058), the other shows a record
// sent with it.
//
//	/                        what this is, how to begin, and the games anyone may watch
//	/letter                  the first page's sample letter, as mail programs show it
//	/privacy                 what the server keeps about people
//	/rules, /help, /cards    the rules, the words of letters, every card, tile and icon; with an
//	                         anchor for each (/rules#R5.4, /cards#045) and a search, ?q=
//	/cards/{part}            the same pieces drawn: missions, tiles, boards (/cards/missions#045)
//	/g/{id}                  a game as everyone may see it
//	/g/{id}/{key}            the same for the player who holds the key
//	/me/{key}                a player's start page; me.json, deadlines.ics (all their deadlines), feed.atom
//	/games                   all games that may be found; games.json
//	/leagues                 the leagues that may be found; leagues.json
//	/l/{league}              a league; league.json, league.txt (its file), log.json
//	/l/{league}/rulings      what its director decided; rulings.json
//	/l/{league}/{season}     its divisions; …/season.json
//	/l/{league}/{n}/{d}      a division: standings, cross table, games; …/division.json
//	/players/{n}             a player: games, leagues, ratings; …/player.json
//	/ratings                 players by strength; ratings.json
//	/ratings/{kind}          in one kind of game; …/kind.json
//	/statistics              what finished games came to; statistics.json
//	/look                    takes a record by POST and shows it; stores nothing
//	…/feed.atom              what is new: of the server, a player, a league or a game
//	…/history                the whole of it: VP over time, every line, the record
//	…/history.json           that as data
//	…/news.json?since=N      who has moved since line N; pages ask for it while they are visible
//	…/view.json              the position as data (web/API.md)
//	/pictures/{id}/{n}/…     a game's table after line n, for previews of links
//	…/record.json            the record, cut to the viewer until the game is over
//	/g/{id}/{key}/plan/…     a turn being planned, its lines in the address
//	…/what-if/{n}/…          a finished game played on otherwise after line n; for
//	                         everyone at /what-if/{id}/{n}/…
//	/g/{id}/{key}/deadline.ics  the key's holder's deadline, in a game with a clock
//	/g/{id}/{key}/mute       the button that ends the letters; {key} is a special one
//	/l/{id}/{key}/mute       the same for letters about a league
//	…?at=N                   the position after line N of the game's log
//	…?at=N&since=M           the same; told and marked is what happened after line M
//	…/view.json?at=N&open=1  of a game that is over: with every hand
//
// Games decides what a page may show: it returns Views, orders and events redacted for the
// viewer. A game that is not there, one that its visibility hides, a key that does not fit and
// a step there is not are all the same 404, so that an answer gives nothing away; view.json
// says so in JSON. A client that asks for too many of them (30, then one in ten seconds, by
// address or IPv6 /64) gets 429 instead for a while. A right key opens its page all the same,
// since others at that address may have guessed; one that uses up its client's pace (300
// requests, then 20 a second) has a pace of its own.
//
// A page without ?since tells a player what happened after their last turn, the
// public what a round has brought; a page of the past tells its last step.
//
// Every answer has an ETag, so that it is not sent twice, and is compressed for clients that
// accept it. Clients revalidate it each time, unless its address has ?v=, a hash of the log as
// redacted for the viewer and of the program: then they may cache it forever, privately if a
// key opened it. API.md describes the JSON.
//
// Pages need no script and load nothing from elsewhere. Keys never appear in
// the log, nor, by Referrer-Policy, in a request to another place.
package web
