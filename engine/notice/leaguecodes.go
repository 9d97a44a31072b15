package notice

// Codes about leagues.
const (
	ProblemLeague       = "league-unknown"   // word: no league has this name; names: what could be meant
	ProblemDirector     = "league-director"  // league: only its director may do this
	ProblemDirectors    = "league-directors" // this server lets only some people create leagues
	ProblemSecondSeat   = "league-second"    // league, name: who has a seat in it by another spelling of the writer's mailbox
	ProblemMember       = "league-member"    // league: the writer is already in it
	ProblemNoMember     = "league-stranger"  // league: the writer is not in it
	ProblemClosed       = "league-closed"    // league: it takes no new players
	ProblemLastSeason   = "league-last"      // league: its last season is running and takes no new players
	ProblemKnown        = "league-known"     // league: people who never wrote to this server cannot join it
	ProblemAdmitted     = "league-admitted"  // league: only players on its list can join
	ProblemFull         = "league-full"      // league
	ProblemFile         = "league-file-"     // begins those of a league's file: line, key, value, can
	ProblemFileKey      = "league-file-key"
	ProblemFileValue    = "league-file-value"
	ProblemFileTwice    = "league-file-twice"
	ProblemFileNeeded   = "league-file-needed"
	ProblemFileKind     = "league-file-kind"
	ProblemFileBoth     = "league-file-both"
	ProblemFileLong     = "league-file-long"
	ProblemFileSample   = "league-file-sample"
	ProblemAmend        = "league-amend"      // key: must stay what it is, value
	ProblemHead         = "league-head"       // league: its first director decides this
	ProblemNoGames      = "league-no-games"   // league: nothing in it to which that could be done
	ProblemAmender      = "league-amender"    // league: only its director may do this
	ProblemLeagueWords  = "league-name-words" // word: a name that some commands could not be written with (order.CanName)
	ProblemLeagueName   = "league-name"       // word: another league has this name, or nothing is left of it
	ProblemManyLeagues  = "league-many"       // this server has as many as it can
	ProblemNoSubstitute = "league-substitute" // league: takes no substitutes
	ProblemNotReady     = "league-ready-not"  // league: the writer is not one of its substitutes
	ProblemSealed       = "league-sealed"     // word: the ruling would show a player what comes in a round of a solo league
	ProblemLeagueGame   = "league-game"       // word: cannot be done in a league's game

	SayLeagueJoined    = "league-joined"        // league, name; while a season runs then: the reader is "back" in their place, plays "soon", from the next round on, "waits" as the n-th for a season after season at time, or the season is the "final" one
	SayLeagueLeft      = "league-left"          // league; then, as for TellLeft
	SayPlaceTaken      = "league-place"         // league, name: whose place the reader has now; then: they play from the next of its "rounds" on, or so if the "match" that is being played is won
	AskPlace           = "ask-place"            // league, name, n: games, time: until when; yes takes it; then: "waits", for the next season, and whether they play in "rounds", or after a "match", as in SayPlaceTaken
	AskHere            = "ask-here"             // league, time: until when; yes or no: the reader is there for its next season; then: for its next "round"
	SayHere            = "league-here"          // league; then and what goes with it, as for SayLeagueJoined: the reader is there
	SayHereNot         = "league-here-no"       // league: the reader is not there this time
	TellTakenOff       = "league-taken-off"     // league: the reader has not answered two check-ins
	TellLeft           = "league-leaver"        // league, name: has left; then: "annul", none of their games counts if no one takes the place; "bots", only they can play for the player
	TellPlaceTaken     = "league-place-taken"   // league, name: has the place of old; then, as for SayPlaceTaken
	TellForfeit        = "league-forfeit"       // league, name: has left, and no one takes the place; then, as for TellLeft
	TellUncounted      = "league-uncounted"     // league, name: has left, so the league no longer counts this game; it goes on
	TellForfeited      = "league-forfeited"     // name: no longer plays; who: has won the game, which the league does not count
	SayLeagueMade      = "league-made"          // league, id
	SayAmended         = "league-amended"       // league
	SayAmendedNot      = "league-amended-not"   // league: nothing has changed
	SaySubstitute      = "league-ready"         // league
	SayNoSubstitute    = "league-ready-no"      // league
	SayAnnounced       = "league-announced"     // league, n: to how many
	SayOddClock        = "league-odd-clock"     // the file has no clock (league.Odd)
	SayOddLeast        = "league-odd-least"     // a season may begin with a division that is not full
	SayOddShort        = "league-odd-short"     // the season is short for its clock
	SayOddMove         = "league-odd-move"      // more than half of a division moves
	AskLeague          = "ask-league"           // List: the line; yes does it
	TellSeason         = "league-season"        // league, season; n of of: the reader's division
	TellSeasonIn       = "league-season-in"     // the same, where there are several divisions
	TellNoVacation     = "league-present"       // no vacation stops a clock in its games
	TellSeasonEnd      = "league-season-end"    // league, season, rank, n: of how many; in: the division, 0 where there is one; won: who won it: you, others or none; w, who: others who did, how many and their names
	TellSeasonUp       = "league-season-up"     // the same, and the reader is promoted
	TellSeasonDown     = "league-season-down"   // the same, and the reader is relegated
	TellChanged        = "league-changed"       // league, season; then: what is different now ("open": the season runs, and what it was is not certain any more), with "-left" at the end if no ruling did it; was; game, reason: of the ruling
	TellDisplaced      = "league-displaced"     // league, n: the division that the reader is in, which is not the one we told them
	TellIdle           = "league-idle"          // league, names: whose seats do not count; then: it is "you", or you are the "winner"
	TellSeatLeft       = "league-seat-left"     // league, names: whose n seats bots finished, which are behind all others; then: it is "you", or bots finished "all" seats
	TellIdleWon        = "league-idle-won"      // the same; who: has won the game for the league
	TellBracket        = "league-bracket"       // league, name: whose place in a knock-out who has now; then: "you" have it
	TellRound          = "league-round"         // league, n: the round is over; seed
	TellClimbs         = "league-ladder-up"     // league, old, rank, n; open: games of its round that are not over: a ladder's game has ended
	TellFalls          = "league-ladder-down"   // the same
	TellRanked         = "league-standing"      // league, in: the division, 0 where there is one; rank, of, points; mine, open: games to come, the reader's and all
	TellStays          = "league-ladder-same"   // the same
	TellAside          = "league-aside"         // league, n: a ladder's round that began without the reader
	TellBye            = "league-bye"           // league, n: a round that the reader sits out; then: "empty", no one came through to meet them
	TellNextRound      = "league-ladder-next"   // time: the ladder's next round begins
	TellAnnounced      = "league-announcement"  // league, name: who announces it
	SayMutedLeague     = "league-muted"         // league: no letters about it any more that ask for nothing
	SayUnmutedLeague   = "league-unmuted"       // league
	TellUnbegun        = "league-unbegun"       // league, game: of it, which this server has not what it takes to begin (to its director)
	TellStalled        = "league-stalled"       // league, season: should have begun; n: its players, of: those it needs (to its director)
	TellClosing        = "league-closing"       // league, reason: no further season begins; by: the "host", or who; then: the league ends with the "season" that runs
	TellLeagueExtended = "league-extended"      // league, time: how much more; by: the "host", or who; reason; of: the part concerned: "division" n, "round" n or "player" name; its games follow
	TellLeaguePaused   = "league-paused"        // the same without time; then: "all", nothing begins either
	TellLeagueResumed  = "league-resumed"       // the same
	TellLeagueGame     = "league-direct-game"   // game: one of the reader's
	TellLeagueUntil    = "league-direct-until"  // game, time: the reader's deadline in it now
	SayDirected        = "league-directed"      // league, n: letters written
	SaySkipped         = "league-skipped"       // List: games over which the reader cannot rule
	TellMatchTied      = "league-match-tied"    // then: what decided a match of a knock-out that was tied, "score" or "draw"
	TellMatch          = "league-match"         // league, n: the round of the reader's match in a knock-out; then: it is "open", with left games to come, the reader goes "on" or is "out", has "won" or "lost" the final ("out-heir", "lost-heir": who goes on has the place of name, who played), "none" goes on, or a ruling came too "late" to change it; who goes on; open: other matches of the round
	TellSoloOpen       = "league-solo-open"     // league, n: the round that the reader has finished; open: others who play it still
	TellWeek           = "league-week"          // league, season: how the season stands, to the league's director; open: games to come; subs: whether there can be substitutes, "yes" or "no"
	TellDirectSeason   = "league-direct-season" // league, season: it begins, with n players in of divisions; to its director
	TellDirectEnd      = "league-direct-end"    // league, season: it is over; to its director
	TellPlaceVain      = "league-place-vain"    // league, name: has left, and no one is free to take the place, with n games to come (to its director)
)

// Commands that end letters to directors: what each does, and how it is written, are in the
// catalogue.
const (
	CommandExtend      = "extend"      // league, name
	CommandSubstitutes = "substitutes" // league
	CommandStart       = "start"       // league
	CommandMore        = "more"        // league, season
	CommandWelcome     = "welcome"     // league, season
	CommandThanks      = "thanks"      // league, season
	CommandClose       = "close"       // league
	CommandStandings   = "standings"   // league
	CommandBot         = "bot"         // game, name
	CommandPause       = "pause"       // game
	CommandResume      = "resume"      // game
	CommandUphold      = "uphold"      // game
)

// Commands are all of them.
var Commands = []string{CommandExtend, CommandSubstitutes, CommandStart, CommandMore, CommandWelcome, CommandThanks, CommandClose, CommandStandings, CommandBot, CommandPause, CommandResume, CommandUphold, CommandTakeOver}
