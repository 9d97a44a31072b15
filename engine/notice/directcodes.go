package notice

// Codes about what directors do with leagues and their players. In all that tell of it, by is
// the "host", or who the director; has is "reason" if there is a reason.
const (
	ProblemStartFew    = "league-start-few"    // league, n: its players, of: those of a table
	ProblemStartNone   = "league-start-none"   // league: no round is to come
	ProblemStartOpen   = "league-start-open"   // league, n: a round whose games are running
	ProblemStartPaused = "league-start-paused" // league
	ProblemThere       = "league-there"        // league, name: is in it already
	ProblemExpelSelf   = "league-expel-self"   // league
	ProblemExpelled    = "league-out"          // league: its director has taken the writer out
	ProblemNoDivision  = "league-no-division"  // league: it has none, or the player is only a substitute
	ProblemDivision    = "league-division"     // league, n: so many divisions does it have
	ProblemSeasonRuns  = "league-season-runs"  // league: can't be deleted now

	ProblemArchived = "league-put-away" // league: it is archived already
	ProblemSure     = "league-sure"     // then, league and what AskSure has: the host must say that they are sure

	ProblemStarting    = "league-starting"     // league, time: when what comes next begins already
	ProblemNotStarting = "league-starting-not" // league: nothing has been started
	ProblemNoOffice    = "league-no-office"    // league: the writer has not taken over

	AskSure          = "ask-sure"        // List: the line; then: its word, or what a file does; league, name, n and games: what it takes; yes does it
	SayChanged       = "league-now"      // then: the direction, and what was before and is now
	CommandBack      = "back"            // line: takes the change back
	AskEnlist        = "ask-enlist"      // league: yes joins it
	SayLeagueInvited = "league-invited"  // league, name: we have asked them whether they join
	TellStarts       = "league-starts"   // league, n: the season that begins now; then: the "round"
	TellEnlisted     = "league-enlisted" // league, name: what the reader is called there; then and what goes with it, as for SayLeagueJoined
	TellExpelled     = "league-expelled" // league, name: has been taken out; then: "you" have
	TellExpelledGame = "player-expelled" // name: a bot plays for them
	TellMoves        = "league-moves"    // league, n: the reader's division in the next season
	TellRenamed      = "league-renamed"  // league, old: what it was called
	TellArchived     = "league-archived" // league
	TellDeleted      = "league-deleted"  // league

	ProblemInOffice    = "league-in-office"    // league: the writer is its director
	ProblemOfficeAsked = "league-office-asked" // league: we have asked its director already
	ProblemNoTakeOver  = "league-no-take-over" // league: its file allows none
	ProblemTakeOver    = "league-take-over"    // league, n: for so many days the director must have left something unanswered
	AskOffice          = "ask-office"          // league, name: wants to take over; time: when they do, if the reader does not say no
	SayOfficeAsked     = "league-office-ask"   // league, time: until when its director can refuse
	SayOfficeKept      = "league-office-kept"  // league: the reader stays its director
	TellOfficeKept     = "league-office-no"    // league, name: its director, who stays
	TellOffice         = "league-office"       // league, name: its director now; then: "you" are, or the reader "was" before
	TellMayTakeOver    = "league-may-take"     // league, name: its director, who has left something unanswered for n days
	CommandTakeOver    = "take-over"           // league
)
