package notice

// Codes of Problems that the desk finds itself; the others are package order's
// (order.Unreadable …). Each is followed by its Args.
const (
	ProblemIllegal    = "illegal"           // Args["reason"]: code of engine.Illegal; Rule; Read: the step
	ProblemTurn       = "not-your-turn"     // names: who must decide
	ProblemEnded      = "turn-ended"        // the turn was over before this line
	ProblemSpare      = "spare-done"        // the line only ends a turn that had already ended
	ProblemNoDie      = "reserve-none"      // no die of a reservation list was there
	ProblemHeld       = "held-order"        // a line of a message reads as an order, so it was not sent
	ProblemHeldCard   = "held-card"         // card: one of the writer's hand that a line of a message names, so it was not sent
	ProblemOver       = "game-over"         // the game is over
	ProblemOff        = "game-off"          // the game was cancelled or abandoned
	ProblemUnbegun    = "game-unbegun"      // the game has not begun; names: who has yet to join
	ProblemSeat       = "seat-taken-over"   // another plays this seat now
	ProblemResigned   = "seat-given-up"     // a bot plays the writer's seat, which they gave up and can have again
	ProblemSeatPlayed = "seat-bot"          // a bot plays this seat now
	ProblemUndo       = "undo-nothing"      // nothing to take back: no order has been played, or something new became known
	ProblemPreview    = "preview-only"      // a word that decides something came in a letter with preview
	ProblemOrganise   = "organiser-only"    // only the organiser may
	ProblemName       = "name-taken"        // word; name: one that is free
	ProblemBadName    = "name-bad"          // the same
	ProblemInGame     = "joined-already"    // the writer plays in the game
	ProblemTopic      = "topic-unknown"     // word: rules or help; topic: what neither explains
	ProblemNotNow     = "word-not-now"      // word: has no meaning in this game's state
	ProblemAddress    = "address-bad"       // word
	ProblemASCII      = "address-ascii"     // word: an address with other letters before its @
	ProblemOurs       = "address-ours"      // word: an address of this server's
	ProblemForeign    = "address-foreign"   // word: another player's
	ProblemLast       = "address-last"      // word: the only one, or not the writer's
	ProblemMany       = "too-much"          // word: bound of today reached; n: the bound
	ProblemNever      = "address-never"     // word: wants no invitations
	ProblemPlayers    = "players-bad"       // n: how many were named; 1 to 4 play
	ProblemHal        = "hal-alone"         // n: how many play; Hal plays against one
	ProblemTwice      = "players-twice"     // word: named twice
	ProblemOption     = "option-not-yet"    // word: an option that cannot be played yet
	ProblemNewGame    = "new-game-lines"    // a line below it could not be read, so no game begins by mistake
	ProblemStart      = "start-forbidden"   // this server lets only some people start games
	ProblemNobody     = "nobody-waits"      // word: the named player has nothing to decide
	ProblemToken      = "needs-token"       // the word decides something: answer the last notice
	ProblemNoGame     = "no-game"           // the letter is about no game
	ProblemNotYours   = "game-not-yours"    // word: the id of no game of the writer's
	ProblemEntropy    = "entropy-bad"       // word
	ProblemNothing    = "nothing-asked"     // yes or no, but there was no question
	ProblemJoined     = "already-joined"    // the game has begun, or another has taken the seat
	ProblemBot        = "bot-cannot"        // word: a bot's seat
	ProblemNoBot      = "bot-unknown"       // word: the bot asked for; n: the largest budget
	ProblemAlone      = "rated-alone"       // word: no one else plays who could agree to it, and ratings count the game
	ProblemUnsaid     = "replace-reason"    // name: the writer wants to replace them, but gives no reason, in a game that ratings count
	ProblemSpent      = "said-already"      // agreed already; names: players who have not yet
	ProblemTurnOver   = "turn-over"         // the token's turn is over
	ProblemRolled     = "rolled"            // the game was taken back behind the letter answered
	ProblemUnheard    = "never-answered"    // word, n: has had so many letters and never answered
	ProblemHints      = "hints-off"         // the game does not allow hints
	ProblemMuted      = "player-muted"      // word: has muted the game
	ProblemRematch    = "rematch-there"     // game; begun: true or false; names: who has yet to join
	ProblemTable      = "table-gone"        // word: no game with a free seat
	ProblemClock      = "clock-bad"         // word: the clock asked for, which cannot be read or is out of bounds
	ProblemZone       = "zone-bad"          // word: no time zone
	ProblemDay        = "day-bad"           // word: no day, or not one of the next twelve months
	ProblemDays       = "days-bad"          // word: no days of the week, or too many; n: how many may be
	ProblemDaysMany   = "days-often"        // n changes of the days off in so many days are all there are
	ProblemVacation   = "vacation-spent"    // n: the days of a year, left: of them, year
	ProblemNoHoliday  = "vacation-none"     // league: one or more that allow none, and the writer plays nowhere else
	ProblemExtend     = "extend-bad"        // word: no time by which a deadline can be put off
	ProblemNoClock    = "no-clock"          // word: the named player has no deadline
	ProblemOwnClock   = "own-clock"         // players cannot extend their own deadlines
	ProblemReminder   = "reminders-bad"     // word: no such reminders
	ProblemQuiet      = "quiet-bad"         // word: no hours of a day, or too many; n: how many may be
	ProblemRuler      = "ruling-foreign"    // word: a game over which the writer does not rule
	ProblemOwnGame    = "ruling-own"        // word: a game in which the writer plays, or has played
	ProblemAssistant  = "ruling-assistant"  // word: the league's director still rules over this game
	ProblemScores     = "ruling-scores"     // word: a player who was given no score
	ProblemRollback   = "ruling-line"       // word: no line that the game can go back to
	ProblemNoAppeal   = "appeal-none"       // word: a game of the writer's without a ruling that they can appeal against; n: within how many days
	ProblemNotSat     = "appeal-foreign"    // word: no game in which the writer plays, or has played
	ProblemOwnAppeal  = "appeal-own"        // word: the writer, or the host, made the ruling in question
	ProblemUnrated    = "rating-nobody"     // word: no one on a list of ratings has this name
	ProblemLapsed     = "question-old"      // what a question is about has changed
	ProblemLate       = "question-late"     // time: until when a question was open
	ProblemAnswered   = "question-answered" // the writer has answered the question, or we have asked it again
	ProblemSeatTaken  = "offer-taken"       // name: the player of a seat that was on offer, or of the writer's own
	ProblemSeatYours  = "offer-yours"       // the writer plays it already
	ProblemSeatNext   = "offer-next"        // the offer has passed to another player
	ProblemSeatBot    = "offer-played-on"   // name: a bot plays the seat to the end
	ProblemSeatOver   = "offer-over"        // the game is over
	ProblemSeatRival  = "offer-rival"       // league: the writer plays in the division
	ProblemPlaceGone  = "place-gone"        // league, name: no one took the place in time
	ProblemPlaceOver  = "place-over"        // league: the season is over
	ProblemPlaceYour  = "place-yours"       // league, name: the writer has the place
	ProblemPlaceHeir  = "place-taken"       // league, name, who: who has taken it
	ProblemPlaceBusy  = "place-rival"       // league: the writer has another place of the season
	ProblemVoid       = "game-void"         // the game counts nowhere and is not played on
	ProblemAbsent     = "seat-kept"         // a bot plays the writer's seat until they write `back`
)

// Codes of Remarks, with their Args.
const (
	// To the writer of a letter.
	SayTurnOver   = "turn-over"        // the notice answered is of a turn that is over; orders, sent, answered: whether the letter gave orders, sent messages, asked something
	SayRolled     = "rolled"           // n: the line to which the game was taken back since the letter answered; nothing was played for it
	SayForeign    = "token-foreign"    // the token is another player's; nothing has changed
	SayNoToken    = "token-missing"    // what would change a game needs the last notice; it is sent again
	SayAgain      = "notice-again"     // this is the last notice again
	SayEmpty      = "letter-empty"     // no order was found
	SayWords      = "reply-words"      // List: words, or orders, that may do what an answer in everyday words means
	SayWhichGame  = "which-game"       // List: the games, one of which the letter must name
	SayOtherGames = "other-games"      // List: games that the letter was for, too, but in which it changed nothing
	SayBarred     = "letter-barred"    // only barred lines were found: remove the |
	SayQuoted     = "letter-quoted"    // the orders are inside the quoted letter: write them outside
	SayTooLarge   = "letter-large"     // too large to be read
	SayBroken     = "letter-broken"    // could not be read
	SaySealed     = "letter-sealed"    // is encrypted
	SayAuth       = "letter-forged"    // DMARC or DKIM failed; nothing has changed
	SayElsewhere  = "letter-elsewhere" // address, url: the letter is for another server of the host; nothing has changed
	SayWhoseToken = "letter-whose"     // address: of the other servers of the host, one of which may have written the letter that this one answers
	SayConflict   = "letter-twice"     // another letter had the same Message-ID; this one was not read
	SayAside      = "letter-aside"     // failed here; kept for the host to check
	SayUnreadable = "game-unreadable"  // game: it is damaged and paused; the letter is kept
	SayResent     = "resent"           // n: lines of this turn already played, passed over
	SayUndone     = "undone"           // n: how many steps; to: line
	SayPreview    = "previewed"        // nothing has changed
	SayPreviewNew = "preview-stops"    // order: the step with which something new would become known
	SayStood      = "stood"            // something new became known, so the orders before the refused line stay
	SayNothing    = "nothing-done"     // nothing new became known, so no order was played at all
	SayMore       = "turn-goes-on"     // the turn is not complete: the next decision is below
	SayUndoUntil  = "undo-until"       // n: steps that undo takes back; timed: whether the turn's time runs out at time
	SayUndoNext   = "undo-next"        // the same until the players names move
	SayUndoNot    = "undo-not"         // the letter has revealed dice or cards
	SayTakeBack   = "undo-late"        // the turn is over; all others may agree to take it back
	SayDone       = "turn-done"        // the turn is over
	SayCollected  = "collected"        // n: answers of yesterday in one letter
	SaySaid       = "said"             // names: the recipients
	SaySaidNobody = "said-kept"        // a message that goes to no one by letter
	SayNotedOnly  = "noted-only"       // lines of a note read as orders; they were only kept
	AskMeant      = "ask-meant"        // List: lines that we'll play if the writer answers yes
	AskInGame     = "ask-in-game"      // List: lines for this game that came in answer to a letter about another
	AskBeside     = "ask-beside"       // List: lines that we'll play if the writer answers yes; remark: what else the letter says
	SayBeside     = "beside"           // remark: what else the letter says; its orders are played as far as undo takes them back
	AskWord       = "ask-word"         // List: the mistyped words, the lines of plans and the orders after a |, as they were probably meant
	AskTypo       = "ask-typo"         // List: the orders that lines were probably meant for; more: others go with them
	AskSend       = "ask-send"         // the same of lines of a message; names: its recipients
	AskSendAll    = "ask-send-all"     // the same of a message to all players
	AskMuteAll    = "ask-mute-all"     // n: other games that may be meant, too
	SayMutedAll   = "muted-all"        // n: games that are muted now
	SayUnmutedAll = "unmuted-all"      // n: games that are no longer muted
	SayFiles      = "files-unread"     // List: names of attachments, which are not read
	SayLast       = "answers-last"     // who: this is the last answer of the day to what cannot be read
	AskResign     = "ask-resign"       // whether they mean to leave the game
	SayHowMeant   = "how-meant"        // how to send a line in question so that we play it
	SayStruck     = "left-struck"      // List: orders that are struck through, so they were not read
	SayUnticked   = "left-unticked"    // List: lines with a box that is not ticked, so they were not read

	SayCollectedBrief = "collected-brief" // n: answers to letters without a token that one hour had no room for

	SayNoted       = "noted"            //
	SayName        = "name-set"         // name
	SayNameNot     = "name-not-there"   // List: games in which another player has the name
	AskName        = "ask-name"         // name: a stand-in, shown to the others until the player chooses one
	AskNameToo     = "ask-name-yes"     // a question to a new player whose letter gives no name
	SayWordLate    = "entropy-late"     // word: came when the game had begun
	SayFormat      = "format-set"       // format: text, html
	SayNotify      = "notify-set"       // notify: every, mine
	SayLink        = "link-new"         // the old page address is dead
	SayJoined      = "joined"           // name; waiting: names or "" ; entropy
	SayDeclined    = "declined"         //
	SayNever       = "never-again"      // no letters any more but answers
	SayResigned    = "resigned"         // the bot plays on
	SayResignedEnd = "resigned-end"     // the same, and the game is over
	SayReminded    = "reminded"         // name
	SayBusy        = "busy"             // too many letters wait for bots; this one is not done
	SayReplaced    = "replaced"         // name; bot: which, unless it is the usual one
	SayInvited     = "heir-invited"     // name; address: where the offer of the seat went
	SayCancelled   = "cancelled"        //
	SayCreated     = "created"          // game, commitment; List: addresses invited
	SayOpened      = "opened"           // game: how others come to its free seats
	SayAgreed      = "agreed"           // what: abandon or the visibility; names: who has not said so
	SayVisibility  = "visibility-set"   // visibility
	SayConfirm     = "confirm-sent"     // address: a letter was sent there, answer it with yes
	SayYes         = "confirmed"        //
	SayNo          = "confirm-no"       //
	SayLapsed      = "confirm-lapsed"   // as ProblemLapsed
	SayLate        = "confirm-late"     // as ProblemLate
	SayAnswered    = "confirm-answered" // as ProblemAnswered
	SayAdded       = "address-added"    // address
	SayRemoved     = "address-removed"  // address
	SayRematch     = "rematch"          // game
	SayRematchBy   = "rematch-by"       // name: who has asked for it before; the reader joins it
	SayHeld        = "held-applied"     // address: the letter held is applied now
	SayOnce        = "answered-once"    // nothing could be read; the same letter again gets no answer
	SayUnmuted     = "unmuted"          // letters about the game come again
	SayBack        = "back"             // the writer plays their seat again
	SayZone        = "zone-set"         // time: now, in it
	SayVacation    = "vacation"         // List: the holidays
	SayDaysLeft    = "vacation-left"    // n: days left in year
	SayPresent     = "vacation-void"    // List: leagues of the writer's that allow no vacation
	SayDaysOff     = "days-off"         // List: the days
	SayReminders   = "reminders"        // List: when the writer gets reminders
	SayQuiet       = "quiet"            // from, to: hours of the day
	SayNoQuiet     = "quiet-off"        // no quiet hours any more
	SayExtended    = "extended"         // name, time: that player's deadline now

	SayNotPlanned = "not-planned" // a plan that cannot be read; one made before stays
	SayPlanAhead  = "plan-ahead"  // the coming turn can be planned already

	SayMuted        = "muted"         // no letters about the game any more, which waits for the writer as before
	SayMutedInvited = "muted-invited" // no letters about the invitation any more

	// Of rulings. The ruler and the reason follow the outcome.
	AskRule           = "ask-rule"              // then: a ruling; game, was, now and what else it comes to: yes carries it out
	ProblemRuleSure   = "rule-sure"             // what AskRule has: the host must say that they are sure
	SayRuledNow       = "ruled-now"             // then: a ruling, and what was before and is now
	ProblemApart      = "apart"                 // word: this letter asks about something else already
	ProblemMoved      = "moved"                 // word, game: it is not what it was when we asked
	SayRuled          = "ruled-done"            // game: ruled; we have told all players at its table
	TellRuled         = "ruled"                 // who, reason
	TellRuledHost     = "ruled-host"            // reason: the server's host ruled
	RuledExtend       = "ruled-extend"          // time: the reader's deadline now
	RuledExtendAll    = "ruled-extend-all"      // name, time, then: the same, about another player
	RuledPause        = "ruled-pause"           //
	RuledResume       = "ruled-resume"          //
	RuledAsked        = "ruled-asked"           // name: the ruler asked another player to take this player's seat
	RuledUnasked      = "ruled-unasked"         // name: whose seat the bot keeps; the invitation to take it is withdrawn
	RuledAdjudicate   = "ruled-adjudicate"      // List: the scores with which the game ends
	RuledCorrect      = "ruled-correct"         // List: the scores that it has now
	RuledVoid         = "ruled-void"            //
	RuledReplay       = "ruled-replay"          // game: the new one
	AskVoid           = "ask-void"              // game, kind: the ruling; then: the seed becomes public after n days ("secret"), after the "round", or is it ("open"); yes rules so
	TellReveal        = "reveal"                // time: when the void game's seed becomes public; or then: "round", when everyone has played
	SayAppealed       = "appealed"              // game, List: who will look at the ruling; its kind, date
	SayAppealedHost   = "appealed-host"         // game: the server's host will; the ruling's kind, date
	TellAppeal        = "appeal"                // game, who, reason; by: who ruled, kind, date, why: the ruling's reason
	TellAppealed      = "appeal-ruler"          // game, who, reason; kind, date: of the reader's ruling; List: who will look at it; host: the server's host will
	TellUpheld        = "upheld"                // game, who: has checked the ruling and upheld it; reason; the ruling's kind, date
	TellUpheldHost    = "upheld-host"           // game, reason: the server's host did; the ruling's kind, date
	TellOverruled     = "overruled"             // game, who: made a new ruling in answer to an appeal, word: what; reason; the old ruling's kind, date
	TellOverruledHost = "overruled-host"        // game, word, reason; kind, date: the server's host did
	ByHost            = "-host"                 // ends the code of what the server's host did
	TellDirects       = "league-directs"        // league: the reader is its director
	TellAssists       = "league-assists"        // league: the reader is an assistant of its director
	TellNoShow        = "no-show"               // name, heir, game: the reader never came, so the game begins again with another
	TellNoShowAll     = "no-show-all"           // the same, about another player
	TellNoShowLater   = "no-show-later"         // name: it does when the league comes to it
	TellStepIn        = "step-in"               // league, name: the reader is in that player's seat from the start
	TellSeatOpen      = "seat-open"             // name: the league asks substitutes to take this player's seat
	TellSeatNobody    = "seat-nobody"           // name: there is none now
	TellSeatRuler     = "seat-ruler"            // name, game: the same, to the director
	TellBouncedRuler  = "player-bounced-ruler"  // name, game: letters to this player do not arrive (to the league's director)
	TellBouncedLeague = "player-bounced-league" // name: the same, to the others
	AskSeat           = "ask-seat"              // league, name, names, n: the round, time: until when
	RuledLater        = "ruled-later"           // the same, when its league comes to it
	RuledRollback     = "ruled-rollback"        // n: the line whose position it is now
	RuledStart        = "ruled-start"           // the same, of the position before the first line

	// Questions, to be answered with yes or no.
	AskAlias   = "ask-alias"      // address: wrote with your token; yes adds it
	AskLetter  = "ask-letter"     // address: a letter from there is held; yes obeys it
	AskLost    = "ask-undone"     // address: a letter from there that answers what a restore has undone is held; yes obeys it
	AskNew     = "ask-new-game"   // List: addresses and bots of the others; name, free seats and options of the game; yes starts it
	AskAdd     = "ask-address"    // address, name: whether letters from it count as the player's
	AskRemove  = "ask-remove"     // address
	AskRaise   = "ask-visibility" // visibility, name
	AskJoin    = "ask-join"       // game; yes takes a seat in it
	AskAbandon = "ask-abandon"    // name wants to abandon the game

	// Told to others.
	TellStarted      = "started"             // commitment, mixed: yes or no
	TellHints        = "hints-on"            // at the start: players may ask for hints
	TellJoined       = "player-joined"       // name
	TellDeclined     = "player-declined"     // name; address (to the organiser only)
	TellBounced      = "player-bounced"      // name, address (to the organiser only): letters do not arrive
	TellNearest      = "nearest"             // List: the word that a stranger's letter comes nearest to
	AskYesWord       = "ask-yes-word"        // the question answered is still open, and the letter is a reaction
	AskYesStill      = "ask-yes-still"       // the question answered is still open, and the letter says neither yes nor no
	SayBeyondASCII   = "beyond-ascii"        // address: the writer's, which no player can have
	TellNever        = "never-how"           // how to get no more letters, for people who never wrote
	TellHeirExpired  = "heir-expired"        // name, address (to the organiser only): the offer of the seat lapsed
	TellHeirDeclined = "heir-declined"       // the same: the invited player declined
	TellBouncedAll   = "player-bounced-all"  // name: the same, where the organiser cannot help
	TellOrganise     = "organiser-you"       // the reader looks after the game from now on
	TellOrganiser    = "organiser-now"       // name: who looks after the game from now on
	TellExpired      = "invite-expired"      // the game is cancelled; names: who had not joined; then: "vacant", their seats were free since they declined
	TellCancelled    = "game-cancelled"      // name of the organiser, or ""
	TellAbandoned    = "game-abandoned"      //
	TellResigned     = "player-resigned"     // name
	TellResignedEnd  = "player-resigned-end" // the same, and the game is over
	TellExpelledEnd  = "player-expelled-end" // name: their league's director has taken them out, and the game is over
	TellOutEnd       = "seat-lost-end"       // a bot got your seat, and the game is over
	TellReplaced     = "player-replaced"     // name; bot, as for SayReplaced: it plays the seat
	TellTakenOver    = "player-new"          // name, old
	TellOut          = "seat-lost"           // another plays your seat now; bot: which, "" a player; seat: its number, if the letter does not have it
	TellReminder     = "reminder"            // days: nothing was heard; then: "lost", and date, the game is on that day
	TellGivenUp      = "given-up"            // nothing was heard, so a bot has played the reader's game to its end
	TellNudge        = "organiser-reminds"   // name of the organiser
	TellTurn         = "turn-passed"         // names: whose turn ended (notify every)
	TellVisibility   = "visibility-now"      // visibility
	TellHelp         = "help-stranger"       // to people who write without a game
	TellMuted        = "player-muted"        // name (to the organiser only): gets no letters, by their own wish
	TellMutedAll     = "player-muted-all"    // name: the same, where the organiser cannot help
	TellOwe          = "you-owe"             // something is owed, to be answered before the next own step
	TellPutOff       = "invite-put-off"      // date: the invitations hold until then (to the organiser only)
	TellPutBack      = "put-back"            // time: the server has lost what came since; decide again
	TellBackLeague   = "put-back-league"     // league, time: the same, to those who direct it
	TellBackGame     = "put-back-game"       // time: the same, to an organiser who has nothing to decide

	// Of a game with a clock.
	TellRunsOut        = "time-runs-out"     // time: the reader's deadline; next: when a bot plays for them; then: `keeps` (a bot their seat) or `anew` (the game begins again)
	TellLate           = "time-over"         // time: when a bot plays the reader's turn; then, as before
	TellLateAll        = "time-over-all"     // name, time: the same, about another player
	TellMissed         = "turn-missed"       // name, n, of: a bot played the reader's turn, the n-th in a row; it keeps their seat after so many
	TellMissedAll      = "turn-missed-all"   // the same, about another player
	TellAbsent         = "seat-kept"         // name, n, of: a bot keeps the reader's seat until they write `back`
	TellAbsentEnd      = "seat-kept-end"     // name, n, of: a bot got the reader's seat, and the game is over
	TellAbsentAllEnd   = "seat-kept-all-end" // the same, to the others
	TellAbsentAll      = "seat-kept-all"     // the same, about another player
	SayInTime          = "in-time"           // the letter had come in time: what a bot played is taken back
	SayInTimeAsked     = "in-time-asked"     // the same, but something new is known since: we ask the organiser
	TellInTime         = "in-time-all"       // name: whose orders had come in time, to the others
	TellInTimeNot      = "in-time-not"       // the organiser leaves the game as it is
	AskInTime          = "ask-in-time"       // name: whose orders had come in time; yes goes back and obeys them
	TellUnreached      = "unreached"         // name, from: since when their mail server refuses our letters for now; time: until when their clock stands still at most
	TellUnreachedHelp  = "unreached-help"    // the same, to the organiser: what can be done
	TellUnreachedRuler = "unreached-ruler"   // name, game: the same, to the league's director
	TellAbsentHelp     = "seat-kept-help"    // name (to the organiser only): how to find another player
	TellExtended       = "time-given"        // name of the organiser, time: the reader's deadline now
	TellExtendAll      = "time-given-all"    // name, who (the organiser), time: the same, about another player
	AskReplace         = "ask-replace"       // name, who, reason: the organiser, name, wants to give who's seat away
	AskReplaceYou      = "ask-replace-you"   // the same of the reader's seat: there is no one else to ask
	TellReplaceNo      = "replace-no"        // name, who: name does not agree that who is replaced
	TellOutVoted       = "seat-lost-vote"    // bot: which plays the reader's seat now; reason
	AskPause           = "ask-pause"         // name wants to pause the game
	AskResume          = "ask-resume"        // name wants to go on with it
	TellPaused         = "game-paused"       // List: the organiser's name; none: all agreed
	TellResumed        = "game-resumed"      // the same
	TellBack           = "player-back"       // name: plays their seat again
	TellClockMoved     = "time-moved"        // time: the reader's deadline now, the server or its mail having been away or its clock set
)

// Of standing orders. n: its number, order: its line.
const (
	SayStanding     = "standing-set"         // n, order
	SayStandingGone = "standing-forgotten"   // n, order
	SayStandingNone = "standing-none"        // there are none any more
	TellStanding    = "standing-did"         // n, order, did: what it did
	TellOffCard     = "standing-off-card"    // disarmed: its Mission is no longer in Space
	TellOffPaid     = "standing-off-paid"    // what it pays with is not where it was
	TellOffHand     = "standing-off-hand"    // none of its cards is in hand any more
	TellOffBoost    = "standing-off-boost"   // the tile whose boost it uses is gone or turned
	TellOffRobots   = "standing-off-robots"  // no robot matches a colour of its dice any more
	TellOffLast     = "standing-off-last"    // the last round has begun
	TellOffUndone   = "standing-off-undone"  // what it did was taken back
	TellOffRolled   = "standing-off-rolled"  // a ruling took the game back
	TellOffBot      = "standing-off-kept"    // a bot keeps the seat
	TipReserve      = "standing-tip-reserve" // tip: a standing order can make such a decision each time
	TipKeep         = "standing-tip-keep"    //
	TipDiscard      = "standing-tip-discard" //
	TipOwner        = "standing-tip-owner"   // card
	TipForced       = "standing-tip-forced"  // there is only one thing to do
	ProblemStanding = "standing-many"        // n: how many there may be
	ProblemNotThere = "standing-not-there"   // word: what the order needs and the writer does not have
	ProblemNoSuch   = "standing-unknown"     // n: no standing order has that number
)

// What the host does about players.
const (
	TellHostSays     = "host-announcement" // Press has what
	TellHostRenamed  = "host-renamed"      // name: the reader's now
	SayForgotten     = "forgotten"         // the reader is erased within the hour
	SayNotForgotten  = "forgotten-not"     // the reader, whose data we were going to erase, has come back
	TellMovedAddress = "host-moved"        // address: the reader's now; old
)

// What we tell players about the data that we keep about them.
const (
	SayDataSent  = "data-sent"  // it comes in a letter of its own
	SayData      = "data"       // Data has it; letters, sent, games, messages: how many of each
	SayDataLarge = "data-large" // it is too much for a letter; contact: the address for requests, if asks is true; the same numbers
	SayDataNone  = "data-none"  // nothing is kept: no player has the reader's address
	AskForget    = "ask-forget" // to erase it; games, leagues: which go on and are left
)

// Remarks and Problems lists every code above, so that a test of the catalogue
// can ask for each.
var (
	Remarks = []string{
		SayTurnOver, SayRolled, SayForeign, SayNoToken, SayAgain, SayEmpty, SayWords, SayWhichGame, SayOtherGames, SayBarred, SayQuoted, SayTooLarge, SayBroken, SaySealed, SayAuth, SayElsewhere, SayWhoseToken, SayConflict,
		SayAside, SayUnreadable, SayResent, SayUndone, SayPreview, SayPreviewNew, SayStood, SayNothing, SayMore, SayUndoUntil, SayUndoNext, SayUndoNot, SayTakeBack, SayDone, SayCollected, SayCollectedBrief,
		SaySaid, SaySaidNobody, SayNoted, SayNotedOnly, AskMeant, AskInGame, AskMuteAll, SayMutedAll, SayUnmutedAll, SayFiles, SayLast, AskResign, AskBeside, SayBeside, AskWord, AskTypo, AskSend, AskSendAll, SayHowMeant, SayStruck, SayUnticked, SayName, SayNameNot, AskName, AskNameToo, SayWordLate, SayFormat, SayNotify, SayLink, SayJoined, SayDeclined, SayNever, SayResigned,
		SayReminded, SayBusy, SayReplaced, SayInvited, SayCancelled, SayCreated, SayOpened, SayAgreed, SayVisibility, SayConfirm, SayYes,
		SayNo, SayLapsed, SayLate, SayAnswered, SayAdded, SayRemoved, SayRematch, SayRematchBy, SayHeld, AskAlias, AskLetter, AskLost, AskNew, AskAdd, AskRemove, AskRaise,
		AskJoin, AskAbandon, TellStarted, TellHints, TellJoined, TellDeclined, TellBounced, TellExpired, TellCancelled, TellAbandoned,
		TellResigned, TellResignedEnd, TellReplaced, TellTakenOver, TellOut, TellOutEnd, SayResignedEnd, TellExpelledEnd, TellReminder, TellGivenUp, TellNudge, TellTurn, TellVisibility, TellHelp,
		TellOwe, TellPutOff, TellPutBack, TellBackGame, TellBackLeague, SayMuted, SayMutedInvited, SayUnmuted, SayOnce, TellBouncedAll, TellNearest, AskYesWord, AskYesStill, TellNever, SayBeyondASCII, TellHeirExpired, TellHeirDeclined, TellOrganise, TellOrganiser,
		TellMuted, TellMutedAll, SayBack, SayZone, TellRunsOut, TellLate, TellLateAll, TellMissed, TellMissedAll, TellAbsent, TellAbsentAll, TellAbsentEnd, TellAbsentAllEnd,
		SayNotPlanned, SayPlanAhead,
		TellNoShow, TellNoShowAll, TellNoShowLater, TellStepIn, TellSeatOpen, TellSeatNobody, TellSeatRuler, TellBouncedRuler, TellBouncedLeague, AskSeat, TellDirects, TellAssists, SayRuled, AskVoid, AskRule, SayRuledNow, TellReveal, TellRuled, TellRuledHost, SayAppealed, SayAppealedHost, TellAppeal, TellAppealed, TellUpheld, TellUpheldHost, TellOverruled, TellOverruledHost, RuledExtend, RuledExtendAll, RuledPause, RuledResume, RuledAsked, RuledUnasked, RuledAdjudicate, RuledCorrect, RuledVoid, RuledReplay, RuledLater, RuledRollback, RuledStart,
		SayInTime, SayInTimeAsked, TellInTime, TellInTimeNot, AskInTime, TellUnreached, TellUnreachedHelp, TellUnreachedRuler, TellAbsentHelp, TellBack, TellClockMoved, SayVacation, SayDaysLeft, SayPresent, SayDaysOff, SayReminders, SayQuiet, SayNoQuiet,
		AskPause, AskResume, TellPaused, TellResumed, SayExtended, TellExtended, TellExtendAll,
		SayStanding, SayStandingGone, SayStandingNone, TellStanding, TellOffCard, TellOffPaid, TellOffHand, TellOffBoost, TellOffRobots,
		TellOffLast, TellOffUndone, TellOffRolled, TellOffBot, TipReserve, TipKeep, TipDiscard, TipOwner, TipForced,
		SayPlaceTaken, AskPlace, AskHere, SayHere, SayHereNot, TellTakenOff, TellLeft, TellPlaceTaken, TellForfeit, TellUncounted, TellUnbegun, TellStalled, TellClosing, TellLeagueExtended, TellLeaguePaused, TellLeagueResumed, TellLeagueGame, TellLeagueUntil, SayDirected, SaySkipped, TellWeek, TellDirectSeason, TellDirectEnd, TellPlaceVain, TellForfeited, SayLeagueJoined, SayLeagueLeft, SayLeagueMade, SaySubstitute, SayNoSubstitute, SayAnnounced, AskLeague,
		SayMutedLeague, SayUnmutedLeague, SayZoneGuessed, SaySubjects, SayListID,
		AskTakeBack, TellTakenBack, TellTakeBackNo, AskReplace, AskReplaceYou, TellReplaceNo, TellOutVoted, SayDigestSet, SayDigest, SayTogether, SayIgnored, SayUnignored, SayUnignoredAll, SayReported,
		TellSeason, TellSeasonIn, TellNoVacation, TellSeasonEnd, TellSeasonUp, TellSeasonDown, TellChanged, TellDisplaced, TellIdle, TellIdleWon, TellSeatLeft, TellBracket, TellRound, TellAnnounced, TellClimbs, TellFalls, TellStays, TellRanked, TellMatch, TellMatchTied, TellSoloOpen, TellAside, TellBye, TellNextRound, SayAmended, SayAmendedNot,
		TellHostSays, SayForgotten, SayNotForgotten, SayDataSent, SayData, SayDataLarge, SayDataNone, AskForget, TellHostRenamed, TellMovedAddress,
		SayOddClock, SayOddLeast, SayOddShort, SayOddMove,
		AskSure, AskEnlist, SayLeagueInvited, TellStarts, TellEnlisted, TellExpelled, TellExpelledGame, TellMoves, TellRenamed, TellArchived, TellDeleted,
		AskOffice, SayOfficeAsked, SayOfficeKept, TellOfficeKept, TellOffice, TellMayTakeOver,
	}
	Problems = []string{
		ProblemIllegal, ProblemTurn, ProblemEnded, ProblemSpare, ProblemNoDie, ProblemHeld, ProblemHeldCard, ProblemOver, ProblemOff, ProblemUnbegun, ProblemSeat, ProblemResigned, ProblemSeatPlayed, ProblemUndo,
		ProblemPreview, ProblemOrganise, ProblemName, ProblemBadName, ProblemInGame, ProblemNotNow, ProblemAddress, ProblemASCII, ProblemOurs, ProblemForeign,
		ProblemLast, ProblemMany, ProblemNever, ProblemPlayers, ProblemHal, ProblemTwice, ProblemOption, ProblemNewGame, ProblemStart, ProblemNobody,
		ProblemToken, ProblemNoGame, ProblemNotYours, ProblemEntropy, ProblemNothing, ProblemJoined, ProblemBot, ProblemNoBot, ProblemAlone, ProblemUnsaid, ProblemSpent,
		ProblemTurnOver, ProblemRolled, ProblemHints, ProblemMuted, ProblemUnheard, ProblemTable, ProblemRematch, ProblemClock, ProblemZone, ProblemAbsent, ProblemLapsed, ProblemLate, ProblemAnswered, ProblemSeatTaken, ProblemSeatYours, ProblemSeatNext, ProblemSeatBot, ProblemSeatOver, ProblemSeatRival,
		ProblemPlaceGone, ProblemPlaceOver, ProblemPlaceYour, ProblemPlaceHeir, ProblemPlaceBusy, ProblemVoid, ProblemDay, ProblemReminder, ProblemQuiet,
		ProblemRuler, ProblemRuleSure, ProblemOwnGame, ProblemAssistant, ProblemScores, ProblemRollback, ProblemNoAppeal, ProblemNotSat, ProblemOwnAppeal,
		ProblemDays, ProblemDaysMany, ProblemVacation, ProblemNoHoliday, ProblemExtend, ProblemNoClock, ProblemOwnClock,
		ProblemStanding, ProblemNotThere, ProblemNoSuch, ProblemUnrated, ProblemAmender,
		ProblemLeague, ProblemHead, ProblemNoGames, ProblemDirector, ProblemDirectors, ProblemMember, ProblemSecondSeat, ProblemNoMember, ProblemClosed, ProblemLastSeason, ProblemKnown, ProblemAdmitted,
		ProblemFull, ProblemFileKey, ProblemFileValue, ProblemFileTwice, ProblemFileNeeded, ProblemFileKind, ProblemFileBoth, ProblemFileLong, ProblemFileSample,
		ProblemAmend, ProblemLeagueName, ProblemLeagueWords, ProblemManyLeagues, ProblemNoSubstitute, ProblemNotReady, ProblemSealed, ProblemLeagueGame,
		ProblemStartFew, ProblemStartNone, ProblemStartOpen, ProblemStartPaused, ProblemThere, ProblemExpelSelf, ProblemExpelled, ProblemNoDivision, ProblemDivision, ProblemSeasonRuns, ProblemArchived, ProblemSure, ProblemInOffice, ProblemOfficeAsked, ProblemNoTakeOver, ProblemTakeOver,
		ProblemTakeBack, ProblemTakeBackRated, ProblemTakeBackAlone, ProblemHour, ProblemIgnoreSelf, ProblemNotIgnored, ProblemNoMessages,
	}
)
