package notice

// Codes about leagues.
const (
	ProblemLeague       = "league-unknown"   // word: no league has this name; names: what could be meant
	ProblemDirector     = "league-director"  // league: only its director may do this
	ProblemDirectors    = "league-directors" // this server lets only some people create leagues
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
	ProblemAmend        = "league-amend"      // key: must stay what it is, value
	ProblemAmender      = "league-amender"    // league: only its director may do this
	ProblemLeagueName   = "league-name"       // word: another league has this name, or nothing is left of it
	ProblemManyLeagues  = "league-many"       // this server has as many as it can
	ProblemNoSubstitute = "league-substitute" // league: takes no substitutes
	ProblemNotReady     = "league-ready-not"  // league: the writer is not one of its substitutes
	ProblemSealed       = "league-sealed"     // word: the ruling would show a player what comes in a round of a solo league
	ProblemLeagueGame   = "league-game"       // word: cannot be done in a league's game

	SayLeagueJoined  = "league-joined"       // league, name; while a season runs then: the reader is "back" in their place, plays "soon", from the next round on, "waits" as the n-th for a season after season at time, or the season is the "final" one
	SayLeagueLeft    = "league-left"         // league; then, as for TellLeft
	SayPlaceTaken    = "league-place"        // league, name: whose place the reader has now
	AskPlace         = "ask-place"           // league, name, n: games, time: until when; yes takes it; then: "waits", for the next season
	TellLeft         = "league-leaver"       // league, name: has left; then: "annul", none of their games counts if no one takes the place
	TellPlaceTaken   = "league-place-taken"  // league, name: has the place of old
	TellForfeit      = "league-forfeit"      // league, name: has left, and no one takes the place; then, as for TellLeft
	TellUncounted    = "league-uncounted"    // name: has left, so the league counts this game no more; it goes on
	TellForfeited    = "league-forfeited"    // name: plays no more; who: has won the game, which the league does not count
	SayLeagueMade    = "league-made"         // league, id
	SayAmended       = "league-amended"      // league
	SayAmendedNot    = "league-amended-not"  // league: nothing has changed
	SaySubstitute    = "league-ready"        // league
	SayNoSubstitute  = "league-ready-no"     // league
	SayAnnounced     = "league-announced"    // league, n: to how many
	AskLeague        = "ask-league"          // List: the line; yes does it
	TellSeason       = "league-season"       // league, season; n of of: the reader's division
	TellSeasonIn     = "league-season-in"    // the same, where there are several divisions
	TellNoVacation   = "league-present"      // no vacation stops a clock in its games
	TellSeasonEnd    = "league-season-end"   // league, season, rank, n: of how many
	TellSeasonUp     = "league-season-up"    // the same, and the reader is promoted
	TellSeasonDown   = "league-season-down"  // the same, and the reader is relegated
	TellRound        = "league-round"        // league, n: the round is over; seed
	TellClimbs       = "league-ladder-up"    // league, old, rank, n: a ladder's game has ended
	TellFalls        = "league-ladder-down"  // the same
	TellStays        = "league-ladder-same"  // the same
	TellAside        = "league-aside"        // league, n: a ladder's round that began without the reader
	TellBye          = "league-bye"          // league, n: a round that the reader sits out
	TellNextRound    = "league-ladder-next"  // time: the ladder's next round begins
	TellAnnounced    = "league-announcement" // league, name: who announces it
	SayMutedLeague   = "league-muted"        // league: no letters about it any more that ask for nothing
	SayUnmutedLeague = "league-unmuted"      // league
	TellUnreached    = "league-bounced"      // league, name: letters to this player do not arrive (to the league's director)
	TellPausedRuler  = "game-paused-ruler"   // game, names: all who play agreed to pause it (to its league's director)
)
